/* optimise.h: values of varied numbers with the least or largest measure
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/parameter-sweep.h"
#include "sweep/sweep-run.h"

/* varied: NAME=FROM:TO (bounds). measured: as of a sweep. best: "min:COLUMN" or "max:COLUMN". Returns
 * the best values as NAME=VALUE (transfer full). The simplex method of Nelder & Mead 1965 (GSL) begins
 * at the best of an even grid, and again where it ends until that brings nothing. NULL with
 * IFBAM_ERROR_USAGE, IFBAM_ERROR_NETWORK or IFBAM_ERROR_INTERRUPTED. */
char **ifbam_sweep_optimise (const IfbamNetworkBytes *bytes, const char *const *settings,
                             const char *const *varied, const char *const *measured,
                             const char *best, const IfbamSweepRun *run, GError **error);
