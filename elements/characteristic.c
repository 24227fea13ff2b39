/* characteristic.c: any force law by its points, between two positions
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
  IFBAM_PARAM_LIST (COMPRESSION, "compression", "m", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
                    "of the points: a list that increases"),
  IFBAM_PARAM_LIST (FORCE, "force", "N", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
                    "force at these points; between and beyond them it is a straight line"),
  IFBAM_PARAM_BETWEEN,
};

static void
characteristic_prepare (IfbamElement *element)
{
  CharacteristicLaw *law = (CharacteristicLaw *) ifbam_element_law (element);

  law->table = ifbam_element_table (element, COMPRESSION, FORCE);
}

static char *
characteristic_fault (IfbamElement *element, const char **key)
{
  return ifbam_element_table_fault (element, "compression", "force", key);
}

IFBAM_DEFINE_LINK (Characteristic, characteristic, CharacteristicLaw, characteristic,
                   IFBAM_DIFFERENCE, .name = "characteristic",
                   .summary = "any force law, given by its points",
                   .law = "F = straight between the points (compression, force) and beyond them",
                   .source = "linear interpolation, de Boor 1978, chapter III",
                   .example = "[characteristic buffer]\ncompression = -1 mm, 0 mm, 5 mm, 8 mm\n"
                              "force       = 0 N, 0 N, 100 N, 1 kN\nbetween     = wagon, stop\n",
                   .domain = IFBAM_DOMAIN_TRANSLATION, .prepare = characteristic_prepare,
                   .fault = characteristic_fault, .free_extra = ifbam_element_table_free)
