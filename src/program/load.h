/* load.h: the networks of a command line, read and compiled
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"
#include "program/options.h"

/* The network that the options make of a file. */
IfbamNetwork *ifbam_command_load (const IfbamNetworkOptions *options, const char *path,
                                  GError **error);
/* Says of which courses in it nothing tells what they are. */
void ifbam_command_note_courses (const IfbamNetwork *network);
/* The same with its model, a spec and, where somebody wants them, the recorded signals. */
IfbamNetwork *ifbam_command_compile (const IfbamNetworkOptions *options, const char *path,
                                     IfbamModel **model, IfbamRunSpec *spec, IfbamSignals **signals,
                                     GError **error);
/* The same with a model of another function's making; NULL: of the whole network. */
IfbamNetwork *ifbam_command_compile_by (const IfbamNetworkOptions *options, const char *path,
                                        const IfbamCompiling *compiling, IfbamModel **model,
                                        IfbamRunSpec *spec, IfbamSignals **signals, GError **error);
/* What schemes do to a network (transfer full); NULL: it can't be said, and why, after the file's name. */
IfbamStability *ifbam_command_stability_of (const char *path, const IfbamModel *model,
                                            const IfbamRunSpec *spec, GError **error);
/* "warm", "cold" or "equilibrium": how a model starts. */
const char *ifbam_command_start (const IfbamRunSpec *spec);

/* Tells which links are not linear (names, taken over), so that what was asked for is of small motions: "the modes
 * are those". */
void ifbam_command_note_nonlinear (GStrv names, const char *what);
