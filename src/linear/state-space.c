/* state-space.c: small motions of a network as a state space, for control engineering
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/state-space.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "linear/motion-inputs.h"

/* Largest number of states: the file has its square of numbers. */
#define MAX_STATES 1000

/* Data while the matrices are made. */
typedef struct
{
  IfbamStateSpace *space;
  GPtrArray *systems;                /* IfbamResponseSystem: one for each input */
  const IfbamResponseSystem *system; /* the first of them */
  gsize n;                           /* coordinates */
  gsize *first;                      /* first state of each input's node (n_inputs) */
  double *functional, *unit;         /* scratch (n) */
  double *given;                     /* scratch: factor of each input's position (n_inputs) */
} Making;

static double *
entry (double *matrix, gsize n_columns, gsize row, gsize column)
{
  return &matrix[row * n_columns + column];
}

static void
add_state (IfbamStateSpace *space, char *name, const char *unit)
{
  g_ptr_array_add (space->states, name);
  g_ptr_array_add (space->state_units, g_strdup (unit));
}

/* Names the coordinates and their rates; coordinates along constraints have no unit. */
static void
name_coordinates (Making *making)
{
  const IfbamModel *model = making->system->model;

  for (guint order = 0; order < 2; order++)
    for (gsize i = 0; i < making->n; i++)
      if (making->system->motions->null_space != NULL)
        add_state (
            making->space,
            g_strdup_printf ("%s %" G_GSIZE_FORMAT, order == 0 ? "coordinate" : "rate", i + 1),
            order == 0 ? "" : "1/s");
      else
        {
          const IfbamDomainInfo *domain = ifbam_domain_info (ifbam_model_node_domain (model, i));
          g_autofree char *node = ifbam_model_node_name (model, i);

          add_state (making->space,
                     g_strconcat (node, ".", order == 0 ? domain->coordinate : domain->rate, NULL),
                     order == 0 ? domain->coordinate_unit : domain->rate_unit);
        }
}

/* Names the states of an input's node: all derivatives of its position below the input's. */
static void
name_given_states (Making *making, const IfbamResponseInput *input)
{
  const IfbamModel *model = making->system->model;
  const IfbamDomainInfo *domain = ifbam_domain_info (ifbam_model_node_domain (model, input->node));
  g_autofree char *node = ifbam_model_node_name (model, input->node);

  for (guint order = 0; input->motion && order < input->order; order++)
    add_state (making->space,
               g_strconcat (node, ".", order == 0 ? domain->coordinate : domain->rate, NULL),
               order == 0 ? domain->coordinate_unit : domain->rate_unit);
}

static const IfbamResponseSystem *
system_of (const Making *making, gsize input)
{
  return making->systems->pdata[input];
}

/* Reads inputs and outputs, and names the states. */
static gboolean
read_signals (Making *making, const IfbamRunSpec *spec, GHashTable *by_name,
              const IfbamModel *model, const char *const *inputs, const char *const *outputs,
              GError **error)
{
  IfbamStateSpace *space = making->space;

  for (gsize k = 0; k < space->n_inputs; k++)
    {
      IfbamResponseSystem *system =
          ifbam_response_system_new (model, spec, by_name, inputs[k], outputs, error);

      if (system == NULL)
        return FALSE;
      g_ptr_array_add (making->systems, system);
      if (system->loss != NULL)
        return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                           "a stiffness has a loss factor, which no state space has (want "
                           "dampers instead)");
      g_ptr_array_add (space->inputs, g_strdup (system->input.name));
      g_ptr_array_add (space->input_units, (gpointer) system->input.unit);
    }
  making->system = system_of (making, 0);
  making->n = making->system->motions->n;
  for (guint i = 0; i < making->system->signals->signals->len; i++)
    {
      g_ptr_array_add (space->outputs, g_strdup (making->system->signals->names->pdata[i]));
      g_ptr_array_add (space->output_units, making->system->signals->units->pdata[i]);
    }
  space->n_outputs = space->outputs->len;
  name_coordinates (making);
  for (gsize k = 0; k < space->n_inputs; k++)
    {
      making->first[k] = space->states->len;
      name_given_states (making, &system_of (making, k)->input);
    }
  space->n = space->states->len;
  return space->n <= MAX_STATES
         || ifbam_fail (error, IFBAM_ERROR_NETWORK,
                        "%" G_GSIZE_FORMAT " states are too many for full matrices (at most %d)",
                        space->n, MAX_STATES);
}

/* Subtracts a matrix over the coordinates from the rows of their accelerations. */
static void
subtract_matrix (Making *making, const IfbamSparse *matrix, gsize column)
{
  const gsize n = making->n;

  for (gsize j = 0; matrix != NULL && j < n; j++)
    for (gint32 k = matrix->start[j]; k < matrix->start[j + 1]; k++)
      *entry (making->space->a, making->space->n, n + (gsize) matrix->row[k], column + j) -=
          matrix->value[k];
}

/* Adds the forces of an input on the coordinates, and the states of its node. */
static gboolean
add_input (Making *making, gsize k, GError **error)
{
  IfbamStateSpace *space = making->space;
  const IfbamResponseSystem *system = system_of (making, k);
  const guint order = system->input.motion ? system->input.order : 0;
  const gsize n = making->n, first = making->first[k];

  for (gsize i = 0; i < n; i++)
    {
      double *by_position = order == 0 ? entry (space->b, space->n_inputs, n + i, k)
                                       : entry (space->a, space->n, n + i, first);

      *by_position += system->in_stiffness[i];
      if (order == 0 && system->in_damping[i] != 0)
        return ifbam_fail (error, IFBAM_ERROR_USAGE,
                           "input: \"%s\": dampers follow the rate of this node (want its "
                           "velocity or acceleration as input)",
                           system->input.name);
      if (order > 0)
        *(order == 1 ? entry (space->b, space->n_inputs, n + i, k)
                     : entry (space->a, space->n, n + i, first + 1)) += system->in_damping[i];
    }
  if (order == 2)
    *entry (space->a, space->n, first, first + 1) = 1;
  if (order > 0)
    *entry (space->b, space->n_inputs, first + order - 1, k) = 1;
  return TRUE;
}

/* Divides the balances of forces by the inertias; E has a 0 where there is none. */
static void
divide_by_inertia (Making *making)
{
  IfbamStateSpace *space = making->space;
  gboolean is_massless = FALSE;

  for (gsize i = 0; i < making->n; i++)
    {
      const double inertia = making->system->motions->inertia[i];

      is_massless |= inertia == 0;
      for (gsize j = 0; j < space->n && inertia != 0; j++)
        *entry (space->a, space->n, making->n + i, j) /= inertia;
      for (gsize k = 0; k < space->n_inputs && inertia != 0; k++)
        *entry (space->b, space->n_inputs, making->n + i, k) /= inertia;
    }
  if (!is_massless)
    return;
  space->e = g_new (double, space->n);
  for (gsize i = 0; i < space->n; i++)
    space->e[i] =
        i >= making->n && i < 2 * making->n && making->system->motions->inertia[i - making->n] == 0
            ? 0
            : 1;
}

/* Sets the factors of a row's value by coordinates and by positions of the inputs' nodes. */
static void
set_functional (Making *making, const IfbamOutputRow *row)
{
  const IfbamSmallMotions *motions = making->system->motions;
  const IfbamModel *model = making->system->model;

  for (gsize j = 0; j < making->n; j++)
    {
      making->functional[j] = 0;
      making->unit[j] = 1;
      for (guint e = 0; e < row->n; e++)
        if (row->node[e] < model->n_free)
          making->functional[j] +=
              row->entry[e] * ifbam_small_motions_node (motions, row->node[e], making->unit);
      making->unit[j] = 0;
    }
  for (gsize k = 0; k < making->space->n_inputs; k++)
    {
      const IfbamResponseSystem *system = system_of (making, k);

      making->given[k] = 0;
      for (guint e = 0; e < row->n && system->input.motion; e++)
        if (row->node[e] == system->input.node)
          making->given[k] += row->entry[e];
        else if (row->node[e] < model->n_free && system->carried != NULL)
          making->given[k] += row->entry[e] * system->carried[row->node[e]];
    }
}

/* Adds a derivative of the position of an input's node to an output. */
static gboolean
add_given (Making *making, gsize output, gsize k, double factor, guint order, GError **error)
{
  IfbamStateSpace *space = making->space;
  const IfbamResponseInput *input = &system_of (making, k)->input;

  if (factor == 0)
    return TRUE;
  if (order > input->order)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "output: \"%s\" needs a derivative of the input \"%s\" (want the %s of that "
                       "node as input)",
                       (const char *) space->outputs->pdata[output], input->name,
                       order == 2 ? "acceleration" : "velocity or acceleration");
  if (order == input->order)
    *entry (space->d, space->n_inputs, output, k) += factor;
  else
    *entry (space->c, space->n, output, making->first[k] + order) += factor;
  return TRUE;
}

/* Adds a derivative of the row's value (set_functional) to an output. */
static gboolean
add_derivative (Making *making, gsize output, double factor, guint order, GError **error)
{
  IfbamStateSpace *space = making->space;
  const gsize n = making->n;

  if (factor == 0)
    return TRUE;
  for (gsize j = 0; j < n; j++)
    {
      const double own = factor * making->functional[j];

      if (own == 0)
        continue;
      if (order < 2)
        *entry (space->c, space->n, output, order * n + j) += own;
      else if (space->e != NULL && space->e[n + j] == 0)
        return ifbam_fail (error, IFBAM_ERROR_USAGE,
                           "output: \"%s\" is an acceleration without inertia, which no state "
                           "determines",
                           (const char *) space->outputs->pdata[output]);
      for (gsize i = 0; i < space->n && order == 2; i++)
        *entry (space->c, space->n, output, i) += own * *entry (space->a, space->n, n + j, i);
      for (gsize k = 0; k < space->n_inputs && order == 2; k++)
        *entry (space->d, space->n_inputs, output, k) +=
            own * *entry (space->b, space->n_inputs, n + j, k);
    }
  for (gsize k = 0; k < space->n_inputs; k++)
    if (!add_given (making, output, k, factor * making->given[k], order, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_output (Making *making, guint index, GError **error)
{
  const IfbamOutputRow *row = &g_array_index (making->system->rows, IfbamOutputRow, index);

  for (guint i = 0; row->given_forces != NULL && i < row->given_forces->len; i++)
    {
      const IfbamGivenForce *pull = &g_array_index (row->given_forces, IfbamGivenForce, i);
      const IfbamOutputRow own = { .n = 1, .node = { pull->node }, .entry = { 1 } };

      set_functional (making, &own);
      if (!add_derivative (making, index, pull->stiffness, 0, error)
          || !add_derivative (making, index, pull->damping, 1, error))
        return FALSE;
    }
  if (row->given_forces != NULL)
    return TRUE;
  set_functional (making, row);
  if (row->force)
    return add_derivative (making, index, row->stiffness, 0, error)
           && add_derivative (making, index, row->damping, 1, error);
  return add_derivative (making, index, 1, row->order, error);
}

static gboolean
make_matrices (Making *making, GError **error)
{
  IfbamStateSpace *space = making->space;
  const gsize n = making->n;

  space->a = g_new0 (double, space->n * space->n + 1);
  space->b = g_new0 (double, space->n * space->n_inputs + 1);
  space->c = g_new0 (double, space->n_outputs * space->n + 1);
  space->d = g_new0 (double, space->n_outputs * space->n_inputs + 1);
  making->functional = g_new0 (double, n + 1);
  making->unit = g_new0 (double, n + 1);
  making->given = g_new0 (double, space->n_inputs + 1);
  for (gsize i = 0; i < n; i++)
    *entry (space->a, space->n, i, n + i) = 1;
  subtract_matrix (making, making->system->stiffness, 0);
  subtract_matrix (making, making->system->damping, n);
  for (gsize k = 0; k < space->n_inputs; k++)
    if (!add_input (making, k, error))
      return FALSE;
  divide_by_inertia (making);
  for (guint i = 0; i < space->n_outputs; i++)
    if (!add_output (making, i, error))
      return FALSE;
  space->nonlinear = ifbam_small_motions_list_nonlinear (making->system->motions);
  return TRUE;
}

IfbamStateSpace *
ifbam_state_space_new (const IfbamModel *model, const IfbamRunSpec *spec, GHashTable *by_name,
                       const char *const *inputs, const char *const *outputs, GError **error)
{
  g_autoptr (IfbamStateSpace) space = g_new0 (IfbamStateSpace, 1);
  g_autoptr (GPtrArray) systems =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ifbam_response_system_free);
  Making making = { .space = space, .systems = systems };
  gboolean is_made;

  space->n_inputs = g_strv_length ((char **) inputs);
  space->states = g_ptr_array_new_with_free_func (g_free);
  space->state_units = g_ptr_array_new_with_free_func (g_free);
  space->inputs = g_ptr_array_new_with_free_func (g_free);
  space->outputs = g_ptr_array_new_with_free_func (g_free);
  space->input_units = g_ptr_array_new ();
  space->output_units = g_ptr_array_new ();
  making.first = g_new0 (gsize, space->n_inputs + 1);
  is_made = read_signals (&making, spec, by_name, model, inputs, outputs, error)
            && make_matrices (&making, error);
  g_free (making.first);
  g_free (making.functional);
  g_free (making.unit);
  g_free (making.given);
  return is_made ? g_steal_pointer (&space) : NULL;
}

void
ifbam_state_space_free (IfbamStateSpace *space)
{
  if (space == NULL)
    return;
  g_ptr_array_unref (space->states);
  g_ptr_array_unref (space->state_units);
  g_ptr_array_unref (space->inputs);
  g_ptr_array_unref (space->outputs);
  g_ptr_array_unref (space->input_units);
  g_ptr_array_unref (space->output_units);
  g_free (space->e);
  g_free (space->a);
  g_free (space->b);
  g_free (space->c);
  g_free (space->d);
  g_strfreev (space->nonlinear);
  g_free (space);
}

static void
write_names (IfbamJsonWriter *json, const char *key, const GPtrArray *names, const GPtrArray *units)
{
  ifbam_json_array (json, key);
  for (guint i = 0; i < names->len; i++)
    ifbam_json_record (json, NULL, "name,unit", "%s%s", (const char *) names->pdata[i],
                       (const char *) units->pdata[i]);
  ifbam_json_end (json);
}

static void
write_matrix (IfbamJsonWriter *json, const char *key, const double *matrix, gsize n_rows,
              gsize n_columns)
{
  ifbam_json_array (json, key);
  for (gsize i = 0; i < n_rows; i++)
    ifbam_json_numbers (json, NULL, matrix + i * n_columns, n_columns);
  ifbam_json_end (json);
}

char *
ifbam_state_space_json (const IfbamStateSpace *space, const char *title)
{
  g_autoptr (IfbamJsonWriter) json = ifbam_json_writer_new (FALSE);
  g_autofree double *row = g_new0 (double, space->n + 1);

  ifbam_json_object (json, NULL);
  ifbam_json_string (json, "network", title);
  ifbam_json_string (json, "equations", "E z' = A z + B u, y = C z + D u");
  write_names (json, "states", space->states, space->state_units);
  write_names (json, "inputs", space->inputs, space->input_units);
  write_names (json, "outputs", space->outputs, space->output_units);
  ifbam_json_array (json, "E");
  for (gsize i = 0; i < space->n; i++)
    {
      row[i] = space->e != NULL ? space->e[i] : 1;
      ifbam_json_numbers (json, NULL, row, space->n);
      row[i] = 0;
    }
  ifbam_json_end (json);
  write_matrix (json, "A", space->a, space->n, space->n);
  write_matrix (json, "B", space->b, space->n, space->n_inputs);
  write_matrix (json, "C", space->c, space->n_outputs, space->n);
  write_matrix (json, "D", space->d, space->n_outputs, space->n_inputs);
  ifbam_json_strings (json, "nonlinear", (const char *const *) space->nonlinear);
  ifbam_json_end (json);
  return g_strconcat (json->text->str, "\n", NULL);
}
