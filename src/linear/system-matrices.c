/* system-matrices.c: small motions of a network about its start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/system-matrices.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "event/event.h"
#include "base/fail.h"

/* Rotation of a row smaller than this fraction of itself is rounding. */
#define ROTATION_ROUNDING 1e-9
/* Least entry of a constraint row, relative to the largest. */
#define SLIGHT 1e-10
/* Largest relative difference for a row's rotation, and the number of halvings. */
#define MAX_ROW_ROTATION 1e-2
#define MAX_HALVINGS     10
/* Fraction of cancelling entries below which their sum is rounding. */
#define CANCELLATION_ROUNDING 1e-14
/* Accelerations below this fraction of those by single forces count as equilibrium. */
#define REST_TOLERANCE 1e-6
/* Largest number of coordinates joined by constraints: the work grows with its cube. */
#define MAX_HELD 4000

/* Links */

/* Derivatives of an extra row. */
typedef struct
{
  double stiffness, damping, turning;
} RowSlopes;

static void
add_extra (IfbamSmallMotions *motions, GArray *slopes, IfbamMotionRow *row, double stiffness,
           double damping, double turning)
{
  const RowSlopes own = { stiffness, damping, turning };

  row->number = motions->links->model->n_slots + motions->extra->len;
  g_array_append_vals (motions->extra, row, 1);
  g_array_append_val (slopes, own);
}

static void
measure (const IfbamLink *link, const double *x, const double *v, double *row)
{
  double delta;

  link->geometry->measure (link->shape, x, v, &delta, row);
}

/* Computes d row / d coordinate of a port, or d rate: central differences with shrinking distance,
 * extrapolated to the least estimated error (Ridders 1982, Adv. Eng. Software 4, 75). */
static void
differentiate_row (const IfbamLink *link, const double *x, const double *v, guint port,
                   gboolean by_rate, double *slope)
{
  const double *from = by_rate ? v : x;
  double reach = MAX_ROW_ROTATION * fmax (1e-3, fabs (from[port])),
         table[2][MAX_HALVINGS][IFBAM_MAX_PORTS];
  double error[IFBAM_MAX_PORTS];

  for (guint level = 0; level < MAX_HALVINGS; level++, reach *= 0.5)
    {
      double moved[IFBAM_MAX_PORTS], up[IFBAM_MAX_PORTS], down[IFBAM_MAX_PORTS];
      double (*now)[IFBAM_MAX_PORTS] = table[level & 1], (*last)[IFBAM_MAX_PORTS];

      last = table[!(level & 1)];
      memcpy (moved, from, link->n_ports * sizeof *from);
      moved[port] = from[port] + reach;
      measure (link, by_rate ? x : moved, by_rate ? moved : v, up);
      moved[port] = from[port] - reach;
      measure (link, by_rate ? x : moved, by_rate ? moved : v, down);
      for (guint i = 0; i < link->n_ports; i++)
        {
          double power = 1;

          now[0][i] = (up[i] - down[i]) / (2 * reach);
          if (level == 0)
            {
              slope[i] = now[0][i];
              error[i] = INFINITY;
            }
          for (guint k = 1; k <= level; k++)
            {
              double off;

              power *= 4;
              now[k][i] = now[k - 1][i] + (now[k - 1][i] - last[k - 1][i]) / (power - 1);
              off = fmax (fabs (now[k][i] - now[k - 1][i]), fabs (now[k][i] - last[k - 1][i]));
              if (off < error[i])
                {
                  error[i] = off;
                  slope[i] = now[k][i];
                }
            }
        }
    }
}

int
ifbam_link_turning (const IfbamLink *link, const double *x, const double *v, double force,
                    double (*rows)[IFBAM_MAX_PORTS], double *stiffness)
{
  const guint n = link->n_ports;
  double matrix[IFBAM_MAX_PORTS * IFBAM_MAX_PORTS], values[IFBAM_MAX_PORTS], largest = 0;
  int kept = 0;

  if (link->geometry->straight || force == 0)
    return 0;
  for (guint e = 0; e < n; e++)
    {
      double slope[IFBAM_MAX_PORTS];

      differentiate_row (link, x, v, e, FALSE, slope);
      for (guint i = 0; i < n; i++)
        matrix[i + e * n] = force * slope[i];
    }
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < i; j++)
      matrix[i + j * n] = matrix[j + i * n] = 0.5 * (matrix[i + j * n] + matrix[j + i * n]);
  if (LAPACKE_dsyev (LAPACK_COL_MAJOR, 'V', 'L', (int) n, matrix, (int) n, values) != 0)
    return -1;
  for (guint k = 0; k < n; k++)
    largest = MAX (largest, fabs (values[k]));
  for (guint k = 0; k < n; k++)
    if (fabs (values[k]) > ROTATION_ROUNDING * (largest + fabs (force)))
      {
        memcpy (rows[kept], matrix + k * n, n * sizeof *matrix);
        stiffness[kept++] = values[k];
      }
  return kept;
}

/* part: fraction of the force that is a reaction. FALSE: the row has no finite derivative. */
static gboolean
add_turning (IfbamSmallMotions *motions, GArray *slopes, const IfbamLink *link, const double *x,
             const double *v, double force, double part)
{
  double rows[IFBAM_MAX_PORTS][IFBAM_MAX_PORTS], stiffness[IFBAM_MAX_PORTS];
  const int n = ifbam_link_turning (link, x, v, force, rows, stiffness);

  for (int k = 0; k < n; k++)
    {
      IfbamMotionRow row = { .n = link->n_ports };

      for (guint i = 0; i < link->n_ports; i++)
        {
          row.at[i] = link->node[i];
          row.entry[i] = rows[k][i];
        }
      add_extra (motions, slopes, &row, stiffness[k], 0.0, part * stiffness[k]);
    }
  return n >= 0;
}

/* Adds a link's matrix in C, by columns (even, overwritten): symmetric part as rows, skew part as
 * gyration. size: magnitude of forces, for rounding. */
static gboolean
add_to_damping (IfbamSmallMotions *motions, GArray *slopes, const IfbamLink *link, double *even,
                double size)
{
  const guint n = link->n_ports;
  IfbamGyration gyration = { .n = n };
  double values[IFBAM_MAX_PORTS], most = 0;
  gboolean turns = FALSE;

  for (guint e = 0; e < n; e++)
    gyration.node[e] = link->node[e];
  for (guint e = 0; e < n; e++)
    for (guint i = 0; i <= e; i++)
      {
        const double above = even[i + e * n], below = even[e + i * n];

        gyration.matrix[i + e * n] = 0.5 * (above - below);
        gyration.matrix[e + i * n] = 0.5 * (below - above);
        even[i + e * n] = even[e + i * n] = 0.5 * (above + below);
        turns |= fabs (above - below) > ROTATION_ROUNDING * size;
      }
  if (turns)
    g_array_append_val (motions->gyrations, gyration);
  if (LAPACKE_dsyev (LAPACK_COL_MAJOR, 'V', 'L', (int) n, even, (int) n, values) != 0)
    return FALSE;
  for (guint k = 0; k < n; k++)
    most = fmax (most, fabs (values[k]));
  for (guint k = 0; k < n; k++)
    if (fabs (values[k]) > ROTATION_ROUNDING * (most + size))
      {
        IfbamMotionRow row = { .n = n };

        for (guint i = 0; i < n; i++)
          {
            row.at[i] = link->node[i];
            row.entry[i] = even[k * n + i];
          }
        add_extra (motions, slopes, &row, 0.0, values[k], 0.0);
      }
  return TRUE;
}

/* Adds a force along a row that turns with the rates, to C; a part of it may do no work. */
static gboolean
add_gyration (IfbamSmallMotions *motions, GArray *slopes, const IfbamLink *link, const double *x,
              const double *v, double force)
{
  const guint n = link->n_ports;
  double even[IFBAM_MAX_PORTS * IFBAM_MAX_PORTS];

  if (!link->geometry->only_rate || force == 0)
    return TRUE;
  for (guint e = 0; e < n; e++)
    {
      double slope[IFBAM_MAX_PORTS];

      differentiate_row (link, x, v, e, TRUE, slope);
      for (guint i = 0; i < n; i++)
        even[i + e * n] = force * slope[i];
    }
  return add_to_damping (motions, slopes, link, even, fabs (force));
}

/* Adds a link with a force direction other than its row. */
static gboolean
add_transfer (IfbamSmallMotions *motions, GArray *slopes, const IfbamLink *link, const double *x,
              const double *v, const IfbamForceDerivatives *law)
{
  const guint n = link->n_ports;
  double pull[IFBAM_MAX_PORTS], even[IFBAM_MAX_PORTS * IFBAM_MAX_PORTS];
  IfbamGyration follows = { .n = n };

  measure (link, x, v, follows.measured_row);
  memcpy (pull, follows.measured_row, sizeof pull);
  link->geometry->force_direction (link->shape, pull);
  for (guint e = 0; e < n; e++)
    {
      follows.node[e] = link->node[e];
      for (guint i = 0; i < n; i++)
        {
          follows.matrix[i + e * n] = pull[i] * law->stiffness * follows.measured_row[e];
          even[i + e * n] = pull[i] * law->damping * follows.measured_row[e];
        }
    }
  if (law->stiffness != 0)
    g_array_append_val (motions->circulations, follows);
  return add_to_damping (motions, slopes, link, even, fabs (law->damping));
}

/* Returns the weight of a row's entry: entries may have different units. */
static double
weight_of (const IfbamSmallMotions *motions, guint32 node, double entry)
{
  return fabs (entry) * sqrt (motions->model->inverse_inertia[node]);
}

/* Data collected from links. */
typedef struct
{
  IfbamSmallMotions *motions;
  IfbamEventEngine *engine;
  GArray *slopes;
  GArray *relations; /* IfbamMotionRow over nodes */
  double *push;      /* sums of absolute forces by node (n_nodes) */
  gboolean turns;    /* a turning row has a force */
} Gathering;

static void
store_constraint (IfbamSmallMotions *motions, const IfbamLink *link, const double *row)
{
  IfbamConstraintRow relation = { .n_ports = link->n_ports, .share = 1 };

  for (guint e = 0; e < link->n_ports; e++)
    {
      relation.node[e] = link->node[e];
      relation.row[e] = relation.pull[e] = row[e];
    }
  g_array_append_val (motions->relations, relation);
}

static gboolean
add_single (Gathering *gathering, guint index, GError **error)
{
  IfbamSmallMotions *motions = gathering->motions;
  IfbamEventEngine *engine = gathering->engine;
  const IfbamLink *link = ifbam_link (engine, index);
  const IfbamLinkState *state = &engine->links.state[index];
  const gboolean is_constrained = ifbam_link_is_active (engine, index);
  IfbamMotionRow row = { .n = link->n_ports }, held = { 0 };
  double delta, rate, x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], room[IFBAM_MAX_LAW], most = 0, force;
  IfbamForceDerivatives law;
  guint n_rows;

  rate = ifbam_link_measure (link, engine->nodes.x, engine->nodes.v, &delta, row.entry);
  ifbam_link_read_ports (link, engine->nodes.x, x);
  ifbam_link_read_ports (link, engine->nodes.v, v);
  for (guint e = 0; e < link->n_ports; e++)
    row.at[e] = link->node[e];
  motions->mode[index] = state->mode;
  if (ifbam_link_slip (engine, index) != 0
      || (link->normal_force != NULL && ifbam_friction_direction (state->mode) != 0))
    return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                       "%s slips at the start: small motions about slip are not known here (let "
                       "it begin at rest)",
                       link->name);
  law = ifbam_link_differentiate (link, ifbam_link_parameters_now (engine, index, room),
                                  state->mode, delta, rate);
  if (!isfinite (law.stiffness) || !isfinite (law.damping))
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "%s: its law has no finite slope at this state",
                       link->name);
  if (link->geometry->force_direction != NULL)
    {
      if (add_transfer (motions, gathering->slopes, link, x, v, &law))
        return TRUE;
      return ifbam_fail (error, IFBAM_ERROR_NETWORK, "%s: its law has no slope at this state",
                         link->name);
    }
  if (law.stiffness != 0 || law.damping != 0)
    add_extra (motions, gathering->slopes, &row, law.stiffness, law.damping, 0.0);
  force = law.force + (is_constrained ? state->reaction : 0);
  n_rows = motions->extra->len;
  if (!add_turning (motions, gathering->slopes, link, x, v, force,
                    force != 0 ? (force - law.force) / force : 0)
      || !add_gyration (motions, gathering->slopes, link, x, v, law.force))
    return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                       "%s: how it turns with its ends has no finite slope at this state",
                       link->name);
  /* also if the rotation has no derivative at present */
  gathering->turns |=
      motions->extra->len > n_rows || (is_constrained && link->geometry->velocity_term != NULL);
  for (guint e = 0; e < link->n_ports; e++)
    {
      gathering->push[link->node[e]] += fabs (force * row.entry[e]);
      /* Given nodes are at rest. */
      if (link->node[e] < motions->model->n_free)
        most = fmax (most, weight_of (motions, link->node[e], row.entry[e]));
    }
  /* Omits entries that are rounding, as of a rod that hangs straight down. */
  for (guint e = 0; e < link->n_ports && is_constrained; e++)
    if (link->node[e] < motions->model->n_free
        && weight_of (motions, link->node[e], row.entry[e]) > SLIGHT * most)
      {
        held.at[held.n] = link->node[e];
        held.entry[held.n++] = row.entry[e];
      }
  if (held.n > 0)
    g_array_append_val (gathering->relations, held);
  if (is_constrained)
    store_constraint (motions, link, row.entry);
  motions->is_constrained |= is_constrained;
  return TRUE;
}

/* Computes reactions and accelerations at the start with zero rates. */
static void
find_start_accelerations (IfbamEventEngine *engine, double *acceleration)
{
  const IfbamModel *model = engine->base.model;
  g_autofree double *still = g_new0 (double, model->n_nodes + 1);
  g_autofree guint8 *done = g_new0 (guint8, model->n_nodes + 1);

  for (guint32 i = 0; i < model->n_free; i++)
    {
      const guint32 island = ifbam_island_of (engine, i);

      if (!done[island])
        ifbam_event_accelerations (engine, island, engine->nodes.x, still,
                                   ifbam_event_time (engine), TRUE);
      done[island] = TRUE;
      acceleration[i] = engine->nodes.acceleration[i];
    }
}

/* TRUE if accelerations are negligible beside those by single forces. */
static gboolean
is_at_rest (const Gathering *gathering, const double *acceleration)
{
  const IfbamSmallMotions *motions = gathering->motions;
  const IfbamModel *model = motions->model;
  double most = 0, scale = 0;

  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED); ifbam_link_iter_next (&at);)
    {
      const double force = fabs (motions->links->force[at.slot]);

      gathering->push[at.link->node[0]] += force;
      gathering->push[at.link->node[1]] += force * fabs (ifbam_link_ratio (at.link));
    }
  for (gsize i = 0; i < ifbam_model_n_named_free (model); i++)
    {
      const gsize node = ifbam_model_named_node (model, i);

      most = fmax (most, fabs (acceleration[node]));
      scale = fmax (scale, gathering->push[node] * model->inverse_inertia[node]);
    }
  return most <= REST_TOLERANCE * scale;
}

/* Returns the spec of an engine at the start. Massless nodes are balanced there in short stages,
 * which need a finite step. (Its start is not owned.) */
static IfbamRunSpec
spec_with_step (const IfbamModel *model, const IfbamRunSpec *spec)
{
  IfbamRunSpec own = *spec;

  if (model->n_junctions > 0 && !isfinite (own.step))
    own.step = 1e-6;
  return own;
}

static gboolean
add_singles (IfbamSmallMotions *motions, GArray *slopes, GArray *relations, GError **error)
{
  const IfbamModel *model = motions->model;
  const IfbamRunSpec own = spec_with_step (model, motions->spec);
  g_autoptr (IfbamEngine) engine = ifbam_event_engine_new (model, &own, FALSE);
  g_autofree double *push = g_new0 (double, model->n_nodes + 1);
  g_autofree double *acceleration = g_new0 (double, model->n_free + 1);
  Gathering gathering = { .motions = motions,
                          .engine = (IfbamEventEngine *) engine,
                          .slopes = slopes,
                          .relations = relations,
                          .push = push };

  ifbam_engine_start (engine);
  if (engine->log->failure != NULL)
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "at the start: %s", engine->log->failure);
  find_start_accelerations (gathering.engine, acceleration);
  motions->mode = g_new0 (int, model->unbatched_links->len);
  for (guint j = 0; j < model->unbatched_links->len; j++)
    if (!add_single (&gathering, j, error))
      return FALSE;
  motions->held_at_start = gathering.turns && !is_at_rest (&gathering, acceleration);
  return TRUE;
}

/* Massless nodes
 *
 * Motions of massless nodes alone that satisfy the constraints are the columns z of a null-space
 * basis. Along each of them link forces balance without reactions: z^T (C x' + K x) = 0. If only
 * springs, or only dampers, take part, this is one more constraint of positions. */

/* Derivatives of the force along z by positions and rates of nodes. */
typedef struct
{
  guint n;
  guint32 node[IFBAM_MAX_PORTS];
  double stiffness[IFBAM_MAX_PORTS], damping[IFBAM_MAX_PORTS];
} Balance;

/* Balances along all columns of the basis. */
typedef struct
{
  const IfbamNullSpace *null_space;
  gsize n_free;
  Balance *balance; /* (kernel->n) */
  gboolean fits;    /* no balance has more than IFBAM_MAX_PORTS nodes */
} Balances;

static void
add_to_balance (Balances *self, gsize z, guint32 node, double stiffness, double damping)
{
  Balance *balance = &self->balance[z];
  guint i = 0;

  while (i < balance->n && balance->node[i] != node)
    i++;
  if (i == IFBAM_MAX_PORTS)
    {
      self->fits = FALSE;
      return;
    }
  if (i == balance->n)
    {
      balance->node[balance->n++] = node;
      balance->stiffness[i] = balance->damping[i] = 0;
    }
  balance->stiffness[i] += stiffness;
  balance->damping[i] += damping;
}

/* Returns the number of columns that move a node. */
static gsize
count_columns (const Balances *self, gsize node)
{
  return node < self->n_free ? ifbam_null_space_count (self->null_space, node) : 0;
}

/* Returns the compression of a row per motion along z; 0: rounding. */
static double
compression_along (const Balances *self, const IfbamMotionRow *row, gsize z)
{
  const IfbamNullSpace *null_space = self->null_space;
  double sum = 0, gross = 0;

  for (guint e = 0; e < row->n; e++)
    if (count_columns (self, row->at[e]) > 0 && z >= null_space->first[row->at[e]]
        && z - null_space->first[row->at[e]] < count_columns (self, row->at[e]))
      {
        const gsize column = z - null_space->first[row->at[e]];
        const double part =
            row->entry[e] * null_space->factor[null_space->start[row->at[e]] + column];

        sum += part;
        gross += fabs (part);
      }
  return fabs (sum) > SLIGHT * gross ? sum : 0;
}

static void
add_row_to_balances (Balances *self, const IfbamSmallMotions *motions, const IfbamMotionRow *row)
{
  const double stiffness = motions->stiffness[row->number], damping = motions->damping[row->number];
  const guint32 *first = self->null_space->first;

  for (guint e = 0; e < row->n && (stiffness != 0 || damping != 0); e++)
    {
      gsize n = count_columns (self, row->at[e]);

      /* Two nodes have the same columns, or none in common. */
      for (guint before = 0; before < e && n > 0; before++)
        if (count_columns (self, row->at[before]) > 0
            && first[row->at[before]] == first[row->at[e]])
          n = 0;
      for (gsize k = 0; k < n; k++)
        {
          const gsize z = first[row->at[e]] + k;
          const double along = compression_along (self, row, z);

          for (guint o = 0; o < row->n && along != 0; o++)
            add_to_balance (self, z, (guint32) row->at[o], along * row->entry[o] * stiffness,
                            along * row->entry[o] * damping);
        }
    }
}

/* Makes a balance a constraint. node: one that moves along z. */
static gboolean
constrain_balance (IfbamSmallMotions *motions, guint32 node, const Balance *balance,
                   GArray *relations, GError **error)
{
  IfbamMotionRow row = { 0 };
  IfbamConstraintRow kept = { .share = 1 };
  double by_place = 0, by_rate = 0;
  g_autofree char *name = ifbam_model_node_name (motions->model, node);

  for (guint i = 0; i < balance->n; i++)
    {
      by_place = fmax (by_place, fabs (balance->stiffness[i]));
      by_rate = fmax (by_rate, fabs (balance->damping[i]));
    }
  if ((by_place > 0) == (by_rate > 0))
    return ifbam_fail (
        error, IFBAM_ERROR_NETWORK,
        by_place > 0
            ? "springs and dampers act on the junction \"%s\": its motion can't be eliminated "
              "(give it a little inertia)"
            : "nothing holds the junction \"%s\" at the start: its small motions are not known",
        name);
  for (guint i = 0; i < balance->n; i++)
    {
      const double entry = by_place > 0 ? balance->stiffness[i] : balance->damping[i];

      kept.node[kept.n_ports] = balance->node[i];
      kept.row[kept.n_ports] = kept.pull[kept.n_ports] = entry;
      kept.n_ports++;
      if (balance->node[i] >= motions->model->n_free)
        continue;
      row.at[row.n] = balance->node[i];
      row.entry[row.n++] = entry;
    }
  g_array_append_val (relations, row);
  g_array_append_val (motions->relations, kept);
  return TRUE;
}

/* FALSE with an error: a gyration or circulation acts on a junction. */
static gboolean
check_junctions (const IfbamSmallMotions *motions, const GArray *gyrations, GError **error)
{
  for (guint g = 0; g < gyrations->len; g++)
    {
      const IfbamGyration *own = &g_array_index (gyrations, IfbamGyration, g);

      for (guint e = 0; e < own->n; e++)
        if (ifbam_model_is_junction (motions->model, own->node[e]))
          {
            g_autofree char *name = ifbam_model_node_name (motions->model, own->node[e]);

            return ifbam_fail (
                error, IFBAM_ERROR_NETWORK,
                "a force on the junction \"%s\" follows other elements: its motion can't be "
                "eliminated (give it a little inertia)",
                name);
          }
    }
  return TRUE;
}

/* Returns motions of massless nodes alone that satisfy relations (IfbamMotionRow). */
static IfbamNullSpace *
find_massless_motions (const IfbamModel *model, const GArray *relations, GError **error)
{
  g_auto (IfbamDofGroups) groups = { 0 };
  g_autoptr (GArray) own = g_array_copy ((GArray *) relations);

  ifbam_dof_groups_init (&groups, model->n_free);
  for (gsize i = 0; i < model->n_free; i++)
    groups.still[i] = !ifbam_model_is_junction (model, i);
  return ifbam_null_space_new (model, &groups, own, MAX_HELD, error);
}

static gboolean
add_balances (IfbamSmallMotions *motions, GArray *relations, GError **error)
{
  const IfbamModel *model = motions->model;
  g_autoptr (IfbamNullSpace) null_space = NULL;
  g_autofree Balance *balance = NULL;
  Balances balances = { .n_free = model->n_free, .fits = TRUE };
  gboolean is_held = TRUE;
  gsize next = 0;

  if (!check_junctions (motions, motions->gyrations, error)
      || !check_junctions (motions, motions->circulations, error))
    return FALSE;
  null_space = find_massless_motions (model, relations, error);
  if (null_space == NULL)
    return FALSE;
  balances.null_space = null_space;
  balances.balance = balance = g_new0 (Balance, null_space->n + 1);
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED); ifbam_link_iter_next (&at);)
    {
      const IfbamMotionRow row = ifbam_motion_row_of (&at);

      add_row_to_balances (&balances, motions, &row);
    }
  for (guint i = 0; i < motions->extra->len; i++)
    add_row_to_balances (&balances, motions, &g_array_index (motions->extra, IfbamMotionRow, i));
  if (!balances.fits)
    return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                       "a junction joins more than %d nodes: its motion can't be eliminated",
                       IFBAM_MAX_PORTS - 1);
  /* A column's lowest node comes first. */
  for (guint32 i = 0; i < model->n_free && is_held; i++)
    for (; is_held && next < null_space->first[i] + count_columns (&balances, i); next++)
      is_held = constrain_balance (motions, i, &balance[next], relations, error);
  return is_held;
}

/* Linearizes at the start, with massless nodes in balance. */
static IfbamLinearization *
linearize (const IfbamModel *model, const IfbamRunSpec *spec, GError **error)
{
  const IfbamRunSpec own = spec_with_step (model, spec);
  g_autoptr (IfbamEngine) engine = NULL;
  g_autofree double *position = NULL, *rate = NULL;

  if (model->n_junctions == 0)
    return ifbam_linearization_new (model, spec, NULL, NULL);
  engine = ifbam_event_engine_new (model, &own, FALSE);
  ifbam_engine_start (engine);
  if (engine->log->failure != NULL)
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK, "at the start: %s", engine->log->failure);
  position = g_new (double, model->n_nodes + 1);
  rate = g_new (double, model->n_nodes + 1);
  ifbam_engine_get_nodes (engine, 0, model->n_nodes, position, rate);
  return ifbam_linearization_new (model, spec, position, rate);
}

/* Construction */

static void
copy_derivatives (IfbamSmallMotions *motions, const GArray *slopes)
{
  IfbamLinearization *links = motions->links;
  const gsize n_slots = motions->model->n_slots;

  motions->n_rows = n_slots + motions->extra->len;
  motions->stiffness = g_renew (double, g_steal_pointer (&links->stiffness), motions->n_rows + 1);
  motions->damping = g_renew (double, g_steal_pointer (&links->damping), motions->n_rows + 1);
  motions->turning = g_new0 (double, motions->n_rows + 1);
  for (guint i = 0; i < motions->extra->len; i++)
    {
      const RowSlopes *own = &g_array_index (slopes, RowSlopes, i);

      motions->stiffness[n_slots + i] = own->stiffness;
      motions->damping[n_slots + i] = own->damping;
      motions->turning[n_slots + i] = own->turning;
    }
}

/* Gives every node its own coordinate. */
static void
use_nodes (IfbamSmallMotions *motions)
{
  const IfbamModel *model = motions->model;

  motions->n = model->n_free;
  motions->inertia = g_new (double, motions->n + 1);
  for (gsize i = 0; i < model->n_free; i++)
    motions->inertia[i] = ifbam_model_is_junction (model, i) ? 0 : ifbam_model_inertia (model, i);
}

static gboolean
find_coordinates (IfbamSmallMotions *motions, GArray *relations, gsize most, GError **error)
{
  const IfbamModel *model = motions->model;
  g_auto (IfbamDofGroups) groups = { 0 };

  if (!motions->is_constrained)
    {
      use_nodes (motions);
      return TRUE;
    }
  ifbam_dof_groups_init (&groups, model->n_free);
  /* State nodes follow the motions and are no coordinates. */
  for (gsize i = ifbam_model_n_named_free (model); i < model->n_free; i++)
    groups.still[ifbam_model_free_node (model, i)] = TRUE;
  motions->null_space = ifbam_null_space_new (model, &groups, relations, most, error);
  if (motions->null_space == NULL)
    return FALSE;
  motions->n = motions->null_space->n;
  motions->inertia = g_memdup2 (motions->null_space->inertia, (motions->n + 1) * sizeof (double));
  return TRUE;
}

static void
find_signs (IfbamSmallMotions *motions)
{
  g_auto (IfbamMotionIter) iter = { 0 };
  const IfbamCoordinateRow *row;

  motions->has_damping = motions->gyrations->len > 0 || motions->circulations->len > 0;
  ifbam_motion_iter_init (&iter, motions);
  while ((row = ifbam_motion_iter_next (&iter)) != NULL)
    {
      motions->has_damping |= motions->damping[row->number] != 0;
      motions->indefinite |= motions->stiffness[row->number] < 0;
    }
}

/* FALSE with an error: a massless coordinate is left, as balances of junctions are redundant. */
static gboolean
has_inertia (const IfbamSmallMotions *motions, GError **error)
{
  for (gsize i = 0; i < motions->n; i++)
    if (motions->inertia[i] == 0)
      return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                         "nothing holds some junctions at the start: their small motions are not "
                         "known");
  return TRUE;
}

/* most: see ifbam_small_motions_new_within (). keeps_massless: massless coordinates remain. */
static IfbamSmallMotions *
make (const IfbamModel *model, const IfbamRunSpec *spec, gsize most, gboolean keeps_massless,
      GError **error)
{
  g_autoptr (IfbamSmallMotions) motions = g_new0 (IfbamSmallMotions, 1);
  g_autoptr (GArray) slopes = g_array_new (FALSE, FALSE, sizeof (RowSlopes));
  g_autoptr (GArray) relations = g_array_new (FALSE, FALSE, sizeof (IfbamMotionRow));
  const gboolean eliminates = model->n_junctions > 0 && !keeps_massless;

  motions->extra = g_array_new (FALSE, FALSE, sizeof (IfbamMotionRow));
  motions->relations = g_array_new (FALSE, FALSE, sizeof (IfbamConstraintRow));
  motions->gyrations = g_array_new (FALSE, FALSE, sizeof (IfbamGyration));
  motions->circulations = g_array_new (FALSE, FALSE, sizeof (IfbamGyration));
  if (model->n_free == 0)
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK,
                            "the network has nothing with inertia that could swing "
                            "(want a mass, an inertia or a capacitor)");
  motions->model = model;
  motions->spec = spec;
  motions->links = linearize (model, spec, error);
  if (motions->links == NULL)
    return NULL;
  if (motions->links->first_not_finite < model->n_links)
    {
      g_autofree char *name = ifbam_model_link_name (model, motions->links->first_not_finite);

      return ifbam_fail_null (error, IFBAM_ERROR_NETWORK,
                              "%s: its law has no finite slope at this state", name);
    }
  motions->is_constrained = model->n_state_nodes > 0 || eliminates;
  if (model->unbatched_links->len > 0 && !add_singles (motions, slopes, relations, error))
    return NULL;
  copy_derivatives (motions, slopes);
  if ((eliminates && most > 0 && !add_balances (motions, relations, error))
      || (most > 0 && !find_coordinates (motions, relations, most, error))
      || (eliminates && !has_inertia (motions, error)))
    return NULL;
  find_signs (motions);
  return g_steal_pointer (&motions);
}

IfbamSmallMotions *
ifbam_small_motions_new (const IfbamModel *model, const IfbamRunSpec *spec, GError **error)
{
  return make (model, spec, MAX_HELD, FALSE, error);
}

IfbamSmallMotions *
ifbam_small_motions_new_within (const IfbamModel *model, const IfbamRunSpec *spec, gsize most,
                                GError **error)
{
  return make (model, spec, most, FALSE, error);
}

IfbamSmallMotions *
ifbam_small_motions_new_with_massless (const IfbamModel *model, const IfbamRunSpec *spec,
                                       GError **error)
{
  return make (model, spec, MAX_HELD, TRUE, error);
}

void
ifbam_small_motions_free (IfbamSmallMotions *motions)
{
  if (motions == NULL)
    return;
  ifbam_linearization_free (motions->links);
  g_array_unref (motions->extra);
  g_array_unref (motions->gyrations);
  g_array_unref (motions->circulations);
  g_free (motions->stiffness);
  g_free (motions->damping);
  g_free (motions->turning);
  g_free (motions->inertia);
  ifbam_null_space_free (motions->null_space);
  g_free (motions->mode);
  g_array_unref (motions->relations);
  g_free (motions);
}

/* Returns the link's name and mode; within a clearance also the setting that closes it. */
static char *
link_text (const IfbamLink *link, int mode)
{
  const int play = ifbam_element_param_index (link->info, "play");

  if (play >= 0 && link->law->modes != NULL && g_str_equal (link->law->modes[mode], "free"))
    return g_strdup_printf ("%s (free: --set %s.play=0%s closes it)", link->name, link->name,
                            g_str_equal (link->info->params[play].unit, "rad") ? "deg" : "");
  if (link->law->modes == NULL || (guint) mode >= g_strv_length ((char **) link->law->modes))
    return g_strdup (link->name);
  return g_strdup_printf ("%s (%s)", link->name, link->law->modes[mode]);
}

/* Returns TRUE if neither a link's Jacobian row nor its law's derivatives depend on the state. */
static gboolean
is_linear (const IfbamLink *link)
{
  const IfbamLaw *law = link->law;
  double stiffness, damping;

  if (link->geometry->velocity_term != NULL)
    return FALSE;
  return ifbam_link_is_fixed (link)
         || (law->modes == NULL && law->slopes != NULL
             && !law->slopes (link->numbers, 0, 0, 0, &stiffness, &damping));
}

char **
ifbam_small_motions_list_nonlinear (const IfbamSmallMotions *motions)
{
  const IfbamModel *model = motions->model;
  const IfbamLinearization *links = motions->links;
  const guint batched = links->n_nonlinear > 0 ? IFBAM_LINKS_BATCHED : 0;
  GPtrArray *names = g_ptr_array_new ();

  for (IfbamLinkIter at = ifbam_links (model, batched | IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    {
      const IfbamLink *link = at.link;

      if (at.slot < G_MAXSIZE)
        {
          if (links->nonlinear[at.slot] != 0 && ifbam_link_has_free_node (model, link))
            g_ptr_array_add (names, ifbam_link_iter_name (&at));
          continue;
        }
      /* Monitors have neither force nor constraint. */
      if (is_linear (link))
        continue;
      if (link->law->force != NULL
          || link->law->constraint (link->numbers, motions->mode[at.number]).kind
                 != IFBAM_CONSTRAINT_NONE)
        g_ptr_array_add (names, link_text (link, motions->mode[at.number]));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

/* Rows */

void
ifbam_motion_iter_init (IfbamMotionIter *iter, const IfbamSmallMotions *motions)
{
  const gsize most =
      IFBAM_MAX_PORTS * (motions->null_space != NULL ? motions->null_space->most : 1);

  *iter = (IfbamMotionIter){ .motions = motions,
                             .links = ifbam_links (motions->model, IFBAM_LINKS_STORED) };
  iter->row.at = g_new (gsize, most + 1);
  iter->row.entry = g_new (double, most + 1);
}

void
ifbam_motion_iter_clear (IfbamMotionIter *iter)
{
  g_free (iter->row.at);
  g_free (iter->row.entry);
}

static void
add_node_entry (const IfbamSmallMotions *motions, IfbamCoordinateRow *row, gsize node, double entry)
{
  const IfbamNullSpace *null_space = motions->null_space;
  gsize at = 0, first, n;

  if (node >= motions->model->n_free)
    return;
  if (null_space == NULL)
    {
      row->at[row->n] = node;
      row->entry[row->n++] = entry;
      return;
    }
  first = null_space->first[node];
  n = ifbam_null_space_count (null_space, node);
  /* Two nodes have the same coordinates, or none in common. */
  while (at < row->n && row->at[at] != first)
    at++;
  for (gsize k = 0; k < n; k++)
    {
      const double part = entry * null_space->factor[null_space->start[node] + k];

      if (at + k < row->n)
        {
          double *sum = &row->entry[at + k];

          *sum += part;
          if (fabs (*sum) <= CANCELLATION_ROUNDING * fabs (part))
            *sum = 0;
        }
      else
        {
          row->at[row->n] = first + k;
          row->entry[row->n++] = part;
        }
    }
}

IfbamCoordinateRow *
ifbam_motion_iter_next (IfbamMotionIter *iter)
{
  const IfbamSmallMotions *motions = iter->motions;
  IfbamCoordinateRow *row = &iter->row;

  for (row->n = 0; row->n == 0;)
    if (ifbam_link_iter_next (&iter->links))
      {
        row->number = iter->links.slot;
        add_node_entry (motions, row, iter->links.link->node[0], 1.0);
        add_node_entry (motions, row, iter->links.link->node[1],
                        -ifbam_link_ratio (iter->links.link));
      }
    else if (iter->index < motions->extra->len)
      {
        const IfbamMotionRow *extra =
            &g_array_index (motions->extra, IfbamMotionRow, iter->index++);

        row->number = extra->number;
        for (guint e = 0; e < extra->n; e++)
          add_node_entry (motions, row, extra->at[e], extra->entry[e]);
      }
    else
      return NULL;
  return row;
}

IfbamCoordinateRow *
ifbam_motion_iter_set (IfbamMotionIter *iter, guint n, const guint32 *node, const double *entry)
{
  iter->row.n = 0;
  for (guint e = 0; e < n; e++)
    add_node_entry (iter->motions, &iter->row, node[e], entry[e]);
  return &iter->row;
}

/* Matrices */

void
ifbam_small_motions_each_gyration (const IfbamSmallMotions *motions, const GArray *gyrations,
                                   IfbamEntryFunc func, gpointer data)
{
  g_auto (IfbamMotionIter) rows = { 0 }, columns = { 0 };

  ifbam_motion_iter_init (&rows, motions);
  ifbam_motion_iter_init (&columns, motions);
  for (guint g = 0; g < gyrations->len; g++)
    {
      const IfbamGyration *own = &g_array_index (gyrations, IfbamGyration, g);
      const double one = 1;

      for (guint e = 0; e < own->n; e++)
        for (guint f = 0; f < own->n; f++)
          {
            const IfbamCoordinateRow *felt =
                ifbam_motion_iter_set (&rows, 1, &own->node[e], &own->matrix[e + f * own->n]);
            const IfbamCoordinateRow *moved =
                ifbam_motion_iter_set (&columns, 1, &own->node[f], &one);

            for (gsize i = 0; i < felt->n; i++)
              for (gsize j = 0; j < moved->n; j++)
                func (data, felt->at[i], moved->at[j], felt->entry[i] * moved->entry[j]);
          }
    }
}

static void
add_entry (gpointer triplets, gsize row, gsize column, double value)
{
  ifbam_triplets_add (triplets, row, column, value);
}

IfbamSparse *
ifbam_small_motions_matrix (const IfbamSmallMotions *motions, const double *slope, GError **error)
{
  g_auto (IfbamTriplets) triplets = { .n = motions->n };
  g_auto (IfbamMotionIter) iter = { 0 };
  const IfbamCoordinateRow *row;

  ifbam_motion_iter_init (&iter, motions);
  while ((row = ifbam_motion_iter_next (&iter)) != NULL)
    for (gsize i = 0; i < row->n && slope[row->number] != 0; i++)
      for (gsize j = 0; j < row->n; j++)
        ifbam_triplets_add (&triplets, row->at[j], row->at[i],
                            row->entry[j] * (row->entry[i] * slope[row->number]));
  if (slope == motions->damping)
    ifbam_small_motions_each_gyration (motions, motions->gyrations, add_entry, &triplets);
  if (slope == motions->stiffness)
    ifbam_small_motions_each_gyration (motions, motions->circulations, add_entry, &triplets);
  return ifbam_sparse_new (motions->n, &triplets, error);
}

double
ifbam_small_motions_form (const IfbamSmallMotions *motions, const double *slope, const double *x,
                          const double *y)
{
  g_auto (IfbamMotionIter) iter = { 0 };
  const IfbamCoordinateRow *row;
  double sum = 0;

  ifbam_motion_iter_init (&iter, motions);
  while ((row = ifbam_motion_iter_next (&iter)) != NULL)
    {
      double a = 0, b = 0;

      for (gsize i = 0; i < row->n; i++)
        {
          a += row->entry[i] * x[row->at[i]];
          b += row->entry[i] * y[row->at[i]];
        }
      sum += slope[row->number] * a * b;
    }
  return sum;
}

double
ifbam_small_motions_gyration (const IfbamSmallMotions *motions, const GArray *gyrations,
                              const double *x, const double *y)
{
  double sum = 0;

  for (guint g = 0; g < gyrations->len; g++)
    {
      const IfbamGyration *gyration = &g_array_index (gyrations, IfbamGyration, g);

      for (guint e = 0; e < gyration->n; e++)
        for (guint f = 0; f < gyration->n; f++)
          sum += ifbam_small_motions_node (motions, gyration->node[e], x)
                 * gyration->matrix[e + f * gyration->n]
                 * ifbam_small_motions_node (motions, gyration->node[f], y);
    }
  return sum;
}

/* Inputs */

void
ifbam_small_motions_force_input (const IfbamSmallMotions *motions, gsize node, double *force)
{
  const IfbamNullSpace *null_space = motions->null_space;

  memset (force, 0, motions->n * sizeof *force);
  if (null_space == NULL)
    force[node] = 1.0;
  else
    for (gsize k = 0; k < ifbam_null_space_count (null_space, node); k++)
      force[null_space->first[node] + k] = null_space->factor[null_space->start[node] + k];
}

/* Adds a row's forces on the coordinates; own: its compression per motion of a given node. */
static void
add_motion (const IfbamSmallMotions *motions, gsize index, double own,
            const IfbamCoordinateRow *row, double *stiffness, double *damping)
{
  for (gsize i = 0; i < row->n; i++)
    {
      stiffness[row->at[i]] -= row->entry[i] * own * motions->stiffness[index];
      damping[row->at[i]] -= row->entry[i] * own * motions->damping[index];
    }
}

/* M^-1 J^T (J M^-1 J^T)^-1 times the constraints' compressions by the given node: orthogonal to all
 * independent motions, so that it adds no inertia to them. */
double *
ifbam_small_motions_carried (const IfbamSmallMotions *motions, gsize node)
{
  const IfbamModel *model = motions->model;
  const guint n = motions->relations->len;
  const IfbamConstraintRow *rows = (const IfbamConstraintRow *) (gpointer) motions->relations->data;
  g_autofree double *inverse_mass = g_new0 (double, model->n_nodes + 1);
  g_autofree double *lambda = g_new0 (double, n + 1);
  g_autofree guint32 *node_scratch = g_new (guint32, model->n_nodes + 1);
  double *carried;
  IfbamConstraintSystem system = { .even = TRUE };
  gboolean joins = FALSE;

  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < rows[i].n_ports; e++)
      if (rows[i].node[e] == node)
        {
          lambda[i] += rows[i].row[e];
          joins |= rows[i].row[e] != 0;
        }
  if (!joins)
    return NULL;
  memset (node_scratch, 0xff, model->n_nodes * sizeof *node_scratch);
  for (gsize i = 0; i < ifbam_model_n_named_free (model); i++)
    {
      const gsize free_node = ifbam_model_named_node (model, i);

      inverse_mass[free_node] = model->inverse_inertia[free_node];
    }
  ifbam_constraint_system_set (&system, rows, n, inverse_mass, node_scratch);
  ifbam_constraint_system_solve (&system, lambda, lambda);
  ifbam_constraint_system_clear (&system);
  carried = g_new0 (double, model->n_free + 1);
  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < rows[i].n_ports; e++)
      if (rows[i].node[e] < model->n_free)
        carried[rows[i].node[e]] -= inverse_mass[rows[i].node[e]] * rows[i].row[e] * lambda[i];
  return carried;
}

/* Adds forces of gyrations or circulations by a given node and the nodes carried with it. */
static void
add_gyration_forces (const IfbamSmallMotions *motions, const GArray *gyrations, gsize node,
                     const double *carried, double *sum)
{
  g_auto (IfbamMotionIter) iter = { 0 };

  ifbam_motion_iter_init (&iter, motions);
  for (guint g = 0; g < gyrations->len; g++)
    {
      const IfbamGyration *gyration = &g_array_index (gyrations, IfbamGyration, g);

      for (guint f = 0; f < gyration->n; f++)
        {
          const gsize moved = gyration->node[f];
          const double way = carried == NULL                  ? (moved == node ? 1 : 0)
                             : moved < motions->model->n_free ? carried[moved]
                                                              : 0;

          iter.row.n = 0;
          for (guint e = 0; e < gyration->n && way != 0; e++)
            add_node_entry (motions, &iter.row, gyration->node[e],
                            gyration->matrix[e + f * gyration->n] * way);
          for (gsize i = 0; i < iter.row.n; i++)
            sum[iter.row.at[i]] -= iter.row.entry[i];
        }
    }
}

/* Adds the forces by nodes that move with the given node. */
static void
add_carried (const IfbamSmallMotions *motions, const double *carried, double *stiffness,
             double *damping)
{
  g_auto (IfbamMotionIter) nodes = { 0 }, iter = { 0 };
  IfbamSmallMotions unheld = *motions;
  const IfbamCoordinateRow *row;

  unheld.null_space = NULL;
  ifbam_motion_iter_init (&nodes, &unheld);
  ifbam_motion_iter_init (&iter, motions);
  while ((row = ifbam_motion_iter_next (&nodes)) != NULL)
    {
      double own = 0;

      for (gsize i = 0; i < row->n; i++)
        own += row->entry[i] * carried[row->at[i]];
      iter.row.n = 0;
      for (gsize i = 0; i < row->n && own != 0; i++)
        add_node_entry (motions, &iter.row, row->at[i], row->entry[i]);
      add_motion (motions, row->number, own, &iter.row, stiffness, damping);
    }
  add_gyration_forces (motions, motions->gyrations, G_MAXSIZE, carried, damping);
  add_gyration_forces (motions, motions->circulations, G_MAXSIZE, carried, stiffness);
}

/* Adds the forces of a link's row on the coordinates, per motion of a given node. */
static void
add_row_of_given (const IfbamSmallMotions *motions, const IfbamMotionRow *nodes, gsize given,
                  IfbamCoordinateRow *row, double *stiffness, double *damping)
{
  double own = 0;

  row->n = 0;
  for (guint e = 0; e < nodes->n; e++)
    if (nodes->at[e] == given)
      own += nodes->entry[e];
    else
      add_node_entry (motions, row, nodes->at[e], nodes->entry[e]);
  if (own != 0)
    add_motion (motions, nodes->number, own, row, stiffness, damping);
}

void
ifbam_small_motions_motion_input (const IfbamSmallMotions *motions, gsize node, double *stiffness,
                                  double *damping)
{
  const IfbamModel *model = motions->model;
  g_autofree double *carried = ifbam_small_motions_carried (motions, node);
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);
  g_auto (IfbamMotionIter) iter = { 0 };

  memset (stiffness, 0, motions->n * sizeof *stiffness);
  memset (damping, 0, motions->n * sizeof *damping);
  ifbam_motion_iter_init (&iter, motions);
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    if (ifbam_link_iter_seek_slot (&at, model->port[p] >> 1)) /* else a source */
      {
        const IfbamMotionRow row = ifbam_motion_row_of (&at);

        add_row_of_given (motions, &row, node, &iter.row, stiffness, damping);
      }
  for (guint i = 0; i < motions->extra->len; i++)
    add_row_of_given (motions, &g_array_index (motions->extra, IfbamMotionRow, i), node, &iter.row,
                      stiffness, damping);
  add_gyration_forces (motions, motions->gyrations, node, NULL, damping);
  add_gyration_forces (motions, motions->circulations, node, NULL, stiffness);
  if (carried != NULL)
    add_carried (motions, carried, stiffness, damping);
}
