/* string.c: inextensible string: limits the distance of two points, only pulls
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"

typedef struct
{
  double restitution; /* 0 to 1 */
  double length;      /* [m] */
} StringLaw;

static const IfbamParam string_params[] = {
  IFBAM_PARAM (StringLaw, length, "length", "m", G_MINDOUBLE, G_MAXDOUBLE, 0,
               "greatest distance of its ends; default: that at the start"),
  IFBAM_PARAM (StringLaw, restitution, "restitution", "", 0, 1, 0,
               "rate after it has got taut over that before: 0 stays taut, 1 loses nothing"),
  IFBAM_PARAM_BETWEEN_POINTS,
  IFBAM_PARAM_FOLLOW_LENGTH,
};

static inline int
string_mode (const StringLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return IFBAM_MODE_OPEN;
}

static inline IfbamConstraint
string_constraint (const StringLaw *p, int mode)
{
  (void) mode;
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_CONTACT,
                            .restitution = p->restitution,
                            .idle = 1 };
}

static const char *const modes[] = { "slack", "taut", NULL };
static const char *const events[] = { "slack", "taut", NULL };

IFBAM_DEFINE_LAW (StringLaw, string, (MODE, CONSTRAINT), .modes = modes, .events = events,
                  .ends = &ifbam_stretch, .first_of_ends = 1)

IFBAM_DEFINE_LINK (
    String, string, StringLaw, string, .name = "string",
    .summary = "inextensible string between two points: it only pulls",
    .law = "distance <= length; rate after it has got taut = -restitution * rate before",
    .source = "Newton 1687, Principia, corollary VI; Signorini 1933",
    .example = "[string leash]\nlength  = 1.5 m\nbetween = post, dog\n",
    .symbol = "M-20 0q5-8 10 0 5 8 10 0 5-8 10 0 5 8 10 0", .domain = IFBAM_DOMAIN_TRANSLATION,
    .forms = IFBAM_BETWEEN_ENDS, .length_slot = IFBAM_SLOT_FOLLOW_LENGTH)
