/* overlay.h: columns of measured files that are drawn beside a network's signals: FILE:COLUMN=SIGNAL
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

/* One column; its texts are owned. */
typedef struct
{
  char *file, *column, *signal;
} IfbamOverlay;

/* The overlays among the texts of --signal (transfer full, IfbamOverlay), of which each text is replaced by its SIGNAL.
 * files: of the command; FILE is one of them that is a course, with or without its folder. NULL with IFBAM_ERROR_USAGE where
 * COLUMN or SIGNAL is missing. */
GArray *ifbam_overlays_read (char **signals, char **files, GError **error);

/* Renames the columns of a file's course to the signals that they stand for; *signals: these (transfer container,
 * NULL-terminated), or NULL where the file has no overlays. FALSE with an error where a column is missing. */
gboolean ifbam_overlays_rename (const GArray *overlays, const char *file, IfbamCourse *course,
                                const char ***signals, GError **error);
