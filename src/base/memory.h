/* memory.h: whether there is the memory that something large would take
 *
 * What grows with a number that somebody writes (masses, rows, variants) is judged before it is made: the
 * system promises more memory than there is, and ends who takes it at its word. What is small is made by
 * g_new() and the like, which end the program with a message where there is none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Bytes that can be taken now: of the machine, within the limits of this process and of its control group;
 * infinite where nobody tells. *limit: a phrase that names what limits it, "" for the machine (static). */
double ifbam_memory_available (const char **limit);

/* NULL where there is memory for so many bytes; else how much it would take and how much there is (transfer
 * full): "17.4 GB of memory, and 8.21 GB are free". */
char *ifbam_memory_lack (double bytes);

/* The same for what grows piece by piece: asks again where a quarter has come since, for to ask takes longer than a
 * piece. *asked: 0 at first. */
char *ifbam_memory_lack_of_growing (double bytes, double *asked);

/* What the control groups of a process leave [bytes]; text: its /proc/self/cgroup, root: where groups are
 * mounted. Infinite: there is no limit. */
double ifbam_memory_of_groups (const char *root, const char *text);
