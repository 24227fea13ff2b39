/* event-faces.h: who acts and who slips among many, guessed by the faces of their cones
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-bound.h"

typedef struct _IfbamFaces IfbamFaces;

/* For what bounds (n; the caller's) are asked, or, if soon, for what is asked soon where rates are 0: what slips already (it is
 * asked a rate, and soon) goes on. braked: contacts pull for that; else nobody is braked by it. */
IfbamFaces *ifbam_event_faces_new (IfbamEventEngine *self, IfbamBound *bounds, guint n,
                                   gboolean soon, gboolean braked);
void ifbam_event_faces_free (IfbamFaces *faces);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamFaces, ifbam_event_faces_free)

/* The next guess: sets active of what pushes, and slips of what it carries and is free to choose; of their numbers, lambda and
 * rest are anything then. Returns by how large a part of the largest rate that slips it is another problem than the last one. */
double ifbam_event_faces_guess (IfbamFaces *faces, double time);
