/* lab-network.h: texts of a laboratory's page besides the network
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

/* Reads the author's text in Markdown; path may be NULL. FALSE with an error. */
gboolean ifbam_lab_source_read (IfbamLabSource *source, const char *path, GError **error);
/* Takes the names of a network read from path ("-": standard input) with options that keep its
 * text, and messages of the reading. */
void ifbam_lab_source_check (IfbamLabSource *source, const IfbamLoaded *loaded,
                             const IfbamNetworkOptions *options);
/* Writes the page of a network with the author's text; to: NULL: standard output. Returns the exit
 * code. */
int ifbam_lab_write (IfbamLabSource *source, IfbamNetworkOptions *options, const char *path,
                     const char *to);
void ifbam_lab_source_clear (IfbamLabSource *source);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamLabSource, ifbam_lab_source_clear)
