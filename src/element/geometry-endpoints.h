/* geometry-endpoints.h: geometries over two ends in the plane (endpoint.h)
 *
 * Their shape begins with the numbers of both ends, left and right; their ports are the coordinates of
 * the left one, then of the right one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/endpoint.h"
#include "element/geometry.h"

/* length - |P - Q|; the law's number: the length [m]; 0: as it is at the start */
extern const IfbamGeometry ifbam_distance;
/* |P - Q| - length */
extern const IfbamGeometry ifbam_stretch;
/* The distance without a number: what only hears how fast its ends go. */
extern const IfbamGeometry ifbam_approach;
/* Components of P - Q in the plane. */
extern const IfbamGeometry ifbam_offset_x,
    ifbam_offset_y; /* along: how their bodies turn against each other */
/* How far P - Q lies to the left of an axis that turns with the left end's body; the law's number: the axis's direction
 * in that body [rad] */
extern const IfbamGeometry ifbam_across;
/* c_left - c_right, of nodes and of coordinates of points. The numbers of an end are IFBAM_COORDINATE_NUMBERS: 0 (a
 * node), 1 (x) or 2 (y), then those of the point. */
extern const IfbamGeometry ifbam_coordinates;
#define IFBAM_COORDINATE_NUMBERS (1 + IFBAM_END_NUMBERS)
/* The difference of the bodies' angles, less what it is at the start. */
extern const IfbamGeometry ifbam_turn;
/* How far the left body has turned against the right one, and the right one against the left one. */
extern const IfbamGeometry ifbam_turn_of_left, ifbam_turn_of_right;
