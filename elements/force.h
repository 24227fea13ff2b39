/* force.h: when a source of any domain starts and ends, and what is wrong with that
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/force-law.h"
#include "model/model.h"
#include "element/source.h"

static char *
force_fault (IfbamElement *element, const char **key)
{
  const ForceLaw *law = (const ForceLaw *) ifbam_element_law (element);

  if (!(law->start < law->end))
    {
      *key = "end";
      return g_strdup_printf ("%g s is not after start, %g s: it would never act", law->end,
                              law->start);
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
