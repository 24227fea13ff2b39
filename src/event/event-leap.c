/* event-leap.c: contacts whose events can't be told apart go on by what they push in a while
 *
 * Rigid bodies with friction may have no reactions at all, or ones that come and go without end in no time (Painleve 1895;
 * Stewart 2000, Rigid-body dynamics with friction and impact). What they push within a while always is there (Stewart &
 * Trinkle 1996): it is given at the while's beginning, so that they part by what they would have fallen toward each
 * other, and meet again after it. What that lifts they give back, and lose it again where they meet.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-leap.h"

#include "event/event-bounds.h"
#include "event/advance-islands.h"
#include "event/apply-impulses.h"
#include "event/constraint-reactions.h"

/* So many ways are tried. */
#define ATTEMPTS 5

static IfbamBound
bound_of (IfbamEventEngine *self, guint32 link, double span)
{
  double delta;
  IfbamBound bound = { .asked = ifbam_link_rate (self, link, &delta), .carrier = IFBAM_NONE };

  if (span > 0)
    bound.asked += span * ifbam_link_acceleration (self, link);
  ifbam_link_row (self, link, 1, &bound.row);
  return bound;
}

gboolean
ifbam_event_leap (IfbamEventEngine *self, double time, const guint32 *contacts, guint n,
                  double span, const char *word)
{
  IFBAM_LIST (IfbamBound, first, 2 * n);
  IFBAM_LIST (IfbamBound, bounds, 2 * n);
  IFBAM_LIST (guint32, links, 2 * n);
  IFBAM_LIST (double, p, 2 * n);
  IFBAM_LIST (double, lost, 2 * n);
  const guint attempts = span > 0 ? ATTEMPTS : 1;
  gboolean found = FALSE, some = FALSE;
  guint all = n;

  for (guint i = 0; i < n; i++)
    {
      links[i] = contacts[i];
      first[i] = bound_of (self, contacts[i], span);
      first[i].active = first[i].asked > 0;
      first[i].bilateral =
          ifbam_relation_is_bilateral (ifbam_link_relation (self, contacts[i]).kind);
    }
  for (guint i = 0; i < n; i++)
    IFBAM_FOR_BRAKES (carried, contacts[i])
    {
      links[all] = carried;
      first[all] = bound_of (self, carried, span);
      first[all].bilateral = TRUE;
      first[all].carrier = i;
      first[all++].friction = ifbam_link_relation (self, carried).coulomb;
    }
  for (guint attempt = 0; attempt < attempts && all > n && !found; attempt++)
    {
      for (guint i = 0; i < all; i++)
        bounds[i] = first[i];
      found =
          ifbam_event_pivot (self, bounds, all, attempt) && ifbam_event_push_of (self, bounds, all);
    }
  if (!found)
    return FALSE;
  for (guint i = 0; i < all; i++)
    {
      p[i] = bounds[i].bilateral ? bounds[i].lambda : MAX (bounds[i].lambda, 0);
      lost[i] = NAN;
      some |= p[i] != 0;
    }
  if (some)
    ifbam_event_give_rubbing (self, time, links, n, all - n, 0, p, lost, word, TRUE);
  return some || span > 0;
}
