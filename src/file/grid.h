/* grid.h: values measured over a grid of varied numbers: a few for each of all their combinations
 *
 * As a file in HDF5, in which others find arrays with named axes:
 *
 *   /VARIED    a varied number's values, the scale of an axis; attributes "units", "title"
 *   /MEASURED  an array of rank as many as there are varied numbers (and one more, "mode" or "peak", where a
 *              variant has several); attributes "units", "columns"
 *   /state     of each variant: 0 open, 1 done, 2 diverged
 *   /diverged  the instant at which a variant diverged [s], where variants are run
 *   /manifest  attributes: the network, options and version that made it
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
  IFBAM_VARIANT_DONE,     /* its values are there */
  IFBAM_VARIANT_DIVERGED, /* at an instant, or it could not go on; there are no values */
} IfbamVariantState;

/* A number that is varied. */
typedef struct
{
  char *name, *unit; /* "k1.stiffness", "N/m" or "" */
  char *title;       /* of its column in a table */
  double *values;    /* (n) */
  gsize n;
} IfbamGridAxis;

/* A quantity that is measured. */
typedef struct
{
  char *name, *unit;
  const char
      *axis; /* static: "mode" or "peak", of which a variant has several; NULL: it has one value */
  guint first, n;    /* its columns */
  gboolean optional; /* columns without any value are left out of a table */
} IfbamGridArray;

/* Variants by number: the last axis goes fastest. Of a part of them number 0 is its first; what stands before it has the
 * numbers -1, -2, ... without their signs. */
typedef struct
{
  GArray *axes;       /* IfbamGridAxis */
  GArray *arrays;     /* IfbamGridArray */
  GPtrArray *columns; /* char *: names of a variant's values (n_values) */
  guint n_values;
  guint64 n;        /* variants */
  guint8 *state;    /* IfbamVariantState (n) */
  gboolean is_part; /* of all combinations: these, from the first on */
  guint64 first;
  double *instant;  /* at which a variant diverged [s] (n) */
  double *values;   /* NaN: there is none (n)(n_values) */
  gboolean is_run;  /* variants are run, and may diverge */
  int best;         /* the column by which a variant is the best; -1: none */
  gboolean highest; /* the best has its largest value, else its least one */
} IfbamGrid;

IfbamGrid *ifbam_grid_new (void);
void ifbam_grid_free (IfbamGrid *grid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamGrid, ifbam_grid_free)

/* All is copied. */
void ifbam_grid_add_axis (IfbamGrid *grid, const char *name, const char *unit, const char *title,
                          const double *values, gsize n);
/* Its columns follow those that are there; axis: static. */
void ifbam_grid_add_array (IfbamGrid *grid, const char *name, const char *unit, const char *axis,
                           gboolean optional, const char *const *columns, guint n);
/* Variants of all combinations, or of part number `part` of so many (n_parts; 0: all), all open. The grid gets nothing more
 * after that. */
void ifbam_grid_make_room (IfbamGrid *grid, guint64 part, guint64 n_parts);

/* Which value each axis has in a variant (axes). */
void ifbam_grid_indices (const IfbamGrid *grid, guint64 variant, gsize *index);
/* Whether both have the same axes and columns. */
gboolean ifbam_grid_is_like (const IfbamGrid *grid, const IfbamGrid *other);
/* "k1.stiffness = 5000 N/m, k2.stiffness = 40000 N/m" (transfer full) */
char *ifbam_grid_describe (const IfbamGrid *grid, guint64 variant);
/* How many variants are not open. */
guint64 ifbam_grid_count (const IfbamGrid *grid, gboolean diverged_only);

/* "min:COLUMN" or "max:COLUMN": which variant is the best. FALSE with IFBAM_ERROR_USAGE. */
gboolean ifbam_grid_set_best (IfbamGrid *grid, const char *text, GError **error);
/* The first of the best; FALSE: not requested, or no variant has a value. */
gboolean ifbam_grid_find_best (const IfbamGrid *grid, guint64 *variant);

/* Whether a file in HDF5 can have it; FALSE with IFBAM_ERROR_USAGE. */
gboolean ifbam_grid_fits_file (const IfbamGrid *grid, const char *path, GError **error);
/* The file is there, whole and on the disk, or what was there before. keeps_before: what was there gets another
 * name, ifbam_sealed_before(). ended: a word for how the sweep did. IFBAM_ERROR_WRITE. */
gboolean ifbam_grid_write (const IfbamGrid *grid, const char *path, gboolean keeps_before,
                           const IfbamManifest *manifest, const char *ended, GError **error);
/* A grid of a file, and what made it; sealed: not one byte may differ from what was written. NULL with
 * IFBAM_ERROR_COURSE. */
IfbamGrid *ifbam_grid_read (const char *path, gboolean sealed, IfbamManifest **manifest,
                            GError **error);
