/* section.h: Poincaré sections over a number: a network's signals once a period, or at its events
 *
 * For each number the network runs from its start, or from the state at the number before, over some
 * periods of its source that do not count and some that do. Steps divide the period, so that each
 * point is the end of a step; events are located as in all runs.
 *
 * Lyapunov exponents follow from the period map's Jacobians along the motion, by differences, with a
 * QR decomposition in each period (Benettin, Galgani, Giorgilli & Strelcyn 1980).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "orbit/period-map.h"

typedef enum /* bits */
{
  IFBAM_CARRY_NONE = 0,
  IFBAM_CARRY_UP = 1,   /* each number begins with the end of the number before */
  IFBAM_CARRY_DOWN = 2, /* as above, from the last number to the first */
} IfbamCarry;

typedef struct
{
  IfbamOrbitRequest
      orbit;      /* network, number, source, periods before the section, signals, progress */
  guint points;   /* numbers, at even distances */
  guint last;     /* periods of the section */
  const char *at; /* "stop.impact": rows just after these events; NULL: at phase 0 */
  IfbamCarry carry;
  gboolean exponents;
  guint threads;         /* without carry; 0: number of processors */
  guint64 part, n_parts; /* part of the numbers, from 0 on; n_parts 0: all */
} IfbamSectionRequest;

/* The points at one number. */
typedef struct
{
  double number;    /* [SI]; NaN: none */
  IfbamCarry carry; /* direction, or none */
  GArray *values;   /* double: rows of all signals */
  double *exponent; /* by falling value [1/s] (n_exponents); NULL: not requested */
  char *failure;    /* reason for which the run ended early; NULL: it did not */
} IfbamSectionRun;

typedef struct
{
  char *name;         /* of the number; NULL: none */
  const char *unit;   /* of the number (static) */
  GPtrArray *signals; /* char*, NULL-terminated */
  GPtrArray *units;   /* const char*: of the signals */
  guint n_exponents;
  GArray *runs; /* IfbamSectionRun: up, then down */
} IfbamSections;

/* NULL with IFBAM_ERROR_USAGE, an error of the network, or IFBAM_ERROR_INTERRUPTED. */
IfbamSections *ifbam_sections_new (const IfbamSectionRequest *request, GError **error);
void ifbam_sections_free (IfbamSections *sections);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSections, ifbam_sections_free)
