/* mpi.c: ranks of ifbam-mpi by MPI, and partitions by PT-Scotch; the only file that uses either
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <malloc.h>
#include <mpi.h>
#include <poll.h>
#include <ptscotch.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "run/communicator.h"

/* Messages must be shorter than 2^31 [bytes]. */
#define PIECE (1 << 30)
/* Threshold for mmap in allocation [bytes]. */
#define LARGE (1 << 18)
/* Tests for messages before a rank yields the processor. */
#define MAX_TESTS 200
/* Time for late messages of a dead process, and for a process that handles a signal [s]. */
#define DEAD_TIMEOUT 0.2
#define LATE_TIMEOUT 0.5
/* Time for closing files [s]. */
#define MAX_WRITING_TIME 60
/* Larger exit codes identify the signal that ended a process. */
#define SIGNALLED     128
#define WAIT_INTERVAL 100 /* ms */

static IfbamRanks own;
static gboolean begun;
static int exit_code = 1;

static gboolean (*gives_up) (void);
static void (*gone) (gpointer data, gboolean dead);
static gpointer gone_data;

/* The kernel reports the end of other ranks on this machine: their descriptors become readable. For
 * ranks elsewhere mpirun ends all processes. */
static struct pollfd *near; /* (n_near) */
static guint n_near;
static int end_of_first = -1; /* descriptor of rank 0 */

/* Index of this rank's present wait; 0: none; TAKEN: a wait that never ends. */
static gint waiting;
#define TAKEN (-1)

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

/* Waits for the end of the first rank, at most `seconds`; returns at once without a descriptor. */
static void
wait_for_first (double seconds)
{
  struct pollfd ended = { .fd = end_of_first, .events = POLLIN };
  const double latest = now () + seconds;

  while (end_of_first >= 0 && now () < latest)
    if (poll (&ended, 1, WAIT_INTERVAL) > 0)
      return;
}

/* No rank may end before the first one has written: mpirun would kill that one. */
static _Noreturn void
exit_after_first (gboolean dead)
{
  if (own.rank == 0 && gone != NULL)
    gone (gone_data, dead);
  else if (own.rank > 0 && end_of_first >= 0)
    wait_for_first (MAX_WRITING_TIME);
  else if (own.rank > 0)
    poll (NULL, 0, MAX_WRITING_TIME * 1000);
  fflush (NULL);
  _exit (exit_code);
}

/* Detects that awaited messages will never come, which MPI does not: it waits, or, if a connection
 * ends, is killed. A separate thread; while the other one waits, its data are not in use. */
static gpointer
guard (gpointer data)
{
  gboolean dead = FALSE;
  double since = 0;
  gint seen = 0;

  for (;;)
    {
      gint turn;

      dead = poll (near, dead ? 0 : n_near, WAIT_INTERVAL) > 0 || dead;
      turn = g_atomic_int_get (&waiting);
      if (turn == 0 || !(dead || (own.rank == 0 && gives_up != NULL && gives_up ())))
        seen = 0;
      else if (turn != seen)
        {
          seen = turn;
          since = now ();
        }
      else if (now () > since + (dead ? DEAD_TIMEOUT : LATE_TIMEOUT)
               && g_atomic_int_compare_and_exchange (&waiting, turn, TAKEN))
        exit_after_first (dead);
    }
  return data;
}

/* Enclose each call that may wait for other ranks. */
static void
begin_wait (void)
{
  static gint turn;

  turn = turn % G_MAXINT + 1;
  g_atomic_int_set (&waiting, turn);
}

static void
end_wait (void)
{
  const gint turn = g_atomic_int_get (&waiting);

  if (turn != TAKEN && g_atomic_int_compare_and_exchange (&waiting, turn, 0))
    return;
  for (;;)
    pause ();
}

typedef struct
{
  gint64 rank, process, numbering; /* process ids are specific to a container */
} Whom;

/* Returns a descriptor of a process; -1: not supported. */
static int
open_process (gint64 process)
{
#ifdef SYS_pidfd_open
  return (int) syscall (SYS_pidfd_open, (pid_t) process, 0);
#else
  (void) process;
  return -1;
#endif
}

static void
find_near_ranks (void)
{
  g_autofree Whom *all = NULL;
  struct stat numbering;
  MPI_Comm comm;
  Whom me = { .rank = own.rank, .process = getpid () };
  int n;

  if (stat ("/proc/self/ns/pid", &numbering) == 0)
    me.numbering = (gint64) numbering.st_ino;
  MPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, own.rank, MPI_INFO_NULL, &comm);
  MPI_Comm_size (comm, &n);
  all = g_new (Whom, n);
  near = g_new (struct pollfd, n);
  MPI_Allgather (&me, 3, MPI_INT64_T, all, 3, MPI_INT64_T, comm);
  for (int i = 0; i < n; i++)
    if (all[i].rank != own.rank && all[i].numbering == me.numbering && me.numbering != 0)
      {
        const int process = open_process (all[i].process);

        if (process >= 0)
          near[n_near++] = (struct pollfd){ .fd = process, .events = POLLIN };
        if (all[i].rank == 0)
          end_of_first = process;
      }
  /* No rank ends before all have opened descriptors, so that a process id is not reused. */
  MPI_Barrier (comm);
  MPI_Comm_free (&comm);
}

/* Signals go to the other thread. */
static void
begin_guard (void)
{
  sigset_t all, before;

  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  g_thread_unref (g_thread_new ("guard", guard, NULL));
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

const IfbamRanks *
ifbam_ranks_begin (int *argc, char ***argv)
{
  int level;

#ifdef M_MMAP_THRESHOLD
  /* Many ranks share a machine's memory: freed blocks are returned at once, wherever they are. */
  mallopt (M_MMAP_THRESHOLD, LARGE);
#endif
  /* Threads within a rank send no messages. */
  if (MPI_Init_thread (argc, argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
    g_error ("MPI does not begin");
  MPI_Comm_rank (MPI_COMM_WORLD, &own.rank);
  MPI_Comm_size (MPI_COMM_WORLD, &own.n);
  begun = TRUE;
  if (own.n > 1)
    {
      find_near_ranks ();
      begin_guard ();
    }
  return ifbam_ranks ();
}

const IfbamRanks *
ifbam_ranks (void)
{
  return begun && own.n > 1 ? &own : NULL;
}

void
ifbam_ranks_set_failure_check (gboolean (*ask) (void), void (*then) (gpointer data, gboolean dead),
                               gpointer data)
{
  gives_up = ask;
  gone = then;
  gone_data = data;
}

/* A waiting rank yields the processor. */
static void
wait_for (int n, MPI_Request *requests)
{
  int done = 0;

  begin_wait ();
  for (guint64 spin = 1; !done; spin++)
    {
      MPI_Testall (n, requests, &done, MPI_STATUSES_IGNORE);
      if (!done && spin % MAX_TESTS == 0)
        sched_yield ();
    }
  end_wait ();
}

/* mpirun takes some time until it waits. */
static void
end_after_delay (int number)
{
  (void) number;
  poll (NULL, 0, WAIT_INTERVAL);
  _exit (0);
}

/* After a failure mpirun sends SIGCONT to the other processes, then SIGTERM, then kills them; each
 * time it waits a second, or until a process ends. So rank 1 ends at SIGCONT, others at SIGTERM. */
static void
set_mpirun_signals (void)
{
  signal (SIGTERM, end_after_delay);
  if (own.rank == 1)
    signal (SIGCONT, end_after_delay);
}

void
ifbam_ranks_end (int code)
{
  MPI_Request request;
  gboolean is_after;

  if (!begun)
    return;
  gives_up = NULL;
  gone = NULL;
  exit_code = code;
  if (own.rank > 0)
    code = 0;
  MPI_Iallreduce (MPI_IN_PLACE, &code, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  wait_for (1, &request);
  is_after = code != 0 && own.rank > 0;
  if (is_after)
    set_mpirun_signals ();
  /* After a signal mpirun kills the processes, and MPI_Finalize would get no answer. */
  if (code <= SIGNALLED)
    MPI_Finalize ();
  begun = FALSE;
  if (!is_after)
    return;
  wait_for_first (MAX_WRITING_TIME);
  poll (NULL, 0, 30 * WAIT_INTERVAL);
  _exit (0);
}

void
ifbam_ranks_allreduce_sum (gint64 *words, gsize n)
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
ifbam_ranks_broadcast (gpointer bytes, gsize n, int from)
{
  MPI_Request request;

  for (gsize first = 0, some; first < n; first += some)
    {
      some = MIN (n - first, PIECE);
      MPI_Ibcast ((char *) bytes + first, (int) some, MPI_BYTE, from, MPI_COMM_WORLD, &request);
      wait_for (1, &request);
    }
}

/* Returns the size of a buffer's piece from a byte on; 0: no more. */
static int
piece (const IfbamBuffer *buffer, gsize first)
{
  return buffer->n > first ? (int) MIN (buffer->n - first, PIECE) : 0;
}

void
ifbam_ranks_exchange (const IfbamBuffer *send, const IfbamBuffer *take)
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

/* Distributes the graph by ranges of nodes in file order (Chevalier & Pellegrini 2008, "PT-Scotch:
 * a tool for efficient parallel graph ordering", Parallel Computing 34; manual). */
gboolean
ifbam_ranks_partition (guint64 n, const guint64 *start, const guint64 *neighbour, gint32 *owner)
{
  g_autofree SCOTCH_Num *begins = NULL, *edges = NULL, *part = NULL;
  g_autofree gint32 *mine = NULL;
  g_autofree IfbamBuffer *send = g_new0 (IfbamBuffer, own.n), *take = g_new0 (IfbamBuffer, own.n);
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
  begin_wait ();
  fine =
      SCOTCH_dgraphBuild (&graph, 0, (SCOTCH_Num) count, (SCOTCH_Num) count, begins, begins + 1,
                          NULL, NULL, (SCOTCH_Num) n_edges, (SCOTCH_Num) n_edges, edges, NULL, NULL)
          == 0
      && SCOTCH_dgraphPart (&graph, own.n, &strategy, part) == 0;
  SCOTCH_stratExit (&strategy);
  SCOTCH_dgraphExit (&graph);
  end_wait ();
  for (gsize i = 0; i < count; i++)
    mine[i] = (gint32) part[i];
  for (int r = 0; r < own.n; r++)
    {
      guint64 from, to;

      ifbam_ranks_range (n, own.n, r, &from, &to);
      send[r] = (IfbamBuffer){ mine, count * sizeof *mine };
      take[r] = (IfbamBuffer){ owner + from, (gsize) (to - from) * sizeof *owner };
    }
  ifbam_ranks_exchange (send, take);
  faults = !fine;
  ifbam_ranks_allreduce_sum (&faults, 1);
  return faults == 0;
}
