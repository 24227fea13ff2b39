/* constraint-reactions.h: relations that hold: the reactions that keep them, and what rounding takes away from them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* The reactions of an island's rows at coordinates, taken off the forces; given nodes' accelerations
 * are of `time`. */
void ifbam_event_react (IfbamEventEngine *self, IfbamIsland *island, const double *position,
                        const double *rate, double time);

/* Accelerations of an island's nodes at its rows' reactions (NULL: without), into acceleration[]. */
void ifbam_event_accelerations (IfbamEventEngine *self, guint32 island, const double *position,
                                const double *rate, double time, gboolean reactions);

/* Sets groups of an island's straight rows and the factors of all. */
void ifbam_event_group (IfbamEventEngine *self, IfbamIsland *island);

/* What a relation of positions that holds leaves open of its gap [m]. */
double ifbam_event_residue (const IfbamEventEngine *self, guint32 number, const double *position,
                            const double *rate);

/* Lets reactions at a step's start bring its end to what is fixed, where the scheme meets it so (island: IFBAM_NONE: of
 * all): what is said of it, and where nodes have moved. x, v: the start, where the reactions that moved them were
 * the last ones. */
void ifbam_event_reach_said (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                             double h, const double *x, const double *v);
void ifbam_event_reach_moved (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                              double h, double *x1, double *v1);

/* Imposes closed relations exactly on coordinates at a time after the step's start. arrived: curved ones have been
 * reached already, and rates are left to do. */
void ifbam_event_fix (IfbamEventEngine *self, IfbamIsland *island, double *x, double *v,
                      double time, gboolean arrived);

/* The links that hold for ever, or rigidly, in the islands of some nodes: they pass on at once what these get. A list
 * (guint32), at first of none, to which those of n nodes are added, each once; until the next one begins. */
GArray *ifbam_event_begin_ties (IfbamEventEngine *self);
void ifbam_event_add_ties (IfbamEventEngine *self, const guint32 *nodes, guint n);

/* Whether something holds for ever in the islands of a link's ends. */
gboolean ifbam_event_is_tied (IfbamEventEngine *self, guint32 link);

/* A relation's row as it has been measured; it pulls as it says. share: of a load that several can carry. */
void ifbam_link_row (const IfbamEventEngine *self, guint32 link, double share, IfbamRow *row);

/* Frictions that it carries and that slip, measured as well, pull along with it. FALSE: its reaction would pull it
 * on instead of holding it (Painleve 1895). */
gboolean ifbam_link_pull (const IfbamEventEngine *self, guint32 link, IfbamRow *row);

/* Turns the force direction of a constraint by the frictions that slip on it in a plane; the others are left. */
void ifbam_link_pull_in_plane (const IfbamEventEngine *self, guint32 link, IfbamRow *row);

/* Measures a relation, and those that it carries, at coordinates; at those of its ports. */
void ifbam_link_measure_rows (IfbamEventEngine *self, guint32 link, const double *position,
                              const double *rate);
void ifbam_link_hear_rows (IfbamEventEngine *self, guint32 link, const double *x, const double *v);

/* Factors an island's rows as they have been measured; pulls: with what slips along with them. */
void ifbam_event_factor_rows (const IfbamEventEngine *self, IfbamIsland *island, gboolean pulls);

/* Whether an island has constraints that turn, and that keep its nodes together: those of a mechanism. */
static inline gboolean
ifbam_island_is_mechanism (const IfbamIsland *island)
{
  return island->curved && island->fixed && island->rows != NULL && island->rows->len > 0;
}

/* Chords that leave more than this part of a residue converge too slowly, or diverge. */
#define IFBAM_SLOW_CHORD 0.5

/* Factors the Jacobian at positions with the force directions as they have been measured. Where a mechanism passes a singular position
 * within a step the two differ in sign, so that the factors at one place lead away from the constraints at the other. */
void ifbam_event_factor_towards (IfbamEventEngine *self, IfbamIsland *island, const double *x,
                                 const double *v, gboolean pulls);

/* Factors an island's rows, as they have been measured, and takes lambda from what it is asked for to the reactions.
 * Where friction in pins takes its part of them, rows that follow from others answer last: the island `shares`. */
void ifbam_event_solve_rows (IfbamEventEngine *self, IfbamIsland *island);

/* Whether a row follows from others, of an island that shares. */
gboolean ifbam_island_spares (const IfbamIsland *island, guint row);

/* A friction with several carriers goes along the direction of their reactions; whether that is another one now. */
gboolean ifbam_event_lean (IfbamEventEngine *self, guint32 carried, const double *reaction);
/* The same of all frictions of an island by its reactions lambda; where one changed, its rows are factored again. */
gboolean ifbam_event_lean_rows (IfbamEventEngine *self, IfbamIsland *island);

/* A relation whose reaction is the first of those that bound a friction which slips: that one; else IFBAM_NONE. */
guint32 ifbam_event_leaning (const IfbamEventEngine *self, guint32 number);

/* The reaction that bounds a friction: of its carrier, or the norm of several (n). */
double ifbam_carrier_size (const double *reaction, guint n);

/* The most that a friction sticks with, by the reactions of its carriers. */
double ifbam_link_bound (const IfbamEventEngine *self, guint32 carried, const double *reaction);

/* Takes an island's reactions off the forces. */
void ifbam_event_apply_reactions (IfbamEventEngine *self, const IfbamIsland *island);

/* The same for an island, or all. */
void ifbam_event_react_all (IfbamEventEngine *self, guint32 island, const double *position,
                            const double *rate, double time);
