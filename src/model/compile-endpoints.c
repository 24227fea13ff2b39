/* compile-endpoints.c: ends of links in the plane: points, balls, bodies and their coordinates
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compile-endpoints.h"

#include <string.h>

#include "element/endpoint.h"
#include "element/element.h"
#include "model/compile-storage.h"
#include "model/compile-names.h"

gboolean
ifbam_compiler_find_plane_member (const IfbamCompiler *compiler, const char *name, guint32 node[2])
{
  static const char *const tails[] = { "x", "y" };

  for (guint c = 0; c < G_N_ELEMENTS (tails); c++)
    {
      g_autofree char *coordinate =
          name == NULL || !compiler->in_plane || strchr (name, '.') == NULL
              ? NULL
              : g_strdup_printf ("%s.%s", name, tails[c]);
      guint64 number;

      if (coordinate == NULL
          || ifbam_member_find (compiler->model->node_families, coordinate, &number) == NULL)
        return FALSE;
      node[c] = (guint32) number;
    }
  return TRUE;
}

gboolean
ifbam_compiler_is_on_body (const IfbamCompiler *compiler, const IfbamElement *element)
{
  const guint slot =
      ifbam_element_is_one_ended (element->info) ? IFBAM_SLOT_ON : IFBAM_SLOT_BETWEEN;
  char *const *names = ifbam_element_slots (element)[slot];
  gboolean body = FALSE;

  if ((element->info->forms & (IFBAM_ON_BALL | IFBAM_BETWEEN_BALLS)) == 0 || names == NULL)
    return FALSE;
  for (guint i = 0; names[i] != NULL; i++)
    {
      const IfbamElement *end = g_hash_table_lookup (compiler->by_name, names[i]);

      guint32 node[2];

      body |= end != NULL ? end->info->form != IFBAM_FORM_NODE
                          : ifbam_compiler_find_plane_member (compiler, names[i], node);
    }
  return body;
}

/* Returns TRUE if an end of a link with two ends is a point of the plane, or its coordinate. */
static gboolean
has_plane_end (const IfbamCompiler *compiler, const IfbamElement *element)
{
  char *const *names = ifbam_element_slots (element)[IFBAM_SLOT_BETWEEN];
  gboolean stands = FALSE;

  if (!compiler->in_plane || ifbam_element_is_one_ended (element->info)
      || element->info->signal_slot != 0)
    return FALSE;
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      const IfbamElement *end = g_hash_table_lookup (compiler->by_name, names[i]);
      guint coordinate;

      guint32 node[2];

      stands |= end != NULL
                    ? (element->info->forms & IFBAM_BETWEEN_ENDS) != 0
                          && ifbam_form_in_plane (end->info->form)
                    : ifbam_compiler_find_coordinate (compiler, names[i], &coordinate) != NULL
                          || ((element->info->forms & IFBAM_BETWEEN_ENDS) != 0
                              && ifbam_compiler_find_plane_member (compiler, names[i], node));
    }
  return stands;
}

gboolean
ifbam_compiler_is_unbatched (const IfbamCompiler *compiler, const IfbamElement *element)
{
  const IfbamLaw *law = element->info->link;

  return law->points == NULL || ifbam_compiler_is_on_body (compiler, element)
         || has_plane_end (compiler, element)
         || (element->info->input_slot != 0
             && ifbam_element_slots (element)[element->info->input_slot] != NULL)
         || (law->has_modes != NULL && law->has_modes (ifbam_element_law (element)));
}

/* Finds the node that a point follows along a coordinate, else the implied ground. FALSE: none. */
static gboolean
find_followed_node (const IfbamCompiler *compiler, const IfbamElement *point, guint coordinate,
                    guint32 *node)
{
  char *const *names = ifbam_element_slots (point)[follow_slots[coordinate]];
  const IfbamElement *element;
  guint64 number;

  if (names == NULL || names[0] == NULL)
    {
      *node = ifbam_compiler_element_index (compiler, compiler->model->rest)->index;
      return TRUE;
    }
  element = g_hash_table_lookup (compiler->by_name, names[0]);
  if (element != NULL)
    *node = element->info->kind <= IFBAM_KIND_GIVEN_NODE && element->info->form == IFBAM_FORM_NODE
                ? ifbam_compiler_element_index (compiler, element)->index
                : IFBAM_NO_NODE;
  else
    *node = ifbam_member_find (compiler->model->node_families, names[0], &number) != NULL
                ? (guint32) number
                : IFBAM_NO_NODE;
  return *node != IFBAM_NO_NODE;
}

/* Finds a point of the plane: on a body, following nodes, or fixed. FALSE after an issue. */
static gboolean
find_place (IfbamCompiler *compiler, const IfbamElement *point, IfbamLinkEnd *end)
{
  char *const *on = ifbam_element_slots (point)[IFBAM_SLOT_ON];
  const IfbamElement *body = NULL;

  if (on != NULL && on[0] != NULL)
    {
      body = g_hash_table_lookup (compiler->by_name, on[0]);
      if (body == NULL || !ifbam_form_turns (ifbam_element_form (body)))
        return FALSE; /* reported by check_points */
      end->n_nodes = ifbam_element_n_coordinates (body);
      for (guint i = 0; i < end->n_nodes; i++)
        end->node[i] = ifbam_compiler_element_index (compiler, body)->index + i;
    }
  else if (ifbam_compiler_count_followed (point) > 0)
    {
      end->n_nodes = G_N_ELEMENTS (follow_slots);
      for (guint c = 0; c < G_N_ELEMENTS (follow_slots); c++)
        if (!find_followed_node (compiler, point, c, &end->node[c]))
          return FALSE; /* reported by check_points */
    }
  end->place[0] = end->n_nodes;
  point->info->shape (point, end->place + 1);
  return TRUE;
}

/* Adds the coordinates of a point: its offsets from the plane's origin. */
static void
add_point_coordinates (IfbamCompiler *compiler, IfbamElement *point)
{
  static const double origin[IFBAM_END_SIZE];
  const IfbamGeometry *const geometries[] = { &ifbam_offset_x, &ifbam_offset_y };
  IfbamLinkEnd end = { .element = point };

  if (!find_place (compiler, point, &end))
    return;
  ifbam_compiler_element_index (compiler, point)->index = compiler->model->point_coordinates->len;
  for (guint c = 0; c < G_N_ELEMENTS (geometries); c++)
    {
      IfbamLink gauge = { .geometry = geometries[c], .n_ports = end.n_nodes };

      memcpy (gauge.node, end.node, end.n_nodes * sizeof *gauge.node);
      geometries[c]->shape (NULL, end.place, origin, gauge.shape);
      g_array_append_val (compiler->model->point_coordinates, gauge);
    }
}

void
ifbam_compiler_check_point (IfbamCompiler *compiler, IfbamElement *point)
{
  char *const *on = ifbam_element_slots (point)[IFBAM_SLOT_ON];
  const IfbamElement *body =
      on == NULL || on[0] == NULL ? NULL : g_hash_table_lookup (compiler->by_name, on[0]);

  for (guint c = 0; c < G_N_ELEMENTS (follow_slots); c++)
    {
      const char *key = ifbam_element_slot_key (point->info, follow_slots[c]);
      char *const *names = ifbam_element_slots (point)[follow_slots[c]];
      const guint32 node =
          names == NULL ? IFBAM_NO_NODE : ifbam_compiler_find_node (compiler, point, key, names[0]);

      if (node != IFBAM_NO_NODE)
        ifbam_compiler_claim_domain (compiler, point, key, node, point->info);
    }
  add_point_coordinates (compiler, point);
  if (on == NULL || on[0] == NULL || (body != NULL && ifbam_form_turns (ifbam_element_form (body))))
    return;
  if (body == NULL && compiler->unknown != NULL && g_hash_table_contains (compiler->unknown, on[0]))
    return;
  ifbam_compiler_add_issue (
      compiler, point, "on",
      body == NULL ? g_strdup_printf ("no body \"%s\" in this network", on[0])
                   : g_strdup_printf (
                       "\"%s\" is %s %s%s (a point is on a body, or a ball with inertia; without "
                       "\"on\" it is fixed in the plane)",
                       on[0], ifbam_element_article (body->info), body->info->name,
                       ifbam_element_form (body) == IFBAM_FORM_BALL ? " without inertia" : ""));
}

gboolean
ifbam_compiler_find_end (IfbamCompiler *compiler, IfbamElement *owner, const char *key,
                         const char *name, IfbamLinkEnd *end)
{
  const IfbamElement *element = name == NULL ? NULL : g_hash_table_lookup (compiler->by_name, name);
  const IfbamElement *point;

  memset (end, 0, sizeof *end);
  end->element = element;
  if (element == NULL && name != NULL
      && (point = ifbam_compiler_find_coordinate (compiler, name, &end->coordinate)) != NULL)
    {
      if (owner->info->domain == IFBAM_DOMAIN_TRANSLATION
          || owner->info->domain == IFBAM_DOMAIN_ANY)
        return find_place (compiler, point, end);
      ifbam_compiler_add_issue (
          compiler, owner, key,
          g_strdup_printf ("\"%s\" is a coordinate of translation, %s %s is for %s", name,
                           ifbam_element_article (owner->info), owner->info->name,
                           ifbam_domain_info (owner->info->domain % IFBAM_N_DOMAINS)->name));
      return FALSE;
    }
  end->coordinate = 0;
  if (element == NULL && ifbam_compiler_find_plane_member (compiler, name, end->node))
    {
      end->form = IFBAM_FORM_BALL;
      end->n_nodes = 2;
      end->place[0] = end->n_nodes;
      return TRUE;
    }
  if (element != NULL && element->info->form == IFBAM_FORM_POINT)
    {
      end->form = IFBAM_FORM_POINT;
      return find_place (compiler, element, end);
    }
  if (element != NULL && element->info->form != IFBAM_FORM_NODE)
    {
      end->form = ifbam_element_form (element);
      /* Angles about axes in the plane do not matter for ends. */
      end->n_nodes = end->form == IFBAM_FORM_TABLE && !ifbam_element_is_one_ended (owner->info)
                         ? 2
                         : MAX (ifbam_element_n_coordinates (element), 1);
      for (guint i = 0; i < end->n_nodes; i++)
        end->node[i] = ifbam_compiler_element_index (compiler, element)->index + i;
      end->place[0] = MIN (end->n_nodes, 3);
      if (element->info->shape != NULL)
        element->info->shape (element, end->place + IFBAM_END_SIZE);
    }
  else
    {
      end->n_nodes = 1;
      end->node[0] = ifbam_compiler_find_node (compiler, owner, key, name);
    }
  return end->node[0] != IFBAM_NO_NODE;
}

char *
ifbam_compiler_end_text (const IfbamLinkEnd *end)
{
  if (end->element == NULL)
    return g_strdup (end->coordinate > 0            ? "a coordinate of the plane"
                     : end->form == IFBAM_FORM_BALL ? "a ball"
                                                    : "a node");
  return g_strdup_printf ("%s %s", ifbam_element_article (end->element->info),
                          end->element->info->name);
}

gboolean
ifbam_compiler_is_fixed_link (const IfbamModel *model, const IfbamLink *link)
{
  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < model->n_free)
      return FALSE;
  return TRUE;
}

void
ifbam_compiler_join_ends (IfbamLink *link, const IfbamLinkEnd *end, guint n)
{
  const IfbamGeometry *geometry = link->geometry;
  const double *law = link->numbers;

  link->in_plane = geometry == link->law->ends;
  link->n_ports = 0;
  memset (link->shape, 0, sizeof link->shape);
  for (guint k = 0; k < n; k++)
    for (guint i = geometry->is_angle ? 2 : 0;
         i < end[k].n_nodes && (n == 2 || geometry->n_ports == 0 || i < geometry->n_ports); i++)
      link->node[link->n_ports++] = end[k].node[i];
  if (geometry == &ifbam_coordinates)
    {
      double numbers[2][IFBAM_COORDINATE_SIZE];

      for (guint k = 0; k < 2; k++)
        {
          numbers[k][0] = end[k].coordinate;
          memcpy (&numbers[k][1], end[k].place, IFBAM_END_SIZE * sizeof *end[k].place);
        }
      geometry->shape (law, numbers[0], numbers[1], link->shape);
    }
  else if (geometry->shape != NULL)
    geometry->shape (law + (link->in_plane ? link->law->first_of_ends : 0), end[0].place,
                     n == 2 ? end[1].place : NULL, link->shape);
}

gboolean
ifbam_compiler_can_act (const IfbamGeometry *geometry, const IfbamLinkEnd *end)
{
  return !geometry->is_angle || (end[0].n_nodes != 2 && end[1].n_nodes != 2);
}

void
ifbam_compiler_add_rest_node (IfbamCompiler *compiler, IfbamElement *element, const char *key,
                              const IfbamLaw *law)
{
  ifbam_compiler_add_issue (
      compiler, element, key,
      g_strdup_printf ("nothing rotates there: there is no %s (balls and fixed points do "
                       "not rotate)",
                       law->name));
}
