/* command-modes.c: ifbam modes: eigenfrequencies, damping ratios and mode shapes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "program/command.h"
#include "program/command-modes-masses.h"
#include "base/fail.h"
#include "figure/figure.h"
#include "linear/linear.h"
#include "file/file.h"
#include "sweep/sweep.h"

/* All modes of a network with up to FEW_NODES, else SOME_MODES. */
#define FEW_NODES  100
#define SOME_MODES 20
/* Size of networks for which shapes are printed, and modes side by side. */
#define SHAPE_NODES 24
#define SHAPE_MODES 6

typedef struct
{
  char *count, *near, *output, *export, *mac;
  gboolean json, no_shapes, sensitivity, participation, energy;
} ModesOptions;

static void
modes_options_clear (ModesOptions *options)
{
  g_free (options->count);
  g_free (options->near);
  g_free (options->output);
  g_free (options->export);
  g_free (options->mac);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ModesOptions, modes_options_clear)

static const char *
word_of (IfbamModeKind kind)
{
  static const char *const words[] = {
    [IFBAM_MODE_OSCILLATING] = "oscillating",
    [IFBAM_MODE_FREE] = "free",
    [IFBAM_MODE_OVERDAMPED] = "overdamped",
    [IFBAM_MODE_UNSTABLE] = "unstable",
  };

  return words[kind];
}

/* Adds shapes to the text, up to six modes side by side; complex shapes with angles. */
static void
add_shapes (IfbamAnswer *answer, IfbamModes *modes, gsize n_modes)
{
  const char *const *nodes = ifbam_modes_get_nodes (modes);
  gsize n;

  for (gsize first = 0; first < n_modes; first += SHAPE_MODES)
    {
      const gsize last = MIN (first + SHAPE_MODES, n_modes);

      ifbam_answer_add_note (answer, "\n  %-12s", "shape");
      for (gsize mode = first; mode < last; mode++)
        ifbam_answer_add_note (answer, "  %14zu", mode + 1);
      for (gsize node = 0; nodes[node] != NULL; node++)
        {
          ifbam_answer_add_note (answer, "\n  %-12s", nodes[node]);
          for (gsize mode = first; mode < last; mode++)
            {
              const double x = ifbam_modes_get_shape (modes, mode, &n)[node];
              const double *imaginary = ifbam_modes_get_imaginary_shape (modes, mode, &n);
              const double y = imaginary == NULL ? 0 : imaginary[node];
              const double angle = rint (atan2 (y, x) * (180 / G_PI));

              if (imaginary == NULL)
                ifbam_answer_add_note (answer, "  %14.6f", x + 0.0);
              else /* avoids -0; -180 becomes 180 */
                ifbam_answer_add_note (answer, "  %.4f %4.0f deg", hypot (x, y),
                                       angle <= -180 ? 180.0 : angle + 0.0);
            }
        }
      ifbam_answer_add_note (answer, "\n");
    }
}

/* Adds a column to the data: {"m1": 0.88, "m2": 1}. */
static void
add_column (IfbamAnswer *answer, const char *key, const char *const *nodes, const double *column)
{
  ifbam_answer_begin_record (answer, key);
  for (gsize node = 0; nodes[node] != NULL; node++)
    ifbam_answer_add_data (answer, nodes[node], "%g", column[node] + 0.0);
  ifbam_answer_end (answer);
}

static void
add_mode (IfbamAnswer *answer, IfbamModes *modes, gsize i, gboolean shapes)
{
  const char *const *nodes = ifbam_modes_get_nodes (modes);
  gsize n;
  const IfbamMode *mode = ifbam_modes_get_modes (modes, &n) + i;
  const double *imaginary = ifbam_modes_get_imaginary_shape (modes, i, &n);
  const gboolean oscillates = mode->kind == IFBAM_MODE_OSCILLATING;

  ifbam_answer_begin_record (answer, NULL);
  ifbam_answer_add (answer, "-,frequency,-,damping_ratio,decay_rate",
                    "  %5zu  %16.8g  %14.6g  %14.6g  %14.6g", i + 1, mode->frequency + 0.0,
                    mode->frequency > 0 ? 1 / mode->frequency : NAN, mode->damping_ratio + 0.0,
                    mode->decay_rate + 0.0);
  ifbam_answer_add_data (answer, "kind", "%s", word_of (mode->kind));
  ifbam_answer_add_note (answer, "%s%s\n", oscillates ? "" : "  ",
                         oscillates ? "" : word_of (mode->kind));
  if (shapes)
    add_column (answer, "shape", nodes, ifbam_modes_get_shape (modes, i, &n));
  if (shapes && imaginary != NULL)
    add_column (answer, "shape_imaginary", nodes, imaginary);
  ifbam_answer_end (answer);
}

/* More about the modes; NULL: not requested. */
typedef struct
{
  IfbamModalMasses *masses;
  IfbamShapeTable *own, *other;
  double *criteria; /* of their shapes */
} Details;

static void
details_clear (Details *details)
{
  ifbam_modal_masses_free (details->masses);
  ifbam_shape_table_free (details->own);
  ifbam_shape_table_free (details->other);
  g_free (details->criteria);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Details, details_clear)

static int
print (const IfbamLoaded *loaded, IfbamModes *modes, const Details *details,
       const ModesOptions *options)
{
  const gboolean shapes = !options->no_shapes;
  IfbamAnswer *answer = ifbam_answer_new (options->json, NULL);
  g_auto (GStrv) nonlinear = ifbam_modes_list_nonlinear (modes);
  gsize n;

  ifbam_modes_get_modes (modes, &n);
  ifbam_answer_add_title (answer, loaded->title);
  if (n > 0)
    ifbam_answer_add_note (answer, "  %5s  %16s  %14s  %14s  %14s\n", "mode", "frequency [Hz]",
                           "period [s]", "damping ratio", "decay [1/s]");
  else
    ifbam_answer_add_note (answer,
                           "  no motion is possible: all inertias are fixed at the start\n");
  ifbam_answer_begin_list (answer, "modes");
  for (gsize i = 0; i < n; i++)
    add_mode (answer, modes, i, shapes);
  ifbam_answer_end (answer);
  ifbam_answer_add_texts (answer, "nonlinear", (const char *const *) nonlinear);
  ifbam_answer_add_data (answer, "held", "%i", ifbam_modes_get_held (modes));
  if (shapes && ifbam_model_n_named_free (loaded->model) <= SHAPE_NODES)
    add_shapes (answer, modes, n);
  if (options->participation)
    ifbam_command_add_participation (answer, details->masses, modes);
  if (options->energy)
    ifbam_command_add_energy (answer, details->masses, modes);
  if (details->criteria != NULL)
    ifbam_command_add_assurance (answer, details->own, details->other, details->criteria);
  return ifbam_answer_finish (answer);
}

/* Sensitivities */

static void
add_sensitivity (IfbamAnswer *answer, const IfbamSensitivities *found, guint number)
{
  const IfbamSensitivity *own = &g_array_index (found->numbers, IfbamSensitivity, number);

  ifbam_answer_begin_record (answer, NULL);
  ifbam_answer_add_data (answer, "number,value", "%s%g", own->name, own->value);
  ifbam_answer_add_note (answer, "  %-28s", own->name);
  for (guint m = 0; m < MIN (found->n_modes, SHAPE_MODES); m++)
    ifbam_answer_add_note (answer, isnan (own->damping_ratio[m]) ? "  %10.6f" : "  %10.6f %9.4f",
                           own->frequency[m] + 0.0, own->damping_ratio[m] + 0.0);
  ifbam_answer_add_note (answer, "\n");
  ifbam_answer_add_column (answer, NULL, "frequency", own->frequency, found->n_modes);
  ifbam_answer_add_column (answer, NULL, "damping_ratio", own->damping_ratio, found->n_modes);
  ifbam_answer_end (answer);
}

/* Prints percent of each frequency (and damping ratio) per percent of each number. */
static int
print_sensitivities (const IfbamLoaded *loaded, const IfbamSensitivities *found, gboolean json)
{
  IfbamAnswer *answer = ifbam_answer_new (json, NULL);

  ifbam_answer_add_title (answer, loaded->title);
  ifbam_answer_add_note (answer, "  percent of frequency (and damping ratio) per percent\n  %-28s",
                         "number");
  ifbam_answer_begin_list (answer, "modes");
  for (guint m = 0; m < found->n_modes; m++)
    {
      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add_data (answer, "frequency,damping_ratio", "%g%g", found->modes[m].frequency,
                             found->modes[m].damping_ratio + 0.0);
      if (m < SHAPE_MODES)
        ifbam_answer_add_note (
            answer, fabs (found->modes[m].damping_ratio) > 1e-12 ? "  %17.6g Hz" : "  %7.5g Hz",
            found->modes[m].frequency);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
  ifbam_answer_add_note (answer, "\n");
  ifbam_answer_begin_list (answer, "sensitivities");
  for (guint i = 0; i < found->numbers->len; i++)
    add_sensitivity (answer, found, i);
  ifbam_answer_end (answer);
  for (guint k = 0; k < 2 && found->sums != NULL; k++)
    {
      ifbam_answer_add_note (answer, "  %-28s",
                             k == 0 ? "sum over stiffnesses" : "sum over inertias");
      for (guint m = 0; m < MIN (found->n_modes, SHAPE_MODES); m++)
        ifbam_answer_add_note (answer, "  %10.6f", found->sums[2 * m + k]);
      ifbam_answer_add_note (answer, "\n");
    }
  return ifbam_answer_finish (answer);
}

static int
find_sensitivities (const IfbamLoaded *loaded, const IfbamNetworkOptions *network_options,
                    guint count, const ModesOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) settings = ifbam_network_options_settings (network_options, &error);
  g_autoptr (IfbamNetworkBytes) bytes =
      settings == NULL ? NULL : ifbam_network_bytes_new (loaded->path, &error);
  g_autoptr (IfbamSensitivities) found = NULL;
  IfbamProgress progress;

  if (bytes == NULL)
    return ifbam_command_fail (error);
  ifbam_progress_begin (&progress);
  found = ifbam_sensitivities_new (bytes, (const char *const *) settings, count,
                                   ifbam_progress_update, &progress, &error);
  ifbam_progress_end (&progress);
  if (found == NULL)
    return ifbam_loaded_fail (loaded, error);
  if (options->output != NULL)
    {
      g_autoptr (IfbamChart) chart = ifbam_chart_new (IFBAM_CHART_SHAPE);

      chart->title = loaded->title;
      ifbam_sensitivities_chart (chart, found);
      return ifbam_chart_draw (chart, options->output, &error) ? IFBAM_EXIT_DONE
                                                               : ifbam_command_fail (error);
    }
  return print_sensitivities (loaded, found, options->json);
}

/* Work */

static gboolean
read_near (const char *text, double *near, char **reason)
{
  if (text == NULL)
    return TRUE;
  if (!ifbam_units_parse (text, "Hz", "frequency", "12 Hz", near, reason))
    return FALSE;
  if (*near > 0)
    return TRUE;
  *reason = g_strdup_printf ("%s is not above 0", text);
  return FALSE;
}

/* Writes the matrices, for distributed solvers. */
static int
export_matrices (const IfbamLoaded *loaded, const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamSmallMotions) motions =
      ifbam_small_motions_new (loaded->model, &loaded->spec, &error);
  g_autofree char *text = NULL;

  if (motions == NULL)
    return ifbam_loaded_fail (loaded, error);
  if (!ifbam_modes_export (motions, folder, &error))
    return ifbam_command_fail (error);
  text = g_strdup_printf ("%s: M.petsc, C.petsc and K.petsc of M q'' + C q' + K q = 0, %zu "
                          "coordinates; Z.petsc (x = Z q) and nodes.txt: %zu nodes\n",
                          folder, motions->n, ifbam_model_n_named_free (loaded->model));
  return ifbam_command_print (text);
}

/* Returns the modes of a network file, or measured ones of a CSV. */
static IfbamShapeTable *
read_other (const char *path, const IfbamModesRequest *request, GError **error)
{
  g_auto (IfbamNetworkOptions) none = { 0 };
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamModes) modes = NULL;

  if (g_str_has_suffix (path, ".csv"))
    return ifbam_shape_table_new_from_csv (path, error);
  if (ifbam_load (&loaded, &none, path, FALSE, error))
    modes = ifbam_modes_new_for_model (loaded.model, &loaded.spec, request, error);
  return modes == NULL ? NULL : ifbam_shape_table_new (modes);
}

static gboolean
find_masses (Details *details, const ModesOptions *options, const IfbamLoaded *loaded,
             IfbamModes *modes, GError **error)
{
  if (!options->participation && !options->energy)
    return TRUE;
  details->masses = ifbam_modal_masses_new (loaded->model, &loaded->spec, modes, error);
  return details->masses != NULL;
}

static gboolean
compare_shapes (Details *details, const ModesOptions *options, IfbamModes *modes,
                const IfbamModesRequest *request, GError **error)
{
  gsize n_common;

  if (options->mac == NULL)
    return TRUE;
  details->own = ifbam_shape_table_new (modes);
  details->other = read_other (options->mac, request, error);
  if (details->other == NULL)
    return FALSE;
  details->criteria = ifbam_shape_tables_compare (details->own, details->other, &n_common);
  return details->criteria != NULL
         || ifbam_fail (error, IFBAM_ERROR_USAGE,
                        "--mac %s: it has no node of this network (names are compared)",
                        options->mac);
}

static int
command_modes (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (ModesOptions) options = { 0 };
  const GOptionEntry entries[] = {
    { "count", 0, 0, G_OPTION_ARG_STRING, &options.count,
      "number of modes, or \"all\" (default: all of up to 100 free nodes, else 20)", "N" },
    { "near", 0, 0, G_OPTION_ARG_STRING, &options.near,
      "the modes nearest to a frequency (default: the lowest)", "F" },
    { "no-shapes", 0, 0, G_OPTION_ARG_NONE, &options.no_shapes, "omit the shapes", NULL },
    { "sensitivity", 0, 0, G_OPTION_ARG_NONE, &options.sensitivity,
      "percent of each frequency and damping ratio per percent of each number of the network",
      NULL },
    { "participation", 0, 0, G_OPTION_ARG_NONE, &options.participation,
      "modal masses, and participation factors and effective masses by direction", NULL },
    { "energy", 0, 0, G_OPTION_ARG_NONE, &options.energy,
      "shares of the elements in the kinetic and potential energy of each mode", NULL },
    { "mac", 0, 0, G_OPTION_ARG_FILENAME, &options.mac,
      "compare the shapes with those of another network, or with measured ones in a CSV", "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print JSON", NULL },
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "picture of the shapes, .svg, .png or .pdf", "FILE" },
    { "export", 0, 0, G_OPTION_ARG_FILENAME, &options.export,
      "write the matrices M, C and K for PETSc and SLEPc instead", "DIR" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL;
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamModes) modes = NULL;
  g_auto (Details) details = { 0 };
  g_autofree char *reason = NULL;
  IfbamModesRequest request = { .count = G_MAXUINT32 };
  int exit_code;

  if (!ifbam_command_parse (command, context, &network_options, &argc, &argv, &exit_code))
    return exit_code;
  if (!ifbam_command_read_count (command, options.count, &request.count))
    return IFBAM_EXIT_USAGE;
  if (!read_near (options.near, &request.near, &reason))
    return ifbam_command_usage (command, "--near: %s", reason);
  if (options.export != NULL
      && (options.count != NULL || options.near != NULL || options.json || options.no_shapes
          || options.output != NULL || options.sensitivity || options.participation
          || options.energy || options.mac != NULL))
    return ifbam_command_usage (
        command, "--export writes matrices, not modes: it can't be combined with other options");
  if (!ifbam_load (&loaded, &network_options, argv[1], FALSE, &error))
    return ifbam_command_fail (error);
  if (options.export != NULL)
    return export_matrices (&loaded, options.export);
  if (options.count == NULL)
    request.count = loaded.model->n_free <= FEW_NODES ? 0 : SOME_MODES;
  if (options.sensitivity)
    return find_sensitivities (&loaded, &network_options,
                               request.count == G_MAXUINT32 ? 0 : request.count, &options);
  modes = ifbam_modes_new_for_model (loaded.model, &loaded.spec, &request, &error);
  if (modes == NULL)
    return ifbam_loaded_fail (&loaded, error);
  ifbam_command_note_nonlinear (ifbam_modes_list_nonlinear (modes), "the modes are those");
  if (ifbam_modes_get_held (modes))
    ifbam_command_note_held ("the modes are those");
  if (options.output != NULL)
    {
      g_autoptr (IfbamChart) chart = ifbam_chart_new (IFBAM_CHART_SHAPE);

      chart->title = loaded.title;
      ifbam_modes_chart (chart, modes);
      return ifbam_chart_draw (chart, options.output, &error) ? IFBAM_EXIT_DONE
                                                              : ifbam_command_fail (error);
    }
  if (!find_masses (&details, &options, &loaded, modes, &error))
    return ifbam_loaded_fail (&loaded, error);
  if (!compare_shapes (&details, &options, modes, &request, &error))
    return ifbam_command_fail (error);
  return print (&loaded, modes, &details, &options);
}

const IfbamCommand ifbam_command_modes = {
  "modes",
  "NETWORK",
  "compute eigenfrequencies, damping ratios and mode shapes",
  "  ifbam modes networks/three-dof.ini\n"
  "  ifbam modes networks/chain-1000.ini --count 5 --json\n"
  "  ifbam modes networks/chain-1000.ini --count 3 --near 12Hz\n"
  "  ifbam modes networks/three-dof.ini -o shapes.png\n"
  "  ifbam modes networks/three-dof.ini --sensitivity\n"
  "  ifbam modes networks/three-dof.ini --participation --energy\n"
  "  ifbam modes networks/three-dof.ini --set k2.stiffness=9kN/m --mac networks/three-dof.ini\n"
  "  ifbam modes networks/chain-1000.ini --export matrices\n",
  command_modes,
  "start set",
};
