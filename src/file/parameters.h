/* parameters.h: [parameters] of a file, and "$k" where values use them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* VALUE with each $NAME replaced by what PARAMETERS (name to text) has for it, and so on (transfer full). NULL with
 * a reason, or without one where a parameter is empty, which was told already. arithmetic: the value is of numbers,
 * and a parameter beside an operator stays one quantity: "$l^2" is "(3 mm)^2". kept: names that stay as they are;
 * NULL-terminated, or NULL. */
char *ifbam_parameters_substitute (GHashTable *parameters, const char *value, gboolean arithmetic,
                                   const char *const *kept, char **reason);

/* The keys of a table, which are names, in alphabetical order; NULL-terminated (transfer container). */
const char **ifbam_sorted_keys (GHashTable *table, guint *n);
/* The key of a table that a name is near to; NULL: none, or they are too many to be searched. */
const char *ifbam_nearest_key (GHashTable *table, const char *name);

/* Whether "$NAME" stands in TEXT. */
gboolean ifbam_names_parameter (const char *text, const char *name);
