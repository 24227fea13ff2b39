/* domain.c: the physical domains of nodes and links, with their names and units
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/domain.h"

static const IfbamDomainInfo domains[] = {
  { "translation", "position", "m", "velocity", "m/s", "m/s²", "force", "N", "kg m/s", "N s",
    "mass", "ground" },
  { "rotation", "angle", "rad", "speed", "rad/s", "rad/s²", "torque", "N m", "N m s", "N m s",
    "inertia", "ground" },
  { "electricity", "flux", "V s", "voltage", "V", "V/s", "current", "A", "C", "C", "capacitor",
    "ground" },
  { "hydraulics", "volume", "m3", "flow", "m3/s", "m3/s²", "pressure", "Pa", "Pa s", "Pa s", "pipe",
    "tank" },
  /* Elements without a known domain use the first one's names. */
  { "any", "position", "m", "velocity", "m/s", "m/s²", "force", "N", "kg m/s", "N s", "mass",
    "ground" },
};

const IfbamDomainInfo *
ifbam_domain_info (IfbamDomain domain)
{
  return &domains[domain];
}

char *
ifbam_domain_unit (IfbamDomain domain, const char *unit)
{
  GString *text = g_string_new (unit);

  g_string_replace (text, "%x", domains[domain].coordinate_unit, 0);
  g_string_replace (text, "%v", domains[domain].rate_unit, 0);
  g_string_replace (text, "%a", domains[domain].acceleration_unit, 0);
  g_string_replace (text, "%f", domains[domain].effort_unit, 0);
  return g_string_free (text, FALSE);
}
