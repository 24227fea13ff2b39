/* compile-links.c: links between nodes, for batches, and the order of links
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compile-links.h"

#include "model/compile-storage.h"
#include "model/compile-names.h"

/* Finds a link's nodes, left and right. FALSE after an issue. */
static gboolean
find_ends (IfbamCompiler *compiler, IfbamElement *element, guint32 end[2])
{
  const gboolean one_ended = ifbam_element_is_one_ended (element->info);
  char *const *names =
      ifbam_element_slots (element)[one_ended ? IFBAM_SLOT_ON : IFBAM_SLOT_BETWEEN];

  if (names == NULL || g_strv_length ((char **) names) != (one_ended ? 1 : 2))
    return FALSE; /* reported already */
  if (one_ended)
    {
      end[0] = ifbam_compiler_find_free_node (compiler, element, names[0]);
      end[1] = ifbam_compiler_element_index (compiler, compiler->model->rest)->index;
      if (end[0] < IFBAM_ELSEWHERE)
        ifbam_compiler_claim_domain (compiler, element, "on", end[0], element->info);
      return end[0] < IFBAM_ELSEWHERE;
    }
  for (guint e = 0; e < 2; e++)
    end[e] = ifbam_compiler_find_node (compiler, element, "between",
                                       names[element->info->backward ? 1 - e : e]);
  if (MAX (end[0], end[1]) >= IFBAM_ELSEWHERE)
    return FALSE;
  if (end[0] == end[1])
    {
      ifbam_compiler_add_issue (
          compiler, element, "between",
          g_strdup_printf ("both ends are on \"%s\" (a link joins two nodes)", names[0]));
      return FALSE;
    }
  for (guint e = 0; e < 2; e++)
    ifbam_compiler_claim_domain (compiler, element, "between", end[e], element->info);
  return TRUE;
}

void
ifbam_compiler_check_length (IfbamCompiler *compiler, IfbamElement *element, const IfbamLink *link)
{
  const int length = ifbam_element_param_index (element->info, "length");
  const gboolean own = element->info->link->own_length;

  if (element->info->link->ends != NULL && length >= 0
      && ifbam_element_is_set (element, (guint) length) != own
      && (link == NULL || (link->geometry != NULL && link->geometry != element->info->link->ends)))
    ifbam_compiler_add_issue (
        compiler, element, "length",
        g_strdup (own ? "is missing (its ends are on a line, where the start does not determine it)"
                      : "its ends are on a line, where their positions determine the "
                        "compression (leave it out)"));
}

void
ifbam_compiler_add_link (IfbamCompiler *compiler, IfbamElement *element)
{
  IfbamSubnetwork *subnetwork = ifbam_model_subnetwork (compiler->model);
  guint32 end[2];
  IfbamSpan span = {
    .first = compiler->left->len, .count = 1, .stride = 1, .info = element->info, .element = element
  };

  /* Batches copy the law. */
  span.law = ifbam_element_prepares_law (element->info)
                 ? ifbam_compiler_copy_law (compiler, element)
                 : ifbam_element_law (element);
  if (!find_ends (compiler, element, end))
    return;
  ifbam_compiler_check_length (compiler, element, NULL);
  ifbam_compiler_element_index (compiler, element)->index = (guint32) span.first;
  g_array_append_val (compiler->left, end[0]);
  g_array_append_val (compiler->right, end[1]);
  if (element->info->link->n_states > 0)
    {
      g_array_set_size (compiler->inner, compiler->left->len);
      g_array_index (compiler->inner, guint32, span.first) = compiler->next_state_node;
    }
  g_array_append_val (compiler->model->link_spans, span);
  if (subnetwork != NULL)
    ifbam_ranges_append (subnetwork->links, subnetwork->link[element->id], 1);
}

/* Joins two neighbours of a path by n_kinds links. */
static void
join_neighbours (IfbamCompiler *compiler, guint n_kinds, guint32 left, guint32 right)
{
  for (guint k = 0; k < n_kinds; k++)
    {
      g_array_append_val (compiler->left, left);
      g_array_append_val (compiler->right, right);
    }
}

/* Adds spans for a path's links from first_link on; first: index along the path. */
static void
add_piece (IfbamCompiler *compiler, const IfbamSpan *families, guint n_kinds, gsize first_link,
           guint64 first)
{
  IfbamSubnetwork *subnetwork = ifbam_model_subnetwork (compiler->model);
  const gsize count = (compiler->left->len - first_link) / n_kinds;

  for (guint k = 0; k < n_kinds && count > 0; k++)
    {
      IfbamSpan span = families[k];

      span.first = first_link;
      span.count = count;
      span.offset = first;
      g_array_append_val (compiler->model->link_spans, span);
    }
  if (subnetwork != NULL)
    ifbam_ranges_append (subnetwork->links, families->first + first * n_kinds, count * n_kinds);
}

/* Joins the nodes of a path in the subnetwork: head and first, inner pieces, last and tail. */
static void
add_pieces (IfbamCompiler *compiler, const IfbamSpan *families, guint n_kinds,
            const IfbamPath *path)
{
  const IfbamModel *model = compiler->model;
  const guint64 end = path->first + path->count;
  const guint headed = path->head != IFBAM_NO_INDEX;
  const guint32 head = headed ? ifbam_model_file_node (model, path->head) : IFBAM_NO_NODE;
  const guint32 tail =
      path->tail != IFBAM_NO_INDEX ? ifbam_model_file_node (model, path->tail) : IFBAM_NO_NODE;
  const GArray *ranges = ifbam_model_subnetwork (model)->nodes;
  guint r = ifbam_ranges_bound (ranges, path->first);

  for (IfbamRange part; ifbam_ranges_next_within (ranges, path->first, end, &r, &part);)
    {
      const guint32 place = (guint32) part.place;
      const gsize first_link = compiler->left->len;
      const gboolean from_head = part.first == path->first && head != IFBAM_NO_NODE;

      if (from_head)
        join_neighbours (compiler, n_kinds, head, place);
      for (guint32 i = 1; i < part.count; i++)
        join_neighbours (compiler, n_kinds, place + i - 1, place + i);
      if (part.first + part.count == end && tail != IFBAM_NO_NODE)
        join_neighbours (compiler, n_kinds, place + (guint32) part.count - 1, tail);
      add_piece (compiler, families, n_kinds, first_link,
                 from_head ? 0 : part.first - path->first + headed);
    }
}

/* Joins all nodes of a path. */
static void
add_whole (IfbamCompiler *compiler, const IfbamSpan *families, guint n_kinds, const IfbamPath *path)
{
  const gboolean tailed = path->tail != IFBAM_NO_INDEX;
  const gsize first = compiler->left->len;
  guint32 previous = (guint32) (path->head != IFBAM_NO_INDEX ? path->head : path->first);

  g_array_set_size (compiler->left, (guint) (first + families->count * n_kinds));
  g_array_set_size (compiler->right, compiler->left->len);
  for (gsize i = path->head != IFBAM_NO_INDEX ? 0 : 1, link = first; i < path->count + tailed; i++)
    {
      const guint32 next = (guint32) (i < path->count ? path->first + i : path->tail);

      for (guint k = 0; k < n_kinds; k++, link++)
        {
          g_array_index (compiler->left, guint32, link) = previous;
          g_array_index (compiler->right, guint32, link) = next;
        }
      previous = next;
    }
  add_piece (compiler, families, n_kinds, first, 0);
}

static void
claim_path_end (IfbamCompiler *compiler, IfbamElement *owner, const char *key, guint64 number,
                const IfbamElementInfo *info)
{
  const guint32 node =
      number == IFBAM_NO_INDEX ? IFBAM_NO_NODE : ifbam_model_file_node (compiler->model, number);

  if (node != IFBAM_NO_NODE)
    ifbam_compiler_claim_domain (compiler, owner, key, node, info);
}

void
ifbam_compiler_add_path (IfbamCompiler *compiler, IfbamElement *owner, const IfbamMember *kinds,
                         guint n_kinds, const IfbamPath *path)
{
  const IfbamSubnetwork *subnetwork = ifbam_model_subnetwork (compiler->model);
  const gsize n =
      (gsize) path->count + (path->head != IFBAM_NO_INDEX) + (path->tail != IFBAM_NO_INDEX);
  IfbamSpan family[IFBAM_MAX_KINDS];

  if (n < 2)
    return;
  for (guint k = 0; k < n_kinds; k++)
    {
      family[k] = (IfbamSpan){ .first = subnetwork == NULL ? compiler->left->len
                                                           : (gsize) subnetwork->link[owner->id],
                               .count = n - 1,
                               .stride = n_kinds,
                               .phase = k,
                               .info = kinds[k].info,
                               .element = owner,
                               .letter = kinds[k].letter };
      family[k].series = ifbam_compiler_own_series (compiler, &kinds[k]);
      family[k].overrides = ifbam_compiler_own_overrides (compiler, kinds[k].overrides);
      g_array_append_val (compiler->model->link_families, family[k]);
      claim_path_end (compiler, owner, "from", path->head, kinds[k].info);
      claim_path_end (compiler, owner, "to", path->tail, kinds[k].info);
    }
  if (subnetwork == NULL)
    add_whole (compiler, family, n_kinds, path);
  else
    add_pieces (compiler, family, n_kinds, path);
}

/* Returns the index in the file of a node of a row. */
static guint64
row_node (const IfbamRows *rows, guint32 number)
{
  return number < rows->n_nodes ? rows->first + number : rows->outer[number - rows->n_nodes];
}

/* Sets the indices in the file of the links of rows. */
static void
number_rows (IfbamCompiler *compiler, const IfbamElement *owner, const IfbamRows *rows)
{
  IfbamSubnetwork *subnetwork = ifbam_model_subnetwork (compiler->model);
  const GArray *ranges = rows->part->links;
  const guint stride = (rows->part->kinds & 1) + (rows->part->kinds >> 1);
  const guint8 *kinds = rows->kinds;

  for (guint r = 0; r < ranges->len; r++)
    {
      const IfbamRange *range = &g_array_index (ranges, IfbamRange, r);

      for (guint64 row = range->first; row < range->first + range->count; row++, kinds++)
        for (guint k = 0; k < IFBAM_MAX_KINDS; k++)
          if (*kinds >> k & 1)
            ifbam_ranges_append (subnetwork->links,
                                 subnetwork->link[owner->id] + row * stride + k % stride, 1);
    }
}

/* Adds the family of the rows of the file: each row takes one link index per kind. */
static void
add_row_family (IfbamCompiler *compiler, IfbamSpan family, guint kind, const IfbamRows *rows)
{
  IfbamModel *model = compiler->model;

  family.rows = NULL;
  family.first = (gsize) ifbam_model_subnetwork (model)->link[family.element->id];
  family.count = (gsize) rows->n_all;
  family.stride = (rows->part->kinds & 1) + (rows->part->kinds >> 1);
  family.phase = kind % family.stride;
  g_array_append_val (model->link_families, family);
}

void
ifbam_compiler_add_rows (IfbamCompiler *compiler, IfbamElement *owner, const IfbamMember *kinds,
                         const IfbamRows *rows)
{
  const IfbamModel *model = compiler->model;
  const IfbamRowsPart *part = ifbam_model_subnetwork (model) == NULL ? NULL : rows->part;
  guint8 seen = part == NULL ? 0 : part->kinds;
  IfbamSpan family[IFBAM_MAX_KINDS];

  for (guint64 i = 0; i < rows->n; i++)
    seen |= rows->kinds[i];
  for (guint k = 0; k < IFBAM_MAX_KINDS; k++)
    {
      family[k] = (IfbamSpan){ .info = kinds[k].info, .element = owner, .letter = kinds[k].letter };
      if ((seen >> k & 1) == 0)
        continue;
      family[k].series = ifbam_compiler_own_series (compiler, &kinds[k]);
      family[k].rows = ifbam_compiler_own_rows (compiler, part == NULL ? NULL : part->links);
      if (part != NULL)
        add_row_family (compiler, family[k], k, rows);
      for (guint o = 0; o < rows->n_named_free; o++)
        claim_path_end (compiler, owner, "outer", rows->outer[o], kinds[k].info);
    }
  if (part != NULL)
    number_rows (compiler, owner, rows);
  /* Rows of the same kinds form one span, or two interleaved ones. */
  for (guint64 from = 0, to; from < rows->n; from = to)
    {
      const guint8 both = rows->kinds[from];
      const guint stride = (both & 1) + (both >> 1);
      const gsize first = compiler->left->len;

      for (to = from; to < rows->n && rows->kinds[to] == both; to++)
        for (guint k = 0; k < stride; k++)
          {
            const guint32 left = ifbam_model_file_node (model, row_node (rows, rows->left[to]));
            const guint32 right = ifbam_model_file_node (model, row_node (rows, rows->right[to]));

            g_array_append_val (compiler->left, left);
            g_array_append_val (compiler->right, right);
          }
      for (guint k = 0, phase = 0; k < IFBAM_MAX_KINDS; k++)
        {
          if ((both >> k & 1) == 0)
            continue;
          family[k].first = first;
          family[k].count = (gsize) (to - from);
          family[k].stride = stride;
          family[k].phase = phase++;
          family[k].offset = from;
          g_array_append_val (model->link_spans, family[k]);
          if (part == NULL)
            g_array_append_val (model->link_families, family[k]);
        }
    }
}

static void
add_damper (IfbamCompiler *compiler, GArray *damping, guint32 left, guint32 right, double number)
{
  g_array_append_val (compiler->left, left);
  g_array_append_val (compiler->right, right);
  g_array_append_val (damping, number);
}

/* Returns dF/ddelta at rest without compression. */
static double
stiffness_of (const IfbamLaw *law, const double *numbers)
{
  const double reach = 1e-6;
  double stiffness, damping;

  if (law->slopes == NULL)
    return (law->force (numbers, 0, reach, 0) - law->force (numbers, 0, -reach, 0)) / (2 * reach);
  law->slopes (numbers, 0, 0, 0, &stiffness, &damping);
  return stiffness;
}

/* Returns the domain of a link between two nodes: its class's, else that of the nodes. */
static IfbamDomain
domain_between (const IfbamCompiler *compiler, const IfbamElementInfo *info, guint32 left,
                guint32 right)
{
  if (info->domain != IFBAM_DOMAIN_ANY)
    return info->domain;
  return ifbam_model_node_domain (compiler->model, MIN (left, right));
}

static void
damp_span (IfbamCompiler *compiler, const IfbamSpan *span, IfbamDomain domain, double part,
           GArray *damping)
{
  for (gsize i = 0; i < span->count; i++)
    {
      const guint link = (guint) (span->first + span->phase + i * span->stride);
      const guint32 left = g_array_index (compiler->left, guint32, link);
      const guint32 right = g_array_index (compiler->right, guint32, link);
      double numbers[IFBAM_MAX_LAW], stiffness;

      if (domain_between (compiler, span->info, left, right) != domain)
        continue;
      ifbam_span_law (span, i, numbers);
      stiffness = stiffness_of (span->info->link, numbers);
      if (stiffness > 0 && part > 0)
        add_damper (compiler, damping, left, right, part * stiffness);
    }
}

/* Reports a link in the plane that stores energy: a composite can add no damper beside it. */
static void
check_unbatched (IfbamCompiler *compiler, IfbamElement *owner)
{
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (compiler->model, &link);)
    if (link->in_plane && link->law->points != NULL && !link->law->storeless)
      {
        ifbam_compiler_add_issue (
            compiler, owner, NULL,
            g_strdup_printf ("\"%s\" is between points of the plane, where it can't get a damper "
                             "(join a damper to them, and give alpha only)",
                             link->name));
        return;
      }
}

void
ifbam_compiler_add_dampers (IfbamCompiler *compiler, IfbamElement *owner, const IfbamMember *kind,
                            gboolean beside_links, double part)
{
  const IfbamModel *model = compiler->model;
  const IfbamDomain domain = kind->info->domain;
  const guint first = compiler->left->len, n_spans = model->link_spans->len;
  g_autoptr (GArray) damping = g_array_new (FALSE, FALSE, sizeof (double));
  IfbamSpan span = {
    .first = first, .stride = 1, .info = kind->info, .element = owner, .letter = kind->letter
  };

  for (guint s = 0; s < n_spans && beside_links; s++)
    {
      const IfbamSpan *other = &g_array_index (model->link_spans, IfbamSpan, s);
      const IfbamLaw *law = other->info->link;

      if (!law->storeless && (law->geometry == NULL || !law->geometry->scaled))
        damp_span (compiler, other, domain, part, damping);
    }
  for (guint32 i = 0; i < ifbam_model_n_named_free (model) && !beside_links; i++)
    if (ifbam_model_node_domain (model, i) == domain && ifbam_model_inertia (model, i) > 0)
      add_damper (compiler, damping, i, ifbam_compiler_element_index (compiler, model->rest)->index,
                  part * ifbam_model_inertia (model, i));
  if (beside_links && domain == IFBAM_DOMAIN_TRANSLATION)
    check_unbatched (compiler, owner);
  if (damping->len == 0)
    return;
  kind->series[0] =
      (IfbamSeries){ (const double *) (gconstpointer) damping->data, damping->len, NULL };
  span.count = damping->len;
  span.series = ifbam_compiler_own_series (compiler, kind);
  g_array_append_val (compiler->model->link_spans, span);
  g_array_append_val (compiler->model->link_families, span);
}
