/* sweep-figure.c: table of a sweep as curves or as a map
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/sweep-figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element/element.h"
#include "base/fail.h"
#include "elements/registry.h"
#include "engine/engine.h"
#include "file/file.h"

#define DIVERGED "diverged"
#define BEST     "best"
/* Curves with fewer points have dots: each is a variant. */
#define FEW_POINTS 60
/* Largest number of combinations of other parameters with curves. */
#define MAX_COMBINATIONS 7
#define MAX_CURVES       28
/* Largest number of maps, one below the other. */
#define MAX_LAYERS 6

/* A varied parameter. */
typedef struct
{
  guint column;
  double *values; /* distinct values, increasing (n) */
  gsize n;
} Axis;

/* A measured column. */
typedef struct
{
  guint column;
  const char *quantity, *unit;
  gboolean loose; /* neighbours may be unrelated */
} Measured;

typedef struct
{
  IfbamChart *chart;
  const IfbamCsvTable *table;
  const char *const *columns; /* wanted measures; NULL: all */
  GArray *axes;               /* Axis: those with more than one value, or the first */
  GArray *measured;           /* Measured */
  char **left_out;
} Drawing;

static void
axis_clear (gpointer data)
{
  g_free (((Axis *) data)->values);
}

static int
compare_doubles (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static const char *
column_name (const Drawing *drawing, guint column)
{
  return drawing->table->names->pdata[column];
}

/* Returns the name without its unit. */
static const char *
axis_name (const Drawing *drawing, const Axis *axis)
{
  g_autofree char *unit = NULL;
  g_autofree char *name = ifbam_course_split_name (column_name (drawing, axis->column), &unit);

  return g_intern_string (name);
}

/* Reading */

static Axis
read_axis (const IfbamCsvTable *table, guint column)
{
  Axis axis = { .column = column, .values = g_new (double, table->n_rows + 1) };

  for (gsize row = 0; row < table->n_rows; row++)
    axis.values[row] = ifbam_csv_table_value (table, row, column);
  qsort (axis.values, table->n_rows, sizeof (double), compare_doubles);
  for (gsize row = 0; row < table->n_rows; row++)
    if (axis.n == 0 || axis.values[row] != axis.values[axis.n - 1])
      axis.values[axis.n++] = axis.values[row];
  return axis;
}

/* Measures have a colon in their names, parameters have none. */
static gboolean
read_axes (Drawing *drawing, GError **error)
{
  const IfbamCsvTable *table = drawing->table;
  guint column = 0;

  for (guint i = 0; i < table->names->len && strchr (column_name (drawing, i), ':') == NULL
                    && !g_str_equal (column_name (drawing, i), DIVERGED);
       i++)
    for (gsize row = 0; row < table->n_rows; row++)
      if (isnan (ifbam_csv_table_value (table, row, i)))
        return ifbam_fail (error, IFBAM_ERROR_COURSE,
                           "this is no table of a sweep: row %" G_GSIZE_FORMAT " has no %s",
                           row + 1, column_name (drawing, i));
  for (; column < table->names->len && strchr (column_name (drawing, column), ':') == NULL
         && !g_str_equal (column_name (drawing, column), DIVERGED);
       column++)
    {
      Axis axis = read_axis (table, column);

      if (axis.n > 1 || drawing->axes->len == 0)
        g_array_append_val (drawing->axes, axis);
      else
        axis_clear (&axis);
    }
  /* The first axis was only kept in case there was no other. */
  if (drawing->axes->len > 1 && g_array_index (drawing->axes, Axis, 0).n == 1)
    g_array_remove_index (drawing->axes, 0);
  if (column > 0 && column < table->names->len && table->n_rows == 0)
    return ifbam_fail (error, IFBAM_ERROR_COURSE,
                       "has the names of a sweep's columns and no row: none of its variants was "
                       "finished, or none was asked for");
  if (column == 0 || column >= table->names->len)
    return ifbam_fail (error, IFBAM_ERROR_COURSE,
                       "this is no table of a sweep (want columns as `ifbam sweep` writes them: "
                       "numbers that were varied, then measures, such as "
                       "k1.stiffness,max:m1.position)");
  return TRUE;
}

/* "spectrum:m1.position:frequency2" belongs to "spectrum:m1.position". */
static gboolean
belongs_to (const char *column, const char *name)
{
  const gsize length = strlen (name);

  if (strpbrk (name, "*?") != NULL)
    return g_pattern_match_simple (name, column);
  return strncmp (column, name, length) == 0 && (column[length] == '\0' || column[length] == ':');
}

static Measured
describe (const char *name, guint column)
{
  const char *signal = strchr (name, ':') + 1, *part = strchr (signal, ':');
  g_autofree char *alone =
      part == NULL ? g_strdup (signal) : g_strndup (signal, (gsize) (part - signal));
  Measured measured = { .column = column, .loose = part != NULL };

  if (g_str_has_prefix (name, "peak-time:") || g_str_has_prefix (name, "settling:"))
    {
      measured.quantity = "time";
      measured.unit = "s";
      return measured;
    }
  if (g_str_has_prefix (name, "response:"))
    {
      measured.loose = FALSE;
      measured.quantity = g_str_has_suffix (name, ":frequency") ? "frequency" : name;
      measured.unit = g_str_has_suffix (name, ":frequency") ? "Hz" : "";
      return measured;
    }
  ifbam_signal_quantity (NULL, alone, &measured.quantity, &measured.unit);
  if (measured.quantity == alone)
    measured.quantity = name;
  if (g_str_has_prefix (name, "damping:"))
    {
      measured.quantity = "damping ratio";
      measured.unit = "";
    }
  else if (g_str_has_prefix (name, "frequencies:")
           || (part != NULL && g_str_has_prefix (part, ":frequency")))
    {
      measured.quantity = "frequency";
      measured.unit = "Hz";
    }
  else if (part != NULL)
    measured.quantity = "amplitude";
  return measured;
}

/* Reads all measures, or the wanted ones; amplitudes of a spectrum only if wanted. */
static gboolean
read_measured (Drawing *drawing, GError **error)
{
  const char *const *wanted = drawing->columns;

  for (guint w = 0; w == 0 || (wanted != NULL && wanted[w] != NULL); w++)
    {
      const guint before = drawing->measured->len;

      for (guint c = 0; c < drawing->table->names->len; c++)
        {
          const char *name = column_name (drawing, c);
          const gboolean exact = wanted != NULL && g_str_equal (name, wanted[w]);
          Measured measured;

          if (strchr (name, ':') == NULL || (wanted != NULL && !belongs_to (name, wanted[w]))
              || (!exact && g_str_has_prefix (name, "spectrum:")
                  && strstr (name, ":amplitude") != NULL))
            continue;
          measured = describe (name, c);
          g_array_append_val (drawing->measured, measured);
        }
      if (drawing->measured->len > before)
        continue;
      return ifbam_fail (error, IFBAM_ERROR_USAGE, "the table has no measure%s%s%s",
                         wanted != NULL ? " \"" : "", wanted != NULL ? wanted[w] : "",
                         wanted != NULL ? "\"" : "");
    }
  return TRUE;
}

/* Labels */

#define SEVERAL (-1)

/* Keeps a single domain, or sets SEVERAL. */
static void
add_domain (int *found, IfbamDomain domain)
{
  *found = *found == IFBAM_DOMAIN_ANY || *found == (int) domain ? (int) domain : SEVERAL;
}

/* Returns the table's domain by keys and signals (a mass, a torque); ANY: unknown, several. */
static IfbamDomain
table_domain (const Drawing *drawing)
{
  int found = IFBAM_DOMAIN_ANY;
  static const char *const units[] = { "m", "m/s", "m/s2", "N", NULL };
  static const char *const keys[] = { "mass", "inertia", "capacitance" };
  static const IfbamDomain of_key[] = { IFBAM_DOMAIN_TRANSLATION, IFBAM_DOMAIN_ROTATION,
                                        IFBAM_DOMAIN_ELECTRICITY };

  for (guint c = 0; c < drawing->table->names->len; c++)
    {
      const char *name = column_name (drawing, c), *dot = strrchr (name, '.');
      const char *colon = strchr (name, ':'), *quantity, *unit;

      for (guint k = 0; k < G_N_ELEMENTS (keys) && dot != NULL && colon == NULL; k++)
        if (g_str_equal (dot + 1, keys[k]))
          add_domain (&found, of_key[k]);
      if (colon == NULL || dot == NULL || !ifbam_signal_unit (colon + 1, &quantity, &unit))
        continue;
      for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
        for (guint u = 0; units[u] != NULL; u++)
          {
            g_autofree char *own = ifbam_domain_unit ((IfbamDomain) d, units[u]);

            if (g_str_equal (own, unit))
              {
                add_domain (&found, (IfbamDomain) d);
                d = IFBAM_N_DOMAINS; /* the first domain with the unit */
                break;
              }
          }
    }
  return found == SEVERAL ? IFBAM_DOMAIN_ANY : (IfbamDomain) found;
}

/* Returns the unit of a key from a class of the table's domain; "" if no domain is known and units
 * differ, as of a stiffness that may be torsional. */
static const char *
key_unit (const Drawing *drawing, const char *name)
{
  const IfbamDomain domain = table_domain (drawing);
  const char *found = NULL;
  const char *dot = strrchr (name, '.'), *key = dot == NULL ? name : dot + 1;
  g_autofree char *own = NULL;
  guint n;
  const GType *types = ifbam_element_types (&n);
  const int setting = ifbam_element_param_index (ifbam_settings_info (), key);

  g_free (ifbam_course_split_name (name, &own));
  if (own != NULL)
    return g_intern_string (own);
  if (dot == NULL)
    return g_intern_string ("");
  if (g_str_has_prefix (name, "network.") && setting >= 0)
    return ifbam_settings_info ()->params[setting].unit;
  for (guint t = 0; t < n; t++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[t]);
      const int param = ifbam_element_param_index (info, key);

      if (param >= 0 && info->params[param].unit != NULL
          && (info->domain == IFBAM_DOMAIN_ANY || domain == IFBAM_DOMAIN_ANY
              || info->domain == domain))
        {
          const IfbamDomain of_class = info->domain != IFBAM_DOMAIN_ANY ? info->domain
                                       : domain != IFBAM_DOMAIN_ANY     ? domain
                                                                        : IFBAM_DOMAIN_TRANSLATION;
          g_autofree char *unit = ifbam_domain_unit (of_class, info->params[param].unit);

          if (domain != IFBAM_DOMAIN_ANY)
            return g_intern_string (unit);
          if (found != NULL && !g_str_equal (found, unit))
            return "";
          found = g_intern_string (unit);
        }
    }
  return found != NULL ? found : "";
}

/* TRUE if the middle value indicates equal ratios rather than equal differences. */
static gboolean
is_logarithmic (const Axis *axis)
{
  const double first = axis->values[0], last = axis->values[axis->n - 1];
  const double middle = axis->values[axis->n / 2];
  const double part = (double) (axis->n / 2) / (double) (axis->n - 1);

  return axis->n > 2 && first > 0 && last / first > 3
         && fabs (log (middle / first) / log (last / first) - part)
                < fabs ((middle - first) / (last - first) - part);
}

/* Rows of the table by their indices on the axes: */

static gsize
place_of (const Axis *axis, double value)
{
  const double *found = bsearch (&value, axis->values, axis->n, sizeof value, compare_doubles);

  return (gsize) (found - axis->values);
}

/* Curves */

static const Axis *
longest_axis (const Drawing *drawing)
{
  const Axis *longest = &g_array_index (drawing->axes, Axis, 0);

  for (guint a = 1; a < drawing->axes->len; a++)
    if (g_array_index (drawing->axes, Axis, a).n > longest->n)
      longest = &g_array_index (drawing->axes, Axis, a);
  return longest;
}

/* Returns the index of a row's combination of the axes but x; `name` (or NULL): its text. */
static guint64
combination_of (const Drawing *drawing, const Axis *x, gsize row, GString *name)
{
  guint64 combination = 0;

  IFBAM_FOREACH (const Axis, axis, drawing->axes)
    {
      const double value = ifbam_csv_table_value (drawing->table, row, axis->column);

      if (axis == x)
        continue;
      combination = combination * axis->n + place_of (axis, value);
      if (name != NULL)
        {
          const char *unit = key_unit (drawing, column_name (drawing, axis->column));

          g_string_append_printf (name, ", %s = %g%s%s", axis_name (drawing, axis), value,
                                  *unit == '\0' ? "" : " ", unit);
        }
    }
  return combination;
}

/* Adds a measure over x, for the rows of one combination; of_row: combination of each row. */
static void
add_curve (const Drawing *drawing, const Axis *x, const Measured *measured, const guint64 *of_row,
           guint64 combination)
{
  const IfbamCsvTable *table = drawing->table;
  const int best = ifbam_csv_table_column (table, BEST);
  double *points = ifbam_chart_numbers (drawing->chart, x->n), *mark = NULL;
  g_autoptr (GString) label = g_string_new (column_name (drawing, measured->column));
  gboolean named = FALSE;
  IfbamCurve *curve;

  for (gsize i = 0; i < x->n; i++)
    points[i] = NAN;
  for (gsize row = 0; row < table->n_rows; row++)
    {
      const double at = ifbam_csv_table_value (table, row, x->column);
      const double value = ifbam_csv_table_value (table, row, measured->column);

      if (of_row[row] != combination)
        continue;
      if (!named)
        combination_of (drawing, x, row, label);
      named = TRUE;
      points[place_of (x, at)] = value;
      if (best < 0 || ifbam_csv_table_value (table, row, (guint) best) != 1 || isnan (value))
        continue;
      mark = ifbam_chart_numbers (drawing->chart, 2);
      mark[0] = at;
      mark[1] = value;
    }
  drawing->chart->y.quantity = measured->quantity;
  drawing->chart->y.unit = measured->unit;
  curve = ifbam_chart_add (drawing->chart, label->str, x->values, points, x->n);
  curve->style =
      (x->n <= FEW_POINTS ? IFBAM_CURVE_DOTS : 0) | (measured->loose ? IFBAM_CURVE_POINTS : 0);
  if (mark == NULL)
    return;
  curve->mark_x = mark;
  curve->mark_y = mark + 1;
  curve->n_marks = 1;
  curve->mark_word = BEST;
}

/* Returns the existing combinations in their order, and that of each row. */
static GArray *
find_combinations (const Drawing *drawing, const Axis *x, guint64 *of_row)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  GArray *combinations = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (gsize row = 0; row < drawing->table->n_rows; row++)
    {
      of_row[row] = combination_of (drawing, x, row, NULL);
      if (g_hash_table_add (seen, g_memdup2 (&of_row[row], sizeof *of_row)))
        g_array_append_val (combinations, of_row[row]);
    }
  return combinations;
}

/* Sets an axis of the chart to a varied parameter. */
static void
set_axis (const Drawing *drawing, IfbamAxis *axis, const Axis *varied)
{
  axis->quantity = axis_name (drawing, varied);
  axis->unit = key_unit (drawing, column_name (drawing, varied->column));
  axis->log = is_logarithmic (varied);
}

static void
add_curves (const Drawing *drawing)
{
  const Axis *x = longest_axis (drawing);
  g_autofree guint64 *of_row = g_new (guint64, drawing->table->n_rows);
  g_autoptr (GArray) combinations = find_combinations (drawing, x, of_row);
  const guint n =
      MIN (combinations->len, MIN (MAX_COMBINATIONS, MAX (MAX_CURVES / drawing->measured->len, 1)));

  set_axis (drawing, &drawing->chart->x, x);
  for (guint m = 0; m < drawing->measured->len; m++)
    for (guint i = 0; i < n; i++)
      add_curve (drawing, x, &g_array_index (drawing->measured, Measured, m), of_row,
                 g_array_index (combinations, guint64,
                                n == 1 ? 0 : i * (combinations->len - 1) / (n - 1)));
  if (n < combinations->len)
    *drawing->left_out =
        g_strdup_printf ("%u of %u combinations of the other numbers are drawn, evenly from the "
                         "first to the last (the legend says which)",
                         n, combinations->len);
}

/* Maps */

/* Omits frequencies of free modes, 0 in all rows, if there are other measures. */
static void
leave_out_zeros (const Drawing *drawing)
{
  GArray *measured = drawing->measured;

  for (guint m = measured->len; m-- > 0 && measured->len > 1;)
    {
      const guint column = g_array_index (measured, Measured, m).column;
      gsize row = 0;

      while (row < drawing->table->n_rows
             && g_str_has_prefix (column_name (drawing, column), "frequencies:")
             && ifbam_csv_table_value (drawing->table, row, column) == 0)
        row++;
      if (row == drawing->table->n_rows)
        {
          g_free (*drawing->left_out);
          *drawing->left_out = g_strdup_printf ("%s is 0 everywhere, and is left out",
                                                column_name (drawing, column));
          g_array_remove_index (measured, m);
        }
    }
}

static void
add_maps (const Drawing *drawing)
{
  IfbamChart *chart = drawing->chart;
  const IfbamCsvTable *table = drawing->table;
  const Axis *x = &g_array_index (drawing->axes, Axis, 0);
  const Axis *y = &g_array_index (drawing->axes, Axis, 1);
  const guint n_maps = MIN (drawing->measured->len, MAX_LAYERS);
  const int best = ifbam_csv_table_column (table, BEST);
  double *mark = NULL;

  chart->kind = IFBAM_CHART_MAP;
  chart->log_values = chart->y.log;
  set_axis (drawing, &chart->x, x);
  set_axis (drawing, &chart->y, y);
  for (gsize row = 0; best >= 0 && row < table->n_rows; row++)
    if (ifbam_csv_table_value (table, row, (guint) best) == 1)
      {
        mark = ifbam_chart_numbers (chart, 2);
        mark[0] = ifbam_csv_table_value (table, row, x->column);
        mark[1] = ifbam_csv_table_value (table, row, y->column);
      }
  for (guint m = 0; m < n_maps; m++)
    {
      const Measured *measured = &g_array_index (drawing->measured, Measured, m);
      double *values = ifbam_chart_numbers (chart, x->n * y->n);
      const IfbamMap map = { .quantity = column_name (drawing, measured->column),
                             .unit = measured->unit,
                             .n_x = x->n,
                             .n_y = y->n,
                             .x = x->values,
                             .y = y->values,
                             .values = values,
                             .x_stride = 1,
                             .y_stride = x->n,
                             .mark = mark };

      for (gsize i = 0; i < x->n * y->n; i++)
        values[i] = NAN;
      for (gsize row = 0; row < table->n_rows; row++)
        values[place_of (y, ifbam_csv_table_value (table, row, y->column)) * x->n
               + place_of (x, ifbam_csv_table_value (table, row, x->column))] =
            ifbam_csv_table_value (table, row, measured->column);
      g_array_append_val (chart->maps, map);
    }
  if (n_maps < drawing->measured->len)
    *drawing->left_out = g_strdup_printf ("%u of %u measures are drawn (choose with --signal)",
                                          n_maps, drawing->measured->len);
}

static gboolean
wants_map (const Drawing *drawing)
{
  return drawing->axes->len == 2 && g_array_index (drawing->axes, Axis, 0).n > MAX_COMBINATIONS
         && g_array_index (drawing->axes, Axis, 1).n > MAX_COMBINATIONS;
}

/* Returns the first measure without any value; NULL: none. */
static const char *
empty_measure (const Drawing *drawing)
{
  for (guint m = 0; m < drawing->measured->len; m++)
    {
      const guint column = g_array_index (drawing->measured, Measured, m).column;
      gsize row = 0;

      while (row < drawing->table->n_rows
             && isnan (ifbam_csv_table_value (drawing->table, row, column)))
        row++;
      if (row == drawing->table->n_rows)
        return column_name (drawing, column);
    }
  return NULL;
}

gboolean
ifbam_sweep_chart (IfbamChart *chart, const IfbamCsvTable *table, const char *const *columns,
                   char **left_out, GError **error)
{
  g_autoptr (GArray) measured = g_array_new (FALSE, FALSE, sizeof (Measured));
  Drawing drawing = { chart,    table,   columns, g_array_new (FALSE, FALSE, sizeof (Axis)),
                      measured, left_out };
  const char *empty;

  *left_out = NULL;
  chart->kind = IFBAM_CHART_SWEEP;
  g_array_set_clear_func (drawing.axes, axis_clear);
  ifbam_chart_own (chart, drawing.axes, (GDestroyNotify) g_array_unref);
  if (!read_axes (&drawing, error) || !read_measured (&drawing, error))
    return FALSE;
  if (!chart->text && wants_map (&drawing))
    {
      leave_out_zeros (&drawing);
      add_maps (&drawing);
    }
  else
    add_curves (&drawing);
  empty = empty_measure (&drawing);
  if (*left_out == NULL && empty != NULL)
    *left_out = g_strdup_printf ("%s has no value, and is left out", empty);
  return TRUE;
}
