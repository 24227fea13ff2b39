/* any-class.c: element classes without their names: values at random, and small networks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "any-class.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "elements/registry.h"
#include "fixture.h"
#include "engine/engine.h"
#include "noise.h"
#include "file/file.h"

/* A number inside a parameter's range, of a size that one meets. */
double
in_range (const IfbamParam *param)
{
  /* A 1 now and then: a wrong power or factor shows. */
  double size = g_rand_int_range (noise, 0, 8) == 0 ? 1 : pow (10, between (-2, 3));

  if (param->minimum < 0 && g_rand_boolean (noise))
    size = -size;
  return fmin (fmax (size, param->minimum), param->maximum);
}

/* Increasing lists of one length, as most classes with several lists require. */
void
set_list (IfbamElement *element, const IfbamParam *param, gsize n)
{
  double numbers[6];

  for (gsize i = 0; i < n; i++)
    {
      gsize place = i;

      for (numbers[i] = in_range (param); place > 0 && numbers[place - 1] > numbers[place]; place--)
        {
          const double swap = numbers[place];

          numbers[place] = numbers[place - 1];
          numbers[place - 1] = swap;
        }
    }
  /* A list need not increase, but it may have to. */
  if (g_rand_boolean (noise))
    for (gsize i = 0; i < n; i++)
      numbers[i] = g_rand_boolean (noise) ? numbers[i] : in_range (param);
  g_object_set (element, param->key,
                g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n, sizeof (double)),
                NULL);
}

const char *
random_word (const IfbamParam *param)
{
  return param->words[g_rand_int_range (noise, 0, (gint32) g_strv_length ((char **) param->words))];
}

/* A parameter that a link between two nodes rejects: it applies to points of the plane. */
static gboolean
is_of_ends (const IfbamElementInfo *info, const IfbamParam *row)
{
  return info->link != NULL && info->link->ends != NULL && (info->forms & IFBAM_BETWEEN_NODES) != 0
         && ifbam_param_in_law (row) && row->offset >= info->link->first_of_ends * sizeof (double);
}

/* A parameter that a link between two nodes requires: a length that the plane would determine. */
static gboolean
is_needed (const IfbamElementInfo *info, const IfbamParam *row)
{
  return ifbam_param_is_required (row)
         || (info->link != NULL && info->link->own_length && ifbam_param_in_law (row)
             && row->offset == info->link->first_of_ends * sizeof (double));
}

gboolean
draw_value (IfbamElement *element, guint param, gsize n)
{
  const IfbamParam *row = &element->info->params[param];

  if (is_of_ends (element->info, row) && !is_needed (element->info, row))
    return FALSE;
  if (row->kind == IFBAM_PARAM_NUMBER)
    g_object_set (element, row->key,
                  !is_needed (element->info, row) && g_rand_boolean (noise) ? row->standard
                                                                            : in_range (row),
                  NULL);
  else if (row->kind == IFBAM_PARAM_NUMBERS)
    set_list (element, row, n);
  else if (row->kind == IFBAM_PARAM_CHOICE)
    g_object_set (element, row->key, random_word (row), NULL);
  else
    return FALSE;
  return TRUE;
}

void
draw_values (IfbamElement *element)
{
  const gsize n = (gsize) g_rand_int_range (noise, 1, 7);

  for (guint i = 0; i < element->info->n_params; i++)
    draw_value (element, i, n);
}

/* Random values depend on the class's name, not on other classes: a new class can't make another one's test fail. */
static void
draw_for (const char *name)
{
  g_rand_set_seed (noise, 1994 + g_str_hash (name));
}

void
each_class (ClassTest test, int kind)
{
  guint n;
  const GType *types = ifbam_element_types (&n);

  assert_true (n >= 20);
  for (guint i = 0; i < n; i++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[i]);

      draw_for (info->name);
      if (kind < 0
          || (kind == CLASS_IN_BATCHES ? ifbam_element_in_batches (info)
                                       : (int) info->kind == kind))
        test (types[i], info);
    }
  draw_for ("");
  if (kind < 0)
    test (ifbam_settings_get_type (), ifbam_settings_info ());
}

/* The free node class of a domain, and its inertia. */
const IfbamElementInfo *
free_node (IfbamDomain domain, const char **inertia)
{
  guint n;
  const GType *types = ifbam_element_types (&n);

  for (guint i = 0; i < n; i++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[i]);

      if (info->kind != IFBAM_KIND_FREE_NODE || info->domain != domain)
        continue;
      for (guint k = 0; k < info->n_params; k++)
        if (ifbam_param_is_required (&info->params[k]))
          *inertia = info->params[k].key;
      return info;
    }
  fail_msg ("no free node for %s", ifbam_domain_info (domain)->name);
  return NULL;
}

IfbamDomain
domain_of (const IfbamElementInfo *info)
{
  return info->domain == IFBAM_DOMAIN_ANY ? IFBAM_DOMAIN_TRANSLATION : info->domain;
}

IfbamDomain
domain_of_end (const IfbamElementInfo *info, guint end)
{
  return info->end_domains != NULL ? info->end_domains[end] : domain_of (info);
}

/* With its required parameters. */
static char *
whole_group (const IfbamElementInfo *info, const char *name)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "[%s %s]\n", info->name, name);
  for (guint i = 0; i < info->n_params; i++)
    if (info->params[i].kind == IFBAM_PARAM_NUMBER && is_needed (info, &info->params[i]))
      g_string_append_printf (text, "%s = 1\n", info->params[i].key);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The group of an element for a class's end: a node of its domain; for another form a ball
 * first, then a surface. */
static char *
end_group (const IfbamElementInfo *info, const char *name, guint end)
{
  const guint32 points = IFBAM_BETWEEN_NODES | IFBAM_ON_NODE; /* ends that may be nodes */
  const gboolean in_plane = (info->forms & IFBAM_BETWEEN_ENDS) != 0 && (info->forms & points) == 0;
  const guint form = in_plane ? (end == 0 ? IFBAM_FORM_POINT : IFBAM_FORM_BODY)
                     : ifbam_element_in_batches (info) || info->kind != IFBAM_KIND_LINK
                             || info->forms == 0 || info->forms & points
                         ? IFBAM_FORM_NODE
                     : end == 0 ? IFBAM_FORM_BALL
                                : IFBAM_FORM_SURFACE;
  const char *inertia = NULL;
  const IfbamElementInfo *node = free_node (domain_of_end (info, end), &inertia);
  guint n;
  const GType *types = ifbam_element_types (&n);

  if ((info->forms & IFBAM_ON_TABLE) != 0)
    return g_strdup_printf ("[ball %s]\nmass = 1\nradius = 1\ninertia = solid\ntable = yes\n",
                            name);
  for (guint i = 0; i < n && form != IFBAM_FORM_NODE; i++)
    {
      const IfbamElementInfo *other = ifbam_element_type_info (types[i]);

      if (other->form == form)
        return whole_group (other, name);
    }
  /* A ton of oil in a pipe of a square metre */
  return g_strdup_printf ("[%s %s]\n%s = %s\n", node->name, name, inertia,
                          node->domain == IFBAM_DOMAIN_HYDRAULICS ? "1e3" : "1");
}

gboolean
has_no_inertia (const IfbamElementInfo *info)
{
  return info->kind == IFBAM_KIND_FREE_NODE && info->domain == IFBAM_DOMAIN_ANY;
}

gboolean
is_always_tied (const IfbamElementInfo *info)
{
  return info->branch_link != NULL
         && ifbam_param_is_required (&info->params[ifbam_element_param_index (info, "between")]);
}

/* The file that the example of columns names: two masses, between which there is a spring with a damper. */
static void
write_columns (void)
{
  static double mass[] = { 1, 2 }, position[] = { 0.1, 0 }, velocity[] = { 0, -1 };
  static double stiffness[] = { 100, 50 }, cubic[] = { 0, 3 }, damping[] = { 1, NAN };
  static guint32 left[] = { 2, 0 }, right[] = { 0, 1 };
  double *const values[] = { mass, position, velocity, stiffness, cubic, damping };
  const guint kind[] = { 0, 0, 0, 1, 1, 2 }, column[] = { 0, 1, 2, 0, 2, 0 };
  IfbamColumnsData data = { .n_nodes = 2, .n_links = 2, .left = left, .right = right };
  g_autofree char *path = folder_path ("net.h5");

  for (guint k = 0; k < G_N_ELEMENTS (values); k++)
    data.values[kind[k]][column[k]] = g_variant_ref_sink (
        g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, values[k], 2, sizeof (double)));
  assert_true (ifbam_columns_file_write (path, &data, NULL));
  for (guint k = 0; k < G_N_ELEMENTS (values); k++)
    g_variant_unref (data.values[kind[k]][column[k]]);
}

char *
example_network (const IfbamElementInfo *info)
{
  g_autoptr (GString) text = g_string_new ("[network]\nstep = 1 ms\nduration = 20 ms\n");
  g_auto (GStrv) lines = g_strsplit (info->example, "\n", -1);
  const char *inertia = NULL;
  const IfbamElementInfo *node = free_node (domain_of (info), &inertia);

  assert_true (g_str_has_prefix (info->example, "["));
  assert_true (g_str_has_suffix (info->example, "\n"));
  if (info->kind == IFBAM_KIND_SETTINGS)
    return g_strdup_printf ("%s[%s m1]\n%s = 1\n", info->example, node->name, inertia);
  assert_true (strncmp (lines[0] + 1, info->name, strlen (info->name)) == 0);
  if (has_no_inertia (info))
    g_string_append (text, "scheme = esdirk4\n");
  if (info->has_columns)
    write_columns ();
  g_string_append (text, info->example);
  if (has_no_inertia (info))
    g_string_append_printf (
        text, "[ground floor]\n[damper pot]\ndamping = 1\nbetween = %.*s, floor\n",
        (int) (strchr (lines[0], ']') - strchr (lines[0], ' ') - 1), strchr (lines[0], ' ') + 1);
  if (info->damps)
    g_string_append (text, "[ground wall]\n[mass m1]\nmass = 1\nposition = 0.1\n[spring k1]\n"
                           "stiffness = 100\nbetween = wall, m1\n");
  for (guint i = 1; lines[i] != NULL; i++)
    {
      g_auto (GStrv) halves = g_strsplit (lines[i], "=", 2);
      g_auto (GStrv) names = NULL;
      int param;

      if (halves[0] == NULL || halves[1] == NULL)
        continue;
      param = ifbam_element_param_index (info, g_strstrip (halves[0]));
      assert_true (param >= 0);
      /* A signal names an element, too. */
      if (info->signal_slot != 0 && info->params[param].offset == info->signal_slot
          && !ifbam_param_in_law (&info->params[param]))
        strchr (halves[1], '.')[0] = '\0';
      else if (info->params[param].kind != IFBAM_PARAM_ELEMENTS)
        continue;
      names = g_strsplit (halves[1], ",", -1);
      for (guint k = 0; names[k] != NULL; k++)
        {
          char *star = strchr (names[k], '*');
          g_autofree char *group =
              end_group (info, g_strstrip (star != NULL ? star + 1 : names[k]), k);

          g_string_append (text, group);
        }
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
