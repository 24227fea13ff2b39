/* compiled-part.h: a part of a compiled network, as a model of its own
 *
 * Parts of a network that no process compiles whole are made from its elements: see run/network-graph.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

/* Returns the model of some nodes, links and sources of a compiled network. Each node adds its forces in the same order as in
 * the whole network. subnetwork: taken over (model->subnetwork); has all nodes of unbatched links and impulses, and all sources with
 * time events. The memory of whole->kept becomes the part's: `whole` must not be used after the part is freed. */
IfbamModel *ifbam_model_new_part (IfbamModel *whole, IfbamSubnetwork *subnetwork);

/* Replaces the indices in signals of the whole network by those of a part, which has all of their objects. */
void ifbam_signals_move_to_part (IfbamSignals *signals, const IfbamModel *part,
                                 const IfbamModel *whole);

/* Stores the free nodes of a batched link, its states included, by their indices in the file (at most IFBAM_MAX_ENDS). Returns
 * their number. */
guint ifbam_model_free_ends (const IfbamModel *model, gsize link, guint32 *ends);

/* Returns a free node's index in the order of the file. */
static inline guint32
ifbam_model_file_number (const IfbamModel *model, gsize free_node)
{
  return model->file_node != NULL ? model->file_node[free_node] : (guint32) free_node;
}

static inline gboolean
ifbam_signal_is_of_link (const IfbamSignal *signal)
{
  return signal->kind >= IFBAM_SIGNAL_FORCE && signal->kind <= IFBAM_SIGNAL_LINK_DISSIPATED;
}
