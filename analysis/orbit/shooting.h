/* shooting.h: equations of a periodic motion, their Jacobian and solution
 *
 * Unknowns, each in its own scale: the state (n), the period of a free motion, the number. Equations:
 * the state after a period is the state; for a free motion also that its start is in the plane
 * normal to the flow at the start of another one nearby.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "orbit/period-map.h"

typedef struct
{
  IfbamPeriodMap *map; /* owned */
  gsize n, n_rows, n_unknowns;
  double *scale;         /* size of each unknown (n_unknowns) */
  double *anchor, *flow; /* of a free motion: start nearby, and the flow there, in scales (n) */
  double *guess;         /* unknowns of a motion nearby (n_unknowns) */
  GArray *track;         /* states of a run, during the search of the guess */
} IfbamShooting;

/* A solution. */
typedef struct
{
  double *unknown;  /* (n_unknowns) */
  double *jacobian; /* by columns (n_rows)(n_unknowns) */
  double *tangent;  /* of the branch (n_unknowns) */
  GArray *events;   /* IfbamEvent of the period */
  char *nearly;     /* element with other events in motions very close by; NULL: none */
  guint iterations;
} IfbamSolution;

void ifbam_solution_free (IfbamSolution *solution);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSolution, ifbam_solution_free)

/* Searches the neighbourhood of a periodic motion by runs, and its scales. */
gboolean ifbam_shooting_init (IfbamShooting *shooting, const IfbamOrbitRequest *request,
                              GError **error);
void ifbam_shooting_clear (IfbamShooting *shooting);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamShooting, ifbam_shooting_clear)

double ifbam_shooting_number (const IfbamShooting *shooting, const double *unknown);
/* Returns the period [s]; the network must be loaded at the number. */
double ifbam_shooting_period (const IfbamShooting *shooting, const double *unknown);
/* Stores the state (n). */
void ifbam_shooting_get_state (const IfbamShooting *shooting, const double *unknown, double *state);
/* Makes a solution's start the plane of the following ones. */
gboolean ifbam_shooting_anchor (IfbamShooting *shooting, const double *unknown, GError **error);

/* Returns the events of a period (IfbamEvent; transfer full); NULL: the run fails. */
GArray *ifbam_shooting_list_events (IfbamShooting *shooting, const double *unknown);
/* Solves the equations in the plane through `guess` normal to `normal` (n_unknowns). jacobian: one
 * to begin with; NULL: computes it. full: with Jacobian and tangent (along `normal`) at the
 * solution. NULL with an error: there is no convergence, or a run fails. */
IfbamSolution *ifbam_shooting_solve (IfbamShooting *shooting, const double *guess,
                                     const double *normal, const double *jacobian, gboolean full,
                                     GError **error);
