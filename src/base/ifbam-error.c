/* ifbam-error.c: the error domain of the library
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/ifbam-error.h"

G_DEFINE_QUARK (ifbam - error - quark, ifbam_error)
