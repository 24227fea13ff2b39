/* run-spec.h: how a model is run: scheme, step, start, which steps are rows
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "model/model.h"
#include "engine/scheme.h"

/* It stands beside the model, which it says nothing about; engines are made of both. */
typedef struct
{
  const IfbamScheme *scheme;
  double step;            /* [s]; infinite: to be chosen (auto) */
  double tolerance;       /* it chooses the steps, and `step` is that between rows; 0: none does */
  double first;           /* the step that is tried first then [s] */
  IfbamIsa isa;           /* of the kernels */
  gboolean cold;          /* the start is the paper's */
  gboolean equilibrium;   /* it is where the network is at rest */
  double *start_position; /* of free nodes (n_free), owned; NULL: where their elements say */
  gboolean still;         /* free nodes start without rates, for who looks at what is at rest */
  guint64 stride;         /* steps between rows */
  guint64 last_step;      /* of the last row, a multiple of stride */
  gboolean cut;           /* the duration is no multiple of the sample interval */
  const char *record;     /* NULL: the standard */
  double up_to;           /* highest angular frequency of interest [1/s]; infinite: all */
  const char *chosen;     /* why the step was chosen so (static); NULL: it was given */
  double proposed;        /* the step that was, before rows were fitted to it [s] */
} IfbamRunSpec;

static inline void
ifbam_run_spec_clear (IfbamRunSpec *spec)
{
  g_clear_pointer (&spec->start_position, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamRunSpec, ifbam_run_spec_clear)

/* The same with all steps as the first one; what it owns stays the other's. */
static inline IfbamRunSpec
ifbam_run_spec_at_first (const IfbamRunSpec *spec)
{
  IfbamRunSpec first = *spec;

  if (!(spec->tolerance > 0))
    return first;
  first.step = spec->first;
  first.tolerance = 0;
  first.stride = (guint64) fmax (1, round (spec->step / spec->first));
  first.last_step = (guint64) ceil ((double) spec->last_step * spec->step / spec->first);
  return first;
}

/* Motion of n nodes at the start, from first on, to position[0] and rate[0] on. */
static inline void
ifbam_start_range (const IfbamModel *model, const IfbamRunSpec *spec, gsize first, gsize n,
                   double *position, double *rate)
{
  ifbam_model_initial_range (model, first, n, position, rate);
  for (gsize i = first; spec->start_position != NULL && i < MIN (first + n, model->n_free); i++)
    position[i - first] = spec->start_position[i];
  for (gsize i = first; spec->still && i < MIN (first + n, model->n_free); i++)
    rate[i - first] = 0;
}

static inline IfbamMotion
ifbam_start (const IfbamModel *model, const IfbamRunSpec *spec, gsize node)
{
  IfbamMotion motion = { 0 };

  ifbam_start_range (model, spec, node, 1, &motion.position, &motion.rate);
  return motion;
}
