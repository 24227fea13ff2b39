/* zip-archive.h: files in a zip archive, by libarchive
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

typedef struct
{
  const char *path; /* in the archive */
  gconstpointer data;
  gsize size;
} IfbamArchiveFile;

/* Writes n files in this order; equal files give equal bytes. Error: IFBAM_ERROR_WRITE. */
gboolean ifbam_zip_archive_write (IfbamOutput *output, const IfbamArchiveFile *files, guint n,
                                  GError **error);
