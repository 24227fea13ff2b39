/* result.h: a result in HDF5: rows and events that grow, and their network, options and version
 *
 *   /course    rows x columns of doubles; attributes "names" and "units", a text for each column
 *   /events    a table of events: time, element, event, impulse, rate_before, rate_after, energy_change
 *   /manifest  attributes: "network", "options", ...: the run that made it
 *   /          attributes: "format", "version", "complete" (0 while it grows, 1 at the end), "ended"
 *
 * A file grows in place. A reader that opens it as growing (SWMR) can read it at any time; it never has
 * parts of rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ifbam-event.h"
#include "file/course.h"

#define IFBAM_RESULT_FORMAT  "ifbam result"
#define IFBAM_RESULT_VERSION 1

/* The network, options and version that made a result. Texts may be NULL where they are not known. */
typedef struct
{
  char *version; /* of the program */
  char *network; /* the text of the network file */
  char *file;    /* its name, as it was said */
  char *folder;  /* where relative names in it lead, absolute */
  char *sha256;  /* of the text */
  char *
      columns; /* lines "SHA256  FILE" of the files of columns that it names; NULL: it names none */
  char **options; /* "--scheme", "verlet", ...: as the command `run` takes them; NULL-terminated */
  char *scheme, *start;
  double step, duration, sample; /* [s] */
} IfbamManifest;

/* Of a network's file, its folder (NULL: the current one), its text and that text's checksum, by this version; with the
 * options that its numbers depend on (ends with NULL). The caller fills in the other fields. All is copied. */
IfbamManifest *ifbam_manifest_new (const char *file, const char *folder, const char *text,
                                   const char *sha256, const char *const *options);
void ifbam_manifest_free (IfbamManifest *manifest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamManifest, ifbam_manifest_free)

/* The reason why a run would make another result than then, a phrase (transfer full); NULL: it would make the same. */
char *ifbam_manifest_difference (const IfbamManifest *then, const IfbamManifest *now);

/* Whether a name is one of HDF5: it ends in .h5 or .hdf5. */
gboolean ifbam_result_is_named (const char *path);

typedef struct _IfbamResultWriter IfbamResultWriter;

typedef struct
{
  const char *const *names; /* of the columns, NULL-terminated; the first is "time" */
  const char *const *units; /* as many */
  guint64 n_rows;           /* that there will be, about */
  gsize longest_name;       /* of elements that may be in events [bytes] */
  gboolean compress;
} IfbamResultLayout;

/* The file takes the place of what was there as soon as it can be read; before that nothing is touched.
 * NULL with IFBAM_ERROR_WRITE. */
IfbamResultWriter *ifbam_result_writer_new (const char *path, const IfbamResultLayout *layout,
                                            const IfbamManifest *manifest, GError **error);
gboolean ifbam_result_writer_row (IfbamResultWriter *writer, double time, const double *values,
                                  GError **error);
gboolean ifbam_result_writer_event (IfbamResultWriter *writer, const IfbamEvent *event,
                                    GError **error);
/* Writes the rows and events so far for readers; of a compressed chunk that is not full a quarter at least. */
gboolean ifbam_result_writer_flush (IfbamResultWriter *writer, GError **error);
/* Continues the result of the same network and options that has so many rows and events; cuts off later ones.
 * IFBAM_ERROR_USAGE: the file has fewer, or is another run's result. */
IfbamResultWriter *ifbam_result_writer_new_at_mark (const char *path,
                                                    const IfbamResultLayout *layout,
                                                    const IfbamManifest *manifest, guint64 n_rows,
                                                    guint64 n_events, GError **error);
/* All that there is, onto the disk: so many rows and events. */
gboolean ifbam_result_writer_mark (IfbamResultWriter *writer, guint64 *n_rows, guint64 *n_events,
                                   GError **error);
/* The same, for the last time; complete: the run came to its end. ended: a word for how. The writer stays to
 * be freed. */
gboolean ifbam_result_writer_finish (IfbamResultWriter *writer, gboolean complete,
                                     const char *ended, GError **error);
/* Without a finish before: the written part stays, incomplete. */
void ifbam_result_writer_free (IfbamResultWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamResultWriter, ifbam_result_writer_free)

/* The course of a result, which may still grow. NULL with IFBAM_ERROR_COURSE. */
IfbamCourse *ifbam_result_read_course (const char *path, GError **error);
/* Its events (IfbamEvent, whose texts live on). NULL with IFBAM_ERROR_COURSE. */
GArray *ifbam_result_read_events (const char *path, GError **error);
/* The manifest of a result; NULL with IFBAM_ERROR_COURSE. complete may be NULL. */
IfbamManifest *ifbam_result_read_manifest (const char *path, gboolean *complete, GError **error);
