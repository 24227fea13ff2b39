/* command-response.c: ifbam response: amplitude and phase of a network's response to a sine
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command-response.h"

#include <math.h>

#include "file/file.h"
#include "base/fail.h"
#include "base/number-text.h"
#include "run/run.h"

#define MAX_POINTS 1000000
/* Number of driven runs in a check. */
#define CHECKS     3
#define MAX_CHECKS 100

/* Shared with other commands */

void
ifbam_response_options_add (IfbamResponseOptions *options, GOptionContext *context,
                            const char *shown)
{
  GOptionEntry entries[] = {
    { "input", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->inputs,
      "input: force on a free node, or motion of a given one (position@floor)", "force@NODE" },
    { "from", 0, 0, G_OPTION_ARG_STRING, &options->from,
      "lowest frequency (default: a quarter of the lowest mode's); of courses the first time",
      "F" },
    { "to", 0, 0, G_OPTION_ARG_STRING, &options->to,
      "highest frequency (default: twice the highest mode's); of courses the last time", "F" },
    { "points", 0, 0, G_OPTION_ARG_INT, &options->n_points,
      "number of frequencies (default: 400, and more around resonances)", "N" },
    { "linear", 0, 0, G_OPTION_ARG_NONE, &options->linear,
      "frequencies at equal distances, not in a constant ratio; spectrogram: colours in proportion",
      NULL },
    G_OPTION_ENTRY_NULL,
  };

  ifbam_option_group_add (context, "response", "Options for frequency responses:", entries, shown,
                          NULL);
}

void
ifbam_response_options_clear (IfbamResponseOptions *options)
{
  g_strfreev (options->inputs);
  g_free (options->from);
  g_free (options->to);
}

static void
add_fault (GString *faults, const char *option, char *fault)
{
  g_string_append_printf (faults, "%s%s: %s", faults->len > 0 ? "; " : "", option, fault);
  g_free (fault);
}

static void
read_frequency (const char *option, const char *text, double *frequency, GString *faults)
{
  char *reason = NULL;

  *frequency = NAN;
  if (text == NULL)
    return;
  if (!ifbam_units_parse (text, "Hz", "frequency", "12 Hz", frequency, &reason))
    add_fault (faults, option, reason);
  else if (!(*frequency > 0))
    add_fault (faults, option, g_strdup_printf ("%s is not above 0", text));
}

gboolean
ifbam_response_options_read (IfbamResponseOptions *options, GError **error)
{
  g_autoptr (GString) faults = g_string_new (NULL);
  IfbamResponseRange *range = &options->range;

  if (options->inputs != NULL && options->inputs[1] != NULL)
    add_fault (
        faults, "--input",
        g_strdup_printf ("%s and %s are two (want one: responses to several are found one by "
                         "one)",
                         options->inputs[0], options->inputs[1]));
  if (options->inputs == NULL)
    add_fault (
        faults, "--input",
        g_strdup ("is missing (want an oscillating force or motion, such as --input force@m1)"));
  read_frequency ("--from", options->from, &range->from, faults);
  read_frequency ("--to", options->to, &range->to, faults);
  range->exact = options->n_points != IFBAM_RESPONSE_NO_POINTS;
  if (!range->exact)
    options->n_points = IFBAM_RESPONSE_POINTS;
  if (range->from > range->to)
    add_fault (faults, "--from",
               g_strdup_printf ("%s is above --to %s (want the lower one first)", options->from,
                                options->to));
  else if (range->from == range->to && options->n_points > 1)
    options->n_points = 1;
  if (options->n_points < 1 || options->n_points > MAX_POINTS)
    add_fault (faults, "--points",
               g_strdup_printf ("%d: want 1 to %d", options->n_points, MAX_POINTS));
  range->n_points = (guint) options->n_points;
  range->linear = options->linear;
  if (faults->len == 0)
    return TRUE;
  return ifbam_fail (error, IFBAM_ERROR_USAGE, "%s", faults->str);
}

IfbamResponseSystem *
ifbam_command_response_system (const IfbamResponseOptions *options, const IfbamLoaded *loaded,
                               const char *const *outputs, IfbamResponseRange *range,
                               IfbamProgress *progress, GError **error)
{
  g_autoptr (IfbamResponseSystem) system = ifbam_response_system_new (
      loaded->model, &loaded->spec, loaded->network->by_name, options->inputs[0], outputs, error);

  if (system == NULL)
    return NULL;
  *range = options->range;
  if (!ifbam_response_find_modes (system, range, ifbam_progress_update, progress, error))
    return NULL;
  if (system->motions->held_at_start)
    ifbam_command_note_held ("the response is that");
  ifbam_command_note_nonlinear (ifbam_small_motions_list_nonlinear (system->motions),
                                "the response is that");
  if (system->modes == NULL)
    g_printerr (
        "ifbam: note: the eigenfrequencies of such a network are not known%s%s%s: no points "
        "are added around them\n",
        system->modes_fault == NULL ? "" : " (",
        system->modes_fault == NULL ? "" : system->modes_fault,
        system->modes_fault == NULL ? "" : ")");
  if (ifbam_response_is_unstable (system))
    g_printerr ("ifbam: note: the network moves away from its start by itself: no motion settles "
                "to this response\n");
  return g_steal_pointer (&system);
}

static void
note_infinite (IfbamResponse *response)
{
  const char *const *outputs = ifbam_response_get_outputs (response);
  gsize n;
  const double *frequency = ifbam_response_get_frequencies (response, &n);

  for (guint i = 0; outputs[i] != NULL; i++)
    {
      const double *amplitude = ifbam_response_get_amplitudes (response, i, &n);

      for (gsize k = 0; k < n; k++)
        if (isinf (amplitude[k]))
          g_printerr ("ifbam: note: at %s Hz %s is infinite: an undamped mode swings at this "
                      "frequency\n",
                      IFBAM_NUMBER (frequency[k]), outputs[i]);
    }
}

IfbamResponse *
ifbam_command_find_response (const IfbamResponseSystem *system, const IfbamResponseRange *range,
                             IfbamProgress *progress, GError **error)
{
  gsize n;
  g_autofree double *grid = ifbam_response_grid (system, range, &n);
  IfbamResponse *response =
      ifbam_response_new_for_system (system, grid, n, ifbam_progress_update, progress, error);

  if (response != NULL)
    note_infinite (response);
  return response;
}

/* Command */

typedef struct
{
  IfbamResponseOptions response;
  char **outputs;
  char *file, *check_text, *psd;
  gboolean json, check;
  guint n_checks;
} Options;

static void
options_clear (Options *options)
{
  ifbam_response_options_clear (&options->response);
  g_strfreev (options->outputs);
  g_free (options->file);
  g_free (options->check_text);
  g_free (options->psd);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* The data of one call. */
typedef struct
{
  const Options *options;
  const IfbamNetworkOptions *network_options;
  const IfbamNetworkBytes *bytes;
  const char *const *settings;
  IfbamDensity *density; /* of the input; NULL: the input is a sine */
  IfbamRandomResponse *random;
  IfbamResponseSystem *system;
  IfbamResponse *response;
  IfbamResponseRange range;
  GArray *findings; /* IfbamResponseFinding, or NULL */
  double step;
  const char *scheme;
} Work;

/* Adds the response, as columns. */
static void
add_response (IfbamAnswer *answer, const Work *work)
{
  const char *const *outputs = ifbam_response_get_outputs (work->response);
  gsize n, n_eigenfrequencies;
  g_autofree double *eigenfrequencies = ifbam_response_eigenfrequencies (
      work->system, work->range.from, work->range.to, &n_eigenfrequencies);
  const double *numbers = ifbam_response_get_frequencies (work->response, &n);

  ifbam_answer_add_data (answer, "input", "%s", work->system->input.name);
  ifbam_answer_begin_list (answer, "eigenfrequencies");
  for (gsize i = 0; i < n_eigenfrequencies; i++)
    ifbam_answer_add_data (answer, "", "%g", eigenfrequencies[i]);
  ifbam_answer_end (answer);
  ifbam_answer_add_column (answer, NULL, "frequency", numbers, n);
  ifbam_answer_begin_list (answer, "outputs");
  for (guint i = 0; outputs[i] != NULL; i++)
    {
      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add_data (answer, "signal,unit", "%s%s", outputs[i],
                             ifbam_response_get_unit (work->response, i));
      numbers = ifbam_response_get_amplitudes (work->response, i, &n);
      ifbam_answer_add_column (answer, outputs[i], "amplitude", numbers, n);
      numbers = ifbam_response_get_phases (work->response, i, &n);
      ifbam_answer_add_column (answer, outputs[i], "phase", numbers, n);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
}

/* Random input */

/* Limits the range to the table's. */
static gboolean
limit_range (IfbamResponseRange *range, const IfbamDensity *density, GError **error)
{
  const double first = density->frequency[0], last = density->frequency[density->n - 1];

  range->from = isnan (range->from) ? first : fmax (first, range->from);
  range->to = isnan (range->to) ? last : fmin (last, range->to);
  return range->from < range->to
         || ifbam_fail (error, IFBAM_ERROR_USAGE,
                        "--psd %s: its densities are from %s Hz to %s Hz, outside --from and --to",
                        density->path, IFBAM_NUMBER (first), IFBAM_NUMBER (last));
}

static void
note_unbounded (const Work *work)
{
  for (gsize i = 0; i < work->random->n_outputs; i++)
    if (isinf (work->random->root_mean_square[i]))
      g_printerr ("ifbam: note: %s grows without bound: an undamped mode is driven (want a "
                  "damper)\n",
                  (const char *) work->system->signals->names->pdata[i]);
}

static gboolean
find_random_response (Work *work, IfbamProgress *progress, GError **error)
{
  gsize n;
  g_autofree double *grid = ifbam_response_grid (work->system, &work->range, &n);

  if (!ifbam_density_convert (work->density, &work->system->input, error))
    return FALSE;
  work->random = ifbam_random_response_new (work->system, work->density, grid, n,
                                            ifbam_progress_update, progress, error);
  if (work->random != NULL)
    note_unbounded (work);
  return work->random != NULL;
}

static void
add_random_output (IfbamAnswer *answer, const Work *work, gsize i)
{
  const IfbamRandomResponse *random = work->random;
  const char *name = work->system->signals->names->pdata[i];
  const char *unit = work->system->signals->units->pdata[i];
  g_autofree char *density_unit = ifbam_density_unit (unit);
  g_autofree char *with_unit = g_strdup_printf ("%g %s", random->root_mean_square[i], unit);

  ifbam_answer_begin_record (answer, NULL);
  ifbam_answer_add (answer, "signal,-,apparent_frequency", "  %-28s  %-22s  %12g\n", name,
                    with_unit, random->apparent_frequency[i]);
  ifbam_answer_add_data (answer, "unit,root_mean_square,density_unit", "%s%g%s", unit,
                         random->root_mean_square[i], density_unit);
  ifbam_answer_add_column (answer, name, "density", random->density + i * random->n, random->n);
  ifbam_answer_end (answer);
}

/* Adds root mean squares; in CSV and JSON also the densities over the frequency. */
static void
add_random_response (IfbamAnswer *answer, const Work *work)
{
  const IfbamRandomResponse *random = work->random;
  const IfbamResponseInput *input = &work->system->input;

  ifbam_answer_add (answer, "input,from,to,input_root_mean_square,-",
                    "%s, random from %g Hz to %g Hz, root mean square %g %s\n", input->name,
                    work->range.from, work->range.to, random->input, input->unit);
  ifbam_answer_add_note (answer, "  %-28s  %-22s  %s\n", "output", "root mean square",
                         "apparent frequency [Hz]");
  ifbam_answer_add_column (answer, NULL, "frequency", random->frequency, random->n);
  ifbam_answer_begin_list (answer, "outputs");
  for (gsize i = 0; i < random->n_outputs; i++)
    add_random_output (answer, work, i);
  ifbam_answer_end (answer);
}

/* Check */

/* Returns a difference with one digit, or "<LEAST" if it is within rounding (transfer full). */
static char *
difference_text (double difference, double least)
{
  return fabs (difference) < least ? g_strdup_printf ("<%.0e", least)
         : isfinite (difference)   ? g_strdup_printf ("%.0e", difference)
                                   : g_strdup ("-");
}

/* Maps a difference of angles to -180 to 180 degrees. */
static double
turn (double degrees)
{
  return degrees - 360 * rint (degrees / 360);
}

static void
add_finding (IfbamAnswer *answer, const char *signal, const IfbamResponseFinding *finding)
{
  const double phase = ifbam_response_phase (finding->linear);
  const double linear = cabs (finding->linear), driven = cabs (finding->driven);
  const double run_phase = ifbam_response_phase (finding->driven);
  g_autofree char *difference = difference_text (linear > 0 ? driven / linear - 1 : NAN, 1e-7);
  g_autofree char *phase_difference = difference_text (turn (run_phase - phase), 1e-5);

  ifbam_answer_begin_record (answer, NULL);
  ifbam_answer_add (answer, "frequency,signal,amplitude,run_amplitude,-,phase,-,-",
                    "  %14.6g  %-24s  %12.6g  %12.6g  %10s  %11.4f  %10s%s\n", finding->frequency,
                    signal, linear, driven, difference, phase, phase_difference,
                    finding->agrees ? "" : "  differs");
  ifbam_answer_add_data (answer, "run_phase,difference,agrees", "%g%g%i", run_phase,
                         finding->difference, finding->agrees);
  ifbam_answer_end (answer);
}

static void
add_check (IfbamAnswer *answer, const Work *work)
{
  ifbam_answer_add (answer, "-,scheme,step",
                    "%s, linear response against runs with %s, step %.3g s\n",
                    work->system->input.name, work->scheme, work->step);
  ifbam_answer_add_note (answer, "  %14s  %-24s  %12s  %12s  %10s  %11s  %10s\n", "frequency [Hz]",
                         "output", "amplitude", "of the run", "difference", "phase [deg]",
                         "difference");
  ifbam_answer_begin_list (answer, "check");
  for (guint i = 0; i < work->findings->len; i++)
    {
      const IfbamResponseFinding *finding =
          &g_array_index (work->findings, IfbamResponseFinding, i);

      add_finding (answer, work->system->signals->names->pdata[finding->output], finding);
    }
  ifbam_answer_end (answer);
}

/* TRUE if all points of a linear network agree; otherwise an error is printed. */
static gboolean
agrees (const Work *work)
{
  g_auto (GStrv) nonlinear = ifbam_response_list_nonlinear (work->response);
  guint off = 0;

  for (guint i = 0; work->findings != NULL && i < work->findings->len; i++)
    off += !g_array_index (work->findings, IfbamResponseFinding, i).agrees;
  if (off == 0)
    return TRUE;
  if (nonlinear[0] != NULL)
    {
      g_printerr (
          "ifbam: note: %u of %u values differ by more than %g: the runs are not of motions "
          "small enough, or the laws have no one slope at the start\n",
          off, work->findings->len, IFBAM_RESPONSE_TOLERANCE);
      return TRUE;
    }
  g_printerr ("ifbam: %u of %u values differ by more than %g%s\n", off, work->findings->len,
              IFBAM_RESPONSE_TOLERANCE,
              work->network_options->step != NULL || work->network_options->scheme != NULL
                  ? ": the scheme at this step is not the network (see `ifbam stability`)"
                  : "");
  return FALSE;
}

/* Work */

static gboolean
find_response (Work *work, const IfbamLoaded *loaded, GError **error)
{
  const IfbamNetworkOptions *network_options = work->network_options;
  IfbamProgress progress;
  IfbamResponseCheck check = {
    .bytes = work->bytes,
    .settings = work->settings,
    .own_scheme = network_options->scheme != NULL || network_options->step != NULL,
    .n_points = work->options->n_checks,
    .progress = ifbam_progress_update,
    .data = &progress,
  };

  ifbam_progress_begin (&progress);
  work->system = ifbam_command_response_system (&work->options->response, loaded,
                                                (const char *const *) work->options->outputs,
                                                &work->range, &progress, error);
  if (work->system != NULL && work->density != NULL)
    find_random_response (work, &progress, error);
  else if (work->system != NULL)
    work->response = ifbam_command_find_response (work->system, &work->range, &progress, error);
  check.range = work->range;
  if (work->response != NULL && work->options->check)
    work->findings = ifbam_response_check (work->system, &check, &work->step, &work->scheme, error);
  ifbam_progress_end (&progress);
  if (work->density != NULL)
    return work->random != NULL;
  return work->response != NULL && (work->findings != NULL || !work->options->check);
}

static int
write_answer (const Work *work, IfbamAnswerFormat format, const char *path)
{
  IfbamAnswer *answer = ifbam_answer_new (format, path);
  g_auto (GStrv) nonlinear = ifbam_small_motions_list_nonlinear (work->system->motions);

  if (work->random != NULL)
    add_random_response (answer, work);
  else
    add_response (answer, work);
  ifbam_answer_add_texts (answer, "nonlinear", (const char *const *) nonlinear);
  if (work->findings != NULL)
    add_check (answer, work);
  return ifbam_answer_finish (answer);
}

/* Writes the response to the file, or to standard output. A check's findings and root mean squares
 * always go to standard output, and the response then only to a file. */
static int
write_response (const Work *work)
{
  const Options *options = work->options;
  const gboolean has_text = options->check || work->random != NULL;
  int exit_code = IFBAM_EXIT_DONE;

  if (options->json || options->file != NULL || !has_text)
    exit_code =
        write_answer (work, options->json ? IFBAM_ANSWER_JSON : IFBAM_ANSWER_CSV, options->file);
  if (exit_code == IFBAM_EXIT_DONE && has_text && !options->json)
    exit_code = write_answer (work, IFBAM_ANSWER_TEXT, NULL);
  if (exit_code != IFBAM_EXIT_DONE || work->random != NULL)
    return exit_code;
  return agrees (work) ? IFBAM_EXIT_DONE : IFBAM_EXIT_FAILED;
}

static int
run_response (const char *path, const Options *options, IfbamDensity *density,
              const IfbamNetworkOptions *network_options)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) settings = ifbam_network_options_settings (network_options, &error);
  g_autoptr (IfbamNetworkBytes) bytes =
      settings == NULL ? NULL : ifbam_network_bytes_new (path, &error);
  g_auto (IfbamLoaded) loaded = { .path = path };
  Work work = { .options = options,
                .network_options = network_options,
                .density = density,
                .bytes = bytes,
                .settings = (const char *const *) settings };
  int exit_code;

  if (bytes != NULL)
    loaded.network = ifbam_network_new_from_bytes (bytes, work.settings, &error);
  if (loaded.network != NULL)
    loaded.model =
        ifbam_network_compile_or_error (loaded.network, FALSE, &loaded.spec, NULL, &error);
  if (loaded.model == NULL)
    return ifbam_command_fail (error);
  if (find_response (&work, &loaded, &error))
    exit_code = write_response (&work);
  else
    exit_code = g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK)
                    ? ifbam_loaded_fail (&loaded, error)
                    : ifbam_command_fail (error);
  ifbam_response_system_free (work.system);
  g_clear_object (&work.response);
  ifbam_random_response_free (work.random);
  if (work.findings != NULL)
    g_array_unref (work.findings);
  return exit_code;
}

static gboolean
read_check (const char *name, const char *value, gpointer data, GError **error)
{
  Options *options = data;
  guint64 number = CHECKS;

  if (value != NULL && !g_ascii_string_to_unsigned (value, 10, 1, MAX_CHECKS, &number, NULL))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "%s=%s: want a number of frequencies from 1 to %d", name, value, MAX_CHECKS);
      return FALSE;
    }
  options->check = TRUE;
  options->n_checks = (guint) number;
  return TRUE;
}

static int
command_response (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (Options) options = { .response = IFBAM_RESPONSE_OPTIONS };
  const GOptionEntry entries[] = {
    { "output", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.outputs,
      "motion of a node, or force, compression or rate of a link (default: all free nodes); may be "
      "repeated",
      "S" },
    { "check", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, (gpointer) read_check,
      "compare with driven runs at N frequencies (default 3)", "N" },
    { "psd", 0, 0, G_OPTION_ARG_FILENAME, &options.psd,
      "random input: its power spectral density over the frequency; gives root mean squares",
      "FILE.csv" },
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &options.file,
      "file of the result (default: standard output)", "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "write JSON, not CSV", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, NULL);
  GOptionGroup *group = g_option_group_new ("main", "", "", &options, NULL);
  g_autoptr (IfbamDensity) density = NULL;
  g_autoptr (GError) error = NULL;
  int exit_code;

  /* Callbacks get the data of their group. */
  g_option_group_add_entries (group, entries);
  g_option_context_set_main_group (context, group);
  ifbam_response_options_add (&options.response, context, NULL);
  if (!ifbam_command_parse (command, context, &network_options, &argc, &argv, &exit_code))
    return exit_code;
  if (!ifbam_response_options_read (&options.response, &error))
    return ifbam_command_usage (command, "%s", error->message);
  if (options.psd != NULL && options.check)
    return ifbam_command_usage (command, "--psd and --check: want one of them");
  if (ifbam_command_draws (command, options.file, "response")
      || ifbam_command_overwrites (command, options.file, argv[1]))
    return IFBAM_EXIT_USAGE;
  if (options.psd != NULL)
    density = ifbam_density_new (options.psd, &error);
  if (error != NULL || (density != NULL && !limit_range (&options.response.range, density, &error)))
    return ifbam_command_fail (error);
  return run_response (argv[1], &options, density, &network_options);
}

const IfbamCommand ifbam_command_response = {
  "response",
  "NETWORK",
  "compute amplitude and phase of the response to a sine, over its frequency",
  "  ifbam response networks/three-dof.ini --input force@m1 --output m3.position --from 1 --to "
  "100\n"
  "  ifbam response networks/damped.ini --input position@wall --output m1.position -o "
  "response.csv\n"
  "  ifbam response networks/damped.ini --input force@m1 --output k1.force --points 5 --json\n"
  "  ifbam response networks/three-dof.ini --input force@m1 --check\n"
  "  ifbam response networks/quarter-car.ini --input velocity@road --psd networks/rough-road.csv "
  "-o psd.csv\n",
  command_response,
  "scheme step start set",
};
