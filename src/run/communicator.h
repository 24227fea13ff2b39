/* communicator.h: messages between the processes (ranks) that advance one network
 *
 * All MPI calls are in mpi.c, for ifbam-mpi; other programs link serial.c, for one process. Each
 * function is called by all ranks, in the same order.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* A message to a rank, or from it. */
typedef struct
{
  gpointer bytes;
  gsize n;
} IfbamBuffer;

typedef struct
{
  int rank, n;
} IfbamRanks;

/* First call; may remove MPI's own arguments from the command line. NULL: one process. */
const IfbamRanks *ifbam_ranks_begin (int *argc, char ***argv);
/* Returns the ranks after ifbam_ranks_begin (); NULL: one process. */
const IfbamRanks *ifbam_ranks (void);
/* Last call, with this process's exit code: waits for the others. If the first rank's code is not
 * 0, the others exit after it and do not return. */
void ifbam_ranks_end (int exit_code);

/* From now on a rank that waits for messages detects the end of a process on this machine, and
 * calls gives_up () periodically. Without messages it exits with code 1: the first rank after gone
 * () has closed its files, the others after the first. dead: a process has ended; else one does not
 * answer. Valid until ifbam_ranks_end (). */
void ifbam_ranks_set_failure_check (gboolean (*gives_up) (void),
                                    void (*gone) (gpointer data, gboolean dead), gpointer data);

/* Replaces each word by the sum over all ranks. */
void ifbam_ranks_allreduce_sum (gint64 *words, gsize n);
/* Replaces each value by that of one rank, on all ranks; the other ranks pass +0. */
void ifbam_ranks_allreduce_values (double *values, gsize n);
/* Copies bytes of one rank to all. */
void ifbam_ranks_broadcast (gpointer bytes, gsize n, int from);
/* Returns the text of one rank (transfer full). */
char *ifbam_ranks_broadcast_text (const char *text, int from);
/* Sends a buffer to each rank and receives one from each (n), of known sizes; empty: not sent. */
void ifbam_ranks_exchange (const IfbamBuffer *send, const IfbamBuffer *take);
/* Exchanges buffers of sizes unknown to receivers. Returns the received bytes by rank (transfer
 * full); n: their sizes (ranks). */
gpointer ifbam_ranks_exchange_unsized (const IfbamBuffer *send, gsize *n);
/* Returns an empty list for each rank (transfer full), of elements of a size [bytes]. */
GArray **ifbam_ranks_new_lists (guint size);
/* Sends lists to their ranks and frees them. Returns the received elements by rank (transfer full);
 * n: their sizes (ranks) [bytes]. */
gpointer ifbam_ranks_exchange_lists (GArray **lists, gsize *n);
/* Returns n bytes of each rank, by rank (transfer full). */
gpointer ifbam_ranks_gather (gconstpointer bytes, gsize n);
/* Computes the owner of each node (n) so that few links are cut. neighbour[start[i]] to
 * neighbour[start[i + 1] - 1]: those of node first + i of this rank's range (ifbam_ranks_range).
 * Returns FALSE if PT-Scotch finds no partition. */
gboolean ifbam_ranks_partition (guint64 n, const guint64 *start, const guint64 *neighbour,
                                gint32 *owner);

/* Computes a rank's range of n objects: [first, last). */
static inline void
ifbam_ranks_range (guint64 n, int n_ranks, int rank, guint64 *first, guint64 *last)
{
  __extension__ typedef unsigned __int128 Wide;

  *first = (guint64) ((Wide) n * (guint) rank / (guint) n_ranks);
  *last = (guint64) ((Wide) n * (guint) (rank + 1) / (guint) n_ranks);
}

/* Returns the rank of object i. */
static inline int
ifbam_ranks_of (guint64 n, int n_ranks, guint64 i)
{
  __extension__ typedef unsigned __int128 Wide;
  int rank = (int) ((Wide) i * (guint) n_ranks / n);
  guint64 first, last;

  for (;; rank++)
    {
      ifbam_ranks_range (n, n_ranks, rank, &first, &last);
      if (i < last)
        return rank;
    }
}

/* Returns TRUE if `mine` is TRUE on all ranks. */
gboolean ifbam_ranks_all (gboolean mine);
/* Returns TRUE if `mine` is TRUE on any rank. */
gboolean ifbam_ranks_any (gboolean mine);
/* Returns FALSE on all ranks if any has an error; all get the error of the first such rank. */
gboolean ifbam_ranks_agree_on_error (GError **error);
