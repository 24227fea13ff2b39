/* stability.h: how fast a network's modes grow under the schemes, and which steps are too long
 *
 * Where a network is linear and undamped, its modes are by themselves, and a scheme's characteristic
 * polynomial at the eigenfrequencies tells all. Elsewhere the eigenvalues of the map of one step
 * (step-map.h) do. Growth is that of an amplitude; what decays has a negative one. Bodies that
 * nothing holds drift, which is no growth; a coordinate that only dampers hold stays where it is
 * left, which is none either.
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
  IFBAM_STABILITY_POLYNOMIAL, /* linear and undamped */
  IFBAM_STABILITY_MAP,        /* all multipliers of one step */
  IFBAM_STABILITY_ARNOLDI,    /* those of the largest modulus */
  IFBAM_STABILITY_POWER,      /* too large for that: how the energy of any deviation grows */
} IfbamStabilityMethod;

typedef struct _IfbamStability
{
  const IfbamModel *model;  /* not owned */
  const IfbamRunSpec *spec; /* not owned */
  IfbamStabilityMethod method;
  gboolean
      is_state; /* of another one (IfbamEngagement): linearization and mechanism are not owned */
  gboolean quick;
  IfbamLinearization *linearization;
  IfbamMechanism
      *mechanism; /* of a mechanism, in the place of what follows from batches; NULL: it is none */
  gboolean
      light; /* some nodes have no inertia: only the modes are known, and schemes that take such */
  gboolean has_damping;
  gsize n_nonlinear; /* links */
  IfbamRigidBodies *bodies;
  gsize n_bodies;  /* that nothing holds */
  gsize n_neutral; /* coordinates that only dampers hold */
  double bound;    /* not below any angular frequency (Gershgorin 1931) [1/s] */
  double damping;  /* not below any decay rate of the dampers alone (the same) [1/s] */
  /* Angular frequency of the undamped network's fastest mode, and not below that of any damped or gyroscopic one [1/s];
   * 0: none swings. */
  double fastest;
  double slowest; /* and of its slowest that is no rigid body's [1/s]; 0: not known */
  gboolean fastest_is_bound;
  /* Small networks: the eigenvalues of the network itself, exp (lambda t), by |lambda|, without
   * those of bodies and neutral coordinates, and without complex conjugates; else NULL. */
  double complex *mode; /* (n_modes) [1/s] */
  gsize n_modes;
  double *stiffness_matrix,
      *damping_matrix; /* M^-1/2 K M^-1/2, and C, where modes are looked for (n)(n) */
  gsize n;             /* coordinates of these */
  double *identity;    /* without what drifts, beside the latter */
  GArray *engagements; /* IfbamEngagement: what links with modes add; the rest is without these */
  struct _IfbamMultipliers *last; /* that were asked for: they are asked for again */
  double least_decay;             /* smallest -Re lambda / |lambda| of these; NaN: not known */
  double own_growth; /* largest Re lambda of these; 0: none grows, or it is not known [1/s] */
} IfbamStability;

/* About the model's start. quick: with little work, for a word before a run. NULL with an error where
 * a law has no slope at the start. */
IfbamStability *ifbam_stability_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                     gboolean quick, GError **error);
void ifbam_stability_free (IfbamStability *stability);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamStability, ifbam_stability_free)

/* Finds the modes of a state of the network (IfbamEngagement), unless they are known. FALSE: they are not found. */
gboolean ifbam_stability_find_state (IfbamStability *state);

/* Whether reactions alone let it swing, as a pendulum does. */
gboolean ifbam_stability_is_by_reactions (const IfbamStability *stability);

/* The network at the start where links hold what they measure at one value, as closed diodes hold a voltage
 * (transfer full). closed: IfbamModeChange, of which `link` and `row` count. NULL: the matrices are too large. */
IfbamStability *ifbam_stability_new_closed (const IfbamStability *stability, const GArray *closed);

typedef struct
{
  double
      rate; /* of the worst mode [1/s]; NaN: there is none, or a step has no solution (the certainty says so) */
  IfbamCertainty certainty;
} IfbamGrowth;

IfbamGrowth ifbam_stability_growth (const IfbamStability *stability, const IfbamScheme *scheme,
                                    double step);

/* The step [s] up to which no mode grows by more than `rate` [1/s]: 0 where every step is too long,
 * infinite where none is. */
double ifbam_stability_longest_step (const IfbamStability *stability, const IfbamScheme *scheme,
                                     double rate);

/* The same for rate 0; NaN where it is not known: of a large damped network, for schemes that need its
 * dampers. */
double ifbam_stability_critical_step (const IfbamStability *stability, const IfbamScheme *scheme);

/* FALSE: the steps above are safe ones; longer ones may do. */
gboolean ifbam_stability_knows_steps (const IfbamStability *stability);

/* The fastest mode up to an angular frequency [1/s], of those that swing; 0: there is none. Where modes
 * are not known one by one, the limit itself, if there are faster ones. */
double complex ifbam_stability_mode (const IfbamStability *stability, double up_to);

/* What a scheme makes of a mode: exp (lambda t) instead of exp (mode t) [1/s]. */
double complex ifbam_stability_seen (const IfbamStability *stability, const IfbamScheme *scheme,
                                     double step, double complex mode);

/* Of a dense map (IFBAM_STABILITY_MAP, or any network as small): the modes' factors per step without
 * those of bodies and neutral coordinates (transfer full, *n); NULL where they are beyond all numbers. */
double complex *ifbam_stability_multipliers (const IfbamStability *stability,
                                             const IfbamScheme *scheme, double step, gsize *n);
/* What stands for a mode among these, as ifbam_stability_seen() gives it. */
double complex ifbam_stability_nearest (const double complex *multiplier, gsize n, double step,
                                        double complex mode);

/* Not below any angular frequency, and any decay rate of dampers, of the network with its laws' slopes
 * at a state of all nodes [1/s]. Links count in the mode that they have there, and in others if the
 * law is linear in these; one at a time. FALSE where the state is not finite. */
gboolean ifbam_stability_bounds_at (const IfbamModel *model, const double *position,
                                    const double *rate, double *bound, double *damping);
