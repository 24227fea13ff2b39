/* small-motions.c: a network's small motions about its start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "motion/small-motions.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "event/event-engine.h"
#include "event/event-state.h"
#include "base/ifbam-error.h"

/* A row turns with its ends by so little that there is nothing to it, in parts of itself. */
#define STRAIGHT 1e-9
/* An entry of a row that is kept counts no less, in parts of the largest. */
#define SLIGHT 1e-10
/* Over which a row's turning is looked for, in parts of the coordinates' size. */
#define TURN 1e-3

/* Coordinates */

static void
number_coordinates (IfbamSmallMotions *motions, const IfbamGroups *groups)
{
  const IfbamModel *model = motions->model;
  gsize n = 0;

  motions->coordinate = g_new (guint32, model->n_free + 1);
  motions->factor = g_new (double, model->n_free + 1);
  /* A root is the lowest of its group: it is met first. */
  for (gsize i = 0; i < model->n_free; i++)
    {
      const guint32 root = ifbam_groups_find (groups, i, &motions->factor[i]);

      if (groups->still[root])
        motions->coordinate[i] = IFBAM_NO_COORDINATE;
      else
        motions->coordinate[i] = root == i ? (guint32) n++ : motions->coordinate[root];
    }
  motions->n = n;
}

/* Links */

static void
add_extra (IfbamSmallMotions *motions, GArray *slopes, IfbamMotionRow *row, double stiffness,
           double damping)
{
  const double pair[2] = { stiffness, damping };

  row->number = motions->links->model->n_slots + motions->extra->len;
  g_array_append_vals (motions->extra, row, 1);
  g_array_append_vals (slopes, pair, 2);
}

static void
measure (const IfbamLink *link, const double *x, const double *v, double *row)
{
  double delta;

  link->geometry->measure (link->shape, x, v, &delta, row);
}

guint
ifbam_link_turning (const IfbamLink *link, const double *x, const double *v, double force,
                    double (*rows)[IFBAM_MAX_PORTS], double *stiffness)
{
  const guint n = link->n_ports;
  double matrix[IFBAM_MAX_PORTS * IFBAM_MAX_PORTS], values[IFBAM_MAX_PORTS], largest = 0;
  guint kept = 0;

  if (link->geometry->straight || force == 0)
    return 0;
  for (guint e = 0; e < n; e++)
    {
      double slope[2][IFBAM_MAX_PORTS];

      /* Central differences, once extrapolated (Richardson 1911). */
      for (int level = 0; level < 2; level++)
        {
          double moved[IFBAM_MAX_PORTS], up[IFBAM_MAX_PORTS], down[IFBAM_MAX_PORTS];
          const double reach = TURN * (fabs (x[e]) > 1e-3 ? fabs (x[e]) : 1e-3) / (1 + level);

          memcpy (moved, x, n * sizeof *x);
          moved[e] = x[e] + reach;
          measure (link, moved, v, up);
          moved[e] = x[e] - reach;
          measure (link, moved, v, down);
          for (guint i = 0; i < n; i++)
            slope[level][i] = (up[i] - down[i]) / (2 * reach);
        }
      for (guint i = 0; i < n; i++)
        matrix[i + e * n] = force * (slope[1][i] + (slope[1][i] - slope[0][i]) / 3);
    }
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < i; j++)
      matrix[i + j * n] = matrix[j + i * n] = 0.5 * (matrix[i + j * n] + matrix[j + i * n]);
  if (LAPACKE_dsyev (LAPACK_COL_MAJOR, 'V', 'L', (int) n, matrix, (int) n, values) != 0)
    return 0;
  for (guint k = 0; k < n; k++)
    largest = MAX (largest, fabs (values[k]));
  for (guint k = 0; k < n; k++)
    if (fabs (values[k]) > STRAIGHT * (largest + fabs (force)))
      {
        memcpy (rows[kept], matrix + k * n, n * sizeof *matrix);
        stiffness[kept++] = values[k];
      }
  return kept;
}

static void
add_turning (IfbamSmallMotions *motions, GArray *slopes, const IfbamLink *link, const double *x,
             const double *v, double force)
{
  double rows[IFBAM_MAX_PORTS][IFBAM_MAX_PORTS], stiffness[IFBAM_MAX_PORTS];
  const guint n = ifbam_link_turning (link, x, v, force, rows, stiffness);

  for (guint k = 0; k < n; k++)
    {
      IfbamMotionRow row = { .n = link->n_ports };

      for (guint i = 0; i < link->n_ports; i++)
        {
          row.at[i] = link->node[i];
          row.entry[i] = rows[k][i];
        }
      add_extra (motions, slopes, &row, stiffness[k], 0.0);
    }
}

/* What an entry of a row weighs beside others, which may be of another kind. */
static double
weight_of (const IfbamSmallMotions *motions, guint32 node, double entry)
{
  return fabs (entry) * sqrt (motions->model->inverse_inertia[node]);
}

static gboolean
add_single (IfbamSmallMotions *motions, GArray *slopes, IfbamEventEngine *engine, guint number,
            IfbamGroups *groups, GError **error)
{
  const IfbamLink *link = ifbam_link (engine, number);
  const IfbamLinkState *state = &engine->link[number];
  const gboolean holds = ifbam_link_holds (engine, number);
  IfbamMotionRow row = { .n = link->n_ports }, held = { 0 };
  double delta, rate, x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], room[IFBAM_MAX_LAW], most = 0;
  IfbamSlopes law;

  rate = ifbam_link_measure (link, engine->x, engine->v, &delta, row.entry);
  for (guint e = 0; e < link->n_ports; e++)
    {
      row.at[e] = link->node[e];
      x[e] = engine->x[link->node[e]];
      v[e] = engine->v[link->node[e]];
    }
  motions->mode[number] = state->mode;
  if (ifbam_link_slip (engine, number) != 0)
    {
      g_set_error (
          error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
          "%s slips at the start: the small motions of what slides are not known here (let "
          "it begin at rest)",
          link->name);
      return FALSE;
    }
  ifbam_single_slopes (link, ifbam_link_numbers_at (link, engine->v, room), state->mode, delta,
                       rate, &law);
  if (!isfinite (law.stiffness[0]) || !isfinite (law.damping[0]))
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                   "%s: its law has no finite slope at this state", link->name);
      return FALSE;
    }
  if (law.stiffness[0] != 0 || law.damping[0] != 0)
    add_extra (motions, slopes, &row, law.stiffness[0], law.damping[0]);
  add_turning (motions, slopes, link, x, v, law.force[0] + (holds ? state->reaction : 0));
  if (!holds)
    return TRUE;
  /* Given nodes stand still. What hangs straight down does so but for rounding. */
  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < motions->model->n_free)
      most = fmax (most, weight_of (motions, link->node[e], row.entry[e]));
  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < motions->model->n_free
        && weight_of (motions, link->node[e], row.entry[e]) > SLIGHT * most)
      {
        held.at[held.n] = link->node[e];
        held.entry[held.n++] = row.entry[e];
      }
  if (!ifbam_groups_hold (groups, &held))
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                   "%s holds more than two coordinates together at the start: the small motions of "
                   "such a network are not known here",
                   link->name);
      return FALSE;
    }
  return TRUE;
}

static gboolean
add_singles (IfbamSmallMotions *motions, GArray *slopes, IfbamGroups *groups, GError **error)
{
  const IfbamModel *model = motions->model;
  g_autoptr (IfbamEngine) engine = ifbam_event_engine_new (model, motions->spec, FALSE);
  const char *failure;
  double time;

  engine->start (engine);
  failure = engine->failure (engine, &time);
  if (failure != NULL)
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK, "at the start: %s", failure);
      return FALSE;
    }
  motions->mode = g_new0 (int, model->singles->len);
  for (guint j = 0; j < model->singles->len; j++)
    {
      if (!add_single (motions, slopes, (IfbamEventEngine *) engine, j, groups, error))
        return FALSE;
      motions->holds |= ifbam_link_holds ((IfbamEventEngine *) engine, j);
    }
  return TRUE;
}

/* Making */

static void
take_slopes (IfbamSmallMotions *motions, const GArray *slopes)
{
  IfbamLinearization *links = motions->links;
  const gsize n_slots = motions->model->n_slots;

  motions->n_rows = n_slots + motions->extra->len;
  motions->stiffness = g_renew (double, g_steal_pointer (&links->stiffness), motions->n_rows + 1);
  motions->damping = g_renew (double, g_steal_pointer (&links->damping), motions->n_rows + 1);
  for (guint i = 0; i < motions->extra->len; i++)
    {
      motions->stiffness[n_slots + i] = g_array_index (slopes, double, 2 * i);
      motions->damping[n_slots + i] = g_array_index (slopes, double, 2 * i + 1);
    }
}

static void
weigh_coordinates (IfbamSmallMotions *motions)
{
  const IfbamModel *model = motions->model;

  motions->inertia = g_new0 (double, motions->n + 1);
  for (gsize i = 0; i < model->n_free; i++)
    if (motions->coordinate == NULL)
      motions->inertia[i] = ifbam_model_inertia (model, i);
    else if (motions->coordinate[i] != IFBAM_NO_COORDINATE)
      motions->inertia[motions->coordinate[i]] +=
          motions->factor[i] * motions->factor[i] * ifbam_model_inertia (model, i);
}

static void
look_at_signs (IfbamSmallMotions *motions)
{
  IfbamMotionIter iter;
  IfbamMotionRow row;

  ifbam_motion_iter_init (&iter, motions);
  while (ifbam_motion_iter_next (&iter, &row))
    {
      motions->has_damping |= motions->damping[row.number] != 0;
      motions->indefinite |= motions->stiffness[row.number] < 0;
    }
}

IfbamSmallMotions *
ifbam_small_motions_new (const IfbamModel *model, const IfbamRunSpec *spec, GError **error)
{
  g_autoptr (IfbamSmallMotions) motions = g_new0 (IfbamSmallMotions, 1);
  g_autoptr (GArray) slopes = g_array_new (FALSE, FALSE, sizeof (double));
  g_auto (IfbamGroups) groups = { 0 };

  motions->extra = g_array_new (FALSE, FALSE, sizeof (IfbamMotionRow));
  if (model->n_free == 0)
    {
      g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                           "the network has nothing with inertia that could swing "
                           "(want a mass, an inertia or a capacitor)");
      return NULL;
    }
  motions->model = model;
  motions->spec = spec;
  motions->n = model->n_free;
  motions->links = ifbam_linearization_new (model, spec, NULL, NULL);
  if (motions->links->first_not_finite < model->n_links)
    {
      g_autofree char *name = ifbam_model_link_name (model, motions->links->first_not_finite);

      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                   "%s: its law has no finite slope at this state", name);
      return NULL;
    }
  ifbam_groups_init (&groups, model->n_free);
  /* States follow the motions: they are no coordinates. */
  for (gsize i = ifbam_model_n_outer (model); i < model->n_free; i++)
    groups.still[ifbam_model_free_number (model, i)] = TRUE;
  motions->holds = model->n_inner > 0;
  if (model->singles->len > 0 && !add_singles (motions, slopes, &groups, error))
    return NULL;
  if (motions->holds)
    number_coordinates (motions, &groups);
  take_slopes (motions, slopes);
  weigh_coordinates (motions);
  look_at_signs (motions);
  return g_steal_pointer (&motions);
}

void
ifbam_small_motions_free (IfbamSmallMotions *motions)
{
  if (motions == NULL)
    return;
  ifbam_linearization_free (motions->links);
  g_array_unref (motions->extra);
  g_free (motions->stiffness);
  g_free (motions->damping);
  g_free (motions->inertia);
  g_free (motions->coordinate);
  g_free (motions->factor);
  g_free (motions->mode);
  g_free (motions);
}

static char *
link_text (const IfbamLink *link, int mode)
{
  if (link->law->modes == NULL || (guint) mode >= g_strv_length ((char **) link->law->modes))
    return g_strdup (link->name);
  return g_strdup_printf ("%s (%s)", link->name, link->law->modes[mode]);
}

char **
ifbam_small_motions_list_nonlinear (const IfbamSmallMotions *motions)
{
  const IfbamModel *model = motions->model;
  const IfbamLinearization *links = motions->links;
  GPtrArray *names = g_ptr_array_new ();

  for (gsize i = 0; i < model->n_links && names->len < links->n_nonlinear; i++)
    {
      const guint32 slot = model->link_slot[i];
      gsize index;
      const IfbamBatch *batch = ifbam_model_batch (model, slot, &index);

      if (links->nonlinear[slot] != 0 && ifbam_batch_owner (batch, index) < model->n_free)
        g_ptr_array_add (names, ifbam_model_link_name (model, i));
    }
  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamLink *link = &g_array_index (model->singles, IfbamLink, j);

      /* A monitor says nothing in any mode. */
      if (link->law->force != NULL
          || link->law->relation (link->numbers, motions->mode[j]).kind != IFBAM_RELATION_NONE)
        g_ptr_array_add (names, link_text (link, motions->mode[j]));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

/* Rows */

void
ifbam_motion_iter_init (IfbamMotionIter *iter, const IfbamSmallMotions *motions)
{
  *iter = (IfbamMotionIter){ motions, 0, 0 };
}

static inline void
put_end (const IfbamSmallMotions *motions, IfbamMotionRow *row, gsize node, double entry)
{
  gsize at = node;

  if (node >= motions->model->n_free)
    return;
  if (motions->coordinate != NULL)
    {
      if (motions->coordinate[node] == IFBAM_NO_COORDINATE)
        return;
      at = motions->coordinate[node];
      entry *= motions->factor[node];
      for (guint i = 0; i < row->n; i++)
        if (row->at[i] == at)
          {
            row->entry[i] += entry;
            return;
          }
    }
  row->at[row->n] = at;
  row->entry[row->n++] = entry;
}

gboolean
ifbam_motion_iter_next (IfbamMotionIter *iter, IfbamMotionRow *row)
{
  const IfbamSmallMotions *motions = iter->motions;
  const GArray *batches = motions->model->batches;

  row->n = 0;
  for (; iter->batch < batches->len; iter->batch++, iter->index = 0)
    {
      const IfbamBatch *batch = &g_array_index (batches, IfbamBatch, iter->batch);

      while (iter->index < batch->count)
        {
          const gsize i = iter->index++;

          if (ifbam_batch_is_gap (batch, i))
            continue;
          row->number = batch->first_slot + i;
          put_end (motions, row, batch->left[i], 1.0);
          put_end (motions, row, batch->right[i], -ifbam_batch_ratio (batch, i));
          if (row->n > 0)
            return TRUE;
        }
    }
  while (iter->index < motions->extra->len)
    {
      const IfbamMotionRow *extra = &g_array_index (motions->extra, IfbamMotionRow, iter->index++);

      row->number = extra->number;
      for (guint e = 0; e < extra->n; e++)
        put_end (motions, row, extra->at[e], extra->entry[e]);
      if (row->n > 0)
        return TRUE;
    }
  return FALSE;
}

/* Matrices */

IfbamSparse *
ifbam_small_motions_matrix (const IfbamSmallMotions *motions, const double *slope, GError **error)
{
  g_auto (IfbamTriplets) triplets = { 0 };
  IfbamMotionIter iter;
  IfbamMotionRow row;

  ifbam_motion_iter_init (&iter, motions);
  while (ifbam_motion_iter_next (&iter, &row))
    for (guint i = 0; i < row.n && slope[row.number] != 0; i++)
      for (guint j = 0; j < row.n; j++)
        ifbam_triplets_add (&triplets, row.at[j], row.at[i],
                            row.entry[j] * (row.entry[i] * slope[row.number]));
  return ifbam_sparse_new (motions->n, &triplets, error);
}

double
ifbam_small_motions_form (const IfbamSmallMotions *motions, const double *slope, const double *x,
                          const double *y)
{
  IfbamMotionIter iter;
  IfbamMotionRow row;
  double sum = 0;

  ifbam_motion_iter_init (&iter, motions);
  while (ifbam_motion_iter_next (&iter, &row))
    {
      double a = 0, b = 0;

      for (guint i = 0; i < row.n; i++)
        {
          a += row.entry[i] * x[row.at[i]];
          b += row.entry[i] * y[row.at[i]];
        }
      sum += slope[row.number] * a * b;
    }
  return sum;
}

/* Inputs */

void
ifbam_small_motions_force_input (const IfbamSmallMotions *motions, gsize node, double *force)
{
  memset (force, 0, motions->n * sizeof *force);
  if (motions->coordinate == NULL)
    force[node] = 1.0;
  else if (motions->coordinate[node] != IFBAM_NO_COORDINATE)
    force[motions->coordinate[node]] = motions->factor[node];
}

/* What a row's end at the given node does to the others. */
static void
add_motion (const IfbamSmallMotions *motions, gsize number, double own, const IfbamMotionRow *row,
            double *stiffness, double *damping)
{
  for (guint i = 0; i < row->n; i++)
    {
      stiffness[row->at[i]] -= row->entry[i] * own * motions->stiffness[number];
      damping[row->at[i]] -= row->entry[i] * own * motions->damping[number];
    }
}

void
ifbam_small_motions_motion_input (const IfbamSmallMotions *motions, gsize node, double *stiffness,
                                  double *damping)
{
  const IfbamModel *model = motions->model;

  memset (stiffness, 0, motions->n * sizeof *stiffness);
  memset (damping, 0, motions->n * sizeof *damping);
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    {
      IfbamMotionRow row = { 0 };
      gsize index;
      const IfbamBatch *batch = ifbam_model_batch (model, model->port[p] >> 1, &index);
      gboolean left;

      if (batch == NULL) /* a source */
        continue;
      left = batch->left[index] == node;
      put_end (motions, &row, left ? batch->right[index] : batch->left[index],
               left ? -ifbam_batch_ratio (batch, index) : 1.0);
      add_motion (motions, batch->first_slot + index,
                  left ? 1.0 : -ifbam_batch_ratio (batch, index), &row, stiffness, damping);
    }
  for (guint i = 0; i < motions->extra->len; i++)
    {
      const IfbamMotionRow *extra = &g_array_index (motions->extra, IfbamMotionRow, i);
      IfbamMotionRow row = { 0 };
      double own = 0;

      for (guint e = 0; e < extra->n; e++)
        if (extra->at[e] == node)
          own += extra->entry[e];
        else
          put_end (motions, &row, extra->at[e], extra->entry[e]);
      if (own != 0)
        add_motion (motions, extra->number, own, &row, stiffness, damping);
    }
}
