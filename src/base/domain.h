/* domain.h: the physical domains of nodes and links, with their names and units
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
  IFBAM_DOMAIN_ANY = IFBAM_N_DOMAINS, /* takes the domain of the elements that it joins */
} IfbamDomain;

/* Names of a domain for the coordinate, its rate, and the effort of a link. Electricity uses the
 * mobility analogy (Firestone 1933): the coordinate is flux linkage, the integral of the voltage,
 * and the effort of a link is the current that it drives from its left node into its right one. In
 * hydraulics the coordinate is the volume that has flowed through: a node is a pipe with the
 * inertia of its liquid, and the effort of a link is the gauge pressure between the end of its left
 * pipe and the beginning of its right one. */
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
  const char *node;  /* a class with inertia, for advice: "mass" */
  const char *given; /* one at rest */
} IfbamDomainInfo;

const IfbamDomainInfo *ifbam_domain_info (IfbamDomain domain);

/* Replaces %x, %v, %a, %f in a unit: of coordinate, rate, its rate, effort (transfer full). */
char *ifbam_domain_unit (IfbamDomain domain, const char *unit);
