/* fail.c: failures of functions that return FALSE or NULL with an error
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/fail.h"

static void
set_error (GError **error, IfbamError code, const char *format, va_list arguments)
{
  if (error != NULL)
    g_propagate_error (error, g_error_new_valist (IFBAM_ERROR, code, format, arguments));
}

gboolean
ifbam_fail (GError **error, IfbamError code, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  set_error (error, code, format, arguments);
  va_end (arguments);
  return FALSE;
}

gpointer
ifbam_fail_null (GError **error, IfbamError code, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  set_error (error, code, format, arguments);
  va_end (arguments);
  return NULL;
}
