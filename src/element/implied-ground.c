/* implied-ground.c: ground at the missing end of links with one end
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/implied-ground.h"

static IfbamMotion
rest_motion (const void *law, const IfbamInterpolant *course, double time)
{
  (void) law;
  (void) course;
  (void) time;
  return (IfbamMotion){ 0.0, 0.0, 0.0 };
}

static const IfbamElementInfo rest_info = {
  .name = "rest",
  .summary = "fixed node at the other end of links with one end",
  .kind = IFBAM_KIND_GIVEN_NODE,
  .domain = IFBAM_DOMAIN_ANY,
  .motion = rest_motion,
  .fixed = TRUE,
};

IFBAM_DEFINE_ELEMENT (Rest, rest)

IfbamElement *
ifbam_implied_ground_new (void)
{
  return ifbam_element_new (ifbam_rest_get_type (), "rest");
}
