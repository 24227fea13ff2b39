/* cautions.h: warnings about courses, samples and scheduled events that do not fit the steps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"

/* Returns the warnings about a run (transfer full). stability: NULL: not known. */
GPtrArray *ifbam_cautions_list (const IfbamModel *model, const IfbamRunSpec *spec,
                                const IfbamStability *stability);
/* Returns the warning that all modes lie above half of the sampling frequency (transfer full);
 * NULL: not so, or not known. Runs do not warn of it, as few samples may be intended. */
char *ifbam_cautions_rows_text (const IfbamRunSpec *spec, const IfbamStability *stability);
/* Returns the warning about a mode's alias in the run's spectrum (transfer full), or NULL. */
char *ifbam_cautions_alias_text (const IfbamModel *model, const IfbamRunSpec *spec);
