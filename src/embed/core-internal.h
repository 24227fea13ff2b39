/* core-internal.h: data of a core, for the other files of the core interface
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/reader.h"

typedef struct _IfbamCore IfbamCore;

struct _IfbamCore
{
  IfbamNetwork *network;
  gboolean has_units;   /* values are texts with units, not hexadecimal numbers */
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
/* Frees the compiled network. */
void ifbam_core_forget_model (IfbamCore *core);
/* Compiles a network; see IfbamCompiling. data: the core. */
IfbamModel *ifbam_core_compile_network (gpointer data, IfbamNetwork *network, IfbamRunSpec *spec,
                                        IfbamSignals **signals, GArray *issues);
/* Starts the engine of a compiled network at its first row. */
void ifbam_core_begin_run (IfbamCore *core);
