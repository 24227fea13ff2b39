/* test-equilibrium.c: states of rest against closed forms, and runs that start from them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include <string.h>

#include "linear/linear.h"
#include "base/ifbam-error.h"
#include "embed/ifbam.h"
#include "engine/energy-balance.h"
#include "engine/engine.h"
#include "run/run.h"
#include "noise.h"
#include "fixture.h"

#define HEAD "[network]\nstep = 1 ms\nduration = 1 s\n"
#define G    9.81

static int
set_up (void **state)
{
  (void) state;
  return noise_set_up (1669);
}

typedef struct
{
  IfbamNetwork *network;
  IfbamModel *model;
  IfbamRunSpec spec;
  IfbamEquilibrium *equilibrium;
} Rest;

static void
rest_clear (Rest *rest)
{
  g_clear_pointer (&rest->equilibrium, ifbam_equilibrium_free);
  g_clear_pointer (&rest->model, ifbam_model_free);
  ifbam_run_spec_clear (&rest->spec);
  g_clear_object (&rest->network);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rest, rest_clear)

static void
rest_find (Rest *rest, const char *text, GError **error)
{
  g_autoptr (GError) own = NULL;

  rest->network = text_network_try (text, NULL, &own);
  if (rest->network == NULL)
    fail_msg ("%s", own->message);
  rest->model = ifbam_network_compile_or_error (rest->network, FALSE, &rest->spec, NULL, &own);
  assert_non_null (rest->model);
  rest->equilibrium = ifbam_equilibrium_new (rest->model, &rest->spec, error);
}

static void
rest_init (Rest *rest, const char *text)
{
  g_autoptr (GError) error = NULL;

  rest_find (rest, text, &error);
  if (rest->equilibrium == NULL)
    fail_msg ("%s\n%s", error->message, text);
}

static double
place_of (const Rest *rest, const char *name)
{
  gsize number;

  assert_int_equal (ifbam_model_find (rest->model, rest->network->by_name, name, &number),
                    IFBAM_FOUND_NODE);
  return rest->equilibrium->position[number];
}

static double
reaction_of (const Rest *rest, const char *name)
{
  gsize number;

  assert_int_equal (ifbam_model_find (rest->model, rest->network->by_name, name, &number),
                    IFBAM_FOUND_UNBATCHED);
  return rest->equilibrium->reaction[number];
}

static void
assert_close (double number, double wanted, double tolerance, const char *what)
{
  if (!(fabs (number - wanted) <= tolerance * fabs (wanted)))
    fail_msg ("%s: %.17g, not %.17g (relative %.3g, at most %.3g)", what, number, wanted,
              fabs (number / wanted - 1), tolerance);
}

static void
assert_place (const char *text, const char *node, double wanted, double tolerance)
{
  g_auto (Rest) rest = { 0 };

  rest_init (&rest, text);
  assert_close (place_of (&rest, node), wanted, tolerance, text);
}

/* Each mass of a hanging chain bears all that are below it. */
static void
test_hanging_chain (void **state)
{
  (void) state;
  for (gsize n = 1; n < 200000; n = n * 7 + 1)
    {
      g_autofree char *text = g_strdup_printf (
          HEAD "[ground g]\nposition = 3\n[chain c]\ncount = %zu\nmass = 0.3\nstiffness = 7e5\n"
               "position = 1 mm, -1 mm\nfrom = g\n[gravity y]\non = c\n",
          n);
      g_auto (Rest) rest = { 0 };
      double place = 3;

      rest_init (&rest, text);
      for (gsize i = 0; i < n; i++)
        {
          place -= 0.3 * G / 7e5 * (double) (n - i);
          if (!(fabs (rest.equilibrium->position[ifbam_model_named_node (rest.model, i)] - place)
                < 1e-11 * (3 + fabs (place))))
            fail_msg ("mass %zu of %zu: %.17g, not %.17g", i + 1, n,
                      rest.equilibrium->position[ifbam_model_named_node (rest.model, i)], place);
        }
    }
}

static void
test_laws (void **state)
{
  double x = 0;

  (void) state;
  /* 3 x + 11 x^3 = 2 */
  for (int i = 0; i < 50; i++)
    x -= (3 * x + 11 * x * x * x - 2) / (3 + 33 * x * x);
  assert_place (HEAD "[ground g]\n[mass m]\nmass = 1\n"
                     "[spring k]\nstiffness = 3\ncubic = 11\nbetween = g, m\n"
                     "[force f]\non = m\nvalue = 2\n",
                "m", x, 1e-14);
  /* Without a linear part, K is 0 at the start. */
  assert_place (HEAD "[ground g]\n[mass m]\nmass = 1\n"
                     "[spring k]\nstiffness = 0\ncubic = 11\nbetween = g, m\n"
                     "[force f]\non = m\nvalue = 2\n",
                "m", cbrt (2. / 11), 1e-12);
  /* A source says 2 + 3 sin (30 deg) at time 0. */
  assert_place (HEAD "[ground g]\n[mass m]\nmass = 1\n"
                     "[spring k]\nstiffness = 5\nbetween = g, m\n"
                     "[force f]\non = m\nvalue = 2\namplitude = 3\nfrequency = 1\nphase = 30 deg\n",
                "m", 0.7, 1e-14);
  /* Walls that are too far apart for the springs */
  assert_place (HEAD "[ground g]\n[ground h]\nposition = 1\n[mass m]\nmass = 1\nposition = 0.2\n"
                     "[spring k]\nstiffness = 5\nbetween = g, m\n"
                     "[spring l]\nstiffness = 15\nbetween = m, h\n",
                "m", 0.75, 1e-15);
  /* On the second straight piece: 1 N at 10 mm, then 100 N/m */
  assert_place (HEAD "[ground g]\n[mass m]\nmass = 1\n"
                     "[characteristic c]\ncompression = 0 mm, 10 mm, 30 mm\nforce = 0, 1, 3 N\n"
                     "between = m, g\n[force f]\non = m\nvalue = 2.5\n",
                "m", 0.025, 1e-13);
  assert_place (HEAD "[ground g]\n[inertia a]\ninertia = 2\n[inertia b]\ninertia = 3\n"
                     "[gear z]\nratio = -4\nstiffness = 100\nbetween = a, b\n"
                     "[torsion-spring k]\nstiffness = 50\nbetween = g, b\n"
                     "[torque t]\non = a\nvalue = 5\n",
                "b", -0.4, 1e-14);
}

/* At 0 there is no scale, and an iterate that comes nearer with each step has to be accepted finally. */
static void
test_rest_at_nought (void **state)
{
  static const char *const text[] = {
    HEAD "[ground g]\n[mass m]\nmass = 1\nposition = 0.1\n"
         "[spring k]\nstiffness = 0\ncubic = 1000\nbetween = g, m\n",
    HEAD "[point rail]\n[body m]\nmass = 3\ninertia = 1\nx = 0.2\n[slider s]\nbetween = rail, m\n"
         "[inertia wheel]\ninertia = 0.2\n[ratio road]\nratio = -0.3\nbetween = m.x, wheel\n"
         "[ground g]\n[spring k]\nstiffness = 100\nbetween = g, m.x\n",
  };

  (void) state;
  for (guint t = 0; t < G_N_ELEMENTS (text); t++)
    {
      g_auto (Rest) rest = { 0 };

      rest_init (&rest, text[t]);
      assert_true (fabs (place_of (&rest, t == 0 ? "m" : "m.x")) < 1e-15);
    }
}

/* A ball is let go on a hill: far off, where the hill is rounded away, it is not at rest. */
static void
test_rest_is_near (void **state)
{
  (void) state;
  for (int start = 1; start < 20; start++)
    {
      const double x = 0.05 * start, slope = 0.1 * G_PI * cos (G_PI * x);
      g_autofree char *text = g_strdup_printf (
          HEAD "[surface s]\namplitude = 0.1\nwavelength = 2\n[ball b]\nmass = 1\nradius = 0.1\n"
               "x = %.17g\ny = %.17g\n[gravity g]\non = b\n[bounce c]\nbetween = b, s\n",
          x - 0.1 * slope / hypot (1, slope), 0.1 * sin (G_PI * x) + 0.1000001 / hypot (1, slope));
      g_auto (Rest) rest = { 0 };

      if (start == 10) /* on its very top, where it may stay */
        continue;
      rest_init (&rest, text);
      assert_close (place_of (&rest, "b.x"), start < 10 ? -0.5 : 1.5, 1e-10, text);
      assert_true (fabs (place_of (&rest, "b.y")) < 1e-10);
    }
}

/* A mass falls until a contact stops it. */
static void
test_contacts (void **state)
{
  g_auto (Rest) stack = { 0 }, one_way = { 0 }, beside = { 0 };

  (void) state;
  assert_place (HEAD "[ground g]\n[mass m]\nmass = 2\nposition = 3\n[gravity y]\non = m\n"
                     "[contact c]\nstiffness = 100\ngap = -1\nbetween = g, m\n",
                "m", 1 - 2 * G / 100, 1e-13);
  assert_place (HEAD "[ground g]\n[mass m]\nmass = 2\nposition = 3\n[gravity y]\non = m\n"
                     "[hertz h]\nmodulus = 1 MPa\nradius = 10 mm\nbetween = g, m\n",
                "m", -pow (2 * G * 0.75 / (1e6 * sqrt (0.01)), 2. / 3), 1e-11);
  assert_place (HEAD "[ground g]\n[mass m]\nmass = 2\nposition = 300\n[gravity y]\non = m\n"
                     "[impact c]\ngap = -1\nbetween = g, m\n",
                "m", 1, 1e-15);
  /* Three masses upon each other, the middle one with a spring upwards */
  rest_init (&stack, HEAD "[ground g]\n[mass a]\nmass = 1\nposition = 1\n"
                          "[mass b]\nmass = 2\nposition = 2\n[mass c]\nmass = 4\nposition = 3\n"
                          "[gravity y]\non = a, b, c\n[spring k]\nstiffness = 3\nbetween = g, b\n"
                          "[impact i]\ngap = -0.5\nbetween = g, a\n"
                          "[impact j]\ngap = -0.5\nbetween = a, b\n"
                          "[impact l]\ngap = -0.5\nbetween = b, c\n");
  assert_close (place_of (&stack, "a"), 0.5, 1e-15, "a");
  assert_close (place_of (&stack, "b"), 1.0, 1e-15, "b");
  assert_close (place_of (&stack, "c"), 1.5, 1e-15, "c");
  assert_close (reaction_of (&stack, "l"), 4 * G, 1e-12, "c on b");
  assert_close (reaction_of (&stack, "j"), 6 * G + 3, 1e-12, "b on a");
  assert_close (reaction_of (&stack, "i"), 7 * G + 3, 1e-12, "a on the floor");
  /* A one-way clutch bears a forward torque. */
  rest_init (&one_way, HEAD "[ground g]\n[inertia a]\ninertia = 1\n[inertia b]\ninertia = 2\n"
                            "[torque t]\non = a\nvalue = 3\n[clutch o]\nbetween = a, b\n"
                            "[torsion-spring k]\nstiffness = 10\nbetween = b, g\n");
  assert_close (place_of (&one_way, "a"), 0.3, 1e-12, "left of the clutch");
  assert_close (place_of (&one_way, "b"), 0.3, 1e-12, "right of the clutch");
  /* Two contacts share. */
  rest_init (&beside, HEAD "[ground g]\n[mass a]\nmass = 1\nposition = 1\n[gravity y]\non = a\n"
                           "[impact i]\nbetween = g, a\n[impact j]\nbetween = g, a\n");
  assert_close (reaction_of (&beside, "i") + reaction_of (&beside, "j"), G, 1e-12, "both");
}

static void
test_ball (void **state)
{
  g_auto (Rest) rest = { 0 };

  (void) state;
  rest_init (&rest, HEAD "[surface s]\namplitude = 0.1\nwavelength = 2\n"
                         "[ball b]\nmass = 3\nradius = 0.05\nx = 1.4\ny = 0.3\n"
                         "[gravity g]\non = b\n[bounce c]\nbetween = b, s\n");
  assert_close (place_of (&rest, "b.x"), 1.5, 1e-12, "x");
  assert_close (place_of (&rest, "b.y"), -0.05, 1e-12, "y");
  assert_close (reaction_of (&rest, "c"), 3 * G, 1e-12, "weight");
}

/* Forces that are left over on the nodes, by another way to ask for them. */
static void
assert_balanced (const Rest *rest)
{
  const IfbamModel *model = rest->model;
  g_autofree double *rates = g_new0 (double, model->n_nodes);
  const IfbamRunSpec spec = { .scheme = ifbam_scheme_default () };
  g_autoptr (IfbamParameterValues) numbers = ifbam_parameter_values_new (model, &spec, 1);
  const IfbamView view = { .numbers = numbers,
                           .position = rest->equilibrium->position,
                           .rate = rates };

  for (gsize i = 0; i < model->n_free; i++)
    {
      double force;

      ifbam_view_force (&view, i, &force);
      if (!(fabs (force) < 1e-9))
        fail_msg ("a force of %g is left over", force);
    }
}

static void
test_random (void **state)
{
  (void) state;
  for (int draw = 0; draw < 60; draw++)
    {
      GString *text = g_string_new (HEAD "[ground n0]\nposition = 0.3\n");
      const int n = g_rand_int_range (noise, 1, 30);
      g_auto (Rest) rest = { 0 };

      for (int i = 1; i <= n; i++)
        g_string_append_printf (text,
                                "[mass n%d]\nmass = %g\nposition = %g\n[force f%d]\non = n%d\n"
                                "value = %g\n",
                                i, between (0.1, 10), between (-1, 1), i, i, between (-30, 30));
      for (int i = 1; i <= 2 * n; i++)
        {
          const int right = i <= n ? i : g_rand_int_range (noise, 1, n + 1);
          const int left = g_rand_int_range (noise, 0, right);

          g_string_append_printf (
              text, "[spring k%d]\nstiffness = %g\ncubic = %g\nbetween = n%d, n%d\n", i,
              between (0, 10), between (0, 1) < 0.5 ? 0 : between (0, 1000), left, right);
        }
      rest_init (&rest, text->str);
      assert_balanced (&rest);
      g_string_free (text, TRUE);
    }
}

/* A network that nothing holds, but nothing pushes, stays where it is. */
static void
test_loose (void **state)
{
  g_auto (Rest) rest = { 0 };

  (void) state;
  rest_init (&rest, HEAD "[mass a]\nmass = 1\nposition = 5\n[mass b]\nmass = 1\nposition = 7\n"
                         "[spring k]\nstiffness = 2\nbetween = a, b\n"
                         "[force f]\non = a\nvalue = 3\n[force h]\non = b\nvalue = -3\n");
  assert_close (place_of (&rest, "a"), 5, 1e-15, "a");
  assert_close (place_of (&rest, "b"), 3.5, 1e-15, "b");
}

static void
assert_refused (const char *text, const char *message)
{
  g_auto (Rest) rest = { 0 };
  g_autoptr (GError) error = NULL;

  rest_find (&rest, text, &error);
  assert_null (rest.equilibrium);
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK));
  if (strstr (error->message, message) == NULL)
    fail_msg ("\"%s\" is not in: %s", message, error->message);
}

static void
test_refusals (void **state)
{
  (void) state;
  assert_refused (HEAD "[ground g]\n[ground h]\n[spring k]\nstiffness = 1\nbetween = g, h\n",
                  "nothing with inertia");
  assert_refused (HEAD
                  "[ground g]\n[mass a]\nmass = 2\n[mass b]\nmass = 1\n[gravity y]\non = a, b\n"
                  "[spring k]\nstiffness = 1\nbetween = a, b\n",
                  "nothing holds a and the nodes joined to it against a force of -29.43 N");
  assert_refused (HEAD
                  "[mass m]\nmass = 200\n[force f]\non = m\nvalue = 150\n[point h]\nfollow-x = m\n"
                  "y = 8\n[ball b]\nmass = 20\ny = 3\n[rod r]\nlength = 5\nbetween = h, b\n"
                  "[gravity g]\non = b\n",
                  "m moves without end");
  /* The moving node may be behind others in the file, too. */
  assert_refused (HEAD
                  "[ball b]\nmass = 20\ny = 3\n[mass m]\nmass = 200\n[force f]\non = m\nvalue = "
                  "150\n[point h]\nfollow-x = m\ny = 8\n[rod r]\nlength = 5\nbetween = h, b\n"
                  "[gravity g]\non = b\n",
                  "m moves without end");
  /* The node that is pushed has the name in the message, not one that constraints carry farther with it. */
  assert_refused (HEAD "[mass n]\nmass = 100\n[mass m]\nmass = 200\n[ratio q]\nratio = 1.5\n"
                       "between = n, m\n[force f]\non = m\nvalue = 150\n[point h]\nfollow-x = n\n"
                       "y = 8\n[ball b]\nmass = 20\ny = 3\n[rod r]\nlength = 5\nbetween = h, b\n"
                       "[gravity g]\non = b\n",
                  "m moves without end");
  /* Beside a pendulum that rests a mass goes on by itself. */
  assert_refused (HEAD "[mass m]\nmass = 200\n[force f]\non = m\nvalue = 150\n[point h]\ny = 8\n"
                       "[ball b]\nmass = 20\ny = 3\n[rod r]\nlength = 5\nbetween = h, b\n"
                       "[gravity g]\non = b\n",
                  "nothing holds m against a force of 150 N");
  assert_refused (HEAD "[inertia a]\ninertia = 2\n[torque t]\non = a\nvalue = 5\n",
                  "nothing holds a against a torque of 5 N m");
  /* A contact does not hold a mass that moves away. */
  assert_refused (HEAD "[ground g]\n[mass a]\nmass = 2\n[gravity y]\non = a\n"
                       "[impact i]\nbetween = a, g\n",
                  "nothing holds a");
  assert_refused (HEAD "[drive d]\namplitude = 1 cm\nfrequency = 1\n[mass a]\nmass = 2\n"
                       "[spring k]\nstiffness = 1\nbetween = a, d\n",
                  "the velocity of d is 0.06283 m/s at time 0");
  /* A force law that ends */
  assert_refused (HEAD "[ground g]\n[mass a]\nmass = 2\n"
                       "[limiter l]\nstiffness = 100\nlower = -5\nupper = 5\nbetween = a, g\n"
                       "[force f]\non = a\nvalue = 6\n",
                  "nothing holds a");
  /* A spring that is torn beyond all numbers is at rest nowhere: 1e600 N, or no number at all. */
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *text = g_strdup_printf (
          HEAD "[ground g]\n[mass m]\nmass = 1\nposition = 1e200\n[spring k]\nstiffness = 1\n"
               "cubic = 1\nquadratic = %u\nbetween = m, g\n",
          i);

      assert_refused (text, "the forces at the start are not finite");
    }
  /* Where the energy falls for ever */
  assert_refused (HEAD "[ground g]\n[mass m]\nmass = 1\n[spring k]\nstiffness = 1\ncubic = -1\n"
                       "between = m, g\n[force f]\non = m\nvalue = 100\n",
                  "is left over on m (is there one?");
}

/* Runs */

static IfbamCourse *
run_text (const char *text, const char *scheme, IfbamEngineKind engine)
{
  g_autofree char *whole = g_strdup_printf (text, scheme);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = text_network_try (whole, NULL, &error);
  IfbamCourse *course = network == NULL ? NULL : ifbam_network_run (network, engine, &error);

  if (course == NULL)
    fail_msg ("%s", error->message);
  return course;
}

/* A start at rest stays at rest, and an impulse starts from there. */
static void
test_runs (void **state)
{
  static const char *const schemes[] = { "original",         "averaged", "euler",
                                         "symplectic-euler", "verlet",   "rk4" };
  static const char text[] = "[network]\nstep = 1 ms\nduration = 0.5 s\nstart = equilibrium\n"
                             "scheme = %s\n[ground g]\n[chain c]\ncount = 30\nmass = 1, 2\n"
                             "stiffness = 4e3\ndamping = 3\nfrom = g\n[gravity y]\non = c\n"
                             "[spring k]\nstiffness = 10\ncubic = 1e4\nbetween = g, c.m30\n";

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (IfbamCourse) model = run_text (text, schemes[s], IFBAM_ENGINE_PLAN);
      g_autoptr (IfbamCourse) objects = run_text (text, schemes[s], IFBAM_ENGINE_OBJECTS);

      for (int i = 1; i <= 30; i++)
        {
          g_autofree char *signal = g_strdup_printf ("c.m%d.position", i);
          gsize n;
          const double *x = ifbam_course_get_values (model, signal, &n, NULL);
          const double *y = ifbam_course_get_values (objects, signal, &n, NULL);

          assert_memory_equal (x, y, n * sizeof *x);
          for (gsize row = 0; row < n; row++)
            if (!(fabs (x[row] - x[0]) < 1e-12))
              fail_msg ("%s: %s moves by %g", schemes[s], signal, x[row] - x[0]);
          assert_true (x[0] < -1e-3);
        }
    }
  {
    g_autoptr (IfbamCourse) kicked = run_text (
        "[network]\nstep = 1 ms\nduration = 1 s\nstart = equilibrium\nscheme = %s\n[ground g]\n"
        "[mass m]\nmass = 1\nvelocity = 2\n[spring k]\nstiffness = 100\nbetween = g, m\n"
        "[force f]\non = m\nvalue = 30\n",
        "rk4", IFBAM_ENGINE_PLAN);
    gsize n;
    const double *x = ifbam_course_get_values (kicked, "m.position", &n, NULL);

    for (gsize row = 0; row < n; row++)
      assert_true (fabs (x[row] - 0.3 - 0.2 * sin (0.01 * (double) row)) < 1e-9);
  }
}

static void
test_floor_run (void **state)
{
  g_autoptr (IfbamCourse) course =
      run_text ("[network]\nstep = 1 ms\nduration = 1 s\nstart = equilibrium\nscheme = %s\n"
                "record = m.position, i.mode\n[ground g]\n[mass m]\nmass = 1\nposition = 4\n"
                "[gravity y]\non = m\n[impact i]\nbetween = g, m\n",
                "rk4", IFBAM_ENGINE_PLAN);
  gsize n;
  const double *m = ifbam_course_get_values (course, "m.position", &n, NULL);
  const double *mode = ifbam_course_get_values (course, "i.mode", &n, NULL);

  (void) state;
  for (gsize row = 0; row < n; row++)
    {
      assert_true (fabs (m[row]) < 1e-13);
      assert_true (mode[row] == mode[0]);
    }
}

/* A hard contact at rest is an event network; it stays, too. */
static void
test_contact_runs (void **state)
{
  static const char *const schemes[] = { "averaged", "verlet", "rk4" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (IfbamCourse) course = run_text (
          "[network]\nstep = 1 ms\nduration = 0.5 s\nstart = equilibrium\nscheme = %s\n"
          "record = m.position, n.position, i.mode\n"
          "[ground g]\n[mass m]\nmass = 1\nposition = 4\n[mass n]\nmass = 2\nposition = 9\n"
          "[gravity y]\non = m, n\n[impact i]\ngap = -0.3\nbetween = g, m\n"
          "[spring k]\nstiffness = 1e3\nbetween = m, n\n",
          schemes[s], IFBAM_ENGINE_PLAN);
      gsize n;
      const double *m = ifbam_course_get_values (course, "m.position", &n, NULL);
      const double *upper = ifbam_course_get_values (course, "n.position", &n, NULL);
      const double *mode = ifbam_course_get_values (course, "i.mode", &n, NULL);

      for (gsize row = 0; row < n; row++)
        {
          assert_true (fabs (m[row] - 0.3) < 1e-13);
          assert_true (fabs (upper[row] - (0.3 - 2 * G / 1e3)) < 1e-12);
          assert_true (mode[row] == mode[0]);
        }
    }
}

/* A four-bar linkage: where its potential is least, by the crank's angle alone. */

#define FOUR_BAR                                                                                   \
  "[point left]\n[point right]\nx = 0.4\n[body crank]\nmass = 0.3\ninertia = 1e-3\nangle = 1\n"    \
  "[body coupler]\nmass = 0.9\ninertia = 0.01\n[body rocker]\nmass = 0.8\ninertia = 6e-3\n"        \
  "[point cf]\non = crank\nx = -0.05\n[point cp]\non = crank\nx = 0.05\n"                          \
  "[point kl]\non = coupler\nx = -0.175\n[point kr]\non = coupler\nx = 0.175\n"                    \
  "[point rt]\non = rocker\nx = 0.15\n[point rf]\non = rocker\nx = -0.15\n"                        \
  "[hinge a]\nbetween = left, cf\n[hinge b]\nbetween = cp, kl\n[hinge c]\nbetween = kr, rt\n"      \
  "[hinge d]\nbetween = right, rf\n[gravity w]\non = crank, coupler, rocker\n"

/* Its potential, where the coupler's right end is above the line from the crank's pin to the rocker's foot. */
static double
four_bar_potential (double angle)
{
  const double x = 0.1 * cos (angle), y = 0.1 * sin (angle), far = hypot (0.4 - x, y);
  const double along = (0.35 * 0.35 - 0.3 * 0.3 + far * far) / (2 * far);
  const double top = y - along * y / far + sqrt (0.35 * 0.35 - along * along) * (0.4 - x) / far;

  return G * (0.3 * 0.5 * y + 0.9 * 0.5 * (y + top) + 0.8 * 0.5 * top);
}

static void
test_four_bar (void **state)
{
  g_auto (Rest) rest = { 0 };
  double low = -3, high = -1, slope;

  (void) state;
  rest_init (&rest, HEAD FOUR_BAR);
  for (int turn = 0; turn < 200; turn++)
    {
      const double middle = 0.5 * (low + high), h = 1e-4;

      slope = four_bar_potential (middle + h) - four_bar_potential (middle - h);
      *(slope > 0 ? &high : &low) = middle;
    }
  assert_close (remainder (place_of (&rest, "crank.angle"), 2 * G_PI), low, 1e-7, "crank.angle");
  /* The support bears the whole weight. */
  assert_close (reaction_of (&rest, "a.y") + reaction_of (&rest, "d.y"), 2.0 * G, 1e-11, "weight");
}

/* Pendulums hang, and lean on stops; a car stands on its springs; their reactions are known. */
static void
test_mechanisms (void **state)
{
  g_auto (Rest) pendulum = { 0 }, leaning = { 0 }, car = { 0 }, chain = { 0 };
  g_autoptr (GString) balls = g_string_new (HEAD "[point b0]\n");
  g_autoptr (GString) on = g_string_new ("b1");
  const double sine = 0.5;

  (void) state;
  rest_init (&pendulum, HEAD "[point p]\n[body bar]\nmass = 2\ninertia = 0.05\nangle = 2\n"
                             "[point top]\non = bar\ny = 0.4\n[hinge h]\nbetween = p, top\n"
                             "[gravity w]\non = bar\n");
  assert_true (fabs (remainder (place_of (&pendulum, "bar.angle"), 2 * G_PI)) < 1e-12);
  assert_close (reaction_of (&pendulum, "h.y"), 2 * G, 1e-13, "h.y");
  /* A stop beside it, at half of its length: it pushes with m g tan 30 degrees. */
  rest_init (&leaning, HEAD "[point p]\n[ball b]\nmass = 2\nx = 0.8\ny = -0.6\n[rod r]\n"
                            "between = p, b\n[gravity w]\non = b\n"
                            "[ground stop]\nposition = 0.5\n[impact i]\nbetween = stop, b.x\n");
  assert_close (place_of (&leaning, "b.y"), -sqrt (1 - sine * sine), 1e-11, "b.y");
  assert_close (reaction_of (&leaning, "i"), 2 * G * sine / sqrt (1 - sine * sine), 1e-10, "i");
  rest_init (&car, HEAD "[body car]\nmass = 600\ninertia = 1000\n[point f]\non = car\nx = 1.2\n"
                        "[point r]\non = car\nx = -1.4\n[ground road]\n[gravity w]\non = car\n"
                        "[spring kf]\nstiffness = 2e4\nbetween = f.y, road\n"
                        "[spring kr]\nstiffness = 1.8e4\nbetween = r.y, road\n");
  assert_close (reaction_of (&car, "kf"), -600 * G * 1.4 / 2.6, 1e-11, "kf");
  assert_close (sin (place_of (&car, "car.angle")) * 2.6, 600 * G * (1.2 / 1.8e4 - 1.4 / 2e4) / 2.6,
                1e-9, "car.angle");
  for (int i = 1; i <= 20; i++)
    {
      g_string_append_printf (balls,
                              "[ball b%d]\nmass = 0.1\nx = %d\ny = %g\n"
                              "[rod r%d]\nbetween = b%d, b%d\n",
                              i, i, 0.1 * i * i, i, i - 1, i);
      if (i > 1)
        g_string_append_printf (on, ", b%d", i);
    }
  g_string_append_printf (balls, "[gravity w]\non = %s\n", on->str);
  rest_init (&chain, balls->str);
  assert_true (fabs (place_of (&chain, "b20.x")) < 1e-9);
  for (int i = 1; i <= 20; i++)
    {
      g_autofree char *rod = g_strdup_printf ("r%d", i);

      assert_close (reaction_of (&chain, rod), -0.1 * G * (21 - i), 1e-9, rod);
    }
}

/* Three rods carry a deck, one more than it needs: each a third, at rest and in the run that starts there. */
static void
test_redundant_rods (void **state)
{
  static const char *const rods[] = { "one", "two", "three" };
  static const char deck[] =
      HEAD "start = equilibrium\nrecord = one.force, two.force, three.force\n"
           "[body deck]\nmass = 3\ninertia = 0.2\nx = 0.692820323027551\ny = -0.4\n"
           "[point a]\nx = -0.5\n[point b]\n[point c]\nx = 0.5\n"
           "[point p]\non = deck\nx = -0.5\n[point q]\non = deck\n[point r]\non = deck\nx = 0.5\n"
           "[rod one]\nlength = 0.8\nbetween = a, p\n[rod two]\nlength = 0.8\nbetween = b, q\n"
           "[rod three]\nlength = 0.8\nbetween = c, r\n[gravity g]\non = deck\n";
  g_auto (Rest) rest = { 0 };
  g_autoptr (IfbamCourse) course = text_course (deck);

  (void) state;
  rest_init (&rest, deck);
  for (guint i = 0; i < G_N_ELEMENTS (rods); i++)
    {
      g_autofree char *signal = g_strdup_printf ("%s.force", rods[i]);
      gsize n;
      const double *force = ifbam_course_get_values (course, signal, &n, NULL);

      assert_close (reaction_of (&rest, rods[i]), -G, 1e-5, rods[i]);
      for (gsize k = 0; k < n; k++)
        assert_close (force[k], -G, 1e-5, signal);
    }
}

/* A run that starts from there stays; a network driven for ever has no equilibrium. */
static void
test_mechanisms_run (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged" };
  g_auto (Rest) rest = { 0 };
  g_autoptr (GError) error = NULL;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *text = g_strdup_printf (
          HEAD "scheme = %s\nstart = equilibrium\nrecord = crank.angle, network.kinetic\n" FOUR_BAR,
          schemes[s]);
      g_autoptr (IfbamCourse) course = text_course (text);
      gsize n;
      const double *angle = ifbam_course_get_values (course, "crank.angle", &n, NULL);
      const double *kinetic = ifbam_course_get_values (course, "network.kinetic", &n, NULL);

      for (gsize i = 0; i < n; i++)
        assert_true (fabs (angle[i] - angle[0]) < 1e-9 && kinetic[i] < 1e-18);
    }
  rest_find (&rest, HEAD FOUR_BAR "[torque motor]\non = crank.angle\nvalue = 1.5\n", &error);
  assert_null (rest.equilibrium);
  assert_message (error->message, "no state of rest");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_hanging_chain),  cmocka_unit_test (test_laws),
    cmocka_unit_test (test_contacts),       cmocka_unit_test (test_random),
    cmocka_unit_test (test_ball),           cmocka_unit_test (test_loose),
    cmocka_unit_test (test_refusals),       cmocka_unit_test (test_runs),
    cmocka_unit_test (test_contact_runs),   cmocka_unit_test (test_floor_run),
    cmocka_unit_test (test_four_bar),       cmocka_unit_test (test_mechanisms),
    cmocka_unit_test (test_mechanisms_run), cmocka_unit_test (test_redundant_rods),
    cmocka_unit_test (test_rest_at_nought), cmocka_unit_test (test_rest_is_near),
  };

  return cmocka_run_group_tests (tests, set_up, noise_tear_down);
}
