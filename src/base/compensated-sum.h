/* compensated-sum.h: sums over time, of terms that are added one by one; freestanding C
 *
 * Rounding errors of the sum are stored with it (Knuth 1997, The art of computer programming,
 * volume 2, section 4.2.2), so many steps have the error of one. Unlike an exact sum it is two
 * numbers only, which fit in a state.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

typedef struct
{
  double sum, rest;
} IfbamCompensatedSum;

static inline void
ifbam_compensated_sum_add (IfbamCompensatedSum *total, double term)
{
  const double sum = total->sum + term, part = sum - total->sum;

  total->rest += (total->sum - (sum - part)) + (term - part);
  total->sum = sum;
}

static inline double
ifbam_compensated_sum_value (const IfbamCompensatedSum *total)
{
  return isfinite (total->sum) ? total->sum + total->rest : total->sum;
}

/* External work, and the sum of its absolute values. */
typedef struct
{
  IfbamCompensatedSum supplied, gross_work;
} IfbamExternalWork;

static inline void
ifbam_external_work_add (IfbamExternalWork *work, double term)
{
  ifbam_compensated_sum_add (&work->supplied, term);
  ifbam_compensated_sum_add (&work->gross_work, fabs (term));
}
