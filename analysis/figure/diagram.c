/* diagram.c: diagram of a network's elements, in SVG
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/diagram.h"
#include "figure/diagram-layout.h"

#include <math.h>
#include <string.h>

#include "figure/axis-units.h"

#define MAX_TOLD     32 /* links in a description */
#define GROUND_ASIDE 26 /* distance from the end of its links [pixels] */
#define GROUND_BELOW 16
#define GIVEN_ASIDE  18 /* from the middle of a given node's symbol to its right end */
#define LEVEL        "M0-28V28M0-20l-10 8M0-4l-10 8M0 12l-10 8" /* of a surface without waves */
#define MAX_AROUND   16 /* links drawn around boxes; more are omitted */

static void append (GString *svg, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Appends a text; numbers must be texts or integers, for a point in any locale. */
static void
append (GString *svg, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_string_append_vprintf (svg, format, arguments);
  va_end (arguments);
}

/* Formats a number of pixels with one decimal. */
#define PX(number) IFBAM_FORMATTED ("%.6g", round (10 * (number)) / 10 + 0.0)

static void
append_text (GString *svg, double x, double y, const char *class_name, const char *anchor,
             const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  if (text[0] != '\0')
    append (svg, "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>", class_name,
            PX (x), PX (y), anchor, escaped);
}

/* Opens <g> with the element's class, name and values, which browsers show under the pointer. */
static void
open_group (GString *svg, const char *kind, const IfbamElementLabels *words)
{
  g_autofree char *name = g_markup_escape_text (words->name, -1);
  g_autofree char *values = g_markup_escape_text (words->values, -1);

  append (svg, "<g class=\"%s\" data-name=\"%s\"><title>%s %s%s%s</title>", kind, name,
          words->info->name, name, values[0] != '\0' ? ": " : "", values);
}

static void
append_lead (GString *svg, double x1, double y1, double x2, double y2, const char *class_name)
{
  if (fabs (x1 - x2) > 0.05 || fabs (y1 - y2) > 0.05)
    append (svg, "<path class=\"%s\" d=\"M%s %sL%s %s\"/>", class_name, PX (x1), PX (y1), PX (x2),
            PX (y2));
}

/* Returns half the length of a symbol; a box is as long as the class's name. */
static double
half_symbol (const IfbamElementInfo *info)
{
  return info->symbol != NULL ? IFBAM_LAYOUT_SYMBOL
                              : CLAMP (3.4 * (double) strlen (info->name) + 5, 20, 52);
}

static void
append_symbol (GString *svg, const IfbamElementInfo *info, double x, double y, double angle,
               gboolean turned)
{
  const double half = half_symbol (info);

  append (svg, "<g transform=\"translate(%s %s)", PX (x), PX (y));
  if (angle != 0)
    append (svg, " rotate(%s)", PX (angle));
  append (svg, "%s\">", turned ? " scale(-1 1)" : "");
  if (info->symbol != NULL)
    append (svg, "<path class=\"symbol\" d=\"%s\"/>", info->symbol);
  else
    append (svg, "<path class=\"symbol\" d=\"M-%s-12h%sv24h-%sz\"/>", PX (half), PX (2 * half),
            PX (2 * half));
  append (svg, "</g>");
  if (info->symbol == NULL)
    append_text (svg, x, y + 3.5, "class", "middle", info->name);
}

/* Appends a link from (x1, y1), its left end unless turned, to (x2, y2). */
static void
append_link (GString *svg, const IfbamElementLabels *words, double x1, double y1, double x2,
             double y2, gboolean turned)
{
  const double x = (x1 + x2) / 2, y = (y1 + y2) / 2;
  const double length = hypot (x2 - x1, y2 - y1);
  const double ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const double angle = atan2 (y2 - y1, x2 - x1) * 180 / G_PI;
  const gboolean steep = fabs (uy) > 0.5;
  const double half = half_symbol (words->info);
  const double above =
      words->info->kind == IFBAM_KIND_LINK ? 0 : 10; /* symbols of nodes are high */
  const double aside = words->info->kind != IFBAM_KIND_GIVEN_NODE ? 0
                       : turned                                   ? -GIVEN_ASIDE
                                                                  : GIVEN_ASIDE;
  g_autofree char *name = ifbam_short_text (words->name, IFBAM_SHORT_NAME);

  append_lead (svg, x1, y1, x - half * ux, y - half * uy, "lead");
  append_lead (svg, x + half * ux, y + half * uy, x2, y2, "lead");
  append_symbol (svg, words->info, x + aside * ux, y + aside * uy, angle, turned);
  append_text (svg, steep ? x + 14 : x, steep ? y - 2 : y - 14 - above, "name",
               steep ? "start" : "middle", name);
  append_text (svg, steep ? x + 14 : x, steep ? y + 12 : y + 22 + above, "value",
               steep ? "start" : "middle", words->value);
}

/* TRUE if a link between more than two nodes has its symbol on another edge already. */
static gboolean
is_further_end (const IfbamDiagramLayout *layout, gsize edge)
{
  return edge > 0 && layout->graph->link[edge] == layout->graph->link[edge - 1];
}

static void
draw_link (const IfbamDiagramLayout *layout, GString *svg, gsize edge, double x1, double y1,
           double x2, double y2, gboolean turned)
{
  g_auto (IfbamElementLabels) words = ifbam_diagram_layout_edge_labels (layout, edge);

  open_group (svg, "link", &words);
  if (is_further_end (layout, edge))
    {
      g_autofree char *name = ifbam_short_text (words.name, IFBAM_SHORT_NAME);

      append_lead (svg, x1, y1, x2, y2, "lead more");
      append_text (svg, (x1 + x2) / 2, (y1 + y2) / 2 - 5, "name", "middle", name);
    }
  else
    append_link (svg, &words, x1, y1, x2, y2, turned);
  append (svg, "</g>\n");
}

static double
row_middle (const IfbamVertex *vertex, guint row)
{
  return vertex->y + row * IFBAM_LAYOUT_ROW + (IFBAM_LAYOUT_ROW - IFBAM_LAYOUT_GAP) / 2;
}

/* Draws the links to the parent, row by row; a line leads to omitted nodes. */
static void
draw_branch (const IfbamDiagramLayout *layout, GString *svg, const IfbamVertex *vertex)
{
  const IfbamVertex *parent = ifbam_diagram_layout_vertex (layout, vertex->parent);
  const double x1 = parent->x + (parent->kind == IFBAM_VERTEX_GIVEN ? 0 : parent->width);
  const double x2 = vertex->x;
  const double to = vertex->kind == IFBAM_VERTEX_RUN ? x2 + vertex->width / 2 - 26 : x2;
  const double from = parent->kind == IFBAM_VERTEX_RUN ? x1 - parent->width / 2 + 26 : x1;

  for (guint i = 0; i < vertex->links->len; i++)
    {
      const gsize link = g_array_index (vertex->links, gsize, i);
      const gboolean turned =
          parent->kind == IFBAM_VERTEX_FREE
              ? layout->graph->right[link] == parent->number
              : vertex->kind == IFBAM_VERTEX_FREE && layout->graph->left[link] == vertex->number;

      draw_link (layout, svg, link, from, row_middle (vertex, i), to, row_middle (vertex, i),
                 turned);
    }
  if (vertex->links->len == 0 && vertex->kind != IFBAM_VERTEX_SOURCE)
    append_lead (svg, from, row_middle (vertex, 0),
                 vertex->kind == IFBAM_VERTEX_CUT ? from + IFBAM_LAYOUT_LENGTH / 3 : to,
                 row_middle (vertex, 0), "lead more");
}

/* TRUE if two boxes are in one column, with another one between them. */
static gboolean
is_between (const IfbamDiagramLayout *layout, const IfbamVertex *upper, const IfbamVertex *lower)
{
  IFBAM_FOREACH (const IfbamVertex, other, layout->vertices)
    if (upper->column == lower->column && other->column == upper->column && other->row > upper->row
        && other->row < lower->row)
      return TRUE;
  return FALSE;
}

/* Draws a link around the boxes between its ends, on their right. */
static void
draw_detour (const IfbamDiagramLayout *layout, GString *svg, gsize link, const IfbamVertex *upper,
             const IfbamVertex *lower, double aside)
{
  const double x1 = upper->x + upper->width, x2 = lower->x + lower->width;
  const double y1 = upper->y + upper->height - 8, y2 = lower->y + 8;
  const double x = MAX (x1, x2) + 30 + aside, y = (y1 + y2) / 2;

  append (svg, "<path class=\"lead\" d=\"M%s %sQ%s %s %s %s\"/>", PX (x1), PX (y1), PX (x), PX (y1),
          PX (x), PX (y - 2 * IFBAM_LAYOUT_SYMBOL));
  append (svg, "<path class=\"lead\" d=\"M%s %sQ%s %s %s %s\"/>", PX (x2), PX (y2), PX (x), PX (y2),
          PX (x), PX (y + 2 * IFBAM_LAYOUT_SYMBOL));
  draw_link (layout, svg, link, x, y - 2 * IFBAM_LAYOUT_SYMBOL, x, y + 2 * IFBAM_LAYOUT_SYMBOL,
             layout->graph->right[link] == upper->number);
}

static void
draw_chord (const IfbamDiagramLayout *layout, GString *svg, const IfbamChord *chord)
{
  const IfbamVertex *a = ifbam_diagram_layout_vertex (layout, chord->from),
                    *b = ifbam_diagram_layout_vertex (layout, chord->to);
  const gboolean stacked = a->column == b->column;
  const IfbamVertex *upper = a->row < b->row ? a : b, *lower = upper == a ? b : a;

  if (chord->links->len == 0)
    append_lead (svg, a->x + a->width / 2, a->y + (b->y > a->y ? a->height : 0),
                 b->x + b->width / 2, b->y + (b->y > a->y ? 0 : b->height), "lead more");
  for (guint i = 0; i < chord->links->len; i++)
    {
      const gsize link = g_array_index (chord->links, gsize, i);
      const double aside = (i - (chord->links->len - 1) / 2.0) * 34;

      if (is_between (layout, upper, lower))
        draw_detour (layout, svg, link, upper, lower, aside);
      else if (stacked)
        draw_link (layout, svg, link, upper->x + upper->width / 2 + aside, upper->y + upper->height,
                   lower->x + lower->width / 2 + aside, lower->y,
                   layout->graph->right[link] == upper->number);
      else
        draw_link (layout, svg, link, a->x + a->width,
                   (b->y > a->y ? a->y + a->height - 8 : a->y + 8) + aside, b->x,
                   (b->y > a->y ? b->y + 8 : b->y + b->height - 8) + aside,
                   layout->graph->right[link] == a->number);
    }
}

/* Returns the middle of a circle, beside its first rows. */
static double
round_middle (const IfbamVertex *vertex)
{
  return vertex->y + MIN (vertex->height, vertex->width) / 2;
}

/* Draws lines from the links' ends at the invisible box of a round node to its middle, below the
 * circle; up or down from rows that it does not reach. */
static void
draw_spokes (const IfbamDiagramLayout *layout, GString *svg, const IfbamVertex *vertex)
{
  const double x = vertex->x + vertex->width / 2;
  const guint parents = vertex->parent == IFBAM_NO_PARENT ? 0 : vertex->links->len;
  const guint before = vertex->before == IFBAM_NO_PARENT
                           ? 0
                           : ifbam_diagram_layout_vertex (layout, vertex->before)->links->len;
  const double middle = round_middle (vertex);
  double last = middle;

  for (guint i = 0; i < MAX (parents, before); i++)
    {
      append_lead (svg, vertex->x, row_middle (vertex, i), x, row_middle (vertex, i), "lead");
      last = MAX (last, row_middle (vertex, i));
    }
  for (guint c = 0; c < vertex->children->len; c++)
    {
      const IfbamVertex *child =
          ifbam_diagram_layout_vertex (layout, g_array_index (vertex->children, guint, c));

      for (guint i = 0; i < MAX (child->links->len, 1); i++)
        append_lead (svg, x, row_middle (child, i), vertex->x + vertex->width,
                     row_middle (child, i), child->kind == IFBAM_VERTEX_CUT ? "lead more" : "lead");
      last = MAX (last, row_middle (child, MAX (child->links->len, 1) - 1));
    }
  if (last > middle + 0.4 * vertex->width)
    append_lead (svg, x, middle, x, last, "lead");
}

static void
draw_free (const IfbamDiagramLayout *layout, GString *svg, const IfbamVertex *vertex)
{
  const IfbamElementInfo *info = vertex->words.info;
  const double x = vertex->x + vertex->width / 2;
  const double y =
      ifbam_vertex_is_round (vertex) ? round_middle (vertex) : vertex->y + vertex->height / 2;
  const char *second = vertex->words.value[0] != '\0' ? vertex->words.value
                       : info->symbol == NULL         ? info->name
                                                      : "";

  open_group (svg, "node", &vertex->words);
  if (ifbam_vertex_is_round (vertex))
    draw_spokes (layout, svg, vertex);
  append (svg, "<path class=\"box\" transform=\"translate(%s %s) scale(%s %s)\" d=\"%s\"/>", PX (x),
          PX (y), IFBAM_FORMATTED ("%.5g", vertex->width / 40),
          IFBAM_FORMATTED ("%.5g",
                           (ifbam_vertex_is_round (vertex) ? vertex->width : vertex->height) / 40),
          info->symbol != NULL ? info->symbol : "M-20-20h40v40h-40z");
  append_text (svg, x, second[0] != '\0' ? y - 2 : y + 4, "name", "middle", vertex->name);
  append_text (svg, x, y + 13, "value", "middle", second);
  append (svg, "</g>\n");
}

/* Draws ground as a level below the end of its links. */
static void
draw_ground (const IfbamDiagramLayout *layout, GString *svg, const IfbamVertex *vertex,
             double first, double last)
{
  const double x = vertex->x + (vertex->column == 0 ? -GROUND_ASIDE : GROUND_ASIDE);
  const double y = last + GROUND_BELOW;

  double shape[IFBAM_MAX_SHAPE] = { 0 };
  gsize member;
  const IfbamElement *element =
      ifbam_model_node_span (layout->graph->model, vertex->number, &member)->element;

  element->info->shape (element, shape);
  open_group (svg, "given", &vertex->words);
  for (guint i = 0; i < MAX (vertex->links->len, 1); i++)
    append_lead (svg, vertex->x, row_middle (vertex, i), x, row_middle (vertex, i), "lead");
  append_lead (svg, x, first, x, y, "lead");
  append (svg,
          "<g transform=\"translate(%s %s) rotate(-90)\"><path class=\"symbol\" d=\"%s\"/></g>",
          PX (x), PX (y), shape[0] == 0 ? LEVEL : vertex->words.info->symbol);
  append_text (svg, x, y + 26, "name", "middle", vertex->name);
  append (svg, "</g>\n");
}

static void
draw_given (const IfbamDiagramLayout *layout, GString *svg, const IfbamVertex *vertex)
{
  const IfbamElementInfo *info = vertex->words.info;
  const gboolean on_the_left = vertex->column == 0;
  const double last = row_middle (vertex, MAX (vertex->links->len, 1) - 1);
  const double first = row_middle (vertex, 0), middle = (first + last) / 2;
  const double half = half_symbol (info);

  if (info->form == IFBAM_FORM_SURFACE)
    {
      draw_ground (layout, svg, vertex, first, last);
      return;
    }
  open_group (svg, "given", &vertex->words);
  append_lead (svg, vertex->x, first, vertex->x, last, "lead");
  for (double y = info->fixed ? first : middle; y <= last + 1;
       y += info->fixed ? IFBAM_LAYOUT_ROW : INFINITY)
    {
      append (svg, "<g transform=\"translate(%s %s)%s\">", PX (vertex->x), PX (y),
              on_the_left ? "" : " scale(-1 1)");
      if (info->symbol != NULL)
        append (svg, "<path class=\"symbol\" d=\"%s\"/>", info->symbol);
      else
        append (svg, "<path class=\"symbol\" d=\"M0-12h-%sv24h%sz\"/>", PX (2 * half),
                PX (2 * half));
      append (svg, "</g>");
    }
  if (info->symbol == NULL)
    append_text (svg, vertex->x + (on_the_left ? -half : half), middle + 3.5, "class", "middle",
                 info->name);
  append_text (svg, vertex->x + (on_the_left ? -14 : 14), middle + (info->fixed ? 4 : 30), "name",
               on_the_left ? "end" : "start", vertex->name);
  append (svg, "</g>\n");
}

#define SUPPORT "M0-11v22M0-11l7 5M0-4l7 5M0 3l7 5"

/* Returns the distance from a node to the symbol of an element on it, without overlap of labels. */
static double
source_lead (const IfbamVertex *vertex)
{
  return MAX (IFBAM_LAYOUT_SOURCE_LEAD, vertex->width / 2 - half_symbol (vertex->words.info));
}

/* TRUE if an element on one body is a link with its other end fixed in the plane. */
static gboolean
ends_in_plane (const IfbamElementInfo *info)
{
  return info->kind == IFBAM_KIND_LINK && (info->forms & IFBAM_BETWEEN_ENDS) != 0;
}

static void
draw_source (const IfbamDiagramLayout *layout, GString *svg, const IfbamVertex *vertex)
{
  const IfbamVertex *parent = ifbam_diagram_layout_vertex (layout, vertex->parent);
  const double x = parent->x + parent->width, y = row_middle (vertex, 0);
  const double lead = source_lead (vertex);
  const double middle = x + lead + half_symbol (vertex->words.info);

  open_group (svg, "source", &vertex->words);
  append_lead (svg, x, y, x + lead, y, "lead");
  append_symbol (svg, vertex->words.info, middle, y, 0, FALSE);
  if (ends_in_plane (vertex->words.info))
    append (
        svg,
        "<g class=\"given\"><path class=\"symbol\" transform=\"translate(%s %s)\" d=\"%s\"/></g>",
        PX (middle + half_symbol (vertex->words.info)), PX (y), SUPPORT);
  append_text (svg, middle, y - 14, "name", "middle", vertex->name);
  append_text (svg, middle, y + 22, "value", "middle", vertex->words.value);
  append (svg, "</g>\n");
}

static gboolean
is_detour (const IfbamDiagramLayout *layout, const IfbamChord *chord)
{
  const IfbamVertex *a = ifbam_diagram_layout_vertex (layout, chord->from),
                    *b = ifbam_diagram_layout_vertex (layout, chord->to);

  return is_between (layout, a->row < b->row ? a : b, a->row < b->row ? b : a);
}

/* Draws links that close loops. Returns the number of links omitted because there are too many. */
static gsize
draw_chords (const IfbamDiagramLayout *layout, GString *svg)
{
  gsize around = 0;

  IFBAM_FOREACH (const IfbamChord, chord, layout->chords)
    around += is_detour (layout, chord) ? chord->links->len : 0;
  IFBAM_FOREACH (const IfbamChord, chord, layout->chords)
    if (around <= MAX_AROUND || !is_detour (layout, chord))
      draw_chord (layout, svg, chord);
  return around <= MAX_AROUND ? 0 : around;
}

static void
draw_vertex (const IfbamDiagramLayout *layout, GString *svg, const IfbamVertex *vertex)
{
  const IfbamVertex *parent = vertex->parent == IFBAM_NO_PARENT
                                  ? vertex
                                  : ifbam_diagram_layout_vertex (layout, vertex->parent);
  const double x = vertex->kind == IFBAM_VERTEX_CUT
                       ? parent->x + parent->width + IFBAM_LAYOUT_LENGTH / 3 + vertex->width / 2
                       : vertex->x + vertex->width / 2;

  if (vertex->parent != IFBAM_NO_PARENT)
    draw_branch (layout, svg, vertex);
  else if (vertex->kind == IFBAM_VERTEX_GIVEN)
    for (guint i = 0; i < vertex->links->len; i++)
      {
        const gsize link = g_array_index (vertex->links, gsize, i);

        draw_link (layout, svg, link, vertex->x, row_middle (vertex, i),
                   vertex->x + IFBAM_LAYOUT_LENGTH, row_middle (vertex, i),
                   layout->graph->right[link] == vertex->number);
      }
  switch (vertex->kind)
    {
    case IFBAM_VERTEX_FREE:
      draw_free (layout, svg, vertex);
      break;
    case IFBAM_VERTEX_GIVEN:
      draw_given (layout, svg, vertex);
      break;
    case IFBAM_VERTEX_SOURCE:
      draw_source (layout, svg, vertex);
      break;
    case IFBAM_VERTEX_RUN:
    case IFBAM_VERTEX_CUT:
    default:
      append (svg, "<g class=\"cut\">");
      append_text (svg, x, row_middle (vertex, 0) + 5, "dots", "middle", vertex->name);
      append_text (svg, x, row_middle (vertex, 0) + 22, "value", "middle", vertex->words.value);
      append (svg, "</g>\n");
      break;
    }
}

static void
append_description (const IfbamDiagramLayout *layout, GString *svg)
{
  const IfbamModel *model = layout->graph->model;
  const gsize n_links = model->n_links + ifbam_model_n_unbatched (model);

  append (svg, "<title id=\"diagram-title\">Diagram of the network</title>"
               "<desc id=\"diagram-description\">");
  append (svg,
          "%" G_GSIZE_FORMAT " free node%s, %" G_GSIZE_FORMAT " given node%s, %" G_GSIZE_FORMAT
          " link%s, %" G_GSIZE_FORMAT " source%s.",
          ifbam_model_n_named_free (model), ifbam_model_n_named_free (model) == 1 ? "" : "s",
          ifbam_model_n_given (model), ifbam_model_n_given (model) == 1 ? "" : "s", n_links,
          n_links == 1 ? "" : "s", model->n_sources, model->n_sources == 1 ? "" : "s");
  for (gsize i = 0; i < layout->graph->n_edges && layout->graph->n_edges <= MAX_TOLD; i++)
    {
      g_auto (IfbamElementLabels) words = ifbam_diagram_layout_edge_labels (layout, i);
      g_auto (IfbamElementLabels) left =
          ifbam_diagram_layout_node_labels (layout, layout->graph->left[i]);
      g_auto (IfbamElementLabels) right =
          ifbam_diagram_layout_node_labels (layout, layout->graph->right[i]);
      g_autofree char *text = g_markup_printf_escaped (
          " The %s %s joins %s and %s.", words.info->name, words.name, left.name, right.name);

      if (layout->graph->left[i] != layout->graph->right[i])
        g_string_append (svg, text);
    }
  append (svg, "</desc>\n");
}

static double
right_end (const IfbamDiagramLayout *layout, const IfbamVertex *vertex)
{
  const IfbamVertex *parent = vertex->parent == IFBAM_NO_PARENT
                                  ? vertex
                                  : ifbam_diagram_layout_vertex (layout, vertex->parent);

  switch (vertex->kind)
    {
    case IFBAM_VERTEX_SOURCE:
      return parent->x + parent->width + source_lead (vertex) + half_symbol (vertex->words.info)
             + MAX (vertex->width / 2, half_symbol (vertex->words.info));
    case IFBAM_VERTEX_CUT:
      return parent->x + parent->width + IFBAM_LAYOUT_LENGTH / 3 + vertex->width;
    case IFBAM_VERTEX_GIVEN:
      return vertex->x + (vertex->column == 0 ? 0 : 8 + vertex->width);
    case IFBAM_VERTEX_FREE:
    case IFBAM_VERTEX_RUN:
    default:
      return vertex->x + vertex->width;
    }
}

static char *
draw (const IfbamDiagramLayout *layout, gsize *left_out)
{
  GString *svg = g_string_new (NULL);
  const double height = layout->rows * IFBAM_LAYOUT_ROW
                        + (MAX (layout->roots->len, 1) - 1) * IFBAM_LAYOUT_TREE_GAP
                        + 2 * IFBAM_LAYOUT_MARGIN;
  double width = 0;

  IFBAM_FOREACH (const IfbamVertex, vertex, layout->vertices)
    width = MAX (width, right_end (layout, vertex) + IFBAM_LAYOUT_MARGIN);
  append (svg,
          "<svg class=\"diagram\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" "
          "style=\"--width:%spx\" width=\"%s\" height=\"%s\" role=\"img\" "
          "aria-labelledby=\"diagram-title diagram-description\">\n",
          PX (width), PX (height), PX (width), PX (width), PX (height));
  append_description (layout, svg);
  *left_out = draw_chords (layout, svg);
  IFBAM_FOREACH (const IfbamVertex, vertex, layout->vertices)
    draw_vertex (layout, svg, vertex);
  append (svg, "</svg>\n");
  return g_string_free (svg, FALSE);
}

char *
ifbam_diagram_svg (IfbamDiagram *diagram, const IfbamModel *model)
{
  g_autoptr (IfbamDiagramLayout) layout =
      ifbam_diagram_layout_new (model, diagram->wanted, diagram->n_wanted);

  diagram->drawn = layout->drawn;
  return draw (layout, &diagram->left_out);
}
