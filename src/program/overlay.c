/* overlay.c: columns of measured files drawn beside a network's signals: FILE:COLUMN=SIGNAL
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/overlay.h"

#include <string.h>

#include "base/fail.h"
#include "model/model.h"
#include "program/command.h"
#include "file/file.h"

static void
overlay_clear (gpointer data)
{
  IfbamOverlay *overlay = data;

  g_free (overlay->file);
  g_free (overlay->column);
  g_free (overlay->signal);
}

/* Returns the text behind "FILE:"; NULL: another file's. */
static const char *
behind_file (const char *text, const char *file)
{
  const gsize length = strlen (file);

  return strncmp (text, file, length) == 0 && text[length] == ':' ? text + length + 1 : NULL;
}

static const char *
find_file (const char *text, char **files, const char **rest)
{
  for (guint i = 0; files[i] != NULL; i++)
    {
      g_autofree char *name = g_path_get_basename (files[i]);

      if (!ifbam_command_is_course (files[i]))
        continue;
      *rest = behind_file (text, files[i]);
      if (*rest == NULL)
        *rest = behind_file (text, name);
      if (*rest != NULL)
        return files[i];
    }
  return NULL;
}

GArray *
ifbam_overlays_read (char **signals, char **files, GError **error)
{
  g_autoptr (GArray) overlays = g_array_new (FALSE, FALSE, sizeof (IfbamOverlay));

  g_array_set_clear_func (overlays, overlay_clear);
  for (guint i = 0; signals != NULL && signals[i] != NULL; i++)
    {
      const char *rest, *file = find_file (signals[i], files, &rest), *equals;
      IfbamOverlay overlay;

      if (file == NULL)
        continue;
      equals = strrchr (rest, '=');
      if (equals == NULL || equals == rest || equals[1] == '\0')
        return ifbam_fail_null (error, IFBAM_ERROR_USAGE,
                                "--signal %s: want FILE:COLUMN=SIGNAL, such as "
                                "measured.csv:torque=shaft.torque",
                                signals[i]);
      overlay = (IfbamOverlay){ g_strdup (file), g_strndup (rest, (gsize) (equals - rest)),
                                g_strdup (equals + 1) };
      g_array_append_val (overlays, overlay);
      g_free (signals[i]);
      signals[i] = g_strdup (overlay.signal);
    }
  return g_steal_pointer (&overlays);
}

/* Renames the column and converts it to the signal's unit, if both have one. */
static gboolean
rename_column (const IfbamOverlay *overlay, IfbamCourse *course, GError **error)
{
  const char *column = ifbam_course_find_signal (course, overlay->column);
  const char *quantity, *wanted;
  g_autofree char *own = NULL, *reason = NULL, *one = NULL;
  double scale = 1;

  if (column != NULL)
    g_free (ifbam_course_split_name (column, &own));
  if (own != NULL && ifbam_signal_unit (overlay->signal, &quantity, &wanted) && wanted[0] != '\0')
    {
      one = g_strdup_printf ("1 %s", own);
      if (!ifbam_units_parse (one, wanted, quantity, NULL, &scale, &reason))
        return ifbam_fail (error, IFBAM_ERROR_USAGE, "%s: \"%s\" can't replace %s: %s",
                           overlay->file, column, overlay->signal, reason);
    }
  if (ifbam_course_rename (course, overlay->column, overlay->signal, scale, error))
    return TRUE;
  g_prefix_error (error, "%s: ", overlay->file);
  return FALSE;
}

gboolean
ifbam_overlays_rename (const GArray *overlays, const char *file, IfbamCourse *course,
                       const char ***signals, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  *signals = NULL;
  for (guint i = 0; i < overlays->len; i++)
    {
      const IfbamOverlay *overlay = &g_array_index (overlays, IfbamOverlay, i);

      if (!g_str_equal (overlay->file, file))
        continue;
      if (!rename_column (overlay, course, error))
        return FALSE;
      g_ptr_array_add (names, overlay->signal);
    }
  if (names->len == 0)
    return TRUE;
  g_ptr_array_add (names, NULL);
  *signals = (const char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
  return TRUE;
}
