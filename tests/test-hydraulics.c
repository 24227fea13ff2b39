/* test-hydraulics.c: oil and gas against closed forms, and a jack hammer against its reference
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

#define LEDGER "network.energy, network.dissipated, network.supplied"

/* network.energy + network.dissipated - network.supplied is constant. */
static void
assert_ledger_closes (const EventRun *run, double tolerance)
{
  assert_number (event_run_ledger_gap (run), 0, tolerance);
}

/* Turbulent flow dies as Q0/(1 + k Q0 t/I), k = density/2/(discharge area)^2. */
static void
test_orifice (void **state)
{
  const double k = 0.5 * 860 / (0.61 * 20e-6 * 0.61 * 20e-6), decay = k * 1e-4 / 1e8;
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nscheme = rk4\nstep = 0.1 ms\nduration = 0.2 s\n"
                    "record = p.flow, p.volume, o.pressure, o.flow, " LEDGER "\n[tank t]\n"
                    "[pipe p]\ninertance = 1e8 kg/m4\nflow = 0.1 l/s\n"
                    "[orifice o]\narea = 20 mm2\nbetween = p, t\n");
  gsize n;
  const double *flow = event_run_values (run, "p.flow", &n);

  (void) state;
  for (gsize i = 0; i < n; i++)
    assert_number (flow[i], 1e-4 / (1 + decay * 1e-4 * (double) i), 1e-16);
  assert_number (event_run_last (run, "o.pressure"), k * flow[n - 1] * flow[n - 1], 1e-9);
  assert_number (event_run_last (run, "p.volume"), 1e8 / k * log (1 + 0.2 * decay), 1e-16);
  assert_ledger_closes (run, 1e-12);
}

/* A column of water on a compressible liquid, and on a gas with the stiffness n p/V for small motions. */
static void
test_chamber (void **state)
{
  static const struct
  {
    const char *keys;
    double stiffness, static_pressure;
  } cases[] = { { "compressibility = 0.5 GPa-1", 1 / (0.5e-9 * 2e-3), 0 },
                { "pressure = 100 kPa", 1.4 * 100e3 / 2e-3, 0 },
                { "pressure = 100 kPa\nexponent = 1", 100e3 / 2e-3, 0 },
                { "pressure = 3 bar\nambient = 3 bar\nexponent = 1.000001", 1.000001 * 300e3 / 2e-3,
                  0 } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double period = 2 * G_PI / sqrt (cases[i].stiffness / 1e6);
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = rk4\nstep = %.17g\nduration = %.17g\nrecord = p.flow, p.volume, "
          "c.pressure, c.volume, " LEDGER "\n[tank t]\n[pipe p]\ninertance = 1e6 kg/m4\n"
          "flow = 1e-8 m3/s\n[chamber c]\nvolume = 2 l\n%s\nbetween = p, t\n",
          period / 1024, period, cases[i].keys);

      assert_number (event_run_last (run, "p.flow"), 1e-8, 2e-16);
      assert_number (event_run_last (run, "p.volume"), 0, 1e-9 * 1e-8 * period + 1e-22);
      assert_ledger_closes (run,
                            4e-16 * 300e3 * 1e-9); /* the digits of the work against the ambient */
    }
}

/* Energy of a gas compressed to a fifth, and beyond the range of the gas law. */
static void
test_gas (void **state)
{
  static const double exponents[] = { 1, 1.0001, 1.3, 1.4, 2, 3 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (exponents); i++)
    {
      const double n = exponents[i];
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = rk4\nstep = 1 us\nduration = 1 us\nrecord = k.force, "
          "network.potential\n[ground g]\n[mass m]\nmass = 1e9 kg\nposition = 80 mm\n"
          "[gas-spring k]\narea = 10 cm2\nlength = 10 cm\npressure = 2 bar\nexponent = %.17g\n"
          "between = m, g\n",
          n);
      g_autoptr (EventRun) beyond = event_run (
          0,
          "[network]\nscheme = rk4\nstep = 1 ns\nduration = 1 ns\nrecord = k.force\n[ground g]\n"
          "[mass m]\nmass = 1e9 kg\nposition = 101 mm\n[gas-spring k]\narea = 10 cm2\n"
          "length = 10 cm\npressure = 2 bar\nexponent = %.17g\nbetween = m, g\n",
          n);
      const double work = n == 1 ? log (5) : (pow (5, n - 1) - 1) / (n - 1);

      assert_number (event_run_first (run, "k.force"), 1e-3 * (2e5 * pow (5, n) - 1e5), 4e-11);
      assert_number (event_run_first (run, "network.potential"),
                     1e-3 * (2e5 * 0.1 * work - 1e5 * 0.08), n == 1.0001 ? 1e-9 : 2e-13);
      assert_number (event_run_first (beyond, "k.force"),
                     1e-3 * (2e5 * pow (100, n) * (1 + n * 0.02 / 0.01) - 1e5), 1e-6);
    }
}

/* A chamber's volume grows by the flow through its first pipe, which its pressure drives; a piston
 * follows its pipe for ever, from any start. */
static void
test_what_leaves (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 0.1 ms\nduration = 0.2 s\nrecord = out.flow, out.volume, "
         "air.pressure, air.volume, m.position, ram.volume\n"
         "[pipe out]\ninertance = 1e6 kg/m4\n[tank t]\n[chamber air]\nvolume = 1 l\n"
         "pressure = 3 bar\nbetween = out, t\n[mass m]\nmass = 2 kg\nposition = 0.3 m\n"
         "[piston ram]\narea = 10 cm2\nbetween = m, out\n");
  gsize n;
  const double *out = event_run_values (run, "out.volume", &n);
  const double *pressure = event_run_values (run, "air.pressure", &n);
  const double *taken = event_run_values (run, "air.volume", &n);
  const double *x = event_run_values (run, "m.position", &n);

  (void) state;
  assert_number (pressure[0], 200e3, 1e-9);
  assert_true (event_run_values (run, "out.flow", &n)[1] > 0);
  for (gsize i = 0; i < n; i++)
    {
      assert_number (taken[i], -out[i], 1e-18);
      assert_number (pressure[i], 300e3 * pow (1e-3 / (1e-3 + out[i]), 1.4) - 100e3, 1e-9);
      assert_number (x[i], 0.3 + out[i] / 1e-3, 1e-15);
    }
}

/* A valve in a pipe shuts when its flow would reverse, and bears the back pressure; a pump behind two of them only
 * delivers. */
static void
test_check_valve (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0,
      "[network]\nscheme = rk4\nstep = 1 ms\nduration = 1 s\nrecord = p.flow, v.pressure, v.mode\n"
      "[tank t]\n[pipe p]\ninertance = 1e6 kg/m4\nflow = 0.3 l/s\n"
      "[pressure-source back]\non = p\nvalue = -1 kPa\n[check-valve v]\nbetween = t, p\n");
  g_autoptr (EventRun) pump = event_run (
      0, "[network]\nscheme = rk4\nstep = 20 us\nduration = 1 s\nrecord = a.flow, b.flow, "
         "air.pressure, air.volume\n[tank t]\n[pipe a]\ninertance = 1e5 kg/m4\n"
         "[pipe b]\ninertance = 1e6 kg/m4\n[drive plunger]\namplitude = 0.1 l\nfrequency = 5 Hz\n"
         "[check-valve inlet]\nbetween = plunger, a\n[chamber air]\nvolume = 1 l\n"
         "pressure = 1 bar\nbetween = b, a\n[orifice throttle]\narea = 5 mm2\nbetween = b, t\n");
  gsize n;
  const double *flow = event_run_values (pump, "b.flow", &n);

  (void) state;
  assert_number (event_run_event (run, "v", "shut", 0)->time, 0.3, 1e-12);
  assert_number (event_run_last (run, "p.flow"), 0, 1e-18);
  assert_number (event_run_last (run, "v.pressure"), 1000, 1e-9);
  assert_true (event_run_count (pump, "inlet", "shut") >= 1);
  assert_true (flow[n - 1] > 0 && event_run_last (pump, "air.pressure") > 0);
}

#define HAMMER                                                                                     \
  "[ground frame]\n[mass h]\nmass = 4 kg\n[spring s]\nstiffness = 60 kN/m\nbetween = frame, h\n"   \
  "[pipe c]\ninertance = 1e6 kg/m4\n[piston ram]\narea = 10 cm2\nbetween = h, c\n"                 \
  "[drive pump]\namplitude = 30 ml\nfrequency = 18 Hz\n"                                           \
  "[chamber air]\nvolume = 0.2 l\npressure = 5 bar\nbetween = c, pump\n"                           \
  "[mass tool]\nmass = 8 kg\n[spring rock]\nstiffness = 500 kN/m\nbetween = tool, frame\n"         \
  "[damper rubble]\ndamping = 2 kN s/m\nbetween = tool, frame\n"                                   \
  "[impact blow]\ngap = 5 mm\nrestitution = 0.4\nbetween = h, tool\n"

/* 5 x'' = A (p - 1 bar) - 60000 x, p = 5 bar (V0/(V0 + A x - V_pump))^1.4, which hits the tool: by another program,
 * DOP853 to 1e-13, restarted at the hit. */
static void
test_hammer (void **state)
{
  (void) state;
  for (guint objects = 0; objects < 2; objects++)
    {
      const EventRunFlags flags = objects ? EVENT_RUN_OBJECTS : 0;
      g_autoptr (EventRun) run =
          event_run (flags, "[network]\nscheme = rk4\nstep = 10 us\nduration = 10 ms\n"
                            "record = h.*, c.flow, ram.pressure, ram.rate, " LEDGER "\n" HAMMER);
      g_autoptr (EventRun) later =
          event_run (flags | EVENT_RUN_EVENT_ROWS,
                     "[network]\nscheme = rk4\nstep = 10 us\nduration = 15 ms\nsample = 15 ms\n"
                     "record = h.*, c.flow, tool.*, ram.rate, " LEDGER "\n" HAMMER);
      const IfbamEvent *hit = event_run_event (later, "blow", "impact", 0);
      gsize n;
      const double *flow = event_run_values (later, "c.flow", &n);
      double most = 0;

      assert_number (event_run_last (run, "h.position"), 0.003972280094491, 1e-15);
      assert_number (event_run_last (run, "h.velocity"), 0.7466715463984, 1e-13);
      assert_number (event_run_last (run, "c.flow"), 1e-3 * event_run_last (run, "h.velocity"),
                     1e-18);
      assert_number (event_run_last (run, "ram.rate"), 0, 1e-18);
      /* At rest the hammer has four fifths of the moving inertia, so it gets four fifths of the pressure. */
      assert_number (event_run_first (run, "ram.pressure"), -0.8 * 400e3, 1e-9);
      assert_ledger_closes (run, 1e-9);

      assert_number (hit->time, 0.01132106343591, 2e-14);
      assert_number (hit->impulse, 3.474709332123, 4e-12);
      assert_number (hit->rate_before, 0.8066289521, 1e-10);
      /* The impulse of the pressure in the column: 1 kg of 5, through 10 cm2 */
      for (gsize i = 1; i < n; i++)
        most = fmax (most, 1e6 * (flow[i - 1] - flow[i]));
      assert_number (most, 694.9418664246, 1e-8);
      assert_number (event_run_last (later, "h.position"), 0.005666351492186, 4e-15);
      assert_number (event_run_last (later, "h.velocity"), 0.2458568519199, 4e-13);
      assert_number (event_run_last (later, "tool.position"), 0.0009055220554935, 1e-15);
      assert_number (event_run_last (later, "tool.velocity"), 0.07855054516225, 1e-12);
      assert_number (event_run_last (later, "network.energy")
                         + event_run_last (later, "network.dissipated"),
                     event_run_last (later, "network.supplied"), 1e-11);
    }
}

static void
test_faults (void **state)
{
  static const struct
  {
    const char *text, *parts;
  } cases[] = {
    { "[mass m]\nmass = 1\n[pipe p]\ninertance = 1\n[piston r]\narea = 1\nbetween = p, m\n",
      "\"p\" is of hydraulics (pipe), a piston is for translation" },
    { "[mass m]\nmass = 1\n[tank t]\n[spring s]\nstiffness = 1\nbetween = m, t\n",
      "\"t\" is of hydraulics (tank), a spring is for translation" },
    { "[tank t]\n[pipe p]\ninertance = 1\n[chamber c]\nvolume = 1 bar\nbetween = p, t\n",
      "\"1 bar\"*m3" },
    { "[tank t]\n[pipe p]\ninertance = 1\n[chamber c]\nvolume = 1 l\nexponent = 1.2\n"
      "compressibility = 1 GPa-1\nbetween = p, t\n",
      "exponent: applies to a gas, compressibility to a liquid" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *fault =
          event_run_fault ("[network]\nstep = 1 ms\nduration = 1 s\n%s", cases[i].text);

      assert_message (fault, cases[i].parts);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_orifice),     cmocka_unit_test (test_chamber),
    cmocka_unit_test (test_gas),         cmocka_unit_test (test_what_leaves),
    cmocka_unit_test (test_check_valve), cmocka_unit_test (test_hammer),
    cmocka_unit_test (test_faults),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
