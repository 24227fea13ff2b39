/* signal-quantities.c: quantities of nodes, links, sources and bodies, with their units
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/signal-quantities.h"

#include <string.h>

#define TRANSLATION (1u << IFBAM_DOMAIN_TRANSLATION)
#define ROTATION    (1u << IFBAM_DOMAIN_ROTATION)
#define ELECTRICITY (1u << IFBAM_DOMAIN_ELECTRICITY)
#define HYDRAULICS  (1u << IFBAM_DOMAIN_HYDRAULICS)
#define ANY_DOMAIN  (TRANSLATION | ROTATION | ELECTRICITY | HYDRAULICS)
#define WATCHER     (1u << IFBAM_DOMAIN_ANY) /* a link that reads a signal has no domain */
#define CONTROLLER  (1u << (IFBAM_DOMAIN_ANY + 1))

/* The default signal of a free node is the first one of its domain. */
static const IfbamQuantityInfo quantities[] = {
  { IFBAM_QUANTITY_OF_NETWORK, ANY_DOMAIN, "kinetic", IFBAM_SIGNAL_KINETIC, "kinetic energy",
    NULL },
  { IFBAM_QUANTITY_OF_NETWORK, ANY_DOMAIN, "potential", IFBAM_SIGNAL_POTENTIAL, "potential energy",
    NULL },
  { IFBAM_QUANTITY_OF_NETWORK, ANY_DOMAIN, "energy", IFBAM_SIGNAL_ENERGY, NULL, NULL },
  { IFBAM_QUANTITY_OF_NETWORK, ANY_DOMAIN, "dissipated", IFBAM_SIGNAL_DISSIPATED,
    "dissipated energy", NULL },
  { IFBAM_QUANTITY_OF_NETWORK, ANY_DOMAIN, "supplied", IFBAM_SIGNAL_SUPPLIED, "supplied energy",
    NULL },
  { IFBAM_QUANTITY_OF_NETWORK, ANY_DOMAIN, "momentum", IFBAM_SIGNAL_MOMENTUM, NULL, NULL },

  { IFBAM_QUANTITY_OF_NODE, TRANSLATION, "position", IFBAM_SIGNAL_POSITION, NULL, "velocity" },
  { IFBAM_QUANTITY_OF_NODE, TRANSLATION, "velocity", IFBAM_SIGNAL_RATE, NULL, NULL },
  { IFBAM_QUANTITY_OF_NODE, ROTATION, "angle", IFBAM_SIGNAL_POSITION, NULL, "speed" },
  { IFBAM_QUANTITY_OF_NODE, ROTATION, "speed", IFBAM_SIGNAL_RATE, NULL, NULL },
  { IFBAM_QUANTITY_OF_NODE, ELECTRICITY, "voltage", IFBAM_SIGNAL_RATE, NULL, NULL },
  { IFBAM_QUANTITY_OF_NODE, ELECTRICITY, "flux", IFBAM_SIGNAL_POSITION, NULL, "voltage" },
  { IFBAM_QUANTITY_OF_NODE, HYDRAULICS, "flow", IFBAM_SIGNAL_RATE, NULL, NULL },
  { IFBAM_QUANTITY_OF_NODE, HYDRAULICS, "volume", IFBAM_SIGNAL_POSITION, NULL, "flow" },
  { IFBAM_QUANTITY_OF_NODE, ANY_DOMAIN, "acceleration", IFBAM_SIGNAL_ACCELERATION, NULL, NULL },

  { IFBAM_QUANTITY_OF_MOVER, ELECTRICITY, "current", IFBAM_SIGNAL_NODE_FORCE, NULL, NULL },
  { IFBAM_QUANTITY_OF_MOVER, HYDRAULICS, "pressure", IFBAM_SIGNAL_NODE_FORCE, NULL, NULL },
  { IFBAM_QUANTITY_OF_MOVER, ANY_DOMAIN, "force", IFBAM_SIGNAL_NODE_FORCE, NULL, NULL },
  { IFBAM_QUANTITY_OF_MOVER, ROTATION, "torque", IFBAM_SIGNAL_NODE_FORCE, NULL, NULL },

  { IFBAM_QUANTITY_OF_LINK, ELECTRICITY, "current", IFBAM_SIGNAL_FORCE, NULL, NULL },
  { IFBAM_QUANTITY_OF_LINK, ELECTRICITY, "voltage", IFBAM_SIGNAL_LINK_RATE, NULL, NULL },
  { IFBAM_QUANTITY_OF_LINK, HYDRAULICS, "pressure", IFBAM_SIGNAL_FORCE, NULL, NULL },
  { IFBAM_QUANTITY_OF_LINK, HYDRAULICS, "flow", IFBAM_SIGNAL_LINK_RATE, NULL, NULL },
  { IFBAM_QUANTITY_OF_LINK, HYDRAULICS, "volume", IFBAM_SIGNAL_COMPRESSION, NULL, "flow" },
  { IFBAM_QUANTITY_OF_LINK, ANY_DOMAIN, "force", IFBAM_SIGNAL_FORCE, NULL, NULL },
  { IFBAM_QUANTITY_OF_LINK, ROTATION, "torque", IFBAM_SIGNAL_FORCE, NULL, NULL },
  { IFBAM_QUANTITY_OF_LINK, ANY_DOMAIN, "compression", IFBAM_SIGNAL_COMPRESSION, NULL, "rate" },
  { IFBAM_QUANTITY_OF_LINK, ANY_DOMAIN, "rate", IFBAM_SIGNAL_LINK_RATE, NULL, NULL },
  { IFBAM_QUANTITY_OF_LINK, ANY_DOMAIN | WATCHER, "mode", IFBAM_SIGNAL_MODE, NULL, NULL },
  { IFBAM_QUANTITY_OF_LINK, CONTROLLER, "output", IFBAM_SIGNAL_OUTPUT, NULL, NULL },
  { IFBAM_QUANTITY_OF_LINK, ANY_DOMAIN, "dissipated", IFBAM_SIGNAL_LINK_DISSIPATED,
    "dissipated energy", NULL },

  { IFBAM_QUANTITY_OF_SOURCE, ELECTRICITY, "current", IFBAM_SIGNAL_SOURCE_FORCE, NULL, NULL },
  { IFBAM_QUANTITY_OF_SOURCE, HYDRAULICS, "pressure", IFBAM_SIGNAL_SOURCE_FORCE, NULL, NULL },
  { IFBAM_QUANTITY_OF_SOURCE, ANY_DOMAIN, "force", IFBAM_SIGNAL_SOURCE_FORCE, NULL, NULL },
  { IFBAM_QUANTITY_OF_SOURCE, ROTATION, "torque", IFBAM_SIGNAL_SOURCE_FORCE, NULL, NULL },

  { IFBAM_QUANTITY_OF_BODY, TRANSLATION, "x", IFBAM_SIGNAL_POSITION, "position", "vx" },
  { IFBAM_QUANTITY_OF_BODY, TRANSLATION, "y", IFBAM_SIGNAL_POSITION, "position", "vy" },
  { IFBAM_QUANTITY_OF_BODY, TRANSLATION, "vx", IFBAM_SIGNAL_RATE, "velocity", NULL },
  { IFBAM_QUANTITY_OF_BODY, TRANSLATION, "vy", IFBAM_SIGNAL_RATE, "velocity", NULL },
  { IFBAM_QUANTITY_OF_BODY, ROTATION, "angle", IFBAM_SIGNAL_POSITION, NULL, "speed" },
  { IFBAM_QUANTITY_OF_BODY, ROTATION, "speed", IFBAM_SIGNAL_RATE, NULL, NULL },

  { IFBAM_QUANTITY_ON_TABLE, ROTATION, "turn-x", IFBAM_SIGNAL_RATE, "speed", NULL },
  { IFBAM_QUANTITY_ON_TABLE, ROTATION, "turn-y", IFBAM_SIGNAL_RATE, "speed", NULL },
};

const IfbamQuantityInfo *
ifbam_quantity_at (guint index)
{
  return index < G_N_ELEMENTS (quantities) ? &quantities[index] : NULL;
}

const IfbamQuantityInfo *
ifbam_quantity_find (IfbamQuantityOwner owner, guint domain, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    if (quantities[i].owner == owner && (quantities[i].domains >> domain & 1) != 0
        && (name == NULL || g_str_equal (quantities[i].name, name)))
      return &quantities[i];
  return NULL;
}

const IfbamQuantityInfo *
ifbam_quantity_of_node (const IfbamModel *model, gsize node, const char *name)
{
  const IfbamDomain domain = ifbam_model_node_domain (model, node);
  const IfbamQuantityInfo *quantity = ifbam_quantity_find (IFBAM_QUANTITY_OF_NODE, domain, name);

  if (quantity == NULL && (node >= model->n_free || ifbam_model_is_tied (model, node)))
    return ifbam_quantity_find (IFBAM_QUANTITY_OF_MOVER, domain, name);

  return quantity != NULL && quantity->kind == IFBAM_SIGNAL_ACCELERATION
                 && ifbam_model_is_junction (model, node)
             ? NULL
             : quantity;
}

/* Returns the first quantity with the name, of any owner. */
static const IfbamQuantityInfo *
ifbam_quantity_by_name (const char *signal)
{
  const char *dot = strrchr (signal, '.');

  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    if (g_str_equal (quantities[i].name, dot == NULL ? signal : dot + 1))
      return &quantities[i];
  return NULL;
}

const char *
ifbam_quantity_unit (const IfbamQuantityInfo *quantity, IfbamDomain domain)
{
  const IfbamDomainInfo *info =
      quantity->kind == IFBAM_SIGNAL_MODE || quantity->kind == IFBAM_SIGNAL_OUTPUT
          ? NULL
          : ifbam_domain_info (domain);

  switch (quantity->kind)
    {
    case IFBAM_SIGNAL_POSITION:
    case IFBAM_SIGNAL_PLACE:
    case IFBAM_SIGNAL_COMPRESSION:
      return info->coordinate_unit;
    case IFBAM_SIGNAL_RATE:
    case IFBAM_SIGNAL_PLACE_RATE:
    case IFBAM_SIGNAL_LINK_RATE:
      return info->rate_unit;
    case IFBAM_SIGNAL_ACCELERATION:
      return info->acceleration_unit;
    case IFBAM_SIGNAL_NODE_FORCE:
    case IFBAM_SIGNAL_FORCE:
    case IFBAM_SIGNAL_SOURCE_FORCE:
      return info->effort_unit;
    case IFBAM_SIGNAL_MOMENTUM:
      return info->momentum_unit;
    case IFBAM_SIGNAL_MODE:
    case IFBAM_SIGNAL_OUTPUT:
      return "";
    case IFBAM_SIGNAL_LINK_DISSIPATED:
    case IFBAM_SIGNAL_KINETIC:
    case IFBAM_SIGNAL_POTENTIAL:
    case IFBAM_SIGNAL_ENERGY:
    case IFBAM_SIGNAL_DISSIPATED:
    case IFBAM_SIGNAL_SUPPLIED:
    default:
      return "J";
    }
}

/* Appends "position, velocity, acceleration". */
static void
append_names (GString *text, IfbamQuantityOwner owner, guint domain)
{
  const gsize start = text->len;

  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    if (quantities[i].owner == owner && (quantities[i].domains >> domain & 1) != 0)
      g_string_append_printf (text, "%s%s", text->len > start ? ", " : "", quantities[i].name);
}

gboolean
ifbam_element_is_in_plane (const IfbamElementInfo *info)
{
  return info->n_coordinates > 0 || info->form == IFBAM_FORM_POINT;
}

guint
ifbam_quantity_domain_of_link (const IfbamElementInfo *info)
{
  return info->signal_slot != 0 && info->link->sample != NULL ? IFBAM_DOMAIN_ANY + 1 : info->domain;
}

static void
append_node_names (GString *text, const IfbamElementInfo *info, guint domain)
{
  append_names (text, IFBAM_QUANTITY_OF_NODE, domain);
  if (info->kind != IFBAM_KIND_GIVEN_NODE && info->branch_link == NULL)
    return;
  g_string_append (text, info->kind != IFBAM_KIND_GIVEN_NODE
                                 && !ifbam_param_is_required (
                                     &info->params[ifbam_element_param_index (info, "between")])
                             ? "; between two nodes also "
                             : ", ");
  append_names (text, IFBAM_QUANTITY_OF_MOVER, domain);
}

const char *
ifbam_signal_quantities (const IfbamElementInfo *info)
{
  g_autoptr (GString) text = g_string_new (NULL);

  switch (info->kind)
    {
    case IFBAM_KIND_GIVEN_NODE:
    case IFBAM_KIND_FREE_NODE:
      append_node_names (text, info, info->domain % IFBAM_N_DOMAINS);
      for (guint d = 1; d < IFBAM_N_DOMAINS && info->domain == IFBAM_DOMAIN_ANY; d++)
        {
          g_string_append_printf (text, "%sin %s: ", d == 1 ? " (" : "; ",
                                  ifbam_domain_info (d)->name);
          append_node_names (text, info, d);
        }
      g_string_append (text, info->domain == IFBAM_DOMAIN_ANY ? ")" : "");
      break;
    case IFBAM_KIND_LINK:
      append_names (text, IFBAM_QUANTITY_OF_LINK,
                    info->signal_slot == 0 ? info->domain % IFBAM_N_DOMAINS
                                           : ifbam_quantity_domain_of_link (info));
      for (guint k = 0; k < info->link->n_states; k++)
        g_string_append_printf (text, ", %s", info->link->states[k].name);
      for (const IfbamLaw *law = info->link->next; law != NULL; law = law->next)
        g_string_append_printf (text, ", %s.force, .rate, .mode, .dissipated", law->name);
      if (info->expands != NULL)
        g_string_append (text, "; or those of its elements, where it consists of such");
      break;
    case IFBAM_KIND_SOURCE:
      append_names (text, IFBAM_QUANTITY_OF_SOURCE, info->domain);
      break;
    case IFBAM_KIND_IMPULSE:
      return "nothing: its impulses are events";
    case IFBAM_KIND_COMPOSITE:
      if (!ifbam_element_is_in_plane (info))
        return "those of its elements";
      append_names (text, IFBAM_QUANTITY_OF_BODY, IFBAM_DOMAIN_TRANSLATION);
      if (info->n_coordinates > 2 || info->form_of != NULL)
        {
          g_string_append (text, info->form_of != NULL ? ", and with inertia " : ", ");
          append_names (text, IFBAM_QUANTITY_OF_BODY, IFBAM_DOMAIN_ROTATION);
        }
      if (info->form_of != NULL)
        {
          g_string_append (text, ", or on a table ");
          append_names (text, IFBAM_QUANTITY_ON_TABLE, IFBAM_DOMAIN_ROTATION);
        }
      break;
    case IFBAM_KIND_SETTINGS:
    default:
      append_names (text, IFBAM_QUANTITY_OF_NETWORK, 0);
    }
  return g_intern_string (text->str);
}

gboolean
ifbam_signal_unit (const char *signal, const char **name, const char **unit)
{
  const IfbamQuantityInfo *quantity = ifbam_quantity_by_name (signal);

  if (quantity == NULL)
    return FALSE;
  *name = quantity->title != NULL ? quantity->title : quantity->name;
  *unit = ifbam_quantity_unit (quantity, (IfbamDomain) g_bit_nth_lsf (quantity->domains, -1));
  return TRUE;
}

char *
ifbam_signal_rate (const char *signal)
{
  const IfbamQuantityInfo *quantity = ifbam_quantity_by_name (signal);

  if (quantity == NULL || quantity->rate == NULL)
    return NULL;
  return g_strdup_printf ("%.*s%s", (int) (strlen (signal) - strlen (quantity->name)), signal,
                          quantity->rate);
}
