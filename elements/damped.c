/* damped.c: parameters of the damping of a soft one-sided contact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/damped.h"

const char *const ifbam_damped_words[] = { "proportional", "bounded", "hunt-crossley", NULL };

char *
ifbam_damped_fault (const IfbamElement *element, const DampedLaw *law, const char **key)
{
  const gboolean product = law->law == DAMPED_HUNT_CROSSLEY;
  const int other = ifbam_element_param_index (element->info, product ? "damping" : "dissipation");

  *key = element->info->params[other].key;
  if (!(product ? law->damping > 0 : law->dissipation > 0))
    return NULL;
  return g_strdup (
      product ? "applies to the other damping laws (want dissipation with hunt-crossley)"
              : "applies to damping-law = hunt-crossley only (want damping with the others)");
}
