/* test-heaps.c: balls and masses that touch, or all but touch: infinitely many hits are one, and nothing sinks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "draft.h"
#include "event-run.h"
#include "event/event.h"
#include "fixture.h"

#define RADIUS DRAFT_RADIUS

/* How many instants events were told of. */
static guint
count_instants (const EventRun *run)
{
  guint n = 0;
  double last = NAN;

  for (guint i = 0; i < run->events->len; i++)
    {
      const IfbamEvent *event = &g_array_index (run->events, IfbamEvent, i);

      n += event->time != last;
      last = event->time;
    }
  return n;
}

/* Returns the largest residual of the energy balance, relative to the initial energy. */
static double
ledger_error (const EventRun *run)
{
  gsize n;
  const double *energy = event_run_values (run, "network.energy", &n);
  const double *lost = event_run_values (run, "network.dissipated", NULL);
  double worst = 0;

  for (gsize i = 0; i < n; i++)
    worst = fmax (worst, fabs (energy[i] + lost[i] - energy[0]) / fabs (energy[0]));
  return worst;
}

/* How deep anything has been in anything. */
static double
overlap (const EventRun *run)
{
  const char *const *signals = ifbam_course_get_signals (run->course);
  double worst = 0;

  for (guint s = 0; signals[s] != NULL; s++)
    if (g_str_has_suffix (signals[s], ".compression"))
      {
        gsize n;
        const double *compression = event_run_values (run, signals[s], &n);

        for (gsize i = 0; i < n; i++)
          worst = fmax (worst, compression[i]);
      }
  return worst;
}

/* A heap whose rows lie a little above each other falls together. Its contacts close at an instant for a row, or
 * at one for all, not at thousands in which each wakes its neighbours. */
static void
test_heaps_come_to_rest_in_few_instants (void **state)
{
  static const struct
  {
    guint rows;
    double gap, restitution;
    guint most;
  } cases[] = {
    { 3, 1e-6, 0.5, 60 }, { 4, 1e-9, 0, 20 },    { 4, 1e-9, 0.5, 20 },  { 6, 1e-9, 0.5, 20 },
    { 6, 1e-6, 0, 300 },  { 6, 1e-6, 0.5, 300 }, { 10, 1e-9, 0.5, 20 }, { 10, 0, 0.5, 20 },
  };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      const guint rows = cases[k].rows;
      g_autofree char *text = draft_heap (rows, rows, cases[k].gap, cases[k].restitution);
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = rk4\nstep = 1 ms\nduration = 20 ms\n"
                     "record = *.compression, network.energy, network.dissipated\n%s",
                     text);
      const guint instants = count_instants (run);
      const double deep = overlap (run), balance = ledger_error (run);

      print_message ("# %u rows, gap %g, e = %g: %u instants, overlap %.2g m, ledger %.2g\n", rows,
                     cases[k].gap, cases[k].restitution, instants, deep, balance);
      assert_int_equal (run->held, 0);
      assert_true (instants <= cases[k].most);
      assert_true (deep <= 16 * 2.3e-16 * 2 * RADIUS * rows);
      assert_true (balance < 1e-9);
    }
}

/* A hundred balls, one above another, 1 nm apart, without bounce: the lowest lands; the next ones are at a
 * visible distance, or rest with it. */
static void
test_a_column_comes_to_rest (void **state)
{
  g_autoptr (GString) text = g_string_new ("[surface g]\n[gravity w]\non = b0");
  g_autoptr (EventRun) run = NULL;

  (void) state;
  for (guint i = 1; i < 100; i++)
    g_string_append_printf (text, ", b%u", i);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < 100; i++)
    g_string_append_printf (text,
                            "[ball b%u]\nmass = 1\nradius = %g\ny = %.17g\n"
                            "[bounce h%u]\nrestitution = 0\nbetween = b%u, %c%.0u\n",
                            i, RADIUS, RADIUS + i * (2 * RADIUS + 1e-9), i, i, i == 0 ? 'g' : 'b',
                            i == 0 ? 0 : i - 1);
  g_string_replace (text, "between = b1, b\n", "between = b1, b0\n", 1);
  run = event_run (0,
                   "[network]\nscheme = rk4\nstep = 1 ms\nduration = 20 ms\n"
                   "record = *.compression, b99.y, network.energy, network.dissipated\n%s",
                   text->str);
  assert_int_equal (run->held, 0);
  assert_true (count_instants (run) <= 100);
  assert_true (overlap (run) <= 16 * 2.3e-16 * 10);
  assert_true (ledger_error (run) < 1e-12);
  /* It stands, and hardly lower than it stood. */
  assert_true (fabs (event_run_last (run, "b99.y") - event_run_first (run, "b99.y")) < 2e-7);
}

/* Masses in a row that touch and do not bounce are hit: one instant, in which each takes its part. Where they all
 * start from 0, their displacement in a step determines the rounding threshold. */
static void
test_a_plastic_row_is_hit_once (void **state)
{
  g_autoptr (GString) text = g_string_new ("[mass b0]\nmass = 1\nvelocity = 1\n");
  g_autoptr (EventRun) run = NULL;

  (void) state;
  for (guint i = 1; i < 60; i++)
    g_string_append_printf (
        text, "[mass b%u]\nmass = 1\n[impact i%u]\nrestitution = 0\nbetween = b%u, b%u\n", i, i,
        i - 1, i);
  run = event_run (0,
                   "[network]\nscheme = rk4\nstep = 0.1\nduration = 1\n"
                   "record = b0.velocity, b59.velocity, *.compression\n%s",
                   text->str);
  assert_int_equal (run->held, 0);
  assert_int_equal (count_instants (run), 1);
  assert_int_equal (event_run_count (run, NULL, "impact"), 59);
  assert_int_equal (run->events->len, 59);
  assert_true (fabs (event_run_last (run, "b0.velocity") - 1 / 60.0) < 1e-15);
  assert_true (fabs (event_run_last (run, "b59.velocity") - 1 / 60.0) < 1e-15);
  assert_true (overlap (run) <= 16 * 2.3e-16);
}

static guint steps, factorings;

void __real_ifbam_event_step (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                              double from, double h, const double *x, const double *v, double *x1,
                              double *v1, gboolean account);
void __wrap_ifbam_event_step (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                              double from, double h, const double *x, const double *v, double *x1,
                              double *v1, gboolean account);
void
__wrap_ifbam_event_step (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                         double from, double h, const double *x, const double *v, double *x1,
                         double *v1, gboolean account)
{
  steps++;
  __real_ifbam_event_step (self, island, scheme, from, h, x, v, x1, v1, account);
}

uint32_t __real_ifbam_solver_factor (IfbamSolver *self, const double *shift, double tolerance);
uint32_t __wrap_ifbam_solver_factor (IfbamSolver *self, const double *shift, double tolerance);

uint32_t
__wrap_ifbam_solver_factor (IfbamSolver *self, const double *shift, double tolerance)
{
  factorings++;
  return __real_ifbam_solver_factor (self, shift, tolerance);
}

/* A hundred balls and more lie on each other with friction, and some begin to slide. The active set is found for all
 * frictions at once, and contacts of one heap that close at one time share the steps of this search. */
static void
assert_few_systems (guint rows, double duration, guint most_steps, guint most_factorings)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *heap = draft_heap (rows, rows, 0, 0.5);
  g_autoptr (EventRun) run = NULL;
  guint instants;

  g_string_append (text, heap);
  g_string_replace (text, "restitution = ", "friction = 0.3\nrestitution = ", 0);
  steps = factorings = 0;
  run = event_run (0,
                   "[network]\nscheme = rk4\nstep = 1 ms\nduration = %g\n"
                   "record = *.compression, network.energy, network.dissipated\n%s",
                   duration, text->str);
  instants = count_instants (run);
  print_message ("# %u balls: %u instants, %u steps, %u factorings; overlap %.2g m, "
                 "ledger %.2g\n",
                 rows * rows, instants, steps, factorings, overlap (run), ledger_error (run));
  assert_int_equal (run->held, 0);
  assert_true (overlap (run) < 1e-12);
  assert_true (ledger_error (run) < 1e-12);
  assert_true (instants <= 20);
  assert_true (steps <= most_steps);
  assert_true (factorings <= most_factorings);
}

static void
test_a_heap_with_friction_takes_few_systems (void **state)
{
  (void) state;
  assert_few_systems (10, 0.02, 500, 8000);
}

static void
test_a_large_heap_with_friction_takes_few_systems (void **state)
{
  (void) state;
  assert_few_systems (12, 0.001, 700, 12000);
}

/* Objects and compiled engine have equal bits. */
static void
assert_objects_agree (EventRun *compiled, const char *text)
{
  g_autoptr (EventRun) objects = event_run (EVENT_RUN_OBJECTS, "%s", text);

  assert_int_equal (compiled->events->len, objects->events->len);
  for (const char *const *signal = ifbam_course_get_signals (compiled->course); *signal != NULL;
       signal++)
    {
      gsize n;
      const double *one = event_run_values (compiled, *signal, &n);

      assert_memory_equal (one, event_run_values (objects, *signal, NULL), n * sizeof (double));
    }
}

static void
test_objects_agree_on_a_heap (void **state)
{
  g_autofree char *heap = draft_heap (3, 3, 1e-6, 0.5);
  g_autofree char *text = g_strconcat ("[network]\nscheme = rk4\nstep = 1 ms\nduration = 20 ms\n"
                                       "record = *.x, *.y, *.force\n",
                                       heap, NULL);
  g_autoptr (EventRun) compiled = event_run (0, "%s", text);

  (void) state;
  assert_objects_agree (compiled, text);
}

/* Balls on balls, of which the lowest lie on the ground: its mass, x and y. */
typedef struct
{
  double mass, x, y;
} Placed;

/* A heap of rows * (rows + 1) / 2 balls falls with friction. Dissipation never decreases, no ball penetrates another, and the
 * energy balance closes. With suspended contacts objects have equal bits; the impulses of a part of a step give some balls
 * at most the energy of a fall through a step, until they meet again. */
static void
assert_falls (const char *name, guint rows, double friction, const Placed *balls)
{
  g_autoptr (GString) text = g_string_new ("[surface ground]\n");
  g_autoptr (GString) all = g_string_new (NULL);
  g_autoptr (GString) draft = g_string_new (NULL);
  g_autoptr (EventRun) run = NULL;
  const double *lost;
  double lent = 0;
  gsize n_rows;
  guint n = 0;

  for (guint l = 0; l < rows; l++)
    for (guint i = 0; i + l < rows; i++, balls++)
      {
        lent += 0.5 * balls->mass * (9.81 * 1e-3) * (9.81 * 1e-3);
        g_string_append_printf (text,
                                "[ball b%u-%u]\nmass = %g\nradius = 0.1\nx = %.17g\ny = %.17g\n", l,
                                i, balls->mass, balls->x, balls->y);
        g_string_append_printf (all, "%sb%u-%u", n == 0 ? "" : ", ", l, i);
        for (guint way = 0; way < 4; way++)
          if (way == 0 ? l == 0 : way == 1 ? i + l < rows - 1 : l > 0)
            {
              g_string_append_printf (
                  text, "[bounce c%u]\nrestitution = 0\nfriction = %g\nbetween = ", ++n, friction);
              if (way == 0)
                g_string_append_printf (text, "b%u-%u, ground\n", l, i);
              else if (way == 1)
                g_string_append_printf (text, "b%u-%u, b%u-%u\n", l, i, l, i + 1);
              else
                g_string_append_printf (text, "b%u-%u, b%u-%u\n", l - 1, i + way - 2, l, i);
            }
      }
  g_string_append_printf (draft,
                          "[network]\nscheme = rk4\nstep = 1 ms\nduration = 300 ms\n"
                          "record = network.energy, network.dissipated, network.kinetic, "
                          "*.compression\n%s[gravity g]\non = %s\n",
                          text->str, all->str);
  run = event_run (0, "%s", draft->str);
  print_message ("# %s, %u rows, friction %g: overlap %.2g m, ledger %.2g, %.2g J of motion\n",
                 name, rows, friction, overlap (run), ledger_error (run),
                 event_run_last (run, "network.kinetic"));
  assert_true (overlap (run) < 1e-10);
  assert_true (ledger_error (run) < 1e-9);
  lost = event_run_values (run, "network.dissipated", &n_rows);
  for (gsize i = 1; i < n_rows; i++)
    assert_true (lost[i] >= lost[i - 1] - 1e-12 * lost[n_rows - 1] - (run->held > 0 ? lent : 0));
  if (run->held > 0)
    assert_objects_agree (run, draft->str);
}

/* Fifteen balls and more fall on each other with friction, and come to rest, with many sets of sliding and sticking
 * contacts. */
static void
test_heaps_with_friction_settle (void **state)
{
  static const struct
  {
    guint rows;
    double friction;
    guint seed;
  } heaps[] = { { 5, 0.3, 1 }, { 5, 0.3, 2 }, { 5, 0.4, 1 }, { 5, 0.4, 2 },
                { 5, 0.5, 1 }, { 5, 0.6, 1 }, { 5, 0.6, 2 }, { 5, 0.7, 1 },
                { 5, 0.7, 2 }, { 5, 0.8, 1 }, { 5, 0.8, 2 }, { 6, 0.5, 1 } };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (heaps); k++)
    {
      g_autofree char *name = g_strdup_printf ("%u", heaps[k].seed);
      Placed balls[21];
      guint n = 0;

      for (guint l = 0; l < heaps[k].rows; l++)
        for (guint i = 0; i + l < heaps[k].rows; i++)
          balls[n++] = (Placed){ 1, 0.2 * i + 0.1 * l,
                                 0.1 + 0.1752050807568877 * l
                                     + 1e-3 * ((2 * i + 3 * l + heaps[k].seed * (i + 1)) % 5) };
      assert_falls (name, heaps[k].rows, heaps[k].friction, balls);
    }
}

/* Neighbours have gone through other instants than a contact that closes: where it is at its start is known to fewer digits on
 * their courses than by a step. */
static void
test_a_heap_sees_contacts_from_neighbours_courses (void **state)
{
  static const Placed balls[] = {
    { 1, -0.000389139526627, 0.101584029423 }, { 1, 0.201618642428, 0.101116428079 },
    { 1, 0.403361551087, 0.101405094353 },     { 1, 0.604308700139, 0.101943626031 },
    { 1, 0.806054522403, 0.1011962573 },       { 1, 0.100375257951, 0.278771024124 },
    { 1, 0.3024531589, 0.277755981816 },       { 1, 0.50392094058, 0.277738113326 },
    { 1, 0.705249344042, 0.278125766258 },     { 1, 0.201403397429, 0.455189310362 },
    { 1, 0.403243994214, 0.454946585774 },     { 2, 0.604748054932, 0.455601156613 },
    { 2, 0.302425914537, 0.631947403953 },     { 1, 0.504061167102, 0.631680146068 },
    { 2, 0.403310735102, 0.808719566638 },
  };

  (void) state;
  assert_falls ("at random", 5, 0.5, balls);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_heaps_come_to_rest_in_few_instants),
    cmocka_unit_test (test_a_column_comes_to_rest),
    cmocka_unit_test (test_a_plastic_row_is_hit_once),
    cmocka_unit_test (test_a_heap_with_friction_takes_few_systems),
    cmocka_unit_test (test_a_large_heap_with_friction_takes_few_systems),
    cmocka_unit_test (test_objects_agree_on_a_heap),
    cmocka_unit_test (test_heaps_with_friction_settle),
    cmocka_unit_test (test_a_heap_sees_contacts_from_neighbours_courses),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
