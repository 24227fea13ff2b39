/* parameters.h: [parameters] of a file, and "$k" in values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Returns VALUE with each $NAME replaced recursively by its text in PARAMETERS (transfer full).
 * NULL with a reason, or without one if a parameter is empty, which was reported before.
 * arithmetic: the value is numeric, and a parameter beside an operator stays one quantity: "$l^2"
 * is "(3 mm)^2". kept: names that are not replaced; NULL-terminated, or NULL. */
char *ifbam_parameters_substitute (GHashTable *parameters, const char *value, gboolean arithmetic,
                                   const char *const *kept, char **reason);

/* Returns the keys of a table in alphabetical order; NULL-terminated (transfer container). */
const char **ifbam_sorted_keys (GHashTable *table, guint *n);
/* Returns the key of a table that is similar to a name; NULL: none, or too many keys. */
const char *ifbam_nearest_key (GHashTable *table, const char *name);

/* TRUE if TEXT contains "$NAME". */
gboolean ifbam_names_parameter (const char *text, const char *name);
