/* dof-groups.h: groups of coordinates that constraints keep in proportion to each other
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "element/element.h"

/* sum entry * x[at]: change of a compression due to coordinates or nodes. */
typedef struct
{
  gsize number; /* index for the caller's use */
  guint n;
  gsize at[IFBAM_MAX_PORTS];
  double entry[IFBAM_MAX_PORTS];
} IfbamMotionRow;

typedef struct
{
  gsize n;
  guint32 *parent; /* (n) */
  double *factor;  /* displacement per displacement of the parent (n) */
  guint8 *still;   /* of a group's first coordinate: it can't move (n) */
} IfbamGroups;

/* Makes n groups of one coordinate. */
void ifbam_groups_init (IfbamGroups *groups, gsize n);
void ifbam_groups_clear (IfbamGroups *groups);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamGroups, ifbam_groups_clear)

/* Returns a group's first coordinate; factor: displacement of i per displacement of the first. */
guint32 ifbam_groups_find (const IfbamGroups *groups, gsize i, double *factor);
/* Makes a row's sum constant. FALSE, without effect: the row has more than two movable groups. */
gboolean ifbam_groups_hold (IfbamGroups *groups, const IfbamMotionRow *row);
/* Fixes the coordinates of a row. */
void ifbam_groups_stop (IfbamGroups *groups, const IfbamMotionRow *row);
