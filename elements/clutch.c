/* clutch.c: one-way clutch between two angles
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/clutch-law.h"
#include "element/element.h"

static const IfbamParam clutch_params[] = {
  IFBAM_PARAM_BETWEEN,
};

static const char *const modes[] = { "free", "engaged", NULL };
static const char *const events[] = { "disengage", "engage", NULL };

IFBAM_DEFINE_LAW (ClutchLaw, clutch, (MODE, CONSTRAINT), .modes = modes, .events = events)

IFBAM_DEFINE_LINK (Clutch, clutch, ClutchLaw, clutch, .name = "clutch",
                   .summary = "one-way clutch: the left is never faster than the right",
                   .law = "speed_left <= speed_right; T >= 0, and 0 where they differ",
                   .source = "Glocker 2001, Set-valued force laws, 4 (sprag clutch)",
                   .example = "[clutch freewheel]\nbetween = engine, wheel\n",
                   .symbol = "M-20 0h12M-8-9v18M-8-9l10 9-10 9M6-9v18M6 0h14",
                   .domain = IFBAM_DOMAIN_ROTATION)

/* The clutch's law for flows */

static const IfbamParam check_valve_params[] = {
  IFBAM_PARAM_BETWEEN,
};

static const char *const valve_modes[] = { "open", "shut", NULL };

static const IfbamLaw check_valve_law = { .modes = valve_modes,
                                          .events = valve_modes,
                                          .mode = clutch_slot_mode,
                                          .constraint = clutch_slot_constraint };

IFBAM_DEFINE_LINK (CheckValve, check_valve, ClutchLaw, check_valve, .name = "check-valve",
                   .summary = "check valve: from left to right only",
                   .law = "flow_left <= flow_right; p >= 0, and 0 where they differ",
                   .source = "as complementarity: Glocker 2001, Set-valued force laws, 4",
                   .example = "[check-valve inlet]\nbetween = sump, column\n",
                   .symbol = "M-20 0h12M-8-9v18M-8-9l10 9-10 9M6-9v18M6 0h14",
                   .domain = IFBAM_DOMAIN_HYDRAULICS)
