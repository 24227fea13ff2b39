/* link.c: the geometry of a link, by the forms of its ends
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/link.h"

#include "element/geometry-plane.h"

static gboolean
is_ball (guint form)
{
  return form == IFBAM_FORM_BALL || form == IFBAM_FORM_ROUND || form == IFBAM_FORM_TABLE;
}

const IfbamGeometry *
ifbam_link_geometry (guint n, guint left, guint right, guint32 forms, const IfbamGeometry *straight,
                     const IfbamGeometry *ends)
{
  if (forms == 0)
    forms = IFBAM_BETWEEN_NODES;
  if (n == 1)
    return left == IFBAM_FORM_NODE && (forms & IFBAM_ON_NODE) != 0     ? &ifbam_point
           : is_ball (left) && (forms & IFBAM_ON_BALL) != 0            ? &ifbam_ball_path
           : left == IFBAM_FORM_TABLE && (forms & IFBAM_ON_TABLE) != 0 ? &ifbam_roll
           : left == IFBAM_FORM_BALL && (forms & IFBAM_ON_SPIN) != 0   ? &ifbam_ball_spin
           : ifbam_form_turns (left) && (forms & IFBAM_ON_SPIN) != 0   ? &ifbam_body_spin
                                                                       : NULL;
  if (left == IFBAM_FORM_NODE && right == IFBAM_FORM_NODE)
    return (forms & IFBAM_BETWEEN_NODES) == 0 ? NULL
           : straight != NULL                 ? straight
                                              : &ifbam_difference;
  if ((forms & IFBAM_BETWEEN_ENDS) != 0 && ifbam_form_in_plane (left) && ifbam_form_in_plane (right)
      && !((forms & IFBAM_BETWEEN_BALLS) != 0 && is_ball (left) && is_ball (right)))
    return ends;
  if ((forms & IFBAM_BETWEEN_BALLS) == 0)
    return NULL;
  if (ifbam_form_in_plane (left) && ifbam_form_in_plane (right))
    return &ifbam_balls;
  return (ifbam_form_in_plane (left) && right == IFBAM_FORM_SURFACE)
                 || (left == IFBAM_FORM_SURFACE && ifbam_form_in_plane (right))
             ? &ifbam_ball_surface
             : NULL;
}

const char *
ifbam_link_forms_text (guint32 forms)
{
  const gboolean points = forms == 0 || (forms & IFBAM_BETWEEN_NODES) != 0;

  if ((forms & IFBAM_BETWEEN_ENDS) != 0 && (forms & IFBAM_BETWEEN_BALLS) == 0)
    return points ? "two nodes on a line, or two points of the plane: points, balls, bodies"
                  : "two points of the plane: points, balls, bodies";
  if ((forms & IFBAM_BETWEEN_BALLS) == 0)
    return "two nodes on a line";
  return points ? "two nodes on a line, two balls or points, or one of these and a surface"
                : "two balls or points, or one of these and a surface";
}

void
ifbam_link_run_by_lookup (IfbamLinkKernel kernel, guint n_numbers, const IfbamLinkBatch *batch,
                          gsize first, gsize left, gsize right, gsize n)
{
  const double *parameters[IFBAM_MAX_LAW];
  IfbamLinkBatch one = *batch;

  one.parameters = parameters;
  for (gsize i = 0; i < n; i++)
    {
      const guint32 l = (guint32) (left + i), r = (guint32) (right + i);
      guint32 state[IFBAM_MAX_STATES];

      one.left = &l;
      one.right = &r;
      one.output = batch->output + first + i;
      one.far = batch->far == NULL ? NULL : batch->far + first + i;
      for (guint k = 0; k < n_numbers; k++)
        parameters[k] = batch->parameters[k] + first + i;
      for (guint k = 0; k < IFBAM_MAX_STATES; k++)
        {
          state[k] = (guint32) (batch->run_state[k] + i);
          one.state[k] = &state[k];
          one.state_rate[k] =
              batch->state_rate[k] == NULL ? NULL : batch->state_rate[k] + first + i;
        }
      kernel (&one, 0, 1);
    }
}
