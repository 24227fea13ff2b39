/* axis-units.h: numbers with units and SI prefixes: 0.5 mm, not 0.0005 m
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Scale of an axis. */
typedef struct
{
  double factor; /* multiplies a number in SI */
  char *unit;    /* "mm" */
} IfbamScale;

/* Returns the scale of an axis for values up to `largest` in an SI unit ("m", "N s/m", ""). */
IfbamScale ifbam_scale_for (const char *unit, double largest);
void ifbam_scale_clear (IfbamScale *scale);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamScale, ifbam_scale_clear)

/* Returns a round step (1, 2 or 5 times a power of ten) for at most `most` parts of a length. */
double ifbam_scale_step (double length, guint most);

/* Formats a number with a point in any locale, valid in the block; format: of one double. */
#define IFBAM_FORMATTED(format, number)                                                            \
  g_ascii_formatd ((char[G_ASCII_DTOSTR_BUF_SIZE]){ 0 }, G_ASCII_DTOSTR_BUF_SIZE, format, number)

/* Returns "10 kN/m": a number in an SI unit with a prefix, four digits (transfer full). */
char *ifbam_quantity_text (double number, const char *unit);
/* Returns "20 cm": a length [m] in km, m, cm, mm or micrometres (transfer full). */
char *ifbam_length_text (double metres);
