/* hdf5-heaps.h: validity of the text heaps of a file in HDF5
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* FALSE: the heaps are damaged. All else in these files has checksums, which the library checks;
 * but it trusts the sizes in heaps, and may then crash or not terminate. */
gboolean ifbam_text_heaps_are_complete (const char *path);
