/* external-impulses.c: external impulses, and the constraints that transmit them
 *
 * An impulse p acts along a row J: on one node, or between two endpoints, which it pushes apart.
 * The rate f = J v changes from f0 to f0 + w p. w is J M^-1 J^T with the bilateral constraints
 * (ties) eliminated. An impulse that is given by its energy E satisfies
 *   p (f0 + w p/2) = E
 * Several satisfy p_i (f_i + (W p)_i/2) = E_i, where the gradient of the strictly convex function
 *   f^T p + p^T W p/4 - sum E_i ln p_i,  p > 0
 * vanishes, so that the solution is unique. Ties and restitutions, which prescribe changes of
 * rates, are eliminated first; W and f are the remaining ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/external-impulses.h"
#include "event/event-context.h"

#include "base/power.h"
#include "event/advance-islands.h"
#include "event/constraint-rows.h"
#include "event/clusters.h"
#include "event/event-log.h"

/* An inverse mass below this part of its value without ties is 0: ties fix the row. */
#define MIN_MASS_FRACTION (64 * DBL_EPSILON)

/* Newton's method for several impulses that are given by energy. */
#define NEWTON_TOLERANCE 1e-9 /* relative step at which it has converged, except for rounding */
#define EXTRA_ITERATIONS 2    /* iterations after that */
#define MAX_ITERATIONS   200  /* limit of iterations */

/* One of the external impulses of an event. */
typedef struct
{
  const IfbamImpulse *impulse;
  double value; /* see IfbamExternalImpulse */
  IfbamImpulseKind kind;
  IfbamConstraintRow row;  /* along which it acts */
  double before, after, p; /* rates along the row [m/s], impulse [N s] */
  guint group;             /* impulses of one group are solved together */
} AppliedImpulse;

/* Returns the ties that transmit n impulses (link indices; owned by the event context). */
static const GArray *
list_ties (IfbamEventEngine *self, const AppliedImpulse *applied_list, guint n)
{
  const GArray *ties = ifbam_event_list_bilateral (self);

  for (guint i = 0; i < n; i++)
    ifbam_event_add_bilateral (self, applied_list[i].row.node, applied_list[i].row.n_ports);
  return ties;
}

static void
measure_ties (IfbamEventEngine *self, const GArray *ties, IfbamConstraintRow *rows)
{
  double delta;

  for (guint i = 0; i < ties->len; i++)
    {
      ifbam_link_rate (self, g_array_index (ties, guint32, i), &delta);
      ifbam_link_row (self, g_array_index (ties, guint32, i), 1, &rows[i]);
    }
}

static double
rate_along (const IfbamEventEngine *self, const IfbamConstraintRow *row)
{
  double sum = 0;

  for (guint e = 0; e < row->n_ports; e++)
    sum += row->row[e] * self->nodes.v[row->node[e]];
  return sum;
}

/* Sets share (n): tie impulses per external impulse. Returns the row's inverse mass with ties. */
static double
eliminate_ties (IfbamEventEngine *self, const IfbamConstraintRow *applied,
                const IfbamConstraintRow *rows, guint n, double *share)
{
  double inverse_mass = 0, own = 0;

  for (guint i = 0; i < n; i++)
    share[i] = ifbam_row_product (&rows[i], applied, self->nodes.inverse_mass);
  if (n > 0)
    {
      ifbam_constraint_system_set (&self->context->system, rows, n, self->nodes.inverse_mass,
                                   self->nodes.scratch);
      ifbam_constraint_system_solve (&self->context->system, share, share);
    }
  for (guint e = 0; e < applied->n_ports; e++)
    {
      double part = applied->row[e];

      for (guint i = 0; i < n; i++)
        for (guint k = 0; k < rows[i].n_ports; k++)
          if (rows[i].node[k] == applied->node[e])
            part -= rows[i].row[k] * share[i];
      inverse_mass += applied->row[e] * (part * self->nodes.inverse_mass[applied->node[e]]);
      own += applied->row[e] * applied->row[e] * self->nodes.inverse_mass[applied->node[e]];
    }
  return inverse_mass > MIN_MASS_FRACTION * own ? inverse_mass : 0;
}

/* Applies the impulse p [N s] of a tie and logs it; at prescribed nodes it does external work. */
static void
apply_tie_impulse (IfbamEventEngine *self, double time, guint32 tie, double p)
{
  const IfbamLink *link = ifbam_link (self, tie);
  const double *row = self->links.state[tie].row;
  double delta, rate;

  if (p == 0)
    return;
  for (guint e = 0; e < link->n_ports; e++)
    {
      const guint32 node = link->node[e];

      if (self->nodes.inverse_mass[node] == 0)
        {
          ifbam_external_work_add (&self->account.external, row[e] * p * self->nodes.v[node]);
          continue;
        }
      self->nodes.v[node] -= row[e] * p * self->nodes.inverse_mass[node];
      IFBAM_EVALUATE (self, impulse_applied, node, -row[e] * p);
      ifbam_magnitudes_include_node (self, node);
      g_array_append_val (self->context->impulse_nodes, node);
    }
  rate = ifbam_link_rate (self, tie, &delta);
  ifbam_event_log_add (self, time,
                       &(IfbamLinkImpulse){ .link = tie, .p = p, .before = rate, .after = rate },
                       "impact");
}

/* Applies an external impulse, but not those of its ties; logs it and books its energy. */
static void
apply_impulse (IfbamEventEngine *self, double time, const AppliedImpulse *applied)
{
  const double brought = applied->p * 0.5 * (applied->before + applied->after);
  double row[IFBAM_MAX_PORTS];

  for (guint e = 0; e < applied->row.n_ports; e++)
    {
      const guint32 node = applied->row.node[e];

      row[e] = -applied->row.row[e];
      if (self->nodes.inverse_mass[node] == 0)
        {
          ifbam_external_work_add (&self->account.external,
                                   row[e] * applied->p * self->nodes.v[node]);
          continue;
        }
      self->nodes.v[node] += applied->row.row[e] * applied->p * self->nodes.inverse_mass[node];
      IFBAM_EVALUATE (self, impulse_applied, node, applied->row.row[e] * applied->p);
      ifbam_magnitudes_include_node (self, node);
      g_array_append_val (self->context->impulse_nodes, node);
    }
  if (applied->kind == IFBAM_IMPULSE_RESTITUTION)
    {
      ifbam_compensated_sum_add (&self->account.lost, 0 - brought);
      ifbam_compensated_sum_add (&self->account.external.gross_work, fabs (brought));
    }
  else
    ifbam_external_work_add (&self->account.external, brought);
  if (self->base.log->events != NULL)
    {
      IfbamEvent event = { .time = ifbam_event_logged_time (self, time),
                           .element = applied->impulse->element->name,
                           .word = "impulse",
                           .impulse = applied->p,
                           .rate_before = applied->before,
                           .rate_after = applied->after,
                           .energy_change = brought };

      g_array_append_val (self->base.log->events, event);
      ifbam_event_log_add_cluster (
          self, self->clusters.of_impulse[applied->impulse
                                          - (const IfbamImpulse *) (gconstpointer)
                                                self->base.model->impulses->data]);
      IFBAM_EVALUATE (self, event_logged, applied->row.node, row, applied->row.n_ports);
    }
}

static void
apply_separate (IfbamEventEngine *self, double time, AppliedImpulse *applied)
{
  const GArray *ties = list_ties (self, applied, 1);
  IFBAM_SHORT_LIST (IfbamConstraintRow, rows, ties->len);
  IFBAM_SHORT_LIST (double, share, ties->len);
  double inverse_mass;

  measure_ties (self, ties, rows);
  inverse_mass = eliminate_ties (self, &applied->row, rows, ties->len, share);
  applied->before = rate_along (self, &applied->row);
  applied->p = applied->impulse->element->info->impulse (applied->impulse->law, applied->value,
                                                         inverse_mass, applied->before);
  applied->after = applied->before + applied->p * inverse_mass;
  apply_impulse (self, time, applied);
  for (guint i = 0; i < ties->len; i++)
    apply_tie_impulse (self, time, g_array_index (ties, guint32, i), applied->p * share[i]);
}

/* Returns f^T p + p^T W p/4 - sum E ln p. */
static double
objective (const double *w, const double *rate, const double *energy, guint n, const double *p)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    {
      double part = rate[i];

      for (guint j = 0; j < n; j++)
        part += 0.25 * w[i * n + j] * p[j];
      sum += p[i] * part - energy[i] * ifbam_logarithm (p[i]);
    }
  return sum;
}

/* Returns a solver for a dense matrix (n x n), owned by the caller. */
static IfbamSolver *
new_full_solver (guint n)
{
  IfbamSolver *solver = ifbam_solver_new ();
  g_autofree guint32 *start = g_new (guint32, n + 1);
  g_autofree guint32 *column = g_new (guint32, (gsize) n * n);

  for (guint i = 0; i <= n; i++)
    start[i] = i * n;
  for (guint i = 0; i < n * n; i++)
    column[i] = i % n;
  ifbam_solver_set_pattern (solver, n, start, column);
  return solver;
}

/* Solves p (rate + (W p)/2) = energy for p > 0 (n each), from a guess. FALSE: none is found. */
static gboolean
solve_energies (const double *w, const double *rate, const double *energy, guint n, double *p)
{
  IfbamSolver *solver = new_full_solver (n);
  double *matrix = ifbam_solver_values (solver);
  IFBAM_SHORT_LIST (double, step, n);
  IFBAM_SHORT_LIST (double, next, n);
  gboolean found = FALSE;
  guint more = 0;

  for (guint iteration = 0; iteration < MAX_ITERATIONS && !found; iteration++)
    {
      const double value = objective (w, rate, energy, n, p);
      double largest = 0, length = 1;

      for (guint i = 0; i < n; i++)
        {
          step[i] = energy[i] / p[i] - rate[i];
          for (guint j = 0; j < n; j++)
            {
              matrix[i * n + j] = 0.5 * w[i * n + j] + (i == j ? energy[i] / (p[i] * p[i]) : 0);
              step[i] -= 0.5 * w[i * n + j] * p[j];
            }
        }
      ifbam_solver_factor (solver, NULL, 0);
      ifbam_solver_solve (solver, step, step, 0);
      for (guint i = 0; i < n; i++)
        {
          largest = fmax (largest, fabs (step[i]) / p[i]);
          length = fmin (length, step[i] < 0 ? -0.9 * p[i] / step[i] : 1);
        }
      if (!isfinite (largest))
        break;
      /* Line search: below 1e-9 of the step the remaining change is rounding. */
      while (largest > 1e-3 && length > 1e-9)
        {
          for (guint i = 0; i < n; i++)
            next[i] = p[i] + length * step[i];
          if (objective (w, rate, energy, n, next) <= value)
            break;
          length *= 0.5;
        }
      for (guint i = 0; i < n; i++)
        p[i] += length * step[i];
      found = largest <= NEWTON_TOLERANCE && ++more > EXTRA_ITERATIONS;
    }
  ifbam_solver_free (solver);
  return found;
}

/* Computes m impulses given by energies. w (m x m): inverse masses; rate (m): mean rates before and
 * after the other impulses. FALSE: no solution is found. */
static gboolean
find_energy_impulses (const IfbamEventEngine *self, AppliedImpulse *const *applied_list, guint m,
                      double *w, const double *rate)
{
  IFBAM_SHORT_LIST (double, energy, m);
  IFBAM_SHORT_LIST (double, p, m);
  IFBAM_SHORT_LIST (gboolean, is_decoupled, m); /* ties fix the row */
  double fastest = 0;

  for (guint i = 0; i < m; i++)
    fastest = MAX (fastest, fabs (rate[i]));
  for (guint i = 0; i < m; i++)
    {
      const IfbamImpulse *impulse = applied_list[i]->impulse;
      const double own = ifbam_row_product (&applied_list[i]->row, &applied_list[i]->row,
                                            self->nodes.inverse_mass);

      is_decoupled[i] = w[i * m + i] <= MIN_MASS_FRACTION * own;
      for (guint j = 0; j < m && is_decoupled[i]; j++)
        w[i * m + j] = w[j * m + i] = i == j ? own : 0;
      /* A bound keeps p > 0. Without energy, approaching ends bounce; other impulses are 0. */
      energy[i] = MAX (applied_list[i]->value, (1e-20 * fastest * fastest + 1e-200) / w[i * m + i]);
      p[i] = impulse->element->info->impulse (impulse->law, energy[i], w[i * m + i], fabs (rate[i]))
             + (rate[i] < 0 ? -2 * rate[i] / w[i * m + i] : 0);
    }
  if (m > 0 && !solve_energies (w, rate, energy, m, p))
    return FALSE;
  for (guint i = 0; i < m; i++)
    applied_list[i]->p = !is_decoupled[i] ? p[i]
                         : rate[i] > 0    ? applied_list[i]->value / rate[i]
                                          : 0;
  return TRUE;
}

/* Returns the rate that a row gets by n external impulses and the reactions of rows (n_prescribed). */
static double
rate_change (const IfbamEventEngine *self, const IfbamConstraintRow *row,
             const AppliedImpulse *applied_list, guint n, const IfbamConstraintRow *rows,
             const double *reaction, guint n_prescribed)
{
  double sum = 0;

  for (guint b = 0; b < n; b++)
    sum +=
        ifbam_row_product (row, &applied_list[b].row, self->nodes.inverse_mass) * applied_list[b].p;
  for (guint a = 0; a < n_prescribed; a++)
    sum -= ifbam_row_product (row, &rows[a], self->nodes.inverse_mass) * reaction[a];
  return sum;
}

/* Applies a group of impulses, some of which are given by restitution or energy. Ties and
 * restitutions prescribe changes of rates (n_prescribed rows); they are eliminated for the energies. */
static void
apply_group (IfbamEventEngine *self, double time, AppliedImpulse *applied_list, guint n)
{
  const GArray *ties = list_ties (self, applied_list, n);
  const guint n_ties = ties->len;
  guint n_prescribed = n_ties, m = 0;
  IFBAM_SHORT_LIST (IfbamConstraintRow, rows, n_ties + n);
  IFBAM_SHORT_LIST (double, reaction, n_ties + n);
  IFBAM_SHORT_LIST (AppliedImpulse *, restitution,
                    n_ties + n); /* impulse with the row's restitution; NULL: a tie */
  IFBAM_SHORT_LIST (AppliedImpulse *, by_energy, n); /* impulses given by energy */
  IFBAM_SHORT_LIST (IfbamConstraintRow, along, n);
  IFBAM_SHORT_LIST (double, rate, n);
  g_autofree double *w = g_new (double, (gsize) n *n + 1);
  g_autofree double *share = g_new (double, (gsize) n *(n_ties + n) + 1);

  measure_ties (self, ties, rows);
  for (guint i = 0; i < n_ties; i++)
    restitution[i] = NULL;
  for (guint i = 0; i < n; i++)
    {
      AppliedImpulse *applied = &applied_list[i];

      applied->before = rate_along (self, &applied->row);
      /* On one node an energy acts in the direction of the motion. */
      if (applied->kind == IFBAM_IMPULSE_ENERGY && !applied->impulse->apart && applied->before < 0)
        {
          applied->row.row[0] = applied->row.pull[0] = -applied->row.row[0];
          applied->before = -applied->before;
        }
      applied->p = applied->kind == IFBAM_IMPULSE_MOMENTUM ? applied->value : 0;
      if (applied->kind == IFBAM_IMPULSE_RESTITUTION)
        {
          restitution[n_prescribed] = applied;
          rows[n_prescribed++] = applied->row;
        }
      if (applied->kind == IFBAM_IMPULSE_ENERGY)
        {
          by_energy[m] = applied;
          along[m++] = applied->row;
        }
    }
  ifbam_delassus_eliminate (&self->context->system, along, m, rows, n_prescribed,
                            self->nodes.inverse_mass, self->nodes.scratch, w, share);
  for (guint i = 0; i < n_prescribed; i++)
    reaction[i] =
        (restitution[i] == NULL ? 0 : (1 + restitution[i]->value) * restitution[i]->before)
        + rate_change (self, &rows[i], applied_list, n, NULL, NULL, 0);
  if (n_prescribed > 0)
    ifbam_constraint_system_solve (&self->context->system, reaction, reaction);
  for (guint i = 0; i < m; i++)
    rate[i] = by_energy[i]->before
              + 0.5 * rate_change (self, &along[i], applied_list, n, rows, reaction, n_prescribed);
  if (!find_energy_impulses (self, by_energy, m, w, rate))
    ifbam_event_fail (self, time, NULL, 0, "no impulses are found that bring the energies at ", "");
  for (guint i = 0; i < m; i++)
    for (guint a = 0; a < n_prescribed; a++)
      reaction[a] += share[(gsize) i * n_prescribed + a] * by_energy[i]->p;
  for (guint a = n_ties; a < n_prescribed; a++)
    restitution[a]->p = -reaction[a];
  for (guint i = 0; i < n; i++)
    applied_list[i].after =
        applied_list[i].before
        + rate_change (self, &applied_list[i].row, applied_list, n, rows, reaction, n_ties);
  for (guint i = 0; i < n; i++)
    apply_impulse (self, time, &applied_list[i]);
  for (guint i = 0; i < n_ties; i++)
    apply_tie_impulse (self, time, g_array_index (ties, guint32, i), reaction[i]);
}

/* Groups the impulses that act on one island, directly or through others of the group. */
static void
find_groups (const IfbamEventEngine *self, AppliedImpulse *applied_list, guint n)
{
  g_autoptr (GHashTable) first = g_hash_table_new (NULL, NULL); /* island + 1 -> impulse + 1 */

  for (guint i = 0; i < n; i++)
    {
      applied_list[i].group = i;
      for (guint e = 0; e < applied_list[i].row.n_ports; e++)
        {
          const guint32 node = applied_list[i].row.node[e];
          gpointer island = GSIZE_TO_POINTER (ifbam_island_of (self, node) + 1);
          guint other, group;

          if (self->nodes.inverse_mass[node] == 0)
            continue;
          other = (guint) GPOINTER_TO_SIZE (g_hash_table_lookup (first, island));
          if (other == 0)
            {
              g_hash_table_insert (first, island, GSIZE_TO_POINTER (i + 1));
              continue;
            }
          group = applied_list[i].group;
          for (guint k = 0; k <= i && group != applied_list[other - 1].group; k++)
            if (k != other - 1 && applied_list[k].group == group)
              applied_list[k].group = applied_list[other - 1].group;
        }
    }
}

/* Sets the row of an impulse at the present positions. */
static void
measure_row (const IfbamEventEngine *self, AppliedImpulse *applied)
{
  const IfbamImpulse *impulse = applied->impulse;
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], delta;

  for (guint e = 0; e < impulse->n_nodes; e++)
    {
      applied->row.node[e] = impulse->node[e];
      x[e] = self->nodes.x[impulse->node[e]];
      v[e] = self->nodes.v[impulse->node[e]];
    }
  impulse->geometry->measure (impulse->shape, x, v, &delta, applied->row.row);
  for (guint e = 0; e < impulse->n_nodes; e++)
    applied->row.pull[e] = applied->row.row[e] =
        impulse->apart ? -applied->row.row[e] : applied->row.row[e];
}

void
ifbam_event_apply_external_impulses (IfbamEventEngine *self, double time,
                                     const IfbamExternalImpulse *strikes, guint n)
{
  const GArray *impulses = self->base.model->impulses;
  g_autofree AppliedImpulse *applied_list = g_new0 (AppliedImpulse, n + 1),
                            *group = g_new (AppliedImpulse, n + 1);
  gboolean simple = TRUE;

  for (guint i = 0; i < n; i++)
    {
      const IfbamImpulse *impulse = &g_array_index (impulses, IfbamImpulse, strikes[i].impulse);

      applied_list[i] =
          (AppliedImpulse){ .impulse = impulse,
                            .value = strikes[i].value,
                            .kind = impulse->element->info->impulse_kind (impulse->law),
                            .row = { .n_ports = impulse->n_nodes, .share = 1 } };
      for (guint e = 0; e < impulse->n_nodes; e++)
        if (self->nodes.inverse_mass[impulse->node[e]] > 0)
          ifbam_event_advance_island (self, ifbam_island_of (self, impulse->node[e]), time);
      measure_row (self, &applied_list[i]);
    }
  for (guint i = 0; i < n; i++)
    simple &= applied_list[i].kind == IFBAM_IMPULSE_MOMENTUM;
  if (!simple)
    find_groups (self, applied_list, n);
  for (guint i = 0; i < n; i++)
    {
      gboolean given = TRUE, done = FALSE;
      guint m = 0;

      for (guint k = 0; k < n && !simple; k++)
        if (applied_list[k].group == applied_list[i].group)
          {
            done |= k < i;
            given &= applied_list[k].kind == IFBAM_IMPULSE_MOMENTUM;
            group[m++] = applied_list[k];
          }
      if (m > 1 && !given && !done)
        apply_group (self, time, group, m);
      else if (m == 1 || given)
        apply_separate (self, time, &applied_list[i]);
    }
}
