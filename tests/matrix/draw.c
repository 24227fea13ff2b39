/* draw.c: texts of random networks by seed and features
 *
 * A network of one to some thousand nodes for each feature, beside each other if there are several. Time constants suit a step of
 * 0.2 ms for smooth features, and 2 ms for contacts, friction and mechanisms.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "tests/draft.h"
#include "draft-text.h"
#include "matrix.h"

const char *const matrix_feature_names[MATRIX_N_FEATURES] = {
  "shipped",  "special",  "line",        "membrane",    "tangle",   "circuit", "mechanism",
  "contacts", "friction", "time-events", "controllers", "massless", "columns", "beside"
};

MatrixFeatures
matrix_features_parse (const char *names)
{
  g_auto (GStrv) parts = g_strsplit (names, ",", -1);
  MatrixFeatures features = 0;

  for (guint p = 0; parts[p] != NULL; p++)
    {
      guint f = 0;

      while (f < MATRIX_N_FEATURES && !g_str_equal (parts[p], matrix_feature_names[f]))
        f++;
      if (f == MATRIX_N_FEATURES)
        return 0;
      features |= 1u << f;
    }
  return features;
}

char *
matrix_measured_text (void)
{
  GString *text = g_string_new ("time,x,f\n");

  for (int i = 0; i <= 20; i++)
    g_string_append_printf (text, "%.17g,%.17g,%.17g\n", 0.001 * i, 1e-3 * sin (0.9 * i),
                            5.0 * cos (1.7 * i));
  return g_string_free (text, FALSE);
}

static void
draft_init (DraftText *draft, guint32 seed, const char *prefix)
{
  memset (draft, 0, sizeof *draft);
  draft->random = g_rand_new_with_seed (seed);
  draft->text = g_string_new (NULL);
  draft->prefix = prefix;
}

/* Returns its text (transfer full). */
static char *
draft_finish (DraftText *draft)
{
  g_rand_free (draft->random);
  g_clear_pointer (&draft->order, g_rand_free);
  return g_string_free (draft->text, FALSE);
}

/* One to twelve nodes, tens of them, or more than blocks and tiles hold; from a seed on so many that links are looked up by nodes. */
static guint
draw_size (DraftText *draft, guint32 seed)
{
  draft->rich = seed % 4 != 3;
  if (seed >= MATRIX_HUGE)
    return 16500;
  return draft->eventful && seed % 4 == 3 ? 100 + draft_pick (draft, 100)
         : seed % 4 == 3                  ? 1100 + draft_pick (draft, 1000)
                                          : 1
                               + draft_pick (draft, seed % 4 == 3   ? 100
                                                    : seed % 2 == 1 ? 12
                                                                    : 40);
}

static void
draw_kinds (DraftText *draft, guint32 seed)
{
  static const double fractions[] = { 0, 0.05, 0.3 };

  draft->damped = fractions[draft_pick (draft, 3)];
  draft->cubic = fractions[draft_pick (draft, 3)];
  draft->geared = draft_chance (draft, 0.5) ? 0.1 : 0.8;
  draft->swapped = draft_chance (draft, 0.5) ? 0 : 0.5;
  draft->yielding = draft_chance (draft, 0.5) ? 0 : 7;
  if (seed % 5 == 2)
    draft->order = g_rand_new_with_seed (seed);
}

static void
add_given (DraftText *draft, guint n_nodes)
{
  for (guint i = 0; i < 3 + n_nodes / 100 && draft_chance (draft, 0.8); i++)
    draft_link (draft, draft_any_given (draft), draft_pick (draft, n_nodes));
  if (draft_chance (draft, 0.1))
    draft_link (draft, draft_ground (draft), draft_drive (draft));
}

static void
add_loads (DraftText *draft, guint n_nodes)
{
  if (draft_chance (draft, 0.7))
    draft_sources (draft, n_nodes, 1 + draft_pick (draft, 3 + n_nodes / 100));
  if (draft_chance (draft, 0.4))
    draft_drags (draft, n_nodes, 1 + draft_pick (draft, 3 + n_nodes / 25));
  if (draft_chance (draft, 0.4))
    draft_gravity (draft, n_nodes);
}

/* A ladder, a closed line, or a line with branches and dampers along it. */
static void
join_line (DraftText *draft, guint n)
{
  const double damped = draft->damped;
  const guint form = draft_pick (draft, 3);

  for (guint i = form == 2 ? 1 : 0; i < n; i++)
    {
      if (form == 0 && i + 2 < n)
        draft_link (draft, i, i + 2);
      if (form == 0 && i % 2 == 0 && i + 1 < n)
        draft_link (draft, i, i + 1);
      if (form == 1 && n > 2)
        draft_link (draft, i, (i + 1) % n);
      if (form == 2)
        {
          guint from = i % 400 == 0 ? draft_pick (draft, i) : i - 1;

          draft_link (draft, from, i);
          draft->damped = 1;
          if (i % 1000 < 300)
            draft_link (draft, from, i);
          draft->damped = damped;
        }
    }
}

static void
draw_line (DraftText *draft, guint32 seed)
{
  const guint n = draw_size (draft, seed);

  draft->domain = seed % 3 == 1 ? ROTATION : TRANSLATION;
  draw_kinds (draft, seed);
  if (seed % 2 == 0 || n > 1500)
    {
      guint wall = draft_ground (draft), shaker = draft_drive (draft);

      draft_chain (draft, n, draft_chance (draft, 0.5), wall, shaker);
    }
  else
    {
      draft_masses (draft, n);
      join_line (draft, n);
      add_given (draft, n);
      add_loads (draft, n);
    }
}

static void
join_grid (DraftText *draft, guint width, guint height)
{
  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++)
      {
        if (x + 1 < width)
          draft_link (draft, y * width + x, y * width + x + 1);
        if (y + 1 < height)
          draft_link (draft, y * width + x, (y + 1) * width + x);
      }
}

/* Often one edge stands, and one is driven as a whole. */
static void
draw_membrane (DraftText *draft, guint32 seed)
{
  const guint size = draw_size (draft, seed), width = 1 + (guint) (0.8 * sqrt (size)),
              height = MAX (size / width, 1);

  draft->domain = seed % 3 == 1 ? ROTATION : TRANSLATION;
  draw_kinds (draft, seed);
  draft_masses (draft, width * height);
  join_grid (draft, width, height);
  if (draft_chance (draft, 0.7))
    {
      guint wall = draft_ground (draft), shaker = draft_drive (draft);

      for (guint x = 0; x < width; x++)
        {
          draft_link (draft, wall, x);
          draft_link (draft, (height - 1) * width + x, shaker);
        }
    }
  add_given (draft, width * height);
  add_loads (draft, width * height);
}

/* Hubs with more arms than a node run or a packed table has ports. */
static void
join_stars (DraftText *draft, guint n)
{
  for (guint i = 0, arms; i < n; i += arms + 1)
    {
      arms = 5 + draft_pick (draft, 36);
      for (guint k = 1; k <= arms && i + k < n; k++)
        draft_link (draft, i, i + k);
      if (i > 0 && draft_chance (draft, 0.5))
        draft_link (draft, i - 1, i);
    }
}

/* Between any nodes, or at most so far. */
static void
join_any (DraftText *draft, guint n, guint n_links, guint reach)
{
  for (guint i = 0; i < n_links && n > 1; i++)
    {
      guint one = draft_pick (draft, n), other = draft_pick (draft, n - 1);

      if (reach < n)
        other = (one + 1 + draft_pick (draft, reach)) % n;
      else
        other += other >= one;
      draft_link (draft, one, other);
    }
}

static void
join_tangle (DraftText *draft, guint n)
{
  const guint form = draft_pick (draft, 3);

  if (form == 0)
    join_stars (draft, n);
  else
    join_any (draft, n, draft_pick (draft, 2 * n) + n / 2, form == 1 ? n : MIN (n - 1, 100));
}

static void
draw_tangle (DraftText *draft, guint32 seed)
{
  const guint n = draw_size (draft, seed);

  draft->domain = seed % 3 == 1 ? ROTATION : TRANSLATION;
  draw_kinds (draft, seed);
  draft_masses (draft, n);
  join_tangle (draft, n);
  add_given (draft, n);
  add_loads (draft, n);
}

/* Capacitors, inductors and resistors; with time events, diodes and switches beside them. */
static void
draw_circuit (DraftText *draft, guint32 seed)
{
  const guint n = draw_size (draft, seed);
  g_autoptr (GArray) diodes = g_array_new (FALSE, FALSE, sizeof (DraftPair));

  draft->domain = ELECTRICITY;
  draw_kinds (draft, seed);
  draft->damped = fmax (draft->damped, 0.1);
  draft_masses (draft, n);
  if (seed % 2 == 0)
    join_tangle (draft, n);
  else
    join_grid (draft, n > 100 ? 20 : 1, n > 100 ? n / 20 : n);
  add_given (draft, n);
  if (draft_chance (draft, 0.7))
    draft_sources (draft, n, 1 + draft_pick (draft, 3));
  if (draft->eventful)
    {
      g_autofree char *circuit = draft_circuit (seed, diodes);

      g_string_append (draft->text, circuit);
    }
}

/* A plant and the laws that act on it: sampled and continuous control, a relay, forces and impulses that follow monitors. */
static void
draw_controllers (DraftText *draft, guint32 seed)
{
  const gboolean relay = seed % 3 == 1, leads = seed % 4 == 2;

  draft_add (
      draft,
      "[mass %sp]\nmass = %.17g\nposition = 1 mm\n[ground %sw]\n[spring %sk]\n"
      "stiffness = %.17g\nbetween = %sw, %sp\n[damper %sd]\ndamping = 3\nbetween = %sw, %sp\n",
      draft->prefix, draft_between (draft, 0.5, 2), draft->prefix, draft->prefix,
      draft_between (draft, 100, 3000), draft->prefix, draft->prefix, draft->prefix, draft->prefix,
      draft->prefix);
  draft_add (draft, "[controller %sc]\nsignal = %sp.%s\nsetpoint = %s\nevery = %.17g ms\n",
             draft->prefix, draft->prefix, seed % 2 == 0 ? "position" : "velocity",
             seed % 2 == 0 ? "2 mm" : "1 mm/s", seed % 5 == 0 ? 0 : draft_between (draft, 0.5, 7));
  if (relay)
    draft_add (draft, "kind = relay\nhysteresis = %s\nleast = -1\n",
               seed % 2 == 0 ? "0.1 mm" : "0.1 mm/s");
  else
    draft_add (draft, "gain = %.17g %s\nintegral = %.17g %s\noffset = 0.1\ngreatest = 3\n",
               draft_between (draft, 1, 300), seed % 2 == 0 ? "1/m" : "s/m",
               draft_between (draft, 0, 300), seed % 2 == 0 ? "1/m/s" : "1/m");
  if (leads)
    draft_add (draft,
               "[drive %sr]\nvelocity = 0.1\nfollow = %sc\n[spring %sl]\nstiffness = 500\n"
               "between = %sr, %sp\n",
               draft->prefix, draft->prefix, draft->prefix, draft->prefix, draft->prefix);
  else
    draft_add (draft, "[force %sf]\non = %sp\nvalue = %.17g\nfollow = %sc\n", draft->prefix,
               draft->prefix, draft_between (draft, -5, 5), draft->prefix);
  draft_add (draft,
             "[monitor %ss]\nsignal = %sp.position\nlevel = %.17g mm\n[mass %sq]\nmass = 1\n"
             "[spring %sm]\nstiffness = 900\nbetween = %sw, %sq\n[force %sg]\non = %sq\nvalue = 2\n"
             "when = %ss\n[impulse %si]\non = %sq\nimpulse = 0.01\nwhen = %ss\n",
             draft->prefix, draft->prefix, draft_between (draft, 0, 1.5), draft->prefix,
             draft->prefix, draft->prefix, draft->prefix, draft->prefix, draft->prefix,
             draft->prefix, draft->prefix, draft->prefix, draft->prefix);
}

/* Masses and junctions in a row, joined by springs and dampers, over a ground; sometimes a mass hits a stop. */
static void
draw_massless (DraftText *draft, guint32 seed)
{
  const guint n = 2 + draft_pick (draft, 6);
  const char *p = draft->prefix;

  draft_add (draft, "[ground %sn0]\n", p);
  for (guint i = 1; i <= n; i++)
    {
      const gboolean massless = i < n && (i == 1 || draft_chance (draft, 0.5));

      if (massless)
        draft_add (draft, "[junction %sn%u]\n", p, i);
      else
        draft_add (draft, "[mass %sn%u]\nmass = %.17g\nposition = %.17g\n", p, i,
                   draft_between (draft, 0.5, 3), draft_between (draft, -1e-3, 1e-3));
      draft_add (draft, "[spring %sk%u]\nstiffness = %.17g\nbetween = %sn%u, %sn%u\n", p, i,
                 draft_between (draft, 100, 10000), p, i - 1, p, i);
      if (draft_chance (draft, 0.5))
        draft_add (draft, "[damper %sd%u]\ndamping = %.17g\nbetween = %sn%u, %sn%u\n", p, i,
                   draft_between (draft, 1, 50), p, draft_pick (draft, i), p, i);
    }
  draft_add (draft, "[force %sf]\non = %sn%u\namplitude = 3\nfrequency = 20\n", p, p, n);
  if (seed % 2 == 1)
    draft_add (draft, "[impact %si]\nbetween = %sn%u, %sn0\ngap = 1 mm\nrestitution = 0.5\n", p, p,
               n, p);
}

/* A row of masses and a circuit beside it, a heap, or chains that something hits. */
static void
draw_contacts (DraftText *draft, guint32 seed)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (DraftPair));
  g_autofree char *one =
      seed % 16 == 15 ? draft_heap (2 + seed / 16 % 2, 3, seed / 16 % 2 == 0 ? 1e-6 : 1e-3, 0.5)
      : seed % 4 == 3 ? draft_chains (seed)
                      : draft_row (seed, pairs);
  g_autofree char *circuit = seed % 4 == 3 ? g_strdup ("") : draft_circuit (seed, pairs);

  g_string_append (draft->text, one);
  g_string_append (draft->text, circuit);
  if (seed % 4 == 1)
    draft_add (draft, "[bouc-wen yielding]\nbetween = g, m0\nstiffness = 50\nyield = 0.5\n"
                      "ratio = 0.2\nexponent = 2\n");
}

static void
draw_friction (DraftText *draft, guint32 seed)
{
  g_autofree char *text = seed % 2 == 0 ? draft_slides (seed) : draft_table (seed);

  g_string_append (draft->text, text);
}

static void
draw_mechanism (DraftText *draft, guint32 seed)
{
  g_autofree char *text = seed % 4 == 0 ? draft_mechanism (seed) : draft_rich_mechanism (seed);

  g_string_append (draft->text, text);
}

static void
draw_columns (DraftText *draft, guint32 seed)
{
  const guint n = 2 + draft_pick (draft, 30);

  draft->damped = 0.3;
  draft_masses (draft, n);
  join_any (draft, n, 2 * n, n);
  if (seed % 2 == 0)
    draft_link (draft, draft_ground (draft), 0);
}

/* Tens of soft masses that nothing joins to the other parts, and sometimes a ball that bounces at all times. */
static void
draw_beside (DraftText *draft, guint32 seed)
{
  const guint count = 5 + draft_pick (draft, 100);
  const char *p = draft->prefix;

  draft->self_contained = TRUE;
  draft_add (draft,
             "[ground %sg]\n[drive %sd]\namplitude = 1 mm\nfrequency = %.17g\n"
             "[chain %sc]\ncount = %u\nmass = 1, 2, 1.5\nstiffness = 100, 30, 70\n"
             "position = 1 mm, 0.3 mm, 0\nfrom = %sg\nto = %sd\n",
             p, p, draft_between (draft, 1, 10), p, count, p, p);
  if (draft_chance (draft, 0.5))
    draft_add (draft, "damping = 0.1, 0.2\n");
  /* Large positions here are no measure for the other parts. */
  if (seed % 3 == 0)
    draft_add (draft,
               "[mass %sf]\nmass = 1\nposition = %.17g km\nvelocity = 3 km/s\n[spring %sh]\n"
               "stiffness = 100\nbetween = %sg, %sf\n",
               p, draft_between (draft, 1, 90), p, p, p);
  if (seed % 2 == 1)
    draft_add (draft,
               "[mass %sb]\nmass = 1\nposition = 1 mm\n[gravity %se]\non = %sb\n"
               "[impact %si]\nrestitution = 0.7\nbetween = %sg, %sb\n",
               p, p, p, p, p, p);
}

char *
matrix_draw_text (guint32 seed, MatrixFeatures features)
{
  static const struct
  {
    MatrixFeatures feature;
    const char *prefix;
    void (*draw) (DraftText *draft, guint32 seed);
  } parts[] = {
    { MATRIX_COLUMNS, "c", draw_columns },    { MATRIX_LINE, "a", draw_line },
    { MATRIX_MEMBRANE, "me", draw_membrane }, { MATRIX_TANGLE, "t", draw_tangle },
    { MATRIX_CIRCUIT, "el", draw_circuit },   { MATRIX_CONTROLLERS, "q", draw_controllers },
    { MATRIX_MASSLESS, "j", draw_massless },  { MATRIX_CONTACTS, "", draw_contacts },
    { MATRIX_FRICTION, "", draw_friction },   { MATRIX_MECHANISM, "", draw_mechanism },
    { MATRIX_BESIDE, "zz", draw_beside },
  };
  GString *text = g_string_new (NULL);

  for (guint p = 0; p < G_N_ELEMENTS (parts); p++)
    if ((features & parts[p].feature) != 0)
      {
        DraftText draft;
        g_autofree char *part = NULL;

        draft_init (&draft, seed, parts[p].prefix);
        draft.eventful = (features & MATRIX_TIME_EVENTS) != 0;
        parts[p].draw (&draft, seed);
        part = draft_finish (&draft);
        g_string_append (text, part);
      }
  return g_string_free (text, FALSE);
}

char *
matrix_draw_plain_grid (guint width, guint height)
{
  DraftText draft;

  draft_init (&draft, 0, "");
  draft_masses (&draft, width * height);
  join_grid (&draft, width, height);
  return draft_finish (&draft);
}

char *
matrix_draw_grid (guint32 seed, guint width, guint height, gboolean scrambled)
{
  DraftText draft;

  draft_init (&draft, seed, "");
  draft.cubic = draft.damped = draft.swapped = 0.2;
  if (scrambled)
    draft.order = g_rand_new_with_seed (seed + 1);
  draft_masses (&draft, width * height);
  join_grid (&draft, width, height);
  draft_link (&draft, draft_drive (&draft), 5);
  draft_sources (&draft, width * height, 10);
  return draft_finish (&draft);
}

char *
matrix_draw_ring (guint32 seed, guint n, gboolean scrambled)
{
  DraftText draft;

  draft_init (&draft, seed, "");
  draft.damped = 0.05;
  if (scrambled)
    draft.order = g_rand_new_with_seed (seed + 1);
  draft_masses (&draft, n);
  for (guint i = 0; i < n; i++)
    draft_link (&draft, i, (i + 1) % n);
  for (int i = 0; i < 5; i++)
    draft_link (&draft, draft_drive (&draft), draft_pick (&draft, n));
  draft_sources (&draft, n, 10);
  return draft_finish (&draft);
}
