/* diode.c: diode between two electrical nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/diode-law.h"
#include "element/element.h"

static const IfbamParam diode_params[] = {
  IFBAM_PARAM (DiodeLaw, resistance, "resistance", "ohm", 0, G_MAXDOUBLE, 0,
               "in series, while it conducts; 0: it is ideal"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 2, 2, IFBAM_REQUIRED,
                         "the nodes that it joins: ANODE, CATHODE"),
};

static const char *const modes[] = { "open", "closed", NULL };
static const char *const events[] = { "open", "close", NULL };

IFBAM_DEFINE_LAW (DiodeLaw, diode, (FORCE, MODE, GUARDS, CONSTRAINT), .modes = modes,
                  .events = events)

IFBAM_DEFINE_LINK (
    Diode, diode, DiodeLaw, diode, .name = "diode",
    .summary = "diode: no current backward, no voltage forward",
    .law = "voltage <= 0 and no current, or current >= 0 at voltage = current * "
           "resistance",
    .source =
        "ideal: Cellier & Kofman 2006, chapter 9; as complementarity: Glocker 2005, Models of "
        "non-smooth switches in electrical systems",
    .example = "[diode d1]\nbetween = mains, c1\n",
    .symbol = "M-20 0h12M-8-8v16l16-8zM8-8v16M8 0h12", .domain = IFBAM_DOMAIN_ELECTRICITY)
