/* c-source.h: a network as C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

/* Returns the reason why a network can't be written as C, with the element: "stop (impact) has
 * events" (transfer full); NULL: it can. */
char *ifbam_c_fault (const IfbamModel *model, const IfbamRunSpec *spec);
/* Returns an error if the generated C can't compute a signal (transfer full); NULL: it can. */
char *ifbam_c_signals_fault (const IfbamSignals *signals);

/* Returns a self-contained C file (transfer full). Its main, which alone needs a C library, prints samples. title: for the first line; columns: of the samples. NULL with an error. */
char *ifbam_c_source (const IfbamModel *model, const IfbamRunSpec *spec,
                      const IfbamSignals *signals, const char *title, GError **error);

/* Returns C for the generated-code engine (transfer full). It contains no parameter values; they
 * are returned in numbers (double, transfer full). Samples: positions and rates of nodes (n,
 * increasing indices). Parameters don't change the text. */
char *ifbam_c_engine_source (const IfbamModel *model, const IfbamRunSpec *spec, const gsize *nodes,
                             gsize n, GArray **numbers, GError **error);
