/* noise.c: numbers at random, the same in each run, for tests
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "noise.h"

GRand *noise;

int
noise_set_up (guint32 seed)
{
  noise = g_rand_new_with_seed (seed);
  return 0;
}

int
noise_tear_down (void **state)
{
  (void) state;
  g_clear_pointer (&noise, g_rand_free);
  return 0;
}

double
between (double low, double high)
{
  return g_rand_double_range (noise, low, high);
}
