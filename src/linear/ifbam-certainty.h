/* ifbam-certainty.h: how well a growth rate is known
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * IfbamCertainty:
 * @IFBAM_CERTAIN: as it is
 * @IFBAM_AT_MOST: of the fastest mode a bound is known, and this is what it makes of the growth
 * @IFBAM_ABOUT: the worst mode was not parted from the others
 * @IFBAM_UNSOLVED: not known, since a step of the scheme has no solution; the rate is NaN
 *
 * How well a growth rate is known.
 */
typedef enum
{
  IFBAM_CERTAIN,
  IFBAM_AT_MOST,
  IFBAM_ABOUT,
  IFBAM_UNSOLVED,
} IfbamCertainty;

G_END_DECLS
