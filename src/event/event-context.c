/* event-context.c: working data of one event
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-context.h"

#include <string.h>

IfbamPlay *
ifbam_play_new (gsize n_links, gsize n_nodes)
{
  IfbamPlay *self = g_new0 (IfbamPlay, 1);

  self->contact = ifbam_contact_workspace_new ();
  self->parts = g_array_new (FALSE, FALSE, sizeof (IfbamPart));
  self->part_of = g_new (guint32, n_links + 1);
  memset (self->part_of, 0xff, (n_links + 1) * sizeof (guint32));
  self->struck = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->companions = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->in_play = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->tripped = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->change = g_new0 (double, n_nodes + 1);
  return self;
}

void
ifbam_play_free (IfbamPlay *self)
{
  g_array_unref (self->parts);
  g_free (self->part_of);
  g_array_unref (self->struck);
  g_array_unref (self->in_play);
  g_array_unref (self->companions);
  g_array_unref (self->tripped);
  g_clear_pointer (&self->approaching, g_array_unref);
  g_clear_pointer (&self->slow, g_array_unref);
  g_clear_pointer (&self->active_items, g_array_unref);
  g_clear_pointer (&self->ties, g_array_unref);
  g_clear_pointer (&self->bilateral, g_array_unref);
  ifbam_contact_workspace_free (self->contact);
  ifbam_reactions_clear (&self->system);
  g_free (self->change);
  g_free (self);
}

void
ifbam_play_end (IfbamPlay *self)
{
  for (guint i = 0; i < self->parts->len; i++)
    self->part_of[g_array_index (self->parts, IfbamPart, i).link] = IFBAM_NONE;
  ifbam_empty (self->parts);
  ifbam_empty (self->struck);
  ifbam_empty (self->in_play);
  ifbam_empty (self->companions);
  ifbam_empty (self->tripped);
  g_clear_pointer (&self->bilateral, g_array_unref);
}

IfbamPart *
ifbam_play_part (IfbamPlay *self, guint32 link)
{
  const IfbamPart part = { .link = link };

  if (self->part_of[link] == IFBAM_NONE)
    {
      self->part_of[link] = self->parts->len;
      g_array_append_val (self->parts, part);
    }
  return &g_array_index (self->parts, IfbamPart, self->part_of[link]);
}
