/* phases.h: the objects' own way: each element hears, and computes what it says next
 *
 * A turn is one master phase (all messages are exchanged) and one slave phase (all elements compute).
 * Under a flip-flop scheme a turn is a step. Under the others links answer in one turn and nodes move
 * in the next, so a step is two turns per stage; who is not on computes nothing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/agent.h"

/* The elements hear each other's first words. */
void ifbam_dialogue_start (IfbamDialogue *dialogue);
/* Where nothing happens at instants: free nodes, links and sources have been given what they say at a step; the
 * others follow. */
void ifbam_dialogue_rebuild (IfbamDialogue *dialogue, guint64 steps);
void ifbam_dialogue_master (IfbamDialogue *dialogue);
void ifbam_dialogue_slave (IfbamDialogue *dialogue);
/* Whose cycle is not done (not owned); NULL: all are. */
const char *ifbam_dialogue_unfinished (const IfbamDialogue *dialogue);
/* What happens within the cycle that is done. NULL, or why it can't go on (transfer full). */
char *ifbam_dialogue_settle (IfbamDialogue *dialogue);
/* Turns in a step. */
guint ifbam_dialogue_rounds_per_step (const IfbamRunSpec *spec);
