/* geometry-endpoints.h: geometries between two points of the plane (endpoint.h)
 * Shape and ports begin with those of the left end, then of the right end.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/endpoint.h"
#include "element/geometry.h"

/* delta = length - |P - Q|. Parameter: length [m]; 0: the distance at the start */
extern const IfbamGeometry ifbam_distance;
/* delta = |P - Q| - length */
extern const IfbamGeometry ifbam_stretch;
/* The distance without a parameter, for links that depend on the rate only. */
extern const IfbamGeometry ifbam_approach;
/* Components of P - Q in the plane. */
extern const IfbamGeometry ifbam_offset_x,
    /* along: relative rotation of the ends' bodies */
    ifbam_offset_y;
/* Offset of P - Q to the left of an axis that is fixed to the left end's body. Parameter: the
 * axis's direction in that body [rad] */
extern const IfbamGeometry ifbam_across;
/* c_left - c_right, of nodes or coordinates of points. Shape of an end (IFBAM_COORDINATE_SIZE): 0
 * (a node), 1 (x) or 2 (y), then that of the point. */
extern const IfbamGeometry ifbam_coordinates;
#define IFBAM_COORDINATE_SIZE (1 + IFBAM_END_SIZE)
/* The difference of the bodies' angles, minus its value at the start. */
extern const IfbamGeometry ifbam_turn;
/* Rotation of the left body relative to the right one, and the reverse. */
extern const IfbamGeometry ifbam_turn_of_left, ifbam_turn_of_right;
