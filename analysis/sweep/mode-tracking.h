/* mode-tracking.h: modes followed by their shapes from variant to variant of a sweep
 *
 * A mode is the one of another variant whose shape it has, by the modal assurance criterion (Allemang & Brown 1982,
 * "A correlation coefficient for modal vector analysis", IMAC 1, 110): |a^H b|^2 for shapes of unit length. They are
 * weighted by the roots of the inertias, u = M^1/2 x: what is not damped has orthogonal shapes then, and metres stand
 * beside radians and volts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"

/* Of one variant, by frequency. */
typedef struct
{
  gsize n, n_nodes;
  IfbamMode *modes;         /* (n) */
  double *real, *imaginary; /* u, of unit length; imaginary: NULL where all are real (n)(n_nodes) */
} IfbamModeShapes;

IfbamModeShapes *ifbam_mode_shapes_new (IfbamModes *modes, const IfbamModel *model);
void ifbam_mode_shapes_free (IfbamModeShapes *shapes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamModeShapes, ifbam_mode_shapes_free)

#define IFBAM_NO_MODE G_MAXUINT

/* match: the mode of the other variant that each is, or IFBAM_NO_MODE (shapes->n). Returns the least criterion
 * among pairs with one of the n_wanted lowest modes: 1 where nothing is unclear, 0 where the nodes are not the same. */
double ifbam_mode_shapes_match (const IfbamModeShapes *shapes, const IfbamModeShapes *other,
                                gsize n_wanted, guint *match);

/* What is known of a variant's modes after its shapes are forgotten. */
typedef struct
{
  guint64 reference; /* the variant with which it was compared, of all; G_MAXUINT64: with none */
  guint n;
  guint *match, *slot; /* its modes in that one; in which column each goes (n) */
  IfbamMode *modes;    /* by frequency (n) */
} IfbamModeTrack;

IfbamModeTrack *ifbam_mode_track_new (const IfbamModeShapes *shapes);
void ifbam_mode_track_free (IfbamModeTrack *track);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamModeTrack, ifbam_mode_track_free)
/* Gives columns to its modes, given those of its reference (NULL: by frequency); what has none there gets the first
 * that are free. */
void ifbam_mode_track_place (IfbamModeTrack *track, const IfbamModeTrack *reference);
