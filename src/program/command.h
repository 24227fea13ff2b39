/* command.h: the program's commands, and their runs of networks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/dialogue.h"
#include "program/answer.h"
#include "program/load.h"
#include "program/options.h"
#include "program/progress.h"
#include "run/ifbam-events.h"
#include "run/run.h"

extern const IfbamCommand ifbam_command_run, ifbam_command_check, ifbam_command_elements,
    ifbam_command_schemes, ifbam_command_dialogue, ifbam_command_spectrum, ifbam_command_modes,
    ifbam_command_stability, ifbam_command_response, ifbam_command_equilibrium, ifbam_command_sweep,
    ifbam_command_plot, ifbam_command_report, ifbam_command_lab, ifbam_command_export,
    ifbam_command_rerun, ifbam_command_campbell, ifbam_command_fit, ifbam_command_orbit,
    ifbam_command_lesson, ifbam_command_section;

/* Sets the engine of a run; prints a note if it cannot be the one of the options. */
void ifbam_command_choose_engine (const IfbamNetworkOptions *options, const IfbamModel *model,
                                  const IfbamRunSpec *spec, IfbamRunTask *run);
/* Returns the course of a file: read from it, or computed if the file is a network. */
IfbamCourse *ifbam_command_course (const IfbamNetworkOptions *options, const char *path,
                                   GError **error);

/* Reads --from and --to, times [s]; NULL: none. FALSE with IFBAM_ERROR_USAGE. */
gboolean ifbam_command_read_window (const char *from, const char *to, double *first, double *last,
                                    GError **error);
/* Returns the rows of a course (transfer full, may be NULL) between --from and --to; NULL with an
 * error. */
IfbamCourse *ifbam_command_cut_course (IfbamCourse *course, const char *from, const char *to,
                                       GError **error);

/* The network, scheme and step that computed a course. */
typedef struct
{
  gboolean driven;       /* sources or given nodes cause lines of their own */
  gboolean nonlinear;    /* nonlinear laws cause overtones */
  IfbamNetwork *network; /* NULL: not known */
  const char *title;     /* of the network; NULL: none */
  IfbamModel *model;     /* of the network */
  IfbamEvents *events;   /* of the run; NULL: not run */
  IfbamRunSpec spec;     /* spec; if the network is not known, only scheme (or NULL) and step */
} IfbamOrigin;

void ifbam_origin_clear (IfbamOrigin *origin);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamOrigin, ifbam_origin_clear)

/* As above, with the origin; of files of courses from the network `of` (NULL: none) or options. */
IfbamCourse *ifbam_command_course_and_origin (const IfbamNetworkOptions *options, const char *path,
                                              const char *of, IfbamOrigin *origin, GError **error);

/* Prints, before a run, growth under the scheme and warnings about steps and samples. */
void ifbam_command_announce (const IfbamModel *model, const IfbamRunSpec *spec);

/* Runs a compiled network and emits its samples, after ifbam_command_announce(). SIGINT, SIGTERM or
 * SIGHUP interrupt it; emitted samples are kept. */
gboolean ifbam_command_execute (IfbamRunTask *run, const IfbamModel *model,
                                const IfbamSignals *signals, const IfbamRunSpec *spec,
                                GError **error);
/* TRUE if the energy balance has a residual. */
gboolean ifbam_command_has_rest (const IfbamRunTask *run);
/* Prints this residual after a run, unless growth was announced. For a linear network without modes
 * of links nothing is printed: the announcement covers all effects of the scheme. */
void ifbam_command_note_rest (const IfbamRunTask *run, const IfbamModel *model,
                              const IfbamRunSpec *spec);
/* Prints a note of links that had too many events. */
void ifbam_command_note_suspended (const IfbamRunTask *run);
/* Prints how the equations of an implicit scheme were solved. */
void ifbam_command_tell_equations (const IfbamRunTask *run, const IfbamRunSpec *spec);
/* Runs a compiled network; results of a run that ends early are dropped. */
gboolean ifbam_command_collect (IfbamRunTask *run, const IfbamModel *model,
                                const IfbamSignals *signals, const IfbamRunSpec *spec,
                                GError **error);

/* Passes the dialogue of a network's first steps (the output of `ifbam dialogue`) to said(), line
 * by line. If later is beyond them, also the steps from it on. speaker: NULL for headings and
 * remarks. said() ends the dialogue by FALSE with an error. */
#define IFBAM_MAX_ELIMINATION_NODES 1000 /* nodes; an error for larger networks */
typedef gboolean (*IfbamLineFunc) (gpointer data, const IfbamAgent *speaker, const char *line,
                                   GError **error);
gboolean ifbam_command_dialogue_lines (IfbamNetwork *network, guint cycles, guint64 later,
                                       IfbamLineFunc said, gpointer data, GError **error);
