/* test-contract.c: invariants of every registered element class and every scheme, without its name
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "elements/registry.h"
#include "any-class.h"
#include "fixture.h"
#include "noise.h"
#include "engine/engine.h"
#include "event/event.h"
#include "event/event-log.h"
#include "base/ifbam-error.h"
#include "engine/energy-balance.h"
#include "run/run.h"
#include "file/file.h"

#define DRAWS 100 /* random laws per class */
#define MANY  1000

static GPtrArray *kept; /* elements with laws that point to their own data */
static guint n_levels;  /* of instructions that the processor has */

static int
set_up (void **state)
{
  (void) state;
  g_unsetenv ("IFBAM_ISA");
  n_levels = (guint) ifbam_isa_choose () + 1;
  noise_set_up (1994);
  kept = g_ptr_array_new_with_free_func (g_object_unref);
  return folder_make (state);
}

static int
tear_down (void **state)
{
  noise_tear_down (state);
  g_ptr_array_unref (kept);
  return folder_remove (state);
}

/* Gives a link a random formula: linear, cubic, not a polynomial. */
static void
give_program (IfbamElement *element)
{
  static const char *const forms[] = {
    "%g %s * (delta / 1 %s) - 0.3 %s * (rate / 1 %s)",
    "%g %s * (delta / 1 %s)^3 - 0.3 %s * (rate / 1 %s)^2",
    "%g %s * abs(delta / 1 %s) + 0.3 %s * abs(rate / 1 %s)",
  };
  const IfbamDomainInfo *domain = ifbam_domain_info (element->info->domain);
  g_autofree char *reason = NULL, *text = NULL;
  IfbamProgram *program;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  text = g_strdup_printf (forms[g_rand_int_range (noise, 0, 3)], g_rand_double_range (noise, -9, 9),
                          domain->effort_unit, domain->coordinate_unit, domain->effort_unit,
                          domain->rate_unit);
#pragma GCC diagnostic pop
  program = ifbam_element_read_formula (element->info, text, &reason);
  if (program == NULL)
    fail_msg ("%s", reason);
  g_object_set (element, ifbam_element_slot_key (element->info, IFBAM_SLOT_FORMULA), text, NULL);
  memcpy (ifbam_element_law (element) + element->info->program_parameter - 1, &program,
          sizeof program);
  g_object_set_data_full (G_OBJECT (element), "prepared", program, ifbam_program_free);
}

/* Elements of all classes, unnamed, without ends and courses. modes FALSE: batched classes have one mode. */
static IfbamElement *
random_element_of (const IfbamElementInfo *info, gboolean modes)
{
  IfbamElement *element;
  g_autofree char *fault = NULL;
  const char *key;
  GType type;

  ifbam_element_info_by_name (info->name, &type);
  element = ifbam_element_new (type, "e");
  g_ptr_array_add (kept, element);
  do
    {
      draw_values (element);
      if (ifbam_element_course_form (info, ifbam_element_law (element)) != NULL)
        g_object_set (element, "interpolation", "linear", "shift", 0.0, "outside", "refuse", NULL);
      g_free (fault);
      fault = info->fault == NULL ? NULL : info->fault (element, &key);
    }
  while (fault != NULL
         || (info->link != NULL && info->link->has_modes != NULL
             && !(modes && info->course_parameter > 0) /* its modes depend on its course */
             && info->link->has_modes (ifbam_element_law (element)) != modes));
  if (info->program_parameter != 0)
    give_program (element);
  if (info->prepare != NULL)
    g_object_set_data_full (G_OBJECT (element), "prepared",
                            info->prepare (element, ifbam_element_law (element)),
                            info->free_prepared);
  return element;
}

/* Links without modes. */
static IfbamElement *
random_element (const IfbamElementInfo *info)
{
  return random_element_of (info, FALSE);
}

static void
random_law (const IfbamElementInfo *info, double *law)
{
  memcpy (law, ifbam_element_law (random_element (info)), info->law_size);
}

/* Parameters */

static gboolean
is_word (const char *text)
{
  if (!g_ascii_islower (text[0]))
    return FALSE;
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_islower (*c) && !g_ascii_isdigit (*c) && *c != '-')
      return FALSE;
  return TRUE;
}

static void
assert_row_is_sane (const IfbamElementInfo *info, guint index)
{
  const IfbamParam *param = &info->params[index];
  GParamSpec *spec;
  GType type = ifbam_settings_get_type ();
  GObjectClass *klass;

  assert_true (is_word (param->key));
  assert_true (param->meaning != NULL && param->meaning[0] != '\0');
  assert_int_equal (ifbam_element_param_index (info, param->key), index);
  ifbam_element_info_by_name (info->name, &type);
  klass = g_type_class_ref (type);
  spec = g_object_class_find_property (klass, param->key);
  assert_non_null (spec);
  assert_string_equal (g_param_spec_get_blurb (spec), param->meaning);
  g_type_class_unref (klass);
  assert_true (param->minimum <= param->maximum);
  switch (param->kind)
    {
    case IFBAM_PARAM_NUMBER:
      assert_true (param->offset % sizeof (double) == 0 && param->offset < info->law_size);
      /* A default below the range says "not given". */
      assert_true (ifbam_param_is_required (param) || param->standard <= param->maximum);
      break;
    case IFBAM_PARAM_CHOICE:
      assert_true (param->offset % sizeof (double) == 0 && param->offset < info->law_size);
      assert_true (param->words != NULL && g_strv_length ((char **) param->words) >= 2);
      assert_true (
          ifbam_param_is_required (param)
          || (param->standard >= 0 && param->standard < g_strv_length ((char **) param->words)));
      break;
    case IFBAM_PARAM_ELEMENTS:
      assert_true (param->minimum >= 1);
      /* fall through */
    case IFBAM_PARAM_NUMBERS:
    case IFBAM_PARAM_TEXT:
      assert_true (info->n_slots == 0 || param->offset < info->n_slots);
      break;
    }
}

static void
assert_unit_is_sane (const IfbamElementInfo *info, const IfbamParam *param)
{
  const char *marks = strchr (param->unit, '%');

  for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
    {
      g_autofree char *unit = ifbam_domain_unit (d, param->unit);
      g_autofree char *text = g_strdup_printf ("2.5 %s", unit);
      g_autofree char *reason = NULL;
      const char *example = ifbam_units_example (unit);
      double value;

      if (marks != NULL && info->domain != IFBAM_DOMAIN_ANY && info->domain != d)
        continue;
      if (!ifbam_units_parse (text, unit, param->key, NULL, &value, &reason))
        fail_msg ("%s: %s %s", info->name, param->key, reason);
      assert_true (value == 2.5);
      if (example == NULL || !ifbam_units_parse (example, unit, param->key, NULL, &value, &reason))
        fail_msg ("%s: example \"%s\" of %s", info->name, example, param->key);
    }
}

static void
table_is_sane (GType type, const IfbamElementInfo *info)
{
  guint32 doubles = 0, slots = 0;
  const char *const texts[] = { info->summary, info->law, info->source, info->example };
  const double nothing[IFBAM_MAX_LAW] = { 0 };

  (void) type;
  assert_true (is_word (info->name));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_true (texts[i] != NULL && texts[i][0] != '\0');
  assert_true (info->law_size % sizeof (double) == 0
               && info->law_size <= IFBAM_MAX_LAW * sizeof (double));
  for (guint i = 0; i < info->n_params; i++)
    {
      const IfbamParam *param = &info->params[i];
      guint32 *places = ifbam_param_in_law (param) ? &doubles : &slots;
      gsize place = ifbam_param_in_law (param) ? param->offset / sizeof (double) : param->offset;

      assert_row_is_sane (info, i);
      if (param->unit != NULL)
        assert_unit_is_sane (info, param);
      assert_false (*places >> place & 1);
      *places |= 1u << place;
      if (ifbam_param_has_factors (param))
        doubles |= (1u << IFBAM_MAX_PORTS) - 1;
    }
  /* Every entry of the law is a parameter or internal state (the last ones), so that kernels read no unset value. */
  for (guint k = 0; info->link != NULL && k < info->link->n_states; k++)
    doubles |= 1u << (info->link->first_state + k);
  if (info->course_parameter > 0)
    doubles |= 1u << (info->course_parameter - 1);
  assert_true (ifbam_element_completes_law (info)
               || doubles == (1u << info->law_size / sizeof (double)) - 1);
  switch (info->kind)
    {
    case IFBAM_KIND_FREE_NODE:
      assert_true (info->inertia != NULL && info->initial != NULL);
      /* a class without inertia in all domains fits any domain */
      assert_true (info->domain < IFBAM_N_DOMAINS || info->inertia (nothing) == 0);
      break;
    case IFBAM_KIND_GIVEN_NODE:
      assert_non_null (info->motion);
      break;
    case IFBAM_KIND_SOURCE:
      assert_true (info->value != NULL && info->domain < IFBAM_N_DOMAINS);
      break;
    case IFBAM_KIND_COMPOSITE:
      assert_true (info->expand_nodes != NULL && info->expand_links != NULL);
      break;
    case IFBAM_KIND_LINK:
      assert_true (info->link != NULL && info->link->mode != NULL
                   && info->link->constraint != NULL);
      assert_true (info->link->points == NULL || info->link->geometry != NULL);
      assert_true (info->domain <= IFBAM_DOMAIN_ANY);
      assert_true ((info->signal != NULL) == (info->signal_slot != 0));
      break;
    case IFBAM_KIND_IMPULSE:
      assert_true (info->impulse != NULL && info->time_events != NULL);
      break;
    case IFBAM_KIND_SETTINGS:
      break;
    }
}

static void
test_tables (void **state)
{
  (void) state;
  each_class (table_is_sane, -1);
}

static void
defaults_are_right (GType type, const IfbamElementInfo *info)
{
  g_autoptr (IfbamElement) element = ifbam_element_new (type, "e");

  assert_string_equal (ifbam_element_get_name (element), "e");
  assert_string_equal (ifbam_element_get_class_name (element), info->name);
  assert_true (element->info == info);
  for (guint i = 0; i < info->n_params; i++)
    {
      const IfbamParam *param = &info->params[i];
      g_autoptr (GVariant) list = NULL;
      g_auto (GStrv) names = NULL;
      g_autofree char *text = NULL;
      double number;

      assert_false (ifbam_element_is_set (element, i));
      switch (param->kind)
        {
        case IFBAM_PARAM_NUMBER:
          g_object_get (element, param->key, &number, NULL);
          assert_true (number
                       == (ifbam_param_is_required (param) ? param->minimum : param->standard));
          break;
        case IFBAM_PARAM_NUMBERS:
          g_object_get (element, param->key, &list, NULL);
          assert_null (list);
          break;
        case IFBAM_PARAM_ELEMENTS:
          g_object_get (element, param->key, &names, NULL);
          assert_null (names);
          break;
        case IFBAM_PARAM_TEXT:
          g_object_get (element, param->key, &text, NULL);
          assert_null (text);
          break;
        case IFBAM_PARAM_CHOICE:
          g_object_get (element, param->key, &text, NULL);
          assert_string_equal (
              text, param->words[ifbam_param_is_required (param) ? 0 : (int) param->standard]);
          break;
        }
    }
}

static void
test_defaults (void **state)
{
  (void) state;
  each_class (defaults_are_right, -1);
}

static double
get_number (IfbamElement *element, const char *key)
{
  double number;

  g_object_get (element, key, &number, NULL);
  return number;
}

static GVariant *
random_list (const IfbamParam *param, GString *text, const char *unit)
{
  const gsize n = (gsize) g_rand_int_range (noise, 1, 6);
  double numbers[5];

  for (gsize i = 0; i < n; i++)
    {
      numbers[i] = in_range (param);
      g_string_append_printf (text, "%s%.17g %s", i == 0 ? "" : ", ", numbers[i], unit);
    }
  return g_variant_ref_sink (
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n, sizeof (double)));
}

static void
names_round_trip (IfbamElement *element, const IfbamParam *param)
{
  const char *names[] = { "left-1", "right_2", "third", "fourth", NULL };
  g_auto (GStrv) back = NULL;
  g_autofree char *text = NULL;

  names[param->maximum < 2 ? 1 : (guint) MAX (param->minimum, 2)] = NULL;
  if (ifbam_param_has_factors (param))
    names[0] = "0.5 * left-1", names[1] = "-2 * right_2";
  g_object_set (element, param->key, names, NULL);
  g_object_get (element, param->key, &back, NULL);
  assert_true (g_strv_equal (names, (const char *const *) back));
  g_clear_pointer (&back, g_strfreev);
  text = g_strjoinv (" ,", (char **) names);
  assert_true (ifbam_element_set_text (element, param->key, text, NULL));
  g_object_get (element, param->key, &back, NULL);
  assert_true (g_strv_equal (names, (const char *const *) back));
}

static void
text_round_trip (IfbamElement *element, const IfbamParam *param)
{
  g_autofree char *text = NULL, *other = NULL;
  g_autofree char *words = element->info->program_parameter != 0
                               ? g_strdup_printf ("2.5 %s", param->unit)
                               : g_strdup ("other, text");

  g_object_set (element, param->key, "some text", NULL);
  g_object_get (element, param->key, &text, NULL);
  assert_string_equal (text, "some text");
  assert_true (ifbam_element_set_text (element, param->key, words, NULL));
  g_object_get (element, param->key, &other, NULL);
  assert_string_equal (other, words);
}

static void
round_trip (IfbamElement *element, const IfbamParam *param)
{
  g_autofree char *unit =
      param->unit == NULL ? NULL : ifbam_domain_unit (domain_of (element->info), param->unit);
  g_autofree char *number_text = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GString) list_text = g_string_new (NULL);
  g_autoptr (GVariant) list = NULL;
  g_autoptr (GVariant) list_back = NULL;
  const char *word;
  double number;

  switch (param->kind)
    {
    case IFBAM_PARAM_NUMBER:
      number = in_range (param);
      g_object_set (element, param->key, number, NULL);
      assert_true (get_number (element, param->key) == number);
      number = in_range (param);
      number_text = g_strdup_printf (" %.17g %s ", number, unit);
      g_strstrip (number_text);
      assert_true (ifbam_element_set_text (element, param->key, number_text, NULL));
      if (get_number (element, param->key) != number)
        fail_msg ("%s became %.17g", number_text, get_number (element, param->key));
      break;
    case IFBAM_PARAM_NUMBERS:
      list = random_list (param, list_text, unit);
      g_object_set (element, param->key, list, NULL);
      g_object_get (element, param->key, &list_back, NULL);
      assert_true (g_variant_equal (list, list_back));
      g_clear_pointer (&list, g_variant_unref);
      g_clear_pointer (&list_back, g_variant_unref);
      g_string_truncate (list_text, 0);
      list = random_list (param, list_text, unit);
      assert_true (ifbam_element_set_text (element, param->key, list_text->str, NULL));
      g_object_get (element, param->key, &list_back, NULL);
      assert_true (g_variant_equal (list, list_back));
      break;
    case IFBAM_PARAM_ELEMENTS:
      names_round_trip (element, param);
      break;
    case IFBAM_PARAM_TEXT:
      text_round_trip (element, param);
      break;
    case IFBAM_PARAM_CHOICE:
      g_object_set (element, param->key, random_word (param), NULL);
      word = random_word (param);
      assert_true (ifbam_element_set_text (element, param->key, word, NULL));
      g_object_get (element, param->key, &text, NULL);
      assert_string_equal (text, word);
      break;
    }
}

static void
values_round_trip (GType type, const IfbamElementInfo *info)
{
  g_autoptr (IfbamElement) element = ifbam_element_new (type, "e");

  for (int round = 0; round < 20; round++)
    for (guint i = 0; i < info->n_params; i++)
      {
        round_trip (element, &info->params[i]);
        assert_true (ifbam_element_is_set (element, i));
      }
  assert_int_equal (ifbam_element_missing (element), -1);
  /* NULL takes a list, names or a text back. */
  for (guint i = 0; i < info->n_params; i++)
    if (info->params[i].kind != IFBAM_PARAM_NUMBER)
      {
        g_object_set (element, info->params[i].key, NULL, NULL);
        assert_false (ifbam_element_is_set (element, i));
      }
}

static void
test_round_trips (void **state)
{
  (void) state;
  each_class (values_round_trip, -1);
}

/* Required keys are asked for one after the other. */
static void
required_are_missed (GType type, const IfbamElementInfo *info)
{
  g_autoptr (IfbamElement) element = ifbam_element_new (type, "e");

  for (guint i = 0; i < info->n_params; i++)
    if (ifbam_param_is_required (&info->params[i]))
      {
        assert_int_equal (ifbam_element_missing (element), i);
        round_trip (element, &info->params[i]);
      }
  assert_int_equal (ifbam_element_missing (element), -1);
}

static void
test_required (void **state)
{
  (void) state;
  each_class (required_are_missed, -1);
}

static void
assert_refuses (IfbamElement *element, const char *key, const char *text)
{
  g_autoptr (GError) error = NULL;

  if (ifbam_element_set_text (element, key, text, &error))
    fail_msg ("%s: %s = %s was taken", element->info->name, key, text);
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK));
  assert_true (strlen (error->message) > strlen (key) + 4);
}

/* A rejected value leaves the property unchanged. */
static void
wrong_values_are_refused (GType type, const IfbamElementInfo *info)
{
  static const char *const wrong[] = {
    "", "nan", "inf", "1e400", "ten", "1 furlong7", "1,5", "0x"
  };
  g_autoptr (IfbamElement) element = ifbam_element_new (type, "e");

  for (guint i = 0; i < info->n_params; i++)
    {
      const IfbamParam *param = &info->params[i];
      const gboolean list = param->kind == IFBAM_PARAM_NUMBERS;
      double ends[2] = { param->minimum > -G_MAXDOUBLE ? param->minimum - 1 : 0,
                         param->maximum < G_MAXDOUBLE ? 2 * param->maximum : 0 };
      double number;

      if (param->kind == IFBAM_PARAM_ELEMENTS)
        {
          assert_refuses (element, param->key, "");
          assert_refuses (element, param->key, ", a");
          if (param->minimum > 1 || param->maximum < 2)
            assert_refuses (element, param->key, param->minimum > 1 ? "a" : "a, b");
          if (param->maximum < 3)
            assert_refuses (element, param->key, "a, b, c");
        }
      if (param->kind == IFBAM_PARAM_TEXT)
        assert_refuses (element, param->key, "");
      if (param->kind == IFBAM_PARAM_CHOICE)
        for (guint w = 0; w < G_N_ELEMENTS (wrong); w++)
          assert_refuses (element, param->key, wrong[w]);
      if (param->kind != IFBAM_PARAM_NUMBER && !list)
        {
          assert_false (ifbam_element_is_set (element, i));
          continue;
        }
      for (guint w = 0; w < G_N_ELEMENTS (wrong); w++)
        if (!(list && strchr (wrong[w], ',') != NULL))
          assert_refuses (element, param->key, wrong[w]);
      for (int end = 0; end < 2; end++)
        {
          g_autofree char *text = g_strdup_printf ("%.17g", ends[end]);

          if (ends[end] == 0)
            continue;
          assert_refuses (element, param->key, text);
        }
      assert_false (ifbam_element_is_set (element, i));
      if (list)
        continue;
      number = in_range (param);
      g_object_set (element, param->key, number, NULL);
      for (int end = 0; end < 2; end++)
        {
          g_autofree char *text = g_strdup_printf ("%.17g", ends[end]);

          if (ends[end] == 0
              || (!ifbam_param_is_required (param) && end == 0 && ends[0] >= param->standard))
            continue;
          assert_refuses (element, param->key, text);
          assert_true (get_number (element, param->key) == number);
          if (ifbam_param_number_word (param, ends[end]) != NULL)
            continue; /* a word stands for it */
          g_object_set (element, param->key, ends[end], NULL);
          assert_true (get_number (element, param->key) == number);
        }
    }
  assert_false (ifbam_element_set_text (element, "no-such-key", "1", NULL));
}

static void
test_refusals (void **state)
{
  (void) state;
  /* GObject warns when a property refuses a value. */
  expect_criticals (TRUE);
  each_class (wrong_values_are_refused, -1);
  expect_criticals (FALSE);
}

static void
example_runs (GType type, const IfbamElementInfo *info)
{
  g_autofree char *text = example_network (info);
  g_autoptr (IfbamNetwork) network = text_network (text);

  (void) type;
  if (info->kind != IFBAM_KIND_SETTINGS)
    g_object_unref (network_course (network, IFBAM_ENGINE_PLAN));
}

static void
test_examples (void **state)
{
  (void) state;
  each_class (example_runs, -1);
}

/* Properties accept values that no file can contain: these are rejected before any computation. */
static void
wrong_properties_are_found (GType type, const IfbamElementInfo *info)
{
  static const double nothing[] = { 0 };
  static const char *const none[] = { NULL };
  static const char *const three[] = { "a", "b", "c", NULL };

  (void) type;
  for (guint i = 0; i < info->n_params; i++)
    for (int trial = 0; trial < 2; trial++)
      {
        const IfbamParam *param = &info->params[i];
        g_autoptr (IfbamNetwork) network = ifbam_network_new ();
        IfbamElement *settings = ifbam_network_get_settings (network);
        IfbamElement *element = info->kind == IFBAM_KIND_SETTINGS
                                    ? settings
                                    : ifbam_network_add (network, info->name, "e", NULL);
        g_autoptr (GError) error = NULL;
        double wrong = NAN;

        g_object_set (settings, "step", 1.0, "duration", 1.0, NULL);
        switch (param->kind)
          {
          case IFBAM_PARAM_NUMBER:
            /* GObject itself refuses this, and warns. */
            expect_criticals (TRUE);
            g_object_set (element, param->key, NAN, NULL);
            assert_int_equal (criticals, 1);
            expect_criticals (FALSE);
            assert_false (isnan (get_number (element, param->key)));
            continue;
          case IFBAM_PARAM_NUMBERS:
            g_object_set (element, param->key,
                          g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE,
                                                     trial == 0 ? &wrong : nothing, 1 - trial,
                                                     sizeof (double)),
                          NULL);
            break;
          case IFBAM_PARAM_ELEMENTS:
            g_object_set (element, param->key, trial == 0 ? none : three, NULL);
            break;
          case IFBAM_PARAM_CHOICE:
            g_object_set (element, param->key, "no such word", NULL);
            break;
          case IFBAM_PARAM_TEXT:
            continue;
          }
        assert_false (ifbam_network_check (network, &error));
        assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK));
        assert_non_null (strstr (error->message, param->key));
      }
}

static void
test_wrong_properties (void **state)
{
  (void) state;
  each_class (wrong_properties_are_found, -1);
}

/* Links */

/* Left, right, internal states (which are rates) */
#define N_PORTS (2 + IFBAM_MAX_STATES)

typedef struct
{
  double x[N_PORTS], v[N_PORTS], earlier_x[N_PORTS], earlier_v[N_PORTS];
} Ends;

/* Outputs to nodes beside the force: the right end's, then the states'. */
#define N_OTHERS (1 + IFBAM_MAX_STATES)

/* others (N_OTHERS): kept where that is the force, or where there is no such state; NULL: they are not asked. */
static double
ask_all (IfbamLinkKernel kernel, const double *law, const Ends *ends, double *others)
{
  static const guint32 left = 0, right = 1, state[IFBAM_MAX_STATES] = { 2, 3 };
  const double *parameters[IFBAM_MAX_LAW];
  double output = NAN;
  IfbamLinkBatch batch = { .parameters = parameters,
                           .left = &left,
                           .right = &right,
                           .position = ends->x,
                           .rate = ends->v,
                           .earlier_position = ends->earlier_x,
                           .earlier_rate = ends->earlier_v,
                           .output = &output,
                           .far = others };

  for (guint k = 0; k < IFBAM_MAX_LAW; k++)
    parameters[k] = &law[k];
  for (guint k = 0; k < IFBAM_MAX_STATES; k++)
    {
      batch.state[k] = &state[k];
      batch.state_rate[k] = others == NULL ? NULL : &others[1 + k];
    }
  kernel (&batch, 0, 1);
  return output;
}

static double
ask (IfbamLinkKernel kernel, const double *law, const Ends *ends)
{
  return ask_all (kernel, law, ends, NULL);
}

static const IfbamLinkKernels *
kernels_of (const IfbamElementInfo *info, const double *law)
{
  guint points = info->link->points (law);

  assert_true (points >= 1 && points <= IFBAM_MAX_POINTS);
  return &info->link->kernels[points - 1];
}

/* Compression from positions, rate from rates. */
static double
delta_of (const IfbamElementInfo *info, const double *law, const double said[2])
{
  return said[0] - ifbam_geometry_ratio (info->link->geometry, law) * said[1];
}

static Ends
random_ends (void)
{
  Ends ends;

  for (int e = 0; e < N_PORTS; e++)
    {
      ends.x[e] = between (-1, 1);
      ends.v[e] = between (-1, 1);
      ends.earlier_x[e] = ends.x[e] + between (-0.1, 0.1);
      ends.earlier_v[e] = ends.v[e] + between (-0.1, 0.1);
    }
  return ends;
}

/* With states the energy changes with these, too: F rate = dV/dt + loss, along the rates at which all change. */
static void
force_feeds_energy (const IfbamElementInfo *info)
{
  for (int draw = 0; draw < DRAWS; draw++)
    {
      double law[IFBAM_MAX_LAW] = { 0 }, others[N_OTHERS], energy[2], power, change;
      const IfbamLinkKernels *kernels;
      Ends ends = random_ends ();
      Ends still = ends;
      double reach = 1e-5;

      random_law (info, law);
      kernels = kernels_of (info, law);
      /* Within that time a rotating element turns little. */
      still.v[0] = still.v[1] = 0;
      ask_all (kernels->force, law, &still, others);
      for (guint k = 0; k < info->link->n_states; k++)
        reach = fmin (reach, 1e-5 / fabs (others[1 + k]));
      power = ask_all (kernels->force, law, &ends, others) * delta_of (info, law, ends.v)
              - ask (kernels->loss, law, &ends);
      for (int side = 0; side < 2; side++)
        {
          const double time = side == 0 ? -reach : reach;
          Ends moved = ends;

          for (int e = 0; e < 2; e++)
            moved.x[e] += time * ends.v[e];
          for (guint k = 0; k < info->link->n_states; k++)
            moved.v[2 + k] += time * others[1 + k];
          energy[side] = ask (kernels->energy, law, &moved);
        }
      change = (energy[1] - energy[0]) / (2 * reach);
      assert_near (change, power,
                   1e-6 * (fabs (power) + fabs (change)) + 1e-15 * fabs (energy[0]) / reach + 1e-12,
                   info->name);
    }
}

static void
force_is_slope_of_energy (GType type, const IfbamElementInfo *info)
{
  (void) type;
  if (info->link->n_states > 0)
    {
      force_feeds_energy (info);
      return;
    }
  for (int draw = 0; draw < DRAWS; draw++)
    {
      double law[IFBAM_MAX_LAW] = { 0 }, energy[2], beside[2], force, reach;
      const IfbamLinkKernels *kernels;
      Ends ends = random_ends ();

      random_law (info, law);
      kernels = kernels_of (info, law);
      ends.x[1] = ends.v[0] = ends.v[1] = 0;
      reach = 1e-4 * fabs (ends.x[0]);
      force = ask (kernels->force, law, &ends);
      for (int side = 0; side < 2; side++)
        {
          Ends moved = ends;

          moved.x[0] += side == 0 ? -reach : reach;
          energy[side] = ask (kernels->energy, law, &moved);
          beside[side] = ask (kernels->force, law, &moved);
        }
      /* The difference has the rounding of the energies, and takes no kink. */
      assert_near ((energy[1] - energy[0]) / (2 * reach), force,
                   1e-7 * fabs (force) + 4e-16 * fabs (energy[1]) / reach
                       + fabs (beside[0] - 2 * force + beside[1]) + 1e-12,
                   info->name);
    }
}

static void
test_force_and_energy (void **state)
{
  (void) state;
  each_class (force_is_slope_of_energy, CLASS_IN_BATCHES);
}

static void
losses_are_losses (GType type, const IfbamElementInfo *info)
{
  (void) type;
  for (int draw = 0; draw < DRAWS; draw++)
    {
      double law[IFBAM_MAX_LAW] = { 0 }, force, static_force, loss, rate;
      const IfbamLinkKernels *kernels;
      Ends ends = random_ends (), still = ends;

      random_law (info, law);
      kernels = kernels_of (info, law);
      still.v[0] = still.v[1] = 0;
      rate = delta_of (info, law, ends.v);
      force = ask (kernels->force, law, &ends);
      static_force = ask (kernels->force, law, &still);
      loss = ask (kernels->loss, law, &ends);
      assert_true (info->link->active || loss >= 0);
      if (info->link->n_states > 0)
        continue; /* see force_feeds_energy */
      assert_near (loss, (force - static_force) * rate,
                   1e-14 * (fabs (loss) + fabs (static_force * rate)), info->name);
      assert_true (info->link->lossy || force == static_force);
      assert_true (!info->link->storeless || ask (kernels->energy, law, &ends) == 0);
    }
}

static void
test_losses (void **state)
{
  (void) state;
  each_class (losses_are_losses, CLASS_IN_BATCHES);
}

/* Simpson's rule over the path that link-class.h states. */
static double
mean_over_path (const IfbamElementInfo *info, const double *law, const Ends *ends)
{
  const int n = 2000;
  const IfbamLinkKernels *kernels = kernels_of (info, law);
  const double delta = delta_of (info, law, ends->x);
  const double delta1 = delta_of (info, law, ends->earlier_x);
  const double rate = delta_of (info, law, ends->v);
  const double rate1 = delta_of (info, law, ends->earlier_v);
  double sum = 0;

  for (int i = 0; i <= n; i++)
    {
      const double s = (double) i / n;
      Ends there = { .x = { delta + s * (delta - delta1) },
                     .v = { (1.5 + s) * rate - (0.5 + s) * rate1 } };

      sum += (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * ask (kernels->force, law, &there);
    }
  return sum / (3 * n);
}

/* Three-point rule (Abramowitz & Stegun 1964, table 25.4): the defined mean of nonsmooth laws. */
static double
three_points (const IfbamLinkKernels *kernels, const double *law, const Ends *ends, double *scale)
{
  static const double weights[] = { 5.0 / 18, 8.0 / 18, 5.0 / 18 };
  double sum = 0;

  *scale = 0;
  for (int i = 0; i < 3; i++)
    {
      const double s = 0.5 + 0.5 * (i - 1) * sqrt (0.6);
      Ends there = { 0 };
      double force;

      for (int e = 0; e < N_PORTS; e++)
        {
          there.x[e] = (1.0 + s) * ends->x[e] - s * ends->earlier_x[e];
          there.v[e] = (1.5 + s) * ends->v[e] - (0.5 + s) * ends->earlier_v[e];
        }
      force = ask (kernels->force, law, &there);
      sum += weights[i] * force;
      *scale += weights[i] * fabs (force);
    }
  return sum;
}

/* An unbatched link with this law and path has equal bits. */
static void
assert_single_mean (const IfbamElementInfo *info, const double *law, const Ends *ends, double mean,
                    const double *changes)
{
  const IfbamLink link = { .law = info->link,
                           .numbers = law,
                           .geometry = info->link->geometry,
                           .shape = { ifbam_geometry_ratio (info->link->geometry, law) },
                           .n_ports = 2,
                           .n_states = info->link->n_states,
                           .first_state = info->link->first_state };
  IfbamLinkInputs inputs;
  double row[IFBAM_MAX_PORTS], flow[IFBAM_MAX_STATES], single;

  for (int e = 0; e < 2; e++)
    {
      inputs.position[e] = ends->x[e];
      inputs.rate[e] = ends->v[e];
      inputs.earlier_position[e] = ends->earlier_x[e];
      inputs.earlier_rate[e] = ends->earlier_v[e];
    }
  for (guint k = 0; k < link.n_states; k++)
    {
      inputs.rate[2 + k] = ends->v[2 + k];
      inputs.earlier_rate[2 + k] = ends->earlier_v[2 + k];
    }
  single = ifbam_link_mean (&link, 0, &inputs, TRUE, row, flow);
  assert_memory_equal (&single, &mean, sizeof mean);
  assert_memory_equal (flow, changes, link.n_states * sizeof *flow);
}

static void
mean_is_mean (GType type, const IfbamElementInfo *info)
{
  guint32 seen = 0;

  (void) type;
  for (int draw = 0; draw < DRAWS; draw++)
    {
      double law[IFBAM_MAX_LAW] = { 0 }, mean, wanted, scale, others[N_OTHERS];
      const IfbamLinkKernels *kernels;
      Ends ends = random_ends ();

      random_law (info, law);
      kernels = kernels_of (info, law);
      seen |= 1u << info->link->points (law);
      mean = ask_all (kernels->mean, law, &ends, others);
      assert_single_mean (info, law, &ends, mean, others + 1);
      if (info->link->points (law) == 3)
        {
          wanted = three_points (kernels, law, &ends, &scale);
          assert_near (mean, wanted, 1e-13 * scale, info->name);
          continue;
        }
      /* One point is exact for linear laws, two for cubics. */
      wanted = mean_over_path (info, law, &ends);
      scale = fabs (ask (kernels->force, law, &ends)) + fabs (wanted);
      assert_near (mean, wanted, 1e-11 * (scale + 1), info->name);
    }
  print_message ("# %s: laws of %s%s%spoints\n", info->name, seen & 2 ? "1 " : "",
                 seen & 4 ? "2 " : "", seen & 8 ? "3 " : "");
}

static void
test_means (void **state)
{
  (void) state;
  each_class (mean_is_mean, CLASS_IN_BATCHES);
}

/* A batch of MANY links between 300 nodes, against each of them by itself. */
static void
batch_equals_singles (const IfbamElementInfo *info, guint points)
{
  enum
  {
    NODES = 300
  };
  const guint n_numbers = (guint) (info->law_size / sizeof (double));
  g_autofree double *columns = g_new0 (double, IFBAM_MAX_LAW *MANY);
  g_autofree double *said = g_new (double, 4 * NODES);
  g_autofree guint32 *ends = g_new (guint32, N_PORTS * MANY);
  g_autofree double *output = g_new0 (double, (1 + N_OTHERS) * MANY);
  const double *parameters[IFBAM_MAX_LAW];
  IfbamLinkBatch batch = { .parameters = parameters,
                           .left = ends,
                           .right = ends + MANY,
                           .position = said,
                           .rate = said + NODES,
                           .earlier_position = said + 2 * NODES,
                           .earlier_rate = said + 3 * NODES,
                           .output = output,
                           .far = output + MANY,
                           .state = { ends + 2 * MANY, ends + 3 * MANY },
                           .state_rate = { output + 2 * MANY, output + 3 * MANY } };
  const IfbamLinkKernels *kernels = &info->link->kernels[points - 1];
  const IfbamLinkKernel all[] = { kernels->force, kernels->mean, kernels->energy, kernels->loss };

  for (guint k = 0; k < n_numbers; k++)
    parameters[k] = columns + k * MANY;
  for (guint i = 0; i < 4 * NODES; i++)
    said[i] = between (-1, 1);
  for (guint i = 0; i < MANY; i++)
    {
      double law[IFBAM_MAX_LAW];

      do
        random_law (info, law);
      while (info->link->points (law) != points);
      for (guint k = 0; k < n_numbers; k++)
        columns[k * MANY + i] = law[k];
      ends[i] = (guint32) g_rand_int_range (noise, 0, NODES);
      ends[MANY + i] = (ends[i] + (guint32) g_rand_int_range (noise, 1, NODES)) % NODES;
      for (guint k = 0; k < IFBAM_MAX_STATES; k++)
        ends[(2 + k) * MANY + i] = (ends[i] + 7 * (k + 1)) % NODES;
    }
  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    {
      g_autofree double *pieces = g_new0 (double, (1 + N_OTHERS) * MANY);

      all[k](&batch, 0, MANY);
      /* Ranges of the batch, as tiles will ask for them. */
      memcpy (pieces, output, (1 + N_OTHERS) * MANY * sizeof (double));
      memset (pieces, 0, MANY * sizeof (double));
      batch.output = pieces;
      batch.far = pieces + MANY;
      batch.state_rate[0] = pieces + 2 * MANY;
      batch.state_rate[1] = pieces + 3 * MANY;
      all[k](&batch, 333, MANY);
      all[k](&batch, 0, 333);
      all[k](&batch, 500, 500);
      batch.output = output;
      batch.far = output + MANY;
      batch.state_rate[0] = output + 2 * MANY;
      batch.state_rate[1] = output + 3 * MANY;
      assert_memory_equal (output, pieces, (1 + N_OTHERS) * MANY * sizeof (double));
      for (guint i = 0; i < MANY; i++)
        {
          double law[IFBAM_MAX_LAW] = { 0 }, single, others[N_OTHERS];
          Ends two;

          for (guint p = 0; p < n_numbers; p++)
            law[p] = columns[p * MANY + i];
          for (guint q = 0; q < N_OTHERS; q++)
            others[q] = output[(1 + q) * MANY + i];
          for (guint e = 0; e < N_PORTS; e++)
            {
              two.x[e] = said[ends[e * MANY + i]];
              two.v[e] = said[NODES + ends[e * MANY + i]];
              two.earlier_x[e] = said[2 * NODES + ends[e * MANY + i]];
              two.earlier_v[e] = said[3 * NODES + ends[e * MANY + i]];
            }
          single = ask_all (all[k], law, &two, others);
          assert_memory_equal (&single, &output[i], sizeof single);
          for (guint q = 0; q < N_OTHERS; q++)
            assert_memory_equal (&others[q], &output[(1 + q) * MANY + i], sizeof others[q]);
          /* The right end gets the force times its coordinate's factor. */
          if (info->link->geometry->scaled)
            assert_true (others[0] == ifbam_geometry_ratio (info->link->geometry, law) * single);
        }
    }
}

/* Calls a test once for each number of points that laws of the class ask for. */
static void
each_points (const IfbamElementInfo *info,
             void (*test) (const IfbamElementInfo *info, guint points))
{
  guint32 seen = 0;

  for (int draw = 0; draw < DRAWS; draw++)
    {
      double law[IFBAM_MAX_LAW] = { 0 };
      guint points;

      random_law (info, law);
      points = info->link->points (law);
      if (!(seen >> points & 1))
        test (info, points);
      seen |= 1u << points;
    }
}

static void
batches_equal_singles (GType type, const IfbamElementInfo *info)
{
  (void) type;
  each_points (info, batch_equals_singles);
}

static void
test_batches (void **state)
{
  (void) state;
  each_class (batches_equal_singles, CLASS_IN_BATCHES);
}

/* All ranges of a run of RUN links between RUN + REACH nodes, with kernels for each level of
 * instructions, against looked-up links. Data outside of a range are unchanged. */
enum
{
  RUN = 40,
  REACH = 9,
};

typedef struct
{
  const double *parameters[IFBAM_MAX_LAW];
  double columns[IFBAM_MAX_LAW][RUN];
  double said[4][RUN + REACH];
  guint32 ends[N_PORTS][RUN];
  double output[(1 + N_OTHERS) * RUN]; /* then the outputs to right ends and states */
  IfbamLinkBatch batch;
} Row;

static void
row_init (Row *row, const IfbamElementInfo *info, guint points)
{
  row->batch = (IfbamLinkBatch){ .parameters = row->parameters,
                                 .left = row->ends[0],
                                 .right = row->ends[1],
                                 .position = row->said[0],
                                 .rate = row->said[1],
                                 .earlier_position = row->said[2],
                                 .earlier_rate = row->said[3],
                                 .output = row->output,
                                 .far = row->output + RUN,
                                 .state = { row->ends[2], row->ends[3] },
                                 .state_rate = { row->output + 2 * RUN, row->output + 3 * RUN } };
  for (guint q = 0; q < 4; q++)
    for (guint i = 0; i < RUN + REACH; i++)
      row->said[q][i] = between (-1, 1);
  for (guint i = 0; i < RUN; i++)
    {
      double law[IFBAM_MAX_LAW] = { 0 };

      do
        random_law (info, law);
      while (info->link->points (law) != points);
      for (guint k = 0; k < IFBAM_MAX_LAW; k++)
        row->columns[k][i] = law[k];
    }
  for (guint k = 0; k < IFBAM_MAX_LAW; k++)
    row->parameters[k] = row->columns[k];
}

static void
row_ranges (Row *row, IfbamRunKernel kernel, guint32 left, guint32 right, const double *wanted,
            const char *what)
{
  for (guint first = 0; first <= RUN; first++)
    for (guint n = 0; first + n <= RUN; n++)
      {
        for (guint i = 0; i < (1 + N_OTHERS) * RUN; i++)
          row->output[i] = 1994;
        for (guint k = 0; k < IFBAM_MAX_STATES; k++)
          row->batch.run_state[k] = row->ends[2 + k][0] + first;
        kernel (&row->batch, first, left + first, right + first, n);
        for (guint i = 0; i < (1 + N_OTHERS) * RUN; i++)
          {
            const double here = i % RUN < first || i % RUN >= first + n ? 1994 : wanted[i];

            if (memcmp (&here, &row->output[i], sizeof here) != 0)
              fail_msg ("%s: link %u of %u + %u: %.17g, not %.17g", what, i, first, n,
                        row->output[i], here);
          }
      }
}

static void
runs_equal_lookups (const IfbamElementInfo *info, guint points)
{
  static const guint32 ends[][2] = { { 0, 1 }, { 1, 0 }, { 0, 8 }, { 9, 2 } };
  const IfbamLinkKernels *kernels = &info->link->kernels[points - 1];
  g_autofree Row *row = g_new0 (Row, 1);

  row_init (row, info, points);
  for (guint e = 0; e < G_N_ELEMENTS (ends); e++)
    for (int mean = 0; mean < 2; mean++)
      {
        double wanted[(1 + N_OTHERS) * RUN];

        for (guint32 i = 0; i < RUN; i++)
          {
            row->ends[0][i] = ends[e][0] + i;
            row->ends[1][i] = ends[e][1] + i;
            row->ends[2][i] = 3 + i;
            row->ends[3][i] = 5 + i;
          }
        for (guint32 i = 0; i < (1 + N_OTHERS) * RUN; i++)
          row->output[i] = 1994;
        (mean ? kernels->mean : kernels->force) (&row->batch, 0, RUN);
        memcpy (wanted, row->output, sizeof wanted);
        for (guint level = 0; level < n_levels; level++)
          row_ranges (row, (mean ? kernels->run_mean : kernels->run_force)[level], ends[e][0],
                      ends[e][1], wanted, info->name);
      }
}

static void
class_runs_equal_lookups (GType type, const IfbamElementInfo *info)
{
  (void) type;
  each_points (info, runs_equal_lookups);
}

static void
test_runs (void **state)
{
  (void) state;
  each_class (class_runs_equal_lookups, CLASS_IN_BATCHES);
}

/* A link between two free nodes of unit inertia. */
typedef struct
{
  IfbamNetwork *network;
  IfbamElement *link, *node[2];
  const IfbamDomainInfo *words;
} Pair;

static IfbamElement *
add (IfbamNetwork *network, const char *class_name, const char *name)
{
  IfbamElement *element = ifbam_network_add (network, class_name, name, NULL);

  assert_non_null (element);
  return element;
}

static Pair
pair_new (const IfbamElementInfo *info, IfbamElement *model)
{
  static const char *const ends[] = { "a", NULL };
  const char *inertia = NULL;
  const IfbamElementInfo *node = free_node (info->domain, &inertia);
  Pair pair = { .network = ifbam_network_new (), .words = ifbam_domain_info (info->domain) };

  for (int e = 0; e < 2; e++)
    {
      pair.node[e] = add (pair.network, node->name, e == 0 ? "a" : "b");
      g_object_set (pair.node[e], inertia, 1.0, NULL);
    }
  pair.link = add (pair.network, info->name, "l");
  for (guint i = 0; i < info->n_params; i++)
    if ((info->params[i].kind <= IFBAM_PARAM_NUMBERS || info->params[i].kind == IFBAM_PARAM_TEXT)
        && ifbam_element_is_set (model, i))
      {
        g_auto (GValue) value = G_VALUE_INIT;

        g_object_get_property (G_OBJECT (model), info->params[i].key, &value);
        g_object_set_property (G_OBJECT (pair.link), info->params[i].key, &value);
      }
  if (ifbam_element_is_one_ended (info))
    g_object_set (pair.link, "on", ends, NULL);
  else
    ifbam_network_join (pair.network, pair.link, pair.node[info->backward ? 1 : 0],
                        pair.node[info->backward ? 0 : 1]);
  return pair;
}

static void
pair_place (const Pair *pair, const double position[2], const double rate[2])
{
  for (int e = 0; e < 2; e++)
    g_object_set (pair->node[e], pair->words->coordinate, position[e], pair->words->rate, rate[e],
                  NULL);
}

/* Compression at the start, as a run records it. */
static double
compression (const Pair *pair, const double position[2])
{
  const double rest[2] = { 0, 0 };
  g_autoptr (IfbamCourse) course = NULL;
  g_autoptr (GError) error = NULL;

  pair_place (pair, position, rest);
  course = ifbam_network_run (pair->network, IFBAM_ENGINE_PLAN, &error);
  if (course == NULL)
    fail_msg ("%s", error->message);
  return course_first (course, "l.compression");
}

static const IfbamScheme *
best_scheme (void)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  const IfbamScheme *best = schemes[0];

  for (guint s = 1; s < n; s++)
    if (schemes[s]->order > best->order)
      best = schemes[s];
  return best;
}

static void
ends_get_minus_row_times_force (GType type, const IfbamElementInfo *info)
{
  (void) type;
  for (int draw = 0; draw < DRAWS / 5; draw++)
    {
      const double reach = 1e-3;
      double law[IFBAM_MAX_LAW] = { 0 }, row[2], force, length, ratio, step, stiffness, damping = 0;
      g_autofree char *record = NULL;
      g_autoptr (IfbamCourse) course = NULL;
      g_autoptr (GError) error = NULL;
      Ends ends = random_ends ();
      IfbamElement *model = random_element (info);
      Pair pair;

      memcpy (law, ifbam_element_law (model), info->law_size);
      for (guint k = 0; k < info->link->n_states; k++)
        ends.v[2 + k] = law[info->link->first_state + k];
      pair = pair_new (info, model);
      /* So short that the force hardly changes, however much of its work a right end feels. */
      ratio = ifbam_geometry_ratio (info->link->geometry, law);
      step = 2e-9 / (1 + ratio * ratio);
      force = fabs (ask (kernels_of (info, law)->force, law, &ends));
      step = fmin (step, sqrt (1e-9 / force));
      if (info->link->lossy)
        step = fmin (step, 1e-7 * fabs (delta_of (info, law, ends.v)) / force);
      if (info->link->lossy && info->link->slopes != NULL)
        info->link->slopes (law, 0, delta_of (info, law, ends.x), delta_of (info, law, ends.v),
                            &stiffness, &damping);
      step = fmin (step, 1e-7 / fabs (damping));
      /* The force changes with internal states, too. */
      if (info->link->state_rates != NULL)
        {
          double rates[IFBAM_MAX_LAW], change;
          Ends later = ends;

          info->link->state_rates (law, 0, delta_of (info, law, ends.x),
                                   delta_of (info, law, ends.v), rates);
          for (guint k = 0; k < info->link->n_states; k++)
            later.v[2 + k] += 1e-9 * rates[k];
          change = fabs (ask (kernels_of (info, law)->force, law, &later)
                         - ask (kernels_of (info, law)->force, law, &ends));
          if (change > 0 && force > 0)
            step = fmin (step, 1e-15 * force / change);
        }
      /* The node at rest is not "b". */
      if (ifbam_element_is_one_ended (info))
        ends.x[1] = ends.v[1] = 0;
      record = g_strdup_printf ("l.compression, l.rate, l.force, a.acceleration, b.acceleration, "
                                "a.%s, b.%s",
                                pair.words->rate, pair.words->rate);
      g_object_set (ifbam_network_get_settings (pair.network), "scheme", best_scheme ()->name,
                    "step", step, "duration", step, "record", record, NULL);
      for (int e = 0; e < 2; e++)
        {
          double high[2] = { ends.x[0], ends.x[1] }, low[2] = { ends.x[0], ends.x[1] };

          high[e] += reach;
          low[e] -= reach;
          row[e] = (compression (&pair, high) - compression (&pair, low)) / (2 * reach);
          assert_near (row[e],
                       e == 0                              ? 1
                       : ifbam_element_is_one_ended (info) ? 0
                                                           : -ratio,
                       1e-9 * (1 + fabs (row[e])), info->name);
        }
      pair_place (&pair, ends.x, ends.v);
      course = ifbam_network_run (pair.network, IFBAM_ENGINE_PLAN, &error);
      if (course == NULL)
        fail_msg ("%s", error->message);
      force = course_first (course, "l.force");
      assert_near (force, ask (kernels_of (info, law)->force, law, &ends), 1e-14 * fabs (force),
                   info->name);
      assert_near (course_first (course, "l.rate"), row[0] * ends.v[0] + row[1] * ends.v[1], 1e-9,
                   info->name);
      for (int e = 0; e < 2; e++)
        {
          g_autofree char *rate = g_strdup_printf ("%c.%s", 'a' + e, pair.words->rate);
          gsize n;
          const double *v = ifbam_course_get_values (course, rate, &n, NULL);

          /* As recorded, and as the nodes moved by it. */
          length = course_first (course, e == 0 ? "a.acceleration" : "b.acceleration");
          assert_near (length, -row[e] * force, 1e-9 * fabs (force), info->name);
          assert_near ((v[1] - v[0]) / step, -row[e] * force,
                       1e-5 * fabs (row[e] * force) + 2e-15 / step, info->name);
        }
      g_object_unref (pair.network);
    }
}

static void
test_ends (void **state)
{
  (void) state;
  each_class (ends_get_minus_row_times_force, CLASS_IN_BATCHES);
}

/* Nodes and sources */

static void
free_node_keeps_its_word (GType type, const IfbamElementInfo *info)
{
  const IfbamDomainInfo *words = ifbam_domain_info (info->domain);
  const gboolean light = has_no_inertia (info);
  const char *inertia = info->params[0].key;

  for (int draw = 0; draw < DRAWS; draw++)
    {
      g_autoptr (IfbamElement) element = ifbam_element_new (type, "e");
      IfbamMotion start;

      for (guint i = 0; i < info->n_params; i++)
        if (info->params[i].kind == IFBAM_PARAM_NUMBER)
          g_object_set (element, info->params[i].key, in_range (&info->params[i]), NULL);
      start = info->initial (ifbam_element_law (element));
      assert_true (start.position == get_number (element, words->coordinate));
      assert_true (start.rate == (light ? 0 : get_number (element, words->rate)));
      assert_true (info->inertia (ifbam_element_law (element))
                   == (light ? 0 : get_number (element, inertia)));
    }
}

static void
test_free_nodes (void **state)
{
  (void) state;
  each_class (free_node_keeps_its_word, IFBAM_KIND_FREE_NODE);
}

static void
small_law (const IfbamElementInfo *info, double *law)
{
  for (guint i = 0; i < info->n_params; i++)
    if (info->params[i].kind == IFBAM_PARAM_NUMBER)
      law[info->params[i].offset / sizeof (double)] =
          fmin (fmax (between (-3, 3), info->params[i].minimum), info->params[i].maximum);
}

/* Rate and acceleration by central differences. Knots of a course, where its acceleration jumps, are left out. */
static void
assert_motion_is_smooth (const IfbamElementInfo *info, const double *law,
                         const IfbamInterpolant *course)
{
  const double reach = 1e-6;

  for (int i = 0; i < 50; i++)
    {
      const double time = floor (between (0, 12)) + between (0.1, 0.9);
      IfbamMotion now = info->motion (law, course, time);
      IfbamMotion before = info->motion (law, course, time - reach);
      IfbamMotion after = info->motion (law, course, time + reach);

      assert_near ((after.position - before.position) / (2 * reach), now.rate, 2e-6, info->name);
      assert_near ((after.rate - before.rate) / (2 * reach), now.acceleration, 5e-5, info->name);
      if (info->fixed)
        assert_true (now.position == before.position && now.rate == 0 && now.acceleration == 0);
    }
}

static void
given_node_keeps_its_word (GType type, const IfbamElementInfo *info)
{
  double time[11], value[11], integral[11], twice[11];
  IfbamInterpolant course = {
    .n = 11, .time = time, .value = value, .interpolation = IFBAM_COURSE_CUBIC
  };

  (void) type;
  for (int draw = 0; draw < DRAWS; draw++)
    {
      double law[IFBAM_MAX_LAW] = { 0 };

      small_law (info, law);
      assert_motion_is_smooth (info, law, NULL);
      /* The course as it is */
      for (guint k = 0; k < info->n_params; k++)
        if (g_str_equal (info->params[k].key, "scale")
            || g_str_equal (info->params[k].key, "course-of"))
          law[info->params[k].offset / sizeof *law] = info->params[k].standard;
      for (int i = 0; i < 11; i++)
        {
          time[i] = i;
          value[i] = between (-1, 1);
        }
      ifbam_interpolant_integrate (&course, integral, twice);
      if (ifbam_element_param_index (info, "course") >= 0)
        {
          gboolean of_rate = FALSE;

          assert_motion_is_smooth (info, law, &course);
          for (int i = 0; i < 10 && !of_rate; i++)
            of_rate = info->motion (law, &course, i).position != value[i];
          /* At its points, and at the last one up to rounding: that is the end of a cubic. A course
           * that is not of the coordinate is of its rate. */
          for (int i = 0; i < 11; i++)
            {
              IfbamMotion motion = info->motion (law, &course, i);

              assert_near (of_rate ? motion.rate : motion.position, value[i], i < 10 ? 0 : 4e-15,
                           info->name);
            }
        }
    }
}

static void
test_given_nodes (void **state)
{
  (void) state;
  each_class (given_node_keeps_its_word, IFBAM_KIND_GIVEN_NODE);
}

static void
source_is_finite (GType type, const IfbamElementInfo *info)
{
  double time[3] = { 0, 1, 3 }, value[3] = { 2, -1, 5 };
  IfbamInterpolant course = { .n = 3, .time = time, .value = value };

  (void) type;
  for (int draw = 0; draw < DRAWS; draw++)
    {
      double law[IFBAM_MAX_LAW] = { 0 };

      random_law (info, law);
      for (int i = 0; i < 50; i++)
        {
          const double inertia = between (0.1, 10), x = between (-1, 1), reach = 1e-3;

          assert_true (isfinite (info->value (law, NULL, between (-1, 1000), inertia)));
          assert_true (isfinite (info->value (law, &course, between (-1, 5), inertia)));
          if (info->fixed)
            assert_true (info->value (law, NULL, between (-1, 1000), inertia)
                         == info->value (law, NULL, 0, inertia));
          /* A field pulls down its potential. */
          if (info->potential != NULL)
            assert_near ((info->potential (law, inertia, x - reach)
                          - info->potential (law, inertia, x + reach))
                             / (2 * reach),
                         info->value (law, NULL, 0, inertia),
                         1e-9 * fabs (info->value (law, NULL, 0, inertia)), info->name);
        }
    }
}

static void
test_sources (void **state)
{
  (void) state;
  each_class (source_is_finite, IFBAM_KIND_SOURCE);
}

/* Kernels of so many laws at once, at each level of instructions, with a course and without, against one after another. */
enum
{
  LAWS = 13,
};

static void
lanes_equal_one_by_one (GType type, const IfbamElementInfo *info)
{
  double x[4] = { 0, 1, 3, 4 }, y[4] = { 2, -1, 5, 1 }, integral[4], twice[4];
  IfbamInterpolant course = { .n = 4, .time = x, .value = y };
  double columns[IFBAM_MAX_LAW][LAWS], inertia[LAWS], said[3][LAWS], law[IFBAM_MAX_LAW];
  const double *parameters[IFBAM_MAX_LAW];

  (void) type;
  ifbam_interpolant_integrate (&course, integral, twice);
  /* Each number of laws with a course and without. */
  for (guint draw = 0; draw < 2 * LAWS; draw += by_effort (5, 1, 1))
    {
      const gsize n = draw % LAWS + 1;

      for (gsize i = 0; i < n; i++)
        {
          memset (law, 0, sizeof law);
          random_law (info, law);
          for (guint k = 0; k < IFBAM_MAX_LAW; k++)
            columns[k][i] = law[k];
          inertia[i] = between (0.1, 10);
        }
      for (guint k = 0; k < IFBAM_MAX_LAW; k++)
        parameters[k] = columns[k];
      for (guint level = 0; level < n_levels; level++)
        {
          const IfbamInterpolant *looked_up = draw % 2 == 0 ? NULL : &course;
          const double time = between (-1, 6);

          if (info->kind == IFBAM_KIND_SOURCE)
            info->values[level](parameters, looked_up, time, inertia, said[0], n);
          else
            info->motions[level](parameters, looked_up, time, said[0], said[1], said[2], n);
          for (gsize i = 0; i < n; i++)
            {
              for (guint k = 0; k < IFBAM_MAX_LAW; k++)
                law[k] = columns[k][i];
              if (info->kind == IFBAM_KIND_SOURCE)
                assert_true (said[0][i] == info->value (law, looked_up, time, inertia[i]));
              else
                {
                  const IfbamMotion motion = info->motion (law, looked_up, time);

                  assert_true (said[0][i] == motion.position && said[1][i] == motion.rate
                               && said[2][i] == motion.acceleration);
                }
            }
        }
    }
}

static void
test_lanes (void **state)
{
  (void) state;
  each_class (lanes_equal_one_by_one, IFBAM_KIND_GIVEN_NODE);
  each_class (lanes_equal_one_by_one, IFBAM_KIND_SOURCE);
}

/* Schemes */

/* The same motion with smaller and smaller steps; each network ends at 0.3 s, with rows every 10 ms. */
typedef struct
{
  const char *name;
  const char *text;
} Case;

static const Case cases[] = {
  { "chain with damping",
    "[ground g]\nposition = 2 mm\n"
    "[mass m1]\nmass = 1\nposition = 5 mm\nvelocity = 0.1\n"
    "[mass m2]\nmass = 0.7\nposition = -3 mm\n"
    "[mass m3]\nmass = 1.3\nvelocity = -0.2\n"
    "[spring k1]\nstiffness = 900\nbetween = g, m1\n[damper d1]\ndamping = 4\nbetween = g, m1\n"
    "[spring k2]\nstiffness = 600\nbetween = m1, m2\n[damper d2]\ndamping = 3\nbetween = m1, m2\n"
    "[spring k3]\nstiffness = 500\nbetween = m3, m2\n[damper d3]\ndamping = 2\nbetween = m3, "
    "m2\n" },
  { "cubic spring",
    "[ground g]\n[mass m1]\nmass = 1\nposition = 0.1\nvelocity = 1\n[mass m2]\nmass = 2\n"
    "[spring k1]\nstiffness = 200\ncubic = 60000\nbetween = g, m1\n"
    "[spring k2]\nstiffness = 300\ncubic = 20000\nbetween = m2, m1\n" },
  { "drive and force",
    "[drive d]\nposition = 1 mm\nvelocity = 0.05\namplitude = 10 mm\nfrequency = 3\nphase = 1\n"
    "[mass m1]\nmass = 1\n[mass m2]\nmass = 1.5\n"
    "[spring k1]\nstiffness = 500\nbetween = d, m1\n[damper c1]\ndamping = 3\nbetween = d, m1\n"
    "[spring k2]\nstiffness = 400\nbetween = m1, m2\n"
    "[force f]\non = m2\nvalue = 1\namplitude = 5\nfrequency = 4\nphase = 0.5\n" },
};

#define REFERENCE_STEPS 1000 /* in a row */

static IfbamCourse *
run_case (const Case *one, const IfbamScheme *scheme, guint steps, const char *quantity)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *path = g_build_filename (folder, "network.ini", NULL);
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (GError) error = NULL;
  IfbamCourse *course;

  g_string_append_printf (text,
                          "[network]\nscheme = %s\nstep = %.17g\nsample = 10 ms\n"
                          "duration = 0.3 s\nrecord = *.%s\n%s",
                          scheme->name, 0.01 / steps, quantity, one->text);
  assert_true (g_file_set_contents (path, text->str, -1, NULL));
  network = ifbam_network_new_from_file (path, NULL, &error);
  if (network == NULL)
    fail_msg ("%s", error->message);
  course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
  if (course == NULL)
    fail_msg ("%s", error->message);
  return course;
}

/* Root of the mean square of the difference, over all rows and nodes. */
static double
difference (IfbamCourse *course, IfbamCourse *reference)
{
  const char *const *signals = ifbam_course_get_signals (course);
  double sum = 0;
  gsize n = 0, all = 0;

  for (guint s = 0; signals[s] != NULL; s++)
    {
      const double *a = ifbam_course_get_values (course, signals[s], &n, NULL);
      const double *b = ifbam_course_get_values (reference, signals[s], &n, NULL);

      assert_int_equal (n, 31);
      for (gsize i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
      all += n;
    }
  return sqrt (sum / (double) all);
}

static void
test_orders (void **state)
{
  static const char *const quantities[] = { "position", "velocity" };
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    for (guint q = 0; q < G_N_ELEMENTS (quantities); q++)
      {
        g_autoptr (IfbamCourse) reference =
            run_case (&cases[c], best_scheme (), REFERENCE_STEPS, quantities[q]);

        for (guint s = 0; s < n; s++)
          {
            /* Small enough for the leading term, large enough for rounding to be nothing. */
            const guint steps = schemes[s]->order == 1 ? 500 : schemes[s]->order <= 2 ? 100 : 10;
            g_autoptr (IfbamCourse) coarse = run_case (&cases[c], schemes[s], steps, quantities[q]);
            g_autoptr (IfbamCourse) fine =
                run_case (&cases[c], schemes[s], 2 * steps, quantities[q]);
            double order = log2 (difference (coarse, reference) / difference (fine, reference));

            print_message ("# %s, %s, %s: order %.3f\n", cases[c].name, quantities[q],
                           schemes[s]->name, order);
            assert_near (order, schemes[s]->order, 0.15, schemes[s]->name);
          }
      }
}

/* RUN nodes with slots of `inputs` as ports; the ports of a run are consecutive. */
typedef struct
{
  double column[IFBAM_MAX_COLUMNS][RUN], inverse_inertia[RUN];
  double inputs[IFBAM_MAX_RUN_PORTS * RUN + 1]; /* the last: -0.0 */
  double sign[IFBAM_MAX_RUN_PORTS];
} Crowd;

static void
crowd_init (Crowd *crowd)
{
  for (guint i = 0; i < RUN; i++)
    {
      for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
        crowd->column[c][i] = between (-1, 1);
      crowd->inverse_inertia[i] = between (0.1, 10);
    }
  for (guint i = 0; i < G_N_ELEMENTS (crowd->inputs); i++)
    crowd->inputs[i] = between (-100, 100);
  crowd->inputs[IFBAM_MAX_RUN_PORTS * RUN] = -0.0;
}

static IfbamNodeBatch
crowd_batch (Crowd *crowd, guint degree)
{
  IfbamNodeBatch batch = { .inverse_inertia = crowd->inverse_inertia, .step = 1e-2 };

  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    batch.column[c] = crowd->column[c];
  for (guint p = 0; p < degree; p++)
    {
      batch.port[p] = crowd->inputs + p * RUN;
      batch.sign[p] = crowd->sign[p];
    }
  return batch;
}

/* The forces summed before, node by node, at the plainest level. */
static void
hear_singly (const IfbamScheme *scheme, guint stage, Crowd *crowd, guint first, guint n,
             guint degree)
{
  for (guint i = first; i < first + n; i++)
    {
      IfbamNodeBatch batch = crowd_batch (crowd, 0);
      double force[RUN] = { 0 };

      force[i] = -0.0;
      for (guint p = 0; p < degree; p++)
        force[i] += crowd->sign[p] < 0 ? -crowd->inputs[p * RUN + i] : crowd->inputs[p * RUN + i];
      batch.port[0] = force;
      scheme->update[stage][IFBAM_ISA_BASELINE][0](&batch, i, 1);
    }
}

static void
hear_in_a_run (const IfbamScheme *scheme, guint stage, guint level, Crowd *crowd, guint first,
               guint n, guint degree)
{
  IfbamNodeBatch batch = crowd_batch (crowd, degree);
  double force[RUN];

  for (guint i = 0; i < RUN; i++)
    force[i] = -0.0;
  if (degree == 0)
    batch.port[0] = force;
  scheme->update[stage][level][degree](&batch, first, n);
}

/* Ports looked up; packed: filled up to so many. */
static void
hear_few (const IfbamScheme *scheme, guint stage, Crowd *crowd, guint first, guint n, guint degree,
          guint packed)
{
  IfbamNodeBatch batch = crowd_batch (crowd, 0);
  IfbamPort ports[RUN * IFBAM_MAX_RUN_PORTS];

  for (guint i = 0; i < RUN; i++)
    for (guint p = 0; p < packed; p++)
      ports[i * packed + p] = p < degree ? (IfbamPort){ p * RUN + i, crowd->sign[p] }
                                         : (IfbamPort){ IFBAM_MAX_RUN_PORTS * RUN, 1.0 };
  batch.inputs = crowd->inputs;
  batch.ports = ports;
  scheme->update_few[stage][packed - 1](&batch, first, n);
}

/* All kernels of a stage on one range, each on a crowd of its own. */
static void
compare_kernels (const IfbamScheme *scheme, guint stage, const Crowd *before, guint first, guint n,
                 guint degree)
{
  Crowd wanted = *before, had;

  hear_singly (scheme, stage, &wanted, first, n, degree);
  for (guint level = 0; level < n_levels; level++)
    {
      had = *before;
      hear_in_a_run (scheme, stage, level, &had, first, n, degree);
      if (memcmp (&had, &wanted, sizeof had) != 0)
        fail_msg ("%s, stage %u, level %u, %u ports, %u + %u nodes", scheme->name, stage, level,
                  degree, first, n);
    }
  for (guint packed = MAX (degree, 1); packed <= IFBAM_MAX_RUN_PORTS; packed++)
    {
      had = *before;
      hear_few (scheme, stage, &had, first, n, degree, packed);
      if (memcmp (&had, &wanted, sizeof had) != 0)
        fail_msg ("%s, stage %u, %u ports packed as %u, %u + %u nodes", scheme->name, stage, degree,
                  packed, first, n);
    }
}

static void
test_node_kernels (void **state)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);
  Crowd crowd;

  (void) state;
  crowd_init (&crowd);
  for (guint s = 0; s < n_schemes; s++)
    for (guint stage = 0; stage < schemes[s]->n_stages && ifbam_scheme_tableau (schemes[s]) == NULL;
         stage++)
      for (guint degree = 0; degree <= IFBAM_MAX_RUN_PORTS; degree++)
        for (guint first = 0; first < RUN; first++)
          for (guint n = 0; first + n <= RUN; n++)
            {
              for (guint p = 0; p < IFBAM_MAX_RUN_PORTS; p++)
                crowd.sign[p] = g_rand_boolean (noise) ? -1 : 1;
              compare_kernels (schemes[s], stage, &crowd, first, n, degree);
            }
}

static void
test_scheme_words (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  assert_true (n >= 6);
  for (guint s = 0; s < n; s++)
    {
      const IfbamScheme *scheme = schemes[s];
      double weights = 0;

      assert_true (is_word (scheme->name));
      assert_ptr_equal (ifbam_scheme_by_name (scheme->name), scheme);
      assert_true (scheme->summary[0] && scheme->stability[0] && scheme->source[0]);
      assert_true (scheme->n_columns >= 2 && scheme->n_columns <= IFBAM_MAX_COLUMNS);
      assert_true (scheme->message_position < scheme->n_columns
                   && scheme->message_rate < scheme->n_columns);
      assert_true (scheme->n_stages >= 1 && scheme->n_stages <= IFBAM_MAX_STAGES);
      for (guint stage = 0; stage < scheme->n_stages; stage++)
        weights += scheme->stage_weight[stage];
      assert_true (weights == 0 || fabs (weights - 1) < 1e-15);
      assert_true (scheme->latency == (scheme->begin_cold != NULL));
    }
  assert_null (ifbam_scheme_by_name ("no-such-scheme"));
  assert_non_null (ifbam_scheme_default ());
}

/* Links */

static const void *
link_law (const IfbamElementInfo *info)
{
  IfbamElement *element = random_element_of (info, g_rand_boolean (noise));
  const gboolean rate = g_rand_boolean (noise);
  const double radius = (info->forms & IFBAM_BETWEEN_BALLS) == 0 || g_rand_boolean (noise)
                            ? 0
                            : pow (10, between (-3, 0));
  double *law = ifbam_element_law (element);
  g_autofree char *reason = NULL, *refused = NULL;
  const char *key;

  /* A class that reads a signal gets its name. */
  if (info->signal != NULL)
    reason =
        info->signal (element, law, rate, rate ? "m/s" : "m", ifbam_element_parse_number, &key);
  assert_null (reason);
  if (info->link_law != NULL)
    refused = info->link_law (element, law, radius, 1, &key);
  for (guint k = 0; k < info->link->n_states; k++)
    law[info->link->first_state + k] = between (-1, 1);
  return refused == NULL ? law : link_law (info);
}

/* Where and how fast the ends are to each other. */
typedef struct
{
  double delta, rate;
} Place;

static double
of_link_size (void)
{
  return pow (10, between (-3, 3)) * (g_rand_boolean (noise) ? 1 : -1);
}

static guint
guards_of (const IfbamLaw *class, const void *law, int mode, IfbamGuard *guards)
{
  const guint n =
      class->guards == NULL || class->constraint (law, mode).kind != IFBAM_CONSTRAINT_NONE
          ? 0
          : class->guards (law, mode, guards);

  assert_true (n <= IFBAM_MAX_GUARDS);
  return n;
}

static double
guard_value (const IfbamLaw *class, const void *law, int mode, const IfbamGuard *guard,
             const Place *place)
{
  const double value =
      guard->kind == IFBAM_GUARD_POSITION ? place->delta
      : guard->kind == IFBAM_GUARD_RATE
          ? place->rate
          : class->force (law,
                          guard->kind == IFBAM_GUARD_NEXT_FORCE ? guard->next
                          : guard->kind == IFBAM_GUARD_LAW      ? IFBAM_LAW_QUANTITY (mode)
                                                                : mode,
                          place->delta, place->rate);

  return guard->factor * value + guard->offset;
}

/* By how much a guard's value is rounded, or more. */
static double
guard_grain (const IfbamLaw *class, const void *law, int mode, const IfbamGuard *guard,
             const Place *place)
{
  const double size = fabs (guard->offset)
                      + (guard->kind == IFBAM_GUARD_POSITION ? fabs (place->delta)
                         : guard->kind == IFBAM_GUARD_RATE
                             ? fabs (place->rate)
                             : fabs (class->force (law, mode, place->delta, 0))
                                   + fabs (class->force (law, guard->next, place->delta, 0)));

  return 1e-12 * size;
}

/* A place at a guard. FALSE: there is none. */
static gboolean
find_guard (const IfbamLaw *class, const void *law, int mode, const IfbamGuard *guard, Place *place)
{
  double at_rest, slope;

  *place = (Place){ of_link_size (), of_link_size () };
  if (guard->kind == IFBAM_GUARD_POSITION)
    place->delta = -guard->offset / guard->factor;
  else if (guard->kind == IFBAM_GUARD_RATE)
    place->rate = -guard->offset / guard->factor;
  else
    {
      /* Forces are linear in the rate. */
      place->rate = 0;
      at_rest = guard_value (class, law, mode, guard, place);
      place->rate = 1e9;
      slope = (guard_value (class, law, mode, guard, place) - at_rest) / place->rate;
      place->rate = -at_rest / slope;
      if (slope == 0 || fabs (place->rate) > 1e6)
        return FALSE;
    }
  return isfinite (place->delta) && isfinite (place->rate);
}

/* Modes that a law can start in, and those that its guards lead to. */
static guint
modes_of (const IfbamLaw *class, const void *law, int *modes, guint most)
{
  guint n = 0;

  for (int k = 0; class->modes != NULL && class->modes[k] != NULL; k++)
    modes[n++] = k;
  for (int k = 0; k < 20 && class->modes == NULL; k++)
    {
      const int start = class->mode (law, of_link_size (), of_link_size ());
      gboolean known = FALSE;

      for (guint i = 0; i < n; i++)
        known |= modes[i] == start;
      if (!known)
        modes[n++] = start;
    }
  for (guint i = 0; i < n && class->modes == NULL; i++)
    {
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      const guint n_guards = guards_of (class, law, modes[i], guards);

      for (guint g = 0; g < n_guards; g++)
        {
          gboolean known = FALSE;

          for (guint k = 0; k < n; k++)
            known |= modes[k] == guards[g].next;
          if (!known)
            modes[n++] = guards[g].next;
        }
    }
  assert_true (n > 0 && n <= most);
  return n;
}

/* The stored energy changes with the law's states: dV/dstate state'. In an idle mode they are constant. */
static double
power_of_states (const IfbamLaw *class, const void *law, int mode, const Place *place,
                 double *uncertain)
{
  double numbers[IFBAM_MAX_LAW], rates[IFBAM_MAX_STATES], power = 0;

  *uncertain = 0;
  if (class->n_states == 0)
    return 0;
  class->state_rates (law, mode, place->delta, place->rate, rates);
  memcpy (numbers, law, (class->first_state + class->n_states) * sizeof *numbers);
  for (guint k = 0; k < class->n_states; k++)
    {
      double *state = &numbers[class->first_state + k], here = *state;
      const double reach = 1e-4 * (1 + fabs (here));
      double energy[2];

      for (int side = 0; side < 2; side++)
        {
          *state = here + (side == 0 ? -reach : reach);
          energy[side] = class->energy (numbers, mode, place->delta);
        }
      *state = here;
      power += (energy[1] - energy[0]) / (2 * reach) * rates[k];
      *uncertain +=
          (1e-6 * fabs (energy[1] - energy[0]) + 1e-15 * (fabs (energy[0]) + fabs (energy[1])))
          / reach * fabs (rates[k]);
      if (class->constraint (law, mode).idle)
        assert_true (rates[k] == 0);
    }
  return power;
}

/* In every mode the work of the force is stored or dissipated: F rate = dV/dt + loss. */
static void
assert_work_is_accounted (const IfbamElementInfo *info, const void *law, int mode)
{
  const IfbamLaw *class = info->link;
  const Place place = { of_link_size (), of_link_size () };
  const double reach = 1e-4 * fabs (place.delta);
  const double force = class->force (law, mode, place.delta, place.rate);
  const double low = class->energy (law, mode, place.delta - reach),
               high = class->energy (law, mode, place.delta + reach);
  const double wide = (high - low) / (2 * reach);
  const double slope = (class->energy (law, mode, place.delta + 0.5 * reach)
                        - class->energy (law, mode, place.delta - 0.5 * reach))
                       / reach;
  const double lost = class->loss (law, mode, place.delta, place.rate);
  double scale = fabs (force) + fabs (slope), uncertain;
  const double inside = power_of_states (class, law, mode, &place, &uncertain);

  for (int k = -1; k <= 1; k++)
    scale = fmax (scale, fabs (class->force (law, mode, place.delta * (1 + k), place.rate)));
  /* The error of the narrower of two differences is a third of their difference, or less near a kink. */
  if (fabs ((force - slope) * place.rate - inside - lost)
      > (1e-5 * scale + fabs (wide - slope) + 1e-14 * (fabs (low) + fabs (high)) / reach)
                * fabs (place.rate)
            + uncertain)
    fail_msg ("%s, mode %d at %g, %g: force %g, slope of the energy %g, loss %g", info->name, mode,
              place.delta, place.rate, force, slope, lost);
  assert_true (lost == 0 || class->loss (law, mode, place.delta, 0) == 0 || class->n_states > 0);
  /* An idle mode has no force. */
  if (class->constraint (law, mode).kind == IFBAM_CONSTRAINT_NONE
      && class->constraint (law, mode).idle)
    assert_true (force == 0 && lost == 0);
}

/* Slopes that a law gives are those that its force has; where it says that it is linear, at any other place, too. */
static void
assert_slopes_are_of_the_force (const IfbamElementInfo *info, const void *law, int mode)
{
  const Place place = { of_link_size (), of_link_size () };
  const Place other = { of_link_size (), of_link_size () };
  IfbamLaw plain = *info->link;
  const IfbamLink link = { .law = info->link, .numbers = law },
                  asked = { .law = &plain, .numbers = law };
  IfbamForceDerivatives given, found;
  double grain;

  plain.slopes = NULL;
  given = ifbam_link_differentiate (&link, law, mode, place.delta, place.rate);
  found = ifbam_link_differentiate (&asked, law, mode, place.delta, place.rate);
  assert_true (given.force == found.force);
  /* Differences are taken over a thousandth at least; a force's rounding shows in them. */
  grain = 64 * DBL_EPSILON * fabs (given.force) / 1e-3;
  if (!(fabs (given.stiffness - found.stiffness) <= 1e-7 * fabs (found.stiffness) + grain)
      || !(fabs (given.damping - found.damping) <= 1e-7 * fabs (found.damping) + grain))
    fail_msg ("%s, mode %d at %g, %g: slopes %g and %g, by differences %g and %g", info->name, mode,
              place.delta, place.rate, given.stiffness, given.damping, found.stiffness,
              found.damping);
  if (given.nonlinear != 0)
    return;
  found = ifbam_link_differentiate (&link, law, mode, other.delta, other.rate);
  if (given.stiffness != found.stiffness || given.damping != found.damping)
    fail_msg ("%s, mode %d: slopes %g and %g at %g, %g, but %g and %g at %g, %g", info->name, mode,
              given.stiffness, given.damping, place.delta, place.rate, found.stiffness,
              found.damping, other.delta, other.rate);
}

/* Mean force of a law with modes for `implicit`: on short paths equal to that of three points. */
static void
assert_mean_to_end_is_mean (const IfbamElementInfo *info, const void *law, int mode)
{
  const double x = of_link_size (), v = of_link_size (), way = 0.01 * x;
  const IfbamLink link = {
    .law = info->link, .numbers = law, .geometry = &ifbam_difference, .n_ports = 2
  };
  double mean[3], to_end, scale = 0, row[IFBAM_MAX_PORTS], flow[IFBAM_MAX_STATES];

  for (int k = 0; k < 3; k++) /* the first half, the second one, all of it */
    {
      const double from = k == 1 ? x + 0.5 * way : x, by = k == 2 ? way : 0.5 * way;
      const IfbamLinkInputs inputs = { .position = { from },
                                       .rate = { v },
                                       .earlier_position = { from - by },
                                       .earlier_rate = { v } };

      mean[k] = ifbam_link_mean (&link, mode, &inputs, TRUE, row, flow);
      scale = fmax (scale, fabs (mean[k]));
      if (k == 2)
        to_end = ifbam_link_mean_to_end (&link, mode, &inputs, row, flow);
    }
  /* where three points do for it */
  if (fabs (0.5 * (mean[0] + mean[1]) - mean[2]) > 1e-10 * scale)
    return;
  assert_near (to_end, mean[2],
               1e-7 * scale
                   + 1e-14
                         * (fabs (info->link->energy (law, mode, x))
                            + fabs (info->link->energy (law, mode, x + way)))
                         / fabs (way),
               info->name);
}

/* At a guard, force (at rate 0 at least) and energy are continuous, except for a stated loss. */
static void
assert_guard_leads_on (const IfbamElementInfo *info, const void *law, int mode,
                       const IfbamGuard *guard)
{
  const IfbamLaw *class = info->link;
  IfbamGuard guards[IFBAM_MAX_GUARDS];
  Place place;
  double before, after, scale, lost;
  int start;
  guint n;

  assert_true (guard->kind != IFBAM_GUARD_REACTION && guard->factor != 0 && guard->next != mode);
  if (!find_guard (class, law, mode, guard, &place))
    return;
  if (guard->kind == IFBAM_GUARD_POSITION)
    place.rate = -copysign (place.rate, guard->factor);
  /* A mode's continuation may pass its guard where the mode never is. */
  start = class->mode (law, place.delta, place.rate);
  if (start != mode && start != guard->next)
    return;
  /* Where a mode keeps its states at rest they are not at random, as here. */
  if (class->n_states > 0 && guard->kind == IFBAM_GUARD_RATE)
    return;
  n = guards_of (class, law, guard->next, guards);
  for (guint g = 0; g < n; g++)
    if (guard_value (class, law, guard->next, &guards[g], &place)
        < -guard_grain (class, law, guard->next, &guards[g], &place))
      fail_msg ("%s, mode %d to %d at %g, %g: and on to %d", info->name, mode, guard->next,
                place.delta, place.rate, guards[g].next);
  if (class->force == NULL)
    return;
  lost = class->change_loss == NULL ? 0 : class->change_loss (law, mode, guard->next, place.delta);
  before = class->energy (law, mode, place.delta);
  after = class->energy (law, guard->next, place.delta);
  scale = fabs (before) + fabs (after);
  for (int k = 0; k < 2; k++)
    {
      const int of = k == 0 ? mode : guard->next;

      scale +=
          fabs (class->energy (law, of, place.delta - 1))
          + fabs (class->energy (law, of, place.delta + 1))
          + 1e-3 * (fabs (class->energy (law, of, 2e3)) + fabs (class->energy (law, of, -2e3)));
    }
  if (fabs (before - after - lost) > 1e-12 * scale)
    fail_msg ("%s, mode %d to %d: energy from %.17g to %.17g", info->name, mode, guard->next,
              before, after);
  if (class->change_loss != NULL)
    return;
  if (guard->kind == IFBAM_GUARD_POSITION)
    place.rate = 0;
  before = class->force (law, mode, place.delta, place.rate);
  after = class->force (law, guard->next, place.delta, place.rate);
  scale = fabs (class->force (law, mode, place.delta, 0))
          + fabs (class->force (law, guard->next, place.delta, 0))
          + fabs (class->force (law, mode, 2 * place.delta, 0))
          + fabs (class->force (law, guard->next, 2 * place.delta, 0));
  if (fabs (before - after) > 1e-11 * scale)
    fail_msg ("%s, mode %d to %d at %g, %g: force from %g to %g", info->name, mode, guard->next,
              place.delta, place.rate, before, after);
}

/* A start is in a mode that lasts there; internal states start at 0. */
static void
assert_start_lasts (const IfbamElementInfo *info, const void *numbers, const Place *place)
{
  const IfbamLaw *class = info->link;
  double law[IFBAM_MAX_LAW] = { 0 };
  IfbamGuard guards[IFBAM_MAX_GUARDS];
  int mode;
  guint n;

  memcpy (law, numbers, info->law_size - class->n_states * sizeof *law);
  mode = class->mode (law, place->delta, place->rate);
  n = guards_of (class, law, mode, guards);
  for (guint g = 0; g < n; g++)
    {
      const double value = guard_value (class, law, mode, &guards[g], place);

      if (value < -guard_grain (class, law, mode, &guards[g], place)
          || (guards[g].kind == IFBAM_GUARD_POSITION && value == 0
              && guards[g].factor * place->rate < 0))
        fail_msg ("%s at %g, %g: starts in mode %d, and goes on to %d", info->name, place->delta,
                  place->rate, mode, guards[g].next);
    }
}

static void
assert_words (const IfbamElementInfo *info, const void *law, int from, int to)
{
  const IfbamLink link = { .law = info->link, .numbers = law };
  const char *word = from == to ? NULL : ifbam_link_event (&link, from, to);

  /* A class has its own words; each is one. */
  assert_true (word == NULL || word[0] != '\0');
  for (const char *letter = word; letter != NULL && *letter != '\0'; letter++)
    assert_true (g_ascii_islower (*letter));
}

static void
link_keeps_its_word (GType type, const IfbamElementInfo *info)
{
  const IfbamLaw *class = info->link;
  guint n_guards = 0;

  (void) type;
  if (class == NULL)
    return;
  /* A force comes with its energy and loss. */
  assert_true ((class->force != NULL) == (class->energy != NULL)
               && (class->force != NULL) == (class->loss != NULL));
  for (int draw = 0; draw < DRAWS; draw++)
    {
      const void *law = link_law (info);
      int modes[32];
      const guint n = modes_of (class, law, modes, G_N_ELEMENTS (modes));

      for (guint i = 0; i < n; i++)
        {
          IfbamGuard guards[IFBAM_MAX_GUARDS];
          const guint own = guards_of (class, law, modes[i], guards);

          for (guint k = 0; k < n; k++)
            assert_words (info, law, modes[i], modes[k]);
          if (class->force != NULL)
            assert_work_is_accounted (info, law, modes[i]);
          if (class->force != NULL && class->n_states == 0 && class->points == NULL)
            assert_mean_to_end_is_mean (info, law, modes[i]);
          if (class->slopes != NULL)
            assert_slopes_are_of_the_force (info, law, modes[i]);
          if (class->toggle != NULL)
            assert_true (class->toggle (law, class->toggle (law, modes[i])) == modes[i]
                         && class->toggle (law, modes[i]) != modes[i]);
          for (guint g = 0; g < own; g++)
            {
              Place place;

              n_guards++;
              assert_true (class->modes == NULL
                           || (guards[g].next >= 0 && guards[g].next < (int) n));
              assert_guard_leads_on (info, law, modes[i], &guards[g]);
              if (find_guard (class, law, modes[i], &guards[g], &place))
                assert_start_lasts (info, law, &place);
            }
        }
      for (int k = 0; k < 20; k++)
        {
          const Place place = { of_link_size (), k < 5 ? 0 : of_link_size () };

          assert_start_lasts (info, law, &place);
        }
    }
  print_message ("# %s: %u guards\n", info->name, n_guards);
}

/* A further constraint has own names; it is fixed, a law, a carried friction, or ends the run. */
static void
relations_keep_their_word (GType type, const IfbamElementInfo *info)
{
  (void) type;
  for (const IfbamLaw *law = info->link == NULL ? NULL : info->link->next; law != NULL;
       law = law->next)
    {
      const IfbamLaw *carrier = info->link;
      IfbamElementInfo further = *info;
      IfbamConstraint relation;
      const void *numbers;

      assert_true (law->name != NULL && law->name[0] != '\0');
      further.link = law;
      if (law->ending != NULL)
        {
          numbers = link_law (info);
          assert_int_equal (law->mode (numbers, -G_MAXDOUBLE, 0), 0);
          assert_true (law->constraint (numbers, 0).idle);
          assert_int_equal (law->mode (numbers, 0, 0), 1);
          continue;
        }
      if (law->ends != NULL || law->geometry != NULL)
        {
          numbers = link_law (info);
          if (law->constraint (numbers, 0).kind == IFBAM_CONSTRAINT_FIXED)
            assert_int_equal (law->mode (numbers, of_link_size (), of_link_size ()), 0);
          else
            link_keeps_its_word (type, &further);
          continue;
        }
      for (int draw = 0; draw < DRAWS; draw++)
        {
          numbers = link_law (info);
          if (law->n_carriers > 1)
            {
              assert_int_equal (carrier->constraint (numbers, 0).kind, IFBAM_CONSTRAINT_FIXED);
              assert_true (law->acts (numbers) == (law->constraint (numbers, 0).breakaway > 0));
              link_keeps_its_word (type, &further);
              break;
            }
          assert_int_equal (law->mode (numbers, of_link_size (), of_link_size ()),
                            IFBAM_MODE_LOOSE);
          assert_int_equal (
              carrier->constraint (numbers, carrier->mode (numbers, of_link_size (), 0)).kind,
              law->across ? IFBAM_CONSTRAINT_FRICTION : IFBAM_CONSTRAINT_CONTACT);
          for (int mode = IFBAM_MODE_STUCK; mode <= IFBAM_MODE_LOOSE; mode++)
            {
              relation = law->constraint (numbers, mode);
              assert_int_equal (relation.kind, IFBAM_CONSTRAINT_FRICTION);
              assert_true (relation.coulomb >= 0 && relation.coulomb <= relation.breakaway);
              /* Where it would do nothing it is not there. */
              assert_true (law->acts == NULL || law->acts (numbers) == (relation.breakaway > 0));
              for (int to = IFBAM_MODE_STUCK; to <= IFBAM_MODE_LOOSE; to++)
                assert_words (&further, numbers, mode, to);
            }
        }
    }
}

static void
test_links (void **state)
{
  (void) state;
  each_class (link_keeps_its_word, -1);
  each_class (relations_keep_their_word, -1);
}

/* d delta / d coordinates by differences. */
static void
measure_row (const IfbamLink *link, const double *x, double *row)
{
  double at[IFBAM_MAX_PORTS], rate[IFBAM_MAX_PORTS] = { 0 }, ignored[IFBAM_MAX_PORTS], low, high;
  double reach = 1e-3;

  for (guint e = 0; e < link->n_ports; e++)
    reach = fmax (reach, 1e-3 * fabs (x[e]));
  for (guint e = 0; e < link->n_ports; e++)
    {
      memcpy (at, x, sizeof at);
      at[e] = x[e] - reach;
      link->geometry->measure (link->shape, at, rate, &low, ignored);
      at[e] = x[e] + reach;
      link->geometry->measure (link->shape, at, rate, &high, ignored);
      row[e] = (high - low) / (2 * reach);
    }
}

static void
copy_values (IfbamElement *from, IfbamElement *to)
{
  for (guint i = 0; i < from->info->n_params; i++)
    {
      const IfbamParam *param = &from->info->params[i];
      g_auto (GValue) value = G_VALUE_INIT;

      if (!ifbam_element_is_set (from, i) || param->kind == IFBAM_PARAM_ELEMENTS)
        continue;
      g_object_get_property (G_OBJECT (from), param->key, &value);
      g_object_set_property (G_OBJECT (to), param->key, &value);
    }
}

/* The class of sources of a domain. */
static const char *
source_class (IfbamDomain domain)
{
  guint n;
  const GType *types = ifbam_element_types (&n);

  for (guint i = 0; i < n; i++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[i]);

      if (info->kind == IFBAM_KIND_SOURCE && info->domain == domain
          && ifbam_element_param_index (info, "value") >= 0)
        return info->name;
    }
  return NULL;
}

/* m a = f - J^T F at both ends, whatever the link does; FALSE where the draw was refused. */
static gboolean
ends_feel_the_force (const IfbamElementInfo *info)
{
  static const char *const names[] = { "a", "b", NULL };
  g_autoptr (IfbamNetwork) network = ifbam_network_new ();
  IfbamElement *link = ifbam_network_add (network, info->name, "e", NULL);
  IfbamElement *source =
      ifbam_network_add (network, source_class (domain_of_end (info, 0)), "f", NULL);
  const char *const on[] = { "a", NULL };
  g_autoptr (IfbamModel) model = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  IfbamEngine *engine;
  const IfbamLink *compiled;
  double x[IFBAM_MAX_PORTS] = { 0 }, v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], mass[2], force, push;

  for (guint i = 0; i < 2; i++)
    {
      const char *inertia = NULL;
      const IfbamElementInfo *node = free_node (domain_of_end (info, i), &inertia);
      IfbamElement *end = ifbam_network_add (network, node->name, names[i], NULL);

      mass[i] = pow (10, between (-1, 1));
      g_object_set (end, inertia, mass[i], NULL);
      for (guint k = 0; k < node->n_params; k++)
        if (!ifbam_param_is_required (&node->params[k])
            && node->params[k].kind == IFBAM_PARAM_NUMBER)
          g_object_set (end, node->params[k].key, of_link_size (), NULL);
    }
  push = of_link_size ();
  g_object_set (source, "value", push, "on", on, NULL);
  copy_values (random_element_of (info, TRUE), link);
  g_object_set (link, "between", names, NULL);
  g_object_set (ifbam_network_get_settings (network), "scheme", "rk4", "step", 1e-6, NULL);
  model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, NULL);
  if (model == NULL)
    return FALSE;
  engine = ifbam_event_engine_new (model, &spec, FALSE);
  ifbam_engine_start (engine);
  ifbam_engine_get_nodes (engine, 0, model->n_nodes, x, v);
  force = ifbam_engine_get (engine, IFBAM_LINK_FORCE, 0);
  compiled = &g_array_index (model->unbatched_links, IfbamLink, 0);
  measure_row (compiled, x, row);
  for (guint i = 0; i < 2; i++)
    {
      const double felt =
          mass[i] * ifbam_engine_get (engine, IFBAM_NODE_ACCELERATION, i) - (i == 0 ? push : 0);

      assert_int_equal (compiled->node[i], i);
      if (fabs (felt + row[i] * force) > 1e-9 * (fabs (felt) + fabs (push)))
        fail_msg ("%s: %g N at %s, %g N times %g", info->name, felt, names[i], force, row[i]);
    }
  ifbam_engine_free (engine);
  return TRUE;
}

static void
ends_of_links (GType type, const IfbamElementInfo *info)
{
  guint n = 0;

  (void) type;
  /* Other ends, carried frictions, modes by a course, inconsistent starts have their own tests. */
  if (info->link == NULL
      || info->link->constraint (link_law (info), 0).kind == IFBAM_CONSTRAINT_FIXED
      || info->link->next != NULL || info->signal_slot != 0 || info->input_slot != 0
      || (ifbam_element_in_batches (info)
          && (info->link->has_modes == NULL || info->course_parameter > 0))
      || (info->forms != 0 && (info->forms & IFBAM_BETWEEN_NODES) == 0))
    return;
  for (int draw = 0; draw < 4 * DRAWS; draw++)
    n += ends_feel_the_force (info) ? 1 : 0;
  assert_true (n >= DRAWS / 2);
}

static void
test_ends_of_links (void **state)
{
  (void) state;
  each_class (ends_of_links, -1);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_tables),       cmocka_unit_test (test_defaults),
    cmocka_unit_test (test_round_trips),  cmocka_unit_test (test_required),
    cmocka_unit_test (test_refusals),     cmocka_unit_test (test_wrong_properties),
    cmocka_unit_test (test_examples),     cmocka_unit_test (test_force_and_energy),
    cmocka_unit_test (test_losses),       cmocka_unit_test (test_means),
    cmocka_unit_test (test_batches),      cmocka_unit_test (test_ends),
    cmocka_unit_test (test_free_nodes),   cmocka_unit_test (test_given_nodes),
    cmocka_unit_test (test_sources),      cmocka_unit_test (test_lanes),
    cmocka_unit_test (test_scheme_words), cmocka_unit_test (test_node_kernels),
    cmocka_unit_test (test_runs),         cmocka_unit_test (test_orders),
    cmocka_unit_test (test_links),        cmocka_unit_test (test_ends_of_links),
  };

  return cmocka_run_group_tests (tests, set_up, tear_down);
}
