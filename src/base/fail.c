/* fail.c: failures of functions that return FALSE or NULL with an error
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/fail.h"

gboolean
ifbam_fail (GError **error, IfbamError code, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    g_propagate_error (error, g_error_new_valist (IFBAM_ERROR, code, format, arguments));
  va_end (arguments);
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
