/* link-class.h: macros that define a class of links from a law
 *
 * A law is freestanding C (guard.h has its terms): a struct of doubles and functions.
 * IFBAM_DEFINE_LAW lists the groups of functions that the law has:
 *   SMOOTH      a force in one mode (0):
 *     PREFIX_force (law, mode, delta, rate)      [N]
 *     PREFIX_energy (law, mode, delta)           [J], F = dV/ddelta at rate 0; 0: stores none
 *   FORCE       a force in each mode, continued smoothly beyond the mode's guards; as SMOOTH, and
 *     PREFIX_loss (law, mode, delta, rate)       [W] dissipated
 *   MODE        PREFIX_mode (law, delta, rate)          returns the mode at the start
 *   GUARDS      PREFIX_guards (law, mode, guards)       stores guards, returns their count
 *   NO_GUARDS   a force, and no guards but those of its constraint
 *   CONSTRAINT  PREFIX_constraint (law, mode)           the constraint; the engine has its guards
 *   FIXED       one mode (0), a bilateral constraint: delta = 0
 *   NO_CONSTRAINT   a force in every mode, no constraint
 *               A link of several constraints has a law for each, chained by `.next`; see IfbamLaw.
 *   EVENT       PREFIX_event (law, from, to)            the event's name; NULL: no event
 *   SLOPES      PREFIX_slopes (law, mode, delta, rate, stiffness, damping)
 *                 stores dF/ddelta and dF/drate; TRUE if they depend on the state
 *   STEP_LIMIT  PREFIX_step_limit (law, delta, rate, by_delta, by_rate)
 *                 returns the fraction of a change by which F is nearly linear; at most 1
 *   TOGGLE      PREFIX_toggle (law, mode)               the mode after a scheduled event
 *   SAMPLE      PREFIX_sample (law, delta, rate, every, memory)   a controller's sample
 *   CHANGE      PREFIX_change (law, from, to, delta)    the loss of a change of mode [J]
 *   RATES       internal states, the last doubles of the law's struct; their table PREFIX_states
 *               (IfbamLawState); force, energy and loss as above, with F rate = dV/dt + loss, and
 *     PREFIX_rates (law, mode, delta, rate, rates)      their rates; 0 where the mode is idle
 *               Guards may depend on states by the force; by position or rate only in modes of
 *               constant states. Constraints do not depend on states. SLOPES include the states'
 *               immediate response: dF/ddelta + dF/dstate dstate'/drate.
 *   STATES      FORCE and RATES in one mode
 *
 * A law of one mode, always or (HAS_MODES) where PREFIX_has_modes (law) is FALSE, can have kernels
 * for batches of links between two nodes. The mean over a path needs 1 point if the force is linear
 * in delta and rate, 2 if cubic, else 3:
 *   DIFFERENCE_1, DIFFERENCE_3   delta is the nodes' difference; 1 or 3 points
 *   DIFFERENCE_1_2               1 or 2 points, by the law's parameters:
 *     PREFIX_points (law)        returns their count
 *   RATIO                        delta is the nodes' difference by a ratio; 1 point
 *     PREFIX_linear (law)        if 1 point is possible: sets to zero the parameters that are zero
 *                                in batches of 1 point, so that the compiler drops their terms
 *   STATES_DIFFERENCE            for a law with states; 3 points
 *
 * The mean of the force over the coming step (Grabysz 1994, eq. 4.4) runs along the paths
 *   delta: from delta[i] to 2 delta[i] - delta[i-1]                                  (eq. 4.6)
 *   rate:  from (3 rate[i] - rate[i-1])/2 to (5 rate[i] - 3 rate[i-1])/2
 * (velocities are half a step behind positions), by Gauss-Legendre quadrature (Abramowitz & Stegun
 * 1964, table 25.4): the middle for 1 point, exact for cubics with 2. The nodes' coordinates are
 * extrapolated first and then subtracted: the order determines the result's bits.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"
#include "element/extrapolation.h"

/* Parameter: the free length, for links between points of the plane. */
#define IFBAM_PARAM_LENGTH(Law)                                                                    \
  IFBAM_PARAM (Law, length, "length", "m", G_MINDOUBLE, G_MAXDOUBLE, 0,                            \
               "between points of the plane: free length; default: the distance at the start")

/* Declares the law of link i for a kernel of so many points. */
#define IFBAM_LINK_LAW_AT(Law, prefix, points, i)                                                  \
  IFBAM_LAW_AT (Law, i)                                                                            \
  if (points == 1)                                                                                 \
    prefix##_linear (&p.law);

/* Kernel NAME_KIND_POINTS: links whose end nodes are looked up by index. */
#define IFBAM_LINK_KERNEL(name, Law, prefix, form, kind, points, expression)                       \
  static void name##_##kind##_##points (const IfbamLinkBatch *batch, gsize first, gsize last)      \
  {                                                                                                \
    const double *const *parameters = batch->parameters;                                           \
    const guint32 *left = batch->left, *right = batch->right;                                      \
    const double *x = batch->position, *v = batch->rate;                                           \
    const double *x1 = batch->earlier_position, *v1 = batch->earlier_rate;                         \
    double *restrict output = batch->output, *restrict far = batch->far;                           \
    (void) v, (void) x1, (void) v1, (void) far;                                                    \
    for (gsize i = first; i < last; i++)                                                           \
      {                                                                                            \
        const guint32 l = left[i], r = right[i];                                                   \
        IFBAM_SCALAR_LOOP;                                                                         \
        IFBAM_LINK_LAW_AT (Law, prefix, points, i)                                                 \
        output[i] = expression;                                                                    \
        IFBAM_FAR_##form (p.law, output[i], far)                                                   \
      }                                                                                            \
  }

/* Kernel NAME_KIND_POINTS_run: links i < n with end nodes left + i and right + i. The body has its
 * columns as restrict parameters; without them the compiler does not vectorize the loop. */
#define IFBAM_RUN_KERNEL(name, Law, prefix, form, kind, points, expression)                        \
  IFBAM_INLINE void name##_##kind##_##points##_body (                                              \
      const double *const *columns, gsize first, const double *restrict xl,                        \
      const double *restrict xr, const double *restrict xl1, const double *restrict xr1,           \
      const double *restrict vl, const double *restrict vr, const double *restrict vl1,            \
      const double *restrict vr1, double *restrict output, double *restrict far, gsize n)          \
  {                                                                                                \
    const double *parameters[sizeof (Law) / sizeof (double)];                                      \
    for (gsize k = 0; k < G_N_ELEMENTS (parameters); k++)                                          \
      parameters[k] = columns[k] + first;                                                          \
    (void) vl, (void) vr, (void) xl1, (void) xr1, (void) vl1, (void) vr1, (void) far;              \
    IFBAM_VECTOR_LOOP                                                                              \
    for (gsize i = 0; i < n; i++)                                                                  \
      {                                                                                            \
        IFBAM_LINK_LAW_AT (Law, prefix, points, i)                                                 \
        output[i] = expression;                                                                    \
        IFBAM_FAR_##form (p.law, output[i], far)                                                   \
      }                                                                                            \
  }                                                                                                \
  IFBAM_EACH_ISA (IFBAM_RUN_VARIANT, name##_##kind##_##points)

#define IFBAM_RUN_VARIANT(kernel, level, target)                                                   \
  target static void kernel##_##level (const IfbamLinkBatch *batch, gsize first, gsize left,       \
                                       gsize right, gsize n)                                       \
  {                                                                                                \
    const double *x = batch->position, *v = batch->rate;                                           \
    const double *x1 = batch->earlier_position, *v1 = batch->earlier_rate;                         \
    kernel##_body (batch->parameters, first, x + left, x + right, x1 + left, x1 + right, v + left, \
                   v + right, v1 + left, v1 + right, batch->output + first,                        \
                   batch->far == NULL ? NULL : batch->far + first, n);                             \
  }

#define IFBAM_RUN_ROW(kernel)                                                                      \
  {                                                                                                \
    IFBAM_ISA_LIST (IFBAM_ISA_KERNEL, kernel)                                                      \
  }

/* Coordinates or rates of the ends: looked up by index, and along a run. */
#define IFBAM_AT_ENDS(form, column) IFBAM_DELTA_##form (p.law, column[l], column[r])
#define IFBAM_ALONG(form, column)   IFBAM_DELTA_##form (p.law, column##l[i], column##r[i])
#define IFBAM_PATH_AT_ENDS(form, path, now, earlier, s)                                            \
  IFBAM_DELTA_##form (p.law, path (now[l], earlier[l], s), path (now[r], earlier[r], s))
#define IFBAM_PATH_ALONG(form, path, now, earlier, s)                                              \
  IFBAM_DELTA_##form (p.law, path (now##l[i], now##l1[i], s), path (now##r[i], now##r1[i], s))

#define IFBAM_NOW_FORCE(prefix, form, AT) prefix##_force (&p.law, 0, AT (form, x), AT (form, v))
#define IFBAM_PATH_FORCE(prefix, form, AT, s)                                                      \
  prefix##_force (&p.law, 0, AT (form, ifbam_path_position, x, x1, s),                             \
                  AT (form, ifbam_path_rate, v, v1, s))

#define IFBAM_MEAN_1(prefix, form, AT) IFBAM_PATH_FORCE (prefix, form, AT, 0.5)
#define IFBAM_MEAN_2(prefix, form, AT)                                                             \
  ifbam_path_mean_2 (IFBAM_PATH_FORCE (prefix, form, AT, 0.5 - IFBAM_GAUSS_2),                     \
                     IFBAM_PATH_FORCE (prefix, form, AT, 0.5 + IFBAM_GAUSS_2))
#define IFBAM_MEAN_3(prefix, form, AT)                                                             \
  ifbam_path_mean_3 (IFBAM_PATH_FORCE (prefix, form, AT, 0.5 - IFBAM_GAUSS_3),                     \
                     IFBAM_PATH_FORCE (prefix, form, AT, 0.5),                                     \
                     IFBAM_PATH_FORCE (prefix, form, AT, 0.5 + IFBAM_GAUSS_3))

#define IFBAM_LINK_KERNELS(name, Law, prefix, form, points)                                        \
  IFBAM_LINK_KERNEL (name, Law, prefix, form, force, points,                                       \
                     IFBAM_NOW_FORCE (prefix, form, IFBAM_AT_ENDS))                                \
  IFBAM_LINK_KERNEL (name, Law, prefix, form, mean, points,                                        \
                     IFBAM_MEAN_##points (prefix, form, IFBAM_PATH_AT_ENDS))                       \
  IFBAM_LINK_KERNEL (name, Law, prefix, form, energy, points,                                      \
                     prefix##_energy (&p.law, 0, IFBAM_AT_ENDS (form, x)))                         \
  IFBAM_LINK_KERNEL (name, Law, prefix, form, loss, points,                                        \
                     (IFBAM_NOW_FORCE (prefix, form, IFBAM_AT_ENDS)                                \
                      - prefix##_force (&p.law, 0, IFBAM_AT_ENDS (form, x), 0.0))                  \
                         * IFBAM_AT_ENDS (form, v))                                                \
  IFBAM_RUN_KERNEL (name, Law, prefix, form, force, points,                                        \
                    IFBAM_NOW_FORCE (prefix, form, IFBAM_ALONG))                                   \
  IFBAM_RUN_KERNEL (name, Law, prefix, form, mean, points,                                         \
                    IFBAM_MEAN_##points (prefix, form, IFBAM_PATH_ALONG))                          \
  IFBAM_RUN_KERNEL (name, Law, prefix, form, energy, points,                                       \
                    prefix##_energy (&p.law, 0, IFBAM_ALONG (form, x)))

#define IFBAM_LINK_KERNEL_ROW(name, points)                                                        \
  {                                                                                                \
    name##_force_##points, name##_mean_##points, name##_energy_##points, name##_loss_##points,     \
        IFBAM_RUN_ROW (name##_force_##points), IFBAM_RUN_ROW (name##_mean_##points),               \
        IFBAM_RUN_ROW (name##_energy_##points)                                                     \
  }

/* Functions of the law's table, by group. */

#define IFBAM_SLOTS_OF_FORCE(Law, prefix)                                                          \
  static double prefix##_slot_force (const void *law, int mode, double delta, double rate)         \
  {                                                                                                \
    return prefix##_force ((const Law *) law, mode, delta, rate);                                  \
  }                                                                                                \
  static double prefix##_slot_energy (const void *law, int mode, double delta)                     \
  {                                                                                                \
    return prefix##_energy ((const Law *) law, mode, delta);                                       \
  }

#define IFBAM_SLOTS_FORCE(Law, prefix)                                                             \
  IFBAM_SLOTS_OF_FORCE (Law, prefix)                                                               \
  static double prefix##_slot_loss (const void *law, int mode, double delta, double rate)          \
  {                                                                                                \
    return prefix##_loss ((const Law *) law, mode, delta, rate);                                   \
  }
#define IFBAM_FILL_FORCE(Law, prefix)                                                              \
  .force = prefix##_slot_force, .energy = prefix##_slot_energy, .loss = prefix##_slot_loss,

#define IFBAM_SLOTS_ONE_MODE(prefix)                                                               \
  static int prefix##_slot_mode (const void *law, double delta, double rate)                       \
  {                                                                                                \
    (void) law, (void) delta, (void) rate;                                                         \
    return 0;                                                                                      \
  }

#define IFBAM_SLOTS_SMOOTH(Law, prefix)                                                            \
  IFBAM_SLOTS_OF_FORCE (Law, prefix)                                                               \
  IFBAM_SLOTS_ONE_MODE (prefix)                                                                    \
  static double prefix##_slot_loss (const void *law, int mode, double delta, double rate)          \
  {                                                                                                \
    return (prefix##_force ((const Law *) law, mode, delta, rate)                                  \
            - prefix##_force ((const Law *) law, mode, delta, 0.0))                                \
           * rate;                                                                                 \
  }                                                                                                \
  IFBAM_SLOTS_NO_CONSTRAINT (Law, prefix)
#define IFBAM_FILL_SMOOTH(Law, prefix)                                                             \
  IFBAM_FILL_FORCE (Law, prefix)                                                                   \
  IFBAM_FILL_MODE (Law, prefix) IFBAM_FILL_CONSTRAINT (Law, prefix)

#define IFBAM_STATES_OF(prefix) G_N_ELEMENTS (prefix##_states)
#define IFBAM_STATE_INDEX(Law, prefix, k)                                                          \
  (sizeof (Law) / sizeof (double) - IFBAM_STATES_OF (prefix) + (k))

#define IFBAM_SLOTS_RATES(Law, prefix)                                                             \
  static void prefix##_slot_rates (const void *law, int mode, double delta, double rate,           \
                                   double *rates)                                                  \
  {                                                                                                \
    prefix##_rates ((const Law *) law, mode, delta, rate, rates);                                  \
  }
#define IFBAM_FILL_RATES(Law, prefix)                                                              \
  .states = prefix##_states, .n_states = IFBAM_STATES_OF (prefix),                                 \
  .first_state = IFBAM_STATE_INDEX (Law, prefix, 0), .state_rates = prefix##_slot_rates,

#define IFBAM_SLOTS_STATES(Law, prefix)                                                            \
  IFBAM_SLOTS_FORCE (Law, prefix)                                                                  \
  IFBAM_SLOTS_ONE_MODE (prefix)                                                                    \
  IFBAM_SLOTS_NO_CONSTRAINT (Law, prefix)                                                          \
  IFBAM_SLOTS_RATES (Law, prefix)
#define IFBAM_FILL_STATES(Law, prefix)                                                             \
  IFBAM_FILL_SMOOTH (Law, prefix) IFBAM_FILL_RATES (Law, prefix)

#define IFBAM_SLOTS_MODE(Law, prefix)                                                              \
  static int prefix##_slot_mode (const void *law, double delta, double rate)                       \
  {                                                                                                \
    return prefix##_mode ((const Law *) law, delta, rate);                                         \
  }
#define IFBAM_FILL_MODE(Law, prefix) .mode = prefix##_slot_mode,

#define IFBAM_SLOTS_GUARDS(Law, prefix)                                                            \
  static guint prefix##_slot_guards (const void *law, int mode, IfbamGuard *guards)                \
  {                                                                                                \
    return (guint) prefix##_guards ((const Law *) law, mode, guards);                              \
  }
#define IFBAM_FILL_GUARDS(Law, prefix) .guards = prefix##_slot_guards,

#define IFBAM_SLOTS_NO_GUARDS(Law, prefix)                                                         \
  static guint prefix##_slot_guards (const void *law, int mode, IfbamGuard *guards)                \
  {                                                                                                \
    (void) law, (void) mode, (void) guards;                                                        \
    return 0;                                                                                      \
  }
#define IFBAM_FILL_NO_GUARDS(Law, prefix) IFBAM_FILL_GUARDS (Law, prefix)

#define IFBAM_SLOTS_FIXED(Law, prefix)                                                             \
  IFBAM_SLOTS_ONE_MODE (prefix)                                                                    \
  static const char *const prefix##_modes[] = { "fixed", NULL };                                   \
  static IfbamConstraint prefix##_slot_constraint (const void *law, int mode)                      \
  {                                                                                                \
    (void) law, (void) mode;                                                                       \
    return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_FIXED, .idle = 1 };                         \
  }
#define IFBAM_FILL_FIXED(Law, prefix)                                                              \
  .modes = prefix##_modes, IFBAM_FILL_MODE (Law, prefix) IFBAM_FILL_CONSTRAINT (Law, prefix)

#define IFBAM_SLOTS_CONSTRAINT(Law, prefix)                                                        \
  static IfbamConstraint prefix##_slot_constraint (const void *law, int mode)                      \
  {                                                                                                \
    return prefix##_constraint ((const Law *) law, mode);                                          \
  }
#define IFBAM_FILL_CONSTRAINT(Law, prefix) .constraint = prefix##_slot_constraint,

#define IFBAM_SLOTS_NO_CONSTRAINT(Law, prefix)                                                     \
  static IfbamConstraint prefix##_slot_constraint (const void *law, int mode)                      \
  {                                                                                                \
    (void) law, (void) mode;                                                                       \
    return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_NONE };                                     \
  }
#define IFBAM_FILL_NO_CONSTRAINT(Law, prefix) IFBAM_FILL_CONSTRAINT (Law, prefix)

#define IFBAM_SLOTS_EVENT(Law, prefix)                                                             \
  static const char *prefix##_slot_event (const void *law, int from, int to)                       \
  {                                                                                                \
    return prefix##_event ((const Law *) law, from, to);                                           \
  }
#define IFBAM_FILL_EVENT(Law, prefix) .event = prefix##_slot_event,

#define IFBAM_SLOTS_SLOPES(Law, prefix)                                                            \
  static gboolean prefix##_slot_slopes (const void *law, int mode, double delta, double rate,      \
                                        double *stiffness, double *damping)                        \
  {                                                                                                \
    return prefix##_slopes ((const Law *) law, mode, delta, rate, stiffness, damping);             \
  }
#define IFBAM_FILL_SLOPES(Law, prefix) .slopes = prefix##_slot_slopes,

#define IFBAM_SLOTS_STEP_LIMIT(Law, prefix)                                                        \
  static double prefix##_slot_step_limit (const void *law, double delta, double rate,              \
                                          double by_delta, double by_rate)                         \
  {                                                                                                \
    return prefix##_step_limit ((const Law *) law, delta, rate, by_delta, by_rate);                \
  }
#define IFBAM_FILL_STEP_LIMIT(Law, prefix) .step_limit = prefix##_slot_step_limit,

#define IFBAM_SLOTS_TOGGLE(Law, prefix)                                                            \
  static int prefix##_slot_toggle (const void *law, int mode)                                      \
  {                                                                                                \
    return prefix##_toggle ((const Law *) law, mode);                                              \
  }
#define IFBAM_FILL_TOGGLE(Law, prefix) .toggle = prefix##_slot_toggle,

#define IFBAM_SLOTS_CHANGE(Law, prefix)                                                            \
  static double prefix##_slot_change (const void *law, int from, int to, double delta)             \
  {                                                                                                \
    return prefix##_change ((const Law *) law, from, to, delta);                                   \
  }
#define IFBAM_FILL_CHANGE(Law, prefix) .change_loss = prefix##_slot_change,

#define IFBAM_SLOTS_SAMPLE(Law, prefix)                                                            \
  static void prefix##_slot_sample (const void *law, double delta, double rate, double every,      \
                                    double *memory)                                                \
  {                                                                                                \
    prefix##_sample ((const Law *) law, delta, rate, every, memory);                               \
  }
#define IFBAM_FILL_SAMPLE(Law, prefix) .sample = prefix##_slot_sample,

#define IFBAM_SLOTS_HAS_MODES(Law, prefix)                                                         \
  static gboolean prefix##_slot_has_modes (const void *law)                                        \
  {                                                                                                \
    return prefix##_has_modes ((const Law *) law);                                                 \
  }
#define IFBAM_FILL_HAS_MODES(Law, prefix) .has_modes = prefix##_slot_has_modes,

/* Kernels for 1 point and for `more`; PREFIX_points selects one. */
#define IFBAM_SLOTS_BATCHES(Law, prefix, form, more)                                               \
  IFBAM_LINK_KERNELS (prefix, Law, prefix, form, 1)                                                \
  IFBAM_LINK_KERNELS (prefix, Law, prefix, form, more)                                             \
  static guint prefix##_slot_points (const void *law)                                              \
  {                                                                                                \
    return prefix##_points ((const Law *) law);                                                    \
  }
#define IFBAM_FILL_BATCHES(prefix, form, more)                                                     \
  .geometry = IFBAM_GEOMETRY_##form, .points = prefix##_slot_points,                               \
  .kernels[0] = IFBAM_LINK_KERNEL_ROW (prefix, 1),                                                 \
  .kernels[more - 1] = IFBAM_LINK_KERNEL_ROW (prefix, more),

/* Kernels for one count of points, whatever the law's parameters. */
#define IFBAM_SLOTS_BATCHES_OF(Law, prefix, form, n_points)                                        \
  IFBAM_LINK_KERNELS (prefix, Law, prefix, form, n_points)                                         \
  static guint prefix##_slot_points (const void *law)                                              \
  {                                                                                                \
    (void) law;                                                                                    \
    return n_points;                                                                               \
  }
#define IFBAM_FILL_BATCHES_OF(prefix, form, n_points)                                              \
  .geometry = IFBAM_GEOMETRY_##form, .points = prefix##_slot_points,                               \
  .kernels[n_points - 1] = IFBAM_LINK_KERNEL_ROW (prefix, n_points),
#define IFBAM_AS_IT_IS(Law, prefix)                                                                \
  static inline void prefix##_linear (Law *law) { (void) law; }

#define IFBAM_SLOTS_DIFFERENCE_1_2(Law, prefix) IFBAM_SLOTS_BATCHES (Law, prefix, DIFFERENCE, 2)
#define IFBAM_FILL_DIFFERENCE_1_2(Law, prefix)  IFBAM_FILL_BATCHES (prefix, DIFFERENCE, 2)
#define IFBAM_SLOTS_DIFFERENCE_1(Law, prefix)                                                      \
  IFBAM_AS_IT_IS (Law, prefix) IFBAM_SLOTS_BATCHES_OF (Law, prefix, DIFFERENCE, 1)
#define IFBAM_FILL_DIFFERENCE_1(Law, prefix) IFBAM_FILL_BATCHES_OF (prefix, DIFFERENCE, 1)
#define IFBAM_SLOTS_DIFFERENCE_3(Law, prefix)                                                      \
  IFBAM_AS_IT_IS (Law, prefix) IFBAM_SLOTS_BATCHES_OF (Law, prefix, DIFFERENCE, 3)
#define IFBAM_FILL_DIFFERENCE_3(Law, prefix) IFBAM_FILL_BATCHES_OF (prefix, DIFFERENCE, 3)
#define IFBAM_SLOTS_RATIO(Law, prefix)       IFBAM_SLOTS_BATCHES_OF (Law, prefix, RATIO, 1)
#define IFBAM_FILL_RATIO(Law, prefix)        IFBAM_FILL_BATCHES_OF (prefix, RATIO, 1)

/* Kernels of laws with states. */

#define IFBAM_STATE_KERNEL(Law, prefix, kind, ...)                                                 \
  static void prefix##_##kind##_3 (const IfbamLinkBatch *batch, gsize first, gsize last)           \
  {                                                                                                \
    const double *const *parameters = batch->parameters;                                           \
    const double *x = batch->position, *v = batch->rate;                                           \
    const double *x1 = batch->earlier_position, *v1 = batch->earlier_rate;                         \
    (void) x1, (void) v1;                                                                          \
    for (gsize i = first; i < last; i++)                                                           \
      {                                                                                            \
        const guint32 l = batch->left[i], r = batch->right[i];                                     \
        double *restrict far = batch->far;                                                         \
        (void) far;                                                                                \
        IFBAM_LAW_AT (Law, i)                                                                      \
        __VA_ARGS__                                                                                \
      }                                                                                            \
  }

#define IFBAM_STATE_RUN(Law, prefix, kind)                                                         \
  static void prefix##_##kind##_3_run (const IfbamLinkBatch *batch, gsize first, gsize left,       \
                                       gsize right, gsize n)                                       \
  {                                                                                                \
    ifbam_link_run_by_lookup (prefix##_##kind##_3, sizeof (Law) / sizeof (double), batch, first,   \
                              left, right, n);                                                     \
  }

#define IFBAM_TAKE_STATES(Law, prefix)                                                             \
  for (gsize k = 0; k < IFBAM_STATES_OF (prefix); k++)                                             \
    p.number[IFBAM_STATE_INDEX (Law, prefix, k)] = v[batch->state[k][i]];
#define IFBAM_TAKE_STATES_AT(Law, prefix, s)                                                       \
  for (gsize k = 0; k < IFBAM_STATES_OF (prefix); k++)                                             \
    p.number[IFBAM_STATE_INDEX (Law, prefix, k)] =                                                 \
        ifbam_path_rate (v[batch->state[k][i]], v1[batch->state[k][i]], s);

#define IFBAM_STORE_FLOW(prefix, value)                                                            \
  for (gsize k = 0; k < IFBAM_STATES_OF (prefix) && batch->state_rate[k] != NULL; k++)             \
    batch->state_rate[k][i] = value;

#define IFBAM_STATE_FORCE(Law, prefix, form)                                                       \
  {                                                                                                \
    const double delta = IFBAM_AT_ENDS (form, x), rate = IFBAM_AT_ENDS (form, v);                  \
    double flow[IFBAM_MAX_STATES];                                                                 \
    IFBAM_TAKE_STATES (Law, prefix)                                                                \
    prefix##_rates (&p.law, 0, delta, rate, flow);                                                 \
    batch->output[i] = prefix##_force (&p.law, 0, delta, rate);                                    \
    IFBAM_FAR_##form (p.law, batch->output[i], far) IFBAM_STORE_FLOW (prefix, flow[k])             \
  }

#define IFBAM_STATE_MEAN(Law, prefix, form)                                                        \
  {                                                                                                \
    static const double points[3] = { 0.5 - IFBAM_GAUSS_3, 0.5, 0.5 + IFBAM_GAUSS_3 };             \
    double force[3], flow[3][IFBAM_MAX_STATES];                                                    \
    for (int g = 0; g < 3; g++)                                                                    \
      {                                                                                            \
        const double s = points[g];                                                                \
        const double delta = IFBAM_PATH_AT_ENDS (form, ifbam_path_position, x, x1, s);             \
        const double rate = IFBAM_PATH_AT_ENDS (form, ifbam_path_rate, v, v1, s);                  \
        IFBAM_TAKE_STATES_AT (Law, prefix, s)                                                      \
        prefix##_rates (&p.law, 0, delta, rate, flow[g]);                                          \
        force[g] = prefix##_force (&p.law, 0, delta, rate);                                        \
      }                                                                                            \
    batch->output[i] = ifbam_path_mean_3 (force[0], force[1], force[2]);                           \
    IFBAM_FAR_##form (p.law, batch->output[i], far)                                                \
        IFBAM_STORE_FLOW (prefix, ifbam_path_mean_3 (flow[0][k], flow[1][k], flow[2][k]))          \
  }

#define IFBAM_STATE_ENERGY(Law, prefix, form)                                                      \
  {                                                                                                \
    IFBAM_TAKE_STATES (Law, prefix)                                                                \
    batch->output[i] = prefix##_energy (&p.law, 0, IFBAM_AT_ENDS (form, x));                       \
  }

#define IFBAM_STATE_LOSS(Law, prefix, form)                                                        \
  {                                                                                                \
    IFBAM_TAKE_STATES (Law, prefix)                                                                \
    batch->output[i] =                                                                             \
        prefix##_loss (&p.law, 0, IFBAM_AT_ENDS (form, x), IFBAM_AT_ENDS (form, v));               \
  }

#define IFBAM_STATE_KERNELS(Law, prefix, form)                                                     \
  IFBAM_STATE_KERNEL (Law, prefix, force, IFBAM_STATE_FORCE (Law, prefix, form))                   \
  IFBAM_STATE_KERNEL (Law, prefix, mean, IFBAM_STATE_MEAN (Law, prefix, form))                     \
  IFBAM_STATE_KERNEL (Law, prefix, energy, IFBAM_STATE_ENERGY (Law, prefix, form))                 \
  IFBAM_STATE_KERNEL (Law, prefix, loss, IFBAM_STATE_LOSS (Law, prefix, form))                     \
  IFBAM_STATE_RUN (Law, prefix, force)                                                             \
  IFBAM_STATE_RUN (Law, prefix, mean)                                                              \
  IFBAM_STATE_RUN (Law, prefix, energy)

#define IFBAM_STATE_RUN_AT(kernel, level) kernel##_run
#define IFBAM_STATE_RUN_ROW(kernel)                                                                \
  {                                                                                                \
    IFBAM_ISA_LIST (IFBAM_STATE_RUN_AT, kernel)                                                    \
  }

#define IFBAM_SLOTS_STATES_DIFFERENCE(Law, prefix)                                                 \
  IFBAM_STATE_KERNELS (Law, prefix, DIFFERENCE)                                                    \
  static guint prefix##_slot_points (const void *law)                                              \
  {                                                                                                \
    (void) law;                                                                                    \
    return 3;                                                                                      \
  }
#define IFBAM_FILL_STATES_DIFFERENCE(Law, prefix)                                                  \
  .geometry = IFBAM_GEOMETRY_DIFFERENCE, .points = prefix##_slot_points,                           \
  .kernels[2] = { prefix##_force_3,                                                                \
                  prefix##_mean_3,                                                                 \
                  prefix##_energy_3,                                                               \
                  prefix##_loss_3,                                                                 \
                  IFBAM_STATE_RUN_ROW (prefix##_force_3),                                          \
                  IFBAM_STATE_RUN_ROW (prefix##_mean_3),                                           \
                  IFBAM_STATE_RUN_ROW (prefix##_energy_3) },

/* Expands M for up to eight groups of a law. */
#define IFBAM_EACH_1(M, Law, prefix, a) M##a (Law, prefix)
#define IFBAM_EACH_2(M, Law, prefix, a, ...)                                                       \
  M##a (Law, prefix) IFBAM_EACH_1 (M, Law, prefix, __VA_ARGS__)
#define IFBAM_EACH_3(M, Law, prefix, a, ...)                                                       \
  M##a (Law, prefix) IFBAM_EACH_2 (M, Law, prefix, __VA_ARGS__)
#define IFBAM_EACH_4(M, Law, prefix, a, ...)                                                       \
  M##a (Law, prefix) IFBAM_EACH_3 (M, Law, prefix, __VA_ARGS__)
#define IFBAM_EACH_5(M, Law, prefix, a, ...)                                                       \
  M##a (Law, prefix) IFBAM_EACH_4 (M, Law, prefix, __VA_ARGS__)
#define IFBAM_EACH_6(M, Law, prefix, a, ...)                                                       \
  M##a (Law, prefix) IFBAM_EACH_5 (M, Law, prefix, __VA_ARGS__)
#define IFBAM_EACH_7(M, Law, prefix, a, ...)                                                       \
  M##a (Law, prefix) IFBAM_EACH_6 (M, Law, prefix, __VA_ARGS__)
#define IFBAM_EACH_8(M, Law, prefix, a, ...)                                                       \
  M##a (Law, prefix) IFBAM_EACH_7 (M, Law, prefix, __VA_ARGS__)
#define IFBAM_EACH_OF(a, b, c, d, e, f, g, h, each, ...) each
#define IFBAM_EACH(M, Law, prefix, ...)                                                            \
  IFBAM_EACH_OF (__VA_ARGS__, IFBAM_EACH_8, IFBAM_EACH_7, IFBAM_EACH_6, IFBAM_EACH_5,              \
                 IFBAM_EACH_4, IFBAM_EACH_3, IFBAM_EACH_2, IFBAM_EACH_1, )                         \
  (M, Law, prefix, __VA_ARGS__)
#define IFBAM_LIST_OF(...) __VA_ARGS__

/* Defines the table of a law, PREFIX_law. has: its groups (in parentheses); then more fields. */
#define IFBAM_DEFINE_LAW(Law, prefix, has, ...)                                                    \
  IFBAM_EACH (IFBAM_SLOTS_, Law, prefix, IFBAM_LIST_OF has)                                        \
  static const IfbamLaw prefix##_law = { .code = IFBAM_CODE_OF (Law, prefix),                      \
                                         IFBAM_EACH (IFBAM_FILL_, Law, prefix, IFBAM_LIST_OF has)  \
                                             __VA_ARGS__ };

/* Defines a class of links: Name and name of the type, its law's struct and prefix, then fields of
 * IfbamElementInfo. NAME_params is its parameter table. */
#define IFBAM_DEFINE_LINK(Name, type_name, Law, prefix, ...)                                       \
  static const IfbamElementInfo type_name##_info = { .kind = IFBAM_KIND_LINK,                      \
                                                     IFBAM_PARAMS_OF (type_name),                  \
                                                     .law_size = sizeof (Law),                     \
                                                     .link = &prefix##_law,                        \
                                                     __VA_ARGS__ };                                \
  IFBAM_DEFINE_ELEMENT (Name, type_name)
