/* chart-script.h: gnuplot script of a chart
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart-panels.h"
#include "figure/gnuplot-script.h"

/* Data of a chart's script. */
typedef struct
{
  const IfbamChart *chart;
  guint columns;        /* of text; 0: a picture */
  IfbamAxisRange range; /* of x */
  GPtrArray *panels;    /* IfbamPanel */
  guint *panel_of;      /* indices of the curves' panels */
} IfbamDrawing;

IfbamDrawing ifbam_drawing_begin (const IfbamChart *chart, guint columns);
void ifbam_drawing_clear (IfbamDrawing *drawing);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamDrawing, ifbam_drawing_clear)

/* Appends the points of all curves, and all panels. */
void ifbam_script_append_data (GString *script, const IfbamDrawing *drawing);
void ifbam_script_append_chart (GString *script, const IfbamDrawing *drawing);
/* Height of the picture [pixels]. */
guint ifbam_drawing_height (const IfbamDrawing *drawing);
