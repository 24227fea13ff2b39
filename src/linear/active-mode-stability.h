/* active-mode-stability.h: discrete states other than that of the start, for the stability limit
 *
 * Each link with modes is examined in each mode that it can take: modes reached by its guards, by
 * scheduled events, by a monitor, or by the release of a reaction. The other links keep the mode of
 * the start; switched links are examined in all combinations, up to IFBAM_MAX_COMBINATIONS. A
 * mode's frequency and damping are Rayleigh quotients along the link; small networks also get the
 * matrices of the whole network in that state (stability.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linearization.h"

/* Growth of an amplitude over a run that counts as visible. */
#define IFBAM_VISIBLE_GROWTH 0.01

/* Largest number of combinations of switched links, and of switched links in them. */
#define IFBAM_MAX_COMBINATIONS 64
#define IFBAM_MAX_SWITCHED     6

/* Force derivatives of a link in a mode, and those at the start, which they replace. */
typedef struct
{
  const IfbamLink *link; /* not owned */
  guint32 number;
  int mode;
  double stiffness, damping;         /* dF/ddelta, dF/drate */
  double own_stiffness, own_damping; /* in the mode at the start */
  double row[IFBAM_MAX_PORTS];       /* d delta / d coordinates of the ports */
} IfbamModeChange;

struct _IfbamStability;

typedef struct
{
  const IfbamLink *link; /* not owned; NULL: laws with the larger derivatives of the start */
  int mode;              /* active in this mode; -1: at rest on a concave surface */
  gboolean from_start;   /* it is the state at the start */
  gboolean persists;     /* ended by scheduled events or a monitor; else it lasts half a period */
  gboolean listed;       /* no other state of the same kind is both faster and more damped */
  double frequency;      /* angular frequency without damping; 0: not known [1/s] */
  double damping;        /* decay rate of the link's rate by itself [1/s] */
  guint n_changes;       /* number of links that change; the first one is link */
  IfbamModeChange change[IFBAM_MAX_SWITCHED];
  struct _IfbamStability
      *state; /* whole network in this state (owned by its stability); NULL: too large */
} IfbamActiveMode;

/* Finds the states of a network about its start (IfbamActiveMode, in the order of the file;
 * transfer full). If there are more than IFBAM_MAX_STATES_EXAMINED, only listed ones are returned.
 * NULL with IFBAM_ERROR_NETWORK: a law has no finite derivative in a mode. */
#define IFBAM_MAX_STATES_EXAMINED 256
GArray *ifbam_active_modes_find (const IfbamLinearization *linearization, GError **error);

/* Returns the larger of frequency and damping [1/s]. */
double ifbam_active_mode_speed (const IfbamActiveMode *active_mode);

/* Returns ln |z| of the fastest growing root per step. */
double ifbam_active_mode_growth (const IfbamActiveMode *active_mode, const IfbamScheme *scheme,
                                 double step);
/* Returns the time that the state lasts within a run [s]. */
double ifbam_active_mode_lasts (const IfbamActiveMode *active_mode, double duration);
/* Returns the longest step [s] without visible growth while the state lasts; with critical, and if
 * it persists, without any growth. Infinite: every step. */
double ifbam_active_mode_longest_step (const IfbamActiveMode *active_mode,
                                       const IfbamScheme *scheme, double duration,
                                       gboolean critical);
/* Returns "while \"k\" is closed (159 Hz)" (transfer full). */
char *ifbam_active_mode_text (const IfbamActiveMode *active_mode);
