/* degrees-of-freedom.h: how a mechanism may move at its start, and which of its relations follow from others
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compiled-model.h"

/* A relation that follows from others: their numbers among a model's singles. */
typedef struct
{
  guint32 relation;
  guint32 *others; /* (n) */
  guint n;
} IfbamDependence;

typedef struct
{
  guint coordinates;  /* of all free nodes */
  guint relations;    /* 0: it is no mechanism */
  guint redundant;    /* of these: they follow from the others */
  GArray *dependence; /* IfbamDependence: which, the first of them; NULL: none */
} IfbamFreedom;

IfbamFreedom ifbam_model_freedom (const IfbamModel *model);
void ifbam_freedom_clear (IfbamFreedom *freedom);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamFreedom, ifbam_freedom_clear)

/* Adds to issues what is driven and can't go: no motion to which relations leave it room follows. */
void ifbam_model_check_drives (const IfbamModel *model, GArray *issues);

/* Adds to issues what prescribes the distance of nodes that others hold already: loops of such. */
void ifbam_model_check_loops (const IfbamModel *model, GArray *issues);

/* A turn in a step beyond which a relation's reaction, which goes along its row, does not reach where it has to [rad]. */
#define IFBAM_MOST_TURNED 1.0

/* What is to be said of a relation that turns by so much in a step (transfer full). */
char *ifbam_turning_text (const char *name, double turned, double step);
/* The same of the one that turns fastest at the start; NULL: none turns too far (transfer full). */
char *ifbam_model_turning_text (const IfbamModel *model, double step);
