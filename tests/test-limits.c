/* test-limits.c: an instant that does not end is given up with a word, and hears an interruption
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "dialogue/dialogue.h"
#include "event/event-context.h"
#include "draft.h"
#include "event-run.h"
#include "fixture.h"
#include "run/run.h"

#define HEAD_OF(scheme) "[network]\nformat = 1\nscheme = " scheme "\nstep = 10 ms\nduration = 1 s\n"
#define HEAD            HEAD_OF ("rk4")

/* A ball that slides on a floor that it is pressed to from 0.3 s on. */
static const char sliding[] =
    HEAD "[surface floor]\n[ball b]\nmass = 1\nradius = 0.1\ny = 0.1\nvx = 5\n"
         "[bounce hop]\nrestitution = 0\nfriction = 0.2\nbetween = b, floor\n[gravity g]\non = b\n"
         "[force push]\nvalue = -1\non = b.y\nstart = 0.3 s\n";

/* Three masses that touch; the first is hit by a fourth at 0.3 s. */
static const char row[] =
    HEAD "[mass a]\nmass = 1 kg\nposition = -0.3\nvelocity = 1\n"
         "[mass b]\nmass = 1 kg\n[mass c]\nmass = 2 kg\n[mass d]\nmass = 1 kg\n"
         "[impact ab]\nbetween = a, b\n[impact bc]\nbetween = b, c\n"
         "[impact cd]\nbetween = c, d\n";

/* A ball that rolls on a table, and is pushed so hard from 0.3 s on that it skids. */
static const char skid[] =
    HEAD "[ball b]\nmass = 1 kg\nradius = 5 cm\ninertia = solid\ntable = yes\n"
         "[roll f]\nfriction = 0.2\non = b\n[force push]\non = b.x\nvalue = 20 N\nstart = 0.3 s\n";

static const char stand[] = HEAD "[ground g]\n[mass a]\nmass = 1 kg\n"
                                 "[impact floor]\nbetween = g, a\nrestitution = 0\n"
                                 "[force weight]\non = a\nvalue = -10 N\nstart = 0.3 s\n";

/* An impulse moves a mass across a monitor's level, and an impulse of this monitor moves it back. */
static const char thrown[] = HEAD "[mass a]\nmass = 1 kg\n"
                                  "[impulse throw]\non = a\nimpulse = 2 N s\nat = 0.3 s\n"
                                  "[monitor watch]\nsignal = a.velocity\nlevel = 1 m/s\n"
                                  "[impulse back]\non = a\nimpulse = -2 N s\nwhen = watch\n";

/* A ball that falls onto waves, and slides in a trough from 0.3 s on. */
#define WAVES(scheme)                                                                              \
  HEAD_OF (scheme)                                                                                 \
  "[surface s]\namplitude = 20 cm\nwavelength = 3 m\n"                                             \
  "[ball b]\nmass = 1 kg\nradius = 5 cm\nx = -0.4 m\ny = 0.35 m\n"                                 \
  "[gravity w]\non = b\n[bounce hop]\nrestitution = 0\nbetween = b, s\n"

static const char waves[] = WAVES ("rk4"), flip_flop_waves[] = WAVES ("averaged");

/* A slow swing, for which one turn would be enough. */
static const char swing[] = HEAD_OF ("verlet") "[point p]\n[ball b]\nmass = 1\nx = 1\nvy = 0.1\n"
                                               "[rod r]\nlength = 1\nbetween = p, b\n";

/* Two masses that go along with a wall, pressed by nothing: rounding makes them overlap after a minute. */
static const char along[] = HEAD "[drive base]\nvelocity = -0.10015838722156034\n"
                                 "[mass a]\nmass = 1\nvelocity = -0.10015838722156034\n"
                                 "[mass b]\nmass = 2\nvelocity = -0.10015838722156034\n"
                                 "[impact i]\nbetween = base, a\n[impact j]\nbetween = a, b\n";

/* A mass between two walls, elastic ones, at 2.5 ms from each other. */
static const char between[] =
    HEAD "[ground g]\n[ground h]\nposition = 5 mm\n"
         "[mass a]\nmass = 1\nposition = 2 mm\nvelocity = 2\n"
         "[impact left]\nbetween = g, a\n[impact right]\nbetween = a, h\n";

/* A row of eight that touch: seven links, of which the first five are named. */
static const char long_row[] = HEAD
    "[mass a]\nmass = 1 kg\nposition = -0.3\nvelocity = 1\n"
    "[mass b]\nmass = 1 kg\n[mass c]\nmass = 2 kg\n[mass d]\nmass = 1 kg\n[mass e]\nmass = 3 kg\n"
    "[mass f]\nmass = 1 kg\n[mass g]\nmass = 2 kg\n[mass h]\nmass = 1 kg\n"
    "[impact ab]\nbetween = a, b\n[impact bc]\nbetween = b, c\n[impact cd]\nbetween = c, d\n"
    "[impact de]\nbetween = d, e\n[impact ef]\nbetween = e, f\n[impact fg]\nbetween = f, g\n"
    "[impact gh]\nbetween = g, h\n";

/* A spring's end without inertia that a force throws into a stop at 0.3 s. */
static const char jump[] =
    HEAD_OF ("esdirk4") "[ground g]\n[junction j]\n[spring k]\nstiffness = 1000\nbetween = g, j\n"
                        "[contact c]\nstiffness = 1000\ngap = 1 mm\nbetween = g, j\n"
                        "[force f]\non = j\namplitude = -10\nwave = step\nat = 0.3\n";

/* A rod that slides on its lower end, where no reaction keeps it up: it jams (Painleve 1895), at once. */
static const char jamming[] = HEAD
    "[body rod]\nmass = 1\ninertia = 0.08333333333333333\nangle = 0.8\n"
    "y = 0.35867804544976\nvx = -2\n[point tip]\non = rod\nx = -0.5\n[surface floor]\n"
    "[bounce hit]\nrestitution = 0\nfriction = 2\nbetween = tip, floor\n[gravity g]\non = rod\n";

typedef struct
{
  const char *text;
  gsize limit; /* which, as a place in IfbamEventLimits */
  guint most;
  const char *said;
  double failed; /* [s] */
} Case;

/* However an instant has ended, its flags and lists have gone with it. */
static void
assert_nobody_plays (const IfbamEventEngine *event)
{
  assert_int_equal (event->context->links->len + event->context->impulse_nodes->len, 0);
  assert_int_equal (event->context->participants->len + event->context->jumped->len, 0);
  for (guint i = 0; i < event->base.model->unbatched_links->len; i++)
    assert_null (ifbam_event_context_find (event->context, i));
}

/* The note on links suspended until a step's end. */
typedef struct
{
  guint n;
  char first[16];
  double time;
} Held;

static char *
run_all (const char *text, guint steps, gsize limit, guint most,
         gboolean (*may_continue) (gpointer), gpointer data, double *failed, Held *held,
         double *rates)
{
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamEngine) engine = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  IfbamEventEngine *event;

  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  if (model == NULL)
    fail_msg ("%s", error->message);
  engine = ifbam_event_engine_new (model, &spec, FALSE);
  event = (IfbamEventEngine *) engine;
  if (limit < sizeof event->limits)
    memcpy ((char *) &event->limits + limit, &most, sizeof most);
  engine->interrupt = (IfbamInterrupt){ .may_continue = may_continue, .data = data };
  ifbam_engine_start (engine);
  assert_nobody_plays (event);
  ifbam_engine_advance (engine, steps, NULL);
  assert_nobody_plays (event);
  if (held != NULL)
    {
      const char *first = engine->log->first_suspended;

      held->n = engine->log->suspended.n;
      held->time = engine->log->first_suspended_time;
      g_strlcpy (held->first, first == NULL ? "" : first, sizeof held->first);
    }
  if (rates != NULL)
    memcpy (rates, event->nodes.v, model->n_free * sizeof *rates);
  *failed = engine->log->failure_time;
  return g_strdup (engine->log->failure);
}

static char *
run_steps (const char *text, guint steps, gsize limit, guint most,
           gboolean (*may_continue) (gpointer), gpointer data, double *failed, Held *held)
{
  return run_all (text, steps, limit, most, may_continue, data, failed, held, NULL);
}

static char *
run (const char *text, gsize limit, guint most, gboolean (*may_continue) (gpointer), gpointer data,
     double *failed)
{
  return run_steps (text, 100, limit, most, may_continue, data, failed, NULL);
}

static void
test_no_limit_ends_in_silence (void **state)
{
  static const Case cases[] = {
    { row, offsetof (IfbamEventLimits, impulses), 1,
      "the impact solver did not converge at \"ab\", \"bc\" and \"cd\"", 0.3 },
    { stand, offsetof (IfbamEventLimits, pivots), 0,
      "no reactions are found for the touching contacts at \"floor\"", 0 },
    { sliding, offsetof (IfbamEventLimits, pivots), 0,
      "no reactions keep the sliding contacts closed with so much friction at \"hop\" (less "
      "friction may",
      0 },
    { skid, offsetof (IfbamEventLimits, rounds), 0,
      "no consistent set of closed contacts and sticking frictions is found at \"f\"", 0.3 },
    { thrown, offsetof (IfbamEventLimits, jumps), 0, "\"watch\" changes its law to and fro", 0.3 },
    { thrown, offsetof (IfbamEventLimits, monitor_rounds), 0,
      "\"watch\" and an element that it switches trigger each other", 0.3 },
    { waves, offsetof (IfbamEventLimits, iterations), 0, "\"hop\" can't be kept closed", 0.31 },
    { flip_flop_waves, offsetof (IfbamEventLimits, iterations), 0, "\"hop\" can't be kept closed",
      0.31 },
    { swing, offsetof (IfbamEventLimits, iterations), 0, "\"r\" can't be kept closed", 0.01 },
    { waves, offsetof (IfbamEventLimits, pieces), 0, "events at \"hop\" can't be located", 0.3 },
    { waves, offsetof (IfbamEventLimits, halvings), 0, "events at \"hop\" can't be located", 0.3 },
    { between, offsetof (IfbamEventLimits, events), 1,
      "\"right\" has events without end within a step (choose", 0.0065 },
    { long_row, offsetof (IfbamEventLimits, impulses), 9,
      "the impact solver did not converge at \"ab\", \"bc\", \"cd\", \"de\", \"ef\" and 2 more",
      0.3 },
    { jump, offsetof (IfbamEventLimits, jumps), 0, "\"c\" changes its law to and fro without end",
      0.3 },
    { jamming, offsetof (IfbamEventLimits, rounds), 0, "it jams again and again at \"hit\"", 0 },
    { along, offsetof (IfbamEventLimits, corrections), 0, "overlaps of rounding at \"j\"", 64.42 },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double failed = NAN;
      g_autofree char *free_run =
          run_steps (cases[i].text, 7000, G_MAXSIZE, 0, NULL, NULL, &failed, NULL);
      g_autofree char *said = NULL;

      if (free_run != NULL)
        fail_msg ("%s: without a limit: %s", cases[i].said, free_run);
      said =
          run_steps (cases[i].text, 7000, cases[i].limit, cases[i].most, NULL, NULL, &failed, NULL);
      print_message ("# at t = %g s: %s\n", failed, said);
      assert_non_null (said);
      if (strstr (said, cases[i].said) == NULL)
        fail_msg ("not: %s", cases[i].said);
      /* It stands where it is found, not at a step's end. */
      assert_true (fabs (failed - cases[i].failed) < 1e-9);
    }
}

/* A limit that is just met is no error: one interval, or the greatest number of iterations. */
static void
test_limits_that_are_just_met (void **state)
{
  static const Case cases[] = {
    { waves, offsetof (IfbamEventLimits, pieces), 1, NULL, 0 },
    { waves, offsetof (IfbamEventLimits, iterations), 1, NULL, 0 },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double failed = NAN;
      g_autofree char *said =
          run_steps (cases[i].text, 7000, cases[i].limit, cases[i].most, NULL, NULL, &failed, NULL);

      if (said != NULL)
        fail_msg ("case %u: %s", i, said);
    }
}

/* The network with its bounces in the opposite order. */
static char *
reverse_bounces (const char *text)
{
  g_auto (GStrv) pieces = g_strsplit (text, "\n[", -1);
  g_autoptr (GString) reversed = g_string_new (pieces[0]);

  for (guint i = 1; pieces[i] != NULL; i++)
    if (!g_str_has_prefix (pieces[i], "bounce"))
      g_string_append_printf (reversed, "\n[%s", pieces[i]);
  for (guint i = g_strv_length (pieces); i-- > 1;)
    if (g_str_has_prefix (pieces[i], "bounce"))
      g_string_append_printf (reversed, "\n[%s", pieces[i]);
  return g_string_free (g_steal_pointer (&reversed), FALSE);
}

/* Rates after so many steps (n), which do not depend on the order of the file but for `near`. */
static void
run_either_way (const char *text, guint steps, gsize n, double near, double *rates)
{
  g_autofree char *reversed = reverse_bounces (text);
  double other[6] = { 0 };

  assert_true (n <= G_N_ELEMENTS (other));
  for (guint way = 0; way < 2; way++)
    {
      double failed = NAN;
      g_autofree char *said = run_all (way == 0 ? text : reversed, steps, G_MAXSIZE, 0, NULL, NULL,
                                       &failed, NULL, way == 0 ? rates : other);

      if (said != NULL)
        fail_msg ("%s\n%s", said, text);
    }
  for (gsize k = 0; k < n; k++)
    if (!(fabs (rates[k] - other[k]) < near))
      fail_msg ("%zu: %g and %g\n%s", k, rates[k], other[k], text);
}

/* A table that falls level onto two feet while it slides, one hit with friction that turns it: the order of the feet in the file
 * does not matter. */
static void
test_order_of_hits_at_once_does_not_matter (void **state)
{
  static const double frictions[] = { 0.1, 0.3, 0.7, 1.5 };
  double rates[3];
  guint slid = 0;

  (void) state;
  for (guint i = 0; i < 4 * G_N_ELEMENTS (frictions); i++)
    {
      const double friction = frictions[i / 4];
      g_autofree char *text = g_strdup_printf (
          HEAD "record = b.x\n[body b]\nmass = 1\ninertia = %g\ny = 0.5\nvx = %g\nvy = -1\n"
               "[surface floor]\n[gravity g]\non = b\n"
               "[point p]\non = b\nx = -0.3\ny = -0.4\n[point q]\non = b\nx = 0.5\ny = -0.4\n"
               "[bounce l]\nrestitution = 0\nfriction = %g\nbetween = p, floor\n"
               "[bounce r]\nrestitution = 0\nfriction = %g\nbetween = q, floor\n",
          i % 2 == 0 ? 0.05 : 0.4, i % 4 < 2 ? 0.7 : -2.0, friction, friction);

      run_either_way (text, 10, 3, 1e-12, rates);
      slid += fabs (rates[0]) > 0.1;
    }
  print_message ("# %u slide on\n", slid);
  assert_true (slid > 0 && slid < 4 * G_N_ELEMENTS (frictions));
}

/* The same with a rider on a hinge, with a foot without friction, and thrown back: equal results. If a sticking friction would
 * pull its carriers apart, a slipping one is found. */
static void
test_tied_and_thrown_back_at_once (void **state)
{
  static const double frictions[] = { 0.2, 0.6, 1.2, 3 }, slips[] = { -3, -0.5, 0.4, 2 };
  guint slid = 0, stuck = 0;

  (void) state;
  for (guint i = 0; i < 2 * 3 * 16; i++)
    {
      const gboolean rider = i % 2;
      const guint kind = i / 2 % 3;
      const double friction = frictions[i / 6 % 4], slip = slips[i / 24];
      g_autofree char *text = g_strdup_printf (
          HEAD "record = b.x\n[body b]\nmass = 1\ninertia = 0.05\ny = 0.5\nvx = %g\nvy = -1\n"
               "[surface floor]\n"
               "[point p]\non = b\nx = -0.3\ny = -0.4\n[point q]\non = b\nx = 0.5\ny = -0.4\n"
               "[bounce l]\nrestitution = %g\nfriction = %g\nbetween = p, floor\n"
               "[bounce r]\nrestitution = %g\nfriction = %g\nbetween = q, floor\n%s",
          slip, kind == 2 ? 0.9 : 0, friction, kind == 2 ? 0.9 : 0, kind == 1 ? 0 : friction,
          rider ? "[point top]\non = b\ny = 0.4\n[body rider]\nmass = 0.5\ninertia = 0.02\n"
                  "x = 0.2\ny = 1\n[point foot]\non = rider\nx = -0.2\ny = -0.1\n"
                  "[hinge h]\nbetween = top, foot\n"
                : "");
      double rates[6] = { 0 };

      run_either_way (text, 1000, rider ? 6 : 3, 1e-9, rates);
      slid += fabs (rates[0]) > 0.1;
      stuck += fabs (rates[0]) < 1e-12;
    }
  print_message ("# %u slide on, %u do not\n", slid, stuck);
  assert_true (slid > 10 && stuck > 10);
}

/* Two masses that a force presses together move with a wall; a penetration by rounding is corrected together with the mass
 * pressed to it, and with the third one. */
static void
test_what_is_pressed_together_is_lifted_together (void **state)
{
  static const double rates[] = { -0.10015838722156034, -0.123456789 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = rk4\nstep = 10 ms\nduration = 20 s\n"
          "record = base.position, a.position, c.position, b.position\n"
          "[drive base]\nvelocity = %.17g\n[mass a]\nmass = 1\nvelocity = %.17g\n"
          "[mass c]\nmass = 0.3\nvelocity = %.17g\n[mass b]\nmass = 2\nvelocity = %.17g\n"
          "[mass d]\nmass = 0.7\nposition = 2\nvelocity = %.17g\n"
          "[inerter e]\ninertance = 0.1\nbetween = b, d\n"
          "[impact i]\nbetween = base, a\n[impact k]\nbetween = a, c\n[impact j]\nbetween = c, b\n"
          "[force push]\nvalue = 1\non = a\n[force back]\nvalue = -1\non = c\n",
          rates[i], rates[i], rates[i], rates[i], rates[i]);
      g_autoptr (EventRun) run = event_run (0, "%s", text);
      gsize n = 0;

      event_run_values (run, "base.position", &n);
      assert_int_equal (n, 2001);
      for (gsize t = 0; t < n; t++)
        {
          const double base = event_run_values (run, "base.position", &n)[t];
          const double a = event_run_values (run, "a.position", &n)[t];
          const double c = event_run_values (run, "c.position", &n)[t];
          const double b = event_run_values (run, "b.position", &n)[t];

          assert_true (base - a <= 1e-14 && fabs (a - c) <= 1e-14 && c - b <= 1e-14);
          assert_true (fabs (b - base) <= 1e-12);
        }
    }
}

static gboolean
refuse (gpointer data)
{
  (*(guint *) data)++;
  return FALSE;
}

/* A row of a hundred masses that fall on each other is one long instant: it asks whether to go on. */
static void
test_interruption_is_heard_within_an_instant (void **state)
{
  GString *text = g_string_new (HEAD "[ground g]\n");
  g_autofree char *said = NULL;
  double failed = NAN;
  guint asked = 0;

  (void) state;
  for (guint i = 0; i < 100; i++)
    g_string_append_printf (text,
                            "[mass m%u]\nmass = 1 kg\nvelocity = -1 m/s\n"
                            "[impact i%u]\nrestitution = 0.98\nbetween = %s%.0d, m%u\n",
                            i, i, i == 0 ? "g" : "m", (int) i - (i > 0), i);
  g_string_replace (text, "between = m,", "between = m0,", 0);
  said = run (text->str, G_MAXSIZE, 0, refuse, &asked, &failed);
  g_string_free (text, TRUE);
  assert_string_equal (said, "interrupted");
  assert_int_equal (asked, 1);
  assert_true (failed == 0);
}

static gboolean
agree (gpointer data)
{
  (*(guint *) data)++;
  return TRUE;
}

/* A heap at rest has long steps without events: each stage checks for an interrupt. */
static void
test_interruption_is_heard_within_a_step (void **state)
{
  g_autofree char *balls = draft_heap (10, 10, 0, 0.5);
  g_autofree char *text = g_strdup_printf (HEAD "record = b0.x\n%s", balls);
  g_autofree char *ran = NULL, *said = NULL;
  double failed = NAN;
  guint asked = 0;

  (void) state;
  ran = run_steps (text, 10, G_MAXSIZE, 0, agree, &asked, &failed, NULL);
  assert_null (ran);
  assert_true (asked >= 20);
  asked = 0;
  said = run_steps (text, 10, G_MAXSIZE, 0, refuse, &asked, &failed, NULL);
  assert_string_equal (said, "interrupted");
  assert_int_equal (asked, 1);
}

/* Of so many steps with so many interrupt checks: an interrupted run returns an error without a further check (each
 * stride-th check is tried). */
static void
assert_refusals_are_heard (const char *text, guint steps, guint asked, guint stride)
{
  for (guint most = 0; most < asked; most += stride)
    {
      Patience some = { .most = most };
      double failed = NAN;
      g_autofree char *said =
          run_steps (text, steps, G_MAXSIZE, 0, go_on_for_a_while, &some, &failed, NULL);

      assert_string_equal (said, "interrupted");
      assert_int_equal (some.asked, most + 1);
      assert_true (failed >= 0 && failed <= steps * 0.01);
    }
}

/* Five thousand masses that move together: each iteration of Newton's method checks for an interrupt, in each stage and for
 * massless nodes; an interrupted run returns an error without a further check. */
static void
test_interruption_is_heard_within_each_turn (void **state)
{
  static const struct
  {
    const char *head;
    guint stages; /* of a step that are equations, or ask at least */
  } cases[] = {
    { HEAD_OF ("implicit"), 1 },
    { HEAD_OF ("tr-bdf2"), 2 },
    { HEAD_OF ("esdirk4"), 5 },
    { HEAD_OF ("esdirk4") "tolerance = 1e-6\n", 5 },
    { HEAD_OF ("dopri5") "tolerance = 1e-6\n", 6 },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i += by_effort (3, 1, 1))
    for (guint with_junction = 0; with_junction < 2; with_junction++)
      {
        g_autofree char *text = g_strdup_printf (
            "%srecord = c.m1.position\n[ground g]\n[chain c]\ncount = 5000\nmass = 1\n"
            "stiffness = 100\nposition = 1 mm, 0 mm, 2 mm\nfrom = g\n"
            "[spring hard]\nstiffness = 1\ncubic = 1e7\nbetween = c.m2, c.m3\n%s",
            cases[i].head,
            with_junction ? "[junction j]\n[damper l]\ndamping = 3\nbetween = c.m1, j\n"
                            "[spring r]\nstiffness = 5\nbetween = j, g\n"
                          : "");
        Patience all = { .most = G_MAXUINT };
        g_autofree char *ran = NULL;
        double failed = NAN;

        /* (Schemes that end with no equation take no junctions.) */
        if (with_junction && (i == 0 || i == 4))
          continue;
        ran = run_steps (text, 1, G_MAXSIZE, 0, go_on_for_a_while, &all, &failed, NULL);
        assert_null (ran);
        /* The links that bend take two turns at least. */
        assert_true (all.asked >= (i == 4 ? 1 : 2) * cases[i].stages + (with_junction ? 4 : 0));
        assert_refusals_are_heard (text, 1, all.asked, 1);
      }
}

/* The same beside a friction that holds: each time that all their forces are asked for, under schemes with latency, too. */
static void
test_interruption_is_heard_under_each_scheme (void **state)
{
  static const char *const heads[] = { HEAD_OF ("original"), HEAD_OF ("averaged"),
                                       HEAD_OF ("euler"),    HEAD_OF ("symplectic-euler"),
                                       HEAD_OF ("verlet"),   HEAD_OF ("rk4") };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      g_autofree char *text = g_strdup_printf ("%srecord = c.m1.position\n[ground g]\n[chain "
                                               "c]\ncount = 5000\nmass = 1\nstiffness = 100\n"
                                               "[force push]\non = c.m5000\nvalue = 1\n[friction "
                                               "f]\nbreakaway = 1 N\nbetween = c.m1, g\n",
                                               heads[i]);
      Patience all = { .most = G_MAXUINT };
      g_autofree char *ran = NULL;
      double failed = NAN;

      ran = run_steps (text, 10, G_MAXSIZE, 0, go_on_for_a_while, &all, &failed, NULL);
      assert_null (ran);
      assert_true (all.asked >= 10 * 5); /* reactions are checked at five times of a step */
      assert_refusals_are_heard (text, 10, all.asked, 7);
    }
}

/* Connectivity and elimination order are found before the first iteration, which takes longer than a step: this checks for
 * an interrupt, too. */
static void
test_interruption_is_heard_before_the_first_turn (void **state)
{
  static const char *const heads[] = { HEAD_OF ("implicit"), HEAD_OF ("tr-bdf2") };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      g_autofree char *text = g_strdup_printf ("%srecord = c.m1.position\n[ground g]\n[chain c]\n"
                                               "count = 20000\nmass = 1\nstiffness = 100\n"
                                               "position = 1 mm, 0 mm\nfrom = g\n",
                                               heads[i]);
      Patience one = { .most = G_MAXUINT }, two = { .most = G_MAXUINT };
      g_autofree char *first = NULL, *both = NULL;
      double failed = NAN;

      first = run_steps (text, 1, G_MAXSIZE, 0, go_on_for_a_while, &one, &failed, NULL);
      both = run_steps (text, 2, G_MAXSIZE, 0, go_on_for_a_while, &two, &failed, NULL);
      assert_null (first);
      assert_null (both);
      /* 20,000 links are looked at five times at least. */
      assert_true (one.asked >= two.asked - one.asked + 5 * 20000 / IFBAM_WORK_BETWEEN_CHECKS);
      assert_refusals_are_heard (text, 1, one.asked, 3);
    }
}

/* The active set of a heap is found by some tens of linear systems for any number of balls, not by one for each contact. */
static void
test_heaps_need_few_systems (void **state)
{
  (void) state;
  for (guint rows = 5; rows <= 20; rows *= 2)
    {
      g_autofree char *balls = draft_heap (rows, rows, 0, 0.5);
      g_autofree char *text = g_strdup_printf (HEAD "record = b0.x\n%s", balls);
      double failed = NAN;
      g_autofree char *said =
          run_steps (text, 2, offsetof (IfbamEventLimits, pivots), 32, NULL, NULL, &failed, NULL);

      if (said != NULL)
        fail_msg ("%u rows of %u at t = %g s: %s", rows, rows, failed, said);
    }
}

/* Bounces that accumulate in a step end there, or soon after: the contact is suspended, and a note says so. */
static void
test_accumulations_are_told (void **state)
{
  static const char ball[] = HEAD "[ground g]\n[mass m]\nmass = 1\nposition = 0.1\n"
                                  "[force w]\non = m\nvalue = -10\n"
                                  "[impact floor]\nrestitution = 0.7\nbetween = g, m\n";
  const double lands = sqrt (2 * 0.1 / 10), rests = lands * (1 + 2 * 0.7 / (1 - 0.7));
  g_autofree char *said = NULL, *said_all = NULL;
  double failed = NAN;
  Held held, all;

  (void) state;
  said = run_steps (ball, 100, offsetof (IfbamEventLimits, events), 6, NULL, NULL, &failed, &held);
  assert_null (said);
  assert_int_equal (held.n, 1);
  assert_string_equal (held.first, "floor");
  assert_true (held.time < rests && held.time > rests - 0.02);
  said_all = run_steps (ball, 100, G_MAXSIZE, 0, NULL, NULL, &failed, &all);
  assert_null (said_all);
  assert_int_equal (all.n, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_heaps_need_few_systems),
    cmocka_unit_test (test_no_limit_ends_in_silence),
    cmocka_unit_test (test_limits_that_are_just_met),
    cmocka_unit_test (test_accumulations_are_told),
    cmocka_unit_test (test_order_of_hits_at_once_does_not_matter),
    cmocka_unit_test (test_tied_and_thrown_back_at_once),
    cmocka_unit_test (test_what_is_pressed_together_is_lifted_together),
    cmocka_unit_test (test_interruption_is_heard_within_an_instant),
    cmocka_unit_test (test_interruption_is_heard_within_a_step),
    cmocka_unit_test (test_interruption_is_heard_within_each_turn),
    cmocka_unit_test (test_interruption_is_heard_under_each_scheme),
    cmocka_unit_test (test_interruption_is_heard_before_the_first_turn),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
