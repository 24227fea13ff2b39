/* element-wave.c: parameters, faults and corners of waveforms of sources and drives
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element-wave.h"

#include <stddef.h>

#include "base/number-text.h"
#include "element/event-times.h"

/* Shortest period [s]: a shorter one would need too many events. */
#define SHORTEST 1e-12

const char *const ifbam_wave_words[] = { "sine", "chirp", "step",      "ramp", "pulse",
                                         "pwm",  "noise", "half-sine", NULL };

/* Waveforms that have a key (bits), and those that need it. */
static const struct
{
  const char *key;
  gsize offset;
  double standard;
  guint waves, required;
} wave_keys[] = {
  { "frequency", offsetof (IfbamWaveform, frequency), 0, 1 << IFBAM_WAVE_SINE, 0 },
  { "phase", offsetof (IfbamWaveform, phase), 0, 1 << IFBAM_WAVE_SINE | 1 << IFBAM_WAVE_CHIRP, 0 },
  { "from", offsetof (IfbamWaveform, from), 0, 1 << IFBAM_WAVE_CHIRP | 1 << IFBAM_WAVE_NOISE, 0 },
  { "to", offsetof (IfbamWaveform, to), 0, 1 << IFBAM_WAVE_CHIRP | 1 << IFBAM_WAVE_NOISE,
    1 << IFBAM_WAVE_NOISE },
  { "over", offsetof (IfbamWaveform, over), 0,
    1 << IFBAM_WAVE_CHIRP | 1 << IFBAM_WAVE_RAMP | 1 << IFBAM_WAVE_PULSE
        | 1 << IFBAM_WAVE_HALF_SINE,
    1 << IFBAM_WAVE_CHIRP | 1 << IFBAM_WAVE_RAMP | 1 << IFBAM_WAVE_PULSE
        | 1 << IFBAM_WAVE_HALF_SINE },
  { "at", offsetof (IfbamWaveform, at), 0,
    1 << IFBAM_WAVE_CHIRP | 1 << IFBAM_WAVE_STEP | 1 << IFBAM_WAVE_RAMP | 1 << IFBAM_WAVE_PULSE
        | 1 << IFBAM_WAVE_PWM | 1 << IFBAM_WAVE_HALF_SINE,
    0 },
  { "period", offsetof (IfbamWaveform, period), 0, 1 << IFBAM_WAVE_PWM, 1 << IFBAM_WAVE_PWM },
  { "duty", offsetof (IfbamWaveform, duty), 0.5, 1 << IFBAM_WAVE_PWM, 0 },
  { "rise", offsetof (IfbamWaveform, rise), 0, 1 << IFBAM_WAVE_PULSE | 1 << IFBAM_WAVE_PWM, 0 },
  { "seed", offsetof (IfbamWaveform, seed), 0, 1 << IFBAM_WAVE_NOISE, 0 },
};

/* "chirp or noise" (transfer full) */
static char *
waves_text (guint waves)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; ifbam_wave_words[i] != NULL; i++)
    if (waves >> i & 1)
      g_string_append_printf (text, "%s%s",
                              text->len == 0          ? ""
                              : waves >> (i + 1) == 0 ? " or "
                                                      : ", ",
                              ifbam_wave_words[i]);
  return g_string_free (text, FALSE);
}

char *
ifbam_element_wave_fault (const IfbamElement *element, const IfbamWaveform *wave, const char **key)
{
  const gboolean is_known = wave->shape >= 0 && wave->shape <= IFBAM_WAVE_HALF_SINE;
  const guint shape = is_known ? (guint) wave->shape : 0, bit = 1u << shape;
  const char *word = ifbam_wave_words[shape];
  const double width = ifbam_waveform_width (wave);

  if (!is_known)
    return NULL; /* reported elsewhere */
  if (ifbam_element_slots (element)[IFBAM_SLOT_COURSE] != NULL && bit == 1 << IFBAM_WAVE_SINE)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (wave_keys); i++)
    {
      const double value =
          *(const double *) (gconstpointer) ((const char *) wave + wave_keys[i].offset);
      g_autofree char *waves = waves_text (wave_keys[i].waves);

      *key = wave_keys[i].key;
      if (value != wave_keys[i].standard && (wave_keys[i].waves & bit) == 0)
        return g_strdup_printf ("applies to wave = %s only (this is wave = %s)", waves, word);
      if (value == 0 && wave_keys[i].required & bit)
        return g_strdup_printf ("is missing (wave = %s needs it)", word);
    }
  *key = "amplitude";
  if (wave->amplitude == 0 && bit != 1 << IFBAM_WAVE_SINE)
    return g_strdup_printf ("is missing (want the height of the %s)", word);
  *key = "to";
  if (wave->shape == IFBAM_WAVE_NOISE && !(wave->to > wave->from))
    return g_strdup_printf ("%s Hz is not above from, %s Hz: the noise has no band",
                            IFBAM_NUMBER (wave->to), IFBAM_NUMBER (wave->from));
  *key = "period";
  if (wave->shape == IFBAM_WAVE_PWM && wave->period < SHORTEST)
    return g_strdup_printf ("%s s is too short (want at least %s s)", IFBAM_NUMBER (wave->period),
                            IFBAM_NUMBER (SHORTEST));
  *key = "seed";
  if (wave->seed != floor (wave->seed))
    return g_strdup_printf ("%s is no whole number", IFBAM_NUMBER (wave->seed));
  *key = "rise";
  if ((wave->shape == IFBAM_WAVE_PULSE || ifbam_waveform_recurs (wave)) && wave->rise > width)
    return g_strdup_printf (
        "%s s is longer than the pulse, %s s: the pulse would not reach its value",
        IFBAM_NUMBER (wave->rise), IFBAM_NUMBER (width));
  if (ifbam_waveform_recurs (wave) && width + wave->rise > wave->period)
    return g_strdup_printf ("%s s is longer than the rest of the period, %s s: the pulse "
                            "would not return",
                            IFBAM_NUMBER (wave->rise), IFBAM_NUMBER (wave->period - width));
  return NULL;
}

static void
add_time_event (double time, double period, double start, double end, GArray *time_events)
{
  const IfbamTimeEvent event = { .time = time, .period = period, .end = end };

  if ((period > 0 || (time > 0 && time > start)) && time < end)
    g_array_append_val (time_events, event);
}

void
ifbam_element_wave_time_events (const IfbamWaveform *wave, double start, double end,
                                GArray *time_events)
{
  const gboolean recurs = ifbam_waveform_recurs (wave);
  const double period = recurs ? wave->period : 0;
  const gboolean never = wave->shape == IFBAM_WAVE_PWM && wave->duty <= 0;
  const gboolean always = wave->shape == IFBAM_WAVE_PWM && wave->duty >= 1;

  switch ((int) wave->shape)
    {
    case IFBAM_WAVE_STEP:
      add_time_event (wave->at, 0, start, end, time_events);
      return;
    case IFBAM_WAVE_CHIRP:
    case IFBAM_WAVE_RAMP:
    case IFBAM_WAVE_HALF_SINE:
      add_time_event (wave->at, 0, start, end, time_events);
      add_time_event (wave->at + wave->over, 0, start, end, time_events);
      return;
    case IFBAM_WAVE_PULSE:
    case IFBAM_WAVE_PWM:
      for (int corner = 0; corner < IFBAM_WAVE_CORNERS && !never; corner++)
        {
          const double time = ifbam_waveform_corner (wave, corner);

          /* Corners that coincide are one; a duty of 1 has no later corners. */
          if ((corner % 2 == 1 && wave->rise == 0) || (always && corner > 1)
              || (corner == 2 && ifbam_waveform_width (wave) == wave->rise)
              || (corner == 3 && recurs
                  && ifbam_waveform_width (wave) + wave->rise == wave->period))
            continue;
          add_time_event (time, period, start, end, time_events);
        }
      return;
    default:
      return;
    }
}
