/* advance-islands.h: who is brought to an instant to take part in it
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

#define IFBAM_SLOW      1e-9 /* of the fastest approach */
#define IFBAM_REST_RISE 1e-9 /* of the largest coordinate: what still bounces at rest */
#define IFBAM_REST_TIME 1    /* of a step: what the rest of the bounces takes */
#define IFBAM_NEAR      1e-6 /* of the largest coordinate: neighbours worth a closer look */
#define IFBAM_TIE       1e-12

/* Brings an island to a time after the step's start; it is then affected. */
void ifbam_event_bring (IfbamEventEngine *self, guint32 island, double time);

/* The same for those of a link's ends. */
void ifbam_event_bring_ends (IfbamEventEngine *self, guint32 link, double time);

/* A link takes part in the instant's impulses if it could pass one on now; fired: it could. */
void ifbam_event_consider (IfbamEventEngine *self, guint32 link, double time, gboolean fired);

/* The same for a node's links. */
void ifbam_event_consider_node (IfbamEventEngine *self, guint32 node, double time);

/* A link's rate now; its row is set. */
static inline double
ifbam_link_rate (IfbamEventEngine *self, guint32 number, double *delta)
{
  return ifbam_link_measure (ifbam_link (self, number), self->x, self->v, delta,
                             self->link[number].row);
}

/* A link's acceleration with what is in acceleration[]; its row has been measured. */
double ifbam_link_acceleration (const IfbamEventEngine *self, guint32 link);

/* The rate that its row gets by an impulse of 1. */
double ifbam_link_weight (const IfbamEventEngine *self, guint32 link);

gboolean ifbam_link_touches (IfbamEventEngine *self, guint32 link);
