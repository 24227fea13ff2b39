/* compile-context.c: a network half compiled: what is kept of it, and what there is to say
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compile-context.h"

void
ifbam_issue_clear (IfbamIssue *issue)
{
  g_clear_pointer (&issue->text, g_free);
}

void
ifbam_compiler_add_issue (IfbamCompiler *compiler, IfbamElement *element, const char *key,
                          char *text)
{
  IfbamIssue issue = { element, key, text };

  g_array_append_val (compiler->issues, issue);
}

IfbamPlace *
ifbam_compiler_place_of (const IfbamCompiler *compiler, const IfbamElement *element)
{
  return &compiler->model->places[element->id];
}

gpointer
ifbam_compiler_keep (IfbamCompiler *compiler, gpointer data, GDestroyNotify free)
{
  const IfbamKept kept = { data, free };

  g_array_append_val (compiler->model->kept, kept);
  return data;
}
