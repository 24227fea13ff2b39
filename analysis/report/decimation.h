/* decimation.h: a course thinned while it is run, to as many points as a picture has room for
 *
 * Of few rows all are kept. Of many, each stretch leaves two points for every signal, its smallest and
 * its largest value in the order in which they came, so that nothing that stands out is lost and the
 * picture is that of all rows. The two stand at the first and at the last row of their stretch: where a
 * course only rises or falls, they are its own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint n_signals;
  double interval; /* between rows; the first is at 0 [s] */
  guint64 stretch; /* rows that two points stand for; 1: every row is a point */
  gsize n_points;
  GArray *points; /* float: of each point its signals (n_points * n_signals) */

  guint64 n_rows;     /* so far */
  guint64 last;       /* rows that are wanted */
  double *low, *high; /* of the stretch so far (n_signals) */
  guint64 *low_row, *high_row;
} IfbamTrace;

/* Of rows so much apart [s], at most n_rows of them (others are left out); most: points. */
IfbamTrace *ifbam_trace_new (guint n_signals, double interval, guint64 n_rows, gsize most);
void ifbam_trace_free (IfbamTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamTrace, ifbam_trace_free)

void ifbam_trace_row (IfbamTrace *trace, const double *values);
/* Closes the last stretch. No row may follow. */
void ifbam_trace_end (IfbamTrace *trace);
