/* chart.c: a figure as data
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/chart.h"

#include <string.h>

#include "file/file.h"

/* Data */

typedef struct
{
  gpointer data;
  GDestroyNotify destroy;
} Owned;

static void
owned_clear (gpointer data)
{
  Owned *owned = data;

  owned->destroy (owned->data);
}

IfbamChart *
ifbam_chart_new (IfbamChartKind kind)
{
  IfbamChart *chart = g_new (IfbamChart, 1);

  *chart = (IfbamChart){ .kind = kind,
                         .x.range = IFBAM_AXIS_WHOLE,
                         .y.range = IFBAM_AXIS_WHOLE,
                         .curves = g_array_new (FALSE, FALSE, sizeof (IfbamCurve)),
                         .maps = g_array_new (FALSE, FALSE, sizeof (IfbamMap)),
                         .texts = g_string_chunk_new (256),
                         .owned = g_array_new (FALSE, FALSE, sizeof (Owned)) };
  g_array_set_clear_func (chart->owned, owned_clear);
  return chart;
}

void
ifbam_chart_free (IfbamChart *chart)
{
  g_array_unref (chart->curves);
  g_array_unref (chart->maps);
  g_string_chunk_free (chart->texts);
  g_array_unref (chart->owned);
  g_free (chart);
}

const char *
ifbam_chart_copy_text (IfbamChart *chart, const char *text)
{
  return text != NULL ? g_string_chunk_insert (chart->texts, text) : NULL;
}

gpointer
ifbam_chart_own (IfbamChart *chart, gpointer data, GDestroyNotify destroy)
{
  const Owned owned = { data, destroy };

  g_array_append_val (chart->owned, owned);
  return data;
}

double *
ifbam_chart_numbers (IfbamChart *chart, gsize n)
{
  return ifbam_chart_own (chart, g_new (double, n + 1), g_free);
}

IfbamCurve *
ifbam_chart_add (IfbamChart *chart, const char *label, const double *x, const double *y, gsize n)
{
  const IfbamCurve curve = { .label = ifbam_chart_copy_text (chart, label),
                             .x_quantity = chart->x.quantity,
                             .x_unit = chart->x.unit,
                             .y_quantity = chart->y.quantity,
                             .y_unit = chart->y.unit,
                             .n = n,
                             .x = x,
                             .y = y };

  g_array_append_val (chart->curves, curve);
  return &g_array_index (chart->curves, IfbamCurve, chart->curves->len - 1);
}

void
ifbam_signal_quantity (IfbamCourse *course, const char *signal, const char **quantity,
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
ifbam_chart_file_names (const char *const *paths)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  char **names = g_strdupv ((char **) paths);
  gboolean clear = TRUE;

  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_free (names[i]);
      names[i] = short_name (paths[i]);
      clear &= g_hash_table_add (seen, names[i]);
    }
  if (clear)
    return names;
  g_strfreev (names);
  return g_strdupv ((char **) paths);
}

IfbamAxisRange
ifbam_chart_y_range (const IfbamChart *chart, const IfbamCurve *curve)
{
  return chart->y_range_unit == NULL || g_str_equal (chart->y_range_unit, curve->y_unit)
             ? chart->y.range
             : (IfbamAxisRange) IFBAM_AXIS_WHOLE;
}
