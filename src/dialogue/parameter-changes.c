/* parameter-changes.c: changes of elements during a manual dialogue, applied or undone
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/agent.h"

#include <string.h>

static void
watched_clear (gpointer data)
{
  IfbamWatchedElement *watched = data;

  ifbam_parameter_snapshot_free (watched->snapshot, watched->element);
}

static void
watch_element (IfbamDialogue *dialogue, IfbamElement *element)
{
  const IfbamWatchedElement watched = { element, ifbam_dialogue_agent (dialogue, element),
                                        ifbam_parameter_snapshot_new (element) };

  g_array_append_val (dialogue->watched, watched);
}

void
ifbam_dialogue_watch_elements (IfbamDialogue *dialogue, const IfbamElementContext *home,
                               const GPtrArray *elements, IfbamElement *settings)
{
  dialogue->context = home;
  dialogue->changes_seen = home->changes;
  dialogue->watched = g_array_new (FALSE, FALSE, sizeof (IfbamWatchedElement));
  g_array_set_clear_func (dialogue->watched, watched_clear);
  for (guint i = 0; i < elements->len; i++)
    watch_element (dialogue, elements->pdata[i]);
  watch_element (dialogue, settings);
}

/* Returns TRUE if the shape of an unbatched link's geometry is unchanged. */
static gboolean
has_equal_shape (const IfbamWatchedElement *watched)
{
  static const double point[IFBAM_MAX_SHAPE];
  const IfbamGeometry *geometry = watched->agent->unbatched->geometry;
  double before[IFBAM_MAX_SHAPE] = { 0 }, after[IFBAM_MAX_SHAPE] = { 0 };

  const IfbamLaw *law = watched->element->info->link;
  const guint first = watched->agent->unbatched->in_plane ? law->first_of_ends : 0;

  if (geometry->shape == NULL)
    return TRUE;
  geometry->shape ((const double *) watched->snapshot->law + first, point, point, before);
  geometry->shape ((const double *) ifbam_element_law (watched->element) + first, point, point,
                   after);
  return memcmp (before, after, sizeof before) == 0;
}

/* Returns TRUE unless a link on a line has changed parameters of a distance. */
static gboolean
is_valid_on_line (const IfbamWatchedElement *watched)
{
  const IfbamElementInfo *info = watched->element->info;
  const IfbamLink *link = watched->agent->unbatched;
  const IfbamLaw *law = info->link;

  return law == NULL || law->ends == NULL || law->own_length || (link != NULL && link->in_plane)
         || memcmp ((const double *) watched->snapshot->law + law->first_of_ends,
                    (const double *) ifbam_element_law (watched->element) + law->first_of_ends,
                    info->law_size - law->first_of_ends * sizeof (double))
                == 0;
}

/* Returns TRUE if the same further constraints have an effect. */
static gboolean
has_equal_constraints (const IfbamWatchedElement *watched)
{
  for (const IfbamLaw *law = watched->element->info->link->next; law != NULL; law = law->next)
    if (law->acts != NULL
        && law->acts (watched->snapshot->law) != law->acts (ifbam_element_law (watched->element)))
      return FALSE;
  return TRUE;
}

/* Returns TRUE if the element presses a friction, which evaluates its law. */
static gboolean
is_normal_force (const IfbamWatchedElement *watched)
{
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (watched->agent->dialogue->model, &link);)
    if (link->normal_force != NULL && link->normal_force->element == watched->element)
      return TRUE;
  return FALSE;
}

/* Copies changed parameters to the agent. Returns FALSE if the change would need a new model. */
static gboolean
accepts_parameters (const IfbamWatchedElement *watched)
{
  IfbamAgent *agent = watched->agent;
  const IfbamElementInfo *info = watched->element->info;
  const double *law = ifbam_element_law (watched->element);

  if (agent == NULL || agent->dialogue->model->damping != NULL || info->form != 0
      || info->kind == IFBAM_KIND_GIVEN_NODE || ifbam_element_prepares_law (info)
      || !is_valid_on_line (watched) || is_normal_force (watched)
      || (agent->unbatched != NULL
          && (info->link_law != NULL || !has_equal_shape (watched)
              || !has_equal_constraints (watched)))
      || (agent->kernels != NULL && info->link->has_modes != NULL && info->link->has_modes (law)))
    return FALSE;
  for (guint k = 0; k * sizeof (double) < info->law_size; k++)
    if (k + 1 != info->course_parameter
        && (!ifbam_element_completes_law (info) || ifbam_element_is_parameter (info, k)))
      agent->law[k] = law[k];
  if (info->kind == IFBAM_KIND_FREE_NODE)
    ifbam_agent_update_inertia (agent);
  if (agent->kernels != NULL)
    agent->kernels = &info->link->kernels[info->link->points (law) - 1];
  return TRUE;
}

static gboolean
is_faulty (IfbamElement *element)
{
  g_autoptr (GArray) issues = ifbam_issues_new ();

  ifbam_element_check (element, issues);
  return issues->len > 0;
}

/* Returns TRUE if the element was changed and the change applied. */
static gboolean
accept_change (IfbamWatchedElement *watched)
{
  IfbamElement *element = watched->element;
  const IfbamChange change = ifbam_parameter_snapshot_change (watched->snapshot, element);
  gboolean valid;

  if (change == IFBAM_CHANGE_NONE)
    return FALSE;
  valid = change == IFBAM_CHANGE_PARAMETERS && !is_faulty (element) && accepts_parameters (watched);
  if (!valid)
    {
      g_critical ("\"%s\" can't be changed like this in a dialogue: the change is undone (change "
                  "it before ifbam_network_reset())",
                  element->info->kind == IFBAM_KIND_SETTINGS ? element->info->name : element->name);
      ifbam_parameter_snapshot_restore (watched->snapshot, element);
    }
  ifbam_parameter_snapshot_free (watched->snapshot, element);
  watched->snapshot = ifbam_parameter_snapshot_new (element);
  return valid;
}

gboolean
ifbam_dialogue_apply_changes (IfbamDialogue *dialogue)
{
  gboolean valid = FALSE;

  if (dialogue->context == NULL || dialogue->context->changes == dialogue->changes_seen)
    return FALSE;
  dialogue->changes_seen = dialogue->context->changes;
  for (guint i = 0; i < dialogue->watched->len; i++)
    valid |= accept_change (&g_array_index (dialogue->watched, IfbamWatchedElement, i));
  return valid;
}
