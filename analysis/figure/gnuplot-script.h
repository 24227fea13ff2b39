/* gnuplot-script.h: scripts for gnuplot, and the pictures or texts drawn by them
 *
 * Script, data and picture are kept in memory: the only file is the finished picture.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/axis-units.h"
#include "figure/chart.h"

#define IFBAM_PICTURE_WIDTH  900 /* [pixels] */
#define IFBAM_PICTURE_HEIGHT 560 /* of one panel or map */

/* TRUE if a file's suffix is that of a picture; FALSE with IFBAM_ERROR_USAGE. */
gboolean ifbam_script_knows (const char *path, GError **error);

/* Creates a script with the terminal for the path's suffix, and styles (transfer full). */
GString *ifbam_script_new (const char *path, guint height, const char *line_width);
/* Creates a script for text (transfer full). */
GString *ifbam_script_new_text (guint columns, guint lines);

/* Formats a number for a script; valid in the block. */
#define IFBAM_G10(number) IFBAM_FORMATTED ("%.10g", number)

/* Appends a text in quotes. */
void ifbam_script_text (GString *script, const char *text);
void ifbam_script_range (GString *script, const char *axis, IfbamAxisRange range);
/* Appends "quantity [unit]" as an axis label. */
void ifbam_script_label (GString *script, const char *axis, const char *quantity, const char *unit);
/* Appends a title, if there is one, in lines of `letters`, between a command and its end. */
void ifbam_script_title (GString *script, const char *command, const char *title, guint letters,
                         const char *after);
/* Begins n panels, one below the other (0: each sets its position), below a title, or NULL. */
void ifbam_script_panels (GString *script, gsize n, const char *title);
/* Appends the colours of maps. */
void ifbam_script_palette (GString *script);

/* Draws the script into the path; takes ownership of the script. */
gboolean ifbam_script_draw (GString *script, const char *path, GError **error);
/* Returns the text that the script draws (transfer full); takes ownership of the script. */
char *ifbam_script_print (GString *script, GError **error);

/* Sets the error of an empty drawing: of the ranges if they are given, else `reason`. */
gboolean ifbam_script_refuse_empty (IfbamAxisRange x, IfbamAxisRange y, const char *reason,
                                    GError **error);
