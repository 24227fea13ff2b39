/* event-bound.h: a row that acts only as far as it pushes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

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
