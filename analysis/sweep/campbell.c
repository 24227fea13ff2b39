/* campbell.c: eigenfrequencies over a speed of rotation, and the speeds at which orders excite them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/campbell.h"

#include <math.h>
#include <string.h>

#include "base/compare.h"
#include "base/fail.h"
#include "sweep/speed-modes.h"
#include "sweep/steady-amplitudes.h"

/* Speeds are added until the modal assurance criterion of neighbours is above CLEAR, or the interval
 * is this fraction of the whole one. */
#define CLEAR          0.7
#define LEAST_INTERVAL 0x1p-12
#define MAX_SPEEDS     10000
/* Relative accuracy of crossings and of the speeds of peaks. */
#define ACCURACY      1e-12
#define PEAK_ACCURACY 1e-7
/* Relative difference of an order that is rounding. */
#define ORDER_ROUNDING 1e-9
/* Least damping ratio that counts for the distance of speeds around a crossing. */
#define LEAST_DAMPING 1e-4

typedef struct
{
  const IfbamCampbellRequest *request;
  IfbamSpeedAxis axis;
  GPtrArray *points; /* IfbamSpeedModes, by speed */
  IfbamCampbell *campbell;
} Work;

static void
work_clear (Work *work)
{
  ifbam_speed_axis_clear (&work->axis);
  g_ptr_array_unref (work->points);
  ifbam_campbell_free (work->campbell);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static IfbamSpeedModes *
point_at (const Work *work, guint i)
{
  return work->points->pdata[i];
}

static gboolean
may_continue (const Work *work, double part, GError **error)
{
  const IfbamCampbellRequest *request = work->request;

  return request->progress == NULL || request->progress (request->data, part)
         || ifbam_fail (error, IFBAM_ERROR_INTERRUPTED, "interrupted: nothing is written");
}

/* Tracking */

/* TRUE if two oscillating modes have the opposite order of frequencies at the neighbour that `match`
 * refers to: between both speeds their lines cross, or approach and exchange their shapes. */
static gboolean
changes_order (const IfbamSpeedModes *point, const guint *match)
{
  guint before = 0;

  for (gsize m = 0; m < point->shapes->n; m++)
    if (point->shapes->modes[m].frequency > 0 && match[m] != IFBAM_NO_MODE)
      {
        if (match[m] < before)
          return TRUE;
        before = match[m];
      }
  return FALSE;
}

/* Adds speeds between neighbours until it is clear which modes correspond. */
static gboolean
refine (const Work *work, GError **error)
{
  const double least = LEAST_INTERVAL * (work->axis.to - work->axis.from);

  for (guint i = 0; i + 1 < work->points->len;)
    {
      const IfbamSpeedModes *one = point_at (work, i), *next = point_at (work, i + 1);
      g_autofree guint *match = g_new (guint, next->shapes->n + 1);
      const double criterion =
          ifbam_mode_shapes_match (next->shapes, one->shapes, next->shapes->n, match);
      IfbamSpeedModes *middle;

      if (next->speed - one->speed <= least || work->points->len >= MAX_SPEEDS
          || (criterion > CLEAR && !changes_order (next, match)))
        {
          i++;
          continue;
        }
      if (!may_continue (work, 0.5, error))
        return FALSE;
      middle = ifbam_speed_modes_new (&work->axis, 0.5 * (one->speed + next->speed),
                                      work->request->count, error);
      if (middle == NULL)
        return FALSE;
      g_ptr_array_insert (work->points, (gint) i + 1, middle);
    }
  return TRUE;
}

/* Assigns each mode of each point to a track; returns the number of tracks. */
static guint
track_points (const Work *work)
{
  guint n = 0;

  for (guint i = 0; i < work->points->len; i++)
    {
      IfbamSpeedModes *point = point_at (work, i);
      const IfbamSpeedModes *before = i == 0 ? NULL : point_at (work, i - 1);

      ifbam_mode_track_free (point->track);
      point->track = ifbam_mode_track_new (point->shapes);
      if (before != NULL)
        ifbam_mode_shapes_match (point->shapes, before->shapes, point->shapes->n,
                                 point->track->match);
      ifbam_mode_track_place (point->track, before == NULL ? NULL : before->track);
      for (guint m = 0; m < point->track->n; m++)
        n = MAX (n, point->track->slot[m] + 1);
    }
  return n;
}

/* Returns the mode of a track at a point; IFBAM_NO_MODE: none, or it does not oscillate. */
static guint
mode_of (const IfbamSpeedModes *point, guint track)
{
  for (guint m = 0; m < point->track->n; m++)
    if (point->track->slot[m] == track && point->shapes->modes[m].frequency > 0)
      return m;
  return IFBAM_NO_MODE;
}

/* Orders */

/* Adds sources with a frequency in proportion to the speed. */
static void
add_source_orders (const Work *work)
{
  const IfbamSpeedModes *first = point_at (work, 0), *last = point_at (work, work->points->len - 1);
  const IfbamSpeedModes *ends[] = { first, point_at (work, work->points->len / 2), last };
  const double turns = work->axis.turns;

  for (guint k = 0; k < last->sources->len; k++)
    {
      const IfbamExcitation *source = &g_array_index (last->sources, IfbamExcitation, k);
      IfbamOrder own = { NULL, source->frequency / (turns * last->speed) };
      gboolean changes = FALSE, proportional = TRUE;

      for (guint e = 0; e < G_N_ELEMENTS (ends) - 1; e++)
        {
          const gboolean same = k < ends[e]->sources->len; /* none at speed 0 */
          const double frequency =
              same ? g_array_index (ends[e]->sources, IfbamExcitation, k).frequency : 0;

          changes |= fabs (frequency - source->frequency) > ORDER_ROUNDING * source->frequency;
          proportional &= fabs (frequency - own.order * turns * ends[e]->speed)
                          <= ORDER_ROUNDING * source->frequency;
        }
      if (changes && !proportional)
        g_ptr_array_add (work->campbell->unrelated, g_strdup (source->name));
      if (!changes || !proportional)
        continue;
      own.source = g_strdup (source->name);
      g_array_append_val (work->campbell->orders, own);
    }
}

static void
find_orders (const Work *work)
{
  add_source_orders (work);
  for (gsize i = 0; i < work->request->n_orders; i++)
    {
      const IfbamOrder own = { NULL, work->request->orders[i] };

      g_array_append_val (work->campbell->orders, own);
    }
}

/* Crossings */

/* Returns the mode at a point that corresponds to one of another point. */
static guint
counterpart (const IfbamSpeedModes *point, const IfbamSpeedModes *other, guint mode)
{
  g_autofree guint *match = g_new (guint, point->shapes->n + 1);

  ifbam_mode_shapes_match (point->shapes, other->shapes, point->shapes->n, match);
  for (guint m = 0; m < point->shapes->n; m++)
    if (match[m] == mode)
      return m;
  return IFBAM_NO_MODE;
}

/* Solves frequency (speed) = order * turns between two points, by the method of Illinois (Dowell &
 * Jarratt 1971, BIT 11): the difference changes its sign. */
static gboolean
solve_crossing (const Work *work, const IfbamSpeedModes *left, guint mode,
                const IfbamSpeedModes *right, guint other, IfbamCrossing *crossing, GError **error)
{
  const double turns =
      work->axis.turns * g_array_index (work->campbell->orders, IfbamOrder, crossing->order).order;
  const IfbamMode *one = &left->shapes->modes[mode], *two = &right->shapes->modes[other];
  double a = left->speed, b = right->speed;
  double at_a = one->frequency - turns * a, at_b = two->frequency - turns * b;

  for (guint i = 0; i < 60; i++)
    {
      const double speed = at_a == at_b ? a : (a * at_b - b * at_a) / (at_b - at_a);
      g_autoptr (IfbamSpeedModes) point =
          ifbam_speed_modes_new (&work->axis, speed, work->request->count, error);
      const guint m = point == NULL ? 0 : counterpart (point, left, mode);
      double here;

      if (point == NULL)
        return FALSE;
      if (m == IFBAM_NO_MODE)
        return TRUE;
      here = point->shapes->modes[m].frequency - turns * speed;
      crossing->speed = speed;
      crossing->frequency = point->shapes->modes[m].frequency;
      crossing->damping_ratio = point->shapes->modes[m].damping_ratio;
      if (fabs (here) <= ACCURACY * crossing->frequency || fabs (b - a) <= ACCURACY * fabs (speed))
        break;
      if ((here > 0) == (at_b > 0))
        at_a /= 2;
      else
        {
          a = b;
          at_a = at_b;
        }
      b = speed;
      at_b = here;
    }
  g_array_append_val (work->campbell->crossings, *crossing);
  return TRUE;
}

static gboolean
find_crossings_between (const Work *work, guint i, guint n_tracks, GError **error)
{
  const IfbamSpeedModes *left = point_at (work, i), *right = point_at (work, i + 1);

  for (guint track = 0; track < n_tracks; track++)
    {
      const guint mode = mode_of (left, track), other = mode_of (right, track);

      for (guint k = 0; k < work->campbell->orders->len; k++)
        {
          const double turns =
              work->axis.turns * g_array_index (work->campbell->orders, IfbamOrder, k).order;
          IfbamCrossing crossing = { .mode = track, .order = k };

          if (mode == IFBAM_NO_MODE || other == IFBAM_NO_MODE
              || (left->shapes->modes[mode].frequency > turns * left->speed)
                     == (right->shapes->modes[other].frequency > turns * right->speed))
            continue;
          if (!may_continue (work, 0.5 + 0.2 * i / work->points->len, error)
              || !solve_crossing (work, left, mode, right, other, &crossing, error))
            return FALSE;
        }
    }
  return TRUE;
}

static int
compare_crossings (gconstpointer a, gconstpointer b)
{
  const IfbamCrossing *one = a, *other = b;

  return ifbam_compare_doubles (&one->speed, &other->speed);
}

static gboolean
find_crossings (const Work *work, guint n_tracks, GError **error)
{
  for (guint i = 0; i + 1 < work->points->len; i++)
    if (!find_crossings_between (work, i, n_tracks, error))
      return FALSE;
  g_array_sort (work->campbell->crossings, compare_crossings);
  return TRUE;
}

/* Amplitudes */

/* Adds the speed of a crossing, and more around it up to the distance of the grid. */
static void
add_speeds (const Work *work, const IfbamCrossing *crossing, GArray *speeds)
{
  const double spacing = (work->axis.to - work->axis.from) / (work->axis.n - 1);
  double distance = 0.25 * fmax (fabs (crossing->damping_ratio), LEAST_DAMPING) * crossing->speed;

  g_array_append_val (speeds, crossing->speed);
  for (guint i = 0; distance < spacing; i++)
    {
      const double below = crossing->speed - distance, above = crossing->speed + distance;

      if (below > work->axis.from)
        g_array_append_val (speeds, below);
      if (above < work->axis.to)
        g_array_append_val (speeds, above);
      /* equal distances near the peak, then growing ones */
      distance = i < 7 ? distance * (i + 2) / (i + 1) : 1.4 * distance;
    }
}

/* Adds points around the crossings of the sources' orders. */
static gboolean
resolve_peaks (const Work *work, GError **error)
{
  g_autoptr (GArray) speeds = g_array_new (FALSE, FALSE, sizeof (double));
  guint i = 0;

  for (guint k = 0; k < work->campbell->crossings->len; k++)
    {
      const IfbamCrossing *own = &g_array_index (work->campbell->crossings, IfbamCrossing, k);

      if (g_array_index (work->campbell->orders, IfbamOrder, own->order).source != NULL)
        add_speeds (work, own, speeds);
    }
  g_array_sort (speeds, ifbam_compare_doubles);
  for (guint k = 0; k < speeds->len; k++)
    {
      const double speed = g_array_index (speeds, double, k);
      IfbamSpeedModes *point;

      while (point_at (work, i)->speed < speed)
        i++;
      if (point_at (work, i)->speed == speed)
        continue;
      if (!may_continue (work, 0.7, error))
        return FALSE;
      point = ifbam_speed_modes_new (&work->axis, speed, work->request->count, error);
      if (point == NULL)
        return FALSE;
      g_ptr_array_insert (work->points, (gint) i, point);
    }
  return TRUE;
}

/* Computes the amplitudes at a speed; NaN without excitation (n_signals). */
static gboolean
find_amplitudes_at (const Work *work, double speed, double *amplitude, GError **error)
{
  IfbamCampbell *campbell = work->campbell;
  g_auto (IfbamAtSpeed) at = { 0 };
  g_auto (IfbamSteadyAmplitudes) found = { 0 };

  if (!ifbam_speed_axis_load (&work->axis, speed, &at, error)
      || !ifbam_steady_amplitudes_find (at.model, &at.spec, at.network->by_name,
                                        work->request->signals, &found, error))
    return FALSE;
  if (campbell->signals == NULL && found.names != NULL)
    {
      campbell->n_signals = found.n;
      campbell->signals = g_ptr_array_ref (found.names);
      campbell->units = g_ptr_array_ref (found.units);
    }
  for (guint s = 0; s < campbell->n_signals; s++)
    if (amplitude != NULL)
      amplitude[s] = s < found.n ? found.amplitude[s] : NAN;
  return TRUE;
}

/* Finds the largest amplitude of a signal near point i, by golden sections (Kiefer 1953). */
static gboolean
find_peak (const Work *work, guint signal, guint i, IfbamAmplitudePeak *peak, GError **error)
{
  const double ratio = 0.5 * (sqrt (5) - 1);
  const IfbamCampbell *campbell = work->campbell;
  g_autofree double *amplitude = g_new0 (double, campbell->n_signals + 1);
  double a = campbell->speed[i == 0 ? 0 : i - 1];
  double b = campbell->speed[MIN (i + 1, campbell->n - 1)];
  double x[2] = { b - ratio * (b - a), a + ratio * (b - a) }, y[2] = { NAN, NAN };

  *peak = (IfbamAmplitudePeak){ campbell->speed[i], campbell->amplitude[signal * campbell->n + i] };
  while (isfinite (peak->amplitude) && b - a > PEAK_ACCURACY * fabs (b))
    {
      guint k;

      for (guint s = 0; s < 2; s++)
        {
          if (!isnan (y[s]))
            continue;
          if (!find_amplitudes_at (work, x[s], amplitude, error))
            return FALSE;
          y[s] = amplitude[signal];
          if (y[s] > peak->amplitude)
            *peak = (IfbamAmplitudePeak){ x[s], y[s] };
        }
      k = y[0] > y[1] ? 0 : 1; /* the better one stays within [a, b] */
      if (k == 0)
        b = x[1];
      else
        a = x[0];
      x[1 - k] = x[k];
      y[1 - k] = y[k];
      x[k] = k == 0 ? b - ratio * (b - a) : a + ratio * (b - a);
      y[k] = NAN;
    }
  return TRUE;
}

static gboolean
find_peaks (const Work *work, GError **error)
{
  IfbamCampbell *campbell = work->campbell;

  campbell->peaks = g_new0 (IfbamAmplitudePeak, campbell->n_signals + 1);
  for (guint s = 0; s < campbell->n_signals; s++)
    {
      const double *amplitude = campbell->amplitude + s * campbell->n;
      guint best = 0;

      for (guint i = 1; i < campbell->n; i++)
        if (!(amplitude[i] <= amplitude[best]))
          best = isnan (amplitude[i]) ? best : i;
      if (!may_continue (work, 0.95, error)
          || !find_peak (work, s, best, &campbell->peaks[s], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
find_amplitudes (const Work *work, GError **error)
{
  IfbamCampbell *campbell = work->campbell;
  g_autofree double *first = NULL;

  if (point_at (work, work->points->len - 1)->sources->len == 0)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "--signal: no source has a sine with a frequency above 0 (want such as "
                       "frequency = 2 * $speed / (2 * pi * 1 rad))");
  /* The first evaluation sets the number of signals; at speed 0 no source would act. */
  if (!find_amplitudes_at (work, work->axis.to, NULL, error))
    return FALSE;
  campbell->amplitude = g_new (double, (gsize) campbell->n_signals * campbell->n + 1);
  first = g_new0 (double, campbell->n_signals + 1);
  for (guint i = 0; i < campbell->n; i++)
    {
      if (!may_continue (work, 0.75 + 0.2 * i / (double) campbell->n, error)
          || !find_amplitudes_at (work, campbell->speed[i], first, error))
        return FALSE;
      for (guint s = 0; s < campbell->n_signals; s++)
        campbell->amplitude[s * campbell->n + i] = first[s];
    }
  return find_peaks (work, error);
}

/* Result */

/* Writes the tracks of modes that oscillate somewhere, the slowest first. */
static void
write_tracks (const Work *work, guint n_tracks)
{
  IfbamCampbell *campbell = work->campbell;
  const guint n = campbell->n = work->points->len;
  g_autofree guint *column = g_new (guint, n_tracks + 1);
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (IfbamCrossing));

  campbell->speed = g_new (double, n);
  for (guint i = 0; i < n; i++)
    campbell->speed[i] = point_at (work, i)->speed;
  campbell->frequency = g_new (double, (gsize) n *n_tracks + 1);
  campbell->damping_ratio = g_new (double, (gsize) n *n_tracks + 1);
  campbell->whirl = g_new0 (IfbamWhirl, (gsize) n * n_tracks + 1);
  for (guint track = 0; track < n_tracks; track++)
    {
      const gsize at = (gsize) campbell->n_modes * n;
      gboolean any = FALSE;

      for (guint i = 0; i < n; i++)
        {
          const IfbamSpeedModes *point = point_at (work, i);
          const guint m = mode_of (point, track);

          any |= m != IFBAM_NO_MODE;
          campbell->frequency[at + i] =
              m == IFBAM_NO_MODE ? NAN : point->shapes->modes[m].frequency;
          campbell->damping_ratio[at + i] =
              m == IFBAM_NO_MODE ? NAN : point->shapes->modes[m].damping_ratio;
          campbell->whirl[at + i] = m == IFBAM_NO_MODE ? IFBAM_WHIRL_NONE : point->whirl[m];
        }
      column[track] =
          any && campbell->n_modes < work->request->count ? campbell->n_modes++ : IFBAM_NO_MODE;
    }
  for (guint k = 0; k < campbell->crossings->len; k++)
    {
      IfbamCrossing own = g_array_index (campbell->crossings, IfbamCrossing, k);

      own.mode = column[own.mode];
      if (own.mode != IFBAM_NO_MODE)
        g_array_append_val (kept, own);
    }
  g_array_set_size (campbell->crossings, 0);
  g_array_append_vals (campbell->crossings, kept->data, kept->len);
}

static void
order_clear (gpointer data)
{
  g_free (((IfbamOrder *) data)->source);
}

static IfbamCampbell *
campbell_new_empty (const IfbamSpeedAxis *axis)
{
  IfbamCampbell *campbell = g_new0 (IfbamCampbell, 1);

  campbell->name = g_strdup (axis->name);
  campbell->unit = g_strdup (axis->unit);
  campbell->turns = axis->turns;
  campbell->nominal = axis->nominal;
  campbell->orders = g_array_new (FALSE, FALSE, sizeof (IfbamOrder));
  g_array_set_clear_func (campbell->orders, order_clear);
  campbell->crossings = g_array_new (FALSE, FALSE, sizeof (IfbamCrossing));
  campbell->unrelated = g_ptr_array_new_with_free_func (g_free);
  return campbell;
}

/* Computes the modes at the speeds of the grid. */
static gboolean
compute_grid (const Work *work, GError **error)
{
  for (guint i = 0; i < work->axis.n; i++)
    {
      const double part = (double) i / (work->axis.n - 1);
      const double speed = work->axis.from + part * (work->axis.to - work->axis.from);
      IfbamSpeedModes *point =
          may_continue (work, 0.5 * part, error)
              ? ifbam_speed_modes_new (&work->axis, i + 1 < work->axis.n ? speed : work->axis.to,
                                       work->request->count, error)
              : NULL;

      if (point == NULL)
        return FALSE;
      g_ptr_array_add (work->points, point);
    }
  return refine (work, error);
}

IfbamCampbell *
ifbam_campbell_new (const IfbamCampbellRequest *request, GError **error)
{
  G_GNUC_UNUSED g_auto (IfbamBlas) blas = ifbam_blas_begin ();
  g_auto (Work)
      work = { .request = request,
               .points = g_ptr_array_new_with_free_func ((GDestroyNotify) ifbam_speed_modes_free) };

  if (!ifbam_speed_axis_init (&work.axis, request->bytes, request->settings, request->speed, error))
    return NULL;
  work.campbell = campbell_new_empty (&work.axis);
  if (!compute_grid (&work, error))
    return NULL;
  find_orders (&work);
  if (!find_crossings (&work, track_points (&work), error)
      || (request->signals != NULL && !resolve_peaks (&work, error)))
    return NULL;
  work.campbell->nonlinear = g_strdupv (point_at (&work, 0)->nonlinear);
  work.campbell->held = point_at (&work, 0)->held;
  write_tracks (&work, track_points (&work));
  if (request->signals != NULL && !find_amplitudes (&work, error))
    return NULL;
  return g_steal_pointer (&work.campbell);
}

void
ifbam_campbell_free (IfbamCampbell *campbell)
{
  if (campbell == NULL)
    return;
  g_free (campbell->name);
  g_free (campbell->unit);
  g_free (campbell->speed);
  g_free (campbell->frequency);
  g_free (campbell->damping_ratio);
  g_free (campbell->whirl);
  g_array_unref (campbell->orders);
  g_array_unref (campbell->crossings);
  g_ptr_array_unref (campbell->unrelated);
  g_clear_pointer (&campbell->signals, g_ptr_array_unref);
  g_clear_pointer (&campbell->units, g_ptr_array_unref);
  g_free (campbell->amplitude);
  g_free (campbell->peaks);
  g_strfreev (campbell->nonlinear);
  g_free (campbell);
}
