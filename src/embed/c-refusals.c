/* c-refusals.c: reasons why a network can't be written as C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/c-source.h"

static char *
fault_of (const char *name, const IfbamElementInfo *info, const char *what)
{
  return g_strdup_printf ("%s (%s) %s", name, info->name, what);
}

/* Returns the reason why a link is in no batch. */
static const char *
unbatched_reason (const IfbamLink *link)
{
  if (link->law->guards != NULL
      || (link->law->constraint (link->numbers, 0).kind != IFBAM_CONSTRAINT_NONE
          && !ifbam_link_is_fixed (link)))
    return "has events";
  return ifbam_link_is_fixed (link) ? "has a constraint"
         : link->in_plane           ? "is in the plane"
                                    : "has several modes, or more than two ends";
}

static char *
single_fault (const IfbamModel *model)
{
  const IfbamLink *first = ifbam_unbatched_link (model, 0);

  /* Reports a link with events before one in the plane, as the more useful reason. */
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    if (g_str_equal (unbatched_reason (link), "has events"))
      return fault_of (link->name, link->info, unbatched_reason (link));
  return fault_of (first->name, first->info, unbatched_reason (first));
}

/* Returns the source or the given node of a scheduled event; links that toggle are unbatched. */
static const IfbamElement *
changed_object (const IfbamModel *model, const IfbamTimeEvent *instant)
{
  gsize member;

  return instant->kind == IFBAM_TIME_EVENT_MOTION
             ? ifbam_model_node_span (model, instant->index, &member)->element
             : ifbam_model_source_of (model, instant->index)->element;
}

static char *
batch_fault (const IfbamModel *model)
{
  for (guint s = 0; s < model->link_spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (model->link_spans, IfbamSpan, s);

      if (span->info->free_prepared != NULL)
        return fault_of (span->element->name, span->info, "has a table");
    }
  return NULL;
}

char *
ifbam_c_fault (const IfbamModel *model, const IfbamRunSpec *spec)
{
  if (spec->tolerance > 0)
    return g_strdup ("a tolerance chooses the steps");
  if (spec->scheme->implicit != NULL)
    return g_strdup_printf ("scheme %s solves equations in each step", spec->scheme->name);
  if (ifbam_scheme_tableau (spec->scheme) != NULL)
    return g_strdup_printf ("scheme %s uses a table of stages", spec->scheme->name);
  if (model->unbatched_links->len > 0)
    return single_fault (model);
  if (model->impulses->len > 0)
    {
      const IfbamElement *element = g_array_index (model->impulses, IfbamImpulse, 0).element;

      return fault_of (element->name, element->info, "has events");
    }
  if (model->time_events->len > 0 || model->recurrent->len > 0)
    {
      const GArray *time_events = model->time_events->len > 0 ? model->time_events : model->recurrent;
      const IfbamTimeEvent *instant = &g_array_index (time_events, IfbamTimeEvent, 0);
      const IfbamElement *element = changed_object (model, instant);

      return fault_of (element->name, element->info, "changes at scheduled times");
    }
  return batch_fault (model);
}

char *
ifbam_c_signals_fault (const IfbamSignals *signals)
{
  for (guint i = 0; i < signals->signals->len; i++)
    {
      const IfbamSignal *signal = &g_array_index (signals->signals, IfbamSignal, i);

      if (signal->single || signal->kind >= IFBAM_SIGNAL_KINETIC
          || signal->kind == IFBAM_SIGNAL_LINK_DISSIPATED || signal->kind == IFBAM_SIGNAL_PLACE
          || signal->kind == IFBAM_SIGNAL_PLACE_RATE)
        return g_strdup_printf ("%s is an energy balance, which a C file does not "
                                "compute (want other signals: --record; "
                                "--fmu has it)",
                                (const char *) signals->names->pdata[i]);
    }
  return NULL;
}
