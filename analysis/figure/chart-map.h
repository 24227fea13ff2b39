/* chart-map.h: values over a plane, as colours or characters
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "figure/foreach.h"

/* Returns the script for a chart's maps, or the maps as text (transfer full); NULL with
 * IFBAM_ERROR_USAGE or IFBAM_ERROR_COURSE: there is nothing to draw. */
GString *ifbam_map_script (const IfbamChart *chart, const char *path, GError **error);
char *ifbam_map_text (const IfbamChart *chart, guint columns, guint lines, GError **error);
