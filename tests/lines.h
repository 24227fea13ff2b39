/* lines.h: rows that are sums of decaying sines, for tests
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  gsize n;
  double *times, *values; /* (n) */
} Rows;

/* n rows of zeros, from a time on [s]. */
Rows make_rows (double from, gsize n, double step);
void clear_rows (Rows *rows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rows, clear_rows)

/* Adds amplitude exp (-decay t) cos (2 pi frequency t + phase). */
void add_line (Rows *rows, double frequency, double amplitude, double phase, double decay);
