/* course-signals.c: courses of signals
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/course-signals.h"

IfbamCourse *
ifbam_signals_course (const IfbamSignals *signals)
{
  return ifbam_course_new_with_units ((const char *const *) signals->names->pdata,
                                      (const char *const *) signals->units->pdata);
}
