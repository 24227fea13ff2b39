/* geometry.c: geometries of nodes on a line
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/geometry.h"

#include <math.h>
#include <string.h>

/* delta = x_left - x_right (Grabysz 1994, eq. 4.3) */
static void
measure_difference (const double *shape, const double *position, const double *rate, double *delta,
                    double *row)
{
  (void) shape;
  (void) rate;
  *delta = position[0] - position[1];
  row[0] = 1;
  row[1] = -1;
}

const IfbamGeometry ifbam_difference = {
  .name = "difference", .n_ports = 2, .straight = TRUE, .measure = measure_difference
};

/* delta = x of one node */
static void
measure_point (const double *shape, const double *position, const double *rate, double *delta,
               double *row)
{
  (void) shape;
  (void) rate;
  *delta = position[0];
  row[0] = 1;
}

const IfbamGeometry ifbam_point = { .name = "point", .n_ports = 1, .measure = measure_point };

/* delta = x_left - ratio x_right */
static void
shape_ratio (const double *law, const double *left, const double *right, double *shape)
{
  (void) left;
  (void) right;
  shape[0] = law[0];
}

static void
measure_ratio (const double *shape, const double *position, const double *rate, double *delta,
               double *row)
{
  (void) rate;
  *delta = position[0] - shape[0] * position[1];
  row[0] = 1;
  row[1] = -shape[0];
}

const IfbamGeometry ifbam_ratio = {
  .name = "ratio", .shape = shape_ratio, .n_ports = 2, .scaled = TRUE, .measure = measure_ratio
};

/* Linear combinations: delta = sum of row_e x_e - rest */

/* Shape: the row, the rest (NaN: not yet set), the count of ports. */
enum
{
  COMBINATION_REST = IFBAM_MAX_PORTS,
  COMBINATION_PORTS,
};

void
ifbam_combination_set (double *shape, guint n, const double *row)
{
  memcpy (shape, row, n * sizeof *row);
  shape[COMBINATION_REST] = NAN;
  shape[COMBINATION_PORTS] = n;
}

void
ifbam_combination_measure (const double *shape, const double *position, const double *rate,
                           double *delta, double *row)
{
  double sum = shape[0] * position[0];

  (void) rate;
  row[0] = shape[0];
  for (guint e = 1; e < (guint) shape[COMBINATION_PORTS]; e++)
    {
      row[e] = shape[e];
      sum += row[e] * position[e];
    }
  *delta = sum - shape[COMBINATION_REST];
}

gboolean
ifbam_combination_fill (double *shape, const double *position)
{
  double row[IFBAM_MAX_PORTS];

  if (!isnan (shape[COMBINATION_REST]))
    return FALSE;
  if (position != NULL)
    {
      shape[COMBINATION_REST] = 0;
      ifbam_combination_measure (shape, position, NULL, &shape[COMBINATION_REST], row);
    }
  return TRUE;
}

/* words: constraint_text, or NULL; then the row, which may contain `ratio`, the first parameter. */
#define COMBINATION(of, title, words, n, ...)                                                      \
  static void shape_##of (const double *law, const double *left, const double *right,              \
                          double *shape)                                                           \
  {                                                                                                \
    const double ratio = law[0], row[] = { __VA_ARGS__ };                                          \
                                                                                                   \
    (void) left;                                                                                   \
    (void) right;                                                                                  \
    (void) ratio;                                                                                  \
    ifbam_combination_set (shape, n, row);                                                         \
  }                                                                                                \
                                                                                                   \
  const IfbamGeometry ifbam_##of = IFBAM_COMBINATION (title, n, shape_##of, words);

COMBINATION (ratio_constraint, "ratio", "my ends in step", 2, 1, -ratio)
/* delta has the right end's unit. */
COMBINATION (multiple, "multiple", "my ends in step", 2, ratio, -1)
/* Ports: sun, carrier, ring. */
COMBINATION (planet, "ratio", NULL, 3, 1, -(1 + ratio), ratio)
/* Ports: two pairs; the difference of the first is `ratio` times that of the second. */
COMBINATION (pairs, "ratio", NULL, 4, 1, -1, -ratio, ratio)
/* Ports: left, right, the branch. */
COMBINATION (branch_distance, "distance", "the distance of my ends at my own position", 3, 1, -1, 1)
COMBINATION (branch_difference, "difference", "the difference of my ends at my own position", 3, 1,
             -1, -1)

/* The law has IFBAM_MAX_PORTS factors; ports end before the first 0. */
static void
shape_sum (const double *law, const double *left, const double *right, double *shape)
{
  guint n = 0;

  (void) left, (void) right;
  while (n < IFBAM_MAX_PORTS && law[n] != 0)
    n++;
  ifbam_combination_set (shape, n, law);
}

const IfbamGeometry ifbam_weighted_sum =
    IFBAM_COMBINATION ("sum", 0, shape_sum, "the sum of my terms");

/* A brake's pad: delta = x_pad. Ports: left, right, pad. */
static void
measure_pad (const double *shape, const double *position, const double *rate, double *delta,
             double *row)
{
  (void) shape;
  (void) rate;
  *delta = position[2];
  row[0] = row[1] = 0;
  row[2] = 1;
}

static void
measure_pad_slip (const double *shape, const double *position, const double *rate, double *delta,
                  double *row)
{
  measure_difference (shape, position, rate, delta, row);
  row[2] = row[3] = 0;
}

const IfbamGeometry ifbam_pad_slip = { .name = "difference",
                                       .n_ports = 3,
                                       .measure = measure_pad_slip };

const IfbamGeometry ifbam_pad = {
  .name = "pad", .n_ports = 3, .measure = measure_pad, .slip = &ifbam_pad_slip
};

/* Shape: count of ports, row of the inputs, force direction. */
enum
{
  TRANSFER_PORTS,
  TRANSFER_INPUT,
  TRANSFER_FORCE = TRANSFER_INPUT + IFBAM_TRANSFER_PORTS,
};

guint
ifbam_transfer_join (const guint32 *nodes, guint32 none, guint32 *ports, double *shape)
{
  guint n = 0;

  memset (shape, 0, IFBAM_MAX_SHAPE * sizeof *shape);
  for (guint k = 0; k < 4; k++)
    {
      guint e = 0;

      if (nodes[k] == none)
        continue;
      while (e < n && ports[e] != nodes[k])
        e++;
      n = MAX (n, e + 1);
      ports[e] = nodes[k];
      shape[(k < 2 ? TRANSFER_FORCE : TRANSFER_INPUT) + e] += k % 2 == 0 ? 1 : -1;
    }
  shape[TRANSFER_PORTS] = n;
  return n;
}

static void
measure_transfer (const double *shape, const double *position, const double *rate, double *delta,
                  double *row)
{
  const guint n = (guint) shape[TRANSFER_PORTS];

  (void) rate;
  *delta = 0;
  for (guint e = 0; e < n; e++)
    {
      row[e] = shape[TRANSFER_INPUT + e];
      *delta += row[e] * position[e];
    }
}

static void
transfer_force_direction (const double *shape, double *row)
{
  const guint n = (guint) shape[TRANSFER_PORTS];

  for (guint e = 0; e < n; e++)
    row[e] = shape[TRANSFER_FORCE + e];
}

const IfbamGeometry ifbam_transfer = { .name = "transfer",
                                       .n_ports = 2,
                                       .measure = measure_transfer,
                                       .force_direction = transfer_force_direction };
