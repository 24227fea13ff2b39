/* ifbam-modes.h: eigenfrequencies, damping and mode shapes of a network linearised about its start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-network.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/**
 * IfbamModeKind:
 * @IFBAM_MODE_OSCILLATING: oscillates, and decays if it is damped
 * @IFBAM_MODE_FREE: rigid-body mode without any restoring force; its frequency is 0
 * @IFBAM_MODE_OVERDAMPED: decays without oscillation; its frequency is 0
 * @IFBAM_MODE_UNSTABLE: grows, because a law's force falls as its compression or rate grows
 *
 * Kind of a mode's free motion.
 */
typedef enum
{
  IFBAM_MODE_OSCILLATING,
  IFBAM_MODE_FREE,
  IFBAM_MODE_OVERDAMPED,
  IFBAM_MODE_UNSTABLE,
} IfbamModeKind;

/**
 * IfbamMode:
 * @kind: its kind
 * @frequency: |Im s| / 2 pi of the eigenvalue s [Hz]
 * @damping_ratio: -Re s / |s|: 0 without damping, negative if it grows; of an overdamped mode the
 *   ratio of its pair of exponents, above 1 (1: the other exponent is not known)
 * @decay_rate: -Re s, of the amplitude [1/s]
 *
 * A solution exp (s t) of a linearised network; a pair of conjugate eigenvalues is one mode.
 */
typedef struct
{
  IfbamModeKind kind;
  double frequency;
  double damping_ratio;
  double decay_rate;
} IfbamMode;

#define IFBAM_TYPE_MODES (ifbam_modes_get_type ())
G_DECLARE_FINAL_TYPE (IfbamModes, ifbam_modes, IFBAM, MODES, GObject)

IfbamModes *ifbam_modes_new (IfbamNetwork *network, guint count, double near, GError **error);

const IfbamMode *ifbam_modes_get_modes (IfbamModes *modes, gsize *n_modes);
const char *const *ifbam_modes_get_nodes (IfbamModes *modes);
const double *ifbam_modes_get_shape (IfbamModes *modes, gsize mode, gsize *n_nodes);
const double *ifbam_modes_get_imaginary_shape (IfbamModes *modes, gsize mode, gsize *n_nodes);
GBytes *ifbam_modes_get_bytes (IfbamModes *modes);
GBytes *ifbam_modes_get_shape_bytes (IfbamModes *modes, gsize mode);
GBytes *ifbam_modes_get_imaginary_shape_bytes (IfbamModes *modes, gsize mode);
gboolean ifbam_modes_get_held (IfbamModes *modes);
char **ifbam_modes_list_nonlinear (IfbamModes *modes);

#pragma GCC visibility pop
G_END_DECLS
