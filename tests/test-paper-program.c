/* test-paper-program.c: the paper's programs, written against the public header alone
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "embed/ifbam.h"

#define STEPS 400

static guint criticals;

static GLogWriterOutput
count_criticals (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  if ((level & G_LOG_LEVEL_CRITICAL) == 0)
    return g_log_writer_default (level, fields, n_fields, data);
  criticals++;
  return G_LOG_WRITER_HANDLED;
}

static int
listen (void **state)
{
  (void) state;
  g_log_set_writer_func (count_criticals, NULL, NULL);
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_WARNING);
  return 0;
}

static int
expect_none (void **state)
{
  (void) state;
  return criticals == 0 ? 0 : 1;
}

static void
assert_critical (void)
{
  assert_int_equal (criticals, 1);
  criticals = 0;
}

static IfbamElement *
add (IfbamNetwork *network, const char *class_name, const char *name)
{
  g_autoptr (GError) error = NULL;
  IfbamElement *element = ifbam_network_add (network, class_name, name, &error);

  if (element == NULL)
    fail_msg ("%s", error->message);
  return element;
}

static IfbamElement *
add_spring (IfbamNetwork *network, const char *name, const char *stiffness, IfbamElement *left,
            IfbamElement *right)
{
  IfbamElement *spring = add (network, "spring", name);

  assert_true (ifbam_element_set_text (spring, "stiffness", stiffness, NULL));
  ifbam_network_join (network, spring, left, right);
  return spring;
}

static void
set_times (IfbamNetwork *network, const char *scheme, const char *start)
{
  g_object_set (ifbam_network_get_settings (network), "scheme", scheme, "start", start, "step",
                50e-6, "duration", STEPS * 50e-6, NULL);
}

static void
reset (IfbamNetwork *network)
{
  g_autoptr (GError) error = NULL;

  if (!ifbam_network_reset (network, &error))
    fail_msg ("%s", error->message);
}

static double
say (IfbamElement *element, const char *quantity)
{
  g_autoptr (GError) error = NULL;
  double number = ifbam_element_get_quantity (element, quantity, &error);

  assert_null (error);
  return number;
}

/* Recorded signals against the messages after each step. */
static void
assert_run_says (IfbamNetwork *network, const char *signal, const double *said)
{
  for (int engine = IFBAM_ENGINE_PLAN; engine <= IFBAM_ENGINE_OBJECTS; engine++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamCourse) course =
          ifbam_network_run (network, (IfbamEngineKind) engine, &error);
      const double *values;
      gsize n;

      if (course == NULL)
        fail_msg ("%s", error->message);
      values = ifbam_course_get_values (course, signal, &n, &error);
      assert_non_null (values);
      assert_int_equal (n, STEPS + 1);
      assert_memory_equal (values, said, n * sizeof (double));
    }
}

/* Fig. 3: a mass on a spring on a wall. */
static void
one_degree (const char *scheme, const char *start, gboolean mass_first)
{
  g_autoptr (IfbamNetwork) network = ifbam_network_new ();
  IfbamElement *wall = add (network, "ground", "wall");
  IfbamElement *mass = add (network, "mass", "m1");
  IfbamElement *spring = add_spring (network, "k1", "10 kN/m", wall, mass);
  double position[STEPS + 1];

  g_object_set (mass, "mass", 1.0, "position", 1e-3, NULL);
  set_times (network, scheme, start);
  reset (network);
  assert_true (say (mass, "position") == 1e-3);
  for (int i = 0; i <= STEPS; i++)
    {
      position[i] = say (mass, "position");

      ifbam_element_master_from_left (wall, spring);
      ifbam_element_master_from_right (spring, wall);
      ifbam_element_master_from_left (spring, mass);
      ifbam_element_master_from_right (mass, spring);

      if (mass_first)
        ifbam_element_slave (mass);
      ifbam_element_slave (spring);
      ifbam_element_slave (wall);
      if (!mass_first)
        ifbam_element_slave (mass);
    }
  assert_true (position[STEPS] != position[0]);
  assert_run_says (network, "m1.position", position);
}

static void
test_one_degree (void **state)
{
  (void) state;
  one_degree ("original", "warm", FALSE);
  one_degree ("original", "cold", FALSE);
  one_degree ("averaged", "warm", FALSE);
  one_degree ("averaged", "cold", FALSE);
  /* The slaves have no order: each computes from its messages. */
  one_degree ("averaged", "cold", TRUE);
}

/* Fig. 5: two masses in a row, as in section 3. */
static void
two_degrees (const char *scheme, const char *start)
{
  g_autoptr (IfbamNetwork) network = ifbam_network_new ();
  IfbamElement *wall = add (network, "ground", "wall");
  IfbamElement *m1 = add (network, "mass", "m1");
  IfbamElement *m2 = add (network, "mass", "m2");
  IfbamElement *k1 = add_spring (network, "k1", "10 kN/m", wall, m1);
  IfbamElement *k2 = add_spring (network, "k2", "40 kN/m", m1, m2);
  double position[2][STEPS + 1];

  g_object_set (m1, "mass", 1.0, "position", 1e-3, NULL);
  g_object_set (m2, "mass", 1.0, NULL);
  set_times (network, scheme, start);
  reset (network);
  for (int i = 0; i <= STEPS; i++)
    {
      position[0][i] = say (m1, "position");
      position[1][i] = say (m2, "position");

      /* master phase */
      ifbam_element_master_from_left (wall, k1);
      ifbam_element_master_from_left (k1, m1);
      ifbam_element_master_from_left (m1, k2);
      ifbam_element_master_from_left (k2, m2);
      ifbam_element_master_from_right (m2, k2);
      ifbam_element_master_from_right (k2, m1);
      ifbam_element_master_from_right (m1, k1);
      ifbam_element_master_from_right (k1, wall);

      /* slave phase */
      ifbam_element_slave (k1);
      ifbam_element_slave (m1);
      ifbam_element_slave (k2);
      ifbam_element_slave (m2);
      ifbam_element_slave (wall);
    }
  assert_run_says (network, "m1.position", position[0]);
  assert_run_says (network, "m2.position", position[1]);
}

static void
test_two_degrees (void **state)
{
  (void) state;
  two_degrees ("original", "cold");
  two_degrees ("averaged", "cold");
  two_degrees ("averaged", "warm");
}

/* The networks of the files are the same. */
static void
test_files (void **state)
{
  static const char *const files[] = { "networks/one-dof.ini", "networks/two-dof.ini",
                                       "networks/three-dof.ini" };
  static const char *const settings[] = { "network.duration=20 ms", "network.record=*.position",
                                          NULL };

  (void) state;
  for (guint f = 0; f < G_N_ELEMENTS (files); f++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamNetwork) network = ifbam_network_new_from_file (files[f], settings, &error);
      g_autoptr (IfbamElement) mass = NULL;
      double position[STEPS + 1];

      if (network == NULL)
        fail_msg ("%s", error->message);
      mass = g_object_ref (ifbam_network_get_element (network, "m1"));
      reset (network);
      for (int i = 0; i <= STEPS; i++)
        {
          position[i] = say (mass, "position");
          ifbam_network_turn (network);
        }
      assert_run_says (network, "m1.position", position);
    }
}

/* Schemes without latency: links answer in one turn, nodes move in the next, for each stage. */
static void
test_schemes_without_latency (void **state)
{
  static const struct
  {
    const char *scheme;
    guint turns;
  } schemes[] = { { "euler", 2 }, { "symplectic-euler", 2 }, { "verlet", 2 }, { "rk4", 8 } };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (IfbamNetwork) network = ifbam_network_new ();
      IfbamElement *wall = add (network, "ground", "wall");
      IfbamElement *mass = add (network, "mass", "m1");
      IfbamElement *spring = add_spring (network, "k1", "10 kN/m", wall, mass);
      double position[STEPS + 1], velocity[STEPS + 1];

      g_object_set (mass, "mass", 1.0, "position", 1e-3, NULL);
      set_times (network, schemes[s].scheme, "warm");
      g_object_set (ifbam_network_get_settings (network), "record", "m1.position, m1.velocity",
                    NULL);
      reset (network);
      for (int i = 0; i <= STEPS; i++)
        {
          position[i] = say (mass, "position");
          velocity[i] = say (mass, "velocity");
          for (guint turn = 0; turn < schemes[s].turns; turn++)
            {
              ifbam_element_master_from_left (wall, spring);
              ifbam_element_master_from_right (mass, spring);
              ifbam_element_master_from_left (spring, mass);
              ifbam_element_slave (spring);
              ifbam_element_slave (wall);
              ifbam_element_slave (mass);
            }
        }
      assert_run_says (network, "m1.position", position);
      assert_run_says (network, "m1.velocity", velocity);
    }
}

/* Quantities of elements. */
static void
test_quantities (void **state)
{
  g_autoptr (IfbamNetwork) network = ifbam_network_new ();
  IfbamElement *wall = add (network, "ground", "wall");
  IfbamElement *mass = add (network, "mass", "m1");
  IfbamElement *spring = add_spring (network, "k1", "10 kN/m", wall, mass);
  IfbamElement *push = add (network, "force", "push");
  const char *on[] = { "m1", NULL };
  GError *error = NULL;

  (void) state;
  g_object_set (mass, "mass", 1.0, "position", 1e-3, NULL);
  g_object_set (push, "value", 3.0, "on", on, NULL);
  set_times (network, "verlet", "warm");
  reset (network);
  assert_true (say (wall, "position") == 0);
  ifbam_element_master_from_left (wall, spring);
  ifbam_element_master_from_right (mass, spring);
  ifbam_element_slave (spring);
  ifbam_element_slave (push);
  /* A stretched spring: compression and force are negative. */
  assert_true (fabs (say (spring, "compression") + 1e-3) < 1e-5);
  assert_true (fabs (say (spring, "force") + 10) < 0.1);
  assert_true (say (push, "force") == 3);
  assert_true (isnan (ifbam_element_get_quantity (mass, "colour", &error)));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  g_clear_error (&error);
  /* A source may stand on either side. */
  ifbam_element_master_from_left (push, mass);
  ifbam_element_master_from_right (push, mass);
}

/* A prescribed motion is said as a mass would say it: under the flip-flop schemes its velocity stands
 * half a step before its position, from the first word on. */
static void
test_drive (void **state)
{
  static const struct
  {
    const char *scheme;
    guint turns;
    double lag;
  } schemes[] = { { "averaged", 1, 0.5 }, { "original", 1, 0.5 }, { "rk4", 8, 0 } };
  const double step = 50e-6, omega = 2 * G_PI * 30, amplitude = 0.01;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (IfbamNetwork) network = ifbam_network_new ();
      IfbamElement *drive = add (network, "drive", "d");
      IfbamElement *mass = add (network, "mass", "m1");

      g_object_set (mass, "mass", 1.0, NULL);
      g_object_set (drive, "position", 0.5, "velocity", 0.25, "amplitude", amplitude, "frequency",
                    30.0, "phase", 1.0, NULL);
      add_spring (network, "k1", "10 kN/m", drive, mass);
      set_times (network, schemes[s].scheme, "warm");
      reset (network);
      for (int i = 0; i < 100; i++)
        {
          const double at = i * step, before = (i - schemes[s].lag) * step;

          assert_true (
              fabs (say (drive, "position") - 0.5 - 0.25 * at - amplitude * sin (omega * at + 1))
              < 1e-14);
          assert_true (
              fabs (say (drive, "velocity") - 0.25 - amplitude * omega * cos (omega * before + 1))
              < 1e-13);
          for (guint turn = 0; turn < schemes[s].turns; turn++)
            ifbam_network_turn (network);
        }
    }
}

/* The paper's first sentence has impacts, too: a mass on a spring that hits a stop, under all schemes. */
static void
test_impact (void **state)
{
  static const struct
  {
    const char *scheme;
    guint turns;
  } schemes[] = { { "original", 1 },         { "averaged", 1 }, { "euler", 2 },
                  { "symplectic-euler", 2 }, { "verlet", 2 },   { "rk4", 8 } };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (IfbamNetwork) network = ifbam_network_new ();
      IfbamElement *wall = add (network, "ground", "wall");
      IfbamElement *mass = add (network, "mass", "m1");
      IfbamElement *stop = add (network, "ground", "stop");
      IfbamElement *spring = add_spring (network, "k1", "10 kN/m", wall, mass);
      IfbamElement *impact = add (network, "impact", "i1");
      double position[STEPS + 1];
      guint returns = 0, impulses = 0;

      g_object_set (mass, "mass", 1.0, "position", -1e-3, NULL);
      g_object_set (stop, "position", 0.2e-3, NULL);
      g_object_set (impact, "restitution", 0.8, NULL);
      ifbam_network_join (network, impact, mass, stop);
      set_times (network, schemes[s].scheme, "warm");
      reset (network);
      for (int i = 0; i <= STEPS; i++)
        {
          g_autoptr (GError) error = NULL;

          position[i] = say (mass, "position");
          assert_true (position[i] <= 0.2e-3 * (1 + 1e-12));
          returns += i > 1 && position[i] < position[i - 1] && position[i - 1] >= position[i - 2];
          for (guint turn = 0; turn < schemes[s].turns; turn++)
            {
              ifbam_element_master_from_left (wall, spring);
              ifbam_element_master_from_right (mass, spring);
              ifbam_element_master_from_left (spring, mass);
              ifbam_element_master_from_left (mass, impact);
              ifbam_element_master_from_right (impact, mass);
              ifbam_element_master_from_right (stop, impact);
              ifbam_element_slave (impact);
              ifbam_element_slave (mass);
              ifbam_element_slave (spring);
              ifbam_element_slave (wall);
              ifbam_element_slave (stop);
            }
          assert_true (ifbam_network_settle (network, &error));
          impulses += say (impact, "impulse") > 0;
        }
      assert_int_equal (returns, 1);
      assert_int_equal (impulses, 1);
      assert_run_says (network, "m1.position", position);
    }
}

/* Impulses at a given time act when the cycle around it is settled. */
static void
test_impulse (void **state)
{
  g_autoptr (IfbamNetwork) network = ifbam_network_new ();
  IfbamElement *mass = add (network, "mass", "m");
  IfbamElement *hammer = add (network, "impulse", "hammer");
  g_autoptr (GError) error = NULL;

  (void) state;
  g_object_set (mass, "mass", 2.0, NULL);
  assert_true (ifbam_element_set_text (hammer, "on", "m", NULL));
  assert_true (ifbam_element_set_text (hammer, "at", "2.5 ms", NULL));
  assert_true (ifbam_element_set_text (hammer, "impulse", "1 N s", NULL));
  g_object_set (ifbam_network_get_settings (network), "scheme", "verlet", "step", 1e-3, NULL);
  reset (network);
  for (int cycle = 0; cycle < 5; cycle++)
    {
      assert_true (say (mass, "velocity") == (cycle < 3 ? 0 : 0.5));
      for (int turn = 0; turn < 2; turn++)
        {
          ifbam_element_master_from_left (hammer, mass);
          ifbam_element_slave (hammer);
          ifbam_element_slave (mass);
        }
      assert_true (ifbam_network_settle (network, &error));
      assert_true (say (hammer, "impulse") == (cycle == 2 ? 1 : 0));
    }
  assert_true (fabs (say (mass, "position") - 0.5 * 2.5e-3) < 1e-15);
}

/* Values set between two cycles act from then on, or are rejected. */
static void
test_changes (void **state)
{
  g_autoptr (IfbamNetwork) network = ifbam_network_new ();
  IfbamElement *wall = add (network, "ground", "wall");
  IfbamElement *mass = add (network, "mass", "m1");
  IfbamElement *spring = add_spring (network, "k1", "10 kN/m", wall, mass);
  const double h = 50e-6;

  (void) state;
  for (int with_impact = 0; with_impact < 2; with_impact++)
    {
      if (with_impact)
        ifbam_network_join (network, add (network, "impact", "i1"), wall, mass);
      g_object_set (mass, "mass", 1.0, "position", 1e-3, NULL);
      g_object_set (spring, "stiffness", 10e3, "cubic", 0.0, NULL);
      set_times (network, "symplectic-euler", "warm");
      reset (network);
      g_object_set (mass, "mass", 4.0, NULL);
      g_object_set (spring, "stiffness", 5e3, "cubic", 1e9, NULL);
      for (int cycle = 0; cycle < 3; cycle++)
        {
          const double stretch = say (mass, "position");
          const double velocity = say (mass, "velocity");

          for (int turn = 0; turn < 2; turn++)
            ifbam_network_turn (network);
          assert_true (ifbam_network_settle (network, NULL));
          assert_true (fabs (say (spring, "force") + 5e3 * stretch + 1e9 * pow (stretch, 3))
                       < 1e-14 * 6);
          assert_true (fabs (say (mass, "velocity") - velocity - h / 4 * say (spring, "force"))
                       < 1e-18);
        }
    }
  ifbam_network_join (network, spring, mass, wall);
  ifbam_network_turn (network);
  assert_critical ();
  {
    g_autoptr (IfbamNetwork) chain = ifbam_network_new_from_file ("networks/chain.ini", NULL, NULL);

    assert_non_null (chain);
    reset (chain);
    assert_true (ifbam_element_set_text (ifbam_network_get_element (chain, "c"), "stiffness",
                                         "1 N/m", NULL));
    ifbam_network_turn (chain);
    assert_critical ();
  }
}

/* A cycle waits to be settled; before its end there is nothing to settle. */
static void
test_unsettled (void **state)
{
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_file ("networks/collision.ini", NULL, NULL);
  g_autoptr (GError) error = NULL;
  guint left = 0;

  (void) state;
  assert_non_null (network);
  g_object_set (ifbam_network_get_settings (network), "scheme", "verlet", NULL);
  assert_false (ifbam_network_settle (network, NULL));
  assert_critical ();
  reset (network);
  ifbam_network_turn (network);
  assert_false (ifbam_network_settle (network, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  assert_non_null (strstr (error->message, "is not at the end of its cycle"));
  g_clear_error (&error);
  ifbam_network_turn (network);
  ifbam_network_turn (network);
  left = criticals;
  assert_true (left > 0);
  criticals = 0;
  assert_true (ifbam_network_settle (network, &error));
  ifbam_network_turn (network);
  assert_int_equal (criticals, 0);
}

static void
test_misuse (void **state)
{
  IfbamNetwork *network = ifbam_network_new ();
  IfbamElement *wall = add (network, "ground", "wall");
  IfbamElement *m1 = add (network, "mass", "m1");
  IfbamElement *m2 = add (network, "mass", "m2");
  IfbamElement *k1 = add_spring (network, "k1", "10 kN/m", wall, m1);
  IfbamElement *k2 = add_spring (network, "k2", "10 kN/m", m1, m2);
  IfbamElement *push = add (network, "force", "push");
  const char *on[] = { "m1", NULL };
  GError *error = NULL;

  (void) state;
  g_object_set (m1, "mass", 1.0, NULL);
  g_object_set (m2, "mass", 1.0, NULL);
  g_object_set (push, "on", on, NULL);
  set_times (network, "averaged", "warm");

  /* before a reset */
  ifbam_element_master_from_left (wall, k1);
  assert_critical ();
  ifbam_element_slave (m1);
  assert_critical ();
  ifbam_network_turn (network);
  assert_critical ();
  assert_true (isnan (ifbam_element_get_quantity (m1, "position", &error)));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  g_clear_error (&error);

  reset (network);
  /* the wrong side */
  ifbam_element_master_from_right (wall, k1);
  assert_critical ();
  ifbam_element_master_from_left (m1, k1);
  assert_critical ();
  ifbam_element_master_from_right (k1, m1);
  assert_critical ();
  /* no neighbours */
  ifbam_element_master_from_left (k1, m2);
  assert_critical ();
  ifbam_element_master_from_right (m2, k1);
  assert_critical ();
  ifbam_element_master_from_left (push, m2);
  assert_critical ();
  /* two nodes, two links, a link and a source, itself */
  ifbam_element_master_from_left (m1, m2);
  assert_critical ();
  ifbam_element_master_from_left (k1, k2);
  assert_critical ();
  ifbam_element_master_from_left (push, k1);
  assert_critical ();
  ifbam_element_master_from_left (m1, m1);
  assert_critical ();
  /* nothing */
  ifbam_element_master_from_left (NULL, m1);
  assert_critical ();
  ifbam_element_slave (NULL);
  assert_critical ();
  /* only a link joins */
  ifbam_network_join (network, m1, wall, m2);
  assert_critical ();
  /* an element of another network, which talks to its own */
  {
    g_autoptr (IfbamNetwork) stranger = ifbam_network_new ();
    IfbamElement *mass = add (stranger, "mass", "m1");

    g_object_set (mass, "mass", 1.0, NULL);
    ifbam_element_master_from_left (k1, mass);
    assert_critical ();
    set_times (stranger, "averaged", "warm");
    reset (stranger);
    ifbam_element_master_from_left (k1, mass);
    assert_critical ();
    ifbam_element_slave (mass);
  }

  /* after a change for the worse, and the network's end; a run leaves the dialogue alone */
  g_object_unref (ifbam_network_run (network, IFBAM_ENGINE_PLAN, NULL));
  ifbam_element_slave (m1);
  assert_int_equal (criticals, 0);
  g_object_set (k1, "between", on, NULL);
  assert_false (ifbam_network_reset (network, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK));
  g_clear_error (&error);
  ifbam_element_slave (m1);
  assert_critical ();
  ifbam_network_join (network, k1, wall, m1);
  reset (network);
  g_object_ref (m1);
  g_object_unref (network);
  ifbam_element_slave (m1);
  assert_critical ();
  g_object_unref (m1);
}

/* An element that joins a network while a dialogue is on takes part in the next one. */
static void
test_growing_network (void **state)
{
  g_autoptr (IfbamNetwork) network = ifbam_network_new ();
  IfbamElement *wall = add (network, "ground", "wall");
  IfbamElement *m1 = add (network, "mass", "m1");
  IfbamElement *k1 = add_spring (network, "k1", "10 kN/m", wall, m1);
  IfbamElement *k2;
  g_autoptr (GError) error = NULL;

  (void) state;
  g_object_set (m1, "mass", 1.0, "position", 1e-3, NULL);
  set_times (network, "averaged", "warm");
  reset (network);
  k2 = add_spring (network, "k2", "10 kN/m", wall, m1);
  ifbam_element_slave (k2);
  assert_critical ();
  ifbam_network_turn (network);
  reset (network);
  ifbam_element_slave (k2);
  ifbam_element_slave (k1);
  assert_null (ifbam_network_add (network, "spring", "k1", &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  g_clear_error (&error);
  assert_null (ifbam_network_add (network, "sprig", "k3", &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  g_clear_error (&error);
  assert_null (ifbam_network_add (network, "spring", "k.3", &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown (test_one_degree, expect_none),
    cmocka_unit_test_teardown (test_two_degrees, expect_none),
    cmocka_unit_test_teardown (test_files, expect_none),
    cmocka_unit_test_teardown (test_schemes_without_latency, expect_none),
    cmocka_unit_test_teardown (test_quantities, expect_none),
    cmocka_unit_test_teardown (test_drive, expect_none),
    cmocka_unit_test_teardown (test_impact, expect_none),
    cmocka_unit_test_teardown (test_impulse, expect_none),
    cmocka_unit_test_teardown (test_changes, expect_none),
    cmocka_unit_test_teardown (test_unsettled, expect_none),
    cmocka_unit_test_teardown (test_misuse, expect_none),
    cmocka_unit_test_teardown (test_growing_network, expect_none),
  };

  return cmocka_run_group_tests (tests, listen, NULL);
}
