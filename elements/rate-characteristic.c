/* rate-characteristic.c: damper or resistor given by points
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/rate-characteristic-law.h"

enum
{
  RATE_CHARACTERISTIC_RATE = IFBAM_SLOT_BETWEEN + 1,
  RATE_CHARACTERISTIC_FORCE,
};

/* names and units of input and output */
#define RATE_CHARACTERISTIC_PARAMS(rate, v, force, f)                                              \
  IFBAM_PARAM_LIST (RATE_CHARACTERISTIC_RATE, rate, v, -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,  \
                    "of the points: an increasing list"),                                          \
      IFBAM_PARAM_LIST (RATE_CHARACTERISTIC_FORCE, force, f, -G_MAXDOUBLE, G_MAXDOUBLE,            \
                        IFBAM_REQUIRED,                                                            \
                        force " at these points; between and beyond them it is a straight line")

static gpointer
rate_characteristic_prepare (const IfbamElement *element, void *copy)
{
  IfbamTable *table =
      ifbam_element_table_new (element, RATE_CHARACTERISTIC_RATE, RATE_CHARACTERISTIC_FORCE);

  ((RateCharacteristicLaw *) copy)->table = table;
  return table;
}

/* Returns TRUE if the power, force times rate, is negative anywhere. A piece has negative power at
 * an end, or where it crosses zero away from rate 0. */
static gboolean
rate_characteristic_brings (const void *law)
{
  const IfbamTable *table = ((const RateCharacteristicLaw *) law)->table;
  const IfbamTablePiece *last = &table->piece[table->n - 2];

  for (gulong i = 0; i < table->n; i++)
    if (table->x[i] * ifbam_table_value (table, table->x[i]) < 0)
      return TRUE;
  return ifbam_table_value (table, 0) != 0 || table->piece[0].rise < 0 || last->rise < 0;
}

IFBAM_DEFINE_LAW (RateCharacteristicLaw, rate_characteristic,
                  (FORCE, MODE, GUARDS, NO_CONSTRAINT, EVENT, SLOPES), .active = TRUE,
                  .supplies = rate_characteristic_brings)

/* Damper */

static const IfbamParam damper_characteristic_params[] = {
  RATE_CHARACTERISTIC_PARAMS ("rate", "m/s", "force", "N"),
  IFBAM_PARAM_BETWEEN,
};

static char *
damper_characteristic_fault (IfbamElement *element, const char **key)
{
  return ifbam_element_table_fault (element, "rate", "force", key);
}

IFBAM_DEFINE_LINK (
    DamperCharacteristic, damper_characteristic, RateCharacteristicLaw, rate_characteristic,
    .name = "damper-characteristic", .summary = "damper given by points",
    .law = "F = straight between the points (rate, force) and beyond them",
    .source = "linear interpolation, de Boor 1978, chapter III",
    .example = "[damper-characteristic shock]\nrate    = -0.5 m/s, -0.1 m/s, 0 m/s, 0.1 m/s, 0.5 "
               "m/s\nforce   = -1.8 kN, -900 N, 0 N, 300 N, 700 N\nbetween = wheel, body\n",
    .symbol = "M-20 0h18M-2-6v12M-10-9h16v18h-16M6 0h14M-8 6l4-3 2-6 6-3",
    .domain = IFBAM_DOMAIN_TRANSLATION, .prepare = rate_characteristic_prepare,
    .fault = damper_characteristic_fault, .free_prepared = ifbam_element_table_free)

/* Resistor */

static const IfbamParam resistor_characteristic_params[] = {
  RATE_CHARACTERISTIC_PARAMS ("voltage", "V", "current", "A"),
  IFBAM_PARAM_BETWEEN,
};

static char *
resistor_characteristic_fault (IfbamElement *element, const char **key)
{
  return ifbam_element_table_fault (element, "voltage", "current", key);
}

IFBAM_DEFINE_LINK (ResistorCharacteristic, resistor_characteristic, RateCharacteristicLaw,
                   rate_characteristic, .name = "resistor-characteristic",
                   .summary = "resistor given by points",
                   .law = "I = straight between the points (voltage, current) and beyond them",
                   .source = "linear interpolation, de Boor 1978, chapter III",
                   .example = "[resistor-characteristic lamp]\nvoltage = -12 V, -1 V, 1 V, 12 V\n"
                              "current = -2 A, -0.7 A, 0.7 A, 2 A\nbetween = c1, c2\n",
                   .symbol = "M-20 0h6M-14-6h28v12h-28zM-10 4l6-2 4-4 8-2M14 0h6",
                   .domain = IFBAM_DOMAIN_ELECTRICITY, .prepare = rate_characteristic_prepare,
                   .fault = resistor_characteristic_fault,
                   .free_prepared = ifbam_element_table_free)
