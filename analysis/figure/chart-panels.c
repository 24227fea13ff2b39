/* chart-panels.c: which curves of a figure share a panel, and its axes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/chart-panels.h"

#include <stdlib.h>
#include <string.h>

#define TOO_SMALL  10 /* a panel is so many times as high as a curve in it that is not seen well */
#define INCREDIBLE 1000 /* the same of curves that are there to be compared */
#define FLAT       1e-9 /* extent of a curve that is level but for rounding, in parts of its height */
#define NOISE      1e-9 /* part of the largest number in its unit */
#define MOST       8    /* panels; where there were more, size does not matter */

static void
panel_free (IfbamPanel *panel)
{
  g_array_unref (panel->series);
  g_free (panel->x_label);
  g_free (panel->y_label);
  g_free (panel);
}

static gsize
member (const IfbamPanel *panel, guint i)
{
  return g_array_index (panel->series, gsize, i);
}

/* What is seen of a curve. */
static IfbamPlotRange
extent_of (const IfbamPlotSeries *s, IfbamPlotRange window, gboolean along_x)
{
  IfbamPlotRange extent = { INFINITY, -INFINITY };

  for (gsize i = 0; i < s->n; i++)
    if (ifbam_curve_is_drawn (s, i) && !(s->x[i] < window.from) && !(s->x[i] > window.to))
      {
        const double value = along_x ? s->x[i] : s->y[i];

        extent.from = fmin (extent.from, value);
        extent.to = fmax (extent.to, value);
      }
  return extent;
}

static IfbamPlotRange
hull (IfbamPlotRange a, IfbamPlotRange b)
{
  return (IfbamPlotRange){ fmin (a.from, b.from), fmax (a.to, b.to) };
}

static double
height (IfbamPlotRange range)
{
  const double size = fmax (fabs (range.from), fabs (range.to));

  return range.to - range.from > FLAT * size ? range.to - range.from : 0;
}

static const char *
unit_or_quantity (const char *unit, const char *quantity)
{
  return *unit != '\0' ? unit : quantity;
}

static gboolean
have_one_unit (const IfbamPlotSeries *a, const IfbamPlotSeries *b, gboolean own_x)
{
  return g_str_equal (unit_or_quantity (a->y_unit, a->y_quantity),
                      unit_or_quantity (b->y_unit, b->y_quantity))
         && (!own_x
             || g_str_equal (unit_or_quantity (a->x_unit, a->x_quantity),
                             unit_or_quantity (b->x_unit, b->x_quantity)));
}

/* What is nothing but rounding beside the others of its unit is level. */
static void
flatten_noise (const IfbamPlotSeries *series, gsize n, gboolean own_x, IfbamPlotRange *extent)
{
  g_autofree gsize *first = g_new (gsize, n + 1); /* of its unit */
  g_autofree double *largest = g_new0 (double, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      first[i] = 0;
      while (
          first[i] < i
          && !(first[first[i]] == first[i] && have_one_unit (&series[first[i]], &series[i], own_x)))
        first[i]++;
      if (extent[i].from <= extent[i].to)
        largest[first[i]] =
            fmax (largest[first[i]], fmax (fabs (extent[i].from), fabs (extent[i].to)));
    }
  for (gsize i = 0; i < n; i++)
    if (height (extent[i]) < NOISE * largest[first[i]])
      extent[i].to = extent[i].from;
}

static gboolean
are_compared (const IfbamPlotSeries *a, const IfbamPlotSeries *b)
{
  return a->kin != NULL && b->kin != NULL && g_str_equal (a->kin, b->kin);
}

/* Whether series i is seen well beside those of a panel, and they beside it. */
static gboolean
fits (const IfbamPanel *panel, const IfbamPlotSeries *series, const IfbamPlotRange *extent, gsize i)
{
  const double whole = height (hull (panel->y, extent[i])), own = height (extent[i]);

  for (guint k = 0; k < panel->series->len; k++)
    {
      const gsize other = member (panel, k);
      const double most = are_compared (&series[i], &series[other]) ? INCREDIBLE : TOO_SMALL;
      const double beside = height (extent[other]);

      if ((beside > 0 && whole > most * beside && whole > height (panel->y))
          || (own > 0 && whole > most * own))
        return FALSE;
    }
  return TRUE;
}

static void
add (GPtrArray *panels, const IfbamPlotSeries *series, const IfbamPlotRange *extent, gsize i,
     const IfbamPanelRules *rules)
{
  IfbamPanel *panel = NULL;

  for (guint p = 0; p < panels->len && panel == NULL; p++)
    {
      IfbamPanel *other = panels->pdata[p];

      if (have_one_unit (&series[i], &series[member (other, 0)], rules->own_x)
          && (!rules->by_size || fits (other, series, extent, i)))
        panel = other;
    }
  if (panel == NULL)
    {
      panel = g_new0 (IfbamPanel, 1);
      panel->series = g_array_new (FALSE, FALSE, sizeof (gsize));
      panel->x = panel->y = (IfbamPlotRange){ INFINITY, -INFINITY };
      g_ptr_array_add (panels, panel);
    }
  g_array_append_val (panel->series, i);
  panel->y = hull (panel->y, extent[i]);
  panel->x = hull (panel->x, extent_of (&series[i], rules->x, TRUE));
}

typedef struct
{
  double height;
  gsize number;
} Place;

/* The highest first; what is level last: it fits anywhere. */
static int
compare_places (const void *a, const void *b)
{
  const Place *one = a, *other = b;

  if (one->height != other->height)
    return one->height < other->height ? 1 : -1;
  return one->number < other->number ? -1 : 1;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  return *(const gsize *) a < *(const gsize *) b ? -1 : *(const gsize *) a > *(const gsize *) b;
}

static int
compare_panels (gconstpointer a, gconstpointer b)
{
  const gsize one = member (*(IfbamPanel *const *) a, 0),
              other = member (*(IfbamPanel *const *) b, 0);

  return one < other ? -1 : one > other;
}

/* Labels */

static const char *
last_word (const char *text)
{
  const char *blank = strrchr (text, ' ');

  return blank != NULL ? blank + 1 : text;
}

static const char *
quantity_of (const IfbamPlotSeries *s, gboolean along_x)
{
  return along_x ? s->x_quantity : s->y_quantity;
}

/* "position, compression"; each once; "energy" for "kinetic energy, potential energy". */
static void
append_quantities (GString *label, const IfbamPlotSeries *series, const IfbamPanel *panel,
                   gboolean along_x)
{
  const char *word = last_word (quantity_of (&series[member (panel, 0)], along_x));
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean one_word = TRUE;

  for (guint i = 0; i < panel->series->len; i++)
    {
      const char *quantity = quantity_of (&series[member (panel, i)], along_x);

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

/* How far an axis reaches, at most. */
static double
reach (IfbamPlotRange data, IfbamPlotRange shown)
{
  return fmax (fabs (isnan (shown.from) ? data.from : shown.from),
               fabs (isnan (shown.to) ? data.to : shown.to));
}

static char *
axis_label (const IfbamPlotSeries *series, const IfbamPanel *panel, const IfbamPanelRules *rules,
            gboolean along_x, double *factor)
{
  GString *label = g_string_new (NULL);
  const IfbamPlotSeries *first = &series[member (panel, 0)];
  const IfbamPlotRange any = IFBAM_PLOT_ANY;
  const gboolean is_meant = rules->y_unit == NULL || g_str_equal (rules->y_unit, first->y_unit);
  const double x = reach (panel->x, rules->x), y = reach (panel->y, is_meant ? rules->y : any);
  g_auto (IfbamScale) scale = ifbam_scale_for (along_x ? first->x_unit : first->y_unit,
                                               (along_x ? rules->plain_x : rules->plain_y) ? 1
                                               : rules->alike ? fmax (x, y)
                                                              : (along_x ? x : y));

  *factor = scale.factor;
  append_quantities (label, series, panel, along_x);
  if (*scale.unit != '\0')
    g_string_append_printf (label, " [%s]", scale.unit);
  return g_string_free (label, FALSE);
}

GPtrArray *
ifbam_panels_new (const IfbamPlotSeries *series, gsize n, const IfbamPanelRules *rules)
{
  GPtrArray *panels = g_ptr_array_new_with_free_func ((GDestroyNotify) panel_free);
  g_autofree IfbamPlotRange *extent = g_new (IfbamPlotRange, n + 1);
  g_autofree Place *places = g_new (Place, n + 1);
  IfbamPlotRange x = { INFINITY, -INFINITY };

  for (gsize i = 0; i < n; i++)
    extent[i] = extent_of (&series[i], rules->x, FALSE);
  if (rules->by_size)
    flatten_noise (series, n, rules->own_x, extent);
  for (gsize i = 0; i < n; i++)
    places[i] = (Place){ rules->by_size ? height (extent[i]) : 0, i };
  qsort (places, n, sizeof *places, compare_places);
  for (gsize i = 0; i < n; i++)
    add (panels, series, extent, places[i].number, rules);
  if (panels->len > MOST && rules->by_size)
    {
      IfbamPanelRules fewer = *rules;

      fewer.by_size = FALSE;
      g_ptr_array_unref (panels);
      return ifbam_panels_new (series, n, &fewer);
    }
  for (guint p = 0; p < panels->len; p++)
    {
      IfbamPanel *panel = panels->pdata[p];

      g_array_sort (panel->series, compare_numbers);
      x = hull (x, panel->x);
    }
  g_ptr_array_sort (panels, compare_panels);
  for (guint p = 0; p < panels->len; p++)
    {
      IfbamPanel *panel = panels->pdata[p];

      if (!rules->own_x)
        panel->x = x;
      panel->x_label = axis_label (series, panel, rules, TRUE, &panel->x_factor);
      panel->y_label = axis_label (series, panel, rules, FALSE, &panel->y_factor);
    }
  return panels;
}
