/* hdf5.h: HDF5 files with this program's errors, attributes and handles
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <hdf5.h>

/* Closes a handle of any kind; ids below 1 are none. Keeps the reason of an earlier failure. */
void ifbam_hdf5_close (hid_t *id);
/* A handle that is closed at the end of its scope. */
#define AutoHid __attribute__ ((cleanup (ifbam_hdf5_close))) hid_t

/* Returns the handle and clears it, so that it is not closed at the end of the scope. */
static inline hid_t
ifbam_hdf5_take (hid_t *id)
{
  const hid_t taken = *id;

  *id = H5I_INVALID_HID;
  return taken;
}

/* Turns off the library's own messages. The setting is per thread, so public functions that use
 * HDF5 call this first. (Debian's HDF5 supports several threads.) */
void ifbam_hdf5_disable_messages (void);

/* Sets an error "PATH: can't be read: REASON", with the given phrase and the reason at the bottom
 * of the library's stack; returns FALSE. */
gboolean ifbam_hdf5_fail (const char *path, const char *what, int code, GError **error);

/* Sets an error of the file, "PATH: TEXT"; returns FALSE. */
G_GNUC_PRINTF (3, 4)
gboolean ifbam_hdf5_refuse (const char *path, GError **error, const char *format, ...);

/* TRUE if a file has the signature of HDF5. */
gboolean ifbam_hdf5_is_file (const char *path);
/* Returns the attribute "format" of a file (transfer full); NULL: none, or unreadable. */
char *ifbam_hdf5_format (const char *path);

/* Type of UTF-8 texts of any length. */
hid_t ifbam_hdf5_text_type (void);

/* Write attributes of an object; FALSE: the library failed. */
gboolean ifbam_hdf5_put_text (hid_t object, const char *name, const char *text);
gboolean ifbam_hdf5_put_texts (hid_t object, const char *name, const char *const *texts, gsize n);
gboolean ifbam_hdf5_put_number (hid_t object, const char *name, double number);
gboolean ifbam_hdf5_put_integer (hid_t object, const char *name, gint64 number);

/* Read attributes; NULL or FALSE: there is none of that name and kind. */
char *ifbam_hdf5_get_text (hid_t object, const char *name);
char **ifbam_hdf5_get_texts (hid_t object, const char *name, gsize *n);
gboolean ifbam_hdf5_get_number (hid_t object, const char *name, double *number);
gboolean ifbam_hdf5_get_integer (hid_t object, const char *name, gint64 *number);

/* Without creation times: equal contents give equal files. Below 1: the library failed. */
/* Creates a group; with_long: its attributes may exceed 64 kB. */
hid_t ifbam_hdf5_make_group (hid_t where, const char *name, gboolean with_long);
/* Creates and flushes a dataset of size (rank), with types in the file and in memory: an error at
 * close would be lost. piece: rows per chunk, with checksums; 0: contiguous. */
hid_t ifbam_hdf5_put_values (hid_t where, const char *name, hid_t type, hid_t memory, guint rank,
                             const hsize_t *size, hsize_t piece, const void *values);

/* Reads the size of a dataset (rank). FALSE: another number of dimensions, or no dataset. */
gboolean ifbam_hdf5_get_size (hid_t dataset, guint rank, hsize_t *size);
/* Reads n rows from `first` on, of a dataset with one dimension, or with two and `width` columns
 * (0: one dimension). FALSE: the library failed. */
gboolean ifbam_hdf5_read_rows (hid_t dataset, hid_t type, hsize_t first, hsize_t n, hsize_t width,
                               gpointer values);

/* Kind of file, by its attributes "format" and "version". */
typedef struct
{
  const char *format;
  gint64 version;   /* newest readable version */
  const char *none; /* phrase for files of another kind: "is no state of a run" */
} IfbamHdf5Kind;

/* Opens a file of this kind for reading. Below 1 with IFBAM_ERROR_COURSE. */
hid_t ifbam_hdf5_open_kind (const char *path, const IfbamHdf5Kind *kind, GError **error);
/* Opens a file, also a growing one, for reading; below 1 with the reason on the library's stack.
 * Rejects files that ifbam_hdf5_has_own_values () rejects. */
hid_t ifbam_hdf5_open (const char *path);
/* TRUE if the objects at the first two levels, which this program reads, are in the file itself: no
 * soft or external link, external storage, virtual dataset. FALSE: the reason is on the stack. */
gboolean ifbam_hdf5_has_own_values (hid_t file);
/* TRUE if there is memory for n values of `size` bytes; FALSE as above. */
gboolean ifbam_hdf5_fits_memory (double n, gsize size);
