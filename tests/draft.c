/* draft.c: texts of random networks with many events in a run, the same for a seed in each run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "draft.h"

#include <math.h>

/* Random laws with internal states: other random values are as without them. */
static GRand *
rand_of_states (guint seed)
{
  return g_rand_new_with_seed (seed + 1000000);
}

/* Soft, dented contacts: as fast as springs for these masses; like all here they yield so slowly that flip-flop
 * schemes are stable. */
static void
add_dent (GString *text, GRand *rand, const char *name, const char *left, const char *right,
          double mass, double gap)
{
  const double stiffness = mass * g_rand_double_range (rand, 10, 300);

  g_string_append_printf (text,
                          "[dent %s]\nbetween = %s, %s\ngap = %.17g\nstiffness = %.17g\n"
                          "yield = %.17g\nviscosity = %.17g\n",
                          name, left, right, gap, stiffness,
                          mass * g_rand_double_range (rand, 0.1, 10),
                          stiffness / g_rand_double_range (rand, 2, 8));
}

/* Damping of a soft contact, by one law or another. */
static void
add_damping (GString *text, GRand *rand, double damping)
{
  static const char *const laws[] = { "proportional", "bounded", "hunt-crossley" };
  const int law = g_rand_int_range (rand, 0, (gint32) G_N_ELEMENTS (laws));

  g_string_append_printf (text, "damping-law = %s\n%s = %.17g\n", laws[law],
                          law == 2 ? "dissipation" : "damping",
                          law == 2 ? 0.1 * g_rand_double (rand) : damping);
}

static void
add_bouc_wen (GString *text, GRand *rand, const char *name, const char *left, const char *right,
              double mass)
{
  g_string_append_printf (
      text,
      "[bouc-wen %s]\nbetween = %s, %s\nstiffness = %.17g\nratio = %.17g\nyield = %.17g\n"
      "beta = %.17g\nexponent = %d\n",
      name, left, right, mass * g_rand_double_range (rand, 10, 300),
      g_rand_double_range (rand, 0, 0.5), g_rand_double_range (rand, 1, 5),
      g_rand_double_range (rand, 0.5, 1), g_rand_int_range (rand, 1, 4));
}

char *
draft_row (guint seed, GArray *pairs)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed), states = rand_of_states (seed);
  g_autoptr (GRand) laws = g_rand_new_with_seed (seed + 2000000);
  GString *text = g_string_new ("[ground g]\n");
  const guint n = (guint) g_rand_int_range (rand, 1, 7);
  const int kind = g_rand_int_range (rand, 0, 3);
  const gboolean weight = g_rand_boolean (rand);
  char before[16] = "g";
  double x = 0, mass_before = INFINITY;

  if (kind == 1)
    {
      const double amplitude = g_rand_double_range (rand, 0.01, 0.05);

      g_string_append_printf (text, "[drive base]\namplitude = %.17g\nfrequency = %.17g\n",
                              amplitude, g_rand_double_range (rand, 0.5, 4));
      x = 1e-9;
    }
  else if (kind == 2)
    g_string_append_printf (text, "[drive base]\nvelocity = %.17g\n",
                            g_rand_double_range (rand, -0.5, 0));
  if (kind > 0)
    g_strlcpy (before, "base", sizeof before);
  for (guint i = 0; i < n; i++)
    {
      const double mass = pow (10, g_rand_double_range (rand, -2, 2));
      const double lighter = fmin (mass, mass_before);
      const double restitutions[] = { 0, 1, 0.9, 0.99, g_rand_double (rand) };
      DraftPair pair;

      x += g_rand_boolean (rand) ? 0 : g_rand_double_range (rand, 0, 0.3);
      g_string_append_printf (
          text, "[mass m%u]\nmass = %.17g\nposition = %.17g\nvelocity = %.17g\n", i, mass, x,
          g_rand_boolean (rand) ? 0 : g_rand_double_range (rand, -2, 2));
      g_strlcpy (pair.left, before, sizeof pair.left);
      g_snprintf (pair.right, sizeof pair.right, "m%u", i);
      if (g_rand_double (rand) < 0.8)
        {
          g_string_append_printf (text, "[impact i%u]\nbetween = %s, m%u\nrestitution = %.17g\n", i,
                                  before, i, restitutions[g_rand_int_range (rand, 0, 5)]);
          g_array_append_val (pairs, pair);
        }
      else
        {
          g_string_append_printf (text, "[contact c%u]\nbetween = %s, m%u\nstiffness = %.17g\n", i,
                                  before, i, lighter * g_rand_double_range (rand, 10, 300));
          add_damping (text, laws, g_rand_boolean (rand) ? 0 : lighter * g_rand_double (rand));
        }
      if (g_rand_double (rand) < 0.3)
        g_string_append_printf (text, "[spring k%u]\nbetween = g, m%u\nstiffness = %.17g\n", i, i,
                                mass * g_rand_double_range (rand, 1, 300));
      if (g_rand_double (rand) < 0.3)
        g_string_append_printf (text, "[damper d%u]\nbetween = g, m%u\ndamping = %.17g\n", i, i,
                                mass * g_rand_double (rand));
      if (g_rand_double (rand) < 0.3)
        g_string_append_printf (text,
                                "[friction f%u]\nbetween = %s, m%u\nbreakaway = %.17g\n"
                                "coulomb = %.17g\n",
                                i, g_rand_boolean (rand) && kind > 0 ? "base" : "g", i,
                                mass * g_rand_double_range (rand, 1, 10),
                                mass * g_rand_double_range (rand, 0.1, 1));
      if (weight)
        g_string_append_printf (text, "[force w%u]\non = m%u\nvalue = %.17g\n", i, i, -9.81 * mass);
      if (g_rand_double (states) < 0.3)
        {
          g_autofree char *name = g_strdup_printf ("e%u", i);

          add_dent (text, states, name, before, pair.right, lighter,
                    g_rand_double_range (states, -0.2, 0));
        }
      g_snprintf (before, sizeof before, "m%u", i);
      mass_before = mass;
    }
  if (kind == 0 && g_rand_boolean (rand))
    {
      DraftPair pair = { .right = "lid" };

      g_string_append_printf (text,
                              "[ground lid]\nposition = %.17g\n[impact l]\nbetween = %s, lid\n"
                              "restitution = %.17g\n",
                              x + 0.2, before, g_rand_double (rand));
      g_strlcpy (pair.left, before, sizeof pair.left);
      g_array_append_val (pairs, pair);
    }
  return g_string_free (text, FALSE);
}

char *
draft_circuit (guint seed, GArray *diodes)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (G_MAXINT - seed);
  GString *text = g_string_new (NULL);
  const guint n = (guint) g_rand_int_range (rand, 2, 6);
  char before[16] = "source";

  if (g_rand_double (rand) < 0.3)
    return g_string_free (text, FALSE);
  g_string_append_printf (
      text,
      "[ground earth]\n[voltage-source source]\namplitude = %.17g\nfrequency = %.17g\n"
      "phase = %.17g\n",
      g_rand_double_range (rand, 1, 10), g_rand_double_range (rand, 0.5, 3),
      g_rand_double_range (rand, -1.5, 0));
  for (guint i = 0; i < n; i++)
    {
      const double capacitance = pow (10, g_rand_double_range (rand, -2, -1));
      const int kind = g_rand_int_range (rand, 0, i == 0 ? 4 : 5);
      DraftPair pair;

      g_string_append_printf (text, "[capacitor u%u]\ncapacitance = %.17g\nvoltage = %.17g\n", i,
                              capacitance,
                              g_rand_boolean (rand) ? 0 : g_rand_double_range (rand, -5, 5));
      g_snprintf (pair.right, sizeof pair.right, "u%u", i);
      g_strlcpy (pair.left, before, sizeof pair.left);
      if (g_rand_boolean (rand))
        {
          char other[16];

          g_strlcpy (other, pair.left, sizeof other);
          g_strlcpy (pair.left, pair.right, sizeof pair.left);
          g_strlcpy (pair.right, other, sizeof pair.right);
        }
      g_string_append_printf (text, "[%s y%u]\nbetween = %s, %s\n",
                              kind == 0   ? "resistor"
                              : kind == 1 ? "inductor"
                              : kind == 4 ? "switch"
                                          : "diode",
                              i, pair.left, pair.right);
      if (kind == 0)
        g_string_append_printf (text, "resistance = %.17g\n",
                                g_rand_double_range (rand, 0.5, 3) / capacitance);
      else if (kind == 1)
        g_string_append_printf (text, "inductance = %.17g\n",
                                g_rand_double_range (rand, 0.05, 0.5) / capacitance);
      else if (kind == 4)
        g_string_append_printf (text, "toggle = %.17g, 1\n", g_rand_double (rand));
      else if (kind == 3)
        g_string_append_printf (text, "resistance = %.17g\n",
                                g_rand_double_range (rand, 0.5, 3) / capacitance);
      else
        g_array_append_val (diodes, pair);
      if (g_rand_boolean (rand))
        g_string_append_printf (text, "[resistor z%u]\nbetween = u%u, earth\nresistance = %.17g\n",
                                i, i, g_rand_double_range (rand, 0.5, 10) / capacitance);
      g_snprintf (before, sizeof before, "u%u", i);
    }
  return g_string_free (text, FALSE);
}

char *
draft_heap (guint rows, guint columns, double gap, double restitution)
{
  GString *text = g_string_new ("[surface g]\n[gravity w]\non = b0");
  g_autofree double *x = g_new (double, rows *columns);
  g_autofree double *y = g_new (double, rows *columns);

  for (guint i = 1; i < rows * columns; i++)
    g_string_append_printf (text, ", b%u", i);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < rows * columns; i++)
    {
      x[i] = 2 * DRAFT_RADIUS * (i % columns) + DRAFT_RADIUS * (i / columns % 2);
      y[i] = DRAFT_RADIUS + i / columns * (sqrt (3) * DRAFT_RADIUS + gap);
      g_string_append_printf (text,
                              "[ball b%u]\nmass = 1\nradius = %g\nx = %.17g\ny = %.17g\n"
                              "[bounce f%u]\nrestitution = %g\nbetween = b%u, g\n",
                              i, DRAFT_RADIUS, x[i], y[i], i, restitution, i);
      for (guint j = 0; j < i; j++)
        if (hypot (x[i] - x[j], y[i] - y[j]) < 4 * DRAFT_RADIUS)
          g_string_append_printf (text, "[bounce h%u-%u]\nrestitution = %g\nbetween = b%u, b%u\n",
                                  i, j, restitution, j, i);
    }
  return g_string_free (text, FALSE);
}

static double
draw_friction (GRand *rand)
{
  const double frictions[] = { 0, 0.1, 0.4, 0.8, g_rand_double (rand) };

  return frictions[g_rand_int_range (rand, 0, 5)];
}

char *
draft_slides (guint seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed), states = rand_of_states (seed);
  GString *text = g_string_new ("[surface g]\n");
  const guint n = (guint) g_rand_int_range (rand, 1, 5);
  const double hills = g_rand_boolean (rand) ? g_rand_double_range (rand, 0.02, 0.3) : 0;

  if (hills > 0)
    g_string_append_printf (text, "amplitude = %.17g\nwavelength = %.17g\n", hills,
                            g_rand_double_range (rand, 3, 6));
  g_string_append (text, "[gravity w]\non = b0");
  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, ", b%u", i);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < n; i++)
    {
      const gboolean lies = hills == 0 && g_rand_boolean (rand);

      g_string_append_printf (
          text, "[ball b%u]\nmass = %.17g\nradius = 0.1\nx = %.17g\ny = %.17g\nvx = %.17g\n", i,
          pow (10, g_rand_double_range (rand, -1, 1)), 0.3 * i,
          lies ? 0.1 : hills + 0.15 + g_rand_double (rand), g_rand_double_range (rand, -4, 4));
      for (guint j = 0; j <= i; j++)
        {
          const double restitution = g_rand_boolean (rand) ? 0 : g_rand_double_range (rand, 0, 1);
          g_autofree char *other = j == i ? g_strdup ("g") : g_strdup_printf ("b%u", j);

          g_string_append_printf (
              text, "[bounce h%u-%u]\nbetween = b%u, %s\nrestitution = %.17g\nfriction = %.17g\n",
              i, j, i, other, restitution, draw_friction (rand));
          if (g_rand_double (states) < 0.3)
            {
              g_autofree char *ball = g_strdup_printf ("b%u", i);
              g_autofree char *name = g_strdup_printf ("s%u-%u", i, j);

              if (g_rand_boolean (states))
                add_dent (text, states, name, ball, other, 0.1,
                          g_rand_double_range (states, -0.1, 0));
              else
                add_bouc_wen (text, states, name, ball, other, 0.1);
            }
        }
      if (g_rand_double (rand) < 0.3)
        g_string_append_printf (
            text, "[force p%u]\non = b%u.x\namplitude = %.17g\nfrequency = %.17g\n", i, i,
            g_rand_double_range (rand, 0, 10), g_rand_double_range (rand, 0.2, 2));
    }
  return g_string_free (text, FALSE);
}

char *
draft_table (guint seed)
{
  static const char *const shapes[] = { "solid", "hollow", "1e-3" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GRand) adheres = g_rand_new_with_seed (seed + 1000000); /* of its own: others stay */
  GString *text = g_string_new ("[point o]\n[surface cushion]\nheight = -0.5\n");
  const guint n = (guint) g_rand_int_range (rand, 1, 5);

  for (guint i = 0; i < n; i++)
    {
      const gboolean rolls = g_rand_boolean (rand);
      const double vx = g_rand_double_range (rand, -2, 2), vy = g_rand_double_range (rand, -2, 2);

      g_string_append_printf (
          text,
          "[ball b%u]\nmass = %.17g\nradius = 0.1\ninertia = %s\ntable = yes\nx = %.17g\n"
          "y = %.17g\nvx = %.17g\nvy = %.17g\nturn-x = %.17g\nturn-y = %.17g\n",
          i, pow (10, g_rand_double_range (rand, -1, 1)), shapes[g_rand_int_range (rand, 0, 3)],
          0.3 * i, g_rand_double_range (rand, -0.1, 0.1), vx, vy,
          rolls ? -vy / 0.1 : g_rand_double_range (rand, -30, 30),
          rolls ? vx / 0.1 : g_rand_double_range (rand, -30, 30));
      if (g_rand_double (rand) < 0.9)
        g_string_append_printf (text, "[roll r%u]\nfriction = %.17g\n%s%son = b%u\n", i,
                                draw_friction (rand), g_rand_boolean (rand) ? "normal = 3\n" : "",
                                g_rand_double (adheres) < 0.3 ? "adhesion = 0.1\n" : "", i);
      for (guint j = 0; j <= i; j++)
        {
          g_autofree char *other = j == i ? g_strdup ("cushion") : g_strdup_printf ("b%u", j);

          g_string_append_printf (text, "[bounce h%u-%u]\nbetween = b%u, %s\nrestitution = %.17g\n",
                                  i, j, i, other, g_rand_double (rand));
        }
      if (g_rand_double (rand) < 0.4)
        g_string_append_printf (
            text, "[spring s%u]\nstiffness = %.17g\nlength = 0.01\nbetween = o, b%u\n", i,
            g_rand_double_range (rand, 1, 30), i);
      if (g_rand_double (rand) < 0.4)
        g_string_append_printf (
            text, "[force p%u]\non = b%u.%c\namplitude = %.17g\nfrequency = %.17g\n", i, i,
            g_rand_boolean (rand) ? 'x' : 'y', g_rand_double_range (rand, 0, 10),
            g_rand_double_range (rand, 0.2, 2));
    }
  return g_string_free (text, FALSE);
}

char *
draft_chains (guint seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  GString *text = g_string_new ("[ground w]\n[drive d]\namplitude = 2e-3\nfrequency = 2\n");
  const guint n = (guint) g_rand_int_range (rand, 1, 4);

  for (guint i = 0; i < n; i++)
    {
      const guint count = (guint) g_rand_int_range (rand, 40, 140);
      const gboolean damped = g_rand_boolean (rand);

      g_string_append_printf (text,
                              "[chain c%u]\ncount = %u\nmass = %.17g, %.17g\n"
                              "stiffness = %.17g\nvelocity = %.17g, 0, 0\n%s",
                              i, count, g_rand_double_range (rand, 1, 2),
                              g_rand_double_range (rand, 1, 2),
                              g_rand_double_range (rand, 1000, 3000), g_rand_double (rand),
                              g_rand_boolean (rand) ? "from = w\n" : "");
      if (damped)
        g_string_append_printf (text, "damping = %.17g\n", g_rand_double_range (rand, 0.1, 3));
      if (g_rand_double (rand) < 0.7)
        g_string_append_printf (text,
                                "[impact i%u]\nbetween = c%u.m%u, %s\ngap = %.17g\n"
                                "restitution = %.17g\n",
                                i, i, count, g_rand_boolean (rand) ? "w" : "d",
                                g_rand_double_range (rand, 1e-4, 1e-2), g_rand_double (rand));
      if (i > 0 && g_rand_double (rand) < 0.5)
        g_string_append_printf (text,
                                "[impact n%u]\nbetween = c%u.m1, c%u.m2\ngap = %.17g\n"
                                "restitution = %.17g\n",
                                i, i - 1, i, g_rand_double_range (rand, 1e-3, 1e-2),
                                g_rand_double (rand));
      if (g_rand_double (rand) < 0.5)
        g_string_append_printf (text,
                                "[force f%u]\non = c%u.m%u\nvalue = %.17g\namplitude = %.17g\n"
                                "frequency = 5\nend = %.17g\n",
                                i, i, 1 + count / 2, g_rand_double_range (rand, -10, 10),
                                g_rand_double_range (rand, 0, 50), g_rand_double (rand));
      if (g_rand_double (rand) < 0.5)
        g_string_append_printf (text, "[impulse p%u]\non = c%u.m%u\nat = %.17g\nimpulse = %.17g\n",
                                i, i, 1 + count / 3, g_rand_double (rand), g_rand_double (rand));
      if (g_rand_double (rand) < 0.3)
        g_string_append_printf (text, "[monitor s%u]\nsignal = c%u.m%u.position\nlevel = %.17g\n",
                                i, i, 1 + count / 4, g_rand_double_range (rand, -1e-3, 1e-3));
      if (g_rand_double (rand) < 0.3)
        g_string_append_printf (text, "[spring k%u]\nbetween = c%u.m%u, d\nstiffness = 2000\n", i,
                                i, count);
    }
  /* Elements with many events, beside them: a ball that bounces and comes to rest, a block that sticks and slips. */
  if (g_rand_boolean (rand))
    g_string_append_printf (text,
                            "[mass b]\nmass = 1\nposition = 0.1\n[force b-weight]\non = b\n"
                            "value = -9.81\n[impact b-floor]\nbetween = d, b\n"
                            "restitution = %.17g\n",
                            g_rand_double (rand));
  if (g_rand_boolean (rand))
    g_string_append_printf (text,
                            "[mass s]\nmass = 1\n[spring s-spring]\nbetween = s, d\n"
                            "stiffness = %.17g\n[friction s-friction]\nbetween = s, w\n"
                            "breakaway = 0.02\ncoulomb = 0.01\n",
                            g_rand_double_range (rand, 10, 100));
  /* Monitors of one chain that act on the other, or on the ball. */
  if (n > 1 && g_rand_boolean (rand))
    g_string_append_printf (text, "[monitor told]\nsignal = c0.m3.position\nlevel = 1e-4\n"
                                  "[impulse answer]\non = c1.m3\nwhen = told\nimpulse = 0.1\n");
  g_string_append (text, "[force once]\non = c0.m1\nend = 1 ms\n");
  return g_string_free (text, FALSE);
}
