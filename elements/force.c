/* force.c: a force on a node, a function of time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/force.h"

static const IfbamParam params[] = {
  IFBAM_PARAM (ForceLaw, value, "value", "N", -G_MAXDOUBLE, G_MAXDOUBLE, 0, "its steady part"),
  IFBAM_PARAM (ForceLaw, amplitude, "amplitude", "N", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its oscillation"),
  IFBAM_PARAM (ForceLaw, frequency, "frequency", "Hz", 0, G_MAXDOUBLE, 0, "of its oscillation"),
  IFBAM_PARAM (ForceLaw, phase, "phase", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its oscillation at t = 0"),
  IFBAM_PARAM (ForceLaw, start, "start", "s", -G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE,
               "before it the force is 0"),
  IFBAM_PARAM (ForceLaw, end, "end", "s", -G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE,
               "from it on the force is 0"),
  IFBAM_PARAM_ON,
  IFBAM_PARAM_COURSE,
};

IFBAM_DEFINE_SOURCE (Force, force, ForceLaw, force, .name = "force",
                     .summary = "force on a node, a function of time",
                     .law = "F = value + amplitude * sin(2 pi frequency * t + phase) from start to "
                            "end, or a course",
                     .source = "harmonic excitation; a course is interpolated by cubics, "
                               "de Boor 1978, chapter IV",
                     .example = "[force push]\non    = m1\nvalue = 20 N\nend   = 0.1 s\n",
                     .symbol = "M-20 0h39M10-7l10 7-10 7", .domain = IFBAM_DOMAIN_TRANSLATION,
                     .fault = force_fault, .instants = force_instants)
