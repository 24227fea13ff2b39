/* impulse.c: impulse on a node or between two, at given times or by a monitor
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/impulse-law.h"
#include "element/element.h"

enum
{
  AT = IFBAM_SLOT_ENDS + 1,
  IMPULSE,
};

enum
{
  RESTITUTION_ROW = 4,
  ENERGY_ROW,
};

static const IfbamParam params[] = {
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_ON, "on", 1, 1, 0, "the node that gets the impulse"),
  IFBAM_PARAM_REFERENCE (
      IFBAM_SLOT_ENDS, "between", 2, 2, 0,
      "instead: nodes, or points of the plane, that it pushes apart: LEFT, RIGHT"),
  IFBAM_PARAM_LIST (AT, "at", "s", 0, G_MAXDOUBLE, 0, "times: an increasing list"),
  IFBAM_PARAM_LIST (IMPULSE, "impulse", "%f s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                    "one for all, or one for each time"),
  IFBAM_PARAM (ImpulseLaw, restitution, "restitution", "", 0, 1, 0,
               "instead: part of the rate that returns (1: all; 0: none)"),
  IFBAM_PARAM (
      ImpulseLaw, energy, "energy", "J", 0, G_MAXDOUBLE, 0,
      "instead: energy of each, in the direction of the motion (at rest: forward), or apart"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_WHEN, "when", 1, 1, 0,
                         "instead of times: each crossing that this monitor reports"),
};

static char *
impulse_fault (IfbamElement *element, const char **key)
{
  gsize n, n_time_events;
  const gboolean at = ifbam_element_list (element, AT, &n_time_events) != NULL;
  const gboolean impulse = ifbam_element_list (element, IMPULSE, &n) != NULL;
  const gboolean when = ifbam_element_slots (element)[IFBAM_SLOT_WHEN] != NULL;
  const gboolean restitution = ifbam_element_is_set (element, RESTITUTION_ROW);
  const gboolean energy = ifbam_element_is_set (element, ENERGY_ROW);

  *key = "between";
  if (ifbam_element_slots (element)[IFBAM_SLOT_ON] != NULL
      && ifbam_element_slots (element)[IFBAM_SLOT_ENDS] != NULL)
    return g_strdup ("can't be combined with \"on\" (it acts on one node, or between two)");
  *key = "at";
  if (at && when)
    return g_strdup (
        "can't be combined with \"when\" (it acts at given times, or at a monitor's events)");
  if (!at && !when)
    return g_strdup ("is missing (want times in s; or when = MONITOR)");
  *key = "impulse";
  if (impulse && energy)
    return g_strdup ("can't be combined with \"energy\" (one of them gives the jump)");
  *key = impulse ? "impulse" : "energy";
  if (restitution && (impulse || energy))
    return g_strdup ("can't be combined with \"restitution\" (one of them gives the jump)");
  *key = "impulse";
  if (!impulse && !energy && !restitution)
    return g_strdup (
        "is missing (in N s, or in the unit of the node; or energy in J; or restitution)");
  if (impulse && n != 1 && when)
    return g_strdup_printf ("%" G_GSIZE_FORMAT " of them (want one with a monitor)", n);
  if (impulse && n != 1 && n != n_time_events)
    return g_strdup_printf ("%" G_GSIZE_FORMAT " of them for %" G_GSIZE_FORMAT
                            " times (want one for all, or one for each)",
                            n, n_time_events);
  *key = "at";
  return ifbam_element_time_events_fault (element, AT);
}

static gpointer
impulse_prepare (const IfbamElement *element, void *copy)
{
  ImpulseLaw *law = copy;
  gsize n;
  const double *values = ifbam_element_list (element, IMPULSE, &n);
  const gboolean restitution = ifbam_element_is_set (element, RESTITUTION_ROW);

  law->kind = values != NULL ? IMPULSE_ITSELF : restitution ? IMPULSE_RESTITUTION : IMPULSE_ENERGY;
  law->strength = values == NULL ? (restitution ? law->restitution : law->energy)
                  : n > 0        ? values[0]
                                 : 0;
  law->apart = ifbam_element_slots (element)[IFBAM_SLOT_ENDS] != NULL;
  return NULL;
}

static void
impulse_time_events (const IfbamElement *element, GArray *time_events)
{
  const ImpulseLaw *law = (const ImpulseLaw *) ifbam_element_law (element);
  gsize n;
  const double *values = ifbam_element_list (element, IMPULSE, &n);
  const double *other =
      ifbam_element_is_set (element, RESTITUTION_ROW) ? &law->restitution : &law->energy;

  ifbam_element_add_time_events (element, AT, values != NULL ? values : other,
                                 values != NULL ? n : 1, time_events);
}

static double
impulse_slot (const void *law, double value, double inverse_mass, double rate)
{
  return impulse_momentum (law, value, inverse_mass, rate);
}

static IfbamImpulseKind
impulse_kind_of (const void *parameters)
{
  const ImpulseLaw *law = parameters;

  return law->kind == IMPULSE_ITSELF        ? IFBAM_IMPULSE_MOMENTUM
         : law->kind == IMPULSE_RESTITUTION ? IFBAM_IMPULSE_RESTITUTION
                                            : IFBAM_IMPULSE_ENERGY;
}

static const IfbamElementInfo impulse_info = {
  .name = "impulse",
  .summary = "impulse on a node or between two, at given times or by a monitor",
  .law = "v after = v before + impulse / m; or v after = -restitution * v before; or impulse * "
         "(v before + v after) / 2 = energy",
  .source = "Newton 1687; by energy: Zimmer & Cellier 2007, Impulse-bond graphs",
  .example = "[impulse kick]\non      = m1\nat      = 10 ms, 20 ms\nimpulse = 0.5 N s, -0.5 N s\n",
  .symbol = "M-20 0h34M6-8l8 8-8 8M17-9v18",
  .kind = IFBAM_KIND_IMPULSE,
  .domain = IFBAM_DOMAIN_ANY,
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .law_size = sizeof (ImpulseLaw),
  .impulse = impulse_slot,
  .impulse_kind = impulse_kind_of,
  .time_events = impulse_time_events,
  .fault = impulse_fault,
  .prepare = impulse_prepare,
};

IFBAM_DEFINE_ELEMENT (Impulse, impulse)
