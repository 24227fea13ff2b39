/* row-table.h: table of some of a run's samples, for a terminal
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"

typedef struct _IfbamRowTable IfbamRowTable;

/* signals: not owned. */
IfbamRowTable *ifbam_row_table_new (const IfbamSignals *signals, double duration);
void ifbam_row_table_free (IfbamRowTable *table);
void ifbam_row_table_row (IfbamRowTable *table, double time, const double *values);
/* Prints the table, and a note about omitted samples and signals. file: the network's. */
gboolean ifbam_row_table_print (IfbamRowTable *table, const char *file, GError **error);
