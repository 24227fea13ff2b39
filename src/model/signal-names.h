/* signal-names.h: ELEMENT.QUANTITY: what can be recorded of a model, by name
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compiled-model.h"

/* Of a signal, with a name that is not long [bytes]. */
#define IFBAM_SIGNAL_MEMORY 100.0

typedef enum
{
  IFBAM_SIGNAL_POSITION,
  IFBAM_SIGNAL_RATE,
  IFBAM_SIGNAL_ACCELERATION,
  IFBAM_SIGNAL_NODE_FORCE, /* of what moves it, or of what stands between others */
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
  gboolean single; /* of a link that is in no batch */
  gsize number;    /* of the node, link, single link, source or gauge */
} IfbamSignal;

typedef struct
{
  GPtrArray *names;   /* char*, NULL-terminated */
  GPtrArray *units;   /* const char*, static: of each */
  GArray *signals;    /* IfbamSignal */
  gboolean sums;      /* at least one is a sum over the network */
  gboolean balance;   /* at least one needs the ledger */
  gboolean links;     /* at least one needs the ledger of each link */
  gboolean elsewhere; /* at least one is left out: a subnetwork has not got it */
} IfbamSignals;

/* record: comma-separated signals, with wildcards ("*.position") and ranges ("c.m[1:9:2].velocity");
 * NULL: the first quantity of every free node. Returns NULL with a reason (transfer full). */
IfbamSignals *ifbam_signals_new (const IfbamModel *model, GHashTable *by_name, const char *record,
                                 char **reason);
/* The one signal that a text names, and its unit (static); FALSE with a reason (transfer full; NULL: there
 * is an issue already). For a model that is being compiled, too. */
gboolean ifbam_signal_find (const IfbamModel *model, GHashTable *by_name, const char *text,
                            IfbamSignal *signal, const char **unit, char **reason);

void ifbam_signals_free (IfbamSignals *signals);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSignals, ifbam_signals_free)

/* The quantities that elements of a class have ("position, velocity, acceleration"). Static. */
const char *ifbam_signal_quantities (const IfbamElementInfo *info);
/* The signal of the rate at which a coordinate changes: "m1.velocity" for "m1.position" (transfer full);
 * NULL for what is no coordinate, as far as its name tells. */
char *ifbam_signal_rate (const char *signal);
/* What a signal's quantity is and its unit, as far as its name tells: "force" may as well be a torque.
 * FALSE for an unknown one. Static texts. */
gboolean ifbam_signal_unit (const char *signal, const char **quantity, const char **unit);
