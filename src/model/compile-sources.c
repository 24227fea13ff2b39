/* compile-sources.c: sources, fields and impulses of a model, with their scheduled events
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compile-sources.h"

#include <string.h>

#include "element/element.h"
#include "model/compile-endpoints.h"
#include "model/compile-storage.h"
#include "model/compile-names.h"

/* Index of the vertical coordinate in the plane. */
#define VERTICAL 1

static void
add_source_on (IfbamCompiler *compiler, IfbamSource *source, guint32 node)
{
  g_ptr_array_add (compiler->model->sources, source);
  g_array_append_val (compiler->source_nodes, node);
}

/* Adds a source on a composite's vertical coordinates: its masses, or y in the plane. */
static void
add_source_on_composite (IfbamCompiler *compiler, IfbamSource *source,
                         const IfbamElement *composite)
{
  const GArray *spans = compiler->model->node_spans;

  if (ifbam_element_form (composite) == IFBAM_FORM_TABLE)
    {
      ifbam_compiler_add_issue (
          compiler, (IfbamElement *) source->element, "on",
          g_strdup_printf ("\"%s\" is on a table, seen from above: its weight acts by roll (on a "
                           "sloping table, name %s.x or %s.y)",
                           composite->name, composite->name, composite->name));
      return;
    }
  if (composite->info->n_coordinates > 0)
    {
      add_source_on (compiler, source,
                     ifbam_compiler_element_index (compiler, composite)->index + VERTICAL);
      return;
    }
  for (guint s = 0; s < spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (spans, IfbamSpan, s);

      if (span->element != composite || (span->tail != NULL && g_str_equal (span->tail, "x")))
        continue;
      for (gsize i = 0; i < span->count; i++)
        add_source_on (compiler, source, (guint32) (span->first + i));
    }
}

/* Reports nodes that are named twice or on which the source can't act. */
static void
check_source (IfbamCompiler *compiler, IfbamElement *element)
{
  const IfbamModel *model = compiler->model;
  g_autofree guint8 *seen = NULL;

  for (guint i = ifbam_compiler_element_index (compiler, element)->index; i < model->sources->len;
       i++)
    {
      const guint32 node = g_array_index (compiler->source_nodes, guint32, i);
      const guint faults = compiler->issues->len;

      if (i > ifbam_compiler_element_index (compiler, element)->index && seen == NULL)
        {
          seen = g_new0 (guint8, model->n_nodes);
          seen[g_array_index (compiler->source_nodes, guint32,
                              ifbam_compiler_element_index (compiler, element)->index)] = 1;
        }
      ifbam_compiler_claim_domain (compiler, element, "on", node, element->info);
      if (seen != NULL && seen[node] && i > ifbam_compiler_element_index (compiler, element)->index)
        {
          g_autofree char *name = ifbam_model_node_name (model, node);

          ifbam_compiler_add_issue (compiler, element, "on",
                                    g_strdup_printf ("names \"%s\" twice", name));
        }
      if (compiler->issues->len > faults)
        return; /* one fault is enough: a composite has many nodes */
      if (seen != NULL)
        seen[node] = 1;
    }
}

void
ifbam_compiler_add_source (IfbamCompiler *compiler, IfbamElement *element)
{
  char *const *on = ifbam_element_slots (element)[IFBAM_SLOT_ON];
  const gboolean field = element->info->potential != NULL;
  const guint first = compiler->model->sources->len;
  guint32 domains = element->domains;
  IfbamSource *source = ifbam_compiler_own (compiler, g_new0 (IfbamSource, 1), g_free);

  *source = (IfbamSource){ element,
                           element->info,
                           element->name,
                           ifbam_compiler_copy_law (compiler, element),
                           ifbam_compiler_read_course (compiler, element, &domains),
                           first };
  for (guint i = 0; on != NULL && on[i] != NULL; i++)
    {
      const IfbamElement *composite = g_hash_table_lookup (compiler->by_name, on[i]);
      guint32 node;

      if (field && composite != NULL && ifbam_element_kind (composite) == IFBAM_KIND_COMPOSITE)
        {
          add_source_on_composite (compiler, source, composite);
          continue;
        }
      node = field ? ifbam_compiler_find_free_node (compiler, element, on[i])
                   : ifbam_compiler_find_node (compiler, element, "on", on[i]);
      if (node == IFBAM_NO_NODE)
        return;
      if (node != IFBAM_ELSEWHERE)
        add_source_on (compiler, source, node);
    }
  if (compiler->model->sources->len == first)
    return;
  ifbam_compiler_element_index (compiler, element)->index = first;
  check_source (compiler, element);
  if (g_array_index (compiler->source_nodes, guint32, first) < compiler->model->n_free)
    ifbam_compiler_add_time_events (compiler, element, IFBAM_TIME_EVENT_EDGE,
                                    ifbam_compiler_element_index (compiler, element)->index);
}

void
ifbam_compiler_add_member_source (IfbamCompiler *compiler, IfbamElement *owner,
                                  const IfbamMember *member, gsize first, gsize count)
{
  const IfbamSpan span = { .count = 1,
                           .info = member->info,
                           .element = owner,
                           .letter = member->letter,
                           .lone = TRUE,
                           .series = member->series };
  IfbamSource *source = ifbam_compiler_own (compiler, g_new0 (IfbamSource, 1), g_free);

  *source =
      (IfbamSource){ owner,
                     member->info,
                     ifbam_compiler_own (compiler, ifbam_span_name (&span, 0), g_free),
                     ifbam_compiler_own (compiler, g_malloc0 (member->info->law_size + 1), g_free),
                     NULL,
                     compiler->model->sources->len };
  ifbam_span_law (&span, 0, source->law);
  for (gsize i = 0; i < count; i++)
    add_source_on (compiler, source, (guint32) (first + i));
}

/* Finds the ends of an impulse: one or two nodes, or two points of the plane. FALSE after an
 * issue. */
static gboolean
join_impulse (IfbamCompiler *compiler, IfbamImpulse *impulse, const char *key, char *const *names)
{
  static const IfbamLaw apart = { .ends = &ifbam_approach };
  IfbamElement *element = impulse->element;
  IfbamLink link = { .law = &apart, .numbers = impulse->law };
  const guint n = g_strv_length ((char **) names);
  IfbamDomain domain = IFBAM_DOMAIN_ANY;
  IfbamLinkEnd end[2];

  if (n < 1 || n > G_N_ELEMENTS (end))
    return FALSE; /* reported already */
  for (guint k = 0; k < n; k++)
    {
      if (impulse->apart ? !ifbam_compiler_find_end (compiler, element, key, names[k], &end[k])
                         : (end[k] = (IfbamLinkEnd){ .n_nodes = 1,
                                                     .node = { ifbam_compiler_find_node (
                                                         compiler, element, key, names[k]) } })
                                   .node[0]
                               == IFBAM_NO_NODE)
        return FALSE;
    }
  link.geometry = ifbam_link_geometry (n, end[0].form, n == 2 ? end[1].form : 0,
                                       IFBAM_ON_NODE | IFBAM_BETWEEN_NODES | IFBAM_BETWEEN_ENDS,
                                       NULL, apart.ends);
  if (impulse->apart && (end[0].coordinate | end[1].coordinate) > 0
      && link.geometry == &ifbam_difference)
    link.geometry = &ifbam_coordinates;
  if (link.geometry == NULL)
    {
      g_autofree char *left = ifbam_compiler_end_text (&end[0]),
                      *right = ifbam_compiler_end_text (&end[1]);

      ifbam_compiler_add_issue (compiler, element, key,
                                g_strdup_printf ("an impulse can't push %s and %s apart (between "
                                                 "takes two nodes, or two points of the plane)",
                                                 left, right));
      return FALSE;
    }
  if (n == 2 && MIN (end[0].n_nodes, end[1].n_nodes) > 0 && end[0].node[0] == end[1].node[0]
      && (MIN (end[0].n_nodes, end[1].n_nodes) == 1 || end[0].node[1] == end[1].node[1]))
    {
      ifbam_compiler_add_issue (
          compiler, element, key,
          g_strdup_printf ("both ends are on \"%s\" (want two different ones)", names[0]));
      return FALSE;
    }
  ifbam_compiler_join_ends (&link, end, n);
  impulse->geometry = link.geometry;
  memcpy (impulse->shape, link.shape, sizeof link.shape);
  memcpy (impulse->node, link.node, link.n_ports * sizeof *link.node);
  impulse->n_nodes = link.n_ports;
  if (ifbam_compiler_is_fixed_link (compiler->model, &link))
    {
      ifbam_compiler_add_issue (
          compiler, element, key,
          impulse->apart
              ? g_strdup ("both ends have prescribed motions: an impulse can't change them")
              : g_strdup_printf ("the motion of \"%s\" is prescribed: an impulse can't "
                                 "change it",
                                 names[0]));
      return FALSE;
    }
  /* The domain is that of a free node. */
  for (guint k = 0; k < n; k++)
    if (end[k].coordinate > 0 || ifbam_form_in_plane (end[k].form))
      domain = IFBAM_DOMAIN_TRANSLATION;
    else if (end[k].node[0] < compiler->model->n_free)
      domain = ifbam_model_node_domain (compiler->model, end[k].node[0]);
  if ((element->domains >> domain & 1) == 0)
    {
      g_autofree char *unit = ifbam_domain_unit (domain, "%f s");

      ifbam_compiler_add_issue (compiler, element, key,
                                g_strdup_printf ("\"%s\" is of %s, where impulses are in %s",
                                                 names[0], ifbam_domain_info (domain)->name, unit));
      return FALSE;
    }
  for (guint k = 0; k < n && impulse->apart; k++)
    if (end[k].coordinate == 0 && end[k].form == IFBAM_FORM_NODE)
      ifbam_compiler_claim_end (compiler, element, key, end[k].node[0], element->info, domain);
  return TRUE;
}

/* Kinds of links that read a signal. */
enum
{
  MONITOR = 1 << 0,
  CONTROLLER = 1 << 1,
};

/* Returns the index of a monitor or controller (bits); IFBAM_NO_NODE after an issue. */
static guint32
find_monitor_link (IfbamCompiler *compiler, IfbamElement *element, const char *key,
                   const char *name, guint kinds)
{
  const char *what = kinds == CONTROLLER ? "controller"
                     : kinds == MONITOR  ? "monitor"
                                         : "monitor or controller";
  const IfbamElement *listener = g_hash_table_lookup (compiler->by_name, name);

  if (listener != NULL && listener->info->signal != NULL
      && ((listener->info->link->sample != NULL ? CONTROLLER : MONITOR) & kinds) != 0)
    return ifbam_compiler_element_index (compiler, listener)->index;
  ifbam_compiler_add_issue (compiler, element, key,
                            listener == NULL
                                ? g_strdup_printf ("no %s \"%s\" in this network", what, name)
                                : g_strdup_printf ("\"%s\" is no %s", name, what));
  return IFBAM_NO_NODE;
}

/* Returns TRUE if a source acts on a free node, so that it has an effect. */
static gboolean
acts_on_free (const IfbamCompiler *compiler, guint32 source)
{
  return g_array_index (compiler->source_nodes, guint32, source) < compiler->model->n_free;
}

void
ifbam_compiler_add_switched_element (IfbamCompiler *compiler, IfbamElement *element)
{
  const guint slot = element->info->when_slot;
  char *const *when = slot == 0 ? NULL : ifbam_element_slots (element)[slot];
  const IfbamKind kind = element->info->kind;
  IfbamSwitchedElement switched_element = { .kind = kind == IFBAM_KIND_SOURCE
                                                        ? IFBAM_TIME_EVENT_EDGE
                                                    : kind == IFBAM_KIND_GIVEN_NODE
                                                        ? IFBAM_TIME_EVENT_MOTION
                                                        : IFBAM_TIME_EVENT_TOGGLE };

  if (when == NULL || when[0] == NULL)
    return;
  switched_element.monitor =
      find_monitor_link (compiler, element, "when", when[0], MONITOR | CONTROLLER);
  switched_element.number = ifbam_compiler_element_index (compiler, element)->index;
  switched_element.below = ifbam_element_value_of (element, "side") != 0;
  if (switched_element.monitor == IFBAM_NO_NODE || switched_element.number == IFBAM_NO_NODE)
    return;
  if (switched_element.kind != IFBAM_TIME_EVENT_EDGE
      || acts_on_free (compiler, switched_element.number))
    g_array_append_val (compiler->model->switched_elements, switched_element);
}

void
ifbam_compiler_add_scaled_source (IfbamCompiler *compiler, IfbamElement *element)
{
  const guint slot = element->info->scale_slot;
  char *const *follow = slot == 0 ? NULL : ifbam_element_slots (element)[slot];
  IfbamScaledSource control;

  if (follow == NULL || follow[0] == NULL)
    return;
  control.controller = find_monitor_link (compiler, element, "follow", follow[0], CONTROLLER);
  control.source = ifbam_compiler_element_index (compiler, element)->index;
  if (element->info->kind == IFBAM_KIND_GIVEN_NODE)
    {
      const IfbamScaledMotion scaled_motion = { control.controller, control.source };

      if (scaled_motion.controller != IFBAM_NO_NODE && scaled_motion.node != IFBAM_NO_NODE)
        g_array_append_val (compiler->model->scaled_motions, scaled_motion);
      return;
    }
  if (control.controller != IFBAM_NO_NODE && control.source != IFBAM_NO_NODE
      && acts_on_free (compiler, control.source))
    g_array_append_val (compiler->model->scaled_sources, control);
}

void
ifbam_compiler_add_impulse (IfbamCompiler *compiler, IfbamElement *element)
{
  char *const *on = ifbam_element_slots (element)[IFBAM_SLOT_ON];
  char *const *ends = ifbam_element_slots (element)[IFBAM_SLOT_ENDS];
  char *const *when = ifbam_element_slots (element)[IFBAM_SLOT_WHEN];
  IfbamImpulse impulse = { .element = element, .apart = ends != NULL, .trigger = IFBAM_NO_NODE };

  impulse.law = ifbam_compiler_copy_law (compiler, element);
  if (on == NULL && ends == NULL)
    {
      ifbam_compiler_add_issue (
          compiler, element, "on",
          g_strdup ("is missing (the node that gets the impulse; or between = LEFT, RIGHT)"));
      return;
    }
  if (!join_impulse (compiler, &impulse, ends != NULL ? "between" : "on", ends != NULL ? ends : on))
    return;
  if (when != NULL && when[0] != NULL)
    {
      impulse.trigger = find_monitor_link (compiler, element, "when", when[0], MONITOR);
      if (impulse.trigger == IFBAM_NO_NODE)
        return;
      impulse.value = ((const double *) impulse.law)[0];
    }
  ifbam_compiler_element_index (compiler, element)->index = compiler->model->impulses->len;
  g_array_append_val (compiler->model->impulses, impulse);
  ifbam_compiler_add_time_events (compiler, element, IFBAM_TIME_EVENT_IMPULSE,
                                  ifbam_compiler_element_index (compiler, element)->index);
}
