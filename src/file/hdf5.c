/* hdf5.c: HDF5 files with this program's errors, attributes and handles
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/hdf5.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "file/hdf5-heaps.h"

void
ifbam_hdf5_close (hid_t *id)
{
  const hid_t reason =
      *id > 0 && H5Eget_num (H5E_DEFAULT) > 0 ? H5Eget_current_stack () : H5I_INVALID_HID;

  if (*id > 0)
    H5Idec_ref (*id);
  if (reason > 0)
    H5Eset_current_stack (reason);
  *id = H5I_INVALID_HID;
}

void
ifbam_hdf5_disable_messages (void)
{
  static gsize once;

  /* Handles are closed at the end of their scope. A handle with data that could not be written
   * stays open; at exit the library would retry, and crash. */
  if (g_once_init_enter (&once))
    {
      H5dont_atexit ();
      g_once_init_leave (&once, 1);
    }
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
}

/* An upward walk ends at the innermost reason; the system's quoted message is preferred. */
static herr_t
take_reason (unsigned number, const H5E_error2_t *entry, void *data)
{
  static const char quoted[] = "error message = '";
  char **reason = data;
  const char *start = entry->desc == NULL ? NULL : strstr (entry->desc, quoted);

  if (start != NULL)
    {
      const char *from = start + strlen (quoted);

      g_free (*reason);
      *reason = g_strndup (from, strcspn (from, "'"));
      return 1;
    }
  if (number == 0 && entry->desc != NULL)
    *reason = g_strdup (entry->desc);
  return 0;
}

gboolean
ifbam_hdf5_fail (const char *path, const char *what, int code, GError **error)
{
  g_autofree char *reason = NULL;

  H5Ewalk2 (H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, &reason);
  H5Eclear2 (H5E_DEFAULT);
  return ifbam_fail (error, code, "%s: %s%s%s", path, what, reason != NULL ? ": " : "",
                     reason != NULL ? reason : "");
}

gboolean
ifbam_hdf5_refuse (const char *path, GError **error, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return ifbam_fail (error, IFBAM_ERROR_COURSE, "%s: %s", path, text);
}

hid_t
ifbam_hdf5_text_type (void)
{
  const hid_t type = H5Tcopy (H5T_C_S1);

  if (type > 0 && (H5Tset_size (type, H5T_VARIABLE) < 0 || H5Tset_cset (type, H5T_CSET_UTF8) < 0))
    {
      H5Tclose (type);
      return H5I_INVALID_HID;
    }
  return type;
}

/* Takes ownership of the handles memory and space; fails if one is invalid. */
static gboolean
put (hid_t object, const char *name, hid_t type, hid_t space, hid_t memory, const void *value)
{
  AutoHid own_space = space, own_type = memory;
  AutoHid attribute = H5I_INVALID_HID;

  if (object <= 0 || space <= 0 || memory <= 0)
    return FALSE;
  attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  return attribute > 0 && H5Awrite (attribute, own_type, value) >= 0 && own_space > 0;
}

gboolean
ifbam_hdf5_put_text (hid_t object, const char *name, const char *text)
{
  const hid_t type = ifbam_hdf5_text_type ();

  return put (object, name, type, H5Screate (H5S_SCALAR), type, &text);
}

gboolean
ifbam_hdf5_put_texts (hid_t object, const char *name, const char *const *texts, gsize n)
{
  const hid_t type = ifbam_hdf5_text_type ();
  const hsize_t size = n;

  return put (object, name, type, n > 0 ? H5Screate_simple (1, &size, NULL) : H5Screate (H5S_NULL),
              type, texts);
}

gboolean
ifbam_hdf5_put_number (hid_t object, const char *name, double number)
{
  return put (object, name, H5T_IEEE_F64LE, H5Screate (H5S_SCALAR), H5Tcopy (H5T_NATIVE_DOUBLE),
              &number);
}

gboolean
ifbam_hdf5_put_integer (hid_t object, const char *name, gint64 number)
{
  return put (object, name, H5T_STD_I64LE, H5Screate (H5S_SCALAR), H5Tcopy (H5T_NATIVE_INT64),
              &number);
}

/* Returns an attribute with a class of type; below 1: none. *n: number of values. */
static hid_t
find (hid_t object, const char *name, H5T_class_t class, gsize *n)
{
  AutoHid attribute = H5Aopen (object, name, H5P_DEFAULT);
  AutoHid type = H5I_INVALID_HID, space = H5I_INVALID_HID;
  hssize_t points;

  if (attribute <= 0)
    return H5I_INVALID_HID;
  type = H5Aget_type (attribute);
  space = H5Aget_space (attribute);
  points = space > 0 ? H5Sget_simple_extent_npoints (space) : -1;
  if (type <= 0 || H5Tget_class (type) != class || points < 0
      || (class == H5T_STRING && H5Tis_variable_str (type) <= 0))
    return H5I_INVALID_HID;
  *n = (gsize) points;
  return ifbam_hdf5_take (&attribute);
}

char **
ifbam_hdf5_get_texts (hid_t object, const char *name, gsize *n)
{
  gsize points = 0;
  AutoHid attribute = find (object, name, H5T_STRING, &points);
  AutoHid type = ifbam_hdf5_text_type ();
  g_autofree char **raw = NULL;
  char **texts;

  if (attribute <= 0 || type <= 0)
    return NULL;
  raw = ifbam_hdf5_fits_memory ((double) points, 2 * sizeof *raw) ? g_try_new0 (char *, points + 1)
                                                                  : NULL;
  if (raw == NULL || (points > 0 && H5Aread (attribute, type, raw) < 0))
    return NULL;
  texts = g_new0 (char *, points + 1);
  for (gsize i = 0; i < points; i++)
    {
      texts[i] = g_strdup (raw[i] != NULL ? raw[i] : "");
      H5free_memory (raw[i]);
    }
  if (n != NULL)
    *n = points;
  return texts;
}

char *
ifbam_hdf5_get_text (hid_t object, const char *name)
{
  gsize n = 0;
  g_auto (GStrv) texts = ifbam_hdf5_get_texts (object, name, &n);

  return texts != NULL && n == 1 ? g_steal_pointer (&texts[0]) : NULL;
}

gboolean
ifbam_hdf5_get_number (hid_t object, const char *name, double *number)
{
  gsize n = 0;
  AutoHid attribute = find (object, name, H5T_FLOAT, &n);

  return attribute > 0 && n == 1 && H5Aread (attribute, H5T_NATIVE_DOUBLE, number) >= 0;
}

gboolean
ifbam_hdf5_get_integer (hid_t object, const char *name, gint64 *number)
{
  gsize n = 0;
  AutoHid attribute = find (object, name, H5T_INTEGER, &n);

  return attribute > 0 && n == 1 && H5Aread (attribute, H5T_NATIVE_INT64, number) >= 0;
}

hid_t
ifbam_hdf5_make_group (hid_t where, const char *name, gboolean with_long)
{
  AutoHid how = H5Pcreate (H5P_GROUP_CREATE);

  if (how <= 0 || H5Pset_obj_track_times (how, FALSE) < 0
      || (with_long && H5Pset_attr_phase_change (how, 0, 0) < 0))
    return H5I_INVALID_HID;
  return H5Gcreate2 (where, name, H5P_DEFAULT, how, H5P_DEFAULT);
}

/* Sets chunks of equal size, without unused space in the last one. */
static gboolean
set_pieces (hid_t how, guint rank, const hsize_t *size, hsize_t piece)
{
  const hsize_t n = MAX ((size[0] + piece - 1) / piece, 1);
  hsize_t chunk[H5S_MAX_RANK];

  memcpy (chunk, size, rank * sizeof *chunk);
  chunk[0] = MAX ((size[0] + n - 1) / n, 1);
  return H5Pset_chunk (how, (int) rank, chunk) >= 0 && H5Pset_fletcher32 (how) >= 0;
}

hid_t
ifbam_hdf5_put_values (hid_t where, const char *name, hid_t type, hid_t memory, guint rank,
                       const hsize_t *size, hsize_t piece, const void *values)
{
  AutoHid space = H5Screate_simple ((int) rank, size, NULL), how = H5Pcreate (H5P_DATASET_CREATE);
  AutoHid dataset = H5I_INVALID_HID;

  if (space <= 0 || how <= 0 || H5Pset_obj_track_times (how, FALSE) < 0
      || (piece > 0 && !set_pieces (how, rank, size, piece)))
    return H5I_INVALID_HID;
  dataset = H5Dcreate2 (where, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  if (dataset <= 0
      || (size[0] > 0 && H5Dwrite (dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
      || H5Dflush (dataset) < 0)
    return H5I_INVALID_HID;
  return ifbam_hdf5_take (&dataset);
}

/* Makes the reason the only one on the library's stack; %s in format: name. Returns FALSE. */
static gboolean
push_reason (const char *format, const char *name)
{
  H5Eclear2 (H5E_DEFAULT);
  H5Epush2 (H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_FILE, H5E_BADVALUE, format,
            name);
  return FALSE;
}

static gboolean
has_own_storage (hid_t dataset, const char *name)
{
  AutoHid how = H5Dget_create_plist (dataset);

  if (how <= 0)
    return FALSE;
  if (H5Pget_layout (how) == H5D_VIRTUAL)
    return push_reason ("\"%s\" is a virtual dataset (want its values in the file itself)", name);
  return H5Pget_external_count (how) == 0
         || push_reason ("\"%s\" has external storage (want its values in the file itself)", name);
}

/* Checks an object in a group; *data: remaining levels. Below 0: rejected, or failed. */
static herr_t
check_link (hid_t group, const char *name, const H5L_info_t *info, void *data)
{
  guint levels = *(const guint *) data - 1;
  AutoHid object = H5I_INVALID_HID;
  H5I_type_t type;

  if (info->type != H5L_TYPE_HARD)
    return push_reason ("\"%s\" is a soft or external link (want its values in the file itself)",
                        name)
               ? 0
               : -1;
  object = H5Oopen (group, name, H5P_DEFAULT);
  type = object > 0 ? H5Iget_type (object) : H5I_BADID;
  if (type == H5I_DATASET)
    return has_own_storage (object, name) ? 0 : -1;
  if (type == H5I_GROUP && levels > 0)
    return H5Literate (object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, check_link, &levels);
  return object > 0 ? 0 : -1;
}

gboolean
ifbam_hdf5_has_own_values (hid_t file)
{
  guint levels = 2;

  return H5Literate (file, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, check_link, &levels) >= 0;
}

gboolean
ifbam_hdf5_fits_memory (double n, gsize size)
{
  g_autofree char *lack = ifbam_memory_lack (n * (double) size);

  return lack == NULL || push_reason ("its values need %s", lack);
}

/* A growing file is opened for SWMR: the library rejects the other mode during its run, or after
 * the run was killed. In a damaged file more attempts would only cost time. */
hid_t
ifbam_hdf5_open (const char *path)
{
  AutoHid how = H5Pcreate (H5P_FILE_ACCESS);
  AutoHid file = H5I_INVALID_HID;

  if (!ifbam_text_heaps_are_complete (path))
    {
      push_reason ("it is damaged where its %s stand", "texts");
      return H5I_INVALID_HID;
    }
  file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file <= 0 && how > 0 && H5Pset_metadata_read_attempts (how, 10) >= 0)
    {
      H5Eclear2 (H5E_DEFAULT);
      file = H5Fopen (path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, how);
    }
  return file > 0 && ifbam_hdf5_has_own_values (file) ? ifbam_hdf5_take (&file) : H5I_INVALID_HID;
}

hid_t
ifbam_hdf5_open_kind (const char *path, const IfbamHdf5Kind *kind, GError **error)
{
  AutoHid file = H5I_INVALID_HID;
  g_autofree char *format = NULL;
  gint64 version = 0;

  ifbam_hdf5_disable_messages ();
  file = ifbam_hdf5_open (path);
  if (file <= 0)
    {
      ifbam_hdf5_fail (path, "can't be read", IFBAM_ERROR_COURSE, error);
      return H5I_INVALID_HID;
    }
  format = ifbam_hdf5_get_text (file, "format");
  if (g_strcmp0 (format, kind->format) != 0 || !ifbam_hdf5_get_integer (file, "version", &version))
    ifbam_hdf5_refuse (path, error, "%s", kind->none);
  else if (version > kind->version)
    ifbam_hdf5_refuse (path, error,
                       "is from a newer program, of version %" G_GINT64_FORMAT
                       " (this one reads %" G_GINT64_FORMAT ")",
                       version, kind->version);
  else
    return ifbam_hdf5_take (&file);
  return H5I_INVALID_HID;
}

gboolean
ifbam_hdf5_get_size (hid_t dataset, guint rank, hsize_t *size)
{
  AutoHid space = dataset > 0 ? H5Dget_space (dataset) : H5I_INVALID_HID;

  return space > 0 && H5Sget_simple_extent_ndims (space) == (int) rank
         && H5Sget_simple_extent_dims (space, size, NULL) == (int) rank;
}

gboolean
ifbam_hdf5_read_rows (hid_t dataset, hid_t type, hsize_t first, hsize_t n, hsize_t width,
                      gpointer values)
{
  const hsize_t start[] = { first, 0 }, count[] = { n, width };
  AutoHid space = n > 0 ? H5Dget_space (dataset) : H5I_INVALID_HID;
  AutoHid memory = n > 0 ? H5Screate_simple (width > 0 ? 2 : 1, count, NULL) : H5I_INVALID_HID;

  return n == 0
         || (space > 0 && memory > 0
             && H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0
             && H5Dread (dataset, type, memory, space, H5P_DEFAULT, values) >= 0);
}

/* Only regular files: a pipe would lose bytes. A sealed file has the signature behind its head. */
gboolean
ifbam_hdf5_is_file (const char *path)
{
  static const char signature[8] = "\211HDF\r\n\032\n";
  static const off_t places[] = { 0, 512 };
  char bytes[sizeof signature];
  struct stat state;
  gboolean found = FALSE;
  int fd;

  if (stat (path, &state) != 0 || !S_ISREG (state.st_mode))
    return FALSE;
  fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  for (guint i = 0; i < G_N_ELEMENTS (places) && fd >= 0 && !found; i++)
    found = pread (fd, bytes, sizeof bytes, places[i]) == (gssize) sizeof bytes
            && memcmp (bytes, signature, sizeof bytes) == 0;
  if (fd >= 0)
    close (fd);
  return found;
}

char *
ifbam_hdf5_format (const char *path)
{
  AutoHid file = H5I_INVALID_HID;

  ifbam_hdf5_disable_messages ();
  file = ifbam_hdf5_open (path);
  return file > 0 ? ifbam_hdf5_get_text (file, "format") : NULL;
}
