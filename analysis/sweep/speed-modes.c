/* speed-modes.c: vibration modes of a network at a speed of rotation
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/speed-modes.h"

#include <math.h>

/* All modes of networks with at most this many coordinates; else some more than requested. */
#define FEW_NODES  100
#define MORE_MODES 4
/* A cross force below this part of the mode's stiffness gives no direction. */
#define VISIBLE_CROSS 1e-9

/* Returns Im (x^H G x) of a mode for matrices of links that are no sums of rows. index: named node of
 * each free node. */
static double
cross_power (const GArray *gyrations, const gsize *index, gsize n_free, const double *real,
             const double *imaginary)
{
  double sum = 0;

  for (guint g = 0; g < gyrations->len; g++)
    {
      const IfbamGyration *own = &g_array_index (gyrations, IfbamGyration, g);

      for (guint f = 0; f < own->n; f++)
        for (guint e = 0; e < own->n; e++)
          if (MAX (own->node[e], own->node[f]) < n_free)
            {
              const gsize to = index[own->node[e]], from = index[own->node[f]];

              sum += own->matrix[e + f * own->n]
                     * (real[to] * imaginary[from] - imaginary[to] * real[from]);
            }
    }
  return sum;
}

/* Finds the directions of modes: with s = i omega, s^2 m + s i g + k + i c = 0; so g < 0 raises the
 * frequency, and c < 0 drives the motion. */
static void
find_whirl (IfbamSpeedModes *point, IfbamModes *modes, const IfbamModel *model,
            const IfbamSmallMotions *motions)
{
  g_autofree gsize *index = g_new0 (gsize, model->n_free + 1);

  for (gsize i = 0; i < ifbam_model_n_named_free (model); i++)
    index[ifbam_model_named_node (model, i)] = i;
  for (gsize m = 0; m < point->shapes->n; m++)
    {
      gsize n;
      const double omega = 2 * G_PI * point->shapes->modes[m].frequency;
      const double *real = ifbam_modes_get_shape (modes, m, &n);
      const double *imaginary = ifbam_modes_get_imaginary_shape (modes, m, &n);
      double size = 0, gyroscopic, following, cross;

      if (imaginary == NULL || omega == 0)
        continue;
      for (gsize i = 0; i < n; i++)
        size += ifbam_model_inertia (model, ifbam_model_named_node (model, i)) * omega * omega
                * (real[i] * real[i] + imaginary[i] * imaginary[i]);
      gyroscopic = omega * cross_power (motions->gyrations, index, model->n_free, real, imaginary);
      following = cross_power (motions->circulations, index, model->n_free, real, imaginary);
      cross = fabs (gyroscopic) > VISIBLE_CROSS * size ? gyroscopic : following;
      if (fabs (cross) > VISIBLE_CROSS * size)
        point->whirl[m] = cross < 0 ? IFBAM_WHIRL_FORWARD : IFBAM_WHIRL_BACKWARD;
    }
}

IfbamSpeedModes *
ifbam_speed_modes_new (const IfbamSpeedAxis *axis, double speed, guint count, GError **error)
{
  g_autoptr (IfbamSpeedModes) point = g_new0 (IfbamSpeedModes, 1);
  g_auto (IfbamAtSpeed) at = { 0 };
  IfbamModesRequest request = { 0 };
  g_autoptr (IfbamModes) modes = NULL;
  g_autoptr (IfbamSmallMotions) motions = NULL;

  point->speed = speed;
  if (!ifbam_speed_axis_load (axis, speed, &at, error))
    return NULL;
  if (at.model->n_free > FEW_NODES && count > 0)
    request.count = count + MORE_MODES;
  modes = ifbam_modes_new_for_model (at.model, &at.spec, &request, error);
  if (modes == NULL)
    {
      g_prefix_error (error, "at %.6g %s: ", speed, axis->unit);
      return NULL;
    }
  point->shapes = ifbam_mode_shapes_new (modes, at.model);
  point->whirl = g_new0 (IfbamWhirl, point->shapes->n + 1);
  point->sources = ifbam_excitations_list (at.model);
  point->nonlinear = ifbam_modes_list_nonlinear (modes);
  point->held = ifbam_modes_get_held (modes);
  if (at.model->n_junctions == 0 && point->shapes->imaginary != NULL)
    motions = ifbam_small_motions_new (at.model, &at.spec, NULL);
  if (motions != NULL)
    find_whirl (point, modes, at.model, motions);
  return g_steal_pointer (&point);
}

void
ifbam_speed_modes_free (IfbamSpeedModes *modes)
{
  if (modes == NULL)
    return;
  ifbam_mode_shapes_free (modes->shapes);
  ifbam_mode_track_free (modes->track);
  g_free (modes->whirl);
  g_clear_pointer (&modes->sources, g_array_unref);
  g_strfreev (modes->nonlinear);
  g_free (modes);
}
