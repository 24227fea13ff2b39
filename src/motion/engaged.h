/* engaged.h: what links with modes do to the step that a network bears, while they are at work
 *
 * A contact that is closed swings with what it carries; a ball that lies in a hollow of its ground swings
 * like a pendulum as long as the hollow's radius. Neither is there at the start, or not for long; a step
 * that is too long for it makes energy out of nothing all the same. Links count one at a time, together with
 * the links of batches about them: a Rayleigh quotient, so that no frequency is above that of the network
 * with the link at work.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "motion/linearization.h"

/* Growth of an amplitude over a run that is seen. */
#define IFBAM_VISIBLE_GROWTH 0.01

typedef struct
{
  const IfbamLink *link; /* not owned */
  int mode;              /* at work in this; -1: at rest in a hollow */
  gboolean from_start;   /* it is so from the start on; else for half a swing at a time */
  double frequency;      /* angular, without damping [1/s] */
  double damping;        /* decay rate of a velocity by itself [1/s] */
} IfbamEngagement;

/* Of a network about its start: those that can matter most (IfbamEngagement; transfer full). NULL with IFBAM_ERROR_NETWORK: a
 * law has no finite slope in a mode that it has or may come to. */
GArray *ifbam_engagements_find (const IfbamLinearization *linearization, GError **error);

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
