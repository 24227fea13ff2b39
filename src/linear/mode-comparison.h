/* mode-comparison.h: compares mode shapes of two networks, or with measured ones
 *
 * Modal assurance criterion |a^H b|^2 / (a^H a b^H b): 1 for equal shapes, near 0 for different ones
 * (Allemang & Brown 1982, "A correlation coefficient for modal vector analysis").
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/ifbam-modes.h"

/* Returns the criterion of two shapes (n); imaginary parts: NULL: 0. A shape of zeros: 0. */
double ifbam_modal_assurance (gsize n, const double *a, const double *a_imaginary, const double *b,
                              const double *b_imaginary);

/* Modes with their shapes at some nodes. */
typedef struct
{
  gsize n_modes, n_nodes;
  char **nodes;             /* names, NULL-terminated */
  double *frequency;        /* (n_modes) [Hz] */
  double *real, *imaginary; /* (n_modes)(n_nodes) */
} IfbamShapeTable;

IfbamShapeTable *ifbam_shape_table_new (IfbamModes *modes);
/* Reads measured modes: a column "frequency", perhaps "mode" and "damping_ratio", and one for each
 * node; as for `ifbam fit`. IFBAM_ERROR_COURSE. */
IfbamShapeTable *ifbam_shape_table_new_from_csv (const char *path, GError **error);
void ifbam_shape_table_free (IfbamShapeTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamShapeTable, ifbam_shape_table_free)

/* Returns the criterion of each pair of modes over the nodes that both have (transfer full)
 * (a->n_modes)(b->n_modes); *n_common: their number. NULL: there is none. */
double *ifbam_shape_tables_compare (const IfbamShapeTable *a, const IfbamShapeTable *b,
                                    gsize *n_common);
