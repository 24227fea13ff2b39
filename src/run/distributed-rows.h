/* distributed-rows.h: rows of columns of which each rank has those at some of the nodes: who is next to whom by them, and what
 * excerpts have of them
 *
 * Each rank reads a block of the rows, and tells them to whom it keeps their ends for: nodes are kept by blocks of the file's
 * numbers. Whoever wants to know what is joined to nodes that others keep asks them. Where there is one process it keeps all.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/registry.h"
#include "model/model.h"

typedef struct _IfbamSurveyRows IfbamSurveyRows;

IfbamSurveyRows *ifbam_survey_rows_new (void);
void ifbam_survey_rows_free (IfbamSurveyRows *self);
/* A composite whose nodes begin at a number of the file. */
void ifbam_survey_rows_add (IfbamSurveyRows *self, IfbamElement *element, guint64 first);

/* What follows is for all ranks at once, in the same order. */

/* Once all have been added. */
void ifbam_survey_rows_share (IfbamSurveyRows *self, guint64 n_free);
/* Reads the links of a composite (not copied; of its outer nodes their numbers are); *n: how many numbers in the file they have.
 * FALSE: some rank has met a fault, or what only the whole file tells. */
gboolean ifbam_survey_rows_read (IfbamSurveyRows *self, const IfbamElement *element,
                                 const IfbamRows *rows, guint64 *n);
/* Then: reads the numbers of the nodes. FALSE, likewise. */
gboolean ifbam_survey_rows_settle (IfbamSurveyRows *self);

/* A cut begins: what others said in another one is forgotten. */
void ifbam_survey_rows_begin (IfbamSurveyRows *self);
/* Whom links join to free nodes (guint64, ascending): free nodes that are in none of the known ranges are added to numbers. */
void ifbam_survey_rows_walk (IfbamSurveyRows *self, const GArray *nodes, const GArray *known,
                             GArray *numbers);
/* What an excerpt has of all rows that a walk has come by, and of the nodes: a list of IfbamColumnsData, in the order of the composites
 * (transfer full). keep: is told of n links between two nodes, and says whether they are in the excerpt. */
GPtrArray *ifbam_survey_rows_take (IfbamSurveyRows *self, const GArray *nodes,
                                   gboolean (*keep) (gpointer data, guint64 left, guint64 right,
                                                     guint n),
                                   gpointer data);

/* Each for itself: there will be no other walk. */
void ifbam_survey_rows_forget (IfbamSurveyRows *self);
/* Whom links join to a node that this rank keeps, once for each link; free nodes only (guint64, appended). */
void ifbam_survey_rows_list (const IfbamSurveyRows *self, guint64 node, GArray *numbers);
/* Composites get what an excerpt has of them. */
void ifbam_survey_rows_give (IfbamSurveyRows *self, GPtrArray *columns);
