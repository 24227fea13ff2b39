/* clutch-law.h: one-way clutch: the left is never faster than the right; freestanding C
 *
 *   free      rate < 0, no torque
 *   engaged   rate = 0, by a torque >= 0
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

/* No parameters. */
typedef struct
{
} ClutchLaw;

static inline int
clutch_mode (const ClutchLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return IFBAM_MODE_OPEN;
}

static inline IfbamConstraint
clutch_constraint (const ClutchLaw *p, int mode)
{
  (void) p, (void) mode;
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_ONE_WAY, .idle = 1 };
}
