/* number-text.h: a number as the shortest text that is read as the same double
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Sufficient for any number, with the terminating zero. */
#define IFBAM_NUMBER_SIZE 32

/* Writes the fewest digits that are read as the same double, of these the nearest ones, with a
 * point in any locale, in the format of %.17g: 0.1, -0, 1e-05, 1e+17, inf, nan. Returns the
 * position after the last one (at most IFBAM_NUMBER_SIZE bytes); no terminating zero. */
char *ifbam_number_put (char *place, double number);
/* The same with a terminating zero; returns text. */
const char *ifbam_number_text (char text[IFBAM_NUMBER_SIZE], double number);

/* The text of a number, valid until the end of the surrounding block. */
#define IFBAM_NUMBER(number) ifbam_number_text ((char[IFBAM_NUMBER_SIZE]){ 0 }, number)
