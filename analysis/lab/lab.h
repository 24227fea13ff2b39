/* lab.h: a network as a page that runs it: the core as WebAssembly, and what the page has to know
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "network/network.h"

/* Whether the core was compiled in; else the page stands still, and says so. */
gboolean ifbam_lab_has_core (void);

typedef struct
{
  const char *file;  /* as it is named in commands */
  const char *title; /* plain text */
  const char *text;  /* of the file, which a page saves with what was changed; "": there is none */
  const char *const
      *words; /* what stands behind the file in them: "--scheme=rk4" (NULL-terminated) */
} IfbamLabNames;

/* The page's text (transfer full). */
char *ifbam_lab_page (const IfbamNetwork *network, const IfbamModel *model,
                      const IfbamRunSpec *spec, const IfbamLabNames *names, gsize *length);
