/* step-work.c: external work and losses in the steps of islands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/step-work.h"

#include "engine/engine.h"
#include "event/forces.h"
#include "event/constraint-reactions.h"
#include "event/event-engine-internal.h"
#include "event/event-links.h"

/* Returns the first slot of an index range of links; last: the end of its slots. */
static gsize
slot_of (const IfbamEventEngine *self, guint32 range, gboolean last)
{
  const IfbamIndexRange *links = ifbam_index_range (self, range);

  return g_array_index (self->base.model->batches, IfbamBatch, links->batch).first_slot
         + (last ? links->last : links->first);
}

#define FOR_SLOTS(slot, range)                                                                     \
  for (gsize slot = slot_of (self, range, FALSE), slot##_end = slot_of (self, range, TRUE);        \
       slot < slot##_end; slot++)

/* Adds weight times the powers of a component's sources and moving given nodes to `external_work`. */
static void
add_external_power (IfbamEventEngine *self, const IfbamComponent *component, const double *rate,
                    double weight, IfbamExternalWork *external_work)
{
  const IfbamModel *model = self->base.model;
  const GArray *rows = ifbam_island (self, component->island)->rows;
  const gboolean holds = rows != NULL && rows->len > 0;
  const gsize force_links = holds ? component->own : component->forces;
  const gsize n_force_links = holds ? component->n_own : component->n_forces;

  if (!component->has_external_work)
    return;
  IFBAM_FOR_LIST (source, component, sources)
  {
    if (!ifbam_model_is_field (model, *source))
      ifbam_external_work_add (external_work,
                               weight
                                   * (self->nodes.link_forces[model->n_slots + *source]
                                      * rate[model->source_node[*source]]));
  }
  for (gsize i = component->ports; i < component->ports + component->n_ports; i++)
    {
      const IfbamGivenPort *port = &g_array_index (self->components.ports, IfbamGivenPort, i);

      ifbam_external_work_add (
          external_work,
          weight * (-port->sign * self->nodes.link_forces[port->slot] * rate[port->node]));
    }
  for (gsize i = force_links; i < force_links + n_force_links; i++)
    {
      const IfbamLink *link = ifbam_link (self, ifbam_index_at (self, i));
      const IfbamLinkState *state = &self->links.state[ifbam_index_at (self, i)];
      const double force =
          holds && ifbam_link_is_active (self, ifbam_index_at (self, i)) ? state->reaction
          : ifbam_link_slip (self, ifbam_index_at (self, i)) != 0 ? state->force + state->reaction
                                                                  : state->force;

      for (guint e = 0; e < link->n_ports && force != 0; e++)
        if (link->node[e] >= model->n_free)
          ifbam_external_work_add (external_work,
                                   weight * (state->row[e] * force * rate[link->node[e]]));
    }
}

static double
link_loss (IfbamEventEngine *self, guint32 number, const double *x, const double *v)
{
  const IfbamLink *link = ifbam_link (self, number);
  double delta, row[IFBAM_MAX_PORTS], rate, room[IFBAM_MAX_LAW];

  rate = ifbam_link_measure (link, x, v, &delta, row);
  /* With its own force direction a link loses the power at all its ports; it may be < 0. */
  if (link->geometry->force_direction != NULL)
    {
      const double force =
          link->law->force (link->numbers, self->links.state[number].mode, delta, rate);
      double displacement = 0;

      for (guint e = 0; e < link->n_ports; e++)
        displacement += row[e] * v[link->node[e]];
      return force * displacement;
    }
  return (link->law->loss == NULL
              ? 0
              : link->law->loss (ifbam_link_parameters_at (
                                     link, x, v, ifbam_link_pressing_mode (self, link), room),
                                 self->links.state[number].mode, delta, rate))
         + (ifbam_link_slip (self, number) == 0 ? 0 : self->links.state[number].reaction * rate);
}

static void
component_loss (IfbamEventEngine *self, const IfbamComponent *component, const double *position,
                const double *rate)
{
  const IfbamModel *model = self->base.model;

  IFBAM_FOR_LIST (s, component, dissipative_ranges)
  {
    const IfbamIndexRange *range = ifbam_index_range (self, *s);
    const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, range->batch);
    IfbamLinkBatch arguments;

    ifbam_batch_arguments (batch, (const double *const *) batch->parameters, 0, position, rate,
                           &arguments);
    arguments.output = self->account.loss + batch->first_slot;
    batch->kernels->loss (&arguments, range->first, range->last);
  }
}

/* Returns whether losses are booked, and a component has frictions or dampers. */
static gboolean
books_losses (const IfbamEventEngine *self, const IfbamComponent *component)
{
  return self->account.pending_loss != NULL
         && component->n_dissipative_ranges + component->n_dissipative > 0;
}

void
ifbam_event_add_powers (IfbamEventEngine *self, guint32 island, const double *position,
                        const double *rate, double weight, gboolean first)
{
  const gboolean full = self->account.pending_loss != NULL;

  for (guint32 c = island == IFBAM_NONE ? 0 : ifbam_island (self, island)->first;
       c != IFBAM_NONE && c + 1 < self->components.list->len;
       c = island == IFBAM_NONE ? c + 1 : ifbam_component (self, c)->next)
    {
      const IfbamComponent *component = ifbam_component (self, c);
      IfbamIsland *own = ifbam_island (self, component->island);

      /* Components without external power add nothing; inactive ones are advanced elsewhere. */
      if (component->is_inactive
          || (!full && !component->has_external_work && !(first && c == own->first)))
        continue;
      if (first && c == own->first)
        own->pending = (IfbamExternalWork){ 0 };
      add_external_power (self, component, rate, weight, &own->pending);
      if (!books_losses (self, component))
        continue;
      component_loss (self, component, position, rate);
      IFBAM_FOR_LIST (s, component, dissipative_ranges)
      FOR_SLOTS (i, *s)
      self->account.pending_loss[i] =
          (first ? 0 : self->account.pending_loss[i]) + weight * self->account.loss[i];
      IFBAM_FOR_LIST (number, component, dissipative)
      {
        IfbamLinkState *state = &self->links.state[*number];

        state->pending =
            (first ? 0 : state->pending) + weight * link_loss (self, *number, position, rate);
      }
    }
}

/* Adds the work lost by a link [J] to a compensated sum; negative work also to account.brought. */
static void
add_loss (IfbamEventEngine *self, IfbamCompensatedSum *account, double work)
{
  ifbam_compensated_sum_add (account, work);
  if (work < 0 && self->account.has_active)
    ifbam_compensated_sum_add (&self->account.link_supply, -work);
}

static void
merge (IfbamCompensatedSum *tally, const IfbamCompensatedSum *other)
{
  ifbam_compensated_sum_add (tally, other->sum);
  ifbam_compensated_sum_add (tally, other->rest);
}

void
ifbam_event_book (IfbamEventEngine *self, guint32 island)
{
  for (guint32 c = island == IFBAM_NONE ? 0 : ifbam_island (self, island)->first;
       c != IFBAM_NONE && c + 1 < self->components.list->len;
       c = island == IFBAM_NONE ? c + 1 : ifbam_component (self, c)->next)
    {
      const IfbamComponent *component = ifbam_component (self, c);
      IfbamIsland *own = ifbam_island (self, component->island);

      if (c == own->first)
        {
          merge (&self->account.external.supplied, &own->pending.supplied);
          merge (&self->account.external.gross_work, &own->pending.gross_work);
          own->pending = (IfbamExternalWork){ 0 };
        }
      if (!books_losses (self, component))
        continue;
      IFBAM_FOR_LIST (s, component, dissipative_ranges)
      FOR_SLOTS (i, *s)
      {
        add_loss (self, &self->account.dissipated[i], self->account.pending_loss[i]);
        self->account.pending_loss[i] = 0;
      }
      IFBAM_FOR_LIST (number, component, dissipative)
      {
        IfbamLinkState *state = &self->links.state[*number];

        add_loss (self, &state->dissipated, state->pending);
        state->pending = 0;
      }
    }
}

/* Returns pending - *booked [J]; then stores pending as booked if `keeps`, else 0. */
static double
take_unbooked (double pending, double *booked, gboolean keeps)
{
  const double rest = pending - *booked;

  *booked = keeps ? pending : 0;
  return rest;
}

void
ifbam_event_book_remaining (IfbamEventEngine *self, guint32 island, const IfbamBooked *booked,
                            gboolean keeps)
{
  IfbamIsland *own = ifbam_island (self, island);
  IfbamCompensatedSum *pending[] = { &own->pending.supplied, &own->pending.gross_work };

  for (guint k = 0; k < G_N_ELEMENTS (pending); k++)
    {
      const double value = ifbam_compensated_sum_value (pending[k]);

      *pending[k] = (IfbamCompensatedSum){ 0 };
      ifbam_compensated_sum_add (
          pending[k], take_unbooked (value, &booked->external_work[k][own->first], keeps));
    }
  for (const IfbamComponent *component =
           self->account.pending_loss == NULL ? NULL : ifbam_first_component (self, island);
       component != NULL; component = ifbam_next_component (self, component))
    {
      IFBAM_FOR_LIST (s, component, dissipative_ranges)
      FOR_SLOTS (i, *s)
      self->account.pending_loss[i] =
          take_unbooked (self->account.pending_loss[i], &booked->loss[i], keeps);
      IFBAM_FOR_LIST (number, component, dissipative)
      self->links.state[*number].pending =
          take_unbooked (self->links.state[*number].pending, &booked->single[*number], keeps);
    }
  ifbam_event_book (self, island);
}

void
ifbam_event_cycle_work (IfbamEventEngine *self, gboolean begin)
{
  const IfbamRunSpec *spec = self->base.spec;
  const double half_step = 0.5 * spec->step;

  ifbam_event_forces (self, IFBAM_NONE, self->nodes.x, self->nodes.v, ifbam_event_time (self));
  ifbam_event_solve_all_reactions (self, IFBAM_NONE, self->nodes.x, self->nodes.v,
                                   ifbam_event_time (self));
  for (guint32 c = 0; c + 1 < self->components.list->len; c++)
    {
      const IfbamComponent *component = ifbam_component (self, c);
      const double trapezoid =
          begin || ifbam_island (self, component->island)->uses_restart ? 0 : half_step;
      IfbamExternalWork external_work = { 0 };
      double supply;

      if (component->is_inactive)
        continue;
      add_external_power (self, component, self->nodes.v, 1, &external_work);
      supply = ifbam_compensated_sum_value (&external_work.supplied);
      ifbam_compensated_sum_add (&self->account.external.supplied,
                                 trapezoid * (self->account.last_supply[c] + supply));
      ifbam_compensated_sum_add (&self->account.external.gross_work,
                                 2 * trapezoid
                                     * ifbam_compensated_sum_value (&external_work.gross_work));
      self->account.last_supply[c] = supply;
      if (!books_losses (self, component))
        continue;
      component_loss (self, component, self->nodes.x, self->nodes.v);
      IFBAM_FOR_LIST (s, component, dissipative_ranges)
      FOR_SLOTS (i, *s)
      {
        add_loss (self, &self->account.dissipated[i],
                  trapezoid * (self->account.last_loss[i] + self->account.loss[i]));
        self->account.last_loss[i] = self->account.loss[i];
      }
      IFBAM_FOR_LIST (number, component, dissipative)
      {
        IfbamLinkState *state = &self->links.state[*number];
        const double loss = link_loss (self, *number, self->nodes.x, self->nodes.v);

        add_loss (self, &state->dissipated, trapezoid * (state->last_loss + loss));
        state->last_loss = loss;
      }
    }
}

double
ifbam_event_link_stored (const IfbamEventEngine *self, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);
  double delta, row[IFBAM_MAX_PORTS], room[IFBAM_MAX_LAW];

  if (link->law->energy == NULL)
    return 0;
  ifbam_link_measure (link, self->nodes.x, self->nodes.v, &delta, row);
  return link->law->energy (ifbam_link_parameters_now (self, number, room),
                            self->links.state[number].mode, delta);
}

double
ifbam_event_island_stored (const IfbamEventEngine *self, guint32 island)
{
  IfbamExactSum sum;

  ifbam_exact_sum_clear (&sum);
  IFBAM_FOR_COMPONENTS (component, island)
  {
    for (gsize i = component->links; i < component->links + component->n_links; i++)
      {
        const IfbamIndexRange *links = ifbam_index_range (self, (guint32) i);

        ifbam_batch_add_energy (
            &g_array_index (self->base.model->batches, IfbamBatch, links->batch), links->first,
            links->last, self->nodes.x, self->nodes.v, self->base.spec->isa, &sum);
      }
    IFBAM_FOR_LIST (number, component, own)
    ifbam_exact_sum_add (&sum, ifbam_event_link_stored (self, *number));
  }
  return ifbam_exact_sum_round (&sum);
}

/* Links between given nodes */

/* Computes a link's stored energy [J] and dissipated power [W] at a time [s]. */
static void
compute_between_given (const IfbamEventEngine *self, gsize slot, double time, double *energy,
                       double *loss)
{
  static const guint32 left = 0, right = 1;
  gsize index;
  const IfbamBatch *batch = ifbam_model_batch (self->base.model, slot, &index);
  const IfbamMotion ends[] = { ifbam_event_motion_now (self, batch->left[index], time),
                               ifbam_event_motion_now (self, batch->right[index], time) };
  const double position[] = { ends[0].position, ends[1].position };
  const double rate[] = { ends[0].rate, ends[1].rate };
  const double *parameters[IFBAM_MAX_LAW];
  IfbamLinkBatch arguments;

  ifbam_batch_arguments (batch, parameters, 0, position, rate, &arguments);
  for (guint k = 0; k < batch->n_numbers; k++)
    parameters[k] = batch->parameters[k] + index;
  arguments.left = &left;
  arguments.right = &right;
  *energy = *loss = 0;
  arguments.output = energy;
  batch->kernels->energy (&arguments, 0, 1);
  arguments.output = loss;
  if (batch->law->lossy)
    batch->kernels->loss (&arguments, 0, 1);
}

void
ifbam_event_start_between_given (IfbamEventEngine *self)
{
  for (guint i = 0; i < self->account.between_given->len; i++)
    {
      IfbamBetweenGiven *between =
          &g_array_index (self->account.between_given, IfbamBetweenGiven, i);

      compute_between_given (self, between->slot, ifbam_event_time (self), &between->energy,
                             &between->loss);
    }
}

void
ifbam_event_book_between_given (IfbamEventEngine *self)
{
  const double time = ifbam_event_time (self), step = self->base.spec->step;

  for (guint i = 0; i < self->account.between_given->len && self->account.is_kept; i++)
    {
      IfbamBetweenGiven *between =
          &g_array_index (self->account.between_given, IfbamBetweenGiven, i);
      const IfbamBetweenGiven last = *between;
      double ignored, middle, lost;

      compute_between_given (self, between->slot, time - 0.5 * step, &ignored, &middle);
      compute_between_given (self, between->slot, time, &between->energy, &between->loss);
      lost = step / 6 * (last.loss + 4 * middle + between->loss);
      ifbam_external_work_add (&self->account.external, between->energy - last.energy + lost);
      if (self->account.dissipated != NULL)
        add_loss (self, &self->account.dissipated[between->slot], lost);
    }
}

/* ---- account */

static void
find_between_given (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;

  self->account.between_given = g_array_new (FALSE, FALSE, sizeof (IfbamBetweenGiven));
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (gsize i = 0; i < batch->count; i++)
        if (!ifbam_batch_is_gap (batch, i) && ifbam_batch_owner (batch, i) >= model->n_free)
          {
            const IfbamBetweenGiven between = { .slot = batch->first_slot + i };

            g_array_append_val (self->account.between_given, between);
          }
    }
}

void
ifbam_account_init (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;

  self->account.has_active = ifbam_model_has_active_links (model);
  self->account.loss = g_new0 (double, model->n_slots + model->n_sources + 1);
  self->account.last_supply = g_new0 (double, self->components.list->len + 1);
  find_between_given (self);
}

void
ifbam_account_clear (IfbamEnergyAccount *self)
{
  gpointer arrays[] = { self->loss, self->last_supply, self->pending_loss, self->dissipated,
                        self->last_loss };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_free (arrays[i]);
  g_array_unref (self->between_given);
}

void
ifbam_account_restart (IfbamEventEngine *engine)
{
  IfbamEnergyAccount *self = &engine->account;
  const gsize n_slots = engine->base.model->n_slots;

  self->external = (IfbamExternalWork){ 0 };
  self->lost = self->link_supply = (IfbamCompensatedSum){ 0 };
  self->is_kept = engine->base.account_level != IFBAM_ACCOUNT_NONE;
  if (engine->base.account_level != IFBAM_ACCOUNT_FULL)
    return;
  g_free (self->pending_loss);
  g_free (self->dissipated);
  g_free (self->last_loss);
  self->pending_loss = g_new0 (double, n_slots + 1);
  self->dissipated = g_new0 (IfbamCompensatedSum, n_slots + 1);
  self->last_loss = g_new0 (double, n_slots + 1);
}

static void
add_compensated_sum (IfbamExactSum *sum, const IfbamCompensatedSum *tally)
{
  ifbam_exact_sum_add (sum, tally->sum);
  ifbam_exact_sum_add (sum, tally->rest);
}

double
ifbam_account_dissipated (const IfbamEventEngine *self)
{
  const IfbamEnergyAccount *account = &self->account;
  const IfbamModel *model = self->base.model;
  IfbamExactSum dissipated;

  ifbam_exact_sum_clear (&dissipated);
  for (gsize i = 0; i < model->n_links && account->dissipated != NULL; i++)
    add_compensated_sum (&dissipated, &account->dissipated[model->link_slot[i]]);
  for (guint j = 0; j < model->unbatched_links->len; j++)
    add_compensated_sum (&dissipated, &self->links.state[j].dissipated);
  add_compensated_sum (&dissipated, &account->lost);
  return ifbam_exact_sum_round (&dissipated);
}
