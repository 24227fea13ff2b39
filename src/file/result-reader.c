/* result-reader.c: reads a result in HDF5, also while it grows
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/result.h"

#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "file/manifest.h"
#include "file/result-table.h"

#define BLOCK (1024 * 1024) /* bytes of rows read at once */

static const IfbamHdf5Kind result_kind = {
  IFBAM_RESULT_FORMAT, IFBAM_RESULT_VERSION,
  "an HDF5 file, but none with courses that \"ifbam run -o FILE.h5\" wrote"
};

static gboolean
check_names (const char *path, char **names, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  if (strcmp (names[0], "time") != 0)
    return ifbam_hdf5_refuse (path, error, "the first column is not \"time\"");
  for (guint i = 0; names[i] != NULL; i++)
    if (!g_hash_table_add (seen, names[i]))
      return ifbam_hdf5_refuse (path, error, "two columns are called \"%s\"", names[i]);
  return TRUE;
}

static gboolean
take_rows (const char *path, IfbamCourse *course, const double *rows, gsize n_rows, gsize n,
           double *last, GError **error)
{
  for (gsize i = 0; i < n_rows; i++, rows += n)
    {
      const gsize row = ifbam_course_get_n_rows (course);

      for (gsize j = 0; j < n; j++)
        if (!isfinite (rows[j]))
          return ifbam_hdf5_refuse (path, error,
                                    "row %" G_GSIZE_FORMAT " has a number that is not finite", row);
      if (row > 0 && rows[0] < *last)
        return ifbam_hdf5_refuse (
            path, error, "row %" G_GSIZE_FORMAT ": its time is before that of the last row", row);
      *last = rows[0];
      ifbam_course_append_row (course, rows[0], rows + 1);
    }
  return TRUE;
}

static gboolean
read_rows (const char *path, hid_t dataset, IfbamCourse *course, gsize n, GError **error)
{
  const gsize most = MAX (BLOCK / (n * sizeof (double)), 1);
  g_autofree double *rows = g_new (double, most *n);
  hsize_t size[2] = { 0 };
  double last = 0;

  if (!ifbam_hdf5_get_size (dataset, 2, size) || size[1] != n)
    return ifbam_hdf5_refuse (path, error, "its columns and their names differ");
  if (!ifbam_hdf5_fits_memory ((double) size[0] * (double) n, sizeof (double)))
    return ifbam_hdf5_fail (path, "its rows can't be read", IFBAM_ERROR_COURSE, error);
  for (hsize_t from = 0; from < size[0]; from += most)
    {
      const hsize_t count = MIN (most, size[0] - from);

      if (!ifbam_hdf5_read_rows (dataset, H5T_NATIVE_DOUBLE, from, count, n, rows))
        return ifbam_hdf5_fail (path, "its rows can't be read", IFBAM_ERROR_COURSE, error);
      if (!take_rows (path, course, rows, count, n, &last, error))
        return FALSE;
    }
  return TRUE;
}

IfbamCourse *
ifbam_result_read_course (const char *path, GError **error)
{
  AutoHid file = ifbam_hdf5_open_kind (path, &result_kind, error), dataset = H5I_INVALID_HID;
  g_auto (GStrv) names = NULL, units = NULL;
  g_autofree const char **interned = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  gsize n = 0, n_units = 0;

  if (file <= 0)
    return NULL;
  dataset = H5Dopen2 (file, "course", H5P_DEFAULT);
  names = dataset > 0 ? ifbam_hdf5_get_texts (dataset, "names", &n) : NULL;
  units = dataset > 0 ? ifbam_hdf5_get_texts (dataset, "units", &n_units) : NULL;
  if (n == 0 || n != n_units)
    {
      ifbam_hdf5_refuse (path, error, "has no course with names and units");
      return NULL;
    }
  if (!check_names (path, names, error))
    return NULL;
  interned = g_new (const char *, n);
  for (gsize i = 1; i < n; i++)
    interned[i - 1] = g_intern_string (units[i]);
  course = ifbam_course_new_with_units ((const char *const *) names + 1, interned);
  if (!read_rows (path, dataset, course, n, error))
    return NULL;
  if (ifbam_course_get_n_rows (course) == 0)
    {
      ifbam_hdf5_refuse (path, error, "has names but no row of numbers");
      return NULL;
    }
  return g_steal_pointer (&course);
}

GArray *
ifbam_result_read_events (const char *path, GError **error)
{
  AutoHid file = ifbam_hdf5_open_kind (path, &result_kind, error), dataset = H5I_INVALID_HID;
  g_autoptr (GArray) events = NULL;

  if (file <= 0)
    return NULL;
  dataset = H5Dopen2 (file, "events", H5P_DEFAULT);
  events = ifbam_event_table_read (dataset);
  if (events == NULL)
    ifbam_hdf5_fail (path, "its events can't be read", IFBAM_ERROR_COURSE, error);
  return g_steal_pointer (&events);
}

IfbamManifest *
ifbam_result_read_manifest (const char *path, gboolean *complete, GError **error)
{
  AutoHid file = ifbam_hdf5_open_kind (path, &result_kind, error);
  g_autoptr (IfbamManifest) manifest = file > 0 ? ifbam_manifest_get (file, path, error) : NULL;
  gint64 whole = 0;

  if (manifest == NULL)
    return NULL;
  if (!ifbam_hdf5_get_integer (file, "complete", &whole))
    {
      ifbam_hdf5_refuse (path, error, "does not say whether it is complete");
      return NULL;
    }
  if (complete != NULL)
    *complete = whole == 1;
  return g_steal_pointer (&manifest);
}
