/* stability-region.c: regions of absolute stability of a scheme in the complex plane
 *
 * Growth is evaluated at the corners of small squares. The border crosses each side on which its
 * sign changes; a square's crossings are joined (Lorensen & Cline 1987, in the plane).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/stability-region.h"

#include <math.h>

#include "linear/linear.h"

#define SQUARES 160  /* in each direction: no corner is on an axis of a symmetric picture */
#define NEAR    1e-8 /* tolerance of a crossing, relative to a side */
#define BESIDE  0.1  /* of a square: distance from the border at which sides are distinguished */

typedef struct
{
  double x, y;
  gsize fellow[2]; /* neighbouring crossings on the border, + 1; 0: none */
  gboolean used;
} Crossing;

typedef struct
{
  const IfbamScheme *scheme;
  gsize squares;              /* in each direction */
  double x, y, width, height; /* lower left corner, and a square */
  double *growth;             /* at the corners [(squares + 1)^2] */
  gsize *right, *up;          /* for each corner: the crossing on that side, + 1; 0: none */
  GArray *crossings;          /* Crossing */
} Grid;

static double
growth_at (const IfbamScheme *scheme, double x, double y)
{
  return ifbam_scheme_growth_damped (scheme, hypot (x, y), -2.0 * x, NULL);
}

static gsize
corner (const Grid *grid, gsize i, gsize j)
{
  return j * (grid->squares + 1) + i;
}

/* Returns the crossing between a corner and the next one to the right or above, + 1; 0: none. */
static gsize
find_crossing (Grid *grid, gsize i, gsize j, gboolean upwards)
{
  const double one = grid->growth[corner (grid, i, j)];
  const double other = grid->growth[upwards ? corner (grid, i, j + 1) : corner (grid, i + 1, j)];
  const double x = grid->x + (double) i * grid->width, y = grid->y + (double) j * grid->height;
  double from = 0, to = 1, low = one, high = other, at = 0.5;
  int side = 0; /* of the last value: 1 or -1 */
  Crossing crossing = { 0 };

  if ((one > 0) == (other > 0))
    return 0;
  /* Intersection of the chord, with half the value of an end that stayed (Illinois; Dowell &
   * Jarratt 1971); each third time the middle, for convergence at bends and steps. */
  for (guint k = 1; to - from > NEAR; k++)
    {
      const double chord = from - low * (to - from) / (high - low);
      double value;
      int now;

      at = k % 3 != 0 && chord > from && chord < to ? chord : 0.5 * (from + to);
      value = growth_at (grid->scheme, x + (upwards ? 0 : at * grid->width),
                         y + (upwards ? at * grid->height : 0));
      now = (value > 0) == (one > 0) ? 1 : -1;
      if (now > 0)
        {
          from = at;
          low = value;
          high *= side == now ? 0.5 : 1;
        }
      else
        {
          to = at;
          high = value;
          low *= side == now ? 0.5 : 1;
        }
      side = now;
    }
  crossing.x = x + (upwards ? 0 : at * grid->width);
  crossing.y = y + (upwards ? at * grid->height : 0);
  g_array_append_val (grid->crossings, crossing);
  return grid->crossings->len;
}

static void
join (const Grid *grid, gsize one, gsize other)
{
  Crossing *a = &g_array_index (grid->crossings, Crossing, one - 1);
  Crossing *b = &g_array_index (grid->crossings, Crossing, other - 1);

  a->fellow[a->fellow[0] != 0] = other;
  b->fellow[b->fellow[0] != 0] = one;
}

/* Joins two crossings; of four, those beside the corner that differs from the middle. */
static void
join_square (const Grid *grid, gsize i, gsize j)
{
  const gsize bottom = grid->right[corner (grid, i, j)], top = grid->right[corner (grid, i, j + 1)];
  const gsize left = grid->up[corner (grid, i, j)], right = grid->up[corner (grid, i + 1, j)];
  const gsize side[] = { bottom, left, top, right };
  gsize found[4];
  guint n = 0;

  for (guint k = 0; k < G_N_ELEMENTS (side); k++)
    if (side[k] != 0)
      found[n++] = side[k];
  if (n == 2)
    join (grid, found[0], found[1]);
  else if (n == 4)
    {
      const double middle = growth_at (grid->scheme, grid->x + ((double) i + 0.5) * grid->width,
                                       grid->y + ((double) j + 0.5) * grid->height);
      const gboolean apart = (grid->growth[corner (grid, i, j)] > 0) != (middle > 0);

      join (grid, bottom, apart ? left : right);
      join (grid, top, apart ? right : left);
    }
}

static void
reverse (double *values, gsize n)
{
  for (gsize i = 0; i < n / 2; i++)
    {
      const double last = values[n - 1 - i];

      values[n - 1 - i] = values[i];
      values[i] = last;
    }
}

/* TRUE if the stable side is on the left of a border, before its point i. */
static gboolean
is_left_stable (const Grid *grid, const double *x, const double *y, gsize i)
{
  const double dx = x[i] - x[i - 1], dy = y[i] - y[i - 1];
  const double reach = BESIDE * fmin (grid->width, grid->height) / fmax (hypot (dx, dy), 1e-300);

  return growth_at (grid->scheme, 0.5 * (x[i] + x[i - 1]) - reach * dy,
                    0.5 * (y[i] + y[i - 1]) + reach * dx)
         <= 0;
}

/* Adds a border from a crossing on (its end, or on a ring); the stable side is on its left. */
static void
follow (const Grid *grid, IfbamChart *chart, gsize first)
{
  g_autoptr (GArray) way = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize next = first;
  double *x, *y;

  while (next != 0)
    {
      Crossing *here = &g_array_index (grid->crossings, Crossing, next - 1);
      gsize beyond = 0;

      here->used = TRUE;
      g_array_append_val (way, next);
      for (guint k = 0; k < 2; k++)
        if (here->fellow[k] != 0
            && !g_array_index (grid->crossings, Crossing, here->fellow[k] - 1).used)
          beyond = here->fellow[k];
      /* A ring ends where it began. */
      if (beyond == 0 && way->len > 2 && (here->fellow[0] == first || here->fellow[1] == first))
        g_array_append_val (way, first);
      next = beyond;
    }
  x = ifbam_chart_numbers (chart, way->len);
  y = ifbam_chart_numbers (chart, way->len);
  for (gsize i = 0; i < way->len; i++)
    {
      const Crossing *crossing =
          &g_array_index (grid->crossings, Crossing, g_array_index (way, gsize, i) - 1);

      x[i] = crossing->x;
      y[i] = crossing->y;
    }
  if (way->len > 1 && !is_left_stable (grid, x, y, way->len / 2))
    {
      reverse (x, way->len);
      reverse (y, way->len);
    }
  ifbam_chart_add (chart, NULL, x, y, way->len);
}

/* Ends first, then rings. */
static IfbamChart *
follow_all (const Grid *grid)
{
  IfbamChart *chart = ifbam_chart_new (IFBAM_CHART_PATH);

  for (guint rings = 0; rings < 2; rings++)
    for (gsize c = 0; c < grid->crossings->len; c++)
      {
        const Crossing *crossing = &g_array_index (grid->crossings, Crossing, c);

        if (!crossing->used && crossing->fellow[0] != 0 && (rings || crossing->fellow[1] == 0))
          follow (grid, chart, c + 1);
      }
  return chart;
}

IfbamChart *
ifbam_region_borders (const IfbamScheme *scheme, IfbamAxisRange x, IfbamAxisRange y, gsize squares)
{
  const gsize n = (squares + 1) * (squares + 1);
  g_autofree double *growth = g_new (double, n);
  g_autofree gsize *right = g_new0 (gsize, n), *up = g_new0 (gsize, n);
  g_autoptr (GArray) crossings = g_array_new (FALSE, FALSE, sizeof (Crossing));
  /* Shifts corners by an irrational fraction of a square: growth may be 0 along an axis. */
  const double aside = 0.381966011250105;
  /* Conjugate points have equal growth, if both are in the picture. */
  const gboolean mirrored = y.from == -y.to && squares % 2 == 0;
  Grid grid = { .scheme = scheme,
                .squares = squares,
                .width = (x.to - x.from) / (double) squares,
                .height = (y.to - y.from) / (double) squares,
                .growth = growth,
                .right = right,
                .up = up,
                .crossings = crossings };

  grid.x = x.from - aside * grid.width;
  grid.y = y.from - (mirrored ? 0.5 : aside) * grid.height;
  for (gsize j = 0; j <= squares; j++)
    for (gsize i = 0; i <= squares; i++)
      growth[corner (&grid, i, j)] = mirrored && j > squares / 2
                                         ? growth[corner (&grid, i, squares + 1 - j)]
                                         : growth_at (scheme, grid.x + (double) i * grid.width,
                                                      grid.y + (double) j * grid.height);
  for (gsize j = 0; j <= squares; j++)
    for (gsize i = 0; i <= squares; i++)
      {
        if (i < squares)
          right[corner (&grid, i, j)] = find_crossing (&grid, i, j, FALSE);
        if (j < squares)
          up[corner (&grid, i, j)] = find_crossing (&grid, i, j, TRUE);
      }
  for (gsize j = 0; j < squares; j++)
    for (gsize i = 0; i < squares; i++)
      join_square (&grid, i, j);
  return follow_all (&grid);
}
