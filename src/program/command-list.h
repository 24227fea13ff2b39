/* command-list.h: names in a network that options accept, one per line
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

/* `what`: "signals" (for --record and --signal), "settings" (--set), "numbers" (--vary) or "inputs"
 * (--input). FALSE with an error. */
gboolean ifbam_command_list (const char *what, const IfbamNetwork *network, const IfbamModel *model,
                             GString *text, GError **error);
