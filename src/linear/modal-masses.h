/* modal-masses.h: modal masses, participation and effective masses, and shares of energy
 *
 * For real mode shapes phi, inertias M, and a motion r of all nodes of one direction by 1: modal
 * mass m = phi' M phi, participation factor phi' M r / m, effective mass (phi' M r)^2 / m. Without
 * constraints the effective masses of all modes add up to r' M r (Clough & Penzien 1993, "Dynamics
 * of structures", 26).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/system-matrices.h"
#include "linear/ifbam-modes.h"

typedef struct
{
  gsize n_modes, n_nodes, n_links;
  GPtrArray *directions;      /* char*: "position", "x", "y", "angle", ... */
  GArray *total;              /* double: r' M r of each direction */
  GPtrArray *links;           /* char*: names; the last one stands for all links with other rows */
  double *mass;               /* modal mass of the shape, with its largest entry 1 (n_modes) */
  double *factor, *effective; /* (directions)(n_modes) */
  double *kinetic;            /* share of the kinetic energy (n_nodes)(n_modes) */
  double *strain;             /* share of the potential energy (n_links)(n_modes) */
} IfbamModalMasses;

/* NULL with IFBAM_ERROR_NETWORK: a shape is complex, as dampers couple the modes. */
IfbamModalMasses *ifbam_modal_masses_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                          IfbamModes *modes, GError **error);
void ifbam_modal_masses_free (IfbamModalMasses *masses);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamModalMasses, ifbam_modal_masses_free)
