/* printable-text.h: texts of files and options as a terminal can show them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Replaces control codes but the ends of lines, and bytes that are no UTF-8, by question marks. */
void ifbam_make_showable (char *text);
