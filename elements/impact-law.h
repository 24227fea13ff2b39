/* impact-law.h: hard contact that bounces by Newton's law; freestanding C
 *
 *   compression <= gap; rate after an impact = -restitution * rate before
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double gap;         /* [m] */
  double restitution; /* 0 to 1 */
} ImpactLaw;

static inline int
impact_mode (const ImpactLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return IFBAM_MODE_OPEN;
}

static inline IfbamConstraint
impact_constraint (const ImpactLaw *p, int mode)
{
  (void) mode;
  return (IfbamConstraint){
    .kind = IFBAM_CONSTRAINT_CONTACT, .gap = p->gap, .restitution = p->restitution, .idle = 1
  };
}
