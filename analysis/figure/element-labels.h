/* element-labels.h: labels of an element: class, name, values with units
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

typedef struct
{
  const IfbamElementInfo *info;
  char *name;
  char *value;  /* first required number: "10 kN/m"; or "" */
  char *values; /* values that differ from defaults: "stiffness 10 kN/m, cubic 5 MN/m3" */
} IfbamElementLabels;

IfbamElementLabels ifbam_node_labels (const IfbamModel *model, gsize node);
/* Returns the labels of a link. */
IfbamElementLabels ifbam_link_labels (const IfbamLinkIter *at);
IfbamElementLabels ifbam_element_labels (const IfbamModel *model, const IfbamElement *element);
void ifbam_element_labels_clear (IfbamElementLabels *words);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamElementLabels, ifbam_element_labels_clear)

#define IFBAM_SHORT_NAME 16 /* largest length of a drawn name */
/* Shortens a text to `letters`, in its middle: a name's number is at the end (transfer full). */
char *ifbam_short_text (const char *text, guint letters);
