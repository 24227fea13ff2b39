/* gnuplot-script.h: a script for gnuplot, and the picture or the text that it makes of it
 *
 * gnuplot gets its script and the data through its standard input and gives the picture on its
 * standard output, so there is no file but the finished one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/axis-units.h"
#include "figure/chart.h"

#define IFBAM_PICTURE_WIDTH  900 /* [pixels] */
#define IFBAM_PICTURE_HEIGHT 560 /* of one panel or map */

/* Whether a file's suffix is that of a picture; FALSE with IFBAM_ERROR_USAGE. */
gboolean ifbam_script_knows (const char *path, GError **error);

/* With the terminal for the path's suffix, which must be that of a picture, and the styles of all figures (transfer full). */
GString *ifbam_script_new (const char *path, guint height, const char *line_width);
/* For text of so many columns and lines (transfer full). */
GString *ifbam_script_new_text (guint columns, guint lines);

/* A number as scripts have it, to be appended at once. */
#define IFBAM_G10(number) IFBAM_FORMATTED ("%.10g", number)

/* A text in quotes. */
void ifbam_script_text (GString *script, const char *text);
void ifbam_script_range (GString *script, const char *axis, IfbamAxisRange range);
/* "quantity [unit]" */
void ifbam_script_label (GString *script, const char *axis, const char *quantity, const char *unit);
/* A title, if there is one, in lines of so many letters, between a command and its end. */
void ifbam_script_title (GString *script, const char *command, const char *title, guint letters,
                         const char *after);
/* Begins so many panels, one above the other (0: each says its place), below a title, or NULL. */
void ifbam_script_panels (GString *script, gsize n, const char *title);
/* The colours of maps. */
void ifbam_script_palette (GString *script);

/* Draws the script, which it takes over, into the path. */
gboolean ifbam_script_draw (GString *script, const char *path, GError **error);
/* Returns the text that the script draws (transfer full); takes the script over. */
char *ifbam_script_print (GString *script, GError **error);

/* Nothing is drawn: the words asked for another part of the picture, or the data are at fault. */
gboolean ifbam_script_refuse_empty (IfbamAxisRange x, IfbamAxisRange y, const char *reason,
                                    GError **error);
