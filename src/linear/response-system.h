/* response-system.h: a linearised network with one input and its outputs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include "file/file.h"
#include "linear/ifbam-modes.h"
#include "linear/system-matrices.h"
#include "linear/tree-solver.h"

/* Excitation: a force on a free node, or the motion of a given one. */
typedef struct
{
  char *name;       /* "force@m1" */
  const char *unit; /* static */
  gsize node;       /* index of the node */
  gboolean motion;
  guint order; /* derivative of the motion that has amplitude 1 */
} IfbamResponseInput;

/* Output: `order` times differentiated, sum entry * x; its force per value and rate. */
typedef struct
{
  guint order;
  guint n;
  gsize node[IFBAM_MAX_PORTS];
  double entry[IFBAM_MAX_PORTS];
  gboolean force;
  double stiffness, damping;
  gsize slot;           /* of a batched link; else G_MAXSIZE */
  GArray *given_forces; /* IfbamGivenForce: force that moves a given node; else NULL */
} IfbamOutputRow;

/* Force per displacement of a node. */
typedef struct
{
  gsize node;
  double stiffness, damping, loss;
} IfbamGivenForce;

/* A compiled network with its input and outputs. */
typedef struct
{
  const IfbamModel *model;  /* not owned */
  const IfbamRunSpec *spec; /* not owned */
  IfbamSmallMotions *motions;
  IfbamSparse *stiffness, *damping; /* K, C; damping: NULL if it is 0 */
  IfbamTreeSolver *solver;          /* their solver; NULL: the network has loops */
  double *real, *imaginary;         /* last solution: displacements of the coordinates (n) */
  /* b = in_stiffness + i (omega in_damping + in_loss) (n) */
  double *in_stiffness, *in_damping, *in_loss;
  double *losses;    /* imaginary parts of stiffnesses by slot; NULL: none */
  IfbamSparse *loss; /* their matrix, or NULL */
  double
      *carried; /* motion of free nodes per motion of the driven given node; NULL: none (n_free) */
  IfbamResponseInput input;
  IfbamSignals *signals; /* outputs */
  GPtrArray *units;      /* char*: units of outputs per input */
  GArray *rows;          /* IfbamOutputRow */
  IfbamModes *modes;     /* modes in and next to the range; NULL: not known */
  char *modes_fault;     /* the reason; NULL: modes were not computed */
} IfbamResponseSystem;

/* Reads "force@m1"; the caller owns the name. Returns NULL, or a phrase with the error (transfer
 * full). */
char *ifbam_response_read_input (const IfbamModel *model, GHashTable *by_name, const char *text,
                                 IfbamResponseInput *input);

/* outputs: signals, with wildcards; NULL: the first quantity of every free node. by_name: see
 * model.h. IFBAM_ERROR_USAGE lists all faults of names; IFBAM_ERROR_NETWORK. */
IfbamResponseSystem *ifbam_response_system_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                                GHashTable *by_name, const char *input,
                                                const char *const *outputs, GError **error);
void ifbam_response_system_free (IfbamResponseSystem *system);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamResponseSystem, ifbam_response_system_free)
