/* force.c: a force on a node, a function of time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/force-law.h"
#include "base/number-text.h"
#include "element/element.h"

enum
{
  WHEN = IFBAM_SLOT_COURSE + 1,
  FOLLOW,
};

static const char *const sides[] = { "above", "below", NULL };

/* f: unit; quantity: its name */
#define FORCE_PARAMS(f, quantity)                                                                  \
  IFBAM_PARAM (ForceLaw, wave.value, "value", f, -G_MAXDOUBLE, G_MAXDOUBLE, 0, "constant part"),   \
      IFBAM_PARAMS_WAVE (ForceLaw, f),                                                             \
      IFBAM_PARAM (ForceLaw, start, "start", "s", -G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE,         \
                   "before it the " quantity " is 0"),                                             \
      IFBAM_PARAM (ForceLaw, end, "end", "s", -G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE,              \
                   "from it on the " quantity " is 0"),                                            \
      IFBAM_PARAM_ON, IFBAM_PARAMS_COURSE (ForceLaw, f),                                           \
      IFBAM_PARAM_WHEN (                                                                           \
          WHEN,                                                                                    \
          "monitor or controller (pulse width) that switches it on; else the " quantity " is 0"),  \
      IFBAM_PARAM_WORD (ForceLaw, side, "side", sides, 0,                                          \
                        "side of the monitor's level on which the element acts"),                  \
      IFBAM_PARAM_FOLLOW (FOLLOW),                                                                 \
      IFBAM_PARAM (ForceLaw, scale, "scale", "", -G_MAXDOUBLE, G_MAXDOUBLE, 1,                     \
                   "factor of the course")

static char *
force_fault (IfbamElement *element, const char **key)
{
  const ForceLaw *law = (const ForceLaw *) ifbam_element_law (element);
  char *fault;

  if (!(law->start < law->end))
    {
      *key = "end";
      return g_strdup_printf ("%s s is not after start, %s s: it would never act",
                              IFBAM_NUMBER (law->end), IFBAM_NUMBER (law->start));
    }
  fault = ifbam_element_course_fault (element, "value, " IFBAM_WAVE_KEYS, key);
  if (fault == NULL)
    fault = ifbam_element_wave_fault (element, &law->wave, key);
  if (fault == NULL)
    fault = ifbam_element_no_course_fault (element, "scale", law->scale != 1, key);
  *key = fault == NULL ? "side" : *key;
  if (fault == NULL && law->side != 0 && ifbam_element_slots (element)[WHEN] == NULL)
    return g_strdup ("applies with a monitor only (want when = MONITOR)");
  return fault;
}

static void
force_time_events (const IfbamElement *element, GArray *time_events)
{
  const ForceLaw *law = (const ForceLaw *) ifbam_element_law (element);
  const IfbamTimeEvent start = { .time = law->start }, end = { .time = law->end };

  /* Times before the run are no events. */
  if (law->start > 0)
    g_array_append_val (time_events, start);
  if (law->end > 0 && law->end < G_MAXDOUBLE)
    g_array_append_val (time_events, end);
  ifbam_element_wave_time_events (&law->wave, law->start, law->end, time_events);
}

static const IfbamParam force_params[] = { FORCE_PARAMS ("N", "force") };

IFBAM_DEFINE_SOURCE (Force, force, ForceLaw, force, .name = "force",
                     .summary = "force on a node, a function of time",
                     .law = IFBAM_WAVE_FORMULA ("F", "value") "from start to end, or a course",
                     .source = IFBAM_WAVE_SOURCES,
                     .example = "[force push]\non    = m1\nvalue = 20 N\nend   = 0.1 s\n",
                     .symbol = "M-20 0h39M10-7l10 7-10 7", .domain = IFBAM_DOMAIN_TRANSLATION,
                     .when_slot = WHEN, .scale_slot = FOLLOW, .fault = force_fault,
                     .time_events = force_time_events)

/* The force's law as a torque on an inertia */

static const IfbamParam torque_params[] = { FORCE_PARAMS ("N m", "torque") };

IFBAM_DEFINE_SOURCE (Torque, torque, ForceLaw, force, .name = "torque",
                     .summary = "torque on an inertia, a function of time",
                     .law = IFBAM_WAVE_FORMULA ("T", "value") "from start to end, or a course",
                     .source = IFBAM_WAVE_SOURCES,
                     .example = "[torque motor]\non    = wheel\nvalue = 3 N m\n",
                     .symbol = "M-20 0h14a10 10 0 1 1 10 10M9 5l-5 5 5 5",
                     .domain = IFBAM_DOMAIN_ROTATION, .when_slot = WHEN, .scale_slot = FOLLOW,
                     .fault = force_fault, .time_events = force_time_events)

/* The force's law as a current into an electrical node */

static const IfbamParam current_source_params[] = { FORCE_PARAMS ("A", "current") };

IFBAM_DEFINE_SOURCE (CurrentSource, current_source, ForceLaw, force, .name = "current-source",
                     .summary = "current into a node, a function of time",
                     .law = IFBAM_WAVE_FORMULA ("I", "value") "from start to end, or a course",
                     .source = IFBAM_WAVE_SOURCES,
                     .example = "[current-source feed]\non    = c1\nvalue = 20 mA\n",
                     .symbol = "M-20 0h6a14 14 0 1 1 28 0 14 14 0 1 1-28 0M-8 0h15M2-5l6 5-6 5",
                     .domain = IFBAM_DOMAIN_ELECTRICITY, .when_slot = WHEN, .scale_slot = FOLLOW,
                     .fault = force_fault, .time_events = force_time_events)

/* The force's law as a pressure on the liquid in a pipe */

static const IfbamParam pressure_source_params[] = { FORCE_PARAMS ("Pa", "pressure") };

IFBAM_DEFINE_SOURCE (PressureSource, pressure_source, ForceLaw, force, .name = "pressure-source",
                     .summary = "pressure on the liquid in a pipe, a function of time",
                     .law = IFBAM_WAVE_FORMULA ("p", "value") "from start to end, or a course",
                     .source = IFBAM_WAVE_SOURCES,
                     .example = "[pressure-source mains]\non    = column\nvalue = 3 bar\n",
                     .symbol = "M-20 0h6a14 14 0 1 1 28 0 14 14 0 1 1-28 0M-8 0h15M2-5l6 5-6 5",
                     .domain = IFBAM_DOMAIN_HYDRAULICS, .when_slot = WHEN, .scale_slot = FOLLOW,
                     .fault = force_fault, .time_events = force_time_events)
