/* course-signals.h: courses of signals
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"
#include "file/course.h"

/* A course for them, without rows (transfer full). */
IfbamCourse *ifbam_signals_course (const IfbamSignals *signals);
