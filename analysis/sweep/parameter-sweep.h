/* parameter-sweep.h: a network over all combinations of varied numbers
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
  const IfbamNetworkBytes *bytes; /* not owned */
  char **settings;                /* as for ifbam_network_new_from_bytes */
  GPtrArray *variations;          /* IfbamVariation */
  IfbamFollowers *followers;      /* values that are computed from what is varied */
  IfbamMeasures *measures;
  IfbamGrid *grid; /* what is found */

  /* private */
  IfbamModeTrack *
      *tracks; /* NULL: not looked at; NULL as a whole: modes are not followed (grid->n) */
  GHashTable *
      ancestors; /* of variants before a part's first: guint64 -> IfbamModeTrack; NULL: nobody followed any */
  guint64 *steps;    /* of a variant, by the combination of varied settings */
  gsize width;       /* lanes */
  double row_memory; /* of a variant's rows, at most [bytes] */
  gboolean large;    /* one variant is worth all threads */
} IfbamSweep;

/* settings: ELEMENT.KEY=VALUE; varied: see ifbam_variation_new, or NAME=FORMULA with parameters in it, "c=0.05*k": what
 * follows from others; measured, count: see
 * ifbam_measures_new. NULL with IFBAM_ERROR_USAGE, a line for each fault, or IFBAM_ERROR_NETWORK. */
IfbamSweep *ifbam_sweep_new (const IfbamNetworkBytes *bytes, const char *const *settings,
                             const char *const *varied, const char *const *measured, guint count,
                             GError **error);
/* The same of one part of so many (n_parts, from part 0 on), each of consecutive variants; 0: all. */
IfbamSweep *ifbam_sweep_new_part (const IfbamNetworkBytes *bytes, const char *const *settings,
                                  const char *const *varied, const char *const *measured,
                                  guint count, guint64 part, guint64 n_parts, GError **error);
void ifbam_sweep_free (IfbamSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSweep, ifbam_sweep_free)

/* Puts the modes that were found where they belong: into the columns that they have where they were followed from.
 * Called again it changes nothing but what was found meanwhile. */
void ifbam_sweep_place_modes (IfbamSweep *sweep);

/* The number of a combination of varied settings: sweep->steps has its steps. */
guint64 ifbam_sweep_combination (const IfbamSweep *sweep, const gsize *index);

/* Sets the numbers of a network, read from the sweep's bytes, to those of a variant: index has the place in each
 * variation. FALSE with a reason (transfer full). */
gboolean ifbam_sweep_set (const IfbamSweep *sweep, const IfbamNetwork *network, const gsize *index,
                          char **reason);
