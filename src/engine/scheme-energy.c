/* scheme-energy.c: energy that a scheme itself brings into a network, per element and step
 *
 * In a step each node's momentum changes by the applied forces times the step; so the terms add up
 * to the rest of the energy balance for all laws of links.
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

/* Adds an energy of a sample to a term. */
static void
add_stored (const IfbamSchemeEnergy *self, guint32 term, double energy)
{
  self->closing[term] += energy;
  self->opening[term] -= energy;
}

/* Adds the loss of a power just before and just after a sample, by trapezoids. */
static void
add_power (const IfbamSchemeEnergy *self, guint32 term, double before, double after)
{
  self->closing[term] += 0.5 * self->engine->spec->step * before;
  self->opening[term] += 0.5 * self->engine->spec->step * after;
}

static void
add_batch (const IfbamSchemeEnergy *self, const IfbamBatch *batch)
{
  g_autofree double *energy = g_new0 (double, 2 * batch->count + 1);
  double *loss = energy + batch->count;

  if (!batch->law->storeless)
    ifbam_batch_compute (batch, batch->kernels->energy, 0, batch->count, self->position[1],
                         self->rate[1], energy);
  if (batch->law->lossy)
    ifbam_batch_compute (batch, batch->kernels->loss, 0, batch->count, self->position[1],
                         self->rate[1], loss);
  for (gsize i = 0; i < batch->count; i++) /* of gaps 0 */
    {
      add_stored (self, self->of_slot[batch->first_slot + i], energy[i]);
      add_power (self, self->of_slot[batch->first_slot + i], loss[i], loss[i]);
    }
}

/* A source may begin or end at the sample. */
static void
add_source (const IfbamSchemeEnergy *self, const IfbamView *view, gsize source)
{
  const guint32 term = self->of_slot[self->engine->model->n_slots + source];
  const gsize node = self->engine->model->source_node[source];
  double value, before;

  if (ifbam_model_is_field (self->engine->model, source))
    {
      ifbam_parameter_values_field_energy (view->numbers, source, &view->position[node], &value);
      add_stored (self, term, value);
      return;
    }
  ifbam_parameter_values_source (view->numbers, source,
                                 view->time - AT_ONCE * self->engine->spec->step, &before);
  ifbam_parameter_values_source (view->numbers, source, view->time, &value);
  add_power (self, term, -before * view->rate[node], -value * view->rate[node]);
}

static void
read_sample (IfbamSchemeEnergy *self)
{
  const IfbamModel *model = self->engine->model;
  const IfbamView view = ifbam_energy_balance_view (self->ledger, TRUE);
  IfbamSums sums;

  if (self->measured.name == NULL)
    ifbam_energy_balance_begin (self->ledger);
  else if (ifbam_energy_balance_integrates (self->ledger))
    ifbam_energy_balance_step (self->ledger, &view);
  sums = ifbam_energy_balance_sums (self->ledger, &view);
  self->balance = sums.kinetic + sums.potential + sums.dissipated - sums.supplied;
  self->time = view.time;
  memcpy (self->position[1], view.position, model->n_nodes * sizeof (double));
  memcpy (self->rate[1], view.rate, model->n_nodes * sizeof (double));
  memset (self->closing, 0, 2 * (model->elements->len + 1) * sizeof (double)); /* and opening */
  for (guint b = 0; b < model->batches->len; b++)
    add_batch (self, &g_array_index (model->batches, IfbamBatch, b));
  for (gsize i = 0; i < model->n_sources; i++)
    add_source (self, &view, i);
  for (gsize m = 0; m < view.numbers->n_moving; m++)
    {
      const gsize node = view.numbers->moving[m];
      double force;

      ifbam_view_force (&view, node, &force);
      add_power (self, self->of_node[node], force * view.rate[node], force * view.rate[node]);
    }
}

/* Adds factor times the forces of the coming step, for flip-flop schemes, or of the last one. */
static void
add_forces (const IfbamSchemeEnergy *self, double factor)
{
  const IfbamModel *model = self->engine->model;
  const gboolean latency = self->engine->spec->scheme->latency;
  g_autoptr (GArray) columns = latency ? ifbam_engine_list_state (self->engine, FALSE) : NULL;

  for (gsize i = 0; i < ifbam_model_n_forces (model) && !latency; i++)
    self->force[i] += factor * ((IfbamCompiledEngine *) self->engine)->columns.output[0][i];
  for (guint c = 0; latency && c < columns->len; c++)
    {
      const IfbamStateColumn *column = &g_array_index (columns, IfbamStateColumn, c);

      if (g_str_equal (column->name, "slot.flight"))
        memcpy (self->force, column->data, model->n_slots * sizeof (double));
      else if (g_str_equal (column->name, "source.flight"))
        memcpy (self->force + model->n_slots, column->data, model->n_sources * sizeof (double));
    }
}

/* Advances the engine by a step. The applied forces are under flip-flop schemes those under way,
 * under verlet the mean of the last two, else those that the step computes. */
static void
advance (IfbamSchemeEnergy *self)
{
  const IfbamScheme *scheme = self->engine->spec->scheme;
  const double old = ifbam_scheme_carried_acceleration (scheme) > 0 ? 0.5 : 0;

  memset (self->force, 0, ifbam_model_n_forces (self->engine->model) * sizeof (double));
  add_forces (self, old);
  ifbam_engine_advance (self->engine, 1, NULL);
  if (!scheme->latency)
    add_forces (self, 1 - old);
}

/* Adds the work of the forces on a node, and the term of a mass or given node. Returns FALSE if not
 * these forces alone changed the momentum, but an event in the step. */
static gboolean
add_node (IfbamSchemeEnergy *self, gsize node)
{
  const IfbamModel *model = self->engine->model;
  const double v = self->rate[0][node], w = self->rate[1][node];
  const double way = self->position[1][node] - self->position[0][node];
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
  const double balance = self->balance;
  double *const position = self->position[0], *const rate = self->rate[0];
  gboolean is_smooth = TRUE;

  self->position[0] = self->position[1], self->position[1] = position;
  self->rate[0] = self->rate[1], self->rate[1] = rate;
  for (guint e = 0; e < self->n; e++)
    self->term[e].step = self->opening[e];
  advance (self);
  read_sample (self);
  for (gsize node = 0; node < self->engine->model->n_nodes; node++)
    is_smooth = add_node (self, node) && is_smooth;
  self->sum.step = 0;
  for (guint e = 0; e < self->n; e++)
    {
      self->term[e].step = is_smooth ? self->term[e].step + self->closing[e] : 0;
      self->term[e].total += self->term[e].step;
      self->sum.step += self->term[e].step;
    }
  self->sum.total += self->sum.step;
  self->measured.step = self->balance - balance;
  self->measured.total = self->balance - self->balance_at_start;
  self->events.step = is_smooth ? 0 : self->measured.step;
  self->events.total += self->events.step;
  return isfinite (self->sum.total) && isfinite (self->measured.total);
}

void
ifbam_scheme_energy_loop (const IfbamSchemeEnergy *self, gsize slot, double *point)
{
  double rate;

  for (guint k = 0; k < 2; k++)
    {
      const IfbamView view = { .numbers = self->engine->numbers,
                               .position = self->position[k],
                               .rate = self->rate[k] };

      ifbam_view_delta (&view, slot, &point[k], &rate);
      ifbam_view_link (&view, slot, IFBAM_OUTPUT_FORCE, &point[3]);
    }
  point[2] = self->force[slot];
}

/* Creation */

/* Makes a term of each element; fixed nodes share the last one. */
static void
make_terms (IfbamSchemeEnergy *self)
{
  const IfbamModel *model = self->engine->model;
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);
  g_autofree guint32 *term_of = g_new0 (guint32, model->n_places); /* by ids of elements */
  gsize member;

  for (guint i = 0; i < model->elements->len; i++)
    {
      const IfbamElement *element = model->elements->pdata[i];
      const gboolean is_fixed =
          element->info->kind == IFBAM_KIND_GIVEN_NODE && element->info->fixed;

      term_of[element->id] = is_fixed ? model->elements->len : self->n;
      self->term[self->n] = (IfbamSchemeEnergyTerm){ .name = element->name, .slot = G_MAXSIZE };
      self->n += is_fixed ? 0 : 1;
    }
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

gboolean
ifbam_scheme_energy_applies (const IfbamModel *model, const IfbamRunSpec *spec)
{
  const IfbamScheme *scheme = spec->scheme;

  return model->unbatched_links->len == 0 && !(spec->tolerance > 0)
         && ifbam_scheme_tableau (scheme) == NULL && scheme->n_stages == 1
         && (scheme->latency || !ifbam_model_has_events (model));
}

IfbamSchemeEnergy *
ifbam_scheme_energy_new (IfbamEngine *engine)
{
  const IfbamModel *model = engine->model;
  const gsize n = model->n_nodes, n_terms = model->elements->len + 1;
  const gsize n_forces = ifbam_model_n_forces (model);
  IfbamSchemeEnergy *self = g_new0 (IfbamSchemeEnergy, 1);
  double *room = g_new0 (double, 4 * n + 2 * n_terms + n_forces);

  self->engine = engine;
  self->ledger = ifbam_energy_balance_new (engine, IFBAM_ACCOUNT_FULL, FALSE);
  self->closing = room;
  self->opening = room + n_terms;
  self->force = self->opening + n_terms;
  for (guint k = 0; k < 2; k++)
    {
      self->position[k] = self->force + n_forces + 2 * k * n;
      self->rate[k] = self->position[k] + n;
    }
  self->of_node = g_new0 (guint32, n + n_forces + 1);
  self->of_slot = self->of_node + n;
  self->term = g_new0 (IfbamSchemeEnergyTerm, n_terms);
  make_terms (self);
  ifbam_engine_start (engine);
  ifbam_engine_advance (engine, ifbam_engine_lookahead (engine->spec), NULL);
  read_sample (self);
  self->balance_at_start = self->balance;
  self->sum.name = "sum";
  self->events.name = "events";
  self->measured.name = "measured";
  return self;
}

void
ifbam_scheme_energy_free (IfbamSchemeEnergy *self)
{
  ifbam_energy_balance_free (self->ledger);
  ifbam_engine_free (self->engine);
  g_free (self->closing);
  g_free (self->of_node);
  g_free (self->term);
  g_free (self);
}
