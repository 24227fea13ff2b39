/* fmu-variables.c: variables of an FMU
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/fmu-variables.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "elements/registry.h"
#include "embed/fmu-list.h"
#include "linear/linear.h"
#include "file/file.h"

/* Each force input is a source of which the importer sets this key. */
#define INPUT_KEY     "value"
#define MAX_ELEMENTS 200000 /* nodes and links; with more, the description exceeds 100 MB */

static const char *
intern (char *text)
{
  const char *interned = g_intern_string (text);

  g_free (text);
  return interned;
}

/* Parameters */

typedef struct
{
  IfbamFmuContent *content;
  const IfbamModel *model;
  GHashTable *by_name;
  GString *list;
} Maker;

static void
add (const Maker *maker, IfbamFmuVariable *variable, char *in_list)
{
  variable->in_list = intern (in_list);
  g_string_append_printf (maker->list, "%s\n", variable->in_list);
  g_array_append_vals (maker->content->variables, variable, 1);
}

/* Returns the variable's name, "k1.stiffness". If a signal has this name, the parameter is its
 * start or a constant of the law, and gets a suffix: "m1.position.start". */
static const char *
name_of (const Maker *maker, const IfbamElement *element, const IfbamParam *param, gsize place,
         gsize n)
{
  g_autofree char *plain = g_strdup_printf ("%s.%s", element->name, param->key), *reason = NULL;
  const gboolean node =
      element->info->kind == IFBAM_KIND_FREE_NODE || element->info->kind == IFBAM_KIND_GIVEN_NODE;
  const char *unit;
  IfbamSignal signal;

  if (n > 1)
    return intern (g_strdup_printf ("%s[%" G_GSIZE_FORMAT "]", plain, place + 1));
  if (ifbam_signal_find (maker->model, maker->by_name, plain, &signal, &unit, &reason))
    return intern (g_strconcat (plain, node ? ".start" : ".value", NULL));
  return g_intern_string (plain);
}

static void
add_number (const Maker *maker, const IfbamElement *element, const IfbamParam *param, gsize place,
            gsize n, double number)
{
  g_autofree char *unit =
      ifbam_domain_unit (ifbam_model_element_domain (maker->model, element), param->unit);
  IfbamFmuVariable variable = { .kind = IFBAM_FMU_PARAMETER,
                                .unit = g_intern_string (unit == NULL ? "" : unit),
                                .meaning = param->meaning,
                                .start = number,
                                /* defaults may be outside, such as a length 0 */
                                .minimum = fmin (param->minimum, number),
                                .maximum = fmax (param->maximum, number) };

  /* Infinity is a word of the file, and no number for an importer. */
  if (!isfinite (number))
    return;
  variable.name = name_of (maker, element, param, place, n);
  add (maker, &variable,
       g_strdup_printf ("%s %s %s %" G_GSIZE_FORMAT, FMU_PARAMETER, element->name, param->key,
                        place));
}

static void
add_numbers (const Maker *maker, const IfbamElement *element)
{
  for (guint p = 0; p < element->info->n_params; p++)
    {
      const IfbamParam *param = &element->info->params[p];
      const double *list;
      gsize n;

      if (param->kind == IFBAM_PARAM_NUMBER)
        add_number (maker, element, param, 0, 1, *ifbam_element_value (element, param));
      if (param->kind != IFBAM_PARAM_NUMBERS || ifbam_element_slots (element)[param->offset] == NULL)
        continue;
      list = g_variant_get_fixed_array (ifbam_element_slots (element)[param->offset], &n,
                                        sizeof (double));
      for (gsize i = 0; i < n; i++)
        add_number (maker, element, param, i, n, list[i]);
    }
}

/* Inputs */

/* Returns a class of sources with a constant force; NULL: the domain has none. */
static const char *
find_source (IfbamDomain domain)
{
  guint n;
  const GType *types = ifbam_element_types (&n);

  for (guint i = 0; i < n; i++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[i]);

      if (info->kind == IFBAM_KIND_SOURCE && info->domain == domain && !info->fixed
          && ifbam_element_param_index (info, INPUT_KEY) >= 0)
        return info->name;
    }
  return NULL;
}

/* Returns the key of a given node's class that the input sets, or NULL. */
static const char *
find_motion_key (const IfbamElementInfo *info, const IfbamResponseInput *input)
{
  static const char *const orders[] = { "position", "velocity", "acceleration" };
  g_autofree char *quantity = g_strndup (input->name, strcspn (input->name, "@"));
  int param = ifbam_element_param_index (info, orders[input->order]);

  if (param < 0)
    param = ifbam_element_param_index (info, quantity);
  return param < 0 ? NULL : info->params[param].key;
}

/* Returns a class of given nodes that can move and has the parameters of `fixed`, or NULL. */
static const IfbamElementInfo *
find_moving_class (const IfbamElementInfo *fixed)
{
  guint n;
  const GType *types = ifbam_element_types (&n);

  for (guint i = 0; i < n; i++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[i]);
      gboolean fits = info->kind == IFBAM_KIND_GIVEN_NODE && !info->fixed && info->branch_link == NULL
                      && info->domain == fixed->domain;

      for (guint p = 0; p < fixed->n_params && fits; p++)
        fits = ifbam_element_param_index (info, fixed->params[p].key) >= 0;
      if (fits)
        return info;
    }
  return NULL;
}

/* Replaces the class of a fixed node in the network's text by one that can move. */
static void
make_movable (GString *network, const IfbamElementInfo *fixed, const IfbamElementInfo *moving,
          const char *name)
{
  g_autofree char *before = g_strdup_printf ("\n%s %s", fixed->name, name);
  g_autofree char *after = g_strdup_printf ("\n%s %s", moving->name, name);
  char *at = network->str;
  gsize place;

  do
    at = strstr (at + 1, before);
  while (at != NULL && strchr (" \n", at[strlen (before)]) == NULL);
  if (at == NULL) /* another input has done so */
    return;
  place = (gsize) (at - network->str);
  g_string_erase (network, (gssize) place, (gssize) strlen (before));
  g_string_insert (network, (gssize) place, after);
}

/* Stores the reason why model exchange is not available; the first one counts. Takes ownership. */
static void
set_hindrance (IfbamFmuContent *content, char *reason)
{
  if (content->hindrance == NULL)
    content->hindrance = reason;
  else
    g_free (reason);
}

/* Adds the motion of a given node. Returns the error, or NULL (transfer full). */
static char *
add_motion (const Maker *maker, const IfbamResponseInput *input, IfbamFmuVariable *variable,
            GString *network)
{
  gsize member;
  const IfbamElementInfo *info = ifbam_model_node_span (maker->model, input->node, &member)->info;
  const IfbamElementInfo *moving = info->fixed ? find_moving_class (info) : info;
  const char *key = moving == NULL ? NULL : find_motion_key (moving, input);
  g_autofree char *node = ifbam_model_node_name (maker->model, input->node);
  const IfbamDomainInfo *domain =
      ifbam_domain_info (ifbam_model_node_domain (maker->model, input->node));

  if (moving == NULL)
    return g_strdup_printf ("%s: the motion of %s %s can't be an input", input->name,
                            ifbam_element_article (info), info->name);
  if (key == NULL)
    return g_strdup_printf ("%s: the input of %s %s is its %s (want %s@%s)", input->name,
                            ifbam_element_article (info), info->name, domain->rate, domain->rate,
                            node);
  if (info->fixed)
    make_movable (network, info, moving, node);
  set_hindrance (maker->content, g_strdup_printf ("%s is an input", input->name));
  add (maker, variable, g_strdup_printf ("%s %s %s %u", FMU_MOTION, node, key, input->order));
  return NULL;
}

/* Returns the error, or NULL (transfer full). */
static char *
add_input (const Maker *maker, const char *text, GString *network)
{
  IfbamResponseInput input = { 0 };
  char *fault = ifbam_response_read_input (maker->model, maker->by_name, text, &input);
  g_autofree char *name = input.name, *node = NULL;
  const char *source;
  gsize member;
  IfbamFmuVariable variable = {
    .kind = IFBAM_FMU_INPUT, .meaning = "", .minimum = -G_MAXDOUBLE, .maximum = G_MAXDOUBLE
  };

  if (fault != NULL)
    return fault;
  for (guint i = 0; i < maker->content->variables->len; i++)
    if (g_str_equal (g_array_index (maker->content->variables, IfbamFmuVariable, i).name, name))
      return g_strdup_printf ("%s is there twice", name);
  variable.name = g_intern_string (name);
  variable.unit = g_intern_string (input.unit);
  if (input.motion)
    return add_motion (maker, &input, &variable, network);
  if (ifbam_model_node_span (maker->model, input.node, &member)->info->branch_link != NULL)
    return g_strdup_printf (
        "%s is between two nodes: links can't join it (want one of these)", text);
  source = find_source (ifbam_model_node_domain (maker->model, input.node));
  if (source == NULL)
    return g_strdup_printf ("%s: there is no source for it", text);
  node = ifbam_model_node_name (maker->model, input.node);
  g_string_append_printf (network, "%s %s on=%s\n", source, name, node);
  add (maker, &variable, g_strdup_printf ("%s %s %s", FMU_INPUT, name, INPUT_KEY));
  return NULL;
}

/* Outputs */

static void
add_outputs (const Maker *maker, const IfbamSignals *signals)
{
  for (guint i = 0; i < signals->signals->len; i++)
    {
      IfbamFmuVariable variable = { .kind = IFBAM_FMU_OUTPUT,
                                    .name = g_intern_string (signals->names->pdata[i]),
                                    .unit = g_intern_string (signals->units->pdata[i]),
                                    .meaning = "",
                                    .start = NAN,
                                    .minimum = -G_MAXDOUBLE,
                                    .maximum = G_MAXDOUBLE };

      add (maker, &variable, g_strdup_printf ("%s %s", FMU_OUTPUT, variable.name));
    }
}

/* Model exchange */

/* Finds properties of the network that an external integrator can't handle. */
static void
find_hindrance (const Maker *maker, const IfbamSignals *signals)
{
  const IfbamModel *model = maker->model;

  for (gsize i = 0; i < model->n_free && model->n_junctions > 0; i++)
    if (ifbam_model_is_junction (model, i))
      {
        g_autofree char *name = ifbam_model_node_name (model, i);

        set_hindrance (maker->content,
                        g_strdup_printf ("junction \"%s\" has no inertia, so no rate", name));
      }
  for (guint i = 0; i < signals->signals->len; i++)
    if (g_array_index (signals->signals, IfbamSignal, i).kind == IFBAM_SIGNAL_LINK_DISSIPATED)
      set_hindrance (maker->content, g_strdup_printf ("%s is an account of steps",
                                                       (const char *) signals->names->pdata[i]));
}

/* of: index, from 1 on, of the variable of which this is the derivative; 0: none. */
static void
add_local (const Maker *maker, IfbamFmuKind kind, char *name, const char *unit, const char *word,
           gsize place, guint of)
{
  IfbamFmuVariable variable = { .kind = kind,
                                .name = intern (name),
                                .unit = g_intern_string (unit),
                                .meaning = "",
                                .start = NAN,
                                .minimum = -G_MAXDOUBLE,
                                .maximum = G_MAXDOUBLE,
                                .of = of };

  add (maker, &variable, g_strdup_printf ("%s %" G_GSIZE_FORMAT, word, place));
}

/* Adds the states, in the order of embed/model-exchange.h, then the derivatives of the rates. */
static void
add_states (const Maker *maker)
{
  const IfbamModel *model = maker->model;
  const gsize n = ifbam_model_n_named_free (model);
  const guint first = maker->content->variables->len;

  for (guint turn = 0; turn < 3; turn++)
    for (gsize i = 0; i < (turn == 0 ? n : model->n_free); i++)
      {
        const gsize node = ifbam_model_free_node (model, i);
        const IfbamDomain of = ifbam_model_node_domain (model, node);
        const IfbamDomainInfo *domain =
            ifbam_domain_info (of < IFBAM_N_DOMAINS ? of : IFBAM_DOMAIN_TRANSLATION);
        g_autofree char *name = i < n ? ifbam_model_node_name (model, node)
                                      : g_strdup_printf ("state%" G_GSIZE_FORMAT, i - n + 1);

        if (turn == 0)
          add_local (maker, IFBAM_FMU_STATE, g_strconcat (name, ".coordinate", NULL),
                     domain->coordinate_unit, FMU_STATE, i, 0);
        else if (turn == 1)
          add_local (maker, IFBAM_FMU_STATE, g_strconcat (name, ".rate", NULL),
                     i < n ? domain->rate_unit : "", FMU_STATE, n + i,
                     i < n ? first + (guint) i + 1 : 0);
        else
          add_local (maker, IFBAM_FMU_RATE, g_strdup_printf ("der(%s.rate)", name),
                     i < n ? domain->acceleration_unit : "", FMU_RATE, n + i,
                     first + (guint) (n + i) + 1);
      }
}

/* Adds the external work, which is the last state. */
static void
add_work (const Maker *maker)
{
  const gsize place = ifbam_model_n_named_free (maker->model) + maker->model->n_free;
  const guint number = maker->content->variables->len + 1;

  add_local (maker, IFBAM_FMU_STATE, g_strdup ("network.work"), "J", FMU_STATE, place, 0);
  add_local (maker, IFBAM_FMU_RATE, g_strdup ("der(network.work)"), "W", FMU_RATE, place, number);
}

static void
add_indicators (const Maker *maker)
{
  for (guint j = 0; j < maker->model->unbatched_links->len; j++)
    for (guint g = 0; g < IFBAM_MAX_GUARDS; g++)
      add_local (maker, IFBAM_FMU_INDICATOR,
                 g_strdup_printf ("%s.guard%u",
                                  ifbam_unbatched_link (maker->model, j)->name, g + 1),
                 "", FMU_INDICATOR, (gsize) j * IFBAM_MAX_GUARDS + g, 0);
}

IfbamFmuContent *
ifbam_fmu_content_new (const IfbamNetwork *network, const IfbamModel *model,
                       const IfbamRunSpec *spec, const char *const *inputs,
                       const IfbamSignals *signals, GError **error)
{
  g_autoptr (IfbamFmuContent) content = g_new0 (IfbamFmuContent, 1);
  g_autoptr (GString) faults = g_string_new (NULL), text = g_string_new (NULL),
                      list = g_string_new (NULL);
  const Maker maker = { content, model, network->by_name, list };
  g_autofree char *core = NULL;

  for (guint i = 0; i < network->elements->len; i++)
    {
      const IfbamElement *element = network->elements->pdata[i];

      if (!element->info->has_columns)
        continue;
      return ifbam_fail_null (
          error, IFBAM_ERROR_USAGE,
          "--fmu: the values of \"%s\" are in a file, which an FMU can't contain (use a "
          "chain, or values in the network file)",
          element->name);
    }
  if (model->n_nodes + model->n_links > MAX_ELEMENTS)
    return ifbam_fail_null (error, IFBAM_ERROR_USAGE,
                            "--fmu: an FMU lists each number of %" G_GSIZE_FORMAT
                            " nodes and links (%u at most: other tools take minutes to read more; "
                            "--c and --columns take any number)",
                            model->n_nodes + model->n_links, MAX_ELEMENTS);
  core = ifbam_network_core_text (network, model, spec);
  content->variables = g_array_new (FALSE, FALSE, sizeof (IfbamFmuVariable));
  g_string_append (text, core);
  for (guint i = 0; i < network->elements->len; i++)
    add_numbers (&maker, network->elements->pdata[i]);
  for (guint i = 0; inputs != NULL && inputs[i] != NULL; i++)
    {
      g_autofree char *fault = add_input (&maker, inputs[i], text);

      if (fault != NULL)
        g_string_append_printf (faults, "%s%s", faults->len > 0 ? "; " : "", fault);
    }
  if (faults->len > 0)
    return ifbam_fail_null (error, IFBAM_ERROR_USAGE, "--input: %s", faults->str);
  add_outputs (&maker, signals);
  find_hindrance (&maker, signals);
  if (content->hindrance == NULL)
    {
      add_states (&maker);
      if (signals->balance)
        add_work (&maker);
      add_indicators (&maker);
    }
  content->text = g_string_free (g_steal_pointer (&text), FALSE);
  content->list = g_string_free (g_steal_pointer (&list), FALSE);
  return g_steal_pointer (&content);
}

void
ifbam_fmu_content_free (IfbamFmuContent *content)
{
  if (content == NULL)
    return;
  g_free (content->text);
  g_free (content->list);
  g_free (content->hindrance);
  g_clear_pointer (&content->variables, g_array_unref);
  g_free (content);
}
