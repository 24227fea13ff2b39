/* mode-tracking.h: tracks modes by shape from variant to variant of a sweep
 *
 * A mode corresponds to that of another variant with the same shape, by the modal assurance
 * criterion (Allemang & Brown 1982, "A correlation coefficient for modal vector analysis", IMAC 1,
 * 110): |a^H b|^2 for shapes of unit length. Shapes are weighted by the roots of inertias, u =
 * M^1/2 x: then undamped modes are orthogonal, and units are comparable.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"

/* Modes of one variant, by frequency. */
typedef struct
{
  gsize n, n_nodes;
  IfbamMode *modes;         /* (n) */
  double *real, *imaginary; /* u, of unit length; imaginary: NULL if all are real (n)(n_nodes) */
} IfbamModeShapes;

IfbamModeShapes *ifbam_mode_shapes_new (IfbamModes *modes, const IfbamModel *model);
void ifbam_mode_shapes_free (IfbamModeShapes *shapes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamModeShapes, ifbam_mode_shapes_free)

#define IFBAM_NO_MODE G_MAXUINT

/* match: index of the corresponding mode in the other variant, or IFBAM_NO_MODE (shapes->n).
 * Returns the least criterion of the n_wanted lowest modes of either; 1: certain. */
double ifbam_mode_shapes_match (const IfbamModeShapes *shapes, const IfbamModeShapes *other,
                                gsize n_wanted, guint *match);

/* Data of a variant's modes that are kept without shapes. */
typedef struct
{
  guint64 reference; /* index of the compared variant in the whole grid; G_MAXUINT64: none */
  guint n;
  guint *match, *slot; /* its modes in that one; columns of its modes (n) */
  IfbamMode *modes;    /* by frequency (n) */
} IfbamModeTrack;

IfbamModeTrack *ifbam_mode_track_new (const IfbamModeShapes *shapes);
void ifbam_mode_track_free (IfbamModeTrack *track);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamModeTrack, ifbam_mode_track_free)
/* Assigns columns to its modes from those of its reference (NULL: by frequency); unmatched modes
 * get the first free ones. */
void ifbam_mode_track_place (IfbamModeTrack *track, const IfbamModeTrack *reference);
