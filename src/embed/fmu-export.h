/* fmu-export.h: a network as an FMU
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/fmu-description.h"
#include "file/file.h"

/* What a name of a file gives for an identifier: "two_dof" of "fmu/two-dof.fmu" (transfer full). */
char *ifbam_fmu_identifier (const char *path);

/* The archive; token of the names: NULL, it is found from the content. */
gboolean ifbam_fmu_write (IfbamOutput *output, const IfbamFmuContent *content,
                          const IfbamRunSpec *spec, const IfbamFmuNames *names, GError **error);
