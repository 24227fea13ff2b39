/* view.h: a network at a moment, whoever carries it: what its elements say there, and sums over them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/exact-sum.h"
#include "engine/engine.h"

/* A network at a moment: of an engine's row, of columns, or of a row of probes. */
typedef struct
{
  const IfbamModel *model;
  double time;                   /* [s] */
  IfbamEngine *engine;           /* asked node by node where the others are NULL */
  const double *position, *rate; /* (n_nodes), or NULL */
  const IfbamProbes *probes;     /* all nodes that are asked for are among them; or NULL */
  gsize row;                     /* of the probes */
} IfbamView;

void ifbam_view_node (const IfbamView *view, gsize node, double *position, double *rate);
/* A link's law at the view, with any of its kernels; in a slot of its right end what that hears. */
double ifbam_view_link (const IfbamView *view, gsize slot, IfbamLinkKernel kernel);
/* Sum of the forces on a node at the view. */
double ifbam_view_force (const IfbamView *view, gsize node);

/* The nodes that ifbam_view_force (view, node) asks for, node excluded. */
void ifbam_model_add_neighbours (const IfbamModel *model, gsize node, GArray *nodes);

/* Sums over many elements go in blocks. */
#define IFBAM_BLOCK 1024

/* What links first <= i < last of a batch say to one of its kernels, at columns of all nodes: to answer[0]
 * on; 0 where there is no link. */
void ifbam_batch_say (const IfbamBatch *batch, IfbamLinkKernel kernel, gsize first, gsize last,
                      const double *position, const double *rate, double *answer);
/* Adds what links of a batch store. */
void ifbam_batch_add_energy (const IfbamBatch *batch, gsize first, gsize last,
                             const double *position, const double *rate, IfbamIsa isa,
                             IfbamExactSum *sum);
/* Adds kinetic energies of n nodes to `energy`, and impetus to `momentum` unless that is NULL. */
void ifbam_add_motion (const double *rate, const double *inverse_inertia, gsize n, IfbamIsa isa,
                       IfbamExactSum *energy, IfbamExactSum *momentum);
