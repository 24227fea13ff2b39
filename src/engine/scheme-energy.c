/* scheme-energy.c: energy that a scheme itself brings into a network, per element and step
 *
 * README.md derives the terms. In a step each node's momentum changes by the applied forces times
 * the step; so the terms add up to the rest of the energy balance for all laws of links.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/scheme-energy.h"

#include <math.h>
#include <string.h>

#include "engine/compiled-engine-internal.h"

/* Adds a kernel's results for the links of a batch to their terms. */
static void
add_links (const IfbamSchemeEnergy *self, const IfbamBatch *batch, IfbamLinkKernel kernel,
           double *sum)
{
  g_autofree double *result = g_new (double, batch->count + 1);

  ifbam_batch_compute (batch, kernel, 0, batch->count, self->now.position, self->now.rate, result);
  for (gsize i = 0; i < batch->count; i++) /* of gaps 0 */
    sum[self->of_slot[batch->first_slot + i]] += result[i];
}

static void
add_sources (const IfbamSchemeEnergy *self, const IfbamView *view)
{
  const IfbamModel *model = self->engine->model;

  for (gsize i = 0; i < model->n_sources; i++)
    {
      const guint32 term = self->of_slot[model->n_slots + i];
      const gsize node = model->source_node[i];
      double value;

      if (ifbam_model_is_field (model, i))
        {
          ifbam_parameter_values_field_energy (view->numbers, i, &view->position[node], &value);
          self->now.stored[term] += value;
          continue;
        }
      ifbam_parameter_values_source (view->numbers, i, view->time, &value);
      self->now.power[term] -= value * view->rate[node];
    }
}

static void
read_sample (IfbamSchemeEnergy *self, const IfbamView *view)
{
  const IfbamModel *model = self->engine->model;
  const IfbamSums sums = ifbam_energy_balance_sums (self->balance, view);
  const IfbamSchemeEnergySample *now = &self->now;

  memcpy (now->position, view->position, model->n_nodes * sizeof (double));
  memcpy (now->rate, view->rate, model->n_nodes * sizeof (double));
  memset (now->stored, 0, 2 * (self->n + 1) * sizeof (double)); /* and powers */
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      if (!batch->law->storeless)
        add_links (self, batch, batch->kernels->energy, now->stored);
      if (batch->law->lossy)
        add_links (self, batch, batch->kernels->loss, now->power);
    }
  add_sources (self, view);
  for (gsize m = 0; m < view->numbers->n_moving; m++)
    {
      const gsize node = view->numbers->moving[m];
      double force;

      ifbam_view_force (view, node, &force);
      now->power[self->of_node[node]] += force * now->rate[node];
    }
  self->time = view->time;
  self->balance_now = sums.kinetic + sums.potential + sums.dissipated - sums.supplied;
}

/* Advances the engine by a step and stores the forces that it applies: under flip-flop schemes those
 * under way, under verlet the mean of the last two, else those that the step computes. */
static void
advance (IfbamSchemeEnergy *self)
{
  const IfbamScheme *scheme = self->engine->spec->scheme;
  const IfbamColumns *columns = &((IfbamCompiledEngine *) self->engine)->columns;
  const gsize n = ifbam_model_n_forces (self->engine->model);
  const double old = scheme->latency ? 1 : ifbam_scheme_carried_acceleration (scheme) > 0 ? 0.5 : 0;

  memcpy (self->force, ifbam_columns_input_forces (columns, 0), n * sizeof (double));
  ifbam_engine_advance (self->engine, 1, NULL);
  for (gsize i = 0; i < n && old < 1; i++)
    self->force[i] = old * self->force[i] + (1 - old) * ifbam_columns_input_forces (columns, 0)[i];
}

/* Adds the work of the forces on a node, and the term of a mass or given node. */
static void
add_node (IfbamSchemeEnergy *self, gsize node)
{
  const IfbamModel *model = self->engine->model;
  const double v = self->before.rate[node], w = self->now.rate[node];
  const double way = self->now.position[node] - self->before.position[node];
  IfbamSchemeEnergyTerm *own = &self->term[self->of_node[node]];

  if (ifbam_model_is_state_node (model, node))
    return;
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    {
      const gsize slot = model->port[p] >> 1;
      const double work = ifbam_with_sign (self->force[slot], model->port[p]) * way;

      self->term[self->of_slot[slot]].step += work;
      own->step -= node < model->n_free ? 0 : work;
    }
  if (node < model->n_free)
    own->step += 0.5 * ifbam_model_inertia (model, node) * (w - v)
                 * (v + w - 2 * way / self->engine->spec->step);
}

gboolean
ifbam_scheme_energy_step (IfbamSchemeEnergy *self)
{
  const double half_step = 0.5 * self->engine->spec->step, last = self->balance_now;
  const IfbamSchemeEnergySample unused = self->before;
  IfbamView view;

  self->before = self->now;
  self->now = unused;
  advance (self);
  view = ifbam_energy_balance_view (self->balance, TRUE);
  ifbam_energy_balance_step (self->balance, &view);
  read_sample (self, &view);
  for (guint e = 0; e < self->n; e++)
    self->term[e].step = self->now.stored[e] - self->before.stored[e]
                         + half_step * (self->before.power[e] + self->now.power[e]);
  for (gsize node = 0; node < self->engine->model->n_nodes; node++)
    add_node (self, node);
  self->sum.step = self->sum.total = 0;
  for (guint e = 0; e < self->n; e++)
    {
      self->term[e].total += self->term[e].step;
      self->sum.step += self->term[e].step;
      self->sum.total += self->term[e].total;
    }
  self->measured.step = self->balance_now - last;
  self->measured.total = self->balance_now - self->at_start;
  return isfinite (self->sum.total) && isfinite (self->measured.total);
}

void
ifbam_scheme_energy_loop (const IfbamSchemeEnergy *self, gsize slot, double *point)
{
  const IfbamSchemeEnergySample *sample[] = { &self->before, &self->now };
  double rate;

  for (guint k = 0; k < 2; k++)
    {
      const IfbamView view = { .numbers = self->engine->numbers,
                               .position = sample[k]->position,
                               .rate = sample[k]->rate };

      ifbam_view_delta (&view, slot, &point[k], &rate);
      ifbam_view_link (&view, slot, IFBAM_OUTPUT_FORCE, &point[3]);
    }
  point[2] = self->force[slot];
}

/* Creation */

/* Makes a term of each element with links, sources, free or moving nodes. */
static void
make_terms (IfbamSchemeEnergy *self)
{
  const IfbamModel *model = self->engine->model;
  const IfbamParameterValues *numbers = self->engine->numbers;
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);
  g_autofree guint32 *term_of = g_new (guint32, model->n_places); /* by ids of elements */
  g_autofree gboolean *is_fixed = g_new (gboolean, model->n_places);
  gsize member;

  for (gsize e = 0; e < model->n_places; e++)
    is_fixed[e] = FALSE;
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    is_fixed[ifbam_model_node_span (model, i, &member)->element->id] = TRUE;
  for (gsize m = 0; m < numbers->n_moving; m++)
    is_fixed[ifbam_model_node_span (model, numbers->moving[m], &member)->element->id] = FALSE;
  self->term = g_new0 (IfbamSchemeEnergyTerm, model->elements->len + 1);
  for (guint i = 0; i < model->elements->len; i++)
    {
      const IfbamElement *element = model->elements->pdata[i];

      term_of[element->id] = self->n;
      self->term[self->n] = (IfbamSchemeEnergyTerm){ .name = element->name, .slot = G_MAXSIZE };
      self->n += is_fixed[element->id] ? 0 : 1;
    }
  for (gsize e = 0; e < model->n_places; e++)
    term_of[e] = is_fixed[e] ? self->n : term_of[e];
  for (gsize i = 0; i < model->n_nodes; i++)
    self->of_node[i] = term_of[ifbam_model_node_span (model, i, &member)->element->id];
  for (gsize i = 0; i < model->n_sources; i++)
    self->of_slot[model->n_slots + i] = term_of[ifbam_model_source_of (model, i)->element->id];
  while (ifbam_link_iter_next (&at))
    {
      const guint32 term = term_of[at.link->element->id];

      self->term[term].slot = MIN (self->term[term].slot, at.slot);
      for (guint e = 0; e < 2 + at.link->n_states; e++)
        self->of_slot[at.end_slot[e]] = term;
    }
}

static void
make_sample (const IfbamSchemeEnergy *self, IfbamSchemeEnergySample *sample)
{
  const gsize n = self->engine->model->n_nodes;

  sample->position = g_new0 (double, 2 * n + 2 * (self->n + 1));
  sample->rate = sample->position + n;
  sample->stored = sample->rate + n;
  sample->power = sample->stored + self->n + 1;
}

IfbamSchemeEnergy *
ifbam_scheme_energy_new (const IfbamModel *model, const IfbamRunSpec *spec, char **reason)
{
  const gsize n_forces = ifbam_model_n_forces (model);
  IfbamSchemeEnergy *self;
  IfbamView view;

  *reason =
      ifbam_model_has_events (model) || spec->tolerance > 0
          ? g_strdup ("the energy that a scheme brings is computed for fixed steps and networks "
                      "without contacts, switches, constraints and scheduled events")
      : ifbam_scheme_tableau (spec->scheme) != NULL || spec->scheme->n_stages > 1
          ? g_strdup_printf ("the energy that a scheme brings is computed for original, averaged, "
                             "euler, symplectic-euler and verlet, not for %s",
                             spec->scheme->name)
          : NULL;
  if (*reason != NULL)
    return NULL;
  self = g_new0 (IfbamSchemeEnergy, 1);
  self->engine = ifbam_compiled_engine_new (model, spec, 1);
  self->balance = ifbam_energy_balance_new (self->engine, IFBAM_ACCOUNT_FULL, FALSE);
  self->of_slot = g_new0 (guint32, n_forces + 1);
  self->of_node = g_new0 (guint32, model->n_nodes + 1);
  self->force = g_new0 (double, n_forces + 1);
  make_terms (self);
  self->sum.name = "sum";
  self->measured.name = "measured";
  make_sample (self, &self->before);
  make_sample (self, &self->now);
  ifbam_engine_start (self->engine);
  ifbam_engine_advance (self->engine, ifbam_engine_lookahead (spec), NULL);
  ifbam_energy_balance_begin (self->balance);
  view = ifbam_energy_balance_view (self->balance, TRUE);
  read_sample (self, &view);
  self->at_start = self->balance_now;
  return self;
}

void
ifbam_scheme_energy_free (IfbamSchemeEnergy *self)
{
  if (self == NULL)
    return;
  ifbam_energy_balance_free (self->balance);
  ifbam_engine_free (self->engine);
  g_free (self->of_slot);
  g_free (self->of_node);
  g_free (self->force);
  g_free (self->term);
  g_free (self->before.position);
  g_free (self->now.position);
  g_free (self);
}
