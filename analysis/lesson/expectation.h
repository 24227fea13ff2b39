/* expectation.h: comparisons of measures, "max(m1.position, 1 s..2 s) < 5 mm"
 *
 * | text | meaning |
 * | --- | --- |
 * | LEFT < RIGHT, LEFT > RIGHT | expressions of quantities and measures |
 * | LEFT within 1 % of RIGHT | also within a quantity, "within 2 mm of" |
 * | diverges, holds | the run ends early by divergence, or does not |
 *
 * A measure is MEASURE(SIGNAL) or MEASURE(SIGNAL, FROM..TO), with the words of `ifbam sweep
 * --measure`; frequency(mode N), damping(mode N); frequency(SIGNAL): of the strongest line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/sweep.h"

typedef struct _IfbamExpectation IfbamExpectation;

/* NULL with a reason (transfer full). Units are checked when it is tested. */
IfbamExpectation *ifbam_expectation_new (const char *text, guint line, char **reason);
void ifbam_expectation_free (gpointer expectation);
const char *ifbam_expectation_text (const IfbamExpectation *expectation);
guint ifbam_expectation_line (const IfbamExpectation *expectation);

/* Compares the network with an expectation. settings: NULL-terminated. detail: receives the text and
 * the computed values (transfer full). FALSE with an error: it could not be tested. */
gboolean ifbam_expectation_test (const IfbamExpectation *expectation,
                                 const IfbamNetworkBytes *bytes, const char *const *settings,
                                 const IfbamSweepRun *run, gboolean *fulfilled, char **detail,
                                 GError **error);
