/* event-adhere.c: slip arrest: an impulse ends a slip that falls below the sticking threshold
 *
 * The impulse is a completely inelastic impact (Zimmer & Cellier 2007, p = 2 m u / 7 of a solid
 * ball). The active constraints of the islands transmit it: all are rows of one contact problem.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-adhere.h"
#include "event/event-context.h"

#include "event/slip-direction.h"
#include "event/advance-islands.h"
#include "event/apply-impulses.h"
#include "event/contact-rows.h"
#include "event/event-links.h"
#include "event/event-log.h"

static gboolean
is_arrested (const IfbamEventEngine *self, const IfbamCandidate *fired)
{
  return fired->link != IFBAM_NONE && fired->guard.kind == IFBAM_GUARD_RATE
         && ifbam_link_constraint (self, fired->link).kind == IFBAM_CONSTRAINT_FRICTION
         && ifbam_link_constraint (self, fired->link).adhesion > 0 && fired->guard.offset != 0;
}

/* Appends the active constraints of a link's islands to links, and each island once to islands. */
static void
add_active_constraints (IfbamEventEngine *self, GArray *links, GArray *islands, guint32 link)
{
  guint32 own[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, link, own);

  for (guint k = 0; k < n; k++)
    {
      const GArray *rows = ifbam_island (self, own[k])->rows;
      gboolean known = FALSE;

      for (guint i = 0; i < islands->len; i++)
        known |= g_array_index (islands, guint32, i) == own[k];
      if (known)
        continue;
      g_array_append_val (islands, own[k]);
      if (rows != NULL && rows->len > 0)
        g_array_append_vals (links, rows->data, rows->len);
    }
}

void
ifbam_event_arrest_slip (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  g_autoptr (GArray) links = NULL;
  g_autoptr (GArray) islands = NULL;
  guint stopped = 0;
  double delta;

  for (guint i = 0; i < n; i++)
    {
      if (!is_arrested (self, &fired[i]))
        continue;
      if (links == NULL)
        {
          links = g_array_new (FALSE, FALSE, sizeof (guint32));
          islands = g_array_new (FALSE, FALSE, sizeof (guint32));
        }
      if (ifbam_link (self, fired[i].link)->leads)
        ifbam_event_set_slip_direction (self, fired[i].link, NULL);
      g_array_append_val (links, fired[i].link);
    }
  if (links == NULL)
    return;
  stopped = links->len;
  for (guint i = 0; i < stopped; i++)
    if (ifbam_link (self, g_array_index (links, guint32, i))->leads)
      {
        const guint32 across = g_array_index (links, guint32, i) + 1;

        g_array_append_val (links, across);
      }
  for (guint i = 0; i < stopped; i++)
    add_active_constraints (self, links, islands, g_array_index (links, guint32, i));

  const guint all = links->len;
  const guint32 *index = (const guint32 *) (gpointer) links->data;
  IFBAM_SHORT_LIST (IfbamContactRow, rows, all);
  IFBAM_SHORT_LIST (IfbamLinkImpulse, impulses, all);

  for (guint i = 0; i < all; i++)
    {
      const double rate = ifbam_link_rate (self, index[i], &delta);

      rows[i] = ifbam_contact_row_new (self, index[i], rate);
      rows[i].piece = IFBAM_CONTACT_CLOSED;
      if (rows[i].kind == IFBAM_CONTACT_FRICTION)
        rows[i].kind = IFBAM_CONTACT_BILATERAL;
    }
  if (ifbam_event_solve_contact (self, time, rows, all,
                                 IFBAM_CONTACT_FROM_GUESS | IFBAM_CONTACT_KEEPS_IDLE, NULL)
      != IFBAM_CONTACT_SOLVED)
    ifbam_event_fail (self, time, index, all, "no impulses are found for the sticking contacts at ",
                      "");
  for (guint i = 0; i < all; i++)
    impulses[i] = ifbam_link_impulse (index[i], ifbam_contact_row_impulse (&rows[i]));
  ifbam_event_apply_impulse_rows (self, impulses, all);
  self->context->has_impulse = TRUE;
  for (guint i = 0; i < stopped; i++)
    ifbam_event_log_add (self, time, &impulses[i], "adhere");
  ifbam_event_add_touched (self, time, impulses, all);
}
