/* equilibrium.c: equilibrium of a network under the forces at time 0
 *
 * Where stiffness and given nodes allow no rest, a steady state takes its place (steady-state.h).
 *
 * Newton's method on the forces, which are the gradient of the potential energy: K dx = f, with the
 * tangents of the laws (see linearization.h), and a search along dx (Armijo 1966; Nocedal & Wright
 * 2006, Numerical Optimization, 3). Where K does not support a part of the network, or is not
 * positive definite, inertia is added, less in each iteration (Kelley & Keyes 1998, "Convergence
 * analysis of pseudo-transient continuation"): an unsupported part moves until something stops it.
 *
 * Fixed constraints are satisfied in each trial: coordinates are projected along M^-1 J^T, and the
 * residual forces have no component along the rows (Rosen 1961, "The gradient projection method
 * II"). In steps the rows act as springs, and their reactions add stiffness as they turn. Others
 * are springs, corrected by their residuals (method of multipliers; Hestenes 1969, Powell 1969).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/equilibrium.h"

#include <math.h>

#include "base/fail.h"
#include "linear/balance-steps.h"
#include "linear/single-thread-blas.h"

#define fail(error, ...) ifbam_fail (error, IFBAM_ERROR_NETWORK, __VA_ARGS__)

#define MAX_CORRECTIONS 30
/* Tolerance of a constraint's spring, relative to its compression under the multiplier. */
#define SPRING_TOLERANCE 1e-13
/* Stiffness of a constraint's spring, relative to the laws beside it. */
#define SPRING_STIFFNESS_RATIO 100
/* Largest first compression of such a spring [m]. */
#define MAX_FIRST_COMPRESSION 0.01

static void
make_springs (IfbamBalance *balance, IfbamEquilibrium *equilibrium)
{
  const double weight =
      fmax (ifbam_largest_magnitude (balance->gross, balance->model->n_free), DBL_MIN);
  double most = ifbam_largest_magnitude (balance->stiff, balance->model->n_free);

  for (IfbamLinkIter at = ifbam_links (balance->model, IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    {
      const IfbamLink *link = at.link;
      IfbamConstraintSpring *spring = &balance->spring[at.number];
      double x[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, stiff = 0;
      IfbamConstraint relation;

      ifbam_balance_measure (balance, link, x, &delta, row);
      if (spring->fixed)
        continue;
      relation = link->law->constraint (link->numbers, link->law->mode (link->numbers, delta, 0.0));
      equilibrium->n_friction += relation.kind == IFBAM_CONSTRAINT_FRICTION;
      if (relation.kind == IFBAM_CONSTRAINT_NONE || relation.kind == IFBAM_CONSTRAINT_FRICTION)
        continue;
      for (guint e = 0; e < link->n_ports; e++)
        if (link->node[e] < balance->model->n_free)
          stiff = fmax (stiff, balance->stiff[link->node[e]]);
      *spring = (IfbamConstraintSpring){
        .holds = TRUE,
        .one_way = !ifbam_constraint_is_bilateral (relation.kind),
        .rest = relation.kind == IFBAM_CONSTRAINT_CONTACT ? relation.gap : delta,
        .stiffness = SPRING_STIFFNESS_RATIO * stiff + weight / MAX_FIRST_COMPRESSION
      };
      most = fmax (most, spring->stiffness);
    }
  /* Steps along the constraints are then longer than across by this factor. */
  for (guint i = 0; i < balance->fixed->len; i++)
    balance->spring[g_array_index (balance->fixed, guint32, i)].stiffness =
        SPRING_STIFFNESS_RATIO * most + weight / MAX_FIRST_COMPRESSION;
}

/* Finds the fixed constraints, and allocates their rows. */
static void
find_fixed (IfbamBalance *balance)
{
  const IfbamModel *model = balance->model;

  for (guint32 j = 0; j < model->unbatched_links->len; j++)
    {
      const IfbamLink *link = ifbam_unbatched_link (model, j);
      const IfbamConstraint relation = link->law->constraint (link->numbers, 0);

      if (relation.kind != IFBAM_CONSTRAINT_FIXED)
        continue;
      balance->spring[j] =
          (IfbamConstraintSpring){ .holds = TRUE, .fixed = TRUE, .rest = relation.gap };
      if (link->geometry->size != NULL)
        balance->reach = fmax (balance->reach, link->geometry->size (link->shape));
      g_array_append_val (balance->fixed, j);
    }
  balance->fixed_row = g_new (IfbamConstraintRow, balance->fixed->len + 1);
  balance->fixed_delta = g_new (double, balance->fixed->len + 1);
  balance->inverse_mass = g_new0 (double, model->n_nodes + 1);
  balance->node_scratch = g_new (guint32, model->n_nodes + 1);
  memcpy (balance->inverse_mass, model->inverse_inertia, model->n_free * sizeof (double));
  memset (balance->node_scratch, 0xff, (model->n_nodes + 1) * sizeof *balance->node_scratch);
}

/* Adds lever arms that no shape states, such as a gear ratio, to reach. */
static void
find_reach (IfbamBalance *balance)
{
  for (guint i = 0; i < balance->fixed->len; i++)
    {
      const IfbamConstraintRow *row = &balance->fixed_row[i];
      double most[2] = { 0, 0 };

      for (guint e = 0; e < row->n_ports; e++)
        if (row->node[e] < balance->model->n_free)
          most[ifbam_balance_turns (balance, row->node[e])] =
              fmax (most[ifbam_balance_turns (balance, row->node[e])], fabs (row->row[e]));
      if (most[FALSE] > 0)
        balance->reach = fmax (balance->reach, most[TRUE] / most[FALSE]);
    }
}

static void
clear_fixed (IfbamBalance *balance)
{
  ifbam_constraint_system_clear (&balance->system);
  g_array_unref (balance->fixed);
  g_free (balance->fixed_row);
  g_free (balance->fixed_delta);
  g_free (balance->inverse_mass);
  g_free (balance->node_scratch);
}

/* Sets the springs' multipliers to their forces. FALSE: they were exact. */
static gboolean
correct_springs (IfbamBalance *balance)
{
  const double far = balance->fixed->len > 0
                         ? IFBAM_PROJECTION_ROUNDINGS
                               * ifbam_largest_magnitude (balance->x, balance->model->n_free)
                         : 0;
  gboolean moved = FALSE;

  for (IfbamLinkIter at = ifbam_links (balance->model, IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    {
      IfbamConstraintSpring *spring = &balance->spring[at.number];
      double x[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, size = far;

      if (!spring->holds || spring->fixed)
        continue;
      ifbam_balance_measure (balance, at.link, x, &delta, row);
      for (guint e = 0; e < at.link->n_ports; e++)
        size = fmax (size, fabs (x[e]));
      spring->multiplier = ifbam_constraint_spring_force (spring, delta);
      moved |= spring->multiplier != 0
               && fabs (delta - spring->rest)
                      > IFBAM_FORCE_ROUNDING * fmax (size, fabs (spring->rest))
                            + SPRING_TOLERANCE * spring->multiplier / spring->stiffness;
    }
  return moved;
}

static gboolean
given_nodes_rest (const IfbamModel *model, GError **error)
{
  for (gsize node = model->n_free; node < model->n_nodes; node++)
    {
      const IfbamMotion motion = ifbam_model_given (model, node, 0.0);
      const IfbamDomainInfo *words = ifbam_domain_info (ifbam_model_node_domain (model, node));
      g_autofree char *name = NULL;

      if (fabs (motion.rate) <= 1e-12 * (1 + fabs (motion.position)))
        continue;
      name = ifbam_model_node_name (model, node);
      return fail (
          error,
          "there is no state of rest: the %s of %s is %.4g %s at time 0 (hold it, or let it "
          "start where it turns: a sine by a phase of 90 deg or -90 deg)",
          words->rate, name, motion.rate, words->rate_unit);
    }
  return TRUE;
}

/* The equilibrium is not unique if a law has states, or a controller a memory. */
static gboolean
is_unique (const IfbamModel *model, GError **error)
{
  const IfbamSpan *span;
  gsize member;

  if (ifbam_model_controller (model) != IFBAM_NO_NODE)
    return fail (error,
                 "%s controls forces or motions, and has a memory: run the network until it rests",
                 ifbam_unbatched_link (model, ifbam_model_controller (model))->name);
  /* In an equilibrium, forces by rates are 0. */
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    if (link->geometry->force_direction != NULL && link->law->force (link->numbers, 0, 1, 0) != 0)
      return fail (error,
                   "the force of %s follows the position of others, and is the slope of no "
                   "energy: run the network with dampers until it rests",
                   link->name);
  if (model->n_state_nodes == 0)
    return TRUE;
  span = ifbam_model_node_span (
      model, ifbam_model_free_node (model, ifbam_model_n_named_free (model)), &member);
  return fail (error,
               "%s has an internal state (%s), so that the equilibrium depends on the path to it: "
               "run the network with dampers until it rests",
               span->element->name, span->letter);
}

static gboolean
balance_network (IfbamBalance *balance, IfbamEquilibrium *equilibrium, GError **error)
{
  const IfbamModel *model = balance->model;

  for (gsize i = 0; i < model->n_sources; i++)
    if (model->source_node[i] < model->n_free)
      balance->source[model->source_node[i]] += ifbam_model_source (model, i, 0.0);
  find_fixed (balance);
  ifbam_balance_project (balance);
  ifbam_balance_evaluate (balance);
  find_reach (balance);
  ifbam_balance_list_rows (balance);
  make_springs (balance, equilibrium);
  for (guint correction = 0; correction < MAX_CORRECTIONS; correction++)
    if (!ifbam_balance_settle (balance, &equilibrium->iterations, error))
      return FALSE;
    else if (!correct_springs (balance))
      return TRUE;
  return ifbam_balance_report_failure (balance, error);
}

/* Returns whether a node of a circuit or of hydraulics starts with a voltage or a flow. These follow
 * from the sources, and the start only determines charges that nothing else does. */
static gboolean
starts_charged (const IfbamModel *model, const IfbamRunSpec *spec)
{
  for (gsize node = 0; node < model->n_free; node++)
    {
      const IfbamDomain domain = ifbam_model_node_domain (model, node);

      if ((domain == IFBAM_DOMAIN_ELECTRICITY || domain == IFBAM_DOMAIN_HYDRAULICS)
          && ifbam_start (model, spec, node).rate != 0)
        return TRUE;
    }
  return FALSE;
}

IfbamEquilibrium *
ifbam_equilibrium_new_within (const IfbamModel *model, const IfbamRunSpec *spec, guint most,
                              gboolean *unsupported, GError **error)
{
  g_autoptr (IfbamEquilibrium) equilibrium = g_new0 (IfbamEquilibrium, 1);
  g_autofree double *rate = NULL; /* the start's */
  G_GNUC_UNUSED g_auto (IfbamBlas) blas = ifbam_blas_begin ();
  const gsize n = model->n_free;
  IfbamBalance balance = { .model = model, .most = most };
  double **columns[] = { &balance.source, &balance.force,    &balance.gross,   &balance.stiff,
                         &balance.step,   &balance.rounding, &balance.farthest };
  gboolean fine;

  if (n == 0 && model->unbatched_links->len == 0)
    {
      fail (error, "the network has nothing with inertia that could come to rest (want a mass, an "
                   "inertia or a capacitor)");
      return NULL;
    }
  if (!given_nodes_rest (model, error) || !is_unique (model, error))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    *columns[i] = g_new0 (double, n + 1);
  balance.x = equilibrium->position = g_new0 (double, model->n_nodes + 1);
  rate = g_new (double, model->n_nodes + 1);
  balance.link_force = equilibrium->force = g_new0 (double, model->n_slots + 1);
  balance.spring = g_new0 (IfbamConstraintSpring, model->unbatched_links->len + 1);
  balance.rows = g_array_new (FALSE, FALSE, sizeof (IfbamMotionRow));
  balance.slopes = g_array_new (FALSE, FALSE, sizeof (double));
  balance.fixed = g_array_new (FALSE, FALSE, sizeof (guint32));
  ifbam_start_range (model, spec, 0, model->n_nodes, balance.x, rate);
  fine = n == 0 || balance_network (&balance, equilibrium, error);
  if (unsupported != NULL)
    *unsupported = balance.unsupported || balance.fixed->len > 0;
  equilibrium->reaction = g_new0 (double, model->unbatched_links->len + 1);
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_UNBATCHED); ifbam_link_iter_next (&at);)
    {
      double x[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta;

      ifbam_balance_measure (&balance, at.link, x, &delta, row);
      equilibrium->reaction[at.number] =
          ifbam_balance_link_force (at.link, ifbam_balance_spring (&balance, &at), delta);
    }
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_free (*columns[i]);
  g_free (balance.spring);
  clear_fixed (&balance);
  g_array_unref (balance.rows);
  g_array_unref (balance.slopes);
  return fine ? g_steal_pointer (&equilibrium) : NULL;
}

IfbamEquilibrium *
ifbam_equilibrium_new (const IfbamModel *model, const IfbamRunSpec *spec, GError **error)
{
  const gboolean possible = ifbam_steady_state_is_possible (model, spec) && is_unique (model, NULL);
  g_autoptr (GError) why = NULL;
  IfbamEquilibrium *found = NULL;
  gboolean unsupported = TRUE;

  if (!possible || !starts_charged (model, spec))
    found = ifbam_equilibrium_new_within (model, spec, IFBAM_MAX_BALANCE_ITERATIONS, &unsupported,
                                          &why);
  if (found == NULL && possible && unsupported)
    {
      /* If the sources allow rest, the force that is left over is the better advice. */
      const gboolean advises = why != NULL && given_nodes_rest (model, NULL);

      found = ifbam_steady_state_new (model, spec, advises ? NULL : error);
      if (!advises)
        return found;
    }
  if (found == NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  return found;
}
