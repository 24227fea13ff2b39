/* plain-stage.h: start and sample of a node, with the sample in columns 0, 1; freestanding C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/stage.h"

static inline void
plain_begin (int before, size_t n, double *const *column, const double *position,
             const double *rate, const double *acceleration, double step)
{
  (void) before, (void) acceleration, (void) step;
  for (size_t i = 0; i < n; i++)
    {
      column[0][i] = position[i];
      column[1][i] = rate[i];
    }
}

static inline void
plain_observe (size_t node, double *const *column, double *position, double *rate)
{
  *position = column[0][node];
  *rate = column[1][node];
}
