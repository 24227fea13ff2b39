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

#define LEAST_STEPS      20  /* of a run */
#define MOST_STEPS       40  /* number of step sizes */
#define WHOLE_POINTS     600 /* of a course */
#define HEAD_POINTS      300
#define HEAD_PART        16.0 /* fraction of the duration for the first periods */
#define HEAD_PERIODS     12.0 /* least number of periods of the fastest mode */
#define ROW_ANGLE        0.3  /* angle of the fastest mode between two rows */
#define LEAST_ROWS       20000
#define LEAST_ROWS_LARGE 2000
#define SUM_WORK         5 /* of a row's sums, per element */
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
#define MOST_WORK      500
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
      if (link->geometry->bend != NULL)
        work += MEETING_WORK;
      if (link->geometry->hollow != NULL && isfinite (link->geometry->hollow (link->shape)))
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
    for (guint d = 0; d < G_N_ELEMENTS (digits) && steps->len < MOST_STEPS; d++)
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
stride_of (const IfbamLadder *ladder, const IfbamModel *model, double step)
{
  const double least = elements_of (model) < IFBAM_LARGE ? LEAST_ROWS : LEAST_ROWS_LARGE;
  double stride = ladder->duration / step / least;

  if (ladder->frequency > 0)
    stride = MIN (stride, ROW_ANGLE / (ladder->frequency * step));
  return stride < 1 ? 1 : (guint64) stride;
}

/* Returns the work of all runs; with sums over the network, rows cost, too. */
static double
work_of (const IfbamLadder *ladder, const IfbamModel *model, const IfbamSignals *signals,
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

        work += ladder->duration / step
                * (ifbam_step_work (model, schemes[s])
                   + row / (double) stride_of (ladder, model, step));
      }
  return work;
}

/* Chooses steps: first omits the shortest ones, then shortens the run, then omits all steps shorter
 * than the network's own: if that is far too long for the fastest mode, its duration is too long
 * for shorter steps. */
static void
choose (IfbamLadder *ladder, const IfbamModel *model, const IfbamRunSpec *spec,
        const IfbamSignals *signals, double duration)
{
  const double frequency = ladder->frequency;
  const double longest = frequency > 0 ? LONGEST / frequency : 30 * spec->step;
  double shortest = frequency > 0 ? SHORTEST / frequency : spec->step / 10;
  double least = 0; /* lower bound of other steps */
  GArray *steps = NULL;

  ladder->duration = duration;
  for (;;)
    {
      const double most = MIN (longest, ladder->duration / LEAST_STEPS);

      steps = choose_steps (MAX (MIN (shortest, most), least), most, spec->step);
      if (work_of (ladder, model, signals, steps) <= ifbam_affordable_work (model)
          || least >= spec->step)
        break;
      g_array_unref (steps);
      if (shortest * frequency < SHORTEST_LARGE && shortest < spec->step)
        shortest *= 1.5;
      else if (ladder->duration >= LEAST_STEPS * spec->step)
        ladder->duration *= 0.7;
      else
        least = 1.5 * MAX (MIN (shortest, most), least);
    }
  ladder->n_steps = steps->len;
  ladder->steps = (double *) (gpointer) g_array_free (steps, FALSE);
  for (guint i = 0; i < ladder->n_steps; i++)
    if (ladder->steps[i] == spec->step)
      ladder->own = i;
  ladder->head = ladder->duration / HEAD_PART;
  if (frequency > 0)
    ladder->head = MAX (ladder->head, HEAD_PERIODS * 2 * G_PI / frequency);
  if (ladder->head > 0.5 * ladder->duration)
    ladder->head = 0;
}

static int
compare_looks (const void *a, const void *b)
{
  return ifbam_compare_doubles (a, b);
}

static void
choose_looks (double duration, double *looks)
{
  for (guint i = 0; i < LOOKS; i++)
    looks[i] = duration * 0.999 * (i * GOLDEN - floor (i * GOLDEN));
  qsort (looks, LOOKS, sizeof *looks, compare_looks);
}

/* Shared data of the threads; a run's inputs are constant. */
typedef struct
{
  IfbamLadder *ladder;
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  const IfbamSignals *signals;
  double looks[LOOKS]; /* [s] */
  guint threads;       /* of a run */
  GMutex mutex;        /* of the following: */
  guint next;          /* next run to begin */
  gboolean ends;       /* no more runs are begun */
  double done, all;    /* of the work */
  guint failed;        /* first run with an error, */
  GError *error;       /* and its error */
  gboolean (*progress) (gpointer data, double part);
  gpointer data;
} Crew;

typedef struct
{
  Crew *crew;
  IfbamRung *rung;
  guint n_looks;           /* compared times so far */
  double *last;            /* time and values of the previous row (1 + n_signals) */
  double part, step_work;  /* of the run's work: fraction reported, and all of it */
  const IfbamRunTask *run; /* not owned */
  guint64 most_work;       /* limit of the run's work */
} Climb;

/* Interpolates linearly between two rows. */
static void
look (Climb *climb, double time, const double *values)
{
  const Crew *crew = climb->crew;
  const guint n_signals = crew->ladder->n_signals;

  for (; climb->n_looks < LOOKS && crew->looks[climb->n_looks] <= time; climb->n_looks++)
    {
      const double before = climb->last[0], at = crew->looks[climb->n_looks];
      const double part = time > before ? (at - before) / (time - before) : 1;

      for (guint s = 0; s < n_signals; s++)
        climb->rung->looks[climb->n_looks * n_signals + s] =
            (float) (climb->last[1 + s] + part * (values[s] - climb->last[1 + s]));
    }
  climb->last[0] = time;
  memcpy (climb->last + 1, values, n_signals * sizeof *values);
}

static gboolean
take_row (gpointer data, double time, const double *values, GError **error)
{
  Climb *climb = data;

  (void) error;
  look (climb, time, values);
  ifbam_trace_row (climb->rung->whole, values);
  if (climb->rung->head != NULL)
    ifbam_trace_row (climb->rung->head, values);
  return TRUE;
}

static gboolean
show_part (gpointer data, double part)
{
  Climb *climb = data;
  Crew *crew = climb->crew;
  gboolean goes_on;

  g_mutex_lock (&crew->mutex);
  crew->done += (part - climb->part) * climb->step_work;
  climb->part = part;
  if (!crew->ends && crew->progress != NULL)
    crew->ends = !crew->progress (crew->data, CLAMP (crew->done / crew->all, 0, 1));
  goes_on = !crew->ends;
  g_mutex_unlock (&crew->mutex);
  return goes_on && climb->run->work <= climb->most_work;
}

/* The network's own run has no limit. */
static guint64
most_work (const IfbamModel *model, const IfbamScheme *scheme, guint64 steps, gboolean own)
{
  if (own)
    return G_MAXUINT64;
  return MOST_WORK
         + (guint64) ((double) steps * MAX (scheme->n_stages, 1) * elements_of (model)
                      / ELEMENTS_ASKED);
}

/* Returns the reason of a run's early end; IFBAM_RUNG_FINISHED: an error outside the run. */
static IfbamRungEnd
end_of (const Climb *climb, const GError *error)
{
  if (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED))
    return IFBAM_RUNG_DIVERGED;
  if (ifbam_run_stopped (climb->run, error))
    return IFBAM_RUNG_STUCK;
  return g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED)
                 && climb->run->work > climb->most_work
             ? IFBAM_RUNG_RATTLED
             : IFBAM_RUNG_FINISHED;
}

static gboolean
climb_rung (Climb *climb, const IfbamScheme *scheme, double step, GError **error)
{
  const Crew *crew = climb->crew;
  const IfbamLadder *ladder = crew->ladder;
  const IfbamModel *model = crew->model;
  const IfbamRunSpec *spec = crew->spec;
  const IfbamSignals *signals = crew->signals;
  IfbamRung *rung = climb->rung;
  const guint64 stride = stride_of (ladder, model, step);
  const double rows = floor (ladder->duration / (step * (double) stride) * (1 + 1e-12));
  IfbamRunSpec variant = *spec; /* its start is not owned */
  IfbamRunTask run = {
    .threads = crew->threads, .row = take_row, .progress = show_part, .data = climb
  };
  g_autoptr (GError) own = NULL;

  variant.scheme = scheme;
  variant.step = step;
  variant.cold = spec->cold && scheme->begin_cold != NULL;
  variant.stride = stride;
  variant.last_step = (guint64) MAX (rows, 1) * stride;
  climb->run = &run;
  climb->most_work =
      most_work (model, scheme, variant.last_step, scheme == spec->scheme && step == spec->step);
  rung->ended = NAN;
  rung->looks = g_new (float, (gsize) LOOKS * signals->signals->len + 1);
  for (gsize i = 0; i < (gsize) LOOKS * signals->signals->len; i++)
    rung->looks[i] = NAN;
  climb->n_looks = 0;
  rung->whole = ifbam_trace_new (signals->signals->len, step * (double) stride,
                                 variant.last_step / stride + 1, WHOLE_POINTS);
  if (ladder->head > 0)
    rung->head = ifbam_trace_new (
        signals->signals->len, step * (double) stride,
        (guint64) floor (ladder->head / (step * (double) stride) * (1 + 1e-12)) + 1, HEAD_POINTS);
  if (!ifbam_run (&run, model, signals, &variant, &own))
    {
      rung->end = end_of (climb, own);
      if (rung->end == IFBAM_RUNG_FINISHED)
        {
          g_propagate_error (error, g_steal_pointer (&own));
          return FALSE;
        }
      rung->ended = run.time;
    }
  ifbam_trace_end (rung->whole);
  if (rung->head != NULL)
    ifbam_trace_end (rung->head);
  return TRUE;
}

/* Returns the next run, shortest steps first: they take longest. FALSE: none. */
static gboolean
begin_rung (Crew *crew, guint *rung)
{
  const IfbamLadder *ladder = crew->ladder;
  guint next = ladder->n_schemes * ladder->n_steps;

  g_mutex_lock (&crew->mutex);
  if (!crew->ends && crew->next < next)
    next = crew->next++;
  g_mutex_unlock (&crew->mutex);
  *rung = next % ladder->n_schemes * ladder->n_steps + next / ladder->n_schemes;
  return next < ladder->n_schemes * ladder->n_steps;
}

static gpointer
climb_rungs (gpointer data)
{
  Crew *crew = data;
  const IfbamLadder *ladder = crew->ladder;
  g_autofree double *last = g_new (double, ladder->n_signals + 1);
  guint rung;

  while (begin_rung (crew, &rung))
    {
      const IfbamScheme *scheme = ladder->schemes[rung / ladder->n_steps];
      const double step = ladder->steps[rung % ladder->n_steps];
      Climb climb = { .crew = crew,
                      .rung = &ladder->rungs[rung],
                      .last = last,
                      .step_work = ifbam_step_work (crew->model, scheme) / step };
      GError *error = NULL;

      memset (last, 0, (ladder->n_signals + 1) * sizeof *last);
      if (climb_rung (&climb, scheme, step, &error))
        {
          g_mutex_lock (&crew->mutex);
          crew->done += (1 - climb.part) * climb.step_work;
          g_mutex_unlock (&crew->mutex);
          continue;
        }
      g_mutex_lock (&crew->mutex);
      crew->ends = TRUE;
      if (crew->error == NULL || rung < crew->failed)
        {
          crew->failed = rung;
          g_clear_error (&crew->error);
          crew->error = g_steal_pointer (&error);
        }
      g_mutex_unlock (&crew->mutex);
      g_clear_error (&error);
    }
  return NULL;
}

/* Runs all in n_threads threads, including this one; if no other can be created, alone. */
static gboolean
climb_all (Crew *crew, guint n_threads, GError **error)
{
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();

  g_mutex_init (&crew->mutex);
  for (guint t = 1; t < n_threads; t++)
    {
      GThread *thread = g_thread_try_new ("ladder", climb_rungs, crew, NULL);

      if (thread != NULL)
        g_ptr_array_add (threads, thread);
    }
  climb_rungs (crew);
  for (guint t = 0; t < threads->len; t++)
    g_thread_join (threads->pdata[t]);
  g_mutex_clear (&crew->mutex);
  if (crew->error == NULL)
    return TRUE;
  g_propagate_error (error, crew->error);
  return FALSE;
}

/* Returns the most accurate run: the scheme of the highest order at the shortest step. */
static const IfbamRung *
finest (const IfbamLadder *ladder)
{
  guint best = 0;

  for (guint s = 1; s < ladder->n_schemes; s++)
    if (ladder->schemes[s]->order > ladder->schemes[best]->order)
      best = s;
  return ifbam_ladder_rung (ladder, best, 0);
}

static double
straying (const IfbamRung *rung, const IfbamRung *reference, guint n_signals, guint signal)
{
  double low = INFINITY, high = -INFINITY, away = 0;

  if (!isnan (reference->ended) || !isnan (rung->ended))
    return NAN;
  for (guint i = 0; i < LOOKS; i++)
    {
      const double own = rung->looks[i * n_signals + signal];
      const double other = reference->looks[i * n_signals + signal];

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
judge (IfbamLadder *ladder, const IfbamStability *stability, double duration)
{
  ladder->longest_step = g_new (double, ladder->n_schemes + 1);
  for (guint s = 0; s < ladder->n_schemes; s++)
    {
      const IfbamScheme *scheme = ladder->schemes[s];

      ladder->longest_step[s] = NAN;
      for (guint i = 0; i < ladder->n_steps && stability != NULL; i++)
        {
          const IfbamStepAssessment verdict =
              ifbam_step_assess (stability, scheme, ladder->steps[i], duration, i == ladder->own);
          IfbamRung *rung = &ladder->rungs[s * ladder->n_steps + i];

          rung->growth = isnan (verdict.growth.rate) ? 0 : verdict.growth.rate;
          if (i == ladder->own)
            ladder->longest_step[s] = verdict.longest_step;
        }
    }
}

IfbamLadder *
ifbam_ladder_new (const IfbamModel *model, const IfbamRunSpec *spec, const IfbamSignals *signals,
                  double duration, gboolean (*progress) (gpointer data, double part), gpointer data,
                  GError **error)
{
  g_autoptr (IfbamLadder) ladder = g_new0 (IfbamLadder, 1);
  g_autoptr (IfbamStability) stability =
      ifbam_stability_new (model, spec, elements_of (model) >= IFBAM_LARGE, NULL);
  const guint n_threads = elements_of (model) < IFBAM_LARGE ? MIN (64, g_get_num_processors ()) : 1;
  Crew crew = { .ladder = ladder,
                .model = model,
                .spec = spec,
                .signals = signals,
                .threads = n_threads > 1 ? 1 : 0,
                .progress = progress,
                .data = data };

  ladder->schemes = ifbam_schemes (&ladder->n_schemes);
  ladder->n_signals = signals->signals->len;
  ladder->frequency = stability != NULL ? stability->fastest : 0;
  ladder->by_reactions = stability != NULL && ifbam_stability_is_by_reactions (stability);
  choose (ladder, model, spec, signals, duration);
  choose_looks (ladder->duration, crew.looks);
  ladder->rungs = g_new0 (IfbamRung, (gsize) ladder->n_schemes * ladder->n_steps);
  for (guint i = 0; i < ladder->n_steps; i++)
    for (guint s = 0; s < ladder->n_schemes; s++)
      crew.all += ifbam_step_work (model, ladder->schemes[s]) / ladder->steps[i];
  if (!climb_all (&crew, n_threads, error))
    return NULL;
  judge (ladder, stability, duration);
  for (gsize i = 0; i < (gsize) ladder->n_schemes * ladder->n_steps; i++)
    {
      IfbamRung *rung = &ladder->rungs[i];

      rung->strays = g_new (double, ladder->n_signals + 1);
      for (guint s = 0; s < ladder->n_signals; s++)
        rung->strays[s] = straying (rung, finest (ladder), ladder->n_signals, s);
    }
  return g_steal_pointer (&ladder);
}

void
ifbam_ladder_free (IfbamLadder *ladder)
{
  if (ladder == NULL)
    return;
  for (gsize i = 0; ladder->rungs != NULL && i < (gsize) ladder->n_schemes * ladder->n_steps; i++)
    {
      ifbam_trace_free (ladder->rungs[i].whole);
      ifbam_trace_free (ladder->rungs[i].head);
      g_free (ladder->rungs[i].looks);
      g_free (ladder->rungs[i].strays);
    }
  g_free (ladder->rungs);
  g_free (ladder->steps);
  g_free (ladder->longest_step);
  g_free (ladder);
}
