/* sweep.h: a network over all combinations of varied numbers
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/measure.h"
#include "sweep/variation.h"

typedef enum
{
  IFBAM_VARIANT_OPEN,     /* not run yet */
  IFBAM_VARIANT_DONE,     /* its values are there */
  IFBAM_VARIANT_DIVERGED, /* at an instant, or it could not go on; there are no values */
} IfbamVariantState;

/* Variants by number: the last variation goes fastest. */
typedef struct
{
  const IfbamNetworkBytes *bytes; /* not owned */
  char **settings;                /* as for ifbam_network_new_from_bytes */
  GPtrArray *variations;          /* IfbamVariation */
  IfbamMeasures *measures;
  guint n_values;   /* of a variant: columns of the measures */
  guint64 n;        /* variants */
  guint8 *state;    /* IfbamVariantState (n) */
  double *instant;  /* at which a variant diverged [s] (n) */
  double *values;   /* NaN: there is none (n)(n_values) */
  int best;         /* the column whose least value is the best; -1: nobody asks */
  gboolean highest; /* or whose highest value */

  /* private */
  guint64 *steps;    /* of a variant, by the combination of varied settings */
  gsize width;       /* lanes */
  double row_memory; /* of a variant's rows, at most [bytes] */
  gboolean large;    /* one variant is worth all threads */
} IfbamSweep;

/* settings: ELEMENT.KEY=VALUE; varied: see ifbam_variation_new; measured, count: see
 * ifbam_measures_new. NULL with IFBAM_ERROR_USAGE, a line for each fault, or IFBAM_ERROR_NETWORK. */
IfbamSweep *ifbam_sweep_new (const IfbamNetworkBytes *bytes, const char *const *settings,
                             const char *const *varied, const char *const *measured, guint count,
                             GError **error);
void ifbam_sweep_free (IfbamSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSweep, ifbam_sweep_free)

/* Which value each variation has in a variant (variations). */
void ifbam_sweep_indices (const IfbamSweep *sweep, guint64 variant, gsize *index);
/* The number of a combination of varied settings: sweep->steps has its steps. */
guint64 ifbam_sweep_combination (const IfbamSweep *sweep, const gsize *index);

/* "min:COLUMN" or "max:COLUMN": which variant is the best. FALSE with IFBAM_ERROR_USAGE. */
gboolean ifbam_sweep_set_best (IfbamSweep *sweep, const char *text, GError **error);
/* The first of the best; FALSE: nobody asks, or no variant has a value. */
gboolean ifbam_sweep_find_best (const IfbamSweep *sweep, guint64 *variant);

/* "k1.stiffness = 5000, k2.stiffness = 40000" (transfer full) */
char *ifbam_sweep_describe (const IfbamSweep *sweep, guint64 variant);

/* How many variants are not open. */
guint64 ifbam_sweep_count (const IfbamSweep *sweep, gboolean diverged_only);
