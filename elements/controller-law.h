/* controller-law.h: output of a sampled controller; freestanding C
 *
 *   error  = setpoint - signal
 *   pid    u = offset + gain error + integral sum + derivative ((error - last) / every), added from
 *          left to right; then sum += every error (forward Euler), unless u is beyond a bound and
 *          the error drives it further
 *   relay  greatest if error > hysteresis / 2, least if error < -hysteresis / 2, else as before
 *          (at first by the sign of the error)
 *   output = u, limited to least ... greatest; constant until the next sample
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <float.h>

#include "element/guard.h"

typedef struct
{
  double kind;
  double every; /* [s]; 0: each step */
  double offset;
  double least, greatest;
  double is_rate; /* the signal is a rate, not a compression or coordinate */
  double setpoint;
  double gain, integral, derivative; /* [1/signal], [1/(signal s)], [s/signal] */
  double hysteresis;                 /* [signal] */
} ControllerLaw;

enum
{
  CONTROLLER_PID,
  CONTROLLER_RELAY,
};

/* Memory from sample to sample */
enum
{
  CONTROLLER_OUTPUT,
  CONTROLLER_SUM,
  CONTROLLER_LAST,
  CONTROLLER_SAMPLED, /* TRUE after the first sample */
};

/* A relay's bounds default to 0 and 1. */
static inline double
controller_least (const ControllerLaw *p)
{
  return p->kind == CONTROLLER_RELAY && p->least == -DBL_MAX ? 0 : p->least;
}

static inline double
controller_greatest (const ControllerLaw *p)
{
  return p->kind == CONTROLLER_RELAY && p->greatest == DBL_MAX ? 1 : p->greatest;
}

static inline void
controller_sample (const ControllerLaw *p, double delta, double rate, double every, double *memory)
{
  const double error = p->setpoint - (p->is_rate != 0 ? rate : delta);
  const double last = memory[CONTROLLER_SAMPLED] != 0 ? memory[CONTROLLER_LAST] : error;
  const double wish = p->offset + p->gain * error + p->integral * memory[CONTROLLER_SUM]
                      + p->derivative * ((error - last) / every);
  const double sense = p->integral * error;
  const double least = controller_least (p), greatest = controller_greatest (p);

  if (p->kind != CONTROLLER_RELAY)
    {
      memory[CONTROLLER_OUTPUT] = wish < least ? least : wish > greatest ? greatest : wish;
      if (!(wish > greatest && sense > 0) && !(wish < least && sense < 0))
        memory[CONTROLLER_SUM] += every * error;
    }
  else if (error > 0.5 * p->hysteresis || (memory[CONTROLLER_SAMPLED] == 0 && error >= 0))
    memory[CONTROLLER_OUTPUT] = greatest;
  else if (error < -0.5 * p->hysteresis || memory[CONTROLLER_SAMPLED] == 0)
    memory[CONTROLLER_OUTPUT] = least;
  memory[CONTROLLER_LAST] = error;
  memory[CONTROLLER_SAMPLED] = 1;
}

static inline int
controller_mode (const ControllerLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return 0;
}

static inline IfbamConstraint
controller_constraint (const ControllerLaw *p, int mode)
{
  (void) p, (void) mode;
  return (IfbamConstraint){ .idle = 1 };
}
