/* settings.h: the [network] group: how a network is run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"
#include "scheme/scheme.h"

typedef struct
{
  double format;
  double step;     /* [s]; infinite: to be chosen (auto) */
  double duration; /* [s] */
  double sample;   /* [s]; 0: every step */
  double up_to;    /* highest frequency of interest [Hz]; 0: that of the fastest mode */
} IfbamSettingsLaw;

enum
{
  IFBAM_SETTING_TITLE,
  IFBAM_SETTING_SCHEME,
  IFBAM_SETTING_START,
  IFBAM_SETTING_RECORD,
  IFBAM_N_SETTING_TEXTS,
};

/* What the settings come to. */
typedef struct
{
  const IfbamScheme *scheme;
  gboolean cold;
  gboolean equilibrium; /* positions of rest */
  double step;
  guint64 stride;     /* steps between rows */
  guint64 last_step;  /* of the last row, a multiple of stride */
  gboolean cut;       /* the duration is no multiple of the sample interval */
  const char *record; /* NULL: the standard */
  double up_to;       /* highest angular frequency of interest [1/s]; infinite: all */
  const char *chosen; /* why the step was chosen so (static); NULL: it was given */
} IfbamRunSettings;

GType ifbam_settings_get_type (void);
const IfbamElementInfo *ifbam_settings_info (void);
/* Whether it says how the network is run, not what its file is. */
gboolean ifbam_settings_is_of_run (const IfbamParam *param);

/* Calls fault (data, key, text: transfer full) for everything that is wrong; with_duration:
 * a duration must be there. A step that is to be chosen is infinite in the result; what follows from it
 * is not read. */
typedef void (*IfbamSettingFault) (gpointer data, const char *key, char *text);
void ifbam_settings_read (IfbamElement *settings, gboolean with_duration, IfbamRunSettings *result,
                          IfbamSettingFault fault, gpointer data);

/* With a step that was chosen: shortened so that rows fall on steps, if `duration` or `sample` are
 * there. */
void ifbam_settings_choose (IfbamElement *settings, double step, const char *why,
                            gboolean with_duration, IfbamRunSettings *result,
                            IfbamSettingFault fault, gpointer data);
