/* command-course.c: courses as input of commands: of a CSV file, or of a network that is run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command.h"

#include <math.h>

#include "linear/linear.h"
#include "run/run.h"
#include "engine/engine.h"
#include "spectrum/spectrum.h"
#include "file/ifbam-course-file.h"
#include "file/file.h"

typedef struct
{
  IfbamCourse *course;
  IfbamEvents *events;
} Told;

static gboolean
append_row (gpointer data, double time, const double *values, GError **error)
{
  (void) error;
  ifbam_course_append_row (((Told *) data)->course, time, values);
  return TRUE;
}

static gboolean
append_event (gpointer data, const IfbamEvent *event, GError **error)
{
  (void) error;
  ifbam_events_add (((Told *) data)->events, event);
  return TRUE;
}

#define LOOKS    256     /* evaluations of sources over a run's duration */
#define MAX_ROWS 1000000 /* limit for refined sampling */

/* TRUE if a source or given node varies after the start (a constant velocity does not count). */
static gboolean
is_driven (const IfbamModel *model, double duration)
{
  for (guint look = 1; look < LOOKS; look++)
    {
      double time = duration * look / LOOKS;

      for (gsize i = 0; i < model->n_sources; i++)
        if (ifbam_model_source (model, i, time) != ifbam_model_source (model, i, 0))
          return TRUE;
      for (gsize i = model->n_free; i < model->n_nodes; i++)
        if (ifbam_model_given (model, i, time).acceleration != 0)
          return TRUE;
    }
  return FALSE;
}

void
ifbam_origin_clear (IfbamOrigin *origin)
{
  g_clear_pointer (&origin->model, ifbam_model_free);
  g_clear_object (&origin->events);
  ifbam_run_spec_clear (&origin->spec);
  g_clear_object (&origin->network);
}

/* Takes ownership of the loaded data, except signals. */
static void
set_origin (IfbamOrigin *origin, IfbamLoaded *loaded, double duration)
{
  const IfbamModel *model = loaded->model;
  g_autoptr (IfbamLinearization) linearization =
      ifbam_linearization_new (model, &loaded->spec, NULL, NULL);

  *origin =
      (IfbamOrigin){ .driven = is_driven (model, duration),
                     .nonlinear = linearization->n_nonlinear > 0 || model->unbatched_links->len > 0,
                     .network = g_steal_pointer (&loaded->network),
                     .title = loaded->title,
                     .model = g_steal_pointer (&loaded->model),
                     .spec = loaded->spec };
  loaded->spec = (IfbamRunSpec){ 0 };
}

/* Sets the closest sampling within MAX_ROWS. */
static void
refine_rows (IfbamRunSpec *spec)
{
  guint64 stride = 1;

  while (stride < spec->stride
         && (spec->stride % stride != 0 || spec->last_step / stride > MAX_ROWS))
    stride++;
  spec->stride = stride;
}

static IfbamCourse *
run_network (const IfbamNetworkOptions *options, const char *path, IfbamOrigin *origin,
             GError **error)
{
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamCourse) course = NULL;
  g_autoptr (IfbamEvents) events = origin == NULL ? NULL : ifbam_events_new ();
  g_autoptr (GError) ended = NULL;
  Told told;
  IfbamRunTask run = { .threads = (guint) options->threads,
                       .allow_divergence = options->allow_divergence,
                       .collects = TRUE,
                       .event_rows = options->event_rows,
                       .row = append_row,
                       .event = events == NULL ? NULL : append_event,
                       .data = &told };

  if (!ifbam_load (&loaded, options, path, TRUE, error))
    return NULL;
  ifbam_command_choose_engine (options, loaded.model, &loaded.spec, &run);
  if (options->every_step && options->sample == NULL)
    refine_rows (&loaded.spec);
  course = ifbam_signals_course (loaded.signals);
  told = (Told){ course, events };
  if (!ifbam_command_collect (&run, loaded.model, loaded.signals, &loaded.spec, &ended))
    {
      if (options->ended == NULL || ifbam_course_get_n_rows (course) < 2
          || !ifbam_run_stopped (&run, ended))
        {
          g_propagate_error (error, g_steal_pointer (&ended));
          return NULL;
        }
      g_clear_error (options->ended);
      *options->ended = g_steal_pointer (&ended);
    }
  if (origin != NULL)
    {
      set_origin (origin, &loaded, (double) loaded.spec.last_step * loaded.spec.step);
      origin->events = g_steal_pointer (&events);
    }
  return g_steal_pointer (&course);
}

static double
mean_interval (IfbamCourse *course)
{
  gsize n;
  const double *times = ifbam_course_get_times (course, &n);

  return n > 1 ? (times[n - 1] - times[0]) / (double) (n - 1) : 0;
}

/* TRUE if the sampling interval is a multiple of the step. */
static gboolean
fits_step (IfbamCourse *course, double step)
{
  double ratio = mean_interval (course) / step;

  return ifbam_course_get_n_rows (course) < 2
         || (ratio > 0.999 && fabs (ratio - round (ratio)) < 1e-3);
}

static gboolean
refuse_step (GError **error, const char *option, const char *text, IfbamCourse *course)
{
  g_autofree char *reason = g_strdup_printf (
      "the rows are %.6g s apart, which is no multiple of the step", mean_interval (course));

  return ifbam_command_refuse (error, option, text, reason);
}

/* Reads the scheme and step of a course from the options; default step: the sampling interval. */
static gboolean
read_origin (const IfbamNetworkOptions *options, IfbamCourse *course, IfbamOrigin *origin,
             GError **error)
{
  const IfbamScheme *scheme;
  g_autofree char *reason = NULL;

  if (options->scheme == NULL && options->step == NULL)
    return TRUE;
  if (options->scheme == NULL)
    return ifbam_command_refuse (error, "--step", options->step,
                                 "of a CSV file it says nothing without --scheme");
  scheme = ifbam_scheme_by_name (options->scheme);
  if (scheme == NULL)
    return ifbam_command_refuse (error, "--scheme", options->scheme,
                                 "there is no such scheme (see `ifbam schemes`)");
  if (options->step == NULL)
    {
      origin->spec.step = mean_interval (course);
      g_printerr ("ifbam: note: the step is taken to be the rows' interval, %.6g s (--step says "
                  "another one)\n",
                  origin->spec.step);
    }
  else if (!ifbam_units_parse (options->step, "s", "step", "50 us", &origin->spec.step, &reason))
    return ifbam_command_refuse (error, "--step", options->step, reason);
  else if (!(origin->spec.step > 0))
    return ifbam_command_refuse (error, "--step", options->step, "must be above 0");
  else if (!fits_step (course, origin->spec.step))
    return refuse_step (error, "--step", options->step, course);
  origin->spec.scheme = scheme;
  return TRUE;
}

/* Sets the origin of a course from the network file that computed it. */
static gboolean
load_origin (const IfbamNetworkOptions *options, IfbamCourse *course, const char *of,
             IfbamOrigin *origin, GError **error)
{
  g_auto (IfbamLoaded) loaded = { 0 };
  gsize n;
  const double *times = ifbam_course_get_times (course, &n);

  if (!ifbam_load (&loaded, options, of, FALSE, error))
    return FALSE;
  set_origin (origin, &loaded, n > 0 ? times[n - 1] : 0);
  return fits_step (course, origin->spec.step) || refuse_step (error, "--network", of, course);
}

gboolean
ifbam_command_read_window (const char *from, const char *to, double *first, double *last,
                           GError **error)
{
  g_autofree char *reason = NULL;

  *first = -INFINITY;
  *last = INFINITY;
  if (from != NULL && !ifbam_units_parse (from, "s", "time", "0.5 s", first, &reason))
    return ifbam_command_refuse (error, "--from", from, reason);
  if (to != NULL && !ifbam_units_parse (to, "s", "time", "0.5 s", last, &reason))
    return ifbam_command_refuse (error, "--to", to, reason);
  return *first < *last
         || ifbam_command_refuse (error, "--to", to, "is not after --from (want a later time)");
}

IfbamCourse *
ifbam_command_cut_course (IfbamCourse *course, const char *from, const char *to, GError **error)
{
  g_autoptr (IfbamCourse) whole = course;
  double first, last;

  if (whole == NULL || (from == NULL && to == NULL))
    return g_steal_pointer (&whole);
  return ifbam_command_read_window (from, to, &first, &last, error)
             ? ifbam_course_cut (whole, first, last, error)
             : NULL;
}

/* Reads a file and prints a note of its dialect. */
static IfbamCourse *
read_file (const char *path, GError **error)
{
  IfbamCourse *course = ifbam_course_new_from_file (path, error);

  if (course != NULL && ifbam_course_get_dialect (course) != NULL)
    g_printerr ("ifbam: note: %s was read with %s\n", path, ifbam_course_get_dialect (course));
  return course;
}

IfbamCourse *
ifbam_command_course_and_origin (const IfbamNetworkOptions *options, const char *path,
                                 const char *of, IfbamOrigin *origin, GError **error)
{
  g_autoptr (IfbamCourse) course = NULL, even = NULL;
  double unit;

  *origin = (IfbamOrigin){ 0 };
  if (!ifbam_command_is_course (path))
    return run_network (options, path, origin, error);
  course = read_file (path, error);
  even = course == NULL ? NULL : ifbam_course_even (course, &unit);
  if (course == NULL
      || !(of != NULL ? load_origin (options, even != NULL ? even : course, of, origin, error)
                      : read_origin (options, even != NULL ? even : course, origin, error)))
    return NULL;
  return g_steal_pointer (&course);
}

IfbamCourse *
ifbam_command_course (const IfbamNetworkOptions *options, const char *path, GError **error)
{
  if (ifbam_command_is_course (path))
    return read_file (path, error);
  return run_network (options, path, NULL, error);
}
