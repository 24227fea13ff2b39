/* checkpoints.c: schedule and files of checkpoints, and the choice of the one to resume from
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/checkpoints.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "program/command.h"
#include "file/file.h"

#define INTERVAL (10 * 60 * G_USEC_PER_SEC) /* default interval [us] */

/* Reads "10 min", or a number of steps or variants. */
static gboolean
read_interval (IfbamCheckpoints *self, const char *option, const char *text, GError **error)
{
  g_autofree char *reason = NULL;
  double seconds;

  if (g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT64, &self->count, NULL))
    return TRUE;
  if (!ifbam_units_parse (text, "s", "interval", "10 min", &seconds, &reason))
    return ifbam_command_refuse (error, "--checkpoint", option, reason);
  if (!(seconds >= 1e-3 && seconds < 1e9))
    return ifbam_command_refuse (error, "--checkpoint", option,
                                 "the interval is to be between 1 ms and 30 years, or a number");
  self->interval = (gint64) (seconds * (double) G_USEC_PER_SEC);
  return TRUE;
}

gboolean
ifbam_checkpoints_init (IfbamCheckpoints *self, const char *option, const char *resume,
                        GError **error)
{
  const char *comma = option == NULL ? NULL : strrchr (option, ',');

  *self = (IfbamCheckpoints){ .interval = INTERVAL };
  self->path = option == NULL  ? g_strdup (resume)
               : comma == NULL ? g_strdup (option)
                               : g_strndup (option, (gsize) (comma - option));
  if (option != NULL && !ifbam_result_is_named (self->path))
    return ifbam_command_refuse (error, "--checkpoint", option, "want FILE.h5 or FILE.h5,INTERVAL");
  if (option != NULL && g_file_test (self->path, G_FILE_TEST_EXISTS)
      && !g_file_test (self->path, G_FILE_TEST_IS_REGULAR))
    return ifbam_command_refuse (error, "--checkpoint", option,
                                 "that is no file (each checkpoint replaces the one before)");
  return comma == NULL || read_interval (self, option, comma + 1, error);
}

/* TRUE if a name still belongs to an open file. */
static gboolean
is_name_of (const char *path, int fd)
{
  struct stat named, opened;

  return stat (path, &named) == 0 && fstat (fd, &opened) == 0 && named.st_ino == opened.st_ino
         && named.st_dev == opened.st_dev;
}

/* A killed process releases its lock. On a file system without locks, the run proceeds. */
gboolean
ifbam_checkpoints_lock (IfbamCheckpoints *self, GError **error)
{
  g_autofree char *path = self->path == NULL ? NULL : g_strconcat (self->path, ".lock", NULL);
  gboolean taken = FALSE;

  while (path != NULL && self->lock == NULL && !taken)
    {
      const int fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

      if (fd < 0)
        return ifbam_fail (error, IFBAM_ERROR_WRITE, "%s: %s", self->path, g_strerror (errno));
      taken = flock (fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
      /* The process before may have removed the file between open and lock. */
      if (!taken && is_name_of (path, fd))
        {
          self->lock = g_steal_pointer (&path);
          self->lock_fd = fd;
          return TRUE;
        }
      close (fd);
    }
  if (taken)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
                 "%s: another run or sweep is under way with it", self->path);
  return !taken;
}

void
ifbam_checkpoints_clear (IfbamCheckpoints *self)
{
  if (self->lock != NULL)
    {
      g_unlink (self->lock);
      close (self->lock_fd);
    }
  g_clear_pointer (&self->lock, g_free);
  g_clear_pointer (&self->path, g_free);
}

void
ifbam_checkpoints_kept (IfbamCheckpoints *self, guint64 at)
{
  self->kept_at = at;
  self->kept = g_get_monotonic_time ();
}

gboolean
ifbam_checkpoints_is_due (const IfbamCheckpoints *self, guint64 at)
{
  if (self->path == NULL || at == self->kept_at)
    return FALSE;
  return self->count > 0 ? at >= self->kept_at + self->count
                         : g_get_monotonic_time () >= self->kept + self->interval;
}

gboolean
ifbam_checkpoints_read (const char *path, const char *what,
                        gpointer (*read) (const char *path, gpointer data, GError **error),
                        gpointer data, gpointer *found, GError **error)
{
  g_autofree char *before = ifbam_sealed_old_name (path);
  const gboolean has_before = g_file_test (before, G_FILE_TEST_EXISTS);
  g_autoptr (GError) own = NULL;

  *found = NULL;
  if (!g_file_test (path, G_FILE_TEST_EXISTS) && !has_before)
    {
      g_printerr ("ifbam: note: there is no %s yet: the %s begins\n", path, what);
      return TRUE;
    }
  *found = read (path, data, &own);
  if (*found == NULL && has_before && (*found = read (before, data, NULL)) != NULL)
    g_printerr ("ifbam: note: %s; the %s continues from %s\n", own->message, what, before);
  if (*found == NULL)
    g_propagate_error (error, g_steal_pointer (&own));
  return *found != NULL;
}
