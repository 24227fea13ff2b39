/* fmi2.c: the functions of FMI 2.0 over fmu.h
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include <fmi2Functions.h>

#include "embed/fmu.h"

_Static_assert((int) FMU_ERROR == (int) fmi2Error, "status as in FMI 2");

static void
tell (const Fmu *fmu, FmuStatus status, const char *category, const char *text)
{
  const FmuUse *use = fmu_use ((Fmu *) fmu);
  const fmi2CallbackFunctions *callbacks = use->callbacks;

  if (callbacks != NULL && callbacks->logger != NULL)
    callbacks->logger (use->environment, fmu_name (fmu), (fmi2Status) status, category, "%s", text);
}

const char *
fmi2GetTypesPlatform (void)
{
  return fmi2TypesPlatform;
}

const char *
fmi2GetVersion (void)
{
  return fmi2Version;
}

fmi2Status
fmi2SetDebugLogging (fmi2Component component, fmi2Boolean on, size_t n,
                     const fmi2String categories[])
{
  gboolean logs = n == 0;

  for (size_t i = 0; i < n; i++)
    logs |= g_str_equal (categories[i], FMU_EVENTS);
  fmu_use (component)->logs = on && logs;
  return fmi2OK;
}

static int
digit (char c)
{
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* The path of "file:///tmp/two%20dof/resources"; of what is none it stays what it is (transfer full). */
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
      location += strcspn (location, "/"); /* the host, this one */
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

fmi2Component
fmi2Instantiate (fmi2String name, fmi2Type type, fmi2String guid, fmi2String location,
                 const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logs)
{
  const FmuUse use = { .exchange = type == fmi2ModelExchange,
                       .logs = logs,
                       .logger = tell,
                       .environment = callbacks != NULL ? callbacks->componentEnvironment : NULL,
                       .callbacks = callbacks };
  g_autofree char *path = location == NULL ? NULL : path_of (location);

  (void) visible;
  return fmu_new (name, guid, path, &use);
}

void
fmi2FreeInstance (fmi2Component component)
{
  fmu_free (component);
}

fmi2Status
fmi2SetupExperiment (fmi2Component component, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                     fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop)
{
  (void) tolerance_defined, (void) tolerance, (void) stop_defined, (void) stop;
  fmu_use (component)->start = start;
  return fmi2OK;
}

fmi2Status
fmi2EnterInitializationMode (fmi2Component component)
{
  return (fmi2Status) fmu_enter_initialization (component, fmu_use (component)->start);
}

fmi2Status
fmi2ExitInitializationMode (fmi2Component component)
{
  return (fmi2Status) fmu_exit_initialization (component);
}

fmi2Status
fmi2Terminate (fmi2Component component)
{
  return (fmi2Status) fmu_terminate (component);
}

fmi2Status
fmi2Reset (fmi2Component component)
{
  fmu_use (component)->start = 0;
  return (fmi2Status) fmu_reset (component);
}

/* Functions that refuse need no parameters but the component. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Variables: all are reals. */

fmi2Status
fmi2GetReal (fmi2Component component, const fmi2ValueReference references[], size_t n,
             fmi2Real values[])
{
  return (fmi2Status) fmu_get (component, references, values, n);
}

fmi2Status
fmi2SetReal (fmi2Component component, const fmi2ValueReference references[], size_t n,
             const fmi2Real values[])
{
  return (fmi2Status) fmu_set (component, references, values, n);
}

/* Nothing is asked for, or it is refused. */
static fmi2Status
no_variables (fmi2Component component, size_t n, const char *type)
{
  return n == 0 ? fmi2OK
                : (fmi2Status) fmu_refuse (component,
                                           "there are no variables of type %s: all are Real", type);
}

#define REFUSED_VARIABLES(name, parameters, type)                                                  \
  fmi2Status name parameters { return no_variables (component, n, type); }
#define NO_VARIABLES(type)                                                                         \
  REFUSED_VARIABLES (fmi2Get##type,                                                                \
                     (fmi2Component component, const fmi2ValueReference references[], size_t n,    \
                      fmi2##type values[]),                                                        \
                     #type)                                                                        \
  REFUSED_VARIABLES (fmi2Set##type,                                                                \
                     (fmi2Component component, const fmi2ValueReference references[], size_t n,    \
                      const fmi2##type values[]),                                                  \
                     #type)

NO_VARIABLES (Integer)
NO_VARIABLES (Boolean)
NO_VARIABLES (String)

/* State */

fmi2Status
fmi2GetFMUstate (fmi2Component component, fmi2FMUstate *state)
{
  return (fmi2Status) fmu_keep (component, state);
}

fmi2Status
fmi2SetFMUstate (fmi2Component component, fmi2FMUstate state)
{
  return (fmi2Status) fmu_take (component, state);
}

fmi2Status
fmi2FreeFMUstate (fmi2Component component, fmi2FMUstate *state)
{
  (void) component;
  if (state != NULL)
    g_clear_pointer (state, g_free);
  return fmi2OK;
}

fmi2Status
fmi2SerializedFMUstateSize (fmi2Component component, fmi2FMUstate state, size_t *size)
{
  (void) component;
  *size = ((const FmuState *) state)->size;
  return fmi2OK;
}

fmi2Status
fmi2SerializeFMUstate (fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
  return (fmi2Status) fmu_write_state (component, state, bytes, size);
}

fmi2Status
fmi2DeSerializeFMUstate (fmi2Component component, const fmi2Byte bytes[], size_t size,
                         fmi2FMUstate *state)
{
  (void) component;
  fmu_read_state (bytes, size, state);
  return fmi2OK;
}

/* Steps */

fmi2Status
fmi2DoStep (fmi2Component component, fmi2Real from, fmi2Real by, fmi2Boolean no_way_back)
{
  gboolean event;
  double reached;

  (void) no_way_back;
  return (fmi2Status) fmu_do_step (component, from, by, &event, &reached);
}

/* What is not offered */

static fmi2Status
not_offered (fmi2Component component, const char *what)
{
  return (fmi2Status) fmu_refuse (component, "this FMU has no %s", what);
}

#define NOT_OFFERED(name, parameters, what)                                                        \
  fmi2Status name parameters { return not_offered (component, what); }

NOT_OFFERED (fmi2GetDirectionalDerivative,
             (fmi2Component component, const fmi2ValueReference unknowns[], size_t n_unknowns,
              const fmi2ValueReference knowns[], size_t n_knowns, const fmi2Real seed[],
              fmi2Real sensitivity[]),
             "directional derivatives")
NOT_OFFERED (fmi2SetRealInputDerivatives,
             (fmi2Component component, const fmi2ValueReference references[], size_t n,
              const fmi2Integer orders[], const fmi2Real values[]),
             "inputs that are interpolated")
NOT_OFFERED (fmi2GetRealOutputDerivatives,
             (fmi2Component component, const fmi2ValueReference references[], size_t n,
              const fmi2Integer orders[], fmi2Real values[]),
             "derivatives of outputs")
NOT_OFFERED (fmi2CancelStep, (fmi2Component component), "step that is still under way")

#define NO_STATUS(Name, Type)                                                                      \
  fmi2Status fmi2Get##Name (fmi2Component component, const fmi2StatusKind kind, Type *value)       \
  {                                                                                                \
    (void) kind, (void) value;                                                                     \
    (void) not_offered (component, "step that is still under way");                                \
    return fmi2Discard;                                                                            \
  }

NO_STATUS (Status, fmi2Status)
NO_STATUS (RealStatus, fmi2Real)
NO_STATUS (IntegerStatus, fmi2Integer)
NO_STATUS (BooleanStatus, fmi2Boolean)
NO_STATUS (StringStatus, fmi2String)

/* Model exchange */

fmi2Status
fmi2EnterEventMode (fmi2Component component)
{
  return (fmi2Status) fmu_enter_events (component);
}

fmi2Status
fmi2NewDiscreteStates (fmi2Component component, fmi2EventInfo *info)
{
  gboolean changed = FALSE;
  const FmuStatus status = fmu_update (component, &changed, &info->nextEventTime);

  info->newDiscreteStatesNeeded = info->terminateSimulation = fmi2False;
  info->nominalsOfContinuousStatesChanged = fmi2False;
  info->valuesOfContinuousStatesChanged = changed;
  info->nextEventTimeDefined = isfinite (info->nextEventTime) != 0;
  return (fmi2Status) status;
}

fmi2Status
fmi2EnterContinuousTimeMode (fmi2Component component)
{
  return (fmi2Status) fmu_leave_events (component);
}

fmi2Status
fmi2CompletedIntegratorStep (fmi2Component component, fmi2Boolean no_way_back, fmi2Boolean *event,
                             fmi2Boolean *end)
{
  gboolean wanted = FALSE;
  const FmuStatus status = fmu_complete_step (component, &wanted);

  (void) no_way_back;
  *event = wanted;
  *end = fmi2False;
  return (fmi2Status) status;
}

fmi2Status
fmi2SetTime (fmi2Component component, fmi2Real time)
{
  return (fmi2Status) fmu_set_time (component, time);
}

fmi2Status
fmi2SetContinuousStates (fmi2Component component, const fmi2Real states[], size_t n)
{
  return (fmi2Status) fmu_set_states (component, states, n);
}

fmi2Status
fmi2GetDerivatives (fmi2Component component, fmi2Real derivatives[], size_t n)
{
  return (fmi2Status) fmu_get_list (component, FMU_RATES, derivatives, n);
}

fmi2Status
fmi2GetEventIndicators (fmi2Component component, fmi2Real indicators[], size_t n)
{
  return (fmi2Status) fmu_get_list (component, FMU_INDICATORS, indicators, n);
}

fmi2Status
fmi2GetContinuousStates (fmi2Component component, fmi2Real states[], size_t n)
{
  return (fmi2Status) fmu_get_list (component, FMU_STATES, states, n);
}

fmi2Status
fmi2GetNominalsOfContinuousStates (fmi2Component component, fmi2Real nominals[], size_t n)
{
  return (fmi2Status) fmu_get_list (component, FMU_NOMINALS, nominals, n);
}
