/* element-object.c: elements as GObjects: classes, properties, creation
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/number-text.h"
#include "base/param-spec.h"
#include "element/element-info.h"

struct _IfbamElementClass
{
  GObjectClass parent_class;
  const IfbamElementInfo *info;
};

G_DEFINE_ABSTRACT_TYPE (IfbamElement, ifbam_element, G_TYPE_OBJECT)

static void
ifbam_element_finalize (GObject *object)
{
  ifbam_element_clear (IFBAM_ELEMENT (object));
  G_OBJECT_CLASS (ifbam_element_parent_class)->finalize (object);
}

static gboolean
read_factor (const IfbamParam *param, guint32 *domains, const char *text, double *factor,
             char **reason)
{
  char *end;

  (void) param, (void) domains, (void) reason;
  *factor = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0')
    *factor = NAN; /* rejected at compilation */
  return TRUE;
}

/* Terms that can't be split remain names with the factor 0; compilation rejects them. */
static void
split_property (IfbamElement *self, const IfbamParam *param, char **terms)
{
  g_autofree char *reason = NULL;

  memset (ifbam_element_law (self), 0, IFBAM_MAX_PORTS * sizeof (double));
  ifbam_element_split_terms (self, param, terms, read_factor, &reason);
}

/* Returns texts such as "2 * a" (transfer full). */
static char **
join_terms (char *const *names, const double *factors)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new ();

  for (guint i = 0; names[i] != NULL && i < IFBAM_MAX_PORTS; i++)
    g_ptr_array_add (terms, g_strdup_printf ("%s * %s", IFBAM_NUMBER (factors[i]), names[i]));
  g_ptr_array_add (terms, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&terms), FALSE);
}

static void
ifbam_element_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  IfbamElement *self = IFBAM_ELEMENT (object);
  const IfbamParam *param;
  double *parameter;
  gpointer *slot;

  (void) spec;
  g_assert (id > 0 && id <= self->info->n_params); /* as the class has installed them */
  param = &self->info->params[id - 1];
  slot = &ifbam_element_slots (self)[ifbam_param_in_law (param) ? 0 : param->offset];
  parameter = ifbam_param_in_law (param) ? ifbam_element_value (self, param) : NULL;
  self->set |= 1u << (id - 1);
  ifbam_element_count_change (self);
  switch (param->kind)
    {
    case IFBAM_PARAM_NUMBER:
      *parameter = g_value_get_double (value);
      break;
    case IFBAM_PARAM_CHOICE:
      *parameter = ifbam_param_word (param, g_value_get_string (value));
      if (g_value_get_string (value) == NULL && !ifbam_param_is_required (param))
        *parameter = param->standard;
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
      if (*slot != NULL && ifbam_param_has_factors (param))
        split_property (self, param, *slot);
      break;
    case IFBAM_PARAM_TEXT:
      g_free (*slot);
      *slot = g_value_dup_string (value);
      break;
    }
  /* NULL removes the value. */
  if (!ifbam_param_in_law (param) && *slot == NULL)
    self->set &= ~(1u << (id - 1));
}

static void
ifbam_element_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  IfbamElement *self = IFBAM_ELEMENT (object);
  const IfbamParam *param;
  gpointer slot;

  (void) spec;
  g_assert (id > 0 && id <= self->info->n_params); /* as the class has installed them */
  param = &self->info->params[id - 1];
  slot = ifbam_param_in_law (param) ? NULL : ifbam_element_slots (self)[param->offset];
  switch (param->kind)
    {
    case IFBAM_PARAM_NUMBER:
      g_value_set_double (value, *ifbam_element_value (self, param));
      break;
    case IFBAM_PARAM_CHOICE:
      g_value_set_static_string (value,
                                 *ifbam_element_value (self, param) < 0
                                     ? NULL
                                     : param->words[(int) *ifbam_element_value (self, param)]);
      break;
    case IFBAM_PARAM_NUMBERS:
      g_value_set_variant (value, slot);
      break;
    case IFBAM_PARAM_ELEMENTS:
      if (slot != NULL && ifbam_param_has_factors (param))
        g_value_take_boxed (value, join_terms (slot, ifbam_element_law (self)));
      else
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
  ifbam_element_begin ((IfbamElement *) instance, ((IfbamElementClass *) g_class)->info);
}

static GType
register_class (const char *type_name, const IfbamElementInfo *info)
{
  GTypeInfo type = {
    .class_size = sizeof (IfbamElementClass),
    .class_init = registered_class_init,
    .class_data = info,
    .instance_size = (guint16) ifbam_element_size (info),
    .instance_init = registered_instance_init,
  };

  return g_type_register_static (IFBAM_TYPE_ELEMENT, type_name, &type, G_TYPE_FLAG_NONE);
}

GType
ifbam_element_type (gsize *type, const char *type_name, const IfbamElementInfo *info)
{
  if (g_once_init_enter (type))
    g_once_init_leave (type, register_class (type_name, info));
  return *type;
}

const IfbamElementInfo *
ifbam_element_type_info (GType type)
{
  IfbamElementClass *klass = g_type_class_ref (type);
  const IfbamElementInfo *info = klass->info;

  g_type_class_unref (klass);
  return info;
}

IfbamElement *
ifbam_element_new (GType type, const char *name)
{
  IfbamElement *element = g_object_new (type, NULL);

  element->name = g_strdup (name);
  return element;
}

/**
 * ifbam_element_get_name:
 * @element: an element
 *
 * Returns the name.
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
 * Returns the class.
 *
 * Returns: (transfer none): the name of its class as network files write it, such as "spring"
 */
const char *
ifbam_element_get_class_name (IfbamElement *self)
{
  g_return_val_if_fail (IFBAM_IS_ELEMENT (self), NULL);
  return self->info->name;
}
