/* dual-transfer.h: transfer of clusters between the compiled and the event engine
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/dual-parts.h"

/* Saves the compiled engine's state in self->kept. Returns its values (not owned). */
double *ifbam_dual_save_state (IfbamDualEngine *self);

/* Saves the compiled engine's state in `kept` with active components' state from the event engine,
 * and restores it, so that the compiled engine continues with the true state. */
void ifbam_dual_write_state (IfbamDualEngine *self);

/* Sets the event engine to the present step, unless active clusters keep it there. */
void ifbam_dual_set_event_engine (IfbamDualEngine *self);

/* Returns the compiled engine's columns (not owned); NULL: positions and velocities suffice. */
const double *ifbam_dual_columns (IfbamDualEngine *self);

/* Activates the clusters with a possible crossing. */
void ifbam_dual_activate (IfbamDualEngine *self);

/* Deactivates the clusters that have been free of events for long enough. */
void ifbam_dual_deactivate (IfbamDualEngine *self);
