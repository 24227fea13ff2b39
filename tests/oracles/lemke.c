/* lemke.c: linear complementarity problems by Lemke's method
 *
 * The table has basic unknowns as affine functions of the others. A variable z0, by which all w grow, makes a start
 * of any q; each pivot increases the partner of the variable that became 0, until z0 is 0 (Lemke 1965; Cottle, Pang & Stone
 * 1992, 4.4). Values have a second, infinitesimal part, and a last one that leaves no ties: the method is linear in q, so
 * that it works in any ordered field. Heaps have many redundant rows: the table has additional digits to distinguish 0
 * from rounding.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lemke.h"

#include <math.h>
#include <stdlib.h>

/* A pivot below this part of the largest entry of its column, or of 1, is rounding. */
#define PIVOT 1e-7

/* Unknowns of either sign, with pivots of their own. */
#define FREE_PIVOT 1e-10

/* Differences below this fraction of the level's largest value are ties, which the next level decides. The scale of the
 * first level is the given q; the second level may have larger values. */
static const long double tie[IFBAM_LEVELS] = { 1e-12L, 1e-9L };

/* So many pivots for each unknown, and it ends. */
#define MOST 64

/* Multiples of it lie apart: a last level of such numbers leaves no tie. */
#define SILVER 0.4142135623730950

typedef struct
{
  long double *table; /* (n)(width) */
  uint32_t n, width, levels;
  uint32_t *at;                      /* rows or columns that are looked at (width) */
  uint32_t *basic, *outer;           /* w_i: i; z_i: n + i; z0: 2 n (n), (n + 1) */
  long double tie[IFBAM_LEVELS + 1]; /* entries outside each level's q */
} Lemke;

static long double *
row_of (const Lemke *lemke, uint32_t row)
{
  return lemke->table + (uintptr_t) row * lemke->width;
}

/* The level of a row's unknown, or of its partner. */
static long double *
value_of (const Lemke *lemke, uint32_t row)
{
  return row_of (lemke, row) + lemke->n + 1;
}

/* Whether a / a_length is less than b / b_length on so many levels: 1; more: -1; there is no telling: 0. */
static int
compare (const Lemke *lemke, uint32_t levels, const long double *a, long double a_length,
         const long double *b, long double b_length)
{
  for (uint32_t k = 0; k < levels; k++)
    {
      const long double less = b[k] / b_length - a[k] / a_length;

      if (fabsl (less) > lemke->tie[k])
        return less > 0 ? 1 : -1;
    }
  return 0;
}

/* Exchanges a row's basic variable and a column's nonbasic one. */
static void
exchange (Lemke *lemke, uint32_t row, uint32_t column)
{
  long double *own = row_of (lemke, row);
  const long double inverse = 1 / own[column];
  const uint32_t name = lemke->basic[row];
  uint32_t *at = lemke->at, n = 0;

  for (uint32_t k = 0; k < lemke->width; k++)
    if (own[k] != 0)
      {
        own[k] *= -inverse;
        at[n++] = k;
      }
  own[column] = inverse;
  for (uint32_t i = 0; i < lemke->n; i++)
    {
      long double *other = row_of (lemke, i);
      const long double part = other[column];

      if (i == row || part == 0)
        continue;
      for (uint32_t k = 0; k < n; k++)
        other[at[k]] += part * own[at[k]];
      other[column] = part * inverse;
    }
  lemke->basic[row] = lemke->outer[column];
  lemke->outer[column] = name;
}

/* Makes unknowns of either sign basic, in order of their pivots' size; the remaining ones are redundant. */
static void
free_unknowns (Lemke *lemke, uint32_t n_free)
{
  for (uint32_t turn = 0; turn < n_free; turn++)
    {
      uint32_t best = n_free;
      long double most = FREE_PIVOT;

      for (uint32_t i = 0; i < n_free; i++)
        if (lemke->basic[i] == i && fabsl (row_of (lemke, i)[i]) > most)
          {
            most = fabsl (row_of (lemke, i)[i]);
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

/* How fast a row's unknown falls when a column's grows. */
static long double
fall_of (const Lemke *lemke, uint32_t row, uint32_t column)
{
  return -row_of (lemke, row)[column];
}

/* Of rows that fall (`at`, n): those that are 0 first on a level, all within rounding of the values, not of the quotients, which
 * is larger where they fall slowly (Harris 1973). Returns how many. */
static uint32_t
keep_first (const Lemke *lemke, uint32_t column, uint32_t level, uint32_t *at, uint32_t n)
{
  const long double rounding = lemke->tie[level];
  long double first = INFINITY;
  uint32_t kept = 0;

  for (uint32_t k = 0; k < n; k++)
    first =
        fminl (first, (value_of (lemke, at[k])[level] + rounding) / fall_of (lemke, at[k], column));
  for (uint32_t k = 0; k < n; k++)
    if (value_of (lemke, at[k])[level] / fall_of (lemke, at[k], column) <= first)
      at[kept++] = at[k];
  return kept;
}

/* The row with the first unknown that reaches 0 as a column's grows; n: none. z0 is first if only the last level decides. */
static uint32_t
first_to_vanish (const Lemke *lemke, uint32_t n_free, uint32_t column)
{
  uint32_t *at = lemke->at, n = 0, best = lemke->n;
  long double largest = 1;

  for (uint32_t i = n_free; i < lemke->n; i++)
    largest = fmaxl (largest, fabsl (row_of (lemke, i)[column]));
  for (uint32_t i = n_free; i < lemke->n; i++)
    if (fall_of (lemke, i, column) > PIVOT * largest)
      at[n++] = i;
  for (uint32_t level = 0; level < lemke->levels; level++)
    n = keep_first (lemke, column, level, at, n);
  for (uint32_t k = 0; k < n; k++)
    if (lemke->basic[at[k]] == 2 * lemke->n)
      return at[k];
  n = keep_first (lemke, column, lemke->levels, at, n);
  for (uint32_t k = 0; k < n; k++)
    if (best == lemke->n || fall_of (lemke, at[k], column) > fall_of (lemke, best, column))
      best = at[k];
  return best;
}

/* Whether nothing is left of z0. */
static int
is_done (const Lemke *lemke)
{
  const long double none[IFBAM_LEVELS + 1] = { 0 };

  for (uint32_t i = 0; i < lemke->n; i++)
    if (lemke->basic[i] == 2 * lemke->n)
      return compare (lemke, lemke->levels, value_of (lemke, i), 1, none, 1) == 0;
  return 1;
}

/* Lets z0 come in, and partners one after the other. */
static int
follow (Lemke *lemke, uint32_t n_free, const double *cover, int (*may_continue) (void *data),
        void *data)
{
  const long double none[IFBAM_LEVELS + 1] = { 0 };
  const uint32_t n = lemke->n;
  uint32_t row = n, column = n;

  for (uint32_t i = n_free; i < n; i++)
    {
      row_of (lemke, i)[n] = cover[i];
      if (row == n
          || compare (lemke, lemke->levels + 1, value_of (lemke, i), cover[i],
                      value_of (lemke, row), cover[row])
                 > 0)
        row = i;
    }
  for (uint32_t i = 0; i < n_free; i++)
    row_of (lemke, i)[n] = 0;
  if (row == n || compare (lemke, lemke->levels, value_of (lemke, row), 1, none, 1) <= 0)
    return 1; /* nothing has to act */
  for (uint64_t turn = 0;
       turn < (uint64_t) MOST * n && (may_continue == NULL || may_continue (data)); turn++)
    {
      const uint32_t left = lemke->basic[row];
      const uint32_t partner = left < n ? n + left : left - n;

      exchange (lemke, row, column);
      if (is_done (lemke))
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
ifbam_lemke (const double *table, uint32_t n, uint32_t n_free, uint32_t levels, const double *cover,
             double finer, uint8_t *acts, double *z, int (*may_continue) (void *data), void *data)
{
  const uint32_t width = n + 2 + levels;
  uint32_t *names = n == 0 ? NULL : malloc ((2 * (uintptr_t) n + 1 + width) * sizeof *names);
  long double *own = n == 0 ? NULL : malloc ((uintptr_t) n * width * sizeof *own);
  Lemke lemke = { .table = own,
                  .n = n,
                  .width = width,
                  .levels = levels,
                  .basic = names,
                  .outer = names == NULL ? NULL : names + n,
                  .at = names == NULL ? NULL : names + 2 * (uintptr_t) n + 1 };
  int found = n == 0;

  for (uint32_t i = 0; i < n && names != NULL && own != NULL; i++)
    {
      const double *given = table + (uintptr_t) i * (n + levels);
      long double *value = value_of (&lemke, i);

      lemke.basic[i] = i;
      lemke.outer[i] = n + i;
      acts[i] = 0;
      for (uint32_t k = 0; k < n; k++)
        row_of (&lemke, i)[k] = given[k];
      row_of (&lemke, i)[n] = 0;
      for (uint32_t k = 0; k < levels; k++)
        {
          value[k] = given[n + k];
          z[i * levels + k] = 0;
          lemke.tie[k] = fmaxl (lemke.tie[k], finer * tie[k] * fabsl (value[k]));
        }
      value[levels] = fmod ((i + 1) * SILVER, 1) + PIVOT;
    }
  if (n > 0 && names != NULL && own != NULL)
    {
      lemke.outer[n] = 2 * n;
      lemke.tie[levels] = 1e-12L * 1e-9L; /* nearly all of it counts */
      free_unknowns (&lemke, n_free);
      found = follow (&lemke, n_free, cover, may_continue, data);
      for (uint32_t i = 0; i < n; i++)
        if (lemke.basic[i] >= n && lemke.basic[i] < 2 * n)
          {
            acts[lemke.basic[i] - n] = 1;
            for (uint32_t k = 0; k < levels; k++)
              z[(lemke.basic[i] - n) * levels + k] = (double) value_of (&lemke, i)[k];
          }
    }
  free (own);
  free (names);
  return found;
}
