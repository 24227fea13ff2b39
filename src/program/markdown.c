/* markdown.c: author's text beside a network, by CommonMark's reference implementation (libcmark)
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/markdown.h"

#include <cmark.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ifbam-error.h"

#define MAX_BYTES     (256 * 1024)
#define FIRST_HEADING 3 /* level of "# …": higher ones are used by the page */
#define LAST_HEADING  6

static gboolean
is_harmless (const char *url)
{
  return url[0] == '#' || g_str_has_prefix (url, "https://");
}

/* Replaces a link or picture by its text. */
static void
replace_by_text (cmark_node *node)
{
  cmark_node *child;

  while ((child = cmark_node_first_child (node)) != NULL)
    cmark_node_insert_before (node, child);
  cmark_node_unlink (node);
  cmark_node_free (node);
}

/* Shows HTML as text. */
static void
show_plainly (cmark_node *node, cmark_node_type as)
{
  cmark_node *plain = cmark_node_new (as);

  cmark_node_set_literal (plain, cmark_node_get_literal (node));
  cmark_node_replace (node, plain);
  cmark_node_free (node);
}

static void
make_harmless (cmark_node *node)
{
  switch (cmark_node_get_type (node))
    {
    case CMARK_NODE_HTML_BLOCK:
      show_plainly (node, CMARK_NODE_CODE_BLOCK);
      break;
    case CMARK_NODE_HTML_INLINE:
      show_plainly (node, CMARK_NODE_TEXT);
      break;
    case CMARK_NODE_IMAGE:
      replace_by_text (node);
      break;
    case CMARK_NODE_LINK:
      if (!is_harmless (cmark_node_get_url (node)))
        replace_by_text (node);
      break;
    case CMARK_NODE_HEADING:
      cmark_node_set_heading_level (
          node, MIN (cmark_node_get_heading_level (node) + FIRST_HEADING - 1, LAST_HEADING));
      break;
    default:
      break;
    }
}

char *
ifbam_markdown_html (const char *text, gsize n)
{
  cmark_node *document = cmark_parse_document (text, n, CMARK_OPT_DEFAULT);
  cmark_iter *iter = cmark_iter_new (document);
  cmark_event_type event;
  char *html, *own;

  /* A node is replaced after its children: at its exit, or if it is a leaf. */
  while ((event = cmark_iter_next (iter)) != CMARK_EVENT_DONE)
    {
      cmark_node *node = cmark_iter_get_node (iter);
      const cmark_node_type type = cmark_node_get_type (node);

      if (event == CMARK_EVENT_EXIT || type == CMARK_NODE_HTML_BLOCK
          || type == CMARK_NODE_HTML_INLINE)
        make_harmless (node);
    }
  cmark_iter_free (iter);
  html = cmark_render_html (document, CMARK_OPT_SAFE);
  cmark_node_free (document);
  own = g_strdup (html);
  free (html);
  return own;
}

char *
ifbam_markdown_read (const char *path, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path), *text = g_malloc (MAX_BYTES + 1);
  FILE *file = fopen (path, "rb");
  const gsize n = file != NULL ? fread (text, 1, MAX_BYTES + 1, file) : 0;
  const gboolean is_read = file != NULL && !ferror (file);
  const int code = errno;

  if (file != NULL)
    fclose (file);
  if (!is_read)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK, "%s: %s (--text)", shown,
                 g_strerror (code));
  else if (n > MAX_BYTES)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                 "%s: it has more than %d kB, the limit for a text beside a network (--text)",
                 shown, MAX_BYTES / 1024);
  else if (!g_utf8_validate (text, (gssize) n, NULL))
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                 "%s: it is not UTF-8 text (--text; iconv makes it one)", shown);
  else
    return ifbam_markdown_html (text, n);
  return NULL;
}
