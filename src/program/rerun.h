/* rerun.h: shared functions of commands that repeat a result
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"
#include "file/file.h"

/* Parses the options with which a result was made. */
gboolean ifbam_rerun_parse (const IfbamManifest *manifest, GOptionContext *context, GError **error);
/* Returns the name of the result's network for messages (transfer full). */
char *ifbam_rerun_name (const char *path, const IfbamManifest *manifest);
/* Prints "PATH: TEXT", and the version of the result if it is another; FALSE: failed. */
gboolean ifbam_rerun_note (const char *path, const IfbamManifest *manifest, const char *text);
