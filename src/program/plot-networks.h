/* plot-networks.h: figures of networks, of schemes and of sweeps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/plot-courses.h"

IfbamDraw ifbam_draw_modes, ifbam_draw_response, ifbam_draw_schemes, ifbam_draw_path,
    ifbam_draw_movie, ifbam_draw_sweep;
