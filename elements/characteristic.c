/* characteristic.c: force law given by points, between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/characteristic-law.h"
#include "element/element.h"

enum
{
  CHARACTERISTIC_COMPRESSION = IFBAM_SLOT_BETWEEN + 1,
  CHARACTERISTIC_FORCE,
};

/* x, f: units of compression and force */
#define CHARACTERISTIC_PARAMS(x, f, force)                                                         \
  IFBAM_PARAM_LIST (CHARACTERISTIC_COMPRESSION, "compression", x, -G_MAXDOUBLE, G_MAXDOUBLE,       \
                    IFBAM_REQUIRED, "of the points: an increasing list"),                          \
      IFBAM_PARAM_LIST (CHARACTERISTIC_FORCE, "force", f, -G_MAXDOUBLE, G_MAXDOUBLE,               \
                        IFBAM_REQUIRED,                                                            \
                        force " at these points; between and beyond them it is a straight line")

static gpointer
characteristic_prepare (const IfbamElement *element, void *copy)
{
  IfbamTable *table =
      ifbam_element_table_new (element, CHARACTERISTIC_COMPRESSION, CHARACTERISTIC_FORCE);

  ((CharacteristicLaw *) copy)->table = table;
  return table;
}

static char *
characteristic_fault (IfbamElement *element, const char **key)
{
  return ifbam_element_table_fault (element, "compression", "force", key);
}

typedef struct
{
  CharacteristicLaw law;
  double length; /* [m] */
} CharacteristicInPlane;

static const IfbamParam characteristic_params[] = {
  CHARACTERISTIC_PARAMS ("m", "N", "force"),
  IFBAM_PARAM_LENGTH (CharacteristicInPlane),
  IFBAM_PARAM_BETWEEN_ANY,
};

IFBAM_DEFINE_LAW (CharacteristicLaw, characteristic, (FORCE, MODE, GUARDS, NO_CONSTRAINT, EVENT),
                  .ends = &ifbam_distance, .first_of_ends = IFBAM_N_DOUBLES (CharacteristicLaw))

IFBAM_DEFINE_LINK (Characteristic, characteristic, CharacteristicInPlane, characteristic,
                   .name = "characteristic", .summary = "force law given by points",
                   .law = "F = straight between the points (compression, force) and beyond them",
                   .source = "linear interpolation, de Boor 1978, chapter III",
                   .example = "[characteristic buffer]\ncompression = -1 mm, 0 mm, 5 mm, 8 mm\n"
                              "force       = 0 N, 0 N, 100 N, 1 kN\nbetween     = wagon, stop\n",
                   .symbol = "M-20 0h6M-14-10h28v20h-28zM-11 6l8-2 6-8 8-3M14 0h6",
                   .domain = IFBAM_DOMAIN_TRANSLATION,
                   .forms = IFBAM_BETWEEN_NODES | IFBAM_BETWEEN_ENDS,
                   .prepare = characteristic_prepare, .fault = characteristic_fault,
                   .free_prepared = ifbam_element_table_free)

/* Torque law given by points, between two angles */

static const IfbamParam torsion_characteristic_params[] = {
  CHARACTERISTIC_PARAMS ("rad", "N m", "torque"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LINK (
    TorsionCharacteristic, torsion_characteristic, CharacteristicLaw, characteristic,
    .name = "torsion-characteristic", .summary = "torque law given by points",
    .law = "T = straight between the points (compression, force) and beyond them",
    .source = "linear interpolation, de Boor 1978, chapter III",
    .example = "[torsion-characteristic clutch]\ncompression = -2 deg, -1 deg, 1 deg, 2 deg\n"
               "force       = -50 N m, -5 N m, 5 N m, 50 N m\nbetween     = motor, load\n",
    .symbol = "M-20 0h6M-14-10h28v20h-28zM-11 6l8-2 6-8 8-3M14 0h6",
    .domain = IFBAM_DOMAIN_ROTATION, .prepare = characteristic_prepare,
    .fault = characteristic_fault, .free_prepared = ifbam_element_table_free)
