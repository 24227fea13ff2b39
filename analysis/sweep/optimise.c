/* optimise.c: values of varied numbers with the least or largest measure
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/optimise.h"

#include <gsl/gsl_multimin.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/number-text.h"
#include "run/run.h"
#include "sweep/free-numbers.h"

/* Largest number of points of the grid of starts, per number at most 9. */
#define MAX_STARTS 100
/* Sizes of the first simplex and of the last, in unknowns (bounds are pi apart). */
#define FIRST_SIZE 0.3
#define LAST_SIZE  1e-8
#define MAX_STEPS  500
#define MAX_TURNS  8
/* Relative gain of a turn that is worth another one. */
#define GAIN 1e-9

typedef struct
{
  const IfbamNetworkBytes *bytes;
  const char *const *settings, *const *measured;
  const char *best;
  const IfbamSweepRun *run;
  GArray *numbers; /* IfbamFreeNumber */
  GError *error;
} Work;

/* Returns NAME=VALUE for unknowns (transfer full). */
static char **
texts_of (const GArray *numbers, const double *x)
{
  const char *const none[] = { NULL };

  return ifbam_free_numbers_settings (numbers, none, x);
}

/* Returns the measure to be made small; infinite without a value. Errors go to work->error. */
static double
evaluate (const gsl_vector *x, void *data)
{
  Work *work = data;
  g_auto (GStrv) varied = texts_of (work->numbers, x->data);
  g_autoptr (IfbamSweep) sweep = NULL;
  double value;

  if (work->error != NULL)
    return INFINITY;
  sweep = ifbam_sweep_new (work->bytes, work->settings, (const char *const *) varied,
                           work->measured, IFBAM_MEASURE_COUNT, &work->error);
  if (sweep == NULL || !ifbam_grid_set_best (sweep->grid, work->best, &work->error)
      || !ifbam_sweep_run (sweep, work->run, &work->error))
    return INFINITY;
  value = sweep->grid->values[sweep->grid->best];
  return !isfinite (value) ? INFINITY : sweep->grid->highest ? -value : value;
}

/* Moves x to the best point of an even grid between the bounds. */
static double
find_start (Work *work, gsl_vector *x)
{
  const guint p = work->numbers->len;
  const guint each = MAX (2, MIN (9, (guint) pow (MAX_STARTS, 1.0 / p)));
  const guint n = p > 6 ? 1 : (guint) pow (each, p);
  gsl_vector *here = gsl_vector_calloc (p);
  double least = INFINITY;

  for (guint k = 0; k < n && work->error == NULL; k++)
    {
      guint index = k;
      double value;

      for (guint i = 0; i < p && n > 1; i++, index /= each)
        here->data[i] = asin ((2.0 * (index % each) + 1) / each - 1);
      value = evaluate (here, work);
      if (k == 0 || value < least)
        {
          least = value;
          gsl_vector_memcpy (x, here);
        }
    }
  gsl_vector_free (here);
  return least;
}

/* Moves x to a minimum by simplices, each from the end of the last; returns the measure. */
static double
descend (Work *work, gsl_vector *x, double least)
{
  gsl_multimin_function function = { evaluate, work->numbers->len, work };
  gsl_multimin_fminimizer *simplex =
      gsl_multimin_fminimizer_alloc (gsl_multimin_fminimizer_nmsimplex2, x->size);
  gsl_vector *size = gsl_vector_alloc (x->size);
  double before = INFINITY;

  for (guint turn = 0; turn < MAX_TURNS && work->error == NULL && isfinite (least)
                       && !(before - least <= GAIN * fabs (least));
       turn++)
    {
      before = turn == 0 ? INFINITY : least;
      gsl_vector_set_all (size, FIRST_SIZE / (1 << turn));
      gsl_multimin_fminimizer_set (simplex, &function, x, size);
      for (guint i = 0; i < MAX_STEPS && work->error == NULL; i++)
        if (gsl_multimin_fminimizer_iterate (simplex) != GSL_SUCCESS
            || gsl_multimin_fminimizer_size (simplex) < LAST_SIZE)
          break;
      if (gsl_multimin_fminimizer_minimum (simplex) <= least)
        gsl_vector_memcpy (x, gsl_multimin_fminimizer_x (simplex));
      least = fmin (least, gsl_multimin_fminimizer_minimum (simplex));
    }
  gsl_multimin_fminimizer_free (simplex);
  gsl_vector_free (size);
  return least;
}

/* Reads the numbers, which need bounds. */
static gboolean
read_numbers (Work *work, const char *const *varied, GError **error)
{
  g_autofree char *text = g_strjoinv (",", (char **) varied);

  work->numbers = ifbam_free_numbers_read (work->bytes, work->settings, text, error);
  for (guint i = 0; work->numbers != NULL && i < work->numbers->len; i++)
    if (isnan (g_array_index (work->numbers, IfbamFreeNumber, i).lower))
      return ifbam_fail (error, IFBAM_ERROR_USAGE,
                         "--vary %s: --optimise wants bounds, NAME=FROM:TO",
                         g_array_index (work->numbers, IfbamFreeNumber, i).name);
  return work->numbers != NULL;
}

char **
ifbam_sweep_optimise (const IfbamNetworkBytes *bytes, const char *const *settings,
                      const char *const *varied, const char *const *measured, const char *best,
                      const IfbamSweepRun *run, GError **error)
{
  Work work = {
    .bytes = bytes, .settings = settings, .measured = measured, .best = best, .run = run
  };
  gsl_vector *x;
  double least;
  char **texts = NULL;

  gsl_set_error_handler_off ();
  if (!read_numbers (&work, varied, error))
    {
      g_clear_pointer (&work.numbers, g_array_unref);
      return NULL;
    }
  x = gsl_vector_calloc (work.numbers->len);
  least = descend (&work, x, find_start (&work, x));
  if (work.error != NULL)
    g_propagate_error (error, work.error);
  else if (!isfinite (least))
    ifbam_fail (error, IFBAM_ERROR_NETWORK, "--optimise %s: no variant has a value", best);
  else
    texts = texts_of (work.numbers, x->data);
  gsl_vector_free (x);
  g_array_unref (work.numbers);
  return texts;
}
