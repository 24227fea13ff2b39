/* core-writer.h: writes a network as core text (embed/core.h), in SI units
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/network.h"

/* Receives a value of an element: key, and text. */
typedef void (*IfbamCoreSetter) (gpointer data, const char *key, const char *text);

/* Emits the values of [network]; scheme, step and start are those of the run spec. */
void ifbam_network_write_settings (const IfbamNetwork *network, const IfbamModel *model,
                                   const IfbamRunSpec *spec, IfbamCoreSetter set_value,
                                   gpointer data);
/* Emits the values of an element that were set, in the order of its class's table, members last. */
void ifbam_network_write_element (const IfbamNetwork *network, const IfbamModel *model,
                                  IfbamElement *element, IfbamCoreSetter set_value, gpointer data);
/* Returns the network, a line per element (transfer full). */
char *ifbam_network_core_text (const IfbamNetwork *network, const IfbamModel *model,
                               const IfbamRunSpec *spec);
