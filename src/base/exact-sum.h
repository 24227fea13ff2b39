/* exact-sum.h: sums of doubles that are exact and rounded once, so that no order of terms changes them
 *
 * A sum is kept as a wide integer in units of the least double (Neal 2015, "Fast exact summation using
 * small and large superaccumulators", arXiv:1505.05571): chunks of 32 bits in words of 64, which take
 * many terms before anything has to be carried. In front of them stands a window of 128 bits about the
 * first term: most sums never leave it, and touch no chunk. Two terms need none of this.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/isa.h"

/* Doubles reach over 2098 bits; above are those that sums of very many need. */
#define IFBAM_EXACT_CHUNKS 68

__extension__ typedef __int128 IfbamWide;

typedef struct
{
  double early
      [2]; /* the first two terms, until there are more: doubles' own sum of two is rounded once */
  uint32_t n_early; /* 3: they are in the window */
  IfbamWide window; /* in units of 2^base of the least double */
  uint32_t base;
  uint32_t room;    /* terms that the window takes before it must be emptied */
  uint32_t pending; /* what chunks have taken since they were carried */
  uint8_t chunked;  /* the chunks count, else nobody has set them */
  uint8_t infinite; /* 1: a term was infinite, 2: one was negatively so */
  uint8_t is_nan;
  int64_t chunk[IFBAM_EXACT_CHUNKS];
} IfbamExactSum;

/* Terms that a window takes: 53 + 63 bits and these make 127. */
#define IFBAM_EXACT_ROOM 2047

/* The base of a window that has no term yet: no double is near it. */
#define IFBAM_EXACT_NOWHERE 65536

static inline void
ifbam_exact_sum_clear (IfbamExactSum *sum)
{
  sum->n_early = 0;
  sum->window = 0;
  sum->base = IFBAM_EXACT_NOWHERE;
  sum->room = IFBAM_EXACT_ROOM;
  sum->pending = 0;
  sum->chunked = sum->infinite = sum->is_nan = 0;
}

/* For what the window does not take. */
void ifbam_exact_sum_add_beside (IfbamExactSum *sum, double term);

/* A double's integer and its place, in bits above the least double; those that are not finite have the
 * place 2046. */
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

/* The same for n terms, by kernels of a level of instructions. */
void ifbam_exact_sum_add_all (IfbamExactSum *sum, const double *term, size_t n, IfbamIsa isa);

void ifbam_exact_sum_merge (IfbamExactSum *sum, const IfbamExactSum *other);

/* A sum as words that can be added up: those of several sums, added word by word, are those of all their terms
 * together. (At most 2^28 sums.) */
#define IFBAM_EXACT_WORDS (IFBAM_EXACT_CHUNKS + 3)
void ifbam_exact_sum_say (const IfbamExactSum *sum, int64_t *words);
void ifbam_exact_sum_hear (IfbamExactSum *sum, const int64_t *words);

/* The sum, rounded to the nearest double, ties to even; infinite where that is, or a term was; not a
 * number where a term was none, or terms were infinite both ways. */
double ifbam_exact_sum_round (const IfbamExactSum *sum);
