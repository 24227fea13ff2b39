/* distributed-run.h: `run` by several processes, of which each has a part of the network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/run-output.h"

/* By all ranks at once; the first one speaks and writes. Returns the exit code, which is the first one's to return. */
int ifbam_run_on_ranks (const IfbamRunOptions *options);
