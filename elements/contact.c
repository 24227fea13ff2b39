/* contact.c: soft one-sided contact between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/contact-law.h"
#include "element/element.h"
#include "elements/damped.h"

typedef struct
{
  ContactLaw law;
  double length; /* [m] */
} ContactInPlane;

static const IfbamParam contact_params[] = {
  IFBAM_PARAM (ContactInPlane, law.gap, "gap", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "compression at which they touch"),
  IFBAM_PARAM (ContactInPlane, law.stiffness, "stiffness", "N/m", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per unit of overlap"),
  DAMPED_PARAMS (ContactInPlane, law.damped, "m", "N", "force", "while it is closed"),
  IFBAM_PARAM_LENGTH (ContactInPlane),
  IFBAM_PARAM_BETWEEN_ANY,
};

static const char *const modes[] = { "open", "closed", "parted", "limited", NULL };

static char *
contact_fault (IfbamElement *element, const char **key)
{
  return ifbam_damped_fault (element, &((const ContactLaw *) ifbam_element_law (element))->damped,
                             key);
}

IFBAM_DEFINE_LAW (ContactLaw, contact, (FORCE, MODE, GUARDS, CONSTRAINT, EVENT, SLOPES),
                  .modes = modes, .ends = &ifbam_distance,
                  .first_of_ends = IFBAM_N_DOUBLES (ContactLaw))

IFBAM_DEFINE_LINK (
    Contact, contact, ContactInPlane, contact, .name = "contact",
    .summary = "soft one-sided contact; it never pulls",
    .law = "closed: F = stiffness * (compression - gap) + damping * rate >= 0; bounded: "
           "at most twice its first term; hunt-crossley: this times (1 + "
           "dissipation * rate)",
    .source = "Kelvin & Voigt; one-sided: Brogliato 1999, Nonsmooth Mechanics, 2.1; Hunt & "
              "Crossley 1975",
    .example = "[contact bumper]\nstiffness = 100 kN/m\ngap       = 2 mm\n"
               "between   = m1, wall\n",
    .symbol = "M-20 0h8M-12-8v16M-5-8v16M-5 0h2l2-6 4 12 4-12 4 12 2-6h7",
    .domain = IFBAM_DOMAIN_TRANSLATION,
    .forms = IFBAM_BETWEEN_NODES | IFBAM_BETWEEN_BALLS | IFBAM_BETWEEN_ENDS, .fault = contact_fault)
