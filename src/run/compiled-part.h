/* compiled-part.h: a part of a compiled network, as a model of its own
 *
 * Without a compiled whole, parts are made from the network's elements: see run/network-graph.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

/* Returns the model of some nodes, links and sources of a compiled network. Each node adds its
 * forces in the order of the whole network. subnetwork: taken over (model->subnetwork); has all
 * nodes of unbatched links and impulses, and all sources with time events. The part takes over
 * whole->kept: `whole` must not be used after the part is freed. */
IfbamModel *ifbam_model_new_part (IfbamModel *whole, IfbamSubnetwork *subnetwork);

/* Replaces indices in signals of the whole network by those of a part with all of these signals. */
void ifbam_signals_move_to_part (IfbamSignals *signals, const IfbamModel *part,
                                 const IfbamModel *whole);

/* Stores the indices in the file of a batched link's free nodes, states included (at most
 * IFBAM_MAX_ENDS). Returns their count. */
guint ifbam_model_free_ends (const IfbamModel *model, gsize link, guint32 *ends);

/* Returns a free node's index in the order of the file. */
static inline guint32
ifbam_model_file_index (const IfbamModel *model, gsize free_node)
{
  return model->file_node != NULL ? model->file_node[free_node] : (guint32) free_node;
}

static inline gboolean
ifbam_signal_is_of_link (const IfbamSignal *signal)
{
  return signal->kind >= IFBAM_SIGNAL_FORCE && signal->kind <= IFBAM_SIGNAL_LINK_DISSIPATED;
}
