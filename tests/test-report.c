/* test-report.c: courses thinned for pictures, the ladder of steps, and a page that nothing breaks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "fixture.h"
#include "report/report.h"
#include "run/run.h"

/* Thinning */

static float
point (const IfbamDecimatedSeries *trace, gsize i, guint signal)
{
  assert_true (i < trace->n_points);
  return g_array_index (trace->points, float, i * trace->n_signals + signal);
}

static void
test_few_rows_stay (void **state)
{
  g_autoptr (IfbamDecimatedSeries) trace = ifbam_decimated_series_new (2, 0.25, 10, 10);

  (void) state;
  for (guint i = 0; i < 14; i++) /* four more than wanted */
    ifbam_decimated_series_row (trace, (const double[]){ i, -0.5 * i });
  ifbam_decimated_series_end (trace);
  assert_int_equal (trace->n_points, 10);
  assert_int_equal (trace->stretch, 1);
  for (guint i = 0; i < 10; i++)
    {
      assert_true (point (trace, i, 0) == (float) i);
      assert_true (point (trace, i, 1) == (float) (-0.5 * i));
    }
}

/* Of a stretch its smallest and its largest value, in the order in which they came. */
static void
test_extremes_stay (void **state)
{
  enum
  {
    N = 1003,
    MOST = 100
  };
  g_autoptr (GRand) noise = g_rand_new_with_seed (5);
  g_autoptr (IfbamDecimatedSeries) trace = ifbam_decimated_series_new (1, 1.0, N, MOST);
  double values[N];

  (void) state;
  for (guint i = 0; i < N; i++)
    {
      values[i] = g_rand_double_range (noise, -1, 1);
      ifbam_decimated_series_row (trace, &values[i]);
    }
  ifbam_decimated_series_end (trace);
  assert_int_equal (trace->stretch, 21);
  assert_int_equal (trace->n_points, 2 * ((N + 20) / 21));
  assert_true (trace->n_points <= MOST);
  for (guint first = 0, k = 0; first < N; first += 21, k += 2)
    {
      guint low = first, high = first;

      for (guint i = first; i < MIN (first + 21, N); i++)
        {
          low = values[i] < values[low] ? i : low;
          high = values[i] > values[high] ? i : high;
        }
      assert_true (point (trace, k, 0) == (float) values[MIN (low, high)]);
      assert_true (point (trace, k + 1, 0) == (float) values[MAX (low, high)]);
    }
}

static void
test_numbers_beyond_a_float (void **state)
{
  g_autoptr (IfbamDecimatedSeries) trace = ifbam_decimated_series_new (1, 1.0, 3, 10);

  (void) state;
  ifbam_decimated_series_row (trace, (const double[]){ 1e200 });
  ifbam_decimated_series_row (trace, (const double[]){ -1e200 });
  ifbam_decimated_series_end (trace);
  assert_true (isfinite (point (trace, 0, 0)) && point (trace, 0, 0) > 1e38f);
  assert_true (isfinite (point (trace, 1, 0)) && point (trace, 1, 0) < -1e38f);
}

/* The ladder */

typedef struct
{
  IfbamNetwork *network;
  IfbamModel *model;
  IfbamSignals *signals;
  IfbamRunSpec spec;
} Compiled;

static void
compiled_clear (Compiled *compiled)
{
  g_clear_object (&compiled->network);
  g_clear_pointer (&compiled->model, ifbam_model_free);
  g_clear_pointer (&compiled->signals, ifbam_signals_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Compiled, compiled_clear)

static Compiled
compile (const char *path, const char *const *values)
{
  g_autoptr (GError) error = NULL;
  Compiled compiled = { .network = ifbam_network_new_from_file (path, values, &error) };

  if (compiled.network == NULL)
    fail_msg ("%s", error->message);
  compiled.model = ifbam_network_compile_or_error (compiled.network, TRUE, &compiled.spec,
                                                   &compiled.signals, &error);
  if (compiled.model == NULL)
    fail_msg ("%s", error->message);
  return compiled;
}

static IfbamStepSizeStudy *
climb (const Compiled *compiled)
{
  g_autoptr (GError) error = NULL;
  IfbamStepSizeStudy *study = ifbam_step_size_study_new (
      compiled->model, &compiled->spec, compiled->signals,
      (double) compiled->spec.last_step * compiled->spec.step, NULL, NULL, &error);

  if (study == NULL)
    fail_msg ("%s", error->message);
  return study;
}

static void
test_the_steps (void **state)
{
  static const char *const own[] = { "network.step=37us", "network.duration=0.4 s", NULL };
  g_auto (Compiled) compiled = compile ("networks/two-dof.ini", own);
  g_autoptr (IfbamStepSizeStudy) study = climb (&compiled);
  /* omega^2 = 45e3 +- sqrt (45e3^2 - 4e8) */
  const double omega = sqrt (45e3 + sqrt (45e3 * 45e3 - 4e8));

  (void) state;
  assert_true (fabs (study->frequency - omega) < 1e-6 * omega);
  assert_true (study->duration == 37e-6 * floor (0.4 / 37e-6));
  assert_true (study->steps[study->own] == 37e-6);
  assert_true (study->steps[0] * omega < 0.0035 && study->steps[0] * omega > 0.0015);
  assert_true (study->steps[study->n_steps - 1] * omega > 2.1);
  for (guint i = 1; i < study->n_steps; i++)
    {
      assert_true (study->steps[i] > study->steps[i - 1]);
      assert_true (study->steps[i] < 2.1 * study->steps[i - 1]);
    }
}

/* A step longer than the run leaves its first row, and no ladder but that step. */
static void
test_steps_longer_than_the_run (void **state)
{
  static const char *const steps[] = { "network.step=10", "network.step=1e300" };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      const char *const own[] = { steps[i], NULL };
      g_auto (Compiled) compiled = compile ("networks/two-dof.ini", own);
      g_autoptr (IfbamStepSizeStudy) study = climb (&compiled);

      assert_int_equal (study->n_steps, 1);
      assert_true (study->steps[0] == compiled.spec.step);
    }
}

/* A trace of every stride-th of n rows. Returns how many points there were. */
static gsize
compare_rows (const IfbamDecimatedSeries *trace, const double *rows, gsize n, gsize stride)
{
  const gsize stretch = trace->stretch;

  for (gsize k = 0; k < trace->n_points && stretch == 1; k++)
    assert_true (k * stride < n && point (trace, k, 0) == (float) rows[k * stride]);
  for (gsize k = 0; k < trace->n_points && stretch > 1; k += 2)
    {
      double low = INFINITY, high = -INFINITY;

      for (gsize i = k / 2 * stretch; i < MIN ((k / 2 + 1) * stretch, trace->n_rows); i++)
        {
          assert_true (i * stride < n);
          low = fmin (low, rows[i * stride]);
          high = fmax (high, rows[i * stride]);
        }
      assert_true (fminf (point (trace, k, 0), point (trace, k + 1, 0)) == (float) low);
      assert_true (fmaxf (point (trace, k, 0), point (trace, k + 1, 0)) == (float) high);
    }
  return trace->n_points;
}

/* Its courses are those of runs: the same numbers, but for the float. */
static void
test_its_courses_are_runs (void **state)
{
  static const char *const values[] = { "network.duration=0.3s", NULL };
  g_auto (Compiled) compiled = compile ("networks/three-dof.ini", values);
  g_autoptr (IfbamStepSizeStudy) study = climb (&compiled);
  guint compared = 0;

  (void) state;
  for (guint s = 0; s < study->n_schemes; s++)
    for (guint i = 0; i < study->n_steps; i++)
      {
        const IfbamStepSizeRun *step_run = ifbam_step_size_study_run (study, s, i);
        IfbamElement *settings = ifbam_network_get_settings (compiled.network);
        g_autoptr (IfbamCourse) course = NULL;
        const double *position;
        gsize n;

        if (!isnan (step_run->ended))
          continue;
        g_object_set (settings, "scheme", study->schemes[s]->name, "step", study->steps[i], NULL);
        course = ifbam_network_run (compiled.network, IFBAM_ENGINE_PLAN, NULL);
        assert_non_null (course);
        position = ifbam_course_get_values (course, "m3.position", &n, NULL);
        compared += compare_rows (step_run->whole, position, n,
                                  (gsize) (step_run->whole->interval / study->steps[i] + 0.5));
      }
  assert_true (compared > 10000);
}

static void
test_growth_and_divergence (void **state)
{
  g_auto (Compiled) compiled = compile ("networks/two-dof.ini", NULL);
  g_autoptr (IfbamStepSizeStudy) study = climb (&compiled);

  (void) state;
  for (guint s = 0; s < study->n_schemes; s++)
    for (guint i = 0; i < study->n_steps; i++)
      {
        const IfbamStepSizeRun *step_run = ifbam_step_size_study_run (study, s, i);
        const double exponent = step_run->growth * study->duration;

        /* The energy of a stopped run has grown by 10^6, so its amplitude by 10^3. */
        if (exponent > log (3e3))
          assert_true (step_run->ended > 0 && step_run->ended < study->duration);
        if (exponent < log (1e2))
          assert_true (isnan (step_run->ended));
        if (isnan (step_run->ended))
          assert_true ((double) step_run->whole->n_rows * step_run->whole->interval
                       > study->duration * (1 - 1e-3));
      }
}

/* A step that is too long lets contacts open and close hundreds of times within it: a page does not wait for it, and says so. */
static void
test_what_rattles_is_cut (void **state)
{
  static const char *const values[] = { "network.duration=50 ms", "network.step=1 ms",
                                        "network.sample=10 ms", NULL };
  g_auto (Compiled) compiled = compile ("networks/preload.ini", values);
  g_autoptr (IfbamStepSizeStudy) study = climb (&compiled);
  guint n_rattled = 0;

  (void) state;
  for (guint s = 0; s < study->n_schemes; s++)
    for (guint i = 0; i < study->n_steps; i++)
      {
        const IfbamStepSizeRun *step_run = ifbam_step_size_study_run (study, s, i);

        assert_true (isnan (step_run->ended) == (step_run->end == IFBAM_STEP_SIZE_RUN_FINISHED));
        if (step_run->end != IFBAM_STEP_SIZE_RUN_RATTLED)
          continue;
        n_rattled++;
        assert_true (step_run->ended < study->duration);
        assert_true (isnan (step_run->errors[0]));
        /* L-stable schemes and short steps never do. */
        assert_false (g_str_equal (study->schemes[s]->name, "esdirk4"));
        assert_true (study->steps[i] > 100e-6);
      }
  assert_true (n_rattled > 0);
}

/* Too long runs are shown in part. */
static void
test_large_networks_are_cut (void **state)
{
  static const char *const values[] = { "c.count=5000", NULL };
  g_auto (Compiled) compiled = compile ("networks/chain-1000.ini", values);
  g_autoptr (IfbamStepSizeStudy) study = climb (&compiled);
  double work = 0;

  (void) state;
  assert_true (study->duration < 240 && study->duration > 20 * compiled.spec.step);
  for (guint i = 0; i < study->n_steps; i++)
    for (guint s = 0; s < study->n_schemes; s++)
      work += study->duration / study->steps[i] * 10e3 * study->schemes[s]->n_stages;
  assert_true (work < 1.1 * ifbam_affordable_work (compiled.model));
}

/* Nor does a small one take long: its shortest steps are left out first, never its own. */
static void
test_long_runs_are_cut (void **state)
{
  static const char *const durations[] = { "network.duration=4 s", "network.duration=2000 s" };

  (void) state;
  for (guint d = 0; d < G_N_ELEMENTS (durations); d++)
    {
      const char *const own[] = { durations[d], NULL };
      g_auto (Compiled) compiled = compile ("networks/two-dof.ini", own);
      g_autoptr (IfbamStepSizeStudy) study = climb (&compiled);
      double work = 0;

      assert_true (study->steps[study->own] == compiled.spec.step);
      assert_true (d == 0 ? study->duration == 4 : study->duration < 2000 && study->own == 0);
      for (guint i = 0; i < study->n_steps; i++)
        for (guint s = 0; s < study->n_schemes; s++)
          work += study->duration / study->steps[i]
                  * ifbam_step_work (compiled.model, study->schemes[s]);
      assert_true (work < 1.3 * ifbam_affordable_work (compiled.model));
    }
}

/* Where a step is 10^15 times too long for the fastest mode, steps that are not take for ever, however short the run. */
static void
test_a_step_that_is_far_too_long (void **state)
{
  static const char *const values[] = { "k1.stiffness=1e30", "network.step=100 ms",
                                        "network.duration=3 s", NULL };
  g_auto (Compiled) compiled = compile ("networks/two-dof.ini", values);
  g_autoptr (IfbamStepSizeStudy) study = climb (&compiled);

  (void) state;
  assert_true (study->frequency > 1e14);
  assert_true (study->duration <= 3 && study->duration > 10 * compiled.spec.step);
  assert_int_equal (study->n_steps, 1);
  assert_true (study->steps[0] == compiled.spec.step);
}

static gboolean
refuse (gpointer data, double part)
{
  assert_true (part >= 0 && part <= 1);
  return ++*(guint *) data < 5;
}

static void
test_it_can_be_interrupted (void **state)
{
  g_auto (Compiled) compiled = compile ("networks/two-dof.ini", NULL);
  g_autoptr (GError) error = NULL;
  guint calls = 0;

  (void) state;
  assert_null (ifbam_step_size_study_new (compiled.model, &compiled.spec, compiled.signals, 4,
                                          refuse, &calls, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED));
  assert_int_equal (calls, 5);
}

/* Interrupts within modes or the energy balance are errors, too. */
static void
test_modes_and_energies_can_be_interrupted (void **state)
{
  g_auto (Compiled) compiled = compile ("networks/chain-1000.ini", NULL);
  g_autoptr (IfbamReport) report = ifbam_report_new ();
  g_auto (IfbamEnergies) energies = { 0 };
  g_autoptr (GError) error = NULL;
  guint calls = 4;

  (void) state;
  ifbam_json_object (report->json, NULL);
  assert_false (
      ifbam_report_modes (report, compiled.model, &compiled.spec, refuse, &calls, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED));
  g_clear_error (&error);
  calls = 4;
  assert_false (ifbam_energies_run (&energies, compiled.model, compiled.network->by_name,
                                    &compiled.spec, 0, refuse, &calls, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED));
}

/* Energy */

static void
test_the_ledger (void **state)
{
  g_auto (Compiled) compiled = compile ("networks/damped.ini", NULL);
  g_auto (IfbamEnergies) energies = { 0 };
  g_autoptr (GError) error = NULL;
  const double first = 0.5 * 2 * 0.4 * 0.4 + 0.5 * 5e3 * 5e-3 * 5e-3;

  (void) state;
  assert_true (ifbam_energies_run (&energies, compiled.model, compiled.network->by_name,
                                   &compiled.spec, 0.1, NULL, NULL, &error));
  assert_true (fabs (energies.first - first) < 1e-4 * first); /* of the row: averaged */
  assert_true (fabs (energies.last[4] - first) < 1e-3 * first);
  assert_true (fabs (energies.last[2] - first) < 1e-3 * first); /* all is dissipated */
  assert_true (energies.worst < 1e-3 * first && energies.worst > 0);
  assert_true (isnan (energies.ended));
  for (gsize i = 0; i < energies.whole->n_points; i++)
    {
      assert_true (fabsf (point (energies.whole, i, 0) + point (energies.whole, i, 1)
                          - point (energies.whole, i, 2))
                   < 1e-6 * first);
      assert_true (fabs (point (energies.whole, i, 5) - first) < 1e-3 * first);
    }
  assert_true (energies.head->n_rows == 51);
}

/* The page */

static void
test_nothing_breaks_the_page (void **state)
{
  static const char title[] = "</script><!-- \"&' \316\251\321\202 <b>";
  static const float numbers[] = { 1.0f, -0.5f, 3.25e-10f };
  g_autoptr (IfbamReport) report = ifbam_report_new ();
  g_autofree char *page = NULL;
  gsize length;

  (void) state;
  ifbam_json_object (report->json, NULL);
  ifbam_json_string (report->json, "title", title);
  ifbam_json_number (report->json, "none", NAN);
  ifbam_json_end (report->json);
  page = ifbam_page_text (&(IfbamPage){ .title = title,
                                        .diagram = "<svg></svg>",
                                        .movie = "",
                                        .data = report->json->text->str,
                                        .numbers = numbers,
                                        .n_numbers = G_N_ELEMENTS (numbers) },
                          &length);
  assert_int_equal (length, strlen (page));
  assert_null (strstr (page, "@@"));
  assert_null (strstr (page, "</script><!-- \""));
  assert_non_null (
      strstr (page, "<title>&lt;/script&gt;&lt;!-- &quot;&amp;&apos; \316\251\321\202 &lt;b&gt;"));
  assert_non_null (strstr (page, ">AACAPwAAAL")); /* the lowest byte first */
  assert_non_null (
      strstr (page, "id=\"report-data\">{\"title\":\"\\u003c/script\\u003e\\u003c!-- \\\"\\u0026' "
                    "\316\251\321\202 \\u003cb\\u003e\",\"none\":null}</script>"));
}

static void
test_the_page_asks_nobody (void **state)
{
  gsize length;
  g_autofree char *page = ifbam_page_text (
      &(IfbamPage){ .title = "", .diagram = "", .movie = "", .data = "{}" }, &length);

  (void) state;
  assert_null (strstr (page, " src="));
  assert_null (strstr (page, "@import"));
  assert_null (strstr (page, "url("));
  assert_non_null (strstr (page, "default-src 'none'"));
  /* the library's licence goes along */
  assert_non_null (strstr (page, "Copyright (c) 2022 Leon Sorokin"));
  assert_non_null (strstr (page, "Permission is hereby granted, free of charge"));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_few_rows_stay),
    cmocka_unit_test (test_extremes_stay),
    cmocka_unit_test (test_numbers_beyond_a_float),
    cmocka_unit_test (test_steps_longer_than_the_run),
    cmocka_unit_test (test_a_step_that_is_far_too_long),
    cmocka_unit_test (test_its_courses_are_runs),
    cmocka_unit_test (test_it_can_be_interrupted),
    cmocka_unit_test (test_modes_and_energies_can_be_interrupted),
    cmocka_unit_test (test_the_ledger),
    cmocka_unit_test (test_nothing_breaks_the_page),
    cmocka_unit_test (test_the_page_asks_nobody),
  };
  /* Ladders once more, for their numbers only: as much work as can be afforded. */
  const struct CMUnitTest long_tests[] = {
    cmocka_unit_test (test_the_steps),           cmocka_unit_test (test_growth_and_divergence),
    cmocka_unit_test (test_what_rattles_is_cut), cmocka_unit_test (test_large_networks_are_cut),
    cmocka_unit_test (test_long_runs_are_cut),
  };
  const gboolean brief = by_effort (TRUE, FALSE, FALSE);

  return cmocka_run_group_tests (tests, NULL, NULL)
         + (brief ? 0 : cmocka_run_group_tests (long_tests, NULL, NULL));
}
