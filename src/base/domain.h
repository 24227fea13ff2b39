/* domain.h: the physical domains of nodes and links, with their words and units
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef enum
{
  IFBAM_DOMAIN_TRANSLATION,
  IFBAM_DOMAIN_ROTATION,
  IFBAM_DOMAIN_ELECTRICITY,
  IFBAM_DOMAIN_HYDRAULICS,
  IFBAM_N_DOMAINS,
  IFBAM_DOMAIN_ANY = IFBAM_N_DOMAINS, /* takes the domain of what it is joined with */
} IfbamDomain;

/* What a domain calls the coordinate, its rate, and what a link answers. Electricity is told in the
 * mobility analogy (Firestone 1933): flux linkage, the integral of the voltage, is the coordinate,
 * and a link answers with the current that it drives from its left node into its right one. Hydraulics
 * counts volumes that have gone through: a node is a pipe, whose inertia is that of the liquid in it, and a link
 * answers with the pressure (above that of the surroundings) between the end of its left pipe and the begin of its right one. */
typedef struct
{
  const char *name;       /* "translation" */
  const char *coordinate; /* "position" */
  const char *coordinate_unit;
  const char *rate; /* "velocity" */
  const char *rate_unit;
  const char *acceleration_unit;
  const char *effort; /* "force" */
  const char *effort_unit;
  const char *momentum_unit;
  const char *impulse_unit;
  const char *node;  /* a class with inertia in it, for advice: "mass" */
  const char *given; /* one that stands */
} IfbamDomainInfo;

const IfbamDomainInfo *ifbam_domain_info (IfbamDomain domain);

/* Replaces "%x", "%v", "%a" and "%f" in a parameter's unit by those of coordinate, rate, its rate and effort (transfer
 * full). */
char *ifbam_domain_unit (IfbamDomain domain, const char *unit);
