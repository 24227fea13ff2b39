/* stage.h: parameters of a scheme's stage, besides the node's index; freestanding C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>

#include "base/isa.h"

#define IFBAM_NODE_COLUMNS                                                                         \
  double *restrict c0, double *restrict c1, double *restrict c2, double *restrict c3,              \
      double *restrict c4, double *restrict c5
