/* implicit-step.c: one step of an island under a diagonally implicit scheme, by Newton's method
 *
 * A stage has velocities w, positions u = X + a w, accelerations (w - V) / a. X, V follow from the
 * step's start and the stages before. An iteration changes w and the reactions lambda by
 *   (M/a + C + a K) dw + J^T dlambda = F (u, w) - J^T lambda - M (w - V) / a
 *   J dw = -(J (w - V) + a Jdot w)
 * C, K: force derivatives; J: rows of the active constraints. No iterate depends on another step:
 * a run that continues from a state gets bitwise equal results.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/implicit-step.h"

#include <string.h>

#include "base/printed.h"
#include "event/forces.h"
#include "event/constraint-projection.h"
#include "event/constraint-reactions.h"
#include "event/constraint-rows.h"
#include "event/load-sharing.h"
#include "event/implicit-stage.h"
#include "event/stage-newton.h"
#include "event/clusters.h"
#include "event/event-log.h"
#include "event/step-work.h"

/* A node is fast if its velocity changes by less than this part of (initial acceleration) x (time)
 * in the first stage. Then the power at the step's start is of no use for the work. */
#define FAST_NODE_RATIO 0.75
#define MAX_SUBSTEPS    1024 /* substeps of a step, if Newton's method does not converge */

IfbamImplicit *
ifbam_implicit_new (gsize n_nodes)
{
  IfbamImplicit *self = g_new0 (IfbamImplicit, 1);
  double **columns[] = { &self->position,      &self->rate,      &self->acceleration,
                         &self->from_position, &self->from_rate, &self->error_position,
                         &self->error_rate };

  self->n_nodes = n_nodes;
  for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
    *columns[c] = g_new0 (double, n_nodes + 1);
  for (guint r = 0; r < IFBAM_MAX_ROWS; r++)
    {
      self->rates[r] = g_new0 (double, n_nodes + 1);
      self->accelerations[r] = g_new0 (double, n_nodes + 1);
    }
  self->index = g_new0 (guint32, n_nodes + 1);
  self->systems = g_ptr_array_new ();
  return self;
}

void
ifbam_implicit_free (IfbamImplicit *self)
{
  if (self == NULL)
    return;
  g_free (self->position);
  g_free (self->rate);
  g_free (self->acceleration);
  g_free (self->from_position);
  g_free (self->from_rate);
  g_free (self->error_position);
  g_free (self->error_rate);
  for (guint r = 0; r < IFBAM_MAX_ROWS; r++)
    {
      g_free (self->rates[r]);
      g_free (self->accelerations[r]);
    }
  g_free (self->index);
  for (guint i = 0; i < self->systems->len; i++)
    ifbam_system_free (self->systems->pdata[i]);
  g_ptr_array_unref (self->systems);
  g_free (self);
}

void
ifbam_implicit_discard (IfbamImplicit *self)
{
  for (guint i = 0; self != NULL && i < self->systems->len; i++)
    if (self->systems->pdata[i] != NULL)
      ifbam_system_discard (self->systems->pdata[i]);
}

static IfbamSystem *
system_of (IfbamEventEngine *engine, guint32 index)
{
  GPtrArray *systems = engine->implicit->systems;

  while (systems->len <= index)
    g_ptr_array_add (systems, NULL);
  if (systems->pdata[index] == NULL)
    systems->pdata[index] = ifbam_system_new ();
  ifbam_system_set_up (systems->pdata[index], engine, index, engine->implicit->index);
  return systems->pdata[index];
}

/* Columns of node values */

/* Returns the time [s] at a fraction of a substep; a step's end is bitwise the next sample time. */
static double
time_at (const IfbamEventEngine *self, const IfbamSubstep *part, double share)
{
  return ifbam_event_time_at (self, part->from + share * part->h);
}

/* Sets given (prescribed) nodes to a straight path between their positions at both ends. Components
 * of an island may share such a node: assignments do not depend on earlier ones. */
static void
set_given_path (IfbamEventEngine *self, const IfbamSubstep *part)
{
  double *const *column = self->nodes.work;

  IFBAM_FOR_COMPONENTS (component, part->number)
  IFBAM_FOR_LIST (node, component, givens)
  {
    const double start = ifbam_event_motion_now (self, *node, time_at (self, part, 0)).position,
                 end = ifbam_event_motion_now (self, *node, time_at (self, part, 1)).position;

    column[0][*node] = start;
    column[2][*node] = 2 * start - end;
    column[part->scheme->message_position][*node] = 0.5 * (start + end);
    column[1][*node] = column[3][*node] = column[part->scheme->message_rate][*node] =
        (end - start) / part->h;
    IFBAM_EVALUATE (self, values_set, node, 1, part->scheme->n_columns, column);
  }
}

/* Returns whether a step with constant velocities passes or approaches a singular position. from,
 * h: [s]; x, v: its start (n_nodes). Side effect: overwrites the message columns. */
static gboolean
nears_singular (IfbamEventEngine *self, const IfbamSubstep *part, double from, double h,
                const double *x, const double *v)
{
  IfbamIsland *island = part->island;
  double *u = self->nodes.work[part->scheme->message_position],
         *w = self->nodes.work[part->scheme->message_rate];

  if (!ifbam_island_is_mechanism (island))
    return FALSE;
  ifbam_constraint_system_watch_pivots (&island->system, ifbam_substep_n_rows (part));
  for (guint k = 0; k <= 2; k++)
    {
      IFBAM_FOR_SUBSTEP_NODES (i, part)
      {
        w[*i] = v[*i];
        u[*i] = x[*i] + 0.5 * k * h * v[*i];
      }
      ifbam_event_set_given (self, part->number, ifbam_event_time_at (self, from + 0.5 * k * h), u,
                             w);
      for (guint r = 0; r < ifbam_substep_n_rows (part); r++)
        ifbam_link_measure_rows (self, g_array_index (island->rows, guint32, r), u, w);
      ifbam_event_factor_rows (self, island, FALSE);
    }
  return ifbam_constraint_system_is_singular (&island->system);
}

/* Steps */

/* Fails, and reports the node that changed most in the last iteration. */
static void
fail (IfbamEventEngine *self, const IfbamSubstep *part)
{
  const double *right = ifbam_system_rhs (part->system);
  const guint32 *node = ifbam_system_nodes (part->system);
  guint32 worst = 0;
  g_autofree char *name = NULL, *text = NULL;

  for (guint32 i = 1; i < ifbam_system_n_nodes (part->system); i++)
    if (!(fabs (right[i]) <= fabs (right[worst])))
      worst = i;
  name = ifbam_model_node_name (self->base.model, node[worst]);
  text =
      part->clamped
          ? g_strdup_printf (
              "the forces on \"%s\" have no balance: Newton's method does not converge", name)
          : g_strdup_printf ("\"%s\" has no solution under \"%s\", even in %u parts of the step: "
                             "Newton's method does not converge (choose a shorter step)",
                             name, part->scheme->name, MAX_SUBSTEPS);
  ifbam_event_fail (self, part->from, NULL, 0, text, "");
}

/* Sets the reactions, and the directions of frictions with several carriers, to 0. */
static void
clear_reactions (IfbamEventEngine *self, const IfbamSubstep *part)
{
  for (guint k = 0; k < ifbam_substep_n_rows (part); k++)
    {
      const guint32 carried =
          ifbam_event_friction_of_carriers (self, g_array_index (part->island->rows, guint32, k));

      part->island->lambda[k] = 0;
      if (carried != IFBAM_NONE)
        memset (self->links.state[carried].carrier_direction, 0,
                sizeof self->links.state[carried].carrier_direction);
    }
}

/* If the table begins with accelerations, computes those missing at a substep's start. account:
 * evaluates the forces there in any case. */
static void
begin (IfbamEventEngine *self, const IfbamSubstep *part, gboolean account)
{
  IfbamImplicit *own = self->implicit;
  double *u = self->nodes.work[part->scheme->message_position],
         *w = self->nodes.work[part->scheme->message_rate];
  gboolean known = TRUE;

  if (part->table->row[0][0] != 0)
    return;
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  known &= !isnan (own->acceleration[*i]);
  if (known && !account)
    return;
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    u[*i] = own->position[*i];
    w[*i] = own->rate[*i];
  }
  ifbam_substep_publish (self, part, u);
  ifbam_substep_publish (self, part, w);
  ifbam_event_set_given (self, part->number, time_at (self, part, 0), u, w);
  ifbam_event_accelerations (self, part->number, u, w, time_at (self, part, 0), TRUE);
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  if (isnan (own->acceleration[*i]))
    own->acceleration[*i] = self->nodes.acceleration[*i];
}

/* Massless nodes */

/* Lengths of stages [steps]. The shortest one yields positions of massless nodes that only springs
 * support. The longer ones begin at these positions and yield velocities. */
#define POSITION_STAGE 0x1p-33
#define VELOCITY_STAGE 0x1p-12

/* Solves a stage of length a [s]; nodes with inertia keep their velocities. FALSE: as ifbam_substep_solve (). */
static gboolean
solve_short_stage (IfbamEventEngine *self, IfbamSubstep *part, double a)
{
  const IfbamImplicit *own = self->implicit;
  double *u = self->nodes.work[part->scheme->message_position],
         *w = self->nodes.work[part->scheme->message_rate];
  const double time = ifbam_event_time_at (self, part->from + a);

  part->a = a;
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    own->from_position[*i] = own->position[*i];
    own->from_rate[*i] = w[*i] = own->rate[*i];
    u[*i] = own->position[*i] + a * w[*i];
  }
  clear_reactions (self, part);
  ifbam_event_set_given (self, part->number, time, u, w);
  return ifbam_substep_solve (self, part, time);
}

#define STAGE_RATIO                                                                                \
  16 /* length ratio of the stages that distinguish a jump from a large velocity */

/* Returns whether a change of a junction's flux within a stage of POSITION_STAGE exceeds rounding. A jump
 * of the flux would be an infinite voltage. */
static gboolean
exceeds_flux_rounding (const IfbamEventEngine *self, const IfbamSubstep *part, guint32 node,
                       double by)
{
  const IfbamMagnitudes *extent = ifbam_event_node_magnitudes (self, node);

  return ifbam_model_is_junction (self->base.model, node)
         && self->clusters.node_domain[node] == IFBAM_DOMAIN_ELECTRICITY
         && fabs (by) > 1e-6 * part->h * extent->rate + 1e-9 * extent->position;
}

/* Returns the junction of a circuit at which the flux jumps, as an inductor's current is cut off;
 * else IFBAM_NONE. A finite voltage changes the flux in proportion to the stage's length, a jump
 * does not. Where a jump is possible, a second stage decides; the first solution is restored. */
static guint32
find_jump (IfbamEventEngine *self, IfbamSubstep *part)
{
  double *u = self->nodes.work[part->scheme->message_position];
  double *first = self->implicit->rates[0];
  guint32 jump = IFBAM_NONE;
  gboolean possible = FALSE;

  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    first[*i] = u[*i];
    possible |= exceeds_flux_rounding (self, part, *i, u[*i] - self->nodes.x[*i]);
  }
  if (!possible)
    return IFBAM_NONE;
  possible = solve_short_stage (self, part, STAGE_RATIO * POSITION_STAGE * part->h);
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    const double by = first[*i] - self->nodes.x[*i];

    if (jump == IFBAM_NONE && exceeds_flux_rounding (self, part, *i, by)
        && !(possible && fabs (u[*i] - self->nodes.x[*i]) > STAGE_RATIO / 4 * fabs (by)))
      jump = *i;
    u[*i] = first[*i];
  }
  return jump;
}

/* Sets the junctions' velocities to those of the last stage. If no balance exists, they are very large and have the
 * signs of the infinite ones. */
static void
set_unsolved_velocities (IfbamEventEngine *self, const IfbamSubstep *part)
{
  const double *w = self->nodes.work[part->scheme->message_rate];

  IFBAM_FOR_SUBSTEP_NODES (i, part)
  if (ifbam_model_is_junction (self->base.model, *i))
    {
      self->nodes.v[*i] = w[*i];
      ifbam_event_set_evaluator_node (self, *i, self->nodes.x, self->nodes.v);
    }
}

void
ifbam_event_end_unsolved (IfbamEventEngine *self, guint32 index, guint32 junction, double time)
{
  const IfbamSubstep part = { .system = system_of (self, index), .from = time, .clamped = TRUE };
  g_autofree char *name = NULL, *text = NULL;

  IFBAM_FOR_SUBSTEP_NODES (i, &part)
  if (ifbam_model_is_junction (self->base.model, *i))
    {
      self->nodes.v[*i] = self->implicit->rate[*i];
      ifbam_event_set_evaluator_node (self, *i, self->nodes.x, self->nodes.v);
    }
  if (junction == IFBAM_UNBALANCED)
    fail (self, &part);
  if (junction == IFBAM_NONE || junction == IFBAM_UNBALANCED)
    return;
  name = ifbam_model_node_name (self->base.model, junction);
  text = g_strdup_printf ("at the junction \"%s\" the current of an inductor is cut off, which "
                          "takes an infinite voltage (give it a path, by a resistor, a capacitor "
                          "or a diode)",
                          name);
  ifbam_event_fail (self, time, NULL, 0, text, "");
}

/* Returns whether a massless node of the island may jump. In circuits no flux may jump. */
static gboolean
may_jump (const IfbamEventEngine *self, const IfbamSubstep *part)
{
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  if (ifbam_model_is_junction (self->base.model, *i)
      && self->clusters.node_domain[*i] != IFBAM_DOMAIN_ELECTRICITY)
    return TRUE;
  return FALSE;
}

/* Returns the length [s] to which short stages are relative: with a tolerance that of the island's present
 * step, as a sampling interval may exceed all time constants. */
static double
stage_scale (const IfbamEventEngine *self, guint32 index)
{
  const double present = ifbam_island (self, index)->next_step;

  return self->adaptive == NULL ? self->base.spec->step
         : present > 0          ? MIN (present, self->base.spec->first)
                                : self->base.spec->first;
}

double
ifbam_event_balance_junctions (IfbamEventEngine *self, guint32 index, double time,
                               guint32 *unsolved)
{
  static const double ahead[] = { 1, 2, 4 }, weight[] = { 8.0 / 3, -2, 1.0 / 3 };
  IfbamImplicit *own = self->implicit;
  const double step = stage_scale (self, index);
  IfbamSubstep part = {
    .number = index, .scheme = self->restart_scheme, .from = time, .h = step, .clamped = TRUE
  };
  const double *u = self->nodes.work[part.scheme->message_position],
               *w = self->nodes.work[part.scheme->message_rate];
  double *rate, stored = 0;
  gboolean found, jumps;

  *unsolved = IFBAM_NONE;
  if (IFBAM_IS_PRINTED && own == NULL) /* a step-size study runs a network under all schemes */
    {
      ifbam_event_fail (self, time, NULL, 0, "this scheme can't have junctions", "");
      return 0;
    }
  rate = own->accelerations[0];
  part.island = ifbam_island (self, index);
  part.system = system_of (self, index);
  if (!ifbam_system_has_junctions (part.system))
    return 0;
  jumps = !self->starting && may_jump (self, &part);
  if (jumps)
    stored = ifbam_event_island_stored (self, index);
  IFBAM_FOR_SUBSTEP_NODES (i, &part)
  {
    own->position[*i] = self->nodes.x[*i];
    own->rate[*i] = self->nodes.v[*i];
    rate[*i] = 0;
  }
  found = solve_short_stage (self, &part, POSITION_STAGE * step);
  if (!self->starting)
    *unsolved = find_jump (self, &part);
  if (*unsolved != IFBAM_NONE)
    {
      set_unsolved_velocities (self, &part);
      return 0;
    }
  IFBAM_FOR_SUBSTEP_NODES (i, &part)
  if (ifbam_model_is_junction (self->base.model, *i))
    own->position[*i] = u[*i];
  for (guint k = 0; k < G_N_ELEMENTS (ahead) && found; k++)
    {
      found = solve_short_stage (self, &part, ahead[k] * VELOCITY_STAGE * step);
      IFBAM_FOR_SUBSTEP_NODES (i, &part)
      rate[*i] += weight[k] * w[*i];
    }
  if (!found)
    {
      *unsolved = IFBAM_UNBALANCED;
      set_unsolved_velocities (self, &part);
      return 0;
    }
  IFBAM_FOR_SUBSTEP_NODES (i, &part)
  if (ifbam_model_is_junction (self->base.model, *i))
    {
      self->nodes.x[*i] = own->position[*i] - POSITION_STAGE * step * rate[*i];
      self->nodes.v[*i] = rate[*i];
      ifbam_event_set_evaluator_node (self, *i, self->nodes.x, self->nodes.v);
      ifbam_magnitudes_include_node (self, *i);
    }
  /* At the start, rounding thresholds follow from the velocities of the coming step. */
  if (self->starting && solve_short_stage (self, &part, step))
    IFBAM_FOR_SUBSTEP_NODES (i, &part)
  ifbam_magnitudes_include (self, ifbam_event_node_magnitudes (self, *i), 0, fabs (w[*i]));
  ifbam_event_set_given (self, index, ifbam_event_time_at (self, time), self->nodes.x,
                         self->nodes.v);
  return jumps ? ifbam_event_island_stored (self, index) - stored : 0;
}

/* Sets X and V of a stage, and its first iterate: the velocities of the stage before. */
static void
begin_stage (IfbamEventEngine *self, const IfbamSubstep *part, guint stage)
{
  const IfbamImplicit *own = self->implicit;
  const double *row = part->table->row[stage];
  double *u = self->nodes.work[part->scheme->message_position],
         *w = self->nodes.work[part->scheme->message_rate];

  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    double position = 0, rate = 0;

    for (guint j = 0; j < stage; j++)
      {
        position += row[j] * own->rates[j][*i];
        rate += row[j] * own->accelerations[j][*i];
      }
    own->from_position[*i] = own->position[*i] + part->h * position;
    own->from_rate[*i] = own->rate[*i] + part->h * rate;
    w[*i] = part->a == 0 ? own->from_rate[*i]
            : stage == 0 ? own->rate[*i]
                         : own->rates[stage - 1][*i];
    u[*i] = own->from_position[*i] + part->a * w[*i];
  }
}

/* Evaluates an explicit stage: forces and accelerations at the message columns, at time [s]. */
static void
evaluate_explicit_stage (IfbamEventEngine *self, const IfbamSubstep *part, double time)
{
  double *u = self->nodes.work[part->scheme->message_position],
         *w = self->nodes.work[part->scheme->message_rate];

  ifbam_substep_publish (self, part, u);
  ifbam_substep_publish (self, part, w);
  ifbam_event_accelerations (self, part->number, u, w, time, TRUE);
}

/* Advances one substep. first: of its step; account: work becomes pending. FALSE: as ifbam_substep_solve (). */
static gboolean
advance_substep (IfbamEventEngine *self, IfbamSubstep *part, gboolean account, gboolean first)
{
  IfbamImplicit *own = self->implicit;
  const IfbamScheme *scheme = part->scheme;
  const IfbamTableau *table = part->table;
  const guint last = table->n_rows - 1;
  double *u = self->nodes.work[scheme->message_position],
         *w = self->nodes.work[scheme->message_rate];
  gboolean ends_there = TRUE;
  guint stage = 0;

  begin (self, part, account);
  if (table->row[0][0] == 0)
    {
      IFBAM_FOR_SUBSTEP_NODES (i, part)
      {
        own->rates[0][*i] = own->rate[*i];
        own->accelerations[0][*i] = own->acceleration[*i];
      }
      if (account)
        ifbam_event_add_powers (self, part->number, u, w, part->h * table->weight[0], first);
      stage = 1;
    }
  clear_reactions (self, part);
  if (scheme->mean)
    set_given_path (self, part);
  for (; stage <= last; stage++)
    {
      double share = 0, time;

      for (guint j = 0; j <= stage; j++)
        share += table->row[stage][j];
      time = time_at (self, part, stage == last && !scheme->mean ? 1 : share);
      part->a = part->h * table->row[stage][stage];
      part->stage = stage;
      begin_stage (self, part, stage);
      if (!scheme->mean)
        ifbam_event_set_given (self, part->number, time, u, w);
      if (part->a > 0 && !ifbam_substep_solve (self, part, time))
        return FALSE;
      if (!(part->a > 0) && !ifbam_event_may_continue (self, part->from, ifbam_substep_work (part)))
        return FALSE;
      if (!(part->a > 0))
        evaluate_explicit_stage (self, part, time);
      IFBAM_FOR_SUBSTEP_NODES (i, part)
      {
        part->sharp |=
            first && stage == 1 && scheme->after_jump != NULL
            && fabs (w[*i] - own->rates[0][*i])
                   < FAST_NODE_RATIO * fabs (share * part->h * own->accelerations[0][*i]);
        own->rates[stage][*i] = w[*i];
        own->accelerations[stage][*i] =
            part->a > 0 ? (w[*i] - own->from_rate[*i]) / part->a : self->nodes.acceleration[*i];
      }
      /* Guards, records and work need forces and reactions of the solution, not of an iterate. */
      if (part->a > 0 && (account || self->base.model->unbatched_links->len > 0))
        {
          ifbam_substep_complete_columns (self, part);
          ifbam_substep_evaluate_forces (self, part, time);
          ifbam_substep_set_constraint_residuals (self, part, time, 0);
        }
      if (account)
        ifbam_event_add_powers (self, part->number, u, w, part->h * table->weight[stage],
                                first && stage == 0);
    }
  for (guint j = 0; j <= last; j++)
    ends_there &= table->row[last][j] == table->weight[j];
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    if (ends_there)
      {
        own->position[*i] = u[*i];
        own->rate[*i] = w[*i];
        own->acceleration[*i] = own->accelerations[last][*i];
        continue;
      }
    own->position[*i] += part->h * w[*i]; /* extrapolated from the stage in the middle */
    own->rate[*i] = 2 * w[*i] - own->rate[*i];
  }
  return TRUE;
}

/* Advances a step in equal substeps from x, v. FALSE: see ifbam_substep_solve (). */
static gboolean
advance_in_substeps (IfbamEventEngine *self, IfbamSubstep *part, double from, double h, guint parts,
                     const double *x, const double *v, gboolean account)
{
  IfbamImplicit *own = self->implicit;
  const gboolean leans = part->scheme == self->scheme; /* else the accelerations are not its own */

  part->h = h / parts;
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    own->position[*i] = x[*i];
    own->rate[*i] = v[*i];
    own->acceleration[*i] = leans ? self->nodes.a[*i] : NAN;
  }
  for (guint p = 0; p < parts; p++)
    {
      part->from = p == 0 ? from : from + p * part->h;
      if (!advance_substep (self, part, account, p == 0))
        return FALSE;
    }
  return TRUE;
}

static IfbamSubstep
part_new (IfbamEventEngine *self, guint32 index, const IfbamScheme *scheme)
{
  return (IfbamSubstep){ .system = system_of (self, index),
                         .island = ifbam_island (self, index),
                         .number = index,
                         .scheme = scheme,
                         .table = ifbam_scheme_tableau (scheme) };
}

/* Stores the end of the last substep in x1, v1, and projects it onto the constraints. */
static void
end_substep (IfbamEventEngine *self, const IfbamSubstep *part, double time, double *x1, double *v1)
{
  const IfbamImplicit *own = self->implicit;

  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    x1[*i] = own->position[*i];
    v1[*i] = own->rate[*i];
  }
  ifbam_substep_publish (self, part, x1);
  ifbam_substep_publish (self, part, v1);
  if (part->scheme == self->scheme && ifbam_scheme_carried_acceleration (part->scheme) > 0
      && x1 == self->nodes.x1)
    {
      IFBAM_FOR_SUBSTEP_NODES (i, part)
      self->nodes.a1[*i] = own->acceleration[*i];
      ifbam_substep_publish (self, part, self->nodes.a1);
    }
  ifbam_event_set_given (self, part->number, ifbam_event_time_at (self, time), x1, v1);
  ifbam_event_project (self, part->island, x1, v1, time, FALSE);
}

/* Returns whether a step begins just after a jump of forces. */
static gboolean
is_after_jump (const IfbamEventEngine *self, const IfbamSubstep *part)
{
  if (self->adaptive != NULL)
    return part->island->after_jump != 0;
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  if (part->scheme != self->scheme || isnan (self->nodes.a[*i]))
    return TRUE;
  return FALSE;
}

/* Advances a step, doubling the number of substeps until all converge. FALSE: failed. */
static gboolean
advance_with_subdivision (IfbamEventEngine *self, IfbamSubstep *part, double from, double h,
                          const double *x, const double *v, gboolean account)
{
  guint parts = 1;

  if (!ifbam_event_may_continue (self, from, ifbam_substep_work (part)))
    return FALSE;
  while (!advance_in_substeps (self, part, from, h, parts, x, v, account))
    {
      parts *= 2;
      if (parts > MAX_SUBSTEPS)
        fail (self, part);
      if (!ifbam_event_may_continue (self, from, ifbam_substep_work (part)))
        return FALSE;
    }
  return ifbam_event_may_continue (self, from, ifbam_substep_work (part));
}

static void
step_island (IfbamEventEngine *self, guint32 index, const IfbamScheme *scheme, double from,
             double h, const double *x, const double *v, double *x1, double *v1, gboolean account)
{
  IfbamSubstep part = part_new (self, index, scheme);

  part.is_singular = nears_singular (self, &part, from, h, x, v);
  if (!advance_with_subdivision (self, &part, from, h, x, v, account))
    return;
  if (account && part.sharp && is_after_jump (self, &part))
    {
      part.table = scheme->after_jump; /* for the work only */
      if (!advance_with_subdivision (self, &part, from, h, x, v, TRUE))
        return;
      part.table = scheme->implicit;
      if (!advance_with_subdivision (self, &part, from, h, x, v, FALSE))
        return;
    }
  end_substep (self, &part, from + h, x1, v1);
}

/* Error estimates */

/* Filters stiff components, which the scheme damps, out of the error estimate by one Newton
 * iteration (Hosea & Shampine 1996): e_x, e_v become e_x + a (e_v + d), e_v + d. (M/a + C + a K) d
 * is the change of the node forces due to e_x + a e_v, e_v. */
static void
filter_errors (IfbamEventEngine *self, const IfbamSubstep *part, double time)
{
  IfbamImplicit *own = self->implicit;
  double *u = self->nodes.work[part->scheme->message_position],
         *w = self->nodes.work[part->scheme->message_rate];
  double *right = ifbam_system_rhs (part->system);
  const double a = part->a;

  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    /* A massless node's rate follows from the states; an error of it would be a force. */
    const double error_rate =
        ifbam_model_is_junction (self->base.model, *i) ? 0 : own->error_rate[*i];

    w[*i] = own->rate[*i] + error_rate;
    u[*i] = own->position[*i] + own->error_position[*i] + a * error_rate;
  }
  ifbam_substep_complete_columns (self, part);
  ifbam_substep_evaluate_forces (self, part, time);
  ifbam_substep_set_constraint_residuals (self, part, time, 0);
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  *right++ = ifbam_model_is_junction (self->base.model, *i)
                 ? self->nodes.force[*i]
                 : self->nodes.force[*i] - own->acceleration[*i] / self->nodes.inverse_mass[*i];
  ifbam_system_solve (part->system);
  right = ifbam_system_rhs (part->system);
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    own->error_rate[*i] += *right++;
    own->error_position[*i] += a * own->error_rate[*i];
    u[*i] = own->position[*i];
    w[*i] = own->rate[*i];
  }
  ifbam_substep_complete_columns (self, part);
  ifbam_substep_evaluate_forces (self, part, time);
  ifbam_substep_set_constraint_residuals (self, part, time, 0);
}

gboolean
ifbam_event_try_step (IfbamEventEngine *self, guint32 index, double from, double h,
                      const double **x, const double **v)
{
  IfbamImplicit *own = self->implicit;
  IfbamSubstep part = part_new (self, index, self->scheme);
  const IfbamTableau *table = ifbam_scheme_tableau (part.scheme);

  *x = own->error_position;
  *v = own->error_rate;
  if (!ifbam_event_may_continue (self, from, ifbam_substep_work (&part))
      || !advance_in_substeps (self, &part, from, h, 1, self->nodes.x, self->nodes.v, FALSE)
      || !ifbam_event_may_continue (self, from, ifbam_substep_work (&part)))
    return FALSE;
  IFBAM_FOR_SUBSTEP_NODES (i, &part)
  {
    double position = 0, rate = 0;

    for (guint j = 0; j < table->n_rows; j++)
      {
        position += (table->weight[j] - table->embedded[j]) * own->rates[j][*i];
        rate += (table->weight[j] - table->embedded[j]) * own->accelerations[j][*i];
      }
    own->error_position[*i] = h * position;
    own->error_rate[*i] = h * rate;
    self->nodes.a[*i] = own->accelerations[0][*i];
  }
  if (part.scheme->implicit != NULL)
    filter_errors (self, &part, time_at (self, &part, 1));
  IFBAM_FOR_SUBSTEP_NODES (i, &part)
  {
    self->nodes.x1[*i] = own->position[*i];
    self->nodes.v1[*i] = own->rate[*i];
  }
  return TRUE;
}

double
ifbam_event_estimate_given (IfbamEventEngine *self, guint32 index, double from, double h)
{
  const IfbamTableau *table = ifbam_scheme_tableau (self->scheme);
  const IfbamSubstep part = { .from = from, .h = h };
  double worst = 0;

  IFBAM_FOR_COMPONENTS (component, index)
  IFBAM_FOR_LIST (node, component, moving)
  {
    double position = 0, rate = 0, largest = 0, fastest = 0;

    for (guint j = 0; j < table->n_rows; j++)
      {
        const double weight = h * (table->weight[j] - table->embedded[j]);
        double share = 0;
        IfbamMotion motion;

        for (guint k = 0; k <= j; k++)
          share += table->row[j][k];
        motion = ifbam_event_motion_now (self, *node, time_at (self, &part, share));
        position += weight * motion.rate;
        rate += weight * motion.acceleration;
        largest = MAX (largest, fabs (motion.position));
        fastest = MAX (fastest, fabs (motion.rate));
      }
    worst = MAX (worst, MAX (largest > 0 ? fabs (position) / largest : 0,
                             fastest > 0 ? fabs (rate) / fastest : 0));
  }
  return worst;
}

gboolean
ifbam_event_estimate_jerk (IfbamEventEngine *self, guint32 index, double from, double h,
                           const double **before, const double **after)
{
  IfbamImplicit *own = self->implicit;
  IfbamSubstep part = part_new (self, index, self->scheme);
  double *of[] = { own->error_position, own->error_rate };
  double *u = self->nodes.work[part.scheme->message_position],
         *w = self->nodes.work[part.scheme->message_rate];

  part.from = from;
  part.h = h;
  for (guint end = 0; end < 2; end++)
    {
      if (!ifbam_event_may_continue (self, from, ifbam_substep_work (&part)))
        return FALSE;
      IFBAM_FOR_SUBSTEP_NODES (i, &part)
      {
        u[*i] = self->nodes.x[*i] + (end > 0 ? h * (self->nodes.v[*i] + 0.5 * h * of[0][*i]) : 0);
        w[*i] = self->nodes.v[*i];
      }
      ifbam_event_set_given (self, index, time_at (self, &part, end), u, w);
      evaluate_explicit_stage (self, &part, time_at (self, &part, 0));
      IFBAM_FOR_SUBSTEP_NODES (i, &part)
      of[end][*i] = self->nodes.acceleration[*i];
    }
  *before = of[0];
  *after = of[1];
  return TRUE;
}

void
ifbam_event_accept_step (IfbamEventEngine *self, guint32 index, double time)
{
  const IfbamSubstep part = part_new (self, index, self->scheme);

  end_substep (self, &part, time, self->nodes.x1, self->nodes.v1);
}

void
ifbam_implicit_add_count (const IfbamImplicit *self, IfbamStepCount *count)
{
  if (self == NULL)
    return;
  count->factorings += self->count.factorings;
  count->damped += self->count.damped;
  count->continued += self->count.continued;
}

void
ifbam_event_step_implicit (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                           double from, double h, const double *x, const double *v, double *x1,
                           double *v1, gboolean account)
{
  if (island != IFBAM_NONE)
    {
      step_island (self, island, scheme, from, h, x, v, x1, v1, account);
      return;
    }
  for (guint32 i = 0; i < self->islands.list->len; i++)
    if (ifbam_island (self, i)->n_components > 0)
      step_island (self, i, scheme, from, h, x, v, x1, v1, account);
  ifbam_event_set_given (self, IFBAM_NONE, ifbam_event_time_at (self, from + h), x1, v1);
}
