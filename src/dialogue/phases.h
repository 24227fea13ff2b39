/* phases.h: master and slave phases of a dialogue
 *
 * A round is one master phase (all messages are exchanged) and one slave phase (elements compute).
 * With a flip-flop scheme a step is one round. With other schemes links compute in one round and
 * nodes in the next: two rounds per stage.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/agent.h"

/* Computes the state at the start and sends the first messages. */
void ifbam_dialogue_start (IfbamDialogue *dialogue);
/* Network without events: rebuilds given nodes and messages after free nodes, links and sources
 * were restored to the state after `steps` steps. */
void ifbam_dialogue_rebuild (IfbamDialogue *dialogue, guint64 steps);
void ifbam_dialogue_master (IfbamDialogue *dialogue);
void ifbam_dialogue_slave (IfbamDialogue *dialogue);
/* Returns the name of an element that has not finished the step (not owned); NULL: all have. */
const char *ifbam_dialogue_unfinished (const IfbamDialogue *dialogue);
/* Computes the events of the finished step. Returns the failure (transfer full), or NULL. */
char *ifbam_dialogue_settle (IfbamDialogue *dialogue);
/* Returns the count of rounds per step. */
guint ifbam_dialogue_rounds_per_step (const IfbamRunSpec *spec);
