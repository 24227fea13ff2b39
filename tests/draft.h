/* draft.h: texts of random networks with many events in a run, the same for a seed in each run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* A pair of nodes that an impact keeps apart, or a diode joins. */
typedef struct
{
  char left[16], right[16];
} DraftPair;

/* A row of one to six masses over a wall that stands, shakes or travels, perhaps under a lid; joined by
 * impacts and soft contacts, some on springs, dampers and frictions, most under their weight. Springs
 * are slow enough for the longer step. */
char *draft_row (guint seed, GArray *pairs);
/* Two to five capacitors in a row behind an alternating source, joined by resistors, inductors, diodes and
 * switches, each with a load perhaps. Time constants are long enough for the longer step. */
char *draft_circuit (guint seed, GArray *diodes);
/* Balls of 1 kg on level ground, in rows of so many, each in the hollows of the row below or so much above them. */
#define DRAFT_RADIUS 0.05 /* [m] */
char *draft_heap (guint rows, guint columns, double gap, double restitution);
/* One to four balls on level ground or hills, with frictions there and among each other, some pushed to and fro. */
char *draft_slides (guint seed);
/* One to four balls on a table, seen from above, which slip, roll and bump; some on springs, some pushed to and fro. */
char *draft_table (guint seed);
/* A few chains of tens of masses, what hits them, and beside them a ball and a block where things happen all the
 * time. */
char *draft_chains (guint seed);
/* One to five bodies and balls in the plane, a tree of joints and perhaps loops, with springs, dampers, contacts, frictions,
 * stops and strings among points of them. Joints that keep something for ever have names that begin with a j. */
char *draft_mechanism (guint seed);

/* The same with more: hinges that rub and are stopped, rods that are driven, balls that turn and adhere, a ball on a table. */
char *draft_rich_mechanism (guint seed);
