/* printable-text.c: makes texts of files and options safe for a terminal
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/printable-text.h"

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
