/* bounce-law.h: hard contact of balls: it keeps them apart, and bounces by Newton's law along the normal;
 * freestanding C
 *
 *   overlap <= 0; rate after an impact = -restitution * rate before
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double restitution; /* 0 to 1 */
} BounceLaw;

static inline int
bounce_mode (const BounceLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return IFBAM_MODE_OPEN;
}

static inline IfbamRelation
bounce_relation (const BounceLaw *p, int mode)
{
  (void) mode;
  return (
      IfbamRelation){ .kind = IFBAM_RELATION_CONTACT, .restitution = p->restitution, .idle = 1 };
}
