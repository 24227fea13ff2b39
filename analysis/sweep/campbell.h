/* campbell.h: eigenfrequencies over a speed of rotation, and the speeds at which orders excite them
 *
 * An order excites a mode where order * turns per second equals the eigenfrequency: a crossing in
 * the diagram of Campbell 1924 (Trans. ASME 46, 31). Modes are tracked by shape (mode-tracking.h),
 * between speeds where this is certain.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/speed-modes.h"

typedef struct
{
  const IfbamNetworkBytes *bytes; /* not owned */
  const char *const *settings;    /* ELEMENT.KEY=VALUE, NULL-terminated */
  const char *speed;              /* "speed=30rpm:50rpm", "motor.speed=0rpm:3000rpm:61" */
  const double *orders;           /* besides those of the sources (n_orders) */
  gsize n_orders;
  const char *const *signals; /* for steady amplitudes, with wildcards; NULL: none */
  guint count;                /* number of modes, the slowest */
  IfbamResponseProgress progress;
  gpointer data;
} IfbamCampbellRequest;

typedef struct
{
  char *source; /* NULL: requested */
  double order; /* frequency per turns per second */
} IfbamOrder;

typedef struct
{
  guint mode, order;       /* indices */
  double speed, frequency; /* [unit of speeds], [Hz] */
  double damping_ratio;
} IfbamCrossing;

typedef struct
{
  double speed, amplitude; /* infinite: an undamped mode is excited */
} IfbamAmplitudePeak;

typedef struct
{
  char *name, *unit; /* of the speed: "motor.speed", "rpm" */
  double turns;      /* turns per second at the speed 1 [Hz] */
  double nominal;    /* speed in the file */
  gsize n;
  double *speed; /* increasing, in `unit` (n) */
  guint n_modes;
  /* NaN: the mode does not oscillate there [Hz] (n_modes)(n) */
  double *frequency, *damping_ratio;
  IfbamWhirl *whirl;    /* (n_modes)(n) */
  GArray *orders;       /* IfbamOrder */
  GArray *crossings;    /* IfbamCrossing, by speed */
  GPtrArray *unrelated; /* char*: sources that follow the speed, but not in proportion */
  guint n_signals;
  GPtrArray *signals, *units; /* char* (n_signals) */
  double *amplitude;          /* of the sum of all orders of sources (n_signals)(n) */
  IfbamAmplitudePeak *peaks;  /* largest amplitudes (n_signals) */
  GStrv nonlinear;            /* names of nonlinear links */
  gboolean held;              /* no equilibrium: the network is held at its start */
} IfbamCampbell;

/* IFBAM_ERROR_USAGE: the speed, or faults of names; IFBAM_ERROR_NETWORK; IFBAM_ERROR_INTERRUPTED. */
IfbamCampbell *ifbam_campbell_new (const IfbamCampbellRequest *request, GError **error);
void ifbam_campbell_free (IfbamCampbell *campbell);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamCampbell, ifbam_campbell_free)
