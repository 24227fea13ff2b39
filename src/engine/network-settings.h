/* network-settings.h: the [network] group: how a network is run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"
#include "engine/run-spec.h"

typedef struct
{
  double format;
  double step;     /* [s]; infinite: to be chosen (auto) */
  double duration; /* [s] */
  double sample;   /* [s]; 0: every step */
  double
      tolerance; /* of each step's error, in parts of what is large; 0: steps are as long as they are said to be */
  double up_to; /* highest frequency of interest [Hz]; 0: that of the fastest mode */
} IfbamSettingsLaw;

enum
{
  IFBAM_SETTING_TITLE,
  IFBAM_SETTING_SCHEME,
  IFBAM_SETTING_START,
  IFBAM_SETTING_RECORD,
  IFBAM_N_SETTING_TEXTS,
};

GType ifbam_settings_get_type (void);
const IfbamElementInfo *ifbam_settings_info (void);
/* Whether it says how the network is run, not what its file is. */
gboolean ifbam_settings_is_of_run (const IfbamParam *param);

/* What the settings come to. Calls fault (data, key, text: transfer full) for everything that is wrong; with_duration:
 * a duration must be there. A step that is to be chosen is infinite in the result; what follows from it
 * is not read. */
typedef void (*IfbamSettingFault) (gpointer data, const char *key, char *text);
void ifbam_settings_read (IfbamElement *settings, gboolean with_duration, IfbamRunSpec *result,
                          IfbamSettingFault fault, gpointer data);

/* Calls fault for what does not go together with a network. */
void ifbam_settings_fit (const IfbamRunSpec *spec, const IfbamModel *model, IfbamSettingFault fault,
                         gpointer data);

/* With a step that was chosen: shortened so that rows fall on steps, if `duration` or `sample` are
 * there. */
void ifbam_settings_choose (IfbamElement *settings, double step, const char *why,
                            gboolean with_duration, IfbamRunSpec *result, IfbamSettingFault fault,
                            gpointer data);
