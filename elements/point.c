/* point.c: a point of the plane: of a body, moving with nodes, or fixed
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"

typedef struct
{
  double x, y; /* [m] */
} PointLaw;

static const IfbamParam params[] = {
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_ON, "on", 1, 1, 0, "its body; default: fixed in the plane"),
  IFBAM_PARAM (PointLaw, x, "x", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "from the body's centre of mass, where its angle is 0; or in the plane"),
  IFBAM_PARAM (PointLaw, y, "y", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "from the body's centre of mass, where its angle is 0; or in the plane"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_FOLLOW_X, "follow-x", 1, 1, 0,
                         "node: its position is added to x"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_FOLLOW_Y, "follow-y", 1, 1, 0,
                         "node: its position is added to y"),
};

static char *
point_fault (IfbamElement *element, const char **key)
{
  const gpointer *slots = ifbam_element_slots (element);

  *key = slots[IFBAM_SLOT_FOLLOW_X] != NULL ? "follow-x" : "follow-y";
  return slots[IFBAM_SLOT_ON] != NULL
                 && (slots[IFBAM_SLOT_FOLLOW_X] != NULL || slots[IFBAM_SLOT_FOLLOW_Y] != NULL)
             ? g_strdup ("it is on a body and moves with the body (leave one of them out)")
             : NULL;
}

static void
point_expand (IfbamElement *element, IfbamBuilder *builder)
{
  (void) element, (void) builder;
}

static void
point_shape (const IfbamElement *element, double *shape)
{
  const PointLaw *law = (const PointLaw *) ifbam_element_law (element);

  shape[0] = law->x;
  shape[1] = law->y;
}

static const IfbamElementInfo point_info = {
  .name = "point",
  .summary = "point of a body or of the plane, for rods, hinges and other links",
  .law = "moves with its body, or with the nodes that it follows; without them it is at rest",
  .source = "Euler 1775",
  .example = "[point pivot]\nx = 20 cm\ny = 1 m\n",
  .symbol = "M-4 0a4 4 0 1 1 8 0 4 4 0 1 1-8 0",
  .kind = IFBAM_KIND_COMPOSITE,
  .domain = IFBAM_DOMAIN_TRANSLATION,
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .law_size = sizeof (PointLaw),
  .form = IFBAM_FORM_POINT,
  .fault = point_fault,
  .shape = point_shape,
  .expand_nodes = point_expand,
  .expand_links = point_expand,
};

IFBAM_DEFINE_ELEMENT (Point, point)
