/* test-core.c: the interface of build/core.so, which has no GLib
 *
 * That its rows and events are those of `ifbam run` is for test-matrix.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core-library.h"
#include "dialogue/dialogue.h"
#include "engine/engine.h"
#include "file/file.h"
#include "fixture.h"
#include "run/run.h"

static CoreLibrary core;

static int
open_core (void **state)
{
  if (core_library () == NULL)
    return 1;
  core = *core_library ();
  return folder_make (state);
}

static gboolean
same (double a, double b)
{
  return memcmp (&a, &b, sizeof a) == 0;
}

static IfbamCore *
core_of (const char *name, const char *text)
{
  IfbamCore *self = core.make ();

  if (core.read (self, text) != 0 || core.compile (self) != 0)
    fail_msg ("%s: %s\n%s", name, core.said (self), text);
  return self;
}

static const char two[] = "network - step=0x1p-10 scheme=averaged\n"
                          "ground wall\n"
                          "mass m1 mass=0x1p+0 position=0x1p-6\n"
                          "mass m2 mass=0x1p+1\n"
                          "spring k1 stiffness=0x1.388p+13 between=wall,m1\n"
                          "spring k2 stiffness=0x1.388p+12 cubic=0x1p+20 between=m1,m2\n";

/* Two of the same side by side know nothing of each other, and a state takes one to the other. */
static void
test_contexts (void **state)
{
  IfbamCore *one = core_of ("one", two), *other = core_of ("other", two);
  const void *kept;
  size_t size;
  double x[3], y[3], v[3], w[3];

  (void) state;
  assert_int_equal (core.n_nodes (one), 3);
  assert_int_equal (core.advance (one, 1000), 0);
  kept = core.get_state (one, &size);
  assert_int_equal (core.set_state (other, kept, size / 2), -1);
  assert_non_null (strstr (core.said (other), "no state of an engine"));
  assert_int_equal (core.set_state (other, kept, size), 0);
  assert_int_equal (core.advance (one, 500), 0);
  assert_int_equal (core.advance (other, 500), 0);
  assert_true (same (core.row (one, x, v), 1500.0 / 1024));
  assert_true (same (core.row (other, y, w), 1500.0 / 1024));
  assert_memory_equal (x, y, sizeof x);
  assert_memory_equal (v, w, sizeof v);
  assert_true (fabs (x[0]) > 1e-3);
  core.free (one);
  core.free (other);
}

static void
refused (const char *text, const char *reason)
{
  IfbamCore *self = core.make ();

  if (core.read (self, text) == 0 && core.compile (self) == 0)
    fail_msg ("it takes %s", text);
  assert_string_equal (core.said (self), reason);
  core.free (self);
}

/* Errors have messages, and leave no partial run. */
static void
test_faults (void **state)
{
  (void) state;
  refused ("spling k1\n", "no class \"spling\"");
  refused ("ground g\nground g\n", "a second element \"g\"");
  refused ("mass m stiffness=0x1p+0\n", "[mass m] stiffness: is no key");
  refused ("mass m mass=1.5\n", "[mass m] mass: has values of another kind");
  refused ("network - step=0x1p-10\nmass m\n", "[mass m] mass is missing (its inertia, in kg)");
  refused ("network - step=0x1p-10\nmass m mass=-0x1p+0\n",
           "[mass m] mass: must be above 0, not -1 (a [junction] is without)");
  refused ("network - step=0x1p-10\nmass m mass=0x1p+0\nspring k stiffness=0x1p+0 between=m,n\n",
           "[spring k] between: no node \"n\" in this network (did you mean \"m\"? Else a group "
           "[mass n], [junction n] or [ground n] would make it)");
  refused ("mass m mass=0x1p+0\n", "[network] step: is missing (a time, such as \"50 us\")");
  refused ("network - step=0x1p-10 positions=0x1p+0,0x1p+0,0x1p+0\nmass m mass=0x1p+0\n",
           "[network] positions: want one of each free node");
  refused ("network - step=0x1p-10\ndrive d course=0x0p+0:0x0p+0\nmass m mass=0x1p+0\n",
           "[drive d] course: want two or more increasing times, with finite values");
  refused ("drive d course=0x0p+0:0x0p+0,0x0p+0:0x1p+0\n",
           "[drive d] course: want two or more increasing times, with finite values");
  refused ("drive d course=0x0p+0:0x0p+0,inf:0x1p+0\n",
           "[drive d] course: want two or more increasing times, with finite values");
  refused ("drive d course=0x0p+0:0x0p+0,0x1p+0:-inf\n",
           "[drive d] course: want two or more increasing times, with finite values");
  refused ("mass m course=0x0p+0:0x0p+0,0x1p+0:0x1p+0\n", "[mass m] course: is no key");
  refused ("network - step=0x1p-10\ndrive d course=e\nmass m mass=0x1p+0\n",
           "[drive d] course: \"e\" is not there: files of courses can't be read here");
  refused ("network - step=inf\nmass m mass=0x1p+0\n", "[network] step: want a number");
  refused ("network - step=0x1p-10 start=equilibrium\nmass m mass=0x1p+0\n",
           "[network] start: want positions, and warm");
  refused ("network - step=0x1p-10 start=cold\nmass m mass=0x1p+0\nmass n mass=0x1p+0\n"
           "impact i between=m,n\n",
           "[network] start: cold is for networks without events: links with modes, "
           "impulses, sources that start or end (want warm)");
  refused ("chain c count=0x1p+3 k3.stiffness=-0x1p+0\n",
           "[chain c] k3.stiffness: -1 is below the least, 0 (a [characteristic] may have a "
           "negative slope)");
  refused ("chain c count=0x1p+3 k3.weight=0x1p+0\n",
           "[chain c] k3.weight: a spring has no number \"weight\"");
  refused ("mass m k3.weight=0x1p+0\n", "[mass m] k3.weight: is no key");
  refused ("network - step=0x1p-10\nmass m mass=0x1p+0\nmonitor w signal=m.position level=3mm\n",
           "[monitor w] level: \"3mm\" is no hexadecimal number");
}

/* A value that is not numeric is a text, which a numeric parameter rejects. */
static void
test_numbers (void **state)
{
  static const char *const wrong[] = { "0x",
                                       "x1p+0",
                                       "0x1p",
                                       "0x1p+",
                                       "0x1p+5001",
                                       "0x1p-5001",
                                       "0x1.g",
                                       "0x1.1.1p",
                                       "0x1p+0;",
                                       "-",
                                       "in",
                                       "0X1P+0",
                                       "",
                                       "0x1p+0,",
                                       "1",
                                       "infinity",
                                       "0x123456789abcdef01p+0" };
  static const struct
  {
    const char *text;
    double number;
  } right[] = { { "0x1p+0", 1 },  { "0x18", 24 },
                { "0x.8", 0.5 },  { "0x1.8p-1", 0.75 },
                { "0xap+0", 10 }, { "0x1fffffffffffffp-1074", 0x1.fffffffffffffp-1022 } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *text = g_strdup_printf ("mass m mass=%s\n", wrong[i]);

      refused (text, "[mass m] mass: has values of another kind");
    }
  for (guint i = 0; i < G_N_ELEMENTS (right); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "network - step=0x1p-10\nmass m mass=0x1p+0 position=-%s\n", right[i].text);
      IfbamCore *self = core_of (right[i].text, text);
      double x;

      core.row (self, &x, NULL);
      if (x != -right[i].number)
        fail_msg ("%s is %a", right[i].text, x);
      core.free (self);
    }
}

/* A line for each element, empty ones between; a text may hold "%20" and "%25". */
static void
test_texts (void **state)
{
  IfbamCore *self =
      core_of ("texts", "\nnetwork - step=0x1p-10 title=a%20spring%2520,%25%2x\n\n"
                        "chain c count=0x1p+1 mass=0x1p+0 stiffness=0x1p+0 m2.position=0x1p-3\n"
                        "ground g\nspring k between=c.m2,g stiffness=0x1p+0");
  double x[3], v[3];

  (void) state;
  assert_int_equal (core.find_node (self, "c.m2"), 1);
  assert_int_equal (core.find_node (self, "g"), 2);
  assert_int_equal (core.find_node (self, "c.m3"), -1);
  assert_int_equal (core.find_node (self, "k"), -1);
  core.row (self, x, NULL);
  assert_true (x[0] == 0 && x[1] == 0.125 && x[2] == 0);
  core.row (self, NULL, v);
  assert_true (core.row (self, NULL, NULL) == 0);
  core.free (self);
}

/* Terms have hexadecimal factors; a text that is none is refused. */
static void
test_terms (void **state)
{
  static const char nodes[] = "network - step=0x1p-10\ninertia a inertia=0x1p+0\n"
                              "inertia b inertia=0x1p+0 speed=0x1p+0\n";
  g_autofree char *text = g_strconcat (nodes, "relation r terms=0x1p+1*a,-0x1p+0*b", NULL);
  const char *const wrong[] = { "x*a,0x1p+0*b", "0x1p+1*0x1p+1*a,0x1p+0*b", "0x1p+1*,0x1p+0*b" };
  IfbamCore *self = core_of ("terms", text);

  (void) state;
  core.free (self);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *other = g_strconcat (nodes, "relation r terms=", wrong[i], NULL);

      self = core.make ();
      assert_int_not_equal (core.read (self, other), 0);
      assert_true (strlen (core.said (self)) > 0);
      core.free (self);
    }
}

/* Many rows at once are those one by one. */
static void
test_rows (void **state)
{
  IfbamCore *one = core_of ("one", two), *other = core_of ("other", two);
  double rows[6][7], x[3], v[3];

  (void) state;
  assert_int_equal (core.rows (one, 1, 0, rows[0]), 1);
  assert_int_equal (core.rows (one, 5, 10, rows[1]), 5);
  for (guint i = 0; i < 6; i++)
    {
      assert_int_equal (i == 0 ? 0 : core.advance (other, 10), 0);
      assert_true (same (rows[i][0], core.row (other, x, v)));
      assert_memory_equal (rows[i] + 1, x, sizeof x);
      assert_memory_equal (rows[i] + 4, v, sizeof v);
    }
  assert_true (rows[5][0] > 0 && rows[5][1] != rows[4][1]);
  core.free (one);
  core.free (other);
}

static IfbamCore *
core_that_records (const char *text, const char *signals)
{
  IfbamCore *self = core.make ();

  core.record (self, signals);
  if (core.read (self, text) != 0 || core.compile (self) != 0)
    fail_msg ("%s\n%s", core.said (self), text);
  return self;
}

static double
voice_named (const IfbamDialogue *dialogue, const char *name)
{
  for (guint i = 0; i < dialogue->links->len; i++)
    if (g_str_equal (((const IfbamAgent *) dialogue->links->pdata[i])->name, name))
      return ((const IfbamAgent *) dialogue->links->pdata[i])->output;
  for (guint i = 0; i < dialogue->unbatched_links->len; i++)
    if (g_str_equal (((const IfbamAgent *) dialogue->unbatched_links->pdata[i])->name, name))
      return ((const IfbamAgent *) dialogue->unbatched_links->pdata[i])->output;
  for (guint i = 0; i < dialogue->sources->len; i++)
    if (g_str_equal (((const IfbamAgent *) dialogue->sources->pdata[i])->name, name))
      return ((const IfbamAgent *) dialogue->sources->pdata[i])->output;
  return NAN;
}

/* In a cycle it reports the messages of the objects' dialogue; forwards, and back. */
static void
test_cycles (void **state)
{
  static const struct
  {
    const char *network, *scheme, *record, *links[4];
    const char *node;
  } cases[] = {
    { "three-dof",
      "averaged",
      "k1.force,k2.force,k3.force,m2.position,m2.velocity",
      { "k1", "k2", "k3" },
      "m2" },
    { "three-dof",
      "original",
      "k1.force,k2.force,k3.force,m2.position,m2.velocity",
      { "k1", "k2", "k3" },
      "m2" },
    { "duffing",
      "averaged",
      "k1.force,d1.force,push.force,m1.position,m1.velocity",
      { "k1", "d1", "push" },
      "m1" },
    { "impact-oscillator",
      "averaged",
      "k1.force,stop.force,m1.position,m1.velocity",
      { "k1", "stop" },
      "m1" },
  };
  enum
  {
    CYCLES = 150, /* the impact is later: then forces in flight are made anew */
    MOST = 5
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("networks/%s.ini", cases[i].network);
      g_autofree char *scheme = g_strdup_printf ("network.scheme=%s", cases[i].scheme);
      const char *const settings[] = { scheme, NULL };
      g_autoptr (IfbamNetwork) network = open_network (path, settings);
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamModel) model =
          ifbam_network_compile_or_error (network, TRUE, &spec, NULL, &error);
      g_autofree char *text = NULL;
      IfbamCore *self;
      double first[MOST] = { 0 }, values[MOST];

      assert_non_null (model);
      text = ifbam_network_core_text (network, model, &spec);
      self = core_that_records (text, cases[i].record);
      assert_true (ifbam_network_reset (network, &error));
      for (guint cycle = 0; cycle < CYCLES; cycle++)
        {
          const IfbamDialogue *dialogue = network->home.dialogue;
          const IfbamAgent *node = ifbam_dialogue_agent (
              dialogue, g_hash_table_lookup (network->by_name, cases[i].node));
          guint n = 0;

          ifbam_dialogue_master (network->home.dialogue);
          assert_int_equal (core.cycle (self, cycle, values), 0);
          /* Events of a cycle are located before it begins; messages before the start have none. */
          if (cycle == 0 && ifbam_model_has_events (model))
            assert_true (isnan (values[0]));
          for (; cases[i].links[n] != NULL && !isnan (values[0]); n++)
            if (values[n] != voice_named (dialogue, cases[i].links[n]))
              fail_msg ("%s, cycle %u: %s says %a, and %a in the core", path, cycle,
                        cases[i].links[n], voice_named (dialogue, cases[i].links[n]), values[n]);
          if (n > 0
              && (values[n] != *node->column[spec.scheme->message_position]
                  || values[n + 1] != *node->column[spec.scheme->message_rate]))
            fail_msg ("%s, cycle %u: the node is at %a, and %a in the core", path, cycle,
                      *node->column[spec.scheme->message_position], values[n]);
          assert_true (n > 0 || cycle == 0);
          if (cycle == 3)
            memcpy (first, values, sizeof first);
          ifbam_dialogue_slave (network->home.dialogue);
          assert_true (ifbam_network_settle (network, &error));
        }
      assert_int_equal (core.cycle (self, 3, values), 0);
      assert_memory_equal (values, first, core.n_signals (self) * sizeof *first);
      core.free (self);
    }
}

/* Messages of given nodes and of sources of several nodes in a cycle, against their laws; without latency equal to the row. */
static void
test_cycles_of_the_given (void **state)
{
#define SHAKEN(scheme)                                                                             \
  "network - step=0x1p-8 scheme=" scheme "\ndrive d position=0x1p-2 velocity=0x1p+1\n"             \
  "mass m mass=0x1p+0\nmass n mass=0x1p+1\nspring k stiffness=0x1p+6 between=d,m\n"                \
  "gravity earth acceleration=0x1p+3 on=m,n\n"
  static const char record[] = "d.position,d.velocity,earth.force,m.position,k.force";
  IfbamCore *late = core_that_records (SHAKEN ("averaged"), record),
            *direct = core_that_records (SHAKEN ("rk4"), record),
            *rows = core_that_records (SHAKEN ("rk4"), record);
  double said[5], row[5];

  (void) state;
  for (guint cycle = 1; cycle < 9; cycle++)
    {
      assert_int_equal (core.cycle (late, cycle, said), 0);
      assert_number (said[0], 0.25 + 2 * (cycle / 256.0), 1e-15);
      assert_number (said[1], 2, 1e-12);
      assert_number (said[2], -(1 + 2) * 8.0, 0);
      assert_int_equal (core.cycle (direct, cycle, said), 0);
      assert_int_equal (core.advance (rows, 1), 0);
      core.signals (rows, row);
      assert_memory_equal (said, row, sizeof row);
      assert_number (said[0], 0.25 + 2 * (cycle / 256.0), 1e-15);
    }
  core.free (late);
  core.free (direct);
  core.free (rows);
}

/* Data that exceed the machine's memory are an error before allocation: 113 GB. */
static void
test_memory (void **state)
{
  IfbamCore *self;

  (void) state;
  if ((double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE) > 100e9)
    skip ();
  self = core.make ();
  assert_int_equal (core.read (self, "network - step=0x1p-10\nground g\nchain c count=0x1p+29 "
                                     "from=g mass=0x1p+0 stiffness=0x1p+0\n"),
                    0);
  assert_int_equal (core.compile (self), -1);
  assert_message (core.said (self), "c*GB of memory, and the machine has * GB");
  core.free (self);
}

/* Compilation rejects an unknown signal. */
static void
test_unknown_signal (void **state)
{
  IfbamCore *self = core.make ();
  double nothing = 7;

  (void) state;
  core.record (self, "m9.position");
  assert_int_equal (core.read (self, two), 0);
  assert_int_equal (core.compile (self), -1);
  assert_message (core.said (self), "*record: *m9*");
  core.record (self, "");
  assert_int_equal (core.compile (self), 0);
  assert_int_equal (core.n_signals (self), 0);
  /* Without recorded signals there are no rows, and no work for them. */
  core.signals (self, &nothing);
  assert_int_equal (core.cycle (self, 5, &nothing), 0);
  assert_true (nothing == 7 && core.row (self, NULL, NULL) == 0);
  core.free (self);
}

/* Positions that are told from outside are as good as those of the elements. */
static void
test_start (void **state)
{
#define SWINGING(at_m, at_n)                                                                       \
  "network - step=0x1p-8\nground g\nmass m mass=0x1p+0" at_m "\nmass n mass=0x1p+1" at_n           \
  "\nspring k stiffness=0x1p+6 between=g,m\nspring l stiffness=0x1p+5 between=m,n\n"
  enum
  {
    ROWS = 50,
    WIDTH = 1 + 2 * 3
  };
  const double where[] = { 0.5, -0.25 }, moving[] = { 0.5, -0.25, 2, -1 };
  IfbamCore *said = core_of ("said", SWINGING (" position=0x1p-1", " position=-0x1p-2")),
            *pushed = core_of ("pushed", SWINGING (" position=0x1p-1 velocity=0x1p+1",
                                                   " position=-0x1p-2 velocity=-0x1p+0")),
            *told = core_of ("told", SWINGING ("", ""));
  double theirs[ROWS * WIDTH], ours[ROWS * WIDTH];

  (void) state;
  core.set_start (told, where, 1);
  assert_int_equal (core.compile (told), -1);
  assert_message (core.said (told), "positions: want one of each free node");
  core.set_start (told, where, 2);
  assert_int_equal (core.compile (told), 0);
  assert_int_equal (core.n_nodes (told), 3);
  assert_int_equal (core.rows (said, ROWS, 7, theirs), ROWS);
  assert_int_equal (core.rows (told, ROWS, 7, ours), ROWS);
  assert_memory_equal (ours, theirs, sizeof theirs);
  assert_true (ours[1] != ours[(ROWS - 1) * WIDTH + 1]);
  core.set_start (told, moving, 4);
  assert_int_equal (core.compile (told), 0);
  assert_int_equal (core.rows (pushed, ROWS, 7, theirs), ROWS);
  assert_int_equal (core.rows (told, ROWS, 7, ours), ROWS);
  assert_memory_equal (ours, theirs, sizeof theirs);
  /* Without them it is at rest, as its elements say. */
  core.set_start (told, where, 0);
  assert_int_equal (core.compile (told), 0);
  assert_int_equal (core.rows (told, ROWS, 7, ours), ROWS);
  for (guint row = 0; row < ROWS; row++)
    assert_true (ours[row * WIDTH + 1] == 0 && ours[row * WIDTH + 2] == 0);
  core.free (told);
  core.free (pushed);
  core.free (said);
}

/* A hanging link goes from one of its ends to the other, no longer than its stretched length, and sags below both. */
static void
test_shape (void **state)
{
  enum
  {
    PLACES = 41
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = open_network ("networks/rope.ini", NULL);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (network, TRUE, &spec, NULL, &error);
  g_autofree char *text = NULL;
  g_autofree double *position = NULL, *rate = NULL;
  double place[2 * PLACES], length = 0, lowest = INFINITY;
  IfbamCore *self;

  (void) state;
  assert_non_null (model);
  text = ifbam_network_core_text (network, model, &spec);
  self = core_of ("rope", text);
  position = g_new0 (double, core.n_nodes (self));
  rate = g_new0 (double, core.n_nodes (self));
  core.row (self, position, rate);
  assert_int_equal (core.shape (self, "r", position, PLACES, place), PLACES);
  for (guint i = 0; i < PLACES; i++)
    {
      lowest = fmin (lowest, place[2 * i + 1]);
      if (i > 0)
        length += hypot (place[2 * i] - place[2 * i - 2], place[2 * i + 1] - place[2 * i - 1]);
    }
  assert_true (fabs (place[0]) < 1e-9 && fabs (place[1]) < 1e-9); /* [point left] */
  assert_true (fabs (place[2 * PLACES - 2] - position[core.find_node (self, "head.x")]) < 1e-9);
  assert_true (fabs (place[2 * PLACES - 1] - position[core.find_node (self, "head.y")]) < 1e-9);
  assert_true (length > 11.9 && length < 12 + 1e-6); /* chords of a rope of 12 m */
  assert_true (lowest < -0.1);
  /* Equal ends give no shape, and other links have none. */
  assert_int_equal (core.shape (self, "r", position, 1, place), 0);
  assert_int_equal (core.shape (self, "bending", position, PLACES, place), 0);
  assert_int_equal (core.shape (self, "nobody", position, PLACES, place), 0);
  core.free (self);
}

/* A run that fails states the reason. */
static void
test_jam (void **state)
{
  IfbamCore *self = core_of (
      "jam", "network - step=0x1p-10\nground g\nmass m mass=0x1p+0 position=0x1p-1\n"
             "drive d position=0x1p+0 amplitude=0x1p+2 frequency=0x1p+0\n"
             "impact a between=g,m restitution=0x0p+0\nimpact b between=m,d restitution=0x0p+0\n");
  double rows[4 * 7];
  int result = 0;

  (void) state;
  for (guint i = 0; i < 100 && result == 0; i++)
    result = core.advance (self, 16);
  assert_int_equal (result, -1);
  assert_int_equal (core.rows (self, 4, 16, rows), 0);
  assert_message (core.said (self), "at t = *s: *jammed");
  core.free (self);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_contexts), cmocka_unit_test (test_faults),
    cmocka_unit_test (test_numbers),  cmocka_unit_test (test_texts),
    cmocka_unit_test (test_terms),    cmocka_unit_test (test_rows),
    cmocka_unit_test (test_cycles),   cmocka_unit_test (test_cycles_of_the_given),
    cmocka_unit_test (test_memory),   cmocka_unit_test (test_unknown_signal),
    cmocka_unit_test (test_start),    cmocka_unit_test (test_shape),
    cmocka_unit_test (test_jam),
  };

  return cmocka_run_group_tests_name ("core", tests, open_core, folder_remove);
}
