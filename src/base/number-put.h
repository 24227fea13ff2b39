/* number-put.h: a number as the shortest text that is read as the same double; freestanding C
 *
 * After R. Giulietti, The Schubfach way to render doubles, 2020. A double c 2^q stands for all
 * reals between the midpoints to its neighbours. With 10^k the largest power that is not wider than
 * their distance, at least one multiple of 10^k is between them, and at most one of 10^(k+1): the
 * shorter text. Three products with a power of ten of 128 bits, rounded to odd, decide.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define IFBAM_NUMBER_LEAST (-292)
#define IFBAM_NUMBER_MOST  324

/* 10^k = g 2^r with 2^127 <= g < 2^128, g rounded up */
typedef struct
{
  uint64_t high, low;
} IfbamNumberPower;

#define IFBAM_NUMBER_POWERS (IFBAM_NUMBER_MOST - IFBAM_NUMBER_LEAST + 1)

/* Long numbers, lowest word first, for the table only: 2^LENGTH > 10^MOST times 2^128. */
#define IFBAM_NUMBER_WORDS  40
#define IFBAM_NUMBER_LENGTH (32 * IFBAM_NUMBER_WORDS - 1)

typedef struct
{
  uint32_t word[IFBAM_NUMBER_WORDS];
} IfbamNumberLong;

static inline void
ifbam_number_multiply (IfbamNumberLong *number)
{
  uint64_t carry = 0;

  for (unsigned i = 0; i < IFBAM_NUMBER_WORDS; i++)
    {
      carry += 10 * (uint64_t) number->word[i];
      number->word[i] = (uint32_t) carry;
      carry >>= 32;
    }
}

/* Rounds down; earlier rounding down does not change the quotient. */
static inline void
ifbam_number_divide (IfbamNumberLong *number)
{
  uint64_t rest = 0;

  for (unsigned i = IFBAM_NUMBER_WORDS; i-- > 0;)
    {
      rest = rest << 32 | number->word[i];
      number->word[i] = (uint32_t) (rest / 10);
      rest %= 10;
    }
}

/* Returns the first 128 bits of the number, plus one if it has others or is inexact itself. */
static inline IfbamNumberPower
ifbam_number_first_bits (const IfbamNumberLong *number, int inexact)
{
  unsigned top = IFBAM_NUMBER_WORDS - 1;
  unsigned __int128 bits = 0;
  unsigned shift;

  while (number->word[top] == 0)
    top--;
  shift = (unsigned) __builtin_clz (number->word[top]);
  for (unsigned i = 0; i < 4; i++)
    bits = bits << 32 | (top >= i ? number->word[top - i] : 0);
  bits <<= shift;
  if (top >= 4 && shift > 0)
    bits |= number->word[top - 4] >> (32 - shift);
  if (top >= 4)
    inexact |= number->word[top - 4] << shift != 0;
  for (unsigned i = 5; i <= top; i++)
    inexact |= number->word[top - i] != 0;
  bits += inexact;
  return (IfbamNumberPower){ (uint64_t) (bits >> 64), (uint64_t) bits };
}

static inline void
ifbam_number_fill_powers (IfbamNumberPower *powers)
{
  IfbamNumberLong number = { { 1 } };

  for (int k = 0; k <= IFBAM_NUMBER_MOST; k++)
    {
      powers[k - IFBAM_NUMBER_LEAST] = ifbam_number_first_bits (&number, 0);
      ifbam_number_multiply (&number);
    }
  number = (IfbamNumberLong){ { 0 } };
  number.word[IFBAM_NUMBER_LENGTH / 32] = 1u << IFBAM_NUMBER_LENGTH % 32;
  for (int k = -1; k >= IFBAM_NUMBER_LEAST; k--)
    {
      ifbam_number_divide (&number);
      powers[k - IFBAM_NUMBER_LEAST] = ifbam_number_first_bits (&number, 1);
    }
}

/* Returns the first bits of the product; the last of them is 1 if others follow. */
static inline uint64_t
ifbam_number_round_to_odd (const IfbamNumberPower *power, uint64_t factor)
{
  const unsigned __int128 low = (unsigned __int128) power->low * factor;
  const unsigned __int128 all = (unsigned __int128) power->high * factor + (uint64_t) (low >> 64);

  return (uint64_t) (all >> 64) | ((uint64_t) all > 1);
}

/* Returns the ifbam_number_shortest digits of c 2^q, times 10^*exponent. */
static inline uint64_t
ifbam_number_shortest (const IfbamNumberPower *powers, uint64_t c, int q, int uneven, int *exponent)
{
  /* floor (log10 (2^q)), or of 3/4 of it if the lower neighbour is nearer; floor (log2 (10^-k)) */
  const int k = (q * 1262611 - (uneven ? 524031 : 0)) >> 22;
  const int h = q + ((-k * 1741647) >> 19) + 1;
  const IfbamNumberPower *power = &powers[-k - IFBAM_NUMBER_LEAST];
  const uint64_t below = ifbam_number_round_to_odd (power, (4 * c - 2 + uneven) << h);
  const uint64_t value = ifbam_number_round_to_odd (power, (4 * c) << h);
  const uint64_t above = ifbam_number_round_to_odd (power, (4 * c + 2) << h);
  /* the midpoints themselves are read as the even neighbour */
  const uint64_t lower = below + (c & 1), upper = above - (c & 1);
  const uint64_t s = value / 4, tens = s / 10;
  int one, other;

  *exponent = k + 1;
  if (s >= 10)
    {
      one = lower <= 40 * tens;
      other = 40 * tens + 40 <= upper;
      if (one != other)
        return tens + (uint64_t) other;
    }
  *exponent = k;
  one = lower <= 4 * s;
  other = 4 * s + 4 <= upper;
  if (one != other)
    return s + (uint64_t) other;
  return s + (value > 4 * s + 2 || (value == 4 * s + 2 && (s & 1) != 0));
}

/* Writes two digits. */
static inline void
ifbam_number_put_pair (char *place, uint32_t number)
{
  static const char PAIRS[] =
      "0001020304050607080910111213141516171819202122232425262728293031323334"
      "3536373839404142434445464748495051525354555657585960616263646566676869"
      "707172737475767778798081828384858687888990919293949596979899";

  memcpy (place, PAIRS + (size_t) 2 * number, 2);
}

/* Writes eight digits; divisions of short numbers are faster than those of long ones. */
static inline void
ifbam_number_put_eight (char *place, uint32_t number)
{
  const uint32_t high = number / 10000, low = number % 10000;

  ifbam_number_put_pair (place, high / 100);
  ifbam_number_put_pair (place + 2, high % 100);
  ifbam_number_put_pair (place + 4, low / 100);
  ifbam_number_put_pair (place + 6, low % 100);
}

/* Writes the digits of a number above 0 without trailing zeros; returns their number. */
static inline int
ifbam_number_put_digits (char digits[24], uint64_t number, int *exponent)
{
  char padded[24];
  int first = 0;

  while (number % 10 == 0)
    {
      number /= 10;
      ++*exponent;
    }
  ifbam_number_put_eight (padded + 16, (uint32_t) (number % 100000000));
  number /= 100000000;
  ifbam_number_put_eight (padded + 8, (uint32_t) (number % 100000000));
  ifbam_number_put_eight (padded, (uint32_t) (number / 100000000));
  while (padded[first] == '0')
    first++;
  memcpy (digits, padded + first, (size_t) (24 - first));
  return 24 - first;
}

static inline char *
ifbam_number_put_exponent (char *place, int exponent)
{
  const int magnitude = (exponent < 0 ? -exponent : exponent);

  *place++ = 'e';
  *place++ = exponent < 0 ? '-' : '+';
  if (magnitude >= 100)
    *place++ = (char) ('0' + magnitude / 100);
  *place++ = (char) ('0' + magnitude / 10 % 10);
  *place++ = (char) ('0' + magnitude % 10);
  return place;
}

/* Writes the digits times 10^exponent in the format of %.17g. */
static inline char *
ifbam_number_lay_out (char *place, const char *digits, int n, int exponent)
{
  const int first = exponent + n - 1; /* the power of ten of the first digit */

  if (first < -4 || first > 16)
    {
      *place++ = digits[0];
      if (n > 1)
        *place++ = '.';
      memcpy (place, digits + 1, (size_t) n - 1);
      return ifbam_number_put_exponent (place + n - 1, first);
    }
  if (first < 0)
    {
      memcpy (place, "0.0000", (size_t) (1 - first));
      memcpy (place + 1 - first, digits, (size_t) n);
      return place + 1 - first + n;
    }
  if (exponent >= 0)
    {
      memcpy (place, digits, (size_t) n);
      memset (place + n, '0', (size_t) exponent);
      return place + n + exponent;
    }
  memcpy (place, digits, (size_t) first + 1);
  place[first + 1] = '.';
  memcpy (place + first + 2, digits + first + 1, (size_t) (n - first - 1));
  return place + n + 1;
}

/* powers: filled (IFBAM_NUMBER_POWERS). See base/number-text.h. */
static inline char *
ifbam_number_put_by (const IfbamNumberPower *powers, char *place, double number)
{
  char digits[24] = "";
  uint64_t bits, c;
  int q, n, exponent = 0;

  memcpy (&bits, &number, sizeof bits);
  if (isnan (number))
    return memcpy (place, "nan", 3) + 3;
  if (bits >> 63 != 0)
    *place++ = '-';
  if (isinf (number))
    return memcpy (place, "inf", 3) + 3;
  c = bits & (((uint64_t) 1 << 52) - 1);
  q = (int) (bits >> 52 & 0x7ff);
  if (q == 0 && c == 0)
    {
      *place = '0';
      return place + 1;
    }
  if (fabs (number) < 0x1p53 && fabs (number) == (double) (uint64_t) fabs (number))
    n = ifbam_number_put_digits (digits, (uint64_t) fabs (number), &exponent);
  else
    {
      const int uneven = c == 0 && q > 1;

      if (q > 0)
        c |= (uint64_t) 1 << 52;
      c = ifbam_number_shortest (powers, c, (q > 0 ? q : 1) - 1075, uneven, &exponent);
      n = ifbam_number_put_digits (digits, c, &exponent);
    }
  return ifbam_number_lay_out (place, digits, n, exponent);
}
