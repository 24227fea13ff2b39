/* speed-axis.c: a network at speeds of rotation, which are a parameter or a key of an element
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/speed-axis.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/number-text.h"
#include "run/run.h"
#include "sweep/sweep-axis.h"

/* Default number of speeds. */
#define N_SPEEDS 101

static gboolean
refuse (GError **error, const char *text, const char *reason)
{
  return ifbam_fail (error, IFBAM_ERROR_USAGE, "--speed %s: %s", text, reason);
}

gboolean
ifbam_speed_turns (const char *text, double *turns, char **reason)
{
  if (ifbam_units_parse (text, "Hz", "speed", "30 Hz", turns, reason))
    return TRUE;
  g_clear_pointer (reason, g_free);
  if (!ifbam_units_parse (text, "rad/s", "speed", "30 rpm", turns, reason))
    return FALSE;
  *turns /= 2 * G_PI;
  return TRUE;
}

/* Reads the network without a speed; NULL with an error. */
static IfbamModel *
compile (IfbamNetwork *network, IfbamRunSpec *spec, GError **error)
{
  return network == NULL ? NULL
                         : ifbam_network_compile_or_error (network, FALSE, spec, NULL, error);
}

/* Sets the unit: that of the text "30rpm", or of the parameter. */
static gboolean
set_unit (IfbamSpeedAxis *axis, const char *from, const char *to, const char *si, const char *text,
          GError **error)
{
  IfbamDigits digits = { 0 };
  g_autofree char *one = NULL, *reason = NULL;

  if (ifbam_digits_scan (from, &digits) && *digits.rest != '\0')
    axis->unit = g_strstrip (g_strdup (digits.rest));
  else if (ifbam_digits_scan (to, &digits) && *digits.rest != '\0')
    axis->unit = g_strstrip (g_strdup (digits.rest));
  else
    axis->unit = g_strdup (si);
  one = g_strdup_printf ("1 %s", axis->unit);
  return ifbam_speed_turns (one, &axis->turns, &reason)
         || refuse (error, text, "no speed of rotation (want rpm, rad/s or Hz)");
}

/* Returns a number in the axis's unit from one in SI, of the dimension of `si`. */
static double
from_si (const IfbamSpeedAxis *axis, const char *si, double value)
{
  return (g_str_equal (si, "rad/s") ? value / (2 * G_PI) : value) / axis->turns;
}

/* Reads NAME=FROM:TO:N with the checks of a sweep. */
static gboolean
read_range (IfbamSpeedAxis *axis, const IfbamNetwork *network, const IfbamModel *model,
            const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  g_auto (GStrv) parts = g_strsplit (equals == NULL ? "" : equals + 1, ":", -1);
  const guint n_parts = g_strv_length (parts);
  g_autofree char *whole =
      n_parts == 2 ? g_strdup_printf ("%s:%d", text, N_SPEEDS) : g_strdup (text);
  g_autofree char *reason = NULL;
  g_autoptr (IfbamVariation) variation = NULL;

  if (n_parts < 2 || n_parts > 3)
    return refuse (error, text,
                   "want PARAMETER=FROM:TO or PARAMETER=FROM:TO:N, such as "
                   "speed=0rpm:3000rpm");
  variation = ifbam_variation_new (network, model, whole, &reason);
  if (variation == NULL)
    return refuse (error, text, reason);
  axis->name = g_strdup (variation->name);
  axis->n = (guint) variation->n;
  if (!set_unit (axis, parts[0], parts[1], variation->unit, text, error))
    return FALSE;
  axis->nominal = from_si (axis, variation->unit, ifbam_variation_present (variation, network));
  axis->from = from_si (axis, variation->unit, variation->values[0]);
  axis->to = from_si (axis, variation->unit, variation->values[variation->n - 1]);
  if (axis->from > axis->to)
    {
      const double from = axis->to;

      axis->to = axis->from;
      axis->from = from;
    }
  return TRUE;
}

gboolean
ifbam_speed_axis_init (IfbamSpeedAxis *axis, const IfbamNetworkBytes *bytes,
                       const char *const *settings, const char *text, GError **error)
{
  g_autoptr (IfbamNetwork) network = ifbam_network_new_from_bytes (bytes, settings, error);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = compile (network, &spec, error);

  *axis = (IfbamSpeedAxis){ .bytes = bytes, .settings = settings };
  return model != NULL && read_range (axis, network, model, text, error);
}

void
ifbam_speed_axis_clear (IfbamSpeedAxis *axis)
{
  g_free (axis->name);
  g_free (axis->unit);
}

gboolean
ifbam_speed_axis_load (const IfbamSpeedAxis *axis, double speed, IfbamAtSpeed *at, GError **error)
{
  const guint n = g_strv_length ((char **) axis->settings);
  g_autofree const char **settings = g_new0 (const char *, n + 2);
  g_autofree char *own = g_strdup_printf ("%s=%s %s", axis->name, IFBAM_NUMBER (speed), axis->unit);

  *at = (IfbamAtSpeed){ 0 };
  memcpy (settings, axis->settings, n * sizeof *settings);
  settings[n] = own;
  at->network = ifbam_network_new_from_bytes (axis->bytes, settings, error);
  at->model = compile (at->network, &at->spec, error);
  if (at->model != NULL)
    return TRUE;
  g_prefix_error (error, "at %.6g %s: ", speed, axis->unit);
  return FALSE;
}

void
ifbam_at_speed_clear (IfbamAtSpeed *at)
{
  ifbam_run_spec_clear (&at->spec);
  g_clear_pointer (&at->model, ifbam_model_free);
  g_clear_object (&at->network);
}
