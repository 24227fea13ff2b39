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
void ifbam_cast_start (IfbamCast *cast);
/* Where nothing happens at instants: free nodes, links and sources have been given what they say at a step; the
 * others follow. */
void ifbam_cast_stand (IfbamCast *cast, guint64 steps);
void ifbam_cast_master (IfbamCast *cast);
void ifbam_cast_slave (IfbamCast *cast);
/* Whose cycle is not done (not owned); NULL: all are. */
const char *ifbam_cast_late (const IfbamCast *cast);
/* What happens within the cycle that is done. NULL, or why it can't go on (transfer full). */
char *ifbam_cast_settle (IfbamCast *cast);
/* Turns in a step. */
guint ifbam_cast_turns (const IfbamRunSpec *spec);
