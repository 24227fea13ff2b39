/* load.h: the networks of a command line, read and compiled
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"
#include "program/options.h"

/* A network that is read and compiled; all but the path is owned. */
typedef struct
{
  const char *path;
  IfbamNetwork *network;
  const char *title; /* NULL: none */
  IfbamModel *model;
  IfbamRunSpec spec;
  IfbamSignals *signals; /* that are recorded; NULL: they were not read */
} IfbamLoaded;

/* Reads and compiles the network of a file, under the options. records: reads the recorded signals, too. FALSE with an
 * error; what is loaded has to be cleared in any case. */
gboolean ifbam_load (IfbamLoaded *loaded, const IfbamNetworkOptions *options, const char *path,
                     gboolean records, GError **error);
/* The same by a function that compiles a model, with signals. */
gboolean ifbam_load_by (IfbamLoaded *loaded, const IfbamNetworkOptions *options, const char *path,
                        const IfbamCompiling *compiling, GError **error);
void ifbam_loaded_clear (IfbamLoaded *loaded);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamLoaded, ifbam_loaded_clear)
/* Puts the path before an error of an analysis and prints it; returns the exit code. */
int ifbam_loaded_fail (const IfbamLoaded *loaded, GError *error);

/* A network that is read, not compiled; NULL with an error. */
IfbamNetwork *ifbam_command_load (const IfbamNetworkOptions *options, const char *path,
                                  GError **error);
/* Prints a note for each course of a network without a known unit or quantity. */
void ifbam_command_note_courses (const IfbamNetwork *network);
/* The growth of modes under schemes (transfer full); NULL with an error that begins with the path. */
IfbamStability *ifbam_command_stability_of (const IfbamLoaded *loaded, GError **error);
/* The start of a run: "warm", "cold" or "equilibrium". */
const char *ifbam_command_start (const IfbamRunSpec *spec);

/* Prints a note if there are nonlinear links (names: taken over). result: "the modes are those", of small motions. */
void ifbam_command_note_nonlinear (GStrv names, const char *result);
