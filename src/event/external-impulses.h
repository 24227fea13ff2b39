/* external-impulses.h: external impulses, and the constraints that transmit them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* An external impulse that acts at an event. */
typedef struct
{
  guint impulse; /* index in model->impulses */
  double value;  /* [N s], restitution or energy [J], by its kind */
} IfbamExternalImpulse;

/* Applies external impulses (n) of one time after the step's start. Failure:
 * self->base.log->failure. */
void ifbam_event_apply_external_impulses (IfbamEventEngine *self, double time,
                                          const IfbamExternalImpulse *strikes, guint n);
