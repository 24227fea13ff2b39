/* command.c: what the program's commands share: options, errors, output, interruption
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command.h"
#include "program/cautions.h"
#include "file/file.h"

#include <locale.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/number-text.h"
#include "embed/embed.h"
#include "figure/figure.h"
#include "model/model.h"
#include "linear/linear.h"
#include "engine/engine.h"
#include "run/run.h"

#define PATIENCE 100000 /* us: what takes longer to end is told of */

static volatile sig_atomic_t interrupted; /* the signal's number */
static volatile sig_atomic_t told_to_wait;

/* 0 would mean that nothing was said. */
static gboolean
read_threads (const char *name, const char *value, gpointer data, GError **error)
{
  IfbamNetworkOptions *options = data;
  guint64 number;

  if (!g_ascii_string_to_unsigned (value, 10, 1, 1024, &number, NULL))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s %s: want 1 to 1024", name,
                   value);
      return FALSE;
    }
  options->threads = (int) number;
  return TRUE;
}

void
ifbam_network_options_add (IfbamNetworkOptions *options, GOptionContext *context,
                           const char *const *heard)
{
  GOptionEntry entries[] = {
    { "scheme", 0, 0, G_OPTION_ARG_STRING, &options->scheme, "scheme (see `ifbam schemes`)", "S" },
    { "step", 0, 0, G_OPTION_ARG_STRING, &options->step, "time step, such as 50us", "T" },
    { "tolerance", 0, 0, G_OPTION_ARG_STRING, &options->tolerance,
      "of each step's error, such as 1e-6: it chooses the steps", "X" },
    { "duration", 0, 0, G_OPTION_ARG_STRING, &options->duration, "instant of the last row", "T" },
    { "start", 0, 0, G_OPTION_ARG_STRING, &options->start, "warm, cold or equilibrium", "HOW" },
    { "record", 0, 0, G_OPTION_ARG_STRING, &options->record,
      "signals, such as m1.position,network.energy", "SIGNALS" },
    { "sample", 0, 0, G_OPTION_ARG_STRING, &options->sample, "interval between rows", "T" },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->sets,
      "another value (also PARAMETER=VALUE); may be repeated", "ELEMENT.KEY=VALUE" },
    { "engine", 0, 0, G_OPTION_ARG_STRING, &options->engine,
      "plan (in arrays, default), compiled (by this machine's C compiler) or objects: same numbers",
      "E" },
    { "threads", 0, 0, G_OPTION_ARG_CALLBACK, read_threads,
      "threads of a compiled network (default: all processors for a large one); same numbers",
      "N" },
    { "allow-divergence", 0, 0, G_OPTION_ARG_NONE, &options->allow_divergence,
      "run on while numbers are finite", NULL },
    G_OPTION_ENTRY_NULL,
  };
  GOptionGroup *group = g_option_group_new (
      "network", "Options for the network:", "Options for the network", options, NULL);

  for (guint i = 0; heard != NULL && entries[i].long_name != NULL; i++)
    if (!g_strv_contains (heard, entries[i].long_name))
      entries[i].flags |= G_OPTION_FLAG_HIDDEN;
  g_option_group_add_entries (group, entries);
  g_option_context_add_group (context, group);
}

void
ifbam_network_options_clear (IfbamNetworkOptions *options)
{
  g_free (options->scheme);
  g_free (options->step);
  g_free (options->duration);
  g_free (options->start);
  g_free (options->record);
  g_free (options->sample);
  g_free (options->tolerance);
  g_free (options->up_to);
  g_free (options->engine);
  g_strfreev (options->sets);
}

GOptionContext *
ifbam_command_context (const IfbamCommand *command, const GOptionEntry *entries)
{
  GOptionContext *context = g_option_context_new (command->arguments);
  g_autofree char *description = g_strdup_printf ("Examples:\n%s", command->examples);

  g_option_context_set_summary (context, command->summary);
  g_option_context_set_description (context, description);
  if (entries != NULL)
    {
      GOptionGroup *group = g_option_group_new (command->name, "Options:", "Options", NULL, NULL);

      g_option_group_add_entries (group, entries);
      g_option_context_add_group (context, group);
    }
  /* The program prints and flushes the help itself: a full disk must not go unnoticed. */
  g_option_context_set_help_enabled (context, FALSE);
  return context;
}

gboolean
ifbam_command_refuse (GError **error, const char *option, const char *text, const char *reason)
{
  return ifbam_fail (error, IFBAM_ERROR_USAGE, "%s %s: %s", option, text, reason);
}

int
ifbam_command_usage (const IfbamCommand *command, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_printerr ("ifbam %s: %s\nTry: ifbam %s --help\n", command->name, text, command->name);
  return IFBAM_EXIT_USAGE;
}

gboolean
ifbam_command_overwrites (const IfbamCommand *command, const char *output, const char *input)
{
  if (output == NULL || g_str_equal (input, "-") || !ifbam_output_is_same (output, input))
    return FALSE;
  ifbam_command_usage (command, "%s: that is what is read; want another file for what is written",
                       output);
  return TRUE;
}

/* Whether a name ends with one of some suffixes, in capitals, too. */
static gboolean
ends_with (const char *name, const char *const *suffixes)
{
  g_autofree char *small = g_ascii_strdown (name, -1);

  for (; *suffixes != NULL; suffixes++)
    if (g_str_has_suffix (small, *suffixes))
      return TRUE;
  return FALSE;
}

gboolean
ifbam_command_draws (const IfbamCommand *command, const char *output, const char *kind)
{
  static const char *const pages[] = { ".html", ".htm", NULL };
  static const char *const tables[] = { ".xlsx", ".xls",     ".ods",     ".mat", ".npy", ".npz",
                                        ".pkl",  ".parquet", ".feather", ".mf4", NULL };

  if (output != NULL && ends_with (output, pages))
    {
      ifbam_command_usage (
          command, "-o %s: that is a page, and %s writes numbers; \"ifbam report\" writes pages",
          output, command->name);
      return TRUE;
    }
  if (output != NULL && ends_with (output, tables))
    {
      ifbam_command_usage (command, "-o %s: %s does not write this format (want FILE.csv%s)",
                           output, command->name,
                           g_str_equal (command->name, "response")
                               ? ""
                               : ", or FILE.h5 for HDF5, which MATLAB and Python read, too");
      return TRUE;
    }
  if (output == NULL || !ifbam_is_picture (output))
    return FALSE;
  ifbam_command_usage (command,
                       "-o %s: that is a picture, and %s writes numbers; \"ifbam plot %s\" draws",
                       output, command->name, kind);
  return TRUE;
}

gboolean
ifbam_command_writes_no_page (const IfbamCommand *command, const char *output)
{
  static const char *const others[] = { ".csv", ".h5", ".json", ".ini", NULL };

  if (output == NULL || !(ifbam_is_picture (output) || ends_with (output, others)))
    return FALSE;
  ifbam_command_usage (command, "-o %s: that is no page, and %s writes one (want -o %s.html)",
                       output, command->name, command->name);
  return TRUE;
}

static gboolean
asks_for_help (int argc, char **argv)
{
  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
    if (strcmp (argv[i], "--help") == 0 || strcmp (argv[i], "-h") == 0
        || strcmp (argv[i], "--help-all") == 0)
      return TRUE;
  return FALSE;
}

/* Nothing but a title can be empty. */
static gboolean
check_words (const IfbamCommand *command, int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    {
      const gboolean joined = g_str_has_prefix (argv[i], "--") && argv[i][2] != '='
                              && strchr (argv[i], '=') == argv[i] + strlen (argv[i]) - 1;

      if ((g_str_has_prefix (argv[i], "\xe2\x80\x93") || g_str_has_prefix (argv[i], "\xe2\x80\x94"))
          && !g_file_test (argv[i], G_FILE_TEST_EXISTS))
        {
          ifbam_command_usage (command, "%s: an option begins with two hyphens, --", argv[i]);
          return FALSE;
        }
      if (joined && strcmp (argv[i], "--title=") != 0)
        {
          ifbam_command_usage (command, "%s: there is nothing after it", argv[i]);
          return FALSE;
        }
      if (argv[i][0] != '\0' || strcmp (argv[i - 1], "--title") == 0)
        continue;
      if (i > 1 && argv[i - 1][0] == '-' && strcmp (argv[i - 1], "--") != 0)
        ifbam_command_usage (command, "%s: the word after it is empty", argv[i - 1]);
      else
        ifbam_command_usage (command, "a word is empty (want %s)", command->arguments);
      return FALSE;
    }
  return TRUE;
}

/* The number of the first word that has no meaning in the user's language; 0: each has. A file may be named as it likes: an option
 * with its value, or what follows one, comes first. */
static int
unreadable_word (int argc, char **argv)
{
  int first = 0;

  for (int i = 1; i < argc; i++)
    {
      g_autofree char *text = g_locale_to_utf8 (argv[i], -1, NULL, NULL, NULL);

      if (text != NULL)
        continue;
      if (argv[i][0] == '-' || (argv[i - 1][0] == '-' && strchr (argv[i - 1], '=') == NULL))
        return i;
      first = first > 0 ? first : i;
    }
  return first;
}

/* The names of all options that a command shows, "--set" (transfer container; they point into LINES of its help). */
static GPtrArray *
shown_options (char **lines)
{
  GPtrArray *options = g_ptr_array_new ();

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *option = g_str_has_prefix (lines[i], "  -") ? strstr (lines[i], "--") : NULL;

      if (option == NULL)
        continue;
      option[strcspn (option, "= ")] = '\0';
      g_ptr_array_add (options, option);
    }
  return options;
}

#define MOST_MEANT 3

/* Returns the options that an unknown one may have been meant for, " (did you mean "--set" or "--step"?)", or nothing
 * (transfer full). message: GLib's, at whose end the unknown option stands. */
static char *
other_option (GOptionContext *context, const char *message)
{
  const char *word = strrchr (message, ' ');
  g_autofree char *help = g_option_context_get_help (context, FALSE, NULL);
  g_auto (GStrv) lines = g_strsplit (help, "\n", -1);
  g_autoptr (GPtrArray) options = shown_options (lines);
  g_autoptr (GString) meant = g_string_new (NULL);
  g_autofree char *name = NULL;
  const char *const *names = (const char *const *) options->pdata;
  const char *nearest;
  guint n_meant = 0;

  if (word == NULL || word[1] != '-')
    return g_strdup ("");
  if (g_file_test (word + 1, G_FILE_TEST_EXISTS))
    return g_strdup_printf (" (of the file: \"./%s\")", word + 1);
  name = g_strndup (word + 1, strcspn (word + 1, "="));
  if (g_str_equal (name, "--output"))
    return g_strdup (
        " (the file is -o or --file; --output names signals of a response or an export)");
  nearest = ifbam_nearest_word (name, names, options->len);
  if (nearest != NULL)
    return g_strdup_printf (" (did you mean \"%s\"?)", nearest);
  /* Several are as near. */
  for (guint i = 0; i < options->len; i++)
    if (ifbam_nearest_word (name, &names[i], 1) != NULL)
      g_string_append_printf (meant, "%s\"%s\"", n_meant++ > 0 ? " or " : "", names[i]);
  return n_meant == 0 || n_meant > MOST_MEANT ? g_strdup ("")
                                              : g_strdup_printf (" (did you mean %s?)", meant->str);
}

gboolean
ifbam_command_parse (const IfbamCommand *command, GOptionContext *context, int *argc, char ***argv,
                     int least, int most, int *exit_code)
{
  g_autofree char *name = g_strdup_printf ("ifbam %s", command->name);
  g_autoptr (GError) error = NULL;

  g_set_prgname (name);
  if (asks_for_help (*argc, *argv))
    {
      g_autofree char *help = g_option_context_get_help (context, FALSE, NULL);

      *exit_code = ifbam_command_print (help);
      return FALSE;
    }
  if (!check_words (command, *argc, *argv))
    {
      *exit_code = IFBAM_EXIT_USAGE;
      return FALSE;
    }
  if (!g_option_context_parse (context, argc, argv, &error))
    {
      const int word = error->domain == G_CONVERT_ERROR ? unreadable_word (*argc, *argv) : 0;
      const gboolean is_value = word > 1 && (*argv)[word - 1][0] == '-';
      g_autofree char *meant =
          g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION)
              ? other_option (context, error->message)
              : g_strdup ("");

      *exit_code = word > 0 ? ifbam_command_usage (command, "%s%s%s: that is no text in UTF-8",
                                                   is_value ? (*argv)[word - 1] : "",
                                                   is_value ? " " : "", (*argv)[word])
                            : ifbam_command_usage (command, "%s%s", error->message, meant);
      return FALSE;
    }
  if (*argc > 1 && strcmp ((*argv)[1], "--") == 0)
    {
      memmove (*argv + 1, *argv + 2, sizeof (char *) * (gsize) (*argc - 1));
      (*argc)--;
    }
  if (*argc - 1 < least)
    {
      *exit_code = ifbam_command_usage (command, "want %s", command->arguments);
      return FALSE;
    }
  if (*argc - 1 > most)
    {
      *exit_code = ifbam_command_usage (command, "\"%s\" is one word too many", (*argv)[most + 1]);
      return FALSE;
    }
  return TRUE;
}

const char *
ifbam_command_start (const IfbamRunSpec *spec)
{
  return spec->cold ? "cold" : spec->start_position != NULL ? "equilibrium" : "warm";
}

#define NAMES_OF_FEW 5

void
ifbam_command_note_nonlinear (GStrv names, const char *what)
{
  const guint n = g_strv_length (names);
  g_autofree char *list = NULL;

  for (guint i = NAMES_OF_FEW; i < n; i++)
    g_clear_pointer (&names[i], g_free);
  list = g_strjoinv (", ", names);
  if (n > 0)
    g_printerr (
        "ifbam: note: %u link%s (%s%s) %s not linear: %s of small motions about the start\n", n,
        n == 1 ? "" : "s", list, n > NAMES_OF_FEW ? ", ..." : "", n == 1 ? "is" : "are", what);
  g_strfreev (names);
}

int
ifbam_command_fail (const GError *error)
{
  /* What is wrong with a network begins with its file; what a run comes upon, with the instant. */
  if (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK)
      && !g_str_has_prefix (error->message, "at t = "))
    g_printerr ("%s\n", error->message);
  else
    g_printerr ("%s: %s\n", "ifbam", error->message);
  /* Ranks that were asked to end, and have, are no failure to who has started them. */
  if (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED) && interrupted == SIGUSR1)
    return IFBAM_EXIT_DONE;
  if (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED))
    return interrupted != 0 ? 128 + interrupted : IFBAM_EXIT_INTERRUPTED;
  return g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE) ? IFBAM_EXIT_USAGE
                                                                 : IFBAM_EXIT_FAILED;
}

int
ifbam_command_print (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *valid = g_strdup (text);

  /* It may quote names of files, which may hold anything. */
  ifbam_make_showable (valid);
  if (ifbam_output_put (NULL, valid, strlen (valid), &error))
    return IFBAM_EXIT_DONE;
  return ifbam_command_fail (error);
}

/* Networks */

gboolean
ifbam_command_read_count (const char *text, guint *count)
{
  char *end;
  guint64 number;

  if (text == NULL)
    return TRUE;
  if (g_str_equal (text, "all"))
    {
      *count = 0;
      return TRUE;
    }
  number = g_ascii_strtoull (text, &end, 10);
  if (!g_ascii_isdigit (text[0]) || *end != '\0' || number < 1 || number > G_MAXUINT32)
    return FALSE;
  *count = (guint) number;
  return TRUE;
}

static void
add_setting (GPtrArray *settings, const char *key, const char *value)
{
  if (value != NULL)
    g_ptr_array_add (settings, g_strdup_printf ("network.%s=%s", key, value));
}

const char *
ifbam_network_options_setting (const IfbamNetworkOptions *options, guint number, const char **value)
{
  const struct
  {
    const char *key, *value;
  } all[] = {
    { "scheme", options->scheme },       { "step", options->step },
    { "duration", options->duration },   { "start", options->start },
    { "record", options->record },       { "sample", options->sample },
    { "tolerance", options->tolerance },
  };

  *value = number < G_N_ELEMENTS (all) ? all[number].value : NULL;
  return number < G_N_ELEMENTS (all) ? all[number].key : NULL;
}

char **
ifbam_network_options_settings (const IfbamNetworkOptions *options, GError **error)
{
  g_autoptr (GPtrArray) settings = g_ptr_array_new_with_free_func (g_free);
  const char *key, *value;

  if (options->engine != NULL && !g_str_equal (options->engine, "plan")
      && !g_str_equal (options->engine, "compiled") && !g_str_equal (options->engine, "objects"))
    return ifbam_fail_null (error, IFBAM_ERROR_USAGE,
                            "--engine %s: there is plan, compiled or objects", options->engine);
  for (guint i = 0; options->sets != NULL && options->sets[i] != NULL; i++)
    g_ptr_array_add (settings, g_strdup (options->sets[i]));
  for (guint i = 0; (key = ifbam_network_options_setting (options, i, &value)) != NULL; i++)
    add_setting (settings, key, value);
  add_setting (settings, "up-to", options->up_to);
  g_ptr_array_add (settings, NULL);
  return g_strdupv ((char **) settings->pdata);
}

void
ifbam_command_choose_engine (const IfbamNetworkOptions *options, const IfbamModel *model,
                             const IfbamRunSpec *spec, IfbamRunTask *run)
{
  g_autofree char *fault = NULL;

  run->objects = g_strcmp0 (options->engine, "objects") == 0;
  if (g_strcmp0 (options->engine, "compiled") != 0)
    return;
  fault = ifbam_machine_fault (model, spec);
  if (fault == NULL)
    run->make_engine = ifbam_machine_engine_new;
  else
    g_printerr ("ifbam: note: %s: the plan runs instead\n", fault);
}

void
ifbam_command_note_engine (const IfbamNetworkOptions *options)
{
  if (g_strcmp0 (options->engine, "compiled") == 0)
    g_printerr ("ifbam: note: --engine compiled is for single runs: the plan runs here, with the "
                "same numbers\n");
}

static void
add_words (GPtrArray *words, const char *option, const char *value)
{
  if (value == NULL)
    return;
  g_ptr_array_add (words, g_strconcat ("--", option, NULL));
  g_ptr_array_add (words, g_strdup (value));
}

GPtrArray *
ifbam_network_options_words (const IfbamNetworkOptions *options)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  const char *key, *value;

  for (guint i = 0; (key = ifbam_network_options_setting (options, i, &value)) != NULL; i++)
    add_words (words, key, value);
  add_words (words, "engine", options->engine);
  for (guint i = 0; options->sets != NULL && options->sets[i] != NULL; i++)
    add_words (words, "set", options->sets[i]);
  if (options->allow_divergence)
    g_ptr_array_add (words, g_strdup ("--allow-divergence"));
  return words;
}

gboolean
ifbam_command_is_course (const char *path)
{
  return g_str_has_suffix (path, ".csv") || ifbam_result_is_named (path);
}

gboolean
ifbam_network_options_fit_csv (const IfbamNetworkOptions *options, const char *path,
                               const char *const *meant, GError **error)
{
  const struct
  {
    const char *name;
    gboolean given;
  } all[] = { { "scheme", options->scheme != NULL },
              { "step", options->step != NULL },
              { "duration", options->duration != NULL },
              { "start", options->start != NULL },
              { "record", options->record != NULL },
              { "sample", options->sample != NULL },
              { "tolerance", options->tolerance != NULL },
              { "set", options->sets != NULL },
              { "engine", options->engine != NULL },
              { "threads", options->threads != 0 },
              { "allow-divergence", options->allow_divergence } };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i].given && !g_strv_contains (meant, all[i].name))
      return ifbam_fail (
          error, IFBAM_ERROR_USAGE, "--%s says nothing of %s: it is for networks that are run%s",
          all[i].name, path,
          g_str_equal (all[i].name, "sample") ? " (of a CSV file it wants --resample)" : "");
  return TRUE;
}

IfbamNetwork *
ifbam_command_compile (const IfbamNetworkOptions *options, const char *path, IfbamModel **model,
                       IfbamRunSpec *spec, IfbamSignals **signals, GError **error)
{
  return ifbam_command_compile_by (options, path, NULL, model, spec, signals, error);
}

IfbamNetwork *
ifbam_command_compile_by (const IfbamNetworkOptions *options, const char *path,
                          const IfbamCompiling *compiling, IfbamModel **model, IfbamRunSpec *spec,
                          IfbamSignals **signals, GError **error)
{
  g_auto (GStrv) settings = ifbam_network_options_settings (options, error);
  const char *const *words = (const char *const *) settings;
  g_autoptr (IfbamNetworkBytes) bytes =
      settings == NULL || compiling == NULL ? NULL : ifbam_network_bytes_new (path, error);
  IfbamNetwork *network = NULL;

  if (bytes != NULL)
    network = ifbam_network_new_compiled_by (bytes, words, compiling, model, spec, signals, error);
  else if (settings != NULL && compiling == NULL)
    network =
        ifbam_network_new_compiled (path, words, options->keeps_text, model, spec, signals, error);
  if (network != NULL)
    ifbam_command_note_courses (network);
  else if (options->record_is_signal && error != NULL
           && g_str_has_prefix ((*error)->message, "--record "))
    {
      g_autofree char *message = g_strconcat ("--signal ", (*error)->message + 9, NULL);

      g_free ((*error)->message);
      (*error)->message = g_steal_pointer (&message);
    }
  return network;
}

IfbamNetwork *
ifbam_command_load (const IfbamNetworkOptions *options, const char *path, GError **error)
{
  return ifbam_command_compile (options, path, NULL, NULL, NULL, error);
}

void
ifbam_command_note_courses (const IfbamNetwork *network)
{
  static GHashTable *said;

  if (said == NULL)
    said = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < network->elements->len; i++)
    {
      g_autofree char *note =
          ifbam_element_course_note (network->folder, network->elements->pdata[i]);

      /* A command may read a network more than once. */
      if (note != NULL && g_hash_table_add (said, g_strdup (note)))
        g_printerr ("ifbam: note: %s\n", note);
    }
}

/* Long work */

static void
say (const char *words)
{
  if (write (STDERR_FILENO, words, strlen (words)) < 0)
    return; /* nobody listens */
}

/* Ends in order as soon as it can: a step of many nodes may take long, and so may somebody who reads what is
 * written. Who sends a signal to a program and to its group sends it twice: only who has been told to wait
 * wants it to leave. */
static void
interrupt (int number)
{
  if (told_to_wait)
    {
      say ("ifbam: interrupted again: what is unfinished is left as it is\n");
      _exit (128 + number);
    }
  if (interrupted)
    return;
  interrupted = number;
  /* Ranks wait for each other, and mpirun for none of them. */
  if (ifbam_ranks () != NULL)
    return;
  setitimer (ITIMER_REAL, &(struct itimerval){ .it_value = { .tv_usec = PATIENCE } }, NULL);
}

static void
tell_that_it_ends (int number)
{
  (void) number;
  told_to_wait = TRUE;
  say ("ifbam: interrupted: ends with what there is so far (interrupt again to leave at once)\n");
}

static volatile sig_atomic_t watches_that_keep_nothing;

/* Where nothing is under way that has to end in order, at once, wherever the program is. */
static void
leave (int number)
{
  static const char word[] = "ifbam: interrupted\n";
  static const char words[] = "ifbam: interrupted: nothing is written\n";

  ifbam_output_abandon ();
  if (ifbam_command_speaks ())
    say (watches_that_keep_nothing > 0 ? words : word);
  _exit (128 + number);
}

/* A terminal that closes says SIGHUP. */
static const int signals_that_end[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };

/* The last one, by which batch systems say that time is up, where mpirun hands it on. */
static guint
count_signals (void)
{
  return G_N_ELEMENTS (signals_that_end) - (ifbam_ranks () == NULL ? 1 : 0);
}

static void
hear_signals (void (*handler) (int number))
{
  const struct sigaction action = { .sa_handler = handler };

  for (guint i = 0; i < count_signals (); i++)
    {
      struct sigaction before;

      sigaction (signals_that_end[i], &action, &before);
      if (signals_that_end[i] == SIGHUP && before.sa_handler == SIG_IGN) /* nohup */
        sigaction (signals_that_end[i], &before, NULL);
    }
}

gboolean
ifbam_command_speaks (void)
{
  return ifbam_ranks () == NULL || ifbam_ranks ()->rank == 0;
}

gboolean
ifbam_watch_is_to_end (void)
{
  return interrupted != 0 && interrupted != SIGUSR1;
}

void
ifbam_watch_signals (void)
{
  hear_signals (leave);
}

void
ifbam_watch_begin (IfbamWatch *watch)
{
  *watch = (IfbamWatch){ .began = g_get_monotonic_time () };
  watches_that_keep_nothing++;
}

void
ifbam_watch_begin_to_keep (IfbamWatch *watch)
{
  const struct sigaction told = { .sa_handler = tell_that_it_ends, .sa_flags = SA_RESTART };

  *watch = (IfbamWatch){ .began = g_get_monotonic_time (), .keeps = TRUE };
  sigaction (SIGALRM, &told, NULL);
  hear_signals (interrupt);
}

gboolean
ifbam_watch_progress (IfbamWatch *watch, double part)
{
  gint64 now = g_get_monotonic_time ();

  if (now - watch->began > 2 * G_USEC_PER_SEC && now - watch->shown > G_USEC_PER_SEC / 4
      && isatty (STDERR_FILENO))
    {
      double left = part > 0 ? (double) (now - watch->began) * 1e-6 * (1 - part) / part : 0;

      g_printerr ("\r%3.0f %% done, %.0f s left   ", 100 * part, left);
      watch->shown = now;
    }
  return !interrupted;
}

void
ifbam_watch_end (IfbamWatch *watch)
{
  if (!watch->keeps)
    watches_that_keep_nothing--;
  if (watch->shown > 0)
    g_printerr ("\r%30s\r", "");
}

/* Execution */

typedef struct
{
  IfbamWatch watch;
  gboolean (*row) (gpointer data, double time, const double *values, GError **error);
  gboolean (*event) (gpointer data, const IfbamEvent *event, GError **error);
  gpointer data;
  gboolean will_keep; /* from what is told first on */
  GError *fault;      /* among ranks: what one could not write, until all have heard of it */
} Execution;

/* What has rows by now is finished, not left behind. */
static void
keep_from_here (Execution *execution)
{
  if (!execution->will_keep)
    return;
  execution->will_keep = FALSE;
  ifbam_watch_end (&execution->watch);
  ifbam_watch_begin_to_keep (&execution->watch);
}

static gboolean
forward_row (gpointer data, double time, const double *values, GError **error)
{
  Execution *execution = data;

  keep_from_here (execution);
  if (ifbam_ranks () == NULL)
    return execution->row (execution->data, time, values, error);
  /* One rank writes; where it can't, all go on until they have heard of it. */
  if (ifbam_command_speaks () && execution->fault == NULL)
    execution->row (execution->data, time, values, &execution->fault);
  return TRUE;
}

static gboolean
forward_event (gpointer data, const IfbamEvent *event, GError **error)
{
  Execution *execution = data;

  keep_from_here (execution);
  return execution->event (execution->data, event, error);
}

static gboolean
show_progress (gpointer data, double part)
{
  Execution *execution = data;

  return ifbam_ranks_all (ifbam_watch_progress (&execution->watch, part)
                          && execution->fault == NULL);
}

/* The scheme's own growth, where a run would show it. */
static void
warn_of_growth (const IfbamModel *model, const IfbamRunSpec *spec)
{
  static const char *const certainties[] = { "", "up to ", "about " };
  const double duration = (double) spec->last_step * spec->step;
  g_autoptr (IfbamStability) stability = ifbam_stability_new (model, spec, TRUE, NULL);
  const IfbamScheme *verlet = ifbam_scheme_by_name ("verlet");
  g_autofree char *advice = NULL;
  const char *up_to, *other = "";
  IfbamVerdict verdict;

  if (stability == NULL || duration == 0
      || !ifbam_verdict_is_open (stability, spec->scheme, spec->step, duration))
    return;
  verdict = ifbam_verdict (stability, spec->scheme, spec->step, duration, FALSE);
  if (!verdict.shows)
    return;
  up_to = certainties[verdict.growth.certainty];
  if (verdict.while_open)
    {
      g_printerr (
          "ifbam: note: while diodes and the like are open, a mode would grow at %s%.3g per "
          "second with %s and a step of %s s; where they close it ends, so that it may never "
          "show\n",
          up_to, verdict.growth.rate, spec->scheme->name, IFBAM_NUMBER (spec->step));
      return;
    }
  if (spec->scheme != verlet)
    {
      const IfbamVerdict by_verlet = ifbam_verdict (stability, verlet, spec->step, duration, FALSE);

      if (by_verlet.growth.rate <= verdict.own && by_verlet.engaged == NULL)
        other = "; the scheme verlet does not grow";
    }
  /* There may be no such step. */
  if (!(verdict.advised_step < spec->step))
    advice = g_strdup ("");
  else if (verdict.critical_step > 0)
    advice = g_strdup_printf (". A step of %.2g s would do", verdict.advised_step);
  else
    advice = g_strdup_printf (". A step of %.2g s keeps it below 1 %%", verdict.advised_step);
  if (verdict.engaged != NULL)
    {
      g_autofree char *engaged = ifbam_engagement_text (verdict.engaged);

      g_printerr (
          "ifbam: warning: %s, amplitudes grow at up to %.3g per second with %s and a step of "
          "%s s%s%s\n",
          engaged, verdict.growth.rate, spec->scheme->name, IFBAM_NUMBER (spec->step), advice,
          other);
    }
  else if (verdict.critical_step > 0 && verdict.critical_step < spec->step)
    g_printerr ("ifbam: warning: the step of %s s is too long for %s, which bears %s%.3g s in this "
                "network: amplitudes grow at %s%.3g per second%s%s\n",
                IFBAM_NUMBER (spec->step), spec->scheme->name, verdict.at_least ? "at least " : "",
                verdict.critical_step, up_to, verdict.growth.rate, advice, other);
  else
    g_printerr (
        "ifbam: note: with %s and a step of %s s %s mode (%s%.4g Hz) grows at %s%.3g per "
        "second, the scheme's own error; over %g s that shows%s%s\n",
        spec->scheme->name, IFBAM_NUMBER (spec->step), stability->has_damping ? "a" : "the fastest",
        stability->fastest_is_bound ? "at most "
        : stability->has_damping    ? "of up to "
                                    : "",
        stability->fastest / (2 * G_PI), up_to, verdict.growth.rate, duration, advice, other);
}

IfbamStability *
ifbam_command_stability_of (const char *path, const IfbamModel *model, const IfbamRunSpec *spec,
                            GError **error)
{
  IfbamStability *stability = ifbam_stability_new (model, spec, FALSE, error);

  if (stability == NULL)
    g_prefix_error (error, "%s: ", path);
  return stability;
}

gboolean
ifbam_command_has_rest (const IfbamRunTask *run)
{
  return fabs (run->rest) > 1e-3 * run->rest_of;
}

void
ifbam_command_tell_held (const IfbamRunTask *run)
{
  if (run->held > 0)
    g_printerr (
        "ifbam: note: %u times a link had more events within one step than can be told "
        "apart, and was held closed to the step's end, or in a heap got at once what it pushes "
        "in a part of the step: \"%s\" at t = %s s first\n",
        run->held, run->first_held, IFBAM_NUMBER (run->first_held_time));
}

void
ifbam_command_tell_rest (const IfbamRunTask *run, const IfbamModel *model, const IfbamRunSpec *spec)
{
  g_autoptr (IfbamLinearization) linearization = NULL;

  if (!ifbam_command_has_rest (run))
    return;
  linearization = ifbam_linearization_new (model, spec, NULL, NULL);
  if ((linearization->n_nonlinear == 0 && model->singles->len == 0)
      || ifbam_growth_is_expected (model, spec, (double) spec->last_step * spec->step))
    return;
  g_printerr (
      "ifbam: note: %.3g J %s, %.3g %% of the largest of stored, supplied and dissipated energy: "
      "the error of the scheme %s at this step%s\n",
      fabs (run->rest), run->rest > 0 ? "came from nothing" : "went nowhere",
      100 * fabs (run->rest) / run->rest_of, spec->scheme->name,
      run->initial != NULL && !run->resumes
          ? ", or what values are worth that are other ones than those of the run before"
          : "");
}

/* What a tolerance took. */
static void
tell_steps (const IfbamRunTask *run, const IfbamModel *model, const IfbamRunSpec *spec)
{
  g_autofree char *factorings =
      spec->scheme->implicit == NULL
          ? g_strdup ("")
          : g_strdup_printf (", equations factored %" G_GUINT64_FORMAT " times",
                             run->count.factorings);

  g_printerr ("ifbam: note: %" G_GUINT64_FORMAT " steps for a tolerance of %g, %" G_GUINT64_FORMAT
              " more tried and rejected%s\n",
              run->count.taken, spec->tolerance, run->count.rejected, factorings);
  if (run->count.rounded > 0)
    {
      g_autofree char *name = ifbam_model_node_name (model, run->count.worst);

      g_printerr ("ifbam: note: in %" G_GUINT64_FORMAT
                  " of these steps rounding is worse than the tolerance: by "
                  "up to %.2g of the largest rate, for \"%s\", as 16 digits of a place are few for "
                  "what is so "
                  "stiff (want a softer law, a place nearer to 0, or a larger tolerance)\n",
                  run->count.rounded, run->count.rounding, name);
    }
}

/* Of courses, instants and decays that do not fit the steps. */
static void
warn_of_misfits (const IfbamModel *model, const IfbamRunSpec *spec)
{
  g_autoptr (IfbamStability) stability =
      spec->scheme->mean ? ifbam_stability_new (model, spec, TRUE, NULL) : NULL;
  g_autoptr (GPtrArray) cautions = ifbam_cautions_list (model, spec, stability);

  for (guint i = 0; i < cautions->len; i++)
    g_printerr ("ifbam: warning: %s\n", (const char *) cautions->pdata[i]);
}

void
ifbam_command_announce (const IfbamModel *model, const IfbamRunSpec *spec)
{
  g_autofree char *turning =
      spec->tolerance > 0 ? NULL : ifbam_model_turning_text (model, spec->step);

  if (spec->chosen != NULL)
    g_printerr ("ifbam: note: step = auto chose %s s, %s\n", IFBAM_NUMBER (spec->step),
                spec->chosen);
  if (!(spec->tolerance > 0))
    warn_of_growth (model, spec);
  if (turning != NULL)
    g_printerr ("ifbam: warning: %s\n", turning);
  warn_of_misfits (model, spec);
  if (spec->cut)
    g_printerr ("ifbam: note: the last row is at %.10g s: the duration is no multiple of the "
                "interval between rows\n",
                (double) spec->last_step * spec->step);
}

static gboolean
execute (IfbamRunTask *run, const IfbamModel *model, const IfbamSignals *signals,
         const IfbamRunSpec *spec, GError **error)
{
  Execution execution = { .row = run->row, .event = run->event, .data = run->data };
  gboolean fine;

  if (spec->last_step == 0 && spec->stride == 1)
    return ifbam_fail (
        error, IFBAM_ERROR_USAGE,
        "duration: shorter than a step, %s s (want a shorter step, or a longer duration)",
        IFBAM_NUMBER (spec->step));
  ifbam_watch_begin (&execution.watch);
  /* A part would tell of a part. */
  if (model->share == NULL)
    ifbam_command_announce (model, spec);
  run->row = forward_row;
  if (run->event != NULL)
    run->event = forward_event;
  run->progress = show_progress;
  if (model->share == NULL)
    run->advise = ifbam_step_advice;
  if (run->expects_growth == NULL)
    run->expects_growth = ifbam_growth_is_expected;
  run->data = &execution;
  execution.will_keep = run->keeps_rows;
  /* There are rows of the run before. */
  if (run->resumes)
    keep_from_here (&execution);
  fine = ifbam_run (run, model, signals, spec, error);
  ifbam_watch_end (&execution.watch);
  if (execution.fault != NULL)
    {
      g_clear_error (error);
      g_propagate_error (error, execution.fault);
      fine = FALSE;
    }
  if (fine && spec->tolerance > 0)
    tell_steps (run, model, spec);
  return fine;
}

gboolean
ifbam_command_execute (IfbamRunTask *run, const IfbamModel *model, const IfbamSignals *signals,
                       const IfbamRunSpec *spec, GError **error)
{
  run->keeps_rows = TRUE;
  /* A checkpoint goes on behind the last row. */
  run->does_without = run->pause == NULL;
  return execute (run, model, signals, spec, error);
}

gboolean
ifbam_command_collect (IfbamRunTask *run, const IfbamModel *model, const IfbamSignals *signals,
                       const IfbamRunSpec *spec, GError **error)
{
  run->keeps_rows = FALSE;
  return execute (run, model, signals, spec, error);
}
