/* plot-networks.c: ifbam plot: modes, responses, schemes, paths and movies of networks, and sweeps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/plot-networks.h"

#include <string.h>

#include "base/fail.h"
#include "engine/engine.h"
#include "file/file.h"
#include "linear/linear.h"
#include "sweep/sweep.h"

/* Draws the lowest modes of a network. */
gboolean
ifbam_draw_modes (IfbamPlotOptions *options, IfbamNetworkOptions *network_options, char **files,
                  GError **error)
{
  const IfbamModesRequest request = { .count = options->count };
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamModes) modes = NULL;

  if (!ifbam_load (&loaded, network_options, files[0], FALSE, error))
    return FALSE;
  modes = ifbam_modes_new_for_model (loaded.model, &loaded.spec, &request, error);
  if (modes == NULL)
    {
      g_prefix_error (error, "%s: ", files[0]);
      return FALSE;
    }
  ifbam_plot_set_title (options, loaded.title);
  ifbam_modes_chart (options->chart, modes);
  return TRUE;
}

/* Draws the table of a sweep, which needs options of its own to run. */
gboolean
ifbam_draw_sweep (IfbamPlotOptions *options, IfbamNetworkOptions *network_options, char **files,
                  GError **error)
{
  IfbamChart *chart = options->chart;
  IfbamCsvTable *table = ifbam_sweep_table_from_file (files[0], error);

  (void) network_options;
  if (table == NULL)
    return FALSE;
  ifbam_chart_own (chart, table, (GDestroyNotify) ifbam_csv_table_free);
  chart->y.log = options->log;
  ifbam_plot_set_title (options, NULL);
  options->prefix = files[0];
  return ifbam_sweep_chart (chart, table, (const char *const *) options->signals, &options->note,
                            error);
}

/* Draws numerical errors of schemes for any mode, and marks those of a network if there is one. */
gboolean
ifbam_draw_schemes (IfbamPlotOptions *options, IfbamNetworkOptions *network_options, char **files,
                    GError **error)
{
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamStability) stability = NULL;

  if (files[0] != NULL)
    {
      if (ifbam_load (&loaded, network_options, files[0], FALSE, error))
        stability = ifbam_command_stability_of (&loaded, error);
      if (stability == NULL)
        return FALSE;
    }
  ifbam_plot_set_title (options, loaded.title);
  options->kind->schemes (options->chart, stability);
  return TRUE;
}

/* A table of a response has no eigenfrequencies. */
static gboolean
draw_response_table (IfbamPlotOptions *options, const char *file, GError **error)
{
  g_autoptr (IfbamCsvTable) table = ifbam_csv_table_new_from_csv (file, error);

  if (table == NULL)
    return FALSE;
  ifbam_plot_set_title (options, NULL);
  options->prefix = file;
  return ifbam_response_table_chart (options->chart, table, (const char *const *) options->outputs,
                                     error);
}

/* Draws the response of a network, or a table of one. */
gboolean
ifbam_draw_response (IfbamPlotOptions *options, IfbamNetworkOptions *network_options, char **files,
                     GError **error)
{
  IfbamChart *chart = options->chart;
  IfbamResponseRange range;
  IfbamProgress progress;
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamResponseSystem) system = NULL;
  g_autoptr (IfbamResponse) response = NULL;

  chart->x.log = !options->response.linear;
  chart->y.log = !options->decibels;
  if (ifbam_command_is_course (files[0]))
    return draw_response_table (options, files[0], error);
  if (!ifbam_response_options_read (&options->response, error))
    return FALSE;
  if (!ifbam_load (&loaded, network_options, files[0], FALSE, error))
    return FALSE;
  ifbam_progress_begin (&progress);
  system = ifbam_command_response_system (&options->response, &loaded,
                                          (const char *const *) options->outputs, &range, &progress,
                                          error);
  response = system == NULL ? NULL : ifbam_command_find_response (system, &range, &progress, error);
  ifbam_progress_end (&progress);
  if (response == NULL)
    {
      if (error != NULL && g_error_matches (*error, IFBAM_ERROR, IFBAM_ERROR_NETWORK))
        g_prefix_error (error, "%s: ", files[0]);
      return FALSE;
    }
  chart->lines = ifbam_chart_own (
      chart, ifbam_response_eigenfrequencies (system, range.from, range.to, &chart->n_lines),
      g_free);
  ifbam_plot_set_title (options, loaded.title);
  if (!chart->text && (chart->title == NULL || *chart->title == '\0'))
    {
      g_autofree char *title = g_strdup_printf ("response to %s", system->input.name);

      chart->title = ifbam_chart_copy_text (chart, title);
    }
  return ifbam_response_chart (chart, response, error);
}

/* Records the signals for a picture of the plane. FALSE with an error (empty: of refuse()). */
static gboolean
record_plane (IfbamNetworkOptions *options, const char *file, gboolean (*refuse) (GError **error),
              GError **error)
{
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamScene) scene = NULL;
  g_autofree char *signals = NULL;

  if (!ifbam_load (&loaded, options, file, FALSE, error))
    return FALSE;
  scene = ifbam_scene_new (loaded.model);
  if (scene->bodies->len == 0)
    {
      refuse (error);
      g_prefix_error (error, "%s: ", file);
      return FALSE;
    }
  signals = ifbam_scene_signals (scene);
  options->record = g_strconcat ("*.x,*.y,", signals, NULL);
  return TRUE;
}

/* Loads the course of a file and, for a network, its scene, and sets the chart's title (transfer
 * full). refuse: see record_plane(). NULL with an error. */
static IfbamCourse *
load_plane (const IfbamPlotOptions *options, IfbamNetworkOptions *network_options, char **files,
            gboolean (*refuse) (GError **error), IfbamScene **scene, IfbamOrigin *origin,
            GError **error)
{
  g_autoptr (GArray) list = ifbam_list_drawn (options, files);
  IfbamCourse *course;

  if (!ifbam_command_is_course (files[0]) && network_options->record == NULL
      && !record_plane (network_options, files[0], refuse, error))
    return NULL;
  course = ifbam_load_drawn (network_options, list, 0, origin, error);
  if (course != NULL && origin->model != NULL)
    {
      *scene = ifbam_scene_new (origin->model);
      ifbam_scene_look (*scene, course);
    }
  ifbam_plot_set_title (options, origin->title);
  return course;
}

/* Draws the paths of bodies in the plane, with equal scales. */
gboolean
ifbam_draw_path (IfbamPlotOptions *options, IfbamNetworkOptions *network_options, char **files,
                 GError **error)
{
  g_auto (IfbamOrigin) origin = { 0 };
  g_autoptr (IfbamScene) scene = NULL;
  g_autoptr (IfbamCourse) course =
      load_plane (options, network_options, files, ifbam_path_refuse, &scene, &origin, error);
  const IfbamPathFigure figure = { .bodies = (const char *const *) options->signals,
                                   .course = course,
                                   .scene = scene,
                                   .events = origin.events };

  return course != NULL && ifbam_path_chart (options->chart, &figure, error);
}

#define SHORT_MOVIE 1.5 /* [s] */

/* Prints a note if a movie is short. */
static void
note_short (double playing, double speed)
{
  if (playing < SHORT_MOVIE)
    g_printerr ("ifbam: note: the movie is over in %.3g s (--speed %.1g shows it slower)\n",
                playing, speed * playing / 5);
}

/* Writes a movie of the bodies in the plane. */
gboolean
ifbam_draw_movie (IfbamPlotOptions *options, IfbamNetworkOptions *network_options, char **files,
                  GError **error)
{
  g_auto (IfbamOrigin) origin = { 0 };
  g_autoptr (IfbamScene) scene = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  IfbamMovie movie = { .speed = options->speed };
  g_autofree char *svg = NULL;

  g_clear_pointer (&network_options->record, g_free);
  course = load_plane (options, network_options, files, ifbam_movie_refuse, &scene, &origin, error);
  if (course == NULL)
    return FALSE;
  movie.scene = scene;
  movie.events = origin.events;
  movie.title = options->chart->title;
  svg = ifbam_movie_svg (&movie, error);
  if (svg == NULL || !ifbam_output_put (options->output, svg, strlen (svg), error))
    return FALSE;
  note_short ((double) origin.spec.last_step * origin.spec.step / movie.speed, movie.speed);
  return TRUE;
}
