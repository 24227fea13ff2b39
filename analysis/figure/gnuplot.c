/* gnuplot.c: runs gnuplot with a script in a memory file, and output to two others
 *
 * Pipes would need an event loop for one output and two inputs, and GLib's loop hangs if it lacks
 * memory for one of the three.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE
#include "figure/gnuplot.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"

enum
{
  SCRIPT,
  PICTURE,
  MESSAGES,
  N_FILES,
};

static gboolean
refuse (const char *reason, GError **error)
{
  return ifbam_fail (error, IFBAM_ERROR_PROGRAM, "gnuplot: %s", reason);
}

static void
close_files (int *file)
{
  for (guint i = 0; i < N_FILES; i++)
    if (file[i] >= 0)
      close (file[i]);
}

static gboolean
open_files (int *file, GError **error)
{
  static const char *const names[N_FILES] = { "script", "picture", "messages" };

  for (guint i = 0; i < N_FILES; i++)
    {
      file[i] = memfd_create (names[i], MFD_CLOEXEC);
      if (file[i] < 0)
        return refuse (g_strerror (errno), error);
    }
  return TRUE;
}

static gboolean
write_script (int file, const GString *script, GError **error)
{
  for (gsize done = 0; done < script->len;)
    {
      const gssize n = write (file, script->str + done, script->len - done);

      if (n < 0 && errno != EINTR)
        return refuse (g_strerror (errno), error);
      done += (gsize) MAX (n, 0);
    }
  return lseek (file, 0, SEEK_SET) == 0 || refuse (g_strerror (errno), error);
}

static gboolean
start (const int *file, GPid *child, GError **error)
{
  const char *words[] = { "gnuplot", "--default-settings", NULL };
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "LC_ALL", "C.UTF-8", TRUE);
  g_autoptr (GError) failure = NULL;

  if (g_spawn_async_with_fds (NULL, (char **) words, environment,
                              G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, child,
                              file[SCRIPT], file[PICTURE], file[MESSAGES], &failure))
    return TRUE;
  if (!g_error_matches (failure, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
    return refuse (failure->message, error);
  return ifbam_fail (error, IFBAM_ERROR_PROGRAM,
                     "gnuplot draws the figures and is not here: install gnuplot "
                     "(sudo apt install gnuplot-nox)");
}

/* Runs gnuplot until it has ended; *status: its exit status. */
static gboolean
draw (const int *file, int *status, GError **error)
{
  GPid child;

  if (!start (file, &child, error))
    return FALSE;
  while (waitpid (child, status, 0) < 0)
    if (errno != EINTR)
      return refuse (g_strerror (errno), error);
  return TRUE;
}

/* Returns the contents of a file. NULL: too little memory. */
static GBytes *
read_file (int file, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (GMappedFile) mapped = g_mapped_file_new_from_fd (file, FALSE, &failure);

  if (mapped == NULL)
    refuse (failure->message, error);
  return mapped != NULL ? g_mapped_file_get_bytes (mapped) : NULL;
}

static void
tell_failure (GBytes *messages, GError **error)
{
  gsize length;
  const char *bytes = g_bytes_get_data (messages, &length);
  g_autofree char *said = g_strndup (length > 0 ? bytes : "", length);

  g_strstrip (said);
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_PROGRAM, "gnuplot failed: %.500s", said);
}

static GBytes *
draw_in_memory (const int *file, const GString *script, GError **error)
{
  g_autoptr (GBytes) picture = NULL, messages = NULL;
  int status;

  if (!write_script (file[SCRIPT], script, error) || !draw (file, &status, error))
    return NULL;
  picture = read_file (file[PICTURE], error);
  messages = picture != NULL ? read_file (file[MESSAGES], error) : NULL;
  if (messages == NULL)
    return NULL;
  if (g_spawn_check_wait_status (status, NULL) && g_bytes_get_size (picture) > 0)
    return g_steal_pointer (&picture);
  tell_failure (messages, error);
  return NULL;
}

GBytes *
ifbam_gnuplot_run (GString *script, GError **error)
{
  int file[N_FILES] = { -1, -1, -1 };
  GBytes *picture = open_files (file, error) ? draw_in_memory (file, script, error) : NULL;

  close_files (file);
  g_string_free (script, TRUE);
  return picture;
}
