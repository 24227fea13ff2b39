/* rerun.h: what results of all kinds share when they make themselves again
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"
#include "file/file.h"

/* Parses the options that made a result. */
gboolean ifbam_rerun_parse (const IfbamManifest *manifest, GOptionContext *context, GError **error);
/* How messages call the network that made a result (transfer full). */
char *ifbam_rerun_name (const char *path, const IfbamManifest *manifest);
/* "PATH: TEXT", and which version made it, if it was another one; FALSE: it can't be printed. */
gboolean ifbam_rerun_tell (const char *path, const IfbamManifest *manifest, const char *text);
