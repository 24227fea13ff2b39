/* digits.c: decimal numbers at the start of texts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/digits.h"

#include <string.h>

gboolean
ifbam_digits_scan (const char *text, IfbamDigits *number)
{
  const char *p = text + (*text == '+' || *text == '-');
  const char *first = p;
  gsize n_digits;

  while (g_ascii_isdigit (*p))
    p++;
  n_digits = (gsize) (p - first);
  if (*p == '.')
    for (p++; g_ascii_isdigit (*p); p++)
      n_digits++;
  if (n_digits == 0)
    return FALSE;
  number->digits = (gsize) (p - text);
  number->exponent = 0;
  if (*p == 'e' || *p == 'E')
    {
      const char *q = p + 1 + (p[1] == '+' || p[1] == '-');

      if (g_ascii_isdigit (*q))
        {
          const int sign = p[1] == '-' ? -1 : 1;

          for (; g_ascii_isdigit (*q); q++)
            number->exponent = MIN (number->exponent * 10 + (*q - '0'), 1000000);
          number->exponent *= sign;
          p = q;
        }
    }
  number->rest = p + strspn (p, " \t");
  return TRUE;
}

double
ifbam_digits_scale (const char *text, const IfbamDigits *number, int power)
{
  char buffer[64];
  g_autofree char *longer = NULL;
  char *copy = buffer;

  if (number->digits > sizeof buffer - 16)
    copy = longer = g_malloc (number->digits + 16);
  memcpy (copy, text, number->digits);
  g_snprintf (copy + number->digits, 16, "e%d", number->exponent + power);
  return g_ascii_strtod (copy, NULL);
}
