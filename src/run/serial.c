/* serial.c: replaces mpi.c in programs with one process
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/communicator.h"

const IfbamRanks *
ifbam_ranks_begin (int *argc, char ***argv)
{
  (void) argc, (void) argv;
  return NULL;
}

const IfbamRanks *
ifbam_ranks (void)
{
  return NULL;
}

void
ifbam_ranks_end (int exit_code)
{
  (void) exit_code;
}

void
ifbam_ranks_set_failure_check (gboolean (*gives_up) (void),
                               void (*gone) (gpointer data, gboolean dead), gpointer data)
{
  (void) gives_up, (void) gone, (void) data;
}

void
ifbam_ranks_allreduce_sum (gint64 *words, gsize n)
{
  (void) words, (void) n;
}

void
ifbam_ranks_broadcast (gpointer bytes, gsize n, int from)
{
  (void) bytes, (void) n, (void) from;
}

void
ifbam_ranks_exchange (const IfbamBuffer *send, const IfbamBuffer *take)
{
  (void) send, (void) take;
}

gboolean
ifbam_ranks_partition (guint64 n, const guint64 *start, const guint64 *neighbour, gint32 *owner)
{
  (void) start, (void) neighbour;
  for (guint64 i = 0; i < n; i++)
    owner[i] = 0;
  return TRUE;
}
