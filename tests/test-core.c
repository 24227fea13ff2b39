/* test-core.c: build/core.so, which has no GLib, tells the rows and events of `ifbam run`, to the last bit
 *
 * A network goes to it as a text with hexadecimal numbers. It runs in step with the library: each row is
 * compared when it comes. With CORE_KEPT=FOLDER, what both say is kept there for others that are to say the same
 * (test-wasm.py), of each CORE_PART-th contest only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/ifbam-error.h"
#include "embed/core.h"
#include "dialogue/dialogue.h"
#include "draft.h"
#include "fixture.h"
#include "run/run.h"
#include "file/file.h"
#include "engine/engine.h"

/* What core.so offers, by name. */
static struct
{
  __typeof__ (ifbam_core_new) *make;
  __typeof__ (ifbam_core_free) *free;
  __typeof__ (ifbam_core_said) *said;
  __typeof__ (ifbam_core_read) *read;
  __typeof__ (ifbam_core_compile) *compile;
  __typeof__ (ifbam_core_stride) *stride;
  __typeof__ (ifbam_core_last_step) *last_step;
  __typeof__ (ifbam_core_n_nodes) *n_nodes;
  __typeof__ (ifbam_core_find_node) *find_node;
  __typeof__ (ifbam_core_advance) *advance;
  __typeof__ (ifbam_core_row) *row;
  __typeof__ (ifbam_core_rows) *rows;
  __typeof__ (ifbam_core_record) *record;
  __typeof__ (ifbam_core_n_signals) *n_signals;
  __typeof__ (ifbam_core_signals) *signals;
  __typeof__ (ifbam_core_set_start) *set_start;
  __typeof__ (ifbam_core_shape) *shape;
  __typeof__ (ifbam_core_cycle) *cycle;
  __typeof__ (ifbam_core_n_events) *n_events;
  __typeof__ (ifbam_core_event) *event;
  __typeof__ (ifbam_core_get_state) *get_state;
  __typeof__ (ifbam_core_set_state) *set_state;
} core;

static void
find (void *library, const char *name, void *place)
{
  void *symbol = dlsym (library, name);

  if (symbol == NULL)
    g_error ("%s", dlerror ());
  memcpy (place, &symbol, sizeof symbol);
}

static int
open_core (void **state)
{
  const char *build = g_getenv ("BUILD");
  g_autofree char *path = g_build_filename (build != NULL ? build : "build", "core.so", NULL);
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  void *library = dlopen (absolute, RTLD_NOW | RTLD_LOCAL);

  if (library == NULL)
    g_error ("%s", dlerror ());
  find (library, "ifbam_core_new", &core.make);
  find (library, "ifbam_core_free", &core.free);
  find (library, "ifbam_core_said", &core.said);
  find (library, "ifbam_core_read", &core.read);
  find (library, "ifbam_core_compile", &core.compile);
  find (library, "ifbam_core_stride", &core.stride);
  find (library, "ifbam_core_last_step", &core.last_step);
  find (library, "ifbam_core_n_nodes", &core.n_nodes);
  find (library, "ifbam_core_find_node", &core.find_node);
  find (library, "ifbam_core_advance", &core.advance);
  find (library, "ifbam_core_row", &core.row);
  find (library, "ifbam_core_rows", &core.rows);
  find (library, "ifbam_core_record", &core.record);
  find (library, "ifbam_core_n_signals", &core.n_signals);
  find (library, "ifbam_core_signals", &core.signals);
  find (library, "ifbam_core_set_start", &core.set_start);
  find (library, "ifbam_core_shape", &core.shape);
  find (library, "ifbam_core_cycle", &core.cycle);
  find (library, "ifbam_core_n_events", &core.n_events);
  find (library, "ifbam_core_event", &core.event);
  find (library, "ifbam_core_get_state", &core.get_state);
  find (library, "ifbam_core_set_state", &core.set_state);
  return folder_make (state);
}

/* Both, side by side */

typedef struct
{
  const char *name;
  IfbamCore *core;
  gsize n_nodes;
  guint64 stride, rows;
  double *position, *rate; /* (n_nodes) */
  GArray *events;          /* IfbamEvent */
  guint32 hash;            /* of all numbers so far */
  GArray *hashes;          /* guint32, one for each row */
} Contest;

/* Numbers into a hash, in two words each. What is none is one thing. */
static void
hash_number (guint32 *hash, double number)
{
  guint32 word[2] = { 0, 0x7ff80000 };

  if (!isnan (number))
    memcpy (word, &number, sizeof word);
  for (guint i = 0; i < 2; i++)
    {
      *hash ^= word[i];
      *hash = (*hash << 15 | *hash >> 17) * 0x9e3779b1u;
    }
}

static gboolean
same (double a, double b)
{
  return memcmp (&a, &b, sizeof a) == 0;
}

static gboolean
compare_row (gpointer data, double time, const double *values, GError **error)
{
  Contest *contest = data;
  double core_time;

  (void) error;
  if (contest->rows++ > 0 && core.advance (contest->core, contest->stride) != 0)
    fail_msg ("%s: %s", contest->name, core.said (contest->core));
  core_time = core.row (contest->core, contest->position, contest->rate);
  if (!same (time, core_time))
    fail_msg ("%s: a row at %a is at %a in the core", contest->name, time, core_time);
  for (gsize i = 0; i < contest->n_nodes; i++)
    if (!same (values[2 * i], contest->position[i]) || !same (values[2 * i + 1], contest->rate[i]))
      fail_msg ("%s, t = %g s, node %zu: %a and %a are %a and %a in the core", contest->name, time,
                i, values[2 * i], values[2 * i + 1], contest->position[i], contest->rate[i]);
  hash_number (&contest->hash, time);
  for (gsize i = 0; i < 2 * contest->n_nodes; i++)
    hash_number (&contest->hash, values[i]);
  g_array_append_val (contest->hashes, contest->hash);
  return TRUE;
}

static gboolean
keep_event (gpointer data, const IfbamEvent *event, GError **error)
{
  Contest *contest = data;

  (void) error;
  g_array_append_val (contest->events, *event);
  return TRUE;
}

static void
compare_events (const Contest *contest, double last)
{
  const gsize n = core.n_events (contest->core);

  for (gsize i = 0; i < contest->events->len; i++)
    {
      const IfbamEvent *ours = &g_array_index (contest->events, IfbamEvent, i);
      const IfbamCoreEvent its =
          i < n ? core.event (contest->core, i) : (IfbamCoreEvent){ .time = NAN };

      if (!same (ours->time, its.time) || !g_str_equal (ours->element, its.element)
          || !g_str_equal (ours->word, its.word) || !same (ours->impulse, its.impulse)
          || !same (ours->rate_before, its.rate_before) || !same (ours->rate_after, its.rate_after)
          || !same (ours->energy_change, its.energy_change))
        fail_msg ("%s: event %zu is a %s of %s at %a with %a, rates %a, %a and energy %a; in the "
                  "core a %s of %s at %a with %a, rates %a, %a and energy %a",
                  contest->name, i, ours->word, ours->element, ours->time, ours->impulse,
                  ours->rate_before, ours->rate_after, ours->energy_change, its.word, its.element,
                  its.time, its.impulse, its.rate_before, its.rate_after, its.energy_change);
    }
  /* Others are later than the last row. */
  for (gsize i = contest->events->len; i < n; i++)
    assert_true (core.event (contest->core, i).time > last);
}

/* Position and rate of every node, in the order of the network. */
static IfbamSignals *
all_signals (const IfbamModel *model)
{
  IfbamSignals *signals = g_new0 (IfbamSignals, 1);

  signals->names = g_ptr_array_new ();
  signals->units = g_ptr_array_new ();
  signals->signals = g_array_new (FALSE, FALSE, sizeof (IfbamSignal));
  for (gsize i = 0; i < ifbam_model_n_named (model); i++)
    {
      const gsize node = ifbam_model_number_of (model, i);
      const IfbamSignal position = { IFBAM_SIGNAL_POSITION, FALSE, node };
      const IfbamSignal rate = { IFBAM_SIGNAL_RATE, FALSE, node };

      g_array_append_val (signals->signals, position);
      g_array_append_val (signals->signals, rate);
    }
  return signals;
}

static IfbamCore *
core_of (const char *name, const char *text)
{
  IfbamCore *self = core.make ();

  if (core.read (self, text) != 0 || core.compile (self) != 0)
    fail_msg ("%s: %s\n%s", name, core.said (self), text);
  return self;
}

static guint n_contests;

/* FOLDER/NUMBER.network, .rows (the hashes) and .said: the name, how it ended (FAILED: the next row is refused), the sizes; then
 * a line for each event. */
static void
keep (const Contest *contest, const char *text, const char *failed)
{
  const char *to = g_getenv ("CORE_KEPT"), *part = g_getenv ("CORE_PART");
  const guint every = part == NULL ? 1 : (guint) g_ascii_strtoull (part, NULL, 10);
  g_autofree char *name = g_strdup_printf ("%s/%u", to, n_contests);
  g_autofree char *network = g_strconcat (name, ".network", NULL);
  g_autofree char *rows = g_strconcat (name, ".rows", NULL);
  g_autofree char *said = g_strconcat (name, ".said", NULL);
  g_autoptr (GString) lines = g_string_new (NULL);

  if (to == NULL || n_contests++ % every != 0)
    return;
  g_string_append_printf (lines, "%s\n%s\n%zu %" G_GUINT64_FORMAT "\n", contest->name, failed,
                          contest->n_nodes, contest->stride);
  for (guint i = 0; i < contest->events->len; i++)
    {
      const IfbamEvent *event = &g_array_index (contest->events, IfbamEvent, i);
      guint32 hash = 0;

      hash_number (&hash, event->time);
      hash_number (&hash, event->impulse);
      hash_number (&hash, event->rate_before);
      hash_number (&hash, event->rate_after);
      hash_number (&hash, event->energy_change);
      g_string_append_printf (lines, "%s %s %u\n", event->element, event->word, hash);
    }
  assert_true (g_file_set_contents (network, text, -1, NULL));
  assert_true (g_file_set_contents (rows, contest->hashes->data,
                                    (gssize) (contest->hashes->len * sizeof (guint32)), NULL));
  assert_true (g_file_set_contents (said, lines->str, (gssize) lines->len, NULL));
}

/* Returns how many events there were. */
static guint
contest (const char *name, IfbamNetwork *network)
{
  g_autoptr (GError) error = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (network, TRUE, &spec, NULL, &error);
  g_autoptr (IfbamSignals) signals = NULL;
  g_autofree char *text = NULL;
  Contest contest = { .name = name,
                      .events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent)),
                      .hashes = g_array_new (FALSE, FALSE, sizeof (guint32)) };
  g_autofree char *failed = g_strdup ("");
  IfbamRunTask run = { .event = keep_event, .row = compare_row, .data = &contest };
  guint n_events;

  if (model == NULL)
    fail_msg ("%s: %s", name, error->message);
  signals = all_signals (model);
  text = ifbam_network_core_text (network, model, &spec);
  contest.core = core_of (name, text);
  contest.n_nodes = ifbam_model_n_named (model);
  contest.stride = spec.stride;
  contest.position = g_new (double, contest.n_nodes + 1);
  contest.rate = g_new (double, contest.n_nodes + 1);
  assert_int_equal (core.n_nodes (contest.core), contest.n_nodes);
  assert_true (core.stride (contest.core) == spec.stride);
  assert_true (core.last_step (contest.core) == spec.last_step);
  for (gsize i = 0; i < MIN (contest.n_nodes, 1000); i++)
    {
      g_autofree char *node = ifbam_model_node_name (model, ifbam_model_number_of (model, i));

      assert_true (core.find_node (contest.core, node) == (long) i);
    }
  if (!ifbam_run (&run, model, signals, &spec, &error))
    {
      /* Events are told up to the row that is none any more; what can't go on is told by both. */
      const int result = core.advance (contest.core, contest.stride);

      if (!g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED)
          && (result == 0 || !g_str_has_prefix (error->message, core.said (contest.core))))
        fail_msg ("%s: %s; in the core: %s", name, error->message, core.said (contest.core));
      g_free (failed);
      failed = g_strdup (result == 0 ? "diverged" : core.said (contest.core));
    }
  assert_true (contest.rows > 0);
  compare_events (&contest, run.time);
  keep (&contest, text, failed);
  n_events = contest.events->len;
  core.free (contest.core);
  g_free (contest.position);
  g_free (contest.rate);
  g_array_unref (contest.events);
  g_array_unref (contest.hashes);
  return n_events;
}

static void
test_shipped_networks (void **state)
{
  /* Each by one of the schemes that go by a table, too, for a tenth of its time. */
  static const char *const others[][3] = {
    { "network.scheme=implicit", NULL },
    { "network.scheme=tr-bdf2", "network.tolerance=1e-4", NULL },
    { "network.scheme=implicit-euler", NULL },
    { "network.scheme=esdirk4", NULL },
    { "network.scheme=dopri5", "network.tolerance=1e-5", NULL },
    { "network.scheme=tr-bdf2", NULL },
    { "network.scheme=dopri5", NULL },
    { "network.scheme=esdirk4", "network.tolerance=1e-5", NULL },
  };
  g_auto (GStrv) paths = shipped_networks ("networks", G_STRFUNC);
  guint n = 0, n_events = 0;

  (void) state;
  for (guint p = 0; paths[p] != NULL; p++)
    {
      const char *path = paths[p], *name = strrchr (path, G_DIR_SEPARATOR) + 1;
      const char *const *by = others[n % G_N_ELEMENTS (others)];
      g_autofree char *what = g_strdup_printf ("%s, %s", name, by[0]);
      g_autoptr (IfbamNetwork) network = open_network (path, NULL);
      const IfbamSettingsLaw *law =
          (const IfbamSettingsLaw *) ifbam_element_law (network->settings);
      g_autofree char *duration = g_strdup_printf ("network.duration=%.17g", 0.1 * law->duration);
      const char *const settings[] = { by[0], duration, "network.start=warm", by[1], NULL };
      g_autoptr (IfbamNetwork) other = open_network (path, settings);

      n_events += contest (name, network);
      contest (what, other);
      n++;
    }
  print_message ("# %u networks, %u events\n", n, n_events);
  assert_true (n > by_effort (7, 30, 30) && n_events > by_effort (20, 100, 100));
}

/* A row of masses and a circuit beside it, and what yields. */
static char *
draft_row_and_circuit (guint seed)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (DraftPair));
  g_autofree char *row = draft_row (seed, pairs), *circuit = draft_circuit (seed, pairs);

  return g_strconcat (row, circuit,
                      "[bouc-wen yielding]\nbetween = g, m0\nstiffness = 50\nyield = 0.5\n"
                      "ratio = 0.2\nexponent = 2\n",
                      NULL);
}

/* Five hundred under full effort, by each of the schemes in turn. */
static void
test_random_networks (void **state)
{
  static const struct
  {
    const char *what;
    char *(*draft) (guint seed);
    guint brief, usual, full;
  } kinds[] = {
    { "network", draft_row_and_circuit, 45, 108, 340 },
    { "slides", draft_slides, 9, 22, 80 },
    { "table", draft_table, 9, 22, 80 },
  };
  guint n_schemes, n_events = 0, n = 0;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint seed = 1; seed <= by_effort (kinds[k].brief, kinds[k].usual, kinds[k].full); seed++)
      {
        const char *scheme = schemes[seed % n_schemes]->name;
        g_autofree char *text = kinds[k].draft (seed);
        g_autofree char *name = g_strdup_printf ("random %s %u, %s", kinds[k].what, seed, scheme);
        g_autoptr (IfbamNetwork) network = text_network_printf (
            "[network]\nformat = 1\nscheme = %s\nstep = 5 ms\nduration = 2 s\n%s", scheme, text);

        n_events += contest (name, network);
        n++;
      }
  print_message ("# %u networks, %u schemes, %u events\n", n, n_schemes, n_events);
  assert_true (n_schemes >= 11 && n_events > 5 * n);
}

static void
test_random_mechanisms (void **state)
{
  static const char *const schemes[] = { "rk4",      "verlet",           "averaged",
                                         "original", "symplectic-euler", "euler" };
  const guint n_seeds = wanted_seeds (30);
  guint n_events = 0;

  (void) state;
  for (guint seed = 1; seed <= n_seeds; seed++)
    for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
      {
        g_autofree char *mechanism = draft_rich_mechanism (seed);
        g_autofree char *name = g_strdup_printf ("random mechanism %u, %s", seed, schemes[s]);
        g_autoptr (IfbamNetwork) network =
            text_network_printf ("[network]\nformat = 1\nscheme = %s\nstep = 2 ms\n"
                                 "duration = 0.4 s\n%s",
                                 schemes[s], mechanism);

        n_events += contest (name, network);
      }
  print_message ("# %u events\n", n_events);
  assert_true (n_events >= 10 * n_seeds);
}

/* What the account asks for at the start of a step once left the factors of pulls to rows that are the same on one side
 * of the diagonal: the core, which keeps no account, told other last digits. */
static void
test_factors_of_pulls (void **state)
{
  static const guint seeds[] = { 62, 74, 90, 338, 570, 889 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    {
      g_autofree char *mechanism = draft_mechanism (seeds[i]);
      g_autofree char *name = g_strdup_printf ("random mechanism %u", seeds[i]);
      g_autoptr (IfbamNetwork) network =
          text_network_printf ("[network]\nformat = 1\nscheme = verlet\nstep = 2 ms\n"
                               "duration = 0.4 s\n%s",
                               mechanism);

      contest (name, network);
    }
}

/* Courses, numbers of single members of a composite, and positions that an equilibrium found go to the core, too. */
static void
test_told_numbers (void **state)
{
  static const char *const settings[] = { "network.start=equilibrium", NULL };
  g_autofree char *path = folder_write ("course.csv", "time [s],way [m],push [N]\n0,0,1\n"
                                                      "0.02,0.001,-2\n0.05,0,3\n0.1,0.002,0\n");
  g_autoptr (IfbamNetwork) courses = text_network (
      "[network]\nformat = 1\nstep = 1 ms\nduration = 0.1\n[drive d]\ncourse = course.csv:way\n"
      "[mass m]\nmass = 1\n[spring k]\nbetween = d, m\nstiffness = 5 kN/m\n"
      "[force f]\non = m\ncourse = course.csv:push\n");
  g_autoptr (IfbamNetwork) members = text_network (
      "[network]\nformat = 1\nstep = 1 ms\nduration = 0.1\n[ground g]\n[chain c]\nfrom = g\n"
      "count = 4\nmass = 1, 2\nstiffness = 1 kN/m\nm2.mass = 3\nm4.position = 1 mm\n"
      "k3.stiffness = 7 kN/m\n[monitor w]\nsignal = c.m1.position\n");
  g_autoptr (IfbamNetwork) resting = text_network_set (
      "[network]\nformat = 1\nstep = 1 ms\nduration = 0.1\n[ground g]\n[mass m]\nmass = 1\n"
      "velocity = 1\n[mass n]\nmass = 2\n[spring k]\nbetween = g, m\nstiffness = 1 kN/m\n"
      "[spring l]\nbetween = m, n\nstiffness = 2 kN/m\n[gravity earth]\non = m, n\n",
      settings);

  (void) state;
  (void) path;
  g_object_set (ifbam_network_get_element (members, "w"), "signal", " c.m2.velocity ", NULL);
  contest ("courses", courses);
  assert_int_not_equal (contest ("members", members), 0);
  contest ("resting", resting);
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

/* What is wrong is said; nothing is half-run. */
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
  refused ("mass m mass=0x1p+0\n",
           "[network network] step: is missing (a time, such as \"50 us\")");
  refused ("network - step=0x1p-10 positions=0x1p+0,0x1p+0\nmass m mass=0x1p+0\n",
           "[network network] positions: wants one of each free node");
  refused ("network - step=0x1p-10\ndrive d course=0x0p+0:0x0p+0\nmass m mass=0x1p+0\n",
           "[drive d] course: wants two instants or more, which increase, with finite values");
  refused ("drive d course=0x0p+0:0x0p+0,0x0p+0:0x1p+0\n",
           "[drive d] course: wants two instants or more, which increase, with finite values");
  refused ("drive d course=0x0p+0:0x0p+0,inf:0x1p+0\n",
           "[drive d] course: wants two instants or more, which increase, with finite values");
  refused ("drive d course=0x0p+0:0x0p+0,0x1p+0:-inf\n",
           "[drive d] course: wants two instants or more, which increase, with finite values");
  refused ("mass m course=0x0p+0:0x0p+0,0x1p+0:0x1p+0\n", "[mass m] course: is no key");
  refused ("network - step=0x1p-10\ndrive d course=e\nmass m mass=0x1p+0\n",
           "[drive d] course: is not there");
  refused ("network - step=inf\nmass m mass=0x1p+0\n", "[network network] step: wants a number");
  refused ("network - step=0x1p-10 start=equilibrium\nmass m mass=0x1p+0\n",
           "[network network] start: wants positions, and warm");
  refused ("network - step=0x1p-10 start=cold\nmass m mass=0x1p+0\nmass n mass=0x1p+0\n"
           "impact i between=m,n\n",
           "[network network] start: cold is for networks without events: links with modes, "
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

/* What is no number is taken as a text, which no number takes. */
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

typedef struct
{
  const char *name;
  IfbamCore *core;
  guint64 stride, rows;
  gsize n;
  double *values; /* of the core (n) */
} Recorded;

static gboolean
compare_signals (gpointer data, double time, const double *values, GError **error)
{
  Recorded *recorded = data;

  (void) error;
  if (recorded->rows++ > 0)
    assert_int_equal (core.advance (recorded->core, recorded->stride), 0);
  core.signals (recorded->core, recorded->values);
  for (gsize i = 0; i < recorded->n; i++)
    if (!same (values[i], recorded->values[i]))
      fail_msg ("%s, t = %g s: signal %zu is %a, and %a in the core", recorded->name, time, i,
                values[i], recorded->values[i]);
  return TRUE;
}

/* Forces and the ledger are those that `ifbam run --record` tells. */
static void
test_signals (void **state)
{
  static const struct
  {
    const char *network, *scheme, *duration, *record;
  } cases[] = {
    { "three-dof", "averaged", "0.1", "*.force, network.energy, network.kinetic" },
    { "three-dof", "rk4", "0.1", "k2.compression, network.*" },
    { "duffing", "averaged", "0.5", "*.force, network.*" },
    { "duffing", "rk4", "0.5", "network.supplied, network.dissipated" },
    { "impact-oscillator", "rk4", "3", "*.force, network.*, stop.mode" },
    { "impact-oscillator", "averaged", "3", "network.energy, k1.force" },
    { "pendulum-hit", "verlet", "1", "network.*" },
    { "rc", "tr-bdf2", "0.001", "*.current, network.*" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("networks/%s.ini", cases[i].network);
      g_autofree char *scheme = g_strdup_printf ("network.scheme=%s", cases[i].scheme);
      g_autofree char *duration = g_strdup_printf ("network.duration=%s", cases[i].duration);
      const char *const settings[] = { scheme, duration, NULL };
      g_autoptr (IfbamNetwork) network = open_network (path, settings);
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamModel) model =
          ifbam_network_compile_or_error (network, TRUE, &spec, NULL, &error);
      g_autofree char *text = NULL, *reason = NULL;
      g_autoptr (IfbamSignals) signals = NULL;
      Recorded recorded = { .name = cases[i].network };
      IfbamRunTask run = { .row = compare_signals, .data = &recorded };

      assert_non_null (model);
      signals = ifbam_signals_new (model, network->by_name, cases[i].record, &reason);
      if (signals == NULL)
        fail_msg ("%s: %s", path, reason);
      text = ifbam_network_core_text (network, model, &spec);
      recorded.core = core_that_records (text, cases[i].record);
      recorded.n = signals->signals->len;
      recorded.stride = spec.stride;
      recorded.values = g_new (double, recorded.n);
      assert_int_equal (core.n_signals (recorded.core), recorded.n);
      if (!ifbam_run (&run, model, signals, &spec, &error))
        fail_msg ("%s: %s", path, error->message);
      assert_true (recorded.rows > 10);
      core.free (recorded.core);
      g_free (recorded.values);
    }
}

static double
voice_named (const IfbamCast *cast, const char *name)
{
  for (guint i = 0; i < cast->links->len; i++)
    if (g_str_equal (((const IfbamVoice *) cast->links->pdata[i])->name, name))
      return ((const IfbamVoice *) cast->links->pdata[i])->says;
  for (guint i = 0; i < cast->singles->len; i++)
    if (g_str_equal (((const IfbamVoice *) cast->singles->pdata[i])->name, name))
      return ((const IfbamVoice *) cast->singles->pdata[i])->says;
  for (guint i = 0; i < cast->sources->len; i++)
    if (g_str_equal (((const IfbamVoice *) cast->sources->pdata[i])->name, name))
      return ((const IfbamVoice *) cast->sources->pdata[i])->says;
  return NAN;
}

/* In a cycle it tells what the objects say there in their dialogue; forwards, and back. */
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
          const IfbamCast *cast = network->home.cast;
          const IfbamVoice *node =
              ifbam_cast_voice (cast, g_hash_table_lookup (network->by_name, cases[i].node));
          guint n = 0;

          ifbam_cast_master (network->home.cast);
          assert_int_equal (core.cycle (self, cycle, values), 0);
          /* Events are looked for in a cycle before it is: of what was said before the start they tell nothing. */
          if (cycle == 0 && ifbam_model_has_events (model))
            assert_true (isnan (values[0]));
          for (; cases[i].links[n] != NULL && !isnan (values[0]); n++)
            if (values[n] != voice_named (cast, cases[i].links[n]))
              fail_msg ("%s, cycle %u: %s says %a, and %a in the core", path, cycle,
                        cases[i].links[n], voice_named (cast, cases[i].links[n]), values[n]);
          if (n > 0
              && (values[n] != *node->column[spec.scheme->said_position]
                  || values[n + 1] != *node->column[spec.scheme->said_rate]))
            fail_msg ("%s, cycle %u: the node is at %a, and %a in the core", path, cycle,
                      *node->column[spec.scheme->said_position], values[n]);
          assert_true (n > 0 || cycle == 0);
          if (cycle == 3)
            memcpy (first, values, sizeof first);
          ifbam_cast_slave (network->home.cast);
          assert_true (ifbam_network_settle (network, &error));
        }
      assert_int_equal (core.cycle (self, 3, values), 0);
      assert_memory_equal (values, first, core.n_signals (self) * sizeof *first);
      core.free (self);
    }
}

/* What given nodes and sources of several nodes say in a cycle, against their laws; without latency it is what stands in the row. */
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

/* What would not fit into the machine is told before it is made: 113 GB. */
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

/* A signal that nobody has is refused when it is compiled. */
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
  /* Who records nothing is told nothing, and nothing goes on for it. */
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
  const double where[] = { 0.5, -0.25 };
  IfbamCore *said = core_of ("said", SWINGING (" position=0x1p-1", " position=-0x1p-2")),
            *told = core_of ("told", SWINGING ("", ""));
  double theirs[ROWS * WIDTH], ours[ROWS * WIDTH];

  (void) state;
  core.set_start (told, where, 1);
  assert_int_equal (core.compile (told), -1);
  assert_message (core.said (told), "positions: wants one of each free node");
  core.set_start (told, where, 2);
  assert_int_equal (core.compile (told), 0);
  assert_int_equal (core.n_nodes (told), 3);
  assert_int_equal (core.rows (said, ROWS, 7, theirs), ROWS);
  assert_int_equal (core.rows (told, ROWS, 7, ours), ROWS);
  assert_memory_equal (ours, theirs, sizeof theirs);
  assert_true (ours[1] != ours[(ROWS - 1) * WIDTH + 1]);
  /* Without them it is at rest, as its elements say. */
  core.set_start (told, where, 0);
  assert_int_equal (core.compile (told), 0);
  assert_int_equal (core.rows (told, ROWS, 7, ours), ROWS);
  for (guint row = 0; row < ROWS; row++)
    assert_true (ours[row * WIDTH + 1] == 0 && ours[row * WIDTH + 2] == 0);
  core.free (told);
  core.free (said);
}

/* What hangs does so from one of its ends to the other, no longer than it can be stretched, and sags below both. */
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
  /* One place is no shape, and what doesn't hang has none. */
  assert_int_equal (core.shape (self, "r", position, 1, place), 0);
  assert_int_equal (core.shape (self, "bending", position, PLACES, place), 0);
  assert_int_equal (core.shape (self, "nobody", position, PLACES, place), 0);
  core.free (self);
}

/* What can't go on says why. */
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
    cmocka_unit_test (test_shipped_networks),
    cmocka_unit_test (test_random_networks),
    cmocka_unit_test (test_random_mechanisms),
    cmocka_unit_test (test_factors_of_pulls),
    cmocka_unit_test (test_told_numbers),
    cmocka_unit_test (test_contexts),
    cmocka_unit_test (test_faults),
    cmocka_unit_test (test_numbers),
    cmocka_unit_test (test_texts),
    cmocka_unit_test (test_rows),
    cmocka_unit_test (test_signals),
    cmocka_unit_test (test_cycles),
    cmocka_unit_test (test_cycles_of_the_given),
    cmocka_unit_test (test_memory),
    cmocka_unit_test (test_unknown_signal),
    cmocka_unit_test (test_start),
    cmocka_unit_test (test_shape),
    cmocka_unit_test (test_jam),
  };

  return cmocka_run_group_tests_name ("core", tests, open_core, folder_remove);
}
