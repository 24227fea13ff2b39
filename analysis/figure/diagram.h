/* diagram.h: a network drawn as a diagram of its elements, in SVG
 *
 * Every class brings its own symbol (IfbamElementInfo.symbol); the layout knows only kinds: nodes are
 * boxes in columns, links lie between the columns, given nodes stand at the ends of links.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

typedef struct
{
  /* nodes that must be seen where not all are (n_wanted) */
  const gsize *wanted;
  gsize n_wanted;

  /* result: free nodes that are drawn, and links between them that are not */
  gsize drawn, left_out;
} IfbamDiagram;

/* An <svg> element (transfer full). It has classes and no colours of its own: .lead, .symbol, .box,
 * .text, .value, .more. Its texts are escaped. */
char *ifbam_diagram_svg (IfbamDiagram *diagram, const IfbamModel *model);
