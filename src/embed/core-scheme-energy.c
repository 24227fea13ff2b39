/* core-scheme-energy.c: energy that the scheme brings, per element, in a run of its own
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "embed/core-internal.h"
#include "embed/core.h"
#include "event/event.h"

size_t
ifbam_core_scheme_energy_begin (IfbamCore *core)
{
  const IfbamModel *model = core->model;
  const IfbamRunSpec *spec = &core->spec;
  g_autofree char *reason = ifbam_scheme_energy_fault (model, spec);

  ifbam_core_begin (core);
  g_clear_pointer (&core->scheme_energy, ifbam_scheme_energy_free);
  if (reason != NULL)
    {
      ifbam_core_fail (core, "%s", reason);
      return 0;
    }
  core->scheme_energy = ifbam_scheme_energy_new (
      ifbam_engine_by_events (model, spec) ? ifbam_event_engine_new (model, spec, FALSE)
                                           : ifbam_compiled_engine_new (model, spec, 1));
  return core->scheme_energy->n;
}

const char *
ifbam_core_scheme_energy_name (const IfbamCore *core, size_t element)
{
  return core->scheme_energy->term[element].name;
}

size_t
ifbam_core_scheme_energy_advance (IfbamCore *core, size_t steps, size_t element, double *points)
{
  IfbamSchemeEnergy *energy = core->scheme_energy;

  for (size_t i = 0; i < steps; i++)
    {
      if (!ifbam_scheme_energy_step (energy))
        return i;
      for (guint k = 0; k < 4 && points != NULL; k++)
        points[4 * i + k] = NAN;
      if (points != NULL && energy->term[element].slot != G_MAXSIZE)
        ifbam_scheme_energy_loop (energy, energy->term[element].slot, &points[4 * i]);
    }
  return steps;
}

void
ifbam_core_scheme_energy_read (const IfbamCore *core, double *values)
{
  const IfbamSchemeEnergy *energy = core->scheme_energy;

  for (guint i = 0; i < energy->n; i++)
    values[i] = energy->term[i].total;
  values[energy->n] = energy->events.total;
  values[energy->n + 1] = energy->measured.total;
  values[energy->n + 2] = energy->time;
}
