/* fmi-table.h: declarations of FMI 2.0 and 3.0, and a table of the functions common to both
 *
 * Written from the standard: Modelica Association, "Functional Mock-up Interface Specification"
 * 2.0.5 (sections 2.1, 3.2, 4.2) and 3.0.2 (sections 2.2 to 2.4, 3.2, 4.2). Importers find
 * functions by name. Names and binary argument types are therefore fixed: instances and states are
 * pointers, value references have 32 bits, a status is an int with the values of FmuStatus, a
 * boolean is an int (FMI 2) or a bool (FMI 3).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdbool.h>

#include "embed/fmu.h"

#define FMI_EXPORT __attribute__ ((visibility ("default")))

/* FMI 2: passes a message of the instance to the importer. */
typedef void (*Fmi2Logger) (gpointer environment, const char *instance, FmuStatus status,
                            const char *category, const char *format, ...);
typedef struct
{
  Fmi2Logger logger;
  gpointer allocate, release, finished; /* not called by these FMUs */
  gpointer environment;
} Fmi2Callbacks;

typedef enum
{
  FMI2_MODEL_EXCHANGE,
  FMI2_CO_SIMULATION,
} Fmi2Type;

typedef struct
{
  int update_again, terminate, nominals_changed, states_changed;
  int has_next_time; /* has a scheduled event */
  double next_time;  /* [s] */
} Fmi2EventInfo;

typedef void (*Fmi3Logger) (gpointer environment, FmuStatus status, const char *category,
                            const char *message);

/* Importers find these functions by name: no header declares them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Defines a function that returns the status of a call. */
#define FMI_CALL(version, name, parameters, call)                                                  \
  FMI_EXPORT FmuStatus fmi##version##name parameters { return call; }

/* The functions of both versions. State is "FMUstate" or "FMUState", Deserialize is "DeSerialize"
 * or "Deserialize", Rates is the name of the function for state derivatives. */
#define FMI_FUNCTIONS(version, Boolean, State, Deserialize, Rates)                                 \
  FMI_EXPORT const char *fmi##version##GetVersion (void) { return #version ".0"; }                 \
  FMI_EXPORT void fmi##version##FreeInstance (Fmu *fmu) { fmu_free (fmu); }                        \
  FMI_CALL (version, SetDebugLogging,                                                              \
            (Fmu * fmu, Boolean on, gsize n, const char *const *categories),                       \
            set_logging (fmu, on, categories, n))                                                  \
  FMI_CALL (version, ExitInitializationMode, (Fmu * fmu), fmu_exit_initialization (fmu))           \
  FMI_CALL (version, EnterEventMode, (Fmu * fmu), fmu_enter_events (fmu))                          \
  FMI_CALL (version, EnterContinuousTimeMode, (Fmu * fmu), fmu_leave_events (fmu))                 \
  FMI_CALL (version, Terminate, (Fmu * fmu), fmu_terminate (fmu))                                  \
  FMI_CALL (version, Reset, (Fmu * fmu), reset (fmu))                                              \
  FMI_CALL (version, Get##State, (Fmu * fmu, gpointer * state), fmu_save_state (fmu, state))             \
  FMI_CALL (version, Set##State, (Fmu * fmu, gconstpointer state), fmu_restore_state (fmu, state))          \
  FMI_CALL (version, Free##State, (Fmu * fmu, gpointer * state), free_state (fmu, state))          \
  FMI_CALL (version, Serialized##State##Size, (Fmu * fmu, const FmuState *state, gsize *size),     \
            measure_state (fmu, state, size))                                                      \
  FMI_CALL (version, Serialize##State,                                                             \
            (Fmu * fmu, const FmuState *state, gpointer bytes, gsize size),                        \
            fmu_write_state (fmu, state, bytes, size))                                             \
  FMI_CALL (version, Deserialize##State,                                                           \
            (Fmu * fmu, gconstpointer bytes, gsize size, gpointer * state),                        \
            read_state (fmu, bytes, size, state))                                                  \
  FMI_CALL (version, SetTime, (Fmu * fmu, double time), fmu_set_time (fmu, time))                  \
  FMI_CALL (version, SetContinuousStates, (Fmu * fmu, const double *states, gsize n),              \
            fmu_set_states (fmu, states, n))                                                       \
  FMI_CALL (version, GetContinuousStates, (Fmu * fmu, double *states, gsize n),                    \
            fmu_get_list (fmu, FMU_STATES, states, n))                                             \
  FMI_CALL (version, Rates, (Fmu * fmu, double *rates, gsize n),                                   \
            fmu_get_list (fmu, FMU_RATES, rates, n))                                               \
  FMI_CALL (version, GetNominalsOfContinuousStates, (Fmu * fmu, double *nominals, gsize n),        \
            fmu_get_list (fmu, FMU_NOMINALS, nominals, n))                                         \
  FMI_CALL (version, GetEventIndicators, (Fmu * fmu, double *indicators, gsize n),                 \
            fmu_get_list (fmu, FMU_INDICATORS, indicators, n))                                     \
  FMI_EXPORT FmuStatus fmi##version##CompletedIntegratorStep (Fmu *fmu, Boolean no_way_back,       \
                                                              Boolean *event, Boolean *end)        \
  {                                                                                                \
    gboolean wanted = FALSE;                                                                       \
    const FmuStatus status = fmu_complete_step (fmu, &wanted);                                     \
                                                                                                   \
    (void) no_way_back;                                                                            \
    *event = wanted;                                                                               \
    *end = FALSE;                                                                                  \
    return status;                                                                                 \
  }

/* A function that rejects every call declares only the arguments that it reads. The calling
 * conventions of these FMUs' machines (System V AMD64, AAPCS64) allow that. */
#define FMI_ABSENT(version, name, what)                                                            \
  FMI_CALL (version, name, (Fmu * fmu), fmu_refuse (fmu, "this FMU has no %s", what))
/* Functions for variables of types that these FMUs don't have: they accept empty lists only. */
#define FMI_NO_VARIABLES(version, type, only)                                                      \
  FMI_CALL (version, Get##type, (Fmu * fmu, const guint32 *references, gsize n),                   \
            refuse_type (fmu, references, n, #type, only))                                         \
  FMI_CALL (version, Set##type, (Fmu * fmu, const guint32 *references, gsize n),                   \
            refuse_type (fmu, references, n, #type, only))

/* The functions of FMI 2 only that these FMUs reject. */
#define FMI2_ABSENT_FUNCTIONS                                                                      \
  FMI_NO_VARIABLES (2, Integer, "Real")                                                            \
  FMI_NO_VARIABLES (2, Boolean, "Real")                                                            \
  FMI_NO_VARIABLES (2, String, "Real")                                                             \
  FMI_ABSENT (2, GetDirectionalDerivative, "directional derivatives")                              \
  FMI_ABSENT (2, SetRealInputDerivatives, "inputs that are interpolated")                          \
  FMI_ABSENT (2, GetRealOutputDerivatives, "derivatives of outputs")                               \
  FMI_ABSENT (2, CancelStep, "step that is still under way")                                       \
  FMI_CALL (2, GetStatus, (Fmu * fmu), discard_status (fmu))                                       \
  FMI_CALL (2, GetRealStatus, (Fmu * fmu), discard_status (fmu))                                   \
  FMI_CALL (2, GetIntegerStatus, (Fmu * fmu), discard_status (fmu))                                \
  FMI_CALL (2, GetBooleanStatus, (Fmu * fmu), discard_status (fmu))                                \
  FMI_CALL (2, GetStringStatus, (Fmu * fmu), discard_status (fmu))

/* The functions of FMI 3 only that these FMUs reject. */
#define FMI3_ABSENT_FUNCTIONS                                                                      \
  FMI_NO_VARIABLES (3, Float32, "Float64") \
  FMI_NO_VARIABLES (3, Int8, "Float64") \
  FMI_NO_VARIABLES (3, UInt8, "Float64") \
  FMI_NO_VARIABLES (3, Int16, "Float64") \
  FMI_NO_VARIABLES (3, UInt16, "Float64") \
  FMI_NO_VARIABLES (3, Int32, "Float64") \
  FMI_NO_VARIABLES (3, UInt32, "Float64") \
  FMI_NO_VARIABLES (3, Int64, "Float64") \
  FMI_NO_VARIABLES (3, UInt64, "Float64") \
  FMI_NO_VARIABLES (3, Boolean, "Float64") \
  FMI_NO_VARIABLES (3, String, "Float64") \
  FMI_NO_VARIABLES (3, Binary, "Float64") \
  FMI_NO_VARIABLES (3, Clock, "Float64") \
  FMI_ABSENT (3, GetNumberOfVariableDependencies, "variables whose dependencies change") \
  FMI_ABSENT (3, GetVariableDependencies, "variables whose dependencies change") \
  FMI_ABSENT (3, GetDirectionalDerivative, "directional derivatives") \
  FMI_ABSENT (3, GetAdjointDerivative, "adjoint derivatives") \
  FMI_ABSENT (3, EnterConfigurationMode, "structural parameters") \
  FMI_ABSENT (3, ExitConfigurationMode, "structural parameters") \
  FMI_ABSENT (3, GetIntervalDecimal, "clocks") \
  FMI_ABSENT (3, GetIntervalFraction, "clocks") \
  FMI_ABSENT (3, GetShiftDecimal, "clocks") \
  FMI_ABSENT (3, GetShiftFraction, "clocks") \
  FMI_ABSENT (3, SetIntervalDecimal, "clocks") \
  FMI_ABSENT (3, SetIntervalFraction, "clocks") \
  FMI_ABSENT (3, SetShiftDecimal, "clocks") \
  FMI_ABSENT (3, SetShiftFraction, "clocks") \
  FMI_ABSENT (3, GetOutputDerivatives, "derivatives of outputs") \
  FMI_ABSENT (3, ActivateModelPartition, "partitions")
