/* command-export.c: ifbam export: writes a network for another program
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command.h"

#include <string.h>

#include "embed/embed.h"
#include "file/file.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "linear/linear.h"

typedef struct
{
  IfbamNetworkOptions network;
  gboolean fmu, c, columns, state_space;
  int version;              /* of FMI; 0: not given */
  char **inputs, **outputs; /* NULL: not given */
  char *file;
} Options;

static void
options_clear (Options *options)
{
  ifbam_network_options_clear (&options->network);
  g_strfreev (options->inputs);
  g_strfreev (options->outputs);
  g_free (options->file);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static gboolean
write_fmu (const Options *options, const IfbamLoaded *loaded, GError **error)
{
  g_autoptr (IfbamFmuContent) content =
      ifbam_fmu_content_new (loaded->network, loaded->model, &loaded->spec,
                             (const char *const *) options->inputs, loaded->signals, error);
  const char *title = loaded->title;
  g_autofree char *identifier = ifbam_fmu_identifier (options->file);
  const IfbamFmuNames names = { (guint) options->version, identifier,
                                title != NULL && title[0] != '\0' ? title : identifier, NULL };
  g_autoptr (IfbamOutput) output = NULL;

  if (content == NULL)
    return FALSE;
  if (content->hindrance != NULL)
    g_printerr ("ifbam: note: %s: the FMU is for co-simulation only\n", content->hindrance);
  output = ifbam_output_new (options->file, error);
  return output != NULL && ifbam_fmu_write (output, content, &loaded->spec, &names, error)
         && ifbam_output_finish (output, error);
}

static gboolean
write_c (const Options *options, const IfbamLoaded *loaded, GError **error)
{
  const char *title = loaded->title;
  g_autofree char *fault = ifbam_c_fault (loaded->model, &loaded->spec), *unheard = NULL,
                  *text = NULL, *first = NULL, *name = g_path_get_basename (options->file);

  if (fault != NULL)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "--c: %s, which a C file alone can't do (--fmu can)", fault);
  unheard = ifbam_c_signals_fault (loaded->signals);
  if (unheard != NULL)
    return ifbam_fail (error, IFBAM_ERROR_USAGE, "--c: %s", unheard);
  first = g_strdup_printf ("%s: %s", name,
                           title != NULL && title[0] != '\0' ? title : "a network of ifbam");
  text = ifbam_c_source (loaded->model, &loaded->spec, loaded->signals, first, error);
  return text != NULL && ifbam_output_put (options->file, text, strlen (text), error);
}

/* Returns "net.ini" for "net.h5" (transfer full). */
static char *
text_beside (const char *path)
{
  const char *dot = strrchr (path, '.'), *slash = strrchr (path, '/');
  g_autofree char *stem = dot == NULL || dot == path || (slash != NULL && dot <= slash + 1)
                              ? g_strdup (path)
                              : g_strndup (path, (gsize) (dot - path));

  return g_strconcat (stem, ".ini", NULL);
}

static gboolean
write_columns (const Options *options, const IfbamLoaded *loaded, GError **error)
{
  g_autofree char *text = text_beside (options->file);
  gboolean reordered;

  if (!ifbam_columns_export (loaded->network, loaded->model, loaded->signals, options->file, text,
                             &reordered, error))
    return FALSE;
  if (reordered)
    g_printerr (
        "ifbam: note: --columns: other links are between those that went to columns: where both "
        "meet, forces are summed in another order there, and rows differ in their "
        "last digits\n");
  return TRUE;
}

static gboolean
write_state_space (const Options *options, const IfbamLoaded *loaded, GError **error)
{
  g_autoptr (IfbamStateSpace) space = ifbam_state_space_new (
      loaded->model, &loaded->spec, loaded->network->by_name, (const char *const *) options->inputs,
      (const char *const *) options->outputs, error);
  g_autofree char *text = NULL, *nonlinear = NULL;

  if (space == NULL)
    return FALSE;
  nonlinear = g_strjoinv (", ", space->nonlinear);
  if (nonlinear[0] != '\0')
    g_printerr ("ifbam: note: linearised at the start: %s\n", nonlinear);
  text = ifbam_state_space_json (space, loaded->title);
  return ifbam_output_put (options->file, text, strlen (text), error);
}

/* Returns "two-dof.fmu" for "networks/two-dof.ini" (transfer full). */
static char *
default_file (const char *path, const char *ending)
{
  g_autofree char *name = g_path_get_basename (path);
  char *dot = strrchr (name, '.');

  if (dot != NULL && dot != name)
    *dot = '\0';
  return g_strconcat (name, ending, NULL);
}

/* Returns the exit code for wrong options; IFBAM_EXIT_DONE: none are. */
static int
check_words (Options *options, const char *path)
{
  const guint kinds = (options->fmu != 0) + (options->c != 0) + (options->columns != 0)
                      + (options->state_space != 0);
  const char *ending = options->columns       ? "-columns.h5"
                       : options->c           ? ".c"
                       : options->state_space ? "-states.json"
                                              : ".fmu";
  g_autofree char *text = NULL;

  if (kinds != 1)
    return ifbam_command_usage (&ifbam_command_export,
                                kinds > 1
                                    ? "--fmu, --c, --columns, --state-space: want one of them"
                                    : "--fmu, --c, --columns or --state-space is missing (want "
                                      "one of them)");
  if (!options->fmu && options->version != 0)
    return ifbam_command_usage (&ifbam_command_export, "--fmi: is for --fmu");
  if (!options->fmu && !options->state_space && options->inputs != NULL)
    return ifbam_command_usage (&ifbam_command_export, "--input: is for --fmu and --state-space");
  if (options->state_space && options->inputs == NULL)
    return ifbam_command_usage (&ifbam_command_export,
                                "--state-space needs an input (want such as --input force@m1)");
  if (options->version == 0)
    options->version = 3;
  if (options->version != 2 && options->version != 3)
    return ifbam_command_usage (&ifbam_command_export, "--fmi %d: there is 2 or 3",
                                options->version);
  if (options->file == NULL && strcmp (path, "-") == 0)
    return ifbam_command_usage (&ifbam_command_export, "%s needs a name (want -o two-dof.%s)",
                                options->fmu ? "the archive" : "the file",
                                options->columns       ? "h5"
                                : options->c           ? "c"
                                : options->state_space ? "json"
                                                       : "fmu");
  if (options->file == NULL)
    options->file = default_file (path, ending);
  if (options->columns && strcmp (options->file, "-") == 0)
    return ifbam_command_usage (&ifbam_command_export,
                                "-o -: --columns writes two files (want -o net.h5)");
  if (options->outputs != NULL && !options->state_space)
    {
      g_free (options->network.record);
      options->network.record = g_strjoinv (",", options->outputs);
    }
  text = options->columns ? text_beside (options->file) : NULL;
  return ifbam_command_overwrites (&ifbam_command_export, options->file, path)
                 || (text != NULL && ifbam_command_overwrites (&ifbam_command_export, text, path))
             ? IFBAM_EXIT_USAGE
             : IFBAM_EXIT_DONE;
}

static int
command_export (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  const GOptionEntry entries[] = {
    { "fmu", 0, 0, G_OPTION_ARG_NONE, &options.fmu,
      "as an FMU for other simulators, with this engine in it", NULL },
    { "c", 0, 0, G_OPTION_ARG_NONE, &options.c,
      "as one file of C: a program that prints the samples of a run, and functions", NULL },
    { "columns", 0, 0, G_OPTION_ARG_NONE, &options.columns,
      "as arrays in HDF5, with a short network file beside them: large networks are read faster",
      NULL },
    { "state-space", 0, 0, G_OPTION_ARG_NONE, &options.state_space,
      "as matrices of small motions about the start, E z' = A z + B u, y = C z + D u, in JSON",
      NULL },
    { "fmi", 0, 0, G_OPTION_ARG_INT, &options.version, "version of the FMI standard (default 3)",
      "3|2" },
    { "input", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.inputs,
      "input: a force on a free node, or a motion of a given one; may be repeated",
      "QUANTITY@NODE" },
    { "output", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.outputs,
      "outputs (default: the recorded signals); may be repeated", "SIGNALS" },
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &options.file,
      "file (default: the network's name, .fmu, .c, -columns.h5 or -states.json)", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL;
  g_auto (IfbamLoaded) loaded = { 0 };
  int exit_code;

  if (!ifbam_command_parse (command, context, &options.network, &argc, &argv, &exit_code))
    return exit_code;
  exit_code = check_words (&options, argv[1]);
  if (exit_code != IFBAM_EXIT_DONE)
    return exit_code;
  if (!ifbam_load (&loaded, &options.network, argv[1], TRUE, &error)
      || !(options.columns       ? write_columns (&options, &loaded, &error)
           : options.c           ? write_c (&options, &loaded, &error)
           : options.state_space ? write_state_space (&options, &loaded, &error)
                                 : write_fmu (&options, &loaded, &error)))
    return ifbam_command_fail (error);
  return IFBAM_EXIT_DONE;
}

const IfbamCommand ifbam_command_export = {
  "export",
  "NETWORK",
  "write a network for other programs: as FMU, C, arrays, or state space",
  "  ifbam export networks/two-dof.ini --fmu -o two-dof.fmu\n"
  "  ifbam export networks/two-dof.ini --fmu --fmi 2 --input force@m1 --output 'm*.position'\n"
  "  ifbam export networks/two-dof.ini --c -o two-dof.c\n"
  "  ifbam export networks/chain-1000.ini --columns -o net.h5\n"
  "  ifbam export networks/two-dof.ini --state-space --input force@m1 -o two-dof.json\n"
  "\nAn FMU contains the engine: co-simulation gives the samples of `ifbam run`, bit for bit. "
  "Values of\n"
  "elements are parameters. The file in C has the laws and the scheme only, for networks without\n"
  "events. Arrays hold masses, springs and dampers, in net.h5; the rest is in net.ini, where\n"
  "[columns c] names that file. Matrices are those of small motions, for control engineering: E "
  "is\n"
  "diagonal, and has zeros where nodes have no inertia. An input is a force on a free node, or "
  "the\n"
  "position, velocity or acceleration of a given one.\n",
  command_export,
  "scheme step tolerance duration start sample record set",
};
