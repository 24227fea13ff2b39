/* glib-text.c: the functions of port/glib.h for texts and patterns, with only the C library
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE /* for vasprintf */

#include <port/glib-object.h> /* also if the compiler has the path of another one */
#include <stdio.h>

/* Texts */

gboolean
g_str_equal (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b) == 0;
}

char *
g_strdup (const char *text)
{
  return text == NULL ? NULL : g_memdup2 (text, strlen (text) + 1);
}

char *
g_strndup (const char *text, gsize n)
{
  char *copy = strndup (text, n);

  return copy != NULL ? copy : (abort (), NULL);
}

char *
g_strdup_vprintf (const char *format, va_list arguments)
{
  char *text;

  if (vasprintf (&text, format, arguments) < 0)
    abort ();
  return text;
}

char *
g_strdup_printf (const char *format, ...)
{
  va_list arguments;
  char *text;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return text;
}

char **
g_strsplit (const char *text, const char *delimiter, gint most)
{
  const gsize length = strlen (delimiter);
  GPtrArray *parts = g_ptr_array_new ();
  const char *end;
  char **texts;

  g_assert (most < 0);
  for (; *text != '\0' || parts->len > 0; text = end + length)
    {
      end = strstr (text, delimiter);
      g_ptr_array_add (parts,
                       end == NULL ? g_strdup (text) : g_strndup (text, (gsize) (end - text)));
      if (end == NULL)
        break;
    }
  g_ptr_array_add (parts, NULL);
  texts = g_memdup2 (parts->pdata, parts->len * sizeof *texts);
  g_ptr_array_unref (parts);
  return texts;
}

char *
g_strjoinv (const char *separator, char **texts)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; texts[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? separator : "", texts[i]);
  return g_string_free (text, FALSE);
}

gboolean
g_str_has_suffix (const char *text, const char *suffix)
{
  const gsize n = strlen (text), m = strlen (suffix);

  return n >= m && strcmp (text + (n - m), suffix) == 0;
}

char *
g_strchomp (char *text)
{
  gsize last = strlen (text);

  while (last > 0 && g_ascii_isspace (text[last - 1]))
    last--;
  text[last] = '\0';
  return text;
}

char *
g_strchug (char *text)
{
  const char *first = text;

  while (g_ascii_isspace (*first))
    first++;
  return memmove (text, first, strlen (first) + 1);
}

char *
g_strdelimit (char *text, const char *letters, char by)
{
  for (char *c = text; *c != '\0'; c++)
    if (strchr (letters, *c) != NULL)
      *c = by;
  return text;
}

char *
g_strconcat (const char *first, ...)
{
  GString *text = g_string_new (NULL);
  va_list arguments;

  va_start (arguments, first);
  for (; first != NULL; first = va_arg (arguments, const char *))
    g_string_append (text, first);
  va_end (arguments);
  return g_string_free (text, FALSE);
}

gint
g_ascii_strncasecmp (const char *a, const char *b, gsize n)
{
  while (n > 0 && *a != '\0' && g_ascii_tolower (*a) == g_ascii_tolower (*b))
    a++, b++, n--;
  return n == 0 ? 0 : (guchar) g_ascii_tolower (*a) - (guchar) g_ascii_tolower (*b);
}

gboolean
g_strv_contains (const char *const *texts, const char *text)
{
  for (; *texts != NULL; texts++)
    if (g_str_equal (*texts, text))
      return TRUE;
  return FALSE;
}

/* Returns the length of the letter at TEXT (n bytes at most); 0: it is no UTF-8. */
static gsize
valid_letter_length (const guchar *text, gsize n)
{
  const gsize length = text[0] < 0x80 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
  guint32 code = length == 1 ? text[0] : text[0] & (0xff >> (length + 1));

  if ((text[0] >= 0x80 && text[0] < 0xc2) || text[0] > 0xf4 || length > n)
    return 0;
  for (gsize i = 1; i < length; i++)
    {
      if ((text[i] & 0xc0) != 0x80)
        return 0;
      code = code << 6 | (text[i] & 0x3f);
    }
  /* Overlong forms, surrogates, codes beyond Unicode */
  return (length == 3 && code < 0x800) || (length == 4 && code < 0x10000) || code > 0x10ffff
                 || (code >= 0xd800 && code < 0xe000)
             ? 0
             : length;
}

gboolean
g_utf8_validate (const char *text, gssize n, const char **end)
{
  const char *const beyond = text + (n < 0 ? strlen (text) : (gsize) n);
  gsize length = 1;

  while (text < beyond && *text != '\0' && length > 0)
    {
      length = valid_letter_length ((const guchar *) text, (gsize) (beyond - text));
      text += length;
    }
  if (end != NULL)
    *end = text;
  return text == beyond;
}

guint
g_strv_length (char **texts)
{
  guint n = 0;

  while (texts[n] != NULL)
    n++;
  return n;
}

void
g_strfreev (char **texts)
{
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    g_free (texts[i]);
  g_free (texts);
}

guint64
g_ascii_strtoull (const char *text, char **end, guint base)
{
  return strtoull (text, end, (int) base);
}

const char *
g_getenv (const char *name)
{
  return getenv (name);
}

/* Puts TEXT (n bytes) in place of `removed` bytes. */
static void
string_put (GString *string, gsize place, gsize removed, const char *text, gsize n)
{
  const gsize length = string->len - removed + n, rest = string->len - place - removed;

  if (length >= string->allocated_len)
    {
      string->allocated_len = 2 * (length + 1);
      string->str = g_realloc_n (string->str, string->allocated_len, 1);
    }
  memmove (string->str + place + n, string->str + place + removed, rest);
  memcpy (string->str + place, text, n);
  string->str[length] = '\0';
  string->len = length;
}

GString *
g_string_new_len (const char *text, gssize n)
{
  GString *string = g_new0 (GString, 1);

  string_put (string, 0, 0, text, (gsize) n);
  return string;
}

GString *
g_string_new (const char *text)
{
  return g_string_new_len (text == NULL ? "" : text, text == NULL ? 0 : (gssize) strlen (text));
}

GString *
g_string_append_len (GString *string, const char *text, gssize n)
{
  string_put (string, string->len, 0, text, n < 0 ? strlen (text) : (gsize) n);
  return string;
}

GString *
g_string_append (GString *string, const char *text)
{
  return g_string_append_len (string, text, -1);
}

GString *
g_string_append_c (GString *string, char c)
{
  return g_string_append_len (string, &c, 1);
}

GString *
g_string_truncate (GString *string, gsize n)
{
  string_put (string, n, string->len - n, "", 0);
  return string;
}

void
g_string_append_vprintf (GString *string, const char *format, va_list arguments)
{
  g_autofree char *text = g_strdup_vprintf (format, arguments);

  g_string_append (string, text);
}

void
g_string_append_printf (GString *string, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_string_append_vprintf (string, format, arguments);
  va_end (arguments);
}

guint
g_string_replace (GString *string, const char *find, const char *replace, guint most)
{
  const char *found = string->str;
  guint n = 0;

  while ((most == 0 || n < most) && (found = strstr (found, find)) != NULL)
    {
      const gsize place = (gsize) (found - string->str);

      string_put (string, place, strlen (find), replace, strlen (replace));
      found = string->str + place + strlen (replace);
      n++;
    }
  return n;
}

char *
g_string_free (GString *string, gboolean free_text)
{
  char *text = string->str;

  if (free_text)
    g_clear_pointer (&text, g_free);
  g_free (string);
  return text;
}

struct _GPatternSpec
{
  char *text;
};

GPatternSpec *
g_pattern_spec_new (const char *pattern)
{
  GPatternSpec *spec = g_new (GPatternSpec, 1);

  spec->text = g_strdup (pattern);
  return spec;
}

/* Returns the length of the letter (UTF-8) that begins here [bytes]. */
static gsize
letter_length (const char *text)
{
  gsize n = 1;

  while ((text[n] & 0xc0) == 0x80)
    n++;
  return n;
}

/* After a mismatch the last star takes one letter more. Earlier stars need not: a match with a
 * longer earlier one is also a match with a longer last one. */
gboolean
g_pattern_spec_match_string (GPatternSpec *spec, const char *text)
{
  const char *pattern = spec->text, *star = NULL, *rest = NULL;

  while (*text != '\0')
    {
      if (*pattern == '*')
        {
          star = pattern++;
          rest = text;
        }
      else if (*pattern == '?' || *pattern == *text)
        {
          text += *pattern == '?' ? letter_length (text) : 1;
          pattern++;
        }
      else if (star != NULL)
        {
          pattern = star + 1;
          rest += letter_length (rest);
          text = rest;
        }
      else
        return FALSE;
    }
  while (*pattern == '*')
    pattern++;
  return *pattern == '\0';
}

void
g_pattern_spec_free (GPatternSpec *spec)
{
  g_free (spec->text);
  g_free (spec);
}
