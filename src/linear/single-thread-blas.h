/* single-thread-blas.h: limits BLAS to one thread, so that results don't depend on their number
 *
 * The system selects the BLAS library; some libraries distribute sums over threads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Number of threads before; 0: the library does not state it. */
typedef struct
{
  int threads;
} IfbamBlas;

/* Sets one thread until the end of the scope, for the whole process. */
IfbamBlas ifbam_blas_begin (void);
void ifbam_blas_end (IfbamBlas *blas);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamBlas, ifbam_blas_end)
