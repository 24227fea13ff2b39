/* signal-names.c: ELEMENT.QUANTITY: the signals of a model, by name
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/memory.h"
#include "base/compare.h"
#include "base/range-text.h"
#include "model/links.h"
#include "model/signal-names.h"

#include <string.h>

/* Indices of signals are guint. */
#define MAX_SIGNALS (1u << 30)
/* From so many signals on, memory is checked, and again each time the count doubles. */
#define MANY_SIGNALS 100000
/* Suggestions are searched among at most so many names. */
#define MAX_NAMES 10000
/* Faults reported of one list. */
#define MAX_FAULTS 10

/* Kinds of owners of quantities. */
typedef enum
{
  OF_NODE = 1 << 0,
  OF_LINK = 1 << 1,
  OF_SOURCE = 1 << 2,
  OF_BODY = 1 << 3, /* in the plane */
  OF_NETWORK = 1 << 4,
  ON_TABLE = 1 << 5, /* seen from above */
  OF_MOVER = 1 << 6, /* a given node or a branch */
} Owner;

#define TRANSLATION (1u << IFBAM_DOMAIN_TRANSLATION)
#define ROTATION    (1u << IFBAM_DOMAIN_ROTATION)
#define ELECTRICITY (1u << IFBAM_DOMAIN_ELECTRICITY)
#define HYDRAULICS  (1u << IFBAM_DOMAIN_HYDRAULICS)
#define ANY_DOMAIN  (TRANSLATION | ROTATION | ELECTRICITY | HYDRAULICS)
#define WATCHER     (1u << IFBAM_DOMAIN_ANY) /* a link that reads a signal has no domain */
#define CONTROLLER  (1u << (IFBAM_DOMAIN_ANY + 1))

typedef struct
{
  guint owner;
  guint32 domains;
  const char *name;
  IfbamSignalKind kind;
  const char *title; /* for axes; NULL: name */
  const char *rate;  /* quantity of its rate, for a coordinate */
} Quantity;

/* The default signal of a free node is the first one of its domain. */
static const Quantity quantities[] = {
  { OF_NETWORK, ANY_DOMAIN, "kinetic", IFBAM_SIGNAL_KINETIC, "kinetic energy", NULL },
  { OF_NETWORK, ANY_DOMAIN, "potential", IFBAM_SIGNAL_POTENTIAL, "potential energy", NULL },
  { OF_NETWORK, ANY_DOMAIN, "energy", IFBAM_SIGNAL_ENERGY, NULL, NULL },
  { OF_NETWORK, ANY_DOMAIN, "dissipated", IFBAM_SIGNAL_DISSIPATED, "dissipated energy", NULL },
  { OF_NETWORK, ANY_DOMAIN, "supplied", IFBAM_SIGNAL_SUPPLIED, "supplied energy", NULL },
  { OF_NETWORK, ANY_DOMAIN, "momentum", IFBAM_SIGNAL_MOMENTUM, NULL, NULL },

  { OF_NODE, TRANSLATION, "position", IFBAM_SIGNAL_POSITION, NULL, "velocity" },
  { OF_NODE, TRANSLATION, "velocity", IFBAM_SIGNAL_RATE, NULL, NULL },
  { OF_NODE, ROTATION, "angle", IFBAM_SIGNAL_POSITION, NULL, "speed" },
  { OF_NODE, ROTATION, "speed", IFBAM_SIGNAL_RATE, NULL, NULL },
  { OF_NODE, ELECTRICITY, "voltage", IFBAM_SIGNAL_RATE, NULL, NULL },
  { OF_NODE, ELECTRICITY, "flux", IFBAM_SIGNAL_POSITION, NULL, "voltage" },
  { OF_NODE, HYDRAULICS, "flow", IFBAM_SIGNAL_RATE, NULL, NULL },
  { OF_NODE, HYDRAULICS, "volume", IFBAM_SIGNAL_POSITION, NULL, "flow" },
  { OF_NODE, ANY_DOMAIN, "acceleration", IFBAM_SIGNAL_ACCELERATION, NULL, NULL },

  { OF_MOVER, ELECTRICITY, "current", IFBAM_SIGNAL_NODE_FORCE, NULL, NULL },
  { OF_MOVER, HYDRAULICS, "pressure", IFBAM_SIGNAL_NODE_FORCE, NULL, NULL },
  { OF_MOVER, ANY_DOMAIN, "force", IFBAM_SIGNAL_NODE_FORCE, NULL, NULL },
  { OF_MOVER, ROTATION, "torque", IFBAM_SIGNAL_NODE_FORCE, NULL, NULL },

  { OF_LINK, ELECTRICITY, "current", IFBAM_SIGNAL_FORCE, NULL, NULL },
  { OF_LINK, ELECTRICITY, "voltage", IFBAM_SIGNAL_LINK_RATE, NULL, NULL },
  { OF_LINK, HYDRAULICS, "pressure", IFBAM_SIGNAL_FORCE, NULL, NULL },
  { OF_LINK, HYDRAULICS, "flow", IFBAM_SIGNAL_LINK_RATE, NULL, NULL },
  { OF_LINK, HYDRAULICS, "volume", IFBAM_SIGNAL_COMPRESSION, NULL, "flow" },
  { OF_LINK, ANY_DOMAIN, "force", IFBAM_SIGNAL_FORCE, NULL, NULL },
  { OF_LINK, ROTATION, "torque", IFBAM_SIGNAL_FORCE, NULL, NULL },
  { OF_LINK, ANY_DOMAIN, "compression", IFBAM_SIGNAL_COMPRESSION, NULL, "rate" },
  { OF_LINK, ANY_DOMAIN, "rate", IFBAM_SIGNAL_LINK_RATE, NULL, NULL },
  { OF_LINK, ANY_DOMAIN | WATCHER, "mode", IFBAM_SIGNAL_MODE, NULL, NULL },
  { OF_LINK, CONTROLLER, "output", IFBAM_SIGNAL_OUTPUT, NULL, NULL },
  { OF_LINK, ANY_DOMAIN, "dissipated", IFBAM_SIGNAL_LINK_DISSIPATED, "dissipated energy", NULL },

  { OF_SOURCE, ELECTRICITY, "current", IFBAM_SIGNAL_SOURCE_FORCE, NULL, NULL },
  { OF_SOURCE, HYDRAULICS, "pressure", IFBAM_SIGNAL_SOURCE_FORCE, NULL, NULL },
  { OF_SOURCE, ANY_DOMAIN, "force", IFBAM_SIGNAL_SOURCE_FORCE, NULL, NULL },
  { OF_SOURCE, ROTATION, "torque", IFBAM_SIGNAL_SOURCE_FORCE, NULL, NULL },

  { OF_BODY, TRANSLATION, "x", IFBAM_SIGNAL_POSITION, "position", "vx" },
  { OF_BODY, TRANSLATION, "y", IFBAM_SIGNAL_POSITION, "position", "vy" },
  { OF_BODY, TRANSLATION, "vx", IFBAM_SIGNAL_RATE, "velocity", NULL },
  { OF_BODY, TRANSLATION, "vy", IFBAM_SIGNAL_RATE, "velocity", NULL },
  { OF_BODY, ROTATION, "angle", IFBAM_SIGNAL_POSITION, NULL, "speed" },
  { OF_BODY, ROTATION, "speed", IFBAM_SIGNAL_RATE, NULL, NULL },

  { ON_TABLE, ROTATION, "turn-x", IFBAM_SIGNAL_RATE, "speed", NULL },
  { ON_TABLE, ROTATION, "turn-y", IFBAM_SIGNAL_RATE, "speed", NULL },
};

/* Returns a quantity of an owner in a domain (or WATCHER, CONTROLLER); NULL: none of this name. */
static const Quantity *
find_quantity (Owner owner, guint domain, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    if (quantities[i].owner == owner && (quantities[i].domains >> domain & 1) != 0
        && g_str_equal (quantities[i].name, name))
      return &quantities[i];
  return NULL;
}

/* Returns a quantity of a node; forces do not determine a massless node's acceleration. */
static const Quantity *
find_node_quantity (const IfbamModel *model, gsize node, const char *name)
{
  const IfbamDomain domain = ifbam_model_node_domain (model, node);
  const Quantity *quantity = find_quantity (OF_NODE, domain, name);

  if (quantity == NULL && (node >= model->n_free || ifbam_model_is_tied (model, node)))
    return find_quantity (OF_MOVER, domain, name);

  return quantity != NULL && quantity->kind == IFBAM_SIGNAL_ACCELERATION
                 && ifbam_model_is_junction (model, node)
             ? NULL
             : quantity;
}

/* Returns the first quantity with the name, of any owner. */
static const Quantity *
find_name (const char *signal)
{
  const char *dot = strrchr (signal, '.');

  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    if (g_str_equal (quantities[i].name, dot == NULL ? signal : dot + 1))
      return &quantities[i];
  return NULL;
}

static const char *
unit_of (const Quantity *quantity, IfbamDomain domain)
{
  const IfbamDomainInfo *info =
      quantity->kind == IFBAM_SIGNAL_MODE || quantity->kind == IFBAM_SIGNAL_OUTPUT
          ? NULL
          : ifbam_domain_info (domain);

  switch (quantity->kind)
    {
    case IFBAM_SIGNAL_POSITION:
    case IFBAM_SIGNAL_PLACE:
    case IFBAM_SIGNAL_COMPRESSION:
      return info->coordinate_unit;
    case IFBAM_SIGNAL_RATE:
    case IFBAM_SIGNAL_PLACE_RATE:
    case IFBAM_SIGNAL_LINK_RATE:
      return info->rate_unit;
    case IFBAM_SIGNAL_ACCELERATION:
      return info->acceleration_unit;
    case IFBAM_SIGNAL_NODE_FORCE:
    case IFBAM_SIGNAL_FORCE:
    case IFBAM_SIGNAL_SOURCE_FORCE:
      return info->effort_unit;
    case IFBAM_SIGNAL_MOMENTUM:
      return info->momentum_unit;
    case IFBAM_SIGNAL_MODE:
    case IFBAM_SIGNAL_OUTPUT:
      return "";
    case IFBAM_SIGNAL_LINK_DISSIPATED:
    case IFBAM_SIGNAL_KINETIC:
    case IFBAM_SIGNAL_POTENTIAL:
    case IFBAM_SIGNAL_ENERGY:
    case IFBAM_SIGNAL_DISSIPATED:
    case IFBAM_SIGNAL_SUPPLIED:
    default:
      return "J";
    }
}

/* Appends "position, velocity, acceleration". */
static void
append_names (GString *text, Owner owner, guint domain)
{
  const gsize start = text->len;

  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    if (quantities[i].owner == owner && (quantities[i].domains >> domain & 1) != 0)
      g_string_append_printf (text, "%s%s", text->len > start ? ", " : "", quantities[i].name);
}

/* Returns TRUE for elements with coordinates of their own. */
static gboolean
is_in_plane (const IfbamElementInfo *info)
{
  return info->n_coordinates > 0 || info->form == IFBAM_FORM_POINT;
}

/* Returns the domain for a link's quantities. */
static guint
domain_of_link (const IfbamElementInfo *info)
{
  return info->signal_slot != 0 && info->link->sample != NULL ? IFBAM_DOMAIN_ANY + 1 : info->domain;
}

static void
append_node_names (GString *text, const IfbamElementInfo *info, guint domain)
{
  append_names (text, OF_NODE, domain);
  if (info->kind != IFBAM_KIND_GIVEN_NODE && info->branch_link == NULL)
    return;
  g_string_append (text, info->kind != IFBAM_KIND_GIVEN_NODE
                                 && !ifbam_param_is_required (
                                     &info->params[ifbam_element_param_index (info, "between")])
                             ? "; between two nodes also "
                             : ", ");
  append_names (text, OF_MOVER, domain);
}

const char *
ifbam_signal_quantities (const IfbamElementInfo *info)
{
  g_autoptr (GString) text = g_string_new (NULL);

  switch (info->kind)
    {
    case IFBAM_KIND_GIVEN_NODE:
    case IFBAM_KIND_FREE_NODE:
      append_node_names (text, info, info->domain % IFBAM_N_DOMAINS);
      for (guint d = 1; d < IFBAM_N_DOMAINS && info->domain == IFBAM_DOMAIN_ANY; d++)
        {
          g_string_append_printf (text, "%sin %s: ", d == 1 ? " (" : "; ",
                                  ifbam_domain_info (d)->name);
          append_node_names (text, info, d);
        }
      g_string_append (text, info->domain == IFBAM_DOMAIN_ANY ? ")" : "");
      break;
    case IFBAM_KIND_LINK:
      append_names (text, OF_LINK,
                    info->signal_slot == 0 ? info->domain % IFBAM_N_DOMAINS
                                           : domain_of_link (info));
      for (guint k = 0; k < info->link->n_states; k++)
        g_string_append_printf (text, ", %s", info->link->states[k].name);
      for (const IfbamLaw *law = info->link->next; law != NULL; law = law->next)
        g_string_append_printf (text, ", %s.force, .rate, .mode, .dissipated", law->name);
      if (info->expands != NULL)
        g_string_append (text, "; or those of its elements, where it consists of such");
      break;
    case IFBAM_KIND_SOURCE:
      append_names (text, OF_SOURCE, info->domain);
      break;
    case IFBAM_KIND_IMPULSE:
      return "nothing: its impulses are events";
    case IFBAM_KIND_COMPOSITE:
      if (!is_in_plane (info))
        return "those of its elements";
      append_names (text, OF_BODY, IFBAM_DOMAIN_TRANSLATION);
      if (info->n_coordinates > 2 || info->form_of != NULL)
        {
          g_string_append (text, info->form_of != NULL ? ", and with inertia " : ", ");
          append_names (text, OF_BODY, IFBAM_DOMAIN_ROTATION);
        }
      if (info->form_of != NULL)
        {
          g_string_append (text, ", or on a table ");
          append_names (text, ON_TABLE, IFBAM_DOMAIN_ROTATION);
        }
      break;
    case IFBAM_KIND_SETTINGS:
    default:
      append_names (text, OF_NETWORK, 0);
    }
  return g_intern_string (text->str);
}

gboolean
ifbam_signal_unit (const char *signal, const char **name, const char **unit)
{
  const Quantity *quantity = find_name (signal);

  if (quantity == NULL)
    return FALSE;
  *name = quantity->title != NULL ? quantity->title : quantity->name;
  *unit = unit_of (quantity, (IfbamDomain) g_bit_nth_lsf (quantity->domains, -1));
  return TRUE;
}

char *
ifbam_signal_rate (const char *signal)
{
  const Quantity *quantity = find_name (signal);

  if (quantity == NULL || quantity->rate == NULL)
    return NULL;
  return g_strdup_printf ("%.*s%s", (int) (strlen (signal) - strlen (quantity->name)), signal,
                          quantity->rate);
}

/* Reading a list of signals */

typedef struct
{
  const IfbamModel *model;
  GHashTable *by_name;
  IfbamSignals *signals;
  GHashTable *seen; /* names, owned by signals */
  guint64 room;     /* signals for which memory was checked */
  char *lack;       /* why reading has stopped; NULL: it has not */
} Reader;

/* Returns TRUE if memory suffices for n signals with names like this one. */
static gboolean
make_room (Reader *reader, guint64 n, const char *name)
{
  const double bytes = (double) n * (IFBAM_SIGNAL_MEMORY + (double) strlen (name));
  g_autofree char *lack = n > MANY_SIGNALS ? ifbam_memory_lack (bytes) : NULL;

  if (reader->lack != NULL || n <= reader->room)
    return reader->lack == NULL;
  reader->room = n;
  if (n > MAX_SIGNALS)
    reader->lack =
        g_strdup_printf ("more than %u signals (name the signals to record)", MAX_SIGNALS);
  else if (lack != NULL)
    reader->lack = g_strdup_printf (
        "the names of %" G_GUINT64_FORMAT " signals need %s (name the signals to record)", n, lack);
  return reader->lack == NULL;
}

/* Takes over the name. */
static void
add_named (Reader *reader, char *name, IfbamSignal signal, const char *unit)
{
  IfbamSignals *signals = reader->signals;
  const gboolean of_a_link = signal.kind == IFBAM_SIGNAL_LINK_DISSIPATED;
  const guint64 n = signals->signals->len;

  if ((n >= MANY_SIGNALS && n >= reader->room && !make_room (reader, 2 * n, name))
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

static void
add_signal (Reader *reader, const char *element, const Quantity *quantity, IfbamDomain domain,
            gsize number, gboolean single)
{
  const IfbamSignal signal = { quantity->kind, single, number };

  add_named (reader, g_strdup_printf ("%s.%s", element, quantity->name), signal,
             unit_of (quantity, domain));
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
add_network_signal (Reader *reader, const char *quantity, char **reason)
{
  const IfbamModel *model = reader->model;
  const Quantity *word = find_quantity (OF_NETWORK, 0, quantity);
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
  add_signal (reader, "network", word, first, 0, FALSE);
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
no_such_element (Reader *reader, const char *name)
{
  const char *dot = strchr (name, '.');
  g_autofree char *owner = dot == NULL ? NULL : g_strndup (name, (gsize) (dot - name));
  const IfbamElement *composite = g_hash_table_lookup (reader->by_name, name);
  const char *nearest = NULL;

  if (composite != NULL && composite->info->kind == IFBAM_KIND_IMPULSE)
    return g_strdup_printf ("\"%s\" is %s %s: it has nothing to record, its impulses are events",
                            name, ifbam_element_article (composite->info), composite->info->name);
  if (composite != NULL && is_in_plane (composite->info))
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

/* Adds "b.x", "b.angle", "tip.vx" of a body or point; FALSE: no such quantity. */
static gboolean
add_coordinate (Reader *reader, const IfbamElement *body, const char *quantity)
{
  const guint32 first = ifbam_model_element_index (reader->model, body).index;
  const gboolean table = ifbam_element_form (body) == IFBAM_FORM_TABLE;
  const Quantity *turned =
      ifbam_element_n_coordinates (body) < 3
          ? NULL
          : find_quantity (table ? ON_TABLE : OF_BODY, IFBAM_DOMAIN_ROTATION, quantity);
  const Quantity *word =
      turned != NULL ? turned : find_quantity (OF_BODY, IFBAM_DOMAIN_TRANSLATION, quantity);
  const guint coordinate = (turned != NULL ? 2 : 0) + (g_str_has_suffix (quantity, "y") ? 1 : 0);
  Quantity place;

  if (word == NULL || !is_in_plane (body->info))
    return FALSE;
  if (first == IFBAM_NO_NODE)
    return TRUE; /* reported already */
  if (body->info->form == IFBAM_FORM_POINT)
    {
      place = *word;
      place.kind =
          word->kind == IFBAM_SIGNAL_POSITION ? IFBAM_SIGNAL_PLACE : IFBAM_SIGNAL_PLACE_RATE;
      add_signal (reader, body->name, &place, IFBAM_DOMAIN_TRANSLATION, first + coordinate, FALSE);
      return TRUE;
    }
  add_signal (reader, body->name, word,
              turned != NULL ? IFBAM_DOMAIN_ROTATION : IFBAM_DOMAIN_TRANSLATION,
              ifbam_model_named_node (reader->model, first + coordinate), FALSE);
  return TRUE;
}

/* Adds "c.m3.vx" of a composite's member in the plane; FALSE: no such quantity. */
static gboolean
add_member_coordinate (Reader *reader, const char *member, const char *quantity)
{
  const Quantity *word = find_quantity (OF_BODY, IFBAM_DOMAIN_TRANSLATION, quantity);
  g_autofree char *name =
      g_strdup_printf ("%s.%s", member, g_str_has_suffix (quantity, "y") ? "y" : "x");
  guint64 node;

  if (word == NULL || ifbam_member_find (reader->model->node_families, name, &node) == NULL)
    return FALSE;
  add_signal (reader, member, word, IFBAM_DOMAIN_TRANSLATION,
              ifbam_model_named_node (reader->model, (gsize) node), FALSE);
  return TRUE;
}

static gboolean
find_coordinate (Reader *reader, const char *element, const char *quantity)
{
  const IfbamElement *body = g_hash_table_lookup (reader->by_name, element);

  return body != NULL ? add_coordinate (reader, body, quantity)
                      : add_member_coordinate (reader, element, quantity);
}

/* Matches names: "c.m*", or for "c.m[2:]" names with the same letters and a number in the range. */
typedef struct
{
  GPatternSpec *spec;
  const uint64_t *bound; /* NULL: any */
  gsize letters;
} Pattern;

static gboolean
fits (const Pattern *pattern, const char *name)
{
  char *end;
  guint64 number;

  if (!g_pattern_spec_match_string (pattern->spec, name))
    return FALSE;
  if (pattern->bound == NULL)
    return TRUE;
  if (!g_ascii_isdigit (name[pattern->letters]))
    return FALSE;
  number = g_ascii_strtoull (name + pattern->letters, &end, 10);
  return *end == '\0' && ifbam_range_holds (pattern->bound, number);
}

/* Adds coordinates of all matching elements and members. */
static gboolean
find_coordinates (Reader *reader, const Pattern *pattern, const char *quantity)
{
  const GPtrArray *elements = reader->model->elements;
  gboolean found = FALSE;

  if (find_quantity (OF_BODY, IFBAM_DOMAIN_TRANSLATION, quantity) == NULL
      && find_quantity (OF_BODY, IFBAM_DOMAIN_ROTATION, quantity) == NULL
      && find_quantity (ON_TABLE, IFBAM_DOMAIN_ROTATION, quantity) == NULL)
    return FALSE;
  for (guint i = 0; i < elements->len; i++)
    if (fits (pattern, ((const IfbamElement *) elements->pdata[i])->name))
      found |= add_coordinate (reader, elements->pdata[i], quantity);
  for (guint f = 0; f < reader->model->node_families->len; f++)
    {
      const IfbamSpan *span = &g_array_index (reader->model->node_families, IfbamSpan, f);

      /* Each member is found by its x. */
      for (gsize i = 0; i < span->count && span->tail != NULL && g_str_equal (span->tail, "x"); i++)
        {
          g_autofree char *member =
              g_strdup_printf ("%s.%s%" G_GSIZE_FORMAT, span->element->name, span->letter, i + 1);

          if (fits (pattern, member))
            found |= add_member_coordinate (reader, member, quantity);
        }
    }
  return found;
}

/* Adds an internal state of a link, the rate of its state node. FALSE: it has none of this name. */
static gboolean
add_state (Reader *reader, const char *link, const IfbamElementInfo *info, gsize number,
           gboolean single, const char *name)
{
  const IfbamModel *model = reader->model;

  for (guint k = 0; k < info->link->n_states; k++)
    {
      const IfbamLawState *state = &info->link->states[k];
      g_autofree char *unit = NULL;

      if (!g_str_equal (state->name, name))
        continue;
      unit = ifbam_domain_unit (info->domain, state->unit);
      add_named (
          reader, g_strdup_printf ("%s.%s", link, name),
          (IfbamSignal){ IFBAM_SIGNAL_RATE, FALSE, ifbam_model_state (model, number, single, k) },
          g_intern_string (unit));
      return TRUE;
    }
  return FALSE;
}

/* Returns TRUE if a link has a quantity (not NULL). A friction with a carrier has a rate, but no
 * compression. */
static gboolean
has_quantity (const IfbamLink *link, const Quantity *word)
{
  return word != NULL
         && (word->kind != IFBAM_SIGNAL_COMPRESSION
             || (!ifbam_link_is_carried (link) && !link->follows));
}

static gboolean
add_named_signal (Reader *reader, const char *element, const char *quantity, char **reason)
{
  const IfbamModel *model = reader->model;
  const IfbamElementInfo *info = NULL;
  const Quantity *word = NULL;
  const IfbamLink *single = NULL;
  IfbamDomain domain;
  Owner owner = OF_LINK;
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
      owner = OF_NODE;
      break;
    case IFBAM_FOUND_LINK:
      info = ifbam_model_link_span (model, number, &member)->info;
      break;
    case IFBAM_FOUND_SOURCE:
      info = ifbam_model_source_of (model, number)->info;
      owner = OF_SOURCE;
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
  domain = owner == OF_NODE ? ifbam_model_node_domain (model, number) : info->domain;
  /* Constraints against rotation are in the domain of rotation. */
  if (single != NULL && single->geometry->is_angle)
    domain = IFBAM_DOMAIN_ROTATION;
  else if (single != NULL && info->signal_slot == 0 && domain == IFBAM_DOMAIN_ANY)
    domain = ifbam_model_node_domain (model, single->node[0]);
  /* The first constraint of a link has its states. */
  if ((found == IFBAM_FOUND_LINK || (single != NULL && single->place == 0))
      && add_state (reader, element, info, number, found == IFBAM_FOUND_UNBATCHED, quantity))
    return TRUE;
  word = owner == OF_NODE
             ? find_node_quantity (model, number, quantity)
             : find_quantity (owner, info->signal_slot != 0 ? domain_of_link (info) : domain,
                              quantity);
  if (single != NULL && !has_quantity (single, word))
    word = NULL;
  if (word == NULL)
    {
      *reason = g_strdup_printf ("%s \"%s\" has no quantity \"%s\" (it has %s)", info->name,
                                 element, quantity, ifbam_signal_quantities (info));
      return FALSE;
    }
  if (number != IFBAM_NO_NODE) /* else it joins no nodes, as reported already */
    add_signal (reader, element, word, domain, number, found == IFBAM_FOUND_UNBATCHED);
  return TRUE;
}

/* Adds a signal; FALSE: the name does not match, or the quantity is NULL. */
static gboolean
add_fitting (Reader *reader, const Pattern *pattern, const char *name, const Quantity *quantity,
             IfbamDomain domain, gsize number, gboolean single)
{
  if (quantity == NULL || !fits (pattern, name))
    return FALSE;
  add_signal (reader, name, quantity, domain, number, single);
  return TRUE;
}

/* Adds all matching nodes, links and sources with the quantity. said: the user's text; bound: range
 * of the numbers at the ends of their names, or NULL. */
static gboolean
add_pattern (Reader *reader, const char *element, const char *quantity, const char *said,
             const uint64_t *bound, char **reason)
{
  const IfbamModel *model = reader->model;
  g_autoptr (GPatternSpec) spec = g_pattern_spec_new (element);
  const Pattern own = { spec, bound, strlen (element) - 1 }, *pattern = &own;
  /* a match, added or recorded before */
  gboolean found = find_coordinates (reader, pattern, quantity);

  for (gsize i = 0; i < ifbam_model_n_named (model); i++)
    {
      const gsize node = ifbam_model_named_node (model, i);
      const IfbamDomain domain = ifbam_model_node_domain (model, node);
      const Quantity *word = find_node_quantity (model, node, quantity);
      g_autofree char *name = word == NULL ? NULL : ifbam_model_node_name (model, node);

      found |= add_fitting (reader, pattern, name, word, domain, node, FALSE);
    }
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED | IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    {
      const IfbamElementInfo *info = at.link->info;
      const gboolean single = at.slot == G_MAXSIZE;
      const gboolean has_states = at.link->place == 0 && at.link->n_states > 0;
      const Quantity *word = find_quantity (OF_LINK, domain_of_link (info), quantity);
      g_autofree char *name = word != NULL || has_states ? ifbam_link_iter_name (&at) : NULL;

      if (has_quantity (at.link, word))
        found |= add_fitting (reader, pattern, name, word, info->domain, at.number, single);
      found |= has_states && fits (pattern, name)
               && add_state (reader, name, info, at.number, single, quantity);
    }
  for (gsize i = 0; i < model->n_sources; i++)
    {
      const IfbamSource *source = ifbam_model_source_of (model, i);
      const IfbamDomain domain = source->info->domain;

      if (source->first == i) /* else: another node of a source before */
        found |= add_fitting (reader, pattern, source->name,
                              find_quantity (OF_SOURCE, domain, quantity), domain, i, FALSE);
    }
  if (found)
    return TRUE;
  *reason = g_strdup_printf ("\"%s.%s\" matches nothing in this network", said, quantity);
  return FALSE;
}

/* Adds "c.m[1:1000:10].position": first, last, step; without `last` to the end. */
static gboolean
add_range (Reader *reader, const char *element, const char *bracket, const char *quantity,
           char **reason)
{
  g_autofree char *prefix = g_strndup (element, (gsize) (bracket - element));
  uint64_t bound[3];
  const char *rest = ifbam_range_read (bracket, bound);

  if (rest == NULL || *rest != '\0' || bound[0] < 1 || bound[2] < 1
      || strpbrk (prefix, "*?") != NULL)
    {
      *reason = g_strdup_printf ("\"%s\" is no range (want such as c.m[1:1000:10])", element);
      return FALSE;
    }
  if (bound[1] == UINT64_MAX)
    {
      g_autofree char *all = g_strdup_printf ("%s*", prefix);

      return add_pattern (reader, all, quantity, element, bound, reason);
    }
  if ((bound[1] - bound[0]) / bound[2] >= MAX_SIGNALS)
    {
      *reason = g_strdup_printf ("\"%s\" is more than %u signals", element, MAX_SIGNALS);
      return FALSE;
    }
  if (!make_room (reader, reader->signals->signals->len + (bound[1] - bound[0]) / bound[2] + 1,
                  element))
    return TRUE; /* reported for all */
  for (guint64 i = bound[0], left = (bound[1] - bound[0]) / bound[2] + 1; left > 0;
       i += bound[2], left--)
    {
      g_autofree char *name = g_strdup_printf ("%s%" G_GUINT64_FORMAT, prefix, i);

      if (!add_named_signal (reader, name, quantity, reason))
        return FALSE;
    }
  return TRUE;
}

static gboolean add_text (Reader *reader, const char *text, char **reason);

/* Returns the names of states in the laws of the model's links (not owned), each once. */
static GPtrArray *
list_states (const IfbamModel *model)
{
  GPtrArray *names = g_ptr_array_new ();
  const guint n = model->link_spans->len;

  for (guint i = 0; i < n + model->unbatched_links->len; i++)
    {
      const IfbamLaw *law = (i < n ? g_array_index (model->link_spans, IfbamSpan, i).info
                                   : ifbam_unbatched_link (model, i - n)->info)
                                ->link;

      for (guint k = 0; k < law->n_states; k++)
        {
          guint known = 0;

          while (known < names->len && !g_str_equal (names->pdata[known], law->states[k].name))
            known++;
          if (known == names->len)
            g_ptr_array_add (names, (gpointer) law->states[k].name);
        }
    }
  return names;
}

/* Adds "m1.*": all matching quantities that exist. */
static gboolean
add_quantities (Reader *reader, const char *element, const char *quantity, char **reason)
{
  g_autoptr (GPatternSpec) pattern = g_pattern_spec_new (quantity);
  const guint before = reader->signals->signals->len;
  g_autoptr (GPtrArray) states = list_states (reader->model);
  gboolean fits = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    {
      g_autofree char *text = g_strdup_printf ("%s.%s", element, quantities[i].name);
      g_autofree char *why = NULL;

      if ((quantities[i].owner == OF_NETWORK) == g_str_equal (element, "network")
          && g_pattern_spec_match_string (pattern, quantities[i].name))
        fits |= add_text (reader, text, &why);
    }
  for (guint i = 0; i < states->len; i++)
    {
      const char *name = states->pdata[i];
      g_autofree char *text = g_strdup_printf ("%s.%s", element, name);
      g_autofree char *why = NULL;

      if (g_pattern_spec_match_string (pattern, name))
        fits |= add_text (reader, text, &why);
    }
  if (fits || reader->signals->signals->len > before)
    return TRUE;
  *reason = g_strdup_printf ("\"%s.%s\" matches nothing in this network", element, quantity);
  return FALSE;
}

static gboolean
add_text (Reader *reader, const char *text, char **reason)
{
  const char *dot = strrchr (text, '.');
  const char *bracket = strchr (text, '[');
  g_autofree char *element = NULL;

  if (g_str_equal (text, "*"))
    return add_quantities (reader, "*", "*", reason)
           && add_quantities (reader, "network", "*", reason);
  if (dot == NULL || dot == text || dot[1] == '\0')
    {
      *reason = g_strdup_printf ("\"%s\" is no signal (want ELEMENT.QUANTITY, such as "
                                 "\"m1.position\")",
                                 text);
      return FALSE;
    }
  element = g_strndup (text, (gsize) (dot - text));
  if (strpbrk (dot, "*?") != NULL)
    return add_quantities (reader, element, dot + 1, reason);
  if (bracket != NULL && bracket > dot)
    {
      *reason =
          g_strdup_printf ("\"%s\" lacks a quantity (want such as \"%s.position\")", text, text);
      return FALSE;
    }
  if (bracket != NULL)
    return add_range (reader, element, element + (bracket - text), dot + 1, reason);
  if (strpbrk (element, "*?") != NULL)
    return add_pattern (reader, element, dot + 1, element, NULL, reason);
  return add_named_signal (reader, element, dot + 1, reason);
}

static void
add_standard (Reader *reader)
{
  const IfbamModel *model = reader->model;

  for (gsize i = 0; i < ifbam_model_n_named_free (model) && reader->lack == NULL; i++)
    {
      const gsize node = ifbam_model_named_node (model, i);
      const IfbamDomain domain = ifbam_model_node_domain (model, node);
      g_autofree char *name = ifbam_model_node_name (model, node);
      const Quantity *first = quantities;
      gsize member;

      if (i == 0 && !make_room (reader, model->n_free, name))
        return;

      while (first->owner != OF_NODE || (first->domains >> domain & 1) == 0)
        first++;
      /* The name of a body's coordinate is that of the signal. */
      if (ifbam_span_is_coordinate (ifbam_model_node_span (model, node, &member)))
        add_named (reader, g_steal_pointer (&name),
                   (IfbamSignal){ IFBAM_SIGNAL_POSITION, FALSE, node }, unit_of (first, domain));
      else
        add_signal (reader, name, first, domain, node, FALSE);
    }
}

IfbamSignals *
ifbam_signals_new (const IfbamModel *model, GHashTable *by_name, const char *record, char **reason)
{
  g_autoptr (IfbamSignals) signals = g_new0 (IfbamSignals, 1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  Reader reader = { .model = model, .by_name = by_name, .signals = signals, .seen = seen };
  g_autoptr (GString) faults = g_string_new (NULL);
  guint n_faults = 0;

  signals->names = g_ptr_array_new_with_free_func (g_free);
  signals->units = g_ptr_array_new ();
  signals->signals = g_array_new (FALSE, FALSE, sizeof (IfbamSignal));
  if (record == NULL)
    add_standard (&reader);
  else
    {
      g_auto (GStrv) parts = g_strsplit (record, ",", -1);

      for (guint i = 0; parts[i] != NULL && n_faults < MAX_FAULTS; i++)
        {
          g_autofree char *fault = NULL;

          if (!add_text (&reader, g_strstrip (parts[i]), &fault))
            g_string_append_printf (faults, "%s%s", n_faults++ == 0 ? "" : "; ", fault);
        }
    }
  if (n_faults == 0 && reader.lack != NULL)
    g_string_append (faults, reader.lack);
  g_free (reader.lack);
  if (faults->len > 0)
    {
      *reason = g_strdup (faults->str);
      return NULL;
    }
  g_ptr_array_add (signals->names, NULL);
  return g_steal_pointer (&signals);
}

gboolean
ifbam_signal_find (const IfbamModel *model, GHashTable *by_name, const char *text,
                   IfbamSignal *signal, const char **unit, char **reason)
{
  g_autoptr (IfbamSignals) signals = ifbam_signals_new (model, by_name, text, reason);

  if (signals == NULL || signals->signals->len == 0)
    return FALSE;
  if (signals->signals->len > 1)
    {
      *reason = g_strdup_printf ("\"%s\" is %u signals, not one", text, signals->signals->len);
      return FALSE;
    }
  *signal = g_array_index (signals->signals, IfbamSignal, 0);
  *unit = signals->units->pdata[0];
  return TRUE;
}

void
ifbam_signals_free (IfbamSignals *signals)
{
  g_ptr_array_unref (signals->names);
  g_ptr_array_unref (signals->units);
  g_array_unref (signals->signals);
  g_free (signals);
}
