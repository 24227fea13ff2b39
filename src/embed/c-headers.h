/* c-headers.h: headers of laws and schemes, copied into the generated C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  GString *text;
  GHashTable *seen; /* paths, as a set */
} IfbamCPaste;

/* Returns the text of a header or a file of src/embed/c (not owned); NULL with an error. */
const char *ifbam_c_text (const char *path, GError **error);
/* Adds a header and the headers that it includes, each once. */
gboolean ifbam_c_paste (IfbamCPaste *paste, const char *path, GError **error);
/* Returns "elements/gas-spring-law.h" for "gas_spring" (transfer full). */
char *ifbam_c_law_path (const char *prefix);
/* Returns TRUE if the law's header contains PREFIX_WORD. */
gboolean ifbam_c_law_has (const char *prefix, const char *word);
