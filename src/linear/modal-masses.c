/* modal-masses.c: modal masses, participation and effective masses, and shares of energy
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/modal-masses.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

/* Largest imaginary part of a shape with real entries, relative to its largest entry. */
#define REAL 1e-6

static gboolean
check_real (IfbamModes *modes, gsize n_modes, GError **error)
{
  for (gsize k = 0; k < n_modes; k++)
    {
      gsize n = 0;
      const double *imaginary = ifbam_modes_get_imaginary_shape (modes, k, &n);

      for (gsize i = 0; i < n && imaginary != NULL; i++)
        if (fabs (imaginary[i]) > REAL)
          return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                             "dampers couple the modes, so that mode %" G_GSIZE_FORMAT
                             " is complex: it has no modal mass (want --set DAMPER.damping=0)",
                             k + 1);
    }
  return TRUE;
}

/* Returns the direction of a node: the coordinate of a body, or that of its domain. */
static char *
direction_of (const IfbamModel *model, gsize node)
{
  gsize member;
  g_autofree char *name = ifbam_model_node_name (model, node);
  const char *dot = strrchr (name, '.');

  if (dot != NULL && ifbam_span_is_coordinate (ifbam_model_node_span (model, node, &member)))
    return g_strdup (dot + 1);
  return g_strdup (ifbam_domain_info (ifbam_model_node_domain (model, node))->coordinate);
}

/* Lists the directions, and sets that of each named node (n_nodes). */
static void
find_directions (IfbamModalMasses *self, const IfbamModel *model, guint *direction)
{
  for (gsize i = 0; i < self->n_nodes; i++)
    {
      const gsize node = ifbam_model_named_node (model, i);
      g_autofree char *name = direction_of (model, node);
      const double inertia =
          ifbam_model_is_junction (model, node) ? 0 : ifbam_model_inertia (model, node);
      guint k = 0;

      while (k < self->directions->len && !g_str_equal (self->directions->pdata[k], name))
        k++;
      direction[i] = k;
      if (k == self->directions->len)
        {
          g_ptr_array_add (self->directions, g_steal_pointer (&name));
          g_array_append_val (self->total, inertia);
        }
      else
        g_array_index (self->total, double, k) += inertia;
    }
}

/* Computes masses and shares of kinetic energy of a mode. */
static void
add_masses (IfbamModalMasses *self, const IfbamModel *model, const guint *direction,
            const double *shape, gsize mode)
{
  const gsize n = self->n_modes;

  for (gsize i = 0; i < self->n_nodes; i++)
    {
      const gsize node = ifbam_model_named_node (model, i);
      const double inertia =
          ifbam_model_is_junction (model, node) ? 0 : ifbam_model_inertia (model, node);

      self->mass[mode] += inertia * shape[i] * shape[i];
      self->kinetic[i * n + mode] = inertia * shape[i] * shape[i];
      self->factor[direction[i] * n + mode] += inertia * shape[i];
    }
  for (gsize i = 0; i < self->n_nodes; i++)
    self->kinetic[i * n + mode] /= self->mass[mode];
  for (guint k = 0; k < self->directions->len; k++)
    {
      double *factor = &self->factor[k * n + mode];

      self->effective[k * n + mode] = *factor * *factor / self->mass[mode];
      *factor /= self->mass[mode];
    }
}

static double
row_value (const IfbamModel *model, const IfbamMotionRow *row, const double *x)
{
  double sum = 0;

  for (guint e = 0; e < row->n; e++)
    if (row->at[e] < model->n_free)
      sum += row->entry[e] * x[row->at[e]];
  return sum;
}

/* Computes shares of potential energy of a mode; x: of the free nodes. */
static void
add_strains (IfbamModalMasses *self, const IfbamSmallMotions *motions, const double *x, gsize mode)
{
  const gsize n = self->n_modes;
  double sum = 0;
  gsize link = 0;

  for (IfbamLinkIter at = ifbam_links (motions->model, IFBAM_LINKS_BATCHED);
       ifbam_link_iter_next (&at); link++)
    {
      const IfbamMotionRow row = ifbam_motion_row_of (&at);
      const double delta = row_value (motions->model, &row, x);

      self->strain[link * n + mode] = motions->stiffness[at.slot] * delta * delta;
      sum += self->strain[link * n + mode];
    }
  for (guint i = 0; i < motions->extra->len; i++)
    {
      const IfbamMotionRow *row = &g_array_index (motions->extra, IfbamMotionRow, i);
      const double delta = row_value (motions->model, row, x);
      const double energy = motions->stiffness[row->number] * delta * delta;

      self->strain[link * n + mode] += energy;
      sum += energy;
    }
  for (gsize i = 0; i <= link; i++)
    self->strain[i * n + mode] = sum > 0 ? self->strain[i * n + mode] / sum : 0;
}

static void
name_links (IfbamModalMasses *self, const IfbamModel *model)
{
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED); ifbam_link_iter_next (&at);)
    g_ptr_array_add (self->links, ifbam_link_iter_name (&at));
  g_ptr_array_add (self->links, g_strdup ("other links"));
  self->n_links = self->links->len;
}

static void
reserve (IfbamModalMasses *self)
{
  const gsize n = self->n_modes;

  self->mass = g_new0 (double, n + 1);
  self->factor = g_new0 (double, self->directions->len *n + 1);
  self->effective = g_new0 (double, self->directions->len *n + 1);
  self->kinetic = g_new0 (double, self->n_nodes *n + 1);
  self->strain = g_new0 (double, self->n_links *n + 1);
}

IfbamModalMasses *
ifbam_modal_masses_new (const IfbamModel *model, const IfbamRunSpec *spec, IfbamModes *modes,
                        GError **error)
{
  g_autoptr (IfbamModalMasses) self = g_new0 (IfbamModalMasses, 1);
  g_autoptr (IfbamSmallMotions) motions =
      model->n_junctions > 0 ? ifbam_small_motions_new_with_massless (model, spec, error)
                             : ifbam_small_motions_new (model, spec, error);
  g_autofree double *x = g_new0 (double, model->n_free + 1);
  g_autofree guint *direction = g_new0 (guint, ifbam_model_n_named_free (model) + 1);

  self->directions = g_ptr_array_new_with_free_func (g_free);
  self->links = g_ptr_array_new_with_free_func (g_free);
  self->total = g_array_new (FALSE, FALSE, sizeof (double));
  self->n_nodes = ifbam_model_n_named_free (model);
  ifbam_modes_get_modes (modes, &self->n_modes);
  if (motions == NULL || !check_real (modes, self->n_modes, error))
    return NULL;
  find_directions (self, model, direction);
  name_links (self, model);
  reserve (self);
  for (gsize k = 0; k < self->n_modes; k++)
    {
      gsize n;
      const double *shape = ifbam_modes_get_shape (modes, k, &n);

      for (gsize i = 0; i < self->n_nodes; i++)
        x[ifbam_model_named_node (model, i)] = shape[i];
      add_masses (self, model, direction, shape, k);
      add_strains (self, motions, x, k);
    }
  return g_steal_pointer (&self);
}

void
ifbam_modal_masses_free (IfbamModalMasses *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->directions);
  g_ptr_array_unref (self->links);
  g_array_unref (self->total);
  g_free (self->mass);
  g_free (self->factor);
  g_free (self->effective);
  g_free (self->kinetic);
  g_free (self->strain);
  g_free (self);
}
