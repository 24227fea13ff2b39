/* object-evaluator.h: the objects answer what the event engine asks, and go through cycles by hand
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/agent.h"

/* An engine for networks with events, whose questions the objects of a cast answer. */
IfbamEngine *ifbam_objects_engine_of (IfbamDialogue *dialogue, gboolean unlocated);

/* By hand: the start, which makes an engine, a slave phase of a link or source and of a node at a stage, and the end of a cycle. */
void ifbam_objects_start (IfbamDialogue *dialogue);
void ifbam_objects_link_slave (IfbamAgent *link, guint stage);
void ifbam_objects_node_slave (IfbamAgent *node, guint stage);
void ifbam_objects_settle (IfbamDialogue *dialogue);
/* Elements have taken other numbers: what the engine concluded from those before is concluded anew. */
void ifbam_objects_apply_changes (IfbamDialogue *dialogue);
/* What happened in the last cycle, or at the start (IfbamEvent; see also IfbamDialogue.meetings); NULL: nothing ever does. */
const GArray *ifbam_objects_events (const IfbamDialogue *dialogue);
/* Whether a link's reaction keeps its relation, or brakes what slides, and with what force it did when all last agreed. */
gboolean ifbam_objects_reaction (const IfbamAgent *link, double *reaction);
/* Why it can't go on (not owned), and from which time on; NULL: it can. */
const char *ifbam_objects_failure (const IfbamDialogue *dialogue, double *time);
