/* response.h: what the parts of the frequency response share
 *
 * M x'' + C x' + K x = b (see system-matrices.h) with an input exp (i omega t) gives
 * (K + i omega C - omega^2 M) x = b; outputs are rows times x.
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

/* What oscillates by itself: a force on a free node, or the motion of a given one. */
typedef struct
{
  char *name;       /* "force@m1" */
  const char *unit; /* static */
  gsize node;       /* its number */
  gboolean motion;
  guint order; /* of the derivative of the motion whose amplitude is 1 */
} IfbamResponseInput;

/* Frequencies to be asked for. */
typedef struct
{
  double from, to; /* [Hz]; NaN: around the eigenfrequencies */
  guint n_points;
  gboolean linear; /* evenly spaced, not in a constant ratio */
  gboolean exact;  /* no others are added near the eigenfrequencies */
} IfbamResponseRange;

/* Called now and then with the part done (0..1); FALSE interrupts. */
typedef gboolean (*IfbamResponseProgress) (gpointer data, double part);

/* A compiled network with its input and outputs. */
typedef struct
{
  const IfbamModel *model;  /* not owned */
  const IfbamRunSpec *spec; /* not owned */
  IfbamSmallMotions *motions;
  IfbamSparse *stiffness, *damping; /* K, C; damping: NULL where it is 0 */
  IfbamForest *forest;              /* of these; NULL: there is a loop */
  double *real,
      *imaginary; /* displacements of the coordinates, the last that were solved for (n) */
  /* b = in_stiffness + i (omega in_damping + in_loss) (n) */
  double *in_stiffness, *in_damping, *in_loss;
  double *losses;    /* the imaginary part of stiffnesses by slots; NULL: there is none */
  IfbamSparse *loss; /* the matrix of these, or NULL */
  double *carried;   /* how free nodes go with a given one that moves; NULL: none does (n_free) */
  IfbamResponseInput input;
  IfbamSignals *signals; /* outputs */
  GPtrArray *units;      /* char*: of the outputs per input */
  GArray *rows;          /* Row, see response.c */
  IfbamModes *modes;     /* those next to the range; NULL: not known, */
  char *modes_fault;     /* for this reason; NULL: they were not looked for */
} IfbamResponseSystem;

/* "force@m1": its name belongs to who asks. NULL, or why it is none (transfer full), a phrase. */
char *ifbam_response_read_input (const IfbamModel *model, GHashTable *by_name, const char *text,
                                 IfbamResponseInput *input);

/* outputs: signals with wildcards, several at once; NULL: the first quantity of every free node.
 * IFBAM_ERROR_USAGE where the words are wrong, all faults at once; IFBAM_ERROR_NETWORK as
 * ifbam_small_motions_new(). by_name: see model.h. */
IfbamResponseSystem *ifbam_response_system_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                                GHashTable *by_name, const char *input,
                                                const char *const *outputs, GError **error);
void ifbam_response_system_free (IfbamResponseSystem *system);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamResponseSystem, ifbam_response_system_free)

/* Finds the modes in and next to a range, and sets its ends where they are NaN: IFBAM_ERROR_USAGE where
 * nothing swings to set them by; IFBAM_ERROR_INTERRUPTED. */
gboolean ifbam_response_find_modes (IfbamResponseSystem *system, IfbamResponseRange *range,
                                    IfbamResponseProgress progress, gpointer data, GError **error);

/* The range's frequencies, and others near the eigenfrequencies, in which peaks are round: increasing
 * (transfer full, *n). */
double *ifbam_response_grid (const IfbamResponseSystem *system, const IfbamResponseRange *range,
                             gsize *n);

/* The response at frequencies above 0. FALSE where it was interrupted: IFBAM_ERROR_INTERRUPTED. */
IfbamResponse *ifbam_response_new_for_system (const IfbamResponseSystem *system,
                                              const double *frequencies, gsize n,
                                              IfbamResponseProgress progress, gpointer data,
                                              GError **error);

/* At one frequency: amplitude and phase of each output (n outputs; infinite where an undamped mode
 * that is driven swings at it), and the largest displacement of a node, per unit of force or of the given
 * node's position (NULL: not wanted). */
gboolean ifbam_response_at (const IfbamResponseSystem *system, double frequency,
                            double complex *outputs, double *largest, GError **error);

/* The eigenfrequencies of modes that swing, within [from, to] (transfer full, *n). */
double *ifbam_response_eigenfrequencies (const IfbamResponseSystem *system, double from, double to,
                                         gsize *n);
gboolean ifbam_response_is_unstable (const IfbamResponseSystem *system);

/* "amplitude", degrees in [-180, 180); NaN of a number that is not finite */
double ifbam_response_phase (double complex number);

/* response-check.c: driven runs beside the linear response */

typedef struct
{
  const IfbamNetworkBytes *bytes;
  const char *const *settings; /* of the command line */
  gboolean own_scheme;         /* by the network's scheme and step; else rk4 and a short step */
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
  double difference; /* |driven - linear| in parts of |linear| */
  gboolean agrees;
} IfbamResponseFinding;

/* A difference that is sensible. */
#define IFBAM_RESPONSE_TOLERANCE 1e-3

/* Runs the network with the input as a sine, and without it, at n_points frequencies apart from the
 * eigenfrequencies; the difference of both runs is fitted by the sine, the free motions and a drift.
 * Findings (IfbamResponseFinding) by frequency, then output; step: of the last run [s]. */
GArray *ifbam_response_check (const IfbamResponseSystem *system, const IfbamResponseCheck *check,
                              double *step, const char **scheme, GError **error);
