/* state-node.c: a node within a link that holds an internal state of its law
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/state-node.h"

typedef struct
{
  double start;
} StateNodeLaw;

static double
state_node_inertia (const void *law)
{
  (void) law;
  return 1.0;
}

static IfbamMotion
state_node_initial (const void *law)
{
  return (IfbamMotion){ 0.0, ((const StateNodeLaw *) law)->start, 0.0 };
}

static const IfbamParam state_node_params[] = {
  IFBAM_PARAM (StateNodeLaw, start, "start", "1", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "the state at the start"),
};

static const IfbamElementInfo state_node_info = {
  .name = "inner",
  .summary = "node of an internal state of a link",
  .kind = IFBAM_KIND_FREE_NODE,
  .domain = IFBAM_DOMAIN_ANY,
  .law_size = sizeof (StateNodeLaw),
  .inertia = state_node_inertia,
  .initial = state_node_initial,
  IFBAM_PARAMS_OF (state_node),
};

const IfbamElementInfo *
ifbam_state_node_info (void)
{
  return &state_node_info;
}
