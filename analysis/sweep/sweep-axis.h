/* sweep-axis.h: a varied parameter of a network, over a grid or a list
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

/* Position of a value in a network. Texts are interned. */
typedef struct
{
  const char *element; /* NULL: the settings */
  const char *member;  /* of a composite, or NULL */
  const char *key;
} IfbamTarget;

typedef struct
{
  char *name;               /* as given: "k1.stiffness", "network.step", or a parameter's "coil" */
  const char *unit;         /* interned; "": none */
  char *title;              /* column title: the name; of a parameter with its unit, "coil [N/m]" */
  IfbamDimension dimension; /* of a parameter in the file; empty if it has no unit */
  IfbamTarget *
      targets; /* (n_targets); several only for a parameter, none if only dependent values use it */
  guint n_targets;
  gboolean settings;   /* a target is a run setting */
  gboolean composites; /* a target may change the network's structure */
  double *values;      /* in SI (n) */
  gsize n;
} IfbamVariation;

/* Largest number of values: array lengths are guint. */
#define IFBAM_MOST_VALUES (G_MAXUINT / 2)

/* Reads TARGET=FROM:TO:N, TARGET=FROM:TO:N:log or TARGET=A,B,C; a target is ELEMENT.KEY,
 * network.KEY or PARAMETER. NULL with a reason (transfer full), a phrase after "TEXT: ". */
IfbamVariation *ifbam_variation_new (const IfbamNetwork *network, const IfbamModel *model,
                                     const char *text, char **reason);
void ifbam_variation_free (IfbamVariation *variation);
/* Returns the present value in a network [SI]; NaN: it is not known. */
double ifbam_variation_present (const IfbamVariation *variation, const IfbamNetwork *network);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamVariation, ifbam_variation_free)

/* Returns the variation with a target; NULL: none. */
const IfbamVariation *ifbam_variations_find (const GPtrArray *variations,
                                             const IfbamTarget *target);

/* TRUE if values of an element may change the network's structure. */
gboolean ifbam_target_reshapes (const IfbamElement *element);
/* Returns the element of a target in a network. */
IfbamElement *ifbam_target_element (const IfbamTarget *target, const IfbamNetwork *network);
/* Sets a value of a network; FALSE with a reason (transfer full). */
gboolean ifbam_target_set (const IfbamTarget *target, IfbamElement *element, double value,
                           char **reason);
/* As above for a computed value, which must be finite and in its range. */
gboolean ifbam_target_check (const IfbamTarget *target, IfbamElement *element, double value,
                             char **reason);
/* Reads an expression for a target, in its unit; NULL with a reason (transfer full). */
IfbamFormula *ifbam_target_read (const IfbamTarget *target, const IfbamNetwork *network,
                                 const IfbamModel *model, const char *text,
                                 const IfbamUnknown *unknowns, gsize n_unknowns, char **reason);
