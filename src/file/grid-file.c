/* grid-file.c: a grid as a file in HDF5, of arrays with named axes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/grid.h"

#include <hdf5_hl.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "file/manifest.h"
#include "file/sealed-file.h"

#define VERSION  1
#define STATE    "state"
#define DIVERGED "diverged"
/* Attribute of a quantity that may lack values; its empty columns are omitted in a table. */
#define OPTIONAL "optional"
/* One more axis is for modes or peaks. */
#define MAX_AXES (H5S_MAX_RANK - 1)

static const char *const own_names[] = { STATE, DIVERGED, "manifest", "mode", "peak" };

static const IfbamGridAxis *
axis_at (const IfbamGrid *grid, guint number)
{
  return &g_array_index (grid->axes, IfbamGridAxis, number);
}

static const IfbamGridArray *
array_at (const IfbamGrid *grid, guint number)
{
  return &g_array_index (grid->arrays, IfbamGridArray, number);
}

static gboolean
fits_name (GHashTable *names, const char *name, const char *path, GError **error)
{
  if (strchr (name, '/') == NULL && g_hash_table_add (names, (gpointer) name))
    return TRUE;
  return ifbam_fail (error, IFBAM_ERROR_USAGE,
                     "%s: \"%s\" can't be the name of an array there (want CSV, or another name)",
                     path, name);
}

gboolean
ifbam_grid_fits_file (const IfbamGrid *grid, const char *path, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  if (grid->axes->len > MAX_AXES)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "%s: arrays of HDF5 have %d axes at most: want fewer numbers varied, or CSV",
                       path, MAX_AXES);
  for (guint i = 0; i < G_N_ELEMENTS (own_names); i++)
    g_hash_table_add (names, (gpointer) own_names[i]);
  for (guint k = 0; k < grid->axes->len; k++)
    if (!fits_name (names, axis_at (grid, k)->name, path, error))
      return FALSE;
  for (guint i = 0; i < grid->arrays->len; i++)
    if (!fits_name (names, array_at (grid, i)->name, path, error))
      return FALSE;
  return TRUE;
}

/* ---- writing */

typedef struct
{
  const IfbamGrid *grid;
  const IfbamManifest *manifest;
  const char *ended;
} Content;

static gboolean
put_scale (hid_t file, const char *name, const char *unit, const char *title, const double *values,
           hsize_t n)
{
  AutoHid scale =
      ifbam_hdf5_put_values (file, name, H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, 1, &n, 0, values);

  return scale > 0 && ifbam_hdf5_put_text (scale, "units", unit)
         && (title == NULL || ifbam_hdf5_put_text (scale, "title", title))
         && H5DSset_scale (scale, name) >= 0;
}

/* Writes indices of modes or peaks as a scale. */
static gboolean
put_counter (hid_t file, const char *name, guint n)
{
  g_autofree double *values = g_new (double, n + 1);

  if (H5Lexists (file, name, H5P_DEFAULT) > 0)
    return TRUE;
  for (guint i = 0; i < n; i++)
    values[i] = i + 1;
  return put_scale (file, name, "", NULL, values, n);
}

static gboolean
name_axis (hid_t file, hid_t dataset, guint number, const char *name)
{
  AutoHid scale = H5Dopen2 (file, name, H5P_DEFAULT);

  return scale > 0 && H5DSattach_scale (dataset, scale, number) >= 0
         && H5DSset_label (dataset, number, name) >= 0;
}

/* Writes values over all axes, and over `axis` for n values per variant (NULL: one). */
static hid_t
put_array (hid_t file, const IfbamGrid *grid, const char *name, hid_t type, const char *axis,
           guint n, const void *values)
{
  hsize_t size[H5S_MAX_RANK];
  const guint rank = grid->axes->len;
  AutoHid dataset = H5I_INVALID_HID;
  gboolean fine;

  for (guint k = 0; k < rank; k++)
    size[k] = axis_at (grid, k)->n;
  size[rank] = n;
  dataset = ifbam_hdf5_put_values (file, name, type, type, rank + (axis != NULL), size, 0, values);
  fine = dataset > 0;
  for (guint k = 0; k < rank && fine; k++)
    fine = name_axis (file, dataset, k, axis_at (grid, k)->name);
  if (!fine || (axis != NULL && !name_axis (file, dataset, rank, axis)))
    return H5I_INVALID_HID;
  return ifbam_hdf5_take (&dataset);
}

static gboolean
put_measured (hid_t file, const IfbamGrid *grid, const IfbamGridArray *array)
{
  g_autofree double *values = g_new (double, grid->n * array->n + 1);
  AutoHid dataset = H5I_INVALID_HID;

  /* An open variant may have some values. */
  for (guint64 v = 0; v < grid->n; v++)
    for (guint c = 0; c < array->n; c++)
      values[v * array->n + c] = grid->state[v] == IFBAM_VARIANT_OPEN
                                     ? NAN
                                     : grid->values[v * grid->n_values + array->first + c];
  if (array->axis != NULL && !put_counter (file, array->axis, array->n))
    return FALSE;
  dataset = put_array (file, grid, array->name, H5T_NATIVE_DOUBLE, array->axis, array->n, values);
  return dataset > 0 && ifbam_hdf5_put_text (dataset, "units", array->unit)
         && ifbam_hdf5_put_texts (dataset, "columns",
                                  (const char *const *) grid->columns->pdata + array->first,
                                  array->n)
         && (array->axis == NULL || ifbam_hdf5_put_text (dataset, "axis", array->axis))
         && ifbam_hdf5_put_integer (dataset, OPTIONAL, array->optional);
}

static gboolean
put_states (hid_t file, const IfbamGrid *grid)
{
  static const char *const meanings[] = { "open", "done", "diverged" };
  AutoHid state = put_array (file, grid, STATE, H5T_NATIVE_UINT8, NULL, 1, grid->state);
  AutoHid diverged = H5I_INVALID_HID;
  g_autofree double *time_events = NULL;

  if (state <= 0 || !ifbam_hdf5_put_texts (state, "meanings", meanings, G_N_ELEMENTS (meanings)))
    return FALSE;
  if (!grid->is_run)
    return TRUE;
  time_events = g_new (double, grid->n);
  for (guint64 v = 0; v < grid->n; v++)
    time_events[v] = grid->state[v] == IFBAM_VARIANT_DIVERGED ? grid->instant[v] : NAN;
  diverged = put_array (file, grid, DIVERGED, H5T_NATIVE_DOUBLE, NULL, 1, time_events);
  return diverged > 0 && ifbam_hdf5_put_text (diverged, "units", "s");
}

static gboolean
put_best (hid_t file, const IfbamGrid *grid)
{
  g_autofree char *text = NULL;

  if (grid->best < 0)
    return TRUE;
  text = g_strconcat (grid->highest ? "max:" : "min:", grid->columns->pdata[grid->best], NULL);
  return ifbam_hdf5_put_text (file, "best", text);
}

static gboolean
put_grid (hid_t file, gconstpointer data)
{
  const Content *content = data;
  const IfbamGrid *grid = content->grid;
  g_autofree const char **varied = g_new (const char *, grid->axes->len),
                        **measured = g_new (const char *, grid->arrays->len);
  gboolean fine = TRUE;

  for (guint k = 0; k < grid->axes->len && fine; k++)
    {
      const IfbamGridAxis *axis = axis_at (grid, k);

      varied[k] = axis->name;
      fine = put_scale (file, axis->name, axis->unit, axis->title, axis->values, axis->n);
    }
  for (guint i = 0; i < grid->arrays->len && fine; i++)
    {
      measured[i] = array_at (grid, i)->name;
      fine = put_measured (file, grid, array_at (grid, i));
    }
  return fine && ifbam_hdf5_put_text (file, "format", IFBAM_SWEEP_FORMAT)
         && ifbam_hdf5_put_integer (file, "version", VERSION)
         && ifbam_hdf5_put_integer (file, "complete", ifbam_grid_count (grid, FALSE) == grid->n)
         && ifbam_hdf5_put_text (file, "ended", content->ended)
         && ifbam_hdf5_put_texts (file, "varied", varied, grid->axes->len)
         && ifbam_hdf5_put_texts (file, "measured", measured, grid->arrays->len)
         && put_best (file, grid) && put_states (file, grid)
         && ifbam_manifest_put (file, content->manifest);
}

gboolean
ifbam_grid_write (const IfbamGrid *grid, const char *path, gboolean keeps_before,
                  const IfbamManifest *manifest, const char *ended, GError **error)
{
  const Content content = { grid, manifest, ended };

  return ifbam_sealed_write (path, keeps_before, put_grid, &content, error);
}

/* ---- reading */

static gboolean
get_axis (hid_t file, const char *name, IfbamGrid *grid)
{
  AutoHid dataset = H5Dopen2 (file, name, H5P_DEFAULT);
  g_autofree char *unit = NULL, *title = NULL;
  g_autofree double *values = NULL;
  hsize_t n;

  if (!ifbam_hdf5_get_size (dataset, 1, &n) || n == 0
      || !ifbam_hdf5_fits_memory ((double) n, 2 * sizeof *values))
    return FALSE;
  unit = ifbam_hdf5_get_text (dataset, "units");
  title = ifbam_hdf5_get_text (dataset, "title");
  values = g_try_new (double, n);
  if (values == NULL || unit == NULL || title == NULL
      || H5Dread (dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    return FALSE;
  ifbam_grid_add_axis (grid, name, unit, title, values, n);
  return TRUE;
}

static gboolean
get_array (hid_t file, const char *name, IfbamGrid *grid)
{
  AutoHid dataset = H5Dopen2 (file, name, H5P_DEFAULT);
  g_autofree char *unit = NULL, *axis = NULL;
  g_auto (GStrv) columns = NULL;
  hsize_t size[H5S_MAX_RANK] = { 0 };
  const guint rank = grid->axes->len;
  gint64 optional = 0;
  gsize n = 0;

  if (dataset <= 0)
    return FALSE;
  unit = ifbam_hdf5_get_text (dataset, "units");
  axis = ifbam_hdf5_get_text (dataset, "axis");
  columns = ifbam_hdf5_get_texts (dataset, "columns", &n);
  if (unit == NULL || columns == NULL || !ifbam_hdf5_get_integer (dataset, OPTIONAL, &optional)
      || !ifbam_hdf5_get_size (dataset, rank + (axis != NULL), size)
      || (axis != NULL ? size[rank] : 1) != n)
    return FALSE;
  for (guint k = 0; k < rank; k++)
    if (size[k] != axis_at (grid, k)->n)
      return FALSE;
  ifbam_grid_add_array (grid, name, unit, axis == NULL ? NULL : g_intern_string (axis),
                        optional != 0, (const char *const *) columns, (guint) n);
  return TRUE;
}

static gboolean
get_values (hid_t file, IfbamGrid *grid, const IfbamGridArray *array)
{
  AutoHid dataset = H5Dopen2 (file, array->name, H5P_DEFAULT);
  g_autofree double *values = g_new (double, grid->n * array->n + 1);

  if (H5Dread (dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    return FALSE;
  for (guint64 v = 0; v < grid->n; v++)
    memcpy (grid->values + v * grid->n_values + array->first, values + v * array->n,
            array->n * sizeof *values);
  return TRUE;
}

/* Reads all values of a dataset over the axes. */
static gboolean
get_plain (hid_t file, const char *name, hid_t type, const IfbamGrid *grid, void *values)
{
  AutoHid dataset = H5Dopen2 (file, name, H5P_DEFAULT);
  hsize_t size[H5S_MAX_RANK];

  if (!ifbam_hdf5_get_size (dataset, grid->axes->len, size))
    return FALSE;
  for (guint k = 0; k < grid->axes->len; k++)
    if (size[k] != axis_at (grid, k)->n)
      return FALSE;
  return H5Dread (dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
}

static gboolean
get_states (hid_t file, IfbamGrid *grid)
{
  if (!get_plain (file, STATE, H5T_NATIVE_UINT8, grid, grid->state)
      || (grid->is_run && !get_plain (file, DIVERGED, H5T_NATIVE_DOUBLE, grid, grid->instant)))
    return FALSE;
  for (guint64 v = 0; v < grid->n; v++)
    if (grid->state[v] > IFBAM_VARIANT_DIVERGED)
      return FALSE;
  return TRUE;
}

/* TRUE if there is memory for the grid, and if counts in a table of it fit in guint. */
static gboolean
has_room (const IfbamGrid *grid)
{
  g_autofree char *lack = NULL;
  double n = 1;

  for (guint k = 0; k < grid->axes->len; k++)
    n *= (double) axis_at (grid, k)->n;
  lack = ifbam_memory_lack (n * (double) (sizeof (double) * (2 * grid->n_values + 5) + 1));
  return lack == NULL && n < (double) G_MAXUINT / (double) (grid->n_values + grid->axes->len + 2);
}

static gboolean
get_grid (hid_t file, IfbamGrid *grid)
{
  gsize n_varied = 0, n_measured = 0;
  g_auto (GStrv) varied = ifbam_hdf5_get_texts (file, "varied", &n_varied);
  g_auto (GStrv) measured = ifbam_hdf5_get_texts (file, "measured", &n_measured);
  g_autofree char *best = ifbam_hdf5_get_text (file, "best");
  gboolean fine = n_varied > 0 && n_varied <= MAX_AXES && n_measured > 0
                  && (best != NULL || H5Aexists (file, "best") == 0);
  htri_t is_run;

  for (gsize k = 0; k < n_varied && fine; k++)
    fine = get_axis (file, varied[k], grid);
  for (gsize i = 0; i < n_measured && fine; i++)
    fine = get_array (file, measured[i], grid);
  is_run = fine ? H5Lexists (file, DIVERGED, H5P_DEFAULT) : -1;
  grid->is_run = is_run > 0;
  if (is_run < 0 || !has_room (grid))
    return FALSE;
  ifbam_grid_make_room (grid, 0, 0);
  for (guint i = 0; i < grid->arrays->len && fine; i++)
    fine = get_values (file, grid, array_at (grid, i));
  return fine && get_states (file, grid)
         && (best == NULL || ifbam_grid_set_best (grid, best, NULL));
}

IfbamGrid *
ifbam_grid_read (const char *path, gboolean sealed, IfbamManifest **manifest, GError **error)
{
  static const IfbamHdf5Kind kind = { IFBAM_SWEEP_FORMAT, VERSION,
                                      "has no sweep (want a file of \"ifbam sweep -o FILE.h5\")" };
  AutoHid file = ifbam_sealed_open (path, &kind, sealed, error);
  g_autoptr (IfbamGrid) grid = ifbam_grid_new ();
  g_autoptr (IfbamManifest) made = NULL;

  if (file <= 0)
    return NULL;
  made = ifbam_manifest_get (file, path, error);
  if (made == NULL)
    return NULL;
  if (made->network == NULL || made->options == NULL)
    {
      ifbam_hdf5_refuse (path, error, "lacks the network and options that produced it");
      return NULL;
    }
  if (!get_grid (file, grid))
    {
      ifbam_hdf5_fail (path, "its sweep can't be read", IFBAM_ERROR_COURSE, error);
      return NULL;
    }
  if (manifest != NULL)
    *manifest = g_steal_pointer (&made);
  return g_steal_pointer (&grid);
}
