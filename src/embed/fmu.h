/* fmu.h: instance of an FMU, for both versions of the standard
 *
 * The folder `resources` of the archive contains the network as core text (embed/core.h), and a
 * list of its variables; their index is the value reference. The shared object depends on no
 * network.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "embed/fmu-list.h"

/* Same order as in both versions of the standard. */
typedef enum
{
  FMU_OK,
  FMU_WARNING,
  FMU_DISCARD,
  FMU_ERROR,
} FmuStatus;

typedef struct _Fmu Fmu;

/* Passes a message to the importer. */
typedef void (*FmuLogger) (const Fmu *fmu, FmuStatus status, const char *category,
                           const char *text);

typedef enum
{
  FMU_MADE,
  FMU_INITIALIZING,
  FMU_EVENT,
  FMU_RUNNING,
  FMU_TERMINATED,
} FmuPhase;

/* Use of an instance. */
typedef struct
{
  gboolean exchange; /* model exchange; FALSE: co-simulation */
  gboolean events;   /* the importer uses event mode: with `early`, steps end at events */
  gboolean early;
  gboolean logs;
  FmuLogger logger;
  gpointer environment; /* for the importer's callbacks */
  const void *callbacks;
  double start; /* start time, which FMI 2 gives before the initialization [s] */
} FmuUse;

/* Functions for the importer's calls. If the result is not FMU_OK, the reason has been logged. */

/* Returns NULL after logging the error. */
Fmu *fmu_new (const char *name, const char *token, const char *resources, const FmuUse *use);
void fmu_free (Fmu *fmu);
FmuStatus fmu_reset (Fmu *fmu);
const char *fmu_name (const Fmu *fmu);
FmuUse *fmu_use (Fmu *fmu);
/* Logs an error and returns FMU_ERROR. */
FmuStatus fmu_refuse (const Fmu *fmu, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Sets n variables in order, until one is rejected. */
FmuStatus fmu_set (Fmu *fmu, const guint32 *references, const double *values, gsize n);
FmuStatus fmu_get (Fmu *fmu, const guint32 *references, double *values, gsize n);

FmuStatus fmu_enter_initialization (Fmu *fmu, double start);
FmuStatus fmu_exit_initialization (Fmu *fmu);
FmuStatus fmu_enter_events (Fmu *fmu);
/* Processes the events of this time. *changed: states have changed; *next: time of the next
 * scheduled event [s] (infinite: none). */
FmuStatus fmu_update (Fmu *fmu, gboolean *changed, double *next);
FmuStatus fmu_leave_events (Fmu *fmu);
FmuStatus fmu_terminate (Fmu *fmu);

/* Advances from a time by a step [s]. *event: there was an event; *reached: end of the step [s]. */
FmuStatus fmu_do_step (Fmu *fmu, double from, double by, gboolean *event, double *reached);

/* Model exchange */

FmuStatus fmu_set_time (Fmu *fmu, double time);
/* n must be the number of states. */
FmuStatus fmu_set_states (Fmu *fmu, const double *states, gsize n);
typedef enum
{
  FMU_STATES,
  FMU_RATES,
  FMU_NOMINALS,
  FMU_INDICATORS,
} FmuList;
FmuStatus fmu_get_list (Fmu *fmu, FmuList list, double *values, gsize n);
FmuStatus fmu_count_list (Fmu *fmu, FmuList list, gsize *n);
FmuStatus fmu_complete_step (Fmu *fmu, gboolean *event);

/* Saved state: a block of bytes (malloc). */
typedef struct
{
  gsize size;
  char data[];
} FmuState;

/* state: an FmuState, or NULL; a state that is already there is freed. */
FmuStatus fmu_save_state (Fmu *fmu, gpointer *state);
/* state: an FmuState; NULL is rejected. */
FmuStatus fmu_restore_state (Fmu *fmu, gconstpointer state);
/* Copies `size` bytes of an FmuState to the importer, and back. */
FmuStatus fmu_write_state (const Fmu *fmu, const FmuState *state, gpointer bytes, gsize size);
void fmu_read_state (gconstpointer bytes, gsize size, gpointer *state);
