/* compile-context.c: memory and issues of a network that is being compiled
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compile-context.h"

static void
issue_clear (gpointer issue)
{
  g_free (((IfbamIssue *) issue)->text);
}

GArray *
ifbam_issues_new (void)
{
  GArray *issues = g_array_new (FALSE, FALSE, sizeof (IfbamIssue));

  g_array_set_clear_func (issues, issue_clear);
  return issues;
}

void
ifbam_compiler_add_issue (IfbamCompiler *compiler, IfbamElement *element, const char *key,
                          char *text)
{
  IfbamIssue issue = { element, key, text };

  g_array_append_val (compiler->issues, issue);
}

IfbamElementIndex *
ifbam_compiler_element_index (const IfbamCompiler *compiler, const IfbamElement *element)
{
  return &compiler->model->places[element->id];
}

gpointer
ifbam_compiler_own (IfbamCompiler *compiler, gpointer data, GDestroyNotify free)
{
  const IfbamOwnedMemory kept = { data, free };

  g_array_append_val (compiler->model->kept, kept);
  return data;
}
