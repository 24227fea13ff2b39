/* range-text.h: ranges of numbers in names, as users write them: c.m[1:1000:10], c.m[2:]
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdint.h>

/* Reads first, last and step after a bracket; the defaults are 1, UINT64_MAX (all), and 1. Returns
 * the position after it; NULL: not a range. */
static inline const char *
ifbam_range_read (const char *bracket, uint64_t bound[3])
{
  static const uint64_t left_out[3] = { 1, UINT64_MAX, 1 };
  const char *place = bracket;
  unsigned int n = 0;

  for (unsigned int i = 0; i < 3; i++)
    bound[i] = left_out[i];
  do
    {
      if (*++place >= '0' && *place <= '9')
        for (bound[n] = 0; *place >= '0' && *place <= '9'; place++)
          {
            if (bound[n] > UINT64_MAX / 10 - 1)
              return NULL;
            bound[n] = 10 * bound[n] + (uint64_t) (*place - '0');
          }
    }
  while (++n < 3 && *place == ':');
  return n >= 2 && *place == ']' && bound[1] >= bound[0] ? place + 1 : 0;
}

/* TRUE if a number is in it; with a step of 0 any number between the limits. */
static inline int
ifbam_range_holds (const uint64_t bound[3], uint64_t number)
{
  return number >= bound[0] && number <= bound[1]
         && (bound[2] == 0 || (number - bound[0]) % bound[2] == 0);
}
