/* campbell-figure.c: Campbell diagram: eigenfrequencies and orders over the speed, amplitudes below
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/campbell-figure.h"

#include <math.h>
#include <string.h>

#include "base/number-text.h"

/* The diagram ends above the highest order, or, without orders, above the fastest mode. */
#define ABOVE 1.1
/* Numbers and modes of a chart of sensitivities. */
#define MOST_NUMBERS 24
#define MOST_MODES   6

static double
top_of (const IfbamCampbell *campbell)
{
  double top = 0, slowest = INFINITY;

  for (gsize i = 0; i < campbell->n_modes * campbell->n; i++)
    slowest = fmin (slowest, campbell->frequency[i]);
  for (guint k = 0; k < campbell->orders->len; k++)
    top = fmax (top, g_array_index (campbell->orders, IfbamOrder, k).order * campbell->turns
                         * campbell->speed[campbell->n - 1]);
  for (gsize i = 0; i < campbell->n_modes * campbell->n && campbell->orders->len == 0; i++)
    top = fmax (top, campbell->frequency[i]);
  return ABOVE * fmax (top, isfinite (slowest) ? slowest : 0);
}

/* Returns the direction of a mode where it is the same at all speeds that have one. */
static IfbamWhirl
whirl_of (const IfbamCampbell *campbell, guint mode)
{
  const IfbamWhirl *whirl = campbell->whirl + mode * campbell->n;
  IfbamWhirl found = IFBAM_WHIRL_NONE;

  for (gsize i = 0; i < campbell->n; i++)
    {
      if (found != IFBAM_WHIRL_NONE && whirl[i] == -found)
        return IFBAM_WHIRL_NONE;
      found = whirl[i] == IFBAM_WHIRL_NONE ? found : whirl[i];
    }
  return found;
}

static void
add_mode (IfbamChart *chart, const IfbamCampbell *campbell, guint mode, double top)
{
  const double *frequency = campbell->frequency + mode * campbell->n;
  const IfbamWhirl whirl = whirl_of (campbell, mode);
  g_autofree char *label = g_strdup_printf ("mode %u%s", mode + 1,
                                            whirl == IFBAM_WHIRL_FORWARD    ? ", forward"
                                            : whirl == IFBAM_WHIRL_BACKWARD ? ", backward"
                                                                            : "");
  double *mark_x = ifbam_chart_numbers (chart, campbell->crossings->len);
  double *mark_y = ifbam_chart_numbers (chart, campbell->crossings->len);
  gboolean visible = FALSE;
  IfbamCurve *curve;

  for (gsize i = 0; i < campbell->n; i++)
    visible |= frequency[i] <= top;
  if (!visible)
    return;
  curve = ifbam_chart_add (chart, label, campbell->speed, frequency, campbell->n);
  curve->style = whirl == IFBAM_WHIRL_BACKWARD ? IFBAM_CURVE_DASHED : 0;
  curve->kin = "frequency";
  curve->mark_x = mark_x;
  curve->mark_y = mark_y;
  for (guint k = 0; k < campbell->crossings->len; k++)
    {
      const IfbamCrossing *own = &g_array_index (campbell->crossings, IfbamCrossing, k);

      if (own->mode != mode)
        continue;
      mark_x[curve->n_marks] = own->speed;
      mark_y[curve->n_marks++] = own->frequency;
    }
}

/* Adds the line of an order; equal orders have one line. */
static void
add_order (IfbamChart *chart, const IfbamCampbell *campbell, guint number)
{
  const IfbamOrder *order = &g_array_index (campbell->orders, IfbamOrder, number);
  g_autofree char *label =
      g_strdup_printf ("order %.6g%s%s", order->order, order->source != NULL ? ": " : "",
                       order->source != NULL ? order->source : "");
  double *x = ifbam_chart_numbers (chart, 2), *y = ifbam_chart_numbers (chart, 2);
  IfbamCurve *curve;

  for (guint k = 0; k < number; k++)
    if (g_array_index (campbell->orders, IfbamOrder, k).order == order->order)
      return;
  for (guint e = 0; e < 2; e++)
    {
      x[e] = campbell->speed[e == 0 ? 0 : campbell->n - 1];
      y[e] = order->order * campbell->turns * x[e];
    }
  curve = ifbam_chart_add (chart, label, x, y, 2);
  curve->style = IFBAM_CURVE_NEUTRAL;
  curve->kin = "frequency";
}

void
ifbam_campbell_chart (IfbamChart *chart, const IfbamCampbell *campbell)
{
  const double top = top_of (campbell);

  chart->kind = IFBAM_CHART_SWEEP;
  chart->x.quantity = ifbam_chart_copy_text (chart, campbell->name);
  chart->x.unit = ifbam_chart_copy_text (chart, campbell->unit);
  chart->y.quantity = "frequency";
  chart->y.unit = chart->y_range_unit = "Hz";
  chart->y.range = (IfbamAxisRange){ 0, top };
  for (guint mode = 0; mode < campbell->n_modes; mode++)
    add_mode (chart, campbell, mode, top);
  for (guint k = 0; k < campbell->orders->len; k++)
    add_order (chart, campbell, k);
  for (guint s = 0; s < campbell->n_signals; s++)
    {
      const char *name = campbell->signals->pdata[s], *unit;
      IfbamCurve *curve;

      ifbam_signal_quantity (NULL, name, &chart->y.quantity, &unit);
      chart->y.quantity = "amplitude";
      chart->y.unit = ifbam_chart_copy_text (chart, campbell->units->pdata[s]);
      curve = ifbam_chart_add (chart, name, campbell->speed, campbell->amplitude + s * campbell->n,
                               campbell->n);
      curve->mark_x = &campbell->peaks[s].speed;
      curve->mark_y = &campbell->peaks[s].amplitude;
      curve->n_marks = isfinite (campbell->peaks[s].amplitude) ? 1 : 0;
    }
}

void
ifbam_sensitivities_chart (IfbamChart *chart, const IfbamSensitivities *sensitivities)
{
  const guint n = MIN (sensitivities->numbers->len, MOST_NUMBERS);
  double *x = ifbam_chart_numbers (chart, n);
  const char **names = g_new0 (const char *, n + 1);

  for (guint i = 0; i < n; i++)
    {
      x[i] = i + 1;
      names[i] = g_array_index (sensitivities->numbers, IfbamSensitivity, i).name;
    }
  chart->kind = IFBAM_CHART_SHAPE;
  chart->x_names = ifbam_chart_own (chart, names, g_free);
  chart->x.quantity = "number";
  chart->y.quantity = "percent of the frequency per percent";
  chart->x.unit = chart->y.unit = "";
  for (guint m = 0; m < MIN (sensitivities->n_modes, MOST_MODES); m++)
    {
      g_autofree char *label =
          g_strdup_printf ("%u: %.5g Hz", m + 1, sensitivities->modes[m].frequency);
      double *y = ifbam_chart_numbers (chart, n);

      for (guint i = 0; i < n; i++)
        y[i] = g_array_index (sensitivities->numbers, IfbamSensitivity, i).frequency[m];
      ifbam_chart_add (chart, label, x, y, n)->style = IFBAM_CURVE_POINTS;
    }
}
