/* prepare-network.c: from a network or its file to a checked model with a step and a start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/prepare-network.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "dialogue/dialogue.h"
#include "engine/engine.h"
#include "file/file.h"
#include "linear/linear.h"

/* step = auto */
static void
choose_step (IfbamSettingsCheck *check, const IfbamModel *model, gboolean with_duration,
             IfbamRunSpec *spec)
{
  IfbamElement *element = check->settings;
  const IfbamSettingsLaw *law = (const IfbamSettingsLaw *) ifbam_element_law (element);
  g_autoptr (GError) error = NULL;
  const char *why = NULL;
  const double step = ifbam_auto_step (model, spec, law->duration, &why, &error);

  if (step == 0)
    ifbam_settings_fault (check, "step", g_strdup (error->message));
  else
    ifbam_settings_choose (element, step, why, with_duration, spec, ifbam_settings_fault, check);
}

/* Starts at the equilibrium, with the elements' velocities. If none exists the issue has no key:
 * the setting itself is valid. */
static void
find_rest (IfbamSettingsCheck *check, const IfbamModel *model, IfbamRunSpec *spec)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamEquilibrium) equilibrium = ifbam_equilibrium_new (model, spec, &error);

  if (equilibrium == NULL)
    g_array_append_vals (check->issues, &(IfbamIssue){ .text = g_strdup (error->message) }, 1);
  else
    {
      spec->start_position = g_steal_pointer (&equilibrium->position);
      spec->start_rate = g_steal_pointer (&equilibrium->rate);
    }
}

/* Returns the result of the last check (transfer full); NULL: the network has changed since. */
static IfbamChecked *
take_checked_model (IfbamNetwork *self, double names)
{
  g_autoptr (IfbamChecked) checked = g_atomic_pointer_get (&self->checked);

  if (checked == NULL || !g_atomic_pointer_compare_and_exchange (&self->checked, checked, NULL))
    {
      (void) g_steal_pointer (&checked);
      return NULL;
    }
  return checked->changes == self->home.changes && names <= checked->names
             ? g_steal_pointer (&checked)
             : NULL;
}

/* Returns TRUE if the check chose the step for the same scheme, start and duration. */
static gboolean
knows_step (const IfbamChecked *checked, const IfbamRunSpec *spec, double duration)
{
  const IfbamRunSpec *known = &checked->spec;

  return known->chosen != NULL && known->scheme == spec->scheme && known->cold == spec->cold
         && known->equilibrium == spec->equilibrium && known->up_to == spec->up_to
         && checked->duration == duration;
}

/* Elements to compile, and the nodes of a subnetwork (NULL: all). */
typedef struct
{
  const GPtrArray *elements;
  IfbamSubnetwork *subnetwork;
} Wanted;

/* Does not change the elements, as other threads may compile them, too. wanted NULL: all. */
static IfbamModel *
compile (IfbamNetwork *self, IfbamElement *settings, const Wanted *wanted, gboolean with_duration,
         IfbamRunSpec *spec, IfbamSignals **signals, GArray *issues)
{
  const GPtrArray *elements = wanted != NULL ? wanted->elements : self->elements;
  IfbamReader reader;
  const IfbamSettingsLaw *law = (const IfbamSettingsLaw *) ifbam_element_law (settings);
  IfbamSettingsCheck check = { settings, issues };
  g_autoptr (IfbamChecked) checked = NULL;
  g_autoptr (IfbamModel) model = NULL;
  char *reason = NULL;

  ifbam_settings_read (settings, with_duration, spec, ifbam_settings_fault, &check);
  reader = (IfbamReader){ ifbam_element_parse_number,
                          ifbam_element_read_course,
                          ifbam_element_read_formula,
                          self->folder,
                          ifbam_network_names_memory (spec, signals != NULL),
                          wanted == NULL ? NULL : wanted->subnetwork };
  checked = wanted != NULL ? NULL : take_checked_model (self, reader.node_memory);
  model = checked == NULL ? NULL : g_steal_pointer (&checked->model);
  for (guint i = 0; model == NULL && i < elements->len; i++)
    ifbam_element_check (elements->pdata[i], issues);
  if (model == NULL && reader.subnetwork == NULL
      && !ifbam_columns_read (self->folder, elements, issues))
    {
      /* Without columns the members are unknown. */
      if (signals != NULL)
        *signals = NULL;
      return NULL;
    }
  if (model == NULL)
    model = ifbam_model_new (elements, self->by_name, self->unknown, &reader, issues);
  ifbam_settings_fit (spec, model, ifbam_settings_fault, &check);
  if (spec->equilibrium && issues->len == 0 && checked != NULL
      && checked->spec.start_position != NULL)
    {
      spec->start_position = g_steal_pointer (&checked->spec.start_position);
      spec->start_rate = g_steal_pointer (&checked->spec.start_rate);
    }
  else if (spec->equilibrium && issues->len == 0 && !self->faulty)
    find_rest (&check, model, spec);
  if (isinf (spec->step) && issues->len == 0 && checked != NULL
      && knows_step (checked, spec, law->duration))
    ifbam_settings_choose (settings, checked->spec.proposed, checked->spec.chosen, with_duration,
                           spec, ifbam_settings_fault, &check);
  else if (isinf (spec->step) && issues->len == 0 && !self->faulty)
    choose_step (&check, model, with_duration, spec);
  if (with_duration && issues->len == 0 && isfinite (spec->step))
    ifbam_model_check_courses (model, (double) spec->last_step * spec->step, 1e-6 * spec->step,
                               issues);
  if (signals != NULL && model->refused)
    *signals = NULL;
  else if (signals != NULL)
    {
      *signals = ifbam_signals_new (model, self->by_name, spec->record, &reason);
      if (*signals == NULL)
        ifbam_settings_fault (&check, "record", reason);
    }
  return issues->len == 0 ? g_steal_pointer (&model) : NULL;
}

IfbamModel *
ifbam_network_compile (IfbamNetwork *self, gboolean with_duration, IfbamRunSpec *spec,
                       IfbamSignals **signals, GArray *issues)
{
  return compile (self, self->settings, NULL, with_duration, spec, signals, issues);
}

IfbamModel *
ifbam_network_compile_subnetwork (IfbamNetwork *self, const GPtrArray *elements,
                                  IfbamSubnetwork *subnetwork, IfbamRunSpec *spec,
                                  IfbamSignals **signals, GArray *issues)
{
  const Wanted wanted = { elements, subnetwork };

  return compile (self, self->settings, &wanted, TRUE, spec, signals, issues);
}

static IfbamModel *
compile_or_error (IfbamNetwork *self, IfbamElement *settings, gboolean with_duration,
                  IfbamRunSpec *spec, IfbamSignals **signals, GError **error)
{
  g_autoptr (GArray) issues = ifbam_issues_new ();
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  model = compile (self, settings, NULL, with_duration, spec, signals, issues);
  if (issues->len == 0)
    return g_steal_pointer (&model);
  for (guint i = 0; i < issues->len; i++)
    {
      g_autofree char *line = ifbam_issue_to_string (&g_array_index (issues, IfbamIssue, i));

      g_string_append_printf (text, "%s%s", i == 0 ? "" : "\n", line);
    }
  if (signals != NULL)
    g_clear_pointer (signals, ifbam_signals_free);
  return ifbam_fail_null (error, IFBAM_ERROR_NETWORK, "%s", text->str);
}

IfbamModel *
ifbam_network_compile_or_error (IfbamNetwork *self, gboolean with_duration, IfbamRunSpec *spec,
                                IfbamSignals **signals, GError **error)
{
  return compile_or_error (self, self->settings, with_duration, spec, signals, error);
}

/**
 * ifbam_network_check:
 * @network: a network
 * @error: return location for an error of the domain IFBAM_ERROR, with a line for each fault
 *
 * Finds all faults of a network, as a run does before it starts.
 *
 * Returns: whether @network could be run
 */
gboolean
ifbam_network_check (IfbamNetwork *self, GError **error)
{
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };

  g_return_val_if_fail (IFBAM_IS_NETWORK (self), FALSE);
  model = ifbam_network_compile_or_error (self, TRUE, &spec, &signals, error);
  if (model == NULL)
    return FALSE;
  ifbam_network_keep_checked (self, g_steal_pointer (&model), &spec);
  return TRUE;
}

IfbamModel *
ifbam_network_compile_as (IfbamNetwork *self, IfbamElement *settings, IfbamRunSpec *spec,
                          IfbamSignals **signals, GError **error)
{
  return compile_or_error (self, settings, TRUE, spec, signals, error);
}

/**
 * ifbam_network_reset:
 * @network: a network
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Sets the elements to the start of a dialogue, so that ifbam_element_master_from_left(),
 * ifbam_element_master_from_right() and ifbam_element_slave(), or ifbam_network_turn(), can follow.
 * In a network with events (impacts, frictions, switches, impulses) each cycle ends with
 * ifbam_network_settle().
 *
 * Returns: FALSE with @error set if the network has faults
 */
gboolean
ifbam_network_reset (IfbamNetwork *self, GError **error)
{
  g_return_val_if_fail (IFBAM_IS_NETWORK (self), FALSE);
  ifbam_network_end_dialogue (self);
  self->model = ifbam_network_compile_or_error (self, FALSE, &self->spec, NULL, error);
  if (self->model == NULL)
    return FALSE;
  self->home.dialogue = ifbam_dialogue_new (self->model, &self->spec);
  ifbam_dialogue_watch_elements (self->home.dialogue, &self->home, self->elements, self->settings);
  ifbam_dialogue_start (self->home.dialogue);
  return TRUE;
}

/* Networks from files */

static IfbamModel *
compile_whole (gpointer data, IfbamNetwork *network, IfbamRunSpec *spec, IfbamSignals **signals,
               GArray *issues)
{
  (void) data;
  return ifbam_network_compile (network, TRUE, spec, signals, issues);
}

static const IfbamCompiling whole = { compile_whole, NULL, ifbam_network_checksum };

IfbamNetwork *
ifbam_network_new_from_bytes (const IfbamNetworkBytes *bytes, const char *const *settings,
                              GError **error)
{
  g_autofree char *text = g_memdup2 (bytes->text, bytes->length + 1);

  return ifbam_network_read (bytes, text, settings, &whole, NULL, NULL, NULL, error);
}

/**
 * ifbam_network_new_from_data:
 * @data: (array length=length) (element-type guint8): the text of a network file
 * @length: its bytes
 * @folder: (type filename) (nullable): folder of course files with relative names; %NULL: the
 *   current folder
 * @settings: (array zero-terminated=1) (nullable): texts ELEMENT.KEY=VALUE or PARAMETER=VALUE that
 *   override the text's values
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Reads and checks a network, as ifbam_network_new_from_file(); messages call the text "network".
 *
 * Returns: (transfer full): the network, ready to run; NULL with @error set
 */
IfbamNetwork *
ifbam_network_new_from_data (const char *data, gsize length, const char *folder,
                             const char *const *settings, GError **error)
{
  g_autofree char *text = NULL;
  IfbamNetworkBytes bytes = { .path = (char *) "network",
                              .folder = (char *) folder,
                              .length = length };

  g_return_val_if_fail (data != NULL || length == 0, NULL);
  text = g_malloc (length + 1);
  if (length > 0)
    memcpy (text, data, length);
  text[length] = '\0';
  return ifbam_network_read (&bytes, text, settings, &whole, NULL, NULL, NULL, error);
}

IfbamNetwork *
ifbam_network_new_compiled (const char *path, const char *const *settings, gboolean keeps_text,
                            IfbamModel **model, IfbamRunSpec *spec, IfbamSignals **signals,
                            GError **error)
{
  g_autoptr (IfbamNetworkBytes) bytes = ifbam_network_bytes_new (path, error);
  g_autofree char *kept = NULL;
  IfbamNetwork *network;

  if (bytes == NULL)
    return NULL;
  if (keeps_text)
    kept = g_memdup2 (bytes->text, bytes->length + 1);
  network = ifbam_network_read (bytes, bytes->text, settings, &whole, model, spec, signals, error);
  if (network != NULL)
    network->text = g_steal_pointer (&kept);
  return network;
}

/**
 * ifbam_network_new_from_file:
 * @path: a network file; "-" is standard input
 * @settings: (array zero-terminated=1) (nullable): texts ELEMENT.KEY=VALUE or PARAMETER=VALUE that
 *   override the file's values
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Reads and checks a network. All faults are in the error's message, one line each, by line number:
 * "FILE:LINE: [class name] key: what is wrong". A fault in @settings has the code
 * IFBAM_ERROR_USAGE.
 *
 * Returns: (transfer full): the network, ready to run; NULL with @error set
 */
IfbamNetwork *
ifbam_network_new_from_file (const char *path, const char *const *settings, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  return ifbam_network_new_compiled (path, settings, FALSE, NULL, NULL, NULL, error);
}
