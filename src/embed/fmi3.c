/* fmi3.c: the functions of FMI 3.0 over fmu.h
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include <fmi3Functions.h>

#include "embed/fmu.h"

_Static_assert((int) FMU_ERROR == (int) fmi3Error, "status as in FMI 3");

static void
tell (const Fmu *fmu, FmuStatus status, const char *category, const char *text)
{
  const FmuUse *use = fmu_use ((Fmu *) fmu);
  fmi3LogMessageCallback log = (fmi3LogMessageCallback) use->callbacks;

  if (log != NULL)
    log (use->environment, (fmi3Status) status, category, text);
}

const char *
fmi3GetVersion (void)
{
  return fmi3Version;
}

fmi3Status
fmi3SetDebugLogging (fmi3Instance instance, fmi3Boolean on, size_t n, const fmi3String categories[])
{
  gboolean logs = n == 0;

  for (size_t i = 0; i < n; i++)
    logs |= g_str_equal (categories[i], FMU_EVENTS);
  fmu_use (instance)->logs = on && logs;
  return fmi3OK;
}

fmi3Instance
fmi3InstantiateCoSimulation (fmi3String name, fmi3String token, fmi3String resources,
                             fmi3Boolean visible, fmi3Boolean logs, fmi3Boolean events,
                             fmi3Boolean early, const fmi3ValueReference intermediate[], size_t n,
                             fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                             fmi3IntermediateUpdateCallback update)
{
  const FmuUse use = { .events = events,
                       .early = early,
                       .logs = logs,
                       .logger = tell,
                       .environment = environment,
                       .callbacks = (const void *) log };

  (void) visible, (void) intermediate, (void) n, (void) update;
  return fmu_new (name, token, resources, &use);
}

/* What this FMU is not for. */
static fmi3Instance
no_instance (fmi3String name, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
             const char *what)
{
  g_autofree char *text = g_strdup_printf ("%s: this FMU is not for %s", name, what);

  if (log != NULL)
    log (environment, fmi3Error, FMU_ERRORS, text);
  return NULL;
}

fmi3Instance
fmi3InstantiateModelExchange (fmi3String name, fmi3String token, fmi3String resources,
                              fmi3Boolean visible, fmi3Boolean logs,
                              fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
  const FmuUse use = { .exchange = TRUE,
                       .logs = logs,
                       .logger = tell,
                       .environment = environment,
                       .callbacks = (const void *) log };

  (void) visible;
  return fmu_new (name, token, resources, &use);
}

fmi3Instance
fmi3InstantiateScheduledExecution (fmi3String name, fmi3String token, fmi3String resources,
                                   fmi3Boolean visible, fmi3Boolean logs,
                                   fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                   fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
                                   fmi3UnlockPreemptionCallback unlock)
{
  (void) token, (void) resources, (void) visible, (void) logs;
  (void) update, (void) lock, (void) unlock;
  return no_instance (name, environment, log, "scheduled execution");
}

void
fmi3FreeInstance (fmi3Instance instance)
{
  fmu_free (instance);
}

fmi3Status
fmi3EnterInitializationMode (fmi3Instance instance, fmi3Boolean tolerance_defined,
                             fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean stop_defined,
                             fmi3Float64 stop)
{
  (void) tolerance_defined, (void) tolerance, (void) stop_defined, (void) stop;
  return (fmi3Status) fmu_enter_initialization (instance, start);
}

fmi3Status
fmi3ExitInitializationMode (fmi3Instance instance)
{
  return (fmi3Status) fmu_exit_initialization (instance);
}

fmi3Status
fmi3EnterEventMode (fmi3Instance instance)
{
  return (fmi3Status) fmu_enter_events (instance);
}

fmi3Status
fmi3Terminate (fmi3Instance instance)
{
  return (fmi3Status) fmu_terminate (instance);
}

fmi3Status
fmi3Reset (fmi3Instance instance)
{
  return (fmi3Status) fmu_reset (instance);
}

/* Functions that refuse need no parameters but the instance. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Variables: all are doubles. */

fmi3Status
fmi3GetFloat64 (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                fmi3Float64 values[], size_t n_values)
{
  if (n_values != n)
    return (fmi3Status) fmu_refuse (instance, "%zu variables have as many values, not %zu", n,
                                    n_values);
  return (fmi3Status) fmu_get (instance, references, values, n);
}

fmi3Status
fmi3SetFloat64 (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                const fmi3Float64 values[], size_t n_values)
{
  if (n_values != n)
    return (fmi3Status) fmu_refuse (instance, "%zu variables have as many values, not %zu", n,
                                    n_values);
  return (fmi3Status) fmu_set (instance, references, values, n);
}

/* Nothing is asked for, or it is refused. */
static fmi3Status
no_variables (fmi3Instance instance, size_t n, const char *type)
{
  return n == 0 ? fmi3OK
                : (fmi3Status) fmu_refuse (
                    instance, "there are no variables of type %s: all are Float64", type);
}

#define REFUSED_VARIABLES(name, parameters, type)                                                  \
  fmi3Status name parameters { return no_variables (instance, n, type); }
#define NO_VARIABLES(type)                                                                         \
  REFUSED_VARIABLES (fmi3Get##type,                                                                \
                     (fmi3Instance instance, const fmi3ValueReference references[], size_t n,      \
                      fmi3##type values[], size_t n_values),                                       \
                     #type)                                                                        \
  REFUSED_VARIABLES (fmi3Set##type,                                                                \
                     (fmi3Instance instance, const fmi3ValueReference references[], size_t n,      \
                      const fmi3##type values[], size_t n_values),                                 \
                     #type)

NO_VARIABLES (Float32)
NO_VARIABLES (Int8)
NO_VARIABLES (UInt8)
NO_VARIABLES (Int16)
NO_VARIABLES (UInt16)
NO_VARIABLES (Int32)
NO_VARIABLES (UInt32)
NO_VARIABLES (Int64)
NO_VARIABLES (UInt64)
NO_VARIABLES (Boolean)
NO_VARIABLES (String)

REFUSED_VARIABLES (fmi3GetBinary,
                   (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                    size_t sizes[], fmi3Binary values[], size_t n_values),
                   "Binary")
REFUSED_VARIABLES (fmi3SetBinary,
                   (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                    const size_t sizes[], const fmi3Binary values[], size_t n_values),
                   "Binary")
REFUSED_VARIABLES (fmi3GetClock,
                   (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                    fmi3Clock values[]),
                   "Clock")
REFUSED_VARIABLES (fmi3SetClock,
                   (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                    const fmi3Clock values[]),
                   "Clock")

/* State */

fmi3Status
fmi3GetFMUState (fmi3Instance instance, fmi3FMUState *state)
{
  return (fmi3Status) fmu_keep (instance, state);
}

fmi3Status
fmi3SetFMUState (fmi3Instance instance, fmi3FMUState state)
{
  return (fmi3Status) fmu_take (instance, state);
}

fmi3Status
fmi3FreeFMUState (fmi3Instance instance, fmi3FMUState *state)
{
  (void) instance;
  if (state != NULL)
    g_clear_pointer (state, g_free);
  return fmi3OK;
}

fmi3Status
fmi3SerializedFMUStateSize (fmi3Instance instance, fmi3FMUState state, size_t *size)
{
  (void) instance;
  *size = ((const FmuState *) state)->size;
  return fmi3OK;
}

fmi3Status
fmi3SerializeFMUState (fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{
  return (fmi3Status) fmu_write_state (instance, state, bytes, size);
}

fmi3Status
fmi3DeserializeFMUState (fmi3Instance instance, const fmi3Byte bytes[], size_t size,
                         fmi3FMUState *state)
{
  (void) instance;
  fmu_read_state (bytes, size, state);
  return fmi3OK;
}

/* Events and steps */

fmi3Status
fmi3UpdateDiscreteStates (fmi3Instance instance, fmi3Boolean *again, fmi3Boolean *end,
                          fmi3Boolean *nominals, fmi3Boolean *values, fmi3Boolean *has_next,
                          fmi3Float64 *next)
{
  gboolean changed = FALSE;
  const FmuStatus status = fmu_update (instance, &changed, next);

  *again = *end = *nominals = fmi3False;
  *values = changed;
  *has_next = isfinite (*next);
  return (fmi3Status) status;
}

fmi3Status
fmi3EnterStepMode (fmi3Instance instance)
{
  return (fmi3Status) fmu_leave_events (instance);
}

fmi3Status
fmi3DoStep (fmi3Instance instance, fmi3Float64 from, fmi3Float64 by, fmi3Boolean no_way_back,
            fmi3Boolean *event, fmi3Boolean *end, fmi3Boolean *early, fmi3Float64 *reached)
{
  const FmuUse *use = fmu_use (instance);
  gboolean happened = FALSE;
  FmuStatus status;

  (void) no_way_back;
  *end = fmi3False;
  status = fmu_do_step (instance, from, by, &happened, reached);
  *event = happened && use->events;
  *early = happened && use->events && use->early && *reached < from + by;
  return (fmi3Status) status;
}

/* What is not offered */

static fmi3Status
not_offered (fmi3Instance instance, const char *what)
{
  return (fmi3Status) fmu_refuse (instance, "this FMU has no %s", what);
}

#define NOT_OFFERED(name, parameters, what)                                                        \
  fmi3Status name parameters { return not_offered (instance, what); }

NOT_OFFERED (fmi3GetNumberOfVariableDependencies,
             (fmi3Instance instance, fmi3ValueReference reference, size_t *n),
             "variables whose dependencies change")
NOT_OFFERED (fmi3GetVariableDependencies,
             (fmi3Instance instance, fmi3ValueReference dependent, size_t dependent_elements[],
              fmi3ValueReference independents[], size_t independent_elements[],
              fmi3DependencyKind kinds[], size_t n),
             "variables whose dependencies change")
NOT_OFFERED (fmi3GetDirectionalDerivative,
             (fmi3Instance instance, const fmi3ValueReference unknowns[], size_t n_unknowns,
              const fmi3ValueReference knowns[], size_t n_knowns, const fmi3Float64 seed[],
              size_t n_seed, fmi3Float64 sensitivity[], size_t n_sensitivity),
             "directional derivatives")
NOT_OFFERED (fmi3GetAdjointDerivative,
             (fmi3Instance instance, const fmi3ValueReference unknowns[], size_t n_unknowns,
              const fmi3ValueReference knowns[], size_t n_knowns, const fmi3Float64 seed[],
              size_t n_seed, fmi3Float64 sensitivity[], size_t n_sensitivity),
             "adjoint derivatives")
NOT_OFFERED (fmi3EnterConfigurationMode, (fmi3Instance instance), "structural parameters")
NOT_OFFERED (fmi3ExitConfigurationMode, (fmi3Instance instance), "structural parameters")
NOT_OFFERED (fmi3GetIntervalDecimal,
             (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
              fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]),
             "clocks")
NOT_OFFERED (fmi3GetIntervalFraction,
             (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
              fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[]),
             "clocks")
NOT_OFFERED (fmi3GetShiftDecimal,
             (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
              fmi3Float64 shifts[]),
             "clocks")
NOT_OFFERED (fmi3GetShiftFraction,
             (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
              fmi3UInt64 counters[], fmi3UInt64 resolutions[]),
             "clocks")
NOT_OFFERED (fmi3SetIntervalDecimal,
             (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
              const fmi3Float64 intervals[]),
             "clocks")
NOT_OFFERED (fmi3SetIntervalFraction,
             (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
              const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]),
             "clocks")
NOT_OFFERED (fmi3SetShiftDecimal,
             (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
              const fmi3Float64 shifts[]),
             "clocks")
NOT_OFFERED (fmi3SetShiftFraction,
             (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
              const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]),
             "clocks")
fmi3Status
fmi3EvaluateDiscreteStates (fmi3Instance instance)
{
  (void) instance;
  return fmi3OK;
}

NOT_OFFERED (fmi3GetOutputDerivatives,
             (fmi3Instance instance, const fmi3ValueReference references[], size_t n,
              const fmi3Int32 orders[], fmi3Float64 values[], size_t n_values),
             "derivatives of outputs")
NOT_OFFERED (fmi3ActivateModelPartition,
             (fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 time), "partitions")

/* Model exchange */

fmi3Status
fmi3EnterContinuousTimeMode (fmi3Instance instance)
{
  return (fmi3Status) fmu_leave_events (instance);
}

fmi3Status
fmi3CompletedIntegratorStep (fmi3Instance instance, fmi3Boolean no_way_back, fmi3Boolean *event,
                             fmi3Boolean *end)
{
  gboolean wanted = FALSE;
  const FmuStatus status = fmu_complete_step (instance, &wanted);

  (void) no_way_back;
  *event = wanted;
  *end = fmi3False;
  return (fmi3Status) status;
}

fmi3Status
fmi3SetTime (fmi3Instance instance, fmi3Float64 time)
{
  return (fmi3Status) fmu_set_time (instance, time);
}

fmi3Status
fmi3SetContinuousStates (fmi3Instance instance, const fmi3Float64 states[], size_t n)
{
  return (fmi3Status) fmu_set_states (instance, states, n);
}

fmi3Status
fmi3GetContinuousStateDerivatives (fmi3Instance instance, fmi3Float64 derivatives[], size_t n)
{
  return (fmi3Status) fmu_get_list (instance, FMU_RATES, derivatives, n);
}

fmi3Status
fmi3GetEventIndicators (fmi3Instance instance, fmi3Float64 indicators[], size_t n)
{
  return (fmi3Status) fmu_get_list (instance, FMU_INDICATORS, indicators, n);
}

fmi3Status
fmi3GetContinuousStates (fmi3Instance instance, fmi3Float64 states[], size_t n)
{
  return (fmi3Status) fmu_get_list (instance, FMU_STATES, states, n);
}

fmi3Status
fmi3GetNominalsOfContinuousStates (fmi3Instance instance, fmi3Float64 nominals[], size_t n)
{
  return (fmi3Status) fmu_get_list (instance, FMU_NOMINALS, nominals, n);
}

fmi3Status
fmi3GetNumberOfEventIndicators (fmi3Instance instance, size_t *n)
{
  return (fmi3Status) fmu_count_list (instance, FMU_INDICATORS, n);
}

fmi3Status
fmi3GetNumberOfContinuousStates (fmi3Instance instance, size_t *n)
{
  return (fmi3Status) fmu_count_list (instance, FMU_STATES, n);
}
