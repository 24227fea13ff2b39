/* fmu-description.h: modelDescription.xml of an FMU
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/fmu-variables.h"

typedef struct
{
  guint version;          /* version of the standard: 2 or 3 */
  const char *identifier; /* name of the shared object: a C identifier */
  const char *title;
  const char *token; /* distinguishes archives of different networks */
} IfbamFmuNames;

/* Returns the file's text (transfer full). */
char *ifbam_fmu_description (const IfbamFmuContent *content, const IfbamRunSpec *spec,
                             const IfbamFmuNames *names);
