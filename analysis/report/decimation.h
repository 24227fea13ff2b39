/* decimation.h: thins a course during a run to the points that a picture needs
 *
 * Few rows are all kept. Otherwise each interval of rows leaves two points per signal, its smallest
 * and its largest value in their order, so that the picture equals that of all rows. The points are
 * at the first and the last row of the interval, where a monotonous course has them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint n_signals;
  double interval; /* between rows; the first is at 0 [s] */
  guint64 stretch; /* rows per two points; 1: every row is a point */
  gsize n_points;
  GArray *points; /* float: signals of each point (n_points * n_signals) */

  guint64 n_rows;     /* added so far */
  guint64 last;       /* expected rows */
  double *low, *high; /* of the present interval (n_signals) */
  guint64 *low_row, *high_row;
} IfbamDecimatedSeries;

/* Creates a trace for at most n_rows rows at an interval [s] (later: ignored); most: points. */
IfbamDecimatedSeries *ifbam_decimated_series_new (guint n_signals, double interval, guint64 n_rows,
                                                  gsize most);
void ifbam_decimated_series_free (IfbamDecimatedSeries *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamDecimatedSeries, ifbam_decimated_series_free)

void ifbam_decimated_series_row (IfbamDecimatedSeries *trace, const double *values);
/* Closes the last interval. No row may follow. */
void ifbam_decimated_series_end (IfbamDecimatedSeries *trace);
