/* c-source.h: a network as C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

/* Why a network can't be written so, who stands in the way: "stop (impact) has events" (transfer full); NULL: it can. */
char *ifbam_c_fault (const IfbamModel *model, const IfbamRunSpec *spec);
/* Of signals that a file by itself can't tell, with what can (transfer full); NULL: it tells them. */
char *ifbam_c_signals_fault (const IfbamSignals *signals);

/* One file that needs a C library for its main only, which prints the rows of a run. title: of its first line; columns: of
 * the rows. (transfer full) NULL with an error: an element's law is not at hand. */
char *ifbam_c_source (const IfbamModel *model, const IfbamRunSpec *spec,
                      const IfbamSignals *signals, const char *title, GError **error);

/* The same for an engine: without numbers, which it is told (double, transfer full); rows are positions and rates of nodes
 * (n, increasing). Texts are the same for all values of a structure. */
char *ifbam_c_engine_source (const IfbamModel *model, const IfbamRunSpec *spec, const gsize *nodes,
                             gsize n, GArray **numbers, GError **error);
