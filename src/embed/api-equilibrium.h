/* api-equilibrium.h: compressions, forces and geometry of links in an equilibrium
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"

typedef struct
{
  char *name; /* of the link */
  double compression, rate, force;
  const IfbamDomainInfo *words;
} IfbamTension;

/* Returns IfbamTension (transfer full): batched links in the file's order, then unbatched ones. */
GArray *ifbam_list_tensions (const IfbamModel *model, const IfbamEquilibrium *equilibrium);

/* Further quantity of a link in an equilibrium, such as the sag of a cable. */
typedef struct
{
  const char *link, *name, *unit; /* not owned */
  double value;
} IfbamDetail;

/* Returns IfbamDetail (transfer full). */
GArray *ifbam_list_details (const IfbamModel *model, const IfbamEquilibrium *equilibrium);
