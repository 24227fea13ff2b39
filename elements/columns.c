/* columns.c: masses, springs and dampers from a file of columns
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/columns.h"

#include <string.h>

#include "element/element.h"
#include "elements/elements.h"

static const IfbamParam columns_params[] = {
  IFBAM_PARAM_NEEDED_STRING (IFBAM_SLOT_FILE, "file",
                             "in HDF5, with the numbers of the masses NAME.m1, …, of the springs "
                             "NAME.k1, … and the dampers NAME.d1, …, row by row"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_OUTER, "outer", 1, G_MAXINT, 0,
                         "other nodes of its links: their indices follow those of its masses"),
};

static const struct
{
  GType (*type) (void);
  const char *letter;
  const char *keys[IFBAM_MAX_FILE_COLUMNS + 1];
} kinds[] = {
  [IFBAM_COLUMNS_MASS] = { ifbam_mass_get_type, "m", { "mass", "position", "velocity" } },
  [IFBAM_COLUMNS_SPRING] = { ifbam_spring_get_type, "k", { "stiffness", "quadratic", "cubic" } },
  [IFBAM_COLUMNS_DAMPER] = { ifbam_damper_get_type, "d", { "damping" } },
};

const IfbamElementInfo *
ifbam_columns_info (IfbamColumnsKind kind)
{
  return ifbam_element_type_info (kinds[kind].type ());
}

const char *const *
ifbam_columns_keys (IfbamColumnsKind kind)
{
  return kinds[kind].keys;
}

IfbamColumnsData *
ifbam_columns_data_new (void)
{
  return g_new0 (IfbamColumnsData, 1);
}

static void
free_part (IfbamRowsPart *part)
{
  g_clear_pointer (&part->nodes, g_array_unref);
  g_clear_pointer (&part->links, g_array_unref);
  g_free (part);
}

void
ifbam_columns_data_free (IfbamColumnsData *data)
{
  while (data != NULL)
    {
      IfbamColumnsData *earlier = data->earlier;

      for (guint k = 0; k < IFBAM_N_COLUMNS_KINDS; k++)
        for (guint c = 0; c < IFBAM_MAX_FILE_COLUMNS; c++)
          g_clear_pointer (&data->values[k][c], g_variant_unref);
      g_clear_pointer (&data->part, free_part);
      g_free (data->left);
      g_free (data->right);
      g_free (data->kinds);
      g_free (data->path);
      g_free (data);
      data = earlier;
    }
}

static void
columns_free_extra (gpointer extra)
{
  ifbam_columns_data_free (extra);
}

/* series: IFBAM_MAX_PARAMS, filled */
static IfbamMember
member_of (const IfbamColumnsData *data, IfbamColumnsKind kind, IfbamSeries *series)
{
  const IfbamElementInfo *info = ifbam_columns_info (kind);

  memset (series, 0, IFBAM_MAX_PARAMS * sizeof *series);
  for (guint c = 0; kinds[kind].keys[c] != NULL; c++)
    if (data->values[kind][c] != NULL)
      {
        IfbamSeries *own = &series[ifbam_element_param_index (info, kinds[kind].keys[c])];

        own->list = data->values[kind][c];
        own->values = g_variant_get_fixed_array (own->list, &own->length, sizeof (double));
      }
  return (IfbamMember){ .info = info, .letter = kinds[kind].letter, .series = series };
}

/* The file has been read before compilation, and errors are reported already. */
static void
columns_add_size (const IfbamElement *element, guint64 *nodes, guint64 *links)
{
  const IfbamColumnsData *data = element->extra;

  *nodes += data == NULL ? 0 : data->n_nodes;
  for (guint64 i = 0; data != NULL && i < data->n_links; i++)
    *links += (data->kinds[i] & 1) + (data->kinds[i] >> 1);
}

static void
columns_expand_nodes (IfbamElement *element, IfbamBuilder *builder)
{
  const IfbamColumnsData *data = element->extra;
  IfbamSeries series[IFBAM_MAX_PARAMS];
  IfbamMember member;

  if (data == NULL)
    return;
  member = member_of (data, IFBAM_COLUMNS_MASS, series);
  member.rows = data->part == NULL ? NULL : data->part->nodes;
  builder->add_nodes (builder, element, &member, data->n_nodes);
}

static void
columns_expand_links (IfbamElement *element, IfbamBuilder *builder)
{
  const IfbamColumnsData *data = element->extra;
  char *const *names = ifbam_element_slots (element)[IFBAM_SLOT_OUTER];
  const guint n_named_free = names == NULL ? 0 : g_strv_length ((char **) names);
  IfbamSeries series[2][IFBAM_MAX_PARAMS];
  g_autofree guint64 *outer = g_new (guint64, n_named_free + 1);
  gboolean found = data != NULL;

  for (guint i = 0; i < n_named_free; i++)
    {
      outer[i] = builder->find_node (builder, element, "outer", names[i]);
      found = found && outer[i] != IFBAM_NO_INDEX;
    }
  if (found && data->n_links > 0)
    {
      const IfbamMember members[2] = { member_of (data, IFBAM_COLUMNS_SPRING, series[0]),
                                       member_of (data, IFBAM_COLUMNS_DAMPER, series[1]) };
      const IfbamRows rows = { .n = data->part == NULL ? data->n_links : data->part->n_links,
                               .n_all = data->n_links,
                               .part = data->part,
                               .left = data->left,
                               .right = data->right,
                               .kinds = data->kinds,
                               .first = builder->first_node (builder, element),
                               .n_nodes = data->n_nodes,
                               .outer = outer,
                               .n_named_free = n_named_free };

      builder->add_rows (builder, element, members, &rows);
    }
}

static const IfbamElementInfo columns_info = {
  .name = "columns",
  .summary = "masses, springs and dampers from arrays in a file",
  .law = "those of mass, spring and damper",
  .source = "Grabysz 1994, fig. 1",
  .example = "[columns c]\nfile  = net.h5\nouter = wall\n",
  .kind = IFBAM_KIND_COMPOSITE,
  .domain = IFBAM_DOMAIN_ANY,
  .domains = 1u << IFBAM_DOMAIN_TRANSLATION,
  IFBAM_PARAMS_OF (columns),
  .has_columns = TRUE,
  .add_size = columns_add_size,
  .expand_nodes = columns_expand_nodes,
  .expand_links = columns_expand_links,
  .free_extra = columns_free_extra,
};

IFBAM_DEFINE_ELEMENT (Columns, columns)
