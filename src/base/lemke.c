/* lemke.c: linear complementarity problems by Lemke's method
 *
 * The table has basic unknowns as affine functions of the others. A variable z0, by which all w grow, makes a start
 * of any q; each pivot lets the partner of what has become 0 grow, until z0 is 0 (Lemke 1965; Cottle, Pang & Stone
 * 1992, 4.4).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/lemke.h"

#include <math.h>
#include <stdlib.h>

/* A pivot below this part of the largest entry of its column, or of 1, is rounding. */
#define PIVOT 1e-10

/* So little of the largest q is left of it by rounding. */
#define ROUNDING 1e-14

/* So many pivots for each unknown, and it ends. */
#define MOST 64

typedef struct
{
  double *table; /* (n)(width) */
  uint32_t n, width;
  uint32_t *basic, *outer; /* w_i: i; z_i: n + i; z0: 2 n (n), (n + 1) */
} Lemke;

static double *
row_of (const Lemke *lemke, uint32_t row)
{
  return lemke->table + (uintptr_t) row * lemke->width;
}

/* What is basic in a row and what is not in a column change places. */
static void
exchange (Lemke *lemke, uint32_t row, uint32_t column)
{
  double *own = row_of (lemke, row);
  const double inverse = 1 / own[column];
  const uint32_t name = lemke->basic[row];

  for (uint32_t k = 0; k < lemke->width; k++)
    own[k] *= -inverse;
  own[column] = inverse;
  for (uint32_t i = 0; i < lemke->n; i++)
    {
      double *other = row_of (lemke, i);
      const double part = other[column];

      if (i == row || part == 0)
        continue;
      for (uint32_t k = 0; k < lemke->width; k++)
        other[k] += part * own[k];
      other[column] = part * inverse;
    }
  lemke->basic[row] = lemke->outer[column];
  lemke->outer[column] = name;
}

/* Unknowns of either sign become basic, those first that stand out most; what is left of them is redundant. */
static void
free_unknowns (Lemke *lemke, uint32_t n_free)
{
  for (uint32_t turn = 0; turn < n_free; turn++)
    {
      uint32_t best = n_free;
      double most = PIVOT;

      for (uint32_t i = 0; i < n_free; i++)
        if (lemke->basic[i] == i && fabs (row_of (lemke, i)[i]) > most)
          {
            most = fabs (row_of (lemke, i)[i]);
            best = i;
          }
      if (best == n_free)
        break;
      exchange (lemke, best, best);
    }
  /* They have had their say: their w are 0. */
  for (uint32_t i = 0; i < lemke->n; i++)
    for (uint32_t k = 0; k < n_free; k++)
      row_of (lemke, i)[k] = 0;
}

/* The row whose unknown is 0 first when a column's grows; n: none. z0 goes first. */
static uint32_t
first_to_vanish (const Lemke *lemke, uint32_t n_free, uint32_t column)
{
  uint32_t best = lemke->n;
  double least = INFINITY, largest = 1;

  for (uint32_t i = n_free; i < lemke->n; i++)
    largest = fmax (largest, fabs (row_of (lemke, i)[column]));
  for (uint32_t i = n_free; i < lemke->n; i++)
    {
      const double *row = row_of (lemke, i);
      const double length = fmax (row[lemke->width - 1], 0) / -row[column];

      if (row[column] >= -PIVOT * largest)
        continue;
      if (length < least || (length == least && lemke->basic[i] == 2 * lemke->n))
        {
          least = length;
          best = i;
        }
    }
  return best;
}

/* What z0 still is. */
static double
rest_of (const Lemke *lemke)
{
  double rest = 0;

  for (uint32_t i = 0; i < lemke->n; i++)
    if (lemke->basic[i] == 2 * lemke->n)
      rest = fabs (row_of (lemke, i)[lemke->n + 1]);
  return rest;
}

/* Lets z0 come in, and partners one after the other. */
static int
follow (Lemke *lemke, uint32_t n_free, const double *cover, int (*goes_on) (void *data), void *data)
{
  const uint32_t n = lemke->n;
  uint32_t row = n, column = n;
  double least = 0, largest = 0;

  for (uint32_t i = n_free; i < n; i++)
    {
      const double q = row_of (lemke, i)[n + 1] / cover[i];

      largest = fmax (largest, fabs (q));

      row_of (lemke, i)[n] = cover[i];
      if (q < least)
        {
          least = q;
          row = i;
        }
    }
  for (uint32_t i = 0; i < n_free; i++)
    row_of (lemke, i)[n] = 0;
  if (row == n)
    return 1; /* nothing has to act */
  for (uint64_t turn = 0; turn < (uint64_t) MOST * n && (goes_on == NULL || goes_on (data)); turn++)
    {
      const uint32_t left = lemke->basic[row];
      const uint32_t partner = left < n ? n + left : left - n;

      exchange (lemke, row, column);
      if (left == 2 * n || rest_of (lemke) <= ROUNDING * largest)
        return 1;
      for (column = n_free; column <= n && lemke->outer[column] != partner;)
        column++;
      if (column > n)
        return 0;
      row = first_to_vanish (lemke, n_free, column);
      if (row == n)
        return 0;
    }
  return 0;
}

int
ifbam_lemke (double *table, uint32_t n, uint32_t n_free, const double *cover, uint8_t *acts,
             int (*goes_on) (void *data), void *data)
{
  uint32_t *names = n == 0 ? NULL : malloc ((2 * (uintptr_t) n + 1) * sizeof *names);
  Lemke lemke = { table, n, n + 2, names, names + n };
  int found;

  if (names == NULL)
    return n == 0;
  for (uint32_t i = 0; i < n; i++)
    {
      lemke.basic[i] = i;
      lemke.outer[i] = n + i;
      row_of (&lemke, i)[n] = 0;
      acts[i] = 0;
    }
  lemke.outer[n] = 2 * n;
  free_unknowns (&lemke, n_free);
  found = follow (&lemke, n_free, cover, goes_on, data);
  for (uint32_t i = 0; i < n; i++)
    if (lemke.basic[i] >= n && lemke.basic[i] < 2 * n)
      acts[lemke.basic[i] - n] = 1;
  free (names);
  return found;
}
