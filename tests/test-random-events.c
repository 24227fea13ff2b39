/* test-random-events.c: random networks of contacts, friction, springs, shaken walls and diodes: every run
 * ends, nothing overlaps, no diode lets through, the account closes
 *
 *   test-random-events [FIRST COUNT]     other seeds, or more of them
 *   TEST_SEEDS=COUNT test-random-events  fewer of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "draft.h"
#include "event-run.h"
#include "fixture.h"

static guint first_seed = 1, n_seeds = 40;

static double
largest (const double *values, gsize n, double most)
{
  for (gsize i = 0; i < n; i++)
    most = fmax (most, fabs (values[i]));
  return most;
}

/* Returns the residual of the energy balance, relative to the largest energy. */
static double
ledger_error (const EventRun *run)
{
  gsize n;
  const double *energy = event_run_values (run, "network.energy", &n);
  const double *dissipated = event_run_values (run, "network.dissipated", &n);
  const double *supplied = event_run_values (run, "network.supplied", &n);
  const double scale = largest (supplied, n, largest (dissipated, n, largest (energy, n, 1e-3)));
  double worst = 0;

  for (gsize i = 0; i < n; i++)
    worst = fmax (worst, fabs (energy[i] + dissipated[i] - supplied[i] - energy[0] - dissipated[0]
                               + supplied[0]));
  return worst / scale;
}

/* The largest that all nodes have of a quantity. */
static double
extent (const EventRun *run, const char *quantity)
{
  const char *const *signals = ifbam_course_get_signals (run->course);
  g_autofree char *end = g_strconcat (".", quantity, NULL);
  double most = 1e-9;

  for (gsize i = 0; signals[i] != NULL; i++)
    if (g_str_has_suffix (signals[i], end))
      {
        gsize n;
        const double *values = event_run_values (run, signals[i], &n);

        most = largest (values, n, most);
      }
  return most;
}

/* By how much a quantity of pairs' left ends is above that of the right ones, in units of the largest. */
static double
excess (const EventRun *run, const GArray *pairs, const char *quantity)
{
  double most = 0;

  for (guint p = 0; p < pairs->len; p++)
    {
      const DraftPair *pair = &g_array_index (pairs, DraftPair, p);
      g_autofree char *left_name = g_strdup_printf ("%s.%s", pair->left, quantity);
      g_autofree char *right_name = g_strdup_printf ("%s.%s", pair->right, quantity);
      gsize n;
      const double *left = event_run_values (run, left_name, &n);
      const double *right = event_run_values (run, right_name, &n);

      for (gsize i = 0; i < n; i++)
        most = fmax (most, left[i] - right[i]);
    }
  return most / extent (run, quantity);
}

static int
compare_numbers (const void *a, const void *b)
{
  const double one = *(const double *) a, other = *(const double *) b;

  return one < other ? -1 : one > other;
}

static void
test_random_networks (void **state)
{
  /* The account closes to the scheme's order: in the median the tenth step leaves so much less of an
   * error; at worst it is this at the shorter step h, in t = 2 s with omega up to 30 rad/s: exp (omega^2 h t) - 1
   * of euler, whose energy grows so, and with half the exponent that of original; ten times omega h of
   * symplectic-euler, (omega h)^2 of averaged and verlet. Flip-flop schemes record the mean of two rates, so
   * that energy released by a diode seems to be stored still. */
  static const struct
  {
    const char *scheme;
    double gain, worst, forward;
  } cases[] = {
    { "rk4", 2000, 1e-8, 1e-12 },   { "verlet", 40, 1e-3, 1e-12 },
    { "averaged", 40, 2e-2, 1e-2 }, { "symplectic-euler", 5, 0.3, 1e-12 },
    { "euler", 5, 5, 1e-12 },       { "original", 5, 1.5, 1e-2 },
  };
  static const char *const steps[] = { "10 ms", "1 ms" };

  (void) state;
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      double median[2];

      for (guint s = 0; s < 2; s++)
        {
          g_autofree double *errors = g_new (double, n_seeds);
          double over = 0, through = 0;

          for (guint i = 0; i < n_seeds; i++)
            {
              g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (DraftPair));
              g_autoptr (GArray) diodes = g_array_new (FALSE, FALSE, sizeof (DraftPair));
              g_autofree char *text = draft_row (first_seed + i, pairs);
              g_autofree char *circuit = draft_circuit (first_seed + i, diodes);
              g_autoptr (EventRun) run = event_run (
                  0,
                  "[network]\nformat = 1\nscheme = %s\nstep = %s\nduration = 2 s\n"
                  "record = *.position, %snetwork.energy, network.dissipated, "
                  "network.supplied\n%s%s",
                  cases[c].scheme, steps[s], *circuit ? "*.voltage, " : "", text, circuit);
              const double out = excess (run, pairs, "position") / DBL_EPSILON;
              const double forward = excess (run, diodes, "voltage");

              errors[i] = ledger_error (run);
              over = fmax (over, out);
              through = fmax (through, forward);
              if (out > 16 || forward > cases[c].forward
                  || !(errors[i] <= (s == 0 ? G_MAXDOUBLE : cases[c].worst)))
                {
                  g_printerr ("%s%s", text, circuit); /* cmocka shortens it */
                  fail_msg (
                      "seed %u, %s, %s: overlap %.17g ulp, forward voltage %.2g, account %.2g",
                      first_seed + i, cases[c].scheme, steps[s], out, forward, errors[i]);
                }
            }
          qsort (errors, n_seeds, sizeof (double), compare_numbers);
          median[s] = errors[n_seeds / 2];
          print_message (
              "# %s, %s: overlap %.2g ulp, forward voltage %.1e, account %.1e in the median, "
              "%.1e at worst\n",
              cases[c].scheme, steps[s], over, through, median[s], errors[n_seeds - 1]);
        }
      if (n_seeds >= 20)
        assert_true (median[1] <= median[0] / cases[c].gain);
    }
}

int
main (int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_random_networks),
  };

  n_seeds = wanted_seeds (n_seeds);
  if (argc == 3)
    {
      first_seed = (guint) atoi (argv[1]);
      n_seeds = (guint) MAX (atoi (argv[2]), 1);
    }
  return cmocka_run_group_tests (tests, NULL, NULL);
}
