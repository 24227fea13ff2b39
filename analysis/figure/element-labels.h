/* element-labels.h: labels of an element: its class, its name, its values with their units
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

typedef struct
{
  const IfbamElementInfo *info;
  char *name;
  char *value;  /* the first number that it must have: "10 kN/m"; or "" */
  char *values; /* all that differ from their defaults: "stiffness 10 kN/m, cubic 5 MN/m3" */
} IfbamWords;

IfbamWords ifbam_node_words (const IfbamModel *model, gsize node);
/* Of a link in the order of the file. */
IfbamWords ifbam_link_words (const IfbamLinkIter *at);
IfbamWords ifbam_element_words (const IfbamModel *model, const IfbamElement *element);
void ifbam_words_clear (IfbamWords *words);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamWords, ifbam_words_clear)

#define IFBAM_SHORT_NAME 16 /* letters of a name that are drawn */
/* A text of at most so many letters, without its middle: a name's number is at the end (transfer full). */
char *ifbam_short_text (const char *text, guint letters);
