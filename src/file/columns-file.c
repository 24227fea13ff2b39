/* columns-file.c: masses, springs and dampers as columns of a file in HDF5
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/columns-file.h"

#include <math.h>

#include "base/ifbam-error.h"
#include "base/memory.h"
#include "file/sealed-file.h"

#define VERSION 1
/* Faulty rows of a dataset that are reported; the others are counted. */
#define MAX_ROWS 3

static const char *const groups[] = {
  [IFBAM_COLUMNS_MASS] = "nodes", [IFBAM_COLUMNS_SPRING] = "links", [IFBAM_COLUMNS_DAMPER] = "links"
};

/* Reading */

typedef struct
{
  const char *path;
  hid_t file;
  GPtrArray *faults;
  const IfbamColumnsBlock *block; /* NULL: all rows are read */
  /* of the present dataset */
  const char *dataset;
  guint64 n_faults;
} Reader;

G_GNUC_PRINTF (2, 3)
static void
add_fault (Reader *reader, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_ptr_array_add (reader->faults, g_strdup_printf ("%s: %s", reader->path, text));
}

/* Reports a fault of a row (transfer full). */
static void
add_row_fault (Reader *reader, guint64 row, char *text)
{
  if (reader->n_faults++ < MAX_ROWS)
    add_fault (reader, "%s[%" G_GUINT64_FORMAT "] %s", reader->dataset, row, text);
  g_free (text);
}

static void
begin_rows (Reader *reader, const char *dataset)
{
  reader->dataset = dataset;
  reader->n_faults = 0;
}

static void
end_rows (Reader *reader)
{
  if (reader->n_faults > MAX_ROWS)
    add_fault (reader, "%s: and %" G_GUINT64_FORMAT " rows more", reader->dataset,
               reader->n_faults - MAX_ROWS);
}

/* Returns "mass, position, velocity" (transfer full). */
static char *
list_keys (gboolean links)
{
  g_autoptr (GString) text = g_string_new (links ? "left, right" : NULL);

  for (guint k = 0; k < IFBAM_N_COLUMNS_KINDS; k++)
    for (guint c = 0; ifbam_columns_keys (k)[c] != NULL && (k != IFBAM_COLUMNS_MASS) == links; c++)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", ifbam_columns_keys (k)[c]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

typedef struct
{
  Reader *reader;
  gboolean links;
} Walk;

/* Reports a dataset that is no column. */
static herr_t
check_name (hid_t group, const char *name, const H5L_info_t *info, void *data)
{
  const Walk *walk = data;
  gboolean known = walk->links && (g_str_equal (name, "left") || g_str_equal (name, "right"));

  (void) group, (void) info;
  for (guint k = 0; k < IFBAM_N_COLUMNS_KINDS && !known; k++)
    if ((k != IFBAM_COLUMNS_MASS) == walk->links)
      known = g_strv_contains (ifbam_columns_keys (k), name);
  if (!known)
    {
      g_autofree char *keys = list_keys (walk->links);

      add_fault (walk->reader, "\"%s/%s\" is no column (there are %s)",
                 walk->links ? "links" : "nodes", name, keys);
    }
  return 0;
}

static void
check_names (Reader *reader, gboolean links)
{
  const char *name = links ? "links" : "nodes";
  AutoHid group = H5Lexists (reader->file, name, H5P_DEFAULT) > 0
                      ? H5Gopen2 (reader->file, name, H5P_DEFAULT)
                      : H5I_INVALID_HID;
  Walk walk = { reader, links };

  if (group > 0)
    H5Literate (group, H5_INDEX_NAME, H5_ITER_INC, NULL, check_name, &walk);
  H5Eclear2 (H5E_DEFAULT);
}

static gboolean
has_dataset (const Reader *reader, const char *group, const char *dataset)
{
  return H5Lexists (reader->file, group, H5P_DEFAULT) > 0
         && H5Lexists (reader->file, dataset, H5P_DEFAULT) > 0;
}

/* Returns the number of rows that are read, of n, from *first on. */
static guint64
rows_read (const Reader *reader, gboolean of_links, guint64 n, guint64 *first)
{
  const IfbamColumnsBlock *block = reader->block;
  guint64 some;

  *first = block == NULL ? 0 : MIN (of_links ? block->first_link : block->first_node, n);
  some = block == NULL ? n : of_links ? block->n_links : block->n_nodes;
  return MIN (some, n - *first);
}

/* Reads values of a dataset (transfer full), or NULL. *n: number of rows; ANY: returns it. */
#define ANY G_MAXUINT64

static gpointer
read_values (Reader *reader, const char *dataset, gboolean whole, gboolean of_links, hid_t type,
             guint64 *n, const char *wanted_by)
{
  AutoHid set = H5Dopen2 (reader->file, dataset, H5P_DEFAULT);
  AutoHid own = set > 0 ? H5Dget_type (set) : H5I_INVALID_HID;
  const H5T_class_t class = own > 0 ? H5Tget_class (own) : H5T_NO_CLASS;
  hsize_t size = 0;
  guint64 first, count;
  g_autofree char *lack = NULL;
  g_autofree gpointer values = NULL;

  if (set <= 0)
    {
      H5Eclear2 (H5E_DEFAULT);
      add_fault (reader, "\"%s\" is no dataset", dataset);
      return NULL;
    }
  if (!ifbam_hdf5_get_size (set, 1, &size))
    {
      add_fault (reader, "\"%s\" has not one dimension (want a number for each row)", dataset);
      return NULL;
    }
  if (class != H5T_INTEGER && (class != H5T_FLOAT || whole))
    {
      add_fault (reader, "\"%s\" is not of %s", dataset,
                 whole ? "whole numbers (want the numbers of nodes, from 0 on)" : "numbers");
      return NULL;
    }
  if (*n != ANY && size != *n)
    {
      add_fault (reader,
                 "\"%s\" has %" G_GUINT64_FORMAT " rows, \"%s\" %" G_GUINT64_FORMAT
                 " (want as many)",
                 dataset, (guint64) size, wanted_by, *n);
      return NULL;
    }
  count = rows_read (reader, of_links, size, &first);
  lack = ifbam_memory_lack (8.0 * (double) count);
  if (lack != NULL)
    {
      add_fault (reader, "\"%s\" has %" G_GUINT64_FORMAT " rows, which need %s", dataset,
                 (guint64) size, lack);
      return NULL;
    }
  values = g_malloc ((count + 1) * 8);
  if (!ifbam_hdf5_read_rows (set, type, first, count, 0, values))
    {
      g_autoptr (GError) error = NULL;

      ifbam_hdf5_fail (dataset, "can't be read", IFBAM_ERROR_COURSE, &error);
      add_fault (reader, "%s", error->message);
      return NULL;
    }
  *n = size;
  return g_steal_pointer (&values);
}

static void
read_column (Reader *reader, IfbamColumnsData *data, IfbamColumnsKind kind, guint c)
{
  const char *key = ifbam_columns_keys (kind)[c];
  g_autofree char *dataset = g_strdup_printf ("%s/%s", groups[kind], key);
  const gboolean of_links = kind != IFBAM_COLUMNS_MASS;
  guint64 *rows = of_links ? &data->n_links : &data->n_nodes;
  const IfbamElementInfo *info = ifbam_columns_info (kind);
  const IfbamParam *param = &info->params[ifbam_element_param_index (info, key)];
  guint64 first, count;
  double *values;

  if (!has_dataset (reader, groups[kind], dataset))
    {
      if (kind == IFBAM_COLUMNS_MASS && c == 0)
        add_fault (reader, "there is no dataset \"%s\" (want a number for each mass)", dataset);
      return;
    }
  values = read_values (reader, dataset, FALSE, of_links, H5T_NATIVE_DOUBLE, rows,
                        of_links ? "links/left" : "nodes/mass");
  if (values == NULL)
    return;
  count = rows_read (reader, of_links, *rows, &first);
  begin_rows (reader, dataset);
  for (guint64 i = 0; i < count; i++)
    {
      /* NaN: a link of another kind. */
      if (of_links && isnan (values[i]))
        continue;
      if (!(values[i] >= param->minimum && values[i] <= param->maximum))
        add_row_fault (reader, first + i, ifbam_param_range_fault (param, values[i]));
    }
  end_rows (reader);
  data->values[kind][c] = g_variant_ref_sink (g_variant_new_from_data (
      G_VARIANT_TYPE ("ad"), values, count * sizeof *values, TRUE, g_free, values));
}

static const double *
values_of (const IfbamColumnsData *data, IfbamColumnsKind kind, guint c)
{
  return data->values[kind][c] == NULL ? NULL : g_variant_get_data (data->values[kind][c]);
}

/* Reads the nodes of links (transfer full); NULL after a fault. */
static guint32 *
read_nodes (Reader *reader, IfbamColumnsData *data, const char *dataset, guint n_named_free)
{
  const guint64 most = data->n_nodes + n_named_free;
  g_autofree gint64 *numbers = NULL;
  guint64 first, count;
  guint32 *nodes;

  if (!has_dataset (reader, "links", dataset))
    {
      add_fault (reader, "there is no dataset \"%s\" (want the number of a node for each link)",
                 dataset);
      return NULL;
    }
  numbers =
      read_values (reader, dataset, TRUE, TRUE, H5T_NATIVE_INT64, &data->n_links, "links/left");
  if (numbers == NULL || data->n_nodes == ANY)
    return NULL;
  count = rows_read (reader, TRUE, data->n_links, &first);
  nodes = g_new (guint32, count + 1);
  begin_rows (reader, dataset);
  for (guint64 i = 0; i < count; i++)
    {
      nodes[i] = (guint32) numbers[i];
      if (numbers[i] >= 0 && (guint64) numbers[i] < most)
        continue;
      nodes[i] = 0;
      if (n_named_free > 0)
        add_row_fault (reader, first + i,
                       g_strdup_printf ("is %" G_GINT64_FORMAT " (want 0 to %" G_GUINT64_FORMAT
                                        " for masses, up to %" G_GUINT64_FORMAT
                                        " for nodes named by \"outer\")",
                                        numbers[i], data->n_nodes - 1, most - 1));
      else
        add_row_fault (reader, first + i,
                       g_strdup_printf ("is %" G_GINT64_FORMAT " (want 0 to %" G_GUINT64_FORMAT
                                        "; other nodes are named by the key \"outer\")",
                                        numbers[i], data->n_nodes - 1));
    }
  end_rows (reader);
  return nodes;
}

/* Sets whether links are springs, dampers or both, from their values. */
static void
find_kinds (Reader *reader, IfbamColumnsData *data)
{
  const double *stiffness = values_of (data, IFBAM_COLUMNS_SPRING, 0);
  const double *damping = values_of (data, IFBAM_COLUMNS_DAMPER, 0);
  guint64 first, count;

  count = rows_read (reader, TRUE, data->n_links, &first);
  data->kinds = g_new0 (guint8, count + 1);
  begin_rows (reader, "links");
  for (guint64 i = 0; i < count; i++)
    {
      if (stiffness != NULL && !isnan (stiffness[i]))
        data->kinds[i] |= 1;
      if (damping != NULL && !isnan (damping[i]))
        data->kinds[i] |= 2;
      if (data->kinds[i] == 0)
        add_row_fault (reader, first + i,
                       g_strdup ("has no number for \"stiffness\" or \"damping\" (want one of "
                                 "them, or both)"));
      if (data->left[i] == data->right[i])
        add_row_fault (
            reader, first + i,
            g_strdup_printf ("has node %u at both ends (a link joins two nodes)", data->left[i]));
    }
  end_rows (reader);
  for (guint c = 1; c < IFBAM_MAX_FILE_COLUMNS; c++)
    {
      const double *values = values_of (data, IFBAM_COLUMNS_SPRING, c);
      const char *key = ifbam_columns_keys (IFBAM_COLUMNS_SPRING)[c];
      g_autofree char *dataset = g_strdup_printf ("links/%s", key);

      begin_rows (reader, dataset);
      for (guint64 i = 0; i < count && values != NULL; i++)
        if (isnan (values[i]) == (data->kinds[i] & 1))
          add_row_fault (
              reader, first + i,
              g_strdup (isnan (values[i])
                            ? "is no number, and its link is a spring (want 0 where it has none)"
                            : "is a number, and its link has no stiffness (want NaN)"));
      end_rows (reader);
    }
}

/* Returns below 1 after a fault. */
static hid_t
open_file (Reader *reader)
{
  g_autoptr (GError) error = NULL;
  hid_t file;

  ifbam_hdf5_disable_messages ();
  if (!g_file_test (reader->path, G_FILE_TEST_EXISTS))
    {
      add_fault (reader, "there is no such file");
      return H5I_INVALID_HID;
    }
  if (!ifbam_hdf5_is_file (reader->path))
    {
      add_fault (reader, "is no file in HDF5");
      return H5I_INVALID_HID;
    }
  file = ifbam_hdf5_open (reader->path);
  if (file > 0)
    return file;
  ifbam_hdf5_fail (reader->path, "can't be read", IFBAM_ERROR_COURSE, &error);
  g_ptr_array_add (reader->faults, g_strdup (error->message));
  return H5I_INVALID_HID;
}

IfbamColumnsData *
ifbam_columns_file_read_block (const char *path, guint n_named_free, const IfbamColumnsBlock *block,
                               GPtrArray *faults)
{
  const guint before = faults->len;
  g_autoptr (IfbamColumnsData) data = ifbam_columns_data_new ();
  Reader reader = { .path = path, .faults = faults, .block = block };
  AutoHid file = open_file (&reader);

  if (file <= 0)
    return NULL;
  reader.file = file;
  data->n_nodes = data->n_links = ANY;
  check_names (&reader, FALSE);
  check_names (&reader, TRUE);
  for (guint c = 0;
       c < IFBAM_MAX_FILE_COLUMNS && ifbam_columns_keys (IFBAM_COLUMNS_MASS)[c] != NULL; c++)
    read_column (&reader, data, IFBAM_COLUMNS_MASS, c);
  if (data->n_nodes == 0)
    add_fault (&reader, "\"nodes/mass\" has no rows (want a mass at least)");
  if (H5Lexists (file, "links", H5P_DEFAULT) > 0)
    {
      data->left = read_nodes (&reader, data, "links/left", n_named_free);
      data->right = read_nodes (&reader, data, "links/right", n_named_free);
      for (guint k = IFBAM_COLUMNS_SPRING; k < IFBAM_N_COLUMNS_KINDS; k++)
        for (guint c = 0; c < IFBAM_MAX_FILE_COLUMNS && ifbam_columns_keys (k)[c] != NULL; c++)
          read_column (&reader, data, k, c);
      if (data->left != NULL && data->right != NULL && faults->len == before)
        find_kinds (&reader, data);
    }
  else
    data->n_links = 0;
  H5Eclear2 (H5E_DEFAULT);
  return faults->len == before ? g_steal_pointer (&data) : NULL;
}

IfbamColumnsData *
ifbam_columns_file_read (const char *path, guint n_named_free, GPtrArray *faults)
{
  return ifbam_columns_file_read_block (path, n_named_free, NULL, faults);
}

static gboolean
count_rows (hid_t file, const char *group, const char *dataset, guint64 *n)
{
  AutoHid set = H5Lexists (file, group, H5P_DEFAULT) > 0 ? H5Dopen2 (file, dataset, H5P_DEFAULT)
                                                         : H5I_INVALID_HID;
  hsize_t size = 0;

  if (!ifbam_hdf5_get_size (set, 1, &size))
    return FALSE;
  *n = size;
  return TRUE;
}

gboolean
ifbam_columns_file_count (const char *path, guint64 *n_nodes, guint64 *n_links)
{
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  Reader reader = { .path = path, .faults = faults };
  AutoHid file = open_file (&reader);
  gboolean fine;

  *n_links = 0;
  fine = file > 0 && count_rows (file, "nodes", "nodes/mass", n_nodes)
         && (H5Lexists (file, "links", H5P_DEFAULT) <= 0
             || count_rows (file, "links", "links/left", n_links));
  H5Eclear2 (H5E_DEFAULT);
  return fine;
}

/* Writing */

static gboolean
put_values (hid_t group, const char *name, hid_t type, hid_t memory, guint64 n, const void *values)
{
  const hsize_t size = n;
  AutoHid dataset = ifbam_hdf5_put_values (group, name, type, memory, 1, &size, 0, values);

  return dataset > 0;
}

static gboolean
put_columns (hid_t file, gconstpointer content)
{
  const IfbamColumnsData *data = content;
  AutoHid nodes = ifbam_hdf5_make_group (file, "nodes", FALSE);
  AutoHid links =
      data->n_links > 0 ? ifbam_hdf5_make_group (file, "links", FALSE) : H5I_INVALID_HID;
  gboolean fine = nodes > 0;

  if (data->n_links > 0)
    fine =
        fine && links > 0
        && put_values (links, "left", H5T_STD_U32LE, H5T_NATIVE_UINT32, data->n_links, data->left)
        && put_values (links, "right", H5T_STD_U32LE, H5T_NATIVE_UINT32, data->n_links,
                       data->right);
  for (guint k = 0; k < IFBAM_N_COLUMNS_KINDS; k++)
    for (guint c = 0; c < IFBAM_MAX_FILE_COLUMNS && fine; c++)
      if (values_of (data, k, c) != NULL)
        fine = put_values (k == IFBAM_COLUMNS_MASS ? nodes : links, ifbam_columns_keys (k)[c],
                           H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                           k == IFBAM_COLUMNS_MASS ? data->n_nodes : data->n_links,
                           values_of (data, k, c));
  return fine && ifbam_hdf5_put_text (file, "format", IFBAM_COLUMNS_FORMAT)
         && ifbam_hdf5_put_integer (file, "version", VERSION);
}

gboolean
ifbam_columns_file_write (const char *path, const IfbamColumnsData *data, GError **error)
{
  return ifbam_sealed_write (path, FALSE, put_columns, data, error);
}
