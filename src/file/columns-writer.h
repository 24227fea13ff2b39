/* columns-writer.h: writes a network's masses, springs and dampers as columns, and the rest as text
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/network.h"

/* Writes columns to a file in HDF5, and beside it a network file with [columns c] in place of the
 * elements (also chains) that are in the columns. model, signals: of the network. FALSE with
 * IFBAM_ERROR_USAGE if that is impossible, or IFBAM_ERROR_WRITE. *reordered: nodes add their forces
 * in another order, as other links were between those in the columns. */
gboolean ifbam_columns_export (IfbamNetwork *network, const IfbamModel *model,
                               const IfbamSignals *signals, const char *columns_path,
                               const char *text_path, gboolean *reordered, GError **error);
