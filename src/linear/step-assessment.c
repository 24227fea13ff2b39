/* step-assessment.c: assessment of a scheme and step for a network, and advised steps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/step-assessment.h"

#include <math.h>

#include "event/event.h"
#include "linear/scheme-growth.h"
#include "engine/engine.h"

/* A step that needs more steps in the run is never advised. */
#define MAX_ADVISED_STEPS 1e12

/* Returns FALSE if bounds rule out visible growth by the scheme. */
static gboolean
is_open (double bound, double damping, const IfbamScheme *scheme, double step, double duration)
{
  return ifbam_scheme_growth (scheme, bound * step) / step * duration >= IFBAM_VISIBLE_GROWTH
         || damping * step > 0.1;
}

/* TRUE if a growth rate [1/s] is visible within a duration, besides the network's own. */
static gboolean
growth_is_visible (double rate, double own, double duration)
{
  return rate * duration >= IFBAM_VISIBLE_GROWTH && rate >= 1.01 * own;
}

/* Returns the growth that a scheme adds to the whole network in a state [1/s]. */
static double
state_growth (const IfbamActiveMode *one, const IfbamScheme *scheme, double step, double lasts)
{
  IfbamStability *state = one->state;
  IfbamGrowth growth;

  if (state == NULL || !is_open (state->bound, state->damping, scheme, step, lasts)
      || !ifbam_stability_find_state (state))
    return 0;
  growth = ifbam_stability_growth (state, scheme, step);
  return growth.rate >= 1.01 * state->own_growth ? growth.rate : 0;
}

static double
growth_in_state (const IfbamActiveMode *one, const IfbamScheme *scheme, double step,
                 double duration)
{
  return fmax (ifbam_active_mode_growth (one, scheme, step) / step,
               state_growth (one, scheme, step, ifbam_active_mode_lasts (one, duration)));
}

/* Returns the state with the most visible growth; NULL: none is visible. */
static const IfbamActiveMode *
worst_active_mode (const IfbamStability *stability, const IfbamScheme *scheme, double step,
                   double duration)
{
  const IfbamActiveMode *worst = NULL;
  double most = 0;

  for (guint i = 0; i < stability->active_modes->len; i++)
    {
      const IfbamActiveMode *one = &g_array_index (stability->active_modes, IfbamActiveMode, i);
      const double growth = growth_in_state (one, scheme, step, duration)
                            * ifbam_active_mode_lasts (one, duration) / IFBAM_VISIBLE_GROWTH;

      if (growth >= 1 && growth > (1 + 1e-9) * most)
        {
          most = growth;
          worst = one;
        }
    }
  return worst;
}

static double
longest_step_in_state (const IfbamActiveMode *one, const IfbamScheme *scheme, double duration,
                       gboolean critical)
{
  const double own = ifbam_active_mode_longest_step (one, scheme, duration, critical);
  const double lasts = ifbam_active_mode_lasts (one, duration);
  IfbamStability *state = one->state;

  if (state == NULL || !ifbam_stability_find_state (state))
    return own;
  return fmin (own, critical && (one->from_start || one->persists)
                        ? ifbam_stability_critical_step (state, scheme)
                        : ifbam_stability_longest_step (
                            state, scheme, IFBAM_VISIBLE_GROWTH / lasts + state->own_growth));
}

/* Reduces a step to the limits of the states. */
static double
step_with_active_modes (const IfbamStability *stability, const IfbamScheme *scheme, double duration,
                        gboolean critical, double step)
{
  for (guint i = 0; i < stability->active_modes->len; i++)
    step = fmin (
        step, longest_step_in_state (&g_array_index (stability->active_modes, IfbamActiveMode, i),
                                     scheme, duration, critical));
  return step;
}

gboolean
ifbam_step_assessment_is_open (const IfbamStability *stability, const IfbamScheme *scheme,
                               double step, double duration)
{
  /* A law may become stiffer within a step; bounds at the start don't include that. */
  return worst_active_mode (stability, scheme, step, duration) != NULL
         || (stability->n_nonlinear > 0 && stability->method == IFBAM_STABILITY_MAP)
         || is_open (stability->bound, stability->damping, scheme, step, duration);
}

/* TRUE if a constraint between rates limits the growth each time; other links release it. */
static gboolean
ends_growth (const IfbamLink *link)
{
  const IfbamConstraintKind kind =
      link->law->constraint == NULL ? IFBAM_CONSTRAINT_NONE
                                    : link->law->constraint (link->numbers, IFBAM_MODE_OPEN).kind;

  return kind == IFBAM_CONSTRAINT_ONE_WAY || kind == IFBAM_CONSTRAINT_RIGID;
}

/* Returns links with constraints between rates (IfbamModeChange: link, row; transfer full);
 * from_start: only those active there. */
static GArray *
find_closing_links (const IfbamStability *stability, gboolean from_start)
{
  const IfbamModel *model = stability->model;
  g_autofree double *position = g_new (double, model->n_nodes + 1);
  g_autofree double *rate = g_new (double, model->n_nodes + 1);
  GArray *closing = g_array_new (FALSE, TRUE, sizeof (IfbamModeChange));

  ifbam_start_range (model, stability->spec, 0, model->n_nodes, position, rate);
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    {
      IfbamModeChange change = { .link = link };
      double delta;

      if (ends_growth (link)
          && (ifbam_link_measure (link, position, rate, &delta, change.row) >= 0 || !from_start))
        g_array_append_val (closing, change);
    }
  return closing;
}

/* TRUE if growth ends when diodes and similar links close: with them closed, the network does not
 * grow. If a step more than doubles the energy, the run ends before they close. */
static gboolean
grows_while_open (const IfbamStability *stability, const IfbamScheme *scheme, double growth,
                  double step, double duration)
{
  g_autoptr (GArray) closing = find_closing_links (stability, exp (2 * growth * step) > 2);
  g_autoptr (IfbamStability) closed =
      closing->len > 0 ? ifbam_stability_new_closed (stability, closing) : NULL;

  return closed != NULL && ifbam_stability_find_state (closed)
         && !growth_is_visible (ifbam_stability_growth (closed, scheme, step).rate,
                                closed->own_growth, duration);
}

static IfbamGrowth
growth_of (const IfbamStability *stability, const IfbamScheme *scheme, double step, double duration)
{
  /* If the computation takes long, bounds are used if they suffice. */
  if (stability->quick && stability->method > IFBAM_STABILITY_MAP
      && !ifbam_step_assessment_is_open (stability, scheme, step, duration))
    return (IfbamGrowth){ fmax (0, ifbam_scheme_growth (scheme, stability->bound * step) / step),
                          IFBAM_AT_MOST };
  return ifbam_stability_growth (stability, scheme, step);
}

IfbamStepAssessment
ifbam_step_assess (const IfbamStability *stability, const IfbamScheme *scheme, double step,
                   double duration, gboolean with_steps)
{
  IfbamStepAssessment assessment = {
    .scheme = scheme,
    .step = step,
    .duration = duration,
    .growth = growth_of (stability, scheme, step, duration),
    .own = stability->own_growth,
    .critical_step = NAN,
    .longest_step = NAN,
    .advised_step = NAN,
  };
  double advised;

  assessment.is_visible = growth_is_visible (assessment.growth.rate, assessment.own, duration);
  if (assessment.is_visible)
    assessment.while_open =
        grows_while_open (stability, scheme, assessment.growth.rate, step, duration);
  assessment.growing_mode = assessment.is_visible && !assessment.while_open
                                ? NULL
                                : worst_active_mode (stability, scheme, step, duration);
  if (assessment.growing_mode != NULL)
    {
      assessment.growth =
          (IfbamGrowth){ growth_in_state (assessment.growing_mode, scheme, step, duration),
                         IFBAM_AT_MOST };
      assessment.is_visible = TRUE;
      assessment.while_open = FALSE;
    }
  /* For an implicit scheme no shorter step is searched for. */
  if ((!with_steps && !assessment.is_visible)
      || (assessment.growth.certainty == IFBAM_UNSOLVED && scheme->implicit != NULL))
    return assessment;
  assessment.longest_step = step_with_active_modes (
      stability, scheme, duration, FALSE,
      ifbam_stability_longest_step (stability, scheme,
                                    IFBAM_VISIBLE_GROWTH / duration + assessment.own));
  /* The critical step is usually a little shorter: data from its search is reused for the other. */
  assessment.critical_step = step_with_active_modes (
      stability, scheme, duration, TRUE, ifbam_stability_critical_step (stability, scheme));
  advised = ifbam_step_rounded (assessment.longest_step);
  if (isfinite (advised) && advised > 0 && duration / advised < MAX_ADVISED_STEPS)
    assessment.advised_step = fmin (advised, step);
  assessment.at_least = !ifbam_stability_has_steps (stability);
  return assessment;
}

double
ifbam_step_rounded (double step)
{
  const double unit = pow (10, floor (log10 (step)) - 1);

  return isfinite (step) && step > 0 ? floor (step / unit) * unit : step;
}

char *
ifbam_step_advice (const IfbamModel *model, const IfbamRunSpec *spec, double duration)
{
  g_autoptr (IfbamStability) stability = ifbam_stability_new (model, spec, TRUE, NULL);
  const IfbamScheme *verlet = ifbam_scheme_by_name ("verlet");
  const char *open;
  IfbamStepAssessment now;
  double step, other = NAN;

  if (stability == NULL || duration == 0)
    return NULL;
  now = ifbam_step_assess (stability, spec->scheme, spec->step, duration, FALSE);
  if (!now.is_visible)
    return NULL;
  open = now.while_open ? "While diodes and the like are open, a" : "A";
  step = now.advised_step < spec->step ? now.advised_step : NAN;
  if (spec->scheme != verlet)
    other = ifbam_step_assess (stability, verlet, spec->step, duration, TRUE).advised_step;
  if (isnan (step))
    return isnan (other) || now.while_open
               ? NULL
               : g_strdup_printf ("The scheme verlet with a step of %g s would do", other);
  if (!(other > step))
    return g_strdup_printf ("%s step of %g s would do", open, step);
  return g_strdup_printf ("%s step of %g s would do, or the scheme verlet with a step of %g s",
                          open, step, other);
}

gboolean
ifbam_growth_is_expected (const IfbamModel *model, const IfbamRunSpec *spec, double duration)
{
  g_autoptr (IfbamStability) stability = ifbam_stability_new (model, spec, TRUE, NULL);
  IfbamStepAssessment assessment;

  if (stability == NULL || duration == 0
      || !ifbam_step_assessment_is_open (stability, spec->scheme, spec->step, duration))
    return FALSE;
  assessment = ifbam_step_assess (stability, spec->scheme, spec->step, duration, FALSE);
  return assessment.is_visible && !assessment.while_open;
}
