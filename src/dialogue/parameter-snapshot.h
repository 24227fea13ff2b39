/* parameter-snapshot.h: an element's values as a dialogue has taken them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

typedef struct
{
  void *law;
  gpointer *values; /* that are no numbers of the law, by parameter */
  guint32 set;
  char *
      start_text; /* what is no parameter's, or follows from it but acts only at a start: as text */
} IfbamParameterSnapshot;

IfbamParameterSnapshot *ifbam_parameter_snapshot_new (const IfbamElement *element);
void ifbam_parameter_snapshot_free (IfbamParameterSnapshot *snapshot, const IfbamElement *element);

typedef enum
{
  IFBAM_CHANGE_NONE,
  IFBAM_CHANGE_PARAMETERS, /* of the law, and nothing else */
  IFBAM_CHANGE_OTHERS, /* whom it names, lists, texts; where it starts; when something happens */
} IfbamChange;

IfbamChange ifbam_parameter_snapshot_change (const IfbamParameterSnapshot *snapshot,
                                             const IfbamElement *element);

/* The element's properties become again what is known. (What a composite's members were given stays.) */
void ifbam_parameter_snapshot_restore (const IfbamParameterSnapshot *snapshot,
                                       IfbamElement *element);
