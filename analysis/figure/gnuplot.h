/* gnuplot.h: a script's picture or text, by gnuplot
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

/* The picture or the text that gnuplot writes for the script, which is taken over; to be freed by the caller.
 * NULL with IFBAM_ERROR_PROGRAM: gnuplot is not installed, or reports an error. */
GBytes *ifbam_gnuplot_run (GString *script, GError **error);
