/* ifbam-sweep.h: sweep of a network over combinations of parameter values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

#include "file/ifbam-network.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/**
 * IfbamProgressFunc:
 * @part: the fraction that is done, from 0 to 1
 * @user_data: data of the caller
 *
 * Reports progress of a long computation, in the caller's thread.
 */
typedef void (*IfbamProgressFunc) (double part, gpointer user_data);

#define IFBAM_TYPE_SWEEP_TABLE (ifbam_sweep_table_get_type ())
G_DECLARE_FINAL_TYPE (IfbamSweepTable, ifbam_sweep_table, IFBAM, SWEEP_TABLE, GObject)

IfbamSweepTable *ifbam_network_sweep (IfbamNetwork *network, const char *const *varied,
                                      const char *const *measured, guint count, guint threads,
                                      GCancellable *cancellable, IfbamProgressFunc progress,
                                      gpointer user_data, GError **error);
IfbamSweepTable *ifbam_sweep_file (const char *path, const char *const *settings,
                                   const char *const *varied, const char *const *measured,
                                   guint count, guint threads, GCancellable *cancellable,
                                   IfbamProgressFunc progress, gpointer user_data, GError **error);

const char *const *ifbam_sweep_table_get_columns (IfbamSweepTable *table);
gsize ifbam_sweep_table_get_n_rows (IfbamSweepTable *table);
GBytes *ifbam_sweep_table_get_bytes (IfbamSweepTable *table, const char *column, GError **error);
const double *ifbam_sweep_table_get_values (IfbamSweepTable *table, const char *column,
                                            gsize *n_rows, GError **error);

#pragma GCC visibility pop
G_END_DECLS
