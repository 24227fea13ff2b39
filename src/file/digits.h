/* digits.h: decimal numbers at the start of texts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Number in a text: its digits are text[0..digits), without the exponent. */
typedef struct
{
  gsize digits;
  int exponent;
  const char *rest; /* text behind it, without blanks */
} IfbamDigits;

/* Reads the decimal number at the start of TEXT (no hexadecimal, no "inf"). */
gboolean ifbam_digits_scan (const char *text, IfbamDigits *number);
/* Returns the number at the start of TEXT times 10^POWER, rounded once. */
double ifbam_digits_scale (const char *text, const IfbamDigits *number, int power);
