/* signal-reader.h: adds signals by the names of elements and quantities to a list
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/signal-quantities.h"

/* Indices of signals are guint. */
#define IFBAM_MAX_SIGNALS (1u << 30)

/* State of the reading of a list of signals. */
typedef struct
{
  const IfbamModel *model;
  GHashTable *by_name;
  IfbamSignals *signals;
  GHashTable *seen; /* names, owned by signals */
  guint64 room;     /* signals for which memory was checked */
  char *lack;       /* why reading has stopped; NULL: it has not */
} IfbamSignalReader;

/* Returns TRUE if memory suffices for n signals with names like this one. */
gboolean ifbam_signal_reader_make_room (IfbamSignalReader *reader, guint64 n, const char *name);

/* Appends a signal unless the list has one of the name (takes ownership of it). */
void ifbam_signal_reader_add_named (IfbamSignalReader *reader, char *name, IfbamSignal signal,
                                    const char *unit);

/* Appends ELEMENT.QUANTITY; number: of the node, link or source. */
void ifbam_signal_reader_add (IfbamSignalReader *reader, const char *element,
                              const IfbamQuantityInfo *quantity, IfbamDomain domain, gsize number,
                              gboolean single);

/* Adds "b.x", "b.angle", "tip.vx" of a body or point; FALSE: no such quantity. */
gboolean ifbam_signal_reader_add_coordinate (IfbamSignalReader *reader, const IfbamElement *body,
                                             const char *quantity);

/* Adds "c.m3.vx" of a composite's member in the plane; FALSE: no such quantity. */
gboolean ifbam_signal_reader_add_member (IfbamSignalReader *reader, const char *member,
                                         const char *quantity);

/* Adds an internal state of a link, the rate of its state node. FALSE: it has none of this name. */
gboolean ifbam_signal_reader_add_state (IfbamSignalReader *reader, const char *link,
                                        const IfbamElementInfo *info, gsize number, gboolean single,
                                        const char *name);

/* Returns TRUE if a link has a quantity (not NULL). A friction with a carrier has a rate, but no
 * compression. */
gboolean ifbam_link_has_quantity (const IfbamLink *link, const IfbamQuantityInfo *word);

/* Adds ELEMENT.QUANTITY. FALSE with a reason (transfer full): no such element or quantity. */
gboolean ifbam_signal_reader_add_by_name (IfbamSignalReader *reader, const char *element,
                                          const char *quantity, char **reason);
