/* whole-components.c: components with unbatched links or impulses, each advanced by one process
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/whole-components.h"

#include "base/union-find.h"
#include "run/compiled-part.h"

static void
unite_nodes (guint32 *parent, const IfbamModel *whole, const guint32 *node, guint n, guint32 *first)
{
  for (guint e = 0; e < n; e++)
    {
      const guint32 number =
          node[e] < whole->n_free ? ifbam_model_file_index (whole, node[e]) : IFBAM_NO_NODE;

      if (number == IFBAM_NO_NODE)
        continue;
      if (*first != IFBAM_NO_NODE)
        ifbam_union_find_unite (parent, *first, number);
      *first = number;
    }
}

guint32 *
ifbam_ranks_find_components (const IfbamModel *whole)
{
  guint32 *parent = g_new (guint32, whole->n_free + 1);

  ifbam_union_find_init (parent, whole->n_free);
  for (IfbamLinkIter at = ifbam_links (whole, IFBAM_LINKS_STORED); ifbam_link_iter_next (&at);)
    {
      guint32 first = IFBAM_NO_NODE;

      unite_nodes (parent, whole, at.link->node, 2 + at.link->n_states, &first);
    }
  return parent;
}

/* Unites the nodes of links at a given node with scheduled motion changes. */
static void
unite_given_neighbours (guint32 *parent, const IfbamModel *whole, guint32 given)
{
  guint32 first = IFBAM_NO_NODE;

  for (IfbamLinkIter at = ifbam_links (whole, IFBAM_LINKS_STORED | IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    for (guint e = 0; e < at.link->n_ports; e++)
      if (at.link->node[e] == given)
        unite_nodes (parent, whole, at.link->node, at.link->n_ports, &first);
}

static guint32
first_of_link (const IfbamModel *whole, guint32 single)
{
  const IfbamLink *link = ifbam_unbatched_link (whole, single);

  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < whole->n_free)
      return link->node[e];
  return link->node[0];
}

/* Unites the nodes that modes and impulses may join (event/clusters.h). */
static void
unite_by_modes (guint32 *parent, const IfbamModel *whole)
{
  const GArray *given[] = { whole->time_events, whole->recurrent };

  for (const IfbamLink *link = NULL; ifbam_unbatched_next (whole, &link);)
    {
      guint32 first = IFBAM_NO_NODE;

      unite_nodes (parent, whole, link->node, link->n_ports + link->n_states, &first);
      for (guint k = 0; k < link->n_carriers && ifbam_link_is_carried (link); k++)
        unite_nodes (parent, whole, &(guint32){ first_of_link (whole, link->carrier + k) }, 1,
                     &first);
      if (link->normal_force != NULL && link->normal_force->single != IFBAM_NO_NODE)
        unite_nodes (parent, whole, &(guint32){ first_of_link (whole, link->normal_force->single) },
                     1, &first);
    }
  for (guint i = 0; i < whole->impulses->len; i++)
    {
      const IfbamImpulse *impulse = &g_array_index (whole->impulses, IfbamImpulse, i);
      guint32 first = IFBAM_NO_NODE;

      unite_nodes (parent, whole, impulse->node, impulse->n_nodes, &first);
      if (impulse->trigger != IFBAM_NO_NODE)
        unite_nodes (parent, whole, &(guint32){ first_of_link (whole, impulse->trigger) }, 1,
                     &first);
    }
  for (guint i = 0; i < whole->switched_elements->len; i++)
    {
      const IfbamSwitchedElement *switched_element =
          &g_array_index (whole->switched_elements, IfbamSwitchedElement, i);
      const guint32 both[] = { first_of_link (whole, switched_element->monitor),
                               first_of_link (whole, switched_element->number) };
      guint32 first = IFBAM_NO_NODE;

      unite_nodes (parent, whole, both, 2, &first);
    }
  for (guint k = 0; k < G_N_ELEMENTS (given); k++)
    for (guint i = 0; i < given[k]->len; i++)
      if (g_array_index (given[k], IfbamTimeEvent, i).kind == IFBAM_TIME_EVENT_MOTION)
        unite_given_neighbours (
            parent, whole,
            (guint32) (whole->n_free + g_array_index (given[k], IfbamTimeEvent, i).index));
  for (guint f = 0; f < whole->node_families->len; f++)
    {
      const IfbamSpan *span = &g_array_index (whole->node_families, IfbamSpan, f);
      const guint32 both[] = { ifbam_model_element_index (whole, span->element).index,
                               (guint32) span->first };
      guint32 first = IFBAM_NO_NODE;

      if (span->element->info->n_coordinates > 1)
        unite_nodes (parent, whole, both, 2, &first);
    }
}

/* A component that one rank advances whole. */
typedef struct
{
  guint32 root;
  gsize size;
} Whole;

static int
compare_wholes (gconstpointer a, gconstpointer b)
{
  const Whole *one = a, *other = b;

  return one->size != other->size   ? (one->size < other->size ? 1 : -1)
         : one->root != other->root ? (one->root < other->root ? -1 : 1)
                                    : 0;
}

guint8 *
ifbam_ranks_assign_components (const IfbamModel *whole, int n_ranks, gint32 *owner)
{
  g_autofree guint32 *parent = NULL;
  g_autofree gsize *size = NULL, *load = NULL;
  g_autoptr (GArray) wholes = g_array_new (FALSE, FALSE, sizeof (Whole));
  guint8 *mark;

  if (whole->unbatched_links->len + whole->impulses->len == 0)
    return NULL;
  parent = ifbam_ranks_find_components (whole);
  unite_by_modes (parent, whole);
  size = g_new0 (gsize, whole->n_free + 1);
  load = g_new0 (gsize, n_ranks);
  mark = g_malloc0 (whole->n_free + 1);
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (whole, &link);)
    for (guint e = 0; e < link->n_ports + link->n_states; e++)
      if (link->node[e] < whole->n_free)
        mark[ifbam_union_find_root (parent, ifbam_model_file_index (whole, link->node[e]))] = 1;
  for (guint i = 0; i < whole->impulses->len; i++)
    {
      const IfbamImpulse *impulse = &g_array_index (whole->impulses, IfbamImpulse, i);

      for (guint e = 0; e < impulse->n_nodes; e++)
        if (impulse->node[e] < whole->n_free)
          mark[ifbam_union_find_root (parent, ifbam_model_file_index (whole, impulse->node[e]))] =
              1;
    }
  for (guint32 i = 0; i < whole->n_free; i++)
    {
      mark[i] = mark[ifbam_union_find_root (parent, i)];
      size[ifbam_union_find_root (parent, i)]++;
    }
  for (guint32 i = 0; i < whole->n_free; i++)
    if (mark[i] && ifbam_union_find_root (parent, i) == i)
      g_array_append_val (wholes, ((Whole){ i, size[i] }));
  g_array_sort (wholes, compare_wholes);
  for (guint i = 0; i < wholes->len; i++)
    {
      const Whole *one = &g_array_index (wholes, Whole, i);
      int least = 0;

      for (int r = 1; r < n_ranks; r++)
        if (load[r] < load[least])
          least = r;
      load[least] += one->size;
      owner[one->root] = least;
    }
  for (guint32 i = 0; i < whole->n_free; i++)
    if (mark[i])
      owner[i] = owner[ifbam_union_find_root (parent, i)];
  return mark;
}
