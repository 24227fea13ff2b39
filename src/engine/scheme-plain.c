/* scheme-plain.c: functions of schemes with the sample in columns 0 and 1
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/scheme-plain.h"

#include "engine/plain-stage.h"

void
ifbam_scheme_begin_plain (gboolean before, gsize n, double *const *column, const double *position,
                          const double *rate, const double *acceleration, double step)
{
  plain_begin (before, n, column, position, rate, acceleration, step);
}

void
ifbam_scheme_observe_plain_one (gsize node, double *const *column, double *position, double *rate)
{
  plain_observe (node, column, position, rate);
}

void
ifbam_scheme_observe_plain (gsize first, gsize last, double *const *column,
                            double *restrict position, double *restrict rate)
{
  for (gsize i = first; i < last; i++)
    plain_observe (i, column, &position[i - first], &rate[i - first]);
}
