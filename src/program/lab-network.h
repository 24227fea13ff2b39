/* lab-network.h: what a laboratory's page is made of, beside the network itself
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "lab/lab.h"
#include "program/command.h"

typedef struct
{
  IfbamLabNames names;
  char *file, *beside;
  GPtrArray *words;
} IfbamLabSource;

/* What its author says beside it, in Markdown; path may be NULL. FALSE: the file is missing, too large, or no text. */
gboolean ifbam_lab_source_read (IfbamLabSource *source, const char *path, GError **error);
/* The names of the network that was read from path ("-": standard input) with options that keep its text, and what was said
 * beside it. */
void ifbam_lab_source_look (IfbamLabSource *source, const IfbamLoaded *loaded,
                            const IfbamNetworkOptions *options);
void ifbam_lab_source_clear (IfbamLabSource *source);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamLabSource, ifbam_lab_source_clear)
