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
} IfbamDofGroups;

/* Makes n groups of one coordinate. */
void ifbam_dof_groups_init (IfbamDofGroups *groups, gsize n);
void ifbam_dof_groups_clear (IfbamDofGroups *groups);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamDofGroups, ifbam_dof_groups_clear)

/* Returns a group's first coordinate; factor: displacement of i per displacement of the first. */
guint32 ifbam_dof_groups_find (const IfbamDofGroups *groups, gsize i, double *factor);
/* Makes a row's sum constant. FALSE, without effect: the row has more than two movable groups. */
gboolean ifbam_dof_groups_merge (IfbamDofGroups *groups, const IfbamMotionRow *row);
/* Fixes the coordinates of a row. */
void ifbam_dof_groups_fix (IfbamDofGroups *groups, const IfbamMotionRow *row);
