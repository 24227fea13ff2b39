/* test-store.c: each call of the HDF5 library fails in turn: a message that names the file, or the right result
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glib/gstdio.h>
#include <hdf5_hl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "run/run.h"
#include "file/file.h"
#include "file/ifbam-course-file.h"

/* ---- the library: its nth call fails (0: none); --wrap of the linker leads here */

static guint calls, failing;
static gboolean inside; /* calls within the library do not fail: some of them would crash */

static gboolean
fails (void)
{
  return !inside && ++calls == failing;
}

#define WRAP(type, name, failure, parameters, arguments)                                           \
  type __real_##name parameters;                                                                   \
  type __wrap_##name parameters;                                                                   \
  type __wrap_##name parameters                                                                    \
  {                                                                                                \
    const gboolean was_inside = inside;                                                            \
    type result = (type) (failure);                                                                \
                                                                                                   \
    if (fails ())                                                                                  \
      return result;                                                                               \
    inside = TRUE;                                                                                 \
    result = __real_##name arguments;                                                              \
    inside = was_inside;                                                                           \
    return result;                                                                                 \
  }

/* clang-format off */
WRAP (hid_t, H5Pcreate, -1, (hid_t class), (class))
WRAP (hid_t, H5Screate_simple, -1, (int rank, const hsize_t *size, const hsize_t *most), (rank, size, most))
WRAP (hid_t, H5Screate, -1, (H5S_class_t kind), (kind))
WRAP (int, H5Sget_simple_extent_ndims, -1, (hid_t space), (space))
WRAP (int, H5Sget_simple_extent_dims, -1, (hid_t space, hsize_t *size, hsize_t *most), (space, size, most))
WRAP (hssize_t, H5Sget_simple_extent_npoints, -1, (hid_t space), (space))
WRAP (herr_t, H5Sselect_hyperslab, -1, (hid_t space, H5S_seloper_t how, const hsize_t *start, const hsize_t *stride, const hsize_t *count, const hsize_t *block), (space, how, start, stride, count, block))
WRAP (hid_t, H5Tcopy, -1, (hid_t type), (type))
WRAP (hid_t, H5Tcreate, -1, (H5T_class_t class, size_t size), (class, size))
WRAP (herr_t, H5Tinsert, -1, (hid_t type, const char *name, size_t place, hid_t member), (type, name, place, member))
WRAP (herr_t, H5Tset_size, -1, (hid_t type, size_t size), (type, size))
WRAP (herr_t, H5Tset_cset, -1, (hid_t type, H5T_cset_t set), (type, set))
WRAP (herr_t, H5Tset_strpad, -1, (hid_t type, H5T_str_t pad), (type, pad))
WRAP (H5T_class_t, H5Tget_class, -1, (hid_t type), (type))
WRAP (htri_t, H5Tis_variable_str, -1, (hid_t type), (type))
WRAP (int, H5Tget_member_index, -1, (hid_t type, const char *name), (type, name))
WRAP (hid_t, H5Tget_member_type, -1, (hid_t type, unsigned number), (type, number))
WRAP (hid_t, H5Dopen2, -1, (hid_t place, const char *name, hid_t how), (place, name, how))
WRAP (hid_t, H5Dcreate2, -1, (hid_t place, const char *name, hid_t type, hid_t space, hid_t link, hid_t how, hid_t access), (place, name, type, space, link, how, access))
WRAP (herr_t, H5Dread, -1, (hid_t set, hid_t type, hid_t memory, hid_t space, hid_t how, void *values), (set, type, memory, space, how, values))
WRAP (herr_t, H5Dwrite, -1, (hid_t set, hid_t type, hid_t memory, hid_t space, hid_t how, const void *values), (set, type, memory, space, how, values))
WRAP (hid_t, H5Dget_space, -1, (hid_t set), (set))
WRAP (hid_t, H5Dget_type, -1, (hid_t set), (set))
WRAP (hid_t, H5Dget_create_plist, -1, (hid_t set), (set))
WRAP (herr_t, H5Literate, -1, (hid_t group, H5_index_t index, H5_iter_order_t order, hsize_t *place, H5L_iterate_t visit, void *data), (group, index, order, place, visit, data))
WRAP (hid_t, H5Oopen, -1, (hid_t place, const char *name, hid_t how), (place, name, how))
WRAP (int, H5Pget_external_count, -1, (hid_t how), (how))
WRAP (herr_t, H5Dset_extent, -1, (hid_t set, const hsize_t *size), (set, size))
WRAP (herr_t, H5Dflush, -1, (hid_t set), (set))
WRAP (hid_t, H5Fopen, -1, (const char *path, unsigned flags, hid_t how), (path, flags, how))
WRAP (hid_t, H5Fcreate, -1, (const char *path, unsigned flags, hid_t made, hid_t how), (path, flags, made, how))
WRAP (herr_t, H5Fflush, -1, (hid_t file, H5F_scope_t scope), (file, scope))
WRAP (herr_t, H5Fincrement_filesize, -1, (hid_t file, hsize_t size), (file, size))
WRAP (herr_t, H5Fget_vfd_handle, -1, (hid_t file, hid_t how, void **handle), (file, how, handle))
WRAP (herr_t, H5Fstart_swmr_write, -1, (hid_t file), (file))
WRAP (herr_t, H5Odisable_mdc_flushes, -1, (hid_t object), (object))
WRAP (hid_t, H5Gopen2, -1, (hid_t place, const char *name, hid_t how), (place, name, how))
WRAP (hid_t, H5Gcreate2, -1, (hid_t place, const char *name, hid_t link, hid_t how, hid_t access), (place, name, link, how, access))
WRAP (hid_t, H5Aopen, -1, (hid_t object, const char *name, hid_t how), (object, name, how))
WRAP (htri_t, H5Aexists, -1, (hid_t object, const char *name), (object, name))
WRAP (hid_t, H5Acreate2, -1, (hid_t object, const char *name, hid_t type, hid_t space, hid_t how, hid_t access), (object, name, type, space, how, access))
WRAP (herr_t, H5Aread, -1, (hid_t attribute, hid_t type, void *value), (attribute, type, value))
WRAP (herr_t, H5Awrite, -1, (hid_t attribute, hid_t type, const void *value), (attribute, type, value))
WRAP (hid_t, H5Aget_type, -1, (hid_t attribute), (attribute))
WRAP (hid_t, H5Aget_space, -1, (hid_t attribute), (attribute))
WRAP (herr_t, H5Pset_chunk, -1, (hid_t how, int rank, const hsize_t *size), (how, rank, size))
WRAP (int, H5Pget_chunk, -1, (hid_t how, int most, hsize_t *size), (how, most, size))
WRAP (herr_t, H5Pset_attr_phase_change, -1, (hid_t how, unsigned compact, unsigned dense), (how, compact, dense))
WRAP (herr_t, H5Pset_obj_track_times, -1, (hid_t how, hbool_t track), (how, track))
WRAP (herr_t, H5Pset_libver_bounds, -1, (hid_t how, H5F_libver_t low, H5F_libver_t high), (how, low, high))
WRAP (herr_t, H5Pset_shuffle, -1, (hid_t how), (how))
WRAP (herr_t, H5Pset_deflate, -1, (hid_t how, unsigned level), (how, level))
WRAP (herr_t, H5Pset_fletcher32, -1, (hid_t how), (how))
WRAP (herr_t, H5Pset_userblock, -1, (hid_t how, hsize_t size), (how, size))
WRAP (herr_t, H5Pset_metadata_read_attempts, -1, (hid_t how, unsigned n), (how, n))
WRAP (herr_t, H5Pset, -1, (hid_t how, const char *name, const void *value), (how, name, value))
WRAP (herr_t, H5DSset_scale, -1, (hid_t set, const char *name), (set, name))
WRAP (herr_t, H5DSattach_scale, -1, (hid_t set, hid_t scale, unsigned number), (set, scale, number))
WRAP (herr_t, H5DSset_label, -1, (hid_t set, unsigned number, const char *label), (set, number, label))
/* clang-format on */

/* ---- jobs */

static const char *const option_words[] = { "--scheme", "verlet", NULL };
static const IfbamEvent hit = { .element = "bump", .word = "impact", .time = 1.5 };

static IfbamManifest *
make_manifest (void)
{
  IfbamManifest *manifest = ifbam_manifest_new ("a.ini", NULL, "[network]\n", "0123", option_words);

  manifest->scheme = g_strdup ("verlet");
  manifest->start = g_strdup ("rest");
  return manifest;
}

static gboolean
add_rows (IfbamResultWriter *writer, guint from, guint n, GError **error)
{
  for (guint i = from; i < from + n; i++)
    {
      const double values[] = { i, -(double) i };

      if (!ifbam_result_writer_row (writer, i, values, error))
        return FALSE;
    }
  return ifbam_result_writer_event (writer, &hit, error);
}

static const char *const ab_names[] = { "time", "a", "b", NULL }, *const ab_units[] = { "s", "m",
                                                                                        "m" };
static const IfbamResultLayout ab_layout = {
  .names = ab_names, .units = ab_units, .n_rows = 4, .longest_name = 4, .compress = TRUE
};

static gboolean
write_result (const char *path, GError **error)
{
  g_autoptr (IfbamManifest) manifest = make_manifest ();
  g_autoptr (IfbamResultWriter) writer =
      ifbam_result_writer_new (path, &ab_layout, manifest, error);
  guint64 n_rows, n_events;

  return writer != NULL && add_rows (writer, 0, 6, error)
         && ifbam_result_writer_flush (writer, error)
         && ifbam_result_writer_mark (writer, &n_rows, &n_events, error) && n_rows == 6
         && add_rows (writer, 6, 3, error)
         && ifbam_result_writer_finish (writer, TRUE, "done", error);
}

static gboolean
go_on (const char *path, GError **error)
{
  g_autoptr (IfbamManifest) manifest = make_manifest ();
  g_autoptr (IfbamResultWriter) writer =
      ifbam_result_writer_new_at_mark (path, &ab_layout, manifest, 6, 1, error);

  return writer != NULL && add_rows (writer, 6, 3, error)
         && ifbam_result_writer_finish (writer, TRUE, "done", error);
}

static gboolean
read_result (const char *path, GError **error)
{
  gboolean complete = FALSE;
  g_autoptr (IfbamCourse) course = ifbam_course_new_from_file (path, error);
  g_autoptr (GArray) events = course == NULL ? NULL : ifbam_result_read_events (path, error);
  g_autoptr (IfbamManifest) manifest =
      events == NULL ? NULL : ifbam_result_read_manifest (path, &complete, error);
  gsize n;

  if (manifest == NULL)
    return FALSE;
  assert_true (complete);
  assert_int_equal (events->len, 2);
  assert_string_equal (g_array_index (events, IfbamEvent, 1).element, "bump");
  assert_string_equal (manifest->options[1], "verlet");
  assert_string_equal (manifest->start, "rest");
  assert_true (ifbam_course_get_values (course, "b", &n, NULL)[8] == -8 && n == 9);
  return TRUE;
}

static IfbamState *state;

static gboolean
write_state (const char *path, GError **error)
{
  g_autoptr (IfbamManifest) manifest = make_manifest ();
  g_autoptr (GArray) pending_events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));
  const IfbamStateFile file = { .state = state,
                                .pending_events = pending_events,
                                .manifest = manifest,
                                .is_checkpoint = TRUE,
                                .written = { .output = { (char *) "a.csv", (char *) "77", 12 },
                                             .n_rows = 3 } };

  g_array_append_val (pending_events, hit);
  return ifbam_state_file_write (&file, path, error);
}

static gboolean
read_state (const char *path, GError **error)
{
  g_autoptr (IfbamStateFile) file = ifbam_state_file_read (path, error);

  if (file == NULL)
    return FALSE;
  assert_true (ifbam_state_equal (file->state, state));
  assert_int_equal (file->pending_events->len, 1);
  assert_true (file->is_checkpoint && file->written.n_rows == 3 && file->written.n_events == 0);
  assert_string_equal (file->written.output.sum, "77");
  assert_int_equal (file->written.output.size, 12);
  assert_null (file->written.events.path);
  return TRUE;
}

static gboolean
write_grid (const char *path, GError **error)
{
  static const char *const columns[] = { "max", "f1", "f2" };
  static const double masses[] = { 1, 2, 3 };
  g_autoptr (IfbamManifest) manifest = make_manifest ();
  g_autoptr (IfbamGrid) grid = ifbam_grid_new ();

  ifbam_grid_add_axis (grid, "m.mass", "kg", "m.mass [kg]", masses, G_N_ELEMENTS (masses));
  ifbam_grid_add_array (grid, "max", "m", NULL, FALSE, columns, 1);
  ifbam_grid_add_array (grid, "frequencies", "Hz", "mode", TRUE, columns + 1, 2);
  grid->is_run = TRUE;
  ifbam_grid_make_room (grid, 0, 0);
  for (guint v = 0; v < 2; v++)
    {
      grid->state[v] = IFBAM_VARIANT_DONE;
      for (guint c = 0; c < grid->n_values; c++)
        grid->values[v * grid->n_values + c] = 10 * v + c;
    }
  assert_true (ifbam_grid_set_best (grid, "min:max", NULL));
  return ifbam_grid_write (grid, path, TRUE, manifest, "interrupted", error);
}

static gboolean
read_grid (const char *path, GError **error)
{
  g_autoptr (IfbamManifest) manifest = NULL;
  g_autoptr (IfbamGrid) grid = ifbam_grid_read (path, FALSE, &manifest, error);

  if (grid == NULL)
    return FALSE;
  assert_int_equal (grid->n, 3);
  assert_int_equal (grid->state[2], IFBAM_VARIANT_OPEN);
  assert_true (grid->values[5] == 12 && grid->is_run && grid->best == 0);
  assert_string_equal (g_array_index (grid->arrays, IfbamGridArray, 1).axis, "mode");
  assert_string_equal (manifest->network, "[network]\n");
  return TRUE;
}

static gboolean
write_columns (const char *path, GError **error)
{
  static const double masses[] = { 1, 2 }, stiffness[] = { 3 };
  g_autoptr (IfbamColumnsData) data = g_new0 (IfbamColumnsData, 1);

  data->n_nodes = 2;
  data->n_links = 1;
  data->left = g_memdup2 (&(guint32){ 0 }, sizeof (guint32));
  data->right = g_memdup2 (&(guint32){ 1 }, sizeof (guint32));
  data->values[IFBAM_COLUMNS_MASS][0] = g_variant_ref_sink (
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, masses, 2, sizeof (double)));
  data->values[IFBAM_COLUMNS_SPRING][0] = g_variant_ref_sink (
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, stiffness, 1, sizeof (double)));
  return ifbam_columns_file_write (path, data, error);
}

/* Faults are told without the file's name, which is the network's to say. */
static gboolean
read_columns (const char *path, GError **error)
{
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (IfbamColumnsData) data = ifbam_columns_file_read (path, 0, faults);
  guint64 n_nodes, n_links;

  if (data == NULL)
    {
      assert_int_not_equal (faults->len, 0);
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_COURSE, "%s: %s", path,
                   (const char *) faults->pdata[0]);
      return FALSE;
    }
  assert_true (data->n_nodes == 2 && data->n_links == 1 && data->right[0] == 1);
  if (!ifbam_columns_file_count (path, &n_nodes, &n_links))
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_COURSE, "%s: can't be counted", path);
      return FALSE;
    }
  return TRUE;
}

/* ---- each call of it */

typedef gboolean (*Job) (const char *path, GError **error);

/* before: makes the job's file, without faults (NULL: none); may_lack: some calls are optional, and the result is right. */
static void
fail_each (const char *name, Job before, Job job, gboolean may_lack)
{
  guint told = 0, number = 0;

  do
    {
      g_autofree char *file = g_strdup_printf ("%s-%u.h5", name, ++number);
      g_autofree char *path = folder_path (file);
      g_autoptr (GError) error = NULL;
      gboolean fine;

      failing = 0;
      assert_true (before == NULL || before (path, NULL));
      calls = 0;
      failing = number;
      fine = job (path, &error);
      failing = 0;
      if (fine != (error == NULL))
        fail_msg ("%s, call %u: %s", name, number, fine ? error->message : "no reason is given");
      if (!fine && strstr (error->message, path) == NULL)
        fail_msg ("%s, call %u: no file is named: %s", name, number, error->message);
      if (fine && calls >= number && !may_lack)
        fail_msg ("%s, call %u: nobody noticed", name, number);
      told += !fine;
    }
  while (calls >= number);
  print_message ("# %s: %u calls, %u failures told\n", name, number - 1, told);
  assert_true (told > (number - 1) / 2);
}

/* A file is opened for reading in two ways, so that the failure of one may have no effect. */
static gboolean
go_on_and_read (const char *path, GError **error)
{
  return go_on (path, error) && read_result (path, error);
}

static void
test_result (void **unused)
{
  (void) unused;
  fail_each ("result", NULL, write_result, FALSE);
  fail_each ("going-on", write_result, go_on_and_read, TRUE);
  fail_each ("reading", write_result, read_result, TRUE);
}

/* How large a compressed result of so many rows is, that can be looked at after each so many of them. */
static gsize
compressed_size (const char *name, guint n, guint each)
{
  static const char *const names[] = { "time", "a", "b", NULL }, *const units[] = { "s", "m", "m" };
  const IfbamResultLayout layout = {
    .names = names, .units = units, .n_rows = n, .longest_name = 4, .compress = TRUE
  };
  g_autoptr (IfbamManifest) manifest = make_manifest ();
  g_autofree char *path = folder_path (name);
  g_autofree char *bytes = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  IfbamResultWriter *writer = ifbam_result_writer_new (path, &layout, manifest, NULL);
  gsize size;

  for (guint i = 0; i < n; i++)
    {
      const double values[] = { sin (0.1 * i), cos (0.1 * i) };

      assert_true (ifbam_result_writer_row (writer, i, values, NULL));
      if (i % each == 0)
        assert_true (ifbam_result_writer_flush (writer, NULL));
      if (each < n && i > 0 && i % 5000 == 0)
        {
          course = ifbam_course_new_from_file (path, NULL);
          assert_true (ifbam_course_get_n_rows (course) >= 1 + i / 4);
          g_clear_object (&course);
        }
    }
  assert_true (ifbam_result_writer_finish (writer, TRUE, "done", NULL));
  ifbam_result_writer_free (writer);
  course = ifbam_course_new_from_file (path, NULL);
  assert_int_equal (ifbam_course_get_n_rows (course), n);
  assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  return size;
}

/* For readers the file does not become much larger. */
static void
test_compressed_growth (void **unused)
{
  const gsize at_once = compressed_size ("at-once.h5", 20000, 20000);

  (void) unused;
  assert_true (compressed_size ("looked-at.h5", 20000, 10) < 7 * at_once / 3);
}

static void
test_state (void **unused)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/impact-oscillator.ini", NULL);
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  IfbamRunTask task = { .threads = 1 };
  IfbamRunner *runner;

  (void) unused;
  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, NULL);
  runner = ifbam_runner_new (&task, model, signals, &spec);
  state = ifbam_runner_get_state (runner);
  fail_each ("state", NULL, write_state, FALSE);
  fail_each ("state-reading", write_state, read_state, TRUE);
  ifbam_state_free (state);
  ifbam_runner_free (runner);
}

static void
test_grid (void **unused)
{
  (void) unused;
  fail_each ("grid", NULL, write_grid, TRUE);
  fail_each ("grid-reading", write_grid, read_grid, TRUE);
}

static void
test_columns (void **unused)
{
  (void) unused;
  fail_each ("columns", NULL, write_columns, FALSE);
  fail_each ("columns-reading", write_columns, read_columns, TRUE);
}

/* After a failed write nothing else is written: later data would be at a wrong position. */
static void
test_failed_result (void **unused)
{
  static const char *const names[] = { "time", "a", NULL }, *const units[] = { "s", "m" };
  const IfbamResultLayout layout = {
    .names = names, .units = units, .n_rows = 10, .longest_name = 4
  };
  const IfbamEvent longer = { .element = "bumperbumper", .word = "impact", .time = 1.5 };
  g_autoptr (IfbamManifest) manifest = make_manifest ();
  g_autofree char *path = folder_path ("failed.h5");
  const double value = 1;

  (void) unused;
  for (guint how = 0; how < 2; how++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamResultWriter) writer =
          ifbam_result_writer_new (path, &layout, manifest, NULL);
      gboolean fine = TRUE;

      /* The name of an element that there is not, or the library where events are handed to it. */
      if (how == 0)
        fine = ifbam_result_writer_event (writer, &longer, &error);
      for (guint i = 0; how == 1 && fine && i < 10000; i++)
        {
          calls = 0;
          failing = 1;
          fine = ifbam_result_writer_event (writer, &hit, &error);
          failing = 0;
        }
      assert_false (fine);
      assert_message (error->message,
                      how == 0
                          ? "failed.h5: \"impact\" of \"bumperbumper\" is longer than its column"
                          : "failed.h5: can't be written");
      for (guint i = 0; i < 3; i++)
        {
          g_clear_error (&error);
          assert_false (i == 0   ? ifbam_result_writer_row (writer, 1, &value, &error)
                        : i == 1 ? ifbam_result_writer_event (writer, &hit, &error)
                                 : ifbam_result_writer_flush (writer, &error));
          assert_message (error->message, "failed.h5: an earlier write has failed");
        }
    }
}

/* Files that can't be continued, or written, are errors. */
static void
test_places_of_results (void **unused)
{
  static const char *const names[] = { "time", NULL }, *const units[] = { "s" };
  const IfbamResultLayout layout = { .names = names, .units = units, .n_rows = 4 };
  g_autoptr (IfbamManifest) manifest = make_manifest ();
  g_autofree char *path = folder_path ("short.h5"), *nowhere = folder_path ("nowhere.h5");
  g_autoptr (GError) error = NULL;

  (void) unused;
  assert_true (write_result (path, NULL));
  assert_null (ifbam_result_writer_new_at_mark (path, &ab_layout, manifest, 10, 0, &error));
  assert_message (error->message, "short.h5: has 9 of the 10 rows that were written");
  g_clear_error (&error);
  assert_null (ifbam_result_writer_new_at_mark (path, &layout, manifest, 6, 0, &error));
  assert_message (error->message, "short.h5: is no result");
  g_clear_error (&error);
  g_free (manifest->sha256);
  manifest->sha256 = g_strdup ("4567");
  assert_null (ifbam_result_writer_new_at_mark (path, &ab_layout, manifest, 6, 0, &error));
  assert_message (error->message, "short.h5: is of another network");
  g_clear_error (&error);
  assert_null (ifbam_result_writer_new_at_mark (nowhere, &ab_layout, manifest, 1, 0, &error));
  assert_message (error->message, "nowhere.h5: can't be opened");
  g_clear_error (&error);
  assert_null (ifbam_result_writer_new ("/dev/null", &layout, manifest, &error));
  assert_message (error->message, "/dev/null: is no regular file (HDF5 needs one)");
  assert_false (g_file_test (nowhere, G_FILE_TEST_EXISTS));
}

static gboolean
put_nothing (hid_t file, gconstpointer data)
{
  (void) data;
  return file > 0;
}

/* The old file gets a second name; if that fails, it keeps its first one. */
static void
test_the_one_before (void **unused)
{
  g_autofree char *path = folder_path ("sealed.h5"), *before = ifbam_sealed_old_name (path);
  g_autofree char *bytes = NULL, *after = NULL;
  g_autoptr (GError) error = NULL;
  gsize n, n_after;

  (void) unused;
  assert_true (write_grid (path, NULL));
  assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  assert_int_equal (link (path, before),
                    0); /* as a machine leaves it that dies between both names */
  assert_true (ifbam_sealed_write (path, TRUE, put_nothing, NULL, &error));
  assert_true (g_file_get_contents (before, &after, &n_after, NULL));
  assert_true (n == n_after);
  assert_memory_equal (after, bytes, n);
  assert_int_equal (g_unlink (before), 0);
  assert_int_equal (g_unlink (path), 0);
  assert_true (write_grid (path, NULL));
  assert_int_equal (g_mkdir (before, 0700), 0);
  assert_false (ifbam_sealed_write (path, TRUE, put_nothing, NULL, &error));
  assert_message (error->message, "sealed.h5.before: Is a directory");
  g_free (after);
  assert_true (g_file_get_contents (path, &after, &n_after, NULL));
  assert_true (n == n_after);
  assert_memory_equal (after, bytes, n);
  assert_int_equal (g_rmdir (before), 0);
}

static void
test_manifests (void **unused)
{
  g_autoptr (IfbamManifest) one = make_manifest (), other = make_manifest ();
  g_autofree char *why = NULL;

  (void) unused;
  assert_null (ifbam_manifest_difference (one, other));
  g_free (one->version);
  one->version = g_strdup ("0.0");
  why = ifbam_manifest_difference (one, other);
  assert_string_equal (why, "is of another version of ifbam");
}

static void
test_axes (void **unused)
{
  static const double values[] = { 1, 2 };
  g_autoptr (IfbamGrid) grid = ifbam_grid_new ();
  g_autoptr (GError) error = NULL;

  (void) unused;
  for (guint i = 1; i <= H5S_MAX_RANK; i++)
    {
      g_autofree char *name = g_strdup_printf ("m%u.mass", i);

      ifbam_grid_add_axis (grid, name, "kg", name, values, 2);
      assert_int_equal (ifbam_grid_fits_file (grid, "a.h5", i < H5S_MAX_RANK ? NULL : &error),
                        i < H5S_MAX_RANK);
    }
  assert_message (error->message,
                  "a.h5: arrays of HDF5 have 31 axes at most: want fewer numbers varied, or CSV");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_result),
    cmocka_unit_test (test_compressed_growth),
    cmocka_unit_test (test_state),
    cmocka_unit_test (test_grid),
    cmocka_unit_test (test_columns),
    cmocka_unit_test (test_failed_result),
    cmocka_unit_test (test_places_of_results),
    cmocka_unit_test (test_the_one_before),
    cmocka_unit_test (test_manifests),
    cmocka_unit_test (test_axes),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
