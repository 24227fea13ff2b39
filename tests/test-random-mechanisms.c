/* test-random-mechanisms.c: random trees and loops of bodies: constraints and energy balance hold, objects and compiled
 * engine have equal bits
 *
 *   test-random-mechanisms [FIRST COUNT [SCHEME]]   other seeds, or more of them; under one scheme only
 *   TEST_SEEDS=COUNT test-random-mechanisms         fewer of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "by-hand.h"
#include "draft.h"
#include "fixture.h"
#include "run/run.h"

static guint first_seed = 1, n_seeds = 30;
static const char *only_scheme; /* NULL: all */

#define DURATION 0.5 /* [s] */
static const double steps[] = { 2e-3, 4e-4 };

/* The account closes to the scheme's order: in the median the fifth step leaves so much less of an error; at worst it is
 * this at the shorter step. */
static const struct
{
  const char *name;
  double gain, worst;
} schemes[] = {
  { "rk4", 250, 1e-4 }, { "verlet", 12, 1e-2 },         { "averaged", 12, 2e-2 },
  { "original", 3, 1 }, { "symplectic-euler", 3.5, 1 }, { "euler", 3.5, 1 },
};

/* Relations are kept to so much of the largest coordinate, or of 1. */
#define KEPT 1e-13

/* A run, as far as it got */

typedef struct
{
  const IfbamModel *model;
  double *position;           /* of all nodes in the last row */
  double missed;              /* by a relation, at worst */
  const char *element;        /* that missed it (not owned) */
  double first, gap, largest; /* of the account [J] */
  gboolean started;
  guint asked; /* how often it was, whether to go on: by so much work */
} Look;

static IfbamConstraint
relation_of (const IfbamLink *link)
{
  return link->law->constraint == NULL ? (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_NONE }
                                       : link->law->constraint (link->numbers, 0);
}

static double
measure (const IfbamLink *link, const double *position, double *row)
{
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS] = { 0 }, delta;

  for (guint e = 0; e < link->n_ports; e++)
    x[e] = position[link->node[e]];
  link->geometry->measure (link->shape, x, v, &delta, row);
  return delta;
}

static gboolean
look_at_row (gpointer data, double time, const double *values, GError **error)
{
  Look *look = data;
  const double account = values[0] + values[1] - values[2];
  double size = 1;

  (void) time, (void) error;
  memcpy (look->position, values + 3, look->model->n_nodes * sizeof (double));
  if (!look->started)
    look->first = account;
  look->started = TRUE;
  look->gap = fmax (look->gap, fabs (account - look->first));
  for (guint k = 0; k < 3; k++)
    look->largest = fmax (look->largest, fabs (values[k]));
  for (gsize i = 0; i < look->model->n_nodes; i++)
    size = fmax (size, fabs (look->position[i]));
  for (guint i = 0; i < look->model->unbatched_links->len; i++)
    {
      const IfbamLink *link = &g_array_index (look->model->unbatched_links, IfbamLink, i);
      double row[IFBAM_MAX_PORTS], missed;

      if (relation_of (link).kind != IFBAM_CONSTRAINT_FIXED)
        continue;
      missed = fabs (measure (link, look->position, row)) / size;
      if (missed <= look->missed)
        continue;
      look->missed = missed;
      look->element = link->name;
    }
  return TRUE;
}

/* More work than this is no step by step, but a chatter without end. */
#define MOST_ASKED 3000

static gboolean
count_work (gpointer data, double part)
{
  Look *look = data;

  (void) part;
  return ++look->asked < MOST_ASKED;
}

/* Returns the ratio of the least to the largest singular value of the rows of all constraints and contacts, by inverse masses.
 * Contacts may be as far apart as they move in a step. */
#define TOUCHES 0.03
static double
least_singular_value (const IfbamModel *model, const double *position)
{
  const guint n = (guint) model->n_free, m = model->unbatched_links->len;
  g_autofree double *rows = g_new0 (double, m *n + 1), *values = g_new (double, m + 1);
  g_autofree double *superb = g_new (double, m + 1);
  guint used = 0;

  for (guint i = 0; i < m; i++)
    {
      const IfbamLink *link = &g_array_index (model->unbatched_links, IfbamLink, i);
      const IfbamConstraint relation = relation_of (link);
      double row[IFBAM_MAX_PORTS], size = 0, *into = rows + used * n;
      const double delta = measure (link, position, row);

      if (relation.kind != IFBAM_CONSTRAINT_FIXED
          && (relation.kind != IFBAM_CONSTRAINT_CONTACT || delta < relation.gap - TOUCHES))
        continue;
      for (guint e = 0; e < link->n_ports; e++)
        if (link->node[e] < n)
          into[link->node[e]] += row[e] * sqrt (model->inverse_inertia[link->node[e]]);
      for (guint k = 0; k < n; k++)
        size += into[k] * into[k];
      for (guint k = 0; k < n && size > 0; k++)
        into[k] /= sqrt (size);
      used++;
    }
  if (used > n)
    return 0;
  if (used == 0)
    return 1;
  assert_int_equal (LAPACKE_dgesvd (LAPACK_ROW_MAJOR, 'N', 'N', (int) used, (int) n, rows, (int) n,
                                    values, NULL, 1, NULL, 1, superb),
                    0);
  return values[used - 1] / values[0];
}

static gboolean
run_mechanism (const char *draft, const char *scheme, double step, Look *look, double *least,
               GError **error)
{
  g_autofree char *text =
      g_strdup_printf ("[network]\nformat = 1\nscheme = %s\nstep = %.17g\nduration = %g\n"
                       "record = network.energy, network.dissipated, network.supplied\n%s",
                       scheme, step, DURATION, draft);
  g_autoptr (IfbamNetwork) network = text_network_try (text, NULL, error);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autofree double *position = NULL;
  IfbamRunTask run = { .row = look_at_row, .progress = count_work, .data = look };
  gboolean fine;

  *least = 1;
  if (network != NULL)
    model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, error);
  if (model == NULL)
    return FALSE;
  for (gsize i = 0; i < model->n_nodes; i++)
    {
      const IfbamSignal signal = { IFBAM_SIGNAL_POSITION, FALSE, i };

      g_array_append_val (signals->signals, signal);
    }
  position = g_new0 (double, model->n_nodes + 1);
  *look = (Look){ .model = model, .position = position };
  fine = ifbam_run (&run, model, signals, &spec, error);
  if (!fine)
    *least = least_singular_value (model, position);
  if (!(look->missed < KEPT))
    fail_msg ("%s, %g s: %s is missed by %g\n%s", scheme, step, look->element, look->missed, draft);
  return fine;
}

/* Of a seed that was a fault once; it must not stop. */
static Look
look_at_seed (guint seed, double step)
{
  g_autofree char *draft = draft_mechanism (seed);
  g_autoptr (GError) error = NULL;
  Look look = { 0 };
  double least;

  if (!run_mechanism (draft, "rk4", step, &look, &least, &error))
    fail_msg ("seed %u: %s", seed, error->message);
  return look;
}

/* Frictions prevented by other constraints, whose rows are redundant up to rounding, or by force directions of sliding: they
 * once started and stuck again in each event. */
static void
test_held_by_others (void **state)
{
  static const guint seeds[] = { 218, 605, 752 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    {
      const Look look = look_at_seed (seeds[i], steps[0]);

      print_message ("# seed %u: asked %u times\n", seeds[i], look.asked);
      assert_true (look.asked < MOST_ASKED / 4);
    }
}

/* A body's end hits with friction while a taut string has opened its contact: the energy balance includes all of it. */
static void
test_hits_of_what_is_apart (void **state)
{
  static const guint seeds[] = { 55, 71, 183 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    {
      const Look look = look_at_seed (seeds[i], steps[1]);

      assert_true (look.gap < 1e-10 * look.largest);
    }
}

/* A hinge with friction in a loop with a redundant rod: its load is shared by least norm in each stage of a step, though the rod
 * is redundant only nearly there. Friction once had a part of rounding: the balance was off by 7e-4 and 4e-2. */
static void
test_pins_of_redundant_loops (void **state)
{
  static const struct
  {
    guint seed;
    const char *scheme;
    double worst;
  } cases[] = { { 238, "rk4", 1e-9 },      { 318, "rk4", 1e-9 },      { 318, "verlet", 1e-5 },
                { 238, "averaged", 1e-4 }, { 318, "averaged", 2e-3 }, { 318, "original", 2e-3 } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *draft = draft_rich_mechanism (cases[i].seed);
      g_autoptr (GError) error = NULL;
      Look look = { 0 };
      double least;

      if (!run_mechanism (draft, cases[i].scheme, steps[1], &look, &least, &error))
        fail_msg ("seed %u: %s", cases[i].seed, error->message);
      if (!(look.gap < cases[i].worst * look.largest))
        fail_msg ("seed %u, %s: account off by %g", cases[i].seed, cases[i].scheme,
                  look.gap / look.largest);
    }
}

static int
compare_numbers (const void *a, const void *b)
{
  const double one = *(const double *) a, other = *(const double *) b;

  return one < other ? -1 : one > other;
}

/* Bodies at a stop have nearly redundant rows. */
#define SINGULAR 0.05

static void
test_random_mechanisms (void **state)
{
  guint failed = 0, open = 0, n_events = 0, n_schemes = 0;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      if (only_scheme != NULL && !g_str_equal (only_scheme, schemes[s].name))
        continue;
      n_schemes++;
      g_autofree double *first = g_new (double, n_seeds), *second = g_new (double, n_seeds);
      double *gap[] = { first, second }, missed = 0;
      guint n = 0;

      for (guint i = 0; i < n_seeds; i++)
        {
          g_autofree char *what = g_strdup_printf ("seed %u, %s", first_seed + i, schemes[s].name);
          g_autofree char *draft = draft_rich_mechanism (first_seed + i);
          g_autoptr (GError) error = NULL;
          double least;

          for (guint k = 0; k < 2 && error == NULL; k++)
            {
              Look look = { 0 };

              if (!run_mechanism (draft, schemes[s].name, steps[k], &look, &least, &error))
                continue;
              missed = fmax (missed, look.missed);
              gap[k][n] = look.gap / fmax (look.largest, 1e-3);
              if (k > 0 && !(gap[k][n] <= schemes[s].worst))
                {
                  print_message ("# %s: account %g, %g\n", what, gap[0][n], gap[1][n]);
                  open++;
                }
            }
          if (error != NULL)
            {
              print_message ("# %s: %s; singular value %.1e\n", what, error->message, least);
              assert_true (least < SINGULAR);
              failed++;
              continue;
            }
          else
            {
              g_autoptr (IfbamNetwork) network = text_network_printf (
                  "[network]\nformat = 1\nscheme = %s\nstep = %.17g\nduration = %g\n%s",
                  schemes[s].name, steps[0], DURATION, draft);

              n_events += compare_by_hand (network, (guint64) (0.6 * DURATION / steps[0]), what);
              n++;
            }
        }
      for (guint k = 0; k < 2; k++)
        qsort (gap[k], n, sizeof (double), compare_numbers);
      if (n > 0)
        print_message (
            "# %s: rows to %.1e; account to %.1e, %.1e in the median, %.1e, %.1e at worst\n",
            schemes[s].name, missed, gap[0][n / 2], gap[1][n / 2], gap[0][n - 1], gap[1][n - 1]);
      if (n >= 20)
        assert_true (gap[1][n / 2] <= gap[0][n / 2] / schemes[s].gain);
    }
  print_message ("# %u of %u stopped; %u events\n", failed, n_schemes * n_seeds, n_events);
  assert_true (n_schemes > 0);
  assert_int_equal (open, 0);
  /* One in twenty; of few, as chance has it, one mechanism more that stops under all schemes. */
  assert_true (20 * failed <= n_schemes * (n_seeds + (n_seeds < 100 ? 20 : 0)));
}

int
main (int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_random_mechanisms),
    cmocka_unit_test (test_held_by_others),
    cmocka_unit_test (test_hits_of_what_is_apart),
    cmocka_unit_test (test_pins_of_redundant_loops),
  };

  n_seeds = wanted_seeds (n_seeds);
  if (argc >= 3)
    {
      first_seed = (guint) atoi (argv[1]);
      n_seeds = (guint) MAX (atoi (argv[2]), 1);
      only_scheme = argv[3];
    }
  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
