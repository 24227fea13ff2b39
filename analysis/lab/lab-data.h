/* lab-data.h: data of a network for a laboratory's page
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

#include "file/file.h"

typedef struct
{
  const char *file;  /* as it is named in commands */
  const char *title; /* plain text */
  const char *text;  /* of the file, which a page saves with what was changed; "": there is none */
  const char *const
      *words;         /* what stands behind the file in them: "--scheme=rk4" (NULL-terminated) */
  const char *beside; /* what its author says beside it, as HTML; NULL: nothing */
} IfbamLabNames;

/* A page that was asked for may take so many times as long as one in a report. */
#define IFBAM_LAB_ASKED_FOR 4

/* The largest number of steps that a page runs which was asked for. */
double ifbam_lab_most_steps (const IfbamModel *model, const IfbamRunSpec *spec);

/* Its text for the core, its numbers, its picture (transfer full). */
char *ifbam_lab_data (const IfbamNetwork *network, const IfbamModel *model,
                      const IfbamRunSpec *spec, const IfbamLabNames *names);
