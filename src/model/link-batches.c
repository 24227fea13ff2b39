/* link-batches.c: sorts a model's links into batches and runs, and sets the nodes' ports
 *
 * The order of storage is for speed: links that can be read at stride one are contiguous. The order
 * of summation is that of the file: a node's ports list slots in file order. So results do not
 * depend on the order of storage.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "model/compiled-model.h"

/* Shorter runs are not worth a call. */
#define SHORTEST_RUN 16

typedef struct
{
  guint32 owner, link; /* link: index in file order */
} Owned;

typedef struct
{
  IfbamModel *model;
  const guint32 *left, *right, *inner; /* by file order */
  guint16 *batch_of;                   /* by file order */
  guint8 *moving;                      /* of given nodes (n_nodes - n_free) */
  gsize *batch_links;                  /* links per batch (batches) */
} Wiring;

/* Batches */

static guint
batch_for (IfbamModel *model, const IfbamElementInfo *info, guint points)
{
  IfbamBatch batch = { .info = info,
                       .law = info->link,
                       .kernels = &info->link->kernels[points - 1],
                       .points = points,
                       .n_numbers = info->link->ends != NULL && !info->link->own_length
                                        ? info->link->first_of_ends
                                        : (guint) (info->law_size / sizeof (double)) };

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *old = &g_array_index (model->batches, IfbamBatch, b);

      if (old->info == info && old->points == points)
        return b;
    }
  g_array_append_val (model->batches, batch);
  return model->batches->len - 1;
}

static void
count_batches (Wiring *wiring)
{
  IfbamModel *model = wiring->model;

  for (guint s = 0; s < model->link_spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (model->link_spans, IfbamSpan, s);
      double law[IFBAM_MAX_LAW];
      const guint32 own = ifbam_span_common_law (span, law);
      guint batch = 0, last = 0; /* points of the previous link, at least 1 */

      for (gsize i = 0; i < span->count; i++)
        {
          guint points;

          ifbam_span_own_law (span, own, i, law);
          points = span->info->link->points (law);
          if (points != last)
            batch = batch_for (model, span->info, points);
          last = points;
          wiring->batch_of[span->first + span->phase + i * span->stride] = (guint16) batch;
          g_array_index (model->batches, IfbamBatch, batch).count++;
        }
    }
  wiring->batch_links = g_new (gsize, model->batches->len + 1);
  for (guint b = 0; b < model->batches->len; b++)
    wiring->batch_links[b] = g_array_index (model->batches, IfbamBatch, b).count;
}

/* Returns zeroed doubles at their offset in a page. Zeroed memory that is never written uses no
 * pages: a parameter that is 0 in all links is free. *owned: to be freed. */
static double *
aligned_doubles (gsize n, gpointer *owned)
{
  char *place = g_malloc0 ((n + IFBAM_PAGE_PLACE (1)) * sizeof (double) + IFBAM_PAGE);

  *owned = place;
  return (double *) (gpointer) (place + (-(guintptr) place & (IFBAM_PAGE - 1)))
         + IFBAM_PAGE_PLACE (1);
}

/* Allocates `count` slots, after those of the batches before. */
static void
make_room (IfbamModel *model, IfbamBatch *batch, gsize count)
{
  batch->first_slot = (model->n_slots + IFBAM_LINE - 1) / IFBAM_LINE * IFBAM_LINE;
  batch->count = count;
  model->n_slots = batch->first_slot + count;
  batch->left = g_new0 (guint32, count + 1);
  batch->right = g_new0 (guint32, count + 1);
  for (guint k = 0; k < batch->law->n_states; k++)
    batch->state[k] = g_new0 (guint32, count + 1);
  batch->parameters = g_new (double *, batch->n_numbers);
  batch->owned = g_new (gpointer, batch->n_numbers);
  for (guint k = 0; k < batch->n_numbers; k++)
    batch->parameters[k] = aligned_doubles (count, &batch->owned[k]);
}

/* Owners */
static int
compare_owned (const void *a, const void *b)
{
  const Owned *one = a, *other = b;

  if (one->owner != other->owner)
    return one->owner < other->owner ? -1 : 1;
  return one->link < other->link ? -1 : one->link > other->link;
}

/* Sorts by owner, then file order; most files have this order already. */
static void
sort_owned (GArray *owned)
{
  const Owned *items = (const Owned *) (gpointer) owned->data;

  for (guint i = 1; i < owned->len; i++)
    if (compare_owned (&items[i - 1], &items[i]) > 0)
      {
        qsort (owned->data, owned->len, sizeof (Owned), compare_owned);
        return;
      }
}

typedef enum
{
  BETWEEN_FREE,
  TO_FIXED,
  DRIVEN,
  IDLE,
} LinkPlace;

static LinkPlace
link_place (const Wiring *wiring, const IfbamBatch *batch, guint32 left, guint32 right)
{
  const gsize n_free = wiring->model->n_free;
  const guint32 high = MAX (left, right), low = MIN (left, right);

  if (high < n_free)
    return BETWEEN_FREE;
  /* Between given nodes a link has an effect only on its states. */
  if (low >= n_free && batch->law->n_states == 0)
    return IDLE;
  return wiring->moving[high - n_free] || (low >= n_free && wiring->moving[low - n_free])
             ? DRIVEN
             : TO_FIXED;
}

/* Slots */

static guint32
state_node (const Wiring *wiring, guint32 link, guint state)
{
  return (guint32) ifbam_model_free_node (wiring->model, wiring->inner[link] + state);
}

/* Returns a link's lowest node; raises the bandwidth to its distance to the highest. */
static guint32
find_owner (const Wiring *wiring, const IfbamBatch *batch, guint32 link)
{
  IfbamModel *model = wiring->model;
  guint32 node[2 + IFBAM_MAX_STATES] = { wiring->left[link], wiring->right[link] };
  guint32 lowest = IFBAM_NO_NODE, highest = 0;

  for (guint k = 0; k < batch->law->n_states; k++)
    node[2 + k] = state_node (wiring, link, k);
  for (guint e = 0; e < 2 + batch->law->n_states; e++)
    {
      lowest = MIN (lowest, node[e]);
      if (node[e] < model->n_free)
        highest = MAX (highest, node[e]);
    }
  if (highest > lowest)
    model->bandwidth = MAX (model->bandwidth, highest - lowest);
  return lowest;
}

static void
put_link (Wiring *wiring, IfbamBatch *batch, gsize index, guint32 link)
{
  batch->left[index] = wiring->left[link];
  batch->right[index] = wiring->right[link];
  for (guint k = 0; k < batch->law->n_states; k++)
    batch->state[k][index] = state_node (wiring, link, k);
  wiring->model->link_slot[link] = (guint32) (batch->first_slot + index);
}

static gsize
put_all (Wiring *wiring, IfbamBatch *batch, gsize index, GArray *owned)
{
  sort_owned (owned);
  for (guint i = 0; i < owned->len; i++)
    put_link (wiring, batch, index++, g_array_index (owned, Owned, i).link);
  return index;
}

/* Cuts links of one distance into runs, indexed later; appends the others to the residue. */
static GArray *
cut_runs (GArray *owned, GArray *residue)
{
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (IfbamLinkRun));

  sort_owned (owned);
  for (guint i = 0, end; i < owned->len; i = end)
    {
      const Owned *items = (const Owned *) (gpointer) owned->data;
      IfbamLinkRun run = { .owner = items[i].owner, .first = i };

      for (end = i + 1; end < owned->len && items[end].owner == items[end - 1].owner + 1;)
        end++;
      run.n = end - i;
      if (run.n >= SHORTEST_RUN)
        g_array_append_val (runs, run);
      else
        g_array_append_vals (residue, &items[i], (guint) run.n);
    }
  return runs;
}

/* Links of one distance of node indices. */
typedef struct
{
  GArray *owned, *runs;
} Distance;

static GArray *
distance_links (GHashTable *by_distance, GPtrArray *distances, gint64 distance)
{
  Distance *found = g_hash_table_lookup (by_distance, &distance);

  if (found == NULL)
    {
      found = g_new0 (Distance, 1);
      found->owned = g_array_new (FALSE, FALSE, sizeof (Owned));
      g_hash_table_insert (by_distance, g_memdup2 (&distance, sizeof distance), found);
      g_ptr_array_add (distances, found);
    }
  return found->owned;
}

/* With more distances runs are not worth searching. */
#define MAX_DISTANCES 4096

static void
place_batch (Wiring *wiring, guint number, const guint32 *links)
{
  IfbamModel *model = wiring->model;
  IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, number);
  g_autoptr (GHashTable) by_distance =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GPtrArray) distances = g_ptr_array_new ();
  g_autoptr (GArray) residue = g_array_new (FALSE, FALSE, sizeof (Owned));
  g_autoptr (GArray) driven = g_array_new (FALSE, FALSE, sizeof (Owned));
  g_autoptr (GArray) idle = g_array_new (FALSE, FALSE, sizeof (Owned));
  GArray *last_links = NULL;
  gint64 last_distance = 0;
  gsize index, n_runs = 0, stride;

  for (gsize i = 0; i < wiring->batch_links[number]; i++)
    {
      const guint32 left = wiring->left[links[i]], right = wiring->right[links[i]];
      const gint64 distance = (gint64) right - (gint64) left;
      Owned owned = { find_owner (wiring, batch, links[i]), links[i] };

      switch (link_place (wiring, batch, left, right))
        {
        case BETWEEN_FREE:
          if (last_links == NULL || distance != last_distance)
            {
              /* State nodes are unordered: such links are looked up. */
              last_links = batch->law->n_states == 0
                                   && (distances->len < MAX_DISTANCES
                                       || g_hash_table_contains (by_distance, &distance))
                               ? distance_links (by_distance, distances, distance)
                               : residue;
              last_distance = distance;
            }
          g_array_append_val (last_links, owned);
          break;
        case TO_FIXED:
          g_array_append_val (residue, owned);
          break;
        case DRIVEN:
          g_array_append_val (driven, owned);
          break;
        case IDLE:
          g_array_append_val (idle, owned);
          break;
        }
    }
  for (guint d = 0; d < distances->len; d++)
    {
      Distance *distance = distances->pdata[d];

      distance->runs = cut_runs (distance->owned, residue);
      if (distance->runs->len > 0)
        batch->n_groups++;
      n_runs += distance->runs->len;
    }
  make_room (model, batch, wiring->batch_links[number] + n_runs * (IFBAM_LINE - 1));
  batch->groups = g_new0 (IfbamRunGroup, batch->n_groups + 1);
  batch->n_groups = 0;
  index = put_all (wiring, batch, 0, residue);
  batch->n_residue = index;
  for (guint d = 0; d < distances->len; d++)
    {
      Distance *distance = distances->pdata[d];

      for (guint r = 0; r < distance->runs->len; r++)
        {
          IfbamLinkRun *run = &g_array_index (distance->runs, IfbamLinkRun, r);
          gsize first = run->first;

          /* Links are aligned like their owners, so that tiles write whole cache lines. */
          index += (run->owner - index) % IFBAM_LINE;
          run->first = index;
          for (gsize i = 0; i < run->n; i++)
            put_link (wiring, batch, index++,
                      g_array_index (distance->owned, Owned, first + i).link);
          run->left = batch->left[run->first];
          run->right = batch->right[run->first];
        }
      g_array_unref (distance->owned);
      if (distance->runs->len > 0)
        {
          IfbamRunGroup *group = &batch->groups[batch->n_groups++];

          group->n_runs = distance->runs->len;
          group->runs = (IfbamLinkRun *) (gpointer) g_array_free (distance->runs, FALSE);
        }
      else
        g_array_unref (distance->runs);
      g_free (distance);
    }
  batch->first_driven = index;
  batch->first_idle = index = put_all (wiring, batch, index, driven);
  batch->count = put_all (wiring, batch, index, idle);
  stride = (batch->count + IFBAM_LINE - 1) / IFBAM_LINE * IFBAM_LINE;
  batch->far_slot = batch->first_slot + (batch->law->geometry->scaled ? stride : 0);
  model->n_slots = batch->far_slot + batch->count;
  for (guint k = 0; k < batch->law->n_states; k++)
    {
      batch->state_slot[k] = batch->far_slot + (k + 1) * stride;
      model->n_slots = batch->state_slot[k] + batch->count;
    }
}

/* Sorts the links into batches, in file order. */
static void
place_links (Wiring *wiring)
{
  IfbamModel *model = wiring->model;
  g_autofree guint32 *links = g_new (guint32, model->n_links + 1);
  g_autofree gsize *next = g_new0 (gsize, model->batches->len + 2);

  for (guint b = 0; b < model->batches->len; b++)
    next[b + 1] = next[b] + wiring->batch_links[b];
  for (gsize i = 0; i < model->n_links; i++)
    links[next[wiring->batch_of[i]]++] = (guint32) i;
  model->link_slot = g_new (guint32, model->n_links + 1);
  for (guint b = 0; b < model->batches->len; b++)
    place_batch (wiring, b, links + (b == 0 ? 0 : next[b - 1]));
}

/* Allocates slots for the states of unbatched links. */
static void
allocate_state_slots (IfbamModel *model)
{
  for (guint j = 0; j < model->unbatched_links->len; j++)
    {
      IfbamLink *link = &g_array_index (model->unbatched_links, IfbamLink, j);

      link->state_slot = model->n_slots;
      model->n_slots += link->place == 0 ? link->n_states : 0;
    }
}

/* Returns TRUE for zero bytes. (A number of a law can be a pointer, so its value is not used.) */
static gboolean
is_blank (double number)
{
  static const double zero = 0.0;

  return memcmp (&number, &zero, sizeof zero) == 0;
}

static void
fill_parameters (IfbamModel *model, const guint16 *batch_of)
{
  for (guint s = 0; s < model->link_spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (model->link_spans, IfbamSpan, s);
      double law[IFBAM_MAX_LAW];
      const guint32 own = ifbam_span_common_law (span, law);

      for (gsize i = 0; i < span->count; i++)
        {
          gsize link = span->first + span->phase + i * span->stride;
          const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, batch_of[link]);
          gsize index = model->link_slot[link] - batch->first_slot;

          ifbam_span_own_law (span, own, i, law);
          for (guint k = 0; k < batch->n_numbers; k++)
            if (!is_blank (law[k]))
              batch->parameters[k][index] = law[k];
        }
    }
}

/* Gaps get the law of the next link: kernels compute gaps, too, and not every law allows zeros. */
static void
fill_gaps (IfbamModel *model)
{
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (guint g = 0; g < batch->n_groups; g++)
        for (gsize r = 0; r < batch->groups[g].n_runs; r++)
          {
            const gsize first = batch->groups[g].runs[r].first;

            for (gsize i = first; i > 0 && ifbam_batch_is_gap (batch, i - 1); i--)
              for (guint k = 0; k < batch->n_numbers; k++)
                if (!is_blank (batch->parameters[k][first]))
                  batch->parameters[k][i - 1] = batch->parameters[k][first];
          }
    }
}

/* Sets ports in file order: links first, as the file joins them, then sources. */
static void
connect_ports (const Wiring *wiring)
{
  IfbamModel *model = wiring->model;
  const guint32 *left = wiring->left, *right = wiring->right;
  g_autofree guint32 *next = NULL;

  model->port_start = g_new0 (guint32, model->n_nodes + 1);
  model->port = g_new (guint32, 2 * model->n_links + model->n_state_nodes + model->n_sources + 1);
  for (gsize i = 0; i < model->n_links; i++)
    {
      model->port_start[left[i] + 1]++;
      model->port_start[right[i] + 1]++;
    }
  for (gsize i = ifbam_model_n_named_free (model); i < model->n_free; i++)
    model->port_start[ifbam_model_free_node (model, i) + 1]++;
  for (gsize i = 0; i < model->n_sources; i++)
    model->port_start[model->source_node[i] + 1]++;
  for (gsize i = 0; i < model->n_nodes; i++)
    model->port_start[i + 1] += model->port_start[i];
  next = g_memdup2 (model->port_start, model->n_nodes * sizeof (guint32));
  for (gsize i = 0; i < model->n_links; i++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, wiring->batch_of[i]);
      const guint32 slot = model->link_slot[i];

      /* The ends get -J^T F; J is 1 at the left. */
      model->port[next[left[i]]++] = slot << 1 | 1;
      model->port[next[right[i]]++] = (guint32) (batch->far_slot + (slot - batch->first_slot)) << 1;
      for (guint k = 0; k < batch->law->n_states; k++)
        model->port[next[batch->state[k][slot - batch->first_slot]]++] =
            (guint32) (batch->state_slot[k] + (slot - batch->first_slot)) << 1;
    }
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    for (guint k = 0; k < link->n_states && link->place == 0; k++)
      model->port[next[link->node[link->n_ports + k]]++] = (guint32) (link->state_slot + k) << 1;
  for (gsize i = 0; i < model->n_sources; i++)
    model->port[next[model->source_node[i]]++] = (guint32) (model->n_slots + i) << 1;
}

/* Node runs */

static guint
degree_of (const IfbamModel *model, gsize node)
{
  return model->port_start[node + 1] - model->port_start[node];
}

/* Returns TRUE if a node's ports are those of the node before, one slot further. */
static gboolean
continues_run (const IfbamModel *model, gsize node)
{
  const guint32 *now = model->port + model->port_start[node];
  const guint32 *before = model->port + model->port_start[node - 1];
  const guint degree = degree_of (model, node);

  if (degree != degree_of (model, node - 1) || degree == 0 || degree > IFBAM_MAX_RUN_PORTS)
    return FALSE;
  for (guint p = 0; p < degree; p++)
    if (now[p] != before[p] + 2)
      return FALSE;
  return TRUE;
}

static void
add_node_run (IfbamModel *model, gsize first, gsize n)
{
  IfbamNodeRun run = { .first = first, .n = n, .degree = degree_of (model, first) };
  IfbamNodeRun *last = model->node_runs->len == 0 ? NULL
                                                  : &g_array_index (model->node_runs, IfbamNodeRun,
                                                                    model->node_runs->len - 1);
  const guint32 *port = model->port + model->port_start[first];

  if (n < SHORTEST_RUN)
    run.degree = 0;
  for (guint p = 0; p < IFBAM_MAX_RUN_PORTS; p++)
    {
      run.slot[p] = p < run.degree ? port[p] >> 1 : 0;
      run.sign[p] = p < run.degree && port[p] & 1 ? -1.0 : 1.0;
    }
  if (last != NULL && last->degree == 0 && run.degree == 0)
    last->n += n;
  else
    g_array_append_val (model->node_runs, run);
}

static void
find_node_runs (IfbamModel *model)
{
  for (gsize first = 0, end; first < model->n_free; first = end)
    {
      for (end = first + 1; end < model->n_free && continues_run (model, end);)
        end++;
      add_node_run (model, first, end - first);
    }
}

static int
compare_sources (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint32 *node = data;
  const guint32 one = *(const guint32 *) a, other = *(const guint32 *) b;

  if (node[one] != node[other])
    return node[one] < node[other] ? -1 : 1;
  return one < other ? -1 : one > other;
}

/* Returns the indices of fields, or of time-dependent sources, by node. */
static guint32 *
sort_sources (const IfbamModel *model, gboolean fields, gsize *n)
{
  guint32 *sorted = g_new (guint32, model->n_sources + 1);

  *n = 0;
  for (gsize i = 0; i < model->n_sources; i++)
    if (fields ? ifbam_model_is_field (model, i) : !ifbam_model_source_of (model, i)->info->fixed)
      sorted[(*n)++] = (guint32) i;
  if (*n > 0)
    g_qsort_with_data (sorted, (gint) *n, sizeof (guint32), compare_sources, model->source_node);
  return sorted;
}

void
ifbam_model_connect (IfbamModel *model, const guint32 *left, const guint32 *right,
                     const guint32 *inner)
{
  g_autofree guint16 *batch_of = g_new (guint16, model->n_links + 1);
  g_autofree guint8 *moving = g_new0 (guint8, model->n_nodes - model->n_free + 1);
  Wiring wiring = { model, left, right, inner, batch_of, moving, NULL };

  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      gsize member;

      moving[i - model->n_free] = !ifbam_model_node_span (model, i, &member)->info->fixed;
    }
  count_batches (&wiring);
  place_links (&wiring);
  allocate_state_slots (model);
  fill_parameters (model, batch_of);
  fill_gaps (model);
  connect_ports (&wiring);
  find_node_runs (model);
  g_free (wiring.batch_links);
  model->varying = sort_sources (model, FALSE, &model->n_varying);
  model->fields = sort_sources (model, TRUE, &model->n_fields);
}
