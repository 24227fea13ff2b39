/* api-equilibrium.h: what links do where a network is at rest
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"

typedef struct
{
  char *name; /* of the link */
  double compression, force;
  const IfbamDomainInfo *words;
} IfbamTension;

/* IfbamTension (transfer full): of links in the order of the file, then of single ones that say or hold
 * something. */
GArray *ifbam_list_tensions (const IfbamModel *model, const IfbamEquilibrium *equilibrium);

/* What else a link tells of how it hangs or stands. */
typedef struct
{
  const char *link, *name, *unit; /* not owned */
  double value;
} IfbamDetail;

/* IfbamDetail (transfer full). */
GArray *ifbam_list_details (const IfbamModel *model, const IfbamEquilibrium *equilibrium);
