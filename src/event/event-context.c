/* event-context.c: working data of one event
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-context.h"

#include <string.h>

IfbamEventContext *
ifbam_event_context_new (gsize n_links, gsize n_nodes)
{
  IfbamEventContext *self = g_new0 (IfbamEventContext, 1);

  self->contact = ifbam_contact_workspace_new ();
  self->links = g_array_new (FALSE, FALSE, sizeof (IfbamEventLink));
  self->link_index = g_new (guint32, n_links + 1);
  memset (self->link_index, 0xff, (n_links + 1) * sizeof (guint32));
  self->impulse_nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->chains = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->participants = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->jumped = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->change = g_new0 (double, n_nodes + 1);
  return self;
}

void
ifbam_event_context_free (IfbamEventContext *self)
{
  g_array_unref (self->links);
  g_free (self->link_index);
  g_array_unref (self->impulse_nodes);
  g_array_unref (self->participants);
  g_array_unref (self->chains);
  g_array_unref (self->jumped);
  g_clear_pointer (&self->approaching, g_array_unref);
  g_clear_pointer (&self->slow, g_array_unref);
  g_clear_pointer (&self->active_items, g_array_unref);
  g_clear_pointer (&self->transmitting, g_array_unref);
  g_clear_pointer (&self->bilateral, g_array_unref);
  ifbam_contact_workspace_free (self->contact);
  ifbam_constraint_system_clear (&self->system);
  g_free (self->change);
  g_free (self);
}

void
ifbam_event_context_clear (IfbamEventContext *self)
{
  for (guint i = 0; i < self->links->len; i++)
    self->link_index[g_array_index (self->links, IfbamEventLink, i).link] = IFBAM_NONE;
  ifbam_array_clear (self->links);
  ifbam_array_clear (self->impulse_nodes);
  ifbam_array_clear (self->participants);
  ifbam_array_clear (self->chains);
  ifbam_array_clear (self->jumped);
  g_clear_pointer (&self->bilateral, g_array_unref);
}

IfbamEventLink *
ifbam_event_context_get (IfbamEventContext *self, guint32 link)
{
  const IfbamEventLink part = { .link = link };

  if (self->link_index[link] == IFBAM_NONE)
    {
      self->link_index[link] = self->links->len;
      g_array_append_val (self->links, part);
    }
  return &g_array_index (self->links, IfbamEventLink, self->link_index[link]);
}
