/* voltage-source.c: electrical node with a prescribed voltage, by a formula or measured course
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/voltage-source-law.h"

enum
{
  WHEN = IFBAM_SLOT_COURSE + 1,
  FOLLOW,
};

static const IfbamParam voltage_source_params[] = {
  IFBAM_PARAM (VoltageSourceLaw, wave.value, "voltage", "V", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "its steady part, against ground, or of the left end against the right one"),
  IFBAM_PARAMS_WAVE (VoltageSourceLaw, "V"),
  IFBAM_PARAMS_COURSE (VoltageSourceLaw, "V"),
  IFBAM_PARAM (VoltageSourceLaw, scale, "scale", "", -G_MAXDOUBLE, G_MAXDOUBLE, 1,
               "factor of the course"),
  IFBAM_PARAM_WHEN (
      WHEN,
      "monitor or controller (pulse width) that switches the source on; else the voltage is 0"),
  IFBAM_PARAM_FOLLOW_SCALE (FOLLOW, "voltage"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 2, 2, 0,
                         "two nodes, LEFT, RIGHT; default: it is a node itself"),
};

static char *
voltage_source_fault (IfbamElement *element, const char **key)
{
  const VoltageSourceLaw *law = (const VoltageSourceLaw *) ifbam_element_law (element);
  char *fault = ifbam_element_course_fault (element, "voltage, " IFBAM_WAVE_KEYS, key);

  if (fault == NULL)
    fault = ifbam_element_no_course_fault (element, "scale", law->scale != 1, key);
  if (fault == NULL)
    fault = ifbam_element_scaled_motion_fault (element, key);
  return fault != NULL ? fault : ifbam_element_wave_fault (element, &law->wave, key);
}

static void
voltage_source_time_events (const IfbamElement *element, GArray *time_events)
{
  const VoltageSourceLaw *law = (const VoltageSourceLaw *) ifbam_element_law (element);

  ifbam_element_wave_time_events (&law->wave, -INFINITY, INFINITY, time_events);
}

IFBAM_DEFINE_GIVEN_NODE (
    VoltageSource, voltage_source, VoltageSourceLaw, voltage_source, .name = "voltage-source",
    .summary = "electrical node with a prescribed voltage, or a source between "
               "two nodes",
    .law = IFBAM_WAVE_FORMULA ("v",
                               "voltage") "or a course; between two nodes v is v_left - v_right",
    .source = IFBAM_WAVE_SOURCES,
    .example = "[voltage-source mains]\namplitude = 325 V\n"
               "frequency = 50 Hz\n",
    .symbol = "M0 0h-4a16 16 0 1 1-32 0 16 16 0 1 1 32 0M-29 0c3-10 6-10"
              " 9 0s6 10 9 0",
    .domain = IFBAM_DOMAIN_ELECTRICITY, .n_slots = FOLLOW + 1, .when_slot = WHEN,
    .scale_slot = FOLLOW, .branch_link = &ifbam_branch_difference_info,
    .fault = voltage_source_fault, .time_events = voltage_source_time_events)
