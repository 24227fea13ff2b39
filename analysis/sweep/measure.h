/* measure.h: what is asked of each variant of a sweep: numbers of its rows, its spectrum, its modes
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
  IFBAM_MEASURE_MAGNITUDE,    /* the largest one */
  IFBAM_MEASURE_PEAK_TO_PEAK, /* from the smallest value to the largest */
  IFBAM_MEASURE_PEAK_TIME,    /* of the largest magnitude [s] */
  IFBAM_MEASURE_SETTLING,     /* from when on it stays near its last value [s] */
  IFBAM_MEASURE_SPECTRUM,
  IFBAM_MEASURE_RESPONSE,    /* the peak of the frequency response: no run is needed */
  IFBAM_MEASURE_FREQUENCIES, /* of the modes: the same */
  IFBAM_MEASURE_DAMPING,
} IfbamMeasureKind;

typedef struct
{
  IfbamMeasureKind kind;
  guint signal;         /* its number among the signals; where no run is needed: none */
  char *input, *output; /* of a response; else NULL */
  guint first, n; /* its values among a variant's; of a spectrum: frequencies, then amplitudes */
} IfbamMeasure;

typedef struct
{
  GArray *measures; /* IfbamMeasure */
  char *record;     /* signals that are needed; NULL: no run is */
  guint n_signals;
  gboolean every_row; /* the last one is not enough */
  guint n_courses;    /* measures that want all rows at once */
  guint n_responses;
  guint n_modes; /* so many modes are looked for; 0: none */
  gboolean
      by_rank; /* modes stand by frequency in each variant, else they are followed by their shapes */
} IfbamMeasures;

/* Modes, and peaks of one spectrum, that are kept. */
#define IFBAM_MEASURE_COUNT 10

/* texts: "max:m1.position", "frequencies", …; signals may be patterns and ranges; NULL: the
 * frequencies. count: modes, and peaks of one spectrum, at most. The grid gets their arrays. NULL with a reason (transfer full), a line "--measure TEXT: …" for each fault. */
IfbamMeasures *ifbam_measures_new (const IfbamNetwork *network, const IfbamModel *model,
                                   const IfbamRunSpec *spec, const char *const *texts, guint count,
                                   IfbamGrid *grid, char **reason);
void ifbam_measures_free (IfbamMeasures *measures);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamMeasures, ifbam_measures_free)

/* Who is asked now and then, during long work, whether to go on: FALSE interrupts (IFBAM_ERROR_INTERRUPTED). */
typedef struct
{
  gboolean (*goes_on) (gpointer data); /* NULL: nobody */
  gpointer data;
} IfbamMeasureWatch;

/* What is asked of a network that is not run into a variant's values (columns): its responses; */
gboolean ifbam_measures_take_responses (const IfbamMeasures *measures, const IfbamModel *model,
                                        const IfbamRunSpec *spec, GHashTable *by_name,
                                        const IfbamMeasureWatch *watch, double *values,
                                        GError **error);
/* its modes, those that are wanted and a few more; */
IfbamModes *ifbam_measures_find_modes (const IfbamMeasures *measures, const IfbamModel *model,
                                       const IfbamRunSpec *spec, const IfbamMeasureWatch *watch,
                                       GError **error);
/* and one of them into the columns of its number (NULL: there is none). */
void ifbam_measures_put_mode (const IfbamMeasures *measures, guint column, const IfbamMode *mode,
                              double *values);
/* Takes the numbers of a mode from a variant's values, to the bit, where an earlier search has left them there. */
void ifbam_measures_know_mode (const IfbamMeasures *measures, const double *values,
                               IfbamMode *mode);
/* Whether something is asked of it. */
gboolean ifbam_measures_ask_modes (const IfbamMeasures *measures);

/* Takes the rows of variants side by side. */
typedef struct _IfbamMeter IfbamMeter;

/* width: variants, with rows as the settings say. */
IfbamMeter *ifbam_meter_new (const IfbamMeasures *measures, gsize width, const IfbamRunSpec *spec);
void ifbam_meter_free (IfbamMeter *meter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamMeter, ifbam_meter_free)
/* Memory of a meter for each variant [bytes]. */
double ifbam_meter_memory (const IfbamMeasures *measures, const IfbamRunSpec *spec);

/* Forgets all rows. */
void ifbam_meter_begin (IfbamMeter *meter);
/* A signal's values at the row [width]. With !every_row there is one row, the last. */
void ifbam_meter_add (IfbamMeter *meter, guint signal, const double *values);
/* The row is complete. */
void ifbam_meter_next (IfbamMeter *meter);
/* A variant's values after its last row, into those of its columns that are not of modes; NaN where there
 * is none. FALSE with IFBAM_ERROR_COURSE where rows are too few for a spectrum. */
gboolean ifbam_meter_read (const IfbamMeter *meter, gsize variant, double *values, GError **error);
