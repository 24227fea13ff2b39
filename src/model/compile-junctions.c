/* compile-junctions.c: massless nodes: check that forces determine their motion
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "model/compile-junctions.h"

#include "base/union-find.h"
#include "element/element.h"

/* Inertia of a junction relative to others of the domain: so small that it gets hardly any part of
 * impulses and reactions, and large enough for well-conditioned matrices. */
#define JUNCTION_INERTIA_RATIO 1e-9

static void
join (guint32 *parent, const guint32 *node, guint n)
{
  for (guint e = 1; e < n; e++)
    ifbam_union_find_unite (parent, node[0], node[e]);
}

/* Joins the nodes that an unbatched link moves. */
static void
join_unbatched (guint32 *parent, const IfbamLink *link)
{
  static const double still[IFBAM_MAX_PORTS] = { 0 };
  double row[IFBAM_MAX_PORTS], delta;
  guint32 pulled[IFBAM_MAX_PORTS];
  guint n = 0;

  if (link->geometry->force_direction == NULL)
    {
      join (parent, link->node, link->n_ports);
      return;
    }
  link->geometry->measure (link->shape, still, still, &delta, row);
  link->geometry->force_direction (link->shape, row);
  for (guint e = 0; e < link->n_ports; e++)
    if (row[e] != 0)
      pulled[n++] = link->node[e];
  join (parent, pulled, n);
}

/* Returns a union-find of the nodes that links join, in any mode (n_nodes, transfer full). */
static guint32 *
find_parts (const IfbamCompiler *compiler)
{
  const IfbamModel *model = compiler->model;
  guint32 *parent = g_new (guint32, model->n_nodes + 1);

  ifbam_union_find_init (parent, model->n_nodes);
  for (guint i = 0; i < compiler->left->len; i++)
    {
      const guint32 end[2] = { g_array_index (compiler->left, guint32, i),
                               g_array_index (compiler->right, guint32, i) };

      join (parent, end, 2);
    }
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    if (link->info->signal_slot == 0)
      join_unbatched (parent, link);
  return parent;
}

/* Reduces `least` (IFBAM_N_DOMAINS) to the inertias that junctions have by a link with a constant row:
 * of an inertia behind a ratio, m times the square of the ratio of speeds. */
static void
include_reflected (const IfbamModel *model, const IfbamLink *link, double *least)
{
  static const double still[IFBAM_MAX_PORTS] = { 0 };
  double row[IFBAM_MAX_PORTS], delta;

  if (!ifbam_link_is_fixed (link) || link->geometry->velocity_term != NULL
      || link->geometry->force_direction != NULL)
    return;
  link->geometry->measure (link->shape, still, still, &delta, row);
  for (guint j = 0; j < link->n_ports; j++)
    for (guint e = 0; e < link->n_ports; e++)
      if (ifbam_model_is_junction (model, link->node[j]) && row[j] != 0 && row[e] != 0
          && link->node[e] < model->n_free && !ifbam_model_is_junction (model, link->node[e]))
        {
          double *own = &least[ifbam_model_node_domain (model, link->node[j])];

          *own = MIN (*own, ifbam_model_inertia (model, link->node[e]) * (row[j] / row[e])
                                * (row[j] / row[e]));
        }
}

/* Stores the least inertia of each domain; 1: none. */
static void
find_least_inertia (const IfbamModel *model, double *least)
{
  for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
    least[d] = INFINITY;
  for (gsize i = 0; i < ifbam_model_n_named_free (model); i++)
    {
      const IfbamDomain domain = ifbam_model_node_domain (model, i);

      if (!ifbam_model_is_junction (model, i) && ifbam_model_inertia (model, i) < least[domain])
        least[domain] = ifbam_model_inertia (model, i);
    }
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    include_reflected (model, link, least);
  for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
    if (isinf (least[d]))
      least[d] = 1;
}

/* Stores the count of links and sources at each node (n_nodes). */
static void
count_acting (const IfbamCompiler *compiler, guint32 *count)
{
  const IfbamModel *model = compiler->model;

  for (guint i = 0; i < compiler->left->len; i++)
    {
      count[g_array_index (compiler->left, guint32, i)]++;
      count[g_array_index (compiler->right, guint32, i)]++;
    }
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    for (guint e = 0; e < link->n_ports && link->info->signal_slot == 0; e++)
      count[link->node[e]]++;
  for (guint i = 0; i < compiler->source_nodes->len; i++)
    count[g_array_index (compiler->source_nodes, guint32, i)]++;
}

/* Reports each junction with only the end of a branch: no force can act there, and the junction's
 * rate is undetermined in Newton's method. */
static void
check_loose_ends (IfbamCompiler *compiler)
{
  const IfbamModel *model = compiler->model;
  g_autofree guint32 *count = g_new0 (guint32, model->n_nodes + 1);

  count_acting (compiler, count);
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    {
      const gboolean is_branch =
          link->info == &ifbam_branch_distance_info || link->info == &ifbam_branch_difference_info;

      for (guint e = 0; e < link->n_ports && is_branch; e++)
        if (count[link->node[e]] == 1 && ifbam_model_is_junction (model, link->node[e]))
          {
            g_autofree char *name = ifbam_model_node_name (model, link->node[e]);

            ifbam_compiler_add_issue (
                compiler, link->element, "between",
                g_strdup_printf (
                    "nothing else is joined to junction \"%s\", so this element has no "
                    "effect (join another link to \"%s\", or remove this element)",
                    name, name));
          }
    }
}

void
ifbam_compiler_check_junctions (IfbamCompiler *compiler)
{
  IfbamModel *model = compiler->model;
  g_autofree guint32 *parent = NULL;
  g_autofree guint8 *stands = NULL;
  double least[IFBAM_N_DOMAINS];

  if (model->n_junctions == 0)
    return;
  check_loose_ends (compiler);
  parent = find_parts (compiler);
  stands = g_new0 (guint8, model->n_nodes + 1);
  for (guint32 i = 0; i < model->n_nodes; i++)
    if (!ifbam_model_is_junction (model, i) && !ifbam_model_is_state_node (model, i)
        && !ifbam_model_is_tied (model, i))
      stands[ifbam_union_find_root (parent, i)] = TRUE;
  find_least_inertia (model, least);
  for (guint32 i = 0; i < model->n_free; i++)
    {
      const IfbamDomain domain = ifbam_model_node_domain (model, i);
      const char *node = ifbam_domain_info (domain)->node;
      gsize member;

      if (!ifbam_model_is_junction (model, i))
        continue;
      model->inverse_inertia[i] = 1 / (JUNCTION_INERTIA_RATIO * least[domain]);
      if (!stands[ifbam_union_find_root (parent, i)])
        ifbam_compiler_add_issue (
            compiler, ifbam_model_node_span (model, i, &member)->element, NULL,
            g_strdup_printf (
                "it floats: nothing that is joined to it has inertia or is given (join it, by a "
                "link, to %s %s or a [%s])",
                strchr ("aeiou", *node) != NULL ? "an" : "a", node,
                ifbam_domain_info (domain)->given));
    }
}
