/* state-file.c: state of a run as a file in HDF5; a checkpoint also has the sizes of output files
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/state-file.h"

#include <string.h>

#include "base/ifbam-error.h"
#include "file/manifest.h"
#include "file/result-table.h"
#include "file/sealed-file.h"

#define FORMAT  "ifbam state"
#define VERSION 1
#define CHUNK   (128 * 1024) /* values of a column per checksum */

void
ifbam_written_clear (IfbamWritten *written)
{
  g_free (written->output.path);
  g_free (written->output.sum);
  g_free (written->events.path);
  g_free (written->events.sum);
  *written = (IfbamWritten){ 0 };
}

void
ifbam_state_file_forget (IfbamStateFile *file)
{
  g_clear_pointer (&file->state, ifbam_state_free);
  g_clear_pointer (&file->pending_events, g_array_unref);
}

void
ifbam_state_file_free (IfbamStateFile *file)
{
  if (file == NULL)
    return;
  ifbam_state_file_forget (file);
  ifbam_manifest_free (file->manifest);
  ifbam_written_clear (&file->written);
  g_free (file);
}

/* ---- writing */

/* With checksums, against damaged bytes. */
static gboolean
put_column (hid_t group, const char *name, hid_t type, const void *values, hsize_t n)
{
  AutoHid dataset = ifbam_hdf5_put_values (group, name, type, type, 1, &n, CHUNK, values);

  return dataset > 0;
}

/* Returns a column's values and type; NULL: no more columns. */
static gconstpointer
column_of (const IfbamState *state, guint number, const char **name, hid_t *type, gsize *n)
{
  gconstpointer values;

  *name = ifbam_state_name (state, number);
  if (*name == NULL)
    return NULL;
  *type = H5T_NATIVE_DOUBLE;
  values = ifbam_state_find (state, *name, IFBAM_STATE_DOUBLES, n);
  if (values != NULL)
    return values;
  *type = H5T_NATIVE_UINT32;
  return ifbam_state_find (state, *name, IFBAM_STATE_WORDS, n);
}

/* Writes the state's head as bytes, and its columns as datasets. */
static gboolean
put_state (hid_t file, const IfbamState *state)
{
  AutoHid group = ifbam_hdf5_make_group (file, "state", FALSE);
  gboolean fine = group > 0;
  gconstpointer values;
  const char *name;
  hid_t type;
  gsize n;

  for (guint i = 0; fine && (values = column_of (state, i, &name, &type, &n)) != NULL; i++)
    fine = put_column (group, name, type, values, n);
  return fine
         && put_column (group, "head", H5T_NATIVE_UINT8, ifbam_state_data (state, &n),
                        ifbam_state_head_size (state))
         && ifbam_hdf5_put_integer (group, "steps", (gint64) ifbam_state_steps (state));
}

static gboolean
write_pending_events (hid_t file, const GArray *pending_events)
{
  IfbamEventTable table;
  g_autofree guint8 *entries = NULL;
  AutoHid type = H5I_INVALID_HID;
  gsize longest = 0;

  for (guint i = 0; i < pending_events->len; i++)
    longest = MAX (longest, strlen (g_array_index (pending_events, IfbamEvent, i).element));
  type = ifbam_event_table_new (&table, longest);
  entries = g_malloc0 (pending_events->len * table.size + 1);
  for (guint i = 0; i < pending_events->len; i++)
    if (!ifbam_event_table_take (&table, &g_array_index (pending_events, IfbamEvent, i),
                                 entries + i * table.size))
      return FALSE;
  return type > 0 && put_column (file, "untold", type, entries, pending_events->len);
}

static gboolean
put_mark (hid_t file, const char *name, const IfbamMark *mark)
{
  const char *const texts[] = { mark->path, mark->sum != NULL ? mark->sum : "" };
  g_autofree char *size = g_strconcat (name, "-size", NULL);

  return mark->path == NULL
         || (ifbam_hdf5_put_texts (file, name, texts, G_N_ELEMENTS (texts))
             && ifbam_hdf5_put_integer (file, size, (gint64) mark->size));
}

static gboolean
put_written (hid_t file, const IfbamWritten *written)
{
  return put_mark (file, "output", &written->output) && put_mark (file, "events", &written->events)
         && ifbam_hdf5_put_integer (file, "n-rows", (gint64) written->n_rows)
         && ifbam_hdf5_put_integer (file, "n-events", (gint64) written->n_events);
}

static gboolean
put_file (hid_t file, gconstpointer data)
{
  const IfbamStateFile *self = data;

  return ifbam_hdf5_put_text (file, "format", FORMAT)
         && ifbam_hdf5_put_integer (file, "version", VERSION) && put_state (file, self->state)
         && write_pending_events (file, self->pending_events)
         && ifbam_manifest_put (file, self->manifest)
         && (!self->is_checkpoint || put_written (file, &self->written));
}

gboolean
ifbam_state_file_write (const IfbamStateFile *self, const char *path, GError **error)
{
  return ifbam_sealed_write (path, self->is_checkpoint, put_file, self, error);
}

/* ---- reading */

static gboolean
get_count (hid_t file, const char *name, guint64 *count)
{
  gint64 number = 0;
  const gboolean fine = ifbam_hdf5_get_integer (file, name, &number) && number >= 0;

  *count = fine ? (guint64) number : 0;
  return fine;
}

/* Reads n values (0: all) into new memory (*values). */
static gboolean
get_column (hid_t group, const char *name, hid_t type, gsize n, gpointer *values, gsize *found)
{
  AutoHid dataset = H5Dopen2 (group, name, H5P_DEFAULT), space = H5I_INVALID_HID;
  hssize_t points;

  space = dataset > 0 ? H5Dget_space (dataset) : H5I_INVALID_HID;
  points = space > 0 ? H5Sget_simple_extent_npoints (space) : -1;
  if (points < 0 || !ifbam_hdf5_fits_memory ((double) points, H5Tget_size (type)))
    return FALSE;
  if (found != NULL)
    {
      *found = (gsize) points;
      *values = g_try_malloc ((gsize) points * H5Tget_size (type) + 1);
    }
  else if ((gsize) points != n)
    return FALSE;
  return *values != NULL
         && (points == 0 || H5Dread (dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) >= 0);
}

static IfbamState *
get_state (const char *path, hid_t file, GError **error)
{
  AutoHid group = H5Gopen2 (file, "state", H5P_DEFAULT);
  g_autofree gpointer head = NULL;
  g_autoptr (IfbamState) state = NULL;
  g_autoptr (GError) own = NULL;
  gconstpointer values;
  const char *name;
  gsize n_head = 0, n;
  hid_t type;

  if (group <= 0 || !get_column (group, "head", H5T_NATIVE_UINT8, 0, &head, &n_head))
    {
      ifbam_hdf5_fail (path, "its state can't be read", IFBAM_ERROR_COURSE, error);
      return NULL;
    }
  state = ifbam_state_new_from_head (head, n_head, &own);
  if (state == NULL)
    {
      ifbam_hdf5_refuse (path, error, "%s", own->message);
      return NULL;
    }
  for (guint i = 0; (values = column_of (state, i, &name, &type, &n)) != NULL; i++)
    {
      gpointer place = (gpointer) values;

      if (get_column (group, name, type, n, &place, NULL))
        continue;
      ifbam_hdf5_fail (path, name, IFBAM_ERROR_COURSE, error);
      return NULL;
    }
  return g_steal_pointer (&state);
}

static GArray *
read_pending_events (const char *path, hid_t file, GError **error)
{
  AutoHid dataset = H5Dopen2 (file, "untold", H5P_DEFAULT);
  g_autoptr (GArray) pending_events = ifbam_event_table_read (dataset);

  if (pending_events == NULL)
    ifbam_hdf5_fail (path, "its events can't be read", IFBAM_ERROR_COURSE, error);
  return g_steal_pointer (&pending_events);
}

/* Reads a mark; it stays empty if there is none. FALSE: it can't be read. */
static gboolean
get_mark (hid_t file, const char *name, IfbamMark *mark)
{
  const htri_t exists = H5Aexists (file, name);
  gsize n = 0;
  g_auto (GStrv) texts = exists > 0 ? ifbam_hdf5_get_texts (file, name, &n) : NULL;
  g_autofree char *size = g_strconcat (name, "-size", NULL);

  if (n != 2)
    return exists == 0;
  mark->path = g_strdup (texts[0]);
  mark->sum = g_strdup (texts[1]);
  return get_count (file, size, &mark->size);
}

/* Only checkpoints have these. */
static gboolean
get_written (hid_t file, IfbamWritten *written)
{
  return get_mark (file, "output", &written->output)
         && (written->output.path == NULL
             || (get_mark (file, "events", &written->events)
                 && get_count (file, "n-rows", &written->n_rows)
                 && get_count (file, "n-events", &written->n_events)));
}

IfbamStateFile *
ifbam_state_file_read (const char *path, GError **error)
{
  static const IfbamHdf5Kind kind = {
    FORMAT, VERSION, "has no state of a run (want a file of \"ifbam run --final FILE.h5\")"
  };
  AutoHid file = ifbam_sealed_open (path, &kind, TRUE, error);
  g_autoptr (IfbamStateFile) self = g_new0 (IfbamStateFile, 1);

  if (file <= 0)
    return NULL;
  self->state = get_state (path, file, error);
  self->pending_events = self->state == NULL ? NULL : read_pending_events (path, file, error);
  if (self->pending_events == NULL)
    return NULL;
  self->manifest = ifbam_manifest_get (file, path, error);
  if (self->manifest == NULL)
    return NULL;
  if (!get_written (file, &self->written))
    {
      ifbam_hdf5_fail (path, "the record of its run's outputs can't be read", IFBAM_ERROR_COURSE,
                       error);
      return NULL;
    }
  self->is_checkpoint = self->written.output.path != NULL;
  return g_steal_pointer (&self);
}
