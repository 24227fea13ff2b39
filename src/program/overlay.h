/* overlay.h: columns of measured files drawn beside a network's signals: FILE:COLUMN=SIGNAL
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

/* One column; its texts are owned. */
typedef struct
{
  char *file, *column, *signal;
} IfbamOverlay;

/* Returns the overlays among the texts of --signal (transfer full, IfbamOverlay), and replaces
 * these texts by their SIGNAL. files: of the command; FILE is a course among them, with or without
 * its directory. NULL with IFBAM_ERROR_USAGE if COLUMN or SIGNAL is missing. */
GArray *ifbam_overlays_read (char **signals, char **files, GError **error);

/* Renames the columns of a file's course to their signals; *signals: these (transfer container,
 * NULL-terminated), or NULL without overlays. FALSE with an error: a column is missing. */
gboolean ifbam_overlays_rename (const GArray *overlays, const char *file, IfbamCourse *course,
                                const char ***signals, GError **error);
