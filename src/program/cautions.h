/* cautions.h: warnings about courses, rows and instants that do not fit the steps of a run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"

/* Returns the warnings about a run (texts without a line's end; transfer full). stability: NULL where it is not known. */
GPtrArray *ifbam_cautions_list (const IfbamModel *model, const IfbamRunSpec *spec,
                                const IfbamStability *stability);
/* Returns the warning that all modes lie above half of the rows' frequency (transfer full); NULL: not so, or not known. A run
 * does not warn of it: few rows may be wanted. */
char *ifbam_cautions_rows_text (const IfbamRunSpec *spec, const IfbamStability *stability);
/* Returns the warning that a spectrum of a run's rows shows a mode at a wrong frequency (transfer full); NULL: there is none. */
char *ifbam_cautions_alias_text (const IfbamModel *model, const IfbamRunSpec *spec);
