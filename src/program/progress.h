/* progress.h: progress of long work, and signals that interrupt it
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Work that may take long; a terminal shows its progress after two seconds. */
typedef struct
{
  gint64 began, shown; /* [us] */
  gboolean keeps;
} IfbamProgress;

/* After this call, SIGINT, SIGTERM and SIGHUP end the program at once, with a message and 128 + the
 * signal's number; unfinished outputs are removed. For main(), and after watches that keep
 * results. */
void ifbam_progress_end_by_signals (void);
void ifbam_progress_begin (IfbamProgress *progress);
/* For work with partial results: from here on, until the next ifbam_progress_end_by_signals(), a signal only
 * makes ifbam_progress_update() return FALSE. */
void ifbam_progress_begin_to_keep (IfbamProgress *progress);
/* data: the IfbamProgress; part: fraction that is done. Returns FALSE if the work must end. */
gboolean ifbam_progress_update (gpointer data, double part);
void ifbam_progress_end (IfbamProgress *progress);
/* Returns the number of the received signal; 0: none. */
int ifbam_progress_signal (void);
/* TRUE if the program ends because of the signal. */
gboolean ifbam_progress_is_to_end (void);

/* TRUE if this process prints and writes: rank 0. */
gboolean ifbam_command_is_first_rank (void);
