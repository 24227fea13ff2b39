/* engaged.c: what links with modes do to the step that a network bears, while they are at work
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "motion/engaged.h"

#include <math.h>

#include "base/ifbam-error.h"
#include "engine/view.h"
#include "event/event-state.h"
#include "scheme/growth.h"

typedef struct
{
  const IfbamLinearization *linearization;
  IfbamNumbers *numbers;
  double *position, *rate; /* of the start (n_nodes) */
  GArray *found;
  GError *endless; /* what has no finite slope; NULL: nothing */
} Search;

/* Keeps the fastest, and the most damped, of those that last alike. */
static void
offer (Search *search, const IfbamEngagement *new)
{
  gboolean fastest = TRUE, strongest = TRUE;

  if (!(new->frequency > 0 || new->damping > 0))
    return;
  for (guint i = 0; i < search->found->len; i++)
    {
      const IfbamEngagement *old = &g_array_index (search->found, IfbamEngagement, i);

      if (old->from_start != new->from_start || (old->mode < 0) != (new->mode < 0))
        continue;
      fastest = fastest && new->frequency > old->frequency;
      strongest = strongest && new->damping > old->damping;
    }
  if (!fastest && !strongest)
    return;
  for (guint i = search->found->len; i-- > 0;)
    {
      const IfbamEngagement *old = &g_array_index (search->found, IfbamEngagement, i);

      if (old->from_start == new->from_start && (old->mode < 0) == (new->mode < 0)
          && new->frequency >= old->frequency &&new->damping >= old->damping)
        g_array_remove_index_fast (search->found, i);
    }
  g_array_append_vals (search->found, new, 1);
}

/* u^T S u over links of batches, for how the link's ends move where its force pushes them. */
static double
form_about (const Search *search, const IfbamLink *link, const double *push, const double *slope)
{
  const IfbamModel *model = search->linearization->model;
  double sum = 0;

  for (guint e = 0; e < link->n_ports; e++)
    for (guint32 p = model->port_start[link->node[e]];
         link->node[e] < model->n_free && p < model->port_start[link->node[e] + 1]; p++)
      {
        const gsize slot = model->port[p] >> 1;
        double moved[2] = { 0, 0 }, delta;
        const IfbamBatch *batch;
        gboolean counted = FALSE;
        gsize index;

        if (slot >= model->n_slots)
          continue;
        batch = ifbam_model_batch (model, slot, &index);
        for (guint f = 0; f < link->n_ports; f++)
          {
            if (link->node[f] == batch->left[index])
              moved[0] = push[f];
            if (link->node[f] == batch->right[index])
              moved[1] = push[f];
            /* A link between two of the ends is met at both. */
            counted |=
                f < e
                && (link->node[f] == batch->left[index] || link->node[f] == batch->right[index]);
          }
        delta = ifbam_batch_delta (batch, index, moved[0], moved[1]);
        if (!counted)
          sum += slope[batch->first_slot + index] * delta * delta;
      }
  return sum;
}

/* The compression at which a law has stored what its ends approach with; NaN: they don't, or it does not. */
static double
reach_of (const IfbamLink *link, const void *numbers, int mode, double delta, double speed,
          double weight)
{
  const double energy = 0.5 * speed * speed / weight;
  double near = 0, far = 1e-12 * (1 + fabs (delta));

  if (!(speed > 0) || link->law->energy == NULL)
    return NAN;
  while (link->law->energy (numbers, mode, delta + far) < energy)
    {
      near = far;
      far *= 2;
      if (far > 1e12)
        return NAN;
    }
  for (int i = 0; i < 60; i++)
    {
      const double middle = 0.5 * (near + far);

      if (link->law->energy (numbers, mode, delta + middle) < energy)
        near = middle;
      else
        far = middle;
    }
  return delta + far;
}

/* The modes that its guards lead to, from that which it has, as bits; those of relations come by their reactions, too. */
static guint64
reachable_modes (const IfbamLink *link, const void *numbers, int now)
{
  const char *const *names = link->law->modes;
  guint64 before = 0, modes = (guint64) 1 << now;

  if (link->law->guards == NULL)
    return G_MAXUINT64;
  for (int mode = 0; link->law->relation != NULL && names[mode] != NULL; mode++)
    if (link->law->relation (numbers, mode).kind != IFBAM_RELATION_NONE)
      return G_MAXUINT64;
  while (modes != before)
    {
      before = modes;
      for (int mode = 0; names[mode] != NULL; mode++)
        if (before >> mode & 1)
          {
            IfbamGuard guards[IFBAM_MAX_GUARDS];
            const int n = link->law->guards (numbers, mode, guards);

            for (int i = 0; i < n; i++)
              modes |= (guint64) 1 << guards[i].next;
          }
    }
  return modes;
}

/* An infinite slope is more than any step bears: nothing is said of it as of others, least that it does not count. */
static void
refuse (Search *search, const IfbamLink *link, int mode, int now)
{
  if (search->endless != NULL && mode != now)
    return;
  g_clear_error (&search->endless);
  if (mode == now)
    g_set_error (&search->endless, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                 "\"%s\": its law has no finite slope at the start", link->name);
  else
    g_set_error (&search->endless, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                 "\"%s\": its law has no finite slope while it is %s", link->name,
                 link->law->modes[mode]);
}

/* By its law, in the mode that it has and in those in which it is linear; in others where it gets by the rate
 * that its ends have at the start. */
static void
look_at_law (Search *search, const IfbamLink *link)
{
  const IfbamLinearization *linearization = search->linearization;
  const IfbamModel *model = linearization->model;
  double delta, speed, row[IFBAM_MAX_PORTS], push[IFBAM_MAX_PORTS], weight = 0;
  double room[IFBAM_MAX_LAW];
  const void *numbers =
      ifbam_link_numbers_at (link, search->position, search->rate, IFBAM_ANY_MODE, room);
  const char *const *names = link->law->modes;
  guint64 reachable = 0;
  int now;

  if (link->law->force == NULL)
    return;
  speed = ifbam_link_measure (link, search->position, search->rate, &delta, row);
  now = link->law->mode (numbers, delta, speed);
  if (names != NULL)
    reachable = reachable_modes (link, numbers, now);
  for (guint e = 0; e < link->n_ports; e++)
    {
      push[e] = link->node[e] < model->n_free ? row[e] * model->inverse_inertia[link->node[e]] : 0;
      weight += row[e] * push[e];
    }
  /* modes without names are as many as there are numbers: only the present one is asked */
  for (int mode = names != NULL ? 0 : now;
       weight > 0 && (names != NULL ? names[mode] != NULL : mode == now); mode++)
    {
      IfbamSlopes slopes;
      double stiffness, damping;

      if (names != NULL && !(reachable >> mode & 1))
        continue;
      ifbam_single_slopes (link, numbers, mode, delta, speed, &slopes);
      if (slopes.nonlinear[0] != 0 && mode != now)
        {
          const double reach = reach_of (link, numbers, mode, delta, speed, weight);

          if (isnan (reach))
            continue;
          ifbam_single_slopes (link, numbers, mode, reach, 0, &slopes);
        }
      stiffness = slopes.stiffness[0];
      damping = slopes.damping[0];
      if (stiffness == 0 && damping == 0)
        continue;
      stiffness =
          weight * stiffness + form_about (search, link, push, linearization->stiffness) / weight;
      damping = weight * damping + form_about (search, link, push, linearization->damping) / weight;
      if (!isfinite (stiffness) || !isfinite (damping))
        {
          refuse (search, link, mode, now);
          continue;
        }
      offer (search, &(IfbamEngagement){ .link = link,
                                         .mode = mode,
                                         .from_start = mode == now,
                                         .frequency = sqrt (fmax (0, stiffness)),
                                         .damping = fmax (0, damping) });
    }
}

/* By the curvature of what it rests on: what presses it down at the start is taken for its weight. */
static void
look_at_hollow (Search *search, const IfbamLink *link)
{
  const IfbamModel *model = search->linearization->model;
  const IfbamGeometry *geometry = link->geometry;
  const IfbamView view = { .numbers = search->numbers,
                           .position = search->position,
                           .rate = search->rate };
  double radius, square = 0;

  if (geometry->hollow == NULL || link->law->relation == NULL
      || link->law->relation (link->numbers, IFBAM_MODE_OPEN).kind != IFBAM_RELATION_CONTACT)
    return;
  radius = geometry->hollow (link->shape);
  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < model->n_free)
      {
        double acceleration;

        ifbam_view_acceleration (&view, link->node[e], &acceleration);
        square += acceleration * acceleration;
      }
  if (isfinite (radius) && radius > 0)
    offer (search, &(IfbamEngagement){ .link = link,
                                       .mode = -1,
                                       .from_start = TRUE,
                                       .frequency = sqrt (sqrt (square) / radius) });
}

GArray *
ifbam_engagements_find (const IfbamLinearization *linearization, GError **error)
{
  const IfbamModel *model = linearization->model;
  const GArray *singles = model->singles;
  Search search = { .linearization = linearization,
                    .found = g_array_new (FALSE, FALSE, sizeof (IfbamEngagement)) };
  g_autoptr (IfbamNumbers) numbers = NULL;
  g_autofree double *position = NULL, *rate = NULL;

  if (singles->len == 0)
    return search.found;
  search.numbers = numbers = ifbam_numbers_new (model, linearization->spec, 1);
  search.position = position = g_new (double, model->n_nodes + 1);
  search.rate = rate = g_new (double, model->n_nodes + 1);
  ifbam_start_range (model, linearization->spec, 0, model->n_nodes, position, rate);
  for (guint j = 0; j < singles->len; j++)
    {
      look_at_law (&search, &g_array_index (singles, IfbamLink, j));
      look_at_hollow (&search, &g_array_index (singles, IfbamLink, j));
    }
  if (search.endless == NULL)
    return search.found;
  g_propagate_error (error, search.endless);
  g_array_unref (search.found);
  return NULL;
}

double
ifbam_engagement_growth (const IfbamEngagement *self, const IfbamScheme *scheme, double step)
{
  /* What comes and goes begins and ends within steps: in the mean of many hits verlet gains energy with a step of
   * 1.41 over the frequency instead of 2, symplectic-euler with 1.3. So much is between two contacts at once
   * and one, too. */
  const double early = self->from_start || scheme->latency ? 1 : scheme->order == 1 ? 2 : M_SQRT2;
  const double h = early * self->frequency * step;

  if (self->mode < 0)
    return ifbam_scheme_growth_held (scheme, h);
  return self->damping > 0 ? ifbam_scheme_growth_damped (scheme, h, self->damping * step, NULL)
                           : ifbam_scheme_growth (scheme, h);
}

double
ifbam_engagement_lasts (const IfbamEngagement *self, double duration)
{
  return self->from_start || !(self->frequency > 0) ? duration
                                                    : fmin (duration, G_PI / self->frequency);
}

double
ifbam_engagement_longest_step (const IfbamEngagement *self, const IfbamScheme *scheme,
                               double duration, gboolean critical)
{
  const double least = critical && self->from_start ? 0 : IFBAM_VISIBLE_GROWTH;
  const double rate = least / ifbam_engagement_lasts (self, duration);
  const double unit = 1 / fmax (self->frequency, self->damping);
  double good = 0, bad = 1e-9 * unit;

  /* The first that is too long, in steps of a half; noise is none. */
  while (ifbam_engagement_growth (self, scheme, bad) <= fmax (1e-12, rate * bad))
    {
      good = bad;
      bad *= good < unit / 64 ? 1.5 : 1 + 1.0 / 64;
      if (good > 64 * unit)
        return INFINITY;
    }
  /* Where there is no step under a scheme, it grows from the first on. */
  if (least == 0 && good < 1e-3 * unit)
    return 0;
  for (int i = 0; i < 50; i++)
    {
      const double step = 0.5 * (good + bad);

      if (ifbam_engagement_growth (self, scheme, step) <= fmax (1e-12, rate * step))
        good = step;
      else
        bad = step;
    }
  return good;
}

char *
ifbam_engagement_text (const IfbamEngagement *self)
{
  const char *name = self->link->name;
  const char *const *modes = self->link->law->modes;
  const gboolean swings = self->damping < 2 * self->frequency;
  g_autofree char *speed = g_strdup_printf (swings ? "%.4g Hz" : "%.4g per second",
                                            swings ? self->frequency / (2 * G_PI) : self->damping);

  if (self->mode < 0)
    return g_strdup_printf ("while \"%s\" rests in a hollow (%s)", name, speed);
  return modes != NULL
             ? g_strdup_printf ("while \"%s\" is %s (%s)", name, modes[self->mode], speed)
             : g_strdup_printf ("while \"%s\" is in mode %d (%s)", name, self->mode, speed);
}
