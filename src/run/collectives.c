/* collectives.c: decisions of all ranks, and exchanges with sizes known to senders only
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/communicator.h"

#include <string.h>

gboolean
ifbam_ranks_any (gboolean mine)
{
  gint64 votes = mine != FALSE;

  ifbam_ranks_allreduce_sum (&votes, 1);
  return votes > 0;
}

gboolean
ifbam_ranks_all (gboolean mine)
{
  return !ifbam_ranks_any (!mine);
}

void
ifbam_ranks_allreduce_values (double *values, gsize n)
{
  g_autofree gint64 *words = g_memdup2 (values, n * sizeof *words);

  ifbam_ranks_allreduce_sum (words, n);
  if (n > 0)
    memcpy (values, words, n * sizeof *words);
}

char *
ifbam_ranks_broadcast_text (const char *text, int from)
{
  const gboolean own = ifbam_ranks ()->rank == from;
  gint64 size = own ? (gint64) strlen (text) + 1 : 0;
  char *copy;

  ifbam_ranks_broadcast (&size, sizeof size, from);
  copy = own ? g_strdup (text) : g_malloc ((gsize) size);
  ifbam_ranks_broadcast (copy, (gsize) size, from);
  return copy;
}

gboolean
ifbam_ranks_agree_on_error (GError **error)
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
  ifbam_ranks_allreduce_sum (faults, (gsize) ranks->n);
  while (first < ranks->n && faults[first] == 0)
    first++;
  if (first == ranks->n)
    return TRUE;
  code = bad ? (*error)->code : 0;
  ifbam_ranks_broadcast (&code, sizeof code, first);
  message = ifbam_ranks_broadcast_text (bad ? (*error)->message : "", first);
  domain = ifbam_ranks_broadcast_text (bad ? g_quark_to_string ((*error)->domain) : "", first);
  if (first == ranks->rank)
    return FALSE;
  g_clear_error (error);
  g_set_error_literal (error, g_quark_from_string (domain), (int) code, message);
  return FALSE;
}

static int
count_ranks (void)
{
  return ifbam_ranks () == NULL ? 1 : ifbam_ranks ()->n;
}

gpointer
ifbam_ranks_exchange_unsized (const IfbamBuffer *send, gsize *n)
{
  const int n_ranks = count_ranks ();
  g_autofree gsize *own = g_new (gsize, n_ranks);
  g_autofree IfbamBuffer *sizes = g_new (IfbamBuffer, n_ranks),
                         *take = g_new (IfbamBuffer, n_ranks);
  gsize total = 0;
  char *all;

  for (int r = 0; r < n_ranks; r++)
    {
      own[r] = send[r].n;
      sizes[r] = (IfbamBuffer){ &own[r], sizeof own[r] };
      take[r] = (IfbamBuffer){ &n[r], sizeof n[r] };
    }
  if (n_ranks == 1)
    {
      *n = send->n;
      return g_memdup2 (send->bytes, send->n);
    }
  ifbam_ranks_exchange (sizes, take);
  for (int r = 0; r < n_ranks; r++)
    total += n[r];
  all = g_malloc (total + 1);
  total = 0;
  for (int r = 0; r < n_ranks; total += n[r++])
    take[r] = (IfbamBuffer){ all + total, n[r] };
  ifbam_ranks_exchange (send, take);
  return all;
}

GArray **
ifbam_ranks_new_lists (guint size)
{
  GArray **lists = g_new (GArray *, count_ranks ());

  for (int r = 0; r < count_ranks (); r++)
    lists[r] = g_array_new (FALSE, FALSE, size);
  return lists;
}

gpointer
ifbam_ranks_exchange_lists (GArray **lists, gsize *n)
{
  g_autofree IfbamBuffer *send = g_new (IfbamBuffer, count_ranks ());
  gpointer all;

  for (int r = 0; r < count_ranks (); r++)
    send[r] = (IfbamBuffer){ lists[r]->data,
                             (gsize) lists[r]->len * g_array_get_element_size (lists[r]) };
  all = ifbam_ranks_exchange_unsized (send, n);
  for (int r = 0; r < count_ranks (); r++)
    g_array_unref (lists[r]);
  g_free (lists);
  return all;
}

gpointer
ifbam_ranks_gather (gconstpointer bytes, gsize n)
{
  const gsize own = ifbam_ranks () == NULL ? 0 : (gsize) ifbam_ranks ()->rank;
  char *all = g_malloc0 ((gsize) count_ranks () * n);

  memcpy (all + own * n, bytes, n);
  for (int r = 0; r < count_ranks (); r++)
    ifbam_ranks_broadcast (all + (gsize) r * n, n, r);
  return all;
}
