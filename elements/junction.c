/* junction.c: a massless node
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/junction-law.h"
#include "element/element.h"

static const IfbamParam junction_params[] = {
  IFBAM_PARAM (JunctionLaw, position, "position", "%x", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "where it is at the start, as far as the balance leaves it open"),
};

static double
junction_node_inertia (const void *law)
{
  return junction_inertia (law);
}

/* The balance of forces determines the velocity. */
static IfbamMotion
junction_node_initial (const void *law)
{
  return (IfbamMotion){ .position = ((const JunctionLaw *) law)->position };
}

static const IfbamElementInfo junction_info = {
  .name = "junction",
  .summary = "node without inertia, of the kind of its links",
  .law = "0 = sum of the forces; under implicit-euler, tr-bdf2 and esdirk4",
  .source = "Kirchhoff 1845; d'Alembert 1743, Traite de dynamique",
  .example = "[junction joint]\n",
  .symbol = "M-20 0a20 20 0 1 1 40 0 20 20 0 1 1-40 0",
  .kind = IFBAM_KIND_FREE_NODE,
  .domain = IFBAM_DOMAIN_ANY,
  IFBAM_PARAMS_OF (junction),
  .law_size = sizeof (JunctionLaw),
  .inertia = junction_node_inertia,
  .initial = junction_node_initial,
};

IFBAM_DEFINE_ELEMENT (Junction, junction)
