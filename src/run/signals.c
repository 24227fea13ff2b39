/* signals.c: ELEMENT.QUANTITY: what can be recorded, and what it is at a row
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/signals.h"

#include <string.h>

/* More columns than this are no table that somebody reads or a disk holds. */
#define MAX_SIGNALS 10000000
/* Suggestions are worth a search among as many names. */
#define MAX_NAMES 10000
/* Faults told of one list. */
#define MAX_FAULTS 10

typedef struct
{
  const char *quantity;
  IfbamSignalKind kind;
  const char *unit;
  const char *title; /* for axes; NULL: the same as quantity */
} QuantityWord;

/* The first is what is recorded of a free node unless the file says what. */
static const QuantityWord node_words[IFBAM_N_DOMAINS][3] = {
  { { "position", IFBAM_SIGNAL_POSITION, "m", NULL },
    { "velocity", IFBAM_SIGNAL_RATE, "m/s", NULL },
    { "acceleration", IFBAM_SIGNAL_ACCELERATION, "m/s²", NULL } },
  { { "angle", IFBAM_SIGNAL_POSITION, "rad", NULL },
    { "speed", IFBAM_SIGNAL_RATE, "rad/s", NULL },
    { "acceleration", IFBAM_SIGNAL_ACCELERATION, "rad/s²", NULL } },
  { { "voltage", IFBAM_SIGNAL_RATE, "V", NULL },
    { "flux", IFBAM_SIGNAL_POSITION, "V s", NULL },
    { "acceleration", IFBAM_SIGNAL_ACCELERATION, "V/s", NULL } },
};

#define MOST_LINK_WORDS 7
static const QuantityWord link_words[IFBAM_N_DOMAINS][MOST_LINK_WORDS] = {
  { { "force", IFBAM_SIGNAL_FORCE, "N", NULL },
    { "compression", IFBAM_SIGNAL_COMPRESSION, "m", NULL },
    { "rate", IFBAM_SIGNAL_LINK_RATE, "m/s", NULL },
    { "mode", IFBAM_SIGNAL_MODE, "", NULL },
    { "dissipated", IFBAM_SIGNAL_LINK_DISSIPATED, "J", "dissipated energy" } },
  { { "force", IFBAM_SIGNAL_FORCE, "N m", NULL },
    { "compression", IFBAM_SIGNAL_COMPRESSION, "rad", NULL },
    { "rate", IFBAM_SIGNAL_LINK_RATE, "rad/s", NULL },
    { "mode", IFBAM_SIGNAL_MODE, "", NULL },
    { "dissipated", IFBAM_SIGNAL_LINK_DISSIPATED, "J", "dissipated energy" },
    { "torque", IFBAM_SIGNAL_FORCE, "N m", NULL } },
  { { "current", IFBAM_SIGNAL_FORCE, "A", NULL },
    { "voltage", IFBAM_SIGNAL_LINK_RATE, "V", NULL },
    { "force", IFBAM_SIGNAL_FORCE, "A", NULL },
    { "compression", IFBAM_SIGNAL_COMPRESSION, "V s", NULL },
    { "rate", IFBAM_SIGNAL_LINK_RATE, "V", NULL },
    { "mode", IFBAM_SIGNAL_MODE, "", NULL },
    { "dissipated", IFBAM_SIGNAL_LINK_DISSIPATED, "J", "dissipated energy" } },
};

/* Of bodies in the plane: x and y, their rates. */
static const QuantityWord body_words[] = {
  { "x", IFBAM_SIGNAL_POSITION, "m", "position" },
  { "y", IFBAM_SIGNAL_POSITION, "m", "position" },
  { "vx", IFBAM_SIGNAL_RATE, "m/s", "velocity" },
  { "vy", IFBAM_SIGNAL_RATE, "m/s", "velocity" },
};

static const QuantityWord network_words[] = {
  { "kinetic", IFBAM_SIGNAL_KINETIC, "J", "kinetic energy" },
  { "potential", IFBAM_SIGNAL_POTENTIAL, "J", "potential energy" },
  { "energy", IFBAM_SIGNAL_ENERGY, "J", NULL },
  { "dissipated", IFBAM_SIGNAL_DISSIPATED, "J", "dissipated energy" },
  { "supplied", IFBAM_SIGNAL_SUPPLIED, "J", "supplied energy" },
  { "momentum", IFBAM_SIGNAL_MOMENTUM, "kg m/s", NULL },
};

static const QuantityWord *
find_word (const QuantityWord *words, gsize n, const char *quantity)
{
  for (gsize i = 0; i < n && words[i].quantity != NULL; i++)
    if (g_str_equal (words[i].quantity, quantity))
      return &words[i];
  return NULL;
}

static const QuantityWord *
node_word (IfbamDomain domain, const char *quantity)
{
  return find_word (node_words[domain], 3, quantity);
}

static const QuantityWord *
link_word (const IfbamElementInfo *info, const char *quantity)
{
  static const QuantityWord mode = { "mode", IFBAM_SIGNAL_MODE, "", NULL };

  /* What only watches has no domain. */
  if (info->domain == IFBAM_DOMAIN_ANY)
    return find_word (&mode, 1, quantity);
  return find_word (link_words[info->domain], MOST_LINK_WORDS, quantity);
}

/* The word of a link as one of a link. */
static QuantityWord
single_word (const QuantityWord *word)
{
  static const IfbamSignalKind kinds[][2] = {
    { IFBAM_SIGNAL_FORCE, IFBAM_SIGNAL_SINGLE_FORCE },
    { IFBAM_SIGNAL_COMPRESSION, IFBAM_SIGNAL_SINGLE_COMPRESSION },
    { IFBAM_SIGNAL_LINK_RATE, IFBAM_SIGNAL_SINGLE_RATE },
    { IFBAM_SIGNAL_MODE, IFBAM_SIGNAL_SINGLE_MODE },
    { IFBAM_SIGNAL_LINK_DISSIPATED, IFBAM_SIGNAL_SINGLE_DISSIPATED },
  };
  QuantityWord link = *word;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (word->kind == kinds[i][0])
      link.kind = kinds[i][1];
  return link;
}

static const QuantityWord *
source_word (const IfbamElementInfo *info, const char *quantity)
{
  static const QuantityWord words[IFBAM_N_DOMAINS][2] = {
    { { "force", IFBAM_SIGNAL_SOURCE_FORCE, "N", NULL } },
    { { "force", IFBAM_SIGNAL_SOURCE_FORCE, "N m", NULL },
      { "torque", IFBAM_SIGNAL_SOURCE_FORCE, "N m", NULL } },
    { { "current", IFBAM_SIGNAL_SOURCE_FORCE, "A", NULL },
      { "force", IFBAM_SIGNAL_SOURCE_FORCE, "A", NULL } },
  };

  return find_word (words[info->domain], 2, quantity);
}

const char *
ifbam_signal_quantities (const IfbamElementInfo *info)
{
  static const char *const of_nodes[] = {
    "position, velocity, acceleration",
    "angle, speed, acceleration",
    "voltage, flux, acceleration",
    ("position, velocity, acceleration (in rotation: angle, speed, acceleration; in electricity: "
     "voltage, flux, acceleration)"),
  };
  static const char *const of_links[] = {
    "force, compression, rate, mode, dissipated",
    "force, torque, compression, rate, mode, dissipated",
    "current, voltage, force, compression, rate, mode, dissipated",
    "mode",
  };
  static const char *const of_sources[] = { "force", "force, torque", "current, force" };

  G_STATIC_ASSERT (G_N_ELEMENTS (of_nodes) == IFBAM_N_DOMAINS + 1);
  G_STATIC_ASSERT (G_N_ELEMENTS (of_links) == IFBAM_N_DOMAINS + 1);
  G_STATIC_ASSERT (G_N_ELEMENTS (of_sources) == IFBAM_N_DOMAINS);
  switch (info->kind)
    {
    case IFBAM_KIND_GIVEN_NODE:
    case IFBAM_KIND_FREE_NODE:
      return of_nodes[info->domain];
    case IFBAM_KIND_LINK:
      return of_links[info->domain];
    case IFBAM_KIND_IMPULSE:
      return "nothing: its impulses are events";
    case IFBAM_KIND_SOURCE:
      return of_sources[info->domain];
    case IFBAM_KIND_COMPOSITE:
      return info->n_coordinates == 2 ? "x, y, vx, vy" : "those of its elements";
    case IFBAM_KIND_SETTINGS:
    default:
      return "kinetic, potential, energy, dissipated, supplied, momentum";
    }
}

gboolean
ifbam_signal_unit (const char *signal, const char **quantity, const char **unit)
{
  const char *dot = strrchr (signal, '.');
  const char *name = dot == NULL ? signal : dot + 1;
  const QuantityWord *word = find_word (network_words, G_N_ELEMENTS (network_words), name);

  for (guint d = 0; d < IFBAM_N_DOMAINS && word == NULL; d++)
    word = node_word (d, name);
  for (guint d = 0; d < IFBAM_N_DOMAINS && word == NULL; d++)
    word = find_word (link_words[d], MOST_LINK_WORDS, name);
  if (word == NULL)
    word = find_word (body_words, G_N_ELEMENTS (body_words), name);
  if (word == NULL)
    return FALSE;
  *quantity = word->title != NULL ? word->title : word->quantity;
  *unit = word->unit;
  return TRUE;
}

static const char *
word_of_kind (const QuantityWord *words, gsize n, IfbamSignalKind kind)
{
  for (gsize i = 0; i < n && words[i].quantity != NULL; i++)
    if (words[i].kind == kind)
      return words[i].quantity;
  return NULL;
}

char *
ifbam_signal_rate (const char *signal)
{
  const char *dot = strrchr (signal, '.');
  const char *name = dot == NULL ? signal : dot + 1, *rate = NULL;
  const QuantityWord *word;

  for (guint d = 0; d < IFBAM_N_DOMAINS && rate == NULL; d++)
    {
      word = find_word (node_words[d], G_N_ELEMENTS (node_words[d]), name);
      if (word != NULL && word->kind == IFBAM_SIGNAL_POSITION)
        rate = word_of_kind (node_words[d], G_N_ELEMENTS (node_words[d]), IFBAM_SIGNAL_RATE);
      word = find_word (link_words[d], MOST_LINK_WORDS, name);
      if (rate == NULL && word != NULL && word->kind == IFBAM_SIGNAL_COMPRESSION)
        rate = "rate"; /* under that name in all domains */
    }
  if (rate == NULL)
    {
      word = find_word (body_words, G_N_ELEMENTS (body_words), name);
      if (word != NULL && word->kind == IFBAM_SIGNAL_POSITION)
        rate = g_str_equal (name, "x") ? "vx" : "vy";
    }
  return rate == NULL ? NULL : g_strdup_printf ("%.*s%s", (int) (name - signal), signal, rate);
}

/* Reading what is to be recorded */

typedef struct
{
  const IfbamModel *model;
  GHashTable *by_name;
  IfbamSignals *signals;
  GHashTable *seen; /* names, owned by signals */
} Reader;

static gboolean
too_many (const Reader *reader)
{
  return reader->signals->signals->len > MAX_SIGNALS;
}

static void add_named (Reader *reader, char *name, IfbamSignal signal, const char *unit);

static void
add_signal (Reader *reader, const char *element, const QuantityWord *word, gsize number)
{
  const IfbamSignalKind kind = word->kind;
  const char *quantity = word->quantity, *unit = word->unit;
  IfbamSignal signal = { kind, number };
  char *name = g_strdup_printf ("%s.%s", element, quantity);

  add_named (reader, name, signal, unit);
}

/* One more than the most is kept: the reason to refuse them. The name is taken over. */
static void
add_named (Reader *reader, char *name, IfbamSignal signal, const char *unit)
{
  const IfbamSignalKind kind = signal.kind;

  if (too_many (reader) || g_hash_table_contains (reader->seen, name))
    {
      g_free (name);
      return;
    }
  g_hash_table_add (reader->seen, name);
  g_ptr_array_add (reader->signals->names, name);
  g_ptr_array_add (reader->signals->units, (gpointer) unit);
  g_array_append_val (reader->signals->signals, signal);
  if (kind >= IFBAM_SIGNAL_KINETIC || kind == IFBAM_SIGNAL_LINK_DISSIPATED)
    reader->signals->sums = TRUE;
  if (kind == IFBAM_SIGNAL_DISSIPATED || kind == IFBAM_SIGNAL_SUPPLIED
      || kind == IFBAM_SIGNAL_LINK_DISSIPATED || kind == IFBAM_SIGNAL_SINGLE_DISSIPATED)
    reader->signals->balance = TRUE;
  if (kind == IFBAM_SIGNAL_LINK_DISSIPATED)
    reader->signals->links = TRUE;
}

/* A free node's domain other than the first one's; else the first one's. */
static IfbamDomain
other_domain (const IfbamModel *model, IfbamDomain first)
{
  for (guint s = 1; s < model->node_spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (model->node_spans, IfbamSpan, s);

      if (span->first < model->n_free && span->info->domain != first)
        return span->info->domain;
    }
  return first;
}

/* A body in the plane, whose momentum has a direction; NULL: all move along lines. */
static const IfbamElement *
find_body (const IfbamModel *model)
{
  for (guint i = 0; i < model->node_families->len; i++)
    {
      const IfbamElement *owner = g_array_index (model->node_families, IfbamSpan, i).element;

      if (owner->info->n_coordinates == 2)
        return owner;
    }
  return NULL;
}

static gboolean
add_network_signal (Reader *reader, const char *quantity, char **reason)
{
  const IfbamModel *model = reader->model;
  const QuantityWord *word = find_word (network_words, G_N_ELEMENTS (network_words), quantity);
  QuantityWord momentum = { "momentum", IFBAM_SIGNAL_MOMENTUM, "kg m/s", NULL };

  if (word == NULL)
    {
      *reason = g_strdup_printf ("the network has no quantity \"%s\" (it has kinetic, potential, "
                                 "energy, dissipated, supplied and momentum)",
                                 quantity);
      return FALSE;
    }
  if (word->kind == IFBAM_SIGNAL_MOMENTUM && model->n_nodes > 0)
    {
      const IfbamDomain first = ifbam_model_node_domain (model, 0),
                        other = other_domain (model, first);
      const IfbamElement *body = find_body (model);

      if (body != NULL)
        {
          *reason =
              g_strdup_printf ("network.momentum has no meaning for what moves in a plane: \"%s\" "
                               "is a %s (record %s.vx and %s.vy)",
                               body->name, body->info->name, body->name, body->name);
          return FALSE;
        }
      if (other != first)
        {
          *reason =
              g_strdup_printf ("network.momentum has no meaning in a network of %s and %s",
                               ifbam_domain_info (first)->name, ifbam_domain_info (other)->name);
          return FALSE;
        }
      momentum.unit = ifbam_domain_info (first)->momentum_unit;
    }
  add_signal (reader, "network", word->kind == IFBAM_SIGNAL_MOMENTUM ? &momentum : word, 0);
  return TRUE;
}

static int
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Why there is no node, link or source of this name. */
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
  if (composite != NULL && composite->info->n_coordinates == 2)
    return g_strdup_printf ("%s \"%s\" has no such quantity (it has %s)", composite->info->name,
                            name, ifbam_signal_quantities (composite->info));
  if (composite != NULL)
    return g_strdup_printf ("\"%s\" is a %s: record its elements, such as \"%s.m1.position\"", name,
                            composite->info->name, name);
  composite = owner == NULL ? NULL : g_hash_table_lookup (reader->by_name, owner);
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
      g_ptr_array_sort (names, compare_strings);
      nearest = ifbam_nearest_word (name, (const char *const *) names->pdata, names->len);
    }
  if (nearest != NULL)
    return g_strdup_printf ("no element \"%s\" in this network (did you mean \"%s\"?)", name,
                            nearest);
  return g_strdup_printf ("no element \"%s\" in this network", name);
}

/* A body's coordinates: "b.x", "b.vx", …; first: the node of x. */
static void
add_coordinate (Reader *reader, const char *body, gsize first, const QuantityWord *word)
{
  const gsize node = first + (guint) (word - body_words) % 2;
  IfbamSignal signal = { word->kind, ifbam_model_number_of (reader->model, node) };

  add_named (reader, g_strdup_printf ("%s.%s", body, word->quantity), signal, word->unit);
}

static gboolean
find_coordinate (Reader *reader, const char *element, const char *quantity)
{
  const QuantityWord *word = find_word (body_words, G_N_ELEMENTS (body_words), quantity);
  const IfbamElement *body = g_hash_table_lookup (reader->by_name, element);

  if (word == NULL || body == NULL || body->info->n_coordinates != 2)
    return FALSE;
  add_coordinate (reader, element, body->index, word);
  return TRUE;
}

/* The same for all bodies whose names fit. */
static gboolean
find_coordinates (Reader *reader, GPatternSpec *pattern, const char *quantity)
{
  const QuantityWord *word = find_word (body_words, G_N_ELEMENTS (body_words), quantity);
  const GArray *families = reader->model->node_families;
  gboolean fits = FALSE;

  for (guint i = 0; i < families->len && word != NULL; i++)
    {
      const IfbamSpan *span = &g_array_index (families, IfbamSpan, i);
      const IfbamElement *body = span->element;

      if (body->info->n_coordinates != 2 || span->first != body->index
          || !g_pattern_spec_match_string (pattern, body->name))
        continue;
      add_coordinate (reader, body->name, body->index, word);
      fits = TRUE;
    }
  return fits;
}

static gboolean
add_named_signal (Reader *reader, const char *element, const char *quantity, char **reason)
{
  const IfbamModel *model = reader->model;
  const QuantityWord *word = NULL;
  const IfbamElementInfo *info = NULL;
  QuantityWord link;
  gsize number, member;
  IfbamFound found;

  if (g_str_equal (element, "network"))
    return add_network_signal (reader, quantity, reason);
  found = ifbam_model_find (model, reader->by_name, element, &number);
  if (found != IFBAM_FOUND_NOTHING && number == IFBAM_NO_NODE)
    return TRUE; /* it joins nothing: an issue of its own */
  switch (found)
    {
    case IFBAM_FOUND_NODE:
      info = ifbam_model_node_span (model, number, &member)->info;
      word = node_word (ifbam_model_node_domain (model, number), quantity);
      break;
    case IFBAM_FOUND_LINK:
      info = ifbam_model_link_span (model, number, &member)->info;
      word = link_word (info, quantity);
      break;
    case IFBAM_FOUND_SOURCE:
      info = ((IfbamElement *) model->sources->pdata[number])->info;
      word = source_word (info, quantity);
      break;
    case IFBAM_FOUND_SINGLE:
      info = g_array_index (model->singles, IfbamLink, number).element->info;
      word = link_word (info, quantity);
      if (word != NULL)
        {
          link = single_word (word);
          word = &link;
        }
      break;
    case IFBAM_FOUND_NOTHING:
    default:
      if (find_coordinate (reader, element, quantity))
        return TRUE;
      *reason = no_such_element (reader, element);
      return FALSE;
    }
  if (word == NULL)
    {
      *reason = g_strdup_printf ("%s \"%s\" has no quantity \"%s\" (it has %s)", info->name,
                                 element, quantity, ifbam_signal_quantities (info));
      return FALSE;
    }
  add_signal (reader, element, word, number);
  return TRUE;
}

/* "c.m[1:1000:10].position": first, last, step */
static gboolean
add_range (Reader *reader, const char *element, const char *bracket, const char *quantity,
           char **reason)
{
  g_autofree char *prefix = g_strndup (element, (gsize) (bracket - element));
  guint64 bound[3] = { 0, 0, 1 };
  const char *place = bracket + 1;
  guint n = 0;

  for (;;)
    {
      char *end;

      if (n == 3 || !g_ascii_isdigit (*place))
        break;
      bound[n++] = g_ascii_strtoull (place, &end, 10);
      place = end;
      if (*place != ':')
        break;
      place++;
    }
  if (n < 2 || place[0] != ']' || place[1] != '\0' || bound[0] < 1 || bound[1] < bound[0]
      || bound[2] < 1)
    {
      *reason = g_strdup_printf ("\"%s\" is no range (want such as c.m[1:1000:10])", element);
      return FALSE;
    }
  if ((bound[1] - bound[0]) / bound[2] >= MAX_SIGNALS)
    {
      *reason = g_strdup_printf ("\"%s\" is more than %d signals", element, MAX_SIGNALS);
      return FALSE;
    }
  for (guint64 i = bound[0]; i <= bound[1]; i += bound[2])
    {
      g_autofree char *name = g_strdup_printf ("%s%" G_GUINT64_FORMAT, prefix, i);

      if (!add_named_signal (reader, name, quantity, reason))
        return FALSE;
    }
  return TRUE;
}

/* All nodes, links and sources whose names fit and that have the quantity. */
static gboolean
add_pattern (Reader *reader, const char *element, const char *quantity, char **reason)
{
  const IfbamModel *model = reader->model;
  g_autoptr (GPatternSpec) pattern = g_pattern_spec_new (element);
  /* something, recorded already or not */
  gboolean fits = find_coordinates (reader, pattern, quantity);

  for (gsize i = 0; i < ifbam_model_n_named (model); i++)
    {
      gsize node = ifbam_model_number_of (model, i);
      const QuantityWord *word = node_word (ifbam_model_node_domain (model, node), quantity);
      g_autofree char *name = word == NULL ? NULL : ifbam_model_node_name (model, node);

      if (word != NULL && g_pattern_spec_match_string (pattern, name))
        {
          add_signal (reader, name, word, node);
          fits = TRUE;
        }
    }
  for (gsize i = 0; i < model->n_links; i++)
    {
      gsize member;
      const QuantityWord *word =
          link_word (ifbam_model_link_span (model, i, &member)->info, quantity);
      g_autofree char *name = word == NULL ? NULL : ifbam_model_link_name (model, i);

      if (word != NULL && g_pattern_spec_match_string (pattern, name))
        {
          add_signal (reader, name, word, i);
          fits = TRUE;
        }
    }
  for (guint i = 0; i < model->singles->len; i++)
    {
      const IfbamElement *element_i = g_array_index (model->singles, IfbamLink, i).element;
      const QuantityWord *word = link_word (element_i->info, quantity);
      QuantityWord link;

      if (word == NULL || !g_pattern_spec_match_string (pattern, element_i->name))
        continue;
      link = single_word (word);
      add_signal (reader, element_i->name, &link, i);
      fits = TRUE;
    }
  for (gsize i = 0; i < model->n_sources; i++)
    {
      IfbamElement *source = model->sources->pdata[i];
      const QuantityWord *word = source_word (source->info, quantity);

      if (source->index != i) /* another node of one before */
        continue;
      if (word != NULL && g_pattern_spec_match_string (pattern, source->name))
        {
          add_signal (reader, source->name, word, i);
          fits = TRUE;
        }
    }
  if (fits)
    return TRUE;
  *reason = g_strdup_printf ("\"%s.%s\" fits nothing in this network", element, quantity);
  return FALSE;
}

static gboolean
add_text (Reader *reader, const char *text, char **reason)
{
  const char *dot = strrchr (text, '.');
  const char *bracket = strchr (text, '[');
  g_autofree char *element = NULL;

  if (dot == NULL || dot == text || dot[1] == '\0')
    {
      *reason = g_strdup_printf ("\"%s\" is no signal (want ELEMENT.QUANTITY, such as "
                                 "\"m1.position\")",
                                 text);
      return FALSE;
    }
  element = g_strndup (text, (gsize) (dot - text));
  if (bracket != NULL && bracket < dot)
    return add_range (reader, element, element + (bracket - text), dot + 1, reason);
  if (strpbrk (element, "*?") != NULL)
    return add_pattern (reader, element, dot + 1, reason);
  return add_named_signal (reader, element, dot + 1, reason);
}

static void
add_standard (Reader *reader)
{
  for (gsize i = 0; i < reader->model->n_free && !too_many (reader); i++)
    {
      gsize node = ifbam_model_number_of (reader->model, i);
      g_autofree char *name = ifbam_model_node_name (reader->model, node);
      gsize member;

      /* A body's coordinate has the name of the signal. */
      if (ifbam_model_node_span (reader->model, node, &member)->lone)
        {
          add_named (reader, g_strdup (name), (IfbamSignal){ IFBAM_SIGNAL_POSITION, node }, "m");
          continue;
        }
      add_signal (reader, name, &node_words[ifbam_model_node_domain (reader->model, node)][0],
                  node);
    }
}

IfbamSignals *
ifbam_signals_new (const IfbamModel *model, GHashTable *by_name, const char *record, char **reason)
{
  g_autoptr (IfbamSignals) signals = g_new0 (IfbamSignals, 1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  Reader reader = { model, by_name, signals, seen };
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
  if (n_faults == 0 && too_many (&reader))
    g_string_append_printf (faults, "more than %d signals (name those that are wanted)",
                            MAX_SIGNALS);
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

IfbamCourse *
ifbam_signals_course (const IfbamSignals *signals)
{
  return ifbam_course_new_with_units ((const char *const *) signals->names->pdata,
                                      (const char *const *) signals->units->pdata);
}

/* Rows */

static double
link_motion (const IfbamView *view, gsize link, gboolean want_rate)
{
  gsize index;
  const IfbamBatch *batch = ifbam_model_batch (view->model, view->model->link_slot[link], &index);
  double position[2], rate[2];

  ifbam_view_node (view, batch->left[index], &position[0], &rate[0]);
  ifbam_view_node (view, batch->right[index], &position[1], &rate[1]);
  return want_rate ? ifbam_batch_delta (batch, index, rate[0], rate[1])
                   : ifbam_batch_delta (batch, index, position[0], position[1]);
}

static double
acceleration (const IfbamView *view, gsize node)
{
  if (node >= view->model->n_free)
    return ifbam_model_given (view->model, node, view->time).acceleration;
  if (view->engine != NULL && view->engine->acceleration != NULL)
    return view->engine->acceleration (view->engine, node);
  return ifbam_view_force (view, node) * view->model->inverse_inertia[node];
}

static double
signal_value (const IfbamSignal *signal, const IfbamView *view, const IfbamSums *sums)
{
  const IfbamModel *model = view->model;
  double position, rate;
  gsize index, slot;

  switch (signal->kind)
    {
    case IFBAM_SIGNAL_POSITION:
      ifbam_view_node (view, signal->number, &position, &rate);
      return position;
    case IFBAM_SIGNAL_RATE:
      ifbam_view_node (view, signal->number, &position, &rate);
      return rate;
    case IFBAM_SIGNAL_ACCELERATION:
      return acceleration (view, signal->number);
    case IFBAM_SIGNAL_FORCE:
      slot = model->link_slot[signal->number];
      return ifbam_view_link (view, slot, ifbam_model_batch (model, slot, &index)->kernels->force);
    case IFBAM_SIGNAL_COMPRESSION:
      return link_motion (view, signal->number, FALSE);
    case IFBAM_SIGNAL_LINK_RATE:
      return link_motion (view, signal->number, TRUE);
    case IFBAM_SIGNAL_MODE:
      return 0.0; /* smooth links have one mode */
    case IFBAM_SIGNAL_SOURCE_FORCE:
      return ifbam_model_source_total (model, signal->number, view->time);
    case IFBAM_SIGNAL_LINK_DISSIPATED:
      slot = model->link_slot[signal->number];
      return sums->link_dissipated != NULL ? sums->link_dissipated[slot]
                                           : view->engine->link_dissipated (view->engine, slot);
    case IFBAM_SIGNAL_SINGLE_FORCE:
      return view->engine->link (view->engine, signal->number, IFBAM_LINK_FORCE);
    case IFBAM_SIGNAL_SINGLE_COMPRESSION:
      return view->engine->link (view->engine, signal->number, IFBAM_LINK_COMPRESSION);
    case IFBAM_SIGNAL_SINGLE_RATE:
      return view->engine->link (view->engine, signal->number, IFBAM_LINK_RATE);
    case IFBAM_SIGNAL_SINGLE_MODE:
      return view->engine->link (view->engine, signal->number, IFBAM_LINK_MODE);
    case IFBAM_SIGNAL_SINGLE_DISSIPATED:
      return view->engine->link (view->engine, signal->number, IFBAM_LINK_DISSIPATED);
    case IFBAM_SIGNAL_KINETIC:
      return sums->kinetic;
    case IFBAM_SIGNAL_POTENTIAL:
      return sums->potential;
    case IFBAM_SIGNAL_ENERGY:
      return sums->kinetic + sums->potential;
    case IFBAM_SIGNAL_DISSIPATED:
      return sums->dissipated;
    case IFBAM_SIGNAL_SUPPLIED:
      return sums->supplied;
    case IFBAM_SIGNAL_MOMENTUM:
    default:
      return sums->momentum;
    }
}

void
ifbam_signals_row (const IfbamSignals *signals, const IfbamView *view, const IfbamSums *sums,
                   double *values)
{
  for (guint i = 0; i < signals->signals->len; i++)
    values[i] = signal_value (&g_array_index (signals->signals, IfbamSignal, i), view, sums);
}

void
ifbam_signals_add_nodes (const IfbamSignals *signals, const IfbamModel *model, GArray *nodes)
{
  for (guint i = 0; i < signals->signals->len; i++)
    {
      const IfbamSignal *signal = &g_array_index (signals->signals, IfbamSignal, i);
      const IfbamBatch *batch;
      gsize ends[2], index;

      switch (signal->kind)
        {
        case IFBAM_SIGNAL_POSITION:
        case IFBAM_SIGNAL_RATE:
          g_array_append_val (nodes, signal->number);
          break;
        case IFBAM_SIGNAL_ACCELERATION:
          g_array_append_val (nodes, signal->number);
          ifbam_model_add_neighbours (model, signal->number, nodes);
          break;
        case IFBAM_SIGNAL_FORCE:
        case IFBAM_SIGNAL_COMPRESSION:
        case IFBAM_SIGNAL_LINK_RATE:
          batch = ifbam_model_batch (model, model->link_slot[signal->number], &index);
          ends[0] = batch->left[index];
          ends[1] = batch->right[index];
          g_array_append_vals (nodes, ends, 2);
          break;
        default:
          break;
        }
    }
}

gboolean
ifbam_signals_ask_engine (const IfbamSignals *signals)
{
  for (guint i = 0; i < signals->signals->len; i++)
    switch (g_array_index (signals->signals, IfbamSignal, i).kind)
      {
      case IFBAM_SIGNAL_ACCELERATION:
      case IFBAM_SIGNAL_LINK_DISSIPATED:
      case IFBAM_SIGNAL_SINGLE_FORCE:
      case IFBAM_SIGNAL_SINGLE_COMPRESSION:
      case IFBAM_SIGNAL_SINGLE_RATE:
      case IFBAM_SIGNAL_SINGLE_MODE:
      case IFBAM_SIGNAL_SINGLE_DISSIPATED:
        return TRUE;
      default:
        break;
      }
  return FALSE;
}
