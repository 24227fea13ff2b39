/* stability-network.c: matrices of a network, for its growth under schemes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/stability-network.h"

#include <math.h>
#include <string.h>

#include "linear/eigenvalues.h"
#include "linear/scheme-growth.h"

/* Largest network for ARPACK, which keeps 30 vectors. */
#define MAX_NODES 1000000

/* Operator M^-1/2 S M^-1/2 for derivatives S of K or C. */
typedef struct
{
  const IfbamStability *stability;
  const double *slope;
  double *x, *y; /* of all nodes */
} Symmetric;

static void
symmetric_init (Symmetric *symmetric, const IfbamStability *stability, const double *slope)
{
  symmetric->stability = stability;
  symmetric->slope = slope;
  symmetric->x = g_new (double, stability->model->n_nodes + 1);
  symmetric->y = g_new (double, stability->model->n_nodes + 1);
}

static void
symmetric_clear (Symmetric *symmetric)
{
  g_free (symmetric->x);
  g_free (symmetric->y);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Symmetric, symmetric_clear)

static void
symmetric_multiply (gpointer data, const double *x, double *y)
{
  const Symmetric *own = data;
  const IfbamModel *model = own->stability->model;

  memset (own->x, 0, model->n_nodes * sizeof *own->x);
  memset (own->y, 0, model->n_nodes * sizeof *own->y);
  for (gsize i = 0; i < model->n_free; i++)
    own->x[i] = x[i] * sqrt (model->inverse_inertia[i]);
  ifbam_linearization_multiply (own->stability->linearization, own->slope, own->x, own->y);
  for (gsize i = 0; i < model->n_free; i++)
    y[i] = own->y[i] * sqrt (model->inverse_inertia[i]);
}

double *
ifbam_stability_symmetric_matrix (const IfbamStability *self, const double *slope)
{
  const gsize n = self->model->n_free;
  g_auto (Symmetric) symmetric = { 0 };
  g_autofree double *unit = g_new0 (double, n + 1);
  double *matrix = g_new (double, n *n + 1);

  symmetric_init (&symmetric, self, slope);
  for (gsize j = 0; j < n; j++)
    {
      unit[j] = 1;
      symmetric_multiply (&symmetric, unit, matrix + j * n);
      unit[j] = 0;
    }
  return matrix;
}

void
ifbam_stability_find_fastest (IfbamStability *self)
{
  const double products =
      self->limits->products / (double) (self->model->n_free + self->model->n_links);
  g_auto (Symmetric) symmetric = { 0 };
  double square;

  self->fastest = self->bound;
  self->fastest_is_bound = TRUE;
  if (self->model->n_free > MAX_NODES || products < 50)
    return;
  symmetric_init (&symmetric, self, self->linearization->stiffness);
  if (ifbam_eigenvalue_extreme (self->model->n_free, symmetric_multiply, &symmetric, TRUE, 1e-12,
                                (guint) fmin (products, 1e5), &square))
    {
      self->fastest = sqrt (fmax (0, square));
      self->fastest_is_bound = FALSE;
    }
}

gsize
ifbam_stability_n_followers (const IfbamStability *self)
{
  return self->mechanism != NULL || self->is_state ? 0 : self->model->n_state_nodes;
}

gboolean
ifbam_stability_can_run (const IfbamStability *self, const IfbamScheme *scheme)
{
  return !self->light || ifbam_scheme_allows_junctions (scheme);
}

gboolean
ifbam_stability_has_matrix_polynomial (const IfbamStability *self)
{
  return self->light || self->mechanism != NULL || self->is_state
         || (self->linearization->n_nonlinear == 0 && self->damping_matrix != NULL
             && self->n <= self->limits->matrix_nodes);
}

void
ifbam_stability_free (IfbamStability *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; self->active_modes != NULL && i < self->active_modes->len; i++)
    ifbam_stability_free (g_array_index (self->active_modes, IfbamActiveMode, i).state);
  if (self->active_modes != NULL)
    g_array_unref (self->active_modes);
  if (!self->is_state)
    {
      ifbam_linearization_free (self->linearization);
      ifbam_rigid_bodies_free (self->bodies);
      ifbam_mechanism_free (self->mechanism);
    }
  g_free (self->mode);
  g_free (self->stiffness_matrix);
  g_free (self->damping_matrix);
  g_free (self->identity);
  if (self->last != NULL)
    g_free (self->last->value);
  g_free (self->last);
  g_free (self);
}
