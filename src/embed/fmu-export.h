/* fmu-export.h: writes a network as an FMU
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/fmu-description.h"
#include "file/file.h"

/* Returns a C identifier for a file name: "two_dof" for "fmu/two-dof.fmu" (transfer full). */
char *ifbam_fmu_identifier (const char *path);

/* Writes the archive. A token of NULL in names is replaced by a checksum of the content. */
gboolean ifbam_fmu_write (IfbamOutput *output, const IfbamFmuContent *content,
                          const IfbamRunSpec *spec, const IfbamFmuNames *names, GError **error);
