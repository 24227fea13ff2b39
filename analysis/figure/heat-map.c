/* heat-map.c: a value over a plane, as colours
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/heat-map.h"

#include <math.h>

#include "figure/axis-units.h"

#define PANEL_HEIGHT 330 /* of each of several */
#define MOST_CELLS   200 /* in each direction; of more some are left out */
#define OVERLAP      0.3 /* part of a cell */

/* A ring; a wide dark one beneath a light one is seen on every colour. */
#define MARK(colour, width)                                                                        \
  ", $mark using 1:2 notitle with points pointtype 6 pointsize 2 linewidth " width                 \
  " linecolor rgb \"" colour "\""

/* Borders of the cells around points, two at least: midway to the neighbours, along the axis as it is drawn. */
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
append_cells (GString *script, const IfbamPlotMap *map, gsize l, const double *factor)
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
          ifbam_script_number (script, "", factor[c] * cell[c],
                               c + 1 < G_N_ELEMENTS (cell) ? " " : "\n");
      }
  g_string_append (script, "EOD\n");
}

/* What numbers are multiplied by on the axis. */
static double
append_map_axis (GString *script, const char *axis, const char *quantity, const char *unit,
                 const double *points, gsize n, gboolean logarithmic, IfbamPlotRange range)
{
  g_autofree double *border = cell_borders (points, n, logarithmic);
  const double from = isnan (range.from) ? border[0] : range.from;
  const double to = isnan (range.to) ? border[n] : range.to;
  g_auto (IfbamScale) scale =
      ifbam_scale_for (unit, logarithmic ? 1 : fmax (fabs (from), fabs (to)));

  ifbam_script_range (script, axis, (IfbamPlotRange){ scale.factor * from, scale.factor * to });
  ifbam_script_label (script, axis, quantity, scale.unit);
  g_string_append_printf (script, "%s logscale %s\n", logarithmic ? "set" : "unset", axis);
  return scale.factor;
}

static IfbamScale
value_scale (const IfbamPlotMap *map, gsize l)
{
  double largest = 0;

  for (gsize i = 0; i < map->n_x * map->n_y; i++)
    if (isfinite (map->layers[l].values[i]))
      largest = fmax (largest, fabs (map->layers[l].values[i]));
  return ifbam_scale_for (map->layers[l].unit, map->log_values ? 1 : largest);
}

/* gnuplot fails where there are none. */
static gboolean
layer_has_values (const IfbamPlotMap *map, gsize l)
{
  for (gsize j = 0; j < map->n_y; j++)
    for (gsize i = 0; i < map->n_x; i++)
      if (!isnan (cell_value (map, l, i, j)) && !(map->x[i] < map->x_range.from)
          && !(map->x[i] > map->x_range.to) && !(map->y[j] < map->y_range.from)
          && !(map->y[j] > map->y_range.to))
        return TRUE;
  return FALSE;
}

gboolean
ifbam_plot_draw_map (const IfbamPlotMap *map, const char *path, GError **error)
{
  GString *script;
  double x_factor, y_factor;
  gsize n_drawn = 0;

  for (gsize l = 0; l < map->n_layers; l++)
    n_drawn += layer_has_values (map, l);
  if (!ifbam_script_knows (path, error))
    return FALSE;
  if (n_drawn == 0)
    return ifbam_script_refuse_empty (map->x_range, map->y_range, "no value lies in the picture",
                                      error);
  script = ifbam_script_new (path, (guint) MAX (IFBAM_PICTURE_HEIGHT, 60 + PANEL_HEIGHT * n_drawn),
                             "1", error);
  ifbam_script_palette (script);
  g_string_append (script, "set lmargin 11\nset rmargin at screen 0.84\n");
  x_factor = append_map_axis (script, "x", map->x_quantity, map->x_unit, map->x, map->n_x,
                              map->log_x, map->x_range);
  y_factor = append_map_axis (script, "y", map->y_quantity, map->y_unit, map->y, map->n_y,
                              map->log_y, map->y_range);
  if (map->log_values)
    g_string_append (script, "set logscale cb\n");
  if (map->mark != NULL)
    {
      ifbam_script_number (script, "$mark << EOD\n", x_factor * map->mark[0], " ");
      ifbam_script_number (script, "", y_factor * map->mark[1], "\nEOD\n");
    }
  ifbam_script_panels (script, n_drawn, map->title);
  for (gsize l = 0; l < map->n_layers; l++)
    {
      if (!layer_has_values (map, l))
        continue;
      g_auto (IfbamScale) scale = value_scale (map, l);
      const double factor[] = { x_factor, y_factor, x_factor,    x_factor,
                                y_factor, y_factor, scale.factor };

      append_cells (script, map, l, factor);
      ifbam_script_label (script, "cb", map->layers[l].quantity, scale.unit);
      g_string_append_printf (script,
                              "set cblabel offset 1\nplot $d%" G_GSIZE_FORMAT
                              " using 1:2:3:4:5:6:7 with boxxyerror "
                              "linecolor palette fillstyle solid 1 noborder%s\n",
                              l, map->mark == NULL ? "" : MARK ("black", "5") MARK ("white", "2"));
    }
  g_string_append (script, "unset multiplot\n");
  return ifbam_script_draw (script, path, error);
}
