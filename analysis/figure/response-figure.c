/* response-figure.c: Bode plot: amplitude above, phase below, over the frequency
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/response-figure.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "file/file.h"
#include "figure/axis-units.h"

#define WIDTH        900. /* of a picture [pixels] */
#define TOP          46   /* the legend */
#define TITLE        30
#define AMPLITUDE    280 /* of a panel */
#define PHASE        170
#define GAP          16
#define BOTTOM       66
#define FEW_CURVES   4 /* more have their legend beside the panels */
#define MOST_LABELS  16
#define LABEL_WIDTH  0.025 /* part of the axis */
#define DEPTH        1e-8  /* part of the largest amplitude that is shown of an antiresonance */
#define MARGIN_DB    3.5   /* 1.5 times */
#define NARROW_TICS  8     /* within an octave */
#define FINE_DECADES 3.2   /* up to so many decades have numbers between their ends */

typedef struct
{
  char *label;
  char *quantity, *unit; /* of the amplitude */
  double *amplitude, *phase;
} Curve;

static void
curve_free (Curve *curve)
{
  g_free (curve->label);
  g_free (curve->quantity);
  g_free (curve->unit);
  g_free (curve->amplitude);
  g_free (curve->phase);
  g_free (curve);
}

typedef struct
{
  const IfbamResponseFigure *figure;
  gsize n;
  const double *frequency;
  GPtrArray *curves; /* Curve */
  GPtrArray *units;  /* const char*: of the panels of amplitudes */
  IfbamScale scale;  /* of frequencies in a picture */
  IfbamPlotRange range;
} Bode;

/* Content */

static void
add_curve (Bode *bode, const char *label, const char *unit, const double *amplitude, gsize stride,
           const double *phase)
{
  Curve *curve = g_new0 (Curve, 1);
  gboolean known = FALSE;

  curve->label = g_strdup (label);
  curve->unit = g_strdup (unit);
  curve->amplitude = g_new (double, bode->n + 1);
  curve->phase = g_new (double, bode->n + 1);
  for (gsize i = 0; i < bode->n; i++)
    {
      /* What a logarithm has no place for. */
      curve->amplitude[i] = amplitude[i * stride] > 0 ? amplitude[i * stride] : NAN;
      if (bode->figure->decibels)
        curve->amplitude[i] = 20 * log10 (curve->amplitude[i]);
      curve->phase[i] = phase[i * stride];
    }
  g_ptr_array_add (bode->curves, curve);
  for (guint i = 0; i < bode->units->len; i++)
    known |= g_str_equal (bode->units->pdata[i], curve->unit);
  if (!known)
    g_ptr_array_add (bode->units, curve->unit);
}

static gboolean
is_seen (const Bode *bode, const Curve *curve, gsize i)
{
  return isfinite (curve->amplitude[i]) && bode->frequency[i] >= bode->range.from
         && bode->frequency[i] <= bode->range.to;
}

/* The range of frequencies; FALSE where there is nothing in it. */
static gboolean
find_range (Bode *bode, GError **error)
{
  const IfbamPlotRange wanted = bode->figure->x_range;
  gsize seen = 0;

  if (bode->n > 0)
    {
      bode->range.from = isnan (wanted.from) ? bode->frequency[0] : wanted.from;
      bode->range.to = isnan (wanted.to) ? bode->frequency[bode->n - 1] : wanted.to;
    }
  for (guint k = 0; k < bode->curves->len && bode->n > 0; k++)
    for (gsize i = 0; i < bode->n; i++)
      seen += is_seen (bode, bode->curves->pdata[k], i);
  if (seen > 1 && bode->range.from < bode->range.to
      && (bode->figure->linear || bode->range.from > 0))
    return TRUE;
  return ifbam_fail (error, IFBAM_ERROR_USAGE,
                     "there is nothing to draw: no two points lie in the picture");
}

static IfbamPlotRange
amplitude_range (const Bode *bode, const char *unit)
{
  IfbamPlotRange range = { INFINITY, -INFINITY };

  for (guint k = 0; k < bode->curves->len; k++)
    {
      const Curve *curve = bode->curves->pdata[k];

      for (gsize i = 0; i < bode->n && g_str_equal (curve->unit, unit); i++)
        if (is_seen (bode, curve, i))
          {
            range.from = fmin (range.from, curve->amplitude[i]);
            range.to = fmax (range.to, curve->amplitude[i]);
          }
    }
  if (!(range.from <= range.to))
    return (IfbamPlotRange) IFBAM_PLOT_ANY;
  if (bode->figure->decibels)
    {
      range.from = fmax (range.from, range.to + 20 * log10 (DEPTH)) - MARGIN_DB;
      range.to += MARGIN_DB;
    }
  else
    {
      range.from = fmax (range.from, DEPTH * range.to) / 1.5;
      range.to *= 1.5;
    }
  if (!isnan (bode->figure->y_range.from))
    range.from = bode->figure->y_range.from;
  if (!isnan (bode->figure->y_range.to))
    range.to = bode->figure->y_range.to;
  return range;
}

/* Whole quarters of a turn. */
static IfbamPlotRange
phase_range (const Bode *bode)
{
  IfbamPlotRange range = { INFINITY, -INFINITY };

  for (guint k = 0; k < bode->curves->len; k++)
    {
      const Curve *curve = bode->curves->pdata[k];

      for (gsize i = 0; i < bode->n; i++)
        if (is_seen (bode, curve, i) && isfinite (curve->phase[i]))
          {
            range.from = fmin (range.from, 90 * floor ((curve->phase[i] + 1e-6) / 90));
            range.to = fmax (range.to, 90 * ceil ((curve->phase[i] - 1e-6) / 90));
          }
    }
  if (!(range.from <= range.to))
    return (IfbamPlotRange){ -180, 180 };
  if (range.from == range.to)
    range.from -= 90;
  return range;
}

/* Pictures */

/* Curve k is $d<k>: frequency, amplitude, phase; a blank line where the phase goes round. */
static void
append_data (GString *script, const Bode *bode)
{
  for (guint k = 0; k < bode->curves->len; k++)
    {
      const Curve *curve = bode->curves->pdata[k];
      gboolean began = FALSE;

      g_string_append_printf (script, "$a%u << EOD\n", k);
      for (gsize i = 0; i < bode->n; i++)
        if (isfinite (curve->amplitude[i]))
          {
            ifbam_script_number (script, "", bode->scale.factor * bode->frequency[i], " ");
            ifbam_script_number (script, "", curve->amplitude[i], "\n");
          }
        else if (i > 0 && isfinite (curve->amplitude[i - 1]))
          g_string_append_c (script, '\n');
      g_string_append_printf (script, "EOD\n$p%u << EOD\n", k);
      for (gsize i = 0; i < bode->n; i++)
        if (isfinite (curve->phase[i]))
          {
            if (began && isfinite (curve->phase[i - 1])
                && fabs (curve->phase[i] - curve->phase[i - 1]) > 180.001)
              g_string_append_c (script, '\n');
            ifbam_script_number (script, "", bode->scale.factor * bode->frequency[i], " ");
            ifbam_script_number (script, "", curve->phase[i], "\n");
            began = TRUE;
          }
      g_string_append (script, "EOD\n");
    }
}

/* label: it has a number. */
static void
append_tic (GString *script, double tic, gboolean big, gboolean label)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.10g", tic);
  g_string_append_printf (script, "%s'%s' %s %d", g_str_has_suffix (script->str, "(") ? "" : ", ",
                          label ? text : "", text, big ? 0 : 1);
}

/* Within an octave, where none or one of those beside it may be: as on a linear axis. */
static void
append_narrow_tics (GString *script, IfbamPlotRange range, gboolean numbered)
{
  const double step = ifbam_scale_step (range.to - range.from, NARROW_TICS);
  const double first = ceil (range.from / step - 1e-9);

  for (guint i = 0; i <= NARROW_TICS && (first + i) * step <= range.to * (1 + 1e-9); i++)
    append_tic (script, (first + i) * step, TRUE, numbered);
}

/* On a logarithmic axis: 1, 2, 5, 10, ...; numbers stand below the last panel. */
static void
append_frequency_axis (GString *script, const Bode *bode, gboolean numbered)
{
  static const double steps[] = { 1, 2, 5 };
  const double decades = log10 (bode->range.to / bode->range.from);
  const IfbamPlotRange range = { bode->scale.factor * bode->range.from,
                                 bode->scale.factor * bode->range.to };
  const gboolean narrow = range.to < 2 * range.from;

  ifbam_script_range (script, "x", range);
  g_string_append_printf (script, "set format x '%s'\nunset xlabel\n", numbered ? "%g" : "");
  if (numbered)
    ifbam_script_label (script, "x", "frequency", bode->scale.unit);
  if (bode->figure->linear)
    return;
  g_string_append (script, "set logscale x\n");
  if (decades > FINE_DECADES)
    return;
  g_string_append (script, "set xtics (");
  if (narrow)
    append_narrow_tics (script, range, numbered);
  for (int decade = (int) floor (log10 (range.from)); !narrow && decade <= log10 (range.to);
       decade++)
    for (int i = 1; i < 10; i++)
      {
        const double tic = i * pow (10, decade);
        gboolean big = decades < 0.7;

        for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
          big |= i == (int) steps[k];
        if (tic < range.from * (1 - 1e-9) || tic > range.to * (1 + 1e-9))
          continue;
        append_tic (script, tic, big, big && numbered);
      }
  g_string_append (script, ")\n");
}

static double
along (const Bode *bode, double frequency)
{
  const IfbamPlotRange range = bode->range;

  return bode->figure->linear ? (frequency - range.from) / (range.to - range.from)
                              : log (frequency / range.from) / log (range.to / range.from);
}

/* A line at each eigenfrequency; its number stands on the left of it where there is room. */
static void
append_eigenfrequencies (GString *script, const Bode *bode, gboolean labelled)
{
  double last = -1;
  guint n_seen = 0;

  g_string_append (script, "unset arrow\nunset label\n");
  for (gsize i = 0; i < bode->figure->n_eigenfrequencies; i++)
    {
      const double place = along (bode, bode->figure->eigenfrequencies[i]);

      n_seen += place >= 0 && place <= 1;
    }
  for (gsize i = 0; i < bode->figure->n_eigenfrequencies; i++)
    {
      const double frequency = bode->figure->eigenfrequencies[i], place = along (bode, frequency);
      const double shown = bode->scale.factor * frequency;

      if (!(place >= 0 && place <= 1))
        continue;
      ifbam_script_number (script, "set arrow from first ", shown, ", graph 0 to first ");
      ifbam_script_number (
          script, "", shown,
          ", graph 1 nohead back dashtype 2 linewidth 1 linecolor rgb '#a8a8a8'\n");
      if (!labelled || n_seen > MOST_LABELS || place - last < LABEL_WIDTH || place < LABEL_WIDTH)
        continue;
      {
        g_autofree char *text = ifbam_quantity_text (frequency, "Hz");

        g_string_append (script, "set label ");
        ifbam_script_text (script, text);
        ifbam_script_number (script, " at first ", shown,
                             ", graph 0.03 left rotate by 90 offset -0.9,0 font ',10' front "
                             "textcolor rgb '#808080'\n");
      }
      last = place;
    }
}

static void
append_place (GString *script, double height, double top, double bottom, double right)
{
  ifbam_script_number (script, "set lmargin at screen ", 104 / WIDTH, "\n");
  ifbam_script_number (script, "set rmargin at screen ", right, "\n");
  ifbam_script_number (script, "set tmargin at screen ", 1 - top / height, "\n");
  ifbam_script_number (script, "set bmargin at screen ", 1 - bottom / height, "\n");
}

/* At the picture's edge, however wide the numbers are. */
static void
append_axis_label (GString *script, const char *label)
{
  g_string_append (script, "set label ");
  ifbam_script_text (script, label);
  ifbam_script_number (script, " at screen ", 20 / WIDTH, ", graph 0.5 center rotate by 90\n");
}

static void
append_amplitudes (GString *script, const Bode *bode, guint panel)
{
  const char *unit = bode->units->pdata[panel];
  const char *quantity = NULL;
  g_autofree char *label = NULL;
  gboolean first = TRUE;

  for (guint k = 0; k < bode->curves->len && quantity == NULL; k++)
    if (g_str_equal (((Curve *) bode->curves->pdata[k])->unit, unit))
      quantity = "amplitude";
  if (bode->figure->decibels)
    label = g_strdup_printf ("%s [dB%s%s]", quantity, *unit != '\0' ? " re 1 " : "", unit);
  else
    label = *unit != '\0' ? g_strdup_printf ("%s [%s]", quantity, unit)
                          : g_strdup_printf ("%s, output / input", quantity);
  append_axis_label (script, label);
  g_string_append_printf (script, "%s logscale y\nset format y '%%g'\nset ytics autofreq\n",
                          bode->figure->decibels ? "unset" : "set");
  ifbam_script_range (script, "y", amplitude_range (bode, unit));
  g_string_append (script, "plot ");
  for (guint k = 0; k < bode->curves->len; k++)
    {
      const Curve *curve = bode->curves->pdata[k];
      const gboolean own = g_str_equal (curve->unit, unit);

      if (!own && panel > 0)
        continue;
      if (!first)
        g_string_append (script, ", ");
      first = FALSE;
      if (own)
        g_string_append_printf (script, "$a%u using 1:2 with lines linetype %u linewidth 1.8 ", k,
                                k + 1);
      else
        g_string_append_printf (script, "keyentry with lines linetype %u linewidth 1.8 ", k + 1);
      if (panel > 0)
        {
          g_string_append (script, "notitle");
          continue;
        }
      g_string_append (script, "title ");
      ifbam_script_text (script, curve->label);
    }
  g_string_append_c (script, '\n');
}

static void
append_phases (GString *script, const Bode *bode)
{
  const IfbamPlotRange range = phase_range (bode);

  append_axis_label (script, "phase [deg]");
  g_string_append (script, "unset key\nunset logscale y\n"
                           "set format y '%g'\nset ytics -180,90,180\n");
  ifbam_script_range (script, "y", (IfbamPlotRange){ range.from - 8, range.to + 8 });
  g_string_append (script, "plot ");
  for (guint k = 0; k < bode->curves->len; k++)
    g_string_append_printf (script, "%s$p%u using 1:2 with lines linetype %u linewidth 1.8 notitle",
                            k > 0 ? ", " : "", k, k + 1);
  g_string_append_c (script, '\n');
}

/* "Title: response to force@m1" */
static char *
title_of (const IfbamResponseFigure *figure)
{
  const gboolean titled = figure->title != NULL && *figure->title != '\0';

  if (titled || figure->input == NULL)
    return titled ? g_strdup (figure->title) : NULL;
  return g_strdup_printf ("response to %s", figure->input);
}

static gboolean
draw_picture (const Bode *bode, const char *path, GError **error)
{
  g_autofree char *title = title_of (bode->figure);
  const guint panels = bode->units->len;
  const gboolean beside = bode->curves->len > FEW_CURVES;
  const double top = (beside ? 20 : TOP) + (title != NULL ? TITLE : 0);
  const double height = top + panels * (AMPLITUDE + GAP) + PHASE + BOTTOM;
  const double right = beside ? 0.77 : 1 - 34 / WIDTH;
  GString *script = ifbam_script_new (path, (guint) height, "1", error);

  if (script == NULL)
    return FALSE;
  append_data (script, bode);
  ifbam_script_panels (script, 0, title);
  g_string_append (script, beside ? "set key outside right top Left reverse vertical samplen 2\n"
                                  : "set key at graph 0, graph 1.02 left bottom Left reverse "
                                    "horizontal maxrows 1 samplen 2.5\n");
  for (guint i = 0; i < panels; i++)
    {
      const double from = top + i * (AMPLITUDE + GAP);

      append_place (script, height, from, from + AMPLITUDE, right);
      append_frequency_axis (script, bode, FALSE);
      append_eigenfrequencies (script, bode, i == 0);
      append_amplitudes (script, bode, i);
    }
  append_place (script, height, height - BOTTOM - PHASE, height - BOTTOM, right);
  append_frequency_axis (script, bode, TRUE);
  append_eigenfrequencies (script, bode, FALSE);
  append_phases (script, bode);
  g_string_append (script, "unset multiplot\n");
  return ifbam_script_draw (script, path, error);
}

/* Text */

static char *
text_of (const Bode *bode, const char *unit, guint columns, guint lines, GError **error)
{
  g_autofree IfbamPlotSeries *series = g_new0 (IfbamPlotSeries, bode->curves->len);
  IfbamPlot plot = { .kind = IFBAM_PLOT_SWEEP,
                     .title = unit == NULL ? NULL : bode->figure->title,
                     .x_range = bode->range,
                     .y_range = IFBAM_PLOT_ANY,
                     .log_x = !bode->figure->linear,
                     .log_y = unit != NULL && !bode->figure->decibels,
                     .series = series };

  if (unit != NULL)
    plot.y_range = amplitude_range (bode, unit);
  else
    plot.y_range = phase_range (bode);
  for (guint k = 0; k < bode->curves->len; k++)
    {
      const Curve *curve = bode->curves->pdata[k];

      if (unit != NULL && !g_str_equal (curve->unit, unit))
        continue;
      series[plot.n_series++] =
          (IfbamPlotSeries){ .label = curve->label,
                             .x_quantity = "frequency",
                             .x_unit = "Hz",
                             .y_quantity = unit != NULL ? "amplitude" : "phase",
                             .y_unit = unit == NULL             ? "deg"
                                       : bode->figure->decibels ? "dB"
                                                                : unit,
                             .n = bode->n,
                             .x = bode->frequency,
                             .y = unit != NULL ? curve->amplitude : curve->phase };
    }
  return ifbam_plot_text (&plot, columns, lines, error);
}

static gboolean
print_text (const Bode *bode, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint columns, lines;

  ifbam_plot_terminal_size (&columns, &lines);
  for (guint i = 0; i <= bode->units->len; i++)
    {
      const gboolean phase = i == bode->units->len;
      g_autofree char *panel =
          text_of (bode, phase ? NULL : bode->units->pdata[i], columns,
                   phase ? MAX (lines * 2 / 5, 12) : MAX (lines * 3 / 5, 12), error);

      if (panel == NULL)
        return FALSE;
      g_string_append (text, panel);
    }
  return ifbam_output_put (NULL, text->str, text->len, error);
}

static gboolean
draw (Bode *bode, const char *path, GError **error)
{
  if (!find_range (bode, error))
    return FALSE;
  bode->scale = ifbam_scale_for (
      "Hz", bode->figure->linear ? bode->range.to : sqrt (bode->range.from * bode->range.to));
  return (path == NULL ? print_text (bode, error) : draw_picture (bode, path, error));
}

static void
bode_clear (Bode *bode)
{
  g_ptr_array_unref (bode->curves);
  g_ptr_array_unref (bode->units);
  ifbam_scale_clear (&bode->scale);
}

gboolean
ifbam_response_figure_draw (const IfbamResponseFigure *figure, IfbamResponse *response,
                            const char *path, GError **error)
{
  const char *const *outputs = ifbam_response_get_outputs (response);
  Bode bode = { .figure = figure,
                .curves = g_ptr_array_new_with_free_func ((GDestroyNotify) curve_free),
                .units = g_ptr_array_new () };
  gboolean drawn;

  bode.frequency = ifbam_response_get_frequencies (response, &bode.n);
  for (guint i = 0; outputs[i] != NULL; i++)
    add_curve (&bode, outputs[i], ifbam_response_get_unit (response, i),
               ifbam_response_get_amplitudes (response, i, &bode.n), 1,
               ifbam_response_get_phases (response, i, &bode.n));
  drawn = draw (&bode, path, error);
  bode_clear (&bode);
  return drawn;
}

/* Tables */

static gboolean
wants (const char *const *outputs, const char *signal)
{
  return outputs == NULL || g_strv_contains (outputs, signal);
}

static gboolean
refuse (GError **error, const char *format, const char *name)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE, format, name);
#pragma GCC diagnostic pop
  return FALSE;
}

static gboolean
check_table (const IfbamCsvTable *table, const char *const *outputs, GError **error)
{
  if (table->names->len < 3 || !g_str_equal (table->names->pdata[0], "frequency"))
    return refuse (error, "%s",
                   "is no table of a frequency response (want the columns frequency, "
                   "SIGNAL.amplitude, SIGNAL.phase, ...)");
  for (guint i = 0; outputs != NULL && outputs[i] != NULL; i++)
    {
      g_autofree char *name = g_strconcat (outputs[i], ".amplitude", NULL);

      if (ifbam_csv_table_column (table, name) < 0)
        return refuse (error, "there is no column \"%s\"", name);
    }
  for (gsize i = 0; i < table->n_rows; i++)
    if (!(ifbam_csv_table_value (table, i, 0)
          > (i == 0 ? 0 : ifbam_csv_table_value (table, i - 1, 0))))
      return refuse (error, "%s", "the frequencies do not increase");
  return TRUE;
}

gboolean
ifbam_response_figure_draw_table (const IfbamResponseFigure *figure, const IfbamCsvTable *table,
                                  const char *const *outputs, const char *path, GError **error)
{
  g_autofree double *frequency = g_new (double, table->n_rows + 1);
  const double *values = (const double *) (gpointer) table->values->data;
  Bode bode = { .figure = figure,
                .n = table->n_rows,
                .frequency = frequency,
                .curves = g_ptr_array_new_with_free_func ((GDestroyNotify) curve_free),
                .units = g_ptr_array_new () };
  gboolean drawn = check_table (table, outputs, error);

  for (gsize i = 0; i < table->n_rows && drawn; i++)
    frequency[i] = ifbam_csv_table_value (table, i, 0);
  for (guint c = 1; c < table->names->len && drawn; c++)
    {
      const char *name = table->names->pdata[c], *quantity, *unit = "";
      g_autofree char *signal = g_str_has_suffix (name, ".amplitude")
                                    ? g_strndup (name, strlen (name) - strlen (".amplitude"))
                                    : NULL;
      g_autofree char *phase = signal == NULL ? NULL : g_strconcat (signal, ".phase", NULL);
      const int phase_column = phase == NULL ? -1 : ifbam_csv_table_column (table, phase);
      g_autofree char *per_input = NULL;

      if (phase_column < 0 || !wants (outputs, signal))
        continue;
      /* What the input was is not in the table. */
      if (ifbam_signal_unit (signal, &quantity, &unit))
        per_input = g_strdup_printf ("%s per input", unit);
      add_curve (&bode, signal, per_input != NULL ? per_input : "", values + c, table->names->len,
                 values + phase_column);
    }
  drawn = drawn && draw (&bode, path, error);
  bode_clear (&bode);
  return drawn;
}
