/* scheme-implicit.c: diagonally implicit schemes: tables of stages, each one system of equations
 *
 * A stage u = X + a w, M (w - V) / a = F (u, w) is solved for all nodes of an island at once
 * (implicit-step.c). All stages of a table have the same diagonal, and so the same matrix.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/scheme.h"
#include "engine/scheme-plain.h"

enum
{
  POSITION,
  RATE,
  /* At the step's end, for tables with the step's start as first row. */
  ACCELERATION,
  N_COLUMNS,
  /* For a mean over the path: as of two cycles of a flip-flop. */
  EARLIER_POSITION = 2,
  EARLIER_RATE,
  SAID_POSITION, /* in the middle */
  SAID_RATE,
  N_COLUMNS_OF_MEAN,
};

/* Newmark's average acceleration for linear laws; else the mean force over the straight path to the
 * step's end, so that its work equals the stored energy (discrete gradient, Gonzalez 1996). */
static const IfbamTableau mean_table = {
  .n_rows = 1,
  .row = { { 0.5 } },
  .weight = { 1 },
};

static const IfbamTableau euler_table = {
  .n_rows = 1,
  .row = { { 1 } },
  .weight = { 1 },
};

/* gamma = 2 - sqrt 2: diagonal gamma / 2, other weights sqrt 2 / 4. */
#define SQRT_2 1.4142135623730950488
#define D      (1 - 0.5 * SQRT_2)
#define W      (0.25 * SQRT_2)

static const IfbamTableau tr_bdf2_table = {
  .n_rows = 3,
  .row = { { 0 }, { D, D }, { W, W, D } },
  .weight = { W, W, D },
  .embedded = { (1 - W) / 3, (3 * W + 1) / 3, D / 3 },
  .estimated = 3,
};

static const IfbamTableau esdirk4_table = {
  .n_rows = 6,
  .row = { { 0 },
           { 0.25, 0.25 },
           { 8611.0 / 62500, -1743.0 / 31250, 0.25 },
           { 5012029.0 / 34652500, -654441.0 / 2922500, 174375.0 / 388108, 0.25 },
           { 15267082809.0 / 155376265600, -71443401.0 / 120774400, 730878875.0 / 902184768,
             2285395.0 / 8070912, 0.25 },
           { 82889.0 / 524892, 0, 15625.0 / 83664, 69875.0 / 102672, -2260.0 / 8211, 0.25 } },
  .weight = { 82889.0 / 524892, 0, 15625.0 / 83664, 69875.0 / 102672, -2260.0 / 8211, 0.25 },
  .embedded = { 4586570599.0 / 29645900160, 0, 178811875.0 / 945068544, 814220225.0 / 1159782912,
                -3700637.0 / 11593932, 61727.0 / 225920 },
  .estimated = 4,
};

/* Alexander 1977, SIAM J. Numer. Anal. 14; Hairer & Wanner 1996, IV.6. Their diagonal, order and
 * last row determine the stability function, which equals that of the tables above. */
static const IfbamTableau tr_bdf2_after_jump_table = {
  .n_rows = 2,
  .row = { { D }, { 1 - D, D } },
  .weight = { 1 - D, D },
};

static const IfbamTableau esdirk4_after_jump_table = {
  .n_rows = 5,
  .row = { { 0.25 },
           { 0.5, 0.25 },
           { 17.0 / 50, -1.0 / 25, 0.25 },
           { 371.0 / 1360, -137.0 / 2720, 15.0 / 544, 0.25 },
           { 25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 0.25 } },
  .weight = { 25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 0.25 },
};

extern const IfbamScheme ifbam_scheme_implicit, ifbam_scheme_implicit_euler, ifbam_scheme_tr_bdf2,
    ifbam_scheme_esdirk4;

/* (z - 1)^2 + h^2/4 (z + 1)^2 = 0 */
const IfbamScheme ifbam_scheme_implicit = {
  .name = "implicit",
  .summary = "implicit, with the mean of each link's force over the path to the step's true end: "
             "keeps the "
             "energy of links along a line at any step, however they bend",
  .stability = "stable at any step; amplitudes stay, frequencies are low by omega^2 step^2 / 12; "
               "modes far "
               "too fast for the step keep oscillating",
  .source = "Grabysz 1994, section 4.4, with the true end; Newmark 1959; Gonzalez 1996, J. "
            "Nonlinear Sci. 6",
  .order = 2,
  .mean = TRUE,
  .n_columns = N_COLUMNS_OF_MEAN,
  .message_position = SAID_POSITION,
  .message_rate = SAID_RATE,
  .derivative = { 0, 1, 0, 1, 0, 1 },
  .n_stages = 1,
  .implicit = &mean_table,
  .stage_time = { 0.5 },
  .observe = ifbam_scheme_observe_plain,
  .observe_one = ifbam_scheme_observe_plain_one,
  .characteristic = { { 1, 0.25 }, { -2, 0.5 }, { 1, 0.25 } },
  .stability_function = { 1, 0.5 },
  .stability_divisor = { 1, -0.5 },
};

/* ((1 + h^2) z^2 - 2 z + 1) = 0 */
const IfbamScheme ifbam_scheme_implicit_euler = {
  .name = "implicit-euler",
  .summary = "first order, by the forces at the step's end: simple, and damps all that moves",
  .stability = "stable at any step; amplitudes decay at about omega^2 step / 2 per second, of "
               "modes far too fast "
               "for the step within one",
  .source = "Hairer & Wanner 1996, Solving ODEs II, IV.3",
  .order = 1,
  .n_columns = ACCELERATION,
  .message_position = POSITION,
  .message_rate = RATE,
  .derivative = { 0, 1 },
  .n_stages = 1,
  .implicit = &euler_table,
  .stage_time = { 1 },
  .observe = ifbam_scheme_observe_plain,
  .observe_one = ifbam_scheme_observe_plain_one,
  .characteristic = { { 1 }, { -2 }, { 1, 1 } },
  .stability_function = { 1 },
  .stability_divisor = { 1, -1 },
};

const IfbamScheme ifbam_scheme_tr_bdf2 = {
  .name = "tr-bdf2",
  .summary =
      "implicit, second order: a trapezoid, then the backward difference of order two; two systems "
      "of equations per step",
  .stability = "stable at any step; amplitudes decay at about 0.0037 omega^4 step^3 per second, "
               "of modes far too fast "
               "for the step within a few",
  .source = "Bank et al. 1985, IEEE Trans. Electron Devices 32; Hosea & Shampine 1996, Appl. "
            "Numer. Math. 20",
  .order = 2,
  .n_columns = N_COLUMNS,
  .message_position = POSITION,
  .message_rate = RATE,
  .derivative = { 0, 1, 2 },
  .n_stages = 2,
  .implicit = &tr_bdf2_table,
  .after_jump = &tr_bdf2_after_jump_table,
  .stage_time = { 2 * D, 1 },
  .observe = ifbam_scheme_observe_plain,
  .observe_one = ifbam_scheme_observe_plain_one,
  .stability_function = { 1, SQRT_2 - 1 },
  .stability_divisor = { 1, -2 * D, D *D },
};

/* The numerator is that of exp (q) (1 - q/4)^5 up to the fourth power. */
const IfbamScheme ifbam_scheme_esdirk4 = {
  .name = "esdirk4",
  .summary = "implicit, fourth order, for stiff networks: five systems of equations per step",
  .stability = "stable at any step; amplitudes decay at about 2.7e-5 omega^6 step^5 per second, "
               "of modes far too "
               "fast for the step within a few",
  .source = "Kennedy & Carpenter 2003, Appl. Numer. Math. 44; 2016, NASA/TM-2016-219173: "
            "ESDIRK4(3)6L[2]SA",
  .order = 4,
  .n_columns = N_COLUMNS,
  .message_position = POSITION,
  .message_rate = RATE,
  .derivative = { 0, 1, 2 },
  .n_stages = 5,
  .implicit = &esdirk4_table,
  .after_jump = &esdirk4_after_jump_table,
  .stage_time = { 0.5, 83.0 / 250, 31.0 / 50, 17.0 / 20, 1 },
  .observe = ifbam_scheme_observe_plain,
  .observe_one = ifbam_scheme_observe_plain_one,
  .stability_function = { 1, -1.0 / 4, -1.0 / 8, 1.0 / 96, 7.0 / 768 },
  .stability_divisor = { 1, -5.0 / 4, 5.0 / 8, -5.0 / 32, 5.0 / 256, -1.0 / 1024 },
};
