/* spectrogram-figure.c: spectrograms as maps of amplitude over time and frequency
 *
 * A picture's cell shows the largest amplitude that falls into it: thinned otherwise, a line that is
 * finer than a cell would come and go.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/spectrogram-figure.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "figure/axis-units.h"
#include "file/file.h"

#define MOST_COLUMNS 800 /* cells of a picture */
#define MOST_LINES   400
#define PANEL_HEIGHT 330  /* of each of several */
#define VISIBLE      5e-3 /* part of the largest amplitude that still counts for the range */
#define DECADES      4.0  /* that logarithmic colours show */
#define MARGIN       12   /* columns of text beside a map */

/* Amplitudes on the cells of a picture. */
typedef struct
{
  gsize columns, lines;              /* over time, over frequency */
  double *cells;                     /* [lines][columns], lowest frequency first */
  IfbamPlotRange times, frequencies; /* of the middles of the outermost cells [s], [Hz] */
  double largest;
} Map;

static void
map_clear (Map *map)
{
  g_free (map->cells);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Map, map_clear)

/* The numbers (increasing) that lie in a range. */
static void
clip (const double *numbers, gsize n, IfbamPlotRange range, gsize *first, gsize *last)
{
  *first = 0;
  *last = n;
  while (*first < n && numbers[*first] < range.from)
    ++*first;
  while (*last > *first && numbers[*last - 1] > range.to)
    --*last;
}

/* The end of the frequencies that can be seen. */
static double
last_visible (const double *amplitudes, const double *frequencies, gsize n_times, gsize n)
{
  double largest = 0.0, last = 0.0;

  for (gsize i = 0; i < n_times * n; i++)
    largest = MAX (largest, amplitudes[i]);
  for (gsize i = 0; i < n_times; i++)
    for (gsize k = n; k-- > 0;)
      if (amplitudes[i * n + k] > VISIBLE * largest)
        {
          last = MAX (last, frequencies[k]);
          break;
        }
  return last > 0.0 ? 1.1 * last : frequencies[n - 1];
}

static gboolean
map_fill (Map *map, const IfbamSpectrogramFigure *figure, IfbamSpectrogram *spectrogram,
          gsize most_columns, gsize most_lines, GError **error)
{
  gsize n_times, n, first, last, lowest, highest;
  const double *times = ifbam_spectrogram_get_times (spectrogram, &n_times);
  const double *frequencies = ifbam_spectrogram_get_frequencies (spectrogram, &n);
  const double *amplitudes = ifbam_spectrogram_get_amplitudes (spectrogram, NULL);
  IfbamPlotRange range = figure->frequencies;

  if (isnan (range.to))
    range.to = MAX (last_visible (amplitudes, frequencies, n_times, n),
                    isnan (range.from) ? 0.0 : 2.0 * range.from);
  clip (times, n_times, figure->times, &first, &last);
  clip (frequencies, n, range, &lowest, &highest);
  if (last < first + 2 || highest < lowest + 2)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "there is nothing to draw: fewer than two instants or frequencies lie in "
                       "the picture (want shorter segments, or another range)");
  map->columns = MIN (last - first, most_columns);
  map->lines = MIN (highest - lowest, most_lines);
  map->cells = g_new0 (double, map->columns * map->lines);
  map->times = (IfbamPlotRange){ times[first], times[last - 1] };
  map->frequencies = (IfbamPlotRange){ frequencies[lowest], frequencies[highest - 1] };
  for (gsize i = first; i < last; i++)
    for (gsize k = lowest; k < highest; k++)
      {
        gsize column = (i - first) * map->columns / (last - first);
        gsize line = (k - lowest) * map->lines / (highest - lowest);
        double *cell = &map->cells[line * map->columns + column];

        *cell = MAX (*cell, amplitudes[i * n + k]);
        map->largest = MAX (map->largest, *cell);
      }
  return TRUE;
}

/* Pictures */

/* The map of panel i as the matrix $d<i>. */
static void
append_matrix (GString *script, const Map *map, gsize i)
{
  g_string_append_printf (script, "$d%" G_GSIZE_FORMAT " << EOD\n", i);
  for (gsize line = 0; line < map->lines; line++)
    for (gsize column = 0; column < map->columns; column++)
      ifbam_script_number (script, "", map->cells[line * map->columns + column],
                           column + 1 < map->columns ? " " : "\n");
  g_string_append (script, "EOD\n");
}

static void
append_range (GString *script, const char *axis, IfbamPlotRange range, gsize cells)
{
  double half = 0.5 * (range.to - range.from) / (double) (cells - 1);

  ifbam_script_range (script, axis, (IfbamPlotRange){ range.from - half, range.to + half });
}

static void
append_colours (GString *script, const Map *map, gboolean log)
{
  g_string_append (script, log ? "set logscale cb\n" : "unset logscale cb\n");
  ifbam_script_number (script, "set cbrange [", log ? map->largest * pow (10.0, -DECADES) : 0.0,
                       ":");
  ifbam_script_number (script, "", map->largest > 0.0 ? map->largest : 1.0, "]\n");
}

static void
scale_range (IfbamPlotRange *range, double factor)
{
  range->from *= factor;
  range->to *= factor;
}

/* Numbers as they stand on the axes; the units are written there. */
static void
scale_map (GString *script, Map *map, const char *unit, gboolean log)
{
  g_auto (IfbamScale) time = ifbam_scale_for ("s", map->times.to);
  g_auto (IfbamScale) frequency = ifbam_scale_for ("Hz", map->frequencies.to);
  g_auto (IfbamScale) amplitude = ifbam_scale_for (unit, log ? 1 : map->largest);

  scale_range (&map->times, time.factor);
  scale_range (&map->frequencies, frequency.factor);
  map->largest *= amplitude.factor;
  for (gsize i = 0; i < map->columns * map->lines; i++)
    map->cells[i] *= amplitude.factor;
  ifbam_script_label (script, "x", "time", time.unit);
  ifbam_script_label (script, "y", "frequency", frequency.unit);
  ifbam_script_label (script, "cb", "amplitude", amplitude.unit);
}

static void
append_panel (GString *script, const IfbamSpectrogramFigure *figure, const Map *map, gsize i)
{
  append_range (script, "x", map->times, map->columns);
  append_range (script, "y", map->frequencies, map->lines);
  append_colours (script, map, figure->log);
  g_string_append (script, "set cblabel offset 1\nset title ");
  ifbam_script_text (script, figure->panels[i].label);
  g_string_append (script, i + 1 == figure->n_panels ? " offset 0,-0.5\n"
                                                     : " offset 0,-0.5\nunset xlabel\n");
  g_string_append_printf (script, "plot $d%" G_GSIZE_FORMAT " matrix using (", i);
  ifbam_script_number (script, "", map->times.from, " + $1 * ");
  ifbam_script_number (script, "", (map->times.to - map->times.from) / (double) (map->columns - 1),
                       "):(");
  ifbam_script_number (script, "", map->frequencies.from, " + $2 * ");
  ifbam_script_number (
      script, "", (map->frequencies.to - map->frequencies.from) / (double) (map->lines - 1), "):");
  /* on a logarithmic scale nothing is darker than the darkest */
  if (figure->log)
    ifbam_script_number (script, "($3 > ", map->largest * pow (10.0, -DECADES), " ? $3 : ");
  if (figure->log)
    ifbam_script_number (script, "", map->largest * pow (10.0, -DECADES), ")");
  else
    g_string_append (script, "3");
  g_string_append (script, " with image notitle\n");
}

static gboolean
draw_picture (const IfbamSpectrogramFigure *figure, const char *path, GError **error)
{
  guint height = (guint) MAX (IFBAM_PICTURE_HEIGHT, 60 + PANEL_HEIGHT * figure->n_panels);
  GString *script = ifbam_script_new (path, height, "1", error);
  gboolean drawn = script != NULL;

  if (!drawn)
    return FALSE;
  ifbam_script_palette (script);
  g_string_append (script, "unset grid\nset rmargin at screen 0.8\nset lmargin 10\n");
  ifbam_script_panels (script, figure->n_panels, figure->title);
  for (gsize i = 0; i < figure->n_panels && drawn; i++)
    {
      g_auto (Map) map = { 0 };

      drawn =
          map_fill (&map, figure, figure->panels[i].spectrogram, MOST_COLUMNS, MOST_LINES, error);
      if (!drawn)
        break;
      scale_map (script, &map, figure->panels[i].unit, figure->log);
      append_matrix (script, &map, i);
      append_panel (script, figure, &map, i);
    }
  g_string_append (script, "unset multiplot\n");
  if (drawn)
    return ifbam_script_draw (script, path, error);
  g_string_free (script, TRUE);
  return FALSE;
}

/* Text */

static char
shade (double amplitude, const Map *map, gboolean log)
{
  static const char shades[] = " .:-=+*#%@";
  const int n = (int) sizeof shades - 1;
  double part = map->largest > 0.0 ? amplitude / map->largest : 0.0;

  if (log)
    part = part > 0.0 ? 1.0 + log10 (part) / DECADES : 0.0;
  return shades[CLAMP ((int) (part * n), 0, n - 1)];
}

/* One map in so many columns and lines. */
static void
append_text_map (GString *text, const IfbamSpectrogramPanel *panel, const Map *map, gboolean log)
{
  g_string_append_printf (text, "%s: frequency [Hz], @ is %.4g %s\n", panel->label, map->largest,
                          panel->unit);
  for (gsize line = map->lines; line-- > 0;)
    {
      double frequency = map->frequencies.from
                         + (map->frequencies.to - map->frequencies.from) * (double) line
                               / (double) (map->lines - 1);
      GString *shades = g_string_new (NULL);

      for (gsize column = 0; column < map->columns; column++)
        g_string_append_c (shades, shade (map->cells[line * map->columns + column], map, log));
      g_strchomp (shades->str);
      if (line % 4 == 0)
        g_string_append_printf (text, "%*.4g |%s\n", MARGIN - 2, frequency, shades->str);
      else
        g_string_append_printf (text, "%*s |%s\n", MARGIN - 2, "", shades->str);
      g_string_free (shades, TRUE);
    }
  g_string_append_printf (text, "%*s +", MARGIN - 2, "");
  for (gsize column = 0; column < map->columns; column++)
    g_string_append_c (text, '-');
  g_string_append_printf (text, "\n%*s %-*.4g%*.4g\n", MARGIN - 2, "time [s]",
                          (int) (map->columns / 2), map->times.from,
                          (int) (map->columns - map->columns / 2), map->times.to);
}

static gboolean
print_text (const IfbamSpectrogramFigure *figure, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint columns, lines;

  ifbam_plot_terminal_size (&columns, &lines);
  if (figure->title != NULL && *figure->title != '\0')
    g_string_append_printf (text, "%s\n", figure->title);
  for (gsize i = 0; i < figure->n_panels; i++)
    {
      g_auto (Map) map = { 0 };

      if (!map_fill (&map, figure, figure->panels[i].spectrogram, columns - MARGIN - 1, lines - 4,
                     error))
        return FALSE;
      append_text_map (text, &figure->panels[i], &map, figure->log);
    }
  return ifbam_output_put (NULL, text->str, text->len, error);
}

gboolean
ifbam_spectrogram_figure_draw (const IfbamSpectrogramFigure *figure, const char *path,
                               GError **error)
{
  return path == NULL ? print_text (figure, error) : draw_picture (figure, path, error);
}
