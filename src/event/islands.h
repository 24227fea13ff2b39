/* islands.h: partition of the network into components, and of these into islands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

void ifbam_islands_init (IfbamEventEngine *self);

/* Updates the component of the whole network after components became active or inactive. */
void ifbam_islands_update_whole (IfbamEventEngine *self);

void ifbam_islands_clear (IfbamEventEngine *self);

/* Makes one island of each component, without active constraints. */
void ifbam_islands_restart (IfbamEventEngine *self);
/* Makes the islands anew at a sample, from the modes of the links. */
void ifbam_islands_rebuild (IfbamEventEngine *self);

/* Regroups the components of the affected islands, all of the same time, by links that couple at
 * present; then `affected` lists the new islands. */
void ifbam_islands_regroup (IfbamEventEngine *self);
