/* plain-memory.c: the machine's memory if that is known, as the available amount can't be read
 * without files
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/memory.h"

#include <math.h>
#include <unistd.h>

double
ifbam_memory_available (const char **limit)
{
  const double bytes = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE);

  *limit = "";
  return bytes > 0 ? bytes : INFINITY;
}

char *
ifbam_memory_lack (double bytes)
{
  const char *limit;
  const double available = ifbam_memory_available (&limit);

  if (bytes <= available)
    return NULL;
  return g_strdup_printf ("%.3g GB of memory, and the machine has %.3g GB", 1e-9 * bytes,
                          1e-9 * available);
}
