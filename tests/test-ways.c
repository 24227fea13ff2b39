/* test-ways.c: however a model is executed, it gives the numbers of the objects, bit for bit
 *
 * Ways: tiles of any width and depth, threads, levels of the processor's instructions, steps in one go
 * or in pieces, probes of any stride. `test-ways N` tries N ways for each network and scheme.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "fixture.h"
#include "run/run.h"

/* IFBAM_TILE: narrower and wider than skews, shallow and deep; NULL: what the engine chooses. */
static const char *const tiles[] = { NULL,    "1,2",   "3,5",    "8,64",   "16,3",   "24,16",
                                     "60,12", "100,2", "512,64", "700,33", "5000,7", "20000,64" };
static const char *const levels[] = { "baseline", "avx2", "avx512" };
static const guint strides[] = { 1, 3, 64 };

#define MOST_THREADS 3
#define STEPS        75

static guint ways; /* for each network and scheme */
static guint n_levels;
static GRand *choice; /* of ways */
static guint tried[G_N_ELEMENTS (tiles)][MOST_THREADS][G_N_ELEMENTS (levels)];

static int
set_up (void **state)
{
  g_autofree char *path = NULL;
  g_autoptr (GString) text = g_string_new ("time,x,f\n");

  (void) state;
  g_unsetenv ("IFBAM_TILE");
  g_unsetenv ("IFBAM_ISA");
  n_levels = (guint) ifbam_isa_choose () + 1;
  choice = g_rand_new_with_seed (1994);
  if (folder_make (state) != 0)
    return 1;
  for (int i = 0; i <= 20; i++)
    g_string_append_printf (text, "%.17g,%.17g,%.17g\n", 0.001 * i, 1e-3 * sin (0.9 * i),
                            5.0 * cos (1.7 * i));
  path = folder_write ("measured.csv", text->str);
  return 0;
}

static int
tear_down (void **state)
{
  g_rand_free (choice);
  return folder_remove (state);
}

/* Networks */

typedef struct
{
  GRand *random;
  GString *text;
  GPtrArray *settings;  /* ELEMENT.KEY=VALUE */
  const char *prefix;   /* of names in this part of the network */
  gboolean turns;       /* this part is of rotation */
  gboolean circuit;     /* or of electricity */
  double damped, cubic; /* part of the links that are dampers; of the springs that are cubic */
  double geared;        /* of the torsional ones, gears */
  guint yielding;       /* along a line one of so many links yields; 0: none does */
  double swapped;       /* of the links that are given right to left */
  GRand *order;         /* scrambles the nodes; NULL: they are in order */
  guint n_links, n_given, n_sources; /* so far */
} Sketch;

static Sketch *
sketch_new (guint32 seed)
{
  Sketch *sketch = g_new0 (Sketch, 1);

  sketch->random = g_rand_new_with_seed (seed);
  sketch->text = g_string_new (NULL);
  sketch->settings = g_ptr_array_new_with_free_func (g_free);
  sketch->prefix = "";
  return sketch;
}

static void
sketch_free (Sketch *sketch)
{
  g_rand_free (sketch->random);
  g_clear_pointer (&sketch->order, g_rand_free);
  g_string_free (sketch->text, TRUE);
  g_ptr_array_unref (sketch->settings);
  g_free (sketch);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Sketch, sketch_free)

static double
between (Sketch *sketch, double low, double high)
{
  return g_rand_double_range (sketch->random, low, high);
}

static gboolean
chance (Sketch *sketch, double part)
{
  return g_rand_double (sketch->random) < part;
}

static guint
pick (GRand *random, guint n)
{
  return (guint) g_rand_int_range (random, 0, (gint32) n);
}

G_GNUC_PRINTF (2, 3)
static void
add (Sketch *sketch, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_string_append_vprintf (sketch->text, format, arguments);
  va_end (arguments);
}

/* Nodes of a part by number; given ones from here on. */
#define GIVEN 0x1000000u

static char *
name_of (const Sketch *sketch, guint node)
{
  return node < GIVEN ? g_strdup_printf ("%sm%u", sketch->prefix, node)
                      : g_strdup_printf ("%sg%u", sketch->prefix, node - GIVEN);
}

/* The same masses whether they are scrambled or not. */
static void
add_masses (Sketch *sketch, guint n)
{
  static const char *const all_words[][4] = { { "mass", "mass", "position", "velocity" },
                                              { "inertia", "inertia", "angle", "speed" },
                                              { "capacitor", "capacitance", "flux", "voltage" } };
  const char *const *words = all_words[sketch->circuit ? 2 : sketch->turns ? 1 : 0];
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (groups,
                     g_strdup_printf ("[%s %sm%u]\n%s = %.17g\n%s = %.17g\n%s = %.17g\n", words[0],
                                      sketch->prefix, i, words[1], between (sketch, 0.5, 3),
                                      words[2], between (sketch, -1e-3, 1e-3), words[3],
                                      between (sketch, -0.1, 0.1)));
  for (guint i = n; i > 1 && sketch->order != NULL; i--)
    {
      guint other = pick (sketch->order, i);
      gpointer swap = groups->pdata[i - 1];

      groups->pdata[i - 1] = groups->pdata[other];
      groups->pdata[other] = swap;
    }
  for (guint i = 0; i < n; i++)
    g_string_append (sketch->text, groups->pdata[i]);
}

static guint
add_ground (Sketch *sketch)
{
  add (sketch, "[ground %sg%u]\nposition = %.17g\n", sketch->prefix, sketch->n_given,
       between (sketch, -1e-3, 1e-3));
  return GIVEN + sketch->n_given++;
}

static guint
add_drive (Sketch *sketch)
{
  if (sketch->circuit)
    {
      add (sketch, "[voltage-source %sg%u]\n", sketch->prefix, sketch->n_given);
      if (chance (sketch, 0.3))
        add (sketch, "course = measured.csv:x\n");
      else
        add (sketch, "voltage = %.17g\namplitude = %.17g\nfrequency = %.17g\n",
             between (sketch, -0.05, 0.05), between (sketch, 0, 0.2), between (sketch, 1, 60));
      return GIVEN + sketch->n_given++;
    }
  if (chance (sketch, 0.3))
    add (sketch, "[drive %sg%u]\ncourse = measured.csv:x\n", sketch->prefix, sketch->n_given);
  else
    add (sketch,
         "[drive %sg%u]\nposition = %.17g\nvelocity = %.17g\namplitude = %.17g\n"
         "frequency = %.17g\nphase = %.17g deg\n",
         sketch->prefix, sketch->n_given, between (sketch, -1e-3, 1e-3),
         between (sketch, -0.05, 0.05), between (sketch, 0, 2e-3), between (sketch, 1, 60),
         between (sketch, 0, 360));
  return GIVEN + sketch->n_given++;
}

static void
add_link (Sketch *sketch, guint left, guint right)
{
  const char *torsion = sketch->turns ? "torsion-" : "";
  const gboolean swapped = chance (sketch, sketch->swapped);
  const guint number = sketch->n_links++;
  g_autofree char *one = name_of (sketch, swapped ? right : left);
  g_autofree char *other = name_of (sketch, swapped ? left : right);

  if (sketch->circuit && chance (sketch, sketch->damped))
    add (sketch, "[resistor %sl%u]\nresistance = %.17g\n", sketch->prefix, number,
         between (sketch, 0.2, 5));
  else if (sketch->circuit)
    add (sketch, "[inductor %sl%u]\ninductance = %.17g\ncurrent = %.17g\n", sketch->prefix, number,
         between (sketch, 1e-4, 1e-2), between (sketch, -1, 1));
  else if (chance (sketch, sketch->damped))
    add (sketch, "[%sdamper %sl%u]\ndamping = %.17g\n", torsion, sketch->prefix, number,
         between (sketch, 0, 5));
  else if (sketch->turns && chance (sketch, sketch->geared))
    add (sketch, "[gear %sl%u]\nratio = %.17g\nstiffness = %.17g\ndamping = %.17g\n",
         sketch->prefix, number, (chance (sketch, 0.5) ? -1 : 1) * between (sketch, 0.3, 2),
         between (sketch, 100, 5000), chance (sketch, 0.5) ? 0 : between (sketch, 0, 3));
  else if (!sketch->turns && sketch->yielding > 0 && number % sketch->yielding == 1)
    add (sketch,
         "[bouc-wen %sl%u]\nstiffness = %.17g\nratio = 0.2\nyield = %.17g\nbeta = 0.7\n"
         "exponent = %u\n",
         sketch->prefix, number, between (sketch, 100, 10000), between (sketch, 1e-2, 5e-2),
         1 + number % 3);
  else if (chance (sketch, sketch->cubic))
    add (sketch, "[%sspring %sl%u]\nstiffness = %.17g\ncubic = %.17g\n", torsion, sketch->prefix,
         number, between (sketch, 100, 10000), between (sketch, 0, 1e8));
  else
    add (sketch, "[%sspring %sl%u]\nstiffness = %.17g\n", torsion, sketch->prefix, number,
         between (sketch, 100, 10000));
  add (sketch, "between = %s, %s\n", one, other);
}

static void
add_source (Sketch *sketch, const char *node)
{
  const guint number = sketch->n_sources++;
  const char *class_name = sketch->circuit ? "current-source" : sketch->turns ? "torque" : "force";

  if (chance (sketch, 0.3))
    add (sketch, "[%s %sf%u]\non = %s\ncourse = measured.csv:f\nstart = -2 ms\n", class_name,
         sketch->prefix, number, node);
  else
    /* What starts or ends in a run is an event, and of another engine. */
    add (sketch,
         "[%s %sf%u]\non = %s\nvalue = %.17g\namplitude = %.17g\nfrequency = %.17g\n"
         "start = %.17g\n",
         class_name, sketch->prefix, number, node, between (sketch, -5, 5), between (sketch, 0, 5),
         between (sketch, 0, 200), between (sketch, -5e-3, 0));
}

/* On the masses one after the other, and on single ones. */
static void
add_drags (Sketch *sketch, guint n_nodes, guint n)
{
  const guint first = n_nodes / 2;

  for (guint i = 0; i < n; i++)
    add (sketch, "[drag %sw%u]\non = %sm%u\ncoefficient = %.17g\n", sketch->prefix, i,
         sketch->prefix, i < n / 2 ? (first + i) % n_nodes : pick (sketch->random, n_nodes),
         between (sketch, 0, 40));
}

static void
add_gravity (Sketch *sketch, guint n_nodes)
{
  const guint first = pick (sketch->random, n_nodes);

  add (sketch, "[gravity %sgravity]\non = %sm%u", sketch->prefix, sketch->prefix, first);
  for (guint i = first + 1; i < n_nodes; i++)
    if (i % 100 < 80)
      add (sketch, ", %sm%u", sketch->prefix, i);
  add (sketch, "\n");
}

static void
add_sources (Sketch *sketch, guint n_nodes, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *node = name_of (sketch, pick (sketch->random, n_nodes));

      add_source (sketch, node);
      while (chance (sketch, 0.3)) /* another one on the same node */
        add_source (sketch, node);
    }
}

static void
add_chain (Sketch *sketch, const char *name, guint count, gboolean damped, guint from, guint to)
{
  g_autofree char *head = name_of (sketch, from), *tail = name_of (sketch, to);

  add (sketch,
       "[chain %s]\ncount = %u\n%s = 1, 2, 1.5, 0.7\nstiffness = 10000, 3000, 7000\n"
       "%s = 1e-3, 3e-4, -1e-3, 1e-4, 0\n%s = 0.1, -0.04, 0.07\n%sfrom = %s\nto = %s\n",
       name, count, sketch->turns ? "inertia" : "mass", sketch->turns ? "angle" : "position",
       sketch->turns ? "speed" : "velocity", damped ? "damping = 1, 2, 3, 4, 5\n" : "", head, tail);
  for (int i = 0; i < 4; i++)
    g_ptr_array_add (sketch->settings,
                     g_strdup_printf ("%s.k%u.cubic=1e8", name, 1 + pick (sketch->random, count)));
  for (int i = 0; i < 6; i++)
    {
      g_autofree char *node = g_strdup_printf ("%s.m%u", name, 1 + pick (sketch->random, count));

      add_source (sketch, node);
    }
}

static void
draw_chain (Sketch *sketch)
{
  guint wall = add_ground (sketch), shaker = add_drive (sketch);

  add_chain (sketch, "c", 2901, FALSE, wall, shaker);
  add (sketch, "[gravity earth]\non = c\n");
}

static void
draw_damped_chain (Sketch *sketch)
{
  guint wall = add_ground (sketch), shaker = add_drive (sketch);

  add_chain (sketch, "c", 2200, TRUE, shaker, wall);
}

static void
draw_ladder (Sketch *sketch)
{
  const guint n = 1100;

  sketch->damped = 0.02;
  add_masses (sketch, 2 * n);
  for (guint i = 0; i < n; i++)
    add_link (sketch, 2 * i, 2 * i + 1);
  for (guint i = 0; i + 1 < n; i++)
    {
      add_link (sketch, 2 * i, 2 * i + 2);
      add_link (sketch, 2 * i + 1, 2 * i + 3);
    }
  for (int i = 0; i < 3; i++)
    add_link (sketch, add_drive (sketch), pick (sketch->random, 2 * n));
  add_sources (sketch, 2 * n, 10);
  add_drags (sketch, 2 * n, 80);
  add_gravity (sketch, 2 * n);
}

static void
join_membrane (Sketch *sketch, guint width, guint height)
{
  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++)
      {
        if (x + 1 < width)
          add_link (sketch, y * width + x, y * width + x + 1);
        if (y + 1 < height)
          add_link (sketch, y * width + x, (y + 1) * width + x);
      }
}

/* One edge stands, one is shaken as a whole, and drives sit on single masses. */
static void
draw_membrane (Sketch *sketch)
{
  const guint width = 40, height = 55;
  guint wall, shaker;

  sketch->damped = 0.01;
  sketch->cubic = 0.01;
  add_masses (sketch, width * height);
  wall = add_ground (sketch);
  shaker = add_drive (sketch);
  join_membrane (sketch, width, height);
  for (guint x = 0; x < width; x++)
    {
      add_link (sketch, wall, x);
      add_link (sketch, (height - 1) * width + x, shaker);
    }
  for (int i = 0; i < 30; i++)
    add_link (sketch, add_drive (sketch), pick (sketch->random, width * height));
  add_sources (sketch, width * height, 20);
}

static void
draw_scrambled_membrane (Sketch *sketch)
{
  const guint width = 33, height = 64;
  guint shaker;

  sketch->cubic = 0.1;
  sketch->damped = 0.1;
  sketch->yielding = 7;
  sketch->swapped = 0.3;
  sketch->order = g_rand_new_with_seed (5);
  add_masses (sketch, width * height);
  join_membrane (sketch, width, height);
  shaker = add_drive (sketch);
  for (guint x = 0; x < width; x++)
    add_link (sketch, shaker, x);
  add_sources (sketch, width * height, 20);
}

static void
draw_ring (Sketch *sketch)
{
  const guint n = 2100;

  sketch->damped = 0.05;
  add_masses (sketch, n);
  for (guint i = 0; i < n; i++)
    add_link (sketch, i, (i + 1) % n);
  for (int i = 0; i < 5; i++)
    add_link (sketch, add_drive (sketch), pick (sketch->random, n));
  add_sources (sketch, n, 10);
}

static void
draw_scrambled_ring (Sketch *sketch)
{
  sketch->order = g_rand_new_with_seed (6);
  draw_ring (sketch);
}

static void
join_at_random (Sketch *sketch, guint n, guint n_links)
{
  for (guint i = 0; i < n_links && n > 1; i++)
    {
      guint one = pick (sketch->random, n), other = pick (sketch->random, n - 1);

      add_link (sketch, one, other < one ? other : other + 1);
    }
}

static void
draw_graph (Sketch *sketch)
{
  const guint n = 1200;

  sketch->damped = 0.2;
  sketch->yielding = 7;
  sketch->cubic = 0.2;
  sketch->swapped = 0.5;
  add_masses (sketch, n);
  join_at_random (sketch, n, 3000);
  for (int i = 0; i < 40; i++)
    add_link (sketch, i % 2 == 0 ? add_drive (sketch) : add_ground (sketch),
              pick (sketch->random, n));
  add_sources (sketch, n, 20);
}

/* Links reach as far as one hundred numbers. */
static void
draw_banded_graph (Sketch *sketch)
{
  const guint n = 2100;

  sketch->damped = 0.2;
  sketch->yielding = 7;
  sketch->cubic = 0.1;
  sketch->swapped = 0.5;
  add_masses (sketch, n);
  for (int i = 0; i < 3100; i++)
    {
      guint one = pick (sketch->random, n - 100);

      add_link (sketch, one, one + 1 + pick (sketch->random, 100));
    }
  for (int i = 0; i < 10; i++)
    add_link (sketch, add_drive (sketch), pick (sketch->random, n));
  add_sources (sketch, n, 20);
}

/* Chains with branches and dampers along them, to ground and beside springs. */
static void
draw_branches (Sketch *sketch)
{
  const guint n = 2100;
  guint wall = add_ground (sketch);

  sketch->cubic = 0.05;
  add_masses (sketch, n);
  for (guint i = 1; i < n; i++)
    {
      guint from = i % 400 == 0 ? pick (sketch->random, i) : i - 1;

      sketch->damped = 0;
      add_link (sketch, from, i);
      sketch->damped = 1;
      if (i % 1000 < 300)
        add_link (sketch, from, i);
      if (i % 700 > 600)
        add_link (sketch, i, wall);
    }
  add_sources (sketch, n, 10);
}

/* Hubs with more arms than a node run or a packed table has ports. */
static void
draw_stars (Sketch *sketch)
{
  const guint n = 2200;

  sketch->swapped = 0.5;
  sketch->damped = 0.1;
  sketch->yielding = 7;
  add_masses (sketch, n);
  for (guint i = 0, arms; i < n; i += arms + 1)
    {
      arms = 5 + pick (sketch->random, 36);
      for (guint k = 1; k <= arms && i + k < n; k++)
        add_link (sketch, i, i + k);
      if (i > 0 && chance (sketch, 0.5))
        add_link (sketch, i - 1, i);
    }
  add_sources (sketch, n, 10);
}

/* A train of wheels, geared along all of it, with shafts to another one beside; renumbered. */
static void
draw_gears (Sketch *sketch)
{
  const guint n = 1100;

  sketch->turns = TRUE;
  sketch->order = g_rand_new_with_seed (7);
  add_masses (sketch, 2 * n);
  sketch->geared = 0.9;
  for (guint i = 0; i + 1 < n; i++)
    add_link (sketch, i, i + 1);
  sketch->geared = 0.1;
  for (guint i = 0; i + 1 < n; i++)
    {
      add_link (sketch, n + i, n + i + 1);
      if (i % 7 == 0)
        add_link (sketch, i, n + i);
    }
  sketch->geared = 1;
  for (int i = 0; i < 6; i++)
    add_link (sketch, i % 2 == 0 ? add_drive (sketch) : add_ground (sketch),
              pick (sketch->random, 2 * n));
  for (int i = 0; i < 6; i++)
    add_link (sketch, pick (sketch->random, 2 * n),
              i % 2 == 0 ? add_drive (sketch) : add_ground (sketch));
  add_sources (sketch, 2 * n, 10);
}

/* Several of all, of all domains, beside masses that nobody is joined to. */
static void
draw_mixed (Sketch *sketch)
{
  static const char *const prefixes[] = { "a", "b", "c", "d", "e", "f" };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    {
      g_autofree char *chain = g_strdup_printf ("%schain", prefixes[i]);

      sketch->prefix = prefixes[i];
      sketch->turns = i % 2 == 1;
      sketch->circuit = i == 5;
      sketch->n_given = 0;
      sketch->damped = sketch->cubic = sketch->geared = 0.05 * i;
      add_masses (sketch, 260 + 10 * i);
      join_membrane (sketch, 20, 13);
      for (guint k = 0; k < 3; k++)
        add_link (sketch, add_drive (sketch), pick (sketch->random, 260));
      if (!sketch->circuit)
        add_chain (sketch, chain, 150 + 3 * i, i == 2, add_ground (sketch), 17);
      add_sources (sketch, 260, 5);
      if (!sketch->turns && !sketch->circuit)
        {
          add_drags (sketch, 260, 10 * i);
          add_gravity (sketch, 260);
        }
    }
}

/* One to a hundred elements. */
static void
draw_small (Sketch *sketch)
{
  const guint n = 1 + pick (sketch->random, chance (sketch, 0.5) ? 5 : 50);

  sketch->damped = chance (sketch, 0.5) ? 0 : 0.3;
  sketch->yielding = pick (sketch->random, 5);
  sketch->cubic = chance (sketch, 0.5) ? 0 : 0.3;
  sketch->swapped = chance (sketch, 0.5) ? 0 : 0.5;
  sketch->turns = chance (sketch, 0.3);
  sketch->geared = chance (sketch, 0.5) ? 0 : 0.5;
  sketch->circuit = chance (sketch, 0.3);
  add_masses (sketch, n);
  if (chance (sketch, 0.5))
    for (guint i = 0; i + 1 < n; i++)
      add_link (sketch, i, i + 1);
  else
    join_at_random (sketch, n, pick (sketch->random, 2 * n));
  while (chance (sketch, 0.5))
    add_link (sketch, pick (sketch->random, n),
              chance (sketch, 0.5) ? add_drive (sketch) : add_ground (sketch));
  if (chance (sketch, 0.5))
    add_sources (sketch, n, 1 + pick (sketch->random, 3));
  if (!sketch->turns && !sketch->circuit && chance (sketch, 0.4))
    add_drags (sketch, n, 1 + pick (sketch->random, 3));
  if (!sketch->turns && !sketch->circuit && chance (sketch, 0.4))
    add_gravity (sketch, n);
}

static IfbamNetwork *
build (const Sketch *sketch, const char *record)
{
  g_autofree char *text =
      g_strdup_printf ("[network]\nstep = 0.2 ms\nduration = %.17g\nrecord = %s\n%s",
                       STEPS * 0.2e-3, record, sketch->text->str);
  IfbamNetwork *network;

  g_ptr_array_add (sketch->settings, NULL);
  network = text_network_set (text, (const char *const *) sketch->settings->pdata);
  g_ptr_array_set_size (sketch->settings, (int) sketch->settings->len - 1);
  return network;
}

static IfbamModel *
compile (IfbamNetwork *network, const char *level, IfbamRunSpec *spec)
{
  g_autoptr (GError) error = NULL;
  IfbamModel *model;

  g_setenv ("IFBAM_ISA", level, TRUE);
  model = ifbam_network_compile_or_error (network, TRUE, spec, NULL, &error);
  g_unsetenv ("IFBAM_ISA");
  if (model == NULL)
    fail_msg ("%s", error->message);
  assert_string_equal (levels[spec->isa], level);
  return model;
}

/* What the numbers are */

typedef struct
{
  const char *what;
  const IfbamModel *model;
  guint64 steps;
  gsize n, *node;          /* that are looked at, step by step */
  double *position, *rate; /* of them after each step that can be told (steps)(n) */
  double *last;            /* positions and rates of all nodes at the end (2)(n_nodes) */
  guint64 heard;           /* a sum over all that was said */
} Reference;

typedef struct
{
  const IfbamModel *model;
  guint64 sum;
} Ear;

/* FNV-1a. */
static void
listen (gpointer data, guint stage, const double *position, const double *rate)
{
  Ear *ear = data;

  for (gsize i = 0; i < 2 * ear->model->n_nodes; i++)
    {
      const double *said = i % 2 == 0 ? position : rate;
      guint64 bits;

      memcpy (&bits, &said[i / 2], sizeof bits);
      ear->sum = (ear->sum ^ (bits + stage)) * 0x100000001b3u;
    }
}

static void
reference_init (Reference *reference, const IfbamModel *model, const IfbamRunSpec *spec,
                const char *what, guint64 steps, IfbamEngine *engine)
{
  Ear ear = { model, 0 };
  IfbamProbes probes = { .stride = 1 };
  const double part = MAX (0.1, 10.0 / (double) model->n_nodes);

  *reference = (Reference){ .what = what, .model = model, .steps = steps };
  reference->node = g_new (gsize, model->n_nodes);
  for (gsize i = 0; i < model->n_nodes; i++)
    if (i == 0 || i >= model->n_free - 1 || g_rand_double (choice) < part)
      reference->node[reference->n++] = i;
  probes.n = reference->n;
  probes.node = reference->node;
  probes.position = reference->position = g_new (double, steps *probes.n);
  probes.rate = reference->rate = g_new (double, steps *probes.n);
  reference->last = g_new (double, 2 * model->n_nodes);
  engine->listener = listen;
  engine->listener_data = &ear;
  ifbam_engine_start (engine);
  ifbam_engine_advance (engine, steps, &probes);
  ifbam_engine_get_nodes (engine, 0, model->n_nodes, reference->last,
                          reference->last + model->n_nodes);
  reference->heard = ear.sum;
  for (gsize i = 0; i < 2 * model->n_nodes; i++)
    if (!(fabs (reference->last[i]) < 1e3))
      fail_msg ("%s, %s: %g at node %zu is no good test", what, spec->scheme->name,
                reference->last[i], i % model->n_nodes);
}

static void
reference_clear (Reference *reference)
{
  g_free (reference->node);
  g_free (reference->position);
  g_free (reference->rate);
  g_free (reference->last);
}

/* Ways */

typedef struct
{
  const char *tile;
  guint threads, stride;
  gboolean pieces;   /* steps in uneven pieces */
  gboolean restarts; /* begins again after some steps */
  gboolean listens;
  gboolean single; /* only one node is looked at */
} Way;

G_GNUC_NORETURN static void
fail_way (const Reference *reference, const IfbamRunSpec *spec, const Way *way, const char *where)
{
  fail_msg ("%s, %s%s, tile %s, %u threads, %s, stride %u%s%s%s%s: differs %s", reference->what,
            spec->scheme->name, spec->cold ? " cold" : "", way->tile == NULL ? "-" : way->tile,
            way->threads, levels[spec->isa], way->stride, way->pieces ? ", pieces" : "",
            way->restarts ? ", restarted" : "", way->listens ? ", heard" : "",
            way->single ? ", one probe" : "", where);
  abort ();
}

/* How many multiples of a stride are below a step. */
static guint64
rows_below (guint64 step, guint stride)
{
  return (step + stride - 1) / stride;
}

static void
advance (IfbamEngine *engine, const Reference *reference, const Way *way, IfbamProbes *probes)
{
  const guint64 lookahead = ifbam_engine_lookahead (engine->spec);

  while (engine->steps < reference->steps)
    {
      const guint64 before = engine->steps;
      const guint64 piece = 1 + pick (choice, pick (choice, 2) == 0 ? 4 : 90);
      const guint64 left = reference->steps - before, n = way->pieces ? MIN (piece, left) : left;
      gsize rows;

      ifbam_engine_advance (engine, n, probes);
      assert_int_equal (engine->steps, before + n);
      /* Told are the steps from before + 1 - lookahead to before + n - lookahead. */
      rows = (gsize) (rows_below (before + n + 1 - lookahead, way->stride)
                      - rows_below (before + 1 - lookahead, way->stride))
             * probes->n;
      probes->position += rows;
      probes->rate += rows;
    }
}

static IfbamEngine *
tiled_engine (const IfbamModel *model, const IfbamRunSpec *spec, const char *tile, guint threads)
{
  IfbamEngine *engine;

  if (tile != NULL)
    g_setenv ("IFBAM_TILE", tile, TRUE);
  engine = ifbam_compiled_engine_new (model, spec, threads);
  g_unsetenv ("IFBAM_TILE");
  return engine;
}

/* The rows that were told, and no more. */
static void
compare_rows (const Reference *reference, const IfbamRunSpec *spec, const Way *way,
              const IfbamProbes *probes, gsize from, gsize rows)
{
  const gsize lookahead = ifbam_engine_lookahead (spec), n = probes->n;

  for (gsize row = 0; row < rows; row++)
    {
      const gsize step = (row + 1 - lookahead) * way->stride;
      const gsize of = (step + lookahead - 1) * reference->n + from;

      if (memcmp (probes->position + row * n, reference->position + of, n * sizeof (double)) != 0
          || memcmp (probes->rate + row * n, reference->rate + of, n * sizeof (double)) != 0)
        {
          g_autofree char *where = g_strdup_printf ("at step %zu", step);

          fail_way (reference, spec, way, where);
        }
    }
  for (gsize i = rows * n; i < (rows + 1) * n; i++)
    if (probes->position[i] != 1994 || probes->rate[i] != 1994)
      fail_way (reference, spec, way, "behind the last row");
}

static void
try_way (const Reference *reference, const IfbamModel *model, const IfbamRunSpec *spec,
         const Way *way)
{
  const guint64 lookahead = ifbam_engine_lookahead (spec);
  const gsize from = way->single ? pick (choice, (guint) reference->n) : 0;
  const gsize n = way->single ? 1 : reference->n;
  const gsize rows = (gsize) (rows_below (reference->steps + 1 - lookahead, way->stride)
                              - rows_below (1 - lookahead, way->stride));
  g_autofree double *position = g_new (double, (rows + 1) * n);
  g_autofree double *rate = g_new (double, (rows + 1) * n);
  g_autofree double *last = g_new (double, 2 * model->n_nodes);
  const IfbamProbes all = { n, reference->node + from, way->stride, position, rate };
  IfbamProbes probes = all;
  g_autoptr (IfbamEngine) engine = tiled_engine (model, spec, way->tile, way->threads);
  Ear ear = { model, 0 };

  for (gsize i = rows * n; i < (rows + 1) * n; i++)
    position[i] = rate[i] = 1994;
  ifbam_engine_start (engine);
  if (way->restarts)
    {
      ifbam_engine_advance (engine, 1 + pick (choice, 80), NULL);
      ifbam_engine_start (engine);
      assert_int_equal (engine->steps, 0);
    }
  if (way->listens)
    {
      engine->listener = listen;
      engine->listener_data = &ear;
    }
  advance (engine, reference, way, &probes);
  assert_true (probes.position == position + rows * n);
  ifbam_engine_get_nodes (engine, 0, model->n_nodes, last, last + model->n_nodes);
  compare_rows (reference, spec, way, &all, from, rows);
  if (memcmp (last, reference->last, 2 * model->n_nodes * sizeof (double)) != 0)
    fail_way (reference, spec, way, "at the end");
  if (way->listens && ear.sum != reference->heard)
    fail_way (reference, spec, way, "in what the listener hears");
}

static void
compare_ways (IfbamNetwork *network, const char *what, guint64 steps, const Way *all, guint n)
{
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = compile (network, levels[n_levels - 1], &spec);
  g_autoptr (IfbamEngine) objects = ifbam_objects_engine_new (model, &spec);
  Reference reference;

  reference_init (&reference, model, &spec, what, steps, objects);
  for (guint w = 0; w < n; w++)
    try_way (&reference, model, &spec, &all[w]);
  reference_clear (&reference);
}

static guint
compare_scheme (IfbamNetwork *network, const char *what, guint64 steps, guint n)
{
  IfbamModel *models[G_N_ELEMENTS (levels)] = { NULL };
  IfbamRunSpec specs[G_N_ELEMENTS (levels)] = { 0 };
  g_autoptr (IfbamEngine) objects = NULL;
  Reference reference;

  for (guint i = 0; i < n_levels; i++)
    models[i] = compile (network, levels[i], &specs[i]);
  objects = ifbam_objects_engine_new (models[0], &specs[0]);
  reference_init (&reference, models[0], &specs[0], what, steps, objects);
  for (guint w = 0; w < n; w++)
    {
      const guint tile = pick (choice, 4) == 0 ? 0 : pick (choice, G_N_ELEMENTS (tiles));
      const guint level = pick (choice, n_levels);
      const Way way = { .tile = tiles[tile],
                        .threads = 1 + pick (choice, MOST_THREADS),
                        .stride = strides[pick (choice, G_N_ELEMENTS (strides))],
                        .pieces = pick (choice, 2) == 1,
                        .restarts = pick (choice, 4) == 0,
                        .listens = pick (choice, 12) == 0,
                        .single = pick (choice, 3) == 0 };

      tried[tile][way.threads - 1][level]++;
      try_way (&reference, models[level], &specs[level], &way);
    }
  reference_clear (&reference);
  g_clear_pointer (&objects, ifbam_engine_free);
  for (guint i = 0; i < n_levels; i++)
    {
      ifbam_model_free (models[i]);
      ifbam_run_spec_clear (&specs[i]);
    }
  return n;
}

/* Those that tiles know: what is solved as equations has one way, and sums in the order of its elimination. */
static const IfbamScheme *const *
explicit_schemes (guint *n)
{
  static const IfbamScheme *found[32];
  guint n_all;
  const IfbamScheme *const *all = ifbam_schemes (&n_all);

  *n = 0;
  for (guint s = 0; s < n_all && s < G_N_ELEMENTS (found); s++)
    if (ifbam_scheme_tableau (all[s]) == NULL)
      found[(*n)++] = all[s];
  return found;
}

static guint
compare_all_schemes (IfbamNetwork *network, const char *what, guint64 steps, guint each)
{
  guint n_schemes, n = 0;
  const IfbamScheme *const *schemes = explicit_schemes (&n_schemes);

  for (guint s = 0; s < n_schemes; s++)
    for (int cold = 0; cold <= (schemes[s]->begin_cold != NULL ? 1 : 0); cold++)
      {
        g_object_set (ifbam_network_get_settings (network), "scheme", schemes[s]->name, "start",
                      cold ? "cold" : "warm", NULL);
        n += compare_scheme (network, what, steps, each);
      }
  return n;
}

static const struct
{
  const char *name;
  void (*draw) (Sketch *sketch);
  gboolean renumbered;
} drawings[] = {
  { "chain", draw_chain, FALSE },
  { "damped chain", draw_damped_chain, FALSE },
  { "ladder", draw_ladder, FALSE },
  { "membrane", draw_membrane, FALSE },
  { "scrambled membrane", draw_scrambled_membrane, TRUE },
  { "scrambled ring", draw_scrambled_ring, TRUE },
  { "graph", draw_graph, FALSE },
  { "banded graph", draw_banded_graph, FALSE },
  { "branches", draw_branches, FALSE },
  { "stars", draw_stars, FALSE },
  { "gears", draw_gears, TRUE },
  { "mixed", draw_mixed, FALSE },
};

static void
test_large_networks (void **state)
{
  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (drawings); i += by_effort (4, 1, 1))
    {
      g_autoptr (Sketch) sketch = sketch_new (i);
      g_autoptr (IfbamNetwork) network = NULL;
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model = NULL;
      guint n;

      drawings[i].draw (sketch);
      network = build (sketch, "network.energy");
      model = compile (network, levels[0], &spec);
      if (drawings[i].renumbered)
        assert_non_null (model->number);
      n = compare_all_schemes (network, drawings[i].name, STEPS, ways);
      print_message ("# %s: %zu nodes, %zu links, %zu sources, bandwidth %zu%s: %u ways\n",
                     drawings[i].name, model->n_nodes, model->n_links, model->n_sources,
                     model->bandwidth, model->number != NULL ? " after renumbering" : "", n);
    }
}

static void
test_small_networks (void **state)
{
  guint n = 0;

  (void) state;
  for (guint32 seed = 0; seed < 8 * ways; seed++)
    {
      g_autoptr (Sketch) sketch = sketch_new (1000 + seed);
      g_autoptr (IfbamNetwork) network = NULL;
      g_autofree char *what = g_strdup_printf ("small network %u", seed);

      draw_small (sketch);
      network = build (sketch, "network.energy");
      n += compare_all_schemes (network, what, seed % 8 == 0 ? STEPS : 40, 5);
    }
  print_message ("# %u small networks, %u ways\n", 8 * ways, n);
}

/* Chains and stars of few masses, whose cycle is one call for all links and one for all masses. */
static void
test_smallest_networks (void **state)
{
  static const Way all[] = { { .threads = 1, .stride = 1, .single = TRUE },
                             { .threads = 1, .stride = 1, .single = TRUE, .pieces = TRUE },
                             { .threads = 1, .stride = 3, .single = TRUE, .restarts = TRUE },
                             { .threads = 1, .stride = 1 },
                             { .threads = 2, .stride = 1 },
                             { .tile = "3,5", .threads = 1, .stride = 1 } };
  guint n_schemes;
  const IfbamScheme *const *schemes = explicit_schemes (&n_schemes);

  (void) state;
  for (guint n = 2; n <= 8; n++)
    for (guint s = 0; s < n_schemes; s++)
      {
        g_autoptr (Sketch) sketch = sketch_new (n);
        g_autoptr (IfbamNetwork) network = NULL;

        add_masses (sketch, n);
        for (guint i = 1; i < n; i++)
          add_link (sketch, n % 2 == 0 ? i - 1 : 0, i);
        if (n % 3 != 0)
          add_link (sketch, add_ground (sketch), 0);
        network = build (sketch, "network.energy");
        g_object_set (ifbam_network_get_settings (network), "scheme", schemes[s]->name, NULL);
        compare_ways (network, "smallest", 200, all, G_N_ELEMENTS (all));
      }
}

/* Were all tiles, with all numbers of threads, at all levels of instructions? */
static void
test_all_were_tried (void **state)
{
  (void) state;
  if (ways < 5)
    skip ();
  for (guint t = 0; t < G_N_ELEMENTS (tiles); t++)
    for (guint k = 0; k < MOST_THREADS; k++)
      for (guint l = 0; l < n_levels; l++)
        assert_true (tried[t][k][l] > 0);
}

/* So large that the engine takes tiles and threads by itself; against a cycle after the other. */
static void
test_default_ways (void **state)
{
  static const char *const schemes[] = { "averaged", "verlet", "rk4" };
  g_autoptr (Sketch) sketch = sketch_new (3);
  g_autoptr (IfbamNetwork) network = NULL;
  guint wall = add_ground (sketch), shaker = add_drive (sketch);

  (void) state;
  add_chain (sketch, "c", 40000, TRUE, wall, shaker);
  network = build (sketch, "network.energy");
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model = NULL;
      g_autoptr (IfbamEngine) plain = NULL, shared = NULL;
      Reference reference;
      Way way = { .stride = 3 };

      g_object_set (ifbam_network_get_settings (network), "scheme", schemes[s], NULL);
      model = compile (network, levels[n_levels - 1], &spec);
      plain = tiled_engine (model, &spec, "1,1", 1);
      assert_int_equal (((IfbamCompiledEngine *) plain)->n_threads, 1);
      shared = tiled_engine (model, &spec, "64,16", MOST_THREADS);
      assert_int_equal (((IfbamCompiledEngine *) shared)->n_threads, MOST_THREADS);
      reference_init (&reference, model, &spec, "long chain", 70, plain);
      try_way (&reference, model, &spec, &way);
      way.pieces = TRUE;
      way.threads = MOST_THREADS;
      try_way (&reference, model, &spec, &way);
      reference_clear (&reference);
    }
}

/* For a few steps: the same energy, to the last bit. */
static void
assert_objects_agree (IfbamNetwork *network)
{
  IfbamElement *settings = ifbam_network_get_settings (network);
  g_autoptr (IfbamCourse) compiled = NULL, objects = NULL;
  gsize n, m;
  const double *one, *other;
  double step;

  g_object_get (settings, "step", &step, NULL);
  g_object_set (settings, "duration", 3 * step, NULL);
  compiled = network_course (network, IFBAM_ENGINE_PLAN);
  objects = network_course (network, IFBAM_ENGINE_OBJECTS);
  one = ifbam_course_get_values (compiled, "network.energy", &n, NULL);
  other = ifbam_course_get_values (objects, "network.energy", &m, NULL);
  assert_int_equal (n, m);
  assert_true (n > 2);
  assert_memory_equal (one, other, n * sizeof *one);
}

/* So large that nodes form the middles of their links' paths. */
static void
test_looked_up_links (void **state)
{
  /* None, one in five, and a single one at last. */
  static const double damped[] = { 0.0, 0.2, 0.0 };
  /* Only without tiles. */
  static const Way all[] = {
    { .tile = "1,1", .threads = 1, .stride = 1 },
    { .tile = "1,1", .threads = 3, .stride = 1, .pieces = TRUE },
    { .tile = "1,1", .threads = 2, .stride = 3, .restarts = TRUE },
    { .tile = "1,1", .threads = 1, .stride = 3, .pieces = TRUE, .listens = TRUE }
  };
  const guint n = 16500;

  (void) state;
  for (guint d = 0; d < G_N_ELEMENTS (damped); d++)
    {
      g_autoptr (Sketch) sketch = sketch_new (4 + d);
      g_autoptr (IfbamNetwork) network = NULL;

      sketch->damped = damped[d];
      sketch->yielding = d % 2 == 1 ? 1000 : 0;
      sketch->cubic = 0.1;
      sketch->swapped = 0.5;
      add_masses (sketch, n);
      join_at_random (sketch, n, n);
      if (d == 2)
        {
          sketch->damped = 1;
          add_link (sketch, 7, 9000);
          sketch->damped = 0;
        }
      for (int i = 0; i < 100; i++)
        add_link (sketch, i % 2 == 0 ? add_drive (sketch) : add_ground (sketch),
                  pick (sketch->random, n));
      add_sources (sketch, n, 20);
      network = build (sketch, "network.energy");
      for (int cold = 0; cold < 2; cold++)
        {
          g_object_set (ifbam_network_get_settings (network), "scheme", "averaged", "start",
                        cold ? "cold" : "warm", NULL);
          compare_ways (network, "large graph", 9, all, G_N_ELEMENTS (all));
        }
      assert_objects_agree (network);
    }
}

/* Recordings */

typedef struct
{
  GArray *numbers; /* time and values of each row */
  guint width;
} Table;

static gboolean
take_row (gpointer data, double time, const double *values, GError **error)
{
  Table *table = data;

  (void) error;
  g_array_append_val (table->numbers, time);
  g_array_append_vals (table->numbers, values, table->width);
  return TRUE;
}

/* sums: at the end. */
static GArray *
record (IfbamNetwork *network, const Way *way, IfbamSums *sums)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  Table table = { g_array_new (FALSE, FALSE, sizeof (double)), 0 };
  IfbamRunTask run = {
    .objects = way == NULL, .full_ledger = TRUE, .row = take_row, .data = &table
  };

  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  if (model == NULL)
    fail_msg ("%s", error->message);
  table.width = signals->signals->len;
  if (way != NULL)
    run.threads = way->threads;
  if (way != NULL && way->tile != NULL)
    g_setenv ("IFBAM_TILE", way->tile, TRUE);
  if (!ifbam_run (&run, model, signals, &spec, &error))
    fail_msg ("%s", error->message);
  g_unsetenv ("IFBAM_TILE");
  *sums = run.sums;
  return table.numbers;
}

static guint
compare_recordings (IfbamNetwork *network, const char *what)
{
  static const Way all[] = { { .threads = 1 },
                             { .threads = 2 },
                             { .threads = 3, .tile = "24,16" },
                             { .threads = 1, .tile = "100,64" },
                             { .threads = 2, .tile = "7,2" } };
  IfbamSums wanted_sums;
  g_autoptr (GArray) wanted = record (network, NULL, &wanted_sums);

  for (guint w = 0; w < G_N_ELEMENTS (all); w++)
    {
      IfbamSums sums;
      g_autoptr (GArray) had = record (network, &all[w], &sums);

      assert_int_equal (had->len, wanted->len);
      if (memcmp (had->data, wanted->data, wanted->len * sizeof (double)) != 0
          || memcmp (&sums, &wanted_sums, sizeof sums) != 0)
        fail_msg ("%s: a recording with %u threads, tile %s, differs", what, all[w].threads,
                  all[w].tile == NULL ? "-" : all[w].tile);
    }
  return wanted->len;
}

/* All that can be recorded at each step; and a few signals now and then, for which the engine does
 * not stop. */
static void
test_recordings (void **state)
{
  static const char *const schemes[] = { "averaged", "original", "rk4" };
  static const struct
  {
    const char *record, *sample;
  } recordings[] = {
    { "*.position, *.velocity, *.acceleration, *.compression, *.rate, *.force, network.energy, "
      "network.kinetic, network.potential, network.dissipated, network.supplied, "
      "network.momentum",
      NULL },
    { "c.m[1:300:50].position, c.m7.velocity, c.m299.acceleration, c.k3.force, c.d299.rate, "
      "*.force, g*.position",
      "0.6 ms" },
    { "c.m150.position", "12.8 ms" },
  };
  guint n = 0;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint r = 0; r < G_N_ELEMENTS (recordings); r++)
      {
        g_autoptr (Sketch) sketch = sketch_new (7);
        g_autoptr (IfbamNetwork) network = NULL;
        guint wall = add_ground (sketch), shaker = add_drive (sketch);

        add_chain (sketch, "c", 300, TRUE, wall, shaker);
        sketch->damped = 0.3;
        add_masses (sketch, 100);
        join_at_random (sketch, 100, 150);
        add_link (sketch, 5, shaker);
        network = build (sketch, recordings[r].record);
        g_object_set (ifbam_network_get_settings (network), "scheme", schemes[s], NULL);
        if (recordings[r].sample != NULL)
          assert_true (ifbam_element_set_text (ifbam_network_get_settings (network), "sample",
                                               recordings[r].sample, NULL));
        n += compare_recordings (network, schemes[s]);
      }
  print_message ("# %u numbers in each way\n", n);
}

/* A run that diverges says the same, with the same rows before. */
static char *
divergence (IfbamNetwork *network, const Way *way, GArray *numbers)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  Table table = { numbers, 1 };
  IfbamRunTask run = { .objects = way == NULL, .row = take_row, .data = &table };

  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  assert_non_null (model);
  if (way != NULL)
    run.threads = way->threads;
  if (way != NULL && way->tile != NULL)
    g_setenv ("IFBAM_TILE", way->tile, TRUE);
  assert_false (ifbam_run (&run, model, signals, &spec, &error));
  g_unsetenv ("IFBAM_TILE");
  return g_strdup (error->message);
}

static void
test_divergence (void **state)
{
  static const char *const schemes[] = { "original", "averaged", "verlet", "rk4" };
  static const Way all[] = { { .threads = 1 },
                             { .threads = 2 },
                             { .threads = 2, .tile = "100,16" },
                             { .threads = 1, .tile = "500,64" } };
  g_autoptr (Sketch) sketch = sketch_new (0);
  g_autoptr (IfbamNetwork) network = NULL;

  (void) state;
  add (sketch, "[ground a]\n[drive b]\namplitude = 1e-3\nfrequency = 7\n"
               "[chain c]\ncount = 2200\nmass = 1\nstiffness = 53e6, 50e6\n"
               "position = 1e-3, 0, -1e-3\nfrom = a\nto = b\n");
  network = build (sketch, "c.m1000.velocity");
  g_object_set (ifbam_network_get_settings (network), "duration", 0.2, NULL);
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (GArray) wanted_rows = g_array_new (FALSE, FALSE, sizeof (double));
      g_autofree char *wanted = NULL;

      g_object_set (ifbam_network_get_settings (network), "scheme", schemes[s], NULL);
      wanted = divergence (network, NULL, wanted_rows);
      for (guint w = 0; w < G_N_ELEMENTS (all); w++)
        {
          g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (double));
          g_autofree char *had = divergence (network, &all[w], rows);

          assert_string_equal (had, wanted);
          assert_int_equal (rows->len, wanted_rows->len);
          assert_memory_equal (rows->data, wanted_rows->data, rows->len * sizeof (double));
        }
    }
}

/* Energies for the divergence check: looked at from outside, or by the engine while it passes. Only here
 * a sum may depend on the way, by rounding. */
static void
assert_looks (IfbamModel *model, const IfbamRunSpec *spec, const Way *way)
{
  g_autoptr (IfbamEngine) engine = tiled_engine (model, spec, way->tile, way->threads);
  IfbamLedger *ledger = ifbam_ledger_new (engine, IFBAM_ACCOUNT_NONE, FALSE);
  Ear ear = { model, 0 };

  if (way->listens)
    {
      engine->listener = listen;
      engine->listener_data = &ear;
    }
  ifbam_engine_start (engine);
  ifbam_engine_advance (engine, 20, NULL);
  for (int round = 0; round < 3; round++)
    {
      IfbamView view = ifbam_ledger_view (ledger, TRUE);
      IfbamSums sums = ifbam_ledger_sums (ledger, &view);
      const double energy = sums.kinetic + sums.stored;

      assert_true (energy > 0);
      if (round % 2 == 1 && !(fabs (ifbam_engine_check_energy (engine) - energy) <= 1e-12 * energy))
        fail_msg ("%s, tile %s, %u threads: a look at an energy of %.17g, not %.17g",
                  spec->scheme->name, way->tile, way->threads, ifbam_engine_check_energy (engine),
                  energy);
      engine->passing.is_wanted = TRUE;
      engine->passing.energy = NAN;
      ifbam_engine_advance (engine, 7 + 20 * (guint64) round, NULL);
      assert_false (engine->passing.is_wanted);
      if (engine->passing.is_offered && !(fabs (engine->passing.energy - energy) <= 1e-12 * energy))
        fail_msg ("%s, tile %s, %u threads%s: an energy of %g, not %g", spec->scheme->name,
                  way->tile, way->threads, way->listens ? ", heard" : "", engine->passing.energy,
                  energy);
    }
  ifbam_ledger_free (ledger);
}

static void
test_looks (void **state)
{
  static const Way all[] = { { .threads = 1 },
                             { .threads = 2 },
                             { .threads = 3, .tile = "24,4" },
                             { .threads = 2, .tile = "100,16" },
                             { .threads = 1, .tile = "512,64" },
                             { .threads = 1, .tile = "20000,64" },
                             { .threads = 2, .tile = "60,12", .listens = TRUE } };
  guint n;
  const IfbamScheme *const *schemes = explicit_schemes (&n);

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (drawings); i++)
    {
      g_autoptr (Sketch) sketch = sketch_new (i);
      g_autoptr (IfbamNetwork) network = NULL;
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model = NULL;

      drawings[i].draw (sketch);
      network = build (sketch, "network.energy");
      g_object_set (ifbam_network_get_settings (network), "scheme", schemes[i % n]->name, NULL);
      model = compile (network, levels[n_levels - 1], &spec);
      for (guint w = 0; w < G_N_ELEMENTS (all); w++)
        assert_looks (model, &spec, &all[w]);
    }
}

/* Plans */

static guint
count_link_runs (const IfbamModel *model, guint *groups, gsize *links)
{
  guint n = 0;

  *groups = 0;
  *links = 0;
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      *groups += batch->n_groups;
      for (guint g = 0; g < batch->n_groups; g++)
        for (gsize r = 0; r < batch->groups[g].n_runs; r++, n++)
          *links += batch->groups[g].runs[r].n;
    }
  return n;
}

static guint
count_node_runs (const IfbamModel *model, guint degree, gsize *nodes)
{
  guint n = 0;

  *nodes = 0;
  for (guint r = 0; r < model->node_runs->len; r++)
    {
      const IfbamNodeRun *run = &g_array_index (model->node_runs, IfbamNodeRun, r);

      if (run->degree != degree)
        continue;
      n++;
      *nodes += run->n;
    }
  return n;
}

static IfbamModel *
compile_text (const char *text)
{
  g_autoptr (Sketch) sketch = sketch_new (0);
  g_autoptr (IfbamNetwork) network = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };

  g_string_append (sketch->text, text);
  network = build (sketch, "network.energy");
  return compile (network, levels[0], &spec);
}

static void
test_runs_of_a_chain (void **state)
{
  g_autoptr (IfbamModel) model = compile_text ("[ground g]\n[chain c]\ncount = 1000\nmass = 1, 2\n"
                                               "stiffness = 10000, 3000, 500\nfrom = g\n");
  guint groups;
  gsize n;

  (void) state;
  assert_int_equal (count_link_runs (model, &groups, &n), 1);
  assert_int_equal (groups, 1);
  assert_int_equal (n, 999); /* the first one holds the ground */
  assert_int_equal (count_node_runs (model, 2, &n), 1);
  assert_true (n >= 998); /* the first one hears the ground, the last one has one neighbour */
  assert_int_equal (model->bandwidth, 1);
  assert_null (model->number);
}

/* With dampers a run of each class, and nodes that hear both: k1, d1, k2, d2, ... */
static void
test_runs_of_a_damped_chain (void **state)
{
  g_autoptr (IfbamModel) model = compile_text ("[ground g]\n[chain c]\ncount = 1000\nmass = 1, 2\n"
                                               "stiffness = 10000\ndamping = 1, 3\nfrom = g\n");
  guint groups;
  gsize n;

  (void) state;
  assert_int_equal (count_link_runs (model, &groups, &n), 2);
  assert_int_equal (groups, 2);
  assert_int_equal (n, 2 * 999);
  assert_int_equal (count_node_runs (model, 4, &n), 1);
  assert_true (n >= 998);
}

/* A run for each row, and one for all that joins the rows; nodes inside rows hear four in a run. */
static void
test_runs_of_a_membrane (void **state)
{
  const guint width = 30, height = 20;
  g_autoptr (Sketch) sketch = sketch_new (0);
  g_autoptr (IfbamNetwork) network = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = NULL;
  guint groups;
  gsize n;

  (void) state;
  add_masses (sketch, width * height);
  join_membrane (sketch, width, height);
  network = build (sketch, "network.energy");
  model = compile (network, levels[0], &spec);
  assert_int_equal (model->bandwidth, width);
  assert_int_equal (count_link_runs (model, &groups, &n), height + 1);
  assert_int_equal (groups, 2);
  assert_int_equal (n, model->n_links);
  assert_int_equal (count_node_runs (model, 4, &n), height - 2);
  assert_int_equal (n, (width - 2) * (height - 2));
  assert_int_equal (count_node_runs (model, 3, &n), 2);
  assert_int_equal (n, 2 * (width - 2));
  assert_int_equal (count_node_runs (model, 0, &n), height + 1);
  assert_int_equal (n, 2 * height);
}

/* Every free node is in one run, and a run's slots and signs are the ports of its nodes. */
static void
assert_node_runs_are_ports (const IfbamModel *model)
{
  gsize next = 0;

  for (guint r = 0; r < model->node_runs->len; r++)
    {
      const IfbamNodeRun *run = &g_array_index (model->node_runs, IfbamNodeRun, r);

      assert_int_equal (run->first, next);
      next += run->n;
      for (gsize i = 0; i < run->n && run->degree > 0; i++)
        {
          const guint32 *port = model->port + model->port_start[run->first + i];

          assert_int_equal (model->port_start[run->first + i + 1]
                                - model->port_start[run->first + i],
                            run->degree);
          for (guint p = 0; p < run->degree; p++)
            {
              assert_int_equal (port[p] >> 1, run->slot[p] + i);
              assert_true (run->sign[p] == (port[p] & 1 ? -1.0 : 1.0));
            }
        }
    }
  assert_int_equal (next, model->n_free);
}

/* Residue, runs, and links to given nodes are all links of a batch, once, with slots between them that
 * nobody has; what a tile looks for by bisection is sorted. */
static void
assert_batch_is_whole (const IfbamBatch *batch)
{
  gsize next = batch->n_residue;

  for (gsize i = 1; i < batch->first_idle; i++)
    if (i < batch->n_residue || i > batch->first_driven)
      assert_true (ifbam_batch_owner (batch, i - 1) <= ifbam_batch_owner (batch, i));
  for (guint g = 0; g < batch->n_groups; g++)
    for (gsize r = 0; r < batch->groups[g].n_runs; r++)
      {
        const IfbamLinkRun *run = &batch->groups[g].runs[r];

        assert_true (run->first >= next && run->first < next + IFBAM_LINE);
        next = run->first + run->n;
        assert_true (r == 0 || run[-1].owner + run[-1].n <= run->owner);
        for (gsize i = 0; i < run->n; i++)
          {
            assert_int_equal (batch->left[run->first + i], run->left + i);
            assert_int_equal (batch->right[run->first + i], run->right + i);
            assert_int_equal (ifbam_batch_owner (batch, run->first + i), run->owner + i);
          }
      }
  assert_int_equal (batch->first_driven, next);
  assert_true (batch->first_driven <= batch->first_idle && batch->first_idle <= batch->count);
}

static void
assert_batches_are_whole (const IfbamModel *model)
{
  g_autofree guint8 *seen = g_new0 (guint8, model->n_slots + 1);
  gsize slot = 0;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      assert_batch_is_whole (batch);
      assert_true (batch->first_slot >= slot);
      slot = batch->first_slot + batch->count;
      /* Then, of some, what their right ends hear. */
      assert_true (batch->far_slot == batch->first_slot || batch->far_slot >= slot);
      assert_true ((batch->far_slot == batch->first_slot) == !batch->law->geometry->scaled);
      slot = batch->far_slot + batch->count;
      for (guint k = 0; k < batch->law->n_states; k++)
        {
          assert_true (batch->state_slot[k] >= slot);
          slot = batch->state_slot[k] + batch->count;
        }
    }
  /* Last what the states of single links hear. */
  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamLink *link = &g_array_index (model->singles, IfbamLink, j);

      assert_true (link->state_slot >= slot);
      slot = link->state_slot + (link->place == 0 ? link->n_states : 0);
    }
  assert_int_equal (slot, model->n_slots);
  for (gsize i = 0; i < model->n_links; i++)
    {
      assert_true (model->link_slot[i] < model->n_slots);
      assert_int_equal (seen[model->link_slot[i]]++, 0);
    }
}

static void
test_plans_are_whole (void **state)
{
  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (drawings) + 50; i++)
    {
      g_autoptr (Sketch) sketch = sketch_new (i);
      g_autoptr (IfbamNetwork) network = NULL;
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model = NULL;

      (i < G_N_ELEMENTS (drawings) ? drawings[i].draw : draw_small) (sketch);
      network = build (sketch, "network.energy");
      model = compile (network, levels[0], &spec);
      assert_node_runs_are_ports (model);
      assert_batches_are_whole (model);
      for (gsize k = 0; k < model->n_free && model->number != NULL; k++)
        assert_int_equal (model->file_node[model->number[k]], k);
    }
}

/* Renumbering */

/* The course of a mass by its name, of the same network with its masses in another order. */
static void
assert_same_by_name (Sketch *sketch, Sketch *scrambled, guint n, gsize bandwidth)
{
  g_autoptr (IfbamNetwork) network = build (sketch, "*.position, *.acceleration");
  g_autoptr (IfbamNetwork) other = build (scrambled, "*.position, *.acceleration");
  guint n_schemes;
  const IfbamScheme *const *schemes = explicit_schemes (&n_schemes);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = compile (other, levels[0], &spec);

  assert_non_null (model->number);
  assert_true (model->bandwidth <= bandwidth);
  for (guint s = 0; s < n_schemes; s++)
    {
      g_autoptr (IfbamCourse) one = NULL;
      g_autoptr (IfbamCourse) two = NULL;

      for (int k = 0; k < 2; k++)
        g_object_set (ifbam_network_get_settings (k == 0 ? network : other), "scheme",
                      schemes[s]->name, "sample", 3e-3, NULL);
      one = ifbam_network_run (network, IFBAM_ENGINE_PLAN, NULL);
      two = ifbam_network_run (other, IFBAM_ENGINE_PLAN, NULL);
      assert_true (one != NULL && two != NULL);
      for (guint i = 0; i < 2 * n; i++)
        {
          g_autofree char *signal =
              g_strdup_printf ("m%u.%s", i / 2, i % 2 == 0 ? "position" : "acceleration");
          gsize rows, other_rows;
          const double *a = ifbam_course_get_values (one, signal, &rows, NULL);
          const double *b = ifbam_course_get_values (two, signal, &other_rows, NULL);

          assert_true (rows == STEPS / 15 + 1 && rows == other_rows);
          if (memcmp (a, b, rows * sizeof (double)) != 0)
            fail_msg ("%s, %s", schemes[s]->name, signal);
        }
    }
}

static void
test_renumbered_ring (void **state)
{
  g_autoptr (Sketch) ring = sketch_new (8);
  g_autoptr (Sketch) scrambled = sketch_new (8);

  (void) state;
  draw_ring (ring);
  draw_scrambled_ring (scrambled);
  assert_same_by_name (ring, scrambled, 2100, 2);
}

static void
test_renumbered_membrane (void **state)
{
  const guint width = 33, height = 64;
  Sketch *sketches[2];

  (void) state;
  for (int k = 0; k < 2; k++)
    {
      Sketch *sketch = sketches[k] = sketch_new (9);

      sketch->cubic = sketch->damped = sketch->swapped = 0.2;
      if (k == 1)
        sketch->order = g_rand_new_with_seed (10);
      add_masses (sketch, width * height);
      join_membrane (sketch, width, height);
      add_link (sketch, add_drive (sketch), 5);
      add_sources (sketch, width * height, 10);
    }
  /* The walk goes by diagonals, so each level of it has at most `width` masses. */
  assert_same_by_name (sketches[0], sketches[1], width * height, 2 * width);
  sketch_free (sketches[0]);
  sketch_free (sketches[1]);
}

/* Levels that this processor has not, or that nobody has, are not taken. */
static void
test_levels (void **state)
{
  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    {
      g_setenv ("IFBAM_ISA", levels[i], TRUE);
      assert_int_equal (ifbam_isa_choose (), MIN (i, n_levels - 1));
    }
  g_setenv ("IFBAM_ISA", "mmx", TRUE);
  assert_int_equal (ifbam_isa_choose (), n_levels - 1);
  g_unsetenv ("IFBAM_ISA");
  print_message ("# levels of instructions up to %s\n", levels[n_levels - 1]);
}

int
main (int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_levels),
    cmocka_unit_test (test_large_networks),
    cmocka_unit_test (test_small_networks),
    cmocka_unit_test (test_smallest_networks),
    cmocka_unit_test (test_all_were_tried),
    cmocka_unit_test (test_default_ways),
    cmocka_unit_test (test_looked_up_links),
    cmocka_unit_test (test_recordings),
    cmocka_unit_test (test_divergence),
    cmocka_unit_test (test_looks),
    cmocka_unit_test (test_runs_of_a_chain),
    cmocka_unit_test (test_runs_of_a_damped_chain),
    cmocka_unit_test (test_runs_of_a_membrane),
    cmocka_unit_test (test_plans_are_whole),
    cmocka_unit_test (test_renumbered_ring),
    cmocka_unit_test (test_renumbered_membrane),
  };

  ways = by_effort (1, 5, 10);
  if (argc > 1)
    ways = (guint) MAX (1, atoi (argv[1]));
  if (argc > 2)
    cmocka_set_test_filter (argv[2]);
  return cmocka_run_group_tests (tests, set_up, tear_down);
}
