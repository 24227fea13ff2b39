/* command-fit.c: ifbam fit: numbers of a network from measured data
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "program/command.h"
#include "figure/figure.h"
#include "sweep/sweep.h"

/* Largest number of values that the text shows. */
#define SOME_VALUES 24
/* Values that are named in a picture. */
#define FEW_NAMES 12

typedef struct
{
  char *to, *varied, *input;
  char **outputs;
  gboolean json;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->to);
  g_free (options->varied);
  g_free (options->input);
  g_strfreev (options->outputs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static void
add_numbers (IfbamAnswer *answer, const IfbamFit *fit)
{
  const guint n = fit->numbers->len;

  ifbam_answer_add_note (answer, "  %-28s  %16s  %16s  %14s%s\n", "number", "start", "fitted [SI]",
                         "deviation", n > 1 ? "  correlation with those above" : "");
  ifbam_answer_begin_list (answer, "numbers");
  for (guint i = 0; i < fit->numbers->len; i++)
    {
      const IfbamFreeNumber *number = &g_array_index (fit->numbers, IfbamFreeNumber, i);

      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add (answer, "number,start,value", "  %-28s  %16.9g  %16.9g", number->name,
                        number->start, fit->value[i]);
      ifbam_answer_add_data (answer, "deviation", "%g", fit->deviation[i]);
      ifbam_answer_add_column (answer, NULL, "covariance", fit->covariance + i * n, n);
      if (isnan (fit->deviation[i]))
        ifbam_answer_add_note (answer, "  %14s", "undetermined");
      else
        ifbam_answer_add_note (answer, "  %12.3g %%", 100 * fit->deviation[i]);
      for (guint j = 0; j < i && !isnan (fit->covariance[i * n + j]); j++)
        ifbam_answer_add_note (answer, "  %6.3f",
                               fit->covariance[i * n + j]
                                   / (fit->deviation[i] * fit->deviation[j]));
      ifbam_answer_add_note (answer, "\n");
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
  for (guint i = 0; i < fit->undetermined->len; i++)
    ifbam_answer_add_note (answer, "  not determined: %s\n",
                           (const char *) fit->undetermined->pdata[i]);
}

static void
add_values (IfbamAnswer *answer, const IfbamFit *fit)
{
  ifbam_answer_add_note (answer, "\n  %-28s  %16s  %16s  %16s\n", "value", "measured",
                         "at the start", "fitted");
  ifbam_answer_begin_list (answer, "values");
  for (gsize i = 0; i < fit->n; i++)
    {
      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add_data (answer, "value,measured,first,fitted", "%s%g%g%g", fit->labels[i],
                             fit->measured[i], fit->first[i], fit->fitted[i]);
      if (i < SOME_VALUES)
        ifbam_answer_add_note (answer, "  %-28s  %16.9g  %16.9g  %16.9g\n", fit->labels[i],
                               fit->measured[i], fit->first[i], fit->fitted[i]);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
  if (fit->n > SOME_VALUES)
    ifbam_answer_add_note (answer, "  and %zu more (see --json)\n", fit->n - SOME_VALUES);
}

static int
print (const IfbamLoaded *loaded, const IfbamFit *fit, gboolean json)
{
  IfbamAnswer *answer = ifbam_answer_new (json, NULL);

  g_ptr_array_add (fit->undetermined, NULL);
  ifbam_answer_add_title (answer, loaded->title);
  ifbam_answer_add (answer, "iterations,residual",
                    "  %u iterations, root mean square of the residuals %.3g\n", fit->iterations,
                    fit->residual);
  ifbam_answer_add_texts (answer, "undetermined", (const char *const *) fit->undetermined->pdata);
  g_ptr_array_set_size (fit->undetermined, (gint) fit->undetermined->len - 1);
  add_numbers (answer, fit);
  add_values (answer, fit);
  return ifbam_answer_finish (answer);
}

/* Adds the deviations of computed modes from measured ones: relative, of shapes those of the largest
 * displacement. */
static void
add_deviations (IfbamChart *chart, const IfbamFit *fit)
{
  const IfbamFitSeries *shapes =
      &g_array_index (ifbam_fit_data_series (fit->data), IfbamFitSeries, 1);
  const double *const values[] = { fit->first, fit->fitted };
  const char *const labels[] = { "at the start", "fitted" };
  const double *x = ifbam_fit_data_places (fit->data);
  double largest = 0;

  chart->kind = IFBAM_CHART_SHAPE;
  chart->x.quantity = fit->n <= FEW_NAMES ? "measured value" : "number of the measured value";
  chart->x_names = fit->n <= FEW_NAMES ? fit->labels : NULL;
  chart->y.quantity = "computed minus measured";
  chart->y.unit = "%";
  for (guint k = 0; k < G_N_ELEMENTS (values); k++)
    {
      double *y = ifbam_chart_numbers (chart, fit->n);

      for (gsize i = 0; i < fit->n; i++)
        {
          y[i] =
              100 * (values[k][i] - fit->measured[i]) / (i < shapes->first ? fit->measured[i] : 1);
          largest = fmax (largest, fabs (y[i]));
        }
      ifbam_chart_add (chart, labels[k], x, y, fit->n)->style =
          IFBAM_CURVE_DOTS | IFBAM_CURVE_POINTS;
    }
  largest = largest > 0 ? 1.1 * largest : 1;
  chart->y.range = (IfbamAxisRange){ -largest, largest };
}

/* Adds measured and computed values of the signal with index s. The legend explains the lines of the
 * first; those of others have one colour and one name. */
static void
add_series (IfbamChart *chart, const IfbamFit *fit, guint s)
{
  const IfbamFitSeries *series =
      &g_array_index (ifbam_fit_data_series (fit->data), IfbamFitSeries, s);
  const double *x = ifbam_fit_data_places (fit->data) + series->first;
  const double *const values[] = { fit->measured, fit->first, fit->fitted };
  const char *const labels[] = { "measured", "at the start", "fitted" };
  const guint styles[] = { IFBAM_CURVE_POINTS, IFBAM_CURVE_DASHED, 0 };
  const gboolean single = ifbam_fit_data_series (fit->data)->len == 1;
  const char *dot = strrchr (series->name, '.');
  const char *quantity = dot != NULL ? dot + 1 : series->name, *unit = series->unit;

  if (unit == NULL)
    ifbam_signal_quantity (NULL, series->name, &quantity, &unit);
  chart->x.quantity = series->over;
  chart->x.unit = series->over_unit;
  chart->y.quantity = single ? series->name : quantity;
  chart->y.unit = unit;
  for (guint k = 0; k < G_N_ELEMENTS (labels); k++)
    {
      g_autofree char *name = g_strdup_printf ("%s, %s", series->name, labels[k]);
      const char *label = single ? labels[k] : s == 0 ? name : k == 0 ? series->name : NULL;
      IfbamCurve *curve = ifbam_chart_add (chart, label, x, values[k] + series->first, series->n);

      curve->kin = "values";
      curve->style = styles[k];
      curve->colour = single ? 0 : s + 1;
    }
  if (single)
    {
      double *difference = ifbam_chart_numbers (chart, fit->n);

      for (gsize i = 0; i < fit->n; i++)
        difference[i] = fit->fitted[i] - fit->measured[i];
      ifbam_chart_add (chart, "fitted minus measured", x, difference, fit->n)->style =
          IFBAM_CURVE_NEUTRAL;
    }
}

/* Draws the deviations of modes, or the signals over time or frequency. */
static gboolean
draw (const IfbamLoaded *loaded, const IfbamFit *fit, const char *path, GError **error)
{
  g_autoptr (IfbamChart) chart = ifbam_chart_new (IFBAM_CHART_SWEEP);
  const GArray *series = ifbam_fit_data_series (fit->data);

  chart->title = loaded->title;
  if (g_array_index (series, IfbamFitSeries, 0).over == NULL)
    add_deviations (chart, fit);
  else
    for (guint s = 0; s < series->len; s++)
      add_series (chart, fit, s);
  return ifbam_chart_draw (chart, path, error);
}

/* Writes the network with the fitted numbers. */
static gboolean
write_network (const IfbamFit *fit, const IfbamNetworkBytes *bytes, const char *path,
               GError **error)
{
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_bytes (bytes, (const char *const *) fit->settings, error);

  return network != NULL && ifbam_network_save (network, path, error);
}

static gboolean
write_outputs (const IfbamLoaded *loaded, const IfbamFit *fit, const IfbamNetworkBytes *bytes,
               const Options *options, GError **error)
{
  for (guint i = 0; options->outputs != NULL && options->outputs[i] != NULL; i++)
    if (!(g_str_has_suffix (options->outputs[i], ".ini")
              ? write_network (fit, bytes, options->outputs[i], error)
              : draw (loaded, fit, options->outputs[i], error)))
      return FALSE;
  return TRUE;
}

static int
fit_network (const IfbamLoaded *loaded, const Options *options,
             const IfbamNetworkOptions *network_options)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) settings = ifbam_network_options_settings (network_options, &error);
  g_autoptr (IfbamNetworkBytes) bytes =
      settings == NULL ? NULL : ifbam_network_bytes_new (loaded->path, &error);
  IfbamProgress progress;
  const IfbamFitRequest request = { .bytes = bytes,
                                    .settings = (const char *const *) settings,
                                    .varied = options->varied,
                                    .path = options->to,
                                    .input = options->input,
                                    .progress = ifbam_progress_update,
                                    .data = &progress };
  g_autoptr (IfbamFit) fit = NULL;

  if (bytes == NULL)
    return ifbam_command_fail (error);
  ifbam_progress_begin (&progress);
  fit = ifbam_fit_new (&request, &error);
  ifbam_progress_end (&progress);
  if (fit == NULL)
    return g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK)
               ? ifbam_loaded_fail (loaded, error)
               : ifbam_command_fail (error);
  if (!write_outputs (loaded, fit, bytes, options, &error))
    return ifbam_command_fail (error);
  return print (loaded, fit, options->json);
}

static int
command_fit (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (Options) options = { 0 };
  const GOptionEntry entries[] = {
    { "to", 0, 0, G_OPTION_ARG_FILENAME, &options.to,
      "measured modes (frequency, damping_ratio, nodes), response or samples, as CSV", "FILE" },
    { "vary", 0, 0, G_OPTION_ARG_STRING, &options.varied,
      "numbers to find, such as k1.stiffness,d1.damping=1N*s/m:1kN*s/m (with bounds)",
      "NAME[=FROM:TO],..." },
    { "input", 0, 0, G_OPTION_ARG_STRING, &options.input,
      "input of a measured response, such as force@m1", "QUANTITY@NODE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print JSON", NULL },
    { "file", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &options.outputs,
      "network with the fitted numbers, .ini, or picture .svg, .png, .pdf; may be repeated",
      "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL;
  g_auto (IfbamLoaded) loaded = { 0 };
  int exit_code;

  if (!ifbam_command_parse (command, context, &network_options, &argc, &argv, &exit_code))
    return exit_code;
  if (options.to == NULL || options.varied == NULL)
    return ifbam_command_usage (command, "want --to and --vary, such as --to measured.csv --vary "
                                         "k1.stiffness");
  for (guint i = 0; options.outputs != NULL && options.outputs[i] != NULL; i++)
    if (ifbam_command_overwrites (command, options.outputs[i], argv[1])
        || ifbam_command_overwrites (command, options.outputs[i], options.to))
      return IFBAM_EXIT_USAGE;
  if (!ifbam_load (&loaded, &network_options, argv[1], FALSE, &error))
    return ifbam_command_fail (error);
  return fit_network (&loaded, &options, &network_options);
}

const IfbamCommand ifbam_command_fit = {
  "fit",
  "NETWORK",
  "find numbers of a network from measured modes, frequency responses or samples",
  "  ifbam fit networks/three-dof.ini --to measured.csv --vary k1.stiffness,k2.stiffness -o "
  "fitted.ini\n"
  "  ifbam fit networks/damped.ini --to response.csv --input force@m1 --vary "
  "d1.damping=1N*s/m:1kN*s/m\n"
  "  ifbam fit networks/damped.ini --to course.csv --vary d1.damping -o fit.svg\n",
  command_fit,
  "scheme step tolerance start set",
};
