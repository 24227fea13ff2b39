/* matrix-pencil.h: decomposes rows into the fewest waves b e^(s j), all at once
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "spectrum/exponential-fit.h"

/* Finds the fewest waves, up to most, with a residual (root mean square) below least, into tones
 * (most). Returns their number; 0: no such waves. */
gsize ifbam_part_tones (const double complex *rows, gsize n_rows, double least, IfbamTone *tones,
                        gsize most);
