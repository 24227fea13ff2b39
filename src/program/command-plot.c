/* command-plot.c: ifbam plot: figures of courses, networks, schemes and sweeps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "file/file.h"
#include "program/overlay.h"
#include "program/plot-networks.h"

/* Number of modes in a figure. */
#define SOME_MODES 4

static void
plot_options_clear (IfbamPlotOptions *options)
{
  g_free (options->output);
  g_free (options->title);
  g_free (options->x_text);
  g_free (options->y_text);
  g_strfreev (options->signals);
  g_clear_pointer (&options->overlays, g_array_unref);
  g_strfreev (options->also);
  g_free (options->count_text);
  g_free (options->over);
  g_free (options->order_text);
  g_clear_pointer (&options->orders, g_array_unref);
  g_free (options->speed_text);
  g_strfreev (options->outputs);
  ifbam_transform_options_clear (&options->transform);
  ifbam_response_options_clear (&options->response);
  g_clear_pointer (&options->chart, ifbam_chart_free);
  g_free (options->note);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamPlotOptions, plot_options_clear)

static gboolean
has_network (char **files)
{
  for (guint i = 0; files[i] != NULL; i++)
    if (!ifbam_command_is_course (files[i]))
      return TRUE;
  return FALSE;
}

/* Rejects options for networks if there is none. */
static gboolean
fit_files (const IfbamPlotOptions *options, const IfbamNetworkOptions *network_options,
           char **files, GError **error)
{
  const char *const meant[] = { options->transform.resample ? "sample" : NULL, NULL };

  return has_network (files)
         || ifbam_network_options_fit_csv (
             network_options, files[0] != NULL ? files[0] : "schemes alone", meant, error);
}

/* Options of all figures; of those with signals. */
#define COMMON  "file title x y "
#define SIGNALS COMMON "signal also from to "
#define SPECTRA SIGNALS "window welch segment overlap resample "

static const IfbamFigureKind kinds[] = {
  { "course", "s", NULL, NULL, FALSE, FALSE, IFBAM_CHART_COURSE, ifbam_draw_courses,
    ifbam_plot_add_course, NULL, "draw signals over time, of networks or files", SIGNALS "log",
    NULL },
  { "spectrum", "Hz", NULL, NULL, FALSE, FALSE, IFBAM_CHART_SPECTRUM, ifbam_draw_courses,
    ifbam_plot_add_spectrum, NULL, "draw amplitudes over frequency, of networks or files",
    SPECTRA "count log", NULL },
  { "spectrogram", "s", "Hz", NULL, FALSE, FALSE, IFBAM_CHART_MAP, ifbam_draw_courses,
    ifbam_plot_add_spectrogram, NULL, "draw spectra over time, as colours", SPECTRA "linear over",
    NULL },
  { "orders", NULL, NULL, NULL, FALSE, FALSE, IFBAM_CHART_SWEEP, ifbam_draw_courses,
    ifbam_plot_add_orders, NULL, "draw amplitudes of orders of a shaft over its speed",
    SIGNALS "segment over order log", NULL },
  { "phase", NULL, NULL, NULL, TRUE, FALSE, IFBAM_CHART_PHASE, ifbam_draw_courses, NULL, NULL,
    "draw rates over positions", SIGNALS "log", NULL },
  { "path", "m", "m", "network", TRUE, FALSE, 0, ifbam_draw_path, NULL, NULL,
    "draw paths in the plane, and the mechanism at their end", COMMON "signal", NULL },
  { "movie", "", "", "network", TRUE, FALSE, 0, ifbam_draw_movie, NULL, NULL,
    "draw the motion in the plane, as an SVG that a browser plays", "file title speed", NULL },
  { "modes", "", "", "network", FALSE, FALSE, 0, ifbam_draw_modes, NULL, NULL,
    "draw vibration modes over the nodes", COMMON "count", "start set" },
  { "response", "Hz", "", "network", FALSE, FALSE, 0, ifbam_draw_response, NULL, NULL,
    "draw amplitude and phase over frequency, of a network or its CSV",
    COMMON "output input from to points linear db", "scheme step start set" },
  { "stability", "", "", "network", FALSE, FALSE, 0, ifbam_draw_schemes, NULL, ifbam_growth_chart,
    "draw the growth of all schemes over the step", COMMON, "scheme step duration start set" },
  { "regions", "", "", "network", FALSE, TRUE, 0, ifbam_draw_schemes, NULL, ifbam_regions_chart,
    "draw regions of absolute stability", COMMON, "scheme step duration start set" },
  { "roots", "", "", "network", FALSE, TRUE, 0, ifbam_draw_schemes, NULL, ifbam_roots_chart,
    "draw the factors per step beside the unit circle", COMMON, "scheme step duration start set" },
  { "elongation", "", "", "network", FALSE, TRUE, 0, ifbam_draw_schemes, NULL,
    ifbam_elongation_chart, "draw longer periods and numerical damping over the step", COMMON,
    "scheme step duration start set" },
  { "sweep", "", "", "table", FALSE, FALSE, 0, ifbam_draw_sweep, NULL, NULL,
    "draw the table of a sweep, as curves or a map", COMMON "signal log", "" },
};

static const IfbamFigureKind *
find_kind (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (name, kinds[i].name))
      return &kinds[i];
  return NULL;
}

/* Returns "course, spectrum, ... nor sweep". */
static char *
list_kinds (void)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_string_append_printf (list, "%s%s",
                            i == 0                          ? ""
                            : i + 1 == G_N_ELEMENTS (kinds) ? " nor "
                                                            : ", ",
                            kinds[i].name);
  return g_string_free (list, FALSE);
}

/* Prints the figure nearest to an unknown word. */
static void
refuse_kind (const char *word)
{
  static const char *const others[][2] = {
    { "time", "course" },       { "fft", "spectrum" },     { "waterfall", "spectrogram" },
    { "bode", "response" },     { "frf", "response" },     { "frequency", "response" },
    { "trajectory", "path" },   { "animation", "movie" },  { "video", "movie" },
    { "shapes", "modes" },      { "eigenmodes", "modes" }, { "region", "regions" },
    { "eigenvalues", "roots" }, { "poles", "roots" },      { "period", "elongation" },
  };
  const char *names[G_N_ELEMENTS (kinds)], *nearest;
  g_autofree char *known = list_kinds ();

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    names[i] = kinds[i].name;
  nearest = ifbam_nearest_word (word, names, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_ascii_strcasecmp (word, others[i][0]) == 0)
      nearest = others[i][1];
  if (strchr (word, '.') != NULL)
    ifbam_command_usage (&ifbam_command_plot, "no KIND before \"%s\" (want such as \"course %s\")",
                         word, word);
  else if (nearest != NULL)
    ifbam_command_usage (&ifbam_command_plot, "there is no kind \"%s\" (did you mean \"%s\"?)",
                         word, nearest);
  else
    ifbam_command_usage (&ifbam_command_plot, "\"%s\" is neither %s", word, known);
}

/* TRUE if a figure has a certain option of its own. */
static gboolean
takes_option (const IfbamFigureKind *kind, const char *name)
{
  g_auto (GStrv) words = g_strsplit (kind->options, " ", -1);

  return g_strv_contains ((const char *const *) words, name);
}

/* Finds a given option that this figure does not have, and the figures that do; FALSE: none. */
static gboolean
find_unused (const IfbamPlotOptions *options, char **files, const char **name, const char **figures)
{
  const IfbamTransformOptions *transform = &options->transform;
  const IfbamResponseOptions *response = &options->response;
  const char *spectra = "spectrum and spectrogram", *found = "the response of a network";
  const char *from =
      takes_option (options->kind, "input") ? found : "responses, courses and spectra";
  const struct
  {
    const char *name;
    gboolean given;
    const char *figures;
  } all[] = {
    { "count", options->count_text != NULL, "modes and spectrum" },
    { "also", options->also != NULL, "networks, and for course, spectrum, spectrogram and phase" },
    { "output", options->outputs != NULL, "response (the picture's file is -o or --file)" },
    { "window", transform->window_name != NULL, spectra },
    { "welch", transform->welch, spectra },
    { "segment", transform->segment_text != NULL, spectra },
    { "overlap", transform->overlap_text != NULL, spectra },
    { "resample", transform->resample, spectra },
    { "input", response->inputs != NULL, found },
    { "from", response->from != NULL, from },
    { "to", response->to != NULL, from },
    { "points", response->n_points != IFBAM_RESPONSE_NO_POINTS, found },
    { "linear", response->linear, "responses and spectrograms" },
    { "db", options->decibels, "a response" },
    { "signal", options->signals != NULL && options->kind->draw != ifbam_draw_movie,
      "courses and sweeps" },
    { "speed", options->speed_text != NULL, "a movie" },
    { "over", options->over != NULL, "spectrogram and orders" },
    { "order", options->order_text != NULL, "orders" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i].given
        && (!takes_option (options->kind, all[i].name)
            || (all[i].figures == found && ifbam_command_is_course (files[0]))
            || (g_str_equal (all[i].name, "also") && !has_network (files))))
      {
        *name = all[i].name;
        *figures = all[i].figures;
        return TRUE;
      }
  return FALSE;
}

/* A movie is an SVG of a network at a speed. FALSE with a message printed. */
static gboolean
check_movie (IfbamPlotOptions *options, char **files)
{
  g_autofree char *reason = NULL;

  options->speed = 1;
  if (options->kind->draw != ifbam_draw_movie)
    return TRUE;
  if (ifbam_command_is_course (files[0]))
    ifbam_command_usage (&ifbam_command_plot,
                         "a movie needs a network, not a course: rods and bodies are in \"%s\"",
                         "NETWORK.ini");
  else if (options->output == NULL || !g_str_has_suffix (options->output, ".svg"))
    ifbam_command_usage (&ifbam_command_plot, "a movie is an SVG that a browser plays (want -o "
                                              "FILE.svg)");
  else if (options->x_text != NULL || options->y_text != NULL)
    ifbam_command_usage (&ifbam_command_plot, "--x and --y are not for a movie");
  else if (options->signals != NULL)
    ifbam_command_usage (&ifbam_command_plot, "--signal is not for a movie: it shows all that is "
                                              "in the plane");
  else if (options->speed_text != NULL
           && (!ifbam_units_parse (options->speed_text, "", "speed", "0.1", &options->speed,
                                   &reason)
               || !(options->speed > 0 && isfinite (options->speed))))
    ifbam_command_usage (&ifbam_command_plot,
                         "--speed %s: want a number above 0, such as 0.1 for "
                         "ten times slower than it is",
                         options->speed_text);
  else
    return TRUE;
  return FALSE;
}

/* Checks the words as far as possible without the files; FALSE with the exit code. */
static gboolean
check_words (IfbamPlotOptions *options, const IfbamNetworkOptions *network_options, int argc,
             char **argv, int *exit_code)
{
  const gboolean phase = g_str_equal (argv[1], "phase");
  const char *unused, *figures;
  g_autoptr (GError) error = NULL;

  *exit_code = IFBAM_EXIT_USAGE;
  options->kind = find_kind (argv[1]);
  options->count = g_str_equal (argv[1], "modes") ? SOME_MODES : 0;
  if (options->kind == NULL)
    refuse_kind (argv[1]);
  else if (argc < 3 && !options->kind->alone)
    ifbam_command_usage (&ifbam_command_plot, "%s: no FILE (want KIND FILE...)", argv[1]);
  else if (!ifbam_command_read_count (&ifbam_command_plot, options->count_text, &options->count))
    return FALSE;
  else if (find_unused (options, argv + 2, &unused, &figures))
    ifbam_command_usage (&ifbam_command_plot, "--%s is for %s", unused, figures);
  else if (!fit_files (options, network_options, argv + 2, &error)
           || !ifbam_plot_read_range ("--x", options->x_text, options->kind->x_unit, &options->x,
                                      &error)
           || !ifbam_plot_read_range ("--y", options->y_text, options->kind->y_unit, &options->y,
                                      &error))
    ifbam_command_usage (&ifbam_command_plot, "%s", error->message);
  else if (options->kind->one != NULL && argc > 3)
    ifbam_command_usage (&ifbam_command_plot, "\"%s\" is one %s too many", argv[3],
                         options->kind->one);
  else if (phase && options->signals != NULL && g_strv_length (options->signals) % 2 != 0)
    ifbam_command_usage (&ifbam_command_plot,
                         "phase needs --signal in pairs, for the horizontal and the vertical axis; "
                         "\"%s\" is left over",
                         options->signals[g_strv_length (options->signals) - 1]);
  else
    return check_movie (options, argv + 2);
  return FALSE;
}

static gboolean
read_courses (IfbamPlotOptions *options, char **files, const IfbamNetworkOptions *network_options,
              GError **error)
{
  options->recorded = options->kind->draw == ifbam_draw_courses && network_options->record == NULL
                      && options->signals != NULL;
  options->overlays = ifbam_overlays_read (options->signals, files, error);
  return options->overlays != NULL
         && (options->kind->draw != ifbam_draw_courses
             || ifbam_transform_options_read (&options->transform, error));
}

/* Reads the orders, which need a shaft. */
static gboolean
read_orders (IfbamPlotOptions *options, GError **error)
{
  if (options->kind->add != ifbam_plot_add_orders)
    return TRUE;
  if (options->over == NULL || options->order_text == NULL)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "orders want --over and --order, such as --over shaft.angle --order 1,2");
  options->orders = ifbam_command_read_orders (options->order_text, error);
  return options->orders != NULL;
}

static gboolean
draw (IfbamPlotOptions *options, IfbamNetworkOptions *network_options, char **files, GError **error)
{
  gboolean drawn;

  options->chart = ifbam_chart_new (options->kind->chart);
  options->chart->text = options->output == NULL;
  options->chart->x.range = options->x;
  options->chart->y.range = options->y;
  drawn = options->kind->draw (options, network_options, files, error)
          && (options->kind->draw == ifbam_draw_movie
              || ifbam_chart_draw (options->chart, options->output, error));
  if (!drawn && options->prefix != NULL)
    g_prefix_error (error, "%s: ", options->prefix);
  if (drawn && options->note != NULL)
    g_printerr ("ifbam: note: %s\n", options->note);
  return drawn;
}

/* Returns the kind of figure for --help; NULL: none. */
static const IfbamFigureKind *
find_helped_kind (int argc, char **argv)
{
  const IfbamFigureKind *kind = NULL;

  for (int i = 1; kind == NULL && i < argc && ifbam_command_has_help_option (argc, argv); i++)
    kind = find_kind (argv[i]);
  return kind;
}

/* Returns the command for the help of a kind, with its own examples. Texts: static or in `texts`. */
static IfbamCommand
command_of_kind (const IfbamFigureKind *kind, GStringChunk *texts)
{
  IfbamCommand own = ifbam_command_plot;
  g_auto (GStrv) lines = g_strsplit (own.examples, "\n", -1);
  g_autofree char *start = g_strdup_printf ("  ifbam plot %s ", kind->name);
  g_autoptr (GString) examples = g_string_new (NULL);
  g_autofree char *arguments = g_strconcat (kind->name,
                                            kind->alone         ? " [NETWORK]"
                                            : kind->one == NULL ? " FILE..."
                                                                : " FILE",
                                            NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], start) && !g_str_has_suffix (lines[i], "--help"))
      g_string_append_printf (examples, "%s\n", lines[i]);
  own.arguments = g_string_chunk_insert (texts, arguments);
  own.examples = g_string_chunk_insert (texts, examples->str);
  own.summary = kind->summary;
  own.options = kind->network;
  return own;
}

/* Returns a parser. kind: the help has its options only; NULL: all. */
static GOptionContext *
plot_context (IfbamPlotOptions *options, const IfbamCommand *command, const IfbamFigureKind *kind)
{
  GOptionEntry entries[] = {
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
      "picture.svg, .png or .pdf (default: text in the terminal)", "FILE" },
    { "output", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->outputs,
      "output of a response; may be repeated", "S" },
    { "signal", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->signals,
      "signals, such as m1.position or '*.position' (default: all); FILE:COLUMN=S: a column for S",
      "S" },
    { "also", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->also,
      "draw a variant with this value beside each network; may be repeated", "ELEMENT.KEY=VALUE" },
    { "title", 0, 0, G_OPTION_ARG_STRING, &options->title, "title of the figure", "TEXT" },
    { "x", 0, 0, G_OPTION_ARG_STRING, &options->x_text,
      "range of the horizontal axis, such as 0.1s:200ms", "FROM:TO" },
    { "y", 0, 0, G_OPTION_ARG_STRING, &options->y_text,
      "range of the vertical axis, such as -2mm:2mm", "FROM:TO" },
    { "count", 0, 0, G_OPTION_ARG_STRING, &options->count_text,
      "number of modes, or of marked lines of a spectrum, or \"all\" (default: 4 modes, all lines)",
      "N" },
    { "over", 0, 0, G_OPTION_ARG_STRING, &options->over,
      "angle or speed of a shaft: orders over its turns (--segment: turns)", "S" },
    { "order", 0, 0, G_OPTION_ARG_STRING, &options->order_text, "orders, such as 0.5,1,2", "LIST" },
    { "speed", 0, 0, G_OPTION_ARG_STRING, &options->speed_text,
      "speed of a movie; 0.1: ten times slower than reality (default: 1)", "X" },
    { "log", 0, 0, G_OPTION_ARG_NONE, &options->log, "logarithmic vertical axis", NULL },
    { "db", 0, 0, G_OPTION_ARG_NONE, &options->decibels, "amplitudes of a response in decibels",
      NULL },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = ifbam_command_context (command, NULL);
  const char *shown = kind != NULL ? kind->options : NULL;

  ifbam_option_group_add (context, "plot", "Options:", entries, shown, NULL);
  ifbam_transform_options_add (&options->transform, context, shown);
  ifbam_response_options_add (&options->response, context, shown);
  return context;
}

static int
command_plot (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (IfbamPlotOptions)
      options = { .transform = IFBAM_TRANSFORM_OPTIONS, .response = IFBAM_RESPONSE_OPTIONS };
  const IfbamFigureKind *helped = find_helped_kind (argc, argv);
  g_autoptr (GStringChunk) texts = g_string_chunk_new (256);
  const IfbamCommand own = helped != NULL ? command_of_kind (helped, texts) : *command;
  g_autoptr (GOptionContext) context = plot_context (&options, &own, helped);
  g_autoptr (GError) error = NULL, ended = NULL;
  int exit_code;

  if (!ifbam_command_parse (&own, context, &network_options, &argc, &argv, &exit_code)
      || !check_words (&options, &network_options, argc, argv, &exit_code))
    return exit_code;
  if (!read_orders (&options, &error)
      || !read_courses (&options, argv + 2, &network_options, &error))
    return ifbam_command_fail (error);
  network_options.record_is_signal = options.recorded;
  if (options.recorded)
    {
      g_autofree char *signals = g_strjoinv (",", options.signals);

      network_options.record = options.over == NULL
                                   ? g_steal_pointer (&signals)
                                   : g_strdup_printf ("%s,%s", signals, options.over);
    }
  /* The samples before a run diverged are drawn: they show the growth. */
  network_options.every_step = options.kind->every_step;
  network_options.event_rows =
      options.kind->draw == ifbam_draw_courses && !ifbam_figure_transforms (options.kind);
  network_options.ended = &ended;
  if (!draw (&options, &network_options, argv + 2, &error))
    return ifbam_command_fail (error);
  return ended == NULL ? IFBAM_EXIT_DONE : ifbam_command_fail (ended);
}

const IfbamCommand ifbam_command_plot = {
  "plot",
  "KIND [FILE...]",
  "draw the course, spectrum, spectrogram, phase portrait or path of networks or\n"
  "CSV files; modes, response, stability or motion in the plane of a network;\n"
  "the table of a sweep; or properties of schemes: regions of stability, roots,\n"
  "elongation of periods. KIND is course, spectrum, spectrogram, phase, path,\n"
  "movie, orders, modes, response, stability, regions, roots, elongation or\n"
  "sweep",
  "  ifbam plot course networks/one-dof.ini\n"
  "  ifbam plot spectrum networks/two-dof.ini networks/three-dof.ini -o spectra.svg\n"
  "  ifbam plot spectrogram networks/duffing.ini --duration 20s -o duffing.png\n"
  "  ifbam plot spectrogram networks/run-up.ini --over shaft.angle -o spectrogram.png\n"
  "  ifbam plot orders networks/run-up.ini --over shaft.angle --order 1,2 -o orders.svg\n"
  "  ifbam plot phase networks/three-dof.ini -o phase.png\n"
  "  ifbam plot course networks/two-dof.ini --x 0.1s:200ms --y -1mm:1mm -o zoomed.png\n"
  "  ifbam plot course networks/two-dof.ini --signal m1.position --also k1.stiffness=20kN/m -o "
  "both.svg\n"
  "  ifbam plot path networks/ball-sine-small.ini -o way.svg\n"
  "  ifbam plot movie networks/double-pendulum.ini -o double-pendulum.svg\n"
  "  ifbam plot modes networks/chain.ini --count 6 -o shapes.svg\n"
  "  ifbam plot course course.csv --signal '*.position' -o positions.svg\n"
  "  ifbam plot response networks/three-dof.ini --input force@m1 --output m3.position -o bode.png\n"
  "  ifbam plot stability networks/three-dof.ini --step 1ms -o stability.svg\n"
  "  ifbam plot regions -o regions.svg\n"
  "  ifbam plot elongation --x 0:0.2 -o elongation.svg\n"
  "  ifbam plot roots networks/three-dof.ini --step 5ms -o roots.svg\n"
  "  ifbam plot sweep sweep.csv --signal max:m2.position -o sweep.svg\n"
  "  ifbam plot response --help\n",
  command_plot,
  NULL,
};
