/* state-node.c: a node within a link that holds an internal state of its law
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/state-node.h"

typedef struct
{
  double start;
} InnerLaw;

static double
inner_inertia (const void *law)
{
  (void) law;
  return 1.0;
}

static IfbamMotion
inner_initial (const void *law)
{
  return (IfbamMotion){ 0.0, ((const InnerLaw *) law)->start, 0.0 };
}

static const IfbamParam inner_params[] = {
  IFBAM_PARAM (InnerLaw, start, "start", "1", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "the state at the start"),
};

static const IfbamElementInfo inner_info = {
  .name = "inner",
  .summary = "node of an internal state of a link",
  .kind = IFBAM_KIND_FREE_NODE,
  .domain = IFBAM_DOMAIN_ANY,
  .law_size = sizeof (InnerLaw),
  .inertia = inner_inertia,
  .initial = inner_initial,
  IFBAM_PARAMS_OF (inner),
};

const IfbamElementInfo *
ifbam_state_node_info (void)
{
  return &inner_info;
}
