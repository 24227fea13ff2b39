/* ifbam-certainty.h: certainty of a growth rate
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * IfbamCertainty:
 * @IFBAM_CERTAIN: exact
 * @IFBAM_AT_MOST: an upper bound, from a bound of the fastest mode
 * @IFBAM_ABOUT: an estimate: the worst mode was not separated from the others
 * @IFBAM_UNSOLVED: not known, since a step of the scheme has no solution; the rate is NaN
 *
 * Certainty of a growth rate.
 */
typedef enum
{
  IFBAM_CERTAIN,
  IFBAM_AT_MOST,
  IFBAM_ABOUT,
  IFBAM_UNSOLVED,
} IfbamCertainty;

G_END_DECLS
