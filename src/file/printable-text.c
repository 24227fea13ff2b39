/* printable-text.c: makes texts of files and options safe for a terminal
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/printable-text.h"

#include <string.h>

/* Letters of a quoted text. */
#define MAX_QUOTED 48

/* Controls, and formats that change the direction or place of other letters. */
static const struct
{
  guint32 first, last;
} unprintable[] = {
  { 0, 0x1f },        { 0x7f, 0x9f },       { 0xad, 0xad },     { 0x600, 0x605 },
  { 0x61c, 0x61c },   { 0x6dd, 0x6dd },     { 0x70f, 0x70f },   { 0x180e, 0x180e },
  { 0x200b, 0x200f }, { 0x2028, 0x202e },   { 0x2060, 0x206f }, { 0xfeff, 0xfeff },
  { 0xfff9, 0xfffb }, { 0xe0000, 0xe0fff },
};

void
ifbam_make_printable (char *text)
{
  const char *end;

  for (char *c = text; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c) && *c != '\n')
      *c = '?';
  while (!g_utf8_validate (text, -1, &end))
    text[end - text] = '?';
}

/* Appends the letter at P; returns its length [bytes]. A byte that is no UTF-8 becomes U+FFFD. */
static gsize
append_letter (GString *quoted, const char *p)
{
  const guchar first = (guchar) *p;
  const gsize n = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  guint32 code = n == 1 ? first : first & (0xffu >> (n + 1));

  if (!g_utf8_validate (p, (gssize) n, NULL))
    {
      g_string_append (quoted, "\xef\xbf\xbd");
      return 1;
    }
  for (gsize i = 1; i < n; i++)
    code = code << 6 | ((guchar) p[i] & 0x3f);
  for (guint i = 0; i < G_N_ELEMENTS (unprintable); i++)
    if (code >= unprintable[i].first && code <= unprintable[i].last)
      {
        g_string_append_printf (quoted, code < 16 ? "\\x0%x" : "\\x%x", code);
        return n;
      }
  g_string_append_len (quoted, p, (gssize) n);
  return n;
}

char *
ifbam_quote (const char *text)
{
  GString *quoted = g_string_new ("\"");

  for (int n = 0; *text != '\0' && n < MAX_QUOTED; n++)
    text += append_letter (quoted, text);
  g_string_append (quoted, *text != '\0' ? "...\"" : "\"");
  return g_string_free (quoted, FALSE);
}
