/* zip-archive.c: files in a zip archive, by libarchive
 *
 * The library is loaded on use: with its dependencies, every start would take ten times as long.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/zip-archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <string.h>

#include "base/ifbam-error.h"

#define LIBRARY "libarchive.so.13"
/* 1980-01-01, the earliest date of the zip format: files have no time of their own. */
#define FIRST_DAY 315532800

#define FUNCTIONS(each)                                                                            \
  each (archive_write_new) each (archive_write_free) each (archive_write_close)                    \
      each (archive_write_set_format_zip) each (archive_write_set_bytes_in_last_block)             \
          each (archive_write_open) each (archive_write_header) each (archive_write_data)          \
              each (archive_error_string) each (archive_entry_new) each (archive_entry_free)       \
                  each (archive_entry_set_pathname) each (archive_entry_set_size)                  \
                      each (archive_entry_set_filetype) each (archive_entry_set_perm)              \
                          each (archive_entry_set_mtime)

#define PLACE(name) __typeof__ (name) *name;
typedef struct
{
  FUNCTIONS (PLACE)
} Library;

#define FIND(name) found &= find (handle, #name, &library->name);

static gboolean
find (void *handle, const char *name, gpointer place)
{
  void *symbol = dlsym (handle, name);

  memcpy (place, &symbol, sizeof symbol);
  return symbol != NULL;
}

static gboolean
open_library (Library *library, GError **error)
{
  void *handle = dlopen (LIBRARY, RTLD_NOW | RTLD_LOCAL);
  gboolean found = handle != NULL;

  if (found)
    {
      FUNCTIONS (FIND)
    }
  if (!found)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_WRITE,
                 "%s is not there, which packs archives (Debian has it in libarchive13)", LIBRARY);
  return found;
}

typedef struct
{
  IfbamOutput *output;
  GError *error;
} Sink;

static la_ssize_t
write_bytes (struct archive *archive, void *data, const void *bytes, size_t n)
{
  Sink *sink = data;

  (void) archive;
  if (sink->error != NULL || !ifbam_output_write (sink->output, bytes, n, &sink->error))
    return -1;
  return (la_ssize_t) n;
}

static gboolean
write_file (const Library *library, struct archive *archive, const IfbamArchiveFile *file)
{
  struct archive_entry *entry = library->archive_entry_new ();
  gboolean fine;

  if (entry == NULL)
    return FALSE;
  library->archive_entry_set_pathname (entry, file->path);
  library->archive_entry_set_size (entry, (la_int64_t) file->size);
  library->archive_entry_set_filetype (entry, AE_IFREG);
  library->archive_entry_set_perm (entry, 0644);
  library->archive_entry_set_mtime (entry, FIRST_DAY, 0);
  fine = library->archive_write_header (archive, entry) == ARCHIVE_OK
         && (file->size == 0
             || library->archive_write_data (archive, file->data, file->size)
                    == (la_ssize_t) file->size);
  library->archive_entry_free (entry);
  return fine;
}

gboolean
ifbam_zip_archive_write (IfbamOutput *output, const IfbamArchiveFile *files, guint n,
                         GError **error)
{
  Sink sink = { output, NULL };
  Library library = { 0 };
  struct archive *archive;
  const char *why;
  gboolean fine;

  if (!open_library (&library, error))
    return FALSE;
  archive = library.archive_write_new ();
  fine = archive != NULL && library.archive_write_set_format_zip (archive) == ARCHIVE_OK
         && library.archive_write_set_bytes_in_last_block (archive, 1) == ARCHIVE_OK
         && library.archive_write_open (archive, &sink, NULL, write_bytes, NULL) == ARCHIVE_OK;
  for (guint i = 0; i < n && fine; i++)
    fine = write_file (&library, archive, &files[i]);
  fine = fine && library.archive_write_close (archive) == ARCHIVE_OK;
  why = archive == NULL ? NULL : library.archive_error_string (archive);
  if (sink.error != NULL)
    g_propagate_error (error, sink.error);
  else if (!fine)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_WRITE, "the archive can't be written: %s",
                 why == NULL ? "there is no memory" : why);
  if (archive != NULL)
    library.archive_write_free (archive);
  return fine;
}
