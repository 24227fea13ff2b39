/* json-writer.h: JSON as text, with numbers that are JSON
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <json-glib/json-glib.h>

/* Pretty over several lines, or in one (transfer full). */
char *ifbam_json_text (JsonNode *root, gboolean pretty);
