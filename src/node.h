/* node.h: turns a law into a class of nodes, free or given
 *
 * A free node's law has `position` and `velocity` at the start, and PREFIX_inverse (law).
 * A given node's law has PREFIX_motion (law, course, time).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element.h"

#define IFBAM_DEFINE_FREE_NODE(Name, type_name, Law, prefix, ...)                                  \
  static double type_name##_node_inverse (const void *law) { return prefix##_inverse (law); }      \
  static IfbamMotion type_name##_node_initial (const void *law)                                    \
  {                                                                                                \
    const Law *p = law;                                                                            \
    return (IfbamMotion){ p->position, p->velocity, 0.0 };                                         \
  }                                                                                                \
  static const IfbamElementInfo type_name##_info = { .kind = IFBAM_KIND_FREE_NODE,                 \
                                                     .params = params,                             \
                                                     .n_params = G_N_ELEMENTS (params),            \
                                                     .law_size = sizeof (Law),                     \
                                                     .inverse_inertia = type_name##_node_inverse,  \
                                                     .initial = type_name##_node_initial,          \
                                                     __VA_ARGS__ };                                \
  IFBAM_DEFINE_ELEMENT (Name, type_name)

#define IFBAM_DEFINE_GIVEN_NODE(Name, type_name, Law, prefix, ...)                                 \
  static IfbamMotion type_name##_node_motion (const void *law, const IfbamInterpolant *course,     \
                                              double time)                                         \
  {                                                                                                \
    IfbamMotion motion;                                                                            \
    prefix##_motion (law, course, time, &motion.position, &motion.rate, &motion.acceleration);     \
    return motion;                                                                                 \
  }                                                                                                \
  static const IfbamElementInfo type_name##_info = { .kind = IFBAM_KIND_GIVEN_NODE,                \
                                                     .params = params,                             \
                                                     .n_params = G_N_ELEMENTS (params),            \
                                                     .law_size = sizeof (Law),                     \
                                                     .motion = type_name##_node_motion,            \
                                                     __VA_ARGS__ };                                \
  IFBAM_DEFINE_ELEMENT (Name, type_name)
