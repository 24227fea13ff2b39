/* newton-system.c: linear system of a Newton iteration in a stage of an implicit step
 *
 * Each link adds its force derivatives to the rows and columns of its free nodes. Those of linear
 * links are constant: they are stored with the inertias. If no others are added, factors are kept.
 *
 * The diagonal entry of a constraint row is 0, but the solver does not pivot. A small negative
 * entry makes the matrix quasidefinite, with factors in any order (Vanderbei 1995). The iterations
 * correct the error, also that due to redundant rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/newton-system.h"

#include <string.h>

#include "base/compare.h"
#include "base/dot.h"
#include "element/element.h"
#include "event/constraint-rows.h"
#include "event/event-log.h"
#include "engine/engine.h"

#define ROW_REGULARIZATION                                                                         \
  1e-9 /* a constraint row's diagonal, relative to J D^-1 J^T (D: that of nodes) */

#define MAX_SHARE_RATIO 1e3 /* of loads: more would slow the iterations down */

/* Massless nodes: least relative pivot of a subnetwork that is supported at present; diagonal of a
 * node that only constraint rows join, relative to the other nodes' at these rows. */
#define VANISHED_PIVOT_RATIO 1e-13
#define MIN_OWN_PIVOT        1e-9

/* Correction of solutions where pivots vanished: iterations; residual [of the right side]. */
#define MAX_DIRECTIONS   12
#define LINEAR_TOLERANCE 1e-12

#define CLAMPED_DIAGONAL 1e150 /* diagonal entry of a node that keeps its velocity */

/* Contributions to the matrix */
typedef enum
{
  LINEAR,    /* batched, linear */
  NONLINEAR, /* batched, nonlinear */
  SINGLE,    /* unbatched link */
  ROW,       /* active constraint */
} Kind;

typedef struct
{
  Kind kind;
  guint32 number;       /* index of its batch; of the link or constraint */
  gsize index;          /* in the batch */
  guint32 first, place; /* the first of its indices in `unknowns`; of its entries in `place` */
  guint8 n, port[IFBAM_MAX_ENDS]; /* its free nodes, and their ports */
} Block;

struct _IfbamSystem
{
  GArray *signature;  /* guint32: all that the pattern depends on */
  guint32 n_nodes, n; /* free nodes, unknowns */
  GArray *node;       /* guint32: free nodes (n_nodes) */
  GArray *blocks;     /* Block */
  GArray *unknowns;   /* guint32: indices of the blocks' unknowns */
  guint32 *place;     /* of the blocks' entries in the values, by rows of each block */
  guint32 *start, *column, *diagonal; /* pattern by rows */
  IfbamSolver *solver;
  double *linear, *right; /* constant values; right side (n) */
  guint32 n_vanished;     /* pivots that vanished in the factors */
  double *scale;          /* where pivots vanished: 1 / largest entry of each row (n) */
  double *directions;     /* scratch, where pivots vanished ((2 + 2 MAX_DIRECTIONS) n) */
  double *weight;         /* abs (diagonal) of nodes, if some are massless (n_nodes) */
  guint first_nonlinear;  /* index of the first block that is not linear */
  guint first_row;        /* index of the first block of a constraint */
  double a;               /* a of the stage in `linear` [s]; 0: not set */
  gboolean mean, clamped, factored;
  gboolean has_massless; /* some nodes are massless */
};

IfbamSystem *
ifbam_system_new (void)
{
  IfbamSystem *self = g_new0 (IfbamSystem, 1);

  self->signature = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->node = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->blocks = g_array_new (FALSE, FALSE, sizeof (Block));
  self->unknowns = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->solver = ifbam_solver_new ();
  return self;
}

void
ifbam_system_free (IfbamSystem *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->signature);
  g_array_unref (self->node);
  g_array_unref (self->blocks);
  g_array_unref (self->unknowns);
  ifbam_solver_free (self->solver);
  g_free (self->place);
  g_free (self->start);
  g_free (self->column);
  g_free (self->diagonal);
  g_free (self->linear);
  g_free (self->scale);
  g_free (self->directions);
  g_free (self->weight);
  g_free (self->right);
  g_free (self);
}

void
ifbam_system_discard (IfbamSystem *self)
{
  self->a = 0;
  self->factored = FALSE;
}

guint32
ifbam_system_n_nodes (const IfbamSystem *self)
{
  return self->n_nodes;
}

const guint32 *
ifbam_system_nodes (const IfbamSystem *self)
{
  return (const guint32 *) (gpointer) self->node->data;
}

double *
ifbam_system_rhs (IfbamSystem *self)
{
  return self->right;
}

gboolean
ifbam_system_has_junctions (const IfbamSystem *self)
{
  return self->has_massless;
}

gboolean
ifbam_system_is_linear (const IfbamSystem *self)
{
  return self->first_nonlinear == self->blocks->len;
}

/* Unknowns and blocks */

#define FOR_COMPONENTS(component, engine, island)                                                  \
  for (const IfbamComponent *component = ifbam_component (engine, (island)->first);                \
       component != NULL; component = ifbam_next_component (engine, component))

/* Stores in the signature all that the pattern depends on; returns whether it is unchanged. */
static gboolean
update_signature (IfbamSystem *self, IfbamEventEngine *engine, guint32 number)
{
  const GArray *rows = ifbam_island (engine, number)->rows;
  const guint n_rows = rows == NULL ? 0 : rows->len;
  guint n = 0;
  gboolean known = TRUE;

#define SIGN(value)                                                                                \
  do                                                                                               \
    {                                                                                              \
      const guint32 word = (guint32) (value);                                                      \
                                                                                                   \
      known = known && n < self->signature->len                                                    \
              && g_array_index (self->signature, guint32, n) == word;                              \
      if (n == self->signature->len)                                                               \
        g_array_append_val (self->signature, word);                                                \
      else                                                                                         \
        g_array_index (self->signature, guint32, n) = word;                                        \
      n++;                                                                                         \
    }                                                                                              \
  while (0)
  SIGN (n_rows);
  for (guint i = 0; i < n_rows; i++)
    SIGN (g_array_index (rows, guint32, i));
  for (guint32 c = ifbam_island (engine, number)->first; c != IFBAM_NONE;
       c = ifbam_component (engine, c)->next)
    {
      const IfbamComponent *component = ifbam_component (engine, c);

      SIGN (c);
      for (gsize i = component->own; i < component->own + component->n_own; i++)
        SIGN (engine->links.state[g_array_index (engine->components.indices, guint32, i)].mode);
    }
#undef SIGN
  known = known && n == self->signature->len;
  g_array_set_size (self->signature, n);
  return known;
}

/* Counts work on a large system; returns FALSE after a failure or an interrupt. */
static gboolean
may_continue (IfbamEventEngine *engine)
{
  return ifbam_event_may_continue (engine, engine->base.interrupt.work_time, 1);
}

static void
add_block (IfbamSystem *self, const IfbamEventEngine *engine, Block block, const guint32 *ends,
           guint n_ends, const guint32 *index)
{
  block.first = self->unknowns->len;
  block.n = 0;
  for (guint e = 0; e < n_ends; e++)
    if (ends[e] < engine->base.model->n_free)
      {
        block.port[block.n++] = (guint8) e;
        g_array_append_val (self->unknowns, index[ends[e]]);
      }
  if (block.kind == ROW)
    {
      const guint32 own = self->n++;

      g_array_append_val (self->unknowns, own);
    }
  g_array_append_val (self->blocks, block);
}

/* Adds the batched links of a component that are linear, or those that are not. */
static void
add_links (IfbamSystem *self, IfbamEventEngine *engine, const IfbamComponent *component,
           gboolean linear, const guint32 *index)
{
  for (gsize s = component->links; s < component->links + component->n_links; s++)
    {
      const IfbamIndexRange *range = ifbam_index_range (engine, s);
      const IfbamBatch *batch =
          &g_array_index (engine->base.model->batches, IfbamBatch, range->batch);

      if ((batch->points == 1 && batch->law->n_states == 0) != linear)
        continue;
      for (gsize i = range->first; i < range->last; i++)
        {
          guint32 ends[2 + IFBAM_MAX_STATES] = { batch->left[i], batch->right[i] };

          for (guint k = 0; k < batch->law->n_states; k++)
            ends[2 + k] = batch->state[k][i];
          if (MIN (ends[0], ends[1]) < engine->base.model->n_free) /* else both are given */
            add_block (
                self, engine,
                (Block){ .kind = linear ? LINEAR : NONLINEAR, .number = range->batch, .index = i },
                ends, 2 + batch->law->n_states, index);
          if (!may_continue (engine))
            return;
        }
    }
}

/* Returns whether all free nodes of a link are in the island; those of an idle link need not be. */
static gboolean
is_within (const IfbamEventEngine *engine, const IfbamLink *link, guint32 island)
{
  for (guint e = 0; e < link->n_ports + link->n_states; e++)
    if (link->node[e] < engine->base.model->n_free
        && ifbam_island_of (engine, link->node[e]) != island)
      return FALSE;
  return TRUE;
}

static void
add_unbatched_links (IfbamSystem *self, const IfbamEventEngine *engine,
                     const IfbamComponent *component, guint32 island, const guint32 *index)
{
  for (gsize i = component->own; i < component->own + component->n_own; i++)
    {
      const guint32 number = ifbam_index_at (engine, i);
      const IfbamLink *link = ifbam_link (engine, number);

      if (link->law->force != NULL && is_within (engine, link, island))
        add_block (self, engine, (Block){ .kind = SINGLE, .number = number }, link->node,
                   link->n_ports + link->n_states, index);
    }
}

/* Matrix pattern */

static guint
block_size (const Block *block)
{
  return block->n + (block->kind == ROW ? 1u : 0u);
}

/* Sorts the columns of a matrix row and removes duplicates; returns how many remain. */
static guint32
unique (guint32 *column, guint32 n)
{
  guint32 kept = 0;

  qsort (column, n, sizeof *column, ifbam_compare_uint32);
  for (guint32 i = 0; i < n; i++)
    if (i == 0 || column[i] != column[i - 1])
      column[kept++] = column[i];
  return kept;
}

static guint32
find (const IfbamSystem *self, guint32 row, guint32 column)
{
  guint32 lo = self->start[row], hi = self->start[row + 1];

  while (hi - lo > 1)
    {
      const guint32 middle = lo + (hi - lo) / 2;

      if (self->column[middle] <= column)
        lo = middle;
      else
        hi = middle;
    }
  return lo;
}

/* Makes the pattern of all blocks and of the diagonal. FALSE: failed or interrupted. */
static gboolean
make_pattern (IfbamSystem *self, IfbamEventEngine *engine)
{
  const guint32 *unknown = (const guint32 *) (gpointer) self->unknowns->data;
  const guint32 n = self->n;
  guint32 *next, n_places = 0, kept = 0;

  self->start = g_renew (guint32, self->start, n + 2);
  self->diagonal = g_renew (guint32, self->diagonal, n + 1);
  self->right = g_renew (double, self->right, n + 1);
  for (guint32 i = 0; i <= n + 1; i++)
    self->start[i] = 0;
  for (guint32 i = 0; i < n; i++)
    self->start[i + 2] = 1; /* the diagonal */
  for (guint b = 0; b < self->blocks->len; b++)
    {
      Block *block = &g_array_index (self->blocks, Block, b);

      block->place = n_places;
      n_places += block_size (block) * block_size (block);
      for (guint e = 0; e < block_size (block); e++)
        self->start[unknown[block->first + e] + 2] += block_size (block);
      if (!may_continue (engine))
        return FALSE;
    }
  for (guint32 i = 0; i < n; i++)
    self->start[i + 2] += self->start[i + 1];
  self->column = g_renew (guint32, self->column, n_places + n + 1);
  self->place = g_renew (guint32, self->place, n_places + 1);
  next = self->start + 1;
  for (guint32 i = 0; i < n; i++)
    self->column[next[i]++] = i;
  for (guint b = 0; b < self->blocks->len; b++)
    {
      const Block *block = &g_array_index (self->blocks, Block, b);

      for (guint e = 0; e < block_size (block); e++)
        for (guint o = 0; o < block_size (block); o++)
          self->column[next[unknown[block->first + e]]++] = unknown[block->first + o];
      if (!may_continue (engine))
        return FALSE;
    }
  /* Here start[i + 1] is the end of row i. */
  for (guint32 i = 0, first = 0; i < n; i++)
    {
      const guint32 end = self->start[i + 1], few = unique (self->column + first, end - first);

      memmove (self->column + kept, self->column + first, few * sizeof *self->column);
      self->start[i] = kept;
      kept += few;
      first = end;
      if (!may_continue (engine))
        return FALSE;
    }
  self->start[n] = kept;
  for (guint32 i = 0; i < n; i++)
    self->diagonal[i] = find (self, i, i);
  for (guint b = 0; b < self->blocks->len; b++)
    {
      const Block *block = &g_array_index (self->blocks, Block, b);
      guint32 *place = self->place + block->place;

      for (guint e = 0; e < block_size (block); e++)
        for (guint o = 0; o < block_size (block); o++)
          *place++ = find (self, unknown[block->first + e], unknown[block->first + o]);
      if (!may_continue (engine))
        return FALSE;
    }
  self->linear = g_renew (double, self->linear, kept + 1);
  ifbam_event_set_solver_interrupt (engine, self->solver);
  ifbam_solver_set_pattern (self->solver, n, self->start, self->column);
  return engine->base.log->failure == NULL;
}

/* Removes all blocks, so that the next ifbam_system_set_up () sets the system up. */
static void
remove_blocks (IfbamSystem *self)
{
  ifbam_system_discard (self);
  self->has_massless = FALSE;
  self->n = self->n_nodes = 0;
  self->first_nonlinear = self->first_row = 0;
  g_array_set_size (self->signature, 0);
  g_array_set_size (self->node, 0);
  g_array_set_size (self->blocks, 0);
  g_array_set_size (self->unknowns, 0);
}

void
ifbam_system_set_up (IfbamSystem *self, IfbamEventEngine *engine, guint32 number, guint32 *index)
{
  const IfbamIsland *island = ifbam_island (engine, number);

  if (update_signature (self, engine, number))
    return;
  ifbam_system_discard (self);
  self->has_massless = FALSE;
  g_array_set_size (self->node, 0);
  g_array_set_size (self->blocks, 0);
  g_array_set_size (self->unknowns, 0);
  FOR_COMPONENTS (component, engine, island)
  for (gsize s = component->nodes; s < component->nodes + component->n_nodes; s++)
    for (guint32 i = (guint32) ifbam_index_range (engine, s)->first;
         i < ifbam_index_range (engine, s)->last; i++)
      {
        index[i] = self->node->len;
        self->has_massless |= ifbam_model_is_junction (engine->base.model, i);
        g_array_append_val (self->node, i);
      }
  self->n = self->n_nodes = self->node->len;
  for (guint linear = 2; linear-- > 0;)
    {
      FOR_COMPONENTS (component, engine, island)
      add_links (self, engine, component, linear == 1, index);
      if (linear == 1)
        self->first_nonlinear = self->blocks->len;
    }
  FOR_COMPONENTS (component, engine, island)
  add_unbatched_links (self, engine, component, number, index);
  self->first_row = self->blocks->len;
  for (guint i = 0; island->rows != NULL && i < island->rows->len; i++)
    {
      const guint32 row = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (engine, row);

      add_block (self, engine, (Block){ .kind = ROW, .number = row }, link->node, link->n_ports,
                 index);
    }
  if (!make_pattern (self, engine))
    remove_blocks (self);
}

/* Matrix values */

/* Sets where derivatives are evaluated: at the points of a mean's quadrature, or at one state. */
static void
set_points (const IfbamStage *stage, guint points, IfbamPathPoints *path)
{
  path->n = stage->mean ? points : 1;
  for (guint g = 0; g < path->n; g++)
    {
      const double s = ifbam_path_point (path->n, g);

      path->weight[g] = ifbam_path_weight (path->n, g);
      path->by_rate[g] = stage->mean ? 2 * s : 1;
      path->by_delta[g] = stage->a * path->by_rate[g];
    }
}

static double
position_at (const IfbamStage *stage, guint32 node, double s)
{
  return stage->mean ? ifbam_path_position (stage->column[0][node], stage->column[2][node], s)
                     : stage->column[0][node];
}

static double
rate_at (const IfbamStage *stage, guint32 node, double s)
{
  return stage->mean ? ifbam_path_rate (stage->column[1][node], stage->column[3][node], s)
                     : stage->column[1][node];
}

/* A batched link: its parameters (room: memory for these), and its Jacobian row. */
typedef struct
{
  const IfbamBatch *batch;
  gsize index;
  const double *numbers;
  double room[IFBAM_MAX_LAW], row[2];
} Member;

static void
find_member (const IfbamEventEngine *engine, const Block *block, Member *member)
{
  const IfbamBatch *batch = &g_array_index (engine->base.model->batches, IfbamBatch, block->number);
  const IfbamGeometry *geometry = batch->law->geometry;

  member->batch = batch;
  member->index = block->index;
  member->numbers = IFBAM_EVALUATE (engine, get_parameters, batch, block->index, member->room);
  member->row[0] = 1;
  member->row[1] = geometry->scaled ? -ifbam_geometry_ratio (geometry, member->numbers) : -1;
}

static const IfbamLaw *
law_of (const IfbamEventEngine *engine, const Block *block)
{
  return g_array_index (engine->base.model->batches, IfbamBatch, block->number).law;
}

/* Stores a link's compression and its rate; s: place on the path of a mean. */
static void
member_motion (const Member *member, const IfbamStage *stage, double s, double *delta, double *rate)
{
  const guint32 left = member->batch->left[member->index],
                right = member->batch->right[member->index];

  *delta = position_at (stage, left, s) + member->row[1] * position_at (stage, right, s);
  *rate = rate_at (stage, left, s) + member->row[1] * rate_at (stage, right, s);
}

static void
batch_slopes (const Member *member, gboolean linear, const IfbamStage *stage,
              IfbamPathSlopes *slopes)
{
  const IfbamLaw *law = member->batch->law;
  IfbamPathPoints path;

  set_points (stage, member->batch->points, &path);
  for (guint g = 0; g < path.n; g++)
    {
      const double s = 0.5 * path.by_rate[g];

      path.delta[g] = path.rate[g] = 0;
      if (linear)
        continue;
      member_motion (member, stage, s, &path.delta[g], &path.rate[g]);
      for (guint k = 0; k < law->n_states; k++)
        path.state[g][k] = rate_at (stage, member->batch->state[k][member->index], s);
    }
  ifbam_path_slopes (law, member->numbers, 0, &path, slopes);
}

double
ifbam_system_step_limit (const IfbamSystem *self, const IfbamEventEngine *engine,
                         const IfbamStage *stage)
{
  double least = 1;

  for (guint b = self->first_nonlinear; b < self->first_row && !stage->mean; b++)
    {
      const Block *block = &g_array_index (self->blocks, Block, b);
      double delta, rate, by = 0;
      Member member;

      if (block->kind != NONLINEAR || law_of (engine, block)->step_limit == NULL)
        continue;
      find_member (engine, block, &member);
      member_motion (&member, stage, 0, &delta, &rate);
      for (guint e = 0; e < block->n; e++)
        if (block->port[e] < 2)
          by += member.row[block->port[e]]
                * self->right[g_array_index (self->unknowns, guint32, block->first + e)];
      least = MIN (least,
                   member.batch->law->step_limit (member.numbers, delta, rate, stage->a * by, by));
    }
  return least;
}

static void
add_batch (const IfbamSystem *self, const IfbamEventEngine *engine, const Block *block,
           const IfbamStage *stage, double *value)
{
  const guint32 *place = self->place + block->place;
  IfbamPathSlopes slopes;
  Member member;

  find_member (engine, block, &member);
  batch_slopes (&member, block->kind == LINEAR, stage, &slopes);
  for (guint e = 0; e < block->n; e++)
    for (guint o = 0; o < block->n; o++)
      {
        const guint end = block->port[e], other = block->port[o];
        const double slope = slopes.by[end < 2 ? 0 : end - 1][other < 2 ? 0 : other - 1];

        /* Forces act against the row; a state's rate is not reversed. */
        value[*place++] +=
            (end < 2 ? member.row[end] : -1) * (other < 2 ? member.row[other] * slope : slope);
      }
}

/* Computes the forces on the nodes of an unbatched link, and the rates of its states. said: (out)
 * (n_ports + n_states). */
static void
evaluate_unbatched (const IfbamEventEngine *engine, guint32 number, const IfbamLinkInputs *inputs,
                    gboolean mean, double *said)
{
  const IfbamLink *link = ifbam_link (engine, number);
  double row[IFBAM_MAX_PORTS], flow[IFBAM_MAX_STATES];
  const int mode = engine->links.state[number].mode;
  const double force = mean ? ifbam_link_mean_to_end (link, mode, inputs, row, flow)
                            : ifbam_link_mean (link, mode, inputs, FALSE, row, flow);

  for (guint e = 0; e < link->n_ports; e++)
    said[e] = -row[e] * force;
  for (guint k = 0; k < link->n_states; k++)
    said[link->n_ports + k] = flow[k];
}

/* A central difference of an unbatched link's forces by its unknown o. */
typedef struct
{
  guint o;
  double rate, position; /* [m/s], [m] */
  double reach;          /* change of the unknown velocity that this stands for [m/s], above 0 */
} Difference;

/* Moves an endpoint; of a mean, in both cycles. sign: 1 or -1 */
static void
move_endpoint (const IfbamStage *stage, IfbamLinkInputs *inputs, guint end, const Difference *by,
               int sign)
{
  if (!stage->mean)
    {
      inputs->position[end] += sign * by->position;
      inputs->rate[end] += sign * by->rate;
      return;
    }
  inputs->earlier_position[end] -= sign * 2 * by->position;
  inputs->rate[end] -= sign * by->rate;
  inputs->earlier_rate[end] -= sign * 3 * by->rate;
}

static void
add_difference (const IfbamSystem *self, IfbamEventEngine *engine, const Block *block,
                const IfbamStage *stage, const IfbamLinkInputs *inputs, const Difference *by,
                double *value)
{
  const guint32 *place = self->place + block->place;
  double above[IFBAM_MAX_ENDS], below[IFBAM_MAX_ENDS];
  IfbamLinkInputs moved = *inputs;

  move_endpoint (stage, &moved, block->port[by->o], by, 1);
  evaluate_unbatched (engine, block->number, &moved, stage->mean, above);
  moved = *inputs;
  move_endpoint (stage, &moved, block->port[by->o], by, -1);
  evaluate_unbatched (engine, block->number, &moved, stage->mean, below);
  for (guint e = 0; e < block->n; e++)
    value[place[e * block->n + by->o]] -=
        (above[block->port[e]] - below[block->port[e]]) / (2 * by->reach);
}

/* Least difference step for a position, relative to it: it has to exceed rounding by far. */
#define MIN_RELATIVE_STEP 0x1p-26
/* In a short stage such a step needs a velocity far from the present one. Above this many difference
 * steps of the velocity, position and velocity are moved one after the other. */
#define MAX_JOINT_STEP 0x1p9

/* Adds the derivatives of an unbatched link, by central differences. */
static void
add_unbatched_link (const IfbamSystem *self, IfbamEventEngine *engine, const Block *block,
                    const IfbamStage *stage, double *value)
{
  const IfbamLink *link = ifbam_link (engine, block->number);
  const double a = stage->a;
  IfbamLinkInputs inputs;

  inputs.pressing = ifbam_link_pressing_mode (engine, link);
  for (guint e = 0; e < link->n_ports + link->n_states; e++)
    {
      inputs.position[e] = stage->column[0][link->node[e]];
      inputs.rate[e] = stage->column[1][link->node[e]];
      inputs.earlier_position[e] = stage->column[stage->mean ? 2 : 0][link->node[e]];
      inputs.earlier_rate[e] = stage->column[stage->mean ? 3 : 1][link->node[e]];
    }
  for (guint o = 0; o < block->n; o++)
    {
      const guint other = block->port[o];
      const double at = other < link->n_ports ? fabs (inputs.position[other]) / a : 0;
      const double near = ifbam_path_reach (fabs (inputs.rate[other]));
      const double far = MIN_RELATIVE_STEP * at, joint = MAX (near, far);

      if (stage->mean || far <= MAX_JOINT_STEP * near)
        {
          add_difference (self, engine, block, stage, &inputs,
                          &(Difference){ o, joint, a * joint, joint }, value);
          continue;
        }
      add_difference (self, engine, block, stage, &inputs, &(Difference){ o, near, 0, near },
                      value);
      add_difference (self, engine, block, stage, &inputs, &(Difference){ o, 0, a * far, far },
                      value);
    }
}

/* Adds the Jacobian row and the force directions of a constraint, and a small negative diagonal.
 * Returns J D^-1 J^T. askew: set if the directions differ from the row. */
static double
add_row (IfbamSystem *self, IfbamEventEngine *engine, const Block *block, double *value,
         gboolean *askew)
{
  const guint32 *place = self->place + block->place;
  const guint32 *unknown = &g_array_index (self->unknowns, guint32, block->first);
  double size = 0;
  IfbamConstraintRow row;

  ifbam_link_row (engine, block->number, 1, &row);
  ifbam_link_force_direction (engine, block->number, &row);
  for (guint e = 0; e < block->n; e++)
    {
      const double own = row.row[block->port[e]];

      value[place[e * (block->n + 1u) + block->n]] += row.pull[block->port[e]];
      value[place[block->n * (block->n + 1u) + e]] += own;
      size += own * own
              / (self->has_massless ? self->weight[unknown[e]]
                                    : self->linear[self->diagonal[unknown[e]]]);
    }
  value[self->diagonal[unknown[block->n]]] -=
      size > 1 / CLAMPED_DIAGONAL ? ROW_REGULARIZATION * size : 1;
  *askew |= row.askew;
  return size;
}

/* Adds the constraint rows. Where frictions slide, the motion depends on the loads that redundant
 * rows share: compliances are those of explicit schemes (constraint-system.c). */
static void
add_rows (IfbamSystem *self, IfbamEventEngine *engine, double *value)
{
  const guint32 *node = ifbam_system_nodes (self);
  gboolean askew = FALSE, even;
  double largest = 0, most = 0;

  for (guint b = self->first_row; b < self->blocks->len && may_continue (engine); b++)
    {
      const Block *block = &g_array_index (self->blocks, Block, b);

      largest = fmax (largest, add_row (self, engine, block, value, &askew));
      most = fmax (most, ifbam_link_row_share (engine, block->number));
    }
  if (!askew || !(largest > 1 / CLAMPED_DIAGONAL))
    return;
  even = ifbam_island_shares_evenly (ifbam_island (engine, ifbam_island_of (engine, node[0])));
  for (guint b = self->first_row; b < self->blocks->len; b++)
    {
      const Block *block = &g_array_index (self->blocks, Block, b);
      const guint32 row = g_array_index (self->unknowns, guint32, block->first + block->n);
      double *own = &value[self->diagonal[row]];

      *own = (even ? -ROW_REGULARIZATION * largest : *own)
             * MIN (most / ifbam_link_row_share (engine, block->number), MAX_SHARE_RATIO);
    }
}

/* Sets the constant values, of inertias and linear links, if they are not those of the stage. */
static void
set_linear_values (IfbamSystem *self, IfbamEventEngine *engine, const IfbamStage *stage)
{
  const guint32 *node = ifbam_system_nodes (self);

  if (self->a == stage->a && self->mean == stage->mean && self->clamped == stage->clamped)
    return;
  memset (self->linear, 0, self->start[self->n] * sizeof *self->linear);
  for (guint32 i = 0; i < self->n_nodes; i++)
    self->linear[self->diagonal[i]] =
        stage->clamped && !ifbam_model_is_junction (engine->base.model, node[i])
            ? CLAMPED_DIAGONAL
            : ifbam_event_inertia_by (engine, node[i], stage->a);
  for (guint b = 0; b < self->first_nonlinear && may_continue (engine); b++)
    add_batch (self, engine, &g_array_index (self->blocks, Block, b), stage, self->linear);
  self->a = stage->a;
  self->mean = stage->mean;
  self->clamped = stage->clamped;
  self->factored = FALSE;
}

/* Returns the least weight above 0 of a constraint's other nodes, without clamped ones; 0: none. */
static double
min_other_weight (const IfbamSystem *self, const Block *block, guint but)
{
  const guint32 *unknown = &g_array_index (self->unknowns, guint32, block->first);
  double least = INFINITY;

  for (guint e = 0; e < block->n; e++)
    {
      const double weight = self->weight[unknown[e]];

      if (e != but && weight > 0 && weight < CLAMPED_DIAGONAL)
        least = MIN (least, weight);
    }
  return least < INFINITY ? least : 0;
}

/* Adds to the diagonals of massless nodes that only constraint rows join, so that their pivots
 * exceed rounding. Iterations converge more slowly by that, to the same limit. Sets the weights. */
static void
regularize_massless_nodes (IfbamSystem *self, double *value)
{
  double most = 0;

  self->weight = g_renew (double, self->weight, self->n_nodes + 1);
  for (guint32 i = 0; i < self->n_nodes; i++)
    {
      self->weight[i] = fabs (value[self->diagonal[i]]);
      if (self->weight[i] < CLAMPED_DIAGONAL)
        most = MAX (most, self->weight[i]);
    }
  for (guint b = self->first_row; b < self->blocks->len; b++)
    {
      const Block *block = &g_array_index (self->blocks, Block, b);
      const guint32 *unknown = &g_array_index (self->unknowns, guint32, block->first);

      for (guint e = 0; e < block->n; e++)
        {
          const double weight = min_other_weight (self, block, e);
          double *own = &value[self->diagonal[unknown[e]]];

          if (self->weight[unknown[e]] >= MIN_OWN_PIVOT * weight)
            continue;
          *own += MIN_OWN_PIVOT * weight;
          self->weight[unknown[e]] = weight;
        }
    }
  for (guint32 i = 0; i < self->n_nodes; i++)
    if (value[self->diagonal[i]] == 0)
      {
        value[self->diagonal[i]] = most > 0 ? MIN_OWN_PIVOT * most : 1;
        self->weight[i] = most > 0 ? most : 1;
      }
}

void
ifbam_system_find_diagonals (IfbamSystem *self, IfbamEventEngine *engine, double *largest)
{
  const guint32 *node = ifbam_system_nodes (self);
  const IfbamStage stage = { .a = engine->base.spec->step };

  set_linear_values (self, engine, &stage);
  for (guint32 i = 0; i < self->n_nodes; i++)
    {
      double *own = &largest[engine->clusters.node_domain[node[i]]];

      *own = MAX (*own, fabs (self->linear[self->diagonal[i]]));
    }
}

/* Adds to the diagonals and weights of massless nodes, by their domains. */
static void
add_shift (IfbamSystem *self, const IfbamEventEngine *engine, const double *shift, double *value)
{
  const guint32 *node = ifbam_system_nodes (self);

  for (guint32 i = 0; i < self->n_nodes; i++)
    if (ifbam_model_is_junction (engine->base.model, node[i]))
      {
        value[self->diagonal[i]] += shift[engine->clusters.node_domain[node[i]]];
        self->weight[i] += shift[engine->clusters.node_domain[node[i]]];
      }
}

/* Prepares solutions beyond the factors, in which pivots vanished. */
static void
prepare_directions (IfbamSystem *self)
{
  const double *value = ifbam_solver_values (self->solver);

  self->scale = g_renew (double, self->scale, self->n + 1);
  self->directions =
      g_renew (double, self->directions, (2 + 2 * MAX_DIRECTIONS) * (gsize) self->n + 1);
  for (guint32 i = 0; i < self->n; i++)
    {
      double most = 0;

      for (guint32 e = self->start[i]; e < self->start[i + 1]; e++)
        most = MAX (most, fabs (value[e]));
      self->scale[i] = most > 0 ? 1 / most : 1;
    }
}

gboolean
ifbam_system_factor (IfbamSystem *self, IfbamEventEngine *engine, const IfbamStage *stage,
                     const double *shift)
{
  double *value = ifbam_solver_values (self->solver);

  set_linear_values (self, engine, stage);
  if (self->factored)
    return FALSE;
  memcpy (value, self->linear, self->start[self->n] * sizeof *value);
  for (guint b = self->first_nonlinear; b < self->first_row && may_continue (engine); b++)
    {
      const Block *block = &g_array_index (self->blocks, Block, b);

      if (block->kind == NONLINEAR)
        add_batch (self, engine, block, stage, value);
      else
        add_unbatched_link (self, engine, block, stage, value);
    }
  /* Constraint rows come last: they use the weights. */
  if (self->has_massless)
    regularize_massless_nodes (self, value);
  if (shift != NULL)
    add_shift (self, engine, shift, value);
  add_rows (self, engine, value);
  ifbam_event_set_solver_interrupt (engine, self->solver);
  self->n_vanished =
      ifbam_solver_factor (self->solver, NULL, self->has_massless ? VANISHED_PIVOT_RATIO : 0);
  if (self->n_vanished > 0)
    prepare_directions (self);
  self->factored =
      shift == NULL && ifbam_system_is_linear (self) && engine->base.log->failure == NULL;
  return TRUE;
}

/* Sets y = A x (n), each row divided by its largest entry. */
static void
multiply_scaled (const IfbamSystem *self, const double *x, double *y)
{
  const double *value = ifbam_solver_values (self->solver);

  for (guint32 i = 0; i < self->n; i++)
    {
      double sum = 0;

      for (guint32 e = self->start[i]; e < self->start[i + 1]; e++)
        sum += value[e] * x[self->column[e]];
      y[i] = sum * self->scale[i];
    }
}

/* Solves a system in which pivots vanished: generalized conjugate residuals, with the factors as
 * preconditioner (Eisenstat, Elman & Schultz 1983). A pivot vanishes if only a constraint row supports
 * a subnetwork; the factors have its diagonal instead. Each such pivot may take one direction more in
 * which the residual hardly falls, and so may each constraint row at nodes of tiny diagonals. */
static void
solve_beyond_factors (IfbamSystem *self)
{
  const guint32 n = self->n;
  double *x = self->directions, *left = x + n, before, size;

  memset (x, 0, n * sizeof *x);
  for (guint32 i = 0; i < n; i++)
    left[i] = self->right[i] * self->scale[i];
  size = before = ifbam_dot (left, left, n);
  for (guint k = 0; k < MAX_DIRECTIONS && before > LINEAR_TOLERANCE * LINEAR_TOLERANCE * size; k++)
    {
      double *z = x + (2 + 2 * k) * n, *c = z + n, length, part;

      for (guint32 i = 0; i < n; i++)
        z[i] = left[i] / self->scale[i];
      ifbam_solver_solve (self->solver, z, z, 0);
      multiply_scaled (self, z, c);
      for (guint j = 0; j < k; j++)
        {
          const double *zj = x + (2 + 2 * j) * n, *cj = zj + n;

          part = ifbam_dot (c, cj, n);
          for (guint32 i = 0; i < n; i++)
            {
              c[i] -= part * cj[i];
              z[i] -= part * zj[i];
            }
        }
      length = sqrt (ifbam_dot (c, c, n));
      if (!(length > 0) || !(length < INFINITY))
        break;
      for (guint32 i = 0; i < n; i++)
        {
          c[i] /= length;
          z[i] /= length;
        }
      part = ifbam_dot (left, c, n);
      for (guint32 i = 0; i < n; i++)
        {
          x[i] += part * z[i];
          left[i] -= part * c[i];
        }
      length = ifbam_dot (left, left, n);
      if (k >= self->n_vanished + n - self->n_nodes && !(length < 0.25 * before))
        break;
      before = length;
    }
  memcpy (self->right, x, n * sizeof *x);
}

void
ifbam_system_solve (IfbamSystem *self)
{
  if (self->n_vanished == 0)
    ifbam_solver_solve (self->solver, self->right, self->right, 0);
  else
    solve_beyond_factors (self);
}

/* Moves a block's entries from the matrix to slope, by rows (n^2). */
static void
extract_block (const IfbamSystem *self, const Block *block, double *value, double *slope)
{
  const guint32 *place = self->place + block->place;

  for (guint k = 0; k < block->n * block->n; k++)
    {
      slope[k] = value[place[k]];
      value[place[k]] = 0;
    }
}

void
ifbam_system_list_contributions (const IfbamSystem *self, IfbamEventEngine *engine,
                                 const IfbamStage *stage,
                                 void (*told) (gpointer data, const IfbamContribution *share),
                                 gpointer data)
{
  const guint32 *node = ifbam_system_nodes (self);
  g_autofree double *value = g_new0 (double, self->start[self->n] + 1);

  for (guint b = 0; b < self->blocks->len; b++)
    {
      const Block *block = &g_array_index (self->blocks, Block, b);
      const guint32 *unknown = &g_array_index (self->unknowns, guint32, block->first);
      IfbamContribution share = { .slot = G_MAXSIZE, .number = block->number, .n = block->n };
      double slope[IFBAM_MAX_ENDS * IFBAM_MAX_ENDS];

      for (guint e = 0; e < block->n; e++)
        share.node[e] = node[unknown[e]];
      if (block->kind == SINGLE)
        add_unbatched_link (self, engine, block, stage, value);
      else if (block->kind != ROW)
        {
          add_batch (self, engine, block, stage, value);
          share.slot =
              g_array_index (engine->base.model->batches, IfbamBatch, block->number).first_slot
              + block->index;
        }
      if (block->kind != ROW)
        {
          extract_block (self, block, value, slope);
          share.slope = slope;
        }
      told (data, &share);
    }
}
