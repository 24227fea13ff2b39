/* ifbam-error.c: the error domain of the library
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/ifbam-error.h"

/**
 * ifbam_error_quark:
 *
 * The domain of the library's own errors, "ifbam-error-quark"; IFBAM_ERROR is short for it.
 *
 * Returns: the domain
 */
GQuark
ifbam_error_quark (void)
{
  /* Not by G_DEFINE_QUARK: a formatter takes the name's hyphens for minus signs. */
  return g_quark_from_static_string ("ifbam-error-quark");
}
