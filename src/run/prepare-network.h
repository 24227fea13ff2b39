/* prepare-network.h: from a network or its file to a model that a run takes: checked, with its step and its start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

/* As ifbam_network_new_from_file(), of bytes that were read. */
IfbamNetwork *ifbam_network_new_from_bytes (const IfbamNetworkBytes *bytes,
                                            const char *const *settings, GError **error);

/* As ifbam_network_new_from_file, with what its check has compiled. keeps_text: the file's text is asked for. */
IfbamNetwork *ifbam_network_new_compiled (const char *path, const char *const *settings,
                                          gboolean keeps_text, IfbamModel **model,
                                          IfbamRunSpec *spec, IfbamSignals **signals,
                                          GError **error);

/* Checks everything; adds what is wrong to issues. Returns the compiled network, or NULL. Signals are
 * resolved if signals is not NULL. */
IfbamModel *ifbam_network_compile (IfbamNetwork *network, gboolean with_duration,
                                   IfbamRunSpec *spec, IfbamSignals **signals, GArray *issues);

/* The same of some of the elements, with the nodes of a subnetwork, which the model takes over: see network-graph.h. */
IfbamModel *ifbam_network_compile_subnetwork (IfbamNetwork *network, const GPtrArray *elements,
                                              IfbamSubnetwork *subnetwork, IfbamRunSpec *spec,
                                              IfbamSignals **signals, GArray *issues);

/* ifbam_network_compile() with an error that has a line for each issue. */
IfbamModel *ifbam_network_compile_or_error (IfbamNetwork *network, gboolean with_duration,
                                            IfbamRunSpec *spec, IfbamSignals **signals,
                                            GError **error);

/* The same under other settings, for a run with rows. */
IfbamModel *ifbam_network_compile_as (IfbamNetwork *network, IfbamElement *settings,
                                      IfbamRunSpec *spec, IfbamSignals **signals, GError **error);
