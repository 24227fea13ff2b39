/* event-bounds.h: which rows act, each only as far as it pushes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-state.h"

/* A row that pushes only, unless it is bilateral: lambda >= 0 and rest = asked - J M^-1 P^T lambda <= 0, one of
 * them zero. */
typedef struct
{
  IfbamRow row;
  double asked;       /* its rate or acceleration, if nobody acts */
  double soon;        /* where it is a rate, its acceleration: what is asked for a moment later */
  double start;       /* it starts to act where the rest is above this */
  gboolean bilateral; /* it acts always, or while its carrier does */
  guint carrier;      /* a row before; IFBAM_NONE: none */
  double friction;    /* of one with a carrier: so much of that one's lambda holds it */
  int slips;          /* where ifbam_event_pivot () says so: in this direction, instead of acting */
  gboolean active;    /* the first guess, then the answer */
  double lambda, rest; /* the answer */
  /* while it is sought */
  gboolean bad;
  guint come;
} IfbamBound;

/* Which of n rows act; one stops where lambda times its weight is below `stop`. change[] tells what they do to
 * their nodes. FALSE: it does not end. */
gboolean ifbam_event_complementarity (IfbamEventEngine *self, double time, IfbamBound *bounds,
                                      guint n, double stop);

/* The same with frictions, which may slip where they would need more than their carriers let them: who acts, and who
 * slips. Who acts follows from no others that do. Rates that are asked have first say, and what is asked soon where these are
 * 0 (exactly: moments are infinitely short). attempt: another way to look for an answer. FALSE: there is none, or none is
 * found. */
gboolean ifbam_event_pivot (IfbamEventEngine *self, IfbamBound *bounds, guint n, guint attempt);

/* What these push for what they are asked, each its lambda, and what slips is braked by. FALSE: that keeps no law. */
gboolean ifbam_event_push_of (IfbamEventEngine *self, IfbamBound *bounds, guint n);
