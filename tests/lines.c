/* lines.c: rows that are sums of decaying sines, for tests
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lines.h"

#include <math.h>

Rows
make_rows (double from, gsize n, double step)
{
  Rows rows = { n, g_new (double, n), g_new0 (double, n) };

  for (gsize i = 0; i < n; i++)
    rows.times[i] = from + (double) i * step;
  return rows;
}

void
clear_rows (Rows *rows)
{
  g_free (rows->times);
  g_free (rows->values);
}

void
add_line (Rows *rows, double frequency, double amplitude, double phase, double decay)
{
  for (gsize i = 0; i < rows->n; i++)
    rows->values[i] += amplitude * exp (-decay * rows->times[i])
                       * cos (2 * G_PI * frequency * rows->times[i] + phase);
}
