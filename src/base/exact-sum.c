/* exact-sum.c: sums of doubles that are exact and rounded once, independent of the order
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/exact-sum.h"

#include <string.h>

/* A chunk takes this many windows and terms below 2^34 before carries are necessary. */
#define MAX_PENDING (1 << 24)
/* Fewer terms are faster one by one. */
#define MIN_FOR_KERNEL 16
/* Terms per call of a kernel: their sums stay below 2^63. */
#define BLOCK 1024

/* Reduces all chunks but the last to 32 bits; the last one has the sign. */
static void
carry (int64_t *chunk)
{
  for (uint32_t i = 0; i + 1 < IFBAM_EXACT_CHUNKS; i++)
    {
      const int64_t over = chunk[i] >> 32;

      chunk[i] -= over * ((int64_t) 1 << 32);
      chunk[i + 1] += over;
    }
}

static void
need_chunks (IfbamExactSum *sum)
{
  if (!sum->chunked)
    memset (sum->chunk, 0, sizeof sum->chunk);
  sum->chunked = 1;
  if (++sum->pending >= MAX_PENDING)
    {
      carry (sum->chunk);
      sum->pending = 0;
    }
}

/* Adds a wide integer at a number of bits above the smallest double. */
static void
put (int64_t *chunk, IfbamWide wide, uint32_t place)
{
  int64_t *at = chunk + place / 32;
  const uint32_t shift = place % 32;
  const int64_t high = (int64_t) (wide >> 64), mask = 0xffffffff;
  const uint64_t low = (uint64_t) wide;

  at[0] += (int64_t) (low & 0xffffffff) << shift & mask;
  at[1] += (int64_t) ((low & 0xffffffff) << shift >> 32);
  at[1] += (int64_t) (low >> 32) << shift & mask;
  at[2] += (int64_t) (low >> 32 << shift >> 32);
  at[2] += (high & mask) << shift & mask;
  at[3] += (int64_t) (((uint64_t) high & 0xffffffff) << shift >> 32);
  at[3] += (high >> 32) * ((int64_t) 1 << shift) & mask;
  at[4] += (high >> 32) * ((int64_t) 1 << shift) >> 32;
}

/* Returns the base of a window around places from least to highest, less than 64 apart. */
static uint32_t
place_window (uint32_t least, uint32_t highest)
{
  const uint32_t below = (63 - (highest - least)) / 2;
  const uint32_t base = least < below ? 0 : least - below;

  return base < 2046 - 64 ? base : 2046 - 64;
}

static void
empty_window (IfbamExactSum *sum)
{
  if (sum->window != 0)
    {
      need_chunks (sum);
      put (sum->chunk, sum->window, sum->base);
    }
  sum->window = 0;
  sum->base = IFBAM_EXACT_EMPTY;
  sum->room = IFBAM_EXACT_ROOM;
}

/* Adds the early terms like all others. */
static void
grow_up (IfbamExactSum *sum)
{
  const uint32_t n = sum->n_early;

  sum->n_early = 3;
  for (uint32_t i = 0; i < n && n < 3; i++)
    ifbam_exact_sum_add (sum, sum->early[i]);
}

void
ifbam_exact_sum_add_beside (IfbamExactSum *sum, double term)
{
  uint32_t place;
  uint64_t sign;
  const uint64_t digits = ifbam_exact_digits (term, &place, &sign);
  const IfbamWide negative = (int64_t) sign;

  if (sum->n_early < 2)
    {
      sum->early[sum->n_early++] = term;
      return;
    }
  if (sum->n_early == 2)
    {
      grow_up (sum);
      ifbam_exact_sum_add (sum, term);
      return;
    }
  if (place == 2046)
    {
      if (digits & 0xfffffffffffff)
        sum->is_nan = 1;
      else
        sum->infinite |= sign ? 2 : 1;
      return;
    }
  if (digits == 0)
    return;
  if (sum->room == 0)
    empty_window (sum);
  if (sum->base == IFBAM_EXACT_EMPTY)
    {
      sum->base = place_window (place, place);
      ifbam_exact_sum_add (sum, term);
      return;
    }
  /* A window that takes no terms is moved soon. */
  sum->room--;
  need_chunks (sum);
  put (sum->chunk, ((IfbamWide) digits ^ negative) - negative, place);
}

void
ifbam_exact_sum_merge (IfbamExactSum *sum, const IfbamExactSum *other)
{
  if (other->n_early < 3)
    {
      for (uint32_t i = 0; i < other->n_early; i++)
        ifbam_exact_sum_add (sum, other->early[i]);
      return;
    }
  grow_up (sum);
  sum->infinite |= other->infinite;
  sum->is_nan |= other->is_nan;
  if (other->window != 0)
    {
      need_chunks (sum);
      put (sum->chunk, other->window, other->base);
    }
  if (!other->chunked)
    return;
  sum->pending = MAX_PENDING;
  need_chunks (sum);
  {
    int64_t chunk[IFBAM_EXACT_CHUNKS];

    memcpy (chunk, other->chunk, sizeof chunk);
    carry (chunk);
    for (uint32_t i = 0; i < IFBAM_EXACT_CHUNKS; i++)
      sum->chunk[i] += chunk[i];
  }
}

void
ifbam_exact_sum_write (const IfbamExactSum *sum, int64_t *words)
{
  IfbamExactSum own = *sum;

  grow_up (&own);
  empty_window (&own);
  need_chunks (&own);
  carry (own.chunk);
  memcpy (words, own.chunk, sizeof own.chunk);
  words[IFBAM_EXACT_CHUNKS] = own.infinite & 1;
  words[IFBAM_EXACT_CHUNKS + 1] = own.infinite >> 1;
  words[IFBAM_EXACT_CHUNKS + 2] = own.is_nan;
}

void
ifbam_exact_sum_read (IfbamExactSum *sum, const int64_t *words)
{
  ifbam_exact_sum_clear (sum);
  grow_up (sum);
  need_chunks (sum);
  memcpy (sum->chunk, words, sizeof sum->chunk);
  carry (sum->chunk);
  sum->infinite =
      (uint8_t) ((words[IFBAM_EXACT_CHUNKS] != 0) | (words[IFBAM_EXACT_CHUNKS + 1] != 0) << 1);
  sum->is_nan = words[IFBAM_EXACT_CHUNKS + 2] != 0;
}

/* Many terms */

/* Adds a sum of n terms with its base: the window's, or another. */
static void
add_wide (IfbamExactSum *sum, IfbamWide wide, uint32_t base, uint32_t n)
{
  if (base == sum->base)
    {
      sum->window += wide;
      sum->room -= n;
      return;
    }
  need_chunks (sum);
  put (sum->chunk, wide, base);
}

/* Finds the lowest exponent of nonzero terms, and the highest one; 2048 and 0 without any. */
IFBAM_INLINE void
reach_body (const double *restrict term, size_t n, uint32_t *least, uint32_t *highest)
{
  uint64_t low = UINT64_MAX, high = 0;

  for (size_t i = 0; i < n; i++)
    {
      union
      {
        double number;
        uint64_t bits;
      } value = { term[i] };
      const uint64_t size = value.bits << 1, given = size - 1; /* 0 is the largest */

      low = low < given ? low : given;
      high = high > size ? high : size;
    }
  *least = low == UINT64_MAX ? 2048 : (uint32_t) ((low + 1) >> 53);
  *highest = (uint32_t) (high >> 53);
}

/* Adds terms in three columns of digits, without carries: their places are below base + 64. */
IFBAM_INLINE void
add_body (const double *restrict term, size_t n, uint64_t base, int64_t *restrict column)
{
  int64_t low = 0, middle = 0, high = 0;

  for (size_t i = 0; i < n; i++)
    {
      union
      {
        double number;
        uint64_t bits;
      } value = { term[i] };
      const uint64_t exponent = value.bits << 1 >> 53, normal = exponent != 0;
      const uint64_t digits = (value.bits & 0xfffffffffffff) | normal << 52;
      const uint64_t shift = (exponent - normal - base) & 63; /* for 0 any value */
      const uint64_t lower = digits << shift, upper = digits >> 1 >> (63 - shift);
      const int64_t sign = -(int64_t) (value.bits >> 63);

      low += ((int64_t) (lower & 0xffffffff) ^ sign) - sign;
      middle += ((int64_t) (lower >> 32) ^ sign) - sign;
      high += ((int64_t) upper ^ sign) - sign;
    }
  column[0] = low;
  column[1] = middle;
  column[2] = high;
}

#define KERNELS(name, level, target)                                                               \
  target static void name##_reach_##level (const double *term, size_t n, uint32_t *least,          \
                                           uint32_t *highest)                                      \
  {                                                                                                \
    reach_body (term, n, least, highest);                                                          \
  }                                                                                                \
  target static void name##_add_##level (const double *term, size_t n, uint64_t base,              \
                                         int64_t *column)                                          \
  {                                                                                                \
    add_body (term, n, base, column);                                                              \
  }

IFBAM_EACH_ISA (KERNELS, sum)

void
ifbam_exact_sum_add_all (IfbamExactSum *sum, const double *term, size_t n, IfbamIsa isa)
{
  static void (*const reach[IFBAM_N_ISA]) (const double *, size_t, uint32_t *, uint32_t *) = {
    IFBAM_ISA_LIST (IFBAM_ISA_KERNEL, sum_reach)
  };
  static void (*const add[IFBAM_N_ISA]) (
      const double *, size_t, uint64_t, int64_t *) = { IFBAM_ISA_LIST (IFBAM_ISA_KERNEL, sum_add) };

  if (n < MIN_FOR_KERNEL)
    {
      for (size_t i = 0; i < n; i++)
        ifbam_exact_sum_add (sum, term[i]);
      return;
    }
  grow_up (sum);
  for (size_t some; n > 0; term += some, n -= some)
    {
      uint32_t least, highest, base;
      int64_t column[3];

      some = n < BLOCK ? n : BLOCK;
      reach[isa](term, some, &least, &highest);
      if (least == 2048)
        continue;
      if (highest == 2047 || highest - least >= 63)
        {
          for (size_t i = 0; i < some; i++)
            ifbam_exact_sum_add (sum, term[i]);
          continue;
        }
      least -= least > 0;
      highest -= highest > 0;
      if (sum->room < some)
        empty_window (sum);
      if (sum->base == IFBAM_EXACT_EMPTY)
        sum->base = place_window (least, highest);
      base = least >= sum->base && highest - sum->base < 64 ? sum->base : least;
      add[isa](term, some, base, column);
      add_wide (sum,
                ((IfbamWide) column[2] * ((IfbamWide) 1 << 32) + column[1]) * ((IfbamWide) 1 << 32)
                    + column[0],
                base, (uint32_t) some);
    }
}

/* Rounding */

static double
from_bits (uint64_t bits, int negative)
{
  union
  {
    uint64_t bits;
    double number;
  } value = { bits | (uint64_t) negative << 63 };

  return value.number;
}

__extension__ typedef unsigned __int128 Digits;

/* Rounds 96 bits or more, not all 0, above others; more: these are not all 0. place: of the end. */
static double
round_wide (IfbamWide wide, uint32_t place, int more, int negative)
{
  Digits digits = (Digits) wide, rest, half;
  const uint64_t high = (uint64_t) (digits >> 64), low = (uint64_t) digits;
  const int length = high ? 128 - __builtin_clzll (high) : low ? 64 - __builtin_clzll (low) : 0;
  int drop = length - 53;
  uint64_t kept;

  /* The smallest double is the unit: integers that end there are exact. */
  if (drop <= 0 && place == 0)
    return from_bits (low, negative);
  if (drop < 0)
    { /* there are no lower bits then */
      const int up = -drop < (int) place ? -drop : (int) place;

      digits <<= up;
      place -= (uint32_t) up;
      drop += up;
      if (drop < 0)
        drop = 0;
    }
  kept = (uint64_t) (digits >> drop);
  rest = digits - ((Digits) kept << drop);
  half = drop > 0 ? (Digits) 1 << (drop - 1) : 0;
  if (drop > 0 && (rest > half || (rest == half && (more || (kept & 1)))))
    kept++;
  place += (uint32_t) drop;
  if (place > 2045)
    return from_bits ((uint64_t) 0x7ff << 52, negative);
  return from_bits (((uint64_t) place << 52) + kept, negative);
}

static double
round_chunks (int64_t *chunk)
{
  const uint32_t last = IFBAM_EXACT_CHUNKS - 1;
  int negative, more = 0;
  uint32_t top;

  carry (chunk);
  negative = chunk[last] < 0;
  if (negative)
    {
      for (uint32_t i = 0; i <= last; i++)
        chunk[i] = -chunk[i];
      carry (chunk);
    }
  for (top = last; top > 2 && chunk[top] == 0;)
    top--;
  for (uint32_t i = 0; i + 2 < top && !more; i++)
    more = chunk[i] != 0;
  return round_wide (((IfbamWide) chunk[top] << 64) + ((IfbamWide) chunk[top - 1] << 32)
                         + chunk[top - 2],
                     32 * (top - 2), more, negative);
}

double
ifbam_exact_sum_round (const IfbamExactSum *sum)
{
  int64_t chunk[IFBAM_EXACT_CHUNKS];
  double few = 0;

  for (uint32_t i = 0; i < sum->n_early && sum->n_early < 3; i++)
    few += sum->early[i];
  if (sum->is_nan || sum->infinite == 3 || few != few)
    return from_bits ((uint64_t) 0x7ff8 << 48, 0);
  if (sum->n_early < 3)
    return few;
  if (sum->infinite)
    return from_bits ((uint64_t) 0x7ff << 52, sum->infinite == 2);
  if (!sum->chunked)
    return sum->window == 0 ? 0.0
                            : round_wide (sum->window < 0 ? -sum->window : sum->window, sum->base,
                                          0, sum->window < 0);
  memcpy (chunk, sum->chunk, sizeof chunk);
  if (sum->window != 0)
    put (chunk, sum->window, sum->base);
  return round_chunks (chunk);
}
