/* scheme-runge-kutta.c: the classical Runge-Kutta scheme of order four
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/runge-kutta-stage.h"
#include "engine/scheme-kernel.h"
#include "engine/scheme-plain.h"

IFBAM_NODE_KERNELS (runge_kutta_first)
IFBAM_NODE_KERNELS (runge_kutta_second)
IFBAM_NODE_KERNELS (runge_kutta_third)
IFBAM_NODE_KERNELS (runge_kutta_fourth)

extern const IfbamScheme ifbam_scheme_rk4;

/* z = 1 + ih - h^2/2 - i h^3/6 + h^4/24 and its conjugate:
 * z^2 - (2 - h^2 + h^4/12) z + 1 - h^6/72 + h^8/576 = 0 */
const IfbamScheme ifbam_scheme_rk4 = {
  .name = "rk4",
  .summary = "classical Runge-Kutta: fourth order, four rounds of forces per step",
  .stability = "stable for step < 2.828 / omega; amplitudes decay at about omega^6 step^5 / 144 "
               "per second",
  .source = "Kutta 1901; Hairer, Norsett & Wanner 1993, Solving ODEs I, II.1",
  .order = 4,
  .n_columns = RUNGE_KUTTA_COLUMNS,
  .message_position = RUNGE_KUTTA_SAID_POSITION,
  .message_rate = RUNGE_KUTTA_SAID_RATE,
  .derivative = { 0, 1, 0, 1, 1, 2 },
  .n_stages = 4,
  .stage_time = { 0.0, 0.5, 0.5, 1.0 },
  .stage_weight = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 },
  .begin = runge_kutta_begin,
  .update = { IFBAM_NODE_ROWS (runge_kutta_first), IFBAM_NODE_ROWS (runge_kutta_second),
              IFBAM_NODE_ROWS (runge_kutta_third), IFBAM_NODE_ROWS (runge_kutta_fourth) },
  .update_few = { IFBAM_FEW_ROW (runge_kutta_first), IFBAM_FEW_ROW (runge_kutta_second),
                  IFBAM_FEW_ROW (runge_kutta_third), IFBAM_FEW_ROW (runge_kutta_fourth) },
  .observe = ifbam_scheme_observe_plain,
  .observe_one = ifbam_scheme_observe_plain_one,
  .code = { "engine/runge-kutta-stage.h",
            { "runge_kutta_first", "runge_kutta_second", "runge_kutta_third",
              "runge_kutta_fourth" },
            "runge_kutta_begin",
            "",
            "plain_observe" },
  .characteristic = { { 1, 0, 0, -1.0 / 72, 1.0 / 576 }, { -2, 1, -1.0 / 12 }, { 1 } },
  .stability_function = { 1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24 },
};
