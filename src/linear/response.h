/* response.h: shared data of the frequency response
 *
 * M x'' + C x' + K x = b (see system-matrices.h) with an input exp (i omega t) gives (K + i omega C
 * - omega^2 M) x = b; outputs are rows times x.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include "linear/ifbam-modes.h"
#include "linear/ifbam-response.h"
#include "file/file.h"
#include "linear/tree-solver.h"
#include "linear/system-matrices.h"

/* Excitation: a force on a free node, or the motion of a given one. */
typedef struct
{
  char *name;       /* "force@m1" */
  const char *unit; /* static */
  gsize node;       /* index of the node */
  gboolean motion;
  guint order; /* derivative of the motion that has amplitude 1 */
} IfbamResponseInput;

/* Range of frequencies. */
typedef struct
{
  double from, to; /* [Hz]; NaN: around the eigenfrequencies */
  guint n_points;
  gboolean linear; /* constant differences; FALSE: constant ratios */
  gboolean exact;  /* without additional frequencies near the eigenfrequencies */
} IfbamResponseRange;

/* Reports the fraction that is done; FALSE interrupts. */
typedef gboolean (*IfbamResponseProgress) (gpointer data, double part);

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
  GArray *rows;          /* Row, see response.c */
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

/* Finds the modes in and next to a range, and sets limits that are NaN from them.
 * IFBAM_ERROR_USAGE: no mode oscillates; IFBAM_ERROR_INTERRUPTED. */
gboolean ifbam_response_find_modes (IfbamResponseSystem *system, IfbamResponseRange *range,
                                    IfbamResponseProgress progress, gpointer data, GError **error);

/* Returns the range's frequencies, and more that resolve peaks: increasing (transfer full, *n). */
double *ifbam_response_grid (const IfbamResponseSystem *system, const IfbamResponseRange *range,
                             gsize *n);

/* Computes the response at frequencies above 0 [Hz]. NULL: IFBAM_ERROR_INTERRUPTED. */
IfbamResponse *ifbam_response_new_for_system (const IfbamResponseSystem *system,
                                              const double *frequencies, gsize n,
                                              IfbamResponseProgress progress, gpointer data,
                                              GError **error);

/* Computes, at one frequency, each output per unit input (n outputs; infinite at the frequency of a
 * driven undamped mode), and the largest displacement of a node per unit force or per unit position
 * of the given node (NULL: not needed). */
gboolean ifbam_response_at (const IfbamResponseSystem *system, double frequency,
                            double complex *outputs, double *largest, GError **error);

/* Returns eigenfrequencies of oscillating modes within [from, to] [Hz] (transfer full, *n). */
double *ifbam_response_eigenfrequencies (const IfbamResponseSystem *system, double from, double to,
                                         gsize *n);
gboolean ifbam_response_is_unstable (const IfbamResponseSystem *system);

/* Returns the angle in [-180, 180) degrees; NaN if the number is not finite. */
double ifbam_response_phase (double complex number);

/* response-check.c: runs with a sine input, for comparison with the linear response */

typedef struct
{
  const IfbamNetworkBytes *bytes;
  const char *const *settings; /* settings of the command line */
  gboolean own_scheme;         /* use the network's scheme and step; else rk4 and a short step */
  guint n_points;
  IfbamResponseRange range;
  IfbamResponseProgress progress;
  gpointer data;
} IfbamResponseCheck;

typedef struct
{
  double frequency; /* [Hz] */
  gsize output;
  double complex linear, driven;
  double difference; /* |driven - linear| relative to |linear| */
  gboolean agrees;
} IfbamResponseFinding;

/* Largest relative difference that is accepted. */
#define IFBAM_RESPONSE_TOLERANCE 1e-3

/* Runs the network with a sine input, and without it, at n_points frequencies away from
 * eigenfrequencies. The difference of both runs is fitted by the sine, free motions and a drift.
 * Returns IfbamResponseFinding by frequency, then output; *step: of the last run [s]. */
GArray *ifbam_response_check (const IfbamResponseSystem *system, const IfbamResponseCheck *check,
                              double *step, const char **scheme, GError **error);
