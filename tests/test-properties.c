/* test-properties.c: new values of properties act at once or are rejected, in all classes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "any-class.h"
#include "dialogue/dialogue.h"
#include "elements/registry.h"
#include "fixture.h"
#include "file/file.h"
#include "noise.h"

#define DRAWS  by_effort (1, 4, 12) /* changes of each property */
#define TRIALS 20000                /* at most, until one shows: stops of hinges are seldom met */
#define CYCLES 6

static int
set_up (void **state)
{
  noise_set_up (1994);
  if (folder_make (state) != 0)
    return 1;
  g_free (folder_write ("course.csv", "time [s],value\n0,1\n1,3\n2,2\n"));
  return 0;
}

static int
tear_down (void **state)
{
  noise_tear_down (state);
  return folder_remove (state);
}

/* Values */

/* Near the present value, as most changes of users are. */
static void
change_number (IfbamElement *element, const IfbamParam *param)
{
  double number;

  g_object_get (element, param->key, &number, NULL);
  number = number == 0 || isinf (number) || fabs (number) > 1e12 || fabs (number) < 1e-12
               ? in_range (param)
               : number * between (0.5, 2);
  g_object_set (element, param->key, fmin (fmax (number, param->minimum), param->maximum), NULL);
}

static void
change_list (IfbamElement *element, const IfbamParam *param)
{
  g_autoptr (GVariant) list = NULL;
  g_autofree double *numbers = NULL;
  const double factor = between (0.5, 2);
  gsize n = 0;

  g_object_get (element, param->key, &list, NULL);
  if (list == NULL)
    {
      set_list (element, param, (gsize) g_rand_int_range (noise, 1, 4));
      return;
    }
  numbers =
      g_memdup2 (g_variant_get_fixed_array (list, &n, sizeof (double)), g_variant_get_size (list));
  for (gsize i = 0; i < n; i++)
    numbers[i] *= factor;
  g_object_set (element, param->key,
                g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n, sizeof (double)),
                NULL);
}

static void
change_names (IfbamElement *element, const IfbamParam *param)
{
  static const char *const nobody[] = { "nobody", NULL };
  g_auto (GStrv) names = NULL;

  g_object_get (element, param->key, &names, NULL);
  if (names != NULL && g_strv_length (names) > 1 && g_rand_boolean (noise))
    {
      char *first = names[0];

      names[0] = names[1];
      names[1] = first;
      g_object_set (element, param->key, names, NULL);
    }
  else
    g_object_set (element, param->key, nobody, NULL);
}

static void
change_text (IfbamElement *element, const IfbamParam *param)
{
  static const char *const texts[] = { "course.csv:value", "rk4", "cold", "*.position", NULL };

  g_object_set (element, param->key, texts[g_rand_int_range (noise, 0, G_N_ELEMENTS (texts))],
                NULL);
}

static void
change_value (IfbamElement *element, guint index)
{
  const IfbamParam *param = &element->info->params[index];

  switch (param->kind)
    {
    case IFBAM_PARAM_NUMBER:
      change_number (element, param);
      break;
    case IFBAM_PARAM_NUMBERS:
      change_list (element, param);
      break;
    case IFBAM_PARAM_CHOICE:
      g_object_set (element, param->key, random_word (param), NULL);
      break;
    case IFBAM_PARAM_ELEMENTS:
      change_names (element, param);
      break;
    case IFBAM_PARAM_TEXT:
      change_text (element, param);
      break;
    }
}

/* All that a network's elements and settings have, as text. */
static char *
values_of (IfbamNetwork *network)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i <= network->elements->len; i++)
    {
      IfbamElement *element = i < network->elements->len ? network->elements->pdata[i]
                                                         : ifbam_network_get_settings (network);

      for (guint k = 0; k < element->info->n_params; k++)
        {
          const IfbamParam *param = &element->info->params[k];
          g_auto (GValue) value = G_VALUE_INIT;
          g_autofree char *word = NULL;

          g_object_get_property (G_OBJECT (element), param->key, &value);
          word = G_VALUE_HOLDS_DOUBLE (&value) ? g_strdup_printf ("%a", g_value_get_double (&value))
                 : !G_VALUE_HOLDS_VARIANT (&value) ? g_strdup_value_contents (&value)
                 : g_value_get_variant (&value) != NULL
                     ? g_variant_print (g_value_get_variant (&value), FALSE)
                     : g_strdup ("none");
          g_string_append_printf (text, "%s.%s = %s (%d)\n", element->name, param->key, word,
                                  ifbam_element_is_set (element, k));
        }
    }
  return g_string_free (text, FALSE);
}

static void
copy_values (IfbamElement *from, IfbamElement *to)
{
  for (guint i = 0; i < from->info->n_params; i++)
    if (ifbam_element_is_set (from, i) || ifbam_element_is_set (to, i))
      {
        g_auto (GValue) value = G_VALUE_INIT;

        g_object_get_property (G_OBJECT (from), from->info->params[i].key, &value);
        g_object_set_property (G_OBJECT (to), from->info->params[i].key, &value);
      }
}

/* A network that was made with another's values (transfer full). */
static IfbamNetwork *
made_as (const char *text, const IfbamNetwork *other)
{
  IfbamNetwork *network = text_network (text);

  for (guint i = 0; i < network->elements->len; i++)
    copy_values (other->elements->pdata[i], network->elements->pdata[i]);
  copy_values (other->settings, network->settings);
  return network;
}

/* The first link of a domain that takes any nodes, with numbers only. */
static const IfbamElementInfo *
tie_of (IfbamDomain domain)
{
  guint n;
  const GType *types = ifbam_element_types (&n);

  for (guint i = 0; i < n; i++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[i]);

      if (info->domain == domain && ifbam_element_in_batches (info)
          && !ifbam_element_prepares_law (info)
          && (info->forms == 0 || (info->forms & IFBAM_BETWEEN_NODES) != 0))
        return info;
    }
  fail_msg ("no link for %s", ifbam_domain_info (domain)->name);
  return NULL;
}

static gboolean
has_relation (const IfbamElementInfo *info, const void *law, IfbamConstraintKind kind)
{
  return info->link != NULL && info->link->constraint != NULL
         && info->link->constraint (law, 0).kind == kind;
}

/* A bouncing mass lies there, pressed by its weight: only so its friction has an effect. */
static gboolean
lies_there (const IfbamElementInfo *info)
{
  return (info->forms & IFBAM_BETWEEN_BALLS) == IFBAM_BETWEEN_BALLS && info->link->next != NULL;
}

/* Returns the example of a class (transfer full); a node is joined to another one, so that its parameters have an effect. */
static char *
network_text (const IfbamElementInfo *info)
{
  g_autofree char *text = example_network (info), *joined = NULL;
  g_auto (GStrv) words = g_strsplit_set (info->example, " ]", 3);
  const char *inertia = NULL;
  const IfbamElementInfo *node = free_node (domain_of (info), &inertia);
  const IfbamElementInfo *tie = tie_of (domain_of (info));
  GString *all;

  all = g_string_new (text);
  if (info->link != NULL && lies_there (info))
    {
      g_autofree char *ball = g_strdup (strstr (text, "[ball ") + 6);

      strchr (ball, ']')[0] = '\0';
      g_string_replace (all, "radius = 1\n", "radius = 1\ny = 1\n", 1);
      g_string_append_printf (all, "[gravity weight]\non = %s\n", ball);
    }
  if (info->link != NULL && info->link->sample != NULL)
    {
      g_autofree char *heard = g_strdup (strstr (info->example, "= ") + strlen ("= "));

      strchr (heard, '.')[0] = '\0';
      g_string_append_printf (all, "[force pull]\nvalue = 1 N\non = %s\nfollow = %s\n", heard,
                              words[1]);
    }
  if (info->kind > IFBAM_KIND_GIVEN_NODE || info->form != IFBAM_FORM_NODE)
    return g_string_free (all, FALSE);
  /* If no element can be joined to it, one of its ends. */
  joined = is_always_tied (info) ? g_strdup (strstr (strstr (info->example, "between"), "= ") + 2)
                                 : g_strdup (words[1]);
  joined[strcspn (joined, ",")] = '\0';
  g_string_append_printf (all, "[%s other]\n%s = 1\n[%s tie]\nbetween = %s, other\n", node->name,
                          inertia, tie->name, joined);
  for (guint i = 0; i < tie->n_params; i++)
    if (tie->params[i].kind == IFBAM_PARAM_NUMBER && ifbam_param_is_required (&tie->params[i]))
      g_string_append_printf (all, "%s = 10\n", tie->params[i].key);
  return g_string_free (all, FALSE);
}

/* A value that contradicts the others is not set. */
static void
leave_faults (IfbamElement *element, const IfbamParam *param)
{
  g_autofree char *fault = NULL;
  const char *key = NULL;

  if (element->info->fault != NULL && !ifbam_param_is_required (param) && !isinf (param->standard))
    fault = element->info->fault (element, &key);
  if (fault != NULL)
    g_object_set (element, param->key, param->standard, NULL);
}

/* The example of a class in motion, with values near those of the example (transfer full). */
static IfbamNetwork *
draw_network (const IfbamElementInfo *info, const char *text, IfbamElement **element)
{
  IfbamNetwork *network = text_network (text);
  /* A constraint between its ends fits few starts: most start values are left open. */
  gboolean is_assembled;

  *element = info->kind == IFBAM_KIND_SETTINGS ? network->settings : network->elements->pdata[0];
  is_assembled = has_relation (info, ifbam_element_law (*element), IFBAM_CONSTRAINT_FIXED)
                 || (info->link != NULL && lies_there (info)) || is_always_tied (info);
  if (info->kind == IFBAM_KIND_SETTINGS)
    g_object_set (network->settings, "duration", 0.02, NULL);
  for (guint i = info->kind == IFBAM_KIND_SETTINGS ? 0 : 1; i < network->elements->len; i++)
    {
      IfbamElement *end = network->elements->pdata[i];

      for (guint k = 0; k < end->info->n_params; k++)
        if (end->info->kind != IFBAM_KIND_GIVEN_NODE
            && end->info->params[k].kind == IFBAM_PARAM_NUMBER && end->info->params[k].minimum < 0
            && (!is_assembled
                || (g_strcmp0 (end->info->params[k].unit, "rad/s") == 0 && g_rand_boolean (noise))
                || g_rand_int_range (noise, 0, 4) == 0))
          {
            g_object_set (end, end->info->params[k].key,
                          (g_rand_boolean (noise) ? -1 : 1) * pow (10, between (-3, 1)), NULL);
            leave_faults (end, &end->info->params[k]);
          }
    }
  for (guint k = 0; k < info->n_params && info->kind != IFBAM_KIND_SETTINGS; k++)
    if (info->params[k].kind == IFBAM_PARAM_NUMBER && g_rand_boolean (noise))
      {
        /* A stop far away is as good as none. */
        if (isinf (info->params[k].standard))
          g_object_set (*element, info->params[k].key,
                        (g_rand_boolean (noise) ? -1 : 1) * pow (10, between (-4, -1)), NULL);
        else
          change_number (*element, &info->params[k]);
        leave_faults (*element, &info->params[k]);
      }
  return network;
}

/* Between two runs */

static char *
run_text (IfbamNetwork *network, IfbamEngineKind engine)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = ifbam_network_run (network, engine, &error);
  g_autofree char *path = folder_path ("run.csv");
  char *text = NULL;

  if (course == NULL)
    return g_strdup (error->message);
  assert_true (ifbam_course_write_csv (course, path, NULL));
  assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
next_run_has_the_change (GType type, const IfbamElementInfo *info)
{
  g_autofree char *text = network_text (info);
  guint n_differ = 0;

  (void) type;
  for (guint i = 0; i < info->n_params; i++)
    for (guint draw = 0; draw < DRAWS; draw++)
      {
        IfbamElement *element;
        const IfbamEngineKind engine = draw % 2 ? IFBAM_ENGINE_OBJECTS : IFBAM_ENGINE_PLAN;
        g_autoptr (IfbamNetwork) network = draw_network (info, text, &element);
        g_autoptr (IfbamNetwork) fresh = NULL;
        g_autofree char *before = run_text (network, engine), *after = NULL, *expected = NULL;

        change_value (element, i);
        after = run_text (network, engine);
        fresh = made_as (text, network);
        expected = run_text (fresh, engine);
        n_differ += strcmp (before, after) != 0;
        if (strcmp (after, expected) != 0)
          fail_msg ("%s: a changed %s acts otherwise than from the start:\n%.300s\n%.300s",
                    info->name, info->params[i].key, after, expected);
      }
  print_message ("# %s: %u of the next runs differ\n", info->name, n_differ);
  assert_true (n_differ > 0 || info->form != IFBAM_FORM_NODE);
}

static void
test_between_runs (void **state)
{
  (void) state;
  each_class (next_run_has_the_change, -1);
}

/* In a dialogue */

typedef struct
{
  GArray *said; /* by all nodes, cycle by cycle */
  char *failure;
} Talk;

static void
talk_clear (Talk *talk)
{
  g_array_unref (talk->said);
  g_free (talk->failure);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Talk, talk_clear)

/* Messages of nodes, and active constraints. */
static void
listen_to (const IfbamDialogue *dialogue, Talk *talk)
{
  for (guint i = 0; i < dialogue->nodes->len; i++)
    for (guint c = 0; c < 2; c++)
      g_array_append_vals (talk->said, ((IfbamAgent *) dialogue->nodes->pdata[i])->column[c], 1);
  for (guint i = 0; i < dialogue->unbatched_links->len; i++)
    {
      const double mode = ((IfbamAgent *) dialogue->unbatched_links->pdata[i])->mode;

      g_array_append_val (talk->said, mode);
    }
}

static void
go_on (IfbamNetwork *network, Talk *talk)
{
  for (guint cycle = 0; cycle < CYCLES && talk->failure == NULL; cycle++)
    {
      g_autoptr (GError) error = NULL;

      for (guint turn = 0; turn < ifbam_dialogue_rounds_per_step (&network->spec); turn++)
        ifbam_network_turn (network);
      if (!ifbam_network_settle (network, &error))
        talk->failure = g_strdup (error->message);
      listen_to (network->home.dialogue, talk);
    }
}

static gboolean
same_talk (const Talk *a, const Talk *b)
{
  return g_strcmp0 (a->failure, b->failure) == 0 && a->said->len == b->said->len
         && (a->said->len == 0
             || memcmp (a->said->data, b->said->data, a->said->len * sizeof (double)) == 0);
}

/* Results of changes of a property. */
typedef struct
{
  guint refused, acted, idle;
} Count;

/* A change after so many cycles. FALSE: there was none. */
static gboolean
change_in_dialogue (const IfbamElementInfo *info, const char *text, guint index, gboolean late,
                    Count *count)
{
  const char *key = info->params[index].key;
  IfbamElement *element;
  g_autoptr (IfbamNetwork) network = draw_network (info, text, &element);
  g_autoptr (IfbamNetwork) twin = NULL, fresh = NULL;
  g_auto (Talk) with = { g_array_new (FALSE, FALSE, sizeof (double)), NULL };
  g_auto (Talk) without = { g_array_new (FALSE, FALSE, sizeof (double)), NULL };
  g_auto (Talk) anew = { g_array_new (FALSE, FALSE, sizeof (double)), NULL };
  g_auto (Talk) start = { g_array_new (FALSE, FALSE, sizeof (double)), NULL };
  g_auto (Talk) other_start = { g_array_new (FALSE, FALSE, sizeof (double)), NULL };
  g_autofree char *before = NULL, *changed = NULL, *after = NULL;
  gboolean refused;

  g_object_set (network->settings, "scheme",
                has_no_inertia (info)    ? "esdirk4"
                : g_rand_boolean (noise) ? "rk4"
                                         : "symplectic-euler",
                "step", 0.01, NULL);
  twin = made_as (text, network);
  if (!ifbam_network_reset (network, NULL) || !ifbam_network_reset (twin, NULL))
    return FALSE;
  listen_to (network->home.dialogue, &start);
  if (late)
    {
      go_on (network, &with);
      go_on (twin, &without);
    }
  assert_true (same_talk (&with, &without));
  if (with.failure != NULL)
    return FALSE;
  before = values_of (network);
  change_value (element, index);
  changed = values_of (network);
  if (strcmp (before, changed) == 0)
    return FALSE;
  fresh = made_as (text, network);
  expect_criticals (TRUE);
  go_on (network, &with);
  go_on (twin, &without);
  after = values_of (network);
  refused = criticals > 0;
  expect_criticals (FALSE);
  if (refused)
    {
      if (strcmp (before, after) != 0)
        fail_msg ("%s: %s is refused, and yet changed:\n%s\n%s", info->name, key, before, after);
      if (!same_talk (&with, &without))
        fail_msg ("%s: %s is refused, and yet acts:\n%s", info->name, key, before);
      count->refused++;
      return TRUE;
    }
  if (strcmp (changed, after) != 0)
    fail_msg ("%s: %s is taken, and yet not changed:\n%s\n%s", info->name, key, changed, after);
  if (same_talk (&with, &without))
    count->idle++;
  else
    count->acted++;
  if (late)
    return TRUE;
  /* It is as if it had been so when the dialogue began, unless it could not have begun so: two overlap, or an ideal
   * diode was closed by then and its rate gone. */
  if (!ifbam_network_reset (fresh, NULL) && network->home.dialogue->engine != NULL)
    return TRUE;
  if (fresh->home.dialogue == NULL)
    fail_msg ("%s: %s is taken that no network can have:\n%s", info->name, key, changed);
  listen_to (fresh->home.dialogue, &other_start);
  if (!same_talk (&start, &other_start))
    return TRUE;
  go_on (fresh, &anew);
  if (!same_talk (&with, &anew))
    fail_msg ("%s: a changed %s acts otherwise than from the start (%u%s)\nbefore:\n%s\nafter:\n%s",
              info->name, key, with.said->len, with.failure != NULL ? with.failure : "", before,
              changed);
  return TRUE;
}

static void
change_acts_or_is_refused (GType type, const IfbamElementInfo *info)
{
  g_autofree char *text = network_text (info);

  (void) type;
  for (guint i = 0; i < info->n_params; i++)
    for (int late = 0; late < 2; late++)
      {
        Count count = { 0, 0, 0 };
        guint n = 0;

        for (guint draw = 0; draw < TRIALS && (n < DRAWS || count.refused + count.acted == 0);
             draw++)
          n += change_in_dialogue (info, text, i, late, &count) ? 1 : 0;
        print_message ("# %s %s%s: %u refused, %u act, %u idle\n", info->name, info->params[i].key,
                       late ? " late" : "", count.refused, count.acted, count.idle);
        if (count.refused + count.acted == 0)
          fail_msg ("%s: a changed %s is ignored", info->name, info->params[i].key);
      }
}

static void
test_in_a_dialogue (void **state)
{
  (void) state;
  each_class (change_acts_or_is_refused, -1);
}

/* Where the first node is. */
static double
place_of (const IfbamNetwork *network)
{
  const IfbamAgent *agent = network->home.dialogue->nodes->pdata[0];
  const double *column[IFBAM_MAX_COLUMNS];
  double position, rate;

  for (guint c = 0; c < network->spec.scheme->n_columns; c++)
    column[c] = agent->column[c];
  network->spec.scheme->observe_one (0, (double *const *) column, &position, &rate);
  return position;
}

/* A link that a change leaves beyond a guard switches at once: a friction above its breakaway force starts, also if the
 * spring that pulls at it gets stiffer. */
static void
test_left_behind (void **state)
{
  static const struct
  {
    const char *link, *element, *key;
    double after;
  } cases[] = {
    { "[friction f]\nbreakaway = 10 N\nbetween = m, w\n", "f", "breakaway", 3 },
    { "[friction f]\nbreakaway = 10 N\ncoulomb = 2 N\nbetween = m, w\n", "f", "breakaway", 3 },
    { "[pressed-friction f]\nfriction = 0.5\nnormal = 20 N\nbetween = m, w\n", "f", "friction",
      0.1 },
    { "[friction f]\nbreakaway = 10 N\nbetween = m, w\n", "k", "stiffness", 150 },
  };
  static const char *const by[] = { "rk4",     "verlet", "symplectic-euler",
                                    "esdirk4", "dopri5", "tr-bdf2" };
  double exact = NAN;

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint s = 0; s < G_N_ELEMENTS (by); s++)
      {
        double end[2], mode[2];

        for (guint anew = 0; anew < 2; anew++)
          {
            g_autoptr (IfbamNetwork) network = text_network_printf (
                "[network]\nscheme = %s\nstep = 10 ms\nduration = 1 s\n[ground w]\n[mass m]\nmass "
                "= 1 kg\n"
                "position = 0.1 m\n[spring k]\nstiffness = 50 N/m\nbetween = m, w\n%s",
                by[s], cases[i].link);
            IfbamElement *element = ifbam_network_get_element (network, cases[i].element);
            g_autoptr (GError) error = NULL;

            if (anew)
              g_object_set (element, cases[i].key, cases[i].after, NULL);
            assert_true (ifbam_network_reset (network, &error));
            for (guint cycle = 0; cycle < 14; cycle++)
              {
                if (cycle == 4 && !anew)
                  {
                    assert_number (place_of (network), 0.1, 0);
                    g_object_set (element, cases[i].key, cases[i].after, NULL);
                  }
                if (cycle < 4 && anew)
                  continue;
                for (guint turn = 0; turn < ifbam_dialogue_rounds_per_step (&network->spec); turn++)
                  ifbam_network_turn (network);
                if (!ifbam_network_settle (network, &error))
                  fail_msg ("%s: %s", by[s], error->message);
              }
            end[anew] = place_of (network);
            mode[anew] = ((IfbamAgent *) network->home.dialogue->unbatched_links->pdata[0])->mode;
          }
        if (s == 0)
          exact = end[1];
        /* verlet completes a step with an event by its restart scheme: both errors are those of that scheme. */
        assert_true (end[0] < 0.0999);
        assert_number (end[0], end[1],
                       g_str_equal (by[s], "verlet") ? 2 * fabs (end[1] - exact) : 1e-15);
        assert_number (mode[0], mode[1], 0);
      }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_between_runs),
    cmocka_unit_test (test_in_a_dialogue),
    cmocka_unit_test (test_left_behind),
  };

  return cmocka_run_group_tests (tests, set_up, tear_down);
}
