/* coordinates.h: coordinates of an element in the plane, as nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

/* A coordinate, OWNER.LETTER. */
typedef struct
{
  const char *letter;
  gboolean turns;                                   /* an inertia, not a mass */
  const char *inertia, *start, *rate;               /* the owner's keys */
  double (*inertia_of) (const IfbamElement *owner); /* NULL: value of the key */
} IfbamCoordinate;

/* Adds n nodes. Start values that the owner does not set remain unset. */
void ifbam_coordinates_expand (IfbamElement *owner, IfbamBuilder *builder,
                               const IfbamCoordinate *coordinates, guint n);

/* Returns FALSE, with the reason that a coordinate has no keys of its own. */
gboolean ifbam_coordinates_set_member (IfbamElement *owner, const char *member, const char *key,
                                       const char *text, IfbamNumberReader read, char **reason);
