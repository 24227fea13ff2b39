/* modes-figure.c: mode shapes over the nodes, in the order of the file
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/modes-figure.h"

#include <math.h>

/* With more nodes the axis has numbers in place of names, and there are no dots. */
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

/* A complex shape is drawn at the time of its largest displacement, as its real part. */
void
ifbam_modes_chart (IfbamChart *chart, IfbamModes *modes)
{
  const char *const *nodes = ifbam_modes_get_nodes (modes);
  gsize n_modes, n_nodes = g_strv_length ((char **) nodes), n_shape;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n_modes);
  const gboolean few = n_nodes <= FEW_NODES;
  double *index = ifbam_chart_numbers (chart, n_nodes);
  gboolean turning = FALSE; /* some nodes have their largest displacement at other times */

  ifbam_chart_own (chart, g_object_ref (modes), g_object_unref);
  n_modes = MIN (n_modes, IFBAM_MODES_FIGURE_MOST);
  for (gsize i = 0; i < n_modes; i++)
    {
      const double *imaginary = ifbam_modes_get_imaginary_shape (modes, i, &n_shape);

      for (gsize k = 0; imaginary != NULL && k < n_shape; k++)
        turning |= fabs (imaginary[k]) > VISIBLE;
    }
  for (gsize i = 0; i < n_nodes; i++)
    index[i] = (double) (i + 1);
  chart->kind = IFBAM_CHART_SHAPE;
  chart->x_names = few ? nodes : NULL;
  chart->x.quantity = few ? "node" : "number of the node";
  chart->y.quantity = turning ? "displacement (real part), the largest being 1"
                              : "displacement, the largest being 1";
  chart->x.unit = chart->y.unit = "";
  for (gsize i = 0; i < n_modes; i++)
    {
      g_autofree char *label = label_of (&list[i], i);
      const double *shape = ifbam_modes_get_shape (modes, i, &n_shape);

      ifbam_chart_add (chart, label, index, shape, n_shape)->style = few ? IFBAM_CURVE_DOTS : 0;
    }
}
