/* lab-data.c: data of a network for a laboratory's page
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lab/lab-data.h"

#include <math.h>
#include <string.h>

#include "figure/figure.h"
#include "element/element.h"
#include "lab/lab-parameters.h"
#include "linear/linear.h"
#include "report/report.h"
#include "file/file.h"
#include "engine/engine.h"

#define MAX_SPEAKERS 100  /* in the forces of a page */
#define MAX_PARTS    12   /* entries of a list that can be changed one by one */
#define MAX_NODES    1000 /* of a network with modes in a page */
#define FEW_NODES    200  /* of a network with all its modes; */
#define LOWEST_MODES 50   /* of larger networks */
#define MAX_WORK     5e9  /* of a run: 5 to 20 s, with 1 to 4 ns per unit in a page */
#define TABLE_FACTOR 4    /* of schemes with implicit stages */

static const char *const counts[] = { "count", "links", NULL };

typedef struct
{
  IfbamJsonWriter *json;
  const IfbamNetwork *network;
  const IfbamModel *model;
  guint32 *order; /* index in the network of a node of the model (n_nodes) */
} Lab;

/* Returns NaN for a bound or value that is not set. */
static double
if_set (double number)
{
  return fabs (number) < G_MAXDOUBLE ? number : NAN;
}

/* Adds class and symbol of an element. */
static void
add_class (const Lab *lab, const IfbamElementInfo *info)
{
  ifbam_json_add (lab->json, "class,symbol", "%s%s", info->name,
                  info->symbol != NULL ? info->symbol : "");
}

/* Parameters */

static void
add_pair (gpointer data, const char *key, const char *text)
{
  const Lab *lab = data;

  ifbam_json_array (lab->json, NULL);
  ifbam_json_string (lab->json, NULL, key);
  ifbam_json_string (lab->json, NULL, text);
  ifbam_json_end (lab->json);
}

/* Adds a parameter: meaning, limits, value. part: index in a list of `parts` from 1; 0: none. */
static void
add_one_number (const Lab *lab, const IfbamElement *element, guint place, double value, gsize part,
                gsize parts)
{
  const IfbamParam *param = &element->info->params[place];
  g_autofree char *unit =
      ifbam_domain_unit (ifbam_model_element_domain (lab->model, element), param->unit);

  ifbam_json_object (lab->json, NULL);
  ifbam_json_add (lab->json, "key,unit,meaning,minimum,maximum,value", "%s%s%s%g%g%g", param->key,
                  unit == NULL ? "" : unit, param->meaning, if_set (param->minimum),
                  if_set (param->maximum), if_set (value));
  if (parts > 1)
    ifbam_json_count (lab->json, "part", (gint64) part);
  ifbam_json_boolean (
      lab->json, "said",
      ifbam_element_is_set (element, place)
          || (element->info->kind == IFBAM_KIND_FREE_NODE && strcmp (param->key, "position") == 0));
  ifbam_json_end (lab->json);
}

/* Adds all parameters, except those that change the number of members, and long lists. */
static void
add_numbers (Lab *lab, const IfbamElement *element)
{
  const gboolean has_members = element->info->list_members != NULL;

  ifbam_json_array (lab->json, "numbers");
  for (guint i = 0; i < element->info->n_params; i++)
    {
      const IfbamParam *param = &element->info->params[i];
      gsize n = 0;
      const double *list = NULL;

      if (param->kind == IFBAM_PARAM_NUMBER
          && !(has_members && g_strv_contains (counts, param->key)))
        add_one_number (lab, element, i, *ifbam_element_value ((IfbamElement *) element, param), 0,
                        1);
      if (param->kind == IFBAM_PARAM_NUMBERS && ifbam_element_is_set (element, i))
        list = ifbam_element_list (element, (guint) param->offset, &n);
      for (gsize k = 0; k < n && n <= MAX_PARTS; k++)
        add_one_number (lab, element, i, list[k], k + 1, n);
    }
  ifbam_json_end (lab->json);
}

static void
add_elements (Lab *lab)
{
  ifbam_json_array (lab->json, "elements");
  for (guint i = 0; i < lab->network->elements->len; i++)
    {
      IfbamElement *element = lab->network->elements->pdata[i];

      ifbam_json_object (lab->json, NULL);
      ifbam_json_add (lab->json, "class,name,summary,kind", "%s%s%s%s", element->info->name,
                      element->name, element->info->summary,
                      element->info->kind == IFBAM_KIND_FREE_NODE    ? "free"
                      : element->info->kind == IFBAM_KIND_GIVEN_NODE ? "given"
                      : element->info->kind == IFBAM_KIND_LINK       ? "link"
                                                                     : "other");
      ifbam_json_array (lab->json, "values");
      ifbam_network_write_element (lab->network, lab->model, element, add_pair, lab);
      ifbam_json_end (lab->json);
      add_numbers (lab, element);
      ifbam_json_end (lab->json);
    }
  ifbam_json_end (lab->json);
}

static void
add_nodes (Lab *lab)
{
  ifbam_json_array (lab->json, "nodes");
  for (gsize i = 0; i < ifbam_model_n_named (lab->model); i++)
    {
      const gsize node = ifbam_model_named_node (lab->model, i);
      const IfbamDomainInfo *domain =
          ifbam_domain_info (ifbam_model_node_domain (lab->model, node));
      g_autofree char *name = ifbam_model_node_name (lab->model, node);

      lab->order[node] = (guint32) i;
      ifbam_json_record (lab->json, NULL, "name,domain,coordinate,unit,rate,rateUnit,free",
                         "%s%s%s%s%s%s%i", name, domain->name, domain->coordinate,
                         domain->coordinate_unit, domain->rate, domain->rate_unit,
                         i < ifbam_model_n_named_free (lab->model));
    }
  ifbam_json_end (lab->json);
}

/* Elements with forces, and the nodes on which they act */

static void
begin_speaker (const Lab *lab, const char *name, const char *kind, gsize node)
{
  const IfbamDomainInfo *domain = ifbam_domain_info (ifbam_model_node_domain (lab->model, node));
  g_autofree char *signal = g_strconcat (name, ".force", NULL);

  ifbam_json_object (lab->json, NULL);
  ifbam_json_add (lab->json, "name,kind,signal,effort,unit", "%s%s%s%s%s", name, kind, signal,
                  domain->effort, domain->effort_unit);
  ifbam_json_array (lab->json, "ends");
}

static void
end_speaker (const Lab *lab)
{
  ifbam_json_end (lab->json);
  ifbam_json_end (lab->json);
}

static void
add_end (const Lab *lab, gsize node)
{
  g_autofree char *name = ifbam_model_node_name (lab->model, node);

  ifbam_json_string (lab->json, NULL, name);
}

static void
add_link_speaker (const Lab *lab, const IfbamLinkIter *at)
{
  const IfbamLink *link = at->link;
  g_autofree char *name = ifbam_link_iter_name (at);
  char *const *names = at->slot < G_MAXSIZE ? NULL : ifbam_link_end_names (link);

  begin_speaker (lab, name, "link", link->node[0]);
  for (guint e = 0; names == NULL && e < link->n_ports; e++)
    add_end (lab, link->node[e]);
  for (; names != NULL && *names != NULL; names++)
    ifbam_json_string (lab->json, NULL, *names);
  end_speaker (lab);
}

static void
add_speakers (const Lab *lab)
{
  const IfbamModel *model = lab->model;
  const guint batched = model->n_links <= MAX_SPEAKERS ? IFBAM_LINKS_BATCHED : 0;
  const guint unbatched = model->unbatched_links->len <= MAX_SPEAKERS ? IFBAM_LINKS_UNBATCHED : 0;

  ifbam_json_array (lab->json, "speakers");
  for (IfbamLinkIter at = ifbam_links (model, batched | unbatched); ifbam_link_iter_next (&at);)
    if (at.link->place == 0 && at.link->info->signal_slot == 0 && !ifbam_link_is_tie (at.link))
      add_link_speaker (lab, &at);
  for (gsize i = 0; i < model->n_sources && model->n_sources <= MAX_SPEAKERS; i++)
    {
      const IfbamSource *source = ifbam_model_source_of (model, i);

      if (i > 0 && source == ifbam_model_source_of (model, i - 1))
        continue;
      begin_speaker (lab, source->name, "source", model->source_node[i]);
      for (gsize k = i; k < model->n_sources && ifbam_model_source_of (model, k) == source; k++)
        add_end (lab, model->source_node[k]);
      end_speaker (lab);
    }
  ifbam_json_end (lab->json);
}

/* Adds the schemes with latency. */
static void
add_latency_schemes (const Lab *lab)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  for (guint i = 0; i < n_schemes; i++)
    if (schemes[i]->latency)
      ifbam_json_string (lab->json, NULL, schemes[i]->name);
}

/* Returns TRUE if energy may be supplied or dissipated. */
static gboolean
has_energy_exchange (const IfbamModel *model)
{
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED); ifbam_link_iter_next (&at);)
    if (at.link->law->lossy)
      return TRUE;
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      gsize member;

      if (!ifbam_model_is_rest (model, i)
          && !ifbam_model_node_span (model, i, &member)->element->info->fixed)
        return TRUE;
    }
  return model->unbatched_links->len > 0 || model->impulses->len > 0
         || model->n_sources > model->n_fields;
}

/* Adds frequencies about the start, as `ifbam modes` prints them: lowest of large networks. */
static void
add_modes (const Lab *lab, const IfbamRunSpec *spec)
{
  const IfbamModesRequest request = { .count = lab->model->n_free <= FEW_NODES ? 0 : LOWEST_MODES };
  g_autoptr (IfbamModes) modes = lab->model->n_free == 0 || lab->model->n_free > MAX_NODES
                                     ? NULL
                                     : ifbam_modes_new_for_model (lab->model, spec, &request, NULL);
  gsize n = 0;
  const IfbamMode *mode = modes == NULL ? NULL : ifbam_modes_get_modes (modes, &n);

  ifbam_json_array (lab->json, "modes");
  for (gsize i = 0; i < n; i++)
    if (mode[i].frequency > 0)
      ifbam_json_number (lab->json, NULL, mode[i].frequency);
  ifbam_json_end (lab->json);
}

/* Diagram: positions of elements, and their nodes */

static void
add_box (Lab *lab, const IfbamVertex *vertex)
{
  const gboolean is_node = vertex->kind == IFBAM_VERTEX_FREE || vertex->kind == IFBAM_VERTEX_GIVEN;

  ifbam_json_object (lab->json, NULL);
  ifbam_json_add (lab->json, "kind,node,parent,x,y,width,height,name", "%s%g%g%g%g%g%g%s",
                  vertex->kind == IFBAM_VERTEX_FREE     ? "free"
                  : vertex->kind == IFBAM_VERTEX_GIVEN  ? "given"
                  : vertex->kind == IFBAM_VERTEX_SOURCE ? "source"
                                                        : "cut",
                  is_node ? (double) lab->order[vertex->number] : -1,
                  vertex->parent == IFBAM_NO_PARENT ? -1 : (double) vertex->parent, vertex->x,
                  vertex->y, vertex->width, vertex->height,
                  vertex->name != NULL ? vertex->name : "");
  if (vertex->kind <= IFBAM_VERTEX_SOURCE && vertex->words.info != NULL)
    add_class (lab, vertex->words.info);
  ifbam_json_end (lab->json);
}

/* Adds a link between two boxes, at a height; chord: across, below both. */
static void
add_line (Lab *lab, const IfbamDiagramLayout *layout, gsize edge, guint from, guint to, double y,
          gboolean chord)
{
  g_auto (IfbamElementLabels) words = ifbam_diagram_layout_edge_labels (layout, edge);

  ifbam_json_object (lab->json, NULL);
  ifbam_json_string (lab->json, "name", words.name);
  add_class (lab, words.info);
  ifbam_json_add (lab->json, "from,to,left,right,y,chord", "%u%u%u%u%g%i", from, to,
                  lab->order[layout->graph->left[edge]], lab->order[layout->graph->right[edge]], y,
                  chord);
  ifbam_json_end (lab->json);
}

static void
add_lines_of (Lab *lab, const IfbamDiagramLayout *layout, const GArray *links, guint from, guint to,
              double y, gboolean chord)
{
  for (guint i = 0; i < links->len; i++)
    add_line (lab, layout, g_array_index (links, gsize, i), from, to,
              y + i * (chord ? IFBAM_LAYOUT_GAP : IFBAM_LAYOUT_ROW), chord);
}

static void
add_diagram (Lab *lab)
{
  g_autoptr (IfbamDiagramLayout) layout = ifbam_diagram_layout_new (lab->model, NULL, 0);

  ifbam_json_object (lab->json, "diagram");
  ifbam_json_array (lab->json, "boxes");
  for (guint i = 0; i < layout->vertices->len; i++)
    add_box (lab, ifbam_diagram_layout_vertex (layout, i));
  ifbam_json_end (lab->json);
  ifbam_json_array (lab->json, "lines");
  for (guint i = 0; i < layout->vertices->len; i++)
    {
      const IfbamVertex *vertex = ifbam_diagram_layout_vertex (layout, i);
      const double middle = vertex->y + (IFBAM_LAYOUT_ROW - IFBAM_LAYOUT_GAP) / 2;

      if (vertex->parent != IFBAM_NO_PARENT)
        add_lines_of (lab, layout, vertex->links, vertex->parent, i, middle, FALSE);
      if (vertex->before != IFBAM_NO_PARENT)
        add_lines_of (lab, layout, ifbam_diagram_layout_vertex (layout, vertex->before)->links,
                      vertex->before, i, middle, FALSE);
    }
  IFBAM_FOREACH (const IfbamChord, chord, layout->chords)
    {
      const IfbamVertex *one = ifbam_diagram_layout_vertex (layout, chord->from);
      const IfbamVertex *other = ifbam_diagram_layout_vertex (layout, chord->to);

      add_lines_of (lab, layout, chord->links, chord->from, chord->to,
                    (one->y + one->height + other->y + other->height) / 2, TRUE);
    }
  ifbam_json_end (lab->json);
  ifbam_json_end (lab->json);
}

/* The plane */

/* nodes: none, those of x and y, or with the angle; -1: one at rest at 0 */
static void
add_point (Lab *lab, const char *key, const IfbamScenePoint *point)
{
  const guint n = (guint) point->numbers[0];

  ifbam_json_object (lab->json, key);
  ifbam_json_array (lab->json, "nodes");
  for (guint c = 0; c < n; c++)
    ifbam_json_count (lab->json, NULL,
                      ifbam_model_is_rest (lab->model, point->node[c])
                          ? -1
                          : (gint64) lab->order[point->node[c]]);
  ifbam_json_end (lab->json);
  ifbam_json_array (lab->json, "at");
  for (guint c = 1; c < 3; c++)
    ifbam_json_number (lab->json, NULL, point->numbers[c]);
  ifbam_json_end (lab->json);
  ifbam_json_end (lab->json);
}

static void
add_bodies (Lab *lab, const IfbamScene *scene)
{
  ifbam_json_array (lab->json, "bodies");
  IFBAM_FOREACH (const IfbamSceneBody, body, scene->bodies)
    {
      ifbam_json_object (lab->json, NULL);
      ifbam_json_string (lab->json, "name", body->name);
      add_point (lab, "middle", &body->middle);
      ifbam_json_add (lab->json, "radius,speed,round", "%g%g%i", body->radius, body->speed,
                      body->round);
      ifbam_json_numbers (lab->json, "outline", (const double *) (gpointer) body->outline->data,
                          2 * (gsize) body->outline->len);
      ifbam_json_end (lab->json);
    }
  ifbam_json_end (lab->json);
}

static void
add_plane_links (Lab *lab, const IfbamScene *scene)
{
  ifbam_json_array (lab->json, "links");
  IFBAM_FOREACH (const IfbamSceneLink, link, scene->links)
    {
      ifbam_json_object (lab->json, NULL);
      ifbam_json_string (lab->json, "name", link->link->name);
      add_class (lab, link->link->info);
      add_point (lab, "left", &link->end[0]);
      add_point (lab, "right", &link->end[1]);
      ifbam_json_end (lab->json);
    }
  ifbam_json_end (lab->json);
}

/* Adds nodes along an axis beside the parts in the plane. */
static void
add_riders (Lab *lab, const IfbamScene *scene)
{
  ifbam_json_array (lab->json, "riders");
  IFBAM_FOREACH (const IfbamSceneRider, rider, scene->riders)
    {
      ifbam_json_object (lab->json, NULL);
      ifbam_json_add (
          lab->json, "name,node,axis,side,gap,ties,boxes,given,block,behind",
          "%s%g%u%g%g%u%u%i%d%d", rider->name,
          ifbam_model_is_rest (lab->model, rider->node) ? -1.0 : (double) lab->order[rider->node],
          rider->axis, rider->side, rider->gap, rider->ties, rider->boxes, rider->given,
          rider->block, rider->behind);
      if (rider->block < 0)
        add_point (lab, "point", &rider->point);
      ifbam_json_end (lab->json);
    }
  ifbam_json_end (lab->json);
}

static void
add_scene_ties (Lab *lab, const IfbamScene *scene)
{
  ifbam_json_array (lab->json, "ties");
  IFBAM_FOREACH (const IfbamSceneTie, tie, scene->ties)
    {
      ifbam_json_object (lab->json, NULL);
      ifbam_json_string (lab->json, "name", tie->name);
      add_class (lab, tie->info);
      ifbam_json_add (lab->json, "axis,lane", "%u%g", tie->axis,
                      tie->lane - 0.5 * (tie->n_lanes - 1.0));
      ifbam_json_array (lab->json, "ends");
      for (guint e = 0; e < 2; e++)
        {
          ifbam_json_object (lab->json, NULL);
          ifbam_json_number (lab->json, "rider", tie->rider[e]);
          if (tie->rider[e] == IFBAM_SCENE_POINT)
            add_point (lab, "point", &tie->point[e]);
          ifbam_json_end (lab->json);
        }
      ifbam_json_end (lab->json);
      ifbam_json_end (lab->json);
    }
  ifbam_json_end (lab->json);
}

static void
add_plane (Lab *lab)
{
  g_autoptr (IfbamScene) scene = ifbam_scene_new (lab->model);

  ifbam_json_object (lab->json, "plane");
  add_bodies (lab, scene);
  add_plane_links (lab, scene);
  ifbam_json_array (lab->json, "marks");
  IFBAM_FOREACH (const IfbamSceneMark, mark, scene->marks)
    {
      ifbam_json_object (lab->json, NULL);
      ifbam_json_string (lab->json, "name", mark->name);
      add_point (lab, "point", &mark->point);
      ifbam_json_end (lab->json);
    }
  ifbam_json_end (lab->json);
  ifbam_json_array (lab->json, "grounds");
  IFBAM_FOREACH (const IfbamSceneGround, ground, scene->grounds)
    {
      ifbam_json_record (lab->json, NULL, "name,height,amplitude,wavelength", "%s%g%g%g",
                         ground->name, ground->height, ground->amplitude, ground->wavelength);
    }
  ifbam_json_end (lab->json);
  ifbam_json_array (lab->json, "blocks");
  IFBAM_FOREACH (const IfbamSceneBlock, block, scene->blocks)
    {
      ifbam_json_object (lab->json, NULL);
      ifbam_json_add (lab->json, "name,node,axis,gap,side", "%s%u%u%g%g", block->name,
                      lab->order[block->node], block->axis, block->gap, block->side);
      add_point (lab, "point", &block->point);
      ifbam_json_end (lab->json);
    }
  ifbam_json_end (lab->json);
  add_riders (lab, scene);
  add_scene_ties (lab, scene);
  ifbam_json_end (lab->json);
}

/* Settings */

static void
add_settings (Lab *lab, const IfbamRunSpec *spec)
{
  const IfbamSettingsLaw *law =
      (const IfbamSettingsLaw *) ifbam_element_law (lab->network->settings);
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  ifbam_json_array (lab->json, "settings");
  ifbam_network_write_settings (lab->network, lab->model, spec, add_pair, lab);
  ifbam_json_end (lab->json);
  ifbam_json_add (lab->json, "scheme,step,mostSteps,stepIsChosen,restsFirst", "%s%g%g%i%i",
                  spec->scheme->name, spec->tolerance > 0 ? spec->first : spec->step,
                  ifbam_lab_max_steps (lab->model, spec), isinf (law->step),
                  spec->start_position != NULL);
  ifbam_json_array (lab->json, "schemes");
  for (guint i = 0; i < n_schemes; i++)
    ifbam_json_string (lab->json, NULL, schemes[i]->name);
  ifbam_json_end (lab->json);
  ifbam_json_object (lab->json, "growth");
  for (guint i = 0; i < n_schemes; i++)
    ifbam_json_numbers (lab->json, schemes[i]->name, schemes[i]->characteristic[0],
                        (IFBAM_MAX_DEGREE + 1) * IFBAM_MAX_POWERS);
  ifbam_json_end (lab->json);
}

double
ifbam_lab_max_steps (const IfbamModel *model, const IfbamRunSpec *spec)
{
  return IFBAM_LAB_ASKED_FOR * MAX_WORK
         / (ifbam_step_work (model, spec->scheme)
            * (ifbam_scheme_tableau (spec->scheme) != NULL ? TABLE_FACTOR : 1));
}

char *
ifbam_lab_data (const IfbamNetwork *network, const IfbamModel *model, const IfbamRunSpec *spec,
                const IfbamLabNames *names)
{
  g_autoptr (IfbamJsonWriter) json = ifbam_json_writer_new (FALSE);
  g_autofree guint32 *order = g_new0 (guint32, model->n_nodes + 1);
  Lab lab = { json, network, model, order };

  ifbam_json_object (json, NULL);
  ifbam_json_add (json, "version,file,title,text", "%s%s%s%s", IFBAM_VERSION, names->file,
                  names->title, names->text);
  ifbam_json_strings (json, "words", names->words);
  add_settings (&lab, spec);
  add_elements (&lab);
  ifbam_lab_add_parameters (json, network, model);
  add_nodes (&lab);
  add_speakers (&lab);
  add_modes (&lab, spec);
  ifbam_json_add (json, "hasEvents,hasAccount", "%i%i", ifbam_model_has_events (model),
                  has_energy_exchange (model));
  ifbam_json_array (json, "latency");
  add_latency_schemes (&lab);
  ifbam_json_end (json);
  add_diagram (&lab);
  add_plane (&lab);
  ifbam_json_end (json);
  return g_strdup (json->text->str);
}
