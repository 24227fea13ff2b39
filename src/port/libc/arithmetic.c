/* arithmetic.c: compiler support functions for integers of 128 bits
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdint.h>

typedef __int128 Wide;

Wide __multi3 (Wide a, Wide b);
Wide __ashlti3 (Wide a, int by);
Wide __lshrti3 (Wide a, int by);
Wide __ashrti3 (Wide a, int by);

static Wide
join (uint64_t high, uint64_t low)
{
  union
  {
    Wide wide;
    uint64_t part[2]; /* the lower one first */
  } both = { .part = { low, high } };

  return both.wide;
}

static uint64_t
part (Wide a, int which)
{
  union
  {
    Wide wide;
    uint64_t part[2];
  } both = { .wide = a };

  return both.part[which];
}

/* In halves of 32 bits. */
Wide
__multi3 (Wide a, Wide b)
{
  const uint64_t x = part (a, 0), y = part (b, 0);
  const uint64_t x0 = (uint32_t) x, x1 = x >> 32, y0 = (uint32_t) y, y1 = y >> 32;
  const uint64_t low = x0 * y0, one = x1 * y0 + (low >> 32), other = x0 * y1 + (uint32_t) one;

  return join (x1 * y1 + (one >> 32) + (other >> 32) + x * part (b, 1) + part (a, 1) * y,
               other << 32 | (uint32_t) low);
}

Wide
__ashlti3 (Wide a, int by)
{
  if (by >= 64)
    return join (part (a, 0) << (by - 64), 0);
  if (by == 0)
    return a;
  return join (part (a, 1) << by | part (a, 0) >> (64 - by), part (a, 0) << by);
}

Wide
__lshrti3 (Wide a, int by)
{
  if (by >= 64)
    return join (0, part (a, 1) >> (by - 64));
  if (by == 0)
    return a;
  return join (part (a, 1) >> by, part (a, 0) >> by | part (a, 1) << (64 - by));
}

Wide
__ashrti3 (Wide a, int by)
{
  const int64_t high = (int64_t) part (a, 1);

  if (by >= 64)
    return join ((uint64_t) (high >> 63), (uint64_t) (high >> (by - 64)));
  if (by == 0)
    return a;
  return join ((uint64_t) (high >> by), part (a, 0) >> by | part (a, 1) << (64 - by));
}
