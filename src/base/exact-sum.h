/* exact-sum.h: sums of doubles that are exact and rounded once, independent of the order
 *
 * A sum is a wide integer in units of the smallest double (Neal 2015, "Fast exact summation using
 * small and large superaccumulators", arXiv:1505.05571): chunks of 32 bits in 64-bit words, which
 * take many terms before carries are necessary. Terms are first added to a window of 128 bits
 * around the first one: most sums need no chunks. Two terms need neither.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/isa.h"

/* Doubles have 2098 bits; the rest is for sums of very many. */
#define IFBAM_EXACT_CHUNKS 68

__extension__ typedef __int128 IfbamWide;

typedef struct
{
  double early
      [2]; /* the first two terms, until there are more: the sum of two doubles is rounded once */
  uint32_t n_early; /* 3: they are in the window */
  IfbamWide window; /* in units of 2^base of the smallest double */
  uint32_t base;
  uint32_t room;    /* terms that the window takes before it must be emptied */
  uint32_t pending; /* terms in the chunks since the last carry */
  uint8_t chunked;  /* the chunks are used, otherwise they are not set */
  uint8_t infinite; /* 1: a term was infinite, 2: one was minus infinity */
  uint8_t is_nan;
  int64_t chunk[IFBAM_EXACT_CHUNKS];
} IfbamExactSum;

/* Terms that fit in a window: 53 + 63 bits and these make 127. */
#define IFBAM_EXACT_ROOM 2047

/* The base of a window without terms: far from all doubles. */
#define IFBAM_EXACT_EMPTY 65536

static inline void
ifbam_exact_sum_clear (IfbamExactSum *sum)
{
  sum->n_early = 0;
  sum->window = 0;
  sum->base = IFBAM_EXACT_EMPTY;
  sum->room = IFBAM_EXACT_ROOM;
  sum->pending = 0;
  sum->chunked = sum->infinite = sum->is_nan = 0;
}

/* Adds a term outside the window. */
void ifbam_exact_sum_add_beside (IfbamExactSum *sum, double term);

/* Returns a double's integer and its place above the smallest double [bits]; inf, NaN: 2046. */
static inline uint64_t
ifbam_exact_digits (double term, uint32_t *place, uint64_t *sign)
{
  union
  {
    double number;
    uint64_t bits;
  } value = { term };
  const uint32_t exponent = (uint32_t) (value.bits >> 52) & 0x7ff;
  const uint32_t normal = exponent != 0;

  *place = exponent - normal;
  *sign = -(value.bits >> 63);
  return (value.bits & 0xfffffffffffff) | (uint64_t) normal << 52;
}

static inline void
ifbam_exact_sum_add (IfbamExactSum *sum, double term)
{
  uint32_t place;
  uint64_t sign;
  const uint64_t digits = ifbam_exact_digits (term, &place, &sign);
  const uint32_t shift = place - sum->base;

  if (shift < 64 && sum->room > 0)
    {
      const IfbamWide wide = (IfbamWide) digits << shift, negative = (int64_t) sign;

      sum->window += (wide ^ negative) - negative;
      sum->room--;
    }
  else
    ifbam_exact_sum_add_beside (sum, term);
}

/* The same for n terms, by kernels of an instruction set. */
void ifbam_exact_sum_add_all (IfbamExactSum *sum, const double *term, size_t n, IfbamIsa isa);

void ifbam_exact_sum_merge (IfbamExactSum *sum, const IfbamExactSum *other);

/* Writes a sum as words, which may be added word by word, of at most 2^28 sums. */
#define IFBAM_EXACT_WORDS (IFBAM_EXACT_CHUNKS + 3)
void ifbam_exact_sum_write (const IfbamExactSum *sum, int64_t *words);
void ifbam_exact_sum_read (IfbamExactSum *sum, const int64_t *words);

/* Returns the sum, rounded to the nearest double, ties to even; infinite if that is too large or a
 * term was infinite; NaN if a term was, or terms were infinite with both signs. */
double ifbam_exact_sum_round (const IfbamExactSum *sum);
