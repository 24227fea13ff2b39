/* compensated-sum.h: sums over time, of terms that come one by one; freestanding C
 *
 * What rounding takes from the sum is kept beside it (Knuth 1997, The art of computer programming, volume 2,
 * section 4.2.2), so that many steps lose no more than one. Unlike an exact sum it is two numbers only, which a
 * state holds.
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

/* What is fed in, and the sum of its amounts. */
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
