/* random-response.c: response to a random input, given by its power spectral density
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/random-response.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "file/file.h"
#include "linear/modes.h"

/* Largest error of an interval's integrals, relative to those of the whole range. */
#define TOLERANCE 1e-9
/* Limits: halvings of an interval (Simpson's error falls by 16 with each), evaluations in all. */
#define MAX_DEPTH       14
#define MAX_EVALUATIONS 100000
/* An output that is smaller, relative to the terms of its sum, is rounding. */
#define ROUNDING 1e-12
/* A damping ratio below it is none. */
#define UNDAMPED 1e-12
/* Standard gravity (3rd CGPM 1901) [m/s2]. */
#define GRAVITY 9.80665

/* Table */

static gboolean
fail_table (const IfbamDensity *density, const char *fault, GError **error)
{
  return ifbam_fail (error, IFBAM_ERROR_COURSE,
                     "%s: %s (want the columns \"frequency [Hz]\" and a density, such as \"psd "
                     "[N2/Hz]\")",
                     density->path, fault);
}

static gboolean
read_rows (IfbamDensity *density, const IfbamCsvTable *table, GError **error)
{
  g_autofree char *unit = NULL, *name = NULL;

  if (table->names->len != 2)
    return fail_table (density, "there are not two columns", error);
  name = ifbam_course_split_name (table->names->pdata[0], &unit);
  if (unit != NULL && !g_str_equal (unit, "Hz"))
    return fail_table (density, "the frequencies are not in Hz", error);
  g_free (name);
  name = ifbam_course_split_name (table->names->pdata[1], &density->unit);
  density->n = table->n_rows;
  density->frequency = g_new (double, density->n + 1);
  density->density = g_new (double, density->n + 1);
  for (gsize i = 0; i < density->n; i++)
    {
      density->frequency[i] = ifbam_csv_table_value (table, i, 0);
      density->density[i] = ifbam_csv_table_value (table, i, 1);
      if (!(density->frequency[i] > (i == 0 ? 0 : density->frequency[i - 1])))
        return fail_table (density, "the frequencies do not increase from above 0", error);
      if (!(density->density[i] >= 0))
        return fail_table (density, "a density is missing or below 0", error);
    }
  return density->n >= 2 || fail_table (density, "there are fewer than two rows", error);
}

IfbamDensity *
ifbam_density_new (const char *path, GError **error)
{
  g_autoptr (IfbamDensity) density = g_new0 (IfbamDensity, 1);
  g_autoptr (IfbamCsvTable) table = ifbam_csv_table_new_from_csv (path, error);

  density->path = g_strdup (path);
  return table != NULL && read_rows (density, table, error) ? g_steal_pointer (&density) : NULL;
}

void
ifbam_density_free (IfbamDensity *density)
{
  if (density == NULL)
    return;
  g_free (density->path);
  g_free (density->unit);
  g_free (density->frequency);
  g_free (density->density);
  g_free (density);
}

/* Finds the factor from the file's unit. Of accelerations g is gravity, elsewhere a gram. */
static gboolean
find_scale (const IfbamDensity *density, const IfbamResponseInput *input, double *scale,
            GError **error)
{
  static const char *const gravities[] = { "g2/Hz", "g^2/Hz", "g²/Hz", "G2/Hz", "G^2/Hz", NULL };
  const char *acceleration = ifbam_domain_info (IFBAM_DOMAIN_TRANSLATION)->acceleration_unit;
  g_autofree char *wanted = g_strdup_printf ("(%s)^2/Hz", input->unit), *reason = NULL;
  g_autofree char *usual = ifbam_density_unit (input->unit);
  g_autofree char *one = density->unit == NULL ? NULL : g_strdup_printf ("1 %s", density->unit);

  *scale = 1;
  if (one == NULL)
    return TRUE;
  if (g_str_equal (input->unit, acceleration) && g_strv_contains (gravities, density->unit))
    {
      *scale = GRAVITY * GRAVITY;
      return TRUE;
    }
  if (ifbam_units_parse (one, wanted, "density", "1 N2/Hz", scale, &reason))
    return TRUE;
  return ifbam_fail (error, IFBAM_ERROR_COURSE, "%s: the unit %s is no density of %s (want %s)",
                     density->path, density->unit, input->name, usual);
}

gboolean
ifbam_density_convert (IfbamDensity *density, const IfbamResponseInput *input, GError **error)
{
  double scale;

  if (!find_scale (density, input, &scale, error))
    return FALSE;
  for (gsize i = 0; i < density->n; i++)
    density->density[i] *= scale;
  return TRUE;
}

double
ifbam_density_at (const IfbamDensity *density, double frequency)
{
  const double *f = density->frequency, *s = density->density;
  gsize low = 0, high = density->n - 1;

  if (!(frequency >= f[0] && frequency <= f[high]))
    return 0;
  while (high - low > 1)
    *(f[(low + high) / 2] <= frequency ? &low : &high) = (low + high) / 2;
  /* a line to or from 0 has no logarithm */
  if (s[low] == 0 || s[high] == 0)
    return s[low] + (s[high] - s[low]) * (frequency - f[low]) / (f[high] - f[low]);
  return s[low] * pow (s[high] / s[low], log (frequency / f[low]) / log (f[high] / f[low]));
}

char *
ifbam_density_unit (const char *unit)
{
  const gboolean simple = strpbrk (unit, "/ 2") == NULL;

  return g_strdup_printf (*unit == '\0' ? "%s1/Hz" : simple ? "%s2/Hz" : "(%s)2/Hz", unit);
}

/* Integrals */

/* The integrand has the outputs' densities, these times the square of the frequency, and the
 * input's density (n). */
typedef struct
{
  const IfbamResponseSystem *system;
  const IfbamDensity *density;
  gsize n_outputs, n;
  double complex *outputs; /* scratch (n_outputs) */
  double *sum, *whole;     /* integrals; their first estimates (n) */
  guint n_evaluations;
  IfbamResponseProgress progress;
  gpointer data;
  double done; /* part of the range */
  GError **error;
} Integration;

/* Returns the size of an output's terms: the largest displacement in place of each. */
static double
terms_of (const IfbamResponseSystem *system, guint index, double omega, double largest)
{
  const IfbamOutputRow *row = &g_array_index (system->rows, IfbamOutputRow, index);
  double sum = 0;

  for (guint e = 0; e < row->n; e++)
    sum += fabs (row->entry[e]);
  if (row->force)
    sum *= fabs (row->stiffness) + omega * fabs (row->damping);
  for (guint i = 0; row->given_forces != NULL && i < row->given_forces->len; i++)
    {
      const IfbamGivenForce *pull = &g_array_index (row->given_forces, IfbamGivenForce, i);

      sum += fabs (pull->stiffness) + omega * fabs (pull->damping) + fabs (pull->loss);
    }
  return sum * largest * pow (omega, (double) row->order - system->input.order);
}

/* Returns the integrand at a frequency [Hz] (transfer full) (n); NULL: interrupted, or an error.
 * Outputs that are rounding count as 0: their integral would never converge. */
static double *
integrand (Integration *self, double frequency)
{
  const double input = ifbam_density_at (self->density, frequency);
  double *values = g_new0 (double, self->n), largest = 0;

  self->n_evaluations++;
  if (self->progress != NULL && !self->progress (self->data, self->done))
    ifbam_response_set_interrupted (self->error);
  else if (ifbam_response_at (self->system, frequency, self->outputs, &largest, self->error))
    {
      for (guint i = 0; i < self->n_outputs; i++)
        {
          const double size = cabs (self->outputs[i]);

          if (size <= ROUNDING * terms_of (self->system, i, 2 * G_PI * frequency, largest))
            continue;
          values[i] = size * size * input;
          values[self->n_outputs + i] = values[i] * frequency * frequency;
        }
      values[2 * self->n_outputs] = input;
      return values;
    }
  g_free (values);
  return NULL;
}

/* Adds the integrals over an interval with values at its ends and middle, halved until Simpson's
 * rule agrees with itself. The last of the two estimates is extrapolated (Richardson 1911). */
static gboolean
add_interval (Integration *self, double from, double to, const double *first, const double *middle,
              const double *last, guint depth)
{
  const double width = to - from;
  g_autofree double *left = integrand (self, from + 0.25 * width);
  g_autofree double *right = left == NULL ? NULL : integrand (self, from + 0.75 * width);
  gboolean is_exact = TRUE;

  if (right == NULL)
    return FALSE;
  for (gsize i = 0; i < self->n && is_exact; i++)
    {
      const double coarse = width / 6 * (first[i] + 4 * middle[i] + last[i]);
      const double fine =
          width / 12 * (first[i] + 4 * left[i] + 2 * middle[i] + 4 * right[i] + last[i]);

      is_exact = !(fabs (fine - coarse) > 15 * TOLERANCE * self->whole[i]);
    }
  if (!is_exact && depth < MAX_DEPTH && self->n_evaluations < MAX_EVALUATIONS)
    return add_interval (self, from, from + 0.5 * width, first, left, middle, depth + 1)
           && add_interval (self, from + 0.5 * width, to, middle, right, last, depth + 1);
  for (gsize i = 0; i < self->n; i++)
    {
      const double coarse = width / 6 * (first[i] + 4 * middle[i] + last[i]);
      const double fine =
          width / 12 * (first[i] + 4 * left[i] + 2 * middle[i] + 4 * right[i] + last[i]);

      self->sum[i] += fine + (fine - coarse) / 15;
    }
  return TRUE;
}

/* Returns the increasing limits of intervals: the frequencies, and the table's rows between. */
static GArray *
list_limits (const IfbamDensity *density, const double *frequencies, gsize n)
{
  GArray *limits = g_array_new (FALSE, FALSE, sizeof (double));
  gsize row = 0;

  for (gsize i = 0; i < n; i++)
    {
      for (; row < density->n && density->frequency[row] < frequencies[i]; row++)
        if (i > 0 && density->frequency[row] > frequencies[i - 1])
          g_array_append_val (limits, density->frequency[row]);
      g_array_append_val (limits, frequencies[i]);
    }
  return limits;
}

/* Integrates over all intervals; values at their ends and middles give the first estimates. */
static gboolean
integrate (Integration *self, const GArray *limits)
{
  const double *at = (const double *) (gpointer) limits->data;
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);

  for (guint k = 0; k + 1 < 2 * limits->len; k++)
    {
      double *own = integrand (self, k % 2 == 0 ? at[k / 2] : 0.5 * (at[k / 2] + at[k / 2 + 1]));

      if (own == NULL)
        return FALSE;
      g_ptr_array_add (values, own);
      for (gsize i = 0; i < self->n; i++)
        self->whole[i] += own[i] * (k % 2 == 1 ? at[k / 2 + 1] - at[k / 2] : 0);
    }
  for (guint k = 0; k + 1 < limits->len; k++)
    {
      self->done = (double) k / limits->len;
      if (!add_interval (self, at[k], at[k + 1], values->pdata[2 * k], values->pdata[2 * k + 1],
                         values->pdata[2 * k + 2], 0))
        return FALSE;
    }
  return TRUE;
}

/* Marks the outputs that move without bound: an undamped mode in the range is driven. */
static gboolean
mark_resonances (Integration *self, double from, double to, gboolean *is_infinite)
{
  gsize n = 0;
  const IfbamMode *modes =
      self->system->modes == NULL ? NULL : ifbam_modes_get_modes (self->system->modes, &n);

  for (gsize k = 0; k < n; k++)
    {
      if (!(modes[k].frequency >= from && modes[k].frequency <= to)
          || fabs (modes[k].damping_ratio) > UNDAMPED
          || ifbam_density_at (self->density, modes[k].frequency) == 0)
        continue;
      if (!ifbam_response_at (self->system, modes[k].frequency, self->outputs, NULL, self->error))
        return FALSE;
      for (gsize i = 0; i < self->n_outputs; i++)
        is_infinite[i] |= isinf (cabs (self->outputs[i])) != 0;
    }
  return TRUE;
}

static gboolean
fill_densities (Integration *self, IfbamRandomResponse *response, const double *frequencies)
{
  for (gsize k = 0; k < response->n; k++)
    {
      g_autofree double *own = integrand (self, frequencies[k]);

      if (own == NULL)
        return FALSE;
      response->frequency[k] = frequencies[k];
      for (gsize i = 0; i < response->n_outputs; i++)
        response->density[i * response->n + k] = own[i];
    }
  return TRUE;
}

static void
store_integrals (const Integration *self, IfbamRandomResponse *response,
                 const gboolean *is_infinite)
{
  for (gsize i = 0; i < response->n_outputs; i++)
    {
      const double square = self->sum[i];

      response->root_mean_square[i] = is_infinite[i] ? INFINITY : sqrt (square);
      response->apparent_frequency[i] =
          is_infinite[i] || square == 0 ? NAN : sqrt (self->sum[response->n_outputs + i] / square);
    }
  response->input = sqrt (self->sum[2 * response->n_outputs]);
}

IfbamRandomResponse *
ifbam_random_response_new (const IfbamResponseSystem *system, const IfbamDensity *density,
                           const double *frequencies, gsize n, IfbamResponseProgress progress,
                           gpointer data, GError **error)
{
  g_autoptr (IfbamRandomResponse) response = g_new0 (IfbamRandomResponse, 1);
  const gsize n_outputs = system->rows->len;
  g_autofree double complex *outputs = g_new0 (double complex, n_outputs + 1);
  g_autofree double *sum = g_new0 (double, 2 * n_outputs + 1);
  g_autofree double *whole = g_new0 (double, 2 * n_outputs + 1);
  g_autofree gboolean *is_infinite = g_new0 (gboolean, n_outputs + 1);
  g_autoptr (GArray) limits = list_limits (density, frequencies, n);
  Integration self = { .system = system,
                       .density = density,
                       .n_outputs = n_outputs,
                       .n = 2 * n_outputs + 1,
                       .outputs = outputs,
                       .sum = sum,
                       .whole = whole,
                       .progress = progress,
                       .data = data,
                       .error = error };

  response->n = n;
  response->n_outputs = n_outputs;
  response->frequency = g_new0 (double, n + 1);
  response->density = g_new0 (double, n_outputs *n + 1);
  response->root_mean_square = g_new0 (double, n_outputs + 1);
  response->apparent_frequency = g_new0 (double, n_outputs + 1);
  if (!fill_densities (&self, response, frequencies)
      || !mark_resonances (&self, frequencies[0], frequencies[n - 1], is_infinite)
      || !integrate (&self, limits))
    return NULL;
  store_integrals (&self, response, is_infinite);
  return g_steal_pointer (&response);
}

void
ifbam_random_response_free (IfbamRandomResponse *response)
{
  if (response == NULL)
    return;
  g_free (response->frequency);
  g_free (response->density);
  g_free (response->root_mean_square);
  g_free (response->apparent_frequency);
  g_free (response);
}
