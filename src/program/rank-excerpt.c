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

/* With both ends of all links at own nodes. */
static IfbamModel *
compile_first (gpointer data, IfbamNetwork *network, IfbamRunSpec *spec, IfbamSignals **signals,
               GArray *issues)
{
  IfbamRankExcerpt *self = data;
  g_autoptr (GArray) doubts = new_issues (), own = NULL;

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
  const IfbamCompiling compiling = { compile_first, self };
  g_autoptr (IfbamNetworkBytes) bytes = NULL;
  IfbamNetwork *network;

  if (!may_cut)
    return ifbam_network_new_compiled (path, settings, keeps_text, model, spec, signals, error);
  bytes = ifbam_network_bytes_new (path, error);
  if (bytes == NULL)
    return NULL;
  network =
      ifbam_network_new_compiled_by (bytes, settings, &compiling, model, spec, signals, error);
  if (network != NULL && keeps_text)
    network->text = g_memdup2 (bytes->text, bytes->length + 1);
  return network;
}

gboolean
ifbam_rank_excerpt_is_near (const IfbamRankExcerpt *self)
{
  const IfbamRanks *ranks = ifbam_ranks ();
  gboolean near = TRUE;
  guint64 first, last;

  ifbam_ranks_range (self->survey->n_free, ranks->n, ranks->rank, &first, &last);
  for (guint64 some; first < last && near; first += some)
    {
      g_autoptr (GArray) start = NULL, neighbour = NULL;

      some = MIN (PIECE, last - first);
      ifbam_survey_list_neighbours (self->survey, first, some, &start, &neighbour);
      for (guint64 i = 0; i < some; i++)
        for (guint64 k = g_array_index (start, guint64, i);
             k < g_array_index (start, guint64, i + 1); k++)
          {
            const guint64 node = first + i, other = g_array_index (neighbour, guint64, k);

            near = near && MAX (node, other) - MIN (node, other) <= IFBAM_RANKS_NEAR;
          }
    }
  return ifbam_ranks_all (near);
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
                       IFBAM_RANKS_NEAR, spec, ifbam_ranks_any (full));
  IfbamModel *own;

  g_clear_pointer (model, ifbam_model_free);
  g_clear_pointer (signals, ifbam_signals_free);
  ifbam_run_spec_clear (spec);
  own = ifbam_survey_compile (survey, cut (survey, &plan, looked_at), spec, signals, issues);
  if (own == NULL)
    set_error (issues, error);
  ifbam_rank_excerpt_clear (self);
  if (ifbam_ranks_agree (error))
    return ifbam_rank_part_new_of_excerpt (own, &plan, spec);
  ifbam_model_free (own);
  return NULL;
}
