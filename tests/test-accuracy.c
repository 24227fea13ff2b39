/* test-accuracy.c: random networks of all kinds: at steps that `check` approves each scheme has the errors of its order
 *
 *   test-accuracy [FIRST COUNT]      other seeds (with V=1 in the environment: a line about each run)
 *
 * Smooth networks, or those with events up to the tenth one, are compared at a step h and at h/2 with a run of another scheme at
 * h/100. Where the error is not yet proportional to a power of the step, both steps are halved, at most MAX_HALVINGS times.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "any-class.h"
#include "draft.h"
#include "elements/registry.h"
#include "fixture.h"
#include "linear/linear.h"
#include "run/run.h"
#include "engine/engine.h"

static guint first_seed = 1, n_seeds;

#define N_STEPS      40   /* of the first step h in a run */
#define MAX_EVENTS   10   /* runs end before so many */
#define MAX_HALVINGS 7    /* of the pair h, h/2 */
#define FINER        100  /* steps of the reference in h */
#define LEAST_STEP   2e-6 /* of h [s], where the tenth event comes soon */
#define SHORT        0.6  /* of its order, as far as two errors show it */
#define KNOWN        1e-6 /* a reference that is known so well counts as exact */
#define SMALL        0.1  /* larger errors show no order */
#define STILL        1e-6 /* of the largest extent: less is no motion */
#define ROUNDING     1e-9 /* errors below this part of the motion show no order */

/* Positions of all nodes by rows, and the events. */
typedef struct
{
  gsize n_nodes;
  GArray *positions; /* double (rows, n_nodes) */
  guint n_events;
  double last_event; /* time of the event number MAX_EVENTS [s]; infinite: there are fewer */
} Motion;

static void
motion_free (Motion *motion)
{
  g_array_unref (motion->positions);
  g_free (motion);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Motion, motion_free)

static gboolean
keep_row (gpointer data, double time, const double *values, GError **error)
{
  Motion *motion = data;

  (void) time, (void) error;
  g_array_append_vals (motion->positions, values, (guint) motion->n_nodes);
  return TRUE;
}

static gboolean
keep_event (gpointer data, const IfbamEvent *event, GError **error)
{
  Motion *motion = data;

  (void) error;
  if (++motion->n_events == MAX_EVENTS)
    motion->last_event = event->time;
  return TRUE;
}

/* Networks */

/* The example of a class, without its settings; NULL: it has none that runs by itself. */
static char *
draw_example (guint number)
{
  guint n;
  const GType *types = ifbam_element_types (&n);
  const IfbamElementInfo *info = ifbam_element_type_info (types[number % n]);
  g_autofree char *text =
      info->kind == IFBAM_KIND_SETTINGS || info->has_columns ? NULL : example_network (info);
  const char *groups = text == NULL ? NULL : strstr (text, "\n[");

  return groups == NULL ? NULL : g_strdup (groups + 1);
}

/* h: the first step [s] (out). */
static char *
draw_network (guint seed, double *h)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (DraftPair));
  g_autofree char *row = NULL, *circuit = NULL;

  *h = seed % 6 < 4 ? 10e-3 : 2e-3;
  switch (seed % 6)
    {
    case 0:
      row = draft_row (seed, pairs);
      circuit = draft_circuit (seed, pairs);
      return g_strconcat (row, circuit, NULL);
    case 1:
      return draft_slides (seed);
    case 2:
      return draft_table (seed);
    case 3:
      return draw_example (seed / 6);
    case 4:
      return draft_mechanism (seed);
    default:
      return draft_rich_mechanism (seed);
    }
}

static IfbamModel *
compile (const char *draft, const char *scheme, double step, double sample, double duration,
         IfbamRunSpec *spec, IfbamSignals **signals, GError **error)
{
  g_autofree char *text =
      g_strdup_printf ("[network]\nformat = 1\nscheme = %s\nstep = %.17g\nsample = %.17g\n"
                       "duration = %.17g\nrecord = network.energy\n%s",
                       scheme, step, sample, duration, draft);
  g_autoptr (IfbamNetwork) network = text_network_try (text, NULL, error);

  return network == NULL ? NULL
                         : ifbam_network_compile_or_error (network, TRUE, spec, signals, error);
}

/* Whether `check` says nothing against the step; FALSE with an error: nor anything else. */
static gboolean
is_approved (const char *draft, const char *scheme, double step, double duration, GError **error)
{
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model =
      compile (draft, scheme, step, step, duration, &spec, &signals, error);
  g_autoptr (IfbamStability) stability = NULL;

  if (model != NULL)
    stability = ifbam_stability_new (model, &spec, FALSE, error);
  return stability != NULL
         && !ifbam_step_assess (stability, spec.scheme, step, duration, FALSE).is_visible;
}

static Motion *
run (const char *draft, const char *scheme, double step, double sample, double duration,
     GError **error)
{
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model =
      compile (draft, scheme, step, sample, duration, &spec, &signals, error);
  g_autoptr (Motion) motion = g_new0 (Motion, 1);
  IfbamRunTask task = { .row = keep_row, .event = keep_event, .data = motion };

  motion->positions = g_array_new (FALSE, FALSE, sizeof (double));
  motion->last_event = INFINITY;
  if (model == NULL)
    return NULL;
  motion->n_nodes = model->n_free;
  g_array_set_size (signals->signals, 0);
  for (gsize i = 0; i < model->n_free; i++)
    {
      const IfbamSignal signal = { IFBAM_SIGNAL_POSITION, FALSE, i };

      g_array_append_val (signals->signals, signal);
    }
  return ifbam_run (&task, model, signals, &spec, error) ? g_steal_pointer (&motion) : NULL;
}

/* How far a node gets from its start in the first rows. */
static double
extent_of (const Motion *motion, gsize node, guint n_rows)
{
  const double *x = (const double *) motion->positions->data + node;
  double extent = 0;

  for (gsize r = 0; r < n_rows; r++)
    extent = fmax (extent, fabs (x[r * motion->n_nodes] - x[0]));
  return extent;
}

/* The largest difference of two motions in their first rows, in parts of the extent of a node's motion; nodes that hardly move
 * beside others do not count. node: where (out). */
static double
difference (const Motion *one, const Motion *other, guint n_rows, gsize *node)
{
  double most = 0, largest = 0;

  for (gsize i = 0; i < one->n_nodes; i++)
    largest = fmax (largest, extent_of (other, i, n_rows));
  for (gsize i = 0; i < one->n_nodes; i++)
    {
      const double *a = (const double *) one->positions->data + i;
      const double *b = (const double *) other->positions->data + i;
      const double extent = extent_of (other, i, n_rows);
      double apart = 0;

      for (gsize r = 0; r < n_rows; r++)
        apart = fmax (apart, fabs (a[r * one->n_nodes] - b[r * one->n_nodes]));
      if (extent > STILL * largest && !(apart / extent <= most))
        {
          most = apart / extent;
          *node = i;
        }
    }
  return most;
}

/* Judgement */

typedef enum
{
  HAS_ORDER,
  HAS_ORDER_2, /* where its own is higher */
  NOT_KNOWN,   /* nor does the reference know better */
  TEN_EVENTS,  /* at the start, so that no time is left to compare */
  HAS_MESSAGE,
  NOT_APPROVED, /* at no step that was tried */
  CONTRADICTS
} Outcome;

static gboolean
has_junctions (const char *draft)
{
  return strstr (draft, "[junction ") != NULL;
}

/* The scheme of the reference, of order 4 or 5 where the network can be run by two of them. */
static const char *
other_scheme (const char *draft, const IfbamScheme *scheme)
{
  if (has_junctions (draft))
    return g_str_equal (scheme->name, "esdirk4") ? "tr-bdf2" : "esdirk4";
  return g_str_equal (scheme->name, "rk4") ? "dopri5" : "rk4";
}

/* Halves the step until two errors show the order, or less than the reference knows. */
static Outcome
compare (const char *draft, const IfbamScheme *scheme, double step, double sample,
         const Motion *reference, guint n_rows, double uncertain, GError **error)
{
  double errors[2] = { NAN, NAN };
  gboolean order_2 = FALSE;
  gsize node = 0;

  for (guint k = 0; k <= MAX_HALVINGS + 1; k++, step /= 2)
    {
      g_autoptr (Motion) motion = run (draft, scheme->name, step, sample, N_STEPS * sample, error);

      if (motion == NULL)
        return HAS_MESSAGE;
      errors[0] = errors[1];
      errors[1] = difference (motion, reference, n_rows, &node);
      if (g_getenv ("V") != NULL)
        print_message ("# %s, step %g, %u rows: node %zu: error %.2e (%.0e), order %.2f\n",
                       scheme->name, step, n_rows, node, errors[1], uncertain,
                       log2 (errors[0] / errors[1]));
      if (errors[1] < ROUNDING
          || (errors[1] < SMALL && errors[0] / errors[1] > exp2 (scheme->order - SHORT)))
        return HAS_ORDER;
      if (errors[1] <= uncertain)
        return uncertain < KNOWN ? HAS_ORDER : NOT_KNOWN;
      order_2 = order_2 || errors[0] / errors[1] > exp2 (2 - SHORT);
    }
  return order_2 ? HAS_ORDER_2 : CONTRADICTS;
}

static Outcome
look_at (const char *draft, const IfbamScheme *scheme, double h, GError **error)
{
  const char *other = other_scheme (draft, scheme);
  const double duration = N_STEPS * h;
  double step = h;
  guint n_rows = N_STEPS + 1;
  gsize node;
  g_autoptr (Motion) reference = NULL, coarser = NULL;

  for (guint k = 0; !is_approved (draft, scheme->name, step, duration, error); k++, step /= 2)
    if (*error != NULL || k == 10)
      return *error != NULL ? HAS_MESSAGE : NOT_APPROVED;
  reference = run (draft, other, h / FINER, h, duration, error);
  coarser = reference == NULL ? NULL : run (draft, other, h / FINER * 2, h, duration, error);
  if (coarser == NULL)
    return HAS_MESSAGE;
  if (isfinite (reference->last_event))
    n_rows = (guint) floor (reference->last_event / h);
  /* Events right at the start: look closer. */
  if (n_rows < 4)
    return h < LEAST_STEP ? TEN_EVENTS : look_at (draft, scheme, h / 8, error);
  return compare (draft, scheme, step, h, reference, n_rows,
                  difference (coarser, reference, n_rows, &node), error);
}

static void
test_order (void **state)
{
  guint n_schemes, n[7] = { 0 };
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);
  static const char *const words[] = { "its order",
                                       "order 2, not its own",
                                       "the reference is not known well enough",
                                       "ten events at the start",
                                       "message: ",
                                       "no approved step",
                                       "CONTRADICTS\n" };
  const guint each = by_effort (6, 4, 1);

  (void) state;
  for (guint seed = first_seed; seed < first_seed + n_seeds; seed++)
    {
      double h;
      g_autofree char *draft = draw_network (seed, &h);

      for (guint s = (seed / 6) % each; s < n_schemes && draft != NULL; s += each)
        {
          g_autoptr (GError) error = NULL;
          Outcome outcome;

          if (has_junctions (draft) && !ifbam_scheme_allows_junctions (schemes[s]))
            continue;
          outcome = look_at (draft, schemes[s], h, &error);
          n[outcome]++;
          if (outcome != HAS_ORDER)
            fprintf (stderr, "# seed %u (kind %u), %s: %s%s\n", seed, seed % 6, schemes[s]->name,
                     words[outcome],
                     outcome == HAS_MESSAGE   ? error->message
                     : outcome == CONTRADICTS ? draft
                                              : "");
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (n); i++)
    print_message ("# %u: %s\n", n[i], words[i]);
  assert_int_equal (n[CONTRADICTS], 0);
  assert_true (50 * n[NOT_KNOWN] <= n[HAS_ORDER]);
  assert_true (20 * n[TEN_EVENTS] <= n[HAS_ORDER]);
  assert_true (50 * n[HAS_ORDER_2] <= n[HAS_ORDER]);
  assert_true (50 * n[HAS_MESSAGE] <= n[HAS_ORDER]);
}

int
main (int argc, char **argv)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (test_order) };

  n_seeds = by_effort (6, 24, 500);
  if (argc >= 3)
    {
      first_seed = (guint) atoi (argv[1]);
      n_seeds = (guint) MAX (atoi (argv[2]), 1);
    }
  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
