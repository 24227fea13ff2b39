/* ifbam-response.h: frequency response of a network linearised about its start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-network.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define IFBAM_TYPE_RESPONSE (ifbam_response_get_type ())
G_DECLARE_FINAL_TYPE (IfbamResponse, ifbam_response, IFBAM, RESPONSE, GObject)

IfbamResponse *ifbam_response_new (IfbamNetwork *network, const char *input,
                                   const char *const *outputs, const double *frequencies,
                                   gsize n_frequencies, GError **error);

const double *ifbam_response_get_frequencies (IfbamResponse *response, gsize *n_frequencies);
const char *const *ifbam_response_get_outputs (IfbamResponse *response);
const char *ifbam_response_get_unit (IfbamResponse *response, gsize output);
const double *ifbam_response_get_amplitudes (IfbamResponse *response, gsize output,
                                             gsize *n_frequencies);
const double *ifbam_response_get_phases (IfbamResponse *response, gsize output,
                                         gsize *n_frequencies);
GBytes *ifbam_response_get_frequency_bytes (IfbamResponse *response);
GBytes *ifbam_response_get_amplitude_bytes (IfbamResponse *response, gsize output);
GBytes *ifbam_response_get_phase_bytes (IfbamResponse *response, gsize output);
char **ifbam_response_list_nonlinear (IfbamResponse *response);

#pragma GCC visibility pop
G_END_DECLS
