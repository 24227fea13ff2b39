/* checkpoints.h: where and how often checkpoints are written, and which one is gone on from
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  char *path; /* NULL: none are written */

  /* private */
  gint64 interval; /* [us] */
  guint64 count;   /* or so many steps, or variants; 0: by the clock */
  guint64 kept_at; /* of the last one: step, or variants */
  gint64 kept;     /* when it was written [us] */
  char *lock;      /* the file that keeps others off while this one runs; NULL: there is none */
  int lock_fd;
} IfbamCheckpoints;

/* option: "FILE.h5" or "FILE.h5,INTERVAL", as --checkpoint has it; NULL: the same file that is resumed (or NULL).
 * FALSE with IFBAM_ERROR_USAGE. */
gboolean ifbam_checkpoints_init (IfbamCheckpoints *self, const char *option, const char *resume,
                                 GError **error);
/* Of two that write the same checkpoints at once the second is refused. */
gboolean ifbam_checkpoints_lock (IfbamCheckpoints *self, GError **error);
void ifbam_checkpoints_clear (IfbamCheckpoints *self);
/* The work begins, at this step, or number of variants, or has just been kept there. */
void ifbam_checkpoints_kept (IfbamCheckpoints *self, guint64 at);
gboolean ifbam_checkpoints_is_due (const IfbamCheckpoints *self, guint64 at);

/* Reads a checkpoint, or the one before where it can't be read. *found: what was read; NULL: there is none yet.
 * FALSE with the error of the first. what: "run", "sweep". */
gboolean ifbam_checkpoints_read (const char *path, const char *what,
                                 gpointer (*read) (const char *path, gpointer data, GError **error),
                                 gpointer data, gpointer *found, GError **error);
