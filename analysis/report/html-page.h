/* html-page.h: a self-contained HTML page, which loads nothing
 *
 * Its files and plotting library are in analysis/report/, compiled into the library (GResource).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

typedef struct
{
  const char *title;      /* plain text */
  const char *diagram;    /* an <svg> element */
  const char *movie;      /* another <svg>; "": nothing moves in the plane */
  const char *laboratory; /* section that runs the network, on top of the page; NULL: none */
  const char *scripts;    /* its scripts */
  const char *beside;     /* author's text, as HTML; NULL: none */
  const char *still;      /* reason for a page without laboratory; NULL: requested */
  const char *data;       /* JSON for the page's script; see report.js */
  const float *numbers;
  gsize n_numbers; /* to which the data refer by index */
} IfbamPage;

/* Appends JSON that is safe in a <script>. */
void ifbam_page_append_json (GString *text, const char *json);
/* Appends the hash by which a policy permits a script or style. */
void ifbam_page_append_hash (GString *text, const char *of, gsize n);
/* Part of a template, written there as its name between two @@; text NULL: nothing. */
typedef struct
{
  const char *name, *text;
} IfbamPagePart;

/* The beginning of a policy (part "POLICY") that permits WebAssembly. */
#define IFBAM_PAGE_CORE " 'wasm-unsafe-eval'"

/* Fills a template (transfer full). parts end with the name NULL; "VERSION" is the program's; other
 * names are passed to append_other. A policy in the page permits its scripts, and no others. */
GString *ifbam_page_fill (const char *template, const IfbamPagePart *parts,
                          void (*append_other) (GString *text, const char *name));
/* Returns the page's text (transfer full). */
char *ifbam_page_text (const IfbamPage *page, gsize *length);
