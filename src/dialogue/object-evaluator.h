/* object-evaluator.h: event engine with agents as evaluator, also for manual dialogues
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/agent.h"

/* Creates an event engine that evaluates forces and motions by a dialogue (not owned). */
IfbamEngine *ifbam_objects_engine_of (IfbamDialogue *dialogue, gboolean unlocated);

/* Manual dialogue: create the engine and start; slave phase of a link or source, of a node; events
 * and constraints at the end of a step. */
void ifbam_objects_start (IfbamDialogue *dialogue);
void ifbam_objects_link_slave (IfbamAgent *link, guint stage);
void ifbam_objects_node_slave (IfbamAgent *node, guint stage);
void ifbam_objects_settle (IfbamDialogue *dialogue);
/* Updates the engine after changes of parameters. */
void ifbam_objects_apply_changes (IfbamDialogue *dialogue);
/* Returns the last step's events (IfbamEvent); NULL: a network without events. */
const GArray *ifbam_objects_events (const IfbamDialogue *dialogue);
/* Returns TRUE if a link is active or slips. *reaction: its last reaction [N]. */
gboolean ifbam_objects_reaction (const IfbamAgent *link, double *reaction);
/* Returns the failure (not owned) and its time [s]; NULL: none. */
const char *ifbam_objects_failure (const IfbamDialogue *dialogue, double *time);
