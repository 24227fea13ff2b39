/* unistd.h: the part of the C library that the core uses, without a C library
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
  /* A machine of 32 bits has at most 4 GB. */
  return name == _SC_PHYS_PAGES ? 65536 : name == _SC_PAGESIZE ? 65535 : -1;
}
