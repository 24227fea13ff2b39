/* fail.h: failures of functions that return FALSE or NULL with an error
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ifbam-error.h"

/* Sets an error of the domain IFBAM_ERROR, unless error is NULL. Returns FALSE. */
gboolean ifbam_fail (GError **error, IfbamError code, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Stores the reason of a failure, a phrase (transfer full). Returns FALSE. */
gboolean ifbam_reject (char **reason, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* The same. Return NULL. */
#define ifbam_fail_null(...)   (ifbam_fail (__VA_ARGS__), NULL)
#define ifbam_reject_null(...) (ifbam_reject (__VA_ARGS__), NULL)
