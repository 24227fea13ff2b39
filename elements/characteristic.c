/* characteristic.c: any force law by its points, between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/characteristic.h"

static const IfbamParam params[] = {
  CHARACTERISTIC_PARAMS ("m", "N", "force"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_LINK_SLOTS (CharacteristicLaw, characteristic)
IFBAM_DEFINE_LINK_CLASS (
    Characteristic, characteristic, CharacteristicLaw,
    (.event = characteristic_event, IFBAM_LINK_CLASS (characteristic)), .name = "characteristic",
    .summary = "any force law, given by its points",
    .law = "F = straight between the points (compression, force) and beyond them",
    .source = "linear interpolation, de Boor 1978, chapter III",
    .example = "[characteristic buffer]\ncompression = -1 mm, 0 mm, 5 mm, 8 mm\n"
               "force       = 0 N, 0 N, 100 N, 1 kN\nbetween     = wagon, stop\n",
    .symbol = "M-20 0h6M-14-10h28v20h-28zM-11 6l8-2 6-8 8-3M14 0h6",
    .domain = IFBAM_DOMAIN_TRANSLATION, .prepare = characteristic_prepare,
    .fault = characteristic_fault, .free_extra = ifbam_element_table_free)
