/* distributed-run.h: `run` by several processes, each with a part of the network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/run-output.h"

/* Called by all ranks; rank 0 prints and writes. Returns the exit code, which is that of rank 0. */
int ifbam_run_on_ranks (const IfbamRunOptions *options);
