/* core-writer.h: a network as the core reads it (embed/core.h), in SI units
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/network.h"

/* A value of an element as it stands in its line: key, and text. */
typedef void (*IfbamCoreTeller) (gpointer data, const char *key, const char *text);

/* The values of [network]: scheme, step and start as a run spec has them. */
void ifbam_network_tell_settings (const IfbamNetwork *network, const IfbamModel *model,
                                  const IfbamRunSpec *spec, IfbamCoreTeller tell, gpointer data);
/* The values that were set of an element, in the order of its class's table, members last. */
void ifbam_network_tell_element (const IfbamNetwork *network, const IfbamModel *model,
                                 IfbamElement *element, IfbamCoreTeller tell, gpointer data);
/* All of it, a line for an element (transfer full). */
char *ifbam_network_core_text (const IfbamNetwork *network, const IfbamModel *model,
                               const IfbamRunSpec *spec);
