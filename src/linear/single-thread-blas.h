/* single-thread-blas.h: linear algebra by one thread, so that no result depends on how many there are
 *
 * Which library answers for BLAS is the system's choice; some share sums out among threads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* How many threads the library used before; 0: it does not say. */
typedef struct
{
  int threads;
} IfbamBlas;

/* From here on one thread, until the same scope ends; others of the process are affected meanwhile. */
IfbamBlas ifbam_blas_begin (void);
void ifbam_blas_end (IfbamBlas *blas);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamBlas, ifbam_blas_end)
