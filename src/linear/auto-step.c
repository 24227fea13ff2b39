/* auto-step.c: chooses the step for `step = auto`
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/auto-step.h"

#include <math.h>

#include "base/ifbam-error.h"
#include "linear/step-assessment.h"
#include "linear/scheme-growth.h"
#include "engine/engine.h"

#define FREQUENCY_ERROR 1e-3
#define AMPLITUDE_ERROR 1e-2
/* Fraction of the step at which a mode begins to grow. */
#define MARGIN 0.9
/* Each trial multiplies the step by this. */
#define SHORTER   0.85
#define MIN_STEPS 100 /* in a duration */
/* Pilot run: evaluations per radian of the fastest mode, and limits of its work (steps times nodes
 * and links; derivatives of links; runs). */
#define EVALUATIONS_PER_RADIAN 4.0
#define MAX_STEPS              2e7
#define MAX_SLOPES             1e6
#define MAX_PILOTS             40
/* Least fraction of a pilot run's step that it allows: with a far too long step, it meets states
 * that the network may never meet. */
#define MIN_PART 0.125

/* Runs that end within this fraction of the duration of each other have the same cause. */
#define SAME_END 0.01

/* Number of time constants after which a motion has decayed. */
#define DECAY_TIMES 7.0

/* A run with more steps names another scheme, if its step is longer by this factor. */
#define MANY_STEPS   1e7
#define LONGER_RATIO 10

#define STEPS_TEXT "for a hundred steps until the end"

typedef struct
{
  const IfbamStability *stability;
  const IfbamScheme *scheme;
  double duration, up_to;
  double step;
  const char *why;
} Choice;

static void
limit_step (Choice *choice, double step, const char *why)
{
  if (step < choice->step)
    {
      choice->step = step;
      choice->why = why;
    }
}

/* Returns the h up to which an undamped mode's frequency is accurate. */
static double
accurate_angle (const IfbamScheme *scheme)
{
  const double part = 1.0 / 64;
  double good = 0, bad = part;

  while (bad < 4 && fabs (ifbam_scheme_mode (scheme, bad, NULL) / bad - 1) <= FREQUENCY_ERROR)
    {
      good = bad;
      bad += part;
    }
  for (int i = 0; i < 40; i++)
    {
      const double h = 0.5 * (good + bad);

      if (fabs (ifbam_scheme_mode (scheme, h, NULL) / h - 1) <= FREQUENCY_ERROR)
        good = h;
      else
        bad = h;
    }
  return good;
}

/* Returns the step up to which an undamped mode's amplitude is accurate. */
static double
accurate_amplitude (const Choice *choice, double omega)
{
  double good = 0, bad = 4 / omega;

  for (int i = 0; i < 60; i++)
    {
      const double step = 0.5 * (good + bad);
      double growth;

      ifbam_scheme_mode (choice->scheme, omega * step, &growth);
      if (fabs (growth) * (choice->duration / step) <= AMPLITUDE_ERROR)
        good = step;
      else
        bad = step;
    }
  return good;
}

/* TRUE if modes too fast for the step decay in about one: R is rational, R (infinity) = 0. */
static gboolean
damps_fast_modes (const IfbamScheme *scheme)
{
  int above = IFBAM_MAX_STAGES, below = IFBAM_MAX_STAGES;

  while (above > 0 && scheme->stability_function[above] == 0)
    above--;
  while (below > 0 && scheme->stability_divisor[below] == 0)
    below--;
  return above < below;
}

/* TRUE if modes are known, and modes that decay within the longest step need not be resolved. */
static gboolean
skips_fast_modes (const Choice *choice)
{
  return choice->duration > 0 && choice->stability->mode != NULL
         && choice->stability->method == IFBAM_STABILITY_MAP && damps_fast_modes (choice->scheme);
}

static gboolean
has_decayed (const Choice *choice, double complex mode)
{
  return skips_fast_modes (choice) && -creal (mode) * choice->duration > DECAY_TIMES * MIN_STEPS;
}

/* Returns the angular frequency of the fastest mode that does not decay at once. */
static double
fastest_of (const Choice *choice)
{
  const IfbamStability *stability = choice->stability;
  double fastest = 0;

  if (!skips_fast_modes (choice))
    return stability->fastest;
  for (gsize i = 0; i < stability->n_modes; i++)
    if (cimag (stability->mode[i]) > 0 && !has_decayed (choice, stability->mode[i]))
      fastest = fmax (fastest, cabs (stability->mode[i]));
  return fastest;
}

/* Limits the step by the modes of the undamped network. */
static void
limit_by_polynomial (Choice *choice)
{
  const IfbamStability *stability = choice->stability;
  const double limit = ifbam_scheme_limit (choice->scheme), fastest = fastest_of (choice);
  const double interest = fmin (choice->up_to, fastest);
  const gboolean undamped = !stability->has_damping || stability->method != IFBAM_STABILITY_MAP;

  if (fastest == 0)
    return;
  limit_step (choice, accurate_angle (choice->scheme) / interest,
              "to keep the frequencies within 0.1 %");
  if (limit > 0)
    limit_step (choice, MARGIN * limit / fastest, "so that no mode grows");
  if (choice->duration > 0 && undamped)
    {
      limit_step (choice, accurate_amplitude (choice, interest),
                  "to keep the amplitudes within 1 % until the end");
      limit_step (
          choice,
          ifbam_scheme_longest_step (choice->scheme, fastest, choice->duration, AMPLITUDE_ERROR),
          "so that no mode grows by 1 % until the end");
    }
}

/* Limits the step by the error of a damper, if single modes are not known. A scheme of the first
 * order has an error of the decay rate times the step, others its square; the bound is twice the
 * rate. */
static void
limit_by_damping (Choice *choice)
{
  const IfbamStability *stability = choice->stability;
  const double most = choice->scheme->order == 1 ? FREQUENCY_ERROR : sqrt (FREQUENCY_ERROR);

  if (stability->damping > 0)
    limit_step (choice, most / stability->damping, "to follow the dampers");
}

static gboolean
mode_is_accurate (const Choice *choice, double complex mode, double complex seen)
{
  const double decay = fabs (creal (seen) - creal (mode));
  const double bearable = fmax (AMPLITUDE_ERROR * fabs (creal (mode)),
                                choice->duration > 0 ? AMPLITUDE_ERROR / choice->duration : 0);

  /* Near the aperiodic limit the frequency tends to zero; its relative error is irrelevant. */
  return fabs (cimag (seen) - cimag (mode))
             <= FREQUENCY_ERROR * fmax (cimag (mode), 0.1 * cabs (mode))
         && decay <= bearable;
}

/* Returns NULL, or the condition that a step violates. */
static const char *
fault_of (const Choice *choice, double step)
{
  const IfbamStability *stability = choice->stability;
  gsize n;
  g_autofree double complex *value =
      ifbam_stability_multipliers (stability, choice->scheme, step, &n);
  double worst = 0;

  if (value == NULL)
    return "so that no mode grows";
  for (gsize i = 0; i < n; i++)
    worst = fmax (worst, log (cabs (value[i])));
  if (worst > 1e-11 && stability->own_growth == 0
      && (choice->duration == 0 || worst / step * choice->duration > AMPLITUDE_ERROR))
    return "so that no mode grows";
  for (gsize i = 0; i < stability->n_modes; i++)
    {
      const double complex mode = stability->mode[i];

      if (cimag (mode) <= choice->up_to && !has_decayed (choice, mode)
          && !mode_is_accurate (choice, mode, ifbam_stability_nearest (value, n, step, mode)))
        return "to keep the frequencies within 0.1 % and the decay rates within 1 %";
    }
  return NULL;
}

static gboolean
choose_step (Choice *choice)
{
  const IfbamStability *stability = choice->stability;

  limit_by_polynomial (choice);
  if (stability->method != IFBAM_STABILITY_MAP || stability->mode == NULL)
    limit_by_damping (choice);
  else if (skips_fast_modes (choice))
    limit_step (choice, choice->duration / MIN_STEPS, STEPS_TEXT);
  else if (stability->damping > 0)
    limit_step (choice, 1 / stability->damping, "to follow the dampers");
  if (stability->method != IFBAM_STABILITY_MAP || stability->mode == NULL
      || !isfinite (choice->step))
    return TRUE;
  for (int i = 0; i < 200; i++)
    {
      const char *fault = fault_of (choice, choice->step);

      if (fault == NULL)
        return TRUE;
      limit_step (choice, SHORTER * choice->step, fault);
    }
  return FALSE;
}

/* Runs the network and finds the largest bounds on the way, or the first that allow only the
 * shortest next step (angle over the bound). FALSE: it diverges, or stops at a time *end (else
 * infinite). */
static gboolean
run_pilot (const Choice *choice, const IfbamModel *model, const IfbamRunSpec *spec, double angle,
           double *bound, double *damping, double *end)
{
  const IfbamStability *stability = choice->stability;
  const gboolean events = ifbam_engine_by_events (model, spec);
  IfbamRunSpec own = *spec; /* its start is not owned */
  g_autoptr (IfbamEngine) engine = NULL;
  g_autofree double *position = g_new (double, model->n_nodes + 1);
  g_autofree double *rate = g_new (double, model->n_nodes + 1);
  const double elements = (double) (model->n_nodes + model->n_links + model->unbatched_links->len);
  /* A step of an event engine takes ten times as long. */
  const double work = elements * spec->scheme->n_stages * (events ? 10 : 1);
  const double steps = fmin (choice->duration / choice->step, MAX_STEPS / work);
  /* Contacts are short, so every step is evaluated; also if no mode oscillates at the start. */
  const double often = events || stability->bound == 0
                           ? 1
                           : 1 / (EVALUATIONS_PER_RADIAN * stability->bound * choice->step);
  const guint64 stride = (guint64) fmax (1, fmax (often, steps * elements / MAX_SLOPES));

  own.step = choice->step;
  *bound = *damping = 0;
  *end = INFINITY;
  engine = ifbam_engine_new_as_needed (model, &own, 0);
  ifbam_engine_start (engine);
  ifbam_engine_advance (engine, ifbam_engine_lookahead (spec), NULL);
  while ((double) engine->steps < steps && *bound * (MIN_PART * choice->step) < angle)
    {
      double bound_here, damping_here;

      if (!ifbam_engine_advance (engine, stride, NULL))
        {
          *end = engine->log->failure_time;
          return FALSE;
        }
      *end = INFINITY;
      ifbam_engine_get_nodes (engine, 0, model->n_nodes, position, rate);
      if (!ifbam_stability_bounds_at (model, position, rate, &bound_here, &damping_here))
        return FALSE;
      *bound = fmax (*bound, bound_here);
      *damping = fmax (*damping, damping_here);
    }
  return TRUE;
}

/* Repeats pilot runs: a stiffer state needs a shorter step. */
static gboolean
repeat_pilots (Choice *choice, const IfbamModel *model, const IfbamRunSpec *spec)
{
  const IfbamStability *stability = choice->stability;
  const double limit = ifbam_scheme_limit (choice->scheme);
  double last_end = NAN;
  const double angle = stability->bound > 0
                           ? choice->step * stability->bound
                           : fmin (accurate_angle (choice->scheme), limit > 0 ? MARGIN * limit : 1);

  /* Beside massless nodes all links are linear here. */
  if ((stability->n_nonlinear == 0 && (stability->light || !ifbam_model_has_events (model)))
      || choice->duration == 0)
    return TRUE;
  limit_step (choice, choice->duration / MIN_STEPS, STEPS_TEXT);
  for (int i = 0; i < MAX_PILOTS; i++)
    {
      double bound, damping, enough, end;

      /* If shorter steps end at the same time, the step is not the cause. */
      if (!run_pilot (choice, model, spec, angle, &bound, &damping, &end)
          && !(fabs (end - last_end) <= SAME_END * choice->duration))
        {
          last_end = end;
          limit_step (choice, 0.5 * choice->step, "because a pilot run diverged with a longer one");
          continue;
        }
      enough = bound > 0 ? angle / bound : INFINITY;
      if (damping > stability->damping && !skips_fast_modes (choice))
        enough = fmin (enough, 0.25 / damping);
      if (choice->step <= 1.02 * enough)
        return TRUE;
      limit_step (choice, fmax (enough, MIN_PART * choice->step),
                  "for the stiffest state of a pilot run");
    }
  return FALSE;
}

/* Chooses a step for the run; FALSE: there is none. */
static gboolean
find_step (Choice *choice, const IfbamModel *model, const IfbamRunSpec *spec)
{
  if (!choose_step (choice) || !repeat_pilots (choice, model, spec))
    return FALSE;
  if (choice->duration > 0)
    limit_step (choice, choice->duration / MIN_STEPS, STEPS_TEXT);
  return choice->step > 0;
}

/* Returns "rk4 would take 0.00016 s, dopri5 0.00027 s" (transfer full): explicit schemes with a
 * step at least LONGER_RATIO times the present one; NULL: none. */
static char *
better_schemes_text (const Choice *choice, const IfbamModel *model, const IfbamRunSpec *spec,
                     double step)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      Choice other = { .stability = choice->stability,
                       .scheme = schemes[i],
                       .duration = choice->duration,
                       .up_to = choice->up_to,
                       .step = INFINITY };
      IfbamRunSpec own = *spec; /* its start is not owned */

      own.scheme = schemes[i];
      if (schemes[i] != choice->scheme && schemes[i]->implicit == NULL
          && find_step (&other, model, &own) && isfinite (other.step)
          && other.step > LONGER_RATIO * step && choice->duration / other.step <= MANY_STEPS)
        g_string_append_printf (text, text->len == 0 ? "%s would take %g s" : ", %s %g s",
                                schemes[i]->name, ifbam_step_rounded (other.step));
    }
  return g_string_free (text, text->len == 0);
}

double
ifbam_auto_step (const IfbamModel *model, const IfbamRunSpec *spec, double duration,
                 const char **why, GError **error)
{
  g_autoptr (GError) lack = NULL;
  g_autoptr (IfbamStability) stability = ifbam_stability_new (model, spec, FALSE, &lack);
  g_autofree char *better = NULL;
  Choice choice = { .stability = stability,
                    .scheme = spec->scheme,
                    .duration = duration,
                    .up_to = spec->up_to,
                    .step = INFINITY };
  gboolean found;

  if (stability == NULL)
    {
      g_set_error (error, lack->domain, lack->code, "%s (want a step in seconds)", lack->message);
      return 0;
    }
  if (stability->light && stability->n_nonlinear > 0)
    {
      g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                           "no step is chosen for junctions beside nonlinear laws or constraints "
                           "(want a step in seconds, or a tolerance)");
      return 0;
    }
  found = find_step (&choice, model, spec);
  if (!found || duration / choice.step > MANY_STEPS)
    better = better_schemes_text (&choice, model, spec, found ? choice.step : 0);
  if (!found)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                 "no step %s the scheme %s (want a step in seconds, or another scheme%s%s)",
                 choice.step > 0 ? "will do for" : "is short enough for", spec->scheme->name,
                 better != NULL ? ": " : "", better != NULL ? better : "");
  else if (!isfinite (choice.step))
    g_set_error_literal (
        error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
        "this network has no vibration modes, and without a duration no basis for a step");
  *why = choice.why;
  if (found && better != NULL)
    {
      g_autofree char *text = g_strdup_printf ("%s; %s", choice.why, better);

      *why = g_intern_string (text);
    }
  return found && isfinite (choice.step) ? choice.step : 0;
}
