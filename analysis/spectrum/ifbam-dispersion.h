/* ifbam-dispersion.h: correction of a mode's frequency and decay rate for the scheme's error
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

gboolean ifbam_undo_dispersion (const char *scheme, double step, double frequency,
                                double decay_rate, double *corrected_frequency,
                                double *corrected_decay_rate, GError **error);

#pragma GCC visibility pop
G_END_DECLS
