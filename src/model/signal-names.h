/* signal-names.h: ELEMENT.QUANTITY: the signals of a model, by name
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compiled-model.h"

/* Memory of a signal, without a long name [bytes]. */
#define IFBAM_SIGNAL_MEMORY 100.0

typedef enum
{
  IFBAM_SIGNAL_POSITION,
  IFBAM_SIGNAL_RATE,
  IFBAM_SIGNAL_ACCELERATION,
  IFBAM_SIGNAL_NODE_FORCE, /* of the drive of a given node, or of a branch */
  IFBAM_SIGNAL_PLACE,      /* coordinate of a point, and its rate */
  IFBAM_SIGNAL_PLACE_RATE,
  IFBAM_SIGNAL_FORCE,
  IFBAM_SIGNAL_COMPRESSION,
  IFBAM_SIGNAL_LINK_RATE,
  IFBAM_SIGNAL_MODE,
  IFBAM_SIGNAL_OUTPUT, /* of a controller */
  IFBAM_SIGNAL_LINK_DISSIPATED,
  IFBAM_SIGNAL_SOURCE_FORCE,
  IFBAM_SIGNAL_KINETIC,
  IFBAM_SIGNAL_POTENTIAL,
  IFBAM_SIGNAL_ENERGY,
  IFBAM_SIGNAL_DISSIPATED,
  IFBAM_SIGNAL_SUPPLIED,
  IFBAM_SIGNAL_MOMENTUM,
} IfbamSignalKind;

typedef struct
{
  IfbamSignalKind kind;
  gboolean single; /* of an unbatched link */
  gsize number;    /* index of the node, link, unbatched link, source or gauge */
} IfbamSignal;

typedef struct
{
  GPtrArray *names;   /* char*, NULL-terminated */
  GPtrArray *units;   /* const char*, static: of each */
  GArray *signals;    /* IfbamSignal */
  gboolean sums;      /* at least one is a sum over the network */
  gboolean balance;   /* at least one needs the energy balance */
  gboolean links;     /* at least one needs the energy balance of each link */
  gboolean elsewhere; /* at least one is omitted: it is in another subnetwork */
} IfbamSignals;

/* Returns the signals of a text; NULL with a reason (transfer full). record: comma-separated, with
 * wildcards ("*.position"), ranges ("c.m[1:9:2].velocity"); NULL: the first quantity of all free
 * nodes. */
IfbamSignals *ifbam_signals_new (const IfbamModel *model, GHashTable *by_name, const char *record,
                                 char **reason);
/* Finds one signal, and its unit (static); FALSE with a reason (transfer full; NULL: an issue
 * exists already). Also during compilation. */
gboolean ifbam_signal_find (const IfbamModel *model, GHashTable *by_name, const char *text,
                            IfbamSignal *signal, const char **unit, char **reason);

void ifbam_signals_free (IfbamSignals *signals);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSignals, ifbam_signals_free)

/* Returns the quantities of a class ("position, velocity, acceleration"). Static. */
const char *ifbam_signal_quantities (const IfbamElementInfo *info);
/* Returns the signal of a coordinate's rate: "m1.velocity" for "m1.position" (transfer full); NULL
 * for signals without a coordinate's name. */
char *ifbam_signal_rate (const char *signal);
/* Finds a signal's quantity and unit (static) by name: "force" may be a torque. FALSE: unknown. */
gboolean ifbam_signal_unit (const char *signal, const char **quantity, const char **unit);
