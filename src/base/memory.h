/* memory.h: checks of the memory for large arrays
 *
 * Sizes that depend on a number of the user (masses, rows, variants) are checked before the
 * allocation: the system grants more memory than there is, and kills the program later. Small
 * arrays are made by g_new() and the like, which end the program if memory is insufficient.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Returns the available memory [bytes]: of the machine, within the limits of this process and of
 * its control group; infinite if unknown. *limit: a phrase, "" for the machine (static). */
double ifbam_memory_available (const char **limit);

/* Returns NULL if there is memory for this size, otherwise the required and the available
 * amount (transfer full): "17.4 GB of memory, and 8.21 GB are free". */
char *ifbam_memory_lack (double bytes);

/* The same for arrays that grow: checks again only after a growth by a quarter, as a check takes
 * longer than a small piece. *asked: 0 at first. */
char *ifbam_memory_lack_of_growing (double bytes, double *asked);

/* Returns the rest of a process's control groups' limits [bytes]; text: its /proc/self/cgroup,
 * root: the mount point of groups. Infinite: there is no limit. */
double ifbam_memory_of_groups (const char *root, const char *text);
