/* chart-response.c: panels of a frequency response: amplitudes, and phases below
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/chart-response.h"

/* Sizes of a picture [pixels]. */
#define WIDTH     900.
#define TOP       46 /* the legend */
#define TITLE     30
#define AMPLITUDE 280 /* of a panel */
#define PHASE     170
#define GAP       16
#define BOTTOM    66

#define FEW_CURVES   4 /* more have their legend beside the panels */
#define MAX_LABELS   16
#define LABEL_WIDTH  0.025 /* fraction of the axis */
#define DEPTH        1e-8  /* lowest part of an antiresonance, over the largest amplitude */
#define MARGIN_DB    3.5   /* 1.5 times */
#define NARROW_TICS  8     /* within an octave */
#define FINE_DECADES 3.2   /* wider axes have numbers at decades only */

static gboolean
shows_phases (const IfbamPanel *panel)
{
  const IfbamCurve *first = panel->curves->pdata[0];

  return g_str_equal (first->y_unit, "deg");
}

/* Returns a range of whole quarter turns. */
static IfbamAxisRange
phase_range (IfbamAxisRange seen)
{
  IfbamAxisRange range = { 90 * floor ((seen.from + 1e-6) / 90),
                           90 * ceil ((seen.to - 1e-6) / 90) };

  if (!(seen.from <= seen.to))
    return (IfbamAxisRange){ -180, 180 };
  if (range.from == range.to)
    range.from -= 90;
  return range;
}

static IfbamAxisRange
y_range_of (const IfbamChart *chart, const IfbamPanel *panel)
{
  const IfbamAxisRange wanted = chart->y.range, seen = panel->y;
  IfbamAxisRange range;

  if (shows_phases (panel))
    return phase_range (seen);
  if (!(seen.from <= seen.to))
    return (IfbamAxisRange) IFBAM_AXIS_WHOLE;
  if (chart->y.log)
    range = (IfbamAxisRange){ fmax (seen.from, DEPTH * seen.to) / 1.5, seen.to * 1.5 };
  else
    range = (IfbamAxisRange){ fmax (seen.from, seen.to + 20 * log10 (DEPTH)) - MARGIN_DB,
                              seen.to + MARGIN_DB };
  return ifbam_range_or (wanted, range.from, range.to);
}

/* The frequency axis */

static void
append_tic (GString *script, double tic, gboolean big, gboolean numbered)
{
  g_string_append_printf (script, "%s'%s' %s %d", g_str_has_suffix (script->str, "(") ? "" : ", ",
                          numbered ? IFBAM_G10 (tic) : "", IFBAM_G10 (tic), big ? 0 : 1);
}

/* Appends tics as on a linear axis: within an octave there may be none of 1, 2, 5, 10, ... */
static void
append_narrow_tics (GString *script, IfbamAxisRange range, gboolean numbered)
{
  const double step = ifbam_scale_step (range.to - range.from, NARROW_TICS);
  const double first = ceil (range.from / step - 1e-9);

  for (guint i = 0; i <= NARROW_TICS && (first + i) * step <= range.to * (1 + 1e-9); i++)
    append_tic (script, (first + i) * step, TRUE, numbered);
}

static void
append_decade_tics (GString *script, IfbamAxisRange range, gboolean numbered)
{
  const gboolean all_big = log10 (range.to / range.from) < 0.7;

  for (int decade = (int) floor (log10 (range.from)); decade <= log10 (range.to); decade++)
    for (int i = 1; i < 10; i++)
      {
        const double tic = i * pow (10, decade);
        const gboolean big = all_big || i == 1 || i == 2 || i == 5;

        if (tic >= range.from * (1 - 1e-9) && tic <= range.to * (1 + 1e-9))
          append_tic (script, tic, big, big && numbered);
      }
}

/* Numbers are below the last panel only. */
static void
append_frequency_axis (GString *script, const IfbamDrawing *drawing, const IfbamPanel *panel,
                       gboolean numbered)
{
  const double factor = panel->x_factor;
  const IfbamAxisRange range = { factor * drawing->range.from, factor * drawing->range.to };

  ifbam_script_range (script, "x", range);
  g_string_append_printf (script, "set format x '%s'\nunset xlabel\n", numbered ? "%g" : "");
  if (numbered)
    ifbam_script_label (script, "x", panel->x_label, "");
  if (!drawing->chart->x.log)
    return;
  g_string_append (script, "set logscale x\n");
  if (log10 (range.to / range.from) > FINE_DECADES)
    return;
  g_string_append (script, "set xtics (");
  if (range.to < 2 * range.from)
    append_narrow_tics (script, range, numbered);
  else
    append_decade_tics (script, range, numbered);
  g_string_append (script, ")\n");
}

/* Returns the position of a frequency as a fraction of the axis. */
static double
along (const IfbamDrawing *drawing, double frequency)
{
  const IfbamAxisRange range = drawing->range;

  return drawing->chart->x.log ? log (frequency / range.from) / log (range.to / range.from)
                               : (frequency - range.from) / (range.to - range.from);
}

/* Appends the chart's lines, with numbers on their left if there is space. */
static void
append_lines (GString *script, const IfbamDrawing *drawing, double factor, gboolean labelled)
{
  const IfbamChart *chart = drawing->chart;
  double last = -1;
  guint n_seen = 0;

  g_string_append (script, "unset arrow\nunset label\n");
  for (gsize i = 0; i < chart->n_lines; i++)
    n_seen += along (drawing, chart->lines[i]) >= 0 && along (drawing, chart->lines[i]) <= 1;
  for (gsize i = 0; i < chart->n_lines; i++)
    {
      const double place = along (drawing, chart->lines[i]), shown = factor * chart->lines[i];
      g_autofree char *text = ifbam_quantity_text (chart->lines[i], "Hz");

      if (!(place >= 0 && place <= 1))
        continue;
      g_string_append_printf (script,
                              "set arrow from first %s, graph 0 to first %s, graph 1 nohead back "
                              "dashtype 2 linewidth 1 linecolor rgb '#a8a8a8'\n",
                              IFBAM_G10 (shown), IFBAM_G10 (shown));
      if (!labelled || n_seen > MAX_LABELS || place - last < LABEL_WIDTH || place < LABEL_WIDTH)
        continue;
      g_string_append (script, "set label ");
      ifbam_script_text (script, text);
      g_string_append_printf (script,
                              " at first %s, graph 0.03 left rotate by 90 offset -0.9,0 "
                              "font ',10' front textcolor rgb '#808080'\n",
                              IFBAM_G10 (shown));
      last = place;
    }
}

/* Panels */

static void
append_place (GString *script, double height, double top, double bottom, double right)
{
  g_string_append_printf (script,
                          "set lmargin at screen %s\nset rmargin at screen %s\n"
                          "set tmargin at screen %s\nset bmargin at screen %s\n",
                          IFBAM_G10 (104 / WIDTH), IFBAM_G10 (right), IFBAM_G10 (1 - top / height),
                          IFBAM_G10 (1 - bottom / height));
}

/* The label is at the picture's edge, independent of the width of numbers. */
static void
append_y_axis (GString *script, const IfbamDrawing *drawing, const IfbamPanel *panel)
{
  const gboolean phases = shows_phases (panel);
  const double room = phases ? 8 : 0;
  const IfbamAxisRange range = y_range_of (drawing->chart, panel);

  g_string_append (script, "set label ");
  ifbam_script_text (script, panel->y_label);
  g_string_append_printf (script,
                          " at screen %s, graph 0.5 center rotate by 90\n%s"
                          "%s logscale y\nset format y '%%g'\nset ytics %s\n",
                          IFBAM_G10 (20 / WIDTH), phases ? "unset key\n" : "",
                          drawing->chart->y.log && !phases ? "set" : "unset",
                          phases ? "-180,90,180" : "autofreq");
  ifbam_script_range (script, "y", (IfbamAxisRange){ range.from - room, range.to + room });
}

/* The first panel's legend has the curves of all panels of amplitudes. */
static void
append_curves (GString *script, const IfbamDrawing *drawing, guint p)
{
  const IfbamChart *chart = drawing->chart;
  const char *before = "plot ";

  for (guint i = 0; i < chart->curves->len; i++)
    {
      const IfbamCurve *curve = ifbam_chart_curve (chart, i);
      const gboolean own = drawing->panel_of[i] == p;

      if (!own && (p > 0 || g_str_equal (curve->y_unit, "deg")))
        continue;
      g_string_append (script, before);
      before = ", ";
      if (own)
        g_string_append_printf (script, "$d%u using 1:2", i);
      else
        g_string_append (script, "keyentry");
      g_string_append_printf (script, " with lines linetype %u linewidth 1.8 %s", curve->colour,
                              p > 0 ? "notitle" : "title ");
      if (p == 0)
        ifbam_script_text (script, curve->label);
    }
  g_string_append_c (script, '\n');
}

static gboolean
has_key_beside (const IfbamDrawing *drawing)
{
  return drawing->chart->curves->len > 2 * FEW_CURVES; /* amplitudes and phases */
}

static double
top_of (const IfbamDrawing *drawing, guint panel)
{
  return (has_key_beside (drawing) ? 20 : TOP) + (drawing->chart->title != NULL ? TITLE : 0)
         + panel * (AMPLITUDE + GAP);
}

guint
ifbam_response_height (const IfbamDrawing *drawing)
{
  return (guint) top_of (drawing, drawing->panels->len - 1) + PHASE + BOTTOM;
}

void
ifbam_script_append_response (GString *script, const IfbamDrawing *drawing)
{
  const gboolean beside = has_key_beside (drawing);
  const double height = ifbam_response_height (drawing);

  ifbam_script_append_data (script, drawing);
  ifbam_script_panels (script, 0, drawing->chart->title);
  g_string_append (script, beside ? "set key outside right top Left reverse vertical samplen 2\n"
                                  : "set key at graph 0, graph 1.02 left bottom Left reverse "
                                    "horizontal maxrows 1 samplen 2.5\n");
  for (guint p = 0; p < drawing->panels->len; p++)
    {
      const IfbamPanel *panel = drawing->panels->pdata[p];
      const gboolean last = p + 1 == drawing->panels->len;
      const double top = top_of (drawing, p);

      append_place (script, height, top, top + (last ? PHASE : AMPLITUDE),
                    beside ? 0.77 : 1 - 34 / WIDTH);
      append_frequency_axis (script, drawing, panel, last);
      append_lines (script, drawing, panel->x_factor, p == 0);
      append_y_axis (script, drawing, panel);
      append_curves (script, drawing, p);
    }
  g_string_append (script, "unset multiplot\n");
}

IfbamChart
ifbam_response_part (const IfbamChart *chart, const IfbamPanel *panel, GArray *curves)
{
  const gboolean phases = shows_phases (panel);
  IfbamChart part = *chart;

  for (guint i = 0; i < panel->curves->len; i++)
    {
      IfbamCurve curve = *(const IfbamCurve *) panel->curves->pdata[i];

      curve.colour = 0;
      if (!phases && !chart->y.log)
        curve.y_unit = "dB"; /* without "re 1 m" */
      g_array_append_val (curves, curve);
    }
  part.kind = IFBAM_CHART_SWEEP;
  part.curves = curves;
  part.y.log = chart->y.log && !phases;
  part.y.range = y_range_of (chart, panel);
  part.title = phases ? NULL : chart->title;
  return part;
}
