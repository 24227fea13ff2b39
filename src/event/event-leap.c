/* event-leap.c: time-stepping fallback for contacts with events that cannot be separated
 *
 * Rigid bodies with friction may have no finite reactions, or endlessly changing ones (Painleve
 * 1895; Stewart 2000, Rigid-body dynamics with friction and impact). The impulses of a short time
 * step always exist (Stewart & Trinkle 1996). Applied at its start, they open the contacts by the
 * height fallen in that time. At its end the contacts close, and the energy of the fall returns.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-leap.h"

#include "event/contact-rows.h"
#include "event/advance-islands.h"
#include "event/apply-impulses.h"

static IfbamContactRow
row_of (IfbamEventEngine *self, guint32 link, double span)
{
  double delta;
  double rate = ifbam_link_rate (self, link, &delta);

  if (span > 0)
    rate += span * ifbam_link_acceleration (self, link);
  return ifbam_contact_row_new (self, link, rate);
}

gboolean
ifbam_event_time_step_contacts (IfbamEventEngine *self, double time, const guint32 *contacts,
                                guint n, double span, const char *word)
{
  IFBAM_SHORT_LIST (IfbamContactRow, rows, 2 * n);
  IFBAM_SHORT_LIST (guint32, links, 2 * n);
  IFBAM_SHORT_LIST (IfbamLinkImpulse, impulses, 2 * n);
  gboolean some = FALSE;
  guint all = n;

  for (guint i = 0; i < n; i++)
    {
      links[i] = contacts[i];
      rows[i] = row_of (self, contacts[i], span);
    }
  for (guint i = 0; i < n; i++)
    IFBAM_FOR_IMPACT_FRICTIONS (carried, contacts[i])
    {
      links[all] = carried;
      rows[all] = row_of (self, carried, span);
      ifbam_contact_row_set_carrier (&rows[all++], i,
                                     ifbam_link_constraint (self, carried).coulomb);
    }
  if (all == n
      || ifbam_event_solve_contact (self, time, rows, all, 0, NULL) != IFBAM_CONTACT_SOLVED)
    return FALSE;
  for (guint i = 0; i < all; i++)
    {
      impulses[i] = ifbam_link_impulse (links[i], ifbam_contact_row_impulse (&rows[i]));
      some |= impulses[i].p != 0;
    }
  if (some)
    ifbam_event_apply_impulses_with_friction (self, time, impulses, n, all - n, 0, word, TRUE);
  return some || span > 0;
}
