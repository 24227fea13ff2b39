/* markdown.h: author's text beside a network: a part of Markdown, as HTML without active content
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Supports headings, paragraphs, quotes, lists, emphasis, code, rules, and links to https: or to a
 * fragment of the page. Other text, HTML included, is verbatim (transfer full). text: UTF-8. */
char *ifbam_markdown_html (const char *text, gsize n);
/* As above, for a file (transfer full); NULL: it can't be read, is too large, or not UTF-8. */
char *ifbam_markdown_read (const char *path, GError **error);
