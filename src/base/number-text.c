/* number-text.c: a number as the shortest text that reads back to it
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * After R. Giulietti, The Schubfach way to render doubles, 2020. A double c 2^q stands for all reals between
 * the middles to its neighbours. With 10^k the largest power that is no wider than they are apart, one
 * multiple of 10^k or more lies among them, and one of 10^(k+1) at most: this one is the shorter text. Three
 * products with a power of ten of 128 bits, rounded to odd, decide all of it.
 */
#include "base/number-text.h"

#include <math.h>
#include <string.h>

#define LEAST -292
#define MOST  324

/* 10^k = g 2^r with 2^127 <= g < 2^128, g rounded up (MOST - LEAST + 1) */
typedef struct
{
  guint64 high, low;
} Power;

static Power powers[MOST - LEAST + 1];

/* Long numbers, least word first, for the table only. 2^LENGTH is more than 10^MOST times 2^128. */
#define WORDS  40
#define LENGTH (32 * WORDS - 1)

typedef struct
{
  guint32 word[WORDS];
} Long;

static void
multiply_by_ten (Long *number)
{
  guint64 carry = 0;

  for (guint i = 0; i < WORDS; i++)
    {
      carry += 10 * (guint64) number->word[i];
      number->word[i] = (guint32) carry;
      carry >>= 32;
    }
}

/* Rounds down; of what was rounded down before the quotient is the same. */
static void
divide_by_ten (Long *number)
{
  guint64 rest = 0;

  for (guint i = WORDS; i-- > 0;)
    {
      rest = rest << 32 | number->word[i];
      number->word[i] = (guint32) (rest / 10);
      rest %= 10;
    }
}

/* The first 128 bits of the number, one more where it has others or is inexact itself. */
static Power
first_bits (const Long *number, gboolean inexact)
{
  guint top = WORDS - 1;
  unsigned __int128 bits = 0;
  guint shift;

  while (number->word[top] == 0)
    top--;
  shift = (guint) __builtin_clz (number->word[top]);
  for (guint i = 0; i < 4; i++)
    bits = bits << 32 | (top >= i ? number->word[top - i] : 0);
  bits <<= shift;
  if (top >= 4 && shift > 0)
    bits |= number->word[top - 4] >> (32 - shift);
  if (top >= 4)
    inexact |= number->word[top - 4] << shift != 0;
  for (guint i = 5; i <= top; i++)
    inexact |= number->word[top - i] != 0;
  bits += inexact;
  return (Power){ (guint64) (bits >> 64), (guint64) bits };
}

static void
fill_powers (void)
{
  static gsize ready;
  Long number = { { 1 } };

  if (!g_once_init_enter (&ready))
    return;
  for (int k = 0; k <= MOST; k++)
    {
      powers[k - LEAST] = first_bits (&number, FALSE);
      multiply_by_ten (&number);
    }
  number = (Long){ 0 };
  number.word[LENGTH / 32] = 1u << LENGTH % 32;
  for (int k = -1; k >= LEAST; k--)
    {
      divide_by_ten (&number);
      powers[k - LEAST] = first_bits (&number, TRUE);
    }
  g_once_init_leave (&ready, 1);
}

/* The first bits of the product; the last of them tells whether others follow. */
static guint64
round_to_odd (const Power *power, guint64 factor)
{
  const unsigned __int128 low = (unsigned __int128) power->low * factor;
  const unsigned __int128 all = (unsigned __int128) power->high * factor + (guint64) (low >> 64);

  return (guint64) (all >> 64) | ((guint64) all > 1);
}

/* The shortest digits of c 2^q, times 10^*exponent. */
static guint64
shortest (guint64 c, int q, gboolean uneven, int *exponent)
{
  /* floor (log10 (2^q)), or of 3/4 of it where the neighbour below is nearer; floor (log2 (10^-k)) */
  const int k = (q * 1262611 - (uneven ? 524031 : 0)) >> 22;
  const int h = q + ((-k * 1741647) >> 19) + 1;
  const Power *power = &powers[-k - LEAST];
  const guint64 below = round_to_odd (power, (4 * c - 2 + uneven) << h);
  const guint64 value = round_to_odd (power, (4 * c) << h);
  const guint64 above = round_to_odd (power, (4 * c + 2) << h);
  /* the middles themselves read as the even neighbour */
  const guint64 lower = below + (c & 1), upper = above - (c & 1);
  const guint64 s = value / 4, tens = s / 10;
  gboolean one, other;

  *exponent = k + 1;
  if (s >= 10)
    {
      one = lower <= 40 * tens;
      other = 40 * tens + 40 <= upper;
      if (one != other)
        return tens + (guint64) other;
    }
  *exponent = k;
  one = lower <= 4 * s;
  other = 4 * s + 4 <= upper;
  if (one != other)
    return s + (guint64) other;
  return s + (value > 4 * s + 2 || (value == 4 * s + 2 && (s & 1) != 0));
}

/* The digits of a number above 0 without the zeros at its end; returns how many they are. */
static int
put_digits (char digits[20], guint64 number, int *exponent)
{
  char turned[20];
  int n = 0, length;

  while (number % 10 == 0)
    {
      number /= 10;
      ++*exponent;
    }
  for (; number > 0; number /= 10)
    turned[n++] = (char) ('0' + number % 10);
  length = n;
  while (n > 0)
    *digits++ = turned[--n];
  return length;
}

static char *
put_exponent (char *place, int exponent)
{
  const int magnitude = ABS (exponent);

  *place++ = 'e';
  *place++ = exponent < 0 ? '-' : '+';
  if (magnitude >= 100)
    *place++ = (char) ('0' + magnitude / 100);
  *place++ = (char) ('0' + magnitude / 10 % 10);
  *place++ = (char) ('0' + magnitude % 10);
  return place;
}

/* The digits times 10^exponent as %.17g lays them out. */
static char *
lay_out (char *place, const char *digits, int n, int exponent)
{
  const int first = exponent + n - 1; /* the power of ten of the first digit */

  if (first < -4 || first > 16)
    {
      *place++ = digits[0];
      if (n > 1)
        *place++ = '.';
      memcpy (place, digits + 1, (gsize) n - 1);
      return put_exponent (place + n - 1, first);
    }
  if (first < 0)
    {
      memcpy (place, "0.0000", (gsize) (1 - first));
      memcpy (place + 1 - first, digits, (gsize) n);
      return place + 1 - first + n;
    }
  if (exponent >= 0)
    {
      memcpy (place, digits, (gsize) n);
      memset (place + n, '0', (gsize) exponent);
      return place + n + exponent;
    }
  memcpy (place, digits, (gsize) first + 1);
  place[first + 1] = '.';
  memcpy (place + first + 2, digits + first + 1, (gsize) (n - first - 1));
  return place + n + 1;
}

char *
ifbam_number_put (char *place, double number)
{
  char digits[20] = "";
  guint64 bits, c;
  int q, n, exponent = 0;

  memcpy (&bits, &number, sizeof bits);
  if (isnan (number))
    return memcpy (place, "nan", 3) + 3;
  if (bits >> 63 != 0)
    *place++ = '-';
  if (isinf (number))
    return memcpy (place, "inf", 3) + 3;
  c = bits & (((guint64) 1 << 52) - 1);
  q = (int) (bits >> 52 & 0x7ff);
  if (q == 0 && c == 0)
    {
      *place = '0';
      return place + 1;
    }
  if (fabs (number) < 0x1p53 && fabs (number) == (double) (guint64) fabs (number))
    n = put_digits (digits, (guint64) fabs (number), &exponent);
  else
    {
      const gboolean uneven = c == 0 && q > 1;

      fill_powers ();
      if (q > 0)
        c |= (guint64) 1 << 52;
      c = shortest (c, MAX (q, 1) - 1075, uneven, &exponent);
      n = put_digits (digits, c, &exponent);
    }
  return lay_out (place, digits, n, exponent);
}

const char *
ifbam_number_text (char text[IFBAM_NUMBER_SIZE], double number)
{
  *ifbam_number_put (text, number) = '\0';
  return text;
}
