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
} IfbamWatch;

/* SIGINT, SIGTERM and SIGHUP end the program at once, with a message and 128 + the signal's number; unfinished outputs are
 * removed. Called in the first line of main(), and after a watch that keeps results. */
void ifbam_watch_signals (void);
void ifbam_watch_begin (IfbamWatch *watch);
/* For work of which a part is kept if it ends early: from here on, and after the watch's end up to the next
 * ifbam_watch_signals(), a signal only makes ifbam_watch_progress() return FALSE. */
void ifbam_watch_begin_to_keep (IfbamWatch *watch);
/* data: the IfbamWatch; part: done (0 to 1). Returns FALSE if the work shall end. */
gboolean ifbam_watch_progress (gpointer data, double part);
void ifbam_watch_end (IfbamWatch *watch);
/* The number of the signal that came; 0: none. */
int ifbam_watch_signal (void);
/* Whether the program ends because of it. */
gboolean ifbam_watch_is_to_end (void);

/* Whether this process prints and writes: of several ranks the first. */
gboolean ifbam_command_speaks (void);
