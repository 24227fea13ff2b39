/* parameter-snapshot.h: copy of an element's values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

typedef struct
{
  void *law;
  gpointer *values; /* values in slots, by parameter */
  guint32 set;
  char *start_text; /* start values, event times, members' values, as text */
} IfbamParameterSnapshot;

IfbamParameterSnapshot *ifbam_parameter_snapshot_new (const IfbamElement *element);
void ifbam_parameter_snapshot_free (IfbamParameterSnapshot *snapshot, const IfbamElement *element);

typedef enum
{
  IFBAM_CHANGE_NONE,
  IFBAM_CHANGE_PARAMETERS, /* of the law only */
  IFBAM_CHANGE_OTHERS,     /* names, lists, texts, start, event times */
} IfbamChange;

IfbamChange ifbam_parameter_snapshot_change (const IfbamParameterSnapshot *snapshot,
                                             const IfbamElement *element);

/* Restores the element's properties, except values of a composite's members. */
void ifbam_parameter_snapshot_restore (const IfbamParameterSnapshot *snapshot,
                                       IfbamElement *element);
