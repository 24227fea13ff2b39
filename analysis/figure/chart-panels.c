/* chart-panels.c: assignment of a chart's curves to panels, and their axes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/chart-panels.h"
#include "figure/foreach.h"

#include <string.h>

#define TOO_SMALL  10   /* largest ratio of a panel's height to that of a curve in it */
#define INCREDIBLE 1000 /* the same for curves to be compared */
#define FLAT       1e-9 /* extent of a constant curve by rounding, relative to its value */
#define NOISE      1e-9 /* relative to the largest number of its unit */
#define MOST       8    /* panels; if there are more, sizes are ignored */

static void
panel_free (IfbamPanel *panel)
{
  g_ptr_array_unref (panel->curves);
  g_free (panel->x_label);
  g_free (panel->y_label);
  g_free (panel);
}

/* Returns the extent of a curve; extents: of all curves of the chart. */
static IfbamAxisRange
extent_in (const IfbamChart *chart, const IfbamAxisRange *extents, const IfbamCurve *curve)
{
  return extents[ifbam_curve_index (chart, curve)];
}

/* TRUE for charts of two coordinates: each panel has its own quantity x. */
static gboolean
has_own_x (const IfbamChart *chart)
{
  return chart->kind == IFBAM_CHART_PHASE || chart->kind == IFBAM_CHART_PATH;
}

/* Returns the extent of a curve's visible part. */
static IfbamAxisRange
extent_of (const IfbamCurve *s, IfbamAxisRange window, gboolean along_x)
{
  IfbamAxisRange extent = { INFINITY, -INFINITY };

  for (gsize i = 0; i < s->n; i++)
    if (ifbam_curve_is_drawn (s, i) && !(s->x[i] < window.from) && !(s->x[i] > window.to))
      {
        const double value = along_x ? s->x[i] : s->y[i];

        extent.from = fmin (extent.from, value);
        extent.to = fmax (extent.to, value);
      }
  return extent;
}

static IfbamAxisRange
hull (IfbamAxisRange a, IfbamAxisRange b)
{
  return (IfbamAxisRange){ fmin (a.from, b.from), fmax (a.to, b.to) };
}

static double
height (IfbamAxisRange range)
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
have_one_unit (const IfbamCurve *a, const IfbamCurve *b, gboolean own_x)
{
  return g_str_equal (unit_or_quantity (a->y_unit, a->y_quantity),
                      unit_or_quantity (b->y_unit, b->y_quantity))
         && (!own_x
             || g_str_equal (unit_or_quantity (a->x_unit, a->x_quantity),
                             unit_or_quantity (b->x_unit, b->x_quantity)));
}

/* Makes curves constant if their extent is rounding relative to the others of their unit. */
static void
flatten_noise (const IfbamChart *chart, IfbamAxisRange *extent)
{
  const gsize n = chart->curves->len;
  g_autofree gsize *first = g_new (gsize, n + 1); /* of its unit */
  g_autofree double *largest = g_new0 (double, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      first[i] = 0;
      while (first[i] < i
             && !(first[first[i]] == first[i]
                  && have_one_unit (ifbam_chart_curve (chart, first[i]),
                                    ifbam_chart_curve (chart, i), has_own_x (chart))))
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
are_compared (const IfbamCurve *a, const IfbamCurve *b)
{
  return a->kin != NULL && b->kin != NULL && g_str_equal (a->kin, b->kin);
}

/* TRUE if a curve and those of a panel are visible beside each other. */
static gboolean
fits (const IfbamPanel *panel, const IfbamChart *chart, const IfbamAxisRange *extents,
      const IfbamCurve *curve)
{
  const IfbamAxisRange extent = extent_in (chart, extents, curve);
  const double whole = height (hull (panel->y, extent)), own = height (extent);

  for (guint k = 0; k < panel->curves->len; k++)
    {
      const IfbamCurve *other = panel->curves->pdata[k];
      const double most = are_compared (curve, other) ? INCREDIBLE : TOO_SMALL;
      const double beside = height (extent_in (chart, extents, other));

      if ((beside > 0 && whole > most * beside && whole > height (panel->y))
          || (own > 0 && whole > most * own))
        return FALSE;
    }
  return TRUE;
}

static void
add (GPtrArray *panels, const IfbamChart *chart, const IfbamAxisRange *extents,
     const IfbamCurve *curve, gboolean by_size)
{
  IfbamPanel *panel = NULL;

  for (guint p = 0; p < panels->len && panel == NULL; p++)
    {
      IfbamPanel *other = panels->pdata[p];

      if (have_one_unit (curve, other->curves->pdata[0], has_own_x (chart))
          && (!by_size || fits (other, chart, extents, curve)))
        panel = other;
    }
  if (panel == NULL)
    {
      panel = g_new0 (IfbamPanel, 1);
      panel->curves = g_ptr_array_new ();
      panel->x = panel->y = (IfbamAxisRange){ INFINITY, -INFINITY };
      g_ptr_array_add (panels, panel);
    }
  g_ptr_array_add (panel->curves, (gpointer) curve);
  panel->y = hull (panel->y, extent_in (chart, extents, curve));
  panel->x = hull (panel->x, extent_of (curve, chart->x.range, TRUE));
}

typedef struct
{
  const IfbamCurve *curve;
  double height;
} Sized;

/* Sorts high curves first, constant ones last: these fit anywhere. */
static int
compare_heights (gconstpointer a, gconstpointer b)
{
  const Sized *one = a, *other = b;

  return (one->height < other->height) - (one->height > other->height);
}

/* Compares by index. */
static int
compare_curves (gconstpointer a, gconstpointer b)
{
  const IfbamCurve *one = *(const IfbamCurve *const *) a, *other = *(const IfbamCurve *const *) b;

  return (one > other) - (one < other);
}

/* Compares by first curve. */
static int
compare_panels (gconstpointer a, gconstpointer b)
{
  return compare_curves ((*(IfbamPanel *const *) a)->curves->pdata,
                         (*(IfbamPanel *const *) b)->curves->pdata);
}

/* Labels */

static const char *
last_word (const char *text)
{
  const char *blank = strrchr (text, ' ');

  return blank != NULL ? blank + 1 : text;
}

static const char *
quantity_of (const IfbamCurve *s, gboolean along_x)
{
  return along_x ? s->x_quantity : s->y_quantity;
}

/* Appends "position, compression", each once; "energy" for "kinetic energy, potential energy". */
static void
append_quantities (GString *label, const IfbamPanel *panel, gboolean along_x)
{
  const char *word = last_word (quantity_of (panel->curves->pdata[0], along_x));
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean one_word = TRUE;

  for (guint i = 0; i < panel->curves->len; i++)
    {
      const char *quantity = quantity_of (panel->curves->pdata[i], along_x);

      if (!g_hash_table_add (seen, (gpointer) quantity))
        continue;
      one_word &= strcmp (last_word (quantity), word) == 0;
      if (g_hash_table_size (seen) == 4) /* further ones have no space */
        g_string_append (label, ", ...");
      else if (g_hash_table_size (seen) < 4)
        g_string_append_printf (label, "%s%s", i > 0 ? ", " : "", quantity);
    }
  if (one_word && g_hash_table_size (seen) > 1)
    g_string_assign (label, word);
}

/* Returns the largest absolute value on an axis. */
static double
reach (IfbamAxisRange data, IfbamAxisRange shown)
{
  const IfbamAxisRange range = ifbam_range_or (shown, data.from, data.to);

  return fmax (fabs (range.from), fabs (range.to));
}

/* Returns the largest number on an axis, for its prefix; 1 on most logarithmic axes. */
static double
largest_on_axis (const IfbamChart *chart, const IfbamPanel *panel, gboolean along_x)
{
  const IfbamAxisRange range = chart->x.range;
  const double x = reach (panel->x, range),
               y = reach (panel->y, ifbam_chart_y_range (chart, panel->curves->pdata[0]));

  if (chart->kind == IFBAM_CHART_RESPONSE && !chart->text)
    return !along_x ? 1 : chart->x.log ? sqrt (range.from * range.to) : range.to;
  if (along_x ? chart->x.log : chart->y.log)
    return 1;
  return chart->kind == IFBAM_CHART_PATH ? fmax (x, y) : along_x ? x : y;
}

static char *
axis_label (const IfbamChart *chart, const IfbamPanel *panel, gboolean along_x, double *factor)
{
  GString *label = g_string_new (NULL);
  const IfbamCurve *first = panel->curves->pdata[0];
  g_auto (IfbamScale) scale = ifbam_scale_for (along_x ? first->x_unit : first->y_unit,
                                               largest_on_axis (chart, panel, along_x));

  *factor = scale.factor;
  append_quantities (label, panel, along_x);
  if (*scale.unit != '\0')
    g_string_append_printf (label, " [%s]", scale.unit);
  return g_string_free (label, FALSE);
}

/* by_size: small curves get panels of their own. */
static GPtrArray *
assign (const IfbamChart *chart, gboolean by_size)
{
  const gsize n = chart->curves->len;
  GPtrArray *panels = g_ptr_array_new_with_free_func ((GDestroyNotify) panel_free);
  g_autofree IfbamAxisRange *extents = g_new (IfbamAxisRange, n + 1);
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (Sized));

  for (gsize i = 0; i < n; i++)
    extents[i] = extent_of (ifbam_chart_curve (chart, i), chart->x.range, FALSE);
  if (by_size)
    flatten_noise (chart, extents);
  for (gsize i = 0; i < n; i++)
    {
      const Sized sized = { ifbam_chart_curve (chart, i), by_size ? height (extents[i]) : 0 };

      g_array_append_val (order, sized);
    }
  g_array_sort (order, compare_heights); /* stable */
  IFBAM_FOREACH (const Sized, sized, order)
    add (panels, chart, extents, sized->curve, by_size);
  if (panels->len <= MOST || !by_size)
    return panels;
  g_ptr_array_unref (panels);
  return assign (chart, FALSE);
}

GPtrArray *
ifbam_panels_new (const IfbamChart *chart)
{
  GPtrArray *panels =
      assign (chart, (chart->kind == IFBAM_CHART_COURSE || chart->kind == IFBAM_CHART_SPECTRUM)
                         && !chart->y.log);
  IfbamAxisRange x = { INFINITY, -INFINITY };

  for (guint p = 0; p < panels->len; p++)
    {
      IfbamPanel *panel = panels->pdata[p];

      g_ptr_array_sort (panel->curves, compare_curves);
      x = hull (x, panel->x);
    }
  g_ptr_array_sort (panels, compare_panels);
  for (guint p = 0; p < panels->len; p++)
    {
      IfbamPanel *panel = panels->pdata[p];

      if (!has_own_x (chart))
        panel->x = x;
      panel->x_label = axis_label (chart, panel, TRUE, &panel->x_factor);
      panel->y_label = axis_label (chart, panel, FALSE, &panel->y_factor);
    }
  return panels;
}
