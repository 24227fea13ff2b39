/* step-size-study.c: runs of a network under every scheme at several steps, and their errors
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/step-size-study.h"

#include <math.h>
#include <string.h>

#include "base/compare.h"
#include "linear/linear.h"
#include "base/ifbam-error.h"
#include "engine/engine.h"

/* Angular frequency of the fastest mode times step: */
#define SHORTEST       0.002 /* `original` grows visibly over 1 / SHORTEST^2 steps */
#define SHORTEST_LARGE 0.1   /* in a network with long runs */
#define LONGEST        3.2   /* all schemes are unstable there */

#define MIN_STEPS      20  /* of a run */
#define MAX_STEPS      40  /* number of step sizes */
#define WHOLE_POINTS   600 /* of a course */
#define HEAD_POINTS    300
#define HEAD_PART      16.0 /* fraction of the duration for the first periods */
#define HEAD_PERIODS   12.0 /* least number of periods of the fastest mode */
#define ROW_ANGLE      0.3  /* angle of the fastest mode between two rows */
#define MIN_ROWS       20000
#define MIN_ROWS_LARGE 2000
#define SUM_WORK       5 /* of a row's sums, per element */
/* Work of a step, in elements: instructions were counted for small networks under each scheme. With
 * events every element costs more, and links with contacts most. */
#define STEP_WORK    20
#define EVENT_WORK   200
#define EVENT_FACTOR 8
#define MEETING_WORK 250   /* link with a curved geometry: contact of balls */
#define CURVED_WORK  1200  /* in addition for the nearest point of curved ground */
#define HANGING_WORK 13000 /* in addition for a rope's shape */
/* Work of a stage of a tableau, in stages of other schemes, and of a step besides. */
#define TABLE_FACTOR 6.5
#define TABLE_WORK   200
/* Work of an implicit stage [explicit stages]. */
#define IMPLICIT_FACTOR 18
/* With events the search for guards dominates: work of a further stage [steps of one stage], */
#define FURTHER_STAGE 0.15
/* and of a step with equations, and of its stages. */
#define SOLVING_STEP  2.5
#define SOLVING_STAGE 1.3
/* A step that is too long may need hundreds of iterations within it. Limit of an engine's interrupt
 * checks: a constant, and one per ELEMENTS_ASKED in steps and stages. Shipped networks that do
 * not rattle stay below half of it. */
#define MAX_WORK       500
#define ELEMENTS_ASKED 400.0

/* Times at which courses are compared: their distances are no multiple of a period. */
#define LOOKS      97
#define GOLDEN     0.6180339887498949
#define LEVEL_SIZE 0.4 /* least size of a course, relative to its distance from zero */

/* Leading digits of step sizes: 50 us, 70 us, 100 us. */
static const double digits[] = { 1, 1.5, 2, 3, 5, 7 };

static double
elements_of (const IfbamModel *model)
{
  return (double) (model->n_nodes + model->n_links + model->n_sources
                   + model->unbatched_links->len);
}

static double
meeting_work (const IfbamModel *model)
{
  double work = 0;

  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    {
      if (link->geometry->velocity_term != NULL)
        work += MEETING_WORK;
      if (link->geometry->concave != NULL && isfinite (link->geometry->concave (link->shape)))
        work += CURVED_WORK;
      if (link->geometry->trace != NULL)
        work += HANGING_WORK;
    }
  return work;
}

double
ifbam_step_work (const IfbamModel *model, const IfbamScheme *scheme)
{
  const double stages = MAX (scheme->n_stages, 1), elements = elements_of (model);

  if (ifbam_model_has_events (model))
    return (EVENT_FACTOR * elements + EVENT_WORK + meeting_work (model))
           * (scheme->implicit != NULL ? SOLVING_STEP + SOLVING_STAGE * stages
                                       : 1 + FURTHER_STAGE * (stages - 1));
  if (ifbam_scheme_tableau (scheme) != NULL)
    return (elements + STEP_WORK) * stages * TABLE_FACTOR + TABLE_WORK;
  return (elements + STEP_WORK) * stages * (scheme->implicit != NULL ? IMPLICIT_FACTOR : 1);
}

double
ifbam_affordable_work (const IfbamModel *model)
{
  return elements_of (model) < IFBAM_LARGE ? 2e9 : 5e9;
}

static gboolean
same_step (double one, double other)
{
  return fabs (one - other) < 1e-9 * one;
}

/* Returns steps from shortest to longest, with the network's own (GArray of double). */
static GArray *
choose_steps (double shortest, double longest, double own)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (double));

  g_array_append_val (steps, own);
  if (!(shortest > 0)) /* without a duration there are no others */
    return steps;
  for (int decade = (int) floor (log10 (shortest)) - 1; pow (10, decade) <= longest; decade++)
    for (guint d = 0; d < G_N_ELEMENTS (digits) && steps->len < MAX_STEPS; d++)
      {
        /* 5e-05, not 4.9999999999999996e-05 */
        const double unit = pow (10, abs (decade));
        const double step = decade < 0 ? digits[d] / unit : digits[d] * unit;

        if (step >= shortest * (1 - 1e-9) && step <= longest * (1 + 1e-9) && !same_step (step, own))
          g_array_append_val (steps, step);
      }
  g_array_sort (steps, ifbam_compare_doubles);
  return steps;
}

/* Returns the steps between rows that resolve the fastest mode and give enough rows. */
static guint64
stride_of (const IfbamStepSizeStudy *study, const IfbamModel *model, double step)
{
  const double least = elements_of (model) < IFBAM_LARGE ? MIN_ROWS : MIN_ROWS_LARGE;
  double stride = study->duration / step / least;

  if (study->frequency > 0)
    stride = MIN (stride, ROW_ANGLE / (study->frequency * step));
  return stride < 1 ? 1 : (guint64) stride;
}

/* Returns the work of all runs; with sums over the network, rows cost, too. */
static double
work_of (const IfbamStepSizeStudy *study, const IfbamModel *model, const IfbamSignals *signals,
         const GArray *steps)
{
  const double row = signals->sums ? SUM_WORK * elements_of (model) : 0;
  double work = 0;
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  for (guint i = 0; i < steps->len; i++)
    for (guint s = 0; s < n; s++)
      {
        const double step = g_array_index (steps, double, i);

        work +=
            study->duration / step
            * (ifbam_step_work (model, schemes[s]) + row / (double) stride_of (study, model, step));
      }
  return work;
}

/* Chooses steps: first omits the shortest ones, then shortens the run, then omits all steps shorter
 * than the network's own: if that is far too long for the fastest mode, its duration is too long
 * for shorter steps. */
static void
choose (IfbamStepSizeStudy *study, const IfbamModel *model, const IfbamRunSpec *spec,
        const IfbamSignals *signals, double duration)
{
  const double frequency = study->frequency;
  const double longest = frequency > 0 ? LONGEST / frequency : 30 * spec->step;
  double shortest = frequency > 0 ? SHORTEST / frequency : spec->step / 10;
  double least = 0; /* lower bound of other steps */
  GArray *steps = NULL;

  study->duration = duration;
  for (;;)
    {
      const double most = MIN (longest, study->duration / MIN_STEPS);

      steps = choose_steps (MAX (MIN (shortest, most), least), most, spec->step);
      if (work_of (study, model, signals, steps) <= ifbam_affordable_work (model)
          || least >= spec->step)
        break;
      g_array_unref (steps);
      if (shortest * frequency < SHORTEST_LARGE && shortest < spec->step)
        shortest *= 1.5;
      else if (study->duration >= MIN_STEPS * spec->step)
        study->duration *= 0.7;
      else
        least = 1.5 * MAX (MIN (shortest, most), least);
    }
  study->n_steps = steps->len;
  study->steps = (double *) (gpointer) g_array_free (steps, FALSE);
  for (guint i = 0; i < study->n_steps; i++)
    if (study->steps[i] == spec->step)
      study->own = i;
  study->head = study->duration / HEAD_PART;
  if (frequency > 0)
    study->head = MAX (study->head, HEAD_PERIODS * 2 * G_PI / frequency);
  if (study->head > 0.5 * study->duration)
    study->head = 0;
}

static int
compare_times (const void *a, const void *b)
{
  return ifbam_compare_doubles (a, b);
}

static void
choose_times (double duration, double *times)
{
  for (guint i = 0; i < LOOKS; i++)
    times[i] = duration * 0.999 * (i * GOLDEN - floor (i * GOLDEN));
  qsort (times, LOOKS, sizeof *times, compare_times);
}

/* Shared data of the threads; a run's inputs are constant. */
typedef struct
{
  IfbamStepSizeStudy *study;
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  const IfbamSignals *signals;
  double times[LOOKS]; /* [s] */
  guint threads;       /* of a run */
  GMutex mutex;        /* of the following: */
  guint next;          /* next run to begin */
  gboolean ends;       /* no more runs are begun */
  double done, all;    /* of the work */
  guint failed;        /* first run with an error, */
  GError *error;       /* and its error */
  gboolean (*progress) (gpointer data, double part);
  gpointer data;
} StudyThreads;

typedef struct
{
  StudyThreads *threads_data;
  IfbamStepSizeRun *step_run;
  guint n_times;           /* compared times so far */
  double *last;            /* time and values of the previous row (1 + n_signals) */
  double part, step_work;  /* of the run's work: fraction reported, and all of it */
  const IfbamRunTask *run; /* not owned */
  guint64 max_work;        /* limit of the run's work */
} StudyRun;

/* Interpolates linearly between two rows. */
static void
look (StudyRun *study_run, double time, const double *values)
{
  const StudyThreads *threads_data = study_run->threads_data;
  const guint n_signals = threads_data->study->n_signals;

  for (; study_run->n_times < LOOKS && threads_data->times[study_run->n_times] <= time;
       study_run->n_times++)
    {
      const double before = study_run->last[0], at = threads_data->times[study_run->n_times];
      const double part = time > before ? (at - before) / (time - before) : 1;

      for (guint s = 0; s < n_signals; s++)
        study_run->step_run->times[study_run->n_times * n_signals + s] =
            (float) (study_run->last[1 + s] + part * (values[s] - study_run->last[1 + s]));
    }
  study_run->last[0] = time;
  memcpy (study_run->last + 1, values, n_signals * sizeof *values);
}

static gboolean
take_row (gpointer data, double time, const double *values, GError **error)
{
  StudyRun *study_run = data;

  (void) error;
  look (study_run, time, values);
  ifbam_decimated_series_row (study_run->step_run->whole, values);
  if (study_run->step_run->head != NULL)
    ifbam_decimated_series_row (study_run->step_run->head, values);
  return TRUE;
}

static gboolean
show_part (gpointer data, double part)
{
  StudyRun *study_run = data;
  StudyThreads *threads_data = study_run->threads_data;
  gboolean may_continue;

  g_mutex_lock (&threads_data->mutex);
  threads_data->done += (part - study_run->part) * study_run->step_work;
  study_run->part = part;
  if (!threads_data->ends && threads_data->progress != NULL)
    threads_data->ends = !threads_data->progress (
        threads_data->data, CLAMP (threads_data->done / threads_data->all, 0, 1));
  may_continue = !threads_data->ends;
  g_mutex_unlock (&threads_data->mutex);
  return may_continue && study_run->run->work <= study_run->max_work;
}

/* The network's own run has no limit. */
static guint64
max_work (const IfbamModel *model, const IfbamScheme *scheme, guint64 steps, gboolean own)
{
  if (own)
    return G_MAXUINT64;
  return MAX_WORK
         + (guint64) ((double) steps * MAX (scheme->n_stages, 1) * elements_of (model)
                      / ELEMENTS_ASKED);
}

/* Returns the reason of a run's early end; IFBAM_STEP_SIZE_RUN_FINISHED: an error outside the run. */
static IfbamStepSizeRunEnd
end_of (const StudyRun *study_run, const GError *error)
{
  if (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED))
    return IFBAM_STEP_SIZE_RUN_DIVERGED;
  if (ifbam_run_stopped (study_run->run, error))
    return IFBAM_STEP_SIZE_RUN_STUCK;
  return g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED)
                 && study_run->run->work > study_run->max_work
             ? IFBAM_STEP_SIZE_RUN_RATTLED
             : IFBAM_STEP_SIZE_RUN_FINISHED;
}

static gboolean
run_step (StudyRun *study_run, const IfbamScheme *scheme, double step, GError **error)
{
  const StudyThreads *threads_data = study_run->threads_data;
  const IfbamStepSizeStudy *study = threads_data->study;
  const IfbamModel *model = threads_data->model;
  const IfbamRunSpec *spec = threads_data->spec;
  const IfbamSignals *signals = threads_data->signals;
  IfbamStepSizeRun *step_run = study_run->step_run;
  const guint64 stride = stride_of (study, model, step);
  const double rows = floor (study->duration / (step * (double) stride) * (1 + 1e-12));
  IfbamRunSpec variant = *spec; /* its start is not owned */
  IfbamRunTask run = {
    .threads = threads_data->threads, .row = take_row, .progress = show_part, .data = study_run
  };
  g_autoptr (GError) own = NULL;

  variant.scheme = scheme;
  variant.step = step;
  variant.cold = spec->cold && scheme->begin_cold != NULL;
  variant.stride = stride;
  variant.last_step = (guint64) MAX (rows, 1) * stride;
  study_run->run = &run;
  study_run->max_work =
      max_work (model, scheme, variant.last_step, scheme == spec->scheme && step == spec->step);
  step_run->ended = NAN;
  step_run->times = g_new (float, (gsize) LOOKS * signals->signals->len + 1);
  for (gsize i = 0; i < (gsize) LOOKS * signals->signals->len; i++)
    step_run->times[i] = NAN;
  study_run->n_times = 0;
  step_run->whole = ifbam_decimated_series_new (signals->signals->len, step * (double) stride,
                                                variant.last_step / stride + 1, WHOLE_POINTS);
  if (study->head > 0)
    step_run->head = ifbam_decimated_series_new (
        signals->signals->len, step * (double) stride,
        (guint64) floor (study->head / (step * (double) stride) * (1 + 1e-12)) + 1, HEAD_POINTS);
  if (!ifbam_run (&run, model, signals, &variant, &own))
    {
      step_run->end = end_of (study_run, own);
      if (step_run->end == IFBAM_STEP_SIZE_RUN_FINISHED)
        {
          g_propagate_error (error, g_steal_pointer (&own));
          return FALSE;
        }
      step_run->ended = run.time;
    }
  ifbam_decimated_series_end (step_run->whole);
  if (step_run->head != NULL)
    ifbam_decimated_series_end (step_run->head);
  return TRUE;
}

/* Returns the next run, shortest steps first: they take longest. FALSE: none. */
static gboolean
begin_run (StudyThreads *threads_data, guint *step_run)
{
  const IfbamStepSizeStudy *study = threads_data->study;
  guint next = study->n_schemes * study->n_steps;

  g_mutex_lock (&threads_data->mutex);
  if (!threads_data->ends && threads_data->next < next)
    next = threads_data->next++;
  g_mutex_unlock (&threads_data->mutex);
  *step_run = next % study->n_schemes * study->n_steps + next / study->n_schemes;
  return next < study->n_schemes * study->n_steps;
}

static gpointer
run_steps (gpointer data)
{
  StudyThreads *threads_data = data;
  const IfbamStepSizeStudy *study = threads_data->study;
  g_autofree double *last = g_new (double, study->n_signals + 1);
  guint step_run;

  while (begin_run (threads_data, &step_run))
    {
      const IfbamScheme *scheme = study->schemes[step_run / study->n_steps];
      const double step = study->steps[step_run % study->n_steps];
      StudyRun study_run = { .threads_data = threads_data,
                             .step_run = &study->step_runs[step_run],
                             .last = last,
                             .step_work = ifbam_step_work (threads_data->model, scheme) / step };
      GError *error = NULL;

      memset (last, 0, (study->n_signals + 1) * sizeof *last);
      if (run_step (&study_run, scheme, step, &error))
        {
          g_mutex_lock (&threads_data->mutex);
          threads_data->done += (1 - study_run.part) * study_run.step_work;
          g_mutex_unlock (&threads_data->mutex);
          continue;
        }
      g_mutex_lock (&threads_data->mutex);
      threads_data->ends = TRUE;
      if (threads_data->error == NULL || step_run < threads_data->failed)
        {
          threads_data->failed = step_run;
          g_clear_error (&threads_data->error);
          threads_data->error = g_steal_pointer (&error);
        }
      g_mutex_unlock (&threads_data->mutex);
      g_clear_error (&error);
    }
  return NULL;
}

/* Runs all in n_threads threads, including this one; if no other can be created, alone. */
static gboolean
run_all (StudyThreads *threads_data, guint n_threads, GError **error)
{
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();

  g_mutex_init (&threads_data->mutex);
  for (guint t = 1; t < n_threads; t++)
    {
      GThread *thread = g_thread_try_new ("ladder", run_steps, threads_data, NULL);

      if (thread != NULL)
        g_ptr_array_add (threads, thread);
    }
  run_steps (threads_data);
  for (guint t = 0; t < threads->len; t++)
    g_thread_join (threads->pdata[t]);
  g_mutex_clear (&threads_data->mutex);
  if (threads_data->error == NULL)
    return TRUE;
  g_propagate_error (error, threads_data->error);
  return FALSE;
}

/* Returns the most accurate run: the scheme of the highest order at the shortest step. */
static const IfbamStepSizeRun *
finest (const IfbamStepSizeStudy *study)
{
  guint best = 0;

  for (guint s = 1; s < study->n_schemes; s++)
    if (study->schemes[s]->order > study->schemes[best]->order)
      best = s;
  return ifbam_step_size_study_run (study, best, 0);
}

static double
error_of_run (const IfbamStepSizeRun *step_run, const IfbamStepSizeRun *reference, guint n_signals,
              guint signal)
{
  double low = INFINITY, high = -INFINITY, away = 0;

  if (!isnan (reference->ended) || !isnan (step_run->ended))
    return NAN;
  for (guint i = 0; i < LOOKS; i++)
    {
      const double own = step_run->times[i * n_signals + signal];
      const double other = reference->times[i * n_signals + signal];

      if (isnan (own) || isnan (other))
        continue;
      low = fmin (low, other);
      high = fmax (high, other);
      away += (own - other) * (own - other) / LOOKS;
    }
  return away > 0 ? sqrt (away) / fmax (high - low, LEVEL_SIZE * fabs (high + low) / 2) : 0;
}

/* Computes the step assessment of each scheme and step; duration: of the network's run [s]. */
static void
judge (IfbamStepSizeStudy *study, const IfbamStability *stability, double duration)
{
  study->longest_step = g_new (double, study->n_schemes + 1);
  for (guint s = 0; s < study->n_schemes; s++)
    {
      const IfbamScheme *scheme = study->schemes[s];

      study->longest_step[s] = NAN;
      for (guint i = 0; i < study->n_steps && stability != NULL; i++)
        {
          const IfbamStepAssessment verdict =
              ifbam_step_assess (stability, scheme, study->steps[i], duration, i == study->own);
          IfbamStepSizeRun *step_run = &study->step_runs[s * study->n_steps + i];

          step_run->growth = isnan (verdict.growth.rate) ? 0 : verdict.growth.rate;
          if (i == study->own)
            study->longest_step[s] = verdict.longest_step;
        }
    }
}

IfbamStepSizeStudy *
ifbam_step_size_study_new (const IfbamModel *model, const IfbamRunSpec *spec,
                           const IfbamSignals *signals, double duration,
                           gboolean (*progress) (gpointer data, double part), gpointer data,
                           GError **error)
{
  g_autoptr (IfbamStepSizeStudy) study = g_new0 (IfbamStepSizeStudy, 1);
  g_autoptr (IfbamStability) stability =
      ifbam_stability_new (model, spec, elements_of (model) >= IFBAM_LARGE, NULL);
  const guint n_threads = elements_of (model) < IFBAM_LARGE ? MIN (64, g_get_num_processors ()) : 1;
  StudyThreads threads_data = { .study = study,
                                .model = model,
                                .spec = spec,
                                .signals = signals,
                                .threads = n_threads > 1 ? 1 : 0,
                                .progress = progress,
                                .data = data };

  study->schemes = ifbam_schemes (&study->n_schemes);
  study->n_signals = signals->signals->len;
  study->frequency = stability != NULL ? stability->fastest : 0;
  study->by_reactions = stability != NULL && ifbam_stability_is_by_reactions (stability);
  choose (study, model, spec, signals, duration);
  choose_times (study->duration, threads_data.times);
  study->step_runs = g_new0 (IfbamStepSizeRun, (gsize) study->n_schemes * study->n_steps);
  for (guint i = 0; i < study->n_steps; i++)
    for (guint s = 0; s < study->n_schemes; s++)
      threads_data.all += ifbam_step_work (model, study->schemes[s]) / study->steps[i];
  if (!run_all (&threads_data, n_threads, error))
    return NULL;
  judge (study, stability, duration);
  for (gsize i = 0; i < (gsize) study->n_schemes * study->n_steps; i++)
    {
      IfbamStepSizeRun *step_run = &study->step_runs[i];

      step_run->errors = g_new (double, study->n_signals + 1);
      for (guint s = 0; s < study->n_signals; s++)
        step_run->errors[s] = error_of_run (step_run, finest (study), study->n_signals, s);
    }
  return g_steal_pointer (&study);
}

void
ifbam_step_size_study_free (IfbamStepSizeStudy *study)
{
  if (study == NULL)
    return;
  for (gsize i = 0; study->step_runs != NULL && i < (gsize) study->n_schemes * study->n_steps; i++)
    {
      ifbam_decimated_series_free (study->step_runs[i].whole);
      ifbam_decimated_series_free (study->step_runs[i].head);
      g_free (study->step_runs[i].times);
      g_free (study->step_runs[i].errors);
    }
  g_free (study->step_runs);
  g_free (study->steps);
  g_free (study->longest_step);
  g_free (study);
}
