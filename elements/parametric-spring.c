/* parametric-spring.c: spring with a stiffness that oscillates in time, between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/parametric-spring-law.h"
#include "element/element.h"

static const IfbamParam parametric_spring_params[] = {
  IFBAM_PARAM (ParametricSpringLaw, stiffness, "stiffness", "N/m", 0, G_MAXDOUBLE, -1,
               "mean force per unit of compression; without it: as the course has it"),
  IFBAM_PARAM (ParametricSpringLaw, depth, "depth", "1", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "amplitude of the oscillation, as a part of that; above 1 the stiffness is negative "
               "at times"),
  IFBAM_PARAM (ParametricSpringLaw, frequency, "frequency", "Hz", 0, G_MAXDOUBLE, 0,
               "at which it swings"),
  IFBAM_PARAM (ParametricSpringLaw, phase, "phase", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of that at the start"),
  IFBAM_PARAMS_COURSE (ParametricSpringLaw, "N/m"),
  IFBAM_PARAM_BETWEEN,
};

static const char *const modes[] = { "sine", "course", NULL };
static const IfbamLawState parametric_spring_states[] = { { "turns", "1" } };

static char *
parametric_spring_fault (IfbamElement *element, const char **key)
{
  const ParametricSpringLaw *law = (const ParametricSpringLaw *) ifbam_element_law (element);

  *key = "stiffness";
  if (law->stiffness < 0 && ifbam_element_slots (element)[IFBAM_SLOT_COURSE] == NULL)
    return g_strdup ("is missing (want one, such as \"10 kN/m\", or a course)");
  return ifbam_element_course_fault (element, "stiffness, depth, frequency, phase", key);
}

IFBAM_DEFINE_LAW (ParametricSpringLaw, parametric_spring,
                  (FORCE, MODE, NO_GUARDS, NO_CONSTRAINT, RATES, HAS_MODES, STATES_DIFFERENCE,
                   SLOPES),
                  .modes = modes, .lossy = TRUE, .active = TRUE)

IFBAM_DEFINE_LINK (
    ParametricSpring, parametric_spring, ParametricSpringLaw, parametric_spring,
    .name = "parametric-spring", .summary = "spring with a stiffness that oscillates in time",
    .law = "F = stiffness * (1 + depth * sin(2 * pi * frequency * t + phase)) * compression, or "
           "course(t) * compression",
    .source = "Mathieu 1868; Hill 1886",
    .example = "[parametric-spring k1]\nstiffness = 10 kN/m\ndepth     = 0.2\n"
               "frequency = 20 Hz\nbetween   = wall, m1\n",
    .symbol = "M-20 0h6l2-6 4 12 4-12 4 12 4-12 4 12 2-6h10M-9 9l18-18M4-9h5v5",
    .domain = IFBAM_DOMAIN_TRANSLATION, .fault = parametric_spring_fault,
    .course_parameter = offsetof (ParametricSpringLaw, course) / sizeof (double) + 1)
