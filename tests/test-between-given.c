/* test-between-given.c: links with modes between two nodes of given motion, which no reaction changes
 *
 * Exact values are closed forms of the motion x = A sin (2 pi f t + phase) and of pulses: lengths of paths, areas of loops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "by-hand.h"
#include "event-run.h"
#include "fixture.h"

/* The last ones have a tolerance. */
static const char *const schemes[] = { "original",
                                       "averaged",
                                       "euler",
                                       "symplectic-euler",
                                       "verlet",
                                       "rk4",
                                       "dopri5",
                                       "implicit",
                                       "implicit-euler",
                                       "tr-bdf2",
                                       "esdirk4",
                                       "dopri5\ntolerance = 1e-8",
                                       "esdirk4\ntolerance = 1e-8" };

#define ENERGIES "network.energy, network.dissipated, network.supplied"
#define SINE     "[drive a]\namplitude = 10 mm\nfrequency = 1 Hz\nphase = 30 deg\n[ground w]\n"
#define PULSE                                                                                      \
  "[drive a]\nwave = pulse\namplitude = 10 mm\nat = 0.1 s\nrise = 0.1 s\nover = 0.5 s\n"           \
  "[ground w]\n"
#define FRICTION "[friction k]\ncoulomb = 5 N\nbreakaway = 6 N\nbetween = w, a\n"
#define PLASTIC  "[plastic-spring k]\nstiffness = 1 kN/m\nyield = 4 N\nratio = 0.1\nbetween = w, a\n"

static char *
network_text (const char *scheme, double until, const char *record, const char *groups)
{
  return g_strdup_printf ("[network]\nscheme = %s\nstep = 1 ms\nduration = %.17g\n"
                          "record = %s\n%s",
                          scheme, until, record, groups);
}

static EventRun *
run_under (const char *scheme, double until, const char *record, const char *groups)
{
  g_autofree char *text = network_text (scheme, until, record, groups);

  return event_run (0, "%s", text);
}

/* A friction between given motions was refused. It loses 5 N times the path, 40 mm per period, and turns with the motion. */
static void
test_friction_between_given (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run =
          run_under (schemes[s], 1, "k.force, a.force, " ENERGIES, SINE FRICTION);
      gsize n;
      const double *force = event_run_values (run, "k.force", &n);

      assert_int_equal (event_run_count (run, "k", NULL), 2);
      for (guint i = 0; i < 2; i++)
        assert_near (event_run_event (run, "k", "slip", i)->time, i == 0 ? 1.0 / 6 : 2.0 / 3, 1e-13,
                     schemes[s]);
      for (gsize i = 0; i < n; i++)
        assert_near (force[i], i > 166 && i < 667 ? 5 : -5, 0, schemes[s]);
      assert_near (event_run_last (run, "a.force"), 5, 0, schemes[s]);
      assert_near (event_run_last (run, "network.dissipated"), 0.2, 1e-6, schemes[s]);
      assert_near (event_run_ledger_gap (run), 0, 1e-15, schemes[s]);
    }
}

/* At relative rest the reaction is not determined: the one that is reported is 0. */
static void
test_friction_at_rest (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run = run_under (schemes[s], 1, "k.force, " ENERGIES, PULSE FRICTION);
      g_autoptr (EventRun) both =
          run_under (schemes[s], 1, "k.force, " ENERGIES,
                     "[drive a]\namplitude = 1 cm\nfrequency = 1 Hz\n[drive w]\namplitude = 1 cm\n"
                     "frequency = 1 Hz\n" FRICTION);
      gsize n;
      const double *force = event_run_values (run, "k.force", &n);

      for (gsize i = 0; i < n; i++)
        if (i % 100 != 0)
          assert_near (force[i],
                       i > 100 && i < 200   ? -5
                       : i > 600 && i < 700 ? 5
                                            : 0,
                       0, schemes[s]);
      assert_int_equal (event_run_count (run, "k", "slip"), 2);
      assert_int_equal (event_run_count (run, "k", "stick"), 2);
      assert_near (event_run_last (run, "network.dissipated"), 5 * 0.02, 1e-14, schemes[s]);
      assert_near (event_run_ledger_gap (run), 0, 1e-15, schemes[s]);
      assert_int_equal (both->events->len, 0);
      assert_near (event_run_last (both, "network.dissipated"), 0, 0, schemes[s]);
    }
}

/* Loops of a plastic spring (Prager 1949): it yields by 1 + 12 + 7 mm in the first period, then by 24 mm per period, at
 * (1 - r) 4 N beside the spring r k. Corners of a motion end the yielding, too, after a pause. */
static void
test_plastic_spring_between_given (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      /* A step of the flip-flop schemes and of these of first order is 1/1000 of a period. */
      const gboolean rough = s < 4 || g_str_equal (schemes[s], "implicit-euler");
      const double tolerance = rough ? 1e-2 : 1e-5;
      g_autoptr (EventRun) sine =
          run_under (schemes[s], 2, "k.force, k.dissipated, " ENERGIES, SINE PLASTIC);
      g_autoptr (EventRun) pulse =
          run_under (schemes[s], 1, "k.force, k.dissipated, " ENERGIES, PULSE PLASTIC);

      assert_near (event_run_last (sine, "k.force"), -(0.1 * 5 + 0.9 * 4), tolerance, schemes[s]);
      assert_near (event_run_last (sine, "k.dissipated"), 0.9 * 4 * (0.02 + 0.024),
                   tolerance * 0.16, schemes[s]);
      assert_near (event_run_last (pulse, "k.force"), 0.9 * 4, tolerance, schemes[s]);
      assert_near (event_run_last (pulse, "k.dissipated"), 0.9 * 4 * (0.006 + 0.002),
                   rough ? 2e-3 : 1e-12, schemes[s]);
      assert_near (event_run_ledger_gap (sine), 0, rough ? 2e-3 : 1e-5, schemes[s]);
    }
}

/* Links with a force in all modes, and of frictions with another normal force; what each loses [J]. The brake is pressed by a
 * mass that stops with 0.25 N s, at a slip of 2.048 rad/s. */
static const struct
{
  const char *groups;
  double lost, tolerance;
} others[] = {
  /* In: the integral of k d + c v over 8 mm; out: of k d - c v, which does not pull in the last 1 mm (v = 0.1 m/s). */
  { PULSE "[contact k]\nstiffness = 1 kN/m\ndamping = 10 N s/m\ngap = 2 mm\nbetween = a, w\n",
    0.032 + 0.008 - (0.0315 - 0.007), 1e-6 },
  { SINE "[backlash k]\nstiffness = 1 kN/m\nplay = 4 mm\nbetween = w, a\n", 0, 1e-12 },
  { SINE "[limiter k]\nstiffness = 1 kN/m\nlower = -4 N\nupper = 4 N\nbetween = w, a\n", 0, 1e-12 },
  { SINE "[hysteresis k]\nlower = -2 mm\nupper = 2 mm\nlow = 3 N\nhigh = -3 N\nbetween = a, w\n",
    6 * 0.004, 1e-12 },
  { "[drive a]\namplitude = 10 mrad\nfrequency = 1 Hz\n[ground w]\n"
    "[torsion-friction k]\ncoulomb = 2 N m\nbetween = a, w\n",
    2 * 0.04, 1e-6 },
  { SINE "[pressed-friction k]\nfriction = 0.5\nnormal = 10 N\nbetween = a, w\n", 5 * 0.04, 1e-6 },
  { SINE "[mass m]\nmass = 1 kg\nposition = 1 mm\n[spring n]\nstiffness = 20 kN/m\n"
         "between = m, w\n[pressed-friction k]\nfriction = 0.5\nnormal-of = n\nbetween = w, a\n",
    0.1271, 5e-3 },
  { "[voltage-source a]\namplitude = 10 V\nfrequency = 1 Hz\n[ground w]\n"
    "[switch k]\nresistance = 2 ohm\ntoggle = 250 ms, 500 ms\nbetween = a, w\n",
    100 / 2 * 0.125, 1e-4 },
  { "[voltage-source a]\namplitude = 10 V\nfrequency = 1 Hz\n[ground w]\n"
    "[diode k]\nresistance = 2 ohm\nbetween = a, w\n",
    100 / 2 * 0.25, 1e-3 },
  { SINE "[mass p]\nmass = 1 kg\n[force f]\nvalue = 10 N\non = p\n"
         "[rail-brake k]\nfriction = 0.5\nbetween = a, w, p\n",
    5 * 0.04, 1e-6 },
};

static void
test_others_between_given (void **state)
{
  static const char *const by[] = { "averaged", "verlet", "rk4", "implicit", "esdirk4" };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    for (guint s = 0; s < G_N_ELEMENTS (by); s++)
      {
        g_autoptr (EventRun) run = run_under (by[s], 1, ENERGIES, others[i].groups);

        assert_near (event_run_last (run, "network.dissipated"), others[i].lost,
                     others[i].tolerance, others[i].groups);
        assert_near (event_run_ledger_gap (run), 0, 2e-3, others[i].groups);
      }
}

/* A pad that stops hits a slide of given motion: its friction takes mu times the impulse. */
static void
test_impact_at_given (void **state)
{
  g_autoptr (EventRun) run = run_under (
      "rk4", 0.5, "k.friction.dissipated, " ENERGIES,
      "[drive a]\nvelocity = 2 m/s\n[ground w]\n[mass p]\nmass = 1 kg\nvelocity = 0.25 m/s\n"
      "[rail-brake k]\nfriction = 0.4\ngap = 10 mm\nbetween = a, w, p\n");

  (void) state;
  assert_near (event_run_event (run, "k.friction", "rub", 0)->impulse, 0.4 * 0.25, 1e-15, "rub");
  assert_near (event_run_last (run, "k.friction.dissipated"), 0.4 * 0.25 * 2, 1e-14, "work");
  assert_near (event_run_ledger_gap (run), 0, 1e-14, "account");
}

/* Objects and columns have the same bits, also beside a long chain, and by hand. */
static void
test_engines_between_given (void **state)
{
  static const char *const pairs[] = {
    SINE FRICTION, PULSE FRICTION, SINE PLASTIC, PULSE PLASTIC,
    SINE FRICTION "[chain c]\ncount = 200\nmass = 1 kg\nstiffness = 400 N/m\nfrom = w\nto = a\n"
  };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
        {
          g_autofree char *text = network_text (
              schemes[s], 0.7, "k.force, k.mode, k.dissipated, a.force, " ENERGIES, pairs[i]);
          g_autoptr (IfbamNetwork) network =
              strchr (schemes[s], '\n') == NULL ? text_network_printf ("%s", text) : NULL;

          event_run_assert_same_bits (text);
          if (network != NULL && i < 4)
            assert_true (compare_by_hand (network, 600, schemes[s]) > 0);
        }
      for (guint i = 0; i < G_N_ELEMENTS (others); i++)
        {
          g_autofree char *text =
              network_text (schemes[s], 0.4, "k.force, k.mode, " ENERGIES, others[i].groups);

          event_run_assert_same_bits (text);
        }
    }
}

/* Refused where a reaction would have to change given motions. */
static void
test_reactions_between_given (void **state)
{
  static const char *const refused[] = { "[impact k]\nbetween = a, w\n",
                                         "[clutch k]\nbetween = a, w\n",
                                         "[dog-clutch k]\nbetween = a, w\n",
                                         "[ratio k]\nratio = 2\nbetween = a, w\n" };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *text = network_text ("rk4", 1, "a.position", SINE);
      g_autofree char *all = g_strconcat (text, refused[i], NULL);

      text_refused (all, "k] between: both ends have prescribed motions");
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_friction_between_given),
    cmocka_unit_test (test_friction_at_rest),
    cmocka_unit_test (test_plastic_spring_between_given),
    cmocka_unit_test (test_others_between_given),
    cmocka_unit_test (test_impact_at_given),
    cmocka_unit_test (test_engines_between_given),
    cmocka_unit_test (test_reactions_between_given),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
