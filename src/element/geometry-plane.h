/* geometry-plane.h: geometries in the plane: contacts of balls and points with each other and with
 * surfaces
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/geometry.h"

extern const IfbamGeometry ifbam_ball_surface; /* a ball or point and a surface (height) */
extern const IfbamGeometry ifbam_balls;        /* two balls, or a ball and a point */
extern const IfbamGeometry ifbam_ball_path;    /* one ball, along its velocity */
extern const IfbamGeometry ifbam_ball_spin;    /* one ball, across its velocity, times its spin */
extern const IfbamGeometry ifbam_roll;         /* one ball on a table, along its slip */

/* Shape of a ball seen from above. */
enum
{
  IFBAM_TABLE_RADIUS,
  IFBAM_TABLE_MASS,
};

extern const IfbamGeometry ifbam_body_spin; /* one body, across its velocity, times its spin */
