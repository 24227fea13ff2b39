/* html-page.c: a self-contained HTML page, which loads nothing
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/html-page.h"

#include <gio/gio.h>
#include <string.h>

#include "file/file.h"
#include "report-resource.h"

/* Appends a file of analysis/report/, which was compiled in. */
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

/* Escapes letters that could end a <script> or open a comment; in JSON they occur in texts only. */
void
ifbam_page_append_json (GString *text, const char *json)
{
  for (const char *c = json; *c != '\0'; c++)
    if (*c == '<' || *c == '>' || *c == '&')
      g_string_append_printf (text, "\\u%04x", (guint) *c);
    else
      g_string_append_c (text, *c);
}

/* Encodes 32-bit floats in base 64, little endian (transfer full). */
static char *
encode_numbers (const float *numbers, gsize n)
{
  g_autofree guint32 *bits = g_new (guint32, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      memcpy (&bits[i], &numbers[i], sizeof bits[i]);
      bits[i] = GUINT32_TO_LE (bits[i]);
    }
  return g_base64_encode ((const guchar *) bits, n * sizeof *bits);
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

/* Inserts the hashes of the page's scripts into its policy, at a position. */
static void
add_hashes (GString *text, gsize at)
{
  g_autoptr (GString) policy = g_string_new (NULL);
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

GString *
ifbam_page_fill (const char *template, const IfbamPagePart *parts,
                 void (*append_other) (GString *text, const char *name))
{
  GString *text = g_string_new (NULL);
  g_auto (GStrv) pieces = g_strsplit (template, "@@", -1);
  gsize policy = 0;

  for (guint i = 0; pieces[i] != NULL; i++)
    {
      const IfbamPagePart *part = parts;

      while (part->name != NULL && !g_str_equal (part->name, pieces[i]))
        part++;
      if (i % 2 == 0)
        g_string_append (text, pieces[i]);
      else if (g_str_equal (pieces[i], "VERSION"))
        g_string_append (text, IFBAM_VERSION);
      else if (part->name == NULL)
        append_other (text, pieces[i]);
      else if (part->text != NULL)
        g_string_append (text, part->text);
      if (i % 2 == 1 && g_str_equal (pieces[i], "POLICY"))
        policy = text->len;
    }
  if (policy > 0)
    add_hashes (text, policy);
  return text;
}

/* Appends a file of analysis/report/; with "text:" before its name, escaped. */
static void
append_named_file (GString *text, const char *name)
{
  if (g_str_has_prefix (name, "text:"))
    append_escaped_file (text, name + strlen ("text:"));
  else
    append_file (text, name);
}

char *
ifbam_page_text (const IfbamPage *page, gsize *length)
{
  const gboolean runs = page->laboratory != NULL;
  g_autoptr (GString) template = g_string_new (NULL), data = g_string_new (NULL);
  g_autofree char *title = g_markup_escape_text (page->title, -1);
  g_autofree char *still =
      page->still == NULL ? NULL
                          : g_markup_printf_escaped ("<p class=\"note still\">Nothing runs on this "
                                                     "page: %s.</p>",
                                                     page->still);
  /* The laboratory shows the text already, except on paper. */
  g_autofree char *beside = page->beside == NULL
                                ? NULL
                                : g_strdup_printf ("<section id=\"text\"%s>\n%s</section>",
                                                   runs ? " class=\"paper\"" : "", page->beside);
  g_autofree char *numbers = encode_numbers (page->numbers, page->n_numbers);
  GString *text;

  append_file (template, "report.html");
  ifbam_page_append_json (data, page->data);
  text = ifbam_page_fill (template->str,
                          (const IfbamPagePart[]){ { "TITLE", title },
                                                   { "DIAGRAM", page->diagram },
                                                   { "MOVIE", page->movie },
                                                   { "LABORATORY", page->laboratory },
                                                   { "SCRIPTS", page->scripts },
                                                   { "TEXT", beside },
                                                   { "STILL", still },
                                                   { "DATA", data->str },
                                                   { "NUMBERS", numbers },
                                                   { "POLICY", runs ? IFBAM_PAGE_CORE : NULL },
                                                   { NULL, NULL } },
                          append_named_file);
  *length = text->len;
  return g_string_free (text, FALSE);
}
