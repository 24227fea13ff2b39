/* fail.h: failures of functions that return FALSE or NULL with an error
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ifbam-error.h"

/* Sets an error of the domain IFBAM_ERROR, unless error is NULL. Returns FALSE. */
gboolean ifbam_fail (GError **error, IfbamError code, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* The same. Returns NULL. */
gpointer ifbam_fail_null (GError **error, IfbamError code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
