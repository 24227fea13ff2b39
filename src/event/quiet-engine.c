/* quiet-engine.c: executes a network with events by tiles wherever nothing happens in it
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two engines share one model: the compiled engine, which knows no events, and the event engine. The
 * state of a row is handed from one to the other, so that each number is the one that the event engine
 * alone would have come to: a scheme is one map, however it is executed.
 *
 * Given instants are known before. The compiled engine goes on to the last row before one; the cycle that
 * holds it, also at its end, is the event engine's.
 *
 * Guards are looked at behind the compiled engine: it goes through some cycles while the nodes that links
 * hear are probed. Of each cycle these rows are laid before the event engine's own guards (the same cubics
 * and floors); what they would locate is a doubt. Then the compiled engine goes back to the state that
 * was kept, and on to the row before the doubt, and the event engine takes the cycle. It keeps the
 * network while something holds, as reactions have no place in tiles.
 *
 * After an event stretches are short, and grow as long as nothing comes. Where doubts follow each other
 * the event engine keeps the network longer and longer.
 */
#include <string.h>

#include "event/event-engine.h"
#include "event/event-flip-flop.h"
#include "event/event-relations.h"
#include "event/event-state.h"
#include "event/event-watch.h"

/* Smaller networks are as fast by the event engine alone. */
#define LEAST_NODES (IFBAM_FEW_EXTENTS + 1)
/* Cycles of a stretch by tiles: after an event, and at most. */
#define FIRST_STRETCH 4
#define MOST_STRETCH  IFBAM_EXTENT_ROWS
/* Stretches that end earlier were not worth the way there and back; quiet cycles by events before the
 * next, at most. */
#define WORTH         32
#define MOST_PATIENCE 64
/* More probes than these are not told at rows that nobody asks for. */
#define MOST_SPARE 64

typedef struct
{
  IfbamEngine base;
  IfbamEventEngine *event;
  IfbamEngine *tiles;
  gboolean by_tiles;    /* these stand at the row; else the event engine */
  gboolean resting;     /* the event engine has found that nothing happens */
  guint64 placed;       /* steps at which the event engine has all of the tiles' state; 0: none */
  guint stretch;        /* cycles that are tried next */
  guint gone;           /* cycles by tiles since the event engine's last */
  guint patience, calm; /* quiet cycles by events that are wanted, and that there were */

  double *kept; /* a state of the tiles', from which they can go on anew */
  guint64 kept_steps;
  double *state; /* scratch of the same length */

  gsize *heard; /* free nodes that links hear (n_heard), increasing */
  gsize n_heard;
  double *now[2], *before[2]; /* their positions and rates at the row, and one row before it */
  IfbamProbes probes;         /* of a stretch: these, and who the caller asks for */
  gsize *heard_at, *asked_at; /* their places among the probes (n_heard), (of the caller) */
  gsize asked_reserved;
} QuietEngine;

static guint64
row_of (const QuietEngine *self)
{
  return self->base.steps - ifbam_engine_lookahead (self->base.spec);
}

/* From one engine to the other */

/* The event engine's state, as the tiles take it. */
static void
hand_to_tiles (QuietEngine *self)
{
  IfbamEventEngine *event = self->event;
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  const IfbamScheme *scheme = spec->scheme;
  const gsize n = model->n_free;
  double *column[IFBAM_MAX_COLUMNS];

  for (guint c = 0; c < scheme->n_columns; c++)
    column[c] = self->kept + c * n;
  if (scheme->latency)
    {
      for (guint c = 0; c < scheme->n_columns; c++)
        memcpy (column[c], event->next[c], n * sizeof (double));
      memcpy (self->kept + scheme->n_columns * n, event->next_flight,
              (model->n_slots + model->n_sources) * sizeof (double));
    }
  else
    {
      if (scheme->stage_time[0] > 0)
        ifbam_event_accelerations (event, IFBAM_NONE, event->x, event->v, ifbam_event_time (event),
                                   FALSE);
      scheme->begin (FALSE, n, column, event->x, event->v, event->acceleration, spec->step);
    }
  self->kept_steps = self->base.steps;
  ifbam_compiled_engine_set_state (self->tiles, self->kept_steps, self->kept);
  for (gsize i = 0; i < self->n_heard; i++)
    {
      self->now[0][i] = event->x[self->heard[i]];
      self->now[1][i] = event->v[self->heard[i]];
      if (scheme->latency)
        self->before[0][i] = event->column[2][self->heard[i]];
    }
}

/* The tiles' state, as the event engine takes it. Under a flip-flop scheme the tiles are one cycle ahead of
 * the row; what they don't know of the cycle before it is asked for at the ends of links only, for
 * the course that these foresee. */
static void
hand_to_events (QuietEngine *self)
{
  IfbamEventEngine *event = self->event;
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  const IfbamScheme *scheme = spec->scheme;
  const gsize n = model->n_free;

  if (self->placed == self->base.steps)
    return;
  event->base.steps = self->placed = self->base.steps;
  event->step = row_of (self);
  event->still = FALSE;
  self->tiles->observe (self->tiles, 0, model->n_nodes, event->x, event->v);
  if (!scheme->latency)
    return;
  ifbam_compiled_engine_get_state (self->tiles, self->state);
  for (guint c = 0; c < scheme->n_columns; c++)
    memcpy (event->next[c], self->state + c * n, n * sizeof (double));
  memcpy (event->next_flight, self->state + scheme->n_columns * n,
          (model->n_slots + model->n_sources) * sizeof (double));
  memcpy (event->column[0], event->next[2], n * sizeof (double));
  memcpy (event->column[1], event->next[3], n * sizeof (double));
  for (gsize i = 0; i < self->n_heard; i++)
    event->column[2][self->heard[i]] = self->before[0][i];
  ifbam_event_place_columns (event, (gint64) event->step, event->column);
  ifbam_event_place_columns (event, (gint64) event->step + 1, event->next);
}

/* Whether tiles can go on from the event engine's row: nothing holds, and sources are asked for times of
 * their present piece only. */
static gboolean
may_rest (const IfbamEventEngine *event)
{
  const IfbamModel *model = event->base.model;

  if (event->holding->len > 0 || event->failure != NULL)
    return FALSE;
  if (event->next_instant > 0
      && g_array_index (model->instants, IfbamInstant, event->next_instant - 1).time
             > ifbam_event_time (event))
    return FALSE;
  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamRelation relation = ifbam_link_relation (event, j);

      if (event->link[j].begins || ifbam_relation_holds (&relation, event->link[j].mode))
        return FALSE;
    }
  return TRUE;
}

/* Probes */

/* The caller's probes and our own, in one list. */
static void
merge_probes (QuietEngine *self, const IfbamProbes *asked)
{
  const gsize n_asked = asked == NULL ? 0 : asked->n;
  gsize *node = (gsize *) self->probes.node, i = 0, k = 0, n = 0;

  if (n_asked > self->asked_reserved)
    {
      const gsize room = n_asked + self->n_heard;

      self->asked_reserved = n_asked;
      self->asked_at = g_renew (gsize, self->asked_at, n_asked);
      self->probes.node = node = g_renew (gsize, node, room);
      self->probes.position = g_renew (double, self->probes.position, room *MOST_STRETCH);
      self->probes.rate = g_renew (double, self->probes.rate, room *MOST_STRETCH);
    }
  while (i < self->n_heard || k < n_asked)
    {
      const gsize own = i < self->n_heard ? self->heard[i] : G_MAXSIZE;
      const gsize other = k < n_asked ? asked->node[k] : G_MAXSIZE;

      node[n] = MIN (own, other);
      if (own <= other)
        self->heard_at[i++] = n;
      if (other <= own)
        self->asked_at[k++] = n;
      n++;
    }
  self->probes.n = n;
  self->probes.stride = 1;
}

/* Tells the caller's probes of the row, if it is one of theirs; from: its number in the stretch's probes. */
static void
tell_row (QuietEngine *self, const IfbamProbes *asked, guint64 began, guint64 steps, gssize from)
{
  gsize row;

  if (asked == NULL || !ifbam_probes_row (self->base.spec, asked, began, steps, &row))
    return;
  for (gsize i = 0; i < asked->n; i++)
    {
      double *position = &asked->position[row * asked->n + i];
      double *rate = &asked->rate[row * asked->n + i];

      if (from >= 0)
        {
          *position = self->probes.position[(gsize) from * self->probes.n + self->asked_at[i]];
          *rate = self->probes.rate[(gsize) from * self->probes.n + self->asked_at[i]];
        }
      else
        self->base.observe (&self->base, asked->node[i], asked->node[i] + 1, position, rate);
    }
}

/* Doubts */

/* What the links hear in a stretch's row, from 0: the one that it started from. */
static inline double
heard_value (const QuietEngine *self, gboolean rate, guint row, gsize i)
{
  const double *values = rate ? self->probes.rate : self->probes.position;

  return row == 0 ? self->now[rate][i] : values[(row - 1) * self->probes.n + self->heard_at[i]];
}

/* A given node at the ends of the event engine's step. */
static void
place_given (IfbamEventEngine *event, guint32 node)
{
  const double step = event->base.spec->step;
  IfbamMotion from, to;

  if (node < event->base.model->n_free)
    return;
  from = ifbam_event_given (event, node, (double) event->step * step);
  to = ifbam_event_given (event, node, (double) (event->step + 1) * step);
  event->x[node] = from.position;
  event->v[node] = from.rate;
  event->x1[node] = to.position;
  event->v1[node] = to.rate;
}

/* Lays a cycle, from the stretch's row on, before the guards: FALSE where they don't doubt it. */
static gboolean
is_doubtful (QuietEngine *self, guint row)
{
  IfbamEventEngine *event = self->event;
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;

  event->step = row_of (self) + row;
  for (gsize i = 0; i < self->n_heard; i++)
    {
      const gsize node = self->heard[i];
      const double x = heard_value (self, FALSE, row, i),
                   x1 = heard_value (self, FALSE, row + 1, i);

      event->x[node] = x;
      event->v[node] = heard_value (self, TRUE, row, i);
      event->x1[node] = x1;
      event->v1[node] =
          spec->scheme->latency ? ifbam_event_foreseen_rate (
              event, x1, x, row == 0 ? self->before[0][i] : heard_value (self, FALSE, row - 1, i))
                                : heard_value (self, TRUE, row + 1, i);
    }
  for (guint i = 0; i < event->heard->len; i++)
    place_given (event, g_array_index (event->heard, guint32, i));
  if (event->step % IFBAM_EXTENT_ROWS != 0)
    ifbam_event_floors (event);
  event->quiet = TRUE;
  g_array_set_size (event->heap, 0);
  for (guint j = 0; j < model->singles->len; j++)
    {
      ifbam_event_watch (event, j);
      if (event->heap->len > 0 || event->sunk->len > 0)
        {
          g_array_set_size (event->heap, 0);
          g_array_set_size (event->sunk, 0);
          return TRUE;
        }
    }
  return FALSE;
}

/* The stretch's row becomes the one that we stand at. */
static void
move_to (QuietEngine *self, guint row)
{
  for (gsize i = 0; i < self->n_heard && row > 0; i++)
    {
      self->before[0][i] = heard_value (self, FALSE, row - 1, i);
      for (gboolean rate = FALSE; rate <= TRUE; rate++)
        self->now[rate][i] = heard_value (self, rate, row, i);
    }
  self->base.steps += row;
}

/* Going on */

/* Goes on by tiles; returns after how many cycles a doubt came (cycles: none). The rows before it are
 * told. */
static guint
go_by_tiles (QuietEngine *self, guint cycles, const IfbamProbes *asked, guint64 began,
             gboolean spare)
{
  const gboolean watches = self->n_heard > 0;
  const guint64 steps = self->base.steps;
  guint fine = 0;

  if (watches && steps - self->kept_steps >= MOST_STRETCH)
    {
      ifbam_compiled_engine_get_state (self->tiles, self->kept);
      self->kept_steps = steps;
    }
  /* What is large anywhere is asked here, as the event engine does it. */
  if (watches && row_of (self) % IFBAM_EXTENT_ROWS == 0)
    {
      self->event->step = row_of (self);
      self->tiles->observe (self->tiles, 0, self->base.model->n_nodes, self->event->x,
                            self->event->v);
      ifbam_event_floors (self->event);
    }
  self->placed = 0;
  merge_probes (self, spare ? asked : NULL);
  self->tiles->advance (self->tiles, cycles, self->probes.n > 0 ? &self->probes : NULL);
  for (; fine < cycles && !(watches && is_doubtful (self, fine)); fine++)
    if (spare)
      tell_row (self, asked, began, steps + fine + 1, (gssize) fine);
  move_to (self, fine);
  if (fine < cycles)
    {
      ifbam_compiled_engine_set_state (self->tiles, self->kept_steps, self->kept);
      self->tiles->advance (self->tiles, self->base.steps - self->kept_steps, NULL);
    }
  if (!spare && fine == cycles)
    tell_row (self, asked, began, self->base.steps, -1);
  return fine;
}

static void
go_by_events (QuietEngine *self, const IfbamProbes *asked, guint64 began)
{
  if (self->by_tiles)
    {
      hand_to_events (self);
      if (self->gone < WORTH)
        self->patience = MIN (2 * self->patience, MOST_PATIENCE);
      else
        self->patience = MAX (self->patience / 2, 1);
    }
  self->by_tiles = FALSE;
  self->event->base.advance (&self->event->base, 1, NULL);
  self->placed = 0;
  self->base.steps = self->event->base.steps;
  self->calm = self->event->quiet ? self->calm + 1 : 0;
  self->gone = 0;
  self->stretch = FIRST_STRETCH;
  tell_row (self, asked, began, self->base.steps, -1);
}

/* From events to tiles, if it is time. */
static void
try_tiles (QuietEngine *self)
{
  if (self->by_tiles || self->calm < self->patience || !may_rest (self->event))
    return;
  hand_to_tiles (self);
  self->by_tiles = TRUE;
}

/* Cycles up to the next row of the caller's probes. */
static guint64
cycles_to_row (const QuietEngine *self, const IfbamProbes *asked)
{
  return asked->stride - row_of (self) % asked->stride;
}

static double look (IfbamEngine *base);

static void
advance (IfbamEngine *base, guint64 steps, const IfbamProbes *asked)
{
  QuietEngine *self = (QuietEngine *) base;
  const guint64 began = base->steps, end = began + steps;
  /* Few probes are told at all rows; with many a stretch ends where they are asked for. */
  const gboolean spare = asked == NULL || asked->stride == 1 || asked->n <= MOST_SPARE;
  gboolean passing = FALSE;

  if (steps > 0 && base->steps < ifbam_engine_lookahead (base->spec))
    go_by_events (self, asked, began);
  while (base->steps < end)
    {
      guint64 cycles, fine;

      try_tiles (self);
      cycles = self->by_tiles ? ifbam_event_free_steps (self->event, row_of (self)) : 0;
      cycles = MIN (cycles, MIN (end - base->steps, self->stretch));
      cycles = MIN (cycles, MOST_STRETCH - row_of (self) % MOST_STRETCH);
      if (!spare)
        cycles = MIN (cycles, cycles_to_row (self, asked));
      if (base->look_next && cycles > 0 && self->tiles->look_in_passing)
        passing = self->tiles->look_next = TRUE;
      else if (base->look_next)
        base->looked = look (base);
      base->look_next = FALSE;
      fine = cycles == 0 ? 0 : go_by_tiles (self, (guint) cycles, asked, began, spare);
      if (passing)
        base->looked = self->tiles->looked;
      passing = FALSE;
      self->gone += (guint) fine;
      self->stretch = (guint) MIN (MAX (2 * fine, FIRST_STRETCH), MOST_STRETCH);
      if (fine == cycles && cycles > 0)
        continue;
      go_by_events (self, asked, began);
    }
}

/* Looking */

static void
observe (IfbamEngine *base, gsize first, gsize last, double *position, double *rate)
{
  QuietEngine *self = (QuietEngine *) base;
  IfbamEngine *engine = self->by_tiles ? self->tiles : &self->event->base;

  engine->observe (engine, first, last, position, rate);
}

/* Links that say no force store nothing. */
static double
look (IfbamEngine *base)
{
  QuietEngine *self = (QuietEngine *) base;

  if (!self->by_tiles)
    hand_to_tiles (self);
  return self->tiles->look (self->tiles);
}

static double
link_quantity (IfbamEngine *base, gsize number, IfbamLinkQuantity quantity)
{
  QuietEngine *self = (QuietEngine *) base;
  IfbamEngine *event = &self->event->base;
  const IfbamLink *link = ifbam_link (self->event, (guint32) number);

  for (guint e = 0; e < link->n_ends && self->by_tiles; e++)
    self->tiles->observe (self->tiles, link->node[e], link->node[e] + 1,
                          &self->event->x[link->node[e]], &self->event->v[link->node[e]]);
  return event->link (event, number, quantity);
}

static double
acceleration (IfbamEngine *base, gsize node)
{
  QuietEngine *self = (QuietEngine *) base;

  if (self->by_tiles)
    hand_to_events (self);
  return self->event->base.acceleration (&self->event->base, node);
}

static const char *
failure (IfbamEngine *base, double *time)
{
  IfbamEngine *event = &((QuietEngine *) base)->event->base;

  return event->failure (event, time);
}

static guint
held (IfbamEngine *base)
{
  IfbamEngine *event = &((QuietEngine *) base)->event->base;

  return event->held (event);
}

static double
struck (IfbamEngine *base)
{
  return ((QuietEngine *) base)->event->turnover;
}

/* Making it */

static void
start (IfbamEngine *base)
{
  QuietEngine *self = (QuietEngine *) base;

  base->steps = 0;
  if (base->events != NULL && self->event->base.events == NULL)
    self->event->base.events = g_array_ref (base->events);
  self->tiles->start (self->tiles);
  self->event->base.goes_on = base->goes_on;
  self->event->base.goes_on_data = base->goes_on_data;
  self->event->base.start (&self->event->base);
  self->by_tiles = FALSE;
  self->placed = 0;
  self->gone = self->calm = 0;
  self->patience = 1;
  self->stretch = FIRST_STRETCH;
}

static void
engine_free (IfbamEngine *base)
{
  QuietEngine *self = (QuietEngine *) base;

  ifbam_engine_free (self->tiles);
  ifbam_engine_free (&self->event->base);
  g_clear_pointer (&base->events, g_array_unref);
  g_free (self->kept);
  g_free (self->state);
  g_free (self->heard);
  g_free (self->heard_at);
  g_free (self->asked_at);
  for (guint k = 0; k < 2; k++)
    {
      g_free (self->now[k]);
      g_free (self->before[k]);
    }
  g_free ((gpointer) self->probes.node);
  g_free (self->probes.position);
  g_free (self->probes.rate);
  g_free (self);
}

static void
find_heard (QuietEngine *self)
{
  const GArray *heard = self->event->heard;
  gsize n = 0;

  self->heard = g_new (gsize, heard->len + 1);
  for (guint i = 0; i < heard->len; i++)
    if (g_array_index (heard, guint32, i) < self->base.model->n_free)
      self->heard[n++] = g_array_index (heard, guint32, i);
  self->n_heard = n;
  self->heard_at = g_new (gsize, n + 1);
  for (guint k = 0; k < 2; k++)
    {
      self->now[k] = g_new0 (double, n + 1);
      self->before[k] = g_new0 (double, n + 1);
    }
  self->probes.node = g_new (gsize, n + 1);
  self->probes.position = g_new (double, n *MOST_STRETCH + 1);
  self->probes.rate = g_new (double, n *MOST_STRETCH + 1);
}

gboolean
ifbam_quiet_engine_suits (const IfbamModel *model, const IfbamRunSpec *spec)
{
  const IfbamScheme *scheme = spec->scheme;
  gboolean lossy = FALSE;

  for (guint b = 0; b < model->batches->len; b++)
    lossy |= g_array_index (model->batches, IfbamBatch, b).law->lossy;
  /* What says a force of its own is never quiet. */
  for (guint j = 0; j < model->singles->len; j++)
    if (g_array_index (model->singles, IfbamLink, j).law->force != NULL)
      return FALSE;
  /* With dampers the event engine has another velocity Verlet than the compiled one. */
  return ifbam_model_has_events (model) && model->n_free >= LEAST_NODES && model->n_links > 0
         && !(scheme->stage_time[0] > 0 && lossy);
}

IfbamEngine *
ifbam_quiet_engine_new (const IfbamModel *model, const IfbamRunSpec *spec, guint threads)
{
  QuietEngine *self = g_new0 (QuietEngine, 1);
  const gsize size = ifbam_compiled_engine_state_size (model, spec);

  self->base = (IfbamEngine){ .model = model,
                              .spec = spec,
                              .start = start,
                              .advance = advance,
                              .observe = observe,
                              .look = look,
                              .free = engine_free,
                              .failure = failure,
                              .link = link_quantity,
                              .acceleration = acceleration,
                              .held = held,
                              .struck = struck };
  self->event = (IfbamEventEngine *) ifbam_event_engine_new (model, spec, FALSE);
  self->tiles = ifbam_compiled_engine_new (model, spec, threads);
  self->base.look_in_passing = self->tiles->look_in_passing;
  self->kept = g_new (double, size + 1);
  self->state = g_new (double, size + 1);
  find_heard (self);
  return &self->base;
}
