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

/* Relative difference of momenta up to which no event changed them. */
#define EQUAL_MOMENTUM 1e-6
/* Time between both sides of a source's discontinuity [steps]. */
#define AT_ONCE 1e-8

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

/* Adds the energies of fields, and the powers of sources just before and after the sample: a source
 * may begin or end there. */
static void
add_sources (const IfbamSchemeEnergy *self, const IfbamView *view)
{
  const IfbamModel *model = self->engine->model;
  const double sides[] = { view->time - AT_ONCE * self->engine->spec->step, view->time };
  double *const powers[] = { self->now.power_before, self->now.power };

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
      for (guint side = 0; side < 2; side++)
        {
          ifbam_parameter_values_source (view->numbers, i, sides[side], &value);
          powers[side][term] -= value * view->rate[node];
        }
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
  memset (now->stored, 0, 3 * (self->n + 1) * sizeof (double)); /* and powers */
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      if (!batch->law->storeless)
        add_links (self, batch, batch->kernels->energy, now->stored);
      if (batch->law->lossy)
        add_links (self, batch, batch->kernels->loss, now->power);
    }
  for (gsize m = 0; m < view->numbers->n_moving; m++)
    {
      const gsize node = view->numbers->moving[m];
      double force;

      ifbam_view_force (view, node, &force);
      now->power[self->of_node[node]] += force * now->rate[node];
    }
  memcpy (now->power_before, now->power, (self->n + 1) * sizeof (double));
  add_sources (self, view);
  self->time = view->time;
  self->balance_now = sums.kinetic + sums.potential + sums.dissipated - sums.supplied;
}

/* Stores the forces of the coming step, for flip-flop schemes, or of the last one. */
static void
read_force (const IfbamSchemeEnergy *self, double *force)
{
  const IfbamModel *model = self->engine->model;
  g_autoptr (GArray) columns = NULL;

  if (!self->engine->spec->scheme->latency)
    {
      memcpy (force, ((IfbamCompiledEngine *) self->engine)->columns.output[0],
              ifbam_model_n_forces (model) * sizeof (double));
      return;
    }
  columns = ifbam_engine_list_state (self->engine, FALSE);
  for (guint i = 0; i < columns->len; i++)
    {
      const IfbamStateColumn *column = &g_array_index (columns, IfbamStateColumn, i);

      if (g_str_equal (column->name, "slot.flight"))
        memcpy (force, column->data, model->n_slots * sizeof (double));
      else if (g_str_equal (column->name, "source.flight"))
        memcpy (force + model->n_slots, column->data, model->n_sources * sizeof (double));
    }
}

/* Advances the engine by a step and stores the forces that it applies: under flip-flop schemes those
 * under way, under verlet the mean of the last two, else those that the step computes. */
static void
advance (IfbamSchemeEnergy *self)
{
  const IfbamScheme *scheme = self->engine->spec->scheme;
  const double old = ifbam_scheme_carried_acceleration (scheme) > 0 ? 0.5 : 0;
  const gsize n = ifbam_model_n_forces (self->engine->model);
  g_autofree double *force = g_new0 (double, n + 1);

  read_force (self, self->force);
  ifbam_engine_advance (self->engine, 1, NULL);
  if (scheme->latency)
    return;
  read_force (self, force);
  for (gsize i = 0; i < n; i++)
    self->force[i] = old * self->force[i] + (1 - old) * force[i];
}

/* Adds the work of the forces on a node, and the term of a mass or given node. Returns FALSE if not
 * these forces alone changed the momentum, but an event in the step. */
static gboolean
add_node (IfbamSchemeEnergy *self, gsize node)
{
  const IfbamModel *model = self->engine->model;
  const double v = self->before.rate[node], w = self->now.rate[node];
  const double way = self->now.position[node] - self->before.position[node];
  const double step = self->engine->spec->step;
  IfbamSchemeEnergyTerm *own = &self->term[self->of_node[node]];
  double inertia, impulse = 0, size = 0;

  if (ifbam_model_is_state_node (model, node))
    return TRUE;
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    {
      const gsize slot = model->port[p] >> 1;
      const double force = ifbam_with_sign (self->force[slot], model->port[p]);

      self->term[self->of_slot[slot]].step += force * way;
      own->step -= node < model->n_free ? 0 : force * way;
      impulse += step * force;
      size += fabs (step * force);
    }
  if (node >= model->n_free)
    return TRUE;
  inertia = ifbam_model_inertia (model, node);
  own->step += 0.5 * inertia * (w - v) * (v + w - 2 * way / step);
  return fabs (inertia * (w - v) - impulse)
         <= EQUAL_MOMENTUM * (size + inertia * (fabs (v) + fabs (w)));
}

gboolean
ifbam_scheme_energy_step (IfbamSchemeEnergy *self)
{
  const double half_step = 0.5 * self->engine->spec->step, last = self->balance_now;
  const IfbamSchemeEnergySample unused = self->before;
  gboolean is_smooth = TRUE;
  IfbamView view;

  self->before = self->now;
  self->now = unused;
  advance (self);
  view = ifbam_energy_balance_view (self->balance, TRUE);
  if (ifbam_energy_balance_integrates (self->balance))
    ifbam_energy_balance_step (self->balance, &view);
  read_sample (self, &view);
  for (guint e = 0; e < self->n; e++)
    self->term[e].step = self->now.stored[e] - self->before.stored[e]
                         + half_step * (self->before.power[e] + self->now.power_before[e]);
  for (gsize node = 0; node < self->engine->model->n_nodes; node++)
    is_smooth = add_node (self, node) && is_smooth;
  self->sum.step = self->sum.total = 0;
  for (guint e = 0; e < self->n; e++)
    {
      self->term[e].step = is_smooth ? self->term[e].step : 0;
      self->term[e].total += self->term[e].step;
      self->sum.step += self->term[e].step;
      self->sum.total += self->term[e].total;
    }
  self->measured.step = self->balance_now - last;
  self->measured.total = self->balance_now - self->at_start;
  self->events.step = is_smooth ? 0 : self->measured.step;
  self->events.total += self->events.step;
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

  sample->position = g_new0 (double, 2 * n + 3 * (self->n + 1));
  sample->rate = sample->position + n;
  sample->stored = sample->rate + n;
  sample->power = sample->stored + self->n + 1;
  sample->power_before = sample->power + self->n + 1;
}

char *
ifbam_scheme_energy_fault (const IfbamModel *model, const IfbamRunSpec *spec)
{
  if (model->unbatched_links->len > 0 || spec->tolerance > 0)
    return g_strdup ("the energy that a scheme brings is computed for fixed steps and networks "
                     "without contacts, switches, constraints and mechanisms");
  if (ifbam_scheme_tableau (spec->scheme) != NULL || spec->scheme->n_stages > 1)
    return g_strdup_printf ("the energy that a scheme brings is computed for original, averaged, "
                            "euler, symplectic-euler and verlet, not for %s",
                            spec->scheme->name);
  if (ifbam_model_has_events (model) && !spec->scheme->latency)
    return g_strdup ("the energy that a scheme brings is computed for networks with scheduled "
                     "events under original and averaged only");
  return NULL;
}

IfbamSchemeEnergy *
ifbam_scheme_energy_new (IfbamEngine *engine)
{
  const IfbamModel *model = engine->model;
  const gsize n_forces = ifbam_model_n_forces (model);
  IfbamSchemeEnergy *self = g_new0 (IfbamSchemeEnergy, 1);
  IfbamView view;

  self->engine = engine;
  self->balance = ifbam_energy_balance_new (self->engine, IFBAM_ACCOUNT_FULL, FALSE);
  self->of_slot = g_new0 (guint32, n_forces + 1);
  self->of_node = g_new0 (guint32, model->n_nodes + 1);
  self->force = g_new0 (double, n_forces + 1);
  make_terms (self);
  self->sum.name = "sum";
  self->events.name = "events";
  self->measured.name = "measured";
  make_sample (self, &self->before);
  make_sample (self, &self->now);
  ifbam_engine_start (self->engine);
  ifbam_engine_advance (self->engine, ifbam_engine_lookahead (engine->spec), NULL);
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
