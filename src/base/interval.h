/* interval.h: search of the interval of a number in an increasing array; freestanding C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/sine.h"

/* Returns i with x[i] <= value < x[i + 1] of n >= 2 numbers; if outside, the first or last. */
IFBAM_INLINE_ONCE unsigned long
ifbam_interval (const double *x, unsigned long n, double value)
{
  unsigned long low = 0, high = n - 1;

  while (high - low > 1)
    {
      unsigned long middle = (low + high) / 2;

      if (x[middle] <= value)
        low = middle;
      else
        high = middle;
    }
  return low;
}
