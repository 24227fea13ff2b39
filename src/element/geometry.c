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

/* delta = x: one node against the world */
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

/* delta = x_left - ratio x_right - rest */
static void
shape_tie (const double *law, const double *left, const double *right, double *shape)
{
  shape_ratio (law, left, right, shape);
  shape[1] = NAN;
}

static void
measure_tie (const double *shape, const double *position, const double *rate, double *delta,
             double *row)
{
  measure_ratio (shape, position, rate, delta, row);
  *delta -= shape[1];
}

static gboolean
settle_tie (double *shape, const double *position)
{
  if (!isnan (shape[1]))
    return FALSE;
  if (position != NULL)
    shape[1] = position[0] - shape[0] * position[1];
  return TRUE;
}

const IfbamGeometry ifbam_tie = { .name = "ratio",
                                  .shape = shape_tie,
                                  .n_ports = 2,
                                  .settle = settle_tie,
                                  .keeps = "my ends in step",
                                  .measure = measure_tie };

/* delta = ratio x_left - x_right - rest, of the right end's unit */
static void
measure_multiple (const double *shape, const double *position, const double *rate, double *delta,
                  double *row)
{
  (void) rate;
  *delta = shape[0] * position[0] - position[1] - shape[1];
  row[0] = shape[0];
  row[1] = -1;
}

static gboolean
settle_multiple (double *shape, const double *position)
{
  if (!isnan (shape[1]))
    return FALSE;
  if (position != NULL)
    shape[1] = shape[0] * position[0] - position[1];
  return TRUE;
}

const IfbamGeometry ifbam_multiple = { .name = "multiple",
                                       .shape = shape_tie,
                                       .n_ports = 2,
                                       .settle = settle_multiple,
                                       .keeps = "my ends in step",
                                       .measure = measure_multiple };

/* delta = sum of row_e x_e - rest. Shape: the row, at RATIO_REST the rest, at RATIO_PORTS its length. */
enum
{
  RATIO_REST = IFBAM_MAX_PORTS,
  RATIO_PORTS,
};

static void
measure_combination (const double *shape, const double *position, const double *rate, double *delta,
                     double *row)
{
  (void) rate;
  *delta = 0;
  for (guint e = 0; e < (guint) shape[RATIO_PORTS]; e++)
    {
      row[e] = shape[e];
      *delta += row[e] * position[e];
    }
  *delta -= shape[RATIO_REST];
}

static gboolean
settle_combination (double *shape, const double *position)
{
  double row[IFBAM_MAX_PORTS], rest;

  if (!isnan (shape[RATIO_REST]))
    return FALSE;
  if (position != NULL)
    {
      shape[RATIO_REST] = 0;
      measure_combination (shape, position, NULL, &rest, row);
      shape[RATIO_REST] = rest;
    }
  return TRUE;
}

/* Ports: sun, carrier, ring. */
static void
shape_planet (const double *law, const double *left, const double *right, double *shape)
{
  (void) left;
  (void) right;
  shape[0] = 1;
  shape[1] = -(1 + law[0]);
  shape[2] = law[0];
  shape[RATIO_REST] = NAN;
  shape[RATIO_PORTS] = 3;
}

const IfbamGeometry ifbam_planet = { .name = "ratio",
                                     .shape = shape_planet,
                                     .n_ports = 3,
                                     .settle = settle_combination,
                                     .measure = measure_combination };

/* Ports: the pair whose difference is `ratio` times that of the other pair, which follows. */
static void
shape_pairs (const double *law, const double *left, const double *right, double *shape)
{
  (void) left;
  (void) right;
  shape[0] = 1;
  shape[1] = -1;
  shape[2] = -law[0];
  shape[3] = law[0];
  shape[RATIO_REST] = NAN;
  shape[RATIO_PORTS] = 4;
}

const IfbamGeometry ifbam_pairs = { .name = "ratio",
                                    .shape = shape_pairs,
                                    .n_ports = 4,
                                    .settle = settle_combination,
                                    .measure = measure_combination };

/* delta = x_left - x_right + sign x_own - rest; ports: left, right, own */
static void
shape_between (const double *law, const double *left, const double *right, double *shape)
{
  (void) law;
  (void) left;
  (void) right;
  shape[0] = NAN;
}

static void
measure_between (const double *shape, const double *position, double sign, double *delta,
                 double *row)
{
  row[0] = 1;
  row[1] = -1;
  row[2] = sign;
  *delta = position[0] - position[1] + sign * position[2] - shape[0];
}

static void
measure_apart (const double *shape, const double *position, const double *rate, double *delta,
               double *row)
{
  (void) rate;
  measure_between (shape, position, 1, delta, row);
}

static void
measure_together (const double *shape, const double *position, const double *rate, double *delta,
                  double *row)
{
  (void) rate;
  measure_between (shape, position, -1, delta, row);
}

static gboolean
settle_between (double *shape, const double *position, double sign)
{
  double row[3];

  if (!isnan (shape[0]))
    return FALSE;
  if (position != NULL)
    {
      shape[0] = 0;
      measure_between (shape, position, sign, &shape[0], row);
    }
  return TRUE;
}

static gboolean
settle_apart (double *shape, const double *position)
{
  return settle_between (shape, position, 1);
}

static gboolean
settle_together (double *shape, const double *position)
{
  return settle_between (shape, position, -1);
}

const IfbamGeometry ifbam_apart = { .name = "distance",
                                    .shape = shape_between,
                                    .n_ports = 3,
                                    .settle = settle_apart,
                                    .keeps = "the distance of my ends as my own place says",
                                    .measure = measure_apart };

const IfbamGeometry ifbam_together = { .name = "difference",
                                       .shape = shape_between,
                                       .n_ports = 3,
                                       .settle = settle_together,
                                       .keeps = "the difference of my ends as my own place says",
                                       .measure = measure_together };

/* delta = x_pad, which is pressed on where the others rub against each other; ports: left, right, pad */
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
measure_rubbing (const double *shape, const double *position, const double *rate, double *delta,
                 double *row)
{
  measure_difference (shape, position, rate, delta, row);
  row[2] = row[3] = 0;
}

const IfbamGeometry ifbam_rubbing = { .name = "difference",
                                      .n_ports = 3,
                                      .measure = measure_rubbing };

const IfbamGeometry ifbam_pad = {
  .name = "pad", .n_ports = 3, .measure = measure_pad, .along = &ifbam_rubbing
};

/* delta = x_plus - x_minus of what controls, and what ports get of the force: a voltage that a current follows has its
 * nodes, and the current has its own. */
enum
{
  TRANSFER_PORTS,
  TRANSFER_HEARD,
  TRANSFER_PULL = TRANSFER_HEARD + IFBAM_TRANSFER_PORTS,
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
      shape[(k < 2 ? TRANSFER_PULL : TRANSFER_HEARD) + e] += k % 2 == 0 ? 1 : -1;
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
      row[e] = shape[TRANSFER_HEARD + e];
      *delta += row[e] * position[e];
    }
}

static void
pull_transfer (const double *shape, double *row)
{
  const guint n = (guint) shape[TRANSFER_PORTS];

  for (guint e = 0; e < n; e++)
    row[e] = shape[TRANSFER_PULL + e];
}

const IfbamGeometry ifbam_transfer = {
  .name = "transfer", .n_ports = 2, .measure = measure_transfer, .pull = pull_transfer
};
