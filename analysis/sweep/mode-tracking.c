/* mode-tracking.c: tracks modes by shape from variant to variant of a sweep
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/mode-tracking.h"

#include <math.h>
#include <string.h>

#include "base/dot.h"

/* Weight of the eigenvalues' distance in the criterion: overdamped modes may have one shape. */
#define NEARNESS 0.01

IfbamModeShapes *
ifbam_mode_shapes_new (IfbamModes *modes, const IfbamModel *model)
{
  IfbamModeShapes *shapes = g_new0 (IfbamModeShapes, 1);
  const gsize n_nodes = ifbam_model_n_named_free (model);
  const IfbamMode *mode = ifbam_modes_get_modes (modes, &shapes->n);
  gboolean is_complex = FALSE;

  shapes->n_nodes = n_nodes;
  shapes->modes = g_memdup2 (mode, shapes->n * sizeof *mode);
  for (gsize m = 0; m < shapes->n; m++)
    {
      gsize n;

      is_complex |= ifbam_modes_get_imaginary_shape (modes, m, &n) != NULL;
    }
  shapes->real = g_new (double, shapes->n *n_nodes + 1);
  shapes->imaginary = is_complex ? g_new0 (double, shapes->n *n_nodes + 1) : NULL;
  for (gsize m = 0; m < shapes->n; m++)
    {
      gsize n;
      const double *real = ifbam_modes_get_shape (modes, m, &n);
      const double *imaginary = ifbam_modes_get_imaginary_shape (modes, m, &n);
      double *u = shapes->real + m * n_nodes;
      double *v = imaginary == NULL ? NULL : shapes->imaginary + m * n_nodes;
      double squares = 0, scale;

      for (gsize i = 0; i < n_nodes; i++)
        {
          const double root = sqrt (ifbam_model_inertia (model, ifbam_model_named_node (model, i)));

          u[i] = root * real[i];
          squares += u[i] * u[i];
          if (v == NULL)
            continue;
          v[i] = root * imaginary[i];
          squares += v[i] * v[i];
        }
      scale = squares > 0 ? 1 / sqrt (squares) : 0;
      for (gsize i = 0; i < n_nodes; i++)
        u[i] *= scale;
      for (gsize i = 0; v != NULL && i < n_nodes; i++)
        v[i] *= scale;
    }
  return shapes;
}

void
ifbam_mode_shapes_free (IfbamModeShapes *shapes)
{
  if (shapes == NULL)
    return;
  g_free (shapes->modes);
  g_free (shapes->real);
  g_free (shapes->imaginary);
  g_free (shapes);
}

/* |a^H b|^2 */
static double
criterion (const IfbamModeShapes *a, gsize m, const IfbamModeShapes *b, gsize l)
{
  const gsize n = a->n_nodes, at = m * n, to = l * n;
  double real = ifbam_dot (a->real + at, b->real + to, n), imaginary = 0;

  if (a->imaginary != NULL && b->imaginary != NULL)
    real += ifbam_dot (a->imaginary + at, b->imaginary + to, n);
  if (a->imaginary != NULL)
    imaginary -= ifbam_dot (a->imaginary + at, b->real + to, n);
  if (b->imaginary != NULL)
    imaginary += ifbam_dot (a->real + at, b->imaginary + to, n);
  return real * real + imaginary * imaginary;
}

/* Returns the distance of eigenvalues, 0 to 1. */
static double
distance (const IfbamMode *a, const IfbamMode *b)
{
  const double omega = 2 * G_PI * a->frequency, other = 2 * G_PI * b->frequency;
  const double sum = hypot (omega, a->decay_rate) + hypot (other, b->decay_rate);

  return sum > 0 ? hypot (omega - other, a->decay_rate - b->decay_rate) / sum : 0;
}

typedef struct
{
  guint mine, its;
  double criterion, score;
} Pair;

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *one = a, *other = b;

  if (one->score != other->score)
    return one->score > other->score ? -1 : 1;
  return one->mine != other->mine ? (one->mine > other->mine ? 1 : -1)
                                  : (one->its > other->its) - (one->its < other->its);
}

/* With other nodes, shapes can't be compared. */
static double
match_by_rank (const IfbamModeShapes *shapes, const IfbamModeShapes *other, guint *match)
{
  for (guint m = 0; m < shapes->n; m++)
    match[m] = m < other->n ? m : IFBAM_NO_MODE;
  return 0;
}

double
ifbam_mode_shapes_match (const IfbamModeShapes *shapes, const IfbamModeShapes *other,
                         gsize n_wanted, guint *match)
{
  const gsize n_pairs = shapes->n * other->n;
  g_autofree Pair *pairs = NULL;
  g_autofree gboolean *taken = NULL;
  double least = 1;

  if (shapes->n_nodes != other->n_nodes)
    return match_by_rank (shapes, other, match);
  pairs = g_new (Pair, n_pairs + 1);
  taken = g_new0 (gboolean, other->n + 1);
  for (guint m = 0; m < shapes->n; m++)
    {
      match[m] = IFBAM_NO_MODE;
      for (guint l = 0; l < other->n; l++)
        {
          Pair *pair = &pairs[m * other->n + l];

          *pair = (Pair){ m, l, criterion (shapes, m, other, l), 0 };
          pair->score = pair->criterion - NEARNESS * distance (&shapes->modes[m], &other->modes[l]);
        }
    }
  qsort (pairs, n_pairs, sizeof *pairs, compare_pairs);
  for (gsize p = 0; p < n_pairs; p++)
    {
      const Pair *pair = &pairs[p];

      if (match[pair->mine] != IFBAM_NO_MODE || taken[pair->its])
        continue;
      match[pair->mine] = pair->its;
      taken[pair->its] = TRUE;
      if (pair->mine < n_wanted || pair->its < n_wanted)
        least = MIN (least, pair->criterion);
    }
  return least;
}

IfbamModeTrack *
ifbam_mode_track_new (const IfbamModeShapes *shapes)
{
  IfbamModeTrack *track = g_new0 (IfbamModeTrack, 1);

  track->reference = G_MAXUINT64;
  track->n = (guint) shapes->n;
  track->match = g_new (guint, shapes->n + 1);
  track->slot = g_new (guint, shapes->n + 1);
  track->modes = g_memdup2 (shapes->modes, shapes->n * sizeof *shapes->modes);
  return track;
}

void
ifbam_mode_track_free (IfbamModeTrack *track)
{
  if (track == NULL)
    return;
  g_free (track->match);
  g_free (track->slot);
  g_free (track->modes);
  g_free (track);
}

void
ifbam_mode_track_place (IfbamModeTrack *track, const IfbamModeTrack *reference)
{
  const guint room = track->n + (reference == NULL ? 0 : reference->n);
  g_autofree gboolean *taken = g_new0 (gboolean, room + 1);
  guint next = 0;

  for (guint m = 0; m < track->n; m++)
    {
      const guint match = reference == NULL ? IFBAM_NO_MODE : track->match[m];

      track->slot[m] = match == IFBAM_NO_MODE ? IFBAM_NO_MODE : reference->slot[match];
      if (track->slot[m] < room)
        taken[track->slot[m]] = TRUE;
    }
  for (guint m = 0; m < track->n; m++)
    {
      if (track->slot[m] != IFBAM_NO_MODE)
        continue;
      while (taken[next])
        next++;
      track->slot[m] = next++;
    }
}
