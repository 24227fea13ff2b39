/* state-view.h: a network at one time: quantities of elements, and sums
 *
 * A view has the lanes of its numbers; quantities have one value per lane.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/exact-sum.h"
#include "engine/state-columns.h"
#include "engine/engine-class.h"

/* A network at one time: a sample of an engine, columns, or a sample of probes. */
typedef struct
{
  IfbamParameterValues *numbers;
  double time;                   /* [s] */
  IfbamEngine *engine;           /* source of single nodes if the others are NULL */
  const double *position, *rate; /* (n_nodes)(lanes), or NULL */
  const IfbamProbes *probes;     /* in one lane: contain all nodes that are used; or NULL */
  gsize row;                     /* of the probes */
} IfbamView;

typedef enum
{
  IFBAM_OUTPUT_FORCE,
  IFBAM_OUTPUT_ENERGY,
} IfbamLinkOutput;

void ifbam_view_node (const IfbamView *view, gsize node, double *position, double *rate);
/* Computes a link's quantity; for a slot of its right end the force there. */
void ifbam_view_link (const IfbamView *view, gsize slot, IfbamLinkOutput what, double *output);
/* Computes a link's compression and rate. */
void ifbam_view_delta (const IfbamView *view, gsize slot, double *delta, double *rate);
/* Computes the sum of the forces on a node. */
void ifbam_view_force (const IfbamView *view, gsize node, double *force);
/* Computes the force that a given node's drive exerts on the network, opposite to the link forces.
 * For a branch: the force that moves its ends apart (of fluxes: the current from the left end
 * through it to the right one; of a given branch: out of the left end). */
void ifbam_view_node_force (const IfbamView *view, gsize node, double *force);
void ifbam_view_acceleration (const IfbamView *view, gsize node, double *acceleration);
/* Computes all forces of a source on several nodes, from its first index on. */
void ifbam_view_source (const IfbamView *view, gsize first, double *force);

/* Adds the nodes that ifbam_view_force (view, node) needs, except the node. */
void ifbam_model_add_neighbours (const IfbamModel *model, gsize node, GArray *nodes);

/* Exact sums. */

typedef struct
{
  double kinetic;                             /* [J] */
  double stored;                              /* of links [J] */
  double potential;                           /* of links and fields [J] */
  double momentum;                            /* [kg m/s] */
  double dissipated, supplied;                /* since the start [J] */
  const IfbamCompensatedSum *link_dissipated; /* per link (n_slots) [J]; NULL: not available */
} IfbamSums;

/* Computes energies and momentum at a view with columns. */
void ifbam_view_sums (const IfbamView *view, IfbamSums *sums);
/* Computes the energy of motions and links, as one sum; NaN if a node's position is not finite. */
void ifbam_view_energy (const IfbamView *view, double *energy);
/* Computes an upper bound of its amount, up to rounding, in less time. */
void ifbam_view_bound (const IfbamView *view, double *bound);
/* Computes the energy of fields [J]. */
void ifbam_view_field_energy (const IfbamView *view, double *energy);
/* Computes the power supplied, and the sum of its amounts [W]: sources f v (without fields), moving
 * given nodes -F v (F: force of the network on the node). */
void ifbam_view_supply (const IfbamView *view, double *power, double *amount);

/* Sums over many elements are computed in blocks. */
#define IFBAM_BLOCK 1024

/* Replaces the sums of a model that is a part by those over all parts. */
static inline void
ifbam_model_add_up (const IfbamModel *model, IfbamExactSum *sums, guint n)
{
  if (model->share != NULL)
    model->share->add_up (model->share, sums, n);
}

/* Returns TRUE if a free node is counted in this part. */
static inline gboolean
ifbam_model_counts (const IfbamModel *model, gsize node)
{
  return model->share == NULL || !model->share->is_ghost[node];
}

/* Sets the terms of links that other parts count to 0. */
void ifbam_batch_omit (const IfbamBatch *batch, gsize first, gsize n, double *term);

/* In one lane: computes a kernel for links first <= i < last of a batch at columns of all nodes,
 * from answer[0] on; 0 for gaps. */
void ifbam_batch_compute (const IfbamBatch *batch, IfbamLinkKernel kernel, gsize first, gsize last,
                          const double *position, const double *rate, double *output);
/* Adds the stored energies of links of a batch. */
void ifbam_batch_add_energy (const IfbamBatch *batch, gsize first, gsize last,
                             const double *position, const double *rate, IfbamIsa isa,
                             IfbamExactSum *sum);
/* Subtracts the contributions of a state node, of inertia 1 but without kinetic energy. (Exact sums
 * leave no rest.) */
void ifbam_subtract_motion (double rate, IfbamExactSum *energy, IfbamExactSum *momentum);
/* Adds the kinetic energies of n nodes, and momenta unless `momentum` is NULL. */
void ifbam_add_motion (const double *rate, const double *inertia, gsize n, IfbamIsa isa,
                       IfbamExactSum *energy, IfbamExactSum *momentum);
/* For a model's nodes from `first` on. */
void ifbam_model_add_motion (const IfbamModel *model, gsize first, const double *rate, gsize n,
                             IfbamIsa isa, IfbamExactSum *energy, IfbamExactSum *momentum);
