/* hdf5-heaps.h: whether the library can read the texts of a file in HDF5
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* FALSE: a disk has damaged where they stand. All else of our files has checksums, which the library looks at; of its heaps
 * of texts it believes all sizes, and runs over their ends or on for ever. */
gboolean ifbam_text_heaps_are_whole (const char *path);
