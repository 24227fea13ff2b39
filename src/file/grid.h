/* grid.h: measured values of all variants on a grid of parameter values
 *
 * A file in HDF5 has arrays with named axes:
 *
 *   /VARIED    values of a varied parameter, the scale of an axis; attributes "units", "title"
 *   /MEASURED  array with an axis per varied parameter (and "mode" or "peak", if there are several
 *              values per variant); attributes "units", "columns"
 *   /state     of each variant: 0 open, 1 done, 2 diverged
 *   /diverged  time at which a variant diverged [s], if variants are run
 *   /manifest  attributes: network, options and version
 *   /          attributes: "format", "version", "complete", "ended", "varied", "measured", "best"
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/result.h"

#define IFBAM_SWEEP_FORMAT "ifbam sweep"

typedef enum
{
  IFBAM_VARIANT_OPEN,     /* not run yet */
  IFBAM_VARIANT_DONE,     /* has its values */
  IFBAM_VARIANT_DIVERGED, /* diverged, or failed; has no values */
} IfbamVariantState;

/* Varied parameter. */
typedef struct
{
  char *name, *unit; /* "k1.stiffness", "N/m" or "" */
  char *title;       /* column title in a table */
  double *values;    /* (n) */
  gsize n;
} IfbamGridAxis;

/* Measured quantity. */
typedef struct
{
  char *name, *unit;
  const char *
      axis; /* static: "mode" or "peak", if there are several values per variant; NULL: one value */
  guint first, n;    /* its columns */
  gboolean optional; /* columns without values are omitted in a table */
} IfbamGridArray;

/* Variants by index; the last axis varies fastest. In a part of the grid, index 0 is its first
 * variant; variants before it have negative indices. */
typedef struct
{
  GArray *axes;       /* IfbamGridAxis */
  GArray *arrays;     /* IfbamGridArray */
  GPtrArray *columns; /* char *: names of a variant's values (n_values) */
  guint n_values;
  guint64 n;        /* number of variants */
  guint8 *state;    /* IfbamVariantState (n) */
  gboolean is_part; /* a part of all combinations, from `first` on */
  guint64 first;
  double *instant;  /* time at which a variant diverged [s] (n) */
  double *values;   /* NaN: no value (n)(n_values) */
  gboolean is_run;  /* variants are run, so that they may diverge */
  int best;         /* column that determines the best variant; -1: none */
  gboolean highest; /* the best variant has the largest value; else the least */
} IfbamGrid;

IfbamGrid *ifbam_grid_new (void);
void ifbam_grid_free (IfbamGrid *grid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamGrid, ifbam_grid_free)

/* Adds an axis; copies the arguments. */
void ifbam_grid_add_axis (IfbamGrid *grid, const char *name, const char *unit, const char *title,
                          const double *values, gsize n);
/* Adds columns for an array; axis: static. */
void ifbam_grid_add_array (IfbamGrid *grid, const char *name, const char *unit, const char *axis,
                           gboolean optional, const char *const *columns, guint n);
/* Allocates all variants, or those of part `part` of n_parts (0: all), as open. Nothing can be
 * added to the grid afterwards. */
void ifbam_grid_make_room (IfbamGrid *grid, guint64 part, guint64 n_parts);

/* Computes the value index of each axis for a variant (axes). */
void ifbam_grid_indices (const IfbamGrid *grid, guint64 variant, gsize *index);
/* TRUE if both have the same axes and columns. */
gboolean ifbam_grid_is_like (const IfbamGrid *grid, const IfbamGrid *other);
/* Returns "k1.stiffness = 5000 N/m, k2.stiffness = 40000 N/m" (transfer full). */
char *ifbam_grid_describe (const IfbamGrid *grid, guint64 variant);
/* Counts variants that are not open. */
guint64 ifbam_grid_count (const IfbamGrid *grid, gboolean diverged_only);

/* Reads "min:COLUMN" or "max:COLUMN" for the best variant. FALSE with IFBAM_ERROR_USAGE. */
gboolean ifbam_grid_set_best (IfbamGrid *grid, const char *text, GError **error);
/* Finds the first of the best variants; FALSE: none is defined or has a value. */
gboolean ifbam_grid_find_best (const IfbamGrid *grid, guint64 *variant);

/* TRUE if a file in HDF5 can contain the grid; FALSE with IFBAM_ERROR_USAGE. */
gboolean ifbam_grid_fits_file (const IfbamGrid *grid, const char *path, GError **error);
/* Writes the file and flushes it to the disk; after IFBAM_ERROR_WRITE an existing file is
 * unchanged. keeps_before: it is renamed to ifbam_sealed_old_name(). ended: how the sweep ended. */
gboolean ifbam_grid_write (const IfbamGrid *grid, const char *path, gboolean keeps_before,
                           const IfbamManifest *manifest, const char *ended, GError **error);
/* Reads a grid and its manifest; sealed: checks the checksum. NULL with IFBAM_ERROR_COURSE. */
IfbamGrid *ifbam_grid_read (const char *path, gboolean sealed, IfbamManifest **manifest,
                            GError **error);
