/* core-internal.h: what a core consists of, for those files that offer more of it than core.h
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

typedef struct _IfbamCore IfbamCore;

struct _IfbamCore
{
  GPtrArray *elements; /* IfbamElement, by their numbers less 1 */
  IfbamElement *settings;
  GHashTable *by_name;  /* name -> element (not owned) */
  GHashTable *courses;  /* text of a `course` key -> IfbamInterpolant */
  GArray *start;        /* double: positions of the free nodes, in the order of the network */
  char *record;         /* NULL: nothing */
  gboolean sees_events; /* rows at events are asked for */
  GString *said;

  IfbamModel *model; /* NULL: not compiled */
  IfbamRunSpec spec;
  IfbamSignals *signals; /* NULL: none are recorded */
  IfbamEngine *engine;
  IfbamLedger *ledger; /* NULL: no signals are recorded */
  IfbamState *state;   /* that was asked for last */
};
