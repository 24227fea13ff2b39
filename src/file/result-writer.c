/* result-writer.c: writes a result in HDF5 while it grows
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/result-table.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "file/manifest.h"
#include "file/output-file.h"

#define CHUNK       (512 * 1024) /* bytes of rows written at once; half of the library's cache */
#define EVENT_CHUNK 512          /* events written at once */
#define COMPRESSION 4            /* level of zlib */

struct _IfbamResultWriter
{
  char *path;
  hid_t file, course, events;
  hid_t record; /* type of an event in memory */
  IfbamEventTable table;
  gsize n_columns, chunk; /* columns, rows per chunk */
  double *rows;           /* rows not written yet (chunk, n_columns) */
  gsize n_rows;
  guint64 rows_written;
  guint8 *records; /* events not written yet (EVENT_CHUNK) */
  gsize n_records;
  guint64 events_written;
  gboolean compressed, failed;
};

gboolean
ifbam_result_is_named (const char *path)
{
  return path != NULL && (g_str_has_suffix (path, ".h5") || g_str_has_suffix (path, ".hdf5"));
}

static gboolean
fail (IfbamResultWriter *writer, const char *what, GError **error)
{
  writer->failed = TRUE;
  return ifbam_hdf5_fail (writer->path, what, IFBAM_ERROR_WRITE, error);
}

/* A dataset's description is only written by a flush, after the data that it describes. */
static gboolean
delay_flush (hid_t dataset)
{
  return H5Odisable_mdc_flushes (dataset) >= 0;
}

static gboolean
append (hid_t dataset, hid_t type, const void *entries, guint64 from, gsize n, gsize width)
{
  const guint rank = width > 0 ? 2 : 1;
  const hsize_t start[] = { from, 0 }, count[] = { n, width }, size[] = { from + n, width };
  AutoHid memory = H5Screate_simple ((int) rank, count, NULL), space = H5I_INVALID_HID;

  if (memory <= 0 || H5Dset_extent (dataset, size) < 0)
    return FALSE;
  space = H5Dget_space (dataset);
  return space > 0 && H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0
         && H5Dwrite (dataset, type, memory, space, H5P_DEFAULT, entries) >= 0;
}

static gboolean
write_rows (IfbamResultWriter *writer)
{
  if (writer->n_rows > 0
      && !append (writer->course, H5T_NATIVE_DOUBLE, writer->rows, writer->rows_written,
                  writer->n_rows, writer->n_columns))
    return FALSE;
  writer->rows_written += writer->n_rows;
  writer->n_rows = 0;
  return TRUE;
}

static gboolean
write_events (IfbamResultWriter *writer)
{
  if (writer->n_records > 0
      && !append (writer->events, writer->record, writer->records, writer->events_written,
                  writer->n_records, 0))
    return FALSE;
  writer->events_written += writer->n_records;
  writer->n_records = 0;
  return TRUE;
}

static gboolean
refuse (GError **error, const char *path)
{
  return ifbam_fail (error, IFBAM_ERROR_WRITE, "%s: an earlier write has failed", path);
}

static gboolean
flush_all (IfbamResultWriter *writer, GError **error)
{
  if (writer->failed)
    return refuse (error, writer->path);
  if (!write_rows (writer) || !write_events (writer) || H5Dflush (writer->course) < 0
      || H5Dflush (writer->events) < 0)
    return fail (writer, "can't be written", error);
  return TRUE;
}

/* A partial compressed chunk is written to a new position, as readers may use the old one, which is
 * lost. The next partial chunk must be four times as large: a chunk loses at most 4/3 of its
 * size. */
gboolean
ifbam_result_writer_flush (IfbamResultWriter *writer, GError **error)
{
  if (!writer->failed && writer->compressed
      && writer->n_rows < 3 * (writer->rows_written % writer->chunk))
    return TRUE;
  return flush_all (writer, error);
}

gboolean
ifbam_result_writer_row (IfbamResultWriter *writer, double time, const double *values,
                         GError **error)
{
  double *row = writer->rows + writer->n_rows * writer->n_columns;

  if (writer->failed)
    return refuse (error, writer->path);
  row[0] = time;
  memcpy (row + 1, values, (writer->n_columns - 1) * sizeof *row);
  writer->n_rows++;
  /* Chunks are written when they are full. */
  if ((writer->rows_written + writer->n_rows) % writer->chunk == 0 && !write_rows (writer))
    return fail (writer, "can't be written", error);
  return TRUE;
}

gboolean
ifbam_result_writer_event (IfbamResultWriter *writer, const IfbamEvent *event, GError **error)
{
  if (writer->failed)
    return refuse (error, writer->path);
  if (!ifbam_event_table_take (&writer->table, event,
                               writer->records + writer->n_records * writer->table.size))
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_WRITE,
                   "%s: \"%s\" of \"%s\" is longer than its column", writer->path, event->word,
                   event->element);
      writer->failed = TRUE;
      return FALSE;
    }
  if (++writer->n_records == EVENT_CHUNK && !write_events (writer))
    return fail (writer, "can't be written", error);
  return TRUE;
}

static gboolean
flush_file (IfbamResultWriter *writer, GError **error)
{
  int *fd = NULL;

  if (!flush_all (writer, error))
    return FALSE;
  if (H5Fflush (writer->file, H5F_SCOPE_GLOBAL) < 0
      || H5Fget_vfd_handle (writer->file, H5P_DEFAULT, (void **) &fd) < 0 || fsync (*fd) != 0)
    return fail (writer, "can't be brought to the disk", error);
  return TRUE;
}

gboolean
ifbam_result_writer_mark (IfbamResultWriter *writer, guint64 *n_rows, guint64 *n_events,
                          GError **error)
{
  ifbam_hdf5_disable_messages ();
  if (!flush_file (writer, error))
    return FALSE;
  *n_rows = writer->rows_written;
  *n_events = writer->events_written;
  return TRUE;
}

/* Sets an existing attribute of the same size; a growing file allows no other change. */
static gboolean
set_integer (hid_t object, const char *name, gint64 number)
{
  AutoHid attribute = H5Aopen (object, name, H5P_DEFAULT);

  return attribute > 0 && H5Awrite (attribute, H5T_NATIVE_INT64, &number) >= 0;
}

static gboolean
close_all (IfbamResultWriter *writer)
{
  const hid_t file = writer->file;

  ifbam_hdf5_close (&writer->course);
  ifbam_hdf5_close (&writer->events);
  ifbam_hdf5_close (&writer->record);
  writer->file = H5I_INVALID_HID;
  return file <= 0 || H5Fclose (file) >= 0;
}

static gboolean
set_ended (hid_t file, gboolean complete, const char *ended)
{
  char word[IFBAM_RESULT_ENDED] = "";
  AutoHid attribute = H5Aopen (file, "ended", H5P_DEFAULT);
  AutoHid type = attribute > 0 ? H5Aget_type (attribute) : H5I_INVALID_HID;

  g_return_val_if_fail (strlen (ended) < sizeof word, FALSE);
  strcpy (word, ended);
  return type > 0 && H5Awrite (attribute, type, word) >= 0
         && set_integer (file, "complete", complete);
}

gboolean
ifbam_result_writer_finish (IfbamResultWriter *writer, gboolean complete, const char *ended,
                            GError **error)
{
  ifbam_hdf5_disable_messages ();
  if (!flush_file (writer, error))
    return FALSE;
  if (!set_ended (writer->file, complete, ended))
    return fail (writer, "can't be finished", error);
  /* Closing clears the flag of a file that is being written. */
  if (!flush_file (writer, error))
    return FALSE;
  return close_all (writer) || fail (writer, "can't be finished", error);
}

void
ifbam_result_writer_free (IfbamResultWriter *writer)
{
  if (writer == NULL)
    return;
  /* After a failure, closing would fail again, half-way; left open, the file stays readable. */
  if (!writer->failed)
    close_all (writer);
  g_free (writer->rows);
  g_free (writer->records);
  g_free (writer->path);
  g_free (writer);
}

/* ---- a new file */

static hid_t
create_table (hid_t file, const char *name, hid_t type, hsize_t chunk, hsize_t width,
              gboolean compress)
{
  const int rank = width > 0 ? 2 : 1;
  const hsize_t size[] = { 0, width }, most[] = { H5S_UNLIMITED, width },
                piece[] = { chunk, width };
  AutoHid space = H5Screate_simple (rank, size, most), how = H5Pcreate (H5P_DATASET_CREATE);

  if (space <= 0 || how <= 0 || H5Pset_obj_track_times (how, FALSE) < 0
      || H5Pset_chunk (how, rank, piece) < 0 || H5Pset_attr_phase_change (how, 0, 0) < 0
      || (compress && (H5Pset_shuffle (how) < 0 || H5Pset_deflate (how, COMPRESSION) < 0)))
    return H5I_INVALID_HID;
  return H5Dcreate2 (file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
}

static gboolean
put_ended (hid_t file)
{
  const char word[IFBAM_RESULT_ENDED] = "running";
  AutoHid type = H5Tcopy (H5T_C_S1), space = H5Screate (H5S_SCALAR);
  AutoHid attribute = H5I_INVALID_HID;

  if (type <= 0 || space <= 0 || H5Tset_size (type, sizeof word) < 0)
    return FALSE;
  attribute = H5Acreate2 (file, "ended", type, space, H5P_DEFAULT, H5P_DEFAULT);
  return attribute > 0 && H5Awrite (attribute, type, word) >= 0;
}

/* Writes all but samples and events. */
/* Without times of day: equal runs write equal bytes. */
static gboolean
create (const char *beside, const IfbamResultLayout *layout, const IfbamManifest *manifest,
        gsize chunk)
{
  const gsize n = g_strv_length ((char **) layout->names);
  IfbamEventTable table;
  AutoHid how = H5Pcreate (H5P_FILE_ACCESS), made = H5Pcreate (H5P_FILE_CREATE),
          file = H5I_INVALID_HID, course = H5I_INVALID_HID, events = H5I_INVALID_HID,
          record = H5I_INVALID_HID;

  if (how <= 0 || made <= 0 || H5Pset_libver_bounds (how, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0
      || H5Pset_obj_track_times (made, FALSE) < 0)
    return FALSE;
  file = H5Fcreate (beside, H5F_ACC_TRUNC, made, how);
  if (file <= 0)
    return FALSE;
  record = ifbam_event_table_new (&table, layout->longest_name);
  course = create_table (file, "course", H5T_IEEE_F64LE, chunk, n, layout->compress);
  events = create_table (file, "events", record, EVENT_CHUNK, 0, layout->compress);
  return course > 0 && events > 0 && ifbam_hdf5_put_texts (course, "names", layout->names, n)
         && ifbam_hdf5_put_texts (course, "units", layout->units, n)
         && ifbam_hdf5_put_text (file, "format", IFBAM_RESULT_FORMAT)
         && ifbam_hdf5_put_integer (file, "version", IFBAM_RESULT_VERSION)
         && ifbam_hdf5_put_integer (file, "complete", 0) && put_ended (file)
         && ifbam_manifest_put (file, manifest) && H5Fflush (file, H5F_SCOPE_GLOBAL) >= 0;
}

/* A killed run may have announced more space than it had filled; the library then takes the file as
 * truncated. The position of its end is at byte 28 of this program's superblock version (HDF5 File
 * Format Specification 3.0, II.A). */
static void
extend_file (const char *path)
{
  const int fd = g_open (path, O_RDWR | O_CLOEXEC, 0);
  guint8 block[36];
  guint64 end = 0;
  struct stat state;

  if (fd < 0)
    return;
  if (pread (fd, block, sizeof block, 0) == (gssize) sizeof block && block[8] == 3 && block[9] == 8)
    memcpy (&end, block + 28, sizeof end);
  end = GUINT64_FROM_LE (end);
  if (fstat (fd, &state) == 0 && end > (guint64) state.st_size
      && end - (guint64) state.st_size < (guint64) 1 << 30)
    (void) !ftruncate (fd, (off_t) end);
  close (fd);
}

/* TRUE if a file is a writable result of the same network, options and version. */
static gboolean
is_of (const char *path, const IfbamManifest *manifest, GError **error)
{
  AutoHid file = ifbam_hdf5_open (path);
  g_autoptr (IfbamManifest) then = NULL;
  g_autofree char *difference = NULL;

  if (file <= 0)
    return ifbam_hdf5_fail (path, "can't be opened", IFBAM_ERROR_WRITE, error);
  then = ifbam_manifest_get (file, path, error);
  difference = then == NULL ? NULL : ifbam_manifest_difference (then, manifest);
  if (difference != NULL)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE, "%s: %s", path, difference);
  return then != NULL && difference == NULL;
}

/* Opens a file, possibly under a temporary name, to append behind given rows and events. */
static gboolean
open_writer (IfbamResultWriter *writer, const char *place, const IfbamResultLayout *layout,
             guint64 rows, guint64 events, GError **error)
{
  const hsize_t n_events = events;
  const hbool_t cleared = TRUE;
  hsize_t size[2] = { 0 }, chunk[2] = { 0 };
  AutoHid how = H5Pcreate (H5P_FILE_ACCESS), made = H5I_INVALID_HID;

  /* Clears the flag of a file being written, as h5clear does: a killed run has left it. */
  if (how <= 0 || H5Pset_libver_bounds (how, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0
      || H5Pset (how, "clear_status_flags", &cleared) < 0)
    return fail (writer, "can't be opened", error);
  writer->file = H5Fopen (place, H5F_ACC_RDWR, how);
  if (writer->file <= 0 || !ifbam_hdf5_has_own_values (writer->file))
    return fail (writer, "can't be opened", error);
  /* It has also left an old end of the file: bytes beyond it are not free. */
  if (H5Fincrement_filesize (writer->file, 0) < 0)
    return fail (writer, "can't be opened", error);
  writer->course = H5Dopen2 (writer->file, "course", H5P_DEFAULT);
  writer->events = H5Dopen2 (writer->file, "events", H5P_DEFAULT);
  made = writer->course > 0 ? H5Dget_create_plist (writer->course) : H5I_INVALID_HID;
  writer->record = ifbam_event_table_open (&writer->table, writer->events);
  if (writer->events <= 0 || writer->record <= 0 || made <= 0
      || !ifbam_hdf5_get_size (writer->course, 2, size) || H5Pget_chunk (made, 2, chunk) != 2
      || size[1] != g_strv_length ((char **) layout->names))
    return fail (writer, "is no result", error);
  if (size[0] < rows)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "%s: has %" G_GUINT64_FORMAT " of the %" G_GUINT64_FORMAT
                       " rows that were written",
                       writer->path, (guint64) size[0], rows);
  size[0] = rows;
  if (H5Dset_extent (writer->course, size) < 0 || H5Dset_extent (writer->events, &n_events) < 0)
    return fail (writer, "can't be continued", error);
  writer->n_columns = size[1];
  writer->chunk = chunk[0];
  writer->compressed = H5Pget_nfilters (made) > 0;
  writer->rows_written = rows;
  writer->events_written = events;
  writer->rows = g_try_new (double, chunk[0] * chunk[1]);
  writer->records = g_malloc0 (EVENT_CHUNK * writer->table.size);
  if (writer->rows == NULL)
    return ifbam_fail (error, IFBAM_ERROR_WRITE, "%s: no memory for its rows", writer->path);
  if (!set_ended (writer->file, FALSE, "running") || H5Fflush (writer->file, H5F_SCOPE_GLOBAL) < 0
      || H5Fstart_swmr_write (writer->file) < 0 || !delay_flush (writer->course)
      || !delay_flush (writer->events))
    return fail (writer, "can't be made to grow", error);
  return TRUE;
}

IfbamResultWriter *
ifbam_result_writer_new (const char *path, const IfbamResultLayout *layout,
                         const IfbamManifest *manifest, GError **error)
{
  const gsize row = g_strv_length ((char **) layout->names) * sizeof (double);
  g_autoptr (IfbamOutput) output = NULL;
  g_autoptr (IfbamResultWriter) writer = NULL;

  ifbam_hdf5_disable_messages ();
  output = ifbam_output_new (path, error);
  if (output == NULL)
    return NULL;
  if (ifbam_output_beside (output) == NULL)
    return ifbam_fail_null (error, IFBAM_ERROR_WRITE, "%s: is no regular file (HDF5 needs one)",
                            path);
  if (!create (ifbam_output_beside (output), layout, manifest,
               CLAMP (layout->n_rows, 1, MAX (CHUNK / row, 1))))
    {
      ifbam_hdf5_fail (path, "can't be written", IFBAM_ERROR_WRITE, error);
      return NULL;
    }
  writer = g_new0 (IfbamResultWriter, 1);
  writer->path = g_strdup (path);
  /* The file is renamed when it can be read: until it grows it is locked. A file with hard links is
   * written first. */
  if (ifbam_output_is_linked (output))
    return ifbam_output_finish (output, error) && open_writer (writer, path, layout, 0, 0, error)
               ? g_steal_pointer (&writer)
               : NULL;
  return open_writer (writer, ifbam_output_beside (output), layout, 0, 0, error)
                 && ifbam_output_finish (output, error)
             ? g_steal_pointer (&writer)
             : NULL;
}

IfbamResultWriter *
ifbam_result_writer_new_at_mark (const char *path, const IfbamResultLayout *layout,
                                 const IfbamManifest *manifest, guint64 n_rows, guint64 n_events,
                                 GError **error)
{
  g_autoptr (IfbamResultWriter) writer = g_new0 (IfbamResultWriter, 1);

  ifbam_hdf5_disable_messages ();
  writer->path = g_strdup (path);
  extend_file (path);
  return is_of (path, manifest, error)
                 && open_writer (writer, path, layout, n_rows, n_events, error)
             ? g_steal_pointer (&writer)
             : NULL;
}
