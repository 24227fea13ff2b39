/* speed-modes.h: vibration modes of a network at a speed of rotation
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/mode-tracking.h"
#include "sweep/speed-axis.h"
#include "sweep/steady-amplitudes.h"

/* Direction of a mode's orbit against gyroscopic or follower forces. */
typedef enum
{
  IFBAM_WHIRL_BACKWARD = -1,
  IFBAM_WHIRL_NONE,
  IFBAM_WHIRL_FORWARD, /* gyroscopic forces raise the frequency; follower forces drive it */
} IfbamWhirl;

typedef struct
{
  double speed;
  IfbamModeShapes *shapes;
  IfbamModeTrack *track; /* NULL: not tracked yet */
  IfbamWhirl *whirl;     /* by mode (shapes->n) */
  GArray *sources;       /* IfbamExcitation */
  GStrv nonlinear;       /* names of nonlinear links */
  gboolean held;         /* no equilibrium: the network is held at its start */
} IfbamSpeedModes;

/* Computes the `count` slowest modes (0: all) and some more; of small networks all. Errors name the
 * speed. */
IfbamSpeedModes *ifbam_speed_modes_new (const IfbamSpeedAxis *axis, double speed, guint count,
                                        GError **error);
void ifbam_speed_modes_free (IfbamSpeedModes *modes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSpeedModes, ifbam_speed_modes_free)
