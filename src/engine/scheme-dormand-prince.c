/* scheme-dormand-prince.c: the explicit scheme of order five by Dormand and Prince
 *
 * Its last stage is the next step's first one. It has more stages than a node has columns, and is
 * evaluated by its table, like implicit schemes (implicit-step.c).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/scheme.h"
#include "engine/scheme-plain.h"

enum
{
  POSITION,
  RATE,
  ACCELERATION,
  N_COLUMNS,
};

#define LAST_ROW                                                                                   \
  {                                                                                                \
    35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0                         \
  }

static const IfbamTableau table = {
  .n_rows = 7,
  .row = { { 0 },
           { 1.0 / 5 },
           { 3.0 / 40, 9.0 / 40 },
           { 44.0 / 45, -56.0 / 15, 32.0 / 9 },
           { 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729 },
           { 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656 },
           LAST_ROW },
  .weight = LAST_ROW,
  .embedded = { 5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100,
                1.0 / 40 },
  .estimated = 5,
};

extern const IfbamScheme ifbam_scheme_dopri5;

const IfbamScheme ifbam_scheme_dopri5 = {
  .name = "dopri5",
  .summary =
      "fifth order, six rounds of messages per step; estimates its error, so that a tolerance can "
      "choose the step",
  .stability =
      "stable up to omega step = 0.997; amplitudes decay at about omega^6 step^5 / 3600 per "
      "second below",
  .source = "Dormand & Prince 1980, J. Comput. Appl. Math. 6; Hairer, Norsett & Wanner 1993, "
            "Solving ODEs I, II.5",
  .order = 5,
  .n_columns = N_COLUMNS,
  .message_position = POSITION,
  .message_rate = RATE,
  .derivative = { 0, 1, 2 },
  .n_stages = 6,
  .staged = &table,
  .stage_time = { 0.2, 0.3, 0.8, 8.0 / 9, 1, 1 },
  .observe = ifbam_scheme_observe_plain,
  .observe_one = ifbam_scheme_observe_plain_one,
  .stability_function = { 1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 600 },
  .stability_divisor = { 1 },
};
