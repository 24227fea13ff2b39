/* source.h: turns a law into a class of sources: forces on one node, functions of time
 *
 * The law has PREFIX_value (law, course, time).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element.h"

#define IFBAM_DEFINE_SOURCE(Name, type_name, Law, prefix, ...)                                     \
  static double type_name##_source_value (const void *law, const IfbamInterpolant *course,         \
                                          double time)                                             \
  {                                                                                                \
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
