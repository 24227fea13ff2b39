/* free-numbers.c: numbers of a network that a fit or an optimisation changes, with bounds
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/free-numbers.h"

#include <math.h>

#include "base/fail.h"
#include "base/number-text.h"
#include "run/run.h"
#include "sweep/sweep-axis.h"

static void
number_clear (gpointer data)
{
  g_free (((IfbamFreeNumber *) data)->name);
}

/* Reads one number; returns a reason (transfer full), or NULL. */
static char *
read_one (const IfbamNetwork *network, const IfbamModel *model, const char *text,
          IfbamFreeNumber *number)
{
  const char *equals = strchr (text, '=');
  g_autofree char *name =
      equals == NULL ? g_strdup (text) : g_strndup (text, (gsize) (equals - text));
  g_autofree char *range = g_strdup_printf (equals == NULL ? "%s=1:2:2" : "%s:2", text);
  g_autoptr (IfbamVariation) variation = NULL;
  char *reason = NULL;

  variation = ifbam_variation_new (network, model, range, &reason);
  if (variation == NULL)
    return reason;
  *number = (IfbamFreeNumber){ g_strdup (g_strstrip (name)),
                               ifbam_variation_present (variation, network), NAN, NAN };
  if (equals != NULL)
    {
      number->lower = fmin (variation->values[0], variation->values[1]);
      number->upper = fmax (variation->values[0], variation->values[1]);
    }
  if (!isfinite (number->start) || number->start == 0)
    return g_strdup ("has no value to begin with (want one that is not 0 in the file)");
  if (number->start < number->lower || number->start > number->upper)
    number->start = number->lower > 0 ? sqrt (number->lower * number->upper)
                                      : 0.5 * (number->lower + number->upper);
  return NULL;
}

GArray *
ifbam_free_numbers_read (const IfbamNetworkBytes *bytes, const char *const *settings,
                         const char *text, GError **error)
{
  g_autoptr (IfbamNetwork) network = ifbam_network_new_from_bytes (bytes, settings, error);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model =
      network == NULL ? NULL : ifbam_network_compile_or_error (network, FALSE, &spec, NULL, error);
  g_auto (GStrv) texts = g_strsplit (text, ",", -1);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (IfbamFreeNumber));
  g_autoptr (GString) faults = g_string_new (NULL);

  if (model == NULL)
    return NULL;
  g_array_set_clear_func (numbers, number_clear);
  for (guint i = 0; texts[i] != NULL; i++)
    {
      IfbamFreeNumber number = { 0 };
      g_autofree char *fault = read_one (network, model, g_strstrip (texts[i]), &number);

      if (fault != NULL)
        g_string_append_printf (faults, "%s--vary %s: %s", faults->len > 0 ? "\n" : "", texts[i],
                                fault);
      g_array_append_val (numbers, number);
    }
  if (faults->len == 0)
    return g_steal_pointer (&numbers);
  return ifbam_fail_null (error, IFBAM_ERROR_USAGE, "%s", faults->str);
}

double
ifbam_free_number_at (const IfbamFreeNumber *number, double x)
{
  if (isnan (number->lower))
    return number->start * exp (x);
  if (number->lower > 0)
    return sqrt (number->lower * number->upper)
           * exp (0.5 * log (number->upper / number->lower) * sin (x));
  return 0.5 * (number->lower + number->upper) + 0.5 * (number->upper - number->lower) * sin (x);
}

double
ifbam_free_number_origin (const IfbamFreeNumber *number)
{
  if (isnan (number->lower))
    return 0;
  if (number->lower > 0)
    return asin (log (number->start * number->start / (number->lower * number->upper))
                 / log (number->upper / number->lower));
  return asin ((2 * number->start - number->lower - number->upper)
               / (number->upper - number->lower));
}

char **
ifbam_free_numbers_settings (const GArray *numbers, const char *const *settings, const double *x)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  for (guint i = 0; settings[i] != NULL; i++)
    g_ptr_array_add (all, g_strdup (settings[i]));
  for (guint i = 0; i < numbers->len; i++)
    {
      const IfbamFreeNumber *number = &g_array_index (numbers, IfbamFreeNumber, i);

      g_ptr_array_add (all, g_strdup_printf ("%s=%s", number->name,
                                             IFBAM_NUMBER (ifbam_free_number_at (number, x[i]))));
    }
  g_ptr_array_add (all, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&all), FALSE);
}
