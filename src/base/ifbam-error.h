/* ifbam-error.h: the error domain of the library
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * IfbamError:
 * @IFBAM_ERROR_NETWORK: a network (its file, or what was built by calls) is wrong; the message
 *   holds one line for each fault, by line number, with what would be right
 * @IFBAM_ERROR_USAGE: what was asked for does not exist or does not fit (a signal, an option)
 * @IFBAM_ERROR_COURSE: a file of courses can't be used
 * @IFBAM_ERROR_WRITE: a result can't be written
 * @IFBAM_ERROR_DIVERGED: a run left the range of finite or sensible numbers
 * @IFBAM_ERROR_INTERRUPTED: a run was interrupted by its user
 * @IFBAM_ERROR_PROGRAM: a program that is needed (gnuplot) is missing or failed
 *
 * Codes of the domain IFBAM_ERROR.
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

G_END_DECLS
