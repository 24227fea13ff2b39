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
  char *rest; /* what is no parameter's, or follows from it but acts only at a start: as text */
} IfbamKnown;

IfbamKnown *ifbam_known_new (const IfbamElement *element);
void ifbam_known_free (IfbamKnown *known, const IfbamElement *element);

typedef enum
{
  IFBAM_CHANGE_NONE,
  IFBAM_CHANGE_NUMBERS, /* of the law, and nothing else */
  IFBAM_CHANGE_OTHERS,  /* whom it names, lists, texts; where it starts; when something happens */
} IfbamChange;

IfbamChange ifbam_known_change (const IfbamKnown *known, const IfbamElement *element);

/* The element's properties become again what is known. (What a composite's members were given stays.) */
void ifbam_known_put_back (const IfbamKnown *known, IfbamElement *element);
