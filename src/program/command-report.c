/* command-report.c: ifbam report: a page about a network, for teaching
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "figure/figure.h"
#include "linear/linear.h"
#include "base/fail.h"
#include "run/run.h"
#include "program/lab-network.h"
#include "file/file.h"
#include "report/report.h"

#define STANDARD_SIGNALS  3 /* number of default courses, besides the energy */
#define MAX_SIGNALS       8
#define MAX_LINES         150   /* of the dialogue */
#define MAX_SILENT        20000 /* steps that are searched for an event */
#define MAX_ROWS          2e6   /* samples for the spectra */
#define ENERGY_COST       4     /* cost of a step with energies, relative to a plain step */
#define ENERGY_COST_LARGE 20
#define MIN_ROWS          20000
#define MAX_BODIES        100 /* of a movie */
#define MIN_PLAYING       2.0 /* shortest playing time of a movie [s] */
#define MAX_PLAYING       60.0

typedef struct
{
  char *output;
  char **signals;
  int cycles;
  gboolean still;
} ReportOptions;

static void
report_options_clear (ReportOptions *options)
{
  g_free (options->output);
  g_strfreev (options->signals);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ReportOptions, report_options_clear)

typedef struct
{
  IfbamLoaded loaded;
  const IfbamModel *model; /* the loaded one */
  IfbamRunSpec spec;       /* with constant steps; owns nothing */
  IfbamSignals *signals;   /* shown signals */
  guint n_spectra;         /* number of signals with spectra */
  IfbamReport *report;
  char *laboratory, *scripts; /* NULL: none */
  char *why_still;            /* reason for a page without laboratory, to be printed, or NULL */
  IfbamProgress progress;
  double from, part; /* range of the progress of the present part */
} Work;

static void
work_clear (Work *work)
{
  ifbam_loaded_clear (&work->loaded);
  g_clear_pointer (&work->signals, ifbam_signals_free);
  g_clear_pointer (&work->report, ifbam_report_free);
  g_free (work->laboratory);
  g_free (work->scripts);
  g_free (work->why_still);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static gboolean
show_progress (gpointer data, double part)
{
  Work *work = data;

  return ifbam_progress_update (&work->progress, work->from + part * work->part);
}

static gboolean
is_large (const IfbamModel *model)
{
  return model->n_nodes + model->n_links + model->n_sources + model->unbatched_links->len
         >= IFBAM_LARGE;
}

/* Returns the signals with courses in the report: those of the options, or some of the recorded
 * ones, including the first and the last; and the energy of a small network (transfer full). */
static char *
signals_to_show (const ReportOptions *options, const IfbamModel *model,
                 const IfbamSignals *recorded)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GString) list = g_string_new (NULL);
  guint shown;

  if (options->signals != NULL)
    return g_strjoinv (",", options->signals);
  for (guint i = 0; i < recorded->signals->len; i++)
    if (!g_str_has_prefix (recorded->names->pdata[i], "network."))
      g_ptr_array_add (names, recorded->names->pdata[i]);
  shown = MIN (names->len, STANDARD_SIGNALS);
  for (guint i = 0; i < shown; i++)
    g_string_append_printf (
        list, "%s%s", i == 0 ? "" : ",",
        (char *) names->pdata[shown < 2 ? 0 : i * (gsize) (names->len - 1) / (shown - 1)]);
  if (shown == 0 || !is_large (model))
    g_string_append_printf (list, "%snetwork.energy", shown == 0 ? "" : ",");
  return g_strdup (list->str);
}

static gboolean
choose_signals (Work *work, const ReportOptions *options, GError **error)
{
  g_autofree char *list = signals_to_show (options, work->model, work->loaded.signals);
  g_autofree char *reason = NULL;

  work->signals = ifbam_signals_new (work->model, work->loaded.network->by_name, list, &reason);
  if (work->signals == NULL)
    return ifbam_fail (error, IFBAM_ERROR_USAGE, "--signal: %s", reason);
  /* The energy was added for its course only. */
  work->n_spectra = work->signals->signals->len;
  if (options->signals == NULL && work->n_spectra > 1 && !is_large (work->model))
    work->n_spectra--;
  if (work->signals->signals->len <= MAX_SIGNALS)
    return TRUE;
  return ifbam_fail (error, IFBAM_ERROR_USAGE,
                     "--signal: %u signals are more than a page shows (%d at most)",
                     work->signals->signals->len, MAX_SIGNALS);
}

/* Dialogue */

typedef struct
{
  IfbamJsonWriter *json;
  guint n_lines;
} Conversation;

/* Returns the style of a line of the dialogue. */
static const char *
kind_of_line (const IfbamAgent *speaker, const char *line)
{
  if (speaker == NULL)
    return line[0] != ' ' ? "step" : line[1] != ' ' ? "phase" : "note";
  switch (speaker->info->kind)
    {
    case IFBAM_KIND_FREE_NODE:
    case IFBAM_KIND_GIVEN_NODE:
      return "node";
    case IFBAM_KIND_SOURCE:
    case IFBAM_KIND_IMPULSE:
      return "source";
    case IFBAM_KIND_LINK:
    case IFBAM_KIND_COMPOSITE:
    case IFBAM_KIND_SETTINGS:
    default:
      return "link";
    }
}

static gboolean
add_line (gpointer data, const IfbamAgent *speaker, const char *line, GError **error)
{
  Conversation *conversation = data;
  g_autofree char *text = g_strstrip (g_strdup (line));

  if (conversation->n_lines++ >= MAX_LINES)
    return ifbam_fail (error, IFBAM_ERROR_INTERRUPTED, "enough");
  ifbam_json_record (conversation->json, NULL, "kind,speaker,line", "%s%s%s",
                     kind_of_line (speaker, line), speaker != NULL ? speaker->name : "", text);
  return TRUE;
}

typedef struct
{
  double time; /* of the first event [s]; NaN: none */
} Watcher;

static gboolean
stop_at_event (gpointer data, const IfbamEvent *event, GError **error)
{
  ((Watcher *) data)->time = event->time;
  return ifbam_fail (error, IFBAM_ERROR_INTERRUPTED, "enough");
}

/* Returns the step of the first event; 0: none within MAX_SILENT steps. */
static guint64
find_first_event (const Work *work)
{
  Watcher watcher = { NAN };
  IfbamRunSpec spec = work->spec;
  IfbamRunTask run = { .row = ifbam_run_ignore_row, .event = stop_at_event, .data = &watcher };

  if (!ifbam_model_has_events (work->model))
    return 0;
  spec.last_step = MIN (spec.last_step, MAX_SILENT);
  spec.last_step = MAX (spec.last_step - spec.last_step % spec.stride, spec.stride);
  ifbam_run (&run, work->model, work->signals, &spec, NULL);
  if (!(watcher.time > 0))
    return 0;
  return (guint64) MAX (ceil (watcher.time / spec.step * (1 - 1e-12)) - 1, 0);
}

/* Writes "dialogue", "dialogue_goes_on" and "dialogue_from", the step of its second part, at the
 * first event. Networks with too many nodes have none. */
static gboolean
add_dialogue (Work *work, guint cycles, GError **error)
{
  Conversation conversation = { work->report->json, 0 };
  const gboolean readable = work->model->n_nodes <= IFBAM_MAX_ELIMINATION_NODES;
  const guint64 later = readable ? find_first_event (work) : 0;
  g_autoptr (GError) own = NULL;
  gboolean fine = TRUE;

  ifbam_json_array (work->report->json, "dialogue");
  if (readable)
    fine = ifbam_command_dialogue_lines (work->loaded.network, cycles, later, add_line,
                                         &conversation, &own);
  ifbam_json_end (work->report->json);
  ifbam_json_add (work->report->json, "dialogue_from,dialogue_goes_on", "%g%i",
                  later >= cycles && cycles > 1 ? (double) later : 0,
                  conversation.n_lines > MAX_LINES);
  if (fine || conversation.n_lines > MAX_LINES)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&own));
  return FALSE;
}

/* Runs */

/* Returns the run's spec, shortened to the affordable work. cost: of a step, in plain steps. */
static IfbamRunSpec
affordable_settings (const Work *work, double cost)
{
  const IfbamModel *model = work->model;
  const double steps =
      ifbam_affordable_work (model) / (cost * ifbam_step_work (model, work->spec.scheme));
  IfbamRunSpec spec = work->spec;

  if ((double) spec.last_step > steps)
    spec.last_step = (guint64) steps / spec.stride * spec.stride;
  spec.last_step = MAX (spec.last_step, spec.stride);
  return spec;
}

typedef struct
{
  Work *work;
  IfbamCourse *course;
} OwnRun;

static gboolean
append_row (gpointer data, double time, const double *values, GError **error)
{
  (void) error;
  ifbam_course_append_row (((OwnRun *) data)->course, time, values);
  return TRUE;
}

static gboolean
own_progress (gpointer data, double part)
{
  return show_progress (((OwnRun *) data)->work, part);
}

/* Writes "spectra", "spectra_duration" and "ended", from the network's own run. */
static gboolean
add_spectra (Work *work, GError **error)
{
  IfbamRunSpec spec = affordable_settings (work, 1);
  g_autoptr (IfbamCourse) course = ifbam_signals_course (work->signals);
  OwnRun own_run = { work, course };
  IfbamRunTask run = { .collects = TRUE,
                       .row = append_row,
                       .progress = own_progress,
                       .data = &own_run,
                       .advise = ifbam_step_advice,
                       .expects_growth = ifbam_growth_is_expected };
  g_autoptr (GError) own = NULL;
  gboolean fine;

  if ((double) (spec.last_step / spec.stride) > MAX_ROWS)
    spec.last_step = (guint64) MAX_ROWS * spec.stride;
  fine = ifbam_run (&run, work->model, work->signals, &spec, &own);
  if (!fine && !ifbam_run_stopped (&run, own))
    {
      g_propagate_error (error, g_steal_pointer (&own));
      return FALSE;
    }
  if (!fine)
    g_printerr ("ifbam: note: %s\n", own->message);
  ifbam_json_add (work->report->json, "diverged,spectra_duration", "%s%g",
                  fine ? NULL : own->message, (double) spec.last_step * work->spec.step);
  ifbam_report_spectra (work->report, &work->spec, course,
                        (const char *const *) work->signals->units->pdata, work->n_spectra);
  return TRUE;
}

/* Writes "energy". */
static gboolean
add_energies (Work *work, const IfbamStepSizeStudy *study, GError **error)
{
  IfbamRunSpec spec =
      affordable_settings (work, is_large (work->model) ? ENERGY_COST_LARGE : ENERGY_COST);
  g_auto (IfbamEnergies) energies = { 0 };
  const double steps = (double) spec.last_step;
  const double duration = steps * work->spec.step;
  const double angle = study->frequency * work->spec.step;

  /* Sampling that resolves the fastest mode. */
  spec.stride =
      (guint64) CLAMP (MIN (steps / MIN_ROWS, angle > 0 ? 0.3 / angle : steps), 1, MAX (steps, 1));
  spec.last_step -= spec.last_step % spec.stride;
  if (!ifbam_energies_run (&energies, work->model, work->loaded.network->by_name, &spec,
                           study->head < 0.5 * duration ? study->head : 0, show_progress, work,
                           error))
    return FALSE;
  ifbam_report_energies (work->report, &energies, duration);
  return TRUE;
}

static gboolean
add_runs (Work *work, GError **error)
{
  const double duration = (double) work->spec.last_step * work->spec.step;
  g_autoptr (IfbamStepSizeStudy) study = NULL;

  work->from = 0;
  work->part = 0.8;
  study = ifbam_step_size_study_new (work->model, &work->spec, work->signals, duration,
                                     show_progress, work, error);
  if (study == NULL)
    return FALSE;
  ifbam_report_summary (work->report, work->loaded.network, work->model, &work->spec,
                        study->frequency);
  ifbam_report_step_sizes (work->report, study, work->signals);
  ifbam_report_stability (work->report, study);
  ifbam_report_one_mode (work->report);
  work->from = 0.8;
  work->part = 0;
  if (!ifbam_report_modes (work->report, work->model, &work->spec, show_progress, work, error))
    return FALSE;
  work->part = 0.1;
  if (!add_spectra (work, error))
    return FALSE;
  work->from = 0.9;
  return add_energies (work, study, error);
}

/* Motion */

typedef struct
{
  OwnRun run; /* first member, so that its callbacks can be used */
  IfbamEvents *events;
} MovieRun;

static gboolean
append_event (gpointer data, const IfbamEvent *event, GError **error)
{
  (void) error;
  ifbam_events_add (((MovieRun *) data)->events, event);
  return TRUE;
}

/* Returns 1 (real time), or, if that is too short or too long, 1, 2 or 5 times a power of ten. */
static double
playing_speed (double duration)
{
  const double least = duration / MAX_PLAYING, most = duration / MIN_PLAYING;
  double speed = pow (10, floor (log10 (1 < most ? fmax (1, least) : most)));

  if (least <= 1 && 1 <= most)
    return 1;
  if (most < 1)
    return 5 * speed <= most ? 5 * speed : 2 * speed <= most ? 2 * speed : speed;
  return speed >= least       ? speed
         : 2 * speed >= least ? 2 * speed
         : 5 * speed >= least ? 5 * speed
                              : 10 * speed;
}

/* Runs the network with the signals of the plane; a run that diverges is kept up to there. */
static gboolean
run_plane (Work *work, const IfbamRunSpec *spec, IfbamScene *scene, MovieRun *movie, GError **error)
{
  g_autofree char *list = ifbam_scene_signals (scene);
  g_autoptr (IfbamSignals) signals =
      ifbam_signals_new (work->model, work->loaded.network->by_name, list, NULL);
  IfbamRunTask run = { .collects = TRUE,
                       .row = append_row,
                       .event = append_event,
                       .progress = own_progress,
                       .data = movie };
  g_autoptr (GError) own = NULL;

  movie->run = (OwnRun){ work, ifbam_signals_course (signals) };
  movie->events = ifbam_events_new ();
  if (!ifbam_run (&run, work->model, signals, spec, &own) && !ifbam_run_stopped (&run, own))
    {
      g_propagate_error (error, g_steal_pointer (&own));
      return FALSE;
    }
  ifbam_scene_look (scene, movie->run.course);
  return TRUE;
}

/* Writes "motion"; returns the movie (transfer full), "": no bodies, NULL: interrupted. */
static char *
add_motion (Work *work, GError **error)
{
  g_autoptr (IfbamScene) scene = ifbam_scene_new (work->model);
  IfbamRunSpec spec = affordable_settings (work, 1);
  MovieRun run = { 0 };
  IfbamMovie movie = { .scene = scene };
  char *svg = NULL;

  if (scene->bodies->len == 0 || scene->bodies->len > MAX_BODIES)
    return g_strdup ("");
  spec.stride = MAX (spec.last_step / MIN_ROWS, 1);
  spec.last_step -= spec.last_step % spec.stride;
  if (run_plane (work, &spec, scene, &run, error))
    {
      const double duration =
          scene->n_rows > 1 ? scene->times[scene->n_rows - 1] - scene->times[0] : 0;

      movie.events = run.events;
      movie.speed = duration > 0 ? playing_speed (duration) : 1;
      svg = ifbam_movie_svg (&movie, NULL);
      if (svg == NULL) /* diverged at once */
        svg = g_strdup ("");
      ifbam_json_record (work->report->json, "motion", "duration,speed", "%g%g", duration,
                         movie.speed);
    }
  g_clear_object (&run.run.course);
  g_clear_object (&run.events);
  return svg;
}

/* Page */

/* Returns the nodes with shown signals, which the diagram must contain. */
static GArray *
wanted_nodes (const Work *work)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (gsize));

  for (guint i = 0; i < work->signals->signals->len; i++)
    {
      const IfbamSignal *signal = &g_array_index (work->signals->signals, IfbamSignal, i);

      if (signal->kind <= IFBAM_SIGNAL_NODE_FORCE)
        g_array_append_val (nodes, signal->number);
    }
  return nodes;
}

static gboolean
write_page (Work *work, IfbamOutput *output, const char *file, const char *title,
            const char *diagram, const char *movie, const char *beside, GError **error)
{
  const IfbamPage page = { .title = title[0] != '\0' ? title : file,
                           .diagram = diagram,
                           .movie = movie,
                           .laboratory = work->laboratory,
                           .scripts = work->scripts,
                           .beside = beside,
                           .still = work->why_still,
                           .data = work->report->json->text->str,
                           .numbers = (const float *) (gpointer) work->report->numbers->data,
                           .n_numbers = work->report->numbers->len };
  gsize length;
  g_autofree char *text = ifbam_page_text (&page, &length);

  return ifbam_output_write (output, text, length, error) && ifbam_output_finish (output, error);
}

static gboolean
make_report (Work *work, const ReportOptions *options, IfbamOutput *output, const char *path,
             const char *beside, GError **error)
{
  const char *title = work->loaded.title;
  g_autofree char *name =
      strcmp (path, "-") == 0 ? g_strdup ("standard input") : g_path_get_basename (path);
  g_autofree char *file = g_filename_display_name (name);
  g_autoptr (GArray) wanted = wanted_nodes (work);
  IfbamDiagram diagram = { .wanted = (const gsize *) (gpointer) wanted->data,
                           .n_wanted = wanted->len };
  g_autofree char *svg = ifbam_diagram_svg (&diagram, work->model);
  g_autofree char *movie = NULL;

  work->report = ifbam_report_new ();
  ifbam_json_object (work->report->json, NULL);
  ifbam_json_add (work->report->json, "version,file,title,drawn,links_left_out", "%s%s%s%g%g",
                  IFBAM_VERSION, file, title != NULL ? title : "", (double) diagram.drawn,
                  (double) diagram.left_out);
  ifbam_report_elements (work->report, work->model);
  if (!add_dialogue (work, (guint) options->cycles, error) || !add_runs (work, error))
    return FALSE;
  movie = add_motion (work, error);
  if (movie == NULL)
    return FALSE;
  ifbam_json_end (work->report->json);
  return write_page (work, output, file, title != NULL ? title : "", svg, movie, beside, error);
}

/* Makes the laboratory, which runs the network's own spec on the page. */
static void
make_laboratory (Work *work, const ReportOptions *options, const IfbamLabSource *source)
{
  if (options->still)
    return;
  work->why_still = ifbam_lab_refusal_text (work->model, &work->spec, FALSE);
  if (work->why_still == NULL)
    work->laboratory = ifbam_lab_section (work->loaded.network, work->model, &work->spec,
                                          &source->names, &work->scripts);
}

static int
command_report (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (ReportOptions) options = { .cycles = 3 };
  g_autofree char *words = NULL;
  const GOptionEntry entries[] = {
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "file of the page (default: standard output)", "FILE" },
    { "signal", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.signals,
      "signals to show (default: some that are recorded, and the energy); may be repeated", "S" },
    { "cycles", 'n', 0, G_OPTION_ARG_INT, &options.cycles,
      "number of steps of the dialogue (default 3)", "N" },
    { "still", 0, 0, G_OPTION_ARG_NONE, &options.still,
      "omit the laboratory, in which the network runs", NULL },
    { "text", 0, 0, G_OPTION_ARG_FILENAME, &words, "text beside the network, in Markdown", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamOutput) output = NULL;
  g_auto (IfbamLabSource) source = { 0 };
  g_auto (Work) work = { 0 };
  int exit_code;
  gboolean fine;

  if (!ifbam_command_parse (command, context, &network_options, &argc, &argv, &exit_code))
    return exit_code;
  if (options.cycles < 1)
    return ifbam_command_usage (command, "-n: want 1 or more, not %d", options.cycles);
  if (options.output == NULL && isatty (STDOUT_FILENO))
    return ifbam_command_usage (command,
                                "a page can't be shown in a terminal (want -o report.html)");
  if (ifbam_command_writes_no_page (command, options.output)
      || ifbam_command_overwrites (command, options.output, argv[1]))
    return IFBAM_EXIT_USAGE;
  if (!ifbam_lab_source_read (&source, words, &error))
    return ifbam_command_fail (error);
  network_options.keeps_text = TRUE;
  if (!ifbam_load (&work.loaded, &network_options, argv[1], TRUE, &error))
    return ifbam_command_fail (error);
  work.model = work.loaded.model;
  work.spec = work.loaded.spec;
  if (!choose_signals (&work, &options, &error))
    return ifbam_command_fail (error);
  ifbam_lab_source_check (&source, &work.loaded, &network_options);
  make_laboratory (&work, &options, &source);
  /* The report compares constant steps. */
  work.spec = ifbam_run_spec_at_first (&work.spec);
  output = ifbam_output_new (options.output, &error);
  if (output == NULL)
    return ifbam_command_fail (error);
  ifbam_progress_begin (&work.progress);
  fine = make_report (&work, &options, output, argv[1], source.beside, &error);
  ifbam_progress_end (&work.progress);
  if (fine && work.why_still != NULL)
    g_printerr ("ifbam: note: the page runs no network: %s\n", work.why_still);
  return fine ? IFBAM_EXIT_DONE : ifbam_command_fail (error);
}

const IfbamCommand ifbam_command_report = {
  "report",
  "NETWORK",
  "write a page for lectures: laboratory, diagram, dialogue, courses, spectra, energy",
  "  ifbam report networks/two-dof.ini -o report.html\n"
  "  ifbam report networks/two-dof.ini --still -o handout.html\n"
  "  ifbam report networks/chain.ini --signal c.m1.position --signal c.k7.force -o chain.html\n"
  "\nThe page is one file and needs no network connection.\n",
  command_report,
  "scheme step duration start record sample tolerance set",
};
