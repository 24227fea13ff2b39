/* reactions.c: the forces or impulses that keep relations: J M^-1 J^T lambda = rhs
 *
 * The matrix is factored as L D L^T under a sky line (Jennings 1966; George & Liu 1981, Computer
 * Solution of Large Sparse Positive Definite Systems, 4), in the order of a breadth-first walk, so
 * that a stack of n contacts costs n. Where rows are redundant (parallel reactions) a hair of
 * compliance, shared out by the rows' shares, makes the answer single-valued, and refinement takes
 * its error away again (iterated Tikhonov: Hansen 1998, 5.1).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/reactions.h"

#include <math.h>
#include <string.h>

#define NONE G_MAXUINT32

/* A pivot below this part of its diagonal is rounding. */
#define RANK_TOLERANCE 1e-11
#define COMPLIANCE     1e-10
#define REFINEMENTS    3

void
ifbam_reactions_clear (IfbamReactions *self)
{
  g_free (self->rows);
  g_free (self->order);
  g_free (self->start);
  g_free (self->first);
  g_free (self->diagonal);
  g_free (self->factor);
  g_free (self->matrix);
  g_free (self->scratch);
  memset (self, 0, sizeof *self);
}

static void
reserve (IfbamReactions *self, guint n)
{
  if (n <= self->capacity)
    return;
  self->capacity = MAX (n, 2 * self->capacity);
  self->rows = g_renew (IfbamRow, self->rows, self->capacity);
  self->order = g_renew (guint32, self->order, self->capacity);
  self->start = g_renew (guint32, self->start, self->capacity + 1);
  self->first = g_renew (guint32, self->first, self->capacity);
  self->diagonal = g_renew (double, self->diagonal, self->capacity);
  self->scratch = g_renew (double, self->scratch, 2 * self->capacity);
}

/* What two rows have in common. */
static double
product (const IfbamRow *a, const IfbamRow *b, const double *mobility)
{
  double sum = 0;

  for (guint p = 0; p < a->n_ends; p++)
    for (guint q = 0; q < b->n_ends; q++)
      if (a->node[p] == b->node[q])
        sum += a->row[p] * b->row[q] * mobility[a->node[p]];
  return sum;
}

typedef struct
{
  guint32 *next; /* (n * IFBAM_MAX_ENDS): the next entry at the same node */
  guint32 *seat; /* of each node: its first entry, row * IFBAM_MAX_ENDS + end */
} Seats;

static void
take_seats (Seats *seats, const IfbamRow *rows, guint n, const double *mobility)
{
  for (guint i = n; i-- > 0;)
    for (guint e = rows[i].n_ends; e-- > 0;)
      if (mobility[rows[i].node[e]] > 0)
        {
          guint32 entry = i * IFBAM_MAX_ENDS + e;

          seats->next[entry] = seats->seat[rows[i].node[e]];
          seats->seat[rows[i].node[e]] = entry;
        }
}

/* A breadth-first walk from the row with the fewest neighbours, seen twice: the second time from the
 * end of the first walk. */
static void
walk (IfbamReactions *self, const IfbamRow *rows, guint n, const double *mobility,
      const Seats *seats)
{
  g_autofree guint8 *seen = g_new0 (guint8, n);
  g_autofree guint32 *queue = g_new (guint32, n);
  guint placed = 0;

  for (guint root = 0; root < n; root++)
    {
      guint32 from = root;

      if (seen[root] == 2)
        continue;
      for (guint8 turn = 1; turn <= 2; turn++)
        {
          guint head = 0, tail = 0;

          queue[tail++] = from;
          seen[from] = turn;
          while (head < tail)
            {
              const IfbamRow *row = &rows[queue[head++]];

              for (guint e = 0; e < row->n_ends; e++)
                {
                  if (mobility[row->node[e]] <= 0)
                    continue;
                  for (guint32 entry = seats->seat[row->node[e]]; entry != NONE;
                       entry = seats->next[entry])
                    {
                      guint32 other = entry / IFBAM_MAX_ENDS;

                      if (seen[other] >= turn)
                        continue;
                      seen[other] = turn;
                      queue[tail++] = other;
                    }
                }
            }
          from = queue[tail - 1];
          if (turn == 2)
            for (guint i = 0; i < tail; i++)
              self->order[placed++] = queue[i];
        }
    }
}

/* The matrix by columns above the diagonal, from the first row that it meets. */
static void
assemble (IfbamReactions *self, const double *mobility, const Seats *seats)
{
  const guint n = self->n;
  g_autofree guint32 *place = g_new (guint32, n);
  guint length;

  for (guint i = 0; i < n; i++)
    place[self->order[i]] = i;
  self->start[0] = 0;
  for (guint i = 0; i < n; i++)
    {
      const IfbamRow *row = &self->rows[i];

      self->first[i] = i;
      for (guint e = 0; e < row->n_ends; e++)
        if (mobility[row->node[e]] > 0)
          for (guint32 entry = seats->seat[row->node[e]]; entry != NONE; entry = seats->next[entry])
            self->first[i] = MIN (self->first[i], place[entry / IFBAM_MAX_ENDS]);
      self->start[i + 1] = self->start[i] + i - self->first[i];
    }
  length = self->start[n];
  if (length > self->factor_capacity)
    {
      self->factor_capacity = MAX (length, 2 * self->factor_capacity);
      self->factor = g_renew (double, self->factor, self->factor_capacity);
      self->matrix = g_renew (double, self->matrix, self->factor_capacity);
    }
  for (guint i = 0; i < n; i++)
    {
      self->scratch[i] = product (&self->rows[i], &self->rows[i], mobility);
      for (guint j = self->first[i]; j < i; j++)
        self->matrix[self->start[i] + j - self->first[i]] = 0;
    }
  for (guint i = 0; i < n; i++)
    {
      const IfbamRow *row = &self->rows[i];

      for (guint e = 0; e < row->n_ends; e++)
        if (mobility[row->node[e]] > 0)
          for (guint32 entry = seats->seat[row->node[e]]; entry != NONE; entry = seats->next[entry])
            {
              guint j = place[entry / IFBAM_MAX_ENDS];

              if (j < i)
                self->matrix[self->start[i] + j - self->first[i]] =
                    product (row, &self->rows[j], mobility);
            }
    }
}

/* L D L^T of matrix + compliance; FALSE where a pivot vanishes. scratch[i] is the matrix's diagonal. */
static gboolean
decompose (IfbamReactions *self, double compliance)
{
  const guint n = self->n;
  double most = 0;

  for (guint i = 0; i < n; i++)
    most = MAX (most, self->rows[i].share);
  for (guint i = 0; i < n; i++)
    {
      double *column = self->factor + self->start[i];
      const double diagonal = self->scratch[i];
      double pivot = diagonal * (1 + compliance * most / self->rows[i].share);

      for (guint j = self->first[i]; j < i; j++)
        {
          const double *other = self->factor + self->start[j];
          double sum = self->matrix[self->start[i] + j - self->first[i]];

          for (guint k = MAX (self->first[i], self->first[j]); k < j; k++)
            sum -= column[k - self->first[i]] * other[k - self->first[j]];
          column[j - self->first[i]] = sum;
        }
      for (guint j = self->first[i]; j < i; j++)
        {
          double value = column[j - self->first[i]] / self->diagonal[j];

          pivot -= value * column[j - self->first[i]];
          column[j - self->first[i]] = value;
        }
      if (!(pivot > (compliance > 0 ? 0 : RANK_TOLERANCE * diagonal)))
        {
          if (compliance == 0)
            return FALSE;
          pivot = diagonal * compliance;
          if (!(pivot > 0))
            pivot = 1; /* a row between given nodes: nothing moves it */
        }
      self->diagonal[i] = pivot;
    }
  return TRUE;
}

void
ifbam_reactions_set (IfbamReactions *self, const IfbamRow *rows, guint n, const double *mobility,
                     guint32 *seat)
{
  reserve (self, n);
  self->n = n;
  self->redundant = FALSE;
  if (n == 1)
    {
      self->rows[0] = rows[0];
      self->order[0] = 0;
      self->diagonal[0] = product (rows, rows, mobility);
      return;
    }
  if (n > 0)
    {
      g_autofree guint32 *next = g_new (guint32, n * IFBAM_MAX_ENDS);
      Seats seats = { next, seat };

      take_seats (&seats, rows, n, mobility);
      walk (self, rows, n, mobility, &seats);
      for (guint i = 0; i < n; i++)
        self->rows[i] = rows[self->order[i]];
      assemble (self, mobility, &seats);
      for (guint i = 0; i < n; i++)
        for (guint e = 0; e < rows[i].n_ends; e++)
          seat[rows[i].node[e]] = NONE;
      if (!decompose (self, 0))
        {
          self->redundant = TRUE;
          decompose (self, COMPLIANCE);
        }
      memcpy (self->scratch + self->capacity, self->scratch, n * sizeof (double));
    }
}

/* In elimination order, in place. */
static void
substitute (const IfbamReactions *self, double *b)
{
  for (guint i = 0; i < self->n; i++)
    {
      const double *column = self->factor + self->start[i];

      for (guint j = self->first[i]; j < i; j++)
        b[i] -= column[j - self->first[i]] * b[j];
    }
  for (guint i = 0; i < self->n; i++)
    b[i] /= self->diagonal[i];
  for (guint i = self->n; i-- > 0;)
    {
      const double *column = self->factor + self->start[i];

      for (guint j = self->first[i]; j < i; j++)
        b[j] -= column[j - self->first[i]] * b[i];
    }
}

/* b -= matrix * p; the diagonal is in the second half of the scratch. */
static void
take_off (const IfbamReactions *self, const double *p, double *b)
{
  for (guint i = 0; i < self->n; i++)
    {
      const double *column = self->matrix + self->start[i];

      b[i] -= self->scratch[self->capacity + i] * p[i];
      for (guint j = self->first[i]; j < i; j++)
        {
          b[i] -= column[j - self->first[i]] * p[j];
          b[j] -= column[j - self->first[i]] * p[i];
        }
    }
}

void
ifbam_reactions_solve (IfbamReactions *self, const double *rhs, double *lambda)
{
  const guint n = self->n;

  if (n == 1)
    {
      lambda[0] = self->diagonal[0] > 0 ? rhs[0] / self->diagonal[0] : 0;
      return;
    }
  if (n > 0)
    {
      g_autofree double *memory = g_new (double, 3 * n);
      double *b = memory, *p = memory + n, *residue = memory + 2 * n;

      for (guint i = 0; i < n; i++)
        b[i] = p[i] = rhs[self->order[i]];
      substitute (self, p);
      for (guint r = 0; r < (self->redundant ? REFINEMENTS : 1); r++)
        {
          memcpy (residue, b, n * sizeof (double));
          take_off (self, p, residue);
          substitute (self, residue);
          for (guint i = 0; i < n; i++)
            p[i] += residue[i];
        }
      for (guint i = 0; i < n; i++)
        lambda[self->order[i]] = p[i];
    }
}
