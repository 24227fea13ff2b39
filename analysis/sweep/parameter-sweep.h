/* parameter-sweep.h: a network over combinations of parameter values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"
#include "sweep/dependent-values.h"
#include "sweep/measure.h"
#include "sweep/mode-tracking.h"
#include "sweep/sweep-axis.h"

typedef struct
{
  const IfbamNetworkBytes *bytes;  /* not owned */
  char **settings;                 /* as for ifbam_network_new_from_bytes */
  GPtrArray *variations;           /* IfbamVariation */
  IfbamDependentValues *followers; /* values computed from varied ones */
  IfbamMeasures *measures;
  IfbamGrid *grid; /* results */

  /* Private: */
  IfbamModeTrack **tracks; /* NULL: not computed; NULL for all: modes are not tracked (grid->n) */
  GHashTable
      *ancestors; /* tracks of variants before a part: guint64 -> IfbamModeTrack; NULL: none yet */
  guint64 *steps; /* of a variant, by the combination of varied settings */
  gsize width;    /* number of lanes */
  double row_memory; /* memory of a variant's rows, at most [bytes] */
  gboolean large;    /* each variant is run by all threads */
} IfbamSweep;

/* settings: ELEMENT.KEY=VALUE. varied: see ifbam_variation_new; or NAME=FORMULA with parameters,
 * "c=0.05*k", for dependent values; empty (not NULL): one variant. measured, count: see ifbam_measures_new. NULL with
 * IFBAM_ERROR_USAGE, a line for each fault, or IFBAM_ERROR_NETWORK. */
IfbamSweep *ifbam_sweep_new (const IfbamNetworkBytes *bytes, const char *const *settings,
                             const char *const *varied, const char *const *measured, guint count,
                             GError **error);
/* As above for part `part` of n_parts (from 0 on), each of consecutive variants; n_parts 0: all. */
IfbamSweep *ifbam_sweep_new_part (const IfbamNetworkBytes *bytes, const char *const *settings,
                                  const char *const *varied, const char *const *measured,
                                  guint count, guint64 part, guint64 n_parts, GError **error);
void ifbam_sweep_free (IfbamSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSweep, ifbam_sweep_free)

/* Writes the modes found since the last call into the columns given by their tracks. */
void ifbam_sweep_place_modes (IfbamSweep *sweep);

/* Returns the index of a combination of varied settings in sweep->steps. */
guint64 ifbam_sweep_combination (const IfbamSweep *sweep, const gsize *index);

/* Sets the parameters of a network, read from the sweep's bytes, to those of a variant; index: of
 * the value in each variation. FALSE with a reason (transfer full). */
gboolean ifbam_sweep_set (const IfbamSweep *sweep, const IfbamNetwork *network, const gsize *index,
                          char **reason);
