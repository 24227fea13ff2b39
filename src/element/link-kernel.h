/* link-kernel.h: turns a law and a geometry into a link class whose slots are batch kernels
 *
 * A law is a struct of doubles and three freestanding functions:
 *   PREFIX_force (law, delta, rate)   [N]
 *   PREFIX_energy (law, delta)        [J], F = dV/ddelta at rate 0; 0 where nothing is stored
 *   PREFIX_points (law)               how many points its mean over a path takes: 1 where the
 *                                     force is linear in delta and rate, 2 where cubic, else 3
 * and, for the batches of 1 point,
 *   PREFIX_linear (law)               sets to zero the parameters that are zero then anyway, so that
 *                                     the compiler drops what they would do
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

#include "element/element.h"
#include "element/geometry.h"
#include "base/isa.h"
#include "element/path.h"

#define IFBAM_GAUSS_2 0.28867513459481288225 /* 1 / (2 sqrt 3) */
#define IFBAM_GAUSS_3 0.38729833462074168852 /* sqrt (3/5) / 2 */

/* The same of a link, as its kernel takes it. */
#define IFBAM_LINK_LAW_AT(Law, prefix, points, i)                                                  \
  IFBAM_LAW_AT (Law, i)                                                                            \
  if (points == 1)                                                                                 \
    prefix##_linear (&p.law);

/* Kernel NAME_KIND_POINTS: links whose ends are looked up. */
#define IFBAM_LINK_KERNEL(name, Law, prefix, form, kind, points, expression)                       \
  static void name##_##kind##_##points (const IfbamLinkBatch *batch, gsize first, gsize last)      \
  {                                                                                                \
    const double *const *parameters = batch->parameters;                                           \
    const guint32 *left = batch->left, *right = batch->right;                                      \
    const double *x = batch->position, *v = batch->rate;                                           \
    const double *x1 = batch->earlier_position, *v1 = batch->earlier_rate;                         \
    double *restrict answer = batch->answer, *restrict far = batch->far;                           \
    (void) v, (void) x1, (void) v1, (void) far;                                                    \
    for (gsize i = first; i < last; i++)                                                           \
      {                                                                                            \
        const guint32 l = left[i], r = right[i];                                                   \
        IFBAM_SCALAR_LOOP;                                                                         \
        IFBAM_LINK_LAW_AT (Law, prefix, points, i)                                                 \
        answer[i] = expression;                                                                    \
        IFBAM_FAR_##form (p.law, answer[i], far)                                                   \
      }                                                                                            \
  }

/* Kernel NAME_KIND_POINTS_run: links i of n whose ends are the nodes left + i and right + i. The body
 * gets its columns as restrict parameters, without which loops stay scalar. */
#define IFBAM_RUN_KERNEL(name, Law, prefix, form, kind, points, expression)                        \
  IFBAM_INLINE void name##_##kind##_##points##_body (                                              \
      const double *const *columns, gsize first, const double *restrict xl,                        \
      const double *restrict xr, const double *restrict xl1, const double *restrict xr1,           \
      const double *restrict vl, const double *restrict vr, const double *restrict vl1,            \
      const double *restrict vr1, double *restrict answer, double *restrict far, gsize n)          \
  {                                                                                                \
    const double *parameters[sizeof (Law) / sizeof (double)];                                      \
    for (gsize k = 0; k < G_N_ELEMENTS (parameters); k++)                                          \
      parameters[k] = columns[k] + first;                                                          \
    (void) vl, (void) vr, (void) xl1, (void) xr1, (void) vl1, (void) vr1, (void) far;              \
    IFBAM_VECTOR_LOOP                                                                              \
    for (gsize i = 0; i < n; i++)                                                                  \
      {                                                                                            \
        IFBAM_LINK_LAW_AT (Law, prefix, points, i)                                                 \
        answer[i] = expression;                                                                    \
        IFBAM_FAR_##form (p.law, answer[i], far)                                                   \
      }                                                                                            \
  }                                                                                                \
  IFBAM_RUN_VARIANT (name##_##kind##_##points, baseline, )                                         \
  IFBAM_RUN_VARIANT (name##_##kind##_##points, avx2, IFBAM_TARGET_AVX2)                            \
  IFBAM_RUN_VARIANT (name##_##kind##_##points, avx512, IFBAM_TARGET_AVX512)

#define IFBAM_RUN_VARIANT(kernel, level, target)                                                   \
  target static void kernel##_##level (const IfbamLinkBatch *batch, gsize first, gsize left,       \
                                       gsize right, gsize n)                                       \
  {                                                                                                \
    const double *x = batch->position, *v = batch->rate;                                           \
    const double *x1 = batch->earlier_position, *v1 = batch->earlier_rate;                         \
    kernel##_body (batch->parameters, first, x + left, x + right, x1 + left, x1 + right, v + left, \
                   v + right, v1 + left, v1 + right, batch->answer + first,                        \
                   batch->far == NULL ? NULL : batch->far + first, n);                             \
  }

#define IFBAM_RUN_ROW(kernel)                                                                      \
  {                                                                                                \
    kernel##_baseline, kernel##_avx2, kernel##_avx512                                              \
  }

/* What the ends say: looked up, and along a run. */
#define IFBAM_AT_ENDS(form, column) IFBAM_DELTA_##form (p.law, column[l], column[r])
#define IFBAM_ALONG(form, column)   IFBAM_DELTA_##form (p.law, column##l[i], column##r[i])
#define IFBAM_PATH_AT_ENDS(form, path, now, earlier, s)                                            \
  IFBAM_DELTA_##form (p.law, path (now[l], earlier[l], s), path (now[r], earlier[r], s))
#define IFBAM_PATH_ALONG(form, path, now, earlier, s)                                              \
  IFBAM_DELTA_##form (p.law, path (now##l[i], now##l1[i], s), path (now##r[i], now##r1[i], s))

#define IFBAM_NOW_FORCE(prefix, form, AT) prefix##_force (&p.law, AT (form, x), AT (form, v))
#define IFBAM_PATH_FORCE(prefix, form, AT, s)                                                      \
  prefix##_force (&p.law, AT (form, ifbam_path_position, x, x1, s),                                \
                  AT (form, ifbam_path_rate, v, v1, s))

#define IFBAM_MEAN_1(prefix, form, AT) IFBAM_PATH_FORCE (prefix, form, AT, 0.5)
#define IFBAM_MEAN_2(prefix, form, AT)                                                             \
  (0.5                                                                                             \
   * (IFBAM_PATH_FORCE (prefix, form, AT, 0.5 - IFBAM_GAUSS_2)                                     \
      + IFBAM_PATH_FORCE (prefix, form, AT, 0.5 + IFBAM_GAUSS_2)))
#define IFBAM_MEAN_3(prefix, form, AT)                                                             \
  ((5.0 / 18.0)                                                                                    \
       * (IFBAM_PATH_FORCE (prefix, form, AT, 0.5 - IFBAM_GAUSS_3)                                 \
          + IFBAM_PATH_FORCE (prefix, form, AT, 0.5 + IFBAM_GAUSS_3))                              \
   + (8.0 / 18.0) * IFBAM_PATH_FORCE (prefix, form, AT, 0.5))

#define IFBAM_LINK_KERNELS(name, Law, prefix, form, points)                                        \
  IFBAM_LINK_KERNEL (name, Law, prefix, form, force, points,                                       \
                     IFBAM_NOW_FORCE (prefix, form, IFBAM_AT_ENDS))                                \
  IFBAM_LINK_KERNEL (name, Law, prefix, form, mean, points,                                        \
                     IFBAM_MEAN_##points (prefix, form, IFBAM_PATH_AT_ENDS))                       \
  IFBAM_LINK_KERNEL (name, Law, prefix, form, energy, points,                                      \
                     prefix##_energy (&p.law, IFBAM_AT_ENDS (form, x)))                            \
  IFBAM_LINK_KERNEL (name, Law, prefix, form, loss, points,                                        \
                     (IFBAM_NOW_FORCE (prefix, form, IFBAM_AT_ENDS)                                \
                      - prefix##_force (&p.law, IFBAM_AT_ENDS (form, x), 0.0))                     \
                         * IFBAM_AT_ENDS (form, v))                                                \
  IFBAM_RUN_KERNEL (name, Law, prefix, form, force, points,                                        \
                    IFBAM_NOW_FORCE (prefix, form, IFBAM_ALONG))                                   \
  IFBAM_RUN_KERNEL (name, Law, prefix, form, mean, points,                                         \
                    IFBAM_MEAN_##points (prefix, form, IFBAM_PATH_ALONG))                          \
  IFBAM_RUN_KERNEL (name, Law, prefix, form, energy, points,                                       \
                    prefix##_energy (&p.law, IFBAM_ALONG (form, x)))

#define IFBAM_LINK_KERNEL_ROW(name, points)                                                        \
  {                                                                                                \
    name##_force_##points, name##_mean_##points, name##_energy_##points, name##_loss_##points,     \
        IFBAM_RUN_ROW (name##_force_##points), IFBAM_RUN_ROW (name##_mean_##points),               \
        IFBAM_RUN_ROW (name##_energy_##points)                                                     \
  }

#define IFBAM_FORM(form, Law)    IFBAM_FORM_OF (form, Law)
#define IFBAM_FORM_OF(form, Law) IFBAM_GEOMETRY_##form (Law)

/* A link class: Name and name of the type, the law's struct and prefix, the geometry, then fields of
 * IfbamElementInfo. `params` is its parameter table, in the order of the struct, `between` last. */
#define IFBAM_DEFINE_LINK(Name, type_name, Law, prefix, form, ...)                                 \
  IFBAM_LINK_KERNELS (type_name, Law, prefix, form, 1)                                             \
  IFBAM_LINK_KERNELS (type_name, Law, prefix, form, 2)                                             \
  IFBAM_LINK_KERNELS (type_name, Law, prefix, form, 3)                                             \
  static guint type_name##_batch_points (const void *law) { return prefix##_points (law); }        \
  static const IfbamElementInfo type_name##_info = {                                               \
    .kind = IFBAM_KIND_LINK,                                                                       \
    .params = params,                                                                              \
    .n_params = G_N_ELEMENTS (params),                                                             \
    .law_size = sizeof (Law),                                                                      \
    .geometry = IFBAM_FORM (form, Law),                                                            \
    .points = type_name##_batch_points,                                                            \
    .kernels = { IFBAM_LINK_KERNEL_ROW (type_name, 1), IFBAM_LINK_KERNEL_ROW (type_name, 2),       \
                 IFBAM_LINK_KERNEL_ROW (type_name, 3) },                                           \
    __VA_ARGS__                                                                                    \
  };                                                                                               \
  IFBAM_DEFINE_ELEMENT (Name, type_name)
