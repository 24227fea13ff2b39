/* links.c: iteration over links; mean forces over paths, and events, of an unbatched link
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/links.h"

#include <math.h>

/* Sets the properties that all links of a batch have. */
static void
load_batch (IfbamLinkIter *iter, const IfbamBatch *batch)
{
  iter->loaded = batch;
  iter->batched = (IfbamLink){ .law = batch->law,
                               .info = batch->info,
                               .numbers = iter->parameters,
                               .geometry = batch->law->geometry,
                               .carrier = IFBAM_NO_NODE,
                               .n_ports = 2,
                               .n_states = batch->law->n_states,
                               .first_state = batch->law->first_state };
}

/* Copies a batched link to the iterator. */
static void
load (IfbamLinkIter *iter, const IfbamBatch *batch, gsize index)
{
  IfbamLink *link = &iter->batched;

  if (iter->loaded != batch)
    load_batch (iter, batch);
  for (guint k = 0; k < batch->n_numbers; k++)
    iter->parameters[k] = batch->parameters[k][index];
  link->shape[0] = iter->parameters[0]; /* the ratio, if the geometry has one */
  link->node[0] = batch->left[index];
  link->node[1] = batch->right[index];
  iter->end_slot[0] = iter->slot = batch->first_slot + index;
  iter->end_slot[1] = batch->far_slot + index;
  for (guint k = 0; k < link->n_states; k++)
    {
      link->node[2 + k] = batch->state[k][index];
      iter->end_slot[2 + k] = batch->state_slot[k] + index;
    }
  iter->link = link;
}

/* Moves to the next batched link in the order of storage. FALSE: none. */
static gboolean
next_stored (IfbamLinkIter *iter)
{
  for (; iter->batch < iter->model->batches->len; iter->batch++, iter->index = 0)
    {
      const IfbamBatch *batch = &g_array_index (iter->model->batches, IfbamBatch, iter->batch);

      while (iter->index < batch->count && ifbam_batch_is_gap (batch, iter->index))
        iter->index++;
      if (iter->index < batch->count)
        {
          load (iter, batch, iter->index++);
          return TRUE;
        }
    }
  return FALSE;
}

gboolean
ifbam_link_iter_seek_slot (IfbamLinkIter *iter, gsize slot)
{
  gsize index;
  const IfbamBatch *batch = ifbam_model_batch (iter->model, slot, &index);

  if (batch != NULL)
    load (iter, batch, index);
  return batch != NULL;
}

void
ifbam_link_iter_seek (IfbamLinkIter *iter, gsize index)
{
  const IfbamModel *model = iter->model;
  const IfbamSpan *span;
  gsize member;

  iter->number = index < model->n_links ? index : index - model->n_links;
  if (index >= model->n_links)
    {
      iter->slot = G_MAXSIZE;
      iter->link = ifbam_unbatched_link (model, iter->number);
      return;
    }
  span = ifbam_model_link_span (model, index, &member);
  if (model->link_slot != NULL)
    ifbam_link_iter_seek_slot (iter, model->link_slot[index]);
  else /* a network with errors has no batches: its links have class and element */
    {
      iter->slot = 0;
      iter->link = &iter->batched;
      iter->batched = (IfbamLink){ .law = span->info->link,
                                   .info = span->info,
                                   .carrier = IFBAM_NO_NODE,
                                   .n_states = span->info->link->n_states };
    }
  iter->batched.element = span->element;
}

gboolean
ifbam_link_iter_next (IfbamLinkIter *iter)
{
  if (iter->which & IFBAM_LINKS_STORED && next_stored (iter))
    return TRUE;
  if (iter->which & IFBAM_LINKS_BATCHED && iter->number + 1 < iter->model->n_links)
    {
      ifbam_link_iter_seek (iter, iter->number + 1);
      return TRUE;
    }
  if (!(iter->which & IFBAM_LINKS_UNBATCHED))
    return FALSE;
  if (iter->which != IFBAM_LINKS_UNBATCHED) /* after the last batched one */
    iter->number = G_MAXSIZE;
  iter->which = IFBAM_LINKS_UNBATCHED;
  if (iter->number + 1 >= iter->model->unbatched_links->len)
    return FALSE;
  ifbam_link_iter_seek (iter, iter->model->n_links + iter->number + 1);
  return TRUE;
}

char *
ifbam_link_iter_name (const IfbamLinkIter *iter)
{
  return iter->slot == G_MAXSIZE ? g_strdup (iter->link->name)
                                 : ifbam_model_link_name (iter->model, iter->number);
}

void
ifbam_link_add_nodes (const IfbamLink *link, gsize except, GArray *nodes)
{
  for (guint e = 0; e < link->n_ports + link->n_states; e++)
    {
      const gsize node = link->node[e];

      if (node != except)
        g_array_append_val (nodes, node);
    }
}

/* Returns the count of quadrature points of an unbatched link's mean: as in a batch. */
static guint
points_of (const IfbamLink *link)
{
  return link->law->points != NULL ? link->law->points (link->numbers) : IFBAM_MAX_POINTS;
}

static double
mean_of (guint points, const double *value)
{
  return points == 1   ? value[0]
         : points == 2 ? ifbam_path_mean_2 (value[0], value[1])
                       : ifbam_path_mean_3 (value[0], value[1], value[2]);
}

double
ifbam_link_mean (const IfbamLink *link, int mode, const IfbamLinkInputs *inputs, gboolean mean,
                 double *row, double *flow)
{
  const guint points = mean ? points_of (link) : 1;
  double force[IFBAM_MAX_POINTS], pull[IFBAM_MAX_PORTS][IFBAM_MAX_POINTS], sum;
  double change[IFBAM_MAX_STATES][IFBAM_MAX_POINTS];

  for (guint g = 0; g < points; g++)
    {
      const double s = ifbam_path_point (points, g);
      double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS], delta, speed;

      for (guint e = 0; e < link->n_ports + link->n_states; e++)
        {
          x[e] = mean ? ifbam_path_position (inputs->position[e], inputs->earlier_position[e], s)
                      : inputs->position[e];
          v[e] = mean ? ifbam_path_rate (inputs->rate[e], inputs->earlier_rate[e], s)
                      : inputs->rate[e];
        }
      speed = ifbam_link_measure_at (link, x, v, &delta, row);
      force[g] = ifbam_link_force (link, mode, inputs->pressing, delta, speed, x, v, flow);
      for (guint k = 0; k < link->law->n_states; k++)
        change[k][g] = flow[k];
      for (guint e = 0; e < link->n_ports; e++)
        pull[e][g] = row[e] * force[g];
    }
  sum = mean_of (points, force);
  for (guint k = 0; k < link->law->n_states; k++)
    flow[k] = mean_of (points, change[k]);
  for (guint e = 0; e < link->n_ports && points > 1 && sum != 0 && !link->geometry->straight; e++)
    row[e] = mean_of (points, pull[e]) / sum;
  return sum;
}

/* Returns TRUE for a friction: it stores no energy, but has a force at rate 0. */
static gboolean
is_friction (const IfbamLink *link, int mode)
{
  return link->law->constraint != NULL
         && link->law->constraint (link->numbers, mode).kind == IFBAM_CONSTRAINT_FRICTION;
}

/* mean_along () takes the elastic force from the energies stored at both endpoints of the path. The
 * path must be longer than this fraction of the compression, and the elastic work larger than this
 * fraction of the energy: else their differences are rounding errors. (With a gap in its law, a
 * link may store much energy at a small compression.) */
#define MIN_PATH_RATIO 1e-3
/* Elastic forces are equal within this fraction of their sum. */
#define ELASTIC_TOLERANCE 1e-6

/* Returns TRUE if at_rest, the force at rate 0, is dV / ddelta: force - loss / rate. (Not so for a
 * piece over the rate with a loss as its intercept, nor for a damper at its limit.) */
static gboolean
is_elastic (const IfbamLink *link, int mode, double delta, double rate, double force,
            double at_rest)
{
  return rate == 0
         || fabs (force - link->law->loss (link->numbers, mode, delta, rate) / rate - at_rest)
                <= ELASTIC_TOLERANCE * (fabs (force) + fabs (at_rest));
}

static double
mean_along (const IfbamLink *link, int mode, const IfbamLinkInputs *inputs, const double *delta,
            const double *row, double *flow)
{
  const guint points = points_of (link);
  const IfbamLaw *law = link->law;
  const double path = delta[1] - delta[0];
  gboolean apart = points == IFBAM_MAX_POINTS && link->n_states == 0 && law->energy != NULL
                   && !law->storeless && !is_friction (link, mode)
                   && fabs (path) > MIN_PATH_RATIO * fmax (fabs (delta[0]), fabs (delta[1]));
  double force[IFBAM_MAX_POINTS], elastic[IFBAM_MAX_POINTS], energy[2];
  double change[IFBAM_MAX_STATES][IFBAM_MAX_POINTS], sum;

  for (guint g = 0; g < points; g++)
    {
      const double s = ifbam_path_point (points, g), there = delta[0] + s * path;
      double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS], speed = 0;

      for (guint e = 0; e < link->n_ports + link->n_states; e++)
        {
          x[e] = ifbam_path_position (inputs->position[e], inputs->earlier_position[e], s);
          v[e] = ifbam_path_rate (inputs->rate[e], inputs->earlier_rate[e], s);
        }
      for (guint e = 0; e < link->n_ports; e++)
        speed += row[e] * v[e];
      force[g] = ifbam_link_force (link, mode, inputs->pressing, there, speed, x, v, flow);
      if (apart)
        {
          elastic[g] = law->force (link->numbers, mode, there, 0);
          apart = is_elastic (link, mode, there, speed, force[g], elastic[g]);
        }
      for (guint k = 0; k < law->n_states; k++)
        change[k][g] = flow[k];
    }
  sum = mean_of (points, force);
  for (guint k = 0; k < law->n_states; k++)
    flow[k] = mean_of (points, change[k]);
  if (!apart)
    return sum;
  for (guint end = 0; end < 2; end++)
    energy[end] = law->energy (link->numbers, mode, delta[end]);
  if (!(fabs (mean_of (points, elastic) * path)
        > MIN_PATH_RATIO * fmax (fabs (energy[0]), fabs (energy[1]))))
    return sum;
  for (guint g = 0; g < points; g++)
    force[g] -= elastic[g];
  return mean_of (points, force) + (energy[1] - energy[0]) / path;
}

double
ifbam_link_mean_to_end (const IfbamLink *link, int mode, const IfbamLinkInputs *inputs, double *row,
                        double *flow)
{
  const IfbamGeometry *geometry = link->geometry;
  double to[IFBAM_MAX_PORTS], delta[2] = { 0, 0 };

  for (guint e = 0; e < link->n_ports; e++)
    to[e] = ifbam_path_position (inputs->position[e], inputs->earlier_position[e], 1);
  if (geometry->straight && link->n_ports == 2 && points_of (link) == IFBAM_MAX_POINTS)
    {
      ifbam_link_measure_at (link, to, inputs->rate, &delta[1], row);
      ifbam_link_measure_at (link, inputs->position, inputs->rate, &delta[0], row);
    }
  else if (geometry->chord == NULL
           || !geometry->chord (link->shape, inputs->position, to, delta, row))
    return ifbam_link_mean (link, mode, inputs, TRUE, row, flow);
  return mean_along (link, mode, inputs, delta, row, flow);
}

const char *
ifbam_link_event (const IfbamLink *link, int from, int to)
{
  const IfbamLaw *law = link->law;
  int last = 0;

  if (law->event != NULL)
    return law->event (link->numbers, from, to);
  if (law->events == NULL)
    return NULL;
  while (last < to && law->events[last + 1] != NULL)
    last++;
  return law->events[last];
}

gboolean
ifbam_constraint_is_active (const IfbamConstraint *relation, int mode)
{
  switch (relation->kind)
    {
    case IFBAM_CONSTRAINT_CONTACT:
    case IFBAM_CONSTRAINT_ONE_WAY:
      return mode == IFBAM_MODE_ACTIVE;
    case IFBAM_CONSTRAINT_RIGID:
    case IFBAM_CONSTRAINT_FIXED:
      return TRUE;
    case IFBAM_CONSTRAINT_FRICTION:
      return mode == IFBAM_MODE_STUCK;
    case IFBAM_CONSTRAINT_NONE:
    default:
      return FALSE;
    }
}
