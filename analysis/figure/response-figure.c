/* response-figure.c: Bode plot: amplitude above, phase below, over the frequency
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/response-figure.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

#define FULL_TURN 180.001 /* a larger change of the phase is a wrap-around [deg] */

/* Data of a chart: curves of phases follow those of amplitudes. */
typedef struct
{
  IfbamChart *chart;
  const double *frequency; /* (n) */
  gsize n;
  GArray *phases; /* IfbamCurve */
} Bode;

static Bode
begin (IfbamChart *chart, const double *frequency, gsize n)
{
  chart->kind = IFBAM_CHART_RESPONSE;
  chart->x.quantity = "frequency";
  chart->x.unit = "Hz";
  return (Bode){ chart, frequency, n, g_array_new (FALSE, FALSE, sizeof (IfbamCurve)) };
}

/* Sets unit and quantity of an axis of amplitudes, logarithmic or in decibels. */
static void
set_amplitude_axis (IfbamChart *chart, const char *unit)
{
  g_autofree char *decibels = g_strconcat ("dB", *unit != '\0' ? " re 1 " : "", unit, NULL);
  const gboolean is_ratio = !chart->text && chart->y.log && *unit == '\0';

  chart->y.quantity = is_ratio ? "amplitude, output / input" : "amplitude";
  chart->y.unit = ifbam_chart_copy_text (chart, chart->y.log ? unit : decibels);
}

/* Adds phases; in pictures the curve is interrupted where the phase wraps around. */
static void
add_phases (Bode *bode, const double *phase, gsize stride, guint colour)
{
  double *const x = ifbam_chart_numbers (bode->chart, 2 * bode->n);
  double *const y = ifbam_chart_numbers (bode->chart, 2 * bode->n);
  IfbamCurve curve = { .x_quantity = "frequency",
                       .x_unit = "Hz",
                       .y_quantity = "phase",
                       .y_unit = "deg",
                       .colour = colour,
                       .x = x,
                       .y = y };
  double before = NAN;

  for (gsize i = 0; i < bode->n; i++)
    {
      const double now = phase[i * stride];

      if (!bode->chart->text && fabs (now - before) > FULL_TURN)
        {
          x[curve.n] = bode->frequency[i];
          y[curve.n++] = NAN;
        }
      before = now;
      if (!isfinite (now) && !bode->chart->text)
        continue;
      x[curve.n] = bode->frequency[i];
      y[curve.n++] = now;
    }
  g_array_append_val (bode->phases, curve);
}

static void
add_output (Bode *bode, const char *label, const char *unit, const double *amplitude,
            const double *phase, gsize stride)
{
  IfbamChart *chart = bode->chart;
  double *const values = ifbam_chart_numbers (chart, bode->n);
  IfbamCurve *curve;

  for (gsize i = 0; i < bode->n; i++)
    {
      /* 0 has no logarithm. */
      values[i] = amplitude[i * stride] > 0 ? amplitude[i * stride] : NAN;
      if (!chart->y.log)
        values[i] = 20 * log10 (values[i]);
    }
  set_amplitude_axis (chart, unit);
  curve = ifbam_chart_add (chart, label, bode->frequency, values, bode->n);
  curve->colour = chart->curves->len;
  add_phases (bode, phase, stride, curve->colour);
  if (chart->text)
    g_array_index (bode->phases, IfbamCurve, bode->phases->len - 1).label = curve->label;
}

/* FALSE: no data in the range of frequencies. */
static gboolean
end (Bode *bode, GError **error)
{
  IfbamChart *chart = bode->chart;
  IfbamAxisRange *range = &chart->x.range;
  gsize seen = 0;

  if (bode->n > 0)
    *range = ifbam_range_or (*range, bode->frequency[0], bode->frequency[bode->n - 1]);
  for (guint k = 0; k < chart->curves->len; k++)
    for (gsize i = 0; i < bode->n; i++)
      seen += isfinite (ifbam_chart_curve (chart, k)->y[i]) && bode->frequency[i] >= range->from
              && bode->frequency[i] <= range->to;
  g_array_append_vals (chart->curves, bode->phases->data, bode->phases->len);
  g_array_unref (bode->phases);
  if (seen > 1 && range->from < range->to && (!chart->x.log || range->from > 0))
    return TRUE;
  return ifbam_fail (error, IFBAM_ERROR_USAGE,
                     "there is nothing to draw: no two points lie in the picture");
}

gboolean
ifbam_response_chart (IfbamChart *chart, IfbamResponse *response, GError **error)
{
  const char *const *outputs = ifbam_response_get_outputs (response);
  gsize n;
  const double *frequency = ifbam_response_get_frequencies (response, &n);
  Bode bode = begin (chart, frequency, n);

  ifbam_chart_own (chart, g_object_ref (response), g_object_unref);
  for (guint i = 0; outputs[i] != NULL; i++)
    add_output (&bode, outputs[i], ifbam_response_get_unit (response, i),
                ifbam_response_get_amplitudes (response, i, &n),
                ifbam_response_get_phases (response, i, &n), 1);
  return end (&bode, error);
}

/* Tables */

static gboolean
check_table (const IfbamCsvTable *table, const char *const *outputs, GError **error)
{
  if (table->names->len < 3 || !g_str_equal (table->names->pdata[0], "frequency"))
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "is no table of a frequency response (want the columns frequency, "
                       "SIGNAL.amplitude, SIGNAL.phase, ...)");
  for (guint i = 0; outputs != NULL && outputs[i] != NULL; i++)
    {
      g_autofree char *name = g_strconcat (outputs[i], ".amplitude", NULL);

      if (ifbam_csv_table_column (table, name) < 0)
        return ifbam_fail (error, IFBAM_ERROR_USAGE, "there is no column \"%s\"", name);
    }
  for (gsize i = 0; i < table->n_rows; i++)
    if (!(ifbam_csv_table_value (table, i, 0)
          > (i == 0 ? 0 : ifbam_csv_table_value (table, i - 1, 0))))
      return ifbam_fail (error, IFBAM_ERROR_USAGE, "the frequencies do not increase");
  return TRUE;
}

gboolean
ifbam_response_table_chart (IfbamChart *chart, const IfbamCsvTable *table,
                            const char *const *outputs, GError **error)
{
  const double *values = (const double *) (gpointer) table->values->data;
  const guint stride = table->names->len;
  double *frequency;
  Bode bode;

  if (!check_table (table, outputs, error))
    return FALSE;
  frequency = ifbam_chart_numbers (chart, table->n_rows);
  for (gsize i = 0; i < table->n_rows; i++)
    frequency[i] = ifbam_csv_table_value (table, i, 0);
  bode = begin (chart, frequency, table->n_rows);
  for (guint c = 1; c < stride; c++)
    {
      const char *name = table->names->pdata[c], *quantity, *unit = "";
      g_autofree char *signal = g_str_has_suffix (name, ".amplitude")
                                    ? g_strndup (name, strlen (name) - strlen (".amplitude"))
                                    : NULL;
      g_autofree char *phase = signal == NULL ? NULL : g_strconcat (signal, ".phase", NULL);
      const int phase_column = phase == NULL ? -1 : ifbam_csv_table_column (table, phase);
      g_autofree char *per_input = NULL;

      if (phase_column < 0 || (outputs != NULL && !g_strv_contains (outputs, signal)))
        continue;
      /* The table does not contain the input. */
      if (ifbam_signal_unit (signal, &quantity, &unit))
        per_input = g_strdup_printf ("%s per input", unit);
      add_output (&bode, signal, per_input != NULL ? per_input : "", values + c,
                  values + phase_column, stride);
    }
  return end (&bode, error);
}
