/* ifbam-event.h: something that happened at an instant of a run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * IfbamEvent:
 * @time: when it happened [s]
 * @element: the name of the element that it happened to, with that of its relation if that is a further one
 *   ("floor.friction")
 * @word: what happened: "impact", "rest", "stick", "slip", ...; `ifbam elements CLASS` lists a class's modes
 * @impulse: what was exchanged, in the domain's unit [N s, N m s, C]; 0 where nothing was
 * @rate_before: of the element's compression, just before [m/s, rad/s, V]
 * @rate_after: the same just after
 * @energy_change: of the network by it [J]: a loss is negative
 *
 * Something that happened at a located instant: an impact, a change of a link's mode, an impulse.
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
