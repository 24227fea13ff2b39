/* ifbam-error.h: the error domain of the library
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/**
 * IfbamError:
 * @IFBAM_ERROR_NETWORK: a network (its file, or what was built by calls) is wrong, or a run of it can't
 *   go on; the message holds one line for each fault, with what would be right. Of a file each begins
 *   with "FILE:LINE: "
 * @IFBAM_ERROR_USAGE: what was asked for does not exist or does not fit (a class, a name, a signal, an
 *   option)
 * @IFBAM_ERROR_COURSE: a course can't be used: its file is no table of numbers, or it has too few rows
 *   or uneven ones for what is asked of it
 * @IFBAM_ERROR_WRITE: a result can't be written; the message says where and why
 * @IFBAM_ERROR_DIVERGED: a run left the range of finite or sensible numbers; the message says when, by
 *   which element, and which step would do. The rows before are kept by who keeps rows
 * @IFBAM_ERROR_INTERRUPTED: long work was ended by its user: by Ctrl-C, or by a #GCancellable
 * @IFBAM_ERROR_PROGRAM: a program that is needed (gnuplot) is missing or failed
 *
 * Codes of the domain IFBAM_ERROR. No other domain comes out of the library but that of GIO where a
 * function says so.
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
