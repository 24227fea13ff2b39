/* state-file.h: the state of a run as a file in HDF5, and a checkpoint, which also has the sizes of written files
 *
 *   /state     a dataset for each column, "node.position", "node.rate", ..., and "head", bytes that only
 *              this program reads; attribute "steps"
 *   /untold    a table of events that were not told yet
 *   /manifest  attributes: what made it
 *   /          attributes: "format", "version"; of a checkpoint also what its run had written
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"
#include "file/result.h"

/* A file that a run has written so far, as it was said (NULL: none), and how far: see ifbam_output_mark. */
typedef struct
{
  char *path, *sum;
  guint64 size; /* bytes */
} IfbamMark;

typedef struct
{
  IfbamMark output, events; /* CSV; of HDF5 the output has no sum, but so many: */
  guint64 n_rows, n_events;
} IfbamWritten;

void ifbam_written_clear (IfbamWritten *written);

typedef struct
{
  IfbamState *state;
  GArray *untold; /* IfbamEvent, whose texts live on */
  IfbamManifest *manifest;
  gboolean is_checkpoint;
  IfbamWritten written;
} IfbamStateFile;

/* Frees the state and its events, not the manifest and the sizes. */
void ifbam_state_file_forget (IfbamStateFile *file);
void ifbam_state_file_free (IfbamStateFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamStateFile, ifbam_state_file_free)

/* The file is there, whole and on the disk, or what was there before. IFBAM_ERROR_WRITE. */
gboolean ifbam_state_file_write (const IfbamStateFile *file, const char *path, GError **error);
/* NULL with IFBAM_ERROR_COURSE: it can't be read, is none, is damaged, or of a newer program. */
IfbamStateFile *ifbam_state_file_read (const char *path, GError **error);
