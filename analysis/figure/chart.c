/* chart.c: figures of courses, spectra, phase planes, mode shapes and sweeps, drawn by gnuplot
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/chart.h"
#include "figure/chart-panels.h"
#include "file/file.h"

#include <string.h>

#define MANY_CURVES 4 /* in a panel; more have their legend beside it, if that leaves room */
/* Legends: height of a row, what a panel is higher than one beside it; letters that all names have room for,
 * and that a line takes; most rows above a panel. */
#define KEY_HEIGHT    18
#define KEY_LESS      90
#define KEY_BESIDE    48
#define KEY_ABOVE     100
#define KEY_SAMPLE    6
#define MOST_KEY_ROWS 10
#define NAMES_BELOW   95  /* letters below an axis */
#define LOWEST_PATH   260 /* a picture of a way [pixels] */
#define HIGHEST_PATH  1000
#define LETTER_WIDTH  9    /* of margins [pixels] */
#define LEVEL         1e-6 /* of a curve, part of its height: numbers would not show more */
#define MOST_TICS     5    /* at the side of one of several panels */
#define GROUND        "#9a8f80"
#define NEUTRAL       "#404040" /* of what belongs to no curve */
#define PANEL_HEIGHT  250       /* of each of several */
#define NUMBER_WIDTH  0.08      /* part of the picture that the number of a mark takes */
#define MAX_MARKS     12        /* with numbers; the others only get their dots */
#define LOWEST        1e-6      /* part of a curve's highest value that a logarithmic axis shows */
#define VISIBLE       2e-3      /* part of the highest amplitude that a spectrum shows */

void
ifbam_plot_quantity (IfbamCourse *course, const char *signal, const char **quantity,
                     const char **unit)
{
  const char *known = course != NULL ? ifbam_course_get_unit (course, signal) : NULL;

  if (strchr (signal, '.') == NULL || !ifbam_signal_unit (signal, quantity, unit))
    {
      *quantity = signal;
      *unit = "";
    }
  if (known != NULL)
    *unit = known;
}

static char *
short_name (const char *path)
{
  char *name = g_path_get_basename (path);
  char *dot = strrchr (name, '.');

  if (dot != NULL && dot > name)
    *dot = '\0';
  return name;
}

char **
ifbam_plot_file_names (const char *const *paths)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *names = g_ptr_array_new ();
  gboolean clear = TRUE;

  for (gsize i = 0; paths[i] != NULL; i++)
    {
      g_ptr_array_add (names, short_name (paths[i]));
      clear &= g_hash_table_add (seen, names->pdata[i]);
    }
  g_ptr_array_add (names, NULL);
  if (clear)
    return (char **) g_ptr_array_free (names, FALSE);
  g_hash_table_remove_all (seen);
  g_strfreev ((char **) g_ptr_array_free (names, FALSE));
  return g_strdupv ((char **) paths);
}

static double
find_highest (const IfbamPlotSeries *s)
{
  double highest = 0.0;

  for (gsize j = 0; j < s->n; j++)
    if (ifbam_curve_is_drawn (s, j))
      highest = MAX (highest, s->y[j]);
  return highest;
}

/* The lowest value that a logarithmic axis shows of a curve; infinite where none is above 0. */
static double
find_lowest (const IfbamPlotSeries *s)
{
  const double least = LOWEST * find_highest (s);
  double lowest = INFINITY;

  for (gsize j = 0; j < s->n; j++)
    if (ifbam_curve_is_drawn (s, j) && s->y[j] > 0)
      lowest = fmin (lowest, fmax (s->y[j], least));
  return lowest;
}

/* A spectrum ends a little beyond the last frequency that can be seen in it. */
static double
find_last_visible (const IfbamPlot *plot)
{
  double last = 0.0;

  for (gsize i = 0; i < plot->n_series; i++)
    {
      const IfbamPlotSeries *s = &plot->series[i];
      double visible = VISIBLE * find_highest (s);

      for (gsize j = s->n; j-- > 0;)
        if (ifbam_curve_is_drawn (s, j) && s->y[j] > visible)
          {
            last = MAX (last, s->x[j]);
            break;
          }
    }
  return last;
}

/* From the first to the last variant: gnuplot would go on to whole decades. */
static IfbamPlotRange
sweep_range (const IfbamPlot *plot)
{
  IfbamPlotRange range = plot->x_range;

  for (gsize i = 0; i < plot->n_series; i++)
    {
      const IfbamPlotSeries *s = &plot->series[i];

      for (gsize j = 0; j < s->n && isnan (plot->x_range.from); j++)
        if (ifbam_curve_is_drawn (s, j))
          range.from = fmin (range.from, s->x[j]);
      for (gsize j = 0; j < s->n && isnan (plot->x_range.to); j++)
        if (ifbam_curve_is_drawn (s, j))
          range.to = fmax (range.to, s->x[j]);
    }
  return range.from < range.to ? range : plot->x_range;
}

static IfbamPlotRange
find_x_range (const IfbamPlot *plot)
{
  IfbamPlotRange range = plot->x_range;
  double last;

  if (plot->kind == IFBAM_PLOT_SHAPE)
    {
      const double n = (double) plot->series[0].n, margin = 0.02 * (n - 1) + (n < 2);

      return (IfbamPlotRange){ isnan (range.from) ? 1 - margin : range.from,
                               isnan (range.to) ? n + margin : range.to };
    }
  if (plot->kind == IFBAM_PLOT_SWEEP)
    return sweep_range (plot);
  if (plot->kind != IFBAM_PLOT_SPECTRUM)
    return range;
  last = find_last_visible (plot);
  if (isnan (range.from))
    range.from = 0.0;
  if (isnan (range.to) && last > range.from)
    range.to = 1.2 * last;
  return range;
}

/* What was asked for, where a curve stands. */
static IfbamPlotRange
wanted_y_range (const IfbamPlot *plot, const IfbamPlotSeries *s)
{
  return plot->y_range_unit == NULL || g_str_equal (plot->y_range_unit, s->y_unit)
             ? plot->y_range
             : (IfbamPlotRange) IFBAM_PLOT_ANY;
}

static IfbamPlotRange
find_y_range (const IfbamPlot *plot, const IfbamPanel *panel)
{
  IfbamPlotRange range =
      wanted_y_range (plot, &plot->series[g_array_index (panel->series, gsize, 0)]);

  if (plot->kind == IFBAM_PLOT_SHAPE)
    return (IfbamPlotRange){ isnan (range.from) ? -1.1 : range.from,
                             isnan (range.to) ? 1.1 : range.to };
  if (!plot->log_y || !isnan (range.from))
    return range;
  range.from =
      plot->kind == IFBAM_PLOT_SPECTRUM ? LOWEST * fmax (panel->y.to, 0) : fmax (panel->y.to, 0);
  for (guint k = 0; k < panel->series->len && plot->kind != IFBAM_PLOT_SPECTRUM; k++)
    range.from =
        fmin (range.from, find_lowest (&plot->series[g_array_index (panel->series, gsize, k)]));
  return range;
}

/* A figure at work. */
typedef struct
{
  const IfbamPlot *plot;
  guint text;           /* columns of text; 0: a picture */
  IfbamPlotRange range; /* of x */
  GPtrArray *panels;    /* IfbamPanel */
  guint *panel_of;      /* (plot->n_series) */
} Drawing;

static void
drawing_clear (Drawing *drawing)
{
  g_clear_pointer (&drawing->panels, g_ptr_array_unref);
  g_free (drawing->panel_of);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Drawing, drawing_clear)

static Drawing
begin_drawing (const IfbamPlot *plot, guint text)
{
  Drawing drawing = { plot, text, find_x_range (plot), NULL, g_new0 (guint, plot->n_series + 1) };
  const IfbamPanelRules rules = {
    .own_x = plot->kind == IFBAM_PLOT_PHASE || plot->kind == IFBAM_PLOT_PATH,
    .alike = plot->kind == IFBAM_PLOT_PATH,
    .by_size =
        (plot->kind == IFBAM_PLOT_COURSE || plot->kind == IFBAM_PLOT_SPECTRUM) && !plot->log_y,
    .plain_x = plot->log_x || plot->kind == IFBAM_PLOT_CHART,
    .plain_y = plot->log_y,
    .x = drawing.range,
    .y = plot->y_range,
    .y_unit = plot->y_range_unit,
  };

  drawing.panels = ifbam_panels_new (plot->series, plot->n_series, &rules);
  for (guint p = 0; p < drawing.panels->len; p++)
    {
      const IfbamPanel *panel = drawing.panels->pdata[p];

      if (panel->y.from > panel->y.to) /* gnuplot fails where there is nothing to be seen */
        {
          g_ptr_array_remove_index (drawing.panels, p--);
          continue;
        }
      for (guint k = 0; k < panel->series->len; k++)
        drawing.panel_of[g_array_index (panel->series, gsize, k)] = p;
    }
  return drawing;
}

/* A place along the axis. */
static double
along (const IfbamPlot *plot, double x)
{
  return plot->kind == IFBAM_PLOT_CHART ? log10 (x) : x;
}

/* Where the number of mark m of a series stands, so that it does not run into the next one's: on its
 * left (-1), on its right (1), or above it (0); at the highest only (2: nowhere) of several that
 * mark one line. */
static int
find_side (const Drawing *drawing, gsize series, gsize m)
{
  const IfbamPlot *plot = drawing->plot;
  const IfbamPlotSeries *own = &plot->series[series];
  double width =
      NUMBER_WIDTH * (along (plot, drawing->range.to) - along (plot, drawing->range.from));
  gboolean left = FALSE, right = FALSE; /* is there a neighbour? */

  /* A word as well takes more room than there is beside the picture's edges. */
  if (own->mark_word != NULL)
    {
      left = along (plot, own->mark_x[m]) - along (plot, drawing->range.from) < width;
      right = along (plot, drawing->range.to) - along (plot, own->mark_x[m]) < width;
    }
  for (gsize i = 0; i < plot->n_series; i++)
    for (gsize j = 0;
         j < plot->series[i].n_marks && drawing->panel_of[i] == drawing->panel_of[series]; j++)
      {
        const IfbamPlotSeries *s = &plot->series[i];
        double distance = along (plot, s->mark_x[j]) - along (plot, own->mark_x[m]);
        gboolean higher =
            i < series ? s->mark_y[j] >= own->mark_y[m] : s->mark_y[j] > own->mark_y[m];

        if (i != series && higher && fabs (distance) < 0.1 * width)
          return 2;
        left |= distance < -0.1 * width && distance > -width;
        right |= distance > 0.1 * width && distance < width;
      }
  return (int) left - (int) right;
}

static IfbamCurveKind
curve_kind (const IfbamPlot *plot)
{
  switch (plot->kind)
    {
    case IFBAM_PLOT_PHASE:
    case IFBAM_PLOT_PATH:
      return IFBAM_CURVE_FREE;
    case IFBAM_PLOT_SWEEP:
    case IFBAM_PLOT_CHART:
      return IFBAM_CURVE_BROKEN;
    case IFBAM_PLOT_COURSE:
    case IFBAM_PLOT_SPECTRUM:
    case IFBAM_PLOT_SHAPE:
    default:
      return IFBAM_CURVE_RISING;
    }
}

/* The points of series i are $d<i>; its marks $m<i>: x, y, side of the number, the number. All as they
 * stand on the axes. */
static void
append_data (GString *script, const Drawing *drawing)
{
  const IfbamPlot *plot = drawing->plot;

  for (gsize i = 0; i < plot->n_series; i++)
    {
      const IfbamPlotSeries *s = &plot->series[i];
      const IfbamPanel *panel = drawing->panels->pdata[drawing->panel_of[i]];

      g_string_append_printf (script, "$d%" G_GSIZE_FORMAT " << EOD\n", i);
      ifbam_curve_append (script, s, curve_kind (plot), drawing->range, wanted_y_range (plot, s),
                          panel->x_factor, panel->y_factor);
      g_string_append (script, "EOD\n");
      if (s->n_marks == 0)
        continue;
      g_string_append_printf (script, "$m%" G_GSIZE_FORMAT " << EOD\n", i);
      for (gsize j = 0; j < s->n_marks; j++)
        {
          ifbam_script_number (script, "", panel->x_factor * s->mark_x[j], " ");
          ifbam_script_number (script, "", panel->y_factor * s->mark_y[j], " ");
          g_string_append_printf (script, "%d ",
                                  s->n_marks <= MAX_MARKS ? find_side (drawing, i, j) : 0);
          ifbam_script_number (
              script, "",
              s->mark_number != NULL ? s->mark_number[j] : panel->x_factor * s->mark_x[j], "\n");
        }
      g_string_append (script, "EOD\n");
    }
}

/* Legends */

typedef struct
{
  enum
  {
    ABOVE,
    BESIDE,
    NOWHERE /* there are too many curves */
  } place;
  guint columns, rows;
  guint width; /* of a name [letters] */
} Key;

static Key
key_of (const Drawing *drawing, const IfbamPanel *panel)
{
  const guint n_panels = drawing->panels->len;
  const guint height = MAX (IFBAM_PICTURE_HEIGHT, 60 + PANEL_HEIGHT * n_panels) / n_panels;
  const guint most_rows = (height - KEY_LESS) / KEY_HEIGHT;
  guint names = 0;
  Key key = { ABOVE, 1, 1, 0 };

  for (guint k = 0; k < panel->series->len; k++)
    {
      const IfbamPlotSeries *s = &drawing->plot->series[g_array_index (panel->series, gsize, k)];

      names += s->label != NULL;
      key.width = MAX (key.width, s->label != NULL ? (guint) g_utf8_strlen (s->label, -1) : 0);
    }
  if (names > MANY_CURVES && drawing->plot->kind != IFBAM_PLOT_CHART)
    {
      key.columns = (names + most_rows - 1) / most_rows;
      key.place = key.columns * (key.width + KEY_SAMPLE) <= KEY_BESIDE ? BESIDE : ABOVE;
    }
  if (key.place == ABOVE)
    key.columns = CLAMP (KEY_ABOVE / (key.width + KEY_SAMPLE), 1, MAX (names, 1));
  key.rows = (names + key.columns - 1) / key.columns;
  if (key.place == ABOVE && key.rows > MOST_KEY_ROWS)
    key.place = NOWHERE;
  return key;
}

/* "m1.position ... m100.position (100 curves)" */
static void
append_summary (GString *script, const Drawing *drawing, const IfbamPanel *panel)
{
  const IfbamPlotSeries *series = drawing->plot->series;
  const char *first = series[g_array_index (panel->series, gsize, 0)].label;
  const char *last = series[g_array_index (panel->series, gsize, panel->series->len - 1)].label;
  g_autofree char *text =
      g_strdup_printf ("%s \342\200\246 %s (%u curves)", first, last, panel->series->len);

  g_string_append (script, "unset key\nset tmargin 3\nset label 1 ");
  ifbam_script_text (script, text);
  g_string_append (script, " at graph 0, graph 1 offset 0,0.8\n");
}

static void
append_key (GString *script, const Drawing *drawing, const IfbamPanel *panel)
{
  const Key key = key_of (drawing, panel);

  if (drawing->text)
    g_string_append (script, "set key above right horizontal width 2\n");
  else if (key.place == ABOVE)
    g_string_append_printf (
        script, "set key above left Left reverse horizontal samplen 2.5 maxrows %u\n", key.rows);
  else if (key.place == BESIDE)
    g_string_append_printf (
        script, "set key outside right top Left reverse vertical samplen 2 maxrows %u\n", key.rows);
  else
    append_summary (script, drawing, panel);
}

/* Panels */

static void
append_marks (GString *script, const Drawing *drawing, gsize number, guint colour)
{
  const IfbamPlotSeries *s = &drawing->plot->series[number];
  gboolean wanted[4] = { FALSE };

  static const char *const placements[] = { "right", "center", "left" };

  if (!s->neutral)
    g_string_append_printf (script,
                            ", $m%" G_GSIZE_FORMAT
                            " using 1:2 with points pointtype 7 pointsize 0.7 "
                            "linecolor %u notitle",
                            number, colour);
  if (s->n_marks > MAX_MARKS)
    return;
  for (gsize j = 0; j < s->n_marks; j++)
    wanted[find_side (drawing, number, j) + 1] = TRUE;
  for (int side = -1; side <= 1; side++)
    {
      if (!wanted[side + 1]) /* gnuplot fails where there is nothing to write */
        continue;
      g_string_append_printf (script,
                              ", $m%" G_GSIZE_FORMAT " using 1:($3 == %d ? $2 : NaN)"
                              ":(sprintf('%s%s%%#.4g', $4)) with labels %s offset 0,%s",
                              number, side, s->mark_word != NULL ? s->mark_word : "",
                              s->mark_word != NULL ? ": " : "", placements[side + 1],
                              drawing->text ? "1"
                              : s->mark_word != NULL
                                  ? "1.5" /* clear of the line that leads there */
                                  : "0.7");
      if (!drawing->text && s->neutral)
        g_string_append (script, " textcolor rgb '" NEUTRAL "'");
      else if (!drawing->text)
        g_string_append_printf (script, " textcolor linetype %u", colour);
      g_string_append (script, " notitle");
    }
}

static const char *
line_style (const IfbamPlotSeries *s)
{
  return s->filled ? "filledcurves closed fillstyle transparent solid 0.2 noborder"
         : s->loose
             ? s->neutral ? "points pointtype 7 pointsize 0.9" : "points pointtype 7 pointsize 0.5"
         : s->dots ? "linespoints pointtype 7 pointsize 0.7"
                   : "lines";
}

static void
append_curves (GString *script, const Drawing *drawing, const IfbamPanel *panel)
{
  g_string_append (script, "plot ");
  for (guint i = 0; i < panel->series->len; i++)
    {
      gsize number = g_array_index (panel->series, gsize, i);
      const IfbamPlotSeries *s = &drawing->plot->series[number];
      const guint colour = s->colour > 0 ? s->colour : i + 1;

      g_string_append_printf (
          script, "%s$d%" G_GSIZE_FORMAT " using 1:2 with %s linetype %u%s%s%s%s",
          i > 0 ? ", " : "", number,
          drawing->text && drawing->plot->kind == IFBAM_PLOT_SWEEP ? "lines" : line_style (s),
          colour,
          s->dotted   ? " dashtype 3"
          : s->dashed ? " dashtype 2"
                      : "",
          s->ground && drawing->text == 0 ? " linecolor rgb '" GROUND "' linewidth 3.5"
          : s->strong                     ? " linewidth 3.5"
                                          : "",
          s->neutral && !drawing->text ? " linecolor rgb '" NEUTRAL "'" : "",
          s->neutral && !s->loose ? s->strong ? " dashtype 1" : " linewidth 0.8 dashtype 1" : "");
      g_string_append (script, s->label != NULL ? " title " : " notitle");
      if (s->label != NULL)
        ifbam_script_text (script, s->label);
      if (s->n_marks > 0)
        append_marks (script, drawing, number, colour);
    }
  g_string_append_c (script, '\n');
}

/* The range of y, and few enough numbers at it: gnuplot would write one over the other in a low panel. */
static void
append_y_axis (GString *script, const Drawing *drawing, const IfbamPanel *panel)
{
  const IfbamPlot *plot = drawing->plot;
  IfbamPlotRange range = find_y_range (plot, panel), seen;
  double step;

  range.from *= panel->y_factor;
  range.to *= panel->y_factor;
  seen = (IfbamPlotRange){ isnan (range.from) ? panel->y_factor * panel->y.from : range.from,
                           isnan (range.to) ? panel->y_factor * panel->y.to : range.to };
  step = ifbam_scale_step (seen.to - seen.from, MOST_TICS);
  /* Level: in the middle of a few numbers. */
  if (!(seen.to - seen.from > LEVEL * fmax (fabs (seen.from), fabs (seen.to))) && isnan (range.from)
      && isnan (range.to) && isfinite (seen.from))
    {
      step = seen.from == 0 ? 1 : ifbam_scale_step (fabs (seen.from), MOST_TICS);
      range.from = step * floor (seen.from / step - 0.5);
      range.to = step * ceil (seen.to / step + 0.5);
    }
  ifbam_script_range (script, "y", plot->log_y ? find_y_range (plot, panel) : range);
  if (plot->log_y || drawing->text > 0 || drawing->panels->len < 2)
    return;
  if (step > LEVEL * fmax (fabs (seen.from), fabs (seen.to)) && isfinite (step))
    ifbam_script_number (script, "set ytics ", step, "\n");
  else
    g_string_append (script, "set ytics autofreq\n");
}

static void
append_panel (GString *script, const Drawing *drawing, guint p)
{
  const IfbamPlot *plot = drawing->plot;
  const IfbamPanel *panel = drawing->panels->pdata[p];
  IfbamPlotRange range = drawing->range;

  range.from *= panel->x_factor;
  range.to *= panel->x_factor;
  ifbam_script_range (script, "x", range);
  append_y_axis (script, drawing, panel);
  /* panels above one another have one x, but in phase planes */
  if (drawing->text || p + 1 == drawing->panels->len || plot->kind == IFBAM_PLOT_PHASE)
    ifbam_script_label (script, "x", panel->x_label, "");
  append_key (script, drawing, panel);
  if (drawing->text) /* the terminal does not turn letters */
    {
      g_string_append (script, "set label 1 at screen 0, screen 1 ");
      ifbam_script_text (script, panel->y_label);
      g_string_append_c (script, '\n');
    }
  else
    ifbam_script_label (script, "y", panel->y_label, "");
  append_curves (script, drawing, panel);
}

/* Characters: for half of the last number below, and for legends beside the panels. */
static guint
right_margin (const Drawing *drawing)
{
  guint margin = 4;

  for (guint p = 0; p < drawing->panels->len; p++)
    {
      const Key key = key_of (drawing, drawing->panels->pdata[p]);

      if (key.place == BESIDE)
        margin = MAX (margin, key.columns * (key.width + KEY_SAMPLE));
    }
  return margin;
}

static gboolean
check (const IfbamPlot *plot, GError **error)
{
  for (gsize i = 0; i < plot->n_series; i++)
    for (gsize j = 0; j < plot->series[i].n; j++)
      {
        const IfbamPlotSeries *s = &plot->series[i];
        const IfbamPlotRange y = wanted_y_range (plot, s);

        if (ifbam_curve_is_drawn (s, j) && !(s->x[j] < plot->x_range.from)
            && !(s->x[j] > plot->x_range.to) && !(s->y[j] < y.from) && !(s->y[j] > y.to)
            && !(plot->log_y && s->y[j] <= 0.0) && !(plot->log_x && s->x[j] <= 0.0))
          return TRUE;
      }
  return ifbam_script_refuse_empty (
      plot->x_range, plot->y_range,
      plot->n_series == 0 ? "there is no signal" : "no point lies in the picture", error);
}

/* Names below an axis; slanting where they would run into each other. */
static void
append_names (GString *script, const char *const *names)
{
  gsize letters = 0;

  g_string_append (script, "set xtics (");
  for (gsize i = 0; names[i] != NULL; i++)
    {
      letters += (gsize) g_utf8_strlen (names[i], -1) + 2;
      if (i > 0)
        g_string_append (script, ", ");
      ifbam_script_text (script, names[i]);
      g_string_append_printf (script, " %" G_GSIZE_FORMAT, i + 1);
    }
  g_string_append (script, letters > NAMES_BELOW ? ") rotate by -35\n" : ")\n");
}

static void
append_figure (GString *script, const Drawing *drawing)
{
  const IfbamPlot *plot = drawing->plot;

  if (plot->kind == IFBAM_PLOT_CHART || plot->log_x)
    g_string_append (script, "set logscale x\n");
  if (plot->log_y)
    g_string_append (script, "set logscale y\n");
  else if (plot->kind == IFBAM_PLOT_SPECTRUM) /* room for the numbers of the peaks */
    g_string_append (script, "set offsets 0,0,graph 0.08,0\n");
  if (plot->x_names != NULL)
    append_names (script, plot->x_names);
  else if (plot->kind == IFBAM_PLOT_SHAPE) /* there is no half a node */
    ifbam_script_number (script, "set xtics ",
                         fmax (1, ifbam_scale_step (drawing->range.to - drawing->range.from, 12)),
                         "\n");
  if (plot->kind == IFBAM_PLOT_PATH && drawing->text == 0)
    g_string_append (script, "set size ratio -1\n");
  if (plot->kind == IFBAM_PLOT_SHAPE)
    g_string_append (script, "set xzeroaxis linetype 1 linecolor rgb '#404040'\n");
  append_data (script, drawing);
  if (drawing->text > 0)
    ifbam_script_title (script, "set title ", plot->title, drawing->text, "\n");
  else
    {
      g_string_append_printf (script, "set rmargin %u\n", right_margin (drawing));
      if (drawing->panels->len > 1)
        g_string_append (script, "set lmargin 12\n"); /* the panels' left edges in one line */
      /* One panel is a layout, too: so the legend stands below the title, not above it. */
      ifbam_script_panels (script, drawing->panels->len, plot->title);
    }
  for (guint p = 0; p < drawing->panels->len; p++)
    {
      append_panel (script, drawing, p);
      g_string_append (script, "unset title\n");
    }
  if (!drawing->text)
    g_string_append (script, "unset multiplot\n");
}

char *
ifbam_plot_text (const IfbamPlot *plot, guint columns, guint lines, GError **error)
{
  g_auto (Drawing) drawing = { 0 };
  GString *script;

  if (!check (plot, error))
    return NULL;
  drawing = begin_drawing (plot, columns);
  script = ifbam_script_new_text (columns, lines);
  append_figure (script, &drawing);
  return ifbam_script_print (script, error);
}

static gboolean
print_text (const IfbamPlot *plot, GError **error)
{
  g_autofree char *text = NULL;
  guint columns, lines;

  ifbam_plot_terminal_size (&columns, &lines);
  text = ifbam_plot_text (plot, columns, lines, error);
  return text != NULL && ifbam_output_put (NULL, text, strlen (text), error);
}

/* How much of an axis is shown. */
static double
shown (IfbamPlotRange wanted, IfbamPlotRange seen)
{
  return (isnan (wanted.to) ? seen.to : wanted.to)
         - (isnan (wanted.from) ? seen.from : wanted.from);
}

/* What margins leave of a picture of one panel [pixels]. */
static double
path_width (const Drawing *drawing)
{
  return IFBAM_PICTURE_WIDTH - LETTER_WIDTH * (11.0 + right_margin (drawing));
}

/* Legends above the panels make the picture higher; a way over flat ground makes it low. */
static guint
picture_height (const Drawing *drawing)
{
  const guint n = drawing->panels->len;
  const IfbamPanel *first = drawing->panels->pdata[0];
  guint height = MAX (IFBAM_PICTURE_HEIGHT, 60 + PANEL_HEIGHT * n);
  guint rows = 1;

  if (drawing->plot->kind == IFBAM_PLOT_PATH && first->x.to > first->x.from)
    height = (guint) CLAMP (130
                                + path_width (drawing) * shown (drawing->plot->y_range, first->y)
                                      / shown (drawing->plot->x_range, first->x),
                            LOWEST_PATH, HIGHEST_PATH);

  for (guint p = 0; p < n; p++)
    {
      const Key key = key_of (drawing, drawing->panels->pdata[p]);

      if (key.place == ABOVE)
        rows = MAX (rows, key.rows);
    }
  return height + (rows - 1) * KEY_HEIGHT * n;
}

gboolean
ifbam_plot_draw (const IfbamPlot *plot, const char *path, GError **error)
{
  g_auto (Drawing) drawing = { 0 };
  GString *script;

  if (path == NULL)
    return print_text (plot, error);
  if (!ifbam_script_knows (path, error) || !check (plot, error))
    return FALSE;
  drawing = begin_drawing (plot, 0);
  /* the turns of a phase portrait lie close together */
  script = ifbam_script_new (path, picture_height (&drawing),
                             plot->kind == IFBAM_PLOT_PHASE ? "1.1" : "1.6", error);
  append_figure (script, &drawing);
  return ifbam_script_draw (script, path, error);
}
