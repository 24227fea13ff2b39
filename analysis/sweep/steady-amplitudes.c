/* steady-amplitudes.c: steady motion under all sine sources of a network
 *
 * Each excitation has a linear response (linear/response.h). Those of one frequency are added as
 * complex amplitudes; the sum over frequencies is examined over their common period.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/steady-amplitudes.h"

#include <math.h>
#include <string.h>

#include "base/compare.h"

/* Relative difference of frequencies that is rounding. */
#define EQUAL 1e-9
/* A common period has at most this many periods of the lowest frequency, */
#define COMMON_PERIODS 12
/* and is examined at this many points per period of the highest one: the largest value is missed by
 * at most (pi / POINTS)^2 / 2. */
#define POINTS 512
/* Bounds the work for very different frequencies. */
#define MAX_POINTS 1000000

static double
number_of (const IfbamElementInfo *info, const void *law, const char *key)
{
  const int index = ifbam_element_param_index (info, key);

  return index < 0
             ? 0
             : *(const double *) (gconstpointer) ((const char *) law + info->params[index].offset);
}

/* Adds the sine of an element with a waveform, if it has one. */
static void
add_sine (GArray *list, const IfbamElementInfo *info, const void *law, const char *name,
          char *input)
{
  const double amplitude = number_of (info, law, "amplitude");
  const double phase = number_of (info, law, "phase");
  IfbamExcitation own = { NULL, input, number_of (info, law, "frequency"), 0 };

  if (ifbam_element_param_index (info, "wave") < 0
      || number_of (info, law, "wave") != IFBAM_WAVE_SINE || amplitude == 0 || !(own.frequency > 0))
    {
      g_free (input);
      return;
    }
  own.name = g_strdup (name);
  own.amplitude = amplitude * (sin (phase) - I * cos (phase)); /* sin (omega t + phase) */
  g_array_append_val (list, own);
}

/* Returns the input of a given node: its waveform sets a coordinate (unit "%x") or a rate. */
static char *
motion_input (const IfbamModel *model, gsize node, const IfbamElement *element)
{
  const IfbamDomainInfo *domain = ifbam_domain_info (ifbam_model_node_domain (model, node));
  const int index = ifbam_element_param_index (element->info, "amplitude");
  const gboolean is_rate = index >= 0 && g_strcmp0 (element->info->params[index].unit, "%x") != 0;

  return g_strdup_printf ("%s@%s", is_rate ? domain->rate : domain->coordinate, element->name);
}

static void
excitation_clear (gpointer data)
{
  IfbamExcitation *own = data;

  g_free (own->name);
  g_free (own->input);
}

GArray *
ifbam_excitations_list (const IfbamModel *model)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (IfbamExcitation));

  g_array_set_clear_func (list, excitation_clear);
  for (gsize i = 0; i < model->n_sources; i++)
    {
      const IfbamSource *source = ifbam_model_source_of (model, i);
      const gsize node = model->source_node[i];
      g_autofree char *name = node < model->n_free ? ifbam_model_node_name (model, node) : NULL;

      if (name != NULL)
        add_sine (list, source->info, source->law, source->name,
                  g_strdup_printf ("force@%s", name));
    }
  for (gsize i = 0; i < model->elements->len; i++)
    {
      const IfbamElement *element = model->elements->pdata[i];
      const IfbamElementIndex index = ifbam_model_element_index (model, element);

      if (ifbam_element_kind (element) == IFBAM_KIND_GIVEN_NODE && index.index < model->n_nodes)
        add_sine (list, element->info, ifbam_element_law (element), element->name,
                  motion_input (model, index.index, element));
    }
  return list;
}

/* Excitations of one frequency. */
typedef struct
{
  double frequency;
  double complex *sum; /* of each signal (n) */
} Tone;

static void
tone_clear (gpointer data)
{
  g_free (((Tone *) data)->sum);
}

static Tone *
find_tone (GArray *tones, double frequency, guint n)
{
  Tone own = { frequency, NULL };

  for (guint i = 0; i < tones->len; i++)
    {
      Tone *tone = &g_array_index (tones, Tone, i);

      if (fabs (tone->frequency - frequency) <= EQUAL * frequency)
        return tone;
    }
  own.sum = g_new0 (double complex, n + 1);
  g_array_append_val (tones, own);
  return &g_array_index (tones, Tone, tones->len - 1);
}

static int
compare_tones (gconstpointer a, gconstpointer b)
{
  return ifbam_compare_doubles (&((const Tone *) a)->frequency, &((const Tone *) b)->frequency);
}

/* Returns the number of periods of the first tone after which all tones repeat; 0: too many. */
static guint
common_periods (const GArray *tones)
{
  const double first = g_array_index (tones, Tone, 0).frequency;

  for (guint periods = 1; periods <= COMMON_PERIODS; periods++)
    {
      gboolean all = TRUE;

      for (guint i = 0; i < tones->len; i++)
        {
          const double whole = g_array_index (tones, Tone, i).frequency / first * periods;

          all &= fabs (whole - rint (whole)) <= EQUAL * whole && rint (whole) >= 1;
        }
      if (all)
        return periods;
    }
  return 0;
}

/* Returns the largest magnitude of a signal's sum of tones. */
static double
largest_sum (const GArray *tones, guint signal)
{
  const guint periods = tones->len < 2 ? 0 : common_periods (tones);
  const double first = tones->len == 0 ? 1 : g_array_index (tones, Tone, 0).frequency;
  double highest = 0, sum = 0, largest = 0, points;

  for (guint i = 0; i < tones->len; i++)
    {
      const Tone *tone = &g_array_index (tones, Tone, i);

      highest = fmax (highest, tone->frequency);
      sum += cabs (tone->sum[signal]);
    }
  points = highest / first * periods * POINTS;
  if (periods == 0 || points > MAX_POINTS || !isfinite (sum))
    return tones->len == 0 ? NAN : sum;
  for (double k = 0; k < points; k++)
    {
      double now = 0;

      for (guint i = 0; i < tones->len; i++)
        {
          const Tone *tone = &g_array_index (tones, Tone, i);

          now += creal (tone->sum[signal]
                        * cexp (I * (2 * G_PI * tone->frequency / first * periods * k / points)));
        }
      largest = fmax (largest, fabs (now));
    }
  return largest;
}

/* Adds the response to one excitation to the amplitudes' tones. */
static gboolean
add_response (const IfbamResponseSystem *system, const IfbamExcitation *excitation,
              IfbamSteadyAmplitudes *amplitudes, GArray *tones, GError **error)
{
  const guint n = system->rows->len;
  g_autofree double complex *outputs = g_new0 (double complex, n + 1);
  Tone *tone;

  if (amplitudes->names == NULL)
    {
      amplitudes->n = n;
      amplitudes->names = g_ptr_array_ref (system->signals->names);
      amplitudes->units = g_ptr_array_ref (system->signals->units);
    }
  if (!ifbam_response_at (system, excitation->frequency, outputs, NULL, error))
    return FALSE;
  tone = find_tone (tones, excitation->frequency, n);
  for (guint i = 0; i < n; i++)
    tone->sum[i] += isinf (creal (outputs[i])) ? INFINITY : outputs[i] * excitation->amplitude;
  return TRUE;
}

gboolean
ifbam_steady_amplitudes_find (const IfbamModel *model, const IfbamRunSpec *spec,
                              GHashTable *by_name, const char *const *signals,
                              IfbamSteadyAmplitudes *amplitudes, GError **error)
{
  g_autoptr (GArray) excitations = ifbam_excitations_list (model);
  g_autoptr (GArray) tones = g_array_new (FALSE, FALSE, sizeof (Tone));

  *amplitudes = (IfbamSteadyAmplitudes){ 0 };
  g_array_set_clear_func (tones, tone_clear);
  for (guint i = 0; i < excitations->len; i++)
    {
      const IfbamExcitation *excitation = &g_array_index (excitations, IfbamExcitation, i);
      g_autoptr (IfbamResponseSystem) system =
          ifbam_response_system_new (model, spec, by_name, excitation->input, signals, error);

      if (system == NULL || !add_response (system, excitation, amplitudes, tones, error))
        return FALSE;
    }
  g_array_sort (tones, compare_tones);
  amplitudes->amplitude = g_new0 (double, amplitudes->n + 1);
  for (guint i = 0; i < amplitudes->n; i++)
    amplitudes->amplitude[i] = largest_sum (tones, i);
  return TRUE;
}

void
ifbam_steady_amplitudes_clear (IfbamSteadyAmplitudes *amplitudes)
{
  g_clear_pointer (&amplitudes->names, g_ptr_array_unref);
  g_clear_pointer (&amplitudes->units, g_ptr_array_unref);
  g_clear_pointer (&amplitudes->amplitude, g_free);
}
