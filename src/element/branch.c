/* branch.c: links that tie a branch's coordinate to the difference of two nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/branch.h"

#include "element/link-class.h"

typedef struct
{
  double nothing;
} TieLaw;

IFBAM_DEFINE_LAW (TieLaw, apart, (FIXED), .geometry = &ifbam_apart, .name = "tie")
IFBAM_DEFINE_LAW (TieLaw, together, (FIXED), .geometry = &ifbam_together, .name = "tie")

const IfbamElementInfo ifbam_tie_apart = {
  .name = "tie",
  .summary = "ties a node's coordinate to the distance of two others",
  .kind = IFBAM_KIND_LINK,
  .domain = IFBAM_DOMAIN_ANY,
  .law_size = sizeof (TieLaw),
  .link = &apart_law,
};

const IfbamElementInfo ifbam_tie_together = {
  .name = "tie",
  .summary = "ties a node's coordinate to the difference of two others",
  .kind = IFBAM_KIND_LINK,
  .domain = IFBAM_DOMAIN_ANY,
  .law_size = sizeof (TieLaw),
  .link = &together_law,
};
