/* snapshot.c: data that determine an engine's next steps, as one self-describing block of bytes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/snapshot.h"

#include <string.h>

#include "base/ifbam-error.h"
#include "base/number-text.h"

/* First word of a block, which also identifies the order of bytes. */
#define MAGIC 0x6966626d73746174u

/* A column in the block; offset from the block's start [bytes]. */
typedef struct
{
  char name[IFBAM_STATE_NAME];
  guint64 type, n, offset;
} Entry;

struct _IfbamState
{
  guint64 magic, version;
  guint64 size; /* of the block [bytes] */
  char scheme[IFBAM_STATE_NAME];
  double step; /* [s] */
  guint64 steps;
  guint64 n_nodes, n_free, n_links, n_sources;
  guint64 structure; /* bytes of the text after the entries; 0: none */
  guint64 n_columns;
  Entry column[];
};

static gsize
value_size (guint64 type)
{
  return type == IFBAM_STATE_DOUBLES ? sizeof (double) : sizeof (guint32);
}

/* Rounds up to a multiple of a double's size, for alignment. */
static guint64
whole_doubles (guint64 bytes)
{
  return (bytes + sizeof (double) - 1) / sizeof (double) * sizeof (double);
}

static gsize
column_size (guint64 type, guint64 n)
{
  return whole_doubles (n * value_size (type));
}

static gsize
n_values (const IfbamStateColumn *column)
{
  return column->n * column->width;
}

/* Copies between an engine's column and the block. */
static void
copy_column (const IfbamStateColumn *column, char *values, gboolean out)
{
  const gsize size = column->width * value_size (column->type), n = column->n;
  char *own = column->data;

  if (column->stride == size && n > 0)
    {
      memcpy (out ? values : own, out ? own : values, n * size);
      return;
    }
  for (gsize i = 0; i < n; i++, values += size, own += column->stride)
    memcpy (out ? values : own, out ? own : values, size);
}

/* The block is zero before. */
static void
set_name (char *place, const char *name)
{
  g_assert (strlen (name) < IFBAM_STATE_NAME);
  memcpy (place, name, strlen (name));
}

static IfbamState *
make_header (const IfbamModel *model, const IfbamRunSpec *spec, gsize size)
{
  IfbamState *state = g_malloc0 (size);

  state->magic = MAGIC;
  state->version = IFBAM_STATE_VERSION;
  state->size = size;
  set_name (state->scheme, spec->scheme->name);
  state->step = spec->step;
  state->n_nodes = model->n_nodes;
  state->n_free = model->n_free;
  state->n_links = model->n_links + model->unbatched_links->len;
  state->n_sources = model->n_sources;
  return state;
}

static char *
structure_of (const IfbamState *state)
{
  return (char *) &state->column[state->n_columns];
}

IfbamState *
ifbam_state_new (const IfbamModel *model, const IfbamRunSpec *spec, guint64 steps,
                 const char *structure, const GArray *columns)
{
  const gsize text = structure == NULL ? 0 : strlen (structure) + 1;
  gsize offset = sizeof (IfbamState) + columns->len * sizeof (Entry) + whole_doubles (text);
  gsize size = offset;
  IfbamState *state;

  for (guint i = 0; i < columns->len; i++)
    {
      const IfbamStateColumn *column = &g_array_index (columns, IfbamStateColumn, i);

      size += column_size (column->type, n_values (column));
    }
  state = make_header (model, spec, size);
  state->n_columns = columns->len;
  state->structure = text;
  if (text > 0)
    memcpy (structure_of (state), structure, text);
  for (guint i = 0; i < columns->len; i++)
    {
      const IfbamStateColumn *column = &g_array_index (columns, IfbamStateColumn, i);
      Entry *entry = &state->column[i];

      set_name (entry->name, column->name);
      entry->type = column->type;
      entry->n = n_values (column);
      entry->offset = offset;
      offset += column_size (entry->type, entry->n);
    }
  ifbam_state_update (state, steps, columns);
  return state;
}

void
ifbam_state_update (IfbamState *state, guint64 steps, const GArray *columns)
{
  g_assert (state->n_columns == columns->len);
  state->steps = steps;
  for (guint i = 0; i < columns->len; i++)
    {
      const IfbamStateColumn *column = &g_array_index (columns, IfbamStateColumn, i);
      const Entry *entry = &state->column[i];

      g_assert (entry->n == n_values (column));
      copy_column (column, (char *) state + entry->offset, TRUE);
    }
}

/* Returns TRUE if text and columns are inside the block, in order, with ends and names. */
static gboolean
is_whole (const IfbamState *state)
{
  guint64 offset = sizeof *state;

  if (state->n_columns > (state->size - offset) / sizeof (Entry)
      || memchr (state->scheme, '\0', sizeof state->scheme) == NULL)
    return FALSE;
  offset += state->n_columns * sizeof (Entry);
  if (state->structure > state->size - offset
      || whole_doubles (state->structure) > state->size - offset
      || (state->structure > 0 && structure_of (state)[state->structure - 1] != '\0'))
    return FALSE;
  offset += whole_doubles (state->structure);
  for (guint64 i = 0; i < state->n_columns; i++)
    {
      const Entry *entry = &state->column[i];

      if (memchr (entry->name, '\0', sizeof entry->name) == NULL || entry->type > IFBAM_STATE_WORDS
          || entry->offset != offset || entry->n > (state->size - offset) / value_size (entry->type)
          || column_size (entry->type, entry->n) > state->size - offset)
        return FALSE;
      offset += column_size (entry->type, entry->n);
    }
  return offset == state->size;
}

static gboolean
refuse_version (guint64 version, GError **error)
{
  if (version == IFBAM_STATE_VERSION)
    return FALSE;
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
               "the state is of version %" G_GUINT64_FORMAT "; this is version %d", version,
               IFBAM_STATE_VERSION);
  return TRUE;
}

gsize
ifbam_state_head_size (const IfbamState *state)
{
  return sizeof *state + state->n_columns * sizeof (Entry) + whole_doubles (state->structure);
}

static gboolean
refuse_bytes (gsize size, GError **error)
{
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
               "these %" G_GSIZE_FORMAT " bytes are no state of an engine, or not all of one",
               size);
  return TRUE;
}

IfbamState *
ifbam_state_new_from_head (gconstpointer head, gsize n_head, GError **error)
{
  const IfbamState *known = head;
  g_autoptr (IfbamState) state = NULL;

  if (n_head >= sizeof *known && known->magic == MAGIC && refuse_version (known->version, error))
    return NULL;
  /* Allocates only the size that follows from the columns. */
  if (n_head >= sizeof *known && known->magic == MAGIC && known->size >= n_head
      && known->n_columns <= n_head / sizeof (Entry) && known->structure <= n_head
      && ifbam_state_head_size (known) == n_head && is_whole (known))
    state = g_try_malloc0 (known->size);
  if (state == NULL)
    {
      refuse_bytes (n_head, error);
      return NULL;
    }
  memcpy (state, head, n_head);
  return g_steal_pointer (&state);
}

IfbamState *
ifbam_state_new_from_data (gconstpointer data, gsize size, GError **error)
{
  g_autoptr (IfbamState) state = size < sizeof (IfbamState) ? NULL : g_memdup2 (data, size);

  if (state != NULL && state->magic == MAGIC && refuse_version (state->version, error))
    return NULL;
  if (state == NULL || state->magic != MAGIC || state->size != size || !is_whole (state))
    {
      refuse_bytes (size, error);
      return NULL;
    }
  return g_steal_pointer (&state);
}

IfbamState *
ifbam_state_copy (const IfbamState *state)
{
  return g_memdup2 (state, state->size);
}

void
ifbam_state_free (IfbamState *state)
{
  g_free (state);
}

gboolean
ifbam_state_equal (const IfbamState *one, const IfbamState *other)
{
  return one->size == other->size && memcmp (one, other, one->size) == 0;
}

gconstpointer
ifbam_state_data (const IfbamState *state, gsize *size)
{
  *size = state->size;
  return state;
}

guint64
ifbam_state_steps (const IfbamState *state)
{
  return state->steps;
}

static const Entry *
find_entry (const IfbamState *state, const char *name)
{
  for (guint64 i = 0; i < state->n_columns; i++)
    if (strcmp (state->column[i].name, name) == 0)
      return &state->column[i];
  return NULL;
}

gconstpointer
ifbam_state_find (const IfbamState *state, const char *name, IfbamStateType type, gsize *n)
{
  const Entry *entry = find_entry (state, name);

  if (entry == NULL || entry->type != type)
    return NULL;
  *n = entry->n;
  return (const char *) state + entry->offset;
}

const char *
ifbam_state_name (const IfbamState *state, guint index)
{
  return index < state->n_columns ? state->column[index].name : NULL;
}

double *
ifbam_state_numbers (IfbamState *state, gsize *n)
{
  *n = 0;
  for (guint64 i = 0; i < state->n_columns && state->column[i].type == IFBAM_STATE_DOUBLES; i++)
    *n += state->column[i].n;
  return (double *) (gpointer) (structure_of (state) + whole_doubles (state->structure));
}

/* Refusal */

static gboolean
refuse_count (const char *what, guint64 has, guint64 wanted, const char *column, GError **error)
{
  if (has == wanted)
    return FALSE;
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
               "the state's column '%s' is of %" G_GUINT64_FORMAT " %s; the network has "
               "%" G_GUINT64_FORMAT,
               column, has, what, wanted);
  return TRUE;
}

/* Compares the structures line by line. */
static gboolean
refuse_structure (const IfbamState *state, const IfbamModel *model, const IfbamRunSpec *spec,
                  GError **error)
{
  g_autofree char *wanted = NULL;
  const char *has = structure_of (state), *wants;

  if (state->structure == 0)
    return FALSE;
  wants = wanted = ifbam_model_structure (model, spec->scheme->latency);
  while (*has != '\0' || *wants != '\0')
    {
      const gsize n = strcspn (has, "\n"), m = strcspn (wants, "\n");

      if (n != m || memcmp (has, wants, n) != 0)
        {
          g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
                       "the state is of another network: it has \"%.*s\" where this one has "
                       "\"%.*s\"",
                       n == 0 ? 7 : (int) MIN (n, 200), n == 0 ? "nothing" : has,
                       m == 0 ? 7 : (int) MIN (m, 200), m == 0 ? "nothing" : wants);
          return TRUE;
        }
      has += n + (has[n] == '\n');
      wants += m + (wants[m] == '\n');
    }
  return FALSE;
}

static gboolean
refuse_run (const IfbamState *state, const IfbamModel *model, const IfbamRunSpec *spec,
            GError **error)
{
  if (refuse_version (state->version, error))
    return TRUE;
  if (strcmp (state->scheme, spec->scheme->name) != 0)
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
                   "the state is of the scheme '%s'; the run's is '%s'", state->scheme,
                   spec->scheme->name);
      return TRUE;
    }
  if (state->step != spec->step)
    {
      g_set_error (
          error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
          "the state's columns ('node.position' and others) are of steps of %s s; the run's "
          "are of %s s",
          IFBAM_NUMBER (state->step), IFBAM_NUMBER (spec->step));
      return TRUE;
    }
  return refuse_structure (state, model, spec, error)
         || refuse_count ("nodes", state->n_nodes, model->n_nodes, "node.position", error)
         || refuse_count ("free nodes", state->n_free, model->n_free, "node.position", error)
         || refuse_count ("links", state->n_links, model->n_links + model->unbatched_links->len,
                          "link.force", error)
         || refuse_count ("sources", state->n_sources, model->n_sources, "source.force", error);
}

static gboolean
refuse_column (const IfbamState *state, const IfbamStateColumn *column, GError **error)
{
  const Entry *entry = find_entry (state, column->name);

  if (entry == NULL || entry->type != column->type)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE, "the state has no column '%s' of %s",
                 column->name, column->type == IFBAM_STATE_DOUBLES ? "numbers" : "words");
  else if (entry->n != n_values (column))
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
                 "the state's column '%s' has %" G_GUINT64_FORMAT " values, not %" G_GSIZE_FORMAT,
                 column->name, entry->n, n_values (column));
  else
    return FALSE;
  return TRUE;
}

/* Rejects unknown columns: their values would be lost. */
static gboolean
reject_unknown (const Entry *entry, const GArray *columns, GError **error)
{
  for (guint i = 0; i < columns->len; i++)
    if (strcmp (entry->name, g_array_index (columns, IfbamStateColumn, i).name) == 0)
      return FALSE;
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
               "the state has a column '%s', which this run does not have", entry->name);
  return TRUE;
}

void
ifbam_state_put (const IfbamState *state, const GArray *columns)
{
  for (guint i = 0; i < columns->len; i++)
    {
      const IfbamStateColumn *column = &g_array_index (columns, IfbamStateColumn, i);
      const Entry *entry = find_entry (state, column->name);

      copy_column (column, (char *) state + entry->offset, FALSE);
    }
}

gboolean
ifbam_state_restore (const IfbamState *state, const IfbamModel *model, const IfbamRunSpec *spec,
                     const GArray *columns, GError **error)
{
  if (refuse_run (state, model, spec, error))
    return FALSE;
  for (guint i = 0; i < columns->len; i++)
    if (refuse_column (state, &g_array_index (columns, IfbamStateColumn, i), error))
      return FALSE;
  for (guint64 i = 0; i < state->n_columns; i++)
    if (reject_unknown (&state->column[i], columns, error))
      return FALSE;
  ifbam_state_put (state, columns);
  return TRUE;
}

void
ifbam_state_add_scheme (GArray *columns, const IfbamModel *model, const IfbamScheme *scheme,
                        double *const *column, double *answer)
{
  static const char *const names[] = { "node.position", "node.rate", "node.acceleration" };
  static const char *const before[] = { "node.position-before", "node.rate-before" };

  for (guint c = 0; c < ifbam_scheme_n_state_columns (scheme); c++)
    ifbam_state_add_doubles (
        columns, scheme->latency && c > 1 ? before[c - 2] : names[scheme->derivative[c]], column[c],
        model->n_free);
  if (!scheme->latency)
    return;
  ifbam_state_add_doubles (columns, "slot.flight", answer, model->n_slots);
  ifbam_state_add_doubles (columns, "source.flight", answer + model->n_slots, model->n_sources);
}
