/* node.h: macros that define a class of free or given nodes from a law
 *
 * A free node's law has `position` and `velocity` at the start, and PREFIX_inverse (law). A given
 * node's law has PREFIX_motion (law, course, time, &position, &rate, &acceleration). Kernels
 * compute n laws in columns. They call PREFIX_motion for each law with a course, and for each
 * without if a law of the n is not plain: PREFIX_is_plain (law). For plain laws they use
 * PREFIX_plain (law, time, ...), which the compiler vectorizes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"

#define IFBAM_DEFINE_FREE_NODE(Name, type_name, Law, prefix, ...)                                  \
  static double type_name##_node_inertia (const void *law) { return prefix##_inertia (law); }      \
  static IfbamMotion type_name##_node_initial (const void *law)                                    \
  {                                                                                                \
    const Law *p = law;                                                                            \
    return (IfbamMotion){ p->position, p->velocity, 0.0 };                                         \
  }                                                                                                \
  static const IfbamElementInfo type_name##_info = { .kind = IFBAM_KIND_FREE_NODE,                 \
                                                     IFBAM_PARAMS_OF (type_name),                  \
                                                     .code = IFBAM_CODE_OF (Law, prefix),          \
                                                     .law_size = sizeof (Law),                     \
                                                     .inertia = type_name##_node_inertia,          \
                                                     .initial = type_name##_node_initial,          \
                                                     __VA_ARGS__ };                                \
  IFBAM_DEFINE_ELEMENT (Name, type_name)

#define IFBAM_GIVEN_BODY(type_name, Law, prefix)                                                   \
  IFBAM_INLINE void type_name##_motions_body (                                                     \
      const double *const *columns, const IfbamInterpolant *course, double time,                   \
      double *restrict position, double *restrict rate, double *restrict acceleration, gsize n)    \
  {                                                                                                \
    const double *parameters[sizeof (Law) / sizeof (double)];                                      \
    for (gsize k = 0; k < G_N_ELEMENTS (parameters); k++)                                          \
      parameters[k] = columns[k];                                                                  \
    gboolean each = course != NULL;                                                                \
    for (gsize i = 0; i < n && !each; i++)                                                         \
      {                                                                                            \
        IFBAM_LAW_AT (Law, i)                                                                      \
        each = !prefix##_is_plain (&p.law);                                                        \
      }                                                                                            \
    if (each)                                                                                      \
      {                                                                                            \
        for (gsize i = 0; i < n; i++)                                                              \
          {                                                                                        \
            IFBAM_LAW_AT (Law, i)                                                                  \
            prefix##_motion (&p.law, course, time, &position[i], &rate[i], &acceleration[i]);      \
          }                                                                                        \
        return;                                                                                    \
      }                                                                                            \
    IFBAM_VECTOR_LOOP                                                                              \
    for (gsize i = 0; i < n; i++)                                                                  \
      {                                                                                            \
        IFBAM_LAW_AT (Law, i)                                                                      \
        prefix##_plain (&p.law, time, &position[i], &rate[i], &acceleration[i]);                   \
      }                                                                                            \
  }

#define IFBAM_GIVEN_VARIANT(type_name, level, target)                                              \
  target static void type_name##_motions_##level (                                                 \
      const double *const *parameters, const IfbamInterpolant *course, double time,                \
      double *position, double *rate, double *acceleration, gsize n)                               \
  {                                                                                                \
    type_name##_motions_body (parameters, course, time, position, rate, acceleration, n);          \
  }

#define IFBAM_DEFINE_GIVEN_NODE(Name, type_name, Law, prefix, ...)                                 \
  static IfbamMotion type_name##_node_motion (const void *law, const IfbamInterpolant *course,     \
                                              double time)                                         \
  {                                                                                                \
    IfbamMotion motion;                                                                            \
    prefix##_motion (law, course, time, &motion.position, &motion.rate, &motion.acceleration);     \
    return motion;                                                                                 \
  }                                                                                                \
  IFBAM_GIVEN_BODY (type_name, Law, prefix)                                                        \
  IFBAM_EACH_ISA (IFBAM_GIVEN_VARIANT, type_name)                                                  \
  static const IfbamElementInfo type_name##_info = { .kind = IFBAM_KIND_GIVEN_NODE,                \
                                                     IFBAM_PARAMS_OF (type_name),                  \
                                                     .code = IFBAM_CODE_OF (Law, prefix),          \
                                                     .law_size = sizeof (Law),                     \
                                                     .motion = type_name##_node_motion,            \
                                                     .motions = { IFBAM_ISA_LIST (                 \
                                                         IFBAM_ISA_KERNEL, type_name##_motions) }, \
                                                     __VA_ARGS__ };                                \
  IFBAM_DEFINE_ELEMENT (Name, type_name)
