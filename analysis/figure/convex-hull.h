/* convex-hull.h: the convex hull of points in the plane
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Replaces points (double [2]) by the corners of their convex hull, in order. */
void ifbam_make_convex (GArray *points);
