/* extended.c: long doubles of 64 digits, as x86-64 has them, by whole numbers
 *
 * Compilers store a long double in 128 bits here, and ask these functions for what is done with it. What they are given and
 * what they answer has no more than the 64 binary digits of the x87's extended format, rounded to nearest and even as
 * there; exponents are of the same 15 bits. So both have the same bits. (Below 2^-16382, where digits get fewer there, is 0
 * here.)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdint.h>

typedef unsigned __int128 Wide;

long double __addtf3 (long double a, long double b);
long double __subtf3 (long double a, long double b);
long double __multf3 (long double a, long double b);
long double __divtf3 (long double a, long double b);
long double __extenddftf2 (double a);
long double __floatsitf (int a);
long double __floatunsitf (unsigned a);
double __trunctfdf2 (long double a);
int __eqtf2 (long double a, long double b);
int __netf2 (long double a, long double b);
int __lttf2 (long double a, long double b);
int __letf2 (long double a, long double b);
int __gttf2 (long double a, long double b);
int __getf2 (long double a, long double b);
int __unordtf2 (long double a, long double b);

#define TOP     (UINT64_C (1) << 63)
#define BIAS    16383
#define SPECIAL 0x7fff

/* (-1)^sign m 2^(exponent - BIAS - 63), m from 2^63 on; 0: m = 0. Infinite or none: exponent = SPECIAL, of the infinite
 * one m = TOP. */
typedef struct
{
  int sign, exponent;
  uint64_t m;
} Extended;

typedef union
{
  long double number;
  uint64_t part[2]; /* the lower one first */
} Bits;

/* digits 2^-64, rounded to nearest and even; `digits` from 2^127 on, or 0. */
static Extended
rounded (int sign, int exponent, Wide digits)
{
  uint64_t m = (uint64_t) (digits >> 64), rest = (uint64_t) digits;

  if (rest > TOP || (rest == TOP && (m & 1) != 0))
    {
      m++;
      if (m == 0)
        {
          m = TOP;
          exponent++;
        }
    }
  if (exponent >= SPECIAL)
    return (Extended){ sign, SPECIAL, TOP };
  if (m == 0 || exponent <= 0)
    return (Extended){ sign, 0, 0 };
  return (Extended){ sign, exponent, m };
}

static Extended
open (long double number)
{
  const Bits bits = { number };
  const int sign = (int) (bits.part[1] >> 63), exponent = (int) (bits.part[1] >> 48 & SPECIAL);
  const uint64_t high = (bits.part[1] << 16 | bits.part[0] >> 48) >> 1;
  const uint64_t low = bits.part[0] << 15;

  if (exponent == SPECIAL)
    return (Extended){ sign, SPECIAL, TOP | high };
  if (exponent == 0)
    return (Extended){ sign, 0, 0 };
  return rounded (sign, exponent, (Wide) (TOP | high) << 64 | low);
}

static long double
closed (Extended a)
{
  const uint64_t digits = a.m & (TOP - 1);
  const Bits bits = { .part = { digits << 49, (uint64_t) a.sign << 63 | (uint64_t) a.exponent << 48
                                                  | digits >> 15 } };

  return bits.number;
}

static int
is_none (Extended a)
{
  return a.exponent == SPECIAL && a.m != TOP;
}

static const Extended none = { 0, SPECIAL, TOP | TOP >> 1 };

/* Moved so that the highest of its digits is the first. */
static Extended
normal (int sign, int exponent, Wide digits)
{
  const uint64_t high = (uint64_t) (digits >> 64);
  int shift;

  if (digits == 0)
    return (Extended){ sign, 0, 0 };
  shift = high != 0 ? __builtin_clzll (high) : 64 + __builtin_clzll ((uint64_t) digits);
  return rounded (sign, exponent - shift, digits << shift);
}

static Extended
sum (Extended a, Extended b)
{
  Wide x, y;
  int apart;

  if (is_none (a) || is_none (b)
      || (a.exponent == SPECIAL && b.exponent == SPECIAL && a.sign != b.sign))
    return none;
  if (a.exponent == SPECIAL || b.m == 0)
    return a.m == 0 && b.m == 0 ? (Extended){ a.sign & b.sign, 0, 0 } : a;
  if (b.exponent == SPECIAL || a.m == 0)
    return b;
  if (a.exponent < b.exponent || (a.exponent == b.exponent && a.m < b.m))
    {
      const Extended larger = b;

      b = a;
      a = larger;
    }
  apart = a.exponent - b.exponent;
  /* Two bits before the digits: one for a carry; what is shifted out leaves a trace in the last one. */
  x = (Wide) a.m << 62;
  y = apart < 126 ? ((Wide) b.m << 62) >> apart : 0;
  if (apart >= 126 || y << apart != (Wide) b.m << 62)
    y |= 1;
  if (a.sign != b.sign)
    {
      x -= y;
      if (x == 0)
        return (Extended){ 0, 0, 0 };
    }
  else
    x += y;
  return normal (a.sign, a.exponent + 2, x);
}

static Extended
product (Extended a, Extended b)
{
  const int sign = a.sign ^ b.sign;
  const int endless = a.exponent == SPECIAL || b.exponent == SPECIAL;

  if (is_none (a) || is_none (b) || (endless && (a.m == 0 || b.m == 0)))
    return none;
  if (endless)
    return (Extended){ sign, SPECIAL, TOP };
  return normal (sign, a.exponent + b.exponent - BIAS + 1, (Wide) a.m * b.m);
}

static Extended
quotient (Extended a, Extended b)
{
  const int sign = a.sign ^ b.sign;
  const int less = a.m < b.m;
  uint64_t rest = a.m, digits = 0;

  if (is_none (a) || is_none (b) || (a.exponent == SPECIAL && b.exponent == SPECIAL)
      || (a.m == 0 && b.m == 0))
    return none;
  if (a.exponent == SPECIAL || b.m == 0)
    return (Extended){ sign, SPECIAL, TOP };
  if (b.exponent == SPECIAL || a.m == 0)
    return (Extended){ sign, 0, 0 };
  /* 64 digits from the first one that is not 0, then one that rounds, and whether more follow. */
  if (!less)
    rest -= b.m;
  digits = (uint64_t) !less;
  for (int i = less ? 0 : 1; i < 64; i++)
    {
      const uint64_t carry = rest >> 63;

      rest <<= 1;
      digits <<= 1;
      if (carry != 0 || rest >= b.m)
        {
          rest -= b.m;
          digits |= 1;
        }
    }
  {
    const uint64_t carry = rest >> 63, twice = rest << 1;
    const int half = carry != 0 || twice >= b.m;
    const uint64_t left = half ? twice - b.m : twice;

    return rounded (sign, a.exponent - b.exponent + BIAS - less,
                    (Wide) digits << 64 | (half ? TOP : 0) | (left != 0));
  }
}

long double
__addtf3 (long double a, long double b)
{
  return closed (sum (open (a), open (b)));
}

long double
__subtf3 (long double a, long double b)
{
  Extended other = open (b);

  other.sign ^= 1;
  return closed (sum (open (a), other));
}

long double
__multf3 (long double a, long double b)
{
  return closed (product (open (a), open (b)));
}

long double
__divtf3 (long double a, long double b)
{
  return closed (quotient (open (a), open (b)));
}

long double
__extenddftf2 (double a)
{
  union
  {
    double number;
    uint64_t bits;
  } both = { a };
  const int sign = (int) (both.bits >> 63), exponent = (int) (both.bits >> 52 & 0x7ff);
  const uint64_t digits = both.bits << 12;

  if (exponent == 0x7ff)
    return closed ((Extended){ sign, SPECIAL, TOP | digits >> 1 });
  if (exponent == 0)
    return closed (normal (sign, BIAS - 1022, (Wide) (digits >> 1) << 64));
  return closed ((Extended){ sign, exponent - 1023 + BIAS, TOP | digits >> 1 });
}

double
__trunctfdf2 (long double a)
{
  const Extended wide = open (a);
  int exponent = wide.exponent - BIAS + 1023, lost = 11;
  union
  {
    uint64_t bits;
    double number;
  } both = { (uint64_t) wide.sign << 63 };
  uint64_t m, rest, half;

  if (wide.exponent == SPECIAL || exponent >= 0x7ff)
    both.bits |= UINT64_C (0x7ff) << 52 | (is_none (wide) ? UINT64_C (1) << 51 : 0);
  else if (wide.m != 0 && exponent > -64)
    {
      if (exponent <= 0)
        {
          lost += 1 - exponent;
          exponent = 0;
        }
      m = lost < 64 ? wide.m >> lost : 0;
      rest = lost < 64 ? wide.m & ((UINT64_C (1) << lost) - 1) : wide.m;
      half = lost <= 64 ? UINT64_C (1) << (lost - 1) : 0;
      if (half != 0 && (rest > half || (rest == half && (m & 1) != 0)))
        m++;
      /* A carry goes into the exponent; the first digit of a normal one is told by it. */
      both.bits |= ((uint64_t) exponent << 52) + (exponent > 0 ? m - (UINT64_C (1) << 52) : m);
    }
  return both.number;
}

long double
__floatsitf (int a)
{
  return __extenddftf2 (a);
}

long double
__floatunsitf (unsigned a)
{
  return __extenddftf2 (a);
}

/* -1, 0, 1; 2: one is none. */
static int
compare (long double left, long double right)
{
  const Extended a = open (left), b = open (right);
  int larger;

  if (is_none (a) || is_none (b))
    return 2;
  if (a.m == 0 && b.m == 0)
    return 0;
  if (a.sign != b.sign)
    return a.sign != 0 ? -1 : 1;
  larger = a.exponent != b.exponent ? (a.exponent > b.exponent ? 1 : -1)
           : a.m != b.m             ? (a.m > b.m ? 1 : -1)
                                    : 0;
  return a.sign != 0 ? -larger : larger;
}

int
__eqtf2 (long double a, long double b)
{
  return compare (a, b);
}

int
__netf2 (long double a, long double b)
{
  return compare (a, b);
}

int
__lttf2 (long double a, long double b)
{
  return compare (a, b);
}

int
__letf2 (long double a, long double b)
{
  return compare (a, b);
}

/* Of these what is none has to be below 0. */
int
__gttf2 (long double a, long double b)
{
  const int result = compare (a, b);

  return result == 2 ? -1 : result;
}

int
__getf2 (long double a, long double b)
{
  return __gttf2 (a, b);
}

int
__unordtf2 (long double a, long double b)
{
  return compare (a, b) == 2;
}
