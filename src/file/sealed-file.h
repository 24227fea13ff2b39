/* sealed-file.h: files in HDF5 that are complete or absent, with a checksum
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/hdf5.h"

/* Returns the SHA-256 of a file from its present position on (transfer full); NULL with errno. */
char *ifbam_sum_rest (int fd);

/* Returns the name of the previous file (transfer full). */
char *ifbam_sealed_old_name (const char *path);
/* Writes a file completely to the disk; after a failure the existing file stays. put() fills it;
 * FALSE: the library failed. keeps_before: an existing file is renamed to ifbam_sealed_old_name(). */
gboolean ifbam_sealed_write (const char *path, gboolean keeps_before,
                             gboolean (*put) (hid_t file, gconstpointer data), gconstpointer data,
                             GError **error);
/* Opens such a file for reading; sealed: its checksum must be right, which fails after another
 * program has written to it. Below 1 with IFBAM_ERROR_COURSE. */
hid_t ifbam_sealed_open (const char *path, const IfbamHdf5Kind *kind, gboolean sealed,
                         GError **error);
