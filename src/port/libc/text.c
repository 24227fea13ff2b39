/* text.c: texts, numbers in texts and sorting, without a C library
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes: with bulk memory, compilers make one instruction of each of the first three. */

void *
memcpy (void *to, const void *from, size_t n)
{
  return __builtin_memcpy (to, from, n);
}

void *
memmove (void *to, const void *from, size_t n)
{
  return __builtin_memmove (to, from, n);
}

void *
memset (void *to, int value, size_t n)
{
  return __builtin_memset (to, value, n);
}

int
memcmp (const void *a, const void *b, size_t n)
{
  const unsigned char *p = a, *q = b;

  for (; n > 0; n--, p++, q++)
    if (*p != *q)
      return *p - *q;
  return 0;
}

void *
memchr (const void *memory, int value, size_t n)
{
  for (const unsigned char *p = memory; n > 0; n--, p++)
    if (*p == (unsigned char) value)
      return (void *) p;
  return NULL;
}

/* Texts */

size_t
strlen (const char *text)
{
  size_t n = 0;

  while (text[n] != '\0')
    n++;
  return n;
}

int
strcmp (const char *a, const char *b)
{
  while (*a != '\0' && *a == *b)
    a++, b++;
  return (unsigned char) *a - (unsigned char) *b;
}

int
strncmp (const char *a, const char *b, size_t n)
{
  while (n > 0 && *a != '\0' && *a == *b)
    a++, b++, n--;
  return n == 0 ? 0 : (unsigned char) *a - (unsigned char) *b;
}

char *
strchr (const char *text, int letter)
{
  for (; *text != (char) letter; text++)
    if (*text == '\0')
      return NULL;
  return (char *) text;
}

char *
strrchr (const char *text, int letter)
{
  const char *found = NULL;

  for (;; text++)
    {
      if (*text == (char) letter)
        found = text;
      if (*text == '\0')
        return (char *) found;
    }
}

char *
strstr (const char *text, const char *part)
{
  const size_t n = strlen (part);

  for (;; text++)
    {
      if (strncmp (text, part, n) == 0)
        return (char *) text;
      if (*text == '\0')
        return NULL;
    }
}

size_t
strspn (const char *text, const char *letters)
{
  size_t n = 0;

  while (text[n] != '\0' && strchr (letters, text[n]) != NULL)
    n++;
  return n;
}

size_t
strcspn (const char *text, const char *letters)
{
  size_t n = 0;

  while (text[n] != '\0' && strchr (letters, text[n]) == NULL)
    n++;
  return n;
}

char *
strpbrk (const char *text, const char *letters)
{
  text += strcspn (text, letters);
  return *text == '\0' ? NULL : (char *) text;
}

char *
strndup (const char *text, size_t n)
{
  const char *end = memchr (text, '\0', n);
  const size_t length = end == NULL ? n : (size_t) (end - text);
  char *copy = malloc (length + 1);

  if (copy == NULL)
    return NULL;
  copy[length] = '\0';
  return memcpy (copy, text, length);
}

/* Numbers */

unsigned long long
strtoull (const char *text, char **end, int base)
{
  unsigned long long number = 0;

  (void) base; /* always 10 */
  for (; *text >= '0' && *text <= '9'; text++)
    if (__builtin_mul_overflow (number, 10u, &number)
        || __builtin_add_overflow (number, (unsigned long long) (*text - '0'), &number))
      number = UINT64_MAX;
  if (end != NULL)
    *end = (char *) text;
  return number;
}

long
strtol (const char *text, char **end, int base)
{
  const char *digits = text + (*text == '-' || *text == '+' ? 1 : 0);
  char *behind;
  unsigned long long number = strtoull (digits, &behind, base);

  if (number > __LONG_MAX__)
    number = __LONG_MAX__;
  if (end != NULL)
    *end = behind == digits ? (char *) text : behind;
  return *text == '-' ? -(long) number : (long) number;
}

static uint64_t
bits_of (double number)
{
  uint64_t bits;

  memcpy (&bits, &number, sizeof bits);
  return bits;
}

static double
of_bits (uint64_t bits)
{
  double number;

  memcpy (&number, &bits, sizeof number);
  return number;
}

/* 2^exponent of a normal number */
static double
power_of_two (int exponent)
{
  return of_bits ((uint64_t) (exponent + 1023) << 52);
}

/* Rounds at most once: the products before the last factor are normal. */
double
ldexp (double x, int exponent)
{
  if (exponent > 2200 || exponent < -2200)
    exponent = exponent > 0 ? 2200 : -2200;
  for (; exponent > 1023; exponent -= 1023)
    x *= power_of_two (1023);
  /* 2^-969 leaves 53 digits of numbers from 1 on. */
  for (; exponent < -1022; exponent += 969)
    x *= power_of_two (-969);
  return x * power_of_two (exponent);
}

double
nextafter (double x, double y)
{
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  if (x == 0)
    return copysign (of_bits (1), y);
  return of_bits (bits_of (x) + ((x < y) == (x > 0) ? 1 : (uint64_t) -1));
}

/* Exact: the remainder by y 2^k has the same remainder by y; k decreases. */
double
fmod (double x, double y)
{
  double rest = fabs (x);
  const double by = fabs (y);

  if (!(by > 0) || !(rest < INFINITY))
    return NAN;
  while (rest >= by)
    {
      int k = (int) (bits_of (rest) >> 52) - (int) (bits_of (by) >> 52);
      double part = ldexp (by, k);

      if (!(part <= rest))
        part = ldexp (by, k - 1);
      rest -= part;
    }
  return copysign (rest, x);
}

/* Printing */

typedef struct
{
  char *text; /* NULL: only the length is computed */
  size_t size, length;
} Sink;

static void
put (Sink *sink, const char *text, size_t n)
{
  for (size_t i = 0; i < n; i++, sink->length++)
    if (sink->text != NULL && sink->length + 1 < sink->size)
      sink->text[sink->length] = text[i];
}

static void
put_whole (Sink *sink, uint64_t number, unsigned base)
{
  char digits[20];
  size_t n = sizeof digits;

  do
    digits[--n] = "0123456789abcdef"[number % base];
  while ((number /= base) > 0);
  put (sink, digits + n, sizeof digits - n);
}

/* Writes all digits of a finite number above 0, most significant first: it is 0.DIGITS times
 * 10^point. Returns their number. */
#define MOST_WORDS  130
#define MOST_DIGITS (9 * MOST_WORDS)

static int
exact_digits (double number, char *digits, int *point)
{
  const int raised = (int) (bits_of (number) >> 52 & 0x7ff);
  int power = (raised > 0 ? raised : 1) - 1075, n_words = 0, n = 0;
  uint64_t mantissa = (bits_of (number) & (UINT64_MAX >> 12)) | (uint64_t) (raised > 0) << 52;
  uint32_t word[MOST_WORDS];
  const int behind = power < 0 ? -power : 0;

  for (; mantissa > 0; mantissa /= 1000000000)
    word[n_words++] = (uint32_t) (mantissa % 1000000000);
  /* m 2^-p = m 5^p 10^-p */
  for (const unsigned by = power < 0 ? 5 : 2; power != 0; power += power < 0 ? 1 : -1)
    {
      uint64_t carry = 0;

      for (int i = 0; i < n_words; i++)
        {
          carry += (uint64_t) word[i] * by;
          word[i] = (uint32_t) (carry % 1000000000);
          carry /= 1000000000;
        }
      if (carry > 0)
        word[n_words++] = (uint32_t) carry;
    }
  for (int i = n_words; i-- > 0;)
    for (uint32_t unit = 100000000; unit > 0; unit /= 10)
      if (n > 0 || word[i] / unit % 10 > 0)
        digits[n++] = (char) ('0' + word[i] / unit % 10);
  *point = n - behind;
  return n;
}

/* Rounds to `wanted` digits, to nearest, ties to even. Returns TRUE if the result is 10^wanted. */
static int
round_digits (char *digits, int n, int wanted)
{
  int up;

  if (wanted >= n || wanted < 0)
    {
      for (int i = wanted < 0 ? 0 : n; i < wanted; i++)
        digits[i] = '0';
      return 0;
    }
  up = digits[wanted] > '5'
       || (digits[wanted] == '5' && wanted > 0 && (digits[wanted - 1] - '0') % 2 == 1);
  for (int i = wanted + 1; digits[wanted] == '5' && i < n && !up; i++)
    up = digits[i] > '0';
  for (int i = wanted; up && i-- > 0;)
    {
      up = digits[i] == '9';
      digits[i] = up ? '0' : (char) (digits[i] + 1);
    }
  if (!up)
    return 0;
  for (int i = wanted; i > 0; i--)
    digits[i] = digits[i - 1];
  digits[0] = '1';
  return 1;
}

static void
put_zeros (Sink *sink, int n)
{
  for (; n > 0; n--)
    put (sink, "0", 1);
}

/* Writes DIGITS (n) with the decimal point after `point` of them. */
static void
put_plain (Sink *sink, const char *digits, int n, int point)
{
  if (point <= 0)
    {
      put (sink, "0", 1);
      if (n > 0)
        put (sink, ".", 1);
      put_zeros (sink, n > 0 ? -point : 0);
      put (sink, digits, (size_t) n);
      return;
    }
  put (sink, digits, (size_t) (n < point ? n : point));
  put_zeros (sink, point - n);
  if (n > point)
    {
      put (sink, ".", 1);
      put (sink, digits + point, (size_t) (n - point));
    }
}

/* %f */
static void
put_fixed (Sink *sink, double number, int precision)
{
  char digits[MOST_DIGITS + 400];
  int point = 1, n = 0, wanted;

  if (number > 0)
    n = exact_digits (number, digits, &point);
  wanted = point + precision;
  if (n == 0 || wanted < 0)
    {
      n = 0;
      point = 1;
      wanted = 1 + precision;
      digits[0] = '0';
      n = 1;
    }
  point += round_digits (digits, n, wanted);
  wanted = point + precision;
  put_plain (sink, digits, wanted, point);
}

/* %g: the shorter of DIGITS and D.IGITSe+XX, without trailing zeros */
static void
put_general (Sink *sink, double number, int precision)
{
  char digits[MOST_DIGITS + 400];
  int point, n;

  if (precision == 0)
    precision = 1;
  if (number == 0)
    {
      put (sink, "0", 1);
      return;
    }
  n = exact_digits (number, digits, &point);
  point += round_digits (digits, n, precision);
  for (n = precision; n > 1 && digits[n - 1] == '0'; n--)
    ;
  if (point > -4 && point <= precision)
    {
      put_plain (sink, digits, n, point);
      return;
    }
  put_plain (sink, digits, n, 1);
  point--;
  put (sink, point < 0 ? "e-" : "e+", 2);
  if (point > -10 && point < 10)
    put (sink, "0", 1);
  put_whole (sink, (uint64_t) (point < 0 ? -point : point), 10);
}

/* %a */
static void
put_hexadecimal (Sink *sink, double number)
{
  const int raised = (int) (bits_of (number) >> 52);
  uint64_t rest = bits_of (number) & (UINT64_MAX >> 12);
  const int power = number == 0 ? 0 : (raised > 0 ? raised : 1) - 1023;

  put (sink, raised > 0 ? "0x1" : "0x0", 3);
  if (rest != 0)
    put (sink, ".", 1);
  for (; rest != 0; rest = rest << 4 & (UINT64_MAX >> 12))
    put_whole (sink, rest >> 48, 16);
  put (sink, power < 0 ? "p-" : "p+", 2);
  put_whole (sink, (uint64_t) (power < 0 ? -power : power), 10);
}

static void
put_number (Sink *sink, double number, char kind, int precision)
{
  if ((bits_of (number) >> 63) != 0)
    put (sink, "-", 1);
  number = fabs (number);
  if (number != number || number == INFINITY)
    put (sink, number != number ? "nan" : "inf", 3);
  else if (kind == 'a')
    put_hexadecimal (sink, number);
  else if (kind == 'f')
    put_fixed (sink, number, precision < 0 ? 6 : precision);
  else
    put_general (sink, number, precision < 0 ? 6 : precision);
}

static void
put_text (Sink *sink, const char *text, int precision)
{
  const char *end = precision < 0 ? NULL : memchr (text, '\0', (size_t) precision);

  put (sink, text,
       precision < 0 ? strlen (text)
       : end == NULL ? (size_t) precision
                     : (size_t) (end - text));
}

static void
print (Sink *sink, const char *format, va_list arguments)
{
  for (; *format != '\0'; format++)
    {
      int precision = -1, longs = 0;

      if (*format != '%')
        {
          put (sink, format, 1);
          continue;
        }
      format++;
      if (*format == '.' && format[1] == '*')
        {
          precision = va_arg (arguments, int);
          format += 2;
        }
      else if (*format == '.')
        for (precision = 0, format++; *format >= '0' && *format <= '9'; format++)
          precision = 10 * precision + (*format - '0');
      for (; *format == 'l' || *format == 'z'; format++)
        longs += *format == 'l';
      if (*format == 's')
        put_text (sink, va_arg (arguments, const char *), precision);
      else if (*format == 'd')
        {
          const int number = va_arg (arguments, int);

          put (sink, "-", number < 0);
          put_whole (sink, (uint64_t) (number < 0 ? -(int64_t) number : number), 10);
        }
      else if (*format == 'u' || *format == 'x')
        put_whole (
            sink, longs > 1 ? va_arg (arguments, unsigned long long) : va_arg (arguments, unsigned),
            *format == 'u' ? 10 : 16);
      else if (*format == 'a' || *format == 'f' || *format == 'g')
        put_number (sink, va_arg (arguments, double), *format, precision);
      else if (*format == '%')
        put (sink, "%", 1);
      else
        abort ();
    }
}

int
vasprintf (char **text, const char *format, va_list arguments)
{
  Sink sink = { 0 };
  va_list again;

  va_copy (again, arguments);
  print (&sink, format, again);
  va_end (again);
  sink.size = sink.length + 1;
  sink.text = *text = malloc (sink.size);
  if (*text == NULL)
    return -1;
  sink.length = 0;
  print (&sink, format, arguments);
  sink.text[sink.length] = '\0';
  return (int) sink.length;
}

int
snprintf (char *text, size_t size, const char *format, ...)
{
  Sink sink = { text, size, 0 };
  va_list arguments;

  va_start (arguments, format);
  print (&sink, format, arguments);
  va_end (arguments);
  if (size > 0)
    text[sink.length < size ? sink.length : size - 1] = '\0';
  return (int) sink.length;
}

/* Sorting: halves are sorted, then merged; the sort is stable. */

static void
sort (char *base, size_t n, size_t size, int (*compare) (const void *a, const void *b),
      char *scratch)
{
  const size_t half = n / 2;
  size_t i = 0, j = half;

  if (n < 2)
    return;
  sort (base, half, size, compare, scratch);
  sort (base + half * size, n - half, size, compare, scratch);
  for (size_t k = 0; k < n; k++)
    {
      const int first = j == n || (i < half && compare (base + i * size, base + j * size) <= 0);

      memcpy (scratch + k * size, base + (first ? i++ : j++) * size, size);
    }
  memcpy (base, scratch, n * size);
}

void
qsort (void *base, size_t n, size_t size, int (*compare) (const void *a, const void *b))
{
  char *scratch = malloc (n * size + 1);

  if (scratch == NULL)
    abort ();
  sort (base, n, size, compare, scratch);
  free (scratch);
}
