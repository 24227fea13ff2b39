/* result.h: a result in HDF5: growing samples and events, network, options, version
 *
 *   /course    samples x columns of doubles; attributes "names" and "units", a text for each column
 *   /events    a table of events: time, element, event, impulse, rates before and after, energy
 *   /manifest  attributes: "network", "options", ...: the run that made it
 *   /          attributes: "format", "version", "complete" (0 while it grows), "ended"
 *
 * A file grows in place. A reader that opens it as growing (SWMR) can read it at any time, and
 * never reads incomplete samples.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ifbam-event.h"
#include "file/course.h"

#define IFBAM_RESULT_FORMAT  "ifbam result"
#define IFBAM_RESULT_VERSION 1

/* Network, options and version that made a result. Unknown texts are NULL. */
typedef struct
{
  char *version;  /* of the program */
  char *network;  /* text of the network file */
  char *file;     /* file name as given */
  char *folder;   /* absolute folder for relative names in the network */
  char *sha256;   /* of the text */
  char *columns;  /* lines "SHA256  FILE" of the network's files of columns; NULL: none */
  char **options; /* options of the command `run`, "--scheme", "verlet", ...; NULL-terminated */
  char *scheme, *start;
  double step, duration, sample; /* [s] */
} IfbamManifest;

/* Makes a manifest of this version: file name, folder (NULL: the current one), text and checksum,
 * and options (NULL-terminated). All are copied. The caller sets the other fields. */
IfbamManifest *ifbam_manifest_new (const char *file, const char *folder, const char *text,
                                   const char *sha256, const char *const *options);
void ifbam_manifest_free (IfbamManifest *manifest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamManifest, ifbam_manifest_free)

/* Returns the reason why a run would give another result now, a phrase (transfer full), or NULL. */
char *ifbam_manifest_difference (const IfbamManifest *then, const IfbamManifest *now);

/* TRUE if a name ends in .h5 or .hdf5. */
gboolean ifbam_result_is_named (const char *path);

typedef struct _IfbamResultWriter IfbamResultWriter;

typedef struct
{
  const char *const *names; /* column names, NULL-terminated; the first is "time" */
  const char *const *units; /* as many */
  guint64 n_rows;           /* expected number of samples */
  gsize longest_name;       /* length of the longest element name in events [bytes] */
  gboolean compress;
} IfbamResultLayout;

/* Creates the file, which replaces an existing one when it becomes readable; until then that is
 * unchanged. NULL with IFBAM_ERROR_WRITE. */
IfbamResultWriter *ifbam_result_writer_new (const char *path, const IfbamResultLayout *layout,
                                            const IfbamManifest *manifest, GError **error);
gboolean ifbam_result_writer_row (IfbamResultWriter *writer, double time, const double *values,
                                  GError **error);
gboolean ifbam_result_writer_event (IfbamResultWriter *writer, const IfbamEvent *event,
                                    GError **error);
/* Writes samples and events so far for readers; compressed chunks only after some growth. */
gboolean ifbam_result_writer_flush (IfbamResultWriter *writer, GError **error);
/* Continues a result of the same network and options after n_rows samples and n_events events; cuts
 * off later ones. IFBAM_ERROR_USAGE: the file has fewer, or is of another run. */
IfbamResultWriter *ifbam_result_writer_new_at_mark (const char *path,
                                                    const IfbamResultLayout *layout,
                                                    const IfbamManifest *manifest, guint64 n_rows,
                                                    guint64 n_events, GError **error);
/* Flushes everything to the disk, and returns the numbers of samples and events. */
gboolean ifbam_result_writer_mark (IfbamResultWriter *writer, guint64 *n_rows, guint64 *n_events,
                                   GError **error);
/* As above, for the last time; complete: the run has reached its end. ended: a word for how it
 * ended. The writer must still be freed. */
gboolean ifbam_result_writer_finish (IfbamResultWriter *writer, gboolean complete,
                                     const char *ended, GError **error);
/* Without ifbam_result_writer_finish(), the written part stays, marked as incomplete. */
void ifbam_result_writer_free (IfbamResultWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamResultWriter, ifbam_result_writer_free)

/* Reads the course of a result, which may still grow. NULL with IFBAM_ERROR_COURSE. */
IfbamCourse *ifbam_result_read_course (const char *path, GError **error);
/* Reads its events (IfbamEvent, with interned texts). NULL with IFBAM_ERROR_COURSE. */
GArray *ifbam_result_read_events (const char *path, GError **error);
/* Reads the manifest of a result; NULL with IFBAM_ERROR_COURSE. complete may be NULL. */
IfbamManifest *ifbam_result_read_manifest (const char *path, gboolean *complete, GError **error);
