/* unit-spelling.h: engineers' spellings of units, converted to those of the unit system
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Returns TEXT in the spelling of ifbam_unit_parse() (transfer full): "kNm" becomes "(kN m)",
 * "U/min" becomes "revolution/min", "m⋅s⁻¹" becomes "m*s^-1". is_unit: TRUE if there is a unit of
 * this name; such words are unchanged. */
char *ifbam_unit_spell (const char *text, gboolean (*is_unit) (const char *word));

/* TRUE if TEXT is "1/min" or another spelling of it. */
gboolean ifbam_unit_is_per_minute (const char *text);
