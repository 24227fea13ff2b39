/* modes-figure.c: mode shapes over the nodes, in the order of the file
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/modes-figure.h"

#include <math.h>

/* More nodes than this are numbers on the axis, not names, and have no dots. */
#define FEW_NODES 24
#define VISIBLE   1e-3 /* imaginary part of a displacement */

static char *
label_of (const IfbamMode *mode, gsize number)
{
  switch (mode->kind)
    {
    case IFBAM_MODE_FREE:
      return g_strdup_printf ("%" G_GSIZE_FORMAT ": free", number + 1);
    case IFBAM_MODE_OVERDAMPED:
      return g_strdup_printf ("%" G_GSIZE_FORMAT ": overdamped, %.4g /s", number + 1,
                              mode->decay_rate);
    case IFBAM_MODE_UNSTABLE:
      return g_strdup_printf ("%" G_GSIZE_FORMAT ": unstable, %.4g /s", number + 1,
                              -mode->decay_rate);
    case IFBAM_MODE_OSCILLATING:
    default:
      return g_strdup_printf ("%" G_GSIZE_FORMAT ": %.5g Hz", number + 1, mode->frequency);
    }
}

/* A complex shape at the instant of its largest displacement: its real part. */
gboolean
ifbam_modes_figure_draw (const IfbamModesFigure *figure, IfbamModes *modes, const char *path,
                         GError **error)
{
  gsize n_modes, n_nodes = g_strv_length ((char **) ifbam_modes_get_nodes (modes));
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n_modes);
  const gsize n = MIN (n_modes, IFBAM_MODES_FIGURE_MOST);
  const gboolean few = n_nodes <= FEW_NODES;
  g_autofree IfbamPlotSeries *series = g_new0 (IfbamPlotSeries, n + 1);
  g_autofree double *number = g_new (double, n_nodes);
  gboolean turning = FALSE;
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  IfbamPlot plot = { .kind = IFBAM_PLOT_SHAPE,
                     .title = figure->title,
                     .x_range = figure->x_range,
                     .y_range = figure->y_range,
                     .n_series = n,
                     .series = series,
                     .x_names = few ? ifbam_modes_get_nodes (modes) : NULL };

  /* Of damped modes not all nodes reach their largest displacement at one instant. */
  for (gsize i = 0; i < n; i++)
    {
      gsize n_shape;
      const double *imaginary = ifbam_modes_get_imaginary_shape (modes, i, &n_shape);

      for (gsize k = 0; imaginary != NULL && k < n_shape; k++)
        turning |= fabs (imaginary[k]) > VISIBLE;
    }
  for (gsize i = 0; i < n_nodes; i++)
    number[i] = (double) (i + 1);
  for (gsize i = 0; i < n; i++)
    {
      g_ptr_array_add (labels, label_of (&list[i], i));
      series[i] =
          (IfbamPlotSeries){ .label = labels->pdata[i],
                             .x_quantity = few ? "node" : "number of the node",
                             .x_unit = "",
                             .y_quantity = turning ? "displacement (real part), the largest being 1"
                                                   : "displacement, the largest being 1",
                             .y_unit = "",
                             .n = n_nodes,
                             .x = number,
                             .dots = few };
      series[i].y = ifbam_modes_get_shape (modes, i, &series[i].n);
    }
  return ifbam_plot_draw (&plot, path, error);
}
