/* chart-drawing.c: a chart as a picture or as text, by gnuplot
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/chart-drawing.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "figure/chart-map.h"
#include "figure/chart-response.h"
#include "file/file.h"

#define MIN_LINES 12 /* of a panel of a response in text */

static gboolean
has_visible_point (const IfbamChart *chart, const IfbamCurve *curve)
{
  const IfbamAxisRange x = chart->x.range, y = ifbam_chart_y_range (chart, curve);

  for (gsize j = 0; j < curve->n; j++)
    if (ifbam_curve_is_drawn (curve, j) && !(curve->x[j] < x.from) && !(curve->x[j] > x.to)
        && !(curve->y[j] < y.from) && !(curve->y[j] > y.to) && !(chart->y.log && curve->y[j] <= 0.0)
        && !(chart->x.log && curve->x[j] <= 0.0))
      return TRUE;
  return FALSE;
}

static gboolean
check (const IfbamChart *chart, GError **error)
{
  gboolean found = chart->maps->len > 0; /* maps check themselves */

  for (guint i = 0; i < chart->curves->len && !found; i++)
    found = chart->kind == IFBAM_CHART_RESPONSE
            || has_visible_point (chart, ifbam_chart_curve (chart, i));
  return found
         || ifbam_script_refuse_empty (chart->x.range, chart->y.range,
                                       chart->curves->len == 0 ? "there is no signal"
                                                               : "no point lies in the picture",
                                       error);
}

/* Returns the panels below each other, each as a chart of its own (transfer full). */
static char *
response_text (const IfbamChart *chart, guint columns, guint lines, GError **error)
{
  g_autoptr (GPtrArray) panels = ifbam_panels_new (chart);
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint p = 0; p < panels->len; p++)
    {
      g_autoptr (GArray) curves = g_array_new (FALSE, FALSE, sizeof (IfbamCurve));
      const IfbamChart part = ifbam_response_part (chart, panels->pdata[p], curves);
      const gboolean phases = g_str_equal (ifbam_chart_curve (&part, 0)->y_unit, "deg");
      g_autofree char *text =
          ifbam_chart_text (&part, columns, MAX (lines * (phases ? 2 : 3) / 5, MIN_LINES), error);

      if (text == NULL)
        return NULL;
      g_string_append (all, text);
    }
  return g_strdup (all->str);
}

char *
ifbam_chart_text (const IfbamChart *chart, guint columns, guint lines, GError **error)
{
  g_auto (IfbamDrawing) drawing = { 0 };
  GString *script;

  if (!check (chart, error))
    return NULL;
  if (chart->kind == IFBAM_CHART_MAP)
    return ifbam_map_text (chart, columns, lines, error);
  if (chart->kind == IFBAM_CHART_RESPONSE)
    return response_text (chart, columns, lines, error);
  drawing = ifbam_drawing_begin (chart, columns);
  script = ifbam_script_new_text (columns, lines);
  ifbam_script_append_chart (script, &drawing);
  return ifbam_script_print (script, error);
}

static gboolean
print_text (const IfbamChart *chart, GError **error)
{
  g_autofree char *text = NULL;
  guint columns, lines;

  ifbam_terminal_size (&columns, &lines);
  text = ifbam_chart_text (chart, columns, lines, error);
  return text != NULL && ifbam_output_put (NULL, text, strlen (text), error);
}

/* Returns the script for a picture (transfer full). */
static GString *
make_script (const IfbamChart *chart, const char *path, GError **error)
{
  g_auto (IfbamDrawing) drawing = { 0 };
  GString *script;

  if (chart->kind == IFBAM_CHART_MAP)
    return ifbam_map_script (chart, path, error);
  drawing = ifbam_drawing_begin (chart, 0);
  if (chart->kind == IFBAM_CHART_RESPONSE)
    {
      script = ifbam_script_new (path, ifbam_response_height (&drawing), "1");
      ifbam_script_append_response (script, &drawing);
      return script;
    }
  /* the curves of a phase portrait are close together */
  script = ifbam_script_new (path, ifbam_drawing_height (&drawing),
                             chart->kind == IFBAM_CHART_PHASE ? "1.1" : "1.6");
  ifbam_script_append_chart (script, &drawing);
  return script;
}

gboolean
ifbam_chart_draw (const IfbamChart *chart, const char *path, GError **error)
{
  GString *script;

  if (path == NULL)
    return print_text (chart, error);
  if (!ifbam_script_knows (path, error) || !check (chart, error))
    return FALSE;
  script = make_script (chart, path, error);
  return script != NULL && ifbam_script_draw (script, path, error);
}

gboolean
ifbam_is_picture (const char *path)
{
  return ifbam_script_knows (path, NULL);
}

/* Terminals */

static guint
number_from_environment (const char *name, guint least, guint standard)
{
  const char *text = g_getenv (name);
  guint64 number;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 1, 1000, &number, NULL))
    number = standard;
  return MAX ((guint) number, least);
}

void
ifbam_terminal_size (guint *columns, guint *lines)
{
  struct winsize size = { .ws_col = 100, .ws_row = 30 };

  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
    size = (struct winsize){ .ws_col = 100, .ws_row = 30 };
  *columns = number_from_environment ("COLUMNS", 40, size.ws_col);
  *lines = number_from_environment ("LINES", 12, size.ws_row);
}
