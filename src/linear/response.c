/* response.c: frequency response of a network linearised about its start
 *
 * The receptance matrix by one sparse factorisation per frequency (Ewins 2000, "Modal Testing:
 * Theory, Practice and Application", chapter 2): no truncation of modes, any damping.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/response.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/number-text.h"
#include "linear/single-thread-blas.h"

/**
 * IfbamResponse:
 *
 * The frequency response of a network that is linearised about its start: amplitude and phase of
 * outputs per unit of one input. For nonlinear laws it is that of small motions.
 */
struct _IfbamResponse
{
  GObject parent_instance;
  gsize n, n_outputs;
  double *frequency; /* (n) [Hz] */
  char **outputs;    /* names */
  GPtrArray *units;  /* char* */
  double *amplitude; /* (n_outputs)(n) */
  double *phase;     /* (n_outputs)(n) [degrees] */
  char **nonlinear;
};

G_DEFINE_FINAL_TYPE (IfbamResponse, ifbam_response, G_TYPE_OBJECT)

static void
ifbam_response_init (IfbamResponse *response)
{
  (void) response;
}

static void
ifbam_response_finalize (GObject *object)
{
  IfbamResponse *response = IFBAM_RESPONSE (object);

  g_free (response->frequency);
  g_strfreev (response->outputs);
  g_clear_pointer (&response->units, g_ptr_array_unref);
  g_free (response->amplitude);
  g_free (response->phase);
  g_strfreev (response->nonlinear);
  G_OBJECT_CLASS (ifbam_response_parent_class)->finalize (object);
}

static void
ifbam_response_class_init (IfbamResponseClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ifbam_response_finalize;
}

/* An overflow of the matrix would be taken for a resonance. */
static gboolean
check_squares (const IfbamResponseSystem *system, const double *frequencies, gsize n,
               GError **error)
{
  double heaviest = 1;

  for (gsize i = 0; i < system->motions->n; i++)
    heaviest = fmax (heaviest, fabs (system->motions->inertia[i]));
  for (gsize k = 0; k < n; k++)
    {
      const double omega = 2 * G_PI * frequencies[k];

      if (!isfinite (omega * omega * heaviest))
        return ifbam_fail (
            error, IFBAM_ERROR_USAGE,
            "a frequency of %s Hz is too high: its square times the inertia is beyond "
            "all numbers",
            IFBAM_NUMBER (frequencies[k]));
    }
  return TRUE;
}

IfbamResponse *
ifbam_response_new_for_system (const IfbamResponseSystem *system, const double *frequencies,
                               gsize n, IfbamResponseProgress progress, gpointer data,
                               GError **error)
{
  G_GNUC_UNUSED g_auto (IfbamBlas) blas = ifbam_blas_begin ();
  g_autoptr (IfbamResponse) response = g_object_new (IFBAM_TYPE_RESPONSE, NULL);
  const gsize n_outputs = system->rows->len;
  g_autofree double complex *outputs = g_new (double complex, n_outputs + 1);
  g_autofree char *lack = NULL;

  if (!check_squares (system, frequencies, n, error))
    return NULL;
  lack = ifbam_memory_lack (2.0 * (double) n * (double) n_outputs * sizeof (double));
  if (lack != NULL)
    return ifbam_fail_null (error, IFBAM_ERROR_USAGE,
                            "%" G_GSIZE_FORMAT " frequencies of %" G_GSIZE_FORMAT
                            " signals need %s",
                            n, n_outputs, lack);
  response->n = n;
  response->n_outputs = n_outputs;
  response->frequency = g_memdup2 (frequencies, n * sizeof *frequencies);
  response->outputs = g_strdupv ((char **) system->signals->names->pdata);
  response->units = g_ptr_array_ref (system->units);
  response->amplitude = g_new (double, n *n_outputs + 1);
  response->phase = g_new (double, n *n_outputs + 1);
  response->nonlinear = ifbam_small_motions_list_nonlinear (system->motions);
  for (gsize k = 0; k < n; k++)
    {
      if (progress != NULL && !progress (data, (double) k / (double) n))
        {
          ifbam_response_set_interrupted (error);
          return NULL;
        }
      if (!ifbam_response_at (system, frequencies[k], outputs, NULL, error))
        return NULL;
      for (gsize i = 0; i < n_outputs; i++)
        {
          response->amplitude[i * n + k] = cabs (outputs[i]);
          response->phase[i * n + k] = ifbam_response_phase (outputs[i]);
        }
    }
  return g_steal_pointer (&response);
}

/**
 * ifbam_response_get_frequencies:
 * @response: a response
 * @n_frequencies: (out): their number
 *
 * Returns the frequencies of the amplitudes and phases.
 *
 * Returns: (transfer none) (array length=n_frequencies): the frequencies [Hz]
 */
const double *
ifbam_response_get_frequencies (IfbamResponse *response, gsize *n_frequencies)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response), NULL);
  *n_frequencies = response->n;
  return response->frequency;
}

/**
 * ifbam_response_get_frequency_bytes:
 * @response: a response
 *
 * Returns the result of ifbam_response_get_frequencies() as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the frequencies, independent of @response
 */
GBytes *
ifbam_response_get_frequency_bytes (IfbamResponse *response)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response), NULL);
  return ifbam_object_bytes (response, response->frequency, response->n * sizeof (double));
}

/**
 * ifbam_response_get_outputs:
 * @response: a response
 *
 * Returns the names of the outputs, in the order of their indices.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names of the outputs
 */
const char *const *
ifbam_response_get_outputs (IfbamResponse *response)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response), NULL);
  return (const char *const *) response->outputs;
}

/**
 * ifbam_response_get_unit:
 * @response: a response
 * @output: index of an output, from 0
 *
 * Returns the unit of an amplitude.
 *
 * Returns: (transfer none): the output's unit over that of the input: "m/N"; "" if they are equal
 */
const char *
ifbam_response_get_unit (IfbamResponse *response, gsize output)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response) && output < response->n_outputs, NULL);
  return response->units->pdata[output];
}

/**
 * ifbam_response_get_amplitudes:
 * @response: a response
 * @output: index of an output, from 0
 * @n_frequencies: (out): their number
 *
 * Returns amplitudes of an output.
 *
 * Returns: (transfer none) (array length=n_frequencies): the amplitude per unit of the input's, at
 *   each frequency; infinite at the frequency of a driven undamped mode
 */
const double *
ifbam_response_get_amplitudes (IfbamResponse *response, gsize output, gsize *n_frequencies)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response) && output < response->n_outputs, NULL);
  *n_frequencies = response->n;
  return response->amplitude + output * response->n;
}

/**
 * ifbam_response_get_amplitude_bytes:
 * @response: a response
 * @output: index of an output, from 0
 *
 * Returns the result of ifbam_response_get_amplitudes() as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the amplitudes, independent of @response
 */
GBytes *
ifbam_response_get_amplitude_bytes (IfbamResponse *response, gsize output)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response) && output < response->n_outputs, NULL);
  return ifbam_object_bytes (response, response->amplitude + output * response->n,
                             response->n * sizeof (double));
}

/**
 * ifbam_response_get_phases:
 * @response: a response
 * @output: index of an output, from 0
 * @n_frequencies: (out): their number
 *
 * Returns phases of an output.
 *
 * Returns: (transfer none) (array length=n_frequencies): the lead of the output over the input, at
 *   each frequency, from -180 (included) to 180 degrees; NaN if the amplitude is 0 or infinite
 */
const double *
ifbam_response_get_phases (IfbamResponse *response, gsize output, gsize *n_frequencies)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response) && output < response->n_outputs, NULL);
  *n_frequencies = response->n;
  return response->phase + output * response->n;
}

/**
 * ifbam_response_get_phase_bytes:
 * @response: a response
 * @output: index of an output, from 0
 *
 * Returns the result of ifbam_response_get_phases() as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the phases, independent of @response
 */
GBytes *
ifbam_response_get_phase_bytes (IfbamResponse *response, gsize output)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response) && output < response->n_outputs, NULL);
  return ifbam_object_bytes (response, response->phase + output * response->n,
                             response->n * sizeof (double));
}

/**
 * ifbam_response_list_nonlinear:
 * @response: a response
 *
 * Lists nonlinear links, for which the response is that of small motions only.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names, as of ifbam_modes_list_nonlinear()
 */
char **
ifbam_response_list_nonlinear (IfbamResponse *response)
{
  g_return_val_if_fail (IFBAM_IS_RESPONSE (response), NULL);
  return g_strdupv (response->nonlinear);
}
