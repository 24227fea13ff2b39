/* element-formula.h: formulas of laws from texts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/formula.h"
#include "element/element.h"

/* Reads the formula of a class with a law by formula (transfer full: ifbam_program_free). In it stand
 * delta and rate, or the domain's words: flux and voltage, volume and flow. NULL with a reason (transfer
 * full). */
IfbamProgram *ifbam_element_read_formula (const IfbamElementInfo *info, const char *text,
                                          char **reason);
