/* scheme-table.c: the table of schemes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/scheme-table.h"

extern const IfbamScheme ifbam_scheme_original, ifbam_scheme_averaged, ifbam_scheme_euler,
    ifbam_scheme_symplectic_euler, ifbam_scheme_verlet, ifbam_scheme_rk4, ifbam_scheme_implicit,
    ifbam_scheme_implicit_euler, ifbam_scheme_tr_bdf2, ifbam_scheme_esdirk4, ifbam_scheme_dopri5;

/* Add new schemes here. */
static const IfbamScheme *const schemes[] = {
  &ifbam_scheme_original,         &ifbam_scheme_averaged, &ifbam_scheme_euler,
  &ifbam_scheme_symplectic_euler, &ifbam_scheme_verlet,   &ifbam_scheme_rk4,
  &ifbam_scheme_dopri5,           &ifbam_scheme_implicit, &ifbam_scheme_implicit_euler,
  &ifbam_scheme_tr_bdf2,          &ifbam_scheme_esdirk4,
};

const IfbamScheme *const *
ifbam_schemes (guint *n)
{
  *n = G_N_ELEMENTS (schemes);
  return schemes;
}

const IfbamScheme *
ifbam_scheme_by_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (g_str_equal (schemes[i]->name, name))
      return schemes[i];
  return NULL;
}

const IfbamScheme *
ifbam_scheme_default (void)
{
  return &ifbam_scheme_averaged;
}

const IfbamScheme *
ifbam_scheme_for_reactions (const IfbamScheme *scheme)
{
  return scheme->latency ? ifbam_scheme_by_name ("verlet") : scheme;
}

const IfbamScheme *
ifbam_scheme_restart (const IfbamScheme *scheme)
{
  if (!scheme->latency && scheme->order >= 2)
    return scheme;
  return ifbam_scheme_by_name (scheme->implicit != NULL ? "tr-bdf2" : "rk4");
}
