/* variant-lanes.h: variants of one network side by side: a cycle carries all of them on
 *
 * A lane is a variant: the same nodes and links, other numbers. What a network keeps once for each
 * node or link, lanes keep once for each of them and each lane, lanes side by side. So the kernels that
 * do consecutive links and nodes do all lanes of a link or node in one go, whatever the network looks
 * like, and each lane's numbers are those of a run by itself, bit for bit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"
#include "file/file.h"

typedef struct _IfbamLanes IfbamLanes;

/* Whether a network can go in lanes. Others run one by one. */
gboolean ifbam_lanes_suit (const IfbamModel *model, const IfbamRunSpec *spec);
/* Whether lanes can tell a signal. */
gboolean ifbam_lanes_tell (const IfbamSignal *signal);
/* How many lanes of a network stay in the nearest cache. */
gsize ifbam_lanes_width (const IfbamModel *model, const IfbamRunSpec *spec);

/* width: lanes, a multiple of IFBAM_LANE_UNIT. The model says what the network looks like, the
 * spec scheme and step; they are not owned. The lanes' numbers are the model's until they are set. */
IfbamLanes *ifbam_lanes_new (const IfbamModel *model, const IfbamRunSpec *spec, gsize width);
void ifbam_lanes_free (IfbamLanes *lanes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamLanes, ifbam_lanes_free)

/* Whether two models of one network differ by numbers alone: they can be lanes of each other. */
gboolean ifbam_lanes_fit (const IfbamModel *model, const IfbamModel *other);
/* Gives lanes first <= l < last all numbers of a model that fits. */
void ifbam_lanes_load (IfbamLanes *lanes, gsize first, gsize last, const IfbamModel *model,
                       const IfbamRunSpec *spec);

/* Whether the network of a model would still have one that fits, with an element's numbers as they are
 * now. */
gboolean ifbam_lanes_bear (const IfbamModel *model, const IfbamRunSpec *spec,
                           const IfbamElement *element);
/* Gives a lane the numbers of such an element. */
void ifbam_lanes_set (IfbamLanes *lanes, gsize lane, const IfbamElement *element);

typedef struct
{
  guint64 stride;            /* steps between rows */
  guint64 last_step;         /* of the last row, a multiple of stride */
  gboolean every_row;        /* row() is wanted for all rows, else for the last one */
  gboolean allow_divergence; /* go on as far as numbers are finite */
  void (*row) (gpointer data, IfbamLanes *lanes);
  /* Called now and then with the steps done since the last call; FALSE interrupts. May be NULL. */
  gboolean (*progress) (gpointer data, guint64 steps);
  gpointer data;
} IfbamLanesRun;

/* Steps after which a lane diverged; this: it did not. */
#define IFBAM_LANES_FINE G_MAXUINT64

/* Runs the first n lanes from their start. diverged [n]: the first step at which a run by itself
 * (ifbam_run) would have stopped. FALSE: interrupted. */
gboolean ifbam_lanes_run (IfbamLanes *lanes, gsize n, const IfbamLanesRun *run, guint64 *diverged);

/* In row(): a signal's value in each lane [width]: either scratch [width] or the lanes' own. */
const double *ifbam_lanes_signal (IfbamLanes *lanes, const IfbamSignal *signal, double *scratch);
