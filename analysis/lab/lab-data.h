/* lab-data.h: data of a network for a laboratory's page
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

#include "file/file.h"

typedef struct
{
  const char *file;  /* file name for commands */
  const char *title; /* plain text */
  const char *text;  /* of the file, which a page saves with changes; "": none */
  const char *const
      *words;         /* words behind the file in commands: "--scheme=rk4" (NULL-terminated) */
  const char *beside; /* author's text, as HTML; NULL: none */
} IfbamLabNames;

/* Ratio of the time limits of a requested page and of one in a report. */
#define IFBAM_LAB_ASKED_FOR 4

/* Returns the largest number of steps that a requested page runs. */
double ifbam_lab_max_steps (const IfbamModel *model, const IfbamRunSpec *spec);

/* Returns core text, values and diagram as JSON (transfer full). */
char *ifbam_lab_data (const IfbamNetwork *network, const IfbamModel *model,
                      const IfbamRunSpec *spec, const IfbamLabNames *names);
