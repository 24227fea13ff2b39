/* fmu-description.h: modelDescription.xml, which tells importers what an FMU is
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/fmu-variables.h"

typedef struct
{
  guint version;          /* of the standard: 2 or 3 */
  const char *identifier; /* the shared object's name: a C identifier */
  const char *title;
  const char *token; /* it tells archives of different networks apart */
} IfbamFmuNames;

/* All of it (transfer full). */
char *ifbam_fmu_description (const IfbamFmuContent *content, const IfbamRunSpec *spec,
                             const IfbamFmuNames *names);
