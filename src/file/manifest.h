/* manifest.h: the network, options and version that made a result, as attributes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/hdf5.h"
#include "file/result.h"

/* As the group "manifest"; FALSE: the library failed. */
gboolean ifbam_manifest_put (hid_t file, const IfbamManifest *manifest);
/* Of a file of this name; NULL with IFBAM_ERROR_COURSE: there is none, or it can't be read. */
IfbamManifest *ifbam_manifest_get (hid_t file, const char *path, GError **error);
