/* load.c: reads and compiles the networks of a command line
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/load.h"

#include "program/answer.h"
#include "run/run.h"

const char *
ifbam_command_start (const IfbamRunSpec *spec)
{
  return spec->cold ? "cold" : spec->start_position != NULL ? "equilibrium" : "warm";
}

#define MAX_NAMES 5

void
ifbam_command_note_nonlinear (GStrv names, const char *result)
{
  const guint n = g_strv_length (names);
  g_autofree char *list = NULL;

  for (guint i = MAX_NAMES; i < n; i++)
    g_clear_pointer (&names[i], g_free);
  list = g_strjoinv (", ", names);
  if (n > 0)
    g_printerr (
        "ifbam: note: %u link%s (%s%s) %s not linear: %s of small motions about the start\n", n,
        n == 1 ? "" : "s", list, n > MAX_NAMES ? ", ..." : "", n == 1 ? "is" : "are", result);
  g_strfreev (names);
}

void
ifbam_command_note_held (const char *result)
{
  g_printerr ("ifbam: note: the network is not at rest at its start: %s of it held there (--start "
              "equilibrium: of where it is at rest)\n",
              result);
}

void
ifbam_command_note_courses (const IfbamNetwork *network)
{
  static GHashTable *said;

  if (said == NULL)
    said = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < network->elements->len; i++)
    {
      g_autofree char *note =
          ifbam_element_course_note (network->folder, network->elements->pdata[i]);

      /* A command may read a network more than once. */
      if (note != NULL && g_hash_table_add (said, g_strdup (note)))
        g_printerr ("ifbam: note: %s\n", note);
    }
}

/* compiling: NULL: compiles the whole network. loaded: NULL: does not compile. */
static IfbamNetwork *
load (IfbamLoaded *loaded, const IfbamNetworkOptions *options, const char *path, gboolean records,
      const IfbamCompiling *compiling, GError **error)
{
  g_auto (GStrv) settings = ifbam_network_options_settings (options, error);
  const char *const *words = (const char *const *) settings;
  IfbamModel **model = loaded == NULL ? NULL : &loaded->model;
  IfbamRunSpec *spec = loaded == NULL ? NULL : &loaded->spec;
  IfbamSignals **signals = records ? &loaded->signals : NULL;
  g_autoptr (IfbamNetworkBytes) bytes =
      settings == NULL || compiling == NULL ? NULL : ifbam_network_bytes_new (path, error);
  IfbamNetwork *network = NULL;

  if (bytes != NULL)
    network = ifbam_network_new_compiled_by (bytes, words, compiling, model, spec, signals, error);
  else if (settings != NULL && compiling == NULL)
    network =
        ifbam_network_new_compiled (path, words, options->keeps_text, model, spec, signals, error);
  if (network != NULL)
    ifbam_command_note_courses (network);
  else if (options->record_is_signal && error != NULL
           && g_str_has_prefix ((*error)->message, "--record "))
    {
      g_autofree char *message = g_strconcat ("--signal ", (*error)->message + 9, NULL);

      g_free ((*error)->message);
      (*error)->message = g_steal_pointer (&message);
    }
  if (loaded == NULL || network == NULL)
    return network;
  loaded->path = path;
  loaded->title = ifbam_element_slots (network->settings)[IFBAM_SETTING_TITLE];
  return loaded->network = network;
}

gboolean
ifbam_load (IfbamLoaded *loaded, const IfbamNetworkOptions *options, const char *path,
            gboolean records, GError **error)
{
  return load (loaded, options, path, records, NULL, error) != NULL;
}

gboolean
ifbam_load_by (IfbamLoaded *loaded, const IfbamNetworkOptions *options, const char *path,
               const IfbamCompiling *compiling, GError **error)
{
  return load (loaded, options, path, TRUE, compiling, error) != NULL;
}

IfbamNetwork *
ifbam_command_load (const IfbamNetworkOptions *options, const char *path, GError **error)
{
  return load (NULL, options, path, FALSE, NULL, error);
}

void
ifbam_loaded_clear (IfbamLoaded *loaded)
{
  g_clear_object (&loaded->network);
  g_clear_pointer (&loaded->model, ifbam_model_free);
  g_clear_pointer (&loaded->signals, ifbam_signals_free);
  ifbam_run_spec_clear (&loaded->spec);
}

int
ifbam_loaded_fail (const IfbamLoaded *loaded, GError *error)
{
  g_prefix_error (&error, "%s: ", loaded->path);
  return ifbam_command_fail (error);
}

IfbamStability *
ifbam_command_stability_of (const IfbamLoaded *loaded, GError **error)
{
  IfbamStability *stability = ifbam_stability_new (loaded->model, &loaded->spec, FALSE, error);

  if (stability == NULL)
    g_prefix_error (error, "%s: ", loaded->path);
  return stability;
}
