/* markdown.h: what people write beside a network: a small part of Markdown, as HTML that can do nothing
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Headings, paragraphs, quotes, lists, emphasis, code, rules, and links to https: or a place of the page. Everything else is
 * shown as it was written; HTML, too (transfer full). text is UTF-8. */
char *ifbam_markdown_html (const char *text, gsize n);
/* The same of a file (transfer full); NULL: it can't be read, is too large, or no text. */
char *ifbam_markdown_read (const char *path, GError **error);
