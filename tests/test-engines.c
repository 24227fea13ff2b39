/* test-engines.c: the compiled engine and the dialogue of the objects give the same numbers, bit for bit
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "by-hand.h"
#include "fixture.h"
#include "base/ifbam-error.h"
#include "run/run.h"
#include "engine/engine.h"

#define N_RANDOM by_effort (21, 105, 210)
#define STEPS    70

static int
set_up (void **state)
{
  g_autofree char *path = NULL;
  GString *text = g_string_new ("time,x,f\n");

  (void) state;
  if (folder_make (state) != 0)
    return 1;
  for (int i = 0; i <= 20; i++)
    g_string_append_printf (text, "%.17g,%.17g,%.17g\n", 0.003 * i, 2e-3 * sin (0.9 * i),
                            5.0 * cos (1.7 * i));
  path = folder_write ("measured.csv", text->str);
  g_string_free (text, TRUE);
  return 0;
}

static IfbamNetwork *
read_text (const char *text, const char *const *settings)
{
  g_autofree char *path = g_build_filename (folder, "network.ini", NULL);
  g_autoptr (GError) error = NULL;
  IfbamNetwork *network;

  assert_true (g_file_set_contents (path, text, -1, NULL));
  network = ifbam_network_new_from_file (path, settings, &error);
  if (network == NULL)
    fail_msg ("%s\n%s", error->message, text);
  return network;
}

/* A random network, as groups of a file and signals to record. */

typedef struct
{
  GRand *random;
  GPtrArray *groups;   /* texts */
  GPtrArray *settings; /* ELEMENT.KEY=VALUE */
  GString *record;
  gboolean eventful; /* some links have kinks, some sources start and end */
} Draft;

/* Of one domain: its words, and the nodes so far. */
typedef struct
{
  gboolean turns;
  const char *prefix;
  GPtrArray *nodes;
  guint n_links, n_sources;
} Part;

static double
between (Draft *draft, double low, double high)
{
  return g_rand_double_range (draft->random, low, high);
}

static gboolean
chance (Draft *draft, double part)
{
  return g_rand_double (draft->random) < part;
}

static guint
pick (Draft *draft, guint n)
{
  return (guint) g_rand_int_range (draft->random, 0, (gint32) n);
}

G_GNUC_PRINTF (2, 3)
static void
add_group (Draft *draft, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (draft->groups, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

static const char *
any_node (Draft *draft, Part *part)
{
  return part->nodes->pdata[pick (draft, part->nodes->len)];
}

static void
add_link (Draft *draft, Part *part, const char *left, const char *right)
{
  const guint number = part->n_links++;
  const char *torsion = part->turns ? "torsion-" : "";

  if (chance (draft, 0.5))
    {
      const char *swap = left;

      left = right;
      right = swap;
    }
  if (chance (draft, 0.25))
    add_group (draft, "[%sdamper %sd%u]\ndamping = %.17g\nbetween = %s, %s\n", torsion,
               part->prefix, number, between (draft, 0, 5), left, right);
  else if (part->turns && chance (draft, 0.25))
    add_group (
        draft,
        "[gear %sk%u]\nratio = %.17g\nstiffness = %.17g\ndamping = %.17g\nbetween = %s, %s\n",
        part->prefix, number, (chance (draft, 0.5) ? -1 : 1) * between (draft, 0.3, 3),
        between (draft, 100, 5000), chance (draft, 0.5) ? 0 : between (draft, 0, 3), left, right);
  else if (draft->eventful && chance (draft, 0.15)
           && (left[strlen (part->prefix)] != 'g' || right[strlen (part->prefix)] != 'g'))
    add_group (draft,
               "[%scharacteristic %sk%u]\ncompression = -1e-3, %.17g, 0, %.17g, 1e-3\n"
               "force = %.17g, -0.2, 0.1, 0.2, %.17g\nbetween = %s, %s\n",
               torsion, part->prefix, number, between (draft, -9e-4, -1e-4),
               between (draft, 1e-4, 9e-4), between (draft, -5, 0), between (draft, 0, 5), left,
               right);
  else if (draft->eventful && !part->turns && number % 5 == 3
           && (left[strlen (part->prefix)] != 'g' || right[strlen (part->prefix)] != 'g'))
    add_group (draft,
               "[dent %sk%u]\ngap = %.17g\nstiffness = %.17g\nyield = %.17g\nviscosity = %.17g\n"
               "between = %s, %s\n",
               part->prefix, number, between (draft, -1e-3, 1e-3), between (draft, 100, 10000),
               between (draft, 0.1, 2), between (draft, 50, 500), left, right);
  else if (chance (draft, 0.3))
    add_group (draft, "[%sspring %sk%u]\nstiffness = %.17g\ncubic = %.17g\nbetween = %s, %s\n",
               torsion, part->prefix, number, between (draft, 100, 10000), between (draft, 0, 1e8),
               left, right);
  else if (number % 3 == 2 && !part->turns)
    add_group (draft,
               "[bouc-wen %sk%u]\nstiffness = %.17g\nratio = 0.3\nyield = %.17g mm\nbeta = %.17g\n"
               "exponent = %u\nbetween = %s, %s\n",
               part->prefix, number, between (draft, 100, 10000), between (draft, 5, 50),
               between (draft, 0.5, 1.5), 1 + number % 4, left, right);
  else
    add_group (draft, "[%sspring %sk%u]\nstiffness = %.17g kN %s\nbetween = %s, %s\n", torsion,
               part->prefix, number, between (draft, 0.1, 10), part->turns ? "m/rad" : "/m", left,
               right);
}

static void
add_nodes (Draft *draft, Part *part)
{
  const guint n_free = 1 + pick (draft, 12), n_given = 1 + pick (draft, 3);

  for (guint i = 0; i < n_free; i++)
    {
      char *name = g_strdup_printf ("%sm%u", part->prefix, i);

      add_group (draft, "[%s %s]\n%s = %.17g\n%s = %.17g\n%s = %.17g\n",
                 part->turns ? "inertia" : "mass", name, part->turns ? "inertia" : "mass",
                 between (draft, 0.5, 3), part->turns ? "angle" : "position",
                 between (draft, -2e-3, 2e-3), part->turns ? "speed" : "velocity",
                 between (draft, -0.1, 0.1));
      g_ptr_array_add (part->nodes, name);
    }
  for (guint i = 0; i < n_given; i++)
    {
      char *name = g_strdup_printf ("%sg%u", part->prefix, i);
      guint kind = pick (draft, 5);

      if (kind < 2)
        add_group (draft, "[ground %s]\nposition = %.17g\n", name,
                   kind == 0 ? 0.0 : between (draft, -1e-3, 1e-3));
      else if (kind == 2)
        add_group (draft, "[drive %s]\ncourse = measured.csv:x\n", name);
      else
        add_group (draft,
                   "[drive %s]\nposition = %.17g\nvelocity = %.17g\namplitude = %.17g\n"
                   "frequency = %.17g\nphase = %.17g deg\n",
                   name, between (draft, -1e-3, 1e-3), between (draft, -0.05, 0.05),
                   between (draft, 0, 2e-3), between (draft, 1, 60), between (draft, 0, 360));
      g_ptr_array_add (part->nodes, name);
    }
}

static void
append_list (Draft *draft, GString *text, const char *key, double low, double high)
{
  guint n = 1 + pick (draft, 4);

  g_string_append_printf (text, "%s = ", key);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%.17g", i == 0 ? "" : ", ", between (draft, low, high));
  g_string_append_c (text, '\n');
}

static void
add_chain (Draft *draft, Part *part)
{
  const guint count = 1 + pick (draft, 9);
  g_autofree char *owner = g_strdup_printf ("%sc%u", part->prefix, part->nodes->len);
  const char *from = chance (draft, 0.7) ? any_node (draft, part) : NULL;
  const char *to = chance (draft, 0.4) ? any_node (draft, part) : NULL;
  const gboolean damped = chance (draft, 0.5);
  const guint n_links = count - 1 + (from != NULL) + (to != NULL);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "[chain %s]\ncount = %u\n", owner, count);
  append_list (draft, text, part->turns ? "inertia" : "mass", 0.5, 3);
  append_list (draft, text, "stiffness", 100, 10000);
  if (damped)
    append_list (draft, text, "damping", 0, 5);
  if (chance (draft, 0.5))
    append_list (draft, text, part->turns ? "angle" : "position", -1e-3, 1e-3);
  if (chance (draft, 0.5))
    append_list (draft, text, part->turns ? "speed" : "velocity", -0.1, 0.1);
  if (from != NULL)
    g_string_append_printf (text, "from = %s\n", from);
  if (to != NULL)
    g_string_append_printf (text, "to = %s\n", to);
  g_ptr_array_add (draft->groups, g_string_free (text, FALSE));
  for (guint i = 1; i <= count; i++)
    g_ptr_array_add (part->nodes, g_strdup_printf ("%s.m%u", owner, i));
  if (chance (draft, 0.5))
    g_ptr_array_add (draft->settings,
                     g_strdup_printf ("%s.m%u.%s=%.17g", owner, 1 + pick (draft, count),
                                      part->turns ? "inertia" : "mass", between (draft, 0.5, 3)));
  /* A single cubic spring in a linear chain moves to another batch. */
  if (n_links > 0 && chance (draft, 0.5))
    g_ptr_array_add (draft->settings,
                     g_strdup_printf ("%s.k%u.cubic=%.17g", owner, 1 + pick (draft, n_links),
                                      between (draft, 0, 1e8)));
  if (n_links > 0 && damped && chance (draft, 0.5))
    g_ptr_array_add (draft->settings,
                     g_strdup_printf ("%s.d%u.damping=%.17g", owner, 1 + pick (draft, n_links),
                                      between (draft, 0, 5)));
}

static void
add_source (Draft *draft, Part *part)
{
  const char *class_name = part->turns ? "torque" : "force";
  const char *on = any_node (draft, part);
  const guint number = part->n_sources++;

  if (chance (draft, 0.25))
    add_group (draft, "[%s %sf%u]\non = %s\ncourse = measured.csv:f\n", class_name, part->prefix,
               number, on);
  else
    add_group (draft,
               "[%s %sf%u]\non = %s\nvalue = %.17g\namplitude = %.17g\nfrequency = %.17g\n"
               "phase = %.17g\n",
               class_name, part->prefix, number, on, between (draft, -5, 5), between (draft, 0, 5),
               between (draft, 0, 80), between (draft, -4, 4));
  if (draft->eventful && chance (draft, 0.7))
    g_ptr_array_add (draft->settings, g_strdup_printf ("%sf%u.start=%.17g", part->prefix, number,
                                                       between (draft, -0.01, 0.02)));
  if (draft->eventful && chance (draft, 0.7))
    g_ptr_array_add (draft->settings, g_strdup_printf ("%sf%u.end=%.17g", part->prefix, number,
                                                       between (draft, 0.021, 0.06)));
}

/* On single masses and on whole chains. */
static void
add_gravity (Draft *draft, Part *part)
{
  g_autoptr (GString) on = g_string_new ("tm0");

  for (guint i = 0; i < part->nodes->len; i++)
    {
      const char *name = part->nodes->pdata[i], *dot = strchr (name, '.');

      if (chance (draft, 0.5) || g_str_has_prefix (name, "tg") || g_str_equal (name, "tm0"))
        continue;
      if (dot == NULL)
        g_string_append_printf (on, ", %s", name);
      else if (g_str_equal (dot, ".m1"))
        g_string_append_printf (on, ", %.*s", (int) (dot - name), name);
    }
  add_group (draft, "[gravity tw]\nacceleration = %.17g\non = %s\n", between (draft, -20, 20),
             on->str);
}

static void
add_part (Draft *draft, gboolean turns)
{
  Part part = { .turns = turns,
                .prefix = turns ? "r" : "t",
                .nodes = g_ptr_array_new_with_free_func (g_free) };
  const guint form = pick (draft, 3); /* chain, tree, mesh */
  guint n;

  add_nodes (draft, &part);
  n = part.nodes->len;
  for (guint i = 1; i < n; i++)
    add_link (draft, &part, part.nodes->pdata[i],
              part.nodes->pdata[form == 0 ? i - 1 : pick (draft, i)]);
  for (guint i = 0; form == 2 && n > 1 && i < 2 * n; i++)
    {
      guint a = pick (draft, n), b = pick (draft, n);

      if (a != b)
        add_link (draft, &part, part.nodes->pdata[a], part.nodes->pdata[b]);
    }
  if (n == 1)
    add_group (draft, "[%s %sx]\n%s = 1\n[%sspring %sxk]\nstiffness = 1000\nbetween = %sx, %s\n",
               turns ? "inertia" : "mass", part.prefix, turns ? "inertia" : "mass",
               turns ? "torsion-" : "", part.prefix, part.prefix, (char *) part.nodes->pdata[0]);
  for (guint i = pick (draft, 3); i > 0; i--)
    {
      add_chain (draft, &part);
      if (chance (draft, 0.5))
        {
          const char *a = any_node (draft, &part), *b = any_node (draft, &part);

          if (!g_str_equal (a, b))
            add_link (draft, &part, a, b);
        }
    }
  for (guint i = pick (draft, 4); i > 0; i--)
    add_source (draft, &part);
  for (guint i = pick (draft, 3); i > 0 && !turns; i--)
    add_group (draft, "[drag ta%u]\non = tm0\ncoefficient = %.17g\n", i, between (draft, 0, 40));
  if (!turns && chance (draft, 0.5))
    add_gravity (draft, &part);
  g_string_append (draft->record, turns ? ", r*.angle, r*.speed, r*.acceleration, r*.torque"
                                        : ", t*.position, t*.velocity, t*.acceleration");
  if (part.n_sources > 0)
    g_string_append_printf (draft->record, ", %sf*.force", part.prefix);
  g_ptr_array_unref (part.nodes);
}

/* Capacitors, joined by inductors and resistors, with sources of voltage and current. */
static void
add_circuit (Draft *draft)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func (g_free);
  const guint n_free = 1 + pick (draft, 12), n_given = 1 + pick (draft, 3);
  guint n;

  for (guint i = 0; i < n_free; i++)
    {
      char *name = g_strdup_printf ("em%u", i);

      add_group (draft, "[capacitor %s]\ncapacitance = %.17g\nvoltage = %.17g\nflux = %.17g\n",
                 name, between (draft, 0.5, 3), between (draft, -0.1, 0.1),
                 chance (draft, 0.7) ? 0 : between (draft, -1e-3, 1e-3));
      g_ptr_array_add (nodes, name);
    }
  for (guint i = 0; i < n_given; i++)
    {
      char *name = g_strdup_printf ("eg%u", i);
      guint kind = pick (draft, 4);

      if (kind == 0)
        add_group (draft, "[ground %s]\n", name);
      else if (kind == 1)
        add_group (draft, "[drive %s]\nvelocity = 50 mV\namplitude = 1 mV s\nfrequency = 7\n",
                   name);
      else if (kind == 2)
        add_group (draft, "[voltage-source %s]\ncourse = measured.csv:x\n", name);
      else
        add_group (draft,
                   "[voltage-source %s]\nvoltage = %.17g\namplitude = %.17g\nfrequency = %.17g\n"
                   "phase = %.17g deg\n",
                   name, between (draft, -0.1, 0.1), between (draft, 0, 0.2),
                   chance (draft, 0.2) ? 0 : between (draft, 1, 60), between (draft, 0, 360));
      g_ptr_array_add (nodes, name);
    }
  n = nodes->len;
  for (guint i = 1; i < n + pick (draft, n); i++)
    {
      const guint one = i < n ? i : 1 + pick (draft, n - 1), other = pick (draft, one);
      const gboolean swap = chance (draft, 0.5);
      const char *left = nodes->pdata[swap ? one : other],
                 *right = nodes->pdata[swap ? other : one];

      if (chance (draft, 0.3))
        add_group (draft, "[resistor er%u]\nresistance = %.17g\nbetween = %s, %s\n", i,
                   between (draft, 0.2, 5), left, right);
      else
        add_group (draft,
                   "[inductor el%u]\ninductance = %.17g mH\ncurrent = %.17g\nbetween = %s, %s\n", i,
                   between (draft, 0.1, 10), chance (draft, 0.5) ? 0 : between (draft, -5, 5), left,
                   right);
    }
  for (guint i = pick (draft, 3); i > 0; i--)
    add_group (draft,
               "[current-source ef%u]\non = em%u\nvalue = %.17g\namplitude = %.17g\n"
               "frequency = %.17g\nend = %.17g\n",
               i, pick (draft, n_free), between (draft, -5, 5), between (draft, 0, 5),
               between (draft, 0, 80),
               draft->eventful ? between (draft, 0.021, 0.06) : G_MAXDOUBLE);
  g_string_append (draft->record, ", e*.flux, e*.voltage, e*.acceleration");
}

static char *
finish (Draft *draft, gboolean shuffled)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "[network]\nscheme = averaged\nstep = 0.5 ms\nduration = %.17g\n",
                          STEPS * 0.5e-3);
  g_string_append_printf (text, "record = %s\n", draft->record->str);
  for (guint i = draft->groups->len; i > 1 && shuffled; i--)
    {
      guint other = pick (draft, i);
      gpointer swap = draft->groups->pdata[i - 1];

      draft->groups->pdata[i - 1] = draft->groups->pdata[other];
      draft->groups->pdata[other] = swap;
    }
  for (guint i = 0; i < draft->groups->len; i++)
    g_string_append_printf (text, "\n%s", (char *) draft->groups->pdata[i]);
  return g_string_free (text, FALSE);
}

static Draft *
draft_new (guint32 seed)
{
  Draft *draft = g_new0 (Draft, 1);
  const guint parts = 1 + seed % 7; /* bits: translation, rotation, electricity */

  draft->random = g_rand_new_with_seed (seed);
  draft->eventful = seed % 3 == 0;
  draft->groups = g_ptr_array_new_with_free_func (g_free);
  draft->settings = g_ptr_array_new_with_free_func (g_free);
  draft->record = g_string_new ("*.compression, *.rate, *.mode, *.force, network.kinetic, "
                                "network.potential, network.energy, network.dissipated, "
                                "network.supplied");
  if (parts & 1)
    add_part (draft, FALSE);
  if (parts & 2)
    add_part (draft, TRUE);
  if (parts & 4)
    add_circuit (draft);
  if ((parts & (parts - 1)) == 0)
    g_string_append (draft->record, ", network.momentum");
  return draft;
}

static void
draft_free (Draft *draft)
{
  g_rand_free (draft->random);
  g_ptr_array_unref (draft->groups);
  g_ptr_array_unref (draft->settings);
  g_string_free (draft->record, TRUE);
  g_free (draft);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Draft, draft_free)

static IfbamNetwork *
draft_network (Draft *draft, gboolean shuffled)
{
  g_autofree char *text = finish (draft, shuffled);
  IfbamNetwork *network;

  g_ptr_array_add (draft->settings, NULL);
  network = read_text (text, (const char *const *) draft->settings->pdata);
  g_ptr_array_set_size (draft->settings, (int) draft->settings->len - 1);
  return network;
}

/* Comparing */

static gboolean
same_bits (const double *a, const double *b, gsize n)
{
  return memcmp (a, b, n * sizeof (double)) == 0;
}

static void
assert_same_courses (IfbamCourse *one, IfbamCourse *other, const char *what)
{
  const char *const *signals = ifbam_course_get_signals (one);
  gsize n, m;
  const double *times = ifbam_course_get_times (one, &n);
  const double *other_times = ifbam_course_get_times (other, &m);

  assert_int_equal (n, m);
  assert_true (same_bits (times, other_times, n));
  assert_int_equal (g_strv_length ((char **) signals),
                    g_strv_length ((char **) ifbam_course_get_signals (other)));
  for (guint s = 0; signals[s] != NULL; s++)
    {
      const double *a = ifbam_course_get_values (one, signals[s], &n, NULL);
      const double *b = ifbam_course_get_values (other, signals[s], &m, NULL);

      assert_non_null (b);
      for (gsize i = 0; i < n; i++)
        if (!same_bits (&a[i], &b[i], 1))
          fail_msg ("%s: %s differs at row %zu: %.17g, %.17g", what, signals[s], i, a[i], b[i]);
    }
}

static gboolean
same_signal (IfbamCourse *one, IfbamCourse *other, const char *signal)
{
  gsize n, m;
  const double *a = ifbam_course_get_values (one, signal, &n, NULL);
  const double *b = ifbam_course_get_values (other, signal, &m, NULL);

  return n == m && same_bits (a, b, n);
}

static IfbamCourse *
run (IfbamNetwork *network, IfbamEngineKind kind)
{
  g_autoptr (GError) error = NULL;
  IfbamCourse *course = ifbam_network_run (network, kind, &error);

  if (course == NULL)
    fail_msg ("%s", error->message);
  return course;
}

/* What is written of a network is the same network. */
static void
assert_reads_back (IfbamNetwork *network, guint32 seed)
{
  g_autofree char *what = g_strdup_printf ("network %u, written and read", seed);
  g_autoptr (GError) error = NULL;
  gsize length;
  g_autofree char *text = ifbam_network_to_data (network, &length, NULL);
  g_autoptr (IfbamNetwork) again = ifbam_network_new_from_data (text, length, folder, NULL, &error);
  g_autofree char *text_again = NULL;
  g_autoptr (IfbamCourse) one = NULL, other = NULL;

  if (again == NULL)
    fail_msg ("%s: %s\n%s", what, error->message, text);
  text_again = ifbam_network_to_data (again, &length, NULL);
  assert_string_equal (text, text_again);
  one = ifbam_network_run (network, IFBAM_ENGINE_PLAN, NULL);
  other = ifbam_network_run (again, IFBAM_ENGINE_PLAN, NULL);
  assert_true ((one == NULL) == (other == NULL));
  if (one != NULL)
    assert_same_courses (one, other, what);
}

static void
each_scheme (IfbamNetwork *network, guint32 seed, gboolean eventful, guint *runs, guint *diverged)
{
  IfbamElement *settings = ifbam_network_get_settings (network);
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  for (guint s = 0; s < n; s++)
    for (int cold = 0; cold <= (schemes[s]->begin_cold != NULL && !eventful ? 1 : 0); cold++)
      {
        g_autoptr (GError) model_error = NULL;
        g_autoptr (GError) objects_error = NULL;
        g_autoptr (IfbamCourse) model = NULL;
        g_autoptr (IfbamCourse) objects = NULL;
        g_autofree char *what =
            g_strdup_printf ("network %u, %s, %s", seed, schemes[s]->name, cold ? "cold" : "warm");

        g_object_set (settings, "scheme", schemes[s]->name, "start", cold ? "cold" : "warm", NULL);
        model = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &model_error);
        objects = ifbam_network_run (network, IFBAM_ENGINE_OBJECTS, &objects_error);
        ++*runs;
        if (model == NULL)
          {
            /* Then both say when, where and how. */
            assert_true (g_error_matches (model_error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED));
            assert_null (objects);
            assert_string_equal (model_error->message, objects_error->message);
            ++*diverged;
            continue;
          }
        if (objects == NULL)
          fail_msg ("%s: %s", what, objects_error->message);
        assert_int_equal (ifbam_course_get_n_rows (model), STEPS + 1);
        assert_same_courses (model, objects, what);
        compare_by_hand (network, 20, what);
      }
}

static void
test_random_networks (void **state)
{
  guint runs = 0, diverged = 0;

  (void) state;
  for (guint32 seed = 0; seed < N_RANDOM; seed++)
    {
      g_autoptr (Draft) draft = draft_new (seed);
      g_autoptr (IfbamNetwork) network = draft_network (draft, seed % 2 == 1);

      each_scheme (network, seed, draft->eventful, &runs, &diverged);
      assert_reads_back (network, seed);
    }
  print_message ("# %u networks, %u pairs of runs, %u of them diverged (alike)\n", N_RANDOM, runs,
                 diverged);
  assert_true (diverged < runs / 50);
}

/* Small ones that are easily forgotten. */
static void
test_odd_networks (void **state)
{
  static const char *const networks[] = {
    /* nothing but a mass */
    "[network]\nstep = 1 ms\nduration = 50 ms\nrecord = *.position, network.energy\n"
    "[mass m]\nmass = 1\nvelocity = 1\n",
    /* nothing free */
    "[network]\nstep = 1 ms\nduration = 50 ms\nrecord = *.position, k.force, network.energy, "
    "network.supplied\n"
    "[ground g]\n[drive d]\namplitude = 1\nfrequency = 5\n"
    "[spring k]\nstiffness = 10\nbetween = g, d\n",
    /* zeros with a sign, which sums must keep */
    "[network]\nstep = 1 ms\nduration = 5 ms\nrecord = *.position, *.velocity, *.acceleration\n"
    "[ground g]\nposition = -0\n[mass a]\nmass = 1\nvelocity = -0\n"
    "[spring k]\nstiffness = 10\nbetween = g, a\n"
    "[mass b]\nmass = 1\nposition = -0\nvelocity = -0\n",
    /* a source on a given node, and on a mass without links */
    "[network]\nstep = 1 ms\nduration = 50 ms\nrecord = *.position, network.supplied\n"
    "[drive d]\nvelocity = 1\n[force f]\non = d\nvalue = 2\n[mass m]\nmass = 1\n"
    "[force g]\non = m\nvalue = 3\n",
    /* a chain of one without links, one with both ends on one wall */
    "[network]\nstep = 1 ms\nduration = 50 ms\nrecord = *.position, *.force, network.energy\n"
    "[ground g]\n[chain a]\ncount = 1\nmass = 1\nstiffness = 10\nposition = 1\n"
    "[chain b]\ncount = 1\nmass = 1\nstiffness = 10\nposition = 1\nfrom = g\nto = g\n",
    /* parallel links, both ways round */
    "[network]\nstep = 1 ms\nduration = 50 ms\nrecord = *.position, *.force, network.energy\n"
    "[mass a]\nmass = 1\nposition = 1\n[mass b]\nmass = 2\n"
    "[spring k]\nstiffness = 10\nbetween = a, b\n[spring l]\nstiffness = 20\nbetween = b, a\n"
    "[damper d]\ndamping = 1\nbetween = a, b\n",
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (networks); i++)
    {
      g_autoptr (IfbamNetwork) network = read_text (networks[i], NULL);
      IfbamElement *settings = ifbam_network_get_settings (network);
      guint n;
      const IfbamScheme *const *schemes = ifbam_schemes (&n);

      for (guint s = 0; s < n; s++)
        {
          g_autoptr (IfbamCourse) model = NULL;
          g_autoptr (IfbamCourse) objects = NULL;

          g_object_set (settings, "scheme", schemes[s]->name, NULL);
          model = run (network, IFBAM_ENGINE_PLAN);
          objects = run (network, IFBAM_ENGINE_OBJECTS);
          assert_same_courses (model, objects, schemes[s]->name);
        }
    }
}

/* Larger than the ranges and blocks in which nodes and sums are done. */
static void
test_larger_than_a_block (void **state)
{
  static const char text[] =
      "[network]\nstep = 1 ms\nduration = 12 ms\nrecord = c.m[1:1500:7].position, *.acceleration, "
      "network.kinetic, network.potential, network.dissipated, network.supplied\n"
      "[ground g]\n[drive d]\namplitude = 1 mm\nfrequency = 20 Hz\n"
      "[chain c]\ncount = 1500\nmass = 1, 2, 1.5\nstiffness = 10 kN/m, 3 kN/m\n"
      "damping = 1, 2, 3, 4, 5\nposition = 1 mm, 0.3 mm, -1 mm, 0.1 mm\nfrom = g\nto = d\n"
      "[force f]\non = c.m700\namplitude = 3\nfrequency = 7\n"
      "[chain r]\ncount = 700\ninertia = 0.3\nstiffness = 300\nspeed = 1, -0.4, 0.2\n";
  static const char *const settings[] = { "c.k512.cubic=1e9", "c.m513.mass=3", "r.k600.cubic=1e3",
                                          NULL };
  g_autoptr (IfbamNetwork) network = read_text (text, settings);
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s += by_effort (6, 1, 1))
    {
      g_autoptr (IfbamCourse) model = NULL;
      g_autoptr (IfbamCourse) objects = NULL;

      g_object_set (ifbam_network_get_settings (network), "scheme", schemes[s]->name, NULL);
      model = run (network, IFBAM_ENGINE_PLAN);
      objects = run (network, IFBAM_ENGINE_OBJECTS);
      assert_same_courses (model, objects, schemes[s]->name);
    }
}

/* With two forces at most on a node their order does not matter; elsewhere it is rounding. */
static void
test_order_of_groups (void **state)
{
  double worst = 0;

  (void) state;
  for (guint32 seed = 0; seed < by_effort (10, 40, 40); seed++)
    {
      g_autoptr (Draft) draft = draft_new (seed);
      g_autoptr (IfbamNetwork) straight = draft_network (draft, FALSE);
      g_autoptr (IfbamNetwork) shuffled = draft_network (draft, TRUE);
      g_autoptr (IfbamCourse) one = run (straight, IFBAM_ENGINE_PLAN);
      g_autoptr (IfbamCourse) other = run (shuffled, IFBAM_ENGINE_PLAN);
      const char *const *signals = ifbam_course_get_signals (one);

      for (guint s = 0; signals[s] != NULL; s++)
        {
          gsize n;
          const double *a = ifbam_course_get_values (one, signals[s], &n, NULL);
          const double *b = ifbam_course_get_values (other, signals[s], &n, NULL);
          double largest = 0, difference = 0;

          assert_non_null (b);
          for (gsize i = 0; i < n; i++)
            {
              largest = fmax (largest, fabs (a[i]));
              difference = fmax (difference, fabs (a[i] - b[i]));
            }
          if (largest > 1e-6)
            worst = fmax (worst, difference / largest);
        }
    }
  print_message ("# shuffled groups: relative difference up to %.2g\n", worst);
  assert_true (worst < 1e-9);
}

static void
test_order_of_groups_in_a_chain (void **state)
{
  static const char head[] =
      "[network]\nstep = 1 ms\nduration = 0.2 s\nrecord = *.position, *.velocity, *.force\n";
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (IfbamCourse) first = NULL;

  (void) state;
  g_ptr_array_add (groups, g_strdup ("[ground m0]\n"));
  for (int i = 1; i <= 12; i++)
    {
      g_ptr_array_add (groups, g_strdup_printf ("[mass m%d]\nmass = %.17g\nposition = %.17g\n", i,
                                                g_rand_double_range (random, 0.5, 2),
                                                g_rand_double_range (random, -1e-3, 1e-3)));
      g_ptr_array_add (groups,
                       g_strdup_printf ("[spring k%d]\nstiffness = %.17g\nbetween = m%d, m%d\n", i,
                                        g_rand_double_range (random, 1e3, 1e4), i - 1, i));
    }
  for (int round = 0; round < 10; round++)
    {
      g_autoptr (GString) text = g_string_new (head);
      g_autoptr (IfbamNetwork) network = NULL;
      g_autoptr (IfbamCourse) course = NULL;

      for (guint i = groups->len; i > 1 && round > 0; i--)
        {
          guint other = (guint) g_rand_int_range (random, 0, (gint32) i);
          gpointer swap = groups->pdata[i - 1];

          groups->pdata[i - 1] = groups->pdata[other];
          groups->pdata[other] = swap;
        }
      for (guint i = 0; i < groups->len; i++)
        g_string_append (text, groups->pdata[i]);
      network = read_text (text->str, NULL);
      course = run (network, IFBAM_ENGINE_PLAN);
      if (first == NULL)
        first = g_steal_pointer (&course);
      else
        assert_same_courses (first, course, "shuffled chain");
    }
}

/* What sources supply is one exact sum: the order in which a file has them changes no bit. */
static void
test_supply_has_no_order (void **state)
{
  static const guint orders[][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  static const double forces[] = { 1e8, 0.3, -1.00000001e8 };
  double first = 0;

  (void) state;
  for (guint o = 0; o < G_N_ELEMENTS (orders); o++)
    {
      g_autoptr (GString) text = g_string_new (
          "[network]\nscheme = verlet\nstep = 1 ms\nduration = 0.1\nrecord = network.supplied\n");
      g_autoptr (IfbamCourse) course = NULL;
      gsize n;
      const double *supplied;

      for (guint k = 0; k < 3; k++)
        g_string_append_printf (text, "[mass m%u]\nmass = 1e18\nvelocity = 0.7\n", orders[o][k]);
      for (guint k = 0; k < 3; k++)
        g_string_append_printf (text, "[force f%u]\non = m%u\nvalue = %.17g\n", orders[o][k],
                                orders[o][k], forces[orders[o][k]]);
      course = text_course (text->str);
      supplied = ifbam_course_get_values (course, "network.supplied", &n, NULL);
      if (o == 0)
        first = supplied[n - 1];
      assert_true (supplied[n - 1] == first && fabs (first + 0.049) < 1e-3);
    }
}

/* A sampled run has every fifth row of the full one, the ledger included; rows' times are exact. */
static void
test_sample (void **state)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  for (guint s = 0; s < n_schemes; s++)
    for (guint32 seed = 0; seed < by_effort (1, 6, 6); seed++)
      {
        g_autoptr (Draft) draft = draft_new (seed);
        g_autoptr (IfbamNetwork) network = draft_network (draft, FALSE);
        IfbamElement *settings = ifbam_network_get_settings (network);
        g_autoptr (IfbamCourse) every = NULL;
        g_autoptr (IfbamCourse) fifth = NULL;
        const char *const *signals;
        const double *times;
        double step;
        gsize n, m;

        g_object_set (settings, "scheme", schemes[s]->name, NULL);
        g_object_get (settings, "step", &step, NULL);
        every = run (network, IFBAM_ENGINE_PLAN);
        assert_true (ifbam_element_set_text (settings, "sample", "2.5 ms", NULL));
        fifth = run (network, IFBAM_ENGINE_PLAN);
        signals = ifbam_course_get_signals (every);
        times = ifbam_course_get_times (every, &n);
        assert_int_equal (n, STEPS + 1);
        for (gsize i = 0; i < n; i++)
          assert_true ((double) i * step == times[i]);
        times = ifbam_course_get_times (fifth, &m);
        assert_int_equal (m, STEPS / 5 + 1);
        for (gsize i = 0; i < m; i++)
          assert_true ((double) (5 * i) * step == times[i]);
        for (guint k = 0; signals[k] != NULL; k++)
          {
            const double *a = ifbam_course_get_values (every, signals[k], &n, NULL);
            const double *b = ifbam_course_get_values (fifth, signals[k], &m, NULL);

            for (gsize i = 0; i < m; i++)
              if (!same_bits (&a[5 * i], &b[i], 1))
                fail_msg ("%s: %s differs at sample %zu", schemes[s]->name, signals[k], i);
          }
      }
}

/* The same numbers again: from the same object, from another one of the same file, and after a value
 * was changed and changed back; and whatever else is recorded. */
static void
test_repeated_runs (void **state)
{
  (void) state;
  for (guint32 seed = 100; seed < by_effort (103, 112, 112); seed++)
    {
      g_autoptr (Draft) draft = draft_new (seed);
      g_autoptr (IfbamNetwork) network = draft_network (draft, FALSE);
      g_autoptr (IfbamNetwork) twin = draft_network (draft, FALSE);
      g_autoptr (IfbamCourse) one = run (network, IFBAM_ENGINE_PLAN);
      g_autoptr (IfbamCourse) two = run (network, IFBAM_ENGINE_PLAN);
      g_autoptr (IfbamCourse) three = run (twin, IFBAM_ENGINE_PLAN);
      g_autoptr (IfbamCourse) four = NULL;
      g_autoptr (IfbamCourse) positions = NULL;
      static const char *const words[][3] = { { "tm0", "mass", "position" },
                                              { "rm0", "inertia", "angle" },
                                              { "em0", "capacitance", "voltage" } };
      const char *const *word = words[g_bit_nth_lsf (1 + seed % 7, -1)];
      const char *name = word[0], *key = word[1];
      g_autofree char *signal = g_strdup_printf ("%s.%s", name, word[2]);
      IfbamElement *mass = ifbam_network_get_element (network, name);
      double number;

      assert_same_courses (one, two, "second run");
      assert_same_courses (one, three, "second network");
      g_object_get (mass, key, &number, NULL);
      g_object_set (mass, key, 2 * number, NULL);
      four = run (network, IFBAM_ENGINE_PLAN);
      assert_false (same_signal (one, four, signal));
      g_clear_object (&four);
      g_object_set (mass, key, number, NULL);
      four = run (network, IFBAM_ENGINE_PLAN);
      assert_same_courses (one, four, "changed back");
      g_object_set (ifbam_network_get_settings (network), "record", NULL, NULL);
      positions = run (network, IFBAM_ENGINE_PLAN);
      assert_true (same_signal (one, positions, signal));
    }
}

/* A run that diverges does so at the same step, at the same element, with the same growth. */
static void
test_divergence (void **state)
{
  static const char text[] =
      "[network]\nstep = 10 ms\nduration = 20 s\n"
      "[ground g]\n[chain c]\ncount = 30\nmass = 1, 2\nstiffness = 40 kN/m, 1 kN/m\n"
      "position = 1 mm, 0\nfrom = g\n";
  g_autoptr (IfbamNetwork) network = read_text (text, NULL);
  guint n, diverged = 0;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    {
      g_autoptr (GError) model_error = NULL;
      g_autoptr (GError) objects_error = NULL;
      g_autoptr (IfbamCourse) model = NULL;
      g_autoptr (IfbamCourse) objects = NULL;

      g_object_set (ifbam_network_get_settings (network), "scheme", schemes[s]->name, NULL);
      model = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &model_error);
      objects = ifbam_network_run (network, IFBAM_ENGINE_OBJECTS, &objects_error);
      if (model_error == NULL)
        {
          assert_same_courses (model, objects, schemes[s]->name);
          continue;
        }
      diverged++;
      assert_true (g_error_matches (model_error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED));
      assert_string_equal (model_error->message, objects_error->message);
    }
  assert_true (diverged >= 3);
}

/* Energy that is no number ends a run at once, whoever sums it up: by objects, by tiles, by events. */
static void
test_infinite_energy (void **state)
{
  static const struct
  {
    const char *text, *said;
  } cases[] = {
    { "[network]\nstep = 50 us\nduration = 10 ms\nscheme = averaged\n"
      "[ground g]\n[spring s]\nstiffness = 10 kN/m\nbetween = g, m\n"
      "[mass m]\nmass = 1e-155 kg\nposition = 1 mm\n",
      "at t = 0 s (step 0): the energy is not finite" },
    { "[network]\nstep = 1 ms\nduration = 20 s\nscheme = rk4\n"
      "[ground g]\n[mass m]\nmass = 1.1 ag\nposition = 2 m\nvelocity = 5 m/s\n"
      "[impact stop]\nbetween = m, g\ngap = 10 m\n"
      "[drag air]\non = m\ncoefficient = 0.01 kg/m\n",
      "at t = 0.001 s (step 1): the energy is not finite" },
  };

  (void) state;
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    for (guint e = 0; e < 2; e++)
      {
        g_autoptr (IfbamNetwork) network = read_text (cases[c].text, NULL);
        g_autoptr (GError) error = NULL;
        g_autoptr (IfbamCourse) course =
            ifbam_network_run (network, e == 0 ? IFBAM_ENGINE_PLAN : IFBAM_ENGINE_OBJECTS, &error);

        assert_null (course);
        assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED));
        assert_non_null (strstr (error->message, cases[c].said));
      }
}

/* Engines themselves: steps in one go or in pieces, and a second start. */
static void
test_pieces_and_restarts (void **state)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  for (guint s = 0; s < n_schemes; s++)
    for (int objects = 0; objects < 2; objects++)
      {
        g_autoptr (Draft) draft = draft_new (5);
        g_autoptr (IfbamNetwork) network = draft_network (draft, FALSE);
        g_autoptr (IfbamModel) model = NULL;
        g_autoptr (IfbamEngine) engine = NULL;
        g_auto (IfbamRunSpec) spec = { 0 };
        g_autofree double *numbers = NULL;
        gsize n;

        g_object_set (ifbam_network_get_settings (network), "scheme", schemes[s]->name, NULL);
        model = ifbam_network_compile_or_error (network, TRUE, &spec, NULL, NULL);
        assert_non_null (model);
        n = model->n_nodes;
        numbers = g_new (double, 4 * n);
        if (ifbam_engine_by_events (model, &spec))
          engine = objects ? ifbam_objects_event_engine_new (model, &spec, FALSE)
                           : ifbam_event_engine_new (model, &spec, FALSE);
        else
          engine = objects ? ifbam_objects_engine_new (model, &spec)
                           : ifbam_compiled_engine_new (model, &spec, 1);
        ifbam_engine_start (engine);
        ifbam_engine_advance (engine, 41, NULL);
        ifbam_engine_get_nodes (engine, 0, n, numbers, numbers + n);
        ifbam_engine_start (engine);
        assert_int_equal (engine->steps, 0);
        for (guint64 done = 0; done < 41; done += 1 + done % 3)
          ifbam_engine_advance (engine, MIN (1 + done % 3, 41 - done), NULL);
        assert_int_equal (engine->steps, 41);
        for (gsize i = 0; i < n; i++)
          ifbam_engine_get_nodes (engine, i, i + 1, numbers + 2 * n + i, numbers + 3 * n + i);
        assert_true (same_bits (numbers, numbers + 2 * n, 2 * n));
      }
}

static gboolean
append_row (gpointer data, double time, const double *values, GError **error)
{
  (void) error;
  ifbam_course_append_row (data, time, values);
  return TRUE;
}

static IfbamCourse *
run_on_threads (IfbamNetwork *network, guint threads)
{
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  IfbamRunTask run = { .threads = threads, .row = append_row };

  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  if (model == NULL)
    fail_msg ("%s", error->message);
  run.data = ifbam_course_new ((const char *const *) signals->names->pdata);
  if (!ifbam_run (&run, model, signals, &spec, &error))
    fail_msg ("%s", error->message);
  return run.data;
}

/* More threads than a small network needs change nothing. */
static void
test_threads (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint32 seed = 0; seed < by_effort (6, 24, 24); seed++)
    {
      g_autoptr (Draft) draft = draft_new (seed);
      g_autoptr (IfbamNetwork) network = draft_network (draft, FALSE);
      g_autoptr (IfbamCourse) one = NULL;

      g_object_set (ifbam_network_get_settings (network), "scheme", schemes[seed % n]->name, NULL);
      if (seed % 2 == 1)
        g_object_set (ifbam_network_get_settings (network), "record", NULL, NULL);
      one = run_on_threads (network, 1);
      for (guint threads = 2; threads <= 3; threads++)
        {
          g_autoptr (IfbamCourse) more = run_on_threads (network, threads);

          assert_same_courses (one, more, schemes[seed % n]->name);
        }
    }
}

/* PATTERN: only tests of such names. */
int
main (int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_random_networks),
    cmocka_unit_test (test_odd_networks),
    cmocka_unit_test (test_larger_than_a_block),
    cmocka_unit_test (test_order_of_groups),
    cmocka_unit_test (test_order_of_groups_in_a_chain),
    cmocka_unit_test (test_supply_has_no_order),
    cmocka_unit_test (test_sample),
    cmocka_unit_test (test_repeated_runs),
    cmocka_unit_test (test_divergence),
    cmocka_unit_test (test_infinite_energy),
    cmocka_unit_test (test_pieces_and_restarts),
    cmocka_unit_test (test_threads),
  };

  if (argc > 1)
    cmocka_set_test_filter (argv[1]);
  return cmocka_run_group_tests (tests, set_up, folder_remove);
}
