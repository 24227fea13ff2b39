/* active-mode-stability.h: discrete states of a network that its start does not show, for the stability limit
 *
 * Each link with modes is examined in each mode that it can take: modes that its guards lead to, modes between which
 * instants or a monitor switch it, and modes whose constraint its reaction can release. Links are examined one at a time,
 * the others as they are at the start; links that are switched, in all combinations while these are at most
 * IFBAM_MAX_COMBINATIONS. A mode's own frequency and damping are those of a Rayleigh quotient along the link; small
 * networks have the whole network's matrices in that state as well (stability.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linearization.h"

/* Growth of an amplitude over a run that is seen. */
#define IFBAM_VISIBLE_GROWTH 0.01

/* Combinations of switched links that are examined, and so many links of them. */
#define IFBAM_MAX_COMBINATIONS 64
#define IFBAM_MAX_SWITCHED     6

/* A link's slopes in a mode, and those that they replace. */
typedef struct
{
  const IfbamLink *link; /* not owned */
  guint32 number;
  int mode;
  double stiffness, damping;         /* dF/ddelta, dF/drate */
  double own_stiffness, own_damping; /* in the mode that it has at the start */
  double row[IFBAM_MAX_PORTS];       /* d delta / d x of the ports */
} IfbamModeChange;

struct _IfbamStability;

typedef struct
{
  const IfbamLink *link; /* not owned; NULL: all laws are as steep as at the start */
  int mode;              /* at work in this; -1: at rest in a hollow */
  gboolean from_start;   /* it is so from the start on */
  gboolean persists; /* once it is so: instants or a monitor end it; else it lasts half a swing */
  gboolean listed;   /* none of the others that last alike is both faster and more damped */
  double frequency;  /* angular, without damping; 0: not known [1/s] */
  double damping;    /* decay rate of a velocity by itself [1/s] */
  guint n_changes;   /* of slopes at once, the first of them those of link */
  IfbamModeChange change[IFBAM_MAX_SWITCHED];
  struct _IfbamStability
      *state; /* the whole network in this state (owned by its stability); NULL: too large */
} IfbamEngagement;

/* Finds the states of a network about its start (IfbamEngagement, in the order of the file; transfer full); of
 * more than IFBAM_MAX_STATES_EXAMINED those that are listed. NULL with IFBAM_ERROR_NETWORK: a law has no finite slope in a mode that
 * it has or may come to. */
#define IFBAM_MAX_STATES_EXAMINED 256
GArray *ifbam_engagements_find (const IfbamLinearization *linearization, GError **error);

/* The larger of its frequency and its damping [1/s]. */
double ifbam_engagement_speed (const IfbamEngagement *engagement);

/* ln |z| of its fastest growing root per step. */
double ifbam_engagement_growth (const IfbamEngagement *engagement, const IfbamScheme *scheme,
                                double step);
/* For how much of a run it lasts, at a time [s]. */
double ifbam_engagement_lasts (const IfbamEngagement *engagement, double duration);
/* The step [s] up to which it does not grow so that it is seen while it lasts, or (critical) not at all if
 * that is for good; infinite: any. */
double ifbam_engagement_longest_step (const IfbamEngagement *engagement, const IfbamScheme *scheme,
                                      double duration, gboolean critical);
/* "while \"k\" is closed (159 Hz)", "while \"k\" rests in a hollow (3 Hz)" (transfer full). */
char *ifbam_engagement_text (const IfbamEngagement *engagement);
