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
} IfbamTally;

static inline void
ifbam_tally_add (IfbamTally *tally, double term)
{
  const double sum = tally->sum + term, part = sum - tally->sum;

  tally->rest += (tally->sum - (sum - part)) + (term - part);
  tally->sum = sum;
}

static inline double
ifbam_tally_value (const IfbamTally *tally)
{
  return isfinite (tally->sum) ? tally->sum + tally->rest : tally->sum;
}

/* External work, and the sum of its absolute values. */
typedef struct
{
  IfbamTally supplied, turnover;
} IfbamExternalWork;

static inline void
ifbam_feed_add (IfbamExternalWork *feed, double work)
{
  ifbam_tally_add (&feed->supplied, work);
  ifbam_tally_add (&feed->turnover, fabs (work));
}
