/* test-bounds.c: which rows act, stick and slip: answers against the laws themselves, and against wrong answers
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "event/event-bounds.h"
#include "event/event-cones.h"
#include "event/event-context.h"
#include "fixture.h"
#include "run/run.h"
#include "noise.h"

#define NODES 60
#define MOST  60

/* So much of the largest rate that is asked may be left. */
#define NEAR 1e-8

static IfbamNetwork *network;
static IfbamModel *model;
static IfbamRunSpec spec;
static IfbamEventEngine *self;

static int
set_up (void **state)
{
  g_autoptr (GString) text =
      g_string_new ("[network]\nstep = 1 ms\nduration = 1 s\nscheme = rk4\n[ground g]\n");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < NODES; i++)
    g_string_append_printf (text, "[mass m%u]\nmass = 1\n[impact i%u]\nbetween = g, m%u\n", i, i,
                            i);
  folder_make (state);
  noise_set_up (1974);
  network = text_network (text->str);
  model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, &error);
  assert_non_null (model);
  self = (IfbamEventEngine *) ifbam_event_engine_new (model, &spec, FALSE);
  self->base.start (&self->base);
  return 0;
}

static int
tear_down (void **state)
{
  ifbam_engine_free (&self->base);
  ifbam_model_free (model);
  ifbam_run_spec_clear (&spec);
  g_clear_object (&network);
  noise_tear_down (state);
  return folder_remove (state);
}

/* A row over these nodes; what stands behind its ports is no number and no node, so that nobody may read it. */
static IfbamBound
new_bound (guint n_ports, const guint32 *node, const double *row, const double *rate)
{
  IfbamBound bound;

  memset (&bound, 0xff, sizeof bound);
  bound.row.n_ports = n_ports;
  bound.row.askew = FALSE;
  bound.row.share = 1;
  bound.asked = bound.soon = bound.start = 0;
  bound.bilateral = bound.active = FALSE;
  bound.carrier = IFBAM_NONE;
  bound.friction = bound.lambda = bound.rest = 0;
  bound.slips = 0;
  for (guint e = 0; e < n_ports; e++)
    {
      bound.row.node[e] = node[e];
      bound.row.row[e] = bound.row.pull[e] = row[e];
      bound.asked += row[e] * rate[node[e]];
    }
  return bound;
}

static void
draw_mobility (double decades)
{
  for (guint i = 0; i < NODES; i++)
    {
      self->mobility[i] = pow (10, between (-decades, decades));
      self->play->change[i] = NAN;
    }
}

/* The largest rate that is asked. */
static double
most_asked (const IfbamBound *bounds, guint n)
{
  double most = 0;

  for (guint i = 0; i < n; i++)
    most = fmax (most, fabs (bounds[i].asked));
  return most;
}

/* What is left of a row's rate, by all impulses along the rows: J v' with v' = v - M^-1 J^T lambda. */
static double
left_of (const IfbamBound *bounds, guint n, guint i)
{
  double change[NODES] = { 0 }, left = bounds[i].asked;

  for (guint k = 0; k < n; k++)
    for (guint e = 0; e < bounds[k].row.n_ports; e++)
      change[bounds[k].row.node[e]] +=
          bounds[k].row.row[e] * bounds[k].lambda * self->mobility[bounds[k].row.node[e]];
  for (guint e = 0; e < bounds[i].row.n_ports; e++)
    left -= bounds[i].row.row[e] * change[bounds[i].row.node[e]];
  return left;
}

/* What its rate changes by for its own unit of an impulse. */
static double
weight_of (const IfbamBound *bound)
{
  double sum = 0;

  for (guint e = 0; e < bound->row.n_ports; e++)
    sum += bound->row.row[e] * bound->row.row[e] * self->mobility[bound->row.node[e]];
  return sum;
}

/* Whether all laws are kept: what pushes leaves no rate, what sticks is within its cone, what slips is braked by all of it. */
static void
assert_laws (const IfbamBound *bounds, guint n, const char *what)
{
  double room = NEAR * most_asked (bounds, n);

  for (guint i = 0; i < n; i++)
    room = fmax (room, 1e-2 * NEAR * fabs (bounds[i].lambda) * weight_of (&bounds[i]));
  for (guint i = 0; i < n; i++)
    {
      const IfbamBound *bound = &bounds[i];
      const double left = left_of (bounds, n, i);
      const double push = bound->lambda * weight_of (bound);
      const IfbamBound *carrier = bound->carrier == IFBAM_NONE ? NULL : &bounds[bound->carrier];
      gboolean kept;

      if (carrier == NULL)
        kept = bound->bilateral ? fabs (left) <= room
                                : push >= -room && left <= room && (push <= room || left >= -room);
      else if (bound->slips != 0)
        kept = (bound->slips * left >= -room || carrier->lambda == 0)
               && fabs (bound->lambda - bound->slips * bound->friction * carrier->lambda)
                      <= NEAR * carrier->lambda + room / weight_of (bound);
      else
        kept = carrier->active || carrier->bilateral
                   ? fabs (left) <= room
                         && fabs (bound->lambda) <= bound->friction * carrier->lambda * (1 + NEAR)
                                                        + room / weight_of (bound)
                   : bound->lambda == 0;
      if (!kept)
        fail_msg ("%s: row %u of %u: push %g, left %g of %g, slips %d", what, i, n, push, left,
                  bound->asked, bound->slips);
    }
}

/* Rows of two to four nodes, more than there are nodes, too, whose rates are those of nodes that move: so there is an answer, in which
 * all may stop. */
static guint
draw_rows (IfbamBound *bounds, guint n, guint n_nodes, guint bilateral)
{
  double rate[NODES];

  for (guint i = 0; i < NODES; i++)
    rate[i] = self->mobility[i] > 0 ? between (-1, 1) : 0;
  for (guint i = 0; i < n; i++)
    {
      const guint n_ports = (guint) g_rand_int_range (noise, 1, 5);
      const guint32 first = (guint32) g_rand_int_range (noise, 0, (int) n_nodes);
      guint32 node[4];
      double row[4];

      for (guint e = 0; e < n_ports; e++)
        {
          node[e] = (first + e) % n_nodes;
          row[e] = between (-1, 1);
        }
      bounds[i] = new_bound (n_ports, node, row, rate);
      bounds[i].bilateral = i < bilateral;
      bounds[i].active = g_rand_boolean (noise);
    }
  return n;
}

/* Each row pushes, or goes away: few rows and many, more than their nodes can tell apart, rigid ones among them; from any guess. */
static void
test_complementarity (void **state)
{
  (void) state;
  for (guint trial = 0; trial < 600; trial++)
    {
      IfbamBound bounds[MOST];
      const guint n_nodes = (guint) g_rand_int_range (noise, 5, NODES);
      const guint n = (guint) g_rand_int_range (noise, 1, MIN (MOST, 3 * n_nodes / 2));
      double most;

      draw_mobility (trial % 3);
      draw_rows (bounds, n, n_nodes, trial % 4 == 0 ? MIN (n, n_nodes / 4) : 0);
      most = most_asked (bounds, n);
      for (guint i = 0; i < n; i++)
        bounds[i].start = 1e-11 * most;
      assert_true (ifbam_event_complementarity (self, 0, bounds, n, -1e-11 * most));
      assert_laws (bounds, n, "complementarity");
      for (guint i = 0; i < n; i++)
        assert_near (bounds[i].rest, left_of (bounds, n, i), 1e-4 * most, "rest");
    }
}

/* How often rows were factored, and how often with an interior point's shift. */
static guint factored, shifted, before_shift;

void __real_ifbam_reactions_set (IfbamReactions *reactions, const IfbamRow *rows, guint n,
                                 const double *mobility, guint32 *seat);
void __wrap_ifbam_reactions_set (IfbamReactions *reactions, const IfbamRow *rows, guint n,
                                 const double *mobility, guint32 *seat);
void
__wrap_ifbam_reactions_set (IfbamReactions *reactions, const IfbamRow *rows, guint n,
                            const double *mobility, guint32 *seat)
{
  factored++;
  __real_ifbam_reactions_set (reactions, rows, n, mobility, seat);
}

void __real_ifbam_reactions_shift (IfbamReactions *reactions, const double *shift);
void __wrap_ifbam_reactions_shift (IfbamReactions *reactions, const double *shift);
void
__wrap_ifbam_reactions_shift (IfbamReactions *reactions, const double *shift)
{
  shifted++;
  before_shift = factored;
  __real_ifbam_reactions_shift (reactions, shift);
}

/* Where blocks go to and fro an interior point tells who acts: in some twenty turns, and so well that hardly anything is left to do. */
static void
test_interior (void **state)
{
  guint guessed = 0, turns = 0, left = 0;

  (void) state;
  for (guint trial = 0; trial < 3000; trial++)
    {
      IfbamBound bounds[MOST + 1], behind;
      const guint n = (guint) g_rand_int_range (noise, 24, MOST - 10);
      double most;

      draw_mobility (0);
      /* Nobody moves one node. */
      self->mobility[3] = 0;
      draw_rows (bounds, n, NODES, trial % 2 == 0 ? 5 : 0);
      bounds[7] = new_bound (1, (guint32[]){ 3 }, (double[]){ 1 }, (double[NODES]){ 0 });
      memset (&bounds[n], 0xff, sizeof bounds[n]);
      behind = bounds[n];
      most = most_asked (bounds, n);
      for (guint i = 0; i < n; i++)
        bounds[i].start = 1e-11 * most;
      factored = shifted = before_shift = 0;
      assert_true (ifbam_event_complementarity (self, 0, bounds, n, -1e-11 * most));
      assert_memory_equal (&bounds[n], &behind, sizeof behind);
      if (shifted == 0)
        continue;
      guessed++;
      left += factored - before_shift;
      turns += shifted;
      assert_laws (bounds, n, "interior");
    }
  print_message ("# %u guesses, of %.1f turns, then %.1f\n", guessed, (double) turns / guessed,
                 (double) left / guessed);
  assert_true (guessed > 10);
  assert_true (turns <= 18 * guessed);
  assert_true (left <= 5 * guessed);
}

/* Balls on a ground and on each other, each contact with a friction behind it: few, and as many as go by cones. */
static guint
draw_balls (IfbamBound *bounds, guint n)
{
  double rate[NODES];

  for (guint i = 0; i < NODES; i++)
    rate[i] = between (-1, 1);
  for (guint i = 0; i < n; i++)
    {
      const guint balls = MAX (n * 2 / 3, 1);
      const guint32 a = 3 * (i % balls), b = 3 * ((i + 1 + i / balls) % balls);
      const gboolean ground = i % 2 == 0 || a == b;
      const double angle = between (0, 2 * G_PI);
      const double x = cos (angle), y = sin (angle);

      const guint32 node[] = { a, a + 1, a + 2, b, b + 1, b + 2 };

      bounds[2 * i] = new_bound (ground ? 3 : 6, node, (double[]){ x, y, 0, -x, -y, 0 }, rate);
      bounds[2 * i + 1] = new_bound (ground ? 3 : 6, node, (double[]){ -y, x, 1, y, -x, 1 }, rate);
      bounds[2 * i + 1].bilateral = TRUE;
      bounds[2 * i + 1].carrier = 2 * i;
      bounds[2 * i + 1].friction = between (0, 0.5);
    }
  return 2 * n;
}

/* Few and many at once: who acts, sticks and slips keeps all laws, by each attempt, and what they push is found from that alone. */
static void
test_frictions (void **state)
{
  guint slipped = 0, stuck = 0;

  (void) state;
  for (guint trial = 0; trial < 600; trial++)
    {
      IfbamBound bounds[2 * MOST];
      const guint n =
          draw_balls (bounds, (guint) g_rand_int_range (noise, 1, trial % 4 == 0 ? 20 : 6));
      const guint attempt = trial % 3;

      draw_mobility (1);
      assert_true (ifbam_event_pivot (self, bounds, n, attempt));
      assert_laws (bounds, n, "pivot");
      assert_true (ifbam_event_push_of (self, bounds, n));
      assert_laws (bounds, n, "push");
      for (guint i = 1; i < n; i += 2)
        {
          slipped += bounds[i].slips != 0;
          stuck += bounds[i].slips == 0 && bounds[i - 1].active;
        }
    }
  print_message ("# %u slip, %u stick\n", slipped, stuck);
  assert_true (slipped > 200 && stuck > 200);
}

/* Where nothing approaches and nothing slips, who acts is decided by what is asked a moment later. */
static void
test_soon (void **state)
{
  (void) state;
  for (guint trial = 0; trial < 300; trial++)
    {
      IfbamBound bounds[2 * MOST];
      const guint n =
          draw_balls (bounds, (guint) g_rand_int_range (noise, 1, trial % 4 == 0 ? 20 : 6));

      draw_mobility (1);
      for (guint i = 0; i < n; i++)
        {
          bounds[i].soon = bounds[i].asked;
          bounds[i].asked = 0;
        }
      assert_true (ifbam_event_pivot (self, bounds, n, trial % 3));
      for (guint i = 0; i < n; i++)
        bounds[i].asked = bounds[i].soon;
      assert_true (ifbam_event_push_of (self, bounds, n));
      assert_laws (bounds, n, "soon");
    }
}

/* Of many, only the first one is pushed soon. */
static void
test_first_alone_soon (void **state)
{
  double rate[NODES] = { 0 };
  IfbamBound bounds[NODES];
  guint n = 0;

  (void) state;
  draw_mobility (1);
  for (guint32 i = 0; i + 1 < NODES; i += 2)
    {
      const guint32 node[] = { i, i + 1 };

      bounds[n] = new_bound (2, node, (double[]){ 1, 0 }, rate);
      bounds[n + 1] = new_bound (2, node, (double[]){ 0, 1 }, rate);
      bounds[n + 1].carrier = n;
      bounds[n + 1].bilateral = TRUE;
      bounds[n + 1].friction = 0.1;
      n += 2;
    }
  bounds[0].soon = 1;
  assert_true (n >= IFBAM_MANY);
  assert_true (ifbam_event_pivot (self, bounds, n, 0));
  for (guint i = 0; i < n; i++)
    bounds[i].asked = bounds[i].soon;
  assert_true (ifbam_event_push_of (self, bounds, n));
  assert_laws (bounds, n, "first alone");
}

/* Rows that nobody shares a node with, whose rates are asked; each its own inertia. */
static void
separate (IfbamBound *bounds, guint n, const double *asked)
{
  double rate[NODES] = { 0 };

  draw_mobility (0);
  for (guint32 i = 0; i < n; i++)
    {
      bounds[i] = new_bound (1, &i, (double[]){ 1 }, rate);
      bounds[i].asked = asked[i];
    }
}

/* Whether it takes such impulses for an answer, where those that are said to act would give others that pull. */
static gboolean
takes (const double *asked, const double *lambda, gboolean bilateral)
{
  for (guint reversed = 0; reversed < 2; reversed++)
    {
      IfbamBound bounds[3];
      const double all[] = { -asked[0], asked[0], asked[1] };
      gboolean taken;

      separate (bounds, 3, all);
      bounds[1].bilateral = bilateral;
      for (guint i = 0; i < 3; i++)
        bounds[i].active = TRUE;
      bounds[1].lambda = lambda[0];
      bounds[2].lambda = lambda[1];
      if (reversed)
        {
          const IfbamBound first = bounds[0];

          bounds[0] = bounds[1];
          bounds[1] = first;
        }
      taken = ifbam_event_push_of (self, bounds, 3);
      assert_true (bounds[reversed].lambda == 0);
      assert_true (bounds[1 - reversed].lambda == lambda[0]);
      if (!taken)
        return FALSE;
    }
  return TRUE;
}

/* What is no answer is refused, if it is wrong by a millionth, whatever the units; what is wrong by rounding is not. */
static void
test_wrong_answers (void **state)
{
  (void) state;
  for (double unit = 1e-6; unit < 2e6; unit *= 1e3)
    for (int sign = -1; sign <= 1; sign += 2)
      {
        const double little = sign * 1e-12 * unit, much = sign * 1e-6 * unit;
        const double asked[] = { unit, 0.5 * unit };

        assert_true (takes (asked, (double[]){ unit + little, 0.5 * unit }, FALSE));
        assert_true (takes (asked, (double[]){ unit, 0.5 * unit + little }, FALSE));
        assert_false (takes (asked, (double[]){ unit + much, 0.5 * unit }, FALSE));
        assert_false (takes (asked, (double[]){ unit, 0.5 * unit + much }, FALSE));
        assert_true (takes (asked, (double[]){ unit + little, 0.5 * unit }, TRUE));
        assert_false (takes (asked, (double[]){ unit + much, 0.5 * unit }, TRUE));
        assert_false (
            takes ((double[]){ unit, -0.5 * unit }, (double[]){ unit, -0.5 * unit }, FALSE));
      }
}

/* A friction with its contact, on one node each: found is what they are said to push. */
static gboolean
takes_friction (const double *asked, const double *found, int slips, gboolean sticks)
{
  const guint32 node[] = { 0, 1 };
  double rate[NODES] = { 0 };
  IfbamBound bounds[3];

  draw_mobility (0);
  bounds[0] = new_bound (2, node, (double[]){ 1, 0 }, rate);
  bounds[1] = new_bound (2, node, (double[]){ 0, 1 }, rate);
  bounds[1].bilateral = TRUE;
  bounds[1].carrier = 0;
  bounds[1].friction = 0.5;
  bounds[1].slips = slips;
  bounds[1].active = sticks;
  bounds[0].active = TRUE;
  for (guint i = 0; i < 2; i++)
    {
      bounds[i].asked = asked[i];
      bounds[i].lambda = found[i];
    }
  /* It acts and would pull: so that what was found is looked at. */
  bounds[2] = new_bound (1, (guint32[]){ 2 }, (double[]){ 1 }, rate);
  bounds[2].asked = -asked[0];
  bounds[2].active = TRUE;
  return ifbam_event_push_of (self, bounds, 3);
}

/* A friction is within its cone where it sticks, goes on where it slips, and brings no energy. */
static void
test_wrong_frictions (void **state)
{
  (void) state;
  for (double unit = 1e-6; unit < 2e6; unit *= 1e3)
    for (int sign = -1; sign <= 1; sign += 2)
      {
        const double in = sign * 0.4 * unit, edge = sign * 0.5 * unit, out = sign * 0.6 * unit;

        assert_true (takes_friction ((double[]){ unit, in }, (double[]){ unit, in }, 0, TRUE));
        assert_true (takes_friction ((double[]){ unit, edge },
                                     (double[]){ unit, edge * (1 + 1e-12) }, 0, TRUE));
        assert_false (takes_friction ((double[]){ unit, out }, (double[]){ unit, out }, 0, TRUE));
        assert_false (
            takes_friction ((double[]){ unit, in }, (double[]){ unit, in * (1 + 1e-6) }, 0, TRUE));
        assert_true (
            takes_friction ((double[]){ unit, out }, (double[]){ unit, edge }, sign, FALSE));
        assert_false (
            takes_friction ((double[]){ unit, in }, (double[]){ unit, edge }, sign, FALSE));
        /* What slips, and is pushed on. */
        assert_false (takes_friction ((double[]){ 1e-9 * unit, out },
                                      (double[]){ 1e-9 * unit, -out }, sign, FALSE));
      }
}

/* A row that others carry acts while they do. */
static void
test_carried_rows (void **state)
{
  (void) state;
  for (guint trial = 0; trial < 300; trial++)
    {
      IfbamBound bounds[MOST];
      const guint n = (guint) g_rand_int_range (noise, 1, MOST / 4);
      double most;

      draw_mobility (1);
      draw_rows (bounds, 2 * n, NODES, 0);
      for (guint i = n; i < 2 * n; i++)
        {
          bounds[i].bilateral = TRUE;
          bounds[i].carrier = i - n;
          bounds[i].friction = 1e300;
        }
      most = most_asked (bounds, 2 * n);
      if (!ifbam_event_complementarity (self, 0, bounds, 2 * n, -1e-11 * most))
        continue; /* what sticks may leave no answer */
      for (guint i = 0; i < 2 * n; i++)
        {
          const gboolean acts =
              bounds[i].carrier == IFBAM_NONE ? bounds[i].active : bounds[i - n].active;

          if (!acts)
            assert_true (bounds[i].lambda == 0);
          else
            assert_near (left_of (bounds, 2 * n, i), 0, NEAR * most, "left");
        }
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_complementarity),
    cmocka_unit_test (test_interior),
    cmocka_unit_test (test_carried_rows),
    cmocka_unit_test (test_frictions),
    cmocka_unit_test (test_soon),
    cmocka_unit_test (test_first_alone_soon),
    cmocka_unit_test (test_wrong_answers),
    cmocka_unit_test (test_wrong_frictions),
  };

  return cmocka_run_group_tests (tests, set_up, tear_down);
}
