/* signal-reader.c: adds signals by the names of elements and quantities to a list
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/signal-reader.h"

#include <string.h>

#include "base/compare.h"
#include "base/memory.h"
#include "model/links.h"

/* From so many signals on, memory is checked, and again each time the count doubles. */
#define MANY_SIGNALS 100000
/* Suggestions are searched among at most so many names. */
#define MAX_NAMES 10000

gboolean
ifbam_signal_reader_make_room (IfbamSignalReader *reader, guint64 n, const char *name)
{
  const double bytes = (double) n * (IFBAM_SIGNAL_MEMORY + (double) strlen (name));
  g_autofree char *lack = n > MANY_SIGNALS ? ifbam_memory_lack (bytes) : NULL;

  if (reader->lack != NULL || n <= reader->room)
    return reader->lack == NULL;
  reader->room = n;
  if (n > IFBAM_MAX_SIGNALS)
    reader->lack =
        g_strdup_printf ("more than %u signals (name the signals to record)", IFBAM_MAX_SIGNALS);
  else if (lack != NULL)
    reader->lack = g_strdup_printf (
        "the names of %" G_GUINT64_FORMAT " signals need %s (name the signals to record)", n, lack);
  return reader->lack == NULL;
}

void
ifbam_signal_reader_add_named (IfbamSignalReader *reader, char *name, IfbamSignal signal,
                               const char *unit)
{
  IfbamSignals *signals = reader->signals;
  const gboolean of_a_link = signal.kind == IFBAM_SIGNAL_LINK_DISSIPATED;
  const guint64 n = signals->signals->len;

  if ((n >= MANY_SIGNALS && n >= reader->room
       && !ifbam_signal_reader_make_room (reader, 2 * n, name))
      || reader->lack != NULL || g_hash_table_contains (reader->seen, name))
    {
      g_free (name);
      return;
    }
  g_hash_table_add (reader->seen, name);
  g_ptr_array_add (signals->names, name);
  g_ptr_array_add (signals->units, (gpointer) unit);
  g_array_append_val (signals->signals, signal);
  signals->sums |= signal.kind >= IFBAM_SIGNAL_KINETIC || (of_a_link && !signal.single);
  signals->balance |=
      of_a_link || signal.kind == IFBAM_SIGNAL_DISSIPATED || signal.kind == IFBAM_SIGNAL_SUPPLIED;
  signals->links |= of_a_link && !signal.single;
}

void
ifbam_signal_reader_add (IfbamSignalReader *reader, const char *element,
                         const IfbamQuantityInfo *quantity, IfbamDomain domain, gsize number,
                         gboolean single)
{
  const IfbamSignal signal = { quantity->kind, single, number };

  ifbam_signal_reader_add_named (reader, g_strdup_printf ("%s.%s", element, quantity->name), signal,
                                 ifbam_quantity_unit (quantity, domain));
}

/* Returns a domain of free nodes other than the first one's; if none, the first one's. */
static IfbamDomain
other_domain (const IfbamModel *model, IfbamDomain first)
{
  for (guint s = 1; s < model->node_spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (model->node_spans, IfbamSpan, s);

      if (span->first < ifbam_model_n_named_free (model) && span->info->domain != first)
        return span->info->domain;
    }
  return first;
}

/* Returns a body in the plane: momentum then has a direction; NULL: all nodes move along lines. */
static const IfbamSpan *
find_body (const IfbamModel *model)
{
  for (guint i = 0; i < model->node_families->len; i++)
    {
      const IfbamSpan *span = &g_array_index (model->node_families, IfbamSpan, i);

      if (ifbam_span_is_coordinate (span))
        return span;
    }
  return NULL;
}

static gboolean
add_network_signal (IfbamSignalReader *reader, const char *quantity, char **reason)
{
  const IfbamModel *model = reader->model;
  const IfbamQuantityInfo *word = ifbam_quantity_find (IFBAM_QUANTITY_OF_NETWORK, 0, quantity);
  const IfbamDomain first = model->n_nodes > 0 ? ifbam_model_node_domain (model, 0) : 0;

  if (word == NULL)
    {
      *reason = g_strdup_printf ("the network has no quantity \"%s\" (it has kinetic, potential, "
                                 "energy, dissipated, supplied and momentum)",
                                 quantity);
      return FALSE;
    }
  if (word->kind == IFBAM_SIGNAL_MOMENTUM && model->n_nodes > 0)
    {
      const IfbamDomain other = other_domain (model, first);
      const IfbamSpan *span = find_body (model);

      if (span != NULL)
        {
          const IfbamElement *body = span->element;
          const char *first_one = span->tail != NULL ? ".m1" : "";

          *reason = g_strdup_printf (
              "network.momentum has no meaning for motion in a plane: \"%s\" "
              "is a %s (record %s%s.vx and %s%s.vy)",
              body->name, body->info->name, body->name, first_one, body->name, first_one);
          return FALSE;
        }
      if (other != first)
        {
          *reason =
              g_strdup_printf ("network.momentum has no meaning in a network of %s and %s",
                               ifbam_domain_info (first)->name, ifbam_domain_info (other)->name);
          return FALSE;
        }
    }
  ifbam_signal_reader_add (reader, "network", word, first, 0, FALSE);
  return TRUE;
}

/* Returns TRUE if a composite's members move in the plane. */
static gboolean
moves_in_plane (const IfbamModel *model, const IfbamElement *composite)
{
  for (guint f = 0; f < model->node_families->len; f++)
    {
      const IfbamSpan *span = &g_array_index (model->node_families, IfbamSpan, f);

      if (span->element == composite)
        return span->tail != NULL;
    }
  return FALSE;
}

/* Returns why no node, link or source has this name. */
static char *
no_such_element (IfbamSignalReader *reader, const char *name)
{
  const char *dot = strchr (name, '.');
  g_autofree char *owner = dot == NULL ? NULL : g_strndup (name, (gsize) (dot - name));
  const IfbamElement *composite = g_hash_table_lookup (reader->by_name, name);
  const char *nearest = NULL;

  if (composite != NULL && composite->info->kind == IFBAM_KIND_IMPULSE)
    return g_strdup_printf ("\"%s\" is %s %s: it has nothing to record, its impulses are events",
                            name, ifbam_element_article (composite->info), composite->info->name);
  if (composite != NULL && ifbam_element_is_in_plane (composite->info))
    return g_strdup_printf ("%s \"%s\" has no such quantity (it has %s)", composite->info->name,
                            name, ifbam_signal_quantities (composite->info));
  if (composite != NULL)
    return g_strdup_printf ("\"%s\" is a %s: record its elements, such as \"%s.m1.%s\"", name,
                            composite->info->name, name,
                            moves_in_plane (reader->model, composite) ? "x" : "position");
  composite = owner == NULL ? NULL : g_hash_table_lookup (reader->by_name, owner);
  for (const IfbamLaw *law =
           composite == NULL || composite->info->link == NULL ? NULL : composite->info->link->next;
       law != NULL; law = law->next)
    if (g_str_equal (law->name, dot + 1))
      return g_strdup_printf ("%s \"%s\" has no %s with these values (record nothing of it, or "
                              "change them)",
                              composite->info->name, owner, law->name);
  if (composite != NULL)
    return g_strdup_printf ("%s \"%s\" has no element \"%s\"", composite->info->name, owner,
                            dot + 1);
  if (g_hash_table_size (reader->by_name) < MAX_NAMES)
    {
      g_autoptr (GPtrArray) names = g_ptr_array_new ();
      GHashTableIter iter;
      gpointer key;

      g_hash_table_iter_init (&iter, reader->by_name);
      while (g_hash_table_iter_next (&iter, &key, NULL))
        g_ptr_array_add (names, key);
      g_ptr_array_sort (names, ifbam_compare_strings);
      nearest = ifbam_nearest_word (name, (const char *const *) names->pdata, names->len);
    }
  if (nearest != NULL)
    return g_strdup_printf ("no element \"%s\" in this network (did you mean \"%s\"?)", name,
                            nearest);
  return g_strdup_printf ("no element \"%s\" in this network", name);
}

gboolean
ifbam_signal_reader_add_coordinate (IfbamSignalReader *reader, const IfbamElement *body,
                                    const char *quantity)
{
  const guint32 first = ifbam_model_element_index (reader->model, body).index;
  const gboolean table = ifbam_element_form (body) == IFBAM_FORM_TABLE;
  const IfbamQuantityInfo *turned =
      ifbam_element_n_coordinates (body) < 3
          ? NULL
          : ifbam_quantity_find (table ? IFBAM_QUANTITY_ON_TABLE : IFBAM_QUANTITY_OF_BODY,
                                 IFBAM_DOMAIN_ROTATION, quantity);
  const IfbamQuantityInfo *word =
      turned != NULL
          ? turned
          : ifbam_quantity_find (IFBAM_QUANTITY_OF_BODY, IFBAM_DOMAIN_TRANSLATION, quantity);
  const guint coordinate = (turned != NULL ? 2 : 0) + (g_str_has_suffix (quantity, "y") ? 1 : 0);
  IfbamQuantityInfo place;

  if (word == NULL || !ifbam_element_is_in_plane (body->info))
    return FALSE;
  if (first == IFBAM_NO_NODE)
    return TRUE; /* reported already */
  if (body->info->form == IFBAM_FORM_POINT)
    {
      place = *word;
      place.kind =
          word->kind == IFBAM_SIGNAL_POSITION ? IFBAM_SIGNAL_PLACE : IFBAM_SIGNAL_PLACE_RATE;
      ifbam_signal_reader_add (reader, body->name, &place, IFBAM_DOMAIN_TRANSLATION,
                               first + coordinate, FALSE);
      return TRUE;
    }
  ifbam_signal_reader_add (reader, body->name, word,
                           turned != NULL ? IFBAM_DOMAIN_ROTATION : IFBAM_DOMAIN_TRANSLATION,
                           ifbam_model_named_node (reader->model, first + coordinate), FALSE);
  return TRUE;
}

gboolean
ifbam_signal_reader_add_member (IfbamSignalReader *reader, const char *member, const char *quantity)
{
  const IfbamQuantityInfo *word =
      ifbam_quantity_find (IFBAM_QUANTITY_OF_BODY, IFBAM_DOMAIN_TRANSLATION, quantity);
  g_autofree char *name =
      g_strdup_printf ("%s.%s", member, g_str_has_suffix (quantity, "y") ? "y" : "x");
  guint64 node;

  if (word == NULL || ifbam_member_find (reader->model->node_families, name, &node) == NULL)
    return FALSE;
  ifbam_signal_reader_add (reader, member, word, IFBAM_DOMAIN_TRANSLATION,
                           ifbam_model_named_node (reader->model, (gsize) node), FALSE);
  return TRUE;
}

static gboolean
find_coordinate (IfbamSignalReader *reader, const char *element, const char *quantity)
{
  const IfbamElement *body = g_hash_table_lookup (reader->by_name, element);

  return body != NULL ? ifbam_signal_reader_add_coordinate (reader, body, quantity)
                      : ifbam_signal_reader_add_member (reader, element, quantity);
}

gboolean
ifbam_signal_reader_add_state (IfbamSignalReader *reader, const char *link,
                               const IfbamElementInfo *info, gsize number, gboolean single,
                               const char *name)
{
  const IfbamModel *model = reader->model;

  for (guint k = 0; k < info->link->n_states; k++)
    {
      const IfbamLawState *state = &info->link->states[k];
      g_autofree char *unit = NULL;

      if (!g_str_equal (state->name, name))
        continue;
      unit = ifbam_domain_unit (info->domain, state->unit);
      ifbam_signal_reader_add_named (
          reader, g_strdup_printf ("%s.%s", link, name),
          (IfbamSignal){ IFBAM_SIGNAL_RATE, FALSE, ifbam_model_state (model, number, single, k) },
          g_intern_string (unit));
      return TRUE;
    }
  return FALSE;
}

gboolean
ifbam_link_has_quantity (const IfbamLink *link, const IfbamQuantityInfo *word)
{
  return word != NULL
         && (word->kind != IFBAM_SIGNAL_COMPRESSION
             || (!ifbam_link_is_carried (link) && !link->follows));
}

gboolean
ifbam_signal_reader_add_by_name (IfbamSignalReader *reader, const char *element,
                                 const char *quantity, char **reason)
{
  const IfbamModel *model = reader->model;
  const IfbamElementInfo *info = NULL;
  const IfbamQuantityInfo *word = NULL;
  const IfbamLink *single = NULL;
  IfbamDomain domain;
  IfbamQuantityOwner owner = IFBAM_QUANTITY_OF_LINK;
  gsize number, member;
  IfbamFound found;

  if (g_str_equal (element, "network"))
    return add_network_signal (reader, quantity, reason);
  found = ifbam_model_find (model, reader->by_name, element, &number);
  if (found != IFBAM_FOUND_NOTHING && found != IFBAM_FOUND_UNBATCHED && number == IFBAM_NO_NODE)
    {
      reader->signals->elsewhere = TRUE; /* or joins no nodes, as reported already */
      return TRUE;
    }
  switch (found)
    {
    case IFBAM_FOUND_NODE:
      info = ifbam_model_node_span (model, number, &member)->info;
      owner = IFBAM_QUANTITY_OF_NODE;
      break;
    case IFBAM_FOUND_LINK:
      info = ifbam_model_link_span (model, number, &member)->info;
      break;
    case IFBAM_FOUND_SOURCE:
      info = ifbam_model_source_of (model, number)->info;
      owner = IFBAM_QUANTITY_OF_SOURCE;
      break;
    case IFBAM_FOUND_UNBATCHED:
      single = number == IFBAM_NO_NODE ? NULL : ifbam_unbatched_link (model, number);
      info = single == NULL
                 ? ((const IfbamElement *) g_hash_table_lookup (reader->by_name, element))->info
                 : single->info;
      break;
    case IFBAM_FOUND_NOTHING:
    default:
      if (find_coordinate (reader, element, quantity))
        return TRUE;
      *reason = no_such_element (reader, element);
      return FALSE;
    }
  domain = owner == IFBAM_QUANTITY_OF_NODE ? ifbam_model_node_domain (model, number) : info->domain;
  /* Constraints against rotation are in the domain of rotation. */
  if (single != NULL && single->geometry->is_angle)
    domain = IFBAM_DOMAIN_ROTATION;
  else if (single != NULL && info->signal_slot == 0 && domain == IFBAM_DOMAIN_ANY)
    domain = ifbam_model_node_domain (model, single->node[0]);
  /* The first constraint of a link has its states. */
  if ((found == IFBAM_FOUND_LINK || (single != NULL && single->place == 0))
      && ifbam_signal_reader_add_state (reader, element, info, number,
                                        found == IFBAM_FOUND_UNBATCHED, quantity))
    return TRUE;
  word = owner == IFBAM_QUANTITY_OF_NODE
             ? ifbam_quantity_of_node (model, number, quantity)
             : ifbam_quantity_find (
                 owner, info->signal_slot != 0 ? ifbam_quantity_domain_of_link (info) : domain,
                 quantity);
  if (single != NULL && !ifbam_link_has_quantity (single, word))
    word = NULL;
  if (word == NULL)
    {
      *reason = g_strdup_printf ("%s \"%s\" has no quantity \"%s\" (it has %s)", info->name,
                                 element, quantity, ifbam_signal_quantities (info));
      return FALSE;
    }
  if (number != IFBAM_NO_NODE) /* else it joins no nodes, as reported already */
    ifbam_signal_reader_add (reader, element, word, domain, number, found == IFBAM_FOUND_UNBATCHED);
  return TRUE;
}
