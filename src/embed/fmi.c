/* fmi.c: functions of FMI 2.0 and 3.0, based on fmu.h
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "embed/fmi-table.h"

static FmuStatus
set_logging (Fmu *fmu, gboolean on, const char *const *categories, gsize n)
{
  gboolean logs = n == 0;

  for (gsize i = 0; i < n; i++)
    logs |= g_str_equal (categories[i], FMU_EVENTS);
  fmu_use (fmu)->logs = on && logs;
  return FMU_OK;
}

static FmuStatus
reset (Fmu *fmu)
{
  fmu_use (fmu)->start = 0;
  return fmu_reset (fmu);
}

static FmuStatus
free_state (Fmu *fmu, gpointer *state)
{
  (void) fmu;
  if (state != NULL)
    g_clear_pointer (state, g_free);
  return FMU_OK;
}

static FmuStatus
measure_state (Fmu *fmu, const FmuState *state, gsize *size)
{
  (void) fmu;
  *size = state->size;
  return FMU_OK;
}

static FmuStatus
read_state (Fmu *fmu, gconstpointer bytes, gsize size, gpointer *state)
{
  (void) fmu;
  fmu_read_state (bytes, size, state);
  return FMU_OK;
}

static FmuStatus
refuse_type (Fmu *fmu, const guint32 *references, gsize n, const char *type, const char *only)
{
  (void) references;
  return n == 0 ? FMU_OK
                : fmu_refuse (fmu, "there are no variables of type %s: all are %s", type, only);
}

/* A co-simulation step always ends before fmi2DoStep() returns. */
static FmuStatus
discard_status (Fmu *fmu)
{
  fmu_refuse (fmu, "this FMU has no %s", "step that is still under way");
  return FMU_DISCARD;
}

FMI_FUNCTIONS (2, int, FMUstate, DeSerialize, GetDerivatives)
FMI_FUNCTIONS (3, bool, FMUState, Deserialize, GetContinuousStateDerivatives)
FMI2_ABSENT_FUNCTIONS
FMI3_ABSENT_FUNCTIONS

/* ---- FMI 2 */

static void
log_fmi2 (const Fmu *fmu, FmuStatus status, const char *category, const char *text)
{
  const FmuUse *use = fmu_use ((Fmu *) fmu);
  const Fmi2Callbacks *callbacks = use->callbacks;

  if (callbacks != NULL && callbacks->logger != NULL)
    callbacks->logger (use->environment, fmu_name (fmu), status, category, "%s", text);
}

static int
digit (char c)
{
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* Returns the path of "file:///tmp/a%20b/resources"; a path unchanged (transfer full). */
static char *
path_of (const char *location)
{
  char *path, *to;

  if (strncmp (location, "file:", 5) != 0)
    return g_strdup (location);
  location += 5;
  if (strncmp (location, "//", 2) == 0)
    {
      location += 2;
      location += strcspn (location, "/"); /* skip the host */
    }
  to = path = g_strdup (location);
  for (const char *from = path; *from != '\0'; from++)
    {
      const gboolean coded = from[0] == '%' && digit (from[1]) >= 0 && digit (from[2]) >= 0;

      *to++ = coded ? (char) (16 * digit (from[1]) + digit (from[2])) : *from;
      from += coded ? 2 : 0;
    }
  *to = '\0';
  return path;
}

FMI_EXPORT const char *
fmi2GetTypesPlatform (void)
{
  return "default";
}

FMI_EXPORT Fmu *
fmi2Instantiate (const char *name, Fmi2Type type, const char *token, const char *location,
                 const Fmi2Callbacks *callbacks, int visible, int logs)
{
  const FmuUse use = { .exchange = type == FMI2_MODEL_EXCHANGE,
                       .logs = logs,
                       .logger = log_fmi2,
                       .environment = callbacks != NULL ? callbacks->environment : NULL,
                       .callbacks = callbacks };
  g_autofree char *path = location == NULL ? NULL : path_of (location);

  (void) visible;
  return fmu_new (name, token, path, &use);
}

FMI_EXPORT FmuStatus
fmi2SetupExperiment (Fmu *fmu, int tolerance_defined, double tolerance, double start,
                     int stop_defined, double stop)
{
  (void) tolerance_defined, (void) tolerance, (void) stop_defined, (void) stop;
  fmu_use (fmu)->start = start;
  return FMU_OK;
}

FMI_CALL (2, EnterInitializationMode, (Fmu * fmu),
          fmu_enter_initialization (fmu, fmu_use (fmu)->start))
FMI_CALL (2, GetReal, (Fmu * fmu, const guint32 *references, gsize n, double *values),
          fmu_get (fmu, references, values, n))
FMI_CALL (2, SetReal, (Fmu * fmu, const guint32 *references, gsize n, const double *values),
          fmu_set (fmu, references, values, n))

FMI_EXPORT FmuStatus
fmi2DoStep (Fmu *fmu, double from, double by, int no_way_back)
{
  gboolean event;
  double reached;

  (void) no_way_back;
  return fmu_do_step (fmu, from, by, &event, &reached);
}

FMI_EXPORT FmuStatus
fmi2NewDiscreteStates (Fmu *fmu, Fmi2EventInfo *info)
{
  gboolean changed = FALSE;
  const FmuStatus status = fmu_update (fmu, &changed, &info->next_time);

  info->update_again = info->terminate = info->nominals_changed = FALSE;
  info->states_changed = changed;
  info->has_next_time = isfinite (info->next_time) != 0;
  return status;
}

/* ---- FMI 3 */

static void
log_fmi3 (const Fmu *fmu, FmuStatus status, const char *category, const char *text)
{
  const FmuUse *use = fmu_use ((Fmu *) fmu);
  const Fmi3Logger logger = (Fmi3Logger) use->callbacks;

  if (logger != NULL)
    logger (use->environment, status, category, text);
}

FMI_EXPORT Fmu *
fmi3InstantiateCoSimulation (const char *name, const char *token, const char *resources,
                             bool visible, bool logs, bool events, bool early,
                             const guint32 *intermediate, gsize n_intermediate,
                             gpointer environment, Fmi3Logger logger, gpointer update)
{
  const FmuUse use = { .events = events,
                       .early = early,
                       .logs = logs,
                       .logger = log_fmi3,
                       .environment = environment,
                       .callbacks = (const void *) logger };

  (void) visible, (void) intermediate, (void) n_intermediate, (void) update;
  return fmu_new (name, token, resources, &use);
}

FMI_EXPORT Fmu *
fmi3InstantiateModelExchange (const char *name, const char *token, const char *resources,
                              bool visible, bool logs, gpointer environment, Fmi3Logger logger)
{
  const FmuUse use = { .exchange = TRUE,
                       .logs = logs,
                       .logger = log_fmi3,
                       .environment = environment,
                       .callbacks = (const void *) logger };

  (void) visible;
  return fmu_new (name, token, resources, &use);
}

FMI_EXPORT Fmu *
fmi3InstantiateScheduledExecution (const char *name, const char *token, const char *resources,
                                   bool visible, bool logs, gpointer environment,
                                   Fmi3Logger logger)
{
  g_autofree char *text = g_strdup_printf ("%s: this FMU is not for scheduled execution", name);

  (void) token, (void) resources, (void) visible, (void) logs;
  if (logger != NULL)
    logger (environment, FMU_ERROR, FMU_ERRORS, text);
  return NULL;
}

FMI_EXPORT FmuStatus
fmi3EnterInitializationMode (Fmu *fmu, bool tolerance_defined, double tolerance, double start,
                             bool stop_defined, double stop)
{
  (void) tolerance_defined, (void) tolerance, (void) stop_defined, (void) stop;
  return fmu_enter_initialization (fmu, start);
}

/* All variables are scalars. */
static FmuStatus
check_values (Fmu *fmu, gsize n, gsize n_values)
{
  return n_values == n
             ? FMU_OK
             : fmu_refuse (fmu, "%zu variables have as many values, not %zu", n, n_values);
}

FMI_EXPORT FmuStatus
fmi3GetFloat64 (Fmu *fmu, const guint32 *references, gsize n, double *values, gsize n_values)
{
  const FmuStatus status = check_values (fmu, n, n_values);

  return status == FMU_OK ? fmu_get (fmu, references, values, n) : status;
}

FMI_EXPORT FmuStatus
fmi3SetFloat64 (Fmu *fmu, const guint32 *references, gsize n, const double *values, gsize n_values)
{
  const FmuStatus status = check_values (fmu, n, n_values);

  return status == FMU_OK ? fmu_set (fmu, references, values, n) : status;
}

FMI_EXPORT FmuStatus
fmi3UpdateDiscreteStates (Fmu *fmu, bool *again, bool *end, bool *nominals, bool *states,
                          bool *has_next, double *next)
{
  gboolean changed = FALSE;
  const FmuStatus status = fmu_update (fmu, &changed, next);

  *again = *end = *nominals = false;
  *states = changed;
  *has_next = isfinite (*next);
  return status;
}

FMI_CALL (3, EvaluateDiscreteStates, (Fmu * fmu), fmu != NULL ? FMU_OK : FMU_ERROR)
FMI_CALL (3, EnterStepMode, (Fmu * fmu), fmu_leave_events (fmu))

FMI_EXPORT FmuStatus
fmi3DoStep (Fmu *fmu, double from, double by, bool no_way_back, bool *event, bool *end,
            bool *early, double *reached)
{
  const FmuUse *use = fmu_use (fmu);
  gboolean happened = FALSE;
  const FmuStatus status = fmu_do_step (fmu, from, by, &happened, reached);

  (void) no_way_back;
  *end = false;
  *event = happened && use->events;
  *early = happened && use->events && use->early && *reached < from + by;
  return status;
}

FMI_CALL (3, GetNumberOfContinuousStates, (Fmu * fmu, gsize *n),
          fmu_count_list (fmu, FMU_STATES, n))
FMI_CALL (3, GetNumberOfEventIndicators, (Fmu * fmu, gsize *n),
          fmu_count_list (fmu, FMU_INDICATORS, n))
