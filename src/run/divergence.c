/* divergence.c: check that the energy of a run is plausible
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/divergence.h"

#include <math.h>

#include "base/fail.h"
#include "base/ifbam-error.h"
#include "base/number-text.h"
#include "model/model.h"

/* Energy above this multiple of the initial and supplied energy is due to the scheme. */
#define MAX_GROWTH 1e6
/* The same of energy that a scheme's announced growth adds, beside supply: sources' work grows as
 * the amplitude, energy as its square. */
#define MAX_ANNOUNCED_GROWTH 1e3
/* Rounding of positions changes the energy of fields by at most this fraction. */
#define FIELD_ROUNDING 1e-12

/* Energies of one run or lane */

void
ifbam_energy_scale_add_field (IfbamEnergyScale *scale, gboolean is_first, double energy)
{
  if (is_first)
    {
      scale->first_field = energy;
      /* A network at rest has meaningless energies of rounding. */
      scale->field_change = FIELD_ROUNDING * fabs (energy);
    }
  scale->field = energy;
  scale->field_change = fmax (scale->field_change, fabs (energy - scale->first_field));
}

gboolean
ifbam_energy_is_plausible (const IfbamEnergyScale *scale, double energy, double gross_work,
                           gboolean allow_divergence)
{
  /* A potential's zero is a convention, at least up to rounding. */
  const double known = fabs (scale->first) + gross_work + scale->field_change;

  return isfinite (energy) && (allow_divergence || known == 0 || energy <= MAX_GROWTH * known);
}

/* Work that the balance has to contain */

/* Returns TRUE if a contact rotates back and forth: its active steps take so long that a full
 * account of work adds little. */
static gboolean
has_rotating_contact (const IfbamModel *model)
{
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    if (link->geometry->circle != NULL && isfinite (link->geometry->circle (link->shape)))
      return TRUE;
  return FALSE;
}

gboolean
ifbam_divergence_needs_all_work (const IfbamModel *model, const IfbamRunSpec *spec)
{
  /* With several processes the engine books the work of active links. */
  return model->share == NULL
         && (ifbam_model_has_active_links (model) || has_rotating_contact (model)
             || !ifbam_model_resolves_courses (model, spec->step,
                                               (double) spec->last_step * spec->step));
}

/* One of several processes books its own active links only. */
static gboolean
has_partial_work (const IfbamDivergenceCheck *self)
{
  return self->model->share != NULL && ifbam_model_has_active_links (self->model);
}

/* A process without fields has to take part in sums over the other ones. */
static gboolean
has_fields (const IfbamModel *model)
{
  return model->share != NULL ? model->share->has_fields : model->n_fields > 0;
}

void
ifbam_divergence_add_fields (IfbamDivergenceCheck *self, guint64 step)
{
  IfbamView view;
  double energy;

  if (!has_fields (self->model))
    return;
  view = ifbam_energy_balance_view (self->balance, FALSE);
  ifbam_view_field_energy (&view, &energy);
  ifbam_energy_scale_add_field (&self->scale, step == 0, energy);
}

/* The check of a step */

/* Returns the energy neither there initially nor supplied [J]; 0 within the rounding of fields'
 * energies, the only energies of a heap at rest. */
static double
unexplained_energy (const IfbamDivergenceCheck *self, double energy, const IfbamWorkTotals *work)
{
  const IfbamEnergyScale *scale = &self->scale;
  const double excess = (energy - scale->first) + (scale->field - scale->first_field)
                        - (work->supplied - work->dissipated - self->first_booked);

  return fabs (excess) > FIELD_ROUNDING * (fabs (scale->field) + fabs (scale->first_field)) ? excess
                                                                                            : 0;
}

/* Returns TRUE if more energy than there ever was is unexplained. For networks with events only:
 * for others plausibility decides, as in lanes. Supply by pulses shorter than a step is not booked:
 * with any supply the excess has to keep growing. */
static gboolean
is_unexplained (IfbamDivergenceCheck *self, guint64 step, double excess, double known)
{
  const IfbamModel *model = self->model;
  const IfbamEngine *engine = self->balance->engine;
  const gboolean supplied = model->n_sources > model->n_fields || engine->numbers->n_moving > 0
                            || engine->books == IFBAM_BOOKS_EVENTS;
  const gboolean is_large = supplied && excess > MAX_ANNOUNCED_GROWTH * known;
  gboolean is_growing;

  if (self->options.expects_growth == NULL || self->options.allow_divergence
      || !ifbam_model_has_events (model) || known == 0 || !(excess > known)
      || !ifbam_divergence_is_due (self, step))
    return FALSE;
  if (supplied && self->first_excess == 0)
    self->first_excess = excess;
  is_growing = !supplied || excess > 4 * self->first_excess + known;
  if (!is_growing && !is_large)
    return FALSE;
  if (!self->asked)
    self->expects_growth = self->options.expects_growth (
        model, self->spec, (double) self->spec->last_step * self->spec->step);
  self->asked = TRUE;
  return self->expects_growth ? is_large : is_growing;
}

/* Returns TRUE if work of active links explains an implausible energy: at least half of its growth
 * since the last explanation (at first: the start) is in the balance. The next explanation is due
 * when the energy has doubled. So a run that grows as its equations do continues, a limit cycle may
 * sum up errors of its balance, and growth by an unstable scheme ends the run. Turnover would not
 * do: in an unstable scheme, cancelling amounts of work explode, too. */
static gboolean
is_explained (IfbamDivergenceCheck *self, double energy, double excess)
{
  const double growth = energy - self->explained_energy[0];

  if (!self->books_all || !isfinite (energy))
    return FALSE;
  if (energy < 2 * self->explained_energy[0])
    return TRUE;
  if (!(excess - self->explained_energy[1] <= 0.5 * growth))
    return FALSE;
  self->explained_energy[0] = energy;
  self->explained_energy[1] = excess;
  return TRUE;
}

static void
store_passed (IfbamDivergenceCheck *self, guint64 step, double energy, double excess,
              const IfbamWorkTotals *work)
{
  const IfbamEnergyScale *scale = &self->scale;
  const gboolean is_known =
      !has_partial_work (self)
      && ((excess > 0 && self->spec->tolerance == 0) || self->balance->level == IFBAM_ACCOUNT_FULL);

  self->last_energy = energy;
  self->last_step = step;
  if (ifbam_divergence_is_due (self, step) && step >= 2 * self->half_step[1])
    {
      self->half_step[0] = self->half_step[1];
      self->half_energy[0] = self->half_energy[1];
      self->half_step[1] = step;
      self->half_energy[1] = energy;
    }
  self->excess = is_known ? excess : 0;
  self->excess_of =
      fmax (fmax (fmax (fabs (scale->first), fabs (energy)), scale->field_change),
            fmax (fmax (fabs (work->supplied), work->link_supply), fabs (work->dissipated)));
  /* Given motions alone may take back all that they supplied: their gross work counts. */
  if (self->model->n_free == self->model->n_state_nodes)
    self->excess_of = fmax (self->excess_of, work->gross_work);
}

/* Returns the kinetic energy of a free node with its own inertia [J]; -1: none. */
static double
kinetic_energy_of (const IfbamModel *model, const IfbamView *view, gsize node)
{
  if (ifbam_model_is_state_node (model, node) || !ifbam_model_counts (model, node))
    return -1;
  return 0.5 * ifbam_model_inertia (model, node) * view->rate[node] * view->rate[node];
}

/* Stores the first node that is not finite, else that with the most kinetic energy. */
static void
find_worst_node (const IfbamModel *model, const IfbamView *view, IfbamDivergence *divergence)
{
  double most = -1;

  divergence->finite = TRUE;
  divergence->node = 0;
  for (gsize i = 0; i < model->n_free && divergence->finite; i++)
    {
      const double energy = kinetic_energy_of (model, view, i);

      divergence->finite = isfinite (view->position[i]) && isfinite (view->rate[i]);
      if (!divergence->finite || energy > most)
        divergence->node = i;
      most = fmax (most, energy);
    }
  if (model->share != NULL)
    divergence->name = model->share->find_worst (
        model->share, ifbam_model_node_name (model, divergence->node),
        model->share->place (model->share, divergence->node),
        kinetic_energy_of (model, view, divergence->node), &divergence->finite);
}

gboolean
ifbam_divergence_check (IfbamDivergenceCheck *self, guint64 step, double energy,
                        const IfbamWorkTotals *work, IfbamDivergence *divergence)
{
  IfbamEnergyScale *scale = &self->scale;
  /* With a tolerance, steps are accurate: no energy is unexplained. */
  const gboolean is_tolerated = self->spec->tolerance > 0;
  gboolean plausible, nothing;
  IfbamView view;
  double excess;

  if (step == 0)
    {
      /* Impacts at the start are booked in the first sample, which is after them. */
      scale->first = self->half_energy[1] = self->explained_energy[0] = energy;
      self->first_booked = work->supplied - work->dissipated;
    }
  excess = unexplained_energy (self, energy, work);
  plausible = ifbam_energy_is_plausible (scale, energy, work->gross_work,
                                         self->options.allow_divergence || is_tolerated)
              || is_explained (self, energy, excess);
  nothing = plausible && !is_tolerated && !has_partial_work (self)
            && is_unexplained (self, step, excess,
                               fabs (scale->first) + work->gross_work + work->link_supply
                                   + scale->field_change);
  if (plausible && !nothing)
    {
      store_passed (self, step, energy, excess, work);
      return TRUE;
    }
  g_free (divergence->name);
  *divergence = (IfbamDivergence){
    .step = step, .energy = energy, .excess = nothing ? excess : 0, .known = TRUE
  };
  view = ifbam_energy_balance_view (self->balance, TRUE);
  find_worst_node (self->model, &view, divergence);
  return FALSE;
}

double
ifbam_divergence_growth (const IfbamDivergenceCheck *self, guint64 step, double energy)
{
  return self->half_energy[0] > 0 && step > self->half_step[0]
             ? 0.5 * log (energy / self->half_energy[0])
                   / ((double) (step - self->half_step[0]) * self->spec->step)
             : NAN;
}

void
ifbam_divergence_list_state (IfbamDivergenceCheck *self, GArray *columns)
{
  ifbam_state_add_doubles (columns, "check.first-energy", &self->scale.first, 1);
  ifbam_state_add_doubles (columns, "check.half-energy", self->half_energy, 2);
  ifbam_state_add (columns, "check.half-step", IFBAM_STATE_WORDS, self->half_step,
                   sizeof self->half_step, 1, 4);
  if (ifbam_model_has_events (self->model))
    ifbam_state_add_doubles (columns, "check.first-rest", &self->first_excess, 1);
  if (self->books_all)
    ifbam_state_add_doubles (columns, "check.known-energy", self->explained_energy, 2);
  if (has_fields (self->model))
    {
      ifbam_state_add_doubles (columns, "check.first-field", &self->scale.first_field, 1);
      ifbam_state_add_doubles (columns, "check.fallen", &self->scale.field_change, 1);
    }
}

/* The message */

void
ifbam_divergence_set_error (const IfbamDivergenceCheck *self, const IfbamDivergence *divergence,
                            double growth, GError **error)
{
  const IfbamRunSpec *spec = self->spec;
  const double duration = (double) spec->last_step * spec->step;
  g_autofree char *advice =
      self->options.advise != NULL ? self->options.advise (self->model, spec, duration) : NULL;
  g_autofree char *name = divergence->name != NULL
                              ? g_strdup (divergence->name)
                              : ifbam_model_node_name (self->model, divergence->node);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "the run diverged %s t = %g s (step %" G_GUINT64_FORMAT "): ",
                          divergence->known ? "at" : "soon after",
                          (double) divergence->step * spec->step, divergence->step);
  if (!divergence->finite)
    g_string_append_printf (text, "\"%s\" is not finite any more", name);
  else if (!isfinite (divergence->energy))
    g_string_append_printf (text, "the energy is not finite any more, most of it at \"%s\"", name);
  else if (divergence->excess > 0)
    g_string_append_printf (
        text, "%.3g J appeared, more than the initial and supplied energy, most of it at \"%s\"",
        divergence->excess, name);
  else
    g_string_append_printf (text,
                            "the energy is over 10^6 times the initial and supplied one, most "
                            "of it at \"%s\"",
                            name);
  if (isfinite (growth) && growth > 0)
    g_string_append_printf (text, "; amplitudes grow by %.3g per second", growth);
  g_string_append_printf (text, "; scheme %s with a step of %s s", spec->scheme->name,
                          IFBAM_NUMBER (spec->step));
  if (advice != NULL)
    g_string_append_printf (text, ". %s", advice);
  if (self->options.keeps_rows)
    g_string_append (text, "; the rows before are kept");
  g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED, text->str);
}
