/* speed-axis.h: a network at speeds of rotation, which are a parameter or a key of an element
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

typedef struct
{
  const IfbamNetworkBytes *bytes; /* not owned */
  const char *const *settings;    /* not owned */
  char *name, *unit;              /* "motor.speed", "rpm" */
  double turns;                   /* turns per second at the speed 1 [Hz] */
  double nominal;                 /* speed in the file; NaN: not known */
  double from, to;                /* from < to */
  guint n;                        /* number of speeds */
} IfbamSpeedAxis;

/* Reads a speed of rotation, "30 rpm" or "0.5 Hz", in turns per second. FALSE with a reason (transfer
 * full). */
gboolean ifbam_speed_turns (const char *text, double *turns, char **reason);

/* Reads "speed=30rpm:50rpm" or "motor.speed=0rpm:3000rpm:61" for a network. FALSE with
 * IFBAM_ERROR_USAGE, or an error of the network; clear the axis in any case. */
gboolean ifbam_speed_axis_init (IfbamSpeedAxis *axis, const IfbamNetworkBytes *bytes,
                                const char *const *settings, const char *text, GError **error);
void ifbam_speed_axis_clear (IfbamSpeedAxis *axis);

/* The network at one speed. */
typedef struct
{
  IfbamNetwork *network;
  IfbamModel *model;
  IfbamRunSpec spec;
} IfbamAtSpeed;

/* Reads and compiles the network at a speed [unit]. Errors name the speed. */
gboolean ifbam_speed_axis_load (const IfbamSpeedAxis *axis, double speed, IfbamAtSpeed *at,
                                GError **error);
void ifbam_at_speed_clear (IfbamAtSpeed *at);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamAtSpeed, ifbam_at_speed_clear)
