/* lab.h: a network as a page that runs it: the core as WebAssembly, and what the page has to know
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "lab/lab-data.h"

/* Whether the core was compiled in; else the page stands still, and says so. */
gboolean ifbam_lab_has_core (void);
/* Why a report of the network has no laboratory: "its 20000 elements are more than …" (transfer full); NULL: it may have
 * one. */
char *ifbam_lab_why_not (const IfbamModel *model, const IfbamRunSpec *spec);

/* The page's text (transfer full). */
char *ifbam_lab_page (const IfbamNetwork *network, const IfbamModel *model,
                      const IfbamRunSpec *spec, const IfbamLabNames *names, gsize *length);
/* What another page takes in: the element with id "laboratory", and behind all else its scripts (both transfer full). */
char *ifbam_lab_section (const IfbamNetwork *network, const IfbamModel *model,
                         const IfbamRunSpec *spec, const IfbamLabNames *names, char **scripts);
