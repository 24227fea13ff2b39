/* slip-direction.c: slip direction of frictions in the plane
 *
 * Sticking in the plane, u = 0, is two constraints, along x and y. Sliding friction is one force,
 * against u / |u|. |u| has a kink at 0, which no step may cross, and near 0 the direction rotates
 * fast. So a step in which the slip may stop keeps one direction d: the slip along d passes 0
 * smoothly and is located like any rate. With acceleration f by other forces and deceleration k by
 * friction, d leads straight to 0: u + t (f - k d) = 0. A slip too slow to be followed, as at its
 * start, keeps its direction at the step's end (implicit Euler): d along u + h f.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/slip-direction.h"

#include <math.h>
#include <string.h>

#include "event/advance-islands.h"
#include "event/constraint-reactions.h"
#include "event/event-links.h"

static const double along_x[] = { 1, 0 };

/* A slip that may stop in so many steps keeps its direction; with forces in flight, earlier. */
#define STOP_STEPS    2
#define AHEAD_LATENCY 4

/* Sets the direction (2) in the geometry of both constraints of a planar friction only. */
static void
aim (IfbamEventEngine *self, guint32 index, const double *direction)
{
  for (guint32 k = index; k <= index + 1; k++)
    memcpy (self->links.aimed[k].shape + ifbam_link (self, k)->geometry->direction, direction,
            2 * sizeof (double));
}

void
ifbam_event_set_slip_direction (IfbamEventEngine *self, guint32 index, const double *direction)
{
  static const double along_slip[] = { NAN, NAN };
  const double *wanted = direction == NULL ? along_slip : direction;

  for (guint32 k = index; k <= index + 1; k++)
    memcpy (self->links.state[k].slip_direction, wanted, 2 * sizeof (double));
  aim (self, index, wanted);
}

void
ifbam_event_copy_slip_directions (IfbamEventEngine *self)
{
  for (guint32 j = 0; j < self->base.model->unbatched_links->len && self->links.aimed != NULL; j++)
    for (guint c = 0; c < 2 && ifbam_link (self, j)->geometry->direction > 0; c++)
      self->links.aimed[j].shape[ifbam_link (self, j)->geometry->direction + c] =
          self->links.state[j].slip_direction[c];
}

void
ifbam_event_set_sticking (IfbamEventEngine *self, guint32 index, gboolean sticks)
{
  self->links.state[index + 1].mode = sticks ? IFBAM_MODE_STUCK : IFBAM_MODE_LOOSE;
  if (!sticks)
    return;
  self->links.state[index].mode = IFBAM_MODE_STUCK;
  ifbam_event_set_slip_direction (self, index, along_x);
}

/* Computes the slip [m/s] and its acceleration without its own friction [m/s^2], along x and y.
 * Returns the deceleration by this friction [m/s^2]. */
static double
measure_slip (IfbamEventEngine *self, guint32 index, double *slip, double *rest)
{
  const IfbamIsland *island;
  guint32 islands[IFBAM_MAX_PORTS];
  double delta, size, brake, own[2];

  ifbam_event_link_islands (self, index, islands);
  island = ifbam_island (self, islands[0]);
  for (guint c = 0; c < 2; c++)
    own[c] = self->links.state[index].slip_direction[c];
  ifbam_event_accelerations (self, islands[0], self->nodes.x, self->nodes.v,
                             ifbam_event_time_at (self, island->time), TRUE);
  ifbam_event_set_slip_direction (self, index, along_x);
  for (guint c = 0; c < 2; c++)
    {
      slip[c] = ifbam_link_rate (self, index + c, &delta);
      rest[c] = ifbam_link_acceleration (self, index + c);
    }
  brake = ifbam_link_constraint (self, index).coulomb * ifbam_link_inverse_mass (self, index);
  size = sqrt (slip[0] * slip[0] + slip[1] * slip[1]);
  for (guint c = 0; c < 2; c++)
    rest[c] += brake * (!isnan (own[c]) ? own[c] : size > 0 ? slip[c] / size : 0);
  return brake;
}

static double
product (const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1];
}

/* Returns the time [s] until friction along d stops the slip, |u + t f| = k t; or INFINITY. */
static double
time_to_stop (const double *slip, const double *rest, double brake)
{
  const double along = product (slip, rest), square = product (slip, slip);
  const double root = along * along + (brake * brake - product (rest, rest)) * square;

  return root >= 0 && sqrt (root) > along ? square / (sqrt (root) - along) : INFINITY;
}

void
ifbam_event_update_slip_direction (IfbamEventEngine *self, guint32 index)
{
  const double step = self->base.spec->step,
               ahead = (self->latency ? AHEAD_LATENCY : STOP_STEPS) * step;
  const gboolean starts = self->links.state[index].mode == IFBAM_MODE_STARTING_FORWARD;
  double slip[2], rest[2], direction[2], brake, stop, length, size;

  if (!starts)
    ifbam_event_set_slip_direction (self, index, NULL);
  brake = measure_slip (self, index, slip, rest);
  stop = starts ? INFINITY : time_to_stop (slip, rest, brake);
  length = stop <= ahead ? stop : step;
  for (guint c = 0; c < 2; c++)
    direction[c] = slip[c] + length * rest[c];
  size = sqrt (product (direction, direction));
  for (guint c = 0; c < 2; c++)
    direction[c] /= size;
  if (stop > ahead && product (slip, slip) > ahead * brake * (ahead * brake))
    ifbam_event_set_slip_direction (self, index, NULL);
  else if (size > 0 && (starts || product (direction, slip) >= 0))
    ifbam_event_set_slip_direction (self, index, direction);
  else
    {
      size = sqrt (product (slip, slip));
      for (guint c = 0; c < 2; c++)
        direction[c] = slip[c] / size;
      ifbam_event_set_slip_direction (self, index, size > 0 ? direction : along_x);
    }
}

void
ifbam_event_update_slip_directions (IfbamEventEngine *self, guint32 island)
{
  if (self->links.aimed == NULL)
    return;
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_LIST (index, component, own)
  if (ifbam_link (self, *index)->leads
      && ifbam_friction_direction (self->links.state[*index].mode) != 0)
    ifbam_event_update_slip_direction (self, *index);
}

void
ifbam_event_hold_slip_directions (IfbamEventEngine *self, guint32 island)
{
  const double back = AHEAD_LATENCY * self->base.spec->step;
  double slip[2], rest[2];

  if (self->links.aimed == NULL)
    return;
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_LIST (index, component, own)
  if (ifbam_link (self, *index)->leads
      && ifbam_friction_direction (self->links.state[*index].mode) != 0
      && isnan (self->links.state[*index].slip_direction[0]))
    {
      const double brake = measure_slip (self, *index, slip, rest);
      const double size = sqrt (product (slip, slip));
      const double direction[] = { slip[0] / size, slip[1] / size };

      ifbam_event_set_slip_direction (self, *index, NULL);
      for (guint c = 0; c < 2; c++)
        rest[c] -= brake * direction[c];
      /* nearest to 0 in the last steps */
      if (product (slip, rest) > 0 && product (slip, rest) < back * product (rest, rest))
        aim (self, *index, direction);
    }
}
