/* diagram.h: diagram of a network's elements, in SVG
 *
 * Classes define their symbols (IfbamElementInfo.symbol); the layout distinguishes kinds only:
 * nodes are boxes in columns, links are between the columns, given nodes are at the ends of links.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

typedef struct
{
  /* nodes that must be drawn if not all are (n_wanted) */
  const gsize *wanted;
  gsize n_wanted;

  /* result: drawn free nodes, and links between them that are not drawn */
  gsize drawn, left_out;
} IfbamDiagram;

/* Returns an <svg> element (transfer full), with classes .lead, .symbol, .box, .text, .value,
 * .more, and without colours. Its texts are escaped. */
char *ifbam_diagram_svg (IfbamDiagram *diagram, const IfbamModel *model);
