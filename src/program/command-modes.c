/* command-modes.c: ifbam modes: eigenfrequencies, damping ratios and mode shapes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "program/command.h"
#include "base/ifbam-error.h"
#include "base/number-text.h"
#include "figure/figure.h"
#include "linear/linear.h"
#include "file/file.h"

/* All modes of a network of up to so many nodes, else so many. */
#define FEW_NODES  100
#define SOME_MODES 20
/* Shapes are printed for networks that a person can oversee. */
#define SHAPE_NODES 24
#define SHAPE_MODES 6

typedef struct
{
  char *count, *near, *output, *export;
  gboolean json, no_shapes;
} ModesOptions;

static void
modes_options_clear (ModesOptions *options)
{
  g_free (options->count);
  g_free (options->near);
  g_free (options->output);
  g_free (options->export);
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

/* Text */

static void
append_number (GString *text, int width, int digits, double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE], format[16];

  g_snprintf (format, sizeof format, "%%.%dg", digits);
  g_string_append_printf (text, "  %*s", width,
                          g_ascii_formatd (buffer, sizeof buffer, format, number));
}

static void
append_table (GString *text, const IfbamMode *modes, gsize n)
{
  g_string_append_printf (text, "  %5s  %16s  %14s  %14s  %14s\n", "mode", "frequency [Hz]",
                          "period [s]", "damping ratio", "decay [1/s]");
  for (gsize i = 0; i < n; i++)
    {
      const IfbamMode *mode = &modes[i];

      g_string_append_printf (text, "  %5" G_GSIZE_FORMAT, i + 1);
      append_number (text, 16, 8, mode->frequency);
      if (mode->frequency > 0)
        append_number (text, 14, 6, 1 / mode->frequency);
      else
        g_string_append_printf (text, "  %14s", "-");
      append_number (text, 14, 6, mode->damping_ratio);
      append_number (text, 14, 6, mode->decay_rate);
      if (mode->kind != IFBAM_MODE_OSCILLATING)
        g_string_append_printf (text, "  %s", word_of (mode->kind));
      g_string_append_c (text, '\n');
    }
}

/* Angles only where a shape has some. */
static void
append_entry (GString *text, IfbamModes *modes, gsize mode, gsize node)
{
  gsize n;
  const double x = ifbam_modes_get_shape (modes, mode, &n)[node];
  const double *imaginary = ifbam_modes_get_imaginary_shape (modes, mode, &n);
  g_autofree char *polar = NULL;

  if (imaginary == NULL)
    g_string_append_printf (text, "  %14.6f", x + 0.0);
  else
    {
      const double angle = rint (atan2 (imaginary[node], x) * (180 / G_PI));

      /* No -0, and -180 is 180. */
      polar = g_strdup_printf ("%.4f %4.0f deg", hypot (x, imaginary[node]),
                               angle <= -180 ? 180.0 : angle + 0.0);
      g_string_append_printf (text, "  %14s", polar);
    }
}

static void
append_shapes (GString *text, IfbamModes *modes, gsize n_modes)
{
  const char *const *nodes = ifbam_modes_get_nodes (modes);

  for (gsize first = 0; first < n_modes; first += SHAPE_MODES)
    {
      const gsize last = MIN (first + SHAPE_MODES, n_modes);

      g_string_append_printf (text, "\n  %-12s", "shape");
      for (gsize mode = first; mode < last; mode++)
        g_string_append_printf (text, "  %14" G_GSIZE_FORMAT, mode + 1);
      g_string_append_c (text, '\n');
      for (gsize node = 0; nodes[node] != NULL; node++)
        {
          g_string_append_printf (text, "  %-12s", nodes[node]);
          for (gsize mode = first; mode < last; mode++)
            append_entry (text, modes, mode, node);
          g_string_append_c (text, '\n');
        }
    }
}

static int
print_text (const IfbamNetwork *network, IfbamModes *modes, gsize n_nodes, gboolean shapes)
{
  const char *title = ifbam_element_slots (network->settings)[IFBAM_SETTING_TITLE];
  g_autoptr (GString) text = g_string_new (NULL);
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

  if (title != NULL)
    g_string_append_printf (text, "%s\n", title);
  if (n > 0)
    append_table (text, list, n);
  else
    g_string_append (text, "  nothing can move: all that has inertia is held at the start\n");
  if (shapes && n_nodes <= SHAPE_NODES)
    append_shapes (text, modes, n);
  return ifbam_command_print (text->str);
}

/* JSON: written piece by piece, for a large network has large shapes. Names need no escapes. */

typedef struct
{
  IfbamOutput *output;
  GString *text;
  GError *error;
} JsonStream;

static void
flush_json (JsonStream *stream, gsize from)
{
  if (stream->text->len < from || stream->error != NULL)
    return;
  ifbam_output_write (stream->output, stream->text->str, stream->text->len, &stream->error);
  g_string_truncate (stream->text, 0);
}

static void
append_member (GString *text, const char *name, double number)
{
  g_string_append_printf (text, "\"%s\": %s", name, IFBAM_NUMBER (number + 0.0));
}

static void
append_column (JsonStream *stream, const char *member, const char *const *nodes,
               const double *column)
{
  g_string_append_printf (stream->text, ",\n      \"%s\": {", member);
  for (gsize node = 0; nodes[node] != NULL; node++)
    {
      g_string_append (stream->text, node == 0 ? " " : ", ");
      append_member (stream->text, nodes[node], column[node]);
      flush_json (stream, 1 << 16);
    }
  g_string_append (stream->text, " }");
}

static void
append_mode (JsonStream *stream, IfbamModes *modes, gsize i, gboolean shapes)
{
  const char *const *nodes = ifbam_modes_get_nodes (modes);
  gsize n;
  const IfbamMode *mode = ifbam_modes_get_modes (modes, &n) + i;
  const double *imaginary = ifbam_modes_get_imaginary_shape (modes, i, &n);

  g_string_append_printf (stream->text, "%s\n    {\n      ", i == 0 ? "" : ",");
  append_member (stream->text, "frequency", mode->frequency);
  g_string_append (stream->text, ",\n      ");
  append_member (stream->text, "damping_ratio", mode->damping_ratio);
  g_string_append (stream->text, ",\n      ");
  append_member (stream->text, "decay_rate", mode->decay_rate);
  g_string_append_printf (stream->text, ",\n      \"kind\": \"%s\"", word_of (mode->kind));
  if (shapes)
    append_column (stream, "shape", nodes, ifbam_modes_get_shape (modes, i, &n));
  if (shapes && imaginary != NULL)
    append_column (stream, "shape_imaginary", nodes, imaginary);
  g_string_append (stream->text, "\n    }");
}

static int
print_json (IfbamModes *modes, gboolean shapes)
{
  g_autoptr (GString) text = g_string_new ("{\n  \"modes\": [");
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamOutput) output = ifbam_output_new (NULL, &error);
  g_auto (GStrv) nonlinear = ifbam_modes_list_nonlinear (modes);
  JsonStream stream = { output, text, NULL };
  gsize n;

  if (output == NULL)
    return ifbam_command_fail (error);
  ifbam_modes_get_modes (modes, &n);
  for (gsize i = 0; i < n; i++)
    append_mode (&stream, modes, i, shapes);
  g_string_append (text, n > 0 ? "\n  ],\n  \"nonlinear\": [" : "],\n  \"nonlinear\": [");
  for (guint i = 0; nonlinear[i] != NULL; i++)
    g_string_append_printf (text, "%s\"%s\"", i == 0 ? "" : ", ", nonlinear[i]);
  g_string_append_printf (text, "],\n  \"held\": %s\n}\n",
                          ifbam_modes_get_held (modes) ? "true" : "false");
  flush_json (&stream, 0);
  if (stream.error == NULL)
    ifbam_output_finish (output, &stream.error);
  if (stream.error == NULL)
    return IFBAM_EXIT_DONE;
  error = stream.error;
  return ifbam_command_fail (error);
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

/* For networks whose modes take many machines. */
static int
export_matrices (const IfbamModel *model, const IfbamRunSpec *spec, const char *path,
                 const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamSmallMotions) motions = ifbam_small_motions_new (model, spec, &error);
  g_autofree char *text = NULL;

  if (motions == NULL)
    {
      g_prefix_error (&error, "%s: ", path);
      return ifbam_command_fail (error);
    }
  if (!ifbam_modes_export (motions, folder, &error))
    return ifbam_command_fail (error);
  text = g_strdup_printf ("%s: M.petsc, C.petsc and K.petsc of M q'' + C q' + K q = 0, %zu "
                          "coordinates; Z.petsc (x = Z q) and nodes.txt: %zu nodes\n",
                          folder, motions->n, ifbam_model_n_outer (model));
  return ifbam_command_print (text);
}

static int
command_modes (const char *program, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (ModesOptions) options = { 0 };
  const GOptionEntry entries[] = {
    { "count", 0, 0, G_OPTION_ARG_STRING, &options.count,
      "how many modes, or \"all\" (default: all of up to 100 free nodes, else 20)", "N" },
    { "near", 0, 0, G_OPTION_ARG_STRING, &options.near,
      "those nearest to a frequency (default: the lowest)", "F" },
    { "no-shapes", 0, 0, G_OPTION_ARG_NONE, &options.no_shapes, "leave the shapes out", NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print JSON", NULL },
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "picture of the shapes, .svg, .png or .pdf", "FILE" },
    { "export", 0, 0, G_OPTION_ARG_FILENAME, &options.export,
      "no modes: the matrices M, C and K, for PETSc and SLEPc", "DIR" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (&ifbam_command_modes, entries);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamModes) modes = NULL;
  g_autofree char *reason = NULL;
  IfbamModesRequest request = { .count = G_MAXUINT32 };
  g_auto (IfbamRunSpec) spec = { 0 };
  static const char *const heard[] = { "start", "set", NULL };
  int exit_code;

  (void) program;
  ifbam_network_options_add (&network_options, context, heard);
  if (!ifbam_command_parse (&ifbam_command_modes, context, &argc, &argv, 1, 1, &exit_code))
    return exit_code;
  if (!ifbam_command_read_count (options.count, &request.count))
    return ifbam_command_usage (&ifbam_command_modes,
                                "--count %s: want a whole number from 1 on, or \"all\"",
                                options.count);
  if (!read_near (options.near, &request.near, &reason))
    return ifbam_command_usage (&ifbam_command_modes, "--near: %s", reason);
  if (options.export != NULL
      && (options.count != NULL || options.near != NULL || options.json || options.no_shapes
          || options.output != NULL))
    return ifbam_command_usage (&ifbam_command_modes,
                                "--export writes the matrices and finds no modes: it stands alone");
  network = ifbam_command_compile (&network_options, argv[1], &model, &spec, NULL, &error);
  if (network == NULL)
    return ifbam_command_fail (error);
  if (options.export != NULL)
    return export_matrices (model, &spec, argv[1], options.export);
  if (options.count == NULL)
    request.count = model->n_free <= FEW_NODES ? 0 : SOME_MODES;
  modes = ifbam_modes_new_for_model (model, &spec, &request, &error);
  if (modes == NULL)
    {
      g_prefix_error (&error, "%s: ", argv[1]);
      return ifbam_command_fail (error);
    }
  ifbam_command_note_nonlinear (ifbam_modes_list_nonlinear (modes), "the modes are those");
  if (ifbam_modes_get_held (modes))
    g_printerr ("ifbam: note: the network is not at rest at its start: the modes are those of it "
                "held there "
                "(--start equilibrium: of where it is at rest)\n");
  if (options.output != NULL)
    {
      g_autoptr (IfbamChart) chart = ifbam_chart_new (IFBAM_CHART_SHAPE);

      chart->title = ifbam_element_slots (network->settings)[IFBAM_SETTING_TITLE];
      ifbam_modes_chart (chart, modes);
      return ifbam_chart_draw (chart, options.output, &error) ? IFBAM_EXIT_DONE
                                                              : ifbam_command_fail (error);
    }
  return options.json
             ? print_json (modes, !options.no_shapes)
             : print_text (network, modes, ifbam_model_n_outer (model), !options.no_shapes);
}

const IfbamCommand ifbam_command_modes = {
  "modes",
  "NETWORK",
  "find eigenfrequencies, damping ratios and mode shapes, without a run",
  "  ifbam modes networks/three-dof.ini\n"
  "  ifbam modes networks/chain-1000.ini --count 5 --json\n"
  "  ifbam modes networks/chain-1000.ini --count 3 --near 12Hz\n"
  "  ifbam modes networks/three-dof.ini -o shapes.png\n"
  "  ifbam modes networks/chain-1000.ini --export matrices\n",
  command_modes,
};
