/* test-model.c: a model is complete: later changes of its network do not affect it
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "dialogue/dialogue.h"
#include "fixture.h"
#include "embed/ifbam.h"
#include "linear/linear.h"
#include "run/run.h"

#define MOST_ROWS 150

/* Compilations, steps that are chosen and starts that are looked for, in any thread: see the Makefile. */
static gint n_compiled, n_chosen, n_sought;

IfbamModel *__real_ifbam_model_new (const GPtrArray *elements, GHashTable *by_name,
                                    GHashTable *unknown, const IfbamReader *reader, GArray *issues);
IfbamModel *__wrap_ifbam_model_new (const GPtrArray *elements, GHashTable *by_name,
                                    GHashTable *unknown, const IfbamReader *reader, GArray *issues);

IfbamModel *
__wrap_ifbam_model_new (const GPtrArray *elements, GHashTable *by_name, GHashTable *unknown,
                        const IfbamReader *reader, GArray *issues)
{
  g_atomic_int_inc (&n_compiled);
  return __real_ifbam_model_new (elements, by_name, unknown, reader, issues);
}

double __real_ifbam_auto_step (const IfbamModel *model, const IfbamRunSpec *spec, double duration,
                               const char **why, GError **error);
double __wrap_ifbam_auto_step (const IfbamModel *model, const IfbamRunSpec *spec, double duration,
                               const char **why, GError **error);

double
__wrap_ifbam_auto_step (const IfbamModel *model, const IfbamRunSpec *spec, double duration,
                        const char **why, GError **error)
{
  g_atomic_int_inc (&n_chosen);
  return __real_ifbam_auto_step (model, spec, duration, why, error);
}

IfbamEquilibrium *__real_ifbam_equilibrium_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                                GError **error);
IfbamEquilibrium *__wrap_ifbam_equilibrium_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                                GError **error);

IfbamEquilibrium *
__wrap_ifbam_equilibrium_new (const IfbamModel *model, const IfbamRunSpec *spec, GError **error)
{
  g_atomic_int_inc (&n_sought);
  return __real_ifbam_equilibrium_new (model, spec, error);
}

/* A compiled network with the data of a run, and its first results. */
typedef struct
{
  IfbamModel *model;
  IfbamRunSpec spec;
  IfbamSignals *signals;
  GArray *told; /* doubles */
} Compiled;

static gboolean
take_row (gpointer data, double time, const double *values, GError **error)
{
  const Compiled *compiled = ((gpointer *) data)[0];
  GArray *told = ((gpointer *) data)[1];

  (void) error;
  g_array_append_val (told, time);
  g_array_append_vals (told, values, compiled->signals->signals->len);
  return TRUE;
}

/* How it ends is no matter, as long as it ends the same. */
static GArray *
run (const Compiled *compiled, gboolean in_pieces)
{
  GArray *told = g_array_new (FALSE, FALSE, sizeof (double));
  gpointer data[] = { (gpointer) compiled, told };
  IfbamRunTask task = { .threads = 1, .full_balance = TRUE, .row = take_row, .data = data };
  g_autoptr (IfbamRunner) runner =
      ifbam_runner_new (&task, compiled->model, compiled->signals, &compiled->spec);
  const guint64 last = compiled->spec.last_step, middle = in_pieces ? last / 2 : last;

  if (ifbam_runner_advance (runner, middle, NULL) && middle < last)
    ifbam_runner_advance (runner, last, NULL);
  return told;
}

static gboolean
compile (IfbamNetwork *network, Compiled *compiled)
{
  compiled->model =
      ifbam_network_compile_or_error (network, TRUE, &compiled->spec, &compiled->signals, NULL);
  if (compiled->model == NULL)
    return FALSE;
  compiled->spec.last_step = MIN (compiled->spec.last_step, MOST_ROWS * compiled->spec.stride);
  compiled->told = run (compiled, FALSE);
  return TRUE;
}

static void
compiled_clear (Compiled *compiled)
{
  g_clear_pointer (&compiled->model, ifbam_model_free);
  g_clear_pointer (&compiled->signals, ifbam_signals_free);
  g_clear_pointer (&compiled->told, g_array_unref);
  ifbam_run_spec_clear (&compiled->spec);
}

static void
assert_tells (const Compiled *compiled, GArray *told, const char *what)
{
  if (told->len != compiled->told->len
      || memcmp (told->data, compiled->told->data, told->len * sizeof (double)) != 0)
    fail_msg ("%s: the model is not what it was", what);
  g_array_unref (told);
}

/* Changes all parameters of all elements, lists too, except counts. */
static void
change_numbers (IfbamNetwork *network, double factor)
{
  for (guint i = 0; i < network->elements->len; i++)
    {
      IfbamElement *element = network->elements->pdata[i];

      for (guint k = 0; k < element->info->n_params; k++)
        {
          const IfbamParam *param = &element->info->params[k];

          if (!ifbam_element_is_set (element, k) || g_str_equal (param->key, "count"))
            continue;
          if (param->kind == IFBAM_PARAM_NUMBER)
            g_object_set (element, param->key, factor * *ifbam_element_value (element, param),
                          NULL);
          else if (param->kind == IFBAM_PARAM_NUMBERS)
            {
              gsize n;
              const double *list = ifbam_element_list (element, (guint) param->offset, &n);
              g_autofree double *other = g_memdup2 (list, n * sizeof (double));

              for (gsize j = 0; j < n; j++)
                other[j] *= factor;
              g_object_set (
                  element, param->key,
                  g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, other, n, sizeof (double)),
                  NULL);
            }
        }
    }
}

static gpointer
run_again (gpointer data)
{
  return run (data, TRUE);
}

static gpointer
compile_and_run (gpointer network)
{
  Compiled *compiled = g_new0 (Compiled, 1);

  if (!compile (network, compiled))
    g_error ("a network that could be compiled can't");
  return compiled;
}

/* Two threads compile one network, and run it, at the same time; then it goes, and a model stays. */
static void
try_at_once (IfbamNetwork *network, const char *what)
{
  GThread *threads[2];
  Compiled one = { 0 }, *other[2];

  if (!compile (network, &one))
    fail_msg ("%s: can't be compiled", what);
  for (guint i = 0; i < 2; i++)
    threads[i] = g_thread_new ("compile", compile_and_run, network);
  for (guint i = 0; i < 2; i++)
    {
      other[i] = g_thread_join (threads[i]);
      assert_tells (&one, g_array_ref (other[i]->told), what);
    }
  g_object_unref (network);
  assert_tells (&one, run (other[1], TRUE), what);
  for (guint i = 0; i < 2; i++)
    {
      compiled_clear (other[i]);
      g_free (other[i]);
    }
  compiled_clear (&one);
}

/* Two models of one network, one after the other, in turns, and at once. Returns whether they differ. */
static gboolean
try_two (IfbamNetwork *network, const char *what)
{
  Compiled one = { 0 }, other = { 0 };
  GThread *threads[2];
  gboolean differ = FALSE;

  if (!compile (network, &one))
    fail_msg ("%s: can't be compiled", what);
  change_numbers (network, 1.015625);
  if (compile (network, &other))
    {
      differ = one.told->len != other.told->len
               || memcmp (one.told->data, other.told->data, one.told->len * sizeof (double)) != 0;
      assert_tells (&one, run (&one, FALSE), what);
      assert_tells (&other, run (&other, FALSE), what);
      change_numbers (network, 1.0625);
      threads[0] = g_thread_new ("one", run_again, &one);
      threads[1] = g_thread_new ("other", run_again, &other);
      assert_tells (&one, g_thread_join (threads[0]), what);
      assert_tells (&other, g_thread_join (threads[1]), what);
    }
  else /* these numbers do not go together: the model that is there does not mind */
    assert_tells (&one, run (&one, TRUE), what);
  compiled_clear (&one);
  compiled_clear (&other);
  return differ;
}

static void
test_two_models_of_every_network (void **state)
{
  g_auto (GStrv) paths = shipped_networks ("networks", G_STRFUNC);
  guint n = 0, n_differ = 0;

  (void) state;
  for (guint p = 0; paths[p] != NULL; p++)
    {
      const char *path = paths[p], *name = strrchr (path, G_DIR_SEPARATOR) + 1;
      g_autoptr (IfbamNetwork) network = NULL;

      network = open_network (path, NULL);
      n++;
      n_differ += try_two (network, name);
    }
  print_message ("# %u networks; with other numbers %u run differently\n", n, n_differ);
  assert_true (n > by_effort (7, 30, 30) && n_differ > 0.8 * n);
}

static void
test_two_threads_compile_every_network (void **state)
{
  g_auto (GStrv) paths = shipped_networks ("networks", G_STRFUNC);
  guint n = 0;

  (void) state;
  for (guint p = 0; paths[p] != NULL; p++)
    {
      const char *path = paths[p], *name = strrchr (path, G_DIR_SEPARATOR) + 1;

      try_at_once (open_network (path, NULL), name);
      n++;
    }
  assert_true (n > by_effort (7, 30, 30));
  /* Data made by compilation: tables, radii, levels, members of composites. */
  try_at_once (text_network ("[network]\nstep = 0.1 ms\nduration = 0.1 s\nrecord = *.position\n"
                             "[surface g]\n[ball b]\nmass = 1\nradius = 10 cm\ny = 10.1 cm\n"
                             "[gravity w]\non = b\n"
                             "[hertz h]\nbetween = b, g\nmodulus = 1 MPa\n"
                             "[ground f]\n[mass m]\nmass = 1\nvelocity = 1\n"
                             "[characteristic c]\ncompression = -1 mm, 0, 1 mm\nforce = -3, 0, 1\n"
                             "between = m, f\n[monitor o]\nsignal = m.position\nlevel = 1 mm\n"
                             "[impulse i]\non = m\nwhen = o\nimpulse = -1\n"
                             "[chain s]\ncount = 3\nmass = 1, 2\nstiffness = 1e3, 2e3\nfrom = m\n"
                             "k2.stiffness = 5e3\n"),
               "what is made");
}

/* Data that laws point to: courses, tables; a parameter of one link in a chain; radii of a contact's ends. */
static void
test_what_laws_point_to (void **state)
{
  static const char text[] =
      "[network]\nstep = 1 ms\nduration = 0.1 s\nrecord = *.position, network.supplied\n"
      "[ground g]\n[drive d]\ncourse = course.csv:x\n[mass m]\nmass = 1\n[mass n]\nmass = 2\n"
      "[spring k]\nstiffness = 1e3\nbetween = d, m\n"
      "[characteristic c]\ncompression = -1 mm, 0, 1 mm\nforce = -3, 0, 1\nbetween = m, n\n"
      "[force f]\non = n\ncourse = course.csv:y\n"
      "[chain s]\ncount = 3\nmass = 1, 2\nstiffness = 1e3, 2e3\nfrom = n\nk2.stiffness = 5e3\n";
  g_autofree char *course = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  Compiled before = { 0 }, after = { 0 };

  (void) state;
  course = folder_write ("course.csv", "time,x,y\n0,0,1\n0.02,0.001,-2\n0.05,-0.002,3\n0.1,0,0\n");
  network = text_network (text);
  assert_true (compile (network, &before));
  assert_true (ifbam_element_set_text (ifbam_network_get_element (network, "d"), "course",
                                       "course.csv:y", NULL));
  assert_true (ifbam_element_set_text (ifbam_network_get_element (network, "f"), "course",
                                       "course.csv:x", NULL));
  assert_true (compile (network, &after));
  assert_true (memcmp (before.told->data, after.told->data, before.told->len * sizeof (double))
               != 0);
  assert_tells (&before, run (&before, FALSE), "courses");
  change_numbers (network, 1.25);
  assert_tells (&before, run (&before, TRUE), "lists");
  assert_tells (&after, run (&after, TRUE), "lists");
  compiled_clear (&before);
  compiled_clear (&after);
  assert_true (try_two (network, "what laws point to"));
}

/* Elements that come later have other numbers in the next model, and none in the one that is there. */
static void
test_elements_that_come_later (void **state)
{
  g_autoptr (IfbamNetwork) network =
      text_network ("[network]\nstep = 1 ms\nduration = 0.1 s\n[ground g]\n[mass m]\nmass = 1\n"
                    "position = 1\n[spring k]\nstiffness = 100\nbetween = g, m\n");
  Compiled before = { 0 }, after = { 0 };
  IfbamElement *mass, *spring;
  gsize number;

  (void) state;
  assert_true (compile (network, &before));
  mass = ifbam_network_add (network, "mass", "n", NULL);
  g_object_set (mass, "mass", 2.0, "position", -1.0, NULL);
  spring = ifbam_network_add (network, "spring", "j", NULL);
  g_object_set (spring, "stiffness", 50.0, NULL);
  ifbam_network_join (network, spring, ifbam_network_get_element (network, "m"), mass);
  assert_true (compile (network, &after));
  assert_int_equal (ifbam_model_find (before.model, network->by_name, "g", &number),
                    IFBAM_FOUND_NODE);
  assert_int_equal (number, 1);
  ifbam_model_find (after.model, network->by_name, "g", &number);
  assert_int_equal (number, 2);
  assert_int_equal (ifbam_model_element_index (before.model, mass).index, IFBAM_NO_NODE);
  assert_int_equal (ifbam_model_element_index (after.model, mass).index, 1);
  assert_tells (&before, run (&before, TRUE), "elements that come later");
  assert_tells (&after, run (&after, TRUE), "elements that come later");
  compiled_clear (&before);
  compiled_clear (&after);
}

/* The model compiled at reading is used by all runs and analyses: only a change makes another model. */
static void
test_compiled_once (void **state)
{
  static const char *const varied[] = { "k1.stiffness=1kN/m:2kN/m:3", NULL };
  static const char *const measured[] = { "max:m1.position", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamCourse) course = NULL, again = NULL;
  g_autoptr (IfbamModes) modes = NULL;
  g_autoptr (IfbamSweepTable) table = NULL;

  (void) state;
  n_compiled = 0;
  network = ifbam_network_new_from_file ("networks/one-dof.ini", NULL, &error);
  course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
  assert_null (error);
  assert_int_equal (n_compiled, 1);
  modes = ifbam_modes_new (network, 0, 0, &error);
  assert_null (error);
  assert_int_equal (n_compiled, 2);
  assert_true (ifbam_network_check (network, NULL));
  g_object_set (ifbam_network_get_element (network, "k1"), "stiffness", 3e3, NULL);
  again = ifbam_network_run (network, IFBAM_ENGINE_OBJECTS, &error);
  assert_null (error);
  assert_int_equal (n_compiled, 4);
  assert_true (ifbam_network_check (network, NULL));
  assert_true (ifbam_network_check (network, NULL));
  assert_true (ifbam_network_reset (network, NULL));
  assert_int_equal (n_compiled, 5);
  ifbam_network_add (network, "mass", "m9", &error);
  assert_false (ifbam_network_check (network, NULL));
  assert_int_equal (n_compiled, 6);
  n_compiled = 0;
  table = ifbam_sweep_file ("networks/one-dof.ini", NULL, varied, measured, 1, 1, NULL, NULL, NULL,
                            &error);
  assert_null (error);
  /* The sweep's own, a worker's, and that of its variants, of which only numbers differ. */
  assert_int_equal (n_compiled, 3);
}

static void
assert_counts (int compiled, int chosen, int sought)
{
  assert_int_equal (n_compiled, compiled);
  assert_int_equal (n_chosen, chosen);
  assert_int_equal (n_sought, sought);
}

/* So are a step and a start that were found for it, as long as it is run as it was checked. */
static void
test_completed_once (void **state)
{
  g_autofree char *path = folder_path ("auto.ini");
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamCourse) course = NULL, again = NULL;
  g_autoptr (IfbamRun) other = NULL;
  g_autoptr (IfbamModes) modes = NULL;
  gsize n, m;
  const double *x, *y;

  (void) state;
  assert_true (g_file_set_contents (
      path,
      "[network]\nstep = auto\nstart = equilibrium\nduration = 1 s\nscheme = rk4\n"
      "record = m.position, m.velocity\n[ground w]\n[mass m]\nmass = 1\nvelocity = 1\n"
      "[spring k]\nstiffness = 100\ncubic = 100\nbetween = m, w\n[gravity g]\non = m\n",
      -1, &error));
  n_compiled = n_chosen = n_sought = 0;
  network = ifbam_network_new_from_file (path, NULL, &error);
  course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
  assert_null (error);
  assert_counts (1, 1, 1);
  /* The same once more is found once more, and is the same. */
  assert_true (ifbam_network_check (network, NULL));
  again = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
  assert_null (error);
  assert_counts (2, 2, 2);
  x = ifbam_course_get_values (course, "m.position", &n, &error);
  y = ifbam_course_get_values (again, "m.position", &m, &error);
  assert_int_equal (n, m);
  assert_memory_equal (x, y, n * sizeof *x);
  /* Another scheme has another step, but no other place of rest. */
  assert_true (ifbam_network_check (network, NULL));
  assert_counts (3, 3, 3);
  other = ifbam_run_new (network);
  g_object_set (other, "scheme", "verlet", NULL);
  assert_true (ifbam_run_start (other, &error));
  assert_counts (3, 4, 3);
  /* Later analyses repeat neither message. */
  assert_true (ifbam_network_check (network, NULL));
  modes = ifbam_modes_new (network, 0, 0, &error);
  assert_null (error);
  assert_counts (4, 5, 4);
}

/* Quantities of an open impact, of its input, and one that does not exist. */
static void
test_quantities (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (
      "[network]\nstep = 1 ms\nduration = 1 s\nscheme = averaged\n[ground anvil]\n"
      "position = -10 mm\n[mass m]\nmass = 1\nposition = 2 mm\nvelocity = 0.5\n[spring k]\n"
      "stiffness = 30\nbetween = anvil, m\n[impact stop]\nbetween = anvil, m\n");
  IfbamElement *stop = ifbam_network_get_element (network, "stop"),
               *mass = ifbam_network_get_element (network, "m");
  g_autoptr (GError) error = NULL;

  (void) state;
  assert_true (isnan (ifbam_element_get_quantity (stop, "mode", &error)));
  assert_message (error->message, "\"stop\" has no values before ifbam_network_reset() (mode)");
  g_clear_error (&error);
  assert_true (ifbam_network_reset (network, &error));
  ifbam_dialogue_master (network->home.dialogue);
  assert_true (ifbam_element_get_quantity (stop, "mode", &error) == 0);
  assert_true (ifbam_element_get_quantity (stop, "impulse", &error) == 0);
  assert_true (ifbam_element_get_quantity (stop, "compression", &error)
               == -10e-3 - ifbam_element_get_quantity (mass, "position", NULL));
  assert_true (ifbam_element_get_quantity (stop, "rate", &error)
               == -ifbam_element_get_quantity (mass, "velocity", NULL));
  assert_true (ifbam_element_get_quantity (mass, "velocity", NULL) != 0);
  assert_null (error);
  assert_true (isnan (ifbam_element_get_quantity (stop, "charge", &error)));
  assert_message (error->message, "\"stop\" has no quantity \"charge\"");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_two_models_of_every_network),
    cmocka_unit_test (test_two_threads_compile_every_network),
    cmocka_unit_test (test_what_laws_point_to),
    cmocka_unit_test (test_elements_that_come_later),
    cmocka_unit_test (test_compiled_once),
    cmocka_unit_test (test_completed_once),
    cmocka_unit_test (test_quantities),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
