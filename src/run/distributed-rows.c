/* distributed-rows.c: rows of columns, distributed to the ranks of their nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/distributed-rows.h"

#include "file/file.h"
#include "run/communicator.h"

/* Rows of a file read at once, and nodes requested at once: small beside the stored data. */
#define PIECE (1 << 16)
/* Values of a link: those of a spring and a damper. */
#define MAX_VALUES 4

static const struct
{
  IfbamColumnsKind kind;
  guint column;
} value_of[MAX_VALUES] = {
  { IFBAM_COLUMNS_SPRING, 0 },
  { IFBAM_COLUMNS_SPRING, 1 },
  { IFBAM_COLUMNS_SPRING, 2 },
  { IFBAM_COLUMNS_DAMPER, 0 },
};

/* A row of links, with indices of nodes in the file. */
typedef struct
{
  guint32 row, left, right;
  guint16 set; /* index of the composite */
  guint8 kinds;
  double value[MAX_VALUES];
} Row;

/* A composite. */
typedef struct
{
  IfbamElement *element;
  guint64 first, n_nodes; /* its nodes */
  guint64 n_links;        /* rows */
  guint64 *outer;
  guint8 kinds;                               /* kinds in the file */
  gboolean has[MAX_VALUES];                   /* the columns in the file */
  IfbamColumnsData *kept;                     /* of the nodes in this rank's block */
  const double *node[IFBAM_MAX_FILE_COLUMNS]; /* columns of these; NULL: none */
} Set;

struct _IfbamGraphRows
{
  int rank, n; /* rank, and count of ranks */
  guint64 n_free;
  guint64 begin, end; /* nodes of this rank's block */
  GArray *sets;       /* Set */
  Row *rows;          /* rows at nodes of this rank's block, in file order */
  gsize n_rows;
  guint32 *start, *at; /* of a node: rows at[start[i]] to at[start[i + 1] - 1] */
  Row *received;       /* rows received from other ranks, in no order */
  gsize n_told;
};

static void
clear_set (gpointer data)
{
  Set *set = data;

  g_free (set->outer);
  ifbam_columns_data_free (set->kept);
}

IfbamGraphRows *
ifbam_graph_rows_new (void)
{
  IfbamGraphRows *self = g_new0 (IfbamGraphRows, 1);
  const IfbamRanks *ranks = ifbam_ranks ();

  self->rank = ranks == NULL ? 0 : ranks->rank;
  self->n = ranks == NULL ? 1 : ranks->n;
  self->sets = g_array_new (FALSE, TRUE, sizeof (Set));
  g_array_set_clear_func (self->sets, clear_set);
  return self;
}

void
ifbam_graph_rows_discard (IfbamGraphRows *self)
{
  g_clear_pointer (&self->rows, g_free);
  g_clear_pointer (&self->start, g_free);
  g_clear_pointer (&self->at, g_free);
  for (guint s = 0; s < self->sets->len; s++)
    g_clear_pointer (&g_array_index (self->sets, Set, s).kept, ifbam_columns_data_free);
}

void
ifbam_graph_rows_free (IfbamGraphRows *self)
{
  if (self == NULL)
    return;
  ifbam_graph_rows_discard (self);
  g_array_unref (self->sets);
  g_free (self->received);
  g_free (self);
}

static Set *
set_at (const IfbamGraphRows *self, guint i)
{
  return &g_array_index (self->sets, Set, i);
}

void
ifbam_graph_rows_add (IfbamGraphRows *self, IfbamElement *element, guint64 first)
{
  const IfbamColumnsData *data = element->extra;
  const Set set = { .element = element, .first = first, .n_nodes = data->n_nodes };

  g_array_append_val (self->sets, set);
}

void
ifbam_graph_rows_share (IfbamGraphRows *self, guint64 n_free)
{
  self->n_free = n_free;
  ifbam_ranks_range (n_free, self->n, self->rank, &self->begin, &self->end);
}

static void
add_rows (Row **list, gsize *n_list, const Row *rows, gsize n)
{
  *list = g_renew (Row, *list, *n_list + n + 1);
  for (gsize i = 0; i < n; i++)
    (*list)[(*n_list)++] = rows[i];
}

/* ---- messages */

static gboolean
is_stored_here (const IfbamGraphRows *self, guint64 node)
{
  return node >= self->begin && node < self->end;
}

/* Returns the rank that stores a free node. */
static int
rank_of (const IfbamGraphRows *self, guint64 node)
{
  return is_stored_here (self, node) ? self->rank : ifbam_ranks_of (self->n_free, self->n, node);
}

static gsize
total_of (const IfbamGraphRows *self, const gsize *sizes)
{
  gsize total = 0;

  for (int r = 0; r < self->n; r++)
    total += sizes[r];
  return total;
}

/* Requests data of a piece of nodes, from `from` on, from their ranks. Returns the answers
 * (transfer full), in the order of the numbers if these ascend. */
static gpointer
request (const IfbamGraphRows *self, const GArray *numbers, guint from, guint size, gsize *n_bytes,
         void (*answer) (const IfbamGraphRows *self, guint64 node, gconstpointer data,
                         GArray *list),
         gconstpointer data)
{
  GArray **questions = ifbam_ranks_new_lists (sizeof (guint64)),
         **answers = ifbam_ranks_new_lists (size);
  g_autofree gsize *sizes = g_new (gsize, self->n);
  g_autofree guint64 *asked = NULL;
  const guint64 *next;
  gpointer all;

  for (guint i = from; i < MIN (from + PIECE, numbers->len); i++)
    {
      const guint64 node = g_array_index (numbers, guint64, i);

      g_array_append_val (questions[rank_of (self, node)], node);
    }
  next = asked = ifbam_ranks_exchange_lists (questions, sizes);
  for (int r = 0; r < self->n; r++)
    for (gsize i = 0; i < sizes[r] / sizeof *next; i++)
      answer (self, *next++, data, answers[r]);
  all = ifbam_ranks_exchange_lists (answers, sizes);
  *n_bytes = total_of (self, sizes);
  return all;
}

/* ---- reading */

static guint64
node_of (const Set *set, guint32 number)
{
  return number < set->n_nodes ? set->first + number : set->outer[number - set->n_nodes];
}

/* Adds a row to the lists of the ranks that store its ends; FALSE: none do. */
static gboolean
add_to_lists (const IfbamGraphRows *self, const Set *set, const Row *row, GArray **lists)
{
  const guint64 ends[] = { node_of (set, row->left), node_of (set, row->right) };
  int last = -1;

  for (guint e = 0; e < G_N_ELEMENTS (ends); e++)
    {
      const int owner_rank = ends[e] < self->n_free ? rank_of (self, ends[e]) : -1;

      if (owner_rank >= 0 && owner_rank != last)
        g_array_append_val (lists[owner_rank], *row);
      last = MAX (last, owner_rank);
    }
  return last >= 0;
}

static const double *
values_of (const IfbamColumnsData *data, IfbamColumnsKind kind, guint column)
{
  return data->values[kind][column] == NULL ? NULL
                                            : g_variant_get_data (data->values[kind][column]);
}

static gboolean
read_piece (IfbamGraphRows *self, Set *set, guint which, guint64 from, guint64 n, GArray **lists)
{
  const IfbamColumnsBlock block = { .first_link = from, .n_links = n };
  const IfbamColumnsData *file = set->element->extra;
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (IfbamColumnsData) data =
      ifbam_columns_file_read_block (file->path, file->n_named_free, &block, faults);
  const double *values[MAX_VALUES];
  gboolean fine = data != NULL;

  for (guint v = 0; v < MAX_VALUES && fine; v++)
    {
      values[v] = values_of (data, value_of[v].kind, value_of[v].column);
      set->has[v] = values[v] != NULL;
    }
  for (guint64 i = 0; i < n && fine; i++)
    {
      Row row = { .row = (guint32) (from + i),
                  .left = data->left[i],
                  .right = data->right[i],
                  .set = (guint16) which,
                  .kinds = data->kinds[i] };

      for (guint v = 0; v < MAX_VALUES; v++)
        row.value[v] = values[v] == NULL ? 0 : values[v][i];
      fine = add_to_lists (self, set, &row, lists);
    }
  return fine;
}

gboolean
ifbam_graph_rows_read (IfbamGraphRows *self, const IfbamElement *element, const IfbamRows *rows,
                       guint64 *n)
{
  g_autofree gsize *sizes = g_new (gsize, self->n);
  gboolean fine = TRUE;
  guint which = 0;
  Set *set;

  while (set_at (self, which)->element != element)
    which++;
  set = set_at (self, which);
  set->n_links = rows->n_all;
  set->outer = g_memdup2 (rows->outer, rows->n_named_free * sizeof *rows->outer);
  /* Indices of links and nodes have 32 bits here. */
  if (set->n_links > G_MAXUINT32 / 2 || set->n_nodes + rows->n_named_free > G_MAXUINT32)
    return FALSE;
  /* Ranks read pieces in turn, so that rows arrive in order; the first pass only finds columns. */
  for (guint64 from = 0, some = 0; fine && (from < set->n_links || some == 0);
       from += some * (guint) self->n, some = PIECE)
    {
      const guint64 own = MIN (from + some * (guint) self->rank, set->n_links);
      GArray **lists = ifbam_ranks_new_lists (sizeof (Row));
      g_autofree Row *all = NULL;

      fine = ifbam_ranks_all (
          read_piece (self, set, which, own, MIN (some, set->n_links - own), lists));
      all = ifbam_ranks_exchange_lists (lists, sizes);
      add_rows (&self->rows, &self->n_rows, all, total_of (self, sizes) / sizeof *all);
    }
  set->kinds = (guint8) (set->has[0] | set->has[3] << 1);
  *n = set->n_links * (guint64) (set->has[0] + set->has[3]);
  return fine;
}

/* Returns the composite's nodes in this rank's block. */
static IfbamColumnsBlock
kept_nodes (const IfbamGraphRows *self, const Set *set)
{
  const guint64 low = MAX (self->begin, set->first);
  const guint64 high = MIN (self->end, set->first + set->n_nodes);

  return (IfbamColumnsBlock){ .first_node = low - set->first,
                              .n_nodes = high > low ? high - low : 0 };
}

static gboolean
read_nodes (const IfbamGraphRows *self, Set *set)
{
  const IfbamColumnsBlock block = kept_nodes (self, set);
  const IfbamColumnsData *file = set->element->extra;
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);

  set->kept = ifbam_columns_file_read_block (file->path, file->n_named_free, &block, faults);
  for (guint c = 0; c < IFBAM_MAX_FILE_COLUMNS && set->kept != NULL; c++)
    set->node[c] = values_of (set->kept, IFBAM_COLUMNS_MASS, c);
  return set->kept != NULL;
}

/* Indexes the rows by node. */
static void
index_rows (IfbamGraphRows *self)
{
  const gsize n = (gsize) (self->end - self->begin);

  self->start = g_new0 (guint32, n + 2);
  self->at = g_new (guint32, 2 * self->n_rows + 1);
  for (guint pass = 0; pass < 2; pass++)
    {
      for (guint32 i = 0; i < self->n_rows; i++)
        {
          const Row *row = &self->rows[i];
          const Set *set = set_at (self, row->set);
          const guint64 ends[] = { node_of (set, row->left), node_of (set, row->right) };

          for (guint e = 0; e < G_N_ELEMENTS (ends); e++)
            if (is_stored_here (self, ends[e]) && pass == 0)
              self->start[ends[e] - self->begin + 2]++;
            else if (is_stored_here (self, ends[e]))
              self->at[self->start[ends[e] - self->begin + 1]++] = i;
        }
      for (gsize k = 1; k < n + 2 && pass == 0; k++)
        self->start[k] += self->start[k - 1];
    }
}

gboolean
ifbam_graph_rows_read_node_columns (IfbamGraphRows *self)
{
  gboolean fine = self->n_rows < G_MAXUINT32 / 2;

  for (guint s = 0; s < self->sets->len; s++)
    fine = fine && read_nodes (self, set_at (self, s));
  if (!ifbam_ranks_all (fine))
    return FALSE;
  index_rows (self);
  return TRUE;
}

/* ---- neighbours */

static void
add_others (const IfbamGraphRows *self, const Row *row, guint64 node, const GArray *known,
            GArray *numbers)
{
  const Set *set = set_at (self, row->set);
  const guint64 ends[] = { node_of (set, row->left), node_of (set, row->right) };
  gsize place;

  for (guint e = 0; e < G_N_ELEMENTS (ends); e++)
    if (ends[e] != node && ends[e] < self->n_free
        && (known == NULL || !ifbam_ranges_find (known, ends[e], &place)))
      g_array_append_val (numbers, ends[e]);
}

void
ifbam_graph_rows_list (const IfbamGraphRows *self, guint64 node, const GArray *known,
                       GArray *numbers)
{
  const gsize i = (gsize) (node - self->begin);

  for (guint32 k = self->start[i]; k < self->start[i + 1]; k++)
    add_others (self, &self->rows[self->at[k]], node, known, numbers);
}

void
ifbam_graph_rows_begin (IfbamGraphRows *self)
{
  g_clear_pointer (&self->received, g_free);
  self->n_told = 0;
}

static void
reply_rows (const IfbamGraphRows *self, guint64 node, gconstpointer data, GArray *list)
{
  const gsize i = (gsize) (node - self->begin);

  (void) data;
  for (guint32 k = self->start[i]; k < self->start[i + 1]; k++)
    g_array_append_val (list, self->rows[self->at[k]]);
}

void
ifbam_graph_rows_list_neighbours (IfbamGraphRows *self, const GArray *nodes, const GArray *known,
                                  GArray *numbers)
{
  g_autoptr (GArray) is_ghost = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint i = 0; i < nodes->len; i++)
    {
      const guint64 node = g_array_index (nodes, guint64, i);

      if (is_stored_here (self, node))
        ifbam_graph_rows_list (self, node, known, numbers);
      else
        g_array_append_val (is_ghost, node);
    }
  for (guint from = 0; ifbam_ranks_any (from < is_ghost->len);
       from += MIN (PIECE, is_ghost->len - from))
    {
      g_autofree Row *rows = NULL;
      gsize size;

      rows = request (self, is_ghost, from, sizeof *rows, &size, reply_rows, NULL);
      for (gsize i = 0; i < size / sizeof *rows; i++)
        add_others (self, &rows[i], IFBAM_NO_INDEX, known, numbers);
      add_rows (&self->received, &self->n_told, rows, size / sizeof *rows);
    }
}

/* ---- subnetworks */

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const Row *one = a, *other = b;

  if (one->set != other->set)
    return one->set < other->set ? -1 : 1;
  return one->row < other->row ? -1 : one->row > other->row;
}

static int
compare_row_pointers (gconstpointer a, gconstpointer b)
{
  return compare_rows (*(const Row *const *) a, *(const Row *const *) b);
}

/* Returns the rows of a subnetwork, own and received (Row), in file order (transfer container). */
static GPtrArray *
choose_rows (IfbamGraphRows *self,
             gboolean (*keep) (gpointer data, guint64 left, guint64 right, guint n), gpointer data)
{
  GPtrArray *chosen = g_ptr_array_new ();
  g_autoptr (GPtrArray) received = g_ptr_array_new ();
  const Row *last = NULL;
  guint next = 0;

  for (gsize i = 0; i < self->n_told; i++)
    g_ptr_array_add (received, &self->received[i]);
  g_ptr_array_sort (received, compare_row_pointers);
  for (gsize own = 0; own < self->n_rows || next < received->len;)
    {
      const gboolean is_own =
          own < self->n_rows
          && (next == received->len || compare_rows (&self->rows[own], received->pdata[next]) <= 0);
      const Row *row = is_own ? &self->rows[own++] : received->pdata[next++];
      const Set *set = set_at (self, row->set);

      if ((last == NULL || compare_rows (last, row) != 0)
          && keep (data, node_of (set, row->left), node_of (set, row->right),
                   (row->kinds & 1u) + (row->kinds >> 1)))
        g_ptr_array_add (chosen, (gpointer) row);
      last = row;
    }
  return chosen;
}

static GVariant *
list_of (double *values, gsize n)
{
  return g_variant_ref_sink (g_variant_new_from_data (G_VARIANT_TYPE ("ad"), values,
                                                      n * sizeof *values, TRUE, g_free, values));
}

static void
take_links (const Set *set, const GPtrArray *chosen, guint begin, guint n, IfbamColumnsData *data)
{
  const Row *const *rows = n == 0 ? NULL : (const Row *const *) &chosen->pdata[begin];
  IfbamRowsPart *part = data->part;

  part->n_links = n;
  part->kinds = set->kinds;
  data->left = g_new (guint32, n + 1);
  data->right = g_new (guint32, n + 1);
  data->kinds = g_new (guint8, n + 1);
  for (guint i = 0; i < n; i++)
    {
      data->left[i] = rows[i]->left;
      data->right[i] = rows[i]->right;
      data->kinds[i] = rows[i]->kinds;
      ifbam_ranges_append (part->links, rows[i]->row, 1);
    }
  for (guint v = 0; v < MAX_VALUES; v++)
    {
      double *values = set->has[v] ? g_new (double, n + 1) : NULL;

      for (guint i = 0; i < n && values != NULL; i++)
        values[i] = rows[i]->value[v];
      if (values != NULL)
        data->values[value_of[v].kind][value_of[v].column] = list_of (values, n);
    }
}

static void
reply_values (const IfbamGraphRows *self, guint64 node, gconstpointer data, GArray *list)
{
  const Set *set = data;
  const gsize i = (gsize) (node - MAX (self->begin, set->first));

  for (guint c = 0; c < IFBAM_MAX_FILE_COLUMNS; c++)
    if (set->node[c] != NULL)
      g_array_append_val (list, set->node[c][i]);
}

/* Stores columns of a composite's nodes in the subnetwork (values, in its order); collective. */
static void
fill_values (const IfbamGraphRows *self, const Set *set, const GArray *nodes,
             double *values[IFBAM_MAX_FILE_COLUMNS])
{
  g_autoptr (GArray) is_ghost = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize n = 0;

  for (guint r = 0; r < nodes->len; r++)
    {
      const IfbamRange *range = &g_array_index (nodes, IfbamRange, r);

      for (guint64 i = 0; i < range->count; i++, n++)
        {
          const guint64 node = set->first + range->first + i;
          const gsize own = (gsize) (node - MAX (self->begin, set->first));

          for (guint c = 0; c < IFBAM_MAX_FILE_COLUMNS && is_stored_here (self, node); c++)
            if (values[c] != NULL)
              values[c][n] = set->node[c][own];
          if (is_stored_here (self, node))
            continue;
          g_array_append_val (is_ghost, node);
          g_array_append_val (places, n);
        }
    }
  for (guint from = 0, next = 0; ifbam_ranks_any (from < is_ghost->len);
       from += MIN (PIECE, is_ghost->len - from))
    {
      g_autofree double *received = NULL;
      const double *value;
      gsize size;

      value = received = request (self, is_ghost, from, sizeof *received, &size, reply_values, set);
      for (; next < MIN (from + PIECE, is_ghost->len); next++)
        for (guint c = 0; c < IFBAM_MAX_FILE_COLUMNS; c++)
          if (values[c] != NULL)
            values[c][g_array_index (places, gsize, next)] = *value++;
    }
}

static void
take_nodes (const IfbamGraphRows *self, const Set *set, const GArray *nodes, IfbamColumnsData *data)
{
  IfbamRowsPart *part = data->part;
  double *values[IFBAM_MAX_FILE_COLUMNS] = { NULL };
  guint r = ifbam_ranges_bound (nodes, set->first);

  for (IfbamRange own;
       ifbam_ranges_next_within (nodes, set->first, set->first + set->n_nodes, &r, &own);)
    ifbam_ranges_append (part->nodes, own.first - set->first, own.count);
  part->n_nodes = ifbam_ranges_count (part->nodes);
  for (guint c = 0; c < IFBAM_MAX_FILE_COLUMNS; c++)
    values[c] = set->node[c] == NULL ? NULL : g_new (double, part->n_nodes + 1);
  fill_values (self, set, part->nodes, values);
  for (guint c = 0; c < IFBAM_MAX_FILE_COLUMNS; c++)
    if (values[c] != NULL)
      data->values[IFBAM_COLUMNS_MASS][c] = list_of (values[c], part->n_nodes);
}

GPtrArray *
ifbam_graph_rows_take (IfbamGraphRows *self, const GArray *nodes,
                       gboolean (*keep) (gpointer data, guint64 left, guint64 right, guint n),
                       gpointer data)
{
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify) ifbam_columns_data_free);
  g_autoptr (GPtrArray) rows = choose_rows (self, keep, data);
  guint begin = 0, end = 0;

  for (guint s = 0; s < self->sets->len; s++, begin = end)
    {
      const Set *set = set_at (self, s);
      IfbamColumnsData *own = ifbam_columns_part_new (set->element->extra);

      while (end < rows->len && ((const Row *) rows->pdata[end])->set == s)
        end++;
      take_links (set, rows, begin, end - begin, own);
      take_nodes (self, set, nodes, own);
      g_ptr_array_add (columns, own);
    }
  ifbam_graph_rows_begin (self);
  return columns;
}

void
ifbam_graph_rows_set_columns (IfbamGraphRows *self, GPtrArray *columns)
{
  g_ptr_array_set_free_func (columns, NULL);
  for (guint s = 0; s < self->sets->len; s++)
    ifbam_columns_take (set_at (self, s)->element, columns->pdata[s]);
  g_ptr_array_set_size (columns, 0);
}
