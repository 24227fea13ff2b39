/* sparse-solver.c: linear systems with a symmetric pattern: L D U without pivoting; freestanding C
 *
 * Minimum degree on the quotient graph (George & Liu 1989, The evolution of the minimum degree
 * ordering algorithm): an eliminated row becomes the pattern of its column of L, so no separate
 * symbolic factorization is necessary. The numerical factorization is column by column
 * (left-looking; Davis 2006, Direct Methods for Sparse Linear Systems, 4).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/sparse-solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"

#define NONE UINT32_MAX
/* Products between two calls of may_continue(): a hundredth of a second. Other work for a row, or for an
 * entry of a row's list, takes as long as several products. */
#define UNASKED        10000000
#define OF_A_ROW       64
#define OF_A_NEIGHBOUR 16

struct _IfbamSolver
{
  uint32_t n, room, entry_room;
  uint32_t *start, *column; /* the pattern (n + 1), (entries) */
  uint32_t *mirror;         /* of an entry: its index on the other side */
  double *value;            /* (entries) */

  uint32_t *order, *place; /* order[k] is eliminated as number k; place: the inverse */
  uint64_t *below_start;   /* columns of L by number (n + 1) */
  uint32_t *below;         /* rows of their entries by number, increasing */
  uint64_t fill, fill_room;
  int natural;                   /* rows are eliminated in their order */
  int line;                      /* column k of L has one entry, in row k + 1 */
  int pair;                      /* two coupled rows, each with its own entry first */
  uint8_t *has_vanished;         /* of a number: its pivot vanished (n) */
  double *lower, *upper, *pivot; /* L by columns, U by rows with the same pattern (fill), D (n) */
  int symmetric;
  int (*may_continue) (void *data); /* NULL: not called */
  void *data;
  uint64_t unasked; /* work since the last call of may_continue() */
  int given_up;     /* the ordering was interrupted: the factors are invalid */

  uint32_t *scratch; /* (6 n) */
  uint64_t *at;      /* of a column: its next entry (n) */
  double *work;      /* (5 n) */
};

/* Ends with a message, as GLib does. */
static void
end_without_memory (void)
{
#ifndef __wasm__ /* without output */
  fputs ("ifbam: memory is too short for a system of equations\n", stderr);
#endif
  abort ();
}

static void *
renew (void *memory, uint64_t n, size_t size)
{
  void *got = realloc (memory, (size_t) n * size);

  if (got == NULL)
    end_without_memory ();
  return got;
}

IfbamSolver *
ifbam_solver_new (void)
{
  IfbamSolver *self = calloc (1, sizeof *self);

  if (self == NULL)
    end_without_memory ();
  return self;
}

void
ifbam_solver_free (IfbamSolver *self)
{
  if (self == NULL)
    return;
  free (self->start);
  free (self->column);
  free (self->mirror);
  free (self->value);
  free (self->order);
  free (self->place);
  free (self->below_start);
  free (self->below);
  free (self->lower);
  free (self->upper);
  free (self->pivot);
  free (self->has_vanished);
  free (self->scratch);
  free (self->at);
  free (self->work);
  free (self);
}

double *
ifbam_solver_values (IfbamSolver *self)
{
  return self->value;
}

uint64_t
ifbam_solver_fill (const IfbamSolver *self)
{
  return self->fill;
}

static void
reserve (IfbamSolver *self, uint32_t n, uint32_t entries)
{
  if (n + 1 > self->room)
    {
      const uint64_t room = self->room = n + 1 > 2 * self->room ? n + 1 : 2 * self->room;

      self->start = renew (self->start, room, sizeof *self->start);
      self->order = renew (self->order, room, sizeof *self->order);
      self->has_vanished = renew (self->has_vanished, room, sizeof *self->has_vanished);
      self->place = renew (self->place, room, sizeof *self->place);
      self->below_start = renew (self->below_start, room, sizeof *self->below_start);
      self->pivot = renew (self->pivot, room, sizeof *self->pivot);
      self->scratch = renew (self->scratch, 6 * room, sizeof *self->scratch);
      self->at = renew (self->at, room, sizeof *self->at);
      self->work = renew (self->work, 5 * room, sizeof *self->work);
    }
  if (entries > self->entry_room)
    {
      const uint64_t room = self->entry_room =
          entries > 2 * self->entry_room ? entries : 2 * self->entry_room;

      self->column = renew (self->column, room, sizeof *self->column);
      self->mirror = renew (self->mirror, room, sizeof *self->mirror);
      self->value = renew (self->value, room, sizeof *self->value);
    }
}

void
ifbam_solver_set_interrupt_check (IfbamSolver *self, int (*may_continue) (void *data), void *data)
{
  self->may_continue = may_continue;
  self->data = data;
}

/* Returns FALSE if the work must stop; counts more of it. */
static inline int
may_continue (IfbamSolver *self, uint64_t work)
{
  self->unasked += work;
  if (self->unasked <= UNASKED || self->may_continue == NULL)
    return 1;
  self->unasked = 0;
  return self->may_continue (self->data);
}

/* Order */

/* Rows not yet eliminated, by degree: lists from which minimum degree takes the first. */
typedef struct
{
  uint32_t *first;           /* of a degree */
  uint32_t *next, *previous; /* of a row; NONE: end */
  uint32_t *degree;
  uint32_t least;
} Lists;

static void
put_in (Lists *lists, uint32_t row)
{
  uint32_t *first = &lists->first[lists->degree[row]];

  lists->next[row] = *first;
  lists->previous[row] = NONE;
  if (*first != NONE)
    lists->previous[*first] = row;
  *first = row;
  if (lists->degree[row] < lists->least)
    lists->least = lists->degree[row];
}

static void
take_out (Lists *lists, uint32_t row)
{
  if (lists->previous[row] != NONE)
    lists->next[lists->previous[row]] = lists->next[row];
  else
    lists->first[lists->degree[row]] = lists->next[row];
  if (lists->next[row] != NONE)
    lists->previous[lists->next[row]] = lists->previous[row];
}

static void
add_below (IfbamSolver *self, uint32_t row)
{
  if (self->fill == self->fill_room)
    {
      self->fill_room = self->fill_room == 0 ? 64 : 2 * self->fill_room;
      self->below = renew (self->below, self->fill_room, sizeof *self->below);
      self->lower = renew (self->lower, self->fill_room, sizeof *self->lower);
      self->upper = renew (self->upper, self->fill_room, sizeof *self->upper);
    }
  self->below[self->fill++] = row;
}

/* After an interruption: rows in their order, without entries of L. */
static void
give_up (IfbamSolver *self)
{
  self->given_up = 1;
  self->fill = 0;
  self->natural = 1;
  self->line = self->pair = 0;
  for (uint32_t k = 0; k < self->n; k++)
    {
      self->order[k] = self->place[k] = k;
      self->below_start[k] = 0;
    }
  self->below_start[self->n] = 0;
}

/* The neighbours of a row are in its part of `graph`: first eliminated rows (`elements`), with
 * further neighbours in their columns of L, then rows. An eliminated row replaces at least one. */
static void
eliminate (IfbamSolver *self)
{
  const uint32_t n = self->n;
  const uint32_t *start = self->start;
  uint32_t *graph = malloc ((start[n] + 1) * sizeof *graph), *mark = self->scratch;
  uint32_t *elements = self->scratch + n, *length = self->scratch + 2 * n;
  Lists lists = { malloc ((n + 1) * sizeof (uint32_t)), self->scratch + 3 * n,
                  self->scratch + 4 * n, self->scratch + 5 * n, n };

  if (graph == NULL || lists.first == NULL)
    end_without_memory ();
  memset (lists.first, 0xff, (n + 1) * sizeof *lists.first);
  for (uint32_t i = n; i-- > 0;)
    {
      mark[i] = NONE;
      elements[i] = length[i] = 0;
      for (uint32_t e = start[i]; e < start[i + 1]; e++)
        if (self->column[e] != i)
          graph[start[i] + length[i]++] = self->column[e];
      lists.degree[i] = length[i];
      put_in (&lists, i);
    }
  self->fill = 0;
  for (uint32_t k = 0; k < n && !self->given_up; k++)
    {
      uint64_t work = OF_A_ROW;
      uint32_t row;

      while (lists.first[lists.least] == NONE)
        lists.least++;
      row = lists.first[lists.least];
      take_out (&lists, row);
      self->order[k] = row;
      self->place[row] = k;
      self->below_start[k] = self->fill;
      mark[row] = k;
      for (uint32_t e = 0; e < length[row]; e++)
        {
          const uint32_t other = graph[start[row] + e];

          if (e < elements[row])
            work +=
                self->below_start[self->place[other] + 1] - self->below_start[self->place[other]];
          if (e >= elements[row])
            {
              if (mark[other] != k)
                add_below (self, other);
              mark[other] = k;
              continue;
            }
          for (uint64_t p = self->below_start[self->place[other]];
               p < self->below_start[self->place[other] + 1]; p++)
            if (mark[self->below[p]] != k)
              {
                mark[self->below[p]] = k;
                add_below (self, self->below[p]);
              }
          /* It is part of the new one, and reached through this from now on. */
          lists.degree[other] = NONE;
        }
      lists.degree[row] = (uint32_t) (self->fill - self->below_start[k]);
      self->below_start[k + 1] = self->fill;
      for (uint64_t p = self->below_start[k]; p < self->fill; p++)
        {
          const uint32_t i = self->below[p];
          uint32_t *own = graph + start[i], kept = 0, last, few;
          uint64_t degree = lists.degree[row] - 1;

          work += OF_A_NEIGHBOUR * (uint64_t) length[i];
          take_out (&lists, i);
          for (uint32_t e = 0; e < elements[i]; e++)
            if (lists.degree[own[e]] != NONE)
              {
                degree += lists.degree[own[e]] - 1;
                own[kept++] = own[e];
              }
          /* Rows that the new element reaches are removed from the direct neighbours. */
          few = kept;
          last = elements[i];
          elements[i] = kept + 1;
          for (uint32_t e = last; e < length[i]; e++)
            if (mark[own[e]] != k)
              own[kept++] = own[e];
          memmove (own + few + 1, own + few, (kept - few) * sizeof *own);
          own[few] = row;
          length[i] = kept + 1;
          degree += kept - few;
          lists.degree[i] = degree < n - k - 1 ? (uint32_t) degree : n - k - 1;
          put_in (&lists, i);
        }
      self->given_up = !may_continue (self, work);
    }
  free (graph);
  free (lists.first);
  if (self->given_up)
    {
      give_up (self);
      return;
    }
  for (uint64_t p = 0; p < self->fill; p++)
    self->below[p] = self->place[self->below[p]];
  for (uint32_t k = 0; k < n; k++)
    if (self->below_start[k + 1] > self->below_start[k] + 1)
      qsort (self->below + self->below_start[k], self->below_start[k + 1] - self->below_start[k],
             sizeof *self->below, ifbam_compare_uint32);
  self->natural = 1;
  self->line = self->fill + 1 == n;
  for (uint32_t k = 0; k < n; k++)
    self->natural &= self->order[k] == k;
  for (uint32_t k = 0; k < self->fill && self->line; k++)
    self->line = self->below_start[k] == k && self->below[k] == k + 1;
  self->pair =
      n == 2 && self->line && self->natural && self->column[0] == 0 && self->column[2] == 1;
}

void
ifbam_solver_set_pattern (IfbamSolver *self, uint32_t n, const uint32_t *start,
                          const uint32_t *column)
{
  uint32_t *seen;

  if (n == self->n && self->room > 0 && !self->given_up
      && memcmp (start, self->start, (n + 1) * sizeof *start) == 0
      && memcmp (column, self->column, start[n] * sizeof *column) == 0)
    return;
  reserve (self, n, start[n] + 1); /* an empty system has arrays, too */
  self->n = n;
  memcpy (self->start, start, (n + 1) * sizeof *start);
  memcpy (self->column, column, start[n] * sizeof *column);
  /* In the order of the rows, columns take their entries in turn. */
  seen = self->scratch;
  for (uint32_t i = 0; i < n; i++)
    seen[i] = start[i];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t e = start[i]; e < start[i + 1]; e++)
      {
        uint32_t other = seen[column[e]];

        if (other >= start[column[e] + 1] || column[other] != i)
          for (other = start[column[e]]; column[other] != i;)
            other++;
        else
          seen[column[e]]++;
        self->mirror[e] = other;
      }
  self->given_up = 0;
  eliminate (self);
}

/* Numbers */

/* Sets the rest to the unit matrix. */
static uint32_t
leave (IfbamSolver *self, uint32_t k, uint32_t vanished)
{
  for (uint64_t p = self->below_start[k]; p < self->below_start[self->n]; p++)
    self->lower[p] = self->upper[p] = 0;
  for (; k < self->n; k++)
    {
      self->pivot[k] = 1;
      self->has_vanished[k] = 0;
    }
  return vanished;
}

/* Returns the pivot: the rest of a row's diagonal, or if that vanishes (marked), a replacement. */
static inline double
pivot_of (double left, double diagonal, const double *shift, uint32_t row, double tolerance,
          uint8_t *has_vanished)
{
  *has_vanished = !(fabs (left) > tolerance * fabs (diagonal));
  if (!*has_vanished)
    return left;
  return diagonal != 0 ? diagonal * (shift == NULL ? 1 : shift[row]) : 1;
}

/* Two rows, written out: the minimum of a mechanism. */
static uint32_t
factor_pair (IfbamSolver *self, const double *shift, double tolerance)
{
  const double *value = self->value;
  double *pivot = self->pivot;

  self->symmetric = value[1] == value[3];
  pivot[0] = pivot_of (value[0] * (1 + (shift == NULL ? 0 : shift[0])), value[0], shift, 0,
                       tolerance, &self->has_vanished[0]);
  self->lower[0] = value[3] / pivot[0];
  self->upper[0] = self->symmetric ? self->lower[0] : value[1] / pivot[0];
  pivot[1] = pivot_of (value[2] * (1 + (shift == NULL ? 0 : shift[1]))
                           - self->lower[0] * (pivot[0] * self->upper[0]),
                       value[2], shift, 1, tolerance, &self->has_vanished[1]);
  return self->has_vanished[0] + self->has_vanished[1];
}

uint32_t
ifbam_solver_factor (IfbamSolver *self, const double *shift, double tolerance)
{
  const uint32_t n = self->n;
  uint32_t *head = self->scratch, *next = self->scratch + n, vanished = 0;
  double *lower = self->work, *upper = self->work + n;
  uint64_t *at = self->at, work = 0;

  if (self->pair)
    return factor_pair (self, shift, tolerance);
  if (self->given_up)
    return leave (self, 0, 0);
  self->symmetric = 1;
  for (uint32_t e = 0; e < self->start[n] && self->symmetric; e++)
    self->symmetric = self->value[e] == self->value[self->mirror[e]];
  for (uint32_t k = 0; k < n; k++)
    {
      head[k] = NONE;
      lower[k] = upper[k] = 0;
    }
  for (uint32_t k = 0; k < n; k++)
    {
      const uint32_t row = self->order[k];
      const uint64_t first = self->below_start[k], last = self->below_start[k + 1];
      double diagonal = 0;

      if (!may_continue (self, work))
        return leave (self, k, vanished);
      work = OF_A_ROW;
      for (uint32_t e = self->start[row]; e < self->start[row + 1]; e++)
        {
          const uint32_t i = self->place[self->column[e]];

          if (i == k)
            diagonal = self->value[e];
          else if (i > k)
            {
              upper[i] = self->value[e];
              lower[i] = self->value[self->mirror[e]];
            }
        }
      self->pivot[k] = diagonal * (1 + (shift == NULL ? 0 : shift[row]));
      /* Columns with the next entry in this row. */
      for (uint32_t j = head[k], then; j != NONE; j = then)
        {
          const uint64_t here = at[j], end = self->below_start[j + 1];
          const double down = self->pivot[j] * self->upper[here];
          const double right = self->pivot[j] * self->lower[here];

          then = next[j];
          work += end - here;
          self->pivot[k] -= self->lower[here] * down;
          for (uint64_t p = here + 1; p < end; p++)
            lower[self->below[p]] -= self->lower[p] * down;
          for (uint64_t p = here + 1; p < end && !self->symmetric; p++)
            upper[self->below[p]] -= self->upper[p] * right;
          if (here + 1 < end)
            {
              at[j] = here + 1;
              next[j] = head[self->below[here + 1]];
              head[self->below[here + 1]] = j;
            }
        }
      self->pivot[k] =
          pivot_of (self->pivot[k], diagonal, shift, row, tolerance, &self->has_vanished[k]);
      vanished += self->has_vanished[k];
      for (uint64_t p = first; p < last; p++)
        {
          const uint32_t i = self->below[p];

          self->lower[p] = lower[i] / self->pivot[k];
          self->upper[p] = self->symmetric ? self->lower[p] : upper[i] / self->pivot[k];
          lower[i] = upper[i] = 0;
        }
      if (first < last)
        {
          at[k] = first;
          next[k] = head[self->below[first]];
          head[self->below[first]] = k;
        }
    }
  return vanished;
}

void
ifbam_solver_sizes (const IfbamSolver *self, double *size)
{
  for (uint32_t k = 0; k < self->n; k++)
    size[k] = self->has_vanished[k] ? 0 : fabs (self->pivot[k]);
}

void
ifbam_solver_vanished (const IfbamSolver *self, uint32_t *rows)
{
  uint32_t n = 0;

  for (uint32_t k = 0; k < self->n; k++)
    if (self->has_vanished[k])
      rows[n++] = self->order[k];
}

/* Solves in place, rows by number. */
static void
substitute (const IfbamSolver *self, double *b)
{
  const uint32_t n = self->n, *below = self->below;
  const uint64_t *start = self->below_start;
  const double *lower = self->lower, *upper = self->upper, *pivot = self->pivot;
  double known;

  /* A chain of contacts: each number depends on the previous one only. */
  if (self->line)
    {
      known = b[0];
      for (uint32_t k = 1; k < n; k++)
        b[k] = known = b[k] - lower[k - 1] * known;
      b[n - 1] = known = known / pivot[n - 1];
      for (uint32_t k = n - 1; k-- > 0;)
        b[k] = known = b[k] / pivot[k] - upper[k] * known;
      return;
    }
  for (uint32_t k = 0; k < n; k++)
    {
      known = b[k];
      for (uint64_t p = start[k], end = start[k + 1]; p < end; p++)
        b[below[p]] -= lower[p] * known;
    }
  for (uint32_t k = n; k-- > 0;)
    {
      double rest = b[k] / pivot[k];

      for (uint64_t p = start[k], end = start[k + 1]; p < end; p++)
        rest -= upper[p] * b[below[p]];
      b[k] = rest;
    }
}

/* Solves A x = b by the factors. x: not b. */
static void
substitute_rows (const IfbamSolver *self, const double *b, double *x)
{
  const uint32_t n = self->n;
  double *numbered = self->natural ? x : self->work + n;

  for (uint32_t k = 0; k < n; k++)
    numbered[k] = b[self->order[k]];
  substitute (self, numbered);
  for (uint32_t k = 0; k < n && numbered != x; k++)
    x[self->order[k]] = numbered[k];
}

/* Computes b - A x, by row; returns its largest value relative to the sum of the absolute terms. */
static double
take_off (const IfbamSolver *self, const double *b, const double *x, double *residual)
{
  const uint32_t n = self->n, *start = self->start, *column = self->column;
  const double *value = self->value;
  double worst = 0;

  for (uint32_t i = 0; i < n; i++)
    {
      double sum = b[i], size = fabs (b[i]);

      for (uint32_t e = start[i], end = start[i + 1]; e < end; e++)
        {
          const double term = value[e] * x[column[e]];

          sum -= term;
          size += fabs (term);
        }
      residual[i] = sum;
      if (size > 0 && !(fabs (sum) <= worst * size))
        worst = fabs (sum) / size;
    }
  return worst;
}

/* Two rows, refined once. Rounding errors are unpredictable: no branches depend on them. */

static inline void
substitute_pair (const IfbamSolver *self, const double *b, double *x)
{
  x[1] = (b[1] - self->lower[0] * b[0]) / self->pivot[1];
  x[0] = b[0] / self->pivot[0] - self->upper[0] * x[1];
}

static inline double
take_off_pair (const double *value, const double *b, const double *x, double *residual)
{
  double part[2];

  for (int i = 0; i < 2; i++)
    {
      const double own = value[2 * i] * x[i], other = value[2 * i + 1] * x[1 - i];
      const double size = fabs (b[i]) + fabs (own) + fabs (other);

      residual[i] = b[i] - own - other;
      part[i] = size > 0 ? fabs (residual[i]) / size : 0;
    }
  return part[1] <= part[0] ? part[0] : part[1];
}

static double
solve_pair (const IfbamSolver *self, const double *b, double *x)
{
  const double rhs[2] = { b[0], b[1] };
  double found[2][2], step[2], residual[2], rest[2];
  int better;

  substitute_pair (self, rhs, found[0]);
  rest[0] = take_off_pair (self->value, rhs, found[0], residual);
  substitute_pair (self, residual, step);
  found[1][0] = found[0][0] + step[0];
  found[1][1] = found[0][1] + step[1];
  rest[1] = take_off_pair (self->value, rhs, found[1], residual);
  better = rest[1] < rest[0];
  x[0] = found[better][0];
  x[1] = found[better][1];
  return rest[better];
}

double
ifbam_solver_solve (IfbamSolver *self, const double *b, double *x, unsigned int most)
{
  const uint32_t n = self->n;
  double *residual = self->work + 2 * n;
  double *tried = self->work + 3 * n, *other = self->work + 4 * n, rest;
  const double *rhs = b;

  if (self->pair && most == 1)
    return solve_pair (self, b, x);
  if (x == b)
    rhs = memcpy (self->work, b, n * sizeof *b);
  substitute_rows (self, rhs, x);
  rest = take_off (self, rhs, x, residual);
  for (unsigned int turn = 0; turn < most && rest > 0; turn++)
    {
      double now, *swap = residual;

      substitute_rows (self, residual, tried);
      for (uint32_t i = 0; i < n; i++)
        tried[i] = x[i] + tried[i];
      now = take_off (self, rhs, tried, other);
      if (!(now < rest))
        break;
      memcpy (x, tried, n * sizeof *x);
      residual = other;
      other = swap;
      if (now > 0.5 * rest)
        return now;
      rest = now;
    }
  return rest;
}
