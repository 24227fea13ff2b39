/* planetary.c: ideal planetary gear: one constraint of three shafts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"

typedef struct
{
  double ratio; /* must be first: parameter of the geometry */
} PlanetaryLaw;

static const IfbamParam planetary_params[] = {
  IFBAM_PARAM (PlanetaryLaw, ratio, "ratio", "", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "teeth of the ring per tooth of the sun; below 0: of planets in pairs"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 3, 3, IFBAM_REQUIRED,
                         "the shafts that it joins: SUN, CARRIER, RING"),
};

static char *
planetary_fault (IfbamElement *element, const char **key)
{
  const PlanetaryLaw *law = (const PlanetaryLaw *) ifbam_element_law (element);

  *key = "ratio";
  if (!ifbam_element_is_set (element, 0))
    return NULL;
  return law->ratio == 0 ? g_strdup ("is 0: the ring would have no effect (want a ratio of teeth)")
         : law->ratio == -1
             ? g_strdup ("is -1: the carrier would have no effect (want another ratio "
                         "of teeth)")
             : NULL;
}

IFBAM_DEFINE_LAW (PlanetaryLaw, planetary, (FIXED), .geometry = &ifbam_planet)

IFBAM_DEFINE_LINK (Planetary, planetary, PlanetaryLaw, planetary, .name = "planetary",
                   .summary = "ideal planetary gear of three shafts: sun, carrier and ring",
                   .law = "speed_sun + ratio * speed_ring = (1 + ratio) * speed_carrier; their "
                          "torques are as 1 : ratio : -(1 + ratio)",
                   .source = "Willis 1841, Principles of Mechanism",
                   .example = "[planetary p1]\nratio   = 2.5\nbetween = sun, carrier, ring\n",
                   .symbol = "M-20 0h4a16 16 0 1 1 32 0 16 16 0 1 1-32 0M-6 0a6 6 0 1 1 12 0 6 6 0"
                             " 1 1-12 0M16 0h4",
                   .domain = IFBAM_DOMAIN_ROTATION, .fault = planetary_fault)
