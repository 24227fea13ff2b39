/* transformer.c: ideal transformer between two pairs of electrical nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"

typedef struct
{
  double ratio; /* must be first: parameter of the geometry */
} TransformerLaw;

static const IfbamParam transformer_params[] = {
  IFBAM_PARAM (TransformerLaw, ratio, "ratio", "", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "turns of the first winding per turn of the second one; below 0: wound oppositely"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 4, 4, IFBAM_REQUIRED,
                         "the ends of both windings: A, B, C, D"),
};

static char *
transformer_fault (IfbamElement *element, const char **key)
{
  const TransformerLaw *law = (const TransformerLaw *) ifbam_element_law (element);

  *key = "ratio";
  return law->ratio == 0 && ifbam_element_is_set (element, 0)
             ? g_strdup ("is 0: the second winding would have no effect (want a ratio of turns)")
             : NULL;
}

IFBAM_DEFINE_LAW (TransformerLaw, transformer, (FIXED), .geometry = &ifbam_pairs)

IFBAM_DEFINE_LINK (Transformer, transformer, TransformerLaw, transformer, .name = "transformer",
                   .summary = "ideal transformer between two pairs of electrical nodes",
                   .law = "v_A - v_B = ratio * (v_C - v_D); a current i from A to B is a current "
                          "-ratio * i from C to D",
                   .source = "Cauer 1941, Theorie der linearen Wechselstromschaltungen",
                   .example = "[transformer t1]\nratio   = 10\nbetween = mains, n, a, b\n",
                   .symbol = "M-20 0h4a8 8 0 1 1 16 0 8 8 0 1 1-16 0M0 0a8 8 0 1 1 16 0 8 8 0"
                             " 1 1-16 0M16 0h4",
                   .domain = IFBAM_DOMAIN_ELECTRICITY, .fault = transformer_fault)
