/* drive.c: a given node that moves by a formula or a measured course
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/drive-law.h"
#include "element/element.h"

static const char *const quantities[] = { "position", "velocity", "acceleration", NULL };

enum
{
  WHEN = IFBAM_SLOT_COURSE + 1,
  FOLLOW,
};

#define DRIVE_PARAMS(where)                                                                        \
  IFBAM_PARAM (DriveLaw, wave.value, "position", "%x", -G_MAXDOUBLE, G_MAXDOUBLE, 0, where),       \
      IFBAM_PARAM (DriveLaw, velocity, "velocity", "%v", -G_MAXDOUBLE, G_MAXDOUBLE, 0,             \
                   "its steady velocity"),                                                         \
      IFBAM_PARAM (DriveLaw, acceleration, "acceleration", "%a", -G_MAXDOUBLE, G_MAXDOUBLE, 0,     \
                   "its steady acceleration"),                                                     \
      IFBAM_PARAMS_WAVE (DriveLaw, "%x"), IFBAM_PARAMS_COURSE (DriveLaw, "%x"),                    \
      IFBAM_PARAM_WORD (DriveLaw, of, "course-of", quantities, DRIVE_POSITION,                     \
                        "quantity of the course"),                                                 \
      IFBAM_PARAM (DriveLaw, scale, "scale", "", -G_MAXDOUBLE, G_MAXDOUBLE, 1,                     \
                   "factor of the course"),                                                        \
      IFBAM_PARAM_WHEN (WHEN, "monitor or controller (pulse width) that switches the motion on; "  \
                              "else the velocity is 0"),                                           \
      IFBAM_PARAM_FOLLOW_SCALE (FOLLOW, "velocity")

static const IfbamParam drive_params[] = { DRIVE_PARAMS (
    "position at the start, without its oscillation") };

static const char *
drive_course_unit (const IfbamElement *element)
{
  const DriveLaw *law = (const DriveLaw *) ifbam_element_law (element);

  return law->of == DRIVE_ACCELERATION ? "%a" : law->of == DRIVE_VELOCITY ? "%v" : "%x";
}

static char *
drive_fault (IfbamElement *element, const char **key)
{
  const DriveLaw *law = (const DriveLaw *) ifbam_element_law (element);
  const gboolean pulse = law->wave.shape == IFBAM_WAVE_PULSE || law->wave.shape == IFBAM_WAVE_PWM;
  char *fault = ifbam_element_course_fault (
      element,
      law->of == DRIVE_ACCELERATION ? "acceleration, " IFBAM_WAVE_KEYS
      : law->of == DRIVE_VELOCITY   ? "velocity, acceleration, " IFBAM_WAVE_KEYS
                                    : "position, velocity, acceleration, " IFBAM_WAVE_KEYS,
      key);

  if (fault == NULL)
    fault = ifbam_element_no_course_fault (element, "scale", law->scale != 1, key);
  if (fault == NULL)
    fault = ifbam_element_no_course_fault (element, "course-of", law->of != DRIVE_POSITION, key);
  if (fault == NULL)
    fault = ifbam_element_wave_fault (element, &law->wave, key);
  if (fault == NULL)
    fault = ifbam_element_scaled_motion_fault (element, key);
  if (fault != NULL)
    return fault;
  *key = "interpolation";
  if (law->of == DRIVE_POSITION && law->form.interpolation == IFBAM_COURSE_HELD)
    return g_strdup ("held: a position can't jump (want linear or cubic)");
  *key = pulse ? "rise" : "wave";
  if (law->wave.shape == IFBAM_WAVE_STEP || (pulse && law->wave.rise == 0))
    return g_strdup_printf ("%s: a position can't jump (want wave = ramp, or a rise)",
                            pulse ? "0 s" : "step");
  *key = "phase";
  if (law->wave.shape == IFBAM_WAVE_CHIRP && law->wave.at > 0 && law->wave.phase != 0)
    return g_strdup (
        "a position can't jump to the start of the chirp (want a phase of 0, or at = 0 s)");
  return NULL;
}

static void
drive_time_events (const IfbamElement *element, GArray *time_events)
{
  const DriveLaw *law = (const DriveLaw *) ifbam_element_law (element);

  ifbam_element_wave_time_events (&law->wave, -INFINITY, INFINITY, time_events);
}

IFBAM_DEFINE_GIVEN_NODE (
    Drive, drive, DriveLaw, drive, .name = "drive", .summary = "node with a prescribed motion",
    .law = IFBAM_WAVE_FORMULA ("x",
                               "position + velocity * t + acceleration * t^2 / 2") "or a course",
    .source = IFBAM_WAVE_SOURCES,
    .example = "[drive shaker]\namplitude = 2 mm\nfrequency = 12 Hz\n",
    .symbol = "M0-16h-36v32h36zM-30 0c4-15 8-15 12 0s8 15 12 0", .domain = IFBAM_DOMAIN_ANY,
    .n_slots = FOLLOW + 1, .when_slot = WHEN, .scale_slot = FOLLOW, .fault = drive_fault,
    .time_events = drive_time_events, .course_unit = drive_course_unit)

/* The drive's law for the distance of two nodes, minus the distance at the start */

static const IfbamParam actuator_params[] = {
  DRIVE_PARAMS ("its length at the start, without its oscillation: only how it changes is felt"),
  IFBAM_PARAM_BETWEEN_BRANCH,
};

IFBAM_DEFINE_GIVEN_NODE (Actuator, actuator, DriveLaw, drive, .name = "actuator",
                         .summary = "prescribed distance of two nodes",
                         .law = "x_right - x_left changes as " IFBAM_WAVE_FORMULA (
                             "x", "position + velocity * t + acceleration * t^2 / 2") "or a course",
                         .source = IFBAM_WAVE_SOURCES,
                         .example = "[actuator ram]\namplitude = 2 mm\nfrequency = 12 Hz\n"
                                    "between   = base, table\n",
                         .symbol = "M0-16h-36v32h36zM-30 0c4-15 8-15 12 0s8 15 12 0",
                         .domain = IFBAM_DOMAIN_TRANSLATION, .n_slots = FOLLOW + 1,
                         .when_slot = WHEN, .scale_slot = FOLLOW, .fault = drive_fault,
                         .time_events = drive_time_events, .course_unit = drive_course_unit,
                         .branch_link = &ifbam_branch_distance_info)

static const IfbamParam torsion_actuator_params[] = {
  DRIVE_PARAMS ("its angle at the start, without its oscillation: only how it changes is felt"),
  IFBAM_PARAM_BETWEEN_BRANCH,
};

IFBAM_DEFINE_GIVEN_NODE (TorsionActuator, torsion_actuator, DriveLaw, drive,
                         .name = "torsion-actuator",
                         .summary = "prescribed angle between two inertias",
                         .law = "angle_right - angle_left changes as " IFBAM_WAVE_FORMULA (
                             "x", "position + velocity * t + acceleration * t^2 / 2") "or a course",
                         .source = IFBAM_WAVE_SOURCES,
                         .example = "[torsion-actuator joint]\namplitude = 10 deg\n"
                                    "frequency = 2 Hz\nbetween   = arm, hand\n",
                         .symbol = "M0-16h-36v32h36zM-30 0c4-15 8-15 12 0s8 15 12 0",
                         .domain = IFBAM_DOMAIN_ROTATION, .n_slots = FOLLOW + 1, .when_slot = WHEN,
                         .scale_slot = FOLLOW, .fault = drive_fault,
                         .time_events = drive_time_events, .course_unit = drive_course_unit,
                         .branch_link = &ifbam_branch_distance_info)
