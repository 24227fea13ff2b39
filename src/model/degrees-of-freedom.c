/* degrees-of-freedom.c: degrees of freedom of a mechanism at its start, and redundant constraints
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/degrees-of-freedom.h"
#include "model/links.h"

#include <math.h>
#include <string.h>

#include "base/compare.h"
#include "constraint/constraint.h"

/* Redundant constraints for which the dependence is stored. */
#define MAX_DEPENDENT 1000

/* Smaller coefficients in a dependence, relative to the row's weight, are ignored. */
#define COEFFICIENT_TOLERANCE 1e-6

/* A drive is blocked if a row's residual exceeds this fraction. */
#define BLOCKED_DRIVE_RESIDUAL 1e-6

/* Rows of the constraints that are always active, at the start of a mechanism. */
typedef struct
{
  const IfbamModel *model;
  guint n;
  guint32 *number; /* index among unbatched links, per row */
  IfbamConstraintRow *row;
  double *position, *rate, *inverse_mass; /* (n_nodes) */
  guint32 *node_scratch;
  IfbamConstraintSystem system;
} Rows;

static void
rows_init (Rows *rows, const IfbamModel *model)
{
  const gsize n = model->n_nodes + 1;

  *rows = (Rows){ .model = model,
                  .number = g_new (guint32, model->unbatched_links->len + 1),
                  .row = g_new (IfbamConstraintRow, model->unbatched_links->len + 1),
                  .position = g_new0 (double, n),
                  .rate = g_new0 (double, n),
                  .inverse_mass = g_new0 (double, n),
                  .node_scratch = g_new (guint32, n) };
  memset (rows->node_scratch, 0xff, n * sizeof *rows->node_scratch);
  memcpy (rows->inverse_mass, model->inverse_inertia, model->n_free * sizeof *rows->inverse_mass);
  ifbam_model_initial_range (model, 0, model->n_nodes, rows->position, rows->rate);
  for (guint32 i = 0; i < model->unbatched_links->len; i++)
    {
      const IfbamLink *link = ifbam_unbatched_link (model, i);
      IfbamConstraintRow *row = &rows->row[rows->n];
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], delta;

      if (!ifbam_link_is_fixed (link))
        continue;
      *row = (IfbamConstraintRow){ .n_ports = link->n_ports, .share = 1 };
      ifbam_link_read_ports (link, rows->position, x);
      ifbam_link_read_ports (link, rows->rate, v);
      memcpy (row->node, link->node, link->n_ports * sizeof *row->node);
      link->geometry->measure (link->shape, x, v, &delta, row->row);
      memcpy (row->pull, row->row, sizeof row->pull);
      rows->number[rows->n++] = i;
    }
}

static void
rows_clear (Rows *rows)
{
  ifbam_constraint_system_clear (&rows->system);
  g_free (rows->number);
  g_free (rows->row);
  g_free (rows->position);
  g_free (rows->rate);
  g_free (rows->inverse_mass);
  g_free (rows->node_scratch);
}

/* Adds the dependence of a row on rows before it. Of all rows in it, the last in the file that is
 * in no other dependence counts as the dependent one. */
static void
add_dependence (IfbamDegreesOfFreedom *freedom, const Rows *rows, guint32 row, const guint32 *basis,
                const double *part, guint n, guint8 *told)
{
  const double own = ifbam_row_product (&rows->row[row], &rows->row[row], rows->inverse_mass);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (guint32));
  IfbamDependence dependence = { .relation = rows->number[row] };
  guint last;

  for (guint k = 0; k < n; k++)
    {
      const IfbamConstraintRow *other = &rows->row[basis[k]];

      if (fabs (part[k]) * sqrt (ifbam_row_product (other, other, rows->inverse_mass))
          > COEFFICIENT_TOLERANCE * sqrt (own))
        g_array_append_val (all, basis[k]);
    }
  g_array_append_val (all, row);
  g_array_sort (all, ifbam_compare_uint32);
  for (last = all->len - 1; last > 0 && told[g_array_index (all, guint32, last)];)
    last--;
  told[g_array_index (all, guint32, last)] = 1;
  dependence.others = g_new (guint32, all->len);
  for (guint k = 0; k < all->len; k++)
    {
      const guint32 number = rows->number[g_array_index (all, guint32, k)];

      if (k == last)
        dependence.relation = number;
      else
        dependence.others[dependence.n++] = number;
    }
  g_array_append_val (freedom->dependence, dependence);
}

static void
find_dependence (IfbamDegreesOfFreedom *freedom, Rows *rows)
{
  g_autofree guint32 *basis = g_new (guint32, rows->n);
  g_autofree guint8 *is_gone = g_new0 (guint8, rows->n), *told = g_new0 (guint8, rows->n);
  g_autofree IfbamConstraintRow *kept = g_new (IfbamConstraintRow, rows->n);
  g_autofree double *part = g_new (double, rows->n);
  guint n = 0;

  freedom->dependence = g_array_new (FALSE, FALSE, sizeof (IfbamDependence));
  for (guint k = 0; k < rows->system.n_vanished; k++)
    is_gone[rows->system.vanished[k]] = 1;
  for (guint32 i = 0; i < rows->n; i++)
    if (!is_gone[i])
      {
        basis[n] = i;
        kept[n++] = rows->row[i];
      }
  ifbam_constraint_system_set (&rows->system, kept, n, rows->inverse_mass, rows->node_scratch);
  for (guint32 i = 0; i < rows->n && freedom->dependence->len < MAX_DEPENDENT; i++)
    {
      if (!is_gone[i])
        continue;
      for (guint k = 0; k < n; k++)
        part[k] = ifbam_row_product (&kept[k], &rows->row[i], rows->inverse_mass);
      ifbam_constraint_system_solve (&rows->system, part, part);
      add_dependence (freedom, rows, i, basis, part, n, told);
    }
}

IfbamDegreesOfFreedom
ifbam_model_degrees_of_freedom (const IfbamModel *model)
{
  IfbamDegreesOfFreedom freedom = { .coordinates = ifbam_model_n_named_free (model) };
  Rows rows;

  rows_init (&rows, model);
  freedom.relations = rows.n;
  ifbam_constraint_system_set (&rows.system, rows.row, rows.n, rows.inverse_mass,
                               rows.node_scratch);
  freedom.redundant = rows.n > 1 ? rows.system.n_vanished : 0;
  if (freedom.redundant > 0)
    find_dependence (&freedom, &rows);
  rows_clear (&rows);
  return freedom;
}

void
ifbam_degrees_of_freedom_clear (IfbamDegreesOfFreedom *freedom)
{
  for (guint i = 0; freedom->dependence != NULL && i < freedom->dependence->len; i++)
    g_free (g_array_index (freedom->dependence, IfbamDependence, i).others);
  g_clear_pointer (&freedom->dependence, g_array_unref);
}

/* Returns TRUE if a constraint prescribes a distance. */
static gboolean
prescribes (const IfbamModel *model, guint32 number)
{
  const IfbamLink *link = ifbam_unbatched_link (model, number);

  return ifbam_link_is_tie (link) && link->node[2] >= model->n_free;
}

/* Returns the name of a constraint in messages (not owned). */
static const char *
name_of (const IfbamModel *model, guint32 number)
{
  const IfbamLink *link = ifbam_unbatched_link (model, number);

  return ifbam_link_is_tie (link) ? link->element->name : link->name;
}

static void
add_loop (const IfbamModel *model, const IfbamDependence *loop, GArray *issues)
{
  GString *text = g_string_new ("closes a loop");
  gboolean electrical = FALSE;
  guint32 first = loop->relation;
  IfbamIssue issue;

  for (guint i = 0; i < loop->n && !prescribes (model, first); i++)
    first = loop->others[i];
  for (guint i = 0; i <= loop->n; i++)
    {
      const guint32 other = i < loop->n ? loop->others[i] : loop->relation;

      if (other != first)
        g_string_append_printf (text, "%s \"%s\"",
                                text->str[text->len - 1] == 'p' ? " with" : " and",
                                name_of (model, other));
    }
  electrical = ifbam_model_node_domain (model, ifbam_unbatched_link (model, first)->node[0])
               == IFBAM_DOMAIN_ELECTRICITY;
  g_string_append_printf (text,
                          ", and its constraint follows from theirs, or contradicts them (leave "
                          "one out, or put a %s into the loop)",
                          electrical ? "resistor" : "spring or damper");
  issue = (IfbamIssue){ ifbam_unbatched_link (model, first)->element, "between",
                        g_string_free (text, FALSE) };
  g_array_append_val (issues, issue);
}

void
ifbam_model_check_loops (const IfbamModel *model, GArray *issues)
{
  gboolean any = FALSE;
  g_auto (IfbamDegreesOfFreedom) freedom = { 0 };

  for (guint32 i = 0; i < model->unbatched_links->len; i++)
    any |= prescribes (model, i);
  if (any)
    freedom = ifbam_model_degrees_of_freedom (model);
  for (guint i = 0; freedom.dependence != NULL && i < freedom.dependence->len; i++)
    {
      const IfbamDependence *loop = &g_array_index (freedom.dependence, IfbamDependence, i);
      gboolean prescribed = prescribes (model, loop->relation);

      for (guint k = 0; k < loop->n; k++)
        prescribed |= prescribes (model, loop->others[k]);
      if (prescribed)
        add_loop (model, loop, issues);
    }
}

/* Finds the constraint that blocks a node's motion most: the largest residual of a row after all
 * free nodes have followed. FALSE: the node can move. */
static gboolean
is_stuck (Rows *rows, gsize node, guint *worst)
{
  g_autofree double *rhs = g_new0 (double, rows->n + 1), *push = g_new (double, rows->n + 1);
  g_autofree double *change = g_new0 (double, rows->model->n_nodes + 1);
  double most = 0, left = 0;

  for (guint i = 0; i < rows->n; i++)
    for (guint e = 0; e < rows->row[i].n_ports; e++)
      if (rows->row[i].node[e] == node)
        {
          rhs[i] += rows->row[i].row[e];
          most = fmax (most, fabs (rhs[i]));
        }
  if (most == 0)
    return FALSE;
  ifbam_constraint_system_solve (&rows->system, rhs, push);
  for (guint i = 0; i < rows->n; i++)
    ifbam_row_add_change (&rows->row[i], push[i], rows->inverse_mass, change);
  for (guint i = 0; i < rows->n; i++)
    {
      const double rest = ifbam_row_get_rate (&rows->row[i], change, rhs[i]);

      if (fabs (rest) <= left)
        continue;
      left = fabs (rest);
      *worst = i;
    }
  return left > BLOCKED_DRIVE_RESIDUAL * most;
}

void
ifbam_model_check_drives (const IfbamModel *model, GArray *issues)
{
  Rows rows;

  rows_init (&rows, model);
  if (rows.n > 0)
    ifbam_constraint_system_set (&rows.system, rows.row, rows.n, rows.inverse_mass,
                                 rows.node_scratch);
  for (gsize i = model->n_free; i < model->n_nodes && rows.n > 0; i++)
    {
      const IfbamMotion motion = ifbam_model_given (model, i, 0);
      guint worst = 0;
      IfbamIssue issue;
      gsize member;

      if ((motion.rate == 0 && motion.acceleration == 0) || !is_stuck (&rows, i, &worst))
        continue;
      issue = (IfbamIssue){ ifbam_model_node_span (model, i, &member)->element, NULL,
                            g_strdup_printf (
                                "the mechanism can't move in the direction of its force: \"%s\" "
                                "prevents it (leave out a constraint, or start where it can move)",
                                ifbam_unbatched_link (model, rows.number[worst])->name) };
      g_array_append_val (issues, issue);
    }
  rows_clear (&rows);
}

/* Rotation in a step that messages recommend [rad]. */
#define ADVISED_ROTATION 0.5

char *
ifbam_turning_text (const char *name, double turned, double step)
{
  return g_strdup_printf ("\"%s\" turns by %.2g rad in a step, beyond the limit of 1 rad for its "
                          "reaction (use a step of %.1g s)",
                          name, turned, ADVISED_ROTATION * step / turned);
}

char *
ifbam_model_turning_text (const IfbamModel *model, double step)
{
  const IfbamLink *fastest = NULL;
  double most = IFBAM_MAX_STEP_ROTATION / step;
  Rows rows;

  rows_init (&rows, model);
  for (guint i = 0; i < rows.n; i++)
    {
      const IfbamLink *link = ifbam_unbatched_link (model, rows.number[i]);
      const double turning = ifbam_link_turning_rate (link, rows.position, rows.rate);

      if (!(turning > most))
        continue;
      most = turning;
      fastest = link;
    }
  rows_clear (&rows);
  return fastest == NULL ? NULL : ifbam_turning_text (fastest->name, most * step, step);
}
