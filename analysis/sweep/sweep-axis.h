/* sweep-axis.h: what a sweep varies: a number of a network, over a grid or a list
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

/* Where a value goes. Texts are interned. */
typedef struct
{
  const char *element; /* NULL: the settings */
  const char *member;  /* of a composite, or NULL */
  const char *key;
} IfbamTarget;

typedef struct
{
  char *name; /* as it was asked for: "k1.stiffness", "network.step", or a parameter's "coil" */
  const char *unit; /* interned; "": none */
  char *title;      /* of its column: the name, of a parameter with its unit, "coil [N/m]" */
  IfbamDimension dimension; /* of a parameter as the file has it: none, where that has no unit */
  IfbamTarget *
      targets; /* (n_targets); more than one only for a parameter, none where values only follow from it */
  guint n_targets;
  gboolean settings;   /* a target says how the network is run */
  gboolean composites; /* a target may change what the network looks like */
  double *values;      /* SI (n) */
  gsize n;
} IfbamVariation;

/* Values of one variation: numbers of an array are guint. */
#define IFBAM_MOST_VALUES (G_MAXUINT / 2)

/* TARGET=FROM:TO:N, TARGET=FROM:TO:N:log or TARGET=A,B,C; a target is ELEMENT.KEY, network.KEY or
 * PARAMETER. The model is the network's. NULL with a reason (transfer full), a phrase that completes
 * "TEXT: ". */
IfbamVariation *ifbam_variation_new (const IfbamNetwork *network, const IfbamModel *model,
                                     const char *text, char **reason);
void ifbam_variation_free (IfbamVariation *variation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamVariation, ifbam_variation_free)

/* That of some which has the target; NULL: none. */
const IfbamVariation *ifbam_variations_find (const GPtrArray *variations,
                                             const IfbamTarget *target);

/* Whether values of an element may change what the network looks like. */
gboolean ifbam_target_reshapes (const IfbamElement *element);
/* The element of a network that a target is about. */
IfbamElement *ifbam_target_element (const IfbamTarget *target, const IfbamNetwork *network);
/* Sets a value of a network; FALSE with a reason (transfer full). */
gboolean ifbam_target_set (const IfbamTarget *target, IfbamElement *element, double value,
                           char **reason);
/* The same for a value that was computed, which must be finite and in its range. */
gboolean ifbam_target_check (const IfbamTarget *target, IfbamElement *element, double value,
                             char **reason);
/* Reads what a target follows from, in its unit; NULL with a reason (transfer full). */
IfbamExpression *ifbam_target_read (const IfbamTarget *target, const IfbamNetwork *network,
                                    const IfbamModel *model, const char *text,
                                    const IfbamUnknown *unknowns, gsize n_unknowns, char **reason);
