/* movie-parts.h: moving groups of a movie: bodies, links, masses, and the ground
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/movie-track.h"

/* Draws all parts of the plane, those above others last. */
void ifbam_movie_draw_parts (const IfbamMovieWork *work);
