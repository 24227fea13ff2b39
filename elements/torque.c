/* torque.c: the force's law as a torque on an inertia
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/force.h"

static const IfbamParam params[] = {
  IFBAM_PARAM (ForceLaw, value, "value", "N m", -G_MAXDOUBLE, G_MAXDOUBLE, 0, "its steady part"),
  IFBAM_PARAM (ForceLaw, amplitude, "amplitude", "N m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its oscillation"),
  IFBAM_PARAM (ForceLaw, frequency, "frequency", "Hz", 0, G_MAXDOUBLE, 0, "of its oscillation"),
  IFBAM_PARAM (ForceLaw, phase, "phase", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its oscillation at t = 0"),
  IFBAM_PARAM (ForceLaw, start, "start", "s", -G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE,
               "before it the torque is 0"),
  IFBAM_PARAM (ForceLaw, end, "end", "s", -G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE,
               "from it on the torque is 0"),
  IFBAM_PARAM_ON,
  IFBAM_PARAM_COURSE,
};

IFBAM_DEFINE_SOURCE (Torque, torque, ForceLaw, force, .name = "torque",
                     .summary = "torque on an inertia, a function of time",
                     .law = "T = value + amplitude * sin(2 pi frequency * t + phase) from start to "
                            "end, or a course",
                     .source = "harmonic excitation; a course is interpolated by cubics, "
                               "de Boor 1978, chapter IV",
                     .example = "[torque motor]\non    = wheel\nvalue = 3 N m\n",
                     .symbol = "M-20 0h14a10 10 0 1 1 10 10M9 5l-5 5 5 5",
                     .domain = IFBAM_DOMAIN_ROTATION, .fault = force_fault,
                     .instants = force_instants)
