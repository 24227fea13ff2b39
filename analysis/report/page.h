/* page.h: a self-contained page in HTML: what it needs is in it, and it asks no network for anything
 *
 * The page's own files, and the plotting library that it uses, stand in analysis/report/ and are
 * compiled into the library (GResource).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <json-glib/json-glib.h>

typedef struct
{
  const char *title;   /* plain text */
  const char *diagram; /* an <svg> element */
  const char *movie;   /* another; "": nothing moves in the plane */
  JsonNode *data;      /* what the page's script shows; see report.js */
  const float *numbers;
  gsize n_numbers; /* that the data refer to by their places */
} IfbamPage;

/* Appends JSON that may stand in a <script>. */
void ifbam_page_append_json (GString *text, JsonNode *data);
/* The page's text (transfer full). */
char *ifbam_page_text (const IfbamPage *page, gsize *length);
