/* signal-names.c: signals of a model by name: ELEMENT.QUANTITY, with wildcards and ranges
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/signal-names.h"

#include <string.h>

#include "base/compare.h"
#include "base/range-text.h"
#include "model/links.h"
#include "model/signal-reader.h"

/* Faults reported of one list. */
#define MAX_FAULTS 10

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
find_coordinates (IfbamSignalReader *reader, const Pattern *pattern, const char *quantity)
{
  const GPtrArray *elements = reader->model->elements;
  gboolean found = FALSE;

  if (ifbam_quantity_find (IFBAM_QUANTITY_OF_BODY, IFBAM_DOMAIN_TRANSLATION, quantity) == NULL
      && ifbam_quantity_find (IFBAM_QUANTITY_OF_BODY, IFBAM_DOMAIN_ROTATION, quantity) == NULL
      && ifbam_quantity_find (IFBAM_QUANTITY_ON_TABLE, IFBAM_DOMAIN_ROTATION, quantity) == NULL)
    return FALSE;
  for (guint i = 0; i < elements->len; i++)
    if (fits (pattern, ((const IfbamElement *) elements->pdata[i])->name))
      found |= ifbam_signal_reader_add_coordinate (reader, elements->pdata[i], quantity);
  for (guint f = 0; f < reader->model->node_families->len; f++)
    {
      const IfbamSpan *span = &g_array_index (reader->model->node_families, IfbamSpan, f);

      /* Each member is found by its x. */
      for (gsize i = 0; i < span->count && span->tail != NULL && g_str_equal (span->tail, "x"); i++)
        {
          g_autofree char *member =
              g_strdup_printf ("%s.%s%" G_GSIZE_FORMAT, span->element->name, span->letter, i + 1);

          if (fits (pattern, member))
            found |= ifbam_signal_reader_add_member (reader, member, quantity);
        }
    }
  return found;
}

/* Adds a signal; FALSE: the name does not match, or the quantity is NULL. */
static gboolean
add_fitting (IfbamSignalReader *reader, const Pattern *pattern, const char *name,
             const IfbamQuantityInfo *quantity, IfbamDomain domain, gsize number, gboolean single)
{
  if (quantity == NULL || !fits (pattern, name))
    return FALSE;
  ifbam_signal_reader_add (reader, name, quantity, domain, number, single);
  return TRUE;
}

/* Adds all matching nodes, links and sources with the quantity. said: the user's text; bound: range
 * of the numbers at the ends of their names, or NULL. */
static gboolean
add_pattern (IfbamSignalReader *reader, const char *element, const char *quantity, const char *said,
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
      const IfbamQuantityInfo *word = ifbam_quantity_of_node (model, node, quantity);
      g_autofree char *name = word == NULL ? NULL : ifbam_model_node_name (model, node);

      found |= add_fitting (reader, pattern, name, word, domain, node, FALSE);
    }
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED | IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    {
      const IfbamElementInfo *info = at.link->info;
      const gboolean single = at.slot == G_MAXSIZE;
      const gboolean has_states = at.link->place == 0 && at.link->n_states > 0;
      const IfbamQuantityInfo *word = ifbam_quantity_find (
          IFBAM_QUANTITY_OF_LINK, ifbam_quantity_domain_of_link (info), quantity);
      g_autofree char *name = word != NULL || has_states ? ifbam_link_iter_name (&at) : NULL;

      if (ifbam_link_has_quantity (at.link, word))
        found |= add_fitting (reader, pattern, name, word, info->domain, at.number, single);
      found |= has_states && fits (pattern, name)
               && ifbam_signal_reader_add_state (reader, name, info, at.number, single, quantity);
    }
  for (gsize i = 0; i < model->n_sources; i++)
    {
      const IfbamSource *source = ifbam_model_source_of (model, i);
      const IfbamDomain domain = source->info->domain;

      if (source->first == i) /* else: another node of a source before */
        found |= add_fitting (reader, pattern, source->name,
                              ifbam_quantity_find (IFBAM_QUANTITY_OF_SOURCE, domain, quantity),
                              domain, i, FALSE);
    }
  if (found)
    return TRUE;
  *reason = g_strdup_printf ("\"%s.%s\" matches nothing in this network", said, quantity);
  return FALSE;
}

/* Adds "c.m[1:1000:10].position": first, last, step; without `last` to the end. */
static gboolean
add_range (IfbamSignalReader *reader, const char *element, const char *bracket,
           const char *quantity, char **reason)
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
  if ((bound[1] - bound[0]) / bound[2] >= IFBAM_MAX_SIGNALS)
    {
      *reason = g_strdup_printf ("\"%s\" is more than %u signals", element, IFBAM_MAX_SIGNALS);
      return FALSE;
    }
  if (!ifbam_signal_reader_make_room (
          reader, reader->signals->signals->len + (bound[1] - bound[0]) / bound[2] + 1, element))
    return TRUE; /* reported for all */
  for (guint64 i = bound[0], left = (bound[1] - bound[0]) / bound[2] + 1; left > 0;
       i += bound[2], left--)
    {
      g_autofree char *name = g_strdup_printf ("%s%" G_GUINT64_FORMAT, prefix, i);

      if (!ifbam_signal_reader_add_by_name (reader, name, quantity, reason))
        return FALSE;
    }
  return TRUE;
}

static gboolean add_text (IfbamSignalReader *reader, const char *text, char **reason);

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
add_quantities (IfbamSignalReader *reader, const char *element, const char *quantity, char **reason)
{
  g_autoptr (GPatternSpec) pattern = g_pattern_spec_new (quantity);
  const guint before = reader->signals->signals->len;
  g_autoptr (GPtrArray) states = list_states (reader->model);
  const IfbamQuantityInfo *known;
  gboolean fits = FALSE;

  for (guint i = 0; (known = ifbam_quantity_at (i)) != NULL; i++)
    {
      g_autofree char *text = g_strdup_printf ("%s.%s", element, known->name);
      g_autofree char *why = NULL;

      if ((known->owner == IFBAM_QUANTITY_OF_NETWORK) == g_str_equal (element, "network")
          && g_pattern_spec_match_string (pattern, known->name))
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
add_text (IfbamSignalReader *reader, const char *text, char **reason)
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
  return ifbam_signal_reader_add_by_name (reader, element, dot + 1, reason);
}

static void
add_standard (IfbamSignalReader *reader)
{
  const IfbamModel *model = reader->model;

  for (gsize i = 0; i < ifbam_model_n_named_free (model) && reader->lack == NULL; i++)
    {
      const gsize node = ifbam_model_named_node (model, i);
      const IfbamDomain domain = ifbam_model_node_domain (model, node);
      const IfbamQuantityInfo *first = ifbam_quantity_find (IFBAM_QUANTITY_OF_NODE, domain, NULL);
      g_autofree char *name = ifbam_model_node_name (model, node);
      gsize member;

      if (i == 0 && !ifbam_signal_reader_make_room (reader, model->n_free, name))
        return;
      /* The name of a body's coordinate is that of the signal. */
      if (ifbam_span_is_coordinate (ifbam_model_node_span (model, node, &member)))
        ifbam_signal_reader_add_named (reader, g_steal_pointer (&name),
                                       (IfbamSignal){ IFBAM_SIGNAL_POSITION, FALSE, node },
                                       ifbam_quantity_unit (first, domain));
      else
        ifbam_signal_reader_add (reader, name, first, domain, node, FALSE);
    }
}

IfbamSignals *
ifbam_signals_new (const IfbamModel *model, GHashTable *by_name, const char *record, char **reason)
{
  g_autoptr (IfbamSignals) signals = g_new0 (IfbamSignals, 1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  IfbamSignalReader reader = {
    .model = model, .by_name = by_name, .signals = signals, .seen = seen
  };
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
