/* network-settings.h: the [network] group: settings of a run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"
#include "engine/run-spec.h"

typedef struct
{
  double format;
  double step;     /* [s]; infinite: automatic */
  double duration; /* [s] */
  double sample;   /* [s]; 0: every step */
  /* of each step's error, relative to the magnitude scales; 0: fixed steps */
  double tolerance;
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
/* Returns TRUE if a setting is of the run, not of the file. */
gboolean ifbam_settings_is_of_run (const IfbamParam *param);

/* Converts the settings to a run spec. Calls fault (data, key, text: transfer full) for each error;
 * with_duration: the duration is required. An automatic step is infinite in the result; settings
 * that depend on it are not read. */
typedef void (*IfbamSettingFault) (gpointer data, const char *key, char *text);
void ifbam_settings_read (IfbamElement *settings, gboolean with_duration, IfbamRunSpec *result,
                          IfbamSettingFault fault, gpointer data);

/* Calls fault for each setting that is inconsistent with a network. */
void ifbam_settings_fit (const IfbamRunSpec *spec, const IfbamModel *model, IfbamSettingFault fault,
                         gpointer data);

/* Sets an automatic step, shortened so that all samples (`duration`, `sample`) are at steps. */
void ifbam_settings_choose (IfbamElement *settings, double step, const char *why,
                            gboolean with_duration, IfbamRunSpec *result, IfbamSettingFault fault,
                            gpointer data);
