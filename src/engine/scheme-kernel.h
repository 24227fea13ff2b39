/* scheme-kernel.h: macros that make a scheme's kernels over ranges of nodes from its stages
 *
 * A stage is one inline function
 *   NAME (c0, …, c5, i, inverse_inertia, force, step)
 * on node i of the columns. IFBAM_NODE_KERNELS (NAME) makes, per level of instructions, a kernel
 * for forces summed before, and kernels that sum 1 to 4 ports: in a run port p of node i is
 * port[p][i] times a sign. A product with +1 or -1 is exact, so that all sums have equal bits.
 * NAME_few looks ports up by index.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/isa.h"
#include "engine/scheme.h"
#include "engine/stage.h"

#define IFBAM_NODE_BODY(name)                                                                      \
  IFBAM_INLINE void name##_body (                                                                  \
      IFBAM_NODE_COLUMNS, const double *restrict inverse_inertia, const double *restrict p0,       \
      const double *restrict p1, const double *restrict p2, const double *restrict p3,             \
      const double *sign, gsize from, gsize n, double step, guint degree)                          \
  {                                                                                                \
    const double s0 = sign[0], s1 = sign[1], s2 = sign[2], s3 = sign[3];                           \
    IFBAM_VECTOR_LOOP                                                                              \
    for (gsize i = from; i < from + n; i++)                                                        \
      {                                                                                            \
        double force = degree == 0 ? p0[i] : s0 * p0[i];                                           \
        if (degree > 1)                                                                            \
          force += s1 * p1[i];                                                                     \
        if (degree > 2)                                                                            \
          force += s2 * p2[i];                                                                     \
        if (degree > 3)                                                                            \
          force += s3 * p3[i];                                                                     \
        name (c0, c1, c2, c3, c4, c5, i, inverse_inertia[i], force, step);                         \
      }                                                                                            \
  }

#define IFBAM_PORT_FORCE(p) (port[p].sign * inputs[port[p].slot])

#define IFBAM_NODE_FEW_PORTS(name, count, sum)                                                     \
  static void name##_few_##count (const IfbamNodeBatch *batch, gsize from, gsize n)                \
  {                                                                                                \
    double *c0 = batch->column[0], *c1 = batch->column[1], *c2 = batch->column[2];                 \
    double *c3 = batch->column[3], *c4 = batch->column[4], *c5 = batch->column[5];                 \
    const double *inputs = batch->inputs, *inverse_inertia = batch->inverse_inertia;               \
    const IfbamPort *port = batch->ports + count * from;                                           \
    const double step = batch->step;                                                               \
    for (gsize i = from; i < from + n; i++, port += count)                                         \
      {                                                                                            \
        IFBAM_SCALAR_LOOP;                                                                         \
        name (c0, c1, c2, c3, c4, c5, i, inverse_inertia[i], sum, step);                           \
      }                                                                                            \
  }

#define IFBAM_NODE_FEW(name)                                                                       \
  IFBAM_NODE_FEW_PORTS (name, 1, IFBAM_PORT_FORCE (0))                                             \
  IFBAM_NODE_FEW_PORTS (name, 2, IFBAM_PORT_FORCE (0) + IFBAM_PORT_FORCE (1))                      \
  IFBAM_NODE_FEW_PORTS (name, 3,                                                                   \
                        IFBAM_PORT_FORCE (0) + IFBAM_PORT_FORCE (1) + IFBAM_PORT_FORCE (2))        \
  IFBAM_NODE_FEW_PORTS (name, 4,                                                                   \
                        IFBAM_PORT_FORCE (0) + IFBAM_PORT_FORCE (1) + IFBAM_PORT_FORCE (2)         \
                            + IFBAM_PORT_FORCE (3))

/* A stage's entry of IfbamScheme.update_few. */
#define IFBAM_FEW_ROW(name)                                                                        \
  {                                                                                                \
    name##_few_1, name##_few_2, name##_few_3, name##_few_4                                         \
  }

#define IFBAM_NODE_VARIANT(name, level, target, degree)                                            \
  target static void name##_##level##_##degree (const IfbamNodeBatch *batch, gsize from, gsize n)  \
  {                                                                                                \
    name##_body (batch->column[0], batch->column[1], batch->column[2], batch->column[3],           \
                 batch->column[4], batch->column[5], batch->inverse_inertia, batch->port[0],       \
                 batch->port[1], batch->port[2], batch->port[3], batch->sign, from, n,             \
                 batch->step, degree);                                                             \
  }

#define IFBAM_NODE_LEVEL(name, level, target)                                                      \
  IFBAM_NODE_VARIANT (name, level, target, 0)                                                      \
  IFBAM_NODE_VARIANT (name, level, target, 1)                                                      \
  IFBAM_NODE_VARIANT (name, level, target, 2)                                                      \
  IFBAM_NODE_VARIANT (name, level, target, 3)                                                      \
  IFBAM_NODE_VARIANT (name, level, target, 4)

#define IFBAM_NODE_KERNELS(name)                                                                   \
  IFBAM_NODE_FEW (name)                                                                            \
  IFBAM_NODE_BODY (name)                                                                           \
  IFBAM_EACH_ISA (IFBAM_NODE_LEVEL, name)

#define IFBAM_NODE_LEVEL_ROW(name, level)                                                          \
  {                                                                                                \
    name##_##level##_0, name##_##level##_1, name##_##level##_2, name##_##level##_3,                \
        name##_##level##_4                                                                         \
  }

/* A stage's entry of IfbamScheme.update. */
#define IFBAM_NODE_ROWS(name)                                                                      \
  {                                                                                                \
    IFBAM_ISA_LIST (IFBAM_NODE_LEVEL_ROW, name)                                                    \
  }
