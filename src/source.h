/* source.h: turns a law into a class of sources: forces on nodes, functions of time or of the inertia
 *
 * The law of a source on one node has PREFIX_value (law, course, time). The law of a field, which acts on
 * a list of nodes all the time, has PREFIX_force (law, inertia) and PREFIX_energy (law, inertia, position),
 * of which the force is the negative slope.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element.h"

#define IFBAM_DEFINE_SOURCE(Name, type_name, Law, prefix, ...)                                     \
  static double type_name##_source_value (const void *law, const IfbamInterpolant *course,         \
                                          double time, double inertia)                             \
  {                                                                                                \
    (void) inertia;                                                                                \
    return prefix##_value (law, course, time);                                                     \
  }                                                                                                \
  static const IfbamElementInfo type_name##_info = { .kind = IFBAM_KIND_SOURCE,                    \
                                                     .params = params,                             \
                                                     .n_params = G_N_ELEMENTS (params),            \
                                                     .law_size = sizeof (Law),                     \
                                                     .n_slots = 2,                                 \
                                                     .value = type_name##_source_value,            \
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
  static const IfbamElementInfo type_name##_info = { .kind = IFBAM_KIND_SOURCE,                    \
                                                     .params = params,                             \
                                                     .n_params = G_N_ELEMENTS (params),            \
                                                     .law_size = sizeof (Law),                     \
                                                     .fixed = TRUE,                                \
                                                     .value = type_name##_field_value,             \
                                                     .potential = type_name##_field_potential,     \
                                                     __VA_ARGS__ };                                \
  IFBAM_DEFINE_ELEMENT (Name, type_name)
