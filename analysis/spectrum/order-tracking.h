/* order-tracking.h: courses over the turns of a shaft, and amplitudes of orders
 *
 * Computed order tracking (Fyfe & Munck 1997, Mech. Syst. Signal Process. 11, 187): samples at equal
 * angles make an order of a changing speed one line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-course.h"

/* Name of the signal with the time, in a course over turns. */
#define IFBAM_TURNS_TIME "time of the turn"

/* Returns the course over the turns of a shaft, at even distances (transfer full): its "times" are
 * turns, and IFBAM_TURNS_TIME is a further signal. signal: an angle in rad, or a speed in rad/s. NULL
 * with IFBAM_ERROR_COURSE: another unit, or the shaft does not turn one way. */
IfbamCourse *ifbam_course_over_turns (IfbamCourse *course, const char *signal, GError **error);

/* Amplitudes of an order over the turns, in segments that overlap by three quarters. */
typedef struct
{
  gsize n;
  double *turn, *amplitude; /* of the segments' middles (n) */
} IfbamOrderCut;

/* turns, values: at even distances (n_rows). segment: in turns, at least 1. */
void ifbam_order_cut_find (const double *turns, const double *values, gsize n_rows, double order,
                           double segment, IfbamOrderCut *cut);
void ifbam_order_cut_clear (IfbamOrderCut *cut);

/* Returns the speeds [1/s] at turns (n) from the times of turns (n_rows), by differences over one turn
 * (transfer full). */
double *ifbam_turns_speeds (const double *turns, const double *times, gsize n_rows,
                            const double *at, gsize n);
