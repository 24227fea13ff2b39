/* continuation.h: periodic motions of a network over one of its numbers
 *
 * Pseudo-arclength continuation (Keller 1977) of the fixed points of the period map: a tangent
 * predicts, Newton's method corrects in the plane normal to it. Special points are zeros of test
 * functions along the branch (Kuznetsov 2004, Elements of Applied Bifurcation Theory, chapter 10),
 * located by the Illinois method. Near a grazing impact a multiplier grows without bound (Nordmark
 * 1991): the branch ends there. Its number is a smooth function of the impact's speed, which is
 * extrapolated to speed 0.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "orbit/multipliers.h"

typedef struct
{
  IfbamOrbitKind kind;
  double number, period;      /* [SI], [s]; number NaN: none */
  double *state;              /* at time 0: positions, then rates (n) */
  double *amplitude;          /* half the range of each signal (n_signals) */
  double complex *multiplier; /* by falling magnitude; of a free motion without the one that is 1 */
  guint n_multipliers;
  gboolean stable; /* all magnitudes are below 1 */
  GArray *events;  /* IfbamEvent of a period */
  char *note;      /* "stop: 1 impact, then 0"; NULL: none */
} IfbamOrbit;

typedef struct
{
  char *name;         /* of the number; NULL: none */
  const char *unit;   /* of the number, static */
  GPtrArray *states;  /* char*: "m1.position", ... */
  GPtrArray *signals; /* char* */
  GPtrArray *units;   /* const char*: of the signals */
  GPtrArray *orbits;  /* IfbamOrbit, along the branch */
  double grazing;     /* number at which the last impact has the speed 0; NaN: none */
  gboolean interrupted;
  char *end; /* reason for which the branch ends before its number does; NULL: none */
} IfbamBranch;

/* Searches a periodic motion by runs over some periods and Newton's method, and follows it. NULL
 * with IFBAM_ERROR_USAGE, IFBAM_ERROR_NETWORK (also: no periodic motion was found) or
 * IFBAM_ERROR_INTERRUPTED; after the first motion, the branch ends where it is interrupted. */
IfbamBranch *ifbam_branch_new (const IfbamOrbitRequest *request, GError **error);
void ifbam_branch_free (IfbamBranch *branch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamBranch, ifbam_branch_free)
