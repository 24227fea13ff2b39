/* scheme-kick-drift.c: euler, symplectic-euler and verlet: one evaluation of forces per step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/kick-drift-stage.h"
#include "engine/scheme-kernel.h"
#include "engine/scheme-plain.h"

IFBAM_NODE_KERNELS (euler)
IFBAM_NODE_KERNELS (symplectic_euler)
IFBAM_NODE_KERNELS (verlet)

extern const IfbamScheme ifbam_scheme_euler, ifbam_scheme_symplectic_euler, ifbam_scheme_verlet;

/* (z-1)^2 + h^2 + d (z-1) = 0; z = 1 + s step */
const IfbamScheme ifbam_scheme_euler = {
  .name = "euler",
  .summary = "explicit Euler: the simplest, for teaching",
  .stability = "grows at every step, at about omega^2 step / 2 per second",
  .source = "Euler 1768, Institutionum calculi integralis I, 650",
  .order = 1,
  .n_columns = 2,
  .message_position = 0,
  .message_rate = 1,
  .derivative = { 0, 1 },
  .n_stages = 1,
  .begin = ifbam_scheme_begin_plain,
  .update = { IFBAM_NODE_ROWS (euler) },
  .update_few = { IFBAM_FEW_ROW (euler) },
  .observe = ifbam_scheme_observe_plain,
  .observe_one = ifbam_scheme_observe_plain_one,
  .code = { "engine/kick-drift-stage.h", { "euler" }, "plain_begin", "", "plain_observe" },
  .characteristic = { { 1, 1 }, { -2 }, { 1 } },
  .stability_function = { 1, 1 },
};

/* z^2 - (2 - h^2) z + 1 + d (z-1) = 0 */
const IfbamScheme ifbam_scheme_symplectic_euler = {
  .name = "symplectic-euler",
  .summary = "velocities first, then positions with the new velocities",
  .stability = "stable for step < 2 / omega; energy swings, but does not drift",
  .source = "Hairer, Lubich & Wanner 2006, Geometric Numerical Integration, I.1.4",
  .order = 1,
  .n_columns = 2,
  .message_position = 0,
  .message_rate = 1,
  .derivative = { 0, 1 },
  .n_stages = 1,
  .constraint_timing = IFBAM_CONSTRAINTS_BY_MOVES,
  .begin = ifbam_scheme_begin_plain,
  .update = { IFBAM_NODE_ROWS (symplectic_euler) },
  .update_few = { IFBAM_FEW_ROW (symplectic_euler) },
  .observe = ifbam_scheme_observe_plain,
  .observe_one = ifbam_scheme_observe_plain_one,
  .code = { "engine/kick-drift-stage.h",
            { "symplectic_euler" },
            "plain_begin",
            "",
            "plain_observe" },
  .characteristic = { { 1 }, { -2, 1 }, { 1 } },
  .damped = { 0, -1, 1 },
};

/* z^2 - (2 - h^2) z + 1 + d (z-1) (3z-1)/(2z) = 0 */
const IfbamScheme ifbam_scheme_verlet = {
  .name = "verlet",
  .summary = "velocity Verlet: second order, no drift of the energy",
  .stability = "stable for step < 2 / omega",
  .source = "Verlet 1967; Swope, Andersen, Berens & Wilson 1982",
  .order = 2,
  .n_columns = 5,
  .message_position = VERLET_SAID_POSITION,
  .message_rate = VERLET_SAID_RATE,
  .derivative = { 0, 1, 2, 0, 1 },
  .n_stages = 1,
  .constraint_timing = IFBAM_CONSTRAINTS_BY_MESSAGES,
  .stage_time = { 1.0 },
  .begin = verlet_begin,
  .update = { IFBAM_NODE_ROWS (verlet) },
  .update_few = { IFBAM_FEW_ROW (verlet) },
  .observe = ifbam_scheme_observe_plain,
  .observe_one = ifbam_scheme_observe_plain_one,
  .code = { "engine/kick-drift-stage.h", { "verlet" }, "verlet_begin", "", "plain_observe" },
  .characteristic = { { 1 }, { -2, 1 }, { 1 } },
  .damped = { 0.5, -2, 1.5 },
};
