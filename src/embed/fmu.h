/* fmu.h: a network as an instance of an FMU, for both versions of the standard
 *
 * What is simulated stands in the folder `resources` of the archive: the network as core text (embed/core.h), and a
 * list of its variables, whose places are their value references. The shared object is the same for all networks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "embed/fmu-list.h"

/* In the order of both versions' status. */
typedef enum
{
  FMU_OK,
  FMU_WARNING,
  FMU_DISCARD,
  FMU_ERROR,
} FmuStatus;

typedef struct _Fmu Fmu;

/* Is told what the importer shall hear. */
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

/* How it is used. */
typedef struct
{
  gboolean exchange; /* the importer integrates; else it is co-simulation */
  gboolean events;   /* the importer wants to see events: steps end there, if `early`  */
  gboolean early;
  gboolean logs;
  FmuLogger logger;
  gpointer environment; /* the importer's */
  const void *callbacks;
  double start; /* of FMI 2, which tells it before its initialization */
} FmuUse;

/* What an importer asks for goes by these; where that is not FMU_OK the reason has been told. */

/* NULL: it has been told why (through a passing instance of the same use). */
Fmu *fmu_new (const char *name, const char *token, const char *resources, const FmuUse *use);
void fmu_free (Fmu *fmu);
FmuStatus fmu_reset (Fmu *fmu);
const char *fmu_name (const Fmu *fmu);
FmuUse *fmu_use (Fmu *fmu);
/* Tells why something can't be, and returns FMU_ERROR. */
FmuStatus fmu_refuse (const Fmu *fmu, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* n variables, one after the other, until one is refused. */
FmuStatus fmu_set (Fmu *fmu, const guint32 *references, const double *values, gsize n);
FmuStatus fmu_get (Fmu *fmu, const guint32 *references, double *values, gsize n);

FmuStatus fmu_enter_initialization (Fmu *fmu, double start);
FmuStatus fmu_exit_initialization (Fmu *fmu);
FmuStatus fmu_enter_events (Fmu *fmu);
/* What happens is done: whether states have changed, and when something is given to happen next (infinite: never). */
FmuStatus fmu_update (Fmu *fmu, gboolean *changed, double *next);
FmuStatus fmu_leave_events (Fmu *fmu);
FmuStatus fmu_terminate (Fmu *fmu);

/* From a time on, by so much; *event: something happened, at *reached if it is a step that ends early. */
FmuStatus fmu_do_step (Fmu *fmu, double from, double by, gboolean *event, double *reached);

/* Model exchange */

FmuStatus fmu_set_time (Fmu *fmu, double time);
/* n: as many as there are. */
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

/* A state is a block of bytes (malloc). */
typedef struct
{
  gsize size;
  char data[];
} FmuState;

/* *state: an FmuState, or NULL; what was there is freed where another one takes its place. */
FmuStatus fmu_keep (Fmu *fmu, gpointer *state);
/* state: an FmuState; NULL is refused. */
FmuStatus fmu_take (Fmu *fmu, gconstpointer state);
/* Its bytes, of which there are `size` in FmuState, and back. */
FmuStatus fmu_write_state (const Fmu *fmu, const FmuState *state, gpointer bytes, gsize size);
void fmu_read_state (gconstpointer bytes, gsize size, gpointer *state);
