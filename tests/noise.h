/* noise.h: numbers at random, the same in each run, for tests
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

extern GRand *noise;

/* To be called by a group's set-up, and its tear-down; both return 0. */
int noise_set_up (guint32 seed);
int noise_tear_down (void **state);

double between (double low, double high);
