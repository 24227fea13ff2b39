/* relation.c: linear relation of the motions of several nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"

typedef struct
{
  double factor[IFBAM_MAX_PORTS]; /* of the nodes in the file's order, then 0 */
} RelationLaw;

static const IfbamParam relation_params[] = {
  IFBAM_PARAM_TERMS (IFBAM_SLOT_BETWEEN, "terms", 2, IFBAM_MAX_PORTS,
                     "nodes with factors, in their SI units: 1 * A, -2 * B, 1 * C"),
};

static char *
relation_fault (IfbamElement *element, const char **key)
{
  const RelationLaw *law = (const RelationLaw *) ifbam_element_law (element);
  char *const *names = ifbam_element_slots (element)[IFBAM_SLOT_BETWEEN];

  *key = "terms";
  for (guint i = 0; names != NULL && names[i] != NULL && i < IFBAM_MAX_PORTS; i++)
    if (!(fabs (law->factor[i]) > 0 && isfinite (law->factor[i])))
      return g_strdup_printf (
          "the factor of \"%s\" is %s (want terms such as -2 * %s)", names[i],
          law->factor[i] == 0 ? "0: the node would have no effect" : "not finite", names[i]);
  return NULL;
}

IFBAM_DEFINE_LAW (RelationLaw, relation, (FIXED), .geometry = &ifbam_weighted_sum)

IFBAM_DEFINE_LINK (
    Relation, relation, RelationLaw, relation, .name = "relation",
    .summary = "linear relation of several nodes: differential, lever, tee of pipes",
    .law = "the sum of factor * position stays as it is at the start; a node gets -factor * F",
    .source = "d'Alembert 1743, Traite de dynamique",
    .example = "[relation differential]\nterms = 1 * left, 1 * right, -2 * cage\n",
    .symbol = "M-20 0h8M12 0h8M-12-8h24v16h-24zM-6 0h12M0-5v10", .domain = IFBAM_DOMAIN_ANY,
    .fault = relation_fault)
