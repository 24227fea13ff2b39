/* checkpoints.h: schedule and files of checkpoints, and the choice of the one to resume from
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  char *path; /* NULL: none are written */

  /* Private: */
  gint64 interval; /* [us] */
  guint64 count;   /* interval in steps or variants; 0: use the clock */
  guint64 kept_at; /* position of the last checkpoint: step, or number of variants */
  gint64 kept;     /* time of the last checkpoint [us] */
  char *lock;      /* lock file against other runs with these checkpoints, or NULL */
  int lock_fd;
} IfbamCheckpoints;

/* option: "FILE.h5" or "FILE.h5,INTERVAL"; NULL: the resumed file, if any. */
gboolean ifbam_checkpoints_init (IfbamCheckpoints *self, const char *option, const char *resume,
                                 GError **error);
/* Locks the files; an error if another run writes the same checkpoints. */
gboolean ifbam_checkpoints_lock (IfbamCheckpoints *self, GError **error);
void ifbam_checkpoints_clear (IfbamCheckpoints *self);
/* Sets the position of the last checkpoint, or of the start: a step, or a number of variants. */
void ifbam_checkpoints_kept (IfbamCheckpoints *self, guint64 at);
gboolean ifbam_checkpoints_is_due (const IfbamCheckpoints *self, guint64 at);

/* Reads a checkpoint; if that fails, the one before. *found: result of read (); NULL: there is none
 * yet. FALSE with the error of the first. what: "run", "sweep". */
gboolean ifbam_checkpoints_read (const char *path, const char *what,
                                 gpointer (*read) (const char *path, gpointer data, GError **error),
                                 gpointer data, gpointer *found, GError **error);
