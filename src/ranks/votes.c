/* votes.c: what ranks decide together
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "ranks/ranks.h"

#include <string.h>

gboolean
ifbam_ranks_any (gboolean mine)
{
  gint64 votes = mine != FALSE;

  ifbam_ranks_sum (&votes, 1);
  return votes > 0;
}

gboolean
ifbam_ranks_all (gboolean mine)
{
  return !ifbam_ranks_any (!mine);
}

/* A text of one rank's becomes all ranks' (transfer full). */
static char *
spread_text (const char *text, int from)
{
  const gboolean own = ifbam_ranks ()->rank == from;
  gint64 size = own ? (gint64) strlen (text) + 1 : 0;
  char *copy;

  ifbam_ranks_spread (&size, sizeof size, from);
  copy = own ? g_strdup (text) : g_malloc ((gsize) size);
  ifbam_ranks_spread (copy, (gsize) size, from);
  return copy;
}

gboolean
ifbam_ranks_agree (GError **error)
{
  const IfbamRanks *ranks = ifbam_ranks ();
  const gboolean bad = *error != NULL;
  g_autofree gint64 *faults = NULL;
  g_autofree char *message = NULL, *domain = NULL;
  gint64 code;
  int first = 0;

  if (ranks == NULL || ranks->n == 1)
    return !bad;
  faults = g_new0 (gint64, ranks->n);
  faults[ranks->rank] = bad;
  ifbam_ranks_sum (faults, (gsize) ranks->n);
  while (first < ranks->n && faults[first] == 0)
    first++;
  if (first == ranks->n)
    return TRUE;
  code = bad ? (*error)->code : 0;
  ifbam_ranks_spread (&code, sizeof code, first);
  message = spread_text (bad ? (*error)->message : "", first);
  domain = spread_text (bad ? g_quark_to_string ((*error)->domain) : "", first);
  if (first == ranks->rank)
    return FALSE;
  g_clear_error (error);
  g_set_error_literal (error, g_quark_from_string (domain), (int) code, message);
  return FALSE;
}
