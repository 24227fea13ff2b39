/* dof-groups.h: coordinates that relations hold together: each moves by a factor of its group's first one
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "element/element.h"

/* sum entry * x[at]: what a motion of coordinates or nodes does to a compression. */
typedef struct
{
  gsize number; /* of its slopes, for who keeps some */
  guint n;
  gsize at[IFBAM_MAX_PORTS];
  double entry[IFBAM_MAX_PORTS];
} IfbamMotionRow;

typedef struct
{
  gsize n;
  guint32 *parent; /* (n) */
  double *factor;  /* displacement per that of the parent (n) */
  guint8 *still;   /* of a group's first: it cannot move (n) */
} IfbamGroups;

/* n coordinates, each for itself. */
void ifbam_groups_init (IfbamGroups *groups, gsize n);
void ifbam_groups_clear (IfbamGroups *groups);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamGroups, ifbam_groups_clear)

/* The lowest coordinate of a group, and by how much this one moves with it. */
guint32 ifbam_groups_find (const IfbamGroups *groups, gsize i, double *factor);
/* Lets a row's sum be 0 for ever. FALSE (and nothing is done) where more than two groups that can move
 * take part: such are not known here. */
gboolean ifbam_groups_hold (IfbamGroups *groups, const IfbamMotionRow *row);
/* Lets the coordinates of a row stand still. */
void ifbam_groups_stop (IfbamGroups *groups, const IfbamMotionRow *row);
