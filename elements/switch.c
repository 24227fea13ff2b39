/* switch.c: switch between two electrical nodes, and dog clutch between two shafts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/switch-law.h"

enum
{
  TOGGLE = IFBAM_SLOT_BETWEEN + 1,
  WHEN,
};

static const char *const sides[] = { "above", "below", NULL };

static const char *const modes[] = { "open", "closed", NULL };
static const char *const events[] = { "open", "close", NULL };

static const IfbamParam switch_params[] = {
  IFBAM_PARAM_WORD (SwitchLaw, is.state, "state", modes, SWITCH_OPEN, "at the start"),
  IFBAM_PARAM_LIST (TOGGLE, "toggle", "s", 0, G_MAXDOUBLE, 0,
                    "times at which it changes its state: an increasing list"),
  IFBAM_PARAM (SwitchLaw, resistance, "resistance", "ohm", 0, G_MAXDOUBLE, 0,
               "in series, while it is closed; 0: it is ideal"),
  IFBAM_PARAM_BETWEEN,
  IFBAM_PARAM_WHEN (WHEN, "monitor or controller (pulse width) that closes it"),
  IFBAM_PARAM_WORD (SwitchLaw, is.side, "side", sides, 0,
                    "side of the monitor's level on which the element acts"),
};

static char *
switch_fault (IfbamElement *element, const char **key)
{
  const SwitchedLaw *law = (const SwitchedLaw *) ifbam_element_law (element);
  const gboolean when = ifbam_element_slots (element)[WHEN] != NULL;
  gsize n;

  *key = "when";
  if (when && (law->state != SWITCH_OPEN || ifbam_element_list (element, TOGGLE, &n) != NULL))
    return g_strdup ("can't be combined with \"state\" or \"toggle\" (the monitor sets the state)");
  *key = "side";
  if (law->side != 0 && !when)
    return g_strdup ("applies with a monitor only (want when = MONITOR)");
  *key = "toggle";
  return ifbam_element_time_events_fault (element, TOGGLE);
}

static void
switch_time_events (const IfbamElement *element, GArray *time_events)
{
  ifbam_element_add_time_events (element, TOGGLE, NULL, 0, time_events);
}

IFBAM_DEFINE_LAW (SwitchLaw, switch, (FORCE, MODE, NO_GUARDS, CONSTRAINT, TOGGLE), .modes = modes,
                  .events = events)

IFBAM_DEFINE_LINK (Switch, switch, SwitchLaw, switch, .name = "switch",
                   .summary = "switch that opens and closes at given times, or by a monitor",
                   .law = "open: no current; closed: voltage = current * resistance",
                   .source = "Cellier & Kofman 2006, Continuous system simulation, chapter 9",
                   .example = "[switch s1]\nstate   = closed\ntoggle  = 5 ms, 12 ms\n"
                              "between = c1, c2\n",
                   .symbol = "M-20 0h9M-11 0l20-10M11-3v6M11 0h9",
                   .domain = IFBAM_DOMAIN_ELECTRICITY, .when_slot = WHEN, .fault = switch_fault,
                   .time_events = switch_time_events)

/* The switch's law for speeds, always ideal */

static const char *const clutch_modes[] = { "free", "engaged", NULL };
static const char *const clutch_events[] = { "disengage", "engage", NULL };

static const IfbamParam dog_clutch_params[] = {
  IFBAM_PARAM_WORD (SwitchedLaw, state, "state", clutch_modes, SWITCH_OPEN, "at the start"),
  IFBAM_PARAM_LIST (TOGGLE, "toggle", "s", 0, G_MAXDOUBLE, 0,
                    "times at which it changes its state: an increasing list"),
  IFBAM_PARAM_BETWEEN,
  IFBAM_PARAM_WHEN (WHEN, "monitor or controller (pulse width) that engages it"),
  IFBAM_PARAM_WORD (SwitchedLaw, side, "side", sides, 0,
                    "side of the monitor's level on which the element acts"),
};

IFBAM_DEFINE_LAW (SwitchedLaw, dog_clutch, (MODE, CONSTRAINT, TOGGLE), .modes = clutch_modes,
                  .events = clutch_events)

IFBAM_DEFINE_LINK (DogClutch, dog_clutch, SwitchedLaw, dog_clutch, .name = "dog-clutch",
                   .summary = "clutch that engages at once, at given times or by a monitor",
                   .law = "free: no torque; engaged: speed_left = speed_right",
                   .source = "as inelastic impact: Glocker 2001, Set-valued force laws, 4",
                   .example = "[dog-clutch gear]\ntoggle  = 2 s, 5 s\nbetween = engine, wheel\n",
                   .symbol = "M-20 0h14M-6-9v18M-6-9h6M-6 9h6M6-9v18M6-5h-6M6 5h-6M6 0h14",
                   .domain = IFBAM_DOMAIN_ROTATION, .when_slot = WHEN, .fault = switch_fault,
                   .time_events = switch_time_events)
