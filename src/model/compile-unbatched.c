/* compile-unbatched.c: unbatched links: in the plane, with several constraints, or reading a signal
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compile-unbatched.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "element/element.h"
#include "model/compile-endpoints.h"
#include "model/compile-storage.h"
#include "model/compile-links.h"
#include "model/compile-names.h"
#include "model/signal-names.h"
#include "model/links.h"

/* Most ends of a link: those of a relation. */
#define MAX_ENDS IFBAM_MAX_PORTS

static gboolean
is_place (const IfbamSignal *signal)
{
  return signal->kind == IFBAM_SIGNAL_PLACE || signal->kind == IFBAM_SIGNAL_PLACE_RATE;
}

/* Finds the ends of a link that reads a signal; FALSE after an issue. */
static gboolean
find_signal (IfbamCompiler *compiler, IfbamElement *element, const char *text, IfbamLink *link,
             void *law)
{
  const char *key = ifbam_element_slot_key (element->info, element->info->signal_slot);
  const char *unit;
  IfbamSignal signal;
  char *reason = NULL;

  if (!ifbam_signal_find (compiler->model, compiler->by_name, text, &signal, &unit, &reason))
    {
      const char *dot = strrchr (text, '.');
      g_autofree char *name = dot == NULL ? NULL : g_strndup (text, (gsize) (dot - text));
      const IfbamElement *other =
          name == NULL ? NULL : g_hash_table_lookup (compiler->by_name, name);

      if (reason == NULL && other != NULL && other->info->signal_slot != 0)
        reason = g_strdup_printf ("\"%s\" is of %s %s itself (want a signal of a node or a link)",
                                  text, other == element ? "the" : "another", other->info->name);
      if (reason != NULL)
        ifbam_compiler_add_issue (compiler, element, key, reason);
      return FALSE;
    }
  switch (signal.kind)
    {
    case IFBAM_SIGNAL_POSITION:
    case IFBAM_SIGNAL_RATE:
      link->geometry = ifbam_link_geometry (1, IFBAM_FORM_NODE, 0, IFBAM_ON_NODE, NULL, NULL);
      link->n_ports = 1;
      link->node[0] = (guint32) signal.number;
      break;
    case IFBAM_SIGNAL_COMPRESSION:
    case IFBAM_SIGNAL_LINK_RATE:
    case IFBAM_SIGNAL_PLACE:
    case IFBAM_SIGNAL_PLACE_RATE:
      if (signal.single || is_place (&signal))
        {
          const IfbamLink *other =
              &g_array_index (is_place (&signal) ? compiler->model->point_coordinates
                                                 : compiler->model->unbatched_links,
                              IfbamLink, signal.number);

          link->geometry = other->geometry;
          link->n_ports = other->n_ports;
          memcpy (link->shape, other->shape, sizeof link->shape);
          memcpy (link->node, other->node, sizeof link->node);
          break;
        }
      link->geometry = &ifbam_difference;
      link->n_ports = 2;
      link->node[0] = g_array_index (compiler->left, guint32, signal.number);
      link->node[1] = g_array_index (compiler->right, guint32, signal.number);
      break;
    default:
      ifbam_compiler_add_issue (
          compiler, element, key,
          g_strdup_printf ("\"%s\" is no possible signal (want a node's position or velocity, or a "
                           "link's compression or rate)",
                           text));
      return FALSE;
    }
  key = NULL;
  reason = element->info->signal (element, law,
                                  signal.kind == IFBAM_SIGNAL_RATE
                                      || signal.kind == IFBAM_SIGNAL_LINK_RATE
                                      || signal.kind == IFBAM_SIGNAL_PLACE_RATE,
                                  unit, compiler->reader->number, &key);
  if (reason != NULL)
    ifbam_compiler_add_issue (compiler, element, key, reason);
  return reason == NULL;
}

void
ifbam_compiler_add_monitor_link (IfbamCompiler *compiler, IfbamElement *element)
{
  const char *text = ifbam_element_slots (element)[element->info->signal_slot];
  void *law = ifbam_compiler_copy_law (compiler, element);
  IfbamLink link = { .law = element->info->link,
                     .name = element->name,
                     .element = element,
                     .info = element->info,
                     .numbers = law,
                     .carrier = IFBAM_NO_NODE };

  if (text == NULL || !find_signal (compiler, element, text, &link, law))
    return;
  if (ifbam_compiler_is_fixed_link (compiler->model, &link))
    {
      ifbam_compiler_add_issue (
          compiler, element, ifbam_element_slot_key (element->info, element->info->signal_slot),
          g_strdup_printf ("\"%s\" is prescribed (want a signal of a free node or link)", text));
      return;
    }
  ifbam_compiler_element_index (compiler, element)->index = compiler->model->unbatched_links->len;
  ifbam_compiler_add_time_events (compiler, element, IFBAM_TIME_EVENT_SAMPLE,
                                  compiler->model->unbatched_links->len);
  g_array_append_val (compiler->model->unbatched_links, link);
}

/* Returns "floor.friction"; interned, as events keep it. */
static const char *
relation_name (const IfbamLink *link, const IfbamLaw *law)
{
  g_autofree char *name = g_strdup_printf ("%s.%s", link->name, law->name);

  return g_intern_string (name);
}

/* Adds the further constraints of the last link: over its ends, or along their carriers. */
static void
add_relations (IfbamCompiler *compiler, const char *key, const IfbamLinkEnd *end, guint n)
{
  GArray *unbatched_links = compiler->model->unbatched_links;
  const guint32 first = unbatched_links->len - 1;
  const IfbamLink link = g_array_index (unbatched_links, IfbamLink, first);
  guint place = 1;

  for (const IfbamLaw *law = link.law->next; law != NULL; law = law->next, place++)
    {
      IfbamLink relation = link;

      if (law->acts != NULL && !law->acts (link.numbers))
        continue;
      relation.law = law;
      relation.name = relation_name (&link, law);
      relation.place = place;
      if (law->across)
        {
          relation.geometry = link.geometry->slip;
          relation.follows = TRUE;
          g_array_index (unbatched_links, IfbamLink, first).leads = TRUE;
          g_array_append_val (unbatched_links, relation);
          continue;
        }
      if (law->geometry != NULL)
        {
          relation.geometry = law->geometry;
          ifbam_compiler_join_ends (&relation, end, n);
          g_array_append_val (unbatched_links, relation);
          continue;
        }
      if (law->ends != NULL)
        {
          relation.geometry = law->ends;
          ifbam_compiler_join_ends (&relation, end, 2);
          if (relation.n_ports > 0 && ifbam_compiler_can_act (law->ends, end))
            g_array_append_val (unbatched_links, relation);
          else if (law->acts != NULL)
            {
              ifbam_compiler_add_rest_node (compiler, link.element, key, law);
              return;
            }
          continue;
        }
      relation.carrier = first;
      relation.n_carriers = MAX (law->n_carriers, 1);
      relation.in_plane = FALSE;
      relation.geometry = link.geometry->slip;
      if (relation.geometry->is_angle
          && (!ifbam_compiler_can_act (relation.geometry, end)
              || end[0].n_nodes + end[1].n_nodes == 0))
        {
          ifbam_compiler_add_rest_node (compiler, link.element, key, law);
          return;
        }
      if (end[0].form == IFBAM_FORM_TABLE || end[1].form == IFBAM_FORM_TABLE)
        {
          ifbam_compiler_add_issue (compiler, link.element, law->name,
                                    g_strdup ("acts about an axis about which a ball seen from "
                                              "above does not turn (leave it out)"));
          return;
        }
      for (guint k = 0; k < relation.n_carriers; k++)
        g_array_index (unbatched_links, IfbamLink, relation.carrier + k).carries = TRUE;
      g_array_append_val (unbatched_links, relation);
    }
}

/* Adds a port behind the ends for the node that lengthens a link. FALSE after an issue. */
static gboolean
drive_length (IfbamCompiler *compiler, IfbamElement *element, IfbamLink *link)
{
  const guint slot = element->info->length_slot;
  char *const *names = slot == 0 ? NULL : ifbam_element_slots (element)[slot];
  const char *key = slot == 0 ? NULL : ifbam_element_slot_key (element->info, slot);
  guint32 node;

  if (names == NULL || names[0] == NULL)
    return TRUE;
  node = ifbam_compiler_find_node (compiler, element, key, names[0]);
  if (node == IFBAM_NO_NODE)
    return FALSE;
  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] == node)
      {
        ifbam_compiler_add_issue (
            compiler, element, key,
            g_strdup_printf ("\"%s\" belongs to one of its ends (want another node)", names[0]));
        return FALSE;
      }
  ifbam_compiler_claim_domain (compiler, element, key, node, element->info);
  link->geometry = link->geometry->driven;
  link->node[link->n_ports++] = node;
  return TRUE;
}

/* Stores a course in the law's numbers. */
static void
keep_course (IfbamCompiler *compiler, IfbamElement *element, double *law)
{
  guint32 domains = 1u << element->info->domain;
  const IfbamInterpolant *course = NULL;

  if (element->info->course_parameter == 0)
    return;
  course = ifbam_compiler_read_course (compiler, element, &domains);
  memcpy (&law[element->info->course_parameter - 1], &course, sizeof course);
}

/* Returns why an element can't press others, by its class (transfer full); NULL: it can. */
static char *
normal_force_fault (const IfbamElement *element, const IfbamElement *other, const char *name)
{
  const IfbamLaw *law = other == NULL ? NULL : other->info->link;

  if (other == NULL)
    return g_strdup_printf ("no link \"%s\" in this network", name);
  if (law == NULL || other == element || other->info->signal_slot != 0)
    return g_strdup_printf ("\"%s\" is no link with a force (want one such as a spring)", name);
  if (other->info->domain != IFBAM_DOMAIN_TRANSLATION || law->force == NULL || law->n_states > 0
      || law->next != NULL || (law->geometry != NULL && law->geometry != IFBAM_GEOMETRY_DIFFERENCE))
    return g_strdup_printf ("\"%s\" has no law for a force along a line (want a spring, a contact "
                            "or the like; the reaction of a hard stop presses a rail-brake)",
                            name);
  return NULL;
}

/* Adds the ports of the pressing link, for its law's force. FALSE after an issue. */
static gboolean
join_normal_force (IfbamCompiler *compiler, IfbamElement *element, IfbamLink *link)
{
  const guint slot = element->info->normal_slot;
  char *const *names = slot == 0 ? NULL : ifbam_element_slots (element)[slot];
  const char *key = slot == 0 ? NULL : ifbam_element_slot_key (element->info, slot);
  const guint told = compiler->issues->len;
  IfbamElement *other;
  char *const *ends, *fault;
  IfbamNormalForce *normal_force;
  double *law;

  if (names == NULL || names[0] == NULL)
    return TRUE;
  other = g_hash_table_lookup (compiler->by_name, names[0]);
  fault = normal_force_fault (element, other, names[0]);
  if (fault != NULL)
    {
      ifbam_compiler_add_issue (compiler, element, key, fault);
      return FALSE;
    }
  ends = ifbam_element_slots (other)[IFBAM_SLOT_BETWEEN];
  law = ifbam_compiler_copy_law (compiler, other);
  normal_force = ifbam_compiler_own (compiler, g_new0 (IfbamNormalForce, 1), g_free);
  *normal_force = (IfbamNormalForce){
    .element = other, .law = other->info->link, .numbers = law, .port = { 0, 0 }
  };
  if (ends == NULL || g_strv_length ((char **) ends) != 2)
    return FALSE; /* reported already */
  for (guint k = 0; k < 2; k++)
    {
      IfbamLinkEnd end;
      guint e = 0;

      if (!ifbam_compiler_find_end (compiler, other, "between", ends[k], &end))
        {
          g_array_set_size (compiler->issues, told); /* the pressing link itself reports it */
          return FALSE;
        }
      if (end.form != IFBAM_FORM_NODE || end.n_nodes != 1)
        {
          ifbam_compiler_add_issue (
              compiler, element, key,
              g_strdup_printf (
                  "\"%s\" is between points of the plane (want one between nodes on lines)",
                  names[0]));
          return FALSE;
        }
      while (e < link->n_ports && link->node[e] != end.node[0])
        e++;
      link->node[e] = end.node[0];
      link->n_ports = MAX (link->n_ports, e + 1);
      normal_force->port[k] = e;
    }
  fault = other->info->link_law == NULL ? NULL : other->info->link_law (other, law, 0, 0, &key);
  g_free (fault); /* reported for that link */
  if (normal_force->law->constraint (law, normal_force->law->mode (law, 0, 0)).kind
      != IFBAM_CONSTRAINT_NONE)
    {
      ifbam_compiler_add_issue (compiler, element, ifbam_element_slot_key (element->info, slot),
                                g_strdup_printf ("\"%s\" has a reaction, not a force by a law (the "
                                                 "reaction of a hard stop presses a rail-brake)",
                                                 names[0]));
      return FALSE;
    }
  link->normal_force = normal_force;
  if (link->n_ports > 2)
    link->geometry = &ifbam_pad_slip;
  return TRUE;
}

void
ifbam_compiler_find_normal_forces (IfbamCompiler *compiler)
{
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (compiler->model, &link);)
    {
      IfbamNormalForce *normal_force = (IfbamNormalForce *) link->normal_force;

      if (normal_force != NULL)
        normal_force->single =
            ifbam_model_element_index (compiler->model, normal_force->element).single
                ? ifbam_model_element_index (compiler->model, normal_force->element).index
                : IFBAM_NO_NODE;
    }
}

/* Finds the input nodes of a force by other nodes' motion. FALSE after an issue. */
static gboolean
join_input (IfbamCompiler *compiler, IfbamElement *element, IfbamLink *link)
{
  const guint slot = element->info->input_slot;
  char *const *names = slot == 0 ? NULL : ifbam_element_slots (element)[slot];
  const char *key = slot == 0 ? NULL : ifbam_element_slot_key (element->info, slot);
  guint32 nodes[4] = { link->node[0], link->node[1], IFBAM_NO_NODE, IFBAM_NO_NODE };

  if (slot == 0 || (names == NULL && element->info->link->geometry != &ifbam_transfer))
    return TRUE;
  if (names == NULL || names[0] == NULL)
    return FALSE; /* reported already */
  for (guint k = 0; k < 2 && names[k] != NULL; k++)
    {
      nodes[2 + k] = ifbam_compiler_find_node (compiler, element, key, names[k]);
      if (nodes[2 + k] == IFBAM_NO_NODE)
        return FALSE;
      ifbam_compiler_claim_domain (compiler, element, key, nodes[2 + k], element->info);
    }
  if (nodes[2] == nodes[3])
    {
      ifbam_compiler_add_issue (
          compiler, element, key,
          g_strdup_printf ("\"%s\" is named twice (want two different nodes)", names[0]));
      return FALSE;
    }
  link->geometry = &ifbam_transfer;
  link->n_ports = ifbam_transfer_join (nodes, IFBAM_NO_NODE, link->node, link->shape);
  return TRUE;
}

/* Returns TRUE if a link's force is defined between given motions. Reactions are not, except those
 * of frictions: they would have to change these motions. */
static gboolean
has_force_between_given (const IfbamLink *link)
{
  const IfbamLaw *law = link->law;
  gboolean has_force = link->n_ports > 0 && law->force != NULL;

  for (int mode = 0; mode == 0 || (law->modes != NULL && law->modes[mode] != NULL); mode++)
    {
      const IfbamConstraintKind kind = law->constraint (link->numbers, mode).kind;

      has_force &= kind == IFBAM_CONSTRAINT_NONE || kind == IFBAM_CONSTRAINT_FRICTION;
    }
  return has_force || law->acts_on_fixed;
}

/* Adds an issue and returns FALSE if two of a link's ends are one free node. */
static gboolean
check_different (IfbamCompiler *compiler, IfbamElement *element, const IfbamLinkEnd *end,
                 char *const *names)
{
  for (guint k = 1; names[k] != NULL; k++)
    for (guint before = 0; before < k; before++)
      if (end[k].node[0] == end[before].node[0] && end[k].node[0] < compiler->model->n_free)
        {
          ifbam_compiler_add_issue (
              compiler, element, "between",
              g_strdup_printf ("\"%s\" is named twice (it joins %u different nodes)", names[k],
                               g_strv_length ((char **) names)));
          return FALSE;
        }
  return TRUE;
}

void
ifbam_compiler_add_unbatched (IfbamCompiler *compiler, IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;
  char *const *names = ifbam_element_slots (element)[IFBAM_SLOT_BETWEEN];
  const guint n = names == NULL ? 0 : g_strv_length ((char **) names);
  const char *key = ifbam_element_slot_key (info, IFBAM_SLOT_BETWEEN);
  IfbamLink link = { .law = info->link,
                     .name = element->name,
                     .element = element,
                     .info = info,
                     .carrier = IFBAM_NO_NODE };
  IfbamLinkEnd end[MAX_ENDS];
  gboolean found = TRUE, fixed;
  guint forms = 0;
  gsize member;
  char *fault;
  void *law;

  if (n == 0 || n > MAX_ENDS)
    return; /* reported already */
  law = ifbam_compiler_copy_law (compiler, element);
  link.numbers = law;
  keep_course (compiler, element, law);
  for (guint k = 0; k < n; k++)
    found &= ifbam_compiler_find_end (compiler, element, key, names[k], &end[k]);
  if (!found)
    return;
  for (guint k = 0; k < n; k++)
    forms |= end[k].form;
  if (n > 2)
    link.geometry = forms == IFBAM_FORM_NODE ? info->link->geometry : NULL;
  else
    link.geometry = ifbam_link_geometry (n, end[0].form, n == 2 ? end[1].form : 0, info->forms,
                                         info->link->geometry, info->link->ends);
  if (n == 2 && (end[0].coordinate | end[1].coordinate) > 0)
    link.geometry = end[0].form == IFBAM_FORM_NODE && end[1].form == IFBAM_FORM_NODE
                            && (link.geometry == &ifbam_difference)
                        ? &ifbam_coordinates
                        : NULL;
  ifbam_compiler_check_length (compiler, element, &link);
  if (link.geometry == NULL)
    {
      g_autofree char *left = ifbam_compiler_end_text (&end[0]),
                      *right = n == 2 ? ifbam_compiler_end_text (&end[1]) : NULL;
      const char *article = ifbam_element_article (info);

      ifbam_compiler_add_issue (
          compiler, element, key,
          n == 2 ? g_strdup_printf ("%s %s can't join %s and %s (it joins %s)", article, info->name,
                                    left, right, ifbam_link_forms_text (info->forms))
          : n == 1 ? g_strdup_printf (
                "%s %s can't act on %s%s", article, info->name, left,
                (info->forms & IFBAM_ON_TABLE) != 0 ? " (want a ball with table = yes)" : "")
                   : g_strdup_printf ("%s %s joins nodes on lines", article, info->name));
      return;
    }
  if (n > 2 && !check_different (compiler, element, end, names))
    return;
  if (n == 2 && MIN (end[0].n_nodes, end[1].n_nodes) > 0 && end[0].node[0] == end[1].node[0])
    {
      ifbam_compiler_add_issue (
          compiler, element, key,
          g_str_equal (names[0], names[1])
              ? g_strdup_printf ("both ends are on \"%s\" (a link joins two nodes)", names[0])
              : g_strdup_printf (
                  "both ends are on one %s: \"%s\" moves with \"%s\" (a link joins two)",
                  ifbam_model_node_span (compiler->model, end[0].node[0], &member)
                      ->element->info->name,
                  names[0], names[1]));
      return;
    }
  /* A surface has to be the right end. */
  if (n == 2 && end[0].form == IFBAM_FORM_SURFACE)
    {
      IfbamLinkEnd swap = end[0];

      end[0] = end[1];
      end[1] = swap;
    }
  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < end[k].n_nodes && end[k].coordinate == 0
                      && !ifbam_form_in_plane (end[k].form) && info->domain < IFBAM_N_DOMAINS;
         i++)
      ifbam_compiler_claim_end (compiler, element, key, end[k].node[i], info,
                                ifbam_element_end_domain (info, k));
  ifbam_compiler_join_ends (&link, end, n);
  if (!drive_length (compiler, element, &link) || !join_input (compiler, element, &link))
    return;
  fixed = ifbam_compiler_is_fixed_link (compiler->model, &link);
  if (!join_normal_force (compiler, element, &link))
    return;
  link.n_states = info->link->n_states;
  link.first_state = info->link->first_state;
  for (guint k = 0; k < link.n_states; k++)
    link.node[link.n_ports + k] = compiler->next_state_node + k;
  fault = link.geometry->fault == NULL ? NULL : link.geometry->fault (link.shape);
  if (fault != NULL)
    {
      ifbam_compiler_add_issue (compiler, element, key, fault);
      return;
    }
  if (info->link_law != NULL)
    {
      const double radius = link.geometry->radius == NULL ? 0 : link.geometry->radius (link.shape);
      const double mass = link.geometry->mass == NULL ? 0 : link.geometry->mass (link.shape);

      fault = info->link_law (element, law, radius, mass, &key);
    }
  if (fault != NULL)
    {
      ifbam_compiler_add_issue (compiler, element, key, fault);
      return;
    }
  if (fixed && !has_force_between_given (&link))
    {
      ifbam_compiler_add_issue (
          compiler, element, key,
          g_strdup (
              link.n_ports == 0
                  ? "both ends are points fixed in the plane, and have no inertia: nothing could "
                    "move (a pin where rods meet is a ball with a small mass)"
              : n >= 2 ? "both ends have prescribed motions: nothing could "
                         "move (join it to a mass, an inertia or a capacitor)"
                       : "its motion is prescribed"));
      return;
    }
  ifbam_compiler_element_index (compiler, element)->index = compiler->model->unbatched_links->len;
  g_array_append_val (compiler->model->unbatched_links, link);
  ifbam_compiler_add_time_events (compiler, element, IFBAM_TIME_EVENT_TOGGLE,
                                  ifbam_compiler_element_index (compiler, element)->index);
  add_relations (compiler, key, end, n);
}

void
ifbam_compiler_add_branch_constraint (IfbamCompiler *compiler, IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;
  const IfbamLaw *law = info->branch_link->link;
  char *const *names = ifbam_element_slots (element)[IFBAM_SLOT_BETWEEN];
  const guint n = g_strv_length ((char **) names);
  IfbamLink link = { .law = law,
                     .name = element->name,
                     .element = element,
                     .info = info->branch_link,
                     .place = 1,
                     .geometry = law->geometry,
                     .n_ports = 3,
                     .carrier = IFBAM_NO_NODE };
  gboolean found = n == 2;

  for (guint e = 0; e < n && e < 2; e++)
    {
      link.node[e] = ifbam_compiler_find_node (compiler, element, "between", names[e]);
      found &= link.node[e] != IFBAM_NO_NODE;
    }
  if (!found)
    return;
  if (link.node[0] == link.node[1])
    {
      ifbam_compiler_add_issue (compiler, element, "between",
                                g_strdup_printf ("both ends are on \"%s\" (%s %s joins two nodes)",
                                                 names[0], ifbam_element_article (info),
                                                 info->name));
      return;
    }
  for (guint e = 0; e < 2; e++)
    ifbam_compiler_claim_domain (compiler, element, "between", link.node[e], info);
  if (info->kind == IFBAM_KIND_GIVEN_NODE
      && MIN (link.node[0], link.node[1]) >= compiler->model->n_free)
    {
      ifbam_compiler_add_issue (
          compiler, element, "between",
          g_strdup_printf (
              "both \"%s\" and \"%s\" have prescribed motions: %s %s has no effect (leave it out)",
              names[0], names[1], ifbam_element_article (info), info->name));
      return;
    }
  link.node[2] = ifbam_compiler_element_index (compiler, element)->index;
  link.numbers = ifbam_compiler_own (compiler, g_malloc0 (info->branch_link->law_size), g_free);
  link.name = relation_name (&link, law);
  law->geometry->shape (link.numbers, NULL, NULL, link.shape);
  g_array_append_val (compiler->model->unbatched_links, link);
}

void
ifbam_compiler_add_plane_path (IfbamCompiler *compiler, IfbamElement *owner,
                               const IfbamMember *kind, const char *from, const char *to,
                               gsize count)
{
  const gsize n = count - 1 + (from != NULL) + (to != NULL);
  const guint32 x = ifbam_compiler_element_index (compiler, owner)->index;
  char *const names[] = { (char *) from, (char *) to };
  const gboolean between = ifbam_element_param_index (owner->info, "between") >= 0;
  const char *const keys[] = { between ? "between" : "from", between ? "between" : "to" };
  IfbamSpan span = { .first = compiler->model->unbatched_links->len,
                     .count = n,
                     .stride = 1,
                     .info = kind->info,
                     .element = owner,
                     .letter = kind->letter };
  IfbamLinkEnd outer[2], end[2];
  double *numbers;

  for (guint k = 0; k < 2; k++)
    {
      if (names[k] == NULL)
        continue;
      if (!ifbam_compiler_find_end (compiler, owner, keys[k], names[k], &outer[k]))
        return;
      if (!ifbam_form_in_plane (outer[k].form))
        {
          g_autofree char *text = ifbam_compiler_end_text (&outer[k]);

          ifbam_compiler_add_issue (
              compiler, owner, keys[k],
              g_strdup_printf ("\"%s\" is %s (%s %s begins and ends at points of the plane)",
                               names[k], text, ifbam_element_article (owner->info),
                               between ? owner->info->name : "chain of rods"));
          return;
        }
    }
  span.series = ifbam_compiler_own_series (compiler, kind);
  span.overrides = ifbam_compiler_own_overrides (compiler, kind->overrides);
  g_array_append_val (compiler->model->unbatched_families, span);
  numbers = ifbam_compiler_own (compiler, g_malloc0 (n * kind->info->law_size + 1), g_free);
  for (gsize i = 0; i < n; i++, numbers += kind->info->law_size / sizeof *numbers)
    {
      const gsize left = i + (from == NULL); /* index of a member, from 1 on */
      IfbamLink link = { .law = kind->info->link,
                         .name = ifbam_compiler_own (compiler, ifbam_span_name (&span, i), g_free),
                         .element = owner,
                         .info = kind->info,
                         .numbers = numbers,
                         .geometry = kind->info->link->ends,
                         .carrier = IFBAM_NO_NODE };

      ifbam_span_law (&span, i, numbers);
      for (guint k = 0; k < 2; k++)
        {
          const gsize member = left + k;

          end[k] = member == 0 ? outer[0]
                   : member == count + 1
                       ? outer[1]
                       : (IfbamLinkEnd){ .form = IFBAM_FORM_BALL,
                                         .n_nodes = 2,
                                         .node = { x + (guint32) member - 1,
                                                   x + (guint32) (count + member) - 1 },
                                         .place = { 2 } };
        }
      ifbam_compiler_join_ends (&link, end, 2);
      g_array_append_val (compiler->model->unbatched_links, link);
    }
}

void
ifbam_compiler_check_apart (IfbamCompiler *compiler)
{
  const IfbamModel *model = compiler->model;
  g_autofree double *position = g_new (double, model->n_nodes + 1);
  g_autofree double *rate = g_new (double, model->n_nodes + 1);

  ifbam_model_initial_range (model, 0, model->n_nodes, position, rate);
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    {
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, scale = 0;
      IfbamConstraint relation;

      ifbam_link_read_ports (link, position, x);
      ifbam_link_read_ports (link, rate, v);
      for (guint e = 0; e < link->n_ports; e++)
        scale = MAX (scale, fabs (x[e]));
      link->geometry->measure (link->shape, x, v, &delta, row);
      relation = link->law->constraint (link->numbers, link->law->mode (link->numbers, delta, 0));
      if (relation.kind == IFBAM_CONSTRAINT_CONTACT
          && delta - relation.gap > 64 * DBL_EPSILON * MAX (scale, fabs (relation.gap)))
        ifbam_compiler_add_issue (
            compiler, link->element, "between",
            link->geometry->is_angle
                ? g_strdup_printf ("its bodies have turned by %g rad more than the stop "
                                   "lets them at the start (turn them back)",
                                   delta - relation.gap)
            : ifbam_element_param_index (link->element->info, "length") >= 0
                ? g_strdup_printf ("its ends are %g m further apart than it is long at the start "
                                   "(move them together, or make it longer)",
                                   delta - relation.gap)
                : g_strdup_printf (
                    "its ends overlap by %g at the start (move them apart%s)", delta - relation.gap,
                    ifbam_element_param_index (link->element->info, "gap") < 0
                        ? ""
                        : ", give it a larger gap, or exchange its ends: of LEFT, RIGHT "
                          "the right one has the larger coordinate"));
    }
}
