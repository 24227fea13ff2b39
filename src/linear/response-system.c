/* response-system.c: a linearised network with one input and its outputs
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/response-system.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "linear/motion-inputs.h"

/* Default number of outputs. */
#define FEW_OUTPUTS 24

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

/* Reads a link's row at the start. Returns an error (transfer full), or NULL. */
static char *
read_link (const IfbamSmallMotions *motions, const IfbamSignal *signal, const char *name,
           IfbamOutputRow *row)
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
  const IfbamGivenForce pull = { node, stiffness, damping, loss };

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
read_mover (const IfbamResponseSystem *system, gsize node, const char *name, IfbamOutputRow *row)
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
  row->given_forces = g_array_new (FALSE, FALSE, sizeof (IfbamGivenForce));
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
             IfbamOutputRow *row)
{
  const IfbamSmallMotions *motions = system->motions;

  *row = (IfbamOutputRow){ .n = 1, .slot = G_MAXSIZE };
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
      IfbamOutputRow row;
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
  system->rows = g_array_new (FALSE, FALSE, sizeof (IfbamOutputRow));
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
    g_clear_pointer (&g_array_index (system->rows, IfbamOutputRow, i).given_forces, g_array_unref);
  g_array_unref (system->rows);
  g_clear_object (&system->modes);
  g_free (system->modes_fault);
  g_free (system);
}
