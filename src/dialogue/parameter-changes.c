/* parameter-changes.c: what is set in an element acts on from there in a dialogue by hand, or is refused aloud
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/agent.h"

#include <string.h>

static void
watched_clear (gpointer data)
{
  IfbamWatched *watched = data;

  ifbam_known_free (watched->known, watched->element);
}

static void
watch (IfbamCast *cast, IfbamElement *element)
{
  const IfbamWatched watched = { element, ifbam_cast_voice (cast, element),
                                 ifbam_known_new (element) };

  g_array_append_val (cast->watched, watched);
}

void
ifbam_cast_follow (IfbamCast *cast, const IfbamHome *home, const GPtrArray *elements,
                   IfbamElement *settings)
{
  cast->home = home;
  cast->seen = home->changes;
  cast->watched = g_array_new (FALSE, FALSE, sizeof (IfbamWatched));
  g_array_set_clear_func (cast->watched, watched_clear);
  for (guint i = 0; i < elements->len; i++)
    watch (cast, elements->pdata[i]);
  watch (cast, settings);
}

/* Whether the ends of a single link stand to each other as they did before. */
static gboolean
keeps_shape (const IfbamWatched *watched)
{
  static const double point[IFBAM_MAX_SHAPE];
  const IfbamGeometry *geometry = watched->voice->single->geometry;
  double before[IFBAM_MAX_SHAPE] = { 0 }, after[IFBAM_MAX_SHAPE] = { 0 };

  const IfbamLaw *law = watched->element->info->link;
  const guint first = watched->voice->single->in_plane ? law->first_of_ends : 0;

  if (geometry->shape == NULL)
    return TRUE;
  geometry->shape ((const double *) watched->known->law + first, point, point, before);
  geometry->shape ((const double *) ifbam_element_law (watched->element) + first, point, point,
                   after);
  return memcmp (before, after, sizeof before) == 0;
}

/* Whether a link on a line is left without the numbers of a distance, which nobody there may have. */
static gboolean
keeps_line (const IfbamWatched *watched)
{
  const IfbamElementInfo *info = watched->element->info;
  const IfbamLink *single = watched->voice->single;
  const IfbamLaw *law = info->link;

  return law == NULL || law->ends == NULL || law->own_length || (single != NULL && single->in_plane)
         || memcmp ((const double *) watched->known->law + law->first_of_ends,
                    (const double *) ifbam_element_law (watched->element) + law->first_of_ends,
                    info->law_size - law->first_of_ends * sizeof (double))
                == 0;
}

/* Whether the same of its relations are there. */
static gboolean
keeps_relations (const IfbamWatched *watched)
{
  for (const IfbamLaw *law = watched->element->info->link->next; law != NULL; law = law->next)
    if (law->acts != NULL
        && law->acts (watched->known->law) != law->acts (ifbam_element_law (watched->element)))
      return FALSE;
  return TRUE;
}

/* Returns whether the element presses a friction, which evaluates its law. */
static gboolean
presses (const IfbamWatched *watched)
{
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (watched->voice->cast->model, &link);)
    if (link->normal_force != NULL && link->normal_force->element == watched->element)
      return TRUE;
  return FALSE;
}

/* FALSE where a change of numbers does not act by itself, and nobody here can make it so. */
static gboolean
takes_numbers (const IfbamWatched *watched)
{
  IfbamVoice *voice = watched->voice;
  const IfbamElementInfo *info = watched->element->info;
  const double *law = ifbam_element_law (watched->element);

  if (voice == NULL || voice->cast->model->damping != NULL || info->form != 0
      || info->kind == IFBAM_KIND_GIVEN_NODE || info->prepare != NULL || !keeps_line (watched)
      || presses (watched)
      || (voice->single != NULL
          && (info->link_law != NULL || !keeps_shape (watched) || !keeps_relations (watched)))
      || (voice->kernels != NULL && info->link->has_modes != NULL && info->link->has_modes (law)))
    return FALSE;
  for (guint k = 0; k * sizeof (double) < info->law_size; k++)
    if (k + 1 != info->course_number
        && (!ifbam_element_law_is_made (info) || ifbam_element_has_number (info, k)))
      voice->law[k] = law[k];
  if (info->kind == IFBAM_KIND_FREE_NODE)
    ifbam_node_weigh (voice);
  if (voice->kernels != NULL)
    voice->kernels = &info->link->kernels[info->link->points (law) - 1];
  return TRUE;
}

static gboolean
is_faulty (IfbamElement *element)
{
  g_autoptr (GArray) issues = ifbam_issues_new ();

  ifbam_element_check (element, issues);
  return issues->len > 0;
}

/* Whether it has changed, and could. */
static gboolean
takes_change (IfbamWatched *watched)
{
  IfbamElement *element = watched->element;
  const IfbamChange change = ifbam_known_change (watched->known, element);
  gboolean taken;

  if (change == IFBAM_CHANGE_NONE)
    return FALSE;
  taken = change == IFBAM_CHANGE_NUMBERS && !is_faulty (element) && takes_numbers (watched);
  if (!taken)
    {
      g_critical ("\"%s\" can't be changed so in a dialogue, and stays as it was (change it before "
                  "ifbam_network_reset())",
                  element->info->kind == IFBAM_KIND_SETTINGS ? element->info->name : element->name);
      ifbam_known_put_back (watched->known, element);
    }
  ifbam_known_free (watched->known, element);
  watched->known = ifbam_known_new (element);
  return taken;
}

gboolean
ifbam_cast_take_changes (IfbamCast *cast)
{
  gboolean taken = FALSE;

  if (cast->home == NULL || cast->home->changes == cast->seen)
    return FALSE;
  cast->seen = cast->home->changes;
  for (guint i = 0; i < cast->watched->len; i++)
    taken |= takes_change (&g_array_index (cast->watched, IfbamWatched, i));
  return taken;
}
