/* coordinates.h: what moves in the plane: its coordinates are nodes of their own
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

/* One of them: OWNER.LETTER. */
typedef struct
{
  const char *letter;
  gboolean turns;                                   /* it is an inertia, not a mass */
  const char *inertia, *start, *rate;               /* the owner's keys */
  double (*inertia_of) (const IfbamElement *owner); /* NULL: what its key says */
} IfbamCoordinate;

/* Adds n nodes; what the owner was not told of their start, they are not. */
void ifbam_coordinates_expand (IfbamElement *owner, IfbamBuilder *builder,
                               const IfbamCoordinate *coordinates, guint n);

/* Says that a coordinate has no keys of its own. */
gboolean ifbam_coordinates_set_member (IfbamElement *owner, const char *member, const char *key,
                                       const char *text, IfbamNumberReader read, char **reason);
