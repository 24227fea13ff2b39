/* rank-excerpt.c: a rank's part of a network file of which no rank compiles the whole
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/rank-excerpt.h"

#include "base/ifbam-error.h"
#include "ranks/owners.h"

#define MOST_WHOLE 100000
/* Nodes whose neighbours are listed at once. */
#define PIECE 65536

void
ifbam_rank_excerpt_clear (IfbamRankExcerpt *self)
{
  g_clear_pointer (&self->survey, ifbam_survey_free);
}

static GArray *
new_issues (void)
{
  GArray *issues = g_array_new (FALSE, FALSE, sizeof (IfbamIssue));

  g_array_set_clear_func (issues, (GDestroyNotify) ifbam_issue_clear);
  return issues;
}

/* This rank's own nodes. */
static GArray *
own_nodes (const IfbamSurvey *survey)
{
  const IfbamRanks *ranks = ifbam_ranks ();
  GArray *own = g_array_new (FALSE, FALSE, sizeof (IfbamRange));
  guint64 first, last;

  ifbam_ranks_range (survey->n_free, ranks->n, ranks->rank, &first, &last);
  ifbam_ranges_append (own, first, last - first);
  return own;
}

static gboolean
is_large (const IfbamSurvey *survey)
{
  const char *most = g_getenv ("IFBAM_RANKS_WHOLE");

  return survey->n_free > (most == NULL ? MOST_WHOLE : g_ascii_strtoull (most, NULL, 10))
         && survey->n_free >= (guint64) ifbam_ranks ()->n && survey->n_free < G_MAXUINT32
         && survey->n_links < G_MAXUINT32;
}

typedef struct
{
  IfbamRankExcerpt *excerpt;
  gboolean read; /* the file has been, by this rank */
} First;

/* With both ends of all links at own nodes. NULL without an issue: another rank can't read the file. */
static IfbamModel *
compile_first (gpointer data, IfbamNetwork *network, IfbamRunSpec *spec, IfbamSignals **signals,
               GArray *issues)
{
  First *first = data;
  IfbamRankExcerpt *self = first->excerpt;
  g_autoptr (GArray) doubts = new_issues (), own = NULL;

  first->read = TRUE;
  if (!ifbam_ranks_all (TRUE))
    return NULL;
  self->survey = ifbam_survey_new (network, doubts);
  if (self->survey != NULL && !is_large (self->survey))
    g_clear_pointer (&self->survey, ifbam_survey_free);
  if (self->survey == NULL)
    return ifbam_network_compile (network, TRUE, spec, signals, issues);
  own = own_nodes (self->survey);
  return ifbam_survey_compile (self->survey, ifbam_survey_cut (self->survey, own, 1), spec, signals,
                               issues);
}

IfbamNetwork *
ifbam_rank_excerpt_read (IfbamRankExcerpt *self, const char *path, const char *const *settings,
                         gboolean may_cut, gboolean keeps_text, IfbamModel **model,
                         IfbamRunSpec *spec, IfbamSignals **signals, GError **error)
{
  First first = { self, FALSE };
  const IfbamCompiling compiling = { compile_first, &first };
  g_autoptr (IfbamNetworkBytes) bytes = NULL;
  IfbamNetwork *network;

  if (!may_cut)
    return ifbam_network_new_compiled (path, settings, keeps_text, model, spec, signals, error);
  bytes = ifbam_network_bytes_new (path, error);
  network = bytes == NULL ? NULL
                          : ifbam_network_new_compiled_by (bytes, settings, &compiling, model, spec,
                                                           signals, error);
  if (!first.read)
    ifbam_ranks_all (FALSE);
  if (network != NULL && keeps_text)
    network->text = g_memdup2 (bytes->text, bytes->length + 1);
  return network;
}

/* Over all ranks. */
static guint64
find_most (guint64 own)
{
  const IfbamRanks *ranks = ifbam_ranks ();
  g_autofree gint64 *each = g_new0 (gint64, ranks->n);
  guint64 most = 0;

  each[ranks->rank] = (gint64) own;
  ifbam_ranks_sum (each, (gsize) ranks->n);
  for (int r = 0; r < ranks->n; r++)
    most = MAX (most, (guint64) each[r]);
  return most;
}

gboolean
ifbam_rank_excerpt_is_near (IfbamRankExcerpt *self)
{
  const IfbamRanks *ranks = ifbam_ranks ();
  guint64 first, last, reach = IFBAM_RANKS_NEAR;

  ifbam_ranks_range (self->survey->n_free, ranks->n, ranks->rank, &first, &last);
  for (guint64 some; first < last; first += some)
    {
      g_autoptr (GArray) start = NULL, neighbour = NULL;

      some = MIN (PIECE, last - first);
      ifbam_survey_list_neighbours (self->survey, first, some, &start, &neighbour);
      for (guint64 i = 0; i < some; i++)
        for (guint64 k = g_array_index (start, guint64, i);
             k < g_array_index (start, guint64, i + 1); k++)
          {
            const guint64 node = first + i, other = g_array_index (neighbour, guint64, k);

            reach = MAX (reach, MAX (node, other) - MIN (node, other));
          }
    }
  self->reach = find_most (reach);
  return self->reach <= ifbam_ranks_reach (self->survey->n_free, ranks->n);
}

/* Own nodes, their layers and what is looked at, which has layers, too, where it is asked for between stages. */
static IfbamExcerpt *
cut (const IfbamSurvey *survey, const IfbamRankPlan *plan, const GArray *looked_at)
{
  g_autoptr (GArray) own = own_nodes (survey), around = NULL;
  g_autoptr (GArray) seeds = plan->by_stages ? ifbam_ranges_unite (own, looked_at) : NULL;
  g_autoptr (IfbamExcerpt) layers =
      ifbam_survey_cut (survey, seeds != NULL ? seeds : own, plan->depth);

  around = ifbam_ranges_unite (layers->nodes, looked_at);
  return ifbam_survey_cut (survey, around, 0);
}

static void
set_error (const GArray *issues, GError **error)
{
  g_autofree char *text = issues->len == 0
                              ? g_strdup ("the network can't be compiled")
                              : ifbam_issue_to_string (&g_array_index (issues, IfbamIssue, 0));

  g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK, text);
}

IfbamRankPart *
ifbam_rank_excerpt_take_part (IfbamRankExcerpt *self, IfbamModel **model, IfbamRunSpec *spec,
                              IfbamSignals **signals, gboolean full, GError **error)
{
  const IfbamSurvey *survey = self->survey;
  g_autoptr (GArray) looked_at = ifbam_rank_list_looked_at (*model, *signals);
  g_autoptr (GArray) issues = new_issues ();
  const IfbamRankPlan plan =
      ifbam_rank_plan (survey->n_free, survey->n_links, survey->n_free + survey->n_given,
                       self->reach, spec, ifbam_ranks_any (full));
  gboolean nowhere = FALSE;
  IfbamModel *own;

  g_clear_pointer (model, ifbam_model_free);
  g_clear_pointer (signals, ifbam_signals_free);
  ifbam_run_spec_clear (spec);
  own = ifbam_survey_compile (survey, cut (survey, &plan, looked_at), spec, signals, issues);
  if (own == NULL)
    set_error (issues, error);
  ifbam_rank_excerpt_clear (self);
  /* All that is looked at is here. */
  if (ifbam_ranks_agree (error))
    nowhere = ifbam_ranks_any ((*signals)->elsewhere);
  if (*error == NULL && !nowhere)
    return ifbam_rank_part_new_of_excerpt (own, &plan, spec);
  ifbam_model_free (own);
  return NULL;
}
