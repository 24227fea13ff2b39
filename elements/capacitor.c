/* capacitor.c: the mass's law for flux linkage and current: a node with its capacitance to ground
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/mass-law.h"
#include "element/node.h"

static const IfbamParam params[] = {
  IFBAM_PARAM (MassLaw, mass, "capacitance", "F", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "its capacitance to ground"),
  IFBAM_PARAM (MassLaw, position, "flux", "V s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "flux linkage at the start, in which only inductors take an interest"),
  IFBAM_PARAM (MassLaw, velocity, "voltage", "V", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "voltage to ground at the start"),
};

IFBAM_DEFINE_FREE_NODE (Capacitor, capacitor, MassLaw, mass, .name = "capacitor",
                        .summary = "electrical node with a capacitance to ground",
                        .law = "capacitance * d voltage / dt = sum of the currents into it",
                        .source = "Faraday 1838; as a mass: Firestone 1933",
                        .example = "[capacitor c1]\ncapacitance = 100 nF\nvoltage     = 5 V\n",
                        .domain = IFBAM_DOMAIN_ELECTRICITY)
