/* threads.c: threads that share the pieces of a network
 *
 * Pieces are contiguous. With tiles, a piece is advanced through all cycles of a block before
 * threads meet (tiles.c); else threads meet twice in each cycle.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/threads.h"

#include "engine/energy-check.h"
#include "engine/tiles.h"

static gsize
piece_border (const IfbamCompiledEngine *self, guint piece)
{
  const gsize n = self->base.model->n_free;
  const gsize unit = self->tile_cycles > 1 ? self->tile_width : IFBAM_LINE;

  return piece == self->n_pieces ? n : (gsize) ((guint64) n * piece / self->n_pieces) / unit * unit;
}

static gboolean
claim_piece (IfbamCompiledEngine *self, guint *piece)
{
  *piece = atomic_fetch_add (&self->next_piece, 1);
  return *piece < self->n_pieces;
}

/* Waits for all threads; then pieces can be claimed again. */
static void
meet (IfbamCompiledEngine *self)
{
  if (pthread_barrier_wait (&self->barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
    atomic_store (&self->next_piece, 0);
  pthread_barrier_wait (&self->barrier);
}

/* A thread's work in a block. */
static void
share_block (IfbamCompiledEngine *self)
{
  const guint cycles = self->work.cycles; /* copied: the next block is prepared soon */
  guint piece;

  if (self->tile_cycles > 1)
    {
      while (claim_piece (self, &piece))
        ifbam_piece_cycles (self, piece_border (self, piece), piece_border (self, piece + 1),
                            &self->partial[piece]);
      meet (self);
      while (claim_piece (self, &piece))
        if (piece > 0)
          ifbam_wedge_cycles (self, piece_border (self, piece));
      meet (self);
      return;
    }
  for (guint cycle = 0; cycle < cycles; cycle++)
    {
      while (claim_piece (self, &piece))
        ifbam_links_compute (self, cycle, piece_border (self, piece),
                             piece_border (self, piece + 1));
      meet (self);
      while (claim_piece (self, &piece))
        ifbam_nodes_update (self, cycle, piece_border (self, piece),
                            piece_border (self, piece + 1));
      meet (self);
    }
}

static void
share_energy_check (IfbamCompiledEngine *self)
{
  guint piece;

  while (claim_piece (self, &piece))
    for (gsize chunk = self->n_chunks * piece / self->n_pieces;
         chunk < self->n_chunks * (piece + 1) / self->n_pieces; chunk++)
      ifbam_energy_check_add_chunk (self, chunk, &self->partial[piece]);
  meet (self);
}

static gpointer
run_worker (gpointer data)
{
  IfbamCompiledEngine *self = data;

  pthread_mutex_lock (&self->gate);
  pthread_mutex_unlock (&self->gate);
  for (;;)
    {
      pthread_barrier_wait (&self->barrier);
      if (self->quit)
        return NULL;
      if (self->looking)
        share_energy_check (self);
      else
        share_block (self);
    }
}

/* Starts the threads at the first use. If not all can be created, the others do the work: the gate
 * is closed until their number is known. */
gboolean
ifbam_threads_run (IfbamCompiledEngine *self)
{
  guint made = 0;

  if (self->n_threads == 1 || self->running)
    return self->n_threads > 1;
  self->threads = g_new (pthread_t, self->n_threads - 1);
  pthread_mutex_init (&self->gate, NULL);
  pthread_mutex_lock (&self->gate);
  while (made + 1 < self->n_threads
         && pthread_create (&self->threads[made], NULL, run_worker, self) == 0)
    made++;
  self->n_threads = made + 1;
  self->running = made > 0;
  if (self->running)
    pthread_barrier_init (&self->barrier, NULL, self->n_threads);
  pthread_mutex_unlock (&self->gate);
  return self->running;
}

void
ifbam_threads_work (IfbamCompiledEngine *self, gboolean look)
{
  self->looking = look;
  atomic_store (&self->next_piece, 0);
  pthread_barrier_wait (&self->barrier);
  if (look)
    share_energy_check (self);
  else
    share_block (self);
}

void
ifbam_threads_end (IfbamCompiledEngine *self)
{
  if (!self->running)
    return;
  self->quit = TRUE;
  pthread_barrier_wait (&self->barrier);
  for (guint t = 0; t + 1 < self->n_threads; t++)
    pthread_join (self->threads[t], NULL);
  pthread_barrier_destroy (&self->barrier);
  pthread_mutex_destroy (&self->gate);
}
