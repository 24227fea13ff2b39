/* cases-circuits.c: circuits with diodes, switches and feedback, against ngspice: the same answer, and how long it takes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embed/ifbam.h"

#define RUNS 3
/* Of a course's range; of an oscillator's period and amplitude. */
#define SAME      1e-4
#define SAME_SONG 1e-3

/* Elements are the same on both sides, diodes to the last parameter. ngspice goes by a relative tolerance of 1e-6 and by steps
 * of at most `longest`: the longest of 1, 2, 4 or 5 times a power of ten with which it comes as near. */
typedef struct
{
  const char *name, *signal, *vector;
  double until, grid, longest;
  double
      from; /* of an oscillator: what is before is left out; 0: courses are compared row by row */
  const char *network, *netlist;
} Circuit;

static const Circuit circuits[] = {
  { "ngspice-bridge", "c.voltage", "v(c)", 0.06, 2e-05, 2e-05, 0,
    "[network]\nscheme = esdirk4\nstep = 20 us\ntolerance = 1e-5\nduration = 60 ms\n"
    "sample = 20 us\nrecord = c.voltage\n[voltage-source ac]\namplitude = 10 V\nfrequency = 50 Hz\n"
    "between = p, n\n[ground gnd]\n[junction p]\n[junction n]\n[junction a]\n"
    "[resistor rs]\nresistance = 1 ohm\nbetween = p, a\n[resistor leak]\n"
    "resistance = 1 Mohm\nbetween = n, gnd\n[shockley-diode d1]\n"
    "thermal-voltage = 25.864917 mV\nbetween = a, c\n[shockley-diode d2]\n"
    "thermal-voltage = 25.864917 mV\nbetween = gnd, a\n[shockley-diode d3]\n"
    "thermal-voltage = 25.864917 mV\nbetween = n, c\n[shockley-diode d4]\n"
    "thermal-voltage = 25.864917 mV\nbetween = gnd, n\n[capacitor c]\n"
    "capacitance = 470 uF\n[resistor load]\nresistance = 100 ohm\n"
    "between = c, gnd\n",
    "Vac p n SIN(0 10 50)\nRs p a 1\nD1 a c dm\nD2 0 a dm\nD3 n c dm\nD4 0 n dm\n"
    "C1 c 0 470u\nRL c 0 100\nRleak n 0 1meg\n.model dm D(IS=1e-14 N=1)\n" },
  { "ngspice-zener", "out.voltage", "v(out)", 0.04, 2e-05, 4e-06, 0,
    "[network]\nscheme = esdirk4\nstep = 20 us\nduration = 40 ms\nsample = 20 us\n"
    "record = out.voltage\n[voltage-source u]\namplitude = 12 V\n"
    "frequency = 50 Hz\n[ground gnd]\n[resistor r1]\nresistance = 1 kohm\n"
    "between = u, out\n[shockley-diode d1]\nbetween = gnd, out\n"
    "thermal-voltage = 25.864917 mV\nbreakdown = 5.1 V\nbreakdown-current = 1 mA\n"
    "[capacitor out]\ncapacitance = 100 nF\n",
    "V1 u 0 SIN(0 12 50)\nR1 u out 1k\nD1 0 out dz\nC1 out 0 100n\n"
    ".model dz D(IS=1e-14 N=1 BV=5.1 IBV=1m)\n" },
  { "ngspice-buck", "o.voltage", "v(o)", 0.002, 1e-06, 4e-07, 0,
    "[network]\nscheme = esdirk4\nstep = 0.5 us\nduration = 2 ms\nsample = 1 us\n"
    "record = o.voltage\n[voltage-source u]\nwave = pwm\namplitude = 24 V\n"
    "period = 20 us\nrise = 100 ns\nduty = 0.405\n[ground gnd]\n[resistor rs]\n"
    "resistance = 50 mohm\nbetween = u, s\n[junction s]\n[shockley-diode d1]\n"
    "saturation-current = 1 nA\nthermal-voltage = 25.864917 mV\nbetween = gnd, s\n"
    "[inductor l]\ninductance = 100 uH\nbetween = s, o\n[capacitor o]\n"
    "capacitance = 40 uF\n[resistor load]\nresistance = 5 ohm\nbetween = o, gnd\n",
    "V1 u 0 PULSE(0 24 0 100n 100n 8u 20u)\nRs u s 0.05\nD1 0 s dm\n"
    "L1 s o 100u IC=0\nC1 o 0 40u IC=0\nR1 o 0 5\n.model dm D(IS=1e-9 N=1)\n" },
  { "ngspice-feedback", "o.voltage", "v(o)", 0.0015, 2e-07, 5e-08, 0,
    "[network]\nscheme = esdirk4\nstep = 0.2 us\nduration = 1.5 ms\n"
    "record = o.voltage\nsample = 0.2 us\n[voltage-source supply]\nvoltage = 24 V\n"
    "[ground gnd]\n[capacitor s]\ncapacitance = 20 nF\n[capacitor o]\n"
    "capacitance = 40 uF\n[switch s1]\nresistance = 50 mohm\nbetween = supply, s\n"
    "when = full\nside = below\n[shockley-diode d1]\nsaturation-current = 1 nA\n"
    "thermal-voltage = 25.864917 mV\nbetween = gnd, s\n[inductor l1]\n"
    "inductance = 100 uH\nbetween = s, o\n[resistor load]\nresistance = 5 ohm\n"
    "between = o, gnd\n[monitor full]\nsignal = l1.compression\nlevel = 200 uWb\n"
    "hysteresis = 40 uWb\n",
    "V1 in 0 24\nW1 in s Vsn wm ON\nD1 0 s dm\nCs s 0 20n IC=0\nL1 s x 100u IC=0\n"
    "Vsn o x 0\nC1 o 0 40u IC=0\nR1 o 0 5\n.model dm D(IS=1e-9 N=1)\n"
    ".model wm CSW(IT=-2 IH=0.2 RON=50m ROFF=1e9)\n" },
  { "ngspice-colpitts", "collector.voltage", "v(c)", 0.006, 1e-06, 5e-07, 0.005,
    "[network]\nscheme = rk4\nstep = 500 ns\nduration = 6 ms\n"
    "record = collector.voltage\nsample = 1 us\n[ground earth]\n"
    "[capacitor collector]\ncapacitance = 100 nF\n[capacitor base]\n"
    "capacitance = 100 nF\nvoltage = 10 mV\n[inductor coil]\ninductance = 1 mH\n"
    "between = collector, base\n[resistor load]\nresistance = 2.2 kohm\n"
    "between = collector, earth\n[transconductance q1]\ntransconductance = 2 mS\n"
    "limit = 0.5 mA\nbetween = collector, earth\ninput = base, earth\n",
    "C1 c 0 100n IC=0\nC2 b 0 100n IC=10m\nL1 c b 1m IC=0\nR1 c 0 2.2k\n"
    "B1 c 0 I=0.5m*tanh(2m*V(b)/0.5m)\n" },
  { "ngspice-relay", "c1.voltage", "v(c)", 0.012, 1e-05, 2e-06, 0.003,
    "[network]\nscheme = esdirk4\nstep = 10 us\nduration = 12 ms\n"
    "record = c1.voltage\nsample = 10 us\n[voltage-source battery]\nvoltage = 9 V\n"
    "[ground earth]\n[capacitor c1]\ncapacitance = 1 uF\n[monitor high]\n"
    "signal = c1.voltage\nlevel = 4.5 V\nhysteresis = 3 V\n[switch up]\n"
    "resistance = 1 kohm\nbetween = battery, c1\nwhen = high\nside = below\n"
    "[switch down]\nresistance = 1 kohm\nbetween = c1, earth\nwhen = high\n",
    "V1 b 0 9\nC1 c 0 1u IC=0\nVc ctl 0 0\nBc x 0 V=9-V(c)\nRx x 0 1\n"
    "Sup b c x 0 sm ON\nSdown c 0 c 0 sm OFF\n"
    ".model sm SW(VT=4.5 VH=1.5 RON=1k ROFF=1e12)\n" },
};

static void
stop (const char *text)
{
  fprintf (stderr, "bench: %s\n", text);
  exit (1);
}

/* ngspice's seconds for its transient analysis; a value for each row of the grid. */
static double
spice (const Circuit *circuit, double *value, gsize n)
{
  static const char label[] = "Transient analysis time =";
  g_autofree char *path = g_build_filename (bench_folder, "circuit.cir", NULL);
  g_autofree char *output = g_build_filename (bench_folder, "circuit.data", NULL);
  g_autofree char *file = g_strdup_printf (
      "circuit\n%s.options reltol=1e-6 abstol=1e-12 vntol=1e-9 acct\n.tran %g %g 0 %g UIC\n"
      ".control\nrun\nlinearize %s\nrusage all\nset wr_singlescale\nset numdgt=15\nwrdata %s %s\n"
      ".endc\n.end\n",
      circuit->netlist, circuit->grid, circuit->until, circuit->longest, circuit->vector, output,
      circuit->vector);
  const char *argv[] = { "ngspice", "-b", path, NULL };
  g_autofree char *text = NULL, *table = NULL;
  g_autoptr (GError) error = NULL;
  const char *place;
  char *row;

  remove (output);
  if (!g_file_set_contents (path, file, -1, &error)
      || !g_spawn_sync (NULL, (char **) argv, NULL,
                        G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &text, NULL,
                        NULL, &error)
      || !g_file_get_contents (output, &table, NULL, &error))
    stop (error->message);
  place = strstr (text, label);
  if (place == NULL)
    stop ("ngspice didn't say how long it took");
  row = table;
  for (gsize i = 0; i < n; i++)
    {
      const double time = g_ascii_strtod (row, &row);

      if (fabs (time - (double) i * circuit->grid) > 1e-3 * circuit->grid)
        stop ("ngspice has other rows");
      value[i] = g_ascii_strtod (row, &row);
    }
  return g_ascii_strtod (place + strlen (label), NULL);
}

static double
ours (const Circuit *circuit, double *value, gsize n)
{
  g_autofree char *path = g_build_filename (bench_folder, "circuit.ini", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  const double *values;
  double before;
  gsize rows;

  if (!g_file_set_contents (path, circuit->network, -1, &error)
      || (network = ifbam_network_new_from_file (path, NULL, &error)) == NULL)
    stop (error->message);
  before = bench_clock ();
  course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
  before = bench_clock () - before;
  if (course == NULL)
    stop (error->message);
  values = ifbam_course_get_values (course, circuit->signal, &rows, NULL);
  if (rows != n)
    stop ("the circuit has other rows");
  memcpy (value, values, n * sizeof *value);
  return before;
}

/* The mean time from one rise through the middle to the next, and from the lowest to the highest value. */
static void
listen (const Circuit *circuit, const double *value, gsize n, double *period, double *swing)
{
  const gsize first = (gsize) (circuit->from / circuit->grid);
  double low = INFINITY, high = -INFINITY, start = NAN, end = NAN, middle;
  guint rises = 0;

  for (gsize i = first; i < n; i++)
    {
      low = fmin (low, value[i]);
      high = fmax (high, value[i]);
    }
  middle = 0.5 * (low + high);
  for (gsize i = first + 1; i < n; i++)
    if (value[i - 1] < middle && value[i] >= middle)
      {
        end = ((double) i - (value[i] - middle) / (value[i] - value[i - 1])) * circuit->grid;
        start = rises++ == 0 ? end : start;
      }
  *period = (end - start) / (rises - 1);
  *swing = high - low;
}

static char *
compare (const Circuit *circuit, const double *our, const double *their, gsize n)
{
  double period[2], swing[2], low = INFINITY, high = -INFINITY, most = 0;

  if (circuit->from > 0)
    {
      listen (circuit, our, n, &period[0], &swing[0]);
      listen (circuit, their, n, &period[1], &swing[1]);
      return bench_verdict (fmax (fabs (period[0] / period[1] - 1), fabs (swing[0] / swing[1] - 1)),
                            SAME_SONG);
    }
  for (gsize i = 0; i < n; i++)
    {
      low = fmin (low, their[i]);
      high = fmax (high, their[i]);
      most = fmax (most, fabs (our[i] - their[i]));
    }
  return bench_verdict (most / (high - low), SAME);
}

void
bench_circuits (void)
{
  g_autofree char *program = g_find_program_in_path ("ngspice");

  for (guint c = 0; c < G_N_ELEMENTS (circuits); c++)
    {
      const Circuit *circuit = &circuits[c];
      const gsize n = (gsize) (circuit->until / circuit->grid + 1.5);
      g_autofree double *our = g_new (double, n), *their = g_new (double, n);
      double our_seconds[RUNS], their_seconds[RUNS];

      if (!bench_wants (circuit->name))
        continue;
      if (program == NULL)
        {
          bench_skip (circuit->name, "ngspice isn't there (make bench-deps)");
          continue;
        }
      for (guint r = 0; r < RUNS; r++)
        {
          our_seconds[r] = ours (circuit, our, n);
          their_seconds[r] = spice (circuit, their, n);
        }
      bench_report (circuit->name, bench_median (our_seconds, RUNS),
                    bench_median (their_seconds, RUNS), compare (circuit, our, their, n));
    }
}
