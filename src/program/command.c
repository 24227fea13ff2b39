/* command.c: runs of compiled networks, with the notes and warnings before and after them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command.h"

#include <math.h>

#include "base/fail.h"
#include "base/number-text.h"
#include "embed/embed.h"
#include "program/cautions.h"

void
ifbam_command_choose_engine (const IfbamNetworkOptions *options, const IfbamModel *model,
                             const IfbamRunSpec *spec, IfbamRunTask *run)
{
  g_autofree char *fault = NULL;

  run->objects = g_strcmp0 (options->engine, "objects") == 0;
  if (g_strcmp0 (options->engine, "compiled") != 0)
    return;
  fault = ifbam_machine_fault (model, spec);
  if (fault == NULL)
    run->make_engine = ifbam_machine_engine_new;
  else
    g_printerr ("ifbam: note: %s: the plan runs instead\n", fault);
}

typedef struct
{
  IfbamProgress progress;
  gboolean (*row) (gpointer data, double time, const double *values, GError **error);
  gboolean (*event) (gpointer data, const IfbamEvent *event, GError **error);
  gpointer data;
  gboolean will_keep; /* keep output from the first sample or event on */
  GError *fault;      /* error of writing on one rank, until all ranks know it */
} Execution;

/* From the first sample or event on, a signal ends the run in order, and its output is kept. */
static void
keep_output (Execution *execution)
{
  if (!execution->will_keep)
    return;
  execution->will_keep = FALSE;
  ifbam_progress_end (&execution->progress);
  ifbam_progress_begin_to_keep (&execution->progress);
}

static gboolean
forward_row (gpointer data, double time, const double *values, GError **error)
{
  Execution *execution = data;

  keep_output (execution);
  if (ifbam_ranks () == NULL)
    return execution->row (execution->data, time, values, error);
  /* One rank writes; if it fails, all ranks continue until they know it. */
  if (ifbam_command_is_first_rank () && execution->fault == NULL)
    execution->row (execution->data, time, values, &execution->fault);
  return TRUE;
}

static gboolean
forward_event (gpointer data, const IfbamEvent *event, GError **error)
{
  Execution *execution = data;

  keep_output (execution);
  return execution->event (execution->data, event, error);
}

static gboolean
show_progress (gpointer data, double part)
{
  Execution *execution = data;

  return ifbam_ranks_all (ifbam_progress_update (&execution->progress, part)
                          && execution->fault == NULL);
}

/* Prints the scheme's own growth if it is visible in the run. */
static void
warn_of_growth (const IfbamModel *model, const IfbamRunSpec *spec)
{
  static const char *const certainties[] = { "", "up to ", "about " };
  const double duration = (double) spec->last_step * spec->step;
  g_autoptr (IfbamStability) stability = ifbam_stability_new (model, spec, TRUE, NULL);
  const IfbamScheme *verlet = ifbam_scheme_by_name ("verlet");
  g_autofree char *advice = NULL;
  const char *up_to, *other = "";
  IfbamStepAssessment assessment;

  if (stability == NULL || duration == 0
      || !ifbam_step_assessment_is_open (stability, spec->scheme, spec->step, duration))
    return;
  assessment = ifbam_step_assess (stability, spec->scheme, spec->step, duration, FALSE);
  if (!assessment.is_visible)
    return;
  up_to = certainties[assessment.growth.certainty];
  if (assessment.while_open)
    {
      g_printerr (
          "ifbam: note: while diodes and the like are open, a mode would grow at %s%.3g per "
          "second with %s and a step of %s s; where they close it ends, so that it may never "
          "show\n",
          up_to, assessment.growth.rate, spec->scheme->name, IFBAM_NUMBER (spec->step));
      return;
    }
  if (spec->scheme != verlet)
    {
      const IfbamStepAssessment by_verlet =
          ifbam_step_assess (stability, verlet, spec->step, duration, FALSE);

      if (by_verlet.growth.rate <= assessment.own && by_verlet.growing_mode == NULL)
        other = "; the scheme verlet does not grow";
    }
  /* There may be no such step. */
  if (!(assessment.advised_step < spec->step))
    advice = g_strdup ("");
  else if (assessment.critical_step > 0)
    advice = g_strdup_printf (". A step of %.2g s would do", assessment.advised_step);
  else
    advice = g_strdup_printf (". A step of %.2g s keeps it below 1 %%", assessment.advised_step);
  if (assessment.growing_mode != NULL)
    {
      g_autofree char *growing_mode = ifbam_active_mode_text (assessment.growing_mode);

      g_printerr (
          "ifbam: warning: %s, amplitudes grow at up to %.3g per second with %s and a step of "
          "%s s%s%s\n",
          growing_mode, assessment.growth.rate, spec->scheme->name, IFBAM_NUMBER (spec->step),
          advice, other);
    }
  else if (assessment.critical_step > 0 && assessment.critical_step < spec->step)
    g_printerr ("ifbam: warning: the step of %s s is too long for %s, which is stable up to %s%.3g "
                "s in this "
                "network: amplitudes grow at %s%.3g per second%s%s\n",
                IFBAM_NUMBER (spec->step), spec->scheme->name,
                assessment.at_least ? "at least " : "", assessment.critical_step, up_to,
                assessment.growth.rate, advice, other);
  else
    g_printerr (
        "ifbam: note: with %s and a step of %s s %s mode (%s%.4g Hz) grows at %s%.3g per "
        "second, the scheme's own error; over %g s that shows%s%s\n",
        spec->scheme->name, IFBAM_NUMBER (spec->step), stability->has_damping ? "a" : "the fastest",
        stability->fastest_is_bound ? "at most "
        : stability->has_damping    ? "of up to "
                                    : "",
        stability->fastest / (2 * G_PI), up_to, assessment.growth.rate, duration, advice, other);
}

gboolean
ifbam_command_has_rest (const IfbamRunTask *run)
{
  return fabs (run->rest) > 1e-3 * run->rest_of;
}

void
ifbam_command_note_suspended (const IfbamRunTask *run)
{
  if (run->held > 0)
    g_printerr (
        "ifbam: note: %u times a link had more events within one step than can be "
        "resolved: it stayed closed until the step's end, or many contacts got the impulses of a "
        "part of the step at once: \"%s\" at t = %s s first\n",
        run->held, run->first_held, IFBAM_NUMBER (run->first_held_time));
}

void
ifbam_command_note_rest (const IfbamRunTask *run, const IfbamModel *model, const IfbamRunSpec *spec)
{
  g_autoptr (IfbamLinearization) linearization = NULL;

  if (!ifbam_command_has_rest (run))
    return;
  linearization = ifbam_linearization_new (model, spec, NULL, NULL);
  if ((linearization->n_nonlinear == 0 && model->unbatched_links->len == 0)
      || ifbam_growth_is_expected (model, spec, (double) spec->last_step * spec->step))
    return;
  g_printerr (
      "ifbam: note: %.3g J %s, %.3g %% of the largest of stored, supplied and dissipated energy: "
      "the error of the scheme %s at this step%s\n",
      fabs (run->rest), run->rest > 0 ? "appeared" : "disappeared",
      100 * fabs (run->rest) / run->rest_of, spec->scheme->name,
      run->initial != NULL && !run->resumes
          ? ", or parameters that differ from those of the run before"
          : "");
}

/* Prints the number of steps under a tolerance. */
static void
note_steps (const IfbamRunTask *run, const IfbamModel *model, const IfbamRunSpec *spec)
{
  g_autofree char *factorings =
      spec->scheme->implicit == NULL
          ? g_strdup ("")
          : g_strdup_printf (", equations factored %" G_GUINT64_FORMAT " times",
                             run->count.factorings);

  g_printerr ("ifbam: note: %" G_GUINT64_FORMAT " steps for a tolerance of %g, %" G_GUINT64_FORMAT
              " more tried and rejected%s\n",
              run->count.taken, spec->tolerance, run->count.rejected, factorings);
  if (run->count.rounded > 0)
    {
      g_autofree char *name = ifbam_model_node_name (model, run->count.worst);

      g_printerr (
          "ifbam: note: in %" G_GUINT64_FORMAT
          " of these steps rounding is worse than the tolerance: by "
          "up to %.2g of the largest rate, for \"%s\", as 16 digits of a position are too few "
          "for such a "
          "stiff law (want a softer law, a position nearer to 0, or a larger tolerance)\n",
          run->count.rounded, run->count.rounding, name);
    }
}

/* Prints warnings about courses, scheduled events and decay rates that do not fit the steps. */
static void
warn_of_misfits (const IfbamModel *model, const IfbamRunSpec *spec)
{
  g_autoptr (IfbamStability) stability =
      spec->scheme->mean ? ifbam_stability_new (model, spec, TRUE, NULL) : NULL;
  g_autoptr (GPtrArray) cautions = ifbam_cautions_list (model, spec, stability);

  for (guint i = 0; i < cautions->len; i++)
    g_printerr ("ifbam: warning: %s\n", (const char *) cautions->pdata[i]);
}

void
ifbam_command_tell_equations (const IfbamRunTask *run, const IfbamRunSpec *spec)
{
  if (spec->scheme->implicit != NULL)
    g_printerr ("ifbam: note: equations factored %" G_GUINT64_FORMAT
                " times; solved by shortened corrections in %" G_GUINT64_FORMAT
                " stages, by loads that grow from 0 in %" G_GUINT64_FORMAT " stages\n",
                run->count.factorings, run->count.damped, run->count.continued);
}

void
ifbam_command_announce (const IfbamModel *model, const IfbamRunSpec *spec)
{
  g_autofree char *turning =
      spec->tolerance > 0 ? NULL : ifbam_model_turning_text (model, spec->step);

  if (spec->chosen != NULL)
    g_printerr ("ifbam: note: step = auto chose %s s, %s\n", IFBAM_NUMBER (spec->step),
                spec->chosen);
  if (!(spec->tolerance > 0))
    warn_of_growth (model, spec);
  if (turning != NULL)
    g_printerr ("ifbam: warning: %s\n", turning);
  warn_of_misfits (model, spec);
  if (spec->cut)
    g_printerr ("ifbam: note: the last row is at %.10g s: the duration is no multiple of the "
                "interval between rows\n",
                (double) spec->last_step * spec->step);
}

static gboolean
execute (IfbamRunTask *run, const IfbamModel *model, const IfbamSignals *signals,
         const IfbamRunSpec *spec, GError **error)
{
  Execution execution = { .row = run->row, .event = run->event, .data = run->data };
  gboolean fine;

  if (spec->last_step == 0 && spec->stride == 1)
    return ifbam_fail (
        error, IFBAM_ERROR_USAGE,
        "duration: shorter than a step, %s s (want a shorter step, or a longer duration)",
        IFBAM_NUMBER (spec->step));
  ifbam_progress_begin (&execution.progress);
  /* A part of the network can't be assessed alone. */
  if (model->share == NULL)
    ifbam_command_announce (model, spec);
  run->row = forward_row;
  if (run->event != NULL)
    run->event = forward_event;
  run->progress = show_progress;
  if (model->share == NULL)
    run->advise = ifbam_step_advice;
  if (run->expects_growth == NULL)
    run->expects_growth = ifbam_growth_is_expected;
  run->data = &execution;
  execution.will_keep = run->keeps_rows;
  /* The files contain samples of the run before. */
  if (run->resumes)
    keep_output (&execution);
  fine = ifbam_run (run, model, signals, spec, error);
  ifbam_progress_end (&execution.progress);
  if (execution.fault != NULL)
    {
      g_clear_error (error);
      g_propagate_error (error, execution.fault);
      fine = FALSE;
    }
  if (fine && spec->tolerance > 0)
    note_steps (run, model, spec);
  return fine;
}

gboolean
ifbam_command_execute (IfbamRunTask *run, const IfbamModel *model, const IfbamSignals *signals,
                       const IfbamRunSpec *spec, GError **error)
{
  run->keeps_rows = TRUE;
  /* Checkpoints refer to the last sample. */
  run->does_without = run->pause == NULL;
  return execute (run, model, signals, spec, error);
}

gboolean
ifbam_command_collect (IfbamRunTask *run, const IfbamModel *model, const IfbamSignals *signals,
                       const IfbamRunSpec *spec, GError **error)
{
  run->keeps_rows = FALSE;
  return execute (run, model, signals, spec, error);
}
