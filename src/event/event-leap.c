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

#include "event/contact-rows.h"
#include "event/advance-islands.h"
#include "event/apply-impulses.h"
#include "event/constraint-reactions.h"

static IfbamContactRow
row_of (IfbamEventEngine *self, guint32 link, double span)
{
  double delta;
  double rate = ifbam_link_rate (self, link, &delta);

  if (span > 0)
    rate += span * ifbam_link_acceleration (self, link);
  return ifbam_contact_row_new (self, link, rate,
                                0.25 * ifbam_event_extent (self, link)->rate_floor);
}

gboolean
ifbam_event_leap (IfbamEventEngine *self, double time, const guint32 *contacts, guint n,
                  double span, const char *word)
{
  IFBAM_LIST (IfbamContactRow, rows, 2 * n);
  IFBAM_LIST (guint32, links, 2 * n);
  IFBAM_LIST (double, p, 2 * n);
  IFBAM_LIST (double, lost, 2 * n);
  gboolean some = FALSE;
  guint all = n;

  for (guint i = 0; i < n; i++)
    {
      links[i] = contacts[i];
      rows[i] = row_of (self, contacts[i], span);
    }
  for (guint i = 0; i < n; i++)
    IFBAM_FOR_BRAKES (carried, contacts[i])
    {
      links[all] = carried;
      rows[all] = row_of (self, carried, span);
      ifbam_contact_row_set_carrier (&rows[all++], i, ifbam_link_relation (self, carried).coulomb);
    }
  if (all == n
      || ifbam_event_solve_contact (self, time, rows, all, 0, NULL) != IFBAM_CONTACT_SOLVED)
    return FALSE;
  for (guint i = 0; i < all; i++)
    {
      p[i] =
          rows[i].kind == IFBAM_CONTACT_UNILATERAL ? MAX (rows[i].lambda[0], 0) : rows[i].lambda[0];
      lost[i] = NAN;
      some |= p[i] != 0;
    }
  if (some)
    ifbam_event_give_rubbing (self, time, links, n, all - n, 0, p, lost, word, TRUE);
  return some || span > 0;
}
