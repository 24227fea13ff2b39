/* core-internal.h: data of a core, for the other files of the core interface
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

typedef struct _IfbamCore IfbamCore;

struct _IfbamCore
{
  GPtrArray *elements; /* IfbamElement, by id */
  IfbamElement *settings;
  GHashTable *by_name;  /* name -> element (not owned) */
  GHashTable *courses;  /* text of a `course` key -> IfbamInterpolant */
  GArray *start;        /* double: positions of the free nodes, in the order of the network */
  char *record;         /* NULL: nothing */
  gboolean sees_events; /* events are recorded with the states before and after them */
  GString *said;

  IfbamModel *model; /* NULL: not compiled */
  IfbamRunSpec spec;
  IfbamSignals *signals; /* NULL: no signals are recorded */
  IfbamEngine *engine;
  IfbamEnergyBalance *ledger; /* NULL: no signals are recorded */
  IfbamState *state;   /* of the last ifbam_core_get_state () */
  IfbamSchemeEnergy *scheme_energy; /* NULL: not begun */
};

/* Clears the message of the last failure. */
void ifbam_core_begin (IfbamCore *core);
/* Stores the message of a failure. Returns -1. */
int ifbam_core_fail (IfbamCore *core, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Creates an engine at the start, and its energy balance if signals are recorded. */
void ifbam_core_start (IfbamCore *core);
