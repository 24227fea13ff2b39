/* measure.h: measured quantities of a sweep's variants: of samples, spectra, modes, responses
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"
#include "file/file.h"

typedef enum
{
  IFBAM_MEASURE_MAX,
  IFBAM_MEASURE_MIN,
  IFBAM_MEASURE_RMS,
  IFBAM_MEASURE_FINAL,
  IFBAM_MEASURE_MAGNITUDE,    /* largest magnitude */
  IFBAM_MEASURE_PEAK_TO_PEAK, /* difference of the largest and the smallest value */
  IFBAM_MEASURE_PEAK_TIME,    /* time of the largest magnitude [s] */
  IFBAM_MEASURE_SETTLING,     /* time from which on the signal stays near its last value [s] */
  IFBAM_MEASURE_SPECTRUM,
  IFBAM_MEASURE_EVENTS,       /* number of an element's events */
  IFBAM_MEASURE_IMPULSE,      /* sum of their impulses */
  IFBAM_MEASURE_SPEED_BEFORE, /* largest magnitude of their rates before */
  IFBAM_MEASURE_TIME_BETWEEN, /* mean time between them [s] */
  IFBAM_MEASURE_RESPONSE,     /* peak of the frequency response, without a run */
  IFBAM_MEASURE_FREQUENCIES,  /* of the modes, without a run */
  IFBAM_MEASURE_DAMPING,
} IfbamMeasureKind;

/* TRUE for a measure that needs all rows at once; of modes; of events; of rows of a signal. */
static inline gboolean
ifbam_measure_needs_rows (IfbamMeasureKind kind)
{
  return kind == IFBAM_MEASURE_SPECTRUM || kind == IFBAM_MEASURE_SETTLING;
}

static inline gboolean
ifbam_measure_is_of_modes (IfbamMeasureKind kind)
{
  return kind == IFBAM_MEASURE_FREQUENCIES || kind == IFBAM_MEASURE_DAMPING;
}

static inline gboolean
ifbam_measure_is_of_events (IfbamMeasureKind kind)
{
  return kind >= IFBAM_MEASURE_EVENTS && kind <= IFBAM_MEASURE_TIME_BETWEEN;
}

static inline gboolean
ifbam_measure_is_of_rows (IfbamMeasureKind kind)
{
  return !ifbam_measure_is_of_modes (kind) && !ifbam_measure_is_of_events (kind)
         && kind != IFBAM_MEASURE_RESPONSE;
}

/* Returns the kind with a word, "peak-to-peak"; -1: none. */
int ifbam_measure_find (const char *word);

typedef struct
{
  IfbamMeasureKind kind;
  guint signal;         /* index of the signal; none if no run is needed */
  char *input, *output; /* of a response; of events: element, kind of event or NULL; else NULL */
  guint first, n; /* its values among a variant's; for a spectrum: frequencies, then amplitudes */
} IfbamMeasure;

typedef struct
{
  GArray *measures; /* IfbamMeasure */
  char *record;     /* recorded signals; NULL: no run is needed */
  guint n_signals;
  gboolean every_row;          /* the last row is not sufficient */
  guint n_courses;             /* number of measures that need all rows at once */
  guint n_responses, n_events; /* number of measures of responses, of events */
  double from, to;             /* rows and events at these times count, ends included [s] */
  guint n_modes;               /* number of modes to compute; 0: none */
  gboolean by_rank; /* modes are sorted by frequency in each variant; FALSE: tracked by shape */
} IfbamMeasures;

/* Default number of modes, and of peaks of a spectrum. */
#define IFBAM_MEASURE_COUNT 10

/* texts: "max:m1.position", "frequencies", …; signals may be patterns and ranges; NULL: the
 * frequencies. count: largest number of modes, and of peaks of a spectrum. Adds arrays to the grid.
 * NULL with a reason (transfer full), a line "--measure TEXT: …" for each fault. */
IfbamMeasures *ifbam_measures_new (const IfbamNetwork *network, const IfbamModel *model,
                                   const IfbamRunSpec *spec, const char *const *texts, guint count,
                                   IfbamGrid *grid, char **reason);
/* Limits the measures to a part of the time [s]. */
void ifbam_measures_set_window (IfbamMeasures *measures, double from, double to);
void ifbam_measures_free (IfbamMeasures *measures);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamMeasures, ifbam_measures_free)

/* Interrupt check of long work: FALSE interrupts (IFBAM_ERROR_INTERRUPTED). */
typedef struct
{
  gboolean (*may_continue) (gpointer data); /* NULL: no check */
  gpointer data;
} IfbamMeasureWatch;

/* Measures without a run. Responses into a variant's values (columns): */
gboolean ifbam_measures_take_responses (const IfbamMeasures *measures, const IfbamModel *model,
                                        const IfbamRunSpec *spec, GHashTable *by_name,
                                        const IfbamMeasureWatch *watch, double *values,
                                        GError **error);
/* Modes, with a few more than requested: */
IfbamModes *ifbam_measures_find_modes (const IfbamMeasures *measures, const IfbamModel *model,
                                       const IfbamRunSpec *spec, const IfbamMeasureWatch *watch,
                                       GError **error);
/* A mode into its columns (NULL: there is none): */
void ifbam_measures_put_mode (const IfbamMeasures *measures, guint column, const IfbamMode *mode,
                              double *values);
/* Replaces a mode's numbers by those of an earlier search in a variant's values, for equal bits. */
void ifbam_measures_restore_mode (const IfbamMeasures *measures, const double *values,
                                  IfbamMode *mode);
/* TRUE if modes are measured. */
gboolean ifbam_measures_has_modes (const IfbamMeasures *measures);

/* Receives the rows of variants side by side. */
typedef struct _IfbamMeasurement IfbamMeasurement;

/* width: number of variants, with rows as in the spec. */
IfbamMeasurement *ifbam_measurement_new (const IfbamMeasures *measures, gsize width,
                                         const IfbamRunSpec *spec);
void ifbam_measurement_free (IfbamMeasurement *measurement);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamMeasurement, ifbam_measurement_free)
/* Memory of a meter per variant [bytes]. */
double ifbam_measurement_memory (const IfbamMeasures *measures, const IfbamRunSpec *spec);

/* Drops all rows. */
void ifbam_measurement_begin (IfbamMeasurement *measurement);
/* Adds a signal's values at the row (width). Without every_row only the last row is added. */
void ifbam_measurement_add (IfbamMeasurement *measurement, guint signal, const double *values);
/* Adds an event of a variant that runs alone. */
void ifbam_measurement_event (IfbamMeasurement *measurement, const IfbamEvent *event);
/* Completes the row. */
void ifbam_measurement_next (IfbamMeasurement *measurement);
/* Writes a variant's values after its last row, except modes; NaN: no value. FALSE with
 * IFBAM_ERROR_COURSE: no rows, or too few for a spectrum. */
gboolean ifbam_measurement_read (const IfbamMeasurement *measurement, gsize variant, double *values,
                                 GError **error);
