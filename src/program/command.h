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

/* Which engine a run gets; a note where it can't be the one that is wanted. */
void ifbam_command_choose_engine (const IfbamNetworkOptions *options, const IfbamModel *model,
                                  const IfbamRunSpec *spec, IfbamRunTask *run);
/* A course: of a CSV file, or of a network file that is run on the spot. */
IfbamCourse *ifbam_command_course (const IfbamNetworkOptions *options, const char *path,
                                   GError **error);

/* What computed a course. */
typedef struct
{
  gboolean driven;       /* sources or given nodes make lines of their own */
  gboolean nonlinear;    /* so do laws: overtones */
  IfbamNetwork *network; /* NULL: not known */
  const char *title;     /* of the network; NULL: none */
  IfbamModel *model;     /* of the network */
  IfbamEvents *events;   /* what happened, where the network was run; or NULL */
  IfbamRunSpec spec;     /* the same; without it scheme (NULL: not known) and step alone */
} IfbamOrigin;

void ifbam_origin_clear (IfbamOrigin *origin);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamOrigin, ifbam_origin_clear)

/* The same, with its origin: of a CSV file what the network file `of` says (NULL: there is none), or
 * the options --scheme and --step. */
IfbamCourse *ifbam_command_course_and_origin (const IfbamNetworkOptions *options, const char *path,
                                              const char *of, IfbamOrigin *origin, GError **error);

/* Says before a run what the scheme does to the network, and which rows there will be. */
void ifbam_command_announce (const IfbamModel *model, const IfbamRunSpec *spec);

/* Runs a compiled network, whose rows are written as they come: Ctrl-C, SIGTERM or SIGHUP interrupts, progress is
 * shown on a terminal after two seconds, what the scheme does to the network is said before. */
gboolean ifbam_command_execute (IfbamRunTask *run, const IfbamModel *model,
                                const IfbamSignals *signals, const IfbamRunSpec *spec,
                                GError **error);
/* To be called when all is written: tells what the account of work can't explain, if there is anything, but for growth that was
 * told of. Linear networks whose links have no modes only ripple where nothing was told: all that a scheme does to them is known
 * before. */
gboolean ifbam_command_has_rest (const IfbamRunTask *run);
void ifbam_command_tell_rest (const IfbamRunTask *run, const IfbamModel *model,
                              const IfbamRunSpec *spec);
/* The same of links that had too many events. */
void ifbam_command_tell_held (const IfbamRunTask *run);
/* The same for rows of which nothing is left where the run ends early. */
gboolean ifbam_command_collect (IfbamRunTask *run, const IfbamModel *model,
                                const IfbamSignals *signals, const IfbamRunSpec *spec,
                                GError **error);

/* The dialogue of a network's first steps (what `ifbam dialogue` prints), line by line; with a later one that is
 * beyond them, the first and those from there on. speaker is NULL for what nobody says. said() ends it by FALSE with an error. */
#define IFBAM_MOST_SPEAKERS 1000 /* nodes; of more it is an error */
typedef gboolean (*IfbamSaid) (gpointer data, const IfbamVoice *speaker, const char *line,
                               GError **error);
gboolean ifbam_command_dialogue_lines (IfbamNetwork *network, guint cycles, guint64 later,
                                       IfbamSaid said, gpointer data, GError **error);
