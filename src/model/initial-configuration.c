/* initial-configuration.c: start of a mechanism: given values are kept, others solve the
 * constraints
 *
 * Newton's method along M^-1 J^T, with zero inverse mass for given coordinates, minimises the
 * mass-weighted displacement. If it stalls, as at a rod that is too long and acts along itself,
 * open coordinates are shifted forward and it restarts. Of two solutions on either side this yields
 * that to the right, above, or turned to the left. Rates follow in one linear step. Given values
 * with few digits are corrected by small amounts.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/initial-configuration.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number-text.h"
#include "model/degrees-of-freedom.h"
#include "model/links.h"
#include "constraint/constraint.h"

/* Residual due to given values with few digits [relative to the largest coordinate]. */
#define FEW_DIGITS 1e-5

/* Tolerance of Newton's method [relative to the largest coordinate]. */
#define POSITION_TOLERANCE 1e-14

/* Residuals due to rounding, in multiples of that tolerance. */
#define NEAR_ENOUGH 1e3

#define MAX_TURNS    200
#define MAX_HALVINGS 12

/* Shift if Newton's method stalls [relative to the largest coordinate], and growth factor. */
#define FIRST_SHIFT 1e-4
#define MORE_SHIFT  30
#define MAX_SHIFTS  3

/* Golden ratio: fractional parts of its multiples differ, so that a shift breaks symmetries. */
#define GOLDEN 0.6180339887498949

/* Parameters of a free node: start position, start rate. */
enum
{
  START = 1,
  RATE,
};

typedef struct
{
  const IfbamModel *model;
  GArray *rows;            /* guint32: links of constraints that are always active */
  double *position, *rate; /* (n_nodes) */
  double *trial;           /* (n_nodes) */
  double *inverse_mass[3]; /* by START and RATE: 0 for given values; index 0: all movable */
  IfbamConstraintRow *row; /* (rows) */
  double *delta;           /* (rows) */
  IfbamConstraintSystem system;
  guint32 *node_scratch;
  double largest, fastest;
} Assembly;

static IfbamLink *
link_at (const Assembly *assembly, guint i)
{
  return &g_array_index (assembly->model->unbatched_links, IfbamLink,
                         g_array_index (assembly->rows, guint32, i));
}

/* Measures rows; returns the largest delta, or rate. n: count of rows with a complete shape. */
static double
measure (Assembly *assembly, const double *position, gboolean rates, guint *n)
{
  double most = 0;

  *n = 0;
  for (guint i = 0; i < assembly->rows->len; i++)
    {
      IfbamLink *link = link_at (assembly, i);
      IfbamConstraintRow *row = &assembly->row[*n];
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], delta, rate = 0;

      if (link->geometry->fill != NULL && link->geometry->fill (link->shape, NULL))
        continue;
      ifbam_link_read_ports (link, position, x);
      ifbam_link_read_ports (link, assembly->rate, v);
      *row = (IfbamConstraintRow){ .n_ports = link->n_ports, .share = 1 };
      link->geometry->measure (link->shape, x, v, &delta, row->row);
      for (guint e = 0; e < link->n_ports; e++)
        rate += row->row[e] * v[e];
      memcpy (row->node, link->node, sizeof row->node);
      memcpy (row->pull, row->row, sizeof row->pull);
      assembly->delta[*n] = rates ? rate : delta;
      most = isnan (assembly->delta[*n]) ? INFINITY : fmax (most, fabs (assembly->delta[*n]));
      (*n)++;
    }
  return most;
}

static void
apply_correction (const Assembly *assembly, guint n, double part, const double *inverse_mass,
                  double *column)
{
  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < assembly->row[i].n_ports; e++)
      {
        const guint32 node = assembly->row[i].node[e];

        column[node] -= part * inverse_mass[node] * assembly->row[i].row[e] * assembly->delta[i];
      }
}

/* Returns the fraction of a step with displacements up to the mechanism's size and rotations up to
 * a quarter turn: rows are meaningless beyond. */
static double
step_fraction (Assembly *assembly, guint n, const double *inverse_mass)
{
  const gsize n_nodes = assembly->model->n_nodes;
  double most = 1;

  memset (assembly->trial, 0, n_nodes * sizeof *assembly->trial);
  apply_correction (assembly, n, 1, inverse_mass, assembly->trial);
  for (gsize i = 0; i < n_nodes; i++)
    {
      const IfbamDomain domain = ifbam_model_node_domain (assembly->model, i);
      const double limit =
          domain == IFBAM_DOMAIN_ROTATION ? 0.5 * G_PI : fmax (assembly->largest, DBL_MIN);

      most = fmax (most, fabs (assembly->trial[i]) / limit);
    }
  return 1 / most;
}

/* Moves nodes with inverse mass until the constraints are satisfied or the residual stalls; returns
 * the residual. near: limits steps, to find the nearest solution. */
static double
reach (Assembly *assembly, const double *inverse_mass, gboolean near)
{
  const gsize size = assembly->model->n_nodes * sizeof (double);
  guint n;
  double rest = measure (assembly, assembly->position, FALSE, &n);

  for (guint iteration = 0; iteration < MAX_TURNS && rest > POSITION_TOLERANCE * assembly->largest;
       iteration++)
    {
      double part, now = rest;

      measure (assembly, assembly->position, FALSE, &n);
      ifbam_constraint_system_set (&assembly->system, assembly->row, n, inverse_mass,
                                   assembly->node_scratch);
      ifbam_constraint_system_solve (&assembly->system, assembly->delta, assembly->delta);
      part = near ? step_fraction (assembly, n, inverse_mass) : 1;
      for (guint halving = 0; halving < MAX_HALVINGS; halving++, part *= 0.5)
        {
          g_autofree double *step = g_memdup2 (assembly->delta, n * sizeof (double));
          guint ignored;

          memcpy (assembly->trial, assembly->position, size);
          apply_correction (assembly, n, part, inverse_mass, assembly->trial);
          now = measure (assembly, assembly->trial, FALSE, &ignored);
          if (now < rest)
            break;
          measure (assembly, assembly->position, FALSE, &ignored);
          memcpy (assembly->delta, step, n * sizeof (double));
        }
      if (!(now < rest))
        break;
      memcpy (assembly->position, assembly->trial, size);
      rest = now;
    }
  return rest;
}

/* Marks the nodes of rows with residuals, and all nodes connected to these by rows. */
static void
mark_missed (Assembly *assembly, guint8 *missed)
{
  gboolean more = TRUE;
  guint n;

  measure (assembly, assembly->position, FALSE, &n);
  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < assembly->row[i].n_ports; e++)
      missed[assembly->row[i].node[e]] |=
          fabs (assembly->delta[i]) > POSITION_TOLERANCE * assembly->largest;
  /* In both directions, since chains are listed along themselves. */
  for (gboolean back = FALSE; more; back = !back)
    {
      more = FALSE;
      for (guint k = 0; k < n; k++)
        {
          const IfbamConstraintRow *row = &assembly->row[back ? n - 1 - k : k];
          guint8 any = 0, all = 1;

          for (guint e = 0; e < row->n_ports; e++)
            if (assembly->inverse_mass[0][row->node[e]] > 0)
              {
                any |= missed[row->node[e]];
                all &= missed[row->node[e]];
              }
          if (any == all || any == 0)
            continue;
          for (guint e = 0; e < row->n_ports; e++)
            missed[row->node[e]] = 1;
          more = TRUE;
        }
    }
}

/* Shifts open coordinates of marked nodes forward, as far as the rows allow it to first order. */
static void
set_forward (Assembly *assembly, const guint8 *missed, double length)
{
  const double *inverse_mass = assembly->inverse_mass[START];
  double *shift = assembly->trial;
  guint n;

  for (gsize i = 0; i < assembly->model->n_nodes; i++)
    shift[i] = inverse_mass[i] > 0 && missed[i]
                   ? length * assembly->largest * (1 + fmod ((double) i * GOLDEN, 1))
                   : 0;
  measure (assembly, assembly->position, FALSE, &n);
  for (guint i = 0; i < n; i++)
    {
      assembly->delta[i] = 0;
      for (guint e = 0; e < assembly->row[i].n_ports; e++)
        assembly->delta[i] += assembly->row[i].row[e] * shift[assembly->row[i].node[e]];
    }
  ifbam_constraint_system_set (&assembly->system, assembly->row, n, inverse_mass,
                               assembly->node_scratch);
  ifbam_constraint_system_solve (&assembly->system, assembly->delta, assembly->delta);
  apply_correction (assembly, n, 1, inverse_mass, shift);
  for (gsize i = 0; i < assembly->model->n_nodes; i++)
    assembly->position[i] += shift[i];
}

/* As reach (), with restarts from shifted positions if necessary. */
static double
reach_from_beside (Assembly *assembly)
{
  const gsize n = assembly->model->n_nodes, size = n * sizeof (double);
  const double *inverse_mass = assembly->inverse_mass[START];
  const double rest = reach (assembly, inverse_mass, FALSE);
  double length = FIRST_SHIFT;
  g_autofree double *still = NULL;
  g_autofree guint8 *missed = NULL;

  if (rest <= FEW_DIGITS * assembly->largest)
    return rest;
  still = g_memdup2 (assembly->position, size);
  missed = g_new0 (guint8, n + 1);
  mark_missed (assembly, missed);
  for (guint k = 0; k < MAX_SHIFTS; k++, length *= MORE_SHIFT)
    {
      double now;

      set_forward (assembly, missed, length);
      now = reach (assembly, inverse_mass, TRUE);
      if (now <= FEW_DIGITS * assembly->largest)
        return now;
      memcpy (assembly->position, still, size);
    }
  return rest;
}

/* As reach (), for rates. */
static double
reach_rates (Assembly *assembly, const double *inverse_mass)
{
  guint n;
  const double rest = measure (assembly, assembly->position, TRUE, &n);

  if (rest <= POSITION_TOLERANCE * assembly->fastest)
    return rest;
  ifbam_constraint_system_set (&assembly->system, assembly->row, n, inverse_mass,
                               assembly->node_scratch);
  ifbam_constraint_system_solve (&assembly->system, assembly->delta, assembly->delta);
  apply_correction (assembly, n, 1, inverse_mass, assembly->rate);
  return measure (assembly, assembly->position, TRUE, &n);
}

static gboolean
is_given (const IfbamSpan *span, gsize member, guint param)
{
  if (span->letter == NULL)
    return ifbam_element_is_set (span->element, param);
  if (span->open)
    return FALSE;
  if (span->info->params == NULL || param >= span->info->n_params)
    return TRUE; /* a state of a link */
  return member < span->series[param].length || span->series[param].length == 1;
}

static void
find_given (Assembly *assembly)
{
  const IfbamModel *model = assembly->model;

  for (gsize i = 0; i < model->n_free; i++)
    {
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (model, i, &member);

      assembly->inverse_mass[0][i] = model->inverse_inertia[i];
      for (guint what = START; what <= RATE; what++)
        assembly->inverse_mass[what][i] =
            is_given (span, member, what) ? 0 : model->inverse_inertia[i];
    }
}

/* Adds an issue on the worst residual. */
static void
add_misfit (Assembly *assembly, GArray *issues, gboolean rates)
{
  const IfbamLink *worst = NULL;
  double most = 0;
  const char *whose = "";
  guint n;
  IfbamIssue issue;

  measure (assembly, assembly->position, rates, &n);
  for (guint i = 0; i < n; i++)
    if (worst == NULL || !(fabs (assembly->delta[i]) <= fabs (most)))
      {
        worst = link_at (assembly, i);
        most = assembly->delta[i];
      }
  if (ifbam_element_kind (worst->element) == IFBAM_KIND_COMPOSITE)
    whose = worst->name;
  issue = (IfbamIssue){
    worst->element, whose[0] != '\0' ? NULL : "between",
    rates ? g_strdup_printf (
        "%s%sat the start its ends separate by %.6g per second, and no unspecified velocity can "
        "correct that (leave out one of their velocities)",
        whose, whose[0] != '\0' ? ": " : "", fabs (most))
          : g_strdup_printf (
              "%s%sits %s is wrong by %.6g %s at the start, and no unspecified coordinate can "
              "correct that (leave out one of the positions%s)",
              whose, whose[0] != '\0' ? ": " : "", worst->geometry->name, most,
              worst->geometry->is_angle ? "rad" : "m",
              worst->geometry->fill == NULL || worst->geometry->is_angle ? "" : ", or the length")
  };
  g_array_append_val (issues, issue);
}

/* Completes open shapes from the present positions. */
static void
settle (Assembly *assembly, GArray *issues)
{
  for (guint i = 0; i < assembly->model->unbatched_links->len; i++)
    {
      IfbamLink *link = &g_array_index (assembly->model->unbatched_links, IfbamLink, i);
      double x[IFBAM_MAX_PORTS];
      char *fault;

      if (link->geometry->fill == NULL)
        continue;

      for (guint e = 0; e < link->n_ports; e++)
        x[e] = assembly->position[link->node[e]];
      link->geometry->fill (link->shape, x);
      if (link->law->own_length && link->in_plane)
        ((double *) link->numbers)[link->law->first_of_ends] = link->shape[link->geometry->filled];
      fault = link->geometry->fill_fault == NULL ? NULL : link->geometry->fill_fault (link->shape);
      if (fault != NULL)
        {
          const IfbamIssue issue = { link->element, "between", fault };

          g_array_append_val (issues, issue);
        }
    }
}

/* Computes the magnitude scale of positions. */
static void
measure_size (Assembly *assembly)
{
  for (gsize i = 0; i < assembly->model->n_nodes; i++)
    assembly->largest = fmax (assembly->largest, fabs (assembly->position[i]));
  for (guint i = 0; i < assembly->rows->len; i++)
    if (link_at (assembly, i)->geometry->size != NULL)
      assembly->largest = fmax (
          assembly->largest, link_at (assembly, i)->geometry->size (link_at (assembly, i)->shape));
}

/* Computes positions; FALSE: a contradiction. */
static gboolean
assemble_places (Assembly *assembly, GArray *issues)
{
  const IfbamModel *model = assembly->model;
  const guint faults = issues->len;
  double rest;

  ifbam_model_initial_range (model, 0, model->n_nodes, assembly->position, assembly->rate);
  find_given (assembly);
  measure_size (assembly);
  rest = reach_from_beside (assembly);
  if (rest > POSITION_TOLERANCE * assembly->largest && rest <= FEW_DIGITS * assembly->largest)
    rest = reach (assembly, assembly->inverse_mass[0], FALSE);
  if (rest > NEAR_ENOUGH * POSITION_TOLERANCE * assembly->largest)
    {
      add_misfit (assembly, issues, FALSE);
      return FALSE;
    }
  settle (assembly, issues);
  return issues->len == faults;
}

/* Sets the rate of each branch with an open rate from its nodes' rates, also default ones; not
 * beside a junction, which has no rate. */
static void
follow_ends (Assembly *assembly)
{
  const IfbamModel *model = assembly->model;

  for (guint i = 0; i < assembly->rows->len; i++)
    {
      const IfbamLink *link = link_at (assembly, i);
      const guint32 own = link->node[2];
      double row[IFBAM_MAX_PORTS], delta;

      if (!ifbam_link_is_tie (link) || own >= model->n_free
          || assembly->inverse_mass[RATE][own] == 0
          || ifbam_model_is_junction (model, link->node[0])
          || ifbam_model_is_junction (model, link->node[1]))
        continue;
      link->geometry->measure (link->shape, assembly->position, assembly->rate, &delta, row);
      assembly->rate[own] =
          row[2] * (assembly->rate[link->node[1]] - assembly->rate[link->node[0]]);
    }
}

static void
assemble_rates (Assembly *assembly, GArray *issues)
{
  const IfbamModel *model = assembly->model;
  double rest;

  follow_ends (assembly);

  for (gsize i = 0; i < model->n_nodes; i++)
    assembly->fastest = fmax (assembly->fastest, fabs (assembly->rate[i]));
  rest = reach_rates (assembly, assembly->inverse_mass[RATE]);
  if (rest > POSITION_TOLERANCE * assembly->fastest && rest <= FEW_DIGITS * assembly->fastest)
    rest = reach_rates (assembly, assembly->inverse_mass[0]);
  if (rest > NEAR_ENOUGH * POSITION_TOLERANCE * assembly->fastest)
    add_misfit (assembly, issues, TRUE);
}

/* Allocates an assembly, without positions and rates. */
static void
assembly_init (Assembly *assembly, const IfbamModel *model)
{
  const gsize n = model->n_nodes + 1;

  *assembly = (Assembly){ .model = model, .rows = g_array_new (FALSE, FALSE, sizeof (guint32)) };
  for (guint32 i = 0; i < model->unbatched_links->len; i++)
    if (ifbam_link_is_fixed (ifbam_unbatched_link (model, i)))
      g_array_append_val (assembly->rows, i);
  assembly->trial = g_new (double, n);
  for (guint k = 0; k < G_N_ELEMENTS (assembly->inverse_mass); k++)
    assembly->inverse_mass[k] = g_new0 (double, n);
  assembly->row = g_new (IfbamConstraintRow, assembly->rows->len);
  assembly->delta = g_new (double, assembly->rows->len);
  assembly->node_scratch = g_new (guint32, n);
  memset (assembly->node_scratch, 0xff, n * sizeof *assembly->node_scratch);
}

static void
assembly_clear (Assembly *assembly)
{
  ifbam_constraint_system_clear (&assembly->system);
  for (guint k = 0; k < G_N_ELEMENTS (assembly->inverse_mass); k++)
    g_free (assembly->inverse_mass[k]);
  g_free (assembly->trial);
  g_free (assembly->row);
  g_free (assembly->delta);
  g_free (assembly->node_scratch);
  g_array_unref (assembly->rows);
}

void
ifbam_model_assemble (IfbamModel *model, GArray *issues)
{
  const guint faults = issues->len;
  gboolean open = FALSE, stands;
  Assembly assembly;

  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    open |= link->geometry->fill != NULL || ifbam_link_is_fixed (link);
  if (!open)
    return;
  assembly_init (&assembly, model);
  assembly.position = g_new (double, model->n_nodes + 1);
  assembly.rate = g_new (double, model->n_nodes + 1);
  stands = assemble_places (&assembly, issues);
  model->start_position = assembly.position;
  model->start_rate = assembly.rate;
  if (stands)
    ifbam_model_check_loops (model, issues);
  if (stands && issues->len == faults)
    ifbam_model_check_drives (model, issues);
  if (issues->len == faults)
    assemble_rates (&assembly, issues);
  assembly_clear (&assembly);
}

gboolean
ifbam_model_reaches (const IfbamModel *model, double *position)
{
  g_autofree double *rest = g_new0 (double, model->n_nodes + 1);
  gboolean reached;
  Assembly assembly;

  assembly_init (&assembly, model);
  assembly.position = position;
  assembly.rate = rest;
  measure_size (&assembly);
  memcpy (assembly.inverse_mass[0], model->inverse_inertia, model->n_free * sizeof (double));
  reached = reach (&assembly, assembly.inverse_mass[0], TRUE)
            <= NEAR_ENOUGH * POSITION_TOLERANCE * assembly.largest;
  assembly_clear (&assembly);
  return reached;
}
