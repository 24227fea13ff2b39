/* network-values.h: values of a network file, with parameters
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/network-lines.h"

/* Reads a parameter's value; FALSE with a reason (transfer full). */
gboolean ifbam_reader_parse_value (IfbamNetworkReader *reader, IfbamElement *element, guint param,
                                   const char *value, char **reason);

/* TRUE if a parameter's value is numeric: then [parameters] are quantities in it, else text. */
gboolean ifbam_reader_is_numeric (const IfbamElementInfo *info, int param);
/* Replaces parameters (transfer full); NULL with a reason (transfer full). */
char *ifbam_reader_substitute (IfbamNetworkReader *reader, const char *value, gboolean arithmetic,
                               char **reason);
/* Records the parameters of a value, in place of those of an earlier value. */
void ifbam_reader_note_uses (IfbamNetworkReader *reader, IfbamElement *element, const char *member,
                             const char *key, const char *value);
/* Returns advice for an unknown key: "did you mean "stiffness"?", or the list of keys (transfer
 * full). *nearest: the suggested key, or NULL. */
char *ifbam_reader_advise_key (const IfbamElementInfo *info, const char *key, const char **nearest);
/* TRUE for the parameter with a law's formula. */
gboolean ifbam_reader_is_formula (const IfbamElementInfo *info, int param);
/* Records a value that names parameters. */
void ifbam_reader_add_use (IfbamNetworkReader *reader, IfbamElement *element, const char *member,
                           const char *key, const char *value);
