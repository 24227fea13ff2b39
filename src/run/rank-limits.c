/* rank-limits.c: networks unsuitable for several processes, and halo layers for scheduled events
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/rank-limits.h"

#include <math.h>

#include "event/event.h"

/* Scheduled events in one step. */
#define MAX_EVENTS_PER_STEP 15
/* Steps before a scheduled event at which flip-flop schemes begin a new history. */
#define RESTART_STEPS 3

/* Returns TRUE if a scheduled event may cut steps of divided components. */
static gboolean
cuts_steps (const IfbamTimeEvent *instant)
{
  return instant->kind == IFBAM_TIME_EVENT_EDGE || instant->kind == IFBAM_TIME_EVENT_MOTION;
}

/* Returns TRUE if a recurrent event always coincides with one before it in the list. */
static gboolean
coincides_with_earlier (const IfbamTimeEvent *all, guint i)
{
  for (guint k = 0; k < i; k++)
    if (all[k].time == all[i].time && all[k].period == all[i].period)
      return TRUE;
  return FALSE;
}

/* Returns the largest count of event times in one step. */
static guint
count_per_step (const IfbamModel *model, double step)
{
  const IfbamTimeEvent *once = (const IfbamTimeEvent *) (gpointer) model->time_events->data;
  const IfbamTimeEvent *again = (const IfbamTimeEvent *) (gpointer) model->recurrent->data;
  guint n = 0;

  for (guint i = 0; i < model->time_events->len; i++)
    {
      guint within = cuts_steps (&once[i]);

      for (guint k = i + 1; k < model->time_events->len && within <= MAX_EVENTS_PER_STEP
                            && once[k].time <= once[i].time + step * (1 + 2 * IFBAM_AT_STEP);
           k++)
        within += cuts_steps (&once[k]) && once[k].time != once[k - 1].time;
      n = MAX (n, within);
    }
  for (guint i = 0; i < model->recurrent->len && n <= MAX_EVENTS_PER_STEP; i++)
    if (cuts_steps (&again[i]) && !coincides_with_earlier (again, i))
      n += (guint) fmin (ceil (step / fabs (again[i].period)), MAX_EVENTS_PER_STEP) + 1;
  return MIN (n, MAX_EVENTS_PER_STEP + 1);
}

guint
ifbam_ranks_depth_of_time_events (const IfbamModel *model, const IfbamRunSpec *spec)
{
  const guint n = count_per_step (model, spec->step);
  const guint parts = n + 1 + (spec->scheme->latency ? RESTART_STEPS : 0);

  return n == 0 ? 0 : parts * ifbam_scheme_restart (spec->scheme)->n_stages;
}

/* Returns the name of an element with its class (transfer full). */
static char *
quote (const IfbamElement *element)
{
  return g_strdup_printf ("\"%s\" (%s)", element->name, element->info->name);
}

/* Returns the name of the first unbatched link or impulse (transfer full); NULL: none. */
static char *
name_of_event (const IfbamModel *model)
{
  return model->unbatched_links->len > 0 ? quote (ifbam_unbatched_link (model, 0)->element)
         : model->impulses->len > 0
             ? quote (g_array_index (model->impulses, IfbamImpulse, 0).element)
             : NULL;
}

/* Returns why several processes can't advance a network with events (transfer full), or NULL. */
static char *
fault_of_events (const IfbamModel *model)
{
  const IfbamElement *scaled = NULL;
  g_autofree char *name = NULL;

  for (guint i = 0; i < model->switched_elements->len && scaled == NULL; i++)
    {
      const IfbamSwitchedElement *switched_element =
          &g_array_index (model->switched_elements, IfbamSwitchedElement, i);

      if (switched_element->kind != IFBAM_TIME_EVENT_TOGGLE
          || ifbam_model_is_pulsing (model, switched_element->monitor))
        scaled = ifbam_unbatched_link (model, switched_element->monitor)->element;
    }
  if (scaled == NULL && model->scaled_sources->len > 0)
    scaled = ifbam_unbatched_link (
                 model, g_array_index (model->scaled_sources, IfbamScaledSource, 0).controller)
                 ->element;
  if (scaled == NULL && model->scaled_motions->len > 0)
    scaled = ifbam_unbatched_link (
                 model, g_array_index (model->scaled_motions, IfbamScaledMotion, 0).controller)
                 ->element;
  if (scaled == NULL)
    return NULL;
  name = quote (scaled);
  return g_strdup_printf (
      "sources or drives depend on %s, which one process computes (run with mpirun -n 1)", name);
}

/* Returns the element of a scheduled event. */
static const IfbamElement *
element_of (const IfbamModel *model, const IfbamTimeEvent *instant)
{
  gsize member;

  return instant->kind == IFBAM_TIME_EVENT_EDGE
             ? ifbam_model_source_of (model, instant->index)->element
             : ifbam_model_node_span (model, model->n_free + instant->index, &member)->element;
}

char *
ifbam_ranks_fault_of_time_events (const IfbamModel *model, const char *what)
{
  const GArray *some = model->time_events->len > 0 ? model->time_events : model->recurrent;
  g_autofree char *name = name_of_event (model);

  if (name != NULL)
    return g_strdup_printf ("%s has events: %s", name, what);
  if (some->len == 0)
    return NULL;
  name = quote (element_of (model, &g_array_index (some, IfbamTimeEvent, 0)));
  return g_strdup_printf ("%s changes at given times: %s", name, what);
}

char *
ifbam_ranks_fault (const IfbamModel *model, const IfbamRunSpec *spec)
{
  char *event;

  if (spec->chosen != NULL)
    return g_strdup_printf (
        "step = auto asks for all modes at once, which no rank has (it chose %g "
        "s on one: say step = %g s, or run with mpirun -n 1)",
        spec->step, spec->step);
  if (spec->equilibrium || spec->start_position != NULL)
    return g_strdup ("start = equilibrium is found by one process (run with mpirun -n 1, or begin "
                     "with a state that it has written, by --initial)");
  if (spec->tolerance > 0)
    return g_strdup ("a tolerance chooses steps for islands of nodes, by one process (say a step "
                     "and no tolerance, or run with mpirun -n 1)");
  if (ifbam_scheme_tableau (spec->scheme) != NULL)
    return g_strdup_printf ("the scheme %s solves equations of all nodes at once, by one process "
                            "(say an explicit one, such as verlet, or run with mpirun -n 1)",
                            spec->scheme->name);
  event = fault_of_events (model);
  if (event != NULL)
    return event;
  if (count_per_step (model, spec->step) > MAX_EVENTS_PER_STEP)
    return ifbam_ranks_fault_of_time_events (
        model, "with others of its kind more often in a step than ranks "
               "are made for (say a shorter step, or run with mpirun -n 1)");
  return NULL;
}
