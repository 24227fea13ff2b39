/* torsion-characteristic.c: any torque law by its points, between two angles
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "characteristic-law.h"
#include "element-table.h"
#include "link-kernel.h"

enum
{
  COMPRESSION = IFBAM_SLOT_BETWEEN + 1,
  FORCE,
};

static const IfbamParam params[] = {
  IFBAM_PARAM_LIST (COMPRESSION, "compression", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
                    "of the points: a list that increases"),
  IFBAM_PARAM_LIST (FORCE, "force", "N m", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
                    "torque at these points; between and beyond them it is a straight line"),
  IFBAM_PARAM_BETWEEN,
};

static void
torsion_characteristic_prepare (IfbamElement *element)
{
  CharacteristicLaw *law = (CharacteristicLaw *) ifbam_element_law (element);

  law->table = ifbam_element_table (element, COMPRESSION, FORCE);
}

static char *
torsion_characteristic_fault (IfbamElement *element, const char **key)
{
  return ifbam_element_table_fault (element, "compression", "force", key);
}

IFBAM_DEFINE_LINK (
    TorsionCharacteristic, torsion_characteristic, CharacteristicLaw, characteristic,
    IFBAM_DIFFERENCE, .name = "torsion-characteristic",
    .summary = "any torque law, given by its points",
    .law = "T = straight between the points (compression, force) and beyond them",
    .source = "linear interpolation, de Boor 1978, chapter III",
    .example = "[torsion-characteristic clutch]\ncompression = -2 deg, -1 deg, 1 deg, 2 deg\n"
               "force       = -50 N m, -5 N m, 5 N m, 50 N m\nbetween     = motor, load\n",
    .domain = IFBAM_DOMAIN_ROTATION, .prepare = torsion_characteristic_prepare,
    .fault = torsion_characteristic_fault, .free_extra = ifbam_element_table_free)
