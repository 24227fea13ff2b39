/* compile-memory.c: check, before allocation, that a network fits in memory
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compile-memory.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Indices of nodes and slots are guint32; ports use one bit. */
#define MAX_NUMBERS (G_GUINT64_CONSTANT (1) << 30)
/* Memory of a running compiled network [bytes]. */
#define NODE_MEMORY   60
#define LINK_MEMORY   50
#define SOURCE_MEMORY 40

typedef struct
{
  guint64 nodes, links, sources;
  double node_memory; /* memory needed beside the model [bytes] */
} Size;

static double
memory_of (const Size *size)
{
  return (NODE_MEMORY + size->node_memory) * (double) size->nodes
         + LINK_MEMORY * (double) size->links + SOURCE_MEMORY * (double) size->sources;
}

/* Returns "4 nodes and 3 links" (transfer full); mentions forces if they dominate. */
static char *
size_text (const Size *size)
{
  if (size->sources > size->nodes)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " nodes, %" G_GUINT64_FORMAT
                            " links and %" G_GUINT64_FORMAT " forces on nodes",
                            size->nodes, size->links, size->sources);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " nodes and %" G_GUINT64_FORMAT " links",
                          size->nodes, size->links);
}

/* Adds dampers beside each link, and from each node to ground. */
static void
add_dampers (Size *size)
{
  size->links = 2 * size->links + size->nodes;
}

static gboolean
is_beyond (const Size *known, gboolean damped, double memory)
{
  Size size = *known;

  if (damped)
    add_dampers (&size);
  return MAX (MAX (size.nodes, size.links), size.sources) > MAX_NUMBERS
         || memory_of (&size) > memory;
}

/* Returns the count of nodes of a source; a field on a composite acts on many. */
static guint64
count_targets (const IfbamCompiler *compiler, const IfbamElement *source)
{
  char *const *on = ifbam_element_slots (source)[IFBAM_SLOT_ON];
  guint64 n = 0;

  for (guint i = 0; on != NULL && on[i] != NULL; i++)
    {
      const IfbamElement *target = g_hash_table_lookup (compiler->by_name, on[i]);
      guint64 nodes = 1, links = 0;

      if (source->info->potential != NULL && target != NULL && target->info->add_size != NULL)
        target->info->add_size (target, &nodes, &links);
      n += nodes;
    }
  return n;
}

/* Stores the size of all elements. Returns the element that exceeds memory, preferably a large
 * composite or source; NULL: none. */
static IfbamElement *
find_beyond (const IfbamCompiler *compiler, const GPtrArray *elements, double memory, Size *size)
{
  IfbamElement *large = NULL, *beyond = NULL;
  gboolean damped = FALSE;

  for (guint i = 0; i < elements->len; i++)
    damped |= ((const IfbamElement *) elements->pdata[i])->info->damps;
  *size = (Size){ .node_memory = compiler->reader->node_memory };
  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];

      size->nodes += element->info->kind <= IFBAM_KIND_GIVEN_NODE;
      size->links += ifbam_element_in_batches (element->info);
      size->nodes += element->info->link == NULL ? 0 : element->info->link->n_states;
      size->nodes += ifbam_element_n_coordinates (element);
      if (element->info->add_size != NULL && ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE)
        {
          element->info->add_size (element, &size->nodes, &size->links);
          large = element;
        }
      if (element->info->kind == IFBAM_KIND_SOURCE)
        size->sources += count_targets (compiler, element);
      if (beyond == NULL && is_beyond (size, damped, memory))
        beyond = large != NULL && element->info->kind != IFBAM_KIND_SOURCE ? large : element;
    }
  if (damped)
    add_dampers (size);
  return beyond;
}

/* The size of a subnetwork is known already. */
static gboolean
check_subnetwork (IfbamCompiler *compiler)
{
  const IfbamSubnetwork *subnetwork = ifbam_model_subnetwork (compiler->model);
  const Size size = { .nodes = ifbam_ranges_count (subnetwork->nodes),
                      .links = subnetwork->n_own_links,
                      .node_memory = compiler->reader->node_memory };
  g_autofree char *what = size_text (&size);
  g_autofree char *lack = ifbam_memory_lack (memory_of (&size));

  if (MAX (size.nodes, size.links) > MAX_NUMBERS)
    ifbam_compiler_add_issue (compiler, NULL, NULL,
                              g_strdup_printf ("this process has %s; at most %" G_GUINT64_FORMAT
                                               " of each are possible (use more processes)",
                                               what, MAX_NUMBERS));
  else if (lack != NULL)
    ifbam_compiler_add_issue (compiler, NULL, NULL,
                              g_strdup_printf ("the %s of this process need %s", what, lack));
  else
    return TRUE;
  return FALSE;
}

gboolean
ifbam_compiler_check_size (IfbamCompiler *compiler, const GPtrArray *elements)
{
  const IfbamSubnetwork *subnetwork = ifbam_model_subnetwork (compiler->model);
  const gboolean is_part = subnetwork != NULL && !subnetwork->is_sample;
  Size size;
  IfbamElement *element = is_part ? NULL : find_beyond (compiler, elements, INFINITY, &size);
  g_autofree char *what = NULL;
  g_autofree char *lack = NULL;
  const char *limit;
  char *text;

  if (is_part)
    return check_subnetwork (compiler);
  what = size_text (&size);
  if (element != NULL)
    text = g_strdup_printf ("the network has %s; at most %" G_GUINT64_FORMAT
                            " of each are possible in one process",
                            what, MAX_NUMBERS);
  else
    {
      lack = ifbam_memory_lack (memory_of (&size));
      element = lack == NULL
                    ? NULL
                    : find_beyond (compiler, elements, ifbam_memory_available (&limit), &size);
      if (element == NULL)
        return TRUE;
      text = g_strdup_printf ("the network's %s%s need %s", what,
                              size.node_memory > 0 ? " and the names of their signals" : "", lack);
    }
  ifbam_compiler_add_issue (compiler, element,
                            element->info->kind == IFBAM_KIND_SOURCE                  ? "on"
                            : ifbam_element_param_index (element->info, "count") >= 0 ? "count"
                            : element->info->add_size != NULL                         ? "links"
                                                                                      : NULL,
                            text);
  return FALSE;
}
