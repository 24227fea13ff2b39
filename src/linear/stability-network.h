/* stability-network.h: a network and its matrices, for its growth under schemes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/active-mode-stability.h"
#include "linear/mechanism.h"
#include "linear/step-map.h"

/* Limits of work: a check before a run may take milliseconds, an answer to a question seconds. */
typedef struct
{
  gsize dense_nodes;      /* nodes of a network with dense matrices */
  gsize dense_state;      /* rows of the linear eigenproblem of damped modes */
  gsize matrix_nodes;     /* nodes for the matrix polynomial, with up to four times as many rows */
  gsize map_state;        /* length of a state with a dense map */
  double products;        /* products of a matrix and a vector times their length */
  double steps;           /* steps of the map times nodes and links, for ARPACK */
  double power_steps;     /* the same for powers of the map */
  guint arnoldi_products; /* products with a power of the map */
  double states;          /* states with matrices times the cube of the coordinates */
} IfbamStabilityLimits;

/* A mode that loses less of its amplitude per radian is undamped. */
#define IFBAM_UNDAMPED 1e-11

typedef enum
{
  IFBAM_STABILITY_POLYNOMIAL, /* linear and undamped networks */
  IFBAM_STABILITY_MAP,        /* all multipliers of one step */
  IFBAM_STABILITY_ARNOLDI,    /* multipliers of the largest modulus */
  IFBAM_STABILITY_POWER,      /* larger networks: growth of the energy of a deviation */
} IfbamStabilityMethod;

/* Multipliers of the last request. */
typedef struct
{
  const IfbamScheme *scheme;
  double step;
  double complex *value; /* NULL: overflow */
  gsize n;
  gboolean unsolved; /* NULL, as a step has no solution */
} IfbamMultipliers;

typedef struct _IfbamStability
{
  const IfbamModel *model;  /* not owned */
  const IfbamRunSpec *spec; /* not owned */
  IfbamStabilityMethod method;
  gboolean
      is_state; /* state (IfbamActiveMode) of another one, which owns linearization, mechanism */
  gboolean quick;
  const IfbamStabilityLimits *limits; /* not owned */
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
  IfbamMultipliers *last; /* of the last request, which is often repeated */
  double least_decay;     /* smallest -Re lambda / |lambda| of mode; NaN: not known */
  double own_growth;      /* largest Re lambda of mode; 0: none grows, or not known [1/s] */
} IfbamStability;

void ifbam_stability_free (IfbamStability *stability);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamStability, ifbam_stability_free)

/* Returns M^-1/2 S M^-1/2 for derivatives S of K or C, those of stored links (transfer full)
 * (n_free)(n_free). */
double *ifbam_stability_symmetric_matrix (const IfbamStability *stability, const double *slope);

/* Finds the fastest undamped mode only; the bound remains if this fails. */
void ifbam_stability_find_fastest (IfbamStability *stability);

/* Returns the number of state nodes, which follow the motions. */
gsize ifbam_stability_n_followers (const IfbamStability *stability);

/* TRUE if the scheme can run the network. */
gboolean ifbam_stability_can_run (const IfbamStability *stability, const IfbamScheme *scheme);

/* TRUE if multipliers follow from a polynomial of matrices. */
gboolean ifbam_stability_has_matrix_polynomial (const IfbamStability *stability);
