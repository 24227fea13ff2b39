/* load.h: reads and compiles the networks of a command line
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"
#include "program/options.h"

/* Network that is read and compiled; all but the path is owned. */
typedef struct
{
  const char *path;
  IfbamNetwork *network;
  const char *title; /* NULL: none */
  IfbamModel *model;
  IfbamRunSpec spec;
  IfbamSignals *signals; /* recorded signals; NULL: not read */
} IfbamLoaded;

/* Reads and compiles the network of a file, under the options. records: also the recorded signals.
 * FALSE with an error; loaded must be cleared in any case. */
gboolean ifbam_load (IfbamLoaded *loaded, const IfbamNetworkOptions *options, const char *path,
                     gboolean records, GError **error);
/* As above, with another function that compiles the model and signals. */
gboolean ifbam_load_by (IfbamLoaded *loaded, const IfbamNetworkOptions *options, const char *path,
                        const IfbamCompiling *compiling, GError **error);
void ifbam_loaded_clear (IfbamLoaded *loaded);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamLoaded, ifbam_loaded_clear)
/* Puts the path before an error of an analysis and prints it; returns the exit code. */
int ifbam_loaded_fail (const IfbamLoaded *loaded, GError *error);

/* Reads a network without compiling it; NULL with an error. */
IfbamNetwork *ifbam_command_load (const IfbamNetworkOptions *options, const char *path,
                                  GError **error);
/* Prints a note for each course of a network without a known unit or quantity. */
void ifbam_command_note_courses (const IfbamNetwork *network);
/* Returns the growth of modes under schemes (transfer full); NULL with an error with the path. */
IfbamStability *ifbam_command_stability_of (const IfbamLoaded *loaded, GError **error);
/* Returns the start of a run: "warm", "cold" or "equilibrium". */
const char *ifbam_command_start (const IfbamRunSpec *spec);

/* Prints a note about nonlinear links (takes names). result: "the modes are those". */
void ifbam_command_note_nonlinear (GStrv names, const char *result);
/* Prints a note that the network is not at rest at its start. result: "the modes are those". */
void ifbam_command_note_held (const char *result);
