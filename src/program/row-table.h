/* row-table.h: a run's rows for somebody who looks at a terminal: some of them, in columns
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"

typedef struct _IfbamRowTable IfbamRowTable;

/* The signals are not owned. */
IfbamRowTable *ifbam_row_table_new (const IfbamSignals *signals, double duration);
void ifbam_row_table_free (IfbamRowTable *table);
void ifbam_row_table_row (IfbamRowTable *table, double time, const double *values);
/* On standard output; on standard error, what is left out and who shows it. file: the network's. */
gboolean ifbam_row_table_print (IfbamRowTable *table, const char *file, GError **error);
