/* fail.c: failures of functions that return FALSE or NULL with an error
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/fail.h"

gboolean
ifbam_fail (GError **error, IfbamError code, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, IFBAM_ERROR, code, text);
  return FALSE;
}

gboolean
ifbam_reject (char **reason, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  *reason = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return FALSE;
}
