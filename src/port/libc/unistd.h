/* unistd.h: of a C library what the core uses, where there is none: nobody knows the machine
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

enum
{
  _SC_PHYS_PAGES,
  _SC_PAGESIZE,
  _SC_LEVEL2_CACHE_SIZE,
  _SC_LEVEL3_CACHE_SIZE,
  _SC_NPROCESSORS_ONLN,
};

static inline long
sysconf (int name)
{
  /* A machine of 32 bits has 4 GB at most. */
  return name == _SC_PHYS_PAGES ? 65536 : name == _SC_PAGESIZE ? 65535 : -1;
}
