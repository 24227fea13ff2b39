/* api-drawing.c: a network as a diagram
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/ifbam-drawing.h"

#include "figure/figure.h"
#include "run/run.h"

/**
 * ifbam_network_draw:
 * @network: a network
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Draws the elements of @network and their connections, as the pages of `ifbam report` do: nodes as
 * boxes, each class by its symbol. Of a large network only the first nodes are drawn.
 *
 * Returns: (transfer full): an element `<svg class="diagram">` in UTF-8, with the classes (`lead`,
 *   `symbol`, `box`, `name`, `value`, `class`, `more`) and without colours, which a style sheet
 *   sets; %NULL with %IFBAM_ERROR_NETWORK if the network is wrong
 */
char *
ifbam_network_draw (IfbamNetwork *network, GError **error)
{
  g_autoptr (IfbamModel) model = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  IfbamDiagram diagram = { 0 };

  g_return_val_if_fail (IFBAM_IS_NETWORK (network), NULL);
  model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, error);
  return model == NULL ? NULL : ifbam_diagram_svg (&diagram, model);
}
