/* force.c: a force on a node, a function of time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/force-law.h"
#include "base/number-text.h"
#include "element/element-instants.h"
#include "element/source.h"

/* f: the unit; what: the force, torque or current */
#define FORCE_PARAMS(f, what)                                                                      \
  IFBAM_PARAM (ForceLaw, value, "value", f, -G_MAXDOUBLE, G_MAXDOUBLE, 0, "its steady part"),      \
      IFBAM_PARAM (ForceLaw, amplitude, "amplitude", f, -G_MAXDOUBLE, G_MAXDOUBLE, 0,              \
                   "of its oscillation"),                                                          \
      IFBAM_PARAM (ForceLaw, frequency, "frequency", "Hz", 0, G_MAXDOUBLE, 0,                      \
                   "of its oscillation"),                                                          \
      IFBAM_PARAM (ForceLaw, phase, "phase", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,                  \
                   "of its oscillation at t = 0"),                                                 \
      IFBAM_PARAM (ForceLaw, start, "start", "s", -G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE,         \
                   "before it the " what " is 0"),                                                 \
      IFBAM_PARAM (ForceLaw, end, "end", "s", -G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE,              \
                   "from it on the " what " is 0"),                                                \
      IFBAM_PARAM_ON, IFBAM_PARAM_COURSE (f)

static char *
force_fault (IfbamElement *element, const char **key)
{
  const ForceLaw *law = (const ForceLaw *) ifbam_element_law (element);

  if (!(law->start < law->end))
    {
      *key = "end";
      return g_strdup_printf ("%s s is not after start, %s s: it would never act",
                              IFBAM_NUMBER (law->end), IFBAM_NUMBER (law->start));
    }
  return ifbam_element_course_fault (element, "value, amplitude, frequency, phase", key);
}

static void
force_instants (const IfbamElement *element, GArray *instants)
{
  const ForceLaw *law = (const ForceLaw *) ifbam_element_law (element);
  const IfbamInstant start = { .time = law->start }, end = { .time = law->end };

  /* What is over before the run is none of its events. */
  if (law->start > 0)
    g_array_append_val (instants, start);
  if (law->end > 0 && law->end < G_MAXDOUBLE)
    g_array_append_val (instants, end);
}

static const IfbamParam force_params[] = { FORCE_PARAMS ("N", "force") };

IFBAM_DEFINE_SOURCE (Force, force, ForceLaw, force, .name = "force",
                     .summary = "force on a node, a function of time",
                     .law = "F = value + amplitude * sin(2 pi frequency * t + phase) from start to "
                            "end, or a course",
                     .source = "harmonic excitation; a course is interpolated by cubics, "
                               "de Boor 1978, chapter IV",
                     .example = "[force push]\non    = m1\nvalue = 20 N\nend   = 0.1 s\n",
                     .symbol = "M-20 0h39M10-7l10 7-10 7", .domain = IFBAM_DOMAIN_TRANSLATION,
                     .fault = force_fault, .instants = force_instants)

/* The force's law as a torque on an inertia */

static const IfbamParam torque_params[] = { FORCE_PARAMS ("N m", "torque") };

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

/* The force's law as a current into an electrical node */

static const IfbamParam current_source_params[] = { FORCE_PARAMS ("A", "current") };

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

/* The force's law as a pressure on the liquid in a pipe */

static const IfbamParam pressure_source_params[] = { FORCE_PARAMS ("Pa", "pressure") };

IFBAM_DEFINE_SOURCE (PressureSource, pressure_source, ForceLaw, force, .name = "pressure-source",
                     .summary = "pressure on the liquid in a pipe, a function of time",
                     .law = "p = value + amplitude * sin(2 pi frequency * t + phase) from start to "
                            "end, or a course",
                     .source = "harmonic excitation; a course is interpolated by cubics, "
                               "de Boor 1978, chapter IV",
                     .example = "[pressure-source mains]\non    = column\nvalue = 3 bar\n",
                     .symbol = "M-20 0h6a14 14 0 1 1 28 0 14 14 0 1 1-28 0M-8 0h15M2-5l6 5-6 5",
                     .domain = IFBAM_DOMAIN_HYDRAULICS, .fault = force_fault,
                     .instants = force_instants)
