/* scheme-figures.c: numerical errors of all schemes for one mode: stability, roots, periods, growth
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/scheme-figures.h"

#include "figure/foreach.h"
#include "figure/root-loci.h"
#include "figure/stability-region.h"

#define POINTS    800
#define CLOSE     10000 /* points of a locus: where two roots meet they turn by a right angle */
#define SQUARES   240   /* of a picture of regions */
#define BAND      0.015 /* width of the shade at a border, relative to the picture */
#define SAME      1e-9  /* distance of coinciding curves */
#define MAX_DOTS  400
#define MAX_ROOTS (IFBAM_MAX_ROOTS * MAX_DOTS)

#define GROWTH_POINTS 1200
#define LONGEST       4.0 /* angular frequency times step at the right end */
/* Above the limits of stability growth is of the order one. */
#define LOWEST    1e-9
#define HIGHEST   5.0
#define ROUNDING  1e-12
#define FEW_MODES 12   /* all of them have lines; with more, */
#define APART     1.3  /* one per this ratio of frequencies */
#define ROOM      0.09 /* fraction of the axis for a number */

static gboolean
are_close (const double *one, const double *other, gsize n)
{
  gsize same = 0;

  while (same < n && !(fabs (one[same] - other[same]) > SAME))
    same++;
  return same == n;
}

/* Different schemes may have the same polynomial. */
static gboolean
is_duplicate (const IfbamChart *chart, const IfbamCurve *own)
{
  for (guint i = 0; i < chart->curves->len; i++)
    {
      const IfbamCurve *other = ifbam_chart_curve (chart, i);

      if (other != own && own->n > 0 && other->n == own->n
          && g_str_equal (own->y_unit, other->y_unit) && are_close (own->x, other->x, own->n)
          && are_close (own->y, other->y, own->n))
        return TRUE;
    }
  return FALSE;
}

/* Adds a curve of a scheme; only its first has a label. */
static IfbamCurve *
add_curve (IfbamChart *chart, const IfbamStability *stability, const IfbamScheme *scheme,
           gboolean labelled, const double *x, const double *y, gsize n)
{
  guint index = 0, n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);
  const gboolean own = stability != NULL && stability->spec->scheme == scheme;
  g_autofree char *label = g_strconcat (scheme->name, own ? " (the network's)" : NULL, NULL);
  IfbamCurve *curve = ifbam_chart_add (chart, labelled ? label : NULL, x, y, n);

  while (schemes[index] != scheme)
    index++;
  curve->colour = index + 1;
  curve->style = own ? IFBAM_CURVE_STRONG : 0;
  if (chart->kind != IFBAM_CHART_GROWTH && is_duplicate (chart, curve))
    curve->style |= IFBAM_CURVE_DASHED;
  return curve;
}

/* Adds curves of a scheme (transfer full). */
static void
add_curves (IfbamChart *chart, const IfbamStability *stability, const IfbamScheme *scheme,
            IfbamChart *curves)
{
  ifbam_chart_own (chart, curves, (GDestroyNotify) ifbam_chart_free);
  IFBAM_FOREACH (const IfbamCurve, curve, curves->curves)
    add_curve (chart, stability, scheme, curve == ifbam_chart_curve (curves, 0), curve->x, curve->y,
               curve->n);
}

/* Adds dots, if there are any. */
static void
add_dots (IfbamChart *chart, const char *label, const double *x, const double *y, gsize n)
{
  if (n > 0)
    ifbam_chart_add (chart, label, x, y, n)->style = IFBAM_CURVE_NEUTRAL | IFBAM_CURVE_POINTS;
}

/* Sets kind, axes and ranges of a chart of a plane. */
static void
begin_plane (IfbamChart *chart, const char *real_part, IfbamAxisRange x, IfbamAxisRange y)
{
  chart->kind = IFBAM_CHART_PATH;
  chart->x.quantity = real_part;
  chart->y.quantity = "imaginary part";
  chart->x.unit = chart->y.unit = "";
  chart->x.range = ifbam_range_or (chart->x.range, x.from, x.to);
  chart->y.range = ifbam_range_or (chart->y.range, y.from, y.to);
}

/* Lists the network's oscillating modes with their conjugates (at most MAX_DOTS). */
static gsize
network_modes (const IfbamStability *stability, double complex *mode)
{
  gsize n = 0;

  for (gsize i = 0; stability != NULL && i < stability->n_modes && n < MAX_DOTS; i++)
    if (cimag (stability->mode[i]) != 0)
      mode[n++] = stability->mode[i];
  if (stability != NULL && stability->mode == NULL && stability->fastest > 0)
    mode[n++] = I * stability->fastest;
  return n;
}

/* Adds a band on the left of a border, as wide as BAND of the picture's width. */
static void
add_band (IfbamChart *chart, guint colour, const IfbamCurve *border)
{
  const gsize n = border->n;
  const double width = BAND * (chart->x.range.to - chart->x.range.from);
  double *const x = ifbam_chart_numbers (chart, 2 * n), *const y =
                                                            ifbam_chart_numbers (chart, 2 * n);
  IfbamCurve *band = ifbam_chart_add (chart, NULL, x, y, 2 * n);

  for (gsize i = 0; i < n; i++)
    {
      const gsize from = i > 0 ? i - 1 : 0, to = i + 1 < n ? i + 1 : i;
      const double dx = border->x[to] - border->x[from], dy = border->y[to] - border->y[from];
      const double part = width / fmax (hypot (dx, dy), 1e-300);

      x[i] = border->x[i];
      y[i] = border->y[i];
      x[2 * n - 1 - i] = x[i] - part * dy;
      y[2 * n - 1 - i] = y[i] + part * dx;
    }
  band->colour = colour;
  band->style = IFBAM_CURVE_FILLED;
}

void
ifbam_regions_chart (IfbamChart *chart, const IfbamStability *stability)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  g_autofree double complex *mode = g_new (double complex, MAX_DOTS + 1);
  const gsize n_modes = network_modes (stability, mode);
  double *const x = ifbam_chart_numbers (chart, n_modes);
  double *const y = ifbam_chart_numbers (chart, n_modes);
  double *const corner = ifbam_chart_numbers (chart, 6);

  begin_plane (chart, "real part of exponent times step", (IfbamAxisRange){ -4, 3 },
               (IfbamAxisRange){ -3.5, 3.5 });
  for (guint s = 0; s < n; s++)
    {
      IfbamChart *borders =
          ifbam_region_borders (schemes[s], chart->x.range, chart->y.range, SQUARES);

      IFBAM_FOREACH (const IfbamCurve, border, borders->curves)
        if (!chart->text)
          add_band (chart, s + 1, border);
      add_curves (chart, stability, schemes[s], borders);
    }
  for (gsize i = 0; i < n_modes; i++)
    {
      x[i] = creal (mode[i]) * stability->spec->step;
      y[i] = cimag (mode[i]) * stability->spec->step;
    }
  for (guint i = 0; i < 6; i++)
    corner[i] = i < 3 ? chart->x.range.from : chart->y.range.from;
  if (!chart->text) /* an empty ring, for the legend */
    ifbam_chart_add (chart, "shaded: stable side", corner, corner + 3, 3)->style =
        IFBAM_CURVE_NEUTRAL | IFBAM_CURVE_FILLED;
  add_dots (chart, "the network's modes", x, y, n_modes);
}

void
ifbam_roots_chart (IfbamChart *chart, const IfbamStability *stability)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);
  g_autofree double complex *mode = g_new (double complex, MAX_DOTS + 1);
  const gsize n_modes = network_modes (stability, mode);
  double *const x = ifbam_chart_numbers (chart, MAX_ROOTS);
  double *const y = ifbam_chart_numbers (chart, MAX_ROOTS);
  double *const circle = ifbam_chart_numbers (chart, 2 * POINTS);
  gsize n_dots = 0;

  begin_plane (chart, "real part of what a step multiplies by", (IfbamAxisRange){ -1.6, 1.6 },
               (IfbamAxisRange){ -1.6, 1.6 });
  for (gsize i = 0; i < POINTS; i++)
    {
      const double angle = 2 * G_PI * (double) i / (POINTS - 1);

      circle[i] = cos (angle);
      circle[POINTS + i] = sin (angle);
    }
  ifbam_chart_add (chart, "unit circle", circle, circle + POINTS, POINTS)->style =
      IFBAM_CURVE_NEUTRAL;
  for (guint s = 0; s < n_schemes; s++)
    add_curves (chart, stability, schemes[s],
                ifbam_scheme_loci (schemes[s], IFBAM_LOCI_LONGEST, CLOSE));
  for (gsize i = 0; i < n_modes; i++)
    {
      const double step = stability->spec->step;
      double complex root[IFBAM_MAX_ROOTS];
      const int n = ifbam_scheme_roots (stability->spec->scheme, cabs (mode[i]) * step,
                                        -2 * creal (mode[i]) * step, root);

      for (int j = 0; j < n; j++)
        {
          x[n_dots] = creal (root[j]);
          y[n_dots++] = cimag (root[j]);
        }
    }
  add_dots (chart, "the network's modes", x, y, n_dots);
}

/* Two panels, since the quantities have different units. */
void
ifbam_elongation_chart (IfbamChart *chart, const IfbamStability *stability)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);
  double *const x = ifbam_chart_numbers (chart, POINTS);
  double from, to;

  chart->kind = IFBAM_CHART_SWEEP;
  chart->x.range = ifbam_range_or (chart->x.range, 0, IFBAM_ELONGATION_WHOLE);
  chart->x.quantity = "step over period";
  chart->x.unit = "";
  from = chart->x.range.from;
  to = chart->x.range.to;
  for (guint s = 0; s < n_schemes; s++)
    {
      double *const elongation = ifbam_chart_numbers (chart, POINTS);
      double *const damping = ifbam_chart_numbers (chart, POINTS);

      for (gsize i = 0; i < POINTS; i++)
        {
          x[i] = from + (to - from) * ((double) i + 0.5) / POINTS;
          ifbam_scheme_elongation (schemes[s], x[i], &elongation[i], &damping[i]);
          elongation[i] *= 100;
        }
      chart->y.quantity = "elongation of the period";
      chart->y.unit = "%";
      add_curve (chart, stability, schemes[s], TRUE, x, elongation, POINTS);
      chart->y.quantity = "numerical damping ratio";
      chart->y.unit = "";
      add_curve (chart, stability, schemes[s], FALSE, x, damping, POINTS);
    }
}

/* Growth */

static int
compare_modes (gconstpointer a, gconstpointer b)
{
  const double one = cabs (*(const double complex *) a), other = cabs (*(const double complex *) b);

  return (one < other) - (one > other);
}

/* Returns the known oscillating modes, fastest first (GArray of double complex). */
static GArray *
swinging_modes (const IfbamStability *stability)
{
  GArray *modes = g_array_new (FALSE, FALSE, sizeof (double complex));
  const double complex fastest = I * stability->fastest;

  for (gsize i = 0; i < stability->n_modes; i++)
    if (cimag (stability->mode[i]) > 0)
      g_array_append_val (modes, stability->mode[i]);
  if (stability->mode == NULL && stability->fastest > 0)
    g_array_append_val (modes, fastest);
  g_array_sort (modes, compare_modes);
  return modes;
}

/* Returns the left end of the axis: left of the slowest mode. */
static double
shortest (const IfbamStability *stability, const GArray *modes)
{
  double least = 0.05;

  for (guint i = 0; i < modes->len; i++)
    least =
        fmin (least, 0.5 * cabs (g_array_index (modes, double complex, i)) * stability->spec->step);
  return fmax (least, 1e-9);
}

/* Adds growth and decay of a scheme. all: values of the schemes so far (double *). */
static void
add_growth (IfbamChart *chart, const IfbamStability *stability, const IfbamScheme *scheme,
            double shortest, GPtrArray *all)
{
  double *const values = ifbam_chart_numbers (chart, GROWTH_POINTS);
  double *const x = ifbam_chart_numbers (chart, GROWTH_POINTS);
  double *const growth = ifbam_chart_numbers (chart, GROWTH_POINTS);
  double *const decay = ifbam_chart_numbers (chart, GROWTH_POINTS);
  const double from = log (shortest), to = log (LONGEST);
  guint style = 0, n_decays = 0;

  for (guint i = 0; i < GROWTH_POINTS; i++)
    {
      x[i] = exp (from + (to - from) * i / (GROWTH_POINTS - 1));
      values[i] = ifbam_scheme_growth (scheme, x[i]);
      growth[i] = values[i] > ROUNDING ? values[i] : NAN;
      decay[i] = values[i] < -ROUNDING ? -values[i] : NAN;
      n_decays += values[i] < -ROUNDING;
    }
  for (guint i = 0; i < all->len; i++)
    if (are_close (values, all->pdata[i], GROWTH_POINTS))
      style = IFBAM_CURVE_DASHED;
  g_ptr_array_add (all, values);
  add_curve (chart, stability, scheme, TRUE, x, growth, GROWTH_POINTS)->style |= style;
  if (n_decays > 0)
    add_curve (chart, stability, scheme, FALSE, x, decay, GROWTH_POINTS)->style |=
        style | IFBAM_CURVE_DOTTED;
}

/* The network's modes, and their growth per step under its scheme; NaN: none. Those with space for
 * a number come first in number and hertz. */
typedef struct
{
  double *x, *growth;     /* (n) */
  double *number, *hertz; /* (n_numbers) */
  gsize n, n_numbers;
} Marks;

/* width: ratio of the axis' ends. */
static Marks
find_marks (IfbamChart *chart, const IfbamStability *stability, const GArray *modes, double width)
{
  const double step = stability->spec->step;
  Marks marks = { ifbam_chart_numbers (chart, modes->len),
                  ifbam_chart_numbers (chart, modes->len),
                  ifbam_chart_numbers (chart, modes->len),
                  ifbam_chart_numbers (chart, modes->len),
                  0,
                  0 };
  double last = INFINITY;

  for (guint i = 0; i < modes->len; i++)
    {
      const double complex mode = g_array_index (modes, double complex, i);
      const double growth =
          creal (ifbam_stability_seen (stability, stability->spec->scheme, step, mode)) * step;

      if (modes->len > FEW_MODES && cabs (mode) > last / APART)
        continue;
      last = cabs (mode);
      marks.x[marks.n] = last * step;
      if (marks.n_numbers == 0
          || last * step < marks.number[marks.n_numbers - 1] * pow (width, -ROOM))
        {
          marks.number[marks.n_numbers] = last * step;
          marks.hertz[marks.n_numbers++] = cimag (mode) / (2 * G_PI);
        }
      marks.growth[marks.n++] = growth > ROUNDING ? growth : NAN;
    }
  return marks;
}

/* Adds a line for each mode, from bottom to top, with its frequency, and dots at its growth. */
static void
add_marks (IfbamChart *chart, const Marks *marks, const char *scheme)
{
  const double low = chart->y.range.from, high = chart->y.range.to;
  double *const x = ifbam_chart_numbers (chart, 3 * marks->n);
  double *const y = ifbam_chart_numbers (chart, 3 * marks->n);
  double *const top = ifbam_chart_numbers (chart, marks->n);
  g_autofree char *label = g_strdup_printf ("their growth with %s", scheme);
  IfbamCurve *lines;

  for (gsize i = 0; i < marks->n; i++)
    {
      x[3 * i] = x[3 * i + 1] = x[3 * i + 2] = marks->x[i];
      y[3 * i] = low;
      y[3 * i + 1] = high * pow (low / high, 0.08); /* below its number */
      y[3 * i + 2] = NAN;
      top[i] = high * pow (low / high, 0.06);
    }
  if (marks->n == 0)
    return;
  lines = ifbam_chart_add (chart, "modes [Hz]", x, y, 3 * marks->n);
  lines->style = IFBAM_CURVE_NEUTRAL;
  lines->n_marks = marks->n_numbers;
  lines->mark_x = marks->number;
  lines->mark_y = top;
  lines->mark_number = marks->hertz;
  add_dots (chart, label, marks->x, marks->growth, marks->n);
}

void
ifbam_growth_chart (IfbamChart *chart, const IfbamStability *stability)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  g_autoptr (GArray) modes = swinging_modes (stability);
  const double left = shortest (stability, modes);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  double lowest = LOWEST;
  Marks marks;

  chart->kind = IFBAM_CHART_GROWTH;
  chart->x.log = chart->y.log = TRUE;
  chart->x.quantity = "angular frequency times step";
  chart->y.quantity = "growth per step, ln |z| (dotted: decay)";
  chart->x.unit = chart->y.unit = "";
  for (guint i = 0; i < n; i++)
    add_growth (chart, stability, schemes[i], left, all);
  chart->x.range = ifbam_range_or (chart->x.range, left, LONGEST);
  marks = find_marks (chart, stability, modes, chart->x.range.to / chart->x.range.from);
  for (gsize i = 0; i < marks.n; i++)
    lowest = fmin (lowest, isnan (marks.growth[i]) ? lowest : 0.3 * marks.growth[i]);
  if (!(chart->y.range.from > 0)) /* below the axis */
    chart->y.range.from = fmax (lowest, ROUNDING);
  chart->y.range = ifbam_range_or (chart->y.range, NAN, HIGHEST);
  add_marks (chart, &marks, stability->spec->scheme->name);
}
