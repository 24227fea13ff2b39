/* rerun-sweep.h: repeats a sweep from its result, and compares them bitwise
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* Returns the exit code. */
int ifbam_command_rerun_sweep (const char *path);
