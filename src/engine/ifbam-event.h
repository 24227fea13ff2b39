/* ifbam-event.h: an event of a run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * IfbamEvent:
 * @time: time of the event [s]
 * @element: name of the element, with that of its constraint if it has several
 *   ("floor.friction")
 * @word: kind of event: "impact", "rest", "stick", "slip", ...; `ifbam elements CLASS` lists modes
 * @impulse: impulse exchanged, in the domain's unit [N s, N m s, C]; 0 without one
 * @rate_before: rate of the element's compression, just before [m/s, rad/s, V]
 * @rate_after: its rate just after
 * @energy_change: change of the network's energy [J]: a loss is negative
 *
 * An event at a located time: an impact, a change of a link's mode, an impulse.
 */
typedef struct
{
  double time;
  const char *element;
  const char *word;
  double impulse;
  double rate_before;
  double rate_after;
  double energy_change;
} IfbamEvent;

G_END_DECLS
