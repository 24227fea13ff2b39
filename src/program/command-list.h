/* command-list.h: the names that options take in a network, one a line
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

/* what: "signals" (of --record and --signal), "settings" (of --set), "numbers" (of --vary) or "inputs" (of
 * --input). FALSE with an error. */
gboolean ifbam_command_list (const char *what, const IfbamNetwork *network, const IfbamModel *model,
                             GString *text, GError **error);
