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
  guint n_values;  /* of a variant: columns of the measures */
  guint64 n;       /* variants */
  guint8 *state;   /* IfbamVariantState (n) */
  double *instant; /* at which a variant diverged [s] (n) */
  double *values;  /* NaN: there is none (n)(n_values) */

  /* private */
  guint64 *steps;    /* of a variant, by the combination of varied settings */
  gsize width;       /* lanes */
  double row_memory; /* of a variant's rows, at most [bytes] */
  gboolean large;    /* one variant is worth all threads */
} IfbamSweep;

/* Most variants of a sweep. */
#define IFBAM_MOST_VARIANTS 10000000

/* settings: ELEMENT.KEY=VALUE; varied: see ifbam_variation_new; measured, count: see
 * ifbam_measures_new. NULL with IFBAM_ERROR_USAGE, a line for each fault, or IFBAM_ERROR_NETWORK. */
IfbamSweep *ifbam_sweep_new (const IfbamNetworkBytes *bytes, const char *const *settings,
                             const char *const *varied, const char *const *measured, guint count,
                             GError **error);
void ifbam_sweep_free (IfbamSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSweep, ifbam_sweep_free)

/* "k1.stiffness = 5000, k2.stiffness = 40000" (transfer full) */
char *ifbam_sweep_describe (const IfbamSweep *sweep, guint64 variant);

typedef struct
{
  guint threads; /* 0: as many as there are processors */
  gboolean objects;
  gboolean allow_divergence;
  gboolean one_by_one; /* no lanes: the same numbers */
  /* Called now and then with the part done (0..1), while nobody changes the results; FALSE interrupts.
   * May be NULL. */
  gboolean (*progress) (gpointer data, double part);
  gpointer data;
} IfbamSweepRun;

/* Runs the open variants. FALSE with IFBAM_ERROR_INTERRUPTED, or what is wrong with a variant: then what
 * is finished is kept. */
gboolean ifbam_sweep_run (IfbamSweep *sweep, const IfbamSweepRun *run, GError **error);

/* What the scheme's own error does to a variant. */
typedef struct
{
  guint64 variant;
  const IfbamScheme *scheme;
  double step;      /* [s] */
  double duration;  /* [s] */
  double frequency; /* angular, of the fastest mode [1/s] */
  double rate;      /* of its amplitude [1/s] */
} IfbamSweepGrowth;

/* The one with the most growth over its duration, of the variants at the ends of all variations. FALSE:
 * there is none. */
gboolean ifbam_sweep_find_growth (const IfbamSweep *sweep, IfbamSweepGrowth *growth);

/* Links without a linear law: modes are those of small motions about the start. */
gsize ifbam_sweep_count_nonlinear (const IfbamSweep *sweep);

/* How many variants are not open. */
guint64 ifbam_sweep_count (const IfbamSweep *sweep, gboolean diverged_only);

/* The finished variants as CSV (transfer full): the varied numbers, the values, the instant of
 * divergence. Spectra have as many columns as the richest of them needs. */
GString *ifbam_sweep_to_csv (const IfbamSweep *sweep);
/* Takes the finished variants from a CSV file over and runs a few of them again, to see that the file is
 * this sweep's: else IFBAM_ERROR_COURSE. */
gboolean ifbam_sweep_resume (IfbamSweep *sweep, const IfbamSweepRun *run, const char *path,
                             GError **error);
