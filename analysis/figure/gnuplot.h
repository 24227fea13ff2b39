/* gnuplot.h: runs gnuplot for a picture or text
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

/* Returns gnuplot's output for a script (transfer full); takes ownership of the script. NULL with
 * IFBAM_ERROR_PROGRAM: gnuplot is not installed, or failed. */
GBytes *ifbam_gnuplot_run (GString *script, GError **error);
