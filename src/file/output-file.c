/* output-file.c: writes a file that appears complete or not at all, or a stream
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/output-file.h"
#include "base/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LINKS      40        /* symbolic links in a chain, as Linux's limit */
#define MAX_TRIES      100       /* names for the unfinished file */
#define MAX_STEM       200       /* bytes of the target's name in it; file names have up to 255 */
#define MAX_UNFINISHED 16        /* simultaneous outputs */
#define CHUNK          (1 << 16) /* bytes copied at once */
#define TAIL           (1 << 16) /* bytes before a mark; their checksum identifies the file */

struct _IfbamOutput
{
  char *path;      /* as given by the user, for messages */
  char *target;    /* final name; NULL: written directly */
  char *beside;    /* name of the unfinished file; NULL: none, or no longer */
  gboolean linked; /* the target has hard links, which are kept */
  gboolean marked; /* a later run may continue the unfinished file, even if this run fails */
  int fd;          /* -1: closed */
  GString *text;   /* not written yet */
  int failure;     /* errno of the first failure, or 0 */
};

/* Unfinished files that no later run continues; a signal that ends the program removes them. */
static const char *begun[MAX_UNFINISHED];

static void
note_unfinished (const char *path)
{
  for (guint i = 0; i < MAX_UNFINISHED; i++)
    if (g_atomic_pointer_compare_and_exchange (&begun[i], NULL, path))
      return;
}

/* Called before a file is renamed, removed or forgotten. */
static void
note_finished (const char *path)
{
  for (guint i = 0; path != NULL && i < MAX_UNFINISHED; i++)
    if (g_atomic_pointer_compare_and_exchange (&begun[i], path, NULL))
      return;
}

void
ifbam_output_guard_standard (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) < 0 && errno == EBADF
        && open ("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
      _exit (EXIT_FAILURE);
}

void
ifbam_output_abandon (void)
{
  for (guint i = 0; i < MAX_UNFINISHED; i++)
    {
      const char *path = g_atomic_pointer_get (&begun[i]);

      if (path != NULL)
        unlink (path);
    }
}

static gboolean
fail (IfbamOutput *output, int code, GError **error)
{
  output->failure = code;
  return ifbam_fail (error, IFBAM_ERROR_WRITE, "%s: %s", output->path, g_strerror (code));
}

/* Returns the number of an open descriptor that a path names, as /dev/stderr or /dev/fd/3; -1:
 * none. Its link may lead to no existing name. */
static int
open_number (const char *place)
{
  g_autofree char *folder = g_path_get_dirname (place), *name = g_path_get_basename (place);
  g_autofree char *own = g_strdup_printf ("/proc/%ld/fd", (long) getpid ());
  char *real = realpath (folder, NULL);
  const gboolean is_own = g_strcmp0 (real, own) == 0;
  guint64 number;

  free (real);
  return is_own && g_ascii_string_to_unsigned (name, 10, 0, G_MAXINT, &number, NULL) ? (int) number
                                                                                     : -1;
}

/* Returns the end of a chain of symbolic links (transfer full); NULL with errno. */
static char *
follow_links (const char *path)
{
  g_autofree char *place = g_strdup (path);

  for (guint i = 0; i <= MAX_LINKS; i++)
    {
      g_autofree char *link = open_number (place) >= 0 ? NULL : g_file_read_link (place, NULL);
      g_autofree char *folder = NULL;
      char *next;

      if (link == NULL)
        return g_steal_pointer (&place);
      folder = g_path_get_dirname (place);
      next = g_path_is_absolute (link) ? g_strdup (link) : g_build_filename (folder, link, NULL);
      g_free (place);
      place = next;
    }
  errno = ELOOP;
  return NULL;
}

static gboolean
is_stream (const char *path)
{
  return g_str_equal (path, "-") || g_str_equal (path, "/dev/stdout");
}

/* Finds the file of a path, or, if there is none, its folder and name (transfer full). */
static gboolean
find_place (const char *path, struct stat *state, char **name)
{
  g_autofree char *place = follow_links (path);
  g_autofree char *folder = NULL;

  if (place == NULL)
    return FALSE;
  if (stat (place, state) == 0)
    return TRUE;
  folder = g_path_get_dirname (place);
  *name = g_path_get_basename (place);
  return stat (folder, state) == 0;
}

gboolean
ifbam_output_is_same (const char *one, const char *other)
{
  g_autofree char *name = NULL, *other_name = NULL;
  struct stat state, other_state;

  if (is_stream (one) || is_stream (other))
    return is_stream (one) && is_stream (other);
  return find_place (one, &state, &name) && find_place (other, &other_state, &other_name)
         && state.st_dev == other_state.st_dev && state.st_ino == other_state.st_ino
         && g_strcmp0 (name, other_name) == 0 && (name != NULL || S_ISREG (state.st_mode));
}

/* Returns the first, second, ... name of an unfinished file (transfer full). */
static char *
unfinished_name (const char *target, guint number)
{
  g_autofree char *folder = g_path_get_dirname (target);
  g_autofree char *name = g_path_get_basename (target);
  g_autofree char *text = number == 1 ? g_strdup ("") : g_strdup_printf ("%u", number);
  g_autofree char *unfinished = g_strdup_printf ("%.*s.part%s", MAX_STEM, name, text);

  return g_build_filename (folder, unfinished, NULL);
}

/* Creates a file in the target's folder, with owner and mode of an existing one (mkstemp would set
 * mode 0600 whatever the umask is). It can be read while it grows: NAME.part. */
static gboolean
open_beside (IfbamOutput *output, const struct stat *old, GError **error)
{
  for (guint i = 1; i <= MAX_TRIES; i++)
    {
      g_autofree char *beside = unfinished_name (output->target, i);

      output->fd = g_open (beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (output->fd >= 0)
        {
          output->beside = g_steal_pointer (&beside);
          note_unfinished (output->beside);
          /* Only root may change the owner; else the run's user owns the file. */
          if (old != NULL
              && ((fchown (output->fd, old->st_uid, old->st_gid) != 0 && errno != EPERM)
                  || fchmod (output->fd, old->st_mode & 07777) != 0))
            break;
          return TRUE;
        }
      if (errno != EEXIST)
        break;
    }
  return fail (output, errno, error);
}

static gboolean
open_output (IfbamOutput *output, const char *path, GError **error)
{
  g_autofree char *target = follow_links (path);
  const int number = target == NULL ? -1 : open_number (target);
  struct stat status;
  gboolean exists;

  if (target == NULL)
    return fail (output, errno, error);
  /* Another process may continue at this position. */
  if (number >= 0)
    {
      output->fd = fcntl (number, F_DUPFD_CLOEXEC, 0);
      return output->fd >= 0 || fail (output, errno, error);
    }
  exists = stat (path, &status) == 0;
  if (!exists && errno != ENOENT)
    return fail (output, errno, error);
  if (!exists && (*path == '\0' || g_str_has_suffix (path, "/")))
    return fail (output, ENOENT, error);
  if (exists && !S_ISREG (status.st_mode))
    {
      output->fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);
      return output->fd >= 0 || fail (output, errno, error);
    }
  /* A rename would replace a read-only file. */
  if (exists && access (path, W_OK) != 0)
    return fail (output, errno, error);
  output->target = g_steal_pointer (&target);
  output->linked = exists && status.st_nlink > 1;
  return open_beside (output, exists ? &status : NULL, error);
}

IfbamOutput *
ifbam_output_new (const char *path, GError **error)
{
  g_autoptr (IfbamOutput) output = g_new0 (IfbamOutput, 1);
  gboolean standard = path == NULL || strcmp (path, "-") == 0 || strcmp (path, "/dev/stdout") == 0;

  output->fd = standard ? STDOUT_FILENO : -1;
  output->text = g_string_new (NULL);
  output->path = g_strdup (standard ? "standard output" : path);
  if (!standard && !open_output (output, path, error))
    return NULL;
  return g_steal_pointer (&output);
}

gboolean
ifbam_output_try (const char *path, GError **error)
{
  g_autoptr (IfbamOutput) trial = NULL;

  if (path == NULL || is_stream (path)
      || (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR)))
    return TRUE;
  trial = ifbam_output_new (path, error);
  return trial != NULL;
}

const char *
ifbam_output_beside (const IfbamOutput *output)
{
  return output->beside;
}

gboolean
ifbam_output_is_linked (const IfbamOutput *output)
{
  return output->linked;
}

static gboolean
can_wait (int fd)
{
  GPollFD poll = { fd, G_IO_OUT, 0 };

  if (errno == EINTR)
    return TRUE;
  return (errno == EAGAIN || errno == EWOULDBLOCK)
         && (g_poll (&poll, 1, -1) >= 0 || errno == EINTR);
}

/* Writes all bytes; FALSE with errno. */
static gboolean
write_all (int fd, const char *bytes, gsize n_bytes)
{
  while (n_bytes > 0)
    {
      const gssize written = write (fd, bytes, n_bytes);

      if (written < 0 && !can_wait (fd))
        return FALSE;
      if (written > 0)
        {
          bytes += written;
          n_bytes -= (gsize) written;
        }
    }
  return TRUE;
}

GString *
ifbam_output_text (IfbamOutput *output)
{
  return output->text;
}

gboolean
ifbam_output_flush (IfbamOutput *output, gsize least, GError **error)
{
  gboolean fine = output->failure == 0;

  if (output->text->len < least)
    return TRUE;
  fine = fine && write_all (output->fd, output->text->str, output->text->len);
  g_string_truncate (output->text, 0);
  return fine || fail (output, output->failure != 0 ? output->failure : errno, error);
}

gboolean
ifbam_output_write (IfbamOutput *output, const void *bytes, gsize n_bytes, GError **error)
{
  return ifbam_output_flush (output, 0, error)
         && (write_all (output->fd, bytes, n_bytes) || fail (output, errno, error));
}

/* Returns the checksum of the bytes before `size` (transfer full); NULL with errno, 0: too
 * short. */
static char *
sum_tail (const char *path, guint64 size)
{
  const gsize n = MIN (size, TAIL);
  g_autofree guchar *bytes = g_malloc (n + 1);
  const int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  gssize got = fd < 0 ? -1 : pread (fd, bytes, n, (off_t) (size - n));
  const int failure = got < 0 ? errno : 0;

  if (fd >= 0)
    close (fd);
  errno = failure;
  return got == (gssize) n ? g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes, n) : NULL;
}

gboolean
ifbam_output_mark (IfbamOutput *output, guint64 *size, char **sum, GError **error)
{
  off_t place;

  if (!ifbam_output_flush (output, 0, error))
    return FALSE;
  if (output->beside == NULL)
    return ifbam_fail (error, IFBAM_ERROR_WRITE,
                       "%s: is no regular file, so that no run can continue with it", output->path);
  place = lseek (output->fd, 0, SEEK_CUR);
  if (place < 0 || fsync (output->fd) != 0)
    return fail (output, errno, error);
  *size = (guint64) place;
  *sum = sum_tail (output->beside, *size);
  output->marked = TRUE;
  note_finished (output->beside);
  return *sum != NULL || fail (output, errno != 0 ? errno : EIO, error);
}

void
ifbam_output_forget_mark (IfbamOutput *output)
{
  if (output->marked && output->beside != NULL)
    note_unfinished (output->beside);
  output->marked = FALSE;
}

/* Finds the marked file (transfer full); NULL with errno, 0 if there is none. */
static char *
find_marked (const char *target, guint64 size, const char *sum)
{
  int failure = 0;

  for (guint i = 0; i <= MAX_TRIES; i++)
    {
      g_autofree char *path = i < MAX_TRIES ? unfinished_name (target, i + 1) : g_strdup (target);
      g_autofree char *has = sum_tail (path, size);

      if (g_strcmp0 (has, sum) == 0)
        return g_steal_pointer (&path);
      if (has == NULL && errno != 0 && errno != ENOENT)
        failure = errno;
    }
  errno = failure;
  return NULL;
}

/* Removes all unfinished files but one (NULL: none). */
static void
remove_unfinished (const char *target, const char *but)
{
  for (guint i = 1; i <= MAX_TRIES; i++)
    {
      g_autofree char *path = unfinished_name (target, i);

      if (g_strcmp0 (path, but) != 0)
        g_unlink (path);
    }
}

void
ifbam_output_tidy (const char *path)
{
  g_autofree char *target = path == NULL ? NULL : follow_links (path);

  if (target != NULL)
    remove_unfinished (target, NULL);
}

IfbamOutput *
ifbam_output_new_at_mark (const char *path, guint64 size, const char *sum, GError **error)
{
  g_autoptr (IfbamOutput) output = g_new0 (IfbamOutput, 1);
  g_autofree char *found = NULL;
  struct stat status;

  output->fd = -1;
  output->text = g_string_new (NULL);
  output->path = g_strdup (path);
  output->target = follow_links (path);
  found = output->target == NULL ? NULL : find_marked (output->target, size, sum);
  if (found == NULL && errno != 0)
    {
      fail (output, errno, error);
      return NULL;
    }
  if (found == NULL)
    return ifbam_fail_null (
        error, IFBAM_ERROR_USAGE,
        "%s: neither this file nor the unfinished one beside it has the %" G_GUINT64_FORMAT
        " bytes that were written",
        path, size);
  /* The finished file becomes unfinished again. */
  if (g_str_equal (found, output->target))
    {
      g_autofree char *beside = unfinished_name (output->target, 1);

      if (g_rename (found, beside) != 0)
        {
          fail (output, errno, error);
          return NULL;
        }
      g_free (found);
      found = g_steal_pointer (&beside);
    }
  output->linked = stat (output->target, &status) == 0 && status.st_nlink > 1;
  output->fd = g_open (found, O_WRONLY | O_CLOEXEC, 0);
  if (output->fd < 0 || ftruncate (output->fd, (off_t) size) != 0
      || lseek (output->fd, 0, SEEK_END) < 0)
    {
      fail (output, errno, error);
      return NULL;
    }
  remove_unfinished (output->target, found);
  output->beside = g_steal_pointer (&found);
  output->marked = TRUE;
  return g_steal_pointer (&output);
}

/* Standard output is not closed: it belongs to the caller. */
static gboolean
close_output (IfbamOutput *output)
{
  int fd = output->fd;

  output->fd = -1;
  return fd < 0 || fd == STDOUT_FILENO || close (fd) == 0 || errno == EINTR;
}

/* Bytes are on the disk before the renaming: after a crash of the machine there is the old or the
 * new file, not an empty one. */
gboolean
ifbam_output_close (IfbamOutput *output, GError **error)
{
  if (output->failure != 0)
    return fail (output, output->failure, error);
  if (output->text->len > 0 && !ifbam_output_flush (output, 0, error))
    return FALSE;
  if (output->beside != NULL && output->fd >= 0 && fsync (output->fd) != 0)
    return fail (output, errno, error);
  return close_output (output) || fail (output, errno, error);
}

/* Some file systems don't support this; there is no alternative. */
static void
sync_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  const int fd = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

  if (fd < 0)
    return;
  fsync (fd);
  close (fd);
}

/* Copies the finished file into the target, which keeps its hard links. */
static gboolean
copy_over (const char *from, const char *to)
{
  const int in = g_open (from, O_RDONLY | O_CLOEXEC, 0);
  const int out = in < 0 ? -1 : g_open (to, O_WRONLY | O_TRUNC | O_CLOEXEC, 0);
  g_autofree char *chunk = g_malloc (CHUNK);
  gboolean fine = out >= 0;
  gssize n = fine ? read (in, chunk, CHUNK) : 0;
  int failure;

  while (fine && n > 0)
    {
      fine = write_all (out, chunk, (gsize) n);
      n = fine ? read (in, chunk, CHUNK) : 0;
    }
  fine = fine && n == 0 && fsync (out) == 0;
  failure = errno;
  if (in >= 0)
    close (in);
  if (out >= 0 && close (out) != 0 && fine)
    return FALSE;
  errno = failure;
  return fine;
}

gboolean
ifbam_output_finish (IfbamOutput *output, GError **error)
{
  if (!ifbam_output_close (output, error))
    return FALSE;
  if (output->beside == NULL)
    return TRUE;
  /* From here on the complete file exists, under one of the names. */
  note_finished (output->beside);
  if (output->linked ? !copy_over (output->beside, output->target)
                     : g_rename (output->beside, output->target) != 0)
    {
      const int failure = errno;

      /* The target may be incomplete; the unfinished file is complete. */
      if (output->linked)
        {
          g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_WRITE, "%s: %s; all of it is in %s",
                       output->path, g_strerror (failure), output->beside);
          g_clear_pointer (&output->beside, g_free);
          return FALSE;
        }
      return fail (output, failure, error);
    }
  if (output->linked)
    g_unlink (output->beside);
  sync_folder (output->target);
  g_clear_pointer (&output->beside, g_free);
  return TRUE;
}

void
ifbam_output_free (IfbamOutput *output)
{
  if (output == NULL)
    return;
  close_output (output);
  note_finished (output->beside);
  if (output->beside != NULL && !output->marked)
    g_unlink (output->beside);
  g_string_free (output->text, TRUE);
  g_free (output->beside);
  g_free (output->target);
  g_free (output->path);
  g_free (output);
}

gboolean
ifbam_output_put (const char *path, const void *bytes, gsize n_bytes, GError **error)
{
  g_autoptr (IfbamOutput) output = ifbam_output_new (path, error);

  return output != NULL && ifbam_output_write (output, bytes, n_bytes, error)
         && ifbam_output_finish (output, error);
}
