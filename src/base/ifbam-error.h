/* ifbam-error.h: the error domain of the library
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/**
 * IfbamError:
 * @IFBAM_ERROR_NETWORK: a network (its file, or one built by calls) is wrong, or a run of it can't
 *   go on; the message has one line per error, with the correction. Those of a file begin with
 *   "FILE:LINE: "
 * @IFBAM_ERROR_USAGE: a request is wrong: a class, a name, a signal, an option does not exist or
 *   does not fit
 * @IFBAM_ERROR_COURSE: a course can't be used: its file is not a table of numbers, or its rows are
 *   too few, or not evenly spaced as required
 * @IFBAM_ERROR_WRITE: a result can't be written; the message says where and why
 * @IFBAM_ERROR_DIVERGED: a run left the range of finite or physically possible numbers; the message
 *   names time, element and a suitable step. Earlier rows are valid
 * @IFBAM_ERROR_INTERRUPTED: a computation was ended by its user: by Ctrl-C, or by a #GCancellable
 * @IFBAM_ERROR_PROGRAM: a required program (gnuplot) is missing or failed
 *
 * Codes of the domain IFBAM_ERROR. The only other domain of the library's errors is GIO's, in
 * functions that mention it.
 */
typedef enum
{
  IFBAM_ERROR_NETWORK,
  IFBAM_ERROR_USAGE,
  IFBAM_ERROR_COURSE,
  IFBAM_ERROR_WRITE,
  IFBAM_ERROR_DIVERGED,
  IFBAM_ERROR_INTERRUPTED,
  IFBAM_ERROR_PROGRAM,
} IfbamError;

#define IFBAM_ERROR (ifbam_error_quark ())

GQuark ifbam_error_quark (void);

#pragma GCC visibility pop
G_END_DECLS
