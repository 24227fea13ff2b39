/* c-headers.h: headers of laws and schemes, as they go into the C of a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  GString *text;
  GHashTable *seen; /* paths */
} IfbamCPaste;

/* The text of a header or of a file of src/embed/c (not owned); NULL with an error: there is none. */
const char *ifbam_c_text (const char *path, GError **error);
/* Adds a header with those that it includes, each once. */
gboolean ifbam_c_paste (IfbamCPaste *paste, const char *path, GError **error);
/* "elements/gas-spring-law.h" of "gas_spring" (transfer full). */
char *ifbam_c_law_path (const char *prefix);
/* Whether the law's header has PREFIX_WORD. */
gboolean ifbam_c_law_has (const char *prefix, const char *word);
