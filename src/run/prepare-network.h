/* prepare-network.h: from a network or its file to a checked model with a step and a start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

/* As ifbam_network_new_from_file (), from bytes in memory. */
IfbamNetwork *ifbam_network_new_from_bytes (const IfbamNetworkBytes *bytes,
                                            const char *const *settings, GError **error);

/* As ifbam_network_new_from_file, with compilation results. keeps_text: stores the file's text. */
IfbamNetwork *ifbam_network_new_compiled (const char *path, const char *const *settings,
                                          gboolean keeps_text, IfbamModel **model,
                                          IfbamRunSpec *spec, IfbamSignals **signals,
                                          GError **error);

/* Checks everything and adds faults to issues. Returns the compiled network; NULL after a fault.
 * Resolves signals unless `signals` is NULL. */
IfbamModel *ifbam_network_compile (IfbamNetwork *network, gboolean with_duration,
                                   IfbamRunSpec *spec, IfbamSignals **signals, GArray *issues);

/* Compiles some elements, and the nodes of a subnetwork (taken over): see network-graph.h. */
IfbamModel *ifbam_network_compile_subnetwork (IfbamNetwork *network, const GPtrArray *elements,
                                              IfbamSubnetwork *subnetwork, IfbamRunSpec *spec,
                                              IfbamSignals **signals, GArray *issues);

/* As ifbam_network_compile (), with an error that has one line per issue. */
IfbamModel *ifbam_network_compile_or_error (IfbamNetwork *network, gboolean with_duration,
                                            IfbamRunSpec *spec, IfbamSignals **signals,
                                            GError **error);

/* With other settings, for a run with samples. */
IfbamModel *ifbam_network_compile_as (IfbamNetwork *network, IfbamElement *settings,
                                      IfbamRunSpec *spec, IfbamSignals **signals, GError **error);
