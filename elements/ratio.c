/* ratio.c: ideal transmission between two nodes by a ratio
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"

typedef struct
{
  double ratio; /* must be first: parameter of the geometry */
} RatioLaw;

static const IfbamParam ratio_params[] = {
  IFBAM_PARAM (
      RatioLaw, ratio, "ratio", "", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
      "motion of the left one per motion of the right one, in their SI units; below 0 they go "
      "oppositely"),
  IFBAM_PARAM_BETWEEN,
};

static char *
ratio_fault (IfbamElement *element, const char **key)
{
  const RatioLaw *law = (const RatioLaw *) ifbam_element_law (element);

  *key = "ratio";
  return law->ratio == 0 && ifbam_element_is_set (element, 0)
             ? g_strdup ("is 0: the right one would have no effect (want a ratio of motions)")
             : NULL;
}

IFBAM_DEFINE_LAW (RatioLaw, ratio, (FIXED), .geometry = &ifbam_ratio_constraint)

IFBAM_DEFINE_LINK (
    Ratio, ratio, RatioLaw, ratio, .name = "ratio",
    .summary = "ideal transmission between nodes of any kind: lever, gear, rack, transformer",
    .law = "v_left = ratio * v_right; the right one gets ratio * F",
    .source = "d'Alembert 1743, Traite de dynamique",
    .example = "[ratio rack]\nratio   = 0.02\nbetween = table, pinion\n",
    .symbol = "M-20 0h4a8 8 0 1 1 16 0 8 8 0 1 1-16 0M0 0a8 8 0 1 1 16 0 8 8 0"
              " 1 1-16 0M16 0h4",
    .domain = IFBAM_DOMAIN_ANY, .fault = ratio_fault)
