/* element.c: the base class of all elements: registration, properties
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"

#include <stdlib.h>
#include <string.h>

G_DEFINE_ABSTRACT_TYPE (IfbamElement, ifbam_element, G_TYPE_OBJECT)

static void
ifbam_element_finalize (GObject *object)
{
  IfbamElement *self = IFBAM_ELEMENT (object);
  const IfbamElementInfo *info = self->info;
  gpointer *slots = ifbam_element_slots (self);

  for (guint i = 0; i < info->n_params; i++)
    {
      gpointer value = ifbam_param_in_law (&info->params[i]) ? NULL : slots[info->params[i].place];

      if (value == NULL)
        continue;
      if (info->params[i].kind == IFBAM_PARAM_NUMBERS)
        g_variant_unref (value);
      else if (info->params[i].kind == IFBAM_PARAM_ELEMENTS)
        g_strfreev (value);
      else
        g_free (value);
    }
  if (self->extra != NULL)
    info->free_extra (self->extra);
  ifbam_element_drop_course (self);
  g_free (self->name);
  G_OBJECT_CLASS (ifbam_element_parent_class)->finalize (object);
}

void
ifbam_element_drop_course (IfbamElement *self)
{
  if (self->course == NULL)
    return;
  g_free ((gpointer) self->course->time);
  g_free ((gpointer) self->course->value);
  g_free ((gpointer) self->course->integral);
  g_clear_pointer (&self->course, g_free);
}

static void
ifbam_element_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  IfbamElement *self = IFBAM_ELEMENT (object);
  const IfbamParam *param;
  double *number;
  gpointer *slot;

  if (id == 0 || id > self->info->n_params)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
      return;
    }
  param = &self->info->params[id - 1];
  slot = &ifbam_element_slots (self)[ifbam_param_in_law (param) ? 0 : param->place];
  number = ifbam_param_in_law (param) ? ifbam_element_number (self, param) : NULL;
  self->set |= 1u << (id - 1);
  ifbam_element_count_change (self);
  switch (param->kind)
    {
    case IFBAM_PARAM_NUMBER:
      *number = g_value_get_double (value);
      break;
    case IFBAM_PARAM_CHOICE:
      *number = ifbam_param_word (param, g_value_get_string (value));
      if (g_value_get_string (value) == NULL && !ifbam_param_is_required (param))
        *number = param->standard;
      if (g_value_get_string (value) == NULL)
        self->set &= ~(1u << (id - 1));
      break;
    case IFBAM_PARAM_NUMBERS:
      g_clear_pointer (slot, g_variant_unref);
      *slot = g_value_dup_variant (value);
      break;
    case IFBAM_PARAM_ELEMENTS:
      g_strfreev (*slot);
      *slot = g_value_dup_boxed (value);
      break;
    case IFBAM_PARAM_TEXT:
      g_free (*slot);
      *slot = g_value_dup_string (value);
      break;
    }
  /* NULL takes a value back. */
  if (!ifbam_param_in_law (param) && *slot == NULL)
    self->set &= ~(1u << (id - 1));
}

static void
ifbam_element_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  IfbamElement *self = IFBAM_ELEMENT (object);
  const IfbamParam *param;
  gpointer slot;

  if (id == 0 || id > self->info->n_params)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
      return;
    }
  param = &self->info->params[id - 1];
  slot = ifbam_param_in_law (param) ? NULL : ifbam_element_slots (self)[param->place];
  switch (param->kind)
    {
    case IFBAM_PARAM_NUMBER:
      g_value_set_double (value, *ifbam_element_number (self, param));
      break;
    case IFBAM_PARAM_CHOICE:
      g_value_set_static_string (value,
                                 *ifbam_element_number (self, param) < 0
                                     ? NULL
                                     : param->words[(int) *ifbam_element_number (self, param)]);
      break;
    case IFBAM_PARAM_NUMBERS:
      g_value_set_variant (value, slot);
      break;
    case IFBAM_PARAM_ELEMENTS:
      g_value_set_boxed (value, slot);
      break;
    case IFBAM_PARAM_TEXT:
      g_value_set_string (value, slot);
      break;
    }
}

static void
ifbam_element_class_init (IfbamElementClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ifbam_element_finalize;
}

static void
ifbam_element_init (IfbamElement *self)
{
  (void) self;
}

guint32
ifbam_element_class_domains (const IfbamElementInfo *info)
{
  if (info->domain != IFBAM_DOMAIN_ANY)
    return 1u << info->domain;
  return info->domains != 0 ? info->domains : (1u << IFBAM_N_DOMAINS) - 1;
}

static void
registered_class_init (gpointer g_class, gpointer class_data)
{
  IfbamElementClass *klass = g_class;

  /* GObject clears these two in every derived class. */
  G_OBJECT_CLASS (klass)->set_property = ifbam_element_set_property;
  G_OBJECT_CLASS (klass)->get_property = ifbam_element_get_property;
  klass->info = class_data;
  for (guint i = 0; i < klass->info->n_params; i++)
    g_object_class_install_property (G_OBJECT_CLASS (klass), i + 1,
                                     ifbam_param_spec (&klass->info->params[i]));
}

static void
registered_instance_init (GTypeInstance *instance, gpointer g_class)
{
  IfbamElement *self = (IfbamElement *) instance;
  const IfbamElementInfo *info = ((IfbamElementClass *) g_class)->info;

  self->info = info;
  self->domains = ifbam_element_class_domains (info);
  for (guint i = 0; i < info->n_params; i++)
    {
      const IfbamParam *param = &info->params[i];

      if (ifbam_param_in_law (param))
        *ifbam_element_number (self, param) =
            ifbam_param_is_required (param) ? param->minimum : param->standard;
    }
}

static guint
slots_of (const IfbamElementInfo *info)
{
  guint n = info->n_slots;

  for (guint i = 0; i < info->n_params; i++)
    if (!ifbam_param_in_law (&info->params[i]))
      n = MAX (n, (guint) info->params[i].place + 1);
  return n;
}

GType
ifbam_element_register (const char *type_name, const IfbamElementInfo *info)
{
  GTypeInfo type = {
    .class_size = sizeof (IfbamElementClass),
    .class_init = registered_class_init,
    .class_data = info,
    .instance_size =
        (guint16) (sizeof (IfbamElement) + info->law_size + slots_of (info) * sizeof (gpointer)),
    .instance_init = registered_instance_init,
  };

  g_assert (info->n_params <= 32 && info->law_size <= IFBAM_MAX_LAW * sizeof (double));
  return g_type_register_static (IFBAM_TYPE_ELEMENT, type_name, &type, G_TYPE_FLAG_NONE);
}

const IfbamElementInfo *
ifbam_element_type_info (GType type)
{
  IfbamElementClass *klass = g_type_class_ref (type);
  const IfbamElementInfo *info = klass->info;

  g_type_class_unref (klass);
  return info;
}

/* Edits (insert, delete, replace, swap neighbours) that lead from a to b, at most `most`.
 * Damerau 1964; only short words are compared, so the plain recursion over a table will do. */
static guint
edit_distance (const char *a, const char *b, guint most)
{
  gsize n = strlen (a), m = strlen (b);
  guint rows[3][48];

  if (n >= 48 || m >= 48 || (n > m ? n - m : m - n) > most)
    return most + 1;
  for (gsize j = 0; j <= m; j++)
    rows[0][j] = (guint) j;
  for (gsize i = 1; i <= n; i++)
    {
      guint *now = rows[i % 3], *before = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];

      now[0] = (guint) i;
      for (gsize j = 1; j <= m; j++)
        {
          guint best = before[j - 1] + (a[i - 1] != b[j - 1]);

          best = MIN (best, before[j] + 1);
          best = MIN (best, now[j - 1] + 1);
          if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            best = MIN (best, twice[j - 2] + 1);
          now[j] = best;
        }
    }
  return rows[n % 3][m];
}

const char *
ifbam_nearest_word (const char *word, const char *const *candidates, gsize n)
{
  guint best = (guint) MAX (1, strlen (word) / 3) + 1;
  const char *nearest = NULL;

  for (gsize i = 0; i < n; i++)
    {
      guint distance = edit_distance (word, candidates[i], best);

      if (distance < best)
        {
          best = distance;
          nearest = candidates[i];
        }
    }
  return nearest;
}

IfbamElement *
ifbam_element_new (GType type, const char *name)
{
  IfbamElement *element = g_object_new (type, NULL);

  element->name = g_strdup (name);
  return element;
}

int
ifbam_element_param_index (const IfbamElementInfo *info, const char *key)
{
  for (guint i = 0; i < info->n_params; i++)
    if (g_str_equal (info->params[i].key, key))
      return (int) i;
  return -1;
}

const char *
ifbam_element_slot_key (const IfbamElementInfo *info, guint slot)
{
  for (guint i = 0; i < info->n_params; i++)
    if (!ifbam_param_in_law (&info->params[i]) && info->params[i].place == slot)
      return info->params[i].key;
  return NULL;
}

char *
ifbam_element_unit_text (const IfbamElementInfo *info, const IfbamParam *param)
{
  if (param->unit == NULL)
    return g_strdup ("");
  if (info->domain == IFBAM_DOMAIN_ANY && strchr (param->unit, '%') != NULL)
    {
      GString *text = g_string_new (NULL);

      for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
        {
          g_autofree char *unit = ifbam_domain_unit (d, param->unit);

          if (info->domains == 0 || info->domains >> d & 1)
            g_string_append_printf (text, "%s%s", text->len == 0 ? "" : " or ", unit);
        }
      return g_string_free (text, FALSE);
    }
  return ifbam_domain_unit (info->domain, param->unit);
}

char *
ifbam_element_course_fault (IfbamElement *self, const char *formula, const char **key)
{
  g_auto (GStrv) keys = g_strsplit (formula, ", ", -1);

  if (ifbam_element_slots (self)[IFBAM_SLOT_COURSE] == NULL)
    return NULL;
  for (guint i = 0; keys[i] != NULL; i++)
    if (ifbam_element_is_set (self, (guint) ifbam_element_param_index (self->info, keys[i])))
      {
        *key = "course";
        return g_strdup_printf ("goes without \"%s\": the course gives all of it", keys[i]);
      }
  return NULL;
}

int
ifbam_element_missing (const IfbamElement *self)
{
  for (guint i = 0; i < self->info->n_params; i++)
    if (ifbam_param_is_required (&self->info->params[i]) && !ifbam_element_is_set (self, i))
      return (int) i;
  return -1;
}

/**
 * ifbam_element_get_name:
 * @element: an element
 *
 * Returns: (transfer none): its name in the network
 */
const char *
ifbam_element_get_name (IfbamElement *self)
{
  g_return_val_if_fail (IFBAM_IS_ELEMENT (self), NULL);
  return self->name;
}

/**
 * ifbam_element_get_class_name:
 * @element: an element
 *
 * Returns: (transfer none): the name of its class as network files write it, such as "spring"
 */
const char *
ifbam_element_get_class_name (IfbamElement *self)
{
  g_return_val_if_fail (IFBAM_IS_ELEMENT (self), NULL);
  return self->info->name;
}
