/* named-law.h: laws by formula that a file names: [law NAME]
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

/* A law is a class of links in its file: [NAME link]. */
typedef struct
{
  const char *name;             /* not owned */
  const IfbamElementInfo *info; /* class of its links; NULL: the law has no formula */
  GType type;
  const char *key, *formula; /* "force" and its text, with parameters (not owned) */
  GHashTable *values;        /* default values of its own parameters: name -> text (not owned) */
} IfbamNamedLaw;

IfbamNamedLaw *ifbam_named_law_new (const char *name);
void ifbam_named_law_free (gpointer law);

/* Returns the class of links with a formula of this key as their force; NULL: none. */
const IfbamElementInfo *ifbam_named_law_class (const char *key, GType *type);
/* Returns "force, torque, current, pressure" (transfer full). */
char *ifbam_named_law_keys (void);

/* Returns the law's formula with its own parameters replaced: by `own` (name -> text; NULL: none),
 * else by the defaults (transfer full); NULL with a reason. parameters: those of the file, which
 * remain. */
char *ifbam_named_law_formula (const IfbamNamedLaw *law, GHashTable *own, GHashTable *parameters,
                               char **reason);
