/* test-strikes.c: impulses between two nodes, by themselves, by restitution and by energy, alone and together
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "event-run.h"
#include "fixture.h"
#include "noise.h"

#define NETWORK "[network]\nscheme = rk4\nstep = 1 ms\nduration = 10 ms\n"
#define LEDGER  "network.energy, network.dissipated, network.supplied"

static void
assert_ledger_closes (const EventRun *run, double tolerance)
{
  assert_number (event_run_ledger_gap (run), 0, tolerance);
}

/* 10 uF at 100 V with 22 uF: the transferred charge is (1 + e) 100 V times both in series. */
static void
test_charges (void **state)
{
  (void) state;
  for (double e = 0; e <= 1; e += 0.25)
    for (guint objects = 0; objects < 2; objects++)
      {
        g_autoptr (EventRun) run =
            event_run (objects ? EVENT_RUN_OBJECTS : 0,
                       NETWORK "record = c1.voltage, c2.voltage, " LEDGER
                               "\n[capacitor c1]\ncapacitance = 10 uF\nvoltage = 100 V\n"
                               "[capacitor c2]\ncapacitance = 22 uF\n"
                               "[impulse i]\nbetween = c1, c2\nrestitution = %g\nat = 5.5 ms\n",
                       e);
        const IfbamEvent *event = event_run_event (run, "i", "impulse", 0);
        const double charge = (1 + e) * 100 * 220e-6 / 32;

        assert_number (event->impulse, charge, 1e-18);
        assert_number (event->rate_before, -100, 0);
        assert_number (event->rate_after, e * 100, 1e-13);
        assert_number (event_run_last (run, "c1.voltage"), 100 - charge / 10e-6, 1e-13);
        assert_number (event_run_last (run, "c2.voltage"), charge / 22e-6, 1e-13);
        assert_number (event_run_last (run, "network.dissipated"), (1 - e * e) * 34.375e-3, 1e-16);
        assert_number (event_run_last (run, "network.supplied"), 0, 0);
        assert_ledger_closes (run, 1e-16);
      }
}

/* Of the two impulses with a given energy the separating one is applied, for approach and separation; without
 * energy approaching ends bounce. */
static void
test_apart (void **state)
{
  static const double rates[] = { -3, 0, 3 }, energies[] = { 0, 2, 50 };

  (void) state;
  for (guint r = 0; r < G_N_ELEMENTS (rates); r++)
    for (guint k = 0; k < G_N_ELEMENTS (energies); k++)
      {
        g_autoptr (EventRun) run =
            event_run (0,
                       NETWORK "record = a.velocity, b.velocity, " LEDGER
                               "\n[mass a]\nmass = 2 kg\nvelocity = 1 m/s\n[mass b]\nmass = 3 kg\n"
                               "velocity = %g m/s\n"
                               "[impulse i]\nbetween = a, b\nenergy = %g J\nat = 5 ms\n",
                       1 + rates[r], energies[k]);
        const double m = 2 * 3.0 / 5, f = rates[r];
        const double p = m * (sqrt (f * f + 2 * energies[k] / m) - f);

        assert_number (event_run_event (run, "i", "impulse", 0)->impulse, p, 1e-14);
        assert_number (event_run_last (run, "a.velocity"), 1 - p / 2, 1e-14);
        assert_number (event_run_last (run, "b.velocity"), 1 + f + p / 3, 1e-14);
        assert_number (event_run_last (run, "network.supplied"), energies[k], 1e-13);
        assert_ledger_closes (run, 1e-13);
      }
}

/* A node joined to an end by a switch takes its part, and a wall all of it. */
static void
test_ties (void **state)
{
  g_autoptr (EventRun) tied =
      event_run (0, NETWORK "record = c1.voltage, c2.voltage, c3.voltage, " LEDGER
                            "\n[capacitor c1]\ncapacitance = 4 uF\nvoltage = 100 V\n"
                            "[capacitor c3]\ncapacitance = 6 uF\nvoltage = 100 V\n"
                            "[switch s]\nstate = closed\nbetween = c1, c3\n"
                            "[capacitor c2]\ncapacitance = 22 uF\n"
                            "[impulse i]\nbetween = c1, c2\nrestitution = 0\nat = 5 ms\n");
  g_autoptr (EventRun) wall =
      event_run (0, NETWORK "record = m.velocity, " LEDGER
                            "\n[mass m]\nmass = 2 kg\nvelocity = -3 m/s\n[drive w]\n"
                            "velocity = 1 m/s\n"
                            "[impulse i]\nbetween = w, m\nrestitution = 0.5\nat = 5 ms\n");

  (void) state;
  assert_number (event_run_event (tied, "i", "impulse", 0)->impulse, 0.6875e-3, 1e-18);
  assert_number (event_run_event (tied, "s", "impact", 0)->impulse, -0.6875e-3 * 0.6, 1e-18);
  assert_number (event_run_last (tied, "c1.voltage"), 31.25, 1e-13);
  assert_number (event_run_last (tied, "c3.voltage"), 31.25, 1e-13);
  assert_number (event_run_last (tied, "network.dissipated"), 34.375e-3, 1e-16);
  assert_ledger_closes (tied, 1e-16);
  assert_number (event_run_last (wall, "m.velocity"), 3, 1e-14);
  assert_ledger_closes (wall, 1e-13);
}

/* Three that close a ring are answered together: one voltage, whatever their order. */
static void
test_ring (void **state)
{
  static const char *const orders[] = { "c1, c2|c2, c3|c3, c1", "c3, c1|c1, c2|c2, c3",
                                        "c2, c3|c3, c1|c1, c2" };
  const double voltage = (10 * 100.0 - 22 * 20 + 47 * 5) / 79;
  double first[3];

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_auto (GStrv) ends = g_strsplit (orders[i], "|", 3);
      g_autoptr (EventRun) run =
          event_run (0,
                     NETWORK "record = *.voltage, " LEDGER
                             "\n[capacitor c1]\ncapacitance = 10 uF\nvoltage = 100 V\n"
                             "[capacitor c2]\ncapacitance = 22 uF\nvoltage = -20 V\n"
                             "[capacitor c3]\ncapacitance = 47 uF\nvoltage = 5 V\n"
                             "[impulse i1]\nbetween = %s\nrestitution = 0\nat = 5 ms\n"
                             "[impulse i2]\nbetween = %s\nrestitution = 0\nat = 5 ms\n"
                             "[impulse i3]\nbetween = %s\nrestitution = 0\nat = 5 ms\n",
                     ends[0], ends[1], ends[2]);

      for (guint c = 0; c < 3; c++)
        {
          g_autofree char *signal = g_strdup_printf ("c%u.voltage", c + 1);
          double p;

          assert_number (event_run_last (run, signal), voltage, 1e-9);
          /* The first three have been turned by one more each time: the same pair has the same charge. */
          for (guint k = 0; k < 3; k++)
            if (g_str_equal (ends[k], c == 0 ? "c1, c2" : c == 1 ? "c2, c3" : "c3, c1"))
              {
                g_autofree char *pair = g_strdup_printf ("i%u", k + 1);

                p = event_run_event (run, pair, "impulse", 0)->impulse;
                if (i == 0)
                  first[c] = p;
                assert_number (p, first[c], 1e-9);
              }
        }
      assert_ledger_closes (run, 1e-12);
    }
}

/* Trees of capacitors with closed or open edges and impulses of each kind at one time: each has its given effect. */
static void
test_together (void **state)
{
  const guint n_seeds = wanted_seeds (100);

  (void) state;
  for (guint seed = 0; seed < n_seeds; seed++)
    {
      g_autoptr (GString) text =
          g_string_new (NETWORK "record = *.voltage, " LEDGER "\n[ground c0]\n");
      g_autoptr (EventRun) run = NULL, objects = NULL;
      double asked[6] = { 0 };
      guint kind[6], before[6];
      gsize n;
      const double *energy;
      double scale = 0;

      for (guint i = 1; i < 6; i++)
        {
          g_string_append_printf (text, "[capacitor c%u]\ncapacitance = %.17g\nvoltage = %.17g\n",
                                  i, pow (10, between (-1, 1)), between (-2, 2));
          before[i] = (guint) g_rand_int_range (noise, 0, (gint32) i);
          kind[i] = (guint) g_rand_int_range (noise, 0, 5);
          asked[i] = between (0.1, 1);
          if (kind[i] == 0)
            g_string_append_printf (text, "[switch e%u]\nstate = closed\nbetween = c%u, c%u\n", i,
                                    before[i], i);
          else if (kind[i] < 4)
            g_string_append_printf (text,
                                    "[impulse e%u]\nbetween = c%u, c%u\nat = 4.5 ms\n%s = %.17g\n",
                                    i, before[i], i,
                                    kind[i] == 1   ? "impulse"
                                    : kind[i] == 2 ? "restitution"
                                                   : "energy",
                                    asked[i]);
        }
      run = event_run (0, "%s", text->str);
      objects = event_run (EVENT_RUN_OBJECTS, "%s", text->str);
      energy = event_run_values (run, "network.energy", &n);
      for (gsize i = 0; i < n; i++)
        scale = fmax (scale, energy[i]);
      for (guint i = 1; i < 6; i++)
        {
          g_autofree char *name = g_strdup_printf ("e%u", i);
          const IfbamEvent *event = event_run_event (run, name, "impulse", 0);
          const IfbamEvent *other = event_run_event (objects, name, "impulse", 0);

          if (kind[i] == 0 && before[i] > 0)
            {
              g_autofree char *left = g_strdup_printf ("c%u.voltage", before[i]);
              g_autofree char *right = g_strdup_printf ("c%u.voltage", i);

              assert_number (event_run_last (run, left), event_run_last (run, right), 1e-13);
            }
          if (kind[i] == 0 || kind[i] == 4)
            continue;
          assert_non_null (event);
          assert_memory_equal (&event->impulse, &other->impulse, sizeof event->impulse);
          if (kind[i] == 1)
            assert_true (event->impulse == asked[i]);
          else if (kind[i] == 2)
            assert_number (event->rate_after, -asked[i] * event->rate_before, 1e-12);
          else
            {
              assert_true (event->impulse > 0);
              assert_number (event->impulse * 0.5 * (event->rate_before + event->rate_after),
                             asked[i], 1e-12);
            }
        }
      assert_ledger_closes (run, 1e-13 * (scale + 1));
    }
}

/* Four in a row get three energies at once that lie decades apart, and each its own; where one of them is so heavy that the first
 * is a matter between two, too. */
static void
test_energies_of_any_size (void **state)
{
  static const double sizes[] = { 1e-9, 1, 1e6 }, masses[] = { 3, 1e12 };

  (void) state;
  for (guint n = 0; n < 54; n++)
    {
      const double energy[] = { sizes[n % 3], sizes[n / 3 % 3], sizes[n / 9 % 3] };
      const double mass = masses[n / 27], all = energy[0] + energy[1] + energy[2];
      g_autoptr (EventRun) run =
          event_run (0,
                     NETWORK "record = *.velocity, " LEDGER "\n[mass a]\nmass = 2\n"
                             "velocity = 0.5\n[mass b]\nmass = %.17g\n[mass c]\nmass = 3\n"
                             "[mass d]\nmass = 0.1\n"
                             "[impulse i1]\nbetween = a, b\nenergy = %.17g\nat = 5 ms\n"
                             "[impulse i2]\nbetween = b, c\nenergy = %.17g\nat = 5 ms\n"
                             "[impulse i3]\nbetween = c, d\nenergy = %.17g\nat = 5 ms\n",
                     mass, energy[0], energy[1], energy[2]);

      for (guint k = 0; k < 3; k++)
        {
          g_autofree char *name = g_strdup_printf ("i%u", k + 1);
          const IfbamEvent *event = event_run_event (run, name, "impulse", 0);

          assert_true (event->impulse > 0);
          assert_near (event->impulse * 0.5 * (event->rate_before + event->rate_after) / energy[k],
                       1, 1e-13 * (1 + all) / energy[k], name);
        }
    }
}

/* A node joined to the other end, with equal velocity, takes no energy. */
static void
test_an_energy_for_what_is_held (void **state)
{
  g_autoptr (EventRun) run =
      event_run (0, NETWORK "record = c1.voltage, c2.voltage, " LEDGER
                            "\n[capacitor c1]\ncapacitance = 4 uF\nvoltage = 100 V\n"
                            "[capacitor c2]\ncapacitance = 6 uF\nvoltage = 100 V\n"
                            "[switch s]\nstate = closed\nbetween = c1, c2\n"
                            "[impulse i]\nbetween = c1, c2\nenergy = 1\nat = 5 ms\n"
                            "[impulse j]\non = c1\nimpulse = 10 uC\nat = 5 ms\n");

  (void) state;
  assert_number (event_run_event (run, "i", "impulse", 0)->impulse, 0, 0);
  assert_number (event_run_last (run, "c1.voltage"), 101, 1e-13);
  assert_number (event_run_last (run, "c2.voltage"), 101, 1e-13);
  assert_ledger_closes (run, 1e-16);
}

/* Whenever a mass comes near, an energy throws it back. */
static void
test_when (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 1 ms\nduration = 2 s\nrecord = m.velocity, " LEDGER
         "\n[ground floor]\n[mass m]\nmass = 2 kg\nposition = 1 m\n[gravity g]\non = m\n"
         "[monitor near]\nsignal = m.position\nlevel = 0.1 m\ndirection = falling\n"
         "[impulse charge]\nbetween = floor, m\nenergy = 7 J\nwhen = near\n");
  const double speed = sqrt (2 * 9.81 * 0.9);

  (void) state;
  assert_number (event_run_event (run, "charge", "impulse", 0)->time, speed / 9.81, 2e-12);
  assert_number (event_run_event (run, "charge", "impulse", 0)->rate_before, -speed, 1e-11);
  assert_number (event_run_event (run, "charge", "impulse", 0)->rate_after,
                 sqrt (speed * speed + 7), 1e-11);
  assert_ledger_closes (run, 1e-10);
}

static void
test_faults (void **state)
{
  static const struct
  {
    const char *keys, *parts;
  } cases[] = {
    { "at = 1 ms\nenergy = 1 J\n", "on: is missing*between" },
    { "on = m\nbetween = m, k\nat = 1 ms\nenergy = 1 J\n",
      "between: can't be combined with \"on\"" },
    { "between = m, m\nat = 1 ms\nenergy = 1 J\n", "between: both ends are on \"m\"" },
    { "between = w, v\nat = 1 ms\nenergy = 1 J\n", "between: both ends have prescribed motions" },
    { "between = m, c\nat = 1 ms\nenergy = 1 J\n", "\"m\" is of translation" },
    { "between = m, k\nat = 1 ms\nenergy = 1 J\nrestitution = 0\n",
      "energy: can't be combined with \"restitution\"" },
    { "between = m, k\nat = 1 ms\nimpulse = 1 C\n", "\"m\" is of translation*N s" },
    { "between = m, k\nat = 1 ms\nrestitution = 2\n", "restitution: 2 is above" },
    { "between = m, nobody\nat = 1 ms\nenergy = 1 J\n", "\"nobody\"" },
    { "between = m, k\nat = 1 ms\n", "impulse: is missing*restitution" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *fault = event_run_fault (
          NETWORK "[mass m]\nmass = 1\n[mass k]\nmass = 1\n[capacitor c]\ncapacitance = 1\n"
                  "[ground w]\n[ground v]\n[impulse i]\n%s",
          cases[i].keys);

      assert_message (fault, cases[i].parts);
    }
}

static int
set_up (void **state)
{
  return noise_set_up (21) + folder_make (state);
}

static int
tear_down (void **state)
{
  return noise_tear_down (state) + folder_remove (state);
}

/* Energies of two masses joined by an inerter, at one time, act in the direction of the motion: afterwards both energies are
 * there, and the opposite motion is the mirror image, to the last digit. */
static void
test_energies_follow_the_motion (void **state)
{
  double rate[2][2];

  (void) state;
  for (guint mirrored = 0; mirrored < 2; mirrored++)
    {
      const int v = mirrored ? -1 : 1;
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = verlet\nstep = 1 ms\nduration = 0.5 s\n"
          "record = a.velocity, b.velocity\n[mass a]\nmass = 1\nvelocity = %d\n"
          "[mass b]\nmass = 2\nvelocity = %d\n[inerter i]\ninertance = 0.7\nbetween = a, b\n"
          "[impulse e]\non = a\nenergy = 1 J\nat = 0.25 s\n"
          "[impulse f]\non = b\nenergy = 0.5 J\nat = 0.25 s\n",
          v, v);

      rate[mirrored][0] = event_run_last (run, "a.velocity");
      rate[mirrored][1] = event_run_last (run, "b.velocity");
    }
  assert_true (rate[0][0] == -rate[1][0] && rate[0][1] == -rate[1][1]);
  assert_true (rate[0][0] > 1 && rate[0][1] > 1);
  assert_near (0.5 * rate[0][0] * rate[0][0] + rate[0][1] * rate[0][1]
                   + 0.35 * (rate[0][0] - rate[0][1]) * (rate[0][0] - rate[0][1]),
               1.5 + 1 + 0.5, 1e-12, "energy");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_energies_follow_the_motion),
    cmocka_unit_test (test_charges),
    cmocka_unit_test (test_apart),
    cmocka_unit_test (test_ties),
    cmocka_unit_test (test_ring),
    cmocka_unit_test (test_together),
    cmocka_unit_test (test_when),
    cmocka_unit_test (test_faults),
    cmocka_unit_test (test_energies_of_any_size),
    cmocka_unit_test (test_an_energy_for_what_is_held),
  };

  return cmocka_run_group_tests (tests, set_up, tear_down);
}
