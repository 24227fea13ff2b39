/* mpi.c: the ranks of ifbam-mpi, by MPI, and PT-Scotch's partitions: nobody else knows of either
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <mpi.h>
#include <ptscotch.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "ranks/ranks.h"

/* Counts of messages end at 2^31 [bytes]. */
#define PIECE (1 << 30)
/* Looks for messages before others may have the processor, and between questions whether to give up. */
#define SPINS 200
/* For so long somebody may be late whom a signal has reached, too [s]. */
#define PATIENCE 0.2

static IfbamRanks own;
static gboolean begun;

static gboolean (*gives_up) (void);
static void (*gone) (gpointer data);
static gpointer gone_data;

const IfbamRanks *
ifbam_ranks_begin (int *argc, char ***argv)
{
  int level;

  /* Threads within a rank talk to nobody. */
  if (MPI_Init_thread (argc, argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
    g_error ("MPI does not begin");
  MPI_Comm_rank (MPI_COMM_WORLD, &own.rank);
  MPI_Comm_size (MPI_COMM_WORLD, &own.n);
  begun = TRUE;
  return ifbam_ranks ();
}

const IfbamRanks *
ifbam_ranks (void)
{
  return begun && own.n > 1 ? &own : NULL;
}

void
ifbam_ranks_watch (gboolean (*ask) (void), void (*then) (gpointer data), gpointer data)
{
  gives_up = ask;
  gone = then;
  gone_data = data;
}

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

/* Whoever waits leaves the processor to others, and finds out where nobody will ever answer. */
static void
wait_for (int n, MPI_Request *requests)
{
  double asked = 0;
  int done = 0;

  for (guint64 spin = 1; !done; spin++)
    {
      MPI_Testall (n, requests, &done, MPI_STATUSES_IGNORE);
      if (done || spin % SPINS != 0)
        continue;
      sched_yield ();
      if (gives_up == NULL || !gives_up ())
        continue;
      if (asked == 0)
        asked = now ();
      if (now () > asked + PATIENCE)
        gone (gone_data);
    }
}

void
ifbam_ranks_end (void)
{
  MPI_Request request;

  if (!begun)
    return;
  MPI_Ibarrier (MPI_COMM_WORLD, &request);
  wait_for (1, &request);
  MPI_Finalize ();
  begun = FALSE;
}

void
ifbam_ranks_sum (gint64 *words, gsize n)
{
  MPI_Request request;

  for (gsize first = 0, some; first < n; first += some)
    {
      some = MIN (n - first, PIECE / sizeof *words);
      MPI_Iallreduce (MPI_IN_PLACE, words + first, (int) some, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD,
                      &request);
      wait_for (1, &request);
    }
}

void
ifbam_ranks_spread (gpointer bytes, gsize n, int from)
{
  MPI_Request request;

  for (gsize first = 0, some; first < n; first += some)
    {
      some = MIN (n - first, PIECE);
      MPI_Ibcast ((char *) bytes + first, (int) some, MPI_BYTE, from, MPI_COMM_WORLD, &request);
      wait_for (1, &request);
    }
}

/* The piece of a parcel that begins at a byte; 0: it has ended. */
static int
piece (const IfbamParcel *parcel, gsize first)
{
  return parcel->n > first ? (int) MIN (parcel->n - first, PIECE) : 0;
}

void
ifbam_ranks_swap (const IfbamParcel *send, const IfbamParcel *take)
{
  g_autofree MPI_Request *requests = g_new (MPI_Request, 2 * own.n);
  gsize most = 0;

  for (int r = 0; r < own.n; r++)
    most = MAX (most, MAX (send[r].n, take[r].n));
  if (take[own.rank].n > 0)
    memcpy (take[own.rank].bytes, send[own.rank].bytes, take[own.rank].n);
  for (gsize first = 0; first < most; first += PIECE)
    {
      int n = 0;

      for (int k = 1; k < own.n; k++)
        {
          const int from = (own.rank - k + own.n) % own.n, size = piece (&take[from], first);

          if (size > 0)
            MPI_Irecv ((char *) take[from].bytes + first, size, MPI_BYTE, from, 1, MPI_COMM_WORLD,
                       &requests[n++]);
        }
      for (int k = 1; k < own.n; k++)
        {
          const int to = (own.rank + k) % own.n, size = piece (&send[to], first);

          if (size > 0)
            MPI_Isend ((char *) send[to].bytes + first, size, MPI_BYTE, to, 1, MPI_COMM_WORLD,
                       &requests[n++]);
        }
      wait_for (n, requests);
    }
}

/* The graph is spread by ranges of nodes in file order (Chevalier & Pellegrini 2008, "PT-Scotch: a tool for efficient
 * parallel graph ordering", Parallel Computing 34, and its user's guide). */
gboolean
ifbam_ranks_partition (guint64 n, const guint64 *start, const guint64 *neighbour, gint32 *owner)
{
  g_autofree SCOTCH_Num *begins = NULL, *edges = NULL, *part = NULL;
  g_autofree gint32 *mine = NULL;
  g_autofree IfbamParcel *send = g_new0 (IfbamParcel, own.n), *take = g_new0 (IfbamParcel, own.n);
  SCOTCH_Dgraph graph;
  SCOTCH_Strat strategy;
  guint64 first, last;
  gsize count, n_edges;
  gboolean fine;
  gint64 faults;

  ifbam_ranks_range (n, own.n, own.rank, &first, &last);
  count = (gsize) (last - first);
  n_edges = (gsize) start[count];
  begins = g_new (SCOTCH_Num, count + 1);
  part = g_new0 (SCOTCH_Num, count + 1);
  edges = g_new (SCOTCH_Num, n_edges + 1);
  mine = g_new (gint32, count + 1);
  for (gsize i = 0; i <= count; i++)
    begins[i] = (SCOTCH_Num) start[i];
  for (gsize i = 0; i < n_edges; i++)
    edges[i] = (SCOTCH_Num) neighbour[i];
  SCOTCH_randomReset ();
  SCOTCH_dgraphInit (&graph, MPI_COMM_WORLD);
  SCOTCH_stratInit (&strategy);
  fine =
      SCOTCH_dgraphBuild (&graph, 0, (SCOTCH_Num) count, (SCOTCH_Num) count, begins, begins + 1,
                          NULL, NULL, (SCOTCH_Num) n_edges, (SCOTCH_Num) n_edges, edges, NULL, NULL)
          == 0
      && SCOTCH_dgraphPart (&graph, own.n, &strategy, part) == 0;
  SCOTCH_stratExit (&strategy);
  SCOTCH_dgraphExit (&graph);
  for (gsize i = 0; i < count; i++)
    mine[i] = (gint32) part[i];
  for (int r = 0; r < own.n; r++)
    {
      guint64 from, to;

      ifbam_ranks_range (n, own.n, r, &from, &to);
      send[r] = (IfbamParcel){ mine, count * sizeof *mine };
      take[r] = (IfbamParcel){ owner + from, (gsize) (to - from) * sizeof *owner };
    }
  ifbam_ranks_swap (send, take);
  faults = !fine;
  ifbam_ranks_sum (&faults, 1);
  return faults == 0;
}
