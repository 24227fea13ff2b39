/* damped.h: parameters of the damping of a soft one-sided contact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"
#include "elements/damped-law.h"

/* NULL-terminated */
extern const char *const ifbam_damped_words[];

/* field: a DampedLaw in Law; x, f: units of compression and force; force: its name; when: mode */
#define DAMPED_PARAMS(Law, field, x, f, force, when)                                               \
  IFBAM_PARAM (Law, field.damping, "damping", f " s/" x, 0, G_MAXDOUBLE, 0,                        \
               force " per unit of rate " when),                                                   \
      IFBAM_PARAM_WORD (Law, field.law, "damping-law", ifbam_damped_words, DAMPED_PROPORTIONAL,    \
                        "bounded: no more than the elastic " force                                 \
                        "; hunt-crossley: dissipation times the elastic " force " times the "      \
                        "rate"),                                                                   \
      IFBAM_PARAM (Law, field.dissipation, "dissipation", "s/" x, 0, G_MAXDOUBLE, 0,               \
                   "with damping-law = hunt-crossley: part of the elastic " force                  \
                   " that a unit of rate adds")

/* As IfbamElementInfo.fault. */
char *ifbam_damped_fault (const IfbamElement *element, const DampedLaw *law, const char **key);
