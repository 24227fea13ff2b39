/* mass.c: point mass with one coordinate
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/mass-law.h"
#include "element/element.h"

static const IfbamParam mass_params[] = {
  IFBAM_PARAM_ADVISED (MassLaw, mass, "mass", "kg", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
                       "its inertia", "a [junction] is without"),
  IFBAM_PARAM (MassLaw, position, "position", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "displacement at the start"),
  IFBAM_PARAM (MassLaw, velocity, "velocity", "m/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "velocity at the start"),
};

IFBAM_DEFINE_FREE_NODE (Mass, mass, MassLaw, mass, .name = "mass",
                        .summary = "point mass that moves along a line",
                        .law = "mass * acceleration = sum of the forces",
                        .source = "Newton 1687; Grabysz 1994, eq. 4.1",
                        .example = "[mass m1]\nmass     = 1 kg\nposition = 1 mm\n",
                        .symbol = "M-20-20h40v40h-40z", .domain = IFBAM_DOMAIN_TRANSLATION)

/* Moment of inertia about an axis */

static const IfbamParam inertia_params[] = {
  IFBAM_PARAM_ADVISED (MassLaw, mass, "inertia", "kg m2", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
                       "its moment of inertia", "a [junction] is without"),
  IFBAM_PARAM (MassLaw, position, "angle", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "angle at the start"),
  IFBAM_PARAM (MassLaw, velocity, "speed", "rad/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "angular speed at the start"),
};

IFBAM_DEFINE_FREE_NODE (Inertia, inertia, MassLaw, mass, .name = "inertia",
                        .summary = "moment of inertia that turns about an axis",
                        .law = "inertia * angular acceleration = sum of the torques",
                        .source = "Newton 1687; Euler 1765",
                        .example = "[inertia wheel]\ninertia = 0.2 kg m2\nspeed   = 300 rpm\n",
                        .symbol = "M-20-12q0-8 8-8h24q8 0 8 8v24q0 8-8 8h-24q-8 0-8-8z",
                        .domain = IFBAM_DOMAIN_ROTATION)

/* The mass's law for flux linkage and current: a node with its capacitance to ground */

static const IfbamParam capacitor_params[] = {
  IFBAM_PARAM_ADVISED (MassLaw, mass, "capacitance", "F", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
                       "its capacitance to ground", "a [junction] is without"),
  IFBAM_PARAM (MassLaw, position, "flux", "V s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "flux linkage at the start; only inductors use it"),
  IFBAM_PARAM (MassLaw, velocity, "voltage", "V", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "voltage to ground at the start, or between its ends"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 2, 2, 0,
                         "two nodes, LEFT, RIGHT; default: it is a node itself"),
};

IFBAM_DEFINE_FREE_NODE (
    Capacitor, capacitor, MassLaw, mass, .name = "capacitor",
    .summary = "electrical node with a capacitance to ground, or a capacitor "
               "between two nodes",
    .law = "capacitance * d voltage / dt = sum of the currents into it; between "
           "two nodes, voltage = v_left - v_right: the current from left to "
           "right",
    .source = "Faraday 1838; as a mass: Firestone 1933",
    .example = "[capacitor c1]\ncapacitance = 100 nF\nvoltage     = 5 V\n",
    .domain = IFBAM_DOMAIN_ELECTRICITY, .branch_link = &ifbam_branch_difference_info)

/* The mass's law for the elongation between two nodes: an inerter */

#define INERTER_PARAMS(key, unit, start, rate)                                                     \
  IFBAM_PARAM (MassLaw, mass, key, unit, G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,                 \
               "force per relative acceleration of its ends"),                                     \
      IFBAM_PARAM (MassLaw, position, start, "%x", -G_MAXDOUBLE, G_MAXDOUBLE, 0,                   \
                   "elongation at the start; without effect on the motion"),                       \
      IFBAM_PARAM (MassLaw, velocity, rate, "%v", -G_MAXDOUBLE, G_MAXDOUBLE, 0,                    \
                   "rate of elongation at the start; default: that of its ends"),                  \
      IFBAM_PARAM_BETWEEN_BRANCH

static const IfbamParam inerter_params[] = { INERTER_PARAMS ("inertance", "kg", "position",
                                                             "velocity") };

IFBAM_DEFINE_FREE_NODE (
    Inerter, inerter, MassLaw, mass, .name = "inerter",
    .summary = "inertia between two nodes: force by their relative acceleration",
    .law = "F = inertance * (acceleration_left - acceleration_right); its "
           "position is x_right - x_left",
    .source = "Smith 2002, Synthesis of mechanical networks: the inerter",
    .example = "[inerter b1]\ninertance = 20 kg\nbetween   = wheel, body\n",
    .symbol = "M-20-12q0-8 8-8h24q8 0 8 8v24q0 8-8 8h-24q-8 0-8-8z",
    .domain = IFBAM_DOMAIN_TRANSLATION, .branch_link = &ifbam_branch_distance_info)

static const IfbamParam torsion_inerter_params[] = { INERTER_PARAMS ("inertance", "kg m2", "angle",
                                                                     "speed") };

IFBAM_DEFINE_FREE_NODE (
    TorsionInerter, torsion_inerter, MassLaw, mass, .name = "torsion-inerter",
    .summary = "inertia between two shafts: torque by their relative acceleration",
    .law = "T = inertance * (acceleration_left - acceleration_right); its "
           "angle is that of the right one beyond the left one's",
    .source = "Smith 2002, Synthesis of mechanical networks: the inerter",
    .example = "[torsion-inerter b1]\ninertance = 0.2 kg m2\n"
               "between   = motor, load\n",
    .symbol = "M-20-12q0-8 8-8h24q8 0 8 8v24q0 8-8 8h-24q-8 0-8-8z",
    .domain = IFBAM_DOMAIN_ROTATION, .branch_link = &ifbam_branch_distance_info)

/* The mass's law for volume and pressure: the liquid in a pipe */

static const IfbamParam pipe_params[] = {
  IFBAM_PARAM_ADVISED (MassLaw, mass, "inertance", "kg/m4", G_MINDOUBLE, G_MAXDOUBLE,
                       IFBAM_REQUIRED, "density * length / area of the liquid in it",
                       "a [junction] is without"),
  IFBAM_PARAM (MassLaw, position, "volume", "m3", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "that has gone through it at the start"),
  IFBAM_PARAM (MassLaw, velocity, "flow", "m3/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "flow at the start"),
};

IFBAM_DEFINE_FREE_NODE (Pipe, pipe, MassLaw, mass, .name = "pipe",
                        .summary = "pipe with a liquid of some inertia",
                        .law = "inertance * d flow / dt = sum of the pressures on it",
                        .source = "Newton 1687; Merritt 1967, Hydraulic control systems, chapter 3",
                        .example = "[pipe column]\ninertance = 1e6 kg/m4\n",
                        .symbol = "M-20-20h40v40h-40zM-20-16h40M-20 16h40",
                        .domain = IFBAM_DOMAIN_HYDRAULICS)
