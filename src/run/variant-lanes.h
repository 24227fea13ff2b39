/* variant-lanes.h: variants of one network side by side, advanced by the same cycles
 *
 * A lane is a variant: the same nodes and links with other parameters. Arrays have one value per
 * node or link and lane, lanes contiguous. So kernels for consecutive links and nodes compute all
 * lanes in one call, for any network, and each lane's values are bitwise those of its own run.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"
#include "file/file.h"

typedef struct _IfbamLanes IfbamLanes;

/* Returns TRUE if variants can be lanes; others run one by one. */
gboolean ifbam_lanes_can_run (const IfbamModel *model, const IfbamRunSpec *spec);
/* Returns TRUE if a signal is available in lanes. */
gboolean ifbam_lanes_has_signal (const IfbamSignal *signal);
/* Returns the count of lanes that fit in the nearest cache. */
gsize ifbam_lanes_width (const IfbamModel *model, const IfbamRunSpec *spec);

/* Returns lanes with the model's parameters. width: their count, a multiple of IFBAM_LANE_UNIT.
 * model: nodes and links; spec: scheme and step (both not owned). */
IfbamLanes *ifbam_lanes_new (const IfbamModel *model, const IfbamRunSpec *spec, gsize width);
void ifbam_lanes_free (IfbamLanes *lanes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamLanes, ifbam_lanes_free)

/* Returns TRUE if two models of one network differ by parameters only. */
gboolean ifbam_lanes_have_equal_structure (const IfbamModel *model, const IfbamModel *other);
/* Sets lanes first <= l < last to all parameters of a compatible model. */
void ifbam_lanes_load (IfbamLanes *lanes, gsize first, gsize last, const IfbamModel *model,
                       const IfbamRunSpec *spec);

/* Returns TRUE if the model with an element's present parameters would still be compatible. */
gboolean ifbam_lanes_remain_compatible (const IfbamModel *model, const IfbamRunSpec *spec,
                                        const IfbamElement *element);
/* Sets a lane to the parameters of such an element. */
void ifbam_lanes_set (IfbamLanes *lanes, gsize lane, const IfbamElement *element);

typedef struct
{
  guint64 stride;            /* steps between samples */
  guint64 last_step;         /* of the last sample, a multiple of stride */
  gboolean every_row;        /* row () gets all samples, else the last one */
  gboolean allow_divergence; /* continue while values are finite */
  void (*row) (gpointer data, IfbamLanes *lanes);
  /* Called periodically with the steps since the last call; FALSE interrupts. May be NULL. */
  gboolean (*progress) (gpointer data, guint64 steps);
  gpointer data;
} IfbamLanesRun;

/* Step at which a lane diverged; this value: it did not. */
#define IFBAM_LANES_FINE G_MAXUINT64

/* Runs the first n lanes from their start. diverged [n]: first step at which the lane's own run
 * (ifbam_run) would have stopped. FALSE: interrupted. */
gboolean ifbam_lanes_run (IfbamLanes *lanes, gsize n, const IfbamLanesRun *run, guint64 *diverged);

/* In row (): returns a signal per lane [width]: scratch [width], or the lanes' own array. */
const double *ifbam_lanes_signal (IfbamLanes *lanes, const IfbamSignal *signal, double *scratch);
