/* state-view.h: a network at a moment, whoever carries it: what its elements say there, and sums over them
 *
 * A view has the lanes of its numbers; what is asked of it comes for each lane.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/exact-sum.h"
#include "engine/state-columns.h"
#include "engine/engine-class.h"

/* A network at a moment: of an engine's row, of columns, or of a row of probes. */
typedef struct
{
  IfbamNumbers *numbers;
  double time;                   /* [s] */
  IfbamEngine *engine;           /* asked node by node where the others are NULL */
  const double *position, *rate; /* (n_nodes)(lanes), or NULL */
  const IfbamProbes *probes; /* in one lane: all nodes that are asked for are among them; or NULL */
  gsize row;                 /* of the probes */
} IfbamView;

typedef enum
{
  IFBAM_SAYS_FORCE,
  IFBAM_SAYS_ENERGY,
} IfbamSaying;

void ifbam_view_node (const IfbamView *view, gsize node, double *position, double *rate);
/* What a link says; of a slot of its right end what that hears. */
void ifbam_view_link (const IfbamView *view, gsize slot, IfbamSaying what, double *answer);
/* A link's compression and its rate. */
void ifbam_view_delta (const IfbamView *view, gsize slot, double *delta, double *rate);
/* Sum of the forces on a node at the view. */
void ifbam_view_force (const IfbamView *view, gsize node, double *force);
/* What moves a given node as it goes: the force on the network, the opposite of what links say to it. Of a node between two
 * others what pushes these apart (of fluxes: what goes from its left end through it to the right one; of a given one: out of
 * the left one). */
void ifbam_view_node_force (const IfbamView *view, gsize node, double *force);
void ifbam_view_acceleration (const IfbamView *view, gsize node, double *acceleration);
/* All forces of a source that acts on several nodes, from its first number on. */
void ifbam_view_source (const IfbamView *view, gsize first, double *force);

/* The nodes that ifbam_view_force (view, node) asks for, node excluded. */
void ifbam_model_add_neighbours (const IfbamModel *model, gsize node, GArray *nodes);

/* Sums are exact. */

typedef struct
{
  double kinetic;                    /* [J] */
  double stored;                     /* by links [J] */
  double potential;                  /* that, and of fields [J] */
  double momentum;                   /* [kg m/s] */
  double dissipated, supplied;       /* since the start [J] */
  const IfbamTally *link_dissipated; /* by each link (n_slots) [J]; NULL: not kept here */
} IfbamSums;

/* Energies and momentum at a view with columns. */
void ifbam_view_sums (const IfbamView *view, IfbamSums *sums);
/* Of motions and links, as one sum; not a number where a node's position is none. */
void ifbam_view_energy (const IfbamView *view, double *energy);
/* An amount of it that is larger but for rounding, and found sooner. */
void ifbam_view_bound (const IfbamView *view, double *bound);
/* Of fields [J]. */
void ifbam_view_field_energy (const IfbamView *view, double *energy);
/* Power of what is fed in, and the sum of its amounts [W]: sources f v (but for fields), moving given nodes
 * -F v (F: of the network on the node). */
void ifbam_view_supply (const IfbamView *view, double *power, double *amount);

/* Sums over many elements go in blocks. */
#define IFBAM_BLOCK 1024

/* Of a model that is a part: each sum becomes that of all parts. */
static inline void
ifbam_model_add_up (const IfbamModel *model, IfbamExactSum *sums, guint n)
{
  if (model->share != NULL)
    model->share->add_up (model->share, sums, n);
}

/* Whether a free node counts here. */
static inline gboolean
ifbam_model_counts (const IfbamModel *model, gsize node)
{
  return model->share == NULL || !model->share->foreign[node];
}

/* What others count is no term of a sum here. */
void ifbam_batch_leave_out (const IfbamBatch *batch, gsize first, gsize n, double *term);

/* In one lane: what links first <= i < last of a batch say to one of its kernels, at columns of all nodes, to
 * answer[0] on; 0 where there is no link. */
void ifbam_batch_say (const IfbamBatch *batch, IfbamLinkKernel kernel, gsize first, gsize last,
                      const double *position, const double *rate, double *answer);
/* Adds what links of a batch store. */
void ifbam_batch_add_energy (const IfbamBatch *batch, gsize first, gsize last,
                             const double *position, const double *rate, IfbamIsa isa,
                             IfbamExactSum *sum);
/* Takes away what was added for a node that keeps a link's state, of inertia 1: it has no energy of motion. (Sums are
 * exact: nothing of it is left.) */
void ifbam_take_away_motion (double rate, IfbamExactSum *energy, IfbamExactSum *momentum);
/* Adds kinetic energies of n nodes to `energy`, and impetus to `momentum` unless that is NULL. */
void ifbam_add_motion (const double *rate, const double *inertia, gsize n, IfbamIsa isa,
                       IfbamExactSum *energy, IfbamExactSum *momentum);
/* The same of a model's nodes, from one on. */
void ifbam_model_add_motion (const IfbamModel *model, gsize first, const double *rate, gsize n,
                             IfbamIsa isa, IfbamExactSum *energy, IfbamExactSum *momentum);
