/* core-reader.c: networks and numbers with units as texts, read by the program's own reader
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/core.h"

#include "embed/core-internal.h"
#include "file/reader.h"

/* Appends a text as a JSON string. */
static void
append_string (GString *json, const char *text)
{
  g_string_append_c (json, '"');
  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\')
      g_string_append_printf (json, "\\%.1s", text);
    else if (g_ascii_iscntrl (*text))
      g_string_append_printf (json, "\\u00%s%x", (guchar) *text < 16 ? "0" : "", *text);
    else
      g_string_append_c (json, *text);
  g_string_append_c (json, '"');
}

/* Returns the lines "PATH:LINE: MESSAGE" as JSON (transfer full). */
static char *
faults_to_json (const char *lines, const char *path)
{
  GString *json = g_string_new ("[");

  for (const char *line = lines; *line != '\0';)
    {
      const char *end = line + strcspn (line, "\n");
      char *message;
      const guint64 number = g_ascii_strtoull (line + strlen (path) + 1, &message, 10);
      g_autofree char *rest = NULL;

      message += strspn (message, ": ");
      rest = g_strndup (message, (gsize) (end - message));
      g_string_append_printf (json, "%s{\"line\":%u,\"message\":", line > lines ? "," : "",
                              (guint) number);
      append_string (json, rest);
      g_string_append_c (json, '}');
      line = end + (*end == '\n');
    }
  g_string_append_c (json, ']');
  return g_string_free (json, FALSE);
}

int
ifbam_core_read_text (IfbamCore *core, const char *text, size_t length)
{
  const IfbamNetworkBytes bytes = { .path = (char *) "network", .length = length };
  const IfbamCompiling compiling = { ifbam_core_compile_network, core, NULL };
  g_autofree char *copy = g_malloc (length + 1), *json = NULL;
  g_autoptr (GError) error = NULL;
  IfbamNetwork *network;

  if (length > 0)
    memcpy (copy, text, length);
  copy[length] = '\0';
  ifbam_core_begin (core);
  ifbam_core_forget_model (core);
  core->has_units = TRUE;
  network = ifbam_network_read (&bytes, copy, NULL, &compiling, &core->model, &core->spec,
                                     &core->signals, &error);
  if (network == NULL)
    {
      json = faults_to_json (error->message, bytes.path);
      return ifbam_core_fail (core, "%s", json);
    }
  g_object_unref (core->network);
  core->network = network;
  ifbam_core_begin_run (core);
  return 0;
}

int
ifbam_core_parse (IfbamCore *core, const char *text, const char *unit, const char *meaning,
                  double *number)
{
  g_autofree char *reason = NULL;

  ifbam_core_begin (core);
  if (ifbam_units_parse (text, unit, meaning, ifbam_units_example (unit), number, &reason))
    return 0;
  return ifbam_core_fail (core, "%s", reason);
}
