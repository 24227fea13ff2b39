/* coordinates.c: coordinates of an element in the plane, as nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/coordinates.h"
#include "elements/elements.h"

void
ifbam_coordinates_expand (IfbamElement *owner, IfbamBuilder *builder,
                          const IfbamCoordinate *coordinates, guint n)
{
  for (guint c = 0; c < n; c++)
    {
      const IfbamCoordinate *coordinate = &coordinates[c];
      const IfbamElementInfo *info = ifbam_element_type_info (
          coordinate->turns ? ifbam_inertia_get_type () : ifbam_mass_get_type ());
      const char *const keys[] = { coordinate->inertia, coordinate->start, coordinate->rate };
      IfbamSeries series[IFBAM_MAX_PARAMS] = { 0 };
      const double inertia = coordinate->inertia_of == NULL ? 0 : coordinate->inertia_of (owner);
      const IfbamMember member = {
        .info = info, .letter = coordinate->letter, .is_single = TRUE, .series = series
      };

      for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
        {
          const guint param =
              keys[k] == NULL ? 0 : (guint) ifbam_element_param_index (owner->info, keys[k]);

          if (keys[k] == NULL)
            continue;
          if (k == 0 || ifbam_element_is_set (owner, param))
            series[k] =
                (IfbamSeries){ ifbam_element_value (owner, &owner->info->params[param]), 1, NULL };
        }
      if (coordinate->inertia_of != NULL)
        series[0].values = &inertia;
      builder->add_nodes (builder, owner, &member, 1);
    }
}

static gboolean
is_coordinate (const IfbamElement *owner, const char *member)
{
  static const char *const letters[] = { "x", "y", "angle", "turn-x", "turn-y" };

  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    if (g_str_equal (member, letters[i]))
      return ifbam_element_param_index (owner->info, member) >= 0;
  return FALSE;
}

gboolean
ifbam_coordinates_set_member (IfbamElement *owner, const char *member, const char *key,
                              const char *text, IfbamNumberReader read, char **reason)
{
  (void) text, (void) read;
  if (!is_coordinate (owner, member))
    *reason = g_strdup_printf ("the %s \"%s\" has no coordinate \"%s\"", owner->info->name,
                               owner->name, member);
  else
    *reason =
        g_strdup_printf ("\"%s.%s\" is a coordinate of the %s \"%s\" and has no key \"%s\" "
                         "(set %s.%s)",
                         owner->name, member, owner->info->name, owner->name, key, owner->name,
                         ifbam_element_param_index (owner->info, key) < 0 ? member : key);
  return FALSE;
}
