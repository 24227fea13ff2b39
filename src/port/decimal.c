/* decimal.c: numbers from and to decimal text, independent of the locale
 *
 * Digits are multiplied and divided by powers of two until they are a number from 1/2 to 1. Its first
 * 53 bits are the result, rounded to nearest, ties to even (as in the library of Go).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <port/glib-object.h> /* also if the compiler has the path of another one */
#include <math.h>
#include <stdio.h>

/* A tie of two doubles has at most 767 digits; more digits only say that it is none. */
#define MAX_DIGITS 800
/* Power of two that leaves room for a digit in 64 bits. */
#define MAX_SHIFT 59

/* 0.DIGITS times 10^point */
typedef struct
{
  guint8 digit[MAX_DIGITS + 20];
  int n, point;
} Decimal;

static void
trim (Decimal *self)
{
  for (; self->n > MAX_DIGITS; self->n--)
    if (self->digit[self->n - 1] != 0)
      self->digit[MAX_DIGITS - 1] |= 1;
  while (self->n > 0 && self->digit[self->n - 1] == 0)
    self->n--;
}

static void
multiply (Decimal *self, int shift)
{
  guint64 carry = 0;
  int added = 0;

  for (guint64 rest = self->n == 0 ? 0 : ((guint64) self->digit[0] + 1) << shift; rest > 9;
       rest /= 10)
    added++;
  for (int i = self->n; i-- > 0; carry /= 10)
    {
      carry += (guint64) self->digit[i] << shift;
      self->digit[i + added] = (guint8) (carry % 10);
    }
  for (int i = added; i-- > 0; carry /= 10)
    self->digit[i] = (guint8) (carry % 10);
  self->n += added;
  self->point += added;
  if (self->n > 0 && self->digit[0] == 0)
    {
      memmove (self->digit, self->digit + 1, (gsize) --self->n);
      self->point--;
    }
  trim (self);
}

static void
divide (Decimal *self, int shift)
{
  guint64 rest = 0;
  int from = 0, n = 0;

  for (; rest >> shift == 0 && (from < self->n || rest > 0); from++, self->point--)
    rest = 10 * rest + (from < self->n ? self->digit[from] : 0);
  self->point++;
  for (; rest > 0 || from < self->n; from++)
    {
      const guint8 next = from < self->n ? self->digit[from] : 0;

      if (n < MAX_DIGITS)
        self->digit[n++] = (guint8) (rest >> shift);
      else if (rest > 0)
        self->digit[MAX_DIGITS - 1] |= 1;
      rest = 10 * (rest & (((guint64) 1 << shift) - 1)) + next;
    }
  self->n = n;
  trim (self);
}

/* Returns the integer part, at most 2^53, rounded. */
static guint64
rounded (const Decimal *self)
{
  guint64 whole = 0;
  int i = 0;

  for (; i < self->point; i++)
    whole = 10 * whole + (i < self->n ? self->digit[i] : 0);
  if (self->point < 0 || i >= self->n)
    return whole;
  if (self->digit[i] == 5 && i + 1 == self->n)
    return whole + (whole & 1);
  return whole + (self->digit[i] >= 5);
}

static double
number_of (Decimal *self)
{
  int exponent = 0;

  if (self->n == 0 || self->point < -330)
    return 0;
  if (self->point > 310)
    return INFINITY;
  for (int shift; self->point > 0; exponent += shift)
    {
      shift = self->point > 8 ? 27 : 1 + 3 * (self->point - 1);
      divide (self, shift);
    }
  for (int shift; self->point < 0 || self->digit[0] < 5; exponent -= shift)
    {
      shift = self->point < -8 ? 27 : self->point < 0 ? 1 - 3 * self->point - 1 : 1;
      multiply (self, shift);
    }
  /* Below the least exponent there are fewer bits. */
  for (; exponent < -1021; exponent++)
    divide (self, 1);
  multiply (self, 53);
  return ldexp ((double) rounded (self), exponent - 53);
}

/* Reads digits, with a point and an exponent; "inf" and hexadecimal numbers are none. */
double
g_ascii_strtod (const char *text, char **end)
{
  static const double tens[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
  const double sign = *text == '-' ? -1 : 1;
  const char *p = text + (*text == '-' || *text == '+');
  Decimal decimal = { .n = 0 };
  gboolean behind = FALSE, any = FALSE;
  guint64 whole = 0;
  int power;

  for (; g_ascii_isdigit (*p) || (*p == '.' && !behind); p++)
    {
      behind |= *p == '.';
      any |= *p != '.';
      decimal.point +=
          (!behind && (decimal.n > 0 || *p != '0')) - (behind && *p == '0' && decimal.n == 0);
      if (*p == '.' || (*p == '0' && decimal.n == 0))
        continue;
      if (decimal.n < MAX_DIGITS)
        decimal.digit[decimal.n++] = (guint8) (*p - '0');
      else if (*p != '0')
        decimal.digit[MAX_DIGITS - 1] |= 1;
      whole = decimal.n < 16 ? 10 * whole + (guint64) (*p - '0') : whole;
    }
  if (end != NULL)
    *end = (char *) (any ? p : text);
  if (!any)
    return 0;
  if (*p == 'e' || *p == 'E')
    {
      char *behind_power;
      const long exponent = strtol (p + 1, &behind_power, 10);

      if (behind_power > p + 1)
        {
          decimal.point += (int) CLAMP (exponent, -100000, 100000);
          if (end != NULL)
            *end = behind_power;
        }
    }
  power = decimal.point - decimal.n;
  if (decimal.n < 16 && ABS (power) < (int) G_N_ELEMENTS (tens))
    return sign * (power < 0 ? (double) whole / tens[-power] : (double) whole * tens[power]);
  trim (&decimal);
  return sign * number_of (&decimal);
}

char *
g_ascii_formatd (char *text, gint size, const char *format, double number)
{
  char *mark;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf (text, (gsize) size, format, number);
#pragma GCC diagnostic pop
  /* A locale can only change the decimal mark. */
  mark = strchr (text, ',');
  if (mark != NULL)
    *mark = '.';
  return text;
}
