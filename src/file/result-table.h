/* result-table.h: events as entries of a table of HDF5
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/hdf5.h"
#include "file/result.h"

#define IFBAM_RESULT_ENDED 32 /* bytes of the attribute "ended", its zero included */

/* An entry: the time, the two texts padded with zeros, four numbers. Sizes [bytes], multiples of 8. */
typedef struct
{
  gsize element, word; /* of the texts */
  gsize size;          /* of an entry */
} IfbamEventTable;

/* The type of an entry for names up to this length; below 1: the library failed. */
hid_t ifbam_event_table_new (IfbamEventTable *table, gsize longest_name);
/* The same for a table that is there. */
hid_t ifbam_event_table_open (IfbamEventTable *table, hid_t events);
/* An event as an entry; FALSE: a text is too long. */
gboolean ifbam_event_table_take (const IfbamEventTable *table, const IfbamEvent *event,
                                 guint8 *entry);
/* All of a table's events (IfbamEvent, whose texts live on); NULL: the library failed, or it is no such table. */
GArray *ifbam_event_table_read (hid_t events);
