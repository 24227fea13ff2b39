/* steady-state.c: steady state of a network, such as the operating point of a circuit
 *
 * Implicit Euler's steps with lengths that grow to far beyond the slowest decay, under constant
 * sources (pseudo-transient continuation: Kelley & Keyes 1998). They preserve the charge of nodes
 * that nothing supports, and the event engine finds the modes of diodes and contacts. Then
 * steps that shrink: in a step of length h the compression of a coil or spring has the rounding
 * error of h times a rate, and the shorter steps remove it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/steady-state.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/ifbam-error.h"
#include "event/event.h"
#include "linear/linearization.h"
#include "model/model.h"

#define STEPS_PER_LENGTH 3
#define LENGTH_RATIO     4
#define MAX_LENGTH       0x1p60 /* [lengths of the run's step] */
#define MIN_LENGTH       0x1p-10
#define MIN_FINAL_LENGTH 0x1p20 /* if a step of the next length fails */
#define MAX_WORK         200000 /* evaluations of a node in the steps of a length */
#define DEFAULT_STEP     1e-6   /* if the run's step is automatic [s] */
/* While a step changes a rate by more than this part, lengths do not grow, so that the search
 * follows an unstable state to a stable one; in an oscillation at most so many times. */
#define MAX_CHANGE   0.1
#define MAX_REPEATED 60
#define MAX_FAILED   8 /* lengths at which the engine fails */
/* Largest relative change of the rates in a step: at which no longer steps are tried, and at which
 * the longest step has converged. */
#define CONVERGED 1e-14
#define STEADY    1e-6
/* Largest rate of a coil or spring [of the domain's largest rate]. */
#define MAX_LOADING 1e-9
/* Least scale of a domain's rates [of the largest ones so far]. */
#define FORGOTTEN 1e-6

typedef struct
{
  IfbamModel model; /* without scheduled events */
  IfbamRunSpec spec;
  double *position, *rate; /* of the last step's end (n_nodes) */
  double *before;          /* rates one step earlier (n_nodes) */
  double *scratch;         /* (n_nodes) */
  double elapsed;          /* time since the positions were those of time 0 [s] */
  guint n_steps;
  double *reaction; /* force of law and reaction of unbatched links (n_links) */
  /* Scales of rates, and largest rates so far, by domain. */
  double size[IFBAM_N_DOMAINS + 1], largest[IFBAM_N_DOMAINS + 1];
  double change;  /* largest relative change of a rate in the last step */
  gsize changing; /* its node */
  char *failure;  /* message of the engine that failed; NULL: none */
} Search;

/* Returns whether a given node has a constant rate in a run's first steps. step: [s]. */
static gboolean
is_uniform (const IfbamModel *model, gsize node, double step)
{
  static const double ahead[] = { 0.7, 10.3, 317.9 }; /* not whole periods of a sine [steps] */
  const double rate = ifbam_model_given (model, node, 0.0).rate;

  for (guint k = 0; k < G_N_ELEMENTS (ahead); k++)
    if (fabs (ifbam_model_given (model, node, ahead[k] * step).rate - rate) > STEADY * fabs (rate))
      return FALSE;
  return TRUE;
}

/* Returns the run's step, or one to begin with [s]. */
static double
step_of (const IfbamRunSpec *spec)
{
  return !isfinite (spec->step) ? DEFAULT_STEP : spec->tolerance > 0 ? spec->first : spec->step;
}

gboolean
ifbam_steady_state_is_possible (const IfbamModel *model, const IfbamRunSpec *spec)
{
  for (gsize node = model->n_free; node < model->n_nodes; node++)
    if (ifbam_model_node_domain (model, node) != IFBAM_DOMAIN_ELECTRICITY
        && !is_uniform (model, node, step_of (spec)))
      return FALSE;
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED | IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    if (at.link->geometry->velocity_term != NULL || at.link->geometry->turning != NULL)
      return FALSE;
  return model->n_free > 0;
}

/* Finds the scales of the rates, and the largest change of a rate in the last step. A scale far below
 * the largest rate of earlier steps would be rounding. */
static void
find_change (Search *search)
{
  const IfbamModel *model = &search->model;

  for (IfbamDomain d = 0; d <= IFBAM_N_DOMAINS; d++)
    search->size[d] = fmax (FORGOTTEN * search->largest[d], DBL_MIN);
  for (gsize i = 0; i < model->n_nodes; i++)
    {
      const IfbamDomain d = ifbam_model_node_domain (model, i);
      const double own = fmax (fabs (search->before[i]), fabs (search->rate[i]));

      search->size[d] = fmax (search->size[d], own);
      search->largest[d] = fmax (search->largest[d], own);
    }
  search->change = 0;
  for (gsize i = 0; i < model->n_free; i++)
    {
      const double by = fabs (search->rate[i] - search->before[i]);
      const double relative = by / search->size[ifbam_model_node_domain (model, i)];

      if (!(relative <= search->change))
        {
          search->change = relative;
          search->changing = i;
        }
    }
}

/* Interrupt check: counts down the work of a length. */
static gboolean
may_go_on (gpointer data)
{
  gsize *left = data;

  return *left > 0 && --*left > 0;
}

/* Advances by steps of a length [s]. FALSE: the engine failed; the state is unchanged. */
static gboolean
advance (Search *search, double length)
{
  const IfbamModel *model = &search->model;
  g_autoptr (IfbamEngine) engine = NULL;
  gsize left = MAX_WORK * (model->n_nodes + 1) / IFBAM_WORK_BETWEEN_CHECKS + 2;

  search->spec.step = length;
  search->spec.start_position = search->position;
  search->spec.start_rate = search->rate;
  engine = ifbam_event_engine_new (model, &search->spec, FALSE);
  engine->interrupt.may_continue = may_go_on;
  engine->interrupt.data = &left;
  ifbam_engine_start (engine);
  if (engine->log->failure == NULL && ifbam_engine_advance (engine, STEPS_PER_LENGTH - 1, NULL))
    {
      ifbam_engine_get_nodes (engine, 0, model->n_nodes, search->scratch, search->before);
      if (ifbam_engine_advance (engine, 1, NULL))
        {
          /* before the positions change, which are those at which given nodes start */
          for (guint32 j = 0; j < model->unbatched_links->len; j++)
            search->reaction[j] = ifbam_engine_get (engine, IFBAM_LINK_FORCE, j);
          ifbam_engine_get_nodes (engine, 0, model->n_nodes, search->position, search->rate);
        }
    }
  g_free (search->failure);
  search->failure =
      left > 0 ? g_strdup (engine->log->failure) : g_strdup ("too many events in a step");
  if (search->failure != NULL)
    return FALSE;
  search->elapsed += STEPS_PER_LENGTH * length;
  search->n_steps += STEPS_PER_LENGTH;
  find_change (search);
  return TRUE;
}

/* Subtracts the motion at the present rates from the positions, so that given nodes have those of
 * time 0 again. */
static void
subtract_motion (Search *search)
{
  const IfbamModel *model = &search->model;

  for (gsize i = 0; i < model->n_free; i++)
    search->position[i] -= search->elapsed * search->rate[i];
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    search->position[i] = ifbam_model_given (model, i, 0.0).position;
  search->elapsed = 0;
}

/* Returns the name of the first link with a force that changes, as its compression does at a rate that
 * is not rounding (transfer full); NULL: none. */
static char *
find_loading (const Search *search)
{
  for (IfbamLinkIter at = ifbam_links (&search->model, IFBAM_LINKS_BATCHED | IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    {
      const IfbamLink *link = at.link;
      double delta, row[IFBAM_MAX_PORTS], room[IFBAM_MAX_LAW], size = 0;
      const double rate = ifbam_link_measure (link, search->position, search->rate, &delta, row);
      const void *law =
          ifbam_link_parameters_at (link, search->position, search->rate, IFBAM_ANY_MODE, room);

      for (guint e = 0; e < link->n_ports; e++)
        size = fmax (size, search->size[ifbam_model_node_domain (&search->model, link->node[e])]);
      if (link->law->force != NULL && fabs (rate) > fmax (MAX_LOADING, 100 * search->change) * size
          && ifbam_link_differentiate (link, law, 0, delta, rate).stiffness != 0)
        return ifbam_link_iter_name (&at);
    }
  return NULL;
}

/* Fails. loading: name of a link with a force that changes; NULL: names the node that moves on. */
static gboolean
fail_unsteady (const Search *search, const char *loading, GError **error)
{
  const IfbamDomain domain = ifbam_model_node_domain (&search->model, search->changing);
  g_autofree char *name = ifbam_model_node_name (&search->model, search->changing);

  return ifbam_fail (
      error, IFBAM_ERROR_NETWORK,
      "there is no steady state: the %s of %s goes on changing (a link in series or to "
      "a node that is held, such as a resistor or a damper, would limit it)",
      loading != NULL ? "force" : ifbam_domain_info (domain)->rate,
      loading != NULL ? loading : name);
}

static gboolean
search_steady (Search *search, double step, GError **error)
{
  double length = MIN_LENGTH * step;
  guint still = 0, repeated = 0, failed = 0;
  g_autofree char *loading = NULL;

  while (length <= MAX_LENGTH * step && still < 2 && failed < MAX_FAILED)
    {
      if (!advance (search, length))
        {
          failed++;
          length *= LENGTH_RATIO;
          continue;
        }
      still =
          search->change <= CONVERGED && length >= step && (loading = find_loading (search)) == NULL
              ? still + 1
              : 0;
      g_clear_pointer (&loading, g_free);
      if (search->change <= MAX_CHANGE || repeated++ >= MAX_REPEATED)
        length *= LENGTH_RATIO;
    }
  if (search->failure != NULL && !(length >= MIN_FINAL_LENGTH * step))
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "no steady state was found: %s",
                       search->failure);
  for (subtract_motion (search); length >= step && search->change <= STEADY; length /= LENGTH_RATIO)
    if (advance (search, length))
      subtract_motion (search);
  if ((loading = find_loading (search)) != NULL || !(search->change <= STEADY))
    return fail_unsteady (search, search->change <= STEADY ? loading : NULL, error);
  return TRUE;
}

IfbamEquilibrium *
ifbam_steady_state_new (const IfbamModel *model, const IfbamRunSpec *spec, GError **error)
{
  g_autoptr (IfbamEquilibrium) found = g_new0 (IfbamEquilibrium, 1);
  g_autoptr (IfbamLinearization) links = NULL;
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
  g_autofree double *before = g_new0 (double, model->n_nodes + 1);
  g_autofree double *scratch = g_new0 (double, model->n_nodes + 1);
  Search search = { .model = *model,
                    .spec = { .scheme = ifbam_scheme_by_name ("implicit-euler"),
                              .isa = spec->isa,
                              .steady = TRUE,
                              .stride = 1,
                              .last_step = STEPS_PER_LENGTH,
                              .up_to = INFINITY },
                    .before = before,
                    .scratch = scratch };
  gboolean steady;

  search.model.time_events = search.model.recurrent = none;
  search.position = found->position = g_new0 (double, model->n_nodes + 1);
  search.rate = found->rate = g_new0 (double, model->n_nodes + 1);
  search.reaction = found->reaction = g_new0 (double, model->unbatched_links->len + 1);
  ifbam_start_range (model, spec, 0, model->n_nodes, search.position, search.rate);
  steady = search_steady (&search, step_of (spec), error);
  found->iterations = search.n_steps;
  g_free (search.failure);
  if (!steady)
    return NULL;
  links = ifbam_linearization_new (model, spec, found->position, found->rate);
  found->force = g_steal_pointer (&links->force);
  return g_steal_pointer (&found);
}

void
ifbam_equilibrium_free (IfbamEquilibrium *equilibrium)
{
  if (equilibrium == NULL)
    return;
  g_free (equilibrium->position);
  g_free (equilibrium->rate);
  g_free (equilibrium->force);
  g_free (equilibrium->reaction);
  g_free (equilibrium);
}
