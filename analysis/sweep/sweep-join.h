/* sweep-join.h: the parts of a sweep, which several machines have run, as the table of the whole
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* The CSV of all variants (transfer full) from those of the parts, in their order; the first has the header. best: as of
 * ifbam_grid_set_best(), or NULL. NULL with IFBAM_ERROR_COURSE or IFBAM_ERROR_USAGE. */
GString *ifbam_sweep_join (const char *const *paths, const char *best, GError **error);
