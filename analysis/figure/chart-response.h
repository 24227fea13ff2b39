/* chart-response.h: panels of a frequency response over one frequency axis
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart-script.h"

/* Appends the points of all curves, and all panels. */
void ifbam_script_append_response (GString *script, const IfbamDrawing *drawing);
/* Height of the picture [pixels]. */
guint ifbam_response_height (const IfbamDrawing *drawing);
/* Makes a chart of a single panel, for text; its curves are put into `curves` (IfbamCurve), which
 * outlives it. Phases have no title. */
IfbamChart ifbam_response_part (const IfbamChart *chart, const IfbamPanel *panel, GArray *curves);
