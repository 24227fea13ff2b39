/* output-file.h: writes a file that appears complete or not at all, or a stream
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct _IfbamOutput IfbamOutput;

/* path: NULL or "-" is standard output. A regular file (also behind symbolic links) is written as
 * PATH.part; ifbam_output_finish() flushes it to the disk and renames it; mode, owner and hard
 * links of an existing file are kept. Pipes, devices (/dev/full) and open descriptors (/dev/stderr,
 * /dev/fd/3) are written directly. Errors: IFBAM_ERROR_WRITE, with the path. */
IfbamOutput *ifbam_output_new (const char *path, GError **error);
/* Returns the unfinished file's path (not owned), for other writers; NULL: written directly. */
const char *ifbam_output_beside (const IfbamOutput *output);
/* TRUE if the existing file has other names (hard links): then it gets the bytes of the unfinished
 * file, in place of a renaming. */
gboolean ifbam_output_is_linked (const IfbamOutput *output);
/* Returns the text to be written; callers append to it. */
GString *ifbam_output_text (IfbamOutput *output);
/* Writes the text if it has `least` bytes: IFBAM_OUTPUT_BYTES, or 0 for readers while it grows. */
#define IFBAM_OUTPUT_BYTES (128 * 1024)
gboolean ifbam_output_flush (IfbamOutput *output, gsize least, GError **error);
/* Writes the text, then bytes. After a failure, every further call fails with the same error. */
gboolean ifbam_output_write (IfbamOutput *output, const void *bytes, gsize n_bytes, GError **error);
/* Closes the file without renaming it: of several files all are closed before one is renamed. */
gboolean ifbam_output_close (IfbamOutput *output, GError **error);
/* Closes and renames the file. The output must still be freed. */
gboolean ifbam_output_finish (IfbamOutput *output, GError **error);
/* Without ifbam_output_finish(), removes the unfinished file unless it was marked. */
void ifbam_output_free (IfbamOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamOutput, ifbam_output_free)

/* Opens each closed descriptor among 0 to 2 on /dev/null, in the unused direction: I/O on it fails,
 * and no later file gets its number. For the first line of main (). */
void ifbam_output_guard_standard (void);

/* For signal handlers that end the program at once: removes files as ifbam_output_free() does. */
void ifbam_output_abandon (void);

/* Returns the position of an output from which it can be continued; that much is on the disk. *sum:
 * checksum of the last bytes (transfer full). Regular files only. */
gboolean ifbam_output_mark (IfbamOutput *output, guint64 *size, char **sum, GError **error);
/* Drops the mark, as the file that refers to it could not be written. */
void ifbam_output_forget_mark (IfbamOutput *output);
/* Continues from a mark in the unfinished file, or else in the finished one; later bytes are cut
 * off. IFBAM_ERROR_USAGE: neither has those bytes. */
IfbamOutput *ifbam_output_new_at_mark (const char *path, guint64 size, const char *sum,
                                       GError **error);
/* Tests before a long run whether a path (may be NULL) can be written; streams are not tested. */
gboolean ifbam_output_try (const char *path, GError **error);
/* Removes the unfinished files of a path (may be NULL) left by killed runs. */
void ifbam_output_tidy (const char *path);

/* TRUE if two names lead to the same stream or regular file, which need not exist. Devices and
 * pipes accept several results. */
gboolean ifbam_output_is_same (const char *one, const char *other);

/* Writes a whole file. */
gboolean ifbam_output_put (const char *path, const void *bytes, gsize n_bytes, GError **error);
