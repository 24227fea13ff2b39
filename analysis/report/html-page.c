/* html-page.c: a self-contained page in HTML: what it needs is in it, and it asks no network for anything
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/html-page.h"

#include <gio/gio.h>
#include <string.h>

#include "file/file.h"
#include "report-resource.h"

/* A file of analysis/report/. It is there: it was compiled in. */
static void
append_file (GString *text, const char *name)
{
  g_autofree char *path = g_strconcat ("/ifbam/report/", name, NULL);
  g_autoptr (GBytes) bytes = g_resource_lookup_data (ifbam_report_get_resource (), path,
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gsize n;
  const char *data = g_bytes_get_data (bytes, &n);

  g_string_append_len (text, data, (gssize) n);
}

/* JSON in which nothing can end a <script> or open a comment: these letters stand in texts only. */
void
ifbam_page_append_json (GString *text, JsonNode *data)
{
  g_autofree char *json = ifbam_json_text (data, FALSE);

  for (const char *c = json; *c != '\0'; c++)
    if (*c == '<' || *c == '>' || *c == '&')
      g_string_append_printf (text, "\\u%04x", (guint) *c);
    else
      g_string_append_c (text, *c);
}

/* Base64 of 32-bit floats, the lowest byte first. */
static void
append_numbers (GString *text, const float *numbers, gsize n)
{
  g_autofree guint32 *bits = g_new (guint32, n + 1);
  g_autofree char *letters = NULL;

  for (gsize i = 0; i < n; i++)
    {
      memcpy (&bits[i], &numbers[i], sizeof bits[i]);
      bits[i] = GUINT32_TO_LE (bits[i]);
    }
  letters = g_base64_encode ((const guchar *) bits, n * sizeof *bits);
  g_string_append (text, letters);
}

static void
append_escaped_file (GString *text, const char *name)
{
  g_autoptr (GString) plain = g_string_new (NULL);
  g_autofree char *escaped = NULL;

  append_file (plain, name);
  escaped = g_markup_escape_text (plain->str, (gssize) plain->len);
  g_string_append (text, escaped);
}

void
ifbam_page_append_hash (GString *text, const char *of, gsize n)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize n_digest = sizeof digest;
  g_autofree char *letters = NULL;

  g_checksum_update (checksum, (const guchar *) of, (gssize) n);
  g_checksum_get_digest (checksum, digest, &n_digest);
  letters = g_base64_encode (digest, n_digest);
  g_string_append_printf (text, "'sha256-%s'", letters);
}

void
ifbam_page_let_in (GString *text, gsize at, gboolean with_core)
{
  g_autoptr (GString) policy = g_string_new (with_core ? " 'wasm-unsafe-eval'" : NULL);
  const char *script = text->str;

  while ((script = strstr (script, "<script>")) != NULL)
    {
      const char *begin = script + strlen ("<script>");

      script = strstr (begin, "</script>");
      g_string_append_c (policy, ' ');
      ifbam_page_append_hash (policy, begin, (gsize) (script - begin));
    }
  g_string_insert (text, (gssize) at, policy->str);
}

static void
append_still (GString *text, const IfbamPage *page)
{
  g_autofree char *escaped = page->still != NULL ? g_markup_escape_text (page->still, -1) : NULL;

  if (escaped != NULL)
    g_string_append_printf (text, "<p class=\"note still\">Nothing runs on this page: %s.</p>",
                            escaped);
}

/* What stands between two @@ in report.html. */
static void
append_part (GString *text, const char *part, const IfbamPage *page)
{
  if (strcmp (part, "TITLE") == 0)
    {
      g_autofree char *escaped = g_markup_escape_text (page->title, -1);

      g_string_append (text, escaped);
    }
  else if (strcmp (part, "DIAGRAM") == 0)
    g_string_append (text, page->diagram);
  else if (strcmp (part, "MOVIE") == 0)
    g_string_append (text, page->movie);
  else if (strcmp (part, "LABORATORY") == 0)
    g_string_append (text, page->laboratory != NULL ? page->laboratory : "");
  else if (strcmp (part, "SCRIPTS") == 0)
    g_string_append (text, page->scripts != NULL ? page->scripts : "");
  else if (strcmp (part, "TEXT") == 0)
    {
      if (page->beside != NULL)
        /* The laboratory has it already, but on paper. */
        g_string_append_printf (text, "<section id=\"text\"%s>\n%s</section>",
                                page->laboratory != NULL ? " class=\"paper\"" : "", page->beside);
    }
  else if (strcmp (part, "STILL") == 0)
    append_still (text, page);
  else if (strcmp (part, "DATA") == 0)
    ifbam_page_append_json (text, page->data);
  else if (strcmp (part, "NUMBERS") == 0)
    append_numbers (text, page->numbers, page->n_numbers);
  else if (strcmp (part, "VERSION") == 0)
    g_string_append (text, IFBAM_VERSION);
  else if (g_str_has_prefix (part, "text:"))
    append_escaped_file (text, part + strlen ("text:"));
  else
    append_file (text, part);
}

char *
ifbam_page_text (const IfbamPage *page, gsize *length)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GString) template = g_string_new (NULL);
  g_auto (GStrv) parts = NULL;
  gsize policy = 0;

  append_file (template, "report.html");
  parts = g_strsplit (template->str, "@@", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (i % 2 == 0)
      g_string_append (text, parts[i]);
    else if (strcmp (parts[i], "POLICY") == 0)
      policy = text->len;
    else
      append_part (text, parts[i], page);
  ifbam_page_let_in (text, policy, page->laboratory != NULL);
  *length = text->len;
  return g_string_free (text, FALSE);
}
