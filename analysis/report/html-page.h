/* html-page.h: a self-contained page in HTML, which loads nothing
 *
 * The page's own files, and the plotting library that it uses, stand in analysis/report/ and are
 * compiled into the library (GResource).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

typedef struct
{
  const char *title;      /* plain text */
  const char *diagram;    /* an <svg> element */
  const char *movie;      /* another; "": nothing moves in the plane */
  const char *laboratory; /* the part on top of it that runs the network; NULL: none */
  const char *scripts;    /* that it needs */
  const char *beside;     /* its author's text, as HTML; NULL: none */
  const char *still;      /* why it stands still, to be told; NULL: that was asked for */
  const char *data;       /* JSON of the page's script; see report.js */
  const float *numbers;
  gsize n_numbers; /* that the data refer to by their places */
} IfbamPage;

/* Appends JSON that may stand in a <script>. */
void ifbam_page_append_json (GString *text, const char *json);
/* Appends that by which a policy lets in a script or style. */
void ifbam_page_append_hash (GString *text, const char *of, gsize n);
/* A part of a template, which has its name between two @@; text NULL: nothing. */
typedef struct
{
  const char *name, *text;
} IfbamPagePart;

/* The beginning of a policy (part "POLICY") that lets in WebAssembly. */
#define IFBAM_PAGE_CORE " 'wasm-unsafe-eval'"

/* Fills a template (transfer full). parts end with the name NULL; "VERSION" is the program's; other names are given to
 * append_other. The policy of a page that has one lets in its scripts, and no others. */
GString *ifbam_page_fill (const char *template, const IfbamPagePart *parts,
                          void (*append_other) (GString *text, const char *name));
/* The page's text (transfer full). */
char *ifbam_page_text (const IfbamPage *page, gsize *length);
