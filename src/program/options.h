/* options.h: command line: options for networks, help, wrong words
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

typedef struct IfbamCommand
{
  const char *name;
  const char *arguments; /* "NETWORK"; "": none; "[CLASS]": at most one; "FILE...": one or more */
  const char *summary;   /* lines */
  const char *examples;  /* for --help */
  int (*run) (const struct IfbamCommand *command, int argc, char **argv);
  const char *options; /* options for the network in the help: "scheme step"; NULL: all */
} IfbamCommand;

/* The options for a network, common to all commands that take one. */
typedef struct
{
  char *scheme, *step, *tolerance, *duration, *start, *record, *sample;
  char *up_to; /* for commands with that option */
  char **sets;
  char *engine;
  int threads; /* 0: not given */
  gboolean allow_divergence;
  /* Set by commands, not by options: */
  gboolean event_rows; /* samples just before and just after each event, too */
  gboolean every_step; /* a sample at each step, unless --sample is given */
  GError *
      *ended; /* receives the error of a diverging run and keeps its samples; NULL: the run fails */
  gboolean record_is_signal; /* `record` has the texts of --signal */
  gboolean keeps_text;       /* keep the network's text */
} IfbamNetworkOptions;

/* Adds all options, so that one set fits all commands. shown: those in the help, "scheme step". */
void ifbam_network_options_add (IfbamNetworkOptions *options, GOptionContext *context,
                                const char *shown);
void ifbam_network_options_clear (IfbamNetworkOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamNetworkOptions, ifbam_network_options_clear)

/* TRUE if a command line requests the help. */
gboolean ifbam_command_has_help_option (int argc, char **argv);
/* Adds a group of options. shown: those in the help, "from to" (NULL: all). */
void ifbam_option_group_add (GOptionContext *context, const char *name, const char *title,
                             GOptionEntry *entries, const char *shown, gpointer data);
/* Returns a parser for a command: usage, examples, entries (may be NULL). */
GOptionContext *ifbam_command_context (const IfbamCommand *command, const GOptionEntry *entries);
/* Parses the command line; options: for the network (NULL: none, or in the context). Returns FALSE
 * with *exit_code set if the help was printed or the words are wrong. */
gboolean ifbam_command_parse (const IfbamCommand *command, GOptionContext *context,
                              IfbamNetworkOptions *options, int *argc, char ***argv,
                              int *exit_code);

/* Returns the options as settings for a network (transfer full); NULL with an error. */
char **ifbam_network_options_settings (const IfbamNetworkOptions *options, GError **error);

/* Returns key (NULL: the end) and value (NULL: not given) of the setting with an index. */
const char *ifbam_network_options_setting (const IfbamNetworkOptions *options, guint number,
                                           const char **value);

/* Returns the options as words of a command line (char *, transfer full). */
GPtrArray *ifbam_network_options_words (const IfbamNetworkOptions *options);

/* TRUE if a file contains courses: its name ends in .csv, .h5 or .hdf5. */
gboolean ifbam_command_is_course (const char *path);

/* TRUE if all given options apply to a CSV file, which is not computed. meant: the options that do
 * ("scheme", "step", NULL). FALSE with IFBAM_ERROR_USAGE. */
gboolean ifbam_network_options_fit_csv (const IfbamNetworkOptions *options, const char *path,
                                        const char *const *meant, GError **error);

/* Prints a note if --engine compiled is given for many runs, which use the plan. */
void ifbam_command_note_engine (const IfbamNetworkOptions *options);
/* Returns the orders (double) of "0.5,1,2" (transfer full); NULL with IFBAM_ERROR_USAGE. */
GArray *ifbam_command_read_orders (const char *text, GError **error);
/* Reads --part: "2/4" as part 1 (from 0 on) of 4; text NULL: part 0 of 0, all. FALSE: it is none. */
gboolean ifbam_command_read_part (const char *text, guint64 *part, guint64 *n_parts);
/* TRUE if an output (NULL: none) has the name of a table or a picture: .csv, .svg, .png, .pdf. */
gboolean ifbam_command_names_result (const char *output);
/* Reads --count: "5", or "all" as 0; text NULL: *count is unchanged. FALSE: prints an error. */
gboolean ifbam_command_read_count (const IfbamCommand *command, const char *text, guint *count);
/* TRUE if an output's suffix is another command's; prints the command that writes such files. */
gboolean ifbam_command_draws (const IfbamCommand *command, const char *output, const char *kind);
/* TRUE if the output of a command that writes a page has another suffix; prints an error. */
gboolean ifbam_command_writes_no_page (const IfbamCommand *command, const char *output);
/* TRUE if an output (NULL: none) would replace the input; prints an error: IFBAM_EXIT_USAGE. */
gboolean ifbam_command_overwrites (const IfbamCommand *command, const char *output,
                                   const char *input);
int ifbam_command_usage (const IfbamCommand *command, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Sets an error of usage for the text of an option, "--step 0: must be above 0". Returns FALSE. */
gboolean ifbam_command_refuse (GError **error, const char *option, const char *text,
                               const char *reason);
