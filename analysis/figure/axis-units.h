/* axis-units.h: numbers in units as people write them: 0.5 mm, not 0.0005 m
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Of an axis. */
typedef struct
{
  double factor; /* of a number in SI */
  char *unit;    /* "mm" */
} IfbamScale;

/* For an axis on which numbers of a unit of SI ("m", "N s/m", "") reach so far. */
IfbamScale ifbam_scale_for (const char *unit, double largest);
void ifbam_scale_clear (IfbamScale *scale);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamScale, ifbam_scale_clear)

/* A round step (1, 2 or 5 times a power of ten) that divides a length into so many parts at most. */
double ifbam_scale_step (double length, guint most);

/* A number as text, with a point in every locale, valid in the block; format: of one double. */
#define IFBAM_FORMATTED(format, number)                                                            \
  g_ascii_formatd ((char[G_ASCII_DTOSTR_BUF_SIZE]){ 0 }, G_ASCII_DTOSTR_BUF_SIZE, format, number)

/* "10 kN/m": a number in a unit of SI with a prefix, four digits (transfer full). */
char *ifbam_quantity_text (double number, const char *unit);
/* "20 cm": a length [m] in km, m, cm, mm or micrometres (transfer full). */
char *ifbam_length_text (double metres);
