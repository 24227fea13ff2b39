/* command.h: the program's commands, and how they run networks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

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
    ifbam_command_rerun;

/* Sets the engine of a run; prints a note if it cannot be the one of the options. */
void ifbam_command_choose_engine (const IfbamNetworkOptions *options, const IfbamModel *model,
                                  const IfbamRunSpec *spec, IfbamRunTask *run);
/* The course of a file: read from it, or computed from the network in it. */
IfbamCourse *ifbam_command_course (const IfbamNetworkOptions *options, const char *path,
                                   GError **error);

/* The network, scheme and step that computed a course. */
typedef struct
{
  gboolean driven;       /* sources or given nodes make lines of their own */
  gboolean nonlinear;    /* so do laws: overtones */
  IfbamNetwork *network; /* NULL: not known */
  const char *title;     /* of the network; NULL: none */
  IfbamModel *model;     /* of the network */
  IfbamEvents *events;   /* of the run; NULL: not run */
  IfbamRunSpec spec;     /* the same; without it scheme (NULL: not known) and step alone */
} IfbamOrigin;

void ifbam_origin_clear (IfbamOrigin *origin);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamOrigin, ifbam_origin_clear)

/* The same, with its origin: of a file of courses by the network file `of` (NULL: none), or by --scheme and --step. */
IfbamCourse *ifbam_command_course_and_origin (const IfbamNetworkOptions *options, const char *path,
                                              const char *of, IfbamOrigin *origin, GError **error);

/* Prints, before a run, the growth of modes under the scheme and warnings about steps and rows. */
void ifbam_command_announce (const IfbamModel *model, const IfbamRunSpec *spec);

/* Runs a compiled network and passes on its rows. Before it: ifbam_command_announce(). SIGINT, SIGTERM or SIGHUP interrupt it,
 * and what has been passed on is kept. */
gboolean ifbam_command_execute (IfbamRunTask *run, const IfbamModel *model,
                                const IfbamSignals *signals, const IfbamRunSpec *spec,
                                GError **error);
/* Whether the energy balance leaves a rest. */
gboolean ifbam_command_has_rest (const IfbamRunTask *run);
/* Prints this rest after a run, unless growth has been announced. A linear network without modes of links is silent: all
 * that the scheme does to it has been announced. */
void ifbam_command_tell_rest (const IfbamRunTask *run, const IfbamModel *model,
                              const IfbamRunSpec *spec);
/* Prints a note of links that had too many events. */
void ifbam_command_tell_held (const IfbamRunTask *run);
/* Runs a compiled network; nothing is kept if it ends early. */
gboolean ifbam_command_collect (IfbamRunTask *run, const IfbamModel *model,
                                const IfbamSignals *signals, const IfbamRunSpec *spec,
                                GError **error);

/* The dialogue of a network's first steps (what `ifbam dialogue` prints), line by line; with a later one that is
 * beyond them, the first and those from there on. speaker: NULL for headings and remarks. said() ends
 * the dialogue by FALSE with an error. */
#define IFBAM_MOST_SPEAKERS 1000 /* nodes; of more it is an error */
typedef gboolean (*IfbamSaid) (gpointer data, const IfbamVoice *speaker, const char *line,
                               GError **error);
gboolean ifbam_command_dialogue_lines (IfbamNetwork *network, guint cycles, guint64 later,
                                       IfbamSaid said, gpointer data, GError **error);
