/* network-object.c: a network as a GObject, and its dialogue by hand
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/network.h"

#include "base/fail.h"
#include "base/param-spec.h"
#include "dialogue/dialogue.h"
#include "elements/registry.h"
#include "file/element-text.h"

/**
 * IfbamNetwork:
 *
 * Elements, their connections, and run settings: the contents of a network file.
 *
 * Its properties are the values of the file's group [network].
 */
G_DEFINE_FINAL_TYPE (IfbamNetwork, ifbam_network, G_TYPE_OBJECT)

void
ifbam_network_end_dialogue (IfbamNetwork *self)
{
  g_clear_pointer (&self->home.dialogue, ifbam_dialogue_free);
  g_clear_pointer (&self->model, ifbam_model_free);
  ifbam_run_spec_clear (&self->spec);
}

static void
ifbam_network_finalize (GObject *object)
{
  ifbam_network_end_dialogue (IFBAM_NETWORK (object));
  ifbam_network_clear (IFBAM_NETWORK (object));
  G_OBJECT_CLASS (ifbam_network_parent_class)->finalize (object);
}

/* The network's properties are those of its settings. */
static void
ifbam_network_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  (void) id;
  g_object_set_property (G_OBJECT (IFBAM_NETWORK (object)->settings), spec->name, value);
}

static void
ifbam_network_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  (void) id;
  g_object_get_property (G_OBJECT (IFBAM_NETWORK (object)->settings), spec->name, value);
}

static void
ifbam_network_class_init (IfbamNetworkClass *klass)
{
  const IfbamElementInfo *settings = ifbam_settings_info ();

  G_OBJECT_CLASS (klass)->finalize = ifbam_network_finalize;
  G_OBJECT_CLASS (klass)->set_property = ifbam_network_set_property;
  G_OBJECT_CLASS (klass)->get_property = ifbam_network_get_property;
  /**
   * IfbamNetwork:format:
   *
   * The version of the file format; 2.
   */
  /**
   * IfbamNetwork:title:
   *
   * A title of the network.
   */
  /**
   * IfbamNetwork:scheme:
   *
   * The time scheme, such as "verlet"; %NULL: the standard.
   */
  /**
   * IfbamNetwork:step:
   *
   * The time step [s]; infinite: chosen from the network's modes.
   */
  /**
   * IfbamNetwork:tolerance:
   *
   * The relative error tolerance of schemes with an error estimate; 0: constant steps.
   */
  /**
   * IfbamNetwork:duration:
   *
   * The time of the last sample [s].
   */
  /**
   * IfbamNetwork:start:
   *
   * The kind of start: "warm", "cold" or "equilibrium"; %NULL: warm.
   */
  /**
   * IfbamNetwork:record:
   *
   * The recorded signals, comma-separated, with patterns; %NULL: the first of every free node.
   */
  /**
   * IfbamNetwork:sample:
   *
   * The interval between samples [s]; 0: every step.
   */
  /**
   * IfbamNetwork:up-to:
   *
   * The highest frequency of interest for a step that is chosen [Hz]; 0: the fastest mode's.
   */
  for (guint i = 0; i < settings->n_params; i++)
    g_object_class_install_property (G_OBJECT_CLASS (klass), i + 1,
                                     ifbam_param_spec (&settings->params[i]));
}

static void
ifbam_network_init (IfbamNetwork *self)
{
  ifbam_network_begin (self);
}

/**
 * ifbam_network_new:
 *
 * Creates a network without elements.
 *
 * Returns: (transfer full): a network without elements
 */
IfbamNetwork *
ifbam_network_new (void)
{
  return g_object_new (IFBAM_TYPE_NETWORK, NULL);
}

/**
 * ifbam_network_add:
 * @network: a network
 * @class_name: the class's name in network files, such as "spring"
 * @name: the new element's name
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Adds an element; its parameters are set by its properties or ifbam_element_set_text().
 *
 * Returns: (transfer none): the element, owned by @network; %NULL: a wrong class or name
 */
IfbamElement *
ifbam_network_add (IfbamNetwork *self, const char *class_name, const char *name, GError **error)
{
  GType type;
  IfbamElement *element;

  g_return_val_if_fail (IFBAM_IS_NETWORK (self) && class_name != NULL && name != NULL, NULL);
  if (ifbam_element_info_by_name (class_name, &type) == NULL)
    return ifbam_fail_null (error, IFBAM_ERROR_USAGE, "there is no class \"%s\"", class_name);
  if (!ifbam_network_name_is_valid (name))
    return ifbam_fail_null (
        error, IFBAM_ERROR_USAGE,
        "\"%s\" is no name (want letters, digits, _ and -, a letter or _ first)", name);
  element = ifbam_element_new (type, name);
  if (!ifbam_network_take (self, element))
    {
      g_object_unref (element);
      return ifbam_fail_null (error, IFBAM_ERROR_USAGE, "there is a \"%s\" already", name);
    }
  return element;
}

/**
 * ifbam_network_join:
 * @network: a network
 * @link: a link in it
 * @left: the node on its left
 * @right: the node on its right
 *
 * Joins two nodes by a link: the same as the key `between` in a file.
 */
void
ifbam_network_join (IfbamNetwork *self, IfbamElement *link, IfbamElement *left, IfbamElement *right)
{
  const char *names[3] = { NULL };

  g_return_if_fail (IFBAM_IS_NETWORK (self) && IFBAM_IS_ELEMENT (link) && IFBAM_IS_ELEMENT (left)
                    && IFBAM_IS_ELEMENT (right));
  g_return_if_fail (link->info->kind == IFBAM_KIND_LINK
                    && !ifbam_element_is_one_ended (link->info));
  names[0] = left->name;
  names[1] = right->name;
  g_object_set (link, "between", names, NULL);
}

/**
 * ifbam_network_get_element:
 * @network: a network
 * @name: a name
 *
 * Finds an element by its name.
 *
 * Returns: (transfer none) (nullable): the element of this name
 */
IfbamElement *
ifbam_network_get_element (IfbamNetwork *self, const char *name)
{
  g_return_val_if_fail (IFBAM_IS_NETWORK (self) && name != NULL, NULL);
  return g_hash_table_lookup (self->by_name, name);
}

/**
 * ifbam_network_list_elements:
 * @network: a network
 * @n_elements: (out) (optional): their number
 *
 * Lists the elements.
 *
 * Returns: (transfer container) (array length=n_elements): the elements, in the order of the file
 *   or of their addition; without members of composites
 */
IfbamElement **
ifbam_network_list_elements (IfbamNetwork *self, gsize *n_elements)
{
  g_return_val_if_fail (IFBAM_IS_NETWORK (self), NULL);
  if (n_elements != NULL)
    *n_elements = self->elements->len;
  return g_memdup2 (self->elements->pdata, self->elements->len * sizeof (gpointer));
}

/**
 * ifbam_network_remove:
 * @network: a network
 * @element: an element of it
 *
 * Removes an element from @network. Elements that name it (in the key `between` of a link, `on` of
 * a source) are unchanged: until they are changed, or another element has the name,
 * ifbam_network_check() reports errors. Ends a dialogue.
 */
void
ifbam_network_remove (IfbamNetwork *self, IfbamElement *element)
{
  g_return_if_fail (IFBAM_IS_NETWORK (self) && IFBAM_IS_ELEMENT (element));
  g_return_if_fail (g_hash_table_lookup (self->by_name, element->name) == element);
  ifbam_network_end_dialogue (self);
  for (guint i = self->uses->len; i-- > 0;)
    if (g_array_index (self->uses, IfbamParameterUse, i).element == element)
      g_array_remove_index (self->uses, i);
  g_hash_table_remove (self->by_name, element->name);
  element->context = NULL;
  self->home.changes++;
  g_ptr_array_remove (self->elements, element);
}

/**
 * ifbam_network_get_settings:
 * @network: a network
 *
 * Returns the group [network] of a file: properties `step`, `duration`, `scheme`, `start`,
 * `record`, `sample`, `title`.
 *
 * Returns: (transfer none): the settings, owned by @network
 */
IfbamElement *
ifbam_network_get_settings (IfbamNetwork *self)
{
  g_return_val_if_fail (IFBAM_IS_NETWORK (self), NULL);
  return self->settings;
}

/**
 * ifbam_network_turn:
 * @network: a network after ifbam_network_reset()
 *
 * Does one turn of the dialogue: all elements speak (master), then all compute (slave). A cycle, or
 * step, is one turn under a flip-flop scheme, else two turns per stage.
 */
void
ifbam_network_turn (IfbamNetwork *self)
{
  g_return_if_fail (IFBAM_IS_NETWORK (self) && self->home.dialogue != NULL);
  ifbam_dialogue_master (self->home.dialogue);
  ifbam_dialogue_slave (self->home.dialogue);
}

/**
 * ifbam_network_settle:
 * @network: a network after ifbam_network_reset() and a cycle of turns
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Processes the events of the last cycle: impacts, end of sticking, toggled switches. The elements
 * concerned go back, step to the time of the event, exchange impulses, determine the active
 * constraints, and finish the cycle. Without events the cycle is unchanged.
 *
 * Returns: %FALSE if an element is not at the end of its cycle (%IFBAM_ERROR_USAGE), or if no
 *   active constraints were found (%IFBAM_ERROR_NETWORK)
 */
gboolean
ifbam_network_settle (IfbamNetwork *self, GError **error)
{
  const char *late;
  g_autofree char *reason = NULL;

  g_return_val_if_fail (IFBAM_IS_NETWORK (self) && self->home.dialogue != NULL, FALSE);
  late = ifbam_dialogue_unfinished (self->home.dialogue);
  if (late != NULL)
    return ifbam_fail (error, IFBAM_ERROR_USAGE, "\"%s\" is not at the end of its cycle", late);
  reason = ifbam_dialogue_settle (self->home.dialogue);
  if (reason == NULL)
    return TRUE;
  return ifbam_fail (error, IFBAM_ERROR_NETWORK, "%s", reason);
}

/**
 * ifbam_element_set_text:
 * @element: an element
 * @key: a key of its class, such as "stiffness"
 * @text: the value as a network file would have it, such as "10 kN/m"
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Sets a parameter from a text, with its unit checked and converted. (The GObject property of the
 * same name takes the number in SI.)
 *
 * Returns: FALSE with @error set when there is no such key or the text is no such value
 */
gboolean
ifbam_element_set_text (IfbamElement *self, const char *key, const char *text, GError **error)
{
  g_autofree char *reason = NULL;
  int index;

  g_return_val_if_fail (IFBAM_IS_ELEMENT (self) && key != NULL && text != NULL, FALSE);
  index = ifbam_element_param_index (self->info, key);
  if (index < 0)
    return ifbam_fail (error, IFBAM_ERROR_USAGE, "[%s %s] has no key \"%s\"", self->info->name,
                       self->name, key);
  if (!ifbam_element_parse (self, (guint) index, text, &reason))
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "[%s %s] %s: %s", self->info->name, self->name,
                       key, reason);
  return TRUE;
}
