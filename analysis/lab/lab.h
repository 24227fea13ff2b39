/* lab.h: a page that runs a network: the core as WebAssembly, and its data
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "lab/lab-data.h"

/* TRUE if the core was compiled in; otherwise the page can't run, and states that. */
gboolean ifbam_lab_has_core (void);
/* Returns the reason why the network is too large for a page, or its run too long: "its 20000
 * nodes, links and sources are more than …" (transfer full), or NULL. Four times when requested. */
char *ifbam_lab_refusal_text (const IfbamModel *model, const IfbamRunSpec *spec,
                              gboolean is_asked_for);

/* Returns the page's text (transfer full). */
char *ifbam_lab_page (const IfbamNetwork *network, const IfbamModel *model,
                      const IfbamRunSpec *spec, const IfbamLabNames *names, gsize *length);
/* Returns parts of a page: the element "laboratory"; the scripts, at the end (transfer full). */
char *ifbam_lab_section (const IfbamNetwork *network, const IfbamModel *model,
                         const IfbamRunSpec *spec, const IfbamLabNames *names, char **scripts);
