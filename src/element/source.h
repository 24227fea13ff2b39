/* source.h: macros that define a class of sources from a law: forces by time or inertia
 *
 * A source on one node has PREFIX_value (law, course, time). A field, which always acts on a list
 * of nodes, has PREFIX_force (law, inertia) and PREFIX_energy (law, inertia, position); the force
 * is the negative slope of the energy. Kernels compute n laws in columns. They call PREFIX_value
 * for each law with a course, and for each without if a law of the n is not plain: PREFIX_is_plain
 * (law). For plain laws they use PREFIX_plain (law, time), which the compiler vectorizes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"

#define IFBAM_SOURCE_BODY(type_name, Law, looked_up, plain, formula)                               \
  IFBAM_INLINE void type_name##_values_body (                                                      \
      const double *const *columns, const IfbamInterpolant *course, double time,                   \
      const double *restrict inertia, double *restrict value, gsize n)                             \
  {                                                                                                \
    const double *parameters[sizeof (Law) / sizeof (double)];                                      \
    (void) course, (void) time, (void) inertia;                                                    \
    for (gsize k = 0; k < G_N_ELEMENTS (parameters); k++)                                          \
      parameters[k] = columns[k];                                                                  \
    gboolean each = course != NULL;                                                                \
    for (gsize i = 0; i < n && !each; i++)                                                         \
      {                                                                                            \
        IFBAM_LAW_AT (Law, i)                                                                      \
        each = !(plain);                                                                           \
      }                                                                                            \
    if (each)                                                                                      \
      {                                                                                            \
        for (gsize i = 0; i < n; i++)                                                              \
          {                                                                                        \
            IFBAM_LAW_AT (Law, i)                                                                  \
            value[i] = looked_up;                                                                  \
          }                                                                                        \
        return;                                                                                    \
      }                                                                                            \
    IFBAM_VECTOR_LOOP                                                                              \
    for (gsize i = 0; i < n; i++)                                                                  \
      {                                                                                            \
        IFBAM_LAW_AT (Law, i)                                                                      \
        value[i] = formula;                                                                        \
      }                                                                                            \
  }                                                                                                \
  IFBAM_EACH_ISA (IFBAM_SOURCE_VARIANT, type_name)

#define IFBAM_SOURCE_VARIANT(type_name, level, target)                                             \
  target static void type_name##_values_##level (const double *const *parameters,                  \
                                                 const IfbamInterpolant *course, double time,      \
                                                 const double *inertia, double *value, gsize n)    \
  {                                                                                                \
    type_name##_values_body (parameters, course, time, inertia, value, n);                         \
  }

#define IFBAM_SOURCE_ROW(type_name)                                                                \
  {                                                                                                \
    IFBAM_ISA_LIST (IFBAM_ISA_KERNEL, type_name##_values)                                          \
  }

#define IFBAM_DEFINE_SOURCE(Name, type_name, Law, prefix, ...)                                     \
  static double type_name##_source_value (const void *law, const IfbamInterpolant *course,         \
                                          double time, double inertia)                             \
  {                                                                                                \
    (void) inertia;                                                                                \
    return prefix##_value (law, course, time);                                                     \
  }                                                                                                \
  IFBAM_SOURCE_BODY (type_name, Law, prefix##_value (&p.law, course, time),                        \
                     prefix##_is_plain (&p.law), prefix##_plain (&p.law, time))                    \
  static const IfbamElementInfo type_name##_info = { .kind = IFBAM_KIND_SOURCE,                    \
                                                     IFBAM_PARAMS_OF (type_name),                  \
                                                     .code = IFBAM_CODE_OF (Law, prefix),          \
                                                     .law_size = sizeof (Law),                     \
                                                     .n_slots = 4,                                 \
                                                     .value = type_name##_source_value,            \
                                                     .values = IFBAM_SOURCE_ROW (type_name),       \
                                                     __VA_ARGS__ };                                \
  IFBAM_DEFINE_ELEMENT (Name, type_name)

#define IFBAM_DEFINE_FIELD(Name, type_name, Law, prefix, ...)                                      \
  static double type_name##_field_value (const void *law, const IfbamInterpolant *course,          \
                                         double time, double inertia)                              \
  {                                                                                                \
    (void) course;                                                                                 \
    (void) time;                                                                                   \
    return prefix##_force (law, inertia);                                                          \
  }                                                                                                \
  static double type_name##_field_potential (const void *law, double inertia, double position)     \
  {                                                                                                \
    return prefix##_energy (law, inertia, position);                                               \
  }                                                                                                \
  IFBAM_SOURCE_BODY (type_name, Law, prefix##_force (&p.law, inertia[i]), TRUE,                    \
                     prefix##_force (&p.law, inertia[i]))                                          \
  static const IfbamElementInfo type_name##_info = { .kind = IFBAM_KIND_SOURCE,                    \
                                                     IFBAM_PARAMS_OF (type_name),                  \
                                                     .code = IFBAM_CODE_OF (Law, prefix),          \
                                                     .law_size = sizeof (Law),                     \
                                                     .fixed = TRUE,                                \
                                                     .value = type_name##_field_value,             \
                                                     .values = IFBAM_SOURCE_ROW (type_name),       \
                                                     .potential = type_name##_field_potential,     \
                                                     __VA_ARGS__ };                                \
  IFBAM_DEFINE_ELEMENT (Name, type_name)
