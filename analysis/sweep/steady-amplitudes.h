/* steady-amplitudes.h: steady motion under all sine sources of a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"

/* A source or given node with a sine. */
typedef struct
{
  char *name, *input;       /* "blades"; "force@propeller", see response.h */
  double frequency;         /* [Hz] */
  double complex amplitude; /* of exp (2 pi i frequency t), in SI */
} IfbamExcitation;

/* Returns the sines of a network, in the order of the file. */
GArray *ifbam_excitations_list (const IfbamModel *model);

typedef struct
{
  guint n;
  GPtrArray *names, *units; /* of the signals (n) */
  double *amplitude;        /* in SI; NaN: there is no excitation (n) */
} IfbamSteadyAmplitudes;

/* Computes the amplitude of signals (wildcards) in the steady motion about the start: the largest
 * value of the sum of all excitations, with their phases, minus the mean. Excitations with
 * frequencies that have no common period (12 periods of the lowest) count with the sum of their
 * amplitudes. */
gboolean ifbam_steady_amplitudes_find (const IfbamModel *model, const IfbamRunSpec *spec,
                                       GHashTable *by_name, const char *const *signals,
                                       IfbamSteadyAmplitudes *amplitudes, GError **error);
void ifbam_steady_amplitudes_clear (IfbamSteadyAmplitudes *amplitudes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamSteadyAmplitudes, ifbam_steady_amplitudes_clear)
