/* communicator.h: the processes that carry a network together: what they can do between them
 *
 * All that MPI is asked for stands behind these few functions; ifbam-mpi has them from src/run/mpi.c, everybody else from
 * serial.c, where there is one process. Each is called by all ranks, in the same order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* What goes to a rank, or comes from it. */
typedef struct
{
  gpointer bytes;
  gsize n;
} IfbamParcel;

typedef struct
{
  int rank, n;
} IfbamRanks;

/* Before anything else of the program; it may take words of its own off the command line. NULL: one process, which needs
 * nobody. */
const IfbamRanks *ifbam_ranks_begin (int *argc, char ***argv);
/* Those that have begun; NULL: one process. */
const IfbamRanks *ifbam_ranks (void);
/* The last of all, with this process's exit code: waits for the others. Where the first's is none of success the others do not
 * return: they end after it. */
void ifbam_ranks_end (int exit_code);

/* Who waits for others sees when a process of this machine has ended, and asks now and then whether it shall give up. If what
 * it waits for does not come then, it ends with exit code 1: the first rank once gone() has closed its files (dead: a process
 * has ended; else nobody knows of any, and somebody does not answer), the others after it. Up to ifbam_ranks_end (). */
void ifbam_ranks_watch (gboolean (*gives_up) (void), void (*gone) (gpointer data, gboolean dead),
                        gpointer data);

/* Each word becomes the sum of all ranks'. */
void ifbam_ranks_sum (gint64 *words, gsize n);
/* Bytes of one rank go to all. */
void ifbam_ranks_spread (gpointer bytes, gsize n, int from);
/* A text of one rank's becomes all ranks' (transfer full). */
char *ifbam_ranks_spread_text (const char *text, int from);
/* A parcel to each rank and one from each (n): both know their size; what is empty is not sent. */
void ifbam_ranks_swap (const IfbamParcel *send, const IfbamParcel *take);
/* The same with parcels of which only their senders know the sizes: returns those that came, one rank's after the other
 * (transfer full); n: their sizes (ranks). */
gpointer ifbam_ranks_swap_unsized (const IfbamParcel *send, gsize *n);
/* Returns an empty list for each rank (transfer full), of elements of a size [bytes]. */
GArray **ifbam_ranks_new_lists (guint size);
/* Sends lists to their ranks and frees them. Returns the elements that came, one rank's after the other (transfer full); n: their
 * sizes (ranks) [bytes]. */
gpointer ifbam_ranks_swap_lists (GArray **lists, gsize *n);
/* Returns n bytes of each rank, in the order of ranks (transfer full). */
gpointer ifbam_ranks_gather (gconstpointer bytes, gsize n);
/* Who gets which of n nodes, so that few links are cut, by their neighbours: start[i] to start[i + 1] of those numbers
 * `first` + i, for the nodes of a rank's range of the file (ifbam_ranks_range). owner (n). FALSE: there is no answer. */
gboolean ifbam_ranks_partition (guint64 n, const guint64 *start, const guint64 *neighbour,
                                gint32 *owner);

/* The range of n things that a rank has: from `first` to before `last`. */
static inline void
ifbam_ranks_range (guint64 n, int n_ranks, int rank, guint64 *first, guint64 *last)
{
  __extension__ typedef unsigned __int128 Wide;

  *first = (guint64) ((Wide) n * (guint) rank / (guint) n_ranks);
  *last = (guint64) ((Wide) n * (guint) (rank + 1) / (guint) n_ranks);
}

/* Who has it. */
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

/* Whether all ranks think so. */
gboolean ifbam_ranks_all (gboolean mine);
/* Whether any does. */
gboolean ifbam_ranks_any (gboolean mine);
/* All go on, or none: FALSE where any rank has an error, which all get then (of the first that has one). */
gboolean ifbam_ranks_agree (GError **error);
