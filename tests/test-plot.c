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
#include "library/ifbam.h"
#include "figure/plot.h"

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

static gboolean
folder_is_empty (void)
{
  return folder_count () == 0;
}

/* Two units: two panels. Labels with everything that a quote or a markup could break. */
static const IfbamPlotSeries series[] = {
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

static IfbamPlot
make_plot (IfbamPlotKind kind, gsize n_series)
{
  return (IfbamPlot){ .kind = kind,
                      .title = "it's a title",
                      .x_range = IFBAM_PLOT_ANY,
                      .y_range = IFBAM_PLOT_ANY,
                      .n_series = n_series,
                      .series = series };
}

/* Draws, reads and removes the picture (transfer full). */
static char *
draw (const IfbamPlot *plot, const char *name, gsize *length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  char *bytes = NULL;

  if (!ifbam_plot_draw (plot, path, &error))
    fail_msg ("%s", error->message);
  assert_true (g_file_get_contents (path, &bytes, length, NULL));
  g_remove (path);
  assert_true (folder_is_empty ());
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
    for (guint kind = IFBAM_PLOT_COURSE; kind <= IFBAM_PLOT_PHASE; kind++)
      for (gsize n_series = 1; n_series <= 2; n_series++)
        {
          IfbamPlot plot = make_plot (kind, n_series);
          gsize length;
          g_autofree char *bytes = draw (&plot, pictures[i].name, &length);

          assert_true (length > 1000);
          assert_memory_equal (bytes, pictures[i].magic, strlen (pictures[i].magic));
        }
}

static void
test_words (void **state)
{
  IfbamPlot plot = make_plot (IFBAM_PLOT_COURSE, 2);
  gsize length;
  g_autofree char *svg = draw (&plot, "a.svg", &length);

  (void) state;
  assert_non_null (strstr (svg, "time [s]"));
  assert_non_null (strstr (svg, "position [m]"));
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
  IfbamPlot plot = make_plot (IFBAM_PLOT_COURSE, 2);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = ifbam_plot_text (&plot, 100, 30, &error);
  g_auto (GStrv) lines = NULL;

  (void) state;
  if (text == NULL)
    fail_msg ("%s", error->message);
  assert_non_null (strstr (text, "time [s]"));
  assert_non_null (strstr (text, "position [m]"));
  assert_non_null (strstr (text, "acceleration [m/s2]"));
  assert_null (strchr (text, '\f'));
  assert_true (g_str_is_ascii (text));
  assert_non_null (strstr (text, "0.005 +")); /* the one row that stands out */
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
  IfbamPlotSeries line = { .label = "m1.position",
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
  IfbamPlot plot = make_plot (IFBAM_PLOT_SPECTRUM, 1);

  (void) state;
  plot.series = &line;
  for (int i = 0; i <= 1000; i++)
    {
      frequencies[i] = 10.0 * i;
      amplitudes[i] = i == 5 ? 1e-3 : 1e-7;
    }
  for (int log = 0; log < 2; log++)
    {
      g_autofree char *text = NULL;

      plot.log_y = log;
      text = ifbam_plot_text (&plot, 100, 30, NULL);
      assert_non_null (text);
      assert_non_null (strstr (text, "46.49"));
      assert_non_null (strstr (text, " 60"));
      assert_null (strstr (text, "000 "));
    }
}

static void
assert_fails (const IfbamPlot *plot, const char *name, int code, const char *part)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  assert_false (ifbam_plot_draw (plot, path, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, code));
  if (strstr (error->message, part) == NULL)
    fail_msg ("\"%s\" lacks \"%s\"", error->message, part);
  assert_true (folder_is_empty ());
}

static void
test_faults (void **state)
{
  IfbamPlot plot = make_plot (IFBAM_PLOT_COURSE, 1), none = plot, beyond = plot, undefined = plot;
  IfbamPlotSeries not_finite = series[0];
  static const double nan[] = { NAN, INFINITY };

  (void) state;
  none.n_series = 0;
  beyond.x_range.from = 1e3;
  not_finite.n = 2;
  not_finite.y = nan;
  undefined.series = &not_finite;
  assert_fails (&plot, "a.jpg", IFBAM_ERROR_USAGE, "a.jpg: the suffix");
  assert_fails (&plot, "svg", IFBAM_ERROR_USAGE, "want .svg, .png or .pdf");
  assert_fails (&none, "a.svg", IFBAM_ERROR_COURSE, "nothing to draw");
  assert_fails (&beyond, "a.svg", IFBAM_ERROR_USAGE, "nothing to draw");
  assert_fails (&undefined, "a.svg", IFBAM_ERROR_COURSE, "nothing to draw");
  assert_fails (&plot, "missing/a.svg", IFBAM_ERROR_WRITE, "No such file or directory");
}

static void
test_no_gnuplot (void **state)
{
  IfbamPlot plot = make_plot (IFBAM_PLOT_COURSE, 1);
  g_autofree char *path = g_strdup (g_getenv ("PATH"));

  (void) state;
  g_setenv ("PATH", folder, TRUE);
  assert_fails (&plot, "a.svg", IFBAM_ERROR_PROGRAM, "install gnuplot");
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
    for (guint kind = IFBAM_PLOT_COURSE; kind <= IFBAM_PLOT_PHASE; kind++)
      {
        IfbamPlotSeries odd = series[0];
        IfbamPlot plot = make_plot (kind, 1);
        gsize length;

        odd.n = 3;
        odd.x = x;
        odd.y = columns[i];
        plot.series = &odd;
        g_free (draw (&plot, "a.svg", &length));
        odd.n = columns[i] == holes ? 2 : 1;
        g_free (draw (&plot, "a.svg", &length));
      }
}

static void
assert_quantity_of (IfbamCourse *course, const char *signal, const char *quantity, const char *unit)
{
  const char *its_quantity, *its_unit;

  ifbam_plot_quantity (course, signal, &its_quantity, &its_unit);
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

/* A network knows what turns; names alone don't tell. */
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
  g_auto (GStrv) names = ifbam_plot_file_names (apart);
  g_auto (GStrv) paths = ifbam_plot_file_names (same);

  (void) state;
  assert_string_equal (names[0], "averaged");
  assert_string_equal (names[1], "v1.rk4");
  assert_string_equal (names[2], ".hidden");
  assert_null (names[3]);
  assert_string_equal (paths[0], "a/run.csv");
  assert_string_equal (paths[1], "b/run.csv");
  assert_null (paths[2]);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_formats),    cmocka_unit_test (test_words),
    cmocka_unit_test (test_text),       cmocka_unit_test (test_spectrum_range),
    cmocka_unit_test (test_faults),     cmocka_unit_test (test_no_gnuplot),
    cmocka_unit_test (test_odd_data),   cmocka_unit_test (test_quantities),
    cmocka_unit_test (test_file_names), cmocka_unit_test (test_units_of_a_network),
  };

  return cmocka_run_group_tests (tests, make_data, folder_remove);
}
