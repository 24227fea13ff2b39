/* scheme-plain.h: functions of schemes with the sample in columns 0 and 1
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* IfbamScheme.begin, for schemes without other columns at the start. */
void ifbam_scheme_begin_plain (gboolean before, gsize n, double *const *column,
                               const double *position, const double *rate,
                               const double *acceleration, double step);
/* IfbamScheme.observe and observe_one. */
void ifbam_scheme_observe_plain (gsize first, gsize last, double *const *column,
                                 double *restrict position, double *restrict rate);
void ifbam_scheme_observe_plain_one (gsize node, double *const *column, double *position,
                                     double *rate);
