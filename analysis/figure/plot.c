/* plot.c: figures of courses, spectra, phase planes, mode shapes and sweeps, drawn by gnuplot
 *
 * gnuplot gets its script and the data through its standard input and gives the picture on its
 * standard output, so there is no file but the finished one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/plot.h"
#include "base/ifbam-error.h"
#include "system/output.h"
#include "run/signals.h"

#include <gio/gio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MANY_POINTS 8000 /* of a curve; more are thinned */
#define COLUMNS     2000 /* of an envelope: finer than a picture's */
#define FINEST      1e-3 /* part of the picture that a thinned curve steps over */
#define MANY_CURVES 4    /* in a panel; more have their legend beside it */
/* A legend beside a panel: height of a name, and what the panel has more than it; most columns. */
#define KEY_HEIGHT   17
#define KEY_LESS     90
#define KEY_COLUMNS  2
#define NEUTRAL      "#404040" /* of what belongs to no curve */
#define WIDTH        900       /* of a picture [pixels] */
#define HEIGHT       560
#define PANEL_HEIGHT 250  /* of each of several */
#define MAP_HEIGHT   330  /* of each of several maps */
#define MOST_CELLS   200  /* of a map in each direction; of more some are left out */
#define OVERLAP      0.3  /* part of a cell */
#define NUMBER_WIDTH 0.08 /* part of the picture that the number of a mark takes */
#define MAX_MARKS    12   /* with numbers; the others only get their dots */
#define LOWEST       1e-6 /* part of the highest amplitude that a logarithmic axis shows */
#define VISIBLE      2e-3 /* part of the highest amplitude that a spectrum shows */

/* Okabe and Ito 2008, "Color universal design": told apart by colour-blind people. Their yellow is
 * too light for lines on white. */
static const char *const colours[] = { "#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                       "#E69F00", "#56B4E9", "#000000" };

typedef struct
{
  const char *suffix;
  const char *terminal; /* width and height in pixels */
} Format;

static const Format formats[] = {
  { ".svg", "svg size %u,%u font 'Helvetica, Arial, sans-serif,15' background rgb 'white'" },
  { ".png", "pngcairo size %u,%u font 'sans,12'" },
  { ".pdf", "pdfcairo size %u/72.,%u/72. font 'sans,12'" },
};

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

static void
append_number (GString *script, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (script, g_ascii_formatd (text, sizeof text, "%.10g", number));
}

/* A text in single quotes, in which gnuplot takes every character but the quote as it is. */
static void
append_text (GString *script, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (script, '\'');
  for (const char *c = valid; *c != '\0'; c++)
    {
      if (*c == '\'')
        g_string_append_c (script, '\'');
      g_string_append_c (script, (guchar) *c < ' ' ? ' ' : *c);
    }
  g_string_append_c (script, '\'');
}

static void
append_point (GString *script, double x, double y)
{
  append_number (script, x);
  g_string_append_c (script, ' ');
  append_number (script, y);
  g_string_append_c (script, '\n');
}

static gboolean
is_drawn (const IfbamPlotSeries *s, gsize i)
{
  return isfinite (s->x[i]) && isfinite (s->y[i]);
}

/* The rows of an increasing x that fall into a range, and their neighbours. */
static void
clip (const IfbamPlotSeries *s, IfbamPlotRange range, gsize *first, gsize *last)
{
  *first = 0;
  *last = s->n;
  while (*first + 1 < *last && s->x[*first + 1] < range.from)
    ++*first;
  while (*last > *first + 1 && s->x[*last - 2] > range.to)
    --*last;
}

static void
append_all (GString *script, const IfbamPlotSeries *s, gsize first, gsize last, gboolean gaps)
{
  for (gsize i = first; i < last; i++)
    if (is_drawn (s, i))
      append_point (script, s->x[i], s->y[i]);
    else if (gaps && i > first && is_drawn (s, i - 1)) /* a blank line interrupts the curve */
      g_string_append_c (script, '\n');
}

/* The lowest and the highest value of every column of the picture, in their order. */
static void
append_envelope (GString *script, const IfbamPlotSeries *s, gsize first, gsize last)
{
  gsize n = last - first;

  for (gsize column = 0; column < COLUMNS; column++)
    {
      gsize start = first + n * column / COLUMNS, end = first + n * (column + 1) / COLUMNS;
      gsize low = end, high = end;

      for (gsize i = start; i < end; i++)
        if (is_drawn (s, i))
          {
            low = low == end || s->y[i] < s->y[low] ? i : low;
            high = high == end || s->y[i] > s->y[high] ? i : high;
          }
      if (low == end)
        continue;
      append_point (script, s->x[MIN (low, high)], s->y[MIN (low, high)]);
      if (low != high)
        append_point (script, s->x[MAX (low, high)], s->y[MAX (low, high)]);
    }
}

/* The extent of a column of finite numbers. */
static double
extent (const double *values, gsize n)
{
  double low = INFINITY, high = -INFINITY;

  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]))
      {
        low = MIN (low, values[i]);
        high = MAX (high, values[i]);
      }
  return high > low ? high - low : 1.0;
}

/* A curve whose points are at least so far apart, in parts of its extents; counted only without a
 * script. */
static gsize
append_spaced (GString *script, const IfbamPlotSeries *s, double width, double height, double apart)
{
  double x = NAN, y = NAN;
  gsize n = 0;

  for (gsize i = 0; i < s->n; i++)
    if (is_drawn (s, i)
        && !(hypot ((s->x[i] - x) / width, (s->y[i] - y) / height) < apart && i + 1 < s->n))
      {
        x = s->x[i];
        y = s->y[i];
        n++;
        if (script != NULL)
          append_point (script, x, y);
      }
  return n;
}

static void
append_curve (GString *script, const IfbamPlotSeries *s)
{
  double width = extent (s->x, s->n), height = extent (s->y, s->n), apart = FINEST;

  while (append_spaced (NULL, s, width, height, apart) > MANY_POINTS)
    apart *= 1.5;
  append_spaced (script, s, width, height, apart);
}

static void
append_points (GString *script, const IfbamPlot *plot, const IfbamPlotSeries *s,
               IfbamPlotRange range)
{
  gsize first, last;

  clip (s, plot->kind == IFBAM_PLOT_PHASE ? (IfbamPlotRange) IFBAM_PLOT_ANY : range, &first, &last);
  if (last - first <= MANY_POINTS)
    append_all (script, s, first, last,
                plot->kind == IFBAM_PLOT_SWEEP || plot->kind == IFBAM_PLOT_CHART);
  else if (plot->kind == IFBAM_PLOT_PHASE)
    append_curve (script, s);
  else
    append_envelope (script, s, first, last);
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
find_side (const IfbamPlot *plot, IfbamPlotRange range, gsize series, gsize m)
{
  const IfbamPlotSeries *own = &plot->series[series];
  double width = NUMBER_WIDTH * (along (plot, range.to) - along (plot, range.from));
  gboolean left = FALSE, right = FALSE; /* is there a neighbour? */

  for (gsize i = 0; i < plot->n_series; i++)
    for (gsize j = 0; j < plot->series[i].n_marks; j++)
      {
        const IfbamPlotSeries *s = &plot->series[i];
        double distance = along (plot, s->mark_x[j]) - along (plot, own->mark_x[m]);
        gboolean higher =
            i < series ? s->mark_y[j] >= own->mark_y[m] : s->mark_y[j] > own->mark_y[m];

        if (strcmp (s->y_unit, own->y_unit) != 0) /* in another panel */
          continue;
        if (i != series && higher && fabs (distance) < 0.1 * width)
          return 2;
        left |= distance < -0.1 * width && distance > -width;
        right |= distance > 0.1 * width && distance < width;
      }
  return (int) left - (int) right;
}

/* The points of series i are $d<i>; its marks $m<i>: x, y, side of the number, the number. */
static void
append_data (GString *script, const IfbamPlot *plot, IfbamPlotRange range)
{
  for (gsize i = 0; i < plot->n_series; i++)
    {
      const IfbamPlotSeries *s = &plot->series[i];

      g_string_append_printf (script, "$d%" G_GSIZE_FORMAT " << EOD\n", i);
      append_points (script, plot, s, range);
      g_string_append (script, "EOD\n");
      if (s->n_marks == 0)
        continue;
      g_string_append_printf (script, "$m%" G_GSIZE_FORMAT " << EOD\n", i);
      for (gsize j = 0; j < s->n_marks; j++)
        {
          append_number (script, s->mark_x[j]);
          g_string_append_c (script, ' ');
          append_number (script, s->mark_y[j]);
          g_string_append_printf (script, " %d ",
                                  s->n_marks <= MAX_MARKS ? find_side (plot, range, i, j) : 0);
          append_number (script, s->mark_number != NULL ? s->mark_number[j] : s->mark_x[j]);
          g_string_append_c (script, '\n');
        }
      g_string_append (script, "EOD\n");
    }
}

static double
find_highest (const IfbamPlotSeries *s)
{
  double highest = 0.0;

  for (gsize j = 0; j < s->n; j++)
    if (is_drawn (s, j))
      highest = MAX (highest, s->y[j]);
  return highest;
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
        if (is_drawn (s, j) && s->y[j] > visible)
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
        if (is_drawn (s, j))
          range.from = fmin (range.from, s->x[j]);
      for (gsize j = 0; j < s->n && isnan (plot->x_range.to); j++)
        if (is_drawn (s, j))
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

static IfbamPlotRange
find_y_range (const IfbamPlot *plot)
{
  IfbamPlotRange range = plot->y_range;
  double highest = 0.0;

  if (plot->kind == IFBAM_PLOT_SHAPE)
    return (IfbamPlotRange){ isnan (range.from) ? -1.1 : range.from,
                             isnan (range.to) ? 1.1 : range.to };
  if (!plot->log_y || !isnan (range.from))
    return range;
  for (gsize i = 0; i < plot->n_series; i++)
    highest = MAX (highest, find_highest (&plot->series[i]));
  range.from = LOWEST * highest;
  return range;
}

static void
append_range (GString *script, const char *axis, IfbamPlotRange range)
{
  g_string_append_printf (script, "set %srange [", axis);
  if (!isnan (range.from))
    append_number (script, range.from);
  g_string_append_c (script, ':');
  if (!isnan (range.to))
    append_number (script, range.to);
  g_string_append (script, "]\n");
}

static const char *
unit_or_quantity (const char *unit, const char *quantity)
{
  return *unit != '\0' ? unit : quantity;
}

/* Series of one unit share a panel; in phase planes, where x is not the same for all, of one pair of
 * units. A panel is a list of series numbers. */
static GPtrArray *
group_panels (const IfbamPlot *plot)
{
  GPtrArray *panels = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GHashTable) by_unit = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (gsize i = 0; i < plot->n_series; i++)
    {
      const IfbamPlotSeries *s = &plot->series[i];
      const char *x_unit =
          plot->kind == IFBAM_PLOT_PHASE ? unit_or_quantity (s->x_unit, s->x_quantity) : "";
      g_autofree char *units =
          g_strdup_printf ("%s\n%s", unit_or_quantity (s->y_unit, s->y_quantity), x_unit);
      GArray *panel = g_hash_table_lookup (by_unit, units);

      if (panel == NULL)
        {
          panel = g_array_new (FALSE, FALSE, sizeof (gsize));
          g_hash_table_insert (by_unit, g_steal_pointer (&units), panel);
          g_ptr_array_add (panels, panel);
        }
      g_array_append_val (panel, i);
    }
  return panels;
}

static const char *
last_word (const char *text)
{
  const char *blank = strrchr (text, ' ');

  return blank != NULL ? blank + 1 : text;
}

static const char *
quantity_of (const IfbamPlot *plot, const GArray *panel, guint i, gboolean along_x)
{
  const IfbamPlotSeries *s = &plot->series[g_array_index (panel, gsize, i)];

  return along_x ? s->x_quantity : s->y_quantity;
}

/* "position, compression"; each once; "energy" for "kinetic energy, potential energy". */
static void
append_quantities (GString *label, const IfbamPlot *plot, const GArray *panel, gboolean along_x)
{
  const char *word = last_word (quantity_of (plot, panel, 0, along_x));
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean one_word = TRUE;

  for (guint i = 0; i < panel->len; i++)
    {
      const char *quantity = quantity_of (plot, panel, i, along_x);

      if (!g_hash_table_add (seen, (gpointer) quantity))
        continue;
      one_word &= strcmp (last_word (quantity), word) == 0;
      if (g_hash_table_size (seen) == 4) /* what is beyond has no room */
        g_string_append (label, ", ...");
      else if (g_hash_table_size (seen) < 4)
        g_string_append_printf (label, "%s%s", i > 0 ? ", " : "", quantity);
    }
  if (one_word && g_hash_table_size (seen) > 1)
    g_string_assign (label, word);
}

/* "position, compression [m]" */
static char *
axis_label (const IfbamPlot *plot, const GArray *panel, gboolean along_x)
{
  GString *label = g_string_new (NULL);
  const IfbamPlotSeries *first = &plot->series[g_array_index (panel, gsize, 0)];
  const char *unit = along_x ? first->x_unit : first->y_unit;

  append_quantities (label, plot, panel, along_x);
  if (*unit != '\0')
    g_string_append_printf (label, " [%s]", unit);
  return g_string_free (label, FALSE);
}

static void
append_x_label (GString *script, const IfbamPlot *plot, const GArray *panel)
{
  g_autofree char *label = axis_label (plot, panel, TRUE);

  g_string_append (script, "set xlabel ");
  append_text (script, label);
  g_string_append_c (script, '\n');
}

static void
append_style (GString *script, gboolean text, const char *line_width)
{
  g_string_append (script, "set encoding utf8\n"
                           "set border 3 linecolor rgb '#404040' linewidth 1\n"
                           "set tics nomirror out scale 0.6\n"
                           "set format '%g'\n");
  if (!text)
    g_string_append (script, "set grid linetype 1 linecolor rgb '#e0e0e0' linewidth 0.8\n");
  for (guint i = 0; i < 4 * G_N_ELEMENTS (colours); i++)
    g_string_append_printf (script, "set linetype %u linecolor rgb '%s' linewidth %s dashtype %u\n",
                            i + 1, colours[i % G_N_ELEMENTS (colours)], line_width,
                            (guint) (i / G_N_ELEMENTS (colours)) + 1);
}

/* Of a legend beside a panel, one of n_panels. */
static guint
key_columns (const GArray *panel, guint n_panels)
{
  const guint height = MAX (HEIGHT, 60 + PANEL_HEIGHT * n_panels) / n_panels;
  const guint rows = (height - KEY_LESS) / KEY_HEIGHT;

  return (panel->len + rows - 1) / rows;
}

static void
append_key (GString *script, const IfbamPlot *plot, const GArray *panel, guint n_panels,
            gboolean text)
{
  if (text)
    g_string_append (script, "set key above right horizontal width 2\n");
  else if (panel->len <= MANY_CURVES || plot->kind == IFBAM_PLOT_CHART)
    g_string_append (script, "set key above left Left reverse horizontal samplen 2.5\n");
  else if (key_columns (panel, n_panels) <= KEY_COLUMNS)
    g_string_append (script,
                     "set key outside right top Left reverse vertical samplen 2 maxrows 40\n");
  else
    g_string_append (script, "unset key\n"); /* it would lie on the curves */
}

static void
append_marks (GString *script, const IfbamPlot *plot, gsize number, guint colour, gboolean text)
{
  const IfbamPlotSeries *s = &plot->series[number];
  IfbamPlotRange range = find_x_range (plot);
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
    wanted[find_side (plot, range, number, j) + 1] = TRUE;
  for (int side = -1; side <= 1; side++)
    {
      if (!wanted[side + 1]) /* gnuplot fails where there is nothing to write */
        continue;
      g_string_append_printf (script,
                              ", $m%" G_GSIZE_FORMAT " using 1:($3 == %d ? $2 : NaN)"
                              ":(sprintf('%%#.4g', $4)) with labels %s offset 0,%s",
                              number, side, placements[side + 1], text ? "1" : "0.7");
      if (!text && s->neutral)
        g_string_append (script, " textcolor rgb '" NEUTRAL "'");
      else if (!text)
        g_string_append_printf (script, " textcolor linetype %u", colour);
      g_string_append (script, " notitle");
    }
}

static const char *
line_style (const IfbamPlotSeries *s)
{
  return s->loose
             ? s->neutral ? "points pointtype 7 pointsize 0.9" : "points pointtype 7 pointsize 0.5"
         : s->dots ? "linespoints pointtype 7 pointsize 0.7"
                   : "lines";
}

static void
append_panel (GString *script, const IfbamPlot *plot, const GArray *panel, guint n_panels,
              gboolean text)
{
  g_autofree char *label = axis_label (plot, panel, FALSE);

  append_key (script, plot, panel, n_panels, text);
  /* the terminal does not turn letters */
  g_string_append (script, text ? "set label 1 at screen 0, screen 1 " : "set ylabel ");
  append_text (script, label);
  g_string_append (script, "\nplot ");
  for (guint i = 0; i < panel->len; i++)
    {
      gsize number = g_array_index (panel, gsize, i);
      const IfbamPlotSeries *s = &plot->series[number];
      const guint colour = s->colour > 0 ? s->colour : i + 1;

      g_string_append_printf (
          script, "%s$d%" G_GSIZE_FORMAT " using 1:2 with %s linetype %u%s%s%s%s",
          i > 0 ? ", " : "", number,
          text && plot->kind == IFBAM_PLOT_SWEEP ? "lines" : line_style (s), colour,
          s->dotted   ? " dashtype 3"
          : s->dashed ? " dashtype 2"
                      : "",
          s->strong ? " linewidth 3.5" : "",
          s->neutral && !text ? " linecolor rgb '" NEUTRAL "'" : "",
          s->neutral && !s->loose ? " linewidth 0.8 dashtype 1" : "");
      g_string_append (script, s->label != NULL ? " title " : " notitle");
      if (s->label != NULL)
        append_text (script, s->label);
      if (s->n_marks > 0)
        append_marks (script, plot, number, colour, text);
    }
  g_string_append_c (script, '\n');
}

static void
append_title (GString *script, const IfbamPlot *plot, const char *command, const char *font)
{
  if (plot->title == NULL || *plot->title == '\0')
    return;
  g_string_append (script, command);
  append_text (script, plot->title);
  g_string_append (script, font);
}

static void
append_text_panels (GString *script, const IfbamPlot *plot, const GPtrArray *panels)
{
  append_title (script, plot, "set title ", "\n");
  for (guint i = 0; i < panels->len; i++)
    {
      append_x_label (script, plot, panels->pdata[i]);
      append_panel (script, plot, panels->pdata[i], panels->len, TRUE);
      g_string_append (script, "unset title\n");
    }
}

/* Characters: for half of the last number below, and for legends beside the panels. */
static guint
right_margin (const IfbamPlot *plot, const GPtrArray *panels)
{
  guint margin = 4;

  for (guint i = 0; i < panels->len; i++)
    {
      const GArray *panel = panels->pdata[i];
      const guint columns = key_columns (panel, panels->len);
      glong widest = 0;

      if (panel->len <= MANY_CURVES || columns > KEY_COLUMNS || plot->kind == IFBAM_PLOT_CHART)
        continue;
      for (guint j = 0; j < panel->len; j++)
        {
          const gsize number = g_array_index (panel, gsize, j);

          widest = MAX (widest, g_utf8_strlen (plot->series[number].label, -1));
        }
      margin = MAX (margin, columns * ((guint) MIN (widest, 40) + 6));
    }
  return margin;
}

/* One panel is a layout, too: so the legend stands below the title, not above it. */
static void
append_panels (GString *script, const IfbamPlot *plot, const GPtrArray *panels)
{
  g_string_append_printf (script, "set rmargin %u\n", right_margin (plot, panels));
  if (panels->len > 1)
    g_string_append (script, "set lmargin 12\n"); /* the panels' left edges in one line */
  g_string_append_printf (script, "set multiplot layout %u,1", panels->len);
  append_title (script, plot, " title ", ".\"\\n\" font ',15' offset 0,-0.6");
  g_string_append_c (script, '\n');
  for (guint i = 0; i < panels->len; i++)
    {
      /* panels above one another have one x, but in phase planes */
      if (i + 1 == panels->len || plot->kind == IFBAM_PLOT_PHASE)
        append_x_label (script, plot, panels->pdata[i]);
      append_panel (script, plot, panels->pdata[i], panels->len, FALSE);
    }
  g_string_append (script, "unset multiplot\n");
}

/* Nothing is drawn: the words asked for another part of the picture, or the data are at fault. */
static gboolean
refuse_empty (IfbamPlotRange x, IfbamPlotRange y, const char *reason, GError **error)
{
  const gboolean cut = !isnan (x.from) || !isnan (x.to) || !isnan (y.from) || !isnan (y.to);

  g_set_error (error, IFBAM_ERROR, cut ? IFBAM_ERROR_USAGE : IFBAM_ERROR_COURSE,
               "there is nothing to draw: %s", reason);
  return FALSE;
}

static gboolean
check (const IfbamPlot *plot, GError **error)
{
  for (gsize i = 0; i < plot->n_series; i++)
    for (gsize j = 0; j < plot->series[i].n; j++)
      {
        const IfbamPlotSeries *s = &plot->series[i];

        if (is_drawn (s, j) && !(s->x[j] < plot->x_range.from) && !(s->x[j] > plot->x_range.to)
            && !(s->y[j] < plot->y_range.from) && !(s->y[j] > plot->y_range.to)
            && !(plot->log_y && s->y[j] <= 0.0) && !(plot->log_x && s->x[j] <= 0.0))
          return TRUE;
      }
  return refuse_empty (plot->x_range, plot->y_range,
                       plot->n_series == 0 ? "there is no signal" : "no point lies in the picture",
                       error);
}

static void
append_names (GString *script, const char *const *names)
{
  g_string_append (script, "set xtics (");
  for (gsize i = 0; names[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append (script, ", ");
      append_text (script, names[i]);
      g_string_append_printf (script, " %" G_GSIZE_FORMAT, i + 1);
    }
  g_string_append (script, ")\n");
}

/* The script up to its terminal's line is the caller's. */
static void
append_figure (GString *script, const IfbamPlot *plot, const GPtrArray *panels, gboolean text)
{
  IfbamPlotRange range = find_x_range (plot);

  /* the turns of a phase portrait lie close together */
  append_style (script, text, plot->kind == IFBAM_PLOT_PHASE ? "1.1" : "1.6");
  append_range (script, "x", range);
  append_range (script, "y", find_y_range (plot));
  if (plot->kind == IFBAM_PLOT_CHART || plot->log_x)
    g_string_append (script, "set logscale x\n");
  if (plot->log_y)
    g_string_append (script, "set logscale y\nset format y '%.0e'\n");
  else if (plot->kind == IFBAM_PLOT_SPECTRUM) /* room for the numbers of the peaks */
    g_string_append (script, "set offsets 0,0,graph 0.08,0\n");
  if (plot->x_names != NULL)
    append_names (script, plot->x_names);
  if (plot->kind == IFBAM_PLOT_SHAPE)
    g_string_append (script, "set xzeroaxis linetype 1 linecolor rgb '#404040'\n");
  append_data (script, plot, range);
  if (text)
    append_text_panels (script, plot, panels);
  else
    append_panels (script, plot, panels);
}

static GSubprocess *
start_gnuplot (GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                 | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GError) failure = NULL;
  GSubprocess *gnuplot;

  g_subprocess_launcher_setenv (launcher, "LC_ALL", "C.UTF-8", TRUE);
  gnuplot = g_subprocess_launcher_spawn (launcher, &failure, "gnuplot", "--default-settings", NULL);
  if (gnuplot != NULL)
    return gnuplot;
  if (g_error_matches (failure, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
    g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_PROGRAM,
                         "gnuplot draws the figures and is not here: install gnuplot "
                         "(sudo apt install gnuplot-nox)");
  else
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_PROGRAM, "gnuplot: %s", failure->message);
  return NULL;
}

/* What gnuplot makes of a script (transfer full). */
static GBytes *
run_gnuplot (const GString *script, GError **error)
{
  g_autoptr (GSubprocess) gnuplot = start_gnuplot (error);
  g_autoptr (GBytes) input = g_bytes_new_static (script->str, script->len);
  g_autoptr (GBytes) picture = NULL, messages = NULL;
  g_autoptr (GError) failure = NULL;
  const char *said;
  gsize length;

  if (gnuplot == NULL)
    return NULL;
  if (!g_subprocess_communicate (gnuplot, input, NULL, &picture, &messages, &failure))
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_PROGRAM, "gnuplot: %s", failure->message);
      return NULL;
    }
  if (g_subprocess_get_successful (gnuplot) && g_bytes_get_size (picture) > 0)
    return g_steal_pointer (&picture);
  said = g_bytes_get_data (messages, &length);
  while (length > 0 && g_ascii_isspace (*said))
    {
      said++;
      length--;
    }
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_PROGRAM, "gnuplot failed: %.*s",
               (int) MIN (length, 500), length > 0 ? said : "");
  g_strchomp ((*error)->message);
  return NULL;
}

/* A page of the terminal begins with a form feed. */
static char *
strip_pages (GBytes *bytes)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  GString *stripped = g_string_sized_new (length);

  for (gsize i = 0; i < length; i++)
    if (text[i] == '\n')
      {
        while (stripped->len > 0 && stripped->str[stripped->len - 1] == ' ')
          g_string_truncate (stripped, stripped->len - 1);
        if (stripped->len > 0)
          g_string_append_c (stripped, '\n');
      }
    else if (text[i] != '\f')
      g_string_append_c (stripped, text[i]);
  return g_string_free (stripped, FALSE);
}

char *
ifbam_plot_text (const IfbamPlot *plot, guint columns, guint lines, GError **error)
{
  g_autoptr (GPtrArray) panels = NULL;
  g_autoptr (GString) script = g_string_new (NULL);
  g_autoptr (GBytes) text = NULL;

  if (!check (plot, error))
    return NULL;
  panels = group_panels (plot);
  g_string_printf (script, "set terminal dumb mono size %u,%u noenhanced\n", columns, lines);
  append_figure (script, plot, panels, TRUE);
  g_string_replace (script, "²", "2", 0); /* as network files write it */
  text = run_gnuplot (script, error);
  return text != NULL ? strip_pages (text) : NULL;
}

static guint
number_from_environment (const char *name, guint least, guint standard)
{
  const char *text = g_getenv (name);
  guint64 number;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 1, 1000, &number, NULL))
    number = standard;
  return MAX ((guint) number, least);
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

static const Format *
format_of (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_has_suffix (lower, formats[i].suffix))
      return &formats[i];
  return NULL;
}

gboolean
ifbam_plot_is_picture (const char *path)
{
  return format_of (path) != NULL;
}

static const Format *
find_format (const char *path, GError **error)
{
  const Format *format = format_of (path);

  if (format != NULL)
    return format;
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
               "%s: the suffix says the format of a picture (want .svg, .png or .pdf)", path);
  return NULL;
}

/* Sets the terminal of a picture; the rest of the script is the caller's. */
static GString *
start_script (const Format *format, guint height)
{
  GString *script = g_string_new ("set terminal ");

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_string_append_printf (script, format->terminal, WIDTH, height);
#pragma GCC diagnostic pop
  g_string_append (script, " noenhanced\n");
  return script;
}

/* For maps: viridis of matplotlib (van der Walt and Smith 2015), evenly graded, for colour-blind people,
 * too. */
static void
append_palette (GString *script)
{
  g_string_append (script,
                   "set palette defined (0 '#440154', 1 '#482878', 2 '#3e4a89', 3 '#31688e', "
                   "4 '#26828e', 5 '#1f9e89', 6 '#35b779', 7 '#6ece58', 8 '#b5de2b', "
                   "9 '#fde725')\nset border 15\nunset key\n");
}

/* Takes the script over. */
static gboolean
write_picture (GString *script, const char *path, GError **error)
{
  g_autoptr (GBytes) picture = run_gnuplot (script, error);

  g_string_free (script, TRUE);
  return picture != NULL
         && ifbam_output_put (path, g_bytes_get_data (picture, NULL), g_bytes_get_size (picture),
                              error);
}

static gboolean
draw_picture (const IfbamPlot *plot, const char *path, const Format *format, GError **error)
{
  g_autoptr (GPtrArray) panels = group_panels (plot);
  GString *script = start_script (format, MAX (HEIGHT, 60 + PANEL_HEIGHT * panels->len));

  append_figure (script, plot, panels, FALSE);
  return write_picture (script, path, error);
}

/* Maps */

/* Borders of the cells around points: midway to the neighbours, along the axis as it is drawn. */
static double *
cell_borders (const double *points, gsize n, gboolean logarithmic)
{
  double *border = g_new (double, n + 1);

  for (gsize i = 1; i < n; i++)
    border[i] = logarithmic ? sqrt (points[i - 1] * points[i]) : 0.5 * (points[i - 1] + points[i]);
  if (n == 1)
    {
      border[0] = logarithmic ? 0.9 * points[0] : points[0] - 0.5;
      border[1] = logarithmic ? 1.1 * points[0] : points[0] + 0.5;
      return border;
    }
  border[0] = logarithmic ? points[0] * points[0] / border[1] : 2.0 * points[0] - border[1];
  border[n] = logarithmic ? points[n - 1] * points[n - 1] / border[n - 1]
                          : 2.0 * points[n - 1] - border[n - 1];
  return border;
}

/* Cells that are drawn: all, or evenly spread ones of too many. */
static gsize
cell_stride (gsize n)
{
  return (n + MOST_CELLS - 1) / MOST_CELLS;
}

/* A cell's value; NaN: it stays blank. */
static double
cell_value (const IfbamPlotMap *map, gsize l, gsize i, gsize j)
{
  const double value = i < map->n_x && j < map->n_y ? map->layers[l].values[j * map->n_x + i] : NAN;

  return isfinite (value) && !(map->log_values && value <= 0.0) ? value : NAN;
}

/* Where a cell ends: a little inside the next one, if that is drawn over it. Else the border between
 * them shines through where it is smoothed. */
static double
cell_end (const double *border, gsize cell, gsize next, gsize n, gboolean covered,
          gboolean logarithmic)
{
  const double end = border[MIN (next, n)];

  if (!covered)
    return end;
  return logarithmic ? end * pow (end / border[cell], OVERLAP)
                     : end + OVERLAP * (end - border[cell]);
}

/* The cells of layer l are $d<l>: middle, left, right, bottom, top, value. */
static void
append_cells (GString *script, const IfbamPlotMap *map, gsize l)
{
  const gsize by_x = cell_stride (map->n_x), by_y = cell_stride (map->n_y);
  g_autofree double *x = cell_borders (map->x, map->n_x, map->log_x);
  g_autofree double *y = cell_borders (map->y, map->n_y, map->log_y);

  g_string_append_printf (script, "$d%" G_GSIZE_FORMAT " << EOD\n", l);
  for (gsize j = 0; j < map->n_y; j += by_y)
    for (gsize i = 0; i < map->n_x; i += by_x)
      {
        const gboolean by_right = !isnan (cell_value (map, l, i + by_x, j));
        const gboolean by_upper = !isnan (cell_value (map, l, i, j + by_y));
        const double cell[] = { map->x[i],
                                map->y[j],
                                x[i],
                                cell_end (x, i, i + by_x, map->n_x, by_right, map->log_x),
                                y[j],
                                cell_end (y, j, j + by_y, map->n_y, by_upper, map->log_y),
                                cell_value (map, l, i, j) };

        for (gsize c = 0; c < G_N_ELEMENTS (cell) && !isnan (cell_value (map, l, i, j)); c++)
          {
            append_number (script, cell[c]);
            g_string_append_c (script, c + 1 < G_N_ELEMENTS (cell) ? ' ' : '\n');
          }
      }
  g_string_append (script, "EOD\n");
}

static void
append_map_axis (GString *script, const char *axis, const char *quantity, const char *unit,
                 const double *points, gsize n, gboolean logarithmic, IfbamPlotRange range)
{
  g_autofree double *border = cell_borders (points, n, logarithmic);
  g_autofree char *label =
      *unit != '\0' ? g_strdup_printf ("%s [%s]", quantity, unit) : g_strdup (quantity);

  append_range (script, axis,
                (IfbamPlotRange){ isnan (range.from) ? border[0] : range.from,
                                  isnan (range.to) ? border[n] : range.to });
  g_string_append_printf (script, "set %slabel ", axis);
  append_text (script, label);
  g_string_append_printf (script, "\n%s logscale %s\n", logarithmic ? "set" : "unset", axis);
}

static gboolean
map_has_values (const IfbamPlotMap *map, GError **error)
{
  for (gsize l = 0; l < map->n_layers; l++)
    for (gsize j = 0; j < map->n_y; j++)
      for (gsize i = 0; i < map->n_x; i++)
        if (!isnan (cell_value (map, l, i, j)) && !(map->x[i] < map->x_range.from)
            && !(map->x[i] > map->x_range.to) && !(map->y[j] < map->y_range.from)
            && !(map->y[j] > map->y_range.to))
          return TRUE;
  return refuse_empty (map->x_range, map->y_range, "no value lies in the picture", error);
}

gboolean
ifbam_plot_draw_map (const IfbamPlotMap *map, const char *path, GError **error)
{
  const Format *format = find_format (path, error);
  GString *script;

  if (format == NULL || !map_has_values (map, error))
    return FALSE;
  script = start_script (format, (guint) MAX (HEIGHT, 60 + MAP_HEIGHT * map->n_layers));
  append_style (script, FALSE, "1");
  append_palette (script);
  g_string_append (script, "set rmargin 14\n");
  append_map_axis (script, "x", map->x_quantity, map->x_unit, map->x, map->n_x, map->log_x,
                   map->x_range);
  append_map_axis (script, "y", map->y_quantity, map->y_unit, map->y, map->n_y, map->log_y,
                   map->y_range);
  if (map->log_values)
    g_string_append (script, "set logscale cb\nset format cb '%.0e'\n");
  for (gsize l = 0; l < map->n_layers; l++)
    append_cells (script, map, l);
  g_string_append_printf (script, "set multiplot layout %" G_GSIZE_FORMAT ",1", map->n_layers);
  if (map->title != NULL && *map->title != '\0')
    {
      g_string_append (script, " title ");
      append_text (script, map->title);
      g_string_append (script, " font ',15'");
    }
  g_string_append_c (script, '\n');
  for (gsize l = 0; l < map->n_layers; l++)
    {
      const IfbamPlotLayer *layer = &map->layers[l];
      g_autofree char *label = *layer->unit != '\0'
                                   ? g_strdup_printf ("%s [%s]", layer->quantity, layer->unit)
                                   : g_strdup (layer->quantity);

      g_string_append (script, "set cblabel ");
      append_text (script, label);
      g_string_append_printf (script,
                              " offset 1\nplot $d%" G_GSIZE_FORMAT
                              " using 1:2:3:4:5:6:7 with boxxyerror "
                              "linecolor palette fillstyle solid 1 noborder\n",
                              l);
    }
  g_string_append (script, "unset multiplot\n");
  return write_picture (script, path, error);
}

gboolean
ifbam_plot_draw (const IfbamPlot *plot, const char *path, GError **error)
{
  const Format *format;

  if (path == NULL)
    return print_text (plot, error);
  format = find_format (path, error);
  return format != NULL && check (plot, error) && draw_picture (plot, path, format, error);
}

GString *
ifbam_plot_begin_map (const char *path, guint height, GError **error)
{
  const Format *format = find_format (path, error);
  GString *script;

  if (format == NULL)
    return NULL;
  script = start_script (format, height);
  append_style (script, FALSE, "1");
  append_palette (script);
  return script;
}

void
ifbam_plot_append_text (GString *script, const char *text)
{
  append_text (script, text);
}

gboolean
ifbam_plot_finish (GString *script, const char *path, GError **error)
{
  return write_picture (script, path, error);
}

void
ifbam_plot_terminal_size (guint *columns, guint *lines)
{
  struct winsize size = { .ws_col = 100, .ws_row = 30 };

  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
    size = (struct winsize){ .ws_col = 100, .ws_row = 30 };
  *columns = number_from_environment ("COLUMNS", 40, size.ws_col);
  *lines = number_from_environment ("LINES", 12, size.ws_row);
}
