/* hdf5.h: HDF5 files in the manner of this program: errors in plain words, attributes, handles that close
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <hdf5.h>

/* Closes a handle of any kind; an id below 1 is none. The reason of an earlier failure stays. */
void ifbam_hdf5_close (hid_t *id);
/* One that is closed where its scope ends. */
#define AutoHid __attribute__ ((cleanup (ifbam_hdf5_close))) hid_t

/* Returns the handle and sets it to none, so that the end of the scope does not close it. */
static inline hid_t
ifbam_hdf5_take (hid_t *id)
{
  const hid_t taken = *id;

  *id = H5I_INVALID_HID;
  return taken;
}

/* Turns off the library's own messages. Each thread has a setting, so public functions that use HDF5 call this first. (Debian's
 * HDF5 may be called by several threads.) */
void ifbam_hdf5_quiet (void);

/* FALSE with an error: "PATH: WHAT: the reason at the bottom of the library's stack". what: a phrase such as "can't be read". */
gboolean ifbam_hdf5_fail (const char *path, const char *what, int code, GError **error);

/* FALSE with an error of the file that is read: "PATH: TEXT". */
G_GNUC_PRINTF (3, 4)
gboolean ifbam_hdf5_refuse (const char *path, GError **error, const char *format, ...);

/* Whether a file's bytes say that it is one in HDF5. */
gboolean ifbam_hdf5_is_file (const char *path);
/* The attribute "format" of a file (transfer full); NULL: there is none, or the file can't be read. */
char *ifbam_hdf5_format (const char *path);

/* Texts of any length, UTF-8. */
hid_t ifbam_hdf5_text_type (void);

/* Attributes of an object; FALSE: the library failed. */
gboolean ifbam_hdf5_put_text (hid_t object, const char *name, const char *text);
gboolean ifbam_hdf5_put_texts (hid_t object, const char *name, const char *const *texts, gsize n);
gboolean ifbam_hdf5_put_number (hid_t object, const char *name, double number);
gboolean ifbam_hdf5_put_integer (hid_t object, const char *name, gint64 number);

/* The same back; NULL or FALSE: there is none of that name and kind. */
char *ifbam_hdf5_get_text (hid_t object, const char *name);
char **ifbam_hdf5_get_texts (hid_t object, const char *name, gsize *n);
gboolean ifbam_hdf5_get_number (hid_t object, const char *name, double *number);
gboolean ifbam_hdf5_get_integer (hid_t object, const char *name, gint64 *number);

/* Groups and datasets have no times of creation, so equal contents are equal files. Below 1: the library failed. */
/* A group; with_long: its attributes may be longer than 64 kB. */
hid_t ifbam_hdf5_make_group (hid_t where, const char *name, gboolean with_long);
/* A dataset of size (rank), of a type in the file and a type in memory, flushed: if closing wrote, its failure would be lost. piece: with checksums, in pieces of at most so many of its first dimension; 0: as a whole. */
hid_t ifbam_hdf5_put_values (hid_t where, const char *name, hid_t type, hid_t memory, guint rank,
                             const hsize_t *size, hsize_t piece, const void *values);

/* Reads the size of a dataset (rank). FALSE: it has another number of dimensions, or is none. */
gboolean ifbam_hdf5_get_size (hid_t dataset, guint rank, hsize_t *size);
/* Reads n rows from the first on, of a dataset with one dimension, or of two with so many columns (0: one dimension). FALSE: the
 * library failed. */
gboolean ifbam_hdf5_read_rows (hid_t dataset, hid_t type, hsize_t first, hsize_t n, hsize_t width,
                               gpointer values);

/* A kind of file, by its attributes "format" and "version". */
typedef struct
{
  const char *format;
  gint64 version;   /* of the newest that can be read */
  const char *none; /* "is no state of a run": a phrase for files of another kind */
} IfbamHdf5Kind;

/* Opens a file of this kind to be read. Below 1 with IFBAM_ERROR_COURSE. */
hid_t ifbam_hdf5_open_kind (const char *path, const IfbamHdf5Kind *kind, GError **error);
/* A file to be read, one that grows, too; below 1 with the reason on the library's stack. Rejects the
 * files that ifbam_hdf5_has_own_values () rejects. */
hid_t ifbam_hdf5_open (const char *path);
/* Whether the objects at the two levels that this program reads stand in the file itself: no soft or external link, no
 * dataset with external storage, no virtual dataset. FALSE with the reason on the library's stack. */
gboolean ifbam_hdf5_has_own_values (hid_t file);
/* Whether there is memory for a dataset's n values of so many bytes each; FALSE with the reason on the library's stack. */
gboolean ifbam_hdf5_fits_memory (double n, gsize size);
