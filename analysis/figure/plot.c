/* plot.c: figures of courses, spectra, phase planes, mode shapes and sweeps, drawn by gnuplot
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/plot.h"
#include "base/ifbam-error.h"
#include "system/output.h"
#include "run/signals.h"

#include <string.h>

#define MANY_CURVES 4 /* in a panel; more have their legend beside it */
/* A legend beside a panel: height of a name, and what the panel has more than it; most columns. */
#define KEY_HEIGHT   17
#define KEY_LESS     90
#define KEY_COLUMNS  2
#define NEUTRAL      "#404040" /* of what belongs to no curve */
#define PANEL_HEIGHT 250       /* of each of several */
#define NUMBER_WIDTH 0.08      /* part of the picture that the number of a mark takes */
#define MAX_MARKS    12        /* with numbers; the others only get their dots */
#define LOWEST       1e-6      /* part of the highest amplitude that a logarithmic axis shows */
#define VISIBLE      2e-3      /* part of the highest amplitude that a spectrum shows */

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
      ifbam_curve_append (script, s,
                          plot->kind == IFBAM_PLOT_PHASE ? IFBAM_CURVE_FREE
                          : plot->kind == IFBAM_PLOT_SWEEP || plot->kind == IFBAM_PLOT_CHART
                              ? IFBAM_CURVE_BROKEN
                              : IFBAM_CURVE_RISING,
                          range, plot->y_range);
      g_string_append (script, "EOD\n");
      if (s->n_marks == 0)
        continue;
      g_string_append_printf (script, "$m%" G_GSIZE_FORMAT " << EOD\n", i);
      for (gsize j = 0; j < s->n_marks; j++)
        {
          ifbam_script_number (script, "", s->mark_x[j], " ");
          ifbam_script_number (script, "", s->mark_y[j], " ");
          g_string_append_printf (script, "%d ",
                                  s->n_marks <= MAX_MARKS ? find_side (plot, range, i, j) : 0);
          ifbam_script_number (script, "",
                               s->mark_number != NULL ? s->mark_number[j] : s->mark_x[j], "\n");
        }
      g_string_append (script, "EOD\n");
    }
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
  ifbam_script_text (script, label);
  g_string_append_c (script, '\n');
}

/* Of a legend beside a panel, one of n_panels. */
static guint
key_columns (const GArray *panel, guint n_panels)
{
  const guint height = MAX (IFBAM_PICTURE_HEIGHT, 60 + PANEL_HEIGHT * n_panels) / n_panels;
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
  ifbam_script_text (script, label);
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
        ifbam_script_text (script, s->label);
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
  ifbam_script_text (script, plot->title);
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

static gboolean
check (const IfbamPlot *plot, GError **error)
{
  for (gsize i = 0; i < plot->n_series; i++)
    for (gsize j = 0; j < plot->series[i].n; j++)
      {
        const IfbamPlotSeries *s = &plot->series[i];

        if (ifbam_curve_is_drawn (s, j) && !(s->x[j] < plot->x_range.from)
            && !(s->x[j] > plot->x_range.to) && !(s->y[j] < plot->y_range.from)
            && !(s->y[j] > plot->y_range.to) && !(plot->log_y && s->y[j] <= 0.0)
            && !(plot->log_x && s->x[j] <= 0.0))
          return TRUE;
      }
  return ifbam_script_refuse_empty (
      plot->x_range, plot->y_range,
      plot->n_series == 0 ? "there is no signal" : "no point lies in the picture", error);
}

static void
append_names (GString *script, const char *const *names)
{
  g_string_append (script, "set xtics (");
  for (gsize i = 0; names[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append (script, ", ");
      ifbam_script_text (script, names[i]);
      g_string_append_printf (script, " %" G_GSIZE_FORMAT, i + 1);
    }
  g_string_append (script, ")\n");
}

static void
append_figure (GString *script, const IfbamPlot *plot, const GPtrArray *panels, gboolean text)
{
  IfbamPlotRange range = find_x_range (plot);

  ifbam_script_range (script, "x", range);
  ifbam_script_range (script, "y", find_y_range (plot));
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

char *
ifbam_plot_text (const IfbamPlot *plot, guint columns, guint lines, GError **error)
{
  g_autoptr (GPtrArray) panels = NULL;
  GString *script;

  if (!check (plot, error))
    return NULL;
  panels = group_panels (plot);
  script = ifbam_script_new_text (columns, lines);
  append_figure (script, plot, panels, TRUE);
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

gboolean
ifbam_plot_draw (const IfbamPlot *plot, const char *path, GError **error)
{
  g_autoptr (GPtrArray) panels = NULL;
  GString *script;

  if (path == NULL)
    return print_text (plot, error);
  if (!ifbam_script_knows (path, error) || !check (plot, error))
    return FALSE;
  panels = group_panels (plot);
  /* the turns of a phase portrait lie close together */
  script = ifbam_script_new (path, MAX (IFBAM_PICTURE_HEIGHT, 60 + PANEL_HEIGHT * panels->len),
                             plot->kind == IFBAM_PLOT_PHASE ? "1.1" : "1.6", error);
  append_figure (script, plot, panels, FALSE);
  return ifbam_script_draw (script, path, error);
}
