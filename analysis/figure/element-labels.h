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
} IfbamWords;

IfbamWords ifbam_node_words (const IfbamModel *model, gsize node);
/* Returns the labels of a link. */
IfbamWords ifbam_link_words (const IfbamLinkIter *at);
IfbamWords ifbam_element_words (const IfbamModel *model, const IfbamElement *element);
void ifbam_words_clear (IfbamWords *words);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamWords, ifbam_words_clear)

#define IFBAM_SHORT_NAME 16 /* largest length of a drawn name */
/* Shortens a text to `letters`, in its middle: a name's number is at the end (transfer full). */
char *ifbam_short_text (const char *text, guint letters);
