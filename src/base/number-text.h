/* number-text.h: a number as the shortest text that reads back to it
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Enough for any number, with its zero. */
#define IFBAM_NUMBER_SIZE 32

/* Writes the fewest digits that read back to the same double, of these the nearest ones, with a point whatever
 * the locale, as %.17g would lay them out: 0.1, -0, 1e-05, 1e+17, inf, nan. Returns the place after the
 * last one (IFBAM_NUMBER_SIZE bytes are enough); writes no zero. */
char *ifbam_number_put (char *place, double number);
/* The same with a zero at its end; returns text. */
const char *ifbam_number_text (char text[IFBAM_NUMBER_SIZE], double number);

/* The text of a number, as long as the block in which it is asked for. */
#define IFBAM_NUMBER(number) ifbam_number_text ((char[IFBAM_NUMBER_SIZE]){ 0 }, number)
