/* response.c: frequency response of a network linearised about its start
 *
 * The receptance matrix by one sparse factorisation per frequency (Ewins 2000, "Modal Testing:
 * Theory, Practice and Application", chapter 2): no truncation of modes, any damping.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/response.h"

#include <math.h>
#include <string.h>

#include "base/compare.h"
#include "base/memory.h"
#include "linear/single-thread-blas.h"
#include "base/fail.h"
#include "base/number-text.h"
#include "linear/modes.h"
#include "linear/motion-inputs.h"
#include "file/file.h"

/* Modes that are computed, to resolve their peaks. */
#define SOME_MODES 40
/* In networks with more coordinates, modes take longer than the response: few are computed, if the
 * range needs them, and none with damping. */
#define LARGE     20000
#define FEW_MODES 4
/* Default number of outputs. */
#define FEW_OUTPUTS 24
/* Relative distance within which a frequency is that of an undamped mode; */
#define RESONANCE_DISTANCE 1e-12
/* there a finite response is the limit from this relative distance. */
#define LIMIT_DISTANCE 1e-4
/* A mode with relative participation below this is not driven or not observed. */
#define UNSEEN 1e-9
/* A damping ratio below it is rounding. */
#define UNDAMPED 1e-12
/* Distance of the nearest frequencies to an undamped mode, relative to it. */
#define MIN_MODE_DISTANCE 1e-4

/* Output: `order` times differentiated, sum entry * x; its force per value and rate. */
typedef struct
{
  guint order;
  guint n;
  gsize node[IFBAM_MAX_PORTS];
  double entry[IFBAM_MAX_PORTS];
  gboolean force;
  double stiffness, damping;
  gsize slot;           /* of a batched link; else G_MAXSIZE */
  GArray *given_forces; /* GivenForce: force that moves a given node; else NULL */
} Row;

/* Force per displacement of a node. */
typedef struct
{
  gsize node;
  double stiffness, damping, loss;
} GivenForce;

/**
 * IfbamResponse:
 *
 * The frequency response of a network that is linearised about its start: amplitude and phase of
 * outputs per unit of one input. For nonlinear laws it is that of small motions.
 */
struct _IfbamResponse
{
  GObject parent_instance;
  gsize n, n_outputs;
  double *frequency; /* (n) [Hz] */
  char **outputs;    /* names */
  GPtrArray *units;  /* char* */
  double *amplitude; /* (n_outputs)(n) */
  double *phase;     /* (n_outputs)(n) [degrees] */
  char **nonlinear;
};

G_DEFINE_FINAL_TYPE (IfbamResponse, ifbam_response, G_TYPE_OBJECT)

static void
ifbam_response_init (IfbamResponse *response)
{
  (void) response;
}

static void
ifbam_response_finalize (GObject *object)
{
  IfbamResponse *response = IFBAM_RESPONSE (object);

  g_free (response->frequency);
  g_strfreev (response->outputs);
  g_clear_pointer (&response->units, g_ptr_array_unref);
  g_free (response->amplitude);
  g_free (response->phase);
  g_strfreev (response->nonlinear);
  G_OBJECT_CLASS (ifbam_response_parent_class)->finalize (object);
}

static void
ifbam_response_class_init (IfbamResponseClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ifbam_response_finalize;
}

/* Input */

/* Returns the error for a missing node, in the words of the errors for signals. */
static char *
missing_node_error (const IfbamModel *model, GHashTable *by_name, const char *name)
{
  const IfbamElement *element = g_hash_table_lookup (by_name, name);
  g_autofree char *signal = g_strdup_printf ("%s.mode", name);
  IfbamSignal found;
  const char *unit;
  char *reason = NULL;

  if (element != NULL && ifbam_element_kind (element) != IFBAM_KIND_COMPOSITE)
    return g_strdup_printf ("\"%s\" is %s %s, not a node", name,
                            ifbam_element_article (element->info), element->info->name);
  if (element != NULL)
    return g_strdup_printf ("\"%s\" is %s %s: name one of its nodes", name,
                            ifbam_element_article (element->info), element->info->name);
  if (g_str_equal (name, "network")
      || ifbam_signal_find (model, by_name, signal, &found, &unit, &reason) || reason == NULL)
    return g_strdup_printf ("\"%s\" is no node", name);
  return reason;
}

static char *
read_force (const IfbamModel *model, IfbamResponseInput *input, const char *quantity,
            const char *name)
{
  const IfbamDomainInfo *domain = ifbam_domain_info (ifbam_model_node_domain (model, input->node));

  if (!g_str_equal (quantity, "force") && !g_str_equal (quantity, domain->effort))
    return g_strdup_printf ("\"%s\" moves by itself: it can't be given a %s (want %s@%s)", name,
                            quantity, domain->effort, name);
  input->unit = domain->effort_unit;
  input->name = g_strdup_printf ("%s@%s", domain->effort, name);
  return NULL;
}

static char *
read_motion (const IfbamModel *model, GHashTable *by_name, IfbamResponseInput *input,
             const char *quantity, const char *name)
{
  const IfbamDomainInfo *domain = ifbam_domain_info (ifbam_model_node_domain (model, input->node));
  g_autofree char *text = g_strdup_printf ("%s.%s", name, quantity);
  char *reason = NULL;
  IfbamSignal signal;

  if (g_str_equal (quantity, "force") || g_str_equal (quantity, domain->effort))
    return g_strdup_printf ("the motion of \"%s\" is given: a %s does nothing to it (want %s@%s)",
                            name, quantity, domain->coordinate, name);
  if (!ifbam_signal_find (model, by_name, text, &signal, &input->unit, &reason))
    return reason != NULL ? reason : g_strdup_printf ("\"%s\" joins nothing", name);
  input->motion = TRUE;
  input->order = signal.kind == IFBAM_SIGNAL_POSITION ? 0
                 : signal.kind == IFBAM_SIGNAL_RATE   ? 1
                                                      : 2;
  input->name = g_strdup_printf ("%s@%s", quantity, name);
  return NULL;
}

char *
ifbam_response_read_input (const IfbamModel *model, GHashTable *by_name, const char *text,
                           IfbamResponseInput *input)
{
  const char *at = strchr (text, '@');
  g_autofree char *quantity = at == NULL ? NULL : g_strndup (text, (gsize) (at - text));
  const char *name = at == NULL ? NULL : at + 1;

  if (at == NULL || at == text || *name == '\0')
    return g_strdup_printf ("\"%s\" is no input (want QUANTITY@NODE, such as force@m1 or "
                            "position@floor)",
                            text);
  if (ifbam_model_find (model, by_name, name, &input->node) != IFBAM_FOUND_NODE)
    return missing_node_error (model, by_name, name);
  g_assert (input->node < model->n_nodes); /* only subnetworks have other nodes */
  return input->node < model->n_free ? read_force (model, input, quantity, name)
                                     : read_motion (model, by_name, input, quantity, name);
}

/* Outputs */

/* Reads a link's row at the start. Returns an error (transfer full), or NULL. */
static char *
read_link (const IfbamSmallMotions *motions, const IfbamSignal *signal, const char *name, Row *row)
{
  IfbamLinkIter at = ifbam_links (motions->model, 0);
  double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS], delta, rate = 0, room[IFBAM_MAX_LAW];
  const IfbamLink *link;
  IfbamForceDerivatives law;
  int mode;

  ifbam_link_iter_seek (&at, signal->number + (signal->single ? motions->model->n_links : 0));
  link = at.link;
  for (guint e = 0; e < link->n_ports + link->n_states; e++)
    {
      const IfbamMotion motion = ifbam_start (motions->model, motions->spec, link->node[e]);

      if (e < link->n_ports)
        row->node[e] = link->node[e];
      x[e] = motion.position;
      v[e] = motion.rate;
    }
  row->n = link->n_ports;
  row->slot = at.slot;
  link->geometry->measure (link->shape, x, v, &delta, row->entry);
  row->order = signal->kind == IFBAM_SIGNAL_LINK_RATE ? 1 : 0;
  row->force = signal->kind == IFBAM_SIGNAL_FORCE;
  if (at.slot < G_MAXSIZE)
    {
      row->stiffness = motions->stiffness[at.slot];
      row->damping = motions->damping[at.slot];
    }
  if (!row->force || at.slot < G_MAXSIZE)
    return NULL;
  mode = motions->mode[at.number];
  for (guint e = 0; e < link->n_ports; e++)
    rate += row->entry[e] * v[e];
  if (link->law->constraint (link->numbers, mode).kind != IFBAM_CONSTRAINT_NONE)
    return g_strdup_printf ("%s: the force is a reaction, which follows from no law: its response "
                            "is not known here",
                            name);
  law = ifbam_link_differentiate (link, ifbam_link_parameters (link, x, v, IFBAM_ANY_MODE, room),
                                  mode, delta, rate);
  row->stiffness = law.stiffness;
  row->damping = law.damping;
  return NULL;
}

static void
add_given_force (GArray *given_forces, gsize node, double stiffness, double damping, double loss)
{
  const GivenForce pull = { node, stiffness, damping, loss };

  if (stiffness != 0 || damping != 0 || loss != 0)
    g_array_append_val (given_forces, pull);
}

/* Adds the forces of a link's row at a node: entry there times slope times row. */
static void
add_row_forces (const IfbamResponseSystem *system, GArray *given_forces, gsize node,
                const IfbamMotionRow *row)
{
  const IfbamSmallMotions *motions = system->motions;
  double own = 0;

  for (guint e = 0; e < row->n; e++)
    own += row->at[e] == node ? row->entry[e] : 0;
  for (guint e = 0; e < row->n && own != 0; e++)
    add_given_force (
        given_forces, row->at[e], own * motions->stiffness[row->number] * row->entry[e],
        own * motions->damping[row->number] * row->entry[e],
        system->losses != NULL ? own * system->losses[row->number] * row->entry[e] : 0);
}

static void
add_matrix_forces (GArray *given_forces, const GArray *gyrations, gsize node, gboolean by_rate)
{
  for (guint g = 0; g < gyrations->len; g++)
    {
      const IfbamGyration *own = &g_array_index (gyrations, IfbamGyration, g);

      for (guint e = 0; e < own->n; e++)
        for (guint f = 0; f < own->n && own->node[e] == node; f++)
          {
            const double slope = own->matrix[e + f * own->n];

            add_given_force (given_forces, own->node[f], by_rate ? 0 : slope, by_rate ? slope : 0,
                             0);
          }
    }
}

/* Reads the force that moves a given node, minus the sum of its links. Returns the reason why it is
 * not known (transfer full), or NULL. */
static char *
read_mover (const IfbamResponseSystem *system, gsize node, const char *name, Row *row)
{
  const IfbamSmallMotions *motions = system->motions;
  const IfbamModel *model = motions->model;
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);

  for (guint i = 0; i < motions->relations->len; i++)
    {
      const IfbamConstraintRow *relation =
          &g_array_index (motions->relations, IfbamConstraintRow, i);

      for (guint e = 0; e < relation->n_ports; e++)
        if (relation->node[e] == node && relation->row[e] != 0)
          return g_strdup_printf ("%s: a part of it is a reaction, which follows from no law: its "
                                  "response is not known here",
                                  name);
    }
  /* A free node with such a signal is a branch, which has a constraint. */
  g_assert (node >= model->n_free && !ifbam_model_is_tied (model, node));
  row->n = 0;
  row->given_forces = g_array_new (FALSE, FALSE, sizeof (GivenForce));
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    if (ifbam_link_iter_seek_slot (&at, model->port[p] >> 1)) /* else a source */
      {
        const IfbamMotionRow own = ifbam_motion_row_of (&at);

        add_row_forces (system, row->given_forces, node, &own);
      }
  for (guint i = 0; i < motions->extra->len; i++)
    add_row_forces (system, row->given_forces, node,
                    &g_array_index (motions->extra, IfbamMotionRow, i));
  add_matrix_forces (row->given_forces, motions->gyrations, node, TRUE);
  add_matrix_forces (row->given_forces, motions->circulations, node, FALSE);
  return NULL;
}

/* Returns the reason why a signal has no linear response, or NULL. */
static char *
read_output (const IfbamResponseSystem *system, const IfbamSignal *signal, const char *name,
             Row *row)
{
  const IfbamSmallMotions *motions = system->motions;

  *row = (Row){ .n = 1, .slot = G_MAXSIZE };
  switch (signal->kind)
    {
    case IFBAM_SIGNAL_POSITION:
    case IFBAM_SIGNAL_RATE:
    case IFBAM_SIGNAL_ACCELERATION:
      row->order = signal->kind == IFBAM_SIGNAL_POSITION ? 0
                   : signal->kind == IFBAM_SIGNAL_RATE   ? 1
                                                         : 2;
      row->node[0] = signal->number;
      row->entry[0] = 1.0;
      return NULL;
    case IFBAM_SIGNAL_FORCE:
    case IFBAM_SIGNAL_COMPRESSION:
    case IFBAM_SIGNAL_LINK_RATE:
      return read_link (motions, signal, name, row);
    case IFBAM_SIGNAL_NODE_FORCE:
      return read_mover (system, signal->number, name, row);
    case IFBAM_SIGNAL_MOMENTUM:
    case IFBAM_SIGNAL_MODE:
    case IFBAM_SIGNAL_SOURCE_FORCE:
    case IFBAM_SIGNAL_LINK_DISSIPATED:
    case IFBAM_SIGNAL_KINETIC:
    case IFBAM_SIGNAL_POTENTIAL:
    case IFBAM_SIGNAL_ENERGY:
    case IFBAM_SIGNAL_DISSIPATED:
    case IFBAM_SIGNAL_SUPPLIED:
    default:
      return g_strdup_printf ("%s has no linear response (want a motion of a node, or a force, "
                              "compression or rate of a link)",
                              name);
    }
}

static char *
find_outputs (IfbamResponseSystem *system, GHashTable *by_name, const char *const *outputs)
{
  g_autofree char *text = outputs == NULL ? NULL : g_strjoinv (",", (char **) outputs);
  GString *faults = NULL;
  char *reason = NULL;

  if (outputs == NULL && system->model->n_free > FEW_OUTPUTS)
    return g_strdup_printf (
        "want the outputs of such a large network, such as --output m1.position");
  system->signals = ifbam_signals_new (system->model, by_name, text, &reason);
  if (system->signals == NULL)
    return reason;
  for (guint i = 0; i < system->signals->signals->len; i++)
    {
      Row row;
      char *fault = read_output (system, &g_array_index (system->signals->signals, IfbamSignal, i),
                                 system->signals->names->pdata[i], &row);

      g_array_append_val (system->rows, row);
      if (fault == NULL)
        continue;
      if (faults == NULL)
        faults = g_string_new (fault);
      else
        g_string_append_printf (faults, "; %s", fault);
      g_free (fault);
    }
  return faults == NULL ? NULL : g_string_free (faults, FALSE);
}

static char *
in_parentheses (const char *unit)
{
  return strpbrk (unit, " /") != NULL ? g_strdup_printf ("(%s)", unit) : g_strdup (unit);
}

/* Sets units: "m/N", "(m/s)/N", "". */
static void
find_units (IfbamResponseSystem *system)
{
  const char *input = system->input.unit;

  for (guint i = 0; i < system->signals->units->len; i++)
    {
      const char *output = system->signals->units->pdata[i];
      g_autofree char *above = in_parentheses (output), *below = in_parentheses (input);

      g_ptr_array_add (system->units, g_str_equal (output, input)
                                          ? g_strdup ("")
                                          : g_strdup_printf ("%s/%s", above, below));
    }
}

/* System */

/* Returns an error if constraints fix the driven node, or NULL. */
static char *
fixed_node_error (const IfbamResponseSystem *system)
{
  return system->input.motion || !ifbam_small_motions_is_still (system->motions, system->input.node)
             ? NULL
             : g_strdup ("the node is held still at the start: a force does nothing to it");
}

/* Adds the loss factors of springs; FALSE: none has any. */
static gboolean
add_own_losses (const IfbamSmallMotions *motions, double *losses)
{
  const IfbamModel *model = motions->model;
  gboolean any = FALSE;

  for (gsize i = 0; i < model->n_links; i++)
    {
      gsize member;
      const IfbamSpan *span = ifbam_model_link_span (model, i, &member);
      const int param = ifbam_element_param_index (span->info, "loss");
      double law[IFBAM_MAX_LAW], own = 0;

      if (param >= 0 && span->letter == NULL)
        own = ifbam_element_value_of (span->element, "loss");
      else if (param >= 0)
        {
          ifbam_span_law (span, member, law);
          own = law[(gsize) span->info->params[param].offset / sizeof *law];
        }
      any |= own != 0;
      if (own != 0 && losses != NULL)
        losses[model->link_slot[i]] += own * fmax (0, motions->stiffness[model->link_slot[i]]);
    }
  return any;
}

/* Returns losses per cycle, independent of the frequency: imaginary parts of stiffnesses. A loss
 * factor of the network applies to all translational springs. */
static double *
find_losses (const IfbamSmallMotions *motions)
{
  const IfbamModel *model = motions->model;
  const double loss = model->damping == NULL ? 0 : ifbam_element_value_of (model->damping, "loss");
  double *losses =
      loss == 0 && !add_own_losses (motions, NULL) ? NULL : g_new0 (double, motions->n_rows + 1);

  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED);
       loss != 0 && ifbam_link_iter_next (&at);)
    if (model->damping->info->domains >> ifbam_model_node_domain (model, at.link->node[0]) & 1)
      losses[at.slot] = loss * fmax (0, motions->stiffness[at.slot]);
  if (losses != NULL)
    add_own_losses (motions, losses);
  return losses;
}

/* Makes the loss matrix and its input by a driven given node. */
static gboolean
make_losses (IfbamResponseSystem *system, GError **error)
{
  IfbamSmallMotions lossy = *system->motions;
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (IfbamGyration));
  g_autoptr (IfbamSparse) loss = NULL;
  g_autofree double *unwanted = NULL;

  system->in_loss = g_new0 (double, system->motions->n + 1);
  if (system->losses == NULL)
    return TRUE;
  lossy.stiffness = system->losses;
  lossy.circulations = none;
  loss = ifbam_small_motions_matrix (&lossy, system->losses, error);
  if (loss == NULL)
    return FALSE;
  /* Gives it the pattern of the stiffness. */
  system->loss = ifbam_sparse_sum (1.0, loss, 0.0, system->stiffness, 0.0, NULL);
  unwanted = g_new0 (double, system->motions->n + 1);
  if (system->input.motion)
    ifbam_small_motions_motion_input (&lossy, system->input.node, system->in_loss, unwanted);
  return TRUE;
}

static gboolean
make_matrices (IfbamResponseSystem *system, GError **error)
{
  const IfbamSmallMotions *motions = system->motions;

  system->stiffness = ifbam_small_motions_matrix (motions, motions->stiffness, error);
  if (system->stiffness == NULL)
    return FALSE;
  if (motions->has_damping)
    system->damping = ifbam_small_motions_matrix (motions, motions->damping, error);
  if (motions->has_damping && system->damping == NULL)
    return FALSE;
  if (!make_losses (system, error))
    return FALSE;
  if (motions->gyrations->len == 0 && motions->circulations->len == 0 && system->loss == NULL)
    system->solver = ifbam_tree_solver_new (system->stiffness, system->damping, motions->inertia);
  system->real = g_new0 (double, motions->n + 1);
  system->imaginary = g_new0 (double, motions->n + 1);
  system->in_stiffness = g_new0 (double, motions->n + 1);
  system->in_damping = g_new0 (double, motions->n + 1);
  if (system->input.motion)
    {
      system->carried = ifbam_small_motions_carried (motions, system->input.node);
      ifbam_small_motions_motion_input (motions, system->input.node, system->in_stiffness,
                                        system->in_damping);
    }
  else
    ifbam_small_motions_force_input (motions, system->input.node, system->in_stiffness);
  return TRUE;
}

IfbamResponseSystem *
ifbam_response_system_new (const IfbamModel *model, const IfbamRunSpec *spec, GHashTable *by_name,
                           const char *input, const char *const *outputs, GError **error)
{
  g_autoptr (IfbamResponseSystem) system = g_new0 (IfbamResponseSystem, 1);
  g_autofree char *input_fault = NULL, *output_fault = NULL, *hindrance = NULL;

  system->model = model;
  system->spec = spec;
  system->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  system->units = g_ptr_array_new_with_free_func (g_free);
  system->motions = model->n_junctions > 0
                        ? ifbam_small_motions_new_with_massless (model, spec, error)
                        : ifbam_small_motions_new (model, spec, error);
  if (system->motions == NULL)
    return NULL;
  system->losses = find_losses (system->motions);
  input_fault = ifbam_response_read_input (model, by_name, input, &system->input);
  output_fault = find_outputs (system, by_name, outputs);
  if (input_fault != NULL || output_fault != NULL)
    return ifbam_fail_null (
        error, IFBAM_ERROR_USAGE, "%s%s%s%s%s", input_fault != NULL ? "input: " : "",
        input_fault != NULL ? input_fault : "",
        input_fault != NULL && output_fault != NULL ? "; " : "",
        output_fault != NULL ? "output: " : "", output_fault != NULL ? output_fault : "");
  find_units (system);
  hindrance = fixed_node_error (system);
  if (hindrance != NULL)
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK, "%s: %s", system->input.name, hindrance);
  return make_matrices (system, error) ? g_steal_pointer (&system) : NULL;
}

void
ifbam_response_system_free (IfbamResponseSystem *system)
{
  if (system == NULL)
    return;
  ifbam_small_motions_free (system->motions);
  g_free (system->carried);
  ifbam_sparse_free (system->stiffness);
  ifbam_sparse_free (system->damping);
  ifbam_sparse_free (system->loss);
  g_free (system->losses);
  g_free (system->in_loss);
  ifbam_tree_solver_free (system->solver);
  g_free (system->real);
  g_free (system->imaginary);
  g_free (system->in_stiffness);
  g_free (system->in_damping);
  g_free (system->input.name);
  g_clear_pointer (&system->signals, ifbam_signals_free);
  g_ptr_array_unref (system->units);
  for (guint i = 0; i < system->rows->len; i++)
    g_clear_pointer (&g_array_index (system->rows, Row, i).given_forces, g_array_unref);
  g_array_unref (system->rows);
  g_clear_object (&system->modes);
  g_free (system->modes_fault);
  g_free (system);
}

/* Modes */

typedef struct
{
  IfbamResponseProgress progress;
  gpointer data;
  gboolean interrupted;
} Watch;

static gboolean
watch_modes (gpointer data, const char *what)
{
  Watch *watch = data;

  (void) what;
  watch->interrupted = watch->progress != NULL && !watch->progress (watch->data, 0.0);
  return !watch->interrupted;
}

static gboolean
set_interrupted (GError **error)
{
  return ifbam_fail (error, IFBAM_ERROR_INTERRUPTED, "interrupted: nothing is written");
}

gboolean
ifbam_response_find_modes (IfbamResponseSystem *system, IfbamResponseRange *range,
                           IfbamResponseProgress progress, gpointer data, GError **error)
{
  const gboolean given = !isnan (range->from) && !isnan (range->to);
  const gboolean large = system->motions->n > LARGE;
  Watch watch = { progress, data, FALSE };
  IfbamModesRequest request = { .count = SOME_MODES, .progress = watch_modes, .data = &watch };
  double lowest = INFINITY, highest = 0;
  g_autoptr (GError) failure = NULL;
  const IfbamMode *modes = NULL;
  gsize n = 0;

  if (given)
    request.near = range->linear ? 0.5 * (range->from + range->to) : sqrt (range->from * range->to);
  if (large)
    request.count = FEW_MODES;
  if (!large || (!system->motions->has_damping && !given))
    system->modes = ifbam_modes_new_for_model (system->model, system->spec, &request, &failure);
  if (watch.interrupted)
    return set_interrupted (error);
  /* Without modes, peaks are only resolved by the range's points. */
  g_free (system->modes_fault);
  system->modes_fault = failure == NULL ? NULL : g_strdup (failure->message);
  if (system->modes != NULL)
    modes = ifbam_modes_get_modes (system->modes, &n);
  for (gsize i = 0; i < n; i++)
    if (modes[i].frequency > 0)
      {
        lowest = fmin (lowest, modes[i].frequency);
        highest = fmax (highest, modes[i].frequency);
      }
  if (isnan (range->from))
    range->from = isnan (range->to) ? lowest / 4 : fmin (lowest / 4, range->to / 100);
  if (isnan (range->to))
    range->to = fmax (highest * 2, range->from * 100);
  if (given || (highest > 0 && range->from < range->to))
    return TRUE;
  return ifbam_fail (
      error, IFBAM_ERROR_USAGE, "%s%s%s%s: want --from and --to, such as --from 1 --to 100",
      system->modes != NULL ? "nothing swings by itself" : "the eigenfrequencies are not known",
      failure == NULL ? "" : " (", failure == NULL ? "" : failure->message,
      failure == NULL ? "" : ")");
}

double *
ifbam_response_eigenfrequencies (const IfbamResponseSystem *system, double from, double to,
                                 gsize *n)
{
  gsize n_modes = 0;
  const IfbamMode *modes =
      system->modes == NULL ? NULL : ifbam_modes_get_modes (system->modes, &n_modes);
  double *frequencies = g_new (double, n_modes + 1);

  *n = 0;
  for (gsize i = 0; i < n_modes; i++)
    if (modes[i].frequency > 0 && modes[i].frequency >= from && modes[i].frequency <= to)
      frequencies[(*n)++] = modes[i].frequency;
  return frequencies;
}

gboolean
ifbam_response_is_unstable (const IfbamResponseSystem *system)
{
  gsize n_modes = 0;
  const IfbamMode *modes =
      system->modes == NULL ? NULL : ifbam_modes_get_modes (system->modes, &n_modes);

  for (gsize i = 0; i < n_modes; i++)
    if (modes[i].kind == IFBAM_MODE_UNSTABLE || modes[i].damping_ratio < -1e-9)
      return TRUE;
  return FALSE;
}

/* Frequencies */

static void
add_frequency (GArray *grid, const IfbamResponseRange *range, double frequency)
{
  if (frequency > range->from && frequency < range->to)
    g_array_append_val (grid, frequency);
}

/* Adds points around a mode, with distances that grow up to the spacing of the range. */
static void
add_peak (GArray *grid, const IfbamResponseRange *range, const IfbamMode *mode)
{
  const double spacing = range->linear
                             ? (range->to - range->from) / (range->n_points - 1) / mode->frequency
                             : log (range->to / range->from) / (range->n_points - 1);
  const gboolean damped = fabs (mode->damping_ratio) > UNDAMPED;
  double distance = damped ? 0.25 * fabs (mode->damping_ratio) : MIN_MODE_DISTANCE;

  if (damped)
    add_frequency (grid, range, mode->frequency);
  for (guint i = 0; distance < spacing && i < 200; i++)
    {
      add_frequency (grid, range, mode->frequency * (1 + distance));
      add_frequency (grid, range, mode->frequency * (1 - distance));
      /* Equal distances near the peak, then growing ones. */
      distance = damped && i < 7 ? distance + 0.25 * fabs (mode->damping_ratio) : 1.4 * distance;
    }
}

double *
ifbam_response_grid (const IfbamResponseSystem *system, const IfbamResponseRange *range, gsize *n)
{
  g_autoptr (GArray) grid = g_array_new (FALSE, FALSE, sizeof (double));
  gsize n_modes = 0;
  const IfbamMode *modes =
      system->modes == NULL ? NULL : ifbam_modes_get_modes (system->modes, &n_modes);
  double *numbers;

  for (guint i = 0; i < range->n_points; i++)
    {
      const double part = range->n_points < 2 ? 0.0 : (double) i / (range->n_points - 1);
      double frequency = range->linear ? range->from + part * (range->to - range->from)
                                       : range->from * pow (range->to / range->from, part);

      if (i > 0 && i + 1 == range->n_points)
        frequency = range->to;
      g_array_append_val (grid, frequency);
    }
  for (gsize i = 0; i < n_modes && range->n_points > 1 && !range->exact; i++)
    if (modes[i].frequency > 0)
      add_peak (grid, range, &modes[i]);
  g_array_sort (grid, ifbam_compare_doubles);
  numbers = (double *) (gpointer) grid->data;
  *n = 0;
  for (guint i = 0; i < grid->len; i++)
    if (*n == 0 || numbers[i] > numbers[*n - 1])
      numbers[(*n)++] = numbers[i];
  return g_memdup2 (numbers, *n * sizeof *numbers);
}

/* Solution */

static double complex
power_of (double complex s, int order)
{
  double complex power = 1.0;

  for (int i = 0; i < abs (order); i++)
    power *= s;
  return order < 0 ? 1.0 / power : power;
}

/* Returns a row times displacements (real, imaginary); driven: including the given node's. */
static double complex
row_value (const IfbamResponseSystem *system, const Row *row, const double *real,
           const double *imaginary, gboolean driven)
{
  double complex sum = 0.0;

  for (guint e = 0; e < row->n; e++)
    {
      const gsize node = row->node[e];

      if (node >= system->model->n_free)
        sum += driven && system->input.motion && node == system->input.node ? row->entry[e] : 0.0;
      else
        sum += row->entry[e]
               * (ifbam_small_motions_node (system->motions, node, real)
                  + I * ifbam_small_motions_node (system->motions, node, imaginary)
                  + (driven && system->carried != NULL ? system->carried[node] : 0.0));
    }
  return sum;
}

/* Returns the force that moves a given node. */
static double complex
given_force_of (const IfbamResponseSystem *system, const GArray *given_forces, double complex s,
                const double *real, const double *imaginary, gboolean driven)
{
  double complex sum = 0;

  for (guint i = 0; i < given_forces->len; i++)
    {
      const GivenForce *pull = &g_array_index (given_forces, GivenForce, i);
      const Row row = { .n = 1, .node = { pull->node }, .entry = { 1 } };

      sum += row_value (system, &row, real, imaginary, driven)
             * (pull->stiffness + s * pull->damping + I * pull->loss);
    }
  return sum;
}

static void
compute_outputs (const IfbamResponseSystem *system, double omega, const double *real,
                 const double *imaginary, double complex *outputs)
{
  const double complex s = I * omega;

  for (guint i = 0; i < system->rows->len; i++)
    {
      const Row *row = &g_array_index (system->rows, Row, i);
      double complex value = row_value (system, row, real, imaginary, TRUE);

      if (row->given_forces != NULL)
        value = given_force_of (system, row->given_forces, s, real, imaginary, TRUE);
      else if (row->force)
        value *= row->stiffness + s * row->damping
                 + (system->losses != NULL && row->slot != G_MAXSIZE ? I * system->losses[row->slot]
                                                                     : 0);
      outputs[i] = value * power_of (s, (int) row->order - (int) system->input.order);
    }
}

static gboolean
out_of_memory (GError **error)
{
  return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                     "there is not memory enough to factor the network's matrix");
}

static gboolean
solve_by_factors (const IfbamResponseSystem *system, double omega, double *real, double *imaginary,
                  gboolean *singular, GError **error)
{
  const gsize n = system->motions->n;
  const gboolean damped = system->damping != NULL || system->loss != NULL;
  g_autoptr (IfbamSparse) even = ifbam_sparse_sum (1.0, system->stiffness, 0.0, system->damping,
                                                   -omega * omega, system->motions->inertia);
  const IfbamSparse *beside = system->loss != NULL ? system->loss : system->stiffness;
  g_autoptr (IfbamSparse) sum =
      system->damping == NULL
          ? NULL
          : ifbam_sparse_sum (omega, system->damping, system->loss != NULL ? 1.0 : 0.0, beside, 0.0,
                              NULL);
  const IfbamSparse *odd = sum != NULL ? sum : system->loss;
  IfbamFactorStatus status;
  g_autoptr (IfbamFactor) factor = damped ? ifbam_factor_new_complex (even, odd, &status)
                                          : ifbam_factor_new (even, IFBAM_FACTOR_LU, &status);

  *singular = status == IFBAM_FACTOR_SINGULAR;
  if (factor == NULL)
    return *singular || out_of_memory (error);
  if (damped)
    {
      g_autofree double complex *b = g_new (double complex, n + 1),
                                *x = g_new (double complex, n + 1);

      for (gsize i = 0; i < n; i++)
        b[i] = system->in_stiffness[i] + I * (omega * system->in_damping[i] + system->in_loss[i]);
      if (!ifbam_factor_solve_complex (factor, b, x))
        return out_of_memory (error);
      for (gsize i = 0; i < n; i++)
        {
          real[i] = creal (x[i]);
          imaginary[i] = cimag (x[i]);
        }
      return TRUE;
    }
  memset (imaginary, 0, n * sizeof *imaginary);
  return ifbam_factor_solve (factor, system->in_stiffness, real) || out_of_memory (error);
}

/* Solves for displacements of the coordinates at an angular frequency. *singular: no solution. */
static gboolean
solve (const IfbamResponseSystem *system, double omega, double *real, double *imaginary,
       gboolean *singular, GError **error)
{
  *singular = FALSE;
  if (system->solver != NULL
      && ifbam_tree_solver_solve (system->solver, omega, system->in_stiffness, system->in_damping,
                                  real, imaginary))
    return TRUE;
  return solve_by_factors (system, omega, real, imaginary, singular, error);
}

/* Resonance */

/* Computes a mode's displacements of coordinates. */
static void
compute_shape (const IfbamResponseSystem *system, gsize mode, double *x)
{
  const IfbamSmallMotions *motions = system->motions;
  const IfbamModel *model = system->model;
  gsize n;
  const double *shape = ifbam_modes_get_shape (system->modes, mode, &n);

  memset (x, 0, motions->n * sizeof *x);
  for (gsize i = 0; i < ifbam_model_n_named_free (model); i++)
    {
      const gsize node = ifbam_model_named_node (model, i);
      const IfbamNullSpace *null_space = motions->null_space;

      if (null_space == NULL)
        x[node] = shape[i];
      else /* M x = Z^T M times the shape */
        for (gsize k = 0; k < ifbam_null_space_count (null_space, node); k++)
          x[null_space->first[node] + k] += null_space->factor[null_space->start[node] + k]
                                            * ifbam_model_inertia (model, node) * shape[i]
                                            / motions->inertia[null_space->first[node] + k];
    }
}

/* Adds the residues of the outputs at a mode's own frequency. */
static void
add_residues (const IfbamResponseSystem *system, gsize mode, double *residue, double *size)
{
  const IfbamSmallMotions *motions = system->motions;
  g_autofree double *x = g_new (double, motions->n + 1), *none = g_new0 (double, motions->n + 1);
  double in = 0, most = 0, mass = 0;

  compute_shape (system, mode, x);
  for (gsize i = 0; i < motions->n; i++)
    {
      in += system->in_stiffness[i] * x[i];
      most += fabs (system->in_stiffness[i]);
      mass += motions->inertia[i] * x[i] * x[i];
    }
  for (guint i = 0; i < system->rows->len; i++)
    {
      const Row *row = &g_array_index (system->rows, Row, i);
      double entries = 0;

      for (guint e = 0; e < row->n; e++)
        entries += fabs (row->entry[e]);
      for (guint k = 0; row->given_forces != NULL && k < row->given_forces->len; k++)
        entries += fabs (g_array_index (row->given_forces, GivenForce, k).stiffness);
      residue[i] += in
                    * creal (row->given_forces != NULL
                                 ? given_force_of (system, row->given_forces, 0, x, none, FALSE)
                                 : row_value (system, row, x, none, FALSE))
                    / mass;
      size[i] += most * entries / mass;
    }
}

/* TRUE if undamped modes have this frequency; outputs that they drive become infinite. */
static gboolean
find_resonance (const IfbamResponseSystem *system, double frequency, double complex *outputs)
{
  const guint n = system->rows->len;
  g_autofree double *residue = g_new0 (double, n + 1), *size = g_new0 (double, n + 1);
  gsize n_modes = 0;
  const IfbamMode *modes =
      system->modes == NULL ? NULL : ifbam_modes_get_modes (system->modes, &n_modes);
  gboolean any = FALSE;

  for (gsize i = 0; i < n_modes && system->loss == NULL; i++)
    if (modes[i].frequency > 0 && fabs (modes[i].damping_ratio) <= UNDAMPED
        && fabs (frequency - modes[i].frequency) <= RESONANCE_DISTANCE * frequency)
      {
        add_residues (system, i, residue, size);
        any = TRUE;
      }
  for (guint i = 0; i < n && any; i++)
    outputs[i] = fabs (residue[i]) > UNSEEN * size[i] ? INFINITY : 0.0;
  return any;
}

static gboolean
solve_at (const IfbamResponseSystem *system, double frequency, double complex *outputs,
          double *largest, gboolean *singular, GError **error)
{
  const gsize n = system->motions->n;
  const double omega = 2 * G_PI * frequency;
  double *real = system->real, *imaginary = system->imaginary;

  if (!solve (system, omega, real, imaginary, singular, error))
    return FALSE;
  if (*singular)
    return TRUE;
  compute_outputs (system, omega, real, imaginary, outputs);
  for (gsize i = 0; i < n && largest != NULL; i++)
    *largest = fmax (*largest, hypot (real[i], imaginary[i]));
  return TRUE;
}

/* Computes finite outputs at a resonance as limits: symmetric differences, extrapolated once. */
static gboolean
solve_beside (const IfbamResponseSystem *system, double frequency, double complex *outputs,
              GError **error)
{
  const guint n = system->rows->len;
  g_autofree double complex *aside = g_new0 (double complex, n + 1);
  g_autofree double complex *limit = g_new0 (double complex, n + 1);
  gboolean singular;

  for (int k = 0; k < 4; k++)
    {
      const double distance = (k & 1 ? -1 : 1) * (k < 2 ? LIMIT_DISTANCE : 2 * LIMIT_DISTANCE);

      if (!solve_at (system, frequency * (1 + distance), aside, NULL, &singular, error))
        return FALSE;
      for (guint i = 0; i < n; i++)
        limit[i] += aside[i] * (k < 2 ? 2.0 / 3 : -1.0 / 6);
    }
  for (guint i = 0; i < n; i++)
    if (isfinite (creal (outputs[i])))
      outputs[i] = limit[i];
  return TRUE;
}

gboolean
ifbam_response_at (const IfbamResponseSystem *system, double frequency, double complex *outputs,
                   double *largest, GError **error)
{
  gboolean singular;

  if (largest != NULL)
    *largest = 0;
  if (find_resonance (system, frequency, outputs))
    return solve_beside (system, frequency, outputs, error);
  if (!solve_at (system, frequency, outputs, largest, &singular, error))
    return FALSE;
  for (guint i = 0; i < system->rows->len && singular; i++)
    outputs[i] = INFINITY;
  return TRUE;
}

double
ifbam_response_phase (double complex number)
{
  const double phase = carg (number) * (180 / G_PI);

  if (!isfinite (creal (number)) || !isfinite (cimag (number)) || number == 0)
    return NAN;
  /* Motion in antiphase lags by half a period. Avoids -0. */
  return phase >= 180 ? -180.0 : phase + 0.0;
}

/* Response */

/* An overflow of the matrix would be taken for a resonance. */
static gboolean
check_squares (const IfbamResponseSystem *system, const double *frequencies, gsize n,
               GError **error)
{
  double heaviest = 1;

  for (gsize i = 0; i < system->motions->n; i++)
    heaviest = fmax (heaviest, fabs (system->motions->inertia[i]));
  for (gsize k = 0; k < n; k++)
    {
      const double omega = 2 * G_PI * frequencies[k];

      if (!isfinite (omega * omega * heaviest))
        return ifbam_fail (
            error, IFBAM_ERROR_USAGE,
            "a frequency of %s Hz is too high: its square times the inertia is beyond "
            "all numbers",
            IFBAM_NUMBER (frequencies[k]));
    }
  return TRUE;
}

IfbamResponse *
ifbam_response_new_for_system (const IfbamResponseSystem *system, const double *frequencies,
                               gsize n, IfbamResponseProgress progress, gpointer data,
                               GError **error)
{
  G_GNUC_UNUSED g_auto (IfbamBlas) blas = ifbam_blas_begin ();
  g_autoptr (IfbamResponse) response = g_object_new (IFBAM_TYPE_RESPONSE, NULL);
  const gsize n_outputs = system->rows->len;
  g_autofree double complex *outputs = g_new (double complex, n_outputs + 1);
  g_autofree char *lack = NULL;

  if (!check_squares (system, frequencies, n, error))
    return NULL;
  lack = ifbam_memory_lack (2.0 * (double) n * (double) n_outputs * sizeof (double));
  if (lack != NULL)
    return ifbam_fail_null (error, IFBAM_ERROR_USAGE,
                            "%" G_GSIZE_FORMAT " frequencies of %" G_GSIZE_FORMAT
                            " signals need %s",
                            n, n_outputs, lack);
  response->n = n;
  response->n_outputs = n_outputs;
  response->frequency = g_memdup2 (frequencies, n * sizeof *frequencies);
  response->outputs = g_strdupv ((char **) system->signals->names->pdata);
  response->units = g_ptr_array_ref (system->units);
  response->amplitude = g_new (double, n *n_outputs + 1);
  response->phase = g_new (double, n *n_outputs + 1);
  response->nonlinear = ifbam_small_motions_list_nonlinear (system->motions);
  for (gsize k = 0; k < n; k++)
    {
      if (progress != NULL && !progress (data, (double) k / (double) n))
        {
          set_interrupted (error);
          return NULL;
        }
      if (!ifbam_response_at (system, frequencies[k], outputs, NULL, error))
        return NULL;
      for (gsize i = 0; i < n_outputs; i++)
        {
          response->amplitude[i * n + k] = cabs (outputs[i]);
          response->phase[i * n + k] = ifbam_response_phase (outputs[i]);
        }
    }
  return g_steal_pointer (&response);
}

/**
 * ifbam_response_get_frequencies:
 * @response: a response
 * @n_frequencies: (out): their number
 *
 * Returns the frequencies of the amplitudes and phases.
 *
 * Returns: (transfer none) (array length=n_frequencies): the frequencies [Hz]
 */
const double *
ifbam_response_get_frequencies (IfbamResponse *response, gsize *n_frequencies)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response), NULL);
  *n_frequencies = response->n;
  return response->frequency;
}

/**
 * ifbam_response_get_frequency_bytes:
 * @response: a response
 *
 * Returns the result of ifbam_response_get_frequencies() as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the frequencies, independent of @response
 */
GBytes *
ifbam_response_get_frequency_bytes (IfbamResponse *response)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response), NULL);
  return ifbam_object_bytes (response, response->frequency, response->n * sizeof (double));
}

/**
 * ifbam_response_get_outputs:
 * @response: a response
 *
 * Returns the names of the outputs, in the order of their indices.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names of the outputs
 */
const char *const *
ifbam_response_get_outputs (IfbamResponse *response)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response), NULL);
  return (const char *const *) response->outputs;
}

/**
 * ifbam_response_get_unit:
 * @response: a response
 * @output: index of an output, from 0
 *
 * Returns the unit of an amplitude.
 *
 * Returns: (transfer none): the output's unit over that of the input: "m/N"; "" if they are equal
 */
const char *
ifbam_response_get_unit (IfbamResponse *response, gsize output)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response) && output < response->n_outputs, NULL);
  return response->units->pdata[output];
}

/**
 * ifbam_response_get_amplitudes:
 * @response: a response
 * @output: index of an output, from 0
 * @n_frequencies: (out): their number
 *
 * Returns amplitudes of an output.
 *
 * Returns: (transfer none) (array length=n_frequencies): the amplitude per unit of the input's, at
 *   each frequency; infinite at the frequency of a driven undamped mode
 */
const double *
ifbam_response_get_amplitudes (IfbamResponse *response, gsize output, gsize *n_frequencies)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response) && output < response->n_outputs, NULL);
  *n_frequencies = response->n;
  return response->amplitude + output * response->n;
}

/**
 * ifbam_response_get_amplitude_bytes:
 * @response: a response
 * @output: index of an output, from 0
 *
 * Returns the result of ifbam_response_get_amplitudes() as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the amplitudes, independent of @response
 */
GBytes *
ifbam_response_get_amplitude_bytes (IfbamResponse *response, gsize output)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response) && output < response->n_outputs, NULL);
  return ifbam_object_bytes (response, response->amplitude + output * response->n,
                             response->n * sizeof (double));
}

/**
 * ifbam_response_get_phases:
 * @response: a response
 * @output: index of an output, from 0
 * @n_frequencies: (out): their number
 *
 * Returns phases of an output.
 *
 * Returns: (transfer none) (array length=n_frequencies): the lead of the output over the input, at
 *   each frequency, from -180 (included) to 180 degrees; NaN if the amplitude is 0 or infinite
 */
const double *
ifbam_response_get_phases (IfbamResponse *response, gsize output, gsize *n_frequencies)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response) && output < response->n_outputs, NULL);
  *n_frequencies = response->n;
  return response->phase + output * response->n;
}

/**
 * ifbam_response_get_phase_bytes:
 * @response: a response
 * @output: index of an output, from 0
 *
 * Returns the result of ifbam_response_get_phases() as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the phases, independent of @response
 */
GBytes *
ifbam_response_get_phase_bytes (IfbamResponse *response, gsize output)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response) && output < response->n_outputs, NULL);
  return ifbam_object_bytes (response, response->phase + output * response->n,
                             response->n * sizeof (double));
}

/**
 * ifbam_response_list_nonlinear:
 * @response: a response
 *
 * Lists nonlinear links, for which the response is that of small motions only.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names, as of ifbam_modes_list_nonlinear()
 */
char **
ifbam_response_list_nonlinear (IfbamResponse *response)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response), NULL);
  return g_strdupv (response->nonlinear);
}
