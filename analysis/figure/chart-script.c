/* chart-script.c: gnuplot script of a chart of curves
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/chart-script.h"

#define MANY_CURVES 4 /* in a panel; more have their legend beside it, if there is space */
/* Legends: height of a row, height that one beside a panel lacks [pixels]; letters for all names,
 * and for a line's sample; largest number of rows above a panel. */
#define KEY_HEIGHT      18
#define KEY_LESS        90
#define KEY_BESIDE      48
#define KEY_ABOVE       100
#define KEY_SAMPLE      6
#define MAX_KEY_ROWS    10
#define NAMES_BELOW     95  /* letters below an axis */
#define MIN_PATH_HEIGHT 260 /* of a picture of paths [pixels] */
#define MAX_PATH_HEIGHT 1000
#define LETTER_WIDTH    9    /* of margins [pixels] */
#define LEVEL           1e-6 /* relative extent of a constant curve */
#define MAX_TICS        5    /* at the side of one of several panels */
#define PANEL_HEIGHT    250  /* of each of several [pixels] */
#define NUMBER_WIDTH    0.08 /* width of a mark's number relative to the picture */
#define MAX_MARKS       12   /* with numbers; more marks are dots only */
#define LOWEST          1e-6 /* lowest value of a logarithmic axis, over the highest */
#define VISIBLE         2e-3 /* fraction of the highest amplitude that is visible in a spectrum */
#define GROUND          "#9a8f80"
#define NEUTRAL         "#404040"

/* Ranges */

static double
find_highest (const IfbamCurve *curve)
{
  double highest = 0.0;

  for (gsize j = 0; j < curve->n; j++)
    if (ifbam_curve_is_drawn (curve, j))
      highest = MAX (highest, curve->y[j]);
  return highest;
}

/* Returns the lowest value of a curve on a logarithmic axis; infinite: none is positive. */
static double
find_lowest (const IfbamCurve *curve)
{
  const double least = LOWEST * find_highest (curve);
  double lowest = INFINITY;

  for (gsize j = 0; j < curve->n; j++)
    if (ifbam_curve_is_drawn (curve, j) && curve->y[j] > 0)
      lowest = fmin (lowest, fmax (curve->y[j], least));
  return lowest;
}

/* Returns the last visible frequency of a spectrum. */
static double
find_last_visible (const IfbamChart *chart)
{
  double last = 0.0;

  for (gsize i = 0; i < chart->curves->len; i++)
    {
      const IfbamCurve *curve = ifbam_chart_curve (chart, i);
      const double visible = VISIBLE * find_highest (curve);

      for (gsize j = 0; j < curve->n; j++)
        if (ifbam_curve_is_drawn (curve, j) && curve->y[j] > visible)
          last = MAX (last, curve->x[j]);
    }
  return last;
}

/* Returns the range of the variants, which gnuplot would extend to whole decades. */
static IfbamAxisRange
sweep_range (const IfbamChart *chart)
{
  IfbamAxisRange range = chart->x.range;

  for (gsize i = 0; i < chart->curves->len; i++)
    {
      const IfbamCurve *curve = ifbam_chart_curve (chart, i);

      for (gsize j = 0; j < curve->n; j++)
        if (ifbam_curve_is_drawn (curve, j))
          {
            if (isnan (chart->x.range.from))
              range.from = fmin (range.from, curve->x[j]);
            if (isnan (chart->x.range.to))
              range.to = fmax (range.to, curve->x[j]);
          }
    }
  return range.from < range.to ? range : chart->x.range;
}

static IfbamAxisRange
find_x_range (const IfbamChart *chart)
{
  IfbamAxisRange range = chart->x.range;

  if (chart->kind == IFBAM_CHART_SHAPE)
    {
      const double n = (double) ifbam_chart_curve (chart, 0)->n;
      const double margin = 0.02 * (n - 1) + (n < 2);

      return ifbam_range_or (range, 1 - margin, n + margin);
    }
  if (chart->kind == IFBAM_CHART_SWEEP)
    return sweep_range (chart);
  if (chart->kind == IFBAM_CHART_SPECTRUM)
    {
      const double last = find_last_visible (chart);

      range = ifbam_range_or (range, 0, NAN);
      if (last > range.from)
        range = ifbam_range_or (range, 0, 1.2 * last);
    }
  return range;
}

static IfbamAxisRange
find_y_range (const IfbamDrawing *drawing, const IfbamPanel *panel)
{
  const IfbamChart *chart = drawing->chart;
  IfbamAxisRange range = ifbam_chart_y_range (chart, panel->curves->pdata[0]);

  if (chart->kind == IFBAM_CHART_SHAPE)
    return ifbam_range_or (range, -1.1, 1.1);
  if (!chart->y.log || !isnan (range.from))
    return range;
  range.from = fmax (panel->y.to, 0);
  if (chart->kind == IFBAM_CHART_SPECTRUM)
    range.from *= LOWEST;
  for (guint k = 0; k < panel->curves->len && chart->kind != IFBAM_CHART_SPECTRUM; k++)
    range.from = fmin (range.from, find_lowest (panel->curves->pdata[k]));
  return range;
}

IfbamDrawing
ifbam_drawing_begin (const IfbamChart *chart, guint columns)
{
  IfbamDrawing drawing = { chart, columns, find_x_range (chart), NULL, NULL };
  IfbamChart shown = *chart;

  shown.x.range = drawing.range;
  drawing.panels = ifbam_panels_new (&shown);
  drawing.panel_of = g_new0 (guint, chart->curves->len + 1);
  for (guint p = 0; p < drawing.panels->len; p++)
    {
      const IfbamPanel *panel = drawing.panels->pdata[p];

      /* gnuplot fails without visible data */
      if (panel->y.from > panel->y.to && chart->kind != IFBAM_CHART_RESPONSE)
        {
          g_ptr_array_remove_index (drawing.panels, p--);
          continue;
        }
      for (guint k = 0; k < panel->curves->len; k++)
        drawing.panel_of[ifbam_curve_index (chart, panel->curves->pdata[k])] = p;
    }
  return drawing;
}

void
ifbam_drawing_clear (IfbamDrawing *drawing)
{
  g_clear_pointer (&drawing->panels, g_ptr_array_unref);
  g_free (drawing->panel_of);
}

/* Data */

/* Returns a position along the axis. */
static double
along (const IfbamChart *chart, double x)
{
  return chart->kind == IFBAM_CHART_GROWTH ? log10 (x) : x;
}

/* Returns the side of mark m for its number, without overlap with the next one's: left (-1), right
 * (1), above (0); for several marks of one line only at the highest, else none (2). */
static int
find_side (const IfbamDrawing *drawing, gsize index, gsize m)
{
  const IfbamChart *chart = drawing->chart;
  const IfbamCurve *own = ifbam_chart_curve (chart, index);
  const double at = along (chart, own->mark_x[m]);
  const double from = along (chart, drawing->range.from), to = along (chart, drawing->range.to);
  const double width = NUMBER_WIDTH * (to - from);
  /* A word with a number may exceed the picture's edge. */
  gboolean left = own->mark_word != NULL && at - from < width; /* is there a neighbour? */
  gboolean right = own->mark_word != NULL && to - at < width;

  for (gsize i = 0; i < chart->curves->len; i++)
    for (gsize j = 0; j < ifbam_chart_curve (chart, i)->n_marks
                      && drawing->panel_of[i] == drawing->panel_of[index];
         j++)
      {
        const IfbamCurve *other = ifbam_chart_curve (chart, i);
        const double distance = along (chart, other->mark_x[j]) - at;
        const gboolean higher =
            i < index ? other->mark_y[j] >= own->mark_y[m] : other->mark_y[j] > own->mark_y[m];

        if (i != index && higher && fabs (distance) < 0.1 * width)
          return 2;
        left |= distance < -0.1 * width && distance > -width;
        right |= distance > 0.1 * width && distance < width;
      }
  return (int) left - (int) right;
}

static IfbamPointOrder
point_order (const IfbamChart *chart)
{
  static const IfbamPointOrder orders[] = {
    [IFBAM_CHART_COURSE] = IFBAM_POINTS_RISING, [IFBAM_CHART_SPECTRUM] = IFBAM_POINTS_RISING,
    [IFBAM_CHART_PHASE] = IFBAM_POINTS_FREE,    [IFBAM_CHART_SHAPE] = IFBAM_POINTS_RISING,
    [IFBAM_CHART_GROWTH] = IFBAM_POINTS_BROKEN, [IFBAM_CHART_SWEEP] = IFBAM_POINTS_BROKEN,
    [IFBAM_CHART_PATH] = IFBAM_POINTS_FREE,     [IFBAM_CHART_RESPONSE] = IFBAM_POINTS_BROKEN,
  };

  return orders[chart->kind];
}

/* Appends the points of curve i as $d<i>; its marks as $m<i>: x, y, side of the number, number. All
 * are in the units of the axes. */
void
ifbam_script_append_data (GString *script, const IfbamDrawing *drawing)
{
  const IfbamChart *chart = drawing->chart;

  for (guint i = 0; i < chart->curves->len; i++)
    {
      const IfbamCurve *curve = ifbam_chart_curve (chart, i);
      const IfbamPanel *panel = drawing->panels->pdata[drawing->panel_of[i]];

      g_string_append_printf (script, "$d%u << EOD\n", i);
      ifbam_curve_append (script, curve, point_order (chart), drawing->range,
                          ifbam_chart_y_range (chart, curve), panel->x_factor, panel->y_factor);
      g_string_append (script, "EOD\n");
      if (curve->n_marks == 0)
        continue;
      g_string_append_printf (script, "$m%u << EOD\n", i);
      for (gsize j = 0; j < curve->n_marks; j++)
        g_string_append_printf (
            script, "%s %s %d %s\n", IFBAM_G10 (panel->x_factor * curve->mark_x[j]),
            IFBAM_G10 (panel->y_factor * curve->mark_y[j]),
            curve->n_marks <= MAX_MARKS ? find_side (drawing, i, j) : 0,
            IFBAM_G10 (curve->mark_number != NULL ? curve->mark_number[j]
                                                  : panel->x_factor * curve->mark_x[j]));
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
    NOWHERE /* too many curves */
  } place;
  guint columns, rows;
  guint width; /* of a name [letters] */
} Key;

static Key
key_of (const IfbamDrawing *drawing, const IfbamPanel *panel)
{
  const guint n_panels = drawing->panels->len;
  const guint height = MAX (IFBAM_PICTURE_HEIGHT, 60 + PANEL_HEIGHT * n_panels) / n_panels;
  const guint most_rows = (height - KEY_LESS) / KEY_HEIGHT;
  guint names = 0;
  Key key = { ABOVE, 1, 1, 0 };

  for (guint k = 0; k < panel->curves->len; k++)
    {
      const IfbamCurve *curve = panel->curves->pdata[k];

      names += curve->label != NULL;
      if (curve->label != NULL)
        key.width = MAX (key.width, (guint) g_utf8_strlen (curve->label, -1));
    }
  if (names > MANY_CURVES && drawing->chart->kind != IFBAM_CHART_GROWTH)
    {
      key.columns = (names + most_rows - 1) / most_rows;
      key.place = key.columns * (key.width + KEY_SAMPLE) <= KEY_BESIDE ? BESIDE : ABOVE;
    }
  if (key.place == ABOVE)
    key.columns = CLAMP (KEY_ABOVE / (key.width + KEY_SAMPLE), 1, MAX (names, 1));
  key.rows = (names + key.columns - 1) / key.columns;
  if (key.place == ABOVE && key.rows > MAX_KEY_ROWS)
    key.place = NOWHERE;
  return key;
}

static void
append_key (GString *script, const IfbamDrawing *drawing, const IfbamPanel *panel)
{
  const Key key = key_of (drawing, panel);
  const guint n = panel->curves->len;

  if (drawing->columns > 0)
    g_string_append (script, "set key above right horizontal width 2\n");
  else if (key.place == NOWHERE) /* "m1.position ... m100.position (100 curves)" */
    {
      const IfbamCurve *first = panel->curves->pdata[0], *last = panel->curves->pdata[n - 1];
      g_autofree char *text =
          g_strdup_printf ("%s \342\200\246 %s (%u curves)", first->label, last->label, n);

      g_string_append (script, "unset key\nset tmargin 3\nset label 1 ");
      ifbam_script_text (script, text);
      g_string_append (script, " at graph 0, graph 1 offset 0,0.8\n");
    }
  else
    g_string_append_printf (script, "set key %s maxrows %u\n",
                            key.place == ABOVE
                                ? "above left Left reverse horizontal samplen 2.5"
                                : "outside right top Left reverse vertical samplen 2",
                            key.rows);
}

/* Panels */

static void
append_marks (GString *script, const IfbamDrawing *drawing, gsize index, guint colour)
{
  static const char *const placements[] = { "right", "center", "left" };
  const IfbamCurve *curve = ifbam_chart_curve (drawing->chart, index);
  const gboolean neutral = (curve->style & IFBAM_CURVE_NEUTRAL) != 0, text = drawing->columns > 0;
  const char *word = curve->mark_word;
  gboolean wanted[4] = { FALSE };

  if (!neutral)
    g_string_append_printf (script,
                            ", $m%" G_GSIZE_FORMAT " using 1:2 with points pointtype 7 pointsize "
                            "0.7 linecolor %u notitle",
                            index, colour);
  for (gsize j = 0; j < curve->n_marks && curve->n_marks <= MAX_MARKS; j++)
    wanted[find_side (drawing, index, j) + 1] = TRUE;
  for (int side = -1; side <= 1; side++)
    {
      if (!wanted[side + 1]) /* gnuplot fails without data */
        continue;
      g_string_append_printf (script,
                              ", $m%" G_GSIZE_FORMAT " using 1:($3 == %d ? $2 : NaN)"
                              ":(sprintf('%s%s%%#.4g', $4)) with labels %s offset 0,%s",
                              index, side, word != NULL ? word : "", word != NULL ? ": " : "",
                              placements[side + 1],
                              text           ? "1"
                              : word != NULL ? "1.5" /* beside the line there */
                                             : "0.7");
      if (!text && neutral)
        g_string_append (script, " textcolor rgb '" NEUTRAL "'");
      else if (!text)
        g_string_append_printf (script, " textcolor linetype %u", colour);
      g_string_append (script, " notitle");
    }
}

/* Appends "lines linetype 3 dashtype 2". */
static void
append_style (GString *script, const IfbamDrawing *drawing, const IfbamCurve *curve, guint colour)
{
  const guint style = curve->style;
  const gboolean text = drawing->columns > 0, neutral = (style & IFBAM_CURVE_NEUTRAL) != 0;
  const gboolean strong = (style & IFBAM_CURVE_STRONG) != 0;

  g_string_append (script, text && drawing->chart->kind == IFBAM_CHART_SWEEP ? "lines"
                           : (style & IFBAM_CURVE_FILLED) != 0
                               ? "filledcurves closed fillstyle transparent solid 0.2 noborder"
                           : (style & IFBAM_CURVE_POINTS) == 0
                               ? (style & IFBAM_CURVE_DOTS) != 0
                                     ? "linespoints pointtype 7 pointsize 0.7"
                                     : "lines"
                           : neutral ? "points pointtype 7 pointsize 0.9"
                                     : "points pointtype 7 pointsize 0.5");
  g_string_append_printf (script, " linetype %u%s%s%s%s", colour,
                          (style & IFBAM_CURVE_DOTTED) != 0   ? " dashtype 3"
                          : (style & IFBAM_CURVE_DASHED) != 0 ? " dashtype 2"
                                                              : "",
                          (style & IFBAM_CURVE_GROUND) != 0 && !text ? " linecolor rgb '" GROUND
                                                                       "' linewidth 3.5"
                          : strong ? " linewidth 3.5"
                                   : "",
                          neutral && !text ? " linecolor rgb '" NEUTRAL "'" : "",
                          !neutral || (style & IFBAM_CURVE_POINTS) != 0 ? ""
                          : strong                                      ? " dashtype 1"
                                   : " linewidth 0.8 dashtype 1");
}

static void
append_curves (GString *script, const IfbamDrawing *drawing, const IfbamPanel *panel)
{
  for (guint i = 0; i < panel->curves->len; i++)
    {
      const IfbamCurve *curve = panel->curves->pdata[i];
      const gsize index = ifbam_curve_index (drawing->chart, curve);
      const guint colour = curve->colour > 0 ? curve->colour : i + 1;

      g_string_append_printf (script, "%s$d%" G_GSIZE_FORMAT " using 1:2 with ",
                              i > 0 ? ", " : "plot ", index);
      append_style (script, drawing, curve, colour);
      g_string_append (script, curve->label != NULL ? " title " : " notitle");
      if (curve->label != NULL)
        ifbam_script_text (script, curve->label);
      if (curve->n_marks > 0)
        append_marks (script, drawing, index, colour);
    }
  g_string_append_c (script, '\n');
}

/* Appends the range of y, with few numbers: gnuplot would overlap them in a low panel. */
static void
append_y_axis (GString *script, const IfbamDrawing *drawing, const IfbamPanel *panel)
{
  const IfbamChart *chart = drawing->chart;
  const IfbamAxisRange wanted = find_y_range (drawing, panel);
  const double factor = panel->y_factor;
  IfbamAxisRange range = { factor * wanted.from, factor * wanted.to };
  const IfbamAxisRange seen = ifbam_range_or (range, factor * panel->y.from, factor * panel->y.to);
  double step = ifbam_scale_step (seen.to - seen.from, MAX_TICS);
  const double smallest = LEVEL * fmax (fabs (seen.from), fabs (seen.to));

  /* Constant: in the middle of a few numbers. */
  if (!(seen.to - seen.from > smallest) && isnan (range.from) && isnan (range.to)
      && isfinite (seen.from))
    {
      step = seen.from == 0 ? 1 : ifbam_scale_step (fabs (seen.from), MAX_TICS);
      range.from = step * floor (seen.from / step - 0.5);
      range.to = step * ceil (seen.to / step + 0.5);
    }
  /* an open end would keep that of the panel above */
  if (chart->y_range_unit != NULL)
    g_string_append (script, "set autoscale y\n");
  ifbam_script_range (script, "y", chart->y.log ? wanted : range);
  if (chart->y.log || drawing->columns > 0 || drawing->panels->len < 2)
    return;
  g_string_append_printf (script, "set ytics %s\n",
                          step > smallest && isfinite (step) ? IFBAM_G10 (step) : "autofreq");
}

static void
append_panel (GString *script, const IfbamDrawing *drawing, guint p)
{
  const IfbamPanel *panel = drawing->panels->pdata[p];
  const gboolean text = drawing->columns > 0;

  ifbam_script_range (script, "x",
                      (IfbamAxisRange){ panel->x_factor * drawing->range.from,
                                        panel->x_factor * drawing->range.to });
  append_y_axis (script, drawing, panel);
  /* panels below each other share x, except in phase portraits */
  if (text || p + 1 == drawing->panels->len || drawing->chart->kind == IFBAM_CHART_PHASE)
    ifbam_script_label (script, "x", panel->x_label, "");
  append_key (script, drawing, panel);
  if (text) /* terminals can't rotate letters */
    {
      g_string_append (script, "set label 1 at screen 0, screen 1 ");
      ifbam_script_text (script, panel->y_label);
      g_string_append_c (script, '\n');
    }
  else
    ifbam_script_label (script, "y", panel->y_label, "");
  append_curves (script, drawing, panel);
  g_string_append (script, "unset title\n");
}

/* Returns letters for half of the last number below, and for legends beside the panels. */
static guint
right_margin (const IfbamDrawing *drawing)
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

/* Appends names below an axis, slanted if they would overlap. */
static void
append_names (GString *script, const char *const *names)
{
  gsize letters = 0;

  g_string_append (script, "set xtics (");
  for (guint i = 0; names[i] != NULL; i++)
    {
      letters += (gsize) g_utf8_strlen (names[i], -1) + 2;
      if (i > 0)
        g_string_append (script, ", ");
      ifbam_script_text (script, names[i]);
      g_string_append_printf (script, " %u", i + 1);
    }
  g_string_append (script, letters > NAMES_BELOW ? ") rotate by -35\n" : ")\n");
}

void
ifbam_script_append_chart (GString *script, const IfbamDrawing *drawing)
{
  const IfbamChart *chart = drawing->chart;

  if (chart->x.log)
    g_string_append (script, "set logscale x\n");
  if (chart->y.log)
    g_string_append (script, "set logscale y\n");
  else if (chart->kind == IFBAM_CHART_SPECTRUM) /* space for the numbers of the peaks */
    g_string_append (script, "set offsets 0,0,graph 0.08,0\n");
  if (chart->x_names != NULL)
    append_names (script, chart->x_names);
  else if (chart->kind == IFBAM_CHART_SHAPE) /* nodes are integers */
    g_string_append_printf (
        script, "set xtics %s\n",
        IFBAM_G10 (fmax (1, ifbam_scale_step (drawing->range.to - drawing->range.from, 12))));
  if (chart->kind == IFBAM_CHART_PATH && drawing->columns == 0)
    g_string_append (script, "set size ratio -1\n");
  if (chart->kind == IFBAM_CHART_SHAPE)
    g_string_append (script, "set xzeroaxis linetype 1 linecolor rgb '" NEUTRAL "'\n");
  ifbam_script_append_data (script, drawing);
  if (drawing->columns > 0)
    ifbam_script_title (script, "set title ", chart->title, drawing->columns, "\n");
  else
    {
      g_string_append_printf (script, "set rmargin %u\n", right_margin (drawing));
      if (drawing->panels->len > 1)
        g_string_append (script, "set lmargin 12\n"); /* aligns the panels' left edges */
      /* A single panel is a layout, too: then the legend is below the title. */
      ifbam_script_panels (script, drawing->panels->len, chart->title);
    }
  for (guint p = 0; p < drawing->panels->len; p++)
    append_panel (script, drawing, p);
  if (drawing->columns == 0)
    g_string_append (script, "unset multiplot\n");
}

/* Returns the shown length of an axis. */
static double
shown_length (IfbamAxisRange wanted, IfbamAxisRange seen)
{
  const IfbamAxisRange shown = ifbam_range_or (wanted, seen.from, seen.to);

  return shown.to - shown.from;
}

/* Legends above the panels make the picture higher; a path over flat ground makes it lower. */
guint
ifbam_drawing_height (const IfbamDrawing *drawing)
{
  const IfbamChart *chart = drawing->chart;
  const guint n = drawing->panels->len;
  const IfbamPanel *first = drawing->panels->pdata[0];
  guint height = MAX (IFBAM_PICTURE_HEIGHT, 60 + PANEL_HEIGHT * n), rows = 1;

  if (chart->kind == IFBAM_CHART_PATH && first->x.to > first->x.from)
    {
      const double width = IFBAM_PICTURE_WIDTH - LETTER_WIDTH * (11.0 + right_margin (drawing));

      height = (guint) CLAMP (130
                                  + width * shown_length (chart->y.range, first->y)
                                        / shown_length (chart->x.range, first->x),
                              MIN_PATH_HEIGHT, MAX_PATH_HEIGHT);
    }
  for (guint p = 0; p < n; p++)
    {
      const Key key = key_of (drawing, drawing->panels->pdata[p]);

      if (key.place == ABOVE)
        rows = MAX (rows, key.rows);
    }
  return height + (rows - 1) * KEY_HEIGHT * n;
}
