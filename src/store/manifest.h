/* manifest.h: what made a result, as attributes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "store/hdf5.h"
#include "store/result.h"

/* As the group "manifest"; FALSE: the library failed. */
gboolean ifbam_manifest_put (hid_t file, const IfbamManifest *manifest);
/* NULL: there is none. */
IfbamManifest *ifbam_manifest_get (hid_t file);
