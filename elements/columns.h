/* columns.h: masses, springs and dampers as columns of numbers, one row for each
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

/* What its columns are of: rows of links may be springs, dampers or both side by side. */
typedef enum
{
  IFBAM_COLUMNS_MASS,
  IFBAM_COLUMNS_SPRING,
  IFBAM_COLUMNS_DAMPER,
  IFBAM_N_COLUMNS_KINDS,
} IfbamColumnsKind;

#define IFBAM_MOST_COLUMNS 3 /* of a kind */

/* The class of a kind, and the parameters of which it may have columns: the first one it must have (static,
 * NULL-terminated). */
const IfbamElementInfo *ifbam_columns_info (IfbamColumnsKind kind);
const char *const *ifbam_columns_keys (IfbamColumnsKind kind);

typedef struct _IfbamColumnsData IfbamColumnsData;

struct _IfbamColumnsData
{
  guint64 n_nodes, n_links; /* rows of the file */
  IfbamRowsPart *part;      /* those of them that are here (owned); NULL: all are */
  /* Values of a kind's parameters, in the order of its keys (GVariant "ad", n_nodes or n_links, owned); NULL: there are
   * none. Where a link is not of the kind they are NaN. */
  GVariant *values[IFBAM_N_COLUMNS_KINDS][IFBAM_MOST_COLUMNS];
  guint32 *left,
      *right; /* nodes, by rows from 0 on; n_nodes and more: those that the element's key `outer` names */
  guint8 *kinds; /* bit 0: a spring, bit 1: a damper */
  char *path;    /* that they were read from, when it was written, and for how many outer nodes */
  gint64 changed;
  guint n_outer;
  IfbamColumnsData *earlier; /* what was read before, as somebody may be at it (owned) */
};

IfbamColumnsData *ifbam_columns_data_new (void);
void ifbam_columns_data_free (IfbamColumnsData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamColumnsData, ifbam_columns_data_free)
