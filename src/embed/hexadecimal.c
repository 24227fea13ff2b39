/* hexadecimal.c: doubles as exact texts, independent of the locale
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/hexadecimal.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>

void
ifbam_hexadecimal_write (double number, char *text)
{
  char *mark;

  snprintf (text, IFBAM_HEXADECIMAL_LENGTH, "%a", number);
  /* A locale can only change the decimal mark. */
  mark = strchr (text, ',');
  if (mark != NULL)
    *mark = '.';
}

static int
digit (char c)
{
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

const char *
ifbam_hexadecimal_read (const char *text, double *number)
{
  const char *place = text + (*text == '-' ? 1 : 0);
  const double sign = *text == '-' ? -1.0 : 1.0;
  guint64 mantissa = 0;
  long exponent = 0;
  gboolean behind = FALSE, any = FALSE;

  if (strncmp (place, "inf", 3) == 0)
    {
      *number = sign * (double) INFINITY;
      return place + 3;
    }
  if (place[0] != '0' || place[1] != 'x')
    return text;
  for (place += 2; digit (*place) >= 0 || (*place == '.' && !behind); place++)
    {
      if (*place == '.')
        {
          behind = TRUE;
          continue;
        }
      if (mantissa >> 53 != 0)
        return text;
      mantissa = mantissa << 4 | (guint64) digit (*place);
      exponent -= behind ? 4 : 0;
      any = TRUE;
    }
  if (!any)
    return text;
  if (*place == 'p')
    {
      char *end;
      const long power = strtol (place + 1, &end, 10);

      if (end == place + 1 || power < -5000 || power > 5000)
        return text;
      exponent += power;
      place = end;
    }
  *number = sign * ldexp ((double) mantissa, (int) exponent);
  return place;
}
