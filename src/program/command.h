/* command.h: what the program's commands share
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"
#include "file/file.h"
#include "run/ifbam-events.h"
#include "run/run.h"

/* Exit codes. */
enum
{
  IFBAM_EXIT_DONE = 0,
  IFBAM_EXIT_FAILED = 1,
  IFBAM_EXIT_USAGE = 2,
  IFBAM_EXIT_INTERRUPTED = 130, /* 128 + SIGINT; by another signal, 128 and its number */
};

typedef struct
{
  const char *name;
  const char *arguments; /* "NETWORK" */
  const char *summary;   /* lines */
  const char *examples;  /* for --help */
  int (*run) (const char *program, int argc, char **argv);
} IfbamCommand;

extern const IfbamCommand ifbam_command_run, ifbam_command_check, ifbam_command_elements,
    ifbam_command_schemes, ifbam_command_dialogue, ifbam_command_spectrum, ifbam_command_modes,
    ifbam_command_stability, ifbam_command_response, ifbam_command_equilibrium, ifbam_command_sweep,
    ifbam_command_plot, ifbam_command_report, ifbam_command_lab, ifbam_command_export,
    ifbam_command_rerun;

/* The options of `run` that every command with a network takes. */
typedef struct
{
  char *scheme, *step, *tolerance, *duration, *start, *record, *sample;
  char *up_to; /* where a command has that option */
  char **sets;
  char *engine;
  int threads; /* 0: not said */
  gboolean allow_divergence;
  /* Not said by users. */
  gboolean event_rows; /* rows just before and after each event, too */
  gboolean every_step; /* rows stand as close as the step lets them, unless --sample was said */
  GError **
      ended; /* where a run that diverges leaves its error; its rows are kept; NULL: they are not */
  gboolean record_is_signal; /* what is recorded was said by --signal */
  gboolean keeps_text;       /* the network's text is asked for */
} IfbamNetworkOptions;

/* heard: those that say something to the command, and stand in its help; the others are taken, so that one
 * set of options fits all commands. NULL: all. */
void ifbam_network_options_add (IfbamNetworkOptions *options, GOptionContext *context,
                                const char *const *heard);
void ifbam_network_options_clear (IfbamNetworkOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamNetworkOptions, ifbam_network_options_clear)

/* A parser for a command: usage, examples, entries (may be NULL). */
GOptionContext *ifbam_command_context (const IfbamCommand *command, const GOptionEntry *entries);
/* FALSE with *exit_code set: the help was printed, or the words were wrong. least and most bound the
 * words that are no options. */
gboolean ifbam_command_parse (const IfbamCommand *command, GOptionContext *context, int *argc,
                              char ***argv, int least, int most, int *exit_code);

/* The options as settings for a network (transfer full); NULL where one of them is wrong. */
char **ifbam_network_options_settings (const IfbamNetworkOptions *options, GError **error);

/* Those of the options that are settings of the network, too, by number: the key, and what was said (NULL: nothing).
 * NULL: there are no more. */
const char *ifbam_network_options_setting (const IfbamNetworkOptions *options, guint number,
                                           const char **value);

/* The options as words of a command line (char *), by which they can be said again. */
GPtrArray *ifbam_network_options_words (const IfbamNetworkOptions *options);

/* Whether a file has courses, which need no run: it ends in .csv, .h5 or .hdf5. */
gboolean ifbam_command_is_course (const char *path);

/* Whether the options say anything of a CSV file, which is not computed: `meant` are those that do
 * ("scheme", "step", NULL). FALSE with IFBAM_ERROR_USAGE: it would go unheard. */
gboolean ifbam_network_options_fit_csv (const IfbamNetworkOptions *options, const char *path,
                                        const char *const *meant, GError **error);

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
/* A note where the compiled engine is wanted of many runs, which go by the plan. */
void ifbam_command_note_engine (const IfbamNetworkOptions *options);
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

/* Work that may take long, whose progress is shown on a terminal after two seconds. */
typedef struct
{
  gint64 began, shown; /* [us] */
  gboolean keeps;
} IfbamWatch;

/* From the first line of main on Ctrl-C, SIGTERM and SIGHUP end the program at once, wherever it is, with a word and
 * the exit code that is promised; unfinished outputs are removed. Where something is kept of work that ends early, they
 * are heard by ifbam_watch_progress() instead, and by nobody from that watch's end on, while it is written, up to the next
 * ifbam_watch_signals(). */
void ifbam_watch_signals (void);
void ifbam_watch_begin (IfbamWatch *watch);
void ifbam_watch_begin_to_keep (IfbamWatch *watch);
/* part: done (0..1). FALSE: it was asked to end. */
gboolean ifbam_watch_progress (IfbamWatch *watch, double part);
void ifbam_watch_end (IfbamWatch *watch);
/* Whether a signal that is followed by the end has been heard. */
gboolean ifbam_watch_is_to_end (void);

/* Whether this process is the one that speaks and writes: of several ranks the first. */
gboolean ifbam_command_speaks (void);
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
/* What schemes do to a network (transfer full); NULL: it can't be said, and why, after the file's name. */
IfbamStability *ifbam_command_stability_of (const char *path, const IfbamModel *model,
                                            const IfbamRunSpec *spec, GError **error);
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

/* "warm", "cold" or "equilibrium": how a model starts. */
const char *ifbam_command_start (const IfbamRunSpec *spec);

/* Reads "5" or "all", which is 0; NULL leaves *count as it is. */
gboolean ifbam_command_read_count (const char *text, guint *count);
/* Tells which links are not linear (names, taken over), so that what was asked for is of small motions: "the modes
 * are those". */
void ifbam_command_note_nonlinear (GStrv names, const char *what);
/* Prints the error; returns the exit code. */
int ifbam_command_fail (const GError *error);
/* Whether an output's name is that of a picture, of which it is said that `ifbam plot KIND` draws it, or of a page. */
gboolean ifbam_command_draws (const IfbamCommand *command, const char *output, const char *kind);
/* Whether the output of who writes a page has the name of something else, which is said. */
gboolean ifbam_command_writes_no_page (const IfbamCommand *command, const char *output);
/* Whether an output (NULL: none) would take the place of the file that is read; it is said then, and the
 * exit code is IFBAM_EXIT_USAGE. */
gboolean ifbam_command_overwrites (const IfbamCommand *command, const char *output,
                                   const char *input);
int ifbam_command_usage (const IfbamCommand *command, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Sets an error of usage about the text of an option, "--step 0: must be above 0". Returns FALSE. */
gboolean ifbam_command_refuse (GError **error, const char *option, const char *text,
                               const char *reason);

/* Prints a text to standard output; returns the exit code. */
int ifbam_command_print (const char *text);
