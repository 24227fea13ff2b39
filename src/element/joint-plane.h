/* joint-plane.h: geometries of joints in the plane: balls, and the ground with its shape
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/joint.h"

extern const IfbamJointGeometry ifbam_ball_surface; /* a ball (x, y) and a surface (height) */
extern const IfbamJointGeometry ifbam_balls;        /* two balls */
extern const IfbamJointGeometry ifbam_ball_path;    /* one ball, along its velocity */
