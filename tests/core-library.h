/* core-library.h: the functions of build/core.so
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/core.h"

typedef struct
{
  __typeof__ (ifbam_core_new) *make;
  __typeof__ (ifbam_core_free) *free;
  __typeof__ (ifbam_core_said) *said;
  __typeof__ (ifbam_core_read) *read;
  __typeof__ (ifbam_core_compile) *compile;
  __typeof__ (ifbam_core_stride) *stride;
  __typeof__ (ifbam_core_last_step) *last_step;
  __typeof__ (ifbam_core_n_nodes) *n_nodes;
  __typeof__ (ifbam_core_find_node) *find_node;
  __typeof__ (ifbam_core_advance) *advance;
  __typeof__ (ifbam_core_row) *row;
  __typeof__ (ifbam_core_rows) *rows;
  __typeof__ (ifbam_core_record) *record;
  __typeof__ (ifbam_core_n_signals) *n_signals;
  __typeof__ (ifbam_core_signals) *signals;
  __typeof__ (ifbam_core_set_start) *set_start;
  __typeof__ (ifbam_core_shape) *shape;
  __typeof__ (ifbam_core_cycle) *cycle;
  __typeof__ (ifbam_core_n_events) *n_events;
  __typeof__ (ifbam_core_event) *event;
  __typeof__ (ifbam_core_get_state) *get_state;
  __typeof__ (ifbam_core_set_state) *set_state;
} CoreLibrary;

/* Loads it at the first call; NULL: it is not there. */
const CoreLibrary *core_library (void);
