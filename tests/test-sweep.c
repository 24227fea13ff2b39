/* test-sweep.c: a variant of a sweep gives the numbers of a run with the same values, bit for bit
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "fixture.h"
#include "base/ifbam-error.h"
#include "linear/ifbam-modes.h"
#include "spectrum/ifbam-spectrum.h"
#include "figure/figure.h"
#include "run/run.h"
#include "sweep/sweep.h"
#include "file/file.h"

/* A spring with a parameter as its stiffness, twice, and one that is part of a longer value. */
static const char network_text[] = "[network]\n"
                                   "step = 1 ms\n"
                                   "duration = 0.2 s\n"
                                   "title = a $part of it\n"
                                   "[parameters]\n"
                                   "coil = 10 kN/m\n"
                                   "twin = $coil\n"
                                   "part = third\n"
                                   "pace = 1 ms\n"
                                   "[ground wall]\n"
                                   "[mass m1]\n"
                                   "mass = 1 kg\n"
                                   "position = 1 mm\n"
                                   "[mass m2]\n"
                                   "mass = 2 kg\n"
                                   "[spring k1]\n"
                                   "stiffness = $coil\n"
                                   "between = wall, m1\n"
                                   "[spring k2]\n"
                                   "stiffness = $twin\n"
                                   "between = m1, m2\n"
                                   "[force push]\n"
                                   "on = m2\n"
                                   "amplitude = 2 N\n"
                                   "frequency = 5 Hz\n"
                                   "[drive shaker]\n"
                                   "amplitude = 1 mm\n"
                                   "frequency = 3 Hz\n"
                                   "[damper d1]\n"
                                   "damping = 4 N s/m\n"
                                   "between = shaker, m2\n"
                                   "[chain c]\n"
                                   "count = 5\n"
                                   "mass = 1 kg, 2 kg\n"
                                   "stiffness = 20 kN/m\n"
                                   "from = m2\n";

/* Events: such a network can't go in lanes. */
static const char events_text[] = "[network]\n"
                                  "step = 1 ms\n"
                                  "duration = 0.5 s\n"
                                  "[ground wall]\n"
                                  "[mass m1]\n"
                                  "mass = 1 kg\n"
                                  "velocity = 1 m/s\n"
                                  "[spring k1]\n"
                                  "stiffness = 100 N/m\n"
                                  "between = wall, m1\n"
                                  "[impact stop]\n"
                                  "gap = 5 cm\n"
                                  "between = m1, wall\n"
                                  "[friction rub]\n"
                                  "breakaway = 0.5 N\n"
                                  "between = m1, wall\n";

/* It starts from where it is at rest. */
static const char resting_text[] = "[network]\n"
                                   "step = 1 ms\n"
                                   "duration = 0.2 s\n"
                                   "start = equilibrium\n"
                                   "[ground wall]\n"
                                   "[mass m1]\n"
                                   "mass = 1 kg\n"
                                   "velocity = 1 m/s\n"
                                   "[mass m2]\n"
                                   "mass = 2 kg\n"
                                   "[spring k1]\n"
                                   "stiffness = 100 N/m\n"
                                   "cubic = 500 N/m3\n"
                                   "between = wall, m1\n"
                                   "[spring k2]\n"
                                   "stiffness = 300 N/m\n"
                                   "between = m1, m2\n"
                                   "[gravity g]\n"
                                   "on = m1, m2\n";

/* Two pairs of masses, a mirror between them: symmetric modes have omega^2 = 1000 and 1000 + 2 coil,
 * antisymmetric 2 bridge more; where coil = bridge two modes meet. Dampers in the same way. */
static const char mirror_text[] = "[network]\n"
                                  "step = 1 ms\n"
                                  "duration = 10 ms\n"
                                  "[parameters]\n"
                                  "coil = 300 N/m\n"
                                  "bridge = 100 N/m\n"
                                  "oil = 0 N s/m\n"
                                  "thick = 0 N s/m\n"
                                  "[ground wall]\n";

/* Values that are computed from parameters, one of them through another. */
static const char formula_text[] = "[network]\n"
                                   "step = 1 ms\n"
                                   "duration = 0.3 s\n"
                                   "[parameters]\n"
                                   "k = 10 kN/m\n"
                                   "m = 2 kg\n"
                                   "zeta = 0.05\n"
                                   "c = 2 * $zeta * sqrt($k * $m)\n"
                                   "l = 30 mm\n"
                                   "[ground wall]\n"
                                   "[mass a]\n"
                                   "mass = $m\n"
                                   "position = $l^2 / (1 m)\n"
                                   "[mass b]\n"
                                   "mass = $m / 2 + 500 g\n"
                                   "[spring s]\n"
                                   "stiffness = $k\n"
                                   "between = a, wall\n"
                                   "[damper d]\n"
                                   "damping = $c\n"
                                   "between = a, wall\n"
                                   "[spring t]\n"
                                   "stiffness = -(-$k)*2\n"
                                   "between = a, b\n"
                                   "[chain r]\n"
                                   "count = 3\n"
                                   "mass = $m / 4\n"
                                   "stiffness = $k\n"
                                   "from = b\n"
                                   "[force push]\n"
                                   "on = b\n"
                                   "amplitude = 9.81 m/s2 * $m\n"
                                   "frequency = sqrt($k / $m) / (2 * pi)\n";

static char *
mirror_network (void)
{
  GString *text = g_string_new (mirror_text);
  static const char *const masses[] = { "a", "b", "c", "d" };
  static const char *const pairs[][3] = {
    { "a, b", "$coil", "$thick" },
    { "c, d", "$coil", "$thick" },
    { "a, c", "$bridge", "$oil" },
    { "b, d", "$bridge", "$oil" },
  };

  for (guint i = 0; i < 4; i++)
    g_string_append_printf (text,
                            "[mass %s]\nmass = 1 kg\nposition = 1 mm\n"
                            "[spring g%s]\nstiffness = 1 kN/m\nbetween = wall, %s\n"
                            "[spring k%u]\nstiffness = %s\nbetween = %s\n"
                            "[damper d%u]\ndamping = %s\nbetween = %s\n",
                            masses[i], masses[i], masses[i], i, pairs[i][1], pairs[i][0], i,
                            pairs[i][2], pairs[i][0]);
  return g_string_free (text, FALSE);
}

static int
set_up (void **state)
{
  g_autofree char *path = NULL, *events = NULL, *resting = NULL, *mirror = NULL, *formula = NULL;
  g_autofree char *mirrored = mirror_network ();

  (void) state;
  g_unsetenv ("IFBAM_TILE");
  g_unsetenv ("IFBAM_ISA");
  if (folder_make (state) != 0)
    return 1;
  path = folder_write ("network.ini", network_text);
  events = folder_write ("events.ini", events_text);
  resting = folder_write ("resting.ini", resting_text);
  mirror = folder_write ("mirror.ini", mirrored);
  formula = folder_write ("formula.ini", formula_text);
  return 0;
}

/* Varied parameters */

typedef struct
{
  IfbamNetwork *network;
  IfbamModel *model;
} Loaded;

static void
load (Loaded *loaded)
{
  g_autofree char *path = folder_path ("network.ini");
  g_autoptr (GError) error = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };

  loaded->network = ifbam_network_new_from_file (path, NULL, &error);
  if (loaded->network == NULL)
    fail_msg ("%s", error->message);
  loaded->model = ifbam_network_compile_or_error (loaded->network, TRUE, &spec, NULL, &error);
  assert_non_null (loaded->model);
}

static void
unload (Loaded *loaded)
{
  ifbam_model_free (loaded->model);
  g_object_unref (loaded->network);
}

static void
test_values (void **state)
{
  static const struct
  {
    const char *text;
    gsize n;
    double values[8];
  } cases[] = {
    { "k1.stiffness=5kN/m:20kN/m:4", 4, { 5e3, 10e3, 15e3, 20e3 } },
    { "k1.stiffness = 20 kN/m : 5 kN/m : 4", 4, { 20e3, 15e3, 10e3, 5e3 } },
    { "k1.stiffness=1N/m:1MN/m:7:log", 7, { 1, 10, 100, 1e3, 1e4, 1e5, 1e6 } },
    { "m1.position=-8mm:-1mm:4:log", 4, { -8e-3, -4e-3, -2e-3, -1e-3 } },
    { "k1.stiffness=1kN/m,3kN/m,2000", 3, { 1e3, 3e3, 2e3 } },
    { "k1.stiffness=1kN/m", 1, { 1e3 } },
    { "k1.cubic=0:1e6:2", 2, { 0, 1e6 } },
    { "push.phase=0deg,90deg", 2, { 0, G_PI / 2 } },
    { "shaker.amplitude=1mm:3mm:3", 3, { 1e-3, 2e-3, 3e-3 } },
    { "network.step=1us:100us:3:log", 3, { 1e-6, 1e-5, 1e-4 } },
    { "network.duration=1,2", 2, { 1, 2 } },
    { "c.stiffness=1kN/m:2kN/m:3", 3, { 1e3, 1.5e3, 2e3 } },
    { "c.count=2:4:3", 3, { 2, 3, 4 } },
    { "c.k2.stiffness=1kN/m:2kN/m:2", 2, { 1e3, 2e3 } },
    { "c.m5.position=1mm,2mm", 2, { 1e-3, 2e-3 } },
    { "coil=1kN/m:3kN/m:3", 3, { 1e3, 2e3, 3e3 } },
    { "twin=1kN/m,3kN/m", 2, { 1e3, 3e3 } },
  };
  Loaded loaded;

  (void) state;
  load (&loaded);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *reason = NULL;
      g_autoptr (IfbamVariation) variation =
          ifbam_variation_new (loaded.network, loaded.model, cases[i].text, &reason);

      if (variation == NULL)
        fail_msg ("%s: %s", cases[i].text, reason);
      assert_int_equal (variation->n, cases[i].n);
      for (gsize v = 0; v < variation->n; v++)
        if (fabs (variation->values[v] - cases[i].values[v]) > 4e-16 * fabs (cases[i].values[v]))
          fail_msg ("%s: value %" G_GSIZE_FORMAT " is %.17g", cases[i].text, v,
                    variation->values[v]);
    }
  {
    g_autofree char *reason = NULL;
    g_autoptr (IfbamVariation) variation = ifbam_variation_new (
        loaded.network, loaded.model, "k1.stiffness=1N/m:1MN/m:31:log", &reason);

    /* Decades are exact, and all others are as near as a double can be. */
    assert_non_null (variation);
    for (gsize v = 0; v < 31; v += 5)
      assert_true (variation->values[v] == pow (10, (double) (v / 5)));
  }
  unload (&loaded);
}

static void
test_wrong_values (void **state)
{
  static const struct
  {
    const char *text, *reason;
  } cases[] = {
    { "k1.stiffness", "want ELEMENT.KEY=FROM:TO:N" },
    { "=1:2:3", "want ELEMENT.KEY=FROM:TO:N" },
    { "k1.stiffness=", "there are no values (want FROM:TO:N" },
    { "k1.stiffness= ", "there are no values" },
    { "k1.stiffness=1:2", "\"1:2\" is no grid and no list" },
    { "k1.stiffness=1:2:3:log:5", "is no grid and no list" },
    { "k1.stiffness=1:2:3,4", "is no grid and no list" },
    { "k1.stiffness=1:2:0", "\"0\" is no number of points" },
    { "k1.stiffness=1:2:1", "\"1\" is no number of points (want a whole number, 2 to" },
    { "k1.stiffness=1:2:many", "\"many\" is no number of points" },
    { "k1.stiffness=1:2:1e3", "\"1e3\" is no number of points" },
    { "k1.stiffness=1:2:99999999999", "is no number of points" },
    { "k1.stiffness=1:2:3:lin", "\"lin\" after FROM:TO:N is not \"log\"" },
    { "k1.stiffness=0:2:3:log", "a logarithmic grid has no 0" },
    { "m1.position=-1mm:1mm:3:log", "a logarithmic grid has no 0 and does not change its sign" },
    { "k1.stiffness=2:2:3", "FROM and TO are the same" },
    { "k1.stiffness=1:1.0000000000000002:3", "too close" },
    { "k1.stiffness=1,2,1", "1 is given twice" },
    { "k1.stiffness=1,,2", "a value of the list is empty" },
    { "k1.stiffness=ten:20:3", "\"ten\" is not a number (want a stiffness in N/m" },
    { "k1.stiffness=5kg:20kg:3", "\"5kg\" is no stiffness: kg does not convert to N/m" },
    { "k1.stiffness=-5:20:3", "-5 is below the least, 0" },
    { "m1.mass=0:1:3", "must be above 0" },
    { "k9.stiffness=1:2:3", "no element \"k9\" in this network" },
    { "spring.stiffness=1:2:3", "no element \"spring\" in this network" },
    { "k1.stifness=1:2:3", "a spring has no key \"stifness\" (did you mean \"stiffness\"?)" },
    { "k1.colour=1:2:3",
      "a spring has no key \"colour\" (its numbers: stiffness, quadratic, cubic, length, loss)" },
    { "k1.between=1:2:3",
      "between of a spring is no number (it has stiffness, quadratic, cubic, length, loss)" },
    { "shaker.course=1:2:3", "course of a drive is no number" },
    { "k1=1:2:3", "\"k1\" is a spring: name one of its keys (it has stiffness, quadratic, "
                  "cubic, length, loss)" },
    { "coill=1:2:3", "no value is a parameter \"coill\" (did you mean \"coil\"?)" },
    { "part=1:2:3", "parameter \"part\" is no number" },
    { "pace=1ms:2ms:3", "no value is a parameter \"pace\"" },
    { "network.scheme=1:2:3", "scheme of [network] can't be varied (step, duration and sample" },
    { "network.format=1:2:3", "format of [network] can't be varied" },
    { "network.stop=1:2:3", "[network] has no key \"stop\"" },
    { "network.step=0:1ms:3", "must be above 0" },
    { "c.m9.mass=1:2:3", "\"c\" has no element \"m9\"" },
    { "c.m1.weight=1:2:3", "a mass has no key \"weight\"" },
    { "m1.x.mass=1:2:3", "\"m1\" is a mass, which has no elements of its own" },
    { "c.from=1:2:3", "from of a chain is no number" },
    { "c.stiffness=1kg,2kg", "kg does not convert" },
  };
  Loaded loaded;

  (void) state;
  load (&loaded);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *reason = NULL;
      g_autoptr (IfbamVariation) variation =
          ifbam_variation_new (loaded.network, loaded.model, cases[i].text, &reason);

      if (variation != NULL)
        fail_msg ("%s was taken", cases[i].text);
      if (strstr (reason, cases[i].reason) == NULL)
        fail_msg ("%s: %s\nwanted: %s", cases[i].text, reason, cases[i].reason);
    }
  unload (&loaded);
}

/* Sweeps against runs */

typedef struct
{
  const char *path; /* without a slash: of the folder; NULL: its network.ini */
  const char *settings[5], *varied[5], *measured[5]; /* NULL-terminated */
} Question;

static char *
path_of (const Question *question)
{
  const char *name = question->path == NULL ? "network.ini" : question->path;

  return strchr (name, '/') == NULL ? folder_path (name) : g_strdup (name);
}

static IfbamSweep *
ask (const Question *question, IfbamNetworkBytes **bytes)
{
  g_autofree char *path = path_of (question);
  g_autoptr (GError) error = NULL;
  IfbamSweep *sweep;

  *bytes = ifbam_network_bytes_new (path, &error);
  assert_non_null (*bytes);
  sweep =
      ifbam_sweep_new (*bytes, question->settings, question->varied, question->measured, 5, &error);
  if (sweep == NULL)
    fail_msg ("%s", error->message);
  return sweep;
}

/* Settings that make a network file a variant. */
static GPtrArray *
variant_settings (const Question *question, const IfbamSweep *sweep, guint64 variant)
{
  GPtrArray *settings = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; question->settings[i] != NULL; i++)
    g_ptr_array_add (settings, g_strdup (question->settings[i]));
  for (guint k = sweep->variations->len; k-- > 0;)
    {
      const IfbamVariation *variation = sweep->variations->pdata[k];

      g_ptr_array_add (settings, g_strdup_printf ("%s=%.17g %s", variation->name,
                                                  variation->values[variant % variation->n],
                                                  variation->unit));
      variant /= variation->n;
    }
  if (sweep->measures->record != NULL)
    g_ptr_array_add (settings, g_strdup_printf ("network.record=%s", sweep->measures->record));
  g_ptr_array_add (settings, NULL);
  return settings;
}

/* The course of a variant that is run by itself; NULL where it diverges. */
static IfbamCourse *
run_variant (const Question *question, const IfbamSweep *sweep, guint64 variant, double *instant)
{
  g_autofree char *path = path_of (question);
  g_autoptr (GPtrArray) settings = variant_settings (question, sweep, variant);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamCourse) course = NULL;

  network = ifbam_network_new_from_file (path, (const char *const *) settings->pdata, &error);
  if (network == NULL)
    fail_msg ("%s", error->message);
  course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
  if (course == NULL)
    {
      const char *place = strstr (error->message, "t = ");

      assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED));
      *instant = g_ascii_strtod (place + strlen ("t = "), NULL);
    }
  return g_steal_pointer (&course);
}

/* A measure of a course, computed in the plainest way. */
static double
measure (const char *column, IfbamCourse *course)
{
  const char *signal = strchr (column, ':') + 1;
  const char *quantity = strchr (signal, ':');
  g_autofree char *name =
      quantity == NULL ? g_strdup (signal) : g_strndup (signal, (gsize) (quantity - signal));
  g_autoptr (GError) error = NULL;
  gsize n;
  const double *values = ifbam_course_get_values (course, name, &n, &error);
  double result;

  assert_non_null (values);
  result = values[0];
  if (g_str_has_prefix (column, "max:"))
    for (gsize i = 0; i < n; i++)
      result = values[i] > result ? values[i] : result;
  else if (g_str_has_prefix (column, "min:"))
    for (gsize i = 0; i < n; i++)
      result = values[i] < result ? values[i] : result;
  else if (g_str_has_prefix (column, "final:"))
    result = values[n - 1];
  else if (g_str_has_prefix (column, "rms:"))
    {
      result = 0;
      for (gsize i = 0; i < n; i++)
        result += values[i] * values[i];
      result = sqrt (result / (double) n);
    }
  else
    {
      g_autoptr (IfbamSpectrum) spectrum = ifbam_spectrum_new (
          ifbam_course_get_times (course, &n), values, n, IFBAM_WINDOW_HANN, &error);
      gsize n_peaks;
      g_autofree IfbamPeak *peaks =
          ifbam_spectrum_find_peaks (spectrum, IFBAM_SPECTRUM_THRESHOLD, TRUE, &n_peaks);
      const gboolean frequency = g_str_has_prefix (quantity, ":frequency");
      const guint64 number =
          g_ascii_strtoull (quantity + strlen (frequency ? ":frequency" : ":amplitude"), NULL, 10);

      assert_true (n_peaks <= 5);
      if (number > n_peaks)
        return NAN;
      result = frequency ? peaks[number - 1].frequency : peaks[number - 1].amplitude;
    }
  return result;
}

/* Returns how many diverged. */
static guint
compare_with_runs (const Question *question, const IfbamSweepRun *run)
{
  g_autoptr (IfbamNetworkBytes) bytes = NULL;
  g_autoptr (IfbamSweep) sweep = ask (question, &bytes);
  g_autoptr (GError) error = NULL;
  guint n_diverged = 0;

  if (!ifbam_sweep_run (sweep, run, &error))
    fail_msg ("%s", error->message);
  for (guint64 v = 0; v < sweep->grid->n; v++)
    {
      double instant = 0;
      g_autoptr (IfbamCourse) course = run_variant (question, sweep, v, &instant);

      if (course == NULL)
        {
          assert_int_equal (sweep->grid->state[v], IFBAM_VARIANT_DIVERGED);
          assert_true (fabs (sweep->grid->instant[v] - instant) <= 1e-5 * instant);
          n_diverged++;
          continue;
        }
      assert_int_equal (sweep->grid->state[v], IFBAM_VARIANT_DONE);
      for (guint c = 0; c < sweep->grid->n_values; c++)
        {
          const double alone = measure (sweep->grid->columns->pdata[c], course);
          const double swept = sweep->grid->values[v * sweep->grid->n_values + c];

          if (memcmp (&alone, &swept, sizeof alone) != 0 && !(isnan (alone) && isnan (swept)))
            fail_msg ("%s, variant %" G_GUINT64_FORMAT " of %s ...: %s is %.17g alone, %.17g swept",
                      question->path, v, question->varied[0],
                      (char *) sweep->grid->columns->pdata[c], alone, swept);
        }
    }
  return n_diverged;
}

static const Question questions[] = {
  { "networks/three-dof.ini",
    { "network.duration=0.1s" },
    { "k1.stiffness=5kN/m:20kN/m:7", "m2.mass=1kg:2kg:5" },
    { "max:m1.position,min:m1.position", "rms:m3.velocity", "final:*.position" } },
  { "networks/three-dof.ini",
    { "network.duration=0.1s" },
    { "k1.cubic=0,1e6,2e6", "k3.stiffness=1kN/m,2kN/m", "m1.position=0,1mm", "k2.cubic=0,5e5" },
    { "rms:k1.force,rms:m1.acceleration", "final:network.energy" } },
  { "networks/three-dof.ini",
    { "network.duration=0.1s", "network.sample=1ms" },
    { "m1.mass=1kg:2kg:3", "network.step=50us,100us,200us,500us" },
    { "max:m1.position", "final:m1.position" } },
  { "networks/driven.ini",
    { "network.duration=0.4s" },
    { "floor.frequency=5Hz:15Hz:5", "push.value=0N,10N", "oil.damping=100,200" },
    { "rms:machine.position,max:floor.position,max:push.force", "min:mount.compression" } },
  { "networks/duffing.ini",
    { "network.duration=0.5s", "network.scheme=rk4" },
    { "network.duration=0.1s,0.5s,0.25s", "network.step=1ms,0.5ms" },
    { "final:*.position" } },
  { NULL,
    { "network.scheme=verlet" },
    { "coil=5kN/m:20kN/m:4", "c.stiffness=10kN/m:30kN/m:3" },
    { "max:c.m5.position", "final:c.m[1:5:2].velocity" } },
  { NULL,
    { NULL },
    { "c.k2.stiffness=10kN/m,20kN/m", "c.count=3:6:4", "twin=5kN/m,6kN/m", "m1.mass=1kg,2kg" },
    { "max:c.m3.position", "rms:shaker.velocity,final:c.k2.force" } },
  { NULL,
    { NULL },
    { "d1.damping=1,2,3" },
    { "final:network.dissipated,final:network.supplied", "max:network.kinetic" } },
  { "networks/torsion.ini",
    { "network.duration=0.1s" },
    { "shaft.stiffness=1000:2000:3" },
    { "max:shaft.torque", "rms:*.speed" } },
  { "networks/mesh.ini", { NULL }, { "network.duration=10ms:30ms:3" }, { "max:*.position" } },
  { "events.ini",
    { NULL },
    { "stop.restitution=0:1:3", "stop.gap=2cm,5cm", "rub.breakaway=0,1" },
    { "max:m1.position,rms:m1.velocity,final:stop.dissipated" } },
  /* some variants have events */
  { "networks/gear-train.ini",
    { "network.duration=50ms" },
    { "drive.value=10,20,30", "first.play=0,1mrad", "first.stiffness=1e4,2e4" },
    { "final:*.speed", "rms:first.torque" } },
  { "networks/rectifier.ini",
    { "network.duration=5ms" },
    { "load.resistance=100ohm,200ohm" },
    { "max:*.voltage" } },
  /* some have the same step */
  { NULL,
    { "network.step=auto", "network.duration=50ms" },
    { "c.k2.stiffness=10kN/m:30kN/m:6", "push.amplitude=1N,2N", "network.duration=40ms,50ms" },
    { "final:*.position", "rms:m2.velocity" } },
  /* varied parameters give other values */
  { "formula.ini",
    { NULL },
    { "k=5kN/m:20kN/m:4", "zeta=0.01,0.1", "m=1kg,2.5kg" },
    { "max:*.position", "final:d.force,rms:push.force" } },
  { "formula.ini",
    { "c=0.5 ms * $k" },
    { "k=5kN/m:20kN/m:3", "l=1cm,2cm" },
    { "max:*.position", "final:d.force" } },
  /* one of them is varied itself */
  { "formula.ini",
    { NULL },
    { "m=1kg:2kg:3", "d.damping=1,2", "r.k2.stiffness=1kN/m,2kN/m" },
    { "max:*.position", "final:d.force" } },
  /* each starts elsewhere */
  { "resting.ini",
    { NULL },
    { "k1.stiffness=50,100,200", "m2.mass=1kg:3kg:3", "m1.position=0,1cm" },
    { "max:*.position", "final:k1.force" } },
};

static void
test_numbers (void **state)
{
  (void) state;
  for (guint q = 0; q < G_N_ELEMENTS (questions); q++)
    for (guint way = 0; way < 4; way++)
      {
        const IfbamSweepRun run = { .threads = way % 2 + 1,
                                    .one_by_one = way == 2,
                                    .objects = way == 3 };

        assert_int_equal (compare_with_runs (&questions[q], &run), 0);
      }
}

static void
test_spectra (void **state)
{
  const Question question = { "networks/three-dof.ini",
                              { "network.duration=2s", "network.sample=1ms" },
                              { "k1.stiffness=5kN/m:20kN/m:3", "m2.mass=1kg,2kg,3kg,4kg" },
                              { "spectrum:m1.position", "spectrum:m3.position,max:m3.position" } };

  (void) state;
  for (guint threads = 1; threads <= 2; threads++)
    {
      const IfbamSweepRun run = { .threads = threads };

      assert_int_equal (compare_with_runs (&question, &run), 0);
    }
}

/* Modes, alone and beside a run, small networks and such as only some modes are looked for in. */
static void
test_modes (void **state)
{
  static const struct
  {
    Question question;
    guint least; /* modes */
  } cases[] = {
    { { "networks/three-dof.ini",
        { NULL },
        { "k1.stiffness=5kN/m:20kN/m:3", "m2.mass=1kg:2kg:11" },
        { NULL } },
      3 },
    { { "networks/damped.ini",
        { "network.duration=0.1s" },
        { "network.step=1ms,2ms", "d1.damping=1:100:7" },
        { "damping,max:m1.position", "frequencies" } },
      1 },
    { { NULL,
        { NULL },
        { "c.count=2:4:3", "coil=1kN/m,2kN/m" },
        { "frequencies", "damping", "frequencies" } },
      4 },
    { { "networks/chain-1000.ini",
        { "network.duration=1ms" },
        { "c.stiffness=1kN/m:2kN/m:4" },
        { "frequencies" } },
      5 },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Question *question = &cases[i].question;
      g_autofree char *path = path_of (question);
      g_autoptr (IfbamNetworkBytes) bytes = NULL;
      g_autoptr (IfbamSweep) sweep = ask (question, &bytes);
      g_autoptr (GError) error = NULL;
      const IfbamSweepRun run = { .threads = 2 };

      if (!ifbam_sweep_run (sweep, &run, &error))
        fail_msg ("%s", error->message);
      for (guint64 v = 0; v < sweep->grid->n; v++)
        {
          g_autoptr (GPtrArray) settings = variant_settings (question, sweep, v);
          g_autoptr (IfbamNetwork) network =
              ifbam_network_new_from_file (path, (const char *const *) settings->pdata, &error);
          g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 5, 0, &error);
          gsize n;
          const IfbamMode *mode = ifbam_modes_get_modes (modes, &n);

          assert_in_range (n, cases[i].least, 5);
          assert_int_equal (sweep->grid->state[v], IFBAM_VARIANT_DONE);
          for (guint c = 0; c < sweep->grid->n_values; c++)
            {
              const char *column = sweep->grid->columns->pdata[c];
              const guint64 m = g_ascii_strtoull (strchr (column, ':') + 1, NULL, 10);
              const double value = sweep->grid->values[v * sweep->grid->n_values + c];

              if (m == 0)
                assert_true (value > 0 && value < 1); /* of the run */
              else if (m > n)
                assert_true (isnan (value));
              else if (g_str_has_prefix (column, "frequencies:"))
                assert_true (fabs (value - mode[m - 1].frequency) <= 1e-12 * value);
              else
                assert_true (fabs (value - mode[m - 1].damping_ratio) <= 1e-12);
            }
        }
    }
}

/* A column is one mode, however often others cross it, on every axis; and by rank where one asks for that. */
static void
test_modes_that_cross (void **state)
{
  g_autofree char *path = folder_path ("mirror.ini");
  static const struct
  {
    const char *settings[3], *varied[4];
  } cases[] = {
    { { NULL }, { "bridge=100:900:9" } },
    { { NULL }, { "coil=300:700:5", "bridge=100:900:9" } },
    { { NULL }, { "bridge=100:900:9", "coil=300:700:5" } },
    { { "oil=2", "thick=3" }, { "coil=300:700:5", "bridge=100:900:9" } },
    { { "thick=15" }, { "bridge=100:900:9", "oil=0,1,2", "coil=300:700:5" } },
    { { NULL }, { "bridge=100:900:17", "network.step=1ms,2ms", "coil=300:700:9" } },
  };
  static const char *const measured[] = { "frequencies,damping", "frequencies,final:a.position" };

  (void) state;
  for (guint i = 0; i < 4 * G_N_ELEMENTS (cases); i++)
    {
      const gboolean by_rank = i / G_N_ELEMENTS (cases) == 3;
      const IfbamSweepRun run = { .threads = 1 + i / G_N_ELEMENTS (cases) % 2 };
      const gboolean runs = i % 4 == 1;
      Question question = { path, { NULL }, { NULL }, { measured[runs] } };
      g_autoptr (IfbamNetworkBytes) bytes = NULL;
      g_autoptr (IfbamSweep) sweep = NULL;
      g_autoptr (GError) error = NULL;

      memcpy (question.settings, cases[i % G_N_ELEMENTS (cases)].settings,
              sizeof cases[0].settings);
      memcpy (question.varied, cases[i % G_N_ELEMENTS (cases)].varied, sizeof cases[0].varied);
      sweep = ask (&question, &bytes);
      sweep->measures->by_rank = by_rank;
      if (!ifbam_sweep_run (sweep, &run, &error))
        fail_msg ("%s", error->message);
      for (guint64 v = 0; v < sweep->grid->n; v++)
        {
          const double *values = sweep->grid->values + v * sweep->grid->n_values;
          double coil = 300, bridge = 100;
          double oil = question.settings[0] != NULL && question.settings[1] != NULL ? 2 : 0;
          double thick = question.settings[0] == NULL ? 0 : question.settings[1] != NULL ? 3 : 15;
          gsize index[4];

          ifbam_grid_indices (sweep->grid, v, index);
          for (guint k = 0; k < sweep->variations->len; k++)
            {
              const IfbamVariation *variation = sweep->variations->pdata[k];
              const double value = variation->values[index[k]];

              coil = g_str_equal (variation->name, "coil") ? value : coil;
              bridge = g_str_equal (variation->name, "bridge") ? value : bridge;
              oil = g_str_equal (variation->name, "oil") ? value : oil;
            }
          for (guint m = 0; m < 4 && by_rank; m++)
            assert_true (m == 0 || values[m] >= values[m - 1]);
          for (guint m = 0; m < 4 && !by_rank; m++)
            {
              const double stiffness = 1000 + 2 * (m & 1) * bridge + (m & 2) * coil;
              const double damping = 2 * (m & 1) * oil + (m & 2) * thick;
              const double omega = sqrt (stiffness - damping * damping / 4);

              if (fabs (values[m] - omega / (2 * G_PI)) > 1e-9 * omega)
                fail_msg ("case %u, coil %g, bridge %g: mode %u has %g Hz, not %g", i, coil, bridge,
                          m + 1, values[m], omega / (2 * G_PI));
              if (!runs && fabs (values[5 + m] - damping / (2 * sqrt (stiffness))) > 1e-9)
                fail_msg ("case %u, coil %g, bridge %g: mode %u has damping %g, not %g", i, coil,
                          bridge, m + 1, values[5 + m], damping / (2 * sqrt (stiffness)));
            }
          assert_true (isnan (values[4]));
        }
    }
}

/* Where masses differ a little two modes do not meet, but mix in one variant, which tells neither from the other: they are
 * known again by the variant before it. */
static void
test_modes_that_mix (void **state)
{
  static const char *const masses[] = { "a.mass=0.99", "a.mass=0.999", "a.mass=1.001",
                                        "a.mass=1.01" };
  static const char *const coils[] = { "coil=300", "coil=400", "coil=500" };
  g_autofree char *path = folder_path ("mirror.ini");

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (masses) * G_N_ELEMENTS (coils); i++)
    {
      const Question question = {
        path, { masses[i % 4], coils[i / 4] }, { "bridge=100:900:9" }, { "frequencies" }
      };
      const IfbamSweepRun run = { .threads = 1 };
      g_autoptr (IfbamNetworkBytes) bytes = NULL;
      g_autoptr (IfbamSweep) sweep = ask (&question, &bytes);
      g_autoptr (GError) error = NULL;

      assert_true (ifbam_sweep_run (sweep, &run, &error));
      for (guint64 v = 0; v < 9; v++)
        {
          const double bridge = 100 + 100 * (double) v, coil = 300 + 100 * (i / 4);
          const double *values = sweep->grid->values + v * sweep->grid->n_values;

          /* A mass that is off by a hundredth moves them by a four hundredth. */
          if (bridge != coil
              && fabs (values[1] * 2 * G_PI - sqrt (1000 + 2 * bridge))
                     > 0.004 * 2 * G_PI * values[1])
            fail_msg ("%s, %s, bridge %g: mode 2 has %g Hz", masses[i % 4], coils[i / 4], bridge,
                      values[1]);
        }
    }
}

/* The columns of modes are known again where most of a sweep was finished before. */
static void
test_modes_that_cross_resumed (void **state)
{
  g_autofree char *network = folder_path ("mirror.ini"), *path = NULL;
  const Question question = { network,
                              { "oil=2", "thick=3" },
                              { "coil=300:700:5", "bridge=100:900:9" },
                              { "frequencies,damping,final:a.position" } };
  const IfbamSweepRun run = { .threads = 2 };

  (void) state;
  for (guint part = 0; part < 4; part++)
    {
      g_autoptr (IfbamNetworkBytes) bytes = NULL, again = NULL;
      g_autoptr (IfbamSweep) whole = ask (&question, &bytes), sweep = ask (&question, &again);
      g_autoptr (GError) error = NULL;
      g_autoptr (GString) text = NULL, kept = NULL;
      g_auto (GStrv) lines = NULL;
      g_autofree guint8 *known = NULL;

      assert_true (ifbam_sweep_run (whole, &run, &error));
      text = ifbam_sweep_to_csv (whole->grid);
      lines = g_strsplit (text->str, "\n", -1);
      kept = g_string_new (NULL);
      for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++)
        if (i == 0 || (part == 0 ? i < 20 : part == 1 ? i % 7 != 3 : part == 2 ? i > 30 : TRUE))
          g_string_append_printf (kept, "%s\n", lines[i]);
      g_free (path);
      path = folder_write ("kept.csv", kept->str);
      if (!ifbam_sweep_resume (sweep, &run, path, &error))
        fail_msg ("%s", error->message);
      known = g_memdup2 (sweep->grid->state, sweep->grid->n);
      if (!ifbam_sweep_run (sweep, &run, &error))
        fail_msg ("%s", error->message);
      /* Existing values keep their bits; another search has other roundings. */
      for (guint64 i = 0; i < whole->grid->n * whole->grid->n_values; i++)
        {
          const double value = sweep->grid->values[i], other = whole->grid->values[i];

          if (known[i / whole->grid->n_values] == IFBAM_VARIANT_DONE)
            assert_memory_equal (&value, &other, sizeof value);
          else if (!(isnan (value) && isnan (other)))
            assert_true (fabs (value - other) <= 1e-12 * MAX (1, fabs (other)));
        }
    }
}

/* The single oscillator's own formula: f = sqrt (k/m) / 2 pi. */
static void
test_frequencies (void **state)
{
  const Question question = { "networks/one-dof.ini",
                              { NULL },
                              { "k1.stiffness=1N/m:1MN/m:31:log", "m1.mass=1g:1kg:7:log" },
                              { NULL } };
  g_autoptr (IfbamNetworkBytes) bytes = NULL;
  g_autoptr (IfbamSweep) sweep = ask (&question, &bytes);
  const IfbamVariation *stiffness = sweep->variations->pdata[0],
                       *mass = sweep->variations->pdata[1];
  const IfbamSweepRun run = { 0 };

  (void) state;
  assert_true (ifbam_sweep_run (sweep, &run, NULL));
  for (guint64 v = 0; v < sweep->grid->n; v++)
    {
      const double f = sqrt (stiffness->values[v / 7] / mass->values[v % 7]) / (2 * G_PI);

      assert_true (fabs (sweep->grid->values[v * sweep->grid->n_values] - f) <= 1e-12 * f);
    }
}

/* The note on the scheme's error names the variant with the largest one. */
static void
test_growth (void **state)
{
  static const struct
  {
    Question question;
    guint64 variant;
    double rate; /* omega^2 step / 4 and omega^4 step^3 / 8, for k = 4e4 N/m and m = 0.25 kg */
  } cases[] = {
    { { "networks/one-dof.ini",
        { "network.scheme=original", "network.step=10us" },
        { "k1.stiffness=40kN/m,10kN/m", "m1.mass=1,0.25" },
        { "max:m1.position" } },
      1,
      0.4 },
    { { "networks/one-dof.ini",
        { NULL },
        { "m1.mass=0.25,2,1", "network.step=10us,100us", "k1.stiffness=40kN/m,10kN/m" },
        { "max:m1.position" } },
      2,
      3.2e-3 },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (IfbamNetworkBytes) bytes = NULL;
      g_autoptr (IfbamSweep) sweep = ask (&cases[i].question, &bytes);
      IfbamSweepGrowth growth;

      assert_true (ifbam_sweep_find_growth (sweep, &growth));
      assert_int_equal (growth.variant, cases[i].variant);
      assert_true (growth.verlet_bears);
      if (fabs (growth.rate - cases[i].rate) > 0.01 * cases[i].rate)
        fail_msg ("rate %.6g", growth.rate);
    }
}

/* A variant that diverges is marked, and the others go on. */
static void
test_divergence (void **state)
{
  static const Question cases[] = {
    { "networks/three-dof.ini",
      { "network.scheme=verlet" },
      { "k1.stiffness=5kN/m,10kN/m", "network.step=5ms:8ms:4" },
      { "max:m1.position" } },
    { "networks/two-dof.ini",
      { "network.scheme=euler", "network.duration=1s" },
      { "network.step=0.5ms,5ms", "k2.stiffness=1kN/m:500kN/m:12" },
      { "rms:m1.position" } },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint way = 0; way < 2; way++)
      {
        const IfbamSweepRun run = { .threads = 2, .one_by_one = way == 1 };
        const guint n = compare_with_runs (&cases[i], &run);

        assert_in_range (n, 2, i == 0 ? 7 : 23);
      }
}

/* The table */

static void
test_table (void **state)
{
  const Question question = {
    "networks/three-dof.ini",
    { "network.duration=1s", "network.scheme=verlet" },
    { "network.step=1ms,9ms", "k1.stiffness=5kN/m:20kN/m:3" },
    { "final:m1.position", "spectrum:m2.position" },
  };
  g_autoptr (IfbamNetworkBytes) bytes = NULL;
  g_autoptr (IfbamSweep) sweep = ask (&question, &bytes);
  g_autofree char *path = folder_path ("sweep.csv");
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCsvTable) table = NULL;
  const IfbamSweepRun run = { 0 };
  GString *text;

  (void) state;
  assert_true (ifbam_sweep_run (sweep, &run, &error));
  assert_int_equal (ifbam_grid_count (sweep->grid, FALSE), 6);
  assert_int_equal (ifbam_grid_count (sweep->grid, TRUE), 3);
  text = ifbam_sweep_to_csv (sweep->grid);
  assert_true (g_str_has_prefix (
      text->str, "network.step,k1.stiffness,final:m1.position,spectrum:m2.position:frequency1,"
                 "spectrum:m2.position:frequency2,spectrum:m2.position:frequency3,"
                 "spectrum:m2.position:amplitude1,spectrum:m2.position:amplitude2,"
                 "spectrum:m2.position:amplitude3,diverged\n0.001,5000,"));
  assert_true (g_file_set_contents (path, text->str, -1, NULL));
  g_string_free (text, TRUE);
  table = ifbam_csv_table_new_from_csv (path, &error);
  assert_non_null (table);
  assert_int_equal (table->n_rows, 6);
  for (guint64 v = 0; v < 6; v++)
    {
      const double instant =
          ifbam_csv_table_value (table, v, (guint) ifbam_csv_table_column (table, "diverged"));
      const double value = ifbam_csv_table_value (
          table, v, (guint) ifbam_csv_table_column (table, "final:m1.position"));

      assert_true (ifbam_csv_table_value (table, v, 0) == (v < 3 ? 1e-3 : 9e-3));
      assert_true (ifbam_csv_table_value (table, v, 1) == 5e3 + 7.5e3 * (double) (v % 3));
      assert_true (isnan (instant) == (v < 3));
      assert_true (isnan (value) == (v >= 3));
      assert_true (v >= 3 || value == sweep->grid->values[v * sweep->grid->n_values]);
      assert_true (v < 3 || instant == sweep->grid->instant[v]);
    }
}

static void
test_wrong_tables (void **state)
{
  static const struct
  {
    const char *text, *reason;
  } cases[] = {
    { "", "is empty" },
    { "1,2\n3,4\n", ":1: \"1\" is no name of a column" },
    { "a,b,a\n", ":1: two columns are called \"a\"" },
    { "a,,b\n", ":1: column 2 has no name" },
    { "a,b\n1,2\n\n1,2,3\n", ":4: the row has 3 of 2 fields" },
    { "a,b\n1,two\n", ":2: b: \"two\" is not a number" },
    { "a,b\n1,inf\n", ":2: b: \"inf\" is not a number" },
    { "a,b\n1,2\n1", ":3: the row has 1 of 2 fields" },
  };
  g_autofree char *path = folder_path ("table.csv");
  g_autoptr (GError) zero = NULL, missing = NULL;

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      assert_true (g_file_set_contents (path, cases[i].text, -1, NULL));
      assert_null (ifbam_csv_table_new_from_csv (path, &error));
      assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_COURSE));
      if (strstr (error->message, cases[i].reason) == NULL)
        fail_msg ("%s", error->message);
    }
  assert_null (ifbam_csv_table_new_from_csv ("/dev/zero", &zero));
  assert_non_null (strstr (zero->message, "this is not text"));
  assert_null (ifbam_csv_table_new_from_csv ("nowhere.csv", &missing));
  assert_non_null (strstr (missing->message, "nowhere.csv: No such file"));
  assert_true (g_file_set_contents (
      path, "\xef\xbb\xbf\"a\",\"b,\"\"c\"\"\"\r\n1.5, \r\n,-2e-3\r\n", -1, NULL));
  {
    g_autoptr (IfbamCsvTable) table = ifbam_csv_table_new_from_csv (path, NULL);

    assert_non_null (table);
    assert_string_equal (table->names->pdata[1], "b,\"c\"");
    assert_int_equal (table->n_rows, 2);
    assert_true (ifbam_csv_table_value (table, 0, 0) == 1.5);
    assert_true (isnan (ifbam_csv_table_value (table, 0, 1)));
    assert_true (isnan (ifbam_csv_table_value (table, 1, 0)));
    assert_true (ifbam_csv_table_value (table, 1, 1) == -2e-3);
    assert_int_equal (ifbam_csv_table_column (table, "c"), -1);
  }
}

/* Going on */

static const Question long_question = {
  "networks/three-dof.ini",
  { "network.duration=20s" },
  { "k1.stiffness=5kN/m:20kN/m:11", "m2.mass=1kg:2kg:17" },
  { "max:m1.position,rms:m3.velocity" },
};

typedef struct
{
  IfbamSweep *sweep;
  double part;
} Interruption;

static gboolean
stop_with_some (gpointer data, double part)
{
  Interruption *interruption = data;

  assert_true (part >= interruption->part && part <= 1);
  interruption->part = part;
  return ifbam_grid_count (interruption->sweep->grid, FALSE) < 3;
}

static void
write_csv (const IfbamSweep *sweep, const char *path)
{
  GString *text = ifbam_sweep_to_csv (sweep->grid);

  assert_true (g_file_set_contents (path, text->str, -1, NULL));
  g_string_free (text, TRUE);
}

/* Interrupted, written, read and gone on with: the table of a sweep in one go. */
static void
test_resume (void **state)
{
  g_autoptr (IfbamNetworkBytes) bytes = NULL, other_bytes = NULL, whole_bytes = NULL;
  g_autoptr (IfbamSweep) sweep = ask (&long_question, &bytes), other = NULL, whole = NULL;
  g_autofree char *path = folder_path ("half.csv"), *half = NULL;
  g_autoptr (GError) error = NULL, none = NULL;
  Interruption interruption = { .sweep = sweep };
  /* One by one: that takes long enough to be interrupted. */
  const IfbamSweepRun run = {
    .threads = 1, .one_by_one = TRUE, .progress = stop_with_some, .data = &interruption
  };
  const IfbamSweepRun on = { .threads = 2 };
  GString *resumed, *straight;
  guint64 n;

  (void) state;
  assert_false (ifbam_sweep_run (sweep, &run, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED));
  n = ifbam_grid_count (sweep->grid, FALSE);
  assert_in_range (n, 3, sweep->grid->n - 1);
  write_csv (sweep, path);
  assert_true (g_file_get_contents (path, &half, NULL, NULL));

  other = ask (&long_question, &other_bytes);
  if (!ifbam_sweep_resume (other, &on, path, &none))
    fail_msg ("%s", none->message);
  assert_int_equal (ifbam_grid_count (other->grid, FALSE), n);
  assert_true (ifbam_sweep_run (other, &on, &none));
  resumed = ifbam_sweep_to_csv (other->grid);

  whole = ask (&long_question, &whole_bytes);
  assert_true (ifbam_sweep_run (whole, &on, &none));
  straight = ifbam_sweep_to_csv (whole->grid);
  assert_string_equal (resumed->str, straight->str);
  g_string_free (resumed, TRUE);
  g_string_free (straight, TRUE);
}

/* Modes and responses of a thousand masses check for an interrupt many times within one variant; after an interrupt they
 * return an error without a further check. */
static void
test_modes_hear_interruption (void **state)
{
  const Question question = { "networks/chain-1000.ini",
                              { NULL },
                              { "c.k1.stiffness=5kN/m,6kN/m" },
                              { "frequencies,response:force@c.m1:c.m9.position" } };
  g_autoptr (IfbamNetworkBytes) bytes = NULL;
  g_autoptr (IfbamSweep) sweep = ask (&question, &bytes);
  g_autoptr (IfbamNetwork) network = open_network (question.path, NULL);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = NULL;
  g_autofree double *values = g_new0 (double, sweep->grid->n_values);

  (void) state;
  model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, NULL);
  assert_non_null (model);
  for (guint what = 0; what < 2; what++)
    {
      guint all = 0;

      for (guint most = 0; all == 0; most = most < 3 ? most + 1 : G_MAXUINT)
        {
          Patience patience = { .most = most };
          const IfbamMeasureWatch watch = { go_on_for_a_while, &patience };
          g_autoptr (GError) error = NULL;
          g_autoptr (IfbamModes) modes = NULL;
          gboolean fine;

          if (what == 0)
            modes = ifbam_measures_find_modes (sweep->measures, model, &spec, &watch, &error);
          fine = what == 0
                     ? modes != NULL
                     : ifbam_measures_take_responses (sweep->measures, model, &spec,
                                                      network->by_name, &watch, values, &error);
          if (most == G_MAXUINT)
            {
              assert_true (fine);
              all = patience.asked;
              continue;
            }
          assert_false (fine);
          assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED));
          assert_int_equal (patience.asked, most + 1);
        }
      assert_true (all >= 20);
    }
}

static gboolean
stop_at_second (gpointer data, double part)
{
  (void) part;
  return ++*(guint *) data < 2;
}

/* A sweep that is interrupted within its variants has no fault of its own, and goes on to the same table. */
static void
test_interrupted_modes (void **state)
{
  const Question question = { "networks/chain-1000.ini",
                              { NULL },
                              { "c.k1.stiffness=5kN/m:6kN/m:40" },
                              { "frequencies,response:force@c.m1:c.m9.position" } };
  g_autoptr (IfbamNetworkBytes) bytes = NULL, whole_bytes = NULL;
  g_autoptr (IfbamSweep) sweep = ask (&question, &bytes), whole = ask (&question, &whole_bytes);
  g_autoptr (GError) error = NULL;
  guint asked = 0;
  const IfbamSweepRun run = { .threads = 2, .progress = stop_at_second, .data = &asked };
  const IfbamSweepRun on = { .threads = 2 };
  g_autoptr (GString) resumed = NULL, straight = NULL;

  (void) state;
  if (!ifbam_sweep_run (sweep, &run, &error))
    assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED));
  g_clear_error (&error);
  assert_true (ifbam_sweep_run (sweep, &on, &error));
  resumed = ifbam_sweep_to_csv (sweep->grid);
  assert_true (ifbam_sweep_run (whole, &on, &error));
  straight = ifbam_sweep_to_csv (whole->grid);
  assert_string_equal (resumed->str, straight->str);
}

/* A file of another sweep is told from this one's. */
static void
test_wrong_resume (void **state)
{
  static const struct
  {
    Question question;
    const char *reason;
  } cases[] = {
    { { "networks/three-dof.ini",
        { NULL },
        { "k2.stiffness=5kN/m:20kN/m:4" },
        { "max:m1.position" } },
      "its column 1 is \"k1.stiffness\", not \"k2.stiffness\"" },
    { { "networks/three-dof.ini",
        { NULL },
        { "k1.stiffness=5kN/m:20kN/m:4", "m2.mass=1,2" },
        { "max:m1.position" } },
      "its column 2 is \"max:m1.position\", not \"m2.mass\"" },
    { { "networks/three-dof.ini",
        { NULL },
        { "k1.stiffness=5kN/m:20kN/m:3" },
        { "max:m1.position" } },
      "k1.stiffness = 10000 is not varied" },
    { { "networks/three-dof.ini",
        { NULL },
        { "k1.stiffness=5kN/m:20kN/m:4" },
        { "min:m1.position" } },
      "it has a column \"max:m1.position\", which is not measured" },
    { { "networks/three-dof.ini",
        { NULL },
        { "k1.stiffness=5kN/m:20kN/m:4" },
        { "max:m1.position,max:m2.position" } },
      "it has no column \"max:m2.position\"" },
    { { "networks/three-dof.ini",
        { "k2.stiffness=41kN/m" },
        { "k1.stiffness=5kN/m:20kN/m:4" },
        { "max:m1.position" } },
      "with k1.stiffness = 5000 N/m its max:m1.position is 0.00100" },
    { { "networks/three-dof.ini",
        { "network.scheme=verlet" },
        { "k1.stiffness=5kN/m:20kN/m:4" },
        { "max:m1.position" } },
      "with k1.stiffness = 5000 N/m its max:m1.position is" },
    { { "networks/three-dof.ini",
        { "network.step=20ms" },
        { "k1.stiffness=5kN/m:20kN/m:4" },
        { "max:m1.position" } },
      "with k1.stiffness = 5000 N/m this one diverges" },
  };
  const Question question = { "networks/three-dof.ini",
                              { "network.duration=3s", "m3.position=0.1mm", "m2.velocity=1cm/s" },
                              { "k1.stiffness=5kN/m:20kN/m:4" },
                              { "max:m1.position" } };
  g_autoptr (IfbamNetworkBytes) bytes = NULL;
  g_autoptr (IfbamSweep) sweep = ask (&question, &bytes);
  g_autofree char *path = folder_path ("other.csv");
  const IfbamSweepRun run = { .threads = 1 };

  (void) state;
  assert_true (ifbam_sweep_run (sweep, &run, NULL));
  write_csv (sweep, path);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (IfbamNetworkBytes) own_bytes = NULL;
      g_autoptr (IfbamSweep) own = ask (&cases[i].question, &own_bytes);
      g_autoptr (GError) error = NULL;

      assert_false (ifbam_sweep_resume (own, &run, path, &error));
      assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_COURSE));
      assert_non_null (strstr (error->message, "other.csv is of another sweep: "));
      if (strstr (error->message, cases[i].reason) == NULL)
        fail_msg ("%s\nwanted: %s", error->message, cases[i].reason);
    }
}

/* Figures */

/* A table over two numbers with a corner of variants that diverged, drawn as SVG. */
static char *
draw (const char *table, const char *title, const char *const *columns, char **left_out)
{
  g_autoptr (IfbamChart) chart = ifbam_chart_new (IFBAM_CHART_SWEEP);
  g_autofree char *csv = folder_path ("figure.csv"), *svg = folder_path ("figure.svg");
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCsvTable) parsed = NULL;
  char *text = NULL;

  assert_true (g_file_set_contents (csv, table, -1, NULL));
  parsed = ifbam_csv_table_new_from_csv (csv, &error);
  assert_non_null (parsed);
  chart->title = title;
  if (!ifbam_sweep_chart (chart, parsed, columns, left_out, &error)
      || !ifbam_chart_draw (chart, svg, &error))
    fail_msg ("%s", error->message);
  assert_true (g_file_get_contents (svg, &text, NULL, NULL));
  return text;
}

static char *
grid_table (guint n_x, guint n_y)
{
  GString *text = g_string_new ("k1.stiffness,network.step,max:m1.position,rms:m1.velocity,"
                                "spectrum:m1.position:frequency1,spectrum:m1.position:amplitude1,"
                                "diverged\n");

  for (guint i = 0; i < n_x; i++)
    for (guint j = 0; j < n_y; j++)
      if (i + j + 4 < n_x + n_y || n_y == 1)
        g_string_append_printf (text, "%.17g,%.17g,%u,%u,%u,1,\n", pow (10, i), 1e-3 * (j + 1),
                                i + 2 * j, i + j, i + 3);
      else
        g_string_append_printf (text, "%.17g,%.17g,,,,,0.5\n", pow (10, i), 1e-3 * (j + 1));
  return g_string_free (text, FALSE);
}

static guint
count_text (const char *text, const char *part)
{
  guint n = 0;

  for (const char *place = strstr (text, part); place != NULL; place = strstr (place + 1, part))
    n++;
  return n;
}

static void
test_figures (void **state)
{
  const char *const columns[] = { "max:m1.position", NULL };
  const char *const spectra[] = { "spectrum:m1.position", NULL };
  g_autofree char *many = grid_table (9, 10), *few = grid_table (9, 3), *one = grid_table (9, 1);
  char *left_out = NULL, *svg;

  (void) state;
  /* Two numbers with many values each: a map of each measure, a cell for each value. */
  svg = draw (many, "A title", NULL, &left_out);
  assert_null (left_out);
  assert_non_null (strstr (svg, ">A title<"));
  assert_int_equal (count_text (svg, ">k1.stiffness [N/m]<"), 3);
  assert_int_equal (count_text (svg, ">network.step [ms]<"), 3);
  assert_int_equal (count_text (svg, ">max:m1.position [m]<"), 1);
  assert_int_equal (count_text (svg, ">rms:m1.velocity [m/s]<"), 1);
  assert_int_equal (count_text (svg, ">spectrum:m1.position:frequency1 [Hz]<"), 1);
  g_free (svg);
  /* Few values of the second: a curve for each. */
  svg = draw (few, NULL, columns, &left_out);
  assert_null (left_out);
  assert_int_equal (count_text (svg, ">max:m1.position, network.step = 0.00"), 3);
  assert_int_equal (count_text (svg, ">position [m]<"), 1);
  assert_int_equal (count_text (svg, ">k1.stiffness [N/m]<"), 1);
  assert_int_equal (count_text (svg, ">velocity"), 0);
  /* Powers of ten stand on a logarithmic axis, up to the last variant that has a value. */
  assert_int_equal (count_text (svg, ">10000<"), 1);
  assert_int_equal (count_text (svg, ">1e+07<"), 1);
  g_free (svg);
  /* One value of the second: it is not told. */
  svg = draw (one, NULL, spectra, &left_out);
  assert_null (left_out);
  assert_int_equal (count_text (svg, ">spectrum:m1.position:frequency1<"), 1);
  assert_int_equal (count_text (svg, "amplitude"), 0);
  assert_int_equal (count_text (svg, ">frequency [Hz]<"), 1);
  g_free (svg);
}

/* A map too large for text, and tables without a figure. */
static void
test_figures_with_less (void **state)
{
  static const struct
  {
    const char *table, *column, *reason;
  } cases[] = {
    { "time,m1.position\n0,1\n", NULL, "this is no table of a sweep (want columns" },
    { "time,a\n0,1\n0,2\n0,3\n", NULL, "this is no table of a sweep (want columns" },
    { "max:m1.position\n1\n", NULL, "this is no table of a sweep (want columns" },
    { "k1.stiffness,max:m1.position\n", NULL, "has the names of a sweep's columns and no row" },
    { "max:m1.position\n", NULL, "this is no table of a sweep (want columns" },
    { "k1.stiffness,max:m1.position\n,1\n", NULL, "row 1 has no k1.stiffness" },
    { "k1.stiffness,max:m1.position\n1,1\n2,2\n", "max:m2.position",
      "the table has no measure \"max:m2.position\"" },
    { "k1.stiffness,max:m1.position\n1,1\n2,2\n", "max:m1.pos", "no measure \"max:m1.pos\"" },
    { "k1.stiffness,max:m1.position,diverged\n1,,3\n2,,4\n", NULL, "there is nothing to draw" },
  };
  g_autofree char *path = folder_path ("figure.csv"), *picture = folder_path ("none.svg");
  g_autofree char *many = grid_table (9, 10);
  const char *columns[] = { NULL, NULL };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamCsvTable) table = NULL;
      g_autoptr (IfbamChart) chart = ifbam_chart_new (IFBAM_CHART_SWEEP);
      g_autofree char *left_out = NULL;

      assert_true (g_file_set_contents (path, cases[i].table, -1, NULL));
      table = ifbam_csv_table_new_from_csv (path, &error);
      assert_non_null (table);
      columns[0] = cases[i].column;
      assert_false (ifbam_sweep_chart (chart, table, cases[i].column != NULL ? columns : NULL,
                                       &left_out, &error)
                    && ifbam_chart_draw (chart, picture, &error));
      if (strstr (error->message, cases[i].reason) == NULL)
        fail_msg ("%s", error->message);
      assert_false (g_file_test (picture, G_FILE_TEST_EXISTS));
    }
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (IfbamCsvTable) table = NULL;
    g_autoptr (IfbamChart) chart = ifbam_chart_new (IFBAM_CHART_SWEEP);
    g_autofree char *left_out = NULL;

    assert_true (g_file_set_contents (path, many, -1, NULL));
    table = ifbam_csv_table_new_from_csv (path, &error);
    chart->x.range = (IfbamAxisRange){ 1e9, 1e10 };
    assert_true (ifbam_sweep_chart (chart, table, NULL, &left_out, &error));
    assert_false (ifbam_chart_draw (chart, picture, &error));
    assert_non_null (strstr (error->message, "there is nothing to draw"));
    g_clear_error (&error);
    assert_false (ifbam_chart_draw (chart, "figure.bmp", &error));
    assert_non_null (strstr (error->message, "want .svg, .png or .pdf"));
  }
}

/* Options are checked before any run, and all faults are reported together. */
static void
test_wrong_questions (void **state)
{
  static const struct
  {
    Question question;
    const char *reason;
  } cases[] = {
    { { "formula.ini", { NULL }, { "c=0.5 ms*k" }, { "max:a.position" } },
      "--vary: nothing is varied" },
    { { "formula.ini", { NULL }, { "m=1N,2N" }, { "max:a.position" } },
      "\"1N\" is no mass: N does not convert to kg" },
    { { "formula.ini", { NULL }, { "l=1N,2N" }, { "max:a.position" } }, "N does not convert to m" },
    { { NULL, { NULL }, { "coil=1,2" }, { "max" } }, "--measure max: needs a signal" },
    { { NULL, { NULL }, { "coil=1,2" }, { "max:" } }, "needs a signal" },
    { { NULL, { NULL }, { "coil=1,2" }, { "mox:m1.position" } }, "(did you mean \"max\"?)" },
    { { NULL, { NULL }, { "coil=1,2" }, { "height:m1.position" } },
      "there is no measure \"height\" (want frequencies, damping, response:INPUT:SIGNAL" },
    { { NULL, { NULL }, { "coil=1,2" }, { "frequencies:m1.position" } },
      "frequencies are of the network, not of a signal (want frequencies alone)" },
    { { NULL, { NULL }, { "coil=1,2" }, { "max:m9.position" } },
      "--measure max:m9.position: no element \"m9\" in this network" },
    { { NULL, { NULL }, { "coil=1,2" }, { "response:force@m1:*.position" } },
      "\"*.position\" is 9 signals, not one" },
    { { NULL, { NULL }, { "coil=1,2" }, { "max:m1.colour" } },
      "mass \"m1\" has no quantity \"colour\"" },
    { { NULL, { NULL }, { "coil=1,2", "k1.stiffness=3,4" }, { "max:m1.position" } },
      "--vary k1.stiffness=3,4: --vary coil varies the same number" },
    { { NULL, { NULL }, { "k1.colour=1,2", "k9.stiffness=3,4" }, { "max:m8.position" } },
      "\n--vary k9.stiffness=3,4: no element" },
    { { NULL, { NULL }, { "k1.colour=1,2", "k9.stiffness=3,4" }, { "max:m8.position" } },
      "\n--measure max:m8.position: no element" },
    { { NULL, { NULL }, { "m1.mass=1:2:99999", "m2.mass=1:2:99999" }, { "max:m1.position" } },
      "9999800001 variants has more than 2^32 numbers" },
    { { NULL, { "network.sample=4ms" }, { "network.step=1ms,3ms" }, { "max:m1.position" } },
      "--vary: with network.step = 0.003: [network] sample: 0.004 s is no multiple" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = path_of (&cases[i].question);
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamNetworkBytes) bytes = ifbam_network_bytes_new (path, &error);
      g_autoptr (IfbamSweep) sweep =
          ifbam_sweep_new (bytes, cases[i].question.settings, cases[i].question.varied,
                           cases[i].question.measured, 5, &error);

      if (sweep != NULL)
        fail_msg ("%s was taken", cases[i].question.varied[0]);
      assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
      if (strstr (error->message, cases[i].reason) == NULL)
        fail_msg ("%s\nwanted: %s", error->message, cases[i].reason);
    }
}

/* A formula of varied parameters: as a setting, with or without "$". */
static void
test_varied_formula (void **state)
{
  static const Question asked[] = {
    { "formula.ini", { "c=0.5 ms * $k" }, { "k=5kN/m:20kN/m:3" }, { "max:a.position" } },
    { "formula.ini", { NULL }, { "k=5kN/m:20kN/m:3", "c=0.5 ms * k" }, { "max:a.position" } },
    { "formula.ini",
      { NULL },
      { "d.damping=$k*0.5 ms", "k=5kN/m:20kN/m:3" },
      { "max:a.position" } },
  };
  double values[G_N_ELEMENTS (asked)][3];

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      g_autoptr (IfbamNetworkBytes) bytes = NULL;
      g_autoptr (IfbamSweep) sweep = ask (&asked[i], &bytes);
      const IfbamSweepRun run = { .threads = 1 };

      assert_true (ifbam_sweep_run (sweep, &run, NULL));
      assert_int_equal (sweep->grid->n, 3);
      memcpy (values[i], sweep->grid->values, sizeof values[i]);
      assert_true (values[i][0] != values[i][2]);
      assert_memory_equal (values[i], values[0], sizeof values[0]);
    }
}

/* A fault of one variant ends the sweep; the message names the variant. */
static void
test_wrong_variant (void **state)
{
  static const struct
  {
    Question question;
    const char *reason;
  } cases[] = {
    { { NULL, { NULL }, { "c.count=2,2.5,3" }, { "max:m1.position" } },
      "the variant with c.count = 2.5: [chain c] count: 2.5 is no whole number" },
    { { NULL, { NULL }, { "c.count=5,4" }, { "max:c.m5.position" } },
      "the variant with c.count = 4: chain \"c\" has no element \"m5\"" },
    { { "networks/measured-floor.ini",
        { NULL },
        { "floor.amplitude=1mm,2mm" },
        { "max:*.position" } },
      "floor.amplitude = 0.001 m: [drive floor] course: can't be combined with \"amplitude\"" },
    { { NULL, { "network.duration=3ms" }, { "coil=1,2" }, { "spectrum:m1.position" } },
      "4 rows are too few for a spectrum" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (IfbamNetworkBytes) bytes = NULL;
      g_autoptr (IfbamSweep) sweep = ask (&cases[i].question, &bytes);
      g_autoptr (GError) error = NULL;
      const IfbamSweepRun run = { .threads = 2 };

      assert_false (ifbam_sweep_run (sweep, &run, &error));
      assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK));
      if (strstr (error->message, cases[i].reason) == NULL)
        fail_msg ("%s\nwanted: %s", error->message, cases[i].reason);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_values),
    cmocka_unit_test (test_wrong_values),
    cmocka_unit_test (test_numbers),
    cmocka_unit_test (test_spectra),
    cmocka_unit_test (test_modes),
    cmocka_unit_test (test_frequencies),
    cmocka_unit_test (test_modes_that_cross),
    cmocka_unit_test (test_modes_that_mix),
    cmocka_unit_test (test_modes_that_cross_resumed),
    cmocka_unit_test (test_growth),
    cmocka_unit_test (test_divergence),
    cmocka_unit_test (test_table),
    cmocka_unit_test (test_wrong_tables),
    cmocka_unit_test (test_resume),
    cmocka_unit_test (test_modes_hear_interruption),
    cmocka_unit_test (test_interrupted_modes),
    cmocka_unit_test (test_wrong_resume),
    cmocka_unit_test (test_wrong_questions),
    cmocka_unit_test (test_varied_formula),
    cmocka_unit_test (test_wrong_variant),
    cmocka_unit_test (test_figures),
    cmocka_unit_test (test_figures_with_less),
  };

  return cmocka_run_group_tests (tests, set_up, folder_remove);
}
