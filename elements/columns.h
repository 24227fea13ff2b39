/* columns.h: masses, springs and dampers as columns of parameters, one row for each
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

/* Kinds of columns. A row of links can be a spring, a damper, or both in parallel. */
typedef enum
{
  IFBAM_COLUMNS_MASS,
  IFBAM_COLUMNS_SPRING,
  IFBAM_COLUMNS_DAMPER,
  IFBAM_N_COLUMNS_KINDS,
} IfbamColumnsKind;

#define IFBAM_MAX_FILE_COLUMNS 3 /* of a kind */

/* Return a kind's class, and its keys with columns, required one first (static,
 * NULL-terminated). */
const IfbamElementInfo *ifbam_columns_info (IfbamColumnsKind kind);
const char *const *ifbam_columns_keys (IfbamColumnsKind kind);

typedef struct _IfbamColumnsData IfbamColumnsData;

struct _IfbamColumnsData
{
  guint64 n_nodes, n_links; /* rows in the file */
  IfbamRowsPart *part;      /* the rows that are here (owned); NULL: all */
  /* Columns of a kind's parameters, in the order of its keys (GVariant "ad", n_nodes or n_links,
   * owned); NULL: none. NaN where a link is not of the kind. */
  GVariant *values[IFBAM_N_COLUMNS_KINDS][IFBAM_MAX_FILE_COLUMNS];
  guint32 *left, *right; /* nodes by row; from n_nodes on: nodes of the key `outer` */
  guint8 *kinds;         /* bit 0: a spring, bit 1: a damper */
  char *path;            /* the file read, its time of change, and the count of outer nodes then */
  gint64 changed;
  guint n_named_free;
  IfbamColumnsData *earlier; /* data read before, possibly still in use (owned) */
};

IfbamColumnsData *ifbam_columns_data_new (void);
void ifbam_columns_data_free (IfbamColumnsData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamColumnsData, ifbam_columns_data_free)
