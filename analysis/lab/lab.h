/* lab.h: a network as a page that runs it: the core as WebAssembly, and the data of the page
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "lab/lab-data.h"

/* Whether the core was compiled in; else the page stands still, and says so. */
gboolean ifbam_lab_has_core (void);
/* Why the network is too large for a page, or its run too long: "its 20000 nodes, links and sources are more than …"
 * (transfer full); NULL: it may have one. A page that was asked for may take four times as long as one in a report. */
char *ifbam_lab_why_not (const IfbamModel *model, const IfbamRunSpec *spec, gboolean is_asked_for);

/* The page's text (transfer full). */
char *ifbam_lab_page (const IfbamNetwork *network, const IfbamModel *model,
                      const IfbamRunSpec *spec, const IfbamLabNames *names, gsize *length);
/* Parts for another page: the element with id "laboratory", and behind all else its scripts (both transfer full). */
char *ifbam_lab_section (const IfbamNetwork *network, const IfbamModel *model,
                         const IfbamRunSpec *spec, const IfbamLabNames *names, char **scripts);
