/* columns.c: the files of columns that a network's elements name
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "network/columns.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "store/columns-file.h"

/* Of a file that is read at once [bytes]. */
#define PIECE (1 << 20)

/* Elements are shared among those who compile them. */
static GMutex reading;

/* Where there is such a file, when it was written [µs]; 0: there is none. */
static gint64
changed_at (const char *path)
{
  GStatBuf state;

  if (g_stat (path, &state) != 0)
    return 0;
  return (gint64) state.st_mtim.tv_sec * G_USEC_PER_SEC + state.st_mtim.tv_nsec / 1000;
}

static void
read_columns (const char *folder, IfbamElement *element, GArray *issues)
{
  const gpointer *slots = ifbam_element_slots (element);
  const char *name = slots[IFBAM_SLOT_FILE];
  char *const *outer = slots[IFBAM_SLOT_OUTER];
  const guint n_outer = outer == NULL ? 0 : g_strv_length ((char **) outer);
  g_autofree char *path = NULL;
  g_autoptr (GPtrArray) faults = g_ptr_array_new ();
  IfbamColumnsData *known = element->extra, *data;
  gint64 changed;

  if (name == NULL)
    return; /* an issue already */
  path = folder == NULL || g_path_is_absolute (name) ? g_strdup (name)
                                                     : g_build_filename (folder, name, NULL);
  changed = changed_at (path);
  if (known != NULL && g_str_equal (known->path, path) && known->changed == changed
      && known->n_outer == n_outer)
    return;
  data = ifbam_columns_file_read (path, n_outer, faults);
  for (guint i = 0; i < faults->len; i++)
    {
      const IfbamIssue issue = { element, "file", faults->pdata[i] };

      g_array_append_val (issues, issue);
    }
  if (data == NULL)
    return;
  data->path = g_steal_pointer (&path);
  data->changed = changed;
  data->n_outer = n_outer;
  data->earlier = known;
  element->extra = data;
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

/* Of a file's bytes (transfer full); what can't be read has that of none. */
static char *
checksum_of (const char *path)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guchar *piece = g_malloc (PIECE);
  FILE *file = fopen (path, "rb");
  gsize n;

  while (file != NULL && (n = fread (piece, 1, PIECE, file)) > 0)
    g_checksum_update (checksum, piece, (gssize) n);
  if (file != NULL)
    fclose (file);
  return g_strdup (g_checksum_get_string (checksum));
}

char *
ifbam_columns_checksums (const GPtrArray *elements)
{
  GString *lines = g_string_new (NULL);

  for (guint i = 0; i < elements->len; i++)
    {
      const IfbamElement *element = elements->pdata[i];
      const IfbamColumnsData *data = element->info->has_columns ? element->extra : NULL;
      g_autofree char *sum = data == NULL ? NULL : checksum_of (data->path);

      if (sum != NULL)
        g_string_append_printf (
            lines, "%s  %s\n", sum,
            (const char *) ((const gpointer *) ifbam_element_slots (element))[IFBAM_SLOT_FILE]);
    }
  return g_string_free (lines, lines->len == 0);
}
