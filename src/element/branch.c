/* branch.c: bilateral constraints between a branch and its two nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/branch.h"

#include "element/link-class.h"

typedef struct
{
  double unused;
} BranchLaw;

IFBAM_DEFINE_LAW (BranchLaw, branch_distance, (FIXED), .geometry = &ifbam_branch_distance,
                  .name = "tie")
IFBAM_DEFINE_LAW (BranchLaw, branch_difference, (FIXED), .geometry = &ifbam_branch_difference,
                  .name = "tie")

const IfbamElementInfo ifbam_branch_distance_info = {
  .name = "tie",
  .summary = "ties a node's coordinate to the distance of two others",
  .kind = IFBAM_KIND_LINK,
  .domain = IFBAM_DOMAIN_ANY,
  .law_size = sizeof (BranchLaw),
  .link = &branch_distance_law,
};

const IfbamElementInfo ifbam_branch_difference_info = {
  .name = "tie",
  .summary = "ties a node's coordinate to the difference of two others",
  .kind = IFBAM_KIND_LINK,
  .domain = IFBAM_DOMAIN_ANY,
  .law_size = sizeof (BranchLaw),
  .link = &branch_difference_law,
};
