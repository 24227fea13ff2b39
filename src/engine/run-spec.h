/* run-spec.h: settings of a run: scheme, step, start, samples
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "model/model.h"
#include "engine/scheme.h"

/* An engine is made of a model and a run spec, which are independent of each other. */
typedef struct
{
  const IfbamScheme *scheme;
  double step;            /* [s]; infinite: automatic */
  double tolerance;       /* adaptive steps, `step` is the sample interval; 0: fixed */
  double first;           /* first trial step of adaptive steps [s] */
  IfbamIsa isa;           /* of the kernels */
  gboolean cold;          /* start of the paper */
  gboolean equilibrium;   /* start in equilibrium */
  double *start_position; /* of free nodes (n_free), owned; NULL: from the elements */
  double *start_rate;     /* as start_position */
  gboolean still;         /* free nodes start at rest, to analyse an equilibrium */
  /* Sources keep their forces of time 0, given nodes their rates; start_position has n_nodes. */
  gboolean steady;
  guint64 stride;     /* steps between samples */
  guint64 last_step;  /* step of the last sample, a multiple of stride */
  gboolean cut;       /* the duration is no multiple of the sample interval */
  const char *record; /* NULL: default */
  double up_to;       /* highest angular frequency of interest [1/s]; infinite: all */
  const char *chosen; /* reason for an automatic step (static); NULL: a given step */
  double proposed;    /* automatic step before it was shortened for samples [s] */
} IfbamRunSpec;

static inline void
ifbam_run_spec_clear (IfbamRunSpec *spec)
{
  g_clear_pointer (&spec->start_position, g_free);
  g_clear_pointer (&spec->start_rate, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamRunSpec, ifbam_run_spec_clear)

/* Returns the spec with fixed steps of the first trial step's length, without owned data. */
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

/* Stores the start motion of n nodes from `first` on, from position[0] and rate[0] on. */
static inline void
ifbam_start_range (const IfbamModel *model, const IfbamRunSpec *spec, gsize first, gsize n,
                   double *position, double *rate)
{
  ifbam_model_initial_range (model, first, n, position, rate);
  for (gsize i = first; spec->start_position != NULL
                        && i < MIN (first + n, spec->steady ? model->n_nodes : model->n_free);
       i++)
    position[i - first] = spec->start_position[i];
  for (gsize i = first; spec->start_rate != NULL && i < MIN (first + n, model->n_free); i++)
    rate[i - first] = spec->start_rate[i];
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
