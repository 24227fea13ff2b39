/* monitor.c: reports that a signal crosses a level, without effect on the motion
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/monitor-law.h"

enum
{
  SIGNAL = IFBAM_SLOT_BETWEEN + 1,
  LEVEL,
  HYSTERESIS,
};

static const char *const directions[] = { "both", "rising", "falling", NULL };

static const IfbamParam monitor_params[] = {
  IFBAM_PARAM_NEEDED_STRING (
      SIGNAL, "signal",
      "signal ELEMENT.QUANTITY: position or rate of a node, compression or rate of a link"),
  IFBAM_PARAM_STRING (LEVEL, "level", "level with the signal's unit; default: 0"),
  IFBAM_PARAM_STRING (HYSTERESIS, "hysteresis",
                      "width of the hysteresis about the level; default: 0"),
  IFBAM_PARAM_WORD (MonitorLaw, direction, "direction", directions, 0,
                    "crossings that are reported"),
};

static const char *const modes[] = { "below", "above", NULL };

static char *
monitor_signal (const IfbamElement *element, void *copy, gboolean rate, const char *unit,
                IfbamNumberReader read, const char **key)
{
  const IfbamParam quantity = {
    .key = "level", .unit = unit, .minimum = -G_MAXDOUBLE, .maximum = G_MAXDOUBLE
  };
  const IfbamParam width = {
    .key = "hysteresis", .unit = unit, .minimum = 0, .maximum = G_MAXDOUBLE
  };
  guint32 domains = element->domains;
  MonitorLaw *law = copy;
  const char *level = ifbam_element_slots (element)[LEVEL];
  const char *hysteresis = ifbam_element_slots (element)[HYSTERESIS];
  char *reason = NULL;

  law->is_rate = rate;
  law->level = law->hysteresis = 0;
  *key = "level";
  if (level != NULL && !read (&quantity, &domains, level, &law->level, &reason))
    return reason;
  *key = "hysteresis";
  if (hysteresis != NULL && !read (&width, &domains, hysteresis, &law->hysteresis, &reason))
    return reason;
  return NULL;
}

IFBAM_DEFINE_LAW (MonitorLaw, monitor, (MODE, GUARDS, CONSTRAINT, EVENT), .modes = modes)

IFBAM_DEFINE_LINK (Monitor, monitor, MonitorLaw, monitor, .name = "monitor",
                   .summary = "reports when a signal crosses a level",
                   .law =
                       "below: until signal >= level + hysteresis/2; above: until signal < level - "
                       "hysteresis/2",
                   .source = "state events: Cellier & Kofman 2006, Continuous system "
                             "simulation, chapter 9",
                   .example = "[monitor top]\nsignal    = m1.velocity\nlevel     = 0 m/s\n"
                              "direction = falling\n",
                   .domain = IFBAM_DOMAIN_ANY, .signal_slot = SIGNAL, .signal = monitor_signal)
