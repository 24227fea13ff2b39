/* sweep-join.h: joins the tables of a sweep's parts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Returns the CSV of all variants (transfer full) from those of the parts in order; the first has
 * the header. best: see ifbam_grid_set_best(), or NULL. NULL with IFBAM_ERROR_COURSE or
 * IFBAM_ERROR_USAGE. */
GString *ifbam_sweep_join (const char *const *paths, const char *best, GError **error);
