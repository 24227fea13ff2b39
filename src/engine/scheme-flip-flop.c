/* scheme-flip-flop.c: the paper's two schemes, with messages that take one cycle
 *
 *   v[i+1] = v[i-1] + 2 tau F / m     central difference    (Grabysz 1994, eq. 4.1)
 *   x[i+1] = x[i] + tau v[i+1]        backward difference   (eq. 4.2)
 *
 * Links computed F in the cycle before: from the positions of cycle i-1 (`original`), or as the
 * mean over the path to the extrapolated positions (`averaged`, eqs. 4.4 to 4.7). v[i] = (x[i] -
 * x[i-1])/tau is half a step before x[i].
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/flip-flop-stage.h"
#include "engine/scheme-kernel.h"

IFBAM_NODE_KERNELS (flip_flop)

static void
observe (gsize first, gsize last, double *const *column, double *restrict position,
         double *restrict rate)
{
  for (gsize i = first; i < last; i++)
    flip_flop_observe (i, column, &position[i - first], &rate[i - first]);
}

#define FLIP_FLOP                                                                                  \
  .latency = TRUE, .velocity_lag = 0.5, .row_position = FLIP_FLOP_EARLIER_POSITION,                \
  .n_columns = FLIP_FLOP_COLUMNS, .message_position = FLIP_FLOP_POSITION,                          \
  .message_rate = FLIP_FLOP_RATE, .derivative = { 0, 1, 0, 1 }, .n_stages = 1,                     \
  .begin = flip_flop_begin, .begin_cold = flip_flop_begin_cold,                                    \
  .update = { IFBAM_NODE_ROWS (flip_flop) }, .update_few = { IFBAM_FEW_ROW (flip_flop) },          \
  .observe = observe, .observe_one = flip_flop_observe,                                            \
  .code = { "engine/flip-flop-stage.h",                                                            \
            { "flip_flop" },                                                                       \
            "flip_flop_begin",                                                                     \
            "flip_flop_begin_cold",                                                                \
            "flip_flop_observe" }

extern const IfbamScheme ifbam_scheme_original, ifbam_scheme_averaged;

/* (z-1)^2 (z+1) + 2 h^2 z + 2 d (z-1) = 0 */
const IfbamScheme ifbam_scheme_original = {
  .name = "original",
  .summary = "the paper's first: links compute forces from the positions that they receive",
  .stability = "grows at every step, at about omega^2 step / 4 per second",
  .source = "Grabysz 1994, eqs. 4.1 to 4.3",
  .order = 1,
  FLIP_FLOP,
  .characteristic = { { 1 }, { -1, 2 }, { -1 }, { 1 } },
  .damped = { 0, -2, 2 },
};

/* (z-1)^2 (z+1) + h^2 (3z-1) + 2 d (z-1) (2z-1)/z = 0 */
const IfbamScheme ifbam_scheme_averaged = {
  .name = "averaged",
  .summary = "the paper's improved: links compute the mean force over the coming step",
  .stability = "grows slowly at every step, at about omega^4 step^3 / 8 per second",
  .source = "Grabysz 1994, eqs. 4.1, 4.2 and 4.4 to 4.7",
  .order = 2,
  .mean = TRUE,
  .source_lead = 0.5,
  FLIP_FLOP,
  .characteristic = { { 1, -1 }, { -1, 3 }, { -1 }, { 1 } },
  .damped = { 2, -6, 4 },
};
