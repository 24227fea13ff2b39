/* matrix-pencil.h: how many waves b e^(s j) rows are made of, and which, all at once
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "spectrum/exponential-fit.h"

/* The fewest waves, up to most, that leave less than least of the rows (root mean square), into tones [most]; 0: so many
 * do not. */
gsize ifbam_part_tones (const double complex *rows, gsize n_rows, double least, IfbamTone *tones,
                        gsize most);
