/* command-lesson.c: lessons with steps that live runs check
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "lesson/lesson.h"
#include "program/command.h"
#include "program/lab-network.h"
#include "program/markdown.h"

/* Adds a trial of a step. Returns TRUE if it ended as wanted. */
static gboolean
add_trial (IfbamAnswer *answer, const IfbamLessonTrial *trial)
{
  const gboolean fine = trial->wanted == trial->fulfilled;

  ifbam_answer_begin_record (answer, NULL);
  ifbam_answer_add_note (answer, "    %s  %s: %s (%s)\n", fine ? "ok    " : "not ok",
                         trial->setting != NULL ? trial->setting
                         : trial->is_solution   ? "solution"
                                                : "as it is",
                         trial->fulfilled ? "fulfilled" : "not fulfilled", trial->detail);
  ifbam_answer_add_data (answer, "setting,solution,wanted,fulfilled,detail", "%s%i%i%i%s",
                         trial->setting != NULL ? trial->setting : "", trial->is_solution,
                         trial->wanted, trial->fulfilled, trial->detail);
  ifbam_answer_end (answer);
  return fine;
}

/* Checks a lesson. *fine: all trials ended as wanted. FALSE with an error. */
static gboolean
check_lesson (IfbamAnswer *answer, const char *path, const IfbamSweepRun *run, gboolean *fine,
              GError **error)
{
  g_autoptr (IfbamLesson) lesson = ifbam_lesson_new (path, error);

  if (lesson == NULL)
    return FALSE;
  ifbam_answer_begin_record (answer, NULL);
  ifbam_answer_add (answer, "file,title", "%s: %s\n", path, lesson->title);
  ifbam_answer_begin_list (answer, "steps");
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const IfbamLessonStep *step = lesson->steps->pdata[i];
      g_autoptr (GArray) trials = step->expectations->len == 0
                                      ? g_array_new (FALSE, FALSE, sizeof (IfbamLessonTrial))
                                      : ifbam_lesson_try (lesson, step, run, error);

      if (trials == NULL)
        return FALSE;
      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add (answer, "title", "  %s\n", step->title);
      ifbam_answer_begin_list (answer, "trials");
      for (guint t = 0; t < trials->len; t++)
        *fine &= add_trial (answer, &g_array_index (trials, IfbamLessonTrial, t));
      ifbam_answer_end (answer);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
  ifbam_answer_end (answer);
  return TRUE;
}

static int
check (char *const *paths, gboolean json)
{
  gboolean fine = TRUE, complete = TRUE;
  g_autoptr (GError) error = NULL;
  IfbamProgress progress;
  const IfbamSweepRun run = { .threads = 1, .progress = ifbam_progress_update, .data = &progress };
  IfbamAnswer *answer = ifbam_answer_new (json, NULL);
  int exit_code;

  ifbam_answer_begin_list (answer, "lessons");
  for (guint i = 0; paths[i] != NULL && complete; i++)
    {
      ifbam_progress_begin (&progress);
      complete = check_lesson (answer, paths[i], &run, &fine, &error);
      ifbam_progress_end (&progress);
    }
  ifbam_answer_end (answer);
  exit_code = ifbam_answer_finish (answer);
  if (!complete)
    return ifbam_command_fail (error);
  return exit_code != IFBAM_EXIT_DONE || fine ? exit_code : IFBAM_EXIT_FAILED;
}

/* Writes the laboratory of a lesson's network with the lesson beside it. */
static int
write_page (const char *path, const char *to)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamLesson) lesson = ifbam_lesson_new (path, &error);
  g_autofree char *text = lesson == NULL ? NULL : ifbam_lesson_page_text (lesson, &error);
  g_auto (IfbamNetworkOptions) options = { 0 };
  g_auto (IfbamLabSource) source = { 0 };

  if (text == NULL)
    return ifbam_command_fail (error);
  options.sets = ifbam_lesson_page_settings (lesson);
  source.beside = ifbam_markdown_html (text, strlen (text));
  return ifbam_lab_write (&source, &options, lesson->network, to);
}

static int
command_lesson (const IfbamCommand *command, int argc, char **argv)
{
  gboolean json = FALSE;
  g_autofree char *to = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "check: print JSON", NULL },
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &to, "page: file of the page", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  int exit_code;

  if (!ifbam_command_parse (command, context, NULL, &argc, &argv, &exit_code))
    return exit_code;
  if (argc >= 3 && g_str_equal (argv[1], "check") && to == NULL)
    return check (argv + 2, json);
  if (argc != 3 || !g_str_equal (argv[1], "page") || to == NULL || json)
    return ifbam_command_usage (command,
                                "want: ifbam lesson check FILE..., or ifbam lesson page FILE -o "
                                "FILE.html");
  return ifbam_command_writes_no_page (command, to)
                 || ifbam_command_overwrites (command, to, argv[2])
             ? IFBAM_EXIT_USAGE
             : write_page (argv[2], to);
}

const IfbamCommand ifbam_command_lesson = {
  "lesson",
  "check|page FILE...",
  "run the steps of lessons: their solutions must be right, and wrong answers wrong;\n"
  "or write the page of a lesson: its text beside a network that runs",
  "  ifbam lesson check networks/lessons/explosion.lesson.md\n"
  "  ifbam lesson page networks/lessons/explosion.lesson.md -o explosion.html\n",
  command_lesson,
  NULL,
};
