/* api-equilibrium.c: equilibrium of a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/api-equilibrium.h"

#include <string.h>

#include "element/endpoint.h"
#include "embed/ifbam-equilibrium.h"
#include "run/run.h"

static void
tension_clear (IfbamTension *tension)
{
  g_free (tension->name);
}

static IfbamTension
tension_of (const IfbamLinkIter *at, const IfbamEquilibrium *equilibrium)
{
  const IfbamLink *link = at->link;
  const gboolean batched = at->slot < G_MAXSIZE;
  const double still[IFBAM_MAX_PORTS] = { 0 };
  double x[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, rate = 0;

  ifbam_link_read_ports (link, equilibrium->position, x);
  link->geometry->measure (link->shape, x, still, &delta, row);
  if (equilibrium->rate != NULL)
    rate = ifbam_link_measure (link, equilibrium->position, equilibrium->rate, &delta, row);
  return (IfbamTension){
    .name = ifbam_link_iter_name (at),
    .compression = delta,
    .rate = rate,
    .force = batched ? equilibrium->force[at->slot] : equilibrium->reaction[at->number],
    .words = ifbam_domain_info (batched              ? link->info->domain
                                : link->n_ports == 0 ? link->element->info->domain
                                : ifbam_model_node_domain (at->model, link->node[0]))
  };
}

GArray *
ifbam_list_tensions (const IfbamModel *model, const IfbamEquilibrium *equilibrium)
{
  GArray *tensions = g_array_new (FALSE, FALSE, sizeof (IfbamTension));

  g_array_set_clear_func (tensions, (GDestroyNotify) tension_clear);
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED | IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    if (at.link->law->force != NULL
        || at.link->law->constraint (at.link->numbers, 0).kind != IFBAM_CONSTRAINT_NONE)
      {
        const IfbamTension tension = tension_of (&at, equilibrium);

        g_array_append_val (tensions, tension);
      }
  return tensions;
}

typedef struct
{
  GArray *details;
  const char *link;
} Telling;

static void
add_detail (gpointer data, const char *name, const char *unit, double value)
{
  const Telling *telling = data;
  const IfbamDetail detail = { telling->link, name, unit, value };

  g_array_append_val (telling->details, detail);
}

/* Returns the field strength at a node, downwards [m/s2]. */
static double
field_pull (const IfbamModel *model, gsize node)
{
  double pull = 0;

  for (gsize i = 0; i < model->n_sources; i++)
    if (model->source_node[i] == node && ifbam_model_is_field (model, i))
      pull -= ifbam_model_source (model, i, 0) / ifbam_model_source_inertia (model, i);
  return pull;
}

/* Appends details of a composite of consecutive links in the plane, such as a rope. */
static void
add_path_details (const IfbamModel *model, const IfbamEquilibrium *equilibrium, const IfbamSpan *span,
           Telling *telling)
{
  g_autofree double *place = g_new (double, 2 * (span->count + 1));
  IfbamPathAtRest path = { .n = span->count,
                           .points = place,
                           .force = equilibrium->reaction + span->first };

  for (gsize i = 0; i < span->count; i++)
    {
      const IfbamLink *link = ifbam_unbatched_link (model, span->first + i);
      double x[IFBAM_MAX_PORTS];
      IfbamEnds ends;

      ifbam_link_read_ports (link, equilibrium->position, x);
      ends = ifbam_ends_at (link->shape, x);
      memcpy (place + 2 * i, ends.left.point, sizeof ends.left.point);
      memcpy (place + 2 * i + 2, ends.right.point, sizeof ends.right.point);
      if (i == 0)
        path.fixed[0] = ends.left.n == 0;
      if (i + 1 == span->count)
        path.fixed[1] = ends.right.n == 0;
    }
  path.gravity = field_pull (model, ifbam_model_element_index (model, span->element).index + span->count - 1);
  telling->link = span->element->name;
  span->element->info->report (span->element, &path, add_detail, telling);
}

GArray *
ifbam_list_details (const IfbamModel *model, const IfbamEquilibrium *equilibrium)
{
  Telling telling = { .details = g_array_new (FALSE, FALSE, sizeof (IfbamDetail)) };

  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    {
      double x[IFBAM_MAX_PORTS];

      if (link->geometry->report == NULL)
        continue;
      ifbam_link_read_ports (link, equilibrium->position, x);
      telling.link = link->name;
      link->geometry->report (link->shape, x, add_detail, &telling);
    }
  for (guint f = 0; f < model->unbatched_families->len; f++)
    {
      const IfbamSpan *span = &g_array_index (model->unbatched_families, IfbamSpan, f);

      if (span->element->info->report != NULL)
        add_path_details (model, equilibrium, span, &telling);
    }
  return telling.details;
}

/* A course with one sample. */
typedef struct
{
  GPtrArray *names; /* char* */
  GPtrArray *units; /* static */
  GArray *values;   /* double */
} Row;

static void
add_value (Row *row, const char *element, const char *quantity, const char *unit, double value)
{
  value += 0.0; /* -0 is 0 */
  g_ptr_array_add (row->names, g_strdup_printf ("%s.%s", element, quantity));
  g_ptr_array_add (row->units, (gpointer) unit);
  g_array_append_val (row->values, value);
}

static IfbamCourse *
make_course (const IfbamModel *model, const IfbamEquilibrium *equilibrium, const GArray *tensions)
{
  Row row = { g_ptr_array_new_with_free_func (g_free), g_ptr_array_new (),
              g_array_new (FALSE, FALSE, sizeof (double)) };
  IfbamCourse *course;

  for (gsize i = 0; i < ifbam_model_n_named (model); i++)
    {
      const gsize node = ifbam_model_named_node (model, i);
      const IfbamDomainInfo *words = ifbam_domain_info (ifbam_model_node_domain (model, node));
      g_autofree char *name = ifbam_model_node_name (model, node);

      add_value (&row, name, words->coordinate, words->coordinate_unit,
                 equilibrium->position[node]);
      if (equilibrium->rate != NULL)
        add_value (&row, name, words->rate, words->rate_unit, equilibrium->rate[node]);
    }
  for (guint i = 0; i < tensions->len; i++)
    {
      const IfbamTension *tension = &g_array_index (tensions, IfbamTension, i);

      add_value (&row, tension->name, "compression", tension->words->coordinate_unit,
                 tension->compression);
      if (equilibrium->rate != NULL)
        add_value (&row, tension->name, "rate", tension->words->rate_unit, tension->rate);
      add_value (&row, tension->name, "force", tension->words->effort_unit, tension->force);
    }
  g_ptr_array_add (row.names, NULL);
  course = ifbam_course_new_with_units ((const char *const *) row.names->pdata,
                                        (const char *const *) row.units->pdata);
  ifbam_course_append_row (course, 0, (const double *) (gpointer) row.values->data);
  g_ptr_array_unref (row.names);
  g_ptr_array_unref (row.units);
  g_array_unref (row.values);
  return course;
}

/**
 * ifbam_network_find_equilibrium:
 * @network: a network
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Finds the equilibrium of @network under its constant sources, its weight and its preloads, as
 * `ifbam equilibrium` does; in a circuit its operating point. The search begins at its start, and
 * ignores dry friction if the network comes to rest.
 *
 * Returns: (transfer full): a course with one sample, at time 0: the coordinate of every node
 *   ("m1.position"), the compression and the force of every link ("k1.compression", "k1.force");
 *   in a steady state also the rates ("c1.voltage", "r1.rate");
 *   %NULL with %IFBAM_ERROR_NETWORK if the network is wrong or has no equilibrium
 */
IfbamCourse *
ifbam_network_find_equilibrium (IfbamNetwork *network, GError **error)
{
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamEquilibrium) equilibrium = NULL;
  g_autoptr (GArray) tensions = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };

  g_return_val_if_fail (IFBAM_IS_NETWORK (network), NULL);
  model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, error);
  if (model == NULL)
    return NULL;
  equilibrium = ifbam_equilibrium_new (model, &spec, error);
  if (equilibrium == NULL)
    return NULL;
  tensions = ifbam_list_tensions (model, equilibrium);
  return make_course (model, equilibrium, tensions);
}
