/* output-file.h: bytes to a file that appears whole, or to a stream
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct _IfbamOutput IfbamOutput;

/* path: NULL or "-" is standard output. A regular file (the one that a symbolic link leads to) is
 * written beside its place, as PATH.part, and renamed by ifbam_output_finish, once it is on the disk; a file
 * that is there already leaves its mode, its owner and its other names to the new one. A pipe, a
 * device (/dev/full) and a descriptor that is open already (/dev/stderr, /dev/fd/3) are written directly. Errors are
 * IFBAM_ERROR_WRITE, with the path. */
IfbamOutput *ifbam_output_new (const char *path, GError **error);
/* The unfinished file (not owned), for other ways to write it; NULL: written directly. */
const char *ifbam_output_beside (const IfbamOutput *output);
/* Whether the file that is there has other names, which must go on naming it: it gets the bytes of the unfinished
 * one, and is no other file. */
gboolean ifbam_output_is_linked (const IfbamOutput *output);
/* Text that is written when it is long enough; a caller appends to it. */
GString *ifbam_output_text (IfbamOutput *output);
/* Writes the text so far if it has so many bytes: as many for rows, none so that others can read them. */
#define IFBAM_OUTPUT_BYTES (128 * 1024)
gboolean ifbam_output_flush (IfbamOutput *output, gsize least, GError **error);
/* Writes the text, and bytes after it. After a failure every further call fails with the same reason. */
gboolean ifbam_output_write (IfbamOutput *output, const void *bytes, gsize n_bytes, GError **error);
/* All that can fail but the renaming: of files that belong together, all are closed before the first is
 * finished. */
gboolean ifbam_output_close (IfbamOutput *output, GError **error);
/* Closes and renames into place. The output stays to be freed. */
gboolean ifbam_output_finish (IfbamOutput *output, GError **error);
/* Without a finish before: removes the unfinished file, unless it was marked. */
void ifbam_output_free (IfbamOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamOutput, ifbam_output_free)

/* Opens each of the descriptors 0 to 2 that is closed on /dev/null, in the direction in which it is not used: reading and
 * writing fail, and no file that is opened later gets its number. For the first line of main (). */
void ifbam_output_guard_standard (void);

/* For the handler of a signal that ends the program at once: removes what ifbam_output_free() would. */
void ifbam_output_abandon (void);

/* How far an output has got, by which it can be gone on with; after it that much is on the disk. *sum: of the last
 * bytes (transfer full). Only a regular file can be marked. */
gboolean ifbam_output_mark (IfbamOutput *output, guint64 *size, char **sum, GError **error);
/* Forgets the mark, since the file that should name it could not be written. */
void ifbam_output_forget_mark (IfbamOutput *output);
/* Goes on from a mark, with the unfinished file, or with the finished one where there is none. Later bytes are
 * cut off. IFBAM_ERROR_USAGE: neither has those bytes. */
IfbamOutput *ifbam_output_new_at_mark (const char *path, guint64 size, const char *sum,
                                       GError **error);
/* FALSE: a path (may be NULL) can't be written; for the check before a long run. A stream is not tried. */
gboolean ifbam_output_try (const char *path, GError **error);
/* Removes the unfinished files of a path (may be NULL) that runs left which were killed. */
void ifbam_output_tidy (const char *path);

/* Whether two names lead to one place, by whichever way: a stream, or a regular file that is there or would
 * be. Devices and pipes take more than one result. */
gboolean ifbam_output_is_same (const char *one, const char *other);

/* All of it at once. */
gboolean ifbam_output_put (const char *path, const void *bytes, gsize n_bytes, GError **error);
