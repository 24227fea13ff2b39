/* lab.c: a page that runs a network, alone or as a part of another page
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lab/lab.h"

#include <string.h>

#include "lab-resource.h"
#include "report/report.h"

#define MAX_ELEMENTS 10000 /* of a network that runs in a report */

static GBytes *
find_file (const char *name)
{
  g_autofree char *path = g_strconcat ("/ifbam/lab/", name, NULL);

  return g_resource_lookup_data (ifbam_lab_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE,
                                 NULL);
}

gboolean
ifbam_lab_has_core (void)
{
  g_autoptr (GBytes) core = find_file ("core.wasm.gz");

  return g_bytes_get_size (core) > 100;
}

char *
ifbam_lab_refusal_text (const IfbamModel *model, const IfbamRunSpec *spec, gboolean is_asked_for)
{
  const gsize elements =
      model->n_nodes + model->n_links + model->n_sources + model->unbatched_links->len;
  const guint times = is_asked_for ? IFBAM_LAB_ASKED_FOR : 1;
  const double most_steps = ifbam_lab_max_steps (model, spec) * times / IFBAM_LAB_ASKED_FOR;

  if (!ifbam_lab_has_core () && !is_asked_for)
    return g_strdup ("this ifbam was built without clang and lld, which make the engine for pages");
  for (guint i = 0; i < model->elements->len; i++)
    if (((const IfbamElement *) model->elements->pdata[i])->info->has_columns)
      return g_strdup_printf ("the values of \"%s\" are in a file, which a page can't contain",
                              ((const IfbamElement *) model->elements->pdata[i])->name);
  if (elements > times * MAX_ELEMENTS)
    return g_strdup_printf ("its %" G_GSIZE_FORMAT " nodes, links and sources are more than a page "
                            "runs at a slider's move (%u)",
                            elements, times * MAX_ELEMENTS);
  if ((double) spec->last_step > most_steps)
    return g_strdup_printf ("its %" G_GUINT64_FORMAT " steps are more than a page runs at a "
                            "slider's move (a shorter --duration or a longer --step would do)",
                            spec->last_step);
  return NULL;
}

/* Appends a line, without blanks around signs except in texts, and without its end after one of `open`. Lines with a
 * slash, a backslash or a text that goes on are appended as they are. */
static void
append_tight (GString *text, const char *line, const char *before, const char *after,
              const char *open)
{
  const gsize start = text->len;
  gboolean is_whole = strpbrk (line, "/\\") != NULL;
  char quote = '\0';

  for (const char *c = line; *c != '\0' && !is_whole; c++)
    {
      if (quote == '\0' && strchr ("\"'`", *c) != NULL)
        quote = *c;
      else if (*c == quote)
        quote = '\0';
      if (quote != '\0' || *c != ' '
          || (strchr (before, c[1]) == NULL && strchr (after, c[-1]) == NULL))
        g_string_append_c (text, *c);
    }
  if (is_whole || quote != '\0')
    {
      g_string_truncate (text, start);
      g_string_append (text, line);
    }
  if (quote != '\0' || strchr (open, line[strlen (line) - 1]) == NULL)
    g_string_append_c (text, '\n');
}

/* Appends a file without comments and indents. */
static void
append_file (GString *text, const char *name)
{
  static const char signs[] = "=,;:?{}()[]<>&|!";
  const gboolean is_script = g_str_has_suffix (name, ".js"),
                 is_style = g_str_has_suffix (name, ".css");
  g_autoptr (GBytes) bytes = find_file (name);
  gsize n;
  const char *data = g_bytes_get_data (bytes, &n);
  g_autofree char *whole = g_strndup (data, n);
  g_auto (GStrv) lines = g_strsplit (whole, "\n", -1);
  gboolean is_comment = FALSE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *line = g_strstrip (lines[i]);
      char *comment = g_str_has_suffix (line, "*/") ? g_strrstr (line, " /*") : NULL;

      if (comment != NULL)
        *comment = '\0';
      is_comment = is_comment || g_str_has_prefix (line, "/*");
      if (!is_comment && line[0] != '\0')
        {
          /* A blank before a colon separates selectors. */
          append_tight (text, line,
                        is_script  ? signs
                        : is_style ? "{}"
                                   : "",
                        is_script  ? signs
                        : is_style ? "{}:;,"
                                   : "",
                        is_script || is_style ? ";,{}([" : "");
        }
      else if (is_comment && strstr (line, "*/") != NULL)
        is_comment = FALSE;
    }
}

/* Appends the core in base 85: four bytes become five digits (base 64 takes 7 % more), the last m
 * bytes m + 1 digits. The digits are the letters from '#' to 'x' without '<'. */
static void
append_core (GString *text)
{
  g_autoptr (GBytes) bytes = find_file ("core.wasm.gz");
  gsize n;
  const guchar *data = g_bytes_get_data (bytes, &n);

  for (gsize i = 0; i < n && ifbam_lab_has_core (); i += 4)
    {
      guint32 number = 0;
      char digits[5];

      for (gsize k = i; k < i + 4; k++)
        number = number << 8 | (k < n ? data[k] : 0);
      for (guint k = 5; k-- > 0; number /= 85)
        digits[k] = (char) (number % 85 < 25 ? '#' + number % 85 : '=' + (number % 85 - 25));
      g_string_append_len (text, digits, (gssize) MIN (n - i, 4) + 1);
    }
}

/* Returns data, core, and all scripts in one function. */
static char *
make_scripts (const char *data)
{
  static const char *const files[] = { "core.js",    "quantities.js",    "plane-lines.js",
                                       "diagram.js", "plane.js",         "charts.js",
                                       "modes.js",   "element-words.js", "parameter-rows.js",
                                       "runs.js",    "scheme-energy.js", "address.js",
                                       "drag.js",    "controls.js",      "lab.js" };
  GString *text = g_string_new ("<script type=\"application/json\" id=\"lab-data\">");

  ifbam_page_append_json (text, data);
  g_string_append (text, "</script>\n<script type=\"text/plain\" id=\"lab-core\">");
  append_core (text);
  g_string_append (text, "</script>\n<script>\n\"use strict\";\n(() => {\n");
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    append_file (text, files[i]);
  g_string_append (text, "})();\n</script>");
  return g_string_free (text, FALSE);
}

/* Returns the page's section from view.html (transfer full). */
static GString *
make_view (const IfbamLabNames *names, const char *heading)
{
  g_autoptr (GString) template = g_string_new (NULL);
  g_autofree char *text =
      names->beside == NULL
          ? NULL
          : g_strconcat ("<section id=\"text\" class=\"panel\" data-name=\"Text\">", names->beside,
                         "</section>", NULL);

  append_file (template, "view.html");
  return ifbam_page_fill (
      template->str,
      (const IfbamPagePart[]){ { "HEADING", heading }, { "TEXT", text }, { NULL, NULL } },
      append_file);
}

char *
ifbam_lab_page (const IfbamNetwork *network, const IfbamModel *model, const IfbamRunSpec *spec,
                const IfbamLabNames *names, gsize *length)
{
  g_autofree char *data = ifbam_lab_data (network, model, spec, names);
  g_autoptr (GString) template = g_string_new (NULL), style = g_string_new ("\n");
  g_autoptr (GString) hash = g_string_new (NULL), view = NULL;
  g_autofree char *scripts = make_scripts (data);
  g_autofree char *title = g_markup_escape_text (names->title, -1);
  g_autofree char *heading = g_strconcat ("<h1>", title, "</h1>", NULL);
  GString *text;

  view = make_view (names, heading);
  append_file (template, "lab.html");
  append_file (style, "lab.css");
  ifbam_page_append_hash (hash, style->str, style->len);
  text = ifbam_page_fill (template->str,
                          (const IfbamPagePart[]){ { "TITLE", title },
                                                   { "VIEW", view->str },
                                                   { "SCRIPTS", scripts },
                                                   { "STYLE", style->str },
                                                   { "STYLE-HASH", hash->str },
                                                   { "POLICY", IFBAM_PAGE_CORE },
                                                   { NULL, NULL } },
                          append_file);
  *length = text->len;
  return g_string_free (text, FALSE);
}

char *
ifbam_lab_section (const IfbamNetwork *network, const IfbamModel *model, const IfbamRunSpec *spec,
                   const IfbamLabNames *names, char **scripts)
{
  g_autofree char *data = ifbam_lab_data (network, model, spec, names);
  g_autoptr (GString) style = g_string_new (NULL);
  g_autoptr (GString) view = make_view (names, "<slot></slot>");

  *scripts = make_scripts (data);
  append_file (style, "lab.css");
  return g_strconcat ("<section id=\"laboratory\" aria-labelledby=\"laboratory-title\">"
                      "<h2 id=\"laboratory-title\">Laboratory</h2></section>\n"
                      "<template id=\"lab-view\"><style>",
                      style->str, "</style>", view->str, "</template>\n", NULL);
}
