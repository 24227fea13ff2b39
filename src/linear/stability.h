/* stability.h: growth rates of a network's modes under the schemes, and the longest stable steps
 *
 * For linear undamped networks: the scheme's characteristic polynomial at each eigenfrequency. For
 * others: eigenvalues of the map of one step (step-map.h). Growth is that of an amplitude, negative
 * for decay. The drift of unsupported bodies is no growth, nor the offset of a coordinate with
 * dampers only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/step-map.h"
#include "linear/active-mode-stability.h"
#include "linear/ifbam-certainty.h"
#include "linear/mechanism.h"

typedef enum
{
  IFBAM_STABILITY_POLYNOMIAL, /* linear and undamped networks */
  IFBAM_STABILITY_MAP,        /* all multipliers of one step */
  IFBAM_STABILITY_ARNOLDI,    /* multipliers of the largest modulus */
  IFBAM_STABILITY_POWER,      /* larger networks: growth of the energy of a deviation */
} IfbamStabilityMethod;

typedef struct _IfbamStability
{
  const IfbamModel *model;  /* not owned */
  const IfbamRunSpec *spec; /* not owned */
  IfbamStabilityMethod method;
  gboolean
      is_state; /* state (IfbamActiveMode) of another one, which owns linearization, mechanism */
  gboolean quick;
  IfbamLinearization *linearization;
  IfbamMechanism *mechanism; /* replaces the matrices of batches; NULL: no mechanism */
  gboolean
      light; /* some nodes have no inertia: only modes are known, for schemes with such nodes */
  gboolean has_damping;
  gsize n_nonlinear; /* number of nonlinear links */
  IfbamRigidBodies *bodies;
  gsize n_bodies;  /* unsupported bodies */
  gsize n_neutral; /* coordinates with dampers only */
  double bound;    /* upper bound of angular frequencies (Gershgorin 1931) [1/s] */
  double damping;  /* upper bound of decay rates of the dampers alone (Gershgorin 1931) [1/s] */
  /* Largest angular frequency of the undamped network, or an upper bound of damped and gyroscopic
   * ones [1/s]; 0: no mode oscillates. */
  double fastest;
  double slowest; /* smallest one of no rigid body [1/s]; 0: not known */
  gboolean fastest_is_bound;
  /* Small networks: eigenvalues of the network, exp (lambda t), sorted by |lambda|, without those
   * of bodies and neutral coordinates and without complex conjugates; else NULL. */
  double complex *mode; /* (n_modes) [1/s] */
  gsize n_modes;
  double *stiffness_matrix,
      *damping_matrix; /* M^-1/2 K M^-1/2, and C, if modes are computed (n)(n) */
  gsize n;             /* their number of coordinates */
  double *identity;    /* unit matrix without rigid and neutral motions; with damping_matrix */
  GArray
      *active_modes; /* IfbamActiveMode: states of links with modes; no other data include them */
  struct _IfbamMultipliers *last; /* of the last request, which is often repeated */
  double least_decay;             /* smallest -Re lambda / |lambda| of mode; NaN: not known */
  double own_growth;              /* largest Re lambda of mode; 0: none grows, or not known [1/s] */
} IfbamStability;

/* Examines the network about its start. quick: little work, for a check before a run. NULL with an
 * error: a law has no finite derivative at the start. */
IfbamStability *ifbam_stability_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                     gboolean quick, GError **error);
void ifbam_stability_free (IfbamStability *stability);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamStability, ifbam_stability_free)

/* Finds the modes of a state (IfbamActiveMode), unless they are known. FALSE: failed. */
gboolean ifbam_stability_find_state (IfbamStability *state);

/* TRUE if reactions alone restore the motion, as in a pendulum. */
gboolean ifbam_stability_is_by_reactions (const IfbamStability *stability);

/* Returns the network at the start with bilateral constraints along the rows of links, as closed
 * diodes have constant voltage (transfer full). closed: IfbamModeChange; only `link` and `row` are
 * used. NULL: the matrices are too large. */
IfbamStability *ifbam_stability_new_closed (const IfbamStability *stability, const GArray *closed);

typedef struct
{
  double
      rate; /* of the worst mode [1/s]; NaN: no mode, or a step has no solution (see certainty) */
  IfbamCertainty certainty;
} IfbamGrowth;

IfbamGrowth ifbam_stability_growth (const IfbamStability *stability, const IfbamScheme *scheme,
                                    double step);

/* Returns the step [s] up to which no mode grows by more than `rate` [1/s]; 0: every step is too
 * long, infinite: none is. */
double ifbam_stability_longest_step (const IfbamStability *stability, const IfbamScheme *scheme,
                                     double rate);

/* As above for rate 0; NaN: not known, in large networks that dampers stabilise. */
double ifbam_stability_critical_step (const IfbamStability *stability, const IfbamScheme *scheme);

/* FALSE: the steps above are lower bounds. */
gboolean ifbam_stability_has_steps (const IfbamStability *stability);

/* Returns the fastest oscillating mode up to an angular frequency [1/s]; 0: there is none. If
 * single modes are not known but faster ones exist, the limit itself. */
double complex ifbam_stability_mode (const IfbamStability *stability, double up_to);

/* Returns lambda if the scheme computes exp (lambda t) in place of exp (mode t) [1/s]. */
double complex ifbam_stability_seen (const IfbamStability *stability, const IfbamScheme *scheme,
                                     double step, double complex mode);

/* For dense maps (IFBAM_STABILITY_MAP, or small networks): returns the factors of modes per step,
 * without those of bodies and neutral coordinates (transfer full, *n); NULL: they overflow. */
double complex *ifbam_stability_multipliers (const IfbamStability *stability,
                                             const IfbamScheme *scheme, double step, gsize *n);
/* Returns the lambda of the multiplier that represents a mode; see ifbam_stability_seen(). */
double complex ifbam_stability_nearest (const double complex *multiplier, gsize n, double step,
                                        double complex mode);

/* Computes upper bounds of angular frequencies and decay rates [1/s] at a state of all nodes. Links
 * count in their present mode, and in modes with a linear law, one at a time. FALSE: the state is
 * not finite. */
gboolean ifbam_stability_bounds_at (const IfbamModel *model, const double *position,
                                    const double *rate, double *bound, double *damping);
