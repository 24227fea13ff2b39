/* manifest.h: manifest of a result as attributes: network, options, version
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/hdf5.h"
#include "file/result.h"

/* Writes the group "manifest"; FALSE: the library failed. */
gboolean ifbam_manifest_put (hid_t file, const IfbamManifest *manifest);
/* Reads the manifest; path: for messages. NULL with IFBAM_ERROR_COURSE. */
IfbamManifest *ifbam_manifest_get (hid_t file, const char *path, GError **error);
