/* memory.c: free memory, as reported by Linux
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/memory.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Smaller amounts are not checked [bytes]. */
#define LITTLE 1e6

/* Returns the first number of a file, or of its line that begins with a word; negative: none. */
static double
read_number (const char *path, const char *word)
{
  g_autofree char *text = NULL;
  const char *place;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return -1;
  place = word == NULL ? text : strstr (text, word);
  if (place == NULL || !g_ascii_isdigit (*(place += strcspn (place, "0123456789\n"))))
    return -1;
  return g_ascii_strtod (place, NULL);
}

static double
number_in (const char *folder, const char *name, const char *word)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return read_number (path, word);
}

/* Returns the rest of a group's limit; file caches count as free. */
static double
left_in_group (const char *folder, const char *limit, const char *usage, const char *idle)
{
  const double most = number_in (folder, limit, NULL), used = number_in (folder, usage, NULL);
  const double read = number_in (folder, "memory.stat", idle);

  return most < 0 || used < 0 ? INFINITY : fmax (0, most - used + fmax (0, read));
}

/* The limits of the groups above apply, too. */
static double
left_in_groups (const char *root, const char *group, gboolean unified)
{
  g_autofree char *path = g_build_filename (root, group, NULL);
  double left = INFINITY;

  while (strlen (path) >= strlen (root))
    {
      char *slash = strrchr (path, '/');

      left = fmin (left,
                   unified ? left_in_group (path, "memory.max", "memory.current", "inactive_file ")
                           : left_in_group (path, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                            "total_inactive_file "));
      if (slash == NULL)
        break;
      *slash = '\0';
    }
  return left;
}

double
ifbam_memory_of_groups (const char *root, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *controller = g_build_filename (root, "memory", NULL);
  double left = INFINITY;

  /* "NUMBER:CONTROLLERS:GROUP"; no controllers: version 2 */
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], ":", 3);

      if (g_strv_length (parts) < 3)
        continue;
      if (*parts[1] == '\0')
        left = fmin (left, left_in_groups (root, parts[2], TRUE));
      else if (strstr (parts[1], "memory") != NULL)
        left = fmin (left, left_in_groups (controller, parts[2], FALSE));
    }
  return left;
}

/* Returns the rest of a limit of the process for its pages; column: of /proc/self/statm. */
static double
left_by_limit (int resource, guint column)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) columns = NULL;
  struct rlimit limit;

  if (getrlimit (resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
      || !g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    return INFINITY;
  columns = g_strsplit (text, " ", -1);
  if (g_strv_length (columns) <= column)
    return INFINITY;
  return fmax (0, (double) limit.rlim_cur
                      - g_ascii_strtod (columns[column], NULL) * (double) sysconf (_SC_PAGESIZE));
}

static void
bound (double *least, const char **why, double bytes, const char *phrase)
{
  if (bytes < *least)
    {
      *least = bytes;
      *why = phrase;
    }
}

double
ifbam_memory_available (const char **limit)
{
  g_autofree char *groups = NULL;
  const double kilobytes = read_number ("/proc/meminfo", "MemAvailable:");
  double least = kilobytes < 0 ? INFINITY : 1024 * kilobytes;

  *limit = "";
  bound (&least, limit, left_by_limit (RLIMIT_AS, 0), " (ulimit -v)");
  bound (&least, limit, left_by_limit (RLIMIT_DATA, 5), " (ulimit -d)");
  if (g_file_get_contents ("/proc/self/cgroup", &groups, NULL, NULL))
    bound (&least, limit, ifbam_memory_of_groups ("/sys/fs/cgroup", groups),
           " (limit of the control group)");
  return least;
}

char *
ifbam_memory_lack (double bytes)
{
  const char *limit;
  double available;

  if (bytes <= LITTLE)
    return NULL;
  available = ifbam_memory_available (&limit);
  if (bytes <= available)
    return NULL;
  return g_strdup_printf ("%.3g GB of memory, and %.3g GB are free%s", 1e-9 * bytes,
                          1e-9 * available, limit);
}

char *
ifbam_memory_lack_of_growing (double bytes, double *asked)
{
  if (bytes < 1.25 * *asked)
    return NULL;
  *asked = bytes;
  return ifbam_memory_lack (bytes);
}
