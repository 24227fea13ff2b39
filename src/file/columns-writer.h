/* columns-writer.h: a network's masses, springs and dampers as columns, and all else as a short text
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/network.h"

/* Writes columns to a file in HDF5, and beside it a network file in which [columns c] stands in the place of what went there
 * (chains, too). model, signals: of the network. FALSE with IFBAM_ERROR_USAGE where that can't be, or IFBAM_ERROR_WRITE.
 * *reordered: whether nodes sum their forces in another order then, as other links stand between. */
gboolean ifbam_columns_export (IfbamNetwork *network, const IfbamModel *model,
                               const IfbamSignals *signals, const char *columns_path,
                               const char *text_path, gboolean *reordered, GError **error);
