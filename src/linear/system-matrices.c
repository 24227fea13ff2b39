/* system-matrices.c: small motions of a network about its start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/system-matrices.h"

#include "base/fail.h"
#include "event/event.h"
#include "linear/massless-balances.h"
#include "linear/unbatched-rows.h"

/* Linearizes at the start, with massless nodes in balance. */
static IfbamLinearization *
linearize (const IfbamModel *model, const IfbamRunSpec *spec, GError **error)
{
  const IfbamRunSpec own = ifbam_small_motions_start_spec (model, spec);
  g_autoptr (IfbamEngine) engine = NULL;
  g_autofree double *position = NULL, *rate = NULL;

  if (model->n_junctions == 0)
    return ifbam_linearization_new (model, spec, NULL, NULL);
  engine = ifbam_event_engine_new (model, &own, FALSE);
  ifbam_engine_start (engine);
  if (engine->log->failure != NULL)
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK, "at the start: %s", engine->log->failure);
  position = g_new (double, model->n_nodes + 1);
  rate = g_new (double, model->n_nodes + 1);
  ifbam_engine_get_nodes (engine, 0, model->n_nodes, position, rate);
  return ifbam_linearization_new (model, spec, position, rate);
}

static void
copy_derivatives (IfbamSmallMotions *motions, const GArray *slopes)
{
  IfbamLinearization *links = motions->links;
  const gsize n_slots = motions->model->n_slots;

  motions->n_rows = n_slots + motions->extra->len;
  motions->stiffness = g_renew (double, g_steal_pointer (&links->stiffness), motions->n_rows + 1);
  motions->damping = g_renew (double, g_steal_pointer (&links->damping), motions->n_rows + 1);
  motions->turning = g_new0 (double, motions->n_rows + 1);
  for (guint i = 0; i < motions->extra->len; i++)
    {
      const IfbamRowSlopes *own = &g_array_index (slopes, IfbamRowSlopes, i);

      motions->stiffness[n_slots + i] = own->stiffness;
      motions->damping[n_slots + i] = own->damping;
      motions->turning[n_slots + i] = own->turning;
    }
}

/* Gives every node its own coordinate. */
static void
use_nodes (IfbamSmallMotions *motions)
{
  const IfbamModel *model = motions->model;

  motions->n = model->n_free;
  motions->inertia = g_new (double, motions->n + 1);
  for (gsize i = 0; i < model->n_free; i++)
    motions->inertia[i] = ifbam_model_is_junction (model, i) ? 0 : ifbam_model_inertia (model, i);
}

static gboolean
find_coordinates (IfbamSmallMotions *motions, GArray *relations, gsize most, GError **error)
{
  const IfbamModel *model = motions->model;
  g_auto (IfbamDofGroups) groups = { 0 };

  if (!motions->is_constrained)
    {
      use_nodes (motions);
      return TRUE;
    }
  ifbam_dof_groups_init (&groups, model->n_free);
  /* State nodes follow the motions and are no coordinates. */
  for (gsize i = ifbam_model_n_named_free (model); i < model->n_free; i++)
    groups.still[ifbam_model_free_node (model, i)] = TRUE;
  motions->null_space = ifbam_null_space_new (model, &groups, relations, most, error);
  if (motions->null_space == NULL)
    return FALSE;
  motions->n = motions->null_space->n;
  motions->inertia = g_memdup2 (motions->null_space->inertia, (motions->n + 1) * sizeof (double));
  return TRUE;
}

static void
find_signs (IfbamSmallMotions *motions)
{
  g_auto (IfbamMotionIter) iter = { 0 };
  const IfbamCoordinateRow *row;

  motions->has_damping = motions->gyrations->len > 0 || motions->circulations->len > 0;
  ifbam_motion_iter_init (&iter, motions);
  while ((row = ifbam_motion_iter_next (&iter)) != NULL)
    {
      motions->has_damping |= motions->damping[row->number] != 0;
      motions->indefinite |= motions->stiffness[row->number] < 0;
    }
}

/* FALSE with an error: a massless coordinate is left, as balances of junctions are redundant. */
static gboolean
has_inertia (const IfbamSmallMotions *motions, GError **error)
{
  for (gsize i = 0; i < motions->n; i++)
    if (motions->inertia[i] == 0)
      return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                         "nothing holds some junctions at the start: their small motions are not "
                         "known");
  return TRUE;
}

/* most: see ifbam_small_motions_new_within (). keeps_massless: massless coordinates remain. */
static IfbamSmallMotions *
make (const IfbamModel *model, const IfbamRunSpec *spec, gsize most, gboolean keeps_massless,
      GError **error)
{
  g_autoptr (IfbamSmallMotions) motions = g_new0 (IfbamSmallMotions, 1);
  g_autoptr (GArray) slopes = g_array_new (FALSE, FALSE, sizeof (IfbamRowSlopes));
  g_autoptr (GArray) relations = g_array_new (FALSE, FALSE, sizeof (IfbamMotionRow));
  const gboolean eliminates = model->n_junctions > 0 && !keeps_massless;

  motions->extra = g_array_new (FALSE, FALSE, sizeof (IfbamMotionRow));
  motions->relations = g_array_new (FALSE, FALSE, sizeof (IfbamConstraintRow));
  motions->gyrations = g_array_new (FALSE, FALSE, sizeof (IfbamGyration));
  motions->circulations = g_array_new (FALSE, FALSE, sizeof (IfbamGyration));
  if (model->n_free == 0)
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK,
                            "the network has nothing with inertia that could swing "
                            "(want a mass, an inertia or a capacitor)");
  motions->model = model;
  motions->spec = spec;
  motions->links = linearize (model, spec, error);
  if (motions->links == NULL)
    return NULL;
  if (motions->links->first_not_finite < model->n_links)
    {
      g_autofree char *name = ifbam_model_link_name (model, motions->links->first_not_finite);

      return ifbam_fail_null (error, IFBAM_ERROR_NETWORK,
                              "%s: its law has no finite slope at this state", name);
    }
  motions->is_constrained = model->n_state_nodes > 0 || eliminates;
  if (model->unbatched_links->len > 0
      && !ifbam_add_unbatched_rows (motions, slopes, relations, error))
    return NULL;
  copy_derivatives (motions, slopes);
  if ((eliminates && most > 0 && !ifbam_add_massless_balances (motions, relations, error))
      || (most > 0 && !find_coordinates (motions, relations, most, error))
      || (eliminates && !has_inertia (motions, error)))
    return NULL;
  find_signs (motions);
  return g_steal_pointer (&motions);
}

IfbamSmallMotions *
ifbam_small_motions_new (const IfbamModel *model, const IfbamRunSpec *spec, GError **error)
{
  return make (model, spec, IFBAM_MAX_HELD, FALSE, error);
}

IfbamSmallMotions *
ifbam_small_motions_new_within (const IfbamModel *model, const IfbamRunSpec *spec, gsize most,
                                GError **error)
{
  return make (model, spec, most, FALSE, error);
}

IfbamSmallMotions *
ifbam_small_motions_new_with_massless (const IfbamModel *model, const IfbamRunSpec *spec,
                                       GError **error)
{
  return make (model, spec, IFBAM_MAX_HELD, TRUE, error);
}
