/* network-lines.c: lines of a network file, and faults at lines
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/network-lines.h"

#include <string.h>

#include "base/ifbam-error.h"
#include "file/printable-text.h"

/* Largest length of a fault [bytes]. */
#define MAX_TEXT 2000

/* Makes a message printable and short: a file may contain anything. */
static void
shorten (GString *text)
{
  if (text->len > MAX_TEXT)
    g_string_append (g_string_truncate (text, MAX_TEXT), "...");
  g_strdelimit (text->str, "\n", '?');
  ifbam_make_printable (text->str);
}

IfbamReaderEntry *
ifbam_reader_entry (IfbamNetworkReader *reader, guint index)
{
  return &g_array_index (reader->entries, IfbamReaderEntry, index);
}

/* Returns the mark of a foreign comment in TEXT, at its start or after a blank; NULL: none. */
static const char *
other_comment (const char *text)
{
  static const char *const signs[] = { "//", "/*", ";", "%", "!" };

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    for (const char *p = strstr (text, signs[i]); p != NULL; p = strstr (p + 1, signs[i]))
      if ((p == text || g_ascii_isspace (p[-1])) && p[strlen (signs[i])] != '\0')
        return signs[i];
  return NULL;
}

static gboolean
begins_other_comment (const char *line)
{
  const char *sign = other_comment (line);

  return sign != NULL && g_str_has_prefix (line, sign);
}

/* Returns the mark of a foreign comment in the value at LINE; NULL: none. */
static const char *
other_comment_at (IfbamNetworkReader *reader, guint line)
{
  guint first = 0, last = reader->entries->len;

  while (first < last)
    {
      const guint middle = first + (last - first) / 2;

      if (ifbam_reader_entry (reader, middle)->line < line)
        first = middle + 1;
      else
        last = middle;
    }
  return first < reader->entries->len && ifbam_reader_entry (reader, first)->line == line
             ? other_comment (ifbam_reader_entry (reader, first)->value)
             : NULL;
}

void
ifbam_reader_add_fault (IfbamNetworkReader *reader, guint line, const IfbamReaderGroup *group,
                        const char *key, const char *format, ...)
{
  GString *text;
  IfbamReaderFault fault = { .line = line, .order = reader->faults->len };
  const char *sign = key == NULL ? NULL : other_comment_at (reader, line);
  va_list arguments;

  if (++reader->n_faults > IFBAM_MAX_FAULTS)
    return;
  text = g_string_new (NULL);
  if (group != NULL)
    g_string_append_printf (text, "[%s%s%s] ", group->class_name, group->name[0] ? " " : "",
                            group->name);
  if (key != NULL)
    g_string_append_printf (text, "%s: ", key);
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
  if (sign != NULL)
    g_string_append_printf (text, "; a comment begins with #, not with %s", sign);
  shorten (text);
  fault.text = g_string_free (text, FALSE);
  g_array_append_val (reader->faults, fault);
}

/* Lines */

gboolean
ifbam_reader_is_key (const char *text)
{
  if (text[0] == '\0')
    return FALSE;
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '-')
      return FALSE;
  return TRUE;
}

/* TRUE for KEY, or MEMBER.KEY of a composite. */
static gboolean
is_key_of_element (const char *text)
{
  const char *dot = strchr (text, '.');
  g_autofree char *member = dot == NULL ? NULL : g_strndup (text, (gsize) (dot - text));

  return dot == NULL ? ifbam_reader_is_key (text)
                     : ifbam_reader_is_key (member) && ifbam_reader_is_key (dot + 1);
}

/* Cuts a comment at the start or behind a blank. */
static void
cut_comment (char *text)
{
  for (char *c = text; *c != '\0'; c++)
    if (*c == '#' && (c == text || g_ascii_isspace (c[-1])))
      {
        *c = '\0';
        return;
      }
}

static void
read_group_line (IfbamNetworkReader *reader, char *line, guint number)
{
  char *end = strchr (line, ']');
  IfbamReaderGroup group = { .line = number, .first = reader->entries->len };
  char *blank;

  /* The following lines belong to this group in spite of the error. */
  if (end == NULL)
    {
      ifbam_reader_add_fault (reader, number, NULL, NULL,
                              "\"%.60s\" lacks its ] (want [class name])", line);
      end = line + strlen (line);
    }
  else if (end[1] != '\0')
    ifbam_reader_add_fault (
        reader, number, NULL, NULL,
        "\"%.60s\" goes on after its ] (want [class name]; a comment begins with #)", line);
  *end = '\0';
  group.class_name = g_strstrip (line + 1);
  blank = strpbrk (group.class_name, " \t");
  if (blank == NULL)
    group.name = group.class_name + strlen (group.class_name);
  else
    {
      *blank = '\0';
      group.name = g_strchug (blank + 1);
    }
  g_array_append_val (reader->groups, group);
}

static void
read_entry_line (IfbamNetworkReader *reader, char *line, guint number)
{
  char *equals = strchr (line, '=');
  IfbamReaderEntry entry = { .line = number };
  IfbamReaderGroup *group;

  if (equals == NULL)
    {
      ifbam_reader_add_fault (reader, number, NULL, NULL,
                              "\"%.60s\" is neither a [class name] nor KEY = VALUE", line);
      return;
    }
  *equals = '\0';
  entry.key = g_strchomp (line);
  entry.value = g_strchug (equals + 1);
  if (!is_key_of_element (entry.key))
    {
      ifbam_reader_add_fault (reader, number, NULL, NULL,
                              "\"%.60s\" is no key (want letters, digits, _ and -)", entry.key);
      return;
    }
  if (reader->groups->len == 0)
    {
      ifbam_reader_add_fault (reader, number, NULL, NULL, "\"%s\" is before the first [class name]",
                              entry.key);
      return;
    }
  group = &g_array_index (reader->groups, IfbamReaderGroup, reader->groups->len - 1);
  group->n++;
  g_array_append_val (reader->entries, entry);
}

gboolean
ifbam_reader_read_lines (IfbamNetworkReader *reader, char *text, gsize length)
{
  const char *bad;
  guint number = 0;
  gboolean binary = FALSE;

  if (!g_utf8_validate (text, (gssize) length, &bad))
    {
      guint line = 1;

      for (const char *c = text; c < bad; c++)
        line += *c == '\n';
      for (gsize i = 0; i < length; i++)
        binary |= (guchar) text[i] < 0x20 && !g_ascii_isspace (text[i]);
      ifbam_reader_add_fault (
          reader, line, NULL, NULL,
          length >= 2 && (memcmp (text, "\xff\xfe", 2) == 0 || memcmp (text, "\xfe\xff", 2) == 0)
              ? "is text in UTF-16 (save the file in UTF-8)"
          : binary ? "is not text: this is not a network file"
                   : "is not UTF-8 text (save the file in this encoding)");
      return FALSE;
    }
  if (g_str_has_prefix (text, "\xef\xbb\xbf"))
    text += 3;
  for (char *line = text, *next; line != NULL; line = next)
    {
      char *end = strchr (line, '\n');

      next = end == NULL ? NULL : end + 1;
      if (end != NULL)
        *end = '\0';
      number++;
      cut_comment (line);
      line = g_strstrip (line);
      if (line[0] == '\0' || line[0] == ';')
        continue;
      if (begins_other_comment (line))
        ifbam_reader_add_fault (reader, number, NULL, NULL, "a comment begins with #, not with %s",
                                other_comment (line));
      else if (line[0] == '[')
        read_group_line (reader, line, number);
      else if (reader->groups->len == 0 && strchr (line, '=') == NULL)
        {
          /* The file may be any, and its text secret: the message does not show it. */
          ifbam_reader_add_fault (
              reader, number, NULL, NULL,
              "this is not a network file: the line before any [group] is not KEY = VALUE%s",
              g_str_has_prefix (line, "time,")
                  ? " (a course: \"ifbam plot course\" and \"ifbam spectrum\" read it)"
                  : "");
          return FALSE;
        }
      else
        read_entry_line (reader, line, number);
    }
  return TRUE;
}

static int
compare_faults (gconstpointer a, gconstpointer b)
{
  const IfbamReaderFault *one = a, *other = b;

  if (one->line != other->line)
    return one->line < other->line ? -1 : 1;
  return one->order < other->order ? -1 : one->order > other->order;
}

void
ifbam_reader_fault_clear (IfbamReaderFault *fault)
{
  g_free (fault->text);
}

void
ifbam_reader_set_faults (IfbamNetworkReader *reader, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_array_sort (reader->faults, compare_faults);
  for (guint i = 0; i < reader->faults->len; i++)
    {
      const IfbamReaderFault *fault = &g_array_index (reader->faults, IfbamReaderFault, i);

      g_string_append_printf (text, "%s%s:", text->len == 0 ? "" : "\n", reader->path);
      if (fault->line > 0)
        g_string_append_printf (text, "%u:", fault->line);
      g_string_append_printf (text, " %s", fault->text);
    }
  if (reader->n_faults > reader->faults->len)
    g_string_append_printf (text, "\n%s: and %u more", reader->path,
                            reader->n_faults - reader->faults->len);
  g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK, text->str);
}

const IfbamReaderEntry *
ifbam_reader_entry_before (IfbamNetworkReader *reader, const IfbamReaderGroup *group, guint index)
{
  const char *key = ifbam_reader_entry (reader, index)->key;

  for (guint i = group->first; i < index; i++)
    if (g_str_equal (ifbam_reader_entry (reader, i)->key, key))
      return ifbam_reader_entry (reader, i);
  return NULL;
}

gboolean
ifbam_reader_is_group (const IfbamReaderGroup *group, const char *class_name)
{
  return g_str_equal (group->class_name, class_name);
}
