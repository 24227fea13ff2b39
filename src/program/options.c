/* options.c: command line: options for networks, help, wrong words
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/options.h"

#include <string.h>

#include "base/fail.h"
#include "figure/figure.h"
#include "program/answer.h"
#include "file/file.h"

/* Rejects 0, which means that the option is not given. */
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

static gboolean
read_csv (const char *name, const char *value, gpointer data, GError **error)
{
  (void) name, (void) data;
  return ifbam_csv_set_options (value, error);
}

void
ifbam_option_group_add (GOptionContext *context, const char *name, const char *title,
                        GOptionEntry *entries, const char *shown, gpointer data)
{
  g_auto (GStrv) words = g_strsplit (shown != NULL ? shown : "", " ", -1);
  GOptionGroup *group = g_option_group_new (name, title, title, data, NULL);

  for (guint i = 0; shown != NULL && entries[i].long_name != NULL; i++)
    if (!g_strv_contains ((const char *const *) words, entries[i].long_name))
      entries[i].flags |= G_OPTION_FLAG_HIDDEN;
  g_option_group_add_entries (group, entries);
  g_option_context_add_group (context, group);
}

void
ifbam_network_options_add (IfbamNetworkOptions *options, GOptionContext *context, const char *shown)
{
  GOptionEntry entries[] = {
    { "scheme", 0, 0, G_OPTION_ARG_STRING, &options->scheme, "scheme (see `ifbam schemes`)", "S" },
    { "step", 0, 0, G_OPTION_ARG_STRING, &options->step, "time step, such as 50us", "T" },
    { "tolerance", 0, 0, G_OPTION_ARG_STRING, &options->tolerance,
      "error per step, such as 1e-6; chooses the length of steps", "X" },
    { "duration", 0, 0, G_OPTION_ARG_STRING, &options->duration, "time of the last sample", "T" },
    { "start", 0, 0, G_OPTION_ARG_STRING, &options->start, "warm, cold or equilibrium", "HOW" },
    { "record", 0, 0, G_OPTION_ARG_STRING, &options->record,
      "signals, such as m1.position,network.energy", "SIGNALS" },
    { "sample", 0, 0, G_OPTION_ARG_STRING, &options->sample, "interval between samples", "T" },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->sets,
      "replace a value (also PARAMETER=VALUE); may be repeated", "ELEMENT.KEY=VALUE" },
    { "engine", 0, 0, G_OPTION_ARG_STRING, &options->engine,
      "plan (arrays, default), compiled (by the C compiler) or objects (messages): equal bits",
      "E" },
    { "threads", 0, 0, G_OPTION_ARG_CALLBACK, read_threads,
      "threads (default: all processors for a large network, else one): equal bits", "N" },
    { "allow-divergence", 0, 0, G_OPTION_ARG_NONE, &options->allow_divergence,
      "continue while numbers are finite", NULL },
    { "csv", 0, 0, G_OPTION_ARG_CALLBACK, read_csv,
      "how CSV files are read: separator, decimal, header, units, time; default: as recognised",
      "KEY=VALUE..." },
    G_OPTION_ENTRY_NULL,
  };

  ifbam_option_group_add (context, "network", "Options for the network:", entries, shown, options);
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
  /* The program prints and flushes the help itself, to detect a full disk. */
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
  ifbam_command_usage (command, "%s: this file is read (want another file for the output)", output);
  return TRUE;
}

/* TRUE if a name ends with one of some suffixes, in any case. */
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

gboolean
ifbam_command_has_help_option (int argc, char **argv)
{
  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
    if (strcmp (argv[i], "--help") == 0 || strcmp (argv[i], "-h") == 0
        || strcmp (argv[i], "--help-all") == 0)
      return TRUE;
  return FALSE;
}

/* Rejects empty words and values; only a title may be empty. */
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

/* Returns the index of the first invalid word in the locale, options before files; 0: none. */
static int
find_invalid_argument (int argc, char **argv)
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

/* Returns the options in a command's help, "--set" (transfer container; pointers into lines). */
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

#define MAX_NEAREST 3

/* Returns the options nearest to an unknown one, " (did you mean "--set" or "--step"?)", or ""
 * (transfer full). message: GLib's, which ends with the unknown option. */
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
  /* Several are equally near. */
  for (guint i = 0; i < options->len; i++)
    if (ifbam_nearest_word (name, &names[i], 1) != NULL)
      g_string_append_printf (meant, "%s\"%s\"", n_meant++ > 0 ? " or " : "", names[i]);
  return n_meant == 0 || n_meant > MAX_NEAREST
             ? g_strdup ("")
             : g_strdup_printf (" (did you mean %s?)", meant->str);
}

gboolean
ifbam_command_parse (const IfbamCommand *command, GOptionContext *context,
                     IfbamNetworkOptions *options, int *argc, char ***argv, int *exit_code)
{
  g_autofree char *name = g_strdup_printf ("ifbam %s", command->name);
  const gboolean takes_any = command->arguments[0] == '\0' || command->arguments[0] == '[';
  const int least = takes_any ? 0 : 1;
  const int most = command->arguments[0] == '\0'                ? 0
                   : strstr (command->arguments, "...") == NULL ? 1
                                                                : G_MAXINT;
  g_autoptr (GError) error = NULL;

  if (options != NULL)
    ifbam_network_options_add (options, context, command->options);
  g_set_prgname (name);
  if (ifbam_command_has_help_option (*argc, *argv))
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
      const int word = error->domain == G_CONVERT_ERROR ? find_invalid_argument (*argc, *argv) : 0;
      const gboolean is_value = word > 1 && (*argv)[word - 1][0] == '-';
      g_autofree char *meant =
          g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION)
              ? other_option (context, error->message)
              : g_strdup ("");

      *exit_code = word > 0 ? ifbam_command_usage (command, "%s%s%s: this is not UTF-8 text",
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

GArray *
ifbam_command_read_orders (const char *text, GError **error)
{
  g_auto (GStrv) texts = g_strsplit (text, ",", -1);
  g_autoptr (GArray) orders = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; texts[i] != NULL; i++)
    {
      g_autofree char *reason = NULL;
      double order;

      if (ifbam_units_parse (g_strstrip (texts[i]), "", "order", "0.5", &order, &reason)
          && !(order > 0))
        reason = g_strdup ("want orders above 0");
      if (reason != NULL)
        {
          ifbam_command_refuse (error, "--order", text, reason);
          return NULL;
        }
      g_array_append_val (orders, order);
    }
  return g_steal_pointer (&orders);
}

gboolean
ifbam_command_read_part (const char *text, guint64 *part, guint64 *n_parts)
{
  char *end = NULL;

  *part = *n_parts = 0;
  if (text == NULL)
    return TRUE;
  if (g_ascii_isdigit (*text))
    *part = g_ascii_strtoull (text, &end, 10);
  if (end != NULL && *end == '/' && g_ascii_isdigit (end[1]))
    *n_parts = g_ascii_strtoull (end + 1, &end, 10);
  if (*part < 1 || *part > *n_parts || *n_parts >= G_MAXUINT32 || *end != '\0')
    return FALSE;
  *part -= 1;
  return TRUE;
}

gboolean
ifbam_command_names_result (const char *output)
{
  return output == NULL || g_str_has_suffix (output, ".csv") || ifbam_is_picture (output);
}

gboolean
ifbam_command_read_count (const IfbamCommand *command, const char *text, guint *count)
{
  guint64 number = 0;

  if (text == NULL)
    return TRUE;
  if (!g_str_equal (text, "all")
      && !g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT32, &number, NULL))
    {
      ifbam_command_usage (command, "--count %s: want a whole number from 1 on, or \"all\"", text);
      return FALSE;
    }
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
  } others[] = { { "set", options->sets != NULL },
                 { "engine", options->engine != NULL },
                 { "threads", options->threads != 0 },
                 { "allow-divergence", options->allow_divergence } };
  const char *unfit = NULL, *name, *value;

  for (guint i = 0;
       unfit == NULL && (name = ifbam_network_options_setting (options, i, &value)) != NULL; i++)
    if (value != NULL && !g_strv_contains (meant, name))
      unfit = name;
  for (guint i = 0; unfit == NULL && i < G_N_ELEMENTS (others); i++)
    if (others[i].given && !g_strv_contains (meant, others[i].name))
      unfit = others[i].name;
  return unfit == NULL
         || ifbam_fail (error, IFBAM_ERROR_USAGE,
                        "--%s does not apply to %s: it is for networks that are run%s", unfit, path,
                        g_str_equal (unfit, "sample") ? " (a CSV file needs --resample)" : "");
}
