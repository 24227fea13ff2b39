/* chart-map.h: values over a plane, as colours or as characters
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "figure/foreach.h"

/* A script for the maps of a chart, or the maps as text (transfer full); NULL with IFBAM_ERROR_USAGE or IFBAM_ERROR_COURSE:
 * nothing is to be seen. */
GString *ifbam_map_script (const IfbamChart *chart, const char *path, GError **error);
char *ifbam_map_text (const IfbamChart *chart, guint columns, guint lines, GError **error);
