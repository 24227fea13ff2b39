/* force.h: the instants at which a source of any domain starts and ends
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "force-law.h"
#include "plan.h"
#include "source.h"

static void
force_instants (const IfbamElement *element, GArray *instants)
{
  const ForceLaw *law = (const ForceLaw *) ifbam_element_law (element);
  const IfbamInstant start = { .time = law->start }, end = { .time = law->end };

  if (!(law->start < law->end))
    return;
  /* What is over before the run is none of its events. */
  if (law->start > 0)
    g_array_append_val (instants, start);
  if (law->end > 0 && law->end < G_MAXDOUBLE)
    g_array_append_val (instants, end);
}
