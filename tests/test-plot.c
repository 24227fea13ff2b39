/* test-plot.c: figures appear whole, in the format that was asked for, or say why not
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "base/ifbam-error.h"
#include "embed/ifbam.h"
#include "figure/chart-panels.h"
#include "figure/figure.h"

#define N 50000

static double times[N], wave[N], slope[N];

static int
make_data (void **state)
{
  (void) state;
  for (gsize i = 0; i < N; i++)
    {
      times[i] = (double) i * 1e-4;
      wave[i] = 2e-3 * cos (2 * G_PI * 10 * times[i]);
      slope[i] = -2e-3 * 2 * G_PI * 10 * sin (2 * G_PI * 10 * times[i]);
    }
  wave[N / 2 + 1] = 5e-3; /* one row, which thinning must not lose */
  return folder_make (state);
}

/* Two units: two panels. Labels with everything that a quote or a markup could break. */
static const IfbamCurve series[] = {
  { .label = "a_1 'quoted' \"twice\" $x `date` {^2} <&>",
    .x_quantity = "time",
    .x_unit = "s",
    .y_quantity = "position",
    .y_unit = "m",
    .n = N,
    .x = times,
    .y = wave },
  { .label = "second\nline",
    .x_quantity = "time",
    .x_unit = "s",
    .y_quantity = "acceleration",
    .y_unit = "m/s²",
    .n = N,
    .x = times,
    .y = slope },
};

/* Of n curves, which the chart copies. */
static IfbamChart *
make_chart (IfbamChartKind kind, const IfbamCurve *curves, guint n)
{
  IfbamChart *chart = ifbam_chart_new (kind);

  chart->title = "it's a title";
  g_array_append_vals (chart->curves, curves, n);
  return chart;
}

/* Draws, reads and removes the picture (transfer full). */
static char *
draw (const IfbamChart *chart, const char *name, gsize *length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  char *bytes = NULL;

  if (!ifbam_chart_draw (chart, path, &error))
    fail_msg ("%s", error->message);
  assert_true (g_file_get_contents (path, &bytes, length, NULL));
  g_remove (path);
  assert_int_equal (folder_count (), 0);
  return bytes;
}

static void
test_formats (void **state)
{
  static const struct
  {
    const char *name, *magic;
  } pictures[] = { { "a.svg", "<?xml" }, { "b.PNG", "\x89PNG\r\n\x1a\n" }, { "c.pdf", "%PDF-" } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    for (guint kind = IFBAM_CHART_COURSE; kind <= IFBAM_CHART_PHASE; kind++)
      for (gsize n_series = 1; n_series <= 2; n_series++)
        {
          g_autoptr (IfbamChart) chart = make_chart (kind, series, n_series);
          gsize length;
          g_autofree char *bytes = draw (chart, pictures[i].name, &length);

          assert_true (length > 1000);
          assert_memory_equal (bytes, pictures[i].magic, strlen (pictures[i].magic));
          if (strstr (pictures[i].name, "PNG") != NULL) /* fine enough for a projector: 1800 wide */
            assert_memory_equal (bytes + 16, "\0\0\7\10", 4);
        }
}

static void
test_words (void **state)
{
  g_autoptr (IfbamChart) chart = make_chart (IFBAM_CHART_COURSE, series, 2);
  gsize length;
  g_autofree char *svg = draw (chart, "a.svg", &length);

  (void) state;
  assert_non_null (strstr (svg, "time [s]"));
  assert_non_null (strstr (svg, "position [mm]"));
  assert_non_null (strstr (svg, "acceleration [m/s²]"));
  assert_non_null (strstr (svg, "a_1 'quoted'"));
  assert_non_null (strstr (svg, "`date` {^2} &lt;&amp;"));
  assert_non_null (strstr (svg, "second line"));
  assert_non_null (strstr (svg, "it's a title"));
  assert_true (length < 400000);
}

static void
test_text (void **state)
{
  g_autoptr (IfbamChart) chart = make_chart (IFBAM_CHART_COURSE, series, 2);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = ifbam_chart_text (chart, 100, 30, &error);
  g_auto (GStrv) lines = NULL;

  (void) state;
  if (text == NULL)
    fail_msg ("%s", error->message);
  assert_non_null (strstr (text, "time [s]"));
  assert_non_null (strstr (text, "position [mm]"));
  assert_non_null (strstr (text, "acceleration [m/s2]"));
  assert_null (strchr (text, '\f'));
  assert_true (g_str_is_ascii (text));
  assert_non_null (strstr (text, " 5 +")); /* the one row that stands out */
  lines = g_strsplit (text, "\n", -1);
  assert_true (g_strv_length (lines) > 50);
  for (guint i = 0; lines[i] != NULL; i++)
    assert_true (strlen (lines[i]) <= 100);
}

/* Without a range a spectrum ends where nothing is seen any more, not at the Nyquist frequency. */
static void
test_spectrum_range (void **state)
{
  double frequencies[1001], amplitudes[1001], at = 46.486, height = 1e-3;
  IfbamCurve line = { .label = "m1.position",
                      .x_quantity = "frequency",
                      .x_unit = "Hz",
                      .y_quantity = "amplitude",
                      .y_unit = "m",
                      .n = 1001,
                      .x = frequencies,
                      .y = amplitudes,
                      .n_marks = 1,
                      .mark_x = &at,
                      .mark_y = &height };
  g_autoptr (IfbamChart) chart = make_chart (IFBAM_CHART_SPECTRUM, &line, 1);

  (void) state;
  for (int i = 0; i <= 1000; i++)
    {
      frequencies[i] = 10.0 * i;
      amplitudes[i] = i == 5 ? 1e-3 : 1e-7;
    }
  for (int log = 0; log < 2; log++)
    {
      g_autofree char *text = NULL;

      chart->y.log = log;
      text = ifbam_chart_text (chart, 100, 30, NULL);
      assert_non_null (text);
      assert_non_null (strstr (text, "46.49"));
      assert_non_null (strstr (text, " 60"));
      assert_null (strstr (text, "000 "));
    }
}

static void
assert_fails (const IfbamChart *chart, const char *name, int code, const char *part)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  assert_false (ifbam_chart_draw (chart, path, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, code));
  if (strstr (error->message, part) == NULL)
    fail_msg ("\"%s\" lacks \"%s\"", error->message, part);
  assert_int_equal (folder_count (), 0);
}

static void
test_faults (void **state)
{
  static const double nan[] = { NAN, INFINITY };
  const IfbamCurve not_finite = { .x = times, .y = nan, .n = 2, .y_quantity = "", .y_unit = "" };
  g_autoptr (IfbamChart) chart = make_chart (IFBAM_CHART_COURSE, series, 1);
  g_autoptr (IfbamChart) none = make_chart (IFBAM_CHART_COURSE, NULL, 0);
  g_autoptr (IfbamChart) beyond = make_chart (IFBAM_CHART_COURSE, series, 1);
  g_autoptr (IfbamChart) undefined = make_chart (IFBAM_CHART_COURSE, &not_finite, 1);

  (void) state;
  beyond->x.range.from = 1e3;
  assert_fails (chart, "a.jpg", IFBAM_ERROR_USAGE, "a.jpg: the suffix");
  assert_fails (chart, "svg", IFBAM_ERROR_USAGE, "want .svg, .png or .pdf");
  assert_fails (none, "a.svg", IFBAM_ERROR_COURSE, "nothing to draw");
  assert_fails (beyond, "a.svg", IFBAM_ERROR_USAGE, "nothing to draw");
  assert_fails (undefined, "a.svg", IFBAM_ERROR_COURSE, "nothing to draw");
  assert_fails (chart, "missing/a.svg", IFBAM_ERROR_WRITE, "No such file or directory");
}

static void
test_no_gnuplot (void **state)
{
  g_autoptr (IfbamChart) chart = make_chart (IFBAM_CHART_COURSE, series, 1);
  g_autofree char *path = g_strdup (g_getenv ("PATH"));

  (void) state;
  g_setenv ("PATH", folder, TRUE);
  assert_fails (chart, "a.svg", IFBAM_ERROR_PROGRAM, "install gnuplot");
  g_setenv ("PATH", path, TRUE);
}

/* A constant, one point, the largest numbers: no picture is no excuse. */
static void
test_odd_data (void **state)
{
  static const double x[] = { 0, 1, 2 }, constant[] = { 3, 3, 3 }, zero[] = { 0, 0, 0 };
  static const double large[] = { -1e300, 1e300, 1e-300 }, holes[] = { NAN, 1, INFINITY };
  static const double *const columns[] = { constant, zero, large, holes };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    for (guint kind = IFBAM_CHART_COURSE; kind <= IFBAM_CHART_PHASE; kind++)
      {
        const gsize n[] = { 3, columns[i] == holes ? 2 : 1 };

        for (guint k = 0; k < G_N_ELEMENTS (n); k++)
          {
            IfbamCurve odd = series[0];
            g_autoptr (IfbamChart) chart = NULL;
            gsize length;

            odd.n = n[k];
            odd.x = x;
            odd.y = columns[i];
            chart = make_chart (kind, &odd, 1);
            g_free (draw (chart, "a.svg", &length));
          }
      }
}

static void
assert_quantity_of (IfbamCourse *course, const char *signal, const char *quantity, const char *unit)
{
  const char *its_quantity, *its_unit;

  ifbam_signal_quantity (course, signal, &its_quantity, &its_unit);
  assert_string_equal (its_quantity, quantity);
  assert_string_equal (its_unit, unit);
}

static void
assert_quantity (const char *signal, const char *quantity, const char *unit)
{
  assert_quantity_of (NULL, signal, quantity, unit);
}

static void
test_quantities (void **state)
{
  (void) state;
  assert_quantity ("m1.position", "position", "m");
  assert_quantity ("c.m12.acceleration", "acceleration", "m/s²");
  assert_quantity ("network.momentum", "momentum", "kg m/s");
  assert_quantity ("network.kinetic", "kinetic energy", "J");
  assert_quantity ("i1.speed", "speed", "rad/s");
  assert_quantity ("k.mode", "mode", "");
  assert_quantity ("temperature", "temperature", "");
  assert_quantity ("x", "x", "");
}

/* A network determines angles; names alone do not. */
static void
test_units_of_a_network (void **state)
{
  static const struct
  {
    const char *signal, *quantity, *unit, *unit_by_name;
  } rows[] = {
    { "rotor.angle", "angle", "rad", "rad" },
    { "rotor.acceleration", "acceleration", "rad/s²", "m/s²" },
    { "housing.acceleration", "acceleration", "rad/s²", "m/s²" },
    { "shaft.force", "force", "N m", "N" },
    { "shaft.torque", "torque", "N m", "N m" },
    { "shaft.compression", "compression", "rad", "m" },
    { "bearing.rate", "rate", "rad/s", "m/s" },
    { "bearing.mode", "mode", "", "" },
    { "motor.force", "force", "N m", "N" },
    { "network.energy", "energy", "J", "J" },
    { "network.momentum", "momentum", "N m s", "kg m/s" },
  };
  GString *record = g_string_new ("network.record=");
  const char *settings[] = { NULL, "network.duration=1ms", NULL };
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  g_autoptr (IfbamCourse) from_file = NULL;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "ifbam-test-units.csv", NULL);

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_string_append_printf (record, "%s%s", i == 0 ? "" : ",", rows[i].signal);
  settings[0] = record->str;
  network = ifbam_network_new_from_file ("networks/torsion.ini", settings, NULL);
  assert_non_null (network);
  course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, NULL);
  assert_non_null (course);
  assert_true (ifbam_course_write_csv (course, path, NULL));
  from_file = ifbam_course_new_from_csv (path, NULL);
  assert_non_null (from_file);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      assert_quantity_of (course, rows[i].signal, rows[i].quantity, rows[i].unit);
      assert_quantity_of (from_file, rows[i].signal, rows[i].quantity, rows[i].unit_by_name);
    }
  assert_quantity_of (course, "k.force", "force", "N");
  g_remove (path);
  g_string_free (record, TRUE);
}

static void
test_file_names (void **state)
{
  const char *const apart[] = { "out/averaged.csv", "out/v1.rk4.csv", ".hidden", NULL };
  const char *const same[] = { "a/run.csv", "b/run.csv", NULL };
  g_auto (GStrv) names = ifbam_chart_file_names (apart);
  g_auto (GStrv) paths = ifbam_chart_file_names (same);

  (void) state;
  assert_string_equal (names[0], "averaged");
  assert_string_equal (names[1], "v1.rk4");
  assert_string_equal (names[2], ".hidden");
  assert_null (names[3]);
  assert_string_equal (paths[0], "a/run.csv");
  assert_string_equal (paths[1], "b/run.csv");
  assert_null (paths[2]);
}

/* The points of a script's data block (transfer full, GArray of two doubles each); NaN: a gap. */
static GArray *
read_points (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GArray *points = g_array_new (FALSE, FALSE, 2 * sizeof (double));

  for (guint i = 0; lines[i] != NULL && lines[i + 1] != NULL; i++)
    {
      double point[2] = { NAN, NAN };

      if (lines[i][0] != '\0')
        assert_int_equal (sscanf (lines[i], "%lf %lf", &point[0], &point[1]), 2);
      g_array_append_vals (points, point, 1);
    }
  return points;
}

static double
distance_from_line (const double *a, const double *b, double x, double y)
{
  const double length = hypot (b[0] - a[0], b[1] - a[1]);
  const double along =
      length > 0 ? ((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])) / (length * length)
                 : 0;
  const double at = fmin (fmax (along, 0), 1);

  return hypot (x - a[0] - at * (b[0] - a[0]), y - a[1] - at * (b[1] - a[1]));
}

/* A spiral of many turns: the drawn line is never farther from it than half a pixel of a picture of 900 by
 * 560, and a part of it that fills the picture is as smooth. */
static void
test_phase_is_thinned_by_pixels (void **state)
{
  static double x[N], y[N];
  const IfbamCurve spiral = { .n = N, .x = x, .y = y };
  const IfbamAxisRange whole = IFBAM_AXIS_WHOLE, part = { 0.6, 0.7 }, upper = { -0.05, 0.05 };

  (void) state;
  for (gsize i = 0; i < N; i++)
    {
      const double phase = 2 * G_PI * 50 * (double) i / N, radius = 1 - 0.5 * (double) i / N;

      x[i] = radius * cos (phase);
      y[i] = radius * sin (phase);
    }
  for (guint zoomed = 0; zoomed < 2; zoomed++)
    {
      const double size = zoomed ? 0.1 : 2; /* of the picture */
      g_autoptr (GString) script = g_string_new (NULL);
      g_autoptr (GArray) points = NULL;
      const double *point;
      guint k = 0;

      ifbam_curve_append (script, &spiral, IFBAM_POINTS_FREE, zoomed ? part : whole,
                          zoomed ? upper : whole, 1, 1);
      points = read_points (script->str);
      assert_true (points->len > 3);
      assert_true (points->len < 20000);
      point = (const double *) (gpointer) points->data;
      for (gsize i = 0; i < N; i++)
        {
          if (zoomed
              && !(x[i] > part.from && x[i] < part.to && y[i] > upper.from && y[i] < upper.to))
            continue;
          /* the line that it lies on is this one or one of the next */
          while (k + 1 < points->len
                 && !(distance_from_line (point + 2 * k, point + 2 * k + 2, x[i], y[i])
                      < size * 0.5 / 900))
            k++;
          assert_true (k + 1 < points->len);
        }
    }
}

static void
test_gaps_are_kept (void **state)
{
  static const double x[] = { 0, 1, 2, 3, 4, 5 }, y[] = { 0, 1, NAN, 1, 3, 4 };
  const IfbamCurve broken = { .n = 6, .x = x, .y = y };
  const IfbamAxisRange any = IFBAM_AXIS_WHOLE;
  g_autoptr (GString) script = g_string_new (NULL);

  (void) state;
  ifbam_curve_append (script, &broken, IFBAM_POINTS_FREE, any, any, 1, 1000);
  assert_string_equal (script->str, "0 0\n1 1000\n\n3 1000\n4 3000\n5 4000\n");
}

static void
test_units_of_axes (void **state)
{
  static const struct
  {
    const char *unit;
    double largest;
    const char *shown;
  } rows[] = {
    { "s", 4, "s" },
    { "s", 0.4, "s" },
    { "s", 0.1, "ms" },
    { "s", 5e-3, "ms" },
    { "s", 20e-6, "\302\265s" },
    { "s", 5000, "s" },
    { "m", 5e-4, "mm" },
    { "m", 0.2, "m" },
    { "m", 50e-6, "\302\265m" },
    { "m/s", -0.05, "mm/s" },
    { "m/s", 5000, "m/s" },
    { "Hz", 2500, "kHz" },
    { "N", 999, "N" },
    { "N", 28e3, "kN" },
    { "N m", 28e3, "kN m" },
    { "V", 0.02, "mV" },
    { "F", 1e-7, "nF" },
    { "kg", 1e6, "kg" },
    { "rad", 0.02, "mrad" },
    { "rad", 2e4, "rad" },
    { "rad/s", 0.02, "rad/s" },
    { "", 1e-9, "" },
    { "m", 0, "m" },
    { "m", INFINITY, "m" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (IfbamScale) scale = ifbam_scale_for (rows[i].unit, rows[i].largest);

      assert_string_equal (scale.unit, rows[i].shown);
      if (g_str_equal (scale.unit, "mm"))
        assert_true (fabs (scale.factor - 1000) < 1e-9);
    }
}

static void
test_ranges_are_si (void **state)
{
  g_autoptr (IfbamChart) chart = make_chart (IFBAM_CHART_COURSE, series, 1);
  g_autofree char *text = NULL;

  (void) state;
  chart->x.range = (IfbamAxisRange){ 0.02, 0.04 };
  chart->y.range = (IfbamAxisRange){ -1e-3, 1e-3 };
  text = ifbam_chart_text (chart, 100, 30, NULL);
  assert_non_null (strstr (text, "time [ms]"));
  assert_non_null (strstr (text, " 40\n"));
  assert_non_null (strstr (text, " -1 +"));
}

/* A storey's drift is a thousandth of its position: on one axis it would be a straight line. */
static void
test_panels_by_size (void **state)
{
  static double large[N], small[N], level[N], grown[N];
  IfbamCurve curves[5];
  g_autoptr (IfbamChart) chart = NULL;
  g_autoptr (GPtrArray) panels = NULL;
  const IfbamPanel *first, *second;

  (void) state;
  for (gsize i = 0; i < N; i++)
    {
      large[i] = 50 * wave[i];
      small[i] = 0.05 * wave[i];
      grown[i] = 900 * wave[i];
    }
  for (guint i = 0; i < 5; i++)
    curves[i] = series[0];
  curves[0].y = large;
  curves[1].y = small;
  curves[2].y = level;
  curves[3].y = large;
  curves[4].y = grown; /* the same signal of other runs: they are compared */
  curves[0].kin = curves[3].kin = curves[4].kin = "m1.position";
  chart = make_chart (IFBAM_CHART_COURSE, curves, 5);
  panels = ifbam_panels_new (chart);
  assert_int_equal (panels->len, 2);
  first = panels->pdata[0];
  second = panels->pdata[1];
  assert_int_equal (second->curves->len + first->curves->len, 5);
  assert_int_equal (ifbam_curve_index (chart, second->curves->pdata[0]), 1);
  assert_int_equal (second->curves->len, 1);
  assert_string_equal (second->y_label, "position [mm]");
}

/* Where sizes would make more panels than a page has room for, units alone do; more quantities than an axis has room for are told by
 * three. */
static void
test_many_sizes_and_quantities (void **state)
{
  enum
  {
    UNITS = 3,
    SIZES = 4
  };
  static const char *const quantities[] = { "lift", "drag", "weight", "thrust" };
  static const char *const units[] = { "N", "m", "V" };
  static double values[UNITS * SIZES][N];
  IfbamCurve curves[UNITS * SIZES];

  (void) state;
  for (guint k = 0; k < UNITS * SIZES; k++)
    {
      for (gsize i = 0; i < N; i++)
        values[k][i] = pow (1e-3, k / UNITS) * (wave[i] + 1);
      curves[k] = series[0];
      curves[k].y = values[k];
      curves[k].y_quantity = quantities[k / UNITS];
      curves[k].y_unit = units[k % UNITS];
    }
  for (guint n_sizes = 2; n_sizes <= SIZES; n_sizes += 2)
    {
      g_autoptr (IfbamChart) chart = make_chart (IFBAM_CHART_COURSE, curves, UNITS * n_sizes);
      g_autoptr (GPtrArray) panels = ifbam_panels_new (chart);
      const IfbamPanel *first = panels->pdata[0];

      assert_int_equal (panels->len, n_sizes == 2 ? UNITS * 2 : UNITS);
      assert_true (
          g_str_has_prefix (first->y_label, n_sizes == 2 ? "lift [" : "lift, drag, weight, ... ["));
    }
}

static guint
count_points (const char *script, double from, double to, guint *within)
{
  g_auto (GStrv) lines = g_strsplit (script, "\n", -1);
  guint n = 0;

  *within = 0;
  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '\0')
      {
        const double x = g_ascii_strtod (lines[i], NULL);

        n++;
        *within += x >= from && x < to;
      }
  return n;
}

/* An envelope has nothing where a course has no numbers for long. */
static void
test_an_envelope_with_a_hole (void **state)
{
  const gsize n = 30000;
  g_autofree double *x = g_new (double, n), *y = g_new (double, n);
  const IfbamCurve curve = { .x = x, .y = y, .n = n };
  const IfbamAxisRange any = IFBAM_AXIS_WHOLE;
  g_autoptr (GString) script = g_string_new (NULL);
  guint within, all;

  (void) state;
  for (gsize i = 0; i < n; i++)
    {
      x[i] = (double) i;
      y[i] = i >= n / 3 && i < 2 * n / 3 ? NAN : sin ((double) i);
    }
  ifbam_curve_append (script, &curve, IFBAM_POINTS_BROKEN, any, any, 1, 1);
  all = count_points (script->str, (double) n / 3, 2.0 * (double) n / 3, &within);
  assert_int_equal (within, 0);
  assert_in_range (all, 2000,
                   2 * 2 * 2000 / 3
                       + 4); /* two of each of 2000 columns, a third of which are empty */
}

/* Of a ring with a little noise there would be a point for each row: it gets coarser, but stays round. */
static void
test_a_noisy_ring_gets_coarser (void **state)
{
  const gsize n = 150000;
  g_autofree double *x = g_new (double, n), *y = g_new (double, n);
  const IfbamCurve curve = { .x = x, .y = y, .n = n };
  const IfbamAxisRange any = IFBAM_AXIS_WHOLE;
  g_autoptr (GString) script = g_string_new (NULL);
  g_autoptr (GRand) noise = g_rand_new_with_seed (7);
  g_auto (GStrv) lines = NULL;
  guint points = 0;

  (void) state;
  for (gsize i = 0; i < n; i++)
    {
      const double angle = 2 * G_PI * 4 * (double) i / (double) n;
      const double radius = 1 + g_rand_double_range (noise, -2e-3, 2e-3);

      x[i] = radius * cos (angle);
      y[i] = radius * sin (angle);
    }
  ifbam_curve_append (script, &curve, IFBAM_POINTS_FREE, any, any, 1, 1);
  lines = g_strsplit (script->str, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '\0')
      {
        char *end;
        const double at = g_ascii_strtod (lines[i], &end), beside = g_ascii_strtod (end, NULL);

        points++;
        assert_true (fabs (hypot (at, beside) - 1) < 3e-3);
      }
  assert_in_range (points, 100, 40000);
}

/* Rounding of a mass at rest is no curve, and a constant energy has a few numbers beside it. */
static void
test_rounding_is_no_curve (void **state)
{
  static double noise[N], energy[N];
  IfbamCurve curves[3];
  g_autoptr (IfbamChart) chart = NULL;
  g_autoptr (GPtrArray) panels = NULL;
  g_autofree char *svg = NULL;
  gsize length;

  (void) state;
  for (gsize i = 0; i < N; i++)
    {
      noise[i] = 1e-16 * wave[i];
      energy[i] = 0.2 + 1e-9 * wave[i];
    }
  for (guint i = 0; i < 3; i++)
    curves[i] = series[0];
  curves[1].y = noise;
  curves[2].y = energy;
  curves[2].y_quantity = "energy";
  curves[2].y_unit = "J";
  chart = make_chart (IFBAM_CHART_COURSE, curves, 3);
  panels = ifbam_panels_new (chart);
  assert_int_equal (panels->len, 2);
  svg = draw (chart, "a.svg", &length);
  assert_non_null (strstr (svg, ">0.15<"));
  assert_null (strstr (svg, ">0.199"));
}

static void
test_long_titles_wrap (void **state)
{
  g_autoptr (IfbamChart) chart = make_chart (IFBAM_CHART_COURSE, series, 1);
  g_autofree char *svg = NULL, *text = NULL;
  gsize length;

  (void) state;
  chart->title =
      "a title that goes on and on and on and on and on and on and on and on and on and on "
      "and on and on and then ends";
  svg = draw (chart, "a.svg", &length);
  assert_null (strstr (svg, chart->title));
  assert_non_null (strstr (svg, "and on and on and then ends<"));
  text = ifbam_chart_text (chart, 60, 30, NULL);
  assert_non_null (strstr (text, "then ends"));
}

/* Legends stand where no curve can be: above or beside the panels, whatever the names. */
static void
test_legends (void **state)
{
  static const struct
  {
    guint n, letters;
  } rows[] = { { 3, 60 }, { 5, 12 }, { 8, 70 }, { 24, 9 }, { 300, 12 } };

  (void) state;
  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autofree IfbamCurve *many = g_new (IfbamCurve, rows[r].n);
      g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (IfbamChart) chart = NULL;
      g_autofree char *svg = NULL;
      gsize length, shown = 0;

      for (guint i = 0; i < rows[r].n; i++)
        {
          g_ptr_array_add (names, g_strdup_printf ("%0*u", (int) rows[r].letters, 10000 + i));
          many[i] = series[0];
          many[i].n = 100;
          many[i].label = names->pdata[i];
        }
      chart = make_chart (IFBAM_CHART_COURSE, many, rows[r].n);
      svg = draw (chart, "a.svg", &length);
      for (guint i = 0; i < rows[r].n; i++)
        shown += strstr (svg, names->pdata[i]) != NULL;
      assert_int_equal (shown, rows[r].n == 300 ? 2 : rows[r].n);
      if (rows[r].n == 300)
        assert_non_null (strstr (svg, "(300 curves)"));
      /* text above takes no height from the panel */
      if (rows[r].n * rows[r].letters == 8 * 70)
        assert_null (strstr (svg, "viewBox=\"0 0 900 560\""));
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_formats),
    cmocka_unit_test (test_words),
    cmocka_unit_test (test_text),
    cmocka_unit_test (test_spectrum_range),
    cmocka_unit_test (test_faults),
    cmocka_unit_test (test_no_gnuplot),
    cmocka_unit_test (test_odd_data),
    cmocka_unit_test (test_quantities),
    cmocka_unit_test (test_file_names),
    cmocka_unit_test (test_units_of_a_network),
    cmocka_unit_test (test_phase_is_thinned_by_pixels),
    cmocka_unit_test (test_gaps_are_kept),
    cmocka_unit_test (test_units_of_axes),
    cmocka_unit_test (test_ranges_are_si),
    cmocka_unit_test (test_panels_by_size),
    cmocka_unit_test (test_many_sizes_and_quantities),
    cmocka_unit_test (test_an_envelope_with_a_hole),
    cmocka_unit_test (test_a_noisy_ring_gets_coarser),
    cmocka_unit_test (test_rounding_is_no_curve),
    cmocka_unit_test (test_long_titles_wrap),
    cmocka_unit_test (test_legends),
  };

  return cmocka_run_group_tests (tests, make_data, folder_remove);
}
