/* sealed-file.h: files in HDF5 that are there whole or not at all, with a checksum
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/hdf5.h"

/* Returns the SHA-256 of a file's bytes from its present position on (transfer full); NULL with errno. */
char *ifbam_sum_rest (int fd);

/* Where the one before stays (transfer full). */
char *ifbam_sealed_before (const char *path);
/* Writes a file, whole and on the disk; after a failure the file before stays. put() fills it; FALSE: the library failed.
 * keeps_before: a file that was there gets another name, ifbam_sealed_before(). IFBAM_ERROR_WRITE. */
gboolean ifbam_sealed_write (const char *path, gboolean keeps_before,
                             gboolean (*put) (hid_t file, gconstpointer data), gconstpointer data,
                             GError **error);
/* Opens a file of this kind to be read; sealed: its checksum must be right, which fails after another program wrote
 * to it. Below 1 with IFBAM_ERROR_COURSE. */
hid_t ifbam_sealed_open (const char *path, const IfbamHdf5Kind *kind, gboolean sealed,
                         GError **error);
