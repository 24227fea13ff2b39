/* torsion-characteristic.c: any torque law by its points, between two angles
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/characteristic.h"

static const IfbamParam params[] = {
  CHARACTERISTIC_PARAMS ("rad", "N m", "torque"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_LINK_SLOTS (CharacteristicLaw, characteristic)
IFBAM_DEFINE_LINK_CLASS (
    TorsionCharacteristic, torsion_characteristic, CharacteristicLaw,
    (.event = characteristic_event, IFBAM_LINK_CLASS (characteristic)),
    .name = "torsion-characteristic", .summary = "any torque law, given by its points",
    .law = "T = straight between the points (compression, force) and beyond them",
    .source = "linear interpolation, de Boor 1978, chapter III",
    .example = "[torsion-characteristic clutch]\ncompression = -2 deg, -1 deg, 1 deg, 2 deg\n"
               "force       = -50 N m, -5 N m, 5 N m, 50 N m\nbetween     = motor, load\n",
    .symbol = "M-20 0h6M-14-10h28v20h-28zM-11 6l8-2 6-8 8-3M14 0h6",
    .domain = IFBAM_DOMAIN_ROTATION, .prepare = characteristic_prepare,
    .fault = characteristic_fault, .free_extra = ifbam_element_table_free)
