/* columns-input.c: the files of columns of a network's elements
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/columns-input.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "file/columns-file.h"
#include "file/sealed-file.h"

/* Threads that compile share the elements. */
static GMutex reading;

/* Returns the time of a file's last change [µs]; 0: there is no file. */
static gint64
changed_at (const char *path)
{
  GStatBuf state;

  if (g_stat (path, &state) != 0)
    return 0;
  return (gint64) state.st_mtim.tv_sec * G_USEC_PER_SEC + state.st_mtim.tv_nsec / 1000;
}

/* Returns the path of an element's file (transfer full); NULL: none, which is an issue already. */
static char *
path_of (const char *folder, const IfbamElement *element)
{
  const char *name = ifbam_element_slots (element)[IFBAM_SLOT_FILE];

  return name == NULL || folder == NULL || g_path_is_absolute (name)
             ? g_strdup (name)
             : g_build_filename (folder, name, NULL);
}

static guint
count_outer (const IfbamElement *element)
{
  char *const *outer = ifbam_element_slots (element)[IFBAM_SLOT_OUTER];

  return outer == NULL ? 0 : g_strv_length ((char **) outer);
}

void
ifbam_columns_take (IfbamElement *element, IfbamColumnsData *data)
{
  IfbamColumnsData *known = element->extra;

  data->earlier = known;
  if (known != NULL && known->part != NULL)
    {
      data->earlier = known->earlier;
      known->earlier = NULL;
      ifbam_columns_data_free (known);
    }
  element->extra = data;
}

IfbamColumnsData *
ifbam_columns_part_new (const IfbamColumnsData *file)
{
  IfbamColumnsData *data = ifbam_columns_data_new ();

  data->n_nodes = file->n_nodes;
  data->n_links = file->n_links;
  data->path = g_strdup (file->path);
  data->changed = file->changed;
  data->n_named_free = file->n_named_free;
  data->part = g_new0 (IfbamRowsPart, 1);
  data->part->nodes = g_array_new (FALSE, FALSE, sizeof (IfbamRange));
  data->part->links = g_array_new (FALSE, FALSE, sizeof (IfbamRange));
  return data;
}

gboolean
ifbam_columns_begin (const char *folder, const GPtrArray *elements)
{
  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];
      g_autofree char *path = element->info->has_columns ? path_of (folder, element) : NULL;
      IfbamColumnsData file = { .path = path };

      if (!element->info->has_columns)
        continue;
      if (path == NULL || !ifbam_columns_file_count (path, &file.n_nodes, &file.n_links))
        return FALSE;
      file.changed = changed_at (path);
      file.n_named_free = count_outer (element);
      ifbam_columns_take (element, ifbam_columns_part_new (&file));
    }
  return TRUE;
}

static void
read_columns (const char *folder, IfbamElement *element, GArray *issues)
{
  g_autofree char *path = path_of (folder, element);
  const guint n_named_free = count_outer (element);
  g_autoptr (GPtrArray) faults = g_ptr_array_new ();
  IfbamColumnsData *known = element->extra, *data;
  gint64 changed;

  if (path == NULL)
    return;
  changed = changed_at (path);
  if (known != NULL && known->part == NULL && g_str_equal (known->path, path)
      && known->changed == changed && known->n_named_free == n_named_free)
    return;
  data = ifbam_columns_file_read (path, n_named_free, faults);
  for (guint i = 0; i < faults->len; i++)
    {
      const IfbamIssue issue = { element, "file", faults->pdata[i] };

      g_array_append_val (issues, issue);
    }
  if (data == NULL)
    return;
  data->path = g_steal_pointer (&path);
  data->changed = changed;
  data->n_named_free = n_named_free;
  ifbam_columns_take (element, data);
}

gboolean
ifbam_columns_read (const char *folder, const GPtrArray *elements, GArray *issues)
{
  const guint before = issues->len;

  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];

      if (!element->info->has_columns)
        continue;
      g_mutex_lock (&reading);
      read_columns (folder, element, issues);
      g_mutex_unlock (&reading);
    }
  return issues->len == before;
}

/* Returns the checksum of a file (transfer full); of no bytes if it can't be read. */
static char *
checksum_of (const char *path)
{
  const int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  char *sum = fd < 0 ? NULL : ifbam_sum_rest (fd);

  if (fd >= 0)
    close (fd);
  return sum != NULL ? sum : g_compute_checksum_for_string (G_CHECKSUM_SHA256, "", 0);
}

char *
ifbam_columns_checksums (const char *folder, const GPtrArray *elements)
{
  GString *lines = g_string_new (NULL);

  for (guint i = 0; i < elements->len; i++)
    {
      const IfbamElement *element = elements->pdata[i];
      g_autofree char *path = element->info->has_columns ? path_of (folder, element) : NULL;
      g_autofree char *sum = path == NULL ? NULL : checksum_of (path);

      if (sum != NULL)
        g_string_append_printf (
            lines, "%s  %s\n", sum,
            (const char *) ((const gpointer *) ifbam_element_slots (element))[IFBAM_SLOT_FILE]);
    }
  return g_string_free (lines, lines->len == 0);
}
