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
  double asked;        /* its rate or acceleration, if nobody acts */
  double start;        /* it starts to act where the rest is above this */
  gboolean bilateral;  /* it acts always, or while its carrier does */
  guint carrier;       /* a row before; IFBAM_NONE: none */
  gboolean active;     /* the first guess, then the answer */
  double lambda, rest; /* the answer */
  /* while it is sought */
  gboolean bad;
  guint come;
} IfbamBound;

/* Which of n rows act; one stops where lambda times its weight is below `stop`. change[] tells what they do to
 * their nodes. FALSE: it does not end. */
gboolean ifbam_event_complementarity (IfbamEventEngine *self, double time, IfbamBound *bounds,
                                      guint n, double stop);
