/* controller.c: sampled controller of the strength of sources
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/number-text.h"
#include "element/element.h"
#include "elements/controller-law.h"

enum
{
  SIGNAL = IFBAM_SLOT_BETWEEN + 1,
  SETPOINT,
  GAIN,
  INTEGRAL,
  DERIVATIVE,
  HYSTERESIS,
};

static const char *const kinds[] = { "pid", "relay", NULL };

static const IfbamParam controller_params[] = {
  IFBAM_PARAM_NEEDED_STRING (
      SIGNAL, "signal",
      "signal ELEMENT.QUANTITY: position or rate of a node, compression or rate of a link"),
  IFBAM_PARAM_STRING (SETPOINT, "setpoint", "set point with its unit; default: 0"),
  IFBAM_PARAM_WORD (ControllerLaw, kind, "kind", kinds, CONTROLLER_PID, "its law"),
  IFBAM_PARAM_STRING (GAIN, "gain", "of pid: per unit of the signal, such as 0.1 s/m; default: 0"),
  IFBAM_PARAM_STRING (INTEGRAL, "integral",
                      "of pid: per unit of the signal and second; default: 0"),
  IFBAM_PARAM_STRING (DERIVATIVE, "derivative",
                      "of pid: per unit of the signal in a second; default: 0"),
  IFBAM_PARAM (ControllerLaw, offset, "offset", "", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of pid: output without an error"),
  IFBAM_PARAM_STRING (
      HYSTERESIS, "hysteresis",
      "of relay: change of the signal between its two outputs, about the setpoint; default: 0"),
  IFBAM_PARAM (ControllerLaw, least, "least", "", -G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE,
               "its least output; of a relay without: 0"),
  IFBAM_PARAM (ControllerLaw, greatest, "greatest", "", -G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE,
               "its greatest output; of a relay without: 1"),
  IFBAM_PARAM (ControllerLaw, every, "every", "s", 0, G_MAXDOUBLE, 0,
               "sampling interval, first at the start; 0: each step"),
};

/* Shortest sampling interval [s]. */
#define SHORTEST 1e-12

static char *
controller_fault (IfbamElement *element, const char **key)
{
  const ControllerLaw *law = (const ControllerLaw *) ifbam_element_law (element);
  const gboolean relay = law->kind == CONTROLLER_RELAY;
  const gpointer *slots = ifbam_element_slots (element);
  const guint of_pid[] = { GAIN, INTEGRAL, DERIVATIVE };

  for (guint i = 0; i < G_N_ELEMENTS (of_pid) && relay; i++)
    if (slots[of_pid[i]] != NULL)
      {
        *key = ifbam_element_slot_key (element->info, of_pid[i]);
        return g_strdup ("applies to kind = pid only (this is kind = relay)");
      }
  *key = "offset";
  if (relay && law->offset != 0)
    return g_strdup ("applies to kind = pid only (this is kind = relay)");
  *key = "hysteresis";
  if (!relay && slots[HYSTERESIS] != NULL)
    return g_strdup ("applies to kind = relay only (this is kind = pid)");
  *key = "greatest";
  if (!(controller_least (law) < controller_greatest (law)))
    return g_strdup_printf ("%s is not above least, %s", IFBAM_NUMBER (controller_greatest (law)),
                            IFBAM_NUMBER (controller_least (law)));
  *key = "every";
  if (law->every > 0 && law->every < SHORTEST)
    return g_strdup_printf ("%s s is too short (want at least %s s)", IFBAM_NUMBER (law->every),
                            IFBAM_NUMBER (SHORTEST));
  return NULL;
}

static void
controller_time_events (const IfbamElement *element, GArray *time_events)
{
  const ControllerLaw *law = (const ControllerLaw *) ifbam_element_law (element);
  const IfbamTimeEvent event = { .period = law->every > 0 ? law->every : IFBAM_EACH_STEP,
                                 .end = INFINITY };

  g_array_append_val (time_events, event);
}

/* Reads the parameters; their units contain the signal's unit. */
static char *
controller_signal (const IfbamElement *element, void *copy, gboolean rate, const char *unit,
                   IfbamNumberReader read, const char **key)
{
  ControllerLaw *law = copy;
  const struct
  {
    guint slot;
    const char *unit; /* "%u": the signal's */
    double minimum, *parameter;
  } texts[] = {
    { SETPOINT, "%u", -G_MAXDOUBLE, &law->setpoint },
    { GAIN, "1/(%u)", -G_MAXDOUBLE, &law->gain },
    { INTEGRAL, "1/(%u)/s", -G_MAXDOUBLE, &law->integral },
    { DERIVATIVE, "s/(%u)", -G_MAXDOUBLE, &law->derivative },
    { HYSTERESIS, "%u", 0, &law->hysteresis },
  };

  law->is_rate = rate;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const char *text = ifbam_element_slots (element)[texts[i].slot];
      g_autoptr (GString) own = g_string_new (texts[i].unit);
      guint32 domains = element->domains;
      char *reason = NULL;
      IfbamParam quantity = { .minimum = texts[i].minimum, .maximum = G_MAXDOUBLE };

      g_string_replace (own, "%u", unit, 0);
      quantity.unit = own->str;
      *key = quantity.key = ifbam_element_slot_key (element->info, texts[i].slot);
      *texts[i].parameter = 0;
      if (text != NULL && !read (&quantity, &domains, text, texts[i].parameter, &reason))
        return reason;
    }
  return NULL;
}

IFBAM_DEFINE_LAW (ControllerLaw, controller, (MODE, CONSTRAINT, SAMPLE))

IFBAM_DEFINE_LINK (
    Controller, controller, ControllerLaw, controller, .name = "controller",
    .summary = "samples a signal; its output scales sources",
    .law = "output = offset + gain * error + integral * sum(every * error) + derivative * change "
           "of error / every, error = setpoint - signal; or least or greatest; held in between",
    .source = "Astrom & Wittenmark 1997, Computer-controlled systems, 3rd edition, chapter 8",
    .example = "[controller c1]\nsignal   = m1.velocity\nsetpoint = 2 m/s\n"
               "gain     = 0.5 s/m\nevery    = 10 ms\n",
    .domain = IFBAM_DOMAIN_ANY, .signal_slot = SIGNAL, .fault = controller_fault,
    .time_events = controller_time_events, .signal = controller_signal)
