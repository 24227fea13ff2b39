/* core-scheme-energy.c: energy that the scheme brings, per element, in a run of its own
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "embed/core-internal.h"
#include "embed/core.h"
#include "event/event.h"

size_t
ifbam_core_scheme_energy_begin (IfbamCore *core)
{
  ifbam_core_begin (core);
  g_clear_pointer (&core->scheme_energy, ifbam_scheme_energy_free);
  if (!ifbam_scheme_energy_applies (core->model, &core->spec))
    return ifbam_core_fail (core, IFBAM_SCHEME_ENERGY_FAULT), 0;
  core->scheme_energy = ifbam_scheme_energy_new (ifbam_engine_new_as_needed (core->model, &core->spec, 1));
  return core->scheme_energy->n;
}

const char *
ifbam_core_scheme_energy_name (const IfbamCore *core, size_t element)
{
  return core->scheme_energy->term[element].name;
}

size_t
ifbam_core_scheme_energy_advance (IfbamCore *core, size_t steps, size_t element, double *points,
                                  double *energy)
{
  IfbamSchemeEnergy *self = core->scheme_energy;
  const size_t slot = self->term[element].slot;
  size_t done = 0;

  memset (points, 0, 4 * steps * sizeof *points);
  for (; done < steps && ifbam_scheme_energy_step (self); done++)
    if (slot != G_MAXSIZE)
      ifbam_scheme_energy_loop (self, slot, &points[4 * done]);
  for (guint i = 0; i < self->n; i++)
    energy[i] = self->term[i].total;
  energy[self->n] = self->events.total;
  energy[self->n + 1] = self->measured.total;
  return done;
}
