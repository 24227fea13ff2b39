/* link-kernel.h: turns a law and a geometry into a link class whose slots are batch kernels
 *
 * A law is a struct of doubles and three freestanding functions:
 *   PREFIX_force (law, delta, rate)   [N]
 *   PREFIX_energy (law, delta)        [J], F = dV/ddelta at rate 0; 0 where nothing is stored
 *   PREFIX_points (law)               how many points its mean over a path takes: 1 where the
 *                                     force is linear in delta and rate, 2 where cubic, else 3
 *
 * The mean of the force over the coming step (Grabysz 1994, eq. 4.4) runs along the paths
 *   delta: from delta[i] to 2 delta[i] - delta[i-1]                                  (eq. 4.6)
 *   rate:  from (3 rate[i] - rate[i-1])/2 to (5 rate[i] - 3 rate[i-1])/2
 * (the scheme's velocities stand half a step before its positions) and is taken by Gauss-Legendre
 * quadrature (Abramowitz & Stegun 1964, table 25.4): its middle for 1 point, exact for cubics
 * with 2. The nodes' coordinates are extrapolated first and then subtracted: the order in which
 * this is done is part of every result.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element.h"
#include "geometry.h"

#define IFBAM_GAUSS_2 0.28867513459481288225 /* 1 / (2 sqrt 3) */
#define IFBAM_GAUSS_3 0.38729833462074168852 /* sqrt (3/5) / 2 */

#define IFBAM_INLINE static inline __attribute__ ((always_inline))

/* A node's coordinate and rate at part s (0..1) of the coming step. */
IFBAM_INLINE double
ifbam_path_position (double now, double earlier, double s)
{
  return (1.0 + s) * now - s * earlier;
}

IFBAM_INLINE double
ifbam_path_rate (double now, double earlier, double s)
{
  return (1.5 + s) * now - (0.5 + s) * earlier;
}

/* Kernel NAME_KIND_POINTS for each number of points. The promise that every law of the batch takes
 * this many points lets the compiler drop what vanishes (the cubic term of a linear spring). */
#define IFBAM_LINK_KERNEL(name, Law, prefix, kind, points, expression)                             \
  static void name##_##kind##_##points (const IfbamLinkBatch *batch, gsize first, gsize last)      \
  {                                                                                                \
    const double *const *parameters = batch->parameters;                                           \
    const guint32 *left = batch->left, *right = batch->right;                                      \
    const double *x = batch->position, *v = batch->rate;                                           \
    const double *x1 = batch->earlier_position, *v1 = batch->earlier_rate;                         \
    double *restrict answer = batch->answer;                                                       \
    (void) v, (void) x1, (void) v1;                                                                \
    for (gsize i = first; i < last; i++)                                                           \
      {                                                                                            \
        const guint32 l = left[i], r = right[i];                                                   \
        union                                                                                      \
        {                                                                                          \
          Law law;                                                                                 \
          double number[sizeof (Law) / sizeof (double)];                                           \
        } p;                                                                                       \
        for (gsize k = 0; k < G_N_ELEMENTS (p.number); k++)                                        \
          p.number[k] = parameters[k][i];                                                          \
        if (prefix##_points (&p.law) != points)                                                    \
          __builtin_unreachable ();                                                                \
        answer[i] = expression;                                                                    \
      }                                                                                            \
  }

#define IFBAM_NOW_DELTA ifbam_difference (x[l], x[r])
#define IFBAM_NOW_RATE  ifbam_difference (v[l], v[r])
#define IFBAM_PATH_DELTA(s)                                                                        \
  ifbam_difference (ifbam_path_position (x[l], x1[l], s), ifbam_path_position (x[r], x1[r], s))
#define IFBAM_PATH_RATE(s)                                                                         \
  ifbam_difference (ifbam_path_rate (v[l], v1[l], s), ifbam_path_rate (v[r], v1[r], s))
#define IFBAM_PATH_FORCE(prefix, s)                                                                \
  prefix##_force (&p.law, IFBAM_PATH_DELTA (s), IFBAM_PATH_RATE (s))

#define IFBAM_MEAN_1(prefix) IFBAM_PATH_FORCE (prefix, 0.5)
#define IFBAM_MEAN_2(prefix)                                                                       \
  (0.5                                                                                             \
   * (IFBAM_PATH_FORCE (prefix, 0.5 - IFBAM_GAUSS_2)                                               \
      + IFBAM_PATH_FORCE (prefix, 0.5 + IFBAM_GAUSS_2)))
#define IFBAM_MEAN_3(prefix)                                                                       \
  ((5.0 / 18.0)                                                                                    \
       * (IFBAM_PATH_FORCE (prefix, 0.5 - IFBAM_GAUSS_3)                                           \
          + IFBAM_PATH_FORCE (prefix, 0.5 + IFBAM_GAUSS_3))                                        \
   + (8.0 / 18.0) * IFBAM_PATH_FORCE (prefix, 0.5))

#define IFBAM_LINK_KERNELS(name, Law, prefix, points)                                              \
  IFBAM_LINK_KERNEL (name, Law, prefix, force, points,                                             \
                     prefix##_force (&p.law, IFBAM_NOW_DELTA, IFBAM_NOW_RATE))                     \
  IFBAM_LINK_KERNEL (name, Law, prefix, mean, points, IFBAM_MEAN_##points (prefix))                \
  IFBAM_LINK_KERNEL (name, Law, prefix, energy, points, prefix##_energy (&p.law, IFBAM_NOW_DELTA)) \
  IFBAM_LINK_KERNEL (name, Law, prefix, loss, points,                                              \
                     (prefix##_force (&p.law, IFBAM_NOW_DELTA, IFBAM_NOW_RATE)                     \
                      - prefix##_force (&p.law, IFBAM_NOW_DELTA, 0.0))                             \
                         * IFBAM_NOW_RATE)

#define IFBAM_LINK_KERNEL_ROW(name, points)                                                        \
  {                                                                                                \
    name##_force_##points, name##_mean_##points, name##_energy_##points, name##_loss_##points      \
  }

/* A link class: Name and name of the type, the law's struct and prefix, the geometry, then fields of
 * IfbamElementInfo. `params` is its parameter table, in the order of the struct, `between` last. */
#define IFBAM_DEFINE_LINK(Name, type_name, Law, prefix, form, ...)                                 \
  IFBAM_LINK_KERNELS (type_name, Law, prefix, 1)                                                   \
  IFBAM_LINK_KERNELS (type_name, Law, prefix, 2)                                                   \
  IFBAM_LINK_KERNELS (type_name, Law, prefix, 3)                                                   \
  static guint type_name##_batch_points (const void *law) { return prefix##_points (law); }        \
  static const IfbamElementInfo type_name##_info = {                                               \
    .kind = IFBAM_KIND_LINK,                                                                       \
    .params = params,                                                                              \
    .n_params = G_N_ELEMENTS (params),                                                             \
    .law_size = sizeof (Law),                                                                      \
    .n_slots = 1,                                                                                  \
    .geometry = form,                                                                              \
    .points = type_name##_batch_points,                                                            \
    .kernels = { IFBAM_LINK_KERNEL_ROW (type_name, 1), IFBAM_LINK_KERNEL_ROW (type_name, 2),       \
                 IFBAM_LINK_KERNEL_ROW (type_name, 3) },                                           \
    __VA_ARGS__                                                                                    \
  };                                                                                               \
  IFBAM_DEFINE_ELEMENT (Name, type_name)
