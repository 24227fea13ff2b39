/* main.c: finds and runs the command
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "program/command.h"
#include "run/run.h"
#include "file/file.h"

static const IfbamCommand *const commands[] = {
  &ifbam_command_run,         &ifbam_command_check,     &ifbam_command_elements,
  &ifbam_command_schemes,     &ifbam_command_dialogue,  &ifbam_command_spectrum,
  &ifbam_command_modes,       &ifbam_command_stability, &ifbam_command_response,
  &ifbam_command_equilibrium, &ifbam_command_campbell,  &ifbam_command_sweep,
  &ifbam_command_plot,        &ifbam_command_report,    &ifbam_command_lab,
  &ifbam_command_export,      &ifbam_command_rerun,     &ifbam_command_fit,
  &ifbam_command_orbit,       &ifbam_command_section,   &ifbam_command_lesson,
};

static char *
overview (void)
{
  GString *text = g_string_new ("ifbam simulates networks of masses, springs, contacts, circuits "
                                "and pipes, whose elements exchange messages.\n\n"
                                "Usage:\n");

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *call =
          g_strdup_printf ("ifbam %s %s", commands[i]->name, commands[i]->arguments);
      g_auto (GStrv) summary = NULL;

      /* further lines of a summary are indented below the first */
      summary = g_strsplit (commands[i]->summary, "\n", -1);
      for (guint line = 0; summary[line] != NULL; line++)
        g_string_append_printf (text, "  %-42s %s\n", line == 0 ? call : "", summary[line]);
    }
  g_string_append (text,
                   "\nExamples:\n"
                   "  ifbam run networks/two-dof.ini -o course.csv\n"
                   "  ifbam spectrum networks/two-dof.ini\n"
                   "  ifbam COMMAND --help\n\n"
                   "Exit codes: 0 done; 1 the input, the run or the writing failed; 2 the command "
                   "line was wrong;\n130 interrupted, 143 terminated, 129 hung up.\n");
  return g_string_free (text, FALSE);
}

/* Messages quote files and options, with any characters. A leading carriage return is kept. */
static void
print_showable (const char *text)
{
  g_autofree char *valid = g_strdup (text);
  const char *charset;
  const gboolean plain = g_get_console_charset (&charset);
  const gsize length = strlen (text);
  g_autofree char *local = NULL;

  ifbam_make_printable (valid);
  if (length > 0 && text[0] == '\r')
    valid[0] = '\r';
  if (length > 0 && text[length - 1] == '\r')
    valid[length - 1] = '\r';
  if (!plain)
    local = g_convert_with_fallback (valid, -1, charset, "UTF-8", "?", NULL, NULL, NULL);
  fputs (local != NULL ? local : valid, stderr);
  fflush (stderr);
}

/* Returns the command with the meaning of a word of other programs; NULL: unknown. */
static const char *
find_synonym (const char *word)
{
  static const struct
  {
    const char *word, *command;
  } words[] = {
    { "version", "--version" },
    { "-v", "--version" },
    { "-V", "--version" },
    { "simulate", "run" },
    { "sim", "run" },
    { "solve", "run" },
    { "fft", "spectrum" },
    { "frequencies", "modes" },
    { "eigenvalues", "modes" },
    { "eigenfrequencies", "modes" },
    { "eig", "modes" },
    { "bode", "response" },
    { "frf", "response" },
    { "validate", "check" },
    { "lint", "check" },
    { "classes", "elements" },
    { "integrators", "schemes" },
    { "optimize", "sweep" },
    { "fmu", "export --fmu" },
    { "draw", "plot" },
    { "course", "plot course" },
    { "phase", "plot phase" },
    { "spectrogram", "plot spectrogram" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (word, words[i].word) == 0)
      return words[i].command;
  return NULL;
}

/* GLib's own writer tests for a journal at its first message, and allocates memory: if the message
 * is about lack of memory, it deadlocks. */
static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  return g_log_writer_default_would_drop (level, G_LOG_DOMAIN)
             ? G_LOG_WRITER_HANDLED
             : g_log_writer_standard_streams (level, fields, n_fields, data);
}

/* Prints a note: opening a named pipe blocks until its other end is opened. */
static void
note_pipes (char **words)
{
  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *value = words[i][0] == '-' ? strchr (words[i], '=') : NULL;
      const char *path = value != NULL ? value + 1 : words[i];
      struct stat state;

      if (!g_str_has_prefix (path, "/dev/") && !g_str_has_prefix (path, "/proc/")
          && stat (path, &state) == 0 && S_ISFIFO (state.st_mode))
        g_printerr ("ifbam: note: %s is a pipe: ifbam waits for the process at its other end\n",
                    path);
    }
}

/* Only one of many identical processes prints. */
static void
print_nothing (const char *text)
{
  (void) text;
}

static gboolean
disable_messages (void)
{
  g_set_printerr_handler (print_nothing);
  return freopen ("/dev/null", "w", stdout) != NULL;
}

static int
command (int argc, char **argv)
{
  g_autofree char *text = NULL;
  const char *names[G_N_ELEMENTS (commands)];
  const char *nearest;
  static char help[] = "--help";

  ifbam_progress_end_by_signals ();
  /* Numbers have a point in any locale; only the terminal's character set is used. */
  setlocale (LC_CTYPE, "");
  /* Writing then fails with an error, which is reported. */
  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN);
  g_log_set_writer_func (write_log, NULL, NULL);
  g_set_printerr_handler (print_showable);
  if (!ifbam_command_is_first_rank () && !disable_messages ())
    return IFBAM_EXIT_FAILED;
  text = overview ();
  if (argc < 2)
    {
      g_printerr ("%s", text);
      return IFBAM_EXIT_USAGE;
    }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0
      || (strcmp (argv[1], "help") == 0 && argc == 2))
    return ifbam_command_print (text);
  /* "help run" is "run --help". */
  if (strcmp (argv[1], "help") == 0)
    {
      argv[1] = argv[2];
      argv[2] = help;
    }
  if (strcmp (argv[1], "--version") == 0)
    return ifbam_command_print ("ifbam " IFBAM_VERSION "\n");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      if (strcmp (argv[1], commands[i]->name) == 0)
        {
          if (ifbam_ranks () != NULL && commands[i] != &ifbam_command_run)
            {
              g_printerr ("ifbam: %s uses one process; only run uses several (mpirun)\n", argv[1]);
              return IFBAM_EXIT_USAGE;
            }
          note_pipes (argv + 2);
          return commands[i]->run (commands[i], argc - 1, argv + 1);
        }
      names[i] = commands[i]->name;
    }
  nearest = find_synonym (argv[1]);
  if (nearest == NULL && !g_file_test (argv[1], G_FILE_TEST_EXISTS))
    nearest = ifbam_nearest_word (argv[1], names, G_N_ELEMENTS (names));
  if (nearest != NULL)
    g_printerr ("ifbam: there is no command \"%s\" (did you mean \"%s\"?)\n", argv[1], nearest);
  else if (g_file_test (argv[1], G_FILE_TEST_EXISTS))
    g_printerr ("ifbam: no COMMAND before \"%s\" (want such as \"run %s\")\n", argv[1], argv[1]);
  else
    g_printerr ("ifbam: there is no command \"%s\"\n%s", argv[1], text);
  return IFBAM_EXIT_USAGE;
}

int
main (int argc, char **argv)
{
  const IfbamRanks *ranks;
  int rank, exit_code;

  ifbam_output_guard_standard ();
  ranks = ifbam_ranks_begin (&argc, &argv);
  rank = ranks == NULL ? 0 : ranks->rank;
  exit_code = command (argc, argv);
  /* When rank 0 has ended, mpirun may end the others, which print nothing. */
  if (rank != 0)
    signal (SIGTERM, SIG_DFL);
  ifbam_ranks_end (exit_code);
  return rank == 0 ? exit_code : IFBAM_EXIT_DONE;
}
