/* state-file.h: state of a run as a file in HDF5; a checkpoint also has the sizes of output files
 *
 *   /state     a dataset per column, "node.position", "node.rate", ..., and "head", bytes that only
 *              this program reads; attribute "steps"
 *   /untold    a table of events that were not emitted yet
 *   /manifest  attributes: network, options and version
 *   /          attributes: "format", "version"; of a checkpoint also the output files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"
#include "file/result.h"

/* Output file of a run, as given (NULL: none), and its position: see ifbam_output_mark. */
typedef struct
{
  char *path, *sum;
  guint64 size; /* bytes */
} IfbamMark;

typedef struct
{
  IfbamMark output, events; /* for CSV; for an output in HDF5, counts in place of a sum: */
  guint64 n_rows, n_events;
} IfbamWritten;

void ifbam_written_clear (IfbamWritten *written);

typedef struct
{
  IfbamState *state;
  GArray *pending_events; /* IfbamEvent, with interned texts */
  IfbamManifest *manifest;
  gboolean is_checkpoint;
  IfbamWritten written;
} IfbamStateFile;

/* Frees the state and its events, not the manifest and the sizes. */
void ifbam_state_file_forget (IfbamStateFile *file);
void ifbam_state_file_free (IfbamStateFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamStateFile, ifbam_state_file_free)

/* Writes the file to the disk; after IFBAM_ERROR_WRITE an existing file is unchanged. */
gboolean ifbam_state_file_write (const IfbamStateFile *file, const char *path, GError **error);
/* NULL with IFBAM_ERROR_COURSE: unreadable, no state, damaged, or of a newer version. */
IfbamStateFile *ifbam_state_file_read (const char *path, GError **error);
