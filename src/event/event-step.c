/* event-step.c: one step of an island: forces, reactions, the scheme's stages, the work done
 *
 * Reactions take no latency: in each stage, after the links have answered and before the nodes move,
 * a node's free acceleration is told to the rows that hold, and (J M^-1 J^T) lambda = J a is solved.
 * After the step the relations are imposed exactly.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "event/event-engine.h"

/* Up to so many nodes, and objects, are done one by one: what was just stored as doubles can't be loaded
 * at once as pairs without waiting. */
#define FEW 16

/* Walks through the components of an island, or meets the one that stands for all. */
static inline const IfbamComponent *
first_component (const IfbamEventEngine *self, guint32 island)
{
  return ifbam_component (self, island == IFBAM_NONE ? self->components->len - 1
                                                     : ifbam_island (self, island)->first);
}

static inline const IfbamComponent *
next_component (const IfbamEventEngine *self, const IfbamComponent *component)
{
  return component->next == IFBAM_NONE ? NULL : ifbam_component (self, component->next);
}

#define FOR_COMPONENTS_FROM(component, from)                                                       \
  for (const IfbamComponent *component = from; component != NULL;                                  \
       component = next_component (self, component))

#define FOR_COMPONENTS(component, island)                                                          \
  FOR_COMPONENTS_FROM (component, first_component (self, island))

static inline const IfbamStretch *
stretch_at (const IfbamEventEngine *self, gsize i)
{
  return &g_array_index (self->stretches, IfbamStretch, i);
}

/* A component's stretches of nodes. */
#define FOR_NODES(stretch, component)                                                              \
  for (const IfbamStretch *stretch = stretch_at (self, (component)->nodes),                        \
                          *stretch##_end = stretch + (component)->n_nodes;                         \
       stretch < stretch##_end; stretch++)

static inline guint32
number_at (const IfbamEventEngine *self, gsize i)
{
  return g_array_index (self->numbers, guint32, i);
}

static inline double
hear (const IfbamLink *link, const double *position, const double *rate, double *delta, double *row)
{
  double sum = 0;

  if (link->geometry->straight && link->n_ends == 2)
    {
      row[0] = 1;
      row[1] = -1;
      *delta = position[0] - position[1];
      return rate[0] - rate[1];
    }
  link->geometry->measure (link->shape, position, rate, delta, row);
  /* One by one: what was stored as doubles can't be loaded at once as pairs without waiting. */
  for (guint e = 0; e < link->n_ends; e++)
    {
      IFBAM_SCALAR_LOOP;
      sum += row[e] * rate[e];
    }
  return sum;
}

static inline double
measure (const IfbamLink *link, const double *position, const double *rate, double *delta,
         double *row)
{
  double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS];

  for (guint e = 0; e < link->n_ends; e++)
    {
      IFBAM_SCALAR_LOOP;
      x[e] = position[link->node[e]];
      v[e] = rate[link->node[e]];
    }
  return hear (link, x, v, delta, row);
}

double
ifbam_link_hear (const IfbamLink *link, const double *position, const double *rate, double *delta,
                 double *row)
{
  return hear (link, position, rate, delta, row);
}

double
ifbam_link_measure (const IfbamLink *link, const double *position, const double *rate,
                    double *delta, double *row)
{
  return measure (link, position, rate, delta, row);
}

/* Forces */

double
ifbam_link_mean (const IfbamLink *link, int mode, const IfbamHeard *heard, gboolean mean,
                 double *row)
{
  static const double place[] = { -0.38729833462074168852, 0, 0.38729833462074168852 };
  static const double weight[] = { 5.0 / 18, 8.0 / 18, 5.0 / 18 };
  double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS], delta, sum = 0, pull[IFBAM_MAX_ENDS] = { 0 };

  for (guint g = 0; g < (mean ? 3 : 1); g++)
    {
      const double u = mean ? 0.5 + place[g] : 0, ahead = mean ? 0.5 + u : 0;
      double speed, force;

      for (guint e = 0; e < link->n_ends; e++)
        {
          x[e] = heard->position[e] + u * (heard->position[e] - heard->earlier_position[e]);
          v[e] = heard->rate[e] + ahead * (heard->rate[e] - heard->earlier_rate[e]);
        }
      speed = ifbam_link_hear (link, x, v, &delta, row);
      force = (mean ? weight[g] : 1) * link->law->force (link->numbers, mode, delta, speed);
      sum += force;
      for (guint e = 0; e < link->n_ends; e++)
        pull[e] += row[e] * force;
    }
  for (guint e = 0; e < link->n_ends && mean && sum != 0 && !link->geometry->straight; e++)
    row[e] = pull[e] / sum;
  return sum;
}

/* What a link's ends say in a cycle, and said in the one before. */
static IfbamHeard
hear_ends (const IfbamLink *link, double *const *column)
{
  IfbamHeard heard;

  for (guint e = 0; e < link->n_ends; e++)
    {
      heard.position[e] = column[0][link->node[e]];
      heard.rate[e] = column[1][link->node[e]];
      heard.earlier_position[e] = column[2][link->node[e]];
      heard.earlier_rate[e] = column[3][link->node[e]];
    }
  return heard;
}

/* What a component's links say. */
static inline void
singles_answer (IfbamEventEngine *self, const IfbamComponent *component, const double *position,
                const double *rate)
{
  const guint32 *number = &g_array_index (self->numbers, guint32, component->voices);
  const guint32 *const end = number + component->n_voices;

  for (; number < end; number++)
    {
      const IfbamLink *link = ifbam_link (self, *number);
      IfbamLinkState *state = &self->link[*number];
      double delta, speed;

      speed = measure (link, position, rate, &delta, state->row);
      state->force = link->law->force (link->numbers, state->mode, delta, speed);
    }
}

static void
links_answer (IfbamEventEngine *self, const IfbamComponent *component, double *const *column,
              gboolean earlier, gboolean mean, double *answer)
{
  const IfbamModel *model = self->base.model;

  for (gsize s = component->links; s < component->links + component->n_links; s++)
    {
      const IfbamStretch *stretch = stretch_at (self, s);
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, stretch->batch);
      IfbamLinkBatch arguments = { .parameters = (const double *const *) batch->parameters,
                                   .left = batch->left,
                                   .right = batch->right,
                                   .position = column[0],
                                   .rate = column[1],
                                   .earlier_position = earlier ? column[2] : NULL,
                                   .earlier_rate = earlier ? column[3] : NULL };

      ifbam_batch_answers (batch, answer, &arguments);
      (mean ? batch->kernels->mean : batch->kernels->force) (&arguments, stretch->first,
                                                             stretch->last);
    }
}

double
ifbam_event_source_time (const IfbamEventEngine *self, guint32 source, double time)
{
  return CLAMP (time, self->piece_from[source], self->piece_until[source]);
}

static double
source_value (const IfbamEventEngine *self, guint32 source, double time)
{
  if (!isnan (self->constant[source]))
    return self->constant[source];
  return ifbam_model_source (self->base.model, source,
                             ifbam_event_source_time (self, source, time));
}

static void
sources_answer (const IfbamEventEngine *self, const IfbamComponent *component, double time,
                double *answer)
{
  for (gsize i = component->sources; i < component->sources + component->n_sources; i++)
    {
      guint32 source = number_at (self, i);

      answer[self->base.model->n_slots + source] = source_value (self, source, time);
    }
}

/* The sum of what each node hears: links and sources in the order of the file, then single ones. */
static inline void
gather (const IfbamEventEngine *self, const IfbamComponent *component, const double *answer)
{
  const guint32 *port_start = self->base.model->port_start, *port = self->base.model->port;
  const guint32 *voice_start = self->node_voice_start, *voice = self->node_voice;
  const IfbamLinkState *link = self->link;
  double *force = self->force;

  FOR_NODES (stretch, component)
  for (gsize i = stretch->first, last = stretch->last; i < last; i++)
    {
      double sum = -0.0;

      for (guint32 p = port_start[i]; p < port_start[i + 1]; p++)
        sum += port[p] & 1 ? -answer[port[p] >> 1] : answer[port[p] >> 1];
      for (guint32 p = voice_start[i]; p < voice_start[i + 1]; p++)
        {
          const IfbamLinkState *says = &link[voice[p] >> 2];

          if (says->force != 0)
            sum -= says->row[voice[p] & 3] * says->force;
        }
      force[i] = sum;
    }
}

static inline void
forces_from (IfbamEventEngine *self, const IfbamComponent *first, const double *position,
             const double *rate, double time)
{
  double *column[2] = { (double *) position, (double *) rate };

  if (self->objects != NULL)
    {
      FOR_COMPONENTS_FROM (component, first)
      self->objects->answer (self, component, position, rate, time);
      FOR_COMPONENTS_FROM (component, first)
      self->objects->gather (self, component);
      return;
    }
  FOR_COMPONENTS_FROM (component, first)
  {
    if (component->n_links > 0)
      links_answer (self, component, column, FALSE, FALSE, self->answer);
    /* What doesn't depend on the time stands there already. */
    for (gsize i = component->varying; i < component->varying + component->n_varying; i++)
      self->answer[self->base.model->n_slots + number_at (self, i)] =
          source_value (self, number_at (self, i), time);
    if (component->n_voices > 0)
      singles_answer (self, component, position, rate);
  }
  FOR_COMPONENTS_FROM (component, first)
  gather (self, component, self->answer);
}

void
ifbam_event_forces (IfbamEventEngine *self, guint32 island, const double *position,
                    const double *rate, double time)
{
  forces_from (self, first_component (self, island), position, rate, time);
}

/* Reactions */

/* Factors an island's rows as they have been measured. */
static void
factor_rows (const IfbamEventEngine *self, IfbamIsland *island)
{
  const guint n = island->rows->len;
  IFBAM_LIST (IfbamRow, rows, n);

  for (guint i = 0; i < n; i++)
    {
      const guint32 number = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, number);
      const IfbamRelation relation = ifbam_link_relation (self, number);

      rows[i].n_ends = link->n_ends;
      memcpy (rows[i].node, link->node, sizeof rows[i].node);
      memcpy (rows[i].row, self->link[number].row, sizeof rows[i].row);
      rows[i].share = relation.kind == IFBAM_RELATION_FRICTION && relation.breakaway > 0
                          ? relation.breakaway
                          : 1;
    }
  ifbam_reactions_set (&island->system, rows, n, self->mobility, self->seat);
}

/* J times a column of motions, plus what the rows' change adds. */
static double
row_acceleration (const IfbamEventEngine *self, const IfbamLink *link, const double *row,
                  const double *position, const double *rate, double time)
{
  const IfbamModel *model = self->base.model;
  double sum = 0;

  for (guint e = 0; e < link->n_ends; e++)
    {
      guint32 node = link->node[e];
      double a = node < model->n_free ? self->force[node] * self->mobility[node]
                                      : ifbam_event_given (self, node, time).acceleration;

      sum += row[e] * a;
    }
  if (link->geometry->bend != NULL)
    {
      double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS];

      for (guint e = 0; e < link->n_ends; e++)
        {
          x[e] = position[link->node[e]];
          v[e] = rate[link->node[e]];
        }
      sum += link->geometry->bend (link->shape, x, v);
    }
  return sum;
}

/* Takes an island's reactions off the forces. */
static void
apply_reactions (IfbamEventEngine *self, const IfbamIsland *island)
{
  for (guint i = 0; i < island->rows->len; i++)
    {
      guint32 number = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, number);
      IfbamLinkState *state = &self->link[number];

      state->reaction = island->lambda[i];
      for (guint e = 0; e < link->n_ends; e++)
        {
          const double reaction = state->row[e] * island->lambda[i];

          self->force[link->node[e]] -= reaction;
          IFBAM_TELL (self, hold, link->node[e], reaction);
        }
    }
}

void
ifbam_event_react (IfbamEventEngine *self, IfbamIsland *island, const double *position,
                   const double *rate, double time)
{
  if (island->rows == NULL || island->rows->len == 0)
    return;
  for (guint i = 0; i < island->rows->len; i++)
    {
      guint32 number = g_array_index (island->rows, guint32, i);
      double delta;

      measure (ifbam_link (self, number), position, rate, &delta, self->link[number].row);
      island->lambda[i] = row_acceleration (self, ifbam_link (self, number), self->link[number].row,
                                            position, rate, time);
    }
  if (island->curved)
    factor_rows (self, island);
  ifbam_reactions_solve (&island->system, island->lambda, island->lambda);
  apply_reactions (self, island);
}

static void
react_all (IfbamEventEngine *self, guint32 island, const double *position, const double *rate,
           double time)
{
  if (island != IFBAM_NONE)
    {
      ifbam_event_react (self, ifbam_island (self, island), position, rate, time);
      return;
    }
  for (guint i = 0; i < self->holding->len; i++)
    ifbam_event_react (self, ifbam_island (self, g_array_index (self->holding, guint32, i)),
                       position, rate, time);
}

void
ifbam_event_accelerations (IfbamEventEngine *self, guint32 island, const double *position,
                           const double *rate, double time, gboolean reactions)
{
  ifbam_event_forces (self, island, position, rate, time);
  if (reactions)
    react_all (self, island, position, rate, time);
  FOR_COMPONENTS (component, island)
  {
    for (gsize s = component->nodes; s < component->nodes + component->n_nodes; s++)
      for (gsize i = stretch_at (self, s)->first; i < stretch_at (self, s)->last; i++)
        self->acceleration[i] = self->force[i] * self->mobility[i];
    for (gsize i = component->givens; i < component->givens + component->n_givens; i++)
      {
        guint32 node = number_at (self, i);

        self->acceleration[node] = ifbam_event_given (self, node, time).acceleration;
      }
  }
}

/* Relations that hold are imposed exactly */

static guint32
leader_of (const IfbamEventEngine *self, const guint32 *members, guint n)
{
  guint32 leader = members[0];

  for (guint i = 0; i < n; i++)
    {
      guint32 node = members[i];

      if (self->mobility[node] == 0)
        return node;
      if (self->mobility[node] < self->mobility[leader]
          || (self->mobility[node] == self->mobility[leader] && node < leader))
        leader = node;
    }
  return leader;
}

typedef struct
{
  guint32 row, other;
  int sign; /* of the node at which this is listed, in the row */
} Neighbour;

/* Whether a node is so near to something that it doesn't hold that it could be pushed into it. */
static gboolean
touches (const IfbamEventEngine *self, guint32 node, double time)
{
  for (guint32 p = self->node_link_start[node]; p < self->node_link_start[node + 1]; p++)
    {
      const guint32 number = self->node_link[p] >> 2;
      const IfbamLink *link = ifbam_link (self, number);
      const IfbamRelation relation = ifbam_link_relation (self, number);
      double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS], row[IFBAM_MAX_ENDS], delta;

      if (relation.kind != IFBAM_RELATION_CONTACT || ifbam_link_holds (self, number))
        continue;
      for (guint e = 0; e < link->n_ends; e++)
        ifbam_event_node (self, link->node[e], time, &x[e], &v[e]);
      ifbam_link_hear (link, x, v, &delta, row);
      if (relation.gap - delta <= 4 * ifbam_event_extent (self, number)->position_floor)
        return TRUE;
    }
  return FALSE;
}

/* The group of a node: who hangs together by straight rows, from a leader on. Contacts are closed to the
 * last digit, unless that would push a member into a neighbour: a few times, and they would overlap. */
static void
add_group (IfbamEventEngine *self, IfbamIsland *island, GHashTable *at, guint32 node)
{
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint32));
  IfbamHeld head;
  guint first = island->held->len;
  gboolean position = FALSE, pushes = FALSE;

  g_array_append_val (members, node);
  self->node_mark[node] = 1;
  for (guint i = 0; i < members->len; i++)
    {
      const GArray *list =
          g_hash_table_lookup (at, GUINT_TO_POINTER (g_array_index (members, guint32, i)));

      for (guint k = 0; list != NULL && k < list->len; k++)
        {
          const Neighbour *neighbour = &g_array_index (list, Neighbour, k);
          const IfbamRelation relation = ifbam_link_relation (self, neighbour->row);

          position |=
              relation.kind == IFBAM_RELATION_CONTACT || relation.kind == IFBAM_RELATION_FRICTION;
          if (self->node_mark[neighbour->other] != 0)
            continue;
          self->node_mark[neighbour->other] = 1;
          g_array_append_val (members, neighbour->other);
        }
    }
  for (guint i = 0; i < members->len && !pushes; i++)
    pushes = g_array_index (members, guint32, i) < self->base.model->n_free
             && touches (self, g_array_index (members, guint32, i), island->time);
  head =
      (IfbamHeld){ .node = leader_of (self, (guint32 *) (gpointer) members->data, members->len) };
  head.leader = head.node;
  head.position = position;
  g_array_append_val (island->held, head);
  self->node_mark[head.node] = 2;
  for (guint i = first; i < island->held->len; i++)
    {
      const IfbamHeld from = g_array_index (island->held, IfbamHeld, i);
      const GArray *list = g_hash_table_lookup (at, GUINT_TO_POINTER (from.node));

      for (guint k = 0; list != NULL && k < list->len; k++)
        {
          const Neighbour *neighbour = &g_array_index (list, Neighbour, k);
          const IfbamRelation relation = ifbam_link_relation (self, neighbour->row);
          IfbamHeld held = { neighbour->other, head.node, from.offset, position };

          if (self->node_mark[neighbour->other] == 2)
            continue;
          self->node_mark[neighbour->other] = 2;
          if (relation.kind == IFBAM_RELATION_CONTACT && !pushes)
            held.offset -= neighbour->sign * relation.gap;
          else
            held.offset += self->x[neighbour->other] - self->x[from.node];
          g_array_append_val (island->held, held);
        }
    }
  for (guint i = 0; i < members->len; i++)
    self->node_mark[g_array_index (members, guint32, i)] =
        g_array_index (members, guint32, i) < self->base.model->n_free ? 2 : 0;
}

/* Given nodes lead groups of their own: two groups on one given node are two. */
static void
list_neighbour (GHashTable *at, guint32 node, guint32 row, guint32 other, int sign)
{
  GArray *list = g_hash_table_lookup (at, GUINT_TO_POINTER (node));
  Neighbour neighbour = { row, other, sign };

  if (list == NULL)
    {
      list = g_array_new (FALSE, FALSE, sizeof (Neighbour));
      g_hash_table_insert (at, GUINT_TO_POINTER (node), list);
    }
  g_array_append_val (list, neighbour);
}

void
ifbam_event_group (IfbamEventEngine *self, IfbamIsland *island)
{
  g_autoptr (GHashTable) at = NULL;

  island->curved = FALSE;
  if (island->held != NULL)
    g_array_set_size (island->held, 0);
  if (island->rows == NULL || island->rows->len == 0)
    return;
  if (island->held == NULL)
    island->held = g_array_new (FALSE, FALSE, sizeof (IfbamHeld));
  island->lambda = g_renew (double, island->lambda, island->rows->len);
  at = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < island->rows->len; i++)
    {
      guint32 number = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, number);

      if (!link->geometry->straight)
        {
          island->curved = TRUE;
          continue;
        }
      list_neighbour (at, link->node[0], number, link->node[1], 1);
      list_neighbour (at, link->node[1], number, link->node[0], -1);
    }
  for (guint i = 0; i < island->rows->len; i++)
    {
      const IfbamLink *link = ifbam_link (self, g_array_index (island->rows, guint32, i));

      for (guint e = 0; e < 2 && link->geometry->straight; e++)
        if (link->node[e] < self->base.model->n_free && self->node_mark[link->node[e]] == 0)
          add_group (self, island, at, link->node[e]);
    }
  for (guint i = 0; i < island->held->len; i++)
    self->node_mark[g_array_index (island->held, IfbamHeld, i).node] = 0;
  if (island->curved)
    return;
  for (guint i = 0; i < island->rows->len; i++)
    {
      guint32 number = g_array_index (island->rows, guint32, i);
      double delta;

      measure (ifbam_link (self, number), self->x, self->v, &delta, self->link[number].row);
    }
  factor_rows (self, island);
}

/* A group moves as one body, with its momentum, or with its given leader. */
static void
fix_groups (IfbamEventEngine *self, const IfbamIsland *island, double *x, double *v, double time)
{
  const IfbamModel *model = self->base.model;
  const IfbamHeld *held = (const IfbamHeld *) (gpointer) island->held->data;

  for (guint first = 0, last; first < island->held->len; first = last)
    {
      const guint32 leader = held[first].leader;
      double position = 0, rate = 0, mass = 0;

      for (last = first; last < island->held->len && held[last].leader == leader
                         && (last == first || held[last].node != leader);
           last++)
        if (leader < model->n_free)
          {
            guint32 node = held[last].node;
            double m = 1 / self->mobility[node];

            mass += m;
            rate += m * v[node];
            position += m * (x[node] - held[last].offset);
          }
      if (leader < model->n_free)
        {
          rate /= mass;
          position /= mass;
        }
      else
        {
          IfbamMotion motion = ifbam_event_given (self, leader, ifbam_event_after (self, time));

          rate = motion.rate;
          position = motion.position;
        }
      for (guint i = first; i < last; i++)
        if (held[i].node < model->n_free)
          {
            v[held[i].node] = rate;
            IFBAM_TELL (self, impose, held[i].node, v);
            if (!held[i].position)
              continue;
            x[held[i].node] = position + held[i].offset;
            IFBAM_TELL (self, impose, held[i].node, x);
          }
    }
}

/* Newton's method along M^-1 J^T for the positions, then the rates in one go. */
static void
fix_curved (IfbamEventEngine *self, IfbamIsland *island, double *x, double *v)
{
  for (guint turn = 0; turn < 4; turn++)
    {
      const gboolean rates = turn == 3;

      for (guint i = 0; i < island->rows->len; i++)
        {
          guint32 number = g_array_index (island->rows, guint32, i);
          const IfbamRelation relation = ifbam_link_relation (self, number);
          double delta;
          double rate = measure (ifbam_link (self, number), x, v, &delta, self->link[number].row);

          island->lambda[i] = rates                                     ? rate
                              : relation.kind == IFBAM_RELATION_CONTACT ? delta - relation.gap
                                                                        : 0;
        }
      factor_rows (self, island);
      ifbam_reactions_solve (&island->system, island->lambda, island->lambda);
      for (guint i = 0; i < island->rows->len; i++)
        {
          guint32 number = g_array_index (island->rows, guint32, i);
          const IfbamLink *link = ifbam_link (self, number);

          for (guint e = 0; e < link->n_ends; e++)
            {
              (rates ? v : x)[link->node[e]] -=
                  self->link[number].row[e] * island->lambda[i] * self->mobility[link->node[e]];
              IFBAM_TELL (self, impose, link->node[e], rates ? v : x);
            }
        }
    }
}

void
ifbam_event_fix (IfbamEventEngine *self, IfbamIsland *island, double *x, double *v, double time)
{
  if (island->rows == NULL || island->rows->len == 0)
    return;
  if (island->curved)
    fix_curved (self, island, x, v);
  else
    fix_groups (self, island, x, v, time);
}

/* Work */

/* The power of what is fed into a component, and of its moving given nodes. */
static double
component_supply (IfbamEventEngine *self, const IfbamComponent *component, const double *rate,
                  double *turnover)
{
  const IfbamModel *model = self->base.model;
  const GArray *rows = ifbam_island (self, component->island)->rows;
  const gboolean holds = rows != NULL && rows->len > 0;
  const gsize says = holds ? component->own : component->voices;
  const gsize n_says = holds ? component->n_own : component->n_voices;
  double sum = 0;

  if (!component->fed)
    return 0;
  for (gsize i = component->sources; i < component->sources + component->n_sources; i++)
    {
      guint32 source = number_at (self, i);
      double power = self->answer[model->n_slots + source] * rate[model->source_node[source]];

      if (ifbam_model_is_field (model, source))
        continue;
      sum += power;
      *turnover += fabs (power);
    }
  for (gsize i = component->ports; i < component->ports + component->n_ports; i++)
    {
      const IfbamGivenPort *port = &g_array_index (self->ports, IfbamGivenPort, i);
      double power = -port->sign * self->answer[port->slot] * rate[port->node];

      sum += power;
      *turnover += fabs (power);
    }
  for (gsize i = says; i < says + n_says; i++)
    {
      const IfbamLink *link = ifbam_link (self, number_at (self, i));
      const IfbamLinkState *state = &self->link[number_at (self, i)];
      const double force =
          holds && ifbam_link_holds (self, number_at (self, i)) ? state->reaction : state->force;

      for (guint e = 0; e < link->n_ends && force != 0; e++)
        if (link->node[e] >= model->n_free)
          {
            double power = state->row[e] * force * rate[link->node[e]];

            sum += power;
            *turnover += fabs (power);
          }
    }
  return sum;
}

static double
link_loss (IfbamEventEngine *self, guint32 number, const double *x, const double *v)
{
  const IfbamLink *link = ifbam_link (self, number);
  double delta, row[IFBAM_MAX_ENDS], rate;

  rate = ifbam_link_measure (link, x, v, &delta, row);
  return link->law->loss (link->numbers, self->link[number].mode, delta, rate);
}

static void
component_loss (IfbamEventEngine *self, const IfbamComponent *component, const double *position,
                const double *rate)
{
  const IfbamModel *model = self->base.model;

  for (gsize s = component->lossy; s < component->lossy + component->n_lossy; s++)
    {
      const IfbamStretch *stretch = stretch_at (self, number_at (self, s));
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, stretch->batch);
      IfbamLinkBatch arguments = { .parameters = (const double *const *) batch->parameters,
                                   .left = batch->left,
                                   .right = batch->right,
                                   .position = position,
                                   .rate = rate,
                                   .answer = self->loss + batch->first_slot };

      batch->kernels->loss (&arguments, stretch->first, stretch->last);
    }
}

/* Powers at messages that have just been answered, times a weight, are pending. */
static void
add_powers (IfbamEventEngine *self, guint32 island, const double *position, const double *rate,
            double weight, gboolean first)
{
  const IfbamModel *model = self->base.model;
  const gboolean full = self->pending_loss != NULL;

  for (guint32 c = island == IFBAM_NONE ? 0 : ifbam_island (self, island)->first;
       c != IFBAM_NONE && c + 1 < self->components->len;
       c = island == IFBAM_NONE ? c + 1 : ifbam_component (self, c)->next)
    {
      const IfbamComponent *component = ifbam_component (self, c);
      IfbamIsland *own = ifbam_island (self, component->island);
      double turnover = 0;

      /* What isn't fed adds nothing. */
      if (!full && !component->fed && !(first && c == own->first))
        continue;
      if (first && c == own->first)
        own->pending_supply = own->pending_turnover = 0;
      own->pending_supply += weight * component_supply (self, component, rate, &turnover);
      own->pending_turnover += fabs (weight) * turnover;
      if (!full)
        continue;
      component_loss (self, component, position, rate);
      for (gsize s = component->lossy; s < component->lossy + component->n_lossy; s++)
        {
          const IfbamStretch *stretch = stretch_at (self, number_at (self, s));
          const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, stretch->batch);
          double *pending = self->pending_loss + batch->first_slot;

          for (gsize i = stretch->first; i < stretch->last; i++)
            pending[i] = (first ? 0 : pending[i]) + weight * self->loss[batch->first_slot + i];
        }
      for (gsize i = component->losers; i < component->losers + component->n_losers; i++)
        {
          guint32 number = number_at (self, i);
          IfbamLinkState *state = &self->link[number];

          state->pending =
              (first ? 0 : state->pending) + weight * link_loss (self, number, position, rate);
        }
    }
}

void
ifbam_event_book (IfbamEventEngine *self, guint32 island)
{
  const IfbamModel *model = self->base.model;
  const gboolean full = self->pending_loss != NULL;

  for (guint32 c = island == IFBAM_NONE ? 0 : ifbam_island (self, island)->first;
       c != IFBAM_NONE && c + 1 < self->components->len;
       c = island == IFBAM_NONE ? c + 1 : ifbam_component (self, c)->next)
    {
      const IfbamComponent *component = ifbam_component (self, c);
      IfbamIsland *own = ifbam_island (self, component->island);

      if (c == own->first)
        {
          self->supplied += own->pending_supply;
          self->turnover += own->pending_turnover;
          own->pending_supply = own->pending_turnover = 0;
        }
      if (!full)
        continue;
      for (gsize s = component->lossy; s < component->lossy + component->n_lossy; s++)
        {
          const IfbamStretch *stretch = stretch_at (self, number_at (self, s));
          const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, stretch->batch);

          for (gsize i = stretch->first; i < stretch->last; i++)
            {
              self->dissipated[batch->first_slot + i] += self->pending_loss[batch->first_slot + i];
              self->pending_loss[batch->first_slot + i] = 0;
            }
        }
      for (gsize i = component->losers; i < component->losers + component->n_losers; i++)
        {
          IfbamLinkState *state = &self->link[number_at (self, i)];

          state->dissipated += state->pending;
          state->pending = 0;
        }
    }
}

/* A step */

/* What doesn't move is placed at the first stage alone. */
static void
place_givens (IfbamEventEngine *self, const IfbamComponent *component, gboolean all, double time,
              double *position, double *rate)
{
  const gsize first = all ? component->givens : component->moving;
  const gsize last = first + (all ? component->n_givens : component->n_moving);

  if (self->objects != NULL && first < last)
    {
      self->objects->place (self, component, time, position, rate);
      return;
    }
  for (gsize i = first; i < last; i++)
    {
      const guint32 node = number_at (self, i);
      const IfbamMotion motion = ifbam_event_given (self, node, time);

      position[node] = motion.position;
      rate[node] = motion.rate;
    }
}

void
ifbam_event_place (IfbamEventEngine *self, guint32 island, double time, double *position,
                   double *rate)
{
  FOR_COMPONENTS (component, island)
  place_givens (self, component, TRUE, time, position, rate);
}

static void
set_nodes (const IfbamEventEngine *self, const IfbamScheme *scheme, double *const *column, double h,
           IfbamNodeBatch *nodes)
{
  nodes->inverse_inertia = self->mobility;
  nodes->port[0] = nodes->heard = self->force;
  nodes->ports = self->port_of;
  nodes->step = h;
  for (guint c = 0; c < scheme->n_columns; c++)
    {
      IFBAM_SCALAR_LOOP;
      nodes->column[c] = column[c];
    }
}

static void
update_nodes (IfbamEventEngine *self, const IfbamComponent *component, const IfbamScheme *scheme,
              guint stage, const IfbamNodeBatch *nodes)
{
  if (self->objects != NULL)
    {
      self->objects->move (self, component, scheme, stage, nodes->column, nodes->step);
      return;
    }
  FOR_NODES (stretch, component)
  {
    const gsize first = stretch->first, n = stretch->last - first;

    if (n <= FEW)
      scheme->update_few[stage][0](nodes, first, n);
    else
      scheme->update[stage][self->base.model->isa][0](nodes, first, n);
  }
}

static void
begin_nodes (IfbamEventEngine *self, const IfbamComponent *component, const IfbamScheme *scheme,
             const double *x, const double *v, double h)
{
  if (self->objects != NULL)
    {
      self->objects->begin (self, component, scheme, x, v, h);
      return;
    }
  FOR_NODES (stretch, component)
  {
    const gsize first = stretch->first;
    double *range[IFBAM_MAX_COLUMNS];

    for (guint c = 0; c < scheme->n_columns; c++)
      range[c] = self->work[c] + first;
    scheme->begin (FALSE, stretch->last - first, range, x + first, v + first,
                   self->acceleration + first, h);
  }
}

static void
observe_nodes (IfbamEventEngine *self, const IfbamComponent *component, const IfbamScheme *scheme,
               double *x, double *v)
{
  if (self->objects != NULL)
    {
      self->objects->observe (self, component, scheme, x, v);
      return;
    }
  FOR_NODES (stretch, component)
  scheme->observe (stretch->first, stretch->last, self->work, x + stretch->first,
                   v + stretch->first);
}

void
ifbam_event_keep (IfbamEventEngine *self, guint32 island, const double *from, double *to)
{
  FOR_COMPONENTS (component, island)
  {
    FOR_NODES (stretch, component)
    memcpy (to + stretch->first, from + stretch->first,
            (stretch->last - stretch->first) * sizeof (double));
    IFBAM_TELL (self, keep, component, from, to);
  }
}

void
ifbam_event_step (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme, double from,
                  double h, const double *x, const double *v, double *x1, double *v1,
                  gboolean account)
{
  const double start = ifbam_event_after (self, from), end = ifbam_event_after (self, from + h);
  const gboolean weighted = scheme->stage_weight[0] > 0;
  double *const *column = self->work;
  double *said_position = column[scheme->said_position], *said_rate = column[scheme->said_rate];
  const IfbamComponent *const whole = first_component (self, island);
  IfbamNodeBatch nodes;

  set_nodes (self, scheme, column, h, &nodes);
  if (scheme->stage_time[0] > 0)
    ifbam_event_accelerations (self, island, x, v, start, TRUE);
  else if (account && !weighted)
    {
      ifbam_event_forces (self, island, x, v, start);
      react_all (self, island, x, v, start);
    }
  if (account && !weighted)
    add_powers (self, island, x, v, 0.5 * h, TRUE);
  FOR_COMPONENTS_FROM (component, whole)
  begin_nodes (self, component, scheme, x, v, h);
  for (guint stage = 0; stage < scheme->n_stages; stage++)
    {
      /* A whole step asks sources and given nodes at the very times at which all engines do. */
      const double time =
          scheme == self->scheme && from == 0 && h == self->base.model->step
              ? ifbam_engine_source_time (self->base.model, stage, (gint64) self->step)
              : start + scheme->stage_time[stage] * h;

      FOR_COMPONENTS_FROM (component, whole)
      place_givens (self, component, stage == 0, time, said_position, said_rate);
      forces_from (self, whole, said_position, said_rate, time);
      react_all (self, island, said_position, said_rate, time);
      if (account && weighted)
        add_powers (self, island, said_position, said_rate, h * scheme->stage_weight[stage],
                    stage == 0);
      FOR_COMPONENTS_FROM (component, whole)
      update_nodes (self, component, scheme, stage, &nodes);
    }
  FOR_COMPONENTS_FROM (component, whole)
  observe_nodes (self, component, scheme, x1, v1);
  ifbam_event_place (self, island, end, x1, v1);
  if (island != IFBAM_NONE)
    ifbam_event_fix (self, ifbam_island (self, island), x1, v1, from + h);
  else
    for (guint i = 0; i < self->holding->len; i++)
      ifbam_event_fix (self, ifbam_island (self, g_array_index (self->holding, guint32, i)), x1, v1,
                       from + h);
  if (account && !weighted)
    {
      ifbam_event_forces (self, island, x1, v1, end);
      react_all (self, island, x1, v1, end);
      add_powers (self, island, x1, v1, 0.5 * h, FALSE);
    }
}

/* Flip-flop schemes */

void
ifbam_event_cycle_forces (IfbamEventEngine *self, guint32 island, double *const *column,
                          double source_time, double *answer)
{
  const gboolean mean = self->scheme->mean;

  FOR_COMPONENTS (component, island)
  {
    if (self->objects != NULL)
      {
        self->objects->cycle_answer (self, component, column, source_time, answer);
        continue;
      }
    links_answer (self, component, column, TRUE, mean, answer);
    sources_answer (self, component, source_time, answer);
    for (gsize i = component->own; i < component->own + component->n_own; i++)
      {
        guint32 number = number_at (self, i);
        const IfbamLink *link = ifbam_link (self, number);
        IfbamLinkState *state = &self->link[number];

        const IfbamHeard heard = hear_ends (link, column);

        state->answer = link->law->force == NULL
                            ? 0
                            : ifbam_link_mean (link, state->mode, &heard, mean, state->answer_row);
      }
  }
}

void
ifbam_event_cycle_gather (IfbamEventEngine *self, const double *answer)
{
  for (guint j = 0; j < self->base.model->singles->len; j++)
    {
      IfbamLinkState *state = &self->link[j];

      state->force = state->flight;
      memcpy (state->row, state->flight_row, sizeof state->row);
    }
  if (self->objects != NULL)
    {
      self->objects->cycle_gather (self, answer);
      return;
    }
  FOR_COMPONENTS (component, IFBAM_NONE)
  gather (self, component, answer);
}

/* lambda = G^-1 J (v[i-1] + 2 tau M^-1 F) / 2 tau: so that the rates are equal in the new cycle. */
static void
cycle_react (IfbamEventEngine *self, IfbamIsland *island, guint64 step, double *const *column)
{
  const IfbamModel *model = self->base.model;
  const double span = 2 * model->step;

  for (guint i = 0; i < island->rows->len; i++)
    {
      guint32 number = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, number);
      double *row = self->link[number].row, delta, sum = 0;

      ifbam_link_measure (link, column[0], column[1], &delta, row);
      for (guint e = 0; e < link->n_ends; e++)
        {
          guint32 node = link->node[e];
          double rate;

          if (node < model->n_free)
            rate = column[3][node] + span * self->mobility[node] * self->force[node];
          else
            rate = (ifbam_event_given (self, node, (double) (step + 1) * model->step).position
                    - ifbam_event_given (self, node, (double) step * model->step).position)
                   / model->step;
          sum += row[e] * rate;
        }
      island->lambda[i] = sum / span;
    }
  if (island->curved)
    factor_rows (self, island);
  ifbam_reactions_solve (&island->system, island->lambda, island->lambda);
  apply_reactions (self, island);
}

/* The relations that hold are imposed on the new positions; the rates follow from these. */
static void
cycle_fix (IfbamEventEngine *self, IfbamIsland *island, double *const *column, guint64 step)
{
  const double time = (double) (step + 1 - self->step) * self->base.model->step;

  for (guint32 c = island->first; c != IFBAM_NONE; c = ifbam_component (self, c)->next)
    {
      const IfbamComponent *component = ifbam_component (self, c);

      for (gsize s = component->nodes; s < component->nodes + component->n_nodes; s++)
        for (gsize i = stretch_at (self, s)->first; i < stretch_at (self, s)->last; i++)
          {
            self->x2[i] = column[0][i];
            self->v2[i] = column[1][i];
          }
    }
  for (guint i = 0; i < island->rows->len; i++)
    {
      const IfbamLink *link = ifbam_link (self, g_array_index (island->rows, guint32, i));

      for (guint e = 0; e < link->n_ends; e++)
        if (self->mobility[link->node[e]] == 0)
          {
            self->x2[link->node[e]] = column[0][link->node[e]];
            self->v2[link->node[e]] = column[1][link->node[e]];
          }
    }
  ifbam_event_fix (self, island, self->x2, self->v2, time);
  for (guint i = 0; i < island->rows->len; i++)
    {
      const IfbamLink *link = ifbam_link (self, g_array_index (island->rows, guint32, i));

      for (guint e = 0; e < link->n_ends; e++)
        {
          guint32 node = link->node[e];

          if (self->mobility[node] == 0 || self->x2[node] == column[0][node])
            continue;
          column[0][node] = self->x2[node];
          column[1][node] = (column[0][node] - column[2][node]) / self->base.model->step;
          IFBAM_TELL (self, impose, node, column[0]);
          IFBAM_TELL (self, impose, node, column[1]);
        }
    }
}

void
ifbam_event_cycle (IfbamEventEngine *self, guint64 step, double **column)
{
  const IfbamModel *model = self->base.model;
  IfbamNodeBatch nodes;

  set_nodes (self, self->scheme, column, model->step, &nodes);
  for (guint i = 0; i < self->holding->len; i++)
    cycle_react (self, ifbam_island (self, g_array_index (self->holding, guint32, i)), step,
                 column);
  FOR_COMPONENTS (component, IFBAM_NONE)
  update_nodes (self, component, self->scheme, 0, &nodes);
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      double *const own[] = { column[0] + i, column[1] + i, column[2] + i, column[3] + i };

      ifbam_given_update (model, i, 0, step, own);
      IFBAM_TELL (self, impose, (guint32) i, column[2]);
      IFBAM_TELL (self, impose, (guint32) i, column[3]);
    }
  ifbam_columns_flip (column);
  for (guint i = 0; i < self->holding->len; i++)
    cycle_fix (self, ifbam_island (self, g_array_index (self->holding, guint32, i)), column, step);
}

void
ifbam_event_cycle_work (IfbamEventEngine *self, gboolean begin)
{
  const IfbamModel *model = self->base.model;
  const double half_step = 0.5 * model->step;
  const gboolean full = self->pending_loss != NULL;

  ifbam_event_forces (self, IFBAM_NONE, self->x, self->v, ifbam_event_time (self));
  react_all (self, IFBAM_NONE, self->x, self->v, ifbam_event_time (self));
  for (guint32 c = 0; c + 1 < self->components->len; c++)
    {
      const IfbamComponent *component = ifbam_component (self, c);
      const double trapezoid =
          begin || ifbam_island (self, component->island)->companion ? 0 : half_step;
      double turnover = 0, supply = component_supply (self, component, self->v, &turnover);

      self->supplied += trapezoid * (self->last_supply[c] + supply);
      self->turnover += 2 * trapezoid * turnover;
      self->last_supply[c] = supply;
      if (!full)
        continue;
      component_loss (self, component, self->x, self->v);
      for (gsize s = component->lossy; s < component->lossy + component->n_lossy; s++)
        {
          const IfbamStretch *stretch = stretch_at (self, number_at (self, s));
          const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, stretch->batch);

          for (gsize i = batch->first_slot + stretch->first; i < batch->first_slot + stretch->last;
               i++)
            {
              self->dissipated[i] += trapezoid * (self->last_loss[i] + self->loss[i]);
              self->last_loss[i] = self->loss[i];
            }
        }
      for (gsize i = component->losers; i < component->losers + component->n_losers; i++)
        {
          guint32 number = number_at (self, i);
          IfbamLinkState *state = &self->link[number];
          double loss = link_loss (self, number, self->x, self->v);

          state->dissipated += trapezoid * (state->last_loss + loss);
          state->last_loss = loss;
        }
    }
}
