/* transconductance.c: forces by the motion of other nodes: amplifiers, oil films, active
 * suspensions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/transconductance-law.h"

#define INPUT(meaning)                                                                             \
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_INPUT, "input", 1, 2, IFBAM_REQUIRED, meaning)

static const IfbamParam transconductance_params[] = {
  IFBAM_PARAM (TransferLaw, slope, "transconductance", "S", -G_MAXDOUBLE, G_MAXDOUBLE,
               IFBAM_REQUIRED, "current per volt of the input, out of LEFT and into RIGHT"),
  IFBAM_PARAM (TransferLaw, limit, "limit", "A", G_MINDOUBLE, G_MAXDOUBLE, 0,
               "limit of the current, approached as a tanh; default: linear"),
  IFBAM_PARAM_BETWEEN,
  INPUT ("nodes of the controlling voltage: PLUS, MINUS; one node: against ground"),
};

static const IfbamParam cross_damper_params[] = {
  IFBAM_PARAM (TransferLaw, slope, "damping", "N s/m", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per velocity of the input; it pushes LEFT backward and RIGHT forward"),
  IFBAM_PARAM (TransferLaw, limit, "limit", "N", G_MINDOUBLE, G_MAXDOUBLE, 0,
               "limit of the force, approached as a tanh; default: linear"),
  IFBAM_PARAM_BETWEEN,
  INPUT ("nodes of the controlling velocity: PLUS, MINUS; one node: against rest"),
};

static const IfbamParam cross_spring_params[] = {
  IFBAM_PARAM (TransferLaw, slope, "stiffness", "N/m", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per position of the input; it pushes LEFT backward and RIGHT forward"),
  IFBAM_PARAM (TransferLaw, limit, "limit", "N", G_MINDOUBLE, G_MAXDOUBLE, 0,
               "limit of the force, approached as a tanh; default: linear"),
  IFBAM_PARAM_BETWEEN,
  INPUT ("nodes of the controlling position: PLUS, MINUS; one node: against rest"),
};

IFBAM_DEFINE_LAW (TransferLaw, rate_transfer, (FORCE, MODE, NO_GUARDS, NO_CONSTRAINT, SLOPES),
                  .geometry = &ifbam_transfer, .active = TRUE, .storeless = TRUE)

IFBAM_DEFINE_LAW (TransferLaw, cross_spring, (FORCE, MODE, NO_GUARDS, NO_CONSTRAINT, SLOPES),
                  .geometry = &ifbam_transfer, .active = TRUE, .storeless = TRUE)

IFBAM_DEFINE_LINK (
    Transconductance, transconductance, TransferLaw, rate_transfer, .name = "transconductance",
    .summary = "current source driven by a voltage: transistor, amplifier",
    .law = "I = transconductance * V, V = v_plus - v_minus of the input; with a limit: I = limit "
           "* tanh(transconductance * V / limit)",
    .source = "Gray & Meyer 1977, Analysis and Design of Analog Integrated Circuits",
    .example = "[transconductance q1]\ntransconductance = 40 mS\nbetween          = collector, "
               "emitter\ninput            = base, common\n",
    .symbol = "M-20 0h6M-14 0l14-9 14 9-14 9zM14 0h6M-6 0h10M4 0l-4-3M4 0l-4 3",
    .domain = IFBAM_DOMAIN_ELECTRICITY, .input_slot = IFBAM_SLOT_INPUT)

IFBAM_DEFINE_LINK (
    CrossDamper, cross_damper, TransferLaw, rate_transfer, .name = "cross-damper",
    .summary = "force by the velocity of other nodes: controlled suspension, bearing",
    .law = "F = damping * (v_plus - v_minus) of the input; with a limit: F = limit * tanh(damping "
           "* (v_plus - v_minus) / limit)",
    .source = "Karnopp, Crosby & Harwood 1974, Vibration control using semi-active force "
              "generators",
    .example = "[cross-damper skyhook]\ndamping = 1.5 kN s/m\nbetween = body, wheel\n"
               "input   = seat\n",
    .symbol = "M-20 0h6M-14 0l14-9 14 9-14 9zM14 0h6M-5-3v6h8M-5-3h8M-1-1v2M-1 0h6",
    .domain = IFBAM_DOMAIN_TRANSLATION, .input_slot = IFBAM_SLOT_INPUT)

IFBAM_DEFINE_LINK (
    CrossSpring, cross_spring, TransferLaw, cross_spring, .name = "cross-spring",
    .summary = "force by the position of other nodes: rotor in oil, magnetic bearing",
    .law = "F = stiffness * (x_plus - x_minus) of the input; with a limit: F = limit * "
           "tanh(stiffness * (x_plus - x_minus) / limit)",
    .source = "Newkirk & Taylor 1925, Shaft whipping due to oil action in journal bearings",
    .example = "[cross-spring oil]\nstiffness = 20 kN/m\nbetween   = across, housing\n"
               "input     = up, frame\n",
    .symbol = "M-20 0h6M-14 0l14-9 14 9-14 9zM14 0h6M-6 0l2-3 3 6 3-6 2 3",
    .domain = IFBAM_DOMAIN_TRANSLATION, .input_slot = IFBAM_SLOT_INPUT)
