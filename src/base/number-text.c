/* number-text.c: a number as the shortest text that is read as the same double
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/number-text.h"

#include "base/number-put.h"

static IfbamNumberPower powers[IFBAM_NUMBER_POWERS];

char *
ifbam_number_put (char *place, double number)
{
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      ifbam_number_fill_powers (powers);
      g_once_init_leave (&ready, 1);
    }
  return ifbam_number_put_by (powers, place, number);
}

const char *
ifbam_number_text (char text[IFBAM_NUMBER_SIZE], double number)
{
  *ifbam_number_put (text, number) = '\0';
  return text;
}
