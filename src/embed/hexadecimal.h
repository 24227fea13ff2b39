/* hexadecimal.h: doubles as exact texts, independent of the locale
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#define IFBAM_HEXADECIMAL_LENGTH 32

/* "-0x1.8p+3", "inf" */
void ifbam_hexadecimal_write (double number, char *text);
/* Returns the end of the number; text itself if a double can't represent it. */
const char *ifbam_hexadecimal_read (const char *text, double *number);
