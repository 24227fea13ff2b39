/* mutual.c: two coils with mutual inductance
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/mutual-law.h"
#include "element/element.h"

static const IfbamParam mutual_params[] = {
  IFBAM_PARAM (MutualLaw, first, "first", "H", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "inductance of the first coil, from A to B"),
  IFBAM_PARAM (MutualLaw, second, "second", "H", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "inductance of the second coil, from C to D"),
  IFBAM_PARAM (MutualLaw, coupling, "coupling", "", -1, 1, IFBAM_REQUIRED,
               "mutual inductance over sqrt(first * second); below 0: wound oppositely"),
  IFBAM_PARAM (MutualLaw, first_current, "first-current", "A", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "current at the start, from A to B"),
  IFBAM_PARAM (MutualLaw, second_current, "second-current", "A", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "current at the start, from C to D"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 4, 4, IFBAM_REQUIRED,
                         "the ends of both coils: A, B, C, D"),
};

static char *
mutual_fault (IfbamElement *element, const char **key)
{
  const MutualLaw *law = (const MutualLaw *) ifbam_element_law (element);

  *key = "coupling";
  return fabs (law->coupling) == 1
             ? g_strdup ("leaves no leakage (want less; without leakage: a transformer, with an "
                         "inductor across its second winding)")
             : NULL;
}

/* Ports: both coils' ends. The row is that of mutual_force, or of mutual_second_force. */
static void
shape_leakage (const double *law, const double *left, const double *right, double *shape)
{
  const double ratio = mutual_ratio ((const MutualLaw *) law);

  (void) left, (void) right;
  ifbam_combination_set (shape, 4, (const double[]){ 1, -1, -ratio, ratio });
}

static void
shape_second (const double *law, const double *left, const double *right, double *shape)
{
  (void) law, (void) left, (void) right;
  ifbam_combination_set (shape, 4, (const double[]){ 0, 0, 1, -1 });
}

static const IfbamGeometry leakage = IFBAM_COMBINATION ("leakage", 4, shape_leakage, NULL);
static const IfbamGeometry second = IFBAM_COMBINATION ("difference", 4, shape_second, NULL);

IFBAM_DEFINE_LAW (MutualLaw, mutual_second, (SMOOTH, SLOPES), .name = "magnetizing",
                  .geometry = &second)
IFBAM_DEFINE_LAW (MutualLaw, mutual, (SMOOTH, SLOPES), .geometry = &leakage,
                  .next = &mutual_second_law)

IFBAM_DEFINE_LINK (
    Mutual, mutual, MutualLaw, mutual, .name = "mutual",
    .summary = "two coils with mutual inductance",
    .law = "u1 = L1 di1/dt + M di2/dt, u2 = M di1/dt + L2 di2/dt, M = coupling * "
           "sqrt(L1 * L2)",
    .source = "Neumann 1845, Allgemeine Gesetze der induzierten elektrischen Stroeme",
    .example = "[mutual t1]\nfirst    = 10 mH\nsecond   = 1 mH\ncoupling = 0.98\n"
               "between  = mains, n, a, b\n",
    .symbol = "M-20 0h4a8 8 0 1 1 16 0 8 8 0 1 1-16 0M0 0a8 8 0 1 1 16 0 8 8 0"
              " 1 1-16 0M16 0h4",
    .domain = IFBAM_DOMAIN_ELECTRICITY, .fault = mutual_fault)
