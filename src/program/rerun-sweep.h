/* rerun-sweep.h: a sweep makes itself again, and is compared to the bit
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* Returns the exit code. */
int ifbam_command_rerun_sweep (const char *path);
