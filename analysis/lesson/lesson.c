/* lesson.c: lessons: steps in Markdown with settings and expectations, checked by runs
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lesson/lesson.h"

#include <string.h>

#include "base/fail.h"
#include "run/run.h"

static const char *const words[] = { "network",  "set",   "see",    "ask", "hint",
                                     "solution", "wrong", "expect", NULL };

typedef struct
{
  IfbamLesson *lesson;
  GString *faults;
  gboolean in_block, in_other; /* in a block of the lesson, in one of something else */
  guint line;
} Reader;

static void
step_free (gpointer data)
{
  IfbamLessonStep *step = data;

  g_free (step->title);
  g_ptr_array_unref (step->settings);
  g_ptr_array_unref (step->solution);
  g_ptr_array_unref (step->wrong);
  g_ptr_array_unref (step->expectations);
  g_ptr_array_unref (step->questions);
  g_free (step->signals);
  g_free (step);
}

void
ifbam_lesson_free (IfbamLesson *lesson)
{
  if (lesson == NULL)
    return;
  g_free (lesson->path);
  g_free (lesson->title);
  g_free (lesson->network);
  g_ptr_array_unref (lesson->steps);
  g_string_free (lesson->page, TRUE);
  g_free (lesson);
}

G_GNUC_PRINTF (3, 4)
static void
add_fault (Reader *reader, guint line, const char *format, ...)
{
  va_list arguments;

  g_string_append_printf (reader->faults, "%s%s:%u: ", reader->faults->len > 0 ? "\n" : "",
                          reader->lesson->path, line);
  va_start (arguments, format);
  g_string_append_vprintf (reader->faults, format, arguments);
  va_end (arguments);
}

static void
add_step (Reader *reader, const char *title)
{
  IfbamLessonStep *step = g_new0 (IfbamLessonStep, 1);

  step->title = g_strdup (title);
  step->line = reader->line;
  step->settings = g_ptr_array_new_with_free_func (g_free);
  step->solution = g_ptr_array_new_with_free_func (g_free);
  step->questions = g_ptr_array_new_with_free_func (g_free);
  step->wrong = g_ptr_array_new_with_free_func (g_free);
  step->expectations = g_ptr_array_new_with_free_func (ifbam_expectation_free);
  g_ptr_array_add (reader->lesson->steps, step);
}

/* Adds "ELEMENT.KEY = VALUE" as a setting. */
static void
add_setting (Reader *reader, GPtrArray *settings, const char *word, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "=", 2);

  if (parts[1] == NULL || *g_strstrip (parts[0]) == '\0' || *g_strchug (parts[1]) == '\0')
    add_fault (reader, reader->line, "%s: \"%s\" is no setting (want ELEMENT.KEY = VALUE)", word,
               text);
  else
    g_ptr_array_add (settings, g_strjoin ("=", parts[0], parts[1], NULL));
}

static void
read_network (Reader *reader, const char *text)
{
  g_autofree char *folder = g_path_get_dirname (reader->lesson->path);

  if (reader->lesson->network != NULL)
    add_fault (reader, reader->line, "network: there is one already");
  else
    reader->lesson->network =
        g_path_is_absolute (text) ? g_strdup (text) : g_build_filename (folder, text, NULL);
}

static void
read_expectation (Reader *reader, IfbamLessonStep *step, const char *text)
{
  g_autofree char *reason = NULL;
  IfbamExpectation *expectation = ifbam_expectation_new (text, reader->line, &reason);

  if (expectation == NULL)
    add_fault (reader, reader->line, "expect: %s", reason);
  else
    g_ptr_array_add (step->expectations, expectation);
}

/* Reads "WORD TEXT" in a block. */
static void
read_entry (Reader *reader, char *line)
{
  const gsize length = strcspn (line, " ");
  const char *text = line + length + strspn (line + length, " ");
  g_autofree char *word = g_strndup (line, length);
  IfbamLessonStep *step = reader->lesson->steps->len == 0
                              ? NULL
                              : reader->lesson->steps->pdata[reader->lesson->steps->len - 1];
  GPtrArray *settings = step == NULL                     ? NULL
                        : g_str_equal (word, "set")      ? step->settings
                        : g_str_equal (word, "solution") ? step->solution
                        : g_str_equal (word, "wrong")    ? step->wrong
                                                         : NULL;

  if (!g_strv_contains (words, word))
    {
      g_autofree char *list = g_strjoinv (", ", (char **) words);

      add_fault (reader, reader->line, "there is no word \"%s\" (want one of %s)", word, list);
    }
  else if (*text == '\0')
    add_fault (reader, reader->line, "\"%s\" has no text", word);
  else if (g_str_equal (word, "network"))
    read_network (reader, text);
  else if (step == NULL)
    add_fault (reader, reader->line, "%s: is before the first step (want a heading \"## ...\")",
               word);
  else if (settings != NULL)
    add_setting (reader, settings, word, text);
  else if (g_str_equal (word, "expect"))
    read_expectation (reader, step, text);
  else if (g_str_equal (word, "see") && step->signals != NULL)
    add_fault (reader, reader->line, "see: there is one already in this step");
  else if (g_str_equal (word, "see"))
    step->signals = g_strdup (text);
  else
    g_ptr_array_add (step->questions,
                     g_strdup_printf (g_str_equal (word, "ask") ? "**%s**" : "Hint: %s", text));
}

static void
read_line (Reader *reader, char *line)
{
  const gboolean is_fence = g_str_has_prefix (line, "```"),
                 outside = !reader->in_block && !reader->in_other,
                 begins = outside && is_fence
                          && g_str_equal (line + 3 + strspn (line + 3, " \t"), "lesson");

  if (!reader->in_block && !begins)
    g_string_append_printf (reader->lesson->page, "%s\n", line);
  if (begins && reader->lesson->steps->len > 0)
    g_string_append_printf (reader->lesson->page, "\001%u\n", reader->lesson->steps->len - 1);
  if (is_fence)
    {
      reader->in_block = begins;
      reader->in_other = outside && !begins;
    }
  else if (reader->in_block && *g_strstrip (line) != '\0')
    read_entry (reader, line);
  else if (outside && g_str_has_prefix (line, "## "))
    add_step (reader, g_strstrip (line + 3));
  else if (outside && g_str_has_prefix (line, "# ") && reader->lesson->title == NULL)
    reader->lesson->title = g_strdup (g_strstrip (line + 2));
}

/* Reports faults of the whole lesson. */
static void
check_whole (Reader *reader)
{
  const IfbamLesson *lesson = reader->lesson;
  guint n = 0;

  if (reader->in_block)
    add_fault (reader, reader->line, "the block has no end (want ```)");
  if (lesson->title == NULL)
    add_fault (reader, 1, "there is no title (want a heading \"# ...\")");
  if (lesson->network == NULL)
    add_fault (reader, 1, "there is no network (want \"network FILE\" in a block ```lesson)");
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const IfbamLessonStep *step = lesson->steps->pdata[i];

      n += step->expectations->len;
      if (step->expectations->len == 0 && step->solution->len + step->wrong->len > 0)
        add_fault (reader, step->line, "step \"%s\" has answers, but nothing to expect",
                   step->title);
    }
  if (n == 0)
    add_fault (reader, reader->line, "no step has an expectation");
}

IfbamLesson *
ifbam_lesson_new (const char *path, GError **error)
{
  g_autoptr (IfbamLesson) lesson = g_new0 (IfbamLesson, 1);
  g_autoptr (GString) faults = g_string_new (NULL);
  g_autoptr (IfbamNetworkBytes) bytes = NULL;
  Reader reader = { .lesson = lesson, .faults = faults };

  lesson->path = g_strdup (path);
  lesson->page = g_string_new (NULL);
  lesson->steps = g_ptr_array_new_with_free_func (step_free);
  bytes = ifbam_network_bytes_new (path, error);
  if (bytes == NULL)
    return NULL;
  if (!g_utf8_validate (bytes->text, (gssize) bytes->length, NULL))
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK, "%s: is not UTF-8 text", path);
  for (char *line = bytes->text, *next; line != NULL; line = next)
    {
      char *end = strchr (line, '\n');

      next = end == NULL ? NULL : end + 1;
      if (end != NULL)
        *end = '\0';
      reader.line++;
      read_line (&reader, g_strchomp (line));
    }
  check_whole (&reader);
  if (faults->len > 0)
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK, "%s", faults->str);
  return g_steal_pointer (&lesson);
}

/* Pages */

/* TRUE for a key of [network] that the controls of a page do not change. */
static gboolean
is_fixed (const char *setting)
{
  return g_str_has_prefix (setting, "network.") && !g_str_has_prefix (setting, "network.scheme=")
         && !g_str_has_prefix (setting, "network.step=");
}

char **
ifbam_lesson_page_settings (const IfbamLesson *lesson)
{
  g_autoptr (GPtrArray) settings = g_ptr_array_new ();
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint s = 0; s < lesson->steps->len; s++)
    {
      const IfbamLessonStep *step = lesson->steps->pdata[s];

      for (guint i = 0; i < step->settings->len; i++)
        {
          const char *setting = step->settings->pdata[i];

          if (is_fixed (setting)
              && g_hash_table_add (known, g_strndup (setting, strcspn (setting, "="))))
            g_ptr_array_add (settings, g_strdup (setting));
        }
    }
  g_ptr_array_add (settings, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&settings), FALSE);
}

/* Adds a setting to the address of a page, "k1.stiffness=2000". FALSE: its controls have none. */
static gboolean
add_to_address (GString *address, const IfbamNetwork *network, const char *setting)
{
  const char *equals = strchr (setting, '=');
  g_autofree char *name = g_strndup (setting, (gsize) (equals - setting));
  g_autofree char *owner = g_strndup (name, strcspn (name, "."));
  const IfbamElement *element = g_hash_table_lookup (network->by_name, owner);
  const char *key = g_str_has_prefix (name, "network.") ? name + strlen ("network.") : name;
  g_autofree char *reason = NULL;
  g_autoptr (IfbamFormula) formula = NULL;
  IfbamDimension dimension;
  gboolean is_bare;

  if (is_fixed (setting) || (element != NULL && element->info->set_member != NULL))
    return is_fixed (setting);
  if (g_str_equal (key, "scheme"))
    {
      g_string_append_printf (address, "&scheme=%s", equals + 1);
      return TRUE;
    }
  formula = ifbam_expression_new (equals + 1, NULL, 0, &dimension, &is_bare, &reason);
  if (formula != NULL)
    g_string_append_printf (address, "&%s=%.15g", key, ifbam_formula_value (formula, NULL));
  return formula != NULL;
}

/* Adds a step's link, questions and expectations. */
static void
add_step_text (GString *text, const IfbamLessonStep *step, const IfbamNetwork *network)
{
  g_autoptr (GString) address = g_string_new (NULL), by_hand = g_string_new (NULL);
  g_auto (GStrv) signals = g_strsplit (step->signals != NULL ? step->signals : "", ",", -1);
  guint first = 0; /* a page draws one signal, of a node */

  for (guint i = 0; i < step->settings->len; i++)
    if (!add_to_address (address, network, step->settings->pdata[i]))
      g_string_append_printf (by_hand, "%s`%s`", by_hand->len > 0 ? ", " : "",
                              (const char *) step->settings->pdata[i]);
  while (signals[first] != NULL && g_str_has_prefix (g_strstrip (signals[first]), "network."))
    first++;
  if (signals[first] != NULL)
    g_string_append_printf (address, "&see=%s", signals[first]);
  g_string_append_printf (text, "\n[Set up this step](<#%s>)%s%s\n",
                          address->len > 0 ? address->str + 1 : "",
                          by_hand->len > 0 ? "; in the file: " : "", by_hand->str);
  for (guint i = 0; i < step->questions->len; i++)
    g_string_append_printf (text, "\n%s\n", (const char *) step->questions->pdata[i]);
  for (guint i = 0; i < step->expectations->len; i++)
    g_string_append_printf (text, "\n%s: `%s`\n", step->solution->len > 0 ? "Solved if" : "True",
                            ifbam_expectation_text (step->expectations->pdata[i]));
}

char *
ifbam_lesson_page_text (const IfbamLesson *lesson, GError **error)
{
  g_autoptr (IfbamNetworkBytes) bytes = ifbam_network_bytes_new (lesson->network, error);
  g_autoptr (IfbamNetwork) network =
      bytes == NULL ? NULL : ifbam_network_new_from_bytes (bytes, NULL, error);
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (GStrv) lines = g_strsplit (lesson->page->str, "\n", -1);

  if (network == NULL)
    return NULL;
  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] == '\001')
      add_step_text (text, lesson->steps->pdata[g_ascii_strtoull (lines[i] + 1, NULL, 10)],
                     network);
    else
      g_string_append_printf (text, "%s\n", lines[i]);
  return g_strdup (text->str);
}

/* Runs */

/* Returns a step's settings, more (or NULL) and one more (or NULL), NULL-terminated. */
static GPtrArray *
join_settings (const IfbamLessonStep *step, GPtrArray *more, const char *one)
{
  GPtrArray *settings = g_ptr_array_new ();

  g_ptr_array_extend (settings, step->settings, NULL, NULL);
  if (more != NULL)
    g_ptr_array_extend (settings, more, NULL, NULL);
  if (one != NULL)
    g_ptr_array_add (settings, (gpointer) one);
  g_ptr_array_add (settings, NULL);
  return settings;
}

/* Tests the step with the settings of a trial, up to the first expectation that is not fulfilled. FALSE
 * with an error. */
static gboolean
try_settings (const IfbamLesson *lesson, const IfbamLessonStep *step,
              const IfbamNetworkBytes *bytes, const IfbamSweepRun *run, IfbamLessonTrial *trial,
              GError **error)
{
  g_autoptr (GPtrArray) settings =
      join_settings (step, trial->is_solution ? step->solution : NULL, trial->setting);

  trial->fulfilled = TRUE;
  for (guint i = 0; i < step->expectations->len && trial->fulfilled; i++)
    {
      const IfbamExpectation *expectation = step->expectations->pdata[i];

      g_clear_pointer (&trial->detail, g_free);
      if (!ifbam_expectation_test (expectation, bytes, (const char *const *) settings->pdata, run,
                                   &trial->fulfilled, &trial->detail, error))
        {
          g_prefix_error (error, "%s:%u: ", lesson->path, ifbam_expectation_line (expectation));
          return FALSE;
        }
    }
  return TRUE;
}

/* Reads the network of a step with its signals. FALSE with an error. */
static gboolean
check_network (const IfbamLesson *lesson, const IfbamLessonStep *step,
               const IfbamNetworkBytes *bytes, GError **error)
{
  g_autofree char *record =
      step->signals == NULL ? NULL : g_strconcat ("network.record=", step->signals, NULL);
  g_autoptr (GPtrArray) settings = join_settings (step, NULL, record);
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_bytes (bytes, (const char *const *) settings->pdata, error);

  if (network == NULL)
    g_prefix_error (error, "%s:%u: ", lesson->path, step->line);
  return network != NULL;
}

static void
trial_clear (gpointer data)
{
  g_free (((IfbamLessonTrial *) data)->detail);
}

GArray *
ifbam_lesson_try (const IfbamLesson *lesson, const IfbamLessonStep *step, const IfbamSweepRun *run,
                  GError **error)
{
  g_autoptr (GArray) trials = g_array_new (FALSE, FALSE, sizeof (IfbamLessonTrial));
  g_autoptr (IfbamNetworkBytes) bytes = ifbam_network_bytes_new (lesson->network, error);
  const guint first_wrong = step->solution->len > 0 ? 2 : 1;

  if (bytes == NULL || !check_network (lesson, step, bytes, error))
    return NULL;
  g_array_set_clear_func (trials, trial_clear);
  for (guint i = 0; i < first_wrong + step->wrong->len; i++)
    {
      IfbamLessonTrial trial = {
        .setting = i < first_wrong ? NULL : step->wrong->pdata[i - first_wrong],
        .is_solution = i == 1 && first_wrong == 2,
        .wanted = i + 1 == first_wrong, /* of the solution, or without one of the step itself */
      };

      if (!try_settings (lesson, step, bytes, run, &trial, error))
        {
          g_free (trial.detail);
          return NULL;
        }
      g_array_append_val (trials, trial);
    }
  return g_steal_pointer (&trials);
}
