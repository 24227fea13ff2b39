/* active-mode-stability.c: discrete states other than that of the start, for the stability limit
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/active-mode-stability.h"

#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "engine/engine.h"
#include "event/event.h"
#include "linear/scheme-growth.h"

typedef struct
{
  const IfbamLinearization *linearization;
  IfbamParameterValues *numbers;
  double *position, *rate; /* at the start (n_nodes) */
  GArray *found;           /* IfbamActiveMode: all of them, or listed ones */
  gboolean some;           /* only listed ones */
  guint8 *is_switched;     /* by scheduled events or a monitor (singles) */
  GArray *switched; /* IfbamModeChange of switched links to the other mode than at the start */
  GError *endless;  /* a law without finite derivative; NULL: none */
} Search;

static gboolean
have_equal_duration (const IfbamActiveMode *one, const IfbamActiveMode *other)
{
  return one->from_start == other->from_start && one->persists == other->persists
         && (one->mode < 0) == (other->mode < 0);
}

/* Marks the listed states; removes the others if there are too many. */
static void
list_states (Search *search)
{
  GArray *found = search->found;

  for (guint i = 0; i < found->len; i++)
    {
      IfbamActiveMode *one = &g_array_index (found, IfbamActiveMode, i);

      one->listed = TRUE;
      for (guint k = 0; k < found->len && one->listed; k++)
        {
          const IfbamActiveMode *other = &g_array_index (found, IfbamActiveMode, k);

          one->listed =
              k == i || !have_equal_duration (one, other)
              || !(other->frequency >= one->frequency && other->damping >= one->damping)
              || (other->frequency == one->frequency && other->damping == one->damping && k < i);
        }
    }
  search->some |= found->len > IFBAM_MAX_STATES_EXAMINED;
  for (guint i = found->len; i-- > 0 && search->some;)
    if (!g_array_index (found, IfbamActiveMode, i).listed)
      g_array_remove_index (found, i);
}

static void
add_state (Search *search, const IfbamActiveMode *new)
{
  if (!(new->frequency > 0 || new->damping > 0 || new->n_changes > 0))
    return;
  g_array_append_vals (search->found, new, 1);
  if (search->found->len > 2 * IFBAM_MAX_STATES_EXAMINED)
    list_states (search);
}

/* Returns u^T S u over batched links, for the displacements u of the link's nodes by its force. */
static double
batched_stiffness (const Search *search, const IfbamLink *link, const double *push,
                   const double *slope)
{
  const IfbamModel *model = search->linearization->model;
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);
  double sum = 0;

  for (guint e = 0; e < link->n_ports; e++)
    for (guint32 p = model->port_start[link->node[e]];
         link->node[e] < model->n_free && p < model->port_start[link->node[e] + 1]; p++)
      {
        double moved[2] = { 0, 0 }, delta;
        gboolean counted = FALSE;

        if (!ifbam_link_iter_seek_slot (&at, model->port[p] >> 1))
          continue;
        for (guint f = 0; f < link->n_ports; f++)
          for (guint end = 0; end < 2; end++)
            if (link->node[f] == at.link->node[end])
              {
                moved[end] = push[f];
                counted |= f < e; /* a link between two of the endpoints is found at both */
              }
        delta = moved[0] - ifbam_link_ratio (at.link) * moved[1];
        if (!counted)
          sum += slope[at.slot] * delta * delta;
      }
  return sum;
}

/* Returns the compression at which the law has stored the kinetic energy of the approach; NaN: no
 * approach, or the law never stores it. */
static double
compression_of_impact (const IfbamLink *link, const void *numbers, int mode, double delta,
                       double speed, double weight)
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

/* Returns flags of links that scheduled events or a monitor switch (transfer full) (singles). */
static guint8 *
find_switched (const IfbamModel *model)
{
  guint8 *is_switched = g_new0 (guint8, model->unbatched_links->len + 1);

  for (guint i = 0; i < model->time_events->len; i++)
    {
      const IfbamTimeEvent *instant = &g_array_index (model->time_events, IfbamTimeEvent, i);

      if (instant->kind == IFBAM_TIME_EVENT_TOGGLE)
        is_switched[instant->index] = TRUE;
    }
  for (guint i = 0; i < model->switched_elements->len; i++)
    {
      const IfbamSwitchedElement *follower =
          &g_array_index (model->switched_elements, IfbamSwitchedElement, i);

      if (follower->kind == IFBAM_TIME_EVENT_TOGGLE)
        is_switched[follower->number] = TRUE;
    }
  return is_switched;
}

/* Number of modes without names that are examined, such as pieces of a table. */
#define MAX_MODES 64

/* Returns the set of modes that are reachable from the present one, as bits: by guards and by
 * switching; all modes if reactions enforce a constraint. */
static guint64
reachable_modes (const IfbamLink *link, gboolean is_switched, const void *numbers, int now)
{
  const char *const *names = link->law->modes;
  const guint n_modes = names != NULL ? g_strv_length ((char **) names) : MAX_MODES;
  guint64 before = 0, modes = (guint64) 1 << now;

  if (is_switched)
    modes |= (guint64) 1 << link->law->toggle (numbers, now);
  for (guint mode = 0; link->law->constraint != NULL && names != NULL && mode < n_modes; mode++)
    if (link->law->toggle == NULL
        && link->law->constraint (numbers, (int) mode).kind != IFBAM_CONSTRAINT_NONE)
      return ((guint64) 1 << n_modes) - 1;
  while (modes != before && link->law->guards != NULL)
    {
      before = modes;
      for (guint mode = 0; mode < n_modes; mode++)
        if (before >> mode & 1)
          {
            IfbamGuard guards[IFBAM_MAX_GUARDS];
            const guint n = link->law->guards (numbers, (int) mode, guards);

            for (guint i = 0; i < n; i++)
              if ((guint) guards[i].next < n_modes)
                modes |= (guint64) 1 << guards[i].next;
          }
    }
  return modes;
}

/* Reports an infinite derivative as an error: no step is stable with it. */
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

/* A link, and the velocities of its endpoints per unit impulse. */
typedef struct
{
  const IfbamLink *link;
  guint32 number;
  const void *numbers; /* parameters of its law */
  int now;             /* mode at the start */
  double delta, speed, row[IFBAM_MAX_PORTS], push[IFBAM_MAX_PORTS];
  double weight; /* inverse effective mass, J M^-1 J^T */
} Subject;

/* Computes derivatives in a mode. For a nonlinear law in another mode than at the start, they are
 * those at the compression that the rate at the start leads to. FALSE: it leads to none. */
static gboolean
find_slopes (const Subject *subject, int mode, double *stiffness, double *damping)
{
  IfbamForceDerivatives own = ifbam_link_differentiate (subject->link, subject->numbers, mode,
                                                        subject->delta, subject->speed);

  if (own.nonlinear != 0 && mode != subject->now)
    {
      const double reach = compression_of_impact (subject->link, subject->numbers, mode,
                                                  subject->delta, subject->speed, subject->weight);

      if (isnan (reach))
        return FALSE;
      own = ifbam_link_differentiate (subject->link, subject->numbers, mode, reach, 0);
    }
  *stiffness = own.stiffness;
  *damping = own.damping;
  return TRUE;
}

static void
examine_mode (Search *search, const Subject *subject, int mode, gboolean persists)
{
  const IfbamLinearization *linearization = search->linearization;
  IfbamActiveMode new = { .link = subject->link,
                          .mode = mode,
                          .from_start = mode == subject->now,
                          .persists = persists,
                          .n_changes = 1 };
  IfbamModeChange *change = &new.change[0];
  double stiffness, damping;

  *change = (IfbamModeChange){ .link = subject->link, .number = subject->number, .mode = mode };
  memcpy (change->row, subject->row, sizeof subject->row);
  if (!find_slopes (subject, mode, &change->stiffness, &change->damping))
    return;
  find_slopes (subject, subject->now, &change->own_stiffness, &change->own_damping);
  stiffness = subject->weight * change->stiffness
              + batched_stiffness (search, subject->link, subject->push, linearization->stiffness)
                    / subject->weight;
  damping = subject->weight * change->damping
            + batched_stiffness (search, subject->link, subject->push, linearization->damping)
                  / subject->weight;
  if (!isfinite (stiffness) || !isfinite (damping))
    {
      refuse (search, subject->link, mode, subject->now);
      return;
    }
  if (persists && mode != subject->now)
    g_array_append_vals (search->switched, change, 1);
  if (change->stiffness == 0 && change->damping == 0)
    {
      /* In this mode no force acts. It matters only if one acts at the start. */
      if (change->own_stiffness == 0 && change->own_damping == 0)
        return;
      stiffness = damping = 0;
    }
  new.frequency = sqrt (fmax (0, stiffness));
  new.damping = fmax (0, damping);
  add_state (search, &new);
}

/* Examines a link's law in each reachable mode. */
static void
examine_law (Search *search, const IfbamLink *link, guint32 number)
{
  const IfbamModel *model = search->linearization->model;
  double room[IFBAM_MAX_LAW];
  Subject subject = { .link = link,
                      .number = number,
                      .numbers = ifbam_link_parameters_at (link, search->position, search->rate,
                                                           IFBAM_ANY_MODE, room) };
  guint64 reachable;

  if (link->law->force == NULL)
    return;
  subject.speed =
      ifbam_link_measure (link, search->position, search->rate, &subject.delta, subject.row);
  subject.now = link->law->mode (subject.numbers, subject.delta, subject.speed);
  for (guint e = 0; e < link->n_ports; e++)
    {
      subject.push[e] = link->node[e] < model->n_free
                            ? subject.row[e] * model->inverse_inertia[link->node[e]]
                            : 0;
      subject.weight += subject.row[e] * subject.push[e];
    }
  if (!(subject.weight > 0))
    return;
  if (subject.now >= MAX_MODES)
    {
      examine_mode (search, &subject, subject.now, TRUE);
      return;
    }
  reachable = reachable_modes (link, search->is_switched[number], subject.numbers, subject.now);
  for (int mode = 0; mode < MAX_MODES; mode++)
    if (reachable >> mode & 1)
      examine_mode (search, &subject, mode, mode == subject.now || search->is_switched[number]);
}

/* Adds all combinations of two or more switched links in the other mode, if there are few. */
static void
combine_switched (Search *search)
{
  const guint n = search->switched->len;

  for (guint set = 1; n <= IFBAM_MAX_SWITCHED && set < (guint) 1 << n; set++)
    {
      IfbamActiveMode new = { .persists = TRUE };

      for (guint i = 0; i < n; i++)
        if (set >> i & 1)
          new.change[new.n_changes++] = g_array_index (search->switched, IfbamModeChange, i);
      new.link = new.change[0].link;
      new.mode = new.change[0].mode;
      if (new.n_changes > 1)
        add_state (search, &new);
    }
}

/* Examines a contact at rest on a concave surface: its frequency follows from the curvature and the
 * force at the start, which is taken as its weight. */
static void
examine_concave_surface (Search *search, const IfbamLink *link)
{
  const IfbamModel *model = search->linearization->model;
  const IfbamGeometry *geometry = link->geometry;
  const IfbamView view = { .numbers = search->numbers,
                           .position = search->position,
                           .rate = search->rate };
  double radius, square = 0;

  if (geometry->concave == NULL || link->law->constraint == NULL
      || link->law->constraint (link->numbers, IFBAM_MODE_OPEN).kind != IFBAM_CONSTRAINT_CONTACT)
    return;
  radius = geometry->concave (link->shape);
  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < model->n_free)
      {
        double acceleration;

        ifbam_view_acceleration (&view, link->node[e], &acceleration);
        square += acceleration * acceleration;
      }
  if (isfinite (radius) && radius > 0)
    add_state (search, &(IfbamActiveMode){ .link = link,
                                           .mode = -1,
                                           .from_start = TRUE,
                                           .persists = TRUE,
                                           .frequency = sqrt (sqrt (square) / radius) });
}

double
ifbam_active_mode_speed (const IfbamActiveMode *one)
{
  return fmax (one->frequency, one->damping);
}

GArray *
ifbam_active_modes_find (const IfbamLinearization *linearization, GError **error)
{
  const IfbamModel *model = linearization->model;
  Search search = { .linearization = linearization,
                    .found = g_array_new (FALSE, FALSE, sizeof (IfbamActiveMode)) };
  g_autoptr (IfbamParameterValues) numbers = NULL;
  g_autoptr (GArray) switched = g_array_new (FALSE, FALSE, sizeof (IfbamModeChange));
  g_autofree double *position = NULL, *rate = NULL;
  g_autofree guint8 *is_switched = NULL;

  if (model->unbatched_links->len == 0)
    return search.found;
  search.switched = switched;
  search.is_switched = is_switched = find_switched (model);
  search.numbers = numbers = ifbam_parameter_values_new (model, linearization->spec, 1);
  search.position = position = g_new (double, model->n_nodes + 1);
  search.rate = rate = g_new (double, model->n_nodes + 1);
  ifbam_start_range (model, linearization->spec, 0, model->n_nodes, position, rate);
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_UNBATCHED); ifbam_link_iter_next (&at);)
    {
      examine_law (&search, at.link, (guint32) at.number);
      examine_concave_surface (&search, at.link);
    }
  combine_switched (&search);
  list_states (&search);
  if (search.endless == NULL)
    return search.found;
  g_propagate_error (error, search.endless);
  g_array_unref (search.found);
  return NULL;
}

double
ifbam_active_mode_growth (const IfbamActiveMode *self, const IfbamScheme *scheme, double step)
{
  /* Contacts begin and end within steps. Averaged over many impacts, verlet gains energy from a
   * step of 1.41 over the frequency instead of 2 on, symplectic-euler from 1.3 on. */
  const double early = self->from_start || self->persists || scheme->latency ? 1
                       : scheme->order == 1                                  ? 2
                                                                             : M_SQRT2;
  const double h = early * self->frequency * step;

  if (self->mode < 0)
    return ifbam_scheme_growth_constrained (scheme, h);
  return self->damping > 0 ? ifbam_scheme_growth_damped (scheme, h, self->damping * step, NULL)
                           : ifbam_scheme_growth (scheme, h);
}

double
ifbam_active_mode_lasts (const IfbamActiveMode *self, double duration)
{
  return self->from_start || self->persists || !(self->frequency > 0)
             ? duration
             : fmin (duration, G_PI / self->frequency);
}

double
ifbam_active_mode_longest_step (const IfbamActiveMode *self, const IfbamScheme *scheme,
                                double duration, gboolean critical)
{
  const double least = critical && (self->from_start || self->persists) ? 0 : IFBAM_VISIBLE_GROWTH;
  const double rate = least / ifbam_active_mode_lasts (self, duration);
  const double unit = 1 / fmax (self->frequency, self->damping);
  double good = 0, bad = 1e-9 * unit;

  if (!isfinite (unit))
    return INFINITY;

  /* Finds the first step that is too long; growth below 1e-12 is rounding. */
  while (ifbam_active_mode_growth (self, scheme, bad) <= fmax (1e-12, rate * bad))
    {
      good = bad;
      bad *= good < unit / 64 ? 1.5 : 1 + 1.0 / 64;
      if (good > 64 * unit)
        return INFINITY;
    }
  /* Under a scheme without a stable step, growth begins at the shortest one. */
  if (least == 0 && good < 1e-3 * unit)
    return 0;
  for (int i = 0; i < 50; i++)
    {
      const double step = 0.5 * (good + bad);

      if (ifbam_active_mode_growth (self, scheme, step) <= fmax (1e-12, rate * step))
        good = step;
      else
        bad = step;
    }
  return good;
}

char *
ifbam_active_mode_text (const IfbamActiveMode *self)
{
  const gboolean swings = self->damping < 2 * self->frequency;
  g_autofree char *speed = g_strdup_printf (swings ? "%.4g Hz" : "%.4g per second",
                                            swings ? self->frequency / (2 * G_PI) : self->damping);
  const char *name;
  const char *const *modes;

  if (self->link == NULL)
    return g_strdup ("while laws are as steep as at the start");
  name = self->link->name;
  modes = self->link->law->modes;
  if (ifbam_active_mode_speed (self) == 0)
    {
      GString *text = g_string_new ("while ");

      for (guint i = 0; i < self->n_changes; i++)
        g_string_append_printf (text, "%s\"%s\" is %s",
                                i == 0                    ? ""
                                : i + 1 < self->n_changes ? ", "
                                                          : " and ",
                                self->change[i].link->name,
                                self->change[i].link->law->modes != NULL
                                    ? self->change[i].link->law->modes[self->change[i].mode]
                                    : "in another mode");
      return g_string_free (text, FALSE);
    }
  if (self->mode < 0)
    return g_strdup_printf ("while \"%s\" rests in a hollow (%s)", name, speed);
  return modes != NULL
             ? g_strdup_printf ("while \"%s\" is %s (%s)", name, modes[self->mode], speed)
             : g_strdup_printf ("while \"%s\" is in mode %d (%s)", name, self->mode, speed);
}
