/* active-set-partings.c: keeps slowly separating contacts closed
 *
 * An impact on one of many resting contacts would open all others. A contact that would close again
 * soon, and from a small height, therefore stays closed; an impulse stops it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/active-set-items.h"

#include "event/advance-islands.h"
#include "event/apply-impulses.h"
#include "event/constraint-rows.h"

gboolean
ifbam_active_set_open_separating (IfbamActiveSetSearch *search, double rise)
{
  IfbamEventEngine *self = search->self;
  const double step = self->base.spec->step;
  gboolean changed = FALSE;

  for (guint i = 0; i < search->items->len; i++)
    {
      IfbamActiveSetItem *item = ifbam_active_set_item (search, i);
      const IfbamMagnitudes *scale = ifbam_event_magnitudes (self, item->link);
      const double rate = item->separation_rate;
      double closing;

      if (!(rate > 0) || !item->can_be_active || !item->is_active
          || self->links.state[item->link].is_suspended)
        continue;
      closing = item->reaction * ifbam_link_inverse_mass (self, item->link);
      if (rate * rate <= 2 * scale->position_threshold * closing
          || (rate * rate < 2 * rise * scale->position * closing
              && 2 * rate < IFBAM_REST_TIME * step * closing))
        continue;
      item->can_be_active = item->is_active = FALSE;
      item->reaction = 0;
      changed = TRUE;
    }
  return changed;
}

/* Whether a separating contact stays closed. */
static gboolean
has_separating (const IfbamActiveSetSearch *search)
{
  for (guint i = 0; i < search->items->len; i++)
    if (ifbam_active_set_item_has_reaction (ifbam_active_set_item (search, i))
        && ifbam_active_set_item (search, i)->separation_rate > 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_stopped (const IfbamActiveSetItem *item)
{
  return ifbam_active_set_item_has_reaction (item) || item->is_stopped_too;
}

/* Finds the impulses p (n) of the active constraints that stop separating contacts. Returns n. */
static guint
find_stopping_impulses (const IfbamActiveSetSearch *search, guint32 *links,
                        IfbamConstraintRow *rows, double *p)
{
  IfbamEventEngine *self = search->self;
  double delta;
  guint n = 0;

  for (guint i = 0; i < search->items->len; i++)
    {
      const IfbamActiveSetItem *item = ifbam_active_set_item (search, i);

      if (!is_stopped (item))
        continue;
      p[n] = ifbam_link_rate (self, item->link, &delta);
      ifbam_link_row (self, item->link, 1, &rows[n]);
      links[n++] = item->link;
    }
  ifbam_constraint_system_set (&self->context->system, rows, n, self->nodes.inverse_mass,
                               self->nodes.scratch);
  ifbam_constraint_system_solve (&self->context->system, p, p);
  return n;
}

/* Returns the first opening contact (item) that approaches by the impulses p (n), or IFBAM_NONE. */
static guint
find_pushed_contact (const IfbamActiveSetSearch *search, const IfbamConstraintRow *rows,
                     const double *p, guint n)
{
  IfbamEventEngine *self = search->self;
  double *change = self->context->change;
  guint found = IFBAM_NONE;

  for (guint i = 0; i < n; i++)
    ifbam_row_add_change (&rows[i], p[i], self->nodes.inverse_mass, change);
  for (guint i = 0; i < search->items->len && found == IFBAM_NONE; i++)
    {
      const IfbamActiveSetItem *item = ifbam_active_set_item (search, i);
      IfbamConstraintRow row;
      double rate, delta;

      if (!item->is_contact || !item->can_be_active || is_stopped (item))
        continue;
      rate = ifbam_link_rate (self, item->link, &delta);
      ifbam_link_row (self, item->link, 1, &row);
      if (ifbam_row_get_rate (&row, change, rate)
          > 2 * ifbam_event_magnitudes (self, item->link)->rate_threshold)
        found = i;
    }
  for (guint i = 0; i < n; i++)
    ifbam_row_clear_change (&rows[i], change);
  return found;
}

gboolean
ifbam_active_set_open_pushing_contacts (IfbamActiveSetSearch *search)
{
  const guint all = search->items->len;
  IFBAM_SHORT_LIST (guint32, links, all);
  IFBAM_SHORT_LIST (IfbamConstraintRow, rows, all);
  IFBAM_SHORT_LIST (double, p, all);

  for (guint i = 0; i < all; i++)
    ifbam_active_set_item (search, i)->is_stopped_too = FALSE;
  while (has_separating (search))
    {
      const guint n = find_stopping_impulses (search, links, rows, p);
      const guint pushed = find_pushed_contact (search, rows, p, n);

      if (pushed == IFBAM_NONE)
        break;
      if (ifbam_active_set_open_separating (search, 0))
        return TRUE;
      ifbam_active_set_item (search, pushed)->is_stopped_too = TRUE;
    }
  return FALSE;
}

void
ifbam_active_set_stop_separating (const IfbamActiveSetSearch *search)
{
  const guint all = search->items->len;
  IFBAM_SHORT_LIST (guint32, links, all);
  IFBAM_SHORT_LIST (IfbamConstraintRow, rows, all);
  IFBAM_SHORT_LIST (double, p, all);
  IFBAM_SHORT_LIST (IfbamLinkImpulse, impulses, all);
  guint n;

  if (!has_separating (search))
    return;
  n = find_stopping_impulses (search, links, rows, p);
  for (guint i = 0; i < n; i++)
    impulses[i] = ifbam_link_impulse (links[i], p[i]);
  ifbam_event_apply_impulse_rows (search->self, impulses, n);
}
