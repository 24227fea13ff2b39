/* chart-map.c: values over a plane, as colours or characters
 *
 * On equidistant grids a cell of the picture shows the largest of its values; lines finer than a
 * cell would be lost otherwise.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/chart-map.h"

#include "base/fail.h"
#include "figure/gnuplot-script.h"

#define PANEL_HEIGHT 330 /* of each of several maps [pixels] */
#define MAX_CELLS    200 /* in each direction; more are thinned */
#define OVERLAP      0.3 /* of a cell, as a fraction of it */
/* Equidistant grids: cells of a picture; fraction of the largest value that is visible; decades of
 * logarithmic colours; columns of text beside a map. */
#define MAX_COLUMNS 800
#define MAX_LINES   400
#define VISIBLE     5e-3
#define DECADES     4.0
#define MARGIN      12

/* A ring; a wide dark one below a light one is visible on any colour. */
#define MARK(colour, width)                                                                        \
  ", $mark using 1:2 notitle with points pointtype 6 pointsize 2 linewidth " width                 \
  " linecolor rgb \"" colour "\""

/* Returns the borders of cells around n > 1 points: midway on the axis as drawn. */
static double *
cell_borders (const double *points, gsize n, gboolean logarithmic)
{
  double *border = g_new (double, n + 1);

  g_assert (n > 1);
  for (gsize i = 1; i < n; i++)
    border[i] = logarithmic ? sqrt (points[i - 1] * points[i]) : 0.5 * (points[i - 1] + points[i]);
  border[0] = logarithmic ? points[0] * points[0] / border[1] : 2.0 * points[0] - border[1];
  border[n] = logarithmic ? points[n - 1] * points[n - 1] / border[n - 1]
                          : 2.0 * points[n - 1] - border[n - 1];
  return border;
}

/* Returns a cell's value; NaN: blank. */
static double
cell_value (const IfbamChart *chart, const IfbamMap *map, gsize i, gsize j)
{
  const double value = i < map->n_x && j < map->n_y ? ifbam_map_value (map, i, j) : NAN;

  return isfinite (value) && !(chart->log_values && value <= 0.0) ? value : NAN;
}

/* Returns the end of a cell: slightly inside the next one, which is drawn over it. Otherwise
 * antialiasing would show the border. */
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

/* Appends lines of cells: middle, left, right, bottom, top, value; of many, evenly spread ones. */
static void
append_cells (GString *script, const IfbamChart *chart, const IfbamMap *map, const double *factor)
{
  const gsize by_x = (map->n_x + MAX_CELLS - 1) / MAX_CELLS;
  const gsize by_y = (map->n_y + MAX_CELLS - 1) / MAX_CELLS;
  g_autofree double *x = cell_borders (map->x, map->n_x, chart->x.log);
  g_autofree double *y = cell_borders (map->y, map->n_y, chart->y.log);

  for (gsize j = 0; j < map->n_y; j += by_y)
    for (gsize i = 0; i < map->n_x; i += by_x)
      {
        const gboolean by_right = !isnan (cell_value (chart, map, i + by_x, j));
        const gboolean by_upper = !isnan (cell_value (chart, map, i, j + by_y));
        const double right = cell_end (x, i, i + by_x, map->n_x, by_right, chart->x.log);
        const double top = cell_end (y, j, j + by_y, map->n_y, by_upper, chart->y.log);
        const double value = cell_value (chart, map, i, j);

        if (!isnan (value))
          g_string_append_printf (script, "%s %s %s %s %s %s %s\n",
                                  IFBAM_G10 (factor[0] * map->x[i]),
                                  IFBAM_G10 (factor[1] * map->y[j]), IFBAM_G10 (factor[0] * x[i]),
                                  IFBAM_G10 (factor[0] * right), IFBAM_G10 (factor[1] * y[j]),
                                  IFBAM_G10 (factor[1] * top), IFBAM_G10 (factor[2] * value));
      }
}

/* Appends an axis; returns the factor of its numbers. */
static double
append_axis (GString *script, const char *name, const IfbamAxis *axis, const double *points,
             gsize n)
{
  g_autofree double *border = cell_borders (points, n, axis->log);
  const double from = isnan (axis->range.from) ? border[0] : axis->range.from;
  const double to = isnan (axis->range.to) ? border[n] : axis->range.to;
  g_auto (IfbamScale) scale =
      ifbam_scale_for (axis->unit, axis->log ? 1 : fmax (fabs (from), fabs (to)));

  ifbam_script_range (script, name, (IfbamAxisRange){ scale.factor * from, scale.factor * to });
  ifbam_script_label (script, name, axis->quantity, scale.unit);
  g_string_append_printf (script, "%s logscale %s\n", axis->log ? "set" : "unset", name);
  return scale.factor;
}

static double
largest_value (const IfbamMap *map)
{
  double largest = 0;

  for (gsize i = 0; i < map->n_x * map->n_y; i++)
    if (isfinite (map->values[i]))
      largest = fmax (largest, fabs (map->values[i]));
  return largest;
}

/* TRUE if there is a value in the ranges: gnuplot fails otherwise. */
static gboolean
has_values (const IfbamChart *chart, const IfbamMap *map)
{
  for (gsize j = 0; j < map->n_y; j++)
    for (gsize i = 0; i < map->n_x; i++)
      if (!isnan (cell_value (chart, map, i, j)) && !(map->x[i] < chart->x.range.from)
          && !(map->x[i] > chart->x.range.to) && !(map->y[j] < chart->y.range.from)
          && !(map->y[j] > chart->y.range.to))
        return TRUE;
  return FALSE;
}

static GString *
begin_script (const char *path, gsize n, const char *setting)
{
  GString *script =
      ifbam_script_new (path, (guint) MAX (IFBAM_PICTURE_HEIGHT, 60 + PANEL_HEIGHT * n), "1");

  ifbam_script_palette (script);
  g_string_append (script, setting);
  return script;
}

static GString *
cells_script (const IfbamChart *chart, const char *path, GError **error)
{
  const IfbamMap *maps = (const IfbamMap *) (gconstpointer) chart->maps->data, *first = maps;
  double factor[3];
  gsize n_drawn = 0;
  GString *script;

  for (guint m = 0; m < chart->maps->len; m++)
    n_drawn += has_values (chart, &maps[m]);
  if (n_drawn == 0)
    {
      ifbam_script_refuse_empty (chart->x.range, chart->y.range, "no value lies in the picture",
                                 error);
      return NULL;
    }
  script = begin_script (path, n_drawn, "set lmargin 11\nset rmargin at screen 0.84\n");
  factor[0] = append_axis (script, "x", &chart->x, first->x, first->n_x);
  factor[1] = append_axis (script, "y", &chart->y, first->y, first->n_y);
  if (chart->log_values)
    g_string_append (script, "set logscale cb\n");
  if (first->mark != NULL)
    g_string_append_printf (script, "$mark << EOD\n%s %s\nEOD\n",
                            IFBAM_G10 (factor[0] * first->mark[0]),
                            IFBAM_G10 (factor[1] * first->mark[1]));
  ifbam_script_panels (script, n_drawn, chart->title);
  for (guint m = 0; m < chart->maps->len; m++)
    {
      g_auto (IfbamScale) scale =
          ifbam_scale_for (maps[m].unit, chart->log_values ? 1 : largest_value (&maps[m]));

      if (!has_values (chart, &maps[m]))
        continue;
      factor[2] = scale.factor;
      g_string_append_printf (script, "$d%u << EOD\n", m);
      append_cells (script, chart, &maps[m], factor);
      g_string_append (script, "EOD\n");
      ifbam_script_label (script, "cb", maps[m].quantity, scale.unit);
      g_string_append_printf (script,
                              "set cblabel offset 1\nplot $d%u using 1:2:3:4:5:6:7 with boxxyerror "
                              "linecolor palette fillstyle solid 1 noborder%s\n",
                              m,
                              first->mark == NULL ? "" : MARK ("black", "5") MARK ("white", "2"));
    }
  g_string_append (script, "unset multiplot\n");
  return script;
}

/* Equidistant grids */

/* Cells of a picture. */
typedef struct
{
  gsize columns, lines;
  double *cells;       /* lowest first (lines)(columns) */
  IfbamAxisRange x, y; /* of the middles of the outermost cells */
  double largest;
} Raster;

static void
raster_clear (Raster *raster)
{
  g_free (raster->cells);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Raster, raster_clear)

/* Finds the increasing numbers within a range. */
static void
clip (const double *numbers, gsize n, IfbamAxisRange range, gsize *first, gsize *last)
{
  *first = 0;
  *last = n;
  while (*first < n && numbers[*first] < range.from)
    ++*first;
  while (*last > *first && numbers[*last - 1] > range.to)
    --*last;
}

/* Returns the end of the visible part along y. */
static double
last_visible (const IfbamMap *map)
{
  const double visible = VISIBLE * largest_value (map);

  for (gsize j = map->n_y; j-- > 0;)
    for (gsize i = 0; i < map->n_x; i++)
      if (ifbam_map_value (map, i, j) > visible && map->y[j] > 0)
        return 1.1 * map->y[j];
  return map->y[map->n_y - 1];
}

/* FALSE: fewer than two cells are visible. */
static gboolean
fill_raster (Raster *raster, const IfbamChart *chart, const IfbamMap *map, gsize max_columns,
             gsize max_lines, GError **error)
{
  IfbamAxisRange range = chart->y.range;
  gsize first, last, lowest, highest;

  if (isnan (range.to))
    range.to = MAX (last_visible (map), isnan (range.from) ? 0.0 : 2.0 * range.from);
  clip (map->x, map->n_x, chart->x.range, &first, &last);
  clip (map->y, map->n_y, range, &lowest, &highest);
  if (last < first + 2 || highest < lowest + 2)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "there is nothing to draw: fewer than two instants or frequencies lie in "
                       "the picture (want shorter segments, or another range)");
  raster->columns = MIN (last - first, max_columns);
  raster->lines = MIN (highest - lowest, max_lines);
  raster->cells = g_new0 (double, raster->columns * raster->lines);
  raster->x = (IfbamAxisRange){ map->x[first], map->x[last - 1] };
  raster->y = (IfbamAxisRange){ map->y[lowest], map->y[highest - 1] };
  for (gsize i = first; i < last; i++)
    for (gsize k = lowest; k < highest; k++)
      {
        const gsize column = (i - first) * raster->columns / (last - first);
        const gsize line = (k - lowest) * raster->lines / (highest - lowest);
        double *cell = &raster->cells[line * raster->columns + column];

        *cell = MAX (*cell, ifbam_map_value (map, i, k));
        raster->largest = MAX (raster->largest, *cell);
      }
  return TRUE;
}

static IfbamAxisRange
scale_range (IfbamAxisRange range, double factor)
{
  return (IfbamAxisRange){ factor * range.from, factor * range.to };
}

/* Appends an axis between the outer borders of its outermost cells. */
static void
append_even_range (GString *script, const char *name, IfbamAxisRange range, gsize cells)
{
  const double half = 0.5 * (range.to - range.from) / (double) (cells - 1);

  ifbam_script_range (script, name, (IfbamAxisRange){ range.from - half, range.to + half });
}

static void
append_image (GString *script, const IfbamChart *chart, guint m, const Raster *raster)
{
  const IfbamMap *map = &g_array_index (chart->maps, IfbamMap, m);
  const gboolean log = chart->log_values;
  const gsize columns = raster->columns, lines = raster->lines;
  g_auto (IfbamScale) x_scale = ifbam_scale_for (chart->x.unit, raster->x.to);
  g_auto (IfbamScale) y_scale = ifbam_scale_for (chart->y.unit, raster->y.to);
  g_auto (IfbamScale) scale = ifbam_scale_for (map->unit, log ? 1 : raster->largest);
  const IfbamAxisRange x = scale_range (raster->x, x_scale.factor);
  const IfbamAxisRange y = scale_range (raster->y, y_scale.factor);
  const double largest = scale.factor * raster->largest;
  const double lowest = log ? largest * pow (10.0, -DECADES) : 0.0;

  ifbam_script_label (script, "x", chart->x.quantity, x_scale.unit);
  ifbam_script_label (script, "y", chart->y.quantity, y_scale.unit);
  ifbam_script_label (script, "cb", map->quantity, scale.unit);
  g_string_append_printf (script, "$d%u << EOD\n", m);
  for (gsize i = 0; i < columns * lines; i++)
    g_string_append_printf (script, "%s%s", IFBAM_G10 (scale.factor * raster->cells[i]),
                            (i + 1) % columns == 0 ? "\n" : " ");
  g_string_append (script, "EOD\n");
  append_even_range (script, "x", x, columns);
  append_even_range (script, "y", y, lines);
  g_string_append_printf (script, "%s logscale cb\nset cbrange [%s:%s]\n", log ? "set" : "unset",
                          IFBAM_G10 (lowest), IFBAM_G10 (largest > 0.0 ? largest : 1.0));
  g_string_append (script, "set cblabel offset 1\nset title ");
  ifbam_script_text (script, map->label);
  g_string_append_printf (script,
                          " offset 0,-0.5\n%splot $d%u matrix using (%s + $1 * %s):(%s + $2 * %s):",
                          m + 1 == chart->maps->len ? "" : "unset xlabel\n", m, IFBAM_G10 (x.from),
                          IFBAM_G10 ((x.to - x.from) / (double) (columns - 1)), IFBAM_G10 (y.from),
                          IFBAM_G10 ((y.to - y.from) / (double) (lines - 1)));
  if (log) /* limit of the darkest colour */
    g_string_append_printf (script, "($3 > %s ? $3 : %s)", IFBAM_G10 (lowest), IFBAM_G10 (lowest));
  else
    g_string_append_c (script, '3');
  g_string_append (script, " with image notitle\n");
}

static GString *
image_script (const IfbamChart *chart, const char *path, GError **error)
{
  GString *script = begin_script (path, chart->maps->len,
                                  "unset grid\nset rmargin at screen 0.8\nset lmargin 10\n");

  ifbam_script_panels (script, chart->maps->len, chart->title);
  for (guint m = 0; m < chart->maps->len; m++)
    {
      g_auto (Raster) raster = { 0 };

      if (!fill_raster (&raster, chart, &g_array_index (chart->maps, IfbamMap, m), MAX_COLUMNS,
                        MAX_LINES, error))
        {
          g_string_free (script, TRUE);
          return NULL;
        }
      append_image (script, chart, m, &raster);
    }
  g_string_append (script, "unset multiplot\n");
  return script;
}

GString *
ifbam_map_script (const IfbamChart *chart, const char *path, GError **error)
{
  return g_array_index (chart->maps, IfbamMap, 0).even ? image_script (chart, path, error)
                                                       : cells_script (chart, path, error);
}

/* Text */

static char
shade (double value, double largest, gboolean log)
{
  static const char shades[] = " .:-=+*#%@";
  const int n = (int) sizeof shades - 1;
  double part = largest > 0.0 ? value / largest : 0.0;

  if (log)
    part = part > 0.0 ? 1.0 + log10 (part) / DECADES : 0.0;
  return shades[CLAMP ((int) (part * n), 0, n - 1)];
}

static void
append_text (GString *text, const IfbamChart *chart, const IfbamMap *map, const Raster *raster)
{
  const int half = (int) (raster->columns / 2);
  g_autofree char *rule = g_strnfill (raster->columns, '-');
  g_autofree char *shades = g_strnfill (raster->columns, ' ');
  g_autofree char *x_label = g_strdup_printf ("%s [%s]", chart->x.quantity, chart->x.unit);

  g_string_append_printf (text, "%s: %s [%s], @ is %.4g %s\n", map->label, chart->y.quantity,
                          chart->y.unit, raster->largest, map->unit);
  for (gsize line = raster->lines; line-- > 0;)
    {
      const double y =
          raster->y.from
          + (raster->y.to - raster->y.from) * (double) line / (double) (raster->lines - 1);
      g_autofree char *number = line % 4 == 0 ? g_strdup_printf ("%.4g", y) : g_strdup ("");

      for (gsize column = 0; column < raster->columns; column++)
        shades[column] = shade (raster->cells[line * raster->columns + column], raster->largest,
                                chart->log_values);
      g_string_append_printf (text, "%*s |%s\n", MARGIN - 2, number, g_strchomp (shades));
    }
  g_string_append_printf (text, "%*s +%s\n%*s %-*.4g%*.4g\n", MARGIN - 2, "", rule, MARGIN - 2,
                          x_label, half, raster->x.from, (int) raster->columns - half,
                          raster->x.to);
}

char *
ifbam_map_text (const IfbamChart *chart, guint columns, guint lines, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (chart->title != NULL && *chart->title != '\0')
    g_string_append_printf (text, "%s\n", chart->title);
  IFBAM_FOREACH (const IfbamMap, map, chart->maps)
    {
      g_auto (Raster) raster = { 0 };

      if (!fill_raster (&raster, chart, map, columns - MARGIN - 1, lines - 4, error))
        return NULL;
      append_text (text, chart, map, &raster);
    }
  return g_strdup (text->str);
}
