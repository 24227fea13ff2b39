/* hexadecimal.h: doubles as texts that lose no bit, whatever the locale
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#define IFBAM_HEXADECIMAL_LENGTH 32

/* "-0x1.8p+3", "inf" */
void ifbam_hexadecimal_write (double number, char *text);
/* Returns where the number ends: where it begins if there is none, or none that a double can hold. */
const char *ifbam_hexadecimal_read (const char *text, double *number);
