/* state-space.h: small motions of a network as a state space, for control engineering
 *
 * E z' = A z + B u, y = C z + D u. States z are coordinates, their rates, and for an input that is
 * a rate or acceleration of a given node also the position (and rate) of that node. E is diagonal
 * with entries 0 or 1; a 0 belongs to the balance of forces at a massless coordinate.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/response-system.h"

typedef struct
{
  gsize n, n_inputs, n_outputs;
  GPtrArray *states, *inputs, *outputs;  /* char*: names */
  GPtrArray *state_units;                /* char* */
  GPtrArray *input_units, *output_units; /* const char*, static */
  double *e;                             /* diagonal of E (n); NULL: E is the unit matrix */
  double *a, *b, *c, *d; /* by rows: n x n, n x n_inputs, n_outputs x n, n_outputs x n_inputs */
  char **nonlinear;      /* names of links with nonlinear laws, linearised at the start */
} IfbamStateSpace;

/* inputs: QUANTITY@NODE as of a response, NULL-terminated, at least one; outputs: signals as there
 * (NULL: positions of the free nodes). IFBAM_ERROR_USAGE: wrong names, or an output that needs a
 * derivative of an input; IFBAM_ERROR_NETWORK: no linear motion, loss factors, too many states. */
IfbamStateSpace *ifbam_state_space_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                        GHashTable *by_name, const char *const *inputs,
                                        const char *const *outputs, GError **error);
void ifbam_state_space_free (IfbamStateSpace *space);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamStateSpace, ifbam_state_space_free)

/* Returns the state space as JSON (transfer full). */
char *ifbam_state_space_json (const IfbamStateSpace *space, const char *title);
