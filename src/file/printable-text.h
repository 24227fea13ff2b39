/* printable-text.h: makes texts of files and options safe for a terminal
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Replaces control characters except newlines, and invalid UTF-8, by question marks. */
void ifbam_make_printable (char *text);

/* Returns TEXT in quotes for a message: valid, printable, shortened (transfer full). */
char *ifbam_quote (const char *text);
