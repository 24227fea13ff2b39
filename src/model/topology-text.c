/* topology-text.c: a model as text: its elements and connections
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/links.h"

/* Appends "spring k1", or "spring c.k1 c.k99" for members. */
static void
add_span (GString *text, const IfbamSpan *span)
{
  g_autofree char *first = ifbam_span_name (span, 0);

  g_string_append_printf (text, "%s %s", span->info->name, first);
  if (span->count > 1)
    {
      g_autofree char *last = ifbam_span_name (span, span->count - 1);

      g_string_append_printf (text, " … %s", last);
    }
}

static void
add_node (GString *text, const IfbamModel *model, guint32 node)
{
  g_autofree char *name = ifbam_model_node_name (model, node);

  g_string_append_printf (text, " %s", name);
}

/* Appends the nodes that a link joins, by its index. */
static void
add_ends (GString *text, const IfbamModel *model, gsize index)
{
  IfbamLinkIter at = ifbam_links (model, 0);

  ifbam_link_iter_seek (&at, index);
  for (guint e = 0; e < at.link->n_ports; e++)
    add_node (text, model, at.link->node[e]);
}

static void
add_spans (GString *text, const IfbamModel *model, const GArray *spans, gboolean links)
{
  for (guint s = 0; s < spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (spans, IfbamSpan, s);

      add_span (text, span);
      if (links)
        {
          const gsize first = span->first + span->phase;

          g_string_append (text, ":");
          add_ends (text, model, first);
          if (span->count > 1)
            {
              g_string_append (text, " …");
              add_ends (text, model, first + (span->count - 1) * span->stride);
            }
        }
      g_string_append (text, "\n");
    }
}

/* Returns a hash of the links' slots (Fowler, Noll and Vo, 64 bits): parameters affect slots. */
static guint64
hash_slots (const IfbamModel *model)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (gsize i = 0; i < model->n_links; i++)
    hash = (hash ^ model->link_slot[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

char *
ifbam_model_structure (const IfbamModel *model, gboolean slots)
{
  GString *text = g_string_new (NULL);

  add_spans (text, model, model->node_spans, FALSE);
  add_spans (text, model, model->link_spans, TRUE);
  for (gsize first = 0, next; first < model->n_sources; first = next)
    {
      const IfbamSource *source = ifbam_model_source_of (model, first);

      for (next = first + 1; next < model->n_sources && model->sources->pdata[next] == source;)
        next++;
      g_string_append_printf (text, "%s %s:", source->info->name, source->name);
      add_node (text, model, model->source_node[first]);
      if (next > first + 1)
        {
          g_string_append (text, " …");
          add_node (text, model, model->source_node[next - 1]);
        }
      g_string_append (text, "\n");
    }
  for (guint i = 0; i < model->unbatched_links->len; i++)
    {
      const IfbamLink *link = ifbam_unbatched_link (model, i);

      g_string_append_printf (text, "%s %s:", link->info->name, link->name);
      add_ends (text, model, model->n_links + i);
      g_string_append (text, "\n");
    }
  for (guint i = 0; i < model->impulses->len; i++)
    {
      const IfbamImpulse *impulse = &g_array_index (model->impulses, IfbamImpulse, i);

      g_string_append_printf (text, "%s %s:", impulse->element->info->name, impulse->element->name);
      for (guint e = 0; e < impulse->n_nodes; e++)
        add_node (text, model, impulse->node[e]);
      g_string_append (text, "\n");
    }
  if (slots)
    g_string_append_printf (text, "slots %" G_GUINT64_FORMAT "\n", hash_slots (model));
  return g_string_free (text, FALSE);
}
