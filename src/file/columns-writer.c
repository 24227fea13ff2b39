/* columns-writer.c: writes a network's masses, springs and dampers as columns, and the rest as text
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/columns-writer.h"

#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "file/columns-file.h"
#include "engine/engine.h"

/* Largest number of members that are listed by name. */
#define MAX_NAMED 1000

typedef struct
{
  IfbamNetwork *network;
  const IfbamModel *model;
  const IfbamSignals *signals;
  guint8 *goes; /* elements in the columns, by id */
  guint32 *node_row,
      *link_row;            /* rows in the order of the file; IFBAM_NO_NODE: not in the columns */
  guint32 n_nodes, n_links; /* numbers of rows */
  GPtrArray *outer;         /* char *: names of nodes in `outer` */
  guint32 *outer_number;    /* index in outer (n_nodes of the model); IFBAM_NO_NODE: not yet */
  double *values[IFBAM_N_COLUMNS_KINDS][IFBAM_MAX_FILE_COLUMNS];
  guint32 *left, *right;
  char *name;                /* of the new element */
  const IfbamElement *place; /* element that it replaces: that of the first link, or mass */
  gboolean reordered;
} Export;

/* Returns the kind of columns of a class; IFBAM_N_COLUMNS_KINDS: none. */
static guint
kind_of (const IfbamElementInfo *info)
{
  guint k = 0;

  while (k < IFBAM_N_COLUMNS_KINDS && ifbam_columns_info (k) != info)
    k++;
  return k;
}

/* Copies the parameters of a span's member. */
static void
law_of (const IfbamSpan *span, gsize member, double *law)
{
  if (span->letter == NULL)
    memcpy (law, ifbam_element_law (span->element), span->info->law_size);
  else
    ifbam_span_law (span, member, law);
}

/* TRUE if columns can contain all parameters of a member. */
static gboolean
fits (const IfbamSpan *span, gsize member)
{
  const guint kind = kind_of (span->info);
  double law[IFBAM_MAX_LAW];

  if (kind == IFBAM_N_COLUMNS_KINDS)
    return FALSE;
  law_of (span, member, law);
  for (guint i = 0; i < span->info->n_params; i++)
    {
      const IfbamParam *param = &span->info->params[i];

      if (param->kind == IFBAM_PARAM_NUMBER
          && !g_strv_contains (ifbam_columns_keys (kind), param->key)
          && law[param->offset / sizeof (double)] != param->standard)
        return FALSE;
    }
  return TRUE;
}

static void
keep_ranges (Export *export, const GArray *spans)
{
  for (guint s = 0; s < spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (spans, IfbamSpan, s);
      gboolean fit = span->element->context != NULL && !span->element->info->damps
                     && !ifbam_span_is_coordinate (span);

      for (gsize i = 0; i < span->count && fit; i++)
        fit = fits (span, i);
      if (!fit)
        export->goes[span->element->id] = FALSE;
    }
}

/* An element is in the columns if all its nodes and links can be. */
static void
choose (Export *export)
{
  const IfbamModel *model = export->model;

  export->goes = g_new0 (guint8, model->n_places + 1);
  for (guint s = 0; s < model->node_spans->len; s++)
    export->goes[g_array_index (model->node_spans, IfbamSpan, s).element->id] = TRUE;
  for (guint s = 0; s < model->link_spans->len; s++)
    export->goes[g_array_index (model->link_spans, IfbamSpan, s).element->id] = TRUE;
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    export->goes[link->element->id] = FALSE;
  for (gsize i = 0; i < model->n_sources; i++)
    export->goes[ifbam_model_source_of (model, i)->element->id] = FALSE;
  keep_ranges (export, model->node_spans);
  keep_ranges (export, model->link_spans);
}

static gsize
file_number (const IfbamModel *model, guint32 node)
{
  return node < model->n_free && model->file_node != NULL ? model->file_node[node] : node;
}

static void
number_nodes (Export *export)
{
  const IfbamModel *model = export->model;

  export->node_row = g_new (guint32, model->n_nodes + 1);
  for (gsize i = 0; i < model->n_nodes; i++)
    {
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (
          model, i < model->n_free ? ifbam_model_free_node (model, i) : i, &member);

      export->node_row[i] = export->goes[span->element->id] ? export->n_nodes++ : IFBAM_NO_NODE;
      if (export->place == NULL && export->n_nodes > 0)
        export->place = span->element;
    }
}

/* Returns the index of a link's endpoint: a row, or behind the rows for a node in `outer`. */
static guint32
row_number (Export *export, gsize node)
{
  const IfbamModel *model = export->model;

  if (export->node_row[node] != IFBAM_NO_NODE)
    return export->node_row[node];
  if (export->outer_number[node] == IFBAM_NO_NODE)
    {
      export->outer_number[node] = export->outer->len;
      g_ptr_array_add (export->outer,
                       ifbam_model_node_name (model, node < model->n_free
                                                         ? ifbam_model_free_node (model, node)
                                                         : node));
    }
  return export->n_nodes + export->outer_number[node];
}

/* Assigns rows; a damper directly behind a spring of the same nodes shares its row. */
static void
number_links (Export *export)
{
  const IfbamModel *model = export->model;
  guint last_kind = IFBAM_N_COLUMNS_KINDS, stretches = 0;
  gboolean inside = FALSE;

  export->link_row = g_new (guint32, model->n_links + 1);
  export->left = g_new (guint32, model->n_links + 1);
  export->right = g_new (guint32, model->n_links + 1);
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED); ifbam_link_iter_next (&at);)
    {
      const gsize i = at.number;
      const guint kind = kind_of (at.link->info);
      const gboolean goes = export->goes[at.link->element->id];
      guint32 left, right;

      export->link_row[i] = IFBAM_NO_NODE;
      stretches += goes && !inside;
      inside = goes;
      if (goes && stretches == 1 && export->n_links == 0)
        export->place = at.link->element;
      if (!goes)
        {
          last_kind = IFBAM_N_COLUMNS_KINDS;
          continue;
        }
      left = row_number (export, file_number (model, at.link->node[0]));
      right = row_number (export, file_number (model, at.link->node[1]));
      if (kind == IFBAM_COLUMNS_DAMPER && last_kind == IFBAM_COLUMNS_SPRING
          && export->left[export->n_links - 1] == left
          && export->right[export->n_links - 1] == right)
        {
          export->link_row[i] = export->n_links - 1;
          last_kind = kind;
          continue;
        }
      export->left[export->n_links] = left;
      export->right[export->n_links] = right;
      export->link_row[i] = export->n_links++;
      last_kind = kind;
    }
  /* Links between those in the columns change the order of sums. */
  export->reordered = stretches > 1;
}

static void
put_number (Export *export, guint kind, guint c, guint32 row, double number)
{
  const gboolean of_links = kind != IFBAM_COLUMNS_MASS;
  const guint32 n = of_links ? export->n_links : export->n_nodes;

  if (export->values[kind][c] == NULL)
    {
      /* Optional columns exist if some row has a value. */
      if (c > 0 && number == 0)
        return;
      export->values[kind][c] = g_new (double, n + 1);
      for (guint32 i = 0; i < n; i++)
        export->values[kind][c][i] =
            !of_links                                                                         ? 0
            : c > 0 && export->values[kind][0] != NULL && !isnan (export->values[kind][0][i]) ? 0
                                                                                              : NAN;
    }
  export->values[kind][c][row] = number;
}

/* Writes a member's parameters; columns of first keys first: others detect rows by them. */
static void
put_member (Export *export, const IfbamSpan *span, gsize member, guint32 row, gboolean first)
{
  const guint kind = kind_of (span->info);
  const char *const *keys = ifbam_columns_keys (kind);
  double law[IFBAM_MAX_LAW];

  law_of (span, member, law);
  for (guint c = first ? 0 : 1; keys[c] != NULL && (c == 0 || !first); c++)
    {
      const int param = ifbam_element_param_index (span->info, keys[c]);

      put_number (export, kind, c, row, law[span->info->params[param].offset / sizeof (double)]);
    }
}

static void
put_numbers (Export *export)
{
  const IfbamModel *model = export->model;

  for (guint pass = 0; pass < 2; pass++)
    {
      for (gsize i = 0; i < model->n_free; i++)
        {
          gsize member;
          const IfbamSpan *span =
              ifbam_model_node_span (model, ifbam_model_free_node (model, i), &member);

          if (export->node_row[i] != IFBAM_NO_NODE)
            put_member (export, span, member, export->node_row[i], pass == 0);
        }
      for (gsize i = 0; i < model->n_links; i++)
        {
          gsize member;
          const IfbamSpan *span = ifbam_model_link_span (model, i, &member);

          if (export->link_row[i] != IFBAM_NO_NODE)
            put_member (export, span, member, export->link_row[i], pass == 0);
        }
    }
}

/* Names */

/* Returns the name of a node or link in the columns (transfer full); NULL: it keeps its name. */
static char *
new_name (const Export *export, const char *name)
{
  const IfbamModel *model = export->model;
  gsize number, member;
  const IfbamFound found = ifbam_model_find (model, export->network->by_name, name, &number);
  guint32 row = IFBAM_NO_NODE;
  const char *letter = "m";

  if (found == IFBAM_FOUND_NODE)
    row = export->node_row[file_number (model, (guint32) number)];
  else if (found == IFBAM_FOUND_LINK)
    {
      row = export->link_row[number];
      letter =
          kind_of (ifbam_model_link_span (model, number, &member)->info) == IFBAM_COLUMNS_SPRING
              ? "k"
              : "d";
    }
  return row == IFBAM_NO_NODE ? NULL : g_strdup_printf ("%s.%s%u", export->name, letter, row + 1);
}

static gboolean
leaves_out (gpointer data, const IfbamElement *element)
{
  return ((const Export *) data)->goes[element->id];
}

/* Counts the rows of a composite's masses; *first: the first one. */
static guint32
count_masses (const Export *export, const IfbamElement *composite, guint32 *first)
{
  const GArray *spans = export->model->node_spans;
  guint32 n = 0;

  for (guint s = 0; s < spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (spans, IfbamSpan, s);

      if (span->element != composite)
        continue;
      if (n == 0)
        *first = export->node_row[span->first];
      n += (guint32) span->count;
    }
  return n;
}

static char **
list_names (gpointer data, const IfbamElement *element, char *const *names, char **fault)
{
  const Export *export = data;
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_free);
  guint32 rows = 0;
  gboolean all = FALSE;

  for (guint i = 0; names[i] != NULL; i++)
    {
      const IfbamElement *named = g_hash_table_lookup (export->network->by_name, names[i]);
      const gboolean goes = named != NULL && export->goes[named->id];
      guint32 first = 0;

      rows += goes && ifbam_element_kind (named) == IFBAM_KIND_COMPOSITE
                  ? count_masses (export, named, &first)
              : goes && named->info->kind == IFBAM_KIND_FREE_NODE ? 1
                                                                  : 0;
    }
  /* An element on all rows names the columns as a whole. */
  all = element->info->potential != NULL && rows == export->n_nodes;
  for (guint i = 0; names[i] != NULL; i++)
    {
      const IfbamElement *named = g_hash_table_lookup (export->network->by_name, names[i]);
      const gboolean goes = named != NULL && export->goes[named->id];
      char *other = goes && all ? NULL : new_name (export, names[i]);
      guint32 first = 0, n;

      if (!goes || (ifbam_element_kind (named) != IFBAM_KIND_COMPOSITE && !all))
        {
          g_ptr_array_add (others, other != NULL ? other : g_strdup (names[i]));
          continue;
        }
      if (all)
        {
          if (others->len == 0 || !g_str_equal (others->pdata[0], export->name))
            g_ptr_array_insert (others, 0, g_strdup (export->name));
          continue;
        }
      n = count_masses (export, named, &first);
      if (n > MAX_NAMED && *fault == NULL)
        *fault =
            g_strdup_printf ("[%s %s] names \"%s\", of which %u masses are to be among those of "
                             "others (name all, or those that are meant)",
                             element->info->name, element->name, names[i], n);
      for (guint32 k = 0; k < n && n <= MAX_NAMED; k++)
        g_ptr_array_add (others, g_strdup_printf ("%s.m%u", export->name, first + k + 1));
    }
  g_ptr_array_add (others, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&others), FALSE);
}

/* Returns the new name of a signal (transfer full). */
static char *
new_signal (const Export *export, const char *signal)
{
  const char *dot = strrchr (signal, '.');
  g_autofree char *element = g_strndup (signal, (gsize) (dot == NULL ? 0 : dot - signal));
  g_autofree char *other = dot == NULL ? NULL : new_name (export, element);

  return other == NULL ? g_strdup (signal) : g_strconcat (other, dot, NULL);
}

/* Patterns may match other names in the new file: signals are listed. */
static char *
list_signals (gpointer data, const char *text)
{
  const Export *export = data;
  g_autoptr (GString) list = g_string_new (NULL);

  if (g_strcmp0 (text, ifbam_element_slots (export->network->settings)[IFBAM_SETTING_RECORD]) != 0)
    return new_signal (export, text);
  for (guint i = 0; export->signals->names->pdata[i] != NULL; i++)
    {
      g_autofree char *other = new_signal (export, export->signals->names->pdata[i]);

      g_string_append_printf (list, "%s%s", i == 0 ? "" : ", ", other);
    }
  return g_string_free (g_steal_pointer (&list), FALSE);
}

static char *
free_name (const IfbamNetwork *network)
{
  char *name = g_strdup ("c");

  for (guint i = 1; g_hash_table_contains (network->by_name, name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("columns%u", i);
    }
  return name;
}

static void
export_clear (Export *export)
{
  g_free (export->goes);
  g_free (export->node_row);
  g_free (export->link_row);
  g_ptr_array_unref (export->outer);
  g_free (export->outer_number);
  g_free (export->left);
  g_free (export->right);
  g_free (export->name);
  for (guint k = 0; k < IFBAM_N_COLUMNS_KINDS; k++)
    for (guint c = 0; c < IFBAM_MAX_FILE_COLUMNS; c++)
      g_free (export->values[k][c]);
}

static gboolean
write_columns (Export *export, const char *path, GError **error)
{
  g_autoptr (IfbamColumnsData) data = ifbam_columns_data_new ();

  data->n_nodes = export->n_nodes;
  data->n_links = export->n_links;
  data->left = g_steal_pointer (&export->left);
  data->right = g_steal_pointer (&export->right);
  for (guint k = 0; k < IFBAM_N_COLUMNS_KINDS; k++)
    for (guint c = 0; c < IFBAM_MAX_FILE_COLUMNS; c++)
      if (export->values[k][c] != NULL)
        {
          double *values = g_steal_pointer (&export->values[k][c]);
          const guint32 n = k == IFBAM_COLUMNS_MASS ? export->n_nodes : export->n_links;

          data->values[k][c] = g_variant_ref_sink (g_variant_new_from_data (
              G_VARIANT_TYPE ("ad"), values, n * sizeof *values, TRUE, g_free, values));
        }
  return ifbam_columns_file_write (path, data, error);
}

static gboolean
write_text (Export *export, const char *columns_path, const char *path, GError **error)
{
  g_autofree char *file = g_path_get_basename (columns_path);
  g_autoptr (GString) group = g_string_new (NULL);
  IfbamRewriting rewriting = {
    .leaves_out = leaves_out, .list = list_names, .signals = list_signals, .data = export
  };

  g_string_append_printf (group, "[columns %s]\nfile  = %s\n", export->name, file);
  for (guint i = 0; i < export->outer->len; i++)
    g_string_append_printf (group, "%s%s", i == 0 ? "outer = " : ", ",
                            (const char *) export->outer->pdata[i]);
  if (export->outer->len > 0)
    g_string_append_c (group, '\n');
  rewriting.place = export->place;
  rewriting.instead = group->str;
  return ifbam_network_save_rewritten (export->network, path, &rewriting, error);
}

gboolean
ifbam_columns_export (IfbamNetwork *network, const IfbamModel *model, const IfbamSignals *signals,
                      const char *columns_path, const char *text_path, gboolean *reordered,
                      GError **error)
{
  Export export = { .network = network,
                    .model = model,
                    .signals = signals,
                    .outer = g_ptr_array_new_with_free_func (g_free),
                    .name = free_name (network) };
  gboolean fine = FALSE;

  choose (&export);
  export.outer_number = g_new (guint32, model->n_nodes + 1);
  memset (export.outer_number, 0xff, model->n_nodes * sizeof (guint32));
  number_nodes (&export);
  number_links (&export);
  *reordered = export.reordered;
  if (export.n_nodes == 0)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
                 "--columns: there is no mass for columns (masses, springs and "
                 "dampers along lines do)");
  else
    {
      put_numbers (&export);
      fine = write_columns (&export, columns_path, error)
             && write_text (&export, columns_path, text_path, error);
    }
  export_clear (&export);
  return fine;
}
