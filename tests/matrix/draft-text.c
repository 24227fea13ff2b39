/* draft-text.c: groups of a random network: nodes, links, sources and chains of three domains
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "draft-text.h"

double
draft_between (DraftText *draft, double low, double high)
{
  return g_rand_double_range (draft->random, low, high);
}

gboolean
draft_chance (DraftText *draft, double part)
{
  return g_rand_double (draft->random) < part;
}

guint
draft_pick (DraftText *draft, guint n)
{
  return (guint) g_rand_int_range (draft->random, 0, (gint32) n);
}

void
draft_add (DraftText *draft, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_string_append_vprintf (draft->text, format, arguments);
  va_end (arguments);
}

static char *
name_of (const DraftText *draft, guint node)
{
  return node < DRAFT_GIVEN ? g_strdup_printf ("%sm%u", draft->prefix, node)
                            : g_strdup_printf ("%sg%u", draft->prefix, node - DRAFT_GIVEN);
}

/* The same masses whether they are scrambled or not. */
void
draft_masses (DraftText *draft, guint n)
{
  static const char *const all_words[][4] = { { "mass", "mass", "position", "velocity" },
                                              { "inertia", "inertia", "angle", "speed" },
                                              { "capacitor", "capacitance", "flux", "voltage" } };
  const char *const *words = all_words[draft->domain];
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (groups,
                     g_strdup_printf ("[%s %sm%u]\n%s = %.17g\n%s = %.17g\n%s = %.17g\n", words[0],
                                      draft->prefix, i, words[1], draft_between (draft, 0.5, 3),
                                      words[2], draft_between (draft, -1e-3, 1e-3), words[3],
                                      draft_between (draft, -0.1, 0.1)));
  for (guint i = n; i > 1 && draft->order != NULL; i--)
    {
      guint other = (guint) g_rand_int_range (draft->order, 0, (gint32) i);
      gpointer swap = groups->pdata[i - 1];

      groups->pdata[i - 1] = groups->pdata[other];
      groups->pdata[other] = swap;
    }
  for (guint i = 0; i < n; i++)
    g_string_append (draft->text, groups->pdata[i]);
}

guint
draft_ground (DraftText *draft)
{
  draft_add (draft, "[ground %sg%u]\nposition = %.17g\n", draft->prefix, draft->n_given,
             draft_between (draft, -1e-3, 1e-3));
  return DRAFT_GIVEN + draft->n_given++;
}

guint
draft_drive (DraftText *draft)
{
  const gboolean electric = draft->domain == ELECTRICITY;
  const double kind = g_rand_double (draft->random);

  draft_add (draft, "[%s %sg%u]\n", electric ? "voltage-source" : "drive", draft->prefix,
             draft->n_given);
  if (kind < 0.25 && !draft->self_contained)
    draft_add (draft, "course = measured.csv:x\n");
  else if (draft->rich && kind < 0.35 && !electric)
    draft_add (draft, "wave = noise\nto = %.17g\namplitude = %.17g\nseed = 3\n",
               draft_between (draft, 5, 30), draft_between (draft, 1e-4, 1e-3));
  else if (draft->eventful && kind < 0.5 && !electric)
    draft_add (draft, "amplitude = %.17g\nwave = ramp\nat = %.17g\nover = %.17g\n",
               draft_between (draft, -1e-3, 1e-3), draft_between (draft, 0, 0.01),
               draft_between (draft, 1e-3, 0.01));
  else if (electric)
    draft_add (draft, "voltage = %.17g\namplitude = %.17g\nfrequency = %.17g\n",
               draft_between (draft, -0.05, 0.05), draft_between (draft, 0, 0.2),
               draft_between (draft, 1, 60));
  else
    draft_add (draft,
               "position = %.17g\nvelocity = %.17g\namplitude = %.17g\n"
               "frequency = %.17g\nphase = %.17g deg\n",
               draft_between (draft, -1e-3, 1e-3), draft_between (draft, -0.05, 0.05),
               draft_between (draft, 0, 2e-3), draft_between (draft, 1, 60),
               draft_between (draft, 0, 360));
  return DRAFT_GIVEN + draft->n_given++;
}

guint
draft_any_given (DraftText *draft)
{
  return draft_chance (draft, 0.5) ? draft_drive (draft) : draft_ground (draft);
}

static void
add_electric_link (DraftText *draft, guint number)
{
  if (draft_chance (draft, draft->damped))
    draft_add (draft, "[resistor %sl%u]\nresistance = %.17g\n", draft->prefix, number,
               draft_between (draft, 0.2, 5));
  else
    draft_add (draft, "[inductor %sl%u]\ninductance = %.17g\ncurrent = %.17g\n", draft->prefix,
               number, draft_between (draft, 1e-4, 1e-2), draft_between (draft, -1, 1));
}

/* Whether a link of a class that only rich drafts have was added. */
static gboolean
add_rich_link (DraftText *draft, guint number)
{
  const guint kind = draft->rich && draft->domain == TRANSLATION ? draft_pick (draft, 12) : 12;

  if (kind == 0)
    draft_add (draft, "[sine-spring %sl%u]\nstiffness = %.17g\nscale = %.17g\n", draft->prefix,
               number, draft_between (draft, 1e3, 1e4), draft_between (draft, 1e-3, 1e-2));
  else if (kind == 1)
    draft_add (draft, "[exponential-spring %sl%u]\nstiffness = %.17g\nscale = %.17g\n",
               draft->prefix, number, draft_between (draft, 1e3, 1e4),
               draft_between (draft, 5e-3, 5e-2));
  else if (kind == 2)
    draft_add (draft, "[van-der-pol %sl%u]\ndamping = %.17g\namplitude = %.17g\n", draft->prefix,
               number, draft_between (draft, 0.1, 2), draft_between (draft, 1e-3, 1e-2));
  else if (kind == 3)
    draft_add (draft,
               "[parametric-spring %sl%u]\nstiffness = %.17g\ndepth = %.17g\nfrequency = %.17g\n",
               draft->prefix, number, draft_between (draft, 1e3, 5e3),
               draft_between (draft, 0, 0.5), draft_between (draft, 1, 30));
  return kind <= 3;
}

/* Whether a link with modes was added. */
static gboolean
add_eventful_link (DraftText *draft, guint number)
{
  const guint kind = draft->eventful ? draft_pick (draft, 8) : 8;
  const char *torsion = draft->domain == ROTATION ? "torsion-" : "";

  if (kind == 0)
    draft_add (draft,
               "[%scharacteristic %sl%u]\ncompression = -1e-3, %.17g, 0, %.17g, 1e-3\n"
               "force = %.17g, -0.2, 0.1, 0.2, %.17g\n",
               torsion, draft->prefix, number, draft_between (draft, -9e-4, -1e-4),
               draft_between (draft, 1e-4, 9e-4), draft_between (draft, -5, 0),
               draft_between (draft, 0, 5));
  else if (kind == 1 && draft->domain == TRANSLATION)
    draft_add (draft,
               "[dent %sl%u]\ngap = %.17g\nstiffness = %.17g\nyield = %.17g\nviscosity = %.17g\n",
               draft->prefix, number, draft_between (draft, -1e-3, 1e-3),
               draft_between (draft, 100, 10000), draft_between (draft, 0.1, 2),
               draft_between (draft, 50, 500));
  return kind == 0 || (kind == 1 && draft->domain == TRANSLATION);
}

static void
add_mechanical_link (DraftText *draft, guint number)
{
  const gboolean turns = draft->domain == ROTATION;
  const char *torsion = turns ? "torsion-" : "";

  if (draft_chance (draft, draft->damped))
    draft_add (draft, "[%sdamper %sl%u]\ndamping = %.17g\n", torsion, draft->prefix, number,
               draft_between (draft, 0, 5));
  else if (turns && draft_chance (draft, draft->geared))
    draft_add (draft, "[gear %sl%u]\nratio = %.17g\nstiffness = %.17g\ndamping = %.17g\n",
               draft->prefix, number,
               (draft_chance (draft, 0.5) ? -1 : 1) * draft_between (draft, 0.3, 2),
               draft_between (draft, 100, 5000),
               draft_chance (draft, 0.5) ? 0 : draft_between (draft, 0, 3));
  else if (!turns && draft->yielding > 0 && number % draft->yielding == 1)
    draft_add (draft,
               "[bouc-wen %sl%u]\nstiffness = %.17g\nratio = 0.2\nyield = %.17g\nbeta = 0.7\n"
               "exponent = %u\n",
               draft->prefix, number, draft_between (draft, 100, 10000),
               draft_between (draft, 1e-2, 5e-2), 1 + number % 3);
  else if (draft_chance (draft, draft->cubic))
    draft_add (draft, "[%sspring %sl%u]\nstiffness = %.17g\ncubic = %.17g\n", torsion,
               draft->prefix, number, draft_between (draft, 100, 10000),
               draft_between (draft, 0, 1e8));
  else
    draft_add (draft, "[%sspring %sl%u]\nstiffness = %.17g\n", torsion, draft->prefix, number,
               draft_between (draft, 100, 10000));
}

void
draft_link (DraftText *draft, guint left, guint right)
{
  const gboolean swapped = draft_chance (draft, draft->swapped);
  /* Links between given nodes have no modes. */
  const gboolean given = left >= DRAFT_GIVEN && right >= DRAFT_GIVEN;
  const guint number = draft->n_links++;
  g_autofree char *one = name_of (draft, swapped ? right : left);
  g_autofree char *other = name_of (draft, swapped ? left : right);

  if (draft->domain == ELECTRICITY)
    add_electric_link (draft, number);
  else if (given || (!add_rich_link (draft, number) && !add_eventful_link (draft, number)))
    add_mechanical_link (draft, number);
  draft_add (draft, "between = %s, %s\n", one, other);
}

static void
add_source (DraftText *draft, const char *node)
{
  static const char *const classes[] = { "force", "torque", "current-source" };
  const guint number = draft->n_sources++;

  if (!draft->self_contained && draft_chance (draft, 0.3))
    draft_add (draft, "[%s %sf%u]\non = %s\ncourse = measured.csv:f\nstart = -2 ms\n",
               classes[draft->domain], draft->prefix, number, node);
  else if (draft->eventful && draft_chance (draft, 0.3))
    draft_add (draft,
               "[%s %sf%u]\non = %s\nwave = pwm\nperiod = %.17g\nduty = 0.3\namplitude = %.17g\n",
               classes[draft->domain], draft->prefix, number, node,
               draft_between (draft, 1e-3, 8e-3), draft_between (draft, 0, 5));
  else
    /* A source that starts or ends in a run is an event, and of another engine. */
    draft_add (draft,
               "[%s %sf%u]\non = %s\nvalue = %.17g\namplitude = %.17g\nfrequency = %.17g\n"
               "start = %.17g\n",
               classes[draft->domain], draft->prefix, number, node, draft_between (draft, -5, 5),
               draft_between (draft, 0, 5), draft_between (draft, 0, 200),
               draft_between (draft, -5e-3, draft->eventful ? 0.01 : 0));
  if (draft->eventful && draft_chance (draft, 0.5))
    draft_add (draft, "end = %.17g\n", draft_between (draft, 0.01, 0.05));
}

void
draft_sources (DraftText *draft, guint n_nodes, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *node = name_of (draft, draft_pick (draft, n_nodes));

      add_source (draft, node);
      while (draft_chance (draft, 0.3)) /* another one on the same node */
        add_source (draft, node);
    }
  if (n > 0 && draft->n_given > 0 && draft_chance (draft, 0.2))
    {
      g_autofree char *node = name_of (draft, DRAFT_GIVEN);

      add_source (draft, node);
    }
}

/* On the masses one after the other, and on single ones. */
void
draft_drags (DraftText *draft, guint n_nodes, guint n)
{
  const guint first = n_nodes / 2;

  for (guint i = 0; i < n && draft->domain == TRANSLATION; i++)
    draft_add (draft, "[drag %sw%u]\non = %sm%u\ncoefficient = %.17g\n", draft->prefix, i,
               draft->prefix, i < n / 2 ? (first + i) % n_nodes : draft_pick (draft, n_nodes),
               draft_between (draft, 0, 40));
}

void
draft_gravity (DraftText *draft, guint n_nodes)
{
  const guint first = draft_pick (draft, n_nodes);

  if (draft->domain != TRANSLATION)
    return;
  draft_add (draft, "[gravity %sgravity]\nacceleration = %.17g\non = %sm%u", draft->prefix,
             draft_between (draft, -20, 20), draft->prefix, first);
  for (guint i = first + 1; i < n_nodes; i++)
    if (i % 100 < 80)
      draft_add (draft, ", %sm%u", draft->prefix, i);
  draft_add (draft, "\n");
}

void
draft_chain (DraftText *draft, guint count, gboolean damped, guint from, guint to)
{
  g_autofree char *head = name_of (draft, from), *tail = name_of (draft, to);
  const gboolean turns = draft->domain == ROTATION;

  draft_add (draft,
             "[chain %sc]\ncount = %u\n%s = 1, 2, 1.5, 0.7\nstiffness = 10000, 3000, 7000\n"
             "%s = 1e-3, 3e-4, -1e-3, 1e-4, 0\n%s = 0.1, -0.04, 0.07\n%sfrom = %s\n",
             draft->prefix, count, turns ? "inertia" : "mass", turns ? "angle" : "position",
             turns ? "speed" : "velocity", damped ? "damping = 1, 2, 3, 4, 5\n" : "", head);
  if (draft_chance (draft, 0.8))
    draft_add (draft, "to = %s\n", tail);
  /* A single cubic spring in a linear chain moves to another batch. */
  for (guint i = 0; i < (count >= 8 ? 4 : 1) && draft_chance (draft, 0.7); i++)
    draft_add (draft, "k%u.cubic = 1e8\n",
               1 + i * (count / 4) + draft_pick (draft, MAX (count / 4, 1)));
  if (draft_chance (draft, 0.5))
    draft_add (draft, "m%u.%s = %.17g\n", 1 + draft_pick (draft, count), turns ? "inertia" : "mass",
               draft_between (draft, 0.5, 3));
  for (int i = 0; i < 6; i++)
    {
      g_autofree char *node =
          g_strdup_printf ("%sc.m%u", draft->prefix, 1 + draft_pick (draft, count));

      add_source (draft, node);
    }
}
