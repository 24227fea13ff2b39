/* small-motions.c: small motions of a network about its start: M x'' + C x' + K x = 0
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/small-motions.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

/* Fraction of cancelling entries below which their sum is rounding. */
#define CANCELLATION_ROUNDING 1e-14

void
ifbam_small_motions_free (IfbamSmallMotions *motions)
{
  if (motions == NULL)
    return;
  ifbam_linearization_free (motions->links);
  g_array_unref (motions->extra);
  g_array_unref (motions->gyrations);
  g_array_unref (motions->circulations);
  g_free (motions->stiffness);
  g_free (motions->damping);
  g_free (motions->turning);
  g_free (motions->inertia);
  ifbam_null_space_free (motions->null_space);
  g_free (motions->mode);
  g_array_unref (motions->relations);
  g_free (motions);
}

/* Returns the link's name and mode; within a clearance also the setting that closes it. */
static char *
link_text (const IfbamLink *link, int mode)
{
  const int play = ifbam_element_param_index (link->info, "play");

  if (play >= 0 && link->law->modes != NULL && g_str_equal (link->law->modes[mode], "free"))
    return g_strdup_printf ("%s (free: --set %s.play=0%s closes it)", link->name, link->name,
                            g_str_equal (link->info->params[play].unit, "rad") ? "deg" : "");
  if (link->law->modes == NULL || (guint) mode >= g_strv_length ((char **) link->law->modes))
    return g_strdup (link->name);
  return g_strdup_printf ("%s (%s)", link->name, link->law->modes[mode]);
}

/* Returns TRUE if neither a link's Jacobian row nor its law's derivatives depend on the state. */
static gboolean
is_linear (const IfbamLink *link)
{
  const IfbamLaw *law = link->law;
  double stiffness, damping;

  if (link->geometry->velocity_term != NULL)
    return FALSE;
  return ifbam_link_is_fixed (link)
         || (law->modes == NULL && law->slopes != NULL
             && !law->slopes (link->numbers, 0, 0, 0, &stiffness, &damping));
}

char **
ifbam_small_motions_list_nonlinear (const IfbamSmallMotions *motions)
{
  const IfbamModel *model = motions->model;
  const IfbamLinearization *links = motions->links;
  const guint batched = links->n_nonlinear > 0 ? IFBAM_LINKS_BATCHED : 0;
  GPtrArray *names = g_ptr_array_new ();

  for (IfbamLinkIter at = ifbam_links (model, batched | IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    {
      const IfbamLink *link = at.link;

      if (at.slot < G_MAXSIZE)
        {
          if (links->nonlinear[at.slot] != 0 && ifbam_link_has_free_node (model, link))
            g_ptr_array_add (names, ifbam_link_iter_name (&at));
          continue;
        }
      /* Monitors have neither force nor constraint. */
      if (is_linear (link))
        continue;
      if (link->law->force != NULL
          || link->law->constraint (link->numbers, motions->mode[at.number]).kind
                 != IFBAM_CONSTRAINT_NONE)
        g_ptr_array_add (names, link_text (link, motions->mode[at.number]));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

void
ifbam_motion_iter_init (IfbamMotionIter *iter, const IfbamSmallMotions *motions)
{
  const gsize most =
      IFBAM_MAX_PORTS * (motions->null_space != NULL ? motions->null_space->most : 1);

  *iter = (IfbamMotionIter){ .motions = motions,
                             .links = ifbam_links (motions->model, IFBAM_LINKS_STORED) };
  iter->row.at = g_new (gsize, most + 1);
  iter->row.entry = g_new (double, most + 1);
}

void
ifbam_motion_iter_clear (IfbamMotionIter *iter)
{
  g_free (iter->row.at);
  g_free (iter->row.entry);
}

void
ifbam_coordinate_row_add (const IfbamSmallMotions *motions, IfbamCoordinateRow *row, gsize node,
                          double entry)
{
  const IfbamNullSpace *null_space = motions->null_space;
  gsize at = 0, first, n;

  if (node >= motions->model->n_free)
    return;
  if (null_space == NULL)
    {
      row->at[row->n] = node;
      row->entry[row->n++] = entry;
      return;
    }
  first = null_space->first[node];
  n = ifbam_null_space_count (null_space, node);
  /* Two nodes have the same coordinates, or none in common. */
  while (at < row->n && row->at[at] != first)
    at++;
  for (gsize k = 0; k < n; k++)
    {
      const double part = entry * null_space->factor[null_space->start[node] + k];

      if (at + k < row->n)
        {
          double *sum = &row->entry[at + k];

          *sum += part;
          if (fabs (*sum) <= CANCELLATION_ROUNDING * fabs (part))
            *sum = 0;
        }
      else
        {
          row->at[row->n] = first + k;
          row->entry[row->n++] = part;
        }
    }
}

IfbamCoordinateRow *
ifbam_motion_iter_next (IfbamMotionIter *iter)
{
  const IfbamSmallMotions *motions = iter->motions;
  IfbamCoordinateRow *row = &iter->row;

  for (row->n = 0; row->n == 0;)
    if (ifbam_link_iter_next (&iter->links))
      {
        row->number = iter->links.slot;
        ifbam_coordinate_row_add (motions, row, iter->links.link->node[0], 1.0);
        ifbam_coordinate_row_add (motions, row, iter->links.link->node[1],
                                  -ifbam_link_ratio (iter->links.link));
      }
    else if (iter->index < motions->extra->len)
      {
        const IfbamMotionRow *extra =
            &g_array_index (motions->extra, IfbamMotionRow, iter->index++);

        row->number = extra->number;
        for (guint e = 0; e < extra->n; e++)
          ifbam_coordinate_row_add (motions, row, extra->at[e], extra->entry[e]);
      }
    else
      return NULL;
  return row;
}

IfbamCoordinateRow *
ifbam_motion_iter_set (IfbamMotionIter *iter, guint n, const guint32 *node, const double *entry)
{
  iter->row.n = 0;
  for (guint e = 0; e < n; e++)
    ifbam_coordinate_row_add (iter->motions, &iter->row, node[e], entry[e]);
  return &iter->row;
}

void
ifbam_small_motions_each_gyration (const IfbamSmallMotions *motions, const GArray *gyrations,
                                   IfbamEntryFunc func, gpointer data)
{
  g_auto (IfbamMotionIter) rows = { 0 }, columns = { 0 };

  ifbam_motion_iter_init (&rows, motions);
  ifbam_motion_iter_init (&columns, motions);
  for (guint g = 0; g < gyrations->len; g++)
    {
      const IfbamGyration *own = &g_array_index (gyrations, IfbamGyration, g);
      const double one = 1;

      for (guint e = 0; e < own->n; e++)
        for (guint f = 0; f < own->n; f++)
          {
            const IfbamCoordinateRow *felt =
                ifbam_motion_iter_set (&rows, 1, &own->node[e], &own->matrix[e + f * own->n]);
            const IfbamCoordinateRow *moved =
                ifbam_motion_iter_set (&columns, 1, &own->node[f], &one);

            for (gsize i = 0; i < felt->n; i++)
              for (gsize j = 0; j < moved->n; j++)
                func (data, felt->at[i], moved->at[j], felt->entry[i] * moved->entry[j]);
          }
    }
}

static void
add_entry (gpointer triplets, gsize row, gsize column, double value)
{
  ifbam_triplets_add (triplets, row, column, value);
}

IfbamSparse *
ifbam_small_motions_matrix (const IfbamSmallMotions *motions, const double *slope, GError **error)
{
  g_auto (IfbamTriplets) triplets = { .n = motions->n };
  g_auto (IfbamMotionIter) iter = { 0 };
  const IfbamCoordinateRow *row;

  ifbam_motion_iter_init (&iter, motions);
  while ((row = ifbam_motion_iter_next (&iter)) != NULL)
    for (gsize i = 0; i < row->n && slope[row->number] != 0; i++)
      for (gsize j = 0; j < row->n; j++)
        ifbam_triplets_add (&triplets, row->at[j], row->at[i],
                            row->entry[j] * (row->entry[i] * slope[row->number]));
  if (slope == motions->damping)
    ifbam_small_motions_each_gyration (motions, motions->gyrations, add_entry, &triplets);
  if (slope == motions->stiffness)
    ifbam_small_motions_each_gyration (motions, motions->circulations, add_entry, &triplets);
  return ifbam_sparse_new (motions->n, &triplets, error);
}

double
ifbam_small_motions_form (const IfbamSmallMotions *motions, const double *slope, const double *x,
                          const double *y)
{
  g_auto (IfbamMotionIter) iter = { 0 };
  const IfbamCoordinateRow *row;
  double sum = 0;

  ifbam_motion_iter_init (&iter, motions);
  while ((row = ifbam_motion_iter_next (&iter)) != NULL)
    {
      double a = 0, b = 0;

      for (gsize i = 0; i < row->n; i++)
        {
          a += row->entry[i] * x[row->at[i]];
          b += row->entry[i] * y[row->at[i]];
        }
      sum += slope[row->number] * a * b;
    }
  return sum;
}

double
ifbam_small_motions_gyration (const IfbamSmallMotions *motions, const GArray *gyrations,
                              const double *x, const double *y)
{
  double sum = 0;

  for (guint g = 0; g < gyrations->len; g++)
    {
      const IfbamGyration *gyration = &g_array_index (gyrations, IfbamGyration, g);

      for (guint e = 0; e < gyration->n; e++)
        for (guint f = 0; f < gyration->n; f++)
          sum += ifbam_small_motions_node (motions, gyration->node[e], x)
                 * gyration->matrix[e + f * gyration->n]
                 * ifbam_small_motions_node (motions, gyration->node[f], y);
    }
  return sum;
}
