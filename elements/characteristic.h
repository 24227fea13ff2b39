/* characteristic.h: keys, pieces and checks of laws by points, in the units of a domain
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/characteristic-law.h"
#include "element/element-table.h"

enum
{
  CHARACTERISTIC_COMPRESSION = IFBAM_SLOT_BETWEEN + 1,
  CHARACTERISTIC_FORCE,
};

/* x, f: units of compression and force */
#define CHARACTERISTIC_PARAMS(x, f, force)                                                         \
  IFBAM_PARAM_LIST (CHARACTERISTIC_COMPRESSION, "compression", x, -G_MAXDOUBLE, G_MAXDOUBLE,       \
                    IFBAM_REQUIRED, "of the points: a list that increases"),                       \
      IFBAM_PARAM_LIST (CHARACTERISTIC_FORCE, "force", f, -G_MAXDOUBLE, G_MAXDOUBLE,               \
                        IFBAM_REQUIRED,                                                            \
                        force " at these points; between and beyond them it is a straight line")

static void
characteristic_prepare (IfbamElement *element)
{
  CharacteristicLaw *law = (CharacteristicLaw *) ifbam_element_law (element);

  law->table = ifbam_element_table (element, CHARACTERISTIC_COMPRESSION, CHARACTERISTIC_FORCE);
}

static char *
characteristic_fault (IfbamElement *element, const char **key)
{
  return ifbam_element_table_fault (element, "compression", "force", key);
}

static const char *
characteristic_event (const void *law, int from, int to)
{
  (void) law;
  return to > from ? "rise" : "fall";
}
