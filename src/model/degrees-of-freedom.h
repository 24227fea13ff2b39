/* degrees-of-freedom.h: degrees of freedom of a mechanism at its start, and redundant constraints
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compiled-model.h"

/* A constraint that depends on others: indices of unbatched links. */
typedef struct
{
  guint32 relation;
  guint32 *others; /* (n) */
  guint n;
} IfbamDependence;

typedef struct
{
  guint coordinates;  /* of all free nodes */
  guint relations;    /* 0: no mechanism */
  guint redundant;    /* dependent on the other constraints */
  GArray *dependence; /* IfbamDependence of the first of them; NULL: none */
} IfbamDegreesOfFreedom;

IfbamDegreesOfFreedom ifbam_model_degrees_of_freedom (const IfbamModel *model);
void ifbam_degrees_of_freedom_clear (IfbamDegreesOfFreedom *freedom);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamDegreesOfFreedom, ifbam_degrees_of_freedom_clear)

/* Adds to issues each drive that the constraints block. */
void ifbam_model_check_drives (const IfbamModel *model, GArray *issues);

/* Adds to issues each branch with a given distance between nodes that others fix already. */
void ifbam_model_check_loops (const IfbamModel *model, GArray *issues);

/* Limit of a constraint's rotation in a step [rad]: with more the reaction misses its direction. */
#define IFBAM_MAX_STEP_ROTATION 1.0

/* Returns a message on a constraint that turns by `turned` in a step (transfer full). */
char *ifbam_turning_text (const char *name, double turned, double step);
/* Returns such a message (transfer full) on the fastest rotation at the start; NULL: below
 * limit. */
char *ifbam_model_turning_text (const IfbamModel *model, double step);
