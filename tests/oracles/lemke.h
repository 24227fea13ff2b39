/* lemke.h: linear complementarity problems by Lemke's method; freestanding C
 *
 *   w = M z + q,   w >= 0,   z >= 0,   w z = 0
 *
 * It finds z where M is copositive and no direction z >= 0 with M z >= 0, z M z = 0 has q z < 0: so it does for
 * contacts with Coulomb's friction in the plane at the level of rates (Stewart & Trinkle 1996; Anitescu & Potra 1997), and
 * wherever else pivoting by blocks goes to and fro, if it finds anything. It is dense: n^2 a pivot.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdint.h>

/* So many levels at most. */
#define IFBAM_LEVELS 2

/* table: n rows of n + levels: M, and q on each level. q is q[0] + e q[1] where e is
 * infinitely small: what counts is a level's value, and where that is 0 the next one's. The first `n_free` unknowns are of
 * either sign, with w = 0. cover: above 0 (n). finer: by it ties are narrower than usual (1: they are not). acts: which z may
 * be above 0 at the end, or of either sign (n). z: what they are (n)(levels). goes_on: whether to go on after so many pivots
 * (NULL: always). Returns 1; 0: there is a ray, or no end. */
int ifbam_lemke (const double *table, uint32_t n, uint32_t n_free, uint32_t levels,
                 const double *cover, double finer, uint8_t *acts, double *z,
                 int (*goes_on) (void *data), void *data);
