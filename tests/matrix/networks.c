/* networks.c: the axis of networks: shipped ones, files of special ones, random ones; and their cases under a scheme
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "file/file.h"
#include "tests/fixture.h"
#include "matrix.h"

#define MAX_SIGNALS 400 /* of nodes and links, in a recording */
#define FEW_SIGNALS 6
#define MAX_EVENTS  2000 /* of a case: contacts may rattle at a step that is too long for them */

static void
network_free (gpointer data)
{
  MatrixNetwork *network = data;

  g_free (network->name);
  g_free (network->path);
  g_free (network->text);
  g_free (network);
}

static void
add_files (GPtrArray *networks, const char *from, MatrixFeatures feature)
{
  g_auto (GStrv) paths = shipped_networks (from, from);

  for (guint p = 0; paths[p] != NULL; p++)
    {
      MatrixNetwork *network = g_new0 (MatrixNetwork, 1);

      network->name = g_strdup (paths[p]);
      network->path = g_strdup (paths[p]);
      network->features = feature;
      g_ptr_array_add (networks, network);
    }
}

/* Its masses and links go to a file of columns. */
static void
put_into_columns (MatrixNetwork *network, guint seed)
{
  g_autofree char *stem = g_strdup_printf ("columns-%u", seed);
  g_autofree char *file = g_strconcat (stem, ".h5", NULL), *ini = g_strconcat (stem, ".ini", NULL);
  g_autofree char *text = g_strconcat ("[network]\nformat = 1\nstep = 0.2 ms\nduration = 20 ms\n"
                                       "record = *.position\n",
                                       network->text, NULL);
  g_autofree char *columns_path = folder_path (file);
  g_autoptr (IfbamNetwork) plain = text_network (text);
  g_autoptr (IfbamSignals) signals = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (plain, TRUE, &spec, &signals, NULL);
  g_autoptr (GError) error = NULL;
  gboolean reordered;

  assert_non_null (model);
  network->path = folder_path (ini);
  if (!ifbam_columns_export (plain, model, signals, columns_path, network->path, &reordered,
                             &error))
    fail_msg ("%s: %s", network->name, error->message);
}

static void
add_drawn (GPtrArray *networks, guint seed, MatrixFeatures features)
{
  MatrixNetwork *network = g_new0 (MatrixNetwork, 1);
  GString *name = g_string_new (NULL);

  for (guint f = 0; f < MATRIX_N_FEATURES; f++)
    if ((features & 1u << f) != 0)
      g_string_append_printf (name, "%s%s", name->len > 0 ? "," : "", matrix_feature_names[f]);
  g_string_append_printf (name, " %u", seed);
  network->name = g_string_free (name, FALSE);
  network->features = features;
  network->text = matrix_draw_text (seed, features);
  if ((features & MATRIX_COLUMNS) != 0)
    put_into_columns (network, seed);
  g_ptr_array_add (networks, network);
}

GPtrArray *
matrix_networks (void)
{
  static const struct
  {
    MatrixFeatures features;
    guint brief, usual, full;
  } drawn[] = {
    { MATRIX_LINE, 2, 24, 200 },
    { MATRIX_MEMBRANE, 2, 16, 200 },
    { MATRIX_TANGLE, 2, 24, 200 },
    { MATRIX_CIRCUIT, 2, 16, 100 },
    { MATRIX_LINE | MATRIX_TIME_EVENTS, 2, 16, 100 },
    { MATRIX_TANGLE | MATRIX_TIME_EVENTS, 2, 16, 100 },
    { MATRIX_CIRCUIT | MATRIX_TIME_EVENTS, 2, 16, 100 },
    { MATRIX_CONTACTS, 3, 32, 400 },
    { MATRIX_CONTACTS | MATRIX_LINE, 2, 12, 100 },
    { MATRIX_FRICTION, 3, 24, 200 },
    { MATRIX_MECHANISM, 3, 22, 400 },
    { MATRIX_CONTROLLERS, 2, 16, 100 },
    { MATRIX_CONTROLLERS | MATRIX_LINE, 1, 8, 50 },
    { MATRIX_MASSLESS, 2, 16, 100 },
    { MATRIX_COLUMNS, 2, 16, 50 },
    { MATRIX_COLUMNS | MATRIX_CONTACTS, 1, 4, 20 },
  };
  GPtrArray *networks = g_ptr_array_new_with_free_func (network_free);

  add_files (networks, "networks", MATRIX_SHIPPED);
  add_files (networks, "networks/teaching", MATRIX_SHIPPED);
  add_files (networks, "tests/matrix/networks", MATRIX_SPECIAL);
  add_files (networks, "tests/matrix/networks/own-scheme", MATRIX_SPECIAL);
  for (guint i = 0; i < by_effort (0, 3, 9); i++)
    add_drawn (networks, MATRIX_HUGE + i, i % 3 == 0 ? MATRIX_LINE : MATRIX_TANGLE);
  for (guint k = 0; k < G_N_ELEMENTS (drawn); k++)
    for (guint i = 0; i < by_effort (drawn[k].brief, drawn[k].usual, drawn[k].full); i++)
      add_drawn (networks, 1 + i, drawn[k].features);
  return networks;
}

/* Cases */

/* A scheme, with a tolerance or a cold start. */
typedef struct
{
  const IfbamScheme *scheme; /* NULL: the network's own */
  gboolean tolerance, cold;
} Variant;

static GArray *
list_variants (void)
{
  GArray *variants = g_array_new (FALSE, TRUE, sizeof (Variant));
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  for (guint s = 0; s < n; s++)
    {
      const IfbamTableau *table = ifbam_scheme_tableau (schemes[s]);
      const Variant plain = { schemes[s], FALSE, FALSE }, tolerance = { schemes[s], TRUE, FALSE },
                    cold = { schemes[s], FALSE, TRUE };

      g_array_append_val (variants, plain);
      if (table != NULL && table->estimated != 0)
        g_array_append_val (variants, tolerance);
      if (schemes[s]->begin_cold != NULL)
        g_array_append_val (variants, cold);
    }
  return variants;
}

/* Networks without events mostly get explicit schemes, which alone are compiled. */
static Variant
choose_variant (const MatrixNetwork *network, guint seed)
{
  const MatrixFeatures smooth = MATRIX_LINE | MATRIX_MEMBRANE | MATRIX_TANGLE | MATRIX_CIRCUIT;
  const gboolean explicit = (network->features & ~smooth) == 0 && seed % 4 != 0;
  static GArray *variants = NULL;
  guint number;

  if (seed == 0 && (network->features & (MATRIX_SHIPPED | MATRIX_SPECIAL)) != 0)
    return (Variant){ 0 };
  if (variants == NULL)
    variants = list_variants ();
  number = seed + g_str_hash (network->name);
  while (explicit
         && ifbam_scheme_tableau (g_array_index (variants, Variant, number % variants->len).scheme)
                != NULL)
    number += 5;
  return g_array_index (variants, Variant, number % variants->len);
}

/* Steps are as long as the links of a feature allow. */
static char *
step_of (const MatrixNetwork *network, const Variant *variant)
{
  const MatrixFeatures slow = MATRIX_CONTACTS | MATRIX_FRICTION | MATRIX_MECHANISM;
  const gboolean euler =
      variant->scheme != NULL && g_str_has_suffix (variant->scheme->name, "euler");
  double step = (network->features & ~slow) == 0 ? 2e-3 : 0.2e-3;

  if ((network->features & (MATRIX_CONTACTS | MATRIX_COLUMNS)) == MATRIX_CONTACTS
      && strstr (network->text, "[chain c0]") != NULL)
    step = euler ? 0.1e-3 : 1e-3;
  return g_strdup_printf ("%.17g", step);
}

/* Reads the case's network anew (transfer full); NULL: refused. more: groups beside it, or NULL. */
static IfbamNetwork *
read_network (const MatrixNetwork *of, const Variant *variant, const char *more)
{
  g_autofree char *step = step_of (of, variant), *text = NULL;
  g_autofree char *scheme =
      variant->scheme == NULL ? NULL : g_strconcat ("network.scheme=", variant->scheme->name, NULL);
  const char *settings[4] = { scheme };
  guint n = scheme != NULL ? 1 : 0;

  if (variant->tolerance)
    settings[n++] = "network.tolerance=1e-4";
  if (variant->cold)
    settings[n++] = "network.start=cold";
  if (of->path == NULL)
    text = g_strdup_printf ("[network]\nformat = 1\nstep = %s\nduration = 2\n%s%s", step, of->text,
                            more == NULL ? "" : more);
  else if (more != NULL)
    {
      g_autofree char *own = NULL, *from = g_path_get_dirname (of->path);
      IfbamNetworkBytes bytes = { (char *) "network.ini", from, NULL, 0, NULL };

      assert_true (g_file_get_contents (of->path, &own, NULL, NULL));
      text = g_strconcat (own, "\n", more, NULL);
      bytes.text = text;
      bytes.length = strlen (text);
      return ifbam_network_new_from_bytes (&bytes, settings, NULL);
    }
  return of->path == NULL ? text_network_try (text, settings, NULL)
                          : ifbam_network_new_from_file (of->path, settings, NULL);
}

IfbamNetwork *
matrix_case_network (const MatrixCase *self, const char *more)
{
  const Variant variant = choose_variant (self->of, self->seed);

  return read_network (self->of, &variant, more);
}

/* Whether a signal needs the account of work, or is a sum over the network. */
static gboolean
needs_account (const IfbamSignal *signal)
{
  return signal->kind == IFBAM_SIGNAL_LINK_DISSIPATED || signal->kind >= IFBAM_SIGNAL_KINETIC;
}

/* Whether a name that stands for all signals can be asked for by itself, too. */
static gboolean
can_be_named (const MatrixCase *self, const char *name)
{
  g_autofree char *reason = NULL;
  IfbamSignal signal;
  const char *unit;

  return ifbam_signal_find (self->model, self->network->by_name, name, &signal, &unit, &reason);
}

/* Accelerations take the event engine as long as a step, each: only those of some nodes are recorded. */
static gboolean
is_costly (const MatrixCase *self, const IfbamSignal *signal)
{
  return (signal->kind == IFBAM_SIGNAL_ACCELERATION || signal->kind == IFBAM_SIGNAL_NODE_FORCE)
         && signal->number % (self->model->n_nodes / 4 + 1) != self->seed % 3;
}

static gboolean
is_recorded (const MatrixCase *self, const IfbamSignals *all, guint i, MatrixRecord record,
             gsize each)
{
  const IfbamSignal *signal = &g_array_index (all->signals, IfbamSignal, i);

  if (record == MATRIX_RECORD_FEW)
    return signal->kind <= IFBAM_SIGNAL_RATE && i % each == 0;
  if (is_costly (self, signal))
    return FALSE;
  /* An engine that is asked for links is never inactive. */
  if (record == MATRIX_RECORD_MOTION && self->seed % 2 == 0 && signal->kind > IFBAM_SIGNAL_RATE)
    return FALSE;
  if (needs_account (signal))
    return record == MATRIX_RECORD_ALL
           && (signal->kind != IFBAM_SIGNAL_LINK_DISSIPATED || i % each == 0);
  return i % each == 0;
}

static IfbamSignals *
choose_signals (const MatrixCase *self, const IfbamSignals *all, MatrixRecord record)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const guint most = record == MATRIX_RECORD_FEW ? FEW_SIGNALS : MAX_SIGNALS;
  /* Signals of a node stand beside each other: the distance shall not hit the same kind each time. */
  const gsize each = (all->signals->len / most) | 1;
  g_autofree char *reason = NULL;
  IfbamSignals *signals;

  for (guint i = 0; i < all->signals->len; i++)
    if (is_recorded (self, all, i, record, each) && can_be_named (self, all->names->pdata[i]))
      g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "",
                              (char *) all->names->pdata[i]);
  signals = ifbam_signals_new (self->model, self->network->by_name,
                               text->len > 0 ? text->str : NULL, &reason);
  if (signals == NULL)
    fail_msg ("%s: %s", self->name, reason);
  return signals;
}

/* As many steps as objects do in a fraction of a second. */
static guint64
most_steps (const MatrixCase *self)
{
  const gsize size = self->model->n_nodes + 2 * self->model->n_links;
  const gboolean implicit = ifbam_scheme_tableau (self->spec.scheme) != NULL;
  const gboolean file = (self->of->features & (MATRIX_SHIPPED | MATRIX_SPECIAL)) != 0;
  const double work = by_effort (1, 1, 10) * (file ? 4 : 1) * (implicit ? 2e4 : 6e4);
  const double most =
      (self->of->features & (MATRIX_LINE | MATRIX_MEMBRANE | MATRIX_TANGLE)) != 0 ? 150 : 1500;

  return (guint64) CLAMP (work / (double) size, 12, most * by_effort (1, 1, 4));
}

static gboolean
compile_case (MatrixCase *self)
{
  static const gsize strides[] = { 1, 3, 7, 64 };
  g_autoptr (IfbamSignals) all = NULL;
  g_autofree char *reason = NULL;

  self->model = ifbam_network_compile_or_error (self->network, TRUE, &self->spec, NULL, NULL);
  if (self->model == NULL)
    return FALSE;
  all = ifbam_signals_new (self->model, self->network->by_name, "*", &reason);
  if (all == NULL)
    fail_msg ("%s: %s", self->name, reason);
  for (MatrixRecord record = 0; record < MATRIX_N_RECORDS; record++)
    self->signals[record] = choose_signals (self, all, record);
  self->spec.last_step = MAX (MIN (self->spec.last_step, most_steps (self)), 1);
  self->few_stride = MIN (strides[self->seed % G_N_ELEMENTS (strides)], self->spec.last_step);
  return TRUE;
}

/* Ends the run before it has too many events. */
static void
limit_events (MatrixCase *self)
{
  const gsize row = (self->signals[MATRIX_RECORD_MOTION]->signals->len + 1) * sizeof (double);
  const MatrixOutcome *outcome;

  if (!matrix_case_has_events (self))
    return;
  outcome = matrix_case_wanted (self, MATRIX_RECORD_MOTION);
  if (outcome->events->len < MAX_EVENTS)
    return;
  self->spec.last_step = MAX (outcome->rows->len / row, 2) - 1;
  self->few_stride = MIN (self->few_stride, self->spec.last_step);
  matrix_outcome_clear (self->wanted[MATRIX_RECORD_MOTION]);
  g_clear_pointer (&self->wanted[MATRIX_RECORD_MOTION], g_free);
}

MatrixCase *
matrix_case_new (const MatrixNetwork *network, guint seed)
{
  const Variant variant = choose_variant (network, seed);
  g_autoptr (MatrixCase) self = g_new0 (MatrixCase, 1);

  self->of = network;
  self->seed = seed;
  self->name = g_strdup_printf ("%s, %s%s%s, case %u", network->name,
                                variant.scheme == NULL ? "its own scheme" : variant.scheme->name,
                                variant.tolerance ? " with a tolerance" : "",
                                variant.cold ? " cold" : "", seed);
  self->network = read_network (network, &variant, NULL);
  if (self->network == NULL || !compile_case (self))
    return NULL;
  limit_events (self);
  return g_steal_pointer (&self);
}

void
matrix_case_free (MatrixCase *self)
{
  for (MatrixRecord record = 0; record < MATRIX_N_RECORDS; record++)
    {
      if (self->wanted[record] != NULL)
        matrix_outcome_clear (self->wanted[record]);
      g_free (self->wanted[record]);
      g_clear_pointer (&self->signals[record], ifbam_signals_free);
    }
  g_clear_pointer (&self->model, ifbam_model_free);
  ifbam_run_spec_clear (&self->spec);
  g_clear_object (&self->network);
  g_free (self->name);
  g_free (self);
}

gboolean
matrix_case_has_events (const MatrixCase *self)
{
  return ifbam_engine_by_events (self->model, &self->spec);
}

IfbamRunSpec
matrix_case_spec (const MatrixCase *self, MatrixRecord record)
{
  IfbamRunSpec spec = self->spec;

  spec.stride = record == MATRIX_RECORD_FEW ? self->few_stride : 1;
  spec.last_step -= spec.last_step % spec.stride;
  return spec;
}

IfbamRunTask
matrix_case_task (MatrixRecord record)
{
  return (IfbamRunTask){ .threads = 1,
                         .full_balance = record == MATRIX_RECORD_ALL,
                         .event_rows = record == MATRIX_RECORD_EVENTS };
}

const MatrixOutcome *
matrix_case_wanted (MatrixCase *self, MatrixRecord record)
{
  if (self->wanted[record] == NULL)
    {
      const IfbamRunSpec spec = matrix_case_spec (self, record);
      IfbamRunTask task = matrix_case_task (record);

      task.objects = TRUE;
      self->wanted[record] = g_new0 (MatrixOutcome, 1);
      matrix_outcome_init (self->wanted[record], self->signals[record]);
      self->wanted[record]->max_events = MAX_EVENTS;
      matrix_outcome_run (self->wanted[record], &task, self->model, &spec);
    }
  return self->wanted[record];
}
