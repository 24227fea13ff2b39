/* fuzz.c: any bytes at all that readers of networks, settings, tables, units and grids can get
 *
 * libFuzzer calls it with generated inputs, in this process, under sanitizers (make fuzz); AFL++ would, too.
 * The first line selects the reader of the rest: "%course", "%table", "%unit", "%sweep", "%set"; else the text is a
 * network. Each has to end with a result, or with a message that a terminal can show. A valid network is run
 * for some rows, by its objects and compiled, with equal bits; a written network is equal when it is
 * read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ifbam-error.h"
#include "base/memory.h"
#include "run/run.h"
#include "spectrum/ifbam-refinement.h"
#include "spectrum/ifbam-resampling.h"
#include "spectrum/ifbam-spectrogram.h"
#include "file/file.h"
#include "sweep/parameter-sweep.h"

#define MOST_ROWS      20
#define MOST_STRIDE    100
#define MOST_SIGNALS   2000
#define MOST_ELEMENTS  300    /* the network that is written */
#define MOST_TRANSFORM 5000   /* rows */
#define MOST_TIME      500000 /* of a run [us] */
#define MEMORY         40e6

int LLVMFuzzerInitialize (int *n_arguments, char ***arguments);
int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t length);

/* In the place of base/memory.c: the same on every machine, and so little that nothing takes long. */

double
ifbam_memory_available (const char **limit)
{
  *limit = " (here)";
  return MEMORY;
}

char *
ifbam_memory_lack (double bytes)
{
  return bytes <= MEMORY ? NULL : g_strdup ("more memory, and 0.04 GB are free (here)");
}

char *
ifbam_memory_lack_of_growing (double bytes, double *asked)
{
  (void) asked;
  return ifbam_memory_lack (bytes);
}

double
ifbam_memory_of_groups (const char *root, const char *text)
{
  (void) root;
  (void) text;
  return INFINITY;
}

G_GNUC_PRINTF (1, 2) G_NORETURN static void be_wrong (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  vfprintf (stderr, format, arguments);
  va_end (arguments);
  fputc ('\n', stderr);
  abort ();
}

/* Options may hold anything, and messages quote them as they are: the program shows them. */
static gboolean
is_showable (const char *text)
{
  if (!g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (const char *c = text; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c) && *c != '\n')
      return FALSE;
  return TRUE;
}

/* Whether there is a message, and a terminal can show it. */
static void
look_at (const char *message)
{
  if (message == NULL || *message == '\0')
    be_wrong ("refused without a word");
  if (!is_showable (message))
    be_wrong ("a message that no terminal can show: %s", message);
}

static void
look_at_error (const GError *error)
{
  look_at (error == NULL ? NULL : error->message);
}

/* A run for some rows */

typedef struct
{
  GArray *rows;
  gsize width;
  gint64 deadline;
  gboolean late;
} Rows;

static gboolean
take_row (gpointer data, double time, const double *values, GError **error)
{
  Rows *rows = data;

  (void) error;
  g_array_append_val (rows->rows, time);
  if (rows->width > 0)
    g_array_append_vals (rows->rows, values, (guint) rows->width);
  return TRUE;
}

static gboolean
is_in_time (gpointer data, double part)
{
  Rows *rows = data;

  (void) part;
  rows->late = g_get_monotonic_time () > rows->deadline;
  return !rows->late;
}

static GArray *
run_rows (const IfbamModel *model, const IfbamSignals *signals, const IfbamRunSpec *spec,
          gboolean objects, char **message)
{
  Rows rows = { .rows = g_array_new (FALSE, FALSE, sizeof (double)),
                .width = signals->signals->len,
                .deadline = g_get_monotonic_time () + MOST_TIME };
  IfbamRunTask task = { .threads = 1,
                        .objects = objects,
                        .row = take_row,
                        .progress = is_in_time,
                        .data = &rows,
                        .keeps_rows = TRUE };
  g_autoptr (GError) error = NULL;

  *message = NULL;
  if (!ifbam_run (&task, model, signals, spec, &error))
    {
      look_at_error (error);
      *message = g_strdup (error->message);
    }
  if (rows.late)
    g_clear_pointer (&rows.rows, g_array_unref);
  for (guint i = 0; *message == NULL && rows.rows != NULL && i < rows.rows->len; i++)
    if (!isfinite (g_array_index (rows.rows, double, i)))
      be_wrong ("a number that is none in a run that was well");
  return rows.rows;
}

static void
run_both (const IfbamModel *model, const IfbamSignals *signals, IfbamRunSpec *spec)
{
  g_autofree char *said[2] = { NULL, NULL };
  g_autoptr (GArray) compiled = NULL, objects = NULL;

  if (signals->signals->len > MOST_SIGNALS)
    return;
  spec->stride = MIN (spec->stride, MOST_STRIDE);
  spec->last_step = MIN (spec->last_step, MOST_ROWS * spec->stride);
  spec->last_step -= spec->last_step % spec->stride;
  compiled = run_rows (model, signals, spec, FALSE, &said[0]);
  objects = run_rows (model, signals, spec, TRUE, &said[1]);
  if (compiled != NULL && objects != NULL
      && ((said[0] == NULL) != (said[1] == NULL) || compiled->len != objects->len
          || (compiled->len > 0
              && memcmp (compiled->data, objects->data, compiled->len * sizeof (double)) != 0)))
    be_wrong ("objects and compiled engine differ: %s; %s", said[0], said[1]);
  g_free (said[1]);
  said[1] = NULL;
}

/* Readers */

static void
write_again (IfbamNetwork *network)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) again = NULL;
  g_autofree char *text = NULL, *other = NULL;
  gsize length;

  if (network->elements->len > MOST_ELEMENTS)
    return;
  text = ifbam_network_to_data (network, &length, &error);
  if (text == NULL)
    {
      look_at_error (error);
      return;
    }
  again = ifbam_network_new_from_data (text, length, "networks", NULL, &error);
  if (again == NULL)
    be_wrong ("what was written is refused: %s\n%s", error->message, text);
  other = ifbam_network_to_data (again, &length, &error);
  if (other == NULL || strcmp (text, other) != 0)
    be_wrong ("what was written reads back differently:\n%s\n%s", text, other);
}

static void
read_network (char *text, gsize length, char **settings)
{
  const IfbamNetworkBytes bytes = {
    .path = (char *) "network.ini", .folder = (char *) "networks", .text = text, .length = length
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_bytes (&bytes, (const char *const *) settings, &error);
  g_autoptr (IfbamSignals) signals = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = NULL;

  if (network == NULL)
    {
      look_at_error (error);
      return;
    }
  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  if (model == NULL)
    {
      look_at_error (error);
      return;
    }
  run_both (model, signals, &spec);
  write_again (network);
}

static void
read_set (char *text, gsize length)
{
  char *network = strstr (text, "%network\n");
  g_auto (GStrv) settings = NULL;

  if (network == NULL)
    return;
  *network = '\0';
  if (!is_showable (text))
    return;
  settings = g_strsplit (text, "\n", 20);
  network += strlen ("%network\n");
  read_network (network, length - (gsize) (network - text), settings);
}

/* Of files that are read from a disk. */
static const char *
write_file (const char *text, gsize length)
{
  static char path[] = "/tmp/ifbam-fuzz-XXXXXX";
  static int file = -1;

  if (file < 0)
    file = g_mkstemp (path);
  if (file < 0 || ftruncate (file, 0) != 0 || pwrite (file, text, length, 0) != (gssize) length)
    exit (2); /* no fault of the reader */
  return path;
}

static void
transform (IfbamCourse *course)
{
  gsize n, n_peaks = 0, n_lines = 0;
  const double *times = ifbam_course_get_times (course, &n);
  const char *const *signals = ifbam_course_get_signals (course);
  const double *values =
      signals[0] == NULL ? NULL : ifbam_course_get_values (course, signals[0], NULL, NULL);
  g_autoptr (GError) error = NULL, of_lines = NULL, of_time = NULL, of_course = NULL;
  g_autoptr (IfbamSpectrum) spectrum = NULL;
  g_autoptr (IfbamSpectrogram) spectrogram = NULL;
  g_autoptr (IfbamCourse) even = NULL;
  g_autofree IfbamPeak *peaks = NULL;
  g_autofree IfbamLine *lines = NULL;

  if (values == NULL || n > MOST_TRANSFORM)
    return;
  even = ifbam_course_resample (course, 0, &of_course);
  if (even == NULL)
    look_at_error (of_course);
  spectrogram =
      ifbam_spectrogram_new (times, values, n, IFBAM_WINDOW_HANN, MAX (n / 4, 8), 0.5, &of_time);
  if (spectrogram == NULL)
    look_at_error (of_time);
  spectrum = ifbam_spectrum_new (times, values, n, IFBAM_WINDOW_HANN, &error);
  if (spectrum == NULL)
    {
      look_at_error (error);
      return;
    }
  peaks = ifbam_spectrum_find_peaks (spectrum, 1e-3, TRUE, &n_peaks);
  lines = ifbam_refine_peaks (times, values, n, peaks, MIN (n_peaks, 5), 1e-3, &n_lines, &of_lines);
  if (lines == NULL && of_lines != NULL)
    look_at_error (of_lines);
}

static void
read_course (const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = ifbam_course_new_from_csv (write_file (text, length), &error);

  if (course == NULL)
    look_at_error (error);
  else
    transform (course);
}

static void
read_table (const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCsvTable) table =
      ifbam_csv_table_new_from_csv (write_file (text, length), &error);

  if (table == NULL)
    look_at_error (error);
}

/* Readers of files pass text. */
static void
read_unit (char *text)
{
  static const char *const units[] = { "m", "s", "kg", "N/m", "rad", "V", "kg m2", "" };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autofree char *reason = NULL;
      double value = NAN;

      if (!ifbam_units_parse (text, units[i], "number", "1 m", &value, &reason))
        look_at (reason);
      else if (!isfinite (value))
        be_wrong ("\"%s\" is %g", text, value);
    }
}

/* Each line with an equals sign is a --vary, the others are --measure. */
static void
read_sweep (char *text)
{
  static char network[] =
      "[network]\nstep = 1 ms\nduration = 5 ms\n[parameters]\nk = 1 kN/m\n"
      "[ground g]\n[chain c]\ncount = 3\nmass = 1 kg\nstiffness = $k\nfrom = g\n"
      "position = 1 mm\n";
  const IfbamNetworkBytes bytes = { .path = (char *) "network.ini",
                                    .text = network,
                                    .length = sizeof network - 1 };
  g_auto (GStrv) lines = g_strsplit (text, "\n", 8);
  const char *varied[9] = { NULL }, *measured[9] = { NULL };
  guint n_varied = 0, n_measured = 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamSweep) sweep = NULL;

  for (guint i = 0; lines[i] != NULL && is_showable (text); i++)
    if (strchr (lines[i], '=') == NULL)
      measured[n_measured++] = lines[i];
    else
      varied[n_varied++] = lines[i];
  sweep = ifbam_sweep_new (&bytes, NULL, varied, n_measured == 0 ? NULL : measured, 3, &error);
  if (sweep == NULL)
    look_at_error (error);
}

int
LLVMFuzzerInitialize (int *n_arguments, char ***arguments)
{
  (void) n_arguments;
  (void) arguments;
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING | G_LOG_FATAL_MASK);
  return 0;
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t length)
{
  g_autofree char *text = g_malloc (length + 1);
  char *rest;
  gsize n;

  if (length > 0)
    memcpy (text, bytes, length);
  text[length] = '\0';
  rest = text[0] == '%' ? strchr (text, '\n') : NULL;
  if (rest == NULL)
    {
      read_network (text, length, NULL);
      return 0;
    }
  *rest++ = '\0';
  n = length - (gsize) (rest - text);
  if (strcmp (text, "%course") == 0)
    read_course (rest, n);
  else if (strcmp (text, "%table") == 0)
    read_table (rest, n);
  else if (strcmp (text, "%unit") == 0)
    read_unit (rest);
  else if (strcmp (text, "%sweep") == 0)
    read_sweep (rest);
  else if (strcmp (text, "%set") == 0)
    read_set (rest, n);
  return 0;
}
