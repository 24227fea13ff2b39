/* signal-types.h: signals of a model: their kinds, and a list of them
 *
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
