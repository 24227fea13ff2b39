/* unbatched-rows.c: rows and derivatives of unbatched links about the start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/unbatched-rows.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"

/* Rotation of a row smaller than this fraction of itself is rounding. */
#define ROTATION_ROUNDING 1e-9
/* Least entry of a constraint row, relative to the largest. */
#define SLIGHT 1e-10
/* Largest relative difference for a row's rotation, and the number of halvings. */
#define MAX_ROW_ROTATION 1e-2
#define MAX_HALVINGS     10
/* Accelerations below this fraction of those by single forces count as equilibrium. */
#define REST_TOLERANCE 1e-6

static void
add_extra (IfbamSmallMotions *motions, GArray *slopes, IfbamMotionRow *row, double stiffness,
           double damping, double turning)
{
  const IfbamRowSlopes own = { stiffness, damping, turning };

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

IfbamRunSpec
ifbam_small_motions_start_spec (const IfbamModel *model, const IfbamRunSpec *spec)
{
  IfbamRunSpec own = *spec;

  if (model->n_junctions > 0 && !isfinite (own.step))
    own.step = 1e-6;
  return own;
}

gboolean
ifbam_add_unbatched_rows (IfbamSmallMotions *motions, GArray *slopes, GArray *relations,
                          GError **error)
{
  const IfbamModel *model = motions->model;
  const IfbamRunSpec own = ifbam_small_motions_start_spec (model, motions->spec);
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
