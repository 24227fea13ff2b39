/* current-source.c: the force's law as a current into an electrical node
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/force.h"

static const IfbamParam params[] = {
  IFBAM_PARAM (ForceLaw, value, "value", "A", -G_MAXDOUBLE, G_MAXDOUBLE, 0, "its steady part"),
  IFBAM_PARAM (ForceLaw, amplitude, "amplitude", "A", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its oscillation"),
  IFBAM_PARAM (ForceLaw, frequency, "frequency", "Hz", 0, G_MAXDOUBLE, 0, "of its oscillation"),
  IFBAM_PARAM (ForceLaw, phase, "phase", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its oscillation at t = 0"),
  IFBAM_PARAM (ForceLaw, start, "start", "s", -G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE,
               "before it the current is 0"),
  IFBAM_PARAM (ForceLaw, end, "end", "s", -G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE,
               "from it on the current is 0"),
  IFBAM_PARAM_ON,
  IFBAM_PARAM_COURSE,
};

IFBAM_DEFINE_SOURCE (CurrentSource, current_source, ForceLaw, force, .name = "current-source",
                     .summary = "current into a node, a function of time",
                     .law = "I = value + amplitude * sin(2 pi frequency * t + phase) from start to "
                            "end, or a course",
                     .source = "harmonic excitation; a course is interpolated by cubics, "
                               "de Boor 1978, chapter IV",
                     .example = "[current-source feed]\non    = c1\nvalue = 20 mA\n",
                     .symbol = "M-20 0h6a14 14 0 1 1 28 0 14 14 0 1 1-28 0M-8 0h15M2-5l6 5-6 5",
                     .domain = IFBAM_DOMAIN_ELECTRICITY, .fault = force_fault,
                     .instants = force_instants)
