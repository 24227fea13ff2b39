/* draft-mechanism.c: texts of random mechanisms: trees and loops of bodies and balls, with all that may act among them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "draft.h"

#include <math.h>

#define MOST_BODIES 5

typedef struct
{
  GString *text;
  GRand *rand;
  GRand *more; /* later additions use it, so that other random values are unchanged */
  guint n, n_links;
  gboolean ball[MOST_BODIES];
  double radius[MOST_BODIES];   /* of a ball that turns */
  gboolean driven;              /* something turns the crank */
  double place[MOST_BODIES][3]; /* x, y, angle */
} Draft;

static double
within (const Draft *draft, double low, double high)
{
  return g_rand_double_range (draft->rand, low, high);
}

static gboolean
chance (const Draft *draft, double share)
{
  return g_rand_double (draft->rand) < share;
}

static guint
below (const Draft *draft, guint n)
{
  return (guint) g_rand_int_range (draft->rand, 0, (gint32) n);
}

static double
within_more (const Draft *draft, double low, double high)
{
  return g_rand_double_range (draft->more, low, high);
}

static gboolean
more_chance (const Draft *draft, double share)
{
  return draft->more != NULL && g_rand_double (draft->more) < share;
}

/* A point of a body at a place in the plane (transfer full); a ball's middle. */
static char *
add_point (Draft *draft, guint i, double x, double y)
{
  const double c = cos (draft->place[i][2]), s = sin (draft->place[i][2]);
  char *name;

  if (draft->ball[i])
    return g_strdup_printf ("b%u", i);
  name = g_strdup_printf ("p%u", draft->n_links++);
  x -= draft->place[i][0];
  y -= draft->place[i][1];
  g_string_append_printf (draft->text, "[point %s]\non = b%u\nx = %.17g\ny = %.17g\n", name, i,
                          c * x + s * y, c * y - s * x);
  return name;
}

/* A point of a body, near its middle. */
static char *
add_near (Draft *draft, guint i)
{
  return add_point (draft, i, draft->place[i][0] + within (draft, -1, 1),
                    draft->place[i][1] + within (draft, -1, 1));
}

/* A point of any body but this one, or the fixed one. */
static char *
add_other (Draft *draft, guint i)
{
  const guint other = below (draft, draft->n + 1);

  return other == draft->n || other == i ? g_strdup ("base") : add_near (draft, other);
}

static void
add_body (Draft *draft, guint i)
{
  double *place = draft->place[i];
  const double mass = pow (10, within (draft, -0.5, 0.5));

  place[0] = within (draft, -2, 2);
  place[1] = within (draft, -2, 2);
  place[2] = within (draft, -3, 3);
  draft->ball[i] = i > 0 && chance (draft, 0.3);
  g_string_append_printf (draft->text, "[%s b%u]\nmass = %.17g\nx = %.17g\ny = %.17g\n",
                          draft->ball[i] ? "ball" : "body", i, mass, place[0], place[1]);
  if (!draft->ball[i])
    g_string_append_printf (draft->text, "inertia = %.17g\nangle = %.17g\n",
                            mass * within (draft, 0.1, 0.5), place[2]);
  else
    {
      place[2] = 0;
      if (more_chance (draft, 0.4))
        {
          draft->radius[i] = within_more (draft, 0.02, 0.1);
          g_string_append_printf (draft->text, "radius = %.17g\ninertia = solid\n",
                                  draft->radius[i]);
        }
    }
}

/* Friction and stops of a hinge; of a hinge between bodies, at an angle. */
static void
add_to_hinge (Draft *draft, guint i, double angle)
{
  if (more_chance (draft, 0.25))
    g_string_append_printf (draft->text, "friction = %.17g\nradius = %.17g\n",
                            within_more (draft, 0, 0.4), within_more (draft, 0.01, 0.1));
  if (more_chance (draft, 0.15))
    g_string_append_printf (draft->text, "friction-torque = %.17g\n", within_more (draft, 0, 1));
  if (i > 0 && !draft->driven && more_chance (draft, 0.2))
    g_string_append_printf (draft->text, "least-angle = %.17g\nrestitution = %.17g\n",
                            draft->place[i][2] - angle - within_more (draft, 0.05, 0.4),
                            more_chance (draft, 0.5) ? 0 : within_more (draft, 0, 1));
}

/* A rod that gets longer and shorter. */
static void
add_to_rod (Draft *draft, guint i)
{
  if (!draft->driven && more_chance (draft, 0.3))
    g_string_append_printf (draft->text,
                            "follow-length = leg%u\n[drive leg%u]\namplitude = %.17g\n"
                            "frequency = %.17g\n",
                            i, i, within_more (draft, 0.01, 0.1), within_more (draft, 0.2, 2));
}

/* Joins a body to one before it, or the first one to the fixed point; joints that keep something have names in j. */
static void
join (Draft *draft, guint i)
{
  static const char *const joints[] = { "hinge", "hinge", "rod", "slider", "weld", "spring" };
  const guint kind = below (draft, i == 0 ? 4 : 6);
  const gboolean apart = kind == 2 || kind == 5;
  const guint to = i == 0 ? 0 : below (draft, i);
  double x = 0, y = 0;
  g_autofree char *own = NULL, *other = NULL;

  if (i > 0)
    {
      x = draft->ball[to] ? draft->place[to][0] : draft->place[to][0] + within (draft, -1, 1);
      y = draft->ball[to] ? draft->place[to][1] : draft->place[to][1] + within (draft, -1, 1);
    }
  if (!apart && draft->ball[i])
    {
      /* It stands there itself. */
      own = g_strdup_printf ("b%u", i);
      if (draft->ball[to])
        {
          g_string_append_printf (draft->text, "[rod j%u]\nbetween = b%u, b%u\n", i, to, i);
          return;
        }
      x = draft->place[i][0];
      y = draft->place[i][1];
    }
  other = i == 0 ? g_strdup ("base") : add_point (draft, to, x, y);
  if (own == NULL)
    own = apart ? add_near (draft, i) : add_point (draft, i, x, y);
  g_string_append_printf (draft->text, "[%s %s%u]\nbetween = %s, %s\n", joints[kind],
                          kind == 5 ? "s" : "j", i, other, own);
  if (kind <= 1 && !draft->ball[i] && (i == 0 || !draft->ball[to]))
    add_to_hinge (draft, i, i == 0 ? 0 : draft->place[to][2]);
  if (kind == 2)
    add_to_rod (draft, i);
  if (kind == 3)
    g_string_append_printf (draft->text, "direction = %.17g\n", within (draft, -3, 3));
  if (kind == 5)
    g_string_append_printf (draft->text, "stiffness = %.17g\n", within (draft, 10, 200));
  /* A crank that starts by itself, or is turned */
  if (i == 0 && kind <= 1 && chance (draft, 0.5))
    {
      if ((draft->driven = chance (draft, 0.3)))
        g_string_append_printf (draft->text,
                                "[drive motor]\nposition = %.17g\namplitude = %.17g\n"
                                "frequency = %.17g\n[ratio jm]\nratio = 1\n"
                                "between = b0.angle, motor\n",
                                draft->place[0][2], within (draft, 0.1, 1), within (draft, 0.2, 2));
      else
        g_string_append_printf (draft->text,
                                "[impulse start]\non = b0.angle\nat = 0.01\nimpulse = %.17g\n",
                                within (draft, -2, 2));
    }
}

/* Forces on a body, besides its joint. */
static void
add_links (Draft *draft, guint i)
{
  GString *text = draft->text;
  static const char *const axes[] = { "x", "y" };

  if (i > 0 && chance (draft, 0.25))
    {
      g_autofree char *own = add_near (draft, i), *other = add_other (draft, i);

      g_string_append_printf (text, "[rod jl%u]\nbetween = %s, %s\n", i, other, own);
    }
  if (chance (draft, 0.4))
    {
      g_autofree char *own = add_near (draft, i), *other = add_other (draft, i);

      g_string_append_printf (text, "[damper d%u]\ndamping = %.17g\nbetween = %s, %s\n", i,
                              within (draft, 0.1, 2), other, own);
    }
  if (chance (draft, 0.25))
    {
      /* Between balls it would be one of their outlines. */
      g_autofree char *own = add_near (draft, i);
      g_autofree char *other = draft->ball[i] ? g_strdup ("base") : add_other (draft, i);

      g_string_append_printf (text,
                              "[contact c%u]\nstiffness = %.17g\ndamping = %.17g\ngap = %.17g\n"
                              "between = %s, %s\n",
                              i, within (draft, 100, 1000),
                              chance (draft, 0.5) ? 0 : within (draft, 0, 3),
                              within (draft, 0, 0.2), other, own);
    }
  if (chance (draft, 0.25))
    {
      g_autofree char *own = add_near (draft, i), *other = add_other (draft, i);

      g_string_append_printf (
          text, "[spring k%u]\nstiffness = %.17g\ncubic = %.17g\nbetween = %s, %s\n", i,
          within (draft, 10, 100), chance (draft, 0.5) ? 0 : 100.0, other, own);
    }
  if (chance (draft, 0.2))
    {
      g_autofree char *own = add_near (draft, i);
      const guint axis = below (draft, 2);

      /* Sticking at the start, and a friction on a coordinate of a point. */
      g_string_append_printf (text,
                              "[friction f%u]\nbreakaway = %.17g\ncoulomb = %.17g\n"
                              "between = %s.%s, floor\n",
                              i, within (draft, 2, 8), within (draft, 0, 2), own, axes[axis]);
    }
  if (!draft->ball[i] && chance (draft, 0.2))
    g_string_append_printf (text,
                            "[torsion-friction g%u]\nbreakaway = %.17g\ncoulomb = %.17g\n"
                            "between = b%u.angle, housing\n",
                            i, within (draft, 1, 4), within (draft, 0, 1), i);
  if (!draft->ball[i] && chance (draft, 0.2))
    g_string_append_printf (text,
                            "[torsion-spring t%u]\nstiffness = %.17g\nbetween = b%u.angle, "
                            "housing\n",
                            i, within (draft, 1, 50), i);
  if (chance (draft, 0.3))
    {
      const double restitutions[] = { 0, 1, 0.5, g_rand_double (draft->rand) };

      g_string_append_printf (text,
                              "[ground stop%u]\nposition = %.17g\n"
                              "[impact i%u]\nrestitution = %.17g\nbetween = stop%u, b%u.%s\n",
                              i, draft->place[i][1] - within (draft, 0.01, 0.3), i,
                              restitutions[below (draft, 4)], i, i, axes[1]);
    }
  if (draft->ball[i] && chance (draft, 0.5))
    g_string_append_printf (text,
                            "[surface earth%u]\nheight = %.17g\n[bounce h%u]\nrestitution = %.17g\n"
                            "friction = %.17g\n%sbetween = b%u, earth%u\n",
                            i, draft->place[i][1] - within (draft, 0, 0.3) - draft->radius[i], i,
                            chance (draft, 0.5) ? 0 : within (draft, 0, 1), within (draft, 0, 0.6),
                            more_chance (draft, 0.4) ? "adhesion = 0.1\n" : "", i, i);
  if (chance (draft, 0.25))
    {
      g_autofree char *own = add_near (draft, i), *other = add_other (draft, i);

      g_string_append_printf (text, "[string l%u]\nrestitution = %.17g\nbetween = %s, %s\n", i,
                              chance (draft, 0.5) ? 0 : within (draft, 0, 1), other, own);
    }
}

/* A ball on a table beside it all, that slips and is drawn around. */
static void
add_table (Draft *draft)
{
  const gboolean rod = more_chance (draft, 0.5);

  g_string_append_printf (
      draft->text,
      "[ball t]\nmass = 1\nradius = 0.1\ninertia = solid\ntable = yes\nx = 1\nvy = %.17g\n"
      "turn-x = %.17g\nturn-y = %.17g\n[%s jt]\nbetween = base, t\n%s"
      "[roll r]\nfriction = %.17g\n%son = t\n",
      within_more (draft, -2, 2), within_more (draft, -9, 9), within_more (draft, -9, 9),
      rod ? "rod" : "spring", rod ? "" : "stiffness = 20\n", within_more (draft, 0, 0.4),
      more_chance (draft, 0.5) ? "adhesion = 0.1\n" : "");
}

static char *
draft_with (guint seed, GRand *more)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  Draft draft = { .text = g_string_new ("[point base]\n[ground floor]\n[ground housing]\n"
                                        "[torsion-damper still]\ndamping = 0.1\n"
                                        "between = b0.angle, housing\n[gravity g]\non = b0"),
                  .rand = rand,
                  .more = more };

  draft.n = (guint) g_rand_int_range (rand, 1, MOST_BODIES + 1);
  for (guint i = 1; i < draft.n; i++)
    g_string_append_printf (draft.text, ", b%u", i);
  g_string_append_c (draft.text, '\n');
  for (guint i = 0; i < draft.n; i++)
    add_body (&draft, i);
  for (guint i = 0; i < draft.n; i++)
    join (&draft, i);
  for (guint i = 0; i < draft.n; i++)
    add_links (&draft, i);
  if (more_chance (&draft, 0.25))
    add_table (&draft);
  return g_string_free (draft.text, FALSE);
}

char *
draft_mechanism (guint seed)
{
  return draft_with (seed, NULL);
}

char *
draft_rich_mechanism (guint seed)
{
  g_autoptr (GRand) more = g_rand_new_with_seed (seed + 2000000);

  return draft_with (seed, more);
}
