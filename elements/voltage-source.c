/* voltage-source.c: an electrical node whose voltage is prescribed, by a formula or a measured course
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/node.h"
#include "elements/voltage-source-law.h"

static const IfbamParam voltage_source_params[] = {
  IFBAM_PARAM (VoltageSourceLaw, voltage, "voltage", "V", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "its steady part, against ground"),
  IFBAM_PARAM (VoltageSourceLaw, amplitude, "amplitude", "V", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its oscillation"),
  IFBAM_PARAM (VoltageSourceLaw, frequency, "frequency", "Hz", 0, G_MAXDOUBLE, 0,
               "of its oscillation"),
  IFBAM_PARAM (VoltageSourceLaw, phase, "phase", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its oscillation at the start"),
  IFBAM_PARAM_COURSE ("V"),
};

static char *
voltage_source_fault (IfbamElement *element, const char **key)
{
  return ifbam_element_course_fault (element, "voltage, amplitude, frequency, phase", key);
}

IFBAM_DEFINE_GIVEN_NODE (VoltageSource, voltage_source, VoltageSourceLaw, voltage_source,
                         .name = "voltage-source",
                         .summary = "electrical node whose voltage is prescribed",
                         .law = "v = voltage + amplitude * sin(2 pi frequency * t + phase), or a "
                                "course",
                         .source = "harmonic excitation; a course is interpolated by cubics, "
                                   "de Boor 1978, chapter IV",
                         .example = "[voltage-source mains]\namplitude = 325 V\n"
                                    "frequency = 50 Hz\n",
                         .symbol = "M0 0h-4a16 16 0 1 1-32 0 16 16 0 1 1 32 0M-29 0c3-10 6-10"
                                   " 9 0s6 10 9 0",
                         .domain = IFBAM_DOMAIN_ELECTRICITY, .n_slots = 2,
                         .fault = voltage_source_fault)
